/*
 * Events of impacts: what is compared with a threshold is the impulse of the whole step over its time, so that an
 * impact counts whichever sub-step it falls into.
 */
#include "strained.h"
#include "weightless.h"

#define DT         (1.0 / 60.0)
#define PHASES     64
#define ALL_DIRECT 0.0f
#define NO_DIRECT  INFINITY

static const tr_vec2 origin = {0.0f, 0.0f};

/* the sum of the forces of the last step's events over the step, N s */
static double impulse_along_x(const tr2_world *world)
{
    double sum = 0.0;
    tr2_event_view events = tr2_world_events(world);
    for (uint32_t i = 0; i < events.count; i++)
        sum += (double)events.event[i].reaction.force.x * DT;
    return sum;
}

/* 2 kg at 3 m/s, on a joint that stops them: 6 N s, however few sub-steps that takes; by the last sub-step's reaction
   there would be next to nothing, since the direct method or a lone row stops a body in the first */
static void the_whole_step_counts_whatever_solves_the_joint(void **state)
{
    (void)state;
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        for (int exact = 0; exact < 2; exact++) {
            tr2_world *world = strained_world(0.0, (tr_method)method, exact ? ALL_DIRECT : NO_DIRECT);
            tr2_body first = body_at(world, 0, 0, 0, 2.0, 1.0), second = body_at(world, 0, 5, 0, 1.0, 1.0);
            tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, static_at(world, 0, 0), first, origin, origin);
            def.event_at.force = 1.0f;
            (void)join(world, def);
            /* a second body makes a tree of it */
            (void)revolute(world, first, second, origin, (tr_vec2){0.0f, -5.0f});
            MUST(tr2_body_set_velocity(world, first, (tr_vec2){3.0f, 0.0f}, 0.0f));
            steps(world, DT, 4, 1);
            assert_int_equal(tr2_world_events(world).count, 1);
            /* the second body swings, and pulls some of it along; sweeps leave some for the next step */
            NEAR("impulse", impulse_along_x(world), -6.0, 0.6);
            tr2_world_destroy(world);
        }
    }
}

/* the same on a body that so many joints hold that it is split into copies: together they stop 400 kg at 0.5 m/s */
static void joints_of_split_bodies_count_alike(void **state)
{
    (void)state;
    enum { JOINTS = 300 };
    tr2_world *world = strained_world(0.0, TR_SOFT_STEP, NO_DIRECT);
    tr2_body hub = body_at(world, 0, 0, 0, 400.0, 400.0);
    for (int i = 0; i < JOINTS; i++) {
        tr2_body pin = body_at(world, 0, 0, 0, 1e-3, 1e-3);
        tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, hub, pin, origin, origin);
        (void)join(world, def);
        def.body_a = static_at(world, 0, 0);
        def.body_b = hub;
        def.event_at.force = 1e-9f;
        (void)join(world, def);
    }
    MUST(tr2_body_set_velocity(world, hub, (tr_vec2){0.5f, 0.0f}, 0.0f));
    steps(world, DT, 4, 1);
    tr2_measures left = tr2_world_measure(world);
    assert_true(tr2_world_statistics(world).split_bodies > 0);
    assert_true(tr2_world_events(world).count > JOINTS / 2);
    /* what the joints gave is what the bodies have lost, to the rounding of 1200 sums */
    NEAR("impulse", impulse_along_x(world), left.momentum.x - 200.0, 2e-2);
    tr2_world_destroy(world);
}

