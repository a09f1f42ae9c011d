#include "base/pool.h"

#include <string.h>

void tr_pool_init(tr_pool *pool, tr_memory *memory)
{
    memset(pool, 0, sizeof *pool);
    pool->memory = memory;
}

static void release_arrays(tr_pool *pool)
{
    tr_release(pool->memory, pool->row, pool->capacity * sizeof(uint32_t));
    tr_release(pool->memory, pool->generation, pool->capacity * sizeof(uint16_t));
}

void tr_pool_free(tr_pool *pool)
{
    if (pool->memory == NULL)
        return;
    release_arrays(pool);
    memset(pool, 0, sizeof *pool);
}

bool tr_pool_reserve(tr_pool *pool, uint32_t more)
{
    uint64_t needed = (uint64_t)pool->count + (more > pool->free_count ? more - pool->free_count : 0);
    if (needed <= pool->capacity)
        return true;
    if (needed > INT32_MAX)
        return false;
    /* allocate both new arrays before changing anything, so that a failure leaves the pool as it was */
    uint32_t wanted = tr_grown_capacity(pool->capacity, (uint32_t)needed);
    uint32_t capacity = wanted > INT32_MAX ? INT32_MAX : wanted;
    tr_pool grown = *pool;
    grown.row = tr_allocate_array(pool->memory, capacity, sizeof(uint32_t));
    grown.generation = tr_allocate_array(pool->memory, capacity, sizeof(uint16_t));
    grown.capacity = capacity;
    bool ok = grown.row != NULL && grown.generation != NULL;
    if (ok && pool->count > 0) {
        memcpy(grown.row, pool->row, pool->count * sizeof(uint32_t));
        memcpy(grown.generation, pool->generation, pool->count * sizeof(uint16_t));
    }
    tr_pool old = ok ? *pool : grown;
    release_arrays(&old);
    if (ok)
        *pool = grown;
    return ok;
}

uint32_t tr_pool_take(tr_pool *pool, uint32_t row)
{
    uint32_t slot = tr_pool_coming(pool);
    if (slot < pool->count) {
        pool->first_free = pool->row[slot] & ~TR_POOL_FREE;
        pool->free_count--;
    } else {
        pool->count++;
    }
    pool->row[slot] = row;
    return slot;
}

void tr_pool_give(tr_pool *pool, uint32_t slot)
{
    /* retire a slot after its last generation, because reusing it would make an old id valid again */
    if (pool->generation[slot] == UINT16_MAX) {
        pool->row[slot] = TR_POOL_FREE | TR_POOL_LAST;
        return;
    }
    pool->generation[slot]++;
    tr_pool_give_unnamed(pool, slot);
}

void tr_pool_give_unnamed(tr_pool *pool, uint32_t slot)
{
    pool->row[slot] = TR_POOL_FREE | (pool->free_count > 0 ? pool->first_free : TR_POOL_LAST);
    pool->first_free = slot;
    pool->free_count++;
}
