/* Computes the manifolds of pairs, and writes the rows of their contacts. */
#include <math.h>

#include "collide/vector.h"
#include "world/ahead.h"
#include "world/body.h"
#include "world/collision_internal.h"
#include "world/contact_query.h"
#include "world/contact_row.h"
#include "world/way.h"

#define ROWS_PER_CHUNK 128u
#define AHEAD          8u  /* prefetch distance in pairs or rows */
#define QUADS          32u /* pairs of quadrilaterals per batch */

/* m/s; upper bound of the relative speed of two shapes near each other: that at the centre of the smaller one, plus
   the effect of relative rotation within its extent */
static float closing_speed(const tr2_mover *small, const tr2_mover *large)
{
    float x = (float)(small->x - large->x), y = (float)(small->y - large->y);
    tr_vec2 closing = {small->velocity_x - (large->velocity_x - large->spin * y),
                       small->velocity_y - (large->velocity_y + large->spin * x)};
    return tr_length(closing) + fabsf(large->spin - small->spin) * small->extent;
}

/* m, upper bound of the approach of two shapes in a step */
static float way_of(const tr2_mover *a, const tr2_mover *b, float dt)
{
    return (a->extent <= b->extent ? closing_speed(a, b) : closing_speed(b, a)) * dt;
}

/* A pair with its margin. */
typedef struct close_pair {
    const tr2_shape_place *a, *b;
    float margin; /* m */
    bool passes;  /* its shapes may pass each other within the step: tr2_meet_ahead() */
} close_pair;

/* Contacts start before shapes touch, at the distance that they can cover in a step. The margin is limited by the
   smaller extent, so that a shape that will pass the other is not deflected by a contact that would not occur. */
static close_pair close_pair_of(const tr2_collision *it, const tr2_pair *pair, float dt)
{
    close_pair out = {&it->places[pair->a], &it->places[pair->b], 0.0f, false};
    if ((pair->flags & TR2_PAIR_SENSOR) != 0)
        return out;
    float way = way_of(&out.a->at, &out.b->at, dt), least = tr_least(out.a->at.extent, out.b->at.extent);
    out.margin = (float)TR2_SPECULATIVE + tr_least(way, least);
    out.passes = way > least;
    return out;
}

/* whether two shapes' bounding boxes are farther apart than the margin, as for most pairs of moving shapes */
static bool is_apart(const close_pair *pair)
{
    float x = fabsf((float)(pair->b->at.x - pair->a->at.x)) - (pair->a->at.half_x + pair->b->at.half_x);
    float y = fabsf((float)(pair->b->at.y - pair->a->at.y)) - (pair->a->at.half_y + pair->b->at.half_y);
    return tr_most(x, y) > pair->margin;
}

/* the frame of a shape's body */
static tr2_transform frame_of(const tr2_shape_place *it)
{
    const tr2_pose turn = {{0.0f, 0.0f}, it->c, it->s};
    tr_vec2 arm = tr_rotate(turn, it->geometry->center);
    return (tr2_transform){{it->at.x - (double)arm.x, it->at.y - (double)arm.y}, 0.0, it->c, it->s};
}

static void write_frames(const close_pair *pair, tr2_shape_pair *out)
{
    tr2_transform frame_a = frame_of(pair->a), frame_b = frame_of(pair->b);
    out->a = pair->a->geometry;
    out->b = pair->b->geometry;
    out->b_in_a = tr2_pose_between(&frame_a, &frame_b);
    out->margin = pair->margin;
}

tr2_shape_pair tr2_pair_frames(const tr2_collision *it, const tr2_pair *pair, float dt)
{
    tr2_shape_pair out;
    close_pair near = close_pair_of(it, pair, dt);
    write_frames(&near, &out);
    return out;
}

static void set_points(tr2_pair *pair, uint32_t count)
{
    pair->flags = (pair->flags & ~TR2_PAIR_POINTS) | count * TR2_PAIR_POINT;
}

