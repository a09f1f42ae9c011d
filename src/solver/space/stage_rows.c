/* Stages over the rows of bodies in space: from their table to the state of a step and back, and the merging of split
   bodies. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/core/stages.h"
#include "solver/exact/exact_border.h"

/* the two parts of a row's record */
typedef struct parts {
    float *first, *second;
} parts;

static parts parts_at(void *records, int32_t offset)
{
    float *first = (float *)records + offset;
    return (parts){first, first + TR3_PART};
}

/* effective inverses of a state row: of the mass, and of the principal moments; a copy of a split body has its share */
static void inverses_of(const tr3_step *step, uint32_t row, uint32_t body, float out[4])
{
    const tr3_solver *solver = step->solver;
    const tr3_bodies *bodies = step->system->bodies;
    bool shared = solver->hub_count > 0;
    float share = shared ? ((const float *)solver->share.data)[row] : 1.0f;
    float inertia_share = shared ? ((const float *)solver->inertia_share.data)[row] : 1.0f;
    memset(out, 0, 4 * sizeof *out);
    if (tr3_is_unswept(bodies->flags[body]))
        return;
    const float ease = (bodies->flags[body] & TR_BODY_BORDERED) != 0 ? tr3_exact_ease(solver, body) : 1.0f;
    if (share > 0.0f)
        out[0] = ease * tr3_body_inverse_mass(bodies, body) / share;
    if (inertia_share > 0.0f) {
        tr_vec3 inverse = tr3_body_inverse_inertia(bodies, body);
        out[1] = ease * inverse.x / inertia_share;
        out[2] = ease * inverse.y / inertia_share;
        out[3] = ease * inverse.z / inertia_share;
    }
}

/* I^-1 t in the world's axes, for principal inverse moments in the axes of q */
static void turn_by_torque(const float *q, const float *inverse, const float *t, float *out)
{
    float x = q[0], y = q[1], z = q[2], w = q[3];
    const float r[3][3] = {{1.0f - 2.0f * (y * y + z * z), 2.0f * (x * y - w * z), 2.0f * (x * z + w * y)},
                           {2.0f * (x * y + w * z), 1.0f - 2.0f * (x * x + z * z), 2.0f * (y * z - w * x)},
                           {2.0f * (x * z - w * y), 2.0f * (y * z + w * x), 1.0f - 2.0f * (x * x + y * y)}};
    float own[3];
    for (int i = 0; i < 3; i++)
        own[i] = inverse[i] * ((r[0][i] * t[0] + r[1][i] * t[1]) + r[2][i] * t[2]);
    for (int i = 0; i < 3; i++)
        out[i] = (r[i][0] * own[0] + r[i][1] * own[1]) + r[i][2] * own[2];
}

/* sets the effect of gravity, forces and damping on a state row in a sub-step; TR_NONE: none */
static void prepare_pull(const tr3_step *step, uint32_t row, uint32_t body)
{
    const tr3_kernel_context *k = &step->context;
    const tr3_bodies *bodies = step->system->bodies;
    parts scale = parts_at(k->scale, tr3_row_offset(row)), gain = parts_at(k->gain, tr3_row_offset(row));
    for (int i = 0; i < 4; i++) {
        scale.first[i] = scale.second[i] = k->low != NULL ? 0.0f : 1.0f;
        gain.first[i] = gain.second[i] = 0.0f;
    }
    if (body == TR_NONE)
        return;
    float im = tr3_body_inverse_mass(bodies, body), share = 1.0f;
    /* forces act on the mass that the sweeps see: shares.c */
    if (step->solver->hub_count > 0 && ((const uint8_t *)step->solver->split.data)[row] != 0)
        share = 1.0f / ((const float *)step->solver->burden.data)[row];
    const float force[3] = {tr3_body_number(bodies->force_x, body, 0.0f), tr3_body_number(bodies->force_y, body, 0.0f),
                            tr3_body_number(bodies->force_z, body, 0.0f)};
    const float torque[3] = {tr3_body_number(bodies->torque_x, body, 0.0f),
                             tr3_body_number(bodies->torque_y, body, 0.0f),
                             tr3_body_number(bodies->torque_z, body, 0.0f)};
    const float gravity[3] = {k->gravity.x, k->gravity.y, k->gravity.z};
    const float q[4] = {bodies->rotation_x[body], bodies->rotation_y[body], bodies->rotation_z[body],
                        bodies->rotation_w[body]};
    float g = tr3_body_number(bodies->gravity_scale, body, 1.0f), turn[3];
    const float fades = k->h * tr3_body_number(bodies->linear_damping, body, 0.0f), linear = 1.0f / (1.0f + fades);
    const float stills = k->h * tr3_body_number(bodies->angular_damping, body, 0.0f), angular = 1.0f / (1.0f + stills);
    tr_vec3 whole = tr3_body_inverse_inertia(bodies, body);
    const float own[3] = {whole.x, whole.y, whole.z};
    turn_by_torque(q, own, torque, turn);
    for (int i = 0; i < 3; i++) {
        scale.first[i] = k->low != NULL ? -(fades * linear) : linear;
        scale.second[i] = k->low != NULL ? -(stills * angular) : angular;
        gain.first[i] = k->h * (gravity[i] * g + im * share * force[i]) * linear;
        gain.second[i] = k->h * (share * turn[i]) * angular;
    }
}

