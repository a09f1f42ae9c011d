/*
 * The impulses of an island's rows in a kick.
 *
 * With the change of velocities x, those f without rows, and the impulses of rows that are held,
 *
 *     M x - J^T lambda = M f + J^T of the impulses at bounds,      J x + e lambda = -(u + b)
 *
 * This is Newton's step of the convex problem, and its solution if no row changes between held and at a bound. First
 * all rows that are wrong change at once, as in complementarity problems (Judice, Pires 1994): mostly that settles after
 * one to three steps. If it does not, Newton's method begins at f, with an exact search along each step: it always ends,
 * and each step is nearer to the solution than f, which has no impulses (Todorov 2014; Castro, Permenter, Han 2022).
 */
#include <math.h>
#include <string.h>

#include "solver/exact/exact.h"

/* systems that are solved in a search, at most; a kick may search three times */
#define SOLVES_MOST 100u

/* adds J^T of these impulses: those at bounds, or all, to what is multiplied by the inverse later */
static void gather(const trn_exact_kick *kick, bool held, double *out)
{
    const trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    for (uint32_t j = 0; j < island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[island->first_joint + j];
        for (uint32_t b = 0; b < joint->body_count; b++) {
            const double(*block)[TRN_DEGREES] = trn_exact_jacobian(it, joint, b);
            double *to = out + (size_t)(joint->body[b] - island->first_body) * TRN_DEGREES;
            for (uint32_t r = 0; r < joint->row_count; r++) {
                const trn_exact_row *row = &it->rows[joint->first_row + r];
                if (row->off || row->lambda == 0.0 || (!held && row->state == TR_EXACT_HELD))
                    continue;
                for (uint32_t i = 0; i < TRN_DEGREES; i++)
                    to[i] += row->lambda * block[r][i];
            }
        }
    }
}

/* rows of nodes, which have unknowns of their own: they come first */
static uint32_t node_rows(const trn_exact *it, const trn_exact_island *island)
{
    return island->node_count < island->joint_count
               ? it->joints[island->first_joint + island->node_count].first_row - island->first_row
               : island->row_count;
}

_Static_assert(TR_EQUATIONS_MAX <= TR_SPARSE_SIZE, "all rows of a joint are one node");

static void factor(const trn_exact_kick *kick)
{
    const trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    const trn_exact_shape *shape = kick->shape;
    tr_factor *to = kick->worker->factor;
    double block[TR_SPARSE_SIZE * TR_SPARSE_SIZE], *least = kick->worker->x + shape->numbers;
    uint32_t place = island->body_count + island->node_count;
    tr_factor_begin(to, shape->sparse);
    memset(least, 0, shape->numbers * sizeof *least);
    for (uint32_t b = 0; b < island->body_count; b++) {
        const trn_exact_body *body = &it->bodies[island->first_body + b];
        memset(block, 0, sizeof block);
        for (uint32_t i = 0; i < TRN_AXES; i++)
            block[i * TRN_DEGREES + i] = body->mass;
        for (uint32_t i = 0; i < TRN_SPINS; i++)
            for (uint32_t k = 0; k < TRN_SPINS; k++)
                block[(TRN_AXES + i) * TRN_DEGREES + TRN_AXES + k] = body->slow[i][k];
        tr_factor_add_at(to, shape->place[b], false, TRN_DEGREES, TRN_DEGREES, block);
    }
    trn_exact_factor_touches(kick);
    for (uint32_t j = 0; j < island->node_count; j++) {
        const trn_exact_joint *joint = &it->joints[island->first_joint + j];
        const trn_exact_row *rows = &it->rows[joint->first_row];
        const uint32_t n = joint->row_count;
        memset(block, 0, (size_t)n * n * sizeof *block);
        for (uint32_t r = 0; r < n; r++) {
            if (!trn_exact_is_held(&rows[r])) {
                block[r * n + r] = -1.0; /* an unknown by itself */
                continue;
            }
            const uint32_t first = r - rows[r].at;
            for (uint32_t k = 0; k < rows[first].block && k <= rows[r].at; k++)
                if (trn_exact_is_held(&rows[first + k]))
                    block[r * n + first + k] = -trn_exact_compliance(&rows[r], k);
        }
        tr_factor_add_at(to, shape->place[island->body_count + j], false, n, n, block);
        for (uint32_t b = 0; b < joint->body_count; b++, place++) {
            const double(*from)[TRN_DEGREES] = trn_exact_jacobian(it, joint, b);
            for (uint32_t i = 0; i < TRN_DEGREES; i++)
                for (uint32_t r = 0; r < n; r++)
                    block[i * n + r] = trn_exact_is_held(&rows[r]) ? from[r][i] : 0.0;
            tr_factor_add_at(to, shape->place[place], shape->turned[place], TRN_DEGREES, n, block);
        }
    }
    (void)tr_factor_make(to, least);
}

