/* What every method must do alike, and what tells them apart: laws, end states, and how errors fall with sub-steps. */
#include "physics_tree.h"

static tr2_world *world_with(tr_method method, double gravity)
{
    tr2_world *world = world_of(gravity, 60.0f);
    MUST(tr2_world_set_method(world, method, 0));
    return world;
}

/* for a message that names the method */
static void say_method(tr_method method)
{
    print_message("  %s\n", tr_method_name(method));
}

static void names_and_refusals(void **state)
{
    (void)state;
    assert_string_equal(tr_method_name(TR_SOFT_STEP), "soft_step");
    assert_string_equal(tr_method_name(TR_SEQUENTIAL_IMPULSES), "sequential_impulses");
    assert_string_equal(tr_method_name(TR_METHOD_COUNT), "unknown");
    assert_int_equal(tr2_world_set_method(NULL, TR_SOFT_STEP, 0), TR_ERROR_NULL);
    tr2_world *world = world_with(TR_SMALL_STEP, G);
    assert_int_equal(tr2_world_set_method(world, TR_METHOD_COUNT, 0), TR_ERROR_RANGE);
    assert_non_null(strstr(tr2_world_last_error(world)->message, "method is 5, no method"));
    assert_int_equal(tr2_world_set_method(world, TR_SOFT_STEP, 1025), TR_ERROR_RANGE);
    assert_non_null(strstr(tr2_world_last_error(world)->message, "sweeps is 1025, more than 1024"));
    tr2_world_destroy(world);
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = false;
    assert_int_equal(def.method, TR_SOFT_STEP);
    def.method = (tr_method)-1;
    tr_error error;
    assert_int_equal(tr2_world_create(&def, &world, &error), TR_ERROR_RANGE);
}

/*
 * A point mass on 1 m, released at 30 degrees, passes the lowest point after a quarter of its period, T = 2.04098988952
 * s (complete elliptic integral, as in the tests of pendulums). All methods are of first order or better: h is 1/1920
 * s.
 */
static void a_pendulum_keeps_its_period(void **state)
{
    (void)state;
    for (int m = 0; m < TR_METHOD_COUNT; m++) {
        say_method((tr_method)m);
        tr2_world *world = world_with((tr_method)m, G);
        double angle = PI / 6.0, before = sin(angle), t = 0.0, dt = 1.0 / 240.0;
        tr2_body bob = body_at(world, sin(angle), -cos(angle), 0.0, 1.0, 0.0);
        (void)join(world,
                   joint_between(TR2_JOINT_DISTANCE, static_at(world, 0, 0), bob, (tr_vec2){0, 0}, (tr_vec2){0, 0}));
        for (;;) {
            MUST(tr2_world_step(world, dt, 8));
            double x = body_now(world, bob).position.x;
            if (x <= 0.0) {
                t += dt * before / (before - x);
                break;
            }
            before = x;
            t += dt;
            assert_true(t < 1.0);
        }
        NEAR("quarter of the period", t, 0.25 * 2.0409898895191304, 1e-3);
        tr2_world_destroy(world);
    }
}

/* joints only push with equal and opposite impulses, whatever the method makes of them */
static void momentum_of_free_trees_stays(void **state)
{
    (void)state;
    for (int m = 0; m < TR_METHOD_COUNT; m++) {
        say_method((tr_method)m);
        tr2_world *world = world_with((tr_method)m, 0.0);
        uint64_t seed = 5;
        for (uint32_t i = 0; i < 10; i++) {
            tree_options options = {3.0, true, 0.5, 10.0 * i, 0, 0, false};
            (void)make_tree(world, &seed, options);
        }
        tr2_measures begin = tr2_world_measure(world);
        steps(world, 1.0 / 60.0, 8, 300);
        tr2_measures end = tr2_world_measure(world);
        /* some 100 bodies of 2 kg at 0.5 m/s, each rounded 2,400 times to 6e-8 of that */
        NEAR("x", end.momentum.x, begin.momentum.x, 2e-3);
        NEAR("y", end.momentum.y, begin.momentum.y, 2e-3);
        assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
        tr2_world_destroy(world);
    }
}

