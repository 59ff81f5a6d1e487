#pragma once
/* As pkg-config's flags say; SwiftPM does not pass them on. */
#define MAGICKCORE_QUANTUM_DEPTH 16
#define MAGICKCORE_HDRI_ENABLE 0
/* First, since ImageMagick asks for other variants of the C library's types than Swift does. */
#include <stdlib.h>
#include <wand/MagickWand.h>

/* Memory with a descriptor; Swift's Glibc module lacks it. -1 and errno when it cannot be had. */
int cmagick_memory(const char *name, unsigned int flags) __asm__("memfd_create");

/* Reads a picture both as memory and under a name, for the one coder that takes the bytes' existence from the former
 * and opens the latter; MagickWand offers only one of the two. Returns a wand of the caller's, or NULL and why in
 * `exception`. */
static inline MagickWand *cmagick_read_named(
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
