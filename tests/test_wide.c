/*
 * The vocabulary of lanes: every operation at every width that this machine has is the operation of IEEE 754 that C's
 * own arithmetic gives, on all kinds of numbers; and sine and cosine against the C library in double.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "solver/core/system.h"
#include "wide/wide_ops.h"

#define RUNS 20000

static const wide_ops *ops_of(tr_isa isa)
{
    switch (isa) {
    case TR_ISA_SCALAR:
        return &wide_ops_scalar;
#if defined(__x86_64__)
    case TR_ISA_SSE2:
        return &wide_ops_sse2;
#if defined(TR_HAVE_AVX2)
    case TR_ISA_AVX2:
        return &wide_ops_avx2;
#endif
#if defined(TR_HAVE_AVX512)
    case TR_ISA_AVX512:
        return &wide_ops_avx512;
#endif
#elif defined(__aarch64__)
    case TR_ISA_NEON:
        return &wide_ops_neon;
#endif
    default:
        return NULL;
    }
}

static uint32_t random_bits(uint64_t *seed)
{
    random_step(seed);
    return (uint32_t)(*seed >> 32);
}

static float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t as_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* any bits, special values, or a plain number */
static float random_number(uint64_t *seed)
{
    static const float special[] = {0.0f,    -0.0f,    1.0f,    -1.0f,    0.5f,   INFINITY, -INFINITY,      NAN,
                                    FLT_MIN, -FLT_MIN, FLT_MAX, -FLT_MAX, 1e-45f, -1e-45f,  0x1.fffffep-1f, 3.0f};
    uint32_t kind = random_bits(seed) % 4;
    if (kind == 0)
        return special[random_bits(seed) % (sizeof special / sizeof special[0])];
    if (kind == 1)
        return as_float(random_bits(seed));
    return (float)(int32_t)random_bits(seed) * 0x1p-24f;
}

/* what the operation is, in C; for one lane */
static float expected(wide_op op, float a, float b, float c)
{
    float clamped;
    switch (op) {
    case WIDE_ADD:
        return a + b;
    case WIDE_SUBTRACT:
        return a - b;
    case WIDE_MULTIPLY:
        return a * b;
    case WIDE_DIVIDE:
        return a / b;
    case WIDE_NEGATE:
        return -a;
    case WIDE_SQRT:
        return sqrtf(a);
    case WIDE_ABS:
        return fabsf(a);
    case WIDE_LT:
        return a < b ? 1.0f : 0.0f;
    case WIDE_LE:
        return a <= b ? 1.0f : 0.0f;
    case WIDE_EQ:
        return a == b ? 1.0f : 0.0f;
    case WIDE_AND:
        return a < b && b < c ? 1.0f : 0.0f;
    case WIDE_OR:
        return a < b || b < c ? 1.0f : 0.0f;
    case WIDE_SELECT:
        return a < b ? c : a;
    case WIDE_MIN:
        return a < b ? a : b;
    case WIDE_MAX:
        return b < a ? a : b;
    case WIDE_CLAMP:
        clamped = b < a ? a : b;
        return clamped < c ? clamped : c;
    case WIDE_KEEP:
        return a < b ? c : 0.0f;
    case WIDE_INVERSE_OR_ZERO:
        return a == 0.0f || isnan(a) ? 0.0f : 1.0f / a;
    default:
        fail_msg("no such operation");
        return 0.0f;
    }
}

/* the same bits, except that one not-a-number is as good as another */
static bool same(float a, float b)
{
    return (isnan(a) && isnan(b)) || as_bits(a) == as_bits(b);
}

static void check_operation(const wide_ops *ops, wide_op op)
{
    uint64_t seed = 1 + (uint64_t)op;
    for (int run = 0; run < RUNS / WIDE_LANES; run++) {
        float a[WIDE_LANES], b[WIDE_LANES], c[WIDE_LANES], out[WIDE_LANES];
        for (int i = 0; i < WIDE_LANES; i++) {
            a[i] = random_number(&seed);
            b[i] = random_bits(&seed) % 8 == 0 ? a[i] : random_number(&seed);
            c[i] = random_number(&seed);
        }
        ops->run(op, a, b, c, out);
        for (int i = 0; i < WIDE_LANES; i++) {
            float want = expected(op, a[i], b[i], c[i]);
            if (!same(out[i], want))
                fail_msg("operation %d at width %u: of %a, %a, %a: is %a, must be %a", (int)op, ops->width,
                         (double)a[i], (double)b[i], (double)c[i], (double)out[i], (double)want);
        }
    }
}

