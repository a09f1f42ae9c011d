/* Functions for the types' measurements: errors and energies of groups that several types have. */
#include <math.h>

#include "solver/core/joint_types.h"

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

static bool softness_is_rigid(tr_softness s)
{
    return s.kind == TR_RIGID;
}

/* J; only a physical stiffness is known without the masses */
static double softness_energy(tr_softness s, double c)
{
    return s.kind == TR_PHYSICAL ? 0.5 * (double)s.a * c * c : 0.0;
}

/* distance of c outside of the limits; 0 inside */
static double limit_violation(const tr_limit *limit, double c)
{
    if (!limit->enable)
        return 0.0;
    if (c < (double)limit->lower)
        return (double)limit->lower - c;
    if (c > (double)limit->upper)
        return c - (double)limit->upper;
    return 0.0;
}

static double spring_energy(const tr_spring *spring, double c)
{
    return spring->enable ? softness_energy(spring->softness, c - (double)spring->target) : 0.0;
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

/* Shares of the free coordinate's features, with impulses from `first` on: spring, motor, lower, upper, friction.
   Returns the sum. */
static float features_reaction(const float *impulse, int first, float inv_h, tr2_reaction *out)
{
    out->spring = impulse[first] * inv_h;
    out->motor = impulse[first + 1] * inv_h;
    out->lower = impulse[first + 2] * inv_h;
    out->upper = -(impulse[first + 3] * inv_h);
    out->friction = impulse[first + 4] * inv_h;
    return out->spring + out->motor + out->lower + out->upper + out->friction;
}

static bool features_enabled(const tr2_joint_def *def)
{
    return def->spring.enable || def->motor.enable || def->limit.enable || def->friction > 0.0f;
}

/* the roles of those impulses, in this order */
#define FEATURE_ROLES TR_ROLE_SPRING, TR_ROLE_MOTOR, TR_ROLE_LIMIT, TR_ROLE_LIMIT, TR_ROLE_FRICTION

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
