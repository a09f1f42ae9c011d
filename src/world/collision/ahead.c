/* Computes contacts from poses later in the step, expressed at its start. */
#include "world/collision/ahead.h"

#include <math.h>
#include <string.h>

#include "collide/geometry/vector.h"
#include "world/collision/collision_internal.h"
#include "world/core/body.h"
#include "world/queries/track.h"

/* units; deviation of a contact's separation from a straight line in a step, above which it pays to look ahead */
#define BENT_LEAST 0.0005f

/* The part of a step after which a shape that rolls on a round one is looked at. Halfway is as exact for what turns at
   a constant rate; but the weight brings back what rolls. From 1/2 to 3/4 of the step, that takes a little from
   what rocks many times per second, and next to nothing from what rocks slowly; before, it would add to it. */
#define ROLL_PART 0.75f

/* change of the separation of two bodies' points along a normal over the entire step, by their arms */
static float parting(const tr2_meeting *it, tr_vec2 arm_a, tr_vec2 arm_b, tr_vec2 normal)
{
    const tr2_motion *a = &it->track_a.motion, *b = &it->track_b.motion;
    tr_vec2 to_a = tr_along((tr_vec2){a->x, a->y}, a->turn, tr_left(arm_a));
    tr_vec2 to_b = tr_along((tr_vec2){b->x, b->y}, b->turn, tr_left(arm_b));
    return tr_dot(normal, tr_sub(to_b, to_a));
}

/* the second body's motion, displaced */
static tr2_track aside_of(const tr2_meeting *it)
{
    tr2_track out = it->track_b;
    out.start = tr_add(out.start, it->aside);
    return out;
}

/* how the shapes stand at that fraction of the step */
static tr2_shape_pair stand(tr2_meeting *it, float margin)
{
    tr2_track track_b = aside_of(it);
    tr2_transform frame_a = tr2_track_at(&it->track_a, it->part), frame_b = tr2_track_at(&track_b, it->part);
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
    tr2_track track_b = aside_of(it);
    tr2_pose turn = tr_turn_pose(it->c, it->s);
    tr_vec2 first = tr_sub(then->points[0].point, it->track_a.center);
    tr_vec2 center_a = tr2_track_rest(&it->track_a, it->part).start,
            center_b = tr2_track_rest(&track_b, it->part).start;
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
    return !tr2_body_is_dynamic(bodies, body) || (bodies->flags[body] & TR_BODY_BULLET) != 0;
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
                         .track_a = tr2_track_of(bodies, a, from, motion_of(bodies, a, dt), false),
                         .track_b = tr2_track_of(bodies, b, from, motion_of(bodies, b, dt), false)};
}

bool tr2_meet_ahead(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, double dt, tr2_contact_places *out)
{
    uint32_t a, b;
    bodies_of(world, slot_a, slot_b, &a, &b);
    if (!is_wall(&world->bodies, a) && !is_wall(&world->bodies, b))
        return false;
    const float unit = world->settings.length_unit;
    tr2_meeting it = meeting_of(world, slot_a, slot_b, (float)dt);
    /* of chains that move, or meet lines, the impact tells which side is met */
    bool late_a = tr2_body_is_dynamic(&world->bodies, a) || tr2_is_line(it.shape_b);
    bool late_b = tr2_body_is_dynamic(&world->bodies, b) || tr2_is_line(it.shape_a);
    if ((!late_a && !tr2_comes_at(it.shape_a, &it.track_a, it.shape_b, &it.track_b)) ||
        (!late_b && !tr2_comes_at(it.shape_b, &it.track_b, it.shape_a, &it.track_a)))
        return false;
    tr2_geometry disc_a, disc_b;
    if (tr2_is_blurred(it.shape_a, &it.track_a)) {
        disc_a = tr2_disc_of(it.shape_a, it.track_a.center);
        it.shape_a = &disc_a;
    }
    if (tr2_is_blurred(it.shape_b, &it.track_b)) {
        disc_b = tr2_disc_of(it.shape_b, it.track_b.center);
        it.shape_b = &disc_b;
    }
    tr2_motion_impact impact =
        tr2_first_impact(it.shape_a, &it.track_a, it.shape_b, &it.track_b, TR2_MEET * unit, unit);
    if (impact.state != TR2_IMPACT_HIT ||
        (late_a && !tr2_meets_front(it.shape_a, &it.track_a, impact.time, impact.normal)) ||
        (late_b && !tr2_meets_front(it.shape_b, &it.track_b, impact.time, tr_negative(impact.normal))))
        return false;

    /* the contact at the impact, with its distance from now */
    it.part = impact.time;
    tr2_shape_pair pair = stand(&it, (float)tr2_speculative(world));
    tr2_manifold then = tr2_collide_solid(pair.a, pair.b_in_a, pair.b, pair.margin, unit);
    return tr2_meeting_places(&it, &then, out);
}

