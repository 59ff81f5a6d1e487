/* Encoders of finished pictures. A library of its own, which only the worker maps that finishes pictures: what these
 * libraries cost at the start is not paid by workers that render. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* What the functions return. */
typedef enum cencoders_encoded {
    CENCODERS_ENCODED = 0,
    CENCODERS_NO_MEMORY = 1,
    CENCODERS_NO_ROOM = 2, /* the encoded picture does not fit into the memory given */
    CENCODERS_REFUSED = 3, /* the library refused, such as a side above its limit */
} cencoders_encoded;

/* Formats; the order of Finishing's PictureFormat without PNG. */
enum { CENCODERS_JPEG = 1, CENCODERS_WEBP = 2, CENCODERS_AVIF = 3 };

/* Encodes packed R, G, B, A. JPEG leaves alpha out. Quality is 1 to 100. No metadata is written. */
int cencoders_encode_v1(
    int format, const uint8_t *rgba, int width, int height, int quality, uint8_t *memory, size_t capacity,
    size_t *length);

/* Encodes pictures of one size, one after the other in `rgba`, as a WebP that shows each for so many milliseconds, for
 * ever. */
int cencoders_encode_loop_v1(
    const uint8_t *rgba, int count, int width, int height, int quality, int milliseconds, uint8_t *memory,
    size_t capacity, size_t *length);
