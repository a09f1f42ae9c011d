/*
 * The plan in an archive. What follows from the rest is not in it: the colours on copies, the lane of each edge, counts
 * by degree and by unit, links back, the layout and all marks of what has changed. Reading makes these again, and checks
 * on the way that the rest is a plan: all numbers are in range, lists end, and no two edges of a colour share a copy.
 */
#include <string.h>

#include "plan/plan_internal.h"

#define VERTICES_MOST ((uint32_t)INT32_MAX)

/*
 * The graph
 */
static void refuse_unless(tr_archive *archive, bool valid)
{
    if (!valid)
        tr_archive_refuse(archive);
}

/* a byte that was read as a bool: the compiler may take it for granted that it is 0 or 1 */
static bool is_bool(const bool *value)
{
    unsigned char byte;
    memcpy(&byte, value, 1);
    return byte <= 1;
}

static bool is_edge_sound(const tr_graph *graph, uint32_t edge, uint32_t kinds)
{
    const tr_graph_edge *it = &graph->edges[edge];
    if (!is_bool(&it->alive))
        return false;
    if (!it->alive)
        return true;
    if (it->kind >= kinds || it->end_count < 2 || it->end_count > TR_ENDS)
        return false;
    if (it->end_count > 2 && (edge >= graph->extra_of_capacity || graph->extra_of[edge] >= graph->extra_slots))
        return false;
    for (uint32_t end = 0; end < it->end_count; end++) {
        uint32_t vertex = tr_graph_end(graph, edge, end);
        if (vertex >= graph->vertex_slots || !graph->vertices[vertex].alive)
            return false;
    }
    bool differ = true;
    for (uint32_t end = 0; end < it->end_count; end++)
        differ = differ && tr_graph_end(graph, edge, end) != tr_graph_end(graph, edge, (end + 1) % it->end_count);
    return differ;
}

/* Whether the list of a vertex has as many half-edges as it says, each of them its own. Together with the number of all
   half-edges this means that each is in one list. */
static bool is_list_sound(const tr_graph *graph, uint32_t vertex)
{
    uint32_t half = graph->vertices[vertex].first, degree = graph->vertices[vertex].degree;
    for (uint32_t i = 0; i < degree; i++) {
        uint32_t edge = tr_half_edge(half);
        if (edge >= graph->edge_slots || !graph->edges[edge].alive ||
            tr_half_end(half) >= graph->edges[edge].end_count || tr_graph_end(graph, edge, tr_half_end(half)) != vertex)
            return false;
        half = *tr_graph_next(graph, half);
    }
    return half == TR_NONE;
}

static bool are_extras_sound(const tr_graph *graph, uint32_t used)
{
    uint32_t free = graph->free_extra, count = 0;
    if (graph->extra_count != used || used > graph->extra_slots)
        return false;
    for (; free != TR_NONE && count < graph->extra_slots - used; count++) {
        if (free >= graph->extra_slots)
            return false;
        free = graph->extras[free].next_free;
    }
    return free == TR_NONE && count == graph->extra_slots - used;
}

static bool is_graph_sound(const tr_graph *graph, uint32_t kinds)
{
    uint64_t halves = 0, degrees = 0;
    uint32_t alive = 0, moving = 0, edges = 0, extras = 0;
    for (uint32_t e = 0; e < graph->edge_slots; e++) {
        if (!is_edge_sound(graph, e, kinds))
            return false;
        edges += graph->edges[e].alive;
        halves += graph->edges[e].alive ? graph->edges[e].end_count : 0;
        extras += graph->edges[e].alive && graph->edges[e].end_count > 2;
    }
    for (uint32_t v = 0; v < graph->vertex_slots; v++) {
        const tr_graph_vertex *it = &graph->vertices[v];
        if (it->moving && !it->alive)
            return false;
        if (!it->alive)
            continue;
        alive++;
        moving += it->moving;
        degrees += it->degree;
        if (degrees > halves || !is_list_sound(graph, v))
            return false;
    }
    return degrees == halves && alive == graph->vertex_count && moving == graph->moving_count &&
           edges == graph->edge_count && are_extras_sound(graph, extras);
}