/* J times numbers of bodies, of a row of a joint */
static double rate_of(const trn_exact_kick *kick, const trn_exact_joint *joint, uint32_t r, const double *x)
{
    const trn_exact *it = kick->step->exact;
    double sum = 0.0;
    for (uint32_t b = 0; b < joint->body_count; b++) {
        const double *own = trn_exact_jacobian(it, joint, b)[r];
        const double *from = x + (size_t)(joint->body[b] - kick->island->first_body) * TRN_DEGREES;
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            sum += own[i] * from[i];
    }
    return sum;
}

/* changes of velocities, and impulses of rows that are held */
static void solve(const trn_exact_kick *kick)
{
    const trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    const uint32_t numbers = island->body_count * TRN_DEGREES, count = node_rows(it, island);
    double *x = kick->worker->x;
    for (uint32_t b = 0; b < island->body_count; b++) {
        const trn_exact_body *body = &it->bodies[island->first_body + b];
        double *to = x + (size_t)b * TRN_DEGREES;
        for (uint32_t i = 0; i < TRN_AXES; i++)
            to[i] = body->mass * body->fall[i];
        for (uint32_t i = 0; i < TRN_SPINS; i++) {
            to[TRN_AXES + i] = 0.0;
            for (uint32_t k = 0; k < TRN_SPINS; k++)
                to[TRN_AXES + i] += body->slow[i][k] * body->fall[TRN_AXES + k];
        }
    }
    gather(kick, false, x);
    trn_exact_pull_touches(kick, false);
    for (uint32_t r = 0; r < count; r++) {
        const trn_exact_row *row = &it->rows[island->first_row + r];
        x[numbers + r] = trn_exact_is_held(row) ? -(row->u + row->b) : 0.0;
    }
    tr_factor_solve(kick->worker->factor, x);
    for (uint32_t r = 0; r < count; r++) {
        trn_exact_row *row = &it->rows[island->first_row + r];
        if (trn_exact_is_held(row))
            row->lambda = -x[numbers + r];
    }
    trn_exact_take_touches(kick);
}

/* What rates of a row are measured in: m/s of the world's unit, or rad/s. */
static double unit_of(const trn_exact_kick *kick, const trn_exact_row *row)
{
    return row->linear ? kick->step->unit : 1.0;
}

/* The greatest numbers: impulses as changes of rates, and rates. */
static double greatest_of(const trn_exact_kick *kick)
{
    const trn_exact *it = kick->step->exact;
    double most = 0.0;
    for (uint32_t r = 0; r < kick->island->row_count; r++) {
        const trn_exact_row *row = &it->rows[kick->island->first_row + r];
        if (!row->off)
            most = fmax(most, fmax(fabs(row->u + row->b), fabs(row->lambda * row->k)) / unit_of(kick, row));
    }
    return most;
}

/* what a row has to become */
static trn_exact_state next_state(const trn_exact_row *row, double w, double slack)
{
    const double own = slack / row->k;
    if (row->state == TR_EXACT_HELD)
        return row->lambda < row->low - own    ? TR_EXACT_LOW
               : row->lambda > row->high + own ? TR_EXACT_HIGH
                                               : TR_EXACT_HELD;
    const double e = row->e[0];
    if (row->state == TR_EXACT_LOW)
        return w < -e * row->low - slack ? TR_EXACT_HELD : TR_EXACT_LOW;
    return w > -e * row->high + slack ? TR_EXACT_HELD : TR_EXACT_HIGH;
}

