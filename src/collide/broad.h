/*
 * The broad phase: which boxes overlap that did not before. Two trees, one of what is fixed and one of what may move, so
 * that a huge floor costs a crowd nothing. A box is entered larger than what is in it, and entered again only when that
 * leaves it: what rests is not looked at.
 *
 * Proxies are small numbers of the caller's (slots of shapes).
 */
#ifndef TR_COLLIDE_BROAD_H
#define TR_COLLIDE_BROAD_H

#include "collide/tree.h"
#include "parallel/team.h"

/* What a proxy is; it is also which tree it lies in. */
enum { TR2_PROXY_NONE, TR2_PROXY_FIXED, TR2_PROXY_MOVING };

/* The state of a proxy: the tree it is in, what it is now, and whether its pairs are to be looked for. */
#define TR2_PROXY_IN(state)   ((state)&3u)
#define TR2_PROXY_KIND(state) ((state) >> 2 & 3u)
#define TR2_PROXY_MOVED       16u
#define TR2_PROXY_ASKED       32u /* and those that it had in its former box have been asked about */

/* Two proxies, a < b. */
typedef struct tr2_proxy_pair {
    uint32_t a, b;
} tr2_proxy_pair;

typedef struct tr2_broad {
    tr_memory *memory;
    tr2_tree trees[2]; /* of what is fixed, of what moves */
    tr2_box *boxes;    /* these four by proxy */
    tr2_box *former;   /* where states say TR2_PROXY_ASKED: when pairs were last settled */
    uint32_t *places;  /* in its tree */
    uint8_t *states;
    uint32_t box_capacity, former_capacity, place_capacity, state_capacity;
    uint32_t
        *moved; /* proxies whose pairs are to be looked for; in order of numbers, or where they are many of leaves */
    uint32_t moved_count, moved_capacity;
    tr2_proxy_pair *found; /* by chunks of moved proxies, with room for so many each */
    uint32_t *found_counts;
    uint32_t found_capacity, chunk_capacity;
    tr2_proxy_pair *pairs;
    uint32_t pair_count, pair_capacity;
    bool too_many; /* the last search failed: there is more than can be counted */
} tr2_broad;

void tr2_broad_init(tr2_broad *broad, tr_memory *memory);
void tr2_broad_free(tr2_broad *broad);

/* Room for proxies below `count`; false when there is no memory, and then only room has grown. */
bool tr2_broad_reserve(tr2_broad *broad, uint32_t count);

/* Enters a proxy, or says where it is now and what; its pairs are then looked for. There must be room. Different proxies
   may be set by several threads at once. */
static inline void tr2_broad_set(tr2_broad *broad, uint32_t proxy, bool moving, const tr2_box *box)
{
    uint32_t kind = moving ? TR2_PROXY_MOVING : TR2_PROXY_FIXED;
    broad->boxes[proxy] = *box;
    broad->states[proxy] = (uint8_t)(TR2_PROXY_IN(broad->states[proxy]) | kind << 2 | TR2_PROXY_MOVED);
}
/* The same of one that is in, moves, and has with each other one the pair that it had, or still has not. */
static inline void tr2_broad_move(tr2_broad *broad, uint32_t proxy, const tr2_box *box)
{
    uint32_t state = broad->states[proxy];
    if ((state & TR2_PROXY_MOVED) == 0) {
        broad->former[proxy] = broad->boxes[proxy];
        broad->states[proxy] = (uint8_t)(state | TR2_PROXY_MOVED | TR2_PROXY_ASKED);
    }
    broad->boxes[proxy] = *box;
}
/* Room in the trees for so many proxies more than they have. */
bool tr2_broad_reserve_leaves(tr2_broad *broad, uint32_t fixed, uint32_t moving);
/* Lets searches of the trees see a proxy that was just set, without waiting for the next update; where it is new there
   must be room. One that changes its kind stays in its tree till then. */
void tr2_broad_show(tr2_broad *broad, uint32_t proxy);
/* Takes one out, if it is in. */
void tr2_broad_remove(tr2_broad *broad, uint32_t proxy);

/* Whether a pair (a < b) whose boxes overlap is wanted; called from several threads. `apart`: when pairs were last settled their
   boxes were known, and did not overlap. */
typedef bool tr2_broad_accept_fn(const void *context, uint32_t a, uint32_t b, bool apart);

/* Brings the trees up to date with all that was set; what was set since tr2_broad_settle() is still to be looked for.
   False when there is no memory; it can then be called again. */
bool tr2_broad_update(tr2_broad *broad);

/*
 * Brings the trees up to date and looks for all pairs of overlapping boxes, one of them set since tr2_broad_settle() and
 * one of them moving, that are accepted: each once, in broad->pairs, in an order that depends on the sequence of calls
 * alone. Those that overlapped when pairs were last settled are not asked about again where both have only moved. False
 * when there is no memory; it can then be called again.
 */
bool tr2_broad_find(tr2_broad *broad, tr_team *team, uint32_t workers, tr2_broad_accept_fn *accept,
                    const void *context);
void tr2_broad_settle(tr2_broad *broad);

#endif
