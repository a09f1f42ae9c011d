/* A step's collision: what touches becomes contacts, in the plan and in their table, all or none. */
#include "world/collision.h"

#include <string.h>

#include "base/arithmetic.h"
#include "parallel/topology.h"
#include "world/collision_internal.h"
#include "world/contact_row.h"

void tr2_collision_init(tr2_collision *collision, tr_memory *memory)
{
    tr2_broad_init(&collision->broad, memory);
    tr_map_init(&collision->keys, memory);
}

void tr2_collision_free(tr2_collision *it, tr_memory *memory)
{
    tr2_broad_free(&it->broad);
    tr_map_free(&it->keys);
    tr_release(memory, it->pairs, it->capacity * sizeof *it->pairs);
    tr_release(memory, it->manifolds, it->manifold_capacity * sizeof *it->manifolds);
    tr_release(memory, it->removed, it->removed_capacity * sizeof *it->removed);
    tr_release(memory, it->added, it->added_capacity * sizeof *it->added);
    tr_release(memory, it->added_pairs, it->added_pair_capacity * sizeof *it->added_pairs);
    tr_release(memory, it->ended, it->ended_capacity * sizeof *it->ended);
    tr_release(memory, it->events, it->event_capacity * sizeof *it->events);
    tr_release(memory, it->changed, it->changed_capacity * sizeof *it->changed);
}

/*
 * What the plan must do
 */

/* how many points a pair's contact is to have; 0: none */
static uint32_t points_of(const tr2_collision *it, uint32_t pair)
{
    return (it->pairs[pair].flags & (TR2_PAIR_SENSOR | TR2_PAIR_DEAD)) != 0 ? 0 : it->manifolds[pair].count;
}

/* room for whatever may come of so many pairs */
static bool reserve_lists(tr2_world *world, uint32_t pairs)
{
    tr2_collision *it = &world->collision;
    tr_memory *m = &world->memory;
    uint32_t added = 0, kept = 0, dying = 0;
    for (uint32_t i = 0; i < pairs; i++) {
        dying += (it->pairs[i].flags & TR2_PAIR_DEAD) != 0;
        added += it->pairs[i].contact == TR_NONE && points_of(it, i) > 0;
        kept += it->pairs[i].contact != TR_NONE;
    }
    tr_pool *pool = &world->joint_pool;
    tr2_joints *contacts = &world->joints[TR2_CONTACT];
    bool ok = tr_grow(m, (void **)&it->added, &it->added_capacity, added, sizeof *it->added) &&
              tr_grow(m, (void **)&it->added_pairs, &it->added_pair_capacity, added, sizeof *it->added_pairs) &&
              tr_grow(m, (void **)&it->removed, &it->removed_capacity, kept, sizeof *it->removed) &&
              tr_grow(m, (void **)&it->changed, &it->changed_capacity, kept, sizeof *it->changed) &&
              tr_grow(m, (void **)&it->ended, &it->ended_capacity, it->ended_count + dying, sizeof *it->ended) &&
              tr_pool_reserve(pool, added) &&
              tr_grow(m, (void **)&world->joint_type, &world->joint_type_capacity, pool->capacity,
                      sizeof *world->joint_type) &&
              tr_table_reserve(&contacts->table, contacts->table.count + added);
    tr2_joints_refresh(contacts, TR2_CONTACT);
    return ok;
}

static void list_changes(tr2_world *world, uint32_t pairs)
{
    tr2_collision *it = &world->collision;
    const tr2_shapes *shapes = &world->shapes;
    it->added_count = it->removed_count = it->changed_count = 0;
    for (uint32_t i = 0; i < pairs; i++) {
        const tr2_pair *pair = &it->pairs[i];
        uint32_t points = points_of(it, i), kernel = tr2_contact_kernel_of(points);
        if (pair->contact == TR_NONE && points > 0) {
            uint32_t a = shapes->body[shapes->pool.row[pair->a]].index - 1;
            uint32_t b = shapes->body[shapes->pool.row[pair->b]].index - 1;
            it->added_pairs[it->added_count] = i;
            it->added[it->added_count] =
                (tr_plan_edge){tr_pool_peek(&world->joint_pool, it->added_count), a, b, kernel};
            it->added_count++;
        } else if (pair->contact != TR_NONE && points == 0) {
            it->removed[it->removed_count++] = pair->contact;
        } else if (pair->contact != TR_NONE && tr2_contact_kernel(world, pair->contact) != kernel) {
            it->changed[it->changed_count++] = (tr_plan_edge){pair->contact, 0, 0, kernel};
        }
    }
}

