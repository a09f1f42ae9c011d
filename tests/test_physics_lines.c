/*
 * Lines against lines: segments and chains of bodies that move. They have no inside, and must not pass through each
 * other all the same: whoever begins on one side of a line is on that side after any step.
 */
#include "instrumented.h"
#include "shape_fixture.h"
#include "weightless.h"

#include "collide/geometry/geometry.h"

#define ROOM   5.0 /* m, half the side of a square room */
#define APART  200.0
#define BODIES 300u
#define STEPS  TRIALS(60u)

static tr2_world *make_world(float gravity)
{
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    def.threads = 1;
    def.gravity.y = gravity;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    return world;
}

static void add_chain(tr2_world *world, tr2_body body, const tr_vec2 *points, uint32_t count, bool loop, float bounce)
{
    tr2_chain_def chain = tr2_chain_def_default();
    chain.points = points;
    chain.count = count;
    chain.loop = loop;
    chain.shape.body = body;
    chain.shape.filter.group = 1;
    chain.shape.surface.restitution = bounce;
    assert_ok(world, tr2_world_create_chain(world, &chain, NULL));
}

static void add_segment(tr2_world *world, tr2_body body, tr_vec2 from, tr_vec2 to, float bounce)
{
    tr2_shape_def def = tr2_segment_on(body, from, to);
    def.surface.restitution = bounce;
    (void)add(world, def);
}

static void set_mass(tr2_world *world, tr2_body body, float mass, float inertia)
{
    assert_ok(world, tr2_body_set_mass(world, body, mass, inertia, (tr_vec2){0.0f, 0.0f}));
}

static void step(tr2_world *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
}

/* a solid outline of eight corners around the body's origin, half a metre from it */
#define CORNERS 8u
#define APOTHEM 0.46194

static void add_outline(tr2_world *world, tr2_body body, float bounce)
{
    const float s = 0.35355339f;
    const tr_vec2 corners[CORNERS] = {{0.5f, 0.0f},  {s, s},   {0.0f, 0.5f},  {-s, s},
                                      {-0.5f, 0.0f}, {-s, -s}, {0.0f, -0.5f}, {s, -s}};
    add_chain(world, body, corners, CORNERS, true, bounce);
    set_mass(world, body, 10.0f, 1.0f);
}

/*
 * Rest
 */
typedef enum floor_kind { SEGMENT_FLOOR, CHAIN_FLOOR, BOX_FLOOR, FLOORS } floor_kind;

/* its top at y = 0 */
static void build_floor(tr2_world *world, floor_kind kind)
{
    tr2_body ground = make(world, TR_STATIC, 0.0, 0.0);
    const tr_vec2 right_to_left[3] = {{1000.0f, 0.0f}, {0.0f, 0.0f}, {-1000.0f, 0.0f}};
    const tr_vec2 corners[4] = {{-1000.0f, 0.0f}, {-1000.0f, -2.0f}, {1000.0f, -2.0f}, {1000.0f, 0.0f}};
    if (kind == SEGMENT_FLOOR)
        add_segment(world, ground, right_to_left[2], right_to_left[0], 0.0f);
    else if (kind == CHAIN_FLOOR)
        add_chain(world, ground, right_to_left, 3, false, 0.0f);
    else
        (void)add(world, weightless(tr2_polygon_on(ground, corners, 4)));
}

/* It falls flat, tilted, or on a foot; it lies in front of the floor by the skin of lines, but for a millimetre that it
   sinks in under its weight. */
static void a_segment_rests_on_a_line(void **state)
{
    (void)state;
    for (uint32_t run = 0; run < 8; run++) {
        tr2_world *world = make_world(-10.0f);
        build_floor(world, run < 4 ? SEGMENT_FLOOR : CHAIN_FLOOR);
        tr2_body body = make_turned(world, TR_DYNAMIC, 30.0, 0.8, run % 4 == 1 ? 0.3 : run % 4 == 3 ? 3.0 : 0.0);
        add_segment(world, body, (tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}, 0.0f);
        if (run % 4 == 2)
            add_segment(world, body, (tr_vec2){0.3f, 0.0f}, (tr_vec2){0.3f, 0.5f}, 0.0f);
        set_mass(world, body, 1.0f, 0.33f);
        step(world, 120);
        double y = body_now(world, body).position.y;
        if (!(fabs(y - (double)TR2_SKIN) < 0.001))
            fail_msg("run %u: it rests at %g m", run, y);
        tr2_world_destroy(world);
    }
}

