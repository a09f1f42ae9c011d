/*
 * Several joints between the same two bodies, which hold the same freedoms more than once. Laws: the bodies move as one
 * rigid body would, and no energy comes out of nothing.
 */
#include "physics.h"

#define DT (1.0 / 60.0)

/* a bar of 1 m by 0.4 m and 4 kg */
static tr2_body bar_at(tr2_world *world, double x)
{
    const double mass = 4.0;
    return body_at(world, x, 0.0, 0.0, mass, mass * (1.0 + 0.16) / 12.0);
}

/* `count` joints of a type across the seam at x, `gap` apart */
static void seam(tr2_world *world, tr2_joint_type type, tr2_body a, tr2_body b, double x, uint32_t count, double gap)
{
    for (uint32_t i = 0; i < count; i++) {
        tr_dvec2 point = {x, (i - 0.5 * (count - 1)) * gap};
        tr2_joint_def def;
        MUST(tr2_joint_def_between(world, type, a, b, point, point, (tr_vec2){1.0f, 0.0f}, &def));
        MUST(tr2_world_create_joint(world, &def, NULL));
    }
}

typedef struct seams {
    const char *name;
    tr2_joint_type type;
    uint32_t count;
    double gap; /* m */
    uint32_t substeps;
} seams;

static const seams all_seams[] = {
    {"2 welds, 20 cm apart", TR2_JOINT_WELD, 2, 0.2, 4},
    {"2 welds at one place", TR2_JOINT_WELD, 2, 0.0, 4},
    {"4 welds", TR2_JOINT_WELD, 4, 0.1, 4},
    {"2 welds, 8 sub-steps", TR2_JOINT_WELD, 2, 0.2, 8},
    {"4 revolutes", TR2_JOINT_REVOLUTE, 4, 0.1, 4},
    {"2 prismatics", TR2_JOINT_PRISMATIC, 2, 0.2, 4},
    {"3 revolutes at one place", TR2_JOINT_REVOLUTE, 3, 0.0, 4},
    {"7 welds", TR2_JOINT_WELD, 7, 0.05, 4},
    {"7 welds, 16 sub-steps", TR2_JOINT_WELD, 7, 0.05, 16},
    {"3 welds, 32 sub-steps", TR2_JOINT_WELD, 3, 0.1, 32},
};

/*
 * Six bars in empty space; the last is pushed. The joints are plastic: they take what the push has more than a rigid
 * motion, within the first steps. After that the energy may not grow: 1 % is left for the motions that slides and pins
 * allow, in which single precision and the correction of errors exchange energy.
 */
static void bars_in_empty_space_gain_no_energy(void **state)
{
    (void)state;
    for (uint32_t c = 0; c < sizeof all_seams / sizeof *all_seams; c++) {
        const seams *it = &all_seams[c];
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body last = bar_at(world, 0.0);
        for (uint32_t i = 1; i < 6; i++) {
            tr2_body body = bar_at(world, i);
            seam(world, it->type, last, body, i - 0.5, it->count, it->gap);
            last = body;
        }
        MUST(tr2_body_set_velocity(world, last, (tr_vec2){0.0f, 3.0f}, 2.0f));
        double begun = tr2_world_measure(world).kinetic_energy;
        steps(world, DT, it->substeps, 60);
        double settled = tr2_world_measure(world).kinetic_energy, opened = 0.0;
        for (uint32_t i = 0; i < 600; i++) {
            steps(world, DT, it->substeps, 1);
            opened = fmax(opened, tr2_world_measure(world).joint_error_max);
        }
        double ended = tr2_world_measure(world).kinetic_energy;
        if (!(settled <= begun && ended <= 1.01 * settled && opened < 0.005))
            fail_msg("%s: %g J, then %g J, in the end %g J; open by %g m", it->name, begun, settled, ended, opened);
        tr2_world_destroy(world);
    }
}

