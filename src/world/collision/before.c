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
    tr_release(memory, it->manifolds, it->manifold_capacity * sizeof *it->manifolds);
    tr_release(memory, it->pairs, it->pair_capacity * sizeof *it->pairs);
    tr_release(memory, it->shape_flags, it->shape_capacity * sizeof *it->shape_flags);
    tr_release(memory, it->rows, it->row_capacity * sizeof *it->rows);
    tr_release(memory, it->cells, it->cell_capacity);
    tr_release(memory, it->written_slots, it->written_capacity * sizeof *it->written_slots);
    tr_release(memory, it->written_cells, it->written_cell_capacity);
    tr_release(memory, it->roused_contacts, it->roused_contact_capacity * sizeof *it->roused_contacts);
    tr_release(memory, it->roused_shapes, it->roused_shape_capacity * sizeof *it->roused_shapes);
    tr_release(memory, it->roused, it->roused_capacity * sizeof *it->roused);
}

static void exchange_manifolds(tr2_collision *it)
{
    tr2_before *before = &it->before;
    SWAP(tr2_manifold *, it->manifolds, before->manifolds);
    SWAP(uint32_t, it->manifold_capacity, before->manifold_capacity);
}

/* flags of shapes that do not rest, from the table or back */
static void copy_flags(const tr2_before *before, uint32_t *to, const uint32_t *from)
{
    const uint32_t first = before->shape_rest_first, end = before->shape_rest_end;
    if (first > 0)
        memcpy(to, from, first * sizeof *to);
    if (before->shape_count > end)
        memcpy(to + end, from + end, (before->shape_count - end) * sizeof *to);
}

bool tr2_before_begin(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    tr2_before *before = &it->before;
    tr_memory *m = &world->memory;
    const tr2_shapes *shapes = &world->shapes;
    const uint32_t pairs = tr2_pairs_awake(it), count = shapes->table.count;
    before->kept = before->exchanged = before->settled = before->written = before->all = false;
    before->written_count = 0;
    before->contact_rest_first = it->contact_rest_first;
    before->contact_rest_end = it->contact_rest_end;
    before->ended_count = it->ended_count;
    if (count == 0 && it->count == 0)
        return true;
    if (!tr_grow(m, (void **)&before->pairs, &before->pair_capacity, pairs, sizeof *before->pairs) ||
        !tr_grow(m, (void **)&before->shape_flags, &before->shape_capacity, count, sizeof *before->shape_flags) ||
        !tr2_broad_keep(&it->broad, &before->broad, it->fresh))
        return false;
    /* boxes of islands that edits have woken are to change their tree */
    if (world->sleep.waking != TR_NONE && !tr2_broad_keep_trees(&it->broad, &before->broad))
        return false;
    before->kept = true;
    before->rest_again = it->rest_again;
    before->pair_count = pairs;
    before->shape_count = count;
    before->shape_rest_first = shapes->rest_first;
    before->shape_rest_end = shapes->rest_end;
    before->roused_contact_count = before->roused_shape_count = before->roused_count = 0;
    before->lacks_memory = false;
    if (pairs > 0)
        memcpy(before->pairs, it->pairs + it->resting, pairs * sizeof *before->pairs);
    copy_flags(before, before->shape_flags, shapes->flags);
    exchange_manifolds(it);
    return true;
}

/* the number of contacts that go of which both bodies rest, or stand still: rows of what sleeps move for them */
static uint32_t taken_from_rest(const tr2_world *world)
{
    const tr2_collision *it = &world->collision;
    uint32_t count = 0;
    for (uint32_t i = 0; i < it->removed_count && it->contact_rest_first < it->contact_rest_end; i++) {
        uint32_t row = world->joint_pool.row[it->removed[i]];
        count += row >= it->contact_rest_first && row < it->contact_rest_end;
    }
    return count;
}

/* lists the rows of contacts that go, the last ones, which come into their places, and those that leave the rest */
static void list_rows(const tr2_world *world, tr2_before *before, bool all, uint32_t from_rest)
{
    const tr2_collision *it = &world->collision;
    uint32_t count = 0, contacts = before->contacts;
    uint32_t first = all || it->removed_count >= contacts ? 0 : contacts - it->removed_count;
    for (uint32_t i = 0; i < it->removed_count && !all; i++)
        before->rows[count++] = world->joint_pool.row[it->removed[i]];
    for (uint32_t i = 0; i < from_rest && !all; i++)
        before->rows[count++] = it->contact_rest_first + i;
    for (uint32_t row = first; row < contacts; row++)
        before->rows[count++] = row;
    before->row_count = count;
}

/* the pool's counts, and what it has behind the free slots that are taken */
static void keep_slots(tr2_before *before, const tr_pool *pool, const tr2_collision *it)
{
    const uint32_t taken = it->added_count < pool->free_count ? it->added_count : pool->free_count;
    before->slots = *pool;
    before->next_free = taken > 0 ? pool->row[it->added[taken - 1].edge] : 0;
}

bool tr2_before_contacts(tr2_world *world, bool all)
{
    tr2_collision *it = &world->collision;
    tr2_before *before = &it->before;
    tr_memory *m = &world->memory;
    const tr_table *table = &world->joints[TR_CONTACT].table;
    const uint32_t from_rest = taken_from_rest(world);
    before->contacts = table->count;
    before->contact_rest_first = it->contact_rest_first;
    before->contact_rest_end = it->contact_rest_end;
    before->ended_count = it->ended_count;
    keep_slots(before, &world->joint_pool, it);
    const uint64_t most = all ? table->count : 2 * (uint64_t)it->removed_count + from_rest;
    const uint64_t bytes = tr_table_bytes(table, 1) * most;
    if (most > UINT32_MAX || bytes > UINT32_MAX ||
        !tr_grow(m, (void **)&before->rows, &before->row_capacity, (uint32_t)most, sizeof *before->rows) ||
        !tr_grow(m, (void **)&before->cells, &before->cell_capacity, (uint32_t)bytes, 1))
        return false;
    list_rows(world, before, all, from_rest);
    before->all = all;
    if (before->row_count > 0)
        tr_table_copy_rows(table, before->rows, before->row_count, before->cells);
    return true;
}

