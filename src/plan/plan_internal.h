/*
 * Internals of the plan. The graph (the caller's input) is separate from the colouring (the result), so that a fresh
 * plan can build a second colouring and swap it in.
 */
#ifndef TR_PLAN_PLAN_INTERNAL_H
#define TR_PLAN_PLAN_INTERNAL_H

#include "plan/plan.h"

/*
 * The graph.
 */
typedef struct tr_graph_vertex {
    uint32_t first;       /* first half-edge of the list, newest first; TR_NONE: no edges */
    uint32_t degree : 30; /* edges, coloured or not; all edges of a moving vertex are coloured */
    bool alive : 1, moving : 1;
} tr_graph_vertex;

/* Half-edge TR_ENDS * edge + end is a node in the edge list of the vertex at that end. */
typedef struct tr_graph_edge {
    uint32_t vertex[2];
    uint32_t next[2]; /* half-edges */
    uint16_t kind;
    bool alive;
    uint8_t end_count; /* if above 2, the third and fourth end are in its tr_graph_extra */
} tr_graph_edge;

/* The third and fourth end of an edge. A free record keeps its contents, so that removing an edge can be undone. */
typedef struct tr_graph_extra {
    uint32_t vertex[TR_ENDS - 2];
    uint32_t next[TR_ENDS - 2], back[TR_ENDS - 2];
    uint32_t next_free;
} tr_graph_extra;

/*
 * Edge lists are singly linked, and removal walks along the list. As soon as any list is longer than this, all lists
 * get links back, too.
 */
#define TR_LIST_WALKED 64

typedef struct tr_graph {
    tr_graph_vertex *vertices;
    uint32_t vertex_capacity;
    uint32_t vertex_slots; /* one more than the highest number ever used */
    uint32_t vertex_count, moving_count;
    tr_graph_edge *edges;
    uint32_t edge_capacity;
    uint32_t edge_slots;
    uint32_t edge_count;
    /* for the first two ends of each edge: the previous half-edge; null: lists have no links back */
    uint32_t (*back)[2];
    uint32_t back_capacity; /* 0, or at least edge_capacity */
    tr_graph_extra *extras; /* free records form a stack */
    uint32_t extra_capacity, extra_slots, extra_count, free_extra;
    uint32_t *extra_of; /* record of each edge with more than two ends; allocated with the first such edge */
    uint32_t extra_of_capacity;
} tr_graph;

/*
 * The colouring.
 */

/*
 * A copy of a moving vertex: the sets of colours 0 .. 63 and 64 .. 127 that its edges use, each colour once. Copy 0 of
 * a split vertex is stored in its hub. Its entry here then has a pattern that no copy can have, because a copy has at
 * most 64 edges: taken[1] full, and taken[0] = the hub's slot + 1 (tr_hub_of).
 */
typedef struct tr_copy {
    uint64_t taken[2];
} tr_copy;

typedef struct tr_edge_paint {
    uint32_t span; /* into spans; TR_NONE: no colour, and `lane` is undefined */
    uint32_t lane;
} tr_edge_paint;

typedef struct tr_hub_copy {
    tr_copy copy;
    uint32_t place;  /* index in the heap */
    uint32_t number; /* index into layout.copies at the last numbering; TR_NONE: none */
} tr_hub_copy;

/* A split vertex. Its last copy always has an edge. The top of the heap is the copy with the fewest edges. */
typedef struct tr_hub {
    uint32_t vertex;
    uint32_t count; /* copies, at least 2; 0: the slot is free */
    tr_hub_copy *copies;
    uint32_t copies_capacity;
    uint64_t *heap; /* edges << 32 | copy */
    uint32_t heap_capacity;
    uint32_t order; /* index in hub_order */
    uint32_t next_free;
} tr_hub;

/* The edges of one (unit, strand, colour, kind). A span stays, even if empty, until the next fresh plan. */
typedef struct tr_span {
    uint32_t unit, color, kind;
    uint32_t strand; /* of seams; TR_NONE: in none */
    uint32_t next;   /* next span of the unit or strand, or of the seams in none, by colour, then kind; TR_NONE: none */
    uint32_t *edges;
    uint32_t edges_capacity;
    /* 0: all copies are 0, because the span has not grown since there are hubs; else room for all lanes */
    uint32_t copies_capacity;
    uint32_t (*copies)[2];
    uint32_t count;
    uint32_t place;   /* index in the layout's list of spans, while list_known */
    bool touched;     /* it is in the list `touched` */
    uint64_t changed; /* as tr_plan_span.changed */
} tr_span;

