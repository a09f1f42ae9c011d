/*
 * One vocabulary of lanes. The includer defines TR_WIDTH as 1, 4, 8 or 16 and writes its kernel once:
 *
 *     wf    TR_WIDTH floats; + - * / and unary minus are the operators of C
 *     wm    a mask of TR_WIDTH booleans
 *
 * Every operation is the correctly rounded one of IEEE 754, lane by lane, and the build forbids contraction: so all
 * widths give the same bits, and width 1 is the oracle of the others. No estimates, no sums across lanes, no gathers:
 * records of bodies are loaded by row and transposed in registers, three times faster than gather instructions.
 *
 * SIMDe stays behind this header.
 */
#ifndef TR_SIMD_WIDE_H
#define TR_SIMD_WIDE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef TR_WIDTH
#error "define TR_WIDTH as 1, 4, 8 or 16 before including simd/wide.h"
#endif

#if TR_WIDTH == 4
#include <simde/x86/sse2.h>
#elif TR_WIDTH == 8
#include <simde/x86/avx2.h>
#elif TR_WIDTH == 16
#include <simde/x86/avx512.h>
#endif

#define TR_INLINE static inline __attribute__((always_inline))

/*
 * wf_min(a, b) is a < b ? a : b, and wf_max(a, b) is b < a ? a : b: the second where either is not a number, and of two zeros.
 * That is what the instructions do, too.
 */

/* w4: four values of one record for TR_WIDTH bodies, as load_rows returns them */

#if TR_WIDTH == 1

typedef float wf;
typedef bool wm;

TR_INLINE wf wf_set(float x)
{
    return x;
}
TR_INLINE wf wf_load(const float *p)
{
    return *p;
}
TR_INLINE void wf_store(float *p, wf a)
{
    *p = a;
}
TR_INLINE wf wf_sqrt(wf a)
{
    return sqrtf(a);
}
TR_INLINE wf wf_abs(wf a)
{
    return fabsf(a);
}
TR_INLINE wm wf_lt(wf a, wf b)
{
    return a < b;
}
TR_INLINE wm wf_le(wf a, wf b)
{
    return a <= b;
}
TR_INLINE wm wf_eq(wf a, wf b)
{
    return a == b;
}
TR_INLINE wm wm_and(wm a, wm b)
{
    return a && b;
}
TR_INLINE wm wm_or(wm a, wm b)
{
    return a || b;
}
TR_INLINE bool wm_all(wm a)
{
    return a;
}
TR_INLINE uint32_t wm_bits(wm a)
{
    return (uint32_t)a;
}
TR_INLINE wf wf_select(wm m, wf a, wf b)
{
    return m ? a : b;
}
TR_INLINE wf wf_min(wf a, wf b)
{
    return a < b ? a : b;
}
TR_INLINE wf wf_max(wf a, wf b)
{
    return b < a ? a : b;
}

#elif TR_WIDTH == 4

typedef simde__m128 wf;
typedef simde__m128 wm;

TR_INLINE wf wf_set(float x)
{
    return simde_mm_set1_ps(x);
}
TR_INLINE wf wf_load(const float *p)
{
    return simde_mm_loadu_ps(p);
}
TR_INLINE void wf_store(float *p, wf a)
{
    simde_mm_storeu_ps(p, a);
}
TR_INLINE wf wf_sqrt(wf a)
{
    return simde_mm_sqrt_ps(a);
}
TR_INLINE wf wf_abs(wf a)
{
    return simde_mm_andnot_ps(simde_mm_set1_ps(-0.0f), a);
}
TR_INLINE wm wf_lt(wf a, wf b)
{
    return simde_mm_cmplt_ps(a, b);
}
TR_INLINE wm wf_le(wf a, wf b)
{
    return simde_mm_cmple_ps(a, b);
}
TR_INLINE wm wf_eq(wf a, wf b)
{
    return simde_mm_cmpeq_ps(a, b);
}
TR_INLINE wm wm_and(wm a, wm b)
{
    return simde_mm_and_ps(a, b);
}
TR_INLINE wm wm_or(wm a, wm b)
{
    return simde_mm_or_ps(a, b);
}
TR_INLINE bool wm_all(wm a)
{
    return simde_mm_movemask_ps(a) == 0xF;
}
TR_INLINE uint32_t wm_bits(wm a)
{
    return (uint32_t)simde_mm_movemask_ps(a);
}
TR_INLINE wf wf_select(wm m, wf a, wf b)
{
    return simde_mm_or_ps(simde_mm_and_ps(m, a), simde_mm_andnot_ps(m, b));
}
TR_INLINE wf wf_min(wf a, wf b)
{
    return simde_mm_min_ps(a, b);
}
TR_INLINE wf wf_max(wf a, wf b)
{
    return simde_mm_max_ps(a, b);
}

