/*
 * Borders: contacts between an island that the direct method solves and other bodies that move, because more hangs together
 * with it than may join it. Sweeps solve them together with all that touches: they also sweep the island, from its present state
 * (exact_rehearsal.c), so that contacts meet bodies that yield as their joints let them. Of that only the impulses of these
 * contacts are kept. The direct step has them as forces that are constant in the step. So what the others lose is what the
 * island gets, but for what differs between its motion in sweeps and that of the direct method.
 * Where that would give an island energy from nowhere its bodies move as sweeps have moved them (trn_exact_keep_rehearsed()),
 * and its joints have the impulses that the direct method has found.
 */
#include <math.h>

#include "solver/exact/exact.h"

/* Adds what a contact has done to the body at one of its ends. There are no sums of what rubs: it is taken to have been
   in proportion to the load as in the last sub-step, within its bounds, and is dropped where the contact ends without
   load. */
static void add_impulse(const trn_system *system, uint32_t edge, uint32_t end, double sum[TRN_DEGREES])
{
    const trn_joints *contacts = &system->joints[TR_CONTACT];
    const uint32_t row = system->joint_pool->row[edge];
    const trn_body_state still = {0}, *const body[2] = {&still, &still};
    double total[TRN_CONTACT_POINTS], all = 0.0, last = 0.0;
    trn_exact_contact contact;
    trn_exact_contact_columns(contacts, row, &contact);
    for (uint32_t p = 0; p < contact.points; p++) {
        const uint32_t at = (uint32_t)trn_exact_contact_impulse(p);
        const trn_equation along = trn_exact_contact_along(contact.normal, trn_plus(contact.arm_a, contact.further[p]),
                                                           trn_plus(contact.arm_b, contact.further[p]), body);
        total[p] = (double)trn_joint_impulse(contacts, at + TRN_CONTACT_TOTAL_0, row);
        all += total[p];
        last += (double)trn_joint_impulse(contacts, at, row);
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            sum[i] += along.j[end][i] * total[p];
    }
    trn_equations rubs = {.count = 0};
    trn_exact_contact_rub(&contact, body, total, &rubs);
    for (uint32_t r = 0; r < rubs.count && last > 0.0; r++) {
        const trn_equation *rub = &rubs.row[r];
        const double found = (double)trn_joint_impulse(contacts, (uint32_t)rub->column, row) * (all / last),
                     impulse = fmax(-rub->most, fmin(found, rub->most));
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            sum[i] += rub->j[end][i] * impulse;
    }
}

void trn_exact_take_loads(trn_exact *it, const trn_system *system, double dt)
{
    const trn_bodies *bodies = system->bodies;
    const tr_plan *plan = system->plan;
    const trn_joints *contacts = &system->joints[TR_CONTACT];
    for (uint32_t b = 0; b < it->body_count; b++) {
        trn_exact_body *body = &it->bodies[b];
        if ((it->kind[body->row] & TR_EXACT_REHEARSED) == 0)
            continue;
        double sum[TRN_DEGREES] = {0.0};
        for (uint32_t half = tr_plan_first(plan, bodies->slot[body->row]); half != TR_NONE;
             half = tr_plan_next(plan, half)) {
            const uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
            if (trn_kernel_type(tr_plan_kind(plan, edge)) != TR_CONTACT)
                continue;
            const uint32_t other = system->body_pool->row[tr_plan_end(plan, edge, 1 - end)];
            if (bodies->type[other] == TR_DYNAMIC &&
                (contacts->flags[system->joint_pool->row[edge]] & TR_JOINT_CHOSEN) == 0)
                add_impulse(system, edge, end, sum);
        }
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            body->load[i] = sum[i] / dt;
    }
}

typedef struct energy {
    double kinetic, all;
} energy;

/* Adds that of a body in a state, but for what springs hold. */
static void add_energy(const trn_exact_step *step, const trn_exact_body *body, const trn_body_state *state, energy *out)
{
    const trn_bodies *bodies = step->system->bodies;
    trn_exact_body own = *body;
    double v[TRN_DEGREES], center[TRN_AXES], pull[TRN_DEGREES], momentum[TRN_DEGREES];
    trn_exact_inertia(bodies, state, &own);
    trn_exact_velocity(state, v);
    trn_exact_center(state, center);
    const double kinetic = 0.5 * trn_exact_weigh(&own, v, momentum);
    trn_equation_put(pull,
                     trn_plus(trn_times(own.mass * (double)trn_body_number(bodies->gravity_scale, body->row, 1.0f),
                                        trn_widen(step->system->settings.gravity)),
                              trn_widen(trn_body_force(bodies, body->row))),
                     trn_widen_spin(trn_body_torque(bodies, body->row)));
    out->kinetic += kinetic;
    out->all += kinetic - trn_equation_product(pull, center, TRN_AXES);
}

/* the kinetic energy of a body that has fallen freely for the step */
static double energy_of_fall(const trn_exact_step *step, const trn_exact_body *body)
{
    double g[TRN_DEGREES];
    trn_equation_put(g, trn_widen(step->system->settings.gravity), trn_widen_spin((trn_spin){0}));
    const double time = step->h * step->substeps;
    return 0.5 * body->mass * time * time * trn_equation_product(g, g, TRN_AXES);
}

/* the state in which sweeps leave a body; of what joints hold still, which was not swept, that of the direct method */
static bool rehearsed_state(const trn_exact_step *step, const trn_exact_body *body, trn_body_state *out)
{
    const trn_exact *it = step->exact;
    const bool swept = (step->system->bodies->flags[body->row] & TR_BODY_REHEARSED) != 0;
    *out = swept ? it->begun[body->row] : it->state[body->row];
    return !swept || (!body->bad && trn_exact_swept(step->solver, body->row, out));
}

bool trn_exact_keep_rehearsed(const trn_exact_step *step, const trn_exact_island *island)
{
    trn_exact *it = step->exact;
    const trn_exact_body *bodies = &it->bodies[island->first_body];
    energy begun = {0.0, 0.0}, ended = begun, swept = begun;
    trn_body_state state;
    double falls = 0.0;
    for (uint32_t b = 0; b < island->body_count; b++) {
        if (!rehearsed_state(step, &bodies[b], &state))
            return false;
        add_energy(step, &bodies[b], &it->begun[bodies[b].row], &begun);
        add_energy(step, &bodies[b], &it->state[bodies[b].row], &ended);
        add_energy(step, &bodies[b], &state, &swept);
        falls += energy_of_fall(step, &bodies[b]);
    }
    if (ended.all <= fmax(begun.all, swept.all) + TR_EXACT_GAIN_FALLS * falls +
                         TR_EXACT_GAIN_BORDER * (begun.kinetic + swept.kinetic))
        return false;
    for (uint32_t b = 0; b < island->body_count; b++)
        if (rehearsed_state(step, &bodies[b], &state))
            it->state[bodies[b].row] = state;
    return true;
}
