/*
 * Positions of shapes for queries between steps: the broad phase's trees always contain every shape. An edit enters a
 * shape at once. After a step, shapes that have left their boxes are entered again, and those that may have passed
 * through something are moved back.
 */
#include <math.h>
#include <stdatomic.h>

#include "base/arithmetic.h"
#include "parallel/topology.h"
#include "world/collision/collision_internal.h"
#include "world/collision/continuous.h"
#include "world/core/body.h"
#include "world/queries/track.h"

#define SHAPES_PER_CHUNK 256u

/* a shape wakes the body that it comes to */
static bool stays_fixed(const tr2_bodies *bodies, uint32_t body)
{
    return bodies->type[body] == TR_STATIC && !tr2_body_is_dynamic(bodies, body);
}

bool tr2_collide_reserve(tr2_world *world, uint32_t first_row, uint32_t count)
{
    uint32_t fixed = 0;
    for (uint32_t row = first_row; row < first_row + count; row++)
        fixed += stays_fixed(&world->bodies, tr2_body_row(world, world->shapes.body[row]));
    return tr2_broad_reserve_leaves(&world->collision.broad, fixed, count - fixed);
}

void tr2_collide_enter(tr2_world *world, uint32_t row)
{
    const tr2_shapes *shapes = &world->shapes;
    tr2_broad *broad = &world->collision.broad;
    uint32_t slot = shapes->id[row].index - 1, body = tr2_body_row(world, shapes->body[row]);
    tr2_box box = tr2_collide_box(&world->bodies, body, shapes->geometry[row]);
    tr2_box_widen(&box, tr2_speculative(world) + tr2_collide_margin(world, shapes->geometry[row]));
    tr2_broad_set(broad, slot, world->bodies.type[body] != TR_STATIC, &box);
    tr2_broad_show(broad, slot);
}

/*
 * After a step
 */
typedef struct follow_step {
    tr2_world *world;
    /* whether some shape has left its box, may have passed through something, belongs to a kinematic body, or to a
       fast one of these, or to one and has left its box */
    atomic_bool left, fast, driven, swept, strayed;
} follow_step;

/* Whether a body may be moved back, or others must find it along its motion, as with kinematic bodies; if it has
   several shapes, any of them may be the fast one. */
static bool needs_swept_box(const tr2_world *world, uint32_t row, bool fast, bool driven)
{
    const tr2_shapes *shapes = &world->shapes;
    return fast || driven || world->bodies.bullets > 0 || shapes->older[row] != TR_NONE ||
           shapes->newer[row] != TR_NONE;
}

/* a box around the former and the current position of a shape */
static tr2_box swept_box(tr2_box box, double swing, tr2_motion motion)
{
    box.lower_x -= motion.x > 0.0f ? (double)motion.x : 0.0;
    box.lower_y -= motion.y > 0.0f ? (double)motion.y : 0.0;
    box.upper_x -= motion.x < 0.0f ? (double)motion.x : 0.0;
    box.upper_y -= motion.y < 0.0f ? (double)motion.y : 0.0;
    tr2_box_widen(&box, swing);
    return box;
}

bool tr2_collide_enter_swept(tr2_world *world, uint32_t row, tr2_motion motion)
{
    const tr2_shapes *shapes = &world->shapes;
    const tr2_bodies *bodies = &world->bodies;
    uint32_t slot = shapes->id[row].index - 1, body = tr2_body_row(world, shapes->body[row]);
    tr2_box box = tr2_collide_box(bodies, body, shapes->geometry[row]);
    if (tr2_box_contains(&world->collision.broad.boxes[slot], &box))
        return false;
    double swing = tr2_swing(bodies, body, shapes->geometry[row], fabs((double)motion.turn));
    box = swept_box(box, swing, motion);
    tr2_box_widen(&box, tr2_speculative(world) + tr2_collide_margin(world, shapes->geometry[row]));
    tr2_broad_move(&world->collision.broad, slot, &box);
    return true;
}

/* Whether a shape's box surely still contains it: the bounding box from the start of the step, moved along, with room
   for the rotation and rounding errors. */
static bool stays(const tr2_mover *at, tr2_motion motion, double swing, const tr2_box *box)
{
    float size = at->extent + fabsf(at->arm_x) + fabsf(at->arm_y) + fabsf(motion.x) + fabsf(motion.y);
    double room = swing + 1e-6 * (double)size;
    double half_x = (double)at->half_x + room, half_y = (double)at->half_y + room;
    double x = at->x + (double)motion.x, y = at->y + (double)motion.y;
    tr2_box moved = {x - half_x, y - half_y, x + half_x, y + half_y};
    return tr2_box_contains(box, &moved);
}

