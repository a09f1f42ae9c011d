/* Contacts of many pairs at once, in lanes: the bits of each pair by itself, on every instruction set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry.h"

#define MANY 2000u /* pairs */

enum { CIRCLES = 1000 };

/* some about one centre, some in a row, some of one size; some so fast that they may pass by, some no numbers */
static void make_circles(generator *random, tr2_mover *circles, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        float speed = i % 7 == 0 ? 30.0f : 0.5f;
        circles[i] = (tr2_mover){
            .x = 1e6 + (i % 11 == 0 ? 0.0 : (double)uniform(random, -1.0f, 1.0f)),
            .y = -1e5 + (i % 9 == 0 ? 0.0 : (double)uniform(random, -1.0f, 1.0f)),
            .velocity_x = uniform(random, -speed, speed),
            .velocity_y = uniform(random, -speed, speed),
            .extent = i % 5 == 0 ? 0.5f : uniform(random, 0.05f, 1.0f),
            .arm_x = i % 3 == 0 ? 0.0f : uniform(random, -0.5f, 0.5f),
            .arm_y = i % 3 == 0 ? 0.0f : uniform(random, -0.5f, 0.5f),
        };
        if (i % 53 == 3)
            circles[i].x = i % 2 == 0 ? (double)NAN : (double)INFINITY;
    }
}

/* Whether circles that are apart move along their contact; and its place when they meet, expressed at the start of the
   step, by the formulas of circles.inl. `way`: of A, as seen from B. */
static bool circles_meet(tr_vec2 way, tr_vec2 to_b, float radius_a, float radius_b, tr2_manifold *at)
{
    float closing = tr_dot(way, at->normal), aside_now = fabsf(tr_cross(way, at->normal)),
          gap = at->points[0].separation;
    if (at->count == 0 ||
        !(gap > 0.0f && gap < TR2_STEPS_RELAXED * closing && aside_now * gap > TR2_ASIDE_LEAST * closing))
        return false;
    float speed = tr_length(way), sum = radius_a + radius_b;
    tr_vec2 along = tr_scale(1.0f / speed, way);
    float aside = fabsf(tr_cross(to_b, along));
    float gone = tr_dot(to_b, along) - sqrtf(tr_max((sum - aside) * (sum + aside), 0.0f));
    at->count = aside < sum && gone <= TR2_STEPS_RELAXED * speed;
    tr_vec2 from = tr_along(to_b, -gone, along);
    at->normal = (tr_vec2){from.x / sum, from.y / sum};
    at->points[0].separation = gone * tr_dot(along, at->normal);
    at->points[0].point = tr_scale(radius_a, at->normal);
    at->points[1].point = tr_scale(-radius_b, at->normal);
    return true;
}

/* what a pair comes to by itself, by the rule that tr2_mover_pairs states */
static tr2_manifold circles_alone(const tr2_mover *a, const tr2_mover *b, float speculative, float dt, bool *passing)
{
    tr2_geometry of_a, of_b;
    assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){0.0f, 0.0f}, a->extent, &of_a), TR_OK);
    assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){0.0f, 0.0f}, b->extent, &of_b), TR_OK);
    tr_vec2 closing = {b->velocity_x - a->velocity_x, b->velocity_y - a->velocity_y};
    float way = tr_length(closing) * dt, least = tr_min(a->extent, b->extent);
    tr2_pose pose = {{(float)(b->x - a->x), (float)(b->y - a->y)}, 1.0f, 0.0f};
    *passing = way > least;
    tr2_manifold out = tr2_collide(&of_a, pose, &of_b, speculative + tr_min(way, least));
    /* the same point from the centres of mass */
    tr_vec2 moved = {a->velocity_x - b->velocity_x, a->velocity_y - b->velocity_y};
    out.points[1].point = tr_sub(out.points[0].point, pose.p);
    if (circles_meet(tr_scale(dt, moved), pose.p, a->extent, b->extent, &out))
        *passing = false;
    out.points[0].point = tr_add(out.points[0].point, (tr_vec2){a->arm_x, a->arm_y});
    out.points[1].point = tr_add(out.points[1].point, (tr_vec2){b->arm_x, b->arm_y});
    return out;
}

