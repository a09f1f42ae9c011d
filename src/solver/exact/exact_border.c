/*
 * Borders: contacts between an island that the direct method solves and other bodies that move, because more hangs together
 * with it than may join it. Sweeps solve these contacts, together with all that touches. Meanwhile the direct method
 * rehearses the step: it moves the island from sub-step to sub-step, and after each pass of the sweeps it says which
 * velocities the island has by all that they have done to it so far. Bodies of the island are free bodies in a pass:
 * no joint of theirs is swept. As they then yield more than they do on their joints, a pass never does too much: sweeps
 * and the direct method take turns at one convex problem, and neither can gain from the other.
 *
 * Of the rehearsal only what contacts have done is kept. The step of the direct method comes afterwards, from the state in
 * which the step began, with that as forces which are constant in the step. So what the others lose is what the island gets.
 *
 * Bodies that joints hold still, so that no impulse on the island can move them, have no inverse mass in the sweeps: so what
 * lies on a truss or on a stand lies there as on static ground, whatever it weighs.
 */
#include <math.h>
#include <string.h>

#include "solver/exact/exact.h"

/*
 * Bodies that joints hold still, by the rows that hold whatever their impulses are: neither springs, nor what has a bound,
 * such as motors, friction, stops and contacts. A body is still if it does not respond to impulses on all bodies at once, and
 * not to others either: a mechanism may happen to balance some.
 */
static const double steps_of_trial[] = {0.61803398874989485, 0.41421356237309505};
#define TRIALS (sizeof steps_of_trial / sizeof *steps_of_trial)

/* m/s, rad/s: what the impulses on a body would give it if it were free; irregular numbers from 0.5 to 1.5 */
static void push_freely(uint32_t trial, uint32_t body, double out[TRN_DEGREES])
{
    for (uint32_t i = 0; i < TRN_DEGREES; i++) {
        const double at = steps_of_trial[trial] * (double)((uint64_t)TRN_DEGREES * (body + 1) + i);
        out[i] = 0.5 + (at - floor(at));
    }
}

double trn_exact_weigh(const trn_exact_body *body, const double v[TRN_DEGREES], double out[TRN_DEGREES])
{
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        out[i] = i < TRN_AXES ? body->mass * v[i]
                              : trn_equation_product(body->inertia[i - TRN_AXES], v + TRN_AXES, TRN_SPINS);
    return trn_equation_product(v, out, TRN_DEGREES);
}

static void find_still(const trn_exact_kick *kick)
{
    const trn_exact_island *island = kick->island;
    trn_exact_body *bodies = &kick->step->exact->bodies[island->first_body];
    double *x = kick->worker->x, pushed[TRN_DEGREES], weighed[TRN_DEGREES];
    trn_exact_evaluate_held(kick);
    trn_exact_factor(kick);
    for (uint32_t b = 0; b < island->body_count; b++)
        bodies[b].still = true;
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        for (uint32_t i = island->body_count * TRN_DEGREES; i < kick->shape->numbers; i++)
            x[i] = 0.0;
        for (uint32_t b = 0; b < island->body_count; b++) {
            push_freely(trial, b, pushed);
            (void)trn_exact_weigh(&bodies[b], pushed, &x[(size_t)b * TRN_DEGREES]);
        }
        tr_factor_solve(kick->worker->factor, x);
        for (uint32_t b = 0; b < island->body_count; b++) {
            push_freely(trial, b, pushed);
            const double own = trn_exact_weigh(&bodies[b], &x[(size_t)b * TRN_DEGREES], weighed);
            bodies[b].still = bodies[b].still && own <= TR_EXACT_STILL * trn_exact_weigh(&bodies[b], pushed, weighed);
        }
    }
}

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

