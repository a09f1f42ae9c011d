#include "world/collision/continuous.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "collide/geometry/vector.h"
#include "solver/plane/rotation.h"
#include "world/collision/collision_internal.h"
#include "world/collision/reach.h"
#include "world/core/body.h"

/* Greatest number of impacts of a body that are followed in one step. A bullet is followed as often again for each kind
   of body that no longer stops it. */
#define ROUNDS_MOST 4u

#define SHAPES_PER_CHUNK 256u

/* If kinematic bodies have at most this many shapes, these are tested one by one instead of searching the tree of
   all moving shapes. */
#define DRIVEN_MOST 32u

typedef struct driven_shape {
    uint32_t slot, body; /* row */
    const tr2_geometry *geometry;
} driven_shape;

typedef struct driven_shapes {
    driven_shape of[DRIVEN_MOST];
    uint32_t count; /* above DRIVEN_MOST: there are more than are listed */
} driven_shapes;

/* the dynamic bodies that stop a body */
typedef enum stoppers { NO_DYNAMIC, NO_BULLET, ANY_DYNAMIC } stoppers;

/* A body whose motion is followed, shape by shape, and the earliest impact found in the rest of its motion. */
typedef struct chase {
    const tr2_world *world;
    uint32_t body; /* row */
    stoppers by;
    const driven_shapes *driven; /* null: the tree of moving shapes is searched instead */
    tr_dvec2 from;               /* world position that tracks are relative to */
    tr2_track track;             /* the rest of its motion */
    float begun;                 /* fraction of the step before `track` */
    uint32_t with;               /* row of the body that it hit last; TR_NONE: none */

    uint32_t slot; /* of the shape */
    const tr2_geometry *geometry;
    double gone; /* m; tr2_collide_travel() */
    bool deep;   /* TR2_SHAPE_DEEP */

    float part;         /* of `track`, up to the earliest impact; 1: none */
    uint32_t met;       /* row of the body hit there */
    tr2_motion carried; /* motion after it, as that body lets it */
} chase;

static bool is_still(const tr2_bodies *bodies, uint32_t body)
{
    /* a body quarantined in this step stays where the step began */
    return bodies->type[body] == TR_STATIC || (bodies->flags[body] & TR_BODY_QUARANTINED) != 0;
}

static bool stops(const chase *it, uint32_t body)
{
    const tr2_bodies *bodies = &it->world->bodies;
    if (!tr2_body_is_dynamic(bodies, body) || it->by == ANY_DYNAMIC)
        return true;
    return it->by == NO_BULLET && (bodies->flags[body] & TR_BODY_BULLET) == 0;
}

static bool chase_one(void *context, uint32_t other)
{
    chase *it = context;
    const tr2_world *world = it->world;
    const tr2_bodies *bodies = &world->bodies;
    const tr2_shapes *shapes = &world->shapes;
    uint32_t row = shapes->pool.row[other], body = tr2_body_row(world, shapes->body[row]);
    uint32_t low = other < it->slot ? other : it->slot, high = other < it->slot ? it->slot : other;
    if (body == it->body || body == it->with || !stops(it, body) || (shapes->flags[row] & TR2_SHAPE_UNFOLLOWED) != 0 ||
        !tr2_pair_is_wanted(world, low, high))
        return true;
    const float unit = world->settings.length_unit;
    bool still = is_still(bodies, body);
    tr2_motion motion = still ? (tr2_motion){0.0f, 0.0f, 0.0f} : tr2_solver_motion(world->solver, body);
    tr2_track whole = tr2_track_of(bodies, body, it->from, motion, true);
    tr2_track rest = tr2_track_rest(&whole, it->begun);
    double gone = still ? it->gone : tr2_travel_against(bodies, it->body, it->geometry, &it->track, &rest);
    /* what moves along with another body may be slow, and no contact has kept it out */
    bool followed = it->deep || it->with != TR_NONE || tr2_is_fast(it->geometry, gone, unit);
    const tr2_geometry *geometry = shapes->geometry[row];
    if (!followed ||
        (it->with == TR_NONE && tr2_is_out_of_reach(bodies, it->body, it->geometry, body, geometry, gone, unit)))
        return true;
    float part = tr2_free_part(it->geometry, &it->track, geometry, &rest, unit);
    if (!(part < it->part))
        return true;
    tr2_track after = tr2_track_rest(&rest, part);
    it->part = part;
    it->met = body;
    tr2_track own = tr2_track_rest(&it->track, part);
    if (still)
        it->carried = motion;
    else if (bodies->type[body] == TR_KINEMATIC)
        it->carried = tr2_track_carry(&after, own.start);
    else
        it->carried = tr2_track_push(it->geometry, &own, geometry, &after, unit);
    return true;
}

