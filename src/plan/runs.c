/*
 * Runs: sixteen edges of a span, each of whose ends has the vertices that follow each other in the fresh order. A solver
 * reaches the records of such vertices as whole vectors, which is faster than one by one by a third (docs/plan.md). So
 * lanes are dealt out to runs first, block by block; what is left over fills blocks of its own.
 */
#include "plan/plan_internal.h"

typedef struct tr_arranger {
    tr_coloring *coloring;
    const tr_graph *graph;
    const uint32_t *rank; /* of each vertex */
    tr_lane *lanes;       /* of a span, as they were */
} tr_arranger;

/* Whether all of an edge's vertices are two, move and are whole. */
static bool is_plain(const tr_arranger *arranger, const tr_lane *lane)
{
    const tr_graph_edge *edge = &arranger->graph->edges[lane->edge];
    return edge->end_count == 2 && tr_graph_moving_ends(arranger->graph, lane->edge) == 2 &&
           tr_copy_count(arranger->coloring, edge->vertex[0]) == 1 &&
           tr_copy_count(arranger->coloring, edge->vertex[1]) == 1;
}

/* Whether both ends of `next` follow those of `lane`. */
static bool follows(const tr_arranger *arranger, const tr_lane *lane, const tr_lane *next)
{
    const tr_graph_edge *a = &arranger->graph->edges[lane->edge], *b = &arranger->graph->edges[next->edge];
    return arranger->rank[b->vertex[0]] == arranger->rank[a->vertex[0]] + 1 &&
           arranger->rank[b->vertex[1]] == arranger->rank[a->vertex[1]] + 1;
}

/* Whether 16 lanes from `first` on are a run. */
static bool is_run(const tr_arranger *arranger, const tr_lane *first)
{
    for (uint32_t i = 0; i < TR_LANES; i++) {
        if (!is_plain(arranger, &first[i]) || (i > 0 && !follows(arranger, &first[i - 1], &first[i])))
            return false;
    }
    return true;
}

/* Lanes keep their order but for this: a block that is a run comes before what was left over so far of a block. */
static void arrange_span(const tr_arranger *arranger, tr_span *span)
{
    tr_coloring *coloring = arranger->coloring;
    for (uint32_t i = 0; i < span->count; i++)
        arranger->lanes[i] = tr_lane_get(span, i);
    uint32_t left[TR_LANES], left_count = 0, next = 0;
    for (uint32_t i = 0; i < span->count;) {
        const tr_lane *first = &arranger->lanes[i];
        if (span->count - i >= TR_LANES && is_run(arranger, first)) {
            for (uint32_t lane = 0; lane < TR_LANES; lane++)
                tr_lane_set(coloring, span, next++, first[TR_RUN_PLACE(lane)]);
            i += TR_LANES;
            continue;
        }
        left[left_count++] = i++;
        if (left_count < TR_LANES)
            continue;
        for (uint32_t lane = 0; lane < TR_LANES; lane++)
            tr_lane_set(coloring, span, next++, arranger->lanes[left[lane]]);
        left_count = 0;
    }
    for (uint32_t lane = 0; lane < left_count; lane++)
        tr_lane_set(coloring, span, next++, arranger->lanes[left[lane]]);
}

bool tr_arrange_runs(tr_coloring *coloring, const tr_graph *graph, const tr_order *order)
{
    uint32_t most = 0, spans = coloring->span_count;
    for (uint32_t i = 0; i < spans; i++)
        most = coloring->spans[i].count > most ? coloring->spans[i].count : most;
    if (most < TR_LANES)
        return true;
    tr_arranger arranger = {coloring, graph, order->rank, NULL};
    arranger.lanes = tr_allocate_array(coloring->memory, most, sizeof *arranger.lanes);
    if (arranger.lanes == NULL)
        return false;
    for (uint32_t i = 0; i < spans; i++) {
        if (coloring->spans[i].count >= TR_LANES)
            arrange_span(&arranger, &coloring->spans[i]);
    }
    tr_release(coloring->memory, arranger.lanes, most * sizeof *arranger.lanes);
    return true;
}
