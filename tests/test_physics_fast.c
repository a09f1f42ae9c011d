/*
 * Fast bodies: what moves far in a step passes through nothing that stands still, and bullets through nothing at all.
 * The law is plain: whoever begins on one side of a wall is on that side after any step.
 */
#include "all_threads.h"
#include "instrumented.h"
#include "shape_fixture.h"

/* Rooms lie side by side, so that bodies of different rooms do not come near each other: pairs, which take most of the
   time, are found in each room alone. */
#define ROOM     5.0   /* m, half the side of a square room */
#define APART    200.0 /* m, from room to room */
#define ROOMS    25u
#define PER_ROOM 50u
#define BODIES   (ROOMS * PER_ROOM)
#define STEPS    TRIALS(20u) /* at half of the highest speed a room is crossed five times */

static tr2_world *make_world(uint32_t threads, float gravity)
{
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    def.threads = threads;
    def.gravity.y = gravity;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    return world;
}

typedef enum walls { SEGMENTS, CHAIN, PLATES, CAPSULES, WALLS } walls;

/* four walls around the room, of no or 1 cm thickness */
static tr2_body build_room_at(tr2_world *world, double x, tr_body_type type, walls kind, float restitution)
{
    tr2_body room = make(world, type, x, 0.0);
    const float r = (float)ROOM;
    /* clockwise: the chain is solid outside */
    const tr_vec2 corners[4] = {{-r, -r}, {-r, r}, {r, r}, {r, -r}};
    if (kind == CHAIN) {
        tr2_chain_def chain = tr2_chain_def_default();
        chain.points = corners;
        chain.count = 4;
        chain.loop = true;
        chain.shape.body = room;
        chain.shape.surface.restitution = restitution;
        assert_ok(world, tr2_world_create_chain(world, &chain, NULL));
        return room;
    }
    for (uint32_t i = 0; i < 4; i++) {
        tr_vec2 from = corners[i], to = corners[(i + 1) % 4];
        tr2_shape_def def = tr2_segment_on(room, from, to);
        if (kind == CAPSULES) {
            def = tr2_shape_def_default(TR2_CAPSULE);
            def.body = room;
            def.point[0] = from;
            def.point[1] = to;
            def.radius = 0.005f;
        } else if (kind == PLATES) {
            def = tr2_box_on(room, 0.0f, 0.0f);
            tr_vec2 out = {i == 0 ? -0.01f : i == 2 ? 0.01f : 0.0f, i == 1 ? 0.01f : i == 3 ? -0.01f : 0.0f};
            def.point[0] = from;
            def.point[1] = to;
            def.point[2] = (tr_vec2){to.x + out.x, to.y + out.y};
            def.point[3] = (tr_vec2){from.x + out.x, from.y + out.y};
        }
        def.surface.restitution = restitution;
        assert_ok(world, tr2_world_create_shape(world, &def, NULL));
    }
    return room;
}

static tr2_body build_room(tr2_world *world, tr_body_type type, walls kind, float restitution)
{
    return build_room_at(world, 0.0, type, kind, restitution);
}

/* the first bodies of a world */
static void build_rooms(tr2_world *world, tr2_body rooms[ROOMS], tr_body_type type, walls kind, float restitution)
{
    for (uint32_t i = 0; i < ROOMS; i++)
        rooms[i] = build_room_at(world, APART * i, type, kind, restitution);
}