bool trn_exact_reserve_rehearsals(trn_exact *it, const trn_solver *solver)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < it->island_count; i++)
        count += it->islands[i].joint_count > 0 && trn_exact_has_border(it, &it->islands[i]) ? 1u : 0u;
    it->rehearsal_count = 0;
    if (count == 0)
        return true;
    if (!tr_grow(it->memory, (void **)&it->rehearsals, &it->rehearsal_capacity, count, sizeof *it->rehearsals) ||
        !tr_grow(it->memory, (void **)&it->first_rehearsal, &it->unit_capacity, solver->plan_units,
                 sizeof *it->first_rehearsal))
        return false;
    for (uint32_t i = 0; i < it->island_count; i++) {
        const trn_exact_island *island = &it->islands[i];
        if (island->joint_count == 0 || !trn_exact_has_border(it, island))
            continue;
        trn_exact_rehearsal *to = &it->rehearsals[it->rehearsal_count];
        const trn_exact_shape *shape = &it->shapes[island->shape];
        to->island = i;
        if (to->own.factor == NULL)
            to->own.factor = tr_factor_create(it->memory);
        if (to->own.factor == NULL || !tr_factor_reserve(to->own.factor, shape->sparse) ||
            !tr_grow(it->memory, (void **)&to->own.x, &to->own.room, 2 * shape->numbers, sizeof *to->own.x) ||
            !tr_grow(it->memory, (void **)&to->joints, &to->joint_room, island->joint_count, sizeof *to->joints) ||
            !tr_grow(it->memory, (void **)&to->rows, &to->row_room, island->row_count, sizeof *to->rows))
            return false;
        it->rehearsal_count++;
    }
    return true;
}

void trn_exact_free_rehearsals(trn_exact *it)
{
    for (uint32_t i = 0; i < it->rehearsal_capacity; i++) {
        trn_exact_rehearsal *own = &it->rehearsals[i];
        tr_factor_destroy(own->own.factor);
        tr_release(it->memory, own->own.x, own->own.room * sizeof *own->own.x);
        tr_release(it->memory, own->joints, own->joint_room * sizeof *own->joints);
        tr_release(it->memory, own->rows, own->row_room * sizeof *own->rows);
    }
    tr_release(it->memory, it->rehearsals, it->rehearsal_capacity * sizeof *it->rehearsals);
    tr_release(it->memory, it->first_rehearsal, it->unit_capacity * sizeof *it->first_rehearsal);
}

