#include "CPicture.h"
#include <png.h>
#include <stdlib.h>
#include <string.h>

/* libpng's simplified interface handles every kind of PNG and needs no longjmp. */
cpicture_status cpicture_png_decode(
    const uint8_t *png, size_t length, size_t most, int *width, int *height, uint8_t **rgba) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, png, length)) return CPICTURE_LIBRARY;
    if (image.width < 1 || image.height < 1 || image.width > CPICTURE_MAX_SIDE
        || image.height > CPICTURE_MAX_SIDE || (size_t)image.width * image.height > most) {
        png_image_free(&image);
        return CPICTURE_BAD_SIZE;
    }
    image.format = PNG_FORMAT_RGBA;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    if (!pixels) {
        png_image_free(&image);
        return CPICTURE_NO_MEMORY;
    }
    if (!png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
        free(pixels);
        return CPICTURE_LIBRARY;
    }
    *width = (int)image.width;
    *height = (int)image.height;
    *rgba = pixels;
    return CPICTURE_DONE;
}
