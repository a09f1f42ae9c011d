/* Contact points on chains: one side only, and nothing to catch on where segments join. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry.h"
#include "instrumented.h"

#define MARGIN 0.02f
#define MOST   64u

/* of an outline: solid to the left of its way */
typedef struct chain {
    tr_vec2 points[MOST];
    tr2_geometry segments[MOST];
    uint32_t count; /* of segments */
} chain;

static void make_closed(chain *it, uint32_t count)
{
    it->count = count;
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(tr2_geometry_chain(1.0f, &it->points[(i + count - 1) % count], it->points[i],
                                            it->points[(i + 1) % count], &it->points[(i + 2) % count],
                                            &it->segments[i]),
                         TR_OK);
}

/* ground: from right to left, so that what is above is outside; ends without neighbours */
static void make_ground(chain *it, uint32_t count)
{
    it->count = count - 1;
    for (uint32_t i = 0; i + 1 < count; i++)
        assert_int_equal(tr2_geometry_chain(1.0f, i > 0 ? &it->points[i - 1] : NULL, it->points[i], it->points[i + 1],
                                            i + 2 < count ? &it->points[i + 2] : NULL, &it->segments[i]),
                         TR_OK);
}

/* the least distance of a point from the outline */
static double outline_distance(const chain *it, double x, double y)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < it->count; i++)
        least = fmin(least, signed_distance(&it->segments[i], no_pose, x, y));
    return least;
}

static void a_disc_on_flat_ground_feels_no_joint(void **state)
{
    (void)state;
    generator random = {21};
    chain ground;
    for (uint32_t i = 0; i < MOST; i++)
        ground.points[i] = (tr_vec2){8.0f - 0.25f * (float)i, 0.0f};
    make_ground(&ground, MOST);
    tr2_geometry disc;
    assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){0.0f, 0.0f}, 0.5f, &disc), TR_OK);
    for (uint32_t k = 0; k < TRIALS(20000); k++) {
        /* every eighth exactly above a joint */
        float x = k % 8 == 0 ? 0.25f * (float)(draw(&random, 40)) - 5.0f : uniform(&random, -5.0f, 5.0f);
        float y = uniform(&random, 0.4f, 0.51f);
        uint32_t points = 0;
        for (uint32_t i = 0; i < ground.count; i++) {
            tr2_manifold found = tr2_collide(&ground.segments[i], pose_at(x, y, 0.0), &disc, MARGIN);
            points += found.count;
            if (found.count == 0)
                continue;
            assert_true(found.normal.x == 0.0f && found.normal.y == 1.0f);
            assert_true(fabs((double)(found.points[0].separation - (y - 0.5f))) < 1e-6);
        }
        /* one, or above a joint two that are the same */
        assert_in_range(points, 1, k % 8 == 0 ? 2 : 1);
    }
}

/* hills and hollows: a disc outside touches with the normal of the nearest place of the outline and no other, and is
   never without it */
