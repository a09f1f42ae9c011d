/* Shapes as they are made: hulls against brute force, what is refused, mass and bounds against the plainest
   integrals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "geometry.h"

/* how far a point is to the right of the line from a to b */
static double right_of(tr_vec2 a, tr_vec2 b, tr_vec2 p)
{
    double ex = (double)b.x - (double)a.x, ey = (double)b.y - (double)a.y;
    return (ey * ((double)p.x - (double)a.x) - ex * ((double)p.y - (double)a.y)) / hypot(ex, ey);
}

/* the definition of a hull: corners are among the points, turn left, and no point is outside */
static void check_hull(const tr2_geometry *hull, const tr_vec2 *points, uint32_t count, double tolerance)
{
    assert_in_range(hull->count, 3, TR2_MAX_CORNERS);
    for (uint32_t i = 0; i < hull->count; i++) {
        tr_vec2 a = hull->corners[i].point, b = hull->corners[(i + 1u) % hull->count].point;
        tr_vec2 c = hull->corners[(i + 2u) % hull->count].point;
        bool among = false;
        for (uint32_t k = 0; k < count; k++) {
            among = among || (points[k].x == a.x && points[k].y == a.y);
            assert_true(right_of(a, b, points[k]) <= tolerance);
        }
        assert_true(among);
        assert_true(right_of(a, c, b) > 0.0);
        assert_true(fabs(hypot((double)hull->corners[i].normal.x, (double)hull->corners[i].normal.y) - 1.0) < 1e-6);
        assert_true(tr_dot(hull->corners[i].normal, tr_sub(b, a)) < 1e-6f);
        assert_true(tr_dot(hull->corners[i].normal, tr_sub(hull->center, a)) < 0.0f);
    }
}

static void hull_of_random_points_is_that_of_every_pair(void **state)
{
    (void)state;
    generator random = {31};
    uint32_t refused = 0;
    for (uint32_t k = 0; k < 5000; k++) {
        tr_vec2 points[64];
        uint32_t count = 3 + draw(&random, 62);
        for (uint32_t i = 0; i < count; i++)
            points[i] = uniform_point(&random, 5.0f);
        if (k % 3 == 0) /* a grid: many points in lines */
            for (uint32_t i = 0; i < count; i++)
                points[i] = (tr_vec2){(float)(int)points[i].x, (float)(int)points[i].y};
        if (k % 3 == 1) /* a ring: all are corners */
            for (uint32_t i = 0; i < count; i++)
                points[i] = tr_scale(5.0f / tr_length(points[i]), points[i]);
        /* the corners by definition: a pair of points with all others on the left; collinear ones between are no
           corners */
        uint32_t corners = 0;
        for (uint32_t i = 0; i < count; i++) {
            bool first = true, corner = false;
            for (uint32_t j = 0; j < i && first; j++)
                first = points[i].x != points[j].x || points[i].y != points[j].y;
            for (uint32_t j = 0; j < count && first && !corner; j++) {
                if (points[i].x == points[j].x && points[i].y == points[j].y)
                    continue;
                bool edge = true;
                for (uint32_t l = 0; l < count && edge; l++) {
                    double right = right_of(points[i], points[j], points[l]);
                    double ahead = (double)tr_dot(tr_sub(points[l], points[i]), tr_sub(points[j], points[i]));
                    edge = right < 0.0 || (right == 0.0 && ahead >= 0.0);
                }
                corner = edge;
            }
            corners += corner;
        }
        tr2_geometry hull;
        tr_status status = tr2_hull_make(1.0f, points, count, 0.0f, &hull);
        if (status == TR_ERROR_RANGE) {
            assert_true(corners > TR2_MAX_CORNERS);
            refused++;
            continue;
        }
        if (status == TR_ERROR_ZERO) {
            assert_true(corners < 3);
            continue;
        }
        assert_int_equal(status, TR_OK);
        /* 2 x 1e-5 of the hull's size, at most 15 m: what was dropped may have been so far out */
        check_hull(&hull, points, count, 3e-4);
        assert_true(hull.count <= corners && hull.count + 1u >= corners);
    }
    assert_in_range(refused, 500, 1700);
}

