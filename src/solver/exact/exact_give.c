/* How an island gives way at its border: by which sweeps find impulses of contacts there (exact_border.c). */
#include <math.h>
#include <string.h>

#include "plan/lane.h"
#include "solver/exact/exact_border.h"
#include "solver/exact/exact_descend.h"

/* x := the unknowns by an impulse on a body */
static void push_body(const trn_exact_kick *kick, uint32_t body, const double impulse[TRN_DEGREES])
{
    double *x = kick->worker->x;
    memset(x, 0, kick->shape->numbers * sizeof *x);
    memcpy(x + body * TRN_DEGREES, impulse, TRN_DEGREES * sizeof *x);
    tr_factor_solve(kick->worker->factor, x);
}

/* the velocities of all coordinates of the response, of the unknowns of a system */
static void take_response(const trn_exact_kick *kick, const trn_exact_border *own, double *out)
{
    const trn_exact *it = kick->step->exact;
    const double *x = kick->worker->x;
    double *rates = out + trn_exact_border_numbers(own);
    for (uint32_t m = 0; m < own->meeting_count; m++)
        memcpy(out + own->meetings[m].place * TRN_DEGREES, x + own->meetings[m].body * TRN_DEGREES,
               TRN_DEGREES * sizeof *x);
    for (uint32_t s = 0; s < own->stop_count; s++)
        rates[s] =
            trn_exact_rate_of(kick, &it->joints[kick->island->first_joint + own->stops[s].joint], own->stops[s].nth, x);
}

/* x := the unknowns by an impulse of 1 on a row */
static void push_row(const trn_exact_kick *kick, const trn_exact_joint *joint, uint32_t nth)
{
    double *x = kick->worker->x;
    memset(x, 0, kick->shape->numbers * sizeof *x);
    for (uint32_t b = 0; b < joint->body_count; b++)
        memcpy(x + (size_t)(joint->body[b] - kick->island->first_body) * TRN_DEGREES,
               trn_exact_jacobian(kick->step->exact, joint, b)[nth], TRN_DEGREES * sizeof *x);
    tr_factor_solve(kick->worker->factor, x);
}

/* The velocities that bodies of the border, and stops, get by an impulse of 1 on each of their coordinates. */
static void find_response(const trn_exact_kick *kick, const trn_exact_border *own, double *out)
{
    const uint32_t side = trn_exact_border_numbers(own), numbers = trn_exact_response_numbers(own);
    for (uint32_t m = 0; m < own->meeting_count; m++) {
        const trn_exact_meeting *meeting = &own->meetings[m];
        for (uint32_t i = 0; i < TRN_DEGREES && trn_exact_begins_body(own, m); i++) {
            double one[TRN_DEGREES] = {0.0};
            one[i] = 1.0;
            push_body(kick, meeting->body, one);
            take_response(kick, own, out + (size_t)(meeting->place * TRN_DEGREES + i) * numbers);
        }
    }
    for (uint32_t s = 0; s < own->stop_count; s++) {
        push_row(kick, &kick->step->exact->joints[kick->island->first_joint + own->stops[s].joint], own->stops[s].nth);
        take_response(kick, own, out + (size_t)(side + s) * numbers);
    }
}

/* Whether a row only pushes, and is so near that it may in this step. */
static bool may_press(const trn_exact_kick *kick, const trn_exact_row *row)
{
    return !row->keeps && !row->bounded && row->low == 0.0 &&
           row->gap < TR_EXACT_STOPS_NEAR * trn_exact_unit_of(kick, row);
}

static void add_stop(trn_exact_border *own, uint32_t joint, uint32_t nth)
{
    if (own->stop_count < own->stop_room)
        own->stops[own->stop_count++] = (trn_exact_border_stop){.joint = joint, .nth = nth};
}

/* adds those that do not press as the step begins to the stops of which it is found whether they do */
static void add_open_stops(const trn_exact_kick *kick, trn_exact_border *own)
{
    const trn_exact *it = kick->step->exact;
    for (uint32_t j = 0; j < kick->island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[kick->island->first_joint + j];
        for (uint32_t r = 0; r < joint->row_count; r++) {
            const trn_exact_row *row = &it->rows[joint->first_row + r];
            if (row->state == TR_EXACT_LOW && may_press(kick, row))
                add_stop(own, j, r);
        }
    }
}

/* Rows that are lifted by what has been pushed do not hold. Whether there are any. */
static bool drop_rows(const trn_exact_kick *kick, trn_exact_border *own)
{
    const trn_exact *it = kick->step->exact;
    bool any = false;
    for (uint32_t j = 0; j < kick->island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[kick->island->first_joint + j];
        for (uint32_t r = 0; r < joint->row_count; r++) {
            trn_exact_row *row = &it->rows[joint->first_row + r];
            if (row->off || row->keeps || !(row->lambda < -TR_EXACT_LIFTS))
                continue;
            row->off = any = true;
            if (may_press(kick, row))
                add_stop(own, j, r);
        }
    }
    return any;
}

