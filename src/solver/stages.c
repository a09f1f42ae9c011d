/* The stages of a step: what each does to one chunk, and the list of them. */
#include <math.h>
#include <string.h>

#include "solver/method.h"
#include "solver/solver_internal.h"

/* rows of state in a chunk */
static uint32_t chunk_rows(uint32_t count, uint32_t chunk)
{
    uint32_t first = chunk * TR2_BODY_CHUNK;
    return count - first < TR2_BODY_CHUNK ? count - first : TR2_BODY_CHUNK;
}

/*
 * Bodies
 */

/* whether 16 state rows stand for as many bodies that follow each other, dynamic, whole and not in quarantine */
static bool is_plain_tile(const tr2_solver *solver, const tr2_bodies *bodies, uint32_t body, uint32_t row)
{
    const uint32_t *body_of_state = solver->body_of_state.data;
    const uint8_t *split = solver->hub_count > 0 ? solver->split.data : NULL;
    if (bodies->table.count - body < TR_LANES)
        return false;
    uint32_t apart = 0;
    for (uint32_t i = 0; i < TR_LANES; i++)
        apart |= (bodies->flags[body + i] & TR2_BODY_QUARANTINED) | (bodies->type[body + i] ^ TR_DYNAMIC);
    /* dynamic ones have state rows that follow each other, so these exist */
    for (uint32_t i = 0; apart == 0 && i < TR_LANES; i++)
        apart |= (body_of_state[row + i] ^ (body + i)) | (split != NULL ? split[row + i] : 0u);
    return apart == 0;
}

/* one state row from its body; a copy weighs its share of the body, and moves as the body does */
static void prepare_body(tr2_step *step, uint32_t row)
{
    const tr2_solver *solver = step->solver;
    const tr2_bodies *bodies = step->system->bodies;
    tr2_body_frame *frame = (tr2_body_frame *)solver->frames.data + row;
    tr2_body_velocity *velocity = &step->context.velocities[row];
    float *scale = (float *)solver->scale.data + 4 * (size_t)row, *gain = (float *)solver->gain.data + 4 * (size_t)row;
    uint32_t body = ((const uint32_t *)solver->body_of_state.data)[row];
    memset(frame, 0, sizeof *frame);
    memset(velocity, 0, sizeof *velocity);
    memset(gain, 0, 4 * sizeof *gain);
    frame->c = 1.0f;
    scale[0] = scale[1] = scale[2] = scale[3] = 1.0f;
    step->context.poses[row] = (tr2_body_pose){0.0f, 0.0f, 1.0f, 0.0f};
    step->context.bad[row] = 0;
    if (body == TR_NONE)
        return;

    bool shared = solver->hub_count > 0;
    float share = shared ? ((const float *)solver->share.data)[row] : 1.0f;
    float inertia_share = shared ? ((const float *)solver->inertia_share.data)[row] : 1.0f;
    frame->c = bodies->c[body];
    frame->s = bodies->s[body];
    if (share > 0.0f)
        frame->inverse_mass = bodies->inverse_mass[body] / share;
    if (inertia_share > 0.0f)
        frame->inverse_inertia = bodies->inverse_inertia[body] / inertia_share;
    frame->local_center_x = bodies->local_center_x[body];
    frame->local_center_y = bodies->local_center_y[body];
    frame->x = bodies->center_x[body];
    frame->y = bodies->center_y[body];
    frame->angle = bodies->angle[body];
    if ((bodies->flags[body] & TR2_BODY_QUARANTINED) != 0 || bodies->type[body] == TR_STATIC)
        return;
    velocity->x = bodies->velocity_x[body];
    velocity->y = bodies->velocity_y[body];
    velocity->w = bodies->angular_velocity[body];
    if (bodies->type[body] != TR_DYNAMIC)
        return;

    float h = step->context.h;
    const tr2_settings *settings = &step->system->settings;
    float im = bodies->inverse_mass[body], ii = bodies->inverse_inertia[body];
    float g = tr2_body_number(bodies->gravity_scale, body, 1.0f);
    scale[0] = scale[1] = 1.0f / (1.0f + h * tr2_body_number(bodies->linear_damping, body, 0.0f));
    scale[2] = 1.0f / (1.0f + h * tr2_body_number(bodies->angular_damping, body, 0.0f));
    gain[0] = h * (settings->gravity.x * g + im * tr2_body_number(bodies->force_x, body, 0.0f)) * scale[0];
    gain[1] = h * (settings->gravity.y * g + im * tr2_body_number(bodies->force_y, body, 0.0f)) * scale[1];
    gain[2] = h * (ii * tr2_body_number(bodies->torque, body, 0.0f)) * scale[2];
}

