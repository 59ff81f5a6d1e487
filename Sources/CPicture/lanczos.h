/* The filter of scale.c, for one axis at a time. */
#pragma once
#include "CPicture.h"

/* For every pixel of the result, along one axis: the first source pixel, and a weight for it and its followers. */
typedef struct cpicture_weights {
    int taps;        /* weights of each pixel */
    int room;        /* weights kept for each pixel: taps rounded up to four, those behind are 0 */
    int *first;      /* for each pixel: the first source pixel; all that have a weight are inside of the source */
    int16_t *weight; /* room for each pixel; 0 where fewer are needed */
} cpicture_weights;

/* Bytes behind a row that cpicture_weigh_columns may read, whatever they are. */
#define CPICTURE_ROW_MARGIN 16

static inline uint8_t cpicture_clamp_byte(int value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

/* Makes the table by which `count` source pixels, which cover `extent` (the last may be a partial block, so that
 * extent <= count), become `size` pixels. It is freed by cpicture_free_weights, unless there was no memory. */
cpicture_status cpicture_make_weights(cpicture_weights *table, int count, double extent, int size);
void cpicture_free_weights(cpicture_weights *table);

/* Weighs rows of the source into row `y` of the result; `channels` bytes each. */
void cpicture_weigh_rows(
    const uint8_t *pixels, size_t stride, const cpicture_weights *table, int y, uint8_t *restrict to, size_t channels);

/* Weighs the pixels of one row, with CPICTURE_ROW_MARGIN behind it, into `width` pixels, of four channels each. */
void cpicture_weigh_columns(const uint8_t *restrict row, const cpicture_weights *table, uint8_t *restrict to, int width);