static void order_and_repeats_of_points_do_not_matter(void **state)
{
    (void)state;
    const tr_vec2 points[8] = {{1, 1}, {-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}, {0, 1}, {-1, -1}};
    tr2_geometry hull, box;
    assert_int_equal(tr2_hull_make(1.0f, points, 8, 0.0f, &hull), TR_OK);
    assert_int_equal(tr2_geometry_box(1.0f, 1.0f, 1.0f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, &box), TR_OK);
    assert_int_equal(hull.count, 4);
    assert_memory_equal(&hull, &box, tr2_geometry_size(&box));
}

static void regular(tr_vec2 *points, uint32_t count, float radius)
{
    for (uint32_t i = 0; i < count; i++) {
        double angle = 2.0 * TR_PI * i / count;
        points[i] = (tr_vec2){(float)((double)radius * cos(angle)), (float)((double)radius * sin(angle))};
    }
}

/* the distance of the nearest side from the centre: exact for boxes and lines, r cos(pi/n) for regular polygons */
static void the_inner_disc_touches_the_nearest_side(void **state)
{
    (void)state;
    tr_vec2 points[16];
    tr2_geometry made;
    assert_int_equal(tr2_geometry_box(1.0f, 2.0f, 0.5f, (tr_vec2){3.0f, 1.0f}, 1.0f, 0.0f, 0.25f, &made), TR_OK);
    assert_true(made.inner == 0.75f);
    assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){5.0f, 0.0f}, 0.5f, &made), TR_OK);
    assert_true(made.inner == 0.5f);
    assert_int_equal(tr2_geometry_capsule(1.0f, (tr_vec2){0.0f, 0.0f}, (tr_vec2){5.0f, 0.0f}, 0.125f, &made), TR_OK);
    assert_true(made.inner == 0.125f);
    assert_int_equal(tr2_geometry_segment(1.0f, (tr_vec2){0.0f, 0.0f}, (tr_vec2){5.0f, 0.0f}, &made), TR_OK);
    assert_true(made.inner == 0.0f);
    for (uint32_t count = 3; count <= 16; count++) {
        regular(points, count, 2.0f);
        assert_int_equal(tr2_hull_make(1.0f, points, count, 0.0f, &made), TR_OK);
        assert_float_equal(made.inner, (float)(2.0 * cos(TR_PI / count)), 1e-6f);
    }
}

static void sixteen_corners_are_a_hull_and_seventeen_are_not(void **state)
{
    (void)state;
    tr_vec2 points[100];
    tr2_geometry hull;
    memset(&hull, 0x5a, sizeof hull);
    const tr2_geometry before = hull;
    const uint32_t too_many[] = {17, 24, 25, 26, 100};
    for (uint32_t i = 0; i < 5; i++) {
        regular(points, too_many[i], 2.0f);
        assert_int_equal(tr2_hull_make(1.0f, points, too_many[i], 0.0f, &hull), TR_ERROR_RANGE);
        assert_memory_equal(&hull, &before, sizeof hull);
    }
    for (uint32_t count = 3; count <= 16; count++) {
        regular(points, count, 2.0f);
        assert_int_equal(tr2_hull_make(1.0f, points, count, 0.0f, &hull), TR_OK);
        assert_int_equal(hull.count, count);
        check_hull(&hull, points, count, 1e-4);
    }
}

