/* One correction of a position: closed forms, what it conserves. */
#include "impact_pairs.h"

#include <fenv.h>

#define PAIRS 10000

static tr2_correction_result correction2(const tr2_correction_def *def)
{
    tr2_correction_result result;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_correction(def, &result, &error), TR_OK);
    assert_string_equal(error.message, "");
    return result;
}

static tr3_correction_result correction3(const tr3_correction_def *def)
{
    tr3_correction_result result;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr3_correction(def, &result, &error), TR_OK);
    assert_string_equal(error.message, "");
    return result;
}

static tr3_displacement displacement_in_space(const tr2_displacement *displacement)
{
    return (tr3_displacement){in_space(displacement->linear), {0.0, 0.0, displacement->angular}};
}

/* by tr2_correction() if the pair lies in the plane */
static tr3_correction_result correction(const tr3_correction_def *def, bool plane)
{
    if (!plane)
        return correction3(def);
    const tr2_correction_def flat = {
        .body_a = point_in_plane(&def->body_a),
        .body_b = point_in_plane(&def->body_b),
        .direction = {def->direction.x, def->direction.y},
        .error = def->error,
        .share = def->share,
        .slop = def->slop,
        .bilateral = def->bilateral,
        .linear_only = def->linear_only,
    };
    tr2_correction_result result = correction2(&flat);
    return (tr3_correction_result){result.lambda, result.inverse_effective_mass,
                                   displacement_in_space(&result.displacement_a),
                                   displacement_in_space(&result.displacement_b)};
}

static tr3_correction_def def_of(const free_pair *pair, double error)
{
    return (tr3_correction_def){
        .body_a = pair->a.point,
        .body_b = pair->b.point,
        .direction = pair->n,
        .error = error,
        .share = 1.0,
        .bilateral = true,
    };
}

/*
 * Closed forms
 */
/* linear: in proportion to the inverse masses; 1 kg moves three times as far as 3 kg */
static void linear_displacements(void **state)
{
    (void)state;
    tr2_correction_def def = tr2_correction_def_default();
    def.body_a = (tr2_point_body){1.0, 7.0, {0.3, 0.4}};
    def.body_b = (tr2_point_body){1.0 / 3.0, 5.0, {-0.2, 0.9}};
    def.direction = (tr_dvec2){0.6, 0.8};
    def.error = -0.4;
    def.linear_only = true;
    tr2_correction_result result = correction2(&def);
    NEAR("lambda", result.lambda, 0.3, 1e-16);
    NEAR("A, x", result.displacement_a.linear.x, -0.6 * 0.3, 1e-16);
    NEAR("A, y", result.displacement_a.linear.y, -0.8 * 0.3, 1e-16);
    NEAR("B, x", result.displacement_b.linear.x, 0.6 * 0.1, 1e-16);
    NEAR("B, y", result.displacement_b.linear.y, 0.8 * 0.1, 1e-16);
    assert_true(result.displacement_a.angular == 0.0 && result.displacement_b.angular == 0.0);

    /* one body on the ground takes all of it */
    def.body_a = (tr2_point_body){0.0, 0.0, {0.3, 0.4}};
    result = correction2(&def);
    NEAR("B alone, y", result.displacement_b.linear.y, 0.8 * 0.4, 1e-16);
    assert_true(result.displacement_a.linear.x == 0.0 && result.displacement_a.linear.y == 0.0);
}

/* full: the tip of a rod of 1 kg and 1 m, which lies along x, at 1 cm below the floor: K = 1 + 12/4 */
static void full_displacements(void **state)
{
    (void)state;
    tr2_correction_def flat = tr2_correction_def_default();
    flat.body_b = (tr2_point_body){1.0, 12.0, {0.5, 0.0}};
    flat.direction = (tr_dvec2){0.0, 1.0};
    flat.error = -0.01;
    tr2_correction_result result = correction2(&flat);
    NEAR("K", result.inverse_effective_mass, 4.0, 0.0);
    NEAR("lambda", result.lambda, 0.0025, 1e-18);
    NEAR("rise", result.displacement_b.linear.y, 0.0025, 1e-18);
    NEAR("turn", result.displacement_b.angular, 0.015, 1e-17);

    /* in space the rod turns about -y if z is up: the right hand */
    tr3_correction_def space = tr3_correction_def_default();
    space.body_b = (tr3_point_body){1.0, {0.0, 12.0, 12.0, 0.0, 0.0, 0.0}, {0.5, 0.0, 0.0}};
    space.direction = (tr_dvec3){0.0, 0.0, 1.0};
    space.error = -0.01;
    tr3_correction_result turned_up = correction3(&space);
    NEAR3("rise", turned_up.displacement_b.linear, ((tr_dvec3){0.0, 0.0, 0.0025}), 1e-18);
    NEAR3("turn", turned_up.displacement_b.angular, ((tr_dvec3){0.0, -0.015, 0.0}), 1e-17);
}

