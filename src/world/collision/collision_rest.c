/*
 * Shapes, pairs and contacts of bodies that sleep. They stay where queries find them, and keep all they have; but they
 * come together in their tables, where no pass over what is awake looks at them: rows of shapes, the first ones of the
 * pairs, and rows of contacts. Boxes are in the tree of what is fixed.
 */
#include <assert.h>
#include <string.h>

#include "world/collision/collision_internal.h"
#include "world/contacts/contact_row.h"
#include "world/core/body.h"

/*
 * Lists of resting pairs, of each shape; places are twice the number of the pair, + 1 on the side of b
 */
static uint32_t slot_at(const tr2_collision *it, uint32_t place)
{
    const tr2_pair *pair = &it->pairs[place / 2];
    return place % 2 == 0 ? pair->a : pair->b;
}

/* the slot of the body at the other side of such a pair */
static uint32_t body_across(const tr2_world *world, uint32_t place)
{
    return tr2_shape_body_slot(&world->shapes, slot_at(&world->collision, place ^ 1));
}

/* lets what comes before and after a place refer to another place, or to what follows it */
static void relink(tr2_collision *it, uint32_t slot, uint32_t before, uint32_t after, uint32_t then, uint32_t back)
{
    if (before != TR_NONE)
        it->rest_links[before / 2].after[before % 2] = then;
    else
        it->rest_first[slot] = then + 1;
    if (after != TR_NONE)
        it->rest_links[after / 2].before[after % 2] = back;
}

static void link_pair(tr2_collision *it, uint32_t pair)
{
    tr2_rest_link *link = &it->rest_links[pair];
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t place = 2 * pair + side, slot = slot_at(it, place);
        link->before[side] = TR_NONE;
        link->after[side] = it->rest_first[slot] - 1;
        relink(it, slot, TR_NONE, link->after[side], place, place);
    }
}

static void unlink_pair(tr2_collision *it, uint32_t pair)
{
    const tr2_rest_link *link = &it->rest_links[pair];
    for (uint32_t side = 0; side < 2; side++)
        relink(it, slot_at(it, 2 * pair + side), link->before[side], link->after[side], link->after[side],
               link->before[side]);
}

/* the links of a pair that will have another number */
static void renumber_links(tr2_collision *it, uint32_t from, uint32_t to)
{
    const tr2_rest_link *link = &it->rest_links[from];
    for (uint32_t side = 0; side < 2; side++)
        relink(it, slot_at(it, 2 * from + side), link->before[side], link->after[side], 2 * to + side, 2 * to + side);
    it->rest_links[to] = *link;
}

static void exchange_manifolds(tr2_manifold *manifolds, uint32_t a, uint32_t b)
{
    tr2_manifold manifold = manifolds[a];
    manifolds[a] = manifolds[b];
    manifolds[b] = manifold;
}

static void exchange_pairs(tr2_world *world, uint32_t a, uint32_t b)
{
    tr2_collision *it = &world->collision;
    if (a == b)
        return;
    if (it->index_steps > 0)
        tr2_pair_index_exchange(&it->index, it->pairs, a, b);
    tr2_pair pair = it->pairs[a];
    it->pairs[a] = it->pairs[b];
    it->pairs[b] = pair;
    exchange_manifolds(it->manifolds, a, b);
    tr2_pair_moved(world, a);
    tr2_pair_moved(world, b);
}

static void rest_pair(tr2_world *world, uint32_t pair)
{
    tr2_collision *it = &world->collision;
    uint32_t to = it->resting++;
    exchange_pairs(world, pair, to);
    /* no search writes it again while it rests */
    it->before.manifolds[to] = it->manifolds[to];
    link_pair(it, to);
}

static void rouse_pair(tr2_world *world, uint32_t pair)
{
    tr2_collision *it = &world->collision;
    tr2_before *before = &it->before;
    uint32_t last = it->resting - 1;
    if (before->notes) {
        assert(before->roused_count < before->roused_capacity);
        before->roused[before->roused_count++] = (tr2_roused){pair, it->pairs[pair], it->rest_links[pair]};
    }
    unlink_pair(it, pair);
    if (pair != last)
        renumber_links(it, last, pair);
    it->resting = last;
    exchange_pairs(world, pair, last);
    exchange_manifolds(it->before.manifolds, pair, last);
}

