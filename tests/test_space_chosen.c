/*
 * Which islands the direct method takes in a world of sweeps in space (docs/exact.md): hubs of any number of joints, also
 * where joints close loops through them, and bodies on levers; not sheets of bodies on levers. What it takes holds, and
 * carries what is swept.
 */
#include "space_contacts.h"

#define RATE 0.5 /* rad/s */

static double kinetic(const tr3_world *world)
{
    return tr3_world_measure(world).kinetic_energy;
}

/* a hub of 10 kg that turns about z on a ball, with spokes of 0.5 kg all around; each may be welded to the one before it,
   in pairs or all around, which leaves as many rows too many */
static tr3_world *wheel(uint32_t spokes, tr3_joint_type type, uint32_t tied)
{
    tr3_world *world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, 0.0f, 0.0f}, 1);
    const tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
    const tr3_body hub =
        space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 0.0}, 10.0f, (tr_vec3){10.0f, 10.0f, 20.0f});
    const tr_vec3 z = {0.0f, 0.0f, 1.0f}, spin = {0.0f, 0.0f, (float)RATE};
    tr3_joint_def def = space_between(world, TR3_JOINT_HINGE, ground, hub, (tr_dvec3){0.0, 0.0, 0.0}, z);
    (void)space_joint(world, &def);
    SPACE_OK(tr3_body_set_velocity(world, hub, (tr_vec3){0.0f, 0.0f, 0.0f}, spin));
    tr3_body before = hub, first = hub;
    for (uint32_t i = 0; i < spokes; i++) {
        const double angle = 6.283185307179586 * i / spokes, c = cos(angle), s = sin(angle);
        const tr3_body spoke =
            space_body(world, TR_DYNAMIC, (tr_dvec3){2.0 * c, 2.0 * s, 0.0}, 0.5f, (tr_vec3){0.05f, 0.05f, 0.05f});
        SPACE_OK(tr3_body_set_velocity(world, spoke, (tr_vec3){(float)(-2.0 * RATE * s), (float)(2.0 * RATE * c), 0.0f},
                                       spin));
        def = space_between(world, type, hub, spoke, (tr_dvec3){1.5 * c, 1.5 * s, 0.0}, z);
        (void)space_joint(world, &def);
        if (tied > 0 && i > 0 && (tied == 1 || i % tied == 1)) {
            def = space_between(world, TR3_JOINT_WELD, before, spoke, (tr_dvec3){2.0 * c, 2.0 * s, 0.0}, z);
            (void)space_joint(world, &def);
        }
        first = i == 0 ? spoke : first;
        before = spoke;
    }
    if (tied == 1) {
        def = space_between(world, TR3_JOINT_WELD, before, first, (tr_dvec3){2.0, 0.0, 0.0}, z);
        (void)space_joint(world, &def);
    }
    return world;
}

/* It turns freely: no joint adds any work, and none gives way. Rates are floats at the start, as are rotations when joints are
   measured. Loops with rows too many lose some energy: what each asks of the motion is right to second order only, and not
   the same. */
static void hubs_of_any_number_of_joints_are_chosen(void **state)
{
    (void)state;
    static const struct {
        uint32_t spokes, tied;
        tr3_joint_type type;
    } cases[] = {{40, 0, TR3_JOINT_BALL},  {400, 0, TR3_JOINT_HINGE}, {60, 2, TR3_JOINT_WELD},
                 {300, 2, TR3_JOINT_WELD}, {60, 1, TR3_JOINT_WELD},   {300, 1, TR3_JOINT_BALL}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        tr3_world *world = wheel(cases[k].spokes, cases[k].type, cases[k].tied);
        const double begun = kinetic(world);
        double error = 0.0;
        for (int i = 0; i < 20; i++) {
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
            error = fmax(error, tr3_world_measure(world).joint_error_max);
        }
        print_message("%u spokes, tied %u: off by %.2g m, energy %.2g\n", cases[k].spokes, cases[k].tied, error,
                      kinetic(world) / begun - 1.0);
        assert_int_equal(tr3_world_statistics(world).direct_islands, 1);
        assert_int_equal(tr3_world_statistics(world).direct_unsettled, 0);
        assert_true(error < 1e-6);
        const double gain = kinetic(world) / begun - 1.0;
        assert_true(gain < 1e-6 && gain > (cases[k].tied > 0 ? -2e-3 : -1e-6));
        tr3_world_destroy(world);
    }
}

