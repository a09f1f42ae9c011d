/* Distances, nearest points and casts, against the plainest computation in double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry.h"
#include "instrumented.h"

#define PAIRS TRIALS(20000)

/* a few units of the last place of coordinates of up to 8 m, each added up a few times */
#define ROUNDING 1e-5

static void distance_is_that_of_every_corner_and_edge(void **state)
{
    (void)state;
    generator random = {1};
    uint32_t apart = 0;
    for (uint32_t k = 0; k < PAIRS; k++) {
        tr2_geometry a = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_geometry b = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_pose pose = random_pose(&random, 3.0f);
        double exact = fmax(0.0, exact_separation(&a, pose, &b) - (double)a.radius - (double)b.radius);
        tr2_distance_result found = tr2_distance(&a, pose, &b);
        assert_true(fabs((double)found.distance - exact) < ROUNDING);

        /* both points are on (or where the shapes overlap, in) both surfaces, and as far apart as is said */
        double of_a = signed_distance(&a, no_pose, (double)found.point_a.x, (double)found.point_a.y);
        double of_b = signed_distance(&b, pose, (double)found.point_b.x, (double)found.point_b.y);
        assert_true(of_a < ROUNDING && of_b < ROUNDING);
        tr_vec2 gap = tr_sub(found.point_b, found.point_a);
        assert_true(fabs(hypot((double)gap.x, (double)gap.y) - exact) < ROUNDING);
        if (exact > 0.01) {
            apart++;
            assert_true(of_a > -ROUNDING && of_b > -ROUNDING);
            assert_true(fabs((double)tr_dot(gap, found.normal) - exact) < ROUNDING);
        }
    }
    /* the pairs are of both kinds */
    assert_in_range(apart, PAIRS / 10, PAIRS * 9 / 10);
}

static void distance_does_not_depend_on_the_order(void **state)
{
    (void)state;
    generator random = {2};
    for (uint32_t k = 0; k < PAIRS; k++) {
        tr2_geometry a = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_geometry b = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_pose pose = random_pose(&random, 3.0f);
        float there = tr2_distance(&a, pose, &b).distance, back = tr2_distance(&b, tr_inverse(pose), &a).distance;
        assert_true(fabs((double)there - (double)back) < ROUNDING);
    }
}

/* a floor of a kilometre and a crate: the floats of the floor's far corners must not blur the near distance */
static void distance_above_a_long_floor_is_good_to_a_tenth_of_a_millimetre(void **state)
{
    (void)state;
    generator random = {3};
    tr2_geometry floor, crate;
    assert_int_equal(tr2_geometry_box(1.0f, 500.0f, 1.0f, (tr_vec2){0.0f, -1.0f}, 1.0f, 0.0f, 0.0f, &floor), TR_OK);
    assert_int_equal(tr2_geometry_box(1.0f, 0.5f, 0.5f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, &crate), TR_OK);
    for (uint32_t k = 0; k < 1000; k++) {
        tr2_pose pose = pose_at(uniform(&random, -490.0f, 490.0f), uniform(&random, 0.8f, 2.0f), (double)k * 0.01);
        double exact = exact_separation(&floor, pose, &crate);
        assert_true(fabs((double)tr2_distance(&floor, pose, &crate).distance - exact) < 1e-4);
    }
}

static void nearest_point_is_on_the_surface_and_as_far_as_said(void **state)
{
    (void)state;
    generator random = {4};
    for (uint32_t k = 0; k < PAIRS; k++) {
        tr2_geometry shape = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr_vec2 point = uniform_point(&random, 2.0f);
        tr2_nearest_result found = tr2_geometry_nearest(&shape, point);
        double exact = signed_distance(&shape, no_pose, (double)point.x, (double)point.y);
        assert_true(fabs((double)found.distance - exact) < ROUNDING);
        assert_true(fabs(signed_distance(&shape, no_pose, (double)found.point.x, (double)found.point.y)) < ROUNDING);
        assert_true(fabs((double)tr_length(found.normal) - 1.0) < 1e-6);
        tr_vec2 back = tr_along(found.point, found.distance, found.normal);
        assert_true((double)tr_length(tr_sub(back, point)) < ROUNDING);
        if (shape.kind != TR2_GEOMETRY_SEGMENT && fabs(exact) > ROUNDING)
            assert_int_equal(tr2_geometry_contains(&shape, point), exact < 0.0);
    }
}

