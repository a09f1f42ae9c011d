/* Four lanes: every x86-64 processor. */
#if defined(__x86_64__)
#define TR_WIDTH   4
#define TR_KERNELS tr2_collide_kernels_sse2
#include "collide/kernels/kernels.inl"
#else
typedef int tr_not_on_this_machine;
#endif