/* which record of third and fourth ends each edge has that has any */
static void visit_extra_of(tr_graph *graph, tr_archive *archive)
{
    if (tr_archive_reads(archive) && archive->status == TR_OK && graph->extra_slots > 0 &&
        !tr_grow(archive->memory, (void **)&graph->extra_of, &graph->extra_of_capacity, graph->edge_slots,
                 sizeof *graph->extra_of))
        archive->status = TR_ERROR_MEMORY;
    for (uint32_t e = 0; graph->extra_slots > 0 && e < graph->edge_slots && tr_archive_goes_on(archive); e++) {
        const tr_graph_edge *it = &graph->edges[e];
        if (is_bool(&it->alive) && it->alive && it->end_count > 2)
            tr_archive_value(archive, graph->extra_of[e]);
    }
}

void tr_graph_archive(tr_graph *graph, tr_archive *archive, uint32_t kinds)
{
    bool linked = graph->back != NULL;
    tr_archive_value(archive, graph->vertex_slots);
    tr_archive_value(archive, graph->vertex_count);
    tr_archive_value(archive, graph->moving_count);
    tr_archive_value(archive, graph->edge_slots);
    tr_archive_value(archive, graph->edge_count);
    tr_archive_value(archive, graph->extra_slots);
    tr_archive_value(archive, graph->extra_count);
    tr_archive_value(archive, graph->free_extra);
    tr_archive_flag(archive, &linked);
    refuse_unless(archive, graph->vertex_slots <= VERTICES_MOST && graph->edge_slots <= TR_EDGES_MAX);
    tr_archive_array(archive, (void **)&graph->vertices, &graph->vertex_capacity, graph->vertex_slots, 0,
                     sizeof *graph->vertices);
    tr_archive_array(archive, (void **)&graph->edges, &graph->edge_capacity, graph->edge_slots, 0,
                     sizeof *graph->edges);
    tr_archive_array(archive, (void **)&graph->extras, &graph->extra_capacity, graph->extra_slots, 0,
                     sizeof *graph->extras);
    visit_extra_of(graph, archive);
    if (!tr_archive_reads(archive))
        return;
    tr_release(archive->memory, graph->back, graph->back_capacity * sizeof *graph->back);
    graph->back = NULL;
    graph->back_capacity = 0;
    if (archive->status != TR_OK)
        return;
    refuse_unless(archive, is_graph_sound(graph, kinds));
    if (archive->status == TR_OK && linked &&
        !tr_graph_reserve_edges(graph, archive->memory, graph->edge_slots, TR_LIST_WALKED + 1))
        archive->status = TR_ERROR_MEMORY;
}

/*
 * The colouring
 */

/* Visits an array that has exactly `count` elements; what was read before is released. */
static void visit_exact(tr_archive *archive, uint32_t **data, uint32_t count)
{
    uint32_t capacity = tr_archive_reads(archive) ? 0 : count;
    tr_archive_array(archive, (void **)data, &capacity, count, 0, sizeof **data);
}

/* the spans and the first ones of units and strands; of the lanes only which edge is there */
static void visit_spans(tr_coloring *coloring, tr_archive *archive)
{
    tr_memory *memory = archive->memory;
    uint32_t count = coloring->span_count, units = coloring->unit_count, strands = coloring->strand_count;
    if (tr_archive_reads(archive)) {
        tr_release(memory, coloring->first_span, units * sizeof *coloring->first_span);
        tr_release(memory, coloring->first_strand, strands * sizeof *coloring->first_strand);
        tr_release(memory, coloring->seam_ends, units * sizeof *coloring->seam_ends);
        coloring->first_span = coloring->first_strand = coloring->seam_ends = NULL;
        coloring->unit_count = coloring->strand_count = 0;
    }
    tr_archive_value(archive, units);
    tr_archive_value(archive, strands);
    tr_archive_value(archive, coloring->first_seam);
    tr_archive_value(archive, count);
    visit_exact(archive, &coloring->first_span, units);
    if (tr_archive_reads(archive))
        coloring->unit_count = coloring->first_span != NULL ? units : 0;
    visit_exact(archive, &coloring->first_strand, strands);
    if (tr_archive_reads(archive)) {
        coloring->strand_count = coloring->first_strand != NULL ? strands : 0;
        if (!tr_archive_has(archive, count, 6 * sizeof(uint32_t)))
            return;
        coloring->seam_ends = tr_allocate_array(memory, coloring->unit_count, sizeof *coloring->seam_ends);
        if ((coloring->unit_count > 0 && coloring->seam_ends == NULL) ||
            !tr_grow(memory, (void **)&coloring->spans, &coloring->span_capacity, count, sizeof *coloring->spans) ||
            !tr_grow(memory, (void **)&coloring->touched, &coloring->touched_capacity, coloring->span_capacity,
                     sizeof *coloring->touched)) {
            archive->status = TR_ERROR_MEMORY;
            return;
        }
        for (uint32_t i = count; i < coloring->span_count; i++) {
            tr_span *span = &coloring->spans[i];
            tr_release(memory, span->edges, span->edges_capacity * sizeof *span->edges);
            tr_release(memory, span->copies, span->copies_capacity * sizeof *span->copies);
            *span = (tr_span){0};
        }
        coloring->span_count = count;
    }
    for (uint32_t i = 0; i < count && tr_archive_goes_on(archive); i++) {
        tr_span *span = &coloring->spans[i];
        bool copies = span->copies_capacity > 0;
        tr_archive_value(archive, span->unit);
        tr_archive_value(archive, span->strand);
        tr_archive_value(archive, span->color);
        tr_archive_value(archive, span->kind);
        tr_archive_value(archive, span->next);
        tr_archive_value(archive, span->count);
        tr_archive_flag(archive, &copies);
        tr_archive_array(archive, (void **)&span->edges, &span->edges_capacity, span->count, 0, sizeof *span->edges);
        if (!tr_archive_reads(archive))
            continue;
        span->touched = false;
        span->changed = 0;
        /* the layout numbers the copies, and writes them here */
        tr_release(memory, span->copies, span->copies_capacity * sizeof *span->copies);
        span->copies = NULL;
        span->copies_capacity = 0;
        if (archive->status == TR_OK && copies &&
            !tr_grow(memory, (void **)&span->copies, &span->copies_capacity, span->count + 1, sizeof *span->copies))
            archive->status = TR_ERROR_MEMORY;
    }
}

