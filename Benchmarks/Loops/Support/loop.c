#include "loop.h"

#include <CPicture.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int loop_fit(double width, double height, int box, int enlarging, int *fitted_width, int *fitted_height) {
    if (!(width > 0) || !(height > 0) || !isfinite(width) || !isfinite(height)) return 0;
    double scale = box / fmax(width, height);
    if (!enlarging && scale > 1) scale = 1;
    *fitted_width = (int)fmax(1, round(width * scale));
    *fitted_height = (int)fmax(1, round(height * scale));
    return 1;
}

static cpicture_pixel_format vitrine_format(loop_format format) {
    switch (format) {
    case LOOP_RGBA: return CPICTURE_RGBA;
    case LOOP_BGRX: return CPICTURE_BGRX;
    case LOOP_RGBX: return CPICTURE_RGBX;
    default: return CPICTURE_BGRA_PREMULTIPLIED;
    }
}

int loop_scale(const loop_picture *source, int box, loop_picture *picture) {
    if (!loop_fit(source->width, source->height, box, 0, &picture->width, &picture->height)) return 0;
    const cpicture_source from = {
        source->pixels, source->stride, source->width, source->height, vitrine_format(source->format)};
    picture->stride = (size_t)picture->width * 4;
    picture->format = LOOP_RGBA;
    picture->pixels = malloc(picture->stride * (size_t)picture->height);
    return picture->pixels
        && cpicture_scale(&from, picture->width, picture->height, picture->pixels) == CPICTURE_DONE;
}

int loop_halve(loop_picture *picture) {
    int width = picture->width / 2, height = picture->height / 2;
    uint8_t *half = malloc((size_t)width * 4 * (size_t)height);
    if (!half) return 0;
    for (int y = 0; y < height; y++) {
        const uint8_t *upper = picture->pixels + (size_t)(2 * y) * picture->stride, *lower = upper + picture->stride;
        uint8_t *to = half + (size_t)y * (size_t)width * 4;
        for (int x = 0; x < width; x++, upper += 8, lower += 8, to += 4) {
            uint32_t pixels[4];
            memcpy(pixels, upper, 8);
            memcpy(pixels + 2, lower, 8);
            /* Two channels at a time: their sums of ten bits do not meet. */
            uint32_t even = 0x00020002, odd = 0x00020002;
            for (int i = 0; i < 4; i++) {
                even += pixels[i] & 0x00FF00FF;
                odd += pixels[i] >> 8 & 0x00FF00FF;
            }
            uint32_t mean = (even >> 2 & 0x00FF00FF) | (odd >> 2 & 0x00FF00FF) << 8;
            memcpy(to, &mean, sizeof mean);
        }
    }
    free(picture->pixels);
    *picture = (loop_picture){half, (size_t)width * 4, width, height, picture->format};
    return 1;
}

const uint8_t *loop_map(const char *path, size_t *count) {
    *count = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd < 0) return NULL;
    void *bytes = MAP_FAILED;
    if (fstat(fd, &status) == 0 && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED) return NULL;
    *count = (size_t)status.st_size;
    return bytes;
}

void loop_unmap(const uint8_t *bytes, size_t count) {
    if (bytes) munmap((void *)bytes, count);
}

/* As Vitrine packs: what is measured is all but that (Benchmarks/Packing holds it against others). */
static int encode(loop_picture *picture) {
    static uint8_t *rgba, *png;
    static size_t room;
    size_t pixels = (size_t)picture->width * (size_t)picture->height * 4, length = 0;
    if (room < pixels) {
        free(rgba);
        free(png);
        rgba = malloc(pixels);
        png = malloc(pixels + pixels / 64 + 65536);
        room = rgba && png ? pixels : 0;
    }
    const cpicture_source from = {
        picture->pixels, picture->stride, picture->width, picture->height, vitrine_format(picture->format)};
    return room >= pixels && cpicture_scale(&from, picture->width, picture->height, rgba) == CPICTURE_DONE
        && cpicture_png_encode(rgba, picture->width, picture->height, png, pixels + pixels / 64 + 65536, &length)
               == CPICTURE_DONE;
}

int loop_main(int argc, char **argv, const loop *library) {
    int box = argc == 3 ? atoi(argv[1]) : 0;
    if (box < 1) {
        fprintf(stderr, "usage: %s BOX SCRATCH-FOLDER < NAMES\n", argv[0]);
        return 2;
    }
    if (!library->start(argv[2])) return 1;
    char *name = NULL;
    size_t room = 0;
    while (getdelim(&name, &room, 0, stdin) > 1) {
        loop_picture picture = {NULL, 0, 0, 0, LOOP_RGBA};
        int done = library->render(name, box, &picture) && encode(&picture);
        free(picture.pixels);
        if (write(STDOUT_FILENO, done ? "+" : "-", 1) != 1) return 1;
    }
    free(name);
    return 0;
}
