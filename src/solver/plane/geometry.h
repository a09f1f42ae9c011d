/*
 * Vectors, rotations and inertia of the plane, by the names that the core has for them in both dimensions. What turns
 * is one number here: a spin is an angular velocity, a torque or an angular impulse.
 */
#ifndef TR_PLANE_GEOMETRY_H
#define TR_PLANE_GEOMETRY_H

#include <math.h>

#include "trammel/base.h"

typedef tr_vec2 tr2_vec;        /* relative to a body; velocities and forces */
typedef tr_dvec2 tr2_dvec;      /* positions in the world, and what is computed in double */
typedef float tr2_spin;         /* rad/s, N m, N m s */
typedef double tr2_dspin;       /* the same in double */
typedef double tr2_orientation; /* of a body, as applications give it: rad */
typedef float tr2_inertia;      /* as applications give it: kg m^2 */

static inline tr2_dvec tr2_widen(tr2_vec v)
{
    return (tr2_dvec){(double)v.x, (double)v.y};
}

static inline tr2_vec tr2_narrow(tr2_dvec v)
{
    return (tr2_vec){(float)v.x, (float)v.y};
}

static inline tr2_dspin tr2_widen_spin(tr2_spin w)
{
    return (double)w;
}

static inline tr2_spin tr2_narrow_spin(tr2_dspin w)
{
    return (float)w;
}

static inline tr2_dvec tr2_plus(tr2_dvec a, tr2_dvec b)
{
    return (tr2_dvec){a.x + b.x, a.y + b.y};
}

static inline tr2_dvec tr2_minus(tr2_dvec a, tr2_dvec b)
{
    return (tr2_dvec){a.x - b.x, a.y - b.y};
}

static inline tr2_dvec tr2_times(double k, tr2_dvec v)
{
    return (tr2_dvec){k * v.x, k * v.y};
}

static inline tr2_dvec tr2_over(tr2_dvec v, double k)
{
    return (tr2_dvec){v.x / k, v.y / k};
}

static inline tr2_dspin tr2_plus_spin(tr2_dspin a, tr2_dspin b)
{
    return a + b;
}

/* w x r: the velocity of a point at r from the centre. */
static inline tr2_dvec tr2_whirl(tr2_dspin w, tr2_dvec r)
{
    return (tr2_dvec){-w * r.y, w * r.x};
}

/* r x f: the torque of a force at r from the centre. */
static inline tr2_dspin tr2_moment(tr2_dvec r, tr2_dvec f)
{
    return r.x * f.y - r.y * f.x;
}

static inline double tr2_square(tr2_vec v)
{
    double x = (double)v.x, y = (double)v.y;
    return x * x + y * y;
}

static inline double tr2_size(tr2_vec v)
{
    return sqrt(tr2_square(v));
}

static inline double tr2_spin_square(tr2_spin w)
{
    return (double)w * (double)w;
}

static inline double tr2_spin_size(tr2_spin w)
{
    return fabs((double)w);
}

/* A number that is finite exactly if all of the vector is. */
static inline double tr2_extent(tr2_vec v)
{
    return fabs((double)v.x) + fabs((double)v.y);
}

/* Whether no number of the vector is as far from 0 as this. */
static inline bool tr2_is_within(tr2_dvec v, double most)
{
    return fabs(v.x) < most && fabs(v.y) < most;
}

static inline bool tr2_is_same(tr2_vec a, tr2_vec b)
{
    return a.x == b.x && a.y == b.y;
}
static inline bool tr2_is_same_spin(tr2_spin a, tr2_spin b)
{
    return a == b;
}

static inline bool tr2_is_same_inertia(tr2_inertia a, tr2_inertia b)
{
    return a == b;
}

/* Whether the principal axes are others than those of the body's frame: never in the plane. */
static inline bool tr2_inertia_tilts(tr2_inertia inertia)
{
    (void)inertia;
    return false;
}

#endif
