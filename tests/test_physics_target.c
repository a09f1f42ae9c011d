/*
 * Targets: a soft pull with a cap, against statics and Newton's laws; and what changes of types of joints while they
 * run must leave as it was. That a target's spring is the damped oscillator is in test_physics_joints.c.
 */
#include "physics.h"

static const tr_vec2 origin = {0.0f, 0.0f};

static double force_of(const tr2_world *world, tr2_joint joint)
{
    tr2_reaction r = reaction_of(world, joint);
    return hypot((double)r.force.x, (double)r.force.y);
}

/* a weight at rest below its target: g / (2 pi f)^2, or m g / k; the pull is the weight; nothing counts as an error */
static void a_weight_hangs_below_its_target(void **state)
{
    (void)state;
    const double w = 2.0 * PI * 5.0;
    for (int physical = 0; physical < 2; physical++) {
        tr2_world *world = world_of(G, 60.0f);
        tr2_body body = body_at(world, 1.0, 2.0, 0, 2.0, 0.5);
        tr2_joint_def def = joint_between(TR2_JOINT_TARGET, static_at(world, 0, 0), body, (tr_vec2){1.0f, 2.0f}, origin);
        /* the default is 5 Hz, 0.7, without a cap */
        if (physical)
            def.linear = tr_physical(400.0f, 40.0f);
        tr2_joint joint = join(world, def);
        steps(world, 1.0 / 60.0, 4, 600);
        double sag = physical ? 2.0 * G / 400.0 : G / (w * w);
        NEAR("sag", body_now(world, body).position.y, 2.0 - sag, 1e-5);
        NEAR("pull", (double)reaction_of(world, joint).force.y, 2.0 * G, 1e-3);
        NEAR("sideways", (double)reaction_of(world, joint).force.x, 0.0, 1e-5);
        assert_true(error_of(world, joint).linear == 0.0f);
        assert_int_equal(tr2_world_measure(world).rigid_joints, 0);
        double height = 2.0 * G * body_now(world, body).position.y;
        if (physical)
            NEAR("energy", tr2_world_measure(world).potential_energy - height, 0.5 * 400.0 * sag * sag, 1e-3);
        tr2_world_destroy(world);
    }
}

/*
 * With a cap below the weight it falls, by g - cap / m exactly; the force is the cap, in the direction of the target,
 * to float's rounding. Rigidly held, too.
 */
static void the_force_is_capped_exactly(void **state)
{
    (void)state;
    for (int rigid = 0; rigid < 2; rigid++) {
        tr2_world *world = world_of(G, 60.0f);
        tr2_body body = body_at(world, 0, 0, 0, 2.0, 0.5);
        tr2_joint_def def = joint_between(TR2_JOINT_TARGET, static_at(world, 0, 0), body, origin, origin);
        def.max_force = 12.0f;
        if (rigid)
            def.linear = tr_rigid();
        tr2_joint joint = join(world, def);
        /* let go below, so that it pulls from the first sub-step on */
        MUST(tr2_body_set_transform(world, body, (tr_dvec2){0.0, -0.5}, 0.0));
        for (int step = 1; step <= 60; step++) {
            steps(world, 1.0 / 60.0, 4, 1);
            NEAR("speed", (double)body_now(world, body).velocity.y, -(G - 6.0) * step / 60.0, 3e-5);
            NEAR("force", (double)reaction_of(world, joint).force.y, 12.0, 12.0 * 1e-6);
        }
        /* sideways too: the cap is a circle */
        MUST(tr2_body_set_transform(world, body, (tr_dvec2){30.0, -40.0}, 0.0));
        MUST(tr2_body_set_velocity(world, body, (tr_vec2){0, 0}, 0.0f));
        steps(world, 1.0 / 60.0, 4, 1);
        NEAR("force", force_of(world, joint), 12.0, 12.0 * 1e-6);
        NEAR("force, x", (double)reaction_of(world, joint).force.x, -12.0 * 0.6, 2e-2);
        tr2_world_destroy(world);
    }
}

/* a crate gripped at a corner and drawn along: its corner follows the mouse, and at rest its centre hangs below the
   corner */
static void a_body_follows_the_mouse_by_its_grip(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body_def crate = tr2_body_def_default();
    crate.mass = 3.0f;
    crate.inertia = 0.5f;
    crate.angular_damping = 3.0f;
    tr2_body body;
    MUST(tr2_world_create_body(world, &crate, &body));
    const tr_vec2 corner = {0.5f, 0.5f};
    tr2_joint joint = join(world, joint_between(TR2_JOINT_TARGET, static_at(world, 0, 0), body, corner, corner));
    for (int step = 0; step < 120; step++) {
        MUST(tr2_joint_set_value(world, joint, TR2_FIELD_ANCHOR_A_X, 0.5f + 3.0f * (float)step / 119.0f));
        steps(world, 1.0 / 60.0, 4, 1);
    }
    steps(world, 1.0 / 60.0, 4, 1500);
    tr2_body_def b = body_now(world, body);
    /* the arm is now upright, so K is that of the point mass along it */
    double w = 2.0 * PI * 5.0, arm = sqrt(0.5);
    NEAR("x", b.position.x, 3.5, 1e-4);
    NEAR("y", b.position.y, 0.5 - arm - G / (w * w), 1e-4);
    NEAR("angle", remainder(b.angle, 2.0 * PI), PI / 4.0, 1e-3);
    tr2_world_destroy(world);
}

/*
 * Between two free bodies that are far apart and grip each other off their centres: linear and angular momentum stay,
 * capped and not. Float's rounding over 2,000 steps of speeds of some m/s and arms of some metres.
 */
