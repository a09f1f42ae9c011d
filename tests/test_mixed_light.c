/*
 * Heaps on machines that are much lighter than they: a bridge of planks of 1 kg that carries 60 kg, under discs and under
 * ragdolls. The direct method solves what is strained, sweeps solve the heap, and where both meet nothing is thrown
 * (docs/exact.md).
 */
#include "all_threads.h"
#include "instrumented.h"
#include "physics.h"

#define PLANKS 12

static tr2_world *world_of_heaps(uint32_t threads)
{
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = false;
    def.threads = threads;
    tr2_world *world = NULL;
    MUST(tr2_world_create(&def, &world, NULL));
    return world;
}

static void pin(tr2_world *world, tr2_body a, tr2_body b, double x, double y)
{
    (void)revolute(world, a, b, local_point_of(world, a, x, y), local_point_of(world, b, x, y));
}

static tr2_body box(tr2_world *world, double x, double y, double half_x, double half_y, double mass)
{
    tr2_body out = body_at(world, x, y, 0.0, mass, mass * (half_x * half_x + half_y * half_y) / 3.0);
    tr2_shape_def def = tr2_offset_box_on(out, (float)half_x, (float)half_y, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f);
    def.density = 0.0f;
    MUST(tr2_world_create_shape(world, &def, NULL));
    return out;
}

static tr2_body disc(tr2_world *world, double x, double y, double radius, double mass)
{
    tr2_body out = body_at(world, x, y, 0.0, mass, 0.5 * mass * radius * radius);
    tr2_shape_def def = tr2_circle_on(out, (tr_vec2){0.0f, 0.0f}, (float)radius);
    def.density = 0.0f;
    MUST(tr2_world_create_shape(world, &def, NULL));
    return out;
}

/* From x on; of what the weight hangs on each step says that it is loaded. Returns the first plank. */
static tr2_body put_bridge(tr2_world *world, double from)
{
    const tr2_body ground = static_at(world, 0.0, 0.0);
    tr2_body before = ground, first = {0};
    for (uint32_t i = 0; i < PLANKS; i++) {
        const double x = from + 0.5 * i;
        const tr2_body plank = box(world, x + 0.25, 0.0, 0.24, 0.05, 1.0);
        pin(world, before, plank, x, 0.0);
        before = plank;
        first = i == 0 ? plank : first;
        if (i != PLANKS / 2)
            continue;
        const tr2_body weight = body_at(world, x + 0.25, -1.0, 0.0, 60.0, 6.0);
        tr2_joint_def def =
            joint_between(TR2_JOINT_REVOLUTE, plank, weight, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 1.0f});
        def.event_at.force = 1.0f;
        (void)join(world, def);
    }
    pin(world, before, ground, from + 0.5 * PLANKS, 0.0);
    return first;
}

static void put_ragdoll(tr2_world *world, double x, double y)
{
    const tr2_body trunk = box(world, x, y, 0.15, 0.3, 10.0);
    pin(world, trunk, disc(world, x, y + 0.45, 0.12, 3.0), x, y + 0.32);
    for (int side = -1; side <= 1; side += 2) {
        const tr2_body arm = box(world, x + side * 0.35, y + 0.2, 0.18, 0.05, 1.5);
        const tr2_body hand = box(world, x + side * 0.7, y + 0.2, 0.16, 0.04, 1.0);
        const tr2_body thigh = box(world, x + side * 0.1, y - 0.5, 0.06, 0.2, 4.0);
        const tr2_body shank = box(world, x + side * 0.1, y - 0.9, 0.05, 0.2, 2.0);
        pin(world, trunk, arm, x + side * 0.17, y + 0.2);
        pin(world, arm, hand, x + side * 0.53, y + 0.2);
        pin(world, trunk, thigh, x + side * 0.1, y - 0.3);
        pin(world, thigh, shank, x + side * 0.1, y - 0.7);
    }
}

