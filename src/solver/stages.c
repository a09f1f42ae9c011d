/* The functions of a step's stages, applied to one chunk. */
#include <math.h>
#include <string.h>

#include "parallel/topology.h"
#include "solver/solver_internal.h"

/*
 * Bodies
 */

/* for loops over the 16 rows of a tile: gcc does not vectorise them once it has unrolled them */
#define TILE_LOOP _Pragma("GCC unroll 1")

/* whether 16 numbers are consecutive, from `first` */
static bool are_in_a_row(const uint32_t *numbers, uint32_t first)
{
    uint32_t apart = 0;
    TILE_LOOP
    for (uint32_t i = 0; i < TR_LANES; i++)
        apart |= numbers[i] ^ (first + i);
    return apart == 0;
}

static bool are_split(const uint8_t *split)
{
    uint8_t any = 0;
    TILE_LOOP
    for (uint32_t i = 0; i < TR_LANES; i++)
        any |= split[i];
    return any != 0;
}

/* whether 16 state rows are consecutive bodies that are dynamic, not split and not in quarantine */
static bool is_plain_tile(const tr2_solver *solver, const tr2_bodies *bodies, uint32_t body, uint32_t row)
{
    if (bodies->table.count - body < TR_LANES ||
        !are_in_a_row((const uint32_t *)solver->body_of_state.data + row, body) ||
        (solver->hub_count > 0 && are_split((const uint8_t *)solver->split.data + row)))
        return false;
    /* read only bodies of this unit: others' flags may be written concurrently */
    const uint32_t *flags = bodies->flags + body, *type = bodies->type + body;
    uint32_t apart = 0;
    TILE_LOOP
    for (uint32_t i = 0; i < TR_LANES; i++)
        apart |= (flags[i] & TR2_BODY_QUARANTINED) | (type[i] ^ TR_DYNAMIC);
    return apart == 0;
}

/* sets the effect of gravity, forces and damping on a state row in a sub-step; TR_NONE: none */
static void prepare_pull(const tr2_step *step, uint32_t row, uint32_t body)
{
    const tr2_kernel_context *k = &step->context;
    const tr2_solver *solver = step->solver;
    const tr2_bodies *bodies = step->system->bodies;
    float *scale = k->scale + 4 * (size_t)row, *gain = k->gain + 4 * (size_t)row;
    scale[0] = scale[1] = scale[2] = scale[3] = 1.0f;
    memset(gain, 0, 4 * sizeof *gain);
    if (body == TR_NONE)
        return;
    float im = tr2_body_inverse_mass(bodies, body), ii = tr2_body_inverse_inertia(bodies, body);
    /* forces act on the mass that the sweeps see: shares.c */
    if (solver->hub_count > 0 && ((const uint8_t *)solver->split.data)[row] != 0) {
        im /= ((const float *)solver->burden.data)[row];
        ii /= ((const float *)solver->burden.data)[row];
    }
    float g = tr2_body_number(bodies->gravity_scale, body, 1.0f);
    scale[0] = scale[1] = 1.0f / (1.0f + k->h * tr2_body_number(bodies->linear_damping, body, 0.0f));
    scale[2] = 1.0f / (1.0f + k->h * tr2_body_number(bodies->angular_damping, body, 0.0f));
    gain[0] = k->h * (k->gravity.x * g + im * tr2_body_number(bodies->force_x, body, 0.0f)) * scale[0];
    gain[1] = k->h * (k->gravity.y * g + im * tr2_body_number(bodies->force_y, body, 0.0f)) * scale[1];
    gain[2] = k->h * (ii * tr2_body_number(bodies->torque, body, 0.0f)) * scale[2];
}