/* kept contacts with another number of points go to another span; going back needs no memory */
static tr_status set_kinds(tr2_world *world, uint32_t count, bool back)
{
    const tr2_collision *it = &world->collision;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = it->changed[i].edge;
        tr_status status =
            tr_plan_set_kind(world->plan, slot, back ? tr2_contact_kernel(world, slot) : it->changed[i].kind);
        if (status != TR_OK) {
            (void)set_kinds(world, i, true);
            return status;
        }
    }
    return TR_OK;
}

/* the plan, all or none */
static tr_status replan(tr2_world *world)
{
    const tr2_collision *it = &world->collision;
    tr_status status = set_kinds(world, it->changed_count, false);
    if (status != TR_OK || it->added_count + it->removed_count == 0)
        return status;
    status = tr_plan_exchange(world->plan, it->removed, it->removed_count, it->added, it->added_count);
    if (status != TR_OK)
        (void)set_kinds(world, it->changed_count, true);
    return status;
}

/*
 * The tables; everything that could fail is done
 */
static void commit(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    tr2_shapes *shapes = &world->shapes;
    tr2_joints *contacts = &world->joints[TR2_CONTACT];
    for (uint32_t i = 0; i < it->added_count; i++) {
        tr2_pair *pair = &it->pairs[it->added_pairs[i]];
        tr2_body a = shapes->body[shapes->pool.row[pair->a]], b = shapes->body[shapes->pool.row[pair->b]];
        pair->contact = tr2_contact_append(world, a, b, (uint64_t)pair->a << 32 | pair->b);
        contacts->flags[world->joint_pool.row[pair->contact]] = TR2_CONTACT_OF_SHAPES;
        tr2_pair_moved(world, it->added_pairs[i]);
    }
    for (uint32_t i = 0; i < it->removed_count; i++)
        tr2_joint_drop(world, it->removed[i]);
    tr2_collide_settle_pairs(world);
    for (uint32_t row = 0; row < shapes->table.count && it->fresh; row++)
        shapes->flags[row] &= ~TR2_SHAPE_FRESH;
    it->fresh = false;
}

void tr2_pair_moved(tr2_world *world, uint32_t pair)
{
    uint32_t slot = world->collision.pairs[pair].contact;
    if (slot != TR_NONE)
        tr2_contact_set_own(&world->joints[TR2_CONTACT], TR2_CONTACT_ORDER, world->joint_pool.row[slot], pair);
}

/* apart from its caller, so that no arithmetic of it is moved to where the host's rules hold */
static __attribute__((noinline)) tr_status collide_plainly(tr2_world *world, double dt)
{
    tr2_collision *it = &world->collision;
    /* as many as the last step found worth while */
    uint32_t workers = tr2_solver_last(world->solver)->threads;
    tr2_collide_step step = {world, dt, workers > 0 ? workers : 1};
    if (!tr2_collide_find(&step) || !tr2_collide_touch(&step))
        return TR_ERROR_MEMORY;
    uint32_t pairs = it->count + it->broad.pair_count;
    if (!reserve_lists(world, pairs))
        return TR_ERROR_MEMORY;
    list_changes(world, pairs);
    tr_status status = replan(world);
    if (status != TR_OK)
        return status;
    commit(world);
    tr2_collide_write(&step);
    return TR_OK;
}

tr_status tr2_collide_world(tr2_world *world, double dt)
{
    tr2_collision *it = &world->collision;
    it->seconds = 0.0;
    if (world->shapes.table.count == 0 && it->count == 0)
        return TR_OK;
    double begin = tr_clock_seconds();
    tr_arithmetic before = tr_arithmetic_plain();
    tr_status status = collide_plainly(world, dt);
    tr_arithmetic_restore(&before);
    it->seconds = tr_clock_seconds() - begin;
    return status;
}
