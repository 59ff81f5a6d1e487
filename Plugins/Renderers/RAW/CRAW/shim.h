#pragma once
#include <libraw/libraw.h>

/* The bytes of a picture, which follow its description; an array of one in C. */
static inline const unsigned char *craw_bytes(const libraw_processed_image_t *image) { return image->data; }
