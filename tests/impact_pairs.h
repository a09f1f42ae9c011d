/* What the tests of impacts and corrections share: vectors, random pairs of bodies in space and in the plane, and
   definitions with one invalid number. */
#ifndef TR_TESTS_IMPACT_PAIRS_H
#define TR_TESTS_IMPACT_PAIRS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "trammel/trammel.h"

/* |is - want| <= tolerance, or the test fails and says what differs */
#define NEAR(what, is, want, tolerance) near_at(what, is, want, tolerance, __FILE__, __LINE__)

static inline void near_at(const char *what, double is, double want, double tolerance, const char *file, int line)
{
    if (fabs(is - want) <= tolerance)
        return;
    print_error("%s: is %.17g, must be %.17g within %.3g, is off by %.3g\n", what, is, want, tolerance, is - want);
    _fail(file, line);
}

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
/* 0 to 1 */
static inline double random_share(uint64_t *state)
{
    return (double)random_index(state, 1u << 30) / (double)(1u << 30);
}

static inline double random_between(uint64_t *state, double least, double most)
{
    return least + (most - least) * random_share(state);
}

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

/*
 * Invalid input
 */
typedef struct member {
    const char *name; /* as in the message, after "def." */
    size_t offset;    /* of the double in the definition */
    bool negative;    /* may be negative */
} member;

#define MEMBER(type, path, negative)                                                                                   \
    {                                                                                                                  \
#path, offsetof(type, path), negative                                                                          \
    }

/* calls with a copy of a valid definition; returns the status */
typedef tr_status call_with(const void *def, tr_error *error);

/* sets each member to each number that it must not be; the message must name it */
static inline void check_members(const void *valid, size_t size, const member *members, size_t count, const char *call,
                                 call_with *with)
{
    const struct {
        double value;
        tr_status status;
        const char *says;
    } faults[] = {
        {(double)NAN, TR_ERROR_NAN, "is NaN"},
        {(double)INFINITY, TR_ERROR_INFINITE, "is infinite"},
        {(double)-INFINITY, TR_ERROR_INFINITE, "is infinite"},
        {-1e-3, TR_ERROR_NEGATIVE, "must not be negative"},
    };
    _Alignas(max_align_t) unsigned char def[1024];
    assert_true(size <= sizeof def);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
            if (members[i].negative && faults[k].status == TR_ERROR_NEGATIVE)
                continue;
            memcpy(def, valid, size);
            memcpy(def + members[i].offset, &faults[k].value, sizeof faults[k].value);
            tr_error error = {TR_OK, ""};
            assert_int_equal(with(def, &error), faults[k].status);
            assert_int_equal(error.status, faults[k].status);
            char start[TR_MESSAGE_SIZE];
            snprintf(start, sizeof start, "%s: def.%s ", call, members[i].name);
            assert_memory_equal(error.message, start, strlen(start));
            assert_non_null(strstr(error.message, faults[k].says));
            /* without an error to write to */
            assert_int_equal(with(def, NULL), faults[k].status);
        }
}

/* any double but those that are not finite: every exponent, and both zeros */
static inline double random_bits(uint64_t *state)
{
    double value;
    do {
        uint64_t bits = 0;
        for (int i = 0; i < 4; i++)
            bits = bits << 16 | random_index(state, 1u << 16);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return random_index(state, 8) == 0 ? 0.0 * value : value;
}

#endif
