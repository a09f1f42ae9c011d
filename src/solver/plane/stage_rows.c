/* Stages over the rows of bodies: from their table to the state of a step and back, and the merging of split bodies. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/core/stages.h"
#include "solver/exact/exact_border.h"
#include "solver/plane/rotation.h"

/* sets the effect of gravity, forces and damping on a state row in a sub-step; TR_NONE: none */
static void prepare_pull(const tr2_step *step, uint32_t row, uint32_t body)
{
    const tr2_kernel_context *k = &step->context;
    const tr2_solver *solver = step->solver;
    const tr2_bodies *bodies = step->system->bodies;
    float *scale = k->scale + 4 * (size_t)row, *gain = k->gain + 4 * (size_t)row;
    scale[0] = scale[1] = scale[2] = scale[3] = k->low != NULL ? 0.0f : 1.0f;
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
    const float fades = k->h * tr2_body_number(bodies->linear_damping, body, 0.0f), linear = 1.0f / (1.0f + fades);
    const float stills = k->h * tr2_body_number(bodies->angular_damping, body, 0.0f), angular = 1.0f / (1.0f + stills);
    scale[0] = scale[1] = k->low != NULL ? -(fades * linear) : linear;
    scale[2] = k->low != NULL ? -(stills * angular) : angular;
    gain[0] = k->h * (k->gravity.x * g + im * tr2_body_number(bodies->force_x, body, 0.0f)) * linear;
    gain[1] = k->h * (k->gravity.y * g + im * tr2_body_number(bodies->force_y, body, 0.0f)) * linear;
    gain[2] = k->h * (ii * tr2_body_number(bodies->torque, body, 0.0f)) * angular;
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
    const bool unswept = tr2_is_unswept(bodies->flags[body]);
    const float ease = (bodies->flags[body] & TR_BODY_BORDERED) != 0 ? tr2_exact_ease(solver, body) : 1.0f;
    if (share > 0.0f && !unswept)
        frame->inverse_mass = ease * tr2_body_inverse_mass(bodies, body) / share;
    if (inertia_share > 0.0f && !unswept)
        frame->inverse_inertia = ease * tr2_body_inverse_inertia(bodies, body) / inertia_share;
    step->context.places[row] = (tr2_body_place){bodies->center_x[body], bodies->center_y[body]};
    if ((bodies->flags[body] & TR_BODY_QUARANTINED) != 0 || bodies->type[body] == TR_STATIC)
        return;
    velocity->x = bodies->velocity_x[body];
    velocity->y = bodies->velocity_y[body];
    velocity->w = bodies->angular_velocity[body];
    if (bodies->type[body] != TR_DYNAMIC || unswept)
        return;
    step->context.marks[row] = TR_MARK_FALLS;
    if (step->context.scale != NULL)
        prepare_pull(step, row, body);
}

void tr2_prepare_rows(tr2_step *step, const tr2_kernel_context *context, const tr2_unit *unit)
{
    const tr2_bodies *bodies = step->system->bodies;
    for (uint32_t row = unit->first_row; row < unit->first_row + unit->row_count; row += TR_LANES) {
        uint32_t body = tr2_tile_body(step->solver, row);
        if (body == TR_NONE || !step->kernels->prepare_bodies(context, bodies, body, row)) {
            for (uint32_t i = 0; i < TR_LANES; i++)
                prepare_body(step, row + i);
            if (context->tiled) {
                step->kernels->turn_tiles(context, row, TR_LANES);
                context->marks[row] |= TR_MARK_TILED;
            }
        }
        if (step->stiffness != NULL)
            tr2_stiffen_rows(step, context, row);
    }
}

/* writes a row back to the table; a body that is not sane stays at its state at the start of the step, at rest and
   in quarantine */
static void finish_body(const tr2_step *step, uint32_t row, uint32_t state)
{
    tr2_bodies *bodies = step->system->bodies;
    const tr2_body_velocity *v = &step->context.velocities[state];
    const tr2_body_pose *p = &step->context.poses[state];
    /* the direct method has yet to move some */
    if (bodies->type[row] == TR_STATIC || (bodies->flags[row] & (TR_BODY_QUARANTINED | TR_BODY_DIRECT)) != 0)
        return;
    /* the last pass may have changed the velocity after the position was computed, or the position itself */
    const double angle = bodies->angle[row] + (double)v->angle;
    const float most = tr2_sane_speed(&step->context);
    bool sane = (step->context.marks[state] & TR_MARK_BAD) == 0 && fabsf(v->x) <= most && fabsf(v->y) <= most &&
                fabsf(v->w) * step->context.h <= TR_SANE_TURN && fabsf(v->angle) <= TR_SANE_TURN &&
                fabsf(p->x) <= FLT_MAX && fabsf(p->y) <= FLT_MAX && fabs(angle) <= TR2_ANGLE_MAX;
    if (!sane) {
        tr2_body_quarantine(bodies, row);
        return;
    }
    bodies->velocity_x[row] = v->x;
    bodies->velocity_y[row] = v->y;
    bodies->angular_velocity[row] = v->w;
    bodies->center_x[row] += (double)p->x;
    bodies->center_y[row] += (double)p->y;
    if (v->angle != 0.0f) {
        bodies->angle[row] = angle;
        tr2_rotation(bodies->angle[row], &bodies->c[row], &bodies->s[row]);
    }
}

