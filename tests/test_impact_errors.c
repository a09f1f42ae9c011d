/* What impacts and corrections refuse, and with which message; nothing else makes a result that is not finite. */
#include "impact_pairs.h"

#define COUNT 10000

typedef struct member {
    const char *name; /* as in the message, after "def." */
    size_t offset;    /* of the double in the definition */
    bool negative;    /* may be negative */
} member;

#define MEMBER(type, path, negative) ((member){#path, offsetof(type, path), negative})

/* calls with a copy of a valid definition; returns the status */
typedef tr_status call_with(const void *def, tr_error *error);

/* sets each member to each number that it must not be; the message must name it */
static void check_members(const void *valid, size_t size, const member *members, size_t count, const char *call,
                          call_with *with)
{
    const struct {
        double value;
        tr_status status;
        const char *says;
    } faults[] = {
        {(double)NAN, TR_ERROR_NAN, "is NaN"},
        {(double)INFINITY, TR_ERROR_INFINITE, "is infinite"},
        {(double)-INFINITY, TR_ERROR_INFINITE, "is infinite"},
        {-1e-3, TR_ERROR_NEGATIVE, "must not be negative"},
    };
    _Alignas(max_align_t) unsigned char def[1024];
    assert_true(size <= sizeof def);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
            if (members[i].negative && faults[k].status == TR_ERROR_NEGATIVE)
                continue;
            memcpy(def, valid, size);
            memcpy(def + members[i].offset, &faults[k].value, sizeof faults[k].value);
            tr_error error = {TR_OK, ""};
            assert_int_equal(with(def, &error), faults[k].status);
            assert_int_equal(error.status, faults[k].status);
            char start[TR_MESSAGE_SIZE];
            snprintf(start, sizeof start, "%s: def.%s ", call, members[i].name);
            assert_memory_equal(error.message, start, strlen(start));
            assert_non_null(strstr(error.message, faults[k].says));
            /* without an error to write to */
            assert_int_equal(with(def, NULL), faults[k].status);
        }
}

