/* The plan's interface: vertices and edges. Every change reserves memory first, so that it can fail without effect. */
#include "plan/lane.h"
#include "plan/plan_internal.h"

#include <assert.h>

#define VERTEX_LIMIT ((uint32_t)INT32_MAX)

tr_status tr_plan_create(tr_memory *memory, uint32_t kinds, uint32_t copy_capacity, tr_plan **out)
{
    assert(kinds >= 1 && kinds <= UINT16_MAX);
    assert(copy_capacity >= 2 && copy_capacity <= TR_COLORS_MOVING);
    tr_plan *plan = tr_allocate(memory, sizeof *plan);
    if (plan == NULL)
        return TR_ERROR_MEMORY;
    plan->memory = memory;
    plan->graph.free_extra = TR_NONE;
    plan->unit_size = TR_UNIT_AUTOMATIC;
    tr_coloring_init(&plan->coloring, memory, kinds, copy_capacity);
    *out = plan;
    return TR_OK;
}

void tr_plan_destroy(tr_plan *plan)
{
    if (plan == NULL)
        return;
    tr_memory *memory = plan->memory;
    tr_plan_drop(plan);
    tr_graph_destroy(&plan->graph, memory);
    tr_release(memory, plan->degree_count, plan->degree_capacity * sizeof *plan->degree_count);
    tr_release(memory, plan->news, plan->news_capacity * sizeof *plan->news);
    tr_release(memory, plan->layout_spans, plan->layout_span_capacity * sizeof *plan->layout_spans);
    tr_release(memory, plan->layout_changed, plan->layout_changed_capacity * sizeof *plan->layout_changed);
    tr_release(memory, plan->layout_hubs, plan->layout_hub_capacity * sizeof *plan->layout_hubs);
    tr_release(memory, plan->layout_copies, plan->layout_copy_capacity * sizeof *plan->layout_copies);
    tr_coloring_destroy(&plan->coloring);
    tr_release(memory, plan, sizeof *plan);
}

/* for changes of more than lanes */
static void renew(tr_plan *plan)
{
    plan->version++;
    plan->epoch++;
}

void tr_plan_count_churn(tr_plan *plan)
{
    if (plan->churn < UINT32_MAX)
        plan->churn++;
    plan->version++;
}

/*
 * Number of moving vertices of each degree, to know the highest degree at any time
 */

bool tr_degrees_reserve(tr_plan *plan, uint32_t degree)
{
    return tr_grow(plan->memory, (void **)&plan->degree_count, &plan->degree_capacity, degree + 1,
                   sizeof *plan->degree_count);
}

void tr_degrees_enter(tr_plan *plan, uint32_t degree)
{
    plan->degree_count[degree]++;
    if (degree > plan->max_degree)
        plan->max_degree = degree;
}

void tr_degrees_leave(tr_plan *plan, uint32_t degree)
{
    plan->degree_count[degree]--;
    while (plan->max_degree > 0 && plan->degree_count[plan->max_degree] == 0)
        plan->max_degree--;
}

/*
 * Reserving
 */

static bool vertices_reserve(tr_plan *plan, uint32_t count)
{
    tr_graph *graph = &plan->graph;
    tr_coloring *coloring = &plan->coloring;
    return tr_grow(plan->memory, (void **)&graph->vertices, &graph->vertex_capacity, count, sizeof *graph->vertices) &&
           tr_grow(plan->memory, (void **)&coloring->vertices, &coloring->vertex_capacity, count,
                   sizeof *coloring->vertices);
}

/* `longest`: number of edges that a list may reach */
static bool edges_reserve(tr_plan *plan, uint32_t count, uint32_t longest)
{
    return tr_graph_reserve_edges(&plan->graph, plan->memory, count, longest) &&
           tr_coloring_reserve_edges(&plan->coloring, count);
}

tr_status tr_plan_reserve(tr_plan *plan, uint32_t vertices, uint32_t edges)
{
    tr_plan_written(plan);
    if (vertices > VERTEX_LIMIT || edges > TR_EDGES_MAX)
        return TR_ERROR_LIMIT;
    return vertices_reserve(plan, vertices) && edges_reserve(plan, edges, 0) ? TR_OK : TR_ERROR_MEMORY;
}

/*
 * Vertices
 */

