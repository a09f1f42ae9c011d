/*
 * The step. What it changes before bodies move is undone if it finds no memory, in the opposite order: a fresh plan and
 * the order of rows (solver/core/optimize.c), contacts and boxes (world/collision/before.h), what has woken (world/sleep).
 */
#include <stdarg.h>
#include <stdio.h>

#include "parallel/topology.h"
#include "world/core/check.h"
#include "world/core/joint_share.h"

/* s; outside of this range, 1/h or products with it overflow the solver's floats */
#define SUBSTEP_MIN 1e-12
#define SUBSTEP_MAX 1e6

static void write_log(const trn_world *world, tr_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void write_log(const trn_world *world, tr_log_level level, const char *format, ...)
{
    if (world->log.write == NULL)
        return;
    char message[TR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    world->log.write(level, message, world->log.context);
}

/* the solver's input, with pointers into the world */
static trn_system system_of(trn_world *world)
{
    trn_system system = {
        .bodies = &world->bodies,
        .body_pool = &world->body_pool,
        .joints = world->joints,
        .joint_pool = &world->joint_pool,
        .plan = world->plan,
        .team = world->team,
        .automatic_threads = world->threads == 0,
        .bounces = trn_parts_bounce(world),
        .follows = trn_parts_follow(world),
        .loads = world->loads,
        .settings = world->settings,
    };
    return system;
}

static uint32_t count_joints(const trn_world *world)
{
    uint32_t count = 0;
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++)
        count += world->joints[type].table.count;
    return count;
}

static tr_status no_memory_for_plan(const trn_check *check)
{
    return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for a new plan");
}

static void log_plan(const trn_world *world)
{
    write_log(world, TR_LOG_INFO, "planned afresh: %u bodies, %u joints", world->bodies.table.count,
              count_joints(world));
}

/* What a step has changed of plan and rows, and how it was before. */
typedef struct plan_before {
    uint64_t replan_step;
    uint32_t churn;
    bool begun, pairs_unsorted;
    bool taken; /* a fresh plan, by which rows have moved */
    trn_reordering rows;
} plan_before;

static plan_before plan_before_of(const trn_world *world)
{
    return (plan_before){.replan_step = world->replan_step,
                         .churn = tr_plan_churn(world->plan),
                         .begun = tr_plan_is_begun(world->plan),
                         .pairs_unsorted = world->pairs_unsorted};
}

/* makes a fresh plan, or completes the one that is begun, and takes it */
static tr_status take_plan(trn_world *world, bool begun, plan_before *before)
{
    trn_system system = system_of(world);
    tr_status status = trn_solver_make_plan(world->solver, &system, begun, &before->rows);
    if (status != TR_OK)
        return status;
    before->taken = true;
    trn_solver_take_plan(world->solver, &system, &world->body_pool, &world->joint_pool, &before->rows);
    return TR_OK;
}

/* makes a fresh plan at once */
static tr_status optimize(trn_world *world, const trn_check *check, plan_before *before)
{
    trn_pair_order pairs;
    if (!trn_pair_order_reserve(world, &pairs))
        return no_memory_for_plan(check);
    tr_status status = take_plan(world, false, before);
    if (status == TR_OK)
        trn_pairs_sort(world, &pairs);
    trn_pair_order_release(world, &pairs);
    if (status != TR_OK)
        return no_memory_for_plan(check);
    world->pairs_unsorted = false;
    trn_rest_rows(world);
    return TR_OK;
}

/* Repeated patches make a plan worse than a fresh one, but fresh plans are expensive if contacts come and go: with a
   quarter of the graph as threshold, they take a fifth of the step time of falling ragdolls. A fresh plan of a small
   world takes 5 us and 0.1 us per joint, which this many changes pay for. */
#define CHURN_LEAST 64u

/* What a fresh plan has to look at. It passes by what sleeps in a small part of the time that the rest takes, but where
   very much sleeps it still pays to make one less often. */
static uint64_t size_of(const trn_world *world)
{
    uint64_t size = (uint64_t)world->bodies.table.count + count_joints(world) + trn_parts_contacts(world);
    uint64_t asleep = world->sleep.asleep;
    if (asleep > 0)
        asleep += tr_plan_edge_count(world->plan) - tr_plan_solved_count(world->plan);
    return size - asleep + asleep / 16;
}

static bool wants_optimize(const trn_world *world)
{
    uint64_t size = size_of(world), threshold = size / 2 > CHURN_LEAST ? size / 2 : CHURN_LEAST;
    return size > 0 && tr_plan_churn(world->plan) > threshold;
}

/* Below this number of bodies, joints and contacts a fresh plan takes less than a millisecond. */
#define AT_ONCE_MOST 4096u

/* Whether a fresh plan is made in one step. The first one is, as there is none to go on with; and one without which the
   world is not in order; and one for more than an eighth of the world made since the last step, which the old plan
   would solve slowly and lay out in more memory. */
static bool wants_at_once(const trn_world *world)
{
    uint64_t size = size_of(world);
    return size <= AT_ONCE_MOST || trn_solver_last(world->solver)->plan_rebuilds == 0 ||
           (!tr_plan_is_begun(world->plan) && tr_plan_churn(world->plan) > size / 2 + size / 8);
}

/* brings the pairs into the order of bodies, in the step after the one that has changed it */
static tr_status sort_pairs(trn_world *world)
{
    trn_pair_order pairs;
    if (!trn_pair_order_reserve(world, &pairs))
        return TR_ERROR_MEMORY;
    trn_pairs_sort(world, &pairs);
    trn_pair_order_release(world, &pairs);
    world->pairs_unsorted = false;
    return TR_OK;
}

static tr_status finish_plan(trn_world *world, plan_before *before)
{
    tr_status status = take_plan(world, true, before);
    if (status != TR_OK)
        return status;
    world->replan_step = trn_solver_last(world->solver)->steps;
    world->pairs_unsorted = true;
    trn_rest_rows(world);
    return TR_OK;
}

/*
 * Makes a fresh plan if it is time. In a large world it is made in parts, one in each step, and the last step also
 * takes it. What a step does depends on counts only: which one it is after the one that began the plan. A step that
 * fails does not count, so that it does the same if it is called again.
 */
static tr_status replan(trn_world *world, const trn_check *check, plan_before *before)
{
    tr_plan *plan = world->plan;
    uint64_t steps = trn_solver_last(world->solver)->steps;
    bool wants = wants_optimize(world);
    if (wants && wants_at_once(world))
        return optimize(world, check, before);
    tr_status status = TR_OK;
    if (world->pairs_unsorted && steps > world->replan_step)
        status = sort_pairs(world);
    if (status == TR_OK && wants && !tr_plan_is_begun(plan)) {
        status = tr_plan_begin(plan);
        world->replan_step = steps;
    }
    if (status == TR_OK && tr_plan_is_begun(plan)) {
        uint64_t parts = steps - world->replan_step + 1;
        status = parts <= TR_PLAN_PARTS ? tr_plan_continue(plan, (uint32_t)parts) : finish_plan(world, before);
    }
    return status == TR_OK ? TR_OK : no_memory_for_plan(check);
}

static tr_status check_step(const trn_check *check, double dt, uint32_t substeps)
{
    tr_status status = trn_check_not_negative(check, "dt", dt);
    if (status != TR_OK)
        return status;
    if (substeps == 0 || substeps > TR_SUBSTEPS_MAX)
        return trn_check_fail(check, TR_ERROR_RANGE, "substeps", "is %u, must be 1 to %u", substeps, TR_SUBSTEPS_MAX);
    double h = dt / substeps;
    if (dt > 0.0 && (h < SUBSTEP_MIN || h > SUBSTEP_MAX))
        return trn_check_fail(check, TR_ERROR_RANGE, "dt", "makes a sub-step of %s s, must be %g to %g",
                              tr_number(h).text, SUBSTEP_MIN, SUBSTEP_MAX);
    return TR_OK;
}

/* logs bodies that the step has put into quarantine, once */
static void report_quarantine(trn_world *world)
{
    if (world->log.write == NULL)
        return;
    trn_bodies *bodies = &world->bodies;
    uint32_t count = 0;
    uint32_t first = 0;
    for (uint32_t row = 0; (row = trn_bodies_awake(bodies, row)) < bodies->table.count; row++) {
        if ((bodies->flags[row] & (TR_BODY_QUARANTINED | TR_BODY_REPORTED)) != TR_BODY_QUARANTINED)
            continue;
        bodies->flags[row] |= TR_BODY_REPORTED;
        /* the lowest slot, so that the message does not depend on the order of rows */
        if (count == 0 || bodies->slot[row] < bodies->slot[first])
            first = row;
        count++;
    }
    if (count > 0)
        write_log(world, TR_LOG_WARNING,
                  "%u %s turned non-finite and %s held still until set again; the first has slot %u, user data %llu",
                  count, count == 1 ? "body" : "bodies", count == 1 ? "is" : "are", bodies->slot[first],
                  (unsigned long long)(bodies->user_data != NULL ? bodies->user_data[first] : 0));
}

/* a trn_system.write_contacts */
static bool write_contacts(void *context, const uint64_t *joints, uint32_t count)
{
    return trn_parts_write(context, joints, count);
}

/* a trn_system.find_contact */
static bool find_contact(const void *context, uint32_t row, const trn_body_state *const body[2], trn_found_contact *out)
{
    return trn_parts_find_contact(context, row, body, out);
}

/* nothing can fail any more: a trn_system.settle */
static void settle(void *context)
{
    trn_parts_settle(context);
}

/* undoes all that a step has changed since */
static void undo(trn_world *world, plan_before *before)
{
    trn_system system = system_of(world);
    if (before->taken)
        trn_solver_take_plan_back(world->solver, &system, &world->body_pool, &world->joint_pool, &before->rows);
    if (!before->begun && tr_plan_is_begun(world->plan))
        tr_plan_drop(world->plan);
    world->replan_step = before->replan_step;
    world->pairs_unsorted = before->pairs_unsorted;
    trn_parts_undo(world);
    trn_sleep_undo(world);
    tr_plan_set_churn(world->plan, before->churn);
    trn_solver_forget_layout(world->solver);
}

/* nothing of it is to be undone any more */
static void leave(trn_world *world, plan_before *before)
{
    trn_sleep_leave(world);
    if (!before->taken)
        return;
    trn_system system = system_of(world);
    trn_solver_leave_plan(world->solver, &system, &before->rows);
    log_plan(world);
}

/* all of a step that can fail, after contacts are found */
static tr_status plan_and_solve(trn_world *world, const trn_check *check, double dt, uint32_t substeps,
                                plan_before *before)
{
    double begin = tr_clock_seconds();
    tr_status status = replan(world, check, before);
    if (status != TR_OK)
        return status;
    world->plan_seconds = tr_clock_seconds() - begin;
    status = trn_parts_ready(world, check);
    if (status != TR_OK)
        return status;
    trn_system system = system_of(world);
    system.write_contacts = write_contacts;
    system.settle = settle;
    system.settle_context = world;
    system.find_contact = TRN_HAS_SHAPES ? find_contact : NULL;
    trn_watched watched = trn_watches_list(&world->watches);
    trn_solver_watch(world->solver, &watched);
    status = trn_solver_step(world->solver, &system, dt, substeps);
    if (status != TR_OK)
        return trn_check_fail(check, status, "", "%s",
                              status == TR_ERROR_LIMIT ? "more joints and contacts than the solver can count"
                                                       : "no memory for the solver");
    return TR_OK;
}

/* What comes before: what edits have left to a step is done, and it is kept what is to be undone if it fails. */
static tr_status begin_step(trn_world *world, const trn_check *check, plan_before *out)
{
    if (!trn_joint_shares_settle(world))
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory to plan joints anew");
    *out = plan_before_of(world);
    trn_sleep_keep(world);
    tr_status status = trn_parts_keep(world, check);
    if (status != TR_OK)
        trn_parts_leave(world, true);
    return status;
}

static tr_status wake(trn_world *world, const trn_check *check)
{
    return trn_sleep_begin(world) ? TR_OK : trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory to plan joints anew");
}

/* lets go of what was before, or goes back to it */
static tr_status end_step(trn_world *world, plan_before *before, tr_status status)
{
    if (status == TR_OK)
        leave(world, before);
    else
        undo(world, before);
    trn_parts_leave(world, status != TR_OK);
    return status;
}

/* all of a step that can fail; then it is undone */
static tr_status collide_and_solve(trn_world *world, const trn_check *check, double dt, uint32_t substeps)
{
    plan_before before = {0};
    tr_status status = begin_step(world, check, &before);
    if (status != TR_OK)
        return status;
    status = wake(world, check);
    if (status == TR_OK)
        status = trn_parts_begin(world, check, dt);
    if (status == TR_OK)
        status = plan_and_solve(world, check, dt, substeps, &before);
    return end_step(world, &before, status);
}

/* a step, or the part of one after which joints break; `first`, `last`: of these */
static tr_status step_part(trn_world *world, const trn_check *check, double dt, uint32_t substeps, bool first,
                           bool last)
{
    tr_status status = collide_and_solve(world, check, dt, substeps);
    if (status != TR_OK)
        return status;
    world->dt = dt;
    /* forces last for one step, and persist if it fails */
    if (last)
        trn_bodies_clear_forces(&world->bodies);
    trn_parts_end(world, last);
    trn_events_collect(world, dt, first);
    report_quarantine(world);
    trn_sleep_end(world, dt, last);
    return TR_OK;
}

/* A step in parts of one sub-step. If one of them finds no memory, the world is as it was before the first. */
static tr_status step_in_parts(trn_world *world, const trn_check *check, double h, uint32_t parts)
{
    trn_kept_state kept;
    if (trn_state_keep(world, &kept) != TR_OK)
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory to keep the state before the step");
    tr_status status = TR_OK;
    for (uint32_t part = 0; part < parts && status == TR_OK; part++)
        status = step_part(world, check, h, 1, part == 0, part + 1 == parts);
    trn_state_leave(world, &kept, status != TR_OK);
    return status;
}

tr_status trn_do_world_optimize(trn_world *world)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_optimize", "");
    plan_before before = {0};
    tr_status status = begin_step(world, &check, &before);
    if (status != TR_OK)
        return status;
    status = wake(world, &check);
    if (status == TR_OK)
        status = trn_parts_find(world, &check);
    if (status == TR_OK)
        status = optimize(world, &check, &before);
    if (status == TR_OK)
        trn_parts_settle(world);
    return end_step(world, &before, status);
}

tr_status trn_do_world_step(trn_world *world, double dt, uint32_t substeps)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_step", "");
    tr_status status = check_step(&check, dt, substeps);
    if (status != TR_OK)
        return status;
    if (dt == 0.0) {
        world->watches.event_count = world->sleep.event_count = 0;
        trn_parts_idle(world);
        return TR_OK;
    }
    const uint32_t parts = trn_breaking_parts(world, substeps);
    if (!trn_events_reserve(world, parts))
        return trn_check_fail(&check, TR_ERROR_MEMORY, "", "no memory for events");
    status = parts == 1 ? step_part(world, &check, dt, substeps, true, true)
                        : step_in_parts(world, &check, dt / parts, parts);
    if (status == TR_OK) {
        world->step_dt = dt;
        world->step_substeps = substeps;
    }
    return status;
}