/* A batch of pairs of circles for tr2_collide_circles(). */
typedef struct circle_run {
    const tr2_mover *a[TR2_PAIRS_PER_CHUNK], *b[TR2_PAIRS_PER_CHUNK];
    uint32_t pair[TR2_PAIRS_PER_CHUNK];
    uint32_t count;
} circle_run;

static void add_circles(circle_run *it, const tr2_collision *collision, uint32_t index)
{
    const tr2_pair *pair = &collision->pairs[index];
    uint32_t n = it->count++;
    it->a[n] = &collision->places[pair->a].at;
    it->b[n] = &collision->places[pair->b].at;
    it->pair[n] = index;
}

/* A batch of pairs of quadrilaterals for tr2_collide_quads(). */
typedef struct quad_run {
    tr2_shape_pair quads[QUADS];
    uint32_t pair[QUADS];
    uint32_t count;
} quad_run;

static void collide_quads(quad_run *it, const tr2_collision *collision)
{
    tr2_manifold found[QUADS];
    tr2_collide_quads(it->quads, it->count, found);
    for (uint32_t n = 0; n < it->count; n++) {
        if (found[n].count > 0)
            collision->manifolds[it->pair[n]] = found[n];
        set_points(&collision->pairs[it->pair[n]], found[n].count);
    }
    it->count = 0;
}

/* writes in place: a copy would stall on data just written */
static void add_quads(quad_run *it, const tr2_collision *collision, const close_pair *pair, uint32_t index)
{
    write_frames(pair, &it->quads[it->count]);
    it->pair[it->count++] = index;
    if (it->count == QUADS)
        collide_quads(it, collision);
}

/* a contact from tr2_meet_ahead() as a manifold, in the format of its kind of pair */
static tr2_manifold manifold_ahead(const tr2_world *world, const tr2_pair *pair, const tr2_contact_places *places)
{
    if ((pair->flags & TR2_PAIR_CIRCLES) != 0)
        return (tr2_manifold){places->normal, 1, {{places->arm_a, places->separation[0], 0}, {places->arm_b, 0.0f, 0}}};
    const tr2_bodies *bodies = &world->bodies;
    uint32_t a = tr2_body_row(world, world->shapes.body[world->shapes.pool.row[pair->a]]);
    tr2_pose turn = {{0.0f, 0.0f}, bodies->c[a], bodies->s[a]};
    tr_vec2 origin = tr2_body_center(bodies, a);
    tr2_manifold out = {.normal = tr_rotate_back(turn, places->normal), .count = places->point_count};
    for (uint32_t i = 0; i < places->point_count; i++) {
        tr_vec2 arm = i > 0 ? tr_add(places->arm_a, places->second) : places->arm_a;
        out.points[i] =
            (tr2_manifold_point){tr_add(origin, tr_rotate_back(turn, arm)), places->separation[i], places->point_id[i]};
    }
    return out;
}

/* looks ahead for a pair beyond its margin that may pass within the step */
static void look_ahead(tr2_world *world, uint32_t index, double dt)
{
    tr2_collision *it = &world->collision;
    tr2_pair *pair = &it->pairs[index];
    tr2_contact_places places;
    if (tr2_pair_touches(pair) > 0 || !tr2_meet_ahead(world, pair->a, pair->b, dt, &places))
        return;
    pair->flags |= TR2_PAIR_AHEAD;
    set_points(pair, places.point_count);
    it->manifolds[index] = manifold_ahead(world, pair, &places);
}

/* looks ahead for a touching pair that rotates */
static void look_at_turning(tr2_world *world, uint32_t index, double dt)
{
    tr2_collision *it = &world->collision;
    tr2_pair *pair = &it->pairs[index];
    tr2_contact_places places;
    if (tr2_pair_touches(pair) == 0 || !tr2_touch_turning(world, pair->a, pair->b, &it->manifolds[index], dt, &places))
        return;
    pair->flags |= TR2_PAIR_TURNS;
    set_points(pair, places.point_count);
    it->manifolds[index] = manifold_ahead(world, pair, &places);
}