/* `falls`: J, what a heap of this mass gains while it falls by a metre; `most`: which share of it may be gained in a step */
static void let_fall(tr2_world *world, double falls, double most)
{
    double last = energy_of(world);
    bool met = false;
    uint32_t loaded = 0;
    for (uint32_t i = 0; i < TRIALS(180); i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        const tr_statistics s = tr2_world_statistics(world);
        const double now = energy_of(world);
        met = met || (s.direct_islands > 0 && s.contacts > 0);
        assert_int_equal(s.nonfinite_bodies, 0);
        loaded += tr2_world_events(world).count;
        if (now > last + most * falls)
            fail_msg("step %u: energy %g J, %g before", i, now, last);
        last = now;
    }
    assert_int_equal(loaded, TRIALS(180));
    assert_true(met);
    tr2_world_destroy(world);
}

static void put_discs(tr2_world *world, double from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        (void)disc(world, from + 1.2 + 0.45 * (i % 8) + 0.03 * (i / 8), 0.5 + 0.45 * (i / 8), 0.2, 2.0);
}

static void discs_on_a_light_bridge_are_not_thrown(void **state)
{
    (void)state;
    for (uint32_t count = 16; count <= 24; count += 4) {
        tr2_world *world = world_of_heaps(1);
        (void)put_bridge(world, 0.0);
        put_discs(world, 0.0, count);
        let_fall(world, 2.0 * count * G * 1.0, 0.01);
    }
}

static void ragdolls_on_a_light_bridge_are_not_thrown(void **state)
{
    (void)state;
    for (uint32_t count = 2; count <= 3; count++) {
        tr2_world *world = world_of_heaps(1);
        (void)put_bridge(world, 0.0);
        for (uint32_t i = 0; i < count; i++)
            put_ragdoll(world, 2.0 + 0.9 * i, 1.4);
        let_fall(world, 30.0 * count * G * 1.0, 0.1);
    }
}

static void add_box(tr2_world *world, tr2_body body, double half_x, double half_y, double x, double y)
{
    tr2_shape_def def =
        tr2_offset_box_on(body, (float)half_x, (float)half_y, (tr_vec2){(float)x, (float)y}, 1.0f, 0.0f);
    def.density = 0.0f;
    MUST(tr2_world_create_shape(world, &def, NULL));
}

/* A trough on a post that is welded to the ground, over a floor; stops hold it within 0.15 rad. */
static void put_see_saw(tr2_world *world, double mass)
{
    const tr2_body ground = static_at(world, 0.0, 0.0);
    const tr2_body trough = body_at(world, 0.0, 0.0, 0.0, 2.0 * mass, 6.0 * mass),
                   post = body_at(world, 0.0, -1.0, 0.0, mass, 0.3 * mass);
    tr2_joint_def weld = joint_between(TR2_JOINT_WELD, ground, post, (tr_vec2){0.0f, -2.0f}, (tr_vec2){0.0f, -1.0f});
    tr2_joint_def pin_of =
        joint_between(TR2_JOINT_REVOLUTE, post, trough, (tr_vec2){0.0f, 1.0f}, (tr_vec2){0.0f, 0.0f});
    add_box(world, ground, 50.0, 0.5, 0.0, -8.5);
    add_box(world, trough, 3.3, 0.1, 0.0, 0.0);
    add_box(world, trough, 0.1, 1.5, -3.2, 1.5);
    add_box(world, trough, 0.1, 1.5, 3.2, 1.5);
    pin_of.limit = (tr_limit){true, -0.15f, 0.15f};
    (void)join(world, weld);
    (void)join(world, pin_of);
    MUST(tr2_body_set_direct(world, trough, true));
    MUST(tr2_body_set_direct(world, post, true));
}

/* In 5 s, by how much the energy rises above its least. */
static double rise_of(tr2_world *world)
{
    double least = energy_of(world), rise = 0.0;
    for (uint32_t i = 0; i < 300; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        const double now = energy_of(world);
        least = fmin(least, now);
        rise = fmax(rise, now - least);
    }
    return rise;
}