/* Split vertices, each with its number of copies. What is read is opened again, without edges. */
static void visit_hubs(tr_coloring *coloring, tr_archive *archive, const tr_graph *graph)
{
    const bool reads = tr_archive_reads(archive);
    uint32_t count = coloring->hub_count;
    tr_archive_value(archive, count);
    if (reads) {
        tr_hubs_destroy(coloring);
        coloring->hubs = NULL;
        coloring->hub_order = NULL;
        coloring->hub_slots = coloring->hub_capacity = coloring->hub_order_capacity = coloring->hub_count = 0;
        coloring->free_hub = TR_NONE;
        coloring->hubs_sorted = true;
    }
    for (uint32_t i = 0; i < count && tr_archive_goes_on(archive); i++) {
        uint32_t vertex = 0, copies = 0;
        if (!reads) {
            const tr_hub *hub = &coloring->hubs[coloring->hub_order[i]];
            vertex = hub->vertex;
            copies = hub->count;
        }
        tr_archive_value(archive, vertex);
        tr_archive_value(archive, copies);
        if (!tr_archive_reads(archive) || archive->status != TR_OK)
            continue;
        /* as many as ever had an edge */
        bool valid = vertex < graph->vertex_slots && graph->vertices[vertex].moving && copies >= 2 &&
                     copies / TR_ENDS <= graph->edge_slots && tr_hub_of(coloring, vertex) == TR_NONE;
        refuse_unless(archive, valid);
        if (valid && !tr_copy_open(coloring, vertex, copies))
            archive->status = TR_ERROR_MEMORY;
    }
}

/* The strictly ascending spans from `first` on, all of this unit and strand; adds their number. */
static bool is_chain_sound(const tr_coloring *coloring, uint32_t first, uint32_t unit, uint32_t strand, uint32_t *count)
{
    uint64_t last = 0;
    for (uint32_t i = first; i != TR_NONE; i = coloring->spans[i].next) {
        if (i >= coloring->span_count)
            return false;
        const tr_span *span = &coloring->spans[i];
        uint64_t key = ((uint64_t)span->color << 32 | span->kind) + 1;
        if (span->unit != unit || span->strand != strand || key <= last)
            return false;
        last = key;
        ++*count;
    }
    return true;
}

static bool are_spans_sound(const tr_coloring *coloring)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < coloring->span_count; i++) {
        if (coloring->spans[i].color >= TR_COLORS || coloring->spans[i].kind >= coloring->kinds)
            return false;
    }
    bool sound = is_chain_sound(coloring, coloring->first_seam, TR_NONE, TR_NONE, &count);
    for (uint32_t unit = 0; unit < coloring->unit_count && sound; unit++)
        sound = is_chain_sound(coloring, coloring->first_span[unit], unit, TR_NONE, &count);
    for (uint32_t strand = 0; strand < coloring->strand_count && sound; strand++)
        sound = is_chain_sound(coloring, coloring->first_strand[strand], TR_NONE, strand, &count);
    return sound && count == coloring->span_count;
}