tr2_pair_counts tr2_count_pairs(const tr2_collision *it, uint32_t first, uint32_t end)
{
    tr2_pair_counts counts = {0};
    for (uint32_t i = first; i < end; i++) {
        const tr2_pair *pair = &it->pairs[i];
        uint32_t points = tr2_pair_points(pair), flags = pair->flags;
        bool had = pair->contact != TR_NONE;
        counts.added += !had && points > 0;
        counts.removed += had && points == 0;
        counts.changed += had && points > 0 && (points == 2) != ((flags & TR2_PAIR_TWO) != 0);
        counts.dying += (flags & TR2_PAIR_DEAD) != 0;
        counts.still += points > 0 && (flags & TR2_PAIR_STILL) != 0;
    }
    return counts;
}

/* The pairs of a chunk by the way they are processed. */
typedef struct pair_runs {
    circle_run circles, sensors; /* pairs of circles; those with a sensor */
    quad_run quads;
    uint32_t passing[TR2_PAIRS_PER_CHUNK], passing_count;
    uint32_t turning[TR2_PAIRS_PER_CHUNK], turning_count;
} pair_runs;

/* sensors have no margin, and do not look ahead */
static void collide_circles(const circle_run *it, const tr2_collision *collision, float speculative, float dt,
                            pair_runs *runs)
{
    const tr2_circle_pairs pairs = {it->a, it->b, it->count, speculative, dt};
    tr2_circle_bits bits[TR2_PAIRS_PER_CHUNK / TR2_CIRCLES_AT_ONCE];
    tr2_collide_circles(&pairs, it->pair, collision->manifolds, bits);
    for (uint32_t first = 0; first < it->count; first += TR2_CIRCLES_AT_ONCE) {
        tr2_circle_bits some = bits[first / TR2_CIRCLES_AT_ONCE];
        for (; some.near != 0; some.near &= some.near - 1)
            set_points(&collision->pairs[it->pair[first + (uint32_t)__builtin_ctz(some.near)]], 1);
        for (; some.passing != 0; some.passing &= some.passing - 1)
            runs->passing[runs->passing_count++] = it->pair[first + (uint32_t)__builtin_ctz(some.passing)];
    }
}

static void touch_pair(tr2_collision *it, uint32_t index, float dt, pair_runs *runs)
{
    tr2_pair *pair = &it->pairs[index];
    const uint32_t flags = pair->flags;
    pair->flags = flags & ~(TR2_PAIR_AHEAD | TR2_PAIR_TURNS | TR2_PAIR_POINTS);
    if ((flags & TR2_PAIR_DEAD) != 0)
        return;
    if ((flags & TR2_PAIR_CIRCLES) != 0) {
        add_circles((flags & TR2_PAIR_SENSOR) != 0 ? &runs->sensors : &runs->circles, it, index);
        return;
    }
    close_pair near = close_pair_of(it, pair, dt);
    if (near.passes)
        runs->passing[runs->passing_count++] = index;
    if (is_apart(&near))
        return;
    if ((flags & TR2_PAIR_QUADS) != 0) {
        add_quads(&runs->quads, it, &near, index);
    } else {
        tr2_shape_pair frames;
        write_frames(&near, &frames);
        tr2_manifold found = tr2_collide(frames.a, frames.b_in_a, frames.b, frames.margin);
        if (found.count > 0)
            it->manifolds[index] = found;
        set_points(pair, found.count);
    }
    bool turns = tr_most(fabsf(near.a->at.spin), fabsf(near.b->at.spin)) * dt > TR2_TURN_LEAST;
    if (turns && (flags & TR2_PAIR_SENSOR) == 0)
        runs->turning[runs->turning_count++] = index;
}

/* shapes are scattered in memory: prefetch their positions first, and their geometry later */
static void prefetch_pair(const tr2_collision *it, uint32_t index, uint32_t end)
{
    if (index + 2 * AHEAD < end) {
        const tr2_pair *far = &it->pairs[index + 2 * AHEAD];
        __builtin_prefetch(&it->places[far->a]);
        __builtin_prefetch(&it->places[far->b]);
    }
    if (index + AHEAD < end && (it->pairs[index + AHEAD].flags & (TR2_PAIR_CIRCLES | TR2_PAIR_DEAD)) == 0) {
        const tr2_pair *near = &it->pairs[index + AHEAD];
        __builtin_prefetch(it->places[near->a].geometry);
        __builtin_prefetch(it->places[near->b].geometry);
    }
}

