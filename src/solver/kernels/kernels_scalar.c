/* One lane: the reference that every other width must match bit for bit. */
#define TR_WIDTH   1
#define TR_KERNELS trn_kernels_scalar
#include "solver/kernels/kernels.inl"
