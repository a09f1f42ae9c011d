/* Hashes of results, to compare two runs. */
#ifndef TR_TEST_HASH_H
#define TR_TEST_HASH_H

#include <stddef.h>
#include <stdint.h>

/* adds the bytes to the hash (FNV-1a) */
static inline uint64_t mix_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