static void a_disc_on_rough_ground_meets_only_the_surface(void **state)
{
    (void)state;
    generator random = {22};
    uint32_t corners = 0, faces = 0;
    for (uint32_t world = 0; world < TRIALS(20); world++) {
        chain ground;
        for (uint32_t i = 0; i < MOST; i++)
            ground.points[i] = (tr_vec2){10.0f - 0.3f * (float)i, uniform(&random, -0.2f, 0.2f)};
        make_ground(&ground, MOST);
        float radius = uniform(&random, 0.05f, 0.6f);
        tr2_geometry disc;
        assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){0.0f, 0.0f}, radius, &disc), TR_OK);
        for (uint32_t k = 0; k < 500; k++) {
            /* from above down to where the disc just overlaps */
            float x = uniform(&random, -7.0f, 7.0f), y = 2.0f;
            double depth = (double)uniform(&random, -0.02f, 0.02f);
            for (uint32_t round = 0; round < 40; round++)
                y -= (float)(0.7 * (outline_distance(&ground, (double)x, (double)y) - (double)radius + depth));
            double gap = outline_distance(&ground, (double)x, (double)y) - (double)radius;
            double least = INFINITY;
            for (uint32_t i = 0; i < ground.count; i++) {
                tr2_manifold found = tr2_collide(&ground.segments[i], pose_at(x, y, 0.0), &disc, MARGIN);
                if (found.count == 0)
                    continue;
                least = fmin(least, (double)found.points[0].separation);
                /* the normal is that of the segment's face, or lies between those of a convex corner */
                tr_vec2 normal = ground.segments[i].corners[0].normal;
                if (tr_length(tr_sub(found.normal, normal)) < 1e-5f) {
                    faces++;
                    continue;
                }
                corners++;
                uint32_t end = tr_dot(found.normal, tr_left(normal)) < 0.0f ? 0 : 1;
                assert_true((ground.segments[i].convex & 1u << end) != 0);
                tr_vec2 next = ground.segments[i].corners[2 + end].normal;
                float sign = end == 0 ? 1.0f : -1.0f;
                assert_true(sign * tr_cross(found.normal, normal) > 0.0f);
                assert_true(sign * tr_cross(next, found.normal) > -1e-5f);
            }
            if (gap < 0.9 * (double)MARGIN)
                assert_true(fabs(least - gap) < 1e-5);
        }
    }
    assert_true(faces > TRIALS(1500) && corners > TRIALS(700));
}

/* a box that slides along flat ground, pressed in by up to a centimetre: its front face never catches */
static void a_box_on_flat_ground_feels_no_joint(void **state)
{
    (void)state;
    generator random = {23};
    chain ground;
    for (uint32_t i = 0; i < MOST; i++)
        ground.points[i] = (tr_vec2){8.0f - 0.25f * (float)i, 0.0f};
    make_ground(&ground, MOST);
    for (uint32_t k = 0; k < TRIALS(20000); k++) {
        tr2_geometry box;
        float half = uniform(&random, 0.05f, 0.6f), radius = k % 3 == 0 ? 0.05f : 0.0f;
        tr_status status = k % 3 == 1
                               ? tr2_geometry_capsule(1.0f, (tr_vec2){-half, 0.0f}, (tr_vec2){half, 0.0f}, 0.3f, &box)
                               : tr2_geometry_box(1.0f, half, 0.3f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, radius, &box);
        assert_int_equal(status, TR_OK);
        float y = 0.3f + radius + uniform(&random, -0.01f, 0.005f);
        double angle = (double)uniform(&random, -2e-3f, 2e-3f);
        tr2_pose pose = pose_at(uniform(&random, -5.0f, 5.0f), y, angle);
        uint32_t points = 0;
        for (uint32_t i = 0; i < ground.count; i++) {
            tr2_manifold found = tr2_collide(&ground.segments[i], pose, &box, MARGIN);
            points += found.count;
            for (uint32_t p = 0; p < found.count; p++) {
                assert_true(fabs((double)found.normal.x) < 2.1e-3 && found.normal.y > 0.999f);
                assert_true(found.points[p].separation > -0.013f);
            }
        }
        assert_true(points >= 2);
    }
}

/* what is above rough ground and does not touch is as near as the nearest segment, and no contact is nearer than
   that */
