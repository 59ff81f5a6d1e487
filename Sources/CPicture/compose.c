#include "CPicture.h"
#include <math.h>

static inline uint8_t blend(unsigned over, unsigned under, unsigned alpha) {
    unsigned sum = over * alpha + under * (255 - alpha) + 127;
    return (uint8_t)(sum / 255);
}

void cpicture_flatten(uint8_t *rgba, size_t pixels, uint8_t red, uint8_t green, uint8_t blue) {
    for (size_t i = 0; i < pixels; i++, rgba += 4) {
        unsigned alpha = rgba[3];
        if (alpha == 255) continue;
        rgba[0] = blend(rgba[0], red, alpha);
        rgba[1] = blend(rgba[1], green, alpha);
        rgba[2] = blend(rgba[2], blue, alpha);
        rgba[3] = 255;
    }
}

static inline void lay(uint8_t *to, const uint8_t *colour, unsigned alpha) {
    for (int c = 0; c < 3; c++) to[c] = blend(colour[c], to[c], alpha);
}

void cpicture_lay_over(
    uint8_t *canvas, int canvas_width, int canvas_height, int x, int y, const uint8_t *rgba, int width, int height) {
    for (int row = 0; row < height; row++) {
        if (y + row < 0 || y + row >= canvas_height) continue;
        for (int column = 0; column < width; column++) {
            if (x + column < 0 || x + column >= canvas_width) continue;
            const uint8_t *from = rgba + ((size_t)row * (size_t)width + (size_t)column) * 4;
            lay(canvas + ((size_t)(y + row) * (size_t)canvas_width + (size_t)(x + column)) * 4, from, from[3]);
        }
    }
}

void cpicture_fill(
    uint8_t *canvas, int canvas_width, int canvas_height, int x, int y, int width, int height, const uint8_t *rgba) {
    int right = x + width < canvas_width ? x + width : canvas_width;
    int bottom = y + height < canvas_height ? y + height : canvas_height;
    for (int row = y < 0 ? 0 : y; row < bottom; row++)
        for (int column = x < 0 ? 0 : x; column < right; column++)
            lay(canvas + ((size_t)row * (size_t)canvas_width + (size_t)column) * 4, rgba, rgba[3]);
}

/* Where a pixel of `size` lies among `count`: the one before it, and in 256ths how far it is to the next. */
static int place(int at, int count, int size, uint32_t *part) {
    double where = (at + 0.5) * count / size - 0.5;
    if (where < 0) where = 0;
    int first = (int)where;
    if (first > count - 2) first = count - 2;
    if (first < 0) first = 0;
    double rest = (where - first) * 256;
    *part = count < 2 ? 0 : rest > 256 ? 256 : (uint32_t)rest;
    return first;
}

void cpicture_enlarge(const uint8_t *rgba, int width, int height, int to_width, int to_height, uint8_t *to) {
    for (int y = 0; y < to_height; y++) {
        uint32_t down, right;
        int row = place(y, height, to_height, &down);
        for (int x = 0; x < to_width; x++, to += 4) {
            int column = place(x, width, to_width, &right);
            uint64_t colour[3] = {0, 0, 0}, alpha = 0;
            for (int corner = 0; corner < 4; corner++) {
                uint32_t share = (corner & 1 ? right : 256 - right) * (corner & 2 ? down : 256 - down);
                if (share == 0) continue;
                const uint8_t *from =
                    rgba + ((size_t)(row + corner / 2) * (size_t)width + (size_t)(column + corner % 2)) * 4;
                uint64_t weight = (uint64_t)share * from[3];
                for (int c = 0; c < 3; c++) colour[c] += weight * from[c];
                alpha += weight;
            }
            /* The shares add up to 256 * 256. */
            for (int c = 0; c < 3; c++) to[c] = alpha ? (uint8_t)((colour[c] + alpha / 2) / alpha) : 0;
            to[3] = (uint8_t)((alpha + 32768) >> 16);
        }
    }
}

/* MARK: Digits, drawn as strokes, so that a worker needs no font.
 *
 * Each is a chain of points on a grid of 4 x 8, four bits a coordinate; 0xFF lifts the pen. */

