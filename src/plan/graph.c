/* The graph as the caller gave it: the edge lists of the vertices, and the side table of third and fourth ends. */
#include "plan/plan_internal.h"

#include <string.h>

void tr_graph_destroy(tr_graph *graph, tr_memory *memory)
{
    tr_release(memory, graph->vertices, graph->vertex_capacity * sizeof *graph->vertices);
    tr_release(memory, graph->edges, graph->edge_capacity * sizeof *graph->edges);
    tr_release(memory, graph->back, graph->back_capacity * sizeof *graph->back);
    tr_release(memory, graph->extras, graph->extra_capacity * sizeof *graph->extras);
    tr_release(memory, graph->extra_of, graph->extra_of_capacity * sizeof *graph->extra_of);
}

/* a copy of `count` elements; null if there are none; false: out of memory */
static bool copy_array(tr_memory *memory, void **out, uint32_t *capacity, const void *from, uint32_t count, size_t size)
{
    if (count == 0)
        return true;
    *out = tr_allocate_unset(memory, count, size);
    if (*out == NULL)
        return false;
    *capacity = count;
    memcpy(*out, from, count * size);
    return true;
}

bool tr_graph_copy(const tr_graph *graph, tr_memory *memory, tr_graph *out)
{
    *out = *graph;
    out->vertices = NULL;
    out->edges = NULL;
    out->back = NULL;
    out->extras = NULL;
    out->extra_of = NULL;
    out->vertex_capacity = out->edge_capacity = out->back_capacity = 0;
    out->extra_capacity = out->extra_of_capacity = 0;
    uint32_t of = graph->edge_slots < graph->extra_of_capacity ? graph->edge_slots : graph->extra_of_capacity;
    return copy_array(memory, (void **)&out->vertices, &out->vertex_capacity, graph->vertices, graph->vertex_slots,
                      sizeof *graph->vertices) &&
           copy_array(memory, (void **)&out->edges, &out->edge_capacity, graph->edges, graph->edge_slots,
                      sizeof *graph->edges) &&
           copy_array(memory, (void **)&out->extras, &out->extra_capacity, graph->extras, graph->extra_slots,
                      sizeof *graph->extras) &&
           copy_array(memory, (void **)&out->extra_of, &out->extra_of_capacity, graph->extra_of, of,
                      sizeof *graph->extra_of);
}

/*
 * Lists
 */
static tr_graph_vertex *vertex_of(tr_graph *graph, uint32_t half)
{
    return &graph->vertices[tr_graph_end(graph, tr_half_edge(half), tr_half_end(half))];
}

/* The previous half-edge, if lists have links back. */
static uint32_t *back_of(const tr_graph *graph, uint32_t half)
{
    uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
    return end < 2 ? &graph->back[edge][end] : &tr_graph_extra_of(graph, edge)->back[end - 2];
}

/* The half-edge before one in its list, TR_NONE if it is the first; before TR_NONE: the last one, found by walking. */
static uint32_t before(const tr_graph *graph, const tr_graph_vertex *vertex, uint32_t half)
{
    if (graph->back != NULL && half != TR_NONE)
        return *back_of(graph, half);
    uint32_t last = TR_NONE;
    for (uint32_t at = vertex->first; at != half; at = *tr_graph_next(graph, at))
        last = at;
    return last;
}

/* Makes `next` follow `half`; TR_NONE stands for the beginning and the end of the list. */
static void link(const tr_graph *graph, tr_graph_vertex *vertex, uint32_t half, uint32_t next)
{
    *(half != TR_NONE ? tr_graph_next(graph, half) : &vertex->first) = next;
    if (graph->back != NULL && next != TR_NONE)
        *back_of(graph, next) = half;
}

bool tr_graph_reserve_edges(tr_graph *graph, tr_memory *memory, uint32_t count, uint32_t longest)
{
    if (!tr_grow(memory, (void **)&graph->edges, &graph->edge_capacity, count, sizeof *graph->edges))
        return false;
    bool linked = graph->back != NULL;
    if (!linked && longest <= TR_LIST_WALKED)
        return true;
    if (!tr_grow(memory, (void **)&graph->back, &graph->back_capacity, graph->edge_capacity, sizeof *graph->back))
        return false;
    for (uint32_t v = 0; !linked && v < graph->vertex_slots; v++) {
        /* numbers never used for a vertex have no list */
        uint32_t last = TR_NONE, first = graph->vertices[v].alive ? graph->vertices[v].first : TR_NONE;
        for (uint32_t half = first; half != TR_NONE; half = *tr_graph_next(graph, half)) {
            *back_of(graph, half) = last;
            last = half;
        }
    }
    return true;
}

void tr_list_insert(tr_graph *graph, uint32_t half)
{
    tr_graph_vertex *vertex = vertex_of(graph, half);
    link(graph, vertex, half, vertex->first);
    link(graph, vertex, TR_NONE, half);
    vertex->degree++;
}

void tr_list_remove(tr_graph *graph, uint32_t half)
{
    tr_graph_vertex *vertex = vertex_of(graph, half);
    link(graph, vertex, before(graph, vertex, half), *tr_graph_next(graph, half));
    vertex->degree--;
}

void tr_list_put_back(tr_graph *graph, uint32_t half)
{
    /* its `next` is unchanged since its removal; its predecessor is now that of `next` (or the last, if there is no
       next) */
    tr_graph_vertex *vertex = vertex_of(graph, half);
    uint32_t next = *tr_graph_next(graph, half), last = before(graph, vertex, next);
    link(graph, vertex, half, next);
    link(graph, vertex, last, half);
    vertex->degree++;
}

/*
 * Third and fourth ends of edges
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
