/*
 * How much work it is to solve an island directly: the fill of the order in which its bodies and joints are eliminated
 * (dynamics/order.h), before it is solved, and of a part of it.
 */
#include "dynamics/order.h"
#include "solver/exact/exact_choose.h"

/* A body and joints, of those in the list from a place on; with a null `edges` only their numbers. */
typedef struct part {
    const trn_chosen *it;
    const trn_system *system;
    uint32_t first, count;
    uint8_t mark;
    uint32_t joint_count, edge_count;
    tr_sparse_edge *edges;
    bool *grounded;
    uint8_t *joints; /* on a body, or so many that it does not matter */
} part;

#define MANY 3u /* bodies with fewer joints are eliminated first (exact_shape.c) */

static bool is_listed(const part *p, uint32_t vertex)
{
    /* what is in no list has a place of another search, or none */
    const uint32_t at = p->it->local[vertex];
    return (p->it->marks[vertex] & p->mark) != 0 && at < p->count && p->it->list[p->first + at] == vertex;
}

static bool moves(const part *p, uint32_t vertex)
{
    return p->system->bodies->type[p->system->body_pool->row[vertex]] == TR_DYNAMIC;
}

static void add_edge(part *p, uint32_t vertex, uint32_t joint)
{
    const uint32_t body = p->it->local[vertex];
    if (p->edges != NULL) {
        p->edges[p->edge_count] = (tr_sparse_edge){body, p->count + joint, true};
        p->joints[body] = (uint8_t)(p->joints[body] + (p->joints[body] < MANY ? 1 : 0));
    }
    p->edge_count++;
}

/* A joint, when the search is at its first body. Joints to what moves and is not listed are left out. */
static void add_joint(part *p, uint32_t edge, uint32_t own)
{
    const tr_plan *plan = p->system->plan;
    const uint32_t ends = tr_plan_end_count(plan, edge);
    bool grounded = false;
    for (uint32_t end = 0; end < ends; end++) {
        const uint32_t vertex = tr_plan_end(plan, edge, end);
        const bool listed = is_listed(p, vertex);
        if ((listed && end < own) || (!listed && moves(p, vertex)))
            return;
        grounded = grounded || !listed;
    }
    for (uint32_t end = own; end < ends; end++) {
        const uint32_t vertex = tr_plan_end(plan, edge, end);
        bool again = !is_listed(p, vertex);
        for (uint32_t before = own; before < end; before++)
            again = again || tr_plan_end(plan, edge, before) == vertex;
        if (!again)
            add_edge(p, vertex, p->joint_count);
    }
    if (p->edges != NULL)
        p->grounded[p->count + p->joint_count] = grounded;
    p->joint_count++;
}

static void add_all(part *p)
{
    const tr_plan *plan = p->system->plan;
    p->joint_count = p->edge_count = 0;
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t half = tr_plan_first(plan, p->it->list[p->first + i]); half != TR_NONE;
             half = tr_plan_next(plan, half))
            if (trn_kernel_type(tr_plan_kind(plan, tr_half_edge(half))) != TR_CONTACT)
                add_joint(p, tr_half_edge(half), tr_half_end(half));
}

bool trn_chosen_work(trn_chosen *it, const trn_system *system, uint32_t first, uint32_t count, uint8_t mark,
                     uint64_t *work)
{
    part p = {.it = it, .system = system, .first = first, .count = count, .mark = mark};
    for (uint32_t i = 0; i < p.count; i++)
        it->local[it->list[first + i]] = i;
    add_all(&p);
    const uint32_t nodes = p.count + p.joint_count;
    const size_t bytes = (size_t)p.edge_count * sizeof(tr_sparse_edge) + 3 * (size_t)nodes + p.count;
    tr_sparse_edge *edges = tr_allocate(it->memory, bytes);
    if (edges == NULL)
        return false;
    uint8_t *size = (uint8_t *)(edges + p.edge_count);
    bool *early = (bool *)(size + nodes);
    p.edges = edges;
    p.grounded = early + nodes;
    p.joints = (uint8_t *)(p.grounded + nodes);
    add_all(&p);
    for (uint32_t i = 0; i < nodes; i++) {
        size[i] = i < p.count ? TRN_DEGREES : TRN_AXES;
        early[i] = i < p.count && p.joints[i] < MANY;
    }
    tr_order order;
    tr_order_init(&order, it->memory);
    const tr_sparse_shape shape = {nodes, p.count, size, p.grounded, early, edges, p.edge_count, NULL, true};
    const tr_status status = tr_order_make(&order, &shape);
    *work = 0;
    for (uint32_t i = 0; i < nodes && status == TR_OK; i++)
        *work += early[i] ? 0 : (uint64_t)(1 + order.length[i]) * (1 + order.length[i]);
    /* more than an order can have is too much for any */
    if (status == TR_ERROR_LIMIT)
        *work = UINT64_MAX;
    tr_order_free(&order);
    tr_release(it->memory, edges, bytes);
    return status != TR_ERROR_MEMORY;
}
