/* Functions for the types' measurements: errors and energies of groups that several types have. */
#include <math.h>

#include "solver/core/features.inl"

static double measure_length(tr_dvec2 v)
{
    return sqrt(v.x * v.x + v.y * v.y);
}

static double measure_dot(tr_dvec2 a, tr_dvec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static double measure_cross(tr_dvec2 a, tr_dvec2 b)
{
    return a.x * b.y - a.y * b.x;
}

/* for types whose first three impulses are a force and a torque on B */
static void block_reaction(const tr2_joint_def *def, const tr2_joint_pose *pose, const float *impulse, float inv_h,
                           tr2_reaction *out)
{
    (void)def;
    (void)pose;
    out->force.x = impulse[0] * inv_h;
    out->force.y = impulse[1] * inv_h;
    out->torque = impulse[2] * inv_h;
}

/* for types with travel along A's axis: error of the row across it, the coordinate, spring and limits */
static void slide_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    double across = fabs(measure_cross(pose->axis, pose->d));
    double along = measure_dot(pose->axis, pose->d);
    double beyond = limit_violation(&def->limit, along);
    out->linear_rigid = softness_is_rigid(def->linear);
    out->linear_error = (float)(out->linear_rigid && across > beyond ? across : beyond);
    out->coordinate = (float)along;
    /* the axis rotates with A */
    out->rate = (float)(measure_dot(pose->axis, pose->d_rate) + pose->w_a * measure_cross(pose->axis, pose->d));
    out->energy = softness_energy(def->linear, across) + spring_energy(&def->spring, along);
}

static void slide_force(const tr2_joint_pose *pose, double along, double across, tr2_reaction *out)
{
    out->force.x = (float)(pose->axis.x * along - pose->axis.y * across);
    out->force.y = (float)(pose->axis.y * along + pose->axis.x * across);
}
