/* Times of impact: of ten thousand sweeps none ends past an impact and none stops short of one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry.h"
#include "instrumented.h"

#define SWEEPS    TRIALS(10000)
#define TOLERANCE 1e-3f

/* the distance of the surfaces at a time, in double but for the poses */
static double gap_at(const tr2_geometry *a, const tr2_sweep *sweep_a, const tr2_geometry *b, const tr2_sweep *sweep_b,
                     float t)
{
    /* into B's frame and out: exact_separation has A at rest, so both are moved by A's pose taken back in double */
    tr2_pose pa = tr2_sweep_pose(sweep_a, t), pb = tr2_sweep_pose(sweep_b, t);
    tr2_pose between = {tr_rotate_back(pa, tr_sub(pb.p, pa.p)), pa.c * pb.c + pa.s * pb.s, pa.c * pb.s - pa.s * pb.c};
    return exact_separation(a, between, b) - (double)a->radius - (double)b->radius;
}

static tr2_sweep random_sweep(generator *random, float reach, float most_turn)
{
    tr2_sweep sweep = {.center = uniform_point(random, 0.5f)};
    sweep.start = uniform_point(random, reach);
    sweep.end = uniform_point(random, reach);
    double angle = (double)uniform(random, -4.0f, 4.0f), turn = (double)uniform(random, -most_turn, most_turn);
    sweep.c0 = (float)cos(angle);
    sweep.s0 = (float)sin(angle);
    sweep.c1 = (float)cos(angle + turn);
    sweep.s1 = (float)sin(angle + turn);
    return sweep;
}

static void check_sweeps(uint64_t seed, float most_turn, float target, uint32_t *slow)
{
    generator random = {seed};
    uint32_t hits = 0, misses = 0;
    for (uint32_t k = 0; k < SWEEPS; k++) {
        tr2_geometry a = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_geometry b = random_shape(&random, TR2_GEOMETRY_KIND_COUNT);
        tr2_sweep sweep_a = random_sweep(&random, 6.0f, most_turn), sweep_b = random_sweep(&random, 6.0f, most_turn);
        tr2_motion_impact found = tr2_time_of_impact(&a, &sweep_a, &b, &sweep_b, target, TOLERANCE);
        double start = gap_at(&a, &sweep_a, &b, &sweep_b, 0.0f);
        if (found.state == TR2_IMPACT_OVERLAP) {
            assert_true(start < (double)(target + TOLERANCE) + 1e-5);
            continue;
        }
        assert_true(start > (double)target);
        /* all the way up to the time they were apart */
        for (uint32_t i = 0; i <= 40; i++) {
            double gap = gap_at(&a, &sweep_a, &b, &sweep_b, found.time * (float)i / 40.0f);
            assert_true(gap > (double)target - 1e-5);
        }
        if (found.state == TR2_IMPACT_HIT) {
            hits++;
            /* and then they touch */
            double gap = gap_at(&a, &sweep_a, &b, &sweep_b, found.time);
            assert_true(gap < (double)(target + TOLERANCE) + 1e-5);
            assert_true(fabs((double)tr_length(found.normal) - 1.0) < 1e-5);
            double of_a =
                signed_distance(&a, tr2_sweep_pose(&sweep_a, found.time), (double)found.point.x, (double)found.point.y);
            double of_b =
                signed_distance(&b, tr2_sweep_pose(&sweep_b, found.time), (double)found.point.x, (double)found.point.y);
            assert_true(fabs(of_a - 0.5 * gap) < 1e-4 && fabs(of_b - 0.5 * gap) < 1e-4);
        } else if (found.state == TR2_IMPACT_NONE) {
            misses++;
            assert_true(found.time == 1.0f);
        } else {
            (*slow)++;
        }
    }
    assert_true(hits > SWEEPS / 10 && misses > SWEEPS / 10);
}

static void shapes_that_do_not_turn_touch_at_the_time(void **state)
{
    (void)state;
    uint32_t slow = 0;
    check_sweeps(41, 0.0f, 0.0f, &slow);
    assert_int_equal(slow, 0);
}

static void shapes_that_turn_touch_at_the_time(void **state)
{
    (void)state;
    uint32_t slow = 0;
    check_sweeps(42, 1.5f, 0.0f, &slow);
    assert_int_equal(slow, 0);
    check_sweeps(43, 0.2f, 0.01f, &slow);
    assert_int_equal(slow, 0);
}

/* nearly half a turn in a step: the search may give up, but never past an impact */
static void shapes_that_turn_wildly_are_never_past_an_impact(void **state)
{
    (void)state;
    uint32_t slow = 0;
    check_sweeps(44, 2.2f, 0.0f, &slow);
    assert_true(slow < SWEEPS / 200);
    check_sweeps(47, 3.1f, 0.0f, &slow);
    assert_true(slow < SWEEPS / 4);
}