/* Stops and contacts that press do not hold what some contact of the border would lift from them. Whether there are any. */
static bool drop_lifted(const trn_exact_kick *kick, trn_exact_border *own)
{
    const trn_exact_row *held = &kick->step->exact->rows[kick->island->first_row];
    bool any = false, presses = false;
    for (uint32_t r = 0; r < kick->island->row_count; r++)
        presses = presses || (!held[r].off && !held[r].keeps);
    for (uint32_t m = 0; m < own->meeting_count && presses; m++)
        for (uint32_t p = 0; p < own->meetings[m].points; p++) {
            push_body(kick, own->meetings[m].body, own->meetings[m].along[p][0]);
            trn_exact_take_impulses(kick);
            if (drop_rows(kick, own))
                any = true;
        }
    return any;
}

/* J of the normals, and of the island's body, of the rows for which it is found how it gives way; across the normal in the
   middle of the points; 0 for points that are not there. */
static void find_rows(const trn_system *system, trn_exact_meeting *meeting, double out[TR_EXACT_GIVES][TRN_DEGREES])
{
    const trn_body_state none = {0}, *const body[2] = {&none, &none};
    trn_exact_contact contact;
    trn_equations rubs = {.count = 0};
    double load[TRN_CONTACT_POINTS] = {0.0};
    memset(&contact, 0, sizeof contact);
    trn_exact_contact_columns(&system->joints[TR_CONTACT], meeting->row, &contact);
    meeting->rolls = contact.rolling > 0.0 || contact.torsion > 0.0;
    meeting->points = contact.points;
    memset(out, 0, TR_EXACT_GIVES * sizeof *out);
    for (uint32_t p = 0; p < contact.points; p++) {
        const trn_equation along = trn_exact_contact_along(contact.normal, trn_plus(contact.arm_a, contact.further[p]),
                                                           trn_plus(contact.arm_b, contact.further[p]), body);
        memcpy(meeting->along[p][0], along.j[meeting->end], sizeof out[p]);
        memcpy(meeting->along[p][1], along.j[1 - meeting->end], sizeof out[p]);
        memcpy(out[p], meeting->along[p][0], sizeof out[p]);
    }
    trn_exact_contact_rub(&contact, body, load, &rubs);
    for (uint32_t r = 0, next = 0; r < rubs.count; r++) {
        if (!rubs.row[r].linear)
            continue;
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            out[TRN_CONTACT_POINTS + next % (TRN_AXES - 1)][i] +=
                rubs.row[r].j[meeting->end][i] * (TRN_AXES == 2 ? 1.0 : 1.0 / contact.points);
        next++;
    }
}

/*
 * By how much the island gives way to each row of its border if all of a colour push: the sums of J W J^T over the rows of that,
 * as it answers after each. By that sweeps find impulses of contacts with a body that hardly moves in a pass: in turns with the
 * island's answer, that goes towards the impulses that all of a colour have at once, and never beyond (as in Jacobi's method
 * with the sums of rows in the place of the diagonal). One contact of a body is in a colour, but where it is split. Across normals
 * all count: what is light would be dragged by each of those that lie on it in turn, and they would not settle.
 */
void trn_exact_find_gives(const trn_exact_kick *kick, trn_exact_border *own)
{
    const uint32_t rows = own->meeting_count * TR_EXACT_GIVES;
    const size_t most = trn_exact_border_numbers(own) + own->stop_room;
    if (rows == 0)
        return;
    double *w = own->scratch, *j = w + most * most, *y = j + (size_t)rows * TRN_DEGREES, yields = 0.0, free = 0.0;
    for (uint32_t m = 0; m < own->meeting_count; m++)
        find_rows(kick->step->system, &own->meetings[m],
                  (double(*)[TRN_DEGREES])(j + (size_t)m * TR_EXACT_GIVES * TRN_DEGREES));
    trn_exact_evaluate_held(kick);
    do
        trn_exact_factor(kick);
    while (drop_lifted(kick, own));
    add_open_stops(kick, own);
    find_response(kick, own, w);
    const uint32_t side = trn_exact_response_numbers(own);
    for (uint32_t m = 0; m < own->meeting_count; m++) {
        const trn_exact_meeting *meeting = &own->meetings[m];
        for (uint32_t g = 0; g < TR_EXACT_GIVES; g++) {
            const double *own_row = j + (size_t)(m * TR_EXACT_GIVES + g) * TRN_DEGREES;
            double *to = y + (size_t)(m * TR_EXACT_GIVES + g) * side;
            for (uint32_t k = 0; k < side; k++) {
                to[k] = 0.0;
                for (uint32_t i = 0; i < TRN_DEGREES; i++)
                    to[k] += own_row[i] * w[(size_t)(meeting->place * TRN_DEGREES + i) * side + k];
            }
        }
    }
    for (uint32_t r = 0; r < rows; r++) {
        trn_exact_meeting *meeting = &own->meetings[r / TR_EXACT_GIVES];
        const double *own_row = j + (size_t)r * TRN_DEGREES, *to = y + (size_t)r * side + meeting->place * TRN_DEGREES;
        double sum = 0.0, alone[TRN_DEGREES];
        const bool across = r % TR_EXACT_GIVES >= TRN_CONTACT_POINTS;
        for (uint32_t o = 0; o < rows; o++)
            if (across || own->meetings[o / TR_EXACT_GIVES].color == meeting->color)
                sum += fabs(
                    trn_equation_product(own_row, y + (size_t)o * side + meeting->place * TRN_DEGREES, TRN_DEGREES));
        meeting->give[r % TR_EXACT_GIVES] = (float)sum;
        if (across)
            continue;
        trn_exact_respond(&kick->step->exact->bodies[kick->island->first_body + meeting->body], own_row, alone);
        yields += trn_equation_product(own_row, to, TRN_DEGREES);
        free += trn_equation_product(own_row, alone, TRN_DEGREES);
    }
    own->yields = free > 0.0 ? yields / free : 1.0;
}

