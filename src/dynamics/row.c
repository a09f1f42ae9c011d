#include "dynamics/row.h"

#include <math.h>

static double dot(tr_dvec3 a, tr_dvec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static tr_dvec3 cross(tr_dvec3 a, tr_dvec3 b)
{
    return (tr_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static tr_dvec3 scale(double s, tr_dvec3 a)
{
    return (tr_dvec3){s * a.x, s * a.y, s * a.z};
}

static tr_dvec3 product(tr_dsym3 t, tr_dvec3 a)
{
    return (tr_dvec3){t.xx * a.x + t.xy * a.y + t.xz * a.z, t.xy * a.x + t.yy * a.y + t.yz * a.z,
                      t.xz * a.x + t.yz * a.y + t.zz * a.z};
}

/* by the greatest component first, so that no square overflows or vanishes */
static tr_dvec3 normalized(tr_dvec3 a)
{
    double greatest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    tr_dvec3 near = {a.x / greatest, a.y / greatest, a.z / greatest};
    double length = sqrt(dot(near, near));
    return (tr_dvec3){near.x / length, near.y / length, near.z / length};
}

static tr_push push_of(const tr3_point_body *body, tr_dvec3 n)
{
    tr_push push = {.lever = cross(body->arm, n), .move = scale(body->inverse_mass, n)};
    push.turn = product(body->inverse_inertia, push.lever);
    return push;
}

/* What a body's rotation adds to K: (r x n) . I (r x n), which is n . ((I (r x n)) x r). A tensor that was rounded may
   have an eigenvalue slightly below zero. */
static double turn_of(const tr_push *push)
{
    return fmax(dot(push->lever, push->turn), 0.0);
}

/* the most that it can add, for an arm across n and a lever along the greatest axis of the tensor */
static double turn_bound(const tr3_point_body *body)
{
    tr_dsym3 t = body->inverse_inertia;
    return (t.xx + t.yy + t.zz) * dot(body->arm, body->arm);
}

tr_row tr_row_make(const tr3_point_body *a, const tr3_point_body *b, tr_dvec3 direction)
{
    tr_row row = {.direction = normalized(direction)};
    row.a = push_of(a, row.direction);
    row.b = push_of(b, row.direction);
    double mass = a->inverse_mass + b->inverse_mass;
    double turn = turn_of(&row.a) + turn_of(&row.b);
    double bound = turn_bound(a) + turn_bound(b);
    /* if no body can be moved, an arm along n or a lever across a fixed axle leaves only rounding, and dividing by that
       would throw the bodies */
    row.held = mass == 0.0 && turn <= 1e-14 * bound;
    row.k = isfinite(bound) ? mass + turn : bound;
    return row;
}

double tr_row_rate(const tr_row *row, const tr3_velocity *a, const tr3_velocity *b)
{
    return dot(row->direction, b->linear) + dot(row->b.lever, b->angular) - dot(row->direction, a->linear) -
           dot(row->a.lever, a->angular);
}

tr_dvec3 tr_row_add(tr_dvec3 base, double share, tr_dvec3 push)
{
    return (tr_dvec3){base.x + share * push.x, base.y + share * push.y, base.z + share * push.z};
}