/* The unit that has all of an island and is solved by itself, from one of its bodies; TR_NONE: none. */
static uint32_t unit_of(const trn_solver *solver, uint32_t body_row)
{
    const uint32_t row = ((const uint32_t *)solver->state_of_body.data)[body_row];
    const trn_unit *units = solver->units.data;
    uint32_t low = 0, high = solver->plan_units;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (units[middle].first_row + units[middle].row_count <= row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < solver->plan_units && units[low].whole && units[low].first_row <= row ? low : TR_NONE;
}

static void begin(const trn_exact_step *step, trn_exact_rehearsal *own)
{
    trn_exact *it = step->exact;
    trn_exact_island *island = &it->islands[own->island];
    trn_exact_body *bodies = &it->bodies[island->first_body];
    const trn_exact_kick kick = {.step = step,
                                 .worker = &own->own,
                                 .island = island,
                                 .shape = &it->shapes[island->shape],
                                 .h = step->h,
                                 .time = 0.5 * step->h};
    memcpy(own->joints, &it->joints[island->first_joint], island->joint_count * sizeof *own->joints);
    memcpy(own->rows, &it->rows[island->first_row], island->row_count * sizeof *own->rows);
    find_still(&kick);
    memcpy(&it->rows[island->first_row], own->rows, island->row_count * sizeof *own->rows);
    for (uint32_t b = 0; b < island->body_count; b++) {
        if (bodies[b].still)
            step->system->bodies->flags[bodies[b].row] &= ~TR_BODY_REHEARSED;
        trn_exact_velocity(&it->state[bodies[b].row], bodies[b].swept);
        memset(bodies[b].pushed, 0, sizeof bodies[b].pushed);
        memset(bodies[b].load, 0, sizeof bodies[b].load);
    }
    own->unit = unit_of(step->solver, bodies[0].row);
    own->next = TR_NONE;
    if (own->unit == TR_NONE)
        return;
    own->next = it->first_rehearsal[own->unit];
    it->first_rehearsal[own->unit] = (uint32_t)(own - it->rehearsals);
}

void trn_exact_begin_rehearsals(trn_exact *it, trn_solver *solver, trn_system *system, double h)
{
    const trn_exact_step step = {.exact = it,
                                 .solver = solver,
                                 .system = system,
                                 .h = h,
                                 .unit = (double)system->settings.length_unit,
                                 .substeps = 1};
    for (uint32_t i = 0; i < solver->plan_units && it->rehearsal_count > 0; i++)
        it->first_rehearsal[i] = TR_NONE;
    for (uint32_t i = 0; i < it->rehearsal_count; i++)
        begin(&step, &it->rehearsals[i]);
}

/* Moves the island to where a sub-step begins, and finds its rows there. */
static void begin_substep(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    for (uint32_t b = 0; b < kick->island->body_count; b++) {
        trn_exact_body *body = &it->bodies[kick->island->first_body + b];
        trn_body_state *state = &it->state[body->row];
        if (kick->elapsed > 0.0) {
            trn_exact_set_velocity(state, body->swept);
            trn_exact_drift(kick->step->system->bodies, body->row, state, kick->h, true);
        }
        trn_exact_fall(kick, body);
        memset(body->change, 0, sizeof body->change);
    }
    trn_exact_evaluate(kick);
}

/* What a pass has done to a body is one more of what changes its velocity without rows. Whether that is anything. */
static bool take_pass(const trn_step *step, trn_exact_body *body, uint32_t row)
{
    const trn_solver *solver = step->solver;
    float now[TRN_DEGREES];
    double by[TRN_DEGREES], push[TRN_DEGREES];
    bool any = false;
    trn_swept_velocity(step, row, now);
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        by[i] = (double)now[i] - (double)(float)body->swept[i];
    (void)trn_exact_weigh(body, by, push);
    /* as its mass is to sweeps: shares.c */
    const bool split = solver->hub_count > 0 && ((const uint8_t *)solver->split.data)[row] != 0;
    const double burden = split ? (double)((const float *)solver->burden.data)[row] : 1.0;
    for (uint32_t i = 0; i < TRN_DEGREES; i++) {
        push[i] *= burden;
        any = any || push[i] != 0.0;
    }
    if (!any || !trn_exact_is_finite(push))
        return false;
    trn_exact_respond(body, push, by);
    for (uint32_t i = 0; i < TRN_DEGREES; i++) {
        body->pushed[i] += push[i];
        body->fall[i] += by[i];
    }
    return true;
}

/* hands the velocities that bodies have in this sub-step to the sweeps */
static void hand_over(const trn_step *step, const trn_exact_kick *kick, const trn_action *action)
{
    const trn_exact *it = kick->step->exact;
    const uint32_t *state_of_body = step->solver->state_of_body.data;
    for (uint32_t b = 0; b < kick->island->body_count; b++) {
        trn_exact_body *body = &it->bodies[kick->island->first_body + b];
        double v[TRN_DEGREES];
        float now[TRN_DEGREES];
        trn_exact_velocity(&it->state[body->row], v);
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            v[i] += body->change[i];
        if (body->still)
            continue;
        if (trn_exact_is_finite(v))
            memcpy(body->swept, v, sizeof v);
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            now[i] = (float)body->swept[i];
        trn_set_swept_velocity(step, state_of_body[body->row], now,
                               action->kind == TR_PASS && action->pass == TR_PASS_PROJECT);
    }
}

/* The island's velocities after what the sweeps have just done: as a sub-step begins, or after a pass. */
static void respond(const trn_step *step, trn_exact_rehearsal *own, const trn_action *action)
{
    trn_exact *it = step->solver->exact;
    trn_exact_island *island = &it->islands[own->island];
    const uint32_t *state_of_body = step->solver->state_of_body.data;
    const bool begins = action->kind == TR_MOVE_VELOCITIES, warms = step->program.scheme->warm_start;
    const trn_exact_step whole = {.exact = it,
                                  .solver = step->solver,
                                  .system = step->system,
                                  .h = step->dt / step->program.substeps,
                                  .unit = (double)step->system->settings.length_unit,
                                  .substeps = step->program.substeps};
    const trn_exact_kick kick = {.step = &whole,
                                 .worker = &own->own,
                                 .island = island,
                                 .shape = &it->shapes[island->shape],
                                 .h = whole.h,
                                 .time = whole.h,
                                 .elapsed = action->substep * whole.h,
                                 .untouched = trn_exact_is_untouched(it, island)};
    /* what is before the warm start is found after it */
    bool any = warms ? action->kind == TR_PASS && action->pass == TR_PASS_WARM_START : begins;
    if (begins)
        begin_substep(&kick);
    for (uint32_t b = 0; b < island->body_count && action->kind == TR_PASS; b++) {
        trn_exact_body *body = &it->bodies[island->first_body + b];
        if (!body->still && take_pass(step, body, state_of_body[body->row]))
            any = true;
    }
    if (any)
        (void)trn_exact_find(&kick);
    if (any || action->kind != TR_PASS)
        hand_over(step, &kick, action);
}

void trn_respond_in(const trn_step *step, uint32_t unit, const trn_action *action)
{
    const trn_exact *it = step->solver->exact;
    for (uint32_t i = it->first_rehearsal[unit]; i != TR_NONE; i = it->rehearsals[i].next)
        respond(step, &it->rehearsals[i], action);
}

void trn_run_responses(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    const trn_step *step = context;
    const trn_exact *it = step->solver->exact;
    const trn_stage_data *stage = data;
    for (uint32_t i = chunk; i < it->rehearsal_count; i += TR_RESPONSE_CHUNKS)
        if (it->rehearsals[i].unit == TR_NONE)
            respond(step, &it->rehearsals[i], &stage->action);
}

/* N s, N m s: what contacts with others have done to a body that was not swept, in the step */
static void sum_contacts(const trn_system *system, const trn_exact_body *body, double sum[TRN_DEGREES])
{
    const trn_bodies *bodies = system->bodies;
    const tr_plan *plan = system->plan;
    const trn_joints *contacts = &system->joints[TR_CONTACT];
    for (uint32_t half = tr_plan_first(plan, bodies->slot[body->row]); half != TR_NONE;
         half = tr_plan_next(plan, half)) {
        const uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
        if (trn_kernel_type(tr_plan_kind(plan, edge)) != TR_CONTACT)
            continue;
        const uint32_t other = system->body_pool->row[tr_plan_end(plan, edge, 1 - end)];
        if (bodies->type[other] == TR_DYNAMIC && (contacts->flags[system->joint_pool->row[edge]] & TR_JOINT_EXACT) == 0)
            add_impulse(system, edge, end, sum);
    }
}

/* takes an island back to the state in which the step began */
static void end(trn_exact *it, const trn_exact_rehearsal *own)
{
    trn_exact_island *island = &it->islands[own->island];
    memcpy(&it->joints[island->first_joint], own->joints, island->joint_count * sizeof *own->joints);
    memcpy(&it->rows[island->first_row], own->rows, island->row_count * sizeof *own->rows);
    for (uint32_t b = 0; b < island->body_count; b++) {
        trn_exact_body *body = &it->bodies[island->first_body + b];
        it->state[body->row] = it->begun[body->row];
        body->bad = false;
    }
}

void trn_exact_end_rehearsals(trn_exact *it, const trn_system *system, double dt)
{
    for (uint32_t r = 0; r < it->rehearsal_count; r++)
        end(it, &it->rehearsals[r]);
    for (uint32_t i = 0; i < it->island_count; i++) {
        const trn_exact_island *island = &it->islands[i];
        for (uint32_t b = 0; b < island->body_count && trn_exact_has_border(it, island); b++) {
            trn_exact_body *body = &it->bodies[island->first_body + b];
            /* a body without joints is swept as it is */
            if (island->joint_count == 0)
                memset(body->pushed, 0, sizeof body->pushed);
            if (island->joint_count == 0 || body->still)
                sum_contacts(system, body, body->pushed);
            for (uint32_t k = 0; k < TRN_DEGREES; k++)
                body->load[k] = body->pushed[k] / dt;
        }
    }
}
