/*
 * Strained trees of revolutes whose free angles are acted on: springs, frictions, motors, limits, soft points. Laws: each
 * feature does what it says whatever the others do; limits hold, motors keep their speed as far as they can, springs
 * swing as one of them does, and no energy comes out of nothing.
 */
#include "all_threads.h"
#include "physics_tree.h"
#include "strained.h"

/* any of the features, of sizes that matter to bodies of a few kilograms; `angle`: the joint's now */
static void act_on(tr2_joint_def *def, uint64_t *seed)
{
    def->limit.enable = random_between(seed, 0, 1) < 0.6;
    def->limit.lower = (float)random_between(seed, -0.04, -0.001);
    def->limit.upper = (float)random_between(seed, 0.001, 0.04);
    def->motor.enable = random_between(seed, 0, 1) < 0.4;
    def->motor.speed = (float)random_between(seed, -3, 3);
    def->motor.maximum = (float)random_between(seed, 0.1, 20);
    def->friction = random_between(seed, 0, 1) < 0.4 ? (float)random_between(seed, 0.1, 5) : 0.0f;
    def->spring.enable = random_between(seed, 0, 1) < 0.5;
    def->spring.target = (float)random_between(seed, -0.5, 0.5);
    def->spring.softness = random_between(seed, 0, 1) < 0.5 ? tr_frequency(4.0f, 0.3f) : tr_physical(30.0f, 1.0f);
    if (random_between(seed, 0, 1) < 0.3)
        def->spring_force = (tr_force_range){-2.0f, 3.0f};
    if (random_between(seed, 0, 1) < 0.3)
        def->linear = random_between(seed, 0, 1) < 0.5 ? tr_frequency(10.0f, 1.0f) : tr_physical(500.0f, 5.0f);
}

static tree make_acted(tr2_world *world, uint64_t *seed, double mass_ratio)
{
    tree t = make_tree(world, seed,
                       (tree_options){.mass_ratio = mass_ratio, .spin = 2.0, .only = 1 + (uint32_t)TR2_JOINT_REVOLUTE});
    for (uint32_t i = 1; i < t.bodies; i++) {
        tr2_joint_def def;
        MUST(tr2_joint_get(world, t.joint[i], &def));
        act_on(&def, seed);
        MUST(tr2_joint_set(world, t.joint[i], &def));
    }
    return t;
}

/* each with its own maximum; at the bound as far as the rate is not what it asks for */
static void check_bound(const char *what, double torque, double most, double rate, double asked)
{
    NEAR(what, fabs(torque) > most ? fabs(torque) - most : 0.0, 0.0, 1e-5 * most);
    if (fabs(rate - asked) > 1e-4)
        NEAR(what, torque, rate < asked ? most : -most, 1e-4 * most);
}

static void check_features(const tr2_world *world, tr2_joint joint)
{
    tr2_joint_def def;
    MUST(tr2_joint_get(world, joint, &def));
    const tr2_reaction r = reaction_of(world, joint);
    const tr_joint_coordinate_value at = coordinate_of(world, joint);
    check_bound("friction", (double)r.friction, (double)def.friction, (double)at.rate, 0.0);
    if (def.motor.enable)
        check_bound("motor", (double)r.motor, (double)def.motor.maximum, (double)at.rate, (double)def.motor.speed);
    assert_true(r.lower >= 0.0f && r.upper <= 0.0f);
    /* limits push only near where they are: 5 rad/s would pass 0.08 rad in a step */
    assert_true(r.lower == 0.0f || at.value < (double)def.limit.lower + 0.1);
    assert_true(r.upper == 0.0f || at.value > (double)def.limit.upper - 0.1);
}

/*
 * At the end of a step all bodies have the velocities of one problem, in which every feature of every joint keeps to its
 * law: a motor and a friction push with no more than their maximum, and with all of it unless their rate is reached; a
 * limit only pushes, and only where it is. What joints do to each other leaves the momentum: rounding to float.
 */
