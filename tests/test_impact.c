/* The impulse of one impact: reference numbers, conservation laws. */
#include "impact_pairs.h"

#include <fenv.h>

#define PAIRS 10000

static tr2_impact_result impact2(const tr2_impact_def *def)
{
    tr2_impact_result result;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_impact(def, &result, &error), TR_OK);
    assert_string_equal(error.message, "");
    return result;
}

static tr3_impact_result impact3(const tr3_impact_def *def)
{
    tr3_impact_result result;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr3_impact(def, &result, &error), TR_OK);
    assert_string_equal(error.message, "");
    return result;
}

/*
 * Reference numbers of closed forms
 */
static void near_velocity2(tr2_velocity is, double x, double y, double angular)
{
    NEAR("velocity x", is.linear.x, x, 1e-14);
    NEAR("velocity y", is.linear.y, y, 1e-14);
    NEAR("angular velocity", is.angular, angular, 2e-14);
}

static void reference_in_the_plane(void **state)
{
    (void)state;
    /* equal discs head on change velocities */
    tr2_impact_def def = {
        .body_a = {1.0, 1.0, {0.5, 0.0}},
        .body_b = {1.0, 1.0, {-0.5, 0.0}},
        .velocity_a = {.linear = {1.0, 0.0}},
        .velocity_b = {.linear = {-1.0, 0.0}},
        .normal = {1.0, 0.0},
        .restitution = 1.0,
    };
    tr2_impact_result result = impact2(&def);
    NEAR("normal velocity", result.normal_velocity, -2.0, 0.0);
    NEAR("K", result.inverse_effective_mass, 2.0, 0.0);
    NEAR("impulse", result.impulse, 2.0, 0.0);
    near_velocity2(result.velocity_a, -1.0, 0.0, 0.0);
    near_velocity2(result.velocity_b, 1.0, 0.0, 0.0);

    /* off centre */
    def = (tr2_impact_def){
        .body_a = {1.0 / 2.0, 1.0 / 0.3, {0.4, 0.25}},
        .body_b = {1.0 / 5.0, 1.0 / 1.2, {-0.6, -0.1}},
        .velocity_a = {{3.0, -1.0}, 2.0},
        .velocity_b = {{-0.5, 0.25}, -1.0},
        .normal = {0.8, 0.6},
        .restitution = 0.5,
    };
    result = impact2(&def);
    NEAR("normal velocity", result.normal_velocity, -1.85, 1e-14);
    NEAR("K", result.inverse_effective_mass, 0.770666666666666667, 1e-15);
    NEAR("impulse", result.impulse, 3.60077854671280277, 1e-14);
    near_velocity2(result.velocity_a, 1.55968858131487889, -2.08023356401384083, 1.5198961937716263);
    near_velocity2(result.velocity_b, 0.0761245674740484429, 0.682093425605536332, -1.84018166089965398);

    /* the tip of a rod on the floor: one of 1e30 kg, and one that cannot move */
    def = (tr2_impact_def){
        .body_a = {1e-30, 1e-30, {0.0, 0.0}},
        .body_b = {1.0, 12.0, {0.433012701892219323, -0.25}},
        .velocity_b = {.linear = {0.0, -4.0}},
        .normal = {0.0, 1.0},
        .restitution = 0.8,
    };
    for (int floor = 0; floor < 2; floor++) {
        result = impact2(&def);
        NEAR("normal velocity", result.normal_velocity, -4.0, 0.0);
        NEAR("K", result.inverse_effective_mass, 3.25, 1e-15);
        NEAR("impulse", result.impulse, 2.21538461538461538, 1e-15);
        near_velocity2(result.velocity_b, 0.0, -1.78461538461538462, 11.5114761364577691);
        NEAR("floor", result.velocity_a.linear.y, floor == 0 ? -2.21538461538461538e-30 : 0.0, 1e-45);
        def.body_a = (tr2_point_body){0.0, 0.0, {0.0, 0.0}};
    }
}

