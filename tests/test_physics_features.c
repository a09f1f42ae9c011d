/* Friction, ranges of spring forces, raw softness and switched-off joints, against closed forms. */
#include "physics.h"

#define ROUNDING 5e-5 /* of 240 sub-steps, each to half a unit in the last place of some m/s */

static const tr_vec2 origin = {0.0f, 0.0f};

/* a slider along the x axis of the ground, without gravity */
static tr2_joint_def slider(tr2_world *world, tr2_body body)
{
    return joint_between(TR2_JOINT_PRISMATIC, static_at(world, 0, 0), body, origin, origin);
}

/*
 * Friction of 0.3 N m on a hinge: a wheel of 0.5 kg m^2 at 2 rad/s slows by 0.6 rad/s^2 and stands after 10/3 s; then
 * it holds against a torque below 0.3 N m, bearing just that, and gives to the rest of one above.
 */
static void friction_of_a_hinge_is_coulomb_s(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body wheel = body_at(world, 0, 0, 0, 1.0, 0.5);
    MUST(tr2_body_set_velocity(world, wheel, origin, 2.0f));
    tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, static_at(world, 0, 0), wheel, origin, origin);
    def.friction = 0.3f;
    tr2_joint joint = join(world, def);
    steps(world, 1.0 / 60.0, 4, 60);
    NEAR("rate after 1 s", (double)coordinate_of(world, joint).rate, 1.4, ROUNDING);
    NEAR("friction", (double)reaction_of(world, joint).friction, -0.3, 1e-6);
    NEAR("torque", (double)reaction_of(world, joint).torque, -0.3, 1e-6);
    steps(world, 1.0 / 60.0, 4, 180);
    NEAR("rate at rest", (double)coordinate_of(world, joint).rate, 0.0, 1e-7);
    for (int i = 0; i < 60; i++) {
        MUST(tr2_body_apply_torque(world, wheel, 0.25f));
        steps(world, 1.0 / 60.0, 4, 1);
    }
    NEAR("held", (double)coordinate_of(world, joint).rate, 0.0, 1e-7);
    NEAR("held with", (double)reaction_of(world, joint).friction, -0.25, 1e-6);
    for (int i = 0; i < 60; i++) {
        MUST(tr2_body_apply_torque(world, wheel, 0.5f));
        steps(world, 1.0 / 60.0, 4, 1);
    }
    NEAR("0.2 N m for 1 s", (double)coordinate_of(world, joint).rate, 0.4, ROUNDING);
    tr2_world_destroy(world);
}

/* a slider, a suspension and a telescope slow alike: 3 N on 2 kg from 4 m/s, 2.5 m/s after 1 s */
static void friction_acts_along_every_free_coordinate(void **state)
{
    (void)state;
    static const tr2_joint_type types[] = {TR2_JOINT_PRISMATIC, TR2_JOINT_WHEEL, TR2_JOINT_DISTANCE};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body body = body_at(world, 1.0, 0, 0, 2.0, 1.0);
        MUST(tr2_body_set_velocity(world, body, (tr_vec2){4.0f, 0}, 0));
        tr2_joint_def def = joint_between(types[i], static_at(world, 0, 0), body, origin, origin);
        if (types[i] == TR2_JOINT_DISTANCE)
            def.linear = tr_frequency(0.0f, 0.0f);
        def.friction = 3.0f;
        tr2_joint joint = join(world, def);
        steps(world, 1.0 / 60.0, 4, 60);
        NEAR(tr2_joint_type_name(types[i]), (double)coordinate_of(world, joint).rate, 2.5, ROUNDING);
        NEAR("friction", (double)reaction_of(world, joint).friction, -3.0, 1e-5);
        NEAR("force", (double)reaction_of(world, joint).force.x, -3.0, 1e-5);
        tr2_world_destroy(world);
    }
}

