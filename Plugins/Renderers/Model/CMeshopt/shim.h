#pragma once
#include <meshoptimizer.h>
#include <stddef.h>
#include <stdint.h>

/* What was packed, and how it was changed before so that it packs well (EXT_meshopt_compression, "mode" and "filter"). */
typedef enum { CMESHOPT_ATTRIBUTES, CMESHOPT_TRIANGLES, CMESHOPT_INDICES } cmeshopt_mode;
typedef enum { CMESHOPT_NONE, CMESHOPT_OCTAHEDRAL, CMESHOPT_QUATERNION, CMESHOPT_EXPONENTIAL } cmeshopt_filter;

/* Whether numbers can be as long as this. The library itself ends the process where they cannot. */
static inline int cmeshopt_may_be(cmeshopt_mode mode, cmeshopt_filter filter, size_t count, size_t stride) {
    if (mode != CMESHOPT_ATTRIBUTES)
        return (stride == 2 || stride == 4) && filter == CMESHOPT_NONE && (mode == CMESHOPT_INDICES || count % 3 == 0);
    if (stride == 0 || stride > 256 || stride % 4 != 0) return 0;
    return filter == CMESHOPT_OCTAHEDRAL ? stride == 4 || stride == 8 : filter != CMESHOPT_QUATERNION || stride == 8;
}

/* Unpacks count elements of stride bytes each, which cmeshopt_may_be has allowed. Returns whether they were all there. */
static inline int cmeshopt_unpack(
    cmeshopt_mode mode, cmeshopt_filter filter, size_t count, size_t stride, const uint8_t *from, size_t length, void *to) {
    if (mode == CMESHOPT_TRIANGLES) return meshopt_decodeIndexBuffer(to, count, stride, from, length) == 0;
    if (mode == CMESHOPT_INDICES) return meshopt_decodeIndexSequence(to, count, stride, from, length) == 0;
    if (meshopt_decodeVertexBuffer(to, count, stride, from, length) != 0) return 0;
    switch (filter) {
    case CMESHOPT_NONE: break;
    case CMESHOPT_OCTAHEDRAL: meshopt_decodeFilterOct(to, count, stride); break;
    case CMESHOPT_QUATERNION: meshopt_decodeFilterQuat(to, count, stride); break;
    case CMESHOPT_EXPONENTIAL: meshopt_decodeFilterExp(to, count, stride); break;
    }
    return 1;
}
