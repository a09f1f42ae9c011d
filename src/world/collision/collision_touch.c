/* Computes the manifolds of pairs. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "collide/geometry/vector.h"
#include "world/collision/ahead.h"
#include "world/collision/collision_internal.h"
#include "world/contacts/contact_query.h"
#include "world/contacts/contact_row.h"
#include "world/core/body.h"
#include "world/queries/track.h"
#include "world/recording/tape.h"

#define AHEAD 8u  /* prefetch distance in pairs */
#define BATCH 32u /* pairs of a kind per call of its kernel */

/* The frame of a shape's body. The shape's centre is mostly the body's origin: then the arm is 0. */
static inline tr2_transform frame_of(const tr2_shape_place *it)
{
    uint64_t center;
    _Static_assert(sizeof center == sizeof it->geometry->center, "one comparison for both coordinates");
    memcpy(&center, &it->geometry->center, sizeof center);
    if (center == 0)
        return (tr2_transform){{it->at.x, it->at.y}, 0.0, it->c, it->s};
    tr_vec2 arm = tr_rotate(tr2_place_turn(it), it->geometry->center);
    return (tr2_transform){{it->at.x - (double)arm.x, it->at.y - (double)arm.y}, 0.0, it->c, it->s};
}

static inline void write_frames(const tr2_shape_place *a, const tr2_shape_place *b, float margin, tr2_shape_pair *out)
{
    tr2_transform frame_a = frame_of(a), frame_b = frame_of(b);
    out->a = a->geometry;
    out->b = b->geometry;
    out->b_in_a = tr2_pose_between(&frame_a, &frame_b);
    out->margin = margin;
}

/* Contacts start before shapes touch, at the distance that they can cover in a step. The margin is limited by the
   smaller extent, so that a shape that will pass the other is not deflected by a contact that would not occur. */
tr2_shape_pair tr2_pair_frames(const tr2_world *world, const tr2_pair *pair, float dt)
{
    const tr2_collision *it = &world->collision;
    const tr2_shape_place *a = &it->places[pair->a], *b = &it->places[pair->b];
    const tr2_mover *at_a = &a->at, *at_b = &b->at;
    const tr2_mover_pairs one = {&at_a, &at_b, 1, (float)tr2_speculative(world), dt, world->settings.length_unit};
    float margins[TR2_CIRCLES_AT_ONCE];
    tr2_near_bits bits;
    tr2_near_pairs(&one, TR2_TURN_LEAST, margins, &bits);
    tr2_shape_pair out;
    write_frames(a, b, margins[0], &out);
    return out;
}

static void set_points(tr2_pair *pair, uint32_t count)
{
    pair->flags = (pair->flags & ~TR2_PAIR_POINTS) | count * TR2_PAIR_POINT;
}

/* A batch of pairs for tr2_collide_circles() or tr2_near_pairs(). */
typedef struct mover_run {
    const tr2_mover *a[TR2_PAIRS_PER_CHUNK], *b[TR2_PAIRS_PER_CHUNK];
    uint32_t pair[TR2_PAIRS_PER_CHUNK];
    uint32_t count;
} mover_run;

static inline void add_movers(mover_run *it, const tr2_shape_place *places, const tr2_pair *pair, uint32_t index)
{
    uint32_t n = it->count++;
    it->a[n] = &places[pair->a].at;
    it->b[n] = &places[pair->b].at;
    it->pair[n] = index;
}

/* the place that a mover is in */
static inline const tr2_shape_place *place_of(const tr2_mover *at)
{
    _Static_assert(offsetof(tr2_shape_place, at) == 0, "a place begins with its mover");
    return (const tr2_shape_place *)at;
}

/* A batch of pairs of one kind. */
typedef struct shape_run {
    tr2_shape_pair shapes[BATCH];
    uint32_t pair[BATCH];
    uint32_t count;
    tr2_collide_many_fn *collide;
} shape_run;

/* keeps the manifold of a pair, or that of its impact */
static void keep_manifold(const tr2_world *world, uint32_t index, const tr2_shape_pair *now, float dt,
                          tr2_manifold *found)
{
    const tr2_collision *it = &world->collision;
    tr2_pair *pair = &it->pairs[index];
    if (tr2_meet_passing(world, pair, now, dt, found))
        pair->flags |= TR2_PAIR_MEETS;
    if (found->count > 0)
        it->manifolds[index] = *found;
    set_points(pair, found->count);
}