/* A pendulum that hangs on a lever of m r^2 so many times its inertia, as body B: from 30 times on sweeps would feed it. */
static void bodies_on_long_levers_are_chosen(void **state)
{
    (void)state;
    static const double ratios[] = {10.0, 29.0, 31.0, 1000.0};
    for (size_t k = 0; k < sizeof ratios / sizeof ratios[0]; k++) {
        tr3_world *world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, 0.0f, -9.81f}, 1);
        const tr3_body post =
            space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
        /* about the lever it may have next to nothing: no force turns it there */
        const float inertia = (float)(4.0 / ratios[k]);
        const tr3_body bob =
            space_body(world, TR_DYNAMIC, (tr_dvec3){2.0, 0.0, 0.0}, 1.0f, (tr_vec3){0.5f * inertia, inertia, inertia});
        const tr3_joint_def def =
            space_between(world, TR3_JOINT_BALL, post, bob, (tr_dvec3){0.0, 0.0, 0.0}, (tr_vec3){0.0f, 1.0f, 0.0f});
        (void)space_joint(world, &def);
        double up = 0.0;
        for (int i = 0; i < 300; i++) {
            SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
            const tr3_measures now = tr3_world_measure(world);
            up = fmax(up, now.kinetic_energy + now.potential_energy);
        }
        print_message("m r^2 of %g times the inertia: energy up by %.2g J\n", ratios[k], up);
        assert_int_equal(tr3_world_statistics(world).direct_islands, ratios[k] > 30.0 ? 1 : 0);
        /* of the 20 J that it exchanges */
        assert_true(ratios[k] < 30.0 || up < 0.02);
        tr3_world_destroy(world);
    }
}

/* Balls that hold each other in a sheet, on levers of ten radii, hang on four of them: sweeps hold that, at a hundredth of the
   time. A chain of them is taken. */
static void sheets_on_long_levers_are_left_to_sweeps(void **state)
{
    (void)state;
    enum { MOST = 6 };
    for (int rows = 1; rows <= MOST; rows += MOST - 1) {
        tr3_world *world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, 0.0f, -9.81f}, 1);
        const tr3_body post =
            space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
        tr3_body balls[MOST][MOST];
        const tr_vec3 z = {0.0f, 0.0f, 1.0f};
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < MOST; k++) {
                balls[i][k] =
                    space_body(world, TR_DYNAMIC, (tr_dvec3){k, i, 0.0}, 1.0f, (tr_vec3){0.001f, 0.001f, 0.001f});
                tr3_joint_def def = space_between(world, TR3_JOINT_BALL, k == 0 ? post : balls[i][k - 1], balls[i][k],
                                                  (tr_dvec3){k - 0.5, i, 0.0}, z);
                if (k > 0 || i == 0 || i == rows - 1)
                    (void)space_joint(world, &def);
                if (i == 0)
                    continue;
                def =
                    space_between(world, TR3_JOINT_BALL, balls[i - 1][k], balls[i][k], (tr_dvec3){k, i - 0.5, 0.0}, z);
                (void)space_joint(world, &def);
            }
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
        assert_int_equal(tr3_world_statistics(world).direct_islands, rows == 1 ? 1 : 0);
        tr3_world_destroy(world);
    }
}

/* Joints of 300 rungs between two light hubs would all be coupled with each other: too much work. Those of 60 are not too
   many. */
