/* Wind against closed forms: drag, lift, terminal velocities; and no body gains energy by it. */
#include "forces.h"

/*
 * Wind
 */

/* density / 2 drag |w|^2 width, along the wind, for any outline; a torque where the width is off the centre of mass */
static void drag_is_that_of_the_width(void **state)
{
    tr2_world *world = world_of(state);
    still(world);
    tr2_wind wind = tr2_wind_default();
    wind.velocity = (tr_vec2){6.0f, 8.0f};
    double force[3], pressure = 0.5 * 1.2 * 100.0;
    tr2_body ball = solid(world, disc(0.5f), 0.0, 0.0, 10.0f);
    assert_ok(world, tr2_world_apply_wind(world, &wind, &ball, 1, DT));
    waiting(world, ball, force);
    NEARLY(force[0], pressure * 1.0 * 0.6, 1e-4);
    NEARLY(force[1], pressure * 1.0 * 0.8, 1e-4);
    NEARLY(force[2], 0.0, 1e-4);
    /* a capsule across, one along, and a box at an angle */
    tr2_shape_def rod = tr2_capsule_on(nobody, (tr_vec2){-0.8f, 0.6f}, (tr_vec2){0.8f, -0.6f}, 0.25f);
    tr2_body pill = solid(world, rod, 5.0, 0.0, 10.0f);
    assert_ok(world, tr2_world_apply_wind(world, &wind, &pill, 1, DT));
    waiting(world, pill, force);
    NEARLY(hypot(force[0], force[1]), pressure * 2.5, 1e-3);
    tr2_body square = make_turned(world, TR_DYNAMIC, 9.0, 0.0, 0.4);
    tr2_shape_def def = tr2_box_on(square, 1.0f, 0.5f);
    def.density = 10.0f;
    (void)add(world, def);
    assert_ok(world, tr2_world_apply_wind(world, &wind, &square, 1, DT));
    waiting(world, square, force);
    /* across the wind: both diagonals' sides */
    double across_x = -0.8, across_y = 0.6;
    double width = 2.0 * (fabs(cos(0.4) * across_x + sin(0.4) * across_y) * 1.0 +
                          fabs(-sin(0.4) * across_x + cos(0.4) * across_y) * 0.5);
    NEARLY(force[0], pressure * width * 0.6, 1e-3);
    NEARLY(force[1], pressure * width * 0.8, 1e-3);
    /* off the centre of mass: force times arm */
    tr2_body sign = make(world, TR_DYNAMIC, 20.0, 0.0);
    def = tr2_offset_box_on(sign, 0.1f, 0.5f, (tr_vec2){0.0f, 3.0f}, 1.0f, 0.0f);
    def.density = 0.0f;
    (void)add(world, def);
    wind.velocity = (tr_vec2){10.0f, 0.0f};
    assert_ok(world, tr2_world_apply_wind(world, &wind, &sign, 1, 1e-4f));
    waiting(world, sign, force);
    NEARLY(force[0], pressure, 1e-3);
    NEARLY(force[2], -pressure * 3.0, 1e-3);
}

/* terminal velocity: m g = density / 2 drag width v^2, with dt and mass far from what explicit drag would stand */
static void falling_bodies_reach_their_terminal_velocity(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ball = solid(world, disc(0.1f), 0.0, 0.0, 20.0f), leaf = solid(world, box(0.1f, 0.001f), 5.0, 0.0, 0.5f);
    tr2_wind air = tr2_wind_default();
    for (int i = 0; i < 2000; i++) {
        assert_ok(world, tr2_world_apply_wind(world, &air, NULL, TR2_ALL_BODIES, 1.0f / 60.0f));
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        assert_true((double)body_now(world, leaf).velocity.y < 1e-3);
    }
    double mass = 20.0 * PI * 0.01;
    NEARLY(-(double)body_now(world, ball).velocity.y, sqrt(2.0 * mass * 9.81 / (1.2 * 0.2)), 1e-2);
    /* of 0.2 g: slower than a step of gravity, so that it is only held to stay below that */
    assert_true(-(double)body_now(world, leaf).velocity.y < 2.0 * 9.81 / 60.0);
}

