/*
 * The plan: graph algorithms only. Vertices are bodies, edges are joints; nothing here depends on physics.
 *
 * An edge has two ends, or three or four (a hyperedge: a gear between joints on a carrier). Edges are coloured so that
 * no two edges of one colour share a copy of a moving vertex. A vertex with too many edges for one copy is split into
 * several copies, each with its own colours; the solver distributes the body's mass over them.
 *
 * A fresh plan groups the moving vertices into units, each small enough for its bodies and joints to stay in a cache: a
 * few whole islands, or a piece of a large one. An edge belongs to a unit if all its moving ends do; other edges are
 * seams. The edges of one (unit, colour, kind) form a span, a list in the order of the lanes; seams have their own
 * spans.
 *
 * The caller numbers vertices and edges by small integers (slots) that are fixed while the object lives. All results
 * depend only on the sequence of calls, never on addresses, threads or time. A failed call changes nothing. Numbers of
 * objects that do not exist, or exist already, are errors of the caller and not checked.
 *
 * docs/plan.md describes the algorithms, their speed and how full the lanes are.
 */
#ifndef TR_PLAN_PLAN_H
#define TR_PLAN_PLAN_H

#include "base/archive.h"

#define TR_LANES 16 /* joints per block, for every instruction set */
#define TR_ENDS  4  /* greatest number of ends of an edge */
/*
 * A run: 16 edges in four groups of four; within a group, the vertices at both ends are consecutive. Lane i has
 * position TR_RUN_PLACE(i) in the run, and so belongs to group i % 4: this is the order in which transposing whole
 * vectors of records yields them, at every vector width.
 */
#define TR_RUN_GROUP       4
#define TR_RUN_PLACE(lane) (TR_RUN_GROUP * ((lane) % TR_RUN_GROUP) + (lane) / TR_RUN_GROUP)
#define TR_COLORS_MOVING   64  /* colours 0 .. 63: edges with two or more moving ends */
#define TR_COLORS          128 /* colours 64 .. 127: edges with one moving end; solved last, for better convergence */
#define TR_NONE            UINT32_MAX

typedef struct tr_plan tr_plan;

/*
 * `kinds`: the number of kinds of edges, 1 .. 65535. `copy_capacity`: greatest number of edges on a copy of a vertex, 2
 * .. 64. Up to 32, a new copy opens only when the others are full; above, two busy ends may run out of common colours
 * before. TR_ERROR_MEMORY.
 */
tr_status tr_plan_create(tr_memory *memory, uint32_t kinds, uint32_t copy_capacity, tr_plan **out);
void tr_plan_destroy(tr_plan *plan); /* may be null */

/* Makes room for vertices and edges with numbers below these. TR_ERROR_MEMORY, TR_ERROR_LIMIT. */
tr_status tr_plan_reserve(tr_plan *plan, uint32_t vertices, uint32_t edges);

/* Vertices. A vertex must have no edges when it is removed. TR_ERROR_MEMORY, TR_ERROR_LIMIT (a number above 2^31 -
   2). */
tr_status tr_plan_add_vertex(tr_plan *plan, uint32_t vertex, bool moving);
void tr_plan_remove_vertex(tr_plan *plan, uint32_t vertex);
/* On a change, recolours all edges of the vertex, oldest first. TR_ERROR_MEMORY. */
tr_status tr_plan_set_moving(tr_plan *plan, uint32_t vertex, bool moving);

/*
 * Vertices that sleep: they count as fixed, so that they and their edges cost a step nothing, but this is no reason to
 * lay out everything anew, and the epoch stays. No edge connects them to a vertex that moves. All of them move before,
 * none after. The list must have none twice.
 */
void tr_plan_sleep(tr_plan *plan, const uint32_t *vertices, uint32_t count);
/* The inverse: they move, and their edges are coloured, in this order. All or nothing: TR_ERROR_MEMORY. After TR_OK it is
   to be undone, with all that are linked to *latest (null at first), when all later changes have been undone but for
   marks of lanes; or settled, with all of them. Neither needs memory, and *latest is null again. */
typedef struct tr_plan_woken tr_plan_woken;
tr_status tr_plan_wake(tr_plan *plan, const uint32_t *vertices, uint32_t count, tr_plan_woken **latest);
void tr_plan_wake_undo(tr_plan *plan, tr_plan_woken **latest);
void tr_plan_wake_settle(tr_plan *plan, tr_plan_woken **latest);

/*
 * Adds an edge between two different vertices. At each moving end it uses the copy with the fewest edges (the lowest of
 * equals), and gets the lowest colour that is free on these copies. A new copy opens if all copies of a vertex are
 * full, or, if the two copies have no free colour in common, at the end with more edges. An edge between fixed vertices
 * has no colour. O(1) amortised, O(log copies) at split vertices. TR_ERROR_MEMORY, TR_ERROR_LIMIT (a number from
 * TR_EDGES_MAX on).
 */