static void reference_in_space(void **state)
{
    (void)state;
    tr3_impact_def def = reference_def();
    tr3_impact_result result = impact3(&def);
    NEAR("normal velocity", result.normal_velocity, -2.85, 1e-14);
    NEAR("K", result.inverse_effective_mass, 1.49523227263147151, 1e-15);
    NEAR("impulse", result.impulse, 3.04969340447341916, 1e-14);
    NEAR3("velocity of A", result.velocity_a.linear,
          ((tr_dvec3){0.322290354561462409, 2.3388548227192688, 2.32229035456146241}), 1e-14);
    NEAR3("angular velocity of A", result.velocity_a.angular,
          ((tr_dvec3){0.163221164513571891, -0.126995919476414736, 0.4573772093616857}), 1e-14);
    NEAR3("velocity of B", result.velocity_b.linear,
          ((tr_dvec3){-0.644580709122924818, -0.177709645438537591, 2.35541929087707518}), 1e-14);
    NEAR3("angular velocity of B", result.velocity_b.angular,
          ((tr_dvec3){1.80712153753232869, 1.45541929087707518, -0.338699630060835796}), 1e-14);
}

/* a bob that falls 1.895 m from beside its pivot until a rope of 1 m is taut: C = length - distance, so
   n = -d/abs(d) */
static void rope_that_becomes_taut(void **state)
{
    (void)state;
    tr2_impact_def def = {
        .body_b = {.inverse_mass = 1.0},
        .velocity_b = {.linear = {0.0, -6.15627718204211457}},
        .normal = {-0.1, 0.994987437106619955},
    };
    tr2_impact_result result = impact2(&def);
    NEAR("normal speed", -result.normal_velocity, 6.125418455478048, 1e-14);
    tr_dvec2 v = result.velocity_b.linear;
    NEAR("tangential speed", sqrt(v.x * v.x + v.y * v.y), 0.615627718204211457, 1e-14);
    NEAR("lost energy", 0.5 * (6.15627718204211457 * 6.15627718204211457 - v.x * v.x - v.y * v.y), 18.7603756273555376,
         1e-13);
    def.restitution = 1.0;
    result = impact2(&def);
    NEAR("velocity x", result.velocity_b.linear.x, -1.2250836910956096, 1e-14);
    NEAR("velocity y", result.velocity_b.linear.y, 6.03315163840127228, 1e-14);
}

/* a rod of 1 kg and 1 m that hangs on a hinge is struck by 1 N s at d below it: the hinge's impulse along x */
static void struck_rod_on_a_hinge(void **state)
{
    (void)state;
    const double rows[][3] = {{0.0, 0.0, -1.0},      {0.25, 0.75, -0.625}, {0.5, 1.5, -0.25},
                              {2.0 / 3.0, 2.0, 0.0}, {0.75, 2.25, 0.125},  {1.0, 3.0, 0.5}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double d = rows[i][0];
        /* first as if free: P at y = 0.5 - d turns the rod by (d - 0.5) / I */
        tr2_impact_def def = {
            .body_b = {1.0, 12.0, {0.0, 0.5}},
            .velocity_b = {{1.0, 0.0}, (d - 0.5) * 12.0},
            .normal = {1.0, 0.0},
            .bilateral = true,
        };
        tr2_impact_result result = impact2(&def);
        NEAR("angular velocity", result.velocity_b.angular, rows[i][1], 1e-14);
        NEAR("impulse of the hinge", result.impulse, rows[i][2], 1e-14);
        NEAR("velocity at the hinge", result.velocity_b.linear.x - 0.5 * result.velocity_b.angular, 0.0, 1e-14);
    }
}

/*
 * Laws, for random pairs
 */
static tr3_impact_def def_of(const free_pair *pair, double restitution)
{
    return (tr3_impact_def){
        .body_a = pair->a.point,
        .body_b = pair->b.point,
        .velocity_a = pair->a.velocity,
        .velocity_b = pair->b.velocity,
        .normal = pair->n,
        .restitution = restitution,
    };
}

static tr2_velocity velocity_in_plane(const tr3_velocity *velocity)
{
    return (tr2_velocity){{velocity->linear.x, velocity->linear.y}, velocity->angular.z};
}

static tr3_velocity velocity_in_space(const tr2_velocity *velocity)
{
    return (tr3_velocity){in_space(velocity->linear), {0.0, 0.0, velocity->angular}};
}

/* by tr2_impact() if the pair lies in the plane */
static tr3_impact_result impact(const tr3_impact_def *def, bool plane)
{
    if (!plane)
        return impact3(def);
    const tr2_impact_def flat = {
        .body_a = point_in_plane(&def->body_a),
        .body_b = point_in_plane(&def->body_b),
        .velocity_a = velocity_in_plane(&def->velocity_a),
        .velocity_b = velocity_in_plane(&def->velocity_b),
        .normal = {def->normal.x, def->normal.y},
        .restitution = def->restitution,
        .bounce_speed = def->bounce_speed,
        .bilateral = def->bilateral,
    };
    tr2_impact_result result = impact2(&flat);
    return (tr3_impact_result){result.impulse, result.normal_velocity, result.inverse_effective_mass,
                               velocity_in_space(&result.velocity_a), velocity_in_space(&result.velocity_b)};
}

