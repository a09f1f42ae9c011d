/* Fresh plans: builds a second colouring and swaps it in when it is complete. */
#include "plan/plan_internal.h"

#include <string.h>

/* Allocates arrays as long as the graph's, so that the next edge does not make them grow. Opens the copies of all
   vertices to be split, so that their edges are distributed evenly. */
static bool coloring_reserve(tr_coloring *coloring, const tr_graph *graph, const tr_order *order)
{
    tr_memory *memory = coloring->memory;
    if (!tr_grow(memory, (void **)&coloring->vertices, &coloring->vertex_capacity, graph->vertex_capacity,
                 sizeof *coloring->vertices) ||
        !tr_coloring_reserve_edges(coloring, graph->edge_capacity) ||
        !tr_coloring_make_units(coloring, graph->vertex_slots, order->unit_count) ||
        !tr_grow(memory, (void **)&coloring->extra_copies, &coloring->extra_capacity, graph->extra_capacity,
                 sizeof *coloring->extra_copies))
        return false;
    for (uint32_t e = 0; e < graph->edge_slots; e++)
        coloring->edges[e].span = TR_NONE;
    for (uint32_t v = 0; v < graph->vertex_slots; v++)
        coloring->vertices[v] = (tr_copy){{0, 0}};
    for (uint32_t v = 0; v < graph->vertex_slots && order->unit_count > 0; v++)
        coloring->units[v] = order->unit[v];
    for (uint32_t v = 0; v < graph->vertex_slots; v++) {
        const tr_graph_vertex *vertex = &graph->vertices[v];
        if (vertex->moving && vertex->degree > coloring->copy_capacity &&
            !tr_copy_open(coloring, v, (vertex->degree - 1) / coloring->copy_capacity + 1))
            return false;
    }
    return tr_strands_begin(coloring, graph);
}

/* The edges from a vertex to vertices of higher rank, at most the first FAN_MOST. */
enum { FAN_MOST = 8 };
typedef struct tr_fan {
    uint32_t low; /* rank of the vertex */
    uint32_t count;
    uint32_t high[FAN_MOST]; /* ranks of the other ends */
    uint32_t color[FAN_MOST];
} tr_fan;

/* State for choosing the colour of the parallel edge of neighbouring vertices, which makes runs (runs.c). */
typedef struct tr_side {
    uint8_t *level;    /* of each rank: 1 and 2 alternate with the level within the island; 0: not known yet */
    uint32_t most;     /* number of colours that some vertex needs in any case */
    tr_fan here, past; /* of the current vertex and of the previous one */
} tr_side;

/* The colour of the edge whose ends have the ranks just before these; of several, of the corresponding one. */
static uint32_t color_beside(const tr_side *side, uint32_t low, uint32_t high)
{
    uint32_t same = side->here.count;
    if (side->past.low + 1 != low)
        return TR_NONE;
    if (same < side->past.count && side->past.high[same] + 1 == high)
        return side->past.color[same];
    for (uint32_t i = 0; i < side->past.count; i++) {
        if (side->past.high[i] + 1 == high)
            return side->past.color[i];
    }
    return TR_NONE;
}

/* The colour to try first. Edges must come in order of ranks. TR_NONE: no preference. */
static uint32_t preferred_color(tr_side *side, uint32_t low, uint32_t high)
{
    if (side->here.low != low) {
        side->past = side->here;
        side->here = (tr_fan){.low = low};
    }
    if (side->level[low] == 0)
        side->level[low] = 1;
    if (side->level[high] == 0)
        side->level[high] = (uint8_t)(3 - side->level[low]);
    uint32_t beside = color_beside(side, low, high);
    if (beside != TR_NONE)
        return beside;
    /*
     * Give the first forward edges of all vertices of one level the same colour, their second ones another, and so on.
     * Levels alternate between two sets of colours, because an edge from the previous level shares a vertex with the
     * forward ones. Use no more colours than some vertex needs in any case: more colours mean more barriers.
     */
    uint32_t color = 2 * side->here.count + side->level[low] - 1;
    return color < side->most && color < TR_COLORS_MOVING ? color : TR_NONE;
}

static void note_color(tr_side *side, uint32_t high, uint32_t color)
{
    tr_fan *here = &side->here;
    if (here->count == FAN_MOST)
        return;
    here->high[here->count] = high;
    here->color[here->count++] = color;
}

