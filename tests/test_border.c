/*
 * Islands with borders: what is solved directly while sweeps solve its contacts with others (docs/exact.md). It falls, swings
 * and bounces as without others, and what lies on it does not throw it, nor it that, in great heaps either.
 */
#include "instrumented.h"
#include "physics.h"

static tr2_world *world_of_borders(void)
{
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = false;
    tr2_world *world = NULL;
    MUST(tr2_world_create(&def, &world, NULL));
    return world;
}

static void add_box(tr2_world *world, tr2_body body, double half_x, double half_y, double x, double y,
                    float restitution)
{
    tr2_shape_def def =
        tr2_offset_box_on(body, (float)half_x, (float)half_y, (tr_vec2){(float)x, (float)y}, 1.0f, 0.0f);
    def.density = 0.0f;
    def.surface.restitution = restitution;
    MUST(tr2_world_create_shape(world, &def, NULL));
}

static void add_disc(tr2_world *world, tr2_body body, double radius)
{
    tr2_shape_def def = tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, (float)radius);
    def.density = 0.0f;
    MUST(tr2_world_create_shape(world, &def, NULL));
}

static tr2_body disc(tr2_world *world, double x, double y, double radius, double mass)
{
    const tr2_body out = body_at(world, x, y, 0.0, mass, 0.5 * mass * radius * radius);
    add_disc(world, out, radius);
    return out;
}

/* Two planks that are welded together fall on the ground, with and without 19 discs of 10 g on them: by how much they leave. */
static double bounce_of(uint32_t discs)
{
    tr2_world *world = world_of_borders();
    const tr2_body ground = static_at(world, 0.0, 0.0);
    tr2_body plank[2];
    add_box(world, ground, 50.0, 0.5, 0.0, -0.5, 0.8f);
    for (uint32_t k = 0; k < 2; k++) {
        plank[k] = body_at(world, k == 0 ? -1.0 : 1.0, 2.0, 0.0, 20.0, 20.0 / 3.0);
        add_box(world, plank[k], 0.95, 0.1, 0.0, 0.0, 0.8f);
        MUST(tr2_body_set_direct(world, plank[k], true));
    }
    (void)join(world, joint_between(TR2_JOINT_WELD, plank[0], plank[1], (tr_vec2){1.0f, 0.0f}, (tr_vec2){-1.0f, 0.0f}));
    for (uint32_t i = 0; i < discs; i++)
        (void)disc(world, -1.8 + 0.2 * i, 2.201, 0.1, 0.01);
    double most = 0.0;
    for (uint32_t i = 0; i < 60; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        most = fmax(most, (double)body_now(world, plank[0]).velocity.y);
    }
    tr2_world_destroy(world);
    return most;
}

static void what_it_solves_itself_bounces(void **state)
{
    (void)state;
    const double alone = bounce_of(0), loaded = bounce_of(19);
    print_message("planks leave with %.4g m/s, with discs on them %.4g\n", alone, loaded);
    assert_true(alone > 4.5 && fabs(loaded - alone) < 0.01 * alone);
}

/* A pendulum of 10 kg that passes a floating chain of discs, a centimetre away from it: it has a border when it is near, where
   it swings fast and one way, and none elsewhere. Its energy is what it was. */
static void who_passes_keeps_its_energy(void **state)
{
    (void)state;
    enum { DISCS = 16, LONG = 2 };
    tr2_world *world = world_of_borders();
    const tr2_body ground = static_at(world, 0.0, 0.0), bob = body_at(world, -LONG, 0.0, 0.0, 10.0, 0.2);
    add_disc(world, bob, 0.2);
    MUST(tr2_body_set_direct(world, bob, true));
    (void)revolute(world, ground, bob, (tr_vec2){0.0f, 0.0f}, (tr_vec2){LONG, 0.0f});
    tr2_body before = {0};
    for (uint32_t i = 0; i < DISCS; i++) {
        const double angle = (-45.0 + 6.0 * i) * PI / 180.0, x = 2.26 * sin(angle), y = -2.26 * cos(angle);
        tr2_body_def def = tr2_body_def_default();
        tr2_body link;
        def.position = (tr_dvec2){x, y};
        def.mass = 1e-3f;
        def.inertia = 1e-5f;
        def.gravity_scale = 0.0f;
        MUST(tr2_world_create_body(world, &def, &link));
        add_disc(world, link, 0.05);
        if (i > 0)
            (void)revolute(world, before, link, local_point_of(world, before, x, y), (tr_vec2){0.0f, 0.0f});
        before = link;
    }
    const double begun = energy_of(world);
    steps(world, 1.0 / 60.0, 4, TRIALS(1200));
    print_message("energy changes by %.3g of %.4g J\n", energy_of(world) - begun, 10.0 * G * LONG);
    assert_true(fabs(energy_of(world) - begun) < 0.05);
    tr2_world_destroy(world);
}

enum { GREAT = 500, ROW = 40 };

/* A trough of 12 m over the ground. */
static tr2_body trough_of(tr2_world *world, tr2_body ground, double mass, float restitution)
{
    const tr2_body trough = body_at(world, 0.0, 0.0, 0.0, mass, 3.0 * mass);
    add_box(world, ground, 50.0, 0.5, 0.0, -8.5, 0.0f);
    for (int side = -1; side <= 1; side++)
        add_box(world, trough, side == 0 ? 6.3 : 0.1, side == 0 ? 0.1 : 1.5, 6.2 * side, side == 0 ? 0.0 : 1.5,
                restitution);
    MUST(tr2_body_set_direct(world, trough, true));
    return trough;
}

