/* Two doubles. */
#if defined(__aarch64__)
#define TR_WIDTH       4
#define TR_LANES_TABLE trn_exact_lanes_neon
#include "solver/exact/lanes/lanes.inl"
#else
typedef int tr_not_on_this_machine;
#endif