/* prepares a state row except for its pose; a copy has its share of the mass and the velocity of its body */
static void prepare_body(tr2_step *step, uint32_t row)
{
    const tr2_solver *solver = step->solver;
    const tr2_bodies *bodies = step->system->bodies;
    int32_t at = tr2_frame_row(&step->context, TR2_ROW * (int32_t)row) / TR2_ROW;
    tr2_body_frame *frame = &step->context.frames[at];
    tr2_body_velocity *velocity = &step->context.velocities[row];
    uint32_t body = ((const uint32_t *)solver->body_of_state.data)[row];
    *frame = (tr2_body_frame){1.0f, 0.0f, 0.0f, 0.0f};
    step->context.places[row] = (tr2_body_place){0.0, 0.0};
    *velocity = (tr2_body_velocity){0.0f, 0.0f, 0.0f, 0.0f};
    step->context.marks[row] = 0;
    if (step->context.scale != NULL)
        prepare_pull(step, row, TR_NONE);
    if (body == TR_NONE)
        return;

    bool shared = solver->hub_count > 0;
    float share = shared ? ((const float *)solver->share.data)[row] : 1.0f;
    float inertia_share = shared ? ((const float *)solver->inertia_share.data)[row] : 1.0f;
    frame->c = bodies->c[body];
    frame->s = bodies->s[body];
    if (share > 0.0f)
        frame->inverse_mass = tr2_body_inverse_mass(bodies, body) / share;
    if (inertia_share > 0.0f)
        frame->inverse_inertia = tr2_body_inverse_inertia(bodies, body) / inertia_share;
    step->context.places[row] = (tr2_body_place){bodies->center_x[body], bodies->center_y[body]};
    if ((bodies->flags[body] & TR2_BODY_QUARANTINED) != 0 || bodies->type[body] == TR_STATIC)
        return;
    velocity->x = bodies->velocity_x[body];
    velocity->y = bodies->velocity_y[body];
    velocity->w = bodies->angular_velocity[body];
    if (bodies->type[body] != TR_DYNAMIC)
        return;
    step->context.marks[row] = TR2_MARK_FALLS;
    if (step->context.scale != NULL)
        prepare_pull(step, row, body);
}

static void prepare_rows(tr2_step *step, const tr2_unit *unit)
{
    const uint32_t *body_of_state = step->solver->body_of_state.data;
    const tr2_bodies *bodies = step->system->bodies;
    for (uint32_t row = unit->first_row; row < unit->first_row + unit->row_count; row += TR_LANES) {
        if (body_of_state[row] != TR_NONE && is_plain_tile(step->solver, bodies, body_of_state[row], row)) {
            step->kernels->prepare_bodies(&step->context, bodies, body_of_state[row], row);
            step->context.marks[row] |= TR2_MARK_TILE;
        } else {
            for (uint32_t i = 0; i < TR_LANES; i++)
                prepare_body(step, row + i);
        }
        if (step->stiffness != NULL)
            tr2_stiffen_rows(step, row);
    }
}

static void begin_rows(const tr2_step *step, const tr2_unit *unit)
{
    step->kernels->begin_rows(&step->context, unit->first_row, unit->row_count);
}

/* writes a row back to the table; a body that is not sane stays at its state at the start of the step, at rest and
   in quarantine */