/* a plate that spins in still air: torque density / 2 drag 2 sides w^2 (L/2)^4 / 4 */
static void drag_slows_rotation(void **state)
{
    tr2_world *world = world_of(state);
    still(world);
    tr2_shape_def plate = tr2_segment_on(nobody, (tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.0f});
    tr2_body id = solid(world, plate, 0.0, 0.0, 0.0f);
    assert_ok(world, tr2_body_set_velocity(world, id, (tr_vec2){0.0f, 0.0f}, 3.0f));
    tr2_wind air = tr2_wind_default();
    assert_ok(world, tr2_world_apply_wind(world, &air, &id, 1, DT));
    double force[3];
    waiting(world, id, force);
    NEARLY(force[0], 0.0, 1e-6);
    NEARLY(force[1], 0.0, 1e-6);
    NEARLY(force[2], -0.5 * 1.2 * 2.0 * 9.0 / 4.0, 1e-5);
}

/* a plate at the angle a to the wind: lift density / 2 lift L w^2 sin a cos a across it; none by symmetry on a disc */
static void lift_acts_on_slanting_plates(void **state)
{
    tr2_world *world = world_of(state);
    still(world);
    tr2_wind wind = tr2_wind_default();
    wind.velocity.x = 10.0f;
    wind.drag = 0.0f;
    wind.lift = 2.0f;
    double force[3];
    for (int i = -3; i <= 3; i++) {
        double a = 0.2 * i;
        tr2_body id = make_turned(world, TR_DYNAMIC, 0.0, 5.0 * i, -a);
        (void)add(world, tr2_segment_on(id, (tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}));
        /* heavy, so that the wind stays the same */
        assert_ok(world, tr2_body_set_mass(world, id, 1e6f, 1e6f, (tr_vec2){0.0f, 0.0f}));
        assert_ok(world, tr2_world_apply_wind(world, &wind, &id, 1, 1e-4f));
        waiting(world, id, force);
        NEARLY(force[0], 0.0, 1e-4);
        /* its leading edge is up: pushed up */
        NEARLY(force[1], 0.5 * 1.2 * 2.0 * 2.0 * 100.0 * sin(a) * cos(a), 1e-3);
    }
    tr2_body ball = solid(world, disc(0.5f), 20.0, 0.0, 10.0f);
    assert_ok(world, tr2_world_apply_wind(world, &wind, &ball, 1, DT));
    waiting(world, ball, force);
    NEARLY(force[1], 0.0, 1e-4);
}

/* whatever the sizes, masses and steps: relative to the air no body gains energy */
static void drag_never_adds_energy(void **state)
{
    tr2_world *world = world_of(state);
    still(world);
    uint64_t seed = 23;
    for (int i = 0; i < 300; i++) {
        tr2_shape_def def = tr2_shape_def_default((tr2_shape_kind)(i % TR2_SHAPE_KIND_COUNT));
        tr2_body id = solid(world, def, 0.0, 0.0, (float)pow(10.0, 6.0 * draw(&seed) - 4.0));
        tr_vec2 v = {20.0f * (float)draw(&seed) - 10.0f, 20.0f * (float)draw(&seed) - 10.0f};
        float w = 40.0f * (float)draw(&seed) - 20.0f, mass, inertia;
        assert_ok(world, tr2_body_set_velocity(world, id, v, w));
        assert_ok(world, tr2_body_get_mass(world, id, &mass, &inertia, NULL));
        tr2_wind wind = tr2_wind_default();
        wind.velocity.x = 5.0f;
        wind.lift = 3.0f * (float)draw(&seed);
        double before = (double)mass * (pow((double)v.x - 5.0, 2.0) + pow((double)v.y, 2.0)) +
                        (double)inertia * (double)w * (double)w;
        float dt = (float)pow(10.0, -3.0 * draw(&seed));
        assert_ok(world, tr2_world_apply_wind(world, &wind, &id, 1, dt));
        assert_ok(world, tr2_world_step(world, (double)dt, 1));
        tr2_body_def now = body_now(world, id);
        double after = (double)mass * (pow((double)now.velocity.x - 5.0, 2.0) + pow((double)now.velocity.y, 2.0)) +
                       (double)inertia * pow((double)now.angular_velocity, 2.0);
        assert_true(after <= before * (1.0 + 1e-5));
        assert_ok(world, tr2_world_destroy_body(world, id));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(drag_is_that_of_the_width), TEST(falling_bodies_reach_their_terminal_velocity),
        TEST(drag_slows_rotation),       TEST(lift_acts_on_slanting_plates),
        TEST(drag_never_adds_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
