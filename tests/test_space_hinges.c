/* Hinges in space in the lanes of a vector: rigid and soft, plain and with features, upright and mirrored, near and far. */
#define TR_DIMENSION 3

#include "instrumented.h"
#include "space.h"
#include "space_bits.h"
#include "space_features.h"

static const tr_vec3 still = {0.0f, 0.0f, 0.0f}, down = {0.0f, -9.81f, 0.0f}, unit = {1.0f, 1.0f, 1.0f};
static const tr_vec3 z_axis = {0.0f, 0.0f, 1.0f};
static const tr_dvec3 origin = {0.0, 0.0, 0.0};

enum { PAIRS = 60 };

/* a pair of bodies on a hinge of the i-th kind; the seventh of each seven has nothing but the hinge */
static tr3_body hinge_pair(tr3_world *world, uint32_t i)
{
    uint64_t seed = 1000 + i;
    tr3_body body[2];
    for (int end = 0; end < 2; end++) {
        tr3_body_def def = tr3_body_def_default();
        def.position = (tr_dvec3){0.5 * end, 0.3 * end, 0.0};
        def.mass = i % 3 == 0 ? 1.0f : 2.0f + space_random(&seed);
        def.inertia = (tr_sym3){0.1f, i % 2 == 0 ? 0.1f : 0.15f, 0.2f, 0.0f, 0.0f, 0.0f};
        /* of some the axes are nearly opposite */
        if (end == 1 && i % 6 == 5)
            def.rotation = (tr_quat){0.995f, 0.0f, 0.0f, 0.0998749f};
        def.angular_velocity = (tr_vec3){space_random(&seed), space_random(&seed), 4.0f * space_random(&seed)};
        SPACE_OK(tr3_world_create_body(world, &def, &body[end]));
    }
    tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, body[0], body[1], (tr_dvec3){0.2, 0.1, 0.1}, z_axis);
    def.reference = (tr_quat){0.0f, 0.0f, 0.0f, 1.0f};
    if (i % 7 != 6) {
        space_give_features(&def, i);
        def.linear = i % 5 == 1 ? tr_frequency(8.0f, 0.7f) : i % 5 == 2 ? tr_physical(500.0f, 10.0f) : def.linear;
        def.angular = i % 5 == 3 ? tr_physical(20.0f, 1.0f) : def.angular;
    }
    space_joint(world, &def);
    return body[1];
}

static tr3_world *many(tr_method method, uint32_t threads)
{
    tr3_world *world = space_world(method, down, threads);
    for (uint32_t i = 0; i < PAIRS; i++)
        hinge_pair(world, i);
    return world;
}

static void hinges_of_all_kinds_have_the_same_bits(void **state)
{
    (void)state;
    space_same_bits(many, TRIALS(40), 2);
}

static void a_hinge_moves_as_if_it_were_alone(void **state)
{
    (void)state;
    space_as_alone(hinge_pair, down, PAIRS);
}

/* A body of 1 kg hangs at 1 m from its hinge. The less its moment of inertia, the more a force at the hinge turns it
   rather than moves it: K of the point then has parts that are 1e4 times others. */
static void a_hinge_holds_a_small_body_at_a_long_arm(void **state)
{
    (void)state;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        for (int size = 0; size < 3; size++) {
            const float moment = powf(10.0f, -2.0f * (float)size);
            tr3_world *world = space_world((tr_method)method, down, 1);
            tr3_body post = space_body(world, TR_STATIC, origin, 1.0f, unit);
            tr3_body weight =
                space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, -1.0, 0.0}, 1.0f, (tr_vec3){moment, moment, moment});
            tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, post, weight, origin, z_axis);
            tr3_joint joint = space_joint(world, &def);
            SPACE_OK(tr3_body_set_velocity(world, weight, (tr_vec3){1.0f, 0.0f, 0.0f}, (tr_vec3){0.0f, 0.0f, 1.0f}));
            double worst = 0.0, tilted = 0.0;
            for (int step = 0; step < 120; step++) {
                SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
                tr_joint_error_value error;
                SPACE_OK(tr3_joint_error(world, joint, &error));
                worst = fmax(worst, (double)error.linear);
                tilted = fmax(tilted, (double)error.angular);
            }
            print_message("%s, %g kg m^2: %.2g m, %.2g rad\n", tr_method_name((tr_method)method), (double)moment, worst,
                          tilted);
            if (!(worst < 3e-3) || !(tilted < 1e-4))
                fail_msg("%s, %g kg m^2: %g m, %g rad", tr_method_name((tr_method)method), (double)moment, worst,
                         tilted);
            tr3_world_destroy(world);
        }
    }
}

/* two bodies on a hinge with a servo and stops keep their momentum, and their angular momentum about any point */
static void a_servo_keeps_momentum(void **state)
{
    (void)state;
    tr3_world *world = space_world(TR_SOFT_STEP, still, 1);
    for (uint32_t i = 0; i < PAIRS; i++)
        hinge_pair(world, i);
    tr3_measures begin = tr3_world_measure(world);
    for (int step = 0; step < TRIALS(300); step++)
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
    tr3_measures end = tr3_world_measure(world);
    const double moved = space_length(space_minus(end.momentum, begin.momentum));
    const double turned = space_length(space_minus(end.angular_momentum, begin.angular_momentum));
    print_message("momentum off by %.2g of %.2g, angular momentum by %.2g of %.2g\n", moved,
                  space_length(begin.momentum), turned, space_length(begin.angular_momentum));
    assert_true(moved < 1e-4);
    assert_true(turned < 1e-3 * space_length(begin.angular_momentum));
    tr3_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hinges_of_all_kinds_have_the_same_bits),
        cmocka_unit_test(a_hinge_moves_as_if_it_were_alone),
        cmocka_unit_test(a_hinge_holds_a_small_body_at_a_long_arm),
        cmocka_unit_test(a_servo_keeps_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
