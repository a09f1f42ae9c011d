/* Functions for the types' measurements in space: errors and energies of groups that several types have. */
#include <math.h>

#include "base/angle.h"
#include "base/trigonometry.h"
#include "solver/core/features.inl"

static double measure_dot(tr_dvec3 a, tr_dvec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double measure_length(tr_dvec3 v)
{
    return sqrt(measure_dot(v, v));
}

static tr_dvec3 measure_cross(tr_dvec3 a, tr_dvec3 b)
{
    return (tr_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double measure_clamp(double cosine)
{
    return fmax(-1.0, fmin(1.0, cosine));
}

/* rad, between two unit vectors */
static double measure_angle(tr_dvec3 a, tr_dvec3 b)
{
    return atan2(measure_length(measure_cross(a, b)), measure_dot(a, b));
}

/* rad, by which B is rotated from the reference */
static double measure_turn(const tr3_joint_pose *pose)
{
    tr_dvec3 v = {pose->relative.x, pose->relative.y, pose->relative.z};
    return 2.0 * atan2(measure_length(v), fabs(pose->relative.w));
}

/* rad, of that the rotation about the axis, within half a turn */
static double measure_twist(const tr3_joint_pose *pose, const tr3_joint_def *def)
{
    const tr_vec3 *n = &def->axis;
    double about = pose->relative.x * (double)n->x + pose->relative.y * (double)n->y + pose->relative.z * (double)n->z;
    double sign = pose->relative.w < 0.0 ? -1.0 : 1.0;
    return 2.0 * tr_arctan2(sign * about, fabs(pose->relative.w));
}

static tr_dvec3 measure_rotate(const tr3_dquat *q, tr_dvec3 v)
{
    tr_dvec3 u = {q->x, q->y, q->z}, t = measure_cross(u, v);
    tr_dvec3 twice = {2.0 * t.x, 2.0 * t.y, 2.0 * t.z}, s = measure_cross(u, twice);
    return (tr_dvec3){v.x + q->w * twice.x + s.x, v.y + q->w * twice.y + s.y, v.z + q->w * twice.z + s.z};
}

/* two directions across the axis, in the world */
static void measure_across(const tr3_joint_def *def, const tr3_joint_pose *pose, tr_dvec3 *first, tr_dvec3 *second)
{
    *first = measure_rotate(&pose->to_world, tr3_across(tr3_widen(def->axis)));
    *second = measure_cross(pose->axis, *first);
}

/* N or N m, from three impulses */
static tr_vec3 measure_force(const float *impulse, int first, float inv_h)
{
    return (tr_vec3){impulse[first] * inv_h, impulse[first + 1] * inv_h, impulse[first + 2] * inv_h};
}

/* of three rows of a point, and three of rotation */
static void measure_block(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                          tr3_reaction *out)
{
    (void)def;
    (void)pose;
    out->force = measure_force(impulse, 0, inv_h);
    out->torque = measure_force(impulse, 3, inv_h);
}

static bool softness_is_off(tr_softness s)
{
    return (s.kind == TR_FREQUENCY && s.a == 0.0f) || (s.kind == TR_PHYSICAL && s.a == 0.0f && s.b == 0.0f);
}
