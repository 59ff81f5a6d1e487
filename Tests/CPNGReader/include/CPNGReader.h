/* libpng's own reader, so that tests see a picture as any other program sees it. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Width and height of a PNG that libpng reads without a complaint; 0 on success. */
int cpngreader_size(const uint8_t *png, size_t length, int *width, int *height);

/* Reads all pixels as packed R, G, B, A into width * height * 4 bytes; 0 on success. */
int cpngreader_pixels(const uint8_t *png, size_t length, uint8_t *rgba, size_t capacity);
