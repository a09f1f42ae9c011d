#include "world/collision/before.h"

#include <string.h>

#include "world/collision/collision_internal.h"
#include "world/contacts/contact_row.h"

#define SWAP(type, a, b)                                                                                               \
    do {                                                                                                               \
        type swapped_ = a;                                                                                             \
        a = b;                                                                                                         \
        b = swapped_;                                                                                                  \
    } while (0)

void tr2_before_free(tr2_before *it, tr_memory *memory)
{
    tr2_broad_kept_free(&it->broad, memory);
    tr_release(memory, it->places, it->place_capacity * sizeof *it->places);
    tr_release(memory, it->manifolds, it->manifold_capacity * sizeof *it->manifolds);
    tr_release(memory, it->pairs, it->pair_capacity * sizeof *it->pairs);
    tr_release(memory, it->shape_flags, it->shape_capacity * sizeof *it->shape_flags);
    tr_release(memory, it->rows, it->row_capacity * sizeof *it->rows);
    tr_release(memory, it->cells, it->cell_capacity);
    tr_release(memory, it->slot_rows, it->slot_capacity * sizeof *it->slot_rows);
    tr_release(memory, it->generations, it->generation_capacity * sizeof *it->generations);
}

bool tr2_places_reserve(tr2_collision *it, tr_memory *memory, uint32_t count)
{
    tr2_before *before = &it->before;
    return tr_grow(memory, (void **)&it->places, &it->place_capacity, count, sizeof *it->places) &&
           tr_grow(memory, (void **)&before->places, &before->place_capacity, count, sizeof *before->places);
}

static void exchange_arrays(tr2_collision *it)
{
    tr2_before *before = &it->before;
    SWAP(tr2_shape_place *, it->places, before->places);
    SWAP(uint32_t, it->place_capacity, before->place_capacity);
    SWAP(tr2_manifold *, it->manifolds, before->manifolds);
    SWAP(uint32_t, it->manifold_capacity, before->manifold_capacity);
}

bool tr2_before_begin(tr2_world *world, bool keep)
{
    tr2_collision *it = &world->collision;
    tr2_before *before = &it->before;
    tr_memory *m = &world->memory;
    const tr2_shapes *shapes = &world->shapes;
    const uint32_t pairs = tr2_pairs_awake(it), count = shapes->table.count;
    if (keep &&
        (!tr_grow(m, (void **)&before->pairs, &before->pair_capacity, pairs, sizeof *before->pairs) ||
         !tr_grow(m, (void **)&before->shape_flags, &before->shape_capacity, count, sizeof *before->shape_flags) ||
         !tr2_broad_keep(&it->broad, &before->broad, it->fresh)))
        return false;
    before->kept = keep;
    before->exchanged = before->settled = before->written = false;
    if (keep && pairs > 0)
        memcpy(before->pairs, it->pairs + it->resting, pairs * sizeof *before->pairs);
    if (keep && count > 0)
        memcpy(before->shape_flags, shapes->flags, count * sizeof *before->shape_flags);
    before->pair_count = pairs;
    before->shape_count = count;
    exchange_arrays(it);
    return true;
}

/* lists the rows of contacts that go, and the last ones, which come into their places */
static void list_rows(const tr2_world *world, tr2_before *before, bool all)
{
    const tr2_collision *it = &world->collision;
    uint32_t count = 0, contacts = before->contacts;
    uint32_t first = all || it->removed_count >= contacts ? 0 : contacts - it->removed_count;
    for (uint32_t i = 0; i < it->removed_count && !all; i++)
        before->rows[count++] = world->joint_pool.row[it->removed[i]];
    for (uint32_t row = first; row < contacts; row++)
        before->rows[count++] = row;
    before->row_count = count;
}