/* a chain of ten links that swings down from level: the largest error of its joints in 1 s */
static double worst_error(tr_method method, uint32_t substeps)
{
    tr2_world *world = world_with(method, G);
    tr2_body before = static_at(world, 0, 0);
    for (int i = 0; i < 10; i++) {
        tr2_body link = body_at(world, 0.5 + i, 0, 0, 1.0, 1.0 / 12.0);
        (void)revolute(world, before, link, (tr_vec2){i > 0 ? 0.5f : 0.0f, 0}, (tr_vec2){-0.5f, 0});
        before = link;
    }
    double worst = 0.0;
    for (int i = 0; i < 60; i++) {
        MUST(tr2_world_step(world, 1.0 / 60.0, substeps));
        worst = fmax(worst, tr2_world_measure(world).joint_error_max);
    }
    tr2_world_destroy(world);
    return worst;
}

/*
 * Methods that take the whole error back in each sub-step leave what one sub-step adds, g h^2 and its like: a quarter
 * of it for half the sub-step; asked for here is a third. The soft step's error is its softness, which goes with the
 * frequency and not with h; the classic's 0.2 C/h goes down with h.
 */
static void errors_fall_with_the_substep(void **state)
{
    (void)state;
    for (int m = TR_SMALL_STEP; m <= TR_POSITION_BASED; m++) {
        say_method((tr_method)m);
        double at_8 = worst_error((tr_method)m, 8), at_16 = worst_error((tr_method)m, 16),
               at_32 = worst_error((tr_method)m, 32);
        if (!(at_16 < at_8 / 3.0 && at_32 < at_16 / 3.0))
            fail_msg("errors %.3g, %.3g, %.3g m", at_8, at_16, at_32);
    }
    say_method(TR_SEQUENTIAL_IMPULSES);
    assert_true(worst_error(TR_SEQUENTIAL_IMPULSES, 4) < worst_error(TR_SEQUENTIAL_IMPULSES, 1));
    say_method(TR_SOFT_STEP);
    assert_true(worst_error(TR_SOFT_STEP, 4) < 0.05);
}

/* motors, limits and ropes end where physics says */
static void features_end_where_they_must(void **state)
{
    (void)state;
    for (int m = 0; m < TR_METHOD_COUNT; m++) {
        say_method((tr_method)m);
        tr2_world *world = world_with((tr_method)m, 0.0);
        tr2_body ground = static_at(world, 0, 0), wheel = body_at(world, 0, 0, 0, 1.0, 0.5);
        tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, ground, wheel, (tr_vec2){0, 0}, (tr_vec2){0, 0});
        def.motor = (tr_motor){true, 3.0f, 1.0f};
        tr2_joint motor = join(world, def);

        /* 0.5 kg m^2 at 1 N m: 2 rad/s after 1 s, then 3 rad/s */
        tr2_body slider = body_at(world, 0, 5, 0, 2.0, 1.0);
        MUST(tr2_body_set_velocity(world, slider, (tr_vec2){10.0f, 0}, 0));
        def = joint_between(TR2_JOINT_PRISMATIC, ground, slider, (tr_vec2){0, 5}, (tr_vec2){0, 0});
        def.limit = (tr_limit){true, -1.23f, 1.23f};
        tr2_joint limit = join(world, def);

        tr2_body ball = body_at(world, 0, -5, 0, 1.0, 0.4);
        MUST(tr2_body_set_velocity(world, ball, (tr_vec2){3.0f, 0}, 0));
        def = joint_between(TR2_JOINT_DISTANCE, ground, ball, (tr_vec2){0, -5}, (tr_vec2){0, 0});
        def.linear = tr_frequency(0.0f, 0.0f);
        def.limit = (tr_limit){true, 0.0f, 1.0f};
        tr2_joint rope = join(world, def);

        double furthest = 0.0, longest = 0.0;
        for (int i = 0; i < 60; i++) {
            MUST(tr2_world_step(world, 1.0 / 60.0, 8));
            furthest = fmax(furthest, (double)coordinate_of(world, limit).value);
            longest = fmax(longest, (double)coordinate_of(world, rope).value);
        }
        NEAR("speed after 1 s", (double)coordinate_of(world, motor).rate, 2.0, 1e-4);
        NEAR("torque", (double)reaction_of(world, motor).motor, 1.0, 1e-4);
        /* a twentieth of what it moves in one sub-step */
        NEAR("limit", furthest, 1.23, 1e-3);
        NEAR("rope", longest, 1.0, 3e-4);
        steps(world, 1.0 / 60.0, 8, 60);
        NEAR("speed after 2 s", (double)coordinate_of(world, motor).rate, 3.0, 1e-4);
        tr2_world_destroy(world);
    }
}