/*
 * Passing by
 */

/* two points are still those of a contact after a motion by less than this share of their distance */
#define FACE_SHARE 0.1f
/* cosine, 1 degree: a contact has kept its normal */
#define SAME_COSINE 0.99985f
/* sine, half a degree: less closing than that in a motion is none */
#define GRAZING_SINE 0.01f
/* units; with more deviation by rotation, the impact of a straight motion is not the true one */
#define BENT_MOST 0.001f

/* units; shapes that are nearer touch: casts know distances only up to rounding at the shapes' size */
#define APART_LEAST 0.0001f
/* units; the same for shapes that turn, with the tolerance of a time of impact, so that what is apart begins apart */
#define TURNING_MEET (0.5f * APART_LEAST)
/* of the smaller extent; shapes that turn are followed if their points move by more than this in a step. By trials:
   with 0.4 crates of 10 to 20 m/s bounce off air less, but rains of ragdolls take 6 % longer. */
#define FAST_SHARE 0.8f

/* The motion of B in a step, as seen from A and in its frame; and how far it may deviate from that by rotation. */
typedef struct straight_motion {
    tr_vec2 translation;
    float curve; /* m; of the path, because the larger shape turns */
    float bent;  /* m; that, and by how far both turn about the smaller one's centre */
    bool turns;  /* they turn, and are fast */
    float unit;  /* m, the world's length unit */
} straight_motion;

/* at the centre of the smaller shape, where rotation matters least */
static straight_motion motion_between(const tr2_shape_place *a, const tr2_shape_place *b, float dt, float unit)
{
    bool a_small = a->at.extent <= b->at.extent;
    const tr2_mover *small = a_small ? &a->at : &b->at, *large = a_small ? &b->at : &a->at;
    tr_vec2 from = {(float)(small->x - large->x), (float)(small->y - large->y)};
    tr_vec2 speed = {small->velocity_x - (large->velocity_x - large->spin * from.y),
                     small->velocity_y - (large->velocity_y + large->spin * from.x)};
    float turn = fabsf(dt * large->spin);
    /* by the accelerations of Coriolis, 2 w v, and of the centrifugal force, w^2 r */
    float curve = turn * (dt * tr_length(speed) + 0.5f * turn * tr_length(from));
    float bent = dt * fabsf(large->spin - small->spin) * small->extent + curve;
    bool turns = bent > BENT_MOST * unit && dt * tr_length(speed) + bent > FAST_SHARE * small->extent &&
                 dt * tr_max(fabsf(small->spin), fabsf(large->spin)) < TR2_BLURRED_TURN;
    return (straight_motion){tr_rotate_back(tr2_place_turn(a), tr_scale(a_small ? -dt : dt, speed)), curve, bent, turns,
                             unit};
}

/* Whether and when the shapes meet, in steps. Chain segments count from both sides: whether a contact there is
   theirs is decided where they meet. */
static tr2_cast_result cast_between(const tr2_shape_pair *now, const straight_motion *it)
{
    tr2_geometry wide;
    tr2_shape_pair as = *now;
    const tr2_geometry **changed = now->a->kind == TR2_GEOMETRY_CHAIN ? &as.a : &as.b;
    float around = tr2_skin_of(now->a, now->b, it->unit) + (it->bent > BENT_MOST * it->unit ? it->bent : 0.0f);
    if ((*changed)->kind == TR2_GEOMETRY_CHAIN || around > 0.0f) {
        memcpy(&wide, *changed, tr2_geometry_size(*changed));
        wide.kind = wide.kind == TR2_GEOMETRY_CHAIN ? TR2_GEOMETRY_SEGMENT : wide.kind;
        wide.radius += around;
        *changed = &wide;
    }
    tr2_cast_result cast = tr2_geometry_shape_cast(as.a, as.b_in_a, as.b, tr_scale(TR2_STEPS_RELAXED, it->translation));
    cast.fraction *= TR2_STEPS_RELAXED;
    return cast;
}

/* The contact after that many steps, expressed at the start of this one. `share`: where its points are between the
   shapes, which are apart now; 0: on A, 1: on B. */
