/* One lane: the oracle that every other width must equal, bit by bit. */
#define TR_WIDTH    1
#define TR2_KERNELS tr2_collide_kernels_scalar
#include "collide/kernels.inl"
