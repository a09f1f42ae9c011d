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

/* With the normal and arms of that fraction of the step. The separations are those at the start, such that the motion up
   to that fraction leads to the separations found there. */
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

/* A disc, and what stands still ahead of it. */
typedef struct disc_ahead {
    const tr2_shape_place *disc, *still;
    bool disc_is_a;
    tr2_pose turn; /* of A's frame */
    tr_vec2 apart; /* m, from the middle of what stands still to the disc's */
    tr_vec2 speed; /* m/s, of the disc, seen from what stands still */
} disc_ahead;

/* the disc at the end of the step, without the margin; `out`: the normal from what stands still. False: they do not touch */
static bool touches_at_end(const disc_ahead *it, tr2_shape_pair *frames, float dt, tr_vec2 *out, float *separation)
{
    tr_vec2 way = tr_rotate_back(it->turn, tr_scale(it->disc_is_a ? -dt : dt, it->speed));
    frames->b_in_a.p = tr_add(frames->b_in_a.p, way);
    tr2_manifold end = tr2_collide(frames->a, frames->b_in_a, frames->b, 0.0f);
    if (end.count == 0)
        return false;
    *out = tr_rotate(it->turn, it->disc_is_a ? tr_negative(end.normal) : end.normal);
    *separation = end.points[0].separation - dt * tr_dot(it->speed, *out);
    return true;
}

/*
 * The normal of a corner ahead is another one when a fast disc meets it: the present one would throw a disc that is about to
 * roll over a low step or into a slope. So the contact is that of the impact, at which |d + u t| is the radius; d points from
 * the corner to the disc's centre, u is the disc's velocity. If they do not meet, it is that of the end of the step, if there
 * is one.
 */
static void meet_corner(const disc_ahead *it, tr2_shape_pair *frames, float dt, tr2_manifold *found)
{
    tr_vec2 normal = tr_rotate(it->turn, it->disc_is_a ? tr_negative(found->normal) : found->normal), u = it->speed;
    const float radius = it->disc->geometry->radius + it->still->geometry->radius, gap = found->points[0].separation;
    /* u u t^2 + 2 d u t + d d - radius^2 = 0, the earlier one */
    tr_vec2 d = tr_scale(radius + gap, normal), met;
    float along = tr_dot(d, u), excess = gap * (2.0f * radius + gap), root = along * along - tr_dot(u, u) * excess;
    float time = along < 0.0f && root > 0.0f ? excess / (sqrtf(root) - along) : dt, separation;
    if (time < dt) {
        met = tr_scale(1.0f / radius, tr_along(d, time, u));
        separation = -time * tr_dot(u, met);
    } else if (!touches_at_end(it, frames, dt, &met, &separation)) {
        found->count = 0;
        return;
    }
    /* the disc's point that meets it, where it is now */
    tr_vec2 own = tr_rotate_back(it->turn, met), center = it->disc->geometry->center;
    if (!it->disc_is_a)
        center = tr_add(it->still->geometry->center, tr_rotate_back(it->turn, it->apart));
    found->normal = it->disc_is_a ? tr_negative(own) : own;
    found->points[0].separation = separation;
    found->points[0].point = tr_along(center, -it->disc->geometry->radius, own);
}

bool tr2_meet_corner(const tr2_collision *collision, const tr2_pair *pair, tr2_shape_pair *frames, float way, float dt,
                     tr2_manifold *found)
{
    const tr2_shape_place *a = &collision->places[pair->a], *b = &collision->places[pair->b];
    bool still_b = (pair->flags & TR2_PAIR_STILL_B) != 0;
    disc_ahead it = {.disc_is_a = still_b, .turn = {{0.0f, 0.0f}, a->c, a->s}};
    it.disc = still_b ? a : b;
    it.still = still_b ? b : a;
    float gap = found->points[0].separation;
    if ((pair->flags & (TR2_PAIR_STILL | TR2_PAIR_SENSOR)) != TR2_PAIR_STILL || found->count != 1 ||
        it.disc->geometry->kind != TR2_GEOMETRY_CIRCLE || it.still->geometry->kind == TR2_GEOMETRY_CHAIN ||
        !(gap > 0.0f && way > gap && way > MOTION_LEAST))
        return false;
    tr_vec2 normal = tr_rotate(it.turn, still_b ? tr_negative(found->normal) : found->normal);
    if (tr2_edge_along(it.still, normal, TR2_EXACT_SINE) != TR_NONE)
        return false;
    it.apart = (tr_vec2){(float)(it.disc->at.x - it.still->at.x), (float)(it.disc->at.y - it.still->at.y)};
    it.speed = (tr_vec2){it.disc->at.velocity_x - (it.still->at.velocity_x - it.still->at.spin * it.apart.y),
                         it.disc->at.velocity_y - (it.still->at.velocity_y + it.still->at.spin * it.apart.x)};
    meet_corner(&it, frames, dt, found);
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
