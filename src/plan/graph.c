/* The graph that the caller says: the lists of each vertex's edges, and the side table of third and fourth ends. */
#include "plan/plan_internal.h"

/*
 * Lists
 */
static tr_graph_vertex *vertex_of(tr_graph *graph, uint32_t half)
{
    return &graph->vertices[tr_graph_end(graph, tr_half_edge(half), tr_half_end(half))];
}

void tr_list_insert(tr_graph *graph, uint32_t half)
{
    tr_graph_vertex *vertex = vertex_of(graph, half);
    *tr_graph_next(graph, half) = vertex->first;
    *tr_graph_prev(graph, half) = TR_NONE;
    if (vertex->first != TR_NONE)
        *tr_graph_prev(graph, vertex->first) = half;
    vertex->first = half;
    vertex->degree++;
}

void tr_list_remove(tr_graph *graph, uint32_t half)
{
    tr_graph_vertex *vertex = vertex_of(graph, half);
    uint32_t next = *tr_graph_next(graph, half), prev = *tr_graph_prev(graph, half);
    if (prev != TR_NONE)
        *tr_graph_next(graph, prev) = next;
    else
        vertex->first = next;
    if (next != TR_NONE)
        *tr_graph_prev(graph, next) = prev;
    vertex->degree--;
}

void tr_list_put_back(tr_graph *graph, uint32_t half)
{
    tr_graph_vertex *vertex = vertex_of(graph, half);
    uint32_t next = *tr_graph_next(graph, half), prev = *tr_graph_prev(graph, half);
    if (prev != TR_NONE)
        *tr_graph_next(graph, prev) = half;
    else
        vertex->first = half;
    if (next != TR_NONE)
        *tr_graph_prev(graph, next) = half;
    vertex->degree++;
}

/*
 * The third and fourth ends of edges
 */
bool tr_extra_reserve(tr_graph *graph, tr_memory *memory, uint32_t edge)
{
    return tr_grow(memory, (void **)&graph->extra_of, &graph->extra_of_capacity, edge + 1, sizeof *graph->extra_of) &&
           tr_grow(memory, (void **)&graph->extras, &graph->extra_capacity, graph->extra_slots + 1,
                   sizeof *graph->extras);
}

void tr_extra_take(tr_graph *graph, uint32_t edge)
{
    if (graph->edges[edge].end_count <= 2)
        return;
    uint32_t slot = graph->free_extra;
    if (slot == TR_NONE)
        slot = graph->extra_slots++;
    else
        graph->free_extra = graph->extras[slot].next_free;
    graph->extra_of[edge] = slot;
    graph->extra_count++;
}

void tr_extra_give(tr_graph *graph, uint32_t edge)
{
    if (graph->edges[edge].end_count <= 2)
        return;
    uint32_t slot = graph->extra_of[edge];
    graph->extras[slot].next_free = graph->free_extra;
    graph->free_extra = slot;
    graph->extra_count--;
}

void tr_edge_write(tr_graph *graph, uint32_t edge, const uint32_t *vertices, uint32_t end_count, uint32_t kind)
{
    graph->edges[edge] =
        (tr_graph_edge){.vertex = {vertices[0], vertices[1]}, .kind = (uint16_t)kind, .end_count = (uint8_t)end_count};
    tr_extra_take(graph, edge);
    for (uint32_t end = 2; end < end_count; end++)
        tr_graph_extra_of(graph, edge)->vertex[end - 2] = vertices[end];
}
