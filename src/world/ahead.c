/* Computes contacts from poses later in the step, expressed at its start. */
#include "world/ahead.h"

#include <math.h>
#include <string.h>

#include "collide/vector.h"
#include "world/body.h"
#include "world/collision_internal.h"
#include "world/way.h"

/* m; deviation of a contact's separation from a straight line in a step, above which it pays to look ahead */
#define BENT_LEAST 0.0005f

/* change of the separation of two bodies' points along a normal over the entire step, by their arms */
static float parting(const tr2_meeting *it, tr_vec2 arm_a, tr_vec2 arm_b, tr_vec2 normal)
{
    const tr2_motion *a = &it->way_a.motion, *b = &it->way_b.motion;
    tr_vec2 to_a = tr_along((tr_vec2){a->x, a->y}, a->turn, tr_left(arm_a));
    tr_vec2 to_b = tr_along((tr_vec2){b->x, b->y}, b->turn, tr_left(arm_b));
    return tr_dot(normal, tr_sub(to_b, to_a));
}

/* the second body's motion, displaced */
static tr2_track aside_of(const tr2_meeting *it)
{
    tr2_track out = it->way_b;
    out.start = tr_add(out.start, it->aside);
    return out;
}

/* how the shapes stand at that fraction of the step */
static tr2_shape_pair stand(tr2_meeting *it, float margin)
{
    tr2_track way_b = aside_of(it);
    tr2_transform frame_a = tr2_track_at(&it->way_a, it->part), frame_b = tr2_track_at(&way_b, it->part);
    it->c = frame_a.c;
    it->s = frame_a.s;
    return (tr2_shape_pair){it->shape_a, it->shape_b, tr2_pose_between(&frame_a, &frame_b), margin};
}

/* With the normal and arms of that fraction of the step. The separations are those at the start, such that the motion
   up to that fraction leads to the separations found there. */
bool tr2_meeting_places(const tr2_meeting *it, const tr2_manifold *then, tr2_contact_places *out)
{
    if (then->count == 0)
        return false;
    tr2_track way_b = aside_of(it);
    tr2_pose turn = {{0.0f, 0.0f}, it->c, it->s};
    tr_vec2 first = tr_sub(then->points[0].point, it->way_a.center);
    tr_vec2 center_a = tr2_track_rest(&it->way_a, it->part).start, center_b = tr2_track_rest(&way_b, it->part).start;
    memset(out, 0, sizeof *out);
    out->ahead = true;
    out->normal = tr_rotate(turn, then->normal);
    out->arm_a = tr_rotate(turn, first);
    out->arm_b = tr_sub(out->arm_a, tr_sub(center_b, center_a));
    out->point_count = then->count;
    if (then->count == 2)
        out->second = tr_rotate(turn, tr_sub(then->points[1].point, then->points[0].point));
    for (uint32_t i = 0; i < then->count; i++) {
        tr_vec2 more = i > 0 ? out->second : (tr_vec2){0.0f, 0.0f};
        float gone = it->part * parting(it, tr_add(out->arm_a, more), tr_add(out->arm_b, more), out->normal);
        out->separation[i] = then->points[i].separation - gone - tr_dot(it->aside, out->normal);
        out->point_id[i] = then->points[i].id;
    }
    return true;
}

static tr2_motion motion_of(const tr2_bodies *bodies, uint32_t body, float dt)
{
    return (tr2_motion){dt * bodies->velocity_x[body], dt * bodies->velocity_y[body],
                        dt * bodies->angular_velocity[body]};
}

/* only for bodies that must not be passed through, because looking ahead is expensive */
static bool is_wall(const tr2_bodies *bodies, uint32_t body)
{
    return bodies->type[body] != TR_DYNAMIC || (bodies->flags[body] & TR2_BODY_BULLET) != 0;
}

/* table rows of the bodies of two shapes */
static void bodies_of(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, uint32_t *a, uint32_t *b)
{
    const tr2_shapes *shapes = &world->shapes;
    *a = tr2_body_row(world, shapes->body[shapes->pool.row[slot_a]]);
    *b = tr2_body_row(world, shapes->body[shapes->pool.row[slot_b]]);
}

