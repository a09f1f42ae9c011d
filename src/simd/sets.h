/* The instruction sets of this build, as an X macro for tables of functions that are compiled once per set. */
#ifndef TR_SIMD_SETS_H
#define TR_SIMD_SETS_H

#include "trammel/base.h"

#if defined(__x86_64__) && defined(TR_HAVE_AVX2)
#define TR_IF_AVX2(x) x
#else
#define TR_IF_AVX2(x)
#endif
#if defined(__x86_64__) && defined(TR_HAVE_AVX512)
#define TR_IF_AVX512(x) x
#else
#define TR_IF_AVX512(x)
#endif

/* X(name in tr_isa, suffix of the functions compiled for it) */
#if defined(__x86_64__)
#define TR_ISA_SETS(X) X(SCALAR, scalar) X(SSE2, sse2) TR_IF_AVX2(X(AVX2, avx2)) TR_IF_AVX512(X(AVX512, avx512))
#elif defined(__aarch64__)
#define TR_ISA_SETS(X) X(SCALAR, scalar) X(NEON, neon)
#else
#define TR_ISA_SETS(X) X(SCALAR, scalar)
#endif

#endif
