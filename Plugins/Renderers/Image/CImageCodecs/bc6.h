#pragma once
#include "blocks.h"

/* Blocks of 4 by 4 pixels of light, as graphics cards keep what is brighter than a page (Khronos Data Format Specification 1.3,
 * chapter 20.2): BC6H, without a sign and with one. */

/* Some bits of a colour of one end: which end, which colour, the lowest of the bits and how many; the highest comes first where
 * they are turned. */
typedef struct vi_field {
    uint8_t end, colour, low, count, is_turned;
} vi_field;

#define VI_R(end, low, count) {end, 0, low, count, 0}
#define VI_G(end, low, count) {end, 1, low, count, 0}
#define VI_B(end, low, count) {end, 2, low, count, 0}
#define VI_T(colour, low, count) {0, colour, low, count, 1}
#define VI_FIRST(count) VI_R(0, 0, count), VI_G(0, 0, count), VI_B(0, 0, count)

/* A way to spend a block's bits: bits of the first end, of the others for each colour, whether these are added to the first one,
 * how many parts there are, and the fields behind the number of the way. */
typedef struct vi_light_mode {
    uint8_t bits, others[3], adds, parts;
    vi_field fields[24];
} vi_light_mode;

static const vi_light_mode vi_light_modes[14] = {
    {10, {5, 5, 5}, 1, 2, {VI_G(2, 4, 1), VI_B(2, 4, 1), VI_B(3, 4, 1), VI_FIRST(10), VI_R(1, 0, 5), VI_G(3, 4, 1),
        VI_G(2, 0, 4), VI_G(1, 0, 5), VI_B(3, 0, 1), VI_G(3, 0, 4), VI_B(1, 0, 5), VI_B(3, 1, 1), VI_B(2, 0, 4), VI_R(2, 0, 5),
        VI_B(3, 2, 1), VI_R(3, 0, 5), VI_B(3, 3, 1)}},
    {7, {6, 6, 6}, 1, 2, {VI_G(2, 5, 1), VI_G(3, 4, 1), VI_G(3, 5, 1), VI_R(0, 0, 7), VI_B(3, 0, 1), VI_B(3, 1, 1),
        VI_B(2, 4, 1), VI_G(0, 0, 7), VI_B(2, 5, 1), VI_B(3, 2, 1), VI_G(2, 4, 1), VI_B(0, 0, 7), VI_B(3, 3, 1), VI_B(3, 5, 1),
        VI_B(3, 4, 1), VI_R(1, 0, 6), VI_G(2, 0, 4), VI_G(1, 0, 6), VI_G(3, 0, 4), VI_B(1, 0, 6), VI_B(2, 0, 4), VI_R(2, 0, 6),
        VI_R(3, 0, 6)}},
    {11, {5, 4, 4}, 1, 2, {VI_FIRST(10), VI_R(1, 0, 5), VI_R(0, 10, 1), VI_G(2, 0, 4), VI_G(1, 0, 4), VI_G(0, 10, 1),
        VI_B(3, 0, 1), VI_G(3, 0, 4), VI_B(1, 0, 4), VI_B(0, 10, 1), VI_B(3, 1, 1), VI_B(2, 0, 4), VI_R(2, 0, 5), VI_B(3, 2, 1),
        VI_R(3, 0, 5), VI_B(3, 3, 1)}},
    {11, {4, 5, 4}, 1, 2, {VI_FIRST(10), VI_R(1, 0, 4), VI_R(0, 10, 1), VI_G(3, 4, 1), VI_G(2, 0, 4), VI_G(1, 0, 5),
        VI_G(0, 10, 1), VI_G(3, 0, 4), VI_B(1, 0, 4), VI_B(0, 10, 1), VI_B(3, 1, 1), VI_B(2, 0, 4), VI_R(2, 0, 4), VI_B(3, 0, 1),
        VI_B(3, 2, 1), VI_R(3, 0, 4), VI_G(2, 4, 1), VI_B(3, 3, 1)}},
    {11, {4, 4, 5}, 1, 2, {VI_FIRST(10), VI_R(1, 0, 4), VI_R(0, 10, 1), VI_B(2, 4, 1), VI_G(2, 0, 4), VI_G(1, 0, 4),
        VI_G(0, 10, 1), VI_B(3, 0, 1), VI_G(3, 0, 4), VI_B(1, 0, 5), VI_B(0, 10, 1), VI_B(2, 0, 4), VI_R(2, 0, 4), VI_B(3, 1, 1),
        VI_B(3, 2, 1), VI_R(3, 0, 4), VI_B(3, 4, 1), VI_B(3, 3, 1)}},
    {9, {5, 5, 5}, 1, 2, {VI_R(0, 0, 9), VI_B(2, 4, 1), VI_G(0, 0, 9), VI_G(2, 4, 1), VI_B(0, 0, 9), VI_B(3, 4, 1),
        VI_R(1, 0, 5), VI_G(3, 4, 1), VI_G(2, 0, 4), VI_G(1, 0, 5), VI_B(3, 0, 1), VI_G(3, 0, 4), VI_B(1, 0, 5), VI_B(3, 1, 1),
        VI_B(2, 0, 4), VI_R(2, 0, 5), VI_B(3, 2, 1), VI_R(3, 0, 5), VI_B(3, 3, 1)}},
    {8, {6, 5, 5}, 1, 2, {VI_R(0, 0, 8), VI_G(3, 4, 1), VI_B(2, 4, 1), VI_G(0, 0, 8), VI_B(3, 2, 1), VI_G(2, 4, 1),
        VI_B(0, 0, 8), VI_B(3, 3, 1), VI_B(3, 4, 1), VI_R(1, 0, 6), VI_G(2, 0, 4), VI_G(1, 0, 5), VI_B(3, 0, 1), VI_G(3, 0, 4),
        VI_B(1, 0, 5), VI_B(3, 1, 1), VI_B(2, 0, 4), VI_R(2, 0, 6), VI_R(3, 0, 6)}},
    {8, {5, 6, 5}, 1, 2, {VI_R(0, 0, 8), VI_B(3, 0, 1), VI_B(2, 4, 1), VI_G(0, 0, 8), VI_G(2, 5, 1), VI_G(2, 4, 1),
        VI_B(0, 0, 8), VI_G(3, 5, 1), VI_B(3, 4, 1), VI_R(1, 0, 5), VI_G(3, 4, 1), VI_G(2, 0, 4), VI_G(1, 0, 6), VI_G(3, 0, 4),
        VI_B(1, 0, 5), VI_B(3, 1, 1), VI_B(2, 0, 4), VI_R(2, 0, 5), VI_B(3, 2, 1), VI_R(3, 0, 5), VI_B(3, 3, 1)}},
    {8, {5, 5, 6}, 1, 2, {VI_R(0, 0, 8), VI_B(3, 1, 1), VI_B(2, 4, 1), VI_G(0, 0, 8), VI_B(2, 5, 1), VI_G(2, 4, 1),
        VI_B(0, 0, 8), VI_B(3, 5, 1), VI_B(3, 4, 1), VI_R(1, 0, 5), VI_G(3, 4, 1), VI_G(2, 0, 4), VI_G(1, 0, 5), VI_B(3, 0, 1),
        VI_G(3, 0, 4), VI_B(1, 0, 6), VI_B(2, 0, 4), VI_R(2, 0, 5), VI_B(3, 2, 1), VI_R(3, 0, 5), VI_B(3, 3, 1)}},
    {6, {6, 6, 6}, 0, 2, {VI_R(0, 0, 6), VI_G(3, 4, 1), VI_B(3, 0, 1), VI_B(3, 1, 1), VI_B(2, 4, 1), VI_G(0, 0, 6),
        VI_G(2, 5, 1), VI_B(2, 5, 1), VI_B(3, 2, 1), VI_G(2, 4, 1), VI_B(0, 0, 6), VI_G(3, 5, 1), VI_B(3, 3, 1), VI_B(3, 5, 1),
        VI_B(3, 4, 1), VI_R(1, 0, 6), VI_G(2, 0, 4), VI_G(1, 0, 6), VI_G(3, 0, 4), VI_B(1, 0, 6), VI_B(2, 0, 4), VI_R(2, 0, 6),
        VI_R(3, 0, 6)}},
    {10, {10, 10, 10}, 0, 1, {VI_FIRST(10), VI_R(1, 0, 10), VI_G(1, 0, 10), VI_B(1, 0, 10)}},
    {11, {9, 9, 9}, 1, 1, {VI_FIRST(10), VI_R(1, 0, 9), VI_R(0, 10, 1), VI_G(1, 0, 9), VI_G(0, 10, 1), VI_B(1, 0, 9),
        VI_B(0, 10, 1)}},
    {12, {8, 8, 8}, 1, 1, {VI_FIRST(10), VI_R(1, 0, 8), VI_T(0, 10, 2), VI_G(1, 0, 8), VI_T(1, 10, 2), VI_B(1, 0, 8),
        VI_T(2, 10, 2)}},
    {16, {4, 4, 4}, 1, 1, {VI_FIRST(10), VI_R(1, 0, 4), VI_T(0, 10, 6), VI_G(1, 0, 4), VI_T(1, 10, 6), VI_B(1, 0, 4),
        VI_T(2, 10, 6)}},
};