static double energy(const free_body *body, const tr3_velocity *v)
{
    return 0.5 * (body->mass * dot(v->linear, v->linear) + dot(v->angular, product(body->inertia, v->angular)));
}

/* about the world's origin */
static tr_dvec3 angular_momentum(const free_body *body, const tr3_velocity *v)
{
    return plus(cross(body->position, times(body->mass, v->linear)), product(body->inertia, v->angular));
}

static double normal_velocity(const free_pair *pair, const tr3_velocity *a, const tr3_velocity *b)
{
    tr_dvec3 point_a = plus(a->linear, cross(a->angular, pair->a.point.arm));
    tr_dvec3 point_b = plus(b->linear, cross(b->angular, pair->b.point.arm));
    return dot(pair->n, minus(point_b, point_a));
}

/* I dw = r x (impulse n), m dv = impulse n, with the inertia itself: M dv = J^T lambda, nothing but a push along n */
static void check_push(const free_body *body, const tr3_velocity *after, tr_dvec3 impulse, double tolerance)
{
    NEAR3("m dv", times(body->mass, minus(after->linear, body->velocity.linear)), impulse, tolerance);
    NEAR3("I dw", product(body->inertia, minus(after->angular, body->velocity.angular)),
          cross(body->point.arm, impulse), tolerance);
}

static void check_laws(const free_pair *pair, double restitution, const tr3_impact_result *result)
{
    const free_body *a = &pair->a, *b = &pair->b;
    double before = normal_velocity(pair, &a->velocity, &b->velocity);
    double after = normal_velocity(pair, &result->velocity_a, &result->velocity_b);
    NEAR("normal velocity", result->normal_velocity, before, 1e-13);
    NEAR("rebound", after, -restitution * before, 1e-10);
    assert_true(result->impulse > 0.0);

    /* rounding is relative to what the bodies carry, and grows with the ratio of the eigenvalues of the inertia */
    double carried = (a->mass + b->mass) * 10.0 + result->impulse;
    check_push(a, &result->velocity_a, times(-result->impulse, pair->n), 1e-11 * carried);
    check_push(b, &result->velocity_b, times(result->impulse, pair->n), 1e-11 * carried);
    NEAR3("momentum", plus(times(a->mass, result->velocity_a.linear), times(b->mass, result->velocity_b.linear)),
          plus(times(a->mass, a->velocity.linear), times(b->mass, b->velocity.linear)), 1e-13 * carried);
    NEAR3("angular momentum", plus(angular_momentum(a, &result->velocity_a), angular_momentum(b, &result->velocity_b)),
          plus(angular_momentum(a, &a->velocity), angular_momentum(b, &b->velocity)), 1e-11 * carried);

    /* the loss is (1 - e^2) v^2 / (2 K) */
    double energy_before = energy(a, &a->velocity) + energy(b, &b->velocity);
    double energy_after = energy(a, &result->velocity_a) + energy(b, &result->velocity_b);
    double loss = 0.5 * (1.0 - restitution * restitution) * before * before / result->inverse_effective_mass;
    NEAR("loss of energy", energy_before - energy_after, loss, 1e-10 * energy_before);
    if (restitution <= 1.0)
        assert_true(energy_after <= energy_before * (1.0 + 1e-10));
}

static void random_pairs(bool plane)
{
    uint64_t seed = plane ? 2 : 3;
    uint32_t approaching = 0, apart = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        free_pair pair = random_pair(&seed, plane, 0.0);
        double restitution = i % 4 == 0 ? 0.0 : i % 4 == 1 ? 1.0 : random_between(&seed, 0.0, 1.5);
        tr3_impact_def def = def_of(&pair, restitution);
        tr3_impact_result result = impact(&def, plane);
        if (result.normal_velocity < 0.0) {
            approaching++;
            check_laws(&pair, restitution, &result);
            continue;
        }
        /* a contact that opens is left alone, to the bit */
        apart++;
        assert_true(result.impulse == 0.0);
        assert_memory_equal(&result.velocity_a, &pair.a.velocity, sizeof result.velocity_a);
        assert_memory_equal(&result.velocity_b, &pair.b.velocity, sizeof result.velocity_b);
        /* a rod is not: the same impact, seen along the opposite normal */
        def.bilateral = true;
        tr3_impact_result rod = impact(&def, plane);
        assert_true(rod.impulse <= 0.0);
        def.bilateral = false;
        def.normal = times(-1.0, def.normal);
        tr3_impact_result opposite = impact(&def, plane);
        NEAR("impulse along the opposite normal", rod.impulse, -opposite.impulse, 0.0);
        NEAR3("velocity", rod.velocity_b.linear, opposite.velocity_b.linear, 0.0);
        NEAR3("angular velocity", rod.velocity_b.angular, opposite.velocity_b.angular, 0.0);
    }
    assert_true(approaching > PAIRS / 3 && apart > PAIRS / 3);
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

