/*
 * Vectors, rotations and inertia of space, by the names that the core has for them in both dimensions. A spin is an
 * angular velocity, a torque or an angular impulse, in world axes.
 */
#ifndef TR_SPACE_GEOMETRY_H
#define TR_SPACE_GEOMETRY_H

#include <math.h>

#include "solver/space/joint_pose.h"
#include "trammel/base.h"

typedef tr_vec3 tr3_vec;         /* relative to a body; velocities and forces */
typedef tr_dvec3 tr3_dvec;       /* positions in the world, and what is computed in double */
typedef tr_vec3 tr3_spin;        /* rad/s, N m, N m s */
typedef tr_dvec3 tr3_dspin;      /* the same in double */
typedef tr_quat tr3_orientation; /* of a body, as applications give it */
typedef tr_sym3 tr3_inertia;     /* as applications give it: kg m^2 */

static inline tr3_dvec tr3_widen(tr3_vec v)
{
    return (tr3_dvec){(double)v.x, (double)v.y, (double)v.z};
}

static inline tr3_vec tr3_narrow(tr3_dvec v)
{
    return (tr3_vec){(float)v.x, (float)v.y, (float)v.z};
}

static inline tr3_dspin tr3_widen_spin(tr3_spin w)
{
    return tr3_widen(w);
}

static inline tr3_spin tr3_narrow_spin(tr3_dspin w)
{
    return tr3_narrow(w);
}

/* a direction across a unit vector: that of the kernels, axis_across() */
static inline tr_dvec3 tr3_across(tr_dvec3 n)
{
    const double sign = n.z < 0.0 ? -1.0 : 1.0, a = -1.0 / (sign + n.z), b = n.x * n.y * a;
    return (tr_dvec3){1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x};
}

static inline tr3_dvec tr3_plus(tr3_dvec a, tr3_dvec b)
{
    return (tr3_dvec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline tr3_dvec tr3_minus(tr3_dvec a, tr3_dvec b)
{
    return (tr3_dvec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline tr3_dvec tr3_times(double k, tr3_dvec v)
{
    return (tr3_dvec){k * v.x, k * v.y, k * v.z};
}

static inline tr3_dvec tr3_over(tr3_dvec v, double k)
{
    return (tr3_dvec){v.x / k, v.y / k, v.z / k};
}

static inline tr3_dspin tr3_plus_spin(tr3_dspin a, tr3_dspin b)
{
    return tr3_plus(a, b);
}

static inline double tr3_dot(tr3_dvec a, tr3_dvec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline tr3_dvec tr3_cross(tr3_dvec a, tr3_dvec b)
{
    return (tr3_dvec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* v without its part along the unit vector n. */
static inline tr3_dvec tr3_part_across(tr3_dvec n, tr3_dvec v)
{
    return tr3_minus(v, tr3_times(tr3_dot(n, v), n));
}

/* Whether `other` is not along `axis`, which is not zero. */
static inline bool tr3_has_across(tr3_vec axis, tr3_vec other)
{
    tr3_dvec n = tr3_widen(axis), v = tr3_widen(other);
    tr3_dvec across = tr3_part_across(tr3_over(n, sqrt(tr3_dot(n, n))), v);
    return tr3_dot(across, across) > 1e-12 * tr3_dot(v, v);
}

/* w x r: the velocity of a point at r from the centre. */
static inline tr3_dvec tr3_whirl(tr3_dspin w, tr3_dvec r)
{
    return tr3_cross(w, r);
}

/* r x f: the torque of a force at r from the centre. */
static inline tr3_dspin tr3_moment(tr3_dvec r, tr3_dvec f)
{
    return tr3_cross(r, f);
}

static inline double tr3_square(tr3_vec v)
{
    return tr3_dot(tr3_widen(v), tr3_widen(v));
}

static inline double tr3_size(tr3_vec v)
{
    return sqrt(tr3_square(v));
}

static inline double tr3_spin_square(tr3_spin w)
{
    return tr3_square(w);
}

static inline double tr3_spin_size(tr3_spin w)
{
    return tr3_size(w);
}

/* A number that is finite exactly if all of the vector is. */
static inline double tr3_extent(tr3_vec v)
{
    return fabs((double)v.x) + fabs((double)v.y) + fabs((double)v.z);
}

/* Whether no number of the vector is as far from 0 as this. */
static inline bool tr3_is_within(tr3_dvec v, double most)
{
    return fabs(v.x) < most && fabs(v.y) < most && fabs(v.z) < most;
}

static inline bool tr3_is_same(tr3_vec a, tr3_vec b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
static inline bool tr3_is_same_spin(tr3_spin a, tr3_spin b)
{
    return tr3_is_same(a, b);
}

static inline bool tr3_is_same_inertia(tr3_inertia a, tr3_inertia b)
{
    return a.xx == b.xx && a.yy == b.yy && a.zz == b.zz && a.xy == b.xy && a.xz == b.xz && a.yz == b.yz;
}

/* Whether the principal axes are others than those of the body's frame. */
static inline bool tr3_inertia_tilts(tr3_inertia inertia)
{
    return inertia.xy != 0.0f || inertia.xz != 0.0f || inertia.yz != 0.0f;
}

/*
 * Rotations in double
 */
static inline tr3_dquat tr3_widen_quat(tr_quat q)
{
    return (tr3_dquat){(double)q.x, (double)q.y, (double)q.z, (double)q.w};
}

static inline tr_quat tr3_narrow_quat(tr3_dquat q)
{
    return (tr_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

static inline double tr3_quat_square(tr3_dquat q)
{
    return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
}

/* q must not be zero. */
static inline tr3_dquat tr3_normalised(tr3_dquat q)
{
    double length = sqrt(tr3_quat_square(q));
    return (tr3_dquat){q.x / length, q.y / length, q.z / length, q.w / length};
}

/* The rotation back. */
static inline tr3_dquat tr3_conjugate(tr3_dquat q)
{
    return (tr3_dquat){-q.x, -q.y, -q.z, q.w};
}

/* First b, then a. */
static inline tr3_dquat tr3_compose(tr3_dquat a, tr3_dquat b)
{
    return (tr3_dquat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                       a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* v rotated by a unit quaternion. */
static inline tr3_dvec tr3_turned(tr3_dquat q, tr3_dvec v)
{
    tr3_dvec u = {q.x, q.y, q.z}, c = tr3_cross(u, v), cc = tr3_cross(u, c);
    return (tr3_dvec){v.x + 2.0 * (q.w * c.x + cc.x), v.y + 2.0 * (q.w * c.y + cc.y), v.z + 2.0 * (q.w * c.z + cc.z)};
}

/*
 * The principal moments of a tensor, and the rotation from their axes to those of the tensor. A diagonal tensor keeps
 * its axes. Computed by rotations in a fixed order, so that the result is the same on every machine.
 */
void tr3_principal(tr3_inertia inertia, tr_dvec3 *moments, tr3_dquat *frame);

#endif
