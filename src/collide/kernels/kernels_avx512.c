/* Sixteen lanes. */
#if defined(__x86_64__) && defined(__AVX512F__)
#define TR_WIDTH   16
#define TR_KERNELS tr2_collide_kernels_avx512
#include "collide/kernels/kernels.inl"
#else
typedef int tr_not_on_this_machine;
#endif
