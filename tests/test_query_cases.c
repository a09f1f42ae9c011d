/* Queries one by one: what each says where the answer is known by hand, and what it says to input that is wrong. */
#include "shape_fixture.h"
#include "weightless.h"

static tr2_hit cast(const tr2_world *world, double x, double y, float translation_x, float translation_y,
                    const tr2_query *query)
{
    tr2_hit hit;
    assert_int_equal(
        tr2_world_cast_ray(world, (tr_dvec2){x, y}, (tr_vec2){translation_x, translation_y}, query, &hit, NULL), TR_OK);
    return hit;
}

static void rays_say_where_and_how_they_hit(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body box = make(world, TR_DYNAMIC, 5.0, 0.0);
    tr2_shape shape = add(world, weightless(tr2_box_on(box, 1.0f, 0.5f)));

    tr2_hit hit = cast(world, 0.0, 0.25, 8.0f, 0.0f, NULL);
    assert_int_equal(hit.shape.index, shape.index);
    assert_true(fabsf(hit.fraction - 0.5f) < 1e-6f);
    assert_true(fabs(hit.point.x - 4.0) < 1e-6 && fabs(hit.point.y - 0.25) < 1e-6);
    assert_true(hit.normal.x == -1.0f && hit.normal.y == 0.0f);

    /* short of it, beside it, away from it */
    assert_int_equal(cast(world, 0.0, 0.25, 3.9f, 0.0f, NULL).shape.index, 0);
    assert_int_equal(cast(world, 0.0, 0.6, 8.0f, 0.0f, NULL).shape.index, 0);
    hit = cast(world, 0.0, 0.25, -8.0f, 1.0f, NULL);
    assert_int_equal(hit.shape.index, 0);
    assert_true(hit.fraction == 1.0f && hit.point.x == -8.0 && hit.point.y == 1.25);

    /* from inside, also without a translation; from outside no translation hits nothing */
    hit = cast(world, 5.5, 0.0, 8.0f, 0.0f, NULL);
    assert_int_equal(hit.shape.index, shape.index);
    assert_true(hit.fraction == 0.0f && hit.normal.x == 0.0f && hit.normal.y == 0.0f);
    assert_int_equal(cast(world, 5.5, 0.0, 0.0f, 0.0f, NULL).shape.index, shape.index);
    assert_int_equal(cast(world, 0.0, 0.0, 0.0f, 0.0f, NULL).shape.index, 0);

    /* where an edit has put it, and gone with it */
    assert_ok(world, tr2_body_set_transform(world, box, (tr_dvec2){-1000.0, 0.0}, 1.5707963267948966));
    assert_int_equal(cast(world, 0.0, 0.25, 8.0f, 0.0f, NULL).shape.index, 0);
    hit = cast(world, 0.0, 0.25, -2000.0f, 0.0f, NULL);
    assert_int_equal(hit.shape.index, shape.index);
    assert_true(fabs(hit.point.x + 999.5) < 1e-3);
    assert_ok(world, tr2_world_destroy_body(world, box));
    assert_int_equal(cast(world, 0.0, 0.25, -2000.0f, 0.0f, NULL).shape.index, 0);
}

/* a step moves a body farther than anyone could see coming: a spring throws it */
static void shapes_are_seen_where_a_step_has_thrown_them(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ball = make(world, TR_DYNAMIC, 0.0, 0.0);
    tr2_shape shape = add(world, weightless(tr2_circle_on(ball, (tr_vec2){0.0f, 0.0f}, 0.1f)));
    for (uint32_t i = 0; i < 10; i++) {
        assert_ok(world, tr2_body_apply_force_to_center(world, ball, (tr_vec2){i % 2 == 0 ? 1e6f : -2e6f, 0.0f}));
        assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        tr2_transform now;
        assert_ok(world, tr2_world_get_transforms(world, &ball, 1, &now));
        tr2_hit hit = cast(world, now.position.x, now.position.y + 5.0, 0.0f, -10.0f, NULL);
        assert_int_equal(hit.shape.index, shape.index);
        assert_true(fabsf(hit.fraction - 0.49f) < 1e-4f);
    }
}