/* a box around the entire motion of a shape */
static tr2_box swept_box(const chase *it)
{
    tr2_box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (uint32_t end = 0; end < 2; end++) {
        tr2_transform at = tr2_track_at(&it->track, (float)end);
        tr2_bounds bounds = tr2_geometry_bounds(it->geometry, at.c, at.s);
        double x = it->from.x + at.position.x, y = it->from.y + at.position.y;
        box.lower_x = fmin(box.lower_x, x + (double)bounds.lower.x);
        box.lower_y = fmin(box.lower_y, y + (double)bounds.lower.y);
        box.upper_x = fmax(box.upper_x, x + (double)bounds.upper.x);
        box.upper_y = fmax(box.upper_y, y + (double)bounds.upper.y);
    }
    /* between the ends a rotation bulges out; beyond half a turn it also reaches the other side of the centre */
    double turn = fabs((double)it->track.motion.turn), share = turn > 3.0 ? 1.0 : 0.5;
    double meet = (double)(TR2_MEET * it->world->settings.length_unit);
    tr2_box_widen(&box, meet + share * tr2_swing(&it->world->bodies, it->body, it->geometry, turn));
    return box;
}

static void chase_driven(chase *it, const tr2_box *box)
{
    const tr2_broad *broad = &it->world->collision.broad;
    for (uint32_t i = 0; i < it->driven->count; i++) {
        if (tr2_boxes_overlap(&broad->boxes[it->driven->of[i].slot], box))
            (void)chase_one(it, it->driven->of[i].slot);
    }
}

/* finds the earliest impact of a body's shapes (all, or only fast ones) with shapes in one or both trees */
static void chase_shapes(chase *it, const bool trees[2], bool all_shapes)
{
    const tr2_world *world = it->world;
    const tr2_shapes *shapes = &world->shapes;
    it->part = 1.0f;
    for (uint32_t slot = tr2_shapes_newest(shapes, world->bodies.slot[it->body]); slot != TR_NONE;
         slot = shapes->older[shapes->pool.row[slot]]) {
        uint32_t row = shapes->pool.row[slot], flags = shapes->flags[row];
        if ((flags & TR2_SHAPE_UNFOLLOWED) != 0 || (!all_shapes && (flags & TR2_SHAPE_FAST) == 0))
            continue;
        it->slot = slot;
        it->geometry = shapes->geometry[row];
        it->deep = (flags & TR2_SHAPE_DEEP) != 0;
        it->gone = tr2_collide_travel(&world->bodies, it->body, it->geometry, it->track.motion);
        tr2_box box = swept_box(it);
        if (trees[0])
            tr2_tree_query(&world->collision.broad.trees[0], &box, chase_one, it);
        if (trees[1] && it->driven != NULL)
            chase_driven(it, &box);
        else if (trees[1])
            tr2_tree_query(&world->collision.broad.trees[1], &box, chase_one, it);
    }
}

/*
 * Follows a body through its step. After an impact it stays at a fixed body, moves along with a kinematic one as if
 * fixed to it, or goes on as a dynamic one lets it, for the rest of the step. It is followed further, because that may
 * take it through something else. A body pressed from two sides that do not give way stays at its last impact. A bullet
 * that stays would be passed over by what presses it, if that is dynamic or kinematic. So after some impacts other
 * bullets no longer stop it, and then no dynamic bodies.
 */
static tr2_bullet chase_body(const tr2_world *world, uint32_t body, bool bullet, const driven_shapes *driven)
{
    const tr2_bodies *bodies = &world->bodies;
    bool few = !bullet && driven != NULL && driven->count <= DRIVEN_MOST;
    chase it = {.world = world,
                .body = body,
                .by = bullet ? ANY_DYNAMIC : NO_DYNAMIC,
                .driven = few ? driven : NULL,
                .with = TR_NONE};
    tr2_bullet to = {.body = body};
    it.from = (tr_dvec2){bodies->center_x[body], bodies->center_y[body]};
    it.track = tr2_track_of(bodies, body, it.from, tr2_solver_motion(world->solver, body), true);
    for (uint32_t round = 0; round < (bullet ? 3 * ROUNDS_MOST : ROUNDS_MOST); round++) {
        if (round > 0 && round % ROUNDS_MOST == 0) {
            it.by = round == ROUNDS_MOST ? NO_BULLET : NO_DYNAMIC;
            if (!stops(&it, it.with))
                it.track.motion = (tr2_motion){0.0f, 0.0f, 0.0f};
        }
        /* bullets have already been followed among bodies that cannot give way */
        const bool trees[2] = {!bullet || round > 0, bullet || driven != NULL};
        chase_shapes(&it, trees, bullet || round > 0);
        if (!(it.part < 1.0f)) {
            to.kept.x += it.track.motion.x;
            to.kept.y += it.track.motion.y;
            to.kept.turn += it.track.motion.turn;
            break;
        }
        to.stopped = true;
        to.kept.x += it.part * it.track.motion.x;
        to.kept.y += it.part * it.track.motion.y;
        to.kept.turn += it.part * it.track.motion.turn;
        it.begun += it.part * (1.0f - it.begun);
        it.track = tr2_track_rest(&it.track, it.part);
        it.track.motion = it.carried;
        it.with = it.met;
        /* next to a fixed body, with only bodies around that give way, nothing more can happen */
        if (!trees[1] && is_still(bodies, it.met))
            break;
    }
    return to;
}

