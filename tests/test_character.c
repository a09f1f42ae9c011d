/* Characters, law by law: slopes, steps, ground that moves and turns, walls and pushes. */
#include "characters.h"

/* a surface that rises by the angle from (0, 0) to the right */
static void add_slope(tr2_world *world, double angle)
{
    tr2_body body = make(world, TR_STATIC, 0.0, 0.0);
    float x = 30.0f * (float)cos(angle), y = 30.0f * (float)sin(angle);
    tr_vec2 points[3] = {{0.0f, 0.0f}, {x, y}, {x, -1.0f}};
    (void)add(world, tr2_polygon_on(body, points, 3));
}

/* it falls, lands, rests at the skin's height, and stays there without a speed */
static void it_lands_and_stands(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = floor_at(world, 0.0);
    tr2_character it = at(0.0, 1.0);
    tr_vec2 velocity = {0.0f, 0.0f};
    tr2_character_result result = {0};
    for (int i = 0; i < 20; i++)
        result = frame(world, &it, &velocity, 0.0f);
    /* h = g t (t + dt) / 2 of the steps that an application makes */
    double t = 20.0 / 60.0;
    assert_true(!result.on_ground && it.ground.index == 0);
    assert_true(fabs(it.position.y - (1.0 - 0.5 * 9.81 * t * (t + 1.0 / 60.0))) < 1e-5);
    for (int i = 0; i < 60; i++)
        result = frame(world, &it, &velocity, 0.0f);
    assert_true(result.on_ground && result.ground.index == ground.index && it.ground.index == ground.index);
    assert_true(fabs(it.position.y - SKIN) < 1e-5 && it.position.x == 0.0);
    assert_true(result.velocity.x == 0.0f && result.velocity.y == 0.0f);
    assert_true(result.ground_normal.y == 1.0f);
    /* over the edge of the floor it falls */
    it.position.x = 99.5;
    for (int i = 0; i < 60; i++)
        result = frame(world, &it, &velocity, 3.0f);
    assert_true(!result.on_ground && it.position.x > 100.5 && result.velocity.y < -1.0f);
}

/* jump: v^2 / 2g up */
static void it_jumps(void **state)
{
    tr2_world *world = world_of(state);
    (void)floor_at(world, 0.0);
    tr2_character it = at(0.0, 0.02);
    tr_vec2 velocity = {0.0f, 0.0f};
    (void)frame(world, &it, &velocity, 0.0f);
    assert_true(it.ground.index != 0);
    velocity.y = 5.0f;
    double most = 0.0;
    for (int i = 0; i < 120; i++) {
        tr2_character_result result = frame(world, &it, &velocity, 0.0f);
        most = fmax(most, it.position.y);
        assert_true(i > 0 || !result.on_ground);
    }
    /* the steps of the integration cost v dt / 2 at most */
    assert_true(most - SKIN < 25.0 / 19.62 && most - SKIN > 25.0 / 19.62 - 5.0 / 60.0);
    assert_true(it.ground.index != 0 && fabs(it.position.y - SKIN) < 1e-5);
}

