/*
 * Pairs and contacts that come take the places of those that go, in the same unit of the plan. So the places of a unit
 * stay near each other in memory, which passes over the unit's contacts then find in the cache. In a crowd a fresh plan
 * lasts some twenty steps, in which half of the contacts change.
 */
#include <string.h>

#include "world/collision/collision_internal.h"
#include "world/contacts/contact_row.h"
#include "world/core/body.h"

bool tr2_collide_reserve_settle(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    tr_memory *m = &world->memory;
    uint32_t units = tr_plan_unit_count(world->plan) + 1, pairs = it->broad.pair_count;
    uint32_t holes = it->removed_count > it->dying_count ? it->removed_count : it->dying_count;
    /* without holes nothing is filled */
    uint32_t added = it->removed_count > 0 ? it->added_count : 0, fills = it->dying_count > 0 ? pairs : 0;
    fills = added > fills ? added : fills;
    return tr_grow(m, (void **)&it->units, &it->unit_capacity, units, sizeof *it->units) &&
           tr_grow(m, (void **)&it->holes, &it->hole_capacity, holes, sizeof *it->holes) &&
           tr_grow(m, (void **)&it->fills, &it->fill_capacity, fills, sizeof *it->fills);
}

/* the unit of a contact or pair, by the slots of its bodies; the number of units if it has none */
static uint32_t unit_of(const tr2_world *world, uint32_t body_a, uint32_t body_b)
{
    uint32_t unit = tr_plan_unit(world->plan, body_a);
    if (unit == TR_NONE)
        unit = tr_plan_unit(world->plan, body_b);
    return unit != TR_NONE ? unit : tr_plan_unit_count(world->plan);
}

/* the same for a pair, which may be dead because a shape is gone */
static uint32_t unit_of_pair(const tr2_world *world, const tr2_pair *pair)
{
    const tr2_shapes *shapes = &world->shapes;
    if (!tr2_shape_is_there(shapes, pair->a, pair->generation_a) ||
        !tr2_shape_is_there(shapes, pair->b, pair->generation_b))
        return tr_plan_unit_count(world->plan);
    return unit_of(world, tr2_shape_body_slot(shapes, pair->a), tr2_shape_body_slot(shapes, pair->b));
}

/*
 * Converts `fills` from the units of what comes to the holes that it fills, TR_NONE: none. `holes` has the units of
 * what goes; then a hole that is filled has its own number. First those of the same unit, in order, then any.
 */
static void match_units(const tr2_world *world, uint32_t holes, uint32_t fills)
{
    const tr2_collision *it = &world->collision;
    uint32_t *hole = it->holes, *fill = it->fills, *first = it->units, any = 0;
    for (uint32_t unit = 0; unit <= tr_plan_unit_count(world->plan); unit++)
        first[unit] = TR_NONE;
    /* lists of holes, by unit */
    for (uint32_t i = holes; i-- > 0;) {
        uint32_t unit = hole[i];
        hole[i] = first[unit];
        first[unit] = i;
    }
    for (uint32_t i = 0; i < fills; i++) {
        uint32_t unit = fill[i], found = first[unit];
        fill[i] = found;
        if (found == TR_NONE)
            continue;
        first[unit] = hole[found];
        hole[found] = found;
    }
    for (uint32_t i = 0; i < fills; i++) {
        while (any < holes && hole[any] == any)
            any++;
        if (any == holes)
            return;
        if (fill[i] == TR_NONE)
            fill[i] = hole[any] = any;
    }
}

/*
 * Contacts
 */

/* creates the contact of a pair, in the row of one that goes or in a new one */
static void add_contact(tr2_world *world, uint32_t index, uint32_t hole)
{
    tr2_collision *it = &world->collision;
    const tr2_shapes *shapes = &world->shapes;
    tr2_joints *contacts = &world->joints[TR_CONTACT];
    tr2_pair *pair = &it->pairs[index];
    tr2_body a = shapes->body[shapes->pool.row[pair->a]], b = shapes->body[shapes->pool.row[pair->b]];
    uint64_t user_data = (uint64_t)pair->a << 32 | pair->b;
    pair->contact = hole == TR_NONE ? tr2_contact_append(world, a, b, user_data)
                                    : tr2_contact_replace(world, it->removed[hole], a, b, user_data);
    contacts->flags[world->joint_pool.row[pair->contact]] = TR2_CONTACT_OF_SHAPES;
    pair->flags |= TR2_PAIR_FRESH;
    tr2_pair_moved(world, index);
}

