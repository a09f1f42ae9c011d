/*
 * Floors of many pieces. A floor of flush boxes, or of segments in a line, is a plane: what slides over it without
 * friction keeps its speed and its height, and what rolls over it goes on. Where a piece stands out it is a step.
 */
#include "shape_fixture.h"
#include "weightless.h"

#define DT (1.0 / 60.0) /* s */
#define PI 3.14159265358979323846

typedef enum floor_kind { BOXES, BODIES, SEGMENTS, MOVED, FLOORS } floor_kind;
typedef enum body_kind { DISC, BOX, CAPSULE, HEXAGON, KINDS } body_kind;

static tr2_world *new_world(void)
{
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    def.threads = 1;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    return world;
}

static void step(tr2_world *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_ok(world, tr2_world_step(world, DT, 4));
}

#define NEAR(what, is, want, tolerance)                                                                                \
    do {                                                                                                               \
        double is_ = (is), want_ = (want);                                                                             \
        if (!(fabs(is_ - want_) <= (tolerance)))                                                                       \
            fail_msg("%s: is %.9g, must be %.9g", what, is_, want_);                                                   \
    } while (0)

/* from x = 0 to `length`, with its top at y = 0, in pieces of one size: boxes of one static body, of one each,
   two-sided segments, or boxes of a kinematic body */
static void build_floor(tr2_world *world, floor_kind kind, double length, double piece, float friction)
{
    tr2_body ground = make(world, kind == MOVED ? TR_KINEMATIC : TR_STATIC, 0.0, 0.0);
    const float half = (float)(0.5 * piece);
    for (uint32_t i = 0; i < (uint32_t)(length / piece); i++) {
        float x = (float)(piece * i);
        tr2_body on = kind == BODIES ? make(world, TR_STATIC, (double)(x + half), -0.5) : ground;
        tr2_shape_def def = tr2_segment_on(on, (tr_vec2){x, 0.0f}, (tr_vec2){x + 2.0f * half, 0.0f});
        if (kind == BODIES)
            def = weightless(tr2_box_on(on, half, 0.5f));
        else if (kind != SEGMENTS)
            def = weightless(tr2_offset_box_on(on, half, 0.5f, (tr_vec2){x + half, -0.5f}, 1.0f, 0.0f));
        def.surface.friction = friction;
        add(world, def);
    }
}

/* 30 cm high above its middle */
static tr2_body put_body(tr2_world *world, body_kind kind, double x, double speed, float friction)
{
    const float r = 0.3f;
    tr2_body body = make(world, TR_DYNAMIC, x, (double)r);
    tr2_shape_def def = tr2_circle_on(body, (tr_vec2){0.0f, 0.0f}, r);
    if (kind == BOX)
        def = tr2_box_on(body, 0.5f, r);
    else if (kind == CAPSULE)
        def = tr2_capsule_on(body, (tr_vec2){-0.3f, 0.0f}, (tr_vec2){0.3f, 0.0f}, r);
    if (kind == HEXAGON) {
        def = tr2_shape_def_default(TR2_POLYGON);
        def.body = body;
        def.point_count = 6;
        for (int i = 0; i < 6; i++)
            def.point[i] =
                (tr_vec2){r / 0.8660254f * (float)cos(PI / 3.0 * i), r / 0.8660254f * (float)sin(PI / 3.0 * i)};
    }
    def.density = 1.0f;
    def.surface.friction = friction;
    add(world, def);
    assert_ok(world, tr2_body_set_velocity(world, body, (tr_vec2){(float)speed, 0.0f}, 0.0f));
    return body;
}

/* Without friction nothing acts along a plane: the speed stays to a part in 10^4, what the pushing out of an overlap of
   less than a millimetre may give or take at a corner, and so does the height, to 1 mm. */
static void slide(floor_kind floor, double piece, body_kind kind, double speed)
{
    tr2_world *world = new_world();
    build_floor(world, floor, 50.0, piece, 0.0f);
    tr2_body body = put_body(world, kind, 2.0, speed, 0.0f);
    for (uint32_t i = 0; i < 150 && body_now(world, body).position.x < 47.0; i++) {
        step(world, 1);
        NEAR("height", body_now(world, body).position.y, 0.3, 1e-3);
    }
    NEAR("speed", (double)body_now(world, body).velocity.x, speed, 1e-4 * speed);
    NEAR("angular velocity", (double)body_now(world, body).angular_velocity, 0.0, 1e-3);
    tr2_world_destroy(world);
}