static void share_slop_and_sides(void **state)
{
    (void)state;
    const struct {
        double error, share, slop;
        bool bilateral;
        double moves; /* B, of 1 kg, along the direction */
    } cases[] = {
        {-0.5, 1.0, 0.0, false, 0.5},    {0.5, 1.0, 0.0, false, 0.0},    {0.5, 1.0, 0.0, true, -0.5},
        {-0.5, 0.25, 0.0, false, 0.125}, {-0.5, 0.0, 0.0, true, 0.0},    {-0.5, 1.0, 0.125, false, 0.375},
        {-0.5, 0.5, 0.25, true, 0.125},  {0.5, 0.5, 0.25, true, -0.125}, {-0.5, 1.0, 0.5, true, 0.0},
        {0.5, 1.0, 0.5, true, 0.0},      {-0.5, 1.0, 0.75, false, 0.0},  {0.25, 1.0, 0.75, true, 0.0},
        {0.0, 1.0, 0.0, true, 0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tr2_correction_def def = tr2_correction_def_default();
        assert_true(def.share == 1.0);
        def.body_b.inverse_mass = 1.0;
        def.direction = (tr_dvec2){1.0, 0.0};
        def.error = cases[i].error;
        def.share = cases[i].share;
        def.slop = cases[i].slop;
        def.bilateral = cases[i].bilateral;
        tr2_correction_result result = correction2(&def);
        NEAR("displacement", result.displacement_b.linear.x, cases[i].moves, 0.0);
        NEAR("lambda", result.lambda, cases[i].moves, 0.0);
    }
}

static void nothing_that_can_move_stays(void **state)
{
    (void)state;
    tr3_correction_def def = tr3_correction_def_default();
    def.direction = (tr_dvec3){1.0, 1.0, 0.0};
    def.error = -1.0;
    assert_true(correction3(&def).lambda == 0.0);
    /* a wheel on a fixed axle: along its spoke, and across it if it may not turn */
    def.body_b.inverse_inertia = (tr_dsym3){2.0, 2.0, 2.0, 0.0, 0.0, 0.0};
    def.body_b.arm = (tr_dvec3){0.1, 0.1, 0.0};
    assert_true(correction3(&def).lambda == 0.0);
    def.body_b.arm = (tr_dvec3){0.1, -0.1, 0.0};
    NEAR("lambda", correction3(&def).lambda, 25.0, 1e-13); /* K = 2 * 0.02 */
    def.linear_only = true;
    assert_true(correction3(&def).lambda == 0.0);
}

/*
 * Laws, for random pairs
 */
static double angle_of(const tr3_correction_result *result)
{
    return fmax(length(result->displacement_a.angular), length(result->displacement_b.angular));
}

static void check_conserved(const free_pair *pair, const tr3_correction_result *result, bool full)
{
    const free_body *a = &pair->a, *b = &pair->b;
    tr_dvec3 moved_a = times(a->mass, result->displacement_a.linear);
    tr_dvec3 moved_b = times(b->mass, result->displacement_b.linear);
    double scale = fabs(result->lambda);
    NEAR3("m dx of A", moved_a, times(-result->lambda, pair->n), 1e-15 * scale);
    NEAR3("centre of mass", plus(moved_a, moved_b), ((tr_dvec3){0.0, 0.0, 0.0}), 1e-15 * scale);

    tr_dvec3 turned_a = product(a->inertia, result->displacement_a.angular);
    tr_dvec3 turned_b = product(b->inertia, result->displacement_b.angular);
    tr_dvec3 moment = plus(plus(cross(a->position, moved_a), cross(b->position, moved_b)), plus(turned_a, turned_b));
    if (full) {
        NEAR3("moment", moment, ((tr_dvec3){0.0, 0.0, 0.0}), 1e-10 * scale);
    } else {
        NEAR3("turn of A", result->displacement_a.angular, ((tr_dvec3){0.0, 0.0, 0.0}), 0.0);
        NEAR3("turn of B", result->displacement_b.angular, ((tr_dvec3){0.0, 0.0, 0.0}), 0.0);
    }
}

static void random_pairs(bool plane)
{
    uint64_t seed = plane ? 4 : 5;
    const tr3_displacement none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (uint32_t i = 0; i < PAIRS; i++) {
        double gap = random_between(&seed, -0.1, 0.1);
        free_pair pair = random_pair(&seed, plane, gap);
        NEAR("gap", separation(&pair, &none, &none, 0.0), gap, 1e-14);
        tr3_correction_def def = def_of(&pair, gap);
        def.share = i % 2 == 0 ? 1.0 : random_between(&seed, 0.0, 1.0);
        def.linear_only = i % 3 == 0;
        tr3_correction_result result = correction(&def, plane);
        NEAR("change of C", result.lambda * result.inverse_effective_mass, -def.share * gap, 1e-16);
        check_conserved(&pair, &result, !def.linear_only);

        /* what is left of C: nothing of a translation, of a turn by the angle t at most r (1 - cos t) each */
        double left = separation(&pair, &result.displacement_a, &result.displacement_b, 1.0);
        double turn = angle_of(&result);
        double arms = length(pair.a.point.arm) + length(pair.b.point.arm);
        NEAR("C after", left, (1.0 - def.share) * gap, 1e-14 + 0.6 * arms * turn * turn);
    }
}

static void laws_in_the_plane(void **state)
{
    (void)state;
    random_pairs(true);
}

static void laws_in_space(void **state)
{
    (void)state;
    random_pairs(false);
}

/* no other displacement that removes C to first order is smaller by mass and inertia */
static void least_displacement(void **state)
{
    (void)state;
    uint64_t seed = 19;
    for (int i = 0; i < 1000; i++) {
        free_pair pair = random_pair(&seed, false, -0.1);
        tr3_correction_def def = def_of(&pair, -0.1);
        tr3_correction_result result = correction3(&def);
        free_body bodies[2] = {pair.a, pair.b};
        tr3_displacement found[2] = {result.displacement_a, result.displacement_b}, other[2];
        /* a random change, less its part along J */
        double along = 0.0, whole = 0.0;
        tr3_displacement j[2];
        for (int k = 0; k < 2; k++) {
            double sign = k == 0 ? -1.0 : 1.0;
            j[k].linear = times(sign, pair.n);
            j[k].angular = times(sign, cross(bodies[k].point.arm, pair.n));
            other[k].linear = times(0.1, random_vector(&seed, false));
            other[k].angular = times(0.1, random_vector(&seed, false));
            along += dot(j[k].linear, other[k].linear) + dot(j[k].angular, other[k].angular);
            whole += dot(j[k].linear, j[k].linear) + dot(j[k].angular, j[k].angular);
        }
        double least = 0.0, more = 0.0;
        for (int k = 0; k < 2; k++) {
            tr_dvec3 x = found[k].linear, w = found[k].angular;
            least += bodies[k].mass * dot(x, x) + dot(w, product(bodies[k].inertia, w));
            x = plus(x, minus(other[k].linear, times(along / whole, j[k].linear)));
            w = plus(w, minus(other[k].angular, times(along / whole, j[k].angular)));
            more += bodies[k].mass * dot(x, x) + dot(w, product(bodies[k].inertia, w));
        }
        assert_true(least < more);
        NEAR("lambda^2 K", least, result.lambda * result.lambda * result.inverse_effective_mass, 1e-10 * least);
    }
}

/* a ball joint is corrected along the line between its points again and again, and closes */
static void repeated_corrections_close_a_joint(void **state)
{
    (void)state;
    for (int plane = 0; plane < 2; plane++) {
        uint64_t seed = 23;
        for (int i = 0; i < 100; i++) {
            free_pair pair = random_pair(&seed, plane == 1, 0.1);
            /* compact bodies, with points not far out */
            free_body *bodies[2] = {&pair.a, &pair.b};
            for (int k = 0; k < 2; k++) {
                double inverse_inertia = 2.0 * bodies[k]->point.inverse_mass;
                bodies[k]->point.inverse_inertia = (tr_dsym3){.zz = inverse_inertia};
                if (plane == 0)
                    bodies[k]->point.inverse_inertia =
                        (tr_dsym3){inverse_inertia, inverse_inertia, inverse_inertia, 0.0, 0.0, 0.0};
            }
            double distance = 0.1;
            int count = 0;
            for (; distance > 1e-12 && count < 200; count++) {
                tr3_correction_def def = def_of(&pair, distance);
                tr3_correction_result result = correction(&def, plane == 1);
                const tr3_displacement *moves[2] = {&result.displacement_a, &result.displacement_b};
                for (int k = 0; k < 2; k++) {
                    bodies[k]->position = plus(bodies[k]->position, moves[k]->linear);
                    bodies[k]->point.arm = turned(bodies[k]->point.arm, moves[k]->angular);
                }
                tr_dvec3 d = minus(plus(pair.b.position, pair.b.point.arm), plus(pair.a.position, pair.a.point.arm));
                distance = length(d);
                if (distance > 0.0)
                    pair.n = times(1.0 / distance, d);
            }
            assert_true(distance <= 1e-12);
        }
    }
}

static void same_bits_in_any_mode_of_arithmetic(void **state)
{
    (void)state;
    uint64_t seed = 29;
    free_pair pair = random_pair(&seed, false, -0.03);
    tr3_correction_def def = def_of(&pair, -0.03);
    tr3_correction_result want = correction3(&def), result;
    const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        tr_status status = tr3_correction(&def, &result, NULL);
        int mode = fegetround();
        fesetround(FE_TONEAREST);
        assert_int_equal(status, TR_OK);
        assert_int_equal(mode, modes[i]);
        assert_memory_equal(&result, &want, sizeof want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_displacements),
        cmocka_unit_test(full_displacements),
        cmocka_unit_test(share_slop_and_sides),
        cmocka_unit_test(nothing_that_can_move_stays),
        cmocka_unit_test(laws_in_the_plane),
        cmocka_unit_test(laws_in_space),
        cmocka_unit_test(least_displacement),
        cmocka_unit_test(repeated_corrections_close_a_joint),
        cmocka_unit_test(same_bits_in_any_mode_of_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
