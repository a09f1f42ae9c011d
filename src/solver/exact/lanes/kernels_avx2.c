/* Four doubles. No fused multiply-add, because its rounding differs from the other instruction sets. */
#if defined(__x86_64__) && defined(__AVX2__)
#define TR_WIDTH       8
#define TR_LANES_TABLE trn_exact_lanes_avx2
#include "solver/exact/lanes/lanes.inl"
#else
typedef int tr_not_on_this_machine;
#endif
