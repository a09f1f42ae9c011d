/*
 * Twins: islands of the same structure, however they were made. A fresh plan lays up to 16 of them side by side: the
 * first vertices of all, then their second ones, and so on. Their corresponding edges then make runs (runs.c): a block
 * solves the same joint of 16 islands.
 */
#ifndef TR_PLAN_TWINS_H
#define TR_PLAN_TWINS_H

#include "plan/plan_internal.h"

typedef struct tr_island {
    uint32_t begin, count; /* its vertices */
    uint32_t first;        /* the first island of its structure; itself if it has no twin before it */
    uint32_t like;         /* one before it that was made in the same way; itself if none is known */
    uint32_t next;         /* the next island of its structure; TR_NONE: none */
    uint32_t members;      /* of the first one: how many have that structure, itself included */
    bool candidate;        /* it may have twins */
    bool ordered;          /* its canonical order is known */
    bool placed;           /* in the fresh order */
} tr_island;

/* The islands of two vertices or more, by their lowest ones. */
typedef struct tr_islands {
    tr_memory *memory;
    tr_island *all;
    uint32_t count, capacity;
    uint32_t *vertices; /* of all islands, also single ones, each in the order in which its vertices will be */
    uint32_t vertex_count;
} tr_islands;

/*
 * Finds the twins among the islands with at most `most_vertices` vertices of at most `most_edges` edges each
 * (TR_COLORS_MOVING at most). Puts the vertices of each in the order of the corresponding vertices of the first one of
 * its structure. `scratch`: three arrays with room for all vertices. False: out of memory.
 */
bool tr_find_twins(tr_islands *islands, const tr_graph *graph, uint32_t most_vertices, uint32_t most_edges,
                   uint32_t *const scratch[3]);

/* Interleaves consecutive twins of `count` vertices each. `scratch` must have room for all of them. */
void tr_lay_side_by_side(uint32_t *vertices, uint32_t count, uint32_t islands, uint32_t *scratch);

/* Sorts the edges from one vertex of a twin to vertices of higher rank, at most TR_COLORS_MOVING, in an order that
   depends on its structure only, as far as they differ. They are sorted by the higher rank. `rank`: of each vertex. */
void tr_sort_alike(const tr_graph *graph, const uint32_t *rank, uint32_t *edges, uint32_t count);

/*
 * shape.c: the structure of an island
 */

/* What all islands of the same structure have in common: a hash of how many edges each vertex has, and one of which. */
uint64_t tr_shape_degrees(const tr_graph *graph, const uint32_t *vertices, uint32_t count);
uint64_t tr_shape_edges(const tr_graph *graph, const uint32_t *vertices, uint32_t count);

/* Whether two islands of `count` vertices are the same graph, with the same kinds of edges, the same ends and edges to
   fixed vertices in the same places, vertex by vertex in the given order. `place`: index of each vertex within its
   island. */
bool tr_same_shape(const tr_graph *graph, const uint32_t *place, const uint32_t *a, const uint32_t *b, uint32_t count);

/* Scratch memory for canonical orders. */
typedef struct tr_shape tr_shape;
tr_shape *tr_shape_create(tr_memory *memory);
void tr_shape_destroy(tr_shape *shape, tr_memory *memory);

/*
 * A canonical order of an island's vertices: that of another island of the same structure has corresponding vertices
 * in the same places, whatever the order of creation. This always holds for trees without edges of more than two ends
 * (unless they are large and alike all over), and for most small graphs; tr_same_shape() tells. `order[i]` is the
 * index of the i-th vertex in `vertices`. `key`: a hash of the structure. False: the island is too large.
 */
bool tr_shape_order(tr_shape *shape, const tr_graph *graph, const uint32_t *place, const uint32_t *vertices,
                    uint32_t count, uint32_t *order, uint64_t *key);

#endif
