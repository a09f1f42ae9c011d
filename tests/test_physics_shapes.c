/* Bodies with shapes against laws: they rest on floors, slide and stop, bounce, roll, and stand on each other. */
#include "shape_fixture.h"
#include "weightless.h"

#define HZ 60.0

/* a floor whose surface is y = 0 */
static tr2_body make_floor(tr2_world *world, tr2_surface surface)
{
    tr2_body floor = make_turned(world, TR_STATIC, 0.0, -1.0, 0.0);
    tr2_shape_def def = tr2_box_on(floor, 200.0f, 1.0f);
    def.surface = surface;
    add(world, def);
    return floor;
}

static tr2_body make_dense(tr2_world *world, double x, double y, tr2_shape_def def)
{
    tr2_body body = make_turned(world, TR_DYNAMIC, x, y, 0.0);
    def.body = body;
    def.density = 1000.0f;
    add(world, def);
    return body;
}

static void run(tr2_world *world, double seconds)
{
    for (int i = 0; i < (int)(seconds * HZ + 0.5); i++)
        assert_ok(world, tr2_world_step(world, 1.0 / HZ, 4));
}

static const tr2_surface rough = {0.6f, 0.0f, 0.0f, 0.0f};
static const tr2_body nobody = {0, 0, 0};

/* Each kind falls from a little above and rests on a floor: by half its height above it, to the overlap that pushing
   out leaves (a few millimetres), at rest. */
static void every_kind_rests_on_every_floor(void **state)
{
    (void)state;
    tr2_shape_def kinds[4] = {
        weightless(tr2_circle_on(nobody, (tr_vec2){0.0f, 0.0f}, 0.5f)), weightless(tr2_box_on(nobody, 0.5f, 0.5f)),
        weightless(tr2_shape_def_default(TR2_CAPSULE)), weightless(tr2_box_on(nobody, 0.4f, 0.4f))};
    kinds[3].radius = 0.1f;
    for (uint32_t floor_kind = 0; floor_kind < 3; floor_kind++) {
        for (uint32_t kind = 0; kind < 4; kind++) {
            tr2_world_def world_def = tr2_world_def_default();
            world_def.sleep.enable = false;
            tr2_world *world;
            assert_int_equal(tr2_world_create(&world_def, &world, NULL), TR_OK);
            if (floor_kind == 0) {
                make_floor(world, rough);
            } else if (floor_kind == 1) {
                add(world, tr2_segment_on(make_turned(world, TR_STATIC, 0.0, 0.0, 0.0), (tr_vec2){-20.0f, 0.0f},
                                          (tr_vec2){20.0f, 0.0f}));
            } else {
                tr2_chain_def chain = tr2_chain_def_default();
                tr_vec2 points[5] = {{20.0f, 0.0f}, {8.0f, 0.0f}, {0.3f, 0.0f}, {-7.0f, 0.0f}, {-20.0f, 0.0f}};
                chain.points = points;
                chain.count = 5;
                chain.shape.body = make_turned(world, TR_STATIC, 0.0, 0.0, 0.0);
                assert_ok(world, tr2_world_create_chain(world, &chain, NULL));
            }
            tr2_body body = make_dense(world, 0.0, 0.8, kinds[kind]);
            run(world, 3.0);
            tr2_body_def now = body_now(world, body);
            if (fabs(now.position.y - 0.5) > 0.01 || fabs((double)now.velocity.y) > 1e-3)
                fail_msg("kind %u on floor %u: at %g, moving with %g", kind, floor_kind, now.position.y,
                         (double)now.velocity.y);
            tr2_world_destroy(world);
        }
    }
}

/* A box on a slope: it stays 1 % below the critical angle, tan(angle) = friction, and slides 1 % above. How fast goes
   with that little difference: an error of 0.2 % in the angle is 20 % of it. */
