/* Uses what the project's own C asks of the system: processes, descriptors, memory, folders, and the names of system calls.
 * What goes wrong is said, and then the exit status is 1. Its arguments: see calls.c. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../Plugins/Backends/Local/CFolderScan/shim.h"
#include "../../Sources/CPlatform/include/CPlatform.h"

int failures;

void fail(const char *file, int line, const char *what) {
    fprintf(stderr, "%s:%d: not so: %s (%s)\n", file, line, what, strerror(errno));
    failures++;
}

/* MARK: Processes */

static void try_messages(void) {
    int pair[2], fds[VP_MAX_FDS] = {0}, count = VP_MAX_FDS;
    char bytes[8];
    CHECK(vp_socketpair(pair) == 0);
    int memory = vp_growing_memory("sent");
    CHECK(write(memory, "picture", 7) == 7);
    CHECK(vp_send(pair[0], "hello", 5, (int[]){memory, memory, memory, memory}, VP_MAX_FDS) == 5);
    CHECK(vp_wait_readable(pair[1], 1000) == 1);
    CHECK(vp_receive(pair[1], bytes, sizeof bytes, fds, &count) == 5 && count == VP_MAX_FDS);
    CHECK(memcmp(bytes, "hello", 5) == 0 && pread(fds[3], bytes, 7, 0) == 7 && memcmp(bytes, "picture", 7) == 0);
    CHECK(vp_send(pair[0], "more than fits", 14, NULL, 0) == 14);
    count = 0;
    CHECK(vp_receive(pair[1], bytes, sizeof bytes, fds, &count) == -EMSGSIZE);
    CHECK(vp_patience(pair[1], 1) == 0 && vp_receive(pair[1], bytes, sizeof bytes, NULL, NULL) == -EAGAIN);
    for (int i = 0; i < VP_MAX_FDS; i++) close(fds[i]);
    close(memory);
    close(pair[0]);
    CHECK(vp_receive(pair[1], bytes, sizeof bytes, NULL, NULL) == 0);
    close(pair[1]);
}

static void try_programs(void) {
    int pair[2], ends[2];
    char bytes[8] = "";
    vp_exit how;
    CHECK(vp_socketpair(pair) == 0);
    char *const arguments[] = {"sh", "-c", "printf answer >&3; exit 7", NULL}, *const environment[] = {NULL};
    pid_t pid = vp_spawn("/bin/sh", arguments, environment, pair[1], -1);
    CHECK(pid > 0 && vp_is_child(pid) == 1);
    CHECK(vp_patience(pair[0], 60000) == 0);
    CHECK(vp_receive(pair[0], bytes, sizeof bytes, NULL, NULL) == 6 && memcmp(bytes, "answer", 6) == 0);
    CHECK(vp_reap(pid, 0, &how) == 1 && how.signal == 0 && how.status == 7);
    CHECK(vp_pipe(ends) == 0);
    pid = vp_spawn_shell("cat; kill -9 $$", ends[0], 2, 1);
    close(ends[0]);
    close(ends[1]);
    CHECK(pid > 0 && vp_reap(pid, 0, &how) == 1 && how.signal == SIGKILL);
    close(pair[0]);
    close(pair[1]);
}

/* A thread that the C library knows nothing of ends a process as soon as its peer is gone. */
static void try_ending_with_peer(void) {
    int pair[2];
    vp_exit how;
    CHECK(vp_socketpair(pair) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(pair[0]);
        if (vp_end_with_peer(pair[1]) != 0) _exit(1);
        vp_send(pair[1], "ready", 5, NULL, 0);
        for (;;) pause();
    }
    char bytes[8];
    close(pair[1]);
    CHECK(vp_patience(pair[0], 60000) == 0);
    CHECK(vp_receive(pair[0], bytes, sizeof bytes, NULL, NULL) == 5);
    close(pair[0]);
    CHECK(vp_reap(pid, 0, &how) == 1 && how.signal == 0 && how.status == 0);
}

/* The new process is a child of this one's parent, and knows its own number. */
static void try_forking_beside(void) {
    int ends[2];
    vp_exit how;
    CHECK(vp_pipe(ends) == 0);
    pid_t template = fork();
    if (template == 0) {
        pid_t pid = vp_fork_beside();
        if (pid == 0) {
            pid_t numbers[2] = {getpid(), gettid()};
            _exit(write(ends[1], numbers, sizeof numbers) == sizeof numbers ? 0 : 1);
        }
        _exit(write(ends[1], &pid, sizeof pid) == sizeof pid ? 0 : 1);
    }
    CHECK(vp_reap(template, 0, &how) == 1 && how.status == 0);
    close(ends[1]);
    pid_t told[4] = {0}, beside = 0;
    ssize_t bytes = 0, more;
    while ((more = read(ends[0], (char *)told + bytes, sizeof told - (size_t)bytes)) > 0) bytes += more;
    close(ends[0]);
    if (bytes == sizeof told[0] && told[0] == -EINVAL) {
        printf("system: left out: forking beside, which this emulator cannot\n");
        return;
    }
    CHECK(bytes == 3 * sizeof told[0]);
    beside = told[0] == told[1] || told[0] == told[2] ? told[0] : told[1];
    CHECK(told[0] == beside && told[1] == beside && told[2] == beside);
    CHECK(vp_reap(beside, 0, &how) == 1 && how.status == 0);
}

