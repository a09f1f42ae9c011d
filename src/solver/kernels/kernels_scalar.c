/* One lane: the reference that every other width must match bit for bit. */
#define TR_WIDTH    1
#define TR2_KERNELS tr2_kernels_scalar
#include "solver/kernels/kernels.inl"