#define TR_SPANS_FOUND 128 /* a power of two */

/* An edge and the copies of its first two ends, as stored in a lane. */
typedef struct tr_lane {
    uint32_t edge, copy[2];
} tr_lane;

typedef struct tr_strands tr_strands; /* strands.c */

typedef struct tr_coloring {
    tr_memory *memory;
    uint32_t kinds, copy_capacity;
    tr_copy *vertices; /* copies 0, or references to hubs */
    uint32_t vertex_capacity;
    tr_edge_paint *edges;
    uint32_t edge_capacity;
    uint32_t (*edge_copies)
        [2]; /* copy at each of the first two ends, by its number in the vertex; allocated with the first hub */
    uint32_t edge_copies_capacity;         /* 0, or at least edge_capacity */
    uint32_t (*extra_copies)[TR_ENDS - 2]; /* for each tr_graph_extra, as edge_copies */
    uint32_t extra_capacity;
    tr_hub *hubs; /* slots; free ones form a stack and keep their arrays for the next hub */
    uint32_t hub_slots, hub_capacity, free_hub;
    uint32_t *hub_order; /* slots in use */
    uint32_t hub_count, hub_order_capacity;
    bool hubs_sorted;  /* hub_order is sorted by vertex */
    bool hubs_changed; /* since the layout was last computed */
    uint32_t *units;   /* of each vertex; vertices beyond the array have none */
    uint32_t unit_capacity, unit_count;
    tr_span *spans;
    uint32_t span_count, span_capacity;
    uint32_t *first_span;   /* of each unit; TR_NONE: it has no span */
    uint32_t first_seam;    /* the same for seams in no strand */
    uint32_t *first_strand; /* the same for each strand */
    uint32_t strand_count;
    tr_strands *strands;            /* while a fresh plan gives edges their copies; null: there are none */
    uint32_t *seam_ends;            /* of each unit: number of ends of seams in it */
    uint32_t found[TR_SPANS_FOUND]; /* hash table of spans found recently */
    uint32_t *touched;              /* spans changed since the last layout or tr_plan_settle(); has room for all */
    uint32_t touched_count, touched_capacity;
    bool list_known; /* the layout lists exactly the spans that have edges */
    uint32_t solved_edges;
} tr_coloring;

/* A colour for an edge, the resulting span, and the copies at its ends. */
typedef struct tr_choice {
    uint32_t span; /* not set by tr_color_choose() */
    uint32_t color;
    uint32_t copy[TR_ENDS];
} tr_choice;

struct tr_plan {
    tr_memory *memory;
    tr_graph graph;
    tr_coloring coloring;
    tr_fresh *fresh; /* null: none is in the making */
    tr_archive_group
        group; /* graph, colouring and fresh plan: whatever changes one of them begins with tr_plan_written() */
    uint64_t version, epoch;
    uint32_t churn;
    uint32_t unit_size; /* as set by tr_plan_set_unit_size() */

    uint32_t *degree_count; /* number of moving vertices by degree */
    uint32_t degree_capacity;
    uint32_t max_degree;

    tr_plan_islands islands;
    bool islands_known;
    uint32_t twins; /* of the last fresh plan */

    uint64_t watched; /* kinds of edges whose changes are recorded as news */
    uint32_t *news;   /* vertices */
    uint32_t news_count, news_capacity;
    bool news_lost; /* there were too many, or no memory */

    tr_plan_layout layout;
    bool layout_known; /* a failed change clears it, too, because arrays may have moved */
    tr_plan_span *layout_spans;
    uint32_t layout_span_capacity;
    uint32_t *layout_changed;
    uint32_t layout_changed_capacity;
    tr_plan_hub *layout_hubs;
    uint32_t layout_hub_capacity;
    tr_plan_copy *layout_copies;
    uint32_t layout_copy_capacity;
};

static inline void tr_plan_written(tr_plan *plan)
{
    tr_archive_touch(&plan->group);
}

/*
 * Ends
 */
static inline tr_graph_extra *tr_graph_extra_of(const tr_graph *graph, uint32_t edge)
{
    return &graph->extras[graph->extra_of[edge]];
}

static inline uint32_t tr_graph_end(const tr_graph *graph, uint32_t edge, uint32_t end)
{
    return end < 2 ? graph->edges[edge].vertex[end] : tr_graph_extra_of(graph, edge)->vertex[end - 2];
}

/* The half-edge after one in its vertex's list. */
static inline uint32_t *tr_graph_next(const tr_graph *graph, uint32_t half)
{
    uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
    return end < 2 ? &graph->edges[edge].next[end] : &tr_graph_extra_of(graph, edge)->next[end - 2];
}