/*
 * Which share of their inverse mass bodies have in a pass. If the island gives way to its border by much less than its bodies
 * would alone, as a plate that hangs on rods, passes must know that, or they take for light what is not: then it is next to
 * none, and contacts have what trn_exact_find_gives() has found. Otherwise bodies are free: contacts that balance each
 * other, as on a see-saw, find their impulses sooner.
 */
void trn_exact_find_eases(const trn_exact_step *step, const trn_exact_border *own)
{
    const trn_exact *it = step->exact;
    const trn_system *system = step->system;
    const trn_exact_island *island = &it->islands[own->island];
    trn_exact_body *bodies = &it->bodies[island->first_body];
    bool rolls = false;
    for (uint32_t b = 0; b < island->body_count; b++)
        bodies[b].ease = 1.0f;
    for (uint32_t m = 0; m < own->meeting_count; m++)
        rolls = rolls || own->meetings[m].rolls;
    /* how it gives way to what rolls is not known */
    for (uint32_t m = 0; m < own->meeting_count && !rolls && own->yields < TR_EXACT_YIELDS_LESS;) {
        const trn_exact_meeting *first = &own->meetings[m];
        trn_exact_body *body = &bodies[first->body];
        double masses = 0.0;
        for (; m < own->meeting_count && own->meetings[m].place == first->place; m++) {
            const uint32_t other =
                system->body_pool->row[tr_plan_end(system->plan, own->meetings[m].slot, 1 - own->meetings[m].end)];
            masses += 1.0 / (double)trn_body_inverse_mass(system->bodies, other);
        }
        body->ease = (float)fmax(TR_EXACT_EASE_LEAST, fmin(TR_EXACT_EASE_MOST, 0.25 * body->mass / masses));
    }
}

float trn_exact_ease(const trn_solver *solver, uint32_t body_row)
{
    const trn_exact *it = solver->exact;
    /* what is switched off does not move */
    return it->moving[body_row] == TR_NONE ? 1.0f : it->bodies[it->moving[body_row]].ease;
}

bool trn_exact_lane_of(const trn_step *step, const trn_exact_meeting *meeting, trn_exact_contact_lane *out)
{
    const trn_solver *solver = step->solver;
    tr_plan_lane at;
    if (!tr_plan_lane_of(step->system->plan, meeting->slot, &at))
        return false;
    const trn_span_place *place = (const trn_span_place *)solver->span_places.data + at.number;
    const uint32_t block = trn_span_block(place, at.lane / TR_LANES);
    *out = (trn_exact_contact_lane){.columns = trn_block_columns(&solver->blocks[at.kind], block),
                                    .lane = at.lane % TR_LANES,
                                    .featured = at.kind == trn_kernel_of(TR_CONTACT, true)};
    return true;
}

/* Makes the contacts of the border as much lighter as the island gives way to them. */
void trn_exact_give_way(const trn_step *step, const trn_exact_border *own)
{
    const trn_exact *it = step->solver->exact;
    const trn_exact_body *bodies = &it->bodies[it->islands[own->island].first_body];
    for (uint32_t m = 0; m < own->meeting_count; m++) {
        const trn_exact_meeting *meeting = &own->meetings[m];
        trn_exact_contact_lane at;
        if (bodies[meeting->body].ease != 1.0f && trn_exact_lane_of(step, meeting, &at))
            step->kernels->give_contact(at.columns, at.featured, at.lane, meeting->give);
    }
}
