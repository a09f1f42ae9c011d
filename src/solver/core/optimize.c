/* Reorders table rows in memory: bodies near the bodies they are joined to, joints in the order of solving. */
#include "base/arithmetic.h"
#include "solver/core/solver_internal.h"

#include <assert.h>

static void include(trn_reordering *it, const tr_table *table, uint32_t coming)
{
    uint32_t rows = table->count + coming;
    size_t scratch = tr_table_scratch(table, rows);
    it->most = rows > it->most ? rows : it->most;
    it->scratch_size = scratch > it->scratch_size ? scratch : it->scratch_size;
}

static void release(trn_reordering *it, tr_memory *memory)
{
    tr_release(memory, it->order, it->most * sizeof *it->order);
    tr_release(memory, it->rows, it->most * sizeof *it->rows);
    tr_release(memory, it->scratch, it->scratch_size);
}

static bool reserve(trn_reordering *it, const trn_system *system, uint32_t coming, tr_memory *memory)
{
    *it = (trn_reordering){0};
    include(it, &system->bodies->table, coming);
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
        include(it, &system->joints[type].table, coming);
    if (it->most == 0)
        return true;
    it->order = tr_allocate_array(memory, it->most, sizeof *it->order);
    it->rows = tr_allocate_array(memory, it->most, sizeof *it->rows);
    it->scratch = tr_allocate(memory, it->scratch_size);
    if (it->order != NULL && it->rows != NULL && it->scratch != NULL)
        return true;
    release(it, memory);
    return false;
}

/* Reorders a table. Rows at the end that stay, as those of what sleeps do, are not touched. Returns how many are. */
static uint32_t permute(tr_table *table, const trn_reordering *it)
{
    uint32_t count = table->count;
    while (count > 0 && it->rows[count - 1] == count - 1)
        count--;
    tr_table_permute(table, it->rows, count, it->scratch);
    return count;
}

/* reorders the rows of bodies to the plan's order, but for those that sleep: these come last, as they were */
static void reorder_bodies(const trn_system *system, tr_pool *pool, const trn_reordering *it)
{
    trn_bodies *bodies = system->bodies;
    uint32_t next = 0;
    for (uint32_t i = 0; i < bodies->table.count; i++) {
        uint32_t row = pool->row[it->order[i]];
        if ((bodies->flags[row] & TR_BODY_ASLEEP) == 0)
            it->rows[next++] = row;
    }
    bodies->rest_first = next;
    bodies->rest_end = bodies->table.count;
    for (uint32_t row = 0; next < bodies->table.count; row++) {
        if ((bodies->flags[row] & TR_BODY_ASLEEP) != 0)
            it->rows[next++] = row;
    }
    uint32_t moved = permute(&bodies->table, it);
    for (uint32_t row = 0; row < moved; row++)
        pool->row[bodies->slot[row]] = row;
}

/* reorders the rows of one joint type to the order of the spans; joints that are not solved come last */
static void reorder_joints(const trn_system *system, tr_pool *pool, const tr_plan_layout *plan, uint32_t type,
                           const trn_reordering *it)
{
    trn_joints *joints = &system->joints[type];
    uint32_t next = 0, *rows = it->rows;
    for (uint32_t i = 0; i < plan->span_count; i++) {
        if (trn_kernel_type(plan->spans[i].kind) != type)
            continue;
        for (uint32_t e = 0; e < plan->spans[i].edge_count; e++)
            rows[next++] = pool->row[plan->spans[i].edges[e]];
    }
    for (uint32_t row = 0; row < joints->table.count && next < joints->table.count; row++)
        if (tr_plan_color(system->plan, joints->slot[row]) == TR_NONE)
            rows[next++] = row;
    uint32_t moved = permute(&joints->table, it);
    for (uint32_t row = 0; row < moved; row++)
        pool->row[joints->slot[row]] = row;
}

/* Lays out the packed data of steps in the new order, because the plan may be made while loading. If memory is short,
   the next step does it, or fails. */
static void lay_out(trn_solver *solver, const trn_system *system)
{
    tr_arithmetic before = tr_arithmetic_plain();
    (void)trn_solver_layout(solver, system);
    tr_arithmetic_restore(&before);
}

/* follows a fresh plan that the plan has just taken */
static void reorder(trn_solver *solver, trn_system *system, tr_pool *body_pool, tr_pool *joint_pool, trn_reordering *it)
{
    const tr_plan_layout *plan = NULL;
    /* there is room for it */
    tr_status status = tr_plan_layout_get(system->plan, &plan);
    assert(status == TR_OK);
    (void)status;
    reorder_bodies(system, body_pool, it);
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
        reorder_joints(system, joint_pool, plan, type, it);
    solver->laid_out = false;
    solver->report.plan_rebuilds++;
    release(it, solver->memory);
    lay_out(solver, system);
}

/* What can fail comes first: rows, and pairs of shapes, must follow a fresh plan before the next contacts, whose order
   depends on them. */
tr_status trn_solver_make_plan(trn_solver *solver, const trn_system *system, uint32_t coming, trn_reordering *out)
{
    if (!reserve(out, system, coming, solver->memory))
        return TR_ERROR_MEMORY;
    tr_status status = out->most > 0 ? tr_plan_make(system->plan, &out->fresh) : TR_OK;
    if (status != TR_OK)
        release(out, solver->memory);
    return status;
}

void trn_solver_take_plan(trn_solver *solver, trn_system *system, tr_pool *body_pool, tr_pool *joint_pool,
                          trn_reordering *it)
{
    if (it->most == 0) {
        tr_plan_drop(system->plan);
        return;
    }
    tr_plan_take(system->plan, it->fresh, it->order);
    reorder(solver, system, body_pool, joint_pool, it);
}

tr_status trn_solver_finish_plan(trn_solver *solver, trn_system *system, tr_pool *body_pool, tr_pool *joint_pool)
{
    trn_reordering it;
    if (!reserve(&it, system, 0, solver->memory))
        return TR_ERROR_MEMORY;
    if (it.most == 0) {
        tr_plan_drop(system->plan);
        return TR_OK;
    }
    tr_status status = tr_plan_finish(system->plan, it.order);
    if (status == TR_OK)
        reorder(solver, system, body_pool, joint_pool, &it);
    else
        release(&it, solver->memory);
    return status;
}
