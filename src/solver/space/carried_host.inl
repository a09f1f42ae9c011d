/* Measures and equations of coordinates relative to carriers. */
#include "solver/space/carried.h"

/* from a body's centre of mass to its anchor */
static tr_dvec3 carried_arm(const tr3_joint_pose *pose, uint32_t side)
{
    return side == 0 ? pose->r_a : pose->r_b;
}

/* the anchor of a side's body as seen from its carrier, from a point that is at `hang` from the carrier's origin */
static view carried_view(const tr3_joint_pose *pose, uint32_t side, tr_dvec3 hang)
{
    const tr3_joint_place *body = &pose->body[side], *on = &pose->body[2 + side];
    const tr_dvec3 r = carried_arm(pose, side), from = tr3_plus(on->origin, hang);
    const tr_dvec3 out = tr3_plus(tr3_minus(body->center, from), r), arm = tr3_minus(from, on->center);
    const tr_dvec3 speed = tr3_plus(body->velocity, measure_cross(body->w, r));
    return view_of(on->w, body->w, arm, r, out, tr3_minus(speed, tr3_plus(on->velocity, measure_cross(on->w, arm))));
}

/* the row of an angle about an axis that is fixed in the carrier */
static tr3_equation carried_about(const tr3_joint_pose *pose, uint32_t side, tr_dvec3 n)
{
    const tr3_joint_place *body = &pose->body[side], *on = &pose->body[2 + side];
    const tr_dvec3 none = {0.0, 0.0, 0.0};
    tr3_equation row = equation_empty();
    tr3_equation_put(row.j[2 + side], none, tr3_times(-1.0, n));
    tr3_equation_put(row.j[side], none, n);
    row.rate = measure_dot(n, tr3_minus(body->w, on->w));
    row.bend = -measure_dot(n, measure_cross(on->w, body->w));
    return row;
}
