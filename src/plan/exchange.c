/* Changes of many vertices or edges of a plan at once, all or nothing. */
#include "plan/plan_internal.h"

#include <assert.h>

/*
 * Vertices that sleep
 */
static void unpaint_edges(tr_plan *plan, uint32_t vertex)
{
    uint32_t half = plan->graph.vertices[vertex].first;
    for (; half != TR_NONE; half = tr_plan_next(plan, half)) {
        if (plan->coloring.edges[tr_half_edge(half)].span == TR_NONE)
            continue;
        tr_plan_unpaint(plan, tr_half_edge(half));
        tr_plan_count_churn(plan);
    }
}

void tr_plan_sleep(tr_plan *plan, const uint32_t *vertices, uint32_t count)
{
    tr_plan_written(plan);
    tr_graph *graph = &plan->graph;
    for (uint32_t i = 0; i < count; i++)
        unpaint_edges(plan, vertices[i]);
    for (uint32_t i = 0; i < count; i++) {
        tr_graph_vertex *it = &graph->vertices[vertices[i]];
        assert(it->alive && it->moving);
        it->moving = false;
        graph->moving_count--;
        tr_degrees_leave(plan, it->degree);
        tr_plan_count_churn(plan);
    }
    plan->islands_known = false;
}

/* lets the vertices of a list that did not move do so, or puts them back */
static void set_all_moving(tr_plan *plan, const uint32_t *vertices, uint32_t count, bool moving)
{
    tr_plan_written(plan);
    for (uint32_t i = 0; i < count; i++) {
        tr_graph_vertex *it = &plan->graph.vertices[vertices[i]];
        assert(it->alive && it->moving != moving);
        it->moving = moving;
        plan->graph.moving_count += moving ? 1 : UINT32_MAX;
        if (moving)
            tr_degrees_enter(plan, it->degree);
        else
            tr_degrees_leave(plan, it->degree);
        tr_plan_count_churn(plan);
    }
    plan->islands_known = false;
}

/* gives the edges of vertices colours; false: out of memory, and some have one */
static bool paint_all(tr_plan *plan, const uint32_t *vertices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t half = plan->graph.vertices[vertices[i]].first;
        for (; half != TR_NONE; half = tr_plan_next(plan, half)) {
            uint32_t edge = tr_half_edge(half);
            if (plan->coloring.edges[edge].span != TR_NONE)
                continue;
            if (!tr_plan_paint(plan, edge))
                return false;
            tr_plan_count_churn(plan);
        }
    }
    return true;
}

/* Vertices that have woken. */
struct tr_plan_woken {
    tr_plan_woken *before; /* those that woke before */
    uint32_t count, edges, traced;
    uint32_t churn;
    uint64_t version;
    uint32_t *vertices;
    tr_trace *trace; /* of edges to vertices that moved: they had colours that suit a fixed end; room for all */
};

static void woken_release(tr_plan *plan, tr_plan_woken *it)
{
    tr_release(plan->memory, it->vertices, it->count * sizeof *it->vertices);
    tr_release(plan->memory, it->trace, it->edges * sizeof *it->trace);
    tr_release(plan->memory, it, sizeof *it);
}

/* makes room; null: out of memory */
static tr_plan_woken *woken_make(tr_plan *plan, const uint32_t *vertices, uint32_t count)
{
    uint64_t edges = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t degree = plan->graph.vertices[vertices[i]].degree;
        edges += degree;
        if (!tr_degrees_reserve(plan, degree))
            return NULL;
    }
    tr_plan_woken *it = edges < TR_NONE ? tr_allocate(plan->memory, sizeof *it) : NULL;
    if (it == NULL)
        return NULL;
    *it = (tr_plan_woken){.count = count, .edges = (uint32_t)edges, .churn = plan->churn, .version = plan->version};
    it->vertices = tr_allocate_array(plan->memory, count, sizeof *it->vertices);
    it->trace = tr_allocate_array(plan->memory, it->edges, sizeof *it->trace);
    if ((it->vertices != NULL || count == 0) && (it->trace != NULL || edges == 0)) {
        for (uint32_t i = 0; i < count; i++)
            it->vertices[i] = vertices[i];
        return it;
    }
    woken_release(plan, it);
    return NULL;
}