/* dropped from 2 to 4 m, and thrown at 60 and 250 m/s, turning */
static void an_outline_falls_through_no_floor(void **state)
{
    (void)state;
    const float speeds[3] = {0.0f, -60.0f, -250.0f};
    for (uint32_t run = 0; run < 3 * FLOORS; run++) {
        floor_kind kind = (floor_kind)(run % FLOORS);
        tr2_world *world = make_world(-10.0f);
        build_floor(world, kind);
        tr2_body bodies[20];
        for (uint32_t i = 0; i < 20; i++) {
            bodies[i] = make_turned(world, TR_DYNAMIC, 15.0 * i - 150.0, 2.0 + 0.1 * i, 0.3 * i);
            add_outline(world, bodies[i], 0.0f);
            float speed = speeds[run / FLOORS];
            assert_ok(world,
                      tr2_body_set_velocity(world, bodies[i], (tr_vec2){0.0f, speed}, speed < 0.0f ? 10.0f : 0.0f));
        }
        step(world, TRIALS(300u));
        double skin = kind == BOX_FLOOR ? 0.0 : (double)TR2_SKIN;
        for (uint32_t i = 0; i < 20; i++) {
            tr2_body_def at = body_now(world, bodies[i]);
            bool slow = fabsf(at.angular_velocity) < 0.01f && fabsf(at.velocity.y) < 0.01f;
            /* a side is down, or, where it began to stand on one, a corner */
            if (at.position.y < APOTHEM + skin - 0.005 || (slow && at.position.y > 0.5 + skin + 0.005))
                fail_msg("run %u: outline %u is at y = %g m", run, i, at.position.y);
        }
        tr2_world_destroy(world);
    }
}

/* Open lines that are thrown and turn end on a floor or, from behind, below it: what continuous collision holds where
   there is no contact would hang there and get ever faster. */
static void no_line_hangs_in_a_floor(void **state)
{
    (void)state;
    const tr_vec2 flat[2] = {{-0.5f, 0.0f}, {0.5f, 0.0f}};
    const tr_vec2 dish[4] = {{-0.5f, 0.3f}, {-0.3f, 0.0f}, {0.3f, 0.0f}, {0.5f, 0.3f}};
    uint64_t seed = 7;
    for (uint32_t run = 0; run < 3 * FLOORS * TRIALS(80u); run++) {
        tr2_world *world = make_world(-10.0f);
        build_floor(world, (floor_kind)(run / 3 % FLOORS));
        tr2_body body = make_turned(world, TR_DYNAMIC, 20.0 * draw(&seed) - 10.0, 1.0 + draw(&seed), 7.0 * draw(&seed));
        if (run % 3 == 0)
            add_segment(world, body, flat[0], flat[1], 0.0f);
        else
            add_chain(world, body, run % 3 == 1 ? flat : dish, run % 3 == 1 ? 2 : 4, false, 0.0f);
        set_mass(world, body, 1.0f, 0.1f);
        tr_vec2 velocity = {(float)(4.0 * draw(&seed) - 2.0), 0.0f};
        assert_ok(world, tr2_body_set_velocity(world, body, velocity, (float)(6.0 * draw(&seed) - 3.0)));
        step(world, 240);
        tr2_body_def at = body_now(world, body);
        if (at.position.y > -2.0 && fabsf(at.velocity.y) > 3.0f)
            fail_msg("run %u: it hangs at y = %g m with %g m/s", run, at.position.y, (double)at.velocity.y);
        if (run % 3 == 0 && at.position.y < -2.0)
            fail_msg("run %u: a segment fell through", run);
        tr2_world_destroy(world);
    }
}

