/* XXH3 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md), for telling contents apart quickly. It protects
 * from chance, not from malice. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* 64 bits of some bytes; `bytes` may be NULL when there are none. */
uint64_t vp_hash64(const void *bytes, size_t count);

/* 128 bits of some bytes, low half first. */
void vp_hash128(const void *bytes, size_t count, uint64_t hash[2]);
