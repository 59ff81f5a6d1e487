#pragma once
#include <isa-l/igzip_lib.h>
#include <stdint.h>
#include <string.h>
#include <zstd.h>

/* The beginning of what Zstandard packed (RFC 8878), as far as there is room.
 * Returns how many bytes were made. */
static inline size_t vi_unpack_zstd(const uint8_t *from, size_t count, uint8_t *to, size_t room) {
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (!context) return 0;
    ZSTD_inBuffer in = {from, count, 0};
    ZSTD_outBuffer out = {to, room, 0};
    while (out.pos < room) {
        size_t before = in.pos + out.pos, status = ZSTD_decompressStream(context, &out, &in);
        if (ZSTD_isError(status) || in.pos + out.pos == before) break;
    }
    ZSTD_freeDCtx(context);
    return out.pos;
}

/* The same of a zlib stream (RFC 1950). Either length is less than 4 GiB. */
static inline size_t vi_unpack_zlib(const uint8_t *from, size_t count, uint8_t *to, size_t room) {
    struct inflate_state state;
    if (count > UINT32_MAX || room > UINT32_MAX) return 0;
    isal_inflate_init(&state);
    state.crc_flag = ISAL_ZLIB;
    state.next_in = (uint8_t *)(uintptr_t)from;
    state.avail_in = (uint32_t)count;
    state.next_out = to;
    state.avail_out = (uint32_t)room;
    isal_inflate(&state);
    return room - state.avail_out;
}