static void collide_run(shape_run *it, const tr2_world *world, float dt)
{
    tr2_manifold found[BATCH];
    it->collide(it->shapes, it->count, found);
    for (uint32_t n = 0; n < it->count; n++)
        keep_manifold(world, it->pair[n], &it->shapes[n], dt, &found[n]);
    it->count = 0;
}

tr2_manifold tr2_manifold_ahead(const tr2_world *world, const tr2_pair *pair, const tr2_contact_places *places)
{
    if ((pair->flags & TR2_PAIR_CIRCLES) != 0)
        return (tr2_manifold){places->normal, 1, {{places->arm_a, places->separation[0], 0}, {places->arm_b, 0.0f, 0}}};
    const tr2_bodies *bodies = &world->bodies;
    uint32_t a = tr2_body_row(world, world->shapes.body[world->shapes.pool.row[pair->a]]);
    tr2_pose turn = tr_turn_pose(bodies->c[a], bodies->s[a]);
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
    if (tr2_pair_touches(pair) > 0 || (pair->flags & TR2_PAIR_MEETS) != 0 ||
        !tr2_meet_ahead(world, pair->a, pair->b, dt, &places))
        return;
    pair->flags |= TR2_PAIR_AHEAD;
    set_points(pair, places.point_count);
    it->manifolds[index] = tr2_manifold_ahead(world, pair, &places);
}

/* A batch of touching pairs that rotate. */
typedef struct turning_run {
    tr2_shape_pair then[BATCH];
    tr2_meeting meetings[BATCH];
    uint32_t pair[BATCH];
    uint32_t count;
} turning_run;

static void turn_pair(const tr2_world *world, uint32_t index, const tr2_meeting *meeting, const tr2_manifold *then)
{
    const tr2_collision *it = &world->collision;
    tr2_pair *pair = &it->pairs[index];
    tr2_contact_places places;
    if (!tr2_meeting_places(meeting, then, &places))
        return;
    pair->flags |= TR2_PAIR_TURNS;
    pair->part = meeting->part;
    set_points(pair, places.point_count);
    it->manifolds[index] = tr2_manifold_ahead(world, pair, &places);
}

static void turn_quads(turning_run *it, const tr2_world *world)
{
    tr2_manifold then[BATCH];
    tr2_collide_quads(it->then, it->count, then);
    for (uint32_t n = 0; n < it->count; n++)
        turn_pair(world, it->pair[n], &it->meetings[n], &then[n]);
    it->count = 0;
}

/* looks ahead for touching pairs that rotate, but for those whose contact is of an impact already */
static void look_at_turning(const tr2_world *world, const uint32_t *indices, uint32_t count, double dt)
{
    const tr2_collision *it = &world->collision;
    turning_run run;
    run.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const tr2_pair *pair = &it->pairs[indices[i]];
        uint32_t n = run.count;
        tr2_shape_pair *then = &run.then[n];
        if (tr2_pair_touches(pair) == 0 || (pair->flags & (TR2_PAIR_MEETS | TR2_PAIR_AHEAD)) != 0 ||
            !tr2_touch_turning(world, pair->a, pair->b, &it->manifolds[indices[i]], dt, &run.meetings[n], then))
            continue;
        if ((pair->flags & TR2_PAIR_QUADS) != 0) {
            run.pair[n] = indices[i];
            run.count++;
        } else {
            tr2_manifold found =
                tr2_collide_solid(then->a, then->b_in_a, then->b, then->margin, world->settings.length_unit);
            turn_pair(world, indices[i], &run.meetings[n], &found);
        }
        if (run.count == BATCH)
            turn_quads(&run, world);
    }
    turn_quads(&run, world);
}

/* adds what a pair that may change the plan, or stands still, comes to */
static void count_pair(const tr2_pair *pair, tr2_pair_counts *counts)
{
    uint32_t points = tr2_pair_points(pair);
    bool had = pair->contact != TR_NONE;
    counts->added += !had && points > 0;
    counts->removed += had && points == 0;
    counts->changed += had && points > 0 && points != tr2_pair_held(pair);
    counts->dying += (pair->flags & TR2_PAIR_DEAD) != 0;
    counts->still += points > 0 && (pair->flags & TR2_PAIR_STILL) != 0;
    counts->sensors += tr2_pair_senses(pair);
}