/*
 * 1 kg on a spring of 2 Hz, ratio 0.1: where nothing is relaxed afterwards, each sub-step is implicit Euler,
 * v' = (v - h omega^2 x) / (1 + 2 h z omega + h^2 omega^2), x' = x + h v'; exactly, to rounding.
 */
static void springs_are_implicit_euler(void **state)
{
    (void)state;
    for (int m = TR_POSITION_BASED; m <= TR_SEQUENTIAL_IMPULSES; m++) {
        say_method((tr_method)m);
        tr2_world *world = world_with((tr_method)m, 0.0);
        tr2_body body = body_at(world, 1.0, 0, 0, 1.0, 1.0);
        tr2_joint_def def =
            joint_between(TR2_JOINT_PRISMATIC, static_at(world, 0, 0), body, (tr_vec2){0, 0}, (tr_vec2){0, 0});
        def.spring = (tr_spring){true, 0.0f, tr_frequency(2.0f, 0.1f)};
        tr2_joint joint = join(world, def);
        const double h = 1.0 / 60.0, omega = 4.0 * PI, z = 0.1;
        double x = 1.0, v = 0.0;
        for (int i = 0; i < 120; i++) {
            v = (v - h * omega * omega * x) / (1.0 + 2.0 * h * z * omega + h * h * omega * omega);
            x += h * v;
            MUST(tr2_world_step(world, h, 1));
            NEAR("x", (double)coordinate_of(world, joint).value, x, 1e-5);
        }
        tr2_world_destroy(world);
    }
}

/* a body with 300 joints is split into copies, whose positions a projecting pass moves apart and takes together
   again */
static void a_split_body_stays_in_one_piece(void **state)
{
    (void)state;
    for (int m = 0; m < TR_METHOD_COUNT; m++) {
        say_method((tr_method)m);
        tr2_world *world = world_with((tr_method)m, G);
        tr2_body hub = body_at(world, 0, 0, 0, 1000.0, 500.0);
        (void)revolute(world, static_at(world, 0, 0), hub, (tr_vec2){0, 0}, (tr_vec2){0, 0});
        for (int i = 0; i < 300; i++) {
            double c = cos(i * PI / 150.0), s = sin(i * PI / 150.0);
            tr2_body spoke = body_at(world, 2.0 * c, 2.0 * s, i * PI / 150.0, 0.5, 0.05);
            (void)revolute(world, hub, spoke, (tr_vec2){(float)c, (float)s}, (tr_vec2){-1.0f, 0});
        }
        steps(world, 1.0 / 60.0, 8, 120);
        assert_true(tr2_world_statistics(world).body_copies > 0);
        tr2_measures measures = tr2_world_measure(world);
        if (!(measures.joint_error_max < 0.02))
            fail_msg("%s: a joint is off by %.3g m", tr_method_name((tr_method)m), measures.joint_error_max);
        tr2_world_destroy(world);
    }
}

/* side x side bodies of 1 kg, pinned to their neighbours, that hang by the middle of the top row */
static void hang_lattice(tr2_world *world, int side)
{
    tr2_body body[24][24];
    assert_true(side <= 24);
    for (int x = 0; x < side; x++)
        for (int y = 0; y < side; y++) {
            bool hung = y == 0 && x >= side / 2 - 3 && x <= side / 2 + 3;
            body[x][y] = hung ? static_at(world, x, -y) : body_at(world, x, -y, 0.0, 1.0, 0.08);
            if (y > 0)
                (void)revolute(world, body[x][y - 1], body[x][y], (tr_vec2){0, -0.5f}, (tr_vec2){0, 0.5f});
            if (x > 0)
                (void)revolute(world, body[x - 1][y], body[x][y], (tr_vec2){0.5f, 0}, (tr_vec2){-0.5f, 0});
        }
}

