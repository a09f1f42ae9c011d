/* The solver: one step, and the order of rows in memory. */
#include <string.h>

#include "base/angle.h"
#include "base/arithmetic.h"
#include "parallel/topology.h"
#include "solver/core/method.h"
#include "solver/core/solver_internal.h"
#include "solver/exact/exact_border.h"

/* joints, or bodies divided by four, per worker: below this another worker costs more than it gains
   (docs/threads.md) */
#define WORK_PER_WORKER 1000u

/* above a few level 2 caches, prefetch blocks and bodies (docs/plan.md); below it costs a little */
#define LEVEL_2_BYTES (3u << 20)

/* how far ahead, in blocks of seams; units prefetch the next unit (stage_units.c) */
#define BLOCKS_AHEAD 8u

tr_status trn_solver_create(tr_memory *memory, trn_solver **out)
{
    trn_solver *solver = tr_allocate(memory, sizeof *solver);
    if (solver == NULL)
        return TR_ERROR_MEMORY;
    solver->memory = memory;
    *out = solver;
    return TR_OK;
}

static void release_array(tr_memory *memory, trn_array *array, size_t size)
{
    tr_release(memory, array->data, array->capacity * size);
}

void trn_solver_destroy(trn_solver *solver)
{
    if (solver == NULL)
        return;
    tr_memory *m = solver->memory;
    release_array(m, &solver->state_of_body, sizeof(uint32_t));
    release_array(m, &solver->body_of_state, sizeof(uint32_t));
    release_array(m, &solver->tile_bodies, sizeof(uint32_t));
    release_array(m, &solver->share, sizeof(float));
    release_array(m, &solver->inertia_share, sizeof(float));
    release_array(m, &solver->burden, sizeof(float));
    release_array(m, &solver->split, sizeof(uint8_t));
    release_array(m, &solver->hubs, sizeof(trn_hub));
    release_array(m, &solver->places, sizeof(trn_body_place));
    release_array(m, &solver->velocities, sizeof(trn_body_velocity));
    release_array(m, &solver->poses, sizeof(trn_body_pose));
    release_array(m, &solver->scale, TRN_TILE / TR_LANES * sizeof(float));
    release_array(m, &solver->gain, TRN_TILE / TR_LANES * sizeof(float));
    release_array(m, &solver->low, TRN_TILE / TR_LANES * sizeof(float));
    release_array(m, &solver->marks, sizeof(uint8_t));
    release_array(m, &solver->rims, sizeof(uint8_t));
    release_array(m, &solver->stiffness, sizeof(float));
    release_array(m, &solver->chunks, sizeof(trn_chunk));
    release_array(m, &solver->strands, sizeof(uint32_t));
    release_array(m, &solver->places_apart, TR_LANES * sizeof(float));
    release_array(m, &solver->span_places, sizeof(trn_span_place));
    release_array(m, &solver->units, sizeof(trn_unit));
    release_array(m, &solver->visits, sizeof(uint32_t));
    trn_exact_destroy(solver->exact);
    trn_chosen_free(&solver->chosen, m);
    release_array(m, &solver->samples, sizeof(trn_samples));
    release_array(m, &solver->stages, sizeof(tr_pipeline_stage));
    release_array(m, &solver->stage_data, sizeof(trn_stage_data));
    release_array(m, &solver->actions, sizeof(trn_action));
    for (uint32_t k = 0; k < TR_KERNEL_COUNT; k++) {
        uint32_t capacity = solver->block_capacity[k];
        release_array(m, &solver->watched_blocks[k], sizeof(trn_watched_block));
        release_array(m, &solver->watched_columns[k], trn_watched_size(k));
        tr_release(m, solver->blocks[k].data, capacity * solver->blocks[k].stride);
        tr_release(m, solver->blocks[k].rows, capacity * (size_t)TR_LANES * sizeof(uint32_t));
        tr_release(m, solver->blocks[k].flags, capacity * sizeof *solver->blocks[k].flags);
    }
    tr_release(m, solver, sizeof *solver);
}

