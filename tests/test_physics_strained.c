/*
 * Islands that are solved directly because they are strained: heavy bodies on light ones, and light bodies with thousands of others. Laws:
 * pins hold, forces are those of the motion, momentum stays, no energy comes out of nothing, a pendulum keeps its time.
 */
#include "all_threads.h"
#include "strained.h"

#define LINKS 30

/* a level chain of links of 1 m and `link` kg from (0, 0) on, and a ball of 2 m at its end, whose body is returned;
   `first` (may be null): the link at the other end, which hangs on a fixed body where `hung` */
static tr2_body make_chain(tr2_world *world, uint32_t links, double link, double ball, bool hung, tr2_body *first)
{
    tr2_body last = {0, 0, 0};
    if (hung)
        last = static_at(world, 0.0, 0.0);
    for (uint32_t i = 0; i <= links; i++) {
        double length = i < links ? 1.0 : 2.0, mass = i < links ? link : ball;
        tr2_body body = body_at(world, i + 0.5 * length, 0.0, 0.0, mass, mass * (i < links ? 1.0 / 12.0 : 0.5));
        if (last.index != 0)
            (void)revolute(world, last, body, (tr_vec2){i == 0 ? 0.0f : 0.5f, 0.0f},
                           (tr_vec2){-0.5f * (float)length, 0});
        if (i == 0 && first != NULL)
            *first = body;
        last = body;
    }
    return last;
}

/*
 * 30 links of 1 kg and a ball of 1,000 kg swing down from level. A pin that held at the beginning of a sub-step is off
 * by w^2 L h^2 / 2 at its end, and no more, since all of it is taken back: 5e-6 m for links that turn at 1 to 3 rad/s;
 * they whip. 0.1 mm leaves room for that; sweeps leave 0.1 to 1 m.
 */
static void a_heavy_ball_on_a_light_chain_is_held_by_every_method(void **state)
{
    (void)state;
    for (uint32_t method = 0; method < TR_METHOD_COUNT; method++) {
        tr2_world *world = strained_world(10.0, (tr_method)method, 10.0f);
        (void)make_chain(world, LINKS, 1.0, 1000.0, true, NULL);
        double error = error_over(world, 4, 500);
        NEAR("rms error", error, 0.0, 1e-4);
        tr2_world_destroy(world);
    }
}

/* what sweeps cannot do at all: whatever the sub-step, what is left is rounding, of rotations to float at up to 31 m */
static void few_substeps_hold_as_well_as_many(void **state)
{
    (void)state;
    for (uint32_t substeps = 1; substeps <= 8; substeps *= 2) {
        tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
        (void)make_chain(world, LINKS, 1.0, 1000.0, true, NULL);
        NEAR("rms error", error_over(world, substeps, 300), 0.0, 2e-7);
        tr2_world_destroy(world);
    }
}

/*
 * A minute and more of swinging and whipping, at mass ratios up to 1:10,000: what is added to the links' inertia where
 * a sub-step cannot follow them must give nothing back. Energy of a step that takes velocities first swings about the
 * true one by h w / 2 of it: 5e-3 for a ball at 1/60 s and w = 0.6 rad/s.
 */
static void no_energy_comes_out_of_nothing(void **state)
{
    (void)state;
    const double balls[] = {30.0, 1000.0, 10000.0};
    const uint32_t substeps[] = {1, 4, 8};
    for (size_t b = 0; b < 3; b++) {
        for (size_t s = 0; s < 3; s++) {
            tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
            (void)make_chain(world, LINKS, 1.0, balls[b], true, NULL);
            double start = energy_of(world), most = start, exchanged = balls[b] * 10.0 * 31.0;
            for (uint32_t i = 0; i < (uint32_t)TRIALS(4000); i++) {
                steps(world, 1.0 / 60.0, substeps[s], 1);
                double now = energy_of(world);
                assert_true(isfinite(now));
                most = now > most ? now : most;
            }
            NEAR("energy gained", fmax(most - start, 0.0), 0.0, 5e-3 * exchanged);
            tr2_world_destroy(world);
        }
    }
}