/* the same speed along every slope up to the limit; none up steeper ones, neither on foot nor in jumps */
static void slopes_are_climbed_up_to_the_limit(void **state)
{
    (void)state;
    for (int degrees = 5; degrees <= 85; degrees += 5) {
        tr2_world_def def = tr2_world_def_default();
        tr2_world *world;
        assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
        double angle = degrees * 3.14159265358979 / 180.0;
        (void)floor_at(world, 0.0);
        add_slope(world, angle);
        tr2_character it = at(-1.0, 0.01);
        tr_vec2 velocity = {0.0f, 0.0f};
        double highest = 0.0, before = 0.0;
        for (int i = 0; i < 300; i++) {
            tr_dvec2 last = it.position;
            tr2_character_result result = frame(world, &it, &velocity, 2.0f);
            double way = hypot(it.position.x - last.x, it.position.y - last.y);
            if (degrees <= 50 && it.position.x > 1.0) {
                assert_true(result.on_ground);
                assert_true(fabs(way - 2.0 / 60.0) < 1e-4);
                assert_true(fabs((double)result.ground_normal.y - cos(angle)) < 1e-4);
            }
            highest = fmax(highest, it.position.y);
            before = last.x;
            assert_false(overlaps(world, &it));
        }
        if (degrees <= 50) {
            assert_true(it.position.y > 4.0 * sin(angle));
            /* it stands without sliding */
            for (int i = 0; i < 60; i++)
                (void)frame(world, &it, &velocity, 0.0f);
            tr_dvec2 stands = it.position;
            for (int i = 0; i < 60; i++)
                (void)frame(world, &it, &velocity, 0.0f);
            assert_true(fabs(it.position.x - stands.x) < 1e-6 && fabs(it.position.y - stands.y) < 1e-6);
        } else {
            assert_true(highest < 0.02 && fabs(it.position.x - before) < 1e-6);
            /* dropped onto the slope it slides down, and whoever presses it to the slope does not lift it */
            it.position = (tr_dvec2){5.0, 5.0 * tan(angle) + 1.5};
            velocity = (tr_vec2){0.0f, 0.0f};
            double low = it.position.y;
            for (int i = 0; i < 600; i++) {
                (void)frame(world, &it, &velocity, i < 120 ? 2.0f : velocity.x);
                assert_true(it.position.y <= low + 1e-4);
                low = it.position.y;
            }
            assert_true(low < 0.02);
            it.position.x = -1.0;
            /* jumps with run-up do not bring it higher than on the flat */
            for (int i = 0; i < 600; i++) {
                tr2_character_result result = frame(world, &it, &velocity, 2.0f);
                if (result.on_ground)
                    velocity.y = 4.0f;
                assert_true(it.position.y < 16.0 / 19.62 + 0.02);
            }
        }
        tr2_world_destroy(world);
    }
}

/* boxes of the heights that are listed, and whether it comes over */
static void steps_are_climbed_up_to_the_limit(void **state)
{
    (void)state;
    static const float heights[] = {0.02f, 0.1f, 0.2f, 0.3f, 0.34f, 0.35f, 0.37f, 0.45f, 0.7f, 1.0f};
    static const float speeds[] = {0.1f, 0.7f, 2.0f, 9.0f};
    for (uint32_t k = 0; k < sizeof heights / sizeof heights[0]; k++) {
        for (uint32_t n = 0; n < 4; n++) {
            tr2_world_def def = tr2_world_def_default();
            tr2_world *world;
            assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
            tr2_body ground = floor_at(world, 0.0);
            (void)add(world, tr2_offset_box_on(ground, 20.0f, 1.0f, (tr_vec2){20.5f, heights[k]}, 1.0f, 0.0f));
            tr2_character it = at(0.0, 0.01);
            tr_vec2 velocity = {0.0f, 0.0f};
            bool left_ground = false;
            for (int i = 0; i < (int)(120.0f / speeds[n]) && i < 1200; i++) {
                tr2_character_result result = frame(world, &it, &velocity, speeds[n]);
                left_ground = left_ground || !result.on_ground;
                assert_false(overlaps(world, &it));
            }
            bool over = fabs(it.position.y - SKIN - (double)heights[k]) < 1e-4 && it.position.x > 0.9;
            bool stopped = fabs(it.position.y - SKIN) < 1e-4 && fabs(it.position.x - (0.5 - 0.3 - SKIN)) < 0.25 * SKIN;
            if (heights[k] <= 0.35f ? !over || left_ground : !stopped)
                fail_msg("step %g m at %g m/s: (%g, %g)", (double)heights[k], (double)speeds[n], it.position.x,
                         it.position.y);
            tr2_world_destroy(world);
        }
    }
}