static void what_slides_over_flush_pieces_keeps_its_speed_and_height(void **state)
{
    (void)state;
    const double speeds[] = {1.0, 3.0, 5.0, 12.0, 20.0};
    for (int floor = 0; floor < FLOORS; floor++)
        for (int kind = 0; kind < KINDS; kind++)
            for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
                slide((floor_kind)floor, i % 2 == 0 ? 1.0 : 0.5, (body_kind)kind, speeds[i]);
}

/* no slip, no loss: a rolling ball goes on */
static void a_ball_rolls_over_flush_pieces(void **state)
{
    (void)state;
    for (int floor = 0; floor < FLOORS; floor++) {
        tr2_world *world = new_world();
        build_floor(world, (floor_kind)floor, 30.0, 1.0, 0.6f);
        tr2_body ball = put_body(world, DISC, 2.0, 5.0, 0.6f);
        assert_ok(world, tr2_body_set_velocity(world, ball, (tr_vec2){5.0f, 0.0f}, -5.0f / 0.3f));
        step(world, 300);
        NEAR("speed", (double)body_now(world, ball).velocity.x, 5.0, 5e-3);
        NEAR("way", body_now(world, ball).position.x, 27.0, 0.01);
        tr2_world_destroy(world);
    }
}

/* as games move their figures: a box that does not turn, given its speed in each step */
static void a_walker_walks_over_flush_pieces(void **state)
{
    (void)state;
    for (int floor = 0; floor < FLOORS; floor++) {
        tr2_world *world = new_world();
        build_floor(world, (floor_kind)floor, 30.0, 0.5, 0.0f);
        tr2_body walker = put_body(world, BOX, 2.0, 3.0, 0.0f);
        assert_ok(world, tr2_body_set_fixed_rotation(world, walker, true));
        for (uint32_t i = 0; i < 300; i++) {
            tr_vec2 velocity = {3.0f, body_now(world, walker).velocity.y};
            assert_ok(world, tr2_body_set_velocity(world, walker, velocity, 0.0f));
            step(world, 1);
        }
        NEAR("way", body_now(world, walker).position.x, 17.0, 1e-3);
        tr2_world_destroy(world);
    }
}

