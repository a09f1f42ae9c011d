/*
 * Fresh plans: builds a second colouring and swaps it in when it is complete. It may be built in parts, of a copy of
 * the graph, while the plan is in use; what has changed in the meantime is then changed in the second colouring, too.
 */
#include "plan/plan_internal.h"

#include <assert.h>
#include <string.h>

/* The edges from a vertex to vertices of higher rank, at most the first FAN_MOST. */
enum { FAN_MOST = 8 };
typedef struct tr_fan {
    uint32_t low; /* rank of the vertex */
    uint32_t count;
    uint32_t high[FAN_MOST]; /* ranks of the other ends */
    uint32_t color[FAN_MOST];
} tr_fan;

/* State for choosing the colour of the parallel edge of neighbouring vertices, which makes runs (runs.c). */
typedef struct tr_side {
    uint8_t *level;    /* of each rank: 1 and 2 alternate with the level within the island; 0: not known yet */
    uint32_t most;     /* number of colours that some vertex needs in any case */
    tr_fan here, past; /* of the current vertex and of the previous one */
} tr_side;

struct tr_fresh {
    tr_memory *memory;
    const tr_graph *graph;                   /* the plan's or `copy` */
    tr_graph copy;                           /* of the graph when it was begun, if it is made in parts */
    uint32_t max_degree, churn, unit_size;   /* of the plan then */
    uint32_t vertex_capacity, edge_capacity; /* of the plan's graph then */
    uint32_t parts;                          /* done so far */
    tr_order order;
    tr_coloring coloring;
    tr_side side;
    /* while it is taken: its colouring is that of the plan before, and so are these */
    bool taken, islands_known;
    uint64_t version, epoch;
    uint32_t churn_before, twins;
    tr_plan_islands islands;
};

/* Allocates arrays as long as the graph's, so that the next edge does not make them grow. Opens the copies of all
   vertices to be split, so that their edges are distributed evenly. */
static bool coloring_reserve(tr_fresh *fresh)
{
    tr_coloring *coloring = &fresh->coloring;
    const tr_graph *graph = fresh->graph;
    const tr_order *order = &fresh->order;
    tr_memory *memory = coloring->memory;
    /* those of a copy are no longer than it was then */
    uint32_t vertices = fresh->vertex_capacity, edges = fresh->edge_capacity;
    vertices = vertices > graph->vertex_capacity ? vertices : graph->vertex_capacity;
    edges = edges > graph->edge_capacity ? edges : graph->edge_capacity;
    if (!tr_grow(memory, (void **)&coloring->vertices, &coloring->vertex_capacity, vertices,
                 sizeof *coloring->vertices) ||
        !tr_coloring_reserve_edges(coloring, edges) ||
        !tr_coloring_make_units(coloring, graph->vertex_slots, order->unit_count) ||
        !tr_grow(memory, (void **)&coloring->extra_copies, &coloring->extra_capacity, graph->extra_capacity,
                 sizeof *coloring->extra_copies))
        return false;
    for (uint32_t e = 0; e < graph->edge_slots; e++)
        coloring->edges[e].span = TR_NONE;
    for (uint32_t v = 0; v < graph->vertex_slots && order->unit_count > 0; v++)
        coloring->units[v] = order->unit[v];
    for (uint32_t v = 0; v < graph->vertex_slots; v++) {
        const tr_graph_vertex *vertex = &graph->vertices[v];
        if (vertex->moving && vertex->degree > coloring->copy_capacity &&
            !tr_copy_open(coloring, v, (vertex->degree - 1) / coloring->copy_capacity + 1))
            return false;
    }
    return tr_strands_begin(coloring, graph);
}

/* The colour of the edge whose ends have the ranks just before these; of several, of the corresponding one. */
static uint32_t color_beside(const tr_side *side, uint32_t low, uint32_t high)
{
    uint32_t same = side->here.count;
    if (side->past.low + 1 != low)
        return TR_NONE;
    if (same < side->past.count && side->past.high[same] + 1 == high)
        return side->past.color[same];
    for (uint32_t i = 0; i < side->past.count; i++) {
        if (side->past.high[i] + 1 == high)
            return side->past.color[i];
    }
    return TR_NONE;
}

