/*
 * All contacts of a border at once, after a pass of the sweeps (exact_border.c). Where much lies on a light island that may move,
 * as on a see-saw, one contact after the other goes to and fro: each gives the island the velocity of its own body, and takes
 * from the others what holds them. So the impulses of contacts of the border are found together, with all others as they are:
 *
 *   minimise over the island's pushes p    1/2 p^T W p + sum over contacts  l_i(J_i W p)
 *
 * W is the island's response, with a coordinate for each stop that may press, and l_i what a contact of a body that is free but for
 * it makes of the velocity at its place: convex, its derivative is the impulse, which is linear in the velocity until it would
 * pull. A body with several points there has its share of mass at each of them, and moves by their sum (Tonge et al. 2012), so that
 * together they do not do too much. Newton's method finds p, with a search along each step; there are as many unknowns as the
 * border's bodies and stops have coordinates, however many contacts there are.
 *
 * Friction stays as it is. Contacts of bodies that touch two islands are left to the sweeps, as those of bodies with copies.
 */
#include <math.h>
#include <string.h>

#include "solver/exact/exact_border.h"

/* A point of a contact of the border, or a stop. The impulse is lambda, and changes by `more`. */
typedef struct trn_exact_block_row {
    double j[TRN_DEGREES];           /* of the island's body, at its coordinates */
    const double *along;             /* of the other body; null: a stop */
    double respond[TRN_DEGREES];     /* M^-1 of that */
    double k, e;                     /* how the other body gives way with its share of mass, and the compliance */
    double rate, bias, lambda, more; /* the rate is as the pass has left it; */
    double high;                     /* and the impulse this at most */
    uint32_t first, count;           /* coordinates of the response */
    uint32_t other;                  /* state row */
    float *impulse, *total;          /* in the block of the contact's lane; null: it is not added up there */
    double *given;                   /* or here */
} trn_exact_block_row;

#define NUMBERS_MOST (TR_EXACT_BLOCK_NUMBERS + TR_EXACT_BORDER_STOPS)

/* Of what is to be found: pushes, by how much these are wrong, and their next change; and the velocities by the first and the
   last. */
typedef struct block_unknowns {
    double push[NUMBERS_MOST], wrong[NUMBERS_MOST], next[NUMBERS_MOST], change[NUMBERS_MOST], by_next[NUMBERS_MOST];
} block_unknowns;

/* Whether its contacts are solved at once: with many coordinates that would cost more than it helps. */
static bool has_block(const trn_exact_border *own)
{
    return own->meeting_count > 0 && trn_exact_border_numbers(own) <= TR_EXACT_BLOCK_NUMBERS;
}

bool trn_exact_reserve_block(const trn_exact *it, trn_exact_border *own)
{
    const uint32_t numbers = trn_exact_border_numbers(own) + own->stop_room;
    if (!has_block(own))
        return true;
    return tr_grow(it->memory, (void **)&own->block, &own->block_room,
                   own->meeting_count * TRN_CONTACT_POINTS + own->stop_room, sizeof *own->block) &&
           tr_grow(it->memory, (void **)&own->matrix, &own->matrix_room, numbers * numbers, sizeof *own->matrix);
}

void trn_exact_free_block(const trn_exact *it, trn_exact_border *own)
{
    tr_release(it->memory, own->block, own->block_room * sizeof *own->block);
    tr_release(it->memory, own->matrix, own->matrix_room * sizeof *own->matrix);
}

/* Whether a body touches another island that the direct method solves. */
static bool touches_another(const trn_exact_step *step, const trn_exact_island *island, uint32_t row)
{
    const trn_system *system = step->system;
    const tr_plan *plan = system->plan;
    for (uint32_t half = tr_plan_first(plan, system->bodies->slot[row]); half != TR_NONE;
         half = tr_plan_next(plan, half)) {
        const uint32_t edge = tr_half_edge(half);
        if (trn_kernel_type(tr_plan_kind(plan, edge)) != TR_CONTACT)
            continue;
        const uint32_t body =
            step->exact->moving[system->body_pool->row[tr_plan_end(plan, edge, 1 - tr_half_end(half))]];
        if (body != TR_NONE && (body < island->first_body || body >= island->first_body + island->body_count))
            return true;
    }
    return false;
}

