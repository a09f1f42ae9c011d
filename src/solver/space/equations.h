/* What space supplies to the equations of joints (solver/core/equations.inl). */
#ifndef TR_SPACE_EQUATIONS_H
#define TR_SPACE_EQUATIONS_H

#include "solver/space/joint_pose.h"

#define TR3_AXES    3 /* a body's coordinates along axes, */
#define TR3_SPINS   3 /* and of rotation */
#define TR3_DEGREES 6

/* rad/s, of B */
static inline tr_dvec3 tr3_pose_spin_b(const tr3_joint_pose *pose)
{
    return pose->w_b;
}

/* The angles, rad, that a joint keeps, which are those of trn_joint_type_info.wind: from and to a pose. */
static inline void tr3_pose_keep(tr3_joint_pose *pose, const double last[3])
{
    for (int i = 0; i < 3; i++)
        pose->last[i] = last[i];
}

static inline void tr3_pose_kept(const tr3_joint_pose *pose, double last[3])
{
    for (int i = 0; i < 3; i++)
        last[i] = pose->last[i];
}

/* one body's part of a row of J */
static inline void tr3_equation_put(double j[TR3_DEGREES], tr_dvec3 linear, tr_dvec3 angular)
{
    const double all[TR3_DEGREES] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int i = 0; i < TR3_DEGREES; i++)
        j[i] = all[i];
}

static inline tr_dvec3 tr3_equation_linear(const double j[TR3_DEGREES])
{
    return (tr_dvec3){j[0], j[1], j[2]};
}

static inline tr_dvec3 tr3_equation_angular(const double j[TR3_DEGREES])
{
    return (tr_dvec3){j[3], j[4], j[5]};
}

static inline void tr3_equation_axes(tr_dvec3 axis[TR3_AXES])
{
    axis[0] = (tr_dvec3){1.0, 0.0, 0.0};
    axis[1] = (tr_dvec3){0.0, 1.0, 0.0};
    axis[2] = (tr_dvec3){0.0, 0.0, 1.0};
}

/* the directions across a unit vector */
static inline void tr3_equation_sides(tr_dvec3 n, tr_dvec3 side[TR3_AXES - 1])
{
    side[0] = tr3_across(n);
    side[1] = tr3_cross(n, side[0]);
}

#endif