/* The inverse, in the opposite order. It does not read the pair's place since, where others may be now. */
static void rest_again(tr2_world *world, const tr2_roused *was)
{
    tr2_collision *it = &world->collision;
    tr2_manifold *now = it->manifolds, *other = it->before.manifolds;
    const uint32_t pair = was->number, last = it->resting++;
    if (pair != last)
        renumber_links(it, pair, last);
    it->pairs[last] = it->pairs[pair];
    it->pairs[pair] = was->pair;
    exchange_manifolds(now, pair, last);
    other[last] = now[last];
    other[pair] = now[pair];
    it->rest_links[pair] = was->link;
    for (uint32_t side = 2; side-- > 0;) {
        uint32_t place = 2 * pair + side;
        relink(it, slot_at(it, place), was->link.before[side], was->link.after[side], place, place);
    }
    tr2_pair_moved(world, last);
    tr2_pair_moved(world, pair);
}

/*
 * Rest
 */
bool tr2_rest_reserve(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    tr_memory *m = &world->memory;
    return tr_grow(m, (void **)&it->rest_links, &it->rest_link_capacity, it->count, sizeof *it->rest_links) &&
           tr_grow(m, (void **)&it->rest_first, &it->rest_first_capacity, it->place_capacity, sizeof *it->rest_first) &&
           tr_grow(m, (void **)&it->before.manifolds, &it->before.manifold_capacity, it->count,
                   sizeof *it->before.manifolds) &&
           tr2_tree_reserve(&it->broad.trees[0], it->broad.trees[1].proxy_count);
}

void tr2_rest_body(tr2_world *world, uint32_t body_slot)
{
    tr2_shapes *shapes = &world->shapes;
    tr2_broad *broad = &world->collision.broad;
    tr2_shapes_rest(shapes, body_slot);
    for (uint32_t slot = tr2_shapes_newest(shapes, body_slot); slot != TR_NONE;
         slot = shapes->older[shapes->pool.row[slot]]) {
        tr2_collide_place(world, shapes->pool.row[slot]);
        tr2_broad_switch(broad, slot, false);
    }
    broad->resting = shapes->rest_end - shapes->rest_first;
}

/* whether a shape may move in the next steps, or has been edited */
static bool is_awake(const tr2_world *world, uint32_t slot)
{
    const tr2_shapes *shapes = &world->shapes;
    uint32_t shape = shapes->pool.row[slot], row = tr2_body_row(world, shapes->body[shape]);
    return (shapes->flags[shape] & TR2_SHAPE_FRESH) != 0 || world->bodies.type[row] == TR_DYNAMIC ||
           tr2_body_is_driven(&world->bodies, row);
}

void tr2_rest_pairs(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    it->rest_again = false;
    for (uint32_t i = it->resting; i < it->count; i++) {
        const tr2_pair *pair = &it->pairs[i];
        if (tr2_shape_is_there(&world->shapes, pair->a, pair->generation_a) &&
            tr2_shape_is_there(&world->shapes, pair->b, pair->generation_b) && !is_awake(world, pair->a) &&
            !is_awake(world, pair->b))
            rest_pair(world, i);
    }
}

bool tr2_rest_again(const tr2_world *world)
{
    return world->collision.rest_again;
}

/*
 * Sensors
 */

static bool moves(const tr2_world *world, uint32_t slot)
{
    return world->bodies.type[tr2_body_row(world, world->shapes.body[world->shapes.pool.row[slot]])] == TR_DYNAMIC;
}

/* whether a sensor and what it touches, as they are after edits, are both awake: their shapes have no resting pairs */
static bool senses_awake(const tr2_world *world, const tr2_pair *pair)
{
    return tr2_pair_senses(pair) && tr2_shape_is_there(&world->shapes, pair->a, pair->generation_a) &&
           tr2_shape_is_there(&world->shapes, pair->b, pair->generation_b) && moves(world, pair->a) &&
           moves(world, pair->b) && tr2_pair_is_wanted(world, pair->a, pair->b);
}

