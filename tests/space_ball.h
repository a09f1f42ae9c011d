/* A body on a ball, for tests of its coordinates. */
#ifndef TR_TESTS_SPACE_BALL_H
#define TR_TESTS_SPACE_BALL_H

#include "solver/space/geometry.h"
#include "space.h"

static inline double coordinate(const tr3_world *world, tr3_joint joint, uint32_t k)
{
    tr_joint_coordinate_value at;
    SPACE_OK(tr3_joint_coordinate_of(world, joint, k, &at));
    return (double)at.value;
}

static inline void near_to(const char *what, uint32_t k, double have, double want, double slack)
{
    if (!(fabs(have - want) <= slack))
        fail_msg("%s of coordinate %u: %.9g, not %.9g", what, k, have, want);
}

/* B on a ball at its centre, x and y as given; A is static and turned */
typedef struct bench {
    tr3_world *world;
    tr3_body a, b;
    tr3_joint_def def;
    tr_dvec3 axis[3]; /* of the frame, in the world */
} bench;

static inline bench bench_of(tr_method method, tr_vec3 inertia, bool turned)
{
    bench it = {.world = space_world(method, (tr_vec3){0.0f, 0.0f, 0.0f}, 1)};
    tr3_body_def def = tr3_body_def_default();
    def.type = TR_STATIC;
    def.rotation = turned ? (tr_quat){0.3f, -0.2f, 0.1f, 0.9f} : def.rotation;
    SPACE_OK(tr3_world_create_body(it.world, &def, &it.a));
    it.b = space_body(it.world, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, 2.0f, inertia);
    it.def =
        space_between(it.world, TR3_JOINT_BALL, it.a, it.b, (tr_dvec3){0.0, 0.0, 0.0}, (tr_vec3){1.0f, 0.0f, 0.0f});
    const tr3_dquat q = tr3_normalised(tr3_widen_quat(def.rotation));
    it.def.axis_2 = tr3_narrow(tr3_turned(tr3_conjugate(q), (tr_dvec3){0.0, 1.0, 0.0}));
    for (int k = 0; k < 3; k++)
        it.axis[k] = (tr_dvec3){k == 0, k == 1, k == 2};
    return it;
}

#endif
