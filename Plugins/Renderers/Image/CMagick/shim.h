#pragma once
/* As pkg-config's flags say; SwiftPM does not pass them on. */
#define MAGICKCORE_QUANTUM_DEPTH 16
#define MAGICKCORE_HDRI_ENABLE 0
#include <lcms2.h>
#include <wand/MagickWand.h>

/* lcms describes pixels by macros, which Swift cannot import. All have four bytes, so that a transform can work in
 * place; the fourth is alpha and stays as it is, save in CMYK. */
static inline cmsUInt32Number vm_format_rgb(void) { return TYPE_RGBA_8; }
static inline cmsUInt32Number vm_format_cmyk(void) { return TYPE_CMYK_8; }
/* Grey in the first byte; the three after it are not read. */
static inline cmsUInt32Number vm_format_gray(void) {
    return COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(1);
}

/* Memory with a descriptor; Swift's Glibc module lacks it. -1 and errno when it cannot be had. */
int memfd_create(const char *name, unsigned int flags);

/* Reads a picture both as memory and under a name, for the one coder that takes the bytes' existence from the former
 * and opens the latter; MagickWand offers only one of the two. Returns a wand of the caller's, or NULL and why in
 * `exception`. */
static inline MagickWand *vm_read_named(
    const char *name, const void *bytes, size_t count, int sizes_only, ExceptionInfo *exception) {
    ImageInfo *info = AcquireImageInfo();
    CopyMagickString(info->filename, name, MaxTextExtent);
    SetImageInfoBlob(info, bytes, count);
    Image *image = sizes_only ? PingImage(info, exception) : ReadImage(info, exception);
    MagickWand *wand = image ? NewMagickWandFromImage(image) : NULL;
    if (image) DestroyImageList(image);
    DestroyImageInfo(info);
    return wand;
}
