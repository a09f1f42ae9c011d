/*
 * How much work it would be to solve an island directly: its bodies are eliminated one after another, with as few others
 * beside them as possible each (dynamics/order.h). What is left to joints, the order of the direct method itself, differs
 * from that by a factor that is much the same for all islands.
 */
#include "dynamics/order.h"
#include "solver/exact/exact_choose.h"

static bool is_listed(const trn_chosen *it, uint32_t vertex, uint8_t mark, uint32_t first, uint32_t count)
{
    /* what is in no list has a place of another search, or none */
    return (it->marks[vertex] & mark) != 0 && it->local[vertex] < count &&
           it->list[first + it->local[vertex]] == vertex;
}

/* Pairs of bodies that a joint connects, of those from a place in the list on; with a null list their number. */
static uint32_t list_edges(const trn_chosen *it, const trn_system *system, uint32_t first, uint8_t mark,
                           tr_sparse_edge *out)
{
    const tr_plan *plan = system->plan;
    const uint32_t count = it->count - first;
    uint32_t edges = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t half = tr_plan_first(plan, it->list[first + i]); half != TR_NONE;
             half = tr_plan_next(plan, half)) {
            const uint32_t edge = tr_half_edge(half);
            if (trn_kernel_type(tr_plan_kind(plan, edge)) == TR_CONTACT)
                continue;
            for (uint32_t end = tr_half_end(half) + 1; end < tr_plan_end_count(plan, edge); end++) {
                const uint32_t other = tr_plan_end(plan, edge, end);
                if (other == it->list[first + i] || !is_listed(it, other, mark, first, count))
                    continue;
                if (out != NULL)
                    out[edges] = (tr_sparse_edge){i, it->local[other], true};
                edges++;
            }
        }
    return edges;
}

bool trn_chosen_work(trn_chosen *it, const trn_system *system, uint32_t first, uint8_t mark, uint64_t *work)
{
    const uint32_t count = it->count - first;
    for (uint32_t i = 0; i < count; i++)
        it->local[it->list[first + i]] = i;
    const uint32_t edge_count = list_edges(it, system, first, mark, NULL);
    const size_t bytes = (size_t)edge_count * sizeof(tr_sparse_edge) + 2 * (size_t)count;
    tr_sparse_edge *edges = tr_allocate(it->memory, bytes);
    if (edges == NULL)
        return false;
    uint8_t *size = (uint8_t *)(edges + edge_count);
    bool *grounded = (bool *)(size + count);
    (void)list_edges(it, system, first, mark, edges);
    for (uint32_t i = 0; i < count; i++) {
        size[i] = 1;
        grounded[i] = false;
    }
    tr_order order;
    tr_order_init(&order, it->memory);
    const tr_sparse_shape shape = {count, count, size, grounded, NULL, edges, edge_count, NULL, false};
    const tr_status status = tr_order_make(&order, &shape);
    *work = 0;
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        *work += (uint64_t)(1 + order.length[i]) * (1 + order.length[i]);
    /* more than an order can have is too much for any */
    if (status == TR_ERROR_LIMIT)
        *work = UINT64_MAX;
    tr_order_free(&order);
    tr_release(it->memory, edges, bytes);
    return status != TR_ERROR_MEMORY;
}
