#include "vp_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t vp_hash64(const void *bytes, size_t count) { return XXH3_64bits(bytes ? bytes : "", count); }

void vp_hash128(const void *bytes, size_t count, uint64_t hash[2]) {
    XXH128_hash_t value = XXH3_128bits(bytes ? bytes : "", count);
    hash[0] = value.low64;
    hash[1] = value.high64;
}