static void a_box_slips_at_the_critical_angle(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    const double friction = 0.5, critical = atan(friction);
    const double angles[2] = {0.99 * critical, 1.01 * critical};
    tr2_body boxes[2];
    for (int i = 0; i < 2; i++) {
        double c = cos(angles[i]), s = sin(angles[i]), x = 200.0 * i;
        tr2_shape_def slope = weightless(tr2_box_on(make_turned(world, TR_STATIC, x, 0.0, -angles[i]), 60.0f, 1.0f));
        slope.surface.friction = (float)friction;
        add(world, slope);
        boxes[i] = make_turned(world, TR_DYNAMIC, x + 1.5 * s, 1.5 * c, -angles[i]);
        /* it begins so slowly that it would fall asleep */
        assert_ok(world, tr2_body_set_allow_sleep(world, boxes[i], false));
        tr2_shape_def box = tr2_box_on(boxes[i], 0.5f, 0.5f);
        box.surface.friction = (float)friction;
        box.density = 100.0f;
        add(world, box);
    }
    run(world, 1.0);
    tr2_body_def begin[2] = {body_now(world, boxes[0]), body_now(world, boxes[1])};
    run(world, 4.0);
    double stayed = body_now(world, boxes[0]).position.x - begin[0].position.x;
    double slid = body_now(world, boxes[1]).position.x - begin[1].position.x;
    /* g (sin - friction cos) t^2 / 2, of which a second passed before */
    double rate = 9.81 * (sin(angles[1]) - friction * cos(angles[1]));
    double want = 0.5 * rate * (25.0 - 1.0) * cos(angles[1]);
    if (fabs(stayed) > 0.01 || fabs(slid - want) > 0.3 * want)
        fail_msg("stayed within %g m; slid %g m, should be %g", stayed, slid, want);
}

/* how high a body comes again after its first bounce, from where it lay at rest `level` above the floor */
static double height_after_bounce(tr2_world *world, tr2_body body, double level, double hz)
{
    double highest = 0.0;
    bool met = false;
    for (int step = 0; step < (int)(2.0 * hz); step++) {
        assert_ok(world, tr2_world_step(world, 1.0 / hz, 4));
        tr2_body_def now = body_now(world, body);
        /* up, and down again */
        if (met && now.velocity.y < 0.0f && now.position.y - level < highest)
            break;
        met = met || now.velocity.y >= 0.0f;
        if (met && now.position.y - level > highest)
            highest = now.position.y - level;
    }
    return highest;
}

/* What falls from h comes back to e^2 h; e is the greater of the two surfaces'. What gravity adds on the way through
   the last gap is returned too. Implicit Euler loses g h t, 0.9 % of the height at 1/240 s, on the way down and up. */
static void what_falls_bounces_to_the_square_of_the_restitution(void **state)
{
    (void)state;
    static const float restitution[3] = {0.0f, 0.5f, 1.0f};
    static const double rates[2] = {60.0, 240.0};
    for (int i = 0; i < 3 * 2 * 2 * 8; i++) {
        double e = (double)restitution[i % 3], hz = rates[i / 3 % 2], height = 4.0 + 0.02 * (i / 12);
        tr2_world_def world_def = tr2_world_def_default();
        world_def.sleep.enable = false;
        tr2_world *world;
        assert_int_equal(tr2_world_create(&world_def, &world, NULL), TR_OK);
        make_floor(world, rough);
        bool box = i / 6 % 2 == 1;
        tr2_shape_def shape = box ? weightless(tr2_box_on(nobody, 0.25f, 0.25f))
                                  : weightless(tr2_circle_on(nobody, (tr_vec2){0.0f, 0.0f}, 0.25f));
        shape.surface.restitution = restitution[i % 3];
        tr2_body body = make_dense(world, 0.0, height + 0.25, shape);
        double highest = height_after_bounce(world, body, 0.25, hz), want = e * e * height;
        if (fabs(highest - want) > (e > 0.0 ? 0.02 * want : 0.005))
            fail_msg("%s, restitution %g, %g Hz: %g m, should be %g", box ? "box" : "ball", e, hz, highest, want);
        tr2_world_destroy(world);
    }
}

