#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A plane of a decoded picture, 8 bits a sample. Planes of colour may have half the picture's width and height. */
typedef struct cheif_plane {
    const uint8_t *rows;
    size_t stride;
    int shift_x, shift_y; /* 1 where it has half the width, half the height */
} cheif_plane;

/* Averages the samples that lie on each block of `side` x `side` of the picture's pixels; those at the right and the lower
 * edge may be smaller. A sample that pixels of two blocks share counts in each as often as it has pixels there. Answers 0
 * when there is no memory. */
static inline int cheif_average(const cheif_plane *from, int width, int height, int side, uint8_t *to, size_t stride) {
    int samples = (width + from->shift_x) >> from->shift_x;
    uint32_t *sums = malloc((size_t)samples * sizeof *sums);
    if (!sums) return 0;
    for (int top = 0; top < height; top += side, to += stride) {
        int rows = height - top < side ? height - top : side;
        memset(sums, 0, (size_t)samples * sizeof *sums);
        for (int y = top; y < top + rows; y++) {
            const uint8_t *row = from->rows + (size_t)(y >> from->shift_y) * from->stride;
            for (int x = 0; x < samples; x++) sums[x] += row[x];
        }
        uint8_t *sample = to;
        for (int left = 0; left < width; left += side) {
            int right = width - left < side ? width : left + side;
            uint64_t total = 0, count = (uint64_t)(right - left) * (uint64_t)rows;
            for (int x = left; x < right; x++) total += sums[x >> from->shift_x];
            *sample++ = (uint8_t)((total + count / 2) / count);
        }
    }
    free(sums);
    return 1;
}