static void every_feature_keeps_its_law_beside_the_others(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < TRIALS(300); trial++) {
        tr2_world *world = strained_world(0.0, TR_SMALL_STEP, 0.0f);
        tree t = make_acted(world, &seed, 3.0);
        const tr2_measures start = tr2_world_measure(world);
        for (uint32_t step = 0; step < 3; step++) {
            steps(world, 1.0 / 60.0, 1, 1);
            assert_int_equal(tr2_world_statistics(world).exact_joints, t.bodies - 1);
            assert_int_equal(tr2_world_statistics(world).direct_unsettled, 0);
            for (uint32_t i = 1; i < t.bodies; i++)
                check_features(world, t.joint[i]);
        }
        const tr2_measures end = tr2_world_measure(world);
        NEAR("momentum along x", end.momentum.x, start.momentum.x, 1e-5 * tree_mass(world, &t));
        NEAR("momentum along y", end.momentum.y, start.momentum.y, 1e-5 * tree_mass(world, &t));
        tr2_world_destroy(world);
    }
}

/* a level chain of 10 links of 1 kg and 1 m with 300 kg at its end, each joint of which may turn by 0.1 rad */
static void limits_carry_a_heavy_end(void **state)
{
    (void)state;
    for (uint32_t substeps = 1; substeps <= 8; substeps *= 2) {
        tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
        tr2_body before = static_at(world, 0.0, 0.0);
        tr2_joint joints[11];
        for (uint32_t i = 0; i < 11; i++) {
            double mass = i < 10 ? 1.0 : 300.0;
            tr2_body body = body_at(world, i + 0.5, 0.0, 0.0, mass, mass / 12.0);
            tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, before, body, (tr_vec2){i == 0 ? 0.0f : 0.5f, 0.0f},
                                              (tr_vec2){-0.5f, 0});
            def.limit = (tr_limit){true, -0.1f, 0.1f};
            joints[i] = join(world, def);
            before = body;
        }
        tr2_measures m = tr2_world_measure(world);
        double start = m.kinetic_energy + m.potential_energy, most = start, furthest = 0.0, apart = 0.0;
        for (uint32_t i = 0; i < 600; i++) {
            steps(world, 1.0 / 60.0, substeps, 1);
            m = tr2_world_measure(world);
            most = fmax(most, m.kinetic_energy + m.potential_energy);
            for (uint32_t k = 0; k < 11; k++) {
                furthest = fmax(furthest, fabs((double)coordinate_of(world, joints[k]).value));
                apart = fmax(apart, (double)error_of(world, joints[k]).linear);
            }
        }
        print_message("%u: turned %.6g, apart %.3g, gained %.3g\n", substeps, furthest, apart, most - start);
        assert_int_equal(tr2_world_statistics(world).exact_joints, 11);
        /* as the end falls into its limits, links turn at up to 17 rad/s: along the tangents of their arcs they go too far by
           (w h)^2 / 2 of a metre */
        NEAR("furthest turned", furthest, 0.1, 1e-3 + 0.5 * pow(17.0 / (60.0 * substeps), 2.0));
        NEAR("gained", fmax(most - start, 0.0), 0.0, 5e-3 * 300.0 * 10.0 * 10.5);
        /* it hangs still on its limits, and each bears what hangs beyond it */
        NEAR("still", m.kinetic_energy, 0.0, 1e-3);
        NEAR("foot", (double)reaction_of(world, joints[0]).torque, 300.0 * 10.0 * 8.8, 0.2 * 300.0 * 10.0 * 8.8);
        tr2_world_destroy(world);
    }
}

/*
 * Trees hung up by one body, masses to 1:30, whose joints have limits and friction, which give nothing: thrown, they
 * swing against their limits for 5 s. Energy of a step that takes velocities first swings about the true one by h w / 2
 * of what is exchanged: 2 % of that.
 */
