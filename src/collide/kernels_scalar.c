/* One lane: the oracle that every other width must equal, bit by bit. */
#define TR_WIDTH  1
#define TR2_QUADS tr2_quads_scalar
#include "collide/quads.inl"
