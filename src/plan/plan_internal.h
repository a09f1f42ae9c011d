/*
 * Inside the plan: the graph (what the caller said) apart from its colouring (what was made of it), so that planning
 * afresh can build a second colouring beside the first and swap.
 */
#ifndef TR_PLAN_PLAN_INTERNAL_H
#define TR_PLAN_PLAN_INTERNAL_H

#include "plan/plan.h"

/*
 * The graph.
 */
typedef struct tr_graph_vertex {
    uint32_t first;       /* half-edge, newest first; TR_NONE: no edges */
    uint32_t degree : 30; /* edges, coloured or not; a moving vertex's are all coloured */
    bool alive : 1, moving : 1;
} tr_graph_vertex;

/* Half-edge TR_ENDS * edge + end is a node of the list of the vertex at that end. */
typedef struct tr_graph_edge {
    uint32_t vertex[2];
    uint32_t next[2]; /* half-edges */
    uint16_t kind;
    bool alive;
    uint8_t end_count; /* above 2: the others are in its tr_graph_extra */
} tr_graph_edge;

/* The third and fourth end of an edge. A free one keeps what it has, so that removing an edge can be undone. */
typedef struct tr_graph_extra {
    uint32_t vertex[TR_ENDS - 2];
    uint32_t next[TR_ENDS - 2], back[TR_ENDS - 2];
    uint32_t next_free;
} tr_graph_extra;

/*
 * A list is linked one way, and an edge that goes is found by walking along it. From the first vertex on whose list is too
 * long for that, all lists are linked back too.
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
    /* of each edge, at its first two ends: the half-edge before it; null: lists are walked along */
    uint32_t (*back)[2];
    uint32_t back_capacity; /* 0, or at least edge_capacity */
    tr_graph_extra *extras; /* the free ones: last freed first */
    uint32_t extra_capacity, extra_slots, extra_count, free_extra;
    uint32_t *extra_of; /* of each edge with more than two ends; as long as there ever was one */
    uint32_t extra_of_capacity;
} tr_graph;

/*
 * The colouring.
 */

/*
 * One copy of a moving vertex: which colours its edges have taken, of 0 .. 63 and of 64 .. 127. Each edge takes one of its
 * own. Where a vertex is split, its copy 0 is with the others, and in its place stands what no copy has, for it has 64
 * edges at most: taken[1] full, and taken[0] one more than the hub's slot (tr_hub_of).
 */
typedef struct tr_copy {
    uint64_t taken[2];
} tr_copy;

typedef struct tr_edge_paint {
    uint32_t span; /* into spans; TR_NONE: it has no colour, and the rest means nothing */
    uint32_t lane;
} tr_edge_paint;

typedef struct tr_hub_copy {
    tr_copy copy;
    uint32_t place;  /* in the heap */
    uint32_t number; /* into layout.copies, when last numbered; TR_NONE: in none */
} tr_hub_copy;

/* A split vertex. The last copy always has an edge. The heap has the copy with the fewest edges on top. */
typedef struct tr_hub {
    uint32_t vertex;
    uint32_t count; /* copies; 0: the slot is free, at least 2 otherwise */
    tr_hub_copy *copies;
    uint32_t copies_capacity;
    uint64_t *heap; /* edges << 32 | copy */
    uint32_t heap_capacity;
    uint32_t order; /* place in hub_order */
    uint32_t next_free;
} tr_hub;

/* The edges of one (unit, colour, kind). It stays, though empty, until a fresh plan. */
typedef struct tr_span {
    uint32_t unit, color, kind;
    uint32_t next; /* span of the unit, by colour, then kind; TR_NONE: the last */
    uint32_t *edges;
    uint32_t edges_capacity;
    /* 0: all are 0, for the span has not grown since there are hubs; else room for all lanes */
    uint32_t copies_capacity;
    uint32_t (*copies)[2];
    uint32_t count;
    uint32_t place;   /* in the layout's list, while that is known */
    bool touched;     /* is in the list of those that are */
    uint64_t changed; /* as tr_plan_span.changed */
} tr_span;

