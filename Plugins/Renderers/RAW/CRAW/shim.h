#pragma once
#include <libraw/libraw.h>

/* Who made the camera, and what it is called: arrays in C. They end with a zero, whatever the file holds. */
static inline const char *craw_maker(libraw_data_t *raw) {
    raw->idata.make[sizeof raw->idata.make - 1] = 0;
    return raw->idata.make;
}
static inline const char *craw_model(libraw_data_t *raw) {
    raw->idata.model[sizeof raw->idata.model - 1] = 0;
    return raw->idata.model;
}

/* The bytes of a picture, which follow its description; an array of one in C. */
static inline const unsigned char *craw_bytes(const libraw_processed_image_t *image) { return image->data; }
