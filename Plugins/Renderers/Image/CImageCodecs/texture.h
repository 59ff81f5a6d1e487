#pragma once
#include "bc6.h"
#include "blocks.h"
#include "etc.h"

/* Ways to write blocks of pixels. */
typedef enum vb_kind {
    VB_BC1, VB_BC2, VB_BC3, VB_BC4, VB_BC4_SIGNED, VB_BC5, VB_BC5_SIGNED, VB_BC6, VB_BC6_SIGNED, VB_BC7,
    VB_ETC, VB_ETC_CUT, VB_ETC_ALPHA, VB_EAC, VB_EAC_SIGNED, VB_EAC_TWO, VB_EAC_TWO_SIGNED,
} vb_kind;

static inline int vb_block_bytes(vb_kind kind) {
    switch (kind) {
    case VB_BC1:
    case VB_BC4:
    case VB_BC4_SIGNED:
    case VB_ETC:
    case VB_ETC_CUT:
    case VB_EAC:
    case VB_EAC_SIGNED: return 8;
    default: return 16;
    }
}

/* Whether pixels may be seen through. */
static inline int vb_has_alpha(vb_kind kind) {
    return kind <= VB_BC3 || kind == VB_BC7 || kind == VB_ETC_CUT || kind == VB_ETC_ALPHA;
}

/* Green, blue and alpha of pixels that have only one colour, or two. */
static inline void vb_fill(uint8_t *to, int colours, int has_sign) {
    for (int i = 0; i < 16; i++, to += 4) {
        if (colours == 1) to[1] = to[2] = to[0];
        if (colours == 2) to[2] = has_sign ? 128 : 0;
        to[3] = 255;
    }
}

/* Decodes a block of vb_block_bytes to 64 bytes. written: the byte for the light of each half float from 0 (0) to 1 (0x3C00). */
static inline void vb_decode(vb_kind kind, const uint8_t *block, const uint8_t *written, uint8_t *to) {
    switch (kind) {
    case VB_BC1: vb_colours(block, to, 1); break;
    case VB_BC2:
        vb_colours(block + 8, to, 0);
        for (int i = 0; i < 16; i++) to[4 * i + 3] = (uint8_t)((block[i / 2] >> (4 * (i % 2)) & 15) * 17);
        break;
    case VB_BC3:
        vb_colours(block + 8, to, 0);
        vb_values(block, to + 3, 0);
        break;
    case VB_BC4:
    case VB_BC4_SIGNED:
        vb_values(block, to, kind == VB_BC4_SIGNED);
        vb_fill(to, 1, 0);
        break;
    case VB_BC5:
    case VB_BC5_SIGNED:
        vb_values(block, to, kind == VB_BC5_SIGNED);
        vb_values(block + 8, to + 1, kind == VB_BC5_SIGNED);
        vb_fill(to, 2, kind == VB_BC5_SIGNED);
        break;
    case VB_BC6:
    case VB_BC6_SIGNED: {
        uint16_t light[48];
        vb_bc6(block, kind == VB_BC6_SIGNED, light);
        for (int i = 0; i < 16; i++) {
            for (int c = 0; c < 3; c++) to[4 * i + c] = written[light[3 * i + c] < 0x3C00 ? light[3 * i + c] : 0x3C00];
            to[4 * i + 3] = 255;
        }
        break;
    }
    case VB_BC7: vb_bc7(block, to); break;
    case VB_ETC: vb_etc(block, to, 0); break;
    case VB_ETC_CUT: vb_etc(block, to, 1); break;
    case VB_ETC_ALPHA:
        vb_etc(block + 8, to, 0);
        vb_eac(block, to + 3);
        break;
    case VB_EAC:
    case VB_EAC_SIGNED:
        vb_eac_long(block, to, kind == VB_EAC_SIGNED);
        vb_fill(to, 1, 0);
        break;
    case VB_EAC_TWO:
    case VB_EAC_TWO_SIGNED:
        vb_eac_long(block, to, kind == VB_EAC_TWO_SIGNED);
        vb_eac_long(block + 8, to + 1, kind == VB_EAC_TWO_SIGNED);
        vb_fill(to, 2, kind == VB_EAC_TWO_SIGNED);
        break;
    }
}