static void a_chain_is_hit_from_its_right_only(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body ground = make(world, TR_STATIC, 0.0, 0.0);
    const tr_vec2 points[2] = {{10.0f, 0.0f}, {-10.0f, 0.0f}};
    tr2_chain_def chain = tr2_chain_def_default();
    chain.points = points;
    chain.count = 2;
    chain.shape.body = ground;
    tr2_shape id;
    assert_ok(world, tr2_world_create_chain(world, &chain, &id));
    /* it runs to the left, so its right is above */
    assert_int_equal(cast(world, 0.0, 1.0, 0.0f, -2.0f, NULL).shape.index, id.index);
    assert_int_equal(cast(world, 0.0, -1.0, 0.0f, 2.0f, NULL).shape.index, 0);
    /* a segment from both sides */
    tr2_shape segment = add(world, tr2_segment_on(ground, (tr_vec2){-10.0f, -5.0f}, (tr_vec2){10.0f, -5.0f}));
    assert_int_equal(cast(world, 0.0, -4.0, 0.0f, -2.0f, NULL).shape.index, segment.index);
    assert_int_equal(cast(world, 0.0, -6.0, 0.0f, 2.0f, NULL).shape.index, segment.index);
}

static bool not_this(tr2_shape shape, uint32_t index, void *context)
{
    assert_int_equal(index, 0);
    return shape.index != ((const tr2_shape *)context)->index;
}

static void filters_choose_what_is_seen(void **state)
{
    tr2_world *world = world_of(state);
    tr2_shape shapes[4];
    for (uint32_t i = 0; i < 4; i++) {
        tr2_shape_def def = weightless(tr2_box_on(make(world, TR_DYNAMIC, 2.0 * i, 0.0), 0.5f, 0.5f));
        def.sensor = i == 0;
        def.filter.category = i == 1 ? 2 : 1;
        def.filter.group = i == 2 ? -3 : 0;
        shapes[i] = add(world, def);
    }
    tr2_query query = tr2_query_default();
    assert_int_equal(cast(world, -5.0, 0.0, 20.0f, 0.0f, &query).shape.index, shapes[1].index);
    query.sensors = true;
    assert_int_equal(cast(world, -5.0, 0.0, 20.0f, 0.0f, &query).shape.index, shapes[0].index);
    query.sensors = false;
    query.filter.mask = 1;
    assert_int_equal(cast(world, -5.0, 0.0, 20.0f, 0.0f, &query).shape.index, shapes[2].index);
    query.filter.group = -3;
    assert_int_equal(cast(world, -5.0, 0.0, 20.0f, 0.0f, &query).shape.index, shapes[3].index);
    query = tr2_query_default();
    query.accept = not_this;
    query.context = &shapes[1];
    assert_int_equal(cast(world, -5.0, 0.0, 20.0f, 0.0f, &query).shape.index, shapes[2].index);
}

/* of two in the same place the one with the lower index, however they came into the trees */
static void of_equals_the_lower_index_comes_first(void **state)
{
    tr2_world *world = world_of(state);
    tr2_shape shapes[6];
    tr2_body bodies[6];
    for (uint32_t i = 0; i < 6; i++) {
        bodies[i] = make(world, i % 2 == 0 ? TR_DYNAMIC : TR_STATIC, 3.0, 0.0);
        shapes[i] = add(world, weightless(tr2_box_on(bodies[i], 0.5f, 0.5f)));
    }
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(cast(world, 0.0, 0.0, 9.0f, 0.0f, NULL).shape.index, shapes[i].index);
        tr2_hit hits[6];
        uint32_t first[2];
        const double x = 0.0, y = 0.0;
        const float translation_x = 9.0f, translation_y = 0.0f;
        tr2_rays ray = {1, &x, &y, &translation_x, &translation_y};
        assert_int_equal(tr2_world_cast_rays_through(world, &ray, NULL, hits, 6, first, NULL), TR_OK);
        assert_int_equal(first[1], 6 - i);
        for (uint32_t k = 0; k < 6 - i; k++)
            assert_int_equal(hits[k].shape.index, shapes[i + k].index);
        assert_ok(world, tr2_world_destroy_body(world, bodies[i]));
    }
}

