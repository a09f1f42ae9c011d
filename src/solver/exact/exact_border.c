/*
 * Borders: bodies that the direct method moves, some of whose contacts are solved by sweeps, because more touches an
 * island than may join it. In the sweeps such a body has its own mass and no joints, and what contacts change in its
 * velocity goes into the direct step; neither adds energy. But joints may hold it against far more than its own mass, so
 * that heaps would sink into it. Therefore a body as slow as one that rests carries as a wall does that stands still, and
 * so does no work; and the direct step has of the impulses what the fall of a body in a step gives it, at most: less than
 * what the heap has lost.
 */
#include <math.h>

#include "solver/exact/exact.h"

/* a body is slow if it moves no faster than by this many times what gravity gives it in a step */
#define SLOW 2.0

/* twice the energy of a velocity, over the mass */
static double square_of(const trn_exact_body *body, const double v[TRN_DEGREES])
{
    double square = 0.0, turning = 0.0;
    for (uint32_t i = 0; i < TRN_AXES; i++)
        square += v[i] * v[i];
    for (uint32_t i = 0; i < TRN_SPINS && body->turns; i++)
        for (uint32_t k = 0; k < TRN_SPINS; k++)
            turning += v[TRN_AXES + i] * body->inertia[i][k] * v[TRN_AXES + k];
    return square + turning / body->mass;
}

/* m/s, by gravity in a step */
static double fall_of(const trn_system *system, double dt)
{
    double fall[TRN_DEGREES];
    trn_equation_put(fall, trn_widen(system->settings.gravity), trn_widen_spin((trn_spin){0}));
    double square = 0.0;
    for (uint32_t i = 0; i < TRN_AXES; i++)
        square += fall[i] * fall[i];
    return dt * sqrt(square);
}

static trn_exact_body body_at(const trn_bodies *bodies, uint32_t row, const trn_body_state *state)
{
    trn_exact_body body = {.row = row, .mass = (double)bodies->mass[row]};
    trn_exact_inertia(bodies, state, &body);
    return body;
}

bool trn_exact_is_wall(const trn_system *system, uint32_t row, double dt)
{
    trn_body_state state;
    trn_exact_state_read(system->bodies, row, false, &state);
    const trn_exact_body body = body_at(system->bodies, row, &state);
    const double most = SLOW * fall_of(system, dt);
    double v[TRN_DEGREES];
    trn_exact_velocity(&state, v);
    return square_of(&body, v) <= most * most;
}

/* adds what a contact has done to the body at one of its ends */
static void add_impulse(const trn_system *system, uint32_t edge, uint32_t end, double sum[TRN_DEGREES])
{
    const trn_joints *contacts = &system->joints[TR_CONTACT];
    const uint32_t row = system->joint_pool->row[edge];
    const trn_body_state still = {0}, *const body[2] = {&still, &still};
    trn_exact_contact contact;
    trn_exact_contact_columns(contacts, row, &contact);
    for (uint32_t p = 0; p < contact.points; p++) {
        const int at = trn_exact_contact_impulse(p) + TRN_CONTACT_TOTAL_0;
        const trn_equation along = trn_exact_contact_along(contact.normal, trn_plus(contact.arm_a, contact.further[p]),
                                                           trn_plus(contact.arm_b, contact.further[p]), body);
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            sum[i] += along.j[end][i] * (double)trn_joint_impulse(contacts, (uint32_t)at, row);
    }
}

static void push_wall(trn_exact *it, const trn_system *system, uint32_t row, double most)
{
    const trn_bodies *bodies = system->bodies;
    const trn_exact_body body = body_at(bodies, row, &it->state[row]);
    double sum[TRN_DEGREES] = {0.0}, change[TRN_DEGREES] = {0.0}, v[TRN_DEGREES];
    for (uint32_t half = tr_plan_first(system->plan, bodies->slot[row]); half != TR_NONE;
         half = tr_plan_next(system->plan, half)) {
        const uint32_t edge = tr_half_edge(half);
        const uint32_t other = system->body_pool->row[tr_plan_end(system->plan, edge, 1 - tr_half_end(half) % 2)];
        if (trn_kernel_type(tr_plan_kind(system->plan, edge)) == TR_CONTACT && bodies->type[other] == TR_DYNAMIC &&
            (bodies->flags[other] & TR_BODY_DIRECT) == 0)
            add_impulse(system, edge, tr_half_end(half), sum);
    }
    for (uint32_t i = 0; i < TRN_AXES; i++)
        change[i] = sum[i] / body.mass;
    for (uint32_t i = 0; i < TRN_SPINS; i++)
        for (uint32_t k = 0; k < TRN_SPINS; k++)
            change[TRN_AXES + i] += body.inverse[i][k] * sum[TRN_AXES + k];
    const double square = square_of(&body, change), share = square > most * most ? most / sqrt(square) : 1.0;
    trn_exact_velocity(&it->state[row], v);
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        v[i] += share * change[i];
    trn_exact_set_velocity(&it->state[row], v);
    it->begun[row] = it->state[row];
}

void trn_exact_take_pushes(trn_exact *it, const trn_system *system, double dt)
{
    const double most = fall_of(system, dt);
    for (uint32_t b = 0; b < it->body_count; b++) {
        const uint32_t row = it->bodies[b].row, flags = system->bodies->flags[row];
        if ((flags & TR_BODY_WALL) != 0)
            push_wall(it, system, row, most);
        else if ((flags & TR_BODY_BORDER) != 0) {
            trn_exact_state_read(system->bodies, row, true, &it->state[row]);
            it->begun[row] = it->state[row];
        }
    }
}
