#define _GNU_SOURCE
#include "CPicture.h"
#include <dlfcn.h>

typedef int encode(int, const uint8_t *, int, int, int, uint8_t *, size_t, size_t *);
typedef int encode_loop(const uint8_t *, int, int, int, int, int, uint8_t *, size_t, size_t *);

static encode *picture;
static encode_loop *loop;

const char *cpicture_load_encoders(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library) {
        /* POSIX gives functions as data pointers. */
        *(void **)&picture = dlsym(library, "cencoders_encode_v1");
        *(void **)&loop = dlsym(library, "cencoders_encode_loop_v1");
        if (picture && loop) return NULL;
    }
    const char *reason = dlerror();
    return reason ? reason : "the loader gives no reason";
}

int cpicture_encode(
    int format, const uint8_t *rgba, int width, int height, int quality, uint8_t *memory, size_t capacity,
    size_t *length) {
    return picture(format, rgba, width, height, quality, memory, capacity, length);
}

int cpicture_encode_loop(
    const uint8_t *rgba, int count, int width, int height, int quality, int milliseconds, uint8_t *memory,
    size_t capacity, size_t *length) {
    return loop(rgba, count, width, height, quality, milliseconds, memory, capacity, length);
}
