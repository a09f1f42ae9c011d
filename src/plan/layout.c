/* The layout: spans, hubs and copies for the solver. If only lanes changed, it updates only their spans. If spans
   appear or disappear, it lists all spans anew, in time proportional to their number, not to that of edges. */
#include "plan/plan_internal.h"

/* Number of copies beside copies 0, including empty ones: an upper bound for the layout. */
static uint32_t copies_at_most(const tr_coloring *coloring)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < coloring->hub_count; i++)
        count += coloring->hubs[coloring->hub_order[i]].count - 1;
    return count;
}

/* Writes the new numbers of a hub's copies into the lanes of its edges. */
static void lanes_renumber(tr_plan *plan, const tr_hub *hub)
{
    tr_coloring *coloring = &plan->coloring;
    for (uint32_t half = tr_plan_first(plan, hub->vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
        uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
        const tr_edge_paint *paint = &coloring->edges[edge];
        uint32_t copy = tr_end_copy(coloring, &plan->graph, edge, end);
        tr_span *span = &coloring->spans[paint->span];
        tr_lane_mark(coloring, span, paint->lane);
        /* lanes store the copies of two ends; tr_plan_end_copy() looks up the others */
        if (end < 2 && paint->lane < span->copies_capacity)
            span->copies[paint->lane][end] = copy == 0 ? 0 : hub->copies[copy].number + 1;
    }
}

/* Numbers the copies of the hub at `index` in the layout, from `first` on; returns the next free number. */
static uint32_t hub_number(tr_plan *plan, uint32_t index, uint32_t first)
{
    tr_hub *hub = &plan->coloring.hubs[plan->coloring.hub_order[index]];
    uint32_t next = first;
    bool moved = false;
    for (uint32_t i = 1; i < hub->count; i++) {
        tr_hub_copy *copy = &hub->copies[i];
        uint32_t number = TR_NONE;
        uint32_t degree = tr_hub_copy_degree(hub, i);
        if (degree > 0) {
            number = next++;
            plan->layout_copies[number] = (tr_plan_copy){.hub = index, .degree = degree};
        }
        moved |= number != copy->number;
        copy->number = number;
    }
    plan->layout_hubs[index] = (tr_plan_hub){
        .vertex = hub->vertex,
        .first_copy = first,
        .copy_count = next - first + 1,
        .degree = tr_plan_degree(plan, hub->vertex),
    };
    if (moved)
        lanes_renumber(plan, hub);
    return next;
}

bool tr_layout_reserve(tr_plan *plan, const tr_coloring *coloring)
{
    tr_memory *memory = plan->memory;
    tr_plan_layout *layout = &plan->layout;
    bool done = tr_grow(memory, (void **)&plan->layout_hubs, &plan->layout_hub_capacity, coloring->hub_count,
                        sizeof *plan->layout_hubs) &&
                tr_grow(memory, (void **)&plan->layout_copies, &plan->layout_copy_capacity, copies_at_most(coloring),
                        sizeof *plan->layout_copies) &&
                tr_grow(memory, (void **)&plan->layout_spans, &plan->layout_span_capacity, coloring->span_count,
                        sizeof *plan->layout_spans) &&
                tr_grow(memory, (void **)&plan->layout_changed, &plan->layout_changed_capacity, coloring->span_count,
                        sizeof *plan->layout_changed);
    /* the present layout may have moved, even if not all could grow */
    layout->hubs = plan->layout_hubs;
    layout->copies = plan->layout_copies;
    layout->spans = plan->layout_spans;
    layout->changed = plan->layout_changed;
    return done;
}

static void layout_hubs(tr_plan *plan)
{
    tr_coloring *coloring = &plan->coloring;
    if (!coloring->hubs_changed)
        return;
    tr_plan_written(plan);
    tr_hubs_sort(coloring);
    uint32_t copies = 0;
    for (uint32_t i = 0; i < coloring->hub_count; i++)
        copies = hub_number(plan, i, copies);
    plan->layout.hub_count = coloring->hub_count;
    plan->layout.copy_count = copies;
    plan->layout.copies_version++;
    coloring->hubs_changed = false;
}

static tr_plan_span span_of(const tr_span *span, uint32_t number)
{
    return (tr_plan_span){
        .unit = span->unit,
        .strand = span->strand,
        .color = span->color,
        .kind = span->kind,
        .number = number,
        .edge_count = span->count,
        .edges = span->edges,
        .copy = (const uint32_t(*)[2])span->copies,
        .changed = span->changed,
    };
}

/* appends the spans of a unit or strand that have edges, from the first on, to the layout */
static void list_chain(tr_plan *plan, uint32_t first, bool *seen)
{
    tr_coloring *coloring = &plan->coloring;
    tr_plan_layout *layout = &plan->layout;
    for (uint32_t i = first; i != TR_NONE; i = coloring->spans[i].next) {
        tr_span *span = &coloring->spans[i];
        if (span->count == 0)
            continue;
        span->place = layout->span_count++;
        plan->layout_spans[span->place] = span_of(span, i);
        layout->color_count += !seen[span->color];
        seen[span->color] = true;
    }
}

static void list_spans(tr_plan *plan)
{
    tr_coloring *coloring = &plan->coloring;
    tr_plan_layout *layout = &plan->layout;
    bool seen[TR_COLORS] = {false};
    layout->span_count = 0;
    layout->span_numbers = coloring->span_count;
    layout->color_count = 0;
    for (uint32_t unit = 0; unit < coloring->unit_count; unit++)
        list_chain(plan, coloring->first_span[unit], seen);
    for (uint32_t strand = 0; strand < coloring->strand_count; strand++)
        list_chain(plan, coloring->first_strand[strand], seen);
    list_chain(plan, coloring->first_seam, seen);
    layout->list_version++;
    coloring->list_known = true;
}

/* Updates the spans, and lists which of them have changed. */
static void layout_spans(tr_plan *plan)
{
    tr_coloring *coloring = &plan->coloring;
    tr_plan_layout *layout = &plan->layout;
    if (!coloring->list_known)
        list_spans(plan);
    layout->changed_count = 0;
    for (uint32_t i = 0; i < coloring->touched_count; i++) {
        const tr_span *span = &coloring->spans[coloring->touched[i]];
        if (span->count == 0)
            continue;
        plan->layout_spans[span->place] = span_of(span, coloring->touched[i]);
        plan->layout_changed[layout->changed_count++] = span->place;
    }
}

tr_status tr_plan_layout_get(tr_plan *plan, const tr_plan_layout **out)
{
    if (!plan->layout_known) {
        if (!tr_layout_reserve(plan, &plan->coloring))
            return TR_ERROR_MEMORY;
        layout_hubs(plan);
        layout_spans(plan);
        plan->layout.solved_edges = plan->coloring.solved_edges;
        plan->layout.max_degree = plan->max_degree;
        plan->layout_known = true;
    }
    *out = &plan->layout;
    return TR_OK;
}

void tr_plan_settle(tr_plan *plan)
{
    tr_coloring *coloring = &plan->coloring;
    for (uint32_t i = 0; i < coloring->touched_count; i++) {
        tr_span *span = &coloring->spans[coloring->touched[i]];
        span->touched = false;
        span->changed = 0;
        if (span->count > 0)
            plan->layout_spans[span->place].changed = 0;
    }
    coloring->touched_count = 0;
    plan->layout.changed_count = 0;
    tr_news_forget(plan);
}