/* 10,000 km out positions have nanometres, floats from the origin a metre: differences are taken in double */
static void far_from_the_origin_nothing_is_lost(void **state)
{
    tr2_world *world = world_of(state);
    tr2_shape shape = add(world, weightless(tr2_box_on(make(world, TR_STATIC, 1e7, -1e7), 0.5f, 0.5f)));
    (void)add(world, weightless(tr2_box_on(make(world, TR_STATIC, -1e7, 1e7), 0.5f, 0.5f)));
    tr2_hit hit = cast(world, 1e7 - 2.0, -1e7 + 0.4999, 4.0f, 0.0f, NULL);
    assert_int_equal(hit.shape.index, shape.index);
    assert_true(fabs(hit.point.x - (1e7 - 0.5)) < 1e-6);
    assert_int_equal(cast(world, 1e7 - 2.0, -1e7 + 0.5001, 4.0f, 0.0f, NULL).shape.index, 0);
    /* from the other end of the world; the fraction is a float, the point is not */
    hit = cast(world, -1e7 + 1.0, -1e7, 4e7f, 0.0f, NULL);
    assert_int_equal(hit.shape.index, shape.index);
    assert_true(fabs(hit.point.x - (1e7 - 0.5)) < 1e-3);

    const double x = 1e7, y = -1e7 + 1.25, all = 1e300, none = -1e300;
    tr2_points point = {1, &x, &y};
    tr2_shape near, found[3];
    float distance;
    tr2_nearest out = {&near, &distance, NULL, NULL, NULL, NULL};
    assert_int_equal(tr2_world_nearest_shapes(world, &point, INFINITY, NULL, &out, NULL), TR_OK);
    assert_int_equal(near.index, shape.index);
    assert_true(fabsf(distance - 0.75f) < 1e-6f);
    uint32_t first[2];
    tr2_boxes whole = {1, &none, &none, &all, &all};
    assert_int_equal(tr2_world_overlap_boxes(world, &whole, NULL, found, 3, first, NULL), TR_OK);
    assert_int_equal(first[1], 2);
}

/*
 * Wrong input
 */
typedef struct wrong {
    double x[2], y[2], upper[2];
    float translation[2];
    tr2_rays rays;
    tr2_poses poses;
    tr2_points points;
    tr2_boxes boxes;
    tr2_shape id[4];
    bool any[2];
    uint32_t first[3];
    tr2_hit all[2];
    tr2_query_contact contacts[4];
    tr2_hits hits;
    tr2_nearest nearest;
    tr2_shape_def shape;
} wrong;

static void right(wrong *it)
{
    memset(it, 0, sizeof *it);
    it->rays = (tr2_rays){2, it->x, it->y, it->translation, it->translation};
    it->poses = (tr2_poses){2, it->x, it->y, it->translation};
    it->points = (tr2_points){2, it->x, it->y};
    it->boxes = (tr2_boxes){2, it->x, it->y, it->upper, it->upper};
    it->hits.shape = it->id;
    it->nearest.shape = it->id;
    it->shape = weightless(tr2_shape_def_default(TR2_CIRCLE));
}

/* what all calls return, where it is the same */
static void all_return(const tr2_world *world, wrong *it, tr_status status, const char *part)
{
    tr_status got[9];
    tr_error errors[9];
    memset(it->first, 0xEE, sizeof it->first);
    memset(it->id, 0xEE, sizeof it->id);
    memset(it->any, 1, sizeof it->any);
    got[0] = tr2_world_cast_rays(world, &it->rays, NULL, &it->hits, &errors[0]);
    got[1] = tr2_world_test_rays(world, &it->rays, NULL, it->any, &errors[1]);
    got[2] = tr2_world_cast_rays_through(world, &it->rays, NULL, it->all, 2, it->first, &errors[2]);
    got[3] = tr2_world_cast_shapes(world, &it->shape, &it->poses, it->translation, it->translation, NULL, &it->hits,
                                   &errors[3]);
    got[4] = tr2_world_overlap_shapes(world, &it->shape, &it->poses, NULL, it->id, 4, it->first, &errors[4]);
    got[5] = tr2_world_overlap_boxes(world, &it->boxes, NULL, it->id, 4, it->first, &errors[5]);
    got[6] = tr2_world_overlap_points(world, &it->points, NULL, it->id, 4, it->first, &errors[6]);
    got[7] = tr2_world_nearest_shapes(world, &it->points, 1.0f, NULL, &it->nearest, &errors[7]);
    got[8] =
        tr2_world_collide_shapes(world, &it->shape, &it->poses, 1.0f, NULL, it->contacts, 4, it->first, &errors[8]);
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(got[i], status);
        assert_int_equal(errors[i].status, status);
        assert_non_null(strstr(errors[i].message, part));
    }
    if (status == TR_OK)
        return;
    /* and nothing is written */
    const unsigned char *bytes = (const unsigned char *)it->id;
    for (uint32_t i = 0; i < sizeof it->id; i++)
        assert_int_equal(bytes[i], 0xEE);
    assert_int_equal(it->first[0], 0xEEEEEEEE);
    assert_true(it->any[0] && it->any[1]);
}

