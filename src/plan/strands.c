/*
 * Strands: the edges of hubs in groups that share no copy and no other moving vertex, so that each is solved through
 * all its colours without waiting for the others. A fresh plan gives consecutive edges of a hub to consecutive copies:
 * then the other ends of a strand are near each other in memory, and where there are as many workers as strands, each
 * finds in its own caches what it has moved before.
 */
#include "plan/plan_internal.h"

/* Sixteen copies get a block of each colour. With fewer than four of them per strand a block would wait for the
   results of the one before. Hubs with fewer copies share blocks with others, and are in no strand. */
#define STRAND_BLOCKS 4u
#define STRANDS_MOST  64u

/* blocks of each colour of a hub in strands; 0 of others */
static uint32_t blocks_of(const tr_hub *hub)
{
    return hub->count < STRAND_BLOCKS * TR_LANES ? 0 : (hub->count + TR_LANES - 1) / TR_LANES;
}

bool tr_strands_begin(tr_coloring *coloring, const tr_graph *graph)
{
    uint32_t blocks = 0;
    tr_hubs_sort(coloring);
    for (uint32_t i = 0; i < coloring->hub_count; i++)
        blocks += blocks_of(&coloring->hubs[coloring->hub_order[i]]);
    /* an even number, because machines have even numbers of cores */
    uint32_t strands = blocks / (2 * STRAND_BLOCKS) * 2;
    if (strands == 0)
        return true;
    coloring->strand_of = tr_allocate_array(coloring->memory, graph->vertex_slots, sizeof *coloring->strand_of);
    if (coloring->strand_of == NULL)
        return false;
    for (uint32_t v = 0; v < graph->vertex_slots; v++)
        coloring->strand_of[v] = TR_NONE;
    coloring->strand_blocks = blocks;
    coloring->strand_count = strands < STRANDS_MOST ? strands : STRANDS_MOST;
    for (uint32_t i = 0, first = 0; i < coloring->hub_count; i++) {
        tr_hub *hub = &coloring->hubs[coloring->hub_order[i]];
        blocks = blocks_of(hub);
        if (blocks > 0)
            hub->deal =
                (tr_deal){.copies = hub->count, .first_block = first, .left = graph->vertices[hub->vertex].degree};
        first += blocks;
    }
    return true;
}

void tr_strands_end(tr_coloring *coloring, const tr_graph *graph)
{
    tr_release(coloring->memory, coloring->strand_of, graph->vertex_slots * sizeof *coloring->strand_of);
    coloring->strand_of = NULL;
}

static uint32_t strand_of_copy(const tr_coloring *coloring, const tr_hub *hub, uint32_t copy)
{
    uint64_t block = hub->deal.first_block + copy / TR_LANES;
    uint32_t strand = (uint32_t)(block * coloring->strand_count / coloring->strand_blocks);
    /* copies that the plan had to add */
    return strand < coloring->strand_count ? strand : coloring->strand_count - 1;
}

/* the copies of the next strand, and how many edges they get: as many each as those of the others, give or take one */
static void deal_to_next(const tr_coloring *coloring, const tr_graph *graph, tr_hub *hub)
{
    tr_deal *deal = &hub->deal;
    uint64_t degree = graph->vertices[hub->vertex].degree;
    uint32_t first = deal->end, strand = strand_of_copy(coloring, hub, first);
    while (deal->end < deal->copies && strand_of_copy(coloring, hub, deal->end) == strand)
        deal->end++;
    deal->first = deal->next = first;
    deal->edges = (uint32_t)(degree * deal->end / deal->copies - degree * first / deal->copies);
}

uint32_t tr_strands_deal(const tr_coloring *coloring, const tr_graph *graph, tr_hub *hub)
{
    tr_deal *deal = &hub->deal;
    if (deal->edges == 0)
        deal_to_next(coloring, graph, hub);
    uint32_t copy = deal->next++;
    if (deal->next == deal->end)
        deal->next = deal->first;
    deal->edges--;
    deal->left--;
    return copy;
}

uint32_t tr_strand_of(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, const tr_choice *choice)
{
    uint32_t vertex[TR_ENDS], others[TR_ENDS], strand = TR_NONE, other_count = 0;
    if (coloring->strand_of == NULL)
        return TR_NONE;
    uint32_t count = tr_graph_ends(graph, edge, vertex);
    for (uint32_t end = 0; end < count; end++) {
        uint32_t v = vertex[end], slot = graph->vertices[v].moving ? tr_hub_of(coloring, v) : TR_NONE;
        if (slot == TR_NONE) {
            others[other_count++] = v;
            continue;
        }
        /* edges between two hubs are few, and mostly between copies of different strands */
        const tr_hub *hub = &coloring->hubs[slot];
        if (hub->deal.copies == 0 || strand != TR_NONE)
            return TR_NONE;
        strand = strand_of_copy(coloring, hub, choice->copy[end]);
    }
    for (uint32_t i = 0; i < other_count && strand != TR_NONE; i++) {
        uint32_t its = graph->vertices[others[i]].moving ? coloring->strand_of[others[i]] : TR_NONE;
        if (its != TR_NONE && its != strand)
            return TR_NONE;
    }
    for (uint32_t i = 0; i < other_count && strand != TR_NONE; i++)
        coloring->strand_of[others[i]] = strand;
    return strand;
}
