#define _GNU_SOURCE
#include "vp_folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* nftw has no room for a context; the pool may look at several folders at once. */
static _Thread_local struct { int64_t entries, most, bytes; } usage;

static int count_one(const char *unused, const struct stat *status, int kind, struct FTW *walk) {
    (void)unused, (void)walk;
    if (kind != FTW_NS) usage.bytes += (int64_t)status->st_blocks * 512;
    /* What is in a folder that cannot be read nobody can count: it may be too much. */
    if (kind == FTW_DNR) usage.entries = usage.most - 1;
    return ++usage.entries >= usage.most;
}

int64_t vp_folder_usage(const char *path, int64_t most_entries, int64_t *bytes) {
    usage.entries = usage.bytes = 0;
    usage.most = most_entries;
    int result = nftw(path, count_one, 16, FTW_PHYS | FTW_MOUNT);
    *bytes = usage.bytes;
    return result < 0 ? -errno : usage.entries;
}

/* Folders deeper than this are moved up first, so that no tree is too deep to be removed. */
enum { DEEPEST = 200 };

/* A tree that is removed: its topmost folder, and how many folders were moved there. */
struct removal {
    int top;
    unsigned lifted;
};

/* Moves a folder to the top, where the next round removes it. */
static int lift(int parent, const char *name, struct removal *removal) {
    if (removal->top < 0) return -ELOOP;
    char place[32];
    for (int attempt = 0; attempt < 64; attempt++) {
        snprintf(place, sizeof place, ".deep-%u", removal->lifted++);
        if (renameat2(parent, name, removal->top, place, RENAME_NOREPLACE) == 0) return 0;
        if (errno != EEXIST) return -errno;
    }
    return -ELOOP;
}

static int remove_at(int parent, const char *name, dev_t volume, int depth, struct removal *removal) {
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT) return 0;
    if (depth > DEEPEST) return lift(parent, name, removal);
    enum { FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
    int folder = openat(parent, name, FLAGS);
    /* Made so that its owner cannot read it. */
    if (folder < 0 && errno == EACCES && fchmodat(parent, name, S_IRWXU, AT_SYMLINK_NOFOLLOW) == 0)
        folder = openat(parent, name, FLAGS);
    /* Somebody else was quicker. */
    if (folder < 0) return errno == ENOENT ? 0 : -errno;
    struct stat status;
    if (fstat(folder, &status) < 0 || (volume && status.st_dev != volume)) {
        close(folder);
        return -EXDEV;
    }
    /* Without these its files cannot be removed. Where that fails too, removing them says so. */
    if ((status.st_mode & S_IRWXU) != S_IRWXU) fchmod(folder, S_IRWXU);
    DIR *entries = fdopendir(folder);
    if (!entries) {
        int failure = errno;
        close(folder);
        return -failure;
    }
    int result = 0;
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        int failure = remove_at(folder, entry->d_name, status.st_dev, depth + 1, removal);
        if (failure) result = failure;
    }
    closedir(entries);
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return result;
    return result ? result : -errno;
}

int vp_remove_tree(const char *path) {
    struct removal removal = { .top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) };
    int result;
    unsigned before;
    do {
        before = removal.lifted;
        result = remove_at(AT_FDCWD, path, 0, 0, &removal);
    } while (result && removal.lifted > before);
    if (removal.top >= 0) close(removal.top);
    return result;
}

int vp_empty_folder(const char *path) {
    DIR *entries = opendir(path);
    if (!entries) return -errno;
    int result = 0;
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char name[4096];
        if (snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name) continue;
        int failure = vp_remove_tree(name);
        if (failure) result = failure;
    }
    closedir(entries);
    return result;
}
