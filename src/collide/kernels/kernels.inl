/* The kernels of an instruction set. The including file defines TR_WIDTH, and TR_KERNELS as the name of the table. */
#include "collide/kernels/circles.inl"
#include "collide/kernels/kernels.h"
#include "collide/kernels/near.inl"
#include "collide/kernels/polygon_circles.inl"
#include "collide/kernels/quad_bounds.inl"
#include "collide/kernels/quads.inl"
#include "collide/kernels/tree_query.inl"

const tr2_collide_kernels TR_KERNELS = {
    .quads = collide_quads,
    .polygon_circles = collide_polygon_circles,
    .circles = collide_circles,
    .near = near_pairs,
    .apart = apart_pairs,
    .quad_bounds = bound_quads,
    .query = tree_query,
    .query_shared = tree_query_shared,
};
