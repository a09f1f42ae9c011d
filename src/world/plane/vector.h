/* Vectors of doubles. */
#ifndef TR_WORLD_VECTOR_H
#define TR_WORLD_VECTOR_H

#include <math.h>

#include "trammel/base.h"

static inline tr_dvec2 tr_widen(tr_vec2 a)
{
    return (tr_dvec2){(double)a.x, (double)a.y};
}

static inline tr_vec2 tr_narrow(tr_dvec2 a)
{
    return (tr_vec2){(float)a.x, (float)a.y};
}

/* a + k b */
static inline tr_dvec2 tr_dalong(tr_dvec2 a, double k, tr_dvec2 b)
{
    return (tr_dvec2){a.x + k * b.x, a.y + k * b.y};
}

static inline tr_dvec2 tr_dsub(tr_dvec2 a, tr_dvec2 b)
{
    return (tr_dvec2){a.x - b.x, a.y - b.y};
}

static inline tr_dvec2 tr_dscale(double k, tr_dvec2 a)
{
    return (tr_dvec2){k * a.x, k * a.y};
}

static inline double tr_ddot(tr_dvec2 a, tr_dvec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static inline double tr_dcross(tr_dvec2 a, tr_dvec2 b)
{
    return a.x * b.y - a.y * b.x;
}

static inline double tr_dlength(tr_dvec2 a)
{
    return sqrt(a.x * a.x + a.y * a.y);
}

#endif