/* Most pairs come to nothing; the others follow no pattern, so they are marked without branches. */
tr2_pair_counts tr2_count_pairs(const tr2_collision *it, tr2_pair_range pairs)
{
    tr2_pair_counts counts = {0};
    for (uint32_t word = 0; word < tr2_pair_words(pairs); word++) {
        const tr2_pair_range range = tr2_pairs_of_word(pairs, word);
        const tr2_pair *some = &it->pairs[range.first];
        const uint32_t count = range.end - range.first;
        uint64_t changes = 0, counted = 0;
        /* backwards: a shift by a constant distance per pair is faster */
        for (uint32_t i = count; i-- > 0;) {
            uint32_t may_change = tr2_pair_may_change(&some[i]);
            changes = 2 * changes + may_change;
            counted = 2 * counted + (may_change | (some[i].flags / TR2_PAIR_STILL % 2));
        }
        counts.marked[word] = changes;
        for (; counted != 0; counted &= counted - 1)
            count_pair(&some[__builtin_ctzll(counted)], &counts);
    }
    return counts;
}

/* The pairs of a chunk by the way they are processed. */
typedef struct pair_runs {
    mover_run circles, others;               /* pairs of circles, and of other shapes */
    mover_run circle_sensors, other_sensors; /* those with a sensor */
    shape_run quads, round;                  /* of the others that are near */
    float dt;                                /* s */
    uint32_t passing[TR2_PAIRS_PER_CHUNK], passing_count;
    uint32_t turning[TR2_PAIRS_PER_CHUNK], turning_count;
} pair_runs;

static tr2_mover_pairs pairs_of(const mover_run *it, const tr2_world *world, float speculative, float dt)
{
    return (tr2_mover_pairs){it->a, it->b, it->count, speculative, dt, world->settings.length_unit};
}