/* Gives an edge the lane that a span says it has. False: it cannot have it. */
static bool enter_lane(tr_coloring *coloring, const tr_graph *graph, uint32_t number, uint32_t lane)
{
    const tr_span *span = &coloring->spans[number];
    uint32_t edge = span->edges[lane];
    if (edge >= graph->edge_slots || !graph->edges[edge].alive || coloring->edges[edge].span != TR_NONE ||
        graph->edges[edge].kind != span->kind)
        return false;
    uint32_t moving = tr_graph_moving_ends(graph, edge);
    if (moving == 0 || (moving >= 2) != (span->color < TR_COLORS_MOVING) ||
        tr_unit_of_edge(coloring, graph, edge) != span->unit)
        return false;
    uint32_t range = span->color / TR_COLORS_MOVING, vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex);
    uint64_t bit = UINT64_C(1) << span->color % TR_COLORS_MOVING;
    coloring->edges[edge] = (tr_edge_paint){number, lane};
    for (uint32_t end = 0; end < count; end++) {
        if (!graph->vertices[vertex[end]].moving)
            continue;
        uint32_t copy = tr_end_copy(coloring, graph, edge, end);
        if (copy >= tr_copy_count(coloring, vertex[end]))
            return false;
        tr_copy *at = tr_copy_at(coloring, vertex[end], copy);
        /* carriers may be the same body at both ends, which is one copy */
        bool again = false;
        for (uint32_t before = 0; before < end; before++)
            again = again || (vertex[before] == vertex[end] && tr_end_copy(coloring, graph, edge, before) == copy);
        if ((at->taken[range] & bit) != 0 && !again)
            return false;
        if (tr_copy_degree(at) >= TR_COLORS_MOVING)
            return false;
        tr_copy_take(coloring, vertex[end], copy, span->color);
    }
    if (span->unit == TR_NONE) {
        for (uint32_t end = 0; end < count; end++) {
            uint32_t unit = graph->vertices[vertex[end]].moving ? tr_unit_of(coloring, vertex[end]) : TR_NONE;
            if (unit != TR_NONE)
                coloring->seam_ends[unit]++;
        }
    }
    coloring->solved_edges++;
    return true;
}

/* makes what follows from the spans; false: they are not those of the graph */
static bool enter_lanes(tr_coloring *coloring, const tr_graph *graph)
{
    uint32_t solved = 0;
    coloring->solved_edges = 0;
    for (uint32_t e = 0; e < graph->edge_slots; e++) {
        coloring->edges[e].span = TR_NONE;
        solved += graph->edges[e].alive && tr_graph_moving_ends(graph, e) > 0;
    }
    for (uint32_t i = 0; i < coloring->span_count; i++) {
        for (uint32_t lane = 0; lane < coloring->spans[i].count; lane++) {
            if (!enter_lane(coloring, graph, i, lane))
                return false;
        }
    }
    /* the last copy of a split vertex has edges */
    for (uint32_t i = 0; i < coloring->hub_count; i++) {
        const tr_hub *hub = &coloring->hubs[coloring->hub_order[i]];
        if (tr_copy_degree(&hub->copies[hub->count - 1].copy) == 0)
            return false;
    }
    return solved == coloring->solved_edges;
}

static void begin_coloring(tr_coloring *coloring, tr_archive *archive, const tr_graph *graph)
{
    tr_memory *memory = archive->memory;
    coloring->touched_count = 0;
    coloring->list_known = false;
    for (uint32_t i = 0; i < TR_SPANS_FOUND; i++)
        coloring->found[i] = TR_NONE;
    tr_release(memory, coloring->edge_copies, coloring->edge_copies_capacity * sizeof *coloring->edge_copies);
    coloring->edge_copies = NULL;
    coloring->edge_copies_capacity = 0;
    if (!tr_grow(memory, (void **)&coloring->vertices, &coloring->vertex_capacity, graph->vertex_capacity,
                 sizeof *coloring->vertices) ||
        !tr_grow(memory, (void **)&coloring->edges, &coloring->edge_capacity, graph->edge_capacity,
                 sizeof *coloring->edges))
        archive->status = TR_ERROR_MEMORY;
    if (coloring->vertex_capacity > 0)
        memset(coloring->vertices, 0, coloring->vertex_capacity * sizeof *coloring->vertices);
}

