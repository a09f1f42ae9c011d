/*
 * What a search for pairs changes in a broad phase, so that it can be undone. A search moves few boxes, and those that it
 * moves have their former ones beside them, so little has to be copied.
 */
#ifndef TR_COLLIDE_BROAD_KEEP_H
#define TR_COLLIDE_BROAD_KEEP_H

#include "collide/broad/broad.h"

/* A proxy that was set before the search. */
typedef struct tr2_kept_proxy {
    uint32_t proxy;
    uint8_t state;
    tr2_box box, former;
} tr2_kept_proxy;

struct tr2_broad_kept {
    tr2_tree trees[2];
    bool has_tree[2];
    tr2_kept_proxy *moved;
    uint32_t moved_count, moved_capacity;
    /* of all proxies, where new ones may be */
    bool whole;
    tr2_box *boxes, *former;
    uint32_t *families;
    uint8_t *states;
    uint32_t count, box_capacity, former_capacity, family_capacity, state_capacity;
    uint32_t resting;
    bool unsettled;
};

void tr2_broad_kept_init(tr2_broad_kept *kept, tr_memory *memory);
void tr2_broad_kept_free(tr2_broad_kept *kept, tr_memory *memory);

/* Call before a search, and before the proxies that are set for it. `whole`: some of them may be new, or of another
   kind or family than before. False if out of memory. */
bool tr2_broad_keep(const tr2_broad *broad, tr2_broad_kept *kept, bool whole);
/* The tree of moving boxes, before it changes; and both, before a proxy changes its tree by tr2_broad_switch(), if the one
   of fixed boxes is not stale or has been kept. False if out of memory. */
bool tr2_broad_keep_moving(const tr2_broad *broad, tr2_broad_kept *kept);
bool tr2_broad_keep_trees(const tr2_broad *broad, tr2_broad_kept *kept);
/* After a search: lets go of the memory of a `whole` one. */
void tr2_broad_kept_settle(tr2_broad_kept *kept);
/* Undoes all since then. What was found must not have been settled. */
void tr2_broad_return(tr2_broad *broad, const tr2_broad_kept *kept);

#endif