static void segments_have_no_inside(void **state)
{
    (void)state;
    tr2_geometry segment;
    assert_int_equal(tr2_geometry_segment(1.0f, (tr_vec2){0.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}, &segment), TR_OK);
    assert_false(tr2_geometry_contains(&segment, (tr_vec2){0.5f, 0.0f}));
    assert_true(tr2_geometry_nearest(&segment, (tr_vec2){0.5f, 0.0f}).distance == 0.0f);
}

/*
 * Casts
 */

/* where a ray first comes inside, by steps so small that no shape of random_shape is missed, and then by halving */
static double first_inside(const tr2_geometry *shape, tr_vec2 from, tr_vec2 along)
{
    for (uint32_t i = 1; i <= 400; i++) {
        double low = (i - 1) / 400.0, high = i / 400.0;
        if (signed_distance(shape, no_pose, (double)from.x + high * (double)along.x,
                            (double)from.y + high * (double)along.y) > 0.0)
            continue;
        for (uint32_t round = 0; round < 40; round++) {
            double middle = 0.5 * (low + high);
            double out = signed_distance(shape, no_pose, (double)from.x + middle * (double)along.x,
                                         (double)from.y + middle * (double)along.y);
            if (out > 0.0)
                low = middle;
            else
                high = middle;
        }
        return high;
    }
    return INFINITY;
}

static void rays_hit_where_they_first_come_inside(void **state)
{
    (void)state;
    generator random = {5};
    uint32_t hits = 0, grazes = 0;
    for (uint32_t k = 0; k < 5000; k++) {
        tr2_geometry shape = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        if (shape.kind == TR2_GEOMETRY_SEGMENT)
            continue;
        tr_vec2 from = uniform_point(&random, 3.0f), along = tr_sub(uniform_point(&random, 2.0f), from);
        tr2_cast_result found = tr2_geometry_ray_cast(&shape, from, along);
        if (tr2_geometry_contains(&shape, from)) {
            assert_true(found.hit && found.fraction == 0.0f && found.normal.x == 0.0f && found.normal.y == 0.0f);
            continue;
        }
        double exact = first_inside(&shape, from, along);
        if (!found.hit) {
            /* what the steps went over is a graze, and so is a miss at the very end */
            grazes += exact <= 1.0;
            continue;
        }
        hits++;
        assert_true(fabs((double)tr_length(found.normal) - 1.0) < 1e-5);
        assert_true(tr_dot(found.normal, along) < 0.0f);
        assert_true(fabs(signed_distance(&shape, no_pose, (double)found.point.x, (double)found.point.y)) < 1e-4);
        if (exact <= 1.0)
            assert_true((double)found.fraction < exact + 1e-4);
        else
            grazes++;
        /* before the hit the ray is outside */
        for (uint32_t i = 0; i < 20; i++) {
            double t = (double)found.fraction * i / 20.0;
            assert_true(signed_distance(&shape, no_pose, (double)from.x + t * (double)along.x,
                                        (double)from.y + t * (double)along.y) > -1e-4);
        }
    }
    assert_true(hits > 1000);
    assert_true(grazes < 25);
}

static void a_ray_hits_a_circle_where_the_formula_says(void **state)
{
    (void)state;
    tr2_geometry circle;
    assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){5.0f, 1.0f}, 2.0f, &circle), TR_OK);
    for (uint32_t i = 0; i <= 100; i++) {
        /* horizontal, at a height h over the centre: x = 5 - sqrt(4 - h^2) */
        double h = -1.99 + 3.98 * i / 100.0;
        tr2_cast_result found =
            tr2_geometry_ray_cast(&circle, (tr_vec2){-3.0f, (float)(1.0 + h)}, (tr_vec2){10.0f, 0.0f});
        assert_true(found.hit);
        double x = 5.0 - sqrt(4.0 - h * h);
        /* near the top the root magnifies the rounding of h */
        assert_true(fabs((double)found.point.x - x) < 1e-5 / sqrt(4.0 - h * h));
        assert_true(fabs((double)found.fraction - (x + 3.0) / 10.0) < 1e-5 / sqrt(4.0 - h * h));
        assert_true(fabs((double)found.normal.y - 0.5 * h) < 1e-5);
    }
    assert_false(tr2_geometry_ray_cast(&circle, (tr_vec2){-3.0f, 3.01f}, (tr_vec2){10.0f, 0.0f}).hit);
    assert_false(tr2_geometry_ray_cast(&circle, (tr_vec2){-3.0f, 1.0f}, (tr_vec2){5.9f, 0.0f}).hit);
    assert_false(tr2_geometry_ray_cast(&circle, (tr_vec2){-3.0f, 1.0f}, (tr_vec2){0.0f, 0.0f}).hit);
}