/*
 * A lattice of 16x16 that hangs by part of its top row falls, is caught and swings: nothing drives it, so its energy is
 * never above that of the start (to a hundred thousandth of what falls, rounding). Each method with the sub-steps that
 * it is for. Impulses of the classic that leaked nothing would tear it apart within 250 steps.
 */
static void lattices_never_gain_energy(void **state)
{
    (void)state;
    static const uint32_t substeps[TR_METHOD_COUNT] = {4, 8, 8, 1, 4};
    for (int m = 0; m < TR_METHOD_COUNT; m++) {
        say_method((tr_method)m);
        tr2_world *world = world_with((tr_method)m, G);
        hang_lattice(world, 16);
        tr2_measures begin = tr2_world_measure(world);
        double start = begin.kinetic_energy + begin.potential_energy;
        /* all of it is one system in the direct method, which takes long */
        for (int i = 0; i < (m == TR_DIRECT ? 100 : 500); i++) {
            MUST(tr2_world_step(world, 1.0 / 60.0, substeps[m]));
            tr2_measures now = tr2_world_measure(world);
            double gain = now.kinetic_energy + now.potential_energy - start;
            if (!(gain <= 1e-5 * fabs(now.potential_energy - begin.potential_energy)))
                fail_msg("%s: %.3g J more after step %d", tr_method_name((tr_method)m), gain, i + 1);
        }
        tr2_world_destroy(world);
    }
}

/*
 * The error of a lattice is inversely proportional to the share that a sweep corrects. With 5 sub-steps, the one of
 * 24x24 has 3.8 mm rms over 5 s if that is 1.65, and 5.4 mm if it is 1.
 */
static void the_small_step_corrects_more_than_the_error(void **state)
{
    (void)state;
    enum { STEPS = 300 };
    tr2_world *world = world_with(TR_SMALL_STEP, 10.0);
    hang_lattice(world, 24);
    double sum = 0.0;
    for (int i = 0; i < STEPS; i++) {
        MUST(tr2_world_step(world, 1.0 / 60.0, 5));
        double rms = tr2_world_measure(world).joint_error_rms;
        sum += rms * rms;
    }
    assert_true(sqrt(sum / STEPS) < 0.0045);
    tr2_world_destroy(world);
}

/*
 * Two free bodies pinned at their centres, 0.1 m apart: a sub-step of h seconds takes the rate v of the error C to
 * (1 - r) v - r s C / h, with r = 0.8 and s = 1.65, and C to C + h v. Relaxing ends a step with v = 0.
 */
static void an_error_swings_as_the_small_step_says(void **state)
{
    (void)state;
    tr2_world *world = world_with(TR_SMALL_STEP, 0.0);
    tr2_body a = body_at(world, 0, 0, 0, 1.0, 1.0), b = body_at(world, 0.1, 0, 0, 3.0, 1.0);
    tr2_joint pin = revolute(world, a, b, (tr_vec2){0, 0}, (tr_vec2){0, 0});
    double error = 0.1;
    for (uint32_t substeps = 3; substeps > 0; substeps--) {
        double moved = 0.0; /* h v */
        for (uint32_t i = 0; i < substeps; i++) {
            moved = (1.0 - 0.8) * moved - 0.8 * 1.65 * error;
            error += moved;
        }
        /* sub-steps of one length */
        MUST(tr2_world_step(world, substeps / 180.0, substeps));
        NEAR("error", body_now(world, b).position.x - body_now(world, a).position.x, error, 1e-7);
    }
    assert_true((double)error_of(world, pin).linear > 1e-4);
    tr2_world_destroy(world);
}

