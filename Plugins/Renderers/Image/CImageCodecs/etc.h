#pragma once
#include <stdint.h>
#include <string.h>

/* Blocks of 4 by 4 pixels as graphics cards of telephones keep them (Khronos Data Format Specification 1.3, chapter 21): ETC1,
 * ETC2 and EAC. Pixels stand column by column, numbers with their highest byte first. */

static inline uint64_t vi_big_number(const uint8_t *from) {
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) value = value << 8 | from[i];
    return value;
}

/* So many bits from the lowest of them on. */
static inline int vi_part(uint64_t bits, int low, int count) { return (int)(bits >> low & ((1u << count) - 1)); }

static inline uint8_t vi_byte(int value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

/* Where the pixel of a number of ETC stands, in bytes. */
static inline int vi_place(int pixel) { return 4 * (pixel / 4 + pixel % 4 * 4); }

/* The colour of a pixel, and some steps of grey more or less; the fourth byte: whether it is seen. */
static inline void vi_paint(uint8_t *to, const int colour[3], int steps, int is_seen) {
    for (int c = 0; c < 3; c++) to[c] = is_seen ? vi_byte(colour[c] + steps) : 0;
    to[3] = is_seen ? 255 : 0;
}

/* Two halves of a block, each of one colour and steps from it. */
static inline void vi_etc_halves(uint64_t bits, const int colours[2][3], int is_turned, int is_cut, uint8_t *to) {
    static const uint8_t steps[8][2] = {{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}};
    for (int i = 0; i < 16; i++) {
        int half = is_turned ? i % 4 / 2 : i / 8, is_long = vi_part(bits, i, 1), is_less = vi_part(bits, 16 + i, 1);
        int step = steps[vi_part(bits, half ? 34 : 37, 3)][is_long];
        if (is_cut && !is_long) step = 0;
        vi_paint(to + vi_place(i), colours[half], is_less ? -step : step, !(is_cut && is_less && !is_long));
    }
}

/* Four colours around two. */
static inline void vi_etc_four(uint64_t bits, const int colours[2][3], int distance, int is_one_alone, int is_cut, uint8_t *to) {
    static const uint8_t distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
    int step = distances[distance];
    for (int i = 0; i < 16; i++) {
        int index = vi_part(bits, i, 1) | vi_part(bits, 16 + i, 1) << 1;
        int which = is_one_alone ? index > 0 : index > 1;
        int steps = is_one_alone ? (index == 1 ? step : index == 3 ? -step : 0) : index & 1 ? -step : step;
        vi_paint(to + vi_place(i), colours[which], steps, !(is_cut && index == 2));
    }
}

/* Colours that change evenly to the right and down. */
static inline void vi_etc_even(uint64_t bits, uint8_t *to) {
    int first[3] = {vi_part(bits, 57, 6), vi_part(bits, 56, 1) << 6 | vi_part(bits, 49, 6),
        vi_part(bits, 48, 1) << 5 | vi_part(bits, 43, 2) << 3 | vi_part(bits, 39, 3)};
    int right[3] = {vi_part(bits, 34, 5) << 1 | vi_part(bits, 32, 1), vi_part(bits, 25, 7), vi_part(bits, 19, 6)};
    int below[3] = {vi_part(bits, 13, 6), vi_part(bits, 6, 7), vi_part(bits, 0, 6)};
    for (int c = 0; c < 3; c++) {
        int width = c == 1 ? 7 : 6, up = 8 - width, down = 2 * width - 8;
        first[c] = first[c] << up | first[c] >> down;
        right[c] = right[c] << up | right[c] >> down;
        below[c] = below[c] << up | below[c] >> down;
        for (int i = 0; i < 16; i++)
            to[4 * i + c] =
                vi_byte((i % 4 * (right[c] - first[c]) + i / 4 * (below[c] - first[c]) + 4 * first[c] + 2) >> 2);
    }
    for (int i = 0; i < 16; i++) to[4 * i + 3] = 255;
}

/* A block of ETC1 or ETC2. may_be_cut: the bit that says in others whether the second colour is told from the first says here
 * whether all pixels are seen. */
static inline void vi_etc(const uint8_t *block, uint8_t *to, int may_be_cut) {
    uint64_t bits = vi_big_number(block);
    int flag = vi_part(bits, 33, 1), is_cut = may_be_cut && !flag, is_turned = vi_part(bits, 32, 1);
    int colours[2][3];
    if (!flag && !may_be_cut) {
        for (int c = 0; c < 3; c++)
            for (int half = 0; half < 2; half++) colours[half][c] = vi_part(bits, 60 - 8 * c - 4 * half, 4) * 17;
        return vi_etc_halves(bits, colours, is_turned, 0, to);
    }
    int beyond = -1;
    for (int c = 2; c >= 0; c--) {
        int first = vi_part(bits, 59 - 8 * c, 5), change = vi_part(bits, 56 - 8 * c, 3);
        int second = first + (change > 3 ? change - 8 : change);
        if (second < 0 || second > 31) beyond = c, second = first;
        colours[0][c] = first << 3 | first >> 2;
        colours[1][c] = second << 3 | second >> 2;
    }
    /* Sums that there are not name three other ways. */
    if (beyond < 0) return vi_etc_halves(bits, colours, is_turned, is_cut, to);
    if (beyond == 2) return vi_etc_even(bits, to);
    if (beyond == 0) {
        int first[3] = {vi_part(bits, 59, 2) << 2 | vi_part(bits, 56, 2), vi_part(bits, 52, 4), vi_part(bits, 48, 4)};
        for (int c = 0; c < 3; c++) {
            colours[0][c] = first[c] * 17;
            colours[1][c] = vi_part(bits, 44 - 4 * c, 4) * 17;
        }
        return vi_etc_four(bits, colours, vi_part(bits, 34, 2) << 1 | is_turned, 1, is_cut, to);
    }
    int first[3] = {vi_part(bits, 59, 4), vi_part(bits, 56, 3) << 1 | vi_part(bits, 52, 1),
        vi_part(bits, 51, 1) << 3 | vi_part(bits, 47, 3)};
    int order[2] = {0, 0};
    for (int c = 0; c < 3; c++) {
        int second = vi_part(bits, 43 - 4 * c, 4);
        order[0] = order[0] << 4 | first[c];
        order[1] = order[1] << 4 | second;
        colours[0][c] = first[c] * 17;
        colours[1][c] = second * 17;
    }
    int distance = vi_part(bits, 34, 1) << 2 | is_turned << 1 | (order[0] >= order[1]);
    vi_etc_four(bits, colours, distance, 0, is_cut, to);
}

/* How far a pixel of EAC is from the block's value. */
static inline int vi_eac_step(uint64_t bits, int pixel) {
    static const int8_t steps[16][8] = {
        {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
        {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11}, {-3, -7, -9, -11, 2, 6, 8, 10},
        {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10}, {-2, -6, -8, -10, 1, 5, 7, 9},
        {-2, -5, -8, -10, 1, 4, 7, 9}, {-2, -4, -8, -10, 1, 3, 7, 9}, {-2, -5, -7, -10, 1, 4, 6, 9},
        {-3, -4, -7, -10, 2, 3, 6, 9}, {-1, -2, -3, -10, 0, 1, 2, 9}, {-4, -6, -8, -9, 3, 5, 7, 8},
        {-3, -5, -7, -9, 2, 4, 6, 8},
    };
    return steps[vi_part(bits, 48, 4)][vi_part(bits, 45 - 3 * pixel, 3)];
}

/* Values of 8 bits, to one channel of the pixels. */
static inline void vi_eac(const uint8_t *block, uint8_t *to) {
    uint64_t bits = vi_big_number(block);
    for (int i = 0; i < 16; i++)
        to[vi_place(i)] = vi_byte(vi_part(bits, 56, 8) + vi_eac_step(bits, i) * vi_part(bits, 52, 4));
}

/* Values of 11 bits, to one channel of the pixels, which has 8. */
static inline void vi_eac_long(const uint8_t *block, uint8_t *to, int has_sign) {
    uint64_t bits = vi_big_number(block);
    int factor = vi_part(bits, 52, 4), base = vi_part(bits, 56, 8);
    if (has_sign) base = base == 128 ? -127 : (int8_t)base;
    for (int i = 0; i < 16; i++) {
        int value = base * 8 + (has_sign ? 0 : 4) + vi_eac_step(bits, i) * (factor ? factor * 8 : 1);
        int low = has_sign ? -1023 : 0, high = has_sign ? 1023 : 2047;
        if (value < low) value = low;
        if (value > high) value = high;
        to[vi_place(i)] = (uint8_t)((value - low) * 255 / (high - low));
    }
}