/* The colour to try first. Edges must come in order of ranks. TR_NONE: no preference. */
static uint32_t preferred_color(tr_side *side, uint32_t low, uint32_t high)
{
    if (side->here.low != low) {
        side->past = side->here;
        side->here = (tr_fan){.low = low};
    }
    if (side->level[low] == 0)
        side->level[low] = 1;
    if (side->level[high] == 0)
        side->level[high] = (uint8_t)(3 - side->level[low]);
    uint32_t beside = color_beside(side, low, high);
    if (beside != TR_NONE)
        return beside;
    /*
     * Give the first forward edges of all vertices of one level the same colour, their second ones another, and so on.
     * Levels alternate between two sets of colours, because an edge from the previous level shares a vertex with the
     * forward ones. Use no more colours than some vertex needs in any case: more colours mean more barriers.
     */
    uint32_t color = 2 * side->here.count + side->level[low] - 1;
    return color < side->most && color < TR_COLORS_MOVING ? color : TR_NONE;
}

static void note_color(tr_side *side, uint32_t high, uint32_t color)
{
    tr_fan *here = &side->here;
    if (here->count == FAN_MOST)
        return;
    here->high[here->count] = high;
    here->color[here->count++] = color;
}

/* Prefetches an edge: edges come in the order of their ends, not of their numbers. */
static void fetch_edge(const tr_coloring *coloring, const tr_graph *graph, const tr_order *order, uint32_t i)
{
    enum { AHEAD = 12 };
    if (i + AHEAD >= order->edge_count)
        return;
    __builtin_prefetch(&graph->edges[order->edges[i + AHEAD]]);
    __builtin_prefetch(&coloring->edges[order->edges[i + AHEAD]], 1);
}

/* Colours some of the edges in order, and counts them in their spans. */
static bool color_edges(tr_fresh *fresh, uint32_t first, uint32_t end)
{
    tr_coloring *coloring = &fresh->coloring;
    const tr_graph *graph = fresh->graph;
    const tr_order *order = &fresh->order;
    for (uint32_t i = first; i < end; i++) {
        tr_choice choice;
        uint32_t edge = order->edges[i], preferred = TR_NONE;
        fetch_edge(coloring, graph, order, i);
        const tr_graph_edge *it = &graph->edges[edge];
        uint32_t a = order->rank[it->vertex[0]], b = order->rank[it->vertex[1]];
        uint32_t low = a < b ? a : b, high = a < b ? b : a;
        bool moving = graph->vertices[it->vertex[0]].moving && graph->vertices[it->vertex[1]].moving;
        if (moving)
            preferred = preferred_color(&fresh->side, low, high);
        if (!tr_color_choose(coloring, graph, edge, preferred, &choice))
            return false;
        uint32_t strand = tr_strand_of(coloring, graph, edge, &choice);
        choice.span = tr_span_find(coloring, graph, edge, strand, choice.color, graph->edges[edge].kind);
        if (choice.span == TR_NONE)
            return false;
        tr_color_mark(coloring, graph, edge, &choice);
        coloring->spans[choice.span].count++;
        if (moving)
            note_color(&fresh->side, high, choice.color);
    }
    return true;
}

/* Gives the coloured and counted edges their lanes in order. Each span has room to the end of its last block, or for
   another block if that is full, so that most single additions find room. */
static bool fill_spans(tr_coloring *coloring, const tr_graph *graph, const tr_order *order)
{
    for (uint32_t i = 0; i < coloring->span_count; i++) {
        tr_span *span = &coloring->spans[i];
        if (!tr_span_reserve(coloring, span, (span->count / TR_LANES + 1) * TR_LANES))
            return false;
        span->count = 0;
    }
    for (uint32_t i = 0; i < order->edge_count; i++) {
        fetch_edge(coloring, graph, order, i);
        tr_span_push(coloring, graph, order->edges[i]);
    }
    return true;
}

/*
 * Parts
 */

static size_t rank_count(const tr_fresh *fresh)
{
    return (size_t)fresh->graph->vertex_count + 1;
}

static bool begin_coloring(tr_fresh *fresh)
{
    fresh->side = (tr_side){
        .level = tr_allocate(fresh->memory, rank_count(fresh)), .most = fresh->max_degree, .here.low = TR_NONE};
    return fresh->side.level != NULL && coloring_reserve(fresh);
}

/* Colours the edges of one of two parts. */
static bool color_half(tr_fresh *fresh, bool second)
{
    uint32_t count = fresh->order.edge_count, half = count / 2;
    return color_edges(fresh, second ? half : 0, second ? count : half);
}