/* Prefetches an edge: edges come in the order of their ends, not of their numbers. */
static void fetch_edge(const tr_coloring *coloring, const tr_graph *graph, const tr_order *order, uint32_t i)
{
    enum { AHEAD = 12 };
    if (i + AHEAD >= order->edge_count)
        return;
    __builtin_prefetch(&graph->edges[order->edges[i + AHEAD]]);
    __builtin_prefetch(&coloring->edges[order->edges[i + AHEAD]], 1);
}

/* Colours the edges in order, and counts them in their spans. */
static bool color_all(tr_coloring *coloring, const tr_graph *graph, const tr_order *order, uint32_t max_degree)
{
    size_t ranks = (size_t)graph->vertex_count + 1;
    tr_side side = {.level = tr_allocate(coloring->memory, ranks), .most = max_degree, .here = {.low = TR_NONE}};
    bool done = side.level != NULL;
    for (uint32_t i = 0; done && i < order->edge_count; i++) {
        tr_choice choice;
        uint32_t edge = order->edges[i], preferred = TR_NONE;
        fetch_edge(coloring, graph, order, i);
        const tr_graph_edge *it = &graph->edges[edge];
        uint32_t a = order->rank[it->vertex[0]], b = order->rank[it->vertex[1]];
        uint32_t low = a < b ? a : b, high = a < b ? b : a;
        bool moving = graph->vertices[it->vertex[0]].moving && graph->vertices[it->vertex[1]].moving;
        if (moving)
            preferred = preferred_color(&side, low, high);
        done = tr_color_choose(coloring, graph, edge, preferred, &choice);
        if (!done)
            break;
        uint32_t strand = tr_strand_of(coloring, graph, edge, &choice);
        choice.span = tr_span_find(coloring, graph, edge, strand, choice.color, graph->edges[edge].kind);
        done = choice.span != TR_NONE;
        if (!done)
            break;
        tr_color_mark(coloring, graph, edge, &choice);
        coloring->spans[choice.span].count++;
        if (moving)
            note_color(&side, high, choice.color);
    }
    tr_release(coloring->memory, side.level, ranks);
    return done;
}

/* Gives the coloured and counted edges their lanes in order. Each span has room to the end of its last block, or for
   another block if that is full, so that most single additions find room. */
static bool fill_spans(tr_coloring *coloring, const tr_graph *graph, const tr_order *order)
{
    for (uint32_t i = 0; i < coloring->span_count; i++) {
        tr_span *span = &coloring->spans[i];
        if (!tr_span_reserve(coloring, span, (span->count / TR_LANES + 1) * TR_LANES))
            return false;
        span->count = 0;
    }
    for (uint32_t i = 0; i < order->edge_count; i++) {
        fetch_edge(coloring, graph, order, i);
        tr_span_push(coloring, graph, order->edges[i]);
    }
    return true;
}

tr_status tr_plan_optimize(tr_plan *plan, uint32_t *order_out)
{
    const tr_graph *graph = &plan->graph;
    tr_order order;
    if (!tr_order_create(&order, plan->memory, graph, plan->max_degree, plan->unit_size, plan->coloring.copy_capacity))
        return TR_ERROR_MEMORY;
    tr_coloring fresh;
    tr_coloring_init(&fresh, plan->memory, plan->coloring.kinds, plan->coloring.copy_capacity);
    bool done = coloring_reserve(&fresh, graph, &order) && color_all(&fresh, graph, &order, plan->max_degree) &&
                tr_balance_lanes(&fresh, graph, &order) && fill_spans(&fresh, graph, &order) &&
                tr_arrange_runs(&fresh, graph, &order) && tr_layout_reserve(plan, &fresh);
    tr_strands_end(&fresh);
    if (done) {
        tr_coloring old = plan->coloring;
        plan->coloring = fresh;
        fresh = old;
        plan->coloring.hubs_changed = true;
        plan->islands = order.islands;
        plan->islands_known = true;
        plan->twins = order.twins;
        plan->layout_known = false;
        plan->version++;
        plan->epoch++;
        plan->churn = 0;
        if (order_out != NULL && graph->vertex_count > 0)
            memcpy(order_out, order.vertices, graph->vertex_count * sizeof *order_out);
    }
    tr_coloring_destroy(&fresh);
    tr_order_destroy(&order, plan->memory, graph);
    return done ? TR_OK : TR_ERROR_MEMORY;
}
