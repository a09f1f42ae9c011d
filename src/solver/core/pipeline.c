/*
 * Builds the list of a step's stages. Whole units run the entire step in one stage. The other units and the seams
 * between them take turns: a sub-step's work on a unit is done in as few visits as possible, one before each sweep of
 * the seams, and one more where the seams relax after the units.
 */
#include <assert.h>

#include "solver/core/solver_internal.h"

trn_action trn_warm_start_at(const trn_program *program, uint32_t substep)
{
    return (trn_action){.kind = TR_PASS,
                        .pass = TR_PASS_WARM_START,
                        .still = substep == 0 && !program->scheme->positions_first,
                        .known = substep > 0 && program->scheme->relax_each,
                        .label = TR_STAGE_WARM_START};
}

/* Action number `index` of a sub-step, from 0, but for .substep and .early. False if there is none. */
static bool action_at(const trn_program *program, uint32_t substep, uint32_t index, trn_action *out)
{
    const trn_scheme *scheme = program->scheme;
    bool last = substep + 1 == program->substeps, relaxes = scheme->relax_each || (scheme->relax_last && last);
    if (index-- == 0) {
        *out = (trn_action){.kind = TR_MOVE_VELOCITIES,
                            .rim_first = program->warms_first && (substep == 0 || program->late),
                            .label = TR_STAGE_INTEGRATE};
        return true;
    }
    if (scheme->positions_first && index-- == 0) {
        *out = (trn_action){.kind = TR_MOVE_POSITIONS, .label = TR_STAGE_INTEGRATE};
        return true;
    }
    if (scheme->warm_start && index-- == 0) {
        *out = trn_warm_start_at(program, substep);
        return true;
    }
    if (index < program->sweeps) {
        /* prepare has computed the geometry at the start of the first sub-step */
        bool known = index > 0 || (substep == 0 && scheme->first == TR_PASS_STEP);
        *out = (trn_action){.kind = TR_PASS,
                            .pass = known ? scheme->next : scheme->first,
                            .afresh = index == 0 && !scheme->warm_start,
                            .known = index > 0 || scheme->warm_start,
                            .passing = index + 1 == program->sweeps && !scheme->warm_start,
                            .ends = index + 1 == program->sweeps && !relaxes,
                            .label = TR_STAGE_SOLVE};
        return true;
    }
    index -= program->sweeps;
    /* unless positions move first, they move before the relaxing pass */
    if (!scheme->positions_first && index-- == 0) {
        *out = (trn_action){.kind = TR_MOVE_POSITIONS,
                            .rim_first = relaxes ? program->leads : scheme->warm_start,
                            .label = TR_STAGE_INTEGRATE};
        return true;
    }
    if (relaxes && index == 0) {
        *out = (trn_action){
            .kind = TR_PASS, .pass = TR_PASS_RELAX, .passing = last, .ends = true, .label = TR_STAGE_RELAX};
        return true;
    }
    return false;
}

/* the actions of all sub-steps; returns their number */
static uint32_t list_actions(const trn_program *program, trn_action *out)
{
    uint32_t count = 0;
    for (uint32_t substep = 0; substep < program->substeps; substep++) {
        for (uint32_t index = 0; action_at(program, substep, index, &out[count]); index++) {
            out[count].substep = substep;
            out[count++].early = substep < program->substeps / 2;
        }
    }
    return count;
}

typedef struct stage_list {
    tr_pipeline_stage *stages;
    trn_stage_data *data;
    uint32_t count, max_chunks;
    trn_stage_data visit; /* what units have yet to do before the seams continue */
    bool answers;         /* borders beside whole units respond, and answer after each colour */
} stage_list;

static void add_stage(stage_list *list, tr_chunk_fn *run, trn_stage_data data, uint32_t chunks, uint32_t label)
{
    if (chunks == 0)
        return;
    list->data[list->count] = data;
    list->stages[list->count] = (tr_pipeline_stage){run, &list->data[list->count], chunks, label, false, 0};
    list->count++;
    if (chunks > list->max_chunks)
        list->max_chunks = chunks;
}

/* whether the direct method solves all joints of these chunks, so that they need no stage */
static bool are_idle(const trn_solver *solver, uint32_t first, uint32_t end)
{
    const trn_chunk *chunks = solver->chunks.data;
    while (first < end && chunks[first].idle)
        first++;
    return first == end;
}

static void add_hubs(stage_list *list, const trn_solver *solver, const trn_action *action)
{
    const trn_hub *hubs = solver->hubs.data;
    uint32_t idle = 0;
    while (idle < solver->hub_count && hubs[idle].idle)
        idle++;
    if (idle < solver->hub_count)
        add_stage(list, trn_run_hub, (trn_stage_data){.action = *action}, solver->hub_count, action->label);
}

