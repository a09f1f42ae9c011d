/*
 * The plan: pure graph work. Vertices are bodies, edges are joints; nothing here knows physics.
 *
 * Edges have two ends, and few have three or four (hyperedges: a gear between joints on a carrier). Edges are
 * coloured so that no two edges of one colour share a copy of a vertex that moves. A vertex with more edges than fit is
 * split: copies of it stand in, each with colours of its own, and the solver shares the body's mass among them.
 *
 * A fresh plan gathers the vertices that move into units, each small enough that its bodies and joints stay in a cache:
 * some whole islands, or a piece of a large one. An edge belongs to a unit if all its moving ends do; other edges are
 * seams. The edges of one (unit, colour, kind) form a span, a list whose order is the order of lanes; seams have spans
 * of their own.
 *
 * Vertices and edges are numbered by the caller: small integers (slots) that stay while the object lives. Everything
 * is a function of the sequence of calls, never of addresses, threads or time. A call that fails has changed nothing.
 * Numbers of what does not exist, or exists already, are the caller's mistakes and not looked for.
 *
 * docs/plan.md says how it is done, how fast it is and how full the lanes are.
 */
#ifndef TR_PLAN_PLAN_H
#define TR_PLAN_PLAN_H

#include "base/memory.h"

#define TR_LANES 16 /* joints per block, on every instruction set */
#define TR_ENDS  4  /* the most ends of an edge */
/*
 * A run: 16 edges in four groups of four, in each of which the vertices follow each other at both ends. Lane i has place
 * TR_RUN_PLACE(i) among them, so group i % 4: the order in which whole vectors of records come out of a transpose, at
 * every width.
 */
#define TR_RUN_GROUP       4
#define TR_RUN_PLACE(lane) (TR_RUN_GROUP * ((lane) % TR_RUN_GROUP) + (lane) / TR_RUN_GROUP)
#define TR_COLORS_MOVING   64  /* colours 0 .. 63: edges between two vertices that move, or more */
#define TR_COLORS          128 /* colours 64 .. 127: edges with one moving end; solved last, which converges better */
#define TR_NONE            UINT32_MAX

typedef struct tr_plan tr_plan;

/*
 * `kinds`: how many kinds of edges there are, 1 .. 65535. `copy_capacity`: most edges on one copy of a vertex, 2 .. 64;
 * up to 32 no copy opens before the others are full (above, two busy ends may run out of colours first).
 * TR_ERROR_MEMORY.
 */
tr_status tr_plan_create(tr_memory *memory, uint32_t kinds, uint32_t copy_capacity, tr_plan **out);
void tr_plan_destroy(tr_plan *plan); /* null is fine */

/* Room for vertices and edges of numbers below these; spares growing one by one. TR_ERROR_MEMORY, TR_ERROR_LIMIT. */
tr_status tr_plan_reserve(tr_plan *plan, uint32_t vertices, uint32_t edges);

/* Vertices. TR_ERROR_MEMORY, TR_ERROR_LIMIT (a number past 2^31 - 2). A vertex must have no edges when it is
   removed. */
tr_status tr_plan_add_vertex(tr_plan *plan, uint32_t vertex, bool moving);
void tr_plan_remove_vertex(tr_plan *plan, uint32_t vertex);
/* Where this is a change, colours all edges of the vertex anew, oldest first. TR_ERROR_MEMORY. */
tr_status tr_plan_set_moving(tr_plan *plan, uint32_t vertex, bool moving);

/*
 * Edges, between two different vertices. An edge gets the lowest colour that is free on the copies of its moving ends,
 * at each end the copy with the fewest edges (the lowest such). A new copy opens at an end whose copies are all full,
 * or, where two copies leave no colour free, at the end with more edges. Between two fixed vertices there is no colour.
 * Takes O(1) amortised, O(log copies) at split vertices. TR_ERROR_MEMORY, TR_ERROR_LIMIT (a number from TR_EDGES_MAX on).
 */
tr_status tr_plan_add_edge(tr_plan *plan, uint32_t edge, uint32_t vertex_a, uint32_t vertex_b, uint32_t kind);
/* The same between 2 to TR_ENDS different vertices. Ends beyond the second lie in a side table. */
tr_status tr_plan_add_hyperedge(tr_plan *plan, uint32_t edge, const uint32_t *vertices, uint32_t end_count,
                                uint32_t kind);
