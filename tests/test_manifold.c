/* Contact points of all pairs of kinds but chains, against the plainest computation in double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry.h"

#define PAIRS  40000
#define MARGIN 0.1f

/* A's edge is taken where B's is better by less than 16 times a slack of 1e-5 of the lesser shape and 1e-6 of the
   greater, which are at most 2 m */
#define TOLERANCE 4e-4

/* of the surfaces */
static double exact_gap(const tr2_geometry *a, tr2_pose pose, const tr2_geometry *b)
{
    return exact_separation(a, pose, b) - (double)a->radius - (double)b->radius;
}

static float least_of(const tr2_manifold *manifold)
{
    float least = INFINITY;
    for (uint32_t i = 0; i < manifold->count; i++)
        least = tr_min(least, manifold->points[i].separation);
    return least;
}

static void check_manifold(const tr2_geometry *a, tr2_pose pose, const tr2_geometry *b)
{
    double gap = exact_gap(a, pose, b);
    tr2_manifold found = tr2_collide(a, pose, b, MARGIN);
    assert_in_range(found.count, 0, 2);
    if (fabs(gap - (double)MARGIN) > TOLERANCE)
        assert_int_equal(found.count > 0, gap < (double)MARGIN);
    if (found.count == 0)
        return;

    /* the deepest point is as deep as the shapes are, along a direction in which they are so far apart */
    float least = least_of(&found);
    assert_true(fabs((double)least - gap) < TOLERANCE);
    assert_true(fabs((double)tr_length(found.normal) - 1.0) < 1e-5);
    assert_true(fabs(separation_along(a, pose, b, found.normal) - gap) < TOLERANCE);
    for (uint32_t i = 0; i < found.count; i++) {
        const tr2_manifold_point *point = &found.points[i];
        assert_true(point->separation <= MARGIN + 1e-6f);
        /* halfway: no farther out of either than half the separation (a thin shape is pierced), and the nearest that
           far */
        double half = 0.5 * (double)point->separation;
        double of_a = signed_distance(a, no_pose, (double)point->point.x, (double)point->point.y);
        double of_b = signed_distance(b, pose, (double)point->point.x, (double)point->point.y);
        assert_true(of_a < fabs(half) + TOLERANCE && of_b < fabs(half) + TOLERANCE);
        if (gap > TOLERANCE && point->separation == least)
            assert_true(of_a > half - TOLERANCE && of_b > half - TOLERANCE);
    }
}

static void deepest_point_is_as_deep_as_the_shapes_are(void **state)
{
    (void)state;
    generator random = {11};
    for (uint32_t k = 0; k < PAIRS; k++) {
        tr2_geometry a = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_geometry b = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        check_manifold(&a, random_pose(&random, 2.0f), &b);
    }
}

static void order_of_the_shapes_does_not_matter(void **state)
{
    (void)state;
    generator random = {12};
    uint32_t alike = 0, touching = 0;
    for (uint32_t k = 0; k < PAIRS; k++) {
        tr2_geometry a = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_geometry b = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_pose pose = random_pose(&random, 2.0f);
        tr2_manifold there = tr2_collide(&a, pose, &b, MARGIN);
        tr2_manifold back = tr2_collide(&b, tr_inverse(pose), &a, MARGIN);
        if (there.count == 0 || back.count == 0)
            continue;
        touching++;
        assert_true(fabs((double)(least_of(&there) - least_of(&back))) < TOLERANCE);
        tr_vec2 normal = tr_negative(tr_rotate(pose, back.normal));
        if (tr_length(tr_sub(normal, there.normal)) > 1e-4f)
            continue; /* two axes that are as good */
        alike++;
        assert_int_equal(there.count, back.count);
        for (uint32_t i = 0; i < there.count; i++) {
            bool found = false;
            for (uint32_t j = 0; j < back.count; j++) {
                tr_vec2 point = tr_to_outer(pose, back.points[j].point);
                uint32_t id = back.points[j].id >> 8 | (back.points[j].id & 0xffu) << 8;
                found = found || (id == there.points[i].id &&
                                  tr_length(tr_sub(point, there.points[i].point)) < (float)TOLERANCE);
            }
            assert_true(found);
        }
    }
    assert_true(touching > PAIRS / 10);
    assert_true(alike > touching - touching / 100);
}

