#pragma once
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The pixels of a PNG (its IDAT chunks, which are one zlib stream), unpacked by ISA-L in a third of zlib's time and handed on
 * as chunks that are not packed, whose stored blocks libpng's zlib only copies. The sums of the file's chunks are looked at
 * here, which cover every byte; the sum of what was unpacked (Adler-32) adds nothing to them and may be wrong. Those of the
 * new chunks are not written. */
typedef struct vi_unpacker {
    struct inflate_state state;
    /* The next chunk of the file, and its end. */
    const uint8_t *chunk, *end;
    /* Whether something was made; whether the stream is at its end, or damaged. */
    int is_begun, is_done, is_broken;
    /* The chunk that was made, and how much of it was taken. */
    size_t count, taken;
    uint8_t made[8 + 2 + 5 + (32 << 10) + 4 + 4];
} vi_unpacker;

#define VI_STORED (32 << 10)

static inline uint32_t vi_big(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}
static inline void vi_put_big(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Memory for one picture after the other, which is much: to ask for it each time costs more than a small picture.
 * NULL when there is none; to be freed by free. */
static inline vi_unpacker *vi_make_unpacker(void) { return (vi_unpacker *)malloc(sizeof(vi_unpacker)); }

/* Begins with the first of a picture's chunks. */
static inline void vi_unpack(vi_unpacker *u, const uint8_t *chunk, const uint8_t *end) {
    isal_inflate_init(&u->state);
    u->state.crc_flag = ISAL_ZLIB;
    u->state.avail_in = 0;
    u->chunk = chunk;
    u->end = end;
    u->is_begun = u->is_done = u->is_broken = 0;
    u->count = u->taken = 0;
}

/* Goes on to the next chunk of pixels; 0 when there is none that is whole. */
static inline int vi_next_chunk(vi_unpacker *u) {
    if (u->end - u->chunk < 12) return 0;
    size_t length = vi_big(u->chunk);
    if (memcmp(u->chunk + 4, "IDAT", 4) != 0 || length > (size_t)(u->end - u->chunk) - 12) return 0;
    if (crc32_gzip_refl(0, u->chunk + 4, length + 4) != vi_big(u->chunk + 8 + length)) return 0;
    u->state.next_in = (uint8_t *)(uintptr_t)(u->chunk + 8);
    u->state.avail_in = (uint32_t)length;
    u->chunk += 12 + length;
    return 1;
}

/* Makes the next chunk; 0 at the end, and where the file is damaged. */
static inline int vi_make_chunk(vi_unpacker *u) {
    if (u->is_done || u->is_broken) return 0;
    uint8_t *at = u->made + 8;
    if (!u->is_begun) {
        /* A window of 32 KiB, the fastest way of packing (RFC 1950, 2.2). */
        *at++ = 0x78;
        *at++ = 0x01;
        u->is_begun = 1;
    }
    u->state.next_out = at + 5;
    u->state.avail_out = VI_STORED;
    while (u->state.avail_out > 0 && !u->is_done && !u->is_broken) {
        /* Without any more of the file there may be bytes that it has unpacked and kept. */
        int is_last = u->state.avail_in == 0 && !vi_next_chunk(u);
        uint32_t room = u->state.avail_out;
        int status = isal_inflate(&u->state);
        /* What was unpacked is all there, whatever its sum. */
        u->is_done = status == ISAL_INCORRECT_CHECKSUM || u->state.block_state == ISAL_BLOCK_FINISH;
        u->is_broken = !u->is_done
            && ((status != ISAL_DECOMP_OK && status != ISAL_END_INPUT) || (is_last && room == u->state.avail_out));
    }
    uint32_t length = VI_STORED - u->state.avail_out;
    /* The end may come by itself, when everything before it filled the last chunk. */
    if (length == 0 && !u->is_done) return 0;
    at[0] = (uint8_t)u->is_done;
    at[1] = (uint8_t)length, at[2] = (uint8_t)(length >> 8);
    at[3] = (uint8_t)~at[1], at[4] = (uint8_t)~at[2];
    at += 5 + length;
    if (u->is_done) {
        vi_put_big(at, 0);
        at += 4;
    }
    vi_put_big(u->made, (uint32_t)(at - u->made - 8));
    memcpy(u->made + 4, "IDAT", 4);
    vi_put_big(at, 0);
    u->count = (size_t)(at + 4 - u->made);
    u->taken = 0;
    return 1;
}

/* Hands on some bytes; 0 when there are not as many. */
static inline int vi_take_unpacked(vi_unpacker *u, uint8_t *to, size_t count) {
    while (count > 0) {
        if (u->taken == u->count && !vi_make_chunk(u)) return 0;
        size_t some = u->count - u->taken < count ? u->count - u->taken : count;
        memcpy(to, u->made + u->taken, some);
        u->taken += some;
        to += some;
        count -= some;
    }
    return 1;
}
