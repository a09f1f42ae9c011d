/* One lane: the reference that every other width must match bit for bit. */
#define TR_WIDTH   1
#define TR_KERNELS tr2_collide_kernels_scalar
#include "collide/kernels/kernels.inl"