void tr2_finish_rows(const tr2_step *step, const tr2_kernel_context *context, const tr2_unit *unit)
{
    const uint32_t *body_of_state = step->solver->body_of_state.data;
    const uint32_t *state_of_body = step->solver->state_of_body.data;
    for (uint32_t first = unit->first_row; first < unit->first_row + unit->row_count; first += TR_LANES) {
        uint32_t body = body_of_state[first];
        if ((context->marks[first] & TR_MARK_TILE) != 0 &&
            step->kernels->finish_bodies(context, step->system->bodies, body, first))
            continue;
        if (context->tiled) {
            step->kernels->turn_tiles(context, first, TR_LANES);
            context->marks[first] &= (uint8_t)~TR_MARK_TILED;
        }
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
    if (hub->idle)
        return;
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
    if (stage->action.pass == TR_PASS_PROJECT) {
        place.x += step->context.h * x;
        place.y += step->context.h * y;
        mean.angle += step->context.h * w;
        tr2_rotation((double)mean.angle, &place.c, &place.s);
        p[hub->row] = place;
    }
    v[hub->row] = mean;
    for (uint32_t i = hub->first_copy; i < hub->first_copy + hub->copies; i++) {
        v[i] = mean;
        /* before the first pass of a step there may not be any poses */
        if (stage->action.kind == TR_PASS)
            p[i] = place;
    }
}

/*
 * Motions of bodies in the last step
 */
static bool is_tiled(const tr2_solver *solver, uint32_t row)
{
    return (((const uint8_t *)solver->marks.data)[row - row % TR_LANES] & TR_MARK_TILED) != 0;
}

/* x or y of a row's pose */
static float *moved(const tr2_solver *solver, uint32_t row, int axis)
{
    return tr2_member(solver->poses.data, row, axis, is_tiled(solver, row));
}

static float *turned(const tr2_solver *solver, uint32_t row)
{
    return tr2_member(solver->velocities.data, row, 3, is_tiled(solver, row));
}

tr2_motion tr2_solver_motion(const tr2_solver *solver, uint32_t body_row)
{
    if (tr2_solver_moves_directly(solver, body_row))
        return tr2_exact_motions(solver->exact)[body_row];
    uint32_t row = ((const uint32_t *)solver->state_of_body.data)[body_row];
    if (row == TR_NONE)
        return (tr2_motion){0};
    return (tr2_motion){*moved(solver, row, 0), *moved(solver, row, 1), *turned(solver, row)};
}

void tr2_solver_set_motion(tr2_solver *solver, uint32_t body_row, tr2_motion motion)
{
    if (tr2_solver_moves_directly(solver, body_row)) {
        tr2_exact_motions(solver->exact)[body_row] = motion;
        return;
    }
    uint32_t row = ((const uint32_t *)solver->state_of_body.data)[body_row];
    *moved(solver, row, 0) = motion.x;
    *moved(solver, row, 1) = motion.y;
    *turned(solver, row) = motion.turn;
}

void tr2_swept_velocity(const tr2_step *step, uint32_t row, float out[TR2_DEGREES])
{
    const tr2_body_velocity *v = &step->context.velocities[row];
    out[0] = v->x;
    out[1] = v->y;
    out[2] = v->w;
}

void tr2_set_swept_velocity(const tr2_step *step, uint32_t row, const float v[TR2_DEGREES], bool moves)
{
    tr2_body_velocity *to = &step->context.velocities[row];
    if (moves) {
        tr2_body_pose *p = &step->context.poses[row];
        p->x += step->context.h * (v[0] - to->x);
        p->y += step->context.h * (v[1] - to->y);
        to->angle += step->context.h * (v[2] - to->w);
        tr2_rotation((double)to->angle, &p->c, &p->s);
    }
    to->x = v[0];
    to->y = v[1];
    to->w = v[2];
}

void tr2_swept_response(const tr2_step *step, uint32_t row, const tr2_contact_point *at, uint32_t end,
                        const double impulse[TR2_DEGREES], double out[TR2_DEGREES])
{
    (void)step;
    (void)row;
    out[0] = (double)at->inverse_mass[end] * impulse[0];
    out[1] = (double)at->inverse_mass[end] * impulse[1];
    out[2] = (double)at->inverse_inertia[end][0] * impulse[2];
}
