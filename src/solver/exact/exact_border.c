/*
 * Borders: contacts between an island that the direct method solves and other bodies that move, because more hangs together
 * with it than may join it. Sweeps solve these contacts, together with all that touches. The direct method makes the island's
 * step beside them: it moves it from sub-step to sub-step, and after each pass of the sweeps it says which
 * velocities the island has by all that they have done to it so far. No joint of the island is swept: in a pass its bodies
 * are free bodies, or they hardly move and contacts are as light as the island gives way to them (exact_give.c). By both a
 * pass never does too much: sweeps and the direct method take turns at one convex problem, and neither gains from the other.
 * The bodies of the border get their velocities after each colour, too, by a matrix (exact_answer.c):
 * that is next to the method of Gauss and Seidel, in which one end of a see-saw meets at once what has been done at the other.
 *
 * What the others lose is what the island gets, in the same sub-step. Each sub-step is one kick and then a drift, as those of
 * the sweeps are: with the kicks of other islands, of half a sub-step at both ends of a step, bodies would be elsewhere than
 * where their contacts were found. So a step leaves velocities half a sub-step behind, as sweeps do (TR_BODY_LATE), and the
 * first kick of one without a border makes up for it; the first kick with one is of half a sub-step.
 */
#include <math.h>
#include <string.h>

#include "solver/exact/exact_border.h"

/* Lists the contacts of a body with what sweeps move, up to `most` in all; returns how many there would be. */
static uint32_t list_meetings(const trn_exact *it, const trn_system *system, const trn_exact_island *island, uint32_t b,
                              trn_exact_meeting *out, uint32_t count, uint32_t most)
{
    const trn_bodies *bodies = system->bodies;
    const tr_plan *plan = system->plan;
    const uint32_t *flags = system->joints[TR_CONTACT].flags;
    const uint32_t vertex = bodies->slot[it->bodies[island->first_body + b].row];
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
        const uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
        if (trn_kernel_type(tr_plan_kind(plan, edge)) != TR_CONTACT)
            continue;
        const uint32_t row = system->joint_pool->row[edge];
        const uint32_t other = system->body_pool->row[tr_plan_end(plan, edge, 1 - end)];
        if (bodies->type[other] != TR_DYNAMIC || (flags[row] & (TR_JOINT_EXACT | TR_JOINT_OFF)) != 0)
            continue;
        if (count < most)
            out[count] = (trn_exact_meeting){
                .slot = edge, .row = row, .color = tr_plan_color(plan, edge), .end = end, .body = b};
        count++;
    }
    return count;
}

/* Memory for an island with a border, and the contacts of that if they are not too many. */
static bool reserve(const trn_exact *it, const trn_system *system, trn_exact_border *to)
{
    const trn_exact_island *island = &it->islands[to->island];
    to->meeting_count = to->stop_count = 0;
    if (island->joint_count == 0)
        return true;
    const trn_exact_shape *shape = &it->shapes[island->shape];
    if (to->own.factor == NULL)
        to->own.factor = tr_factor_create(it->memory);
    if (to->own.factor == NULL || !tr_factor_reserve(to->own.factor, shape->sparse) ||
        !tr_grow(it->memory, (void **)&to->own.x, &to->own.room, 2 * shape->numbers, sizeof *to->own.x) ||
        !tr_grow(it->memory, (void **)&to->rows, &to->row_room, island->row_count, sizeof *to->rows) ||
        !tr_grow(it->memory, (void **)&to->meetings, &to->meeting_room, TR_EXACT_BORDER_ROWS / TR_EXACT_GIVES,
                 sizeof *to->meetings))
        return false;
    uint32_t count = 0, places = 0;
    for (uint32_t b = 0; b < island->body_count; b++) {
        const uint32_t before = count;
        count = list_meetings(it, system, island, b, to->meetings, count, TR_EXACT_BORDER_ROWS / TR_EXACT_GIVES);
        for (uint32_t m = before; m < count && m < TR_EXACT_BORDER_ROWS / TR_EXACT_GIVES; m++)
            to->meetings[m].place = places;
        places += count > before ? 1u : 0u;
    }
    const uint32_t side = places * TRN_DEGREES;
    if (count > TR_EXACT_BORDER_ROWS / TR_EXACT_GIVES || side > TR_EXACT_BORDER_NUMBERS)
        return true;
    to->meeting_count = count;
    to->stop_room = island->row_count < TR_EXACT_BORDER_STOPS ? island->row_count : TR_EXACT_BORDER_STOPS;
    const uint32_t numbers = side + to->stop_room;
    return trn_exact_reserve_block(it, to) &&
           tr_grow(it->memory, (void **)&to->scratch, &to->scratch_room,
                   numbers * numbers + count * TR_EXACT_GIVES * (numbers + TRN_DEGREES), sizeof *to->scratch);
}