/* A block whose impulse is longer than it may be gives way, along the velocity. Whether it has changed. */
static bool yield_block(const trn_exact_kick *kick, const trn_exact_joint *joint, uint32_t first)
{
    trn_exact *it = kick->step->exact;
    trn_exact_row *rows = &it->rows[joint->first_row + first];
    const uint32_t count = rows->block;
    const double most = rows->high;
    double length = 0.0, rate = 0.0, k = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const double w = rows[i].u + rows[i].b + rate_of(kick, joint, first + i, kick->worker->x);
        length += rows[i].lambda * rows[i].lambda;
        rate += w * w;
        k += rows[i].k / count;
    }
    length = sqrt(length);
    rate = sqrt(rate);
    const double before = rows->soften;
    double next = before;
    if (length > most * (1.0 + TR_EXACT_BLOCK_SLACK) || (before > 1.0 && length < most * (1.0 - TR_EXACT_BLOCK_SLACK)))
        /* its own compliance is length over rate; the first time it may be next to nothing */
        next = most > 0.0 && length > 0.0 ? before * fmax(rate, before > 1.0 ? 0.0 : k * (length - most)) /
                                                fmax(rate, 1e-300) * (length / most)
                                          : 1e30;
    next = next < 1.0 ? 1.0 : next > 1e30 ? 1e30 : next;
    for (uint32_t i = 0; i < count; i++)
        rows[i].soften = next;
    return next != before;
}

/* Changes what is wrong. Returns how many rows were wrong; blocks, which come nearer to their bounds by and by, count by
   themselves. */
static uint32_t change_rows(const trn_exact_kick *kick, uint32_t *blocks)
{
    trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    const double slack = TR_EXACT_SLACK * greatest_of(kick);
    uint32_t wrong = 0;
    *blocks = 0;
    for (uint32_t j = 0; j < island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[island->first_joint + j];
        for (uint32_t r = 0; r < joint->row_count; r++) {
            trn_exact_row *row = &it->rows[joint->first_row + r];
            if (row->off)
                continue;
            if (row->bounded) {
                *blocks += row->at == 0 && yield_block(kick, joint, r) ? 1u : 0u;
                continue;
            }
            if (row->low == -INFINITY && row->high == INFINITY)
                continue;
            const double w = row->u + row->b + rate_of(kick, joint, r, kick->worker->x);
            const trn_exact_state to = next_state(row, w, slack * unit_of(kick, row));
            wrong += to != row->state ? 1u : 0u;
            row->state = to;
        }
    }
    return wrong;
}

/* impulses at bounds */
static void set_bounded(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    for (uint32_t r = 0; r < kick->island->row_count; r++) {
        trn_exact_row *row = &it->rows[kick->island->first_row + r];
        if (row->off)
            row->lambda = 0.0;
        else if (row->state == TR_EXACT_LOW)
            row->lambda = row->low;
        else if (row->state == TR_EXACT_HIGH)
            row->lambda = row->high;
    }
}

static void solve_once(const trn_exact_kick *kick, uint32_t *solves)
{
    set_bounded(kick);
    factor(kick);
    solve(kick);
    ++*solves;
}

/*
 * Newton's method with an exact search
 */

/* what the impulse of a row is at a rate: of a block all of it by one factor */
static double impulse_at(const trn_exact_row *row, double w)
{
    const double lambda = -w / row->e[0];
    return lambda < row->low ? row->low : lambda > row->high ? row->high : lambda;
}

/* the derivative of the function that is minimised, at this part of the way along the direction */
static double slope_at(const trn_exact_kick *kick, double part, const double metric[2])
{
    const trn_exact *it = kick->step->exact;
    const trn_exact_row *row = &it->rows[kick->island->first_row], *end = row + kick->island->row_count;
    double slope = metric[0] + part * metric[1];
    while (row < end) {
        const uint32_t count = row->block > 0 && row->at == 0 ? row->block : 1;
        double square = 0.0, along = 0.0;
        if (count == 1 && !row->bounded) {
            slope -= row->off ? 0.0 : impulse_at(row, row->w + part * row->dw) * row->dw;
            row++;
            continue;
        }
        for (uint32_t i = 0; i < count; i++) {
            const double w = row[i].w + part * row[i].dw;
            square += row[i].off ? 0.0 : w * w;
            along += row[i].off ? 0.0 : w * row[i].dw;
        }
        /* its own compliance is isotropic enough to say when it gives way */
        const double stiff = 1.0 / row->e[0];
        slope +=
            along * (row->bounded && square * stiff * stiff > row->high * row->high ? row->high / sqrt(square) : stiff);
        row += count;
    }
    return slope;
}

