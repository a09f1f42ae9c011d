/*
 * Filling lanes. A span whose edges do not fill their last block wastes lanes; many small spans (few edges of many
 * kinds) waste most of them. So the edges over a multiple of 16 move to open blocks of the same kind in other colours,
 * where all of a span's can; the highest colours give first. No pass adds a colour or a block.
 */
#include "plan/plan_internal.h"

typedef struct tr_balance {
    tr_coloring *coloring;
    const tr_graph *graph;
    uint32_t *newest; /* of each span, its last edge; TR_NONE: none */
    uint32_t *older;  /* of each edge, the one before it in its span */
    uint64_t *open;   /* of each (range, kind), the colours whose last block is not full */
    uint32_t kinds;
} tr_balance;

/* A span's edges beyond its full blocks. */
static uint32_t remainder_at(const tr_balance *balance, uint32_t color, uint32_t kind)
{
    const tr_span *spans = balance->coloring->colors[color];
    return spans != NULL ? spans[kind].count % TR_LANES : 0;
}

/* Adds `change` edges to the count of a span. */
static void count_change(tr_balance *balance, uint32_t color, uint32_t kind, uint32_t change)
{
    uint64_t bit = UINT64_C(1) << color % TR_COLORS_MOVING;
    uint64_t *open = &balance->open[color / TR_COLORS_MOVING * balance->kinds + kind];
    if (change != 0)
        tr_span_at(balance->coloring, color, kind)->count += change;
    *open = remainder_at(balance, color, kind) > 0 ? *open | bit : *open & ~bit;
}

static void recolor(tr_balance *balance, uint32_t edge, uint32_t color)
{
    tr_coloring *coloring = balance->coloring;
    const tr_graph *graph = balance->graph;
    tr_edge_paint *paint = &coloring->edges[edge];
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex), kind = graph->edges[edge].kind;
    for (uint32_t end = 0; end < count; end++) {
        if (!graph->vertices[vertex[end]].moving)
            continue;
        uint32_t copy = tr_end_copy(coloring, graph, edge, end);
        tr_copy_give(coloring, vertex[end], copy, paint->color);
        tr_copy_take(coloring, vertex[end], copy, color);
    }
    count_change(balance, paint->color, kind, UINT32_MAX);
    count_change(balance, color, kind, 1);
    paint->color = color;
}

/* The colour with the fullest open block that the edge can join, the lowest such; TR_NONE: there is none. */
static uint32_t better_color(const tr_balance *balance, uint32_t edge)
{
    const tr_graph *graph = balance->graph;
    const tr_edge_paint *paint = &balance->coloring->edges[edge];
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex), kind = graph->edges[edge].kind;
    uint32_t range = paint->color / TR_COLORS_MOVING, best = TR_NONE, fullest = 0;
    uint64_t free = balance->open[range * balance->kinds + kind];
    for (uint32_t end = 0; end < count; end++) {
        if (!graph->vertices[vertex[end]].moving)
            continue;
        uint32_t copy = tr_end_copy(balance->coloring, graph, edge, end);
        free &= ~tr_copy_at(balance->coloring, vertex[end], copy)->taken[range];
    }
    for (; free != 0; free &= free - 1) {
        uint32_t color = range * TR_COLORS_MOVING + (uint32_t)__builtin_ctzll(free);
        uint32_t remainder = remainder_at(balance, color, kind);
        if (remainder > fullest) {
            fullest = remainder;
            best = color;
        }
    }
    return best;
}

/* Lanes free in the open blocks of the other colours. */
static uint32_t room_elsewhere(const tr_balance *balance, uint32_t color, uint32_t kind)
{
    uint32_t range = color / TR_COLORS_MOVING, room = 0;
    uint64_t open = balance->open[range * balance->kinds + kind] & ~(UINT64_C(1) << color % TR_COLORS_MOVING);
    for (; open != 0; open &= open - 1)
        room += TR_LANES - remainder_at(balance, range * TR_COLORS_MOVING + (uint32_t)__builtin_ctzll(open), kind);
    return room;
}

/* Moves the edges of a span's open block elsewhere, all or none. */
static void give_block(tr_balance *balance, uint32_t color, uint32_t kind)
{
    uint32_t moved[TR_LANES], count = 0;
    uint32_t needed = remainder_at(balance, color, kind);
    if (needed == 0 || room_elsewhere(balance, color, kind) < needed)
        return;
    uint32_t edge = balance->newest[color * balance->kinds + kind];
    for (; edge != TR_NONE && count < needed; edge = balance->older[edge]) {
        uint32_t better = better_color(balance, edge);
        if (better == TR_NONE)
            continue;
        recolor(balance, edge, better);
        moved[count++] = edge;
    }
    while (count < needed && count > 0)
        recolor(balance, moved[--count], color);
}

bool tr_balance_lanes(tr_coloring *coloring, const tr_graph *graph, const tr_order *order)
{
    tr_memory *memory = coloring->memory;
    size_t kinds = coloring->kinds, spans = TR_COLORS * kinds, ranges = TR_COLORS / TR_COLORS_MOVING;
    size_t edges = (size_t)graph->edge_slots + 1;
    tr_balance balance = {.coloring = coloring, .graph = graph, .kinds = coloring->kinds};
    bool done = (balance.newest = tr_allocate_array(memory, spans, sizeof *balance.newest)) != NULL &&
                (balance.older = tr_allocate_array(memory, edges, sizeof *balance.older)) != NULL &&
                (balance.open = tr_allocate_array(memory, ranges * kinds, sizeof *balance.open)) != NULL;
    if (done) {
        for (size_t i = 0; i < spans; i++)
            balance.newest[i] = TR_NONE;
        for (uint32_t i = 0; i < order->edge_count; i++) {
            uint32_t edge = order->edges[i], color = coloring->edges[edge].color, kind = graph->edges[edge].kind;
            uint32_t *newest = &balance.newest[color * coloring->kinds + kind];
            balance.older[edge] = *newest;
            *newest = edge;
        }
        /* with no change of the counts this only finds the open blocks */
        for (uint32_t i = 0; i < spans; i++)
            count_change(&balance, i / coloring->kinds, i % coloring->kinds, 0);
        for (uint32_t i = (uint32_t)spans; i-- > 0;)
            give_block(&balance, i / coloring->kinds, i % coloring->kinds);
    }
    tr_release(memory, balance.newest, spans * sizeof *balance.newest);
    tr_release(memory, balance.older, edges * sizeof *balance.older);
    tr_release(memory, balance.open, ranges * kinds * sizeof *balance.open);
    return done;
}