static void finish_body(const tr2_step *step, uint32_t row, uint32_t state)
{
    tr2_bodies *bodies = step->system->bodies;
    const tr2_body_velocity *v = &step->context.velocities[state];
    const tr2_body_pose *p = &step->context.poses[state];
    if (bodies->type[row] == TR_STATIC || (bodies->flags[row] & TR2_BODY_QUARANTINED) != 0)
        return;
    /* the last relaxing pass may have changed the velocity after the position was computed */
    bool sane = (step->context.marks[state] & TR2_MARK_BAD) == 0 && fabsf(v->x) <= TR2_SANE_SPEED &&
                fabsf(v->y) <= TR2_SANE_SPEED && fabsf(v->w) * step->context.h <= TR2_SANE_TURN;
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

static void finish_rows(const tr2_step *step, const tr2_unit *unit)
{
    const uint32_t *body_of_state = step->solver->body_of_state.data;
    const uint32_t *state_of_body = step->solver->state_of_body.data;
    for (uint32_t first = unit->first_row; first < unit->first_row + unit->row_count; first += TR_LANES) {
        uint32_t body = body_of_state[first];
        if ((step->context.marks[first] & TR2_MARK_TILE) != 0 &&
            step->kernels->finish_bodies(&step->context, step->system->bodies, body, first))
            continue;
        /* copies are not the row of their body */
        for (uint32_t row = first; row < first + TR_LANES; row++) {
            if (body_of_state[row] != TR_NONE && state_of_body[body_of_state[row]] == row)
                finish_body(step, body_of_state[row], row);
        }
    }
}

/*
 * Merges a split body: its copies each received the impulses of their joints. The velocity of the body is their
 * average, weighted by mass, in a fixed order, which conserves momentum (Tonge et al. 2012, mass splitting). It is
 * computed as the first velocity plus differences, so that equal copies change nothing.
 */
void tr2_run_hub(void *context, const void *data, uint32_t chunk, uint32_t worker)
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
    x /= hub->heavier;
    y /= hub->heavier;
    w /= hub->heavier;
    mean.x += x;
    mean.y += y;
    mean.w += w;
    /* if the pass moves the copies, the body moves by as much */
    tr2_body_pose *p = step->context.poses;
    tr2_body_pose place = p[hub->row];
    if (stage->action.pass == TR2_PASS_PROJECT) {
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
static void prepare_chunk(tr2_step *step, const tr2_chunk *c)
{
    if (c->idle)
        return;
    step->kernels->joints[c->kernel].prepare(&step->context, &step->columns[tr2_kernel_type(c->kernel)],
                                             &step->solver->blocks[c->kernel], c->first, c->count);
    if (step->context.row_factor < step->carried.row_factor)
        tr2_see_stiffness(step, c);
}

/* clears the impulses of the last sub-step */
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

/* where kernels with separate geometry columns store them: the columns of a unit, or of the seams */
typedef struct tr2_keep {
    float *columns; /* null: no room */
    bool here;      /* the results of earlier passes are still there */
} tr2_keep;

/* the kernel's pass, or the variant that computes the geometry first; *begun: it treats impulses as 0 itself */
static tr2_pass_fn *pass_of(const tr2_step *step, uint32_t kernel, const tr2_action *action, bool known, bool *begun)
{
    const tr2_placed *placed = &step->kernels->placed[kernel];
    tr2_pass_kind pass = action->pass;
    bool anew = placed->columns > 0 && !known;
    *begun = false;
    if (anew && pass == TR2_PASS_WARM_START)
        return placed->warm_start;
    if (anew && pass == TR2_PASS_SOLVE)
        pass = TR2_PASS_STEP;
    if (pass == TR2_PASS_STEP && action->afresh && placed->step_afresh != NULL) {
        *begun = true;
        return placed->step_afresh;
    }
    return step->kernels->joints[kernel].pass[pass];
}

/* `last`: no later pass reads the geometry */
static void pass_chunk(tr2_step *step, const tr2_kernel_context *context, const tr2_chunk *c, const tr2_action *action,
                       tr2_keep keep, bool last)
{
    const tr2_blocks *blocks = &step->solver->blocks[c->kernel];
    bool known = action->known && keep.here, begun;
    tr2_pass_fn *pass = pass_of(step, c->kernel, action, known, &begun);
    if (c->idle || pass == NULL)
        return;
    if (action->afresh && !begun)
        begin_afresh(blocks, tr2_joint_types[tr2_kernel_type(c->kernel)],
                     step->kernels->joints[c->kernel].impulse_count, c);
    bool read = known || !(last || action->passing);
    float *places = read && keep.columns != NULL ? keep.columns + (size_t)c->place * TR_LANES : NULL;
    pass(context, blocks, c->first, c->count, places, step->kernels->placed[c->kernel].columns);
    if (action->ends && step->program.watches)
        tr2_note_chunk(step, c, action->early);
}

/* writes impulses back to the table, where they move with their row */
static void finish_chunk(const tr2_step *step, const tr2_chunk *c)
{
    if (c->idle)
        return;
    const tr2_blocks *blocks = &step->solver->blocks[c->kernel];
    const tr2_joints *joints = &step->system->joints[tr2_kernel_type(c->kernel)];
    uint32_t impulse_count = step->kernels->joints[c->kernel].impulse_count;
    for (uint32_t b = c->first; b < c->first + c->count; b++) {
        const float *impulses = (const float *)(void *)(blocks->data + b * blocks->stride + sizeof(tr2_block_bodies));
        const uint32_t *rows = blocks->rows + (size_t)b * TR_LANES;
        if (step->stiffness != NULL && (blocks->flags[b] & TR2_BLOCK_STIFF) != 0)
            tr2_look_for_stiffness(step, c->kernel, b);
        if ((blocks->flags[b] & TR2_BLOCK_CONTIGUOUS) != 0 && tr2_joints_act(joints->flags, rows[0])) {
            for (uint32_t i = 0; i < impulse_count; i++)
                memcpy(joints->impulse[i] + rows[0], impulses + i * TR_LANES, TR_LANES * sizeof *impulses);
            continue;
        }
        for (uint32_t i = 0; i < impulse_count; i++)
            for (uint32_t lane = 0; lane < TR_LANES && rows[lane] != TR_NONE; lane++)
                joints->impulse[i][rows[lane]] =
                    tr2_joint_acts(joints->flags, rows[lane]) ? impulses[i * TR_LANES + lane] : 0.0f;
    }
}

static const tr2_chunk *chunk_at(const tr2_step *step, const void *data, uint32_t chunk)
{
    const tr2_stage_data *stage = data;
    return (const tr2_chunk *)step->solver->chunks.data + stage->first + chunk;
}

void tr2_run_prepare_joints(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    prepare_chunk(context, chunk_at(context, data, chunk));
}

void tr2_run_pass(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    tr2_step *step = context;
    tr2_keep keep = {NULL, false};
    if (step->all_places != NULL)
        keep = (tr2_keep){step->all_places + (size_t)step->solver->seam_places * TR_LANES, true};
    pass_chunk(step, &step->context, chunk_at(step, data, chunk), &((const tr2_stage_data *)data)->action, keep, false);
}

void tr2_run_finish_joints(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    finish_chunk(context, chunk_at(context, data, chunk));
}

/*
 * Units
 */

/* the clock of a worker for a unit, if the unit is timed */
typedef struct tr2_watch {
    double *seconds; /* per label; null: not timed */
    double since;
} tr2_watch;

/* Reading the clock takes as long as solving ten joints. So only every eighth unit is timed, or about four units if
   there are more than 32: enough to estimate how the time is shared. */
static tr2_watch watch_start(const tr2_step *step, uint32_t unit, uint32_t worker)
{
    uint32_t every = step->solver->unit_count / 4 > 8 ? step->solver->unit_count / 4 : 8;
    tr2_watch watch = {unit % every == 0 ? step->samples[worker].seconds : NULL, 0.0};
    if (watch.seconds != NULL)
        watch.since = tr_clock_seconds();
    return watch;
}

static void watch_note(tr2_watch *watch, tr_stage label)
{
    if (watch->seconds == NULL)
        return;
    double now = tr_clock_seconds();
    watch->seconds[label] += now - watch->since;
    watch->since = now;
}

void tr2_share_seconds(const tr2_solver *solver, uint32_t workers, tr_pipeline_report *report)
{
    double sums[TR_STAGE_COUNT] = {0}, all = 0.0, visits = report->seconds[TR_STAGE_COUNT];
    const tr2_samples *samples = solver->samples.data;
    for (uint32_t worker = 0; worker < workers; worker++) {
        for (uint32_t label = 0; label < TR_STAGE_COUNT; label++) {
            sums[label] += samples[worker].seconds[label];
            all += samples[worker].seconds[label];
        }
    }
    for (uint32_t label = 0; label < TR_STAGE_COUNT && all > 0.0; label++)
        report->seconds[label] += visits * (sums[label] / all);
}

static uint32_t number_of(const tr2_step *step, const tr2_unit *unit)
{
    return (uint32_t)(unit - (const tr2_unit *)step->solver->units.data);
}

static void prepare_unit(tr2_step *step, const tr2_unit *unit)
{
    const tr2_chunk *chunks = (const tr2_chunk *)step->solver->chunks.data + unit->first_chunk;
    if (step->stiffness != NULL && step->solver->hub_count == 0)
        tr2_sum_stiffness(step, chunks, unit->chunk_count);
    prepare_rows(step, unit);
    for (uint32_t c = 0; c < unit->chunk_count; c++)
        prepare_chunk(step, &chunks[c]);
    tr2_prepare_trees(step, number_of(step, unit));
}

static void finish_unit(tr2_step *step, const tr2_unit *unit)
{
    const tr2_chunk *chunks = (const tr2_chunk *)step->solver->chunks.data + unit->first_chunk;
    for (uint32_t c = 0; c < unit->chunk_count; c++)
        finish_chunk(step, &chunks[c]);
    tr2_finish_trees(step, number_of(step, unit));
    finish_rows(step, unit);
}

/* a whole unit keeps its worker's columns for the entire step; others only until the next visit */
static tr2_keep keep_of(const tr2_step *step, const tr2_unit *unit, uint32_t worker)
{
    if (unit->place_count == 0)
        return (tr2_keep){NULL, false};
    if (step->all_places != NULL && !unit->whole)
        return (tr2_keep){step->all_places + (size_t)unit->first_place * TR_LANES, true};
    return (tr2_keep){step->unit_places + (size_t)worker * step->solver->unit_places * TR_LANES, unit->whole};
}

/* The number of leading chunks of a unit that a pass may visit in reverse order: all but the last ones, of fixed
   bodies, and only if the unit has no joints but contacts. */
static uint32_t count_turnable(const tr2_unit *unit, const tr2_chunk *chunks)
{
    uint32_t turnable = 0;
    for (uint32_t c = 0; c < unit->chunk_count; c++) {
        if (tr2_kernel_type(chunks[c].kernel) != TR2_CONTACT)
            return 0;
        turnable = chunks[c].fixed ? turnable : c + 1;
    }
    return turnable;
}

/* state of a worker during its visit to a unit */
typedef struct tr2_visitor {
    tr2_step *step;
    const tr2_kernel_context *context;
    const tr2_unit *unit;
    tr2_keep keep;
    tr2_watch watch;
    bool moving; /* positions have yet to move; in one pass with velocities, if these come next */
} tr2_visitor;

static void finish_moving(tr2_visitor *v)
{
    if (!v->moving)
        return;
    v->moving = false;
    v->step->kernels->integrate_positions(v->context, v->unit->first_row, v->unit->row_count);
    watch_note(&v->watch, TR_STAGE_INTEGRATE);
}

static void move_velocities(tr2_visitor *v)
{
    const tr2_kernels *kernels = v->step->kernels;
    if (v->moving)
        kernels->integrate_both(v->context, v->unit->first_row, v->unit->row_count);
    else
        kernels->integrate_velocities(v->context, v->unit->first_row, v->unit->row_count);
    v->moving = false;
}

static void act(tr2_visitor *v, const tr2_action *action, bool last)
{
    tr2_step *step = v->step;
    if (action->kind == TR2_MOVE_POSITIONS) {
        v->moving = true;
        return;
    }
    if (action->kind != TR2_MOVE_VELOCITIES)
        finish_moving(v);
    if (action->kind == TR2_MOVE_VELOCITIES)
        move_velocities(v);
    const tr2_chunk *chunks = (const tr2_chunk *)step->solver->chunks.data + v->unit->first_chunk;
    uint32_t turned = action->backward ? count_turnable(v->unit, chunks) : 0;
    for (uint32_t c = 0; action->kind == TR2_PASS && c < v->unit->chunk_count; c++)
        pass_chunk(step, v->context, &chunks[c < turned ? turned - 1 - c : c], action, v->keep, last);
    v->keep.here = v->keep.here || (action->kind == TR2_PASS && !last);
    if (action->kind == TR2_SOLVE_TREES)
        tr2_solve_trees(step, number_of(step, v->unit), action);
    watch_note(&v->watch, action->label);
}

/* runs the whole step of a unit, while its data stay in one core's caches */
static void step_unit(tr2_step *step, const tr2_unit *unit, uint32_t worker, tr2_watch watch)
{
    bool tiled = tr2_unit_is_tiled(step->solver, unit);
    tr2_visitor v = {.step = step,
                     .context = tiled ? &step->tiled : &step->near,
                     .unit = unit,
                     .keep = keep_of(step, unit, worker),
                     .watch = watch};
    tr2_action action;
    prepare_unit(step, unit);
    step->kernels->begin_rows(v.context, unit->first_row, unit->row_count);
    watch_note(&v.watch, TR_STAGE_PREPARE);
    for (uint32_t i = 0; i < step->program.substeps; i++) {
        for (uint32_t a = 0; tr2_action_at(&step->program, i, a, &action); a++)
            act(&v, &action, false);
    }
    for (uint32_t i = 0; step->program.bounces && i <= TR2_REBOUNDS; i++) {
        action = tr2_bounce_at(i);
        act(&v, &action, true);
    }
    finish_moving(&v);
    if (tiled)
        step->kernels->end_tiles(v.context, unit->first_row, unit->row_count);
    finish_unit(step, unit);
    watch_note(&v.watch, TR_STAGE_FINISH);
}

void tr2_run_rows(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    tr2_step *step = context;
    const tr2_stage_data *stage = data;
    const tr2_unit *unit = (const tr2_unit *)step->solver->units.data + stage->first + chunk;
    prepare_rows(step, unit);
    begin_rows(step, unit);
}

void tr2_run_units(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)data;
    tr2_step *step = context;
    const tr2_unit *unit = (const tr2_unit *)step->solver->units.data + chunk;
    tr2_watch watch = watch_start(step, chunk, worker);
    if (unit->whole) {
        step_unit(step, unit, worker, watch);
        return;
    }
    prepare_unit(step, unit);
    watch_note(&watch, TR_STAGE_PREPARE);
}

static const tr2_unit *visited(const tr2_step *step, uint32_t visit)
{
    uint32_t unit = ((const uint32_t *)step->solver->visits.data)[visit];
    return (const tr2_unit *)step->solver->units.data + unit;
}

void tr2_run_visit(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    tr2_step *step = context;
    const tr2_stage_data *stage = data;
    const tr2_unit *unit = visited(step, stage->first + chunk);
    tr2_visitor v = {.step = step,
                     .context = &step->context,
                     .unit = unit,
                     .keep = keep_of(step, unit, worker),
                     .watch = watch_start(step, chunk, worker)};
    bool stays = v.keep.here;
    tr2_action action;
    uint32_t left = stage->action_end - stage->action_begin + stage->next_end;
    for (uint32_t substep = stage->substep, a = stage->action_begin; left > 0; left--, a++) {
        if (substep == stage->substep && a == stage->action_end) {
            substep++;
            a = 0;
        }
        if (!tr2_action_at(&step->program, substep, a, &action))
            continue;
        act(&v, &action, !stays && left == 1);
        /* the first pass has brought the blocks into the cache, so later ones need no prefetching */
        if (action.kind == TR2_PASS)
            v.context = &step->near;
    }
    finish_moving(&v);
}

void tr2_run_begin_visit(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    const tr2_stage_data *stage = data;
    begin_rows(context, visited(context, stage->first + chunk));
}

void tr2_run_bounce_visit(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    const tr2_stage_data *stage = data;
    tr2_step *step = context;
    const tr2_unit *unit = visited(step, stage->first + chunk);
    tr2_visitor v = {.step = step, .context = &step->context, .unit = unit, .keep = keep_of(step, unit, worker)};
    act(&v, &stage->action, true);
}

void tr2_run_finish_visit(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    const tr2_stage_data *stage = data;
    (void)worker;
    finish_unit(context, visited(context, stage->first + chunk));
}