/* J: the normal velocity is the rate of n . (qB - qA), by a central difference along the velocities */
static void normal_velocity_is_the_rate_of_the_separation(void **state)
{
    (void)state;
    const double h = 1e-5;
    for (int plane = 0; plane < 2; plane++) {
        uint64_t seed = 11;
        for (int i = 0; i < 1000; i++) {
            free_pair pair = random_pair(&seed, plane == 1, 0.3);
            tr3_impact_def def = def_of(&pair, 0.0);
            tr3_impact_result result = impact(&def, plane == 1);
            const tr3_displacement a = {pair.a.velocity.linear, pair.a.velocity.angular};
            const tr3_displacement b = {pair.b.velocity.linear, pair.b.velocity.angular};
            double rate = (separation(&pair, &a, &b, h) - separation(&pair, &a, &b, -h)) / (2.0 * h);
            /* third derivative up to w^3 r = 1,100: 2e-8, and rounding 1e-15/h */
            NEAR("rate", result.normal_velocity, rate, 5e-8);
        }
    }
}

/*
 * Cases
 */
static void bounces_above_the_threshold_only(void **state)
{
    (void)state;
    tr2_impact_def def = {
        .body_b = {1.0, 1.0, {0.0, -0.5}},
        .velocity_b = {.linear = {0.25, -0.5}},
        .normal = {0.0, 1.0},
        .restitution = 0.5,
        .bounce_speed = 0.5,
    };
    assert_true(impact2(&def).velocity_b.linear.y == 0.0);
    def.bounce_speed = nextafter(0.5, 0.0);
    assert_true(impact2(&def).velocity_b.linear.y == 0.25);
    def.bounce_speed = 0.0;
    assert_true(impact2(&def).velocity_b.linear.y == 0.25);
    assert_true(impact2(&def).velocity_b.linear.x == 0.25);
    /* of a rod the speed counts, whichever its sign */
    def.bilateral = true;
    def.velocity_b.linear.y = 0.5;
    assert_true(impact2(&def).velocity_b.linear.y == -0.25);
    def.bounce_speed = 0.5;
    assert_true(impact2(&def).velocity_b.linear.y == 0.0);

    /* at rest: a zero without sign */
    def.velocity_b.linear.y = 0.0;
    assert_false(signbit(impact2(&def).impulse));
    def.bilateral = false;
    assert_false(signbit(impact2(&def).impulse));
}

/* a bat of a given velocity: the ball leaves with (1 + e) v */
static void what_cannot_move_still_has_its_velocity(void **state)
{
    (void)state;
    tr3_impact_def def = tr3_impact_def_default();
    def.body_b.inverse_mass = 2.0;
    def.velocity_a.linear = (tr_dvec3){3.0, 1.0, 0.0};
    def.velocity_a.angular = (tr_dvec3){0.0, 0.0, 2.0};
    def.body_a.arm = (tr_dvec3){0.0, -1.0, 0.0}; /* there it is 2 m/s faster */
    def.normal = (tr_dvec3){1.0, 0.0, 0.0};
    def.restitution = 0.5;
    tr3_impact_result result = impact3(&def);
    NEAR("ball", result.velocity_b.linear.x, 7.5, 0.0);
    NEAR("impulse", result.impulse, 3.75, 0.0);
    assert_memory_equal(&result.velocity_a, &def.velocity_a, sizeof result.velocity_a);
}