/* number of joints with rigid rows */
static uint32_t count_rigid(const trn_system *system)
{
    uint32_t count = 0;
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++) {
        const trn_joints *joints = &system->joints[type];
        trn_field field = trn_joint_has(type, TRN_FIELD_LINEAR_KIND) ? TRN_FIELD_LINEAR_KIND : TRN_FIELD_ANGULAR_KIND;
        if (!trn_joint_has(type, field))
            continue;
        /* without a column, all joints have the default */
        if (joints->field[field] == NULL)
            count += joints->preset[field] == TR_RIGID ? joints->table.count : 0;
        for (uint32_t row = 0; joints->field[field] != NULL && row < joints->table.count; row++)
            count += trn_is_rigid_cell(trn_joint_cell(joints, field, row));
    }
    return count;
}

/* whether the data of a pass exceed a level 2 cache */
static bool streams(const trn_solver *solver)
{
    size_t bytes = solver->state_count * (sizeof(trn_body_velocity) + sizeof(trn_body_pose));
    for (uint32_t k = 0; k < TR_KERNEL_COUNT; k++)
        bytes += solver->blocks[k].count * solver->blocks[k].stride;
    return bytes > LEVEL_2_BYTES;
}

/* Above this share of the sub-step rate, contact corrections add up in tall piles (docs/contacts.md). */
#define CONTACT_CLAMP 0.2f

/* Contacts with bodies that cannot move may be stiffer by this factor, because nothing behind them yields. */
#define GROUND_STIFFER 2.0f

/* sets the contact softness from the settings, limited to `most` */
static void set_contacts(trn_step *step, float most)
{
    const trn_contact_settings *settings = &step->system->settings.contacts;
    trn_kernel_context *c = &step->context;
    bool clamped;
    float held = trn_held_at(settings->frequency, most, &clamped);
    c->contact = trn_soft_of(held, settings->damping_ratio, c->h);
    c->ground = trn_soft_of(GROUND_STIFFER * held, settings->damping_ratio, c->h);
    c->push_speed = settings->push_speed;
    c->bounce_speed = settings->bounce_speed;
    c->excess_from = (TR_EXCESS - 1.0f) * (TR_EXCESS_SPEED * step->system->settings.length_unit);
    step->solver->report.clamped_contacts = clamped ? step->system->joints[TR_CONTACT].table.count : 0;
}

/* the range of all bodies' gravity scales, with 0 and 1; only restitution asks for it */
static void set_gravity_range(trn_kernel_context *c, const trn_system *system)
{
    const trn_bodies *bodies = system->bodies;
    float least = 0.0f, most = 1.0f;
    bool reads = system->bounces && bodies->gravity_scale != NULL;
    for (uint32_t row = 0; reads && (row = trn_bodies_awake(bodies, row)) < bodies->table.count; row++) {
        float scale = bodies->gravity_scale[row];
        least = scale < least ? scale : least;
        most = scale > most ? scale : most;
    }
    c->least_gravity = least;
    c->most_gravity = most;
}