static void no_energy_comes_out_of_limits(void **state)
{
    (void)state;
    uint64_t seed = 29;
    const uint32_t substeps[] = {1, 2, 4, 8};
    for (int trial = 0; trial < TRIALS(80); trial++) {
        tr2_world *world = strained_world(10.0, (tr_method)(trial / 4 % TR_METHOD_COUNT), 0.0f);
        tree t = make_tree(world, &seed,
                           (tree_options){.mass_ratio = 30.0, .spin = 3.0, .only = 1 + (uint32_t)TR2_JOINT_REVOLUTE});
        for (uint32_t i = 1; i < t.bodies; i++) {
            tr2_joint_def def;
            MUST(tr2_joint_get(world, t.joint[i], &def));
            def.reference_angle = (float)(body_now(world, def.body_b).angle - body_now(world, def.body_a).angle);
            def.limit = (tr_limit){true, (float)random_between(&seed, -0.5, 0), (float)random_between(&seed, 0, 0.5)};
            def.friction = i % 2 == 0 ? 0.1f : 0.0f;
            MUST(tr2_joint_set(world, t.joint[i], &def));
        }
        tr2_body_def top = body_now(world, t.body[0]);
        (void)revolute(world, static_at(world, top.position.x, top.position.y), t.body[0], (tr_vec2){0, 0},
                       (tr_vec2){0, 0});
        double start = tree_energy(world, &t), mass = tree_mass(world, &t), most = start;
        for (int i = 0; i < 300; i++) {
            steps(world, 1.0 / 60.0, substeps[trial % 4], 1);
            double now = tree_energy(world, &t);
            assert_true(isfinite(now));
            most = fmax(most, now);
        }
        assert_int_equal(tr2_world_statistics(world).exact_joints, t.bodies);
        NEAR("energy gained", fmax(most - start, 0.0), 0.0, 0.02 * mass * 10.0 * TREE_MOST);
        tr2_world_destroy(world);
    }
}

/*
 * A hub of 10 kg that is split, so that what changes hands does so a sub-step late, turns at 0.5 rad/s with 1,000
 * bodies of 0.5 kg on it, each of which spins at up to 3 rad/s within limits of 0.2 rad. A limit is passed by what a
 * body turns in that sub-step, 3 / 240 rad, and by as much again where it is pushed by others.
 */
static void limits_of_a_light_hub_are_kept(void **state)
{
    (void)state;
    enum { SPOKES = 1000 };
    static tr2_joint joints[SPOKES];
    uint64_t seed = 3, hash[2];
    for (uint32_t threads = 1; threads <= 2; threads++) {
        tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
        MUST(tr2_world_set_threads(world, threads));
        step_on_all_threads(world);
        seed = 3;
        tr2_body hub = make_hub(world, 500.0, 0.5);
        for (uint32_t i = 0; i < SPOKES; i++) {
            tr_vec2 place = place_on_hub(i, SPOKES, 10.0);
            tr2_body body = body_on_hub(world, place, 0.0, 0.5, random_between(&seed, -3, 3));
            tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, hub, body, place, (tr_vec2){0, 0});
            def.limit = (tr_limit){true, -0.2f, 0.2f};
            joints[i] = join(world, def);
        }
        double furthest = 0.0, apart = 0.0;
        for (int step = 0; step < 120; step++) {
            steps(world, 1.0 / 60.0, 4, 1);
            for (uint32_t i = 0; i < SPOKES; i++)
                furthest = fmax(furthest, fabs((double)coordinate_of(world, joints[i]).value));
            apart = fmax(apart, tr2_world_measure(world).joint_error_max);
        }
        print_message("turned %.6g, apart %.3g\n", furthest, apart);
        assert_int_equal(tr2_world_statistics(world).exact_joints, SPOKES + 1);
        assert_int_equal(tr2_world_statistics(world).split_bodies, 1);
        assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
        NEAR("furthest turned", furthest, 0.2, 2.0 * 3.5 / 240.0);
        NEAR("furthest apart", apart, 0.0, 1e-3);
        hash[threads - 1] = tr2_world_state_hash(world);
        tr2_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

/*
 * Five links of 1 m, the last one of 300 kg, level from a pin on, all of whose hinges are violated by 0.1 rad: they are
 * moved by position only, the end by 1.5 m. What turning by lines leaves of errors is corrected in the same way; after
 * the last sub-step of a step it is left to velocities. Corrected at a speed, they would keep 1.3 to 20 kJ.
 */
static void a_violated_chain_closes_without_speed(void **state)
{
    (void)state;
    enum { LINKS = 5 };
    for (int m = 0; m < TR_METHOD_COUNT; m++) {
        for (uint32_t substeps = 1; substeps <= 8; substeps *= 2) {
            tr2_world *world = strained_world(0.0, (tr_method)m, 10.0f);
            tr2_body before = static_at(world, 0.0, 0.0);
            tr2_joint joints[LINKS];
            for (uint32_t i = 0; i < LINKS; i++) {
                double mass = i + 1 < LINKS ? 1.0 : 300.0;
                tr2_body link = body_at(world, i + 0.5, 0.0, 0.0, mass, mass / 12.0);
                tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, before, link,
                                                  (tr_vec2){i == 0 ? 0.0f : 0.5f, 0.0f}, (tr_vec2){-0.5f, 0.0f});
                def.limit = (tr_limit){true, 0.1f, 1.0f};
                joints[i] = join(world, def);
                before = link;
            }
            double most = 0.0, apart = 0.0, left = 0.0;
            for (uint32_t step = 0; step < 150; step++) {
                steps(world, 1.0 / 60.0, substeps, 1);
                tr2_measures now = tr2_world_measure(world);
                most = fmax(most, now.kinetic_energy);
                apart = fmax(apart, now.joint_error_max);
            }
            for (uint32_t i = 0; i < LINKS; i++)
                left = fmax(left, 0.1 - (double)coordinate_of(world, joints[i]).value);
            assert_int_equal(tr2_world_statistics(world).exact_joints, LINKS);
            NEAR("energy", most, 0.0, 0.05);
            NEAR("left to close", left, 0.0, 1e-3);
            NEAR("apart", apart, 0.0, 0.02);
            tr2_world_destroy(world);
        }
    }
}

