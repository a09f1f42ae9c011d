/*
 * Minimum degree orders of bodies and joints (sparse.h), in which a joint's pivots vanish only if other rows hold what
 * it holds.
 *
 * Eliminated bodies that eliminated joints connect are a group. A group that nothing connects to ground or to a body
 * that is left can move as one in all directions, so it gives way to any joint: one joint between it and a body that is
 * left may be eliminated, and that body is its anchor until it is eliminated, too. Other joints of such groups with the same
 * anchor may be eliminated as well, those to the anchor among them: if impulses of a group's joints do nothing to its bodies,
 * they do nothing to the anchor either, because together they change neither momentum nor angular momentum. So pivots vanish
 * for what is redundant in the whole, and loops that hang on one body do not wait for it. All other joints wait until all
 * their bodies are eliminated, and until no group of theirs has an anchor. Then their pivots are those of J M^-1 J^T, in
 * which all bodies come first.
 */
#ifndef TR_DYNAMICS_ORDER_H
#define TR_DYNAMICS_ORDER_H

#include "dynamics/sparse.h"

/* Arrays that grow, and are kept. */
typedef struct tr_order {
    tr_memory *memory;
    uint32_t node_count;
    uint32_t *nodes;     /* [node_count]: in the order of elimination */
    uint32_t soon_count; /* of these before the first late one */
    /* of each node: the nodes that are left when it is eliminated and that it is connected to, or has become so */
    uint32_t *first, *length; /* into `pattern` */
    uint32_t *pattern;
    uint32_t pattern_count, pattern_capacity;
    void *block; /* all other arrays */
    size_t block_size;
} tr_order;

void tr_order_init(tr_order *order, tr_memory *memory);
void tr_order_free(tr_order *order);

/* TR_ERROR_MEMORY, TR_ERROR_LIMIT; as tr_sparse_plan(). */
tr_status tr_order_make(tr_order *order, const tr_sparse_shape *shape);

#endif
