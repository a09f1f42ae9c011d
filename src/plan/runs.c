/*
 * Runs: sixteen edges of a span in four groups; the vertices of a group are consecutive in the fresh order at both
 * ends. A solver accesses the records of a group as whole vectors, a third faster than one by one (docs/plan.md). So
 * the lanes are given to runs first, block by block; the remaining edges fill blocks of their own.
 */
#include "plan/plan_internal.h"

typedef struct tr_arranger {
    tr_coloring *coloring;
    const tr_graph *graph;
    const uint32_t *rank; /* of each vertex */
    tr_lane *lanes;       /* copy of a span's lanes in their old order */
} tr_arranger;

/* Whether an edge has two ends, at least one of which moves, and neither moving end is split. */
static bool is_plain(const tr_arranger *arranger, const tr_lane *lane)
{
    const tr_graph_edge *edge = &arranger->graph->edges[lane->edge];
    if (edge->end_count != 2)
        return false;
    for (uint32_t end = 0; end < 2; end++) {
        if (arranger->graph->vertices[edge->vertex[end]].moving &&
            tr_copy_count(arranger->coloring, edge->vertex[end]) != 1)
            return false;
    }
    return tr_graph_moving_ends(arranger->graph, lane->edge) > 0;
}

/* Whether the moving ends of `next` have the ranks after those of `lane`. */
static bool follows(const tr_arranger *arranger, const tr_lane *lane, const tr_lane *next)
{
    const tr_graph_edge *a = &arranger->graph->edges[lane->edge], *b = &arranger->graph->edges[next->edge];
    for (uint32_t end = 0; end < 2; end++) {
        bool moving = arranger->graph->vertices[a->vertex[end]].moving;
        if (moving != arranger->graph->vertices[b->vertex[end]].moving ||
            (moving && arranger->rank[b->vertex[end]] != arranger->rank[a->vertex[end]] + 1))
            return false;
    }
    return true;
}

/* Whether the four lanes from `first` on are a group. */
static bool is_group(const tr_arranger *arranger, const tr_lane *first)
{
    for (uint32_t i = 0; i < TR_RUN_GROUP; i++) {
        if (!is_plain(arranger, &first[i]) || (i > 0 && !follows(arranger, &first[i - 1], &first[i])))
            return false;
    }
    return true;
}

/* Lanes waiting until they fill a block. */
typedef struct tr_tray {
    uint32_t lane[TR_LANES], count;
} tr_tray;

/* Writes the waiting lanes, a full block or the rest, as the next lanes of a span. */
static void deal_out(const tr_arranger *arranger, tr_span *span, uint32_t *next, tr_tray *tray)
{
    bool run = tray->count == TR_LANES;
    for (uint32_t i = 0; i < tray->count; i++)
        tr_lane_set(arranger->coloring, span, (*next)++, arranger->lanes[tray->lane[run ? TR_RUN_PLACE(i) : i]]);
    tray->count = 0;
}

/*
 * Lanes keep their order, except that groups wait until four of them make a run, and other lanes until sixteen fill a
 * block. Singles that fill a block are permuted like a run, too, which has no effect on them.
 */
static void arrange_span(const tr_arranger *arranger, tr_span *span)
{
    for (uint32_t i = 0; i < span->count; i++)
        arranger->lanes[i] = tr_lane_get(span, i);
    tr_tray groups = {.count = 0}, singles = {.count = 0};
    uint32_t next = 0;
    for (uint32_t i = 0; i < span->count;) {
        bool group = span->count - i >= TR_RUN_GROUP && is_group(arranger, &arranger->lanes[i]);
        tr_tray *tray = group ? &groups : &singles;
        for (uint32_t end = i + (group ? TR_RUN_GROUP : 1); i < end; i++)
            tray->lane[tray->count++] = i;
        if (tray->count == TR_LANES)
            deal_out(arranger, span, &next, tray);
    }
    deal_out(arranger, span, &next, &groups);
    deal_out(arranger, span, &next, &singles);
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