/* any double but those that are not finite: every exponent, and both zeros */
static double random_bits(uint64_t *state)
{
    double value;
    do {
        uint64_t bits = 0;
        for (int i = 0; i < 4; i++)
            bits = bits << 16 | random_index(state, 1u << 16);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return random_index(state, 8) == 0 ? 0.0 * value : value;
}

/*
 * Impacts
 */
static tr_status impact2(const void *def, tr_error *error)
{
    tr2_impact_result out, before;
    memset(&out, 0x5a, sizeof out);
    memset(&before, 0x5a, sizeof before);
    tr_status status = tr2_impact(def, &out, error);
    assert_memory_equal(&out, &before, sizeof out);
    return status;
}

static tr_status impact3(const void *def, tr_error *error)
{
    tr3_impact_result out, before;
    memset(&out, 0x5a, sizeof out);
    memset(&before, 0x5a, sizeof before);
    tr_status status = tr3_impact(def, &out, error);
    assert_memory_equal(&out, &before, sizeof out);
    return status;
}

static void invalid_numbers_of_impacts_are_named(void **state)
{
    (void)state;
    const tr2_impact_def def2 = {.body_b = {1.0, 1.0, {0.0, 0.0}}, .normal = {0.0, 1.0}};
#define OF(path, negative) MEMBER(tr2_impact_def, path, negative)
    const member members2[] = {
        OF(body_a.inverse_mass, false),
        OF(body_a.inverse_inertia, false),
        OF(body_a.arm.x, true),
        OF(body_a.arm.y, true),
        OF(body_b.inverse_mass, false),
        OF(body_b.inverse_inertia, false),
        OF(body_b.arm.x, true),
        OF(body_b.arm.y, true),
        OF(velocity_a.linear.x, true),
        OF(velocity_a.linear.y, true),
        OF(velocity_a.angular, true),
        OF(velocity_b.linear.x, true),
        OF(velocity_b.linear.y, true),
        OF(velocity_b.angular, true),
        OF(normal.x, true),
        OF(normal.y, true),
        OF(restitution, false),
        OF(bounce_speed, false),
    };
#undef OF
    check_members(&def2, sizeof def2, members2, sizeof members2 / sizeof members2[0], "impact", impact2);

    const tr3_impact_def def3 = reference_def();
#define OF(path, negative) MEMBER(tr3_impact_def, path, negative)
    const member members3[] = {
        OF(body_a.inverse_mass, false),
        OF(body_a.inverse_inertia.xx, false),
        OF(body_a.inverse_inertia.yy, false),
        OF(body_a.inverse_inertia.zz, false),
        OF(body_a.inverse_inertia.xy, true),
        OF(body_a.inverse_inertia.xz, true),
        OF(body_a.inverse_inertia.yz, true),
        OF(body_a.arm.x, true),
        OF(body_a.arm.y, true),
        OF(body_a.arm.z, true),
        OF(body_b.inverse_mass, false),
        OF(body_b.inverse_inertia.zz, false),
        OF(body_b.inverse_inertia.yz, true),
        OF(body_b.arm.z, true),
        OF(velocity_a.linear.x, true),
        OF(velocity_a.angular.y, true),
        OF(velocity_b.linear.z, true),
        OF(velocity_b.angular.x, true),
        OF(normal.x, true),
        OF(normal.z, true),
        OF(restitution, false),
        OF(bounce_speed, false),
    };
#undef OF
    check_members(&def3, sizeof def3, members3, sizeof members3 / sizeof members3[0], "impact", impact3);
}

static void other_errors_of_impacts(void **state)
{
    (void)state;
    tr_error error;
    tr2_impact_def def2 = tr2_impact_def_default();
    tr3_impact_def def3 = reference_def();
    tr2_impact_result out2;
    tr3_impact_result out3;

    assert_int_equal(tr2_impact(NULL, &out2, &error), TR_ERROR_NULL);
    assert_string_equal(error.message, "impact: def is null");
    assert_int_equal(tr3_impact(NULL, &out3, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_impact(&def2, NULL, &error), TR_ERROR_NULL);
    assert_string_equal(error.message, "impact: out is null");
    assert_int_equal(tr3_impact(&def3, NULL, &error), TR_ERROR_NULL);

    /* the default's normal has no length */
    assert_int_equal(impact2(&def2, &error), TR_ERROR_ZERO);
    assert_string_equal(error.message, "impact: def.normal has no length");
    def3.normal = (tr_dvec3){0.0, -0.0, 0.0};
    assert_int_equal(impact3(&def3, &error), TR_ERROR_ZERO);

    /* tensors with a negative eigenvalue, by one minor each; rounding to floats is none */
    const tr_dsym3 wrong[] = {{1.0, 1.0, 1.0, 1.1, 0.0, 0.0},         {1.0, 1.0, 1.0, 0.0, -1.1, 0.0},
                              {1.0, 1.0, 1.0, 0.0, 0.0, 1.1},         {1.0, 1.0, 1.0, 0.9, 0.9, -0.9},
                              {0.0, 0.0, 0.0, 0.0, 1e-9, 0.0},        {1e300, 1e300, 1e300, 0.0, 1.1e300, 0.0},
                              {0.0, 2e-300, 2e-300, 1e-300, 0.0, 0.0}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        def3 = reference_def();
        def3.body_b.inverse_inertia = wrong[i];
        assert_int_equal(impact3(&def3, &error), TR_ERROR_RANGE);
        assert_string_equal(error.message, "impact: def.body_b.inverse_inertia has a negative eigenvalue");
    }
    uint64_t seed = 13;
    for (int i = 0; i < 1000; i++) {
        tr_dvec3 u = times(random_size(&seed), random_direction(&seed, false));
        def3 = reference_def();
        def3.body_b.inverse_inertia =
            (tr_dsym3){(double)(float)(u.x * u.x), (double)(float)(u.y * u.y), (double)(float)(u.z * u.z),
                       (double)(float)(u.x * u.y), (double)(float)(u.x * u.z), (double)(float)(u.y * u.z)};
        assert_int_equal(tr3_impact(&def3, &out3, NULL), TR_OK);
        /* which adds nothing negative to K, however little the masses add */
        def3.body_a = (tr3_point_body){.inverse_mass = 1e-30};
        def3.body_b.inverse_mass = 0.0;
        def3.normal = times(1.0 / length(u), u);
        def3.velocity_a.linear = def3.normal;
        def3.velocity_b.linear = times(-1.0, def3.normal);
        def3.velocity_b.angular = (tr_dvec3){0.0, 0.0, 0.0};
        assert_int_equal(tr3_impact(&def3, &out3, NULL), TR_OK);
        assert_true(out3.inverse_effective_mass >= 1e-30 && out3.impulse > 0.0);
    }

    /* results beyond the doubles */
    def2.normal = (tr_dvec2){1.0, 0.0};
    def2.body_b = (tr2_point_body){1.0, 1.0, {0.0, 1e200}};
    assert_int_equal(impact2(&def2, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "impact: inverse_effective_mass would not be finite");
    /* even where infinities cancel */
    def3 = reference_def();
    def3.body_b.inverse_inertia = (tr_dsym3){1e200, 1e200, 1e200, 0.9e200, 0.0, 0.0};
    def3.body_b.arm = (tr_dvec3){1e150, 2e150, 0.0};
    def3.normal = (tr_dvec3){0.0, 0.0, 1.0};
    assert_int_equal(impact3(&def3, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "impact: inverse_effective_mass would not be finite");
    def2.body_b.arm.y = 0.0;
    def2.velocity_a.linear.x = 1e308;
    def2.velocity_b.linear.x = -1e308;
    assert_int_equal(impact2(&def2, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "impact: normal_velocity would not be finite");
    def2.velocity_a.linear.x = 0.0;
    def2.body_b.inverse_mass = 1e-10;
    assert_int_equal(impact2(&def2, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "impact: impulse would not be finite");
    def2.body_b.inverse_mass = 1.0;
    def2.velocity_b.linear.x = -1e300;
    def2.restitution = 1e8;
    def2.body_a = (tr2_point_body){0.0, 1.0, {0.0, 1.0}};
    def2.velocity_a.angular = -1e308;
    assert_int_equal(impact2(&def2, &error), TR_ERROR_RANGE);
}

/* doubles of any size: a status, or results that are finite */
static void impacts_of_any_doubles_are_finite_or_refused(void **state)
{
    (void)state;
    uint64_t seed = 17;
    uint32_t counts[TR_STATUS_COUNT] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        double numbers[sizeof(tr2_impact_def) / sizeof(double)];
        tr2_impact_def def;
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
            numbers[k] = fabs(random_bits(&seed)) * (random_index(&seed, 2) == 0 ? 1.0 : -1.0);
        memcpy(&def, numbers, sizeof def);
        def.bilateral = random_index(&seed, 2) == 1;
        def.body_a.inverse_mass = fabs(def.body_a.inverse_mass);
        def.body_a.inverse_inertia = fabs(def.body_a.inverse_inertia);
        def.body_b.inverse_mass = fabs(def.body_b.inverse_mass);
        def.body_b.inverse_inertia = fabs(def.body_b.inverse_inertia);
        def.restitution = fabs(def.restitution);
        def.bounce_speed = fabs(def.bounce_speed);
        tr2_impact_result result;
        tr_error error;
        tr_status status = tr2_impact(&def, &result, &error);
        counts[status]++;
        if (status != TR_OK) {
            assert_int_equal(error.status, status);
            continue;
        }
        const double out[] = {result.impulse,
                              result.normal_velocity,
                              result.inverse_effective_mass,
                              result.velocity_a.linear.x,
                              result.velocity_a.linear.y,
                              result.velocity_a.angular,
                              result.velocity_b.linear.x,
                              result.velocity_b.linear.y,
                              result.velocity_b.angular};
        for (size_t k = 0; k < sizeof out / sizeof out[0]; k++)
            assert_true(isfinite(out[k]));
        assert_true(def.bilateral || result.impulse >= 0.0);
    }
    assert_true(counts[TR_OK] > 0 && counts[TR_ERROR_RANGE] > 0 && counts[TR_ERROR_ZERO] > 0);
    assert_int_equal(counts[TR_OK] + counts[TR_ERROR_RANGE] + counts[TR_ERROR_ZERO], COUNT);
}

/*
 * Corrections
 */
static tr_status correction2(const void *def, tr_error *error)
{
    tr2_correction_result out, before;
    memset(&out, 0x5a, sizeof out);
    memset(&before, 0x5a, sizeof before);
    tr_status status = tr2_correction(def, &out, error);
    assert_memory_equal(&out, &before, sizeof out);
    return status;
}

static tr_status correction3(const void *def, tr_error *error)
{
    tr3_correction_result out, before;
    memset(&out, 0x5a, sizeof out);
    memset(&before, 0x5a, sizeof before);
    tr_status status = tr3_correction(def, &out, error);
    assert_memory_equal(&out, &before, sizeof out);
    return status;
}

static void invalid_numbers_of_corrections_are_named(void **state)
{
    (void)state;
    const tr2_correction_def def2 = {.body_b = {1.0, 1.0, {0.0, 0.0}}, .direction = {0.0, 1.0}, .share = 1.0};
#define OF(path, negative) MEMBER(tr2_correction_def, path, negative)
    const member members2[] = {
        OF(body_a.inverse_mass, false),
        OF(body_a.inverse_inertia, false),
        OF(body_a.arm.x, true),
        OF(body_b.inverse_mass, false),
        OF(body_b.inverse_inertia, false),
        OF(body_b.arm.y, true),
        OF(direction.x, true),
        OF(direction.y, true),
        OF(error, true),
        OF(share, false),
        OF(slop, false),
    };
#undef OF
    check_members(&def2, sizeof def2, members2, sizeof members2 / sizeof members2[0], "correction", correction2);

    const tr_dsym3 sphere = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
    const tr3_correction_def def3 = {
        .body_b = {1.0, sphere, {0.0, 0.0, 0.0}}, .direction = {0.0, 1.0, 0.0}, .share = 1.0};
#define OF(path, negative) MEMBER(tr3_correction_def, path, negative)
    const member members3[] = {
        OF(body_a.inverse_mass, false),
        OF(body_b.inverse_inertia.xx, false),
        OF(body_b.inverse_inertia.xz, true),
        OF(body_a.arm.z, true),
        OF(body_b.arm.x, true),
        OF(direction.z, true),
        OF(error, true),
        OF(share, false),
        OF(slop, false),
    };
#undef OF
    check_members(&def3, sizeof def3, members3, sizeof members3 / sizeof members3[0], "correction", correction3);
}

static void other_errors_of_corrections(void **state)
{
    (void)state;
    tr_error error;
    tr2_correction_def def2 = tr2_correction_def_default();
    tr3_correction_def def3 = tr3_correction_def_default();
    tr2_correction_result out2;
    tr3_correction_result out3;

    assert_int_equal(tr2_correction(NULL, &out2, &error), TR_ERROR_NULL);
    assert_string_equal(error.message, "correction: def is null");
    assert_int_equal(tr3_correction(NULL, &out3, NULL), TR_ERROR_NULL);
    assert_int_equal(tr2_correction(&def2, NULL, &error), TR_ERROR_NULL);
    assert_string_equal(error.message, "correction: out is null");
    assert_int_equal(tr3_correction(&def3, NULL, &error), TR_ERROR_NULL);

    assert_int_equal(correction2(&def2, &error), TR_ERROR_ZERO);
    assert_string_equal(error.message, "correction: def.direction has no length");
    assert_int_equal(correction3(&def3, &error), TR_ERROR_ZERO);

    def2.direction.x = 1.0;
    def2.share = 1.5;
    assert_int_equal(correction2(&def2, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "correction: def.share is 1.5, must not be above 1");

    def3.direction.x = 1.0;
    def3.body_a.inverse_inertia.xy = 1.0;
    assert_int_equal(correction3(&def3, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "correction: def.body_a.inverse_inertia has a negative eigenvalue");

    /* results beyond the doubles */
    def2.share = 1.0;
    def2.error = -1e300;
    def2.body_b.inverse_mass = 1e-10;
    assert_int_equal(correction2(&def2, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "correction: lambda would not be finite");
    def2.body_b = (tr2_point_body){0.0, 1e300, {0.0, 1e10}};
    assert_int_equal(correction2(&def2, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "correction: inverse_effective_mass would not be finite");
    def2.body_b = (tr2_point_body){0.0, 1.0, {0.0, 1e-10}};
    assert_int_equal(correction2(&def2, &error), TR_ERROR_RANGE);
}

/* doubles of any size: a status, or results that are finite */
static void corrections_of_any_doubles_are_finite_or_refused(void **state)
{
    (void)state;
    uint64_t seed = 31;
    uint32_t counts[TR_STATUS_COUNT] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        tr3_correction_def def = tr3_correction_def_default();
        tr3_point_body *bodies[2] = {&def.body_a, &def.body_b};
        for (int k = 0; k < 2; k++) {
            bodies[k]->inverse_mass = fabs(random_bits(&seed));
            double xx = fabs(random_bits(&seed));
            bodies[k]->inverse_inertia = (tr_dsym3){xx, fabs(random_bits(&seed)), xx, 0.0, 0.9 * xx, 0.0};
            bodies[k]->arm = (tr_dvec3){random_bits(&seed), random_bits(&seed), random_bits(&seed)};
        }
        def.direction = (tr_dvec3){random_bits(&seed), random_bits(&seed), random_bits(&seed)};
        def.error = random_bits(&seed);
        def.share = random_between(&seed, 0.0, 1.0);
        def.slop = fabs(random_bits(&seed));
        def.bilateral = random_index(&seed, 2) == 1;
        def.linear_only = random_index(&seed, 2) == 1;
        tr3_correction_result result;
        tr_error error;
        tr_status status = tr3_correction(&def, &result, &error);
        counts[status]++;
        if (status != TR_OK) {
            assert_int_equal(error.status, status);
            continue;
        }
        assert_true(isfinite(result.lambda) && isfinite(result.inverse_effective_mass));
        const tr3_displacement *moves[2] = {&result.displacement_a, &result.displacement_b};
        for (int k = 0; k < 2; k++)
            assert_true(isfinite(length(times(1e-160, moves[k]->linear))) &&
                        isfinite(length(times(1e-160, moves[k]->angular))));
        assert_true(def.bilateral || result.lambda >= 0.0);
    }
    assert_true(counts[TR_OK] > 0 && counts[TR_ERROR_RANGE] > 0 && counts[TR_ERROR_ZERO] > 0);
    assert_int_equal(counts[TR_OK] + counts[TR_ERROR_RANGE] + counts[TR_ERROR_ZERO], COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_numbers_of_impacts_are_named),
        cmocka_unit_test(other_errors_of_impacts),
        cmocka_unit_test(impacts_of_any_doubles_are_finite_or_refused),
        cmocka_unit_test(invalid_numbers_of_corrections_are_named),
        cmocka_unit_test(other_errors_of_corrections),
        cmocka_unit_test(corrections_of_any_doubles_are_finite_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
