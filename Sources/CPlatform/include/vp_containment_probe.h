/* Probes: harmless attempts, to see which layer answers. Returns as those of vp_containment.h. */
#pragma once
#include <stdint.h>

/* Makes a system call and returns what it returned, or -errno. */
long vp_call(long number, long a, long b, long c, long d, long e);

/* Opens a path for reading and closes it again. */
int vp_probe_open(const char *path);

/* Looks for a way to 127.0.0.1 without sending anything: -ENETUNREACH in an empty network namespace. */
int vp_probe_route(void);

/* Binds a TCP socket to no port in particular and closes it: -EACCES under Landlock. */
int vp_probe_tcp(void);

/* Maps `size` bytes without access and unmaps them. */
int vp_probe_map(uint64_t size);

/* Whether descriptor numbers from `first` on can be had. */
int vp_probe_descriptor(int first);