void trn_exact_find_others(const trn_exact_step *step, trn_exact_border *own)
{
    const trn_exact *it = step->exact;
    const trn_system *system = step->system;
    for (uint32_t m = 0; m < own->meeting_count && has_block(own); m++) {
        trn_exact_meeting *meeting = &own->meetings[m];
        const uint32_t row = system->body_pool->row[tr_plan_end(system->plan, meeting->slot, 1 - meeting->end)];
        const uint32_t state = ((const uint32_t *)step->solver->state_of_body.data)[row];
        const bool free = it->moving[row] == TR_NONE && trn_exact_hub_of(step->solver, state) == TR_NONE &&
                          !touches_another(step, &it->islands[own->island], row);
        meeting->other = free ? state : TR_NONE;
    }
}

/* What a point's rate has to be, and its compliance, as the kernels have it in this pass (kernels/contact.inl). But these count both
   bodies in the effective mass: on a body that is next to nothing contacts would be next to nothing, and heaps would sink in. */
static void want(const trn_step *step, const trn_action *action, const trn_contact_point *point, double *given,
                 trn_exact_block_row *row)
{
    const trn_kernel_context *k = &step->context;
    const bool ground = !(point->inverse_mass[0] > 0.0f && point->inverse_mass[1] > 0.0f);
    const double gap = (double)point->separation, share = (double)(ground ? k->ground : k->contact).mass_scale;
    row->e = 0.0;
    row->high = INFINITY;
    row->given = NULL;
    row->bias = gap > 0.0 ? gap * (double)k->inv_h : 0.0;
    if (action->label == TR_STAGE_SOLVE && gap <= 0.0) {
        row->bias = fmax((double)(ground ? k->ground : k->contact).bias_rate * gap, -(double)k->push_speed);
        row->e = (1.0 - share) / share * row->k;
    }
    row->impulse = point->impulse;
    row->total = action->label != TR_STAGE_SOLVE ? point->total : NULL;
    row->lambda = (double)*point->impulse;
    if (action->pass != TR_PASS_REBOUND)
        return;
    /* what is given back, and what others get by it, is no part of the impulse with which the next step begins */
    row->impulse = point->bounced;
    row->lambda = point->bounced != NULL ? (double)*point->bounced : *given;
    row->given = point->bounced != NULL ? NULL : given;
    if (point->bounced == NULL)
        return;
    /* never more than at first, so that no energy is created */
    row->bias = -(double)point->rebound;
    row->high = (double)point->most;
}

/* The points of a contact. Returns how many there are. */
static uint32_t list_points(const trn_step *step, const trn_exact_border *own, trn_exact_meeting *meeting,
                            const trn_action *action, trn_exact_block_row *out)
{
    const trn_exact *it = step->solver->exact;
    const trn_exact_body *body = &it->bodies[it->islands[own->island].first_body + meeting->body];
    trn_exact_contact_lane at;
    float v[TRN_DEGREES];
    uint32_t count = 0;
    if (meeting->other == TR_NONE || !trn_exact_lane_of(step, meeting, &at))
        return 0;
    trn_swept_velocity(step, meeting->other, v);
    for (uint32_t p = 0; p < (at.featured ? meeting->points : 1); p++) {
        trn_exact_block_row *row = &out[count];
        trn_contact_point point;
        step->kernels->read_contact(at.columns, at.featured, at.lane, p, &point);
        row->along = meeting->along[p][1];
        trn_swept_response(step, meeting->other, &point, 1 - meeting->end, row->along, row->respond);
        row->k = trn_equation_product(row->along, row->respond, TRN_DEGREES);
        if (!(row->k > 0.0) || !(point.mass > 0.0f))
            continue;
        memcpy(row->j, meeting->along[p][0], sizeof row->j);
        row->first = meeting->place * TRN_DEGREES;
        row->count = TRN_DEGREES;
        row->other = meeting->other;
        row->rate = 0.0;
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            row->rate += row->along[i] * (double)v[i] + row->j[i] * (double)body->handed[i];
        want(step, action, &point, &meeting->given[p], row);
        count++;
    }
    return count;
}