static uint32_t compare_circles(const tr2_mover_pairs *pairs)
{
    const tr2_manifold untouched = {{7.0f, 7.0f}, 7, {{{7.0f, 7.0f}, 7.0f, 7}, {{7.0f, 7.0f}, 7.0f, 7}}};
    static tr2_manifold found[CIRCLES];
    static uint32_t place[CIRCLES];
    tr2_circle_bits bits[CIRCLES / TR2_CIRCLES_AT_ONCE + 1];
    for (uint32_t i = 0; i < CIRCLES; i++) {
        found[i] = untouched;
        /* anywhere: 7 and 1000 have no common factor */
        place[i] = i * 7 % CIRCLES;
    }
    tr2_collide_circles(pairs, place, found, bits);
    uint32_t touching = 0;
    for (uint32_t i = 0; i < CIRCLES; i++) {
        bool passing = false;
        tr2_manifold want = untouched;
        if (i < pairs->count) {
            uint32_t bit = i % TR2_CIRCLES_AT_ONCE;
            const tr2_circle_bits *own = &bits[i / TR2_CIRCLES_AT_ONCE];
            tr2_manifold alone = circles_alone(pairs->a[i], pairs->b[i], pairs->speculative, pairs->dt, &passing);
            assert_int_equal(own->near >> bit & 1, alone.count);
            assert_int_equal(own->passing >> bit & 1, passing);
            want = alone.count > 0 ? alone : untouched;
            touching += alone.count;
        }
        assert_memory_equal(&found[place[i]], &want, sizeof want);
    }
    /* no bits but of pairs */
    uint32_t rest = pairs->count % TR2_CIRCLES_AT_ONCE;
    if (rest > 0)
        assert_int_equal((bits[pairs->count / 16].near | bits[pairs->count / 16].passing) >> rest, 0);
    return touching;
}

static void many_circles_at_once_give_the_bits_of_each_by_itself_on_every_set(void **state)
{
    (void)state;
    static tr2_mover circles[2 * CIRCLES];
    static const tr2_mover *a[CIRCLES], *b[CIRCLES];
    const tr_isa before = tr_get_isa();
    generator random = {16};
    uint32_t touching = 0;
    make_circles(&random, circles, 2 * CIRCLES);
    for (uint32_t i = 0; i < CIRCLES; i++) {
        a[i] = &circles[i];
        b[i] = &circles[i % 13 == 0 ? i : 2 * CIRCLES - 1 - i];
    }
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (tr_set_isa((tr_isa)isa) != TR_OK)
            continue;
        for (uint32_t count = 0; count <= CIRCLES; count = count < 40 ? count + 1 : count * 5) {
            touching += compare_circles(&(tr2_mover_pairs){a, b, count, 0.02f, 1.0f / 60.0f, 1.0f});
            touching += compare_circles(&(tr2_mover_pairs){a, b, count, 0.0f, 0.0f, 1.0f});
        }
        touching += compare_circles(&(tr2_mover_pairs){a, b, CIRCLES, 0.02f, 1.0f / 60.0f, 1.0f});
    }
    assert_int_equal(tr_set_isa(before), TR_OK);
    assert_true(touching > 500);
}

/* a polygon of four corners of any form, rounded or not; a third are boxes */
static tr2_geometry random_quad(generator *random)
{
    tr2_geometry out;
    float radius = uniform(random, 0.0f, 1.0f) < 0.5f ? 0.0f : uniform(random, 0.0f, 0.2f);
    tr_vec2 at = {uniform(random, -0.3f, 0.3f), uniform(random, -0.3f, 0.3f)};
    if (uniform(random, 0.0f, 1.0f) < 0.33f) {
        float size = uniform(random, 0.02f, 1.0f);
        assert_int_equal(tr2_geometry_box(1.0f, uniform(random, 0.02f, 1.0f), size, at, 1.0f, 0.0f, radius, &out),
                         TR_OK);
        return out;
    }
    do {
        tr_vec2 corners[4];
        for (uint32_t i = 0; i < 4; i++)
            corners[i] = (tr_vec2){at.x + uniform(random, -1.0f, 1.0f), at.y + uniform(random, -1.0f, 1.0f)};
        out.count = 0;
        (void)tr2_hull_make(1.0f, corners, 4, radius, &out);
    } while (out.count != 4);
    return out;
}

/* every second pair is a box on a box, all but touching, as in piles; some poses are no numbers */
static void make_quads(generator *random, tr2_geometry *shapes, tr2_shape_pair *pairs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tr2_geometry *a = &shapes[2 * i], *b = a + 1;
        tr2_pose pose = random_pose(random, 2.5f);
        *a = random_quad(random);
        *b = random_quad(random);
        if (i % 2 == 0) {
            assert_int_equal(tr2_geometry_box(1.0f, 0.5f, 0.5f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, a), TR_OK);
            *b = *a;
            pose = pose_at(uniform(random, -1.1f, 1.1f), 1.0f + uniform(random, -0.02f, 0.03f),
                           (double)(i % 4 == 0 ? 0.0f : uniform(random, -0.02f, 0.02f)));
        }
        if (i % 97 == 5)
            pose.p.x = i % 2 == 0 ? NAN : INFINITY;
        pairs[i] = (tr2_shape_pair){a, b, pose, uniform(random, 0.0f, 0.1f)};
    }
}