#elif TR_WIDTH == 8

typedef simde__m256 wf;
typedef simde__m256 wm;

TR_INLINE wf wf_set(float x)
{
    return simde_mm256_set1_ps(x);
}
TR_INLINE wf wf_load(const float *p)
{
    return simde_mm256_loadu_ps(p);
}
TR_INLINE void wf_store(float *p, wf a)
{
    simde_mm256_storeu_ps(p, a);
}
TR_INLINE wf wf_sqrt(wf a)
{
    return simde_mm256_sqrt_ps(a);
}
TR_INLINE wf wf_abs(wf a)
{
    return simde_mm256_andnot_ps(simde_mm256_set1_ps(-0.0f), a);
}
TR_INLINE wm wf_lt(wf a, wf b)
{
    return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ);
}
TR_INLINE wm wf_le(wf a, wf b)
{
    return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ);
}
TR_INLINE wm wf_eq(wf a, wf b)
{
    return simde_mm256_cmp_ps(a, b, SIMDE_CMP_EQ_OQ);
}
TR_INLINE wm wm_and(wm a, wm b)
{
    return simde_mm256_and_ps(a, b);
}
TR_INLINE wm wm_or(wm a, wm b)
{
    return simde_mm256_or_ps(a, b);
}
TR_INLINE bool wm_all(wm a)
{
    return simde_mm256_movemask_ps(a) == 0xFF;
}
TR_INLINE uint32_t wm_bits(wm a)
{
    return (uint32_t)simde_mm256_movemask_ps(a);
}
TR_INLINE wf wf_select(wm m, wf a, wf b)
{
    return simde_mm256_blendv_ps(b, a, m);
}
TR_INLINE wf wf_min(wf a, wf b)
{
    return simde_mm256_min_ps(a, b);
}
TR_INLINE wf wf_max(wf a, wf b)
{
    return simde_mm256_max_ps(a, b);
}

#elif TR_WIDTH == 16

typedef simde__m512 wf;
typedef simde__mmask16 wm;

TR_INLINE wf wf_set(float x)
{
    return simde_mm512_set1_ps(x);
}
TR_INLINE wf wf_load(const float *p)
{
    return simde_mm512_loadu_ps(p);
}
TR_INLINE void wf_store(float *p, wf a)
{
    simde_mm512_storeu_ps(p, a);
}
TR_INLINE wf wf_sqrt(wf a)
{
    return simde_mm512_sqrt_ps(a);
}
TR_INLINE wf wf_abs(wf a)
{
    return simde_mm512_abs_ps(a);
}
TR_INLINE wm wf_lt(wf a, wf b)
{
    return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LT_OQ);
}
TR_INLINE wm wf_le(wf a, wf b)
{
    return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LE_OQ);
}
TR_INLINE wm wf_eq(wf a, wf b)
{
    return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_EQ_OQ);
}
TR_INLINE wm wm_and(wm a, wm b)
{
    return (wm)(a & b);
}
TR_INLINE wm wm_or(wm a, wm b)
{
    return (wm)(a | b);
}
TR_INLINE bool wm_all(wm a)
{
    return a == 0xFFFF;
}
TR_INLINE uint32_t wm_bits(wm a)
{
    return (uint32_t)a;
}
TR_INLINE wf wf_select(wm m, wf a, wf b)
{
    return simde_mm512_mask_blend_ps(m, b, a);
}
TR_INLINE wf wf_min(wf a, wf b)
{
    return simde_mm512_min_ps(a, b);
}
TR_INLINE wf wf_max(wf a, wf b)
{
    return simde_mm512_max_ps(a, b);
}

