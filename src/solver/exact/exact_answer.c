/*
 * Answers: in the middle of a pass bodies of a border take the velocities that they have by it so far (exact_border.c), by the
 * response that the island had as the step began. Stops that are not in that press as far as they must, and are found again with
 * the rest of the island after the pass.
 */
#include <math.h>
#include <string.h>

#include "solver/exact/exact_border.h"

static bool is_finite(const double numbers[TRN_DEGREES])
{
    double sum = 0.0;
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        sum += fabs(numbers[i]);
    return isfinite(sum);
}

/* out := M v */
static void weigh(const trn_exact_body *body, const double v[TRN_DEGREES], double out[TRN_DEGREES])
{
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        out[i] = i < TRN_AXES ? body->mass * v[i]
                              : trn_equation_product(body->inertia[i - TRN_AXES], v + TRN_AXES, TRN_SPINS);
}

uint32_t trn_exact_hub_of(const trn_solver *solver, uint32_t row)
{
    const trn_hub *hubs = solver->hubs.data;
    if (solver->hub_count == 0 || ((const uint8_t *)solver->split.data)[row] == 0)
        return TR_NONE;
    uint32_t hub = 0;
    while (hubs[hub].row != row)
        hub++;
    return hub;
}

static const trn_hub *copies_of(const trn_step *step, const trn_exact_body *body)
{
    return body->hub == TR_NONE ? NULL : (const trn_hub *)step->solver->hubs.data + body->hub;
}

static uint32_t state_of(const trn_step *step, const trn_exact_body *body)
{
    return ((const uint32_t *)step->solver->state_of_body.data)[body->row];
}

/* The change of a body's velocity since it was handed over: of a split body the sum over its copies, as their masses are to
   sweeps. */
static void change_of(const trn_step *step, const trn_exact_body *body, double by[TRN_DEGREES])
{
    const float *share = step->solver->share.data, *turn_share = step->solver->inertia_share.data;
    const trn_hub *hub = copies_of(step, body);
    float now[TRN_DEGREES];
    memset(by, 0, TRN_DEGREES * sizeof *by);
    for (uint32_t c = 0; c <= (hub != NULL ? hub->copies : 0); c++) {
        const uint32_t own = c == 0 ? state_of(step, body) : hub->first_copy + c - 1;
        trn_swept_velocity(step, own, now);
        for (uint32_t i = 0; i < TRN_DEGREES; i++) {
            const float part = hub == NULL ? 1.0f : i < TRN_AXES ? share[own] : turn_share[own];
            by[i] += (double)part * ((double)now[i] - (double)body->handed[i]);
        }
    }
}

void trn_exact_push(trn_exact_body *body, const double push[TRN_DEGREES])
{
    double by[TRN_DEGREES];
    trn_exact_respond(body, push, by);
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        body->fall[i] += by[i];
}

bool trn_exact_take_pass(const trn_step *step, trn_exact_body *body, double *did, double push[TRN_DEGREES])
{
    double by[TRN_DEGREES];
    bool any = false;
    change_of(step, body, by);
    weigh(body, by, push);
    /* as its mass is to sweeps */
    for (uint32_t i = 0; i < TRN_DEGREES; i++) {
        push[i] /= (double)body->ease;
        any = any || push[i] != 0.0;
    }
    if (!any || !is_finite(push))
        return false;
    trn_exact_push(body, push);
    for (uint32_t i = 0; i < TRN_AXES; i++)
        *did += fabs(push[i]);
    return true;
}

void trn_exact_hand_to(const trn_step *step, const trn_exact_body *body, bool moves)
{
    const trn_hub *hub = copies_of(step, body);
    trn_set_swept_velocity(step, state_of(step, body), body->handed, moves);
    for (uint32_t c = 0; hub != NULL && c < hub->copies; c++)
        trn_set_swept_velocity(step, hub->first_copy + c, body->handed, moves);
}

void trn_exact_read_stops(const trn_exact_kick *kick, trn_exact_border *own)
{
    const trn_exact *it = kick->step->exact;
    for (uint32_t s = 0; s < own->stop_count; s++) {
        trn_exact_border_stop *stop = &own->stops[s];
        const trn_exact_joint *joint = &it->joints[kick->island->first_joint + stop->joint];
        const trn_exact_row *row = &it->rows[joint->first_row + stop->nth];
        /* what is not there cannot be reached */
        stop->lambda = row->off ? 0.0 : row->lambda;
        stop->w = row->off ? INFINITY : row->u + row->b;
        stop->e = row->e[0];
        for (uint32_t b = 0; b < joint->body_count; b++)
            stop->w += trn_equation_product(trn_exact_jacobian(it, joint, b)[stop->nth],
                                            it->bodies[joint->body[b]].change, TRN_DEGREES);
    }
}