/* sensors have no margin, and do not look ahead */
static void collide_circles(const mover_run *it, const tr2_world *world, float speculative, float dt, pair_runs *runs)
{
    const tr2_collision *collision = &world->collision;
    const tr2_mover_pairs pairs = pairs_of(it, world, speculative, dt);
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

/* Computes the manifold of a pair that is near, at once or with others of its kind; in place, as a copy would stall
   on data just written. */
static void collide_near(const tr2_world *world, uint32_t index, const tr2_shape_place *a, const tr2_shape_place *b,
                         float margin, pair_runs *runs)
{
    const uint32_t flags = world->collision.pairs[index].flags;
    shape_run *run = (flags & TR2_PAIR_ROUND) != 0 ? &runs->round : &runs->quads;
    tr2_shape_pair *shapes = &run->shapes[run->count];
    write_frames(a, b, margin, shapes);
    if ((flags & (TR2_PAIR_QUADS | TR2_PAIR_ROUND)) == 0) {
        bool sensor = (flags & TR2_PAIR_SENSOR) != 0;
        tr2_manifold found =
            sensor ? tr2_collide(shapes->a, shapes->b_in_a, shapes->b, margin)
                   : tr2_collide_solid(shapes->a, shapes->b_in_a, shapes->b, margin, world->settings.length_unit);
        keep_manifold(world, index, shapes, runs->dt, &found);
        return;
    }
    run->pair[run->count++] = index;
    if (run->count == BATCH)
        collide_run(run, world, runs->dt);
}

/* Pairs of a batch whose bounding boxes are near each other. */
typedef struct near_run {
    const tr2_shape_place *a[TR2_PAIRS_PER_CHUNK], *b[TR2_PAIRS_PER_CHUNK];
    float margin[TR2_PAIRS_PER_CHUNK];
    uint32_t place[TR2_PAIRS_PER_CHUNK]; /* in the batch */
    uint32_t count;
} near_run;

/* Lists them, those that had contacts apart from those that had none. Which are which follows no pattern: without
   branches. */
static void list_near(const mover_run *it, const tr2_pair *pairs, const tr2_near_bits *bits, const float *margins,
                      near_run out[2])
{
    uint32_t total = 0, held_count = 0;
    for (uint32_t first = 0; first < it->count; first += TR2_CIRCLES_AT_ONCE) {
        for (uint32_t left = bits[first / TR2_CIRCLES_AT_ONCE].near; left != 0; left &= left - 1) {
            uint32_t place = first + (uint32_t)__builtin_ctz(left);
            uint32_t held = (pairs[it->pair[place]].flags & TR2_PAIR_HELD) != 0;
            uint32_t n = held != 0 ? held_count : total - held_count;
            near_run *run = &out[held];
            held_count += held;
            total++;
            run->a[n] = place_of(it->a[place]);
            run->b[n] = place_of(it->b[place]);
            run->margin[n] = margins[place];
            run->place[n] = place;
            /* shapes are scattered in memory */
            __builtin_prefetch(run->a[n]->geometry);
            __builtin_prefetch(run->b[n]->geometry);
        }
    }
    out[0].count = total - held_count;
    out[1].count = held_count;
}

/* of shapes that are near each other: 1 if one may roll on the other, else 0 */
static inline uint32_t rolls_along(const tr2_shape_place *a, const tr2_shape_place *b, float dt, float unit)
{
    return (uint32_t)tr2_may_roll(a->geometry, b->geometry, dt * b->at.spin, unit) |
           (uint32_t)tr2_may_roll(b->geometry, a->geometry, dt * a->at.spin, unit);
}

/* Most pairs of moving shapes are farther apart than their margin. Most of those that had contacts have them again, so
   only the others are worth a second test. */
static void collide_others(const mover_run *it, const tr2_world *world, float speculative, float dt, pair_runs *runs)
{
    const tr2_mover_pairs pairs = pairs_of(it, world, speculative, dt);
    tr2_near_bits bits[TR2_PAIRS_PER_CHUNK / TR2_CIRCLES_AT_ONCE];
    float margins[TR2_PAIRS_PER_CHUNK];
    near_run near[2];
    tr2_near_pairs(&pairs, TR2_TURN_LEAST, margins, bits);
    list_near(it, world->collision.pairs, bits, margins, near);
    for (uint32_t held = 0; held < 2; held++) {
        const near_run *run = &near[held];
        for (uint32_t first = 0; first < run->count; first += TR2_CIRCLES_AT_ONCE) {
            uint32_t count = tr2_chunk_end(run->count, first, TR2_CIRCLES_AT_ONCE) - first;
            uint32_t left = (UINT32_C(1) << count) - 1;
            if (held == 0)
                left &= ~tr2_apart_pairs(run->a + first, run->b + first, run->margin + first, count);
            for (; left != 0; left &= left - 1) {
                uint32_t n = first + (uint32_t)__builtin_ctz(left), place = run->place[n], index = it->pair[place];
                collide_near(world, index, run->a[n], run->b[n], run->margin[n], runs);
                runs->turning[runs->turning_count] = index;
                runs->turning_count += (bits[place / TR2_CIRCLES_AT_ONCE].turning >> place % TR2_CIRCLES_AT_ONCE & 1u) |
                                       rolls_along(run->a[n], run->b[n], dt, world->settings.length_unit);
            }
        }
    }
    for (uint32_t first = 0; first < it->count; first += TR2_CIRCLES_AT_ONCE) {
        for (uint32_t left = bits[first / TR2_CIRCLES_AT_ONCE].passing; left != 0; left &= left - 1)
            runs->passing[runs->passing_count++] = it->pair[first + (uint32_t)__builtin_ctz(left)];
    }
}

/* marks the shape that moves: what is near nothing that stands still need not be followed */
static void mark_beside(tr2_world *world, const tr2_pair *pair)
{
    tr2_shapes *shapes = &world->shapes;
    bool b_still = (pair->flags & TR2_PAIR_STILL_B) != 0;
    uint32_t row = shapes->pool.row[b_still ? pair->a : pair->b];
    bool fixed = TR2_PROXY_KIND(world->collision.broad.states[b_still ? pair->b : pair->a]) == TR2_PROXY_FIXED;
    uint32_t mark = fixed ? TR2_SHAPE_BY_FIXED : TR2_SHAPE_BY_DRIVEN;
    /* workers of its other pairs may mark it concurrently */
    if ((__atomic_load_n(&shapes->flags[row], __ATOMIC_RELAXED) & mark) == 0)
        __atomic_fetch_or(&shapes->flags[row], mark, __ATOMIC_RELAXED);
}

static inline void sort_pair(tr2_world *world, const tr2_shape_place *places, tr2_pair *pair, uint32_t index,
                             pair_runs *runs)
{
    const uint32_t flags = pair->flags;
    pair->flags = flags & ~TR2_PAIR_FOUND;
    if ((flags & TR2_PAIR_DEAD) != 0)
        return;
    if ((flags & TR2_PAIR_STILL) != 0)
        mark_beside(world, pair);
    bool circles = (flags & TR2_PAIR_CIRCLES) != 0;
    mover_run *run = circles ? &runs->circles : &runs->others;
    if ((flags & TR2_PAIR_SENSOR) != 0)
        run = circles ? &runs->circle_sensors : &runs->other_sensors;
    add_movers(run, places, pair, index);
}

static void touch_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const tr2_collide_step *step = context;
    const tr2_collision *it = &step->world->collision;
    const tr2_pair_range pairs = tr2_pairs_of_chunk(it, tr2_pair_count(it), chunk);
    const float speculative = (float)tr2_speculative(step->world), dt = (float)step->dt;
    pair_runs runs;
    runs.circles.count = runs.others.count = runs.circle_sensors.count = runs.other_sensors.count = 0;
    runs.quads.count = runs.round.count = runs.passing_count = runs.turning_count = 0;
    runs.quads.collide = tr2_collide_quads;
    runs.round.collide = tr2_collide_polygon_circles;
    runs.dt = dt;
    tr2_pair *const all = it->pairs;
    const tr2_shape_place *const places = it->places;
    for (uint32_t i = pairs.first; i < pairs.end; i++) {
        const tr2_pair *next = &all[i + 2 * AHEAD < pairs.end ? i + 2 * AHEAD : i];
        __builtin_prefetch(&places[next->a]);
        __builtin_prefetch(&places[next->b]);
        sort_pair(step->world, places, &all[i], i, &runs);
    }
    collide_others(&runs.others, step->world, speculative, dt, &runs);
    collide_others(&runs.other_sensors, step->world, 0.0f, 0.0f, &runs);
    collide_circles(&runs.circles, step->world, speculative, dt, &runs);
    collide_circles(&runs.circle_sensors, step->world, 0.0f, 0.0f, &runs);
    collide_run(&runs.quads, step->world, dt);
    collide_run(&runs.round, step->world, dt);
    for (uint32_t i = 0; i < runs.passing_count; i++)
        look_ahead(step->world, runs.passing[i], step->dt);
    look_at_turning(step->world, runs.turning, runs.turning_count, step->dt);
    it->counts[chunk] = tr2_count_pairs(it, pairs);
}