static void touch_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const tr2_collide_step *step = context;
    tr2_collision *it = &step->world->collision;
    uint32_t count = it->count + it->broad.pair_count, first = chunk * TR2_PAIRS_PER_CHUNK;
    uint32_t end = tr2_chunk_end(count, first, TR2_PAIRS_PER_CHUNK);
    pair_runs runs;
    runs.circles.count = runs.sensors.count = runs.quads.count = runs.passing_count = runs.turning_count = 0;
    for (uint32_t i = first; i < end; i++) {
        prefetch_pair(it, i, end);
        touch_pair(it, i, (float)step->dt, &runs);
    }
    if (runs.quads.count > 0)
        collide_quads(&runs.quads, it);
    collide_circles(&runs.circles, it, (float)TR2_SPECULATIVE, (float)step->dt, &runs);
    collide_circles(&runs.sensors, it, 0.0f, 0.0f, &runs);
    for (uint32_t i = 0; i < runs.passing_count; i++)
        look_ahead(step->world, runs.passing[i], step->dt);
    for (uint32_t i = 0; i < runs.turning_count; i++)
        look_at_turning(step->world, runs.turning[i], step->dt);
    it->counts[chunk] = tr2_count_pairs(it, first, end);
}

static bool run(tr2_collide_step *step, tr_chunk_fn *chunk, uint32_t chunks)
{
    if (tr_team_reserve(step->world->team, 1, chunks) != TR_OK)
        return false;
    const tr_pipeline_stage stage = {chunk, NULL, chunks, 0};
    tr_team_run(step->world->team, &stage, 1, step->workers, step, NULL);
    return true;
}

/* asks the application's filter on this thread, in the order of pairs; does not count rejected contacts */
static void ask_filter(tr2_world *world, uint32_t count)
{
    tr2_collision *it = &world->collision;
    for (uint32_t chunk = 0; chunk < tr2_pair_chunks(count); chunk++) {
        uint32_t first = chunk * TR2_PAIRS_PER_CHUNK, end = tr2_chunk_end(count, first, TR2_PAIRS_PER_CHUNK);
        bool taken = false;
        for (uint32_t i = first; i < end; i++)
            taken = tr2_pair_filter(world, i) || taken;
        if (taken)
            it->counts[chunk] = tr2_count_pairs(it, first, end);
    }
}

bool tr2_collide_touch(tr2_collide_step *step)
{
    tr2_collision *it = &step->world->collision;
    tr_memory *m = &step->world->memory;
    uint32_t count = it->count + it->broad.pair_count, chunks = tr2_pair_chunks(count);
    bool ok = tr_grow(m, (void **)&it->manifolds, &it->manifold_capacity, count, sizeof *it->manifolds) &&
              tr_grow(m, (void **)&it->counts, &it->counts_capacity, chunks + 1, sizeof *it->counts) &&
              run(step, touch_chunk, chunks);
    if (ok && it->filter != NULL)
        ask_filter(step->world, count);
    return ok && tr2_collide_corners(step);
}

/*
 * Contact rows
 */
static void write_surface(tr2_joints *it, uint32_t row, const tr2_shapes *shapes, uint32_t a, uint32_t b)
{
    const tr2_surface *one = &shapes->surface[a], *other = &shapes->surface[b];
    float radius = tr_most(shapes->geometry[a]->radius, shapes->geometry[b]->radius);
    it->own[TR2_CONTACT_FRICTION][row] = sqrtf(one->friction * other->friction);
    it->own[TR2_CONTACT_RESTITUTION][row] = tr_most(one->restitution, other->restitution);
    it->own[TR2_CONTACT_TANGENT_SPEED][row] = one->tangent_speed + other->tangent_speed;
    it->own[TR2_CONTACT_ROLLING][row] = radius * tr_most(one->rolling_resistance, other->rolling_resistance);
}

