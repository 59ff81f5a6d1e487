/* Scaling down in two steps: whole blocks of pixels are averaged until the picture is less than four times too
 * large, then a Lanczos filter as wide as the remaining factor brings it to size. The first step costs one
 * addition a byte, the second decides how sharp the result is (docs/adr/0014).
 *
 * All arithmetic is on colours multiplied by alpha, so that what is transparent adds no colour. */
#include "CPicture.h"
#include "lanczos.h"
#include <stdlib.h>
#include <string.h>

/* Sums of one column of a block are kept in 16 bits. */
#define MAX_BLOCK 256

/* MARK: Rows */

static int all_opaque(const uint8_t *row, int width) {
    uint32_t common = UINT32_MAX;
    for (int x = 0; x < width; x++) {
        uint32_t pixel;
        memcpy(&pixel, row + 4 * x, sizeof pixel);
        common &= pixel;
    }
    uint8_t channels[4];
    memcpy(channels, &common, sizeof channels);
    return channels[3] == 255;
}

/* Every colour becomes colour * alpha / 255, rounded; exact for all bytes. Two channels share a word: their
 * products of at most 255 * 255 do not meet. */
static void premultiply(const uint8_t *restrict from, uint8_t *restrict to, int width) {
    for (int x = 0; x < width; x++) {
        uint32_t pixel;
        memcpy(&pixel, from + 4 * x, sizeof pixel);
        uint32_t alpha = from[4 * x + 3];
        uint32_t even = (pixel & 0x00FF00FF) * alpha + 0x00800080;
        uint32_t odd = (pixel >> 8 & 0x000000FF) * alpha + 0x00000080;
        even = (even + (even >> 8 & 0x00FF00FF)) >> 8 & 0x00FF00FF;
        odd = (odd + (odd >> 8)) & 0x0000FF00;
        pixel = (pixel & 0xFF000000) | odd | even;
        memcpy(to + 4 * x, &pixel, sizeof pixel);
    }
}

/* One row without alpha to R, G, B, 255, in place or not: an exchange of bytes, of which compilers make vectors. */
static void finish_opaque_row(const uint8_t *from, uint8_t *to, int width, int swap) {
    for (int x = 0; x < width; x++) {
        uint32_t pixel;
        memcpy(&pixel, from + 4 * x, sizeof pixel);
        if (swap) pixel = (pixel & 0x0000FF00) | (pixel >> 16 & 0xFF) | (pixel & 0xFF) << 16;
        pixel |= 0xFF000000;
        memcpy(to + 4 * x, &pixel, sizeof pixel);
    }
}

/* One row in the source's order, colours multiplied, to R, G, B, A as PNG wants it. In place is allowed. */
static void finish_row(const uint8_t *from, uint8_t *to, int width, cpicture_pixel_format format) {
    int swap = format == CPICTURE_BGRA_PREMULTIPLIED || format == CPICTURE_BGRX;
    if (format == CPICTURE_BGRX || format == CPICTURE_RGBX) {
        finish_opaque_row(from, to, width, swap);
        return;
    }
    for (int x = 0; x < width; x++, from += 4, to += 4) {
        uint8_t red = from[swap ? 2 : 0], green = from[1], blue = from[swap ? 0 : 2];
        uint8_t alpha = from[3];
        if (alpha != 255) {
            if (alpha == 0) {
                red = green = blue = 0;
            } else {
                red = cpicture_clamp_byte((red * 255 + alpha / 2) / alpha);
                green = cpicture_clamp_byte((green * 255 + alpha / 2) / alpha);
                blue = cpicture_clamp_byte((blue * 255 + alpha / 2) / alpha);
            }
        }
        to[0] = red;
        to[1] = green;
        to[2] = blue;
        to[3] = alpha;
    }
}

/* MARK: Averaging blocks */