static void run_prepare_bodies(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)data;
    (void)worker;
    tr2_step *step = context;
    uint32_t first = chunk * TR2_BODY_CHUNK, count = chunk_rows(step->solver->state_count, chunk);
    const uint32_t *body_of_state = step->solver->body_of_state.data;
    const tr2_bodies *bodies = step->system->bodies;
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        if (body_of_state[row] != TR_NONE && is_plain_tile(step->solver, bodies, body_of_state[row], row)) {
            step->kernels->prepare_bodies(&step->context, bodies, body_of_state[row], row);
            continue;
        }
        for (uint32_t i = 0; i < TR_LANES; i++)
            prepare_body(step, row + i);
    }
}

static void run_integrate_velocities(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)data;
    (void)worker;
    tr2_step *step = context;
    step->kernels->integrate_velocities(&step->context, chunk * TR2_BODY_CHUNK,
                                        chunk_rows(step->solver->state_count, chunk));
}

static void run_integrate_positions(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)data;
    (void)worker;
    tr2_step *step = context;
    step->kernels->integrate_positions(&step->context, chunk * TR2_BODY_CHUNK,
                                       chunk_rows(step->solver->state_count, chunk));
}

/* what moved goes back into the table; what went wrong stays where the step began, at rest and held */
static void finish_body(const tr2_step *step, uint32_t row)
{
    tr2_bodies *bodies = step->system->bodies;
    uint32_t state = ((const uint32_t *)step->solver->state_of_body.data)[row];
    const tr2_body_velocity *v = &step->context.velocities[state];
    const tr2_body_pose *p = &step->context.poses[state];
    if (bodies->type[row] == TR_STATIC || (bodies->flags[row] & TR2_BODY_QUARANTINED) != 0)
        return;
    /* the last relaxing pass may have thrown it after its position was taken */
    bool sane = step->context.bad[state] == 0 && fabsf(v->x) <= TR2_SANE_SPEED && fabsf(v->y) <= TR2_SANE_SPEED &&
                fabsf(v->w) * step->context.h <= TR2_SANE_TURN;
    if (!sane) {
        bodies->velocity_x[row] = bodies->velocity_y[row] = bodies->angular_velocity[row] = 0.0f;
        bodies->flags[row] |= TR2_BODY_QUARANTINED;
        tr2_body_update_inverse(bodies, row);
        return;
    }
    bodies->center_x[row] += (double)p->x;
    bodies->center_y[row] += (double)p->y;
    bodies->velocity_x[row] = v->x;
    bodies->velocity_y[row] = v->y;
    bodies->angular_velocity[row] = v->w;
    if (v->angle != 0.0f) {
        bodies->angle[row] += (double)v->angle;
        tr2_rotation(bodies->angle[row], &bodies->c[row], &bodies->s[row]);
    }
}

