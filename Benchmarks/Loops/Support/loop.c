#include "loop.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int loop_fit(double width, double height, int box, int enlarging, int *fitted_width, int *fitted_height) {
    if (!(width > 0) || !(height > 0) || !isfinite(width) || !isfinite(height)) return 0;
    double scale = box / fmax(width, height);
    if (!enlarging && scale > 1) scale = 1;
    *fitted_width = (int)fmax(1, round(width * scale));
    *fitted_height = (int)fmax(1, round(height * scale));
    return 1;
}

typedef struct output {
    uint8_t *bytes;
    size_t used, capacity;
} output;

static void collect(png_structp png, png_bytep bytes, size_t count) {
    output *to = png_get_io_ptr(png);
    if (to->used + count > to->capacity) {
        size_t capacity = (to->used + count) * 2;
        uint8_t *grown = realloc(to->bytes, capacity);
        if (!grown) png_error(png, "no memory");
        to->bytes = grown;
        to->capacity = capacity;
    }
    memcpy(to->bytes + to->used, bytes, count);
    to->used += count;
}

static void flush_nothing(png_structp png) { (void)png; }

/* The same pixels as the cache's entries have: R, G, B, A. */
static void make_rgba(loop_picture *picture) {
    if (picture->format == LOOP_RGBA) return;
    for (int y = 0; y < picture->height; y++) {
        uint8_t *pixel = picture->pixels + (size_t)y * picture->stride;
        for (int x = 0; x < picture->width; x++, pixel += 4) {
            uint8_t blue = pixel[0], green = pixel[1], red = pixel[2];
            uint8_t alpha = picture->format == LOOP_BGRX ? 255 : pixel[3];
            if (alpha != 0 && alpha != 255) {
                red = (uint8_t)((red * 255 + alpha / 2) / alpha);
                green = (uint8_t)((green * 255 + alpha / 2) / alpha);
                blue = (uint8_t)((blue * 255 + alpha / 2) / alpha);
            }
            pixel[0] = red;
            pixel[1] = green;
            pixel[2] = blue;
            pixel[3] = alpha;
        }
    }
    picture->format = LOOP_RGBA;
}

/* Level 1 with the SUB filter, as Vitrine encodes. */
static int encode(loop_picture *picture, output *to) {
    make_rgba(picture);
    to->used = 0;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return 0;
    }
    png_set_write_fn(png, to, collect, flush_nothing);
    png_set_IHDR(
        png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8, PNG_COLOR_TYPE_RGBA,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 1);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_write_info(png, info);
    for (int y = 0; y < picture->height; y++) png_write_row(png, picture->pixels + (size_t)y * picture->stride);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return 1;
}

int loop_main(int argc, char **argv, const loop *library) {
    int box = argc == 3 ? atoi(argv[1]) : 0;
    if (box < 1) {
        fprintf(stderr, "usage: %s BOX SCRATCH-FOLDER < NAMES\n", argv[0]);
        return 2;
    }
    if (!library->start(argv[2])) return 1;
    output to = {NULL, 0, 0};
    char *name = NULL;
    size_t room = 0;
    while (getdelim(&name, &room, 0, stdin) > 1) {
        loop_picture picture = {NULL, 0, 0, 0, LOOP_RGBA};
        int done = library->render(name, box, &picture) && encode(&picture, &to);
        free(picture.pixels);
        if (write(STDOUT_FILENO, done ? "+" : "-", 1) != 1) return 1;
    }
    free(name);
    free(to.bytes);
    return 0;
}