/* a wall that stands on the floor has its foot in the floor's plane, as the next piece has its corner */
static void a_wall_and_a_step_of_5_cm_stop_what_slides(void **state)
{
    (void)state;
    const struct {
        double height, speed;
    } cases[] = {{2.0, 1.0}, {2.0, 20.0}, {0.05, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            tr2_world *world = new_world();
            build_floor(world, BOXES, 20.0, 0.5, 0.0f);
            float half = (float)(0.5 * cases[i].height);
            tr2_body wall = make(world, TR_STATIC, 11.0, (double)half);
            add(world, weightless(tr2_box_on(wall, 0.5f, half)));
            tr2_body body = put_body(world, (body_kind)kind, 9.0, cases[i].speed, 0.0f);
            for (uint32_t k = 0; k < 120; k++) {
                step(world, 1);
                assert_true(body_now(world, body).position.x < 10.5);
            }
            assert_true((double)body_now(world, body).velocity.x < 0.1 * cases[i].speed);
            tr2_world_destroy(world);
        }
}

/* A contact that was taken away begins no touch: a disc that rolls over ten pieces touches one after the other, and no
   two begin or end twice. */
static void each_piece_is_touched_once(void **state)
{
    (void)state;
    tr2_world *world = new_world();
    build_floor(world, BOXES, 20.0, 1.0, 0.0f);
    (void)put_body(world, DISC, 2.5, 3.0, 0.0f);
    uint32_t begun = 0, ended = 0;
    for (uint32_t i = 0; i < 200; i++) {
        step(world, 1);
        tr2_touch_view touches = tr2_world_touches(world);
        for (uint32_t k = 0; k < touches.count; k++) {
            begun += touches.event[k].kind == TR2_TOUCH_BEGIN;
            ended += touches.event[k].kind == TR2_TOUCH_END;
        }
    }
    /* from 2.5 m to 12.5 m: the pieces from the third to the one that begins at 12 m */
    assert_int_equal(begun, 11);
    assert_int_equal(ended, 10);
    tr2_world_destroy(world);
}

/* What lies half on a ledge and half over a lower floor, and what falls over an edge, is held by corners alone. */
static void corners_that_hold_something_hold_it(void **state)
{
    (void)state;
    tr2_world *world = new_world();
    build_floor(world, BOXES, 4.0, 0.5, 0.8f);
    /* its middle is 5 cm inside of the edge, and 5 cm beyond it */
    tr2_body stays = put_body(world, BOX, 3.95, 0.0, 0.8f), falls = put_body(world, BOX, -0.05, 0.0, 0.8f);
    step(world, 120);
    NEAR("height", body_now(world, stays).position.y, 0.3, 1e-3);
    NEAR("place", body_now(world, stays).position.x, 3.95, 1e-3);
    assert_true(body_now(world, falls).position.y < -1.0);
    /* it turned over the edge */
    assert_true(body_now(world, falls).angle > 0.5);
    tr2_world_destroy(world);
}

/* steps until a body is at x, 1 s at most; *up: its greatest speed upwards, which may be null */
static tr2_body_def run_to(tr2_world *world, tr2_body body, double x, double *up)
{
    tr2_body_def now = body_now(world, body);
    for (int k = 0; k < 60 && now.position.x < x; k++) {
        step(world, 1);
        now = body_now(world, body);
        if (up != NULL)
            *up = fmax(*up, (double)now.velocity.y);
    }
    return now;
}

/*
 * A disc of radius r meets the corner of a step of height s with the normal from the corner to its centre. What it has
 * along that is gone, so of v it keeps v c^2 forwards and v c sqrt(1 - c^2) upwards, with c = 1 - s / r. To 1.2 %:
 * gravity and the settled overlap of its own floor move the impact a little.
 */
static void a_disc_leaves_a_step_as_its_corner_throws_it(void **state)
{
    (void)state;
    const double speeds[] = {5.0, 10.0, 20.0}, steps[] = {0.002, 0.005, 0.02};
    for (int i = 0; i < 3 * 3 * 10; i++) {
        double v = speeds[i % 3], height = steps[i / 3 % 3], c = 1.0 - height / 0.3, up = 0.0;
        tr2_world *world = new_world();
        tr2_body ground = make(world, TR_STATIC, 0.0, 0.0);
        for (int k = 0; k < 14; k++) {
            tr_vec2 middle = {(float)k + 0.5f, k < 8 ? -0.5f : (float)height - 0.5f};
            tr2_shape_def def = weightless(tr2_offset_box_on(ground, 0.5f, 0.5f, middle, 1.0f, 0.0f));
            def.surface.friction = 0.0f;
            add(world, def);
        }
        tr2_body disc = put_body(world, DISC, 6.0 + 0.033 * (i / 9), v, 0.0f);
        tr2_body_def now = run_to(world, disc, 8.3, &up);
        NEAR("forwards", (double)now.velocity.x, v * c * c, 0.012 * v);
        NEAR("upwards", up, v * c * sqrt(1.0 - c * c), 0.012 * v);
        tr2_world_destroy(world);
    }
}

/* Where a floor turns upwards by an angle, v cos(angle) is left, the part along the slope; energy tells it at any
   height. */
static void a_disc_loses_at_a_valley_what_points_into_the_slope(void **state)
{
    (void)state;
    const double speeds[] = {6.0, 20.0}, angles[] = {PI / 180.0, PI / 36.0};
    for (int i = 0; i < 2 * 2 * 5; i++) {
        double v = speeds[i % 2], angle = angles[i / 2 % 2], c = cos(angle);
        tr2_world *world = new_world();
        tr2_body ground = make(world, TR_STATIC, 0.0, 0.0);
        build_floor(world, SEGMENTS, 6.0, 1.0, 0.0f);
        for (int k = 0; k < 4; k++) {
            tr_vec2 from = {6.0f + (float)(k * c), (float)(k * sin(angle))};
            tr_vec2 to = {6.0f + (float)((k + 1) * c), (float)((k + 1) * sin(angle))};
            tr2_shape_def def = tr2_segment_on(ground, from, to);
            def.surface.friction = 0.0f;
            add(world, def);
        }
        tr2_body disc = put_body(world, DISC, 4.0 + 0.06 * (i / 4), v, 0.0f);
        tr2_body_def now = run_to(world, disc, 8.0, NULL);
        double square = pow((double)now.velocity.x, 2.0) + pow((double)now.velocity.y, 2.0);
        NEAR("speed", sqrt(square + 2.0 * 9.81 * (now.position.y - 0.3)), v * c, 0.003 * v);
        tr2_world_destroy(world);
    }
}

/* A disc may land on a face when the face's end was nearest at the start of that step. Only the face counts: of v at 45
   degrees v cos(45 degrees) stays along it. Without gravity nothing else acts. */
static void a_disc_that_lands_beside_an_edge_meets_the_face(void **state)
{
    (void)state;
    const double speeds[] = {5.0, 10.0, 20.0}, places[] = {0.001, 0.01, 0.03, 0.1};
    for (int i = 0; i < 3 * 4 * 8; i++) {
        double along = speeds[i % 3] * cos(PI / 4.0), place = places[i / 3 % 4];
        /* s, before the landing: one step, and from a ninth to almost the whole of another one */
        double before = (1.0 + (double)(i / 12 + 1) / 9.0) * DT;
        tr2_world *world = new_world();
        assert_ok(world, tr2_world_set_gravity(world, (tr_vec2){0.0f, 0.0f}));
        build_floor(world, i % 2 == 0 ? BOXES : SEGMENTS, 2.0, 2.0, 0.0f);
        tr2_body disc = make(world, TR_DYNAMIC, place - before * along, 0.3 + before * along);
        tr2_shape_def def = tr2_circle_on(disc, (tr_vec2){0.0f, 0.0f}, 0.3f);
        def.density = 1.0f;
        def.surface.friction = 0.0f;
        add(world, def);
        assert_ok(world, tr2_body_set_velocity(world, disc, (tr_vec2){(float)along, (float)-along}, 0.0f));
        step(world, 4);
        NEAR("along the face", (double)body_now(world, disc).velocity.x, along, 0.01 * along);
        NEAR("height", body_now(world, disc).position.y, 0.3, 0.01);
        tr2_world_destroy(world);
    }
}

/* Its steps are 1.1 m long: it would be in the plate or below it at the end of that in which it lands. */
static void a_fast_disc_slides_over_a_thin_plate(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        tr2_world *world = new_world();
        tr2_body plate = make(world, TR_STATIC, 3.0, -0.025);
        tr2_shape_def def = weightless(tr2_box_on(plate, 3.0f, 0.025f));
        def.surface.friction = 0.0f;
        add(world, def);
        double place = 0.01 + 0.015 * (i % 10), above = 0.08 + 0.05 * (i / 10);
        tr2_body disc = put_body(world, DISC, 0.0, 0.0, 0.0f);
        assert_ok(world, tr2_body_set_transform(world, disc, (tr_dvec2){place - 2.0 * above, 0.3 + above}, 0.0));
        assert_ok(world, tr2_body_set_velocity(world, disc, (tr_vec2){60.0f, -30.0f}, 0.0f));
        for (int k = 0; k < 5; k++) {
            step(world, 1);
            assert_true(body_now(world, disc).position.y > 0.28);
        }
        NEAR("speed", (double)body_now(world, disc).velocity.x, 60.0, 0.6);
        tr2_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_slides_over_flush_pieces_keeps_its_speed_and_height),
        cmocka_unit_test(a_ball_rolls_over_flush_pieces),
        cmocka_unit_test(a_walker_walks_over_flush_pieces),
        cmocka_unit_test(a_wall_and_a_step_of_5_cm_stop_what_slides),
        cmocka_unit_test(each_piece_is_touched_once),
        cmocka_unit_test(a_disc_leaves_a_step_as_its_corner_throws_it),
        cmocka_unit_test(a_disc_loses_at_a_valley_what_points_into_the_slope),
        cmocka_unit_test(a_disc_that_lands_beside_an_edge_meets_the_face),
        cmocka_unit_test(a_fast_disc_slides_over_a_thin_plate),
        cmocka_unit_test(corners_that_hold_something_hold_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
