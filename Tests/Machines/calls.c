/* The names of system calls that Containment uses, the filters that are made of them, and Landlock; a part of system.c. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../Sources/CPlatform/include/CPlatform.h"

/* Lists of names, as Containment has them: the program's arguments are `--core CALL… --threading CALL… --others CALL…`. */
typedef struct names {
    char *const *first;
    int count;
} names;

static names named(const char *list, int count, char *const *arguments) {
    names found = {arguments, 0};
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], list) != 0) continue;
        found.first = arguments + i + 1;
        while (i + 1 + found.count < count && arguments[i + 1 + found.count][0] != '-') found.count++;
    }
    return found;
}

/* Calls of x86-64 that newer machines do not have, and what the C library calls there instead. */
static const char *const replaced[][2] = {
    {"access", "faccessat"}, {"alarm", "setitimer"}, {"arch_prctl", "prctl"}, {"chmod", "fchmodat"},
    {"chown", "fchownat"}, {"creat", "openat"}, {"dup2", "dup3"}, {"epoll_create", "epoll_create1"},
    {"epoll_wait", "epoll_pwait"}, {"fork", "clone"}, {"futimesat", "utimensat"}, {"getpgrp", "getpgid"},
    {"lchown", "fchownat"}, {"link", "linkat"}, {"lstat", "newfstatat"}, {"mkdir", "mkdirat"}, {"mknod", "mknodat"},
    {"open", "openat"}, {"pause", "ppoll"}, {"pipe", "pipe2"}, {"poll", "ppoll"}, {"readlink", "readlinkat"},
    {"rename", "renameat"}, {"rmdir", "unlinkat"}, {"select", "pselect6"}, {"stat", "newfstatat"},
    {"symlink", "symlinkat"}, {"time", "clock_gettime"}, {"unlink", "unlinkat"}, {"utime", "utimensat"},
    {"utimes", "utimensat"}, {"vfork", "clone"},
};

static const char *replacement(const char *call) {
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
        if (strcmp(replaced[i][0], call) == 0) return replaced[i][1];
    return NULL;
}

/* Whether a call exists here, or one that takes its place and is named by one of the lists, too. */
static void try_name(const char *call, int count, char *const *arguments) {
    if (vp_call_number(call) >= 0) return;
    const char *instead = replacement(call);
    int is_named = 0;
    for (int i = 1; i < count && instead; i++) is_named = is_named || strcmp(arguments[i], instead) == 0;
    if (is_named && vp_call_number(instead) >= 0) return;
    fprintf(stderr, "system: no call that is named takes the place of %s here\n", call);
    failures++;
}

/* What every worker does, whatever it draws. */
static void *work_of_a_thread(void *socket) {
    void *much = malloc(8 << 20);
    ssize_t sent = much ? vp_send(*(int *)socket, "done", 4, NULL, 0) : -1;
    free(much);
    return sent == 4 ? socket : NULL;
}

static int first_failing_work(const int pair[2], int memory) {
    char bytes[8];
    struct stat status;
    struct timespec now;
    pthread_t thread;
    void *answer = NULL;
    if (pthread_create(&thread, NULL, work_of_a_thread, (void *)&pair[0]) || pthread_join(thread, &answer) || !answer) return 1;
    if (vp_wait_readable(pair[1], 1000) != 1 || vp_receive(pair[1], bytes, sizeof bytes, NULL, NULL) != 4) return 2;
    if (fstat(memory, &status) < 0 || lseek(memory, 0, SEEK_END) != status.st_size) return 3;
    if (pread(memory, bytes, 1, 0) != 1 || close(dup(memory)) < 0) return 4;
    if (alarm(1000) != 0 || alarm(0) == 0) return 5;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) < 0) return 6;
    if (vp_call(vp_call_number("ioctl"), -1, 0, 0, 0, 0) != -ENOTTY) return 7;
    if (fork() >= 0 || errno != EAGAIN) return 8;
    if (open("/", O_RDONLY) >= 0 || errno != EACCES) return 9;
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != ENOSYS ? 10 : 0;
}

/* The filter of a worker with threads and no files, as Containment builds it, and what a worker does under it. */
static void try_filter(names core, names threading) {
    int pair[2], memory = vp_growing_memory("file");
    vp_exit how;
    CHECK(vp_socketpair(pair) == 0 && write(memory, "content", 7) == 7);
    pid_t pid = fork();
    if (pid == 0) {
        uint64_t thread = VP_CLONE_THREAD | VP_CLONE_VM | VP_CLONE_SIGHAND;
        vp_filter *filter = vp_filter_new(ENOSYS);
        for (int i = 0; i < core.count; i++) vp_filter_rule(filter, VP_ALLOW, core.first[i]);
        for (int i = 0; i < threading.count; i++) vp_filter_rule(filter, VP_ALLOW, threading.first[i]);
        vp_filter_rule(filter, VP_ALLOW, "mmap");
        vp_filter_rule(filter, VP_ALLOW, "mprotect");
        vp_filter_rule(filter, EACCES, "openat");
        vp_filter_rule(filter, ENOTTY, "ioctl");
        vp_filter_rule_masked(filter, VP_ALLOW, "clone", 0, thread, thread);
        vp_filter_rule_masked(filter, EAGAIN, "clone", 0, VP_CLONE_THREAD, 0);
        vp_filter_rule_masked(filter, VP_ALLOW, "tgkill", 0, UINT64_MAX, (uint64_t)getpid());
        if (vp_forbid_dumps() < 0 || vp_forbid_privileges() < 0 || vp_filter_load(filter) < 0) _exit(77);
        vp_filter_free(filter);
        int step = first_failing_work(pair, memory);
        if (step) _exit(step);
        abort();
    }
    close(pair[0]);
    close(pair[1]);
    close(memory);
    CHECK(vp_reap(pid, 0, &how) == 1);
    if (how.status == 77)
        printf("system: left out: putting a filter in force, which this emulator cannot\n");
    else if (how.status || how.signal != SIGABRT)
        fprintf(stderr, "system: under a filter, step %d, signal %d\n", how.status, how.signal), failures++;
}

static void try_landlock(void) {
    int abi = vp_landlock_abi();
    if (abi < 1) {
        printf("system: left out: Landlock, which this system or emulator does not have\n");
        return;
    }
    vp_exit how;
    pid_t pid = fork();
    if (pid == 0) {
        int rules = vp_landlock_new(abi);
        if (rules < 0 || vp_landlock_allow(rules, abi, "/proc", VP_FILES_READ) < 0) _exit(1);
        if (vp_forbid_privileges() < 0 || vp_landlock_enforce(rules) < 0) _exit(2);
        _exit(vp_probe_open("/proc/self/stat") == 0 && vp_probe_open("/etc/passwd") == -EACCES ? 0 : 3);
    }
    CHECK(vp_reap(pid, 0, &how) == 1 && how.signal == 0 && how.status == 0);
}

void try_calls(int count, char *const *arguments) {
    for (int i = 1; i < count; i++)
        if (arguments[i][0] != '-') try_name(arguments[i], count, arguments);
    try_filter(named("--core", count, arguments), named("--threading", count, arguments));
    try_landlock();
}