static void every_operation_is_that_of_c_at_every_width(void **state)
{
    (void)state;
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        const wide_ops *ops = ops_of((tr_isa)isa);
        assert_non_null(ops);
        assert_int_equal(ops->width, tr_isa_width((tr_isa)isa));
        for (int op = 0; op < WIDE_ROUND; op++)
            check_operation(ops, (wide_op)op);
        check_operation(ops, WIDE_INVERSE_OR_ZERO);
        float out[WIDE_LANES];
        ops->set(-0.0f, out);
        for (int i = 0; i < WIDE_LANES; i++)
            assert_int_equal(as_bits(out[i]), as_bits(-0.0f));
    }
}

static void rounding_goes_to_the_nearest_even(void **state)
{
    (void)state;
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        uint64_t seed = 5;
        for (int run = 0; run < RUNS / WIDE_LANES; run++) {
            float a[WIDE_LANES], out[WIDE_LANES];
            for (int i = 0; i < WIDE_LANES; i++) {
                a[i] = (float)((int32_t)random_bits(&seed) % 4194304);
                /* halves now and then */
                a[i] = run % 2 == 0 ? 0.25f * a[i] : a[i] * 0x1p-10f;
            }
            ops_of((tr_isa)isa)->run(WIDE_ROUND, a, a, a, out);
            for (int i = 0; i < WIDE_LANES; i++)
                if (out[i] != rintf(a[i]))
                    fail_msg("round of %a is %a", (double)a[i], (double)out[i]);
        }
    }
}

static void all_and_bits_mean_the_lanes_of_the_group(void **state)
{
    (void)state;
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        const wide_ops *ops = ops_of((tr_isa)isa);
        int width = (int)ops->width;
        const float one[WIDE_LANES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        /* one false lane after another, and at last none */
        for (int no = 0; no <= WIDE_LANES; no++) {
            float a[WIDE_LANES] = {0}, out[WIDE_LANES];
            if (no < WIDE_LANES)
                a[no] = 2.0f;
            ops->all(a, one, out);
            for (int i = 0; i < WIDE_LANES; i++)
                assert_true(out[i] == (no < WIDE_LANES && no / width == i / width ? 0.0f : 1.0f));
            /* a bit for each lane of the group, and none beyond them */
            ops->bits(a, one, out);
            for (int i = 0; i < WIDE_LANES; i++)
                assert_true(out[i] == (no == i ? 0.0f : 1.0f));
        }
    }
}

static void rows_are_loaded_and_stored_by_index(void **state)
{
    (void)state;
    enum { ROWS = 40, STRIDE = 6, END = 25 };
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        const wide_ops *ops = ops_of((tr_isa)isa);
        uint64_t seed = 9;
        for (int run = 0; run < 200; run++) {
            float base[ROWS * STRIDE], before[ROWS * STRIDE], columns[4][WIDE_LANES];
            int32_t index[WIDE_LANES], order[ROWS];
            for (int i = 0; i < ROWS * STRIDE; i++)
                base[i] = (float)i;
            for (int i = 0; i < ROWS; i++)
                order[i] = i;
            /* distinct rows in random order */
            for (int i = 0; i < WIDE_LANES; i++) {
                int j = i + (int)(random_bits(&seed) % (uint32_t)(ROWS - i));
                index[i] = order[j];
                order[j] = order[i];
            }
            ops->load_rows(base, index, STRIDE, columns);
            for (int i = 0; i < WIDE_LANES; i++)
                for (int m = 0; m < 4; m++)
                    assert_true(columns[m][i] == (float)(index[i] * STRIDE + m));

            /* what is stored arrives, and nothing beside it */
            memcpy(before, base, sizeof before);
            for (int i = 0; i < WIDE_LANES; i++)
                for (int m = 0; m < 4; m++)
                    columns[m][i] = -(float)(index[i] * STRIDE + m);
            bool below = run % 2 == 1;
            if (below)
                ops->store_rows_below(base, index, STRIDE, columns, END);
            else
                ops->store_rows(base, index, STRIDE, columns);
            for (int i = 0; i < WIDE_LANES; i++)
                for (int m = 0; m < 4 && (!below || index[i] < END); m++)
                    before[index[i] * STRIDE + m] = -before[index[i] * STRIDE + m];
            assert_memory_equal(base, before, sizeof before);
        }
    }
}

