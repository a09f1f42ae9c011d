/* Exact accelerations in space of machines at random and of large worlds: as dense as the equations, and as fine simulations. */
#include "exact_motion.h"
#include "space_accelerations.h"
#include "space_features.h"

/*
 * Many
 */
static tr3_world *machine(uint64_t *seed, uint32_t joints, bool stops)
{
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body bodies[8];
    for (int i = 0; i < 8; i++) {
        tr3_body_def def = tr3_body_def_default();
        uint32_t kind = random_index(seed, 12);
        def.type = kind == 0 ? TR_KINEMATIC : kind == 1 ? TR_STATIC : TR_DYNAMIC;
        def.position = (tr_dvec3){2.0 * (double)space_random(seed), 2.0 * (double)space_random(seed),
                                  2.0 * (double)space_random(seed)};
        def.rotation = (tr_quat){space_random(seed), space_random(seed), space_random(seed), 1.0f};
        def.mass = 1.5f + space_random(seed);
        def.inertia = (tr_sym3){1.0f + 0.2f * space_random(seed), 1.0f, 1.2f, 0.1f * space_random(seed), 0.1f, 0.0f};
        if (kind == 2)
            def.inertia = (tr_sym3){0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
        def.fixed_rotation = kind == 3;
        def.center = (tr_vec3){0.25f * space_random(seed), 0.125f, 0.0f};
        def.velocity = (tr_vec3){space_random(seed), space_random(seed), space_random(seed)};
        def.angular_velocity =
            (tr_vec3){2.0f * space_random(seed), 2.0f * space_random(seed), 2.0f * space_random(seed)};
        SPACE_OK(tr3_world_create_body(world, &def, &bodies[i]));
    }
    for (uint32_t i = 0; i < joints; i++) {
        /* ratios have tests of their own: test_space_gears.c */
        tr3_joint_type type = (tr3_joint_type)random_index(seed, TR3_JOINT_SCREW);
        uint32_t a = random_index(seed, 8), b = random_index(seed, 8);
        if (a == b)
            continue;
        tr_dvec3 at = {2.0 * (double)space_random(seed), 2.0 * (double)space_random(seed),
                       2.0 * (double)space_random(seed)};
        tr_dvec3 apart = {at.x + 1.0, at.y - 0.5, at.z + 0.25};
        tr3_joint_def def;
        SPACE_OK(tr3_joint_def_between(world, type, bodies[a], bodies[b], at, type == TR3_JOINT_DISTANCE ? apart : at,
                                       (tr_vec3){0.48f, 0.6f, 0.64f}, &def));
        bool free = tr3_joint_type_has(type, TR3_FIELD_SPRING_ENABLE) && space_coordinates(type) > 0;
        for (uint32_t k = 1; k < space_coordinates(type); k++)
            tr3_def_set_features(&def, k,
                                 (tr3_features){.motor = {random_index(seed, 3) == 0, 1.0f, 2.0f},
                                                .limit = {stops, -1.0f, k % 2 == 0 ? 0.0f : 1.0f},
                                                .locked = type == TR3_JOINT_GENERAL && k % 2 == 0});
        if (type == TR3_JOINT_GENERAL)
            def.locked = false;
        if (free && random_index(seed, 3) == 0)
            def.motor = (tr_motor){true, 1.0f, 2.0f};
        if (free && random_index(seed, 3) == 0)
            def.spring = (tr_spring){true, 0.1f, tr_frequency(2.0f, 0.3f)};
        if (random_index(seed, 5) == 0 && tr3_joint_type_has(type, TR3_FIELD_LINEAR_A))
            def.linear = tr_frequency(3.0f, 0.5f);
        if (stops && free)
            def.limit = random_index(seed, 2) == 0 ? (tr_limit){true, 0.0f, 1.0f} : (tr_limit){true, -1.0f, 0.0f};
        if (stops && type == TR3_JOINT_BALL)
            def.twist = (tr_limit){true, 0.0f, 1.0f};
        (void)space_joint(world, &def);
    }
    return world;
}

/* as of the plane: velocities are any */
static void machines_are_solved_as_densely(void **state)
{
    (void)state;
    uint64_t seed = 17;
    uint32_t redundant = 0, regular = 0;
    for (int round = 0; round < 200; round++) {
        tr3_world *world = machine(&seed, (uint32_t)(round % 16), false);
        uint32_t more = check_forces(world, 1e-11, 1e-7);
        redundant += more > 0;
        regular += more == 0;
        tr3_world_destroy(world);
    }
    assert_true(redundant > 30 && regular > 30);
}

static void machines_at_their_stops_are_complementary(void **state)
{
    (void)state;
    uint64_t seed = 23;
    uint32_t pushing = 0;
    for (int round = 0; round < 200; round++) {
        tr3_world *world = machine(&seed, 1 + (uint32_t)(round % 8), true);
        pushing += check_stops(world);
        tr3_world_destroy(world);
    }
    assert_true(pushing > 50);
}

/* a hanging chain of balls, and a block of welded cubes: all rows hold, and the uppermost carries all */
static void large_worlds_hold_all_rows(void **state)
{
    (void)state;
    enum { LINKS = 5000, SIDE = 6 };
    tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
    tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f}),
             last = ground;
    tr3_joint first = {0, 0, 0};
    for (int i = 0; i < LINKS; i++) {
        tr3_body link =
            space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, -1.0 - i, 0.0}, 1.0f, (tr_vec3){0.1f, 0.1f, 0.1f});
        tr3_joint_def def = space_between(world, TR3_JOINT_BALL, last, link, (tr_dvec3){0.0, -0.5 - i, 0.0}, x_axis);
        tr3_joint joint = space_joint(world, &def);
        first = i == 0 ? joint : first;
        last = link;
    }
    static tr3_body cube[SIDE * SIDE * SIDE];
    const int next[3] = {1, SIDE, SIDE * SIDE};
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        cube[i] = space_body(world, TR_DYNAMIC, (tr_dvec3){9.0 + i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE}, 1.0f,
                             (tr_vec3){0.2f, 0.2f, 0.2f});
    uint32_t welds = 0;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        for (int k = 0; k < 3; k++) {
            if (i / next[k] % SIDE + 1 == SIDE)
                continue;
            tr3_transform a, b;
            SPACE_OK(tr3_body_get_transform(world, cube[i], &a));
            SPACE_OK(tr3_body_get_transform(world, cube[i + next[k]], &b));
            tr_dvec3 at = {0.5 * (a.position.x + b.position.x), 0.5 * (a.position.y + b.position.y),
                           0.5 * (a.position.z + b.position.z)};
            tr3_joint_def def = space_between(world, TR3_JOINT_WELD, cube[i], cube[i + next[k]], at, x_axis);
            space_joint(world, &def);
            welds++;
        }
    tr_accelerations_report report = report_of(world);
    assert_int_equal(report.islands, 2);
    assert_int_equal(report.rows, 3 * LINKS + 6 * welds);
    /* the block is one body */
    assert_int_equal(report.redundant, 6 * welds - 6 * (SIDE * SIDE * SIDE - 1));
    assert_true(report.error < 1e-9);
    near_to(reaction(world, first).force.y, LINKS * (double)G, 1e-9 * LINKS * (double)G);
    near_vector(acceleration(world, cube[0]).linear, 0.0, -(double)G, 0.0, 1e-9);
    tr3_world_destroy(world);
}