static tr2_manifold impact_after(const tr2_shape_pair *now, const straight_motion *it, float steps, float share)
{
    const tr_vec2 translation = it->translation;
    tr2_pose then = {tr_along(now->b_in_a.p, steps, translation), now->b_in_a.c, now->b_in_a.s};
    tr2_manifold impact =
        tr2_collide_solid(now->a, then, now->b, (float)(TR2_SPECULATIVE * (double)it->unit), it->unit);
    for (uint32_t i = 0; i < impact.count; i++) {
        impact.points[i].separation -= steps * tr_dot(translation, impact.normal);
        impact.points[i].point = tr_along(impact.points[i].point, -share * steps, translation);
    }
    return impact;
}

/* Whether shapes are apart, with room to move past each other. Those without a contact get one only where a corner of a
   chain may belong to another segment then. One branch, as what is near follows no pattern. */
static bool may_pass(const tr2_world *world, const tr2_shape_pair *now, const tr2_manifold *found)
{
    const float unit = world->settings.length_unit, apart = APART_LEAST * unit;
    bool wide = now->margin > (float)tr2_speculative(world) + TR2_ASIDE_LEAST * unit;
    if (now->a->kind == TR2_GEOMETRY_CHAIN || now->b->kind == TR2_GEOMETRY_CHAIN)
        return wide && tr2_least_separation(found) > apart;
    const tr2_manifold_point *last = &found->points[found->count == 2];
    return wide & (found->count > 0) & (tr_min(found->points[0].separation, last->separation) > apart);
}

/* whether bodies move so far along a contact before they meet that it may be another one then, or none */
static bool may_miss(const straight_motion *it, const tr2_manifold *found)
{
    if (found->count == 0)
        return tr_length(it->translation) > TR2_ASIDE_LEAST * it->unit;
    float closing = it->bent - tr_dot(it->translation, found->normal), gap = tr2_least_separation(found);
    float aside = fabsf(tr_cross(it->translation, found->normal)) + it->curve, least = TR2_ASIDE_LEAST * it->unit;
    /* most of two faces still face each other then */
    if (found->count == 2)
        least = tr_max(least, FACE_SHARE * tr_length(tr_sub(found->points[1].point, found->points[0].point)));
    /* what turns may close less than its bound, and so meet later */
    float sure = it->turns ? closing - 2.0f * it->bent : closing;
    return TR2_STEPS_RELAXED * closing > gap && aside > least && aside * gap > least * sure;
}

/* The velocity of a shape's point, in the frame of `frame`; `arm`: from the shape's centre, in that frame. */
static tr_vec2 velocity_at(const tr2_shape_place *it, const tr2_shape_place *frame, tr_vec2 arm)
{
    tr_vec2 speed = tr_rotate_back(tr2_place_turn(frame), (tr_vec2){it->at.velocity_x, it->at.velocity_y});
    return tr_along(speed, it->at.spin, tr_left(arm));
}

/* where a contact's points are if neither of two passing shapes stands still: on a circle, which turns under them */
static float passing_share(const tr2_shape_pair *now)
{
    return now->a->kind == TR2_GEOMETRY_CIRCLE ? 0.0f : now->b->kind == TR2_GEOMETRY_CIRCLE ? 1.0f : 0.5f;
}

/* how far a contact's point on two shapes that keep their velocities parts along the normal, m */
static float parting_at(const tr2_shape_place *a, const tr2_shape_place *b, const tr2_shape_pair *now, float dt,
                        tr_vec2 point, tr_vec2 normal)
{
    tr_vec2 speed_a = velocity_at(a, a, tr_sub(point, now->a->center));
    tr_vec2 speed_b = velocity_at(b, a, tr_sub(point, tr_to_outer(now->b_in_a, now->b->center)));
    return TR2_STEPS_RELAXED * dt * tr_dot(tr_sub(speed_b, speed_a), normal);
}

/* moves a contact apart by as much as two steps of a motion would close it */
static void move_apart(const tr2_shape_place *a, const tr2_shape_place *b, const tr2_shape_pair *now, float dt,
                       tr2_manifold *it)
{
    for (uint32_t i = 0; i < it->count; i++) {
        tr2_manifold_point *at = &it->points[i];
        at->separation = tr_max(at->separation, -parting_at(a, b, now, dt, at->point, it->normal));
    }
}

/* The same for shapes that pass each other, near their least distance: a contact that this motion does not touch, but
   others may push them together within the step. None if they are not near then, though they may be later. Its points
   may be on neither shape, where rotation would touch it: it is moved apart by that. */
static tr2_manifold passing_after(const tr2_shape_place *a, const tr2_shape_place *b, const tr2_shape_pair *now,
                                  const straight_motion *it, float dt, float steps, float share)
{
    tr2_manifold beside = impact_after(now, it, steps, share);
    float first = beside.count > 0 ? tr2_least_separation(&beside) : 0.0f;
    float last = first + TR2_STEPS_RELAXED * tr_dot(it->translation, beside.normal);
    if (!(first >= 0.0f && last >= 0.0f))
        beside.count = 0;
    move_apart(a, b, now, dt, &beside);
    return beside;
}

