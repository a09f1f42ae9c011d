/* Reorders table rows in memory: bodies near the bodies they are joined to, joints in the order of solving. */
#include "base/arithmetic.h"
#include "solver/core/solver_internal.h"

#include <assert.h>
#include <string.h>

static void include(trn_reordering *it, const tr_table *table)
{
    uint32_t rows = table->count;
    size_t scratch = tr_table_scratch(table, rows);
    it->most = rows > it->most ? rows : it->most;
    it->row_count += rows;
    it->scratch_size = scratch > it->scratch_size ? scratch : it->scratch_size;
}

static void release(trn_reordering *it, tr_memory *memory)
{
    tr_release(memory, it->order, it->most * sizeof *it->order);
    tr_release(memory, it->rows, it->row_count * sizeof *it->rows);
    tr_release(memory, it->scratch, it->scratch_size);
}

static bool reserve(trn_reordering *it, const trn_system *system, tr_memory *memory)
{
    *it = (trn_reordering){.rest_first = system->bodies->rest_first, .rest_end = system->bodies->rest_end};
    include(it, &system->bodies->table);
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
        include(it, &system->joints[type].table);
    if (it->most == 0)
        return true;
    /* not cleared: most of it may belong to rows that sleep, which stay */
    it->order = tr_allocate_unset(memory, it->most, sizeof *it->order);
    it->rows = tr_allocate_unset(memory, it->row_count, sizeof *it->rows);
    it->scratch = tr_allocate_unset(memory, it->scratch_size, 1);
    if (it->order != NULL && it->rows != NULL && it->scratch != NULL)
        return true;
    release(it, memory);
    return false;
}

/* Moves row rows[at[i]] to row at[i], for a few rows of a table. */
static void permute_few(tr_table *table, const uint32_t *rows, const uint32_t *at, uint32_t count, char *scratch)
{
    tr_archive_touch(&table->group);
    for (uint32_t i = 0; i < table->column_count; i++) {
        const size_t size = table->sizes[i];
        char *column = table->columns[i];
        for (uint32_t k = 0; k < count && column != NULL; k++)
            memcpy(scratch + k * size, column + rows[at[k]] * size, size);
        for (uint32_t k = 0; k < count && column != NULL; k++)
            memcpy(column + at[k] * size, scratch + k * size, size);
    }
}

/* Reorders a table, and lets its pool know. Rows that stay, as most of those of what sleeps do, are not touched. The order
   of bodies is not needed any more. */
static void permute(tr_table *table, const uint32_t *slots, tr_pool *pool, const trn_reordering *it,
                    const uint32_t *rows)
{
    uint32_t moved = 0, *at = it->order;
    for (uint32_t row = 0; row < table->count; row++) {
        at[moved] = row;
        moved += rows[row] != row;
    }
    uint32_t end = moved > 0 ? at[moved - 1] + 1 : 0;
    if (moved < end / 4)
        permute_few(table, rows, at, moved, it->scratch);
    else
        tr_table_permute(table, rows, end, it->scratch);
    for (uint32_t i = 0; i < moved; i++)
        tr_pool_set_row(pool, slots[at[i]], at[i]);
}

/* Its inverse. */
static void permute_back(tr_table *table, const uint32_t *slots, tr_pool *pool, const trn_reordering *it,
                         const uint32_t *rows)
{
    for (uint32_t row = 0; row < table->count; row++)
        it->order[rows[row]] = row;
    tr_table_permute(table, it->order, table->count, it->scratch);
    for (uint32_t row = 0; row < table->count; row++)
        tr_pool_set_row(pool, slots[row], row);
}

/* Rows behind the first `next` of the new order. Those that have themselves in rows[] stay; in the gaps between them come
   the rows that the first ones displace. */
static void keep_rest(uint32_t *rows, uint32_t next, uint32_t count, const uint32_t *displaced,
                      uint32_t displaced_count)
{
    for (uint32_t i = 0; i < displaced_count; i++) {
        while (next < count && rows[next] == next)
            next++;
        rows[next++] = displaced[i];
    }
}

/* reorders the rows of bodies to the plan's order, but for those that sleep: these come last, most where they were */
static void reorder_bodies(const trn_system *system, tr_pool *pool, const trn_reordering *it, uint32_t *rows)
{
    trn_bodies *bodies = system->bodies;
    uint32_t next = 0, awake = 0, count = bodies->table.count;
    for (uint32_t row = 0; row < count; row++)
        awake += (bodies->flags[row] & TR_BODY_ASLEEP) == 0;
    for (uint32_t i = 0; next < awake; i++) {
        uint32_t row = pool->row[it->order[i]];
        if ((bodies->flags[row] & TR_BODY_ASLEEP) == 0)
            rows[next++] = row;
    }
    bodies->rest_first = next;
    bodies->rest_end = count;
    uint32_t displaced = 0;
    for (uint32_t row = 0; row < count; row++) {
        bool sleeps = (bodies->flags[row] & TR_BODY_ASLEEP) != 0;
        if (row >= next)
            rows[row] = sleeps ? row : TR_NONE;
        else if (sleeps)
            it->order[displaced++] = row;
    }
    keep_rest(rows, next, count, it->order, displaced);
    permute(&bodies->table, bodies->slot, pool, it, rows);
}

