/* Four lanes: every 64-bit ARM processor. */
#if defined(__aarch64__)
#define TR_WIDTH   4
#define TR_KERNELS tr2_collide_kernels_neon
#include "collide/kernels/kernels.inl"
#else
typedef int tr_not_on_this_machine;
#endif