/* error in units of the last place of the exact value, but not of values nearer to zero than `least` */
static double ulps(float value, double exact, double least)
{
    double scale = fabs(exact) > least ? fabs(exact) : least;
    int exponent;
    (void)frexp(scale, &exponent);
    return fabs((double)value - exact) / ldexp(1.0, exponent - FLT_MANT_DIG);
}

/*
 * The reduction subtracts q pi/2 with pi/2 known to about 2^-50, so at 4096 the argument is off by 2608 * 2^-50 = 2e-12
 * and by the rounding of the last product (2^-24 of 2608 * 7.5e-8 = 1e-11): next to nothing beside a last place of
 * 6e-8, except where the function itself is near zero; hence `least`.
 */
static void sine_and_cosine_are_within_two_last_places(void **state)
{
    (void)state;
    uint64_t seed = 3;
    double worst = 0.0;
    for (int run = 0; run < 40 * RUNS / WIDE_LANES; run++) {
        float a[WIDE_LANES], sine[WIDE_LANES], cosine[WIDE_LANES];
        for (int i = 0; i < WIDE_LANES; i++) {
            float range = run % 3 == 0 ? 4096.0f : run % 3 == 1 ? 10.0f : 0.01f;
            a[i] = (float)(int32_t)random_bits(&seed) * 0x1p-31f * range;
        }
        wide_ops_scalar.run(WIDE_SINE, a, a, a, sine);
        wide_ops_scalar.run(WIDE_COSINE, a, a, a, cosine);
        for (int i = 0; i < WIDE_LANES; i++) {
            double s = ulps(sine[i], sin((double)a[i]), 1e-3), c = ulps(cosine[i], cos((double)a[i]), 1e-3);
            worst = s > worst ? s : worst;
            worst = c > worst ? c : worst;
            if (s > 2.0 || c > 2.0)
                fail_msg("at %a sine is off by %g last places, cosine by %g", (double)a[i], s, c);
        }
    }
    print_message("worst error %g last places\n", worst);
    const float zero[WIDE_LANES] = {0};
    float out[WIDE_LANES];
    wide_ops_scalar.run(WIDE_SINE, zero, zero, zero, out);
    assert_true(out[0] == 0.0f);
    wide_ops_scalar.run(WIDE_COSINE, zero, zero, zero, out);
    assert_true(out[0] == 1.0f);
}

/* against the C library's in double, in all quadrants, and near the axes and the diagonals */
static void the_arc_tangent_is_within_three_last_places(void **state)
{
    (void)state;
    uint64_t seed = 5;
    double worst = 0.0;
    for (int run = 0; run < 40 * RUNS / WIDE_LANES; run++) {
        float y[WIDE_LANES], x[WIDE_LANES], angle[WIDE_LANES];
        for (int i = 0; i < WIDE_LANES; i++) {
            float small = run % 3 == 0 ? 1.0f : run % 3 == 1 ? 1e-3f : 1e-20f;
            y[i] = (float)(int32_t)random_bits(&seed) * 0x1p-31f * small;
            x[i] = (float)(int32_t)random_bits(&seed) * 0x1p-31f;
            if (run % 4 == 3)
                x[i] = y[i] * (1.0f + 1e-3f * x[i]);
        }
        wide_ops_scalar.run(WIDE_ATAN2, y, x, x, angle);
        for (int i = 0; i < WIDE_LANES; i++) {
            double off = ulps(angle[i], atan2((double)y[i], (double)x[i]), 1e-30);
            worst = off > worst ? off : worst;
            if (off > 3.0)
                fail_msg("atan2(%a, %a) is off by %g last places", (double)y[i], (double)x[i], off);
        }
    }
    print_message("worst error %g last places\n", worst);
    const float zero[WIDE_LANES] = {0};
    float out[WIDE_LANES];
    wide_ops_scalar.run(WIDE_ATAN2, zero, zero, zero, out);
    assert_true(out[0] == 0.0f);
}