static void rungs_between_two_hubs_are_left_to_sweeps(void **state)
{
    (void)state;
    static const uint32_t counts[] = {60, 300};
    for (size_t n = 0; n < 2; n++) {
        tr3_world *world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, 0.0f, 0.0f}, 1);
        tr3_body hubs[2];
        const tr_vec3 z = {0.0f, 0.0f, 1.0f};
        for (int side = 0; side < 2; side++)
            hubs[side] =
                space_body(world, TR_DYNAMIC, (tr_dvec3){0.0, 0.0, 2.0 * side}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f});
        for (uint32_t i = 0; i < counts[n]; i++) {
            const double x = 0.01 * i;
            const tr3_body rung =
                space_body(world, TR_DYNAMIC, (tr_dvec3){x, 0.0, 1.0}, 1.0f, (tr_vec3){0.1f, 0.1f, 0.1f});
            for (int side = 0; side < 2; side++) {
                const tr3_joint_def def =
                    space_between(world, TR3_JOINT_BALL, hubs[side], rung, (tr_dvec3){x, 0.0, 0.5 + side}, z);
                (void)space_joint(world, &def);
            }
        }
        SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 1));
        assert_int_equal(tr3_world_statistics(world).direct_islands, n == 0 ? 1 : 0);
        tr3_world_destroy(world);
    }
}

/* Balls of 50 kg fall by 1 cm on a plate of 5 kg, welded to a post of 1 kg, welded to the ground: too many to join them. The
   plate does not move, and the ground carries all. */
static void a_stand_carries_what_is_swept(void **state)
{
    (void)state;
    enum { BALLS = 20 };
    const tr_dvec3 half = {2.0, 0.1, 2.0};
    const double radius = 0.1;
    tr3_world *world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, -9.81f, 0.0f}, 1);
    const tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 0.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f}),
                   post = space_box(world, (tr_dvec3){0.0, 0.5, 0.0}, (tr_dvec3){0.1, 0.5, 0.1}, 1.0),
                   plate = space_box(world, (tr_dvec3){0.0, 1.1, 0.0}, half, 5.0);
    tr3_joint_def def =
        space_between(world, TR3_JOINT_WELD, ground, post, (tr_dvec3){0.0, 0.0, 0.0}, (tr_vec3){0.0f, 1.0f, 0.0f});
    const tr3_joint foot = space_joint(world, &def);
    def = space_between(world, TR3_JOINT_WELD, post, plate, (tr_dvec3){0.0, 1.0, 0.0}, (tr_vec3){0.0f, 1.0f, 0.0f});
    (void)space_joint(world, &def);
    SPACE_OK(tr3_body_set_direct(world, plate, true));
    tr3_body ball[BALLS];
    tr3_contact_def contacts[BALLS];
    for (int i = 0; i < BALLS; i++)
        ball[i] = space_ball(world, (tr_dvec3){0.6 * (i % 5) - 1.2, 1.31, 0.6 * (i / 5) - 1.2}, radius, 50.0);
    for (int step = 0; step < 60; step++) {
        const space_plane top = space_top_of(world, plate, half);
        for (int i = 0; i < BALLS; i++)
            contacts[i] = space_ball_on(world, &top, ball[i], radius);
        SPACE_OK(tr3_world_set_contacts(world, contacts, BALLS));
        SPACE_OK(tr3_world_step(world, SPACE_DT, 4));
        assert_int_equal(tr3_world_statistics(world).direct_islands, 1);
        SPACE_NEAR("plate", space_now(world, plate).position.y, 1.1, 1e-6);
    }
    for (int i = 0; i < BALLS; i++)
        SPACE_NEAR("ball", space_now(world, ball[i]).position.y, 1.3, 2e-3);
    tr3_reaction reaction;
    SPACE_OK(tr3_joint_reaction(world, foot, &reaction));
    SPACE_NEAR("weight", fabs((double)reaction.force.y), 1006.0 * 9.81, 1e-3 * 1006.0 * 9.81);
    tr3_world_destroy(world);
}

/* J: of all bodies that move */
static double energy_now(const tr3_world *world)
{
    const tr3_measures now = tr3_world_measure(world);
    return now.kinetic_energy + now.potential_energy;
}

/* The same on a plate that hangs on four rods of 1 kg and swings: balls sink in by less than a millimetre, and energy never
   grows by more than a thousandth of what it was. Neither does it under balls as light as the plate, nor, by more than a tenth of the fall in a
   step, if they fall on it. */