/* Gives a body, which the step has moved by `motion`, the motion `kept` instead; false, and does nothing, if no body may
   be where that leads. */
static bool change_motion(tr2_bodies *bodies, uint32_t body, tr2_motion motion, tr2_motion kept)
{
    tr_dvec2 center = tr2_body_mass_center(bodies, body);
    center.x -= (double)motion.x - (double)kept.x;
    center.y -= (double)motion.y - (double)kept.y;
    double angle = bodies->angle[body] - ((double)motion.turn - (double)kept.turn);
    if (!isfinite(center.x) || !isfinite(center.y) || !(fabs(angle) <= TR2_ANGLE_MAX))
        return false;
    tr2_body_write_mass_center(bodies, body, center);
    tr2_body_write_orientation(bodies, body, angle);
    return true;
}

/* Moves a body back. True if it is then outside of its shapes' boxes, which are entered again. */
static bool put_back(tr2_world *world, const tr2_bullet *to)
{
    if (!to->stopped)
        return false;
    tr2_bodies *bodies = &world->bodies;
    const tr2_shapes *shapes = &world->shapes;
    uint32_t body = to->body;
    tr2_motion motion = tr2_solver_motion(world->solver, body), kept = to->kept;
    /* what stops it may also carry it too far, as in finish_body() */
    if (!change_motion(bodies, body, motion, kept)) {
        kept = (tr2_motion){0.0f, 0.0f, 0.0f};
        /* if rounding forbids that, too, it stays where it is */
        if (!change_motion(bodies, body, motion, kept))
            kept = motion;
        tr2_body_quarantine(bodies, body);
    }
    tr2_solver_set_motion(world->solver, body, kept);
    bool left = false;
    for (uint32_t slot = tr2_shapes_newest(shapes, bodies->slot[body]); slot != TR_NONE;
         slot = shapes->older[shapes->pool.row[slot]])
        left = tr2_collide_enter_swept(world, shapes->pool.row[slot], kept) || left;
    return left;
}

/*
 * Bodies that cannot be passed through: static and kinematic ones
 */

/* Parameters of the stages. */
typedef struct stop_step {
    tr2_world *world;
    const driven_shapes *driven; /* null: no kinematic body has shapes */
    bool strayed;                /* one of these has left its box */
    atomic_bool left;            /* a shape has left its box in the broad phase */
} stop_step;

static driven_shapes list_driven(const tr2_world *world)
{
    const tr2_bodies *bodies = &world->bodies;
    const tr2_shapes *shapes = &world->shapes;
    driven_shapes out;
    out.count = 0;
    for (uint32_t body = 0; (body = tr2_bodies_awake(bodies, body)) < bodies->table.count && out.count <= DRIVEN_MOST;
         body++) {
        if (bodies->type[body] != TR_KINEMATIC)
            continue;
        for (uint32_t slot = tr2_shapes_newest(shapes, bodies->slot[body]); slot != TR_NONE && out.count <= DRIVEN_MOST;
             slot = shapes->older[shapes->pool.row[slot]]) {
            if (out.count < DRIVEN_MOST)
                out.of[out.count] = (driven_shape){slot, body, shapes->geometry[shapes->pool.row[slot]]};
            out.count++;
        }
    }
    return out;
}

/* whether a row is the body's newest fast shape, which represents the body */
static bool stands_for_body(const tr2_shapes *shapes, uint32_t row)
{
    uint32_t slot = tr2_shapes_newest(shapes, shapes->body[row].index - 1);
    while ((shapes->flags[shapes->pool.row[slot]] & TR2_SHAPE_FAST) == 0)
        slot = shapes->older[shapes->pool.row[slot]];
    return shapes->pool.row[slot] == row;
}