/* shapes of 4 to 80 cm, up to 300 m/s and 100 rad/s, in the room at x; they do not collide with each other */
static tr2_body throw_one(tr2_world *world, double x, uint64_t *seed, uint32_t most_shapes, float speed)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.position = (tr_dvec2){x + 8.0 * draw(seed) - 4.0, 8.0 * draw(seed) - 4.0};
    def.angle = 6.0 * draw(seed);
    double angle = 6.283 * draw(seed), fast = (double)speed * draw(seed);
    def.velocity = (tr_vec2){(float)(fast * cos(angle)), (float)(fast * sin(angle))};
    def.angular_velocity = draw(seed) < 0.5 ? 0.0f : 200.0f * (float)draw(seed) - 100.0f;
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    static const tr2_shape_kind kinds[3] = {TR2_CIRCLE, TR2_CAPSULE, TR2_POLYGON};
    uint32_t shapes = draw(seed) < 0.2 ? most_shapes : 1;
    float size = 0.04f + (draw(seed) < 0.3 ? 0.76f : 0.2f) * (float)draw(seed);
    for (uint32_t k = 0; k < shapes; k++) {
        tr2_shape_def shape = tr2_shape_def_default(kinds[(uint32_t)(3.0 * draw(seed))]);
        shape.body = id;
        shape.density = 100.0f;
        shape.filter.group = -1;
        float thin = draw(seed) < 0.3 ? 0.2f : 1.0f;
        for (uint32_t i = 0; i < shape.point_count; i++) {
            shape.point[i].x = size * shape.point[i].x + (k == 1 ? 0.5f * size : 0.0f);
            shape.point[i].y *= thin * size;
        }
        shape.radius *= 0.5f * thin * size;
        assert_ok(world, tr2_world_create_shape(world, &shape, NULL));
    }
    return id;
}

/* By centres of mass: the rest of a body may reach out while it spins. A world's first bodies are its rooms, and then
   come those that are in the first room, in the second, and so on. */
static void check_inside(tr2_world *world, const tr2_body *rooms, uint32_t room_count, uint32_t run, uint32_t step)
{
    tr2_transform at[ROOMS];
    assert_ok(world, tr2_world_get_transforms(world, rooms, room_count, at));
    tr2_body_view view = tr2_world_bodies(world);
    for (uint32_t i = 0; i < view.count; i++) {
        if (view.id[i].index <= room_count)
            continue;
        uint32_t body = view.id[i].index - 1 - room_count, room = body / PER_ROOM;
        double x = view.center_x[i] - at[room].position.x, y = view.center_y[i] - at[room].position.y;
        double c = (double)at[room].c, s = (double)at[room].s;
        if (!(fabs(c * x + s * y) <= ROOM && fabs(c * y - s * x) <= ROOM))
            fail_msg("run %u: body %u is at (%g, %g) of room %u after step %u", run, body, c * x + s * y, c * y - s * x,
                     room, step);
    }
}

/* 10,000 bodies: four kinds of walls, dead and bouncing */
static void nothing_leaves_a_room_with_thin_walls(void **state)
{
    (void)state;
    for (uint32_t run = 0; run < 2 * WALLS; run++) {
        uint64_t seed = run + 1;
        tr2_world *world = make_world(1, -9.81f);
        tr2_body rooms[ROOMS];
        build_rooms(world, rooms, TR_STATIC, (walls)(run % WALLS), run < WALLS ? 0.0f : 0.9f);
        for (uint32_t i = 0; i < BODIES; i++)
            throw_one(world, APART * (i / PER_ROOM), &seed, 2, 300.0f);
        for (uint32_t step = 0; step < STEPS; step++) {
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
            check_inside(world, rooms, ROOMS, run, step);
        }
        tr2_world_destroy(world);
    }
}

/* a bullet whose first shape collides with those of other such bullets */
static void make_colliding_bullet(tr2_world *world, tr2_body id)
{
    tr2_shape shape;
    uint32_t count;
    tr2_shape_def def;
    assert_ok(world, tr2_body_set_bullet(world, id, true));
    assert_ok(world, tr2_body_shapes(world, id, &shape, 1, &count));
    assert_ok(world, tr2_shape_get(world, shape, &def));
    def.filter.group = 0;
    assert_ok(world, tr2_shape_set(world, shape, &def));
}

/* In rooms that the host shoves about at up to 30 m/s and turns at up to 6 rad/s: at the corners 2.5 m in a step. Half
   of the bodies begin slow, so that it is the wall that comes. One of each `bullets` is a bullet. */