bool tr2_before_write(tr2_world *world, const uint64_t *joints, uint32_t count)
{
    tr2_before *before = &world->collision.before;
    tr_memory *m = &world->memory;
    const tr2_joints *contacts = &world->joints[TR_CONTACT];
    uint32_t written = 0;
    if (!tr_grow(m, (void **)&before->written_slots, &before->written_capacity, count, sizeof(uint32_t)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (joints[i] >> 32 == TR_CONTACT && tr2_collide_writes(world, (uint32_t)joints[i]))
            before->written_slots[written++] = (uint32_t)joints[i];
    const size_t bytes = tr_table_bytes(&contacts->table, 1) * written;
    if (bytes > UINT32_MAX ||
        !tr_grow(m, (void **)&before->written_cells, &before->written_cell_capacity, (uint32_t)bytes, 1))
        return false;
    if (written > 0)
        tr_table_copy_rows(&contacts->table, before->written_slots, written, before->written_cells);
    for (uint32_t i = 0; i < written; i++)
        before->written_slots[i] = contacts->slot[before->written_slots[i]];
    before->written_count = written;
    return true;
}

/* the contacts that have been written, where they are now */
static void return_written(tr2_world *world)
{
    tr2_before *before = &world->collision.before;
    for (uint32_t i = 0; i < before->written_count; i++)
        before->written_slots[i] = world->joint_pool.row[before->written_slots[i]];
    tr_table_put_rows(&world->joints[TR_CONTACT].table, before->written_slots, before->written_count,
                      before->written_cells);
    /* with the marks of the step, which has ended */
    for (uint32_t i = 0; i < before->written_count; i++)
        world->joints[TR_CONTACT].flags[before->written_slots[i]] &= ~TR_JOINT_EXACT;
    before->written_count = 0;
}

/* free slots that were taken, in the order in which they were free */
static void return_slots(const tr2_before *before, tr_pool *pool, const tr2_collision *it)
{
    const tr_pool *was = &before->slots;
    uint32_t next = before->next_free;
    for (uint32_t i = it->added_count < was->free_count ? it->added_count : was->free_count; i-- > 0;) {
        tr_pool_set_row(pool, it->added[i].edge, next);
        next = TR_POOL_FREE | it->added[i].edge;
    }
    tr_archive_touch(&pool->group);
    pool->count = was->count;
    pool->first_free = was->first_free;
    pool->free_count = was->free_count;
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
    for (uint32_t i = 0; i < before->row_count; i++)
        tr_pool_set_row(pool, contacts->slot[before->rows[i]], before->rows[i]);
    return_slots(before, pool, it);
}

void tr2_before_return(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    tr2_before *before = &it->before;
    const bool kept = before->kept, settled = before->settled, exchanged = before->exchanged;
    before->settled = before->exchanged = before->kept = false;
    if (before->written_count > 0)
        return_written(world);
    if (settled)
        return_contacts(world);
    /* otherwise only what has woken has moved them */
    if (settled || !kept) {
        it->contact_rest_first = before->contact_rest_first;
        it->contact_rest_end = before->contact_rest_end;
        it->ended_count = before->ended_count;
    }
    if (exchanged)
        tr_plan_swap_undo(world->plan, &before->swap);
    if (!kept)
        return;
    exchange_manifolds(it);
    it->index_steps = 0;
    tr2_rest_undo(world);
    it->rest_again = before->rest_again;
    tr2_broad_return(&it->broad, &before->broad);
    copy_flags(before, world->shapes.flags, before->shape_flags);
    it->count = it->resting + before->pair_count;
    if (before->pair_count > 0)
        memcpy(it->pairs + it->resting, before->pairs, before->pair_count * sizeof *before->pairs);
    for (uint32_t i = it->resting; i < it->count; i++)
        tr2_pair_moved(world, i);
}

/* Lets go of memory that few searches need as much of as the first one, and those that follow edits. */
static void release_lists(tr2_collision *it, tr_memory *memory)
{
    tr2_broad *broad = &it->broad;
    tr_release(memory, broad->found, broad->found_capacity * sizeof *broad->found);
    tr_release(memory, broad->pairs, broad->pair_capacity * sizeof *broad->pairs);
    tr_release(memory, it->added, it->added_capacity * sizeof *it->added);
    tr_release(memory, it->added_pairs, it->added_pair_capacity * sizeof *it->added_pairs);
    broad->found = broad->pairs = NULL;
    it->added = NULL;
    it->added_pairs = NULL;
    broad->found_capacity = broad->pair_capacity = it->added_capacity = it->added_pair_capacity = 0;
    it->added_count = 0;
}

void tr2_before_end(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    tr2_before *before = &it->before;
    tr2_shapes *shapes = &world->shapes;
    if (before->exchanged)
        tr_plan_swap_settle(world->plan, &before->swap);
    before->kept = before->exchanged = before->settled = false;
    before->written_count = 0;
    tr2_broad_kept_settle(&before->broad);
    if (!it->fresh)
        return;
    for (uint32_t row = 0; row < shapes->table.count; row++)
        shapes->flags[row] &= ~TR2_SHAPE_FRESH;
    release_lists(it, &world->memory);
    it->fresh = false;
}