static void anything_above_rough_ground_is_as_near_as_said(void **state)
{
    (void)state;
    generator random = {26};
    uint32_t near = 0;
    for (uint32_t world = 0; world < TRIALS(20); world++) {
        chain ground;
        for (uint32_t i = 0; i < MOST; i++)
            ground.points[i] = (tr_vec2){10.0f - 0.3f * (float)i, uniform(&random, -0.2f, 0.2f)};
        make_ground(&ground, MOST);
        for (uint32_t k = 0; k < 100; k++) {
            tr2_geometry shape = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
            float x = uniform(&random, -6.0f, 6.0f), y = 4.0f, wanted = uniform(&random, 0.001f, 0.018f);
            double angle = (double)uniform(&random, -4.0f, 4.0f), gap = INFINITY;
            for (uint32_t round = 0; round < 30; round++) {
                gap = INFINITY;
                for (uint32_t i = 0; i < ground.count; i++)
                    gap = fmin(gap, (double)tr2_distance(&ground.segments[i], pose_at(x, y, angle), &shape).distance);
                y -= 0.9f * ((float)gap - wanted);
            }
            if (fabs(gap - (double)wanted) > 1e-4)
                continue;
            near++;
            double least = INFINITY;
            for (uint32_t i = 0; i < ground.count; i++) {
                tr2_manifold found = tr2_collide(&ground.segments[i], pose_at(x, y, angle), &shape, MARGIN);
                assert_true(found.count == 0 || tr_dot(found.normal, ground.segments[i].corners[0].normal) > 0.0f);
                for (uint32_t p = 0; p < found.count; p++)
                    least = fmin(least, (double)found.points[p].separation);
            }
            assert_true(fabs(least - gap) < 5e-4);
        }
    }
    assert_true(near > TRIALS(1500));
}

static void nothing_collides_from_behind(void **state)
{
    (void)state;
    generator random = {24};
    tr2_geometry segment;
    tr_vec2 before = {3.0f, 0.5f}, after = {-3.0f, 0.5f};
    assert_int_equal(tr2_geometry_chain(1.0f, &before, (tr_vec2){1.0f, 0.0f}, (tr_vec2){-1.0f, 0.0f}, &after, &segment),
                     TR_OK);
    for (uint32_t k = 0; k < TRIALS(20000); k++) {
        tr2_geometry shape = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_pose pose = random_pose(&random, 2.0f);
        float height = tr_to_outer(pose, shape.center).y;
        tr2_manifold found = tr2_collide(&segment, pose, &shape, MARGIN);
        /* a line in front of a face may go on behind it, past the corner */
        bool beyond =
            shape.kind == TR2_GEOMETRY_SEGMENT && found.normal.y > 0.0f && tr2_least_separation(&found) > 0.0f;
        if (height < 0.0f && !beyond)
            assert_int_equal(found.count, 0);
        tr2_manifold back = tr2_collide(&shape, tr_inverse(pose), &segment, MARGIN);
        if (fabsf(height) > 1e-4f)
            assert_int_equal(found.count, back.count);
    }
}

/* Two outlines touch where one of them does with a segment that has two sides: on their right sides only. */
static void two_chain_segments_collide_on_their_right_sides(void **state)
{
    (void)state;
    generator random = {26};
    tr2_geometry ground, segment, line;
    uint32_t touching = 0, again = 0;
    tr_vec2 before = {3.0f, -0.5f}, after = {-3.0f, -0.5f};
    assert_int_equal(tr2_geometry_chain(1.0f, &before, (tr_vec2){1.0f, 0.0f}, (tr_vec2){-1.0f, 0.0f}, &after, &ground),
                     TR_OK);
    assert_int_equal(tr2_geometry_chain(1.0f, NULL, (tr_vec2){-0.3f, 0.0f}, (tr_vec2){0.3f, 0.0f}, NULL, &segment),
                     TR_OK);
    assert_int_equal(tr2_geometry_segment(1.0f, (tr_vec2){-0.3f, 0.0f}, (tr_vec2){0.3f, 0.0f}, &line), TR_OK);
    for (uint32_t k = 0; k < TRIALS(20000); k++) {
        float angle = uniform(&random, -4.0f, 4.0f), y = uniform(&random, -0.3f, 0.3f);
        tr2_pose pose = pose_at(uniform(&random, -1.2f, 1.2f), y, (double)angle);
        tr2_distance_result near = tr2_distance(&ground, pose, &segment);
        float out = -tr_dot(near.normal, tr_rotate(pose, segment.corners[0].normal));
        if (!(near.distance > 1e-3f) || fabsf(out) < 1e-3f || fabsf(near.distance - MARGIN) < 1e-3f)
            continue;
        uint32_t want = tr2_collide(&ground, pose, &line, MARGIN).count;
        uint32_t found = tr2_collide(&ground, pose, &segment, MARGIN).count;
        uint32_t back = tr2_collide(&segment, tr_inverse(pose), &ground, MARGIN).count;
        assert_int_equal(found > 0, want > 0 && out > 0.0f);
        /* the other way round too; past the ground's corner, where its neighbour touches, perhaps once more */
        assert_true(back > 0 ? out > 0.0f && near.distance < MARGIN : found == 0);
        again += back > 0 && found == 0;
        touching += found > 0;
    }
    assert_true(touching > TRIALS(100) && again <= touching / 100);
}

