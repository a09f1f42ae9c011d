/* Eight lanes. No fused multiply-add, because its rounding differs from the other instruction sets. */
#if defined(__x86_64__) && defined(__AVX2__)
#define TR_WIDTH   8
#define TR_KERNELS trn_kernels_avx2
#include "solver/kernels/kernels.inl"
#else
typedef int tr_not_on_this_machine;
#endif