static void run_finish_bodies(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)data;
    (void)worker;
    const tr2_step *step = context;
    const uint32_t *state_of_body = step->solver->state_of_body.data;
    const tr2_bodies *bodies = step->system->bodies;
    uint32_t row = chunk * TR2_BODY_CHUNK, end = row + chunk_rows(bodies->table.count, chunk);
    while (row < end) {
        if (end - row >= TR_LANES && is_plain_tile(step->solver, bodies, row, state_of_body[row]) &&
            step->kernels->finish_bodies(&step->context, bodies, row, state_of_body[row])) {
            row += TR_LANES;
            continue;
        }
        finish_body(step, row++);
    }
}

/*
 * A split body: its copies have each taken their joints' impulses; what the body as a whole has become is the average
 * by mass, which keeps momentum, in a fixed order (Tonge et al. 2012, mass splitting). Written as the first velocity
 * plus differences, so that copies that agree change nothing.
 */
static void run_hub(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    const tr2_step *step = context;
    const tr2_stage_data *stage = data;
    const tr2_hub *hub = (const tr2_hub *)step->solver->hubs.data + chunk;
    const float *share = step->solver->share.data, *inertia_share = step->solver->inertia_share.data;
    tr2_body_velocity *v = step->context.velocities;
    tr2_body_velocity mean = v[hub->row];
    float x = 0.0f, y = 0.0f, w = 0.0f;
    for (uint32_t i = hub->first_copy; i < hub->first_copy + hub->copies; i++) {
        x += share[i] * (v[i].x - mean.x);
        y += share[i] * (v[i].y - mean.y);
        w += inertia_share[i] * (v[i].w - mean.w);
    }
    mean.x += x;
    mean.y += y;
    mean.w += w;
    /* where the pass moves the copies, they have moved by as much */
    tr2_body_pose *p = step->context.poses;
    tr2_body_pose place = p[hub->row];
    if (stage->pass == TR2_PASS_PROJECT) {
        place.x += step->context.h * x;
        place.y += step->context.h * y;
        mean.angle += step->context.h * w;
        tr2_rotation((double)mean.angle, &place.c, &place.s);
        p[hub->row] = place;
    }
    v[hub->row] = mean;
    for (uint32_t i = hub->first_copy; i < hub->first_copy + hub->copies; i++) {
        v[i] = mean;
        p[i] = place;
    }
}

/*
 * Joints
 */
static void run_prepare_joints(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)data;
    (void)worker;
    tr2_step *step = context;
    const tr2_chunk *c = (const tr2_chunk *)step->solver->chunks.data + chunk;
    step->kernels->joints[c->kernel].prepare(&step->context, &step->columns[c->kernel / 2],
                                             &step->solver->blocks[c->kernel], c->first, c->count);
}

/* no impulse of the sub-step before */
static void begin_afresh(const tr2_blocks *blocks, const tr2_joint_type_info *info, uint32_t impulse_count,
                         const tr2_chunk *c)
{
    const size_t column = TR_LANES * sizeof(float);
    for (uint32_t b = c->first; b < c->first + c->count; b++) {
        unsigned char *impulses = blocks->data + b * blocks->stride + sizeof(tr2_block_bodies);
        for (uint32_t i = 0; i < impulse_count; i++) {
            if (info->impulse_roles[i] < TR2_ROLE_SUM)
                memset(impulses + i * column, 0, column);
        }
    }
}

static void run_pass(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    tr2_step *step = context;
    const tr2_stage_data *stage = data;
    const tr2_chunk *c = (const tr2_chunk *)step->solver->chunks.data + stage->first_chunk + chunk;
    const tr2_joint_kernel *kernel = &step->kernels->joints[c->kernel];
    const tr2_blocks *blocks = &step->solver->blocks[c->kernel];
    if (stage->afresh)
        begin_afresh(blocks, tr2_joint_types[c->kernel / 2], kernel->impulse_count, c);
    kernel->pass[stage->pass](&step->context, blocks, c->first, c->count);
}