/* segments from one corner, like spokes of a chain: a ray at the corner hits one of them, whichever way it comes */
static void no_ray_slips_through_between_segments(void **state)
{
    (void)state;
    generator random = {6};
    for (uint32_t k = 0; k < PAIRS; k++) {
        tr_vec2 corner = uniform_point(&random, 20.0f), left = corner, right = corner;
        left.x -= uniform(&random, 0.5f, 5.0f);
        right.x += uniform(&random, 0.5f, 5.0f);
        left.y += uniform(&random, -0.4f, 0.4f);
        right.y += uniform(&random, -0.4f, 0.4f);
        tr2_geometry first, second;
        /* solid below: the way runs from right to left */
        assert_int_equal(tr2_geometry_chain(1.0f, NULL, right, corner, &left, &first), TR_OK);
        assert_int_equal(tr2_geometry_chain(1.0f, &right, corner, left, NULL, &second), TR_OK);
        tr_vec2 from = {corner.x + uniform(&random, -2.0f, 2.0f), corner.y + uniform(&random, 3.0f, 9.0f)};
        tr_vec2 down = tr_scale(2.0f, tr_sub(corner, from));
        bool hit = tr2_geometry_ray_cast(&first, from, down).hit || tr2_geometry_ray_cast(&second, from, down).hit;
        assert_true(hit);
        /* and from below none */
        tr_vec2 below = tr_add(from, down), up = tr_negative(down);
        assert_false(tr2_geometry_ray_cast(&first, below, up).hit);
        assert_false(tr2_geometry_ray_cast(&second, below, up).hit);
    }
}

/* At kilometres floats tell places less than a millimetre apart, so a point on a slanted segment is seen on either
   side. Whatever it is, the segment holds the point on that side, and only there. */
static void a_point_on_a_long_segment_is_on_one_side(void **state)
{
    (void)state;
    generator random = {8};
    uint32_t nearer = 0;
    for (uint32_t k = 0; k < PAIRS; k++) {
        tr_vec2 middle = uniform_point(&random, 1000.0f), half = uniform_point(&random, 3000.0f);
        tr2_geometry line;
        assert_int_equal(tr2_geometry_segment(1.0f, tr_sub(middle, half), tr_add(middle, half), &line), TR_OK);
        float height = uniform(&random, -0.02f, 0.02f);
        tr_vec2 normal = line.corners[0].normal, to = tr_along(middle, uniform(&random, -0.9f, 0.9f), half);
        tr_vec2 from = tr_along(to, height, normal), along = tr_scale(0.2f, normal);
        tr2_cast_result down =
            tr2_geometry_side_cast(&line, (tr_dvec2){(double)from.x, (double)from.y}, tr_negative(along));
        tr2_cast_result up = tr2_geometry_side_cast(&line, (tr_dvec2){(double)from.x, (double)from.y}, along);
        assert_true(down.hit != up.hit);
        double found = 0.2 * (down.hit ? (double)down.fraction : -(double)up.fraction);
        assert_true(fabs(found - (double)height) < 0.002);
        nearer += fabsf(height) < 0.001f;
    }
    assert_true(nearer > PAIRS / 40);
}

/* two shapes, and a way of the second that leads near the first; returns where the second starts */
static tr2_pose random_cast(generator *random, tr2_geometry *a, tr2_geometry *b, tr_vec2 *along)
{
    *a = random_shape(random, TR2_GEOMETRY_KIND_COUNT);
    *b = random_shape(random, TR2_GEOMETRY_KIND_COUNT);
    tr2_pose pose = random_pose(random, 5.0f);
    *along = tr_sub(uniform_point(random, 3.0f), pose.p);
    return pose;
}