tr_status tr_plan_add_edge(tr_plan *plan, uint32_t edge, uint32_t vertex_a, uint32_t vertex_b, uint32_t kind);
/* The same for 2 to TR_ENDS different vertices. Ends beyond the second are stored in a side table. */
tr_status tr_plan_add_hyperedge(tr_plan *plan, uint32_t edge, const uint32_t *vertices, uint32_t end_count,
                                uint32_t kind);
/* Same cost. The last lane of the span moves into the gap; trailing empty copies of a vertex close. */
void tr_plan_remove_edge(tr_plan *plan, uint32_t edge);

/* An edge for tr_plan_exchange(), with arguments as for tr_plan_add_edge(). */
typedef struct tr_plan_edge {
    uint32_t edge, vertex_a, vertex_b, kind;
} tr_plan_edge;

/*
 * Removes edges, then adds others; all or nothing. An added edge must not have the number of a removed one. On failure
 * every edge keeps its colour and lane. TR_ERROR_MEMORY, TR_ERROR_LIMIT.
 */
tr_status tr_plan_exchange(tr_plan *plan, const uint32_t *removed, uint32_t removed_count, const tr_plan_edge *added,
                           uint32_t added_count);

/* An exchange that can be undone. The lists are the caller's, who keeps them. */
typedef struct tr_plan_swap {
    const tr_plan_edge *changed; /* their edge and kind: they move to another span, before all else */
    const uint32_t *removed;
    const tr_plan_edge *added;
    uint32_t changed_count, removed_count, added_count;
    struct tr_trace *trace; /* of changed and removed edges */
    uint64_t version;
    uint32_t churn;
} tr_plan_swap;

/* The same for the lists of a swap, the rest of which it fills in. After TR_OK the swap is to be undone, when all later
   changes but for marks of lanes have been undone, or settled. Neither needs memory. */
tr_status tr_plan_swap_make(tr_plan *plan, tr_plan_swap *swap);
void tr_plan_swap_undo(tr_plan *plan, tr_plan_swap *swap);
void tr_plan_swap_settle(tr_plan *plan, tr_plan_swap *swap);
/* Moves the edge to another span of its colour. TR_ERROR_MEMORY. */
tr_status tr_plan_set_kind(tr_plan *plan, uint32_t edge, uint32_t kind);

/*
 * Edges of a vertex, newest first, as half-edges:
 * for (h = tr_plan_first(plan, v); h != TR_NONE; h = tr_plan_next(plan, h))
 *     edge = tr_half_edge(h), end = tr_half_end(h);
 */
#define TR_EDGES_MAX (UINT32_MAX / TR_ENDS) /* edge numbers are below this, so that half-edges differ from TR_NONE */

static inline uint32_t tr_half_edge(uint32_t half)
{
    return half / TR_ENDS;
}

static inline uint32_t tr_half_end(uint32_t half)
{
    return half % TR_ENDS;
}

uint32_t tr_plan_first(const tr_plan *plan, uint32_t vertex);
uint32_t tr_plan_next(const tr_plan *plan, uint32_t half_edge);
uint32_t tr_plan_degree(const tr_plan *plan, uint32_t vertex);

/* The number of ends of an edge, and the vertex at each. */
uint32_t tr_plan_end_count(const tr_plan *plan, uint32_t edge);
uint32_t tr_plan_end(const tr_plan *plan, uint32_t edge, uint32_t end);
/* The vertices at the first and second ends of several edges. */
void tr_plan_ends(const tr_plan *plan, const uint32_t *edges, uint32_t count, uint32_t *first, uint32_t *second);
/* The copy of that vertex that a coloured edge uses, as in tr_plan_span.copy of the last layout. */
uint32_t tr_plan_end_copy(const tr_plan *plan, uint32_t edge, uint32_t end);

/* The number of edges that have a colour. */
uint32_t tr_plan_solved_count(const tr_plan *plan);

/* The kind of an edge; TR_NONE if it does not exist. */
uint32_t tr_plan_kind(const tr_plan *plan, uint32_t edge);

/* The colour of an edge, or TR_NONE. */
uint32_t tr_plan_color(const tr_plan *plan, uint32_t edge);

/* The unit of a moving vertex. TR_NONE if it was added, or became moving, after the last fresh plan, or is split. */
uint32_t tr_plan_unit(const tr_plan *plan, uint32_t vertex);
uint32_t tr_plan_unit_count(const tr_plan *plan);
/* The number of ends of seams in a unit; 0: it has no coloured edge to a vertex outside that moves. */
uint32_t tr_plan_unit_seams(const tr_plan *plan, uint32_t unit);