/* The same for shapes that turn: where they meet in this step, or are near each other in it. Where they meet, the
   points that they have left may be as far apart as in a contact of now: they hold the shapes in the rest of the
   step. */
static tr2_manifold turning_after(const tr2_world *world, tr2_pair *pair, const tr2_shape_pair *now, float dt)
{
    const float unit = world->settings.length_unit;
    tr2_meeting it = meeting_of(world, pair->a, pair->b, dt);
    tr2_motion_impact impact =
        tr2_first_impact(it.shape_a, &it.track_a, it.shape_b, &it.track_b, TURNING_MEET * unit, unit);
    bool meets = impact.state != TR2_IMPACT_NONE;
    it.part = meets ? impact.time : impact.near;
    tr2_shape_pair then = stand(&it, meets ? now->margin : (float)tr2_speculative(world));
    tr2_manifold found = tr2_collide_solid(then.a, then.b_in_a, then.b, then.margin, unit), none = {.count = 0};
    tr2_contact_places places;
    if (!tr2_meeting_places(&it, &found, &places))
        return none;
    /* they are apart now, whatever a straight way back to now says */
    for (uint32_t i = 0; i < found.count && meets; i++)
        places.separation[i] = tr_max(places.separation[i], 0.0f);
    for (uint32_t i = 0; i < found.count && !meets; i++) {
        if (places.separation[i] < 0.0f)
            return none;
        tr_vec2 more = i > 0 ? places.second : (tr_vec2){0.0f, 0.0f};
        float parts = parting(&it, tr_add(places.arm_a, more), tr_add(places.arm_b, more), places.normal);
        places.separation[i] = tr_max(places.separation[i], -TR2_STEPS_RELAXED * parts);
    }
    pair->flags |= TR2_PAIR_TURNS;
    pair->part = it.part;
    return tr2_manifold_ahead(world, pair, &places);
}

/* Where a contact's points are between two shapes that move along it: 0: on A, 1: on B. */
static float share_of(const tr2_pair *pair)
{
    return (pair->flags & TR2_PAIR_STILL) == 0 ? 0.5f : (pair->flags & TR2_PAIR_STILL_B) != 0 ? 0.0f : 1.0f;
}

/* tr2_meet_passing() for shapes that turn, whose straight motion is not exact enough. `later`: they do not meet in this
   step. Slow ones keep their contact: it pushes little, if at all. None loses it, as others may push them together. */
static bool meet_turning(const tr2_world *world, tr2_pair *pair, const tr2_shape_pair *now, float dt,
                         const straight_motion *it, bool later, tr2_manifold *found)
{
    const tr2_shape_place *a = &world->collision.places[pair->a], *b = &world->collision.places[pair->b];
    if (found->count == 0 || !it->turns)
        return false;
    tr2_manifold then = later ? (tr2_manifold){.count = 0} : turning_after(world, pair, now, dt);
    if (then.count > 0)
        *found = then;
    else
        move_apart(a, b, now, dt, found);
    return true;
}

/* a separate function: most pairs that are near have no room to pass, and need none of its registers */
static __attribute__((noinline)) bool meet_passing(const tr2_world *world, tr2_pair *pair, const tr2_shape_pair *now,
                                                   float dt, tr2_manifold *found)
{
    const tr2_shape_place *a = &world->collision.places[pair->a], *b = &world->collision.places[pair->b];
    straight_motion it = motion_between(a, b, dt, world->settings.length_unit);
    /* what presses shapes together that touch already is not in their motion */
    it.turns = it.turns && (pair->flags & TR2_PAIR_TOUCHING) == 0;
    if (!may_miss(&it, found))
        return false;
    /* wider by the inaccuracy, they may touch already: then a cast would hit at once */
    bool bent = it.bent > BENT_MOST * it.unit;
    if (bent && found->count > 0 && tr2_least_separation(found) < 0.99f * it.bent)
        return meet_turning(world, pair, now, dt, &it, false, found);
    tr2_cast_result cast = cast_between(now, &it);
    if (cast.hit && bent)
        return meet_turning(world, pair, now, dt, &it, cast.fraction > 1.0f, found);
    tr2_manifold impact = {.count = 0};
    bool still = (pair->flags & TR2_PAIR_STILL) != 0;
    if (cast.hit)
        impact = impact_after(now, &it, cast.fraction, share_of(pair));
    else if (found->count > 0)
        impact = passing_after(a, b, now, &it, dt, cast.fraction, still ? share_of(pair) : passing_share(now));
    if (impact.count == 0 && found->count == 0)
        return false;
    /* What meets in the next step has no contact now: it would be slowed down one step early, in a direction that may
       change until then. Neither has what is only grazed, as the next piece of a floor. */
    bool grazes = -tr_dot(it.translation, impact.normal) <= GRAZING_SINE * tr_length(it.translation);
    if (cast.hit && impact.count > 0 && (cast.fraction > 1.0f || grazes)) {
        if (found->count == 0 || tr_dot(found->normal, impact.normal) >= SAME_COSINE)
            return false;
        impact.count = 0;
    }
    *found = impact;
    return true;
}

