/*
 * Trees: parts of a graph without cycles, which can be solved exactly from their leaves to their root and back. Pure
 * graph work, of vertices that move and of edges that the caller chooses.
 */
#ifndef TR_PLAN_FOREST_H
#define TR_PLAN_FOREST_H

#include "plan/plan.h"

/* A vertex of a tree. Nodes lie level by level from the root on, children of one node next to each other. */
typedef struct tr_forest_node {
    uint32_t vertex;
    uint32_t parent; /* node; TR_NONE: the root */
    uint32_t edge;   /* to the parent's vertex */
    uint32_t first_child, child_count;
    uint32_t depth; /* edges to the root */
    bool marked;    /* of tr_forest_span() */
} tr_forest_node;

typedef struct tr_forest_tree {
    uint32_t first_node, node_count; /* the first is the root */
    uint32_t depth;                  /* of the last node, the deepest */
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
 * Adds the tree of all moving vertices that hang together with `vertex`, which moves, by edges of two ends whose kind is
 * among `kinds` (a mask over the first 64); its root is in its middle, so that it is as shallow as can be. No tree is added
 * where there is a cycle, or where one vertex is all. `seen`, a number per vertex, becomes `stamp` for those that were looked
 * at: what meets one that has it already, or a later one, is part of what was found to be no tree, or is in one. False: no
 * memory, and the forest is as it was.
 */
bool tr_forest_find(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t *seen, uint32_t stamp,
                    uint32_t vertex);

/*
 * Adds a tree of what hangs together with `vertex`, its root, by such edges that have a marked end, one whose `seen` is `marked`; so
 * is the root. An edge that would close a cycle is left out, as is one to a vertex that has the stamp already. Its vertices
 * get the stamp. No tree is added where one vertex is all. False: no memory, and the forest is as it was.
 */
bool tr_forest_span(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t *seen, uint32_t marked,
                    uint32_t stamp, uint32_t vertex);

/*
 * Whether nothing that hangs together with `vertex` by such edges has a `seen` from `met` to `last`, nor is there more of it than `most`
 * vertices, of which each is looked at. All of it then has `last` + 1; what has that already is not looked at again. False
 * also where there is no memory.
 */
bool tr_forest_is_apart(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t *seen, uint32_t met,
                        uint32_t last, uint32_t vertex, uint32_t most);

/* Makes `vertex`, of the tree that was found last, its root; not of one that spans. */
void tr_forest_root(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t vertex);

#endif
