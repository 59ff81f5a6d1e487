/* Processes and descriptors: spawn, pass descriptors over a socket, sealed memory.
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

/* Memory of a fixed size that only this descriptor reaches; sealed against growing, shrinking and further
 * seals, so that a process that shares it cannot take pages away from one that reads it. */
int vp_sealed_memory(const char *name, size_t size);

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

/* Runs a command by /bin/sh -c. It gets `input` as descriptor 0, `output` as 1, this process's standard error, nothing
 * else; default handlers for what this process may ignore; with `own_group` a process group of its own. Returns its
 * pid. */
pid_t vp_spawn_shell(const char *command, int input, int output, int own_group);

/* A pipe, both ends close-on-exec: pair[0] is read from. */
int vp_pipe(int pair[2]);

/* How a process ended, once it was reaped. */
typedef struct { int signal; int status; } vp_exit;

/* Reaps a child; blocks unless `poll` is set. 1: reaped, 0: still running (only with `poll`). */
int vp_reap(pid_t pid, int poll, vp_exit *how);

/* Processor time that a process has used so far, in milliseconds, or -errno. */
int64_t vp_processor_time(pid_t pid);

/* Runs a program to its end. It starts in `folder`, with the descriptors 0, 1 and 2 of this process and no others. The
 * first process of a PID namespace then ends all that the program left behind in it. */
int vp_run(const char *path, char *const argv[], char *const envp[], const char *folder, vp_exit *how);

/* Resident memory in bytes of a process and all that descend from it, as far as the system shows them. */
int64_t vp_tree_memory(pid_t pid);

/* A descriptor that tells how much memory a process uses, for vp_resident_memory. Where /proc hides processes
 * (hidepid), one that gave up being dumpable cannot be opened any more; what was opened before goes on telling. */
int vp_open_memory(pid_t pid);

/* Resident memory of a process in bytes, 0 once it has ended, -ESRCH once it was reaped, or another -errno. */
int64_t vp_resident_memory(int memory);

/* What of it is the process's own: not of files and not shared. In bytes, 0 once it has ended, or -errno. */
int64_t vp_own_memory(int memory);

/* Memory that only this descriptor reaches and that grows as it is written. */
int vp_growing_memory(const char *name);

/* Makes such memory unchangeable, whoever gets hold of it and however it is opened anew, and opens it for reading, from its
 * start. Nothing may have it mapped for writing. Returns the new descriptor, or -errno; the old one stays open. */
int vp_finished_memory(int memory);

/* Gives free memory of the heap back to the system when there are more bytes of it than `above`, or than a third of that
 * once the heap is more than four times as large: who holds much keeps little beside it. glibc itself returns
 * only what lies at the heap's end, so that one large document would decide what a process holds from then on.
 * To count them takes a walk through all free blocks, up to milliseconds: it is left out as long as the whole heap is no
 * larger (after vp_keep_memory), and comes so seldom that it takes at most some three percent of the time.
 * May be called while other threads run. */
void vp_return_memory(size_t above);

/* Ends this process with what its standard output and error still hold written, and without anything that libraries do at
 * an exit: they take away there what their other threads are using, such as OpenSSL under a connection that is just
 * being closed. What is to be removed or written must be by then. */
_Noreturn void vp_leave(int code);

/* Lets the heap keep up to `bytes` of free memory at its end, and take blocks of up to that size from there. By default
 * glibc returns every block of 128 KiB at once, and a process that makes one picture after the other spends more on
 * getting zeroed pages again than on its work. To be called before there are other threads. */
void vp_keep_memory(int bytes);