/* Ends of chains that stand on a line, square to it: an upside-down cup, and a pole. */
static void upright_ends_stand_on_lines(void **state)
{
    (void)state;
    const tr_vec2 cup[4] = {{0.5f, 0.0f}, {0.5f, 1.0f}, {-0.5f, 1.0f}, {-0.5f, 0.0f}};
    const tr_vec2 pole[2] = {{0.0f, 0.0f}, {0.0f, 1.0f}};
    for (uint32_t run = 0; run < 2 * FLOORS; run++) {
        floor_kind kind = (floor_kind)(run % FLOORS);
        tr2_world *world = make_world(-10.0f);
        build_floor(world, kind);
        tr2_body body = make(world, TR_DYNAMIC, 30.0, 0.1);
        add_chain(world, body, run < FLOORS ? cup : pole, run < FLOORS ? 4 : 2, false, 0.0f);
        set_mass(world, body, 1.0f, 1.0f);
        step(world, 240);
        tr2_body_def at = body_now(world, body);
        double skin = kind == BOX_FLOOR ? 0.0 : (double)TR2_SKIN;
        if (!(fabs(at.position.y - skin) < 0.002 && fabsf(at.velocity.y) < 0.01f))
            fail_msg("run %u: it is at y = %g m with %g m/s", run, at.position.y, (double)at.velocity.y);
        tr2_world_destroy(world);
    }
}

/* What has no contact is not held: a line that comes from behind a chain, and the back of a chain that moves. */
static void nothing_is_held_from_behind(void **state)
{
    (void)state;
    const double fall = -0.5 * 10.0 * 0.5 * 0.5 * (1.0 + 1.0 / 120.0); /* 30 steps of 4 sub-steps */
    for (uint32_t run = 0; run < 4; run++) {
        tr2_world *world = make_world(-10.0f);
        tr2_body ground = make(world, TR_STATIC, 0.0, 0.0), body = make(world, TR_DYNAMIC, 0.2, run == 3 ? 1.0 : 0.1);
        const tr_vec2 line[2] = {{-1.0f, 0.0f}, {1.0f, 0.0f}}, back[2] = {line[1], line[0]};
        /* from left to right a chain is solid above */
        const tr_vec2 *floor = run == 1 ? back : line;
        if (run == 2)
            add_segment(world, ground, line[0], line[1], 0.0f);
        else
            add_chain(world, ground, floor, 2, false, 0.0f);
        if (run == 0 || run == 3)
            add_segment(world, body, line[0], line[1], 0.0f);
        else
            add_chain(world, body, back, 2, false, 0.0f);
        set_mass(world, body, 1.0f, 0.33f);
        double speed = run == 3 ? -100.0 : 0.0, from = body_now(world, body).position.y;
        assert_ok(world, tr2_body_set_velocity(world, body, (tr_vec2){0.0f, (float)speed}, 0.0f));
        step(world, 30);
        double gone = body_now(world, body).position.y - from - 0.5 * speed;
        if (!(fabs(gone - fall) < 0.01))
            fail_msg("run %u: it fell by %g m, not %g", run, gone, fall);
        tr2_world_destroy(world);
    }
}

/* sensors are exact: the skin is for what is solid */
static void a_sensor_line_feels_lines_where_they_are(void **state)
{
    (void)state;
    for (uint32_t run = 0; run < 2; run++) {
        tr2_world *world = make_world(0.0f);
        tr2_shape_def def =
            tr2_segment_on(make(world, TR_STATIC, 0.0, 0.0), (tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.0f});
        def.sensor = true;
        (void)add(world, def);
        /* inclined, so that its box overlaps that of the other; 5 mm above it, or into it */
        tr2_body body = make_turned(world, TR_DYNAMIC, 0.0, 0.0, 0.02);
        float y = run == 0 ? 0.025f : 0.0f;
        add_segment(world, body, (tr_vec2){-1.0f, y}, (tr_vec2){1.0f, y}, 0.0f);
        set_mass(world, body, 1.0f, 1.0f);
        step(world, 1);
        assert_int_equal(tr2_world_touches(world).count, run);
        tr2_world_destroy(world);
    }
}

/*
 * Rooms
 */
