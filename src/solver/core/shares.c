/* Distributes the masses of split bodies over their copies. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "solver/core/solver_internal.h"
#include TRN_SHARES_FILE

/* the mass and inertia of a split body that one joint asks for */
typedef struct trn_wish {
    float mass, inertia;
} trn_wish;

/* least mass and inertia of the movable bodies at a joint's other ends; at most this body's own */
static void least_of_others(const trn_solver *solver, const trn_bodies *bodies, const uint32_t *end, uint32_t count,
                            uint32_t k, float *mass, float *inertia)
{
    const uint32_t *body_of_state = solver->body_of_state.data;
    *mass = bodies->mass[body_of_state[end[k]]];
    *inertia = trn_share_inertia(bodies, body_of_state[end[k]]);
    for (uint32_t i = 0; i < count; i++) {
        if (end[i] >= solver->moving_end)
            continue;
        uint32_t body = body_of_state[end[i]];
        *mass = bodies->mass[body] < *mass ? bodies->mass[body] : *mass;
        *inertia = fminf(trn_share_inertia(bodies, body), *inertia);
    }
}

/*
 * Each joint asks for the mass that it can use: that of the lightest body at its other ends, or all of this body's if
 * those are heavier or fixed. So the bearing of a hub does not get the small share of one of its thousand spokes. It
 * asks for the inertia of that mass at the anchor's distance, at most the body's own, and a little without a lever arm.
 * A joint with only a torque asks for the least inertia at its other ends, and for little mass.
 */
static trn_wish wish_of(const trn_solver *solver, const trn_system *system, const trn_joints *joints, uint32_t row,
                        const uint32_t *end, uint32_t count, uint32_t k)
{
    const trn_bodies *bodies = system->bodies;
    uint32_t body = ((const uint32_t *)solver->body_of_state.data)[end[k]];
    float own = bodies->mass[body], inertia = trn_share_inertia(bodies, body), other, theirs;
    least_of_others(solver, bodies, end, count, k, &other, &theirs);
    if (trn_only_turns(system, joints, row, k))
        return (trn_wish){1e-3f * other, theirs};
    float lever = other * trn_lever_of(solver, system, joints, row, end, k);
    return (trn_wish){other, (lever < inertia ? lever : inertia) + 1e-3f * inertia * (other / own)};
}

/*
 * If a split body holds much more than its own mass by rigid joints, its copies diverge together (docs/solver.md, how
 * much a body may carry). The sweeps then treat it as heavier, by the factor of what it holds over what it may hold
 * (trn_split_share()). The factor stays finite for absurd data.
 */
#define MOST_HEAVIER 1e18f

/* normalises the shares of a split body's rows to the sum 1; equal shares if nothing was asked for */
static void scale_shares(const trn_hub *hub, float *share)
{
    float sum = share[hub->row];
    for (uint32_t c = 0; c < hub->copies; c++)
        sum += share[hub->first_copy + c];
    bool none = !(sum > 0.0f);
    share[hub->row] = none ? 1.0f / (float)(hub->copies + 1) : share[hub->row] / sum;
    for (uint32_t c = 0; c < hub->copies; c++)
        share[hub->first_copy + c] = none ? 1.0f / (float)(hub->copies + 1) : share[hub->first_copy + c] / sum;
}

/* how many of a split body's joints are burdens; no more than matters */
static uint32_t count_burdens(const trn_solver *solver, const trn_system *system, const trn_hub *hub)
{
    const tr_plan *plan = system->plan;
    uint32_t count = 0, vertex = system->bodies->slot[((const uint32_t *)solver->body_of_state.data)[hub->row]];
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE && count < TRN_SPLIT_MANY;
         half = tr_plan_next(plan, half)) {
        uint32_t edge = tr_half_edge(half), kind = tr_plan_kind(plan, edge);
        count += trn_is_burden(&system->joints[trn_kernel_type(kind)], kind, system->joint_pool->row[edge]);
    }
    return count;
}

