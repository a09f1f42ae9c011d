/* The plan's interface: what it knows of vertices, edges and units. */
#include "plan/lane.h"
#include "plan/plan_internal.h"

uint32_t tr_plan_first(const tr_plan *plan, uint32_t vertex)
{
    return plan->graph.vertices[vertex].first;
}

uint32_t tr_plan_next(const tr_plan *plan, uint32_t half_edge)
{
    return *tr_graph_next(&plan->graph, half_edge);
}

bool tr_plan_has_vertex(const tr_plan *plan, uint32_t vertex)
{
    return vertex < plan->graph.vertex_slots && plan->graph.vertices[vertex].alive;
}

bool tr_plan_is_moving(const tr_plan *plan, uint32_t vertex)
{
    return plan->graph.vertices[vertex].moving;
}

uint32_t tr_plan_vertex_count(const tr_plan *plan)
{
    return plan->graph.vertex_count;
}

uint32_t tr_plan_edge_count(const tr_plan *plan)
{
    return plan->graph.edge_count;
}

uint32_t tr_plan_solved_count(const tr_plan *plan)
{
    return plan->coloring.solved_edges;
}

uint32_t tr_plan_degree(const tr_plan *plan, uint32_t vertex)
{
    return plan->graph.vertices[vertex].degree;
}

uint32_t tr_plan_end_count(const tr_plan *plan, uint32_t edge)
{
    return plan->graph.edges[edge].end_count;
}

uint32_t tr_plan_end(const tr_plan *plan, uint32_t edge, uint32_t end)
{
    return tr_graph_end(&plan->graph, edge, end);
}

void tr_plan_ends(const tr_plan *plan, const uint32_t *edges, uint32_t count, uint32_t *first, uint32_t *second)
{
    for (uint32_t i = 0; i < count; i++) {
        const tr_graph_edge *edge = &plan->graph.edges[edges[i]];
        first[i] = edge->vertex[0];
        second[i] = edge->vertex[1];
    }
}

uint32_t tr_plan_end_copy(const tr_plan *plan, uint32_t edge, uint32_t end)
{
    return tr_layout_copy(&plan->coloring, tr_graph_end(&plan->graph, edge, end),
                          tr_end_copy(&plan->coloring, &plan->graph, edge, end));
}

uint32_t tr_plan_kind(const tr_plan *plan, uint32_t edge)
{
    const tr_graph *graph = &plan->graph;
    return edge < graph->edge_slots && graph->edges[edge].alive ? graph->edges[edge].kind : TR_NONE;
}

uint32_t tr_plan_color(const tr_plan *plan, uint32_t edge)
{
    uint32_t span = plan->coloring.edges[edge].span;
    return span == TR_NONE ? TR_NONE : plan->coloring.spans[span].color;
}

bool tr_plan_lane_of(const tr_plan *plan, uint32_t edge, tr_plan_lane *out)
{
    const tr_edge_paint *paint = &plan->coloring.edges[edge];
    if (paint->span == TR_NONE)
        return false;
    *out = (tr_plan_lane){paint->span, paint->lane, plan->coloring.spans[paint->span].kind};
    return true;
}

uint32_t tr_plan_unit(const tr_plan *plan, uint32_t vertex)
{
    return tr_unit_of(&plan->coloring, vertex);
}

uint32_t tr_plan_unit_count(const tr_plan *plan)
{
    return plan->coloring.unit_count;
}

uint32_t tr_plan_unit_seams(const tr_plan *plan, uint32_t unit)
{
    return plan->coloring.seam_ends[unit];
}

uint32_t tr_plan_twins(const tr_plan *plan)
{
    return plan->twins;
}

uint64_t tr_plan_version(const tr_plan *plan)
{
    return plan->version;
}

uint64_t tr_plan_epoch(const tr_plan *plan)
{
    return plan->epoch;
}

uint32_t tr_plan_churn(const tr_plan *plan)
{
    return plan->churn;
}