/* The vertices at all ends; returns their number. */
static inline uint32_t tr_graph_ends(const tr_graph *graph, uint32_t edge, uint32_t vertex[TR_ENDS])
{
    const tr_graph_edge *it = &graph->edges[edge];
    vertex[0] = it->vertex[0];
    vertex[1] = it->vertex[1];
    for (uint32_t end = 2; end < it->end_count; end++)
        vertex[end] = tr_graph_extra_of(graph, edge)->vertex[end - 2];
    return it->end_count;
}

static inline uint32_t tr_graph_moving_ends(const tr_graph *graph, uint32_t edge)
{
    const tr_graph_edge *it = &graph->edges[edge];
    uint32_t count = (uint32_t)graph->vertices[it->vertex[0]].moving + graph->vertices[it->vertex[1]].moving;
    for (uint32_t end = 2; end < it->end_count; end++)
        count += graph->vertices[tr_graph_extra_of(graph, edge)->vertex[end - 2]].moving;
    return count;
}

/* Number of coloured edges on a copy. */
static inline uint32_t tr_copy_degree(const tr_copy *copy)
{
    return (uint32_t)__builtin_popcountll(copy->taken[0]) + (uint32_t)__builtin_popcountll(copy->taken[1]);
}

/* The slot of a vertex's hub; TR_NONE if it is not split. */
static inline uint32_t tr_hub_of(const tr_coloring *coloring, uint32_t vertex)
{
    const tr_copy *own = &coloring->vertices[vertex];
    return own->taken[1] == UINT64_MAX && own->taken[0] != 0 ? (uint32_t)(own->taken[0] - 1) : TR_NONE;
}

/* The unit of a vertex. */
static inline uint32_t tr_unit_of(const tr_coloring *coloring, uint32_t vertex)
{
    return vertex < coloring->unit_capacity ? coloring->units[vertex] : TR_NONE;
}

/* The copy of the vertex at an end that an edge uses, by its number in the vertex. */
static inline uint32_t tr_end_copy(const tr_coloring *coloring, const tr_graph *graph, uint32_t edge, uint32_t end)
{
    if (end >= 2)
        return coloring->extra_copies[graph->extra_of[edge]][end - 2];
    return edge < coloring->edge_copies_capacity ? coloring->edge_copies[edge][end] : 0;
}

static inline void tr_end_copy_set(const tr_coloring *coloring, const tr_graph *graph, uint32_t edge, uint32_t end,
                                   uint32_t copy)
{
    if (end >= 2)
        coloring->extra_copies[graph->extra_of[edge]][end - 2] = copy;
    else if (edge < coloring->edge_copies_capacity)
        coloring->edge_copies[edge][end] = copy;
}

/*
 * Copies; inline, because a fresh plan accesses them several times per end of an edge
 */
static inline tr_copy *tr_copy_at(const tr_coloring *coloring, uint32_t vertex, uint32_t copy)
{
    uint32_t hub = tr_hub_of(coloring, vertex);
    return hub == TR_NONE ? &coloring->vertices[vertex] : &coloring->hubs[hub].copies[copy].copy;
}

static inline uint32_t tr_copy_count(const tr_coloring *coloring, uint32_t vertex)
{
    uint32_t hub = tr_hub_of(coloring, vertex);
    return hub == TR_NONE ? 1 : coloring->hubs[hub].count;
}

/* Number of coloured edges on a copy of a hub, from its heap. */
static inline uint32_t tr_hub_copy_degree(const tr_hub *hub, uint32_t copy)
{
    return (uint32_t)(hub->heap[hub->copies[copy].place] >> 32);
}

/* The copy with the fewest edges; among equals the lowest. */
static inline uint32_t tr_copy_least(const tr_coloring *coloring, uint32_t vertex)
{
    uint32_t hub = tr_hub_of(coloring, vertex);
    return hub == TR_NONE ? 0 : (uint32_t)coloring->hubs[hub].heap[0];
}

/*
 * graph.c: the caller's input
 */