/* puts them back to sleep, exactly */
static void sleep_again(tr_plan *plan, const tr_plan_woken *it)
{
    tr_plan_written(plan);
    for (uint32_t i = 0; i < it->count; i++)
        unpaint_edges(plan, it->vertices[i]);
    set_all_moving(plan, it->vertices, it->count, false);
    for (uint32_t i = it->traced; i-- > 0;)
        tr_trace_restore(plan, &it->trace[i]);
    plan->version = it->version;
    plan->churn = it->churn;
}

tr_status tr_plan_wake(tr_plan *plan, const uint32_t *vertices, uint32_t count, tr_plan_woken **latest)
{
    tr_plan_written(plan);
    tr_plan_woken *it = woken_make(plan, vertices, count);
    if (it == NULL)
        return TR_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t half = plan->graph.vertices[vertices[i]].first; half != TR_NONE && it->traced < it->edges;
             half = tr_plan_next(plan, half)) {
            if (plan->coloring.edges[tr_half_edge(half)].span != TR_NONE)
                it->trace[it->traced++] = tr_trace_of(plan, tr_half_edge(half));
        }
        unpaint_edges(plan, vertices[i]);
    }
    set_all_moving(plan, vertices, count, true);
    if (!paint_all(plan, vertices, count)) {
        sleep_again(plan, it);
        woken_release(plan, it);
        return TR_ERROR_MEMORY;
    }
    it->before = *latest;
    *latest = it;
    return TR_OK;
}

void tr_plan_wake_undo(tr_plan *plan, tr_plan_woken **latest)
{
    for (tr_plan_woken *it = *latest; it != NULL; it = it->before)
        sleep_again(plan, it);
    tr_plan_wake_settle(plan, latest);
}

void tr_plan_wake_settle(tr_plan *plan, tr_plan_woken **latest)
{
    while (*latest != NULL) {
        tr_plan_woken *it = *latest;
        *latest = it->before;
        woken_release(plan, it);
    }
}

/*
 * Exchanging edges
 */

/* Exact inverse of tr_plan_remove_edge; all later changes must have been undone. */
static void put_edge_back(tr_plan *plan, const tr_trace *trace)
{
    tr_plan_written(plan);
    tr_graph *graph = &plan->graph;
    tr_graph_edge *it = &graph->edges[trace->edge];
    tr_extra_take(graph, trace->edge);
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, trace->edge, vertex);
    for (uint32_t end = count; end-- > 0;) {
        const tr_graph_vertex *at = &graph->vertices[vertex[end]];
        tr_list_put_back(graph, TR_ENDS * trace->edge + end);
        if (at->moving) {
            tr_degrees_enter(plan, at->degree);
            tr_degrees_leave(plan, at->degree - 1);
        }
    }
    it->alive = true;
    graph->edge_count++;
    tr_trace_restore(plan, trace);
}

/* Many edges, or vertices, from anywhere in the graph: they are prefetched. */
enum { AHEAD = 8 };

static void fetch_edge(const tr_plan *plan, uint32_t edge)
{
    __builtin_prefetch(&plan->graph.edges[edge], 1);
    __builtin_prefetch(&plan->coloring.edges[edge], 1);
}

static void fetch_ends(const tr_plan *plan, const uint32_t vertex[2])
{
    for (uint32_t end = 0; end < 2; end++) {
        __builtin_prefetch(&plan->graph.vertices[vertex[end]], 1);
        __builtin_prefetch(&plan->coloring.vertices[vertex[end]], 1);
    }
}

