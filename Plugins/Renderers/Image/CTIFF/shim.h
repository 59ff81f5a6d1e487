#pragma once
#include "file.h"
#include "samples.h"
#include "tags.h"

/* One page of a TIFF file, row by row, 8 bits a channel. libtiff unpacks the samples; what they mean is done here, since
 * its own way to RGBA multiplies colours by alpha and knows no greys with alpha of 16 bits. */

/* MARK: A page */

/* Reads a whole page through libtiff's way to RGBA. */
static inline int ctiff_mix(ctiff_tiff *t, uint64_t most) {
    t->row_bytes = (uint64_t)t->width * 4;
    t->rows_at_once = t->height;
    if (t->row_bytes > most / t->height) return 0;
    t->rows = calloc(t->height, t->row_bytes);
    return t->rows
        && TIFFReadRGBAImageOriented(t->file, t->width, t->height, (uint32_t *)(void *)t->rows, (int)t->orientation, 1);
}

/* Makes room for as many rows as are read at once; to be called once, before the first row.
 *   most: bytes for them at most. */
static inline int ctiff_begin(ctiff_tiff *t, uint64_t most) {
    uint64_t in_plane = t->is_separate ? 1 : (uint64_t)t->samples, planes = t->is_separate ? (uint64_t)t->samples : 1;
    uint64_t across = t->width;
    if (t->kind == CTIFF_MIXED) return ctiff_mix(t, most);
    t->rows_at_once = 1;
    if (TIFFIsTiled(t->file)) {
        if (!TIFFGetField(t->file, TIFFTAG_TILEWIDTH, &t->tile_width) || t->tile_width < 1
            || !TIFFGetField(t->file, TIFFTAG_TILELENGTH, &t->tile_height) || t->tile_height < 1)
            return 0;
        uint64_t row = (uint64_t)t->tile_width * in_plane * (uint64_t)t->bits;
        /* Tiles begin with a byte, and no more than twice the picture is taken for them. */
        if (row % 8 != 0 || t->tile_width > 2 * (uint64_t)t->width + 4096) return 0;
        if (row / 8 * t->tile_height > most || (uint64_t)TIFFTileSize64(t->file) != row / 8 * t->tile_height) return 0;
        across = ((uint64_t)t->width + t->tile_width - 1) / t->tile_width * t->tile_width;
        t->rows_at_once = t->tile_height;
        t->tile = calloc(t->tile_height, row / 8);
        if (!t->tile) return 0;
    } else if (t->is_separate) {
        uint32_t rows = 0;
        TIFFGetFieldDefaulted(t->file, TIFFTAG_ROWSPERSTRIP, &rows);
        t->rows_at_once = rows < 1 || rows > t->height ? t->height : rows;
    }
    t->row_bytes = (across * in_plane * (uint64_t)t->bits + 7) / 8;
    if (!t->tile && (uint64_t)TIFFScanlineSize64(t->file) != t->row_bytes) return 0;
    if (t->row_bytes > most / t->rows_at_once / planes) return 0;
    t->plane_bytes = t->row_bytes * t->rows_at_once;
    /* Zeroed: of damaged files libtiff may say that it wrote what it did not. */
    t->rows = calloc(planes, t->plane_bytes);
    t->samples8 = malloc((uint64_t)t->width * (uint64_t)t->samples + 16);
    return t->rows && t->samples8;
}

/* Opens a file that lies in memory, for one page. */
static inline ctiff_tiff *ctiff_open_file(const uint8_t *bytes, uint64_t count, uint64_t most) {
    ctiff_tiff *t = calloc(1, sizeof *t);
    TIFFOpenOptions *options = t ? TIFFOpenOptionsAlloc() : NULL;
    if (!options) {
        free(t);
        return NULL;
    }
    t->bytes = bytes;
    t->count = count;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)most);
    TIFFOpenOptionsSetErrorHandlerExtR(options, ctiff_be_silent, NULL);
    TIFFOpenOptionsSetWarningHandlerExtR(options, ctiff_be_silent, NULL);
    t->file = TIFFClientOpenExt(
        "picture", "r", t, ctiff_read, ctiff_write, ctiff_seek, ctiff_end, ctiff_size, ctiff_map, ctiff_unmap, options);
    TIFFOpenOptionsFree(options);
    if (t->file) return t;
    ctiff_close(t);
    return NULL;
}

/* Opens a page of a file that lies in memory, which must stay there. Memory for rows comes with ctiff_begin.
 * NULL when it is damaged, in a variety that is not read here, or when there is no memory. To be closed by ctiff_close.
 *   most: bytes that libtiff may take at once. */
static inline ctiff_tiff *ctiff_open(
    const uint8_t *bytes, uint64_t count, uint32_t page, uint64_t most, uint64_t longest_profile) {
    ctiff_tiff *t = ctiff_open_file(bytes, count, most);
    if (!t) return NULL;
    if ((page > 0 && !TIFFSetDirectory(t->file, page)) || !ctiff_read_head(t, longest_profile)) {
        ctiff_close(t);
        return NULL;
    }
    return t;
}

/* MARK: Rows */

static inline int ctiff_read_tiles(ctiff_tiff *t, uint32_t y, int plane) {
    uint64_t in_plane = t->is_separate ? 1 : (uint64_t)t->samples;
    uint64_t tile_row = (uint64_t)t->tile_width * in_plane * (uint64_t)t->bits / 8, size = tile_row * t->tile_height;
    uint8_t *target = t->rows + (uint64_t)plane * t->plane_bytes;
    for (uint64_t x = 0; x < t->width; x += t->tile_width) {
        uint32_t tile = TIFFComputeTile(t->file, (uint32_t)x, y, 0, (uint16_t)plane);
        if (TIFFReadEncodedTile(t->file, tile, t->tile, (tmsize_t)size) != (tmsize_t)size) return 0;
        for (uint64_t row = 0; row < t->tile_height; row++)
            memcpy(target + row * t->row_bytes + x / t->tile_width * tile_row, t->tile + row * tile_row, tile_row);
    }
    return 1;
}

