#pragma once
#include <libraw/libraw.h>

/* Who made the camera, and what it is called: texts that libraw ends with a zero, arrays in C. */
static inline const char *craw_maker(const libraw_data_t *raw) { return raw->idata.make; }
static inline const char *craw_model(const libraw_data_t *raw) { return raw->idata.model; }

/* The bytes of a picture, which follow its description; an array of one in C. */
static inline const unsigned char *craw_bytes(const libraw_processed_image_t *image) { return image->data; }