#define UP 0xFF
static const uint8_t strokes[][18] = {
    /* 0 */ {0x10, 0x30, 0x41, 0x47, 0x38, 0x18, 0x07, 0x01, 0x10, UP, UP},
    /* 1 */ {0x02, 0x20, 0x28, UP, UP},
    /* 2 */ {0x02, 0x01, 0x10, 0x30, 0x41, 0x43, 0x08, 0x48, UP, UP},
    /* 3 */ {0x01, 0x10, 0x30, 0x41, 0x43, 0x34, 0x24, UP, 0x34, 0x45, 0x47, 0x38, 0x18, 0x07, UP, UP},
    /* 4 */ {0x38, 0x30, 0x06, 0x46, UP, UP},
    /* 5 */ {0x40, 0x00, 0x04, 0x13, 0x33, 0x44, 0x47, 0x38, 0x18, 0x07, UP, UP},
    /* 6 */ {0x41, 0x30, 0x10, 0x01, 0x07, 0x18, 0x38, 0x47, 0x44, 0x33, 0x13, 0x04, UP, UP},
    /* 7 */ {0x00, 0x40, 0x18, UP, UP},
    /* 8 */ {0x10, 0x30, 0x41, 0x43, 0x34, 0x14, 0x03, 0x01, 0x10, UP, 0x14, 0x05, 0x07, 0x18, 0x38, 0x47, 0x45, 0x34},
    /* 9 */ {0x07, 0x18, 0x38, 0x47, 0x41, 0x30, 0x10, 0x01, 0x04, 0x15, 0x35, 0x44, UP, UP},
    /* : */ {0x22, 0x22, UP, 0x26, 0x26, UP, UP},
    /* . */ {0x28, 0x28, UP, UP},
    /* - */ {0x14, 0x34, UP, UP},
    /* + */ {0x14, 0x34, UP, 0x23, 0x25, UP, UP},
};

static const uint8_t *strokes_of(char c) {
    if (c >= '0' && c <= '9') return strokes[c - '0'];
    return c == ':' ? strokes[10] : c == '.' ? strokes[11] : c == '-' ? strokes[12] : c == '+' ? strokes[13] : 0;
}

/* How far a point is from the line between two others. */
static double distance(double x, double y, double ax, double ay, double bx, double by) {
    double dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
    double t = length > 0 ? ((x - ax) * dx + (y - ay) * dy) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(x - ax - t * dx, y - ay - t * dy);
}

static double advance(char c) { return c == ':' || c == '.' ? 3.5 : 6; }

/* How much of a pixel a glyph covers, 0 to 1; x and y in units of the grid. */
static double coverage(const uint8_t *points, double x, double y, double unit) {
    double best = 1e9;
    for (int i = 0; i + 1 < 18 && !(points[i] == UP && points[i + 1] == UP); i++) {
        if (points[i] == UP || points[i + 1] == UP) continue;
        double d = distance(
            x, y, points[i] >> 4, points[i] & 15, points[i + 1] >> 4, points[i + 1] & 15);
        if (d < best) best = d;
    }
    double cover = (0.62 - best) * unit + 0.5;
    return cover < 0 ? 0 : cover > 1 ? 1 : cover;
}

void cpicture_write_label(
    uint8_t *canvas, int canvas_width, int canvas_height, double x, double y, double height, const char *text,
    const uint8_t *rgb) {
    double unit = height / 8, width = 0;
    for (const char *c = text; *c; c++) width += advance(*c);
    double left = x - (width - 2) * unit / 2;
    for (const char *c = text; *c; c++) {
        double room = advance(*c), shift = room < 6 ? -1.25 : 0;
        const uint8_t *points = strokes_of(*c);
        for (int row = (int)(y - unit); points && row <= (int)(y + 9 * unit); row++) {
            if (row < 0 || row >= canvas_height) continue;
            for (int column = (int)(left - 2 * unit); column <= (int)(left + (room + 1) * unit); column++) {
                if (column < 0 || column >= canvas_width) continue;
                double cover = coverage(points, (column + 0.5 - left) / unit - shift, (row + 0.5 - y) / unit, unit);
                if (cover > 0)
                    lay(canvas + ((size_t)row * (size_t)canvas_width + (size_t)column) * 4, rgb,
                        (unsigned)(cover * 255 + 0.5));
            }
        }
        left += room * unit;
    }
}
