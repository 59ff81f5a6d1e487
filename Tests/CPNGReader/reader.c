#include "CPNGReader.h"
#include <png.h>
#include <string.h>

static int begin(png_image *image, const uint8_t *png, size_t length) {
    memset(image, 0, sizeof *image);
    image->version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(image, png, length)) return -1;
    image->format = PNG_FORMAT_RGBA;
    return 0;
}

int cpngreader_size(const uint8_t *png, size_t length, int *width, int *height) {
    png_image image;
    if (begin(&image, png, length)) return -1;
    *width = (int)image.width;
    *height = (int)image.height;
    png_image_free(&image);
    return 0;
}

int cpngreader_pixels(const uint8_t *png, size_t length, uint8_t *rgba, size_t capacity) {
    png_image image;
    if (begin(&image, png, length)) return -1;
    if (PNG_IMAGE_SIZE(image) > capacity) {
        png_image_free(&image);
        return -1;
    }
    if (!png_image_finish_read(&image, NULL, rgba, 0, NULL)) return -1;
    return image.warning_or_error ? -1 : 0;
}