static void set_context(trn_step *step, uint32_t substeps)
{
    trn_solver *solver = step->solver;
    const trn_settings *settings = &step->system->settings;
    trn_kernel_context *c = &step->context;
    c->h = (float)(step->dt / substeps);
    c->inv_h = (float)(substeps / step->dt);
    c->unit = settings->length_unit;
    bool clamped;
    solver->correction_h = trn_correction_h(c->h, solver->correction_h);
    c->rigid = trn_rigid_of(settings, c->h, solver->correction_h, &clamped);
    c->driven = trn_driven_of(settings, c->rigid, solver->correction_h);
    c->limit = trn_limit_of(settings, c->rigid, solver->correction_h);
    c->gear = trn_gear_of(settings, c->rigid, solver->correction_h);
    set_contacts(step, CONTACT_CLAMP * c->inv_h);
    c->impulse_factor = solver->last_h > 0.0f ? c->h / solver->last_h : 1.0f;
    if (!settings->warm_starting || !trn_scheme_of(settings->method)->warm_start)
        c->impulse_factor = 0.0f;
    /* if sub-steps start from impulse 0, the table's impulses are still read before: they tell the load of the
       joints */
    c->row_factor = trn_scheme_of(settings->method)->warm_start ? c->impulse_factor
                    : solver->last_h > 0.0f                     ? c->h / solver->last_h
                                                                : 0.0f;
    c->gravity = settings->gravity;
    c->inv_step = (float)(1.0 / step->dt);
    set_gravity_range(c, step->system);
    c->relaxes = trn_scheme_of(settings->method)->relax_each;
    c->gaps_before = !c->relaxes && !trn_scheme_of(settings->method)->relax_last;
    c->prefetch = (trn_prefetch){.ahead = streams(solver) ? BLOCKS_AHEAD : 0u, .end_line = UINT32_MAX};
    c->centered = !step->system->bodies->off_center;
    c->unmoved = false;
    c->moving_end = (int32_t)solver->moving_end;
    c->frames = solver->poses.data;
    c->places = solver->places.data;
    c->first_apart = trn_row_offset(solver->loose_row);
    c->apart = trn_row_offset(solver->state_count - solver->loose_row);
    c->velocities = solver->velocities.data;
    c->poses = solver->poses.data;
    c->body_of_row = solver->body_of_state.data;
#define COLUMN(type, name) c->name = step->system->bodies->name;
    TRN_CONTEXT_COLUMNS(COLUMN)
#undef COLUMN
    c->scale = step->system->bodies->uneven ? solver->scale.data : NULL;
    c->gain = solver->gain.data;
    c->low = c->h < TR_FINE_H ? solver->low.data : NULL;
    c->marks = solver->marks.data;
    c->rims = solver->rims.data;
    solver->report.clamped_joints = clamped ? count_rigid(step->system) : 0;
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++) {
        const trn_joints *joints = &step->system->joints[type];
        if (joints->table.count == 0)
            continue;
        step->columns[type].turn = joints->turn;
        step->columns[type].flags = joints->flags;
        step->columns[type].preset = joints->preset;
        for (uint32_t i = 0; i < TRN_MAX_OWN; i++)
            step->columns[type].own[i] = joints->own[i];
        for (uint32_t f = 0; f < TRN_FIELD_COUNT; f++)
            step->columns[type].field[f] = joints->field[f];
        for (uint32_t i = 0; i < TRN_MAX_IMPULSES; i++)
            step->columns[type].impulse[i] = joints->impulse[i];
    }
}

static bool is_same_soft(const trn_soft *a, const trn_soft *b)
{
    return a->bias_rate == b->bias_rate && a->mass_scale == b->mass_scale && a->impulse_scale == b->impulse_scale;
}

/* Whether prepare need not fill the columns of a type's blocks again; notes with what this step fills them. */
static void compare_prepared(trn_step *step)
{
    trn_solver *solver = step->solver;
    const trn_kernel_context *c = &step->context;
    const trn_prepared *last = &solver->prepared;
    tr_archive_group *bodies = &step->system->bodies->table.group;
    const bool same = bodies->seen && c->h == last->h && c->inv_h == last->inv_h &&
                      is_same_soft(&c->rigid, &last->rigid) && is_same_soft(&c->driven, &last->driven) &&
                      is_same_soft(&c->limit, &last->limit) && is_same_soft(&c->gear, &last->gear);
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++) {
        trn_joints *joints = &step->system->joints[type];
        step->columns[type].same = same && joints->table.group.seen && joints->flags == NULL;
        joints->table.group.seen = true;
        for (uint32_t featured = 0; featured < 2 && !step->columns[type].same; featured++) {
            const uint32_t kernel = trn_kernel_of(type, featured != 0);
            trn_block_flags *flags = solver->blocks[kernel].flags;
            for (uint32_t b = 0; TRN_KEEPS_COLUMNS(type, featured != 0) && b < solver->block_end[kernel]; b++)
                flags[b] = (trn_block_flags)(flags[b] & ~TR_BLOCK_KEPT);
        }
    }
    bodies->seen = true;
    solver->prepared = (trn_prepared){c->h, c->inv_h, c->rigid, c->driven, c->limit, c->gear};
}

