/* Queries at any distance: from points, along ways and at poses up to the ends of doubles, with bodies there, too.
   What they say is finite, has the right sign, and names nothing that is not there. */
#include <float.h>

#include "instrumented.h"
#include "random.h"
#include "shape_fixture.h"

static tr2_shape_def shape_of(tr2_body body, uint32_t kind)
{
    tr_vec2 triangle[] = {{-1.0f, -0.5f}, {1.0f, -0.5f}, {0.0f, 1.0f}};
    switch (kind) {
    case 0:
        return tr2_circle_on(body, (tr_vec2){0.25f, 0.0f}, 0.5f);
    case 1:
        return tr2_capsule_on(body, (tr_vec2){-0.5f, 0.0f}, (tr_vec2){0.5f, 0.25f}, 0.25f);
    case 2:
        return tr2_box_on(body, 1.0f, 0.5f);
    case 3:
        return tr2_polygon_on(body, triangle, 3);
    default:
        return tr2_segment_on(body, (tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.5f});
    }
}

enum { KINDS = 5, DIRECTIONS = 16 };

typedef struct nearest_answer {
    tr2_shape shape;
    float distance, normal_x, normal_y;
    double x, y;
} nearest_answer;

static nearest_answer nearest(const tr2_world *world, double x, double y, float most)
{
    nearest_answer it;
    tr2_points point = {1, &x, &y};
    tr2_nearest out = {&it.shape, &it.distance, &it.x, &it.y, &it.normal_x, &it.normal_y};
    assert_int_equal(tr2_world_nearest_shapes(world, &point, most, NULL, &out, NULL), TR_OK);
    return it;
}

/* from 1 m to the end of doubles, all around: the distance to the shape is that to its middle, but for its size */
static void the_nearest_shape_is_told_from_any_distance(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body body = make(world, TR_DYNAMIC, 3.0, -2.0);
    assert_ok(world, tr2_body_set_transform(world, body, (tr_dvec2){3.0, -2.0}, 0.7));
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        tr2_shape shape = add(world, shape_of(body, kind));
        for (int exponent = 0; exponent <= 307; exponent++) {
            for (uint32_t i = 0; i < DIRECTIONS; i++) {
                double far = 4.0 * pow(10.0, exponent), turn = 0.4 * i, c = cos(turn), s = sin(turn);
                nearest_answer it = nearest(world, 3.0 + far * c, -2.0 + far * s, INFINITY);
                assert_int_equal(it.shape.index, shape.index);
                double want = fmin(far, (double)FLT_MAX), slack = 1.5 + 1e-6 * want;
                assert_true(it.distance > 0.0f && it.distance <= FLT_MAX);
                assert_true(fabs((double)it.distance - want) <= slack);
                assert_true(fabsf(it.normal_x * it.normal_x + it.normal_y * it.normal_y - 1.0f) < 1e-5f);
                assert_true(isfinite(it.x) && isfinite(it.y));
                /* on the shape, where floats resolve it */
                if (exponent <= 5 || exponent >= 13)
                    assert_true(hypot(it.x - 3.0, it.y + 2.0) <= 1.6);
                /* a limit that does not reach it */
                if (exponent <= 30) {
                    it = nearest(world, 3.0 + far * c, -2.0 + far * s, (float)(0.25 * far));
                    assert_true(it.shape.index == 0 && it.distance == (float)(0.25 * far));
                }
            }
        }
        assert_ok(world, tr2_world_destroy_shape(world, shape));
    }
}

/* of two shapes the one that is nearer, however far away both are */
static void the_nearer_of_two_is_told(void **state)
{
    tr2_world *world = world_of(state);
    for (int exponent = 2; exponent <= 300; exponent += 2) {
        double far = pow(10.0, exponent);
        tr2_body one = make(world, TR_DYNAMIC, 0.0, 0.0), other = make(world, TR_DYNAMIC, 0.5 * far, 0.0);
        tr2_shape near_zero = add(world, shape_of(one, 2)), half_way = add(world, shape_of(other, 4));
        assert_int_equal(nearest(world, 0.6 * far, 0.2 * far, INFINITY).shape.index, half_way.index);
        assert_int_equal(nearest(world, 0.1 * far, 0.2 * far, INFINITY).shape.index, near_zero.index);
        assert_int_equal(nearest(world, -far, 0.0, INFINITY).shape.index, near_zero.index);
        assert_ok(world, tr2_world_destroy_body(world, one));
        assert_ok(world, tr2_world_destroy_body(world, other));
    }
}

/* a place far from everything */
static double far_coordinate(uint64_t *random)
{
    double size = 3.0 * pow(10.0, 3 + (double)random_index(random, 305));
    return random_index(random, 2) == 0 ? size : -size;
}

static void check_hits(const tr2_hit *hit)
{
    assert_true(isfinite(hit->fraction) && hit->fraction >= 0.0f && hit->fraction <= 1.0f);
    assert_true(isfinite(hit->point.x) && isfinite(hit->point.y));
    assert_true(isfinite(hit->normal.x) && isfinite(hit->normal.y));
}

static tr2_hit cast_shape(const tr2_world *world, const tr2_shape_def *def, tr_dvec2 from, tr_vec2 translation)
{
    tr2_hit hit = {.index = 0};
    tr2_poses poses = {1, &from.x, &from.y, NULL};
    tr2_hits out = {&hit.shape, &hit.fraction, &hit.point.x, &hit.point.y, &hit.normal.x, &hit.normal.y};
    assert_int_equal(tr2_world_cast_shapes(world, def, &poses, &translation.x, &translation.y, NULL, &out, NULL),
                     TR_OK);
    return hit;
}

