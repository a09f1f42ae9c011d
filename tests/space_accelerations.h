/* What tests of exact accelerations in space share. */
#ifndef TR_TEST_SPACE_ACCELERATIONS_H
#define TR_TEST_SPACE_ACCELERATIONS_H

#include "space.h"

#define G 9.81f

static const tr_vec3 down = {0.0f, -G, 0.0f}, still = {0.0f, 0.0f, 0.0f};
static const tr_vec3 x_axis = {1.0f, 0.0f, 0.0f}, y_axis = {0.0f, 1.0f, 0.0f}, z_axis = {0.0f, 0.0f, 1.0f};

static inline tr3_acceleration acceleration(const tr3_world *world, tr3_body id)
{
    tr3_acceleration out;
    SPACE_OK(tr3_body_acceleration(world, id, &out));
    return out;
}

static inline tr3_exact_reaction reaction(const tr3_world *world, tr3_joint id)
{
    tr3_exact_reaction out;
    SPACE_OK(tr3_joint_exact_reaction(world, id, &out));
    return out;
}

static inline tr_accelerations_report report_of(const tr3_world *world)
{
    tr3_accelerations all = {NULL, 0, NULL, NULL, 0, NULL};
    tr_accelerations_report report;
    SPACE_OK(tr3_world_accelerations(world, &all, NULL, &report));
    return report;
}

static inline void near_to(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.15g, expected %.15g", value, expected);
}

static inline void near_vector(tr_dvec3 value, double x, double y, double z, double tolerance)
{
    near_to(value.x, x, tolerance);
    near_to(value.y, y, tolerance);
    near_to(value.z, z, tolerance);
}

static inline tr_dvec3 cross(tr_dvec3 a, tr_dvec3 b)
{
    return (tr_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#endif