/* Compares the first `count` of pairs with tr2_collide(), on every instruction set. Returns how many touch. */
static uint32_t compare_pairs(tr2_collide_many_fn *collide, const tr2_shape_pair *pairs, uint32_t most)
{
    static tr2_manifold found[MANY + 1];
    const tr2_manifold untouched = {{7.0f, 7.0f}, 7, {{{7.0f, 7.0f}, 7.0f, 7}, {{7.0f, 7.0f}, 7.0f, 7}}};
    const tr_isa before = tr_get_isa();
    uint32_t touching = 0;
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (tr_set_isa((tr_isa)isa) != TR_OK)
            continue;
        for (uint32_t count = 0; count <= most; count = count < 40         ? count + 1
                                                        : count < most / 2 ? 3 * count
                                                                           : count + most / 2) {
            found[count] = untouched;
            collide(pairs, count, found);
            for (uint32_t i = 0; i < count; i++) {
                tr2_manifold want = tr2_collide(pairs[i].a, pairs[i].b_in_a, pairs[i].b, pairs[i].margin);
                assert_int_equal(found[i].count, want.count);
                if (want.count > 0)
                    assert_memory_equal(&found[i], &want, sizeof want);
                touching += want.count > 0;
            }
            assert_memory_equal(&found[count], &untouched, sizeof untouched);
        }
    }
    assert_int_equal(tr_set_isa(before), TR_OK);
    return touching;
}

static void many_quads_at_once_give_the_bits_of_each_by_itself_on_every_set(void **state)
{
    (void)state;
    static tr2_geometry shapes[2 * MANY];
    static tr2_shape_pair pairs[MANY];
    generator random = {18};
    make_quads(&random, shapes, pairs, MANY);
    assert_true(compare_pairs(tr2_collide_quads, pairs, MANY) > 500);
}

static tr2_geometry round_polygon(generator *random, uint32_t count)
{
    tr_vec2 points[TR2_MAX_CORNERS], at = uniform_point(random, 0.3f);
    float radius = uniform(random, 0.2f, 1.0f);
    for (uint32_t i = 0; i < count; i++) {
        double angle = TR_TURN * i / count;
        points[i] = tr_along(at, radius, (tr_vec2){(float)cos(angle), (float)sin(angle)});
    }
    tr2_geometry out;
    assert_int_equal(tr2_hull_make(1.0f, points, count, uniform(random, 0.0f, 0.2f), &out), TR_OK);
    return out;
}

/* Polygons of 3 to 16 corners and circles, in both orders: inside, at an edge, at a corner, just out of reach; circles
   whose centre is on a corner, and poses that are no numbers. */
static void make_polygon_circles(generator *random, tr2_geometry *shapes, tr2_shape_pair *pairs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tr2_geometry *polygon = &shapes[2 * i], *circle = polygon + 1;
        *polygon = i % 4 == 1 ? round_polygon(random, 3 + i / 4 % 14) : random_shape(random, TR2_GEOMETRY_POLYGON);
        *circle = random_shape(random, TR2_GEOMETRY_CIRCLE);
        tr2_pose pose = random_pose(random, 2.0f);
        if (i % 11 == 3)
            pose = (tr2_pose){tr_sub(polygon->corners[i % polygon->count].point, circle->center), 1.0f, 0.0f};
        if (i % 97 == 5)
            pose.p.y = i % 2 == 0 ? NAN : INFINITY;
        bool polygon_first = i % 3 != 0;
        pairs[i] = (tr2_shape_pair){polygon_first ? polygon : circle, polygon_first ? circle : polygon, pose,
                                    i % 5 == 0 ? 0.0f : uniform(random, 0.0f, 0.5f)};
    }
}

static void many_polygons_and_circles_at_once_give_the_bits_of_each_by_itself_on_every_set(void **state)
{
    (void)state;
    static tr2_geometry shapes[2 * MANY];
    static tr2_shape_pair pairs[MANY];
    generator random = {19};
    make_polygon_circles(&random, shapes, pairs, MANY);
    uint32_t corners = 0, circles_first = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        assert_true(tr2_is_polygon_circle(pairs[i].a, pairs[i].b));
        corners |= UINT32_C(1) << shapes[2 * i].count;
        circles_first += pairs[i].a->kind == TR2_GEOMETRY_CIRCLE;
    }
    assert_int_equal(corners, (UINT32_C(1) << 17) - (UINT32_C(1) << 3)); /* 3 to 16 */
    assert_true(circles_first > 500);
    assert_true(compare_pairs(tr2_collide_polygon_circles, pairs, MANY) > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_circles_at_once_give_the_bits_of_each_by_itself_on_every_set),
        cmocka_unit_test(many_quads_at_once_give_the_bits_of_each_by_itself_on_every_set),
        cmocka_unit_test(many_polygons_and_circles_at_once_give_the_bits_of_each_by_itself_on_every_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
