/*
 * SIMD vectors of doubles, for kernels in double precision. The including file defines TR_WIDTH as for simd/wide.h:
 *
 *     wd    TR_DOUBLES doubles; + - * / and unary minus are the operators of C
 *     wdm   a mask of as many booleans, each all bits or none; & joins two
 *     wdf   as many floats; wdu their bits
 *
 * As there, every operation is the correctly rounded one, lane by lane, so all widths give the same bits.
 */
#ifndef TR_SIMD_DOUBLES_H
#define TR_SIMD_DOUBLES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "simd/wide.h"

#if TR_WIDTH <= 4
#define TR_DOUBLES 2
#else
#define TR_DOUBLES (TR_WIDTH / 2)
#endif

/* vectors of the compiler, because its operators are all that is needed */
typedef double wd __attribute__((vector_size(8 * TR_DOUBLES)));
typedef int64_t wdm __attribute__((vector_size(8 * TR_DOUBLES)));

typedef float wdf __attribute__((vector_size(4 * TR_DOUBLES)));
typedef uint32_t wdu __attribute__((vector_size(4 * TR_DOUBLES))); /* the bits of these */

/* rounded to floats, and back */
TR_INLINE wdf wd_narrow(wd a)
{
    return __builtin_convertvector(a, wdf);
}

TR_INLINE wd wd_widen(wdf a)
{
    return __builtin_convertvector(a, wd);
}

/* the low halves of the bits */
TR_INLINE wdu wd_low_bits(wd a)
{
    return __builtin_convertvector((wdm)a, wdu);
}

TR_INLINE wd wd_load(const double *p)
{
    wd a;
    memcpy(&a, p, sizeof a);
    return a;
}

TR_INLINE void wd_store(double *p, wd a)
{
    memcpy(p, &a, sizeof a);
}

/* as a list: compilers store an array number by number, and what loads it as one must wait */
TR_INLINE wd wd_set(double x)
{
#if TR_DOUBLES == 2
    return (wd){x, x};
#elif TR_DOUBLES == 4
    return (wd){x, x, x, x};
#else
    return (wd){x, x, x, x, x, x, x, x};
#endif
}

TR_INLINE wd wd_sqrt(wd a)
{
#if TR_WIDTH == 1
    return (wd){sqrt(a[0]), sqrt(a[1])};
#elif TR_WIDTH == 4
    return (wd)simde_mm_sqrt_pd((simde__m128d)a);
#elif TR_WIDTH == 8
    return (wd)simde_mm256_sqrt_pd((simde__m256d)a);
#else
    return (wd)simde_mm512_sqrt_pd((simde__m512d)a);
#endif
}

TR_INLINE wd wd_abs(wd a)
{
    return (wd)((wdm)a & INT64_MAX);
}

TR_INLINE wdm wd_lt(wd a, wd b)
{
    return (wdm)(a < b);
}

TR_INLINE wdm wd_le(wd a, wd b)
{
    return (wdm)(a <= b);
}

TR_INLINE bool wd_any(wdm m)
{
#if TR_WIDTH == 8
    return simde_mm256_movemask_pd((simde__m256d)m) != 0;
#elif TR_WIDTH == 16
    return simde_mm512_test_epi64_mask((simde__m512i)m, (simde__m512i)m) != 0;
#else
    int64_t any = 0;
    for (int i = 0; i < TR_DOUBLES; i++)
        any |= m[i];
    return any != 0;
#endif
}

/* a where the mask is set, else b */
TR_INLINE wd wd_select(wdm m, wd a, wd b)
{
#if TR_WIDTH == 8
    return (wd)simde_mm256_blendv_pd((simde__m256d)b, (simde__m256d)a, (simde__m256d)m);
#else
    return (wd)((m & (wdm)a) | (~m & (wdm)b));
#endif
}

/* a if it is less, else b */
TR_INLINE wd wd_min(wd a, wd b)
{
#if TR_WIDTH == 8
    return (wd)simde_mm256_min_pd((simde__m256d)a, (simde__m256d)b);
#elif TR_WIDTH == 4 && defined(__SSE2__)
    return (wd)simde_mm_min_pd((simde__m128d)a, (simde__m128d)b);
#elif TR_WIDTH == 16
    return (wd)simde_mm512_min_pd((simde__m512d)a, (simde__m512d)b);
#else
    return wd_select(wd_lt(a, b), a, b);
#endif
}

/* a if it is more, else b */
TR_INLINE wd wd_max(wd a, wd b)
{
#if TR_WIDTH == 8
    return (wd)simde_mm256_max_pd((simde__m256d)a, (simde__m256d)b);
#elif TR_WIDTH == 4 && defined(__SSE2__)
    return (wd)simde_mm_max_pd((simde__m128d)a, (simde__m128d)b);
#elif TR_WIDTH == 16
    return (wd)simde_mm512_max_pd((simde__m512d)a, (simde__m512d)b);
#else
    return wd_select(wd_lt(b, a), a, b);
#endif
}

#endif
