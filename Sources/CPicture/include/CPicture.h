/* Pixels made smaller, and PNG. Plain C, since the loops are what a preview costs after it is drawn. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* How a pixel lies in memory; the numbers are those of VitrineKit's Bitmap.PixelFormat. */
typedef enum vp_pixel_format {
    VP_BGRA_PREMULTIPLIED = 0,
    VP_BGRX = 1,
    VP_RGBA = 2,
    VP_RGBX = 3,
} vp_pixel_format;

/* What the functions return. */
typedef enum vp_picture_status {
    VP_PICTURE_DONE = 0,
    VP_PICTURE_NO_MEMORY = 1,  /* the heap is exhausted */
    VP_PICTURE_NO_ROOM = 2,    /* the encoded picture does not fit into the memory given */
    VP_PICTURE_BAD_SIZE = 3,   /* a side is below 1, above VP_PICTURE_MAX_SIDE, or larger than the source's */
} vp_picture_status;

/* The largest side, in pixels; the same as Bitmap.maximumSide. */
#define VP_PICTURE_MAX_SIDE 32767

/* Pixels to read; owned by the caller. */
typedef struct vp_picture {
    const uint8_t *pixels;
    size_t stride;  /* bytes from row to row */
    int width, height;
    vp_pixel_format format;
} vp_picture;

/* Scales `source` to width x height, neither side larger than the source's, as R, G, B, A with colours not
 * multiplied by alpha, rows packed: `rgba` has room for width * height * 4 bytes. */
vp_picture_status vp_picture_scale(const vp_picture *source, int width, int height, uint8_t *rgba);

/* Writes packed R, G, B, A rows as a PNG: 8 bits a channel, not interlaced, no ancillary chunk.
 * On success *length is the number of bytes; otherwise the memory's content is undefined. */
vp_picture_status vp_png_encode(
    const uint8_t *rgba, int width, int height, uint8_t *memory, size_t capacity, size_t *length);