/* what borders answer to what seams have just done */
static void add_answers(stage_list *list, trn_stage_data data, uint32_t label)
{
    if (list->answers && data.action.kind == TR_PASS)
        add_stage(list, trn_run_answers, data, TR_RESPONSE_CHUNKS, label);
}

/* the seams: strands side by side, then the others colour by colour */
static void add_seams(stage_list *list, const trn_solver *solver, trn_stage_data data, uint32_t label)
{
    if (solver->strand_count > 0 && !are_idle(solver, trn_first_seam(solver), solver->color_first_chunk[0])) {
        add_stage(list, trn_run_strand, data, solver->strand_count, label);
        add_answers(list, data, label);
    }
    for (uint32_t c = 0; c < solver->color_count; c++) {
        uint32_t first = solver->color_first_chunk[c], end = solver->color_first_chunk[c + 1];
        data.first = first;
        if (are_idle(solver, first, end))
            continue;
        add_stage(list, trn_run_seams, data, end - first, label);
        add_answers(list, data, label);
    }
}

/* all seams at once, for work that changes no body */
static void add_all_seams(stage_list *list, const trn_solver *solver, trn_stage_data data, uint32_t label)
{
    data.first = trn_first_seam(solver);
    add_stage(list, trn_run_seams, data, solver->chunk_count - data.first, label);
}

/* the chunks of kernels that bounce, which come last in each colour; all instruction sets have the same kernels */
static void add_bounce(stage_list *list, const trn_solver *solver, trn_action action)
{
    const trn_stage_data bounce = {.action = action};
    const trn_chunk *chunks = solver->chunks.data;
    bool any = false;
    add_stage(list, trn_run_bounce_visit, bounce, solver->visit_count, TR_STAGE_RELAX);
    for (uint32_t c = trn_first_seam(solver); c < solver->color_first_chunk[0] && !any; c++)
        any = trn_kernels_scalar.joints[chunks[c].kernel].pass[TR_PASS_BOUNCE] != NULL;
    if (any) {
        add_stage(list, trn_run_strand, bounce, solver->strand_count, TR_STAGE_RELAX);
        add_answers(list, bounce, TR_STAGE_RELAX);
    }
    for (uint32_t c = 0; c < solver->color_count; c++) {
        uint32_t first = solver->color_first_chunk[c], end = solver->color_first_chunk[c + 1];
        while (first < end && trn_kernels_scalar.joints[chunks[first].kernel].pass[TR_PASS_BOUNCE] == NULL)
            first++;
        any = any || first < end;
        add_stage(list, trn_run_seams, (trn_stage_data){.first = first, .action = bounce.action}, end - first,
                  TR_STAGE_RELAX);
        if (first < end)
            add_answers(list, bounce, TR_STAGE_RELAX);
    }
    if (any)
        add_hubs(list, solver, &action);
    if (list->answers)
        add_stage(list, trn_run_responses, bounce, TR_RESPONSE_CHUNKS, TR_STAGE_RELAX);
}

/* whether there are contacts and one of them may bounce */
static bool bounces(const trn_solver *solver, const trn_program *program)
{
    return program->bounces && (solver->blocks[trn_kernel_of(TR_CONTACT, false)].count > 0 ||
                                solver->blocks[trn_kernel_of(TR_CONTACT, true)].count > 0);
}

/* units do what they have yet to do */
static void add_visit(stage_list *list, const trn_solver *solver)
{
    if (list->visit.actions == 0 && !list->visit.finishes)
        return;
    add_stage(list, trn_run_visit, list->visit, solver->visit_loose, TR_STAGE_COUNT);
    list->visit = (trn_stage_data){0};
}

static void leave_to_visit(stage_list *list, const trn_action *action, uint32_t index)
{
    list->visit.passes += action->kind == TR_PASS;
    if (list->visit.actions++ == 0)
        list->visit.first_action = index;
}

bool trn_splits_late(const trn_solver *solver)
{
    const trn_hub *hubs = solver->hubs.data;
    bool late = false;
    for (uint32_t i = 0; i < solver->hub_count && !late; i++)
        late = hubs[i].row < solver->loose_row;
    return late;
}

bool trn_seams_lead(const trn_solver *solver)
{
    const trn_chunk *chunks = solver->chunks.data;
    /* copies would be a sub-step ahead of the body that they are copies of */
    bool follow = trn_splits_late(solver);
    for (uint32_t c = trn_first_seam(solver); c < solver->chunk_count && !follow; c++)
        follow = trn_kernel_type(chunks[c].kernel) == TR_CONTACT;
    return !follow;
}