/* planks that stick out of a wall: they come to rest, and hang by no more than their softness allows */
static void a_cantilever_rests(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= 4; count++) {
        tr2_world *world = world_of(G, 60.0f);
        tr2_body last = static_at(world, 0.0, 0.0);
        for (uint32_t i = 0; i < 4; i++) {
            tr2_body body = bar_at(world, i + 0.5);
            seam(world, TR2_JOINT_WELD, last, body, i, count, 0.1);
            last = body;
        }
        steps(world, DT, 4, 600);
        tr2_measures measures = tr2_world_measure(world);
        if (!(measures.kinetic_energy < 1e-3 && measures.joint_error_max < 0.02))
            fail_msg("%u welds: %g J, open by %g m", count, measures.kinetic_energy, measures.joint_error_max);
        tr2_world_destroy(world);
    }
}

static uint32_t kind_of(const tr2_world *world, tr2_joint joint)
{
    tr2_joint_view view = tr2_world_joints(world, TR2_JOINT_WELD);
    uint32_t kind = UINT32_MAX;
    for (uint32_t row = 0; row < view.count; row++) {
        if (view.id[row].index == joint.index)
            memcpy(&kind, &view.field[TR2_FIELD_LINEAR_KIND][row], sizeof kind);
    }
    return kind;
}

/* what is kept for joints side by side is not seen in their definitions, and goes with the last but one of them */
static void definitions_are_those_that_were_given(void **state)
{
    (void)state;
    tr2_world *world = world_of(0.0, 60.0f);
    tr2_body a = bar_at(world, 0.0), b = bar_at(world, 1.0);
    tr2_joint_def def = joint_between(TR2_JOINT_WELD, a, b, (tr_vec2){0.5f, 0.0f}, (tr_vec2){-0.5f, 0.0f});
    const tr2_joint_def defs[] = {def, def, def};
    tr2_joint ids[3];
    MUST(tr2_world_create_joints(world, defs, 3, ids));
    /* nine rows for three freedoms: six more */
    for (uint32_t i = 0; i < 3; i++) {
        tr2_joint_def read;
        MUST(tr2_joint_get(world, ids[i], &read));
        assert_int_equal(read.linear.kind, TR_RIGID);
        assert_int_equal(read.angular.kind, TR_RIGID);
        assert_int_equal(kind_of(world, ids[i]), 3 + 6);
    }
    /* one becomes soft, one is destroyed: the last is alone */
    tr2_joint_def soft = def;
    soft.linear = soft.angular = tr_frequency(5.0f, 1.0f);
    MUST(tr2_joint_set(world, ids[0], &soft));
    assert_int_equal(kind_of(world, ids[0]), TR_FREQUENCY);
    assert_int_equal(kind_of(world, ids[1]), 3 + 3);
    assert_int_equal(kind_of(world, ids[2]), 3 + 3);
    MUST(tr2_world_destroy_joint(world, ids[1]));
    assert_int_equal(kind_of(world, ids[0]), TR_FREQUENCY);
    assert_int_equal(kind_of(world, ids[2]), TR_RIGID);
    tr2_world_destroy(world);
}

/* a joint that is switched off holds nothing: of five welds the one that is on carries the bar */
static void joints_that_are_off_are_not_counted(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body wall = static_at(world, 0.0, 0.0), bar = bar_at(world, 0.5);
    tr2_joint_def def = joint_between(TR2_JOINT_WELD, wall, bar, (tr_vec2){0.0f, 0.0f}, (tr_vec2){-0.5f, 0.0f});
    tr2_joint ids[5];
    for (uint32_t i = 0; i < 5; i++)
        ids[i] = join(world, def);
    for (uint32_t i = 1; i < 5; i++)
        MUST(tr2_joint_set_enabled(world, ids[i], false));
    steps(world, DT, 4, 120);
    NEAR("what the weld carries", (double)reaction_of(world, ids[0]).force.y, 4.0 * G, 0.01 * 4.0 * G);
    MUST(tr2_joint_set_enabled(world, ids[0], false));
    MUST(tr2_joint_set_enabled(world, ids[4], true));
    steps(world, DT, 4, 120);
    NEAR("what the other carries", (double)reaction_of(world, ids[4]).force.y, 4.0 * G, 0.01 * 4.0 * G);
    tr2_world_destroy(world);
}

