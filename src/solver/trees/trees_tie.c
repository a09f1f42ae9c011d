/* The joints of trees: geometry, effective masses and impulses. */
#include "solver/trees/trees_tie.h"

#include <math.h>

#include "base/angle.h"

/* whether the row holds a point on an axis of A, whose direction across is `along` */
static bool has_axis(const tr2_trees_tie *tie)
{
    return tie->kind == TR_TIE_SLIDE || tie->kind == TR_TIE_LINE;
}

static void turn(double c, double s, const double v[2], double out[2])
{
    double x = c * v[0] - s * v[1];
    out[1] = s * v[0] + c * v[1];
    out[0] = x;
}

/* from a body's centre of mass to an anchor, in world axes */
static void arm_of(const tr2_bodies *bodies, uint32_t body, const double anchor[2], double out[2])
{
    tr_vec2 center = tr2_body_center(bodies, body);
    double from[2] = {anchor[0] - (double)center.x, anchor[1] - (double)center.y};
    turn((double)bodies->c[body], (double)bodies->s[body], from, out);
}

/* angleB - angleA - reference, not wrapped */
static double angle_of(const tr2_bodies *bodies, const tr2_joints *joints, uint32_t row, uint32_t a, uint32_t b)
{
    double turns = joints->turn != NULL ? (double)joints->turn[row] : 0.0;
    return bodies->angle[b] - bodies->angle[a] - turns * TR_TURN - number_of(joints, TR2_REFERENCE_ANGLE, row);
}

/* length and unit vector of d, which points to the near end; false: no direction. `unit`: m, the length unit */
static bool direct(const double d[2], double unit, double *length, double along[2])
{
    *length = sqrt(d[0] * d[0] + d[1] * d[1]);
    bool known = *length > 1e-9 * unit;
    along[0] = known ? d[0] / *length : 0.0;
    along[1] = known ? d[1] / *length : 0.0;
    return known;
}

/* reads impulses from the table (on B) as impulses on the near body */
static void take_impulses(tr2_trees_tie *tie, const tr2_joints *joints, double scale, double unit)
{
    double sign = tie->near_is_b ? scale : -scale, length;
    memset(tie->impulse, 0, sizeof tie->impulse);
    if (!tie->on)
        return;
    if (has_axis(tie)) {
        for (uint32_t i = 0; i < 2; i++)
            tie->impulse[i] = sign * (double)joints->impulse[0][tie->row] * tie->across[i];
        if (tie->kind == TR_TIE_SLIDE)
            tie->impulse[2] = sign * (double)joints->impulse[1][tie->row];
        return;
    }
    if (tie->kind != TR_TIE_LENGTH) {
        for (uint32_t i = 0; i < (tie->kind == TR_TIE_WELD ? 3u : 2u); i++)
            tie->impulse[i] = sign * (double)joints->impulse[i][tie->row];
        return;
    }
    double d[2] = {tie->apart[0] + (tie->near_arm[0] - tie->far_arm[0]),
                   tie->apart[1] + (tie->near_arm[1] - tie->far_arm[1])};
    (void)direct(d, unit, &length, tie->along);
    for (uint32_t i = 0; i < 2; i++)
        tie->impulse[i] = scale * (double)joints->impulse[0][tie->row] * tie->along[i];
}

