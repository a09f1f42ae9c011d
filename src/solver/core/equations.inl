/*
 * Functions for the types' equations, once for both dimensions. A row of a point or direction is seen from a frame that
 * rotates with A: then both ends of its force act at B's anchor, as in the kernels.
 *
 * With d from anchor A to anchor B, and u = d' - wA x d its rate in that frame, the rate of n . d for a direction n
 * fixed in A is n . u = J v, and
 *
 *   n . u' = J a + n . (wB x (wB x rB) - wA x (wA x rA) - 2 wA x d' + wA x (wA x d))
 *
 * The last term is dJ/dt v.
 */
#include <math.h>

#include "solver/core/equations.h"

/* anchor B as seen from A */
typedef struct view {
    trn_dvec arm;  /* from A's centre of mass to anchor B */
    trn_dvec rb;   /* from B's to it */
    trn_dvec d;    /* between the anchors */
    trn_dvec rate; /* of d, in the frame that rotates with A */
    trn_dvec bend; /* dJ/dt v of the rows along the world's axes */
} view;

static view view_of(trn_dspin wa, trn_dspin wb, trn_dvec ra, trn_dvec rb, trn_dvec d, trn_dvec d_rate)
{
    view v = {.arm = trn_plus(ra, d), .rb = rb, .d = d, .rate = trn_minus(d_rate, trn_whirl(wa, d))};
    trn_dvec centripetal = trn_minus(trn_whirl(wb, trn_whirl(wb, rb)), trn_whirl(wa, trn_whirl(wa, ra)));
    trn_dvec turning = trn_minus(trn_whirl(wa, trn_whirl(wa, d)), trn_times(2.0, trn_whirl(wa, d_rate)));
    v.bend = trn_plus(centripetal, turning);
    return v;
}

static view view_of_pose(const trn_joint_pose *pose)
{
    return view_of(pose->w_a, trn_pose_spin_b(pose), pose->r_a, pose->r_b, pose->d, pose->d_rate);
}

/* a row that is nothing yet */
static trn_equation equation_empty(void)
{
    return (trn_equation){.least = -INFINITY, .most = INFINITY, .block = 1, .column = -1};
}

/* n . d between the bodies at two ends of the joint; n, of any length, is fixed in the first */
static trn_equation equation_between(const view *v, uint32_t first, uint32_t second, trn_dvec n)
{
    trn_equation row = equation_empty();
    trn_equation_put(row.j[first], trn_times(-1.0, n), trn_moment(n, v->arm));
    trn_equation_put(row.j[second], n, trn_moment(v->rb, n));
    row.value = measure_dot(n, v->d);
    row.rate = measure_dot(n, v->rate);
    row.bend = measure_dot(n, v->bend);
    row.linear = true;
    return row;
}

static trn_equation equation_along(const view *v, trn_dvec n)
{
    return equation_between(v, 0, 1, n);
}

/* |d|, along the direction n of d. In any frame, |d|'' = n . d'' + (|d'|^2 - (n . d')^2)/|d|. */
static trn_equation equation_length(const view *v, uint32_t first, uint32_t second, trn_dvec fallback, double *length)
{
    *length = measure_length(v->d);
    trn_dvec n = *length > 0.0 ? trn_over(v->d, *length) : fallback;
    trn_equation row = equation_between(v, first, second, n);
    if (*length > 0.0)
        row.bend += (measure_dot(v->rate, v->rate) - row.rate * row.rate) / *length;
    row.value = *length;
    return row;
}

/* times `k`, as of a ratio */
static trn_equation equation_scaled(trn_equation row, double k)
{
    for (uint32_t end = 0; end < TR_ENDS; end++)
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            row.j[end][i] *= k;
    row.value *= k;
    row.rate *= k;
    row.bend *= k;
    return row;
}

/* both at once, as of two sides of a ratio */
static trn_equation equation_sum(trn_equation a, trn_equation b)
{
    for (uint32_t end = 0; end < TR_ENDS; end++)
        for (uint32_t i = 0; i < TRN_DEGREES; i++)
            a.j[end][i] += b.j[end][i];
    a.value += b.value;
    a.rate += b.rate;
    a.bend += b.bend;
    a.linear = a.linear || b.linear;
    return a;
}

static void equations_add(trn_equations *out, trn_equation row)
{
    out->row[out->count++] = row;
}

/* a row of which `value` is the error */
static void equations_hold(trn_equations *out, trn_equation row, tr_softness softness, int32_t column)
{
    row.softness = softness;
    row.column = column;
    equations_add(out, row);
}

/* the last `count` rows belong together */
static void equations_block(trn_equations *out, uint32_t count, trn_relative relative)
{
    uint32_t first = out->count - count;
    for (uint32_t i = first; i < out->count; i++)
        out->row[i].block = 0;
    out->row[first].block = count;
    out->row[first].relative = relative;
}

/* the three or two rows of a point, in columns from `column` on */
static void equations_point(trn_equations *out, const view *v, tr_softness softness, trn_relative relative,
                            int32_t column)
{
    trn_dvec axis[TRN_AXES];
    trn_equation_axes(axis);
    for (uint32_t i = 0; i < TRN_AXES; i++)
        equations_hold(out, equation_along(v, axis[i]), softness, column + (int32_t)i);
    equations_block(out, TRN_AXES, relative);
}