#else
#error "TR_WIDTH must be 1, 4, 8 or 16"
#endif

/*
 * What follows is the same for every width.
 */

TR_INLINE wf wf_zero(void)
{
    return wf_set(0.0f);
}

TR_INLINE wf wf_clamp(wf a, wf lower, wf upper)
{
    return wf_min(wf_max(a, lower), upper);
}

/* a where m, else 0 */
TR_INLINE wf wf_keep(wm m, wf a)
{
    return wf_select(m, a, wf_zero());
}

/* to the nearest whole number, halves to even; for |a| < 2^22 */
TR_INLINE wf wf_round(wf a)
{
    const wf magic = wf_set(12582912.0f); /* 1.5 * 2^23: the sum has no bits left for a fraction */
    return (a + magic) - magic;
}

/* 1 / a, or 0 where a is 0: the inverse mass of what cannot move is no mass at all */
TR_INLINE wf wf_inverse_or_zero(wf a)
{
    wm zero = wf_eq(a, wf_zero());
    return wf_keep(wf_lt(wf_zero(), wf_abs(a)), wf_set(1.0f) / wf_select(zero, wf_set(1.0f), a));
}

/*
 * Sine and cosine, by the quadrant and the minimax polynomials of Cephes (S. Moshier) on +-pi/4: within 2 ulp for
 * |a| < 8192, the same bits everywhere.
 */
TR_INLINE void wf_sincos(wf a, wf *sine, wf *cosine)
{
    const wf one = wf_set(1.0f), half = wf_set(0.5f);
    wf turns = a * wf_set(0.636619772f);
    /* only a shortcut: with a quadrant of 0 what is left out changes nothing */
    bool small = wm_all(wf_le(wf_abs(turns), half));
    wf r = a, q = wf_zero();
    if (!small) {
        q = wf_round(turns);
        /* a - q pi/2 in three parts, so that the products are exact */
        r = ((a - q * wf_set(1.5703125f)) - q * wf_set(4.837512969970703e-4f)) - q * wf_set(7.549790126404332e-8f);
    }
    wf r2 = r * r;
    wf s = r + r * r2 * (wf_set(-1.6666654611e-1f) + r2 * (wf_set(8.3321608736e-3f) + r2 * wf_set(-1.9515295891e-4f)));
    wf c = (one - half * r2) + r2 * r2 *
                                   (wf_set(4.166664568298827e-2f) +
                                    r2 * (wf_set(-1.388731625493765e-3f) + r2 * wf_set(2.443315711809948e-5f)));
    *sine = s;
    *cosine = c;
    if (small)
        return;
    /* quadrant q mod 4 without integers: half is 0, +-1/2 by parity, and so on */
    wf q2 = wf_round(q * half - wf_set(0.25f));  /* floor(q / 2) for whole q */
    wm odd = wf_lt(half, q - (q2 + q2));         /* q odd */
    wf q4 = wf_round(q2 * half - wf_set(0.25f)); /* floor(q / 4) */
    wm upper = wf_lt(half, q2 - (q4 + q4));      /* q mod 4 is 2 or 3 */
    wf sine_base = wf_select(odd, c, s);
    wf cosine_base = wf_select(odd, -s, c);
    *sine = wf_select(upper, -sine_base, sine_base);
    *cosine = wf_select(upper, -cosine_base, cosine_base);
}

/*
 * Rows of four floats: base[stride * index[lane] + 0 .. 3] for each lane, to and from one vector per member. Indices are
 * not negative; with a stride of 1 they cost one instruction each.
 */
typedef struct w4 {
    wf x, y, z, w;
} w4;

/* unsigned, so that an index goes into an address as it is loaded */
TR_INLINE size_t w4_offset(int32_t index, int32_t stride)
{
    return (size_t)(uint32_t)index * (uint32_t)stride;
}