/* where along the direction the function is least, at most 1 */
static double search(const trn_exact_kick *kick, const double metric[2])
{
    double low = 0.0, high = 1.0;
    if (!(slope_at(kick, 1.0, metric) > 0.0))
        return 1.0;
    for (int i = 0; i < 80; i++) {
        const double middle = 0.5 * (low + high);
        if (slope_at(kick, middle, metric) > 0.0)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* states from rates; a block gives way as much as its rate says */
static void classify(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    trn_exact_row *rows = &it->rows[kick->island->first_row];
    for (uint32_t r = 0; r < kick->island->row_count; r++) {
        trn_exact_row *row = &rows[r];
        row->soften = 1.0;
        row->state = TR_EXACT_HELD;
        if (row->bounded) {
            const trn_exact_row *first = row - row->at;
            double square = 0.0;
            for (uint32_t i = 0; i < first->block; i++)
                square += first[i].off ? 0.0 : first[i].w * first[i].w;
            row->soften = fmin(fmax(1.0, sqrt(square) / (first->e[0] * first->high)), 1e30);
            continue;
        }
        const double lambda = -row->w / row->e[0];
        row->state = lambda < row->low ? TR_EXACT_LOW : lambda > row->high ? TR_EXACT_HIGH : TR_EXACT_HELD;
    }
}

/* Sets the direction from the present velocities to those of Newton's step; returns what its quadratic part gives to the
   derivative: the constant, and what grows along it. */
static void direct(const trn_exact_kick *kick, double metric[2])
{
    trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    double *x = kick->worker->x;
    metric[0] = metric[1] = 0.0;
    for (uint32_t b = 0; b < island->body_count; b++) {
        const trn_exact_body *body = &it->bodies[island->first_body + b];
        double *d = x + (size_t)b * TRN_DEGREES, pull[TRN_DEGREES];
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            d[i] -= body->change[i];
        for (uint32_t i = 0; i < TRN_AXES; i++)
            pull[i] = body->mass * d[i];
        for (uint32_t i = 0; i < TRN_SPINS; i++) {
            pull[TRN_AXES + i] = 0.0;
            for (uint32_t k = 0; k < TRN_SPINS; k++)
                pull[TRN_AXES + i] += body->slow[i][k] * d[TRN_AXES + k];
        }
        for (uint32_t i = 0; i < TRN_DEGREES; i++) {
            metric[0] += pull[i] * (body->change[i] - body->fall[i]);
            metric[1] += pull[i] * d[i];
        }
    }
    for (uint32_t j = 0; j < island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[island->first_joint + j];
        for (uint32_t r = 0; r < joint->row_count; r++)
            it->rows[joint->first_row + r].dw = rate_of(kick, joint, r, x);
    }
}

/* from the velocities without rows; whether it has settled */
static bool descend(const trn_exact_kick *kick, uint32_t *solves)
{
    trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    for (uint32_t b = 0; b < island->body_count; b++) {
        trn_exact_body *body = &it->bodies[island->first_body + b];
        memcpy(body->change, body->fall, sizeof body->change);
        memcpy(kick->worker->x + (size_t)b * TRN_DEGREES, body->fall, sizeof body->fall);
    }
    for (uint32_t j = 0; j < island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[island->first_joint + j];
        for (uint32_t r = 0; r < joint->row_count; r++) {
            trn_exact_row *row = &it->rows[joint->first_row + r];
            row->w = row->u + row->b + rate_of(kick, joint, r, kick->worker->x);
        }
    }
    while (*solves < SOLVES_MOST) {
        double metric[2];
        classify(kick);
        solve_once(kick, solves);
        direct(kick, metric);
        const double part = search(kick, metric);
        for (uint32_t b = 0; b < island->body_count; b++)
            for (uint32_t i = 0; i < TRN_DEGREES; i++)
                it->bodies[island->first_body + b].change[i] += part * kick->worker->x[(size_t)b * TRN_DEGREES + i];
        double most = 0.0, moved = 0.0;
        for (uint32_t r = 0; r < island->row_count; r++) {
            trn_exact_row *row = &it->rows[island->first_row + r];
            row->w += part * row->dw;
            most = fmax(most, row->off ? 0.0 : fabs(row->u + row->b) / unit_of(kick, row));
            moved = fmax(moved, row->off ? 0.0 : fabs(row->dw) / unit_of(kick, row));
        }
        /* a step that changes nothing is at the solution */
        if (moved <= TR_EXACT_SLACK * most)
            return true;
    }
    return false;
}

/* Whether rows have settled. */
static bool find_impulses(const trn_exact_kick *kick, bool *descended)
{
    uint32_t fewest = UINT32_MAX, patience = TR_EXACT_PATIENCE, solves = 0;
    bool settled = false;
    while (!settled && solves < TR_EXACT_TRIES && patience > 0) {
        solve_once(kick, &solves);
        uint32_t blocks;
        const uint32_t wrong = change_rows(kick, &blocks);
        if (wrong > 0)
            patience = wrong < fewest ? TR_EXACT_PATIENCE : patience - 1;
        fewest = wrong < fewest ? wrong : fewest;
        settled = wrong + blocks == 0;
    }
    *descended = !settled;
    if (!settled)
        settled = descend(kick, &solves);
    kick->island->solves += solves;
    return settled;
}

/* The same, where friction was bounded by far less than what now presses, as on what has just been touched: if it would
   hold with no more than what presses then allows, it does. Legs that slant would slip otherwise: the more they do, the
   less they press. */
static bool find_all_impulses(const trn_exact_kick *kick, bool *descended)
{
    trn_exact_joint *joints = &kick->step->exact->joints[kick->island->first_joint];
    bool settled = find_impulses(kick, descended), free = false;
    set_bounded(kick);
    for (uint32_t j = 0; j < kick->island->joint_count && settled && !*descended; j++)
        if (joints[j].type == TR_CONTACT && trn_exact_contact_free(kick, &joints[j]))
            free = true;
    if (!free)
        return settled;
    (void)find_impulses(kick, descended);
    set_bounded(kick);
    for (uint32_t j = 0; j < kick->island->joint_count; j++)
        if (joints[j].type == TR_CONTACT)
            trn_exact_contact_bind(kick, &joints[j]);
    settled = find_impulses(kick, descended);
    set_bounded(kick);
    return settled;
}

/* changes of velocities by the impulses: momentum is conserved whatever they are */
static void push(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    double *x = kick->worker->x;
    memset(x, 0, (size_t)island->body_count * TRN_DEGREES * sizeof *x);
    gather(kick, true, x);
    for (uint32_t b = 0; b < island->body_count; b++) {
        trn_exact_body *body = &it->bodies[island->first_body + b];
        trn_exact_respond(body, x + (size_t)b * TRN_DEGREES, body->change);
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            body->change[i] += body->fall[i];
    }
}

/* Impulses, and changes of velocities by them. Whether rows have settled. */
static bool find_changes(const trn_exact_kick *kick)
{
    bool descended;
    const bool settled = find_all_impulses(kick, &descended);
    /* what has not settled has the velocities of its last step, which have less energy than without impulses */
    if (settled || !descended)
        push(kick);
    return settled;
}

/* The same, along the curves of bodies as far as held rows gain nothing (exact_curves.c). */
static bool find_along_curves(const trn_exact_kick *kick)
{
    bool settled = find_changes(kick);
    const double gain = trn_exact_gain(kick);
    if (!(gain > 0.0))
        return settled;
    trn_exact_bend(kick, -1.0);
    settled = find_changes(kick);
    const double loss = trn_exact_loss(kick);
    if (!(loss > 0.0))
        return settled;
    trn_exact_bend(kick, loss / (loss + gain));
    return find_changes(kick);
}

static bool are_finite(const trn_exact_kick *kick)
{
    const trn_exact *it = kick->step->exact;
    bool finite = true;
    for (uint32_t b = 0; b < kick->island->body_count; b++)
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            finite = finite && isfinite(it->bodies[kick->island->first_body + b].change[i]);
    return finite;
}

/* the motion by which the errors of held rows vanish, with the least M */
static void solve_shift(const trn_exact_kick *kick)
{
    const trn_exact *it = kick->step->exact;
    const uint32_t numbers = kick->island->body_count * TRN_DEGREES, count = node_rows(it, kick->island);
    double *x = kick->worker->x;
    memset(x, 0, numbers * sizeof *x);
    trn_exact_pull_touches(kick, true);
    for (uint32_t r = 0; r < count; r++) {
        const trn_exact_row *row = &it->rows[kick->island->first_row + r];
        x[numbers + r] = trn_exact_is_held(row) ? -row->close : 0.0;
    }
    tr_factor_solve(kick->worker->factor, x);
}

/* Violated stops of joints give way to contacts: they close as far as there is room. */
static void yield_stops(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    for (uint32_t j = 0; j < kick->island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[kick->island->first_joint + j];
        const double factor_of = joint->type == TR_CONTACT ? TR_EXACT_COMPLIANCE_BOUNDED / TR_EXACT_COMPLIANCE_CONTACT
                                                           : TR_EXACT_YIELDS / TR_EXACT_COMPLIANCE_BOUNDED;
        for (uint32_t r = 0; r < joint->row_count; r++) {
            trn_exact_row *row = &it->rows[joint->first_row + r];
            if (row->gap < (joint->type == TR_CONTACT ? INFINITY : 0.0))
                row->soften = factor_of;
        }
    }
}

/* Whether violated stops of joints are to close, and whether contacts are held, which may block them. */
static void find_closing(const trn_exact_kick *kick, bool *closes, bool *touches)
{
    const trn_exact *it = kick->step->exact;
    *closes = *touches = false;
    for (uint32_t j = 0; j < kick->island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[kick->island->first_joint + j];
        for (uint32_t r = 0; r < joint->row_count; r++) {
            const trn_exact_row *row = &it->rows[joint->first_row + r];
            if (!trn_exact_is_held(row) || !(row->gap < INFINITY))
                continue;
            *touches = *touches || joint->type == TR_CONTACT;
            *closes = *closes || (joint->type != TR_CONTACT && row->gap < 0.0);
        }
    }
}

/* Holds stops that the motion would pass, which have room left. Whether there are any. */
static bool meet_stops(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    bool any = false;
    for (uint32_t j = 0; j < kick->island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[kick->island->first_joint + j];
        for (uint32_t r = 0; r < joint->row_count; r++) {
            trn_exact_row *row = &it->rows[joint->first_row + r];
            if (row->off || trn_exact_is_held(row) || !(row->gap < INFINITY))
                continue;
            const double left = row->gap + rate_of(kick, joint, r, kick->worker->x);
            if (left >= -TR_EXACT_REACHED * unit_of(kick, row))
                continue;
            row->state = TR_EXACT_HELD;
            row->close = row->gap;
            any = true;
        }
    }
    return any;
}

/* The correction of errors, in the positions: it changes no velocity, so what cannot be corrected throws nothing. */
static void correct(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    double *x = kick->worker->x, most[2] = {0.0, 0.0};
    bool any = false, closes, touches;
    for (uint32_t b = 0; b < island->body_count; b++)
        memset(it->bodies[island->first_body + b].shift, 0, sizeof it->bodies->shift);
    for (uint32_t r = 0; r < island->row_count; r++) {
        const trn_exact_row *row = &it->rows[island->first_row + r];
        any = any || (trn_exact_is_held(row) && row->close != 0.0);
    }
    if (!any)
        return;
    find_closing(kick, &closes, &touches);
    if (closes && touches) {
        yield_stops(kick);
        factor(kick);
        kick->island->solves++;
    }
    solve_shift(kick);
    for (uint32_t round = 0; round < TR_EXACT_MEETINGS && meet_stops(kick); round++) {
        yield_stops(kick);
        factor(kick);
        solve_shift(kick);
        kick->island->solves++;
    }
    for (uint32_t b = 0; b < island->body_count; b++)
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            most[i >= TRN_AXES] = fmax(most[i >= TRN_AXES], fabs(x[(size_t)b * TRN_DEGREES + i]));
    /* contacts are found from the velocities, which closing is not in */
    const double far = TR_EXACT_SHIFTS_AT * kick->h;
    const double linear = (closes ? TR_EXACT_CLOSES_AT * kick->time : far) * kick->step->unit;
    const double turn = closes ? TR_EXACT_TURNS_BACK * kick->time : far;
    const double scale = fmin(most[0] > linear ? linear / most[0] : 1.0, most[1] > turn ? turn / most[1] : 1.0);
    if (!isfinite(most[0] + most[1]))
        return;
    for (uint32_t b = 0; b < island->body_count; b++)
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            it->bodies[island->first_body + b].shift[i] = scale * x[(size_t)b * TRN_DEGREES + i];
}

void trn_exact_solve(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    trn_exact_island *island = kick->island;
    const uint32_t before = island->solves;
    bool settled = find_along_curves(kick);
    if (are_finite(kick)) {
        correct(kick);
    } else {
        settled = false;
        for (uint32_t r = 0; r < island->row_count; r++)
            it->rows[island->first_row + r].lambda = 0.0;
        for (uint32_t b = 0; b < island->body_count; b++) {
            trn_exact_body *body = &it->bodies[island->first_body + b];
            memcpy(body->change, body->fall, sizeof body->change);
            memset(body->shift, 0, sizeof body->shift);
        }
    }
    const uint32_t solves = island->solves - before;
    island->most = solves > island->most ? solves : island->most;
    island->unsettled += settled ? 0u : 1u;
    for (uint32_t r = 0; r < island->row_count; r++) {
        trn_exact_row *row = &it->rows[island->first_row + r];
        row->force = row->lambda / kick->time;
        row->total[kick->early ? 0 : 1] += row->lambda;
    }
}