bool tr2_sensors_list(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    if (it->sensing == 0)
        return false;
    for (uint32_t i = it->resting; i < it->count; i++) {
        if (!senses_awake(world, &it->pairs[i]))
            continue;
        it->pairs[i].flags |= TR2_PAIR_LISTED;
        link_pair(it, i);
    }
    return true;
}

bool tr2_sensors_across(const tr2_world *world, uint32_t body_slot, tr2_reach_fn *reach, void *context)
{
    const tr2_collision *it = &world->collision;
    const tr2_shapes *shapes = &world->shapes;
    for (uint32_t slot = tr2_shapes_newest(shapes, body_slot); slot != TR_NONE;
         slot = shapes->older[shapes->pool.row[slot]]) {
        for (uint32_t place = it->rest_first[slot] - 1; place != TR_NONE;
             place = it->rest_links[place / 2].after[place % 2]) {
            if (!reach(context, body_across(world, place)))
                return false;
        }
    }
    return true;
}

void tr2_sensors_unlist(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    for (uint32_t i = it->resting; i < it->count; i++) {
        if ((it->pairs[i].flags & TR2_PAIR_LISTED) == 0)
            continue;
        it->pairs[i].flags &= ~TR2_PAIR_LISTED;
        unlink_pair(it, i);
    }
}

/*
 * And its end
 */
void tr2_rouse_pairs(tr2_world *world, uint32_t shape_slot)
{
    tr2_collision *it = &world->collision;
    if (shape_slot >= it->rest_first_capacity)
        return;
    while (it->rest_first[shape_slot] != 0) {
        rouse_pair(world, (it->rest_first[shape_slot] - 1) / 2);
        it->rest_again = true;
    }
}

void tr2_disturb_body(tr2_world *world, uint32_t body_slot)
{
    const tr2_shapes *shapes = &world->shapes;
    for (uint32_t slot = tr2_shapes_newest(shapes, body_slot); slot != TR_NONE;
         slot = shapes->older[shapes->pool.row[slot]])
        tr2_rouse_pairs(world, slot);
}

void tr2_sleep_disturb_shape(tr2_world *world, uint32_t shape_slot)
{
    const tr2_collision *it = &world->collision;
    tr2_sleep_rouse(world, tr2_shape_body_slot(&world->shapes, shape_slot));
    while (shape_slot < it->rest_first_capacity && it->rest_first[shape_slot] != 0) {
        uint32_t place = it->rest_first[shape_slot] - 1;
        if (it->pairs[place / 2].contact == TR_NONE || !tr2_sleep_wake(world, body_across(world, place)))
            rouse_pair(world, place / 2);
    }
}

void tr2_rouse_contact(tr2_world *world, uint32_t slot)
{
    tr2_collision *it = &world->collision;
    tr2_joints *contacts = &world->joints[TR_CONTACT];
    uint32_t row = world->joint_pool.row[slot], first = it->contact_rest_first;
    if (row < first || row >= it->contact_rest_end)
        return;
    if (it->before.notes) {
        assert(it->before.roused_contact_count < it->before.roused_contact_capacity);
        it->before.roused_contacts[it->before.roused_contact_count++] = row;
    }
    tr_table_swap(&contacts->table, row, first);
    tr_pool_set_row(&world->joint_pool, contacts->slot[row], row);
    tr_pool_set_row(&world->joint_pool, slot, first);
    it->contact_rest_first++;
}

/* Takes the rows of a body's shapes from those at rest. Their flags, as they are, are noted by the new rows. */
static void rouse_shapes(tr2_world *world, uint32_t body_slot)
{
    tr2_shapes *shapes = &world->shapes;
    tr2_before *before = &world->collision.before;
    const uint32_t end = shapes->rest_end;
    uint32_t *rows = before->notes ? before->roused_shapes + before->roused_shape_count : NULL;
    const uint32_t count = tr2_shapes_rouse(shapes, body_slot, rows);
    if (before->notes) {
        before->roused_shape_count += count;
        assert(before->roused_shape_count <= before->roused_shape_capacity);
        memcpy(before->shape_flags + (end - count), shapes->flags + (end - count), count * sizeof *shapes->flags);
    }
    world->collision.broad.resting = shapes->rest_end - shapes->rest_first;
}