/* reorders the rows of one joint type to the order of the spans; joints that are not solved come last */
static void reorder_joints(const trn_system *system, tr_pool *pool, const tr_plan_layout *plan, uint32_t type,
                           const trn_reordering *it, uint32_t *rows)
{
    trn_joints *joints = &system->joints[type];
    uint32_t next = 0, displaced = 0, count = joints->table.count;
    for (uint32_t i = 0; i < plan->span_count; i++) {
        if (trn_kernel_type(plan->spans[i].kind) != type)
            continue;
        for (uint32_t e = 0; e < plan->spans[i].edge_count; e++)
            rows[next++] = pool->row[plan->spans[i].edges[e]];
    }
    /* where something sleeps these may be very many, and keep their rows where they can */
    bool stays = system->bodies->rest_first < system->bodies->rest_end;
    for (uint32_t row = 0; row < count && (stays || next < count); row++) {
        bool solved = tr_plan_color(system->plan, joints->slot[row]) != TR_NONE;
        if (!stays && !solved)
            rows[next++] = row;
        else if (stays && row >= next)
            rows[row] = solved ? TR_NONE : row;
        else if (stays && !solved)
            it->order[displaced++] = row;
    }
    keep_rest(rows, next, count, it->order, displaced);
    permute(&joints->table, joints->slot, pool, it, rows);
}

/* Lays out the packed data of steps in the new order, because the plan may be made while loading. If memory is short,
   the next step does it, or fails. */
static void lay_out(trn_solver *solver, const trn_system *system)
{
    tr_arithmetic before = tr_arithmetic_plain();
    (void)trn_solver_layout(solver, system);
    tr_arithmetic_restore(&before);
}

/* What can fail comes first: rows, and pairs of shapes, must follow a fresh plan before the next contacts, whose order
   depends on them. */
tr_status trn_solver_make_plan(trn_solver *solver, const trn_system *system, bool begun, trn_reordering *out)
{
    if (!reserve(out, system, solver->memory))
        return TR_ERROR_MEMORY;
    tr_status status = TR_OK;
    if (out->most > 0)
        status = begun ? tr_plan_complete(system->plan, &out->fresh) : tr_plan_make(system->plan, &out->fresh);
    if (status != TR_OK)
        release(out, solver->memory);
    return status;
}

void trn_solver_take_plan(trn_solver *solver, trn_system *system, tr_pool *body_pool, tr_pool *joint_pool,
                          trn_reordering *it)
{
    if (it->most == 0)
        return;
    tr_plan_take(system->plan, it->fresh, it->order);
    const tr_plan_layout *plan = NULL;
    /* there is room for it */
    tr_status status = tr_plan_layout_get(system->plan, &plan);
    assert(status == TR_OK);
    (void)status;
    uint32_t *rows = it->rows;
    reorder_bodies(system, body_pool, it, rows);
    rows += system->bodies->table.count;
    for (uint32_t type = 0; type < TR_TABLE_COUNT; rows += system->joints[type].table.count, type++)
        reorder_joints(system, joint_pool, plan, type, it, rows);
    solver->laid_out = false;
    solver->report.plan_rebuilds++;
    lay_out(solver, system);
}

void trn_solver_take_plan_back(trn_solver *solver, trn_system *system, tr_pool *body_pool, tr_pool *joint_pool,
                               trn_reordering *it)
{
    if (it->most == 0)
        return;
    const uint32_t *rows = it->rows;
    permute_back(&system->bodies->table, system->bodies->slot, body_pool, it, rows);
    rows += system->bodies->table.count;
    for (uint32_t type = 0; type < TR_TABLE_COUNT; rows += system->joints[type].table.count, type++)
        permute_back(&system->joints[type].table, system->joints[type].slot, joint_pool, it, rows);
    system->bodies->rest_first = it->rest_first;
    system->bodies->rest_end = it->rest_end;
    tr_plan_take_back(system->plan, it->fresh);
    solver->laid_out = false;
    solver->report.plan_rebuilds--;
    release(it, solver->memory);
}

void trn_solver_leave_plan(trn_solver *solver, trn_system *system, trn_reordering *it)
{
    if (it->most == 0) {
        tr_plan_drop(system->plan);
        return;
    }
    tr_plan_discard(system->plan, it->fresh);
    release(it, solver->memory);
}
