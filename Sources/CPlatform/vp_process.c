#define _GNU_SOURCE
#include "vp_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef union {
    char bytes[CMSG_SPACE(sizeof(int) * VP_MAX_FDS)];
    struct cmsghdr align;
} control;

void vp_open_standard_streams(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) {
            /* The lowest free number is taken, which is this one. */
            int opened = open("/dev/null", O_RDWR);
            if (opened >= 0 && opened != fd) close(opened);
        }
}

int vp_socketpair(int pair[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0 ? -errno : 0;
}

ssize_t vp_send(int socket, const void *bytes, size_t count, const int *fds, int fd_count) {
    if (fd_count < 0 || fd_count > VP_MAX_FDS) return -EINVAL;
    struct iovec io = { (void *)bytes, count };
    control room;
    struct msghdr message = { .msg_iov = &io, .msg_iovlen = 1 };
    if (fd_count > 0) {
        memset(&room, 0, sizeof room);
        message.msg_control = room.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)fd_count);
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)fd_count);
        memcpy(CMSG_DATA(head), fds, sizeof(int) * (size_t)fd_count);
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL); while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

ssize_t vp_receive(int socket, void *bytes, size_t capacity, int *fds, int *fd_count) {
    struct iovec io = { bytes, capacity };
    control room;
    struct msghdr message = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room,
    };
    int wanted = fd_count ? *fd_count : 0, got = 0;
    if (fd_count) *fd_count = 0;
    ssize_t received;
    do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC); while (received < 0 && errno == EINTR);
    if (received < 0) return -errno;
    int overflow = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(head) + i * sizeof(int), sizeof fd);
            if (got < wanted) {
                fds[got++] = fd;
            } else {
                close(fd);
                overflow = 1;
            }
        }
    }
    if (overflow) {
        for (int i = 0; i < got; i++) close(fds[i]);
        return -EMSGSIZE;
    }
    if (fd_count) *fd_count = got;
    return received;
}

int vp_patience(int socket, int timeout_ms) {
    struct timeval patience = { .tv_sec = timeout_ms / 1000, .tv_usec = timeout_ms % 1000 * 1000 };
    if (setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0) return -errno;
    return setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) < 0 ? -errno : 0;
}

int vp_wait_readable(int socket, int timeout_ms) {
    struct pollfd wait = { .fd = socket, .events = POLLIN };
    int ready = poll(&wait, 1, timeout_ms);
    if (ready < 0) return -errno;
    return ready > 0;
}

pid_t vp_spawn(const char *path, char *const argv[], char *const envp[], int socket, int stderr_fd) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure) return -failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure) {
        posix_spawn_file_actions_destroy(&actions);
        return -failure;
    }
    /* Sources of dup2 that lie on a target's number would be overwritten: lift them first. */
    int lifted_socket = fcntl(socket, F_DUPFD_CLOEXEC, 10);
    int lifted_stderr = stderr_fd < 0 ? -1 : fcntl(stderr_fd, F_DUPFD_CLOEXEC, 10);
    if (lifted_socket < 0 || (stderr_fd >= 0 && lifted_stderr < 0)) failure = errno;
    sigset_t every, none;
    sigfillset(&every);
    sigemptyset(&none);
    pid_t pid = -1;
    if (!failure) failure = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (!failure)
        failure = lifted_stderr < 0 ? posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
                                    : posix_spawn_file_actions_adddup2(&actions, lifted_stderr, 2);
    if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, lifted_socket, 3);
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    if (!failure) failure = posix_spawnattr_setsigdefault(&attributes, &every);
    if (!failure) failure = posix_spawnattr_setsigmask(&attributes, &none);
    if (!failure) failure = posix_spawnattr_setpgroup(&attributes, 0);
    if (!failure)
        failure = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    if (!failure) failure = posix_spawn(&pid, path, &actions, &attributes, argv, envp);
    if (lifted_socket >= 0) close(lifted_socket);
    if (lifted_stderr >= 0) close(lifted_stderr);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure ? -failure : pid;
}

