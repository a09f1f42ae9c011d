#include "solver/kernels.h"

const tr2_kernels *tr2_kernels_of(tr_isa isa)
{
    switch (isa) {
    case TR_ISA_SCALAR:
        return &tr2_kernels_scalar;
#if defined(__x86_64__)
    case TR_ISA_SSE2:
        return &tr2_kernels_sse2;
#if defined(TR_HAVE_AVX2)
    case TR_ISA_AVX2:
        return &tr2_kernels_avx2;
#endif
#if defined(TR_HAVE_AVX512)
    case TR_ISA_AVX512:
        return &tr2_kernels_avx512;
#endif
#elif defined(__aarch64__)
    case TR_ISA_NEON:
        return &tr2_kernels_neon;
#endif
    default:
        return NULL;
    }
}
