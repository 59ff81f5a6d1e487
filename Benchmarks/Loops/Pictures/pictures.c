#include "pictures.h"
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

int loop_jpeg(const uint8_t *bytes, size_t count, int box, double least, loop_picture *picture) {
    static tjhandle decoder;
    if (!decoder) decoder = tjInitDecompress();
    int width, height, sampling, space;
    if (tjDecompressHeader3(decoder, bytes, count, &width, &height, &sampling, &space) != 0) return 0;
    if (space == TJCS_CMYK || space == TJCS_YCCK) return 0;
    int divisor = 1, longest = width > height ? width : height;
    while (divisor < 8 && longest >= 2 * least * box * divisor) divisor *= 2;
    loop_picture whole = {NULL, 0, (width + divisor - 1) / divisor, (height + divisor - 1) / divisor, LOOP_RGBX};
    whole.stride = (size_t)whole.width * 4;
    whole.pixels = malloc(whole.stride * (size_t)whole.height);
    if (!whole.pixels) return 0;
    int status = tjDecompress2(
        decoder, bytes, count, whole.pixels, whole.width, (int)whole.stride, whole.height, TJPF_RGBX, 0);
    int drawn = (status == 0 || tjGetErrorCode(decoder) == TJERR_WARNING) && loop_scale(&whole, box, picture);
    free(whole.pixels);
    return drawn;
}

static int decode_png(const uint8_t *bytes, size_t count, int box, loop_picture *picture) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&image, bytes, count)) return 0;
    image.format = PNG_FORMAT_RGBA;
    loop_picture whole = {NULL, 0, (int)image.width, (int)image.height, LOOP_RGBA};
    whole.stride = (size_t)whole.width * 4;
    whole.pixels = malloc(PNG_IMAGE_SIZE(image));
    int drawn = whole.pixels && png_image_finish_read(&image, NULL, whole.pixels, 0, NULL)
        && loop_scale(&whole, box, picture);
    png_image_free(&image);
    free(whole.pixels);
    return drawn;
}

int loop_decode(const uint8_t *bytes, size_t count, int box, loop_picture *picture) {
    if (count > 8 && memcmp(bytes, "\xFF\xD8\xFF", 3) == 0) return loop_jpeg(bytes, count, box, 1, picture);
    if (count > 8 && memcmp(bytes, "\x89PNG", 4) == 0) return decode_png(bytes, count, box, picture);
    return 0;
}