int vp_thread_count(void) {
    /* Every thread is a folder in there, and each of them has a link to the one above, as has the folder itself. */
    struct stat tasks;
    if (stat("/proc/self/task", &tasks) < 0) return -errno;
    return (int)tasks.st_nlink - 2;
}

int vp_shared_state(int highest) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return -errno;
    int count = 0;
    char line[512], rights[8];
    /* A line may be longer; what follows its beginning does not look like one. */
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%*x-%*x %7s", rights) == 1 && rights[1] == 'w' && rights[3] == 's') count++;
    fclose(maps);
    DIR *open = opendir("/proc/self/fd");
    if (!open) return -errno;
    for (struct dirent *entry; (entry = readdir(open));) {
        int fd = atoi(entry->d_name);
        if (fd > highest && fd != dirfd(open)) count++;
    }
    closedir(open);
    return count;
}

pid_t vp_fork_beside(void) {
    /* Where the C library keeps this thread's id, which the kernel is to correct in the new process. */
    int *own_id = NULL;
    unsigned long flags = CLONE_PARENT | SIGCHLD;
    if (prctl(PR_GET_TID_ADDRESS, &own_id) == 0 && own_id) flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
#if defined(__x86_64__)
    long pid = syscall(SYS_clone, flags, NULL, NULL, own_id, NULL);
#else
    long pid = syscall(SYS_clone, flags, NULL, NULL, NULL, own_id);
#endif
    return pid < 0 ? -errno : (pid_t)pid;
}

int vp_is_child(pid_t pid) {
    siginfo_t unused;
    return pid > 0 && waitid(P_PID, (id_t)pid, &unused, WEXITED | WNOHANG | WNOWAIT) == 0;
}

int vp_pipe(int pair[2]) { return pipe2(pair, O_CLOEXEC) < 0 ? -errno : 0; }

struct watch {
    int socket;
    sem_t started;
};

static int wait_for_end(void *argument) {
    struct watch *watch = argument;
    struct pollfd peer = { .fd = watch->socket, .events = 0 };
    sem_post(&watch->started);
    /* No signal comes here: it returns when the other side is gone, or the descriptor is of no use. */
    if (poll(&peer, 1, -1) > 0 && (peer.revents & POLLHUP)) _exit(0);
    return 0;
}

int vp_end_with_peer(int socket) {
    struct stat status;
    if (fstat(socket, &status) < 0 || !S_ISSOCK(status.st_mode)) return 0;
    size_t room = 64 << 10;
    char *stack = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return -errno;
    static struct watch watch;
    watch.socket = socket;
    sem_init(&watch.started, 0, 0);
    sigset_t every, before;
    sigfillset(&every);
    sigprocmask(SIG_SETMASK, &every, &before);
    /* Not pthread_create: a process that the C library knows to have two threads pays for locks in every allocation,
     * some three percent of the time that it takes to draw a page. This one calls nothing that would notice. */
    int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    int failure = clone(wait_for_end, stack + room, flags, &watch) < 0 ? errno : 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    /* A thread that starts makes calls that the process may soon give up. */
    while (!failure && sem_wait(&watch.started) < 0) continue;
    if (failure) munmap(stack, room);
    return -failure;
}

void vp_leave(int code) {
    fflush(stdout);
    fflush(stderr);
    _exit(code);
}

int vp_reap(pid_t pid, int poll, vp_exit *how) {
    int status;
    pid_t reaped;
    do reaped = waitpid(pid, &status, poll ? WNOHANG : 0); while (reaped < 0 && errno == EINTR);
    if (reaped < 0) return -errno;
    if (reaped == 0) return 0;
    how->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    how->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return 1;
}

int64_t vp_processor_time(pid_t pid) {
    /* The clock of a process as clock_getres(2) describes it; clock_getcpuclockid would ask the kernel once more. */
    clockid_t clock = (clockid_t)(~(unsigned)pid << 3 | 2);
    struct timespec used;
    if (clock_gettime(clock, &used) < 0) return errno == EINVAL ? -ESRCH : -errno;
    return (int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}