/* prepares a state row; a copy has its share of the mass and the velocity of its body */
static void prepare_body(tr3_step *step, uint32_t row)
{
    const tr3_bodies *bodies = step->system->bodies;
    const int32_t offset = tr3_row_offset(row);
    uint32_t body = ((const uint32_t *)step->solver->body_of_state.data)[row];
    parts frame = parts_at(step->context.frames, tr3_frame_row(&step->context, offset));
    parts velocity = parts_at(step->context.velocities, offset);
    double *place = (double *)step->context.places + offset / 2;
    place[0] = place[1] = place[TR3_PART / 2] = place[TR3_PART / 2 + 1] = 0.0;
    memset(velocity.first, 0, 4 * sizeof(float));
    memset(velocity.second, 0, 4 * sizeof(float));
    memset(frame.first, 0, 4 * sizeof(float));
    memset(frame.second, 0, 4 * sizeof(float));
    frame.second[3] = 1.0f;
    bool falls = body != TR_NONE && bodies->type[body] == TR_DYNAMIC &&
                 (bodies->flags[body] & TR_BODY_QUARANTINED) == 0 && !tr3_is_unswept(bodies->flags[body]);
    step->context.marks[row] = falls ? TR_MARK_FALLS : 0;
    if (step->context.scale != NULL)
        prepare_pull(step, row, falls ? body : TR_NONE);
    if (body == TR_NONE)
        return;
    place[0] = bodies->center_x[body];
    place[1] = bodies->center_y[body];
    place[TR3_PART / 2] = bodies->center_z[body];
    inverses_of(step, row, body, frame.first);
    velocity.first[3] = frame.first[1];
    velocity.second[3] = frame.first[2];
    frame.second[0] = bodies->rotation_x[body];
    frame.second[1] = bodies->rotation_y[body];
    frame.second[2] = bodies->rotation_z[body];
    frame.second[3] = bodies->rotation_w[body];
    if ((bodies->flags[body] & TR_BODY_QUARANTINED) != 0 || bodies->type[body] == TR_STATIC)
        return;
    velocity.first[0] = bodies->velocity_x[body];
    velocity.first[1] = bodies->velocity_y[body];
    velocity.first[2] = bodies->velocity_z[body];
    velocity.second[0] = bodies->angular_velocity_x[body];
    velocity.second[1] = bodies->angular_velocity_y[body];
    velocity.second[2] = bodies->angular_velocity_z[body];
}

void tr3_prepare_rows(tr3_step *step, const tr3_kernel_context *context, const tr3_unit *unit)
{
    for (uint32_t row = unit->first_row; row < unit->first_row + unit->row_count; row += TR_LANES) {
        uint32_t body = tr3_tile_body(step->solver, row);
        if (body != TR_NONE && step->kernels->prepare_bodies(context, step->system->bodies, body, row))
            continue;
        for (uint32_t i = 0; i < TR_LANES; i++)
            prepare_body(step, row + i);
        if (context->tiled) {
            step->kernels->turn_tiles(context, row, TR_LANES);
            context->marks[row] |= TR_MARK_TILED;
        }
    }
}

