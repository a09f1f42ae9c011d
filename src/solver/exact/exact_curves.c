/*
 * The curves along which bodies drift: by what the rates of held rows change on them. And what held rows gain by curves that
 * bodies cannot follow. Without curves they take: what part of these does neither lies between. Where rows become dependent it
 * is next to all, and less would lose much.
 */
#include <math.h>

#include "solver/exact/exact.h"

/* rad^2, of what a body turns in a sub-step */
static double turn_of(const trn_exact_kick *kick, const trn_exact_body *body)
{
    double v[TRN_DEGREES], square = 0.0;
    trn_exact_velocity(&kick->step->exact->state[body->row], v);
    for (uint32_t i = TRN_AXES; i < TRN_DEGREES; i++)
        square += kick->h * kick->h * v[i] * v[i];
    return square;
}

/* How much of its curve a body takes. */
static double curve_of(const trn_exact_kick *kick, const trn_exact_body *body)
{
    const double square = turn_of(kick, body);
    double share = body->slowness > TR_EXACT_SLOW_FROM ? 1.0 : body->slowness / TR_EXACT_SLOW_FROM;
    if (square > TR_EXACT_TURN_MOST * TR_EXACT_TURN_MOST)
        share *= TR_EXACT_TURN_MOST * TR_EXACT_TURN_MOST / square;
    return share;
}

/* of a joint, the least of its bodies */
static double share_of_curve(const trn_exact_kick *kick, const trn_exact_joint *joint)
{
    double share = 1.0, turn = 0.0;
    for (uint32_t b = 0; b < joint->body_count; b++)
        share = fmin(curve_of(kick, &kick->step->exact->bodies[joint->body[b]]), share);
    for (uint32_t r = 0; r < joint->row_count; r++) {
        const trn_exact_row *row = &kick->step->exact->rows[joint->first_row + r];
        if (!row->across)
            continue;
        if (!row->off)
            share = fmin(1.0 / (1.0 + row->k / row->e[0]) / TR_EXACT_SLOW_FROM, share);
        turn += kick->h * kick->h * row->speed * row->speed;
    }
    return turn > TR_EXACT_TURN_MOST * TR_EXACT_TURN_MOST ? share * (TR_EXACT_TURN_MOST * TR_EXACT_TURN_MOST) / turn
                                                          : share;
}

/* the second derivative of what a row keeps, of bodies free of torques */
static double bend_of(const trn_exact *it, const trn_exact_joint *joint, uint32_t r)
{
    double bend = it->rows[joint->first_row + r].bend;
    for (uint32_t b = 0; b < joint->body_count; b++)
        for (uint32_t i = 0; i < TRN_SPINS; i++)
            bend += trn_exact_jacobian(it, joint, b)[r][TRN_AXES + i] * it->bodies[joint->body[b]].gyration[i];
    return bend;
}

/* Nothing touches it; of an island without a border. */
bool trn_exact_is_untouched(const trn_exact *it, const trn_exact_island *island)
{
    bool touched = island->touch_count > 0;
    for (uint32_t j = 0; j < island->joint_count && !touched; j++)
        touched = it->joints[island->first_joint + j].type == TR_CONTACT;
    return !touched;
}

/* Whether held rows may do less work: in an island that nothing touches, without rods, and in which nothing
   is slowed down. */
bool trn_exact_mirrors(const trn_exact_kick *kick)
{
    const trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    bool mirrors = kick->untouched && kick->elapsed > 0.0;
    for (uint32_t b = 0; b < island->body_count && mirrors; b++)
        mirrors = !(it->bodies[island->first_body + b].slowness < TR_EXACT_SLOWED);
    for (uint32_t r = 0; r < island->row_count && mirrors; r++)
        mirrors = !it->rows[island->first_row + r].across;
    return mirrors;
}

/* Its bodies turn little. */
static bool moves_finely(const trn_exact_kick *kick, const trn_exact_joint *joint)
{
    bool finely = true;
    for (uint32_t b = 0; b < joint->body_count; b++)
        finely = finely && !(TR_EXACT_MIRROR_TURN * TR_EXACT_MIRROR_TURN <
                             turn_of(kick, &kick->step->exact->bodies[joint->body[b]]));
    return finely;
}

/* What b of a held row is along its bodies' curves, before these take their share. */
static double curve_rate(const trn_exact_kick *kick, const trn_exact_joint *joint, uint32_t r)
{
    const trn_exact_row *row = &kick->step->exact->rows[joint->first_row + r];
    const double curve = 0.5 * kick->h * bend_of(kick->step->exact, joint, r);
    if (!kick->worker->mirrored || row->gap < INFINITY || !moves_finely(kick, joint))
        return curve;
    const double most = TR_EXACT_MIRROR_MOST * fabs(curve);
    return curve + TR_EXACT_MIRRORED * fmax(fmin(row->u - curve, most), -most);
}