/* two shapes at the start of the step, moving with their current velocities */
static tr2_meeting meeting_of(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, float dt)
{
    const tr2_shapes *shapes = &world->shapes;
    const tr2_bodies *bodies = &world->bodies;
    uint32_t a, b;
    bodies_of(world, slot_a, slot_b, &a, &b);
    tr_dvec2 from = {bodies->center_x[a], bodies->center_y[a]};
    return (tr2_meeting){.shape_a = shapes->geometry[shapes->pool.row[slot_a]],
                         .shape_b = shapes->geometry[shapes->pool.row[slot_b]],
                         .way_a = tr2_track_of(bodies, a, from, motion_of(bodies, a, dt), false),
                         .way_b = tr2_track_of(bodies, b, from, motion_of(bodies, b, dt), false)};
}

bool tr2_meet_ahead(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, double dt, tr2_contact_places *out)
{
    uint32_t a, b;
    bodies_of(world, slot_a, slot_b, &a, &b);
    if (!is_wall(&world->bodies, a) && !is_wall(&world->bodies, b))
        return false;
    tr2_meeting it = meeting_of(world, slot_a, slot_b, (float)dt);
    if (!tr2_comes_at(it.shape_a, &it.way_a, it.shape_b, &it.way_b) ||
        !tr2_comes_at(it.shape_b, &it.way_b, it.shape_a, &it.way_a))
        return false;
    tr2_geometry disc_a, disc_b;
    if (tr2_is_blurred(it.shape_a, &it.way_a)) {
        disc_a = tr2_disc_of(it.shape_a, it.way_a.center);
        it.shape_a = &disc_a;
    }
    if (tr2_is_blurred(it.shape_b, &it.way_b)) {
        disc_b = tr2_disc_of(it.shape_b, it.way_b.center);
        it.shape_b = &disc_b;
    }
    tr2_impact impact = tr2_first_impact(it.shape_a, &it.way_a, it.shape_b, &it.way_b);
    if (impact.state != TR2_IMPACT_HIT)
        return false;

    /* the contact at the impact, with its distance from now */
    it.part = impact.time;
    tr2_shape_pair pair = stand(&it, (float)TR2_SPECULATIVE);
    tr2_manifold then = tr2_collide(pair.a, pair.b_in_a, pair.b, pair.margin);
    return tr2_meeting_places(&it, &then, out);
}

/*
 * Discs and corners
 */

/* m; with less motion in a step the normal of a corner hardly changes before it is met */
#define MOTION_LEAST 0.01f
/* Steps. Relaxing passes also slow down what would meet in the sub-step after the last one, which may be as long as the
   step. */
#define STEPS_RELAXED 2.0f

/* m/s, velocity of B's centre as seen from A, where one of them stands still; in A's frame */
static tr_vec2 speed_of(const tr2_shape_place *a, const tr2_shape_place *b, bool still_b)
{
    const tr2_mover *disc = still_b ? &a->at : &b->at, *still = still_b ? &b->at : &a->at;
    float x = (float)(disc->x - still->x), y = (float)(disc->y - still->y);
    tr_vec2 speed = {disc->velocity_x - (still->velocity_x - still->spin * y),
                     disc->velocity_y - (still->velocity_y + still->spin * x)};
    return tr_rotate_back(tr2_place_turn(a), still_b ? tr_negative(speed) : speed);
}

/*
 * The normal of a corner ahead changes until a fast disc meets it: the present one would throw a disc that is about to
 * roll over a low step or into a slope. Also, the disc may land on a face beside the corner. So the contact is that of
 * the impact, expressed at the start of the step. Without an impact in the step there is none: a contact with the next
 * step's impact would already slow the disc down in this one. `way`: B's, in A's frame.
 */
static void meet_corner(const tr2_shape_pair *now, bool disc_is_a, tr_vec2 way, tr2_manifold *found)
{
    tr2_cast_result cast = tr2_geometry_shape_cast(now->a, now->b_in_a, now->b, way);
    tr2_pose then = {tr_along(now->b_in_a.p, cast.fraction, way), now->b_in_a.c, now->b_in_a.s};
    tr2_manifold impact = {.count = 0};
    if (cast.hit)
        impact = tr2_collide(now->a, then, now->b, (float)TR2_SPECULATIVE);
    *found = impact;
    if (impact.count == 0)
        return;
    found->points[0].separation -= cast.fraction * tr_dot(way, impact.normal);
    /* the disc's point that meets the other shape, where it is now */
    const tr2_geometry *a = now->a, *b = now->b;
    if (disc_is_a)
        found->points[0].point = tr_along(a->center, a->radius, impact.normal);
    else
        found->points[0].point = tr_along(tr_to_outer(now->b_in_a, b->center), -b->radius, impact.normal);
}