#define TR_SPANS_FOUND 128 /* a power of two */

/* An edge and the copies of its first two ends, as a lane has them. */
typedef struct tr_lane {
    uint32_t edge, copy[2];
} tr_lane;

typedef struct tr_coloring {
    tr_memory *memory;
    uint32_t kinds, copy_capacity;
    tr_copy *vertices; /* their copies 0, or their hubs */
    uint32_t vertex_capacity;
    tr_edge_paint *edges;
    uint32_t edge_capacity;
    uint32_t (*edge_copies)
        [2]; /* which copy an edge has of each vertex, as that counts them; as long as there ever was a hub */
    uint32_t edge_copies_capacity;         /* 0, or as many as edge_capacity */
    uint32_t (*extra_copies)[TR_ENDS - 2]; /* of each tr_graph_extra: as edge_copies */
    uint32_t extra_capacity;
    tr_hub *hubs; /* slots; free ones keep their arrays for the next hub, last freed first */
    uint32_t hub_slots, hub_capacity, free_hub;
    uint32_t *hub_order; /* slots in use */
    uint32_t hub_count, hub_order_capacity;
    bool hubs_sorted;  /* hub_order is by vertex */
    bool hubs_changed; /* since the layout was last made */
    uint32_t *units;   /* of each vertex; those beyond have none */
    uint32_t unit_capacity, unit_count;
    tr_span *spans;
    uint32_t span_count, span_capacity;
    uint32_t *first_span;           /* of each unit; TR_NONE: it has no span */
    uint32_t first_seam;            /* likewise of the edges in no unit */
    uint32_t *seam_ends;            /* of each unit: ends of seams in it */
    uint32_t found[TR_SPANS_FOUND]; /* spans looked up before, where they hash to */
    uint32_t *touched;              /* spans that are not as the layout has them, or as it was settled; room for all */
    uint32_t touched_count, touched_capacity;
    bool list_known; /* which spans have edges is as the layout has it */
    uint32_t solved_edges;
} tr_coloring;

/* A colour for an edge, the span that it gets with that, and the copies of its ends. */
typedef struct tr_choice {
    uint32_t span; /* not chosen by tr_color_choose() */
    uint32_t color;
    uint32_t copy[TR_ENDS];
} tr_choice;

struct tr_plan {
    tr_memory *memory;
    tr_graph graph;
    tr_coloring coloring;
    uint64_t version, epoch;
    uint32_t churn;
    uint32_t unit_size; /* as set */

    uint32_t *degree_count; /* how many moving vertices have each degree */
    uint32_t degree_capacity;
    uint32_t max_degree;

    tr_plan_islands islands;
    bool islands_known;
    uint32_t twins; /* of the last fresh plan */

    uint64_t watched; /* kinds whose edges are news */
    uint32_t *news;   /* vertices */
    uint32_t news_count, news_capacity;
    bool news_lost; /* there were too many */

    tr_plan_layout layout;
    bool layout_known; /* also given up by a change that fails, for arrays may have moved */
    tr_plan_span *layout_spans;
    uint32_t layout_span_capacity;
    uint32_t *layout_changed;
    uint32_t layout_changed_capacity;
    tr_plan_hub *layout_hubs;
    uint32_t layout_hub_capacity;
    tr_plan_copy *layout_copies;
    uint32_t layout_copy_capacity;
};

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

/* The half-edge that follows in its vertex's list. */
static inline uint32_t *tr_graph_next(const tr_graph *graph, uint32_t half)
{
    uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
    return end < 2 ? &graph->edges[edge].next[end] : &tr_graph_extra_of(graph, edge)->next[end - 2];
}

/* All ends' vertices; returns how many. */
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