static bool is_sane(const tr3_kernel_context *k, const parts *v)
{
    bool sane = true;
    for (int i = 0; i < 3; i++)
        sane = sane && fabsf(v->first[i]) <= TR_SANE_SPEED && fabsf(v->second[i]) * k->h <= TR_SANE_TURN;
    return sane;
}

/* whether a pose is one: a pass that projects may have moved it by a velocity that a later one has made sane again */
static bool is_pose(const parts *p)
{
    const float *q = p->second;
    float square = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    return fabsf(p->first[0]) <= FLT_MAX && fabsf(p->first[1]) <= FLT_MAX && fabsf(p->first[2]) <= FLT_MAX &&
           square > 0.5f && square < 2.0f;
}

static void write_velocity(tr3_bodies *bodies, uint32_t row, const parts *v)
{
    bodies->velocity_x[row] = v->first[0];
    bodies->velocity_y[row] = v->first[1];
    bodies->velocity_z[row] = v->first[2];
    bodies->angular_velocity_x[row] = v->second[0];
    bodies->angular_velocity_y[row] = v->second[1];
    bodies->angular_velocity_z[row] = v->second[2];
}

/* writes a row back to the table; a body that is not sane stays at its state at the start of the step, at rest and
   in quarantine */
static void finish_body(const tr3_step *step, uint32_t row, uint32_t state)
{
    tr3_bodies *bodies = step->system->bodies;
    const parts v = parts_at(step->context.velocities, tr3_row_offset(state));
    const parts p = parts_at(step->context.poses, tr3_row_offset(state));
    /* the direct method has yet to move some */
    if (bodies->type[row] == TR_STATIC || (bodies->flags[row] & (TR_BODY_QUARANTINED | TR_BODY_DIRECT)) != 0)
        return;
    /* the last relaxing pass may have changed the velocity after the position was computed */
    const bool sane = (step->context.marks[state] & TR_MARK_BAD) == 0 && is_sane(&step->context, &v) && is_pose(&p);
    if (!sane) {
        tr3_body_quarantine(bodies, row);
        return;
    }
    bodies->center_x[row] += (double)p.first[0];
    bodies->center_y[row] += (double)p.first[1];
    bodies->center_z[row] += (double)p.first[2];
    bodies->rotation_x[row] = p.second[0];
    bodies->rotation_y[row] = p.second[1];
    bodies->rotation_z[row] = p.second[2];
    bodies->rotation_w[row] = p.second[3];
    write_velocity(bodies, row, &v);
}

