/* Bounding boxes of shapes and bodies: against the points of the shapes, far from the origin, and in batches. */
#include "shape_fixture.h"

static const tr2_aabb untouched = {{-7.0, -7.0}, {-7.0, -7.0}};

static tr2_aabb bounds_of(const tr2_world *world, tr2_shape id)
{
    tr2_aabb box;
    assert_ok(world, tr2_shape_get_bounds(world, id, &box));
    return box;
}

static void assert_box(tr2_aabb box, double x0, double y0, double x1, double y1)
{
    /* c and s are floats: the arms of a turned shape of 3 m have their rounding */
    const double most = 1e-6;
    assert_true(fabs(box.lower.x - x0) < most && fabs(box.lower.y - y0) < most);
    assert_true(fabs(box.upper.x - x1) < most && fabs(box.upper.y - y1) < most);
}

static void each_kind_has_its_box(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body body = make(world, TR_DYNAMIC, 10.0, 20.0);
    tr2_shape circle = add(world, tr2_circle_on(body, (tr_vec2){1.0f, 2.0f}, 0.5f));
    assert_box(bounds_of(world, circle), 10.5, 21.5, 11.5, 22.5);
    tr2_shape capsule = add(world, tr2_capsule_on(body, (tr_vec2){-1.0f, 0.0f}, (tr_vec2){2.0f, 1.0f}, 0.25f));
    assert_box(bounds_of(world, capsule), 8.75, 19.75, 12.25, 21.25);
    tr2_shape segment = add(world, tr2_segment_on(body, (tr_vec2){3.0f, -3.0f}, (tr_vec2){2.0f, 1.0f}));
    assert_box(bounds_of(world, segment), 12.0, 17.0, 13.0, 21.0);
    tr2_shape_def round = tr2_box_on(body, 1.0f, 0.5f);
    round.radius = 0.125f;
    tr2_shape box = add(world, round);
    assert_box(bounds_of(world, box), 8.875, 19.375, 11.125, 20.625);
    /* of a chain's segment, without its neighbours */
    const tr_vec2 points[4] = {{9.0f, 9.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}, {-9.0f, 9.0f}};
    tr2_chain_def chain = tr2_chain_def_default();
    tr2_shape segments[3];
    chain.shape.body = body;
    chain.points = points;
    chain.count = 4;
    assert_ok(world, tr2_world_create_chain(world, &chain, segments));
    assert_box(bounds_of(world, segments[1]), 10.0, 20.0, 11.0, 21.0);
}

/* random polygons at random poses, up to 1e7 m away: as tight as a float's rounding of the shape, not of the place */
static void turned_ones_are_tight_also_far_away(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 3;
    for (int i = 0; i < 200; i++) {
        double far = i % 2 == 0 ? 1.0 : 1e7, angle = 6.0 * draw(&seed) - 3.0;
        double x = far * (draw(&seed) - 0.5), y = far * (draw(&seed) - 0.5);
        tr2_body body = make_turned(world, TR_STATIC, x, y, angle);
        tr2_shape_def def = tr2_offset_box_on(body, (float)(0.1 + draw(&seed)), (float)(0.1 + draw(&seed)),
                                              (tr_vec2){(float)draw(&seed), (float)draw(&seed)}, 0.6f, 0.8f);
        def.radius = i % 3 == 0 ? 0.2f : 0.0f;
        def.density = 0.0f;
        tr2_shape shape = add(world, def);
        double box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
        for (int k = 0; k < 4; k++) {
            double px = (double)def.point[k].x, py = (double)def.point[k].y;
            double at[2] = {cos(angle) * px - sin(angle) * py, sin(angle) * px + cos(angle) * py};
            for (int axis = 0; axis < 2; axis++) {
                box[axis] = fmin(box[axis], at[axis] - (double)def.radius);
                box[2 + axis] = fmax(box[2 + axis], at[axis] + (double)def.radius);
            }
        }
        tr2_aabb is = bounds_of(world, shape);
        assert_box((tr2_aabb){{is.lower.x - x, is.lower.y - y}, {is.upper.x - x, is.upper.y - y}}, box[0], box[1],
                   box[2], box[3]);
    }
}

