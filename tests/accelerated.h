/* Bodies and joints of the plane, and what the exact equations say of them, for tests. */
#ifndef TR_TESTS_ACCELERATED_H
#define TR_TESTS_ACCELERATED_H

#include "world_fixture.h"

#define G 9.81f

static inline tr2_body place(tr2_world *world, tr_body_type type, double x, double y, float mass, float inertia)
{
    tr2_body_def def = tr2_body_def_default();
    def.type = type;
    def.position = (tr_dvec2){x, y};
    def.mass = mass;
    def.inertia = inertia;
    tr2_body id;
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    return id;
}

static inline tr2_joint_def joint_at(tr2_world *world, tr2_joint_type type, tr2_body a, tr2_body b, double x, double y)
{
    tr2_joint_def def;
    tr_dvec2 at = {x, y};
    assert_ok(world, tr2_joint_def_between(world, type, a, b, at, at, (tr_vec2){1.0f, 0.0f}, &def));
    return def;
}

static inline tr2_joint connect(tr2_world *world, const tr2_joint_def *def)
{
    tr2_joint id;
    assert_ok(world, tr2_world_create_joint(world, def, &id));
    return id;
}

static inline tr2_joint hinge(tr2_world *world, tr2_body a, tr2_body b, double x, double y)
{
    tr2_joint_def def = joint_at(world, TR2_JOINT_REVOLUTE, a, b, x, y);
    return connect(world, &def);
}

static inline tr2_acceleration acceleration(const tr2_world *world, tr2_body id)
{
    tr2_acceleration out;
    assert_ok(world, tr2_body_acceleration(world, id, &out));
    return out;
}

static inline tr2_exact_reaction reaction(const tr2_world *world, tr2_joint id)
{
    tr2_exact_reaction out;
    assert_ok(world, tr2_joint_exact_reaction(world, id, &out));
    return out;
}

static inline tr_accelerations_report report_of(const tr2_world *world)
{
    tr2_accelerations all = {NULL, 0, NULL, NULL, 0, NULL};
    tr_accelerations_report report;
    assert_ok(world, tr2_world_accelerations(world, &all, NULL, &report));
    return report;
}

static inline void near_to(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.15g, expected %.15g", value, expected);
}

/* to the last bit */
static inline bool is_same(tr2_acceleration a, tr2_acceleration b)
{
    return a.linear.x == b.linear.x && a.linear.y == b.linear.y && a.angular == b.angular;
}

#endif
