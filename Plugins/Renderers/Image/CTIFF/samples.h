#pragma once
#include "file.h"

/* Samples of any width, as 8 bits each. */

/* Samples of fewer bits than 8, from the highest bit on, each to a byte: indices as they are, light over the whole range. */
static inline void ctiff_spread(const uint8_t *from, uint8_t *to, uint64_t count, int bits, int is_index) {
    int mask = (1 << bits) - 1, factor = is_index ? 1 : 255 / mask, per_byte = 8 / bits;
    for (uint64_t i = 0; i < count; i++) {
        int shift = 8 - bits - (int)(i % (uint64_t)per_byte) * bits;
        to[i] = (uint8_t)((from[i / (uint64_t)per_byte] >> shift & mask) * factor);
    }
}

/* Samples of 16 bits, as libtiff has put them into the machine's order. */
static inline void ctiff_narrow(const uint8_t *from, uint8_t *to, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint16_t value;
        memcpy(&value, from + 2 * i, 2);
        to[i] = (uint8_t)((value * 255u + 32767u) / 65535u);
    }
}

/* The share by which a pixel's colours were multiplied when they were written: its alpha, or 1.
 *   row: of wide samples, of the first plane. */
static inline double ctiff_share(const ctiff_tiff *t, const uint8_t *row, uint64_t x) {
    if (t->alpha != CTIFF_MULTIPLIED) return 1;
    uint64_t bytes = (uint64_t)t->bits / 8, sample = (uint64_t)t->alpha_sample;
    row += t->is_separate ? sample * t->plane_bytes + x * bytes : (x * (uint64_t)t->samples + sample) * bytes;
    return ctiff_wide_alpha(ctiff_sample(row, t->format, t->bits), t->format, t->bits);
}

/* Wide samples: those of a pixel one after the other, `step` of them, the first of which is the pixel's sample `first`. */
static inline void ctiff_place_in_range(
    const ctiff_tiff *t, const uint8_t *from, uint8_t *to, uint64_t count, uint64_t step, int first) {
    const uint8_t *row = from - (t->is_separate ? (uint64_t)first * t->plane_bytes : 0);
    for (uint64_t i = 0; i < count; i++) {
        double value = ctiff_sample(from + i * (uint64_t)t->bits / 8, t->format, t->bits);
        int is_alpha = t->alpha != CTIFF_OPAQUE && first + (int)(i % step) == t->alpha_sample;
        to[i] = is_alpha ? (uint8_t)(ctiff_wide_alpha(value, t->format, t->bits) * 255 + 0.5)
                         : ctiff_range_step(&t->range, value / ctiff_share(t, row, i / step));
    }
}

/* The samples of a row, 8 bits each; of the plane of the sample `first`, or all planes in one. */
static inline const uint8_t *ctiff_bytes_of(
    ctiff_tiff *t, const uint8_t *row, uint8_t *room, uint64_t count, uint64_t step, int first) {
    if (t->is_wide) {
        ctiff_place_in_range(t, row, room, count, step, first);
        return room;
    }
    if (t->bits == 8) return row;
    if (t->bits == 16)
        ctiff_narrow(row, room, count);
    else
        ctiff_spread(row, room, count, t->bits, t->kind == CTIFF_PALETTE);
    return room;
}

/* Gives colours that were multiplied by their alpha back what they lost; of wide samples it is done before they are narrow. */
static inline void ctiff_divide(uint8_t *pixel) {
    int alpha = pixel[3];
    if (alpha == 0 || alpha == 255) return;
    for (int c = 0; c < 3; c++) {
        int colour = (pixel[c] * 255 + alpha / 2) / alpha;
        pixel[c] = (uint8_t)(colour > 255 ? 255 : colour);
    }
}
