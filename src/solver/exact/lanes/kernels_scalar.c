/* Two doubles as the compiler makes them: the reference that every other width must match bit for bit. */
#define TR_WIDTH       1
#define TR_LANES_TABLE trn_exact_lanes_scalar
#include "solver/exact/lanes/lanes.inl"
