#ifndef CLITEHTML_H
#define CLITEHTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// litehtml is a library in C++ that lays pages out and asks somebody else to draw them. This is its interface in C. Lengths are
// pixels of CSS, from the upper left corner of the page.

#ifdef __cplusplus
extern "C" {
#endif

/// A rectangle.
typedef struct {
    int x, y, width, height;
} clitehtml_box;

/// How round a rectangle's corners are: half-axes, clockwise from the upper left.
typedef struct {
    int across[4], down[4];
} clitehtml_corners;

/// A colour that is not premultiplied, from 0 to 255.
typedef struct {
    uint8_t red, green, blue, alpha;
} clitehtml_colour;

/// How a line is drawn.
typedef enum { clitehtml_line_none, clitehtml_line_solid, clitehtml_line_dotted, clitehtml_line_dashed } clitehtml_line;

/// One side of a border.
typedef struct {
    int width;
    clitehtml_line line;
    clitehtml_colour colour;
} clitehtml_edge;

/// What a font takes of a line.
typedef struct {
    int height, ascent, descent, x_height;
} clitehtml_metrics;

/// A font as a style sheet asks for it.
typedef struct {
    /// Names, separated by commas.
    const char *families;
    /// Pixels to the em.
    int size;
    /// 100 to 900.
    int weight;
    bool is_italic, is_underlined, is_struck, is_overlined;
} clitehtml_font;

/// What text-transform of CSS asks for.
typedef enum { clitehtml_capitalized, clitehtml_upper, clitehtml_lower } clitehtml_letters;

/// Who measures and draws. Each function is called on the thread of whom called clitehtml_open or clitehtml_draw, with `context`
/// first; texts end with a zero and are valid during the call. Fonts are numbers that `font` gives out.
typedef struct {
    void *context;
    uintptr_t (*font)(void *context, clitehtml_font font, clitehtml_metrics *metrics);
    int (*text_width)(void *context, const char *text, uintptr_t font);
    void (*text)(void *context, const char *text, uintptr_t font, clitehtml_colour colour, clitehtml_box line);
    /// What is drawn next is in no line with what was drawn last.
    void (*end_line)(void *context);
    /// Returns a text that is freed with free(), or NULL to leave it.
    char *(*transform)(void *context, const char *text, clitehtml_letters letters);
    /// A style sheet by its address; returns a text that is freed with free().
    char *(*style)(void *context, const char *address);
    /// The size of a picture by its address; false where it cannot be had.
    bool (*picture_size)(void *context, const char *address, int *width, int *height);
    /// place: of its first copy; it is repeated to fill `clip` where that is asked for.
    void (*picture)(
        void *context, const char *address, clitehtml_box clip, clitehtml_box place, bool repeats_across, bool repeats_down);
    void (*fill)(void *context, clitehtml_box box, clitehtml_box clip, clitehtml_corners corners, clitehtml_colour colour);
    /// A mark of a list: a disc, or a ring, or a square.
    void (*disc)(void *context, clitehtml_box box, clitehtml_colour colour, bool is_filled);
    /// edges: left, top, right, bottom.
    void (*border)(void *context, clitehtml_box box, clitehtml_corners corners, const clitehtml_edge edges[4]);
    void (*clip)(void *context, clitehtml_box box, clitehtml_corners corners);
    void (*unclip)(void *context);
    void (*title)(void *context, const char *title);
} clitehtml_canvas;

/// A page that is laid out.
typedef struct clitehtml_page clitehtml_page;

/// Why a page cannot be laid out.
typedef enum { clitehtml_damaged, clitehtml_lacks_memory, clitehtml_too_deep } clitehtml_failure;

/// Reads a page and lays it out in a window. html, style: UTF-8; style is the browser's own style sheet. canvas: copied; its context
/// has to live as long as the page. Returns NULL when that fails, and why; else to be freed with clitehtml_close. Pages of more than
/// 20,000 elements, or with elements more than 200 deep, tables more than 6, or cells that span more than 100,000 fields, are too
/// deep: they are laid out by functions that call themselves, and each table asks for the widths of all that is in it several times.
clitehtml_page *clitehtml_open(
    const char *html, const char *style, const clitehtml_canvas *canvas, int width, int height, clitehtml_failure *failure);

/// Draws what of the page is in the window. Returns whether that worked.
bool clitehtml_draw(clitehtml_page *page);

/// Frees a page.
void clitehtml_close(clitehtml_page *page);

#ifdef __cplusplus
}
#endif

#endif
