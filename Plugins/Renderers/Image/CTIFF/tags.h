#pragma once
#include "file.h"

/* What the tags of a page say: what its samples are, and what they mean. */

/* The tag in which GDAL writes the value that stands for nothing, as text. */
enum { CTIFF_GDAL_NODATA = 42113 };
/* The tag that says which part of the earth the picture shows (GeoTIFF). */
enum { CTIFF_GEO_KEYS = 34735 };

/* Takes the sample that may be alpha for something else. */
static inline void ctiff_drop_guess(ctiff_tiff *t) {
    if (!t->alpha_is_guessed) return;
    t->alpha = CTIFF_OPAQUE;
    t->alpha_sample = 0;
}

/* Whether the page shows a part of the earth. */
static inline int ctiff_is_map(const ctiff_tiff *t) {
    uint32_t count = 0;
    void *keys = NULL;
    return TIFFFindField(t->file, CTIFF_GEO_KEYS, TIFF_ANY)
        && TIFFGetField(t->file, CTIFF_GEO_KEYS, &count, &keys) && count > 0;
}

static inline int ctiff_read_palette(ctiff_tiff *t) {
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
static inline int ctiff_read_format(ctiff_tiff *t, uint16_t format) {
    switch (format) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID: t->format = CTIFF_WHOLE; break;
    case SAMPLEFORMAT_INT: t->format = CTIFF_SIGNED; break;
    case SAMPLEFORMAT_IEEEFP: t->format = CTIFF_FRACTION; break;
    default: return 0;
    }
    t->is_wide = t->format != CTIFF_WHOLE || t->bits > 16;
    return !t->is_wide || t->bits >= (t->format == CTIFF_FRACTION ? 16 : 8);
}

/* Whether colours are brightness and two differences, in pieces that each have a part of the picture's, or in a JPEG whose
 * header lies elsewhere, as early programs of scanners wrote it; or inks in tiles of JPEG. libtiff's way to RGBA knows them. */
static inline int ctiff_is_mixed(uint16_t photometric, uint16_t compression, const ctiff_tiff *t) {
    if (t->is_wide || t->bits != 8) return 0;
    if (compression == COMPRESSION_OJPEG) return 1;
    if (photometric == PHOTOMETRIC_YCBCR) return compression != COMPRESSION_JPEG && t->samples == 3;
    return photometric == PHOTOMETRIC_SEPARATED && compression == COMPRESSION_JPEG && t->samples == 4;
}

static inline int ctiff_read_kind(ctiff_tiff *t) {
    uint16_t photometric, compression, planes, format, inks;
    if (!TIFFGetField(t->file, TIFFTAG_PHOTOMETRIC, &photometric)) return 0;
    TIFFGetFieldDefaulted(t->file, TIFFTAG_COMPRESSION, &compression);
    TIFFGetFieldDefaulted(t->file, TIFFTAG_PLANARCONFIG, &planes);
    TIFFGetFieldDefaulted(t->file, TIFFTAG_SAMPLEFORMAT, &format);
    if (!ctiff_read_format(t, format)) return 0;
    t->is_separate = planes == PLANARCONFIG_SEPARATE && t->samples > 1;
    if (ctiff_is_mixed(photometric, compression, t)) {
        t->kind = CTIFF_MIXED;
        return 1;
    }
    int colours = 1;
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
        t->kind = CTIFF_GREY;
        t->is_inverted = photometric == PHOTOMETRIC_MINISWHITE;
        break;
    case PHOTOMETRIC_PALETTE:
        t->kind = CTIFF_PALETTE;
        if (t->bits > 8 || !ctiff_read_palette(t)) return 0;
        break;
    case PHOTOMETRIC_YCBCR:
        /* JPEG's decoder gives colours. */
        if (t->is_separate || t->samples != 3) return 0;
        if (!TIFFSetField(t->file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB)) return 0;
        t->kind = CTIFF_COLOUR;
        colours = 3;
        break;
    case PHOTOMETRIC_RGB:
        t->kind = CTIFF_COLOUR;
        colours = 3;
        break;
    case PHOTOMETRIC_SEPARATED:
        TIFFGetFieldDefaulted(t->file, TIFFTAG_INKSET, &inks);
        if (inks != INKSET_CMYK || compression == COMPRESSION_JPEG) return 0;
        t->kind = CTIFF_INK;
        colours = 4;
        break;
    default: return 0;
    }
    if (t->samples < colours || (t->is_wide && t->kind != CTIFF_GREY && t->kind != CTIFF_COLOUR)) return 0;
    uint16_t extras, *meanings;
    TIFFGetFieldDefaulted(t->file, TIFFTAG_EXTRASAMPLES, &extras, &meanings);
    for (int i = 0; i < extras && colours + i < t->samples && t->kind != CTIFF_INK; i++) {
        if (meanings[i] != EXTRASAMPLE_ASSOCALPHA && meanings[i] != EXTRASAMPLE_UNASSALPHA) continue;
        t->alpha = meanings[i] == EXTRASAMPLE_ASSOCALPHA ? CTIFF_MULTIPLIED : CTIFF_STRAIGHT;
        t->alpha_sample = colours + i;
        return 1;
    }
    /* One sample too many of which nothing is said is what other readers take it for; libtiff mostly calls it unspecified,
     * too, where the tag is missing. */
    if ((extras == 0 || (extras == 1 && meanings[0] == EXTRASAMPLE_UNSPECIFIED)) && t->samples == colours + 1
        && t->kind != CTIFF_INK) {
        t->alpha = CTIFF_STRAIGHT;
        t->alpha_sample = colours;
        t->alpha_is_guessed = 1;
        /* Cameras in the air write the light there that nobody sees. */
        if (ctiff_is_map(t)) ctiff_drop_guess(t);
    }
    return 1;
}

/* What is to be known of the page; called by ctiff_open. Answers 0 for what ImageMagick is left with. */
static inline int ctiff_read_head(ctiff_tiff *t, uint64_t longest_profile) {
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
    if (!ctiff_read_kind(t)) return 0;
    void *profile;
    uint32_t length;
    /* libtiff mixes inks by rule, and the profile's are gone. ImageMagick keeps them, but reads no tiles of JPEG. */
    if (t->kind == CTIFF_MIXED && t->samples == 4)
        return TIFFIsTiled(t->file) || !TIFFGetField(t->file, TIFFTAG_ICCPROFILE, &length, &profile);
    if (TIFFGetField(t->file, TIFFTAG_ICCPROFILE, &length, &profile) && length <= longest_profile) {
        t->profile = profile;
        t->profile_length = length;
    }
    return 1;
}
