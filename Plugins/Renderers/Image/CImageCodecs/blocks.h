#pragma once
#include <stdint.h>
#include <string.h>

/* Blocks of 4 by 4 pixels as graphics cards keep them (Khronos Data Format Specification 1.3, chapters 18 to 20): BC1 to BC5 and
 * BC7. Each function writes R, G, B and alpha of 16 pixels, row by row. What telephones have instead is in etc.h, and what is
 * brighter in bc6.h. */

static inline uint64_t vi_number(const uint8_t *from, int count) {
    uint64_t value = 0;
    for (int i = count - 1; i >= 0; i--) value = value << 8 | from[i];
    return value;
}

/* MARK: BC1 to BC5 */

static inline void vi_spread_565(unsigned packed, uint8_t *to) {
    unsigned red = packed >> 11, green = packed >> 5 & 63, blue = packed & 31;
    to[0] = (uint8_t)(red << 3 | red >> 2);
    to[1] = (uint8_t)(green << 2 | green >> 4);
    to[2] = (uint8_t)(blue << 3 | blue >> 2);
}

/* Two colours and those between them; is_alone: as BC1 has them, where three colours and nothing are another way. */
static inline void vi_colours(const uint8_t *block, uint8_t *to, int is_alone) {
    uint8_t palette[4][4];
    unsigned first = (unsigned)vi_number(block, 2), second = (unsigned)vi_number(block + 2, 2);
    uint32_t indices = (uint32_t)vi_number(block + 4, 4);
    vi_spread_565(first, palette[0]);
    vi_spread_565(second, palette[1]);
    for (int c = 0; c < 3; c++) {
        unsigned a = palette[0][c], b = palette[1][c];
        int is_three = is_alone && first <= second;
        palette[2][c] = (uint8_t)(is_three ? (a + b) / 2 : (2 * a + b) / 3);
        palette[3][c] = (uint8_t)(is_three ? 0 : (a + 2 * b) / 3);
    }
    palette[0][3] = palette[1][3] = palette[2][3] = 255;
    palette[3][3] = is_alone && first <= second ? 0 : 255;
    for (int i = 0; i < 16; i++) memcpy(to + 4 * i, palette[indices >> (2 * i) & 3], 4);
}

/* Two values and those between them, to one channel of the pixels. */
static inline void vi_values(const uint8_t *block, uint8_t *to, int has_sign) {
    int palette[8];
    int low = has_sign ? -127 : 0, high = has_sign ? 127 : 255;
    for (int i = 0; i < 2; i++) palette[i] = has_sign ? (int8_t)block[i] : block[i];
    for (int i = 0; i < 2; i++)
        if (palette[i] < low) palette[i] = low;
    int is_long = palette[0] > palette[1];
    for (int i = 2; i < 8; i++) {
        int steps = is_long ? 7 : 5;
        palette[i] = is_long || i < 6 ? ((steps + 1 - i) * palette[0] + (i - 1) * palette[1]) / steps : i == 6 ? low : high;
    }
    uint64_t indices = vi_number(block + 2, 6);
    for (int i = 0; i < 16; i++) {
        int value = palette[indices >> (3 * i) & 7];
        to[4 * i] = (uint8_t)(has_sign ? (value + 127) * 255 / 254 : value);
    }
}

/* MARK: BC7 */

/* Which of two parts each pixel belongs to, a bit for each; of three, two bits for each. */
static const uint16_t vi_two[64] = {
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00,
    0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c,
    0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a, 0x73ce, 0x13c8,
    0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c,
    0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};
static const uint32_t vi_three[64] = {
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050, 0xaa550000,
    0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250, 0xa5945040, 0x0a425054,
    0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500, 0x0050a4a4, 0xaaa59090, 0x14696914,
    0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200, 0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424,
    0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50, 0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0,
    0x69286928, 0x44aaaa44, 0x66666600, 0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580,
    0xaa141414, 0x96960000, 0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44,
    0x2a4a5254,
};
/* The pixels whose index has a bit less, besides the first one: of the second of two parts; of the second and the third of three. */
static const uint8_t vi_second[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2,
    15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15,
};
static const uint8_t vi_second_and_third[64][2] = {
    {3, 15}, {3, 8}, {15, 8}, {15, 3}, {8, 15}, {3, 15}, {15, 3}, {15, 8}, {8, 15}, {8, 15}, {6, 15}, {6, 15},
    {6, 15}, {5, 15}, {3, 15}, {3, 8}, {3, 15}, {3, 8}, {8, 15}, {15, 3}, {3, 15}, {3, 8}, {6, 15}, {10, 8}, {5, 3},
    {8, 15}, {8, 6}, {6, 10}, {8, 15}, {5, 15}, {15, 10}, {15, 8}, {8, 15}, {15, 3}, {3, 15}, {5, 10}, {6, 10},
    {10, 8}, {8, 9}, {15, 10}, {15, 6}, {3, 15}, {15, 8}, {5, 15}, {15, 3}, {15, 6}, {15, 6}, {15, 8}, {3, 15},
    {15, 3}, {5, 15}, {5, 15}, {5, 15}, {8, 15}, {5, 15}, {10, 15}, {5, 15}, {10, 15}, {8, 15}, {13, 15}, {15, 3},
    {12, 15}, {3, 15}, {3, 8},
};