static void a_cast_shape_ends_where_it_touches(void **state)
{
    (void)state;
    generator random = {7};
    uint32_t hits = 0, misses = 0;
    for (uint32_t k = 0; k < PAIRS; k++) {
        tr2_geometry a, b;
        tr_vec2 along;
        tr2_pose pose = random_cast(&random, &a, &b, &along);
        double radii = (double)a.radius + (double)b.radius;
        double start = exact_separation(&a, pose, &b) - radii;
        tr2_cast_result found = tr2_geometry_shape_cast(&a, pose, &b, along);
        if (fabs(start) < ROUNDING)
            continue;
        if (start < 0.0) {
            assert_true(found.hit && found.fraction == 0.0f);
            continue;
        }
        tr2_pose moved = pose;
        for (uint32_t i = 1; i <= 50; i++) {
            moved.p = tr_along(pose.p, found.fraction * (float)i / 50.0f, along);
            /* sharp corners that pass each other are the only thing that floats can get wrong */
            assert_true(exact_separation(&a, moved, &b) - radii > -1e-4);
        }
        hits += found.hit;
        misses += !found.hit;
        if (!found.hit)
            continue;
        assert_true(fabs(exact_separation(&a, moved, &b) - radii) < 1e-4);
        double of_a = signed_distance(&a, no_pose, (double)found.point.x, (double)found.point.y);
        double of_b = signed_distance(&b, moved, (double)found.point.x, (double)found.point.y);
        assert_true(fabs(of_a) < 1e-4 && fabs(of_b) < 1e-4);
        assert_true(fabs((double)tr_length(found.normal) - 1.0) < 1e-5);
        assert_true(tr_dot(found.normal, along) <= 0.0f);
    }
    assert_true(hits > PAIRS / 10 && misses > PAIRS / 10);
}

/* where a cast ended, another one along the surface or away from it is free, and one onward is not */
static void a_cast_can_leave_the_place_where_another_ended(void **state)
{
    (void)state;
    generator random = {8};
    uint32_t tried = 0, into = 0;
    for (uint32_t k = 0; k < PAIRS; k++) {
        tr2_geometry a, b;
        tr_vec2 along;
        tr2_pose pose = random_cast(&random, &a, &b, &along);
        tr2_cast_result hit = tr2_geometry_shape_cast(&a, pose, &b, along);
        /* not at grazing incidence, where onward is along the surface */
        if (!hit.hit || hit.fraction == 0.0f || tr_dot(hit.normal, along) > -0.1f * tr_length(along))
            continue;
        pose.p = tr_along(pose.p, hit.fraction, along);
        assert_false(tr2_geometry_shape_cast(&a, pose, &b, tr_negative(along)).hit);
        assert_false(tr2_geometry_shape_cast(&a, pose, &b, hit.normal).hit);
        tr2_cast_result onward = tr2_geometry_shape_cast(&a, pose, &b, along);
        assert_true(onward.hit && onward.fraction * tr_length(along) < 1e-3f);

        tr_vec2 from = tr_along(hit.point, 2.0f, hit.normal), down = tr_scale(-4.0f, hit.normal);
        tr2_cast_result ray = tr2_geometry_ray_cast(&a, from, down);
        if (!ray.hit || ray.fraction == 0.0f)
            continue;
        assert_false(tr2_geometry_ray_cast(&a, ray.point, tr_negative(down)).hit);
        /* at a corner, onward may lead past the other edge */
        tr2_cast_result inward = tr2_geometry_ray_cast(&a, ray.point, down);
        assert_true(!inward.hit || (inward.fraction < 1e-3f && tr_length(inward.normal) > 0.99f));
        into += inward.hit;
        tried++;
    }
    assert_true(tried > PAIRS / 10 && into > tried / 2);
}

static void a_box_that_landed_by_a_cast_can_go_on(void **state)
{
    (void)state;
    tr2_geometry floor, box;
    assert_int_equal(tr2_geometry_box(1.0f, 50.0f, 1.0f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, &floor), TR_OK);
    assert_int_equal(tr2_geometry_box(1.0f, 0.25f, 0.75f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, &box), TR_OK);
    for (uint32_t k = 0; k < 100; k++) {
        tr2_pose at = pose_at(-30.0f + 0.6f * (float)k, 2.0f + 0.07f * (float)k, 0.0);
        tr_vec2 down = {0.0f, -10.0f};
        tr2_cast_result landed = tr2_geometry_shape_cast(&floor, at, &box, down);
        assert_true(landed.hit && landed.normal.y > 0.999f);
        at.p = tr_along(at.p, landed.fraction, down);
        assert_false(tr2_geometry_shape_cast(&floor, at, &box, (tr_vec2){5.0f, 0.0f}).hit);
        assert_false(tr2_geometry_shape_cast(&floor, at, &box, (tr_vec2){0.0f, 5.0f}).hit);
        tr2_cast_result onward = tr2_geometry_shape_cast(&floor, at, &box, (tr_vec2){1.0f, -1.0f});
        assert_true(onward.hit && onward.fraction < 1e-3f && onward.normal.y > 0.999f);
        /* deep inside there is no way out to tell */
        at.p.y -= 0.5f;
        tr2_cast_result inside = tr2_geometry_shape_cast(&floor, at, &box, (tr_vec2){0.0f, 5.0f});
        assert_true(inside.hit && inside.fraction == 0.0f && inside.normal.y == 0.0f);
    }
}