/* Beside an open end, the direction between the two corners tells the side, not the edge of a line that leans away: the
   line's foot is held. */
static void a_line_beside_an_open_end_is_judged_by_the_corners(void **state)
{
    (void)state;
    generator random = {27};
    tr2_geometry ground, segment, line;
    assert_int_equal(tr2_geometry_chain(1.0f, NULL, (tr_vec2){1.0f, 0.0f}, (tr_vec2){-1.0f, 0.0f}, NULL, &ground),
                     TR_OK);
    assert_int_equal(tr2_geometry_chain(1.0f, NULL, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.6f, 0.0f}, NULL, &segment),
                     TR_OK);
    assert_int_equal(tr2_geometry_segment(1.0f, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.6f, 0.0f}, &line), TR_OK);
    uint32_t held = 0, met = 0;
    for (uint32_t k = 0; k < TRIALS(20000); k++) {
        tr_vec2 foot = {1.0f + uniform(&random, -MARGIN, MARGIN), uniform(&random, -MARGIN, MARGIN)};
        tr2_pose pose = pose_at(foot.x, foot.y, (double)uniform(&random, -4.0f, 4.0f));
        tr2_distance_result near = tr2_distance(&ground, pose, &line);
        float up = near.normal.y, out = -tr_dot(near.normal, tr_rotate(pose, segment.corners[0].normal));
        if (!(near.distance > 1e-3f) || near.distance > MARGIN - 1e-3f || fabsf(up) < 1e-3f || fabsf(out) < 1e-3f)
            continue;
        bool hold = up > 0.0f, meet = hold && out > 0.0f;
        assert_int_equal(tr2_collide(&ground, pose, &line, MARGIN).count > 0, hold);
        assert_int_equal(tr2_collide(&ground, pose, &segment, MARGIN).count > 0, meet);
        assert_int_equal(tr2_collide(&segment, tr_inverse(pose), &ground, MARGIN).count > 0, meet);
        held += hold;
        met += meet;
    }
    assert_true(held > TRIALS(3000) && met > TRIALS(1000));
}

/* Of two segments that cross, the shorter has a contact only before the longer, whichever comes first. Where the best
   edge is the other's left side, the order may tell. */
static void the_shorter_of_two_that_cross_tells_the_side(void **state)
{
    (void)state;
    generator random = {28};
    tr2_geometry longer, shorter;
    assert_int_equal(tr2_geometry_chain(1.0f, NULL, (tr_vec2){9.0f, 0.0f}, (tr_vec2){-1.0f, 0.0f}, NULL, &longer),
                     TR_OK);
    assert_int_equal(tr2_geometry_chain(1.0f, NULL, (tr_vec2){-0.3f, 0.0f}, (tr_vec2){0.3f, 0.0f}, NULL, &shorter),
                     TR_OK);
    uint32_t both = 0, one = 0;
    for (uint32_t k = 0; k < TRIALS(20000); k++) {
        float x = uniform(&random, -0.6f, 8.6f), y = uniform(&random, -0.3f, 0.3f);
        tr2_pose pose = pose_at(x, y, (double)uniform(&random, -4.0f, 4.0f));
        if (tr2_distance(&longer, pose, &shorter).distance > 0.0f)
            continue;
        uint32_t found = tr2_collide(&longer, pose, &shorter, MARGIN).count;
        uint32_t back = tr2_collide(&shorter, tr_inverse(pose), &longer, MARGIN).count;
        if (y < -1e-3f)
            assert_true(found == 0 && back == 0);
        both += found > 0 && back > 0;
        one += (found > 0) != (back > 0);
    }
    assert_true(both > TRIALS(2000) && one < both / 20);
}