/* a pair of doubles in an array of pairs, at an index that counts floats, as those of records of four floats do */
TR_INLINE const double *w4_pair(const double *base, int32_t index)
{
    return base + (size_t)((uint32_t)index / 2);
}

#if TR_WIDTH == 1

TR_INLINE w4 w4_load_rows(const float *base, const int32_t *index, int32_t stride)
{
    const float *r = base + w4_offset(index[0], stride);
    w4 a = {r[0], r[1], r[2], r[3]};
    return a;
}

TR_INLINE void w4_store_rows(float *base, const int32_t *index, int32_t stride, w4 a)
{
    float *r = base + w4_offset(index[0], stride);
    r[0] = a.x;
    r[1] = a.y;
    r[2] = a.z;
    r[3] = a.w;
}

/* the same from rows anywhere: rows[lane] + offset */
TR_INLINE w4 w4_load_from(const float *const *rows, size_t offset)
{
    const float *r = rows[0] + offset;
    w4 a = {r[0], r[1], r[2], r[3]};
    return a;
}

/* four groups of rows: w4_load_groups() below says in which order */
TR_INLINE w4 w4_load_groups(const float *base, const int32_t *index, int lane)
{
    const float *r = base + index[lane % 4] + 4 * (lane / 4);
    w4 a = {r[0], r[1], r[2], r[3]};
    return a;
}

TR_INLINE void w4_store_groups(float *base, const int32_t *index, int lane, w4 a)
{
    float *r = base + index[lane % 4] + 4 * (lane / 4);
    r[0] = a.x;
    r[1] = a.y;
    r[2] = a.z;
    r[3] = a.w;
}

/* differences of pairs of doubles, w4_pair() of b less of a, as floats */
TR_INLINE void wf_difference_rows(const double *base, const int32_t *a, const int32_t *b, wf *x, wf *y)
{
    const double *p = w4_pair(base, a[0]), *q = w4_pair(base, b[0]);
    *x = (float)(q[0] - p[0]);
    *y = (float)(q[1] - p[1]);
}

/* the same of four groups of rows each, as w4_load_groups() has them */
TR_INLINE void wf_difference_groups(const double *base, const int32_t *a, const int32_t *b, int lane, wf *x, wf *y)
{
    int32_t at_a = a[lane % 4] + 4 * (lane / 4), at_b = b[lane % 4] + 4 * (lane / 4);
    wf_difference_rows(base, &at_a, &at_b, x, y);
}

/* as w4_store_rows, for the rows below `end` only */
TR_INLINE void w4_store_rows_below(float *base, const int32_t *index, int32_t stride, w4 a, int32_t end)
{
    if (index[0] < end)
        w4_store_rows(base, index, stride, a);
}

#else

#if TR_WIDTH == 4

#define TR_UNPACKLO(a, b)   simde_mm_unpacklo_ps(a, b)
#define TR_UNPACKHI(a, b)   simde_mm_unpackhi_ps(a, b)
#define TR_SHUFFLE(a, b, i) simde_mm_shuffle_ps(a, b, i)

TR_INLINE wf w4_quads(const float *base, const int32_t *index, int32_t stride, int lane)
{
    return simde_mm_loadu_ps(base + w4_offset(index[lane], stride));
}

TR_INLINE wf w4_quads_from(const float *const *rows, size_t offset, int lane)
{
    return simde_mm_loadu_ps(rows[lane] + offset);
}

TR_INLINE simde__m128 w4_quad(wf a, int part)
{
    (void)part;
    return a;
}

#elif TR_WIDTH == 8

#define TR_UNPACKLO(a, b)   simde_mm256_unpacklo_ps(a, b)
#define TR_UNPACKHI(a, b)   simde_mm256_unpackhi_ps(a, b)
#define TR_SHUFFLE(a, b, i) simde_mm256_shuffle_ps(a, b, i)