/* m/s; approach speed of the surfaces at the contact, before the step changes it */
static float approach(const tr2_bodies *bodies, uint32_t a, uint32_t b, const tr2_contact_places *at)
{
    float wa = bodies->angular_velocity[a], wb = bodies->angular_velocity[b];
    float x = (bodies->velocity_x[b] - wb * at->arm_b.y) - (bodies->velocity_x[a] - wa * at->arm_a.y);
    float y = (bodies->velocity_y[b] + wb * at->arm_b.x) - (bodies->velocity_y[a] + wa * at->arm_a.x);
    return -(x * at->normal.x + y * at->normal.y);
}

/* tr2_collide_circles() returns them in the required format */
static void places_of_circles(const tr2_manifold *manifold, tr2_contact_places *out)
{
    *out = (tr2_contact_places){
        .normal = manifold->normal,
        .arm_a = manifold->points[0].point,
        .arm_b = manifold->points[1].point,
        .separation = {manifold->points[0].separation, 0.0f},
        .point_count = 1,
    };
}

static void places_of(const tr2_bodies *bodies, const tr2_manifold *manifold, uint32_t body_a, uint32_t body_b,
                      tr2_contact_places *out)
{
    tr2_pose frame_a = {{0.0f, 0.0f}, bodies->c[body_a], bodies->s[body_a]};
    const tr2_manifold_point *points = manifold->points;
    tr_vec2 first = points[0].point, second = points[1].point, center = tr2_body_center(bodies, body_a);
    bool both = manifold->count == 2;
    out->normal = tr_rotate(frame_a, manifold->normal);
    out->arm_a = tr_rotate(frame_a, tr_sub(first, center));
    out->arm_b.x = (float)((double)out->arm_a.x - (bodies->center_x[body_b] - bodies->center_x[body_a]));
    out->arm_b.y = (float)((double)out->arm_a.y - (bodies->center_y[body_b] - bodies->center_y[body_a]));
    out->second = both ? tr_rotate(frame_a, tr_sub(second, first)) : (tr_vec2){0.0f, 0.0f};
    out->separation[0] = points[0].separation;
    out->separation[1] = both ? points[1].separation : 0.0f;
    out->point_count = manifold->count;
    out->ahead = false;
    out->point_id[0] = points[0].id;
    out->point_id[1] = both ? points[1].id : 0;
}

/* Halfway through a step, B's centre is displaced sideways. The component along the normal does not matter. */
static void move_halfway(const tr2_bodies *bodies, uint32_t body_a, uint32_t body_b, float dt, tr2_contact_places *it)
{
    tr_vec2 across = tr_left(it->normal);
    tr_vec2 apart = {bodies->velocity_x[body_b] - bodies->velocity_x[body_a],
                     bodies->velocity_y[body_b] - bodies->velocity_y[body_a]};
    it->arm_b = tr_along(it->arm_b, -0.5f * dt * tr_dot(apart, across), across);
    it->ahead = true;
}

/* If a shape is deep in a body that cannot give way, it is followed in this step even if it is slow. A separate
   function, because few shapes are so deep. */
static __attribute__((noinline)) void mark_deep(tr2_world *world, const tr2_pair *pair, float depth)
{
    tr2_shapes *shapes = &world->shapes;
    uint32_t a = shapes->pool.row[pair->a], b = shapes->pool.row[pair->b];
    bool a_moves = world->bodies.type[tr2_body_row(world, shapes->body[a])] == TR_DYNAMIC;
    bool b_moves = world->bodies.type[tr2_body_row(world, shapes->body[b])] == TR_DYNAMIC;
    uint32_t row = a_moves ? a : b;
    /* workers of its other contacts may mark it concurrently */
    if (a_moves != b_moves && tr2_is_deep(shapes->geometry[row], depth))
        __atomic_fetch_or(&shapes->flags[row], TR2_SHAPE_DEEP, __ATOMIC_RELAXED);
}

