/* News: records the vertices whose edges changed, so that the caller need not examine all of them. */
#include "plan/plan_internal.h"

/* above this number, examining everything is as fast */
#define NEWS_MOST 4096u

static void note(tr_plan *plan, uint32_t vertex)
{
    if (plan->news_lost || (plan->news_count > 0 && plan->news[plan->news_count - 1] == vertex))
        return;
    plan->news_lost =
        plan->news_count == NEWS_MOST ||
        !tr_grow(plan->memory, (void **)&plan->news, &plan->news_capacity, plan->news_count + 1, sizeof *plan->news);
    if (!plan->news_lost)
        plan->news[plan->news_count++] = vertex;
}

void tr_news_of_edge(tr_plan *plan, uint32_t edge)
{
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(&plan->graph, edge, vertex);
    if (!tr_kind_is_among(plan->watched, plan->graph.edges[edge].kind))
        return;
    for (uint32_t end = 0; end < count; end++)
        note(plan, vertex[end]);
}

void tr_news_forget(tr_plan *plan)
{
    plan->news_count = 0;
    plan->news_lost = false;
}

void tr_plan_watch(tr_plan *plan, uint64_t kinds)
{
    plan->watched = kinds;
}

bool tr_plan_news(const tr_plan *plan, const uint32_t **vertices, uint32_t *count)
{
    *vertices = plan->news;
    *count = plan->news_count;
    return !plan->news_lost;
}

/* for vertices with this many edges, search the news for an earlier entry; for fewer, examining is cheaper */
#define SCANNED_EDGES 32u

bool tr_plan_news_repeats(const tr_plan *plan, uint32_t at)
{
    const uint32_t *news = plan->news;
    uint32_t before = tr_plan_degree(plan, news[at]) < SCANNED_EDGES ? at : 0;
    while (before < at && news[before] != news[at])
        before++;
    return before < at;
}

void tr_plan_touch_vertex(tr_plan *plan, uint32_t vertex)
{
    bool any = false;
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
        uint32_t edge = tr_half_edge(half), end[TR_ENDS], count = tr_graph_ends(&plan->graph, edge, end);
        if (!tr_kind_is_among(plan->watched, plan->graph.edges[edge].kind))
            continue;
        /* record the vertex only once, because the reader of the news visits all its edges */
        if (!any)
            note(plan, vertex);
        any = true;
        for (uint32_t i = 0; i < count; i++) {
            if (end[i] != vertex)
                note(plan, end[i]);
        }
    }
    if (any)
        plan->version++;
}