/* How a mode's bits are spent: parts, and bits of their number; bits of a rotation, and of which indices are whose; bits of a
 * colour and of an alpha; whether each end has a bit more, or both ends of a part in common; bits of the first and the second
 * indices. */
typedef struct vi_mode {
    uint8_t parts, partition, rotation, selection, colour, alpha, end_bit, part_bit, indices, more_indices;
} vi_mode;
static const vi_mode vi_modes[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

/* A block from its lowest bit on. */
typedef struct vi_bits {
    uint64_t low, high;
} vi_bits;

static inline unsigned vi_take(vi_bits *bits, int count) {
    if (count == 0) return 0;
    unsigned value = (unsigned)(bits->low & ((1u << count) - 1));
    bits->low = bits->low >> count | bits->high << (64 - count);
    bits->high >>= count;
    return value;
}

/* How much of the second end is in a pixel, in parts of 64, by the bits of its index less 2. */
static const uint8_t vi_weights[3][16] = {
    {0, 21, 43, 64},
    {0, 9, 18, 27, 37, 46, 55, 64},
    {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64},
};

static inline unsigned vi_between(unsigned first, unsigned second, unsigned index, int bits) {
    unsigned weight = vi_weights[bits - 2][index];
    return ((64 - weight) * first + weight * second + 32) >> 6;
}

/* The ends of each part in 8 bits a channel. */
static inline void vi_ends(vi_bits *bits, const vi_mode *mode, unsigned ends[3][2][4]) {
    for (int c = 0; c < 4; c++)
        for (int part = 0; part < mode->parts; part++)
            for (int end = 0; end < 2; end++) ends[part][end][c] = vi_take(bits, c < 3 ? mode->colour : mode->alpha);
    for (int part = 0; part < mode->parts; part++) {
        unsigned common = mode->part_bit ? vi_take(bits, 1) : 0;
        for (int end = 0; end < 2; end++) {
            unsigned last = mode->end_bit ? vi_take(bits, 1) : common;
            for (int c = 0; c < 4; c++) {
                int width = c < 3 ? mode->colour : mode->alpha;
                unsigned value = ends[part][end][c];
                if (width == 0) {
                    ends[part][end][c] = 255;
                    continue;
                }
                if (mode->end_bit || mode->part_bit) {
                    value = value << 1 | last;
                    width++;
                }
                value <<= 8 - width;
                ends[part][end][c] = value | value >> width;
            }
        }
    }
}

static inline void vi_bc7(const uint8_t *block, uint8_t *to) {
    vi_bits bits = {vi_number(block, 8), vi_number(block + 8, 8)};
    int number = 0;
    while (number < 8 && !(block[0] >> number & 1)) number++;
    memset(to, 0, 64);
    /* No mode: black and transparent. */
    if (number == 8) return;
    const vi_mode *mode = &vi_modes[number];
    vi_take(&bits, number + 1);
    unsigned partition = vi_take(&bits, mode->partition);
    unsigned rotation = vi_take(&bits, mode->rotation), selection = vi_take(&bits, mode->selection);
    unsigned ends[3][2][4];
    vi_ends(&bits, mode, ends);
    unsigned indices[2][16] = {{0}};
    int part_of[16];
    for (int i = 0; i < 16; i++) {
        part_of[i] = mode->parts == 1 ? 0
            : mode->parts == 2 ? vi_two[partition] >> i & 1
                               : (int)(vi_three[partition] >> (2 * i) & 3);
        int is_anchor = i == 0 || (mode->parts == 2 && i == vi_second[partition])
            || (mode->parts == 3
                && (i == vi_second_and_third[partition][0] || i == vi_second_and_third[partition][1]));
        indices[0][i] = vi_take(&bits, mode->indices - is_anchor);
    }
    for (int i = 0; i < 16 && mode->more_indices; i++) indices[1][i] = vi_take(&bits, mode->more_indices - (i == 0));
    for (int i = 0; i < 16; i++, to += 4) {
        const unsigned(*end)[4] = ends[part_of[i]];
        int more = mode->more_indices != 0, of_colour = more && selection, of_alpha = more && !selection;
        int widths[2] = {mode->indices, mode->more_indices};
        for (int c = 0; c < 4; c++) {
            int which = c < 3 ? of_colour : of_alpha;
            to[c] = (uint8_t)vi_between(end[0][c], end[1][c], indices[which][i], widths[which]);
        }
        if (rotation) {
            uint8_t alpha = to[3];
            to[3] = to[rotation - 1];
            to[rotation - 1] = alpha;
        }
    }
}