static void wrong_numbers_have_a_status_and_a_sentence(void **state)
{
    tr2_world *world = world_of(state);
    (void)add(world, weightless(tr2_box_on(make(world, TR_STATIC, 0.0, 0.0), 0.5f, 0.5f)));
    wrong it;
    right(&it);
    all_return(world, &it, TR_OK, "");
    it.x[1] = NAN;
    all_return(world, &it, TR_ERROR_NAN, "x[1] is NaN");
    it.x[1] = INFINITY;
    all_return(world, &it, TR_ERROR_INFINITE, "x[1] is infinite");
    right(&it);
    it.y[0] = -INFINITY;
    all_return(world, &it, TR_ERROR_INFINITE, "y[0] is infinite");
    right(&it);
    it.rays.x = it.poses.x = it.points.x = it.boxes.lower_x = NULL;
    all_return(world, &it, TR_ERROR_NULL, "x is null");
    it.rays.count = it.poses.count = it.points.count = it.boxes.count = 0;
    it.rays.y = it.poses.y = it.points.y = it.boxes.upper_x = NULL;
    all_return(world, &it, TR_OK, "");
    all_return(NULL, &it, TR_ERROR_NULL, "world is null");

    /* what only some have */
    tr_error error;
    right(&it);
    it.translation[1] = NAN;
    assert_int_equal(tr2_world_cast_rays(world, &it.rays, NULL, &it.hits, &error), TR_ERROR_NAN);
    assert_non_null(strstr(error.message, "cast_rays: rays.translation_x[1] is NaN"));
    assert_int_equal(
        tr2_world_cast_shapes(world, &it.shape, &it.poses, it.translation, it.translation, NULL, &it.hits, &error),
        TR_ERROR_NAN);
    right(&it);
    it.x[1] = 1.0;
    assert_int_equal(tr2_world_overlap_boxes(world, &it.boxes, NULL, it.id, 4, it.first, &error), TR_ERROR_RANGE);
    assert_non_null(strstr(error.message, "boxes[1]"));
    assert_int_equal(tr2_world_nearest_shapes(world, &it.points, -1.0f, NULL, &it.nearest, &error), TR_ERROR_NEGATIVE);
    assert_int_equal(tr2_world_nearest_shapes(world, &it.points, NAN, NULL, &it.nearest, NULL), TR_ERROR_NAN);
    static const float margins[] = {NAN, -1.0f, INFINITY, 1.1e9f};
    static const tr_status refused[] = {TR_ERROR_NAN, TR_ERROR_NEGATIVE, TR_ERROR_INFINITE, TR_ERROR_RANGE};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(
            tr2_world_collide_shapes(world, &it.shape, &it.poses, margins[i], NULL, it.contacts, 4, it.first, &error),
            refused[i]);
        assert_non_null(strstr(error.message, "collide_shapes: margin is"));
    }
    it.shape.radius = 0.0f;
    assert_int_equal(tr2_world_overlap_shapes(world, &it.shape, &it.poses, NULL, it.id, 4, it.first, &error),
                     TR_ERROR_ZERO);
    assert_non_null(strstr(error.message, "overlap_shapes: shape.radius"));
    assert_int_equal(tr2_world_overlap_shapes(world, NULL, &it.poses, NULL, it.id, 4, it.first, &error), TR_ERROR_NULL);
    assert_int_equal(tr2_world_overlap_points(world, &it.points, NULL, NULL, 4, it.first, &error), TR_ERROR_NULL);
    assert_int_equal(tr2_world_overlap_points(world, &it.points, NULL, NULL, 0, NULL, &error), TR_ERROR_NULL);
    assert_int_equal(tr2_world_cast_rays(world, NULL, NULL, &it.hits, &error), TR_ERROR_NULL);
    assert_int_equal(tr2_world_cast_rays(world, &it.rays, NULL, NULL, &error), TR_ERROR_NULL);
    /* the world's own last error is not theirs to write */
    assert_int_equal(tr2_world_last_error(world)->status, TR_OK);
}