/* MARK: Memory */

static void try_memory(void) {
    int memory = vp_sealed_memory("sealed", 100000);
    CHECK(memory >= 0 && ftruncate(memory, 1) < 0 && errno == EPERM);
    close(memory);
    memory = vp_growing_memory("grown");
    CHECK(write(memory, "picture", 7) == 7);
    int finished = vp_finished_memory(memory);
    CHECK(finished >= 0 && write(memory, "x", 1) < 0 && errno == EPERM);
    close(finished);
    close(memory);
    vp_keep_memory(1 << 20);
    vp_return_memory(1 << 20);
    int used = vp_open_memory(getpid());
    CHECK(used >= 0 && vp_resident_memory(used) > 100000 && vp_own_memory(used) > 0);
    CHECK(vp_own_memory(used) <= vp_resident_memory(used));
    close(used);
    CHECK(vp_tree_memory(getpid()) > 100000);
    CHECK(vp_processor_time(getpid()) >= 0);
    CHECK(vp_thread_count() >= 1);
    CHECK(vp_shared_state(2) >= 0);
}

/* MARK: Folders */

static void try_folders(void) {
    char top[] = "/tmp/vitrine-system-XXXXXX", path[128], other[128];
    CHECK(mkdtemp(top) != NULL);
    int root = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(mkdirat(root, "folder", 0700) == 0 && symlinkat("file", root, "link") == 0);
    int file = openat(root, "file", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    CHECK(write(file, "content", 7) == 7);
    cfolderscan_write_back(file, 0, 7);
    CHECK(cfolderscan_file_system(file) != 0);
    close(file);

    static struct cfolderscan scan;
    struct cfolderscan_name found;
    uint64_t digest[2] = {0, 0}, device, inode;
    int files = 0, folders = 0, links = 0, answer;
    cfolderscan_start(&scan, root, 0);
    while ((answer = cfolderscan_next(&scan, &found)) == 1) {
        struct stat status;
        CHECK(found.is_known && fstatat(root, found.name, &status, AT_SYMLINK_NOFOLLOW) == 0);
        CHECK(found.mode == status.st_mode && found.inode == status.st_ino && found.device == status.st_dev);
        CHECK(found.size == status.st_size && found.seconds == status.st_mtim.tv_sec);
        files += S_ISREG(found.mode), folders += S_ISDIR(found.mode), links += S_ISLNK(found.mode);
        cfolderscan_digest_add(digest, &found);
    }
    CHECK(answer == 0 && files == 1 && folders == 1 && links == 1 && (digest[0] | digest[1]) != 0);
    CHECK(cfolderscan_identity(root, "", &device, &inode) == 0 && inode != 0);
    int below = cfolderscan_open_below(root, "file", O_RDONLY, 0);
    CHECK(below >= 0 && fcntl(below, F_GETFD) == FD_CLOEXEC);
    close(below);
    CHECK(cfolderscan_open_below(root, "folder", O_RDONLY | O_DIRECTORY, 0) >= 0);
    CHECK(cfolderscan_open_below(root, "file", O_RDONLY | O_DIRECTORY, 0) < 0 && errno == ENOTDIR);
    CHECK(cfolderscan_open_below(root, "link", O_RDONLY, 0) < 0 && errno == ELOOP);
    CHECK(cfolderscan_open_below(root, "../etc", O_RDONLY, 0) < 0 && errno == EXDEV);
    CHECK(cfolderscan_rename_if_absent(root, "file", "link") < 0 && errno == EEXIST);
    CHECK(cfolderscan_rename_if_absent(root, "file", "new") == 0);

    snprintf(path, sizeof path, "%s/new", top);
    snprintf(other, sizeof other, "%s/folder/newer", top);
    CHECK(vp_rename_new(path, other) == 0 && vp_rename_new(top, other) == -EEXIST);
    int64_t bytes = 0;
    CHECK(vp_folder_usage(top, 100, &bytes) == 4 && bytes >= 0);
    CHECK(vp_empty_folder(top) == 0 && vp_folder_usage(top, 100, &bytes) == 1);
    CHECK(vp_remove_tree(top) == 0 && access(top, F_OK) < 0);
    close(root);
}

int main(int count, char **arguments) {
    try_messages();
    try_programs();
    try_ending_with_peer();
    try_forking_beside();
    try_memory();
    try_folders();
    try_calls(count, arguments);
    return failures > 0;
}