#ifdef __SSE2__
/* The same as below with registers twice as wide, on processors that have them. */
__attribute__((target("avx2"))) static void add_wide_row(
    uint16_t *restrict sums, const uint8_t *restrict row, size_t channels) {
    for (size_t i = 0; i < channels; i++) sums[i] = (uint16_t)(sums[i] + row[i]);
}
#endif

static void add_row(uint16_t *restrict sums, const uint8_t *restrict row, size_t channels) {
#ifdef __SSE2__
    if (__builtin_cpu_supports("avx2")) {
        add_wide_row(sums, row, channels);
        return;
    }
#endif
    for (size_t i = 0; i < channels; i++) sums[i] = (uint16_t)(sums[i] + row[i]);
}

typedef uint16_t words4 __attribute__((vector_size(8)));
typedef uint32_t numbers4 __attribute__((vector_size(16)));

/* The sums of `columns` pixels, channel by channel. */
static inline numbers4 total_of(const uint16_t *sums, int columns) {
    numbers4 total = {0, 0, 0, 0};
    for (int i = 0; i < columns; i++, sums += 4) {
        words4 words;
        memcpy(&words, sums, sizeof words);
        total += __builtin_convertvector(words, numbers4);
    }
    return total;
}

/* Averages blocks of `across` x `down` pixels; those at the right and the lower edge may be smaller. Colours
 * that are not multiplied by alpha are multiplied on the way. */
static cpicture_status average_blocks(
    const cpicture_source *source, int across, int down, uint8_t *out, int out_width, int out_height) {
    size_t channels = (size_t)source->width * 4;
    uint16_t *sums = malloc(channels * sizeof *sums);
    /* Room for one row with its colours multiplied. */
    uint8_t *row = source->format == CPICTURE_RGBA ? malloc(channels) : NULL;
    if (!sums || (source->format == CPICTURE_RGBA && !row)) {
        free(sums);
        free(row);
        return CPICTURE_NO_MEMORY;
    }
    for (int block = 0; block < out_height; block++) {
        int first = block * down;
        int rows = source->height - first < down ? source->height - first : down;
        memset(sums, 0, channels * sizeof *sums);
        for (int y = first; y < first + rows; y++) {
            const uint8_t *pixels = source->pixels + (size_t)y * source->stride;
            if (row && !all_opaque(pixels, source->width)) {
                premultiply(pixels, row, source->width);
                pixels = row;
            }
            add_row(sums, pixels, channels);
        }
        uint8_t *to = out + (size_t)block * (size_t)out_width * 4;
        for (int x = 0; x < out_width; x++, to += 4) {
            int left = x * across;
            int columns = source->width - left < across ? source->width - left : across;
            uint32_t count = (uint32_t)columns * (uint32_t)rows;
            /* Sums have 24 bits at most, so that multiplying by this divides exactly. */
            uint64_t share = (1ULL << 32) / count + 1;
            numbers4 total = total_of(sums + (size_t)left * 4, columns);
            for (int c = 0; c < 4; c++) to[c] = (uint8_t)((total[c] + count / 2) * share >> 32);
        }
    }
    free(sums);
    free(row);
    return CPICTURE_DONE;
}

/* MARK: The filter */

/* Rows first, then columns: the first pass runs over whole rows at the processor's full width, and what it
 * leaves for the second is small. `pixels` have multiplied colours. */
static cpicture_status filter(
    const cpicture_source *source, double extent_x, double extent_y, int width, int height, uint8_t *rgba) {
    cpicture_weights across, down;
    if (cpicture_make_weights(&across, source->width, extent_x, width)) return CPICTURE_NO_MEMORY;
    if (cpicture_make_weights(&down, source->height, extent_y, height)) {
        cpicture_free_weights(&across);
        return CPICTURE_NO_MEMORY;
    }
    size_t channels = (size_t)source->width * 4;
    uint8_t *row = malloc(channels + CPICTURE_ROW_MARGIN);
    if (row) {
        for (int y = 0; y < height; y++) {
            cpicture_weigh_rows(source->pixels, source->stride, &down, y, row, channels);
            uint8_t *to = rgba + (size_t)y * (size_t)width * 4;
            cpicture_weigh_columns(row, &across, to, width);
            finish_row(to, to, width, source->format);
        }
    }
    free(row);
    cpicture_free_weights(&across);
    cpicture_free_weights(&down);
    return row ? CPICTURE_DONE : CPICTURE_NO_MEMORY;
}

