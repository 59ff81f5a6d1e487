#pragma once
#include <lcms2.h>

/* lcms describes pixels by macros, which Swift cannot import. All have four bytes, so that a transform can work in
 * place; the fourth is alpha and stays as it is, save in CMYK. */
static inline cmsUInt32Number clcms_format_rgb(void) { return TYPE_RGBA_8; }
static inline cmsUInt32Number clcms_format_bgr(void) { return TYPE_BGRA_8; }
static inline cmsUInt32Number clcms_format_cmyk(void) { return TYPE_CMYK_8; }
/* Grey in the first byte; the three after it are not read. */
static inline cmsUInt32Number clcms_format_gray(void) {
    return COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(1);
}