/* The way that a block names; NULL for the numbers that are kept for later. */
static inline const vi_light_mode *vi_light_way(vi_bits *bits) {
    unsigned number = vi_take(bits, 2);
    if (number < 2) return &vi_light_modes[number];
    unsigned more = vi_take(bits, 3);
    /* 00010, 00110 … 11110 have two parts, 00011 … 01111 one. */
    if (number == 2) return &vi_light_modes[2 + more];
    return more < 4 ? &vi_light_modes[10 + more] : 0;
}

static inline int vi_with_sign(int value, int bits) { return value & 1 << (bits - 1) ? value - (1 << bits) : value; }

/* A number of an end, spread over the range of a half float's bits. */
static inline int vi_spread_light(int value, int bits, int has_sign) {
    if (!has_sign) {
        if (bits >= 15 || value == 0) return value;
        return value == (1 << bits) - 1 ? 0xFFFF : ((value << 15) + 0x4000) >> (bits - 1);
    }
    int size = value < 0 ? -value : value;
    if (bits < 16 && size) size = size >= (1 << (bits - 1)) - 1 ? 0x7FFF : ((size << 15) + 0x4000) >> (bits - 1);
    return value < 0 ? -size : size;
}

static inline void vi_light_ends(vi_bits *bits, const vi_light_mode *mode, int has_sign, int ends[4][3]) {
    memset(ends, 0, 12 * sizeof(int));
    for (const vi_field *field = mode->fields; field < mode->fields + 24 && field->count; field++) {
        unsigned value = vi_take(bits, field->count);
        for (int bit = 0; bit < field->count; bit++) {
            int from = field->is_turned ? field->count - 1 - bit : bit;
            ends[field->end][field->colour] |= (int)(value >> from & 1) << (field->low + bit);
        }
    }
    for (int end = 0; end < 2 * mode->parts; end++) {
        for (int c = 0; c < 3; c++) {
            int *value = &ends[end][c], width = end == 0 ? mode->bits : mode->others[c];
            if (has_sign || (end && mode->adds)) *value = vi_with_sign(*value, width);
            if (end && mode->adds) {
                *value = (ends[0][c] + *value) & ((1 << mode->bits) - 1);
                if (has_sign) *value = vi_with_sign(*value, mode->bits);
            }
        }
    }
    for (int end = 0; end < 2 * mode->parts; end++)
        for (int c = 0; c < 3; c++) ends[end][c] = vi_spread_light(ends[end][c], mode->bits, has_sign);
}

