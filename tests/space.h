/* Worlds in space for tests: bodies, measures, and a generator of random numbers. */
#ifndef TR_TESTS_SPACE_H
#define TR_TESTS_SPACE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "trammel/trammel.h"

#define SPACE_OK(call) assert_int_equal(call, TR_OK)

/* nothing sleeps: laws are measured where bodies hang, creep and come to rest */
static inline tr3_world *space_world(tr_method method, tr_vec3 gravity, uint32_t threads)
{
    tr3_world_def def = tr3_world_def_default();
    def.sleep.enable = false;
    def.gravity = gravity;
    def.method = method;
    def.threads = threads;
    def.tag = 1;
    tr3_world *world = NULL;
    SPACE_OK(tr3_world_create(&def, &world, NULL));
    return world;
}

static inline tr3_body space_body(tr3_world *world, tr_body_type type, tr_dvec3 at, float mass, tr_vec3 inertia)
{
    tr3_body_def def = tr3_body_def_default();
    def.type = type;
    def.position = at;
    def.mass = mass;
    def.inertia = (tr_sym3){inertia.x, inertia.y, inertia.z, 0.0f, 0.0f, 0.0f};
    tr3_body body;
    SPACE_OK(tr3_world_create_body(world, &def, &body));
    return body;
}

static inline tr3_joint space_joint(tr3_world *world, const tr3_joint_def *def)
{
    tr3_joint joint;
    tr_status status = tr3_world_create_joint(world, def, &joint);
    if (status != TR_OK)
        fail_msg("%s", tr3_world_last_error(world)->message);
    return joint;
}

static inline tr3_joint_def space_between(tr3_world *world, tr3_joint_type type, tr3_body a, tr3_body b, tr_dvec3 at,
                                          tr_vec3 axis)
{
    tr3_joint_def def = tr3_joint_def_default(type);
    tr_status status = tr3_joint_def_between(world, type, a, b, at, at, axis, &def);
    if (status != TR_OK)
        fail_msg("%s", tr3_world_last_error(world)->message);
    return def;
}

static inline double space_length(tr_dvec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static inline tr_dvec3 space_minus(tr_dvec3 a, tr_dvec3 b)
{
    return (tr_dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* in -1 .. 1 */
static inline float space_random(uint64_t *seed)
{
    random_step(seed);
    return (float)(int32_t)(*seed >> 32) * 0x1p-31f;
}

#endif
