/*
 * Forces that turn bodies back faster than a sub-step can follow: such a body is slowed down, by an inertia beside its own.
 *
 * What counts is the inertia that it has against turning as its joints let it: a pendulum turns about its pin. So each joint
 * hangs on a body what it must move with it, as a mass at its rows: next to an infinite one of what does not move; of a body
 * what it has there by itself, shared by all of its joints. (Only if it holds a point: a rod turns.) In all no more than twice what there is, so that the frequency of
 * any motion stays below sqrt(2 TR_EXACT_STIFF_FROM) / h.
 */
#include <math.h>
#include <string.h>

#include "solver/exact/exact.h"

/* a joint hangs so many times a body's own mass on it where the other side does not move */
#define FIXED 1e6

static double trace_of(double a[TRN_SPINS][TRN_SPINS])
{
    double sum = 0.0;
    for (uint32_t i = 0; i < TRN_SPINS; i++)
        sum += a[i][i];
    return sum;
}

static bool hangs(const trn_exact_row *row)
{
    return row->linear && row->keeps && !row->off;
}

/* A joint hangs something on bodies if it holds a point in all directions. */
static bool holds_point(const trn_exact *it, const trn_exact_joint *joint)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < joint->row_count && joint->type != TR_CONTACT; r++)
        count += hangs(&it->rows[joint->first_row + r]) ? 1u : 0u;
    return count >= TRN_AXES;
}

/* the sum of J M^-1 J^T of rows that hang something on bodies, of one body */
static double lightness_of(const trn_exact *it, const trn_exact_joint *joint, uint32_t b)
{
    const trn_exact_body *body = &it->bodies[joint->body[b]];
    double sum = 0.0;
    for (uint32_t r = 0; r < joint->row_count; r++) {
        const double *own = trn_exact_jacobian(it, joint, b)[r];
        if (!hangs(&it->rows[joint->first_row + r]))
            continue;
        for (uint32_t i = 0; i < TRN_AXES; i++)
            sum += own[i] * own[i] / body->mass;
        for (uint32_t i = 0; i < TRN_SPINS; i++)
            for (uint32_t k = 0; k < TRN_SPINS; k++)
                sum += own[TRN_AXES + i] * body->inverse[i][k] * own[TRN_AXES + k];
    }
    return sum;
}

static void hang_on(const trn_exact *it, const trn_exact_joint *joint, uint32_t b, double weight)
{
    trn_exact_body *body = &it->bodies[joint->body[b]];
    for (uint32_t r = 0; r < joint->row_count; r++) {
        const double *own = trn_exact_jacobian(it, joint, b)[r];
        for (uint32_t i = 0; i < TRN_DEGREES && hangs(&it->rows[joint->first_row + r]); i++)
            for (uint32_t k = 0; k <= i; k++)
                body->hung[i][k] += weight * own[i] * own[k];
    }
}

static void hang_joint(const trn_exact *it, const trn_exact_joint *joint)
{
    double lightness[TR_ENDS];
    bool stiff = false;
    for (uint32_t b = 0; b < joint->body_count; b++)
        stiff = stiff || it->bodies[joint->body[b]].stiff;
    for (uint32_t b = 0; b < joint->body_count && stiff; b++)
        lightness[b] = lightness_of(it, joint, b);
    for (uint32_t b = 0; b < joint->body_count && stiff; b++) {
        double others = lightness[b] / FIXED;
        for (uint32_t o = 0; o < joint->body_count; o++)
            others += o == b ? 0.0 : lightness[o] * it->bodies[joint->body[o]].ties;
        if (it->bodies[joint->body[b]].stiff && others > 0.0)
            hang_on(it, joint, b, 1.0 / others);
    }
}

/* the mass that a body has by itself */
static void begin_hanging(trn_exact_body *body)
{
    memset(body->hung, 0, sizeof body->hung);
    for (uint32_t i = 0; i < TRN_AXES; i++)
        body->hung[i][i] = body->mass;
    for (uint32_t i = 0; i < TRN_SPINS; i++)
        for (uint32_t k = 0; k <= i; k++)
            body->hung[TRN_AXES + i][TRN_AXES + k] = body->inertia[i][k];
}

/* what of that is against turning if the centre may move */
static void find_turning(trn_exact_body *body)
{
    double(*a)[TRN_DEGREES] = body->hung;
    for (uint32_t c = 0; c < TRN_AXES; c++)
        for (uint32_t i = TRN_DEGREES; i-- > c + 1;)
            for (uint32_t k = c + 1; k <= i; k++)
                a[i][k] -= a[i][c] / a[c][c] * a[k][c];
    for (uint32_t i = 0; i < TRN_SPINS; i++)
        for (uint32_t k = 0; k < TRN_SPINS; k++)
            body->turning[i][k] = a[TRN_AXES + (i > k ? i : k)][TRN_AXES + (i > k ? k : i)];
}

