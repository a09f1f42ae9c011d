/* Tests of the first tests of pairs of shapes: which of them are near each other, and which surely apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry.h"

enum { PAIRS = 1000 };

/* about one place; some so fast that they may pass by, some that do not rotate, some no numbers */
static void make_movers(generator *random, tr2_mover *movers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        float speed = i % 7 == 0 ? 60.0f : 0.5f, spin = i % 4 == 0 ? 0.0f : uniform(random, -5.0f, 5.0f);
        movers[i] = (tr2_mover){
            .x = 1e6 + (double)uniform(random, -1.5f, 1.5f),
            .y = -1e5 + (double)uniform(random, -1.5f, 1.5f),
            .velocity_x = uniform(random, -speed, speed),
            .velocity_y = uniform(random, -speed, speed),
            .spin = spin,
            .extent = i % 5 == 0 ? 0.5f : uniform(random, 0.05f, 1.0f),
        };
        movers[i].half_x = uniform(random, 0.2f, 1.0f) * movers[i].extent;
        movers[i].half_y = uniform(random, 0.2f, 1.0f) * movers[i].extent;
        if (i % 53 == 3)
            movers[i].x = i % 2 == 0 ? (double)NAN : (double)INFINITY;
        if (i % 59 == 5)
            movers[i].velocity_y = NAN;
    }
}

typedef struct near_pair {
    bool near, passing, turning;
    float margin;
} near_pair;

/* the rule of tr2_mover_pairs and tr2_near_bits for one pair; the closing speed is that of the smaller shape's centre
   as seen from the larger shape, and the difference of rotations at its extent */
static near_pair near_alone(const tr2_mover *a, const tr2_mover *b, float speculative, float dt, float turn_least)
{
    const tr2_mover *small = a->extent <= b->extent ? a : b, *large = small == a ? b : a;
    tr_vec2 at = {(float)(small->x - large->x), (float)(small->y - large->y)};
    tr_vec2 carried = {large->velocity_x - large->spin * at.y, large->velocity_y + large->spin * at.x};
    float closing = tr_length(tr_sub((tr_vec2){small->velocity_x, small->velocity_y}, carried)) +
                    fabsf(large->spin - small->spin) * small->extent;
    float way = closing * dt, least = tr_min(a->extent, b->extent);
    float gap_x = fabsf((float)(b->x - a->x)) - (a->half_x + b->half_x);
    float gap_y = fabsf((float)(b->y - a->y)) - (a->half_y + b->half_y);
    near_pair out = {.passing = way > least, .margin = speculative + tr_min(way, least)};
    out.near = !(tr_max(gap_x, gap_y) > out.margin);
    out.turning = tr_max(fabsf(a->spin), fabsf(b->spin)) * dt > turn_least;
    return out;
}

static uint32_t compare(const tr2_mover_pairs *pairs, float turn_least)
{
    static float margins[PAIRS + TR2_CIRCLES_AT_ONCE];
    tr2_near_bits bits[PAIRS / TR2_CIRCLES_AT_ONCE + 1];
    uint32_t near = 0;
    tr2_near_pairs(pairs, turn_least, margins, bits);
    for (uint32_t i = 0; i < pairs->count; i++) {
        const tr2_near_bits *own = &bits[i / TR2_CIRCLES_AT_ONCE];
        uint32_t bit = i % TR2_CIRCLES_AT_ONCE;
        near_pair alone = near_alone(pairs->a[i], pairs->b[i], pairs->speculative, pairs->dt, turn_least);
        assert_int_equal(own->near >> bit & 1, alone.near);
        assert_int_equal(own->passing >> bit & 1, alone.passing);
        assert_int_equal(own->turning >> bit & 1, alone.turning);
        assert_memory_equal(&margins[i], &alone.margin, sizeof alone.margin);
        near += alone.near;
    }
    /* no bits but of pairs */
    uint32_t rest = pairs->count % TR2_CIRCLES_AT_ONCE;
    const tr2_near_bits *last = &bits[pairs->count / TR2_CIRCLES_AT_ONCE];
    if (rest > 0)
        assert_int_equal((last->near | last->passing | last->turning) >> rest, 0);
    return near;
}

static void many_pairs_at_once_are_as_near_as_each_by_itself_on_every_set(void **state)
{
    (void)state;
    static tr2_mover movers[2 * PAIRS];
    static const tr2_mover *a[PAIRS], *b[PAIRS];
    const tr_isa before = tr_get_isa();
    generator random = {5};
    make_movers(&random, movers, 2 * PAIRS);
    for (uint32_t i = 0; i < PAIRS; i++) {
        a[i] = &movers[i];
        b[i] = &movers[2 * PAIRS - 1 - i];
    }
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (tr_set_isa((tr_isa)isa) != TR_OK)
            continue;
        for (uint32_t count = 0; count < 40; count++)
            (void)compare(&(tr2_mover_pairs){a, b, count, 0.02f, 1.0f / 60.0f, 1.0f}, 0.02f);
        uint32_t near = compare(&(tr2_mover_pairs){a, b, PAIRS, 0.02f, 1.0f / 60.0f, 1.0f}, 0.02f);
        /* both answers are tested */
        assert_true(near > PAIRS / 10 && near < 9 * PAIRS / 10);
        (void)compare(&(tr2_mover_pairs){a, b, PAIRS, 0.0f, 0.0f, 1.0f}, 0.02f);
    }
    assert_int_equal(tr_set_isa(before), TR_OK);
}