/* Exact inverse of tr_plan_set_kind(), which has reserved what that takes. */
static void set_kind_back(tr_plan *plan, const tr_trace *trace)
{
    tr_plan_written(plan);
    tr_coloring *coloring = &plan->coloring;
    tr_graph_edge *it = &plan->graph.edges[trace->edge];
    if (it->kind == trace->kind)
        return;
    plan->layout_known = false;
    if (trace->choice.span != TR_NONE)
        tr_span_pull(coloring, &plan->graph, trace->edge);
    it->kind = trace->kind;
    if (trace->choice.span == TR_NONE)
        return;
    coloring->edges[trace->edge].span = trace->choice.span;
    tr_span_put_back(coloring, &plan->graph, trace->edge, trace->lane);
}

/* undoes the last of these changes that were made, in the opposite order */
static void undo_swap(tr_plan *plan, tr_plan_swap *swap, uint32_t changed, uint32_t removed, uint32_t added)
{
    while (added-- > 0)
        tr_plan_remove_edge(plan, swap->added[added].edge);
    while (removed-- > 0)
        put_edge_back(plan, &swap->trace[swap->changed_count + removed]);
    while (changed-- > 0)
        set_kind_back(plan, &swap->trace[changed]);
    plan->version = swap->version;
    plan->churn = swap->churn;
    tr_plan_swap_settle(plan, swap);
}

tr_status tr_plan_swap_make(tr_plan *plan, tr_plan_swap *swap)
{
    const uint32_t *removed = swap->removed, removed_count = swap->removed_count;
    const size_t traces = (size_t)swap->changed_count + removed_count;
    swap->version = plan->version;
    swap->churn = plan->churn;
    swap->trace = tr_allocate_array(plan->memory, traces, sizeof *swap->trace);
    if (swap->trace == NULL && traces > 0)
        return TR_ERROR_MEMORY;
    tr_status status = TR_OK;
    uint32_t changed = 0, done = 0;
    while (status == TR_OK && changed < swap->changed_count) {
        swap->trace[changed] = tr_trace_of(plan, swap->changed[changed].edge);
        status = tr_plan_set_kind(plan, swap->changed[changed].edge, swap->changed[changed].kind);
        changed += status == TR_OK;
    }
    if (status != TR_OK) {
        undo_swap(plan, swap, changed, 0, 0);
        return status;
    }
    /* remove first, so that the new edges can use the free colours */
    for (uint32_t i = 0; i < removed_count; i++) {
        if (i + 2 * AHEAD < removed_count)
            fetch_edge(plan, removed[i + 2 * AHEAD]);
        if (i + AHEAD < removed_count)
            fetch_ends(plan, plan->graph.edges[removed[i + AHEAD]].vertex);
        swap->trace[changed + i] = tr_trace_of(plan, removed[i]);
        tr_plan_remove_edge(plan, removed[i]);
    }
    while (status == TR_OK && done < swap->added_count) {
        const tr_plan_edge *it = &swap->added[done];
        if (done + AHEAD < swap->added_count)
            fetch_ends(plan, (const uint32_t[2]){it[AHEAD].vertex_a, it[AHEAD].vertex_b});
        status = tr_plan_add_edge(plan, it->edge, it->vertex_a, it->vertex_b, it->kind);
        done += status == TR_OK;
    }
    if (status != TR_OK)
        undo_swap(plan, swap, changed, removed_count, done);
    return status;
}

void tr_plan_swap_undo(tr_plan *plan, tr_plan_swap *swap)
{
    undo_swap(plan, swap, swap->changed_count, swap->removed_count, swap->added_count);
}

void tr_plan_swap_settle(tr_plan *plan, tr_plan_swap *swap)
{
    tr_release(plan->memory, swap->trace, ((size_t)swap->changed_count + swap->removed_count) * sizeof *swap->trace);
    swap->trace = NULL;
}

tr_status tr_plan_exchange(tr_plan *plan, const uint32_t *removed, uint32_t removed_count, const tr_plan_edge *added,
                           uint32_t added_count)
{
    tr_plan_swap swap = {
        .removed = removed, .added = added, .removed_count = removed_count, .added_count = added_count};
    tr_status status = tr_plan_swap_make(plan, &swap);
    if (status == TR_OK)
        tr_plan_swap_settle(plan, &swap);
    return status;
}