tr_status tr_plan_add_vertex(tr_plan *plan, uint32_t vertex, bool moving)
{
    tr_plan_written(plan);
    tr_graph *graph = &plan->graph;
    tr_coloring *coloring = &plan->coloring;
    if (vertex >= VERTEX_LIMIT)
        return TR_ERROR_LIMIT;
    if (!vertices_reserve(plan, vertex + 1) || !tr_degrees_reserve(plan, 0))
        return TR_ERROR_MEMORY;

    assert(!graph->vertices[vertex].alive);
    graph->vertices[vertex] = (tr_graph_vertex){.first = TR_NONE, .alive = true, .moving = moving};
    coloring->vertices[vertex] = (tr_copy){{0, 0}};
    if (vertex < coloring->unit_capacity)
        coloring->units[vertex] = TR_NONE;
    if (vertex >= graph->vertex_slots)
        graph->vertex_slots = vertex + 1;
    graph->vertex_count++;
    if (moving) {
        graph->moving_count++;
        tr_degrees_enter(plan, 0);
        plan->islands_known = false;
    }
    renew(plan);
    tr_plan_count_churn(plan);
    return TR_OK;
}

void tr_plan_remove_vertex(tr_plan *plan, uint32_t vertex)
{
    tr_plan_written(plan);
    tr_graph_vertex *it = &plan->graph.vertices[vertex];
    assert(it->alive && it->degree == 0);
    it->alive = false;
    plan->graph.vertex_count--;
    if (it->moving) {
        plan->graph.moving_count--;
        tr_degrees_leave(plan, 0);
        plan->islands_known = false;
    }
    it->moving = false;
    renew(plan);
    tr_plan_count_churn(plan);
}

/*
 * Edges
 */

/* Gives an edge, whose ends are written, a colour and a lane. On false nothing changed. */
bool tr_plan_paint(tr_plan *plan, uint32_t edge)
{
    tr_plan_written(plan);
    plan->layout_known = false;
    if (!tr_edge_color(&plan->coloring, &plan->graph, edge))
        return false;
    tr_news_of_edge(plan, edge);
    plan->version++;
    return true;
}

void tr_plan_unpaint(tr_plan *plan, uint32_t edge)
{
    tr_plan_written(plan);
    tr_span_pull(&plan->coloring, &plan->graph, edge);
    tr_color_unmark(&plan->coloring, &plan->graph, edge);
    tr_news_of_edge(plan, edge);
    plan->layout_known = false;
    plan->version++;
}

static bool edge_reserve(tr_plan *plan, uint32_t edge, const uint32_t *vertices, uint32_t end_count)
{
    tr_graph *graph = &plan->graph;
    tr_coloring *coloring = &plan->coloring;
    uint32_t longest = 0;
    for (uint32_t end = 0; end < end_count; end++) {
        const tr_graph_vertex *it = &graph->vertices[vertices[end]];
        if (it->moving && !tr_degrees_reserve(plan, it->degree + 1))
            return false;
        longest = it->degree >= longest ? (uint32_t)it->degree + 1 : longest;
    }
    if (end_count > 2 && (!tr_extra_reserve(graph, plan->memory, edge) ||
                          !tr_grow(plan->memory, (void **)&coloring->extra_copies, &coloring->extra_capacity,
                                   graph->extra_capacity, sizeof *coloring->extra_copies)))
        return false;
    return edges_reserve(plan, edge + 1, longest);
}

/* Inserts the half-edges of a new edge into their lists. */
static void edge_enter(tr_plan *plan, uint32_t edge)
{
    tr_graph *graph = &plan->graph;
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex);
    for (uint32_t end = 0; end < count; end++) {
        const tr_graph_vertex *at = &graph->vertices[vertex[end]];
        tr_list_insert(graph, TR_ENDS * edge + end);
        if (at->moving) {
            tr_degrees_enter(plan, at->degree);
            tr_degrees_leave(plan, at->degree - 1);
        }
    }
}