/* Does a part. They take about as long as each other. */
static bool do_part(tr_fresh *fresh, uint32_t part)
{
    const tr_graph *graph = fresh->graph;
    tr_order *order = &fresh->order;
    tr_coloring *coloring = &fresh->coloring;
    switch (part) {
    case 0:
        return tr_order_begin(order, fresh->memory, graph, fresh->max_degree, fresh->unit_size,
                              coloring->copy_capacity);
    case 1:
        return tr_order_islands(order, graph);
    case 2:
        tr_order_end(order, fresh->memory, graph);
        return true;
    case 3:
        return begin_coloring(fresh) && color_half(fresh, false);
    case 4:
        return color_half(fresh, true);
    case 5:
        return tr_balance_lanes(coloring, graph, order) && fill_spans(coloring, graph, order);
    default:
        tr_strands_end(coloring);
        return tr_arrange_runs(coloring, graph, order);
    }
}

/* Frees what the parts have made, so that they can be done again. */
static void forget_parts(tr_fresh *fresh)
{
    uint32_t kinds = fresh->coloring.kinds, capacity = fresh->coloring.copy_capacity;
    tr_release(fresh->memory, fresh->side.level, rank_count(fresh));
    fresh->side.level = NULL;
    tr_coloring_destroy(&fresh->coloring);
    tr_coloring_init(&fresh->coloring, fresh->memory, kinds, capacity);
    tr_order_destroy(&fresh->order, fresh->memory, fresh->graph);
    fresh->parts = 0;
}

/* Does the parts up to `parts`; on false none is done. */
static bool do_parts(tr_fresh *fresh, uint32_t parts)
{
    for (; fresh->parts < parts; fresh->parts++) {
        if (!do_part(fresh, fresh->parts)) {
            forget_parts(fresh);
            return false;
        }
    }
    return true;
}

static void fresh_init(tr_fresh *fresh, const tr_plan *plan, const tr_graph *graph)
{
    *fresh = (tr_fresh){.memory = plan->memory,
                        .graph = graph,
                        .max_degree = plan->max_degree,
                        .churn = plan->churn,
                        .unit_size = plan->unit_size,
                        .vertex_capacity = plan->graph.vertex_capacity,
                        .edge_capacity = plan->graph.edge_capacity};
    tr_coloring_init(&fresh->coloring, plan->memory, plan->coloring.kinds, plan->coloring.copy_capacity);
}

static void fresh_destroy(tr_fresh *fresh)
{
    forget_parts(fresh);
    tr_graph_destroy(&fresh->copy, fresh->memory);
}

/*
 * What has changed since a copy was made
 */

/* Whether an edge of the copy is still the same, at ends that move or stand as then. An edge that was removed and made
   again is: its colour depends on nothing else. */
static bool is_same(const tr_graph *was, const tr_graph *now, uint32_t edge)
{
    if (edge >= was->edge_slots || !was->edges[edge].alive || !now->edges[edge].alive)
        return false;
    const tr_graph_edge *old = &was->edges[edge], *it = &now->edges[edge];
    if (old->kind != it->kind || old->end_count != it->end_count ||
        (it->end_count > 2 && was->extra_of[edge] != now->extra_of[edge]))
        return false;
    for (uint32_t end = 0; end < it->end_count; end++) {
        uint32_t vertex = tr_graph_end(now, edge, end);
        if (tr_graph_end(was, edge, end) != vertex || was->vertices[vertex].moving != now->vertices[vertex].moving)
            return false;
    }
    return true;
}

/* Makes the arrays as long as the graph's now. */
static bool lengthen(tr_coloring *coloring, const tr_graph *was, const tr_graph *now)
{
    if (!tr_grow(coloring->memory, (void **)&coloring->vertices, &coloring->vertex_capacity, now->vertex_capacity,
                 sizeof *coloring->vertices) ||
        !tr_coloring_reserve_edges(coloring, now->edge_capacity) ||
        !tr_grow(coloring->memory, (void **)&coloring->extra_copies, &coloring->extra_capacity, now->extra_capacity,
                 sizeof *coloring->extra_copies))
        return false;
    for (uint32_t e = was->edge_slots; e < now->edge_slots; e++)
        coloring->edges[e].span = TR_NONE;
    return true;
}