/* the rows from `first` on are of one coordinate */
static void equations_join(trn_equations *out, uint32_t first)
{
    for (uint32_t i = first + 1; i < out->count; i++)
        out->row[i].joined = true;
}

static trn_equation equation_driven(trn_equation row, double speed, double most)
{
    row.kind = TR_EQUATION_MOTOR;
    row.speed = speed;
    row.most = most;
    row.least = -most;
    return row;
}

static void equations_motor(trn_equations *out, trn_equation row, const tr_motor *motor, int32_t column)
{
    if (!motor->enable || motor->maximum == 0.0f)
        return;
    row = equation_driven(row, (double)motor->speed, (double)motor->maximum);
    row.part = TR_PART_MOTOR;
    equations_hold(out, row, tr_rigid(), column);
}

static void equations_upper(trn_equations *out, trn_equation row, double upper, int32_t column)
{
    row = equation_scaled(row, -1.0);
    row.value += upper;
    row.kind = TR_EQUATION_STOP;
    row.part = TR_PART_UPPER;
    row.turned = true;
    row.column = column;
    row.least = 0.0;
    equations_add(out, row);
}

/* stops at both ends, in two columns; at most one of them is near unless they are at the same place, which holds both */
static void equations_limit(trn_equations *out, trn_equation row, const tr_limit *limit, int32_t column)
{
    if (!limit->enable)
        return;
    const uint32_t first = out->count;
    trn_equation lower = row;
    lower.value -= (double)limit->lower;
    lower.kind = TR_EQUATION_STOP;
    lower.part = TR_PART_LOWER;
    lower.column = column;
    lower.least = 0.0;
    equations_add(out, lower);
    equations_upper(out, row, (double)limit->upper, column + 1);
    equations_join(out, first);
}

static trn_equation equation_rubbing(trn_equation row, float most)
{
    row.kind = TR_EQUATION_FRICTION;
    row.most = (double)most;
    row.least = -row.most;
    return row;
}

static void equations_friction(trn_equations *out, trn_equation row, float most, int32_t column)
{
    if (most == 0.0f)
        return;
    out->incomplete = true;
    equations_hold(out, equation_rubbing(row, most), tr_rigid(), column);
}

/* the rows from `first` on become a block that rubs */
static void equations_rub(trn_equations *out, uint32_t first, float most)
{
    out->incomplete = true;
    for (uint32_t i = first; i < out->count; i++)
        out->row[i] = equation_rubbing(out->row[i], most);
}

/* spring_force: both 0 is unbounded */
static trn_equation equation_sprung(trn_equation row, const tr_force_range *range)
{
    row.part = TR_PART_SPRING;
    if (range->lower < 0.0f || range->upper > 0.0f) {
        row.least = (double)range->lower;
        row.most = (double)range->upper;
    }
    return row;
}

static void equations_spring(trn_equations *out, trn_equation row, const trn_joint_def *def, int32_t column)
{
    if (!def->spring.enable)
        return;
    row = equation_sprung(row, &def->spring_force);
    row.value -= (double)def->spring.target;
    equations_hold(out, row, def->spring.softness, column);
}

/* all features of a free coordinate, in five columns: spring, motor, lower and upper stop, friction */
static void equations_free(trn_equations *out, trn_equation row, const trn_joint_def *def, int32_t column)
{
    const uint32_t first = out->count;
    equations_spring(out, row, def, column);
    equations_motor(out, row, &def->motor, column + 1);
    equations_limit(out, row, &def->limit, column + 2);
    equations_friction(out, row, def->friction, column + 4);
    equations_join(out, first);
}

/* Across what is along d, of this length: with a direction that does not turn by itself. */
static void equations_across(trn_equations *out, const view *v, trn_dvec n, double length)
{
    trn_dvec side[TRN_AXES - 1];
    trn_equation_sides(n, side);
    for (uint32_t i = 0; i < TRN_AXES - 1; i++) {
        trn_equation row = equation_along(v, side[i]);
        row.kind = TR_EQUATION_ACROSS;
        row.value = length;
        equations_add(out, row);
    }
}

/* a rod or spring; `axis`: the direction where there is no length */
static void equations_distance(trn_equations *out, const trn_joint_def *def, const trn_joint_pose *pose, trn_dvec axis)
{
    view v = view_of_pose(pose);
    const uint32_t first = out->count;
    double length;
    trn_equation row = equation_length(&v, 0, 1, axis, &length);
    trn_equation rod = row;
    if (!softness_is_rigid(def->linear))
        rod = equation_sprung(rod, &def->spring_force);
    rod.value -= (double)def->length;
    equations_hold(out, rod, def->linear, 0);
    equations_motor(out, row, &def->motor, 1);
    equations_limit(out, row, &def->limit, 2);
    equations_friction(out, row, def->friction, 4);
    equations_join(out, first);
    if (out->count > first)
        equations_across(out, &v, trn_equation_linear(row.j[1]), length);
}
