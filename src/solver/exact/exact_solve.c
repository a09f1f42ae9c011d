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

#include "solver/exact/exact_border.h"
#include "solver/exact/exact_descend.h"

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

void trn_exact_factor(const trn_exact_kick *kick)
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
        memset(block, 0, (size_t)TRN_DEGREES * TRN_DEGREES * sizeof *block);
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
double trn_exact_rate_of(const trn_exact_kick *kick, const trn_exact_joint *joint, uint32_t r, const double *x)
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

/* What J x + e lambda is of a row that is held. */
static double wanted(const trn_exact_row *row)
{
    const trn_exact_row *first = row - row->at;
    if (row->along == 0.0)
        return -(row->u + row->b);
    return -(row->u + row->b + (TR_EXACT_ALONG - 1.0) * row->soften * first->e[0] * first->high * row->along);
}

void trn_exact_take_impulses(const trn_exact_kick *kick)
{
    const trn_exact_island *island = kick->island;
    const double *x = kick->worker->x + island->body_count * TRN_DEGREES;
    for (uint32_t r = 0; r < node_rows(kick->step->exact, island); r++) {
        trn_exact_row *row = &kick->step->exact->rows[island->first_row + r];
        if (trn_exact_is_held(row))
            row->lambda = -x[r];
    }
    trn_exact_take_touches(kick);
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
        x[numbers + r] = trn_exact_is_held(row) ? wanted(row) : 0.0;
    }
    tr_factor_solve(kick->worker->factor, x);
    trn_exact_take_impulses(kick);
}

/* What rates of a row are measured in: m/s of the world's unit, or rad/s. */
double trn_exact_unit_of(const trn_exact_kick *kick, const trn_exact_row *row)
{
    return row->linear ? kick->step->unit : 1.0;
}

/* The greatest numbers: impulses as changes of rates, and rates. The room that stops have left is none: a rope that is never
   taut would make all else rounding. */
double trn_exact_greatest_of(const trn_exact_kick *kick)
{
    const trn_exact *it = kick->step->exact;
    double most = 0.0;
    for (uint32_t r = 0; r < kick->island->row_count; r++) {
        const trn_exact_row *row = &it->rows[kick->island->first_row + r];
        const double rate = row->gap < INFINITY ? row->u : row->u + row->b;
        if (!row->off)
            most = fmax(most, fmax(fabs(rate), fabs(row->lambda * row->k)) / trn_exact_unit_of(kick, row));
    }
    return most;
}