/* A disc rolls down a slope with 2/3 g sin; implicit Euler is ahead of t^2/2 by h t/2, 0.1 % of the way here. */
static void a_disc_rolls_down_a_slope(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    const double slope = 0.3, seconds = 3.0, radius = 0.5;
    tr2_shape_def plane = weightless(tr2_box_on(make_turned(world, TR_STATIC, 0.0, 0.0, -slope), 80.0f, 1.0f));
    add(world, plane);
    tr2_body disc = make_dense(world, (1.0 + radius) * sin(slope), (1.0 + radius) * cos(slope),
                               weightless(tr2_circle_on(nobody, (tr_vec2){0.0f, 0.0f}, (float)radius)));
    tr2_body_def first = body_now(world, disc);
    run(world, seconds);
    tr2_body_def now = body_now(world, disc);
    double speed = hypot((double)now.velocity.x, (double)now.velocity.y);
    double way = hypot(now.position.x - first.position.x, now.position.y - first.position.y);
    double rate = 2.0 / 3.0 * 9.81 * sin(slope);
    if (fabs(speed / (rate * seconds) - 1.0) > 0.002 || fabs(way / (0.5 * rate * seconds * seconds) - 1.0) > 0.005)
        fail_msg("at %g m/s, should be %g; after %g m, should be %g", speed, rate * seconds, way,
                 0.5 * rate * seconds * seconds);
    /* and does not slip */
    if (fabs((double)now.angular_velocity * radius / speed + 1.0) > 0.002)
        fail_msg("turns with %g rad/s at %g m/s", (double)now.angular_velocity, speed);
}

/* Bodies that a joint joins pass through each other unless it says collide_connected; others do not. */
static void joined_bodies_collide_where_the_joint_says_so(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_body pairs[3][2];
    for (int i = 0; i < 3; i++) {
        pairs[i][0] = make_turned(world, TR_STATIC, 5.0 * i, 0.0, 0.0);
        tr2_shape_def ground = weightless(tr2_box_on(pairs[i][0], 1.0f, 0.5f));
        add(world, ground);
        pairs[i][1] = make_dense(world, 5.0 * i, 1.1, weightless(tr2_box_on(nobody, 0.5f, 0.5f)));
        if (i == 0)
            continue;
        /* a slack rope */
        tr2_joint_def rope = tr2_joint_def_default(TR2_JOINT_DISTANCE);
        rope.body_a = pairs[i][0];
        rope.body_b = pairs[i][1];
        rope.length = 0.0f;
        rope.anchor_a.x = 3.0f;
        rope.linear = tr_frequency(0.0f, 0.0f);
        rope.limit = (tr_limit){true, 0.0f, 50.0f};
        rope.collide_connected = i == 2;
        tr2_joint id;
        assert_ok(world, tr2_world_create_joint(world, &rope, &id));
    }
    run(world, 1.0);
    assert_true(fabs(body_now(world, pairs[0][1]).position.y - 1.0) < 0.01);
    assert_true(body_now(world, pairs[1][1]).position.y < -2.0);
    assert_true(fabs(body_now(world, pairs[2][1]).position.y - 1.0) < 0.01);
}

/* A belt brings a box to its own speed, along the outward normal turned a quarter counter-clockwise. */
static void a_belt_gives_its_speed(void **state)
{
    tr2_world *world = ((fixture *)*state)->world;
    tr2_surface belt = {0.8f, 0.0f, 0.0f, 2.0f};
    make_floor(world, belt);
    tr2_body box = make_dense(world, 0.0, 0.5, weightless(tr2_box_on(nobody, 0.5f, 0.5f)));
    run(world, 2.0);
    assert_true(fabsf(body_now(world, box).velocity.x + 2.0f) < 0.01f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_rests_on_every_floor),
        TEST(a_box_slips_at_the_critical_angle),
        cmocka_unit_test(what_falls_bounces_to_the_square_of_the_restitution),
        TEST(a_disc_rolls_down_a_slope),
        TEST(joined_bodies_collide_where_the_joint_says_so),
        TEST(a_belt_gives_its_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
