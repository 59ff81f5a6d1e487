#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#include "wide.h"

/* The last: colours that libtiff mixes itself, of a whole page at once. */
typedef enum vt_kind { VT_GREY, VT_COLOUR, VT_PALETTE, VT_INK, VT_MIXED } vt_kind;
typedef enum vt_alpha { VT_OPAQUE, VT_MULTIPLIED, VT_STRAIGHT } vt_alpha;

typedef struct vt_tiff {
    /* The file, and how far libtiff has read. */
    const uint8_t *bytes;
    uint64_t count, position;
    TIFF *file;
    uint32_t width, height;
    vt_kind kind;
    vt_alpha alpha;
    /* Samples of a pixel, which of them is alpha, and the bits of each: 1, 2, 4, 8, 16, 32 or 64. */
    int samples, alpha_sample, bits;
    /* What the samples are, and what they hold when their range has to be found out. */
    vt_format format;
    int is_wide;
    vt_range range;
    /* 1 when the least sample is the brightest; when each sample has a plane of its own. */
    int is_inverted, is_separate;
    /* How the camera was held, as TIFF counts. */
    uint32_t orientation;
    /* The ICC profile; valid as long as this. NULL and 0 when there is none. */
    const uint8_t *profile;
    uint32_t profile_length;
    /* R, G, B for each index of a palette. */
    uint8_t palette[256][3];
    /* Pixels of a tile; 0 in a file of strips. */
    uint32_t tile_width, tile_height;
    /* Rows that were read, all planes of one after the other, and one row in 8 bits. */
    uint8_t *rows, *tile, *samples8;
    /* Bytes of a row in one plane, and of all rows of one plane; rows that are there at once. */
    uint64_t row_bytes, plane_bytes;
    uint32_t rows_at_once;
} vt_tiff;

/* MARK: The file in memory */

static inline tmsize_t vt_read(thandle_t handle, void *to, tmsize_t count) {
    vt_tiff *t = (vt_tiff *)handle;
    if (count < 0 || t->position >= t->count) return 0;
    uint64_t left = t->count - t->position, wanted = (uint64_t)count;
    if (wanted > left) wanted = left;
    memcpy(to, t->bytes + t->position, wanted);
    t->position += wanted;
    return (tmsize_t)wanted;
}
static inline tmsize_t vt_write(thandle_t handle, void *from, tmsize_t count) {
    (void)handle, (void)from, (void)count;
    return -1;
}
static inline toff_t vt_seek(thandle_t handle, toff_t offset, int from) {
    vt_tiff *t = (vt_tiff *)handle;
    uint64_t start = from == SEEK_SET ? 0 : from == SEEK_CUR ? t->position : t->count;
    t->position = start + offset;
    return t->position;
}
static inline int vt_end(thandle_t handle) {
    (void)handle;
    return 0;
}
static inline toff_t vt_size(thandle_t handle) { return ((vt_tiff *)handle)->count; }
static inline int vt_map(thandle_t handle, void **start, toff_t *count) {
    vt_tiff *t = (vt_tiff *)handle;
    *start = (void *)(uintptr_t)t->bytes;
    *count = t->count;
    return 1;
}
static inline void vt_unmap(thandle_t handle, void *start, toff_t count) { (void)handle, (void)start, (void)count; }
/* Says that a warning or an error was dealt with, so that the handlers of the process, which are ImageMagick's, are not
 * called. */
static inline int vt_be_silent(TIFF *file, void *user, const char *module, const char *format, va_list list) {
    (void)file, (void)user, (void)module, (void)format, (void)list;
    return 1;
}

static inline void vt_close(vt_tiff *t) {
    if (!t) return;
    if (t->file) TIFFClose(t->file);
    free(t->rows);
    free(t->tile);
    free(t->samples8);
    free(t->range.light);
    free(t);
}