static void nothing_that_can_move_gets_no_impulse(void **state)
{
    (void)state;
    for (int bilateral = 0; bilateral < 2; bilateral++) {
        tr3_impact_def def = tr3_impact_def_default();
        def.bilateral = bilateral == 1;
        def.body_a.arm = (tr_dvec3){0.3, 0.2, 0.1};
        def.normal = (tr_dvec3){1.0, 2.0, 3.0};
        def.velocity_b.linear = (tr_dvec3){-1.0, -1.0, -1.0};
        tr3_impact_result result = impact3(&def);
        assert_true(result.impulse == 0.0 && result.inverse_effective_mass == 0.0 && result.normal_velocity < 0.0);
        assert_memory_equal(&result.velocity_b, &def.velocity_b, sizeof result.velocity_b);

        /* a wheel on a fixed axle, hit along its spoke: any of these directions, however they are rounded */
        uint64_t seed = 5;
        for (int i = 0; i < 1000; i++) {
            tr2_impact_def wheel = tr2_impact_def_default();
            tr_dvec3 n = random_direction(&seed, true);
            double radius = random_size(&seed);
            wheel.bilateral = bilateral == 1;
            wheel.body_b.inverse_inertia = random_size(&seed);
            wheel.body_b.arm = (tr_dvec2){-radius * n.x, -radius * n.y};
            wheel.normal = (tr_dvec2){n.x, n.y};
            wheel.velocity_a.linear = (tr_dvec2){n.x, n.y};
            wheel.velocity_b.angular = 1.0;
            assert_true(impact2(&wheel).impulse == 0.0);
            assert_true(impact2(&wheel).velocity_b.angular == 1.0);
            /* and across it: it turns as fast as what hits it */
            wheel.normal = (tr_dvec2){-n.y, n.x};
            wheel.velocity_a.linear = (tr_dvec2){-5.0 * n.y, 5.0 * n.x};
            wheel.velocity_b.angular = 0.0;
            NEAR("rim", impact2(&wheel).velocity_b.angular * -radius, 5.0, 1e-13);
        }

        /* in space, about an axle u: the lever r x n is across it */
        for (int i = 0; i < 1000; i++) {
            tr_dvec3 u = random_direction(&seed, false), n = random_direction(&seed, false);
            def = tr3_impact_def_default();
            def.bilateral = bilateral == 1;
            def.body_b.inverse_inertia = (tr_dsym3){u.x * u.x, u.y * u.y, u.z * u.z, u.x * u.y, u.x * u.z, u.y * u.z};
            /* r in the plane of u and n */
            def.body_b.arm =
                plus(times(random_between(&seed, -1.0, 1.0), u), times(random_between(&seed, -1.0, 1.0), n));
            def.normal = n;
            def.velocity_a.linear = n;
            assert_true(impact3(&def).impulse == 0.0);
        }
    }
}

static void normal_of_any_length(void **state)
{
    (void)state;
    tr3_impact_def def = reference_def();
    tr3_impact_result want = impact3(&def);
    /* powers of two, so that the direction is the same to the bit */
    const double lengths[] = {0x1p-1020, 0x1p-500, 0x1p1, 0x1p600, 0x1p1023};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        def = reference_def();
        def.normal = times(lengths[i], def.normal);
        tr3_impact_result result = impact3(&def);
        assert_memory_equal(&result, &want, sizeof want);
    }
}

/* the numbers of the plane in space: the same bits */
static void plane_is_a_part_of_space(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 1000; i++) {
        free_pair pair = random_pair(&seed, true, 0.0);
        tr3_impact_def def = def_of(&pair, random_between(&seed, 0.0, 1.0));
        def.bilateral = true;
        tr3_impact_result flat = impact(&def, true), space = impact(&def, false);
        assert_true(flat.impulse == space.impulse);
        NEAR3("velocity", flat.velocity_b.linear, space.velocity_b.linear, 0.0);
        NEAR3("angular velocity", flat.velocity_b.angular, space.velocity_b.angular, 0.0);
    }
}

static void same_bits_in_any_mode_of_arithmetic(void **state)
{
    (void)state;
    tr3_impact_def def = reference_def();
    tr3_impact_result want = impact3(&def), result;
    const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        tr_status status = tr3_impact(&def, &result, NULL);
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
        cmocka_unit_test(reference_in_the_plane),
        cmocka_unit_test(reference_in_space),
        cmocka_unit_test(rope_that_becomes_taut),
        cmocka_unit_test(struck_rod_on_a_hinge),
        cmocka_unit_test(laws_in_the_plane),
        cmocka_unit_test(laws_in_space),
        cmocka_unit_test(normal_velocity_is_the_rate_of_the_separation),
        cmocka_unit_test(bounces_above_the_threshold_only),
        cmocka_unit_test(what_cannot_move_still_has_its_velocity),
        cmocka_unit_test(nothing_that_can_move_gets_no_impulse),
        cmocka_unit_test(normal_of_any_length),
        cmocka_unit_test(plane_is_a_part_of_space),
        cmocka_unit_test(same_bits_in_any_mode_of_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
