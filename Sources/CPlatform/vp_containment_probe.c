#define _GNU_SOURCE
#include "vp_containment_probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static int close_and_answer(int fd, int answer) {
    close(fd);
    return answer;
}

long vp_call(long number, long a, long b, long c, long d, long e) {
    long answer = syscall(number, a, b, c, d, e, 0L);
    return answer < 0 ? -errno : answer;
}

int vp_probe_open(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return fd < 0 ? -errno : close_and_answer(fd, 0);
}

int vp_probe_route(void) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    /* Connecting a datagram socket looks for a route and sends nothing. Port 9 is "discard". */
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return close_and_answer(fd, connect(fd, (const struct sockaddr *)&to, sizeof to) < 0 ? -errno : 0);
}

int vp_probe_tcp(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    struct sockaddr_in any = { .sin_family = AF_INET };
    return close_and_answer(fd, bind(fd, (const struct sockaddr *)&any, sizeof any) < 0 ? -errno : 0);
}

int vp_probe_map(uint64_t size) {
    void *map = mmap(NULL, (size_t)size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) return -errno;
    munmap(map, (size_t)size);
    return 0;
}

int vp_probe_descriptor(int first) {
    int fd = fcntl(0, F_DUPFD_CLOEXEC, first);
    return fd < 0 ? -errno : close_and_answer(fd, 0);
}