/* a convex outline as a chain is as hard as the same outline as a polygon, for what is outside and overlaps a little */
static void a_closed_convex_chain_is_as_deep_as_the_polygon(void **state)
{
    (void)state;
    generator random = {25};
    uint32_t touching = 0;
    for (uint32_t k = 0; k < TRIALS(20000); k++) {
        tr2_geometry hull = random_shape(&random, TR2_GEOMETRY_POLYGON);
        hull.radius = 0.0f;
        chain outline;
        for (uint32_t i = 0; i < hull.count; i++)
            outline.points[i] = hull.corners[i].point;
        make_closed(&outline, hull.count);

        tr2_geometry shape = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_pose pose = random_pose(&random, 2.0f);
        tr2_manifold want = tr2_collide(&hull, pose, &shape, MARGIN);
        double gap = INFINITY;
        for (uint32_t i = 0; i < want.count; i++)
            gap = fmin(gap, (double)want.points[i].separation);
        if (want.count == 0 || gap < -0.02 || gap > 0.9 * (double)MARGIN)
            continue;
        touching++;
        double least = INFINITY;
        tr_vec2 normal = {0.0f, 0.0f};
        for (uint32_t i = 0; i < outline.count; i++) {
            tr2_manifold found = tr2_collide(&outline.segments[i], pose, &shape, MARGIN);
            for (uint32_t p = 0; p < found.count; p++)
                if ((double)found.points[p].separation < least) {
                    least = (double)found.points[p].separation;
                    normal = found.normal;
                }
        }
        assert_true(fabs(least - gap) < 1e-3);
        assert_true(separation_along(&hull, pose, &shape, normal) > gap - 1e-3);
    }
    assert_true(touching > TRIALS(300));
}

/* where a chain ends and nothing follows, the end is round */
static void the_end_of_a_chain_is_round(void **state)
{
    (void)state;
    tr2_geometry segment, disc;
    assert_int_equal(tr2_geometry_chain(1.0f, NULL, (tr_vec2){1.0f, 0.0f}, (tr_vec2){-1.0f, 0.0f}, NULL, &segment),
                     TR_OK);
    assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){0.0f, 0.0f}, 0.5f, &disc), TR_OK);
    for (uint32_t k = 1; k < 90; k++) {
        double angle = TR_PI * k / 180.0;
        tr2_manifold found = tr2_collide(
            &segment, pose_at((float)(1.0 + 0.5 * cos(angle)), (float)(0.5 * sin(angle)), 0.0), &disc, MARGIN);
        assert_int_equal(found.count, 1);
        assert_true(fabs((double)found.normal.x - cos(angle)) < 1e-5);
        assert_true(fabs((double)found.points[0].separation) < 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_on_flat_ground_feels_no_joint),
        cmocka_unit_test(a_disc_on_rough_ground_meets_only_the_surface),
        cmocka_unit_test(a_box_on_flat_ground_feels_no_joint),
        cmocka_unit_test(anything_above_rough_ground_is_as_near_as_said),
        cmocka_unit_test(nothing_collides_from_behind),
        cmocka_unit_test(two_chain_segments_collide_on_their_right_sides),
        cmocka_unit_test(a_line_beside_an_open_end_is_judged_by_the_corners),
        cmocka_unit_test(the_shorter_of_two_that_cross_tells_the_side),
        cmocka_unit_test(a_closed_convex_chain_is_as_deep_as_the_polygon),
        cmocka_unit_test(the_end_of_a_chain_is_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
