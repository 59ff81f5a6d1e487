/* Pixels made smaller, and PNG. Plain C, since the loops are what a preview costs after it is drawn. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* How a pixel lies in memory; the numbers are those of VitrineKit's Bitmap.PixelFormat. */
typedef enum cpicture_pixel_format {
    CPICTURE_BGRA_PREMULTIPLIED = 0,
    CPICTURE_BGRX = 1,
    CPICTURE_RGBA = 2,
    CPICTURE_RGBX = 3,
} cpicture_pixel_format;

/* What the functions return. */
typedef enum cpicture_status {
    CPICTURE_DONE = 0,
    CPICTURE_NO_MEMORY = 1,  /* the heap is exhausted */
    CPICTURE_NO_ROOM = 2,    /* the encoded picture does not fit into the memory given */
    CPICTURE_BAD_SIZE = 3,   /* a side is below 1, above CPICTURE_MAX_SIDE, or larger than the source's */
    CPICTURE_LIBRARY = 4,    /* libpng refused */
} cpicture_status;

/* The largest side, in pixels; the same as Bitmap.maximumSide. */
#define CPICTURE_MAX_SIDE 32767

/* Pixels to read; owned by the caller. */
typedef struct cpicture_source {
    const uint8_t *pixels;
    size_t stride;  /* bytes from row to row */
    int width, height;
    cpicture_pixel_format format;
} cpicture_source;

/* Scales `source` to width x height, neither side larger than the source's, as R, G, B, A with colours not
 * multiplied by alpha, rows packed: `rgba` has room for width * height * 4 bytes. */
cpicture_status cpicture_scale(const cpicture_source *source, int width, int height, uint8_t *rgba);

/* Whether packed R, G, B, A are of one colour: no channel, alpha included, differs by more than `most`, of 255, between
 * any two pixels. Colours that cannot be seen count. */
int cpicture_is_plain(const uint8_t *rgba, size_t pixels, int most);

/* Writes packed R, G, B, A rows as a PNG: 8 bits a channel, not interlaced, no ancillary chunk.
 * On success *length is the number of bytes; otherwise the memory's content is undefined. */
cpicture_status cpicture_png_encode(
    const uint8_t *rgba, int width, int height, uint8_t *memory, size_t capacity, size_t *length);

/* MARK: Finishing. Pictures are packed rows of R, G, B, A, colours not multiplied by alpha. */

/* Reads a PNG of any kind as packed R, G, B, A into memory that the caller frees. `most` bounds width * height. */
cpicture_status cpicture_png_decode(
    const uint8_t *png, size_t length, size_t most, int *width, int *height, uint8_t **rgba);

/* Lays a picture on a colour, so that it is opaque. */
void cpicture_flatten(uint8_t *rgba, size_t pixels, uint8_t red, uint8_t green, uint8_t blue);

/* Lays a picture over an opaque canvas at x, y; what lies outside is left out. */
void cpicture_lay_over(
    uint8_t *canvas, int canvas_width, int canvas_height, int x, int y, const uint8_t *rgba, int width, int height);

/* Fills a rectangle of a canvas with a colour of which `alpha` / 255 is laid over; what lies outside is left out. */
void cpicture_fill(
    uint8_t *canvas, int canvas_width, int canvas_height, int x, int y, int width, int height, const uint8_t *rgba);

/* Scales a picture up, with slopes between its pixels: `to` has room for to_width * to_height pixels. All sides are at least
 * 1, those of the result at least as large. */
void cpicture_enlarge(const uint8_t *rgba, int width, int height, int to_width, int to_height, uint8_t *to);

/* Writes digits, ':', '.', '-' and '+' into a canvas, `height` pixels high, with the middle of the text at x and its top at y.
 * Anything else takes the room of a digit and stays empty. */
void cpicture_write_label(
    uint8_t *canvas, int canvas_width, int canvas_height, double x, double y, double height, const char *text,
    const uint8_t *rgb);

/* Where the best part of a picture begins when `length` lines of it are kept: columns when `is_wide`, else rows.
 * By attention: edges, colour, and skin before other colours; else by the entropy of brightness. */
int cpicture_best_part(const uint8_t *rgba, int width, int height, int is_wide, int length, int by_attention);

#define CPICTURE_THUMBHASH_MAX 32

/* Writes the ThumbHash of a picture of at most 100 pixels a side: some 25 bytes that a program can draw a blurred
 * placeholder from. Returns their number, 0 when there is no memory. */
size_t cpicture_thumbhash(const uint8_t *rgba, int width, int height, uint8_t hash[CPICTURE_THUMBHASH_MAX]);

/* MARK: The encoders of Sources/CEncoders, mapped when they are needed. */

/* Maps the library, once a process. Returns NULL, or why it cannot be, valid until the next call. */
const char *cpicture_load_encoders(const char *path);

/* As cencoders_encode_v1 and cencoders_encode_loop_v1 of CEncoders.h, whose statuses they return; the library must be loaded. */
int cpicture_encode(
    int format, const uint8_t *rgba, int width, int height, int quality, uint8_t *memory, size_t capacity,
    size_t *length);
int cpicture_encode_loop(
    const uint8_t *rgba, int count, int width, int height, int quality, int milliseconds, uint8_t *memory,
    size_t capacity, size_t *length);