static void two_bodies_that_pull_each_other_keep_their_momentum(void **state)
{
    (void)state;
    for (int capped = 0; capped < 2; capped++) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body a = body_at(world, -2, 0.5, 0.3, 2.0, 0.8), b = body_at(world, 3, -1, -0.4, 3.0, 0.4);
        MUST(tr2_body_set_velocity(world, a, (tr_vec2){0.4f, 0.9f}, 2.0f));
        MUST(tr2_body_set_velocity(world, b, (tr_vec2){-0.3f, -0.6f}, -1.0f));
        tr2_joint_def def = joint_between(TR2_JOINT_TARGET, a, b, (tr_vec2){0.5f, 0.2f}, (tr_vec2){-0.3f, 0.4f});
        def.linear = tr_physical(4.0f, 0.2f);
        if (capped)
            def.max_force = 3.0f;
        tr2_joint joint = join(world, def);
        tr2_measures before = tr2_world_measure(world);
        double most = 0.0;
        for (int step = 0; step < 2000; step++) {
            steps(world, 1.0 / 60.0, 4, 1);
            most = fmax(most, force_of(world, joint));
            tr2_measures now = tr2_world_measure(world);
            NEAR("momentum, x", now.momentum.x, before.momentum.x, 5e-5);
            NEAR("momentum, y", now.momentum.y, before.momentum.y, 5e-5);
            NEAR("angular momentum", now.angular_momentum, before.angular_momentum, 2e-3);
        }
        if (capped)
            NEAR("largest force", most, 3.0, 1e-5);
        else
            assert_true(most > 10.0);
        tr2_world_destroy(world);
    }
}

/*
 * Switched off and on again a joint of each of these types keeps its place in the plan; off it does nothing and reports
 * nothing, and the body falls as if it were not there.
 */
static void joints_switch_off_and_on_in_their_place(void **state)
{
    (void)state;
    static const tr2_joint_type types[] = {TR2_JOINT_LINE, TR2_JOINT_LINEAR_MOTOR, TR2_JOINT_ANGLE, TR2_JOINT_TARGET};
    for (int i = 0; i < 4; i++) {
        tr2_world *world = world_of(G, 60.0f);
        tr2_body body = body_at(world, 0, 0, 0, 2.0, 0.5);
        tr2_joint_def def = tr2_joint_def_default(types[i]);
        def.body_a = static_at(world, 0, 0);
        def.body_b = body;
        if (types[i] == TR2_JOINT_LINEAR_MOTOR) {
            def.axis = (tr_vec2){0.0f, 1.0f};
            def.motor = (tr_motor){true, 0.0f, 100.0f};
        }
        tr2_joint joint = join(world, def);
        /* what turns is held by the angle joint, what falls by the others */
        bool turns = types[i] == TR2_JOINT_ANGLE;
        uint32_t color, again;
        uint64_t rebuilds = 0;
        for (int on = 1; on >= 0; on--) {
            for (int step = 0; step < 60; step++) {
                MUST(tr2_body_apply_torque(world, body, 1.0f));
                steps(world, 1.0 / 60.0, 4, 1);
                if (step == 0 && on)
                    rebuilds = tr2_world_statistics(world).plan_rebuilds;
            }
            tr2_body_def b = body_now(world, body);
            tr2_reaction r = reaction_of(world, joint);
            double pull = turns ? (double)r.torque : hypot((double)r.force.x, (double)r.force.y);
            MUST(tr2_joint_color(world, joint, on ? &color : &again));
            NEAR("pull", pull, !on ? 0.0 : turns ? -1.0 : 2.0 * G, on ? 2e-2 : 0.0);
            NEAR("speed", turns ? (double)b.angular_velocity : -(double)b.velocity.y, on ? 0.0 : turns ? 2.0 : G, 1e-3);
            MUST(tr2_joint_set_enabled(world, joint, !on));
        }
        assert_int_equal(color, again);
        assert_int_equal(tr2_world_statistics(world).plan_rebuilds, rebuilds);
        tr2_world_destroy(world);
    }
}

/* 40 angle joints on one body, more than the colours hold: it is split, and its wheels still turn as one */
static void a_hub_of_angles_turns_as_one(void **state)
{
    (void)state;
    enum { WHEELS = 40 };
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body hub = body_at(world, 0, 0, 0, 1.0, 4.0), wheel[WHEELS];
    for (int i = 0; i < WHEELS; i++) {
        wheel[i] = body_at(world, 1.0 + i, 0, 0, 1.0, 0.05);
        tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_ANGLE);
        def.body_a = hub;
        def.body_b = wheel[i];
        def.ratio = i % 2 == 0 ? 1.0f : -2.0f;
        (void)join(world, def);
    }
    for (int step = 0; step < 120; step++) {
        MUST(tr2_body_apply_torque(world, hub, 3.0f));
        steps(world, 1.0 / 60.0, 8, 1);
    }
    assert_true(tr2_world_statistics(world).split_bodies == 1);
    /* reduced to the hub: 4 + 20 (0.05 + 4 0.05) = 9 kg m^2; the copies' average lags a little */
    NEAR("hub", (double)body_now(world, hub).angular_velocity, 3.0 / 9.0 * 2.0, 5e-3);
    for (int i = 0; i < WHEELS; i++)
        NEAR("wheel", (double)body_now(world, wheel[i]).angular_velocity, (i % 2 == 0 ? 1.0 : -2.0) * 3.0 / 9.0 * 2.0,
             1e-2);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weight_hangs_below_its_target),
        cmocka_unit_test(the_force_is_capped_exactly),
        cmocka_unit_test(a_body_follows_the_mouse_by_its_grip),
        cmocka_unit_test(two_bodies_that_pull_each_other_keep_their_momentum),
        cmocka_unit_test(joints_switch_off_and_on_in_their_place),
        cmocka_unit_test(a_hub_of_angles_turns_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