/* Changes a colouring of a former graph to one of the present graph: removes edges that have changed, then adds those
   that have come, in the order of their numbers. `present`: a colouring of the present graph, which has all edges that
   something moves at; the ends of the others, of which very many may sleep, are not looked at. On false it must be
   discarded. */
static bool catch_up(tr_coloring *coloring, const tr_coloring *present, const tr_graph *was, const tr_graph *now)
{
    if (!lengthen(coloring, was, now))
        return false;
    for (uint32_t e = 0; e < was->edge_slots; e++) {
        if (coloring->edges[e].span == TR_NONE || is_same(was, now, e))
            continue;
        tr_span_pull(coloring, was, e);
        tr_color_unmark(coloring, was, e);
    }
    for (uint32_t e = 0; e < now->edge_slots; e++) {
        if (coloring->edges[e].span == TR_NONE && now->edges[e].alive && present->edges[e].span != TR_NONE &&
            !tr_edge_color(coloring, now, e))
            return false;
    }
    return true;
}

/* The vertices in their new order: those that moved and move as they were ordered, then others that move, then fixed
   ones, by number. */
static void list_vertices(const tr_fresh *fresh, const tr_graph *now, uint32_t *out)
{
    const tr_graph *was = fresh->graph;
    uint32_t count = 0;
    for (uint32_t i = 0; i < was->moving_count; i++) {
        if (now->vertices[fresh->order.vertices[i]].moving)
            out[count++] = fresh->order.vertices[i];
    }
    for (uint32_t v = 0; v < now->vertex_slots && count < now->moving_count; v++) {
        if (now->vertices[v].moving && (v >= was->vertex_slots || !was->vertices[v].moving))
            out[count++] = v;
    }
    for (uint32_t v = 0; v < now->vertex_slots; v++) {
        if (now->vertices[v].alive && !now->vertices[v].moving)
            out[count++] = v;
    }
}

static void exchange_colorings(tr_plan *plan, tr_fresh *fresh)
{
    tr_plan_written(plan);
    tr_coloring old = plan->coloring;
    plan->coloring = fresh->coloring;
    fresh->coloring = old;
    plan->coloring.hubs_changed = true;
    plan->layout_known = false;
    fresh->taken = !fresh->taken;
}

/*
 * The interface
 */

static void destroy(tr_plan *plan, tr_fresh *fresh)
{
    fresh_destroy(fresh);
    tr_release(plan->memory, fresh, sizeof *fresh);
}

tr_status tr_plan_optimize(tr_plan *plan, uint32_t *order)
{
    tr_fresh *fresh;
    tr_status status = tr_plan_make(plan, &fresh);
    if (status == TR_OK) {
        tr_plan_take(plan, fresh, order);
        tr_plan_discard(plan, fresh);
    }
    return status;
}

tr_status tr_plan_make(tr_plan *plan, tr_fresh **out)
{
    tr_plan_written(plan);
    tr_fresh *fresh = tr_allocate(plan->memory, sizeof *fresh);
    if (fresh == NULL)
        return TR_ERROR_MEMORY;
    fresh_init(fresh, plan, &plan->graph);
    if (!do_parts(fresh, TR_PLAN_PARTS) || !tr_layout_reserve(plan, &fresh->coloring)) {
        tr_plan_discard(plan, fresh);
        return TR_ERROR_MEMORY;
    }
    *out = fresh;
    return TR_OK;
}

void tr_plan_take(tr_plan *plan, tr_fresh *fresh, uint32_t *order)
{
    tr_plan_written(plan);
    fresh->version = plan->version;
    fresh->epoch = plan->epoch;
    fresh->churn_before = plan->churn;
    fresh->twins = plan->twins;
    fresh->islands = plan->islands;
    fresh->islands_known = plan->islands_known;
    exchange_colorings(plan, fresh);
    plan->twins = fresh->order.twins;
    plan->version++;
    plan->epoch++;
    plan->churn = plan->churn > fresh->churn ? plan->churn - fresh->churn : 0;
    if (fresh != plan->fresh) {
        plan->islands = fresh->order.islands;
        plan->islands_known = true;
    }
    if (order != NULL)
        list_vertices(fresh, &plan->graph, order);
}