/* whether a block's joints follow each other in the table and all act */
static bool all_enabled(const tr2_joints *joints, const uint32_t *rows, uint8_t flags)
{
    if ((flags & TR2_BLOCK_CONTIGUOUS) == 0)
        return false;
    uint32_t any = 0;
    for (uint32_t lane = 0; joints->flags != NULL && lane < TR_LANES; lane++)
        any |= joints->flags[rows[0] + lane];
    return (any & TR2_JOINT_DISABLED) == 0;
}

/* impulses go back into the table, where they move with their row */
static void run_finish_joints(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)data;
    (void)worker;
    const tr2_step *step = context;
    const tr2_chunk *c = (const tr2_chunk *)step->solver->chunks.data + chunk;
    const tr2_blocks *blocks = &step->solver->blocks[c->kernel];
    const tr2_joints *joints = &step->system->joints[c->kernel / 2];
    uint32_t impulse_count = step->kernels->joints[c->kernel].impulse_count;
    const uint32_t *flags = joints->flags;
    for (uint32_t b = c->first; b < c->first + c->count; b++) {
        const float *impulses = (const float *)(void *)(blocks->data + b * blocks->stride + sizeof(tr2_block_bodies));
        const uint32_t *rows = blocks->rows + (size_t)b * TR_LANES;
        if (all_enabled(joints, rows, blocks->flags[b])) {
            for (uint32_t i = 0; i < impulse_count; i++)
                memcpy(joints->impulse[i] + rows[0], impulses + i * TR_LANES, TR_LANES * sizeof *impulses);
            continue;
        }
        for (uint32_t i = 0; i < impulse_count; i++)
            for (uint32_t lane = 0; lane < TR_LANES && rows[lane] != TR_NONE; lane++)
                joints->impulse[i][rows[lane]] = flags != NULL && (flags[rows[lane]] & TR2_JOINT_DISABLED) != 0
                                                     ? 0.0f
                                                     : impulses[i * TR_LANES + lane];
    }
}

/*
 * The list
 */
typedef struct stage_list {
    tr_pipeline_stage *stages;
    tr2_stage_data *data;
    uint32_t count, max_chunks;
} stage_list;

static void add_stage(stage_list *list, tr_chunk_fn *run, tr2_stage_data data, uint32_t chunks, tr_stage label)
{
    if (chunks == 0)
        return;
    list->data[list->count] = data;
    list->stages[list->count] = (tr_pipeline_stage){run, &list->data[list->count], chunks, (uint32_t)label};
    list->count++;
    if (chunks > list->max_chunks)
        list->max_chunks = chunks;
}

static void add_pass(stage_list *list, const tr2_solver *solver, tr2_pass_kind pass, bool afresh, tr_stage label)
{
    for (uint32_t c = 0; c < solver->color_count; c++) {
        uint32_t first = solver->color_first_chunk[c];
        add_stage(list, run_pass, (tr2_stage_data){first, pass, afresh}, solver->color_first_chunk[c + 1] - first,
                  label);
    }
    add_stage(list, run_hub, (tr2_stage_data){0, pass, afresh}, solver->hub_count, label);
}

/* only the chunks at each colour's end whose kernels bounce: the columns of kernels are the same on every set */
static void add_bounce(stage_list *list, const tr2_solver *solver)
{
    const tr2_chunk *chunks = solver->chunks.data;
    bool any = false;
    for (uint32_t c = 0; c < solver->color_count; c++) {
        uint32_t first = solver->color_first_chunk[c], end = solver->color_first_chunk[c + 1];
        while (first < end && tr2_kernels_scalar.joints[chunks[first].kernel].pass[TR2_PASS_BOUNCE] == NULL)
            first++;
        any = any || first < end;
        add_stage(list, run_pass, (tr2_stage_data){first, TR2_PASS_BOUNCE, false}, end - first, TR_STAGE_RELAX);
    }
    if (any)
        add_stage(list, run_hub, (tr2_stage_data){0, TR2_PASS_BOUNCE, false}, solver->hub_count, TR_STAGE_RELAX);
}