/* a measure of the step's work: joints, or a quarter of the bodies if that is more */
static uint32_t work_of(const trn_solver *solver)
{
    uint32_t bodies = solver->state_count / 4;
    return solver->solved_joints > bodies ? solver->solved_joints : bodies;
}

static uint32_t worker_count(const trn_solver *solver, const trn_system *system)
{
    uint32_t workers = work_of(solver) / WORK_PER_WORKER;
    uint32_t most = tr_team_threads(system->team);
    if (solver->on_all_threads)
        return most;
    workers = workers < 1 ? 1 : workers > most ? most : workers;
    return tr_pace_workers(&solver->pace, workers, !system->automatic_threads);
}

static void fill_report(trn_solver *solver, const tr_pipeline_report *pipeline, uint32_t workers, double plan_seconds,
                        double seconds)
{
    trn_solver_report *r = &solver->report;
    for (uint32_t i = 0; i < TR_STAGE_COUNT; i++)
        r->stage_seconds[i] = pipeline->seconds[i];
    r->stage_seconds[TR_STAGE_PLAN] = plan_seconds;
    r->seconds = seconds;
    r->threads = workers;
    r->barriers = pipeline->barriers;
    r->chunks = pipeline->chunks;
    r->steps++;
}

static void settle(const trn_system *system)
{
    if (system->settle != NULL)
        system->settle(system->settle_context);
}

void trn_solver_forget_layout(trn_solver *solver)
{
    solver->laid_out = false;
    trn_chosen_forget_lists(&solver->chosen);
    if (solver->exact != NULL)
        trn_exact_forget_plan(solver->exact);
}

/* `mixed`: of the bodies and joints that are marked for the step */
static tr_status reserve_exact(trn_solver *solver, trn_system *system, uint32_t substeps, bool mixed)
{
    tr_status status = solver->exact == NULL ? trn_exact_create(solver->memory, &solver->exact) : TR_OK;
    return status == TR_OK ? trn_exact_reserve(solver->exact, solver, system, substeps, mixed) : status;
}

static tr_status step_directly(trn_solver *solver, trn_system *system, double dt, uint32_t substeps)
{
    const double begin = tr_clock_seconds();
    const float h = (float)(dt / substeps);
    tr_pipeline_report pipeline;
    tr_status status = reserve_exact(solver, system, substeps, false);
    if (status != TR_OK)
        return status;
    settle(system);
    solver->prepared.h = 0.0f;
    trn_begin_sums(solver, substeps, h);
    const uint32_t workers = tr_team_threads(system->team);
    trn_exact_run(solver->exact, solver, system, dt, substeps, workers, &pipeline);
    const double ended = tr_clock_seconds();
    memset(solver->report.kind_seconds, 0, sizeof solver->report.kind_seconds);
    solver->work = solver->work_seconds = solver->work_held = 0.0;
    solver->direct = true;
    solver->mixed = false;
    solver->chosen.last_known = false;
    solver->stiff = false;
    solver->last_h = h;
    solver->correction_h = trn_correction_h(h, solver->correction_h);
    solver->report.inv_h = (float)(substeps / dt);
    solver->report.clamped_joints = solver->report.clamped_contacts = 0;
    fill_report(solver, &pipeline, workers, 0.0, ended - begin);
    return TR_OK;
}

