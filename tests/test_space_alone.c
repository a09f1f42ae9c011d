/* Joints in space move as if they were alone, whatever features those beside them in the lanes of a vector have. */
#define TR_DIMENSION 3

#include "space.h"
#include "space_bits.h"
#include "space_features.h"

static const tr_vec3 down = {0.0f, -9.81f, 0.0f}, z_axis = {0.0f, 0.0f, 1.0f};

enum { PAIRS = 48 };

/* two bodies that turn, and a joint of some type between them without features */
static tr3_joint_def pair_of(tr3_world *world, tr3_joint_type type, uint32_t i, tr3_body body[2])
{
    uint64_t seed = 2000 + i;
    for (int end = 0; end < 2; end++) {
        tr3_body_def def = tr3_body_def_default();
        def.position = (tr_dvec3){0.5 * end, 0.3 * end, 0.0};
        def.mass = i % 3 == 0 ? 1.0f : 2.0f + space_random(&seed);
        def.inertia = (tr_sym3){0.1f, i % 2 == 0 ? 0.1f : 0.15f, 0.2f, 0.0f, 0.0f, 0.0f};
        def.angular_velocity = (tr_vec3){space_random(&seed), 3.0f * space_random(&seed), 4.0f * space_random(&seed)};
        SPACE_OK(tr3_world_create_body(world, &def, &body[end]));
    }
    return space_between(world, type, body[0], body[1], (tr_dvec3){0.2, 0.1, 0.1}, z_axis);
}

/* each feature of a ball is on in some and off in others; friction alone at last, so that all are featured */
static tr3_body ball_pair(tr3_world *world, uint32_t i)
{
    tr3_body body[2];
    tr3_joint_def def = pair_of(world, TR3_JOINT_BALL, i, body);
    for (uint32_t k = 0; k < 3 && i % 6 == 0; k++)
        tr3_def_set_features(&def, k,
                             (tr3_features){.spring = {(i + k) % 4 != 0, 0.2f, tr_frequency(2.0f, 0.3f)},
                                            .motor = {(i / 6 + k) % 3 == 0, 0.5f, 1.0f}});
    if (i % 4 == 1)
        def.cone_angle = 0.1f + 0.01f * (float)i;
    if (i % 8 == 1)
        def.cone_angle_2 = 0.3f;
    if (i % 4 == 2)
        def.twist = (tr_limit){true, -0.1f, 0.2f};
    if (i % 5 == 1)
        def.angular = i % 2 == 0 ? tr_frequency(3.0f, 0.5f) : tr_physical(2.0f, 0.1f);
    if (i % 7 == 1)
        def.linear = tr_physical(500.0f, 10.0f);
    def.friction = i % 3 == 0 ? 0.01f : 0.0f;
    def.friction = i % 4 == 3 ? 0.02f : def.friction;
    space_joint(world, &def);
    return body[1];
}

static void a_ball_does(void **state)
{
    (void)state;
    space_as_alone(ball_pair, down, PAIRS);
}

/* of every fourth all coordinates are free, of others some are locked */
static tr3_body general_pair(tr3_world *world, uint32_t i)
{
    tr3_body body[2];
    tr3_joint_def def = pair_of(world, TR3_JOINT_GENERAL, i, body);
    space_give_features(&def, i);
    for (uint32_t k = 0; k < TR3_COORDINATES; k++) {
        tr3_features f = tr3_def_features(&def, k);
        f.locked = f.locked && i % 4 != 0;
        tr3_def_set_features(&def, k, f);
    }
    space_joint(world, &def);
    return body[1];
}

static void a_general_joint_does(void **state)
{
    (void)state;
    space_as_alone(general_pair, down, PAIRS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_does),
        cmocka_unit_test(a_general_joint_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
