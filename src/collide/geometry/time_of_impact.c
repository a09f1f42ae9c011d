/*
 * Time of impact by conservative advancement along separating axes.
 *
 * At time t the cores have the distance d along a normal n between their nearest points. Later, their distance is at
 * least the separation along this n: the least n.b over B's corners minus the greatest n.a over A's. A corner at r from
 * the centre of mass of a body with angular velocity w moves along n by f' dt, with an error of at most k dt^2 / 2,
 * where k = |r| (w^2 + |w'|). So the separation is bounded below by a concave function L of dt. As long as L exceeds
 * the target there is no impact, and its root is the next time to examine. Without rotation this is Newton's method on
 * a convex function. With rotation, steps are as long as the square root of the gap allows, not limited by the greatest
 * speed.
 */
#include "collide/geometry/core.h"

#include <float.h>

#define MOST_ROUNDS 64

tr2_pose tr2_sweep_pose(const tr2_sweep *sweep, float t)
{
    float u = 1.0f - t;
    float c = u * sweep->c0 + t * sweep->c1, s = u * sweep->s0 + t * sweep->s1;
    float length = sqrtf(c * c + s * s);
    tr2_pose pose = tr_turn_pose(sweep->c0, sweep->s0);
    if (length > 0.0f) {
        pose.c = c / length;
        pose.s = s / length;
    }
    tr_vec2 center = {u * sweep->start.x + t * sweep->end.x, u * sweep->start.y + t * sweep->end.y};
    pose.p = tr_sub(center, tr_rotate(pose, sweep->center));
    return pose;
}

/* A body's motion. With half the rotation angle h, the normalised rotation (1 - t) q0 + t q1 has the speed sin(2h) /
   (1 - 4 t (1 - t) sin(h)^2), at most 2 tan(h), which changes by at most 8 tan(h)^3. */
typedef struct motion {
    const tr2_geometry *geometry;
    const tr2_sweep *sweep;
    tr_vec2 velocity;   /* per step */
    float turn;         /* sin(2h), with sign */
    float square_sine;  /* of h */
    float acceleration; /* bound for a corner at distance 1 */
} motion;

static motion motion_of(const tr2_geometry *geometry, const tr2_sweep *sweep)
{
    motion made = {.geometry = geometry, .sweep = sweep, .velocity = tr_sub(sweep->end, sweep->start)};
    made.turn = sweep->c0 * sweep->s1 - sweep->s0 * sweep->c1;
    tr_vec2 chord = {sweep->c1 - sweep->c0, sweep->s1 - sweep->s0};
    made.square_sine = tr_min(0.25f * tr_dot(chord, chord), 1.0f);
    float tangent = sqrtf(made.square_sine / tr_max(1.0f - made.square_sine, FLT_EPSILON));
    made.acceleration = tangent * tangent * (4.0f + 8.0f * tangent);
    return made;
}

/* corners along an axis at one time: value, speed and half the bound of the acceleration of each */
typedef struct tracks {
    float value[TR2_MAX_CORNERS], speed[TR2_MAX_CORNERS], bend[TR2_MAX_CORNERS];
    uint32_t count;
} tracks;

static void follow(const motion *body, float t, tr2_pose pose, tr_vec2 axis, tracks *out)
{
    float rate = body->turn / tr_max(1.0f - 4.0f * t * (1.0f - t) * body->square_sine, FLT_EPSILON);
    out->count = body->geometry->count;
    for (uint32_t i = 0; i < out->count; i++) {
        tr_vec2 lever = tr_sub(body->geometry->corners[i].point, body->sweep->center);
        tr_vec2 turned = tr_rotate(pose, lever);
        out->value[i] = tr_dot(tr_to_outer(pose, body->geometry->corners[i].point), axis);
        out->speed[i] = tr_dot(body->velocity, axis) + rate * tr_dot(tr_left(turned), axis);
        out->bend[i] = 0.5f * body->acceleration * tr_length(lever);
    }
}