/* A limit only pushes: with the share of the small step's rows, a sub-step would take a violated one past its end. */
static void a_substep_does_not_pass_a_violated_limit(void **state)
{
    (void)state;
    for (int m = 0; m < TR_METHOD_COUNT; m++) {
        say_method((tr_method)m);
        tr2_world *world = world_with((tr_method)m, 0.0);
        tr2_body ground = static_at(world, 0, 0), slider = body_at(world, 1.1, 0, 0, 2.0, 1.0);
        tr2_joint_def def = joint_between(TR2_JOINT_PRISMATIC, ground, slider, (tr_vec2){0, 0}, (tr_vec2){0, 0});
        def.limit = (tr_limit){true, -1.0f, 1.0f};
        tr2_joint slide = join(world, def);
        steps(world, 1.0 / 60.0, 1, 1);
        double value = (double)coordinate_of(world, slide).value;
        assert_true(value > 1.0 - 1e-5 && value < 1.09);
        if (m == TR_SMALL_STEP)
            NEAR("what is left of 0.1 m", value - 1.0, 0.1 * (1.0 - 0.9), 1e-5);
        tr2_world_destroy(world);
    }
}

/* the largest joint error of a chain that hangs at rest, after steps of 1/60 and 1/240 s at random; the last of its six
   links has mass `bob` */
static double error_after_changing_steps(tr_method method, float direct_load, double bob, bool *exact)
{
    enum { LINKS = 6 };
    tr2_world *world = world_with(method, G);
    tr2_world_set_direct_load(world, direct_load);
    tr2_body last = static_at(world, 0, 0.5);
    for (int i = 0; i < LINKS; i++) {
        double mass = i + 1 < LINKS ? 1.0 : bob;
        tr2_body link = body_at(world, 0, -i - 1.0 + 0.5, 0.0, mass, 0.1 * mass);
        (void)revolute(world, last, link, (tr_vec2){0, -0.5f}, (tr_vec2){0, 0.5f});
        last = link;
    }
    uint64_t seed = 1;
    for (int i = 0; i < 1500; i++)
        steps(world, random_between(&seed, 0.0, 1.0) < 0.5 ? 1.0 / 60.0 : 1.0 / 240.0, 4, 1);
    double error = tr2_world_measure(world).joint_error_max;
    *exact = tr2_world_statistics(world).exact_joints == LINKS;
    tr2_world_destroy(world);
    return error;
}

/*
 * An error that a long sub-step has left is no blow in the next short one. By sweeps, constant steps of 1/60 s leave 2
 * to 4 mm, and corrections within one short sub-step tear the chain apart. The direct method leaves a hundredth of that at
 * most, with a bob of 100 kg too.
 */
static void a_chain_at_rest_bears_changing_steps(void **state)
{
    (void)state;
    static const struct {
        float direct_load;
        double bob, most;
        bool exact;
    } run[] = {{INFINITY, 1.0, 0.01, false}, {0.0f, 1.0, 1e-4, true}, {10.0f, 100.0, 1e-4, true}};
    for (int m = 0; m < TR_METHOD_COUNT; m++) {
        for (int r = 0; r < 3; r++) {
            bool exact;
            double error = error_after_changing_steps((tr_method)m, run[r].direct_load, run[r].bob, &exact);
            assert_true(exact == (run[r].exact || m == TR_DIRECT));
            if (!(error < run[r].most))
                fail_msg("%s: a joint is off by %.3g m", tr_method_name((tr_method)m), error);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_refusals),
        cmocka_unit_test(a_pendulum_keeps_its_period),
        cmocka_unit_test(momentum_of_free_trees_stays),
        cmocka_unit_test(errors_fall_with_the_substep),
        cmocka_unit_test(features_end_where_they_must),
        cmocka_unit_test(springs_are_implicit_euler),
        cmocka_unit_test(a_split_body_stays_in_one_piece),
        cmocka_unit_test(lattices_never_gain_energy),
        cmocka_unit_test(the_small_step_corrects_more_than_the_error),
        cmocka_unit_test(an_error_swings_as_the_small_step_says),
        cmocka_unit_test(a_substep_does_not_pass_a_violated_limit),
        cmocka_unit_test(a_chain_at_rest_bears_changing_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
