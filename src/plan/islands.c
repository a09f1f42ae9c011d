/* Counts islands with union-find over the moving ends of every edge; the lowest vertex represents its set. */
#include "plan/plan_internal.h"

static uint32_t find(uint32_t *parent, uint32_t vertex)
{
    while (parent[vertex] != vertex) {
        /* path halving keeps the paths short */
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
        if (!graph->edges[e].alive)
            continue;
        /* unite each moving end with the previous one */
        uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, e, vertex), last = TR_NONE;
        for (uint32_t end = 0; end < count; end++) {
            if (!graph->vertices[vertex[end]].moving)
                continue;
            uint32_t root = find(parent, vertex[end]);
            if (last != TR_NONE && root < last)
                parent[last] = root;
            else if (last != TR_NONE)
                parent[root] = last;
            last = last != TR_NONE && last < root ? last : root;
        }
    }
}

void tr_plan_islands_add(tr_plan_islands *islands, uint32_t size)
{
    uint32_t power = 0;
    while (size >> power > 1)
        power++;
    islands->count++;
    islands->by_size[power]++;
    if (size > islands->largest)
        islands->largest = size;
}

static tr_plan_islands count(const tr_graph *graph, uint32_t *parent, uint32_t *size)
{
    tr_plan_islands islands = {0};
    for (uint32_t v = 0; v < graph->vertex_slots; v++) {
        if (graph->vertices[v].moving)
            size[find(parent, v)]++;
    }
    for (uint32_t v = 0; v < graph->vertex_slots; v++) {
        if (size[v] > 0)
            tr_plan_islands_add(&islands, size[v]);
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