void trn_exact_bend_joint(const trn_exact_kick *kick, const trn_exact_joint *joint)
{
    trn_exact *it = kick->step->exact;
    const double share = share_of_curve(kick, joint);
    for (uint32_t r = 0; r < joint->row_count; r++) {
        trn_exact_row *row = &it->rows[joint->first_row + r];
        if (!(row->curved || row->inert) || row->off)
            continue;
        if (row->inert) {
            /* its speed is that in the middle of the drift; where bodies do not move along their curves, theirs */
            if (kick->elapsed > 0.0)
                row->speed = share * row->speed + (1.0 - share) * row->u;
            row->b = -row->speed;
        }
        if (row->inert)
            row->b += kick->last ? 0.0 : 0.5 * kick->h * share * bend_of(it, joint, r);
        else
            row->b += share * curve_rate(kick, joint, r);
    }
}

void trn_exact_bend(const trn_exact_kick *kick, double more)
{
    trn_exact *it = kick->step->exact;
    for (uint32_t j = 0; j < kick->island->joint_count; j++) {
        const trn_exact_joint *joint = &it->joints[kick->island->first_joint + j];
        const double share = more * share_of_curve(kick, joint);
        for (uint32_t r = 0; r < joint->row_count; r++) {
            trn_exact_row *row = &it->rows[joint->first_row + r];
            if (row->curved && !row->off)
                row->b += share * curve_rate(kick, joint, r);
        }
    }
}

/* What held rows gain, J; `moved`: what that is compared with, or infinite if nothing that is slowed down turns much.
   With the mean of the velocities before and after, a row's work is its impulse times that of its rate; and a body that
   is slowed down loses less, or gets less, than rows do. */
static double gain_by_curves(const trn_exact_kick *kick, double *moved)
{
    const trn_exact *it = kick->step->exact;
    double gain = 0.0, all = 0.0;
    bool slow = false;
    for (uint32_t b = 0; b < kick->island->body_count; b++) {
        const trn_exact_body *body = &it->bodies[kick->island->first_body + b];
        double mean[TRN_DEGREES], by[TRN_DEGREES], own = 0.0, rest = 0.0, turn = 0.0;
        trn_exact_velocity(&it->state[body->row], mean);
        for (uint32_t i = TRN_AXES; i < TRN_DEGREES; i++)
            turn += kick->h * kick->h * mean[i] * mean[i];
        for (uint32_t i = 0; i < TRN_DEGREES; i++) {
            mean[i] += 0.5 * body->change[i];
            by[i] = body->change[i] - body->fall[i];
        }
        for (uint32_t i = 0; i < TRN_AXES; i++) {
            own += body->mass * mean[i] * by[i];
            rest += body->mass * mean[i] * mean[i];
        }
        for (uint32_t i = 0; i < TRN_SPINS; i++)
            for (uint32_t k = 0; k < TRN_SPINS; k++) {
                const double work = mean[TRN_AXES + i] * by[TRN_AXES + k];
                own += body->inertia[i][k] * work;
                rest += body->inertia[i][k] * mean[TRN_AXES + i] * mean[TRN_AXES + k];
                gain += (body->inertia[i][k] - body->slow[i][k]) * work;
            }
        all += fabs(own) + 0.5 * TR_EXACT_GAIN_REST * rest;
        slow = slow || (body->slowness < TR_EXACT_SLOWED && turn > TR_EXACT_WHIPS * TR_EXACT_WHIPS);
    }
    for (uint32_t r = 0; r < kick->island->row_count && !slow; r++) {
        const trn_exact_row *row = &it->rows[kick->island->first_row + r];
        slow = row->across && kick->h * fabs(row->speed) > (row->off ? TR_EXACT_TURN_MOST : TR_EXACT_WHIPS);
    }
    for (uint32_t r = 0; r < kick->island->row_count && slow; r++) {
        const trn_exact_row *row = &it->rows[kick->island->first_row + r];
        if ((row->curved || row->across) && !(row->gap < INFINITY) && row->state == TR_EXACT_HELD && !row->off)
            gain += 0.5 * row->lambda * (row->u - row->b - row->e[row->at] * row->lambda);
    }
    *moved = slow ? all : INFINITY;
    return gain;
}

double trn_exact_gain(const trn_exact_kick *kick)
{
    double moved;
    const double gain = kick->last ? 0.0 : gain_by_curves(kick, &moved);
    return !kick->last && gain > TR_EXACT_GAIN_MOST * moved ? gain : 0.0;
}

double trn_exact_loss(const trn_exact_kick *kick)
{
    double moved;
    return -gain_by_curves(kick, &moved);
}