bool tr2_collide_run(tr2_collide_step *step, tr_chunk_fn *chunk, uint32_t chunks)
{
    if (tr_team_reserve(step->world->team, 1, chunks) != TR_OK)
        return false;
    tr_team_run_stage(step->world->team, chunk, chunks, step->workers, step);
    return true;
}

/* asks the application's filter on this thread, in the order of pairs up to `most`; does not count rejected contacts */
static void custom_filter(tr2_world *world, uint32_t count, uint32_t most)
{
    tr2_collision *it = &world->collision;
    for (uint32_t chunk = 0; chunk < tr2_pair_chunks(count); chunk++) {
        tr2_pair_range pairs = tr2_pairs_of_chunk(it, count, chunk);
        bool taken = false;
        pairs.end = pairs.end < most ? pairs.end : most;
        for (uint32_t i = pairs.first; i < pairs.end; i++)
            taken = tr2_pair_filter(world, i) || taken;
        if (taken)
            it->counts[chunk] = tr2_count_pairs(it, tr2_pairs_of_chunk(it, count, chunk));
    }
}

bool tr2_collide_touch(tr2_collide_step *step)
{
    tr2_collision *it = &step->world->collision;
    tr_memory *m = &step->world->memory;
    uint32_t count = tr2_pair_count(it), chunks = tr2_pair_chunks(count), all = it->resting + count;
    bool ok = tr_grow(m, (void **)&it->manifolds, &it->manifold_capacity, all, sizeof *it->manifolds) &&
              tr_grow(m, (void **)&it->counts, &it->counts_capacity, chunks + 1, sizeof *it->counts) &&
              tr2_collide_run(step, touch_chunk, chunks);
    if (ok && it->mixer != NULL)
        tr2_tape_reserve_mixes(step->world, count);
    if (ok && it->filter != NULL)
        custom_filter(step->world, count, all);
    return ok && tr2_collide_corners(step);
}

bool tr2_collide_touch_more(tr2_collide_step *step, uint32_t end)
{
    tr2_collision *it = &step->world->collision;
    uint32_t count = tr2_pair_count(it), chunks = tr2_pair_chunks(count), more = end - it->resting;
    /* some of those that were seen before are seen again, with the same result */
    uint32_t again = tr2_pair_chunks(more);
    if (!tr_grow(&step->world->memory, (void **)&it->counts, &it->counts_capacity, chunks + 1, sizeof *it->counts) ||
        !tr2_collide_run(step, touch_chunk, again))
        return false;
    for (uint32_t chunk = again; chunk < chunks; chunk++)
        it->counts[chunk] = tr2_count_pairs(it, tr2_pairs_of_chunk(it, count, chunk));
    if (it->filter != NULL)
        custom_filter(step->world, count, tr2_pairs_of_chunk(it, count, again - 1).end);
    return tr2_collide_corners(step);
}