tr_status tr_plan_add_hyperedge(tr_plan *plan, uint32_t edge, const uint32_t *vertices, uint32_t end_count,
                                uint32_t kind)
{
    tr_plan_written(plan);
    tr_graph *graph = &plan->graph;
    assert(end_count >= 2 && end_count <= TR_ENDS && kind < plan->coloring.kinds);
    for (uint32_t end = 0; end < end_count; end++)
        assert(graph->vertices[vertices[end]].alive && vertices[end] != vertices[(end + 1) % end_count]);
    if (edge >= TR_EDGES_MAX)
        return TR_ERROR_LIMIT;
    if (!edge_reserve(plan, edge, vertices, end_count))
        return TR_ERROR_MEMORY;

    tr_graph_edge *it = &graph->edges[edge];
    assert(!it->alive);
    tr_edge_write(graph, edge, vertices, end_count, kind);
    plan->coloring.edges[edge].span = TR_NONE;
    uint32_t moving = tr_graph_moving_ends(graph, edge);
    if (moving > 0 && !tr_plan_paint(plan, edge)) {
        tr_extra_give(graph, edge);
        return TR_ERROR_MEMORY;
    }

    it->alive = true;
    if (edge >= graph->edge_slots)
        graph->edge_slots = edge + 1;
    graph->edge_count++;
    edge_enter(plan, edge);
    if (moving > 1)
        plan->islands_known = false;
    tr_plan_count_churn(plan);
    return TR_OK;
}

tr_status tr_plan_add_edge(tr_plan *plan, uint32_t edge, uint32_t vertex_a, uint32_t vertex_b, uint32_t kind)
{
    const uint32_t vertices[2] = {vertex_a, vertex_b};
    return tr_plan_add_hyperedge(plan, edge, vertices, 2, kind);
}

void tr_plan_remove_edge(tr_plan *plan, uint32_t edge)
{
    tr_plan_written(plan);
    tr_graph *graph = &plan->graph;
    tr_graph_edge *it = &graph->edges[edge];
    assert(it->alive);
    if (plan->coloring.edges[edge].span != TR_NONE)
        tr_plan_unpaint(plan, edge);
    it->alive = false;
    graph->edge_count--;
    uint32_t vertex[TR_ENDS] = {0}, count = tr_graph_ends(graph, edge, vertex);
    for (uint32_t end = 0; end < count; end++) {
        const tr_graph_vertex *at = &graph->vertices[vertex[end]];
        tr_list_remove(graph, TR_ENDS * edge + end);
        if (at->moving) {
            tr_degrees_enter(plan, at->degree);
            tr_degrees_leave(plan, at->degree + 1);
        }
    }
    if (tr_graph_moving_ends(graph, edge) > 1)
        plan->islands_known = false;
    tr_extra_give(graph, edge);
    tr_plan_count_churn(plan);
}

tr_status tr_plan_set_kind(tr_plan *plan, uint32_t edge, uint32_t kind)
{
    tr_plan_written(plan);
    tr_coloring *coloring = &plan->coloring;
    tr_graph_edge *it = &plan->graph.edges[edge];
    assert(it->alive && kind < coloring->kinds);
    if (it->kind == kind)
        return TR_OK;
    if (coloring->edges[edge].span == TR_NONE) {
        it->kind = (uint16_t)kind;
        return TR_OK;
    }
    plan->layout_known = false;
    const tr_span *from = &coloring->spans[coloring->edges[edge].span];
    uint32_t span = tr_span_find(coloring, &plan->graph, edge, from->strand, from->color, kind);
    if (span == TR_NONE)
        return TR_ERROR_MEMORY;
    /* the span that it leaves, too, so that it can go back without memory: it may have none for copies of hubs yet */
    tr_span *old = &coloring->spans[coloring->edges[edge].span];
    if (!tr_span_reserve(coloring, old, old->count) ||
        !tr_span_reserve(coloring, &coloring->spans[span], coloring->spans[span].count + 1))
        return TR_ERROR_MEMORY;
    tr_span_pull(coloring, &plan->graph, edge);
    tr_news_of_edge(plan, edge);
    it->kind = (uint16_t)kind;
    tr_news_of_edge(plan, edge);
    coloring->edges[edge].span = span;
    tr_span_push(coloring, &plan->graph, edge);
    plan->version++;
    return TR_OK;
}

/*
 * A vertex starts or stops moving
 */