bool tr2_before_contacts(tr2_world *world, bool all)
{
    tr2_collision *it = &world->collision;
    tr2_before *before = &it->before;
    tr_memory *m = &world->memory;
    const tr_table *table = &world->joints[TR_CONTACT].table;
    const tr_pool *pool = &world->joint_pool;
    before->contacts = table->count;
    before->contact_rest_first = it->contact_rest_first;
    before->contact_rest_end = it->contact_rest_end;
    before->ended_count = it->ended_count;
    before->slots = *pool;
    const uint64_t most = all ? table->count : 2 * (uint64_t)it->removed_count;
    const uint64_t bytes = tr_table_bytes(table, 1) * most;
    const bool changes = all || it->added_count + it->removed_count > 0;
    if (most > UINT32_MAX || bytes > UINT32_MAX ||
        !tr_grow(m, (void **)&before->rows, &before->row_capacity, (uint32_t)most, sizeof *before->rows) ||
        !tr_grow(m, (void **)&before->cells, &before->cell_capacity, (uint32_t)bytes, 1) ||
        !tr_grow(m, (void **)&before->slot_rows, &before->slot_capacity, changes ? pool->count : 0,
                 sizeof *before->slot_rows) ||
        !tr_grow(m, (void **)&before->generations, &before->generation_capacity, changes ? pool->count : 0,
                 sizeof *before->generations))
        return false;
    list_rows(world, before, all);
    if (before->row_count > 0)
        tr_table_copy_rows(table, before->rows, before->row_count, before->cells);
    before->has_slots = changes;
    if (changes && pool->count > 0) {
        memcpy(before->slot_rows, pool->row, pool->count * sizeof *before->slot_rows);
        memcpy(before->generations, pool->generation, pool->count * sizeof *before->generations);
    }
    return true;
}

/* the table of contacts, and the pool */
static void return_contacts(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    const tr2_before *before = &it->before;
    tr2_joints *contacts = &world->joints[TR_CONTACT];
    tr_pool *pool = &world->joint_pool;
    contacts->table.count = before->contacts;
    tr_table_put_rows(&contacts->table, before->rows, before->row_count, before->cells);
    if (before->has_slots && before->slots.count > 0) {
        memcpy(pool->row, before->slot_rows, before->slots.count * sizeof *pool->row);
        memcpy(pool->generation, before->generations, before->slots.count * sizeof *pool->generation);
    }
    if (before->has_slots) {
        pool->count = before->slots.count;
        pool->first_free = before->slots.first_free;
        pool->free_count = before->slots.free_count;
    }
    it->contact_rest_first = before->contact_rest_first;
    it->contact_rest_end = before->contact_rest_end;
    it->ended_count = before->ended_count;
}

void tr2_before_return(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    tr2_before *before = &it->before;
    const bool settled = before->settled, exchanged = before->exchanged;
    before->settled = before->exchanged = false;
    if (!before->kept) {
        /* the caller has the state */
        if (exchanged)
            tr_plan_swap_settle(world->plan, &before->swap);
        return;
    }
    before->kept = false;
    exchange_arrays(it);
    tr2_broad_return(&it->broad, &before->broad);
    if (before->shape_count > 0)
        memcpy(world->shapes.flags, before->shape_flags, before->shape_count * sizeof *before->shape_flags);
    it->count = it->resting + before->pair_count;
    if (before->pair_count > 0)
        memcpy(it->pairs + it->resting, before->pairs, before->pair_count * sizeof *before->pairs);
    it->index_steps = 0;
    if (settled)
        return_contacts(world);
    if (exchanged)
        tr_plan_swap_undo(world->plan, &before->swap);
    for (uint32_t i = it->resting; i < it->count && settled; i++)
        tr2_pair_moved(world, i);
}

void tr2_before_end(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    tr2_before *before = &it->before;
    const tr2_shapes *shapes = &world->shapes;
    if (before->exchanged)
        tr_plan_swap_settle(world->plan, &before->swap);
    before->kept = before->exchanged = before->settled = false;
    for (uint32_t row = 0; row < shapes->table.count && it->fresh; row++) {
        uint32_t slot = shapes->id[row].index - 1;
        if ((shapes->flags[row] & TR2_SHAPE_FRESH) != 0)
            before->places[slot] = it->places[slot];
        shapes->flags[row] &= ~TR2_SHAPE_FRESH;
    }
    it->fresh = false;
}