static uint32_t list_rows(const trn_step *step, const trn_exact_border *own, const trn_action *action)
{
    trn_exact_block_row *rows = own->block;
    const uint32_t side = trn_exact_border_numbers(own), numbers = trn_exact_response_numbers(own);
    uint32_t count = 0;
    for (uint32_t m = 0; m < own->meeting_count; m++)
        count += list_points(step, own, &own->meetings[m], action, &rows[count]);
    for (uint32_t r = 0; r < count; r++) {
        uint32_t shares = 0;
        for (uint32_t o = 0; o < count; o++)
            shares += rows[o].other == rows[r].other ? 1u : 0u;
        rows[r].k *= shares;
    }
    for (uint32_t s = 0; s < own->stop_count && count > 0; s++) {
        const trn_exact_border_stop *stop = &own->stops[s];
        const double response = own->scratch[(size_t)(side + s) * numbers + side + s];
        if (response > 0.0)
            rows[count++] = (trn_exact_block_row){.j = {1.0},
                                                  .k = TR_EXACT_STOP_GIVES * response,
                                                  .e = stop->e,
                                                  .rate = stop->w,
                                                  .lambda = stop->lambda,
                                                  .high = INFINITY,
                                                  .first = side + s,
                                                  .count = 1,
                                                  .other = TR_NONE};
    }
    return count;
}

/* The change of a row's impulse if the island changes its rate by so much. */
static double impulse_of(const trn_exact_block_row *row, double by)
{
    const double more = -(row->rate + by + row->bias + row->e * row->lambda) / (row->k + row->e);
    return fmax(-row->lambda, fmin(more, fmax(row->high - row->lambda, 0.0)));
}

/* By how much pushes are wrong: those of rows at the velocities that they give, without them. Returns the sum. */
static double find_wrong(const trn_exact_border *own, uint32_t count, block_unknowns *of)
{
    const uint32_t numbers = trn_exact_response_numbers(own);
    double sum = 0.0;
    for (uint32_t i = 0; i < numbers; i++)
        of->wrong[i] = -of->push[i];
    for (uint32_t r = 0; r < count; r++) {
        trn_exact_block_row *row = &own->block[r];
        row->more = impulse_of(row, trn_equation_product(row->j, of->change + row->first, row->count));
        for (uint32_t i = 0; i < row->count; i++)
            of->wrong[row->first + i] += row->j[i] * row->more;
    }
    for (uint32_t i = 0; i < numbers; i++)
        sum += fabs(of->wrong[i]);
    return sum;
}

/* x := A^-1 x, by Gauss' elimination with pivots of columns */
static void eliminate(double *a, double *x, uint32_t n)
{
    for (uint32_t c = 0; c < n; c++) {
        uint32_t best = c;
        for (uint32_t r = c + 1; r < n; r++)
            best = fabs(a[r * n + c]) > fabs(a[best * n + c]) ? r : best;
        for (uint32_t k = c; k < n && best != c; k++) {
            const double other = a[best * n + k];
            a[best * n + k] = a[c * n + k];
            a[c * n + k] = other;
        }
        const double other = x[best];
        x[best] = x[c];
        x[c] = other;
        for (uint32_t r = c + 1; r < n; r++) {
            const double factor = a[r * n + c] / a[c * n + c];
            for (uint32_t k = c + 1; k < n && factor != 0.0; k++)
                a[r * n + k] -= factor * a[c * n + k];
            x[r] -= factor * x[c];
        }
    }
    for (uint32_t c = n; c-- > 0;) {
        for (uint32_t k = c + 1; k < n; k++)
            x[c] -= a[c * n + k] * x[k];
        x[c] /= a[c * n + c];
    }
}