/* The lesser of the stiffnesses of this kick and the one before. */
static void take_lesser(const trn_exact_kick *kick, trn_exact_body *body)
{
    double now[TRN_SPINS][TRN_SPINS];
    memcpy(now, body->stiffness, sizeof now);
    if (kick->elapsed > 0.0 && trace_of(body->stiffness_before) < trace_of(now))
        memcpy(body->stiffness, body->stiffness_before, sizeof now);
    memcpy(body->stiffness_before, now, sizeof now);
}

static void slow_bodies(const trn_exact_kick *kick)
{
    trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    const trn_exact_joint *joints = &it->joints[island->first_joint];
    const double most = kick->h * kick->h / TR_EXACT_STIFF_FROM;
    bool any = false;
    for (uint32_t b = 0; b < island->body_count; b++) {
        trn_exact_body *body = &it->bodies[island->first_body + b];
        take_lesser(kick, body);
        memcpy(body->turning, body->inertia, sizeof body->turning);
        trn_exact_slow(body, most);
        body->stiff = body->slowness < 1.0;
        body->ties = 0;
        any = any || body->stiff;
        if (body->stiff)
            begin_hanging(body);
    }
    if (!any)
        return;
    for (uint32_t j = 0; j < island->joint_count; j++)
        for (uint32_t b = 0; b < joints[j].body_count && holds_point(it, &joints[j]); b++)
            it->bodies[joints[j].body[b]].ties++;
    for (uint32_t j = 0; j < island->joint_count; j++)
        if (holds_point(it, &joints[j]))
            hang_joint(it, &joints[j]);
    for (uint32_t b = 0; b < island->body_count; b++) {
        trn_exact_body *body = &it->bodies[island->first_body + b];
        if (!body->stiff)
            continue;
        find_turning(body);
        trn_exact_slow(body, most);
    }
}

/* A change of the motion across a length, as impulses and forces make it, has that stiffness as an inertia, too, as far as it
   exceeds the mass that moves. */
static void slow_across(const trn_exact_kick *kick, const trn_exact_joint *joint)
{
    trn_exact *it = kick->step->exact;
    trn_exact_row *rows = &it->rows[joint->first_row];
    double sum = 0.0;
    uint32_t count = 0;
    for (uint32_t r = 0; r < joint->row_count; r++) {
        if (!rows[r].across)
            continue;
        rows[r].k = 0.0;
        rows[r].b = -rows[r].u;
        for (uint32_t b = 0; b < joint->body_count; b++) {
            const double *own = trn_exact_jacobian(it, joint, b)[r];
            double moved[TRN_DEGREES];
            trn_exact_respond(&it->bodies[joint->body[b]], own, moved);
            for (uint32_t i = 0; i < TRN_DEGREES; i++) {
                rows[r].k += own[i] * moved[i];
                rows[r].b -= own[i] * it->bodies[joint->body[b]].fall[i];
            }
        }
        sum += rows[r].k;
        count++;
    }
    for (uint32_t r = 0; r < joint->row_count; r++) {
        if (!rows[r].across)
            continue;
        rows[r].k = sum / count;
        const double more = kick->h * kick->h / TR_EXACT_STIFF_FROM * rows[r].stiff_now - 1.0 / rows[r].k;
        rows[r].off = !(more > 0.0 && more < INFINITY && isfinite(rows[r].b));
        rows[r].e[0] = 1.0 / more;
    }
}

/* Torques of the application act on all of a slowed body's inertia; they have been counted on its own. */
static void slow_torques(const trn_exact_kick *kick)
{
    const trn_bodies *bodies = kick->step->system->bodies;
    for (uint32_t b = 0; b < kick->island->body_count; b++) {
        trn_exact_body *body = &kick->step->exact->bodies[kick->island->first_body + b];
        double torque[TRN_DEGREES];
        if (!(body->slowness < 1.0))
            continue;
        trn_equation_put(torque, trn_widen((trn_vec){0}), trn_widen_spin(trn_body_torque(bodies, body->row)));
        for (uint32_t i = 0; i < TRN_SPINS; i++)
            body->fall[TRN_AXES + i] +=
                kick->time * (trn_equation_product(body->slow_inverse[i], torque + TRN_AXES, TRN_SPINS) -
                              trn_equation_product(body->inverse[i], torque + TRN_AXES, TRN_SPINS));
    }
}

void trn_exact_slow_down(const trn_exact_kick *kick)
{
    slow_bodies(kick);
    slow_torques(kick);
    for (uint32_t j = 0; j < kick->island->joint_count; j++)
        slow_across(kick, &kick->step->exact->joints[kick->island->first_joint + j]);
}