/* 100 discs of 2.5 kg on see-saws of 2 to 5 kg, a body of a type among them. */
static void see_saws_rise_little(tr_body_type type)
{
    enum { HEAPS = 6, DISCS = 100, ROW = 20 };
    double mean = 0.0, most = 0.0;
    for (uint32_t k = 0; k < TRIALS(HEAPS); k++) {
        tr2_world *world = world_of_heaps(1);
        tr2_body_def def = tr2_body_def_default();
        tr2_body peg;
        def.position = (tr_dvec2){0.0, 0.9};
        def.type = type;
        MUST(tr2_world_create_body(world, &def, &peg));
        add_box(world, peg, 0.05, 0.05, 0.0, 0.0);
        put_see_saw(world, 0.7 + 0.2 * k);
        for (uint32_t i = 0; i < DISCS; i++)
            (void)disc(world, -2.8 + 0.276 * (i % ROW) + 0.01 * k + 0.02 * (i / ROW % 3), 0.5 + 0.288 * (i / ROW), 0.12,
                       2.5);
        const double rise = rise_of(world) / (ROW * 2.5 * G * 0.4);
        print_message("see-saw of %.1f kg: energy rises by %.2g of the first layer's fall\n", 2.0 * (0.7 + 0.2 * k),
                      rise);
        mean += rise / HEAPS;
        most = fmax(most, rise);
        tr2_world_destroy(world);
    }
    print_message("mean %.3g, most %.3g\n", mean, most);
    assert_true(mean < 0.04 && most < 0.08);
}

/* Passes over the border that are made once sink them in, and lift them again; and passes in which one end does not answer to
   the other. */
static void heaps_on_light_see_saws_rise_little(void **state)
{
    (void)state;
    see_saws_rise_little(TR_STATIC);
}

/* A unit with something kinematic in it is visited pass by pass. */
static void beside_kinematic_bodies_too(void **state)
{
    (void)state;
    see_saws_rise_little(TR_KINEMATIC);
}

/* 500 discs of 2.5 kg, which are more than one unit, on bridges of 16 planks of 0.2 to 1.1 kg between walls. */
static void great_heaps_on_light_bridges_rise_little(void **state)
{
    (void)state;
    enum { HEAPS = 4, DISCS = 500, ROW = 40, LONG = 16 };
    double mean = 0.0, most = 0.0;
    for (uint32_t k = 0; k < TRIALS(HEAPS); k++) {
        tr2_world *world = world_of_heaps(1);
        const tr2_body ground = static_at(world, 0.0, 0.0);
        tr2_body before = ground;
        const double mass = 0.2 + 0.3 * k;
        add_box(world, ground, 0.1, 2.0, -6.5, 2.0);
        add_box(world, ground, 0.1, 2.0, 6.5, 2.0);
        add_box(world, ground, 50.0, 0.5, 0.0, -8.5);
        for (uint32_t i = 0; i < LONG; i++) {
            const tr2_body plank = box(world, -6.0 + 0.8 * i, 0.0, 0.39, 0.08, mass);
            pin(world, before, plank, -6.4 + 0.8 * i, 0.0);
            MUST(tr2_body_set_direct(world, plank, true));
            before = plank;
        }
        pin(world, before, ground, 6.4, 0.0);
        for (uint32_t i = 0; i < DISCS; i++)
            (void)disc(world, -5.8 + 0.276 * (i % ROW) + 0.01 * k + 0.02 * (i / ROW % 3), 0.5 + 0.288 * (i / ROW), 0.12,
                       2.5);
        const double rise = rise_of(world) / (ROW * 2.5 * G * 0.4);
        print_message("planks of %.1f kg: energy rises by %.2g of the first layer's fall\n", mass, rise);
        mean += rise / HEAPS;
        most = fmax(most, rise);
        tr2_world_destroy(world);
    }
    print_message("mean %.3g, most %.3g\n", mean, most);
    assert_true(mean < 0.04 && most < 0.08);
}

