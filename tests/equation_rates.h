/*
 * The equations of joints (solver/core/equations.h) against central differences along a motion: J v is the rate of C,
 * and J a + dJ/dt v that of J v. The motion has any positions, velocities and accelerations; joints need not be
 * satisfied. Each dimension supplies the motion: equations_at(), part_at(), seen_from_a().
 */
#ifndef TR_TESTS_EQUATION_RATES_H
#define TR_TESTS_EQUATION_RATES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "solver/core/joint_types.h"

typedef struct motion_of_ends motion_of_ends;

/* the equations of a joint at a time of the motion */
static void equations_at(const motion_of_ends *m, double time, const trn_joint_def *def, trn_equations *out);
/* velocity and acceleration of the body at an end, at time 0 */
static void part_at(const motion_of_ends *m, uint32_t end, double velocity[TRN_DEGREES],
                    double acceleration[TRN_DEGREES]);
/* a vector in the frame that has rotated with A since time 0 */
static void seen_from_a(const motion_of_ends *m, double time, double vector[TRN_AXES]);
/* whether the rate of a row's value is J v in all states, and not only where the joint is satisfied */
static bool has_exact_value(const trn_joint_def *def, const trn_equation *row);

static double any_number(uint64_t *seed, double most)
{
    random_step(seed);
    return most * (double)(int32_t)(*seed >> 32) * 0x1p-31;
}

/* rows along the world's axes, as seen by A */
static void turn_blocks(const motion_of_ends *m, double time, trn_equations *at)
{
    for (uint32_t i = 0; i < at->count; i++) {
        if (at->row[i].block != TRN_AXES)
            continue;
        double rate[TRN_AXES], value[TRN_AXES];
        for (uint32_t k = 0; k < TRN_AXES; k++) {
            rate[k] = at->row[i + k].rate;
            value[k] = at->row[i + k].value;
        }
        seen_from_a(m, time, rate);
        seen_from_a(m, time, value);
        for (uint32_t k = 0; k < TRN_AXES; k++) {
            at->row[i + k].rate = rate[k];
            at->row[i + k].value = value[k];
        }
    }
}

/* central differences of values and rates */
static void differences(const motion_of_ends *m, const trn_joint_def *def, double h, double *of_value, double *of_rate)
{
    trn_equations back, forth;
    equations_at(m, -h, def, &back);
    equations_at(m, h, def, &forth);
    turn_blocks(m, -h, &back);
    turn_blocks(m, h, &forth);
    for (uint32_t i = 0; i < back.count; i++) {
        of_value[i] = (forth.row[i].value - back.row[i].value) / (2.0 * h);
        of_rate[i] = (forth.row[i].rate - back.row[i].rate) / (2.0 * h);
    }
}

static void check_rates(const motion_of_ends *m, const trn_joint_def *def, uint32_t *rows)
{
    const double h = 2e-5;
    const char *name = trn_joint_types[def->type]->name;
    trn_equations now;
    equations_at(m, 0.0, def, &now);
    /* of fourth order, by differences over two lengths: near states without direction the second is too little */
    double value[2][TR_EQUATIONS_MAX], change_of[2][TR_EQUATIONS_MAX];
    differences(m, def, h, value[0], change_of[0]);
    differences(m, def, 2.0 * h, value[1], change_of[1]);
    for (uint32_t i = 0; i < now.count; i++) {
        double rate = 0.0, change = now.row[i].bend, size = 1.0 + fabs(now.row[i].bend);
        for (uint32_t end = 0; end < TR_ENDS; end++) {
            double velocity[TRN_DEGREES], acceleration[TRN_DEGREES];
            part_at(m, end, velocity, acceleration);
            for (uint32_t k = 0; k < TRN_DEGREES; k++) {
                rate += now.row[i].j[end][k] * velocity[k];
                change += now.row[i].j[end][k] * acceleration[k];
                size += fabs(now.row[i].j[end][k]);
            }
        }
        double of_value = (4.0 * value[0][i] - value[1][i]) / 3.0;
        double of_rate = (4.0 * change_of[0][i] - change_of[1][i]) / 3.0;
        if (fabs(rate - now.row[i].rate) > 1e-12 * size)
            fail_msg("%s row %u: J v is %.12g, the rate %.12g", name, i, rate, now.row[i].rate);
        /* its direction stands still, whatever the joint's does */
        const bool follows = now.row[i].kind != TR_EQUATION_ACROSS;
        if (follows && has_exact_value(def, &now.row[i]) && fabs(of_value - rate) > 2e-7 * size)
            fail_msg("%s row %u: J v is %.12g, C changes by %.12g", name, i, rate, of_value);
        if (follows && fabs(of_rate - change) > 2e-7 * size)
            fail_msg("%s row %u: J a + dJ/dt v is %.12g, J v changes by %.12g", name, i, change, of_rate);
        (*rows)++;
    }
}

#endif