/* The unit that has a body, or TR_NONE. */
static uint32_t unit_of(const trn_solver *solver, const trn_exact_body *body)
{
    const uint32_t row = ((const uint32_t *)solver->state_of_body.data)[body->row];
    const trn_unit *units = solver->units.data;
    uint32_t low = 0, high = solver->plan_units;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (units[middle].first_row + units[middle].row_count <= row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < solver->plan_units && units[low].first_row <= row ? low : TR_NONE;
}

/* Where bodies of the border are. */
static void place(const trn_solver *solver, const trn_exact_body *bodies, trn_exact_border *to)
{
    to->unit = unit_of(solver, &bodies[to->meeting_count > 0 ? to->meetings[0].body : 0]);
    for (uint32_t m = 0; m < to->meeting_count && to->unit != TR_NONE; m++)
        if (unit_of(solver, &bodies[to->meetings[m].body]) != to->unit)
            to->unit = TR_NONE;
    to->whole = to->unit != TR_NONE && ((const trn_unit *)solver->units.data)[to->unit].whole;
}

bool trn_exact_reserve_borders(trn_exact *it, const trn_solver *solver, const trn_system *system)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < it->island_count; i++)
        count += trn_exact_has_border(it, &it->islands[i]) ? 1u : 0u;
    it->border_count = it->divided_borders = 0;
    if (count == 0)
        return true;
    if (!tr_grow(it->memory, (void **)&it->borders, &it->border_capacity, count, sizeof *it->borders) ||
        !tr_grow(it->memory, (void **)&it->first_border, &it->unit_capacity, solver->plan_units,
                 sizeof *it->first_border) ||
        !tr_grow(it->memory, (void **)&it->near_border, &it->near_capacity, solver->plan_units,
                 sizeof *it->near_border))
        return false;
    for (uint32_t i = 0; i < it->island_count; i++) {
        if (!trn_exact_has_border(it, &it->islands[i]))
            continue;
        trn_exact_border *to = &it->borders[it->border_count];
        to->island = i;
        if (!reserve(it, system, to))
            return false;
        place(solver, &it->bodies[it->islands[i].first_body], to);
        it->divided_borders += to->whole ? 0u : 1u;
        it->border_count++;
    }
    return true;
}

void trn_exact_free_borders(trn_exact *it)
{
    for (uint32_t i = 0; i < it->border_capacity; i++) {
        trn_exact_border *own = &it->borders[i];
        tr_factor_destroy(own->own.factor);
        tr_release(it->memory, own->own.x, own->own.room * sizeof *own->own.x);
        tr_release(it->memory, own->rows, own->row_room * sizeof *own->rows);
        tr_release(it->memory, own->meetings, own->meeting_room * sizeof *own->meetings);
        tr_release(it->memory, own->scratch, own->scratch_room * sizeof *own->scratch);
        trn_exact_free_block(it, own);
    }
    tr_release(it->memory, it->borders, it->border_capacity * sizeof *it->borders);
    tr_release(it->memory, it->first_border, it->unit_capacity * sizeof *it->first_border);
    tr_release(it->memory, it->near_border, it->near_capacity * sizeof *it->near_border);
}

/* A kick of the island, in the sub-step that it is in. */
static trn_exact_kick kick_of(const trn_exact_step *whole, trn_exact_border *own)
{
    trn_exact *it = whole->exact;
    trn_exact_island *island = &it->islands[own->island];
    return (trn_exact_kick){.step = whole,
                            .worker = &own->own,
                            .island = island,
                            .shape = island->joint_count > 0 ? &it->shapes[island->shape] : NULL,
                            .h = whole->h,
                            .time = own->substep == 0 ? own->first : whole->h,
                            .elapsed = own->substep * whole->h,
                            .counts = 1.0,
                            .early = own->substep < whole->substeps / 2};
}