static void sine_and_cosine_have_the_same_bits_at_every_width(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int run = 0; run < RUNS / WIDE_LANES; run++) {
        float a[WIDE_LANES], b[WIDE_LANES];
        for (int i = 0; i < WIDE_LANES; i++)
            a[i] = run % 2 == 0 ? random_number(&seed) : (float)(int32_t)random_bits(&seed) * 0x1p-19f;
        for (int i = 0; i < WIDE_LANES; i++)
            b[i] = a[WIDE_LANES - 1 - i];
        for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
            if (!tr_isa_available((tr_isa)isa))
                continue;
            for (int op = WIDE_SINE; op <= WIDE_ATAN2; op++) {
                float scalar[WIDE_LANES], wide[WIDE_LANES];
                wide_ops_scalar.run((wide_op)op, a, b, a, scalar);
                ops_of((tr_isa)isa)->run((wide_op)op, a, b, a, wide);
                for (int i = 0; i < WIDE_LANES; i++)
                    if (!same(scalar[i], wide[i]))
                        fail_msg("of %a: %a at width %u, %a at 1", (double)a[i], (double)wide[i],
                                 tr_isa_width((tr_isa)isa), (double)scalar[i]);
            }
        }
    }
}

/* a tile of slow bodies takes the short way, one with a fast body among them the long one */
static void near_zero_the_polynomials_alone_are_sine_and_cosine(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int run = 0; run < RUNS; run++) {
        float a[WIDE_LANES], out[WIDE_LANES];
        for (int i = 0; i < WIDE_LANES; i++) {
            uint32_t kind = random_bits(&seed) % 8;
            float part = (float)(int32_t)random_bits(&seed) * 0x1p-31f;
            a[i] = kind == 0 ? 0.785f : kind == 1 ? -0.785f : kind == 2 ? 100.0f * part : 0.8f * part;
        }
        for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
            if (!tr_isa_available((tr_isa)isa))
                continue;
            ops_of((tr_isa)isa)->run(WIDE_NEAR, a, a, a, out);
            for (int i = 0; i < WIDE_LANES; i++)
                if (out[i] != 1.0f)
                    fail_msg("sine or cosine of %a differ at width %u", (double)a[i], tr_isa_width((tr_isa)isa));
        }
    }
}

/* first rows of four groups of four rows that follow each other, of `rows`, none of them in two groups, times
   `stride` */
static void draw_groups(uint64_t *seed, uint32_t rows, int32_t stride, int32_t index[4])
{
    for (uint32_t i = 0, quarter = rows / 4; i < 4; i++)
        index[i] = stride * (int32_t)(i * quarter + random_bits(seed) % (quarter - 3));
    /* in any order */
    uint32_t swap = random_bits(seed) % 4;
    int32_t first = index[0];
    index[0] = index[swap];
    index[swap] = first;
}

/* lane i has row i / 4 of group i % 4, at every width */
static void groups_of_rows_are_loaded_and_stored_in_order(void **state)
{
    (void)state;
    enum { ROWS = 48 };
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        const wide_ops *ops = ops_of((tr_isa)isa);
        uint64_t seed = 19;
        for (int run = 0; run < 200; run++) {
            float base[4 * ROWS], before[4 * ROWS], columns[4][WIDE_LANES];
            int32_t index[4];
            draw_groups(&seed, ROWS, 4, index);
            for (int i = 0; i < 4 * ROWS; i++)
                base[i] = before[i] = (float)i + 1.0f;
            ops->load_groups(base, index, columns);
            for (int i = 0; i < WIDE_LANES; i++) {
                for (int m = 0; m < 4; m++) {
                    int at = index[i % 4] + 4 * (i / 4) + m;
                    assert_true(columns[m][i] == base[at]);
                    columns[m][i] = before[at] = -base[at];
                }
            }
            ops->store_groups(base, index, columns);
            assert_memory_equal(base, before, sizeof before);
        }
    }
}

