#pragma once
#include <errno.h>
#include <linux/stat.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

// Neither fcntl.h nor sys/stat.h: `struct stat` would belong to this module for some files and to Glibc for others.

// Reads a folder with getdents64(2) and statx(2): a quarter of a million names a second and core, with nothing
// allocated for a name.

// From linux/fcntl.h, which does not go together with the C library's.
#define CFOLDERSCAN_SYMLINK_NOFOLLOW 0x100
#define CFOLDERSCAN_NO_AUTOMOUNT 0x800
#define CFOLDERSCAN_EMPTY_PATH 0x1000
#define CFOLDERSCAN_DONT_SYNC 0x4000
#define CFOLDERSCAN_CLOEXEC 02000000

/// A folder that is being read.
struct cfolderscan {
    /// Open for reading; of whoever set it.
    int folder;
    /// Whether links are looked through.
    int follows_links;
    long filled, at;
    _Alignas(8) char buffer[1 << 16];
};

/// A name that was found. The name lies in the scan's buffer until the next call.
struct cfolderscan_name {
    const char *name;
    uint32_t length;
    /// DT_REG and so on, for what cannot be looked at.
    uint8_t type;
    /// Whether the rest is known.
    uint8_t is_known;
    uint16_t mode;
    uint32_t nanoseconds;
    int64_t seconds;
    int64_t size;
    uint64_t inode;
    uint64_t device;
};

/// As linux/dirent.h has it in the kernel; the C library's own is the same on 64-bit machines.
struct cfolderscan_record {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[];
};

static inline void cfolderscan_start(struct cfolderscan *scan, int folder, int follows_links) {
    scan->folder = folder;
    scan->follows_links = follows_links;
    scan->filled = scan->at = 0;
}

/// Begins again at the first name. Returns -1 with errno set when that fails.
static inline int cfolderscan_rewind(struct cfolderscan *scan) {
    scan->filled = scan->at = 0;
    return lseek(scan->folder, 0, SEEK_SET) < 0 ? -1 : 0;
}

static inline int cfolderscan_look(const struct cfolderscan *scan, struct cfolderscan_name *found, int flags) {
    struct statx status;
    // What a network file system remembers is good enough to tell that nothing changed.
    if (syscall(SYS_statx, scan->folder, found->name, flags | CFOLDERSCAN_DONT_SYNC | CFOLDERSCAN_NO_AUTOMOUNT,
                STATX_TYPE | STATX_MODE | STATX_MTIME | STATX_INO | STATX_SIZE, &status) != 0)
        return -1;
    found->is_known = 1;
    found->mode = status.stx_mode;
    found->size = (int64_t)status.stx_size;
    found->seconds = status.stx_mtime.tv_sec;
    found->nanoseconds = status.stx_mtime.tv_nsec;
    found->inode = status.stx_ino;
    found->device = makedev(status.stx_dev_major, status.stx_dev_minor);
    return 0;
}

/// Which folder an absolute path leads to, or, with an empty path, an open folder is. What is known is told, without asking a
/// server. Returns -1 with errno set.
static inline int cfolderscan_identity(int folder, const char *path, uint64_t *device, uint64_t *inode) {
    struct statx status;
    if (syscall(SYS_statx, folder, path, CFOLDERSCAN_EMPTY_PATH | CFOLDERSCAN_DONT_SYNC | CFOLDERSCAN_NO_AUTOMOUNT,
                STATX_INO, &status) != 0)
        return -1;
    *device = makedev(status.stx_dev_major, status.stx_dev_minor);
    *inode = status.stx_ino;
    return 0;
}

/// The next name but `.` and `..`; what was deleted meanwhile is left out.
/// Returns 1 for a name, 0 at the end, -1 with errno set when the listing broke off.
static inline int cfolderscan_next(struct cfolderscan *scan, struct cfolderscan_name *found) {
    for (;;) {
        if (scan->at >= scan->filled) {
            scan->at = 0;
            scan->filled = syscall(SYS_getdents64, scan->folder, scan->buffer, sizeof scan->buffer);
            if (scan->filled <= 0) return scan->filled < 0 ? -1 : 0;
        }
        const struct cfolderscan_record *record = (const struct cfolderscan_record *)(scan->buffer + scan->at);
        scan->at += record->length;
        const char *name = record->name;
        if (name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0))) continue;
        memset(found, 0, sizeof *found);
        found->name = name;
        found->length = (uint32_t)strlen(name);
        found->type = record->type;
        // A link whose target is gone is looked at itself.
        if (scan->follows_links && cfolderscan_look(scan, found, 0) == 0) return 1;
        if (cfolderscan_look(scan, found, CFOLDERSCAN_SYMLINK_NOFOLLOW) == 0) return 1;
        if (errno != ENOENT) return 1;
    }
}

/// Adds a name and what it is to a digest of 128 bits that does not depend on the order of names.
///
/// Of files everything counts that changes with their content, of folders and links only what they are: a folder's
/// time changes with what is in it, which is its own digest's business. Permissions count.
static inline void cfolderscan_digest_add(uint64_t digest[2], const struct cfolderscan_name *found) {
    struct {
        uint64_t mode, inode, device, size, seconds, nanoseconds;
        char name[256];
    } text;
    int is_file = found->is_known && (found->mode & 0170000) == 0100000;
    size_t length = found->length < sizeof text.name ? found->length : sizeof text.name;
    text.mode = found->is_known ? found->mode : (uint64_t)found->type << 32;
    text.inode = found->inode;
    text.device = found->device;
    text.size = is_file ? (uint64_t)found->size : 0;
    text.seconds = is_file ? (uint64_t)found->seconds : 0;
    text.nanoseconds = is_file ? found->nanoseconds : 0;
    memcpy(text.name, found->name, length);
    XXH128_hash_t hash = XXH3_128bits(&text, sizeof text - sizeof text.name + length);
    digest[0] += hash.low64;
    digest[1] += hash.high64;
}

/// Opens what lies below a folder in one call: openat2(2), from linux/openat2.h. No link on the way is followed, and one at
/// its end is opened itself or refused, as the flags say.
/// Returns -1 with errno set when that is not so easy: the caller goes step by step then, and finds out what is in the way.
static inline int cfolderscan_open_below(int root, const char *path, int flags, int crosses_mounts) {
    struct {
        uint64_t flags, mode, resolve;
    } how = {
        .flags = (uint64_t)flags | CFOLDERSCAN_CLOEXEC,
        // RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH, and RESOLVE_NO_XDEV.
        .resolve = 0x02 | 0x04 | 0x08 | (crosses_mounts ? 0 : 0x01),
    };
    return (int)syscall(437, root, path, &how, sizeof how);
}

/// The magic number of the file system that a descriptor lies on, as linux/magic.h lists them; 0 if it is not known.
static inline uint32_t cfolderscan_file_system(int descriptor) {
    struct statfs status;
    return fstatfs(descriptor, &status) == 0 ? (uint32_t)status.f_type : 0;
}

/// Renames in a folder, unless something has the new name: renameat2(2) with RENAME_NOREPLACE, from linux/fs.h.
static inline int cfolderscan_rename_if_absent(int folder, const char *old_name, const char *new_name) {
    return (int)syscall(SYS_renameat2, folder, old_name, folder, new_name, 1u);
}

/// Writes a range of a file to the disk and waits for it, so that not all of a large one is left for the end:
/// sync_file_range(2) with all of its flags. Where it is not known, nothing is lost.
static inline void cfolderscan_write_back(int file, int64_t offset, int64_t count) {
    syscall(SYS_sync_file_range, file, offset, count, 7u);
}