/* whether the units perform an action before the seams do */
static bool is_for_units_first(const trn_program *program, const trn_action *action)
{
    return action->kind == TR_PASS && (action->pass != TR_PASS_WARM_START || program->borders) &&
           !(action->pass == TR_PASS_RELAX && program->leads);
}

/* moves rows: on the rim, or in no unit */
static void add_move(stage_list *list, const trn_solver *solver, const trn_action *action, uint32_t index)
{
    trn_stage_data loose = {.first = solver->visit_loose, .first_action = index, .actions = 1};
    if (action->rim_first)
        add_stage(list, trn_run_move_rim, (trn_stage_data){.action = *action}, solver->visit_count,
                  (uint32_t)action->label);
    else
        add_stage(list, trn_run_visit, loose, solver->visit_count - solver->visit_loose, (uint32_t)action->label);
}

/* the seams' part in a pass */
static void add_pass(stage_list *list, const trn_solver *solver, const trn_program *program, const trn_action *action)
{
    bool last = action->substep + 1 == program->substeps, relaxing = action->pass == TR_PASS_RELAX;
    trn_stage_data pass = {.action = *action, .substep = action->substep + 1};
    if (action->pass == TR_PASS_WARM_START && program->warms_first)
        return;
    pass.warms = relaxing && !last && program->warms_first;
    /* what is solved after the pass may yet change impulses */
    pass.finishes = relaxing && last && !bounces(solver, program) && !program->divided;
    add_seams(list, solver, pass, action->label);
    if (!pass.warms)
        add_hubs(list, solver, action);
}

/* The same pass again, as often as islands ask for it; the visits are those of units near a border. */
static void add_repeats(stage_list *list, const trn_solver *solver, const trn_program *program, uint32_t index)
{
    const trn_action *action = (const trn_action *)solver->actions.data + index;
    static const tr_pipeline_question question = {trn_asks_for_repeat};
    uint32_t asked[TR_BORDER_PASSES];
    for (uint32_t i = 1; i < TR_BORDER_PASSES; i++) {
        asked[i] = list->count;
        add_stage(list, NULL, (trn_stage_data){0}, 1, (uint32_t)action->label);
        leave_to_visit(list, action, index);
        list->visit.action.repeats = true;
        add_visit(list, solver);
        add_pass(list, solver, program, action);
        add_stage(list, trn_run_responses, (trn_stage_data){.action = *action}, TR_RESPONSE_CHUNKS,
                  (uint32_t)action->label);
    }
    /* who does not ask for one does not ask for the next */
    for (uint32_t i = 1; i < TR_BORDER_PASSES; i++) {
        list->stages[asked[i]].data = &question;
        list->stages[asked[i]].optional = list->count - 1 - asked[i];
    }
}

/*
 * Bodies in no unit move as early as possible, because units read the positions of fixed bodies. Units are visited as
 * late as possible: before the seams perform a sweep, which the units must have completed. If the seams lead in the
 * relaxing pass, units relax in the visit of the next sub-step.
 */
static void add_action(stage_list *list, const trn_solver *solver, const trn_program *program, uint32_t index)
{
    const trn_action *action = (const trn_action *)solver->actions.data + index;
    bool moves_velocities = action->kind == TR_MOVE_VELOCITIES, first = action->substep == 0;
    if (moves_velocities && program->warms_first && !first && !program->scheme->relax_each)
        add_seams(list, solver, (trn_stage_data){.warms = true, .substep = action->substep}, TR_STAGE_WARM_START);
    leave_to_visit(list, action, index);
    if (moves_velocities || action->kind == TR_MOVE_POSITIONS)
        add_move(list, solver, action, index);
    /* units have read the places of bodies in no unit in their first visit, when they prepared their joints */
    if (action->kind == TR_MOVE_POSITIONS && first && program->warms_first && program->substeps > 1)
        add_stage(list, trn_run_begin_ahead, (trn_stage_data){.first = solver->visit_loose},
                  solver->visit_count - solver->visit_loose, TR_STAGE_INTEGRATE);
    if (moves_velocities && program->warms_first && first)
        add_seams(list, solver, (trn_stage_data){.action = trn_warm_start_at(program, 0)}, TR_STAGE_WARM_START);
    if (moves_velocities && program->warms_first)
        add_hubs(list, solver, action);
    if (is_for_units_first(program, action))
        add_visit(list, solver);
    if (action->kind == TR_PASS)
        add_pass(list, solver, program, action);
    if (!program->divided || !trn_is_responded_to(action))
        return;
    add_visit(list, solver);
    add_stage(list, trn_run_responses, (trn_stage_data){.action = *action}, TR_RESPONSE_CHUNKS,
              (uint32_t)action->label);
    if (trn_repeats(program, action))
        add_repeats(list, solver, program, index);
}