static void match_contacts(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    const tr2_joints *contacts = &world->joints[TR_CONTACT];
    for (uint32_t i = 0; i < it->removed_count; i++) {
        uint32_t row = world->joint_pool.row[it->removed[i]];
        it->holes[i] = unit_of(world, contacts->body_a[row].index - 1, contacts->body_b[row].index - 1);
    }
    for (uint32_t i = 0; i < it->added_count; i++)
        it->fills[i] = unit_of(world, it->added[i].vertex_a, it->added[i].vertex_b);
    match_units(world, it->removed_count, it->added_count);
}

void tr2_collide_settle_contacts(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    bool holes = it->removed_count > 0;
    if (holes)
        match_contacts(world);
    for (uint32_t i = 0; i < it->added_count; i++)
        add_contact(world, it->added_pairs[i], holes ? it->fills[i] : TR_NONE);
    for (uint32_t i = 0; i < it->removed_count; i++) {
        if (it->holes[i] == i)
            tr_pool_give_unnamed(&world->joint_pool, it->removed[i]);
        else
            tr2_joint_drop(world, it->removed[i], TR_CONTACT);
    }
}

/*
 * Pairs
 */
void tr2_pair_moved(tr2_world *world, uint32_t pair)
{
    uint32_t slot = world->collision.pairs[pair].contact;
    if (slot != TR_NONE)
        tr2_contact_set_own(&world->joints[TR_CONTACT], TR2_CONTACT_ORDER, world->joint_pool.row[slot], pair);
}

static void move_pair(tr2_world *world, uint32_t from, uint32_t to)
{
    tr2_collision *it = &world->collision;
    if (it->index_steps > 0)
        tr2_pair_index_renumber(&it->index, it->pairs, from, to);
    it->pairs[to] = it->pairs[from];
    it->manifolds[to] = it->manifolds[from];
    it->pairs[from].flags |= TR2_PAIR_DEAD;
    tr2_pair_moved(world, to);
}

/* moves new pairs into the places of dead ones, of which there are some */
static void fill_gaps(tr2_world *world, uint32_t first_new, uint32_t new_count)
{
    tr2_collision *it = &world->collision;
    for (uint32_t i = 0; i < it->dying_count; i++)
        it->holes[i] = unit_of_pair(world, &it->pairs[it->dying[i]]);
    for (uint32_t i = 0; i < new_count; i++)
        it->fills[i] = unit_of_pair(world, &it->pairs[first_new + i]);
    match_units(world, it->dying_count, new_count);
    for (uint32_t i = 0; i < new_count; i++) {
        if (it->fills[i] != TR_NONE)
            move_pair(world, first_new + i, it->dying[it->fills[i]]);
    }
}

/* moves the last remaining pair into a gap */
static void close_gap(tr2_world *world, uint32_t gap)
{
    tr2_collision *it = &world->collision;
    while (it->count > gap && (it->pairs[it->count - 1].flags & TR2_PAIR_DEAD) != 0)
        it->count--;
    if (it->count > gap)
        move_pair(world, --it->count, gap);
}

void tr2_collide_settle_pairs(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    /* remove first, because a new pair may have the same slots */
    bool indexed = it->index_steps > 0;
    for (uint32_t i = 0; i < it->dying_count && indexed; i++)
        tr2_pair_index_remove(&it->index, it->pairs, it->dying[i]);
    tr2_touches_end(world);
    uint32_t first_new = it->count, new_count = it->broad.pair_count;
    for (uint32_t i = 0; i < new_count && indexed; i++)
        tr2_pair_index_put(&it->index, it->pairs, first_new + i);
    it->count += new_count;
    it->broad.pair_count = 0;
    it->index_steps -= indexed;
    if (it->dying_count == 0)
        return;
    fill_gaps(world, first_new, new_count);
    /* either all of the new ones have moved, or all of the dead ones are replaced */
    for (uint32_t i = 0; i < it->dying_count; i++) {
        if (it->holes[i] != i)
            close_gap(world, it->dying[i]);
    }
    for (uint32_t i = 0; i < new_count; i++) {
        if (it->fills[i] != TR_NONE)
            close_gap(world, first_new + i);
    }
}

