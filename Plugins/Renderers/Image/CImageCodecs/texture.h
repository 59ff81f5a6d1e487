#pragma once
#include "bc6.h"
#include "blocks.h"
#include "etc.h"
#include <math.h>

/* Ways to write blocks of pixels. */
typedef enum vi_kind {
    VI_BC1, VI_BC2, VI_BC3, VI_BC4, VI_BC4_SIGNED, VI_BC5, VI_BC5_SIGNED, VI_BC6, VI_BC6_SIGNED, VI_BC7,
    VI_ETC, VI_ETC_CUT, VI_ETC_ALPHA, VI_EAC, VI_EAC_SIGNED, VI_EAC_TWO, VI_EAC_TWO_SIGNED,
} vi_kind;

static inline int vi_block_bytes(vi_kind kind) {
    switch (kind) {
    case VI_BC1:
    case VI_BC4:
    case VI_BC4_SIGNED:
    case VI_ETC:
    case VI_ETC_CUT:
    case VI_EAC:
    case VI_EAC_SIGNED: return 8;
    default: return 16;
    }
}

/* Whether pixels may be seen through. */
static inline int vi_has_alpha(vi_kind kind) {
    return kind <= VI_BC3 || kind == VI_BC7 || kind == VI_ETC_CUT || kind == VI_ETC_ALPHA;
}

/* Green, blue and alpha of pixels that have only one colour, or two. Two are most often x and y of directions of length one, from -1
 * (0) to 1 (255), and lead away from the surface: blue is z, as programs show it. */
static inline void vi_fill(uint8_t *to, int colours) {
    for (int i = 0; i < 16; i++, to += 4) {
        if (colours == 1) to[1] = to[2] = to[0];
        if (colours == 2) {
            int x = 2 * to[0] - 255, y = 2 * to[1] - 255, rest = 255 * 255 - x * x - y * y;
            to[2] = (uint8_t)((255 + sqrtf(rest > 0 ? (float)rest : 0)) / 2 + 0.5f);
        }
        to[3] = 255;
    }
}

/* Decodes a block of vi_block_bytes to 64 bytes. written: the byte for the light of each half float from 0 (0) to 1 (0x3C00). */
static inline void vi_decode(vi_kind kind, const uint8_t *block, const uint8_t *written, uint8_t *to) {
    switch (kind) {
    case VI_BC1: vi_colours(block, to, 1); break;
    case VI_BC2:
        vi_colours(block + 8, to, 0);
        for (int i = 0; i < 16; i++) to[4 * i + 3] = (uint8_t)((block[i / 2] >> (4 * (i % 2)) & 15) * 17);
        break;
    case VI_BC3:
        vi_colours(block + 8, to, 0);
        vi_values(block, to + 3, 0);
        break;
    case VI_BC4:
    case VI_BC4_SIGNED:
        vi_values(block, to, kind == VI_BC4_SIGNED);
        vi_fill(to, 1);
        break;
    case VI_BC5:
    case VI_BC5_SIGNED:
        vi_values(block, to, kind == VI_BC5_SIGNED);
        vi_values(block + 8, to + 1, kind == VI_BC5_SIGNED);
        vi_fill(to, 2);
        break;
    case VI_BC6:
    case VI_BC6_SIGNED: {
        uint16_t light[48];
        vi_bc6(block, kind == VI_BC6_SIGNED, light);
        for (int i = 0; i < 16; i++) {
            for (int c = 0; c < 3; c++) to[4 * i + c] = written[light[3 * i + c] < 0x3C00 ? light[3 * i + c] : 0x3C00];
            to[4 * i + 3] = 255;
        }
        break;
    }
    case VI_BC7: vi_bc7(block, to); break;
    case VI_ETC: vi_etc(block, to, 0); break;
    case VI_ETC_CUT: vi_etc(block, to, 1); break;
    case VI_ETC_ALPHA:
        vi_etc(block + 8, to, 0);
        vi_eac(block, to + 3);
        break;
    case VI_EAC:
    case VI_EAC_SIGNED:
        vi_eac_long(block, to, kind == VI_EAC_SIGNED);
        vi_fill(to, 1);
        break;
    case VI_EAC_TWO:
    case VI_EAC_TWO_SIGNED:
        vi_eac_long(block, to, kind == VI_EAC_TWO_SIGNED);
        vi_eac_long(block + 8, to + 1, kind == VI_EAC_TWO_SIGNED);
        vi_fill(to, 2);
        break;
    }
}
