/*
 * The joints of trees: what connects a body to its parent or to one that does not move. Both ends of an impulse act at
 * one point, so the effective mass of every joint is a symmetric 3 x 3 matrix there, over forces along x and y and a
 * torque. For a point, the torque's part is 0; for a length, all but the part along it; for a slide, all parts with a
 * force along its axis.
 */
#ifndef TR_SOLVER_TREES_TIE_H
#define TR_SOLVER_TREES_TIE_H

#include <math.h>
#include <string.h>

#include "solver/core/solver_internal.h"

/* Compliance of a body that does not move, relative to that of the other body. The equations contain its inverse,
   and their difference the square of it: with 1e-9, no digits of a double would be left if a pinned body hangs from
   one side. A force F on a mass m causes an error of 1e-5 F h^2 / m for one sub-step, which is corrected in the
   next. */
#define TR2_PIN_COMPLIANCE 1e-5

/* components of symmetric matrices over (x, y, angle) */
enum { XX, XY, YY, XW, YW, WW };

/* Reads the geometry at the start of the step and the last impulses, times `scale`. `near`: table row of the near
   body. */
void tr2_tie_prepare(const tr2_step *step, tr2_trees_tie *tie, uint32_t near, double scale);
/* Writes the impulses to the table. */
void tr2_tie_finish(const tr2_step *step, const tr2_trees_tie *tie);
/* Computes the current geometry, with the error over h as rate. `near`: state row. False: the direction is
   undefined, or the ends are too far apart to be brought together at a sane speed. */
bool tr2_tie_place(const tr2_step *step, tr2_trees_tie *tie, uint32_t near);
/* Computes the effective mass from the change of the joint's rate per impulse, J W J^T, over all three components;
   changes k. */
void tr2_tie_invert(tr2_trees_tie *tie, const tr2_trees_turn *turns, double k[6]);

/* Features of free angles (trees_turn.c). `sign`: 1 if the near body is B, else -1. */
/* Reads parameters and impulses from the table; `a`, `b`: table rows of the bodies, `angle`: B's minus A's at the
   start of the step. */
void tr2_turn_prepare(const tr2_step *step, tr2_trees_turn *turn, const tr2_trees_tie *tie, uint32_t a, uint32_t b,
                      double angle);
/* Determines the row for an angle that has changed by `turned`, and returns its rate, as in tr2_trees_tie.rate. */
double tr2_turn_place(const tr2_step *step, tr2_trees_turn *turn, double turned, double sign);
/* Whether the row corrects a violated limit. */
bool tr2_turn_pushes(const tr2_trees_turn *turn);
/* Lets a violated limit keep its rate from the next placing on, unless it does or this rate (of B relative to A) closes
   it as fast; returns whether. */
bool tr2_turn_take_over(tr2_trees_turn *turn, double rate);
/* Whether the row corrects a violated limit that had no impulse in the solution, but has taken over. */
bool tr2_turn_takes_over(const tr2_trees_turn *turn);
/* The rate that a limit keeps, as in tr2_trees_tie.rate; 0 if none does. */
double tr2_turn_limit_rate(const tr2_trees_turn *turn, double sign);
/* Takes an impulse on B out of that of the feature that keeps its rate. */
void tr2_turn_leave(tr2_trees_turn *turn, double impulse);
/* The compliance of the row, rad/s per N m s. */
double tr2_turn_yields(const tr2_trees_turn *turn);
/* Moves a feature to a bound if its own impulse cannot change this rate (of B relative to A) to its own. */
void tr2_turn_let_go(tr2_trees_turn *turn, double rate);
/* Given the resulting rate of B relative to A and the row's impulse on B: returns whether other features must keep
   their rate now. */
bool tr2_turn_settle(tr2_trees_turn *turn, double rate, double impulse);
void tr2_turn_finish(const tr2_trees_turn *turn, const tr2_joints *joints, uint32_t row, bool on);