/* Bodies far from a place, and a query there: nothing is there. The bodies are as far from the middle of the world as
   the place, so that boxes of floats do not tell them apart. */
static void nothing_is_where_no_shape_is(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t random = 7;
    tr2_body bodies[KINDS], null = {0, 0, 0};
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        bodies[kind] = make(world, TR_DYNAMIC, 0.0, 0.0);
        (void)add(world, shape_of(bodies[kind], kind));
    }
    for (uint32_t round = 0; round < TRIALS(2000); round++) {
        tr_dvec2 at = {far_coordinate(&random), far_coordinate(&random)};
        for (uint32_t kind = 0; kind < KINDS; kind++) {
            tr_dvec2 there = {far_coordinate(&random), far_coordinate(&random)};
            if (hypot(there.x / 2 - at.x / 2, there.y / 2 - at.y / 2) < 100.0)
                there.x = -there.x;
            assert_ok(world, tr2_body_set_transform(world, bodies[kind], there, 0.3 * kind));
        }
        uint32_t first[2];
        tr2_shape found[KINDS];
        tr2_query_contact contacts[KINDS];
        tr2_points points = {1, &at.x, &at.y};
        tr2_poses poses = {1, &at.x, &at.y, NULL};
        double upper_x = at.x + 1.0, upper_y = at.y + 1.0;
        tr2_boxes boxes = {1, &at.x, &at.y, &upper_x, &upper_y};
        assert_int_equal(tr2_world_overlap_points(world, &points, NULL, found, KINDS, first, NULL), TR_OK);
        assert_int_equal(first[1], 0);
        assert_int_equal(tr2_world_overlap_boxes(world, &boxes, NULL, found, KINDS, first, NULL), TR_OK);
        assert_int_equal(first[1], 0);
        for (uint32_t kind = 0; kind < KINDS; kind++) {
            tr2_shape_def def = shape_of(null, kind);
            assert_int_equal(tr2_world_overlap_shapes(world, &def, &poses, NULL, found, KINDS, first, NULL), TR_OK);
            assert_int_equal(first[1], 0);
            assert_int_equal(tr2_world_collide_shapes(world, &def, &poses, 1.0f, NULL, contacts, KINDS, first, NULL),
                             TR_OK);
            assert_int_equal(first[1], 0);
            tr2_hit hit = cast_shape(world, &def, at, (tr_vec2){5.0f, -3.0f});
            assert_int_equal(hit.shape.index, 0);
            check_hits(&hit);
        }
        tr2_hit hit;
        assert_int_equal(tr2_world_cast_ray(world, at, (tr_vec2){20.0f, 3.0f}, NULL, &hit, NULL), TR_OK);
        assert_int_equal(hit.shape.index, 0);
        check_hits(&hit);
        nearest_answer it = nearest(world, at.x, at.y, INFINITY);
        assert_true(it.shape.index != 0 && it.distance > 0.0f && it.distance <= FLT_MAX);
        assert_true(isfinite(it.x) && isfinite(it.y) && isfinite(it.normal_x) && isfinite(it.normal_y));
    }
}

/* ways as long as floats allow, towards a shape and past it */
static void the_longest_ways_hit_what_they_meet(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body body = make(world, TR_STATIC, 0.0, 0.0);
    tr2_shape wall = add(world, tr2_box_on(body, 2.0f, 2.0f));
    for (int exponent = 1; exponent <= 38; exponent++) {
        float far = powf(10.0f, (float)exponent);
        tr2_hit hit;
        assert_int_equal(
            tr2_world_cast_ray(world, (tr_dvec2){-10.0, 0.5}, (tr_vec2){2.0f * far, 0.0f}, NULL, &hit, NULL), TR_OK);
        assert_int_equal(hit.shape.index, wall.index);
        check_hits(&hit);
        assert_true(fabs(hit.point.x + 2.0) < 1e-3 && fabs(hit.point.y - 0.5) < 1e-3 && hit.normal.x == -1.0f);
        assert_int_equal(
            tr2_world_cast_ray(world, (tr_dvec2){-10.0, 0.5}, (tr_vec2){-2.0f * far, far}, NULL, &hit, NULL), TR_OK);
        assert_int_equal(hit.shape.index, 0);
        check_hits(&hit);
        for (uint32_t kind = 0; kind < KINDS; kind++) {
            tr2_shape_def def = shape_of((tr2_body){0, 0, 0}, kind);
            hit = cast_shape(world, &def, (tr_dvec2){-10.0, 0.5}, (tr_vec2){2.0f * far, 0.0f});
            assert_int_equal(hit.shape.index, wall.index);
            check_hits(&hit);
            assert_true(fabs(hit.point.x + 2.0) < 1e-3);
            hit = cast_shape(world, &def, (tr_dvec2){-10.0, 0.5}, (tr_vec2){-2.0f * far, far});
            assert_int_equal(hit.shape.index, 0);
            check_hits(&hit);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_nearest_shape_is_told_from_any_distance),
        TEST(the_nearer_of_two_is_told),
        TEST(nothing_is_where_no_shape_is),
        TEST(the_longest_ways_hit_what_they_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
