/*
 * SIMD vectors of any width, to write each kernel once. The including file defines TR_WIDTH as 1, 4, 8 or 16:
 *
 *     wf    TR_WIDTH floats; + - * / and unary minus are the operators of C
 *     wm    a mask of TR_WIDTH booleans
 *
 * Every operation is the correctly rounded one of IEEE 754, lane by lane, and the build forbids contraction. So all
 * widths give the same bits, and tests compare the others with width 1. There are no estimates, no sums across lanes
 * and no gathers: records are loaded by row (simd/rows.h).
 *
 * Only this header and simd/rows.h use SIMDe.
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

/* Kernels hold what they work on in registers. A build that is not made for speed lets the compiler call what is large: it
   takes a fifth of the time, and steps take up to 1.7 times as long. */
#ifdef TR_COMPACT_KERNELS
#define TR_INLINE static inline __attribute__((unused))
#else
#define TR_INLINE static inline __attribute__((always_inline))
#endif

/*
 * wf_min(a, b) is a < b ? a : b, and wf_max(a, b) is b < a ? a : b, like the processor's instructions. Both return b if
 * a or b is NaN, or if both are zero.
 */

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
 * The same for every width
 */

TR_INLINE wf wf_zero(void)
{
    return wf_set(0.0f);
}

TR_INLINE wf wf_clamp(wf a, wf lower, wf upper)
{
    return wf_min(wf_max(a, lower), upper);
}

/* a in lanes where m is set, 0 in the others */
TR_INLINE wf wf_keep(wm m, wf a)
{
    return wf_select(m, a, wf_zero());
}

/* rounds to the nearest whole number, halves to even; for |a| < 2^22 */
TR_INLINE wf wf_round(wf a)
{
    const wf magic = wf_set(12582912.0f); /* 1.5 * 2^23: the sum has no bits left for a fraction */
    return (a + magic) - magic;
}

/* n / a, or 0 if a is 0 (an effective mass between bodies that cannot move) or NaN */
TR_INLINE wf wf_over_or_zero(wf n, wf a)
{
    wm zero = wf_eq(a, wf_zero());
    return wf_keep(wf_lt(wf_zero(), wf_abs(a)), n / wf_select(zero, wf_set(1.0f), a));
}

TR_INLINE wf wf_inverse_or_zero(wf a)
{
    return wf_over_or_zero(wf_set(1.0f), a);
}

/* The same bits. If all lanes are positive, as usual, the division does not wait for the tests of single lanes. */
TR_INLINE wf wf_over_positive(wf n, wf a)
{
    if (__builtin_expect(!wm_all(wf_lt(wf_zero(), a)), 0))
        return wf_over_or_zero(n, a);
    return n / a;
}

TR_INLINE wf wf_inverse_of_positive(wf a)
{
    return wf_over_positive(wf_set(1.0f), a);
}

/*
 * Sine and cosine, by the quadrant and the minimax polynomials of Cephes (S. Moshier) on +-pi/4: within 2 ulp for
 * |a| < 8192, the same bits everywhere. The first is for |a| <= TR_SINCOS_NEAR, and gives the same bits there.
 */
#define TR_SINCOS_NEAR 0.785f

TR_INLINE void wf_sincos_near(wf a, wf *sine, wf *cosine)
{
    wf a2 = a * a;
    *sine = a + a * a2 * (wf_set(-1.6666654611e-1f) + a2 * (wf_set(8.3321608736e-3f) + a2 * wf_set(-1.9515295891e-4f)));
    *cosine = (wf_set(1.0f) - wf_set(0.5f) * a2) +
              a2 * a2 *
                  (wf_set(4.166664568298827e-2f) +
                   a2 * (wf_set(-1.388731625493765e-3f) + a2 * wf_set(2.443315711809948e-5f)));
}

TR_INLINE void wf_sincos(wf a, wf *sine, wf *cosine)
{
    const wf half = wf_set(0.5f);
    wf turns = a * wf_set(0.636619772f);
    /* skips the quadrant steps, which change nothing if all quadrants are 0 */
    bool small = wm_all(wf_le(wf_abs(turns), half));
    wf r = a, q = wf_zero(), s, c;
    if (!small) {
        q = wf_round(turns);
        /* a - q pi/2 with pi/2 in three parts; the first two have few bits, so that their products with q are exact */
        r = ((a - q * wf_set(1.5703125f)) - q * wf_set(4.837512969970703e-4f)) - q * wf_set(7.549790126404332e-8f);
    }
    wf_sincos_near(r, &s, &c);
    *sine = s;
    *cosine = c;
    if (small)
        return;
    /* q mod 4 without integers */
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
 * atan2(y, x) in -pi .. pi, by the polynomial of Cephes for the arc tangent on +-tan(pi/8): within 3 ulp; 0 for (0, 0).
 */
TR_INLINE wf wf_atan2(wf y, wf x)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    wf ax = wf_abs(x), ay = wf_abs(y);
    wf most = wf_max(ax, ay), least = wf_min(ax, ay);
    wf t = least / wf_select(wf_lt(zero, most), most, one);
    /* from 0 .. 1 to +-tan(pi/8) */
    wm far = wf_lt(wf_set(0.4142135623730950f), t);
    wf s = wf_select(far, (t - one) / (t + one), t), z = s * s;
    wf p = (((wf_set(8.05374449538e-2f) * z - wf_set(1.38776856032e-1f)) * z + wf_set(1.99777106478e-1f)) * z -
            wf_set(3.33329491539e-1f)) *
               z * s +
           s;
    p = wf_select(far, wf_set(0.785398163397448f) + p, p);
    p = wf_select(wf_lt(ax, ay), wf_set(1.570796326794897f) - p, p);
    p = wf_select(wf_lt(x, zero), wf_set(3.141592653589793f) - p, p);
    return wf_select(wf_lt(y, zero), -p, p);
}

#endif