/* a number of a joint's definition */
static inline double number_of(const tr2_joints *joints, tr2_field field, uint32_t row)
{
    uint32_t bits = tr2_joint_cell(joints, field, row);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* whether a velocity or a required rate is possible in a sub-step; false for NaN */
static inline bool is_sane_rate(const tr2_step *step, const double rate[3])
{
    const double most = (double)tr2_sane_speed(&step->context);
    return fabs(rate[0]) <= most && fabs(rate[1]) <= most &&
           fabs(rate[2]) * (double)step->context.h <= (double)TR_SANE_TURN;
}

/* velocity of a state row */
static inline void read_motion(const tr2_step *step, uint32_t state, double out[3])
{
    const tr2_body_velocity *v = &step->context.velocities[state];
    out[0] = (double)v->x;
    out[1] = (double)v->y;
    out[2] = (double)v->w;
}

/* sets the velocity of a node's body, and of its copies if it is split */
static inline void write_motion(const tr2_step *step, const tr2_trees_node *node)
{
    tr2_body_velocity *v = &step->context.velocities[node->state];
    v->x = (float)node->motion[0];
    v->y = (float)node->motion[1];
    v->w = (float)node->motion[2];
    for (uint32_t c = node->first_copy; c < node->first_copy + node->copies; c++)
        step->context.velocities[c] = *v;
}

/* velocity at r of a body with velocity v */
static inline void rate_at(const double r[2], const double v[3], double out[3])
{
    out[0] = v[0] - v[2] * r[1];
    out[1] = v[1] + v[2] * r[0];
    out[2] = v[2];
}

static inline void times(const double m[6], const double v[3], double out[3])
{
    out[0] = m[XX] * v[0] + m[XY] * v[1] + m[XW] * v[2];
    out[1] = m[XY] * v[0] + m[YY] * v[1] + m[YW] * v[2];
    out[2] = m[XW] * v[0] + m[YW] * v[1] + m[WW] * v[2];
}

/* the impulse at a joint that changes its rate by `change` */
static inline void tie_impulse(const tr2_trees_tie *tie, const double change[3], double out[3])
{
    const double *s = tie->inverse;
    out[0] = s[XX] * change[0] + s[XY] * change[1];
    out[1] = s[XY] * change[0] + s[YY] * change[1];
    out[2] = 0.0;
    if (!tie->flat)
        times(s, change, out);
}

/* v += m J^T l, for an impulse l at r */
static inline void push(const double m[6], const double r[2], const double l[3], double v[3])
{
    const double impulse[3] = {l[0], l[1], r[0] * l[1] - r[1] * l[0] + l[2]};
    double change[3];
    times(m, impulse, change);
    for (int i = 0; i < 3; i++)
        v[i] += change[i];
}

/* J m J^T, for rates at r */
static inline void shift(const double m[6], const double r[2], double out[6])
{
    double x = m[XW] - r[1] * m[WW], y = m[YW] + r[0] * m[WW];
    out[XX] = m[XX] - r[1] * m[XW] - r[1] * x;
    out[XY] = m[XY] - r[1] * m[YW] + r[0] * x;
    out[YY] = m[YY] + r[0] * m[YW] + r[0] * y;
    out[XW] = x;
    out[YW] = y;
    out[WW] = m[WW];
}

/* symmetric inverse of the first two rows; 0 if singular */
static inline void invert2(const double m[3], double out[3])
{
    double determinant = m[XX] * m[YY] - m[XY] * m[XY];
    double d = determinant > 0.0 ? 1.0 / determinant : 0.0;
    out[XX] = m[YY] * d;
    out[XY] = -m[XY] * d;
    out[YY] = m[XX] * d;
}

/* symmetric inverse by blocks: first the translation, then the Schur complement of the rotation */
static inline void invert3(const double m[6], bool turns, double out[6])
{
    double shifts[3];
    invert2(m, shifts);
    memcpy(out, shifts, sizeof shifts);
    out[XW] = out[YW] = out[WW] = 0.0;
    if (!turns)
        return;
    double x = shifts[XX] * m[XW] + shifts[XY] * m[YW], y = shifts[XY] * m[XW] + shifts[YY] * m[YW];
    double left = m[WW] - (m[XW] * x + m[YW] * y);
    out[WW] = left > 0.0 ? 1.0 / left : 0.0;
    out[XW] = -x * out[WW];
    out[YW] = -y * out[WW];
    out[XX] -= x * out[XW];
    out[XY] -= x * out[YW];
    out[YY] -= y * out[YW];
}

/* adds a joint with effective mass s at r and required rate u: J^T s J and J^T s u; `flat`: s has no torque part */
static inline void load_at(tr2_trees_load *load, const double r[2], const double s[6], const double u[3], bool flat)
{
    double x = -r[1] * s[XX] + r[0] * s[XY], y = -r[1] * s[XY] + r[0] * s[YY];
    double impulse[3] = {s[XX] * u[0] + s[XY] * u[1], s[XY] * u[0] + s[YY] * u[1], 0.0};
    double xw = x, yw = y, ww = -r[1] * x + r[0] * y;
    if (!flat) {
        times(s, u, impulse);
        xw += s[XW];
        yw += s[YW];
        ww += 2.0 * (r[0] * s[YW] - r[1] * s[XW]) + s[WW];
    }
    load->mass[XX] += s[XX];
    load->mass[XY] += s[XY];
    load->mass[YY] += s[YY];
    load->mass[XW] += xw;
    load->mass[YW] += yw;
    load->mass[WW] += ww;
    load->impulse[0] += impulse[0];
    load->impulse[1] += impulse[1];
    load->impulse[2] += r[0] * impulse[1] - r[1] * impulse[0] + impulse[2];
}

#endif
