#pragma once
#include "shim.h"

/* Smaller versions of a page: in directories of its own (TIFF technical note 1), or behind it (TIFF 6.0, NewSubfileType), as
 * maps and the pictures of microscopes and libraries have them. */

/* Versions and directories that are looked at. */
enum { CTIFF_MOST_VERSIONS = 32 };

/* Whether the directory where libtiff stands may be drawn instead of a page, and is smaller than what was found so far.
 *   least: pixels of its longest side at least. */
static inline int ctiff_is_better(TIFF *file, const ctiff_tiff *page, uint32_t least, uint32_t best) {
    uint32_t width = 0, height = 0, kind = 0;
    if (!TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width) || !TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height)) return 0;
    TIFFGetFieldDefaulted(file, TIFFTAG_SUBFILETYPE, &kind);
    if (kind != FILETYPE_REDUCEDIMAGE || width < 1 || height < 1) return 0;
    if ((width > height ? width : height) < least || width >= best) return 0;
    /* Each halving may round, by a pixel of the smaller one. */
    double scale = (double)page->width / width, difference = page->height / scale - height;
    return difference > -2 && difference < 2;
}

/* Opens the smallest version of a page that is large enough; to be closed by ctiff_close.
 *   least: pixels of its longest side at least.
 * NULL when there is none, or when it is no picture of the same kind. */
static inline ctiff_tiff *ctiff_open_smaller(const ctiff_tiff *page, uint32_t least, uint64_t most) {
    if ((page->width > page->height ? page->width : page->height) <= least || page->is_wide) return NULL;
    uint64_t inside[CTIFF_MOST_VERSIONS], *offsets;
    uint16_t count = 0;
    if (!TIFFGetField(page->file, TIFFTAG_SUBIFD, &count, &offsets)) count = 0;
    if (count > CTIFF_MOST_VERSIONS) count = CTIFF_MOST_VERSIONS;
    if (count > 0) memcpy(inside, offsets, count * sizeof *inside);
    ctiff_tiff *t = ctiff_open_file(page->bytes, page->count, most);
    if (!t) return NULL;
    uint32_t best = page->width;
    uint64_t found = 0;
    for (int i = 0; i < count; i++) {
        if (!TIFFSetSubDirectory(t->file, inside[i]) || !ctiff_is_better(t->file, page, least, best)) continue;
        found = inside[i];
        TIFFGetField(t->file, TIFFTAG_IMAGEWIDTH, &best);
    }
    int is_there = TIFFSetDirectory(t->file, TIFFCurrentDirectory(page->file));
    for (int i = 0; is_there && i < CTIFF_MOST_VERSIONS && TIFFReadDirectory(t->file); i++) {
        uint32_t kind = 0;
        TIFFGetFieldDefaulted(t->file, TIFFTAG_SUBFILETYPE, &kind);
        /* Another page. */
        if (!(kind & FILETYPE_REDUCEDIMAGE)) break;
        if (!ctiff_is_better(t->file, page, least, best)) continue;
        found = TIFFCurrentDirOffset(t->file);
        TIFFGetField(t->file, TIFFTAG_IMAGEWIDTH, &best);
    }
    int is_read = found && TIFFSetSubDirectory(t->file, found) && ctiff_read_head(t, 0);
    /* What the page's other tags tell is not told again. */
    if (page->alpha == CTIFF_OPAQUE) ctiff_drop_guess(t);
    if (is_read && t->kind == page->kind && t->alpha == page->alpha && t->alpha_sample == page->alpha_sample && !t->is_wide)
        return t;
    ctiff_close(t);
    return NULL;
}
