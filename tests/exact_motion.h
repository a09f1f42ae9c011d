/*
 * The equations of motion of a world (world/instant/instant.h) solved a second time, densely: A = J M^-1 J^T scaled by the
 * rows' K, its eigenvalues by Jacobi's rotations, and the pseudo-inverse; and what a solution with stops must satisfy.
 * Once for both dimensions.
 */
#ifndef TR_TESTS_EXACT_MOTION_H
#define TR_TESTS_EXACT_MOTION_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world/instant/instant.h"

#define DENSE_MOST 160

typedef struct dense {
    uint32_t n;
    double a[DENSE_MOST][DENSE_MOST], vectors[DENSE_MOST][DENSE_MOST];
    double right[DENSE_MOST], lambda[DENSE_MOST], k[DENSE_MOST];
    uint32_t rank;
} dense;

/* rows of J, with respect to all moving bodies */
static inline void dense_row(const trn_instant *it, uint32_t joint, uint32_t r, double *out)
{
    const trn_instant_joint *j = &it->joints[joint];
    memset(out, 0, it->body_count * TRN_DEGREES * sizeof *out);
    for (uint32_t b = 0; b < j->body_count; b++)
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            out[j->body[b] * TRN_DEGREES + i] = it->jacobian[j->block + b * j->row_count + r][i];
}

/* eigenvalues onto the diagonal, by rotations */
static inline void dense_diagonalise(dense *d)
{
    for (uint32_t i = 0; i < d->n; i++)
        for (uint32_t k = 0; k < d->n; k++)
            d->vectors[i][k] = i == k ? 1.0 : 0.0;
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0.0;
        for (uint32_t p = 0; p < d->n; p++)
            for (uint32_t q = p + 1; q < d->n; q++) {
                off = fmax(off, fabs(d->a[p][q]));
                if (fabs(d->a[p][q]) < 1e-18)
                    continue;
                double theta = (d->a[q][q] - d->a[p][p]) / (2.0 * d->a[p][q]);
                double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (uint32_t i = 0; i < d->n; i++) {
                    double x = d->a[i][p], y = d->a[i][q];
                    d->a[i][p] = c * x - s * y;
                    d->a[i][q] = s * x + c * y;
                }
                for (uint32_t i = 0; i < d->n; i++) {
                    double x = d->a[p][i], y = d->a[q][i];
                    d->a[p][i] = c * x - s * y;
                    d->a[q][i] = s * x + c * y;
                    x = d->vectors[i][p];
                    y = d->vectors[i][q];
                    d->vectors[i][p] = c * x - s * y;
                    d->vectors[i][q] = s * x + c * y;
                }
            }
        if (off < 1e-16)
            return;
    }
}

/* `it`: made, and not solved: the accelerations are those without held rows. No row is a stop. */
static inline void dense_solve(const trn_instant *it, dense *d)
{
    const uint32_t numbers = it->body_count * TRN_DEGREES;
    double *rows = calloc((size_t)DENSE_MOST * numbers, sizeof *rows), *responses = calloc(numbers, sizeof *rows);
    assert_true(rows != NULL && responses != NULL && it->row_count <= DENSE_MOST);
    d->n = it->row_count;
    for (uint32_t j = 0; j < it->joint_count; j++)
        for (uint32_t r = 0; r < it->joints[j].row_count; r++)
            dense_row(it, j, r, rows + (size_t)(it->joints[j].first_row + r) * numbers);
    for (uint32_t i = 0; i < d->n; i++)
        d->k[i] = sqrt(it->rows[i].k);
    for (uint32_t i = 0; i < d->n; i++) {
        const double *row = rows + (size_t)i * numbers;
        d->right[i] = -it->rows[i].bend;
        for (uint32_t b = 0; b < it->body_count; b++) {
            trn_inertial_respond(&it->bodies[b], row + b * TRN_DEGREES, responses + b * TRN_DEGREES);
            for (uint32_t x = 0; x < TRN_DEGREES; x++)
                d->right[i] -= row[b * TRN_DEGREES + x] * it->bodies[b].acceleration[x];
        }
        d->right[i] /= d->k[i];
        for (uint32_t k = 0; k < d->n; k++) {
            double sum = 0.0;
            for (uint32_t x = 0; x < numbers; x++)
                sum += responses[x] * rows[(size_t)k * numbers + x];
            d->a[i][k] = sum / (d->k[i] * d->k[k]);
        }
    }
    free(rows);
    free(responses);
    dense_diagonalise(d);
    d->rank = 0;
    memset(d->lambda, 0, sizeof d->lambda);
    for (uint32_t e = 0; e < d->n; e++) {
        if (d->a[e][e] < 1e-9)
            continue;
        d->rank++;
        double along = 0.0;
        for (uint32_t i = 0; i < d->n; i++)
            along += d->vectors[i][e] * d->right[i];
        for (uint32_t i = 0; i < d->n; i++)
            d->lambda[i] += d->vectors[i][e] * along / (d->a[e][e] * d->k[i]);
    }
}