/* friction, a motor and a spring on one axis add up: 10 N of motor less 4 N of friction on 3 kg */
static void features_share_an_axis(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0, 3.0, 1.0);
    tr2_joint_def def = slider(world, body);
    def.friction = 4.0f;
    def.motor = (tr_motor){true, 100.0f, 10.0f};
    def.limit = (tr_limit){true, -1.0f, 4.0f};
    tr2_joint joint = join(world, def);
    steps(world, 1.0 / 60.0, 4, 60);
    NEAR("6 N on 3 kg", (double)coordinate_of(world, joint).rate, 2.0, ROUNDING);
    steps(world, 1.0 / 60.0, 4, 240);
    NEAR("at the limit", (double)coordinate_of(world, joint).value, 4.0, 2e-3);
    tr2_reaction r = reaction_of(world, joint);
    NEAR("motor", (double)r.motor, 10.0, 1e-5);
    NEAR("what friction leaves, the limit bears", (double)(r.upper + r.friction), -10.0, 1e-3);
    tr2_world_destroy(world);
}

/*
 * A spring that pulls with at most 5 N and never pushes: stretched far it accelerates 2 kg by 2.5 m/s^2, compressed it
 * does nothing. The same of a distance joint's row.
 */
static void a_spring_s_force_stays_in_its_range(void **state)
{
    (void)state;
    for (int distance = 0; distance <= 1; distance++) {
        for (int stretched = 0; stretched <= 1; stretched++) {
            tr2_world *world = world_of(0.0, 60.0f);
            double x = stretched ? 10.0 : 0.5;
            tr2_body body = body_at(world, x, 0, 0, 2.0, 1.0);
            tr2_joint_def def;
            if (distance) {
                def = joint_between(TR2_JOINT_DISTANCE, static_at(world, 0, 0), body, origin, origin);
                def.linear = tr_physical(1000.0f, 0.0f);
            } else {
                def = slider(world, body);
                def.spring = (tr_spring){true, 1.0f, tr_physical(1000.0f, 0.0f)};
            }
            def.spring_force = (tr_force_range){-5.0f, 0.0f};
            tr2_joint joint = join(world, def);
            steps(world, 1.0 / 60.0, 4, 60);
            double want = stretched ? -5.0 : 0.0;
            NEAR("force", (double)reaction_of(world, joint).spring, want, 1e-5);
            NEAR("speed", (double)coordinate_of(world, joint).rate, want / 2.0, ROUNDING);
            tr2_world_destroy(world);
        }
    }
}

/* without a range a spring has any force: 1,000 N/m stretched by 9 m */
static void no_range_is_no_cap(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_joint_def def = slider(world, body_at(world, 10.0, 0, 0, 1e6, 1.0));
    def.spring = (tr_spring){true, 1.0f, tr_physical(1000.0f, 0.0f)};
    tr2_joint joint = join(world, def);
    steps(world, 1.0 / 60.0, 4, 1);
    NEAR("force", (double)reaction_of(world, joint).spring, -9000.0, 1.0);
    tr2_world_destroy(world);
}

/*
 * The sources' soft constraint with two plain numbers, softness g and bias factor b:
 * lambda = -(v + b C/h) / (K + g), v' = v + lambda/m, x' = x + h v'. Exactly, in the method of the sources.
 */
static void raw_softness_follows_the_sources_recurrence(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    MUST(tr2_world_set_method(world, TR_SEQUENTIAL_IMPULSES, 1));
    tr2_joint_def def =
        joint_between(TR2_JOINT_DISTANCE, static_at(world, 0, 0), body_at(world, 3.0, 0, 0, 2.0, 1.0), origin, origin);
    def.length = 2.0f;
    def.linear = tr_raw(0.7f, 0.15f);
    tr2_joint joint = join(world, def);
    const double h = 1.0 / 60.0;
    double x = 3.0, v = 0.0;
    for (int i = 0; i < 120; i++) {
        double lambda = -(v + 0.15 * (x - 2.0) / h) / (0.5 + 0.7);
        v += 0.5 * lambda;
        x += h * v;
        MUST(tr2_world_step(world, h, 1));
        NEAR("x", (double)coordinate_of(world, joint).value, x, 2e-6);
        NEAR("force", (double)reaction_of(world, joint).spring, lambda / h, 1e-3);
    }
    tr2_world_destroy(world);
}