/* Decodes a block to R, G and B of 16 pixels, row by row, as bits of half floats. What is below zero becomes none. */
static inline void vi_bc6(const uint8_t *block, int has_sign, uint16_t *to) {
    vi_bits bits = {vi_number(block, 8), vi_number(block + 8, 8)};
    const vi_light_mode *mode = vi_light_way(&bits);
    memset(to, 0, 48 * sizeof *to);
    if (!mode) return;
    int ends[4][3];
    vi_light_ends(&bits, mode, has_sign, ends);
    unsigned partition = mode->parts == 2 ? vi_take(&bits, 5) : 0;
    int width = mode->parts == 2 ? 3 : 4;
    for (int i = 0; i < 16; i++, to += 3) {
        int part = mode->parts == 2 ? vi_two[partition] >> i & 1 : 0;
        int is_anchor = i == 0 || (mode->parts == 2 && i == vi_second[partition]);
        int weight = vi_weights[width - 2][vi_take(&bits, width - is_anchor)];
        for (int c = 0; c < 3; c++) {
            int value = ((64 - weight) * ends[2 * part][c] + weight * ends[2 * part + 1][c] + 32) >> 6;
            to[c] = (uint16_t)(value <= 0 ? 0 : has_sign ? value * 31 >> 5 : value * 31 >> 6);
        }
    }
}
