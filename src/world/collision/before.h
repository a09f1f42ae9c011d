/*
 * What was before a search for contacts, so that a step that finds no memory leaves the world as it was.
 *
 * Manifolds are in two arrays, and a search writes to the one that was not read last. What rests is not written by a
 * search, so it is the same in both. Boxes that move, flags and pairs are copied; contacts, in the plan and in their table,
 * only where they come and go. What wakes in a search is noted, and goes back to rest in the opposite order. Places of
 * shapes that move are not kept: nothing reads them before the next search has written them.
 */
#ifndef TR_WORLD_BEFORE_H
#define TR_WORLD_BEFORE_H

#include "base/pool.h"
#include "collide/broad/broad_keep.h"
#include "collide/geometry/geometry.h"
#include "plan/plan.h"
#include "world/collision/pair_index.h"

/* A resting pair in the lists of its two shapes: twice the number of the pair before and after it, + 1 if it is b's
   shape there; TR_NONE: none. */
typedef struct tr2_rest_link {
    uint32_t before[2], after[2];
} tr2_rest_link;

/* A pair that has been roused, and its number before. */
typedef struct tr2_roused {
    uint32_t number;
    tr2_pair pair;
    tr2_rest_link link;
} tr2_roused;

typedef struct tr2_before {
    bool kept;               /* a search has begun that can be undone */
    bool exchanged;          /* it has exchanged contacts in the plan */
    bool settled;            /* and in the tables */
    bool written;            /* and has written the rows of contacts */
    tr2_manifold *manifolds; /* the other array */
    uint32_t manifold_capacity;
    tr2_broad_kept broad;
    tr2_pair *pairs;       /* those that did not rest */
    uint32_t *shape_flags; /* by rows, but for those that rest */
    uint32_t pair_count, pair_capacity, shape_count, shape_capacity;
    uint32_t shape_rest_first, shape_rest_end;
    bool rest_again;
    /* rows of contacts that go, or may move, and all their columns; and the pool of slots */
    uint32_t *rows;
    unsigned char *cells;
    uint32_t row_count, row_capacity, cell_capacity;
    bool all; /* of all contacts */
    /* otherwise, if rows are written while the step can still fail: of all contacts then, by their slots */
    uint32_t *written_slots;
    unsigned char *written_cells;
    uint32_t written_count, written_capacity, written_cell_capacity;
    tr_pool slots;      /* its counts */
    uint32_t next_free; /* slot after the last free one that is taken, as the pool has it */
    uint32_t contacts, contact_rest_first, contact_rest_end, ended_count;
    tr_plan_swap swap;
    /* while it notes what wakes: rows of contacts and shapes that leave those at rest, and pairs */
    bool notes, lacks_memory;
    uint32_t *roused_contacts, *roused_shapes;
    tr2_roused *roused;
    uint32_t roused_contact_count, roused_shape_count, roused_count;
    uint32_t roused_contact_capacity, roused_shape_capacity, roused_capacity;
} tr2_before;

#endif
