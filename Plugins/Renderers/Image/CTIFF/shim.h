#pragma once
#include "file.h"

/* One page of a TIFF file, row by row, 8 bits a channel. libtiff unpacks the samples; what they mean is done here, since
 * its own way to RGBA multiplies colours by alpha and knows no greys with alpha of 16 bits. */

/* MARK: What the tags say */

/* The tag in which GDAL writes the value that stands for nothing, as text. */
enum { VT_GDAL_NODATA = 42113 };

static inline int vt_read_palette(vt_tiff *t) {
    uint16_t *channels[3];
    if (!TIFFGetField(t->file, TIFFTAG_COLORMAP, &channels[0], &channels[1], &channels[2])) return 0;
    /* Some programs write 8 bits where the specification has 16. */
    int is_wide = 0, entries = 1 << t->bits;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < entries; i++) is_wide |= channels[c][i] > 255;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < entries; i++)
            t->palette[i][c] = (uint8_t)(is_wide ? channels[c][i] >> 8 : channels[c][i]);
    return 1;
}

/* What numbers the samples are; 0 for what nothing is known of. */
static inline int vt_read_format(vt_tiff *t, uint16_t format) {
    switch (format) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID: t->format = VT_WHOLE; break;
    case SAMPLEFORMAT_INT: t->format = VT_SIGNED; break;
    case SAMPLEFORMAT_IEEEFP: t->format = VT_FRACTION; break;
    default: return 0;
    }
    t->is_wide = t->format != VT_WHOLE || t->bits > 16;
    return !t->is_wide || t->bits >= (t->format == VT_FRACTION ? 16 : 8);
}

/* Whether colours are brightness and two differences, in pieces that each have a part of the picture's, or in a JPEG whose
 * header lies elsewhere, as early programs of scanners wrote it; or inks in tiles of JPEG. libtiff's way to RGBA knows them. */
static inline int vt_is_mixed(uint16_t photometric, uint16_t compression, const vt_tiff *t) {
    if (t->is_wide || t->bits != 8) return 0;
    if (compression == COMPRESSION_OJPEG) return 1;
    if (photometric == PHOTOMETRIC_YCBCR) return compression != COMPRESSION_JPEG && t->samples == 3;
    return photometric == PHOTOMETRIC_SEPARATED && compression == COMPRESSION_JPEG && t->samples == 4;
}

static inline int vt_read_kind(vt_tiff *t) {
    uint16_t photometric, compression, planes, format, inks;
    if (!TIFFGetField(t->file, TIFFTAG_PHOTOMETRIC, &photometric)) return 0;
    TIFFGetFieldDefaulted(t->file, TIFFTAG_COMPRESSION, &compression);
    TIFFGetFieldDefaulted(t->file, TIFFTAG_PLANARCONFIG, &planes);
    TIFFGetFieldDefaulted(t->file, TIFFTAG_SAMPLEFORMAT, &format);
    if (!vt_read_format(t, format)) return 0;
    t->is_separate = planes == PLANARCONFIG_SEPARATE && t->samples > 1;
    if (vt_is_mixed(photometric, compression, t)) {
        t->kind = VT_MIXED;
        return 1;
    }
    int colours = 1;
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
        t->kind = VT_GREY;
        t->is_inverted = photometric == PHOTOMETRIC_MINISWHITE;
        break;
    case PHOTOMETRIC_PALETTE:
        t->kind = VT_PALETTE;
        if (t->bits > 8 || !vt_read_palette(t)) return 0;
        break;
    case PHOTOMETRIC_YCBCR:
        /* JPEG's decoder gives colours. */
        if (t->is_separate || t->samples != 3) return 0;
        if (!TIFFSetField(t->file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB)) return 0;
        t->kind = VT_COLOUR;
        colours = 3;
        break;
    case PHOTOMETRIC_RGB:
        t->kind = VT_COLOUR;
        colours = 3;
        break;
    case PHOTOMETRIC_SEPARATED:
        TIFFGetFieldDefaulted(t->file, TIFFTAG_INKSET, &inks);
        if (inks != INKSET_CMYK || compression == COMPRESSION_JPEG) return 0;
        t->kind = VT_INK;
        colours = 4;
        break;
    default: return 0;
    }
    if (t->samples < colours || (t->is_wide && t->kind != VT_GREY && t->kind != VT_COLOUR)) return 0;
    uint16_t extras, *meanings;
    TIFFGetFieldDefaulted(t->file, TIFFTAG_EXTRASAMPLES, &extras, &meanings);
    for (int i = 0; i < extras && colours + i < t->samples && t->kind != VT_INK; i++) {
        if (meanings[i] != EXTRASAMPLE_ASSOCALPHA && meanings[i] != EXTRASAMPLE_UNASSALPHA) continue;
        t->alpha = meanings[i] == EXTRASAMPLE_ASSOCALPHA ? VT_MULTIPLIED : VT_STRAIGHT;
        t->alpha_sample = colours + i;
        return 1;
    }
    /* One sample too many of which nothing is said is what other readers take it for; libtiff mostly calls it unspecified,
     * too, where the tag is missing. */
    if ((extras == 0 || (extras == 1 && meanings[0] == EXTRASAMPLE_UNSPECIFIED)) && t->samples == colours + 1
        && t->kind != VT_INK) {
        t->alpha = VT_STRAIGHT;
        t->alpha_sample = colours;
    }
    return 1;
}