/* Newton's step: (1 + K W) next = wrong, K being the sum of J^T J/(k + e) over rows that are at no bound. */
static void find_next(const trn_exact_border *own, uint32_t count, block_unknowns *of)
{
    const uint32_t numbers = trn_exact_response_numbers(own);
    double *a = own->matrix, row_of[NUMBERS_MOST];
    for (uint32_t i = 0; i < numbers; i++)
        for (uint32_t k = 0; k < numbers; k++)
            a[i * numbers + k] = i == k ? 1.0 : 0.0;
    for (uint32_t r = 0; r < count; r++) {
        const trn_exact_block_row *row = &own->block[r];
        if (!(row->more > -row->lambda && row->more < row->high - row->lambda))
            continue;
        memset(row_of, 0, numbers * sizeof *row_of);
        for (uint32_t i = 0; i < row->count; i++)
            for (uint32_t k = 0; k < numbers; k++)
                row_of[k] += row->j[i] * own->scratch[(size_t)(row->first + i) * numbers + k];
        for (uint32_t i = 0; i < row->count; i++) {
            const double factor = row->j[i] / (row->k + row->e);
            for (uint32_t k = 0; k < numbers && factor != 0.0; k++)
                a[(row->first + i) * numbers + k] += factor * row_of[k];
        }
    }
    memcpy(of->next, of->wrong, numbers * sizeof *of->next);
    eliminate(a, of->next, numbers);
}

/* out := W x */
static void respond(const trn_exact_border *own, const double *x, double *out)
{
    const uint32_t numbers = trn_exact_response_numbers(own);
    memset(out, 0, numbers * sizeof *out);
    for (uint32_t i = 0; i < numbers; i++)
        for (uint32_t k = 0; k < numbers; k++)
            out[k] += x[i] * own->scratch[(size_t)i * numbers + k];
}

/* The derivative of what is minimised along the step, at its share t. */
static double slope_at(const trn_exact_border *own, uint32_t count, const block_unknowns *of, double t)
{
    const uint32_t numbers = trn_exact_response_numbers(own);
    double slope = 0.0;
    for (uint32_t i = 0; i < numbers; i++)
        slope += of->by_next[i] * (of->push[i] + t * of->next[i]);
    for (uint32_t r = 0; r < count; r++) {
        const trn_exact_block_row *row = &own->block[r];
        const double by = trn_equation_product(row->j, of->change + row->first, row->count);
        const double next = trn_equation_product(row->j, of->by_next + row->first, row->count);
        slope -= next * impulse_of(row, by + t * next);
    }
    return slope;
}

/* The share of the step at which it goes down no more, 1 at most: by false positions, of which the one that stays counts half
   (the Illinois method). */
static double search(const trn_exact_border *own, uint32_t count, const block_unknowns *of)
{
    double low = 0.0, high = 1.0, at_low = slope_at(own, count, of, 0.0), at_high = slope_at(own, count, of, 1.0);
    if (!(at_high > 0.0 && at_low < 0.0))
        return 1.0;
    const double little = TR_EXACT_BLOCK_LEVEL * fabs(at_low);
    int side = 0;
    for (uint32_t i = 0; i < TR_EXACT_BLOCK_SEARCHES; i++) {
        const double t = low + (high - low) * (at_low / (at_low - at_high)), slope = slope_at(own, count, of, t);
        if (fabs(slope) <= little)
            return t;
        if (slope > 0.0) {
            high = t;
            at_high = slope;
            at_low *= side > 0 ? 0.5 : 1.0;
            side = 1;
        } else {
            low = t;
            at_low = slope;
            at_high *= side < 0 ? 0.5 : 1.0;
            side = -1;
        }
    }
    return low;
}

/* Sums over contacts: of the impulses, and of by how much they change. */
static double sum_of(const trn_exact_border *own, uint32_t count, double *changes)
{
    double sum = 0.0;
    *changes = 0.0;
    for (uint32_t r = 0; r < count; r++) {
        const trn_exact_block_row *row = &own->block[r];
        sum += row->along != NULL ? row->lambda : 0.0;
        *changes += row->along != NULL ? fabs(row->more) : 0.0;
    }
    return sum;
}

