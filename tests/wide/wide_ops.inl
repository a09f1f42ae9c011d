/* The includer defines TR_WIDTH, and WIDE_OPS as the name of the table. */
#include "simd/rows.h"
#include "wide_ops.h"

static wf run_lanes(wide_op op, wf a, wf b, wf c)
{
    const wf one = wf_set(1.0f), zero = wf_zero();
    wf sine, cosine, near_sine, near_cosine;
    wm differ;
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
        return wf_sqrt(a);
    case WIDE_ABS:
        return wf_abs(a);
    case WIDE_LT:
        return wf_select(wf_lt(a, b), one, zero);
    case WIDE_LE:
        return wf_select(wf_le(a, b), one, zero);
    case WIDE_EQ:
        return wf_select(wf_eq(a, b), one, zero);
    case WIDE_AND:
        return wf_select(wm_and(wf_lt(a, b), wf_lt(b, c)), one, zero);
    case WIDE_OR:
        return wf_select(wm_or(wf_lt(a, b), wf_lt(b, c)), one, zero);
    case WIDE_SELECT:
        return wf_select(wf_lt(a, b), c, a);
    case WIDE_MIN:
        return wf_min(a, b);
    case WIDE_MAX:
        return wf_max(a, b);
    case WIDE_CLAMP:
        return wf_clamp(a, b, c);
    case WIDE_KEEP:
        return wf_keep(wf_lt(a, b), c);
    case WIDE_ROUND:
        return wf_round(a);
    case WIDE_INVERSE_OR_ZERO:
        return wf_inverse_or_zero(a);
    case WIDE_SINE:
        wf_sincos(a, &sine, &cosine);
        return sine;
    case WIDE_COSINE:
        wf_sincos(a, &sine, &cosine);
        return cosine;
    case WIDE_NEAR:
        wf_sincos(a, &sine, &cosine);
        wf_sincos_near(a, &near_sine, &near_cosine);
        differ = wm_or(wf_lt(wf_zero(), wf_abs(sine - near_sine)), wf_lt(wf_zero(), wf_abs(cosine - near_cosine)));
        return wf_select(wm_and(differ, wf_le(wf_abs(a), wf_set(TR_SINCOS_NEAR))), zero, one);
    case WIDE_ATAN2:
        return wf_atan2(a, b);
    default:
        return zero;
    }
}

static void run(wide_op op, const float *a, const float *b, const float *c, float *out)
{
    for (int i = 0; i < WIDE_LANES; i += TR_WIDTH)
        wf_store(out + i, run_lanes(op, wf_load(a + i), wf_load(b + i), wf_load(c + i)));
}

static void set(float value, float *out)
{
    for (int i = 0; i < WIDE_LANES; i += TR_WIDTH)
        wf_store(out + i, wf_set(value));
}

static void all(const float *a, const float *b, float *out)
{
    for (int i = 0; i < WIDE_LANES; i += TR_WIDTH)
        wf_store(out + i, wf_set(wm_all(wf_lt(wf_load(a + i), wf_load(b + i))) ? 1.0f : 0.0f));
}

static void bits(const float *a, const float *b, float *out)
{
    for (int i = 0; i < WIDE_LANES; i++) {
        int group = i / TR_WIDTH * TR_WIDTH;
        uint32_t mask = wm_bits(wf_lt(wf_load(a + group), wf_load(b + group)));
        out[i] = (float)(mask >> (i - group) & 1u) + (mask >> (TR_WIDTH - 1) > 1u ? 2.0f : 0.0f);
    }
}

static void load_rows(const float *base, const int32_t *index, int32_t stride, float (*out)[WIDE_LANES])
{
    for (int i = 0; i < WIDE_LANES; i += TR_WIDTH) {
        w4 r = w4_load_rows(base, index + i, stride);
        wf_store(out[0] + i, r.x);
        wf_store(out[1] + i, r.y);
        wf_store(out[2] + i, r.z);
        wf_store(out[3] + i, r.w);
    }
}

static w4 from_columns(float (*in)[WIDE_LANES], int i)
{
    w4 r = {wf_load(in[0] + i), wf_load(in[1] + i), wf_load(in[2] + i), wf_load(in[3] + i)};
    return r;
}

static void store_rows(float *base, const int32_t *index, int32_t stride, float (*in)[WIDE_LANES])
{
    for (int i = 0; i < WIDE_LANES; i += TR_WIDTH)
        w4_store_rows(base, index + i, stride, from_columns(in, i));
}

static void store_rows_below(float *base, const int32_t *index, int32_t stride, float (*in)[WIDE_LANES], int32_t end)
{
    for (int i = 0; i < WIDE_LANES; i += TR_WIDTH)
        w4_store_rows_below(base, index + i, stride, from_columns(in, i), end);
}

static void load_groups(const float *base, const int32_t *index, float (*out)[WIDE_LANES])
{
    for (int i = 0; i < WIDE_LANES; i += TR_WIDTH) {
        w4 r = w4_load_groups(base, index, i);
        wf_store(out[0] + i, r.x);
        wf_store(out[1] + i, r.y);
        wf_store(out[2] + i, r.z);
        wf_store(out[3] + i, r.w);
    }
}

static void store_groups(float *base, const int32_t *index, float (*in)[WIDE_LANES])
{
    for (int i = 0; i < WIDE_LANES; i += TR_WIDTH)
        w4_store_groups(base, index, i, from_columns(in, i));
}

static void difference_rows(const double *base, const int32_t *a, const int32_t *b, float (*out)[WIDE_LANES])
{
    for (int i = 0; i < WIDE_LANES; i += TR_WIDTH) {
        wf x, y;
        wf_difference_rows(base, a + i, b + i, &x, &y);
        wf_store(out[0] + i, x);
        wf_store(out[1] + i, y);
    }
}

static void difference_groups(const double *base, const int32_t *a, const int32_t *b, float (*out)[WIDE_LANES])
{
    for (int i = 0; i < WIDE_LANES; i += TR_WIDTH) {
        wf x, y;
        wf_difference_groups(base, a, b, i, &x, &y);
        wf_store(out[0] + i, x);
        wf_store(out[1] + i, y);
    }
}

const wide_ops WIDE_OPS = {TR_WIDTH,
                           run,
                           set,
                           all,
                           bits,
                           load_rows,
                           store_rows,
                           store_rows_below,
                           load_groups,
                           store_groups,
                           difference_rows,
                           difference_groups};
