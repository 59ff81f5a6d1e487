/* Which part of a picture is worth keeping. Both ways give every line a value and slide a window over the lines. */
#include "CPicture.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline double brightness(const uint8_t *pixel) {
    return (0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]) * pixel[3] / 255;
}

/* What the eye is drawn to at one pixel: a change of brightness, a strong colour, skin. */
static double interest(const uint8_t *rgba, int width, int height, int x, int y) {
    const uint8_t *pixel = rgba + ((size_t)y * (size_t)width + (size_t)x) * 4;
    double here = brightness(pixel), value = 0;
    if (x > 0 && x + 1 < width && y > 0 && y + 1 < height) {
        /* Laplace's operator: high where lines and textures are, nothing on slopes. */
        double edge = 4 * here - brightness(pixel - 4) - brightness(pixel + 4)
            - brightness(pixel - (size_t)width * 4) - brightness(pixel + (size_t)width * 4);
        value += fabs(edge) / 255;
    }
    double red = pixel[0], green = pixel[1], blue = pixel[2], alpha = pixel[3] / 255.0;
    double most = fmax(red, fmax(green, blue)), least = fmin(red, fmin(green, blue));
    if (most > 12 && here < 242) value += 0.35 * (most - least) / most * alpha * fmin(1, here / 64);
    /* Skin of every shade lies near one direction of colour: red before green before blue. */
    double length = sqrt(red * red + green * green + blue * blue);
    if (length > 60) {
        double off = hypot(hypot(red / length - 0.78, green / length - 0.51), blue / length - 0.37);
        if (off < 0.12) value += 1.2 * (1 - off / 0.12) * alpha;
    }
    return value;
}

static int by_attention_part(const uint8_t *rgba, int width, int height, int is_wide, int length) {
    int lines = is_wide ? width : height;
    double *sums = calloc((size_t)lines + 1, sizeof *sums);
    if (!sums) return (lines - length) / 2;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) sums[(is_wide ? x : y) + 1] += interest(rgba, width, height, x, y);
    for (int i = 0; i < lines; i++) sums[i + 1] += sums[i];
    int best = (lines - length) / 2;
    /* The middle wins unless another part has more of it, so that an even picture is cut evenly. */
    double value = sums[best + length] - sums[best];
    value += 1e-9 + value * 0.02;
    for (int first = 0; first + length <= lines; first++) {
        double sum = sums[first + length] - sums[first];
        if (sum > value) {
            value = sum;
            best = first;
        }
    }
    free(sums);
    return best;
}

#define SHADES 64

static void count(
    const uint8_t *rgba, int width, int height, int is_wide, int line, long step, long *shades) {
    int pixels = is_wide ? height : width;
    for (int i = 0; i < pixels; i++) {
        int x = is_wide ? line : i, y = is_wide ? i : line;
        int shade = (int)(brightness(rgba + ((size_t)y * (size_t)width + (size_t)x) * 4) * SHADES / 256);
        shades[shade] += step;
    }
}

static double entropy(const long *shades, double total) {
    double sum = 0;
    for (int i = 0; i < SHADES; i++)
        if (shades[i] > 0) sum -= (double)shades[i] / total * log2((double)shades[i] / total);
    return sum;
}

static int by_entropy_part(const uint8_t *rgba, int width, int height, int is_wide, int length) {
    int lines = is_wide ? width : height, middle = (lines - length) / 2, best = middle;
    double total = (double)length * (is_wide ? height : width), value = 0;
    long shades[SHADES];
    memset(shades, 0, sizeof shades);
    for (int i = middle; i < middle + length; i++) count(rgba, width, height, is_wide, i, 1, shades);
    value = entropy(shades, total) * 1.005 + 1e-9;
    memset(shades, 0, sizeof shades);
    for (int i = 0; i < length; i++) count(rgba, width, height, is_wide, i, 1, shades);
    for (int first = 0;; first++) {
        double here = entropy(shades, total);
        if (here > value) {
            value = here;
            best = first;
        }
        if (first + length >= lines) return best;
        count(rgba, width, height, is_wide, first, -1, shades);
        count(rgba, width, height, is_wide, first + length, 1, shades);
    }
}

int cpicture_best_part(const uint8_t *rgba, int width, int height, int is_wide, int length, int by_attention) {
    int lines = is_wide ? width : height;
    if (length >= lines) return 0;
    return by_attention ? by_attention_part(rgba, width, height, is_wide, length)
                        : by_entropy_part(rgba, width, height, is_wide, length);
}
