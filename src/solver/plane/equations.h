/* What the plane supplies to the equations of joints (solver/core/equations.inl). */
#ifndef TR_PLANE_EQUATIONS_H
#define TR_PLANE_EQUATIONS_H

#include "solver/plane/joint_pose.h"

#define TR2_AXES    2 /* a body's coordinates along axes, */
#define TR2_SPINS   1 /* and of rotation */
#define TR2_DEGREES 3

/* Angles that a joint keeps: in the plane bodies have them, with all turns. */
static inline void tr2_pose_keep(tr2_joint_pose *pose, const double last[3])
{
    (void)pose;
    (void)last;
}

static inline void tr2_pose_kept(const tr2_joint_pose *pose, const double last[3])
{
    (void)pose;
    (void)last;
}

/* rad/s, of B */
static inline double tr2_pose_spin_b(const tr2_joint_pose *pose)
{
    return pose->body[1].w;
}

/* one body's part of a row of J */
static inline void tr2_equation_put(double j[TR2_DEGREES], tr_dvec2 linear, double angular)
{
    j[0] = linear.x;
    j[1] = linear.y;
    j[2] = angular;
}

static inline tr_dvec2 tr2_equation_linear(const double j[TR2_DEGREES])
{
    return (tr_dvec2){j[0], j[1]};
}

static inline double tr2_equation_angular(const double j[TR2_DEGREES])
{
    return j[2];
}

static inline void tr2_equation_axes(tr_dvec2 axis[TR2_AXES])
{
    axis[0] = (tr_dvec2){1.0, 0.0};
    axis[1] = (tr_dvec2){0.0, 1.0};
}

/* the directions across a unit vector */
static inline void tr2_equation_sides(tr_dvec2 n, tr_dvec2 side[TR2_AXES - 1])
{
    side[0] = (tr_dvec2){-n.y, n.x};
}

#endif