/* up a flight of stairs and down again, without a frame in the air */
static void stairs_are_walked_up_and_down(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = floor_at(world, 0.0);
    for (int i = 0; i < 10; i++)
        (void)add(world, tr2_offset_box_on(ground, 6.0f - 0.35f * (float)i, 0.125f,
                                           (tr_vec2){8.0f, 1.125f + 0.25f * (float)i}, 1.0f, 0.0f));
    tr2_character it = at(0.0, 0.01);
    tr_vec2 velocity = {0.0f, 0.0f};
    double highest = 0.0;
    for (int i = 0; i < 480; i++) {
        tr2_character_result result = frame(world, &it, &velocity, 3.0f);
        assert_true(result.on_ground && fabs((double)result.velocity.x - 3.0) < 1e-5);
        highest = fmax(highest, it.position.y);
        assert_false(overlaps(world, &it));
    }
    assert_true(fabs(highest - 2.5 - SKIN) < 1e-4 && fabs(it.position.y - SKIN) < 1e-4 && it.position.x > 16.0);
    /* it stands still anywhere on the way, also half over an edge */
    for (int i = 0; i < 70; i++) {
        (void)frame(world, &it, &velocity, -4.0f);
        tr_dvec2 stands = it.position;
        for (int k = 0; k < 3; k++)
            assert_true(frame(world, &it, &velocity, 0.0f).on_ground);
        assert_true(fabs(it.position.x - stands.x) < 1e-6 && fabs(it.position.y - stands.y) < 1e-4);
    }
}

/* a drop higher than step_down is a fall */
static void it_falls_from_what_is_higher_than_a_step(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = floor_at(world, 0.0);
    (void)add(world, tr2_offset_box_on(ground, 1.0f, 0.25f, (tr_vec2){0.0f, 1.25f}, 1.0f, 0.0f));
    tr2_character it = at(0.0, 0.51);
    tr_vec2 velocity = {0.0f, 0.0f};
    bool fell = false;
    for (int i = 0; i < 60; i++)
        fell = !frame(world, &it, &velocity, 3.0f).on_ground || fell;
    assert_true(fell && fabs(it.position.y - SKIN) < 1e-4 && it.position.x > 2.5);
}

/* a lift, a shuttle and a turntable carry it: its place on them stays */
static void it_stays_on_ground_that_moves_and_turns(void **state)
{
    (void)state;
    static const struct {
        tr_vec2 velocity;
        float spin;
    } motion[] = {{{0.0f, 3.0f}, 0.0f},  {{0.0f, -6.0f}, 0.0f},  {{4.0f, 0.0f}, 0.0f}, {{-3.0f, 2.0f}, 0.0f},
                  {{0.0f, 0.0f}, 0.15f}, {{0.0f, 0.0f}, -0.15f}, {{1.0f, 1.0f}, 0.12f}};
    for (uint32_t k = 0; k < sizeof motion / sizeof motion[0]; k++) {
        tr2_world_def def = tr2_world_def_default();
        tr2_world *world;
        assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
        tr2_body lift = make(world, TR_KINEMATIC, 0.0, -0.5);
        (void)add(world, tr2_box_on(lift, 6.0f, 0.5f));
        tr2_character it = at(4.0, 0.01);
        tr_vec2 velocity = {0.0f, 0.0f}, place;
        (void)frame(world, &it, &velocity, 0.0f);
        assert_true(it.ground.index == lift.index);
        assert_ok(world, tr2_body_set_velocity(world, lift, motion[k].velocity, motion[k].spin));
        for (int i = 0; i < 180; i++) {
            tr2_character_result result = frame(world, &it, &velocity, 0.0f);
            assert_true(result.on_ground && result.ground.index == lift.index);
            assert_ok(world, tr2_body_local_point(world, lift, it.position, &place));
            /* the foot is a circle: as the ground turns by an angle a, it rolls off its lowest point by r tan(a) */
            double angle = fabs((double)motion[k].spin) * (i + 1) / 60.0;
            assert_true(fabs((double)place.x - 4.0) < 0.31 * tan(angle) + 1e-4);
            assert_true(result.velocity.x == 0.0f && result.velocity.y == 0.0f);
            tr_vec2 there;
            assert_ok(world, tr2_body_point_velocity(world, lift, it.position, &there));
            assert_true(fabsf(result.ground_velocity.x - there.x) < 0.1f &&
                        fabsf(result.ground_velocity.y - there.y) < 0.1f);
            assert_false(overlaps(world, &it));
        }
        tr2_world_destroy(world);
    }
}