/* one sub-step; positions, where they do not move first, move before what relaxes */
static void add_substep(stage_list *list, const tr2_solver *solver, const tr2_scheme *scheme, uint32_t sweeps,
                        bool first, bool last)
{
    const tr2_stage_data none = {0, TR2_PASS_SOLVE, false};
    uint32_t chunks = (solver->state_count + TR2_BODY_CHUNK - 1) / TR2_BODY_CHUNK;
    add_stage(list, run_integrate_velocities, none, chunks, TR_STAGE_INTEGRATE);
    if (scheme->positions_first)
        add_stage(list, run_integrate_positions, none, chunks, TR_STAGE_INTEGRATE);
    if (scheme->warm_start)
        add_pass(list, solver, TR2_PASS_WARM_START, false, TR_STAGE_WARM_START);
    for (uint32_t i = 0; i < sweeps; i++) {
        /* prepare has computed the geometry that the first sub-step begins with */
        bool known = i > 0 || (first && scheme->first == TR2_PASS_STEP);
        add_pass(list, solver, known ? scheme->next : scheme->first, i == 0 && !scheme->warm_start, TR_STAGE_SOLVE);
    }
    if (!scheme->positions_first)
        add_stage(list, run_integrate_positions, none, chunks, TR_STAGE_INTEGRATE);
    if (scheme->relax_each || (scheme->relax_last && last))
        add_pass(list, solver, TR2_PASS_RELAX, false, TR_STAGE_RELAX);
}

tr_status tr2_solver_stages(tr2_solver *solver, const tr2_system *system, uint32_t substeps)
{
    const tr2_settings *settings = &system->settings;
    uint32_t sweeps = tr2_sweeps_of(settings), body_count = system->bodies->table.count;
    if (solver->stage_substeps == substeps && solver->stage_sweeps == sweeps &&
        solver->stage_method == settings->method)
        return TR_OK;
    solver->stage_substeps = 0;
    uint64_t colors = (uint64_t)solver->color_count + 1;
    uint64_t most = 4 + colors + (uint64_t)substeps * (2 + (2 + (uint64_t)sweeps) * colors);
    if (most > INT32_MAX)
        return TR_ERROR_LIMIT;
    if (!tr2_array_reserve(solver->memory, &solver->stages, (uint32_t)most, sizeof(tr_pipeline_stage)) ||
        !tr2_array_reserve(solver->memory, &solver->stage_data, (uint32_t)most, sizeof(tr2_stage_data)))
        return TR_ERROR_MEMORY;
    stage_list list = {solver->stages.data, solver->stage_data.data, 0, 1};
    const tr2_stage_data none = {0, TR2_PASS_SOLVE, false};
    uint32_t state_chunks = (solver->state_count + TR2_BODY_CHUNK - 1) / TR2_BODY_CHUNK;
    uint32_t body_chunks = body_count / TR2_BODY_CHUNK + (body_count % TR2_BODY_CHUNK != 0);
    add_stage(&list, run_prepare_bodies, none, state_chunks, TR_STAGE_PREPARE);
    add_stage(&list, run_prepare_joints, none, solver->chunk_count, TR_STAGE_PREPARE);
    for (uint32_t i = 0; i < substeps; i++)
        add_substep(&list, solver, tr2_scheme_of(settings->method), sweeps, i == 0, i + 1 == substeps);
    add_bounce(&list, solver);
    add_stage(&list, run_finish_joints, none, solver->chunk_count, TR_STAGE_FINISH);
    add_stage(&list, run_finish_bodies, none, body_chunks, TR_STAGE_FINISH);
    solver->stage_count = list.count;
    solver->stage_substeps = substeps;
    solver->stage_sweeps = sweeps;
    solver->stage_method = settings->method;
    solver->max_chunks = list.max_chunks;
    return TR_OK;
}
