/*
 * The broad phase: finds boxes that overlap and did not before. There are two trees, one of fixed and one of moving
 * boxes, so that a huge floor does not slow down a crowd. A box is entered with a margin, and again only when its shape
 * leaves it, so bodies at rest cost nothing.
 *
 * Proxies are small numbers of the caller (slots of shapes).
 */
#ifndef TR_COLLIDE_BROAD_H
#define TR_COLLIDE_BROAD_H

#include "collide/broad/tree.h"
#include "parallel/team.h"

/* The kind of a proxy, which determines its tree. */
enum { TR2_PROXY_NONE, TR2_PROXY_FIXED, TR2_PROXY_MOVING };

/* The state of a proxy: the tree that it is in, its current kind, and whether its pairs must be searched. */
#define TR2_PROXY_IN(state)   ((state)&3u)
#define TR2_PROXY_KIND(state) ((state) >> 2 & 3u)
#define TR2_PROXY_MOVED       16u
#define TR2_PROXY_ASKED       32u /* its pairs in its former box are known */

/* Proxies that share a mark: most boxes mostly stay, and whole spans of them are passed by. */
#define TR2_BROAD_SPAN 128u

/* Two proxies, a < b. */
typedef struct tr2_proxy_pair {
    uint32_t a, b;
} tr2_proxy_pair;

typedef struct tr2_broad {
    tr_memory *memory;
    tr2_tree trees[2]; /* of fixed and of moving proxies */
    tr2_box *boxes;    /* this and the next four arrays are indexed by proxy */
    tr2_box *former;   /* if TR2_PROXY_ASKED: the box when pairs were last settled */
    uint32_t *places;  /* leaf in its tree */
    uint32_t *families;
    uint8_t *states;
    uint8_t *marks; /* by spans of proxies; 0: none of the span has TR2_PROXY_MOVED */
    uint32_t box_capacity, former_capacity, place_capacity, family_capacity, state_capacity, mark_capacity;
    uint32_t *moved; /* proxies whose pairs must be searched, by number; if there are many, by leaf */
    uint32_t moved_count, moved_capacity;
    tr2_proxy_pair *found; /* by chunks of moved proxies, each with room for CHUNK_PAIRS */
    uint32_t *found_counts;
    uint32_t found_capacity, chunk_capacity;
    tr2_proxy_pair *pairs;
    uint32_t pair_count, pair_capacity;
    bool too_many;    /* the last search found more pairs than can be counted */
    uint32_t resting; /* fixed proxies that will move again: proxies that are set look for pairs with them, too */
    bool unsettled;   /* a search has updated the trees since tr2_broad_settle() */
} tr2_broad;

void tr2_broad_init(tr2_broad *broad, tr_memory *memory);
void tr2_broad_free(tr2_broad *broad);

/* Makes room for proxies below `count`. False if out of memory; then only room has grown. */
bool tr2_broad_reserve(tr2_broad *broad, uint32_t count);

