/*
 * Trees: parts of a graph without cycles, which can be solved exactly from the leaves to the root and back. Graph
 * algorithms only, on moving vertices and on edges that the caller selects.
 */
#ifndef TR_PLAN_FOREST_H
#define TR_PLAN_FOREST_H

#include "plan/plan.h"

/* A vertex of a tree. Nodes are stored by level from the root on; children of a node are consecutive. */
typedef struct tr_forest_node {
    uint32_t vertex;
    uint32_t parent; /* node; TR_NONE: the root */
    uint32_t edge;   /* to the parent's vertex */
    uint32_t first_child, child_count;
    uint32_t depth; /* edges to the root */
    bool marked;    /* used by tr_forest_span() */
} tr_forest_node;

typedef struct tr_forest_tree {
    uint32_t first_node, node_count; /* the first node is the root */
    uint32_t depth;                  /* of the last node, which is a deepest one */
} tr_forest_tree;

typedef struct tr_forest {
    tr_memory *memory;
    tr_forest_node *nodes;
    uint32_t node_count, node_capacity;
    tr_forest_tree *trees;
    uint32_t tree_count, tree_capacity;
} tr_forest;

void tr_forest_init(tr_forest *forest, tr_memory *memory);
void tr_forest_destroy(tr_forest *forest);
void tr_forest_clear(tr_forest *forest);

/*
 * Adds the component of the moving vertex `vertex`, over edges with two ends whose kind is in `kinds` (a mask over the
 * first 64), if it is a tree; a single vertex is one. The root is in its middle, for the smallest depth. `seen` has a
 * number per vertex; the visited ones become `stamp`. A vertex with this stamp or a later one belongs to a tree, or to
 * a part found to have a cycle, and ends the search without a tree. False: out of memory, and the forest is unchanged.
 */
bool tr_forest_find(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t *seen, uint32_t stamp,
                    uint32_t vertex);

/*
 * Adds a tree with the root `vertex` that spans all vertices reachable from it over such edges with a marked end. A
 * vertex is marked if its `seen` is `marked`; the root counts as marked. Leaves out edges that would close a cycle or
 * lead to a vertex that has the stamp already. The tree's vertices get the stamp. A single vertex makes no tree. False:
 * out of memory, and the forest is unchanged.
 */
bool tr_forest_span(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t *seen, uint32_t marked,
                    uint32_t stamp, uint32_t vertex);

/*
 * Whether the component of `vertex` over such edges has at most `most` unvisited vertices, none of them with a `seen`
 * from `met` to `last`. Its vertices then get last + 1; vertices that already have that are not visited again. Also
 * false if out of memory.
 */
bool tr_forest_is_apart(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t *seen, uint32_t met,
                        uint32_t last, uint32_t vertex, uint32_t most);

/* Makes `vertex` the root of the tree found last by tr_forest_find(), which must contain it. */
void tr_forest_root(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t vertex);

#endif