TR_INLINE wf w4_quads(const float *base, const int32_t *index, int32_t stride, int lane)
{
    simde__m256 low = simde_mm256_castps128_ps256(simde_mm_loadu_ps(base + w4_offset(index[lane], stride)));
    return simde_mm256_insertf128_ps(low, simde_mm_loadu_ps(base + w4_offset(index[lane + 4], stride)), 1);
}

TR_INLINE wf w4_quads_from(const float *const *rows, size_t offset, int lane)
{
    simde__m256 low = simde_mm256_castps128_ps256(simde_mm_loadu_ps(rows[lane] + offset));
    return simde_mm256_insertf128_ps(low, simde_mm_loadu_ps(rows[lane + 4] + offset), 1);
}

TR_INLINE simde__m128 w4_quad(wf a, int part)
{
    return part == 0 ? simde_mm256_castps256_ps128(a) : simde_mm256_extractf128_ps(a, 1);
}

#else

#define TR_UNPACKLO(a, b)   simde_mm512_unpacklo_ps(a, b)
#define TR_UNPACKHI(a, b)   simde_mm512_unpackhi_ps(a, b)
#define TR_SHUFFLE(a, b, i) simde_mm512_shuffle_ps(a, b, i)

TR_INLINE wf w4_quads(const float *base, const int32_t *index, int32_t stride, int lane)
{
    simde__m512 q = simde_mm512_castps128_ps512(simde_mm_loadu_ps(base + w4_offset(index[lane], stride)));
    q = simde_mm512_insertf32x4(q, simde_mm_loadu_ps(base + w4_offset(index[lane + 4], stride)), 1);
    q = simde_mm512_insertf32x4(q, simde_mm_loadu_ps(base + w4_offset(index[lane + 8], stride)), 2);
    return simde_mm512_insertf32x4(q, simde_mm_loadu_ps(base + w4_offset(index[lane + 12], stride)), 3);
}

TR_INLINE wf w4_quads_from(const float *const *rows, size_t offset, int lane)
{
    simde__m512 q = simde_mm512_castps128_ps512(simde_mm_loadu_ps(rows[lane] + offset));
    q = simde_mm512_insertf32x4(q, simde_mm_loadu_ps(rows[lane + 4] + offset), 1);
    q = simde_mm512_insertf32x4(q, simde_mm_loadu_ps(rows[lane + 8] + offset), 2);
    return simde_mm512_insertf32x4(q, simde_mm_loadu_ps(rows[lane + 12] + offset), 3);
}

TR_INLINE wf wf_halves(simde__m256 low, simde__m256 high)
{
    return simde_mm512_castpd_ps(simde_mm512_insertf64x4(simde_mm512_castpd256_pd512(simde_mm256_castps_pd(low)),
                                                         simde_mm256_castps_pd(high), 1));
}

TR_INLINE simde__m128 w4_quad(wf a, int part)
{
    switch (part) {
    case 0:
        return simde_mm512_castps512_ps128(a);
    case 1:
        return simde_mm512_extractf32x4_ps(a, 1);
    case 2:
        return simde_mm512_extractf32x4_ps(a, 2);
    default:
        return simde_mm512_extractf32x4_ps(a, 3);
    }
}

#endif

/* a 4 x 4 transpose within each group of four lanes; its own inverse */
TR_INLINE void w4_transpose(wf *a, wf *b, wf *c, wf *d)
{
    wf t0 = TR_UNPACKLO(*a, *b), t1 = TR_UNPACKHI(*a, *b), t2 = TR_UNPACKLO(*c, *d), t3 = TR_UNPACKHI(*c, *d);
    *a = TR_SHUFFLE(t0, t2, 0x44);
    *b = TR_SHUFFLE(t0, t2, 0xEE);
    *c = TR_SHUFFLE(t1, t3, 0x44);
    *d = TR_SHUFFLE(t1, t3, 0xEE);
}

TR_INLINE w4 w4_load_rows(const float *base, const int32_t *index, int32_t stride)
{
    w4 a = {w4_quads(base, index, stride, 0), w4_quads(base, index, stride, 1), w4_quads(base, index, stride, 2),
            w4_quads(base, index, stride, 3)};
    w4_transpose(&a.x, &a.y, &a.z, &a.w);
    return a;
}

