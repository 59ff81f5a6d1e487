/* What a preview costs after it is decoded: ways to make it smaller and to write it as PNG, held against each other. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Packed R, G, B, A. */
typedef struct pixels {
    uint8_t *rgba;
    int width, height;
} pixels;

/* One way: works on a picture, and says how large or how good the result is, where `figure` is not NULL. Returns 0 when it
 * cannot. */
typedef struct way {
    const char *name;
    int (*run)(const struct way *way, const pixels *picture, double *figure);
    int kind, level, filter;
} way;

/* Ways to write PNG; the figure is bytes. The list ends with a name of NULL. */
extern const way packing_pngs[];

/* Ways to scale to a box of 256 pixels; the figure is the likeness to a Lanczos of three lobes over the whole picture, in
 * floating point: PSNR in dB, 99 at most. */
extern const way packing_scalers[];