/* a hundredth of a millimetre and of a milliradian: nearly no pair is so near to a change of features */
static void ids_stay_under_small_motion(void **state)
{
    (void)state;
    generator random = {13};
    uint32_t touching = 0, changed = 0;
    for (uint32_t k = 0; k < PAIRS; k++) {
        tr2_geometry a = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_geometry b = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr_vec2 p = uniform_point(&random, 2.0f);
        double angle = (double)uniform(&random, -4.0f, 4.0f);
        tr2_manifold before = tr2_collide(&a, pose_at(p.x, p.y, angle), &b, MARGIN);
        tr2_manifold after = tr2_collide(&a, pose_at(p.x + 1e-5f, p.y - 1e-5f, angle + 1e-5), &b, MARGIN);
        if (before.count == 0)
            continue;
        touching++;
        bool same = before.count == after.count;
        for (uint32_t i = 0; i < before.count && same; i++)
            same = before.points[i].id == after.points[i].id;
        changed += !same;
    }
    assert_true(touching > PAIRS / 10);
    assert_true(changed <= touching / 500);
}

/* boxes of one size on each other jitter about the place where their corners are level; which corner is clipped changes
   all the time, the ids may not */
static void ids_of_a_stack_that_jitters_stay(void **state)
{
    (void)state;
    generator random = {14};
    tr2_geometry box;
    assert_int_equal(tr2_geometry_box(1.0f, 0.5f, 0.5f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, &box), TR_OK);
    tr2_manifold first = tr2_collide(&box, pose_at(0.0f, 1.0f, 0.0), &box, MARGIN);
    assert_int_equal(first.count, 2);
    assert_int_not_equal(first.points[0].id, first.points[1].id);
    for (uint32_t k = 0; k < 2000; k++) {
        float x = uniform(&random, -1e-3f, 1e-3f), y = uniform(&random, 0.99f, 1.001f);
        double angle = (double)uniform(&random, -2e-3f, 2e-3f);
        tr2_manifold now = tr2_collide(&box, pose_at(x, y, angle), &box, MARGIN);
        assert_int_equal(now.count, 2);
        bool straight = now.points[0].id == first.points[0].id && now.points[1].id == first.points[1].id;
        bool turned = now.points[0].id == first.points[1].id && now.points[1].id == first.points[0].id;
        assert_true(straight || turned);
    }
}

static void a_box_on_a_floor_rests_on_its_two_corners(void **state)
{
    (void)state;
    tr2_geometry floor, box;
    assert_int_equal(tr2_geometry_box(1.0f, 10.0f, 1.0f, (tr_vec2){0.0f, -1.0f}, 1.0f, 0.0f, 0.0f, &floor), TR_OK);
    assert_int_equal(tr2_geometry_box(1.0f, 0.5f, 0.25f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, &box), TR_OK);
    tr2_manifold found = tr2_collide(&floor, pose_at(3.0f, 0.24f, 0.0), &box, 0.0f);
    assert_int_equal(found.count, 2);
    assert_true(found.normal.x == 0.0f && found.normal.y == 1.0f);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(fabs((double)found.points[i].separation + 0.01) < 1e-6);
        assert_true(fabs((double)found.points[i].point.y + 0.005) < 1e-6);
        assert_true(fabs(fabs((double)found.points[i].point.x - 3.0) - 0.5) < 1e-6);
    }
    /* half over the edge of the floor: one at the floor's corner */
    found = tr2_collide(&floor, pose_at(10.0f, 0.24f, 0.0), &box, 0.0f);
    assert_int_equal(found.count, 2);
    double middle = 0.5 * ((double)found.points[0].point.x + (double)found.points[1].point.x);
    assert_true(fabs(middle - 9.75) < 1e-6);
}

/* a disc, a capsule of next to no length and a rounded box of next to no size are all but the same thing: corners are
   round whatever makes them */
static void rounded_shapes_go_over_into_discs(void **state)
{
    (void)state;
    generator random = {15};
    const float speck = 1e-4f;
    tr2_geometry round[3];
    assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){0.0f, 0.0f}, 0.4f, &round[0]), TR_OK);
    assert_int_equal(tr2_geometry_capsule(1.0f, (tr_vec2){-speck, 0.0f}, (tr_vec2){speck, 0.0f}, 0.4f, &round[1]),
                     TR_OK);
    assert_int_equal(tr2_geometry_box(1.0f, speck, speck, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.4f, &round[2]), TR_OK);
    for (uint32_t k = 0; k < PAIRS / 4; k++) {
        tr2_geometry a = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_pose pose = random_pose(&random, 2.0f);
        /* where the centre is inside a core, or on one, discs take the nearest face and others the cheapest way out */
        if (exact_separation(&a, pose, &round[0]) < 0.01)
            continue;
        tr2_manifold want = tr2_collide(&a, pose, &round[0], MARGIN);
        for (uint32_t i = 1; i < 3 && want.count > 0; i++) {
            tr2_manifold found = tr2_collide(&a, pose, &round[i], 2.0f * MARGIN);
            assert_true(found.count > 0);
            assert_true(fabs((double)(least_of(&found) - want.points[0].separation)) < 4.0 * (double)speck);
            /* the speck turns the direction by at most its size over the distance of 0.01 */
            assert_true(tr_length(tr_sub(found.normal, want.normal)) < 0.05f);
        }
    }
}