void tr2_tie_prepare(const tr2_step *step, tr2_trees_tie *tie, uint32_t near, double scale)
{
    const tr2_bodies *bodies = step->system->bodies;
    const tr2_joints *joints = &step->system->joints[tie->type];
    uint32_t far = ((const uint32_t *)step->solver->body_of_state.data)[tie->far];
    double a[2], b[2];
    for (uint32_t i = 0; i < 2; i++) {
        a[i] = (double)joints->field[TR2_ANCHOR_A_X + i][tie->row];
        b[i] = (double)joints->field[TR2_ANCHOR_B_X + i][tie->row];
    }
    arm_of(bodies, near, tie->near_is_b ? b : a, tie->near_arm);
    arm_of(bodies, far, tie->near_is_b ? a : b, tie->far_arm);
    tie->apart[0] = bodies->center_x[near] - bodies->center_x[far];
    tie->apart[1] = bodies->center_y[near] - bodies->center_y[far];
    if (tr2_tie_holds_angle(tie->kind))
        tie->turned = tie->near_is_b ? angle_of(bodies, joints, tie->row, far, near)
                                     : -angle_of(bodies, joints, tie->row, near, far);
    if (has_axis(tie)) {
        uint32_t a_row = tie->near_is_b ? far : near;
        const double t[2] = {-number_of(joints, TR2_AXIS_Y, tie->row), number_of(joints, TR2_AXIS_X, tie->row)};
        turn((double)bodies->c[a_row], (double)bodies->s[a_row], t, tie->across);
        memcpy(tie->along, tie->across, sizeof tie->along);
    }
    if (tie->kind == TR_TIE_LENGTH) {
        bool near_moves = bodies->type[near] == TR_DYNAMIC, far_moves = bodies->type[far] == TR_DYNAMIC;
        float lighter = near_moves ? bodies->mass[near] : bodies->mass[far];
        tie->lighter = (double)(far_moves && bodies->mass[far] < lighter ? bodies->mass[far] : lighter);
        tie->length = number_of(joints, TR2_LENGTH, tie->row);
    }
    if (tie->turn != TR_NONE) {
        uint32_t a_row = tie->near_is_b ? far : near, b_row = tie->near_is_b ? near : far;
        tr2_turn_prepare(step, &step->solver->trees.turns[tie->turn], tie, a_row, b_row,
                         angle_of(bodies, joints, tie->row, a_row, b_row));
    }
    tie->on = joints->flags == NULL || (joints->flags[tie->row] & TR_JOINT_OFF) == 0;
    take_impulses(tie, joints, scale, (double)step->context.unit);
}

static void write_impulses(const tr2_step *step, const tr2_trees_tie *tie, const tr2_joints *joints)
{
    double on = tie->on ? 1.0 : 0.0, sign = tie->near_is_b ? on : -on;
    double along = tie->along[0] * tie->impulse[0] + tie->along[1] * tie->impulse[1];
    if (tie->kind == TR_TIE_LENGTH) {
        joints->impulse[0][tie->row] = (float)(on * along);
        return;
    }
    if (has_axis(tie)) {
        joints->impulse[0][tie->row] = (float)(sign * along);
        if (tie->kind == TR_TIE_SLIDE)
            joints->impulse[1][tie->row] = (float)(sign * tie->impulse[2]);
        return;
    }
    for (uint32_t i = 0; i < (tie->kind == TR_TIE_WELD ? 3u : 2u); i++)
        joints->impulse[i][tie->row] = (float)(sign * tie->impulse[i]);
    if (tie->turn != TR_NONE)
        tr2_turn_finish(&step->solver->trees.turns[tie->turn], joints, tie->row, tie->on);
}

void tr2_tie_finish(const tr2_step *step, const tr2_trees_tie *tie)
{
    const tr2_joints *joints = &step->system->joints[tie->type];
    write_impulses(step, tie, joints);
    for (uint32_t i = 0; i < tr2_joint_types[tie->type]->impulse_count; i++) {
        if (joints->impulse[i] != NULL)
            joints->impulse[i][tie->row] = tr2_kept_impulse(joints->impulse[i][tie->row]);
    }
}

/* restoring torques r . F of the joint's force F at r on both bodies, for impulses F h */
static void stiffen(tr2_trees_tie *tie)
{
    const double *f = tie->impulse, *near = tie->near_at, *far = tie->far_at;
    tie->near_stiff = near[0] * f[0] + near[1] * f[1];
    tie->far_stiff = -(far[0] * f[0] + far[1] * f[1]);
    /* the force on a line turns with A, and B's anchor stays: on A that is the opposite of a restoring torque */
    double *of_a = tie->near_is_b ? &tie->far_stiff : &tie->near_stiff;
    *of_a = tie->kind == TR_TIE_LINE ? -*of_a : *of_a;
}

/*
 * A length L with tension F along n changes direction when its ends move. That adds a restoring torque (r . n)^2 F / L
 * for rotation and a stiffness F / L for displacement across n. If the latter, h^2 F / L in a sub-step, exceeds half
 * the lighter mass, a chain of lengths oscillates too fast for sub-steps. The excess becomes a resistance to relative
 * motion across n, like an implicit step.
 */