/* a fast path for most contacts of crowds, which needs no data of their bodies */
static bool write_circles(tr2_world *world, uint32_t row, const tr2_pair *pair, const tr2_manifold *manifold)
{
    const uint32_t others = TR2_PAIR_FRESH | TR2_PAIR_AHEAD | TR2_PAIR_HITS;
    if ((pair->flags & TR2_PAIR_CIRCLES) == 0 || (pair->flags & others) != 0)
        return false;
    tr2_contact_places places;
    places_of_circles(manifold, &places);
    tr2_contact_write_single(&world->joints[TR2_CONTACT], row, &places);
    if (places.separation[0] < -TR2_DEEP_LEAST)
        mark_deep(world, pair, -places.separation[0]);
    return true;
}

static void write_row(tr2_world *world, uint32_t row, double dt)
{
    tr2_joints *contacts = &world->joints[TR2_CONTACT];
    uint32_t index = tr2_contact_own(contacts, TR2_CONTACT_ORDER, row);
    tr2_pair *pair = &world->collision.pairs[index];
    const tr2_manifold *manifold = &world->collision.manifolds[index];
    if (write_circles(world, row, pair, manifold))
        return;
    const tr2_bodies *bodies = &world->bodies;
    uint32_t body_a = tr2_body_row(world, contacts->body_a[row]), body_b = tr2_body_row(world, contacts->body_b[row]);
    bool circles = (pair->flags & TR2_PAIR_CIRCLES) != 0, fresh = (pair->flags & TR2_PAIR_FRESH) != 0;
    tr2_contact_places places;
    if (circles)
        places_of_circles(manifold, &places);
    else
        places_of(bodies, manifold, body_a, body_b, &places);
    /* with one point, the second separation is 0 */
    float least = tr_least(places.separation[0], places.separation[1]);
    if (least < -TR2_DEEP_LEAST)
        mark_deep(world, pair, -least);
    if ((pair->flags & TR2_PAIR_AHEAD) != 0)
        (void)tr2_meet_ahead(world, pair->a, pair->b, dt, &places);
    if ((pair->flags & TR2_PAIR_TURNS) != 0)
        move_halfway(bodies, body_a, body_b, (float)dt, &places);
    if ((pair->flags & TR2_PAIR_HITS) != 0)
        pair->speed = approach(bodies, body_a, body_b, &places);
    if (circles && !fresh)
        tr2_contact_write_single(contacts, row, &places);
    else
        tr2_contact_write_places(world, row, &places);
    if (fresh)
        write_surface(contacts, row, &world->shapes, world->shapes.pool.row[pair->a], world->shapes.pool.row[pair->b]);
    pair->flags = (pair->flags & ~(TR2_PAIR_TWO | TR2_PAIR_FRESH)) | (manifold->count == 2 ? TR2_PAIR_TWO : 0);
}

/* in the order of contact rows: a row is in many columns, but its pair in one place */
static void write_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const tr2_collide_step *step = context;
    const tr2_joints *contacts = &step->world->joints[TR2_CONTACT];
    uint32_t count = contacts->table.count, first = chunk * ROWS_PER_CHUNK;
    uint32_t end = tr2_chunk_end(count, first, ROWS_PER_CHUNK);
    const tr2_collision *it = &step->world->collision;
    for (uint32_t row = first; row < end; row++) {
        uint32_t next = row + AHEAD < end ? row + AHEAD : row;
        if ((contacts->flags[next] & TR2_CONTACT_OF_SHAPES) != 0) {
            uint32_t ahead = tr2_contact_own(contacts, TR2_CONTACT_ORDER, next);
            __builtin_prefetch(&it->pairs[ahead]);
            __builtin_prefetch(&it->manifolds[ahead]);
        }
        if ((contacts->flags[row] & TR2_CONTACT_OF_SHAPES) != 0)
            write_row(step->world, row, step->dt);
    }
}

bool tr2_collide_reserve_write(const tr2_collide_step *step, uint32_t contacts)
{
    return tr_team_reserve(step->world->team, 1, contacts / ROWS_PER_CHUNK + 1) == TR_OK;
}

void tr2_collide_write(tr2_collide_step *step)
{
    uint32_t count = step->world->joints[TR2_CONTACT].table.count;
    (void)run(step, write_chunk, tr2_chunks_of(count, ROWS_PER_CHUNK));
}