/* A disc that is thrown up from a see-saw without restitution: its speed after six steps; with something that bounces elsewhere? */
static double speed_of_leaving(bool bounces)
{
    enum { DISCS = 40, THROWN = 20 };
    tr2_world *world = world_of_borders();
    const tr2_body ground = static_at(world, 0.0, 0.0), trough = trough_of(world, ground, 5.0, 0.0f);
    tr2_joint_def pin = joint_between(TR2_JOINT_REVOLUTE, ground, trough, (tr_vec2){0.1f, 0.0f}, (tr_vec2){0.1f, 0.0f});
    tr2_body discs[DISCS];
    pin.limit = (tr_limit){true, -0.15f, 0.15f};
    (void)join(world, pin);
    if (bounces)
        add_box(world, ground, 1.0, 0.5, 40.0, 20.0, 0.5f);
    for (uint32_t i = 0; i < DISCS; i++)
        discs[i] = disc(world, -5.8 + 0.29 * i, 0.2201, 0.12, 2.5);
    steps(world, 1.0 / 60.0, 4, 120);
    MUST(tr2_body_set_velocity(world, discs[THROWN], (tr_vec2){0.0f, 0.4f}, 0.0f));
    steps(world, 1.0 / 60.0, 4, 2);
    const double speed = (double)body_now(world, discs[THROWN]).velocity.y;
    tr2_world_destroy(world);
    return speed;
}

/* Passes that bounce leave out what has no restitution. */
static void what_does_not_bounce_leaves_as_it_would(void **state)
{
    (void)state;
    const double alone = speed_of_leaving(false), beside = speed_of_leaving(true);
    print_message("thrown up with 0.4 m/s, after two steps %.4f m/s, and %.4f where something bounces\n", alone,
                  beside);
    assert_true(fabs(alone - (0.4 - 2.0 * G / 60.0)) < 5e-3 && fabs(beside - alone) < 1e-6);
}

/* Lets 500 discs of 2.5 kg, more than a unit, fall into a trough; by how much the energy rises, of the first layer's fall. */
static double rise_of_heap(tr2_world *world, uint32_t nth)
{
    for (uint32_t i = 0; i < GREAT; i++)
        (void)disc(world, -5.8 + 0.276 * (i % ROW) + 0.01 * nth + 0.02 * (i / ROW % 3), 0.5 + 0.288 * (i / ROW), 0.12,
                   2.5);
    double least = energy_of(world), rise = 0.0;
    for (uint32_t i = 0; i < 240; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        least = fmin(least, energy_of(world));
        rise = fmax(rise, energy_of(world) - least);
    }
    return rise / (ROW * 2.5 * G * 0.4);
}

/* in troughs of 1 to 4 kg on two rods that swing: more than a body has colours */
static void great_heaps_on_swinging_troughs_rise_little(void **state)
{
    (void)state;
    enum { HEAPS = 3 };
    double most = 0.0;
    for (uint32_t k = 0; k < (TRIALS(HEAPS) > 1 ? HEAPS : 1); k++) {
        tr2_world *world = world_of_borders();
        const double mass = 1.0 + 1.5 * k;
        const tr2_body ground = static_at(world, 0.0, 0.0), trough = trough_of(world, ground, mass, 0.0f);
        for (int side = -1; side <= 1; side += 2) {
            const float x = 3.0f * (float)side;
            const tr2_body rod = body_at(world, (double)x, 1.0, 0.0, 0.25 * mass, 0.1 * mass);
            (void)revolute(world, ground, rod, (tr_vec2){x, 2.0f}, (tr_vec2){0.0f, 1.0f});
            (void)revolute(world, rod, trough, (tr_vec2){0.0f, -1.0f}, (tr_vec2){x, 0.0f});
        }
        const double rise = rise_of_heap(world, k);
        print_message("trough of %.1f kg: energy rises by %.2g of the first layer's fall\n", mass, rise);
        most = fmax(most, rise);
        tr2_world_destroy(world);
    }
    assert_true(most < 0.04);
}

/* On see-saws of 2 g to 2 kg, a thousandth of the heap and less, which tip to their stops: contacts of both ends are found at
   once, and these with the stops. On some all bounces. */
static void great_heaps_on_see_saws_rise_little(void **state)
{
    (void)state;
    const double masses[] = {0.5, 1.0, 2.0, 0.002};
    double most = 0.0;
    for (uint32_t k = 0; k < (TRIALS(4) > 1 ? 4 : 1); k++) {
        tr2_world *world = world_of_borders();
        const double mass = masses[k];
        const tr2_body ground = static_at(world, 0.0, 0.0),
                       trough = trough_of(world, ground, mass, k % 2 == 0 ? 0.5f : 0.0f);
        tr2_joint_def pin =
            joint_between(TR2_JOINT_REVOLUTE, ground, trough, (tr_vec2){0.1f, 0.0f}, (tr_vec2){0.1f, 0.0f});
        pin.limit = (tr_limit){true, -0.15f, 0.15f};
        (void)join(world, pin);
        const double rise = rise_of_heap(world, k);
        const double angle = body_now(world, trough).angle;
        print_message("see-saw of %g kg: energy rises by %.2g of the first layer's fall; at %.4f rad\n", mass, rise,
                      angle);
        assert_true(fabs(fabs(angle) - 0.15) < 1e-3);
        most = fmax(most, rise);
        tr2_world_destroy(world);
    }
    assert_true(most < 0.08);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_solves_itself_bounces),
        cmocka_unit_test(who_passes_keeps_its_energy),
        cmocka_unit_test(great_heaps_on_swinging_troughs_rise_little),
        cmocka_unit_test(great_heaps_on_see_saws_rise_little),
        cmocka_unit_test(what_does_not_bounce_leaves_as_it_would),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
