/* What the tight loops share: the list of files, pixels to PNG, the answer for each file. A loop is the least that a
 * careful user of a library would write: one process, one thread, no checks of what it reads, no containment. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* How a pixel lies in memory. */
typedef enum loop_format {
    LOOP_RGBA,               /* colours not multiplied by alpha */
    LOOP_BGRX,               /* the fourth byte means nothing */
    LOOP_RGBX,               /* the same */
    LOOP_BGRA_PREMULTIPLIED,
} loop_format;

/* A picture of the final size. `pixels` comes from malloc and is freed by loop_main. */
typedef struct loop_picture {
    uint8_t *pixels;
    size_t stride;
    int width, height;
    loop_format format;
} loop_picture;

/* One library. */
typedef struct loop {
    /* Sets the library up; `scratch` is a folder to write in. Returns 0 when it cannot be used. */
    int (*start)(const char *scratch);
    /* Draws a file so that it fits a square of `box` pixels. Returns 0 when it cannot. */
    int (*render)(const char *path, int box, loop_picture *picture);
} loop;

/* Draws every file named on standard input, each name ended by a NUL, and encodes it as PNG in memory. Writes a byte
 * for each: '+' done, '-' not. Arguments: BOX SCRATCH. Returns the program's exit status. */
int loop_main(int argc, char **argv, const loop *library);

/* Scales what a library decoded to fit the box, with Vitrine's own scaler, so that both end in the same picture. The
 * source is not freed. Returns 0 when it cannot. */
int loop_scale(const loop_picture *source, int box, loop_picture *picture);

/* Halves a page that was drawn twice as large, as Vitrine's pages up to 512 pixels are. Returns 0 when it cannot. */
int loop_halve(loop_picture *picture);

/* How many times larger than the box a page is drawn. */
static inline int loop_page_factor(int box) { return box <= 512 ? 2 : 1; }

/* Bytes of a file, mapped; `count` is 0 and NULL is returned when there are none. */
const uint8_t *loop_map(const char *path, size_t *count);
void loop_unmap(const uint8_t *bytes, size_t count);

/* The size that fits the box. Without `enlarging` it is never larger than the picture. Returns 0 for no usable size. */
int loop_fit(double width, double height, int box, int enlarging, int *fitted_width, int *fitted_height);