/* 1 kg on one joint to a fixed body, 2 m away, from the angle `start` to the vertical on; m r^2 / I = `ratio` */
static tr2_joint on_a_long_arm(tr2_world *world, tr2_joint_type type, double start, double ratio)
{
    tr2_body ground = static_at(world, 0.0, 0.0);
    tr2_body body = body_at(world, 2.0 * sin(start), -2.0 * cos(start), start, 1.0, 4.0 / ratio);
    tr2_joint_def def = joint_between(type, ground, body, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 2.0f});
    def.axis = (tr_vec2){1.0f, 0.0f};
    def.reference_angle = (float)start;
    return join(world, def);
}

/* J, the largest change of the energy in 20 s */
static double most_energy_changed(tr2_world *world, uint32_t substeps)
{
    double start = energy_of(world), most = 0.0;
    for (uint32_t i = 0; i < 1200; i++) {
        steps(world, 1.0 / 60.0, substeps, 1);
        most = fmax(most, fabs(energy_of(world) - start));
    }
    return most;
}

/*
 * A compact body that swings by 2 rad on an arm of 2 m (w up to 3.7 rad/s). A step that takes velocities first keeps an
 * energy that is off by h w / 2 of what is exchanged, at most, and does not drift: 8e-3 at 1/240 s, and less by the
 * number of sub-steps. Sweeps gain 0.05 in 20 s at a ratio of 10^4, and up to thousands of times the energy with more
 * sub-steps.
 */
static void a_compact_bob_on_a_long_arm_gains_no_energy(void **state)
{
    (void)state;
    const double ratios[] = {1e2, 1e4, 8e4};
    for (size_t r = 0; r < 3; r++) {
        for (uint32_t substeps = 4; substeps <= 32; substeps *= 8) {
            tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
            (void)on_a_long_arm(world, TR2_JOINT_REVOLUTE, 2.0, ratios[r]);
            double most = most_energy_changed(world, substeps), exchanged = 20.0 * (1.0 - cos(2.0));
            assert_int_equal(tr2_world_statistics(world).exact_joints, 1);
            NEAR("energy", most, 0.0, 1.0 / (60.0 * substeps) * 3.7 / 2.0 * exchanged);
            tr2_world_destroy(world);
        }
    }
}

/* The same with sweeps, where the bob is body A: impulses act at B's anchor, and the arm of A reaches there whatever
   the joint yields by, so that the law above holds. As body B it gains 0.06 at a ratio of 10^4. */
static void a_compact_body_a_gains_no_energy_with_sweeps(void **state)
{
    (void)state;
    const double ratios[] = {3e2, 1e4, 8e4};
    for (size_t r = 0; r < 3; r++) {
        for (uint32_t substeps = 4; substeps <= 16; substeps *= 2) {
            tr2_world *world = strained_world(10.0, TR_SOFT_STEP, INFINITY);
            tr2_body bob = body_at(world, 2.0 * sin(2.0), -2.0 * cos(2.0), 2.0, 1.0, 4.0 / ratios[r]);
            (void)revolute(world, bob, static_at(world, 0.0, 0.0), (tr_vec2){0.0f, 2.0f}, (tr_vec2){0.0f, 0.0f});
            double most = most_energy_changed(world, substeps), exchanged = 20.0 * (1.0 - cos(2.0));
            assert_int_equal(tr2_world_statistics(world).exact_joints, 0);
            NEAR("energy", most, 0.0, 1.0 / (60.0 * substeps) * 3.7 / 2.0 * exchanged);
            tr2_world_destroy(world);
        }
    }
}

/* what is welded to a wall, or on a level slide, stays: sweeps let it sag by 6 to 28 cm */
static void what_a_wall_holds_at_a_distance_does_not_sag(void **state)
{
    (void)state;
    const tr2_joint_type types[] = {TR2_JOINT_WELD, TR2_JOINT_PRISMATIC};
    for (size_t t = 0; t < 2; t++) {
        tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
        tr2_joint joint = on_a_long_arm(world, types[t], PI / 2.0, 800.0);
        steps(world, 1.0 / 60.0, 4, 600);
        assert_int_equal(tr2_world_statistics(world).exact_joints, 1);
        tr_joint_error_value error = error_of(world, joint);
        /* PIN_COMPLIANCE of a force m g lets m g h^2 / m through: 2e-9 m */
        NEAR("sag", fabs((double)error.linear) + 2.0 * fabs((double)error.angular), 0.0, 1e-6);
        tr2_world_destroy(world);
    }
}