/* Coloured edges on a copy. */
static inline uint32_t tr_copy_degree(const tr_copy *copy)
{
    return (uint32_t)__builtin_popcountll(copy->taken[0]) + (uint32_t)__builtin_popcountll(copy->taken[1]);
}

/* The slot of a vertex's hub; TR_NONE: it is not split. */
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

/* Which copy of the vertex at an end an edge has, as the vertex counts them. */
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
 * Copies; inline, since a fresh plan looks at them some times for each end of each edge
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

/* Coloured edges on a copy of a hub, as the heap has them. */
static inline uint32_t tr_hub_copy_degree(const tr_hub *hub, uint32_t copy)
{
    return (uint32_t)(hub->heap[hub->copies[copy].place] >> 32);
}

/* The copy with the fewest edges, the lowest such. */
static inline uint32_t tr_copy_least(const tr_coloring *coloring, uint32_t vertex)
{
    uint32_t hub = tr_hub_of(coloring, vertex);
    return hub == TR_NONE ? 0 : (uint32_t)coloring->hubs[hub].heap[0];
}

/*
 * graph.c: what the caller said
 */
/* Room for `count` edges, and where `longest` edges may be in one list, for links back. */
bool tr_graph_reserve_edges(tr_graph *graph, tr_memory *memory, uint32_t count, uint32_t longest);
/* Enters the half-edge as the first of its vertex's list. */
void tr_list_insert(tr_graph *graph, uint32_t half);
void tr_list_remove(tr_graph *graph, uint32_t half);
/* Exact inverse of tr_list_remove: the half-edge still knows where it was, if all that was done since is undone. */
void tr_list_put_back(tr_graph *graph, uint32_t half);
/* Room for a record in the side table for one more edge. */
bool tr_extra_reserve(tr_graph *graph, tr_memory *memory, uint32_t edge);
/* Gives an edge of more than two ends a record, the one freed last; nothing for others. There must be room. */
void tr_extra_take(tr_graph *graph, uint32_t edge);
/* Exact inverse: taking next gives the same record with what was in it. */
void tr_extra_give(tr_graph *graph, uint32_t edge);
/* Writes a new edge with its ends, not in their lists yet. */
void tr_edge_write(tr_graph *graph, uint32_t edge, const uint32_t *vertices, uint32_t end_count, uint32_t kind);

/*
 * hub.c: copies of vertices
 */
void tr_hubs_destroy(tr_coloring *coloring);
/* Opens copies until there are `count`. On false nothing has changed. Empty ones at the end last until tr_copy_trim. */
bool tr_copy_open(tr_coloring *coloring, uint32_t vertex, uint32_t count);
/* Closes the empty copies at the end. */
void tr_copy_trim(tr_coloring *coloring, uint32_t vertex);
/* Puts hub_order in order of vertices. */
void tr_hubs_sort(tr_coloring *coloring);
/* Takes or gives back a colour on a copy. */
void tr_copy_take(tr_coloring *coloring, uint32_t vertex, uint32_t copy, uint32_t color);
void tr_copy_give(tr_coloring *coloring, uint32_t vertex, uint32_t copy, uint32_t color);

/*
 * color.c: colours and lanes of edges
 */
/* Room for so many edges. */
bool tr_coloring_reserve_edges(tr_coloring *coloring, uint32_t count);
void tr_coloring_init(tr_coloring *coloring, tr_memory *memory, uint32_t kinds, uint32_t copy_capacity);
/* Makes `unit_count` units, whose vertices are to be said in units[0 .. vertices - 1]. */
bool tr_coloring_make_units(tr_coloring *coloring, uint32_t vertices, uint32_t unit_count);
void tr_coloring_destroy(tr_coloring *coloring);
/* Finds a colour, opening copies where needed. On false nothing has changed. */
bool tr_color_choose(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, uint32_t preferred,
                     tr_choice *choice);