/* an arm of 2 kg between a torso of 24 kg and a forearm, with limits: sweeps do well there, and take an eighth of the
   time */
static void ragdolls_are_left_to_the_sweeps(void **state)
{
    (void)state;
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    tr2_body torso = body_at(world, 0.0, 0.0, 0.0, 24.0, 1.0), arm = body_at(world, 0.5, 0.0, 0.0, 2.0, 0.1);
    tr2_body forearm = body_at(world, 1.0, 0.0, 0.0, 1.0, 0.05);
    tr2_joint_def shoulder =
        joint_between(TR2_JOINT_REVOLUTE, torso, arm, (tr_vec2){0.25f, 0.0f}, (tr_vec2){-0.25f, 0.0f});
    tr2_joint_def elbow =
        joint_between(TR2_JOINT_REVOLUTE, arm, forearm, (tr_vec2){0.25f, 0.0f}, (tr_vec2){-0.25f, 0.0f});
    shoulder.limit = elbow.limit = (tr_limit){true, -1.0f, 1.0f};
    (void)join(world, shoulder);
    (void)join(world, elbow);
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 0);
    MUST(tr2_world_set_direct_load(world, 3.0f));
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 2);
    tr2_world_destroy(world);
}

/* An arm of two links, light and heavy, turned about a vertical axis by motors: each keeps its speed to rounding where
   its torque is enough, and where it is not the heavy link speeds up by what it has: w = T t / I, its own I about the
   pin. */
static void motors_keep_their_speed_as_far_as_they_can(void **state)
{
    (void)state;
    for (int weak = 0; weak < 2; weak++) {
        tr2_world *world = strained_world(0.0, TR_SOFT_STEP, 10.0f);
        tr2_body ground = static_at(world, 0.0, 0.0), link = body_at(world, 0.5, 0.0, 0.0, 1.0, 1.0 / 12.0);
        tr2_body load = body_at(world, 1.0, 0.0, 0.0, 100.0, 50.0);
        tr2_joint_def foot = joint_between(TR2_JOINT_REVOLUTE, ground, link, (tr_vec2){0, 0}, (tr_vec2){-0.5f, 0.0f});
        tr2_joint_def wrist = joint_between(TR2_JOINT_REVOLUTE, link, load, (tr_vec2){0.5f, 0.0f}, (tr_vec2){0, 0});
        foot.motor = (tr_motor){true, 1.0f, 1e5f};
        wrist.motor = (tr_motor){true, 2.0f, weak ? 10.0f : 1e5f};
        tr2_joint a = join(world, foot), b = join(world, wrist);
        for (uint32_t i = 0; i < 120; i++) {
            steps(world, 1.0 / 60.0, 4, 1);
            NEAR("foot", (double)coordinate_of(world, a).rate, 1.0, 1e-4);
            /* the load does not turn until the wrist turns it: against the link at first by -1 rad/s */
            double t = (i + 1) / 60.0, want = weak ? fmin(2.0, 10.0 * t / 50.0 - 1.0) : 2.0;
            NEAR("wrist", (double)coordinate_of(world, b).rate, want, 1e-3);
            if (weak && want < 2.0)
                NEAR("its torque", (double)reaction_of(world, b).motor, 10.0, 1e-3);
        }
        assert_int_equal(tr2_world_statistics(world).exact_joints, 2);
        tr2_world_destroy(world);
    }
}

