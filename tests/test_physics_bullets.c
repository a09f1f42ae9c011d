/*
 * Bullets that strike each other: a sweep after the step stops them where they meet, and what is left of the step must
 * not throw them.
 */
#include "physics.h"
#include "weightless.h"

#include "overlaps.h"

enum { BEAM, PLATE };

/* A plate of 26 g lies across an edge. The end of a beam of 1.3 kg, on a pin 6.7 m before the edge, comes down on what
   overhangs at 12 m/s. */
static tr2_world *build_lever(double lift, tr2_body bodies[2])
{
    tr2_world *world = world_of(10.0, 60.0f);
    tr2_body ground = static_at(world, 0.0, 0.0);
    const tr_vec2 edge[4] = {{0.0f, -0.2f}, {2.2f, -0.2f}, {2.2f, 0.0f}, {0.0f, 0.0f}};
    const tr_vec2 beam[4] = {{0.0f, -0.12f}, {6.2f, -0.12f}, {6.2f, 0.12f}, {0.0f, 0.12f}};
    bodies[BEAM] = body_at(world, -6.7, 0.4, lift, 1.0, 1.0);
    bodies[PLATE] = body_at(world, 0.3, 0.125, 0.0, 1.0, 1.0);
    tr2_shape_def shapes[3] = {weightless(tr2_polygon_on(ground, edge, 4)),
                               weightless(tr2_polygon_on(bodies[BEAM], beam, 4)),
                               weightless(tr2_box_on(bodies[PLATE], 1.02f, 0.125f))};
    shapes[1].density = 0.9f;
    shapes[2].density = 0.05f;
    for (uint32_t i = 0; i < 3; i++)
        MUST(tr2_world_create_shape(world, &shapes[i], NULL));
    for (uint32_t i = 0; i < 2; i++)
        MUST(tr2_body_set_bullet(world, bodies[i], true));
    (void)revolute(world, ground, bodies[BEAM], (tr_vec2){-6.7f, 0.4f}, (tr_vec2){0.0f, 0.0f});
    MUST(tr2_body_set_velocity(world, bodies[BEAM], (tr_vec2){0.0f, 0.0f}, -2.0f));
    return world;
}

/* The plate turns around the edge by half a radian in a step, so its contacts are wrong by centimetres, and the sweep
   stops both. Neither may go on as if it was fixed to the other: the plate's rotation would throw the beam off its pin,
   and the beam take the plate down into the edge. So the beam turns no further than its velocity takes it (but for 1 cm
   at its end), its pin opens by no more than shapes may sink in, and the plate is at most as deep as two of these. */
static void a_beam_on_a_pin_is_not_thrown_by_the_plate_that_it_hits(void **state)
{
    (void)state;
    double too_far = 0.0, opened = 0.0, deepest = 0.0;
    for (uint32_t run = 0; run < 40; run++) {
        tr2_body bodies[2];
        tr2_world *world = build_lever(0.2 + 0.001 * run, bodies);
        for (uint32_t step = 0; step < 24; step++) {
            tr2_body_def before = body_now(world, bodies[BEAM]);
            steps(world, 1.0 / 60.0, 4, 1);
            tr2_body_def after = body_now(world, bodies[BEAM]);
            double rate = fmax(fabs((double)before.angular_velocity), fabs((double)after.angular_velocity));
            too_far = fmax(too_far, fabs(after.angle - before.angle) - rate / 60.0);
            opened = fmax(opened, tr2_world_measure(world).joint_error_max);
            deepest = fmax(deepest, deepest_overlap(world).depth);
        }
        tr2_world_destroy(world);
    }
    NEAR("the beam turns too far, rad", too_far, 0.0, 0.01 / 6.2);
    NEAR("its pin opens, m", opened, 0.0, 0.02);
    NEAR("deepest overlap, m", deepest, 0.0, 0.04);
}

/* Bullets of 40 cm x 20 cm strike a heavy plate of 5 cm at 200 to 300 m/s. A corner that strikes first makes them turn
   by more than two and a half times in a step, while the rest of their speed takes them on into the plate. */
static void what_an_impact_spins_does_not_pass_a_plate(void **state)
{
    (void)state;
    uint32_t through = 0, spun = 0;
    uint64_t seed = 11;
    for (uint32_t run = 0; run < 600; run++) {
        tr2_world *world = world_of(0.0, 60.0f);
        tr2_body plate = body_at(world, 0.0, 0.0, 0.0, 1.0, 1.0);
        double x = random_between(&seed, 0.0, 1.0), y = 0.4 + 10.0 * random_between(&seed, 0.0, 1.0);
        tr2_body bullet = body_at(world, x, y, 0.0, 1.0, 1.0);
        const tr_vec2 sides[4] = {{-50.0f, -0.05f}, {50.0f, -0.05f}, {50.0f, 0.0f}, {-50.0f, 0.0f}};
        tr2_shape_def shapes[2] = {weightless(tr2_polygon_on(plate, sides, 4)),
                                   weightless(tr2_box_on(bullet, 0.2f, 0.1f))};
        shapes[0].density = 1e5f;
        shapes[1].density = 100.0f;
        for (uint32_t i = 0; i < 2; i++) {
            shapes[i].surface.friction = 0.0f;
            MUST(tr2_world_create_shape(world, &shapes[i], NULL));
        }
        MUST(tr2_body_set_bullet(world, bullet, true));
        float speed = 200.0f + 100.0f * (float)random_between(&seed, 0.0, 1.0),
              spin = 60.0f * (float)random_between(&seed, 0.0, 1.0) - 30.0f;
        MUST(tr2_body_set_velocity(world, bullet, (tr_vec2){0.0f, -speed}, spin));
        steps(world, 1.0 / 60.0, 4, 8);
        through += body_now(world, bullet).position.y < body_now(world, plate).position.y;
        spun += fabsf(body_now(world, bullet).angular_velocity) > 16.0f * 60.0f;
        tr2_world_destroy(world);
    }
    NEAR("bullets behind the plate", through, 0.0, 0.0);
    assert_true(spun > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_beam_on_a_pin_is_not_thrown_by_the_plate_that_it_hits),
        cmocka_unit_test(what_an_impact_spins_does_not_pass_a_plate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