static void numbers_at_the_end_of_their_range_do_no_harm(void **state)
{
    tr2_world *world = world_of(state);
    const double positions[] = {0.0, 1e-308, 1.0, 1e15, 1e38, 1e300, 1.7e308};
    const float translations[] = {0.0f, 1e-45f, 1e-30f, 1.0f, 1e20f, 3e38f};
    for (uint32_t i = 0; i < 7; i++)
        (void)add(world, weightless(tr2_box_on(make(world, i % 2 == 0 ? TR_STATIC : TR_DYNAMIC,
                                                    i % 3 == 0 ? positions[i] : -positions[i], positions[i]),
                                               0.5f, 0.5f)));
    tr2_shape_def circle = weightless(tr2_shape_def_default(TR2_CIRCLE));
    uint32_t hits = 0;
    for (uint32_t i = 0; i < 7 * 7 * 6 * 6; i++) {
        double x = positions[i % 7], y = -positions[i / 7 % 7];
        float translation_x = translations[i / 49 % 6], translation_y = translations[i / 294];
        tr2_rays ray = {1, &x, &y, &translation_x, &translation_y};
        tr2_poses pose = {1, &x, &y, NULL};
        tr2_points point = {1, &x, &y};
        tr2_shape id, found[8];
        uint32_t first[2];
        tr2_hits out = {&id, NULL, NULL, NULL, NULL, NULL};
        tr2_nearest nearest = {&id, NULL, NULL, NULL, NULL, NULL};
        assert_int_equal(tr2_world_cast_rays(world, &ray, NULL, &out, NULL), TR_OK);
        hits += id.index != 0;
        assert_int_equal(tr2_world_cast_shapes(world, &circle, &pose, &translation_x, &translation_y, NULL, &out, NULL),
                         TR_OK);
        assert_int_equal(tr2_world_overlap_shapes(world, &circle, &pose, NULL, found, 8, first, NULL), TR_OK);
        assert_int_equal(tr2_world_overlap_points(world, &point, NULL, found, 8, first, NULL), TR_OK);
        tr2_query_contact contacts[8];
        assert_int_equal(
            tr2_world_collide_shapes(world, &circle, &pose, fminf(translation_x, 1e9f), NULL, contacts, 8, first, NULL),
            TR_OK);
        for (uint32_t k = 0; k < first[1]; k++)
            assert_true(fabsf(hypotf(contacts[k].normal.x, contacts[k].normal.y) - 1.0f) < 1e-5f);
        assert_int_equal(tr2_world_nearest_shapes(world, &point, INFINITY, NULL, &nearest, NULL), TR_OK);
    }
    assert_true(hits > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rays_say_where_and_how_they_hit, setup, teardown),
        cmocka_unit_test_setup_teardown(shapes_are_seen_where_a_step_has_thrown_them, setup, teardown),
        cmocka_unit_test_setup_teardown(a_chain_is_hit_from_its_right_only, setup, teardown),
        cmocka_unit_test_setup_teardown(filters_choose_what_is_seen, setup, teardown),
        cmocka_unit_test_setup_teardown(of_equals_the_lower_index_comes_first, setup, teardown),
        cmocka_unit_test_setup_teardown(far_from_the_origin_nothing_is_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_numbers_have_a_status_and_a_sentence, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_at_the_end_of_their_range_do_no_harm, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