/* a uniform rod hung at its end has m r^2 / I = 3: sweeps do, and are faster; direct_load says otherwise */
static void a_body_alone_is_left_to_sweeps_where_they_do(void **state)
{
    (void)state;
    const float loads[] = {0.0f, 10.0f, INFINITY};
    for (size_t l = 0; l < 3; l++) {
        for (double ratio = 3.0; ratio <= 300.0; ratio *= 100.0) {
            tr2_world *world = strained_world(10.0, TR_SOFT_STEP, loads[l]);
            (void)on_a_long_arm(world, TR2_JOINT_REVOLUTE, 1.0, ratio);
            steps(world, 1.0 / 60.0, 4, 1);
            assert_int_equal(tr2_world_statistics(world).exact_joints, l == 0 || (l == 1 && ratio > 30.0));
            tr2_world_destroy(world);
        }
    }
}

/*
 * A ball of a ton hangs by its rim, 1 m from its centre, on 8 links of 1 m and 1 g: two coordinates, a of the links and
 * b of the ball. m (8 a" + b") = -m g a and I b" = -m g (b - a), so of small swings of both (8 k / g) w^4 - (9 + k) w^2
 * + g = 0 with k = I / m. An amplitude of 0.2 rad adds a sixteenth of its square. What is damped is the links' turning,
 * 1e-6 of the mass: 1e-3 leaves room for the fast swing, which the start stirs up a little.
 */
static void a_ball_on_links_of_a_gram_keeps_a_pendulums_time(void **state)
{
    (void)state;
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    tr2_body pivot = static_at(world, 0.0, 0.0), last = pivot;
    const double angle = 0.2, mass = 1e3, k = 0.5, length = 9.0;
    for (uint32_t i = 0; i <= 8; i++) {
        double r = i < 8 ? i + 0.5 : length;
        tr2_body body =
            body_at(world, r * sin(angle), -r * cos(angle), angle, i < 8 ? 1e-3 : mass, i < 8 ? 1e-3 / 12.0 : k * mass);
        (void)revolute(world, last, body, (tr_vec2){0.0f, i == 0 ? 0.0f : -0.5f}, (tr_vec2){0.0f, i < 8 ? 0.5f : 1.0f});
        last = body;
    }
    double before = body_now(world, last).position.x, first = -1.0, passed = -1.0;
    uint32_t passages = 0;
    for (uint32_t i = 0; i < 4000 && passages < 7; i++) {
        steps(world, 1.0 / 60.0, 8, 1);
        double x = body_now(world, last).position.x;
        if (before * x <= 0.0 && before != x) {
            passed = (i + before / (before - x)) / 60.0;
            first = passages++ == 0 ? passed : first;
        }
        before = x;
    }
    assert_int_equal(passages, 7);
    double middle = 0.5 * (9.0 + k), w2 = (middle - sqrt(middle * middle - 8.0 * k)) * 10.0 / (8.0 * k);
    double want = 2.0 * PI / sqrt(w2) * (1.0 + angle * angle / 16.0);
    NEAR("period", (passed - first) / 3.0, want, 1e-3 * want);
    tr2_world_destroy(world);
}

/* thrown and spinning without gravity: only pins act. 2e-5 of the momentum is rounding to float over 1,000 steps. */
static void free_chains_keep_their_momentum(void **state)
{
    (void)state;
    for (uint32_t method = 0; method < TR_METHOD_COUNT; method++) {
        tr2_world *world = strained_world(0.0, (tr_method)method, 0.0f);
        tr2_body first, last = make_chain(world, 12, 1.0, 40.0, false, &first);
        MUST(tr2_body_set_velocity(world, first, (tr_vec2){1.0f, 8.0f}, 0.0f));
        MUST(tr2_body_set_velocity(world, last, (tr_vec2){0.5f, -1.0f}, 0.2f));
        tr2_measures start = tr2_world_measure(world);
        double energy = start.kinetic_energy, most = 0.0;
        for (uint32_t i = 0; i < 1000; i++) {
            steps(world, 1.0 / 60.0, 4, 1);
            double now = tr2_world_measure(world).kinetic_energy;
            most = now > most ? now : most;
        }
        tr2_measures end = tr2_world_measure(world);
        double size = 52.0 * 2.0;
        NEAR("momentum along x", end.momentum.x, start.momentum.x, 2e-5 * size);
        NEAR("momentum along y", end.momentum.y, start.momentum.y, 2e-5 * size);
        NEAR("angular momentum", end.angular_momentum, start.angular_momentum, 1e-4 * 40.0 * 13.0);
        assert_true(most <= energy * (1.0 + 1e-5));
        tr2_world_destroy(world);
    }
}