/* the difference is that of doubles, rounded once: places far out whose floats would be the same differ by what they
   do */
static void differences_of_pairs_are_those_of_doubles(void **state)
{
    (void)state;
    enum { PAIRS = 64 };
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa))
            continue;
        const wide_ops *ops = ops_of((tr_isa)isa);
        uint64_t seed = 29;
        for (int run = 0; run < 200; run++) {
            double base[2 * PAIRS];
            for (int i = 0; i < 2 * PAIRS; i++)
                base[i] = 1e7 + (double)(int32_t)random_bits(&seed) * 0x1p-30;
            /* indices count floats of records of four, so a pair of doubles has every fourth */
            int32_t a[WIDE_LANES], b[WIDE_LANES];
            float rows[2][WIDE_LANES], groups[2][WIDE_LANES];
            draw_groups(&seed, PAIRS, 4, a);
            draw_groups(&seed, PAIRS, 4, b);
            ops->difference_groups(base, a, b, groups);
            for (int i = WIDE_LANES; i-- > 0;) {
                a[i] = a[i % 4] + 4 * (i / 4);
                b[i] = b[i % 4] + 4 * (i / 4);
            }
            ops->difference_rows(base, a, b, rows);
            for (int i = 0; i < WIDE_LANES; i++) {
                for (int m = 0; m < 2; m++) {
                    float expected = (float)(base[b[i] / 2 + m] - base[a[i] / 2 + m]);
                    assert_true(rows[m][i] == expected && groups[m][i] == expected);
                }
            }
        }
    }
}

/* half a last place from rounding to float; the computation in double before it adds less than a hundredth of one: the
   polynomials are within 5e-11, and pi/2 is subtracted in two parts, of which only the product of the second, at most
   0.07, is rounded */
static void a_rotation_is_that_of_the_c_library(void **state)
{
    (void)state;
    static const double ranges[] = {1e-6, 0.01, 1.0, 10.0, 1e4, 1e7, 1e8};
    uint64_t seed = 6;
    for (int run = 0; run < RUNS; run++) {
        double angle = (double)(int32_t)random_bits(&seed) * 0x1p-31 * ranges[(size_t)run % 7];
        float c, s;
        tr2_rotation(angle, &c, &s);
        if (ulps(c, cos(angle), 1e-3) > 0.51 || ulps(s, sin(angle), 1e-3) > 0.51)
            fail_msg("rotation by %a is %a, %a", angle, (double)c, (double)s);
    }
    /* beyond 1e8 whole turns come off first, by a remainder that is exact */
    for (int i = -8; i <= 8; i++) {
        float c, s;
        double angle = 1e12 + i, rest = fmod(angle, 6.283185307179586476925286766559);
        tr2_rotation(angle, &c, &s);
        assert_true(ulps(c, cos(rest), 1e-3) <= 0.51 && ulps(s, sin(rest), 1e-3) <= 0.51);
    }
    float c, s;
    tr2_rotation(0.0, &c, &s);
    assert_true(c == 1.0f && s == 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_is_that_of_c_at_every_width),
        cmocka_unit_test(rounding_goes_to_the_nearest_even),
        cmocka_unit_test(all_and_bits_mean_the_lanes_of_the_group),
        cmocka_unit_test(rows_are_loaded_and_stored_by_index),
        cmocka_unit_test(groups_of_rows_are_loaded_and_stored_in_order),
        cmocka_unit_test(differences_of_pairs_are_those_of_doubles),
        cmocka_unit_test(sine_and_cosine_are_within_two_last_places),
        cmocka_unit_test(the_arc_tangent_is_within_three_last_places),
        cmocka_unit_test(sine_and_cosine_have_the_same_bits_at_every_width),
        cmocka_unit_test(near_zero_the_polynomials_alone_are_sine_and_cosine),
        cmocka_unit_test(a_rotation_is_that_of_the_c_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
