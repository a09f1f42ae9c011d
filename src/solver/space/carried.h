/*
 * A coordinate of a body relative to its carrier: the angle about an axis of the carrier, or the travel of a point along
 * it. In double; the same for measures and for kernels as a step begins, so that both see an angle in the same turn.
 */
#ifndef TR_SPACE_CARRIED_H
#define TR_SPACE_CARRIED_H

#include "base/trigonometry.h"
#include "solver/space/geometry.h"
#include "solver/space/joint_pose.h"

/* rad, -pi to pi: the rotation of the body about a unit axis of its carrier, from the reference */
static inline double tr3_carried_angle(tr3_dquat carrier, tr3_dquat body, tr_quat reference, tr_vec3 axis)
{
    const tr3_dquat from = tr3_conjugate(tr3_normalised(tr3_widen_quat(reference)));
    const tr3_dquat q = tr3_compose(tr3_compose(tr3_conjugate(carrier), body), from);
    const double about = tr3_dot((tr_dvec3){q.x, q.y, q.z}, tr3_widen(axis));
    return 2.0 * (q.w < 0.0 ? tr_arctan2(-about, -q.w) : tr_arctan2(about, q.w));
}

/* m: travel of a point, which is at r from the body's centre of mass, from the carrier's origin; differences of places
   first, as they are exact far from the world's origin */
static inline double tr3_carried_travel(const tr3_joint_place *carrier, tr_dvec3 center, tr_dvec3 r, tr_vec3 axis)
{
    const tr_dvec3 n = tr3_turned(carrier->rotation, tr3_widen(axis));
    return tr3_dot(n, tr3_minus(center, carrier->origin)) + tr3_dot(n, r);
}

#endif