/* a shape of a body at a transform */
static tr2_shape_place place_at(const tr2_geometry *geometry, const tr2_transform *body)
{
    double c = (double)body->c, s = (double)body->s, x = (double)geometry->center.x, y = (double)geometry->center.y;
    tr2_shape_place out = {.c = body->c, .s = body->s, .geometry = geometry};
    out.at.x = body->position.x + (c * x - s * y);
    out.at.y = body->position.y + (s * x + c * y);
    return out;
}

static tr2_transform transform_at(double x, double y, double angle)
{
    return (tr2_transform){{x, y}, angle, (float)cos(angle), (float)sin(angle)};
}

/* checks that no pair that is called apart has a contact, and returns how many are called so */
static uint32_t count_apart(const tr2_shape_place *const *a, const tr2_shape_place *const *b, const float *margins,
                            const bool *touching, uint32_t pairs)
{
    uint32_t found = 0;
    for (uint32_t first = 0; first < pairs; first += TR2_CIRCLES_AT_ONCE) {
        uint32_t count = pairs - first < TR2_CIRCLES_AT_ONCE ? pairs - first : TR2_CIRCLES_AT_ONCE;
        uint32_t bits = tr2_apart_pairs(a + first, b + first, margins + first, count);
        assert_int_equal(bits >> count, 0);
        for (uint32_t i = 0; i < count; i++) {
            assert_false((bits >> i & 1) != 0 && touching[first + i]);
            found += bits >> i & 1;
        }
    }
    return found;
}

/* Pairs with margins that just reach, or just do not: the distance of their cores is known to a few roundings. */
static void what_is_apart_has_no_contact_on_every_set(void **state)
{
    (void)state;
    static tr2_geometry shapes[2 * PAIRS];
    static tr2_shape_place places[2 * PAIRS];
    static const tr2_shape_place *a[PAIRS], *b[PAIRS];
    static float margins[PAIRS];
    static bool touching[PAIRS];
    const tr_isa before = tr_get_isa();
    generator random = {11};
    uint32_t none = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        tr2_transform bodies[2];
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t n = 2 * i + k;
            shapes[n] = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
            tr2_pose pose = random_pose(&random, 1.5f);
            bodies[k] = transform_at(3e5 + (double)pose.p.x, -7e4 + (double)pose.p.y, (double)uniform(&random, -4, 4));
            places[n] = place_at(&shapes[n], &bodies[k]);
        }
        /* frames are computed from the places, as in a step: rounding then comes in there, too */
        tr2_pose between = tr2_pose_between(&bodies[0], &bodies[1]);
        float distance = tr2_distance(&shapes[2 * i], between, &shapes[2 * i + 1]).distance;
        a[i] = &places[2 * i];
        b[i] = &places[2 * i + 1];
        margins[i] =
            distance * (i % 2 == 0 ? 1.0000003f : 0.99f) - tr2_skin_of(&shapes[2 * i], &shapes[2 * i + 1], 1.0f);
        margins[i] = margins[i] > 0.0f ? margins[i] : 0.0f;
        touching[i] = tr2_collide_solid(&shapes[2 * i], between, &shapes[2 * i + 1], margins[i], 1.0f).count > 0;
        none += !touching[i];
    }
    assert_true(none > PAIRS / 4 && none < PAIRS / 2);
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (tr_set_isa((tr_isa)isa) != TR_OK)
            continue;
        for (uint32_t count = 1; count < 40; count++)
            (void)count_apart(a, b, margins, touching, count);
        uint32_t found = count_apart(a, b, margins, touching, PAIRS);
        assert_in_range(found, 1, none);
    }
    assert_int_equal(tr_set_isa(before), TR_OK);
}

/* Thin boxes side by side at any angle, of which bounding boxes do not tell that they are apart; crossed ones touch,
   and a segment of a chain may get a contact wherever it is. */
static void slanting_boxes_beside_each_other_are_apart(void **state)
{
    (void)state;
    const float margin = 0.02f, gap = 0.0203f;
    tr2_geometry box, segment;
    assert_int_equal(tr2_geometry_box(1.0f, 1.0f, 0.1f, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, &box), TR_OK);
    assert_int_equal(tr2_geometry_chain(1.0f, NULL, (tr_vec2){-1.0f, 0.0f}, (tr_vec2){1.0f, 0.0f}, NULL, &segment),
                     TR_OK);
    for (int i = 0; i < 100; i++) {
        double angle = 0.0628 * i, x = 20.0, y = 3.0, by = 0.2 + (double)gap;
        tr2_transform here = transform_at(x, y, angle), crossed = transform_at(x, y, angle + 1.0);
        tr2_transform beside = transform_at(x - by * sin(angle), y + by * cos(angle), angle);
        tr2_transform near = transform_at(x - (by - 0.001) * sin(angle), y + (by - 0.001) * cos(angle), angle);
        tr2_shape_place first = place_at(&box, &here), others[4] = {place_at(&box, &crossed), place_at(&box, &beside),
                                                                    place_at(&box, &near), place_at(&segment, &beside)};
        const tr2_shape_place *a[4] = {&first, &first, &first, &first};
        const tr2_shape_place *b[4] = {&others[0], &others[1], &others[2], &others[3]};
        assert_int_equal(tr2_apart_pairs(a, b, (const float[4]){margin, margin, margin, margin}, 4), 2);
        assert_int_equal(tr2_apart_pairs(b, a, (const float[4]){margin, margin, margin, margin}, 4), 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_apart_has_no_contact_on_every_set),
        cmocka_unit_test(slanting_boxes_beside_each_other_are_apart),
        cmocka_unit_test(many_pairs_at_once_are_as_near_as_each_by_itself_on_every_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
