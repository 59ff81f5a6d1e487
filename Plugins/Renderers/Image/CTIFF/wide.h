#pragma once
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Products are rounded before they are added, also where a processor could leave that out: every machine makes the same of a
 * picture. A shim is compiled as Swift is, for which Package.swift has no such setting. */
#pragma STDC FP_CONTRACT OFF

/* Samples that are no whole numbers from black to white: with a sign, with a fraction, or with 32 bits or more. Heights,
 * temperatures and doses are kept in them, as well as light without a limit: which of their values are black and white
 * is found out of all of them. */

typedef enum ctiff_format { CTIFF_WHOLE, CTIFF_SIGNED, CTIFF_FRACTION } ctiff_format;

/* What the samples of colours hold. */
typedef struct ctiff_range {
    double lowest, highest, sum;
    uint64_t count;
    /* The value that stands for nothing (GDAL's tag 42113); NAN when there is none. */
    double nothing;
    /* What becomes black and white. */
    double black, white;
    /* Steps of 255 for each of CTIFF_LIGHT_STEPS parts of linear light; NULL where values are steps of brightness. */
    uint8_t *light;
} ctiff_range;

enum { CTIFF_LIGHT_STEPS = 65536 };

/* IEEE 754, binary16. */
static inline double ctiff_half(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 0 ? ldexp(fraction, -24)
        : exponent == 31 ? (fraction ? NAN : INFINITY)
                         : ldexp(fraction + 1024, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

/* A sample in the machine's order. */
static inline double ctiff_sample(const uint8_t *at, ctiff_format format, int bits) {
    uint64_t whole = 0;
    /* Little-endian machines are all that there are. */
    memcpy(&whole, at, (size_t)bits / 8);
    if (format == CTIFF_FRACTION) {
        float narrow;
        double wide;
        switch (bits) {
        case 16: return ctiff_half((uint16_t)whole);
        case 32: memcpy(&narrow, at, 4); return narrow;
        default: memcpy(&wide, at, 8); return wide;
        }
    }
    if (format == CTIFF_SIGNED) return (double)((int64_t)(whole << (64 - bits)) >> (64 - bits));
    return (double)whole;
}

/* A number as a sample of so many bits holds it. */
static inline double ctiff_rounded(double value, ctiff_format format, int bits) {
    if (format != CTIFF_FRACTION || !isfinite(value)) return value;
    if (bits == 32) return fabs(value) <= FLT_MAX ? (float)value : value;
    if (bits != 16) return value;
    int exponent;
    frexp(value, &exponent);
    /* Eleven bits, fewer below 2^-14. */
    double step = ldexp(1, (exponent < -13 ? -13 : exponent) - 11);
    return rint(value / step) * step;
}

/* Takes samples of colours into account.
 *   share: what they were multiplied by; 0 for what nobody sees. */
static inline void ctiff_range_add(ctiff_range *range, double value, double share) {
    if (value == range->nothing || share == 0) return;
    value /= share;
    /* Some programs write the largest numbers there are for nothing. */
    if (!(fabs(value) < 1e30)) return;
    if (range->count == 0 || value < range->lowest) range->lowest = value;
    if (range->count == 0 || value > range->highest) range->highest = value;
    range->sum += value;
    range->count++;
}

/* The largest sample of light in sRGB's own steps (IEC 61966-2-1). */
static inline int ctiff_range_make_light(ctiff_range *range) {
    range->light = malloc(CTIFF_LIGHT_STEPS);
    if (!range->light) return 0;
    for (int i = 0; i < CTIFF_LIGHT_STEPS; i++) {
        double light = i / (CTIFF_LIGHT_STEPS - 1.0);
        double step = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
        range->light[i] = (uint8_t)(step * 255 + 0.5);
    }
    return 1;
}

/* Decides what is black and white, once all samples are known.
 *   is_colour: whether they are red, green and blue rather than greys; is_profiled: whether a profile says what they mean.
 * Answers 0 when there is no memory. */
static inline int ctiff_range_close(ctiff_range *range, ctiff_format format, int is_colour, int is_profiled) {
    static const double usual[] = {1, 255, 65535, 4294967295.0};
    range->black = 0;
    range->white = 1;
    if (range->count == 0) return 1;
    double mean = range->sum / (double)range->count;
    /* Light, in which a lamp may be much brighter than white. */
    if (format == CTIFF_FRACTION && is_colour && range->lowest >= -4 && mean <= 4)
        return is_profiled ? 1 : ctiff_range_make_light(range);
    /* A range that programs use, unless the picture would be dark in it. */
    for (int i = 0; i < 4 && range->lowest >= 0; i++) {
        if (range->highest > usual[i] || (range->highest <= usual[i] / 2 && (i > 0 || format != CTIFF_FRACTION))) continue;
        range->white = usual[i];
        return 1;
    }
    range->black = range->lowest;
    range->white = range->highest > range->lowest ? range->highest : range->lowest + 1;
    return 1;
}

/* A sample in 255 steps. */
static inline uint8_t ctiff_range_step(const ctiff_range *range, double value) {
    double part = (value - range->black) / (range->white - range->black);
    /* Also for what is no number. */
    if (!(part > 0)) return 0;
    if (part > 1) part = 1;
    return range->light ? range->light[(int)(part * (CTIFF_LIGHT_STEPS - 1) + 0.5)] : (uint8_t)(part * 255 + 0.5);
}

/* Alpha from 0 to 1: a share of one, or of the largest number. */
static inline double ctiff_wide_alpha(double value, ctiff_format format, int bits) {
    double part = format == CTIFF_FRACTION ? value : value / (ldexp(1, format == CTIFF_SIGNED ? bits - 1 : bits) - 1);
    return !(part > 0) ? 0 : part > 1 ? 1 : part;
}
