/* Four lanes: every 64-bit ARM processor. */
#if defined(__aarch64__)
#define TR_WIDTH   4
#define TR_KERNELS trn_kernels_neon
#include "solver/kernels/kernels.inl"
#else
typedef int tr_not_on_this_machine;
#endif