/* As fast. The last lane of the span moves into the hole; empty copies at the end of a vertex's copies close. */
void tr_plan_remove_edge(tr_plan *plan, uint32_t edge);

/* An edge to be made, as tr_plan_add_edge() takes it: with two ends. */
typedef struct tr_plan_edge {
    uint32_t edge, vertex_a, vertex_b, kind;
} tr_plan_edge;

/*
 * Removes edges and then adds others, all or none: of those added, none may have the number of one removed. On failure
 * every edge is back in its colour and lane. TR_ERROR_MEMORY, TR_ERROR_LIMIT.
 */
tr_status tr_plan_exchange(tr_plan *plan, const uint32_t *removed, uint32_t removed_count, const tr_plan_edge *added,
                           uint32_t added_count);
/* Moves the edge to another span of its colour. TR_ERROR_MEMORY. */
tr_status tr_plan_set_kind(tr_plan *plan, uint32_t edge, uint32_t kind);

/*
 * Edges of a vertex, newest first, as half-edges:
 * for (h = tr_plan_first(plan, v); h != TR_NONE; h = tr_plan_next(plan, h)) edge = tr_half_edge(h), end = tr_half_end(h).
 */
#define TR_EDGES_MAX (UINT32_MAX / TR_ENDS) /* numbers of edges are less: half-edges must be told from TR_NONE */

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

/* How many ends an edge has, and which vertex is at each. */
uint32_t tr_plan_end_count(const tr_plan *plan, uint32_t edge);
uint32_t tr_plan_end(const tr_plan *plan, uint32_t edge, uint32_t end);
/* Which copy of that vertex an edge with a colour has, as in tr_plan_span.copy, of the layout that was got last. */
uint32_t tr_plan_end_copy(const tr_plan *plan, uint32_t edge, uint32_t end);

/* The kind of an edge; TR_NONE: there is no such edge. */
uint32_t tr_plan_kind(const tr_plan *plan, uint32_t edge);

/* The colour of an edge, or TR_NONE. */
uint32_t tr_plan_color(const tr_plan *plan, uint32_t edge);

/* The unit of a moving vertex; TR_NONE: it moves, or has come, since the last fresh plan, or was split in that. */
uint32_t tr_plan_unit(const tr_plan *plan, uint32_t vertex);
uint32_t tr_plan_unit_count(const tr_plan *plan);
/* How many ends of seams are in a unit; 0: nothing that moves acts on it from outside. */
uint32_t tr_plan_unit_seams(const tr_plan *plan, uint32_t unit);

/* Islands that the last fresh plan laid side by side with others of their shape. */
uint32_t tr_plan_twins(const tr_plan *plan);

/* How many vertices the next fresh plan puts into a unit, 0: it makes none; TR_UNIT_AUTOMATIC at first. */
#define TR_UNIT_AUTOMATIC TR_NONE
void tr_plan_set_unit_size(tr_plan *plan, uint32_t vertices);

/* Changes with every change that a solver's packed data must follow: of any lane or copy, of which vertices and edges
   there are (the rows behind them move), of which vertices move. */
uint64_t tr_plan_version(const tr_plan *plan);
/* Changes where that is more than lanes, copies and rows of edges: vertices, which of them move, a fresh plan. While it is the
   same, what was packed can be patched: tr_plan_span.changed says where. */
uint64_t tr_plan_epoch(const tr_plan *plan);
/* Changes both: the caller has a reason of its own to make its packed data again. */
void tr_plan_touch(tr_plan *plan);
/* Changes the version, and marks the edge's lane as changed: the row behind the edge has moved. */
void tr_plan_touch_edge(tr_plan *plan, uint32_t edge);
/* The packed data is as the layout got last: no lane has changed since, which the layout is to say, and there is no
   news. */
void tr_plan_settle(tr_plan *plan);

/*
 * News: vertices at edges of some kinds that have come or gone, or become or ceased to be of such a kind, since
 * tr_plan_settle(). `kinds`: a mask over the first 64 of them; 0 at first. What changes the epoch is not told.
 */
void tr_plan_watch(tr_plan *plan, uint64_t kinds);
static inline bool tr_kind_is_among(uint64_t kinds, uint32_t kind)
{
    return kind < 64 && (kinds >> kind & 1u) != 0;
}