/* Number of islands that the last fresh plan interleaved with others of the same structure. */
uint32_t tr_plan_twins(const tr_plan *plan);

/* Number of vertices per unit in the next fresh plan; 0: no units; TR_UNIT_AUTOMATIC by default. */
#define TR_UNIT_AUTOMATIC TR_NONE
void tr_plan_set_unit_size(tr_plan *plan, uint32_t vertices);

/* Changes whenever a solver must update its packed data: if any lane or copy changes, if vertices or edges are added
   or removed (their rows move), or if a vertex starts or stops moving. */
uint64_t tr_plan_version(const tr_plan *plan);
/* Changes if more changes than lanes, copies and rows of edges: vertices, which of them move, or a fresh plan. While
   it is constant, packed data can be patched where tr_plan_span.changed says. */
uint64_t tr_plan_epoch(const tr_plan *plan);
/* Changes both numbers, if the caller has a reason of its own to rebuild its packed data. */
void tr_plan_touch(tr_plan *plan);
/* Changes the version and marks the edge's lane as changed, because the edge's row has moved. */
void tr_plan_touch_edge(tr_plan *plan, uint32_t edge);
/* Tells the plan that the packed data is up to date with the last layout: clears all change marks and the news. */
void tr_plan_settle(tr_plan *plan);

/*
 * News: the vertices of edges of some kinds that were added or removed, or changed to or from such a kind, since
 * tr_plan_settle(). `kinds`: mask over the first 64 kinds; initially 0. Changes of the epoch are not in the news.
 */
void tr_plan_watch(tr_plan *plan, uint64_t kinds);
static inline bool tr_kind_is_among(uint64_t kinds, uint32_t kind)
{
    return kind < 64 && (kinds >> kind & 1u) != 0;
}

/* The vertices, possibly with repetitions, valid until the next change. False: news was dropped, because there was
   too much. */
bool tr_plan_news(const tr_plan *plan, const uint32_t **vertices, uint32_t *count);
/* Whether it has told of a vertex of many edges before this place: if all of them are edited, it is there once per edge. */
bool tr_plan_news_repeats(const tr_plan *plan, uint32_t at);
/* Records a vertex that the caller changed, and its neighbours along watched edges, as news. Changes the version if
   there are any. */
void tr_plan_touch_vertex(tr_plan *plan, uint32_t vertex);
/* Edges and vertices added and removed since the last tr_plan_optimize(). */
uint32_t tr_plan_churn(const tr_plan *plan);
/* Puts it back after changes that were taken back. */
void tr_plan_set_churn(tr_plan *plan, uint32_t churn);

/*
 * Makes a fresh plan. Finds the islands and divides them into units. Orders the moving vertices by unit, breadth first
 * within each, so that neighbours are close in memory; islands of the same structure side by side, then the others by
 * their lowest vertex; fixed vertices last. Splits vertices into the smallest number of copies that hold their edges,
 * and distributes the edges evenly. Recolours all edges in that order, then changes some colours to fill partly empty
 * blocks, and sorts the lanes of each span. `order` receives the vertices in their new order (as many as exist); may be
 * null. The result depends only on the graph, not on its history. There is room for its layout. TR_ERROR_MEMORY.
 */
tr_status tr_plan_optimize(tr_plan *plan, uint32_t *order);
/* The same in three steps. The first leaves the plan as it is. The second cannot fail, and keeps the plan that was there
   before: the third lets go of that, or puts it back when all later changes have been undone but for marks of lanes,
   which needs no memory. Vertices and edges must not change before the second. A fresh plan that is not taken must be
   discarded. */
typedef struct tr_fresh tr_fresh;
tr_status tr_plan_make(tr_plan *plan, tr_fresh **out);
void tr_plan_take(tr_plan *plan, tr_fresh *fresh, uint32_t *order);
void tr_plan_take_back(tr_plan *plan, tr_fresh *fresh);
void tr_plan_discard(tr_plan *plan, tr_fresh *fresh);

/*
 * The same in parts of about the same work, between which the plan is in use and changes as always. The parts plan a
 * copy of the graph as it was at tr_plan_begin(). tr_plan_finish() then changes what has changed since in the fresh
 * plan, too, and puts it in the place of the old one. So it depends on the two graphs only. tr_plan_churn() then counts
 * the changes since tr_plan_begin(). TR_ERROR_MEMORY: the parts that are done may be lost, and are done again by the
 * next call, with the same result.
 */
#define TR_PLAN_PARTS 7
/* Drops the one in the making, if any. */
tr_status tr_plan_begin(tr_plan *plan);
bool tr_plan_is_begun(const tr_plan *plan);
/* Goes on until `parts` parts are done. */
tr_status tr_plan_continue(tr_plan *plan, uint32_t parts);
/* Does the parts that are left. `order` as for tr_plan_optimize(); vertices that have begun to move since come after
   the others that move. The other function leaves the plan as it is; then this one may be taken as one that was made
   at once: it is begun until that is discarded, and after it was taken back or not taken, its parts are done again. */
