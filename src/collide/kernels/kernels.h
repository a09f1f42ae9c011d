/*
 * SIMD kernels of collision, from one source for all instruction sets (kernels.inl): contacts of many pairs of circles,
 * first tests of pairs of other shapes, contacts of pairs of quadrilaterals and of polygons with circles (other kinds
 * of pairs are rarely numerous enough), bounding boxes of quadrilaterals, and searches of a tree, whose nodes have
 * eight children.
 */
#ifndef TR2_COLLIDE_KERNELS_H
#define TR2_COLLIDE_KERNELS_H

#include "collide/broad/quad_bounds.h"
#include "collide/broad/tree.h"
#include "collide/geometry/geometry.h"

/* Greatest number of pairs per call: the widest vector. */
#define TR2_COLLIDE_LANES 16

/* As tr2_collide_quads(), for 1 to TR2_COLLIDE_LANES pairs. Returns a bit for each pair that needs a separate
   tr2_collide(), because its nearest edges do not face each other. */
typedef uint32_t tr2_quads_fn(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out);

/* As tr2_collide_circles(), for 1 to 16 pairs. */
typedef tr2_circle_bits tr2_circles_fn(const tr2_mover_pairs *pairs, const uint32_t *place, tr2_manifold *out);

/* As tr2_near_pairs(), likewise. */
typedef tr2_near_bits tr2_near_fn(const tr2_mover_pairs *pairs, float turn_least, float *margins);

/* As tr2_apart_pairs(). */
typedef uint32_t tr2_apart_fn(const tr2_shape_place *const *a, const tr2_shape_place *const *b, const float *margins,
                              uint32_t count);

/* As tr2_quad_bounds(). */
typedef uint32_t tr2_quad_bounds_fn(const tr2_quad_batch *quads);

/* A box prepared for comparison with nodes: its upper corner with their lower ones, its lower one with their upper
   ones. The layout is that of a node: both coordinates, once per child. */
typedef struct tr2_tree_key {
    float most[2 * TR2_TREE_WIDTH], least[2 * TR2_TREE_WIDTH];
} tr2_tree_key;

void tr2_tree_key_make(const tr2_tree *tree, const tr2_box *box, tr2_tree_key *out);

/* As tr2_tree_query(), for a tree with at least one level. */
typedef void tr2_query_fn(const tr2_tree *tree, const tr2_tree_key *key, tr2_tree_found_fn *found, void *context);

/* As tr2_tree_query_shared(), likewise. */
typedef void tr2_query_shared_fn(const tr2_tree *tree, const tr2_tree_key *keys, uint32_t count,
                                 tr2_tree_shared_fn *found, void *context);

typedef struct tr2_collide_kernels {
    tr2_quads_fn *quads;
    tr2_collide_many_fn *polygon_circles; /* as tr2_collide_polygon_circles() */
    tr2_circles_fn *circles;
    tr2_near_fn *near;
    tr2_apart_fn *apart;
    tr2_quad_bounds_fn *quad_bounds;
    tr2_query_fn *query;
    tr2_query_shared_fn *query_shared;
} tr2_collide_kernels;

extern const tr2_collide_kernels tr2_collide_kernels_scalar;
#if defined(__x86_64__)
extern const tr2_collide_kernels tr2_collide_kernels_sse2;
extern const tr2_collide_kernels tr2_collide_kernels_avx2;
extern const tr2_collide_kernels tr2_collide_kernels_avx512;
#elif defined(__aarch64__)
extern const tr2_collide_kernels tr2_collide_kernels_neon;
#endif

#endif
