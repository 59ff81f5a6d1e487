#define _GNU_SOURCE
#include "vp_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int vp_sealed_memory(const char *name, size_t size) {
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return -errno;
    if (ftruncate(fd, (off_t)size) < 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
        int failure = errno;
        close(fd);
        return -failure;
    }
    return fd;
}

int vp_open_memory(pid_t pid) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int64_t memory_used(int memory, int of_its_own) {
    char text[128];
    ssize_t count = pread(memory, text, sizeof text - 1, 0);
    if (count <= 0) return count < 0 ? -errno : -ESRCH;
    text[count] = 0;
    long all = 0, shared = 0;
    if (sscanf(text, "%*d %ld %ld", &all, &shared) != 2) return -EIO;
    return (int64_t)(of_its_own ? all - shared : all) * sysconf(_SC_PAGESIZE);
}

int64_t vp_resident_memory(int memory) { return memory_used(memory, 0); }
int64_t vp_own_memory(int memory) { return memory_used(memory, 1); }

int vp_growing_memory(const char *name) {
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return fd < 0 ? -errno : fd;
}

int vp_finished_memory(int memory) {
    if (fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) < 0) return -errno;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

/* Where the heap began, or NULL. */
static char *heap_start;

/* To count free blocks may take at most one part of this many of a process's life. */
enum { COUNT_PART = 32 };

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void vp_return_memory(size_t above) {
    static _Atomic int64_t next_count;
    char *end = sbrk(0);
    /* Threads may have heaps of their own; few libraries use them for much. */
    size_t heap = heap_start ? (size_t)(end - heap_start) : PTRDIFF_MAX;
    if (heap <= above) return;
    if (heap > 4 * above) above /= 3;
    int64_t began = nanoseconds();
    if (began < next_count) return;
    if (mallinfo2().fordblks > above) malloc_trim(0);
    int64_t ended = nanoseconds();
    next_count = ended + (ended - began) * COUNT_PART;
}

void vp_keep_memory(int bytes) {
    heap_start = sbrk(0);
    mallopt(M_TRIM_THRESHOLD, bytes);
    mallopt(M_MMAP_THRESHOLD, bytes);
    /* Small free blocks join their neighbours at once, but for the few that each thread keeps by size. Otherwise every
     * block of 64 KiB that is freed, as one is for each line that PDFium draws, joins all small ones before it. */
    mallopt(M_MXFAST, 0);
}