/* Stops press as far as they must, one after the other: the method of Gauss and Seidel. `change`: so far, of all coordinates of
   the response */
static void press_stops(const trn_exact_border *own, trn_exact_border_stop *stops, double *change)
{
    const uint32_t first = trn_exact_border_numbers(own), numbers = trn_exact_response_numbers(own);
    for (uint32_t round = 0; round < TR_EXACT_STOP_ROUNDS; round++)
        for (uint32_t s = 0; s < own->stop_count; s++) {
            trn_exact_border_stop *stop = &stops[s];
            const double *response = own->scratch + (size_t)(first + s) * numbers;
            const double k = response[first + s] + stop->e;
            if (!(k > 0.0))
                continue;
            const double more = fmax(-stop->lambda, -(stop->w + change[first + s] + stop->e * stop->lambda) / k);
            stop->lambda += more;
            for (uint32_t i = 0; i < numbers && more != 0.0; i++)
                change[i] += more * response[i];
        }
}

/* Bodies of the border take up changes of their velocities; null: none */
static void hand_over(const trn_step *step, const trn_exact_border *own, const double *change, bool moves)
{
    const trn_exact *it = step->solver->exact;
    for (uint32_t m = 0; m < own->meeting_count; m++) {
        trn_exact_body *body = &it->bodies[it->islands[own->island].first_body + own->meetings[m].body];
        if (!trn_exact_begins_body(own, m))
            continue;
        for (uint32_t i = 0; i < TRN_DEGREES && change != NULL; i++)
            body->handed[i] += (float)change[own->meetings[m].place * TRN_DEGREES + i];
        trn_exact_hand_to(step, body, moves);
    }
}

void trn_exact_move_border(const trn_step *step, trn_exact_border *own, double *change, bool moves)
{
    const uint32_t first = trn_exact_border_numbers(own);
    trn_exact_border_stop stops[TR_EXACT_BORDER_STOPS];
    bool sane = true;
    memcpy(stops, own->stops, own->stop_count * sizeof *stops);
    press_stops(own, stops, change);
    for (uint32_t i = 0; i < first; i++)
        sane = sane && fabs(change[i]) <= (double)TR_SANE_SPEED;
    for (uint32_t s = 0; s < own->stop_count && sane; s++) {
        own->stops[s] = stops[s];
        own->stops[s].w += change[first + s];
    }
    hand_over(step, own, sane ? change : NULL, moves);
}

void trn_exact_answer(const trn_step *step, trn_exact_border *own, const trn_action *pass)
{
    trn_exact *it = step->solver->exact;
    const uint32_t numbers = trn_exact_response_numbers(own);
    double change[TR_EXACT_BORDER_NUMBERS + TR_EXACT_BORDER_STOPS] = {0.0};
    /* Bodies do not move before the end of a pass if what has been stopped together is given back, one after the other. */
    const bool waits = pass->pass == TR_PASS_BOUNCE;
    bool any = false;
    for (uint32_t m = 0; m < own->meeting_count; m++) {
        const trn_exact_meeting *meeting = &own->meetings[m];
        trn_exact_body *body = &it->bodies[it->islands[own->island].first_body + meeting->body];
        double push[TRN_DEGREES];
        if (!trn_exact_begins_body(own, m) || !trn_exact_take_pass(step, body, &own->did, push))
            continue;
        any = true;
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            own->net[meeting->place * TRN_DEGREES + i] += push[i];
        for (uint32_t i = 0; i < TRN_DEGREES && !waits; i++) {
            const double *by = own->scratch + (size_t)(meeting->place * TRN_DEGREES + i) * numbers;
            for (uint32_t k = 0; k < numbers; k++)
                change[k] += push[i] * by[k];
        }
    }
    own->any = own->any || any;
    if (any && waits)
        hand_over(step, own, NULL, false);
    else if (any)
        trn_exact_move_border(step, own, change, pass->pass == TR_PASS_PROJECT);
}

void trn_answer_in(const trn_step *step, uint32_t unit, const trn_action *pass)
{
    const trn_exact *it = step->solver->exact;
    for (uint32_t i = it->first_border[unit]; i != TR_NONE; i = it->borders[i].next)
        trn_exact_answer(step, &it->borders[i], pass);
}

void trn_run_answers(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    const trn_step *step = context;
    const trn_exact *it = step->solver->exact;
    const trn_stage_data *stage = data;
    for (uint32_t i = chunk; i < it->border_count; i += TR_RESPONSE_CHUNKS)
        if (!it->borders[i].whole)
            trn_exact_answer(step, &it->borders[i], &stage->action);
}