static trn_exact_step step_of(const trn_step *step)
{
    return (trn_exact_step){.exact = step->solver->exact,
                            .solver = step->solver,
                            .system = step->system,
                            .h = step->dt / step->program.substeps,
                            .unit = (double)step->system->settings.length_unit,
                            .substeps = step->program.substeps};
}

static void begin(const trn_exact_step *step, trn_exact_border *own)
{
    trn_exact *it = step->exact;
    trn_exact_island *island = &it->islands[own->island];
    trn_exact_body *bodies = &it->bodies[island->first_body];
    own->did = 0.0;
    memset(own->net, 0, sizeof own->net);
    own->any = false;
    own->settled = true;
    own->substep = 0;
    own->first = trn_exact_first_time(step, island);
    own->yields = 1.0; /* of bodies without joints, and where it is not known */
    if (island->joint_count > 0) {
        trn_exact_kick kick = kick_of(step, own);
        kick.time = 0.5 * step->h;
        memcpy(own->rows, &it->rows[island->first_row], island->row_count * sizeof *own->rows);
        trn_exact_find_gives(&kick, own);
        memcpy(&it->rows[island->first_row], own->rows, island->row_count * sizeof *own->rows);
    }
    trn_exact_find_eases(step, own);
    trn_exact_find_others(step, own);
    for (uint32_t b = 0; b < island->body_count; b++) {
        trn_exact_velocity(&it->state[bodies[b].row], bodies[b].swept);
        bodies[b].hub =
            trn_exact_hub_of(step->solver, ((const uint32_t *)step->solver->state_of_body.data)[bodies[b].row]);
    }
    island->solves = island->most = island->unsettled = 0;
}

static void run_begin(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)data;
    (void)worker;
    const trn_exact_step *step = context;
    for (uint32_t i = chunk; i < step->exact->border_count; i += TR_RESPONSE_CHUNKS)
        begin(step, &step->exact->borders[i]);
}

/* Units that have a body of a border, or what touches one. */
static void mark_near(const trn_exact *it, const trn_system *system, const trn_exact_island *island)
{
    const tr_plan *plan = system->plan;
    for (uint32_t b = 0; b < island->body_count; b++) {
        const uint32_t vertex = system->bodies->slot[it->bodies[island->first_body + b].row];
        for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
            const uint32_t edge = tr_half_edge(half);
            for (uint32_t end = 0; end < 2 && trn_kernel_type(tr_plan_kind(plan, edge)) == TR_CONTACT; end++) {
                const uint32_t unit = tr_plan_unit(plan, tr_plan_end(plan, edge, end));
                if (unit != TR_NONE)
                    it->near_border[unit] = 1;
            }
        }
    }
}

void trn_exact_begin_borders(const trn_step *step, uint32_t workers)
{
    trn_exact_step whole = step_of(step);
    trn_exact *it = whole.exact;
    if (it->border_count == 0)
        return;
    tr_team_run_stage(step->system->team, run_begin, TR_RESPONSE_CHUNKS, workers, &whole);
    for (uint32_t i = 0; i < step->solver->plan_units; i++) {
        it->first_border[i] = TR_NONE;
        it->near_border[i] = 0;
    }
    for (uint32_t i = it->border_count; i-- > 0;) {
        trn_exact_border *own = &it->borders[i];
        own->next = own->unit != TR_NONE ? it->first_border[own->unit] : TR_NONE;
        if (own->unit != TR_NONE)
            it->first_border[own->unit] = i;
        if (!own->whole)
            mark_near(it, step->system, &it->islands[own->island]);
    }
}

/* Takes up the change of velocity, and moves with what it was before sweeps relaxed, as what touches it has moved. */
static void move_beside(const trn_exact_kick *kick, trn_exact_body *body)
{
    trn_body_state *state = &kick->step->exact->state[body->row];
    double v[TRN_DEGREES];
    trn_exact_velocity(state, v);
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        v[i] += body->moved[i];
    trn_exact_set_velocity(state, v);
    if (kick->island->joint_count > 0)
        trn_exact_shift(state, body->shift);
    trn_exact_drift(kick->step->system->bodies, body->row, state, kick->h, true);
    trn_exact_velocity(state, v);
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        v[i] += body->change[i] - body->moved[i];
    trn_exact_set_velocity(state, v);
    if (body->bad || !trn_exact_is_sane(state, kick->h, kick->step->unit))
        trn_exact_put_back(kick, body);
}

