#include "base/pool.h"

#include <string.h>

void tr_pool_init(tr_pool *pool, tr_memory *memory)
{
    memset(pool, 0, sizeof *pool);
    pool->memory = memory;
}

/* the arrays, to be written */
static uint32_t *rows_of(tr_pool *pool)
{
    tr_archive_touch(&pool->group);
    return (uint32_t *)(uintptr_t)pool->row;
}

static uint16_t *generations_of(tr_pool *pool)
{
    tr_archive_touch(&pool->group);
    return (uint16_t *)(uintptr_t)pool->generation;
}

static void release_arrays(tr_pool *pool)
{
    tr_release(pool->memory, rows_of(pool), pool->capacity * sizeof(uint32_t));
    tr_release(pool->memory, generations_of(pool), pool->capacity * sizeof(uint16_t));
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
        memcpy(rows_of(&grown), pool->row, pool->count * sizeof(uint32_t));
        memcpy(generations_of(&grown), pool->generation, pool->count * sizeof(uint16_t));
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
    tr_pool_set_row(pool, slot, row);
    return slot;
}

void tr_pool_give(tr_pool *pool, uint32_t slot)
{
    /* retire a slot after its last generation, because reusing it would make an old id valid again */
    if (pool->generation[slot] == UINT16_MAX) {
        tr_pool_set_row(pool, slot, TR_POOL_FREE | TR_POOL_LAST);
        return;
    }
    generations_of(pool)[slot]++;
    tr_pool_give_unnamed(pool, slot);
}

void tr_pool_give_unnamed(tr_pool *pool, uint32_t slot)
{
    tr_pool_set_row(pool, slot, TR_POOL_FREE | (pool->free_count > 0 ? pool->first_free : TR_POOL_LAST));
    pool->first_free = slot;
    pool->free_count++;
}

/* both arrays share a capacity: makes room in both, or in none */
static bool make_room(tr_pool *pool, uint32_t count)
{
    if (count <= pool->capacity)
        return true;
    release_arrays(pool);
    pool->row = tr_allocate_array(pool->memory, count, sizeof(uint32_t));
    pool->generation = tr_allocate_array(pool->memory, count, sizeof(uint16_t));
    pool->capacity = count;
    bool ok = pool->row != NULL && pool->generation != NULL;
    if (!ok) {
        release_arrays(pool);
        pool->row = NULL;
        pool->generation = NULL;
        pool->capacity = 0;
    }
    return ok;
}

static void visit(tr_pool *pool, tr_archive *archive)
{
    uint32_t count = pool->count;
    tr_archive_value(archive, pool->first_free);
    tr_archive_value(archive, pool->free_count);
    tr_archive_value(archive, count);
    if (!tr_archive_goes_on(archive) || !tr_archive_has(archive, count, sizeof(uint32_t) + sizeof(uint16_t)))
        return;
    if (tr_archive_reads(archive)) {
        pool->count = 0;
        if (!make_room(pool, count)) {
            archive->status = TR_ERROR_MEMORY;
            return;
        }
        pool->count = count;
        /* slots that were never used have generation 0 */
        if (pool->capacity > count)
            memset(generations_of(pool) + count, 0, (pool->capacity - count) * sizeof(uint16_t));
    }
    if (count > 0) {
        /* an archive that does not read does not write to them */
        tr_archive_bytes(archive, (uint32_t *)(uintptr_t)pool->row, count * sizeof *pool->row);
        tr_archive_bytes(archive, (uint16_t *)(uintptr_t)pool->generation, count * sizeof *pool->generation);
    }
}

void tr_pool_archive(tr_pool *pool, tr_archive *archive)
{
    if (!tr_archive_begin(archive, &pool->group))
        return;
    visit(pool, archive);
    tr_archive_end(archive, &pool->group);
}

bool tr_pool_is_sound(const tr_pool *pool, uint32_t live)
{
    uint32_t used = 0, retired = 0, slot = pool->first_free;
    for (uint32_t i = 0; i < pool->count; i++) {
        bool is_free = tr_pool_is_free(pool, i);
        used += !is_free;
        /* the last of the list looks the same, but has a generation left */
        retired += is_free && pool->generation[i] == UINT16_MAX && pool->row[i] == (TR_POOL_FREE | TR_POOL_LAST);
    }
    if (used != live || pool->count > INT32_MAX)
        return false;
    uint32_t listed = 0;
    for (; listed < pool->free_count; listed++) {
        if (slot >= pool->count || !tr_pool_is_free(pool, slot))
            return false;
        /* an unnamed slot may be in the list with its last generation */
        retired -= pool->generation[slot] == UINT16_MAX && pool->row[slot] == (TR_POOL_FREE | TR_POOL_LAST);
        slot = pool->row[slot] & ~TR_POOL_FREE;
    }
    return (pool->free_count == 0 || slot == TR_POOL_LAST) && (uint64_t)used + listed + retired == pool->count;
}
