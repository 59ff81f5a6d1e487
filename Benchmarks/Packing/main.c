/* Reads PNG pictures, and prints what each way costs over all of them: the least CPU time of several rounds, in which the
 * ways take turns, and the mean of what it says of its result. */
#include "packing.h"
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 7
#define MOST_WAYS 32

/* CPU milliseconds of this process so far. */
static double packing_clock(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int read_picture(const char *path, pixels *picture) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) return 0;
    image.format = PNG_FORMAT_RGBA;
    *picture = (pixels){malloc(PNG_IMAGE_SIZE(image)), (int)image.width, (int)image.height};
    return picture->rgba && png_image_finish_read(&image, NULL, picture->rgba, 0, NULL);
}

/* - apart: whether the figures are found in a run of their own, since that costs more than what is measured. */
static void compare(const char *heads, const way *ways, const pixels *pictures, int count, int apart) {
    double least[MOST_WAYS] = {0}, figures[MOST_WAYS] = {0};
    int done[MOST_WAYS] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        for (int w = 0; ways[w].name; w++) {
            double spent = 0, sum = 0;
            done[w] = 0;
            for (int i = 0; i < count; i++) {
                double figure = 0, before = packing_clock();
                done[w] += ways[w].run(&ways[w], &pictures[i], apart ? NULL : &figure);
                spent += packing_clock() - before;
                sum += figure;
            }
            if (round == 0 || spent < least[w]) least[w] = spent;
            figures[w] = sum;
        }
    }
    for (int i = 0; apart && i < count; i++) {
        for (int w = 0; ways[w].name; w++) {
            double figure = 0;
            ways[w].run(&ways[w], &pictures[i], &figure);
            figures[w] += figure;
        }
    }
    printf("%s\n| --- | ---: | ---: | ---: |\n", heads);
    for (int w = 0; ways[w].name; w++) {
        if (done[w])
            printf("| %s | %d | %.3f | %.1f |\n", ways[w].name, done[w], least[w] / done[w], figures[w] / done[w]);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    pixels *small = calloc((size_t)argc, sizeof *small), *large = calloc((size_t)argc, sizeof *large);
    int smalls = 0, larges = 0;
    if (argc < 2 || !small || !large) {
        fprintf(stderr, "usage: %s PNG…\n  Pictures of up to 256 pixels are packed, larger ones are scaled to that.\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        pixels picture;
        if (!read_picture(argv[i], &picture)) continue;
        if (picture.width > 256 || picture.height > 256)
            large[larges++] = picture;
        else
            small[smalls++] = picture;
    }
    if (smalls) compare("| PNG | pictures | ms each | bytes each |", packing_pngs, small, smalls, 0);
    if (larges) compare("| scaling | pictures | ms each | likeness, dB |", packing_scalers, large, larges, 1);
    return 0;
}
