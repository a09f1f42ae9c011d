/*
 * Slots behind ids: a slot is taken, carries a row number while its object lives, and is given back with its
 * generation raised, so that an old id never names a new object. A slot whose generations are used up is retired.
 */
#ifndef TR_BASE_POOL_H
#define TR_BASE_POOL_H

#include "base/memory.h"

typedef struct tr_pool {
    tr_memory *memory;
    uint32_t *row; /* of the object in its table; a free slot has the next free one here: tr_pool_is_free() */
    uint16_t *generation;
    uint32_t first_free; /* given back last; the others follow in the list */
    uint32_t free_count;
    uint32_t count; /* slots ever used */
    uint32_t capacity;
} tr_pool;

/* Rows are below this; a free slot's entry has it set, beside the number of the next free slot, or TR_POOL_LAST. */
#define TR_POOL_FREE UINT32_C(0x80000000)
#define TR_POOL_LAST UINT32_C(0x7fffffff)

/* Whether a slot that has been used has no object. */
static inline bool tr_pool_is_free(const tr_pool *pool, uint32_t slot)
{
    return (pool->row[slot] & TR_POOL_FREE) != 0;
}

void tr_pool_init(tr_pool *pool, tr_memory *memory);
void tr_pool_free(tr_pool *pool);
/* Room for `more` slots beyond those in use; false when there is no memory, and then nothing has changed. */
bool tr_pool_reserve(tr_pool *pool, uint32_t more);
/* The slots that the next calls of tr_pool_take() will return: the first, and the one after another. */
static inline uint32_t tr_pool_coming(const tr_pool *pool)
{
    return pool->free_count > 0 ? pool->first_free : pool->count;
}

static inline uint32_t tr_pool_coming_after(const tr_pool *pool, uint32_t slot)
{
    if (slot >= pool->count)
        return slot + 1;
    uint32_t next = pool->row[slot] & ~TR_POOL_FREE;
    return next != TR_POOL_LAST ? next : pool->count;
}

uint32_t tr_pool_take(tr_pool *pool, uint32_t row);
void tr_pool_give(tr_pool *pool, uint32_t slot);
/* The same for a slot whose id nobody was ever told: the generation stays, so such slots never wear out. */
void tr_pool_give_unnamed(tr_pool *pool, uint32_t slot);

#endif