/* Heaps on bridges side by side, which are several units: the same bits on one thread and on four. */
static void borders_do_not_depend_on_threads(void **state)
{
    (void)state;
    tr2_world *world[2];
    for (uint32_t k = 0; k < 2; k++) {
        world[k] = world_of_heaps(k == 0 ? 1 : 4);
        if (k == 1)
            step_on_all_threads(world[k]);
        for (uint32_t i = 0; i < 12; i++) {
            (void)put_bridge(world[k], 6.5 * i);
            put_discs(world[k], 6.5 * i, 64);
        }
        /* what lies on two of them is in two borders */
        for (uint32_t i = 1; i < 12; i++)
            (void)box(world[k], 6.5 * i - 0.25, 0.3, 1.2, 0.1, 5.0);
    }
    uint32_t islands = 0;
    for (uint32_t i = 0; i < TRIALS(90); i++) {
        for (uint32_t k = 0; k < 2; k++)
            steps(world[k], 1.0 / 60.0, 4, 1);
        const tr_statistics s = tr2_world_statistics(world[0]);
        islands = s.direct_islands > islands ? s.direct_islands : islands;
        assert_true(tr2_world_state_hash(world[0]) == tr2_world_state_hash(world[1]));
    }
    assert_true(islands >= 12);
    for (uint32_t k = 0; k < 2; k++)
        tr2_world_destroy(world[k]);
}

/* A force beyond all measure on a plank stops that plank, and throws nothing that it touches. */
static void what_is_beyond_measure_does_not_spread(void **state)
{
    (void)state;
    tr2_world *world = world_of_heaps(1);
    const tr2_body plank = put_bridge(world, 0.0);
    put_discs(world, -0.9, 24);
    steps(world, 1.0 / 60.0, 4, 40);
    MUST(tr2_body_apply_force_to_center(world, plank, (tr_vec2){0.0f, 1e12f}));
    steps(world, 1.0 / 60.0, 4, 30);
    const tr_statistics s = tr2_world_statistics(world);
    print_message("%u bodies have been stopped\n", s.nonfinite_bodies);
    assert_int_equal(s.nonfinite_bodies, 1);
    tr2_world_destroy(world);
}

/* All of a pass at once: strands of a hub, units, seams, and a border, in as many sweeps as there may be. */
static void many_sweeps_have_room_for_their_stages(void **state)
{
    (void)state;
    tr2_world *world = world_of_heaps(4);
    step_on_all_threads(world);
    MUST(tr2_world_set_method(world, TR_SOFT_STEP, 64));
    for (uint32_t i = 0; i < 4; i++) {
        (void)put_bridge(world, 6.5 * i);
        put_discs(world, 6.5 * i, 64);
    }
    const tr2_body hub = body_at(world, 0.0, 100.0, 0.0, 1e5, 1e5);
    for (uint32_t i = 0; i < 5000; i++) {
        const double angle = i * 2.0 * PI / 5000.0, x = 10.0 * cos(angle), y = 100.0 + 10.0 * sin(angle);
        pin(world, hub, body_at(world, x, y, 0.0, 0.1, 0.1), x, y);
    }
    uint32_t most = 0;
    for (uint32_t i = 0; i < 30; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        const tr_statistics s = tr2_world_statistics(world);
        most = s.direct_islands > most ? s.direct_islands : most;
        assert_int_equal(s.nonfinite_bodies, 0);
    }
    assert_true(most >= 4);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_on_a_light_bridge_are_not_thrown),
        cmocka_unit_test(ragdolls_on_a_light_bridge_are_not_thrown),
        cmocka_unit_test(heaps_on_light_see_saws_rise_little),
        cmocka_unit_test(beside_kinematic_bodies_too),
        cmocka_unit_test(great_heaps_on_light_bridges_rise_little),
        cmocka_unit_test(borders_do_not_depend_on_threads),
        cmocka_unit_test(what_is_beyond_measure_does_not_spread),
        cmocka_unit_test(many_sweeps_have_room_for_their_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