static void a_body_has_the_box_of_its_shapes(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body body = make(world, TR_DYNAMIC, 1.0, 2.0);
    tr2_aabb box;
    assert_ok(world, tr2_body_get_bounds(world, body, &box));
    assert_box(box, 1.0, 2.0, 1.0, 2.0);
    add(world, tr2_box_on(body, 0.5f, 0.5f));
    tr2_shape_def sensor = tr2_circle_on(body, (tr_vec2){4.0f, 0.0f}, 1.0f);
    sensor.sensor = true;
    tr2_shape far = add(world, sensor);
    /* the centre of mass has moved, the origin has not */
    assert_ok(world, tr2_body_get_bounds(world, body, &box));
    assert_box(box, 0.5, 1.0, 6.0, 3.0);
    assert_ok(world, tr2_body_set_enabled(world, body, false));
    assert_ok(world, tr2_body_get_bounds(world, body, &box));
    assert_box(box, 0.5, 1.0, 6.0, 3.0);
    assert_ok(world, tr2_body_set_transform(world, body, (tr_dvec2){0.0, 0.0}, 1.5707963267948966));
    assert_ok(world, tr2_body_get_bounds(world, body, &box));
    assert_box(box, -1.0, -0.5, 1.0, 5.0);
    assert_ok(world, tr2_world_destroy_shape(world, far));
    assert_ok(world, tr2_body_get_bounds(world, body, &box));
    assert_box(box, -0.5, -0.5, 0.5, 0.5);
}

static void batches_are_the_single_calls(void **state)
{
    tr2_world *world = world_of(state);
    enum { COUNT = 20 };
    tr2_body bodies[COUNT];
    tr2_shape shapes[COUNT];
    tr2_aabb of_bodies[COUNT], of_shapes[COUNT];
    uint64_t seed = 9;
    for (int i = 0; i < COUNT; i++) {
        bodies[i] = make_turned(world, TR_DYNAMIC, 3.0 * i, draw(&seed), draw(&seed));
        shapes[i] = add(world, tr2_box_on(bodies[i], 0.5f, (float)(0.1 + draw(&seed))));
    }
    for (int step = 0; step < 10; step++)
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    assert_ok(world, tr2_world_get_body_bounds(world, bodies, COUNT, of_bodies));
    assert_ok(world, tr2_world_get_shape_bounds(world, shapes, COUNT, of_shapes));
    for (int i = 0; i < COUNT; i++) {
        tr2_aabb one = bounds_of(world, shapes[i]);
        assert_memory_equal(&one, &of_shapes[i], sizeof one);
        assert_memory_equal(&one, &of_bodies[i], sizeof one);
    }
}

static void what_is_wrong_is_named_and_nothing_is_written(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body bodies[3] = {make(world, TR_DYNAMIC, 0.0, 0.0), make(world, TR_DYNAMIC, 5.0, 0.0), {0, 0, 0}};
    tr2_shape shapes[2] = {add(world, tr2_box_on(bodies[0], 0.5f, 0.5f)),
                           add(world, tr2_box_on(bodies[1], 0.5f, 0.5f))};
    tr2_aabb out[3] = {untouched, untouched, untouched};
    assert_int_equal(tr2_world_get_body_bounds(world, bodies, 3, out), TR_ERROR_NULL_ID);
    assert_string_equal(tr2_world_last_error(world)->message, "get_body_bounds: ids[2] is the null id");
    assert_ok(world, tr2_world_destroy_body(world, bodies[1]));
    assert_int_equal(tr2_world_get_body_bounds(world, bodies, 2, out), TR_ERROR_STALE_ID);
    assert_string_equal(tr2_world_last_error(world)->message,
                        "get_body_bounds: ids[1] is stale (slot 1, generation 0)");
    assert_int_equal(tr2_world_get_shape_bounds(world, shapes, 2, out), TR_ERROR_STALE_ID);
    assert_string_equal(tr2_world_last_error(world)->message,
                        "get_shape_bounds: ids[1] is stale (slot 1, generation 0)");
    assert_int_equal(tr2_body_get_bounds(world, bodies[1], out), TR_ERROR_STALE_ID);
    assert_int_equal(tr2_shape_get_bounds(world, shapes[1], out), TR_ERROR_STALE_ID);
    assert_memory_equal(&out[0], &untouched, sizeof untouched);
    assert_int_equal(tr2_body_get_bounds(world, bodies[0], NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_shape_get_bounds(world, shapes[0], NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_world_get_body_bounds(world, NULL, 1, out), TR_ERROR_NULL);
    assert_int_equal(tr2_world_get_shape_bounds(world, shapes, 1, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_world_get_shape_bounds(NULL, shapes, 1, out), TR_ERROR_NULL);
    assert_ok(world, tr2_world_get_body_bounds(world, NULL, 0, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_kind_has_its_box),
        TEST(turned_ones_are_tight_also_far_away),
        TEST(a_body_has_the_box_of_its_shapes),
        TEST(batches_are_the_single_calls),
        TEST(what_is_wrong_is_named_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