/* Undoes the opening of copies where a choice is not taken up. */
void tr_color_decline(tr_coloring *coloring, const tr_graph *graph, uint32_t edge);
/* Writes a choice with its span into the edge, and takes the colour on the copies of its ends; without a lane. */
void tr_color_mark(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, const tr_choice *choice);
/* Takes the edge's colour away, without its lane. */
void tr_color_unmark(tr_coloring *coloring, const tr_graph *graph, uint32_t edge);
/* The span for an edge of this colour and kind, made where there is none; TR_NONE: no memory. */
uint32_t tr_span_find(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, uint32_t color, uint32_t kind);
/* A copy as the layout says it: 0 for copy 0, else the number + 1. What is not numbered yet is when the layout is
   made. */
uint32_t tr_layout_copy(const tr_coloring *coloring, uint32_t vertex, uint32_t copy);
bool tr_span_reserve(tr_coloring *coloring, tr_span *span, uint32_t count);
tr_lane tr_lane_get(const tr_span *span, uint32_t lane);
/* Notes that a lane is, or was, another's. */
void tr_lane_mark(tr_coloring *coloring, tr_span *span, uint32_t lane);
/* Room must be there. */
void tr_lane_set(tr_coloring *coloring, tr_span *span, uint32_t lane, tr_lane what);
/* Room must be there. Gives the edge, marked already, the last lane of its span. */
void tr_span_push(tr_coloring *coloring, const tr_graph *graph, uint32_t edge);
/* Takes the edge's lane away; the last lane moves into the hole. */
void tr_span_pull(tr_coloring *coloring, const tr_graph *graph, uint32_t edge);
/* Exact inverse of tr_span_pull. */
void tr_span_put_back(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, uint32_t lane);

/*
 * news.c
 */
/* Of an edge that gets or loses its colour, or its kind: its ends are news, where its kind is watched. */
void tr_news_of_edge(tr_plan *plan, uint32_t edge);
void tr_news_forget(tr_plan *plan);

/*
 * islands.c
 */
void tr_plan_islands_add(tr_plan_islands *islands, uint32_t size);

/*
 * order.c: breadth-first order
 */
typedef struct tr_order {
    uint32_t *vertices; /* in their new order: the moving ones, then the fixed */
    uint32_t *rank;     /* of each slot */
    uint32_t *edges;    /* the coloured edges in the order of their ends' ranks */
    uint32_t edge_count;
    uint32_t *unit; /* of each slot, TR_NONE where it has none */
    uint32_t unit_count;
    uint32_t twins; /* islands side by side */
    tr_plan_islands islands;
} tr_order;

/* `unit_size` as tr_plan_set_unit_size() takes it; vertices of more edges than `most_edges` get no unit. */
bool tr_order_create(tr_order *order, tr_memory *memory, const tr_graph *graph, uint32_t max_degree, uint32_t unit_size,
                     uint32_t most_edges);
void tr_order_destroy(tr_order *order, tr_memory *memory, const tr_graph *graph);

/*
 * twins.c: islands of one shape
 */
/* Whether two islands of `count` vertices are the same graph with the same kinds of edges, vertex by vertex in their
   order; `place`: of each slot, within its island. */
bool tr_same_shape(const tr_graph *graph, const uint32_t *place, const uint32_t *a, const uint32_t *b, uint32_t count);
/* Interleaves islands of `count` vertices each, which follow each other. `scratch`: as many numbers. */
void tr_lay_side_by_side(uint32_t *vertices, uint32_t count, uint32_t islands, uint32_t *scratch);

/*
 * balance.c: fuller blocks
 */
/* Recolours some edges of a colouring without lanes whose spans have their counts. On false it is of no use. */
bool tr_balance_lanes(tr_coloring *coloring, const tr_graph *graph, const tr_order *order);

/*
 * runs.c: blocks whose vertices follow each other
 */
/* Deals the lanes of each span anew. On false the colouring is of no use. */
bool tr_arrange_runs(tr_coloring *coloring, const tr_graph *graph, const tr_order *order);

#endif
