/* What the tests of impacts and corrections share: vectors, random pairs of bodies in space and in the plane. */
#ifndef TR_TESTS_IMPACT_PAIRS_H
#define TR_TESTS_IMPACT_PAIRS_H

#include "physics.h"

#define NEAR3(what, is, want, tolerance) near3_at(what, is, want, tolerance, __FILE__, __LINE__)

static inline void near3_at(const char *what, tr_dvec3 is, tr_dvec3 want, double tolerance, const char *file, int line)
{
    near_at(what, is.x, want.x, tolerance, file, line);
    near_at(what, is.y, want.y, tolerance, file, line);
    near_at(what, is.z, want.z, tolerance, file, line);
}

/*
 * Vectors
 */
static inline tr_dvec3 plus(tr_dvec3 a, tr_dvec3 b)
{
    return (tr_dvec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline tr_dvec3 times(double s, tr_dvec3 a)
{
    return (tr_dvec3){s * a.x, s * a.y, s * a.z};
}

static inline tr_dvec3 minus(tr_dvec3 a, tr_dvec3 b)
{
    return plus(a, times(-1.0, b));
}

static inline double dot(tr_dvec3 a, tr_dvec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double length(tr_dvec3 a)
{
    return sqrt(dot(a, a));
}

static inline tr_dvec3 cross(tr_dvec3 a, tr_dvec3 b)
{
    return (tr_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline tr_dvec3 product(tr_dsym3 t, tr_dvec3 a)
{
    return (tr_dvec3){t.xx * a.x + t.xy * a.y + t.xz * a.z, t.xy * a.x + t.yy * a.y + t.yz * a.z,
                      t.xz * a.x + t.yz * a.y + t.zz * a.z};
}

/* v turned by the rotation vector w (Rodrigues) */
static inline tr_dvec3 turned(tr_dvec3 v, tr_dvec3 w)
{
    double angle = length(w);
    if (angle == 0.0)
        return v;
    tr_dvec3 axis = times(1.0 / angle, w);
    return plus(plus(times(cos(angle), v), times(sin(angle), cross(axis, v))),
                times((1.0 - cos(angle)) * dot(axis, v), axis));
}

static inline tr_dsym3 inverse(tr_dsym3 t)
{
    tr_dsym3 c = {t.yy * t.zz - t.yz * t.yz, t.xx * t.zz - t.xz * t.xz, t.xx * t.yy - t.xy * t.xy,
                  t.xz * t.yz - t.xy * t.zz, t.xy * t.yz - t.xz * t.yy, t.xy * t.xz - t.yz * t.xx};
    double determinant = t.xx * c.xx + t.xy * c.xy + t.xz * c.xz;
    return (tr_dsym3){c.xx / determinant, c.yy / determinant, c.zz / determinant,
                      c.xy / determinant, c.xz / determinant, c.yz / determinant};
}

static inline tr_dvec3 in_space(tr_dvec2 v)
{
    return (tr_dvec3){v.x, v.y, 0.0};
}

/*
 * Random pairs
 */
/* 0.01 to 100, every decade as likely */
static inline double random_size(uint64_t *state)
{
    return pow(10.0, random_between(state, -2.0, 2.0));
}

static inline tr_dvec3 random_vector(uint64_t *state, bool plane)
{
    tr_dvec3 v = {random_between(state, -1.0, 1.0), random_between(state, -1.0, 1.0), 0.0};
    if (!plane)
        v.z = random_between(state, -1.0, 1.0);
    return v;
}

static inline tr_dvec3 random_direction(uint64_t *state, bool plane)
{
    tr_dvec3 v;
    do
        v = random_vector(state, plane);
    while (length(v) < 0.1);
    return times(1.0 / length(v), v);
}

/* a free body with its mass, its tensor of inertia and its centre of mass; in the plane it turns about z only */
typedef struct free_body {
    double mass;
    tr_dsym3 inertia; /* in the plane zz only */
    tr_dvec3 position;
    tr3_velocity velocity;
    tr3_point_body point;
} free_body;

/* a box with one corner more than the others: any tensor that a body can have, in any rotation */
static inline free_body random_body(uint64_t *state, bool plane)
{
    free_body body = {.mass = random_size(state)};
    tr_dvec3 sides[4];
    for (int i = 0; i < 4; i++)
        sides[i] = random_vector(state, plane);
    for (int i = 0; i < 4; i++) {
        tr_dvec3 s = sides[i];
        body.inertia.xx += body.mass * (s.y * s.y + s.z * s.z);
        body.inertia.yy += body.mass * (s.x * s.x + s.z * s.z);
        body.inertia.zz += body.mass * (s.x * s.x + s.y * s.y);
        body.inertia.xy -= body.mass * s.x * s.y;
        body.inertia.xz -= body.mass * s.x * s.z;
        body.inertia.yz -= body.mass * s.y * s.z;
    }
    if (plane) {
        body.inertia = (tr_dsym3){.zz = body.inertia.zz};
        body.point.inverse_inertia.zz = 1.0 / body.inertia.zz;
    } else {
        body.point.inverse_inertia = inverse(body.inertia);
    }
    body.point.inverse_mass = 1.0 / body.mass;
    body.velocity.linear = times(3.0, random_vector(state, plane));
    body.velocity.angular =
        plane ? (tr_dvec3){0.0, 0.0, random_between(state, -5.0, 5.0)} : times(5.0, random_vector(state, false));
    return body;
}

/* two bodies whose points are `gap` apart along the direction n, from A to B */
typedef struct free_pair {
    free_body a, b;
    tr_dvec3 n;
} free_pair;

static inline free_pair random_pair(uint64_t *state, bool plane, double gap)
{
    free_pair pair = {random_body(state, plane), random_body(state, plane), random_direction(state, plane)};
    pair.a.point.arm = random_vector(state, plane);
    pair.b.point.arm = random_vector(state, plane);
    tr_dvec3 point = times(3.0, random_vector(state, plane));
    pair.a.position = minus(point, pair.a.point.arm);
    pair.b.position = minus(plus(point, times(gap, pair.n)), pair.b.point.arm);
    return pair;
}

static inline tr2_point_body point_in_plane(const tr3_point_body *body)
{
    return (tr2_point_body){body->inverse_mass, body->inverse_inertia.zz, {body->arm.x, body->arm.y}};
}

/* n . (qB - qA), the bodies displaced by `share` of the displacements */
static inline double separation(const free_pair *pair, const tr3_displacement *a, const tr3_displacement *b,
                                double share)
{
    tr_dvec3 point_a =
        plus(plus(pair->a.position, times(share, a->linear)), turned(pair->a.point.arm, times(share, a->angular)));
    tr_dvec3 point_b =
        plus(plus(pair->b.position, times(share, b->linear)), turned(pair->b.point.arm, times(share, b->angular)));
    return dot(pair->n, minus(point_b, point_a));
}

/* an impact of two bodies that turn, whose result is known */
static inline tr3_impact_def reference_def(void)
{
    const tr_dsym3 inertia_a = {2.0, 3.0, 4.0, 0.3, 0.0, -0.2}, inertia_b = {1.0, 1.5, 2.0, 0.0, 0.1, 0.0};
    return (tr3_impact_def){
        .body_a = {1.0 / 3.0, inverse(inertia_a), {0.5, 0.2, -0.3}},
        .body_b = {1.0 / 1.5, inverse(inertia_b), {-0.4, 0.1, 0.6}},
        .velocity_a = {{1.0, 2.0, 3.0}, {0.3, -0.7, 0.2}},
        .velocity_b = {{-2.0, 0.5, 1.0}, {1.0, 0.1, -0.4}},
        .normal = {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0},
        .restitution = 0.6,
    };
}

#endif