static void throw_into_moving_rooms(uint32_t run, uint32_t bullets)
{
    uint64_t seed = 1000 + run;
    tr2_world *world = make_world(1, -9.81f);
    tr2_body rooms[ROOMS];
    build_rooms(world, rooms, TR_KINEMATIC, (walls)(run % WALLS), run < WALLS ? 0.0f : 0.9f);
    for (uint32_t i = 0; i < BODIES; i++) {
        tr2_body id = throw_one(world, APART * (i / PER_ROOM), &seed, bullets > 0 ? 1 : 2, i % 2 == 0 ? 300.0f : 1.0f);
        if (bullets > 0 && i % bullets == 0)
            make_colliding_bullet(world, id);
    }
    for (uint32_t step = 0; step < STEPS; step++) {
        for (uint32_t i = 0; i < ROOMS && step % 5 == 0; i++) {
            tr_vec2 shove = {60.0f * (float)draw(&seed) - 30.0f, 60.0f * (float)draw(&seed) - 30.0f};
            assert_ok(world, tr2_body_set_velocity(world, rooms[i], shove, 12.0f * (float)draw(&seed) - 6.0f));
        }
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        check_inside(world, rooms, ROOMS, run, step);
    }
    tr2_world_destroy(world);
}

/* 10,000 spinners and discs */
static void nothing_leaves_a_room_that_moves(void **state)
{
    (void)state;
    for (uint32_t run = 0; run < 2 * WALLS; run++)
        throw_into_moving_rooms(run, 0);
}

/* The wall comes behind a bullet that has met another body: it must not pass over it. */
static void bullets_between_others_and_a_moving_wall_stay_inside(void **state)
{
    (void)state;
    for (uint32_t run = 0; run < 2 * WALLS; run++)
        throw_into_moving_rooms(run, 5);
}

/* Against dead walls energy is spent, against perfect ones kept, to rounding: none is made, however many shapes of a
   body hit at once. */
static void impacts_make_no_energy(void **state)
{
    (void)state;
    for (uint32_t run = 0; run < 2 * WALLS; run++) {
        uint64_t seed = 100 + run;
        tr2_world *world = make_world(1, 0.0f);
        tr2_body rooms[ROOMS];
        build_rooms(world, rooms, TR_STATIC, (walls)(run % WALLS), run < WALLS ? 0.0f : 1.0f);
        for (uint32_t i = 0; i < 200; i++)
            throw_one(world, APART * (i % ROOMS), &seed, 2, 300.0f);
        double before = tr2_world_measure(world).kinetic_energy, most = before;
        for (uint32_t step = 0; step < STEPS; step++) {
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
            double now = tr2_world_measure(world).kinetic_energy;
            most = now > most ? now : most;
        }
        if (most > 1.001 * before)
            fail_msg("run %u: %g J of %g J", run, most, before);
        tr2_world_destroy(world);
    }
}

/*
 * A body of two feet and a heavy middle between them falls flat on both: each foot's impact changes how fast the other
 * one comes down, by 0 to 0.6 of its own (1/m - x^2/I against 1/m + x^2/I). By Newton's law both leave with e of the
 * speed that they came with, so that it rises flat.
 */
static void two_shapes_of_a_body_bounce_as_one(void **state)
{
    (void)state;
    for (uint32_t run = 0; run < 12; run++) {
        float e = run % 2 == 0 ? 0.5f : 1.0f, middle = 0.5f * (float)(run / 2);
        tr2_world *world = make_world(1, 0.0f);
        tr2_shape_def floor =
            tr2_segment_on(make(world, TR_STATIC, 0.0, 0.0), (tr_vec2){-5.0f, 0.0f}, (tr_vec2){5.0f, 0.0f});
        floor.surface.friction = 0.0f;
        floor.surface.restitution = e;
        assert_ok(world, tr2_world_create_shape(world, &floor, NULL));
        tr2_body body = make(world, TR_DYNAMIC, 0.0, 0.5);
        for (uint32_t i = 0; i < 3; i++) {
            float x = i == 2 ? 0.0f : i == 0 ? -0.3f : 0.3f;
            tr2_shape_def ball = tr2_circle_on(body, (tr_vec2){x, i == 2 ? 0.05f : 0.0f}, 0.1f);
            ball.density = i == 2 ? 100.0f * middle + 1.0f : 100.0f;
            ball.surface.friction = 0.0f;
            assert_ok(world, tr2_world_create_shape(world, &ball, NULL));
        }
        assert_ok(world, tr2_body_set_velocity(world, body, (tr_vec2){0.0f, -10.0f}, 0.0f));
        for (uint32_t step = 0; step < 6; step++)
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        tr2_body_def now;
        assert_ok(world, tr2_body_get(world, body, &now));
        /* 2 %: what the sweeps of a sub-step leave of what the two feet know of each other */
        if (fabsf(now.velocity.y - 10.0f * e) > 0.02f * 10.0f * e || fabsf(now.angular_velocity) > 0.3f)
            fail_msg("middle %g, restitution %g: it rises at %g m/s and turns at %g rad/s", (double)middle, (double)e,
                     (double)now.velocity.y, (double)now.angular_velocity);
        tr2_world_destroy(world);
    }
}

