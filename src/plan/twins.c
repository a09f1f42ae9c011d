/*
 * Twins: islands of the same shape, interleaved. The first vertices of up to 16 such islands come first, then their
 * second vertices, and so on. Their corresponding edges then make runs (runs.c): a block solves the same joint of 16
 * islands.
 */
#include "plan/plan_internal.h"

#include <string.h>

/* Whether the ends of two edges have the same places in their islands, or are fixed. */
static bool same_ends(const tr_graph *graph, const uint32_t *place, uint32_t edge_a, uint32_t edge_b)
{
    uint32_t a[TR_ENDS], b[TR_ENDS], count = tr_graph_ends(graph, edge_a, a);
    if (graph->edges[edge_a].kind != graph->edges[edge_b].kind || tr_graph_ends(graph, edge_b, b) != count)
        return false;
    for (uint32_t end = 0; end < count; end++) {
        bool moving = graph->vertices[a[end]].moving;
        if (moving != graph->vertices[b[end]].moving || (moving && place[a[end]] != place[b[end]]))
            return false;
    }
    return true;
}

/* Compares edges in their order of creation: islands created in the same way have the same shape. */
bool tr_same_shape(const tr_graph *graph, const uint32_t *place, const uint32_t *a, const uint32_t *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t half_a = graph->vertices[a[i]].first, half_b = graph->vertices[b[i]].first;
        while (half_a != TR_NONE && half_b != TR_NONE) {
            if (tr_half_end(half_a) != tr_half_end(half_b) ||
                !same_ends(graph, place, tr_half_edge(half_a), tr_half_edge(half_b)))
                return false;
            half_a = *tr_graph_next(graph, half_a);
            half_b = *tr_graph_next(graph, half_b);
        }
        if (half_a != half_b)
            return false;
    }
    return true;
}

void tr_lay_side_by_side(uint32_t *vertices, uint32_t count, uint32_t islands, uint32_t *scratch)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t island = 0; island < islands; island++)
            scratch[i * islands + island] = vertices[island * count + i];
    memcpy(vertices, scratch, (size_t)count * islands * sizeof *vertices);
}
