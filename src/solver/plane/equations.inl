/* Functions for the equations of joints in the plane. */
#include "solver/core/equations.inl"

/* angle of B - ratio angle of A */
static tr2_equation equation_angle(double value, double rate, double ratio)
{
    tr2_equation row = equation_empty();
    row.j[0][2] = -ratio;
    row.j[1][2] = 1.0;
    row.value = value;
    row.rate = rate;
    return row;
}

static tr2_equation equation_turn(const tr2_joint_pose *pose)
{
    return equation_angle(pose->angle, pose->angle_rate, 1.0);
}

/* across A's axis, and along it */
static tr2_equation equation_across(const view *v, const tr2_joint_pose *pose)
{
    return equation_along(v, (tr_dvec2){-pose->axis.y, pose->axis.x});
}