/*
 * Bullets
 */
typedef struct range {
    tr2_world *world;
    tr2_body plate, bullets[200];
} range;

/* a plate of 1 cm that comes towards bullets, or flees from them, or stands; heavy, or moved by the host */
static uint32_t shoot(bool bullet, tr_body_type plate_type, float plate_speed)
{
    range it = {.world = make_world(1, 0.0f)};
    uint64_t seed = 77;
    tr2_body_def def = tr2_body_def_default();
    def.type = plate_type;
    def.velocity.x = plate_speed;
    assert_ok(it.world, tr2_world_create_body(it.world, &def, &it.plate));
    tr2_shape_def shape = tr2_box_on(it.plate, 0.005f, 20.0f);
    shape.density = 1e5f;
    assert_ok(it.world, tr2_world_create_shape(it.world, &shape, NULL));
    for (uint32_t i = 0; i < 200; i++) {
        tr2_body_def shot = tr2_body_def_default();
        shot.position = (tr_dvec2){-1.0 - 5.0 * draw(&seed), 0.15 * i - 15.0};
        shot.velocity.x = 50.0f + 250.0f * (float)draw(&seed);
        shot.angular_velocity = 50.0f * (float)draw(&seed);
        shot.bullet = bullet;
        assert_ok(it.world, tr2_world_create_body(it.world, &shot, &it.bullets[i]));
        tr2_shape_def ball = i % 2 == 0 ? tr2_circle_on(it.bullets[i], (tr_vec2){0.0f, 0.0f}, 0.02f)
                                        : tr2_box_on(it.bullets[i], 0.02f, 0.02f);
        ball.density = 10.0f;
        ball.filter.group = -1;
        assert_ok(it.world, tr2_world_create_shape(it.world, &ball, NULL));
    }
    uint32_t through = 0;
    for (uint32_t step = 0; step < 30; step++)
        assert_ok(it.world, tr2_world_step(it.world, 1.0 / 60.0, 4));
    tr2_transform plate, at;
    assert_ok(it.world, tr2_world_get_transforms(it.world, &it.plate, 1, &plate));
    for (uint32_t i = 0; i < 200; i++) {
        assert_ok(it.world, tr2_world_get_transforms(it.world, &it.bullets[i], 1, &at));
        through += at.position.x > plate.position.x;
    }
    tr2_world_destroy(it.world);
    return through;
}

static void bullets_pass_through_nothing_that_moves(void **state)
{
    (void)state;
    const float speeds[5] = {0.0f, 1.0f, 20.0f, -20.0f, -100.0f};
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(shoot(true, TR_DYNAMIC, speeds[i]), 0);
        assert_int_equal(shoot(true, TR_KINEMATIC, speeds[i]), 0);
    }
    /* what the host moves nothing passes through */
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(shoot(false, TR_KINEMATIC, speeds[i]), 0);
    /* others may: the flag is what it is about */
    assert_true(shoot(false, TR_DYNAMIC, -20.0f) > 20);
}

/*
 * What is hit goes along with what hit it, and that, too, may take it through something: balls of 4 cm that rest 5 cm
 * to 1 m before a wall, and a plate that comes from behind with 1 to 3 m per step.
 */
