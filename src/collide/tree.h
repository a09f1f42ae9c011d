/*
 * A tree of boxes: leaves in the order of a space-filling curve, eight to a node, so that the whole tree is a few plain
 * arrays. What a query finds depends on the boxes alone; the order in which it is found also on the sequence of calls;
 * nothing on addresses, threads or time.
 *
 * Leaves are numbered by the caller (proxies). Boxes that move are refitted in place; a tree that has changed much is
 * sorted afresh.
 */
#ifndef TR_COLLIDE_TREE_H
#define TR_COLLIDE_TREE_H

#include "base/memory.h"

/* A box in the world; m. */
typedef struct tr2_box {
    double lower_x, lower_y, upper_x, upper_y;
} tr2_box;

static inline bool tr2_boxes_overlap(const tr2_box *a, const tr2_box *b)
{
    return a->lower_x <= b->upper_x && b->lower_x <= a->upper_x && a->lower_y <= b->upper_y && b->lower_y <= a->upper_y;
}

static inline bool tr2_box_contains(const tr2_box *outer, const tr2_box *inner)
{
    return outer->lower_x <= inner->lower_x && outer->lower_y <= inner->lower_y && outer->upper_x >= inner->upper_x &&
           outer->upper_y >= inner->upper_y;
}

static inline void tr2_box_widen(tr2_box *box, double by)
{
    box->lower_x -= by;
    box->lower_y -= by;
    box->upper_x += by;
    box->upper_y += by;
}

#define TR2_TREE_WIDTH  8
#define TR2_TREE_LEVELS 11 /* 8^11 > 2^31 */

/* Boxes of eight children, rounded outward to floats from the tree's origin; one that is empty overlaps nothing. */
typedef struct tr2_tree_node {
    float lower_x[TR2_TREE_WIDTH], lower_y[TR2_TREE_WIDTH], upper_x[TR2_TREE_WIDTH], upper_y[TR2_TREE_WIDTH];
} tr2_tree_node;

typedef struct tr2_tree_level {
    tr2_tree_node *nodes;
    uint32_t count, capacity;
} tr2_tree_level;

typedef struct tr2_tree {
    tr_memory *memory;
    double origin_x, origin_y;
    tr2_tree_level levels[TR2_TREE_LEVELS]; /* 0: the leaves' boxes; the last in use has one node */
    uint32_t level_count;
    uint32_t *proxies; /* of each leaf; TR2_TREE_HOLE where one was taken out */
    uint32_t leaf_count, leaf_capacity;
    uint32_t proxy_count;  /* leaves that are no holes */
    uint64_t changes;      /* leaves added, removed and moved since it was sorted */
    bool stale;            /* boxes of leaves have changed since the last refit */
    double outline;        /* half the outlines of the leaves' nodes, as they were last refitted; m */
    double sorted_outline; /* and per leaf, when they were last sorted */
} tr2_tree;

#define TR2_TREE_HOLE UINT32_MAX

void tr2_tree_init(tr2_tree *tree, tr_memory *memory);
void tr2_tree_free(tr2_tree *tree);

/* Room for `more` leaves; false when there is no memory, and then nothing has changed. */
bool tr2_tree_reserve(tr2_tree *tree, uint32_t more);
/* Adds a leaf; there must be room. Returns its place, which stays until the tree is sorted. */
uint32_t tr2_tree_add(tr2_tree *tree, uint32_t proxy, const tr2_box *box);
void tr2_tree_move(tr2_tree *tree, uint32_t place, const tr2_box *box);
void tr2_tree_remove(tr2_tree *tree, uint32_t place);
/* Lets searches see a leaf that was added or moved since the last update, by widening what is above it: every leaf since
   then must be shown, in the order in which they were added. */
void tr2_tree_show(tr2_tree *tree, uint32_t place);

/*
 * Makes the tree ready for queries. Sorts it where it has changed much, by the boxes of proxies in `boxes`; `places`
 * (by proxy) is then written anew. False when there is no memory to sort; it can then be called again.
 */
bool tr2_tree_update(tr2_tree *tree, const tr2_box *boxes, uint32_t *places);

/* Told of each proxy whose box may overlap; false ends the query. */
typedef bool tr2_tree_found_fn(void *context, uint32_t proxy);
/* Tells of every proxy whose box overlaps, and of few others (those that floats cannot tell apart from it). */
void tr2_tree_query(const tr2_tree *tree, const tr2_box *box, tr2_tree_found_fn *found, void *context);

/*
 * Searches that grow shorter as they find something (tree_search.c)
 */

/* A box that is moved along a line; a ray where it has no size. */
typedef struct tr2_tree_cast {
    double x, y;           /* where its middle begins; m */
    double way_x, way_y;   /* to where it ends */
    double half_x, half_y; /* of its sides */
} tr2_tree_cast;

/* Told of a proxy whose box may be met before `most`; returns how far the search is still to go, at most `most`; below 0
   ends it. Of a cast that is a fraction of the way, of a search for what is near a distance in m. */
typedef double tr2_tree_met_fn(void *context, uint32_t proxy, double most);
/* Tells of every proxy whose box is met before what is returned, nearer ones more or less first, and of few others. */
void tr2_tree_cast_box(const tr2_tree *tree, const tr2_tree_cast *cast, double most, tr2_tree_met_fn *met,
                       void *context);
/* The same of boxes by their distance from a point. */
void tr2_tree_near(const tr2_tree *tree, double x, double y, double most, tr2_tree_met_fn *met, void *context);

#endif
