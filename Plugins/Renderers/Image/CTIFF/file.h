#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#include "wide.h"

/* The last: colours that libtiff mixes itself, of a whole page at once. */
typedef enum ctiff_kind { CTIFF_GREY, CTIFF_COLOUR, CTIFF_PALETTE, CTIFF_INK, CTIFF_MIXED } ctiff_kind;
typedef enum ctiff_alpha { CTIFF_OPAQUE, CTIFF_MULTIPLIED, CTIFF_STRAIGHT } ctiff_alpha;

typedef struct ctiff_tiff {
    /* The file, and how far libtiff has read. */
    const uint8_t *bytes;
    uint64_t count, position;
    TIFF *file;
    uint32_t width, height;
    ctiff_kind kind;
    ctiff_alpha alpha;
    /* Samples of a pixel, which of them is alpha, and the bits of each: 1, 2, 4, 8, 16, 32 or 64. */
    int samples, alpha_sample, bits;
    /* 1 when nothing says what that sample is. */
    int alpha_is_guessed;
    /* What the samples are, and what they hold when their range has to be found out. */
    ctiff_format format;
    int is_wide;
    ctiff_range range;
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
} ctiff_tiff;

/* MARK: The file in memory */

static inline tmsize_t ctiff_read(thandle_t handle, void *to, tmsize_t count) {
    ctiff_tiff *t = (ctiff_tiff *)handle;
    if (count < 0 || t->position >= t->count) return 0;
    uint64_t left = t->count - t->position, wanted = (uint64_t)count;
    if (wanted > left) wanted = left;
    memcpy(to, t->bytes + t->position, wanted);
    t->position += wanted;
    return (tmsize_t)wanted;
}
static inline tmsize_t ctiff_write(thandle_t handle, void *from, tmsize_t count) {
    (void)handle, (void)from, (void)count;
    return -1;
}
static inline toff_t ctiff_seek(thandle_t handle, toff_t offset, int from) {
    ctiff_tiff *t = (ctiff_tiff *)handle;
    uint64_t start = from == SEEK_SET ? 0 : from == SEEK_CUR ? t->position : t->count;
    t->position = start + offset;
    return t->position;
}
static inline int ctiff_end(thandle_t handle) {
    (void)handle;
    return 0;
}
static inline toff_t ctiff_size(thandle_t handle) { return ((ctiff_tiff *)handle)->count; }
static inline int ctiff_map(thandle_t handle, void **start, toff_t *count) {
    ctiff_tiff *t = (ctiff_tiff *)handle;
    *start = (void *)(uintptr_t)t->bytes;
    *count = t->count;
    return 1;
}
static inline void ctiff_unmap(thandle_t handle, void *start, toff_t count) { (void)handle, (void)start, (void)count; }
/* Says that a warning or an error was dealt with, so that the handlers of the process, which are ImageMagick's, are not
 * called. */
static inline int ctiff_be_silent(TIFF *file, void *user, const char *module, const char *format, va_list list) {
    (void)file, (void)user, (void)module, (void)format, (void)list;
    return 1;
}

static inline void ctiff_close(ctiff_tiff *t) {
    if (!t) return;
    if (t->file) TIFFClose(t->file);
    free(t->rows);
    free(t->tile);
    free(t->samples8);
    free(t->range.light);
    free(t);
}