/* What a row has to become. A contact's compliance is next to nothing: what counts is which impulse its rate stands for. */
trn_exact_state trn_exact_next_state(const trn_exact_row *row, double w, double greatest, bool contact)
{
    const double own = TR_EXACT_SLACK * greatest / row->k;
    if (row->state == TR_EXACT_HELD)
        return row->lambda < row->low - own    ? TR_EXACT_LOW
               : row->lambda > row->high + own ? TR_EXACT_HIGH
                                               : TR_EXACT_HELD;
    const double e = row->e[0], press = TR_EXACT_PRESS_SLACK * e / row->k;
    const double slack = (contact ? fmin(press, TR_EXACT_SLACK) : TR_EXACT_SLACK) * greatest;
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
        const double w = rows[i].u + rows[i].b + trn_exact_rate_of(kick, joint, first + i, kick->worker->x);
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
    const double greatest = trn_exact_greatest_of(kick);
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
            const double w = row->u + row->b + trn_exact_rate_of(kick, joint, r, kick->worker->x);
            const trn_exact_state to =
                trn_exact_next_state(row, w, greatest * trn_exact_unit_of(kick, row), joint->type == TR_CONTACT);
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

void trn_exact_solve_once(const trn_exact_kick *kick, uint32_t *solves)
{
    set_bounded(kick);
    trn_exact_factor(kick);
    solve(kick);
    ++*solves;
}

/* Whether rows have settled. */
static bool find_impulses(const trn_exact_kick *kick, bool *descended)
{
    trn_exact_worker *worker = kick->worker;
    uint32_t fewest = UINT32_MAX, patience = TR_EXACT_PATIENCE, solves = 0, known = 0;
    bool settled = false;
    for (uint32_t r = 0; r < kick->island->row_count; r++)
        kick->step->exact->rows[kick->island->first_row + r].along = 0.0;
    while (!settled && solves < TR_EXACT_TRIES && patience > 0) {
        if (worker->factored)
            known = 1;
        else
            trn_exact_factor(kick);
        worker->factored = false;
        set_bounded(kick);
        solve(kick);
        solves++;
        uint32_t blocks;
        const uint32_t wrong = change_rows(kick, &blocks);
        if (wrong > 0)
            patience = wrong < fewest ? TR_EXACT_PATIENCE : patience - 1;
        fewest = wrong < fewest ? wrong : fewest;
        settled = wrong + blocks == 0;
    }
    worker->factored = settled;
    *descended = !settled;
    if (!settled)
        settled = trn_exact_descend(kick, &solves);
    kick->island->solves += solves - known;
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
    for (uint32_t j = 0; j < kick->island->joint_count && settled; j++)
        if (joints[j].type == TR_CONTACT && trn_exact_contact_free(kick, &joints[j]))
            free = true;
    if (!free)
        return settled;
    kick->worker->factored = false;
    (void)find_impulses(kick, descended);
    set_bounded(kick);
    for (uint32_t j = 0; j < kick->island->joint_count; j++)
        if (joints[j].type == TR_CONTACT)
            trn_exact_contact_bind(kick, &joints[j]);
    kick->worker->factored = false;
    settled = find_impulses(kick, descended);
    set_bounded(kick);
    return settled;
}

/* Changes of velocities by the impulses: momentum is conserved whatever they are. But next to contacts that were eliminated
   those of the solution: their impulses have what rounding leaves of rates, over a compliance that is next to nothing. */
static void push(const trn_exact_kick *kick, bool descended)
{
    trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    const trn_exact_joint *joints = &it->joints[island->first_joint];
    double *x = kick->worker->x;
    for (uint32_t j = island->node_count; j < island->joint_count && !descended; j++)
        memcpy(it->bodies[joints[j].body[0]].change, x + (size_t)(joints[j].body[0] - island->first_body) * TRN_DEGREES,
               sizeof it->bodies->change);
    memset(x, 0, (size_t)island->body_count * TRN_DEGREES * sizeof *x);
    gather(kick, true, x);
    for (uint32_t b = 0; b < island->body_count; b++)
        it->bodies[island->first_body + b].pressed = false;
    for (uint32_t j = island->node_count; j < island->joint_count; j++)
        for (uint32_t r = 0; r < joints[j].row_count; r++)
            if (trn_exact_is_held(&it->rows[joints[j].first_row + r]))
                it->bodies[joints[j].body[0]].pressed = true;
    for (uint32_t b = 0; b < island->body_count; b++) {
        trn_exact_body *body = &it->bodies[island->first_body + b];
        if (body->pressed)
            continue;
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
        push(kick, descended);
    return settled;
}

/* takes more of the curves of bodies */
static void bend(const trn_exact_kick *kick, double more)
{
    trn_exact_bend(kick, more);
    kick->worker->bent += more;
}

/* The same, along the curves of bodies as far as held rows gain nothing (exact_curves.c). */
static bool find_along_curves(const trn_exact_kick *kick)
{
    /* all of them, if a kick is solved again after a pass of sweeps */
    if (kick->worker->bent < 0.0)
        bend(kick, -kick->worker->bent);
    bool settled = find_changes(kick);
    const double gain = trn_exact_gain(kick);
    if (!(gain > 0.0))
        return settled;
    bend(kick, -1.0);
    settled = find_changes(kick);
    const double loss = trn_exact_loss(kick);
    if (!(loss > 0.0))
        return settled;
    bend(kick, loss / (loss + gain));
    return find_changes(kick);
}

/* Bounds stops and contacts (TR_EXACT_YIELDS_AT). Whether one has more. */
static bool exceed_bounds(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    const double at = trn_exact_has_border(it, kick->island) ? TR_EXACT_BORDER_YIELDS_AT : TR_EXACT_YIELDS_AT;
    bool any = false;
    for (uint32_t r = 0; r < kick->island->row_count && !kick->untouched; r++) {
        trn_exact_row *row = &it->rows[kick->island->first_row + r];
        if (row->off || !(row->gap < INFINITY))
            continue;
        const double most = at * trn_exact_unit_of(kick, row) / row->k;
        any = any || row->lambda > most;
        row->high = fmin(row->high, most);
    }
    return any;
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

/* the same after compliances have changed */
static void solve_shift_again(const trn_exact_kick *kick)
{
    trn_exact_factor(kick);
    solve_shift(kick);
    kick->island->solves++;
}

/* Violated stops of joints give way to contacts: they close as far as there is room. */
static void yield_stops(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    for (uint32_t j = 0; j < kick->island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[kick->island->first_joint + j];
        for (uint32_t r = 0; r < joint->row_count && joint->type != TR_CONTACT; r++) {
            trn_exact_row *row = &it->rows[joint->first_row + r];
            if (row->gap < 0.0)
                row->soften = TR_EXACT_YIELDS / TR_EXACT_COMPLIANCE_BOUNDED;
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
            *closes =
                *closes || (joint->type != TR_CONTACT && row->gap < -TR_EXACT_BLOCKED * trn_exact_unit_of(kick, row));
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
            /* what has given way does not close */
            if (row->off || row->state != TR_EXACT_LOW || !(row->gap < INFINITY))
                continue;
            const double left = row->gap + trn_exact_rate_of(kick, joint, r, kick->worker->x);
            if (left >= -TR_EXACT_REACHED * trn_exact_unit_of(kick, row))
                continue;
            row->state = TR_EXACT_HELD;
            row->close = row->gap;
            any = true;
        }
    }
    return any;
}

/* Contacts and joints that contradict each other, as where a belt is taut around its wheels, would move bodies far, where
   these lie straight. No row is stiffer then than a share of its inverse effective mass: that is the method of Levenberg and
   Marquardt, in which contacts give way to joints. */
static void damp_rows(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    for (uint32_t j = 0; j < kick->island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[kick->island->first_joint + j];
        const double share = joint->type == TR_CONTACT ? TR_EXACT_DAMPS_CONTACTS : TR_EXACT_DAMPS;
        for (uint32_t r = 0; r < joint->row_count; r++) {
            trn_exact_row *row = &it->rows[joint->first_row + r];
            if (trn_exact_is_held(row))
                row->soften = fmax(row->soften, share * row->k / row->e[row->at]);
        }
    }
}

/* the share of the motion by which no body moves too far */
static double share_of_shift(const trn_exact_kick *kick, bool closes)
{
    const double *x = kick->worker->x;
    double most[2] = {0.0, 0.0}, sum = 0.0;
    for (uint32_t b = 0; b < kick->island->body_count; b++)
        for (uint32_t i = 0; i < TRN_DEGREES; i++) {
            const double way = fabs(x[(size_t)b * TRN_DEGREES + i]);
            most[i >= TRN_AXES] = fmax(most[i >= TRN_AXES], way);
            sum += way; /* the greatest does not see what is no number */
        }
    if (!isfinite(sum))
        return 0.0;
    /* contacts are found from the velocities, which closing is not in */
    const double far = TR_EXACT_SHIFTS_AT * kick->h;
    const double linear = (closes ? TR_EXACT_CLOSES_AT * kick->time : far) * kick->step->unit;
    const double turn = closes ? TR_EXACT_TURNS_BACK * kick->time : far;
    return fmin(most[0] > linear ? linear / most[0] : 1.0, most[1] > turn ? turn / most[1] : 1.0);
}

/* The correction of errors, in the positions: it changes no velocity, so what cannot be corrected throws nothing. */
static void correct(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    const double *x = kick->worker->x;
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
        solve_shift_again(kick);
    } else {
        solve_shift(kick);
    }
    for (uint32_t round = 0; round < TR_EXACT_MEETINGS && meet_stops(kick); round++) {
        yield_stops(kick);
        solve_shift_again(kick);
    }
    double share = share_of_shift(kick, closes);
    if (share < 1.0 && touches && !closes) {
        damp_rows(kick);
        solve_shift_again(kick);
        share = share_of_shift(kick, closes);
    }
    for (uint32_t b = 0; b < island->body_count && share > 0.0; b++)
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            it->bodies[island->first_body + b].shift[i] = share * x[(size_t)b * TRN_DEGREES + i];
}

bool trn_exact_find(const trn_exact_kick *kick)
{
    const bool settled = find_along_curves(kick);
    return exceed_bounds(kick) ? find_changes(kick) : settled;
}

void trn_exact_solve(const trn_exact_kick *kick)
{
    const uint32_t before = kick->island->solves;
    const bool settled = trn_exact_find(kick);
    trn_exact_settle(kick, settled, before);
}

void trn_exact_settle(const trn_exact_kick *kick, bool settled, uint32_t before)
{
    trn_exact *it = kick->step->exact;
    trn_exact_island *island = kick->island;
    if (are_finite(kick)) {
        correct(kick);
    } else {
        settled = false;
        for (uint32_t r = 0; r < island->row_count; r++)
            it->rows[island->first_row + r].lambda = 0.0;
        for (uint32_t b = 0; b < island->body_count; b++) {
            trn_exact_body *body = &it->bodies[island->first_body + b];
            memcpy(body->change, body->fall, sizeof body->change);
            memcpy(body->moved, body->fall, sizeof body->moved);
            memset(body->shift, 0, sizeof body->shift);
        }
    }
    const uint32_t solves = island->solves - before;
    island->most = solves > island->most ? solves : island->most;
    island->unsettled += settled ? 0u : 1u;
    for (uint32_t r = 0; r < island->row_count; r++) {
        trn_exact_row *row = &it->rows[island->first_row + r];
        row->force = row->lambda / kick->time;
        row->total[kick->early ? 0 : 1] += kick->counts * row->lambda;
    }
}
