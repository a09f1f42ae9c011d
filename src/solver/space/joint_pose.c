/* The state of a joint's bodies and frames. */
#include "base/angle.h"
#include "solver/core/system.h"

/* from the centre of mass to an anchor, in world axes */
static tr_dvec3 arm(const tr3_bodies *bodies, uint32_t row, tr3_dquat rotation, tr_vec3 anchor)
{
    return tr3_turned(rotation, tr3_minus(tr3_widen(anchor), tr3_widen(tr3_body_center(bodies, row))));
}

static tr_dvec3 point_velocity(const tr3_bodies *bodies, uint32_t row, tr_dvec3 r)
{
    tr_dvec3 w = tr3_widen(tr3_body_angular_velocity(bodies, row));
    return tr3_plus(tr3_widen(tr3_body_linear_velocity(bodies, row)), tr3_whirl(w, r));
}

/* the rotation about a unit axis that is nearest to q; -pi to pi */
static double twist_about(tr3_dquat q, tr_dvec3 axis)
{
    double s = tr3_dot((tr_dvec3){q.x, q.y, q.z}, axis);
    return s == 0.0 && q.w == 0.0 ? 0.0 : 2.0 * atan2(s, q.w);
}

void tr3_joint_pose_get(const tr3_bodies *bodies, const uint32_t rows[TR_ENDS], const tr3_joint_def *def, double turn,
                        tr3_joint_pose *out)
{
    uint32_t a = rows[0], b = rows[1];
    tr3_dquat rotation_a = tr3_body_rotation(bodies, a), rotation_b = tr3_body_rotation(bodies, b);
    out->r_a = arm(bodies, a, rotation_a, def->anchor_a);
    out->r_b = arm(bodies, b, rotation_b, def->anchor_b);

    /* subtract the centres first: far from the origin, their difference is exact, but a sum is rounded */
    tr_dvec3 centers = tr3_minus(tr3_body_mass_center(bodies, b), tr3_body_mass_center(bodies, a));
    out->d = tr3_plus(centers, tr3_minus(out->r_b, out->r_a));
    out->d_rate = tr3_minus(point_velocity(bodies, b, out->r_b), point_velocity(bodies, a, out->r_a));
    out->w_a = tr3_widen(tr3_body_angular_velocity(bodies, a));
    out->w_b = tr3_widen(tr3_body_angular_velocity(bodies, b));

    /* of B relative to A: relative * reference */
    tr3_dquat reference = tr3_normalised(tr3_widen_quat(def->reference));
    tr3_dquat between = tr3_compose(tr3_conjugate(rotation_a), rotation_b);
    tr3_dquat relative = tr3_normalised(tr3_compose(between, tr3_conjugate(reference)));
    if (relative.w < 0.0)
        relative = (tr3_dquat){-relative.x, -relative.y, -relative.z, -relative.w};
    tr_dvec3 axis = tr3_widen(def->axis);
    out->relative = relative;
    out->to_world = rotation_a;
    out->axis = tr3_turned(rotation_a, axis);
    out->axis_b = tr3_turned(rotation_a, tr3_turned(relative, axis));
    out->angle = twist_about(relative, axis) + TR_TURN * turn;
    out->last[0] = out->last[1] = out->last[2] = 0.0;
}
