/* Sheets of paper that pango writes on, for the loops over texts and names. Lengths are in millimetres. */
#pragma once
#include <cairo.h>
#include <loop.h>

typedef struct loop_page {
    cairo_t *context;
    cairo_surface_t *surface;
} loop_page;

/* A4. */
#define LOOP_PAPER_WIDTH 210.0
#define LOOP_PAPER_HEIGHT 297.0

/* Opens a white page that becomes `picture`. Returns 0 when it cannot. */
int loop_open_page(loop_page *page, int box, double width, double height, loop_picture *picture);

/* Ends drawing. Returns 0 when something failed. */
int loop_close_page(loop_page *page);

/* Writes a text, broken into lines at `width`, the first baseline at y, until a baseline would lie below `bottom`. Answers
 * the baseline that would come next. */
double loop_write(
    loop_page *page, const char *text, int count, const char *family, double size, double x, double y, double width,
    double bottom);

/* Valid UTF-8 of at most 64 KiB from the beginning of a file; the caller frees it. NULL when there is none. */
char *loop_text(const char *path, int *count);