void tr2_rouse_body(tr2_world *world, uint32_t body_slot)
{
    for (uint32_t half = tr_plan_first(world->plan, body_slot); half != TR_NONE;
         half = tr_plan_next(world->plan, half)) {
        if (tr2_joint_type_of(world, tr_half_edge(half)) == TR_CONTACT)
            tr2_rouse_contact(world, tr_half_edge(half));
    }
    rouse_shapes(world, body_slot);
    tr2_disturb_body(world, body_slot);
}

bool tr2_wake_reserve(tr2_world *world, const uint32_t *body_slots, uint32_t count)
{
    const tr2_shapes *shapes = &world->shapes;
    uint32_t more = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t slot = tr2_shapes_newest(shapes, body_slots[i]); slot != TR_NONE;
             slot = shapes->older[shapes->pool.row[slot]])
            more++;
    }
    return tr2_tree_reserve(&world->collision.broad.trees[1], more);
}

void tr2_wake_body(tr2_world *world, uint32_t body_slot)
{
    const tr2_shapes *shapes = &world->shapes;
    tr2_broad *broad = &world->collision.broad;
    for (uint32_t slot = tr2_shapes_newest(shapes, body_slot); slot != TR_NONE;
         slot = shapes->older[shapes->pool.row[slot]]) {
        if (TR2_PROXY_IN(broad->states[slot]) == TR2_PROXY_FIXED)
            tr2_broad_switch(broad, slot, true);
    }
}

bool tr2_contact_rests(const tr2_world *world, uint32_t row)
{
    const tr2_joints *contacts = &world->joints[TR_CONTACT];
    const uint32_t *flags = world->bodies.flags;
    uint32_t a = tr2_body_row(world, contacts->body_a[row]), b = tr2_body_row(world, contacts->body_b[row]);
    return ((flags[a] | flags[b]) & TR_BODY_ASLEEP) != 0;
}

void tr2_rest_rows(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    const tr2_joints *contacts = &world->joints[TR_CONTACT];
    uint32_t end = contacts->table.count, first = end;
    /* a fresh plan puts those that are not solved last */
    while (first > 0 && tr2_contact_rests(world, first - 1))
        first--;
    it->contact_rest_first = first;
    it->contact_rest_end = end;
}

void tr2_rest_trim(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    uint32_t count = world->joints[TR_CONTACT].table.count;
    it->contact_rest_end = it->contact_rest_end < count ? it->contact_rest_end : count;
    it->contact_rest_first =
        it->contact_rest_first < it->contact_rest_end ? it->contact_rest_first : it->contact_rest_end;
}

/*
 * Touch
 */

/* the bodies of a pair that begins to touch, or ceases to, or of which a sensor begins to; false: none of these */
static bool list_bodies(const tr2_world *world, const tr2_pair *pair, uint32_t slots[2])
{
    bool senses = tr2_pair_senses(pair) && (pair->flags & TR2_PAIR_TOUCHING) == 0;
    bool touches = tr2_pair_points(pair) > 0 || senses, touched = pair->contact != TR_NONE;
    if (touches == touched)
        return false;
    if (touched) {
        /* a shape may be gone */
        const tr2_joints *contacts = &world->joints[TR_CONTACT];
        uint32_t row = world->joint_pool.row[pair->contact];
        slots[0] = contacts->body_a[row].index - 1;
        slots[1] = contacts->body_b[row].index - 1;
    } else {
        slots[0] = tr2_shape_body_slot(&world->shapes, pair->a);
        slots[1] = tr2_shape_body_slot(&world->shapes, pair->b);
    }
    return true;
}