#define SPOKES 2000

/* a hub of 10 kg that turns at 0.5 rad/s about its pin, with bodies of 0.5 kg on it out to 20 m */
static tr2_world *make_light_hub(uint32_t threads, tr2_joint *spokes)
{
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    MUST(tr2_world_set_threads(world, threads));
    step_on_all_threads(world);
    tr2_body hub = make_hub(world, 2000.0, 0.5);
    for (uint32_t i = 0; i < SPOKES; i++) {
        tr_vec2 place = place_on_hub(i, SPOKES, 20.0);
        tr2_body body = body_on_hub(world, place, 0.0, 0.5, 0.5);
        tr2_joint_def joint = joint_between(TR2_JOINT_REVOLUTE, hub, body, place, (tr_vec2){0, 0});
        joint.event_at = (tr_event_at){.force = 1.0f};
        spokes[i] = join(world, joint);
    }
    return world;
}

/*
 * A pair balances, so the hub turns on at w = 0.5 rad/s and each body needs m (w^2 r - g) towards the pin: the pin
 * force is that to 1 %. Errors are those of w^2 r h^2 / 2 = 4e-5 m at 20 m, once per sub-step: 0.1 mm. Every joint
 * carries more than 1 N, so every one reports.
 */
static void a_light_hub_carries_two_thousand_bodies(void **state)
{
    (void)state;
    static tr2_joint spokes[SPOKES];
    tr2_world *world = make_light_hub(1, spokes);
    double error = error_over(world, 4, 100);
    NEAR("rms error", error, 0.0, 1e-4);
    assert_int_equal(tr2_world_events(world).count, SPOKES);
    assert_int_equal(tr2_world_statistics(world).exact_joints, SPOKES + 1);
    double angle = 0.5 * 100.0 / 60.0;
    for (uint32_t i = 0; i < SPOKES; i++) {
        tr2_reaction r = reaction_of(world, spokes[i]);
        double radius = 2.0 + 18.0 * (i / 2) / (SPOKES / 2), at = 2.4 * (i / 2) + PI * (i % 2) + angle;
        NEAR("force along x", (double)r.force.x, -0.5 * 0.25 * radius * cos(at), 0.05);
        NEAR("force along y", (double)r.force.y, -0.5 * 0.25 * radius * sin(at) + 5.0, 0.05);
    }
    tr2_world_destroy(world);
}

/* sums run in a fixed order whatever worker does them */
static void a_light_hub_has_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    static tr2_joint spokes[SPOKES];
    uint64_t hash[3];
    for (uint32_t threads = 1; threads <= 3; threads++) {
        tr2_world *world = make_light_hub(threads, spokes);
        steps(world, 1.0 / 60.0, 2, 10);
        hash[threads - 1] = tr2_world_state_hash(world);
        tr2_world_destroy(world);
    }
    assert_true(hash[0] == hash[1] && hash[1] == hash[2]);
}

/* what says nothing new of a joint changes nothing, on a light chain that shares its blocks with a heavy one */
static void edits_of_a_joint_leave_it_in_its_island(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int edited = 0; edited < 2; edited++) {
        tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
        tr2_body first;
        (void)make_chain(world, 5, 1.0, 1.0, true, NULL);
        (void)make_chain(world, 12, 1.0, 1000.0, true, &first);
        steps(world, 1.0 / 60.0, 4, 10);
        tr2_joint_view joints = tr2_world_joints(world, TR2_JOINT_REVOLUTE);
        for (uint32_t i = 0; i < joints.count && edited > 0; i++) {
            MUST(tr2_joint_set_user_data(world, joints.id[i], 0));
            MUST(tr2_joint_set_enabled(world, joints.id[i], true));
        }
        steps(world, 1.0 / 60.0, 4, 10);
        assert_int_equal(tr2_world_statistics(world).exact_joints, 13);
        hash[edited] = tr2_world_state_hash(world);
        tr2_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

/* what a body weighs decides, however it came to weigh it */
static void islands_follow_masses(void **state)
{
    (void)state;
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    tr2_body ball = make_chain(world, 12, 1.0, 1.0, true, NULL);
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 0);
    MUST(tr2_body_set_mass(world, ball, 1000.0f, 500.0f, (tr_vec2){0.0f, 0.0f}));
    NEAR("heavier", error_over(world, 4, 60), 0.0, 1e-4);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 13);
    tr2_body_def def = body_now(world, ball);
    def.mass = 1.0f;
    def.inertia = 0.5f;
    MUST(tr2_body_set(world, ball, &def));
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 0);
    tr2_world_destroy(world);
}

