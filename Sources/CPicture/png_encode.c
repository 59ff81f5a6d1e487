/* PNG (Third Edition) with what previews need and no more: eight bits of red, green, blue and alpha, not interlaced, in
 * one chunk of pixels. libdeflate compresses about twice as fast as zlib at its quickest, and better; libpng cannot
 * be told to use it. */
#include "CPicture.h"
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

/* The quickest that still finds repetitions; pages and photographs get little smaller above it. */
#define LEVEL 1

static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

static void put_number(uint8_t *to, uint32_t number) {
    to[0] = (uint8_t)(number >> 24);
    to[1] = (uint8_t)(number >> 16);
    to[2] = (uint8_t)(number >> 8);
    to[3] = (uint8_t)number;
}

/* Completes a chunk whose `length` bytes of data lie at chunk + 8. Answers the end of it. */
static uint8_t *finish_chunk(uint8_t *chunk, const char *name, size_t length) {
    put_number(chunk, (uint32_t)length);
    memcpy(chunk + 4, name, 4);
    put_number(chunk + 8 + length, libdeflate_crc32(0, chunk + 4, length + 4));
    return chunk + 12 + length;
}

/* Each row as differences to the pixel on the left (filter 1, Sub). */
static void filter_rows(const uint8_t *restrict rgba, size_t width, size_t height, uint8_t *restrict out) {
    size_t row = width * 4;
    for (size_t y = 0; y < height; y++, rgba += row, out += row + 1) {
        out[0] = 1;
        memcpy(out + 1, rgba, 4);
        for (size_t i = 4; i < row; i++) out[1 + i] = (uint8_t)(rgba[i] - rgba[i - 4]);
    }
}

/* Kept for the process's life: making one costs more than compressing a small picture. A worker has one thread. */
static struct libdeflate_compressor *compressor(void) {
    static __thread struct libdeflate_compressor *kept;
    if (!kept) kept = libdeflate_alloc_compressor(LEVEL);
    return kept;
}

vp_picture_status vp_png_encode(
    const uint8_t *rgba, int width, int height, uint8_t *memory, size_t capacity, size_t *length) {
    if (width < 1 || height < 1 || width > VP_PICTURE_MAX_SIDE || height > VP_PICTURE_MAX_SIDE)
        return VP_PICTURE_BAD_SIZE;
    /* All but the compressed pixels: the signature, and three chunks of which the first has 13 bytes. */
    size_t frame = sizeof signature + 3 * 12 + 13;
    if (capacity <= frame) return VP_PICTURE_NO_ROOM;
    size_t count = ((size_t)width * 4 + 1) * (size_t)height;
    struct libdeflate_compressor *deflate = compressor();
    uint8_t *filtered = deflate ? malloc(count) : NULL;
    if (!filtered) return VP_PICTURE_NO_MEMORY;
    filter_rows(rgba, (size_t)width, (size_t)height, filtered);

    memcpy(memory, signature, sizeof signature);
    uint8_t *header = memory + sizeof signature;
    put_number(header + 8, (uint32_t)width);
    put_number(header + 12, (uint32_t)height);
    /* Bits, colour type, compression, filters, interlacing. */
    memcpy(header + 16, (const uint8_t[]){8, 6, 0, 0, 0}, 5);
    uint8_t *pixels = finish_chunk(header, "IHDR", 13);
    /* It wants some bytes more than it fills: what comes after the pixels is written later. */
    size_t room = capacity - frame, after = 4 + 12;
    size_t compressed = libdeflate_zlib_compress(deflate, filtered, count, pixels + 8, room + after);
    free(filtered);
    /* A chunk has 2^31 - 1 bytes at most. */
    if (compressed == 0 || compressed > room || compressed > INT32_MAX) return VP_PICTURE_NO_ROOM;
    uint8_t *end = finish_chunk(finish_chunk(pixels, "IDAT", compressed), "IEND", 0);
    *length = (size_t)(end - memory);
    return VP_PICTURE_DONE;
}