/* over the corner of a rounded box the normal of a disc turns with its place and does not jump */
static void normals_turn_steadily_around_a_corner(void **state)
{
    (void)state;
    tr2_geometry a, b;
    assert_int_equal(tr2_geometry_box(1.0f, 0.5f, 0.5f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.1f, &a), TR_OK);
    assert_int_equal(tr2_geometry_box(1.0f, 0.2f, 0.2f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.1f, &b), TR_OK);
    tr_vec2 before = {1.0f, 0.0f};
    const uint32_t steps = 2000;
    for (uint32_t k = 0; k <= steps; k++) {
        /* B's lower left corner on an arc about A's upper right one, at the distance of both radii */
        double angle = TR_PI / 2.0 * k / steps;
        tr2_pose pose = pose_at((float)(0.7 + 0.2 * cos(angle)), (float)(0.7 + 0.2 * sin(angle)), 0.0);
        tr2_manifold found = tr2_collide(&a, pose, &b, MARGIN);
        assert_true(found.count > 0);
        assert_true(fabs((double)least_of(&found)) < 1e-4);
        /* from face to corner the direction may be off by the root of twice the slack over the distance: 0.02 */
        assert_true(tr_length(tr_sub(found.normal, before)) < 0.03f);
        assert_true(fabs((double)found.normal.x - cos(angle)) < 0.03);
        before = found.normal;
    }
}

static void touching_at_one_place_gives_a_normal_all_the_same(void **state)
{
    (void)state;
    tr2_geometry disc, capsule, segment;
    assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){0.0f, 0.0f}, 0.5f, &disc), TR_OK);
    assert_int_equal(tr2_geometry_capsule(1.0f, (tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}, 0.5f, &capsule), TR_OK);
    assert_int_equal(tr2_geometry_segment(1.0f, (tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}, &segment), TR_OK);
    const tr2_geometry *shapes[3] = {&disc, &capsule, &segment};
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 3; k++)
            for (float x = -1.0f; x <= 1.0f; x += 0.5f) {
                tr2_manifold found = tr2_collide(shapes[i], pose_at(x, 0.0f, 0.0), shapes[k], MARGIN);
                assert_true(found.count > 0);
                assert_true(fabs((double)tr_length(found.normal) - 1.0) < 1e-6);
                double radii = (double)shapes[i]->radius + (double)shapes[k]->radius;
                assert_true((double)least_of(&found) >= -radii - 1e-6);
            }
}

/* a body that went wrong does not make contacts of no number, nor a search without end */
static void poses_that_are_no_numbers_give_nothing(void **state)
{
    (void)state;
    generator random = {17};
    for (uint32_t k = 0; k < 1000; k++) {
        tr2_geometry a = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_geometry b = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        const tr2_pose bad[3] = {{{NAN, 0.0f}, 1.0f, 0.0f}, {{0.0f, 0.0f}, NAN, NAN}, {{NAN, NAN}, NAN, NAN}};
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(tr2_collide(&a, bad[i], &b, MARGIN).count, 0);
            (void)tr2_distance(&a, bad[i], &b);
            (void)tr2_geometry_shape_cast(&a, bad[i], &b, (tr_vec2){1.0f, 0.0f});
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deepest_point_is_as_deep_as_the_shapes_are),
        cmocka_unit_test(order_of_the_shapes_does_not_matter),
        cmocka_unit_test(ids_stay_under_small_motion),
        cmocka_unit_test(ids_of_a_stack_that_jitters_stay),
        cmocka_unit_test(a_box_on_a_floor_rests_on_its_two_corners),
        cmocka_unit_test(rounded_shapes_go_over_into_discs),
        cmocka_unit_test(normals_turn_steadily_around_a_corner),
        cmocka_unit_test(touching_at_one_place_gives_a_normal_all_the_same),
        cmocka_unit_test(poses_that_are_no_numbers_give_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