/* lower bound of the separation after dt: concave in dt */
static float least_separation(const tracks *a, const tracks *b, float dt)
{
    float least_b = FLT_MAX, most_a = -FLT_MAX;
    for (uint32_t i = 0; i < b->count; i++)
        least_b = tr_min(least_b, b->value[i] + dt * (b->speed[i] - dt * b->bend[i]));
    for (uint32_t i = 0; i < a->count; i++)
        most_a = tr_max(most_a, a->value[i] + dt * (a->speed[i] + dt * a->bend[i]));
    return least_b - most_a;
}

/* a time up to which the separation stays above `wanted`, as it is at 0; `most` if it always does */
static float safe_time(const tracks *a, const tracks *b, float wanted, float most)
{
    float low = 0.0f, high = most;
    float at_low = least_separation(a, b, low) - wanted, at_high = least_separation(a, b, high) - wanted;
    if (at_high >= 0.0f)
        return most;
    for (uint32_t round = 0; round < 4 && at_low > 0.0f; round++) {
        /* the chord is below a concave function, so its root is safe, except for rounding, which the tolerance
           covers */
        low = low + (high - low) * (at_low / (at_low - at_high));
        at_low = least_separation(a, b, low) - wanted;
        if (!(at_low > 0.0f))
            break;
        float middle = 0.5f * (low + high), at_middle = least_separation(a, b, middle) - wanted;
        if (at_middle >= 0.0f) {
            low = middle;
            at_low = at_middle;
        } else {
            high = middle;
            at_high = at_middle;
        }
    }
    return low;
}

tr2_motion_impact tr2_time_of_impact(const tr2_geometry *a, const tr2_sweep *sweep_a, const tr2_geometry *b,
                                     const tr2_sweep *sweep_b, float target, float tolerance)
{
    motion motion_a = motion_of(a, sweep_a), motion_b = motion_of(b, sweep_b);
    float wanted = a->radius + b->radius + target;
    tr2_motion_impact impact = {.state = TR2_IMPACT_SLOW, .time = 0.0f};
    tr2_core_distance near;
    float t = 0.0f;
    for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
        tr2_pose pose_a = tr2_sweep_pose(sweep_a, t), pose_b = tr2_sweep_pose(sweep_b, t);
        tr2_pose between = {tr_rotate_back(pose_a, tr_sub(pose_b.p, pose_a.p)),
                            pose_a.c * pose_b.c + pose_a.s * pose_b.s, pose_a.c * pose_b.s - pose_a.s * pose_b.c};
        near = tr2_distance_of_cores(a, between, b, round > 0 ? &near : NULL);
        bool there = near.distance <= wanted + tolerance;
        if (there && round == 0) {
            impact.state = TR2_IMPACT_OVERLAP;
            return impact;
        }
        impact.time = t;
        /* touching cores have no normal: keep the last one */
        if (near.distance > 0.0f) {
            impact.normal = tr_rotate(pose_a, near.normal);
            tr_vec2 middle = tr_along(near.point_a, 0.5f * (near.distance + a->radius - b->radius), near.normal);
            impact.point = tr_to_outer(pose_a, middle);
        }
        if (there) {
            impact.state = TR2_IMPACT_HIT;
            return impact;
        }

        tracks tracks_a, tracks_b;
        follow(&motion_a, t, pose_a, impact.normal, &tracks_a);
        follow(&motion_b, t, pose_b, impact.normal, &tracks_b);
        float step = safe_time(&tracks_a, &tracks_b, wanted + 0.5f * tolerance, 1.0f - t);
        if (step >= 1.0f - t) {
            impact.state = TR2_IMPACT_NONE;
            impact.time = 1.0f;
            impact.near = t;
            return impact;
        }
        /* the step is too small for a float, so further rounds cannot help */
        if (!(t + step > t))
            return impact;
        t += step;
    }
    return impact;
}