static void visit_coloring(tr_coloring *coloring, tr_archive *archive, const tr_graph *graph)
{
    const bool reads = tr_archive_reads(archive);
    uint32_t in_units = coloring->unit_capacity < graph->vertex_slots ? coloring->unit_capacity : graph->vertex_slots;
    while (!reads && in_units > 0 && coloring->units[in_units - 1] == TR_NONE)
        in_units--;
    bool split = coloring->edge_copies_capacity > 0;
    if (reads && archive->status == TR_OK)
        begin_coloring(coloring, archive, graph);
    tr_archive_value(archive, in_units);
    tr_archive_flag(archive, &split);
    refuse_unless(archive, !reads || in_units <= graph->vertex_slots);
    tr_archive_array(archive, (void **)&coloring->units, &coloring->unit_capacity, in_units, 0,
                     sizeof *coloring->units);
    for (uint32_t v = in_units; reads && archive->status == TR_OK && v < coloring->unit_capacity; v++)
        coloring->units[v] = TR_NONE;
    tr_archive_array(archive, (void **)&coloring->extra_copies, &coloring->extra_capacity, graph->extra_slots,
                     graph->extra_capacity, sizeof *coloring->extra_copies);
    visit_spans(coloring, archive);
    for (uint32_t v = 0; reads && archive->status == TR_OK && v < in_units; v++)
        refuse_unless(archive, coloring->units[v] == TR_NONE || coloring->units[v] < coloring->unit_count);
    visit_hubs(coloring, archive, graph);
    if (reads)
        coloring->hubs_changed = true;
    if (split && archive->status == TR_OK && tr_archive_has(archive, graph->edge_slots, 2 * sizeof(uint32_t))) {
        if (reads && !tr_grow(archive->memory, (void **)&coloring->edge_copies, &coloring->edge_copies_capacity,
                              coloring->edge_capacity, sizeof *coloring->edge_copies)) {
            archive->status = TR_ERROR_MEMORY;
            return;
        }
        tr_archive_bytes(archive, coloring->edge_copies, graph->edge_slots * sizeof *coloring->edge_copies);
    }
    if (reads && archive->status == TR_OK)
        refuse_unless(archive,
                      (split || coloring->hub_count == 0) && are_spans_sound(coloring) && enter_lanes(coloring, graph));
}

/*
 * The plan
 */

/* counts the moving vertices by degree */
static bool count_degrees(tr_plan *plan)
{
    const tr_graph *graph = &plan->graph;
    plan->max_degree = 0;
    for (uint32_t v = 0; v < graph->vertex_slots; v++) {
        uint32_t degree = graph->vertices[v].moving ? graph->vertices[v].degree : 0;
        plan->max_degree = degree > plan->max_degree ? degree : plan->max_degree;
    }
    if (!tr_grow(plan->memory, (void **)&plan->degree_count, &plan->degree_capacity, plan->max_degree + 1,
                 sizeof *plan->degree_count))
        return false;
    memset(plan->degree_count, 0, plan->degree_capacity * sizeof *plan->degree_count);
    for (uint32_t v = 0; v < graph->vertex_slots; v++) {
        if (graph->vertices[v].moving)
            plan->degree_count[graph->vertices[v].degree]++;
    }
    return true;
}

void tr_plan_archive(tr_plan *plan, tr_archive *archive)
{
    tr_archive_value(archive, plan->version);
    tr_archive_value(archive, plan->epoch);
    tr_archive_value(archive, plan->churn);
    tr_archive_value(archive, plan->unit_size);
    tr_archive_value(archive, plan->twins);
    tr_archive_value(archive, plan->watched);
    if (tr_archive_reads(archive))
        tr_plan_written(plan); /* lists of what has changed are made anew in any case */
    if (tr_archive_begin(archive, &plan->group)) {
        tr_graph_archive(&plan->graph, archive, plan->coloring.kinds);
        visit_coloring(&plan->coloring, archive, &plan->graph);
        tr_fresh_archive(plan, archive);
        tr_archive_end(archive, &plan->group);
    }
    if (!tr_archive_reads(archive))
        return;
    tr_news_forget(plan);
    plan->layout_known = plan->islands_known = false;
    if (archive->status == TR_OK && !count_degrees(plan))
        archive->status = TR_ERROR_MEMORY;
}
