/*
 * A tree of boxes: leaves in the order of a space-filling curve, eight per node, so that the tree is a few plain
 * arrays. The set of leaves that a query finds depends only on the boxes. Their order also depends on the sequence of
 * calls, but never on addresses, threads or time.
 *
 * The caller numbers the leaves (proxies). Moving boxes are refitted in place; a tree that changed much is sorted
 * again.
 */
#ifndef TR_COLLIDE_TREE_H
#define TR_COLLIDE_TREE_H

#include "base/archive.h"

/* A box in world coordinates; m. */
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

/* The boxes of eight children, as floats relative to the tree's origin, rounded outward; an empty one overlaps
   nothing. */
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
    tr2_tree_level levels[TR2_TREE_LEVELS]; /* 0: the leaves' boxes; the last one in use has one node */
    uint32_t level_count;
    uint32_t *proxies; /* of each leaf; TR2_TREE_HOLE if it was removed */
    uint32_t leaf_count, leaf_capacity;
    uint32_t proxy_count;  /* leaves that are not holes */
    uint64_t changes;      /* leaves added, removed and moved since the last sort */
    bool stale;            /* boxes of leaves have changed since the last refit */
    double outline;        /* m, half the sum of the outlines of the leaves' nodes after the last refit */
    double sorted_outline; /* the same per leaf after the last sort */
} tr2_tree;

#define TR2_TREE_HOLE UINT32_MAX

void tr2_tree_init(tr2_tree *tree, tr_memory *memory);
void tr2_tree_free(tr2_tree *tree);

/* Makes room for `more` leaves. False if out of memory; then nothing changed. */
bool tr2_tree_reserve(tr2_tree *tree, uint32_t more);
/* Adds a leaf; there must be room. Returns its place, which is constant until the tree is sorted. */
uint32_t tr2_tree_add(tr2_tree *tree, uint32_t proxy, const tr2_box *box);
void tr2_tree_move(tr2_tree *tree, uint32_t place, const tr2_box *box);
/* Whether a leaf has this box, or one that rounds to the same. */
bool tr2_tree_has(const tr2_tree *tree, uint32_t place, const tr2_box *box);
void tr2_tree_remove(tr2_tree *tree, uint32_t place);
/* Makes `to`, which was initialised, a copy of a tree. False if out of memory; then `to` is no tree. It needs none where
   `to` has ever had as many leaves. */
bool tr2_tree_copy(tr2_tree *to, const tr2_tree *from);
/* Whether so many leaves were removed that the next update sorts the tree, which closes the holes that they left. */
bool tr2_tree_has_holes(const tr2_tree *tree);
/* Lets searches find a leaf that was added or moved since the last update, by widening its ancestors. All leaves
   added since then must be shown, in that order. */
void tr2_tree_show(tr2_tree *tree, uint32_t place);

/*
 * Prepares the tree for queries. Sorts it if it changed much, by the proxies' boxes in `boxes`; then it rewrites
 * `places` (by proxy). Needs no memory.
 */
void tr2_tree_update(tr2_tree *tree, const tr2_box *boxes, uint32_t *places);

/* Called for each proxy whose box may overlap; false ends the query. */
typedef bool tr2_tree_found_fn(void *context, uint32_t proxy);
/* Finds every proxy whose box overlaps, and a few others whose distance is within the rounding error. */
void tr2_tree_query(const tr2_tree *tree, const tr2_box *box, tr2_tree_found_fn *found, void *context);

/* Called for leaves of one node, `proxies`: bit TR2_TREE_WIDTH i + k is set if the box of leaf k may overlap box i. */
typedef void tr2_tree_shared_fn(void *context, const uint32_t *proxies, uint64_t bits);
/* The same as a query for each of 1 to TR2_TREE_WIDTH boxes, which are near each other: their common surroundings are
   searched once. */
void tr2_tree_query_shared(const tr2_tree *tree, const tr2_box *const *boxes, uint32_t count, tr2_tree_shared_fn *found,
                           void *context);

/*
 * Searches whose range shrinks as they find something (tree_search.c)
 */

/* A box translated along a line; a ray if it has no size. */
typedef struct tr2_tree_cast {
    double x, y;                         /* m, start of its centre */
    double translation_x, translation_y; /* translation */
    double half_x, half_y;               /* half its sides */
} tr2_tree_cast;

/* Called for a proxy whose box may be reached before `most`. Returns the new limit of the search, at most `most`; a
   negative one ends it. The limit is a fraction of the translation in casts, and a distance in m in searches around
   a point. */
typedef double tr2_tree_met_fn(void *context, uint32_t proxy, double most);
/* Finds every proxy whose box is reached before the limit, roughly nearest first, and a few others. */
void tr2_tree_cast_box(const tr2_tree *tree, const tr2_tree_cast *cast, double most, tr2_tree_met_fn *met,
                       void *context);
/* The same for the distance of boxes from a point. */
void tr2_tree_near(const tr2_tree *tree, double x, double y, double most, tr2_tree_met_fn *met, void *context);

#endif