/* the first velocities of a fine simulation from rest are the accelerations */
static void fine_simulations_begin_as_the_equations_say(void **state)
{
    (void)state;
    uint64_t seed = 31;
    for (int round = 0; round < 30; round++) {
        tr3_world *world = space_world(TR_SOFT_STEP, down, 1);
        tr3_body bodies[6];
        for (uint32_t i = 0; i < 6; i++) {
            tr_dvec3 at = {(double)i, (double)space_random(&seed), (double)space_random(&seed)};
            bodies[i] = space_body(world, i == 0 ? TR_STATIC : TR_DYNAMIC, at, 1.0f + 0.5f * space_random(&seed),
                                   (tr_vec3){0.3f, 0.35f, 0.4f});
        }
        for (uint32_t i = 1; i < 6; i++) {
            tr3_joint_type type = (tr3_joint_type)random_index(&seed, TR3_JOINT_TYPE_COUNT);
            tr_dvec3 at = {(double)i - 0.5, 0.2, 0.1}, other = {(double)i, 0.1, 0.0};
            /* across the axis */
            if (type == TR3_JOINT_CIRCLE)
                other = (tr_dvec3){at.x + 0.4, at.y, at.z - 0.3};
            tr3_joint_def def;
            SPACE_OK(tr3_joint_def_between(world, type, bodies[random_index(&seed, i)], bodies[i],
                                           type == TR3_JOINT_DISTANCE || type == TR3_JOINT_CIRCLE ? other : at, at,
                                           (tr_vec3){0.48f, 0.6f, 0.64f}, &def));
            /* a damper acts as soon as there is a velocity; friction has no equation */
            if (type == TR3_JOINT_MOTOR || type == TR3_JOINT_TARGET)
                def.linear = tr_physical(10.0f, 0.0f);
            if (type == TR3_JOINT_MOTOR)
                def.angular = tr_physical(10.0f, 0.0f);
            if (type == TR3_JOINT_FRICTION)
                def.max_force = def.max_torque = 0.0f;
            if (type == TR3_JOINT_INERTER)
                def.inertance = 0.5f;
            space_joint(world, &def);
        }
        SPACE_OK(tr3_world_set_joint_softness(world, 4000.0f, 1.0f));
        tr3_acceleration exact[6];
        tr3_accelerations what = {bodies, 6, exact, NULL, 0, NULL};
        SPACE_OK(tr3_world_accelerations(world, &what, NULL, NULL));
        const double time = 1.0 / 256.0;
        SPACE_OK(tr3_world_set_method(world, TR_SOFT_STEP, 4));
        SPACE_OK(tr3_world_step(world, time, 256));
        for (int i = 0; i < 6; i++) {
            tr_vec3 v, w;
            SPACE_OK(tr3_body_get_velocity(world, bodies[i], &v, &w));
            double scale = 0.03 * ((double)G + space_length(exact[i].linear) + space_length(exact[i].angular));
            near_vector(exact[i].linear, (double)v.x / time, (double)v.y / time, (double)v.z / time, scale);
            near_vector(exact[i].angular, (double)w.x / time, (double)w.y / time, (double)w.z / time, scale);
        }
        tr3_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_are_solved_as_densely),
        cmocka_unit_test(machines_at_their_stops_are_complementary),
        cmocka_unit_test(large_worlds_hold_all_rows),
        cmocka_unit_test(fine_simulations_begin_as_the_equations_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