static void stiffen_length(tr2_trees_tie *tie, const double near[2], const double far[2], double length, double h)
{
    const double *n = tie->along;
    double along = n[0] * tie->impulse[0] + n[1] * tie->impulse[1], pull = -along / length;
    double x = near[0] * n[0] + near[1] * n[1], y = far[0] * n[0] + far[1] * n[1];
    double drag = h * pull - 0.5 * tie->lighter;
    tie->near_stiff = x * along + pull * x * x;
    tie->far_stiff = -(y * along) + pull * y * y;
    tie->drag = drag > 0.0 ? drag : 0.0;
}

bool tr2_tie_place(const tr2_step *step, tr2_trees_tie *tie, uint32_t near)
{
    const tr2_body_pose *n = &step->context.poses[near], *f = &step->context.poses[tie->far];
    turn((double)n->c, (double)n->s, tie->near_arm, tie->near_at);
    turn((double)f->c, (double)f->s, tie->far_arm, tie->far_at);
    double inv_h = (double)step->context.inv_h, d[2], length = 0.0;
    d[0] = (tie->apart[0] + ((double)n->x - (double)f->x)) + (tie->near_at[0] - tie->far_at[0]);
    d[1] = (tie->apart[1] + ((double)n->y - (double)f->y)) + (tie->near_at[1] - tie->far_at[1]);
    const double near_own[2] = {tie->near_at[0], tie->near_at[1]}, far_own[2] = {tie->far_at[0], tie->far_at[1]};
    tie->rate[0] = d[0] * inv_h;
    tie->rate[1] = d[1] * inv_h;
    tie->rate[2] = 0.0;
    /* both ends act at B's anchor, so that angular momentum is conserved */
    for (uint32_t i = 0; i < 2; i++) {
        if (tie->near_is_b)
            tie->far_at[i] += d[i];
        else
            tie->near_at[i] -= d[i];
    }
    if (tie->kind == TR_TIE_LENGTH) {
        if (!direct(d, (double)step->context.unit, &length, tie->along))
            return false;
        tie->rate[0] = tie->along[0] * (length - tie->length) * inv_h;
        tie->rate[1] = tie->along[1] * (length - tie->length) * inv_h;
        stiffen_length(tie, near_own, far_own, length, (double)step->context.h);
        return is_sane_rate(step, tie->rate);
    }
    const tr2_body_velocity *v = step->context.velocities;
    double turned = (double)v[near].angle - (double)v[tie->far].angle;
    if (has_axis(tie)) {
        const tr2_body_pose *a = tie->near_is_b ? f : n;
        turn((double)a->c, (double)a->s, tie->across, tie->along);
        double off = (tie->along[0] * d[0] + tie->along[1] * d[1]) * inv_h;
        tie->rate[0] = tie->along[0] * off;
        tie->rate[1] = tie->along[1] * off;
    }
    if (tr2_tie_holds_angle(tie->kind))
        tie->rate[2] = (tie->turned + turned) * inv_h;
    if (tie->turn != TR_NONE) {
        tr2_trees_turn *it = &step->solver->trees.turns[tie->turn];
        double sign = tie->near_is_b ? 1.0 : -1.0;
        tie->rate[0] = d[0] * it->point_rate;
        tie->rate[1] = d[1] * it->point_rate;
        tie->rate[2] = tr2_turn_place(step, it, sign * turned, sign);
    }
    stiffen(tie);
    return is_sane_rate(step, tie->rate);
}

/* rigid along n, with compliance 1 / drag across it along t: (K + diag(0, 1 / d))^-1 */
static void invert_length(tr2_trees_tie *tie, const double k[6])
{
    const double n[2] = {tie->along[0], tie->along[1]}, t[2] = {-n[1], n[0]};
    double x = k[XX] * n[0] + k[XY] * n[1], y = k[XY] * n[0] + k[YY] * n[1];
    double nn = x * n[0] + y * n[1], nt = x * t[0] + y * t[1];
    double tt = (k[XX] * t[0] + k[XY] * t[1]) * t[0] + (k[XY] * t[0] + k[YY] * t[1]) * t[1];
    double across = 1.0 + tie->drag * tt, determinant = nn * across - tie->drag * nt * nt;
    double d = determinant > 0.0 ? 1.0 / determinant : 0.0;
    double snn = across * d, snt = -tie->drag * nt * d, stt = tie->drag * nn * d;
    tie->inverse[XX] = snn * n[0] * n[0] + 2.0 * snt * n[0] * t[0] + stt * t[0] * t[0];
    tie->inverse[XY] = snn * n[0] * n[1] + snt * (n[0] * t[1] + n[1] * t[0]) + stt * t[0] * t[1];
    tie->inverse[YY] = snn * n[1] * n[1] + 2.0 * snt * n[1] * t[1] + stt * t[1] * t[1];
}