/* a wheel on a torsion spring, with a second body on its hub, swings as a damped spring does; and friction stops it */
static void springs_swing_and_frictions_stop(void **state)
{
    (void)state;
    for (int rub = 0; rub < 2; rub++) {
        tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
        tr2_body ground = static_at(world, 0.0, 0.0), wheel = body_at(world, 0.0, 0.0, 0.0, 1.0, 0.5);
        tr2_body load = body_at(world, 0.0, 0.0, 0.0, 50.0, 5.0);
        tr2_joint_def axle = joint_between(TR2_JOINT_REVOLUTE, ground, wheel, (tr_vec2){0, 0}, (tr_vec2){0, 0});
        axle.spring = (tr_spring){rub == 0, 0.5f, tr_frequency(1.0f, 0.1f)};
        axle.friction = rub != 0 ? 0.25f : 0.0f;
        (void)join(world, axle);
        (void)revolute(world, wheel, load, (tr_vec2){0, 0}, (tr_vec2){0, 0});
        MUST(tr2_body_set_velocity(world, wheel, (tr_vec2){0, 0}, 1.0f));
        const double h = 1.0 / 240.0, decay = 0.1 * 2.0 * PI, w = 2.0 * PI * sqrt(1.0 - 0.1 * 0.1), slows = 0.25 / 0.5;
        for (uint32_t i = 1; i <= 240; i++) {
            steps(world, h, 1, 1);
            const double t = i * h, rubbed = fmin(t, 1.0 / slows);
            double want = rubbed - 0.5 * slows * rubbed * rubbed;
            if (rub == 0)
                want = 0.5 + exp(-decay * t) * (-0.5 * cos(w * t) + (1.0 - 0.5 * decay) / w * sin(w * t));
            NEAR("angle", body_now(world, wheel).angle, want, 5e-5);
        }
        assert_int_equal(tr2_world_statistics(world).exact_joints, 2);
        tr2_world_destroy(world);
    }
}

/* 10 kg with a thousand bodies of I = 0.005 kg m^2, whose motors of 0.001 N m turn them by M t / I and no more: copies
   of the hub are solved once in a sub-step, from whatever keeps its rate as it begins */
static void motors_of_a_light_hub_keep_to_their_maximum(void **state)
{
    (void)state;
    enum { SPOKES = 1000 };
    static tr2_joint joints[SPOKES];
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    tr2_body hub = make_hub(world, 500.0, 0.0);
    for (uint32_t i = 0; i < SPOKES; i++) {
        tr_vec2 place = place_on_hub(i, SPOKES, 10.0);
        tr2_body body = body_on_hub(world, place, 0.0, 0.0, 0.0);
        tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, hub, body, place, (tr_vec2){0, 0});
        def.motor = (tr_motor){true, 10.0f, 0.001f};
        joints[i] = join(world, def);
    }
    for (int step = 1; step <= 3; step++) {
        steps(world, 1.0 / 60.0, 4, 1);
        assert_int_equal(tr2_world_statistics(world).exact_joints, SPOKES + 1);
        double want = 0.001 / 0.005 * step / 60.0;
        for (uint32_t i = 0; i < SPOKES; i++)
            NEAR("rate", (double)coordinate_of(world, joints[i]).rate, want, 0.05 * want);
    }
    tr2_world_destroy(world);
}