/* What is to be known of the page; called by vt_open. Answers 0 for what ImageMagick is left with. */
static inline int vt_read_head(vt_tiff *t, uint64_t longest_profile) {
    uint16_t bits, samples, orientation;
    if (!TIFFGetField(t->file, TIFFTAG_IMAGEWIDTH, &t->width) || t->width < 1
        || !TIFFGetField(t->file, TIFFTAG_IMAGELENGTH, &t->height) || t->height < 1)
        return 0;
    TIFFGetFieldDefaulted(t->file, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(t->file, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(t->file, TIFFTAG_ORIENTATION, &orientation);
    if (bits < 1 || bits > 64 || (bits & (bits - 1)) != 0 || samples < 1 || samples > 64) return 0;
    t->bits = bits;
    t->samples = samples;
    t->orientation = orientation;
    if (!vt_read_kind(t)) return 0;
    void *profile;
    uint32_t length;
    /* libtiff mixes inks by rule, and the profile's are gone. ImageMagick keeps them, but reads no tiles of JPEG. */
    if (t->kind == VT_MIXED && t->samples == 4)
        return TIFFIsTiled(t->file) || !TIFFGetField(t->file, TIFFTAG_ICCPROFILE, &length, &profile);
    if (TIFFGetField(t->file, TIFFTAG_ICCPROFILE, &length, &profile) && length <= longest_profile) {
        t->profile = profile;
        t->profile_length = length;
    }
    return 1;
}

/* Reads a whole page through libtiff's way to RGBA. */
static inline int vt_mix(vt_tiff *t, uint64_t most) {
    t->row_bytes = (uint64_t)t->width * 4;
    t->rows_at_once = t->height;
    if (t->row_bytes > most / t->height) return 0;
    t->rows = calloc(t->height, t->row_bytes);
    return t->rows
        && TIFFReadRGBAImageOriented(t->file, t->width, t->height, (uint32_t *)(void *)t->rows, (int)t->orientation, 1);
}

/* Makes room for as many rows as are read at once; to be called once, before the first row.
 *   most: bytes for them at most. */
static inline int vt_begin(vt_tiff *t, uint64_t most) {
    uint64_t in_plane = t->is_separate ? 1 : (uint64_t)t->samples, planes = t->is_separate ? (uint64_t)t->samples : 1;
    uint64_t across = t->width;
    if (t->kind == VT_MIXED) return vt_mix(t, most);
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

/* Opens a page of a file that lies in memory, which must stay there. Memory for rows comes with vt_begin.
 * NULL when it is damaged, in a variety that is not read here, or when there is no memory. To be closed by vt_close.
 *   most: bytes that libtiff may take at once. */
static inline vt_tiff *vt_open(
    const uint8_t *bytes, uint64_t count, uint32_t page, uint64_t most, uint64_t longest_profile) {
    vt_tiff *t = calloc(1, sizeof *t);
    TIFFOpenOptions *options = t ? TIFFOpenOptionsAlloc() : NULL;
    if (!options) {
        free(t);
        return NULL;
    }
    t->bytes = bytes;
    t->count = count;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)most);
    TIFFOpenOptionsSetErrorHandlerExtR(options, vt_be_silent, NULL);
    TIFFOpenOptionsSetWarningHandlerExtR(options, vt_be_silent, NULL);
    t->file = TIFFClientOpenExt(
        "picture", "r", t, vt_read, vt_write, vt_seek, vt_end, vt_size, vt_map, vt_unmap, options);
    TIFFOpenOptionsFree(options);
    if (!t->file || (page > 0 && !TIFFSetDirectory(t->file, page)) || !vt_read_head(t, longest_profile)) {
        vt_close(t);
        return NULL;
    }
    return t;
}

/* MARK: Rows */

/* Samples of fewer bits than 8, from the highest bit on, each to a byte: indices as they are, light over the whole range. */
static inline void vt_spread(const uint8_t *from, uint8_t *to, uint64_t count, int bits, int is_index) {
    int mask = (1 << bits) - 1, factor = is_index ? 1 : 255 / mask, per_byte = 8 / bits;
    for (uint64_t i = 0; i < count; i++) {
        int shift = 8 - bits - (int)(i % (uint64_t)per_byte) * bits;
        to[i] = (uint8_t)((from[i / (uint64_t)per_byte] >> shift & mask) * factor);
    }
}

/* Samples of 16 bits, as libtiff has put them into the machine's order. */
static inline void vt_narrow(const uint8_t *from, uint8_t *to, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint16_t value;
        memcpy(&value, from + 2 * i, 2);
        to[i] = (uint8_t)((value * 255u + 32767u) / 65535u);
    }
}

