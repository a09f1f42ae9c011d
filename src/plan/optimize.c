/* Planning afresh: a second colouring is made beside the first and takes its place once all is done. */
#include "plan/plan_internal.h"

#include <string.h>

/* Arrays as long as the graph's, so that the next edge does not make them grow, and the copies of the vertices that
 * will be split, so that their edges are dealt evenly. */
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
        coloring->vertices[v] = (tr_copy){.hub = TR_NONE};
    for (uint32_t v = 0; v < graph->vertex_slots && order->unit_count > 0; v++)
        coloring->units[v] = order->unit[v];
    for (uint32_t v = 0; v < graph->vertex_slots; v++) {
        const tr_graph_vertex *vertex = &graph->vertices[v];
        if (vertex->moving && vertex->degree > coloring->copy_capacity &&
            !tr_copy_open(coloring, v, (vertex->degree - 1) / coloring->copy_capacity + 1))
            return false;
    }
    return true;
}

/* Colours the edges in order, and counts them in their spans. */
static bool color_all(tr_coloring *coloring, const tr_graph *graph, const tr_order *order)
{
    for (uint32_t i = 0; i < order->edge_count; i++) {
        tr_choice choice;
        if (!tr_color_choose(coloring, graph, order->edges[i], &choice))
            return false;
        uint32_t edge = order->edges[i];
        choice.span = tr_span_find(coloring, graph, edge, choice.color, graph->edges[edge].kind);
        if (choice.span == TR_NONE)
            return false;
        tr_color_mark(coloring, graph, edge, &choice);
        coloring->spans[choice.span].count++;
    }
    return true;
}

/* Gives the coloured edges, counted already, their lanes in order. */
static bool fill_spans(tr_coloring *coloring, const tr_graph *graph, const tr_order *order)
{
    for (uint32_t i = 0; i < coloring->span_count; i++) {
        tr_span *span = &coloring->spans[i];
        if (!tr_span_reserve(coloring, span, span->count))
            return false;
        span->count = 0;
    }
    for (uint32_t i = 0; i < order->edge_count; i++)
        tr_span_push(coloring, graph, order->edges[i]);
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
    bool done = coloring_reserve(&fresh, graph, &order) && color_all(&fresh, graph, &order) &&
                tr_balance_lanes(&fresh, graph, &order) && fill_spans(&fresh, graph, &order);
    if (done) {
        tr_coloring old = plan->coloring;
        plan->coloring = fresh;
        fresh = old;
        plan->coloring.hubs_changed = true;
        plan->islands = order.islands;
        plan->islands_known = true;
        plan->layout_known = false;
        plan->version++;
        plan->churn = 0;
        if (order_out != NULL && graph->vertex_count > 0)
            memcpy(order_out, order.vertices, graph->vertex_count * sizeof *order_out);
    }
    tr_coloring_destroy(&fresh);
    tr_order_destroy(&order, plan->memory, graph);
    return done ? TR_OK : TR_ERROR_MEMORY;
}