/* Vertices, some of them more than once, valid until the next change. False: there is news that was not kept, since
   it is too much. */
bool tr_plan_news(const tr_plan *plan, const uint32_t **vertices, uint32_t *count);
/* The caller has changed something about the vertex: it and its neighbours along watched edges are news. Changes the
   version where there are any. */
void tr_plan_touch_vertex(tr_plan *plan, uint32_t vertex);
/* Edges and vertices added and removed since the last tr_plan_optimize(). */
uint32_t tr_plan_churn(const tr_plan *plan);

/*
 * Plans afresh. Finds the islands; makes units of them; orders the moving vertices by unit and breadth first inside (so
 * that neighbours lie near each other in memory), islands by their lowest number, the fixed vertices after them all;
 * splits vertices into as few copies as hold their edges and deals these evenly; colours all edges again in that order,
 * then recolours a few so that fewer blocks are part empty; sorts each span by its edges' ends in that order. `order`
 * receives the vertices in their new order (as many as are alive), and may be null. Depends on the graph alone, not on
 * how it came about. TR_ERROR_MEMORY.
 */
tr_status tr_plan_optimize(tr_plan *plan, uint32_t *order);

/*
 * The layout: what the solver sees.
 */
typedef struct tr_plan_span {
    uint32_t unit; /* TR_NONE: seams */
    uint32_t color, kind;
    uint32_t number; /* of this span until a fresh plan, below layout.span_numbers */
    uint32_t edge_count;
    const uint32_t *edges; /* edge of each lane */
    /* which copy of each of the first two ends' vertex: 0 the vertex itself, else an index into layout.copies + 1; null:
       all are 0 */
    const uint32_t (*copy)[2];
    /* since tr_plan_settle(): bit i for the blocks of TR_LANES lanes numbered i, i + 64, i + 128, ... */
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
 * A vertex that is split. Its own record serves copy 0; copies first_copy .. first_copy + copy_count - 2 stand beside
 * it. Copy 0 has the edges that those have not, and may have none: shares of the mass go by degree, and then it has no
 * share.
 */
typedef struct tr_plan_hub {
    uint32_t vertex;
    uint32_t first_copy; /* into layout.copies */
    uint32_t copy_count; /* with copy 0: at least 2 */
    uint32_t degree;     /* coloured edges over all copies */
} tr_plan_hub;

typedef struct tr_plan_copy {
    uint32_t hub;    /* into layout.hubs */
    uint32_t degree; /* coloured edges on this copy; at least 1 */
} tr_plan_copy;

typedef struct tr_plan_layout {
    const tr_plan_span *spans; /* none empty; by unit, colour, kind; seams last */
    uint32_t span_count, span_numbers;
    uint64_t list_version;   /* changes where a span comes to the list or goes */
    const uint32_t *changed; /* into spans: those that may have changed since tr_plan_settle(), each once */
    uint32_t changed_count;
    uint32_t color_count; /* with at least one edge */
    uint32_t solved_edges;
    const tr_plan_hub *hubs; /* by vertex */
    uint32_t hub_count;
    const tr_plan_copy *copies;
    uint32_t copy_count;     /* over all hubs, without copies 0 */
    uint64_t copies_version; /* changes where hubs or copies do */
    uint32_t max_degree;     /* over moving vertices */
} tr_plan_layout;

/*
 * Computes the layout if the plan has changed since. What it points to is valid until the next call that adds, removes,
 * sets or optimizes, even one that fails; so get it each time (nothing changed: no work). TR_ERROR_MEMORY.
 */
tr_status tr_plan_layout_get(tr_plan *plan, const tr_plan_layout **out);

/* Islands of moving vertices: fixed ones do not connect, and a lone one is an island. */
typedef struct tr_plan_islands {
    uint32_t count;
    uint32_t largest;                  /* vertices */
    uint32_t by_size[TR_ISLAND_SIZES]; /* [k]: those of 2^k to 2^(k + 1) - 1 vertices */
} tr_plan_islands;

/* Counts them if a moving vertex or an edge between two came or went since. TR_ERROR_MEMORY. */
tr_status tr_plan_islands_get(tr_plan *plan, tr_plan_islands *out);

#endif