/* Makes room for `count` edges, and for links back if a list may reach `longest` edges. */
bool tr_graph_reserve_edges(tr_graph *graph, tr_memory *memory, uint32_t count, uint32_t longest);
void tr_graph_destroy(tr_graph *graph, tr_memory *memory);
/* Makes `out` a copy without links back, as long as what is in use. False: out of memory; `out` is to be destroyed. */
bool tr_graph_copy(const tr_graph *graph, tr_memory *memory, tr_graph *out);
/* Inserts the half-edge at the front of its vertex's list. */
void tr_list_insert(tr_graph *graph, uint32_t half);
void tr_list_remove(tr_graph *graph, uint32_t half);
/* Exact inverse of tr_list_remove; all later changes must have been undone. */
void tr_list_put_back(tr_graph *graph, uint32_t half);
/* Makes room for a side-table record for one more edge. */
bool tr_extra_reserve(tr_graph *graph, tr_memory *memory, uint32_t edge);
/* Gives an edge of more than two ends the record freed last; does nothing for others. There must be room. */
void tr_extra_take(tr_graph *graph, uint32_t edge);
/* Exact inverse: the next take returns the same record with the same contents. */
void tr_extra_give(tr_graph *graph, uint32_t edge);
/* Writes a new edge with its ends, without inserting it in their lists. */
void tr_edge_write(tr_graph *graph, uint32_t edge, const uint32_t *vertices, uint32_t end_count, uint32_t kind);

/*
 * hub.c: copies of vertices
 */
void tr_hubs_destroy(tr_coloring *coloring);
/* Opens copies until there are `count`. On false nothing changed. Trailing empty copies last until tr_copy_trim. */
bool tr_copy_open(tr_coloring *coloring, uint32_t vertex, uint32_t count);
/* Closes trailing empty copies. */
void tr_copy_trim(tr_coloring *coloring, uint32_t vertex);
/* Sorts hub_order by vertex. */
void tr_hubs_sort(tr_coloring *coloring);
/* Marks a colour on a copy as used, or as free. */
void tr_copy_take(tr_coloring *coloring, uint32_t vertex, uint32_t copy, uint32_t color);
void tr_copy_give(tr_coloring *coloring, uint32_t vertex, uint32_t copy, uint32_t color);

/*
 * color.c: colours and lanes of edges
 */
/* Makes room for `count` edges. */
bool tr_coloring_reserve_edges(tr_coloring *coloring, uint32_t count);
void tr_coloring_init(tr_coloring *coloring, tr_memory *memory, uint32_t kinds, uint32_t copy_capacity);
/* Makes `unit_count` units. The caller then fills in units[0 .. vertices - 1]. */
bool tr_coloring_make_units(tr_coloring *coloring, uint32_t vertices, uint32_t unit_count);
void tr_coloring_destroy(tr_coloring *coloring);
/* Chooses a colour and opens copies if needed. On false nothing changed, unless a fresh plan is made. */
bool tr_color_choose(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, uint32_t preferred,
                     tr_choice *choice);
/* Closes the copies that a choice opened, if it is not used. */
void tr_color_decline(tr_coloring *coloring, const tr_graph *graph, uint32_t edge);
/* Gives the edge a choice with its span, and marks the colour on the copies of its ends; gives no lane. */
void tr_color_mark(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, const tr_choice *choice);
/* Removes the edge's colour, but not its lane. */
void tr_color_unmark(tr_coloring *coloring, const tr_graph *graph, uint32_t edge);
/* The span of an edge with this strand, colour and kind, created if necessary; TR_NONE: out of memory. */
uint32_t tr_span_find(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, uint32_t strand, uint32_t color,
                      uint32_t kind);
/* A copy's number in the layout: 0 for copy 0, else its index into layout.copies + 1. Computing the layout numbers
   new copies. */
uint32_t tr_layout_copy(const tr_coloring *coloring, uint32_t vertex, uint32_t copy);
/* Makes room for the layout of a colouring, which may be the next one; the present layout stays. False if out of
   memory. */
bool tr_layout_reserve(tr_plan *plan, const tr_coloring *coloring);
bool tr_span_reserve(tr_coloring *coloring, tr_span *span, uint32_t count);
tr_lane tr_lane_get(const tr_span *span, uint32_t lane);
/* Records that the lane's content changed. */
void tr_lane_mark(tr_coloring *coloring, tr_span *span, uint32_t lane);
/* There must be room. */
void tr_lane_set(tr_coloring *coloring, tr_span *span, uint32_t lane, tr_lane what);
/* Appends the edge, already marked, to its span as the last lane. There must be room. */
void tr_span_push(tr_coloring *coloring, const tr_graph *graph, uint32_t edge);
/* Gives an edge, whose ends are written, a colour and the last lane of its span. On false nothing changed. */
bool tr_edge_color(tr_coloring *coloring, const tr_graph *graph, uint32_t edge);
/* Removes the edge's lane; the last lane of the span moves there. */
void tr_span_pull(tr_coloring *coloring, const tr_graph *graph, uint32_t edge);
/* Exact inverse of tr_span_pull. */
void tr_span_put_back(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, uint32_t lane);

