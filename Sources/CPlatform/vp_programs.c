#define _GNU_SOURCE
#include "vp_programs.h"
#include "vp_memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

pid_t vp_spawn_shell(const char *command, int input, int output, int own_group) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure) return -failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure) {
        posix_spawn_file_actions_destroy(&actions);
        return -failure;
    }
    /* What this program ignores, the command would ignore, too. */
    sigset_t standard;
    sigemptyset(&standard);
    sigaddset(&standard, SIGINT);
    sigaddset(&standard, SIGQUIT);
    sigaddset(&standard, SIGPIPE);
    sigaddset(&standard, SIGXFSZ);
    char *const words[] = { "sh", "-c", (char *)command, NULL };
    pid_t pid = -1;
    failure = posix_spawn_file_actions_adddup2(&actions, input, 0);
    if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (!failure) failure = posix_spawnattr_setsigdefault(&attributes, &standard);
    if (!failure) failure = posix_spawnattr_setpgroup(&attributes, 0);
    if (!failure)
        failure = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGDEF | (own_group ? POSIX_SPAWN_SETPGROUP : 0));
    if (!failure) failure = posix_spawn(&pid, "/bin/sh", &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure ? -failure : pid;
}

int vp_run(const char *path, char *const argv[], char *const envp[], const char *folder, vp_exit *how) {
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure) return -failure;
    pid_t pid = -1;
    failure = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (!failure) failure = posix_spawn(&pid, path, &actions, NULL, argv, envp);
    posix_spawn_file_actions_destroy(&actions);
    if (failure) return -failure;
    int status = 0;
    pid_t ended;
    do ended = waitpid(-1, &status, 0); while (ended != pid && (ended > 0 || errno == EINTR));
    int lost = ended == pid ? 0 : -errno;
    how->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    how->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (getpid() == 1) {
        kill(-1, SIGKILL);
        while (waitpid(-1, &status, 0) > 0 || errno == EINTR) continue;
    }
    return lost;
}

/* The most processes and threads that are looked at: nobody has more of them by right. */
enum { MOST_TASKS = 4096, MOST_CHILDREN = 256 };

static int64_t memory_of(pid_t pid) {
    int file = vp_open_memory(pid);
    if (file < 0) return 0;
    int64_t bytes = vp_resident_memory(file);
    close(file);
    return bytes < 0 ? 0 : bytes;
}

/* The children of a process's threads, up to `most` of them. Nothing stays open: a chain of processes would use up the
 * caller's descriptors. */
static int children_of(pid_t pid, int *tasks, pid_t *children, int most) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    if (!threads) return 0;
    int count = 0;
    for (struct dirent *thread; (thread = readdir(threads)) && ++*tasks < MOST_TASKS;) {
        if (thread->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.16s/children", (int)pid, thread->d_name);
        FILE *list = fopen(path, "re");
        if (!list) continue;
        for (int child; count < most && fscanf(list, "%d", &child) == 1;) children[count++] = child;
        fclose(list);
    }
    closedir(threads);
    return count;
}

static int64_t add_tree(pid_t pid, int *tasks) {
    int64_t bytes = memory_of(pid);
    pid_t children[MOST_CHILDREN];
    int count = children_of(pid, tasks, children, MOST_CHILDREN);
    for (int i = 0; i < count && *tasks < MOST_TASKS; i++) bytes += add_tree(children[i], tasks);
    return bytes;
}

int64_t vp_tree_memory(pid_t pid) {
    int tasks = 0;
    return add_tree(pid, &tasks);
}