/* also where the application moves the ground by its pose, and with its own walk on top */
static void it_walks_on_a_raft_as_on_land(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body raft = make(world, TR_KINEMATIC, 0.0, -0.5);
    (void)add(world, tr2_box_on(raft, 8.0f, 0.5f));
    tr2_character it = at(0.0, 0.01);
    tr_vec2 velocity = {0.0f, 0.0f}, place;
    (void)frame(world, &it, &velocity, 0.0f);
    for (int i = 1; i <= 60; i++) {
        assert_ok(world, tr2_body_set_transform(world, raft, (tr_dvec2){0.1 * i, -0.5 + 0.05 * i}, 0.0));
        (void)frame(world, &it, &velocity, 2.0f);
        assert_ok(world, tr2_body_local_point(world, raft, it.position, &place));
        assert_true(fabs((double)place.x - 2.0 * i / 60.0) < 1e-4 && fabs((double)place.y - 0.51) < 1e-4);
    }
}

/* what leaves moving ground keeps its velocity, and what lands on it loses that again */
static void a_jump_from_moving_ground_has_its_velocity(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body raft = make(world, TR_KINEMATIC, 0.0, -0.5);
    (void)add(world, tr2_box_on(raft, 8.0f, 0.5f));
    tr2_character it = at(0.0, 0.01);
    tr_vec2 velocity = {0.0f, 0.0f};
    (void)frame(world, &it, &velocity, 0.0f);
    assert_ok(world, tr2_body_set_velocity(world, raft, (tr_vec2){3.0f, 0.0f}, 0.0f));
    (void)frame(world, &it, &velocity, 0.0f);
    velocity.y = 4.0f;
    tr2_character_result result = frame(world, &it, &velocity, 0.0f);
    assert_true(!result.on_ground && fabsf(velocity.x - 3.0f) < 1e-5f);
    while (!result.on_ground)
        result = frame(world, &it, &velocity, velocity.x);
    tr_vec2 place;
    assert_ok(world, tr2_body_local_point(world, raft, it.position, &place));
    assert_true(fabs((double)place.x) < 0.06 && fabsf(velocity.x) < 1e-5f);
}

/* a wall that comes along takes it with it, a press that closes crushes it, and a ceiling stops a lift's passenger */
static void what_moves_into_it_moves_it(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = floor_at(world, 0.0);
    tr2_body wall = make(world, TR_KINEMATIC, -2.0, 1.0);
    (void)add(world, tr2_box_on(wall, 0.5f, 0.9f));
    (void)add(world, tr2_offset_box_on(ground, 0.5f, 2.0f, (tr_vec2){3.0f, 2.0f}, 1.0f, 0.0f));
    tr2_character it = at(0.0, 0.01);
    tr_vec2 velocity = {0.0f, 0.0f};
    assert_ok(world, tr2_body_set_velocity(world, wall, (tr_vec2){2.0f, 0.0f}, 0.0f));
    tr2_character_result result = {0};
    for (int i = 0; i < 90; i++) {
        result = frame(world, &it, &velocity, 0.0f);
        assert_true(!result.crushed && !overlaps(world, &it));
    }
    /* the wall's side is at -2 + 3 + 0.5 m */
    assert_true(fabs(it.position.x - (1.5 + 0.3 + SKIN)) < 2e-3);
    for (int i = 0; i < 30; i++)
        result = frame(world, &it, &velocity, 0.0f);
    assert_true(result.crushed && it.position.x < 2.5 && it.position.x > 1.5);
    /* out of the press it is free again */
    assert_ok(world, tr2_body_set_velocity(world, wall, (tr_vec2){-2.0f, 0.0f}, 0.0f));
    for (int i = 0; i < 60; i++)
        result = frame(world, &it, &velocity, -1.0f);
    assert_true(!result.crushed && !overlaps(world, &it) && result.on_ground);
}

