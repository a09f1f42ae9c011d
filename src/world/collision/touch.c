/* Touch events: which pairs of shapes began, ended or hit in a step. */
#include <stdlib.h>

#include "base/arithmetic.h"
#include "parallel/topology.h"
#include "world/contacts/contact_query.h"
#include "world/contacts/contact_row.h"
#include "world/core/body.h"

/* whether the body of a shape is not moved by contacts */
static bool stands_still(const tr2_world *world, uint32_t row)
{
    return !tr2_body_is_dynamic(&world->bodies, tr2_body_row(world, world->shapes.body[row]));
}

uint32_t tr2_pair_flags(const tr2_world *world, uint32_t slot_a, uint32_t slot_b)
{
    const tr2_shapes *shapes = &world->shapes;
    uint32_t row_a = shapes->pool.row[slot_a], row_b = shapes->pool.row[slot_b];
    uint32_t a = shapes->flags[row_a], b = shapes->flags[row_b];
    bool circles = shapes->kind[row_a] == TR2_CIRCLE && shapes->kind[row_b] == TR2_CIRCLE;
    bool quads = !circles && tr2_is_quad(shapes->geometry[row_a]) && tr2_is_quad(shapes->geometry[row_b]);
    bool round = !circles && tr2_is_polygon_circle(shapes->geometry[row_a], shapes->geometry[row_b]);
    return TR2_PAIR_FRESH | (circles ? TR2_PAIR_CIRCLES : 0) | (quads ? TR2_PAIR_QUADS : 0) |
           (round ? TR2_PAIR_ROUND : 0) | (((a | b) & TR2_SHAPE_SENSOR) != 0 ? TR2_PAIR_SENSOR : 0) |
           ((b & TR2_SHAPE_SENSOR) != 0 ? TR2_PAIR_SENSOR_B : 0) |
           ((a & b & TR2_SHAPE_CONTACT_EVENTS) != 0 ? TR2_PAIR_EVENTS : 0) |
           (((a | b) & TR2_SHAPE_HIT_EVENTS) != 0 ? TR2_PAIR_HITS : 0) |
           (((a | b) & TR2_SHAPE_CUSTOM_FILTER) != 0 ? TR2_PAIR_ASKS : 0) |
           (stands_still(world, row_a) ? TR2_PAIR_STILL : 0) |
           (stands_still(world, row_b) ? TR2_PAIR_STILL | TR2_PAIR_STILL_B : 0);
}

/*
 * Destroyed shapes
 */
static int by_id(const void *a, const void *b)
{
    const tr2_gone_shape *one = a, *other = b;
    if (one->id.index != other->id.index)
        return one->id.index < other->id.index ? -1 : 1;
    return (one->id.generation > other->id.generation) - (one->id.generation < other->id.generation);
}

_Static_assert(sizeof(tr2_gone_shape) <= offsetof(tr2_geometry, corners) + sizeof(tr_vec2),
               "the smallest geometry has room for it");

bool tr2_touch_shape_goes(tr2_world *world, uint32_t row)
{
    tr2_collision *it = &world->collision;
    tr2_shapes *shapes = &world->shapes;
    /* nobody needs them if no pair has events */
    if ((shapes->flags[row] & TR2_SHAPE_CONTACT_EVENTS) == 0 || it->count == 0)
        return false;
    size_t size = tr2_geometry_size(shapes->geometry[row]);
    void *block = shapes->geometry[row];
    tr2_gone_shape *gone = block;
    *gone =
        (tr2_gone_shape){it->first_gone, (uint32_t)size, shapes->id[row], shapes->body[row], shapes->user_data[row]};
    it->first_gone = gone;
    it->gone_count++;
    shapes->bytes -= size;
    return true;
}

bool tr2_gone_reserve(tr2_collision *it, tr_memory *memory)
{
    return tr_grow(memory, (void **)&it->gone, &it->gone_capacity, it->gone_count, sizeof *it->gone);
}

void tr2_gone_release(tr2_collision *it, tr_memory *memory)
{
    for (tr2_gone_shape *next, *gone = it->first_gone; gone != NULL; gone = next) {
        next = gone->next;
        tr_release(memory, gone, gone->size);
    }
    it->first_gone = NULL;
    it->gone_count = 0;
}

static void sort_gone(tr2_collision *it)
{
    uint32_t count = 0;
    for (const tr2_gone_shape *gone = it->first_gone; gone != NULL; gone = gone->next)
        it->gone[count++] = *gone;
    if (count > 0)
        qsort(it->gone, count, sizeof *it->gone, by_id);
}

/* finds a shape's body and user data, even after its destruction. `gone` is sorted. */
static void tell_shape(const tr2_world *world, tr2_shape id, tr2_body *body, uint64_t *user_data)
{
    const tr2_collision *it = &world->collision;
    const tr2_shapes *shapes = &world->shapes;
    tr2_gone_shape key = {.id = id};
    const tr2_gone_shape *found = NULL;
    if (tr2_shape_is_valid(world, id)) {
        uint32_t row = shapes->pool.row[id.index - 1];
        *body = shapes->body[row];
        *user_data = shapes->user_data[row];
        return;
    }
    if (it->gone_count > 0)
        found = bsearch(&key, it->gone, it->gone_count, sizeof key, by_id);
    if (found != NULL) {
        *body = found->body;
        *user_data = found->user_data;
    }
}

