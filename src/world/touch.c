/* Touches: which pairs of shapes began, ended or hit in a step. */
#include "base/arithmetic.h"
#include "world/body.h"
#include "world/collision_internal.h"
#include "world/contact_row.h"

uint32_t tr2_pair_flags(const tr2_shapes *shapes, uint32_t slot_a, uint32_t slot_b)
{
    uint32_t a = shapes->flags[shapes->pool.row[slot_a]], b = shapes->flags[shapes->pool.row[slot_b]];
    return (((a | b) & TR2_SHAPE_SENSOR) != 0 ? TR2_PAIR_SENSOR : 0) |
           ((b & TR2_SHAPE_SENSOR) != 0 ? TR2_PAIR_SENSOR_B : 0) |
           ((a & b & TR2_SHAPE_CONTACT_EVENTS) != 0 ? TR2_PAIR_EVENTS : 0) |
           (((a | b) & TR2_SHAPE_HIT_EVENTS) != 0 ? TR2_PAIR_HITS : 0);
}

/* a sensor comes first */
static tr2_touch_event event_of(uint16_t tag, const tr2_pair *pair, tr2_touch_kind kind)
{
    tr2_shape a = {pair->a + 1, tag, pair->generation_a}, b = {pair->b + 1, tag, pair->generation_b};
    bool swap = (pair->flags & TR2_PAIR_SENSOR_B) != 0;
    tr2_touch_event event = {.kind = kind, .shape_a = swap ? b : a, .shape_b = swap ? a : b};
    return event;
}

void tr2_touch_ended(tr2_collision *it, uint16_t tag, const tr2_pair *pair)
{
    bool sensor = (pair->flags & TR2_PAIR_SENSOR) != 0;
    if ((pair->flags & TR2_PAIR_TOUCHING) != 0 && (pair->flags & TR2_PAIR_EVENTS) != 0)
        it->ended[it->ended_count++] = event_of(tag, pair, sensor ? TR2_OVERLAP_END : TR2_TOUCH_END);
}

/* whether shapes are within each other's reach: a sensor's overlap, a contact of others */
static bool is_near(const tr2_collision *it, uint32_t pair)
{
    return (it->pairs[pair].flags & TR2_PAIR_SENSOR) != 0 ? it->manifolds[pair].count > 0
                                                          : it->pairs[pair].contact != TR_NONE;
}

static bool is_fast(const tr2_world *world, const tr2_pair *pair)
{
    return (pair->flags & TR2_PAIR_HITS) != 0 && pair->contact != TR_NONE &&
           pair->speed > world->settings.contacts.bounce_speed;
}

bool tr2_touches_reserve(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    uint64_t most = it->ended_count;
    for (uint32_t i = 0; i < it->count; i++) {
        bool touching = (it->pairs[i].flags & TR2_PAIR_TOUCHING) != 0;
        most += (uint64_t)(touching != is_near(it, i)) + (uint64_t)is_fast(world, &it->pairs[i]);
    }
    return most <= UINT32_MAX &&
           tr_grow(&world->memory, (void **)&it->events, &it->event_capacity, (uint32_t)most, sizeof *it->events);
}

/* whether the two bore on each other in the step, or overlapped when it began */
static bool has_pressed(const tr2_world *world, uint32_t pair)
{
    const tr2_collision *it = &world->collision;
    const tr2_manifold *manifold = &it->manifolds[pair];
    if ((it->pairs[pair].flags & TR2_PAIR_SENSOR) != 0)
        return true;
    const tr2_joints *contacts = &world->joints[TR2_CONTACT];
    uint32_t row = world->joint_pool.row[it->pairs[pair].contact];
    bool pressed = contacts->impulse[TR2_CONTACT_TOTAL_0][row] > 0.0f ||
                   (manifold->count == 2 && contacts->impulse[TR2_CONTACT_TOTAL_1][row] > 0.0f);
    for (uint32_t i = 0; i < manifold->count; i++)
        pressed = pressed || manifold->points[i].separation <= 0.0f;
    return pressed;
}

static void add(tr2_world *world, uint32_t index, tr2_touch_kind kind)
{
    tr2_collision *it = &world->collision;
    const tr2_pair *pair = &it->pairs[index];
    const tr2_manifold *manifold = &it->manifolds[index];
    tr2_touch_event *event = &it->events[it->event_count++];
    *event = event_of(world->tag, pair, kind);
    if (kind != TR2_TOUCH_BEGIN && kind != TR2_TOUCH_HIT)
        return;
    /* the place on A, which has moved on */
    const tr2_bodies *bodies = &world->bodies;
    const tr2_shapes *shapes = &world->shapes;
    uint32_t a = tr2_body_row(world, shapes->body[shapes->pool.row[pair->a]]);
    tr_vec2 middle = manifold->points[0].point;
    if (manifold->count == 2) {
        middle.x = 0.5f * (middle.x + manifold->points[1].point.x);
        middle.y = 0.5f * (middle.y + manifold->points[1].point.y);
    }
    tr_dvec2 origin = tr2_body_origin(bodies, a), arm = tr2_rotate(bodies->c[a], bodies->s[a], middle);
    tr_dvec2 normal = tr2_rotate(bodies->c[a], bodies->s[a], manifold->normal);
    event->point = (tr_dvec2){origin.x + arm.x, origin.y + arm.y};
    event->normal = (tr_vec2){(float)normal.x, (float)normal.y};
    event->speed = kind == TR2_TOUCH_HIT ? pair->speed : 0.0f;
}

static void look_at(tr2_world *world, uint32_t index)
{
    tr2_collision *it = &world->collision;
    tr2_pair *pair = &it->pairs[index];
    bool touching = (pair->flags & TR2_PAIR_TOUCHING) != 0, near = is_near(it, index);
    bool told = (pair->flags & TR2_PAIR_EVENTS) != 0, sensor = (pair->flags & TR2_PAIR_SENSOR) != 0;
    if (!touching && !near)
        return;
    bool pressed = near && has_pressed(world, index);
    if (!touching && pressed) {
        pair->flags |= TR2_PAIR_TOUCHING;
        if (told)
            add(world, index, sensor ? TR2_OVERLAP_BEGIN : TR2_TOUCH_BEGIN);
    } else if (touching && !near) {
        pair->flags &= ~TR2_PAIR_TOUCHING;
        if (told)
            add(world, index, sensor ? TR2_OVERLAP_END : TR2_TOUCH_END);
    }
    if (pressed && is_fast(world, pair))
        add(world, index, TR2_TOUCH_HIT);
}

/* apart from its caller, so that no arithmetic of it is moved to where the host's rules hold */
static __attribute__((noinline)) void look_plainly(tr2_world *world)
{
    for (uint32_t i = 0; i < world->collision.count; i++)
        look_at(world, i);
}

void tr2_touches_collect(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    it->event_count = 0;
    for (uint32_t i = 0; i < it->ended_count; i++)
        it->events[it->event_count++] = it->ended[i];
    it->ended_count = 0;
    if (it->count == 0)
        return;
    tr_arithmetic before = tr_arithmetic_plain();
    look_plainly(world);
    tr_arithmetic_restore(&before);
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