static void what_is_carried_along_passes_through_nothing(void **state)
{
    (void)state;
    for (uint32_t run = 0; run < 200; run++) {
        uint64_t seed = run + 1;
        tr2_world *world = make_world(1, 0.0f);
        tr2_body ball = make(world, TR_DYNAMIC, 0.0, 0.0);
        tr2_body plate = make(world, run % 2 == 0 ? TR_KINEMATIC : TR_DYNAMIC, -0.1 - draw(&seed), 0.0);
        tr2_shape_def round = tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.02f);
        tr2_shape_def flat = tr2_box_on(plate, 0.005f, 1.0f);
        round.density = 10.0f;
        flat.density = 1e4f;
        float x = 0.05f + (float)draw(&seed);
        tr2_shape_def wall = tr2_segment_on(make(world, TR_STATIC, 0.0, 0.0), (tr_vec2){x, -2.0f}, (tr_vec2){x, 2.0f});
        /* a plate that falls behind the ball's wall is not the ball's business: it meets the ball alone */
        wall.filter.mask = 2;
        round.filter.category = 3;
        assert_ok(world, tr2_world_create_shape(world, &round, NULL));
        assert_ok(world, tr2_world_create_shape(world, &flat, NULL));
        assert_ok(world, tr2_world_create_shape(world, &wall, NULL));
        assert_ok(world, tr2_body_set_bullet(world, ball, run % 4 >= 2));
        assert_ok(world,
                  tr2_body_set_velocity(world, plate, (tr_vec2){60.0f + 120.0f * (float)draw(&seed), 0.0f}, 0.0f));
        for (uint32_t step = 0; step < 3; step++) {
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
            tr2_transform at;
            assert_ok(world, tr2_world_get_transforms(world, &ball, 1, &at));
            if (!(at.position.x < (double)x))
                fail_msg("run %u, step %u: at %g, behind the wall at %g", run, step, at.position.x, (double)x);
        }
        tr2_world_destroy(world);
    }
}

/*
 * What does not stop
 */
static double fly(tr2_world *world, tr2_shape_def obstacle, float velocity)
{
    tr2_body ball = make(world, TR_DYNAMIC, 0.0, velocity < 0.0f ? 1.0 : -1.0);
    tr2_shape_def shape = tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.05f);
    shape.density = 1.0f;
    assert_ok(world, tr2_world_create_shape(world, &shape, NULL));
    assert_ok(world, tr2_world_create_shape(world, &obstacle, NULL));
    assert_ok(world, tr2_body_set_velocity(world, ball, (tr_vec2){0.0f, velocity}, 0.0f));
    for (uint32_t i = 0; i < 5; i++)
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    tr2_transform at;
    assert_ok(world, tr2_world_get_transforms(world, &ball, 1, &at));
    tr2_world_destroy(world);
    return at.position.y;
}

static void sensors_backs_of_chains_and_filters_stop_nothing(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 6; kind++) {
        tr2_world *world = make_world(1, 0.0f);
        tr2_shape_def def =
            tr2_segment_on(make(world, TR_STATIC, 0.0, 0.0), (tr_vec2){5.0f, 0.0f}, (tr_vec2){-5.0f, 0.0f});
        def.kind = kind >= 4 ? TR2_CHAIN_SEGMENT : TR2_SEGMENT;
        def.sensor = kind == 1;
        def.filter.mask = kind == 2 ? 2 : UINT64_MAX;
        /* the chain's right is above */
        bool from_below = kind == 4 || kind == 3;
        double y = fly(world, def, from_below ? 120.0f : -120.0f);
        bool stops = kind == 0 || kind == 3 || kind == 5;
        if (stops)
            assert_true(from_below ? y < 0.0 && y > -0.2 : y > 0.0 && y < 0.2);
        else
            assert_true(fabs(fabs(y) - 9.0) < 1e-3);
    }
}

/*
 * Joints: a chain of ten links is thrown sideways against a wall, at 2 m in a step
 */
