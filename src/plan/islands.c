/* Counting islands: union of the moving ends of every edge, the lowest number standing for the set. */
#include "plan/plan_internal.h"

static uint32_t find(uint32_t *parent, uint32_t vertex)
{
    while (parent[vertex] != vertex) {
        /* halving the path on the way up keeps it short */
        parent[vertex] = parent[parent[vertex]];
        vertex = parent[vertex];
    }
    return vertex;
}

static void unite(const tr_graph *graph, uint32_t *parent)
{
    for (uint32_t v = 0; v < graph->vertex_slots; v++)
        parent[v] = v;
    for (uint32_t e = 0; e < graph->edge_slots; e++) {
        const tr_graph_edge *edge = &graph->edges[e];
        if (!edge->alive || !graph->vertices[edge->vertex[0]].moving || !graph->vertices[edge->vertex[1]].moving)
            continue;
        uint32_t a = find(parent, edge->vertex[0]), b = find(parent, edge->vertex[1]);
        if (a < b)
            parent[b] = a;
        else
            parent[a] = b;
    }
}

static tr_plan_islands count(const tr_graph *graph, uint32_t *parent, uint32_t *size)
{
    tr_plan_islands islands = {0, 0};
    for (uint32_t v = 0; v < graph->vertex_slots; v++) {
        if (!graph->vertices[v].moving)
            continue;
        uint32_t root = find(parent, v);
        islands.count += root == v;
        if (++size[root] > islands.largest)
            islands.largest = size[root];
    }
    return islands;
}

tr_status tr_plan_islands_get(tr_plan *plan, tr_plan_islands *out)
{
    if (!plan->islands_known) {
        size_t slots = (size_t)plan->graph.vertex_slots + 1;
        uint32_t *scratch = tr_allocate_array(plan->memory, slots, 2 * sizeof *scratch);
        if (scratch == NULL)
            return TR_ERROR_MEMORY;
        unite(&plan->graph, scratch);
        plan->islands = count(&plan->graph, scratch, scratch + slots);
        plan->islands_known = true;
        tr_release(plan->memory, scratch, slots * 2 * sizeof *scratch);
    }
    *out = plan->islands;
    return TR_OK;
}
