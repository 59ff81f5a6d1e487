/* Processes of our own, and the sockets between them.
 * Every function returns a value of 0 or more, or -errno; errno itself is left undefined. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The most descriptors that one message carries. */
#define VP_MAX_FDS 4

/* Opens /dev/null for those of the descriptors 0, 1 and 2 that are not open, so that nothing which is opened later becomes a
 * standard stream. For the beginning of a program, while it has one thread. */
void vp_open_standard_streams(void);

/* A connected pair of SOCK_SEQPACKET sockets, both close-on-exec. */
int vp_socketpair(int pair[2]);

/* Sends one datagram with up to VP_MAX_FDS descriptors. No SIGPIPE. */
ssize_t vp_send(int socket, const void *bytes, size_t count, const int *fds, int fd_count);

/* Receives one datagram; blocks.
 * fds has room for *fd_count on entry, *fd_count are filled on return, all close-on-exec and owned by the
 * caller. A datagram or control part that does not fit is -EMSGSIZE and its descriptors are closed. 0 is the
 * end: the other side is gone. */
ssize_t vp_receive(int socket, void *bytes, size_t capacity, int *fds, int *fd_count);

/* Makes vp_receive on this socket answer -EAGAIN after so long, and vp_send, which waits only where the other end has left
 * very many messages unread. */
int vp_patience(int socket, int timeout_ms);

/* Waits until the socket can be read or the other side is gone: 1; 0 after timeout_ms (-1: for ever). */
int vp_wait_readable(int socket, int timeout_ms);

/* Starts a program. It gets `socket` as descriptor 3, /dev/null as 0 and 1, `stderr_fd` as 2 (-1: /dev/null),
 * nothing else; default signal handlers and an empty mask; a process group of its own, so that a Ctrl-C in the
 * terminal reaches the host only. Returns its pid. */
pid_t vp_spawn(const char *path, char *const argv[], char *const envp[], int socket, int stderr_fd);

/* How many threads this process has, or -errno where the system does not tell. */
int vp_thread_count(void);

/* What a fork of this process would share with it: the writable mappings that others see, and the descriptors above
 * `highest`. Or -errno where the system does not tell. */
int vp_shared_state(int highest);

/* Forks this process, which must have one thread. The new process is no child of this one but of this one's parent, who
 * is to reap it. 0 in the new process, its pid in the old one. What others registered with pthread_atfork is not called;
 * it would be of use to threads only. */
pid_t vp_fork_beside(void);

/* Whether a process is a child of this one that was not reaped yet. */
int vp_is_child(pid_t pid);

/* Ends this process as soon as the other side of a socket is gone, whatever the process does at that moment, by a
 * thread that waits for nothing else. As long as it waits, closing the socket does not tell the other side. Does
 * nothing when the descriptor is no socket. */
int vp_end_with_peer(int socket);

/* A pipe, both ends close-on-exec: pair[0] is read from. */
int vp_pipe(int pair[2]);

/* How a process ended, once it was reaped. */
typedef struct { int signal; int status; } vp_exit;

/* Reaps a child; blocks unless `poll` is set. 1: reaped, 0: still running (only with `poll`). */
int vp_reap(pid_t pid, int poll, vp_exit *how);

/* Processor time that a process has used so far, in milliseconds, or -errno. */
int64_t vp_processor_time(pid_t pid);

/* Ends this process with what its standard output and error still hold written, and without anything that libraries do at
 * an exit: they take away there what their other threads are using, such as OpenSSL under a connection that is just
 * being closed. What is to be removed or written must be by then. */
_Noreturn void vp_leave(int code);