static void build_room(tr2_world *world, tr2_body room, bool chain, float bounce)
{
    const float r = (float)ROOM;
    /* clockwise: the chain is solid outside */
    const tr_vec2 corners[4] = {{-r, -r}, {-r, r}, {r, r}, {r, -r}};
    if (chain)
        add_chain(world, room, corners, 4, true, bounce);
    for (uint32_t i = 0; i < 4 && !chain; i++)
        add_segment(world, room, corners[i], corners[(i + 1) % 4], bounce);
}

/* a segment, a cross of two, or an outline */
static tr2_body throw_one(tr2_world *world, double x, float bounce, uint64_t *seed)
{
    tr2_body_def def = tr2_body_def_default();
    tr2_body id;
    def.position = (tr_dvec2){x + 7.0 * draw(seed) - 3.5, 7.0 * draw(seed) - 3.5};
    def.angle = 6.0 * draw(seed);
    double angle = 6.283 * draw(seed), fast = 300.0 * draw(seed);
    def.velocity = (tr_vec2){(float)(fast * cos(angle)), (float)(fast * sin(angle))};
    def.angular_velocity = draw(seed) < 0.5 ? 0.0f : 200.0f * (float)draw(seed) - 100.0f;
    assert_ok(world, tr2_world_create_body(world, &def, &id));
    double kind = draw(seed);
    float half = 0.05f + 0.9f * (float)draw(seed);
    if (kind < 0.3) {
        add_outline(world, id, bounce);
        return id;
    }
    add_segment(world, id, (tr_vec2){-half, 0.0f}, (tr_vec2){half, 0.0f}, bounce);
    if (kind < 0.6)
        add_segment(world, id, (tr_vec2){0.0f, -half}, (tr_vec2){0.0f, half}, bounce);
    set_mass(world, id, 1.0f, half * half / 3.0f);
    return id;
}

/* each in a room of its own: of segments or a chain, dead and bouncing, fixed, or shoved about at up to 20 m/s and
   turned at up to 4 rad/s */
static void no_line_leaves_a_room_of_lines(void **state)
{
    (void)state;
    for (uint32_t run = 0; run < 8; run++) {
        uint64_t seed = run + 1;
        bool chain = run % 2 == 1, moves = run >= 4;
        float bounce = run % 4 < 2 ? 0.0f : 0.9f;
        tr2_world *world = make_world(-10.0f);
        tr2_body rooms[BODIES], bodies[BODIES];
        for (uint32_t i = 0; i < BODIES; i++) {
            rooms[i] = make(world, moves ? TR_KINEMATIC : TR_STATIC, APART * i, 0.0);
            build_room(world, rooms[i], chain, bounce);
            bodies[i] = throw_one(world, APART * i, bounce, &seed);
        }
        for (uint32_t k = 0; k < STEPS; k++) {
            for (uint32_t i = 0; i < BODIES && moves && k % 5 == 0; i++) {
                tr_vec2 shove = {40.0f * (float)draw(&seed) - 20.0f, 40.0f * (float)draw(&seed) - 20.0f};
                assert_ok(world, tr2_body_set_velocity(world, rooms[i], shove, 8.0f * (float)draw(&seed) - 4.0f));
            }
            step(world, 1);
            tr2_transform room[BODIES], body[BODIES];
            assert_ok(world, tr2_world_get_transforms(world, rooms, BODIES, room));
            assert_ok(world, tr2_world_get_transforms(world, bodies, BODIES, body));
            for (uint32_t i = 0; i < BODIES; i++) {
                double x = body[i].position.x - room[i].position.x, y = body[i].position.y - room[i].position.y;
                double c = (double)room[i].c, s = (double)room[i].s;
                if (!(fabs(c * x + s * y) <= ROOM && fabs(c * y - s * x) <= ROOM))
                    fail_msg("run %u: body %u is at (%g, %g) of its room after step %u", run, i, c * x + s * y,
                             c * y - s * x, k);
            }
        }
        tr2_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_segment_rests_on_a_line),      cmocka_unit_test(an_outline_falls_through_no_floor),
        cmocka_unit_test(no_line_hangs_in_a_floor),       cmocka_unit_test(upright_ends_stand_on_lines),
        cmocka_unit_test(nothing_is_held_from_behind),    cmocka_unit_test(a_sensor_line_feels_lines_where_they_are),
        cmocka_unit_test(no_line_leaves_a_room_of_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