/* Stages and memory of the sweeps. */
static tr_status reserve_sweeps(trn_step *step, uint32_t substeps)
{
    trn_solver *solver = step->solver;
    trn_system *system = step->system;
    const trn_settings *settings = &system->settings;
    const trn_scheme *scheme = trn_scheme_of(settings->method);
    const bool borders = solver->chosen.core > 0 && solver->exact->border_count > 0;
    step->program = (trn_program){.scheme = scheme,
                                  .substeps = substeps,
                                  .sweeps = trn_sweeps_of(settings),
                                  .bounces = system->bounces,
                                  .watches = solver->watched.count > 0,
                                  .late = trn_splits_late(solver),
                                  .leads = !borders && trn_seams_lead(solver),
                                  .warms_first = !borders && trn_warms_first(solver, scheme),
                                  .borders = borders,
                                  .divided = borders && solver->exact->divided_borders > 0};
    tr_status status = trn_solver_stages(solver, &step->program, settings->method);
    if (status != TR_OK)
        return status;
    uint32_t threads = tr_team_threads(system->team), pulled = system->bodies->uneven ? solver->state_count : 0;
    uint64_t places = (uint64_t)threads * solver->unit_places + solver->all_places;
    if (places > UINT32_MAX)
        return TR_ERROR_LIMIT;
    const bool fine = (float)(step->dt / substeps) < TR_FINE_H;
    if (fine && !trn_bodies_hold_low(system->bodies))
        return TR_ERROR_MEMORY;
    if (!trn_array_reserve(solver->memory, &solver->low, fine ? solver->state_count : 0,
                           TRN_TILE / TR_LANES * sizeof(float)) ||
        !trn_array_reserve(solver->memory, &solver->scale, pulled, TRN_TILE / TR_LANES * sizeof(float)) ||
        !trn_array_reserve(solver->memory, &solver->gain, pulled, TRN_TILE / TR_LANES * sizeof(float)) ||
        !trn_array_reserve(solver->memory, &solver->samples, threads, sizeof(trn_samples)) ||
        !trn_array_reserve(solver->memory, &solver->places_apart, (uint32_t)places, TR_LANES * sizeof(float)))
        return TR_ERROR_MEMORY;
    if (!trn_reserve_watched(solver))
        return TR_ERROR_MEMORY;
    status = trn_reserve_stiffness(solver, system);
    if (status != TR_OK)
        return status;
    step->samples = solver->samples.data;
    step->timed = trn_is_timed(solver);
    step->unit_places = solver->places_apart.data;
    if (solver->all_places > 0)
        step->all_places = step->unit_places + (size_t)threads * solver->unit_places * TR_LANES;
    memset(step->samples, 0, threads * sizeof *step->samples);
    return tr_team_reserve(system->team, solver->stage_count, solver->max_chunks);
}

/* All of a step of sweeps that can fail, before the world changes. */
static tr_status reserve_step(trn_step *step, uint32_t substeps)
{
    trn_solver *solver = step->solver;
    trn_system *system = step->system;
    tr_status status = TR_OK;
    if (!trn_choose_for_step(solver, system))
        return TR_ERROR_MEMORY;
    const trn_chosen *chosen = &solver->chosen;
    if (chosen->core > 0 && system->write_contacts != NULL &&
        !system->write_contacts(system->settle_context, chosen->joints, chosen->joint_count))
        status = TR_ERROR_MEMORY;
    if (chosen->core > 0 && status == TR_OK)
        status = reserve_exact(solver, system, substeps, true);
    if (status == TR_OK)
        status = reserve_sweeps(step, substeps);
    if (status != TR_OK && chosen->core > 0)
        trn_choose_end(solver, system);
    return status;
}

/* Shares last for many steps, so they do not depend on what is solved directly in this one. */
static void share_masses(trn_step *step)
{
    const trn_solver *solver = step->solver;
    const bool marked = solver->chosen.core > 0 && solver->hub_count > 0 && solver->shares_due;
    if (marked)
        trn_choose_end(step->solver, step->system);
    trn_share_masses(step->solver, step->system);
    /* has its memory */
    if (marked)
        (void)trn_choose_for_step(step->solver, step->system);
}

