/* Impacts of shapes and overlaps of sensors, as events report them. */
#include "shape_fixture.h"

/* a body that hits a wall once reports one hit, with its speed, in whichever part of a step it comes to it */
static void an_impact_is_one_hit(void **state)
{
    (void)state;
    for (int i = 0; i < 64; i++) {
        tr2_world *world = NULL;
        tr2_world_def def = tr2_world_def_default();
        def.gravity = (tr_vec2){0.0f, 0.0f};
        assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
        tr2_shape_def wall = tr2_box_on(make_turned(world, TR_STATIC, -0.5, 0.0, 0.0), 0.5f, 5.0f);
        wall.surface.restitution = i % 2 == 0 ? 0.0f : 0.5f;
        add(world, wall);
        tr2_body body = make_turned(world, TR_DYNAMIC, 1.0 + 5.0 / 60.0 * i / 64.0, 0.0, 0.0);
        tr2_shape_def disc = tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, 0.1f);
        disc.hit_events = true;
        add(world, disc);
        assert_ok(world, tr2_body_set_velocity(world, body, (tr_vec2){-5.0f, 0.0f}, 0.0f));
        uint32_t hits = 0;
        for (int step = 0; step < 60; step++) {
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
            tr2_touch_view touches = tr2_world_touches(world);
            for (uint32_t t = 0; t < touches.count; t++) {
                if (touches.event[t].kind != TR2_TOUCH_HIT)
                    continue;
                hits++;
                assert_true(fabs((double)touches.event[t].speed - 5.0) < 0.01);
            }
        }
        assert_int_equal(hits, 1);
        tr2_world_destroy(world);
    }
}

/* hit_speed decides what is a hit, and bounce_speed what bounces, whichever is greater */
static void hits_have_a_speed_of_their_own(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        tr2_world *world = NULL;
        tr2_world_def def = tr2_world_def_default();
        def.gravity = (tr_vec2){0.0f, 0.0f};
        assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
        bool hits = i % 2 != 0, bounces = i / 2 != 0;
        tr2_contact_settings settings = tr2_contact_settings_default(1.0f);
        assert_true(settings.hit_speed == 1.0f);
        settings.hit_speed = hits ? 2.9f : 3.1f;
        settings.bounce_speed = bounces ? 0.5f : 5.0f;
        assert_ok(world, tr2_world_set_contact_settings(world, &settings));
        tr2_shape_def wall = tr2_box_on(make(world, TR_STATIC, -0.5, 0.0), 0.5f, 5.0f);
        wall.surface.restitution = 1.0f;
        wall.hit_events = true;
        add(world, wall);
        tr2_body body = make(world, TR_DYNAMIC, 1.0, 0.0);
        add(world, tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, 0.1f));
        assert_ok(world, tr2_body_set_velocity(world, body, (tr_vec2){-3.0f, 0.0f}, 0.0f));
        uint32_t count = 0;
        for (int step = 0; step < 60; step++) {
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
            tr2_touch_view touches = tr2_world_touches(world);
            for (uint32_t t = 0; t < touches.count; t++)
                count += touches.event[t].kind == TR2_TOUCH_HIT;
        }
        tr_vec2 velocity;
        assert_ok(world, tr2_body_get_velocity(world, body, &velocity, NULL));
        assert_int_equal(count, hits);
        assert_true(bounces ? velocity.x > 2.9f : velocity.x < 0.1f);
        tr2_world_destroy(world);
    }
}

/* A chain segment is detected, as it collides, on its right: above here. A segment is detected on both sides. */
static void sensors_see_chains_from_the_side_that_collides(void **state)
{
    for (int i = 0; i < 4; i++) {
        bool chain = i % 2 == 0, above = i / 2 == 0;
        tr2_world *world = world_of(state);
        tr2_shape_def line =
            tr2_segment_on(make(world, TR_STATIC, 10.0 * i, 0.0), (tr_vec2){2.0f, 0.0f}, (tr_vec2){-2.0f, 0.0f});
        line.kind = chain ? TR2_CHAIN_SEGMENT : TR2_SEGMENT;
        add(world, line);
        tr2_shape_def zone = tr2_circle_on(make(world, TR_KINEMATIC, 10.0 * i, above ? 0.3 : -0.3), (tr_vec2){0}, 0.5f);
        zone.sensor = true;
        add(world, zone);
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        assert_int_equal(tr2_world_touches(world).count, above || !chain ? 1 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_impact_is_one_hit),
        cmocka_unit_test(hits_have_a_speed_of_their_own),
        TEST(sensors_see_chains_from_the_side_that_collides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