/* makes room to note all that wakes with a body */
static bool reserve_notes(tr2_world *world, uint32_t body_slot)
{
    const tr2_collision *it = &world->collision;
    const tr2_shapes *shapes = &world->shapes;
    tr2_before *before = &world->collision.before;
    tr_memory *m = &world->memory;
    uint32_t bodies = 0, contacts = before->roused_contact_count, rows = before->roused_shape_count,
             pairs = before->roused_count;
    for (uint32_t body = body_slot; bodies == 0 || body != body_slot; body = world->sleep.islands[body].next) {
        bodies++;
        contacts += tr_plan_degree(world->plan, body);
        for (uint32_t slot = tr2_shapes_newest(shapes, body); slot != TR_NONE;
             slot = shapes->older[shapes->pool.row[slot]]) {
            rows++;
            uint32_t place = slot < it->rest_first_capacity ? it->rest_first[slot] - 1 : TR_NONE;
            for (; place != TR_NONE; place = it->rest_links[place / 2].after[place % 2])
                pairs++;
        }
    }
    return tr2_sleep_note_reserve(world, bodies) &&
           tr_grow(m, (void **)&before->roused_contacts, &before->roused_contact_capacity, contacts,
                   sizeof *before->roused_contacts) &&
           tr_grow(m, (void **)&before->roused_shapes, &before->roused_shape_capacity, rows,
                   sizeof *before->roused_shapes) &&
           tr_grow(m, (void **)&before->roused, &before->roused_capacity, pairs, sizeof *before->roused);
}

/* wakes the island of a body, so that it can be undone; whether it has slept */
static bool wake(tr2_world *world, uint32_t body_slot)
{
    tr2_before *before = &world->collision.before;
    if ((world->bodies.flags[world->body_pool.row[body_slot]] & TR_BODY_ASLEEP) == 0 || before->lacks_memory)
        return false;
    before->lacks_memory = !reserve_notes(world, body_slot);
    if (before->lacks_memory)
        return false;
    before->notes = world->sleep.notes = true;
    bool woken = tr2_sleep_wake(world, body_slot);
    before->notes = world->sleep.notes = false;
    return woken;
}

/* wakes all that the pairs touch; whether that is something */
static bool wake_touched(tr2_world *world)
{
    const tr2_collision *it = &world->collision;
    const uint32_t chunks = tr2_pair_chunks(tr2_pair_count(it)), base = it->resting;
    bool any = false;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        tr2_pair_counts marked = it->counts[chunk];
        uint32_t pair, slots[2];
        if (marked.added + marked.removed + marked.sensors == 0)
            continue;
        while (tr2_pair_take_mark(it, &marked, chunk, &pair)) {
            /* pairs that are roused come before these, which stay where they are */
            if (!list_bodies(world, &it->pairs[pair - it->resting + base], slots))
                continue;
            any = wake(world, slots[0]) || any;
            any = wake(world, slots[1]) || any;
        }
    }
    return any;
}

bool tr2_collide_wake(tr2_collide_step *step)
{
    tr2_world *world = step->world;
    tr2_collision *it = &world->collision;
    bool good = true;
    for (uint32_t end = it->resting; good && world->sleep.asleep > 0 && wake_touched(world); end = it->resting)
        good = !it->before.lacks_memory && tr2_broad_keep_trees(&it->broad, &it->before.broad) &&
               tr2_sleep_settle(world) && (it->resting == end || tr2_collide_touch_more(step, end));
    return good && !it->before.lacks_memory;
}

void tr2_rest_undo(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    tr2_before *before = &it->before;
    tr2_joints *contacts = &world->joints[TR_CONTACT];
    while (before->roused_count > 0)
        rest_again(world, &before->roused[--before->roused_count]);
    const uint32_t roused = before->roused_shape_count, end = world->shapes.rest_end;
    if (roused > 0)
        memcpy(world->shapes.flags + end, before->shape_flags + end, roused * sizeof *before->shape_flags);
    tr2_shapes_rouse_undo(&world->shapes, before->roused_shapes, before->roused_shape_count);
    before->roused_shape_count = 0;
    while (before->roused_contact_count > 0) {
        uint32_t row = before->roused_contacts[--before->roused_contact_count], first = --it->contact_rest_first;
        tr_table_swap(&contacts->table, row, first);
        tr_pool_set_row(&world->joint_pool, contacts->slot[row], row);
        tr_pool_set_row(&world->joint_pool, contacts->slot[first], first);
    }
}