/* whether a block of 10 kg, welded to the ground, breaks off when a ball of 1 kg hits it, `phase` of a step later */
static bool breaks_off(tr_break_at break_at, double speed, double phase)
{
    tr2_world *world = strained_world(0.0, TR_SOFT_STEP, 10.0f);
    tr2_body block = body_at(world, 0, 0, 0, 10.0, 2.0), ball = body_at(world, -1.0, 0, 0, 1.0, 0.02);
    tr2_shape_def box = weightless(tr2_box_on(block, 0.5f, 0.5f)),
                  circle = weightless(tr2_circle_on(ball, origin, 0.2f));
    MUST(tr2_world_create_shape(world, &box, NULL));
    MUST(tr2_world_create_shape(world, &circle, NULL));
    tr2_joint_def def = joint_between(TR2_JOINT_WELD, static_at(world, 0, 0), block, origin, origin);
    def.break_at = break_at;
    tr2_joint joint = join(world, def);
    MUST(tr2_body_set_transform(world, ball, (tr_dvec2){-1.0 - phase * speed * DT, 0.0}, 0.0));
    MUST(tr2_body_set_velocity(world, ball, (tr_vec2){(float)speed, 0.0f}, 0.0f));
    for (int i = 0; i < 16; i++)
        steps(world, DT, 4, 1);
    bool broken = !tr2_joint_is_valid(world, joint);
    tr2_world_destroy(world);
    return broken;
}

/* 1 kg at 5 m/s brings 5 N s, which is 300 N over a step of 1/60 s, in one step or across two; what it brings at 20 m/s
   is never twice that */
static void an_impact_breaks_a_joint_in_every_phase(void **state)
{
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        double at = (double)phase / PHASES;
        assert_true(breaks_off((tr_break_at){.force = 280.0f}, 5.0, at));
        assert_true(breaks_off((tr_break_at){.impulse = 280.0f / 60.0f}, 5.0, at));
        assert_true(breaks_off((tr_break_at){.force = 1000.0f}, 20.0, at));
        assert_false(breaks_off((tr_break_at){.force = 2400.0f}, 20.0, at));
    }
}

/* an impact that is over at once counts once, with however few sub-steps */
static void an_impact_counts_once(void **state)
{
    (void)state;
    for (uint32_t substeps = 1; substeps <= 4; substeps++) {
        tr2_world *world = strained_world(0.0, TR_SOFT_STEP, ALL_DIRECT);
        tr2_body body = body_at(world, 0, 0, 0, 2.0, 1.0), other = body_at(world, 0, 5, 0, 1e-3, 1e-3);
        tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, static_at(world, 0, 0), body, origin, origin);
        def.event_at.force = 100.0f;
        (void)join(world, def);
        (void)revolute(world, body, other, origin, (tr_vec2){0.0f, -5.0f});
        double sum = 0.0;
        for (uint32_t i = 0; i < 4; i++) {
            if (i == 1)
                MUST(tr2_body_set_velocity(world, body, (tr_vec2){3.0f, 0.0f}, 0.0f));
            steps(world, DT, substeps, 1);
            sum += impulse_along_x(world);
        }
        NEAR("impulse", sum, -6.0, 0.06);
        tr2_world_destroy(world);
    }
}

/* a weight of 100 N stays below a threshold of 120 N while steps get shorter and sub-steps more or fewer */
static void a_steady_load_is_the_same_in_steps_of_any_length(void **state)
{
    (void)state;
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, NO_DIRECT);
    tr2_body body = body_at(world, 0, 0, 0, 10.0, 1.0);
    tr2_joint_def def = joint_between(TR2_JOINT_REVOLUTE, static_at(world, 0, 0), body, origin, origin);
    def.event_at.force = 120.0f;
    (void)join(world, def);
    static const uint32_t substeps[] = {4, 1, 4, 8, 3, 2};
    for (uint32_t i = 0; i < 240; i++) {
        double dt = i % 3 == 0 ? 1.0 / 30.0 : i % 3 == 1 ? 1.0 / 60.0 : 1.0 / 240.0;
        steps(world, dt, i < 120 ? 4 : substeps[i % 6], 1);
        if (i > 30)
            assert_int_equal(tr2_world_events(world).count, 0);
    }
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_step_counts_whatever_solves_the_joint),
        cmocka_unit_test(joints_of_split_bodies_count_alike),
        cmocka_unit_test(an_impact_breaks_a_joint_in_every_phase),
        cmocka_unit_test(an_impact_counts_once),
        cmocka_unit_test(a_steady_load_is_the_same_in_steps_of_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