/* the islands that are not swept, after the others */
static void run_exact(trn_step *step, uint32_t substeps, tr_pipeline_report *pipeline)
{
    trn_solver *solver = step->solver;
    tr_pipeline_report own;
    trn_exact_end_borders(step, worker_count(solver, step->system));
    trn_exact_run(solver->exact, solver, step->system, step->dt, substeps, tr_team_threads(step->system->team), &own);
    for (uint32_t i = 0; i < TR_STAGE_COUNT; i++)
        pipeline->seconds[i] += own.seconds[i];
    pipeline->barriers += own.barriers;
    pipeline->chunks += own.chunks;
    trn_choose_end(solver, step->system);
}

/* a separate function, so that the compiler moves no arithmetic to where the application's rounding mode is active */
static __attribute__((noinline)) tr_status step_plainly(trn_solver *solver, trn_system *system, double dt,
                                                        uint32_t substeps)
{
    if (system->settings.method == TR_DIRECT)
        return step_directly(solver, system, dt, substeps);
    double begin = tr_clock_seconds();
    trn_step step = {.solver = solver,
                     .system = system,
                     .kernels = trn_kernels_of(tr_get_isa()),
                     .dt = dt,
                     .turn = (uint32_t)(solver->report.steps % 4)};
    tr_status status = trn_solver_layout(solver, system);
    if (status == TR_OK)
        status = reserve_step(&step, substeps);
    if (status != TR_OK)
        return status;
    double planned = tr_clock_seconds();

    settle(system);
    share_masses(&step);
    solver->direct = false;
    solver->mixed = solver->chosen.core > 0;
    solver->report.direct_solves = solver->report.direct_most = solver->report.direct_unsettled = 0;
    solver->report.direct_islands = 0;
    trn_choose_release(solver, system, (float)(dt / substeps) < TR_FINE_H);
    if (solver->mixed)
        trn_exact_begin_borders(&step, worker_count(solver, system));
    set_context(&step, substeps);
    compare_prepared(&step);
    trn_begin_stiffness(&step);
    trn_begin_watched(&step);
    step.carried = step.context;
    step.carried.row_factor = solver->last_h > 0.0f ? step.context.h / solver->last_h : 0.0f;
    step.near = step.context;
    step.near.prefetch = (trn_prefetch){0};
    step.still = step.context;
    step.still.unmoved = true;
    step.ahead = step.context;
    step.ahead.velocities = step.program.warms_first ? solver->places.data : NULL;
    step.tiled = step.near;
    step.tiled.tiled = true;
    uint32_t workers = worker_count(solver, system);
    tr_pipeline_report pipeline;
    tr_team_run(system->team, solver->stages.data, solver->stage_count, workers, &step, &pipeline);
    trn_end_stiffness(solver);
    memcpy(solver->report.kind_seconds, pipeline.seconds, sizeof solver->report.kind_seconds);
    trn_share_seconds(solver, workers, &pipeline);
    double ended = tr_clock_seconds();
    solver->work = (double)work_of(solver) * substeps;
    solver->work_seconds = ended - planned;
    solver->work_held = pipeline.held;
    solver->last_h = step.context.h;
    if (solver->mixed) {
        run_exact(&step, substeps, &pipeline);
        ended = tr_clock_seconds();
    }
    solver->report.inv_h = step.context.inv_h;
    fill_report(solver, &pipeline, workers, planned - begin, ended - begin);
    return TR_OK;
}

tr_status trn_solver_step(trn_solver *solver, trn_system *system, double dt, uint32_t substeps)
{
    tr_arithmetic before = tr_arithmetic_plain();
    tr_status status = step_plainly(solver, system, dt, substeps);
    tr_arithmetic_restore(&before);
    return status;
}

void trn_solver_took(trn_solver *solver, double work_beside, double seconds_beside, double held)
{
    double work = solver->work + work_beside;
    if (work > 0.0)
        tr_pace_took(&solver->pace, solver->report.threads, work, solver->work_seconds + seconds_beside,
                     solver->work_held + held);
}

const trn_solver_report *trn_solver_last(const trn_solver *solver)
{
    return &solver->report;
}
