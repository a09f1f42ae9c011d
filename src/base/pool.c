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
    tr_release(pool->memory, pool->free_slots, pool->capacity * sizeof(uint32_t));
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
    /* the three arrays grow together: each into a copy first, so that a failure leaves all as they were */
    uint32_t wanted = tr_grown_capacity(pool->capacity, (uint32_t)needed);
    uint32_t capacity = wanted > INT32_MAX ? INT32_MAX : wanted;
    tr_pool grown = *pool;
    grown.row = tr_allocate_array(pool->memory, capacity, sizeof(uint32_t));
    grown.generation = tr_allocate_array(pool->memory, capacity, sizeof(uint16_t));
    grown.free_slots = tr_allocate_array(pool->memory, capacity, sizeof(uint32_t));
    grown.capacity = capacity;
    bool ok = grown.row != NULL && grown.generation != NULL && grown.free_slots != NULL;
    if (ok && pool->count > 0) {
        memcpy(grown.row, pool->row, pool->count * sizeof(uint32_t));
        memcpy(grown.generation, pool->generation, pool->count * sizeof(uint16_t));
        memcpy(grown.free_slots, pool->free_slots, pool->free_count * sizeof(uint32_t));
    }
    tr_pool old = ok ? *pool : grown;
    release_arrays(&old);
    if (ok)
        *pool = grown;
    return ok;
}

uint32_t tr_pool_peek(const tr_pool *pool, uint32_t ahead)
{
    if (ahead < pool->free_count)
        return pool->free_slots[pool->free_count - 1 - ahead];
    return pool->count + (ahead - pool->free_count);
}

uint32_t tr_pool_take(tr_pool *pool, uint32_t row)
{
    uint32_t slot = tr_pool_peek(pool, 0);
    if (pool->free_count > 0)
        pool->free_count--;
    else
        pool->count++;
    pool->row[slot] = row;
    return slot;
}

void tr_pool_give(tr_pool *pool, uint32_t slot)
{
    pool->row[slot] = TR_POOL_FREE;
    /* the last generation is not used again: the slot is retired rather than an old id made valid */
    if (pool->generation[slot] == UINT16_MAX)
        return;
    pool->generation[slot]++;
    pool->free_slots[pool->free_count++] = slot;
}

void tr_pool_give_unnamed(tr_pool *pool, uint32_t slot)
{
    pool->row[slot] = TR_POOL_FREE;
    pool->free_slots[pool->free_count++] = slot;
}
