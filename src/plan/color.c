/*
 * Colours and lanes of edges. An edge gets the lowest colour that is free on the copies of its ends. A copy has at most
 * 64 edges, so one with room always has a free colour for an edge with one moving end. An edge between moving vertices
 * finds a colour at the latest when all its ends but one use empty copies. So colouring can fail only for lack of
 * memory.
 */
#include "plan/plan_internal.h"

void tr_coloring_init(tr_coloring *coloring, tr_memory *memory, uint32_t kinds, uint32_t copy_capacity)
{
    *coloring = (tr_coloring){
        .memory = memory, .kinds = kinds, .copy_capacity = copy_capacity, .free_hub = TR_NONE, .first_seam = TR_NONE};
    for (uint32_t i = 0; i < TR_SPANS_FOUND; i++)
        coloring->found[i] = TR_NONE;
}

void tr_coloring_destroy(tr_coloring *coloring)
{
    tr_memory *memory = coloring->memory;
    tr_hubs_destroy(coloring);
    tr_release(memory, coloring->vertices, coloring->vertex_capacity * sizeof *coloring->vertices);
    tr_release(memory, coloring->edges, coloring->edge_capacity * sizeof *coloring->edges);
    tr_release(memory, coloring->edge_copies, coloring->edge_copies_capacity * sizeof *coloring->edge_copies);
    tr_release(memory, coloring->extra_copies, coloring->extra_capacity * sizeof *coloring->extra_copies);
    tr_release(memory, coloring->units, coloring->unit_capacity * sizeof *coloring->units);
    tr_release(memory, coloring->first_span, coloring->unit_count * sizeof *coloring->first_span);
    tr_release(memory, coloring->first_strand, coloring->strand_count * sizeof *coloring->first_strand);
    tr_strands_end(coloring);
    tr_release(memory, coloring->seam_ends, coloring->unit_count * sizeof *coloring->seam_ends);
    for (uint32_t i = 0; i < coloring->span_count; i++) {
        tr_span *span = &coloring->spans[i];
        tr_release(memory, span->edges, span->edges_capacity * sizeof *span->edges);
        tr_release(memory, span->copies, span->copies_capacity * sizeof *span->copies);
    }
    tr_release(memory, coloring->spans, coloring->span_capacity * sizeof *coloring->spans);
    tr_release(memory, coloring->touched, coloring->touched_capacity * sizeof *coloring->touched);
}

bool tr_coloring_make_units(tr_coloring *coloring, uint32_t vertices, uint32_t unit_count)
{
    if (unit_count == 0)
        return true;
    if (!tr_grow(coloring->memory, (void **)&coloring->units, &coloring->unit_capacity, vertices,
                 sizeof *coloring->units))
        return false;
    for (uint32_t v = 0; v < coloring->unit_capacity; v++)
        coloring->units[v] = TR_NONE;
    uint32_t *first = tr_allocate_array(coloring->memory, unit_count, sizeof *first);
    uint32_t *seam_ends = tr_allocate_array(coloring->memory, unit_count, sizeof *seam_ends);
    if (first == NULL || seam_ends == NULL) {
        tr_release(coloring->memory, first, unit_count * sizeof *first);
        tr_release(coloring->memory, seam_ends, unit_count * sizeof *seam_ends);
        return false;
    }
    coloring->first_span = first;
    coloring->seam_ends = seam_ends;
    coloring->unit_count = unit_count;
    for (uint32_t i = 0; i < unit_count; i++)
        coloring->first_span[i] = TR_NONE;
    return true;
}

bool tr_coloring_reserve_edges(tr_coloring *coloring, uint32_t count)
{
    /* the copies first: a hub that is opened again when a change is undone finds room for those of all edges */
    return (coloring->edge_copies_capacity == 0 ||
            tr_grow(coloring->memory, (void **)&coloring->edge_copies, &coloring->edge_copies_capacity, count,
                    sizeof *coloring->edge_copies)) &&
           tr_grow(coloring->memory, (void **)&coloring->edges, &coloring->edge_capacity, count,
                   sizeof *coloring->edges);
}

/*
 * Choosing
 */

static uint32_t lowest_bit(uint64_t bits)
{
    return (uint32_t)__builtin_ctzll(bits);
}

