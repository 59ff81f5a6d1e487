#pragma once
/* Starting a program that ends with the thread that started it: posix_spawn(3) cannot ask for that. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH 010000000
#endif

/* A descriptor that stands for a socket in a folder, by which it is reached in /proc/self/fd when it has no name any more; -1
 * when it is not there. */
static inline int cdaemon_find(const char *path) { return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC); }

/* Starts a program with its output in a file and no other descriptors of this process. Nothing that is called between
 * fork and exec takes a lock. Returns the process, or -1 with errno set; a program that cannot be run ends with 127. */
static inline pid_t cdaemon_start(const char *path, char *const arguments[], char *const environment[], int output) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child != 0) {
        int reason = errno;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        errno = reason;
        return child;
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    /* It may have died before. */
    if (getppid() != parent) _exit(127);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) _exit(127);
    syscall(SYS_close_range, 3u, ~0u, 0u);
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    execve(path, arguments, environment);
    _exit(127);
}
