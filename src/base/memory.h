/* The allocator with a count of the bytes in use. */
#ifndef TR_BASE_MEMORY_H
#define TR_BASE_MEMORY_H

#include "trammel/base.h"

typedef struct tr_memory {
    tr_allocator allocator;
    size_t bytes; /* in use now */
} tr_memory;

/* Uses the C library if the allocator's callbacks are null. */
void tr_memory_init(tr_memory *memory, tr_allocator allocator);

#define TR_ALIGNMENT 64 /* of every block: a cache line, and the widest SIMD register */

/* `size` bytes, zeroed; null if out of memory or size is 0. */
void *tr_allocate(tr_memory *memory, size_t size);
/* count * size bytes, zeroed; null also if the product overflows. */
void *tr_allocate_array(tr_memory *memory, size_t count, size_t size);
/* The same, with any content. */
void *tr_allocate_unset(tr_memory *memory, size_t count, size_t size);
/* `block` may be null. `size` must be the size that was allocated. */
void tr_release(tr_memory *memory, void *block, size_t size);

/*
 * The new capacity of an array of `capacity` elements that must hold `needed`, which is more: about 1.5 times the old
 * one, or `needed` if that is more or the array was empty. Large arrays grow by only a quarter, to waste less memory.
 */
uint32_t tr_grown_capacity(uint32_t capacity, uint32_t needed);

/*
 * Makes *block hold at least `needed` elements of `size` bytes. Grows it to tr_grown_capacity(), keeps the first
 * `*capacity` elements and zeroes the new ones. False if out of memory; then nothing changed.
 */
bool tr_grow(tr_memory *memory, void **block, uint32_t *capacity, uint32_t needed, size_t size);

#endif