/* a wall takes the part of the way that leads into it, in the air: of a way at 45 degrees half remains */
static void it_slides_along_walls_and_ceilings(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body room = make(world, TR_STATIC, 0.0, 0.0);
    (void)add(world, tr2_offset_box_on(room, 1.0f, 50.0f, (tr_vec2){2.0f, 0.0f}, 1.0f, 0.0f));
    (void)add(world, tr2_offset_box_on(room, 50.0f, 1.0f, (tr_vec2){0.0f, 13.0f}, 1.0f, 0.0f));
    tr2_character it = at(0.0, 0.0);
    tr2_character_result result = {0};
    for (int i = 0; i < 60; i++)
        result = go(world, &it, 6.0f, 6.0f);
    assert_true(fabs(it.position.x - (1.0 - 0.3 - SKIN)) < 1e-3 && fabs(it.position.y - 6.0) < 1e-4);
    assert_true(fabsf(result.velocity.x) < 1e-5f && fabsf(result.velocity.y - 6.0f) < 1e-5f);
    assert_int_equal(result.hit_count, 1);
    assert_true(result.hits[0].normal.x < -0.999999f && result.hits[0].body.index == room.index);
    it.position.x = -30.0;
    for (int i = 0; i < 120; i++)
        result = go(world, &it, 6.0f, 6.0f);
    assert_true(fabs(it.position.y - (12.0 - 1.8 - SKIN)) < 1e-3 && fabs(it.position.x + 18.0) < 1e-3);
    assert_true(!result.on_ground && fabsf(result.velocity.y) < 1e-5f);
}

/* Momentum: without friction a crate takes the force until it is as fast as the character, never more */
static void it_pushes_with_its_force_and_not_more(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = make(world, TR_STATIC, 0.0, -1.0);
    tr2_shape_def ice = tr2_box_on(ground, 100.0f, 1.0f);
    ice.surface.friction = 0.0f;
    (void)add(world, ice);
    tr2_body crate = make(world, TR_DYNAMIC, 1.5, 0.5);
    tr2_shape_def box = tr2_box_on(crate, 0.5f, 0.5f);
    box.density = 200.0f;
    box.surface.friction = 0.0f;
    (void)add(world, box);
    tr2_character it = at(0.0, 0.01);
    tr_vec2 velocity = {0.0f, 0.0f};
    double impulse = 0.0;
    float fastest = 0.0f;
    for (int i = 0; i < 240; i++) {
        tr2_character_result result = frame(world, &it, &velocity, 2.0f);
        double part = 0.0;
        for (uint32_t k = 0; k < result.hit_count; k++)
            part += (double)hypotf(result.hits[k].impulse.x, result.hits[k].impulse.y);
        assert_true(part <= 500.0 / 60.0 * (1.0 + 1e-6));
        impulse += part;
        tr2_body_def now = body_now(world, crate);
        /* all of it is in the crate, whose floor takes none of it */
        assert_true(fabs(200.0 * (double)now.velocity.x - impulse) < 1e-2);
        fastest = fmaxf(fastest, now.velocity.x);
        assert_false(overlaps(world, &it) && result.crushed);
    }
    assert_true(fastest > 1.9f && fastest < 2.0001f && it.position.x > 5.0);
}

