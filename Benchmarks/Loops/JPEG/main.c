/* libjpeg-turbo: decoded at a half, a quarter or an eighth where that is still half as large again as wanted. It does not
 * turn pictures as cameras held them, and knows no colour profiles. */
#include <loop.h>
#include <pictures.h>

static int start(const char *scratch) {
    (void)scratch;
    return 1;
}

static int render(const char *path, int box, loop_picture *picture) {
    size_t count;
    const uint8_t *bytes = loop_map(path, &count);
    int drawn = bytes && loop_jpeg(bytes, count, box, 1.5, picture);
    loop_unmap(bytes, count);
    return drawn;
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    return loop_main(argc, argv, &library);
}