/* a disc of 1 cm at a thousand times its size per step, against a wall without thickness */
static void a_bullet_stops_at_a_wall(void **state)
{
    (void)state;
    generator random = {45};
    tr2_geometry wall, bullet;
    assert_int_equal(tr2_geometry_segment(1.0f, (tr_vec2){0.0f, -50.0f}, (tr_vec2){0.0f, 50.0f}, &wall), TR_OK);
    assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){0.0f, 0.0f}, 0.01f, &bullet), TR_OK);
    tr2_sweep still = {.c0 = 1.0f, .c1 = 1.0f};
    for (uint32_t k = 0; k < SWEEPS; k++) {
        tr2_sweep sweep = {.c0 = 1.0f, .c1 = 1.0f};
        sweep.start = (tr_vec2){uniform(&random, -10.0f, -0.1f), uniform(&random, -20.0f, 20.0f)};
        sweep.end = (tr_vec2){uniform(&random, 0.0f, 10.0f), uniform(&random, -20.0f, 20.0f)};
        tr2_motion_impact found = tr2_time_of_impact(&wall, &still, &bullet, &sweep, 0.0f, TOLERANCE);
        assert_int_equal(found.state, TR2_IMPACT_HIT);
        /* x(t) = -radius, by arithmetic; within the tolerance of the distance */
        float x = tr2_sweep_pose(&sweep, found.time).p.x;
        assert_true(fabs((double)x + 0.01) < (double)TOLERANCE + 1e-5);
        assert_true(found.normal.x < -0.999f);
    }
}

/* a rod that only spins: its tip meets a disc at an angle known from its length */
static void a_spinning_rod_meets_a_disc_at_its_angle(void **state)
{
    (void)state;
    tr2_geometry rod, disc;
    assert_int_equal(tr2_geometry_segment(1.0f, (tr_vec2){-2.0f, 0.0f}, (tr_vec2){2.0f, 0.0f}, &rod), TR_OK);
    assert_int_equal(tr2_geometry_circle(1.0f, (tr_vec2){0.0f, 1.5f}, 0.25f, &disc), TR_OK);
    tr2_sweep spin = {.c0 = 1.0f, .s0 = 0.0f, .c1 = 0.0f, .s1 = 1.0f}, still = {.c0 = 1.0f, .c1 = 1.0f};
    tr2_motion_impact found = tr2_time_of_impact(&rod, &spin, &disc, &still, 0.0f, 1e-4f);
    assert_int_equal(found.state, TR2_IMPACT_HIT);
    /* the line touches the disc where the angle to its centre is asin(0.25 / 1.5) */
    tr2_pose pose = tr2_sweep_pose(&spin, found.time);
    double angle = atan2((double)pose.s, (double)pose.c);
    assert_true(fabs(angle - (TR_PI / 2.0 - asin(0.25 / 1.5))) < 1e-4);
    /* the other way there is nothing until the other end comes up behind: at the same angle */
    spin.s1 = -1.0f;
    found = tr2_time_of_impact(&rod, &spin, &disc, &still, 0.0f, 1e-4f);
    assert_int_equal(found.state, TR2_IMPACT_HIT);
}

static void a_sweep_begins_and_ends_where_it_says(void **state)
{
    (void)state;
    generator random = {46};
    for (uint32_t k = 0; k < 1000; k++) {
        tr2_sweep sweep = random_sweep(&random, 6.0f, 2.0f);
        tr2_pose first = tr2_sweep_pose(&sweep, 0.0f), last = tr2_sweep_pose(&sweep, 1.0f);
        assert_true(tr_length(tr_sub(tr_to_outer(first, sweep.center), sweep.start)) < 2e-6f);
        assert_true(tr_length(tr_sub(tr_to_outer(last, sweep.center), sweep.end)) < 2e-6f);
        assert_true(fabs((double)(first.c - sweep.c0)) < 1e-6 && fabs((double)(first.s - sweep.s0)) < 1e-6);
        assert_true(fabs((double)(last.c - sweep.c1)) < 1e-6 && fabs((double)(last.s - sweep.s1)) < 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_that_do_not_turn_touch_at_the_time),
        cmocka_unit_test(shapes_that_turn_touch_at_the_time),
        cmocka_unit_test(shapes_that_turn_wildly_are_never_past_an_impact),
        cmocka_unit_test(a_bullet_stops_at_a_wall),
        cmocka_unit_test(a_spinning_rod_meets_a_disc_at_its_angle),
        cmocka_unit_test(a_sweep_begins_and_ends_where_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
