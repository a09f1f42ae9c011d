/*
 * Fills lanes. A span whose edges do not fill its last block wastes lanes; with many small spans (few edges of many
 * kinds) most lanes are wasted. So the edges beyond a multiple of 16 move to partly filled (open) blocks of the same
 * unit, or strand, and kind in other colours, if all of them can. The highest colours go first. No colour or block is
 * ever added.
 */
#include "plan/plan_internal.h"

typedef struct tr_balance {
    tr_coloring *coloring;
    const tr_graph *graph;
    uint32_t *newest; /* last edge of each span; TR_NONE: none */
    uint32_t *older;  /* previous edge in the span, for each edge */
    uint32_t *span;   /* [color * kinds + kind], for one unit at a time; TR_NONE: none */
    uint64_t *open;   /* [range * kinds + kind] for that unit: set of colours whose last block is not full */
    uint32_t kinds;
} tr_balance;

/* Number of edges beyond the full blocks of an existing span of the unit. */
static uint32_t remainder_at(const tr_balance *balance, uint32_t color, uint32_t kind)
{
    return balance->coloring->spans[balance->span[color * balance->kinds + kind]].count % TR_LANES;
}

/* Adds `change` edges to the count of a span. */
static void count_change(tr_balance *balance, uint32_t color, uint32_t kind, uint32_t change)
{
    uint64_t bit = UINT64_C(1) << color % TR_COLORS_MOVING;
    uint64_t *open = &balance->open[color / TR_COLORS_MOVING * balance->kinds + kind];
    balance->coloring->spans[balance->span[color * balance->kinds + kind]].count += change;
    *open = remainder_at(balance, color, kind) > 0 ? *open | bit : *open & ~bit;
}

static void recolor(tr_balance *balance, uint32_t edge, uint32_t color)
{
    tr_coloring *coloring = balance->coloring;
    const tr_graph *graph = balance->graph;
    tr_edge_paint *paint = &coloring->edges[edge];
    uint32_t old = coloring->spans[paint->span].color;
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex), kind = graph->edges[edge].kind;
    for (uint32_t end = 0; end < count; end++) {
        if (!graph->vertices[vertex[end]].moving)
            continue;
        uint32_t copy = tr_end_copy(coloring, graph, edge, end);
        tr_copy_give(coloring, vertex[end], copy, old);
        tr_copy_take(coloring, vertex[end], copy, color);
    }
    count_change(balance, old, kind, UINT32_MAX);
    count_change(balance, color, kind, 1);
    paint->span = balance->span[color * balance->kinds + kind];
}

/* The lowest colour with the fullest open block that the edge can join; TR_NONE if there is none. */
static uint32_t better_color(const tr_balance *balance, uint32_t edge)
{
    const tr_graph *graph = balance->graph;
    const tr_edge_paint *paint = &balance->coloring->edges[edge];
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex), kind = graph->edges[edge].kind;
    uint32_t range = balance->coloring->spans[paint->span].color / TR_COLORS_MOVING, best = TR_NONE, fullest = 0;
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

/* Number of free lanes in the open blocks of the other colours. */
static uint32_t room_elsewhere(const tr_balance *balance, uint32_t color, uint32_t kind)
{
    uint32_t range = color / TR_COLORS_MOVING, room = 0;
    uint64_t open = balance->open[range * balance->kinds + kind] & ~(UINT64_C(1) << color % TR_COLORS_MOVING);
    for (; open != 0; open &= open - 1)
        room += TR_LANES - remainder_at(balance, range * TR_COLORS_MOVING + (uint32_t)__builtin_ctzll(open), kind);
    return room;
}

/* Moves all edges of a span's open block to other colours, or none. */
static void give_block(tr_balance *balance, uint32_t color, uint32_t kind)
{
    uint32_t moved[TR_LANES], count = 0;
    uint32_t needed = remainder_at(balance, color, kind);
    if (needed == 0 || room_elsewhere(balance, color, kind) < needed)
        return;
    uint32_t edge = balance->newest[balance->span[color * balance->kinds + kind]];
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

/* Lets the spans of a unit or strand, from the highest colour down, give up their open blocks if possible. */
static void balance_unit(tr_balance *balance, uint32_t first)
{
    const tr_span *spans = balance->coloring->spans;
    uint32_t last = TR_NONE;
    for (uint32_t i = first; i != TR_NONE; i = spans[i].next) {
        balance->span[spans[i].color * balance->kinds + spans[i].kind] = i;
        /* a change of 0 only computes whether the last block is open */
        count_change(balance, spans[i].color, spans[i].kind, 0);
        last = i;
    }
    if (last == TR_NONE)
        return;
    for (uint32_t at = spans[last].color * balance->kinds + spans[last].kind + 1; at-- > 0;) {
        if (balance->span[at] != TR_NONE)
            give_block(balance, at / balance->kinds, at % balance->kinds);
    }
    for (uint32_t i = first; i != TR_NONE; i = spans[i].next) {
        balance->span[spans[i].color * balance->kinds + spans[i].kind] = TR_NONE;
        balance->open[spans[i].color / TR_COLORS_MOVING * balance->kinds + spans[i].kind] = 0;
    }
}

bool tr_balance_lanes(tr_coloring *coloring, const tr_graph *graph, const tr_order *order)
{
    tr_memory *memory = coloring->memory;
    size_t kinds = coloring->kinds, places = TR_COLORS * kinds, ranges = TR_COLORS / TR_COLORS_MOVING;
    size_t edges = (size_t)graph->edge_slots + 1, spans = (size_t)coloring->span_count + 1;
    tr_balance balance = {.coloring = coloring, .graph = graph, .kinds = coloring->kinds};
    bool done = (balance.newest = tr_allocate_array(memory, spans, sizeof *balance.newest)) != NULL &&
                (balance.older = tr_allocate_array(memory, edges, sizeof *balance.older)) != NULL &&
                (balance.span = tr_allocate_array(memory, places, sizeof *balance.span)) != NULL &&
                (balance.open = tr_allocate_array(memory, ranges * kinds, sizeof *balance.open)) != NULL;
    if (done) {
        for (size_t i = 0; i < spans; i++)
            balance.newest[i] = TR_NONE;
        for (size_t i = 0; i < places; i++)
            balance.span[i] = TR_NONE;
        for (uint32_t i = 0; i < order->edge_count; i++) {
            uint32_t *newest = &balance.newest[coloring->edges[order->edges[i]].span];
            balance.older[order->edges[i]] = *newest;
            *newest = order->edges[i];
        }
        for (uint32_t unit = 0; unit < coloring->unit_count; unit++)
            balance_unit(&balance, coloring->first_span[unit]);
        for (uint32_t strand = 0; strand < coloring->strand_count; strand++)
            balance_unit(&balance, coloring->first_strand[strand]);
        balance_unit(&balance, coloring->first_seam);
    }
    tr_release(memory, balance.newest, spans * sizeof *balance.newest);
    tr_release(memory, balance.older, edges * sizeof *balance.older);
    tr_release(memory, balance.span, places * sizeof *balance.span);
    tr_release(memory, balance.open, ranges * kinds * sizeof *balance.open);
    return done;
}