/* the same from rows anywhere: rows[lane] + offset */
TR_INLINE w4 w4_load_from(const float *const *rows, size_t offset)
{
    w4 a = {w4_quads_from(rows, offset, 0), w4_quads_from(rows, offset, 1), w4_quads_from(rows, offset, 2),
            w4_quads_from(rows, offset, 3)};
    w4_transpose(&a.x, &a.y, &a.z, &a.w);
    return a;
}

/*
 * 16 rows of four floats in four groups, in each of which they follow each other: lane i of 16 has row i / 4 of group i % 4,
 * which begins at base + index[i % 4]. In that order whole vectors are loaded and transposed without being put together
 * first. `lane` is the first of the TR_WIDTH lanes.
 */
TR_INLINE w4 w4_load_groups(const float *base, const int32_t *index, int lane)
{
    const float *r = base + lane; /* lane / 4 rows of 4 */
    w4 a = {wf_load(r + index[0]), wf_load(r + index[1]), wf_load(r + index[2]), wf_load(r + index[3])};
    w4_transpose(&a.x, &a.y, &a.z, &a.w);
    return a;
}

TR_INLINE void w4_store_groups(float *base, const int32_t *index, int lane, w4 a)
{
    float *r = base + lane;
    w4_transpose(&a.x, &a.y, &a.z, &a.w);
    wf_store(r + index[0], a.x);
    wf_store(r + index[1], a.y);
    wf_store(r + index[2], a.z);
    wf_store(r + index[3], a.w);
}

TR_INLINE void w4_store_rows(float *base, const int32_t *index, int32_t stride, w4 a)
{
    w4_transpose(&a.x, &a.y, &a.z, &a.w);
    for (int part = 0; part < TR_WIDTH / 4; part++) {
        const int32_t *i = index + 4 * part;
        simde_mm_storeu_ps(base + w4_offset(i[0], stride), w4_quad(a.x, part));
        simde_mm_storeu_ps(base + w4_offset(i[1], stride), w4_quad(a.y, part));
        simde_mm_storeu_ps(base + w4_offset(i[2], stride), w4_quad(a.z, part));
        simde_mm_storeu_ps(base + w4_offset(i[3], stride), w4_quad(a.w, part));
    }
}

TR_INLINE void w4_store_rows_below(float *base, const int32_t *index, int32_t stride, w4 a, int32_t end)
{
    w4_transpose(&a.x, &a.y, &a.z, &a.w);
    for (int part = 0; part < TR_WIDTH / 4; part++) {
        const int32_t *i = index + 4 * part;
        if (i[0] < end)
            simde_mm_storeu_ps(base + w4_offset(i[0], stride), w4_quad(a.x, part));
        if (i[1] < end)
            simde_mm_storeu_ps(base + w4_offset(i[1], stride), w4_quad(a.y, part));
        if (i[2] < end)
            simde_mm_storeu_ps(base + w4_offset(i[2], stride), w4_quad(a.z, part));
        if (i[3] < end)
            simde_mm_storeu_ps(base + w4_offset(i[3], stride), w4_quad(a.w, part));
    }
}

/* two lanes' differences: x, y, x, y */
TR_INLINE simde__m128 wf_two_differences(const double *base, const int32_t *a, const int32_t *b, int lane)
{
    simde__m128d p = simde_mm_loadu_pd(w4_pair(base, a[lane]));
    simde__m128d q = simde_mm_loadu_pd(w4_pair(base, b[lane]));
    simde__m128d r = simde_mm_loadu_pd(w4_pair(base, a[lane + 1]));
    simde__m128d t = simde_mm_loadu_pd(w4_pair(base, b[lane + 1]));
    return simde_mm_movelh_ps(simde_mm_cvtpd_ps(simde_mm_sub_pd(q, p)), simde_mm_cvtpd_ps(simde_mm_sub_pd(t, r)));
}