/* two worlds, one with every type of joint between its bodies but all switched off: they move the same, bit by bit */
static void joints_that_are_off_do_nothing_and_keep_their_place(void **state)
{
    (void)state;
    tr2_world *worlds[2];
    tr2_body bodies[2][2 * TR2_JOINT_TYPE_COUNT];
    tr2_joint joints[TR2_JOINT_TYPE_COUNT];
    for (int w = 0; w < 2; w++) {
        worlds[w] = world_of(G, 60.0f);
        for (int i = 0; i < 2 * TR2_JOINT_TYPE_COUNT; i++) {
            bodies[w][i] = body_at(worlds[w], 3.0 * i, 0, 0.1 * i, 1.0 + i, 0.5);
            MUST(tr2_body_set_velocity(worlds[w], bodies[w][i], (tr_vec2){0.1f * (float)i, 1.0f}, 0.3f));
        }
    }
    for (int t = 0; t < TR2_JOINT_TYPE_COUNT; t++) {
        tr2_joint_def def = joint_between((tr2_joint_type)t, bodies[1][2 * t], bodies[1][2 * t + 1], origin, origin);
        def.enabled = false;
        joints[t] = join(worlds[1], def);
        tr2_joint_def back;
        MUST(tr2_joint_get(worlds[1], joints[t], &back));
        assert_false(back.enabled);
    }
    steps(worlds[0], 1.0 / 60.0, 4, 30);
    steps(worlds[1], 1.0 / 60.0, 4, 30);
    for (int i = 0; i < 2 * TR2_JOINT_TYPE_COUNT; i++) {
        tr2_body_def a = body_now(worlds[0], bodies[0][i]), b = body_now(worlds[1], bodies[1][i]);
        assert_true(a.position.x == b.position.x && a.position.y == b.position.y && a.angle == b.angle);
    }
    assert_int_equal(tr2_world_measure(worlds[1]).rigid_joints, 0);
    for (int t = 0; t < TR2_JOINT_TYPE_COUNT; t++) {
        tr2_reaction r = reaction_of(worlds[1], joints[t]);
        assert_true(r.force.x == 0.0f && r.force.y == 0.0f && r.torque == 0.0f);
        assert_true(error_of(worlds[1], joints[t]).linear == 0.0f);
        uint32_t color, after;
        MUST(tr2_joint_color(worlds[1], joints[t], &color));
        uint64_t rebuilds = tr2_world_statistics(worlds[1]).plan_rebuilds;
        MUST(tr2_joint_set_enabled(worlds[1], joints[t], true));
        MUST(tr2_joint_color(worlds[1], joints[t], &after));
        assert_int_equal(color, after);
        assert_int_equal(tr2_world_statistics(worlds[1]).plan_rebuilds, rebuilds);
    }
    tr2_world_destroy(worlds[0]);
    tr2_world_destroy(worlds[1]);
}

/* a pendulum whose joint is off falls; switched on again it is held from where it is */
static void a_joint_can_be_switched_while_it_runs(void **state)
{
    (void)state;
    tr2_world *world = world_of(10.0, 60.0f);
    tr2_body body = body_at(world, 0, 0, 0, 2.0, 1.0);
    tr2_joint joint = revolute(world, static_at(world, 0, 0), body, origin, origin);
    steps(world, 1.0 / 60.0, 4, 60);
    NEAR("held", (double)reaction_of(world, joint).force.y, 20.0, 1e-3);
    MUST(tr2_joint_set_enabled(world, joint, false));
    steps(world, 1.0 / 60.0, 4, 6);
    /* h at a time: 1/2 g t (t + h) */
    NEAR("fallen", body_now(world, body).position.y, -0.5 * 10.0 * 0.1 * (0.1 + 1.0 / 240.0), 1e-4);
    MUST(tr2_joint_set_enabled(world, joint, true));
    steps(world, 1.0 / 60.0, 4, 120);
    NEAR("held again", (double)reaction_of(world, joint).force.y, 20.0, 1e-2);
    assert_true(error_of(world, joint).linear < 1e-3f);
    assert_int_equal(tr2_joint_set_enabled(world, (tr2_joint){0, 0, 0}, true), TR_ERROR_NULL_ID);
    assert_int_equal(tr2_joint_set_enabled(NULL, joint, true), TR_ERROR_NULL);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_of_a_hinge_is_coulomb_s),
        cmocka_unit_test(friction_acts_along_every_free_coordinate),
        cmocka_unit_test(features_share_an_axis),
        cmocka_unit_test(a_spring_s_force_stays_in_its_range),
        cmocka_unit_test(no_range_is_no_cap),
        cmocka_unit_test(raw_softness_follows_the_sources_recurrence),
        cmocka_unit_test(joints_that_are_off_do_nothing_and_keep_their_place),
        cmocka_unit_test(a_joint_can_be_switched_while_it_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