/* a sensor is listed first */
static tr2_touch_event event_of(const tr2_world *world, const tr2_pair *pair, tr2_touch_kind kind)
{
    tr2_shape a = {pair->a + 1, world->tag, pair->generation_a}, b = {pair->b + 1, world->tag, pair->generation_b};
    bool swap = (pair->flags & TR2_PAIR_SENSOR_B) != 0;
    tr2_touch_event event = {.kind = kind, .shape_a = swap ? b : a, .shape_b = swap ? a : b};
    tell_shape(world, event.shape_a, &event.body_a, &event.user_data_a);
    tell_shape(world, event.shape_b, &event.body_b, &event.user_data_b);
    return event;
}

void tr2_touches_end(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    sort_gone(it);
    for (uint32_t i = 0; i < it->dying_count; i++) {
        const tr2_pair *pair = &it->pairs[it->dying[i]];
        bool sensor = (pair->flags & TR2_PAIR_SENSOR) != 0;
        if ((pair->flags & TR2_PAIR_TOUCHING) != 0 && (pair->flags & TR2_PAIR_EVENTS) != 0)
            it->ended[it->ended_count++] = event_of(world, pair, sensor ? TR2_OVERLAP_END : TR2_TOUCH_END);
    }
}

/* whether a pair overlaps (with a sensor) or has a contact */
static bool is_near(const tr2_pair *pair)
{
    return (pair->flags & TR2_PAIR_SENSOR) != 0 ? tr2_pair_touches(pair) > 0 : pair->contact != TR_NONE;
}

/* A quick test for most pairs, without branches, before their contacts are written. 0: nothing begins, ends, or hits. */
static uint32_t may_have_event(const tr2_pair *pair)
{
    const uint32_t flags = pair->flags, others = TR2_PAIR_SENSOR | TR2_PAIR_HITS | TR2_PAIR_STRUCK;
    uint32_t touching = (flags & TR2_PAIR_TOUCHING) != 0, held = pair->contact != TR_NONE;
    return (touching ^ held) | ((flags & others) != 0);
}

static bool is_fast(const tr2_world *world, const tr2_pair *pair)
{
    return (pair->flags & TR2_PAIR_HITS) != 0 && pair->contact != TR_NONE &&
           pair->speed > world->settings.contacts.hit_speed;
}

/* greatest number of events of a pair in a step; how fast it is will be known when its contact is written */
static uint32_t most_events(const tr2_pair *pair)
{
    bool told = (pair->flags & TR2_PAIR_EVENTS) != 0;
    bool may_hit = (pair->flags & TR2_PAIR_HITS) != 0 && pair->contact != TR_NONE;
    return (uint32_t)(told && ((pair->flags & TR2_PAIR_TOUCHING) != 0) != is_near(pair)) + (uint32_t)may_hit;
}

static void count_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const tr2_world *world = context;
    const tr2_collision *it = &world->collision;
    tr2_pair_range pairs = tr2_pairs_of_chunk(it, tr2_pairs_awake(it), chunk);
    tr2_pair_counts counts = {0};
    for (uint32_t word = 0; word < tr2_pair_words(pairs); word++) {
        const tr2_pair_range range = tr2_pairs_of_word(pairs, word);
        const tr2_pair *some = &it->pairs[range.first];
        const uint32_t count = range.end - range.first;
        uint64_t marked = 0;
        /* backwards: a shift by a constant distance per pair is faster */
        for (uint32_t i = count; i-- > 0;)
            marked = 2 * marked + may_have_event(&some[i]);
        counts.marked[word] = marked;
        for (; marked != 0; marked &= marked - 1)
            counts.events += most_events(&some[__builtin_ctzll(marked)]);
    }
    it->counts[chunk] = counts;
}

static void run(tr2_world *world, tr_chunk_fn *chunk)
{
    /* there is room: the collision of this step had at least as many pairs */
    uint32_t chunks = tr2_pair_chunks(tr2_pairs_awake(&world->collision)),
             workers = tr2_solver_last(world->solver)->threads;
    tr_team_run_stage(world->team, chunk, chunks, workers > 0 ? workers : 1, world);
}

/* sets `events` of each chunk to the start of its events */
bool tr2_touches_reserve(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    uint64_t most = it->ended_count;
    if (tr2_pairs_awake(it) > 0) {
        double begin = tr_clock_seconds();
        run(world, count_chunk);
        it->seconds[TR2_COLLIDE_NARROW] += tr_clock_seconds() - begin;
    }
    for (uint32_t i = 0; i < tr2_pair_chunks(tr2_pairs_awake(it)); i++) {
        uint32_t own = it->counts[i].events;
        it->counts[i].events = (uint32_t)most;
        most += own;
        if (most > UINT32_MAX)
            return false;
    }
    return tr_grow(&world->memory, (void **)&it->events, &it->event_capacity, (uint32_t)most, sizeof *it->events);
}

