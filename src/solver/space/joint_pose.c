/* The state of a joint's bodies and frames. */
#include "base/angle.h"
#include "base/trigonometry.h"
#include "solver/core/system.h"

tr3_body_state tr3_body_state_of(const tr3_bodies *bodies, uint32_t row)
{
    return (tr3_body_state){.center = tr3_body_mass_center(bodies, row),
                            .rotation = tr3_body_rotation(bodies, row),
                            .velocity = tr3_widen(tr3_body_linear_velocity(bodies, row)),
                            .w = tr3_widen(tr3_body_angular_velocity(bodies, row)),
                            .local_center = tr3_body_center(bodies, row)};
}

/* from the centre of mass to an anchor, in world axes */
static tr_dvec3 arm(const tr3_body_state *body, tr_vec3 anchor)
{
    return tr3_turned(body->rotation, tr3_minus(tr3_widen(anchor), tr3_widen(body->local_center)));
}

static tr_dvec3 point_velocity(const tr3_body_state *body, tr_dvec3 r)
{
    return tr3_plus(body->velocity, tr3_whirl(body->w, r));
}

/* the rotation about a unit axis that is nearest to q; -pi to pi */
static double twist_about(tr3_dquat q, tr_dvec3 axis)
{
    double s = tr3_dot((tr_dvec3){q.x, q.y, q.z}, axis);
    return s == 0.0 && q.w == 0.0 ? 0.0 : 2.0 * tr_arctan2(s, q.w);
}

/* the state of one body; null: the world */
static tr3_joint_place place_of(const tr3_body_state *body)
{
    const tr_dvec3 none = {0.0, 0.0, 0.0};
    tr3_joint_place out = {none, none, none, none, {0.0, 0.0, 0.0, 1.0}};
    if (body == NULL)
        return out;
    out.center = body->center;
    out.origin = tr3_plus(body->center, arm(body, (tr_vec3){0.0f, 0.0f, 0.0f}));
    out.velocity = body->velocity;
    out.w = body->w;
    out.rotation = body->rotation;
    return out;
}

void tr3_joint_pose_of(const tr3_body_state *const body[TR_ENDS], const tr3_joint_def *def, double turn,
                       tr3_joint_pose *out)
{
    const tr3_body_state *a = body[0], *b = body[1];
    tr3_dquat rotation_a = a->rotation, rotation_b = b->rotation;
    out->r_a = arm(a, def->anchor_a);
    out->r_b = arm(b, def->anchor_b);

    /* subtract the centres first: far from the origin, their difference is exact, but a sum is rounded */
    out->d = tr3_plus(tr3_minus(b->center, a->center), tr3_minus(out->r_b, out->r_a));
    out->d_rate = tr3_minus(point_velocity(b, out->r_b), point_velocity(a, out->r_a));
    out->w_a = a->w;
    out->w_b = b->w;

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
    for (uint32_t i = 0; i < TR_ENDS && tr3_joint_types[def->type]->has_carriers; i++)
        out->body[i] = place_of(body[i]);
}