/* four slides side by side, the motor on any one of them: the bar moves; and a weld holds the angle beside revolutes */
static void joints_that_do_more_than_hold_never_rest(void **state)
{
    (void)state;
    for (uint32_t with = 0; with < 4; with++) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body wall = static_at(world, 0.0, 0.0), bar = bar_at(world, 0.5);
        tr2_joint_def def =
            joint_between(TR2_JOINT_PRISMATIC, wall, bar, (tr_vec2){0.0f, 0.0f}, (tr_vec2){-0.5f, 0.0f});
        for (uint32_t i = 0; i < 4; i++) {
            def.motor = (tr_motor){0};
            if (i == with)
                def.motor = (tr_motor){.enable = true, .speed = 1.0f, .maximum = 100.0f};
            (void)join(world, def);
        }
        steps(world, DT, 4, 60);
        NEAR("way in 1 s", body_now(world, bar).position.x - 0.5, 1.0, 0.05);
        tr2_world_destroy(world);
    }
    for (uint32_t with = 0; with < 6; with++) {
        tr2_world *world = world_of(G, 60.0f);
        tr2_body wall = static_at(world, 0.0, 0.0), bar = bar_at(world, 0.5);
        for (uint32_t i = 0; i < 6; i++)
            (void)join(world, joint_between(i == with ? TR2_JOINT_WELD : TR2_JOINT_REVOLUTE, wall, bar,
                                            (tr_vec2){0.0f, 0.0f}, (tr_vec2){-0.5f, 0.0f}));
        steps(world, DT, 4, 120);
        NEAR("angle", body_now(world, bar).angle, 0.0, 0.01);
        tr2_world_destroy(world);
    }
}

/* on a ground that carries many other things: it is never split, so its joints side by side are as elsewhere */
static void a_ground_with_many_joints_makes_no_difference(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    tr2_body ground = static_at(world, 0.0, 0.0), last = ground;
    for (uint32_t i = 0; i < 60; i++)
        seam(world, TR2_JOINT_REVOLUTE, ground, bar_at(world, 100.0 + 2.0 * i), 100.0 + 2.0 * i, 1, 0.0);
    for (uint32_t i = 0; i < 4; i++) {
        tr2_body body = bar_at(world, i + 0.5);
        seam(world, TR2_JOINT_WELD, last, body, i, 2, 0.1);
        last = body;
    }
    steps(world, DT, 4, 600);
    tr2_measures measures = tr2_world_measure(world);
    if (!(measures.kinetic_energy < 1e-3 && measures.joint_error_max < 0.02))
        fail_msg("%g J, open by %g m", measures.kinetic_energy, measures.joint_error_max);
    tr2_world_destroy(world);
}

/* a second weld is solved directly with the others, and leaves them as they were when it goes */
static void a_weld_that_goes_leaves_the_island_as_it_was(void **state)
{
    (void)state;
    tr2_world *world = world_of(G, 60.0f);
    MUST(tr2_world_set_direct_load(world, 0.0f));
    tr2_body last = static_at(world, 0.0, 0.0), before = last;
    for (uint32_t i = 0; i < 4; i++) {
        tr2_body body = bar_at(world, i + 0.5);
        seam(world, TR2_JOINT_WELD, last, body, i, 1, 0.0);
        before = last;
        last = body;
    }
    steps(world, DT, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 4);
    tr2_joint second =
        join(world, joint_between(TR2_JOINT_WELD, before, last, (tr_vec2){0.5f, 0.0f}, (tr_vec2){-0.5f, 0.0f}));
    steps(world, DT, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 5);
    MUST(tr2_world_destroy_joint(world, second));
    steps(world, DT, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 4);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_in_empty_space_gain_no_energy),
        cmocka_unit_test(a_cantilever_rests),
        cmocka_unit_test(definitions_are_those_that_were_given),
        cmocka_unit_test(joints_that_are_off_are_not_counted),
        cmocka_unit_test(joints_that_do_more_than_hold_never_rest),
        cmocka_unit_test(a_ground_with_many_joints_makes_no_difference),
        cmocka_unit_test(a_weld_that_goes_leaves_the_island_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