/* Reads what a row needs; rows are asked for from the first to the last. */
static inline int ctiff_fill(ctiff_tiff *t, uint32_t y) {
    if (y % t->rows_at_once != 0) return 1;
    int planes = t->is_separate ? t->samples : 1;
    if (!t->tile && planes == 1) return TIFFReadScanline(t->file, t->rows, y, 0) == 1;
    uint32_t rows = t->height - y < t->rows_at_once ? t->height - y : t->rows_at_once;
    for (int plane = 0; plane < planes; plane++) {
        if (t->tile) {
            if (!ctiff_read_tiles(t, y, plane)) return 0;
            continue;
        }
        uint32_t strip = TIFFComputeStrip(t->file, y, (uint16_t)plane);
        tmsize_t size = (tmsize_t)(t->row_bytes * rows);
        if (TIFFReadEncodedStrip(t->file, strip, t->rows + (uint64_t)plane * t->plane_bytes, size) != size) return 0;
    }
    return 1;
}

/* Reads all rows of wide samples once to find their range; to be called after ctiff_begin, before the first row.
 *   is_profiled: whether there is a profile that can be used.
 * Answers 0 when a part cannot be read, or when there is no memory. */
static inline int ctiff_measure(ctiff_tiff *t, int is_profiled) {
    if (!t->is_wide) return 1;
    int colours = t->kind == CTIFF_GREY ? 1 : 3, planes = t->is_separate ? colours : 1;
    uint64_t in_plane = t->is_separate ? 1 : (uint64_t)t->samples, used = t->is_separate ? 1 : (uint64_t)colours;
    uint64_t bytes = (uint64_t)t->bits / 8;
    char *nothing = NULL;
    uint32_t length = 0;
    t->range.nothing = NAN;
    if (TIFFFindField(t->file, CTIFF_GDAL_NODATA, TIFF_ANY)
        && TIFFGetField(t->file, CTIFF_GDAL_NODATA, &length, &nothing) && nothing && length > 0 && length < 64) {
        char text[64] = "";
        memcpy(text, nothing, length);
        t->range.nothing = ctiff_rounded(strtod(text, NULL), t->format, t->bits);
    }
    for (uint32_t y = 0; y < t->height; y++) {
        if (!ctiff_fill(t, y)) return 0;
        const uint8_t *first = t->rows + (uint64_t)(y % t->rows_at_once) * t->row_bytes;
        for (int plane = 0; plane < planes; plane++) {
            const uint8_t *row = first + (uint64_t)plane * t->plane_bytes;
            for (uint64_t x = 0; x < t->width; x++)
                for (uint64_t c = 0; c < used; c++)
                    ctiff_range_add(
                        &t->range, ctiff_sample(row + (x * in_plane + c) * bytes, t->format, t->bits),
                        ctiff_share(t, first, x));
        }
    }
    return ctiff_range_close(&t->range, t->format, t->kind == CTIFF_COLOUR, is_profiled);
}

/* Reads the next row, 4 bytes for each pixel: R, G, B and alpha, not multiplied; or the amounts of four inks. */
static inline int ctiff_row(ctiff_tiff *t, uint32_t y, uint8_t *out) {
    if (t->kind == CTIFF_MIXED) {
        memcpy(out, t->rows + y * t->row_bytes, t->row_bytes);
        return 1;
    }
    if (!ctiff_fill(t, y)) return 0;
    const uint8_t *row = t->rows + (uint64_t)(y % t->rows_at_once) * t->row_bytes;
    /* Where each sample of the first pixel is, and how far it is to the next one. */
    const uint8_t *at[64];
    uint64_t step = t->is_separate ? 1 : (uint64_t)t->samples, width = t->width;
    if (t->is_separate) {
        for (int c = 0; c < t->samples; c++)
            at[c] = ctiff_bytes_of(
                t, row + (uint64_t)c * t->plane_bytes, t->samples8 + (uint64_t)c * width, width, 1, c);
    } else {
        at[0] = ctiff_bytes_of(t, row, t->samples8, width * step, step, 0);
        for (int c = 1; c < t->samples; c++) at[c] = at[0] + c;
    }
    int flip = t->is_inverted ? 255 : 0, mask = (1 << (t->bits < 8 ? t->bits : 8)) - 1;
    const uint8_t *alpha = t->alpha == CTIFF_OPAQUE ? NULL : at[t->alpha_sample];
    /* Alpha of a palette's few bits was not spread. */
    int factor = t->kind == CTIFF_PALETTE ? 255 / mask : 1;
    for (uint64_t x = 0, i = 0; x < width; x++, i += step, out += 4) {
        const uint8_t *colour;
        switch (t->kind) {
        case CTIFF_GREY:
            out[0] = out[1] = out[2] = (uint8_t)(at[0][i] ^ flip);
            break;
        case CTIFF_PALETTE:
            colour = t->palette[at[0][i]];
            out[0] = colour[0], out[1] = colour[1], out[2] = colour[2];
            break;
        default: out[0] = at[0][i], out[1] = at[1][i], out[2] = at[2][i];
        }
        out[3] = t->kind == CTIFF_INK ? at[3][i] : alpha ? (uint8_t)(alpha[i] * factor) : 255;
        if (t->alpha == CTIFF_MULTIPLIED && !t->is_wide) ctiff_divide(out);
    }
    return 1;
}