tr_trace tr_trace_of(const tr_plan *plan, uint32_t edge)
{
    const tr_edge_paint *paint = &plan->coloring.edges[edge];
    tr_trace trace = {.edge = edge,
                      .lane = paint->lane,
                      .kind = plan->graph.edges[edge].kind,
                      .choice = {.span = paint->span, .color = tr_plan_color(plan, edge)}};
    uint32_t count = plan->graph.edges[edge].end_count;
    for (uint32_t end = 0; end < count; end++)
        trace.choice.copy[end] = tr_end_copy(&plan->coloring, &plan->graph, edge, end);
    return trace;
}

/* Recolours the first `count` edges of a trace, oldest first. On failure it removes the new colours again. */
static bool repaint(tr_plan *plan, const tr_trace *trace, uint32_t count)
{
    for (uint32_t i = count; i-- > 0;) {
        if (tr_graph_moving_ends(&plan->graph, trace[i].edge) == 0 || tr_plan_paint(plan, trace[i].edge))
            continue;
        while (++i < count) {
            if (plan->coloring.edges[trace[i].edge].span != TR_NONE)
                tr_plan_unpaint(plan, trace[i].edge);
        }
        return false;
    }
    return true;
}

/* Exact inverse of uncolouring an edge. It cannot fail, because the memory is still allocated. */
void tr_trace_restore(tr_plan *plan, const tr_trace *trace)
{
    tr_plan_written(plan);
    tr_coloring *coloring = &plan->coloring;
    const tr_graph *graph = &plan->graph;
    const tr_choice *was = &trace->choice;
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, trace->edge, vertex);
    if (was->span == TR_NONE)
        return;
    for (uint32_t end = 0; end < count; end++) {
        if (graph->vertices[vertex[end]].moving)
            (void)tr_copy_open(coloring, vertex[end], was->copy[end] + 1);
    }
    tr_color_mark(coloring, graph, trace->edge, was);
    tr_span_put_back(coloring, graph, trace->edge, trace->lane);
}

tr_status tr_plan_set_moving(tr_plan *plan, uint32_t vertex, bool moving)
{
    tr_plan_written(plan);
    tr_graph *graph = &plan->graph;
    tr_graph_vertex *it = &graph->vertices[vertex];
    assert(it->alive);
    if (it->moving == moving)
        return TR_OK;
    uint32_t degree = it->degree;
    uint64_t version = plan->version;
    if (!tr_degrees_reserve(plan, degree))
        return TR_ERROR_MEMORY;
    tr_trace *trace = tr_allocate_array(plan->memory, degree, sizeof *trace);
    if (trace == NULL && degree > 0)
        return TR_ERROR_MEMORY;

    /* uncolour all edges, newest first, then recolour them */
    uint32_t count = 0;
    for (uint32_t half = it->first; half != TR_NONE && count < degree; half = tr_plan_next(plan, half)) {
        uint32_t edge = tr_half_edge(half);
        trace[count++] = tr_trace_of(plan, edge);
        if (plan->coloring.edges[edge].span != TR_NONE)
            tr_plan_unpaint(plan, edge);
    }
    it->moving = moving;
    bool done = repaint(plan, trace, count);
    if (!done) {
        it->moving = !moving;
        while (count-- > 0)
            tr_trace_restore(plan, &trace[count]);
        plan->version = version;
    }
    tr_release(plan->memory, trace, degree * sizeof *trace);
    if (!done)
        return TR_ERROR_MEMORY;
    renew(plan);

    if (moving) {
        graph->moving_count++;
        tr_degrees_enter(plan, degree);
    } else {
        graph->moving_count--;
        tr_degrees_leave(plan, degree);
    }
    plan->islands_known = false;
    return TR_OK;
}

/*
 * Settings
 */

void tr_plan_set_unit_size(tr_plan *plan, uint32_t vertices)
{
    plan->unit_size = vertices;
}

void tr_plan_touch(tr_plan *plan)
{
    renew(plan);
}

void tr_plan_touch_edge(tr_plan *plan, uint32_t edge)
{
    const tr_edge_paint *paint = &plan->coloring.edges[edge];
    if (paint->span != TR_NONE) {
        tr_lane_mark(&plan->coloring, &plan->coloring.spans[paint->span], paint->lane);
        plan->layout_known = false;
    }
    plan->version++;
}

void tr_plan_set_churn(tr_plan *plan, uint32_t churn)
{
    plan->churn = churn;
}
