/*
 * Contact points of many pairs of polygons of four corners, one source for every instruction set (quads.inl). Others are
 * seldom alike in number.
 */
#ifndef TR2_COLLIDE_KERNELS_H
#define TR2_COLLIDE_KERNELS_H

#include "collide/geometry.h"

/* Pairs that a call takes at most: the widest vector. */
#define TR2_QUAD_LANES 16

/* As tr2_collide_quads(), for 1 to TR2_QUAD_LANES pairs. Returns a bit for each pair that has to be asked for by itself: the
   edges that are nearest do not face each other. */
typedef uint32_t tr2_quads_fn(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out);

uint32_t tr2_quads_scalar(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out);
#if defined(__x86_64__)
uint32_t tr2_quads_sse2(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out);
uint32_t tr2_quads_avx2(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out);
uint32_t tr2_quads_avx512(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out);
#elif defined(__aarch64__)
uint32_t tr2_quads_neon(const tr2_shape_pair *pairs, uint32_t count, tr2_manifold *out);
#endif

#endif