static void list_stages(stage_list *list, const trn_solver *solver, const trn_program *program)
{
    const trn_stage_data none = {0}, prepare = {.prepares = true}, finish = {.finishes = true};
    bool relaxes = program->scheme->relax_each || program->scheme->relax_last;
    add_stage(list, trn_run_rows, (trn_stage_data){.first = solver->plan_units},
              solver->unit_count - solver->plan_units, TR_STAGE_PREPARE);
    add_stage(list, trn_run_units, none, solver->plan_units, TR_STAGE_COUNT);
    add_all_seams(list, solver, prepare, TR_STAGE_PREPARE);
    list->visit.begins = true;
    for (uint32_t i = 0; i < solver->action_count && solver->visit_count > 0; i++)
        add_action(list, solver, program, i);
    if (bounces(solver, program)) {
        add_visit(list, solver);
        for (uint32_t i = 0; i <= TR_REBOUNDS; i++)
            add_bounce(list, solver, trn_bounce_at(i));
    }
    if (!relaxes || bounces(solver, program) || program->divided)
        add_all_seams(list, solver, finish, TR_STAGE_FINISH);
    list->visit.finishes = true;
    add_visit(list, solver);
    add_stage(list, trn_run_visit, (trn_stage_data){.first = solver->visit_loose, .finishes = true},
              solver->visit_count - solver->visit_loose, TR_STAGE_FINISH);
}

/* upper bounds of the number of stages: in a step outside of its sub-steps and bounces, and in a sub-step apart from
   its passes */
#define ONCE_MOST    12u
#define SUBSTEP_MOST 16u
/* and of the actions of a sub-step apart from its sweeps */
#define ACTIONS_MOST 4u

tr_status trn_solver_stages(trn_solver *solver, const trn_program *program, tr_method method)
{
    if (solver->stage_substeps == program->substeps && solver->stage_sweeps == program->sweeps &&
        solver->stage_method == method && solver->stage_bounces == program->bounces &&
        solver->stage_watches == program->watches && solver->stage_late == program->late &&
        solver->stage_leads == program->leads && solver->stage_borders == program->borders &&
        solver->stage_divided == program->divided)
        return TR_OK;
    /* the shares of a step with other passes are no estimate for this one */
    solver->shares_known = solver->shares_known && solver->stage_method == method &&
                           solver->stage_sweeps == program->sweeps &&
                           (solver->stage_substeps == program->substeps || solver->stage_substeps == 0);
    solver->stage_substeps = 0;
    /* a pass is a visit, the strands, a stage per colour, the hubs; and what borders answer: to each colour, to all, and if
       they ask for a repeat */
    uint64_t colors = program->divided ? 2 * (uint64_t)solver->color_count + 6 : (uint64_t)solver->color_count + 3;
    uint64_t repeats =
        program->divided && program->scheme->relax_each ? program->sweeps * (uint64_t)(TR_BORDER_PASSES - 1) : 0;
    uint64_t passes = 2 + program->sweeps + repeats;
    uint64_t most = ONCE_MOST + (1 + TR_REBOUNDS) * colors + program->substeps * (SUBSTEP_MOST + passes * colors);
    if (most > INT32_MAX)
        return TR_ERROR_LIMIT;
    /* fewer than a sub-step's stages, with colours */
    uint32_t actions = program->substeps * (ACTIONS_MOST + program->sweeps) + 1;
    if (!trn_array_reserve(solver->memory, &solver->actions, actions, sizeof(trn_action)) ||
        !trn_array_reserve(solver->memory, &solver->stages, (uint32_t)most, sizeof(tr_pipeline_stage)) ||
        !trn_array_reserve(solver->memory, &solver->stage_data, (uint32_t)most, sizeof(trn_stage_data)))
        return TR_ERROR_MEMORY;
    solver->action_count = list_actions(program, solver->actions.data);
    stage_list list = {
        .stages = solver->stages.data, .data = solver->stage_data.data, .answers = program->divided, .max_chunks = 1};
    list_stages(&list, solver, program);
    assert(list.count <= most);
    solver->stage_count = list.count;
    solver->stage_substeps = program->substeps;
    solver->stage_sweeps = program->sweeps;
    solver->stage_method = method;
    solver->stage_bounces = program->bounces;
    solver->stage_watches = program->watches;
    solver->stage_late = program->late;
    solver->stage_leads = program->leads;
    solver->stage_borders = program->borders;
    solver->stage_divided = program->divided;
    solver->max_chunks = list.max_chunks;
    return TR_OK;
}