static void follow_shape(follow_step *step, uint32_t row)
{
    tr2_world *world = step->world;
    tr2_shapes *shapes = &world->shapes;
    const tr2_bodies *bodies = &world->bodies;
    tr2_broad *broad = &world->collision.broad;
    uint32_t slot = shapes->id[row].index - 1;
    if (TR2_PROXY_KIND(broad->states[slot]) == TR2_PROXY_FIXED)
        return;
    uint32_t body = tr2_body_row(world, shapes->body[row]);
    const tr2_geometry *geometry = shapes->geometry[row];
    tr2_motion motion = tr2_solver_motion(world->solver, body);
    double x = (double)motion.x, y = (double)motion.y;
    double swing = tr2_swing(bodies, body, geometry, fabs((double)motion.turn));
    double travel = sqrt(x * x + y * y) + swing;
    const float unit = world->settings.length_unit;
    bool follows = bodies->type[body] == TR_DYNAMIC && (bodies->flags[body] & TR_BODY_QUARANTINED) == 0 &&
                   (shapes->flags[row] & TR2_SHAPE_UNFOLLOWED) == 0;
    bool fast = follows && (tr2_is_fast(geometry, travel, unit) || (shapes->flags[row] & TR2_SHAPE_DEEP) != 0);
    if (fast != ((shapes->flags[row] & TR2_SHAPE_FAST) != 0))
        shapes->flags[row] ^= TR2_SHAPE_FAST;
    if (fast)
        atomic_store_explicit(&step->fast, true, memory_order_relaxed);
    bool driven = bodies->type[body] == TR_KINEMATIC;
    if (driven)
        atomic_store_explicit(&step->driven, true, memory_order_relaxed);
    if (driven && travel > TR2_FAST_LEAST * (double)unit)
        atomic_store_explicit(&step->swept, true, memory_order_relaxed);
    /* the box from the start of the step has this much room in every direction */
    if (travel <= tr2_speculative(world))
        return;
    /* rotation does not change it, so it moves in a straight line */
    bool disc = geometry->kind == TR2_GEOMETRY_CIRCLE && !(swing > 0.0);
    if (!disc && stays(&world->collision.places[slot].at, motion, swing, &broad->boxes[slot]))
        return;
    tr2_box box = tr2_collide_box(bodies, body, geometry);
    bool inside = tr2_box_contains(&broad->boxes[slot], &box);
    /* it may have met what its box did not overlap; a disc has been inside all the time if it is now */
    if (!(inside && disc))
        shapes->flags[row] |= TR2_SHAPE_BY_FIXED | TR2_SHAPE_BY_DRIVEN;
    if (driven && !(inside && disc))
        atomic_store_explicit(&step->strayed, true, memory_order_relaxed);
    if (inside)
        return;
    /* room for the next steps, too, up to eight, so that the shape need not be entered again */
    if (needs_swept_box(world, row, fast, driven))
        box = swept_box(box, swing, motion);
    tr2_box_widen(&box, tr2_speculative(world) + swing);
    tr2_collide_foresee(world, &box, geometry, x, y);
    tr2_broad_move(broad, slot, &box);
    atomic_store_explicit(&step->left, true, memory_order_relaxed);
}

static void follow_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    follow_step *step = context;
    const tr_row_range rows = tr2_shapes_of_chunk(&step->world->shapes, chunk, SHAPES_PER_CHUNK);
    for (uint32_t row = rows.first; (row = tr2_shapes_awake(&step->world->shapes, row)) < rows.end; row++)
        follow_shape(step, row);
}

/* a separate function, so that the compiler moves no arithmetic to where the application's rounding mode is active */
static __attribute__((noinline)) void follow_plainly(tr2_world *world)
{
    follow_step step = {.world = world};
    uint32_t chunks = tr2_chunks_of(tr2_shapes_awake_count(&world->shapes), SHAPES_PER_CHUNK);
    tr_team_run_stage(world->team, follow_chunk, chunks, tr2_solver_last(world->solver)->threads, &step);
    /* there is room: the step has already processed all shapes */
    if (atomic_load_explicit(&step.left, memory_order_relaxed))
        tr2_broad_update(&world->collision.broad);
    bool driven = atomic_load_explicit(&step.driven, memory_order_relaxed);
    bool swept = atomic_load_explicit(&step.swept, memory_order_relaxed);
    if (swept || atomic_load_explicit(&step.fast, memory_order_relaxed))
        tr2_stop_fast(world, driven, swept, atomic_load_explicit(&step.strayed, memory_order_relaxed));
    if (world->bodies.bullets > 0)
        tr2_stop_bullets(world);
}

void tr2_collide_follow(tr2_world *world)
{
    if (world->shapes.table.count == 0)
        return;
    double begin = tr_clock_seconds();
    tr_arithmetic before = tr_arithmetic_plain();
    follow_plainly(world);
    tr_arithmetic_restore(&before);
    world->collision.seconds[TR2_COLLIDE_BROAD] += tr_clock_seconds() - begin;
}
