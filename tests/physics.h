/* What the tests of physics share: worlds and bodies in a line each, and comparisons that say what they compared. */
#ifndef TR_TESTS_PHYSICS_H
#define TR_TESTS_PHYSICS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "instrumented.h"
#include "oscillator.h"
#include "random.h"
#include "trammel/trammel.h"

#define PI 3.14159265358979323846
#define G  9.81 /* m/s^2 */

#define MUST(call) assert_int_equal(call, TR_OK)

/* |is - want| <= tolerance, or the test fails and says what differs */
#define NEAR(what, is, want, tolerance) near_at(what, is, want, tolerance, __FILE__, __LINE__)

static inline void near_at(const char *what, double is, double want, double tolerance, const char *file, int line)
{
    if (fabs(is - want) <= tolerance)
        return;
    print_error("%s: is %.9g, must be %.9g within %.3g, is off by %.3g\n", what, is, want, tolerance, is - want);
    _fail(file, line);
}

/* One thread: the tests of determinism show that more make no difference. Nothing sleeps: laws are measured where bodies
   hang, creep and come to rest. */
static inline tr2_world *world_of(double gravity, float joint_frequency)
{
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = false;
    def.gravity = (tr_vec2){0.0f, -(float)gravity};
    def.joint_frequency = joint_frequency;
    def.threads = 1;
    tr2_world *world = NULL;
    MUST(tr2_world_create(&def, &world, NULL));
    return world;
}

static inline void steps(tr2_world *world, double dt, uint32_t substeps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        MUST(tr2_world_step(world, dt, substeps));
}

static inline tr2_body static_at(tr2_world *world, double x, double y)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body body;
    def.type = TR_STATIC;
    def.position = (tr_dvec2){x, y};
    MUST(tr2_world_create_body(world, &def, &body));
    return body;
}

static inline tr2_body body_at(tr2_world *world, double x, double y, double angle, double mass, double inertia)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body body;
    def.position = (tr_dvec2){x, y};
    def.angle = angle;
    def.mass = (float)mass;
    def.inertia = (float)inertia;
    MUST(tr2_world_create_body(world, &def, &body));
    return body;
}

static inline tr2_body_def body_now(const tr2_world *world, tr2_body body)
{
    tr2_body_def def;
    MUST(tr2_body_get(world, body, &def));
    return def;
}

/* the same bits */
static inline bool moves_alike(const tr2_world *a, tr2_body body, const tr2_world *b, tr2_body other)
{
    const tr2_body_def p = body_now(a, body), q = body_now(b, other);
    return p.position.x == q.position.x && p.position.y == q.position.y && p.angle == q.angle &&
           p.velocity.x == q.velocity.x && p.velocity.y == q.velocity.y && p.angular_velocity == q.angular_velocity;
}

static inline tr2_joint_def joint_between(tr2_joint_type type, tr2_body a, tr2_body b, tr_vec2 anchor_a,
                                          tr_vec2 anchor_b)
{
    tr2_joint_def def = tr2_joint_def_default(type);
    def.body_a = a;
    def.body_b = b;
    def.anchor_a = anchor_a;
    def.anchor_b = anchor_b;
    return def;
}

static inline tr2_joint join(tr2_world *world, tr2_joint_def def)
{
    tr2_joint joint;
    MUST(tr2_world_create_joint(world, &def, &joint));
    return joint;
}

static inline tr2_joint revolute(tr2_world *world, tr2_body a, tr2_body b, tr_vec2 anchor_a, tr_vec2 anchor_b)
{
    return join(world, joint_between(TR2_JOINT_REVOLUTE, a, b, anchor_a, anchor_b));
}

static inline tr2_reaction reaction_of(const tr2_world *world, tr2_joint joint)
{
    tr2_reaction r;
    MUST(tr2_joint_reaction(world, joint, &r));
    return r;
}

static inline tr_joint_coordinate_value coordinate_of(const tr2_world *world, tr2_joint joint)
{
    tr_joint_coordinate_value c;
    MUST(tr2_joint_coordinate(world, joint, &c));
    return c;
}

static inline tr_joint_error_value error_of(const tr2_world *world, tr2_joint joint)
{
    tr_joint_error_value e;
    MUST(tr2_joint_error(world, joint, &e));
    return e;
}

/* kinetic, of gravity, and in springs of known stiffness */
static inline double energy_of(const tr2_world *world)
{
    tr2_measures measures = tr2_world_measure(world);
    return measures.kinetic_energy + measures.potential_energy;
}

/* a point of the world in a body's frame */
static inline tr_vec2 local_point_of(const tr2_world *world, tr2_body body, double x, double y)
{
    tr2_body_def b = body_now(world, body);
    double dx = x - b.position.x, dy = y - b.position.y, c = cos(b.angle), s = sin(b.angle);
    return (tr_vec2){(float)(c * dx + s * dy), (float)(c * dy - s * dx)};
}

/* a repeatable number between low and high */
static inline double random_between(uint64_t *seed, double low, double high)
{
    random_step(seed);
    return low + (high - low) * ((double)(*seed >> 40) * 0x1p-24);
}

#endif