bool tr2_meet_corner(const tr2_collision *collision, const tr2_pair *pair, const tr2_shape_pair *frames, float way,
                     float dt, tr2_manifold *found)
{
    const tr2_shape_place *a = &collision->places[pair->a], *b = &collision->places[pair->b];
    bool still_b = (pair->flags & TR2_PAIR_STILL_B) != 0;
    const tr2_shape_place *disc = still_b ? a : b, *still = still_b ? b : a;
    float gap = found->points[0].separation;
    if ((pair->flags & (TR2_PAIR_STILL | TR2_PAIR_SENSOR)) != TR2_PAIR_STILL || found->count != 1 ||
        disc->geometry->kind != TR2_GEOMETRY_CIRCLE || still->geometry->kind == TR2_GEOMETRY_CHAIN ||
        !(gap > 0.0f && STEPS_RELAXED * way > gap && way > MOTION_LEAST))
        return false;
    tr_vec2 normal = tr_rotate(tr2_place_turn(a), still_b ? tr_negative(found->normal) : found->normal);
    if (tr2_edge_along(still, normal, TR2_EXACT_SINE) != TR_NONE)
        return false;
    meet_corner(frames, still_b, tr_scale(dt, speed_of(a, b, still_b)), found);
    return true;
}

/*
 * Rotation
 */

/* Upper bound of half the second derivative of a point's separation over a step: the normal may rotate with either
   body, and the cores rotate about their bodies' centres. */
static float bend(const tr2_meeting *it, tr_vec2 arm_a, tr_vec2 arm_b, tr_vec2 normal)
{
    const tr2_motion *a = &it->way_a.motion, *b = &it->way_b.motion;
    float core_a = tr_dot(normal, arm_a) - it->shape_a->radius, core_b = tr_dot(normal, arm_b) + it->shape_b->radius;
    float slide = parting(it, arm_a, arm_b, tr_left(normal)), turn = tr_most(fabsf(a->turn), fabsf(b->turn));
    return 0.5f * (a->turn * a->turn * fabsf(core_a) + b->turn * b->turn * fabsf(core_b)) + turn * fabsf(slide);
}

bool tr2_touch_turning(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, const tr2_manifold *now, double dt,
                       tr2_meeting *out, tr2_shape_pair *pair)
{
    const tr2_bodies *bodies = &world->bodies;
    uint32_t a, b;
    bodies_of(world, slot_a, slot_b, &a, &b);
    float turn = (float)dt * tr_most(fabsf(bodies->angular_velocity[a]), fabsf(bodies->angular_velocity[b]));
    /* after a larger rotation, the contact is somewhere else */
    if (!(turn > TR2_TURN_LEAST && turn < 1.0f))
        return false;
    tr2_meeting it = meeting_of(world, slot_a, slot_b, (float)dt);
    tr2_pose frame = {{0.0f, 0.0f}, bodies->c[a], bodies->s[a]};
    tr_vec2 normal = tr_rotate(frame, now->normal);
    tr_vec2 arm_a = tr_rotate(frame, tr_sub(now->points[0].point, it.way_a.center));
    tr_vec2 arm_b = tr_sub(arm_a, tr_sub(it.way_b.start, it.way_a.start));
    if (!(bend(&it, arm_a, arm_b, normal) > BENT_LEAST))
        return false;
    /* the contact halfway, but at the present distance along the normal: the solver determines how far the bodies
       approach */
    it.part = 0.5f;
    it.aside = tr_scale(-0.5f * parting(&it, arm_a, arm_b, normal), normal);
    float far = now->points[0].separation;
    if (now->count == 2)
        far = tr_most(far, now->points[1].separation);
    *pair = stand(&it, tr_most(far, 0.0f) + (float)TR2_SPECULATIVE);
    *out = it;
    return true;
}
