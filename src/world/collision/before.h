/*
 * What was before a search for contacts, so that a step that finds no memory leaves the world as it was.
 *
 * Places of shapes and manifolds are in two arrays each, and a search writes to the ones that were not read last; so most
 * of what it changes is not copied. What rests or stands still is not written by a search, so it is the same in both.
 * Boxes, flags and pairs are copied; contacts, in the plan and in their table, only where they come and go.
 */
#ifndef TR_WORLD_BEFORE_H
#define TR_WORLD_BEFORE_H

#include "base/pool.h"
#include "collide/broad_keep.h"
#include "collide/geometry.h"
#include "plan/plan.h"
#include "world/collision/pair_index.h"

typedef struct tr2_before {
    bool kept;      /* a search has begun that can be undone */
    bool exchanged; /* it has exchanged contacts in the plan */
    bool settled;   /* and in the tables */
    bool written;   /* and has written the rows of contacts */
    /* the other two arrays */
    tr2_shape_place *places;
    tr2_manifold *manifolds;
    uint32_t place_capacity, manifold_capacity;
    tr2_broad_kept broad;
    tr2_pair *pairs;       /* those that did not rest */
    uint32_t *shape_flags; /* by rows */
    uint32_t pair_count, pair_capacity, shape_count, shape_capacity;
    /* rows of contacts that go, or may move, and all their columns; and the pool of slots */
    uint32_t *rows;
    unsigned char *cells;
    uint32_t row_count, row_capacity, cell_capacity;
    uint32_t *slot_rows;
    uint16_t *generations;
    uint32_t slot_capacity, generation_capacity;
    tr_pool slots;
    bool has_slots; /* some contact comes or goes */
    uint32_t contacts, contact_rest_first, contact_rest_end, ended_count;
    tr_plan_swap swap;
} tr2_before;

#endif