void tr_plan_take_back(tr_plan *plan, tr_fresh *fresh)
{
    tr_plan_written(plan);
    exchange_colorings(plan, fresh);
    /* the list is that of the fresh plan */
    plan->coloring.list_known = false;
    plan->version = fresh->version;
    plan->epoch = fresh->epoch;
    plan->churn = fresh->churn_before;
    plan->twins = fresh->twins;
    plan->islands = fresh->islands;
    plan->islands_known = fresh->islands_known;
    tr_plan_discard(plan, fresh);
}

void tr_plan_discard(tr_plan *plan, tr_fresh *fresh)
{
    tr_plan_written(plan);
    /* the one that is begun, which has followed the graph, stays so unless it is taken */
    const bool begun = fresh == plan->fresh, taken = fresh->taken;
    if (begun && !taken) {
        forget_parts(fresh);
        return;
    }
    if (begun)
        plan->fresh = NULL;
    else if (taken)
        tr_plan_drop(plan);
    destroy(plan, fresh);
}

tr_status tr_plan_begin(tr_plan *plan)
{
    tr_plan_written(plan);
    tr_fresh *fresh = tr_allocate(plan->memory, sizeof *fresh);
    if (fresh == NULL)
        return TR_ERROR_MEMORY;
    fresh_init(fresh, plan, &fresh->copy);
    if (!tr_graph_copy(&plan->graph, plan->memory, &fresh->copy)) {
        tr_plan_discard(plan, fresh);
        return TR_ERROR_MEMORY;
    }
    tr_plan_drop(plan);
    plan->fresh = fresh;
    return TR_OK;
}

bool tr_plan_is_begun(const tr_plan *plan)
{
    return plan->fresh != NULL;
}

tr_status tr_plan_continue(tr_plan *plan, uint32_t parts)
{
    tr_plan_written(plan);
    assert(plan->fresh != NULL && parts <= TR_PLAN_PARTS);
    return do_parts(plan->fresh, parts) ? TR_OK : TR_ERROR_MEMORY;
}

tr_status tr_plan_complete(tr_plan *plan, tr_fresh **out)
{
    tr_plan_written(plan);
    tr_fresh *fresh = plan->fresh;
    assert(fresh != NULL);
    if (!do_parts(fresh, TR_PLAN_PARTS))
        return TR_ERROR_MEMORY;
    if (!catch_up(&fresh->coloring, &plan->coloring, fresh->graph, &plan->graph) ||
        !tr_layout_reserve(plan, &fresh->coloring)) {
        forget_parts(fresh);
        return TR_ERROR_MEMORY;
    }
    *out = fresh;
    return TR_OK;
}

tr_status tr_plan_finish(tr_plan *plan, uint32_t *order)
{
    tr_fresh *fresh;
    tr_status status = tr_plan_complete(plan, &fresh);
    if (status == TR_OK) {
        tr_plan_take(plan, fresh, order);
        tr_plan_discard(plan, fresh);
    }
    return status;
}

void tr_plan_drop(tr_plan *plan)
{
    tr_fresh *fresh = plan->fresh;
    if (fresh == NULL)
        return;
    tr_plan_written(plan);
    plan->fresh = NULL;
    destroy(plan, fresh);
}

/* A fresh plan in the making: the graph that it is of. Its parts are done again. */
void tr_fresh_archive(tr_plan *plan, tr_archive *archive)
{
    bool begun = plan->fresh != NULL;
    tr_archive_flag(archive, &begun);
    if (tr_archive_reads(archive))
        tr_plan_drop(plan);
    if (!begun || !tr_archive_goes_on(archive))
        return;
    if (tr_archive_reads(archive)) {
        plan->fresh = tr_allocate(plan->memory, sizeof *plan->fresh);
        if (plan->fresh == NULL) {
            archive->status = TR_ERROR_MEMORY;
            return;
        }
        fresh_init(plan->fresh, plan, &plan->fresh->copy);
    }
    tr_fresh *fresh = plan->fresh;
    if (fresh == NULL)
        return;
    tr_archive_value(archive, fresh->churn);
    tr_archive_value(archive, fresh->unit_size);
    tr_graph_archive(&fresh->copy, archive, plan->coloring.kinds);
    if (!tr_archive_reads(archive) || archive->status != TR_OK)
        return;
    fresh->max_degree = 0;
    for (uint32_t v = 0; v < fresh->copy.vertex_slots; v++) {
        uint32_t degree = fresh->copy.vertices[v].moving ? fresh->copy.vertices[v].degree : 0;
        fresh->max_degree = degree > fresh->max_degree ? degree : fresh->max_degree;
    }
}
