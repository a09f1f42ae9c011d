/*
 * Functions for the equations of joints in space. A row of rotation about an axis e that is fixed in A has
 * J v = e . (wB - wA), and e . (wB - wA)' = J a - e . (wA x wB) in the frame that rotates with A.
 */
#include "solver/core/equations.inl"

static tr3_equation equation_about(const tr3_joint_pose *pose, tr_dvec3 e)
{
    tr3_equation row = equation_empty();
    const tr_dvec3 none = {0.0, 0.0, 0.0};
    tr3_equation_put(row.j[0], none, tr3_times(-1.0, e));
    tr3_equation_put(row.j[1], none, e);
    row.rate = measure_dot(e, tr3_minus(pose->w_b, pose->w_a));
    row.bend = -measure_dot(e, measure_cross(pose->w_a, pose->w_b));
    return row;
}

/* three rows of rotation toward the reference; the value is 2 vec(q), as of the kernels */
static void equations_rotation(tr3_equations *out, const tr3_joint_pose *pose, tr_softness softness,
                               tr3_relative relative, int32_t column)
{
    tr_dvec3 axis[TR3_AXES], vec = {pose->relative.x, pose->relative.y, pose->relative.z};
    tr_dvec3 turned = tr3_times(2.0, measure_rotate(&pose->to_world, vec));
    tr3_equation_axes(axis);
    for (uint32_t i = 0; i < TR3_AXES; i++) {
        tr3_equation row = equation_about(pose, axis[i]);
        row.value = measure_dot(axis[i], turned);
        equations_hold(out, row, softness, column + (int32_t)i);
    }
    equations_block(out, TR3_AXES, relative);
}

/*
 * The angle between the axes, about their common normal n: with the relative rate w = wB - wA and n' in A's frame,
 * angle'' = n . w' + n' . w, n' . w = (cos (|w|^2 - (n . w)^2) - (xA . w)(xB . w))/sin. Where the axes are parallel it moves
 * nothing.
 */
static void equations_cone(tr3_equations *out, const tr3_joint_def *def, const tr3_joint_pose *pose)
{
    tr_dvec3 normal = measure_cross(pose->axis, pose->axis_b), w = tr3_minus(pose->w_b, pose->w_a);
    double sine = measure_length(normal), cosine = measure_dot(pose->axis, pose->axis_b);
    tr3_equation row = equation_about(pose, sine > 0.0 ? tr3_over(normal, sine) : normal);
    row.value = tr_arctan2(sine, cosine);
    double across = measure_dot(w, w) - row.rate * row.rate;
    if (sine > 0.0)
        row.bend += (cosine * across - measure_dot(pose->axis, w) * measure_dot(pose->axis_b, w)) / sine;
    equations_upper(out, row, (double)def->cone_angle, 9);
}

/*
 * The twist: its rate is p . w with p = (xA + xB)/(1 + xA . xB), and p' . w = -(p . w)(xA . (w x xB))/(1 + xA . xB) in
 * A's frame. Where the axes are opposite it moves nothing.
 */
static tr3_equation equation_twist(const tr3_joint_def *def, const tr3_joint_pose *pose)
{
    tr_dvec3 w = tr3_minus(pose->w_b, pose->w_a);
    double one = 1.0 + measure_dot(pose->axis, pose->axis_b);
    const bool moves = one > 1e-9;
    tr3_equation row = equation_about(pose, tr3_times(moves ? 1.0 / one : 0.0, tr3_plus(pose->axis, pose->axis_b)));
    row.value = measure_twist(pose, def);
    if (moves)
        row.bend -= row.rate * measure_dot(pose->axis, measure_cross(w, pose->axis_b)) / one;
    return row;
}