void tr3_finish_rows(const tr3_step *step, const tr3_kernel_context *context, const tr3_unit *unit)
{
    const uint32_t *body_of_state = step->solver->body_of_state.data;
    const uint32_t *state_of_body = step->solver->state_of_body.data;
    for (uint32_t first = unit->first_row; first < unit->first_row + unit->row_count; first += TR_LANES) {
        if ((context->marks[first] & TR_MARK_TILE) != 0 &&
            step->kernels->finish_bodies(context, step->system->bodies, body_of_state[first], first))
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

/* q turned by the rotation vector v (rad), which is small */
static void turn(float *q, const float *v)
{
    const float half[3] = {0.5f * v[0], 0.5f * v[1], 0.5f * v[2]};
    const float r[4] = {q[0] + ((half[0] * q[3] + half[1] * q[2]) - half[2] * q[1]),
                        q[1] + ((half[1] * q[3] + half[2] * q[0]) - half[0] * q[2]),
                        q[2] + ((half[2] * q[3] + half[0] * q[1]) - half[1] * q[0]),
                        q[3] - ((half[0] * q[0] + half[1] * q[1]) + half[2] * q[2])};
    float length = sqrtf((r[0] * r[0] + r[1] * r[1]) + (r[2] * r[2] + r[3] * r[3]));
    for (int i = 0; i < 4; i++)
        q[i] = r[i] / length;
}

/*
 * Merges a split body: its copies each received the impulses of their joints. The velocity of the body is their
 * average, weighted by mass, in a fixed order, which conserves momentum (Tonge et al. 2012, mass splitting). It is
 * computed as the first velocity plus differences, so that equal copies change nothing.
 */
void tr3_run_hub(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    const tr3_step *step = context;
    const tr3_stage_data *stage = data;
    const tr3_hub *hub = (const tr3_hub *)step->solver->hubs.data + chunk;
    if (hub->idle)
        return;
    const float *share = step->solver->share.data, *inertia_share = step->solver->inertia_share.data;
    parts mean = parts_at(step->context.velocities, tr3_row_offset(hub->row));
    parts place = parts_at(step->context.poses, tr3_row_offset(hub->row));
    float v[3] = {0.0f, 0.0f, 0.0f}, w[3] = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = hub->first_copy; i < hub->first_copy + hub->copies; i++) {
        parts own = parts_at(step->context.velocities, tr3_row_offset(i));
        for (int c = 0; c < 3; c++) {
            v[c] += share[i] * (own.first[c] - mean.first[c]);
            w[c] += inertia_share[i] * (own.second[c] - mean.second[c]);
        }
    }
    for (int c = 0; c < 3; c++) {
        v[c] /= hub->heavier;
        w[c] /= hub->heavier;
        mean.first[c] += v[c];
        mean.second[c] += w[c];
    }
    /* if the pass moves the copies, the body moves by as much */
    if (stage->action.pass == TR_PASS_PROJECT) {
        for (int c = 0; c < 3; c++) {
            place.first[c] += step->context.h * v[c];
            w[c] *= step->context.h;
        }
        turn(place.second, w);
    }
    for (uint32_t i = hub->first_copy; i < hub->first_copy + hub->copies; i++) {
        parts own = parts_at(step->context.velocities, tr3_row_offset(i));
        parts at = parts_at(step->context.poses, tr3_row_offset(i));
        memcpy(own.first, mean.first, 3 * sizeof(float));
        memcpy(own.second, mean.second, 3 * sizeof(float));
        /* before the first pass of a step there may be frames in the place of poses */
        if (stage->action.kind != TR_PASS)
            continue;
        memcpy(at.first, place.first, 3 * sizeof(float));
        memcpy(at.second, place.second, 4 * sizeof(float));
    }
}

void tr3_swept_velocity(const tr3_step *step, uint32_t row, float out[TR3_DEGREES])
{
    const parts v = parts_at(step->context.velocities, tr3_row_offset(row));
    memcpy(out, v.first, 3 * sizeof *out);
    memcpy(out + 3, v.second, 3 * sizeof *out);
}

void tr3_set_swept_velocity(const tr3_step *step, uint32_t row, const float v[TR3_DEGREES], bool moves)
{
    parts to = parts_at(step->context.velocities, tr3_row_offset(row));
    if (moves) {
        parts p = parts_at(step->context.poses, tr3_row_offset(row));
        float w[3];
        for (int c = 0; c < 3; c++) {
            p.first[c] += step->context.h * (v[c] - to.first[c]);
            w[c] = step->context.h * (v[3 + c] - to.second[c]);
        }
        turn(p.second, w);
    }
    memcpy(to.first, v, 3 * sizeof *v);
    memcpy(to.second, v + 3, 3 * sizeof *v);
}

void tr3_swept_response(const tr3_step *step, uint32_t row, const tr3_contact_point *at, uint32_t end,
                        const double impulse[TR3_DEGREES], double out[TR3_DEGREES])
{
    const parts pose = parts_at(step->context.poses, tr3_row_offset(row));
    const float torque[3] = {(float)impulse[3], (float)impulse[4], (float)impulse[5]};
    float turn[3];
    turn_by_torque(pose.second, at->inverse_inertia[end], torque, turn);
    for (int i = 0; i < 3; i++) {
        out[i] = (double)at->inverse_mass[end] * impulse[i];
        out[3 + i] = (double)turn[i];
    }
}