/* The copy with the fewest edges, or the number of a new one if all are full. Uses the heap of a hub, and the degree
   of vertices with few edges, because counting bits is a call without a popcount instruction. */
static uint32_t copy_with_room(const tr_coloring *coloring, const tr_graph *graph, uint32_t vertex)
{
    uint32_t slot = tr_hub_of(coloring, vertex);
    if (slot != TR_NONE) {
        const tr_hub *hub = &coloring->hubs[slot];
        uint32_t copy = tr_copy_least(coloring, vertex);
        return tr_hub_copy_degree(hub, copy) < coloring->copy_capacity ? copy : hub->count;
    }
    bool few = graph->vertices[vertex].degree < coloring->copy_capacity;
    return few || tr_copy_degree(&coloring->vertices[vertex]) < coloring->copy_capacity ? 0 : 1;
}

/* Colours used on a copy, which may not exist yet. */
static uint64_t taken_on(const tr_coloring *coloring, uint32_t vertex, uint32_t copy, uint32_t range)
{
    return copy < tr_copy_count(coloring, vertex) ? tr_copy_at(coloring, vertex, copy)->taken[range] : 0;
}

/* The copies together use all colours: opens a new copy for the vertex of highest degree, the first of equals. */
static void choose_new_copy(const tr_coloring *coloring, const tr_graph *graph, const uint32_t *vertex, uint32_t count,
                            uint64_t *taken, tr_choice *choice)
{
    uint32_t busiest = TR_NONE;
    for (uint32_t end = 0; end < count; end++) {
        if (taken[end] != 0 &&
            (busiest == TR_NONE || graph->vertices[vertex[end]].degree > graph->vertices[vertex[busiest]].degree))
            busiest = end;
    }
    choice->copy[busiest] = tr_copy_count(coloring, vertex[busiest]);
    taken[busiest] = 0;
}

bool tr_color_choose(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, uint32_t preferred, tr_choice *choice)
{
    const tr_graph_vertex *vertices = graph->vertices;
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex);
    uint32_t range = tr_graph_moving_ends(graph, edge) >= 2 ? 0 : 1;

    uint64_t taken[TR_ENDS] = {0}, all = 0;
    for (uint32_t end = 0; end < count; end++) {
        bool moving = vertices[vertex[end]].moving;
        choice->copy[end] = moving ? tr_strands_deal(coloring, vertex[end]) : 0;
        if (choice->copy[end] == TR_NONE)
            choice->copy[end] = copy_with_room(coloring, graph, vertex[end]);
        if (moving)
            taken[end] = taken_on(coloring, vertex[end], choice->copy[end], range);
        all |= taken[end];
    }
    while (all == UINT64_MAX) {
        choose_new_copy(coloring, graph, vertex, count, taken, choice);
        all = taken[0] | taken[1] | taken[2] | taken[3];
    }
    bool free_preferred = preferred < TR_COLORS_MOVING && (all >> preferred & 1) == 0;
    choice->color = range * TR_COLORS_MOVING + (free_preferred ? preferred : lowest_bit(~all));

    for (uint32_t end = 0; end < count; end++) {
        bool is_new = choice->copy[end] >= tr_copy_count(coloring, vertex[end]);
        if (is_new && vertices[vertex[end]].moving && !tr_copy_open(coloring, vertex[end], choice->copy[end] + 1)) {
            tr_color_decline(coloring, graph, edge);
            return false;
        }
    }
    return true;
}

void tr_color_decline(tr_coloring *coloring, const tr_graph *graph, uint32_t edge)
{
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex);
    for (uint32_t end = count; end-- > 0;)
        tr_copy_trim(coloring, vertex[end]);
}

void tr_color_mark(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, const tr_choice *choice)
{
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex);
    coloring->edges[edge].span = choice->span;
    for (uint32_t end = 0; end < count; end++) {
        tr_end_copy_set(coloring, graph, edge, end, choice->copy[end]);
        if (graph->vertices[vertex[end]].moving)
            tr_copy_take(coloring, vertex[end], choice->copy[end], choice->color);
    }
}