static void joints_hold_when_what_hangs_on_them_hits_a_wall(void **state)
{
    (void)state;
    tr2_world *world = make_world(1, 0.0f);
    tr2_body room = build_room(world, TR_STATIC, SEGMENTS, 0.0f), links[10];
    for (uint32_t i = 0; i < 10; i++) {
        links[i] = make(world, TR_DYNAMIC, -2.0 + 0.1 * i, 0.4 * i - 2.0);
        tr2_shape_def def = tr2_box_on(links[i], 0.05f, 0.2f);
        def.density = 100.0f;
        def.filter.group = -1;
        assert_ok(world, tr2_world_create_shape(world, &def, NULL));
        assert_ok(world, tr2_body_set_velocity(world, links[i], (tr_vec2){120.0f, 10.0f}, 0.0f));
        if (i == 0)
            continue;
        tr2_joint_def joint = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        joint.body_a = links[i - 1];
        joint.body_b = links[i];
        joint.anchor_a = (tr_vec2){0.05f, 0.2f};
        joint.anchor_b = (tr_vec2){-0.05f, -0.2f};
        assert_ok(world, tr2_world_create_joint(world, &joint, NULL));
    }
    double worst = 0.0;
    for (uint32_t step = 0; step < 30; step++) {
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        check_inside(world, &room, 1, 0, step);
        double now = tr2_world_measure(world).joint_error_max;
        worst = now > worst ? now : worst;
    }
    /* m: half of what it moves in a sub-step, in which it is stopped */
    if (worst > 0.25)
        fail_msg("a joint is open by %g m", worst);
    tr2_world_destroy(world);
}

/* in rooms that stand, or that the host moves and turns */
static void check_bits(tr_body_type room_type)
{
    uint64_t want = 0;
    for (uint32_t run = 0; run < 3 + TR_ISA_COUNT; run++) {
        tr_isa before = tr_get_isa();
        if (run >= 3 && tr_set_isa((tr_isa)(run - 3)) != TR_OK)
            continue;
        uint64_t seed = 9;
        tr2_world *world = make_world(threads_of(run < 3 ? 1 + run : 1), -9.81f);
        step_on_all_threads(world);
        tr2_body rooms[ROOMS];
        build_rooms(world, rooms, room_type, SEGMENTS, 0.5f);
        for (uint32_t i = 0; i < ROOMS && room_type == TR_KINEMATIC; i++)
            assert_ok(world, tr2_body_set_velocity(world, rooms[i], (tr_vec2){20.0f, -10.0f}, 4.0f));
        for (uint32_t i = 0; i < 1000; i++) {
            tr2_body id = throw_one(world, APART * (i % ROOMS), &seed, 2, 200.0f);
            /* 8 in each room are bullets that collide with each other, too */
            if (i / ROOMS % 5 == 0)
                make_colliding_bullet(world, id);
        }
        for (uint32_t step = 0; step < 8; step++)
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        uint64_t hash = tr2_world_state_hash(world);
        want = run == 0 ? hash : want;
        assert_int_equal(hash, want);
        tr2_world_destroy(world);
        assert_int_equal(tr_set_isa(before), TR_OK);
    }
}

static void bits_are_the_same_for_any_threads_and_instruction_set(void **state)
{
    (void)state;
    check_bits(TR_STATIC);
    check_bits(TR_KINEMATIC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_leaves_a_room_with_thin_walls),
        cmocka_unit_test(nothing_leaves_a_room_that_moves),
        cmocka_unit_test(bullets_between_others_and_a_moving_wall_stay_inside),
        cmocka_unit_test(impacts_make_no_energy),
        cmocka_unit_test(two_shapes_of_a_body_bounce_as_one),
        cmocka_unit_test(bullets_pass_through_nothing_that_moves),
        cmocka_unit_test(what_is_carried_along_passes_through_nothing),
        cmocka_unit_test(sensors_backs_of_chains_and_filters_stop_nothing),
        cmocka_unit_test(joints_hold_when_what_hangs_on_them_hits_a_wall),
        cmocka_unit_test(bits_are_the_same_for_any_threads_and_instruction_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