/* A proxy of the span may have TR2_PROXY_MOVED. Several threads may say so of one span. */
static inline void tr2_broad_mark(tr2_broad *broad, uint32_t proxy)
{
    uint8_t *mark = &broad->marks[proxy / TR2_BROAD_SPAN];
    if (__atomic_load_n(mark, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(mark, (uint8_t)1, __ATOMIC_RELAXED);
}
/* Makes the marks from the states of all proxies. False if out of memory. */
bool tr2_broad_mark_all(tr2_broad *broad);
/* The first marked span from one on, or mark_capacity; and behind its last proxy. */
uint32_t tr2_broad_next_marked(const tr2_broad *broad, uint32_t span);
static inline uint32_t tr2_broad_span_end(const tr2_broad *broad, uint32_t span)
{
    uint32_t first = span * TR2_BROAD_SPAN, left = broad->state_capacity - first;
    return first + (left < TR2_BROAD_SPAN ? left : TR2_BROAD_SPAN);
}

/* Adds a proxy, or sets its current box and kind; its pairs will be searched. There must be room. Several threads
   may set different proxies concurrently. */
static inline void tr2_broad_set(tr2_broad *broad, uint32_t proxy, bool moving, const tr2_box *box)
{
    uint32_t kind = moving ? TR2_PROXY_MOVING : TR2_PROXY_FIXED;
    broad->boxes[proxy] = *box;
    broad->states[proxy] = (uint8_t)(TR2_PROXY_IN(broad->states[proxy]) | kind << 2 | TR2_PROXY_MOVED);
    tr2_broad_mark(broad, proxy);
}
/* The same for a proxy that is in the tree, moves, and whose known pairs remain valid: only new ones are searched. */
static inline void tr2_broad_move(tr2_broad *broad, uint32_t proxy, const tr2_box *box)
{
    uint32_t state = broad->states[proxy];
    if ((state & TR2_PROXY_MOVED) == 0) {
        broad->former[proxy] = broad->boxes[proxy];
        broad->states[proxy] = (uint8_t)(state | TR2_PROXY_MOVED | TR2_PROXY_ASKED);
        tr2_broad_mark(broad, proxy);
    }
    broad->boxes[proxy] = *box;
}
/* Pairs of proxies of the same family are never found. Set before a proxy's first search; 0: none, as at first. */
static inline void tr2_broad_set_family(tr2_broad *broad, uint32_t proxy, uint32_t family)
{
    broad->families[proxy] = family;
}
/* Makes room in the trees for additional proxies, which must come after tr2_broad_close_holes(). False if out of
   memory; then only room has grown. */
bool tr2_broad_reserve_leaves(tr2_broad *broad, uint32_t fixed, uint32_t moving);
/* Sorts trees of which most is holes that removed proxies have left. */
void tr2_broad_close_holes(tr2_broad *broad);
/* Lets searches find a proxy that was just set, before the next update; a new one needs room. A proxy that changes
   its kind stays in its tree until then. */
void tr2_broad_show(tr2_broad *broad, uint32_t proxy);
/* Moves a proxy to the tree of the other kind, where searches find it at once. Its pairs stay as they are. There must be
   room, as for a new proxy. */
void tr2_broad_switch(tr2_broad *broad, uint32_t proxy, bool moving);
/* Removes a proxy if it is present. */
void tr2_broad_remove(tr2_broad *broad, uint32_t proxy);

typedef struct tr2_broad_kept tr2_broad_kept;

/* Decides whether a pair (a < b) with overlapping boxes is wanted; called from several threads. `apart`: their boxes
   were known when pairs were last settled, and did not overlap. */
typedef bool tr2_broad_accept_fn(const void *context, uint32_t a, uint32_t b, bool apart);

/* Updates the trees for all proxies that were set; their pairs remain to be searched. None may be new, or of another
   kind, since tr2_broad_find(): so there is room. */
void tr2_broad_update(tr2_broad *broad);

/*
 * Updates the trees and finds all accepted pairs of overlapping boxes with at least one proxy set since
 * tr2_broad_settle() and at least one moving. broad->pairs has each pair once, in an order that depends only on the
 * sequence of calls. Pairs that overlapped when pairs were last settled are skipped if both have only moved. False if
 * out of memory. A call that is repeated without tr2_broad_settle() and edits between leaves all as one call would.
 * `kept`: what has been kept so that it can be undone (collide/broad/broad_keep.h); null: nothing.
 */
bool tr2_broad_find(tr2_broad *broad, tr2_broad_kept *kept, tr_team *team, uint32_t workers,
                    tr2_broad_accept_fn *accept, const void *context);
void tr2_broad_settle(tr2_broad *broad);

/* Visits the proxies below `proxies` and the trees (base/archive.h). What is read is checked. */
void tr2_broad_archive(tr2_broad *broad, tr_archive *archive, uint32_t proxies);

#endif