void tr_color_unmark(tr_coloring *coloring, const tr_graph *graph, uint32_t edge)
{
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex);
    tr_edge_paint *paint = &coloring->edges[edge];
    uint32_t color = coloring->spans[paint->span].color;
    for (uint32_t end = count; end-- > 0;) {
        if (!graph->vertices[vertex[end]].moving)
            continue;
        tr_copy_give(coloring, vertex[end], tr_end_copy(coloring, graph, edge, end), color);
        tr_copy_trim(coloring, vertex[end]);
    }
    paint->span = TR_NONE;
}

/*
 * Lanes
 */

uint32_t tr_unit_of_edge(const tr_coloring *coloring, const tr_graph *graph, uint32_t edge)
{
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex), unit = TR_NONE, moving = 0;
    for (uint32_t end = 0; end < count; end++) {
        if (!graph->vertices[vertex[end]].moving)
            continue;
        uint32_t its = tr_unit_of(coloring, vertex[end]);
        if (moving++ > 0 && its != unit)
            return TR_NONE;
        unit = its;
    }
    return unit;
}

static uint32_t *first_span_of(tr_coloring *coloring, uint32_t unit, uint32_t strand)
{
    if (strand != TR_NONE)
        return &coloring->first_strand[strand];
    return unit == TR_NONE ? &coloring->first_seam : &coloring->first_span[unit];
}

/* Creates a span and links it into the sorted list of its unit or strand. */
static uint32_t span_create(tr_coloring *coloring, uint32_t unit, uint32_t strand, uint32_t color, uint32_t kind)
{
    uint32_t created = coloring->span_count;
    if (!tr_grow(coloring->memory, (void **)&coloring->spans, &coloring->span_capacity, created + 1,
                 sizeof *coloring->spans) ||
        !tr_grow(coloring->memory, (void **)&coloring->touched, &coloring->touched_capacity, created + 1,
                 sizeof *coloring->touched))
        return TR_NONE;
    tr_span *spans = coloring->spans;
    uint32_t *link = first_span_of(coloring, unit, strand);
    while (*link != TR_NONE &&
           (spans[*link].color < color || (spans[*link].color == color && spans[*link].kind < kind)))
        link = &spans[*link].next;
    spans[created] = (tr_span){.unit = unit, .strand = strand, .color = color, .kind = kind, .next = *link};
    *link = created;
    coloring->span_count++;
    return created;
}

uint32_t tr_span_find(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, uint32_t strand, uint32_t color,
                      uint32_t kind)
{
    const tr_span *spans = coloring->spans;
    uint32_t unit = tr_unit_of_edge(coloring, graph, edge);
    uint32_t *found = &coloring->found[(color + 8 * kind + (unit == TR_NONE ? 64 : 0)) % TR_SPANS_FOUND];
    if (*found != TR_NONE && spans[*found].unit == unit && spans[*found].strand == strand &&
        spans[*found].color == color && spans[*found].kind == kind)
        return *found;
    uint32_t span = *first_span_of(coloring, unit, strand);
    while (span != TR_NONE && (spans[span].color != color || spans[span].kind != kind))
        span = spans[span].next;
    if (span == TR_NONE)
        span = span_create(coloring, unit, strand, color, kind);
    if (span != TR_NONE)
        *found = span;
    return span;
}

static void touch(tr_coloring *coloring, tr_span *span)
{
    if (!span->touched)
        coloring->touched[coloring->touched_count++] = (uint32_t)(span - coloring->spans);
    span->touched = true;
}

bool tr_span_reserve(tr_coloring *coloring, tr_span *span, uint32_t count)
{
    tr_memory *memory = coloring->memory;
    /* growing may move the arrays, even if one of the two cannot grow */
    touch(coloring, span);
    bool has_copies = coloring->hub_count > 0 || span->copies_capacity > 0;
    return tr_grow(memory, (void **)&span->edges, &span->edges_capacity, count, sizeof *span->edges) &&
           (!has_copies ||
            tr_grow(memory, (void **)&span->copies, &span->copies_capacity, count, sizeof *span->copies));
}

uint32_t tr_layout_copy(const tr_coloring *coloring, uint32_t vertex, uint32_t copy)
{
    return copy == 0 ? 0 : coloring->hubs[tr_hub_of(coloring, vertex)].copies[copy].number + 1;
}

