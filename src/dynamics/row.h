/*
 * One row (a scalar constraint) between a point of each of two bodies, along a direction n: J = (-n, -(rA x n), n,
 * rB x n), and what J and M^-1 make of it. Numbers of the plane are numbers of space without z, and their turns have z
 * only; the zeros change no bit.
 */
#ifndef TR_DYNAMICS_ROW_H
#define TR_DYNAMICS_ROW_H

#include "trammel/impact.h"

typedef struct tr_push {
    tr_dvec3 lever; /* r x n */
    tr_dvec3 move;  /* m n: what the impulse 1 along n adds to the velocity, */
    tr_dvec3 turn;  /* I (r x n): and to the angular velocity */
} tr_push;

typedef struct tr_row {
    tr_dvec3 direction; /* n, of length 1 */
    tr_push a, b;
    double k;  /* J M^-1 J^T; not finite: beyond doubles */
    bool held; /* neither body can move the points along n, but for rounding */
} tr_row;

/* `direction`: of any length above 0. */
tr_row tr_row_make(const tr3_point_body *a, const tr3_point_body *b, tr_dvec3 direction);
/* J v */
double tr_row_rate(const tr_row *row, const tr3_velocity *a, const tr3_velocity *b);
/* base + share push */
tr_dvec3 tr_row_add(tr_dvec3 base, double share, tr_dvec3 push);

static inline tr_dvec3 tr_in_space(tr_dvec2 v)
{
    return (tr_dvec3){v.x, v.y, 0.0};
}

static inline tr_dvec2 tr_in_plane(tr_dvec3 v)
{
    return (tr_dvec2){v.x, v.y};
}

static inline tr3_point_body tr_body_in_space(const tr2_point_body *body)
{
    return (tr3_point_body){body->inverse_mass, {.zz = body->inverse_inertia}, tr_in_space(body->arm)};
}

#endif