/*
 * In the order of bodies
 */
_Static_assert(sizeof(tr2_manifold) >= sizeof(tr2_pair), "a copy has room for either");

bool tr2_pair_order_reserve(tr2_world *world, tr2_pair_order *out)
{
    tr_memory *m = &world->memory;
    *out = (tr2_pair_order){.bodies = world->bodies.table.count + 1, .pairs = tr2_pair_count(&world->collision)};
    if (out->pairs == 0)
        return true;
    out->first = tr_allocate_array(m, out->bodies, sizeof *out->first);
    out->place = tr_allocate_array(m, out->pairs, sizeof *out->place);
    out->copy = tr_allocate_array(m, out->pairs, sizeof(tr2_manifold));
    if (out->first != NULL && out->place != NULL && out->copy != NULL)
        return true;
    tr2_pair_order_release(world, out);
    return false;
}

void tr2_pair_order_release(tr2_world *world, tr2_pair_order *order)
{
    tr_memory *m = &world->memory;
    tr_release(m, order->first, order->bodies * sizeof *order->first);
    tr_release(m, order->place, order->pairs * sizeof *order->place);
    tr_release(m, order->copy, order->pairs * sizeof(tr2_manifold));
}

/* The first row of a pair's bodies: the moving ones come first. The number of bodies if a shape is gone. */
static uint32_t first_body(const tr2_world *world, const tr2_pair *pair)
{
    const tr2_shapes *shapes = &world->shapes;
    if (!tr2_shape_is_there(shapes, pair->a, pair->generation_a) ||
        !tr2_shape_is_there(shapes, pair->b, pair->generation_b))
        return world->bodies.table.count;
    uint32_t a = world->body_pool.row[tr2_shape_body_slot(shapes, pair->a)];
    uint32_t b = world->body_pool.row[tr2_shape_body_slot(shapes, pair->b)];
    return a < b ? a : b;
}

/* a counting sort: pairs of the same body keep their order */
static void place_pairs(const tr2_world *world, tr2_pair_order *order)
{
    const tr2_collision *it = &world->collision;
    uint32_t *first = order->first, *place = order->place, sum = 0, count = tr2_pairs_awake(it);
    memset(first, 0, order->bodies * sizeof *first);
    const tr2_pair *pairs = it->pairs + it->resting;
    for (uint32_t i = 0; i < count; i++) {
        place[i] = first_body(world, &pairs[i]);
        first[place[i]]++;
    }
    for (uint32_t i = 0; i < order->bodies; i++) {
        uint32_t own = first[i];
        first[i] = sum;
        sum += own;
    }
    for (uint32_t i = 0; i < count; i++)
        place[i] = first[place[i]]++;
}

void tr2_pairs_sort(tr2_world *world, tr2_pair_order *order)
{
    tr2_collision *it = &world->collision;
    const uint32_t first = it->resting, count = tr2_pairs_awake(it);
    if (count == 0)
        return;
    place_pairs(world, order);
    /* one after the other through the same memory */
    tr2_pair *pairs = order->copy;
    for (uint32_t i = 0; i < count; i++)
        pairs[order->place[i]] = it->pairs[first + i];
    memcpy(it->pairs + first, pairs, count * sizeof *pairs);
    tr2_manifold *manifolds = order->copy;
    for (uint32_t i = 0; i < count; i++)
        manifolds[order->place[i]] = it->manifolds[first + i];
    memcpy(it->manifolds + first, manifolds, count * sizeof *manifolds);
    if (it->index_steps > 0)
        tr2_pair_index_renumber_all(&it->index, first, order->place);
    for (uint32_t i = first; i < it->count; i++)
        tr2_pair_moved(world, i);
}
