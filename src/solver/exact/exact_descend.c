/*
 * Newton's method with an exact search along each step, from the velocities without impulses: for what does not settle by
 * changing all rows that are wrong at once. Each step is nearer to the solution. It ends where rows of a step's solution are as
 * they were taken to be.
 */
#include <math.h>
#include <string.h>

#include "solver/exact/exact_descend.h"

/* systems that are solved in a search, at most; a kick may search three times */
#define SOLVES_MOST 100u

/* what the impulse of a row is at a rate: of a block all of it by one factor */
static double impulse_at(const trn_exact_row *row, double w)
{
    const double lambda = -w / row->e[0];
    return lambda < row->low ? row->low : lambda > row->high ? row->high : lambda;
}

/* What a block without a bound gives to the derivative, as metric of direct(): e^-1 of its rates, on which e acts as a whole. */
static void add_block(const trn_exact_row *row, double metric[2])
{
    const uint32_t n = row->block;
    double e[TRN_AXES][TRN_AXES] = {{0.0}}, side[TRN_AXES][2] = {{0.0}};
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++)
            e[i][k] = row[i].off || row[k].off ? (i == k ? 1.0 : 0.0) : row[i].e[k];
        side[i][0] = row[i].off ? 0.0 : row[i].w;
        side[i][1] = row[i].off ? 0.0 : row[i].dw;
    }
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t i = c + 1; i < n; i++) {
            const double share = e[i][c] / e[c][c];
            for (uint32_t k = c; k < n; k++)
                e[i][k] -= share * e[c][k];
            for (uint32_t s = 0; s < 2; s++)
                side[i][s] -= share * side[c][s];
        }
    for (uint32_t i = n; i-- > 0;)
        for (uint32_t s = 0; s < 2; s++) {
            for (uint32_t k = i + 1; k < n; k++)
                side[i][s] -= e[i][k] * side[k][s];
            side[i][s] /= e[i][i];
            metric[s] += row[i].off ? 0.0 : side[i][s] * row[i].dw;
        }
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
        if (!row->bounded) {
            row += count;
            continue;
        }
        for (uint32_t i = 0; i < count; i++) {
            const double w = row[i].w + part * row[i].dw;
            square += row[i].off ? 0.0 : w * w;
            along += row[i].off ? 0.0 : w * row[i].dw;
        }
        /* its own compliance is isotropic enough to say when it gives way */
        const double stiff = 1.0 / row->e[0];
        slope += along * (square * stiff * stiff > row->high * row->high ? row->high / sqrt(square) : stiff);
        row += count;
    }
    return slope;
}

/* Whether a block's impulse is what its rate makes it, or it is held within its bound. */
static bool block_agrees(const trn_exact_kick *kick, const trn_exact_joint *joint, uint32_t r)
{
    const trn_exact_row *row = &kick->step->exact->rows[joint->first_row + r];
    double length = 0.0, rate = 0.0, miss = 0.0, w[TRN_AXES] = {0.0};
    for (uint32_t i = 0; i < row->block; i++) {
        w[i] = row[i].off ? 0.0 : row[i].u + row[i].b + trn_exact_rate_of(kick, joint, r + i, kick->worker->x);
        rate += w[i] * w[i];
        length += row[i].off ? 0.0 : row[i].lambda * row[i].lambda;
    }
    rate = fmax(sqrt(rate), 1e-300);
    for (uint32_t i = 0; i < row->block; i++) {
        const double by = (row[i].off ? 0.0 : row[i].lambda) + row->high * (w[i] / rate);
        miss += by * by;
    }
    const double slack = TR_EXACT_BLOCK_SLACK * row->high;
    return trn_exact_slides(row) ? miss <= slack * slack : sqrt(length) <= row->high + slack;
}

/* Whether a solution has rows as they were taken to be: single ones, and blocks. */
static void find_agreement(const trn_exact_kick *kick, bool *rows_agree, bool *blocks_agree)
{
    const trn_exact *it = kick->step->exact;
    const double greatest = trn_exact_greatest_of(kick);
    *rows_agree = *blocks_agree = true;
    for (uint32_t j = 0; j < kick->island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[kick->island->first_joint + j];
        for (uint32_t r = 0; r < joint->row_count; r++) {
            const trn_exact_row *row = &it->rows[joint->first_row + r];
            if (row->bounded)
                *blocks_agree = *blocks_agree && (row->at > 0 || block_agrees(kick, joint, r));
            else if (!row->off)
                *rows_agree = *rows_agree &&
                              trn_exact_next_state(
                                  row, row->u + row->b + trn_exact_rate_of(kick, joint, r, kick->worker->x),
                                  greatest * trn_exact_unit_of(kick, row), joint->type == TR_CONTACT) == row->state;
        }
    }
}

/* where along the direction the function is least, at most 1 */
static double search(const trn_exact_kick *kick, const double metric[2])
{
    double low = 0.0, high = 1.0;
    if (!(slope_at(kick, 1.0, metric) > 0.0))
        return 1.0;
    for (int i = 0; i < 80; i++) {
        const double middle = 0.5 * (low + high);
        /* there are no numbers between */
        if (middle == low || middle == high)
            break;
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
        row->along = 0.0;
        row->state = TR_EXACT_HELD;
        if (row->bounded) {
            const trn_exact_row *first = row - row->at;
            double square = 0.0;
            for (uint32_t i = 0; i < first->block; i++)
                square += first[i].off ? 0.0 : first[i].w * first[i].w;
            row->soften = fmin(fmax(1.0, sqrt(square) / (first->e[0] * first->high)), 1e30);
            if (row->soften > 1.0 && first->high > 0.0 && !row->off)
                row->along = row->w / sqrt(square);
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
            it->rows[joint->first_row + r].dw = trn_exact_rate_of(kick, joint, r, x);
        for (uint32_t r = 0; r < joint->row_count; r++) {
            const trn_exact_row *row = &it->rows[joint->first_row + r];
            if (row->block > 1 && row->at == 0 && !row->bounded)
                add_block(row, metric);
        }
    }
}

/* from the velocities without rows; whether it has settled */
bool trn_exact_descend(const trn_exact_kick *kick, uint32_t *solves)
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
            row->w = row->u + row->b + trn_exact_rate_of(kick, joint, r, kick->worker->x);
        }
    }
    while (*solves < SOLVES_MOST) {
        double metric[2];
        bool rows_agree, blocks_agree;
        classify(kick);
        trn_exact_solve_once(kick, solves);
        find_agreement(kick, &rows_agree, &blocks_agree);
        direct(kick, metric);
        const double part = rows_agree && blocks_agree ? 1.0 : search(kick, metric);
        for (uint32_t b = 0; b < island->body_count; b++)
            for (uint32_t i = 0; i < TRN_DEGREES; i++)
                it->bodies[island->first_body + b].change[i] += part * kick->worker->x[(size_t)b * TRN_DEGREES + i];
        double most = 0.0, moved = 0.0;
        for (uint32_t r = 0; r < island->row_count; r++) {
            trn_exact_row *row = &it->rows[island->first_row + r];
            row->w += part * row->dw;
            most = fmax(most, row->off ? 0.0 : fabs(row->u + row->b) / trn_exact_unit_of(kick, row));
            moved = fmax(moved, row->off ? 0.0 : fabs(row->dw) / trn_exact_unit_of(kick, row));
        }
        /* it is the solution, or next to it */
        if (rows_agree && (blocks_agree || moved <= TR_EXACT_SLACK * most))
            return true;
    }
    return false;
}