/* joints and bodies of an island come and go, are let go and fixed: it is solved directly, or swept */
static void islands_follow_edits(void **state)
{
    (void)state;
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    tr2_body first, ball = make_chain(world, 12, 1.0, 1000.0, true, &first);
    NEAR("whole", error_over(world, 4, 60), 0.0, 1e-4);
    /* a second pin closes a loop through the world */
    tr2_body_def at = body_now(world, first);
    tr2_body peg = static_at(world, at.position.x, at.position.y);
    tr2_joint held = revolute(world, peg, first, (tr_vec2){0, 0}, (tr_vec2){0, 0});
    NEAR("with two pins", error_over(world, 4, 60), 0.0, 1e-4);
    MUST(tr2_world_destroy_joint(world, held));
    NEAR("with one again", error_over(world, 4, 60), 0.0, 1e-3);
    MUST(tr2_body_set_type(world, ball, TR_STATIC));
    NEAR("tied at both ends", error_over(world, 4, 120), 0.0, 0.05);
    MUST(tr2_body_set_type(world, ball, TR_DYNAMIC));
    /* sweeps have opened all joints of a chain that is nearly straight by 15 mm: these close as fast as bodies may be turned
       for it, by 20 rad/s, in twenty steps */
    NEAR("let go", error_over(world, 4, 60), 0.0, 4e-3);
    MUST(tr2_world_destroy_body(world, first));
    NEAR("fallen off", error_over(world, 4, 60), 0.0, 1e-3);
    MUST(tr2_world_set_direct_load(world, INFINITY));
    steps(world, 1.0 / 60.0, 4, 10);
    MUST(tr2_world_set_direct_load(world, 0.0f));
    NEAR("all islands", error_over(world, 4, 60), 0.0, 1e-2);
    tr2_world_destroy(world);
}

/* sweeps do well where the heavy body holds the light ones, and are faster; and where the load is said to be borne */
static void what_is_not_strained_is_left_to_the_sweeps(void **state)
{
    (void)state;
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    (void)make_chain(world, 12, 1.0, 9.0, true, NULL);
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 0);
    MUST(tr2_world_set_direct_load(world, 5.0f));
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 13);
    MUST(tr2_world_set_direct_load(world, INFINITY));
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 0);
    tr2_world_destroy(world);
}

static void a_load_must_be_a_number_of_at_least_nothing(void **state)
{
    (void)state;
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    assert_int_equal(tr2_world_set_direct_load(world, -1.0f), TR_ERROR_NEGATIVE);
    assert_int_equal(tr2_world_set_direct_load(world, NAN), TR_ERROR_NAN);
    assert_int_equal(tr2_world_set_direct_load(NULL, 1.0f), TR_ERROR_NULL);
    tr2_world_destroy(world);
    tr2_world_def def = tr2_world_def_default();
    def.direct_load = -1.0f;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_ERROR_NEGATIVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heavy_ball_on_a_light_chain_is_held_by_every_method),
        cmocka_unit_test(few_substeps_hold_as_well_as_many),
        cmocka_unit_test(no_energy_comes_out_of_nothing),
        cmocka_unit_test(a_compact_bob_on_a_long_arm_gains_no_energy),
        cmocka_unit_test(a_compact_body_a_gains_no_energy_with_sweeps),
        cmocka_unit_test(what_a_wall_holds_at_a_distance_does_not_sag),
        cmocka_unit_test(a_body_alone_is_left_to_sweeps_where_they_do),
        cmocka_unit_test(a_ball_on_links_of_a_gram_keeps_a_pendulums_time),
        cmocka_unit_test(free_chains_keep_their_momentum),
        cmocka_unit_test(a_light_hub_carries_two_thousand_bodies),
        cmocka_unit_test(a_light_hub_has_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(edits_of_a_joint_leave_it_in_its_island),
        cmocka_unit_test(islands_follow_masses),
        cmocka_unit_test(islands_follow_edits),
        cmocka_unit_test(what_is_not_strained_is_left_to_the_sweeps),
        cmocka_unit_test(a_load_must_be_a_number_of_at_least_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
