/*
 * Strands: the edges of hubs in groups that share no copy and no other moving vertex, so that each is solved through
 * all its colours without waiting for the others. A fresh plan gives consecutive edges of a hub to consecutive copies:
 * then the other ends of a strand are near each other in memory, and where there are as many workers as strands, each
 * finds in its own caches what it has moved before.
 */
#include "plan/plan_internal.h"

/* Sixteen copies have a block of each colour. With fewer than four blocks of a colour and kind per strand, lanes stay
   empty, and blocks wait for the results of those before. Hubs with fewer copies are not divided. */
#define STRAND_COPIES (4u * TR_LANES)
#define STRANDS_MOST  64u

/* where a hub's edges go, strand by strand */
typedef struct deal {
    uint32_t copies;           /* of the hub, before edges come; 0: it is not divided */
    uint32_t first_block;      /* of these, sixteen to a block, among those of all hubs that are divided */
    uint32_t degree;           /* of the hub */
    uint32_t first, end, next; /* copies of the current strand; the next of them to get an edge */
    uint32_t edges;            /* that the current strand has yet to get */
} deal;

struct tr_strands {
    uint32_t count, blocks;
    deal *deals; /* of each slot for hubs when edges begin to come */
    uint32_t slots;
    uint32_t *of; /* the strand of each vertex but hubs; TR_NONE: none */
    uint32_t vertices;
};

static uint32_t blocks_of(const tr_hub *hub)
{
    return hub->count < STRAND_COPIES ? 0 : (hub->count + TR_LANES - 1) / TR_LANES;
}

static bool is_divided(const tr_coloring *coloring, const tr_graph *graph, uint32_t vertex)
{
    uint32_t slot = graph->vertices[vertex].moving ? tr_hub_of(coloring, vertex) : TR_NONE;
    return slot != TR_NONE && blocks_of(&coloring->hubs[slot]) > 0;
}

/*
 * The number of strands: an even one, because machines have even numbers of cores. Edges of one kind fill their blocks.
 * If only the share f of all edges is of an edge's own kind, on average, each strand and colour ends with partly filled
 * blocks: spans of four full blocks' edges would leave an eighth of all lanes empty, so they get 1 / f times as many.
 * `of_kind`: zeroed, for each kind.
 */
static uint32_t count_strands(const tr_coloring *coloring, const tr_graph *graph, uint32_t *of_kind)
{
    double edges = 0.0, squares = 0.0;
    for (uint32_t e = 0; e < graph->edge_slots; e++) {
        const tr_graph_edge *edge = &graph->edges[e];
        if (edge->alive &&
            (is_divided(coloring, graph, edge->vertex[0]) || is_divided(coloring, graph, edge->vertex[1])))
            of_kind[edge->kind]++;
    }
    for (uint32_t k = 0; k < coloring->kinds; k++) {
        edges += (double)of_kind[k];
        squares += (double)of_kind[k] * (double)of_kind[k];
    }
    double full = (double)STRAND_COPIES * (double)coloring->copy_capacity;
    double share = edges > 0.0 ? squares / (edges * edges) : 0.0, strands = share * share * edges / full;
    return strands < (double)STRANDS_MOST ? (uint32_t)strands / 2 * 2 : STRANDS_MOST;
}

/* null: out of memory */
static tr_strands *make(const tr_coloring *coloring, const tr_graph *graph, uint32_t count)
{
    tr_memory *m = coloring->memory;
    tr_strands *it = tr_allocate(m, sizeof *it);
    if (it == NULL)
        return NULL;
    *it = (tr_strands){.count = count, .slots = coloring->hub_slots, .vertices = graph->vertex_slots};
    it->deals = tr_allocate_array(m, it->slots, sizeof *it->deals);
    it->of = tr_allocate_array(m, it->vertices, sizeof *it->of);
    return it;
}