/* whether one of a body's fast shapes has one of some marks */
static bool is_beside(const tr2_world *world, uint32_t body, uint32_t marks)
{
    const tr2_shapes *shapes = &world->shapes;
    bool beside = false;
    for (uint32_t slot = tr2_shapes_newest(shapes, world->bodies.slot[body]); slot != TR_NONE && !beside;
         slot = shapes->older[shapes->pool.row[slot]]) {
        uint32_t flags = shapes->flags[shapes->pool.row[slot]];
        beside = (flags & TR2_SHAPE_FAST) != 0 && (flags & marks) != 0;
    }
    return beside;
}

/* Whether a body's fast shapes may have met one of a few driven ones on their path. */
static bool is_near_driven(const tr2_world *world, uint32_t body, const driven_shapes *driven)
{
    const tr2_bodies *bodies = &world->bodies;
    const tr2_shapes *shapes = &world->shapes;
    for (uint32_t slot = tr2_shapes_newest(shapes, bodies->slot[body]); slot != TR_NONE;
         slot = shapes->older[shapes->pool.row[slot]]) {
        uint32_t row = shapes->pool.row[slot];
        if ((shapes->flags[row] & TR2_SHAPE_FAST) == 0)
            continue;
        tr2_place_seen seen = {{0.0f, 0.0f}, 0.0f};
        double gone = 0.0;
        for (uint32_t i = 0; i < driven->count; i++) {
            const driven_shape *by = &driven->of[i];
            if (i == 0 || by->body != by[-1].body) {
                seen = tr2_see_from(bodies, body, shapes->geometry[row], by->body, world->settings.length_unit);
                gone = tr2_travel_bound(world, body, shapes->geometry[row], by->body);
            }
            if (!(tr2_clearance(&seen, by->geometry) > gone))
                return true;
        }
    }
    return false;
}

static void fast_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    stop_step *step = context;
    const tr2_shapes *shapes = &step->world->shapes;
    const tr_row_range rows = tr2_shapes_of_chunk(shapes, chunk, SHAPES_PER_CHUNK);
    const driven_shapes *driven = step->driven;
    for (uint32_t row = rows.first; (row = tr2_shapes_awake(shapes, row)) < rows.end; row++) {
        if ((shapes->flags[row] & TR2_SHAPE_FAST) == 0 || !stands_for_body(shapes, row))
            continue;
        uint32_t body = tr2_body_row(step->world, shapes->body[row]);
        bool by_driven = driven != NULL && (step->strayed || is_beside(step->world, body, TR2_SHAPE_BY_DRIVEN));
        if (by_driven && driven->count <= DRIVEN_MOST)
            by_driven = is_near_driven(step->world, body, driven);
        if (!by_driven && !is_beside(step->world, body, TR2_SHAPE_BY_FIXED))
            continue;
        /* bodies that stop others here are never moved back, so the order does not matter */
        tr2_bullet to = chase_body(step->world, body, false, driven);
        if (put_back(step->world, &to))
            atomic_store_explicit(&step->left, true, memory_order_relaxed);
    }
}

/* The motion of a kinematic body's shape; shapes that it may pass through are marked as fast. */
typedef struct sweeper {
    tr2_world *world;
    uint32_t body; /* row */
    const tr2_geometry *geometry;
    tr_dvec2 from;
    tr2_track track;
} sweeper;

static bool mark_one(void *context, uint32_t other)
{
    const sweeper *it = context;
    tr2_world *world = it->world;
    const tr2_bodies *bodies = &world->bodies;
    tr2_shapes *shapes = &world->shapes;
    uint32_t row = shapes->pool.row[other], body = tr2_body_row(world, shapes->body[row]);
    /* other kinematic bodies' workers may mark it concurrently */
    uint32_t flags = __atomic_load_n(&shapes->flags[row], __ATOMIC_RELAXED);
    if (bodies->type[body] != TR_DYNAMIC || (bodies->flags[body] & TR_BODY_QUARANTINED) != 0 ||
        (flags & (TR2_SHAPE_UNFOLLOWED | TR2_SHAPE_FAST)) != 0)
        return true;
    const tr2_geometry *geometry = shapes->geometry[row];
    if (tr2_is_out_of_reach(bodies, body, geometry, it->body, it->geometry,
                            tr2_travel_bound(world, body, geometry, it->body), world->settings.length_unit))
        return true;
    tr2_track track = tr2_track_of(bodies, body, it->from, tr2_solver_motion(world->solver, body), true);
    if (tr2_is_fast(geometry, tr2_travel_against(bodies, body, geometry, &track, &it->track),
                    world->settings.length_unit))
        __atomic_fetch_or(&shapes->flags[row], TR2_SHAPE_FAST, __ATOMIC_RELAXED);
    return true;
}

