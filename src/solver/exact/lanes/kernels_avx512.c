/* Eight doubles. No fused multiply-add. */
#if defined(__x86_64__) && defined(__AVX512F__)
#define TR_WIDTH       16
#define TR_LANES_TABLE trn_exact_lanes_avx512
#include "solver/exact/lanes/lanes.inl"
#else
typedef int tr_not_on_this_machine;
#endif