static void end_substep(const trn_exact_step *whole, trn_exact_border *own)
{
    const trn_exact_kick kick = kick_of(whole, own);
    if (kick.island->joint_count > 0)
        trn_exact_settle(&kick, own->settled, own->solves);
    for (uint32_t b = 0; b < kick.island->body_count; b++)
        move_beside(&kick, &whole->exact->bodies[kick.island->first_body + b]);
}

/* What a sub-step does to it apart from rows, and these where it begins. */
static void begin_substep(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    for (uint32_t b = 0; b < kick->island->body_count; b++) {
        trn_exact_body *body = &it->bodies[kick->island->first_body + b];
        trn_exact_begin_body(kick, body);
        memset(body->change, 0, sizeof body->change);
    }
    if (kick->island->joint_count > 0) {
        trn_exact_evaluate(kick);
        return;
    }
    for (uint32_t b = 0; b < kick->island->body_count; b++)
        trn_exact_slow(&it->bodies[kick->island->first_body + b], 0.0);
}

static void find_change(const trn_exact_kick *kick, trn_exact_border *own)
{
    trn_exact_body *bodies = &kick->step->exact->bodies[kick->island->first_body];
    if (kick->island->joint_count > 0) {
        own->settled = trn_exact_find(kick);
        trn_exact_read_stops(kick, own);
    }
    for (uint32_t b = 0; b < kick->island->body_count && kick->island->joint_count == 0; b++)
        memcpy(bodies[b].change, bodies[b].fall, sizeof bodies[b].change);
}

/* hands the velocities that bodies have in this sub-step to the sweeps */
static void hand_over(const trn_step *step, const trn_exact_kick *kick, const trn_action *action)
{
    const trn_exact *it = kick->step->exact;
    for (uint32_t b = 0; b < kick->island->body_count; b++) {
        trn_exact_body *body = &it->bodies[kick->island->first_body + b];
        trn_body_state next = it->state[body->row];
        double v[TRN_DEGREES];
        trn_exact_velocity(&next, v);
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            v[i] += body->change[i];
        trn_exact_set_velocity(&next, v);
        /* what the step will stop is nothing that others should meet */
        if (trn_exact_is_sane(&next, kick->h, kick->step->unit))
            memcpy(body->swept, v, sizeof v);
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            body->handed[i] = (float)body->swept[i];
        trn_exact_hand_to(step, body, action->kind == TR_PASS && action->pass == TR_PASS_PROJECT);
    }
}

/* Whether what an action does is in the motion of the sub-step: relaxing and restitution come after it. */
static bool moves_by(const trn_action *action)
{
    return action->kind != TR_PASS ||
           (action->pass != TR_PASS_RELAX && action->pass != TR_PASS_BOUNCE && action->pass != TR_PASS_REBOUND);
}

/* The island's velocities after what the sweeps have just done: as a sub-step begins, or after a pass. Whether that was much
   of what they have done to it in the sub-step. */
static bool respond(const trn_step *step, trn_exact_border *own, const trn_action *action)
{
    trn_exact *it = step->solver->exact;
    trn_exact_island *island = &it->islands[own->island];
    const bool begins = action->kind == TR_MOVE_VELOCITIES, warms = step->program.scheme->warm_start;
    const trn_exact_step whole = step_of(step);
    if (action->kind == TR_PASS)
        trn_exact_solve_block(step, own, action);
    /* what is before the warm start is found after it */
    bool any = own->any || (warms ? action->kind == TR_PASS && action->pass == TR_PASS_WARM_START : begins);
    double push[TRN_DEGREES];
    if (begins && action->substep > 0)
        end_substep(&whole, own);
    if (begins)
        own->substep = action->substep;
    const trn_exact_kick kick = kick_of(&whole, own);
    if (begins) {
        begin_substep(&kick);
        own->solves = island->solves;
        own->done = 0.0;
    }
    for (uint32_t b = 0; b < island->body_count && action->kind == TR_PASS; b++) {
        trn_exact_body *body = &it->bodies[island->first_body + b];
        if (trn_exact_take_pass(step, body, &own->did, push))
            any = true;
    }
    own->done += own->did;
    if (any)
        find_change(&kick, own);
    if (moves_by(action))
        for (uint32_t b = 0; b < island->body_count; b++) {
            trn_exact_body *body = &it->bodies[island->first_body + b];
            memcpy(body->moved, body->change, sizeof body->moved);
        }
    if (any || action->kind != TR_PASS)
        hand_over(step, &kick, action);
    /* rows that have not settled would not after one more */
    const bool much = own->settled && own->did > TR_EXACT_PASS_DOES * own->done;
    own->did = 0.0;
    memset(own->net, 0, sizeof own->net);
    own->any = false;
    return much;
}