/* raises the sum of the shares from 1 to the factor by which the body is treated as heavier, and leaves that factor as
   the burden of each row */
static void make_heavier(trn_solver *solver, const trn_system *system, trn_hub *hub)
{
    float *share = solver->share.data, *inertia_share = solver->inertia_share.data, *burden = solver->burden.data;
    float sum = burden[hub->row], most = 0.0f;
    for (uint32_t c = 0; c < hub->copies; c++)
        sum += burden[hub->first_copy + c];
    if (sum > 0.0f)
        most = (float)trn_split_share(count_burdens(solver, system, hub));
    hub->heavier = sum > most ? fminf(sum / most, MOST_HEAVIER) : 1.0f;
    for (uint32_t c = 0; c <= hub->copies; c++) {
        uint32_t row = c < hub->copies ? hub->first_copy + c : hub->row;
        share[row] *= hub->heavier;
        inertia_share[row] *= hub->heavier;
        burden[row] = hub->heavier;
    }
}

static void share_masses(trn_solver *solver, const trn_system *system, const tr_plan_layout *plan)
{
    trn_hub *hubs = solver->hubs.data;
    const uint8_t *split = solver->split.data;
    float *share = solver->share.data, *inertia_share = solver->inertia_share.data, *burden = solver->burden.data;
    for (uint32_t i = 0; i < solver->hub_count; i++) {
        burden[hubs[i].row] = 0.0f;
        memset(burden + hubs[i].first_copy, 0, hubs[i].copies * sizeof *burden);
        share[hubs[i].row] = inertia_share[hubs[i].row] = 0.0f;
        memset(share + hubs[i].first_copy, 0, hubs[i].copies * sizeof *share);
        memset(inertia_share + hubs[i].first_copy, 0, hubs[i].copies * sizeof *inertia_share);
    }
    solver->shares_vary = false;
    /* unless a body has been split since its unit was planned, only seams act on split bodies */
    const bool late = trn_splits_late(solver);
    for (uint32_t i = 0; i < plan->span_count; i++) {
        const tr_plan_span *span = &plan->spans[i];
        const trn_joints *joints = &system->joints[trn_kernel_type(span->kind)];
        if (span->unit != TR_NONE && !late)
            continue;
        for (uint32_t e = 0; e < span->edge_count; e++) {
            uint32_t row = system->joint_pool->row[span->edges[e]];
            uint32_t end[TR_ENDS], count = trn_lane_rows(solver, system, span, e, end);
            for (uint32_t k = 0; k < count; k++) {
                /* a body at two ends of a joint is counted once */
                bool again = (k == 2 && end[2] == end[1]) || (k == 3 && (end[3] == end[0] || end[3] == end[2]));
                if (!split[end[k]] || again)
                    continue;
                /* levers of contacts and carriers change as bodies move: trn_lever_of() */
                solver->shares_vary = solver->shares_vary || k > 1 || joints == &system->joints[TR_CONTACT];
                trn_wish wish = wish_of(solver, system, joints, row, end, count, k);
                share[end[k]] += wish.mass;
                inertia_share[end[k]] += wish.inertia;
                if (trn_is_burden(joints, span->kind, row))
                    burden[end[k]] += trn_burden_of(solver, system, joints, row, end, k);
            }
        }
    }
    for (uint32_t i = 0; i < solver->hub_count; i++) {
        scale_shares(&hubs[i], share);
        scale_shares(&hubs[i], inertia_share);
        make_heavier(solver, system, &hubs[i]);
    }
    solver->loads = system->loads;
    solver->report.shares++;
}

void trn_share_masses(trn_solver *solver, const trn_system *system)
{
    const tr_plan_layout *plan = NULL;
    if (solver->hub_count == 0 || !solver->shares_due)
        return;
    /* it is known */
    tr_status status = tr_plan_layout_get(system->plan, &plan);
    assert(status == TR_OK);
    (void)status;
    share_masses(solver, system, plan);
    solver->shares_due = false;
}
