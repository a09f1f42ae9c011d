/* The solver's own state in an archive, and how a solver takes up what was read. */
#include "solver/core/solver_internal.h"

void trn_solver_state_archive(trn_solver_state *state, tr_archive *archive)
{
    tr_archive_value(archive, state->last_h);
    tr_archive_value(archive, state->correction_h);
    tr_archive_value(archive, state->late_span);
    tr_archive_value(archive, state->inv_h);
    tr_archive_flag(archive, &state->stiff);
    tr_archive_value(archive, state->steps);
    tr_archive_value(archive, state->plan_rebuilds);
}

trn_solver_state trn_solver_state_of(const trn_solver *solver)
{
    return (trn_solver_state){
        .last_h = solver->last_h,
        .correction_h = solver->correction_h,
        .late_span = solver->late_span,
        .inv_h = solver->report.inv_h,
        .stiff = solver->stiff,
        .steps = solver->report.steps,
        .plan_rebuilds = solver->report.plan_rebuilds,
    };
}

/* whether some joint was solved directly */
static bool have_direct(const trn_joints *joints)
{
    uint32_t any = 0;
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++) {
        for (uint32_t row = 0; joints[type].flags != NULL && row < joints[type].table.count; row++)
            any |= joints[type].flags[row];
    }
    return (any & TR_JOINT_WAS_EXACT) != 0;
}

void trn_solver_put(trn_solver *solver, const trn_joints *joints, const trn_solver_state *state, bool same_layout)
{
    /* Blocks know which of their joints are too stiff by the steps since they were laid out; without any, and without
       islands of the direct method, the layout only says where each joint is. */
    bool keeps = same_layout && solver->laid_out && !solver->stiff && !state->stiff && solver->chosen.core == 0 &&
                 !have_direct(joints);
    trn_solver_forget_layout(solver);
    solver->laid_out = keeps;
    solver->chosen.known = false;
    solver->chosen.last_known = false;
    /* shares of split bodies are of the loads of another time */
    solver->shares_vary = true;
    solver->last_h = state->last_h;
    solver->correction_h = state->correction_h;
    solver->late_span = state->late_span;
    solver->stiff = state->stiff;
    solver->report.inv_h = state->inv_h;
    solver->report.steps = state->steps;
    solver->report.plan_rebuilds = state->plan_rebuilds;
}

tr_status trn_solver_renew(const trn_solver *solver, trn_solver **out)
{
    trn_solver *fresh = NULL;
    tr_status status = trn_solver_create(solver->memory, &fresh);
    if (status != TR_OK)
        return status;
    fresh->report = solver->report;
    fresh->pace = solver->pace;
    fresh->on_all_threads = solver->on_all_threads;
    fresh->direct = solver->direct;
    fresh->mixed = solver->mixed;
    *out = fresh;
    return TR_OK;
}
