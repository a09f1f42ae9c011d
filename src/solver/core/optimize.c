/* Reorders table rows in memory: bodies near the bodies they are joined to, joints in the order of solving. */
#include "base/arithmetic.h"
#include "solver/core/solver_internal.h"

/* reorders the rows of bodies to the plan's order */
static bool reorder_bodies(const trn_system *system, tr_pool *pool, const uint32_t *order, uint32_t *rows)
{
    trn_bodies *bodies = system->bodies;
    for (uint32_t i = 0; i < bodies->table.count; i++)
        rows[i] = pool->row[order[i]];
    if (!tr_table_permute(&bodies->table, rows))
        return false;
    trn_bodies_refresh(bodies);
    for (uint32_t i = 0; i < bodies->table.count; i++)
        pool->row[order[i]] = i;
    return true;
}

/* reorders the rows of one joint type to the order of the spans; joints that are not solved come last */
static bool reorder_joints(const trn_system *system, tr_pool *pool, const tr_plan_layout *plan, uint32_t type,
                           uint32_t *rows)
{
    trn_joints *joints = &system->joints[type];
    uint32_t next = 0;
    for (uint32_t i = 0; i < plan->span_count; i++) {
        if (trn_kernel_type(plan->spans[i].kind) != type)
            continue;
        for (uint32_t e = 0; e < plan->spans[i].edge_count; e++)
            rows[next++] = pool->row[plan->spans[i].edges[e]];
    }
    for (uint32_t row = 0; row < joints->table.count && next < joints->table.count; row++)
        if (tr_plan_color(system->plan, joints->slot[row]) == TR_NONE)
            rows[next++] = row;
    if (!tr_table_permute(&joints->table, rows))
        return false;
    trn_joints_refresh(joints, (trn_joint_type)type);
    for (uint32_t row = 0; row < joints->table.count; row++)
        pool->row[joints->slot[row]] = row;
    return true;
}

/* reorders all rows to a fresh plan; rows stay consistent if memory is short */
static tr_status reorder(const trn_system *system, tr_pool *body_pool, tr_pool *joint_pool, const uint32_t *order,
                         uint32_t *rows)
{
    const tr_plan_layout *plan;
    tr_status status = tr_plan_layout_get(system->plan, &plan);
    if (status != TR_OK)
        return status;
    bool ok = reorder_bodies(system, body_pool, order, rows);
    for (uint32_t type = 0; ok && type < TR_TABLE_COUNT; type++)
        ok = reorder_joints(system, joint_pool, plan, type, rows);
    return ok ? TR_OK : TR_ERROR_MEMORY;
}

/* Lays out the packed data of steps in the new order, because the plan may be made while loading. If memory is short,
   the next step does it, or fails. */
static void lay_out(trn_solver *solver, const trn_system *system)
{
    tr_arithmetic before = tr_arithmetic_plain();
    (void)trn_solver_layout(solver, system);
    tr_arithmetic_restore(&before);
}

tr_status trn_solver_optimize(trn_solver *solver, trn_system *system, tr_pool *body_pool, tr_pool *joint_pool,
                              bool begun)
{
    uint32_t most = system->bodies->table.count;
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
        if (system->joints[type].table.count > most)
            most = system->joints[type].table.count;
    if (most == 0) {
        tr_plan_drop(system->plan);
        return TR_OK;
    }
    uint32_t *order = tr_allocate_array(solver->memory, most, sizeof *order);
    uint32_t *rows = tr_allocate_array(solver->memory, most, sizeof *rows);
    tr_status status = order != NULL && rows != NULL ? TR_OK : TR_ERROR_MEMORY;
    if (status == TR_OK)
        status = begun ? tr_plan_finish(system->plan, order) : tr_plan_optimize(system->plan, order);
    /* rows start to move here, so the layout must be rebuilt even after a failure */
    solver->laid_out = false;
    if (status == TR_OK) {
        status = reorder(system, body_pool, joint_pool, order, rows);
        /* rows, and pairs of shapes, must follow before the next contacts: their order depends on them */
        if (status != TR_OK)
            tr_plan_set_churn(system->plan, UINT32_MAX);
    }
    tr_release(solver->memory, order, most * sizeof *order);
    tr_release(solver->memory, rows, most * sizeof *rows);
    if (status == TR_OK) {
        solver->report.plan_rebuilds++;
        lay_out(solver, system);
    }
    return status;
}