static void a_shape_cast_from_behind_a_chain_does_not_see_it(void **state)
{
    (void)state;
    tr2_geometry chain, circle;
    assert_int_equal(tr2_geometry_chain(1.0f, NULL, (tr_vec2){2.0f, 0.0f}, (tr_vec2){-2.0f, 0.0f}, NULL, &chain),
                     TR_OK);
    assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){0.0f, 0.0f}, 0.5f, &circle), TR_OK);
    tr2_cast_result above = tr2_geometry_shape_cast(&chain, pose_at(0.0f, 2.0f, 0.0), &circle, (tr_vec2){0.0f, -3.0f});
    assert_true(above.hit && fabs((double)above.fraction - 0.5) < 1e-5 && above.normal.y > 0.999f);
    assert_false(tr2_geometry_shape_cast(&chain, pose_at(0.0f, -2.0f, 0.0), &circle, (tr_vec2){0.0f, 3.0f}).hit);
}

/* the corner of a chain that is solid to the right: a long shape to the left of it is behind the upper segment's line,
   and its way leaves the lower one's, but leads into the corner */
static void a_shape_cast_for_queries_hits_a_chain_corner(void **state)
{
    (void)state;
    tr2_geometry upper, lower, capsule;
    const tr_vec2 tip = {0.0f, 0.0f}, above = {2.0f, 3.0f}, below = {2.0f, -3.0f};
    assert_int_equal(tr2_geometry_chain(1.0f, NULL, above, tip, &below, &upper), TR_OK);
    assert_int_equal(tr2_geometry_chain(1.0f, &above, tip, below, NULL, &lower), TR_OK);
    assert_int_equal(tr2_geometry_capsule(1.0f, (tr_vec2){0.0f, -1.5f}, (tr_vec2){0.0f, 1.5f}, 0.25f, &capsule), TR_OK);
    tr2_pose at = pose_at(-0.5f, -1.0f, 0.0);
    tr_vec2 way = {0.5f, -0.76f};
    assert_true(tr_dot(way, lower.corners[0].normal) > 0.0f);
    assert_false(tr2_geometry_shape_cast_corners(&upper, at, &capsule, way).hit);
    assert_false(tr2_geometry_shape_cast(&lower, at, &capsule, way).hit);
    tr2_cast_result hit = tr2_geometry_shape_cast_corners(&lower, at, &capsule, way);
    assert_true(hit.hit && fabsf(hit.fraction - 0.5f) < 1e-5f);
    assert_true(fabsf(hit.point.x) < 1e-5f && fabsf(hit.point.y) < 1e-5f && hit.normal.x < -0.9f);
    /* what overlaps the segment and leaves it is not stopped */
    assert_false(tr2_geometry_shape_cast_corners(&lower, pose_at(-0.1f, -1.0f, 0.0), &capsule, way).hit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_is_that_of_every_corner_and_edge),
        cmocka_unit_test(distance_does_not_depend_on_the_order),
        cmocka_unit_test(distance_above_a_long_floor_is_good_to_a_tenth_of_a_millimetre),
        cmocka_unit_test(nearest_point_is_on_the_surface_and_as_far_as_said),
        cmocka_unit_test(segments_have_no_inside),
        cmocka_unit_test(rays_hit_where_they_first_come_inside),
        cmocka_unit_test(a_ray_hits_a_circle_where_the_formula_says),
        cmocka_unit_test(no_ray_slips_through_between_segments),
        cmocka_unit_test(a_point_on_a_long_segment_is_on_one_side),
        cmocka_unit_test(a_cast_shape_ends_where_it_touches),
        cmocka_unit_test(a_cast_can_leave_the_place_where_another_ended),
        cmocka_unit_test(a_box_that_landed_by_a_cast_can_go_on),
        cmocka_unit_test(a_shape_cast_from_behind_a_chain_does_not_see_it),
        cmocka_unit_test(a_shape_cast_for_queries_hits_a_chain_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