/* MARK: The whole */

/* The side of a block, so that what remains for the filter is at least twice the result. */
static int block_side(int from, int to) {
    int side = from / to / 2;
    return side < 1 ? 1 : side > MAX_BLOCK ? MAX_BLOCK : side;
}

/* Whether colours are multiplied by alpha, or are the same when they are. */
static int is_multiplied(const cpicture_source *source) {
    if (source->format != CPICTURE_RGBA) return 1;
    for (int y = 0; y < source->height; y++)
        if (!all_opaque(source->pixels + (size_t)y * source->stride, source->width)) return 0;
    return 1;
}

static void copy(const cpicture_source *source, uint8_t *rgba) {
    size_t row = (size_t)source->width * 4;
    for (int y = 0; y < source->height; y++) {
        const uint8_t *from = source->pixels + (size_t)y * source->stride;
        if (source->format == CPICTURE_RGBA)
            memcpy(rgba + (size_t)y * row, from, row);
        else
            finish_row(from, rgba + (size_t)y * row, source->width, source->format);
    }
}

cpicture_status cpicture_scale(const cpicture_source *source, int width, int height, uint8_t *rgba) {
    if (source->width < 1 || source->height < 1 || source->width > CPICTURE_MAX_SIDE
        || source->height > CPICTURE_MAX_SIDE)
        return CPICTURE_BAD_SIZE;
    if (width < 1 || height < 1 || width > source->width || height > source->height) return CPICTURE_BAD_SIZE;
    if (width == source->width && height == source->height) {
        copy(source, rgba);
        return CPICTURE_DONE;
    }
    int across = block_side(source->width, width), down = block_side(source->height, height);
    if (across == 1 && down == 1 && is_multiplied(source))
        return filter(source, source->width, source->height, width, height, rgba);

    cpicture_source blocks = *source;
    blocks.width = (source->width + across - 1) / across;
    blocks.height = (source->height + down - 1) / down;
    blocks.stride = (size_t)blocks.width * 4;
    uint8_t *pixels = malloc(blocks.stride * (size_t)blocks.height);
    if (!pixels) return CPICTURE_NO_MEMORY;
    blocks.pixels = pixels;
    cpicture_status status = CPICTURE_DONE;
    if (across == 1 && down == 1) {
        for (int y = 0; y < source->height; y++)
            premultiply(
                source->pixels + (size_t)y * source->stride, pixels + (size_t)y * blocks.stride, source->width);
    } else {
        status = average_blocks(source, across, down, pixels, blocks.width, blocks.height);
    }
    if (status == CPICTURE_DONE) {
        status = filter(
            &blocks, (double)source->width / across, (double)source->height / down, width, height, rgba);
    }
    free(pixels);
    return status;
}

/* MARK: What it shows */

int cpicture_is_plain(const uint8_t *rgba, size_t pixels, int most) {
    uint8_t least[4] = {255, 255, 255, 255}, greatest[4] = {0, 0, 0, 0};
    uint32_t last = 0;
    for (size_t i = 0; i < pixels; i++, rgba += 4) {
        uint32_t pixel;
        memcpy(&pixel, rgba, sizeof pixel);
        /* Paper is the same for long. */
        if (i > 0 && pixel == last) continue;
        last = pixel;
        for (int c = 0; c < 4; c++) {
            if (rgba[c] < least[c]) least[c] = rgba[c];
            if (rgba[c] > greatest[c]) greatest[c] = rgba[c];
            if (greatest[c] - least[c] > most) return 0;
        }
    }
    return 1;
}
