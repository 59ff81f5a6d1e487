/* libraw: the camera's preview, which is a JPEG. Photographs without one are left out. */
#include <libraw/libraw.h>
#include <loop.h>
#include <pictures.h>

static int start(const char *scratch) {
    (void)scratch;
    return 1;
}

static int render(const char *path, int box, loop_picture *picture) {
    static libraw_data_t *raw;
    if (!raw) raw = libraw_init(0);
    int drawn = raw && libraw_open_file(raw, path) == LIBRAW_SUCCESS && libraw_unpack_thumb(raw) == LIBRAW_SUCCESS
        && raw->thumbnail.tformat == LIBRAW_THUMBNAIL_JPEG
        && loop_decode((const uint8_t *)raw->thumbnail.thumb, raw->thumbnail.tlength, box, picture);
    if (raw) libraw_recycle(raw);
    return drawn;
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    return loop_main(argc, argv, &library);
}
