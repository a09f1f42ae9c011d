/* Contact points of all pairs of kinds but chains, against the plainest computation in double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry.h"

#define PAIRS  40000
#define MARGIN 0.1f
#define MANY   2000u

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
        least = tr_least(least, manifold->points[i].separation);
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
    assert_int_equal(tr2_geometry_box(0.5f, 0.5f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, &box), TR_OK);
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
    assert_int_equal(tr2_geometry_box(10.0f, 1.0f, (tr_vec2){0.0f, -1.0f}, 1.0f, 0.0f, 0.0f, &floor), TR_OK);
    assert_int_equal(tr2_geometry_box(0.5f, 0.25f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, &box), TR_OK);
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
    assert_int_equal(tr2_geometry_circle((tr_vec2){0.0f, 0.0f}, 0.4f, &round[0]), TR_OK);
    assert_int_equal(tr2_geometry_capsule((tr_vec2){-speck, 0.0f}, (tr_vec2){speck, 0.0f}, 0.4f, &round[1]), TR_OK);
    assert_int_equal(tr2_geometry_box(speck, speck, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.4f, &round[2]), TR_OK);
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
    assert_int_equal(tr2_geometry_box(0.5f, 0.5f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.1f, &a), TR_OK);
    assert_int_equal(tr2_geometry_box(0.2f, 0.2f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.1f, &b), TR_OK);
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
    assert_int_equal(tr2_geometry_circle((tr_vec2){0.0f, 0.0f}, 0.5f, &disc), TR_OK);
    assert_int_equal(tr2_geometry_capsule((tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}, 0.5f, &capsule), TR_OK);
    assert_int_equal(tr2_geometry_segment((tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}, &segment), TR_OK);
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
    float gone = tr_dot(to_b, along) - sqrtf(tr_most((sum - aside) * (sum + aside), 0.0f));
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
    assert_int_equal(tr2_geometry_circle((tr_vec2){0.0f, 0.0f}, a->extent, &of_a), TR_OK);
    assert_int_equal(tr2_geometry_circle((tr_vec2){0.0f, 0.0f}, b->extent, &of_b), TR_OK);
    tr_vec2 closing = {b->velocity_x - a->velocity_x, b->velocity_y - a->velocity_y};
    float way = tr_length(closing) * dt, least = tr_least(a->extent, b->extent);
    tr2_pose pose = {{(float)(b->x - a->x), (float)(b->y - a->y)}, 1.0f, 0.0f};
    *passing = way > least;
    tr2_manifold out = tr2_collide(&of_a, pose, &of_b, speculative + tr_least(way, least));
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
            touching += compare_circles(&(tr2_mover_pairs){a, b, count, 0.02f, 1.0f / 60.0f});
            touching += compare_circles(&(tr2_mover_pairs){a, b, count, 0.0f, 0.0f});
        }
        touching += compare_circles(&(tr2_mover_pairs){a, b, CIRCLES, 0.02f, 1.0f / 60.0f});
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
        assert_int_equal(tr2_geometry_box(uniform(random, 0.02f, 1.0f), size, at, 1.0f, 0.0f, radius, &out), TR_OK);
        return out;
    }
    do {
        tr_vec2 corners[4];
        for (uint32_t i = 0; i < 4; i++)
            corners[i] = (tr_vec2){at.x + uniform(random, -1.0f, 1.0f), at.y + uniform(random, -1.0f, 1.0f)};
        out.count = 0;
        (void)tr2_hull_make(corners, 4, radius, &out);
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
            assert_int_equal(tr2_geometry_box(0.5f, 0.5f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, a), TR_OK);
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

/* Polygons of 3 to 16 corners and circles, in both orders: inside, at an edge, at a corner, just out of reach; circles
   whose centre is on a corner, and poses that are no numbers. */
static void make_polygon_circles(generator *random, tr2_geometry *shapes, tr2_shape_pair *pairs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tr2_geometry *polygon = &shapes[2 * i], *circle = polygon + 1;
        *polygon = random_shape(random, TR2_GEOMETRY_POLYGON);
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
    assert_true(corners > 256 && circles_first > 500);
    assert_true(compare_pairs(tr2_collide_polygon_circles, pairs, MANY) > 500);
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
        cmocka_unit_test(many_circles_at_once_give_the_bits_of_each_by_itself_on_every_set),
        cmocka_unit_test(many_quads_at_once_give_the_bits_of_each_by_itself_on_every_set),
        cmocka_unit_test(many_polygons_and_circles_at_once_give_the_bits_of_each_by_itself_on_every_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