tr_status tr_plan_finish(tr_plan *plan, uint32_t *order);
tr_status tr_plan_complete(tr_plan *plan, tr_fresh **out);
void tr_plan_drop(tr_plan *plan);

/*
 * The layout: the solver's view of the plan.
 */
typedef struct tr_plan_span {
    uint32_t unit;   /* TR_NONE: seams */
    uint32_t strand; /* of seams: strands have no copy of a moving vertex in common; TR_NONE: in none */
    uint32_t color, kind;
    uint32_t number; /* constant until a fresh plan, below layout.span_numbers */
    uint32_t edge_count;
    const uint32_t *edges; /* edge of each lane */
    /* copies of the vertices at the first two ends: 0 for copy 0, else an index into layout.copies + 1; null: all 0 */
    const uint32_t (*copy)[2];
    /* since tr_plan_settle(): bit i stands for the blocks of TR_LANES lanes numbered i, i + 64, i + 128, ... */
    uint64_t changed;
} tr_plan_span;

static inline bool tr_span_block_changed(const tr_plan_span *span, uint32_t block)
{
    return (span->changed >> block % 64 & 1u) != 0;
}

static inline uint32_t tr_span_copy(const tr_plan_span *span, uint32_t lane, uint32_t end)
{
    return span->copy != NULL ? span->copy[lane][end] : 0;
}

/*
 * A split vertex. Its own record is copy 0. The others are layout.copies[first_copy .. first_copy + copy_count - 2].
 * Copy 0 may have no edges; the mass is distributed in proportion to degree, so it then has no share.
 */
typedef struct tr_plan_hub {
    uint32_t vertex;
    uint32_t first_copy; /* into layout.copies */
    uint32_t copy_count; /* including copy 0: at least 2 */
    uint32_t degree;     /* coloured edges on all copies */
} tr_plan_hub;

typedef struct tr_plan_copy {
    uint32_t hub;    /* into layout.hubs */
    uint32_t degree; /* coloured edges on this copy, at least 1 */
} tr_plan_copy;

typedef struct tr_plan_layout {
    const tr_plan_span *spans; /* non-empty ones by unit, strand, colour, kind; seams last, those in no strand
                                  after the others */
    uint32_t span_count, span_numbers;
    uint64_t list_version;   /* changes if a span is added to the list or removed */
    const uint32_t *changed; /* indices of spans that may have changed since tr_plan_settle(), without repetition */
    uint32_t changed_count;
    uint32_t color_count; /* colours with at least one edge */
    uint32_t solved_edges;
    const tr_plan_hub *hubs; /* by vertex */
    uint32_t hub_count;
    const tr_plan_copy *copies;
    uint32_t copy_count;     /* of all hubs, without copies 0 */
    uint64_t copies_version; /* changes if hubs or copies change */
    uint32_t max_degree;     /* of the moving vertices */
} tr_plan_layout;

/*
 * Computes the layout if the plan has changed. Pointers in it are valid until the next call that adds, removes, sets or
 * optimizes, even if that fails; so get it anew each time (without changes this costs nothing). TR_ERROR_MEMORY.
 */
tr_status tr_plan_layout_get(tr_plan *plan, const tr_plan_layout **out);

/* Islands of moving vertices: fixed vertices do not connect, and a single vertex is an island. */
typedef struct tr_plan_islands {
    uint32_t count;
    uint32_t largest;                  /* vertices */
    uint32_t by_size[TR_ISLAND_SIZES]; /* [k]: number of islands of 2^k to 2^(k + 1) - 1 vertices */
} tr_plan_islands;

/* Counts them anew if a moving vertex, or an edge between two, was added or removed. TR_ERROR_MEMORY. */
tr_status tr_plan_islands_get(tr_plan *plan, tr_plan_islands *out);

/*
 * Visits a plan (base/archive.h). What is read is checked: it is a plan, or the archive is refused. The parts of a fresh
 * plan in the making are done again by the next tr_plan_continue(). Solvers must lay out everything afresh, whatever the
 * version is.
 */
void tr_plan_archive(tr_plan *plan, tr_archive *archive);
/* Of objects that exist: whether a vertex does, and moves; the number of vertices, and of edges. */
bool tr_plan_has_vertex(const tr_plan *plan, uint32_t vertex);
bool tr_plan_is_moving(const tr_plan *plan, uint32_t vertex);
uint32_t tr_plan_vertex_count(const tr_plan *plan);
uint32_t tr_plan_edge_count(const tr_plan *plan);

#endif