/* The changes of impulses, of all rows. Whether there are some, and they have been found. */
static bool find_impulses(const trn_exact_border *own, uint32_t count, block_unknowns *of)
{
    const uint32_t numbers = trn_exact_response_numbers(own);
    double changes;
    memset(of, 0, sizeof *of);
    double wrong = find_wrong(own, count, of), all = sum_of(own, count, &changes);
    if (!(changes > TR_EXACT_BLOCK_LITTLE * all))
        return false;
    for (uint32_t step = 0; step < TR_EXACT_BLOCK_STEPS && wrong > TR_EXACT_BLOCK_SETTLED * (all + changes); step++) {
        find_next(own, count, of);
        respond(own, of->next, of->by_next);
        const double t = search(own, count, of);
        for (uint32_t i = 0; i < numbers; i++) {
            of->push[i] += t * of->next[i];
            of->change[i] += t * of->by_next[i];
        }
        wrong = find_wrong(own, count, of);
        all = sum_of(own, count, &changes);
    }
    bool found = wrong <= TR_EXACT_BLOCK_ENOUGH * (all + changes);
    for (uint32_t r = 0; r < count; r++)
        found = found && fabs(own->block[r].more) <= (double)TR_SANE_IMPULSE;
    return found;
}

/* Gives these to bodies on both sides, and to what contacts keep. */
static void give(const trn_step *step, trn_exact_border *own, uint32_t count, block_unknowns *of)
{
    trn_exact_body *bodies = &step->solver->exact->bodies[step->solver->exact->islands[own->island].first_body];
    memset(of->push, 0, sizeof of->push);
    for (uint32_t r = 0; r < count; r++) {
        const trn_exact_block_row *row = &own->block[r];
        float v[TRN_DEGREES];
        for (uint32_t i = 0; i < row->count; i++)
            of->push[row->first + i] += row->j[i] * row->more;
        if (row->along == NULL)
            continue;
        trn_swept_velocity(step, row->other, v);
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            v[i] = (float)((double)v[i] + row->respond[i] * row->more);
        trn_set_swept_velocity(step, row->other, v, false);
        if (row->given != NULL)
            *row->given += row->more;
        else
            *row->impulse = (float)((double)*row->impulse + row->more);
        if (row->total != NULL)
            *row->total = (float)((double)*row->total + row->more);
    }
    for (uint32_t s = 0; s < own->stop_count; s++)
        own->stops[s].lambda += of->push[trn_exact_border_numbers(own) + s];
    for (uint32_t m = 0; m < own->meeting_count; m++)
        if (trn_exact_begins_body(own, m))
            trn_exact_push(&bodies[own->meetings[m].body], of->push + own->meetings[m].place * TRN_DEGREES);
    /* what sweeps have done as their contacts are softer is not more than what is left of it */
    own->did = 0.0;
    for (uint32_t i = 0; i < trn_exact_border_numbers(own); i++)
        own->did += i % TRN_DEGREES < TRN_AXES ? fabs(own->net[i] + of->push[i]) : 0.0;
    respond(own, of->push, of->change);
    trn_exact_move_border(step, own, of->change, false);
    own->any = true;
}

void trn_exact_solve_block(const trn_step *step, trn_exact_border *own, const trn_action *action)
{
    block_unknowns unknowns;
    /* in the soft step, where normals are solved, also those that bounce */
    if (!has_block(own) || !step->program.scheme->relax_each ||
        (action->label != TR_STAGE_SOLVE && action->pass != TR_PASS_RELAX && action->pass != TR_PASS_REBOUND))
        return;
    trn_exact_answer(step, own, action);
    const uint32_t count = list_rows(step, own, action);
    if (count > 0 && find_impulses(own, count, &unknowns))
        give(step, own, count, &unknowns);
}