/* bad input of every kind is its own status and leaves the shape alone */
static void what_is_no_shape_is_refused(void **state)
{
    (void)state;
    const tr_vec2 zero = {0.0f, 0.0f}, one = {1.0f, 0.0f}, bad = {NAN, 0.0f}, far = {INFINITY, 0.0f};
    const tr_vec2 line[4] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}}, same[3] = {{1, 2}, {1, 2}, {1, 2}};
    const tr_vec2 thin[3] = {{0, 0}, {1000, 0}, {500, 0.001f}}, triangle[3] = {{0, 0}, {1, 0}, {0, 1}};
    const tr_vec2 nan[3] = {{0, 0}, {1, 0}, {0, NAN}}, huge[3] = {{0, 0}, {1, 0}, {0, 2e9f}};
    tr2_geometry out;
    memset(&out, 0x5a, sizeof out);
    const tr2_geometry before = out;
    assert_int_equal(tr2_geometry_circle(1.0f, zero, 1.0f, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_geometry_circle(1.0f, zero, 0.0f, &out), TR_ERROR_ZERO);
    assert_int_equal(tr2_geometry_circle(1.0f, zero, -1.0f, &out), TR_ERROR_NEGATIVE);
    assert_int_equal(tr2_geometry_circle(1.0f, zero, NAN, &out), TR_ERROR_NAN);
    assert_int_equal(tr2_geometry_circle(1.0f, bad, 1.0f, &out), TR_ERROR_NAN);
    assert_int_equal(tr2_geometry_circle(1.0f, far, 1.0f, &out), TR_ERROR_INFINITE);
    assert_int_equal(tr2_geometry_capsule(1.0f, zero, one, 0.0f, &out), TR_ERROR_ZERO);
    assert_int_equal(tr2_geometry_capsule(1.0f, zero, zero, 1.0f, &out), TR_ERROR_ZERO);
    assert_int_equal(tr2_geometry_capsule(1.0f, zero, one, -1.0f, &out), TR_ERROR_NEGATIVE);
    assert_int_equal(tr2_geometry_segment(1.0f, one, one, &out), TR_ERROR_ZERO);
    assert_int_equal(tr2_geometry_segment(1.0f, one, bad, &out), TR_ERROR_NAN);
    assert_int_equal(tr2_geometry_segment(1.0f, one, one, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_geometry_chain(1.0f, &zero, zero, one, NULL, &out), TR_ERROR_ZERO);
    assert_int_equal(tr2_geometry_chain(1.0f, NULL, zero, one, &bad, &out), TR_ERROR_NAN);
    assert_int_equal(tr2_geometry_chain(1.0f, NULL, zero, one, &far, &out), TR_ERROR_INFINITE);
    assert_int_equal(tr2_hull_make(1.0f, NULL, 3, 0.0f, &out), TR_ERROR_NULL);
    assert_int_equal(tr2_hull_make(1.0f, triangle, 3, 0.0f, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_hull_make(1.0f, triangle, 2, 0.0f, &out), TR_ERROR_ZERO);
    assert_int_equal(tr2_hull_make(1.0f, triangle, 0, 0.0f, &out), TR_ERROR_ZERO);
    assert_int_equal(tr2_hull_make(1.0f, triangle, 3, -0.1f, &out), TR_ERROR_NEGATIVE);
    assert_int_equal(tr2_hull_make(1.0f, triangle, 3, INFINITY, &out), TR_ERROR_INFINITE);
    assert_int_equal(tr2_hull_make(1.0f, line, 4, 0.0f, &out), TR_ERROR_ZERO);
    assert_int_equal(tr2_hull_make(1.0f, same, 3, 0.0f, &out), TR_ERROR_ZERO);
    assert_int_equal(tr2_hull_make(1.0f, thin, 3, 0.0f, &out), TR_ERROR_ZERO);
    assert_int_equal(tr2_hull_make(1.0f, nan, 3, 0.0f, &out), TR_ERROR_NAN);
    assert_int_equal(tr2_hull_make(1.0f, huge, 3, 0.0f, &out), TR_ERROR_INFINITE);
    assert_int_equal(tr2_geometry_box(1.0f, -1.0f, 1.0f, zero, 1.0f, 0.0f, 0.0f, &out), TR_ERROR_NEGATIVE);
    assert_int_equal(tr2_geometry_box(1.0f, 1.0f, 0.0f, zero, 1.0f, 0.0f, 0.0f, &out), TR_ERROR_ZERO);
    assert_memory_equal(&out, &before, sizeof out);
}

static void a_chain_knows_its_convex_corners(void **state)
{
    (void)state;
    /* an L as an outline, counter-clockwise: one concave corner */
    const tr_vec2 points[6] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    for (uint32_t i = 0; i < 6; i++) {
        tr2_geometry segment;
        assert_int_equal(tr2_geometry_chain(1.0f, &points[(i + 5) % 6], points[i], points[(i + 1) % 6],
                                            &points[(i + 2) % 6], &segment),
                         TR_OK);
        assert_int_equal(segment.ghosts, 3);
        assert_int_equal(segment.convex & 1u, i != 3);
        assert_int_equal(segment.convex >> 1, (i + 1) % 6 != 3);
    }
}

/*
 * Mass
 */

/* by a million small squares */
static void mass_is_that_of_the_integral(void **state)
{
    (void)state;
    generator random = {32};
    for (uint32_t k = 0; k < 24; k++) {
        static const tr2_geometry_kind kinds[] = {TR2_GEOMETRY_CIRCLE, TR2_GEOMETRY_CAPSULE, TR2_GEOMETRY_POLYGON};
        tr2_geometry shape = random_shape(&random, kinds[k % 3]);
        const int side = 400;
        double low = -2.0, cell = 4.0 / side, area = 0.0, mx = 0.0, my = 0.0, second = 0.0;
        for (int i = 0; i < side; i++)
            for (int j = 0; j < side; j++) {
                double x = low + (i + 0.5) * cell, y = low + (j + 0.5) * cell;
                /* of a cell on the surface the part that is inside */
                double out = signed_distance(&shape, no_pose, x, y) / cell;
                double part = out < -0.5 ? 1.0 : out > 0.5 ? 0.0 : 0.5 - out;
                area += part;
                mx += part * x;
                my += part * y;
                second += part * (x * x + y * y);
            }
        double x = mx / area, y = my / area;
        tr2_shape_mass mass = tr2_geometry_mass(&shape, 3.0);
        double inertia = 3.0 * cell * cell * (second - area * (x * x + y * y));
        /* cells of a centimetre along an outline of some metres, right to a tenth on average */
        assert_true(fabs(mass.mass - 3.0 * cell * cell * area) < 2e-3 * mass.mass);
        assert_true(fabs(mass.center.x - x) < 1e-3 && fabs(mass.center.y - y) < 1e-3);
        assert_true(fabs(mass.inertia - inertia) < 1e-2 * mass.inertia);
    }
}

/* worlds do less for shapes whose centre is their body's origin: rounding must not hide that */
static void a_box_around_the_origin_has_its_center_there(void **state)
{
    (void)state;
    generator random = {35};
    for (uint32_t k = 0; k < 10000; k++) {
        float x = uniform(&random, 0.01f, 3.0f), y = uniform(&random, 0.01f, 3.0f);
        const tr_vec2 corners[4] = {{x, -y}, {x, y}, {-x, y}, {-x, -y}};
        tr2_geometry shape;
        assert_int_equal(tr2_hull_make(1.0f, corners, 4, 0.0f, &shape), TR_OK);
        assert_true(shape.center.x == 0.0f && shape.center.y == 0.0f);
    }
}

static void mass_is_exact_where_there_is_a_formula(void **state)
{
    (void)state;
    tr2_geometry shape;
    /* a stadium of straight length l and radius r: l 2r + pi r^2 */
    const double l = 2.0, r = 0.5, x = 30.0;
    assert_int_equal(tr2_geometry_capsule(1.0f, (tr_vec2){30.0f, -1.0f}, (tr_vec2){30.0f, 1.0f}, 0.5f, &shape), TR_OK);
    tr2_shape_mass mass = tr2_geometry_mass(&shape, 1.0);
    double box = l * 2.0 * r, caps = TR_PI * r * r;
    /* half discs about their own centres, which are 4 r / (3 pi) out of the ends */
    double off = 4.0 * r / (3.0 * TR_PI);
    double half = caps * (0.5 * r * r - off * off), at = 0.5 * l + off;
    double inertia = box * (l * l + 4.0 * r * r) / 12.0 + half + caps * at * at;
    assert_true(fabs(mass.mass - box - caps) < 1e-12);
    assert_true(fabs(mass.inertia - inertia) < 1e-12);
    assert_true(fabs(mass.center.x - x) < 1e-12 && fabs(mass.center.y) < 1e-12);

    assert_int_equal(tr2_geometry_box(1.0f, 2.0f, 1.0f, (tr_vec2){-7.0f, 5.0f}, 1.0f, 0.0f, 0.0f, &shape), TR_OK);
    mass = tr2_geometry_mass(&shape, 0.5);
    assert_true(fabs(mass.mass - 4.0) < 1e-12 && fabs(mass.inertia - 4.0 * (16.0 + 4.0) / 12.0) < 1e-12);

    /* a rounded box: box + 2 pairs of sides + four quarters of a disc */
    assert_int_equal(tr2_geometry_box(1.0f, 2.0f, 1.0f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.5f, &shape), TR_OK);
    mass = tr2_geometry_mass(&shape, 1.0);
    assert_true(fabs(mass.mass - (8.0 + 12.0 * 0.5 + TR_PI * 0.25)) < 1e-12);

    assert_int_equal(tr2_geometry_segment(1.0f, (tr_vec2){0.0f, 0.0f}, (tr_vec2){2.0f, 0.0f}, &shape), TR_OK);
    mass = tr2_geometry_mass(&shape, 1.0);
    assert_true(mass.mass == 0.0 && mass.inertia == 0.0 && mass.center.x == 1.0);
}

static void bounds_hold_the_shape_and_are_tight(void **state)
{
    (void)state;
    generator random = {33};
    for (uint32_t k = 0; k < 20000; k++) {
        tr2_geometry shape = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_pose turn = pose_at(0.0f, 0.0f, (double)uniform(&random, -4.0f, 4.0f));
        exact_core core = exact_of(&shape, turn);
        double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY, r = (double)shape.radius, reach = 0.0;
        tr_vec2 point = uniform_point(&random, 2.0f), turned = tr_rotate(turn, point);
        for (uint32_t i = 0; i < core.count; i++) {
            x0 = fmin(x0, core.x[i] - r);
            x1 = fmax(x1, core.x[i] + r);
            y0 = fmin(y0, core.y[i] - r);
            y1 = fmax(y1, core.y[i] + r);
            reach = fmax(reach, r + hypot(core.x[i] - (double)turned.x, core.y[i] - (double)turned.y));
        }
        tr2_bounds bounds = tr2_geometry_bounds(&shape, turn.c, turn.s);
        assert_true((double)bounds.lower.x <= x0 && (double)bounds.lower.x > x0 - 1e-5);
        assert_true((double)bounds.lower.y <= y0 && (double)bounds.lower.y > y0 - 1e-5);
        assert_true((double)bounds.upper.x >= x1 && (double)bounds.upper.x < x1 + 1e-5);
        assert_true((double)bounds.upper.y >= y1 && (double)bounds.upper.y < y1 + 1e-5);
        assert_true(fabs((double)tr2_geometry_reach(&shape, point) - reach) < 1e-5);
        assert_true(tr2_geometry_reach(&shape, shape.center) <= shape.extent * 1.00001f);
    }
}

/* far from the origin a pose between is as good as near it */
static void poses_between_do_not_depend_on_the_origin(void **state)
{
    (void)state;
    generator random = {34};
    for (uint32_t k = 0; k < 10000; k++) {
        double ta = (double)uniform(&random, -4.0f, 4.0f), tb = (double)uniform(&random, -4.0f, 4.0f);
        tr2_transform a = {{1e7, -1e7}, ta, (float)cos(ta), (float)sin(ta)};
        tr2_transform b = {{0.0, 0.0}, tb, (float)cos(tb), (float)sin(tb)};
        tr_vec2 off = uniform_point(&random, 3.0f), local = uniform_point(&random, 1.0f);
        b.position = (tr_dvec2){a.position.x + (double)off.x, a.position.y + (double)off.y};
        tr2_pose pose = tr2_pose_between(&a, &b);
        /* a point of B in the world, seen from A */
        double x = (b.position.x - a.position.x) + cos(tb) * (double)local.x - sin(tb) * (double)local.y;
        double y = (b.position.y - a.position.y) + sin(tb) * (double)local.x + cos(tb) * (double)local.y;
        tr_vec2 seen = tr_to_outer(pose, local);
        assert_true(fabs((double)seen.x - (cos(ta) * x + sin(ta) * y)) < 1e-6 * 3.0);
        assert_true(fabs((double)seen.y - (cos(ta) * y - sin(ta) * x)) < 1e-6 * 3.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hull_of_random_points_is_that_of_every_pair),
        cmocka_unit_test(order_and_repeats_of_points_do_not_matter),
        cmocka_unit_test(the_inner_disc_touches_the_nearest_side),
        cmocka_unit_test(sixteen_corners_are_a_hull_and_seventeen_are_not),
        cmocka_unit_test(what_is_no_shape_is_refused),
        cmocka_unit_test(a_chain_knows_its_convex_corners),
        cmocka_unit_test(mass_is_that_of_the_integral),
        cmocka_unit_test(a_box_around_the_origin_has_its_center_there),
        cmocka_unit_test(mass_is_exact_where_there_is_a_formula),
        cmocka_unit_test(bounds_hold_the_shape_and_are_tight),
        cmocka_unit_test(poses_between_do_not_depend_on_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