/* The share by which a pixel's colours were multiplied when they were written: its alpha, or 1.
 *   row: of wide samples, of the first plane. */
static inline double vt_share(const vt_tiff *t, const uint8_t *row, uint64_t x) {
    if (t->alpha != VT_MULTIPLIED) return 1;
    uint64_t bytes = (uint64_t)t->bits / 8, sample = (uint64_t)t->alpha_sample;
    row += t->is_separate ? sample * t->plane_bytes + x * bytes : (x * (uint64_t)t->samples + sample) * bytes;
    return vt_wide_alpha(vt_sample(row, t->format, t->bits), t->format, t->bits);
}

/* Wide samples: those of a pixel one after the other, `step` of them, the first of which is the pixel's sample `first`. */
static inline void vt_place_in_range(
    const vt_tiff *t, const uint8_t *from, uint8_t *to, uint64_t count, uint64_t step, int first) {
    const uint8_t *row = from - (t->is_separate ? (uint64_t)first * t->plane_bytes : 0);
    for (uint64_t i = 0; i < count; i++) {
        double value = vt_sample(from + i * (uint64_t)t->bits / 8, t->format, t->bits);
        int is_alpha = t->alpha != VT_OPAQUE && first + (int)(i % step) == t->alpha_sample;
        to[i] = is_alpha ? (uint8_t)(vt_wide_alpha(value, t->format, t->bits) * 255 + 0.5)
                         : vt_range_step(&t->range, value / vt_share(t, row, i / step));
    }
}

/* The samples of a row, 8 bits each; of the plane of the sample `first`, or all planes in one. */
static inline const uint8_t *vt_bytes_of(
    vt_tiff *t, const uint8_t *row, uint8_t *room, uint64_t count, uint64_t step, int first) {
    if (t->is_wide) {
        vt_place_in_range(t, row, room, count, step, first);
        return room;
    }
    if (t->bits == 8) return row;
    if (t->bits == 16)
        vt_narrow(row, room, count);
    else
        vt_spread(row, room, count, t->bits, t->kind == VT_PALETTE);
    return room;
}