TR_INLINE void wf_difference_rows(const double *base, const int32_t *a, const int32_t *b, wf *x, wf *y)
{
#define TR_TWO(lane) wf_two_differences(base, a, b, lane)
#if TR_WIDTH == 4
    wf low = TR_TWO(0), high = TR_TWO(2);
#elif TR_WIDTH == 8
    wf low = simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(TR_TWO(0)), TR_TWO(4), 1);
    wf high = simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(TR_TWO(2)), TR_TWO(6), 1);
#else
    wf low = simde_mm512_insertf32x4(simde_mm512_castps128_ps512(TR_TWO(0)), TR_TWO(4), 1);
    low = simde_mm512_insertf32x4(simde_mm512_insertf32x4(low, TR_TWO(8), 2), TR_TWO(12), 3);
    wf high = simde_mm512_insertf32x4(simde_mm512_castps128_ps512(TR_TWO(2)), TR_TWO(6), 1);
    high = simde_mm512_insertf32x4(simde_mm512_insertf32x4(high, TR_TWO(10), 2), TR_TWO(14), 3);
#endif
#undef TR_TWO
    *x = TR_SHUFFLE(low, high, 0x88);
    *y = TR_SHUFFLE(low, high, 0xDD);
}

#if TR_WIDTH == 4

TR_INLINE void wf_difference_groups(const double *base, const int32_t *a, const int32_t *b, int lane, wf *x, wf *y)
{
    const int32_t at_a[4] = {a[0] + lane, a[1] + lane, a[2] + lane, a[3] + lane};
    const int32_t at_b[4] = {b[0] + lane, b[1] + lane, b[2] + lane, b[3] + lane};
    wf_difference_rows(base, at_a, at_b, x, y);
}

#else

/* two rows of one group: x, y, x, y */
TR_INLINE simde__m128 wf_group_differences(const double *base, int32_t a, int32_t b)
{
    return simde_mm256_cvtpd_ps(
        simde_mm256_sub_pd(simde_mm256_loadu_pd(w4_pair(base, b)), simde_mm256_loadu_pd(w4_pair(base, a))));
}

/* two rows of each group, eight lanes */
TR_INLINE void wf_eight_differences(const double *base, const int32_t *a, const int32_t *b, int lane, simde__m256 *x,
                                    simde__m256 *y)
{
    simde__m128 p = wf_group_differences(base, a[0] + lane, b[0] + lane);
    simde__m128 q = wf_group_differences(base, a[1] + lane, b[1] + lane);
    simde__m128 r = wf_group_differences(base, a[2] + lane, b[2] + lane);
    simde__m128 t = wf_group_differences(base, a[3] + lane, b[3] + lane);
    simde__m256 low = simde_mm256_set_m128(simde_mm_movehl_ps(q, p), simde_mm_movelh_ps(p, q));
    simde__m256 high = simde_mm256_set_m128(simde_mm_movehl_ps(t, r), simde_mm_movelh_ps(r, t));
    *x = simde_mm256_shuffle_ps(low, high, 0x88);
    *y = simde_mm256_shuffle_ps(low, high, 0xDD);
}

TR_INLINE void wf_difference_groups(const double *base, const int32_t *a, const int32_t *b, int lane, wf *x, wf *y)
{
#if TR_WIDTH == 8
    wf_eight_differences(base, a, b, lane, x, y);
#else
    simde__m256 low_x, low_y, high_x, high_y;
    wf_eight_differences(base, a, b, lane, &low_x, &low_y);
    wf_eight_differences(base, a, b, lane + 8, &high_x, &high_y);
    *x = wf_halves(low_x, high_x);
    *y = wf_halves(low_y, high_y);
#endif
}

#endif

#undef TR_UNPACKLO
#undef TR_UNPACKHI
#undef TR_SHUFFLE

#endif

/* 16 rows that follow each other: a run's groups in one piece */
static const int32_t w4_in_a_row[] = {0, 16, 32, 48};

TR_INLINE w4 w4_load_run(const float *base, int lane)
{
    return w4_load_groups(base, w4_in_a_row, lane);
}

TR_INLINE void w4_store_run(float *base, int lane, w4 a)
{
    w4_store_groups(base, w4_in_a_row, lane, a);
}

#endif
