/* ThumbHash: a few cosine coefficients of brightness (L), two colour differences (P: yellow-blue, Q: red-green) and
 * alpha (A), packed into some 25 bytes. The format is that of E. Wallace, "ThumbHash", 2023
 * (evanw.github.io/thumbhash). */
#include "CPicture.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct channel {
    double constant, scale;
    double waves[32];
    int count;
} channel;

/* A wave over `size` values: cosines that go on in even steps, by the theorem of addition. */
static void wave(double *cosines, int size, int frequency) {
    double step = M_PI / size * frequency, step_cosine = 2 * cos(step);
    cosines[0] = cos(step / 2);
    /* The one before the first is the same. */
    double before = cosines[0];
    for (int x = 1; x < size; x++) {
        cosines[x] = step_cosine * cosines[x - 1] - before;
        before = cosines[x - 1];
    }
}

/* `sums` has room for across * height numbers. */
static channel transform(
    const float *values, int width, int height, int across, int down, double *cosines, double *sums) {
    channel result = {0, 0, {0}, 0};
    /* The waves along x first: those along y then run over one number a row. */
    for (int u = 0; u < across; u++) {
        wave(cosines, width, u);
        for (int y = 0; y < height; y++) {
            const float *row = values + (size_t)y * (size_t)width;
            double sum = 0;
            for (int x = 0; x < width; x++) sum += row[x] * cosines[x];
            sums[u * height + y] = sum;
        }
    }
    for (int v = 0; v < down; v++) {
        wave(cosines, height, v);
        for (int u = 0; u * down < across * (down - v); u++) {
            double sum = 0;
            for (int y = 0; y < height; y++) sum += sums[u * height + y] * cosines[y];
            sum /= (double)width * height;
            if (u > 0 || v > 0) {
                result.waves[result.count++] = sum;
                result.scale = fmax(result.scale, fabs(sum));
            } else {
                result.constant = sum;
            }
        }
    }
    for (int i = 0; i < result.count && result.scale > 0; i++)
        result.waves[i] = 0.5 + 0.5 / result.scale * result.waves[i];
    return result;
}

static unsigned quantized(double value, unsigned most) {
    double rounded = floor(value * most + 0.5);
    return rounded < 0 ? 0 : rounded > most ? most : (unsigned)rounded;
}

static int sides(int limit, int side, int longest) {
    int count = (int)floor((double)limit * side / longest + 0.5);
    return count < 1 ? 1 : count;
}

/* Fills in L, P, Q and A, one after the other; transparent pixels are laid on the average colour. Returns whether
 * any pixel is transparent. */
static int split(const uint8_t *rgba, size_t pixels, float *values) {
    double red = 0, green = 0, blue = 0, alpha = 0;
    for (size_t i = 0; i < pixels; i++) {
        double share = rgba[4 * i + 3] / 255.0;
        red += share / 255 * rgba[4 * i];
        green += share / 255 * rgba[4 * i + 1];
        blue += share / 255 * rgba[4 * i + 2];
        alpha += share;
    }
    if (alpha > 0) {
        red /= alpha;
        green /= alpha;
        blue /= alpha;
    }
    for (size_t i = 0; i < pixels; i++) {
        double share = rgba[4 * i + 3] / 255.0;
        double r = red * (1 - share) + share / 255 * rgba[4 * i];
        double g = green * (1 - share) + share / 255 * rgba[4 * i + 1];
        double b = blue * (1 - share) + share / 255 * rgba[4 * i + 2];
        values[i] = (float)((r + g + b) / 3);
        values[pixels + i] = (float)((r + g) / 2 - b);
        values[2 * pixels + i] = (float)(r - g);
        values[3 * pixels + i] = (float)share;
    }
    return alpha < (double)pixels;
}

size_t cpicture_thumbhash(const uint8_t *rgba, int width, int height, uint8_t hash[CPICTURE_THUMBHASH_MAX]) {
    if (width < 1 || height < 1 || width > 100 || height > 100) return 0;
    size_t pixels = (size_t)width * (size_t)height;
    float *values = malloc(pixels * 4 * sizeof *values);
    if (!values) return 0;
    double cosines[100], sums[7 * 100];
    int has_alpha = split(rgba, pixels, values), longest = width > height ? width : height;
    int limit = has_alpha ? 5 : 7;
    int lx = sides(limit, width, longest), ly = sides(limit, height, longest), is_landscape = width > height;
    channel channels[4];
    channels[0] = transform(values, width, height, lx < 3 ? 3 : lx, ly < 3 ? 3 : ly, cosines, sums);
    channels[1] = transform(values + pixels, width, height, 3, 3, cosines, sums);
    channels[2] = transform(values + 2 * pixels, width, height, 3, 3, cosines, sums);
    if (has_alpha) channels[3] = transform(values + 3 * pixels, width, height, 5, 5, cosines, sums);
    free(values);

    memset(hash, 0, CPICTURE_THUMBHASH_MAX);
    unsigned head = quantized(channels[0].constant, 63) | quantized(0.5 + 0.5 * channels[1].constant, 63) << 6
        | quantized(0.5 + 0.5 * channels[2].constant, 63) << 12 | quantized(channels[0].scale, 31) << 18
        | (unsigned)has_alpha << 23;
    unsigned more = (unsigned)(is_landscape ? ly : lx) | quantized(channels[1].scale, 63) << 3
        | quantized(channels[2].scale, 63) << 9 | (unsigned)is_landscape << 15;
    for (int i = 0; i < 3; i++) hash[i] = (uint8_t)(head >> (8 * i));
    for (int i = 0; i < 2; i++) hash[3 + i] = (uint8_t)(more >> (8 * i));
    size_t length = 5, half = 0;
    if (has_alpha) hash[length++] = (uint8_t)(quantized(channels[3].constant, 15) | quantized(channels[3].scale, 15) << 4);
    for (int c = 0; c < (has_alpha ? 4 : 3); c++)
        for (int i = 0; i < channels[c].count; i++, half++)
            hash[length + half / 2] |= (uint8_t)(quantized(channels[c].waves[i], 15) << (4 * (half & 1)));
    return length + (half + 1) / 2;
}