static void swing_plate(float mass, double height)
{
    enum { BALLS = 20, RODS = 4, STEPS = 90 };
    const tr_dvec3 half = {2.0, 0.1, 2.0};
    const tr_vec3 z = {0.0f, 0.0f, 1.0f};
    const double radius = 0.1;
    tr3_world *world = space_world(TR_SOFT_STEP, (tr_vec3){0.0f, -9.81f, 0.0f}, 1);
    const tr3_body ground = space_body(world, TR_STATIC, (tr_dvec3){0.0, 2.0, 0.0}, 1.0f, (tr_vec3){1.0f, 1.0f, 1.0f}),
                   plate = space_box(world, (tr_dvec3){0.0, 0.0, 0.0}, half, 5.0);
    for (int i = 0; i < RODS; i++) {
        const double x = i % 2 == 0 ? -1.9 : 1.9, depth = i / 2 == 0 ? -1.9 : 1.9;
        const tr3_body rod = space_box(world, (tr_dvec3){x, 1.0, depth}, (tr_dvec3){0.05, 1.0, 0.05}, 1.0);
        tr3_joint_def def = space_between(world, TR3_JOINT_BALL, ground, rod, (tr_dvec3){x, 2.0, depth}, z);
        (void)space_joint(world, &def);
        def = space_between(world, TR3_JOINT_BALL, rod, plate, (tr_dvec3){x, 0.0, depth}, z);
        (void)space_joint(world, &def);
    }
    SPACE_OK(tr3_body_set_direct(world, plate, true));
    SPACE_OK(tr3_body_set_velocity(world, plate, (tr_vec3){0.5f, 0.0f, 0.0f}, (tr_vec3){0.0f, 0.0f, 0.0f}));
    tr3_body ball[BALLS];
    tr3_contact_def contacts[BALLS];
    for (int i = 0; i < BALLS; i++) {
        ball[i] = space_ball(world, (tr_dvec3){0.6 * (i % 5) - 1.2, 0.21 + height, 0.6 * (i / 5) - 1.2}, radius,
                             (double)mass);
        SPACE_OK(tr3_body_set_velocity(world, ball[i], (tr_vec3){0.5f, 0.0f, 0.0f}, (tr_vec3){0.0f, 0.0f, 0.0f}));
    }
    const double most = height > 0.0 ? 0.1 * BALLS * (double)mass * 9.81 * height : 1e-3 * fabs(energy_now(world));
    double last = energy_now(world);
    for (int step = 0; step < STEPS; step++) {
        const space_plane top = space_top_of(world, plate, half);
        for (int i = 0; i < BALLS; i++) {
            contacts[i] = space_ball_on(world, &top, ball[i], radius);
            assert_true((double)contacts[i].separation[0] > (height > 0.0 ? -0.03 : -1e-3));
        }
        SPACE_OK(tr3_world_set_contacts(world, contacts, BALLS));
        SPACE_OK(tr3_world_step(world, SPACE_DT, 4));
        const double now = energy_now(world);
        if (now > last + most)
            fail_msg("step %d: energy %g J, %g before", step, now, last);
        last = now;
        assert_int_equal(tr3_world_statistics(world).direct_islands, 1);
    }
    assert_true(tr3_world_measure(world).joint_error_max < 1e-5);
    tr3_world_destroy(world);
}

static void a_swinging_plate_carries_what_is_swept(void **state)
{
    (void)state;
    swing_plate(50.0f, 0.0);
    swing_plate(5.0f, 0.0);
    swing_plate(10.0f, 0.4);
    swing_plate(5.0f, 0.4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hubs_of_any_number_of_joints_are_chosen),
        cmocka_unit_test(bodies_on_long_levers_are_chosen),
        cmocka_unit_test(sheets_on_long_levers_are_left_to_sweeps),
        cmocka_unit_test(rungs_between_two_hubs_are_left_to_sweeps),
        cmocka_unit_test(a_stand_carries_what_is_swept),
        cmocka_unit_test(a_swinging_plate_carries_what_is_swept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