bool tr_strands_begin(tr_coloring *coloring, const tr_graph *graph)
{
    tr_memory *m = coloring->memory;
    uint32_t divided = 0;
    for (uint32_t i = 0; i < coloring->hub_count; i++)
        divided += blocks_of(&coloring->hubs[coloring->hub_order[i]]) > 0;
    if (divided == 0)
        return true;
    uint32_t *of_kind = tr_allocate_array(m, coloring->kinds, sizeof *of_kind);
    if (of_kind == NULL)
        return false;
    for (uint32_t k = 0; k < coloring->kinds; k++)
        of_kind[k] = 0;
    uint32_t count = count_strands(coloring, graph, of_kind);
    tr_release(m, of_kind, coloring->kinds * sizeof *of_kind);
    if (count == 0)
        return true;

    uint32_t *first = tr_allocate_array(m, count, sizeof *first);
    if (first == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        first[i] = TR_NONE;
    coloring->first_strand = first;
    coloring->strand_count = count;
    tr_strands *it = coloring->strands = make(coloring, graph, count);
    if (it == NULL || it->deals == NULL || it->of == NULL)
        return false;
    for (uint32_t v = 0; v < it->vertices; v++)
        it->of[v] = TR_NONE;
    for (uint32_t i = 0; i < it->slots; i++)
        it->deals[i] = (deal){.copies = 0};
    tr_hubs_sort(coloring);
    for (uint32_t i = 0; i < coloring->hub_count; i++) {
        uint32_t slot = coloring->hub_order[i];
        const tr_hub *hub = &coloring->hubs[slot];
        if (blocks_of(hub) > 0)
            it->deals[slot] =
                (deal){.copies = hub->count, .first_block = it->blocks, .degree = graph->vertices[hub->vertex].degree};
        it->blocks += blocks_of(hub);
    }
    return true;
}

void tr_strands_end(tr_coloring *coloring)
{
    tr_memory *m = coloring->memory;
    tr_strands *it = coloring->strands;
    if (it == NULL)
        return;
    tr_release(m, it->deals, it->slots * sizeof *it->deals);
    tr_release(m, it->of, it->vertices * sizeof *it->of);
    tr_release(m, it, sizeof *it);
    coloring->strands = NULL;
}

/* of a hub; null: it is not divided */
static deal *deal_of(const tr_coloring *coloring, uint32_t slot)
{
    tr_strands *it = coloring->strands;
    return slot < it->slots && it->deals[slot].copies > 0 ? &it->deals[slot] : NULL;
}

static uint32_t strand_of_copy(const tr_strands *it, const deal *d, uint32_t copy)
{
    uint64_t block = d->first_block + copy / TR_LANES;
    uint32_t strand = (uint32_t)(block * it->count / it->blocks);
    /* copies that the plan had to add */
    return strand < it->count ? strand : it->count - 1;
}

/* goes on to the copies of the next strand; they get as many edges each as all others, give or take one */
static void begin_strand(const tr_strands *it, deal *d)
{
    uint64_t degree = d->degree;
    d->first = d->next = d->end;
    uint32_t strand = strand_of_copy(it, d, d->first);
    while (d->end < d->copies && strand_of_copy(it, d, d->end) == strand)
        d->end++;
    d->edges = (uint32_t)(degree * d->end / d->copies - degree * d->first / d->copies);
}

uint32_t tr_strands_deal(const tr_coloring *coloring, uint32_t vertex)
{
    uint32_t slot = coloring->strands != NULL ? tr_hub_of(coloring, vertex) : TR_NONE;
    deal *d = slot != TR_NONE ? deal_of(coloring, slot) : NULL;
    if (d == NULL)
        return TR_NONE;
    if (d->edges == 0)
        begin_strand(coloring->strands, d);
    uint32_t copy = d->next++;
    if (d->next == d->end)
        d->next = d->first;
    d->edges--;
    return copy;
}

uint32_t tr_strand_of(const tr_coloring *coloring, const tr_graph *graph, uint32_t edge, const tr_choice *choice)
{
    uint32_t vertex[TR_ENDS], others[TR_ENDS], strand = TR_NONE, other_count = 0;
    tr_strands *it = coloring->strands;
    if (it == NULL)
        return TR_NONE;
    uint32_t count = tr_graph_ends(graph, edge, vertex);
    for (uint32_t end = 0; end < count; end++) {
        uint32_t v = vertex[end], slot = graph->vertices[v].moving ? tr_hub_of(coloring, v) : TR_NONE;
        if (slot == TR_NONE) {
            others[other_count++] = v;
            continue;
        }
        /* edges between two hubs are few, and mostly between copies of different strands */
        const deal *d = deal_of(coloring, slot);
        if (d == NULL || strand != TR_NONE)
            return TR_NONE;
        strand = strand_of_copy(it, d, choice->copy[end]);
    }
    for (uint32_t i = 0; i < other_count && strand != TR_NONE; i++) {
        uint32_t its = graph->vertices[others[i]].moving ? it->of[others[i]] : TR_NONE;
        if (its != TR_NONE && its != strand)
            return TR_NONE;
    }
    for (uint32_t i = 0; i < other_count && strand != TR_NONE; i++)
        it->of[others[i]] = strand;
    return strand;
}