static bool is_first(const trn_action *action)
{
    return action->kind == TR_MOVE_VELOCITIES && action->substep == 0;
}

bool trn_respond_in(const trn_step *step, uint32_t unit, const trn_action *action)
{
    const trn_exact *it = step->solver->exact;
    bool more = false;
    for (uint32_t i = it->first_border[unit]; i != TR_NONE && is_first(action); i = it->borders[i].next)
        trn_exact_give_way(step, &it->borders[i]);
    for (uint32_t i = it->first_border[unit]; i != TR_NONE; i = it->borders[i].next) {
        if (respond(step, &it->borders[i], action))
            more = true;
    }
    return more;
}

void trn_run_responses(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    const trn_step *step = context;
    const trn_exact *it = step->solver->exact;
    const trn_stage_data *stage = data;
    uint8_t *more = &step->solver->exact->more[chunk];
    *more = 0;
    /* one after the other, as a contact may be in two borders */
    for (uint32_t i = 0; i < it->border_count && chunk == 0 && is_first(&stage->action); i++)
        if (!it->borders[i].whole)
            trn_exact_give_way(step, &it->borders[i]);
    for (uint32_t i = chunk; i < it->border_count; i += TR_RESPONSE_CHUNKS)
        if (!it->borders[i].whole && respond(step, &it->borders[i], &stage->action))
            *more = 1;
}

bool trn_asks_for_repeat(const void *step)
{
    const uint8_t *more = ((const trn_step *)step)->solver->exact->more;
    bool any = false;
    for (uint32_t i = 0; i < TR_RESPONSE_CHUNKS; i++)
        any = any || more[i] != 0;
    return any;
}

bool trn_is_near_border(const trn_step *step, uint32_t unit)
{
    return step->solver->exact->near_border[unit] != 0;
}

/* The forces of rows are means over the step, as those of sub-steps differ where sweeps have not converged. */
static void find_forces(const trn_exact_kick *kick, double first)
{
    const double time = first + (kick->step->substeps - 1) * kick->h;
    for (uint32_t r = 0; r < kick->island->row_count; r++) {
        trn_exact_row *row = &kick->step->exact->rows[kick->island->first_row + r];
        row->force = (row->total[0] + row->total[1]) / time;
    }
}

/* A last kick of next to no time where the step ends, as others have one: velocities are those of that place, joints are
   corrected, and contacts give back what they have stopped. */
static void end_step(const trn_exact_step *whole, trn_exact_border *own)
{
    trn_exact *it = whole->exact;
    trn_exact_kick kick = kick_of(whole, own);
    const trn_exact_island *island = kick.island;
    if (island->joint_count == 0)
        return;
    kick.last = true;
    kick.early = false;
    kick.time = TR_EXACT_MOMENT * whole->h;
    kick.elapsed = whole->substeps * whole->h;
    for (uint32_t b = 0; b < island->body_count; b++)
        trn_exact_begin_body(&kick, &it->bodies[island->first_body + b]);
    trn_exact_evaluate(&kick);
    trn_exact_solve(&kick);
    find_forces(&kick, own->first);
    for (uint32_t b = 0; b < island->body_count; b++)
        trn_exact_move_body(&kick, &it->bodies[island->first_body + b]);
}

static void run_end(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)data;
    (void)worker;
    const trn_exact_step *step = context;
    for (uint32_t i = chunk; i < step->exact->border_count; i += TR_RESPONSE_CHUNKS) {
        end_substep(step, &step->exact->borders[i]);
        end_step(step, &step->exact->borders[i]);
    }
}

void trn_exact_end_borders(const trn_step *step, uint32_t workers)
{
    trn_exact_step whole = step_of(step);
    if (whole.exact->border_count > 0)
        tr_team_run_stage(step->system->team, run_end, TR_RESPONSE_CHUNKS, workers, &whole);
}
