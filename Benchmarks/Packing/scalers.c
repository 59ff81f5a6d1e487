/* libswscale with its filters, and Vitrine's own scaler. */
#include "packing.h"
#include <CPicture.h>
#include <libswscale/swscale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BOX 256
#define LOBES 3

static uint8_t *scaled;
static size_t room;

static int fit(const pixels *picture, int *width, int *height) {
    double scale = (double)BOX / (picture->width > picture->height ? picture->width : picture->height);
    if (scale >= 1) return 0;
    *width = (int)fmax(1, round(picture->width * scale));
    *height = (int)fmax(1, round(picture->height * scale));
    size_t count = (size_t)(*width + 16) * (size_t)(*height + 1) * 4;
    if (room < count) {
        free(scaled);
        scaled = aligned_alloc(64, (count + 63) & ~(size_t)63);
        room = scaled ? count : 0;
    }
    return room >= count;
}

/* MARK: What it should be */

static double lanczos(double x) {
    x = M_PI * fabs(x);
    if (x < 1e-9) return 1;
    return x < M_PI * LOBES ? LOBES * sin(x) * sin(x / LOBES) / (x * x) : 0;
}

/* One axis: `count` numbers of `step` distance become `size`, four channels each. */
static void reduce(const float *from, int count, int step, float *to, int size, int to_step) {
    double scale = (double)count / size;
    for (int i = 0; i < size; i++) {
        double centre = (i + 0.5) * scale, total = 0, sum[4] = {0};
        int first = (int)fmax(0, floor(centre - LOBES * scale));
        int last = (int)fmin(count - 1, ceil(centre + LOBES * scale));
        for (int j = first; j <= last; j++) {
            double weight = lanczos((j + 0.5 - centre) / scale);
            total += weight;
            for (int c = 0; c < 4; c++) sum[c] += weight * from[(size_t)j * (size_t)step + (size_t)c];
        }
        for (int c = 0; c < 4; c++) to[(size_t)i * (size_t)to_step + (size_t)c] = (float)(sum[c] / total);
    }
}

/* The reference for the picture that was asked about last; it costs far more than what is measured. */
static const float *reference(const pixels *picture, int width, int height) {
    static const uint8_t *last;
    static float *result;
    if (last == picture->rgba) return result;
    size_t across = (size_t)picture->width * 4;
    float *row = malloc(across * sizeof *row);
    float *narrow = malloc((size_t)width * 4 * (size_t)picture->height * sizeof *narrow);
    free(result);
    result = malloc((size_t)width * 4 * (size_t)height * sizeof *result);
    if (row && narrow && result) {
        for (int y = 0; y < picture->height; y++) {
            for (size_t i = 0; i < across; i++) row[i] = picture->rgba[(size_t)y * across + i];
            reduce(row, picture->width, 4, narrow + (size_t)y * (size_t)width * 4, width, 4);
        }
        for (int x = 0; x < width; x++)
            reduce(narrow + 4 * x, picture->height, width * 4, result + 4 * x, height, width * 4);
        last = picture->rgba;
    }
    free(row);
    free(narrow);
    return result;
}

static double likeness(const pixels *picture, int width, int height, size_t stride) {
    const float *wanted = reference(picture, width, height);
    double error = 0;
    for (int y = 0; wanted && y < height; y++) {
        for (int i = 0; i < width * 4; i++) {
            if (i % 4 == 3) continue;
            double value = fmin(255, fmax(0, wanted[(size_t)y * (size_t)width * 4 + (size_t)i]));
            error += pow(value - scaled[(size_t)y * stride + (size_t)i], 2);
        }
    }
    error /= 3.0 * width * height;
    return error > 0 ? fmin(99, 10 * log10(255 * 255 / error)) : 99;
}

/* MARK: Ways */

static int by_vitrine(const way *way, const pixels *picture, double *figure) {
    (void)way;
    int width, height;
    if (!fit(picture, &width, &height)) return 0;
    const cpicture_source source = {
        picture->rgba, (size_t)picture->width * 4, picture->width, picture->height, CPICTURE_RGBX};
    if (cpicture_scale(&source, width, height, scaled) != CPICTURE_DONE) return 0;
    if (figure) *figure = likeness(picture, width, height, (size_t)width * 4);
    return 1;
}

static int by_swscale(const way *way, const pixels *picture, double *figure) {
    int width, height;
    if (!fit(picture, &width, &height)) return 0;
    struct SwsContext *scaler = sws_getContext(
        picture->width, picture->height, AV_PIX_FMT_RGB0, width, height, AV_PIX_FMT_RGB0, way->kind, NULL, NULL, NULL);
    if (!scaler) return 0;
    const uint8_t *from[4] = {picture->rgba};
    uint8_t *to[4] = {scaled};
    int stride = ((width * 4) + 63) & ~63;
    int from_strides[4] = {picture->width * 4}, to_strides[4] = {stride};
    int rows = sws_scale(scaler, from, from_strides, 0, picture->height, to, to_strides);
    sws_freeContext(scaler);
    if (figure && rows > 0) *figure = likeness(picture, width, height, (size_t)stride);
    return rows > 0;
}

const way packing_scalers[] = {
    {"Vitrine: blocks, then Lanczos", by_vitrine, 0, 0, 0},
    {"swscale, fast bilinear", by_swscale, SWS_FAST_BILINEAR, 0, 0},
    {"swscale, area", by_swscale, SWS_AREA | SWS_ACCURATE_RND, 0, 0},
    {"swscale, bicubic", by_swscale, SWS_BICUBIC | SWS_ACCURATE_RND, 0, 0},
    {"swscale, Lanczos", by_swscale, SWS_LANCZOS | SWS_ACCURATE_RND, 0, 0},
    {NULL, NULL, 0, 0, 0},
};
