/*
 * Slots of ids. A slot is taken, maps to a row number while its object lives, and is then returned with its generation
 * incremented, so that an old id never refers to a new object. A slot with no generations left is retired.
 */
#ifndef TR_BASE_POOL_H
#define TR_BASE_POOL_H

#include "base/archive.h"

typedef struct tr_pool {
    tr_memory *memory;
    /* row of the object in its table; for a free slot, the next free one: tr_pool_is_free() */
    const uint32_t *row;
    const uint16_t *generation;
    uint32_t first_free; /* head of the free list: the slot returned last */
    uint32_t free_count;
    uint32_t count; /* slots ever used */
    uint32_t capacity;
    tr_archive_group group; /* all of it */
} tr_pool;

/* Rows are below TR_POOL_FREE. A free slot's entry is TR_POOL_FREE | the next free slot, or | TR_POOL_LAST at the
   end. */
#define TR_POOL_FREE UINT32_C(0x80000000)
#define TR_POOL_LAST UINT32_C(0x7fffffff)

/* Whether a slot that was used before has no object now. */
static inline bool tr_pool_is_free(const tr_pool *pool, uint32_t slot)
{
    return (pool->row[slot] & TR_POOL_FREE) != 0;
}

void tr_pool_init(tr_pool *pool, tr_memory *memory);
void tr_pool_free(tr_pool *pool);
/* Makes room for `more` slots beyond those in use. False if out of memory; then nothing changed. */
bool tr_pool_reserve(tr_pool *pool, uint32_t more);
/* The slot that the next call of tr_pool_take() will return, and the one that it returns after `slot`. */
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
/* The same for a slot whose id was never given out: its generation stays, so such slots never wear out. */
void tr_pool_give_unnamed(tr_pool *pool, uint32_t slot);

/* The object of a slot is in another row now. */
static inline void tr_pool_set_row(tr_pool *pool, uint32_t slot, uint32_t row)
{
    tr_archive_touch(&pool->group);
    ((uint32_t *)(uintptr_t)pool->row)[slot] = row;
}

void tr_pool_archive(tr_pool *pool, tr_archive *archive);
/* Whether what was read is a pool of `live` objects: the free slots are those of the list, or retired. Rows are any. */
bool tr_pool_is_sound(const tr_pool *pool, uint32_t live);

#endif
