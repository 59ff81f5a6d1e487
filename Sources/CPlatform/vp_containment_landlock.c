/* Landlock through its system calls: the C library has no wrappers, and the headers of a stable distribution
 * are older than the kernels that it meets. Numbers and bits are the kernel's, Documentation/userspace-api/
 * landlock.rst and include/uapi/linux/landlock.h; the comments name the version that brought them. */
#define _GNU_SOURCE
#include "vp_containment_landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset /* the same on every architecture */
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum { RULE_PATH_BENEATH = 1, CREATE_RULESET_VERSION = 1 };

#define BIT(n) (UINT64_C(1) << (n))
enum {
    EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE, MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK,
    MAKE_FIFO, MAKE_BLOCK, MAKE_SYM, /* version 1 */
    REFER,                           /* 2 */
    TRUNCATE,                        /* 3 */
    IOCTL_DEV                        /* 5 */
};
#define BIND_TCP BIT(0)        /* 4 */
#define CONNECT_TCP BIT(1)     /* 4 */
#define SCOPE_ABSTRACT BIT(0)  /* 6 */
#define SCOPE_SIGNAL BIT(1)    /* 6 */

struct ruleset_attr { uint64_t files, network, scoped; };
struct path_beneath_attr { uint64_t allowed; int32_t parent; } __attribute__((packed));

static uint64_t known_files(int abi) {
    uint64_t bits = BIT(MAKE_SYM + 1) - 1;
    if (abi >= 2) bits |= BIT(REFER);
    if (abi >= 3) bits |= BIT(TRUNCATE);
    if (abi >= 5) bits |= BIT(IOCTL_DEV);
    return bits;
}

int vp_landlock_abi(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    return version < 0 ? -errno : (int)version;
}

int vp_landlock_new(int abi) {
    struct ruleset_attr attributes = { .files = known_files(abi) };
    size_t size = sizeof attributes.files;
    if (abi >= 4) {
        attributes.network = BIND_TCP | CONNECT_TCP;
        size += sizeof attributes.network;
    }
    if (abi >= 6) {
        attributes.scoped = SCOPE_ABSTRACT | SCOPE_SIGNAL;
        size += sizeof attributes.scoped;
    }
    long ruleset = syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    return ruleset < 0 ? -errno : (int)ruleset;
}

int vp_landlock_allow(int ruleset, int abi, const char *path, int access) {
    uint64_t wanted = BIT(READ_FILE) | BIT(READ_DIR);
    switch (access) {
    case VP_FILES_READ: break;
    case VP_FILES_RUN: wanted |= BIT(EXECUTE); break;
    case VP_FILES_WRITE:
        wanted |= BIT(WRITE_FILE) | BIT(REMOVE_DIR) | BIT(REMOVE_FILE) | BIT(MAKE_DIR) | BIT(MAKE_REG) | BIT(MAKE_SYM)
            | BIT(REFER) | BIT(TRUNCATE);
        break;
    case VP_FILES_DEVICE: wanted = BIT(READ_FILE) | BIT(WRITE_FILE); break;
    default: return -EINVAL;
    }
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return -errno;
    struct stat status;
    /* Rights that only a folder can have are refused for a file. */
    if (fstat(fd, &status) == 0 && !S_ISDIR(status.st_mode))
        wanted &= BIT(EXECUTE) | BIT(WRITE_FILE) | BIT(READ_FILE) | BIT(TRUNCATE) | BIT(IOCTL_DEV);
    struct path_beneath_attr rule = { .allowed = wanted & known_files(abi), .parent = fd };
    int answer = syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) < 0 ? -errno : 0;
    close(fd);
    return answer;
}

int vp_landlock_enforce(int ruleset) {
    return syscall(SYS_landlock_restrict_self, ruleset, 0) < 0 ? -errno : 0;
}