static inline int vt_read_tiles(vt_tiff *t, uint32_t y, int plane) {
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
static inline int vt_fill(vt_tiff *t, uint32_t y) {
    if (y % t->rows_at_once != 0) return 1;
    int planes = t->is_separate ? t->samples : 1;
    if (!t->tile && planes == 1) return TIFFReadScanline(t->file, t->rows, y, 0) == 1;
    uint32_t rows = t->height - y < t->rows_at_once ? t->height - y : t->rows_at_once;
    for (int plane = 0; plane < planes; plane++) {
        if (t->tile) {
            if (!vt_read_tiles(t, y, plane)) return 0;
            continue;
        }
        uint32_t strip = TIFFComputeStrip(t->file, y, (uint16_t)plane);
        tmsize_t size = (tmsize_t)(t->row_bytes * rows);
        if (TIFFReadEncodedStrip(t->file, strip, t->rows + (uint64_t)plane * t->plane_bytes, size) != size) return 0;
    }
    return 1;
}

/* Reads all rows of wide samples once to find their range; to be called after vt_begin, before the first row.
 *   is_profiled: whether there is a profile that can be used.
 * Answers 0 when a part cannot be read, or when there is no memory. */
static inline int vt_measure(vt_tiff *t, int is_profiled) {
    if (!t->is_wide) return 1;
    int colours = t->kind == VT_GREY ? 1 : 3, planes = t->is_separate ? colours : 1;
    uint64_t in_plane = t->is_separate ? 1 : (uint64_t)t->samples, used = t->is_separate ? 1 : (uint64_t)colours;
    uint64_t bytes = (uint64_t)t->bits / 8;
    char *nothing = NULL;
    uint32_t length = 0;
    t->range.nothing = NAN;
    if (TIFFFindField(t->file, VT_GDAL_NODATA, TIFF_ANY)
        && TIFFGetField(t->file, VT_GDAL_NODATA, &length, &nothing) && nothing && length > 0 && length < 64) {
        char text[64] = "";
        memcpy(text, nothing, length);
        t->range.nothing = vt_rounded(strtod(text, NULL), t->format, t->bits);
    }
    for (uint32_t y = 0; y < t->height; y++) {
        if (!vt_fill(t, y)) return 0;
        const uint8_t *first = t->rows + (uint64_t)(y % t->rows_at_once) * t->row_bytes;
        for (int plane = 0; plane < planes; plane++) {
            const uint8_t *row = first + (uint64_t)plane * t->plane_bytes;
            for (uint64_t x = 0; x < t->width; x++)
                for (uint64_t c = 0; c < used; c++)
                    vt_range_add(
                        &t->range, vt_sample(row + (x * in_plane + c) * bytes, t->format, t->bits),
                        vt_share(t, first, x));
        }
    }
    return vt_range_close(&t->range, t->format, t->kind == VT_COLOUR, is_profiled);
}

/* Gives colours that were multiplied by their alpha back what they lost; of wide samples it is done before they are narrow. */
static inline void vt_divide(uint8_t *pixel) {
    int alpha = pixel[3];
    if (alpha == 0 || alpha == 255) return;
    for (int c = 0; c < 3; c++) {
        int colour = (pixel[c] * 255 + alpha / 2) / alpha;
        pixel[c] = (uint8_t)(colour > 255 ? 255 : colour);
    }
}

/* Reads the next row, 4 bytes for each pixel: R, G, B and alpha, not multiplied; or the amounts of four inks. */
static inline int vt_row(vt_tiff *t, uint32_t y, uint8_t *out) {
    if (t->kind == VT_MIXED) {
        memcpy(out, t->rows + y * t->row_bytes, t->row_bytes);
        return 1;
    }
    if (!vt_fill(t, y)) return 0;
    const uint8_t *row = t->rows + (uint64_t)(y % t->rows_at_once) * t->row_bytes;
    /* Where each sample of the first pixel is, and how far it is to the next one. */
    const uint8_t *at[64];
    uint64_t step = t->is_separate ? 1 : (uint64_t)t->samples, width = t->width;
    if (t->is_separate) {
        for (int c = 0; c < t->samples; c++)
            at[c] = vt_bytes_of(
                t, row + (uint64_t)c * t->plane_bytes, t->samples8 + (uint64_t)c * width, width, 1, c);
    } else {
        at[0] = vt_bytes_of(t, row, t->samples8, width * step, step, 0);
        for (int c = 1; c < t->samples; c++) at[c] = at[0] + c;
    }
    int flip = t->is_inverted ? 255 : 0, mask = (1 << (t->bits < 8 ? t->bits : 8)) - 1;
    const uint8_t *alpha = t->alpha == VT_OPAQUE ? NULL : at[t->alpha_sample];
    /* Alpha of a palette's few bits was not spread. */
    int factor = t->kind == VT_PALETTE ? 255 / mask : 1;
    for (uint64_t x = 0, i = 0; x < width; x++, i += step, out += 4) {
        const uint8_t *colour;
        switch (t->kind) {
        case VT_GREY:
            out[0] = out[1] = out[2] = (uint8_t)(at[0][i] ^ flip);
            break;
        case VT_PALETTE:
            colour = t->palette[at[0][i]];
            out[0] = colour[0], out[1] = colour[1], out[2] = colour[2];
            break;
        default: out[0] = at[0][i], out[1] = at[1][i], out[2] = at[2][i];
        }
        out[3] = t->kind == VT_INK ? at[3][i] : alpha ? (uint8_t)(alpha[i] * factor) : 255;
        if (t->alpha == VT_MULTIPLIED && !t->is_wide) vt_divide(out);
    }
    return 1;
}
