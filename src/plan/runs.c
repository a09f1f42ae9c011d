/*
 * Runs: sixteen edges of a span in four groups, in each of which both ends have vertices that follow each other in the
 * fresh order. A solver reaches the records of a group as whole vectors, which is faster than one by one by a third
 * (docs/plan.md). So lanes are dealt out to runs first, block by block; what is left over fills blocks of its own.
 */
#include "plan/plan_internal.h"

typedef struct tr_arranger {
    tr_coloring *coloring;
    const tr_graph *graph;
    const uint32_t *rank; /* of each vertex */
    tr_lane *lanes;       /* of a span, as they were */
} tr_arranger;

/* Whether an edge has two vertices, and those that move, one or both, are whole. */
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

/* Whether the ends of `next` that move follow those of `lane`. */
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

/* Whether the lanes from `first` on are a group. */
static bool is_group(const tr_arranger *arranger, const tr_lane *first)
{
    for (uint32_t i = 0; i < TR_RUN_GROUP; i++) {
        if (!is_plain(arranger, &first[i]) || (i > 0 && !follows(arranger, &first[i - 1], &first[i])))
            return false;
    }
    return true;
}

/* Lanes that wait until there are enough of them for a block. */
typedef struct tr_tray {
    uint32_t lane[TR_LANES], count;
} tr_tray;

/* The next lanes of a span, from those that wait: a block, or all that there are. */
static void deal_out(const tr_arranger *arranger, tr_span *span, uint32_t *next, tr_tray *tray)
{
    bool run = tray->count == TR_LANES;
    for (uint32_t i = 0; i < tray->count; i++)
        tr_lane_set(arranger->coloring, span, (*next)++, arranger->lanes[tray->lane[run ? TR_RUN_PLACE(i) : i]]);
    tray->count = 0;
}

/*
 * Lanes keep their order but for this: groups wait until four make a run, and the others until sixteen fill a block. The
 * places of a run that is none harm nobody.
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