/* rows along t, across the axis, and of the angle; t alone if nothing can rotate */
static void invert_slide(tr2_trees_tie *tie, const double k[6])
{
    const double *t = tie->along;
    double x = k[XX] * t[0] + k[XY] * t[1], y = k[XY] * t[0] + k[YY] * t[1];
    double tt = x * t[0] + y * t[1], tw = k[XW] * t[0] + k[YW] * t[1], ww = k[WW];
    bool turns = ww > 0.0;
    double left = turns ? tt - tw * (tw / ww) : tt, s = left > 0.0 ? 1.0 / left : 0.0;
    double st = turns ? -s * (tw / ww) : 0.0;
    tie->inverse[XX] = s * t[0] * t[0];
    tie->inverse[XY] = s * t[0] * t[1];
    tie->inverse[YY] = s * t[1] * t[1];
    tie->inverse[XW] = st * t[0];
    tie->inverse[YW] = st * t[1];
    tie->inverse[WW] = turns ? 1.0 / ww - st * (tw / ww) : 0.0;
}

/* a row along t, across the axis */
static void invert_line(tr2_trees_tie *tie, const double k[6])
{
    const double *t = tie->along;
    double tt = (k[XX] * t[0] + k[XY] * t[1]) * t[0] + (k[XY] * t[0] + k[YY] * t[1]) * t[1];
    double s = tt > 0.0 ? 1.0 / tt : 0.0;
    tie->inverse[XX] = s * t[0] * t[0];
    tie->inverse[XY] = s * t[0] * t[1];
    tie->inverse[YY] = s * t[1] * t[1];
}

/* a point with compliance, and a row of its angle if there is one */
static void invert_turn(tr2_trees_tie *tie, const tr2_trees_turn *turn, double k[6])
{
    const double *ii = turn->inverse_inertia, m = turn->inverse_mass, share = turn->point_share;
    const double *a = tie->near_is_b ? tie->far_at : tie->near_at, *b = tie->near_is_b ? tie->near_at : tie->far_at;
    k[XX] += turn->point_yields + share * (m + ii[0] * a[1] * a[1] + ii[1] * b[1] * b[1]);
    k[XY] -= share * (ii[0] * a[0] * a[1] + ii[1] * b[0] * b[1]);
    k[YY] += turn->point_yields + share * (m + ii[0] * a[0] * a[0] + ii[1] * b[0] * b[0]);
    k[WW] += tr2_turn_yields(turn);
    invert3(k, turn->row && k[WW] > 0.0, tie->inverse);
}

void tr2_tie_invert(tr2_trees_tie *tie, const tr2_trees_turn *turns, double k[6])
{
    if (tie->turn != TR_NONE)
        invert_turn(tie, &turns[tie->turn], k);
    else if (tie->kind == TR_TIE_WELD)
        invert3(k, k[WW] > 0.0, tie->inverse);
    else if (tie->kind == TR_TIE_LENGTH)
        invert_length(tie, k);
    else if (tie->kind == TR_TIE_SLIDE)
        invert_slide(tie, k);
    else if (tie->kind == TR_TIE_LINE)
        invert_line(tie, k);
    else
        invert2(k, tie->inverse);
}

void tr2_note_tie(const tr2_step *step, const tr2_trees_tie *tie, bool early)
{
    const tr2_watched *watched = &step->solver->watched;
    uint32_t word = tie->edge / 64;
    if (word >= watched->word_count || (watched->bits[word] >> tie->edge % 64 & 1u) == 0)
        return;
    /* the table has what the step ended with in the end: until then nothing reads it */
    tr2_tie_finish(step, tie);
    const tr2_joints *joints = &step->system->joints[tie->type];
    for (uint32_t i = 0; i < tr2_joint_types[tie->type]->impulse_count; i++)
        tr2_watched_add(watched, tie->edge, i, tr2_joint_impulse(joints, i, tie->row), early);
}
