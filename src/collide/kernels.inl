/* The kernels of one instruction set. The includer defines TR_WIDTH and TR2_KERNELS, the name of their table. */
#include "collide/circles.inl"
#include "collide/kernels.h"
#include "collide/quads.inl"
#include "collide/tree_query.inl"

const tr2_collide_kernels TR2_KERNELS = {.quads = collide_quads, .circles = collide_circles, .query = tree_query};