/* friction of 0.6 holds 200 kg against 500 N; a force above 1,177 N moves them */
static void it_cannot_push_what_friction_holds(void **state)
{
    for (int strong = 0; strong < 2; strong++) {
        tr2_world *world = world_of(state);
        tr2_body ground = floor_at(world, 0.0);
        tr2_body crate = make(world, TR_DYNAMIC, 1.5, 0.75);
        tr2_shape_def box = tr2_box_on(crate, 0.5f, 0.75f);
        box.density = 200.0f / 1.5f;
        (void)add(world, box);
        tr2_character it = at(0.0, 0.01);
        it.def.max_force = strong ? 1500.0f : 500.0f;
        tr_vec2 velocity = {0.0f, 0.0f};
        for (int i = 0; i < 180; i++)
            (void)frame(world, &it, &velocity, 2.0f);
        double moved = body_now(world, crate).position.x - 1.5;
        assert_true(strong ? moved > 1.0 : moved < 0.02);
        assert_ok(world, tr2_world_destroy_body(world, crate));
        assert_ok(world, tr2_world_destroy_body(world, ground));
    }
}

/* it weighs on what it stands on: a scale of two bodies on a pulley is in balance with it */
static void its_weight_rests_on_dynamic_ground(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body raft = make(world, TR_DYNAMIC, 0.0, -0.5);
    tr2_shape_def box = tr2_box_on(raft, 1.0f, 0.5f);
    box.density = 10.0f;
    (void)add(world, box);
    assert_ok(world, tr2_body_set_fixed_rotation(world, raft, true));
    tr2_character it = at(0.0, 0.01);
    tr2_character_result result;
    assert_ok(world, tr2_character_move(world, &it, (tr_vec2){0.0f, 0.0f}, 0.0f, &result));
    assert_true(result.on_ground && body_now(world, raft).velocity.y == 0.0f);
    result = go(world, &it, 0.0f, 0.0f);
    /* 80 kg on 20 kg: 4 g */
    assert_true(fabsf(body_now(world, raft).velocity.y + 4.0f * 9.81f * DT) < 1e-4f);
}

/* a body that flies into it shares its momentum, as far as the force reaches; in the air both do */
static void impacts_in_the_air_conserve_momentum(void **state)
{
    tr2_world *world = world_of(state);
    assert_ok(world, tr2_world_set_gravity(world, (tr_vec2){0.0f, 0.0f}));
    tr2_body ball = make(world, TR_DYNAMIC, 1.0, 0.9);
    tr2_shape_def shape = tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.3f);
    shape.density = 20.0f / (3.14159265f * 0.09f);
    (void)add(world, shape);
    assert_ok(world, tr2_body_set_velocity(world, ball, (tr_vec2){-4.0f, 0.0f}, 0.0f));
    tr2_character it = at(0.0, 0.0);
    it.def.max_force = 1e6f;
    tr_vec2 velocity = {1.0f, 0.0f};
    for (int i = 0; i < 30; i++) {
        assert_ok(world, tr2_world_step(world, (double)DT, 4));
        velocity = go(world, &it, velocity.x, velocity.y).velocity;
    }
    /* 80 kg at 1 m/s and 20 kg at -4 m/s: nothing is left */
    assert_true(fabsf(velocity.x) < 1e-4f && fabsf(body_now(world, ball).velocity.x) < 1e-4f);
}