/* The unit of an edge: that of its moving ends if they agree, else TR_NONE. */
uint32_t tr_unit_of_edge(const tr_coloring *coloring, const tr_graph *graph, uint32_t edge);

/*
 * archive.c, optimize.c: what tr_plan_archive() visits
 */
void tr_graph_archive(tr_graph *graph, tr_archive *archive, uint32_t kinds);
void tr_fresh_archive(tr_plan *plan, tr_archive *archive);

/*
 * news.c
 */
/* Records the ends of an edge as news if its kind is watched; called if its colour or kind comes or goes. */
void tr_news_of_edge(tr_plan *plan, uint32_t edge);
void tr_news_forget(tr_plan *plan);

/*
 * islands.c
 */
void tr_plan_islands_add(tr_plan_islands *islands, uint32_t size);

/*
 * order.c: breadth-first order
 */
typedef struct tr_ordering tr_ordering; /* order.c */

typedef struct tr_order {
    uint32_t *vertices; /* in their new order: first the moving ones, then the fixed ones */
    uint32_t *rank;     /* position in that order, by vertex number */
    uint32_t *edges;    /* the coloured edges, sorted by the ranks of their ends */
    uint32_t edge_count;
    uint32_t *unit; /* by vertex number; TR_NONE: none */
    uint32_t unit_count;
    uint32_t twins; /* number of islands laid side by side */
    tr_plan_islands islands;
    tr_ordering *making; /* null: it is complete */
} tr_order;

/* The three parts of making an order, between which the graph must not change. `unit_size` as for
   tr_plan_set_unit_size(); vertices of more than `most_edges` edges get no unit. After false, as at any time, the order
   can only be destroyed. */
bool tr_order_begin(tr_order *order, tr_memory *memory, const tr_graph *graph, uint32_t max_degree, uint32_t unit_size,
                    uint32_t most_edges);
bool tr_order_islands(tr_order *order, const tr_graph *graph);
void tr_order_end(tr_order *order, tr_memory *memory, const tr_graph *graph);
void tr_order_destroy(tr_order *order, tr_memory *memory, const tr_graph *graph);

/*
 * strands.c: edges of hubs that are solved through all colours without waiting
 */
/* Before edges are coloured, when all hubs are open, and afterwards. On false the colouring must be discarded. */
bool tr_strands_begin(tr_coloring *coloring, const tr_graph *graph);
void tr_strands_end(tr_coloring *coloring);
/* The copy of a moving vertex for its next edge; TR_NONE: any, as it is not divided into strands. */
uint32_t tr_strands_deal(const tr_coloring *coloring, uint32_t vertex);
/* The strand of an edge with these copies, and of its ends from now on; TR_NONE: it would join two strands. */
uint32_t tr_strand_of(const tr_coloring *coloring, const tr_graph *graph, uint32_t edge, const tr_choice *choice);

/*
 * balance.c: fill partly used blocks
 */
/* Recolours edges of a colouring that has counts in its spans, but no lanes yet. After false it must be discarded. */
bool tr_balance_lanes(tr_coloring *coloring, const tr_graph *graph, const tr_order *order);

/*
 * runs.c: blocks of edges with consecutive vertices
 */
/* Reorders the lanes of each span. After false the colouring must be discarded. */
bool tr_arrange_runs(tr_coloring *coloring, const tr_graph *graph, const tr_order *order);

/*
 * plan.c: what exchange.c shares with it
 */
/* The colour and lane that an edge had. */
typedef struct tr_trace {
    uint32_t edge, lane;
    uint16_t kind;
    tr_choice choice;
} tr_trace;

tr_trace tr_trace_of(const tr_plan *plan, uint32_t edge);
/* Exact inverse of tr_plan_unpaint(). It cannot fail, because the memory is still allocated. */
void tr_trace_restore(tr_plan *plan, const tr_trace *trace);
/* Gives an edge, whose ends are written, a colour and a lane: on false nothing changed. Takes them from it. */
bool tr_plan_paint(tr_plan *plan, uint32_t edge);
void tr_plan_unpaint(tr_plan *plan, uint32_t edge);
void tr_plan_count_churn(tr_plan *plan);
/* The number of moving vertices of each degree: makes room for one, enters a vertex, or takes it out. */
bool tr_degrees_reserve(tr_plan *plan, uint32_t degree);
void tr_degrees_enter(tr_plan *plan, uint32_t degree);
void tr_degrees_leave(tr_plan *plan, uint32_t degree);

#endif