/* whether a pair had an impulse in the step, or overlapped at its start */
static bool has_pressed(const tr2_world *world, uint32_t pair)
{
    const tr2_collision *it = &world->collision;
    const tr2_manifold *manifold = &it->manifolds[pair];
    if ((it->pairs[pair].flags & TR2_PAIR_SENSOR) != 0)
        return true;
    const tr2_joints *contacts = &world->joints[TR_CONTACT];
    uint32_t row = world->joint_pool.row[it->pairs[pair].contact];
    bool pressed = contacts->impulse[TR2_CONTACT_TOTAL_0][row] > 0.0f ||
                   (manifold->count == 2 && contacts->impulse[TR2_CONTACT_TOTAL_1][row] > 0.0f);
    for (uint32_t i = 0; i < manifold->count; i++)
        pressed = pressed || manifold->points[i].separation <= 0.0f;
    return pressed;
}

/* writes the contact point, moved with A */
static void write_where(const tr2_world *world, uint32_t index, tr2_touch_event *event)
{
    tr2_pair_place place = tr2_pair_place_of(world, index);
    event->normal = place.normal;
    event->point = place.point[0];
    if (place.count == 2) {
        event->point.x = 0.5 * (place.point[0].x + place.point[1].x);
        event->point.y = 0.5 * (place.point[0].y + place.point[1].y);
    }
}

static void add(tr2_world *world, uint32_t index, tr2_touch_kind kind, uint32_t *next)
{
    const tr2_pair *pair = &world->collision.pairs[index];
    tr2_touch_event *event = &world->collision.events[(*next)++];
    *event = event_of(world, pair, kind);
    if (kind == TR2_TOUCH_BEGIN || kind == TR2_TOUCH_HIT)
        write_where(world, index, event);
    event->speed = kind == TR2_TOUCH_HIT ? pair->speed : 0.0f;
}

static void look_at(tr2_world *world, uint32_t index, uint32_t *next)
{
    tr2_collision *it = &world->collision;
    tr2_pair *pair = &it->pairs[index];
    bool touching = (pair->flags & TR2_PAIR_TOUCHING) != 0, near = is_near(pair);
    bool struck = (pair->flags & TR2_PAIR_STRUCK) != 0;
    pair->flags &= ~TR2_PAIR_STRUCK;
    /* most pairs have not changed */
    if (touching == near && (!near || !is_fast(world, pair)))
        return;
    bool told = (pair->flags & TR2_PAIR_EVENTS) != 0, sensor = (pair->flags & TR2_PAIR_SENSOR) != 0;
    bool pressed = near && has_pressed(world, index);
    if (!touching && pressed) {
        pair->flags |= TR2_PAIR_TOUCHING;
        if (told)
            add(world, index, sensor ? TR2_OVERLAP_BEGIN : TR2_TOUCH_BEGIN, next);
    } else if (touching && !near) {
        pair->flags &= ~TR2_PAIR_TOUCHING;
        if (told)
            add(world, index, sensor ? TR2_OVERLAP_END : TR2_TOUCH_END, next);
    }
    /* an impact that two steps share is told in the first, where all of its speed is known */
    if (!pressed || !is_fast(world, pair))
        return;
    pair->flags |= TR2_PAIR_STRUCK;
    if (!struck)
        add(world, index, TR2_TOUCH_HIT, next);
}

/* sets `told` to the end of the chunk's events */
static void look_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    tr2_world *world = context;
    tr2_collision *it = &world->collision;
    tr2_pair_counts *counts = &it->counts[chunk];
    uint32_t pair, next = counts->events;
    while (tr2_pair_take_mark(it, counts, chunk, &pair))
        look_at(world, pair, &next);
    counts->told = next;
}

/* a separate function, so that the compiler moves no arithmetic to where the application's rounding mode is active */
static __attribute__((noinline)) void look_plainly(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    run(world, look_chunk);
    for (uint32_t i = 0; i < tr2_pair_chunks(tr2_pairs_awake(it)); i++) {
        for (uint32_t k = it->counts[i].events; k < it->counts[i].told; k++)
            it->events[it->event_count++] = it->events[k];
    }
}

void tr2_touches_collect(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    it->event_count = 0;
    if (tr2_pairs_awake(it) + it->ended_count == 0)
        return;
    double begin = tr_clock_seconds();
    for (uint32_t i = 0; i < it->ended_count; i++)
        it->events[it->event_count++] = it->ended[i];
    it->ended_count = 0;
    if (tr2_pairs_awake(it) > 0) {
        tr_arithmetic before = tr_arithmetic_plain();
        look_plainly(world);
        tr_arithmetic_restore(&before);
    }
    it->seconds[TR2_COLLIDE_NARROW] += tr_clock_seconds() - begin;
}

tr2_touch_view tr2_world_touches(const tr2_world *world)
{
    tr2_touch_view view = {0, NULL};
    if (world != NULL) {
        view.count = world->collision.event_count;
        view.event = world->collision.events;
    }
    return view;
}