/* a chain's segments let it through from behind, and hold it from the front */
static void it_jumps_through_ledges(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = floor_at(world, 0.0);
    const tr_vec2 points[2] = {{3.0f, 3.0f}, {-3.0f, 3.0f}};
    tr2_chain_def chain = tr2_chain_def_default();
    chain.points = points;
    chain.count = 2;
    chain.shape.body = ground;
    assert_ok(world, tr2_world_create_chain(world, &chain, NULL));
    tr2_character it = at(0.0, 0.01);
    tr_vec2 velocity = {0.0f, 0.0f};
    (void)frame(world, &it, &velocity, 0.0f);
    velocity.y = 8.0f;
    double last = it.position.y;
    for (int i = 0; i < 120; i++) {
        (void)frame(world, &it, &velocity, 0.0f);
        /* it is not thrown onto it */
        assert_true(it.position.y - last < 8.0 / 60.0 + 1e-4);
        last = it.position.y;
    }
    assert_true(it.ground.index != 0 && fabs(it.position.y - 2.0 - SKIN) < 1e-4);
}

/* two slopes too steep to stand on hold it between them */
static void it_stands_in_a_wedge(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = make(world, TR_STATIC, 0.0, 0.0);
    const tr_vec2 left[3] = {{0.0f, 0.0f}, {-3.0f, 5.0f}, {-3.0f, 0.0f}};
    const tr_vec2 right[3] = {{0.0f, 0.0f}, {3.0f, 0.0f}, {3.0f, 5.0f}};
    (void)add(world, tr2_polygon_on(ground, left, 3));
    (void)add(world, tr2_polygon_on(ground, right, 3));
    tr2_character it = at(0.3, 3.0);
    tr_vec2 velocity = {0.0f, 0.0f};
    tr2_character_result result = {0};
    for (int i = 0; i < 240; i++)
        result = frame(world, &it, &velocity, 0.0f);
    assert_true(result.on_ground && fabs(it.position.x) < 0.02 && velocity.y == 0.0f);
    velocity.y = 5.0f;
    result = frame(world, &it, &velocity, 0.0f);
    assert_true(!result.on_ground && it.position.y > 0.05);
}

/* `up` is any direction: walking round a planet */
static void up_is_any_direction(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body planet = make(world, TR_STATIC, 1000.0, -500.0);
    (void)add(world, tr2_circle_on(planet, (tr_vec2){0.0f, 0.0f}, 5.0f));
    tr2_character it = at(1000.0, -494.99);
    double turned = 0.0, before = 1.5707963267948966;
    for (int i = 0; i < 1200; i++) {
        double x = it.position.x - 1000.0, y = it.position.y + 500.0;
        it.def.up = (tr_vec2){(float)x, (float)y};
        /* to the right, which is along (y, -x) */
        float scale = 2.0f / (float)hypot(x, y);
        const tr2_character_result result = go(world, &it, scale * (float)y, -scale * (float)x);
        assert_true(result.on_ground);
        assert_true(fabs(hypot(it.position.x - 1000.0, it.position.y + 500.0) - 5.0 - SKIN) < 2e-3);
        double now = atan2(it.position.y + 500.0, it.position.x - 1000.0), by = before - now;
        turned += by < -3.0 ? by + 6.283185307179586 : by;
        before = now;
    }
    /* 40 m of a circle of 5 m */
    assert_true(fabs(turned - 8.0) < 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_lands_and_stands),
        TEST(it_jumps),
        TEST(slopes_are_climbed_up_to_the_limit),
        TEST(steps_are_climbed_up_to_the_limit),
        TEST(stairs_are_walked_up_and_down),
        TEST(it_falls_from_what_is_higher_than_a_step),
        TEST(it_stays_on_ground_that_moves_and_turns),
        TEST(it_walks_on_a_raft_as_on_land),
        TEST(a_jump_from_moving_ground_has_its_velocity),
        TEST(what_moves_into_it_moves_it),
        TEST(it_slides_along_walls_and_ceilings),
        TEST(it_pushes_with_its_force_and_not_more),
        TEST(it_cannot_push_what_friction_holds),
        TEST(its_weight_rests_on_dynamic_ground),
        TEST(impacts_in_the_air_conserve_momentum),
        TEST(it_jumps_through_ledges),
        TEST(it_stands_in_a_wedge),
        TEST(up_is_any_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