/* marks slow shapes that kinematic bodies may have swept over */
static void mark_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const stop_step *step = context;
    tr2_world *world = step->world;
    const tr2_bodies *bodies = &world->bodies;
    const tr2_shapes *shapes = &world->shapes;
    const tr_row_range rows = tr2_shapes_of_chunk(shapes, chunk, SHAPES_PER_CHUNK);
    for (uint32_t row = rows.first; (row = tr2_shapes_awake(shapes, row)) < rows.end; row++) {
        uint32_t body = tr2_body_row(world, shapes->body[row]);
        uint32_t flags = __atomic_load_n(&shapes->flags[row], __ATOMIC_RELAXED);
        if (bodies->type[body] != TR_KINEMATIC || is_still(bodies, body) || (flags & TR2_SHAPE_SENSOR) != 0)
            continue;
        chase it = {.world = world, .body = body, .geometry = shapes->geometry[row]};
        tr2_motion motion = tr2_solver_motion(world->solver, body);
        if (!(tr2_collide_travel(bodies, body, it.geometry, motion) >
              TR2_FAST_LEAST * (double)world->settings.length_unit))
            continue;
        it.from = (tr_dvec2){bodies->center_x[body], bodies->center_y[body]};
        it.track = tr2_track_of(bodies, body, it.from, motion, true);
        sweeper sweeps = {world, body, it.geometry, it.from, it.track};
        tr2_box box = swept_box(&it);
        tr2_tree_query(&world->collision.broad.trees[1], &box, mark_one, &sweeps);
    }
}

static void run(tr2_world *world, tr_chunk_fn *chunk, uint32_t chunks, void *context)
{
    tr_team_run_stage(world->team, chunk, chunks, tr2_solver_last(world->solver)->threads, context);
}

void tr2_stop_fast(tr2_world *world, bool driven, bool swept, bool strayed)
{
    driven_shapes listed = {.count = 0};
    if (driven)
        listed = list_driven(world);
    stop_step step = {.world = world, .driven = driven ? &listed : NULL, .strayed = strayed};
    uint32_t chunks = tr2_chunks_of(tr2_shapes_awake_count(&world->shapes), SHAPES_PER_CHUNK);
    if (swept)
        run(world, mark_chunk, chunks, &step);
    run(world, fast_chunk, chunks, &step);
    /* there is room: the trees have no new proxies */
    if (atomic_load_explicit(&step.left, memory_order_relaxed))
        tr2_broad_update(&world->collision.broad);
}

/*
 * Bullets
 */
#define BULLETS_PER_CHUNK 16u

bool tr2_bullets_reserve(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    uint32_t count = world->bodies.bullets;
    return count == 0 ||
           (tr_grow(&world->memory, (void **)&it->bullets, &it->bullet_capacity, count, sizeof *it->bullets) &&
            tr_team_reserve(world->team, 1, tr2_chunks_of(count, BULLETS_PER_CHUNK)) == TR_OK);
}

static void bullet_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    tr2_world *world = context;
    tr2_collision *it = &world->collision;
    uint32_t first = chunk * BULLETS_PER_CHUNK;
    uint32_t end = tr2_chunk_end(it->bullet_count, first, BULLETS_PER_CHUNK);
    for (uint32_t i = first; i < end; i++)
        it->bullets[i] = chase_body(world, it->bullets[i].body, true, NULL);
}

void tr2_stop_bullets(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    const tr2_bodies *bodies = &world->bodies;
    const uint32_t both = TR_BODY_BULLET | TR_BODY_QUARANTINED;
    it->bullet_count = 0;
    for (uint32_t row = 0;
         (row = tr2_bodies_awake(bodies, row)) < bodies->table.count && it->bullet_count < bodies->bullets; row++) {
        if ((bodies->flags[row] & both) == TR_BODY_BULLET && bodies->type[row] == TR_DYNAMIC)
            it->bullets[it->bullet_count++].body = row;
    }
    run(world, bullet_chunk, tr2_chunks_of(it->bullet_count, BULLETS_PER_CHUNK), world);
    /* move all back at once: each was computed with the others at their unrestricted end positions */
    bool left = false;
    for (uint32_t i = 0; i < it->bullet_count; i++)
        left = put_back(world, &it->bullets[i]) || left;
    /* there is room: the trees have no new proxies */
    if (left)
        tr2_broad_update(&it->broad);
}