void tr_lane_mark(tr_coloring *coloring, tr_span *span, uint32_t lane)
{
    touch(coloring, span);
    span->changed |= UINT64_C(1) << lane / TR_LANES % 64;
}

tr_lane tr_lane_get(const tr_span *span, uint32_t lane)
{
    tr_lane out = {span->edges[lane], {0, 0}};
    if (lane < span->copies_capacity) {
        out.copy[0] = span->copies[lane][0];
        out.copy[1] = span->copies[lane][1];
    }
    return out;
}

void tr_lane_set(tr_coloring *coloring, tr_span *span, uint32_t lane, tr_lane what)
{
    span->edges[lane] = what.edge;
    if (lane < span->copies_capacity) {
        span->copies[lane][0] = what.copy[0];
        span->copies[lane][1] = what.copy[1];
    }
    coloring->edges[what.edge].lane = lane;
    tr_lane_mark(coloring, span, lane);
}

/* adds `change` to the seam counts of the units at the edge's ends, if it is a seam */
static void count_seam(const tr_coloring *coloring, const tr_graph *graph, uint32_t edge, uint32_t change)
{
    if (coloring->unit_count == 0 || coloring->spans[coloring->edges[edge].span].unit != TR_NONE)
        return;
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex);
    for (uint32_t end = 0; end < count; end++) {
        uint32_t unit = graph->vertices[vertex[end]].moving ? tr_unit_of(coloring, vertex[end]) : TR_NONE;
        if (unit != TR_NONE)
            coloring->seam_ends[unit] += change;
    }
}

void tr_span_push(tr_coloring *coloring, const tr_graph *graph, uint32_t edge)
{
    const tr_graph_edge *ends = &graph->edges[edge];
    tr_span *span = &coloring->spans[coloring->edges[edge].span];
    tr_lane lane = {edge, {0, 0}};
    for (uint32_t end = 0; end < 2; end++)
        lane.copy[end] = tr_layout_copy(coloring, ends->vertex[end], tr_end_copy(coloring, graph, edge, end));
    coloring->list_known = coloring->list_known && span->count > 0;
    tr_lane_set(coloring, span, span->count++, lane);
    count_seam(coloring, graph, edge, 1);
    coloring->solved_edges++;
}

bool tr_edge_color(tr_coloring *coloring, const tr_graph *graph, uint32_t edge)
{
    tr_choice choice = {0}; /* clang-tidy does not see that each end has been given a copy */
    if (!tr_color_choose(coloring, graph, edge, TR_NONE, &choice))
        return false;
    uint32_t span = choice.span = tr_span_find(coloring, graph, edge, TR_NONE, choice.color, graph->edges[edge].kind);
    if (span == TR_NONE || !tr_span_reserve(coloring, &coloring->spans[span], coloring->spans[span].count + 1)) {
        tr_color_decline(coloring, graph, edge);
        return false;
    }
    tr_color_mark(coloring, graph, edge, &choice);
    tr_span_push(coloring, graph, edge);
    return true;
}

void tr_span_pull(tr_coloring *coloring, const tr_graph *graph, uint32_t edge)
{
    const tr_edge_paint *paint = &coloring->edges[edge];
    tr_span *span = &coloring->spans[paint->span];
    uint32_t last = --span->count;
    coloring->list_known = coloring->list_known && last > 0;
    tr_lane_mark(coloring, span, last);
    if (paint->lane != last)
        tr_lane_set(coloring, span, paint->lane, tr_lane_get(span, last));
    count_seam(coloring, graph, edge, UINT32_MAX);
    coloring->solved_edges--;
}

void tr_span_put_back(tr_coloring *coloring, const tr_graph *graph, uint32_t edge, uint32_t lane)
{
    tr_span *span = &coloring->spans[coloring->edges[edge].span];
    tr_span_push(coloring, graph, edge);
    uint32_t last = span->count - 1;
    if (lane == last)
        return;
    tr_lane mine = tr_lane_get(span, last);
    tr_lane_set(coloring, span, last, tr_lane_get(span, lane));
    tr_lane_set(coloring, span, lane, mine);
}