/* an arm of 1 kg and 1 m, level, with 0.1 kg pinned to its middle: 5.5 N m on its hinge */
static tr2_joint make_arm(tr2_world *world, tr2_joint_def features)
{
    tr2_body ground = static_at(world, 0.0, 0.0), arm = body_at(world, 0.5, 0.0, 0.0, 1.0, 1.0 / 12.0),
             bob = body_at(world, 0.5, 0.0, 0.0, 0.1, 0.01);
    tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, ground, arm, (tr_vec2){0, 0}, (tr_vec2){-0.5f, 0.0f});
    def.limit = features.limit;
    def.motor = features.motor;
    def.friction = features.friction;
    def.spring = features.spring;
    (void)revolute(world, arm, bob, (tr_vec2){0, 0}, (tr_vec2){0, 0});
    return join(world, def);
}

/* parts whose rates are the same number: one of them keeps it, and together they hold what they can */
static void parts_of_one_rate_hold_together(void **state)
{
    (void)state;
    const struct {
        double gravity;
        tr_limit limit;
        float brake, friction;
    } cases[] = {
        {0.0, {true, -1.0f, 0.0f}, 5.0f, 0.0f},  /* a brake at rest, at its upper limit: nothing moves */
        {0.0, {true, 0.0f, 1.0f}, 5.0f, 0.0f},   /* and at its lower one */
        {10.0, {true, 0.0f, 0.0f}, 0.0f, 0.0f},  /* locked */
        {10.0, {true, 0.0f, 0.0f}, 2.0f, 1.0f},  /* and braked */
        {10.0, {false, 0.0f, 0.0f}, 3.3f, 3.3f}, /* a brake and a friction, of which neither would do */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr2_world *world = strained_world(cases[i].gravity, TR_SOFT_STEP, 0.0f);
        tr2_joint_def features = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        features.limit = cases[i].limit;
        features.motor = (tr_motor){cases[i].brake > 0.0f, 0.0f, cases[i].brake};
        features.friction = cases[i].friction;
        tr2_joint hinge = make_arm(world, features);
        for (int step = 0; step < 60; step++) {
            steps(world, 1.0 / 60.0, 4, 1);
            assert_int_equal(tr2_world_statistics(world).exact_joints, 2);
            NEAR("rate", (double)coordinate_of(world, hinge).rate, 0.0, 1e-4);
        }
        NEAR("angle", (double)coordinate_of(world, hinge).value, 0.0, 1e-4);
        NEAR("torque", (double)reaction_of(world, hinge).torque, 0.55 * cases[i].gravity, 1e-2);
        tr2_world_destroy(world);
    }
}

/* a spring that is rigid, or yields nothing, holds its target as a position's motor does */
static void rigid_springs_hold_their_target(void **state)
{
    (void)state;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        tr2_world *world = strained_world(10.0, (tr_method)method, 0.0f);
        tr2_joint_def features = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        features.spring.enable = true;
        tr2_joint hinge = make_arm(world, features);
        steps(world, 1.0 / 60.0, 4, 120);
        assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
        assert_int_equal(tr2_world_statistics(world).exact_joints, 2);
        NEAR("angle", (double)coordinate_of(world, hinge).value, 0.0, 0.01);
        NEAR("torque", (double)reaction_of(world, hinge).torque, 5.5, 0.06);
        tr2_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_feature_keeps_its_law_beside_the_others),
        cmocka_unit_test(limits_carry_a_heavy_end),
        cmocka_unit_test(no_energy_comes_out_of_limits),
        cmocka_unit_test(limits_of_a_light_hub_are_kept),
        cmocka_unit_test(a_violated_chain_closes_without_speed),
        cmocka_unit_test(ragdolls_are_left_to_the_sweeps),
        cmocka_unit_test(motors_keep_their_speed_as_far_as_they_can),
        cmocka_unit_test(springs_swing_and_frictions_stop),
        cmocka_unit_test(motors_of_a_light_hub_keep_to_their_maximum),
        cmocka_unit_test(parts_of_one_rate_hold_together),
        cmocka_unit_test(rigid_springs_hold_their_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
