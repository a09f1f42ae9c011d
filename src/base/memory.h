/* The allocator hook, with a count of what is held. */
#ifndef TR_BASE_MEMORY_H
#define TR_BASE_MEMORY_H

#include "trammel/base.h"

typedef struct tr_memory {
    tr_allocator allocator;
    size_t bytes; /* held now */
} tr_memory;

/* Uses the C library where the hooks are null. */
void tr_memory_init(tr_memory *memory, tr_allocator allocator);

#define TR_ALIGNMENT 64 /* of every block handed out: a cache line, and the widest lane */

/* `size` bytes, zeroed; null when there is no memory or size is 0. */
void *tr_allocate(tr_memory *memory, size_t size);
/* count * size bytes, zeroed; null also when the product does not fit. */
void *tr_allocate_array(tr_memory *memory, size_t count, size_t size);
/* Null is fine. `size` as allocated. */
void tr_release(tr_memory *memory, void *block, size_t size);

/*
 * How many elements an array of `capacity` gets that must hold `needed`, which is more: exactly so many, or half as many
 * again as before where that is more, for arrays that grow one by one; of large arrays only a quarter, for what is not
 * used is held all the same.
 */
uint32_t tr_grown_capacity(uint32_t capacity, uint32_t needed);

/*
 * Makes *block hold at least `needed` elements of `size` bytes, growing to tr_grown_capacity() and keeping the first
 * `*capacity` of them; new ones are zero. False when there is no memory: then nothing has changed.
 */
bool tr_grow(tr_memory *memory, void **block, uint32_t *capacity, uint32_t needed, size_t size);

#endif