/* the system of a world as it is now */
static inline trn_instant exact_begin(const trn_world *world, const tr_accelerations_options *options)
{
    trn_instant it;
    assert_int_equal(trn_instant_make(&it, world, options), TR_OK);
    for (uint32_t i = 0; i < it.island_count; i++)
        it.wanted[i] = true;
    return it;
}

/* The forces of a world without stops are those of the dense solution, within `tolerance` of the greatest, or `shared`
   if rows are redundant. Returns how many are. */
static inline uint32_t check_forces(const trn_world *world, double tolerance, double shared)
{
    static dense d;
    tr_accelerations_options options = tr_accelerations_options_default();
    trn_instant it = exact_begin(world, &options);
    dense_solve(&it, &d);
    assert_int_equal(trn_instant_solve(&it), TR_OK);
    double greatest = 1e-9;
    for (uint32_t i = 0; i < d.n; i++)
        greatest = fmax(greatest, fabs(d.lambda[i] * d.k[i]));
    if (it.report.redundant != d.n - d.rank)
        fail_msg("%u rows redundant of %u, and the rank is %u", it.report.redundant, d.n, d.rank);
    tolerance = d.rank < d.n ? shared : tolerance;
    for (uint32_t i = 0; i < d.n; i++) {
        double force = it.forces[it.rows[i].equation];
        if (fabs(force - d.lambda[i]) * d.k[i] > tolerance * greatest)
            fail_msg("row %u of %u, rank %u: %.12g, densely %.12g, greatest %g", i, d.n, d.rank, force, d.lambda[i],
                     greatest);
    }
    trn_instant_free(&it);
    return d.n - d.rank;
}

/* Stops push and are not passed, and do only one of these; rows that are held, hold. Returns the number that push. */
static inline uint32_t check_stops(const trn_world *world)
{
    tr_accelerations_options options = tr_accelerations_options_default();
    trn_instant it = exact_begin(world, &options);
    assert_int_equal(trn_instant_solve(&it), TR_OK);
    uint32_t pushing = 0;
    /* rows that contradict each other leave errors, and there may be no solution */
    const double slack = 1e-6 + (it.report.redundant > 0 ? it.report.error * (1.0 + 1e-9) : 0.0);
    if (it.report.unsettled > 0) {
        assert_true(it.report.redundant > 0);
        trn_instant_free(&it);
        return 0;
    }
    for (uint32_t j = 0; j < it.joint_count; j++) {
        for (uint32_t r = 0; r < it.joints[j].row_count; r++) {
            const trn_held_row *row = &it.rows[it.joints[j].first_row + r];
            double rate = row->bend, force = it.forces[row->equation];
            for (uint32_t b = 0; b < it.joints[j].body_count; b++)
                for (uint32_t x = 0; x < TRN_DEGREES; x++)
                    rate += it.jacobian[it.joints[j].block + b * it.joints[j].row_count + r][x] *
                            it.bodies[it.joints[j].body[b]].acceleration[x];
            if (!row->stop || force > 0.0) {
                if (fabs(rate) > slack)
                    fail_msg("joint %u row %u: J a + dJ/dt v is %g", j, r, rate);
            } else if (rate < -slack || force < -1e-6) {
                fail_msg("joint %u row %u: passes its stop with %g, pushes with %g", j, r, rate, force);
            }
            pushing += row->stop && force > 0.0;
        }
    }
    trn_instant_free(&it);
    return pushing;
}

#endif