bool tr2_meet_passing(const tr2_world *world, tr2_pair *pair, const tr2_shape_pair *now, float dt, tr2_manifold *found)
{
    return may_pass(world, now, found) && meet_passing(world, pair, now, dt, found);
}

/*
 * Rotation
 */

/* Upper bound of half the second derivative of a point's separation over a step: the normal may rotate with either
   body, and the cores rotate about their bodies' centres. */
static float bend(const tr2_meeting *it, tr_vec2 arm_a, tr_vec2 arm_b, tr_vec2 normal)
{
    const tr2_motion *a = &it->track_a.motion, *b = &it->track_b.motion;
    float core_a = tr_dot(normal, arm_a) - it->shape_a->radius, core_b = tr_dot(normal, arm_b) + it->shape_b->radius;
    float slide = parting(it, arm_a, arm_b, tr_left(normal)), turn = tr_max(fabsf(a->turn), fabsf(b->turn));
    return 0.5f * (a->turn * a->turn * fabsf(core_a) + b->turn * b->turn * fabsf(core_b)) + turn * fabsf(slide);
}

/* Whether one of the shapes rolls on the other, and is not thicker there than that is round: so is its body, then. */
static bool rolls(const tr2_meeting *it, tr_vec2 arm_a, tr_vec2 arm_b, tr_vec2 normal, float unit)
{
    const tr2_geometry *a = it->shape_a, *b = it->shape_b;
    return (tr2_may_roll(a, b, it->track_b.motion.turn, unit) && a->radius > -tr_dot(normal, arm_b)) ||
           (tr2_may_roll(b, a, it->track_a.motion.turn, unit) && b->radius > tr_dot(normal, arm_a));
}

bool tr2_touch_turning(const tr2_world *world, uint32_t slot_a, uint32_t slot_b, const tr2_manifold *now, double dt,
                       tr2_meeting *out, tr2_shape_pair *pair)
{
    const tr2_bodies *bodies = &world->bodies;
    uint32_t a, b;
    bodies_of(world, slot_a, slot_b, &a, &b);
    float turn = (float)dt * tr_max(fabsf(bodies->angular_velocity[a]), fabsf(bodies->angular_velocity[b]));
    /* after a larger rotation, the contact is somewhere else */
    if (!(turn < 1.0f))
        return false;
    const tr2_shapes *shapes = &world->shapes;
    /* halfway, lines that turn may have crossed, and then the nearer side may be the wrong one */
    const float unit = world->settings.length_unit;
    if (tr2_skin_of(shapes->geometry[shapes->pool.row[slot_a]], shapes->geometry[shapes->pool.row[slot_b]], unit) >
        0.0f)
        return false;
    tr2_meeting *it = out;
    *it = meeting_of(world, slot_a, slot_b, (float)dt);
    tr2_pose frame = tr_turn_pose(bodies->c[a], bodies->s[a]);
    tr_vec2 normal = tr_rotate(frame, now->normal);
    tr_vec2 arm_a = tr_rotate(frame, tr_sub(now->points[0].point, it->track_a.center));
    tr_vec2 arm_b = tr_sub(arm_a, tr_sub(it->track_b.start, it->track_a.start));
    bool bends = turn > TR2_TURN_LEAST && bend(it, arm_a, arm_b, normal) > BENT_LEAST * unit;
    bool rolling = now->count == 1 && rolls(it, arm_a, arm_b, normal, unit);
    if (!bends && !rolling)
        return false;
    /* the contact then, but at the present distance along the normal: the solver determines how far the bodies
       approach */
    it->part = rolling ? ROLL_PART : 0.5f;
    it->aside = tr_scale(-it->part * parting(it, arm_a, arm_b, normal), normal);
    float far = now->points[0].separation;
    if (now->count == 2)
        far = tr_max(far, now->points[1].separation);
    *pair = stand(it, tr_max(far, 0.0f) + (float)tr2_speculative(world));
    return true;
}
