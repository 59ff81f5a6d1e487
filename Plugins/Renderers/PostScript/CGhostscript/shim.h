#pragma once
/* First: Ghostscript's header of its display device leaves it out. */
#include <stddef.h>
#include <ghostscript/iapi.h>
#include <ghostscript/gdevdsp.h>
#include <ghostscript/gserrors.h>

/* Pixels of four bytes, blue first, rows from the top. */
static inline unsigned int cghostscript_format(void) {
    return DISPLAY_COLORS_RGB | DISPLAY_UNUSED_LAST | DISPLAY_DEPTH_8 | DISPLAY_LITTLEENDIAN | DISPLAY_TOPFIRST;
}
