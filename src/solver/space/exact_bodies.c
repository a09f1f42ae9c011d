/* Bodies in space in the direct method. */
#include <math.h>
#include <string.h>

#include "base/trigonometry.h"
#include "solver/exact/lanes/exact_lanes.h"
#include "solver/space/exact_bodies.h"

static tr3_dquat principal_of(const tr3_bodies *bodies, uint32_t row, const tr3_body_state *state)
{
    if (!tr3_body_is_tilted(bodies, row))
        return state->rotation;
    return tr3_normalised(tr3_compose(state->rotation, tr3_widen_quat(tr3_body_frame_rotation(bodies, row))));
}

static void set_principal(const tr3_bodies *bodies, uint32_t row, tr3_body_state *state, tr3_dquat q)
{
    if (tr3_body_is_tilted(bodies, row))
        q = tr3_compose(q, tr3_conjugate(tr3_widen_quat(tr3_body_frame_rotation(bodies, row))));
    state->rotation = tr3_normalised(q);
}

void tr3_exact_state_read(const tr3_bodies *bodies, uint32_t row, bool known, tr3_body_state *state)
{
    (void)known;
    tr3_body_state now = tr3_body_state_of(bodies, row);
    const tr_dvec3 none = {0.0, 0.0, 0.0};
    if (bodies->type[row] == TR_STATIC || (bodies->flags[row] & TR_BODY_QUARANTINED) != 0) {
        now.velocity = now.w = none;
    } else if (bodies->velocity_x_low != NULL) {
        const tr_vec3 low = {bodies->velocity_x_low[row], bodies->velocity_y_low[row], bodies->velocity_z_low[row]};
        const tr_vec3 spin = {bodies->angular_velocity_x_low[row], bodies->angular_velocity_y_low[row],
                              bodies->angular_velocity_z_low[row]};
        now.velocity = tr3_plus(now.velocity, tr3_widen(low));
        now.w = tr3_plus(now.w, tr3_widen(spin));
    }
    if (bodies->rotation_x_low != NULL) {
        tr3_dquat q = tr3_widen_quat(tr3_body_principal_rotation(bodies, row));
        q.x += (double)bodies->rotation_x_low[row];
        q.y += (double)bodies->rotation_y_low[row];
        q.z += (double)bodies->rotation_z_low[row];
        q.w += (double)bodies->rotation_w_low[row];
        set_principal(bodies, row, &now, q);
    }
    *state = now;
}

void tr3_exact_state_write(tr3_bodies *bodies, uint32_t row, const tr3_body_state *state, tr3_motion *motions)
{
    (void)motions;
    tr3_body_write_mass_center(bodies, row, state->center);
    tr3_body_write_velocity(bodies, row, tr3_narrow(state->velocity), tr3_narrow(state->w));
    bodies->velocity_x_low[row] = (float)(state->velocity.x - (double)bodies->velocity_x[row]);
    bodies->velocity_y_low[row] = (float)(state->velocity.y - (double)bodies->velocity_y[row]);
    bodies->velocity_z_low[row] = (float)(state->velocity.z - (double)bodies->velocity_z[row]);
    bodies->angular_velocity_x_low[row] = (float)(state->w.x - (double)bodies->angular_velocity_x[row]);
    bodies->angular_velocity_y_low[row] = (float)(state->w.y - (double)bodies->angular_velocity_y[row]);
    bodies->angular_velocity_z_low[row] = (float)(state->w.z - (double)bodies->angular_velocity_z[row]);
    const tr3_dquat q = principal_of(bodies, row, state);
    const tr_quat high = tr3_narrow_quat(q);
    bodies->rotation_x[row] = high.x;
    bodies->rotation_y[row] = high.y;
    bodies->rotation_z[row] = high.z;
    bodies->rotation_w[row] = high.w;
    bodies->rotation_x_low[row] = (float)(q.x - (double)high.x);
    bodies->rotation_y_low[row] = (float)(q.y - (double)high.y);
    bodies->rotation_z_low[row] = (float)(q.z - (double)high.z);
    bodies->rotation_w_low[row] = (float)(q.w - (double)high.w);
}

void tr3_exact_velocity(const tr3_body_state *state, double out[TR3_DEGREES])
{
    tr3_equation_put(out, state->velocity, state->w);
}

void tr3_exact_set_velocity(tr3_body_state *state, const double v[TR3_DEGREES])
{
    state->velocity = tr3_equation_linear(v);
    state->w = tr3_equation_angular(v);
}

void tr3_exact_center(const tr3_body_state *state, double out[3])
{
    out[0] = state->center.x;
    out[1] = state->center.y;
    out[2] = state->center.z;
}

void tr3_exact_set_center(tr3_body_state *state, const double center[3])
{
    state->center = (tr_dvec3){center[0], center[1], center[2]};
}

/* R diag(moments) R^T */
static void turned_tensor(tr3_dquat q, const double moments[3], double out[3][3])
{
    const tr_dvec3 x = tr3_turned(q, (tr_dvec3){1.0, 0.0, 0.0}), y = tr3_turned(q, (tr_dvec3){0.0, 1.0, 0.0}),
                   z = tr3_turned(q, (tr_dvec3){0.0, 0.0, 1.0});
    const double column[3][3] = {{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++)
            out[i][k] = out[k][i] = moments[0] * column[0][i] * column[0][k] +
                                    moments[1] * column[1][i] * column[1][k] + moments[2] * column[2][i] * column[2][k];
}

static tr_dvec3 times(double t[3][3], tr_dvec3 v)
{
    return (tr_dvec3){t[0][0] * v.x + t[0][1] * v.y + t[0][2] * v.z, t[1][0] * v.x + t[1][1] * v.y + t[1][2] * v.z,
                      t[2][0] * v.x + t[2][1] * v.y + t[2][2] * v.z};
}

void tr3_exact_inertia(const tr3_bodies *bodies, const tr3_body_state *state, tr3_exact_body *body)
{
    const uint32_t row = body->row;
    memset(body->inertia, 0, sizeof body->inertia);
    memset(body->inverse, 0, sizeof body->inverse);
    memset(body->gyration, 0, sizeof body->gyration);
    body->turns = tr3_body_turns(bodies, row);
    if (!body->turns) {
        for (int i = 0; i < 3; i++)
            body->inertia[i][i] = 1.0;
        return;
    }
    const double moments[3] = {(double)bodies->inertia_x[row], (double)bodies->inertia_y[row],
                               (double)bodies->inertia_z[row]};
    const double inverse[3] = {1.0 / moments[0], 1.0 / moments[1], 1.0 / moments[2]};
    const tr3_dquat q = principal_of(bodies, row, state);
    turned_tensor(q, moments, body->inertia);
    turned_tensor(q, inverse, body->inverse);
    const tr_dvec3 free = times(body->inverse, tr3_cross(state->w, times(body->inertia, state->w)));
    body->gyration[0] = -free.x;
    body->gyration[1] = -free.y;
    body->gyration[2] = -free.z;
}

/* A turn by a small vector t changes the arm by t x r, and the torque of the force by (t x r) x F. */
void tr3_exact_stiffen(tr3_exact_body *body, tr_dvec3 arm, tr_dvec3 force)
{
    const double r[3] = {arm.x, arm.y, arm.z}, f[3] = {force.x, force.y, force.z};
    const double along = tr3_dot(arm, force);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            body->stiffness[i][k] += (i == k ? along : 0.0) - 0.5 * (r[i] * f[k] + r[k] * f[i]);
}

static void invert(double a[3][3], double out[3][3])
{
    const double c00 = a[1][1] * a[2][2] - a[1][2] * a[2][1], c01 = a[1][2] * a[2][0] - a[1][0] * a[2][2],
                 c02 = a[1][0] * a[2][1] - a[1][1] * a[2][0];
    const double det = a[0][0] * c00 + a[0][1] * c01 + a[0][2] * c02;
    out[0][0] = c00 / det;
    out[0][1] = out[1][0] = c01 / det;
    out[0][2] = out[2][0] = c02 / det;
    out[1][1] = (a[0][0] * a[2][2] - a[0][2] * a[2][0]) / det;
    out[1][2] = out[2][1] = (a[0][1] * a[2][0] - a[0][0] * a[2][1]) / det;
    out[2][2] = (a[0][0] * a[1][1] - a[0][1] * a[1][0]) / det;
}

/* Adds the positive part of a symmetric matrix, by Jacobi's rotations in a fixed order. */
static void add_positive(double a[3][3], double out[3][3])
{
    double v[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int sweep = 0; sweep < 8; sweep++) {
        for (int pair = 0; pair < 3; pair++) {
            const int p = pair == 2 ? 1 : 0, q = pair == 0 ? 1 : 2;
            /* below rounding, 0 too */
            if (fabs(a[p][q]) <= 1e-17 * (fabs(a[p][p]) + fabs(a[q][q])))
                continue;
            const double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
            const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
            const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
            for (int i = 0; i < 3; i++) {
                const double ap = a[i][p], aq = a[i][q];
                a[i][p] = c * ap - s * aq;
                a[i][q] = s * ap + c * aq;
            }
            for (int i = 0; i < 3; i++) {
                const double ap = a[p][i], aq = a[q][i];
                a[p][i] = c * ap - s * aq;
                a[q][i] = s * ap + c * aq;
            }
            for (int i = 0; i < 3; i++) {
                const double vp = v[i][p], vq = v[i][q];
                v[i][p] = c * vp - s * vq;
                v[i][q] = s * vp + c * vq;
            }
        }
    }
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 3 && a[e][e] > 0.0; i++)
            for (int k = 0; k < 3; k++)
                out[i][k] += a[e][e] * v[i][e] * v[k][e];
}

void tr3_exact_slow(tr3_exact_body *body, double most)
{
    double more[3][3], faster[3][3], size = 0.0, trace = 0.0, slow = 0.0;
    memcpy(body->slow, body->inertia, sizeof body->slow);
    memcpy(body->slow_inverse, body->inverse, sizeof body->slow_inverse);
    body->slowness = 1.0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            more[i][k] = most * body->stiffness[i][k];
            size += more[i][k] * more[i][k];
        }
        trace += body->inverse[i][i];
    }
    /* no direction is stiffer than this norm, nor has less inertia than that of the inverse says */
    if (!body->turns || !(size < INFINITY) || !(sqrt(size) * trace > 1.0))
        return;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            more[i][k] -= body->turning[i][k];
    add_positive(more, body->slow);
    invert(body->slow, body->slow_inverse);
    /* 1 + the sum of what the principal directions have more, relative to what they have */
    invert(body->turning, faster);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            slow += (body->turning[i][k] + (body->slow[i][k] - body->inertia[i][k])) * faster[i][k];
    body->slowness = slow > 3.0 ? 1.0 / (slow - 2.0) : 1.0;
}

void tr3_exact_rest(const tr3_joint_def *def, double turn, tr3_joint_pose *out)
{
    memset(out, 0, sizeof *out);
    out->relative.w = out->to_world.w = 1.0;
    out->axis = out->axis_b = tr3_widen(def->axis);
    (void)turn; /* a hinge's go on from where its angle was */
}

/* whether rows are a block in columns from one on */
static bool is_block(const tr3_equations *equations, const tr3_exact_group *groups, uint32_t count,
                     tr3_exact_row_kind kind, int32_t column)
{
    bool is = true;
    for (uint32_t i = 0; i < count; i++)
        is = is && groups[i].kind == kind && equations->row[groups[i].first].column == column + (int32_t)i;
    return is;
}

/* whether a coordinate has no features but these, the first of them in that column */
static bool has_only(const tr3_equations *equations, const tr3_exact_group *group, uint32_t features, int32_t column)
{
    uint32_t has = 0;
    for (uint32_t f = 0; f < TR_EXACT_FEATURES; f++)
        has |= group->feature[f] >= 0 ? 1u << f : 0u;
    return group->kind == TR_EXACT_LAW && has == features && equations->row[group->first].column == column;
}

/* a hinge's two rows across its axis and its angle; a ball's round cone, twist and friction, or its friction alone */
bool tr3_exact_turns_in_lanes(tr3_joint_type type, const tr3_equations *equations, const tr3_exact_group *groups,
                              uint32_t count)
{
    const uint32_t upper = 1u << TR_EXACT_UPPER, both = 1u << TR_EXACT_LOWER | upper;
    if (type == TR3_JOINT_HINGE)
        return (count == 5 || (count == 6 && groups[5].kind == TR_EXACT_LAW)) &&
               is_block(equations, groups + 3, 2, TR_EXACT_KEPT, 3);
    if (type == TR3_JOINT_BALL && count == 6)
        return is_block(equations, groups + 3, 3, TR_EXACT_RUBBED, 6);
    return type == TR3_JOINT_BALL && (count == 5 || count == 8) && has_only(equations, &groups[3], upper, 9) &&
           !(equations->row[groups[3].first].length > 0.0) && has_only(equations, &groups[4], both, 10) &&
           is_block(equations, groups + 5, count - 5, TR_EXACT_RUBBED, 6);
}

typedef struct spinning {
    tr3_dquat q;
    double l[3]; /* N m s, in principal axes */
} spinning;

/* A turn about one principal axis for a time, at the rate `excess` times its angular momentum. */
static void turn_about(spinning *it, int axis, double angle)
{
    double s, c, half_s, half_c;
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    if (angle == 0.0)
        return;
    tr_sincos(angle, &s, &c);
    tr_sincos(0.5 * angle, &half_s, &half_c);
    const tr3_dquat by = {axis == 0 ? half_s : 0.0, axis == 1 ? half_s : 0.0, axis == 2 ? half_s : 0.0, half_c};
    it->q = tr3_compose(it->q, by);
    const double a = it->l[next], b = it->l[last];
    it->l[next] = c * a + s * b;
    it->l[last] = c * b - s * a;
}

/* q turned by a rotation vector in the world */
static tr3_dquat turned_by(tr3_dquat q, tr_dvec3 by)
{
    const double angle = sqrt(tr3_dot(by, by));
    double s, c;
    if (angle == 0.0)
        return q;
    tr_sincos(0.5 * angle, &s, &c);
    s /= angle;
    return tr3_normalised(tr3_compose((tr3_dquat){s * by.x, s * by.y, s * by.z, c}, q));
}

/* the axis of the middle moment; of two equal ones that after which the other one comes, so that the last is unlike them */
static int middle_of(const double moment[3])
{
    for (int i = 0; i < 3; i++)
        if (moment[i] == moment[(i + 1) % 3])
            return i;
    for (int i = 0; i < 2; i++)
        if ((moment[i] > moment[(i + 1) % 3]) != (moment[i] > moment[(i + 2) % 3]))
            return i;
    return 2;
}

/* from axes in a cyclic order that begins with `middle` to those in their own order */
static tr3_dquat cyclic(int middle)
{
    static const tr3_dquat turn[3] = {{0.0, 0.0, 0.0, 1.0}, {0.5, 0.5, 0.5, 0.5}, {-0.5, -0.5, -0.5, 0.5}};
    return turn[middle];
}

tr3_dquat tr3_exact_principal_order(const tr3_bodies *bodies, uint32_t row, double moment[3], int *first)
{
    const double own[3] = {(double)bodies->inertia_x[row], (double)bodies->inertia_y[row],
                           (double)bodies->inertia_z[row]};
    const int middle = middle_of(own);
    for (int i = 0; i < 3; i++)
        moment[i] = own[(middle + i) % 3];
    *first = middle;
    return cyclic(middle);
}

void tr3_exact_principal_of(const tr3_bodies *bodies, uint32_t row, tr_dvec3 v, double out[3])
{
    const double moment[3] = {(double)bodies->inertia_x[row], (double)bodies->inertia_y[row],
                              (double)bodies->inertia_z[row]};
    if (tr3_body_is_tilted(bodies, row))
        v = tr3_turned(tr3_conjugate(tr3_widen_quat(tr3_body_frame_rotation(bodies, row))), v);
    const double own[3] = {v.x, v.y, v.z};
    const int middle = middle_of(moment);
    for (int i = 0; i < 3; i++)
        out[i] = own[(middle + i) % 3];
}

void tr3_exact_principal_write(const tr3_bodies *bodies, uint32_t row, tr3_body_state *state, tr3_dquat q)
{
    const double own[3] = {(double)bodies->inertia_x[row], (double)bodies->inertia_y[row],
                           (double)bodies->inertia_z[row]};
    set_principal(bodies, row, state, tr3_compose(q, tr3_conjugate(cyclic(middle_of(own)))));
}

/*
 * Free rotation as in solver/space/kernels/bodies.inl: with the middle moment I2 a turn about the angular momentum, which
 * stays in the world, between halves of turns about the two other axes. Of second order; angular momentum is conserved.
 * That turn is about what is fixed in the world, and the halves about the last axis beside it are about what is fixed in
 * the body, so it does not matter which comes first: they are one.
 */
static void spin(const tr3_bodies *bodies, uint32_t row, tr3_body_state *state, double h)
{
    const double moment[3] = {(double)bodies->inertia_x[row], (double)bodies->inertia_y[row],
                              (double)bodies->inertia_z[row]};
    const tr3_dquat q = principal_of(bodies, row, state);
    const tr_dvec3 w = tr3_turned(tr3_conjugate(q), state->w);
    spinning it = {q, {moment[0] * w.x, moment[1] * w.y, moment[2] * w.z}};
    const int middle = middle_of(moment);
    const int first = (middle + 1) % 3, second = (middle + 2) % 3;
    const double excess[2] = {1.0 / moment[first] - 1.0 / moment[middle], 1.0 / moment[second] - 1.0 / moment[middle]};
    turn_about(&it, first, 0.5 * h * excess[0] * it.l[first]);
    turn_about(&it, second, h * excess[1] * it.l[second]);
    const tr_dvec3 l = tr3_turned(it.q, (tr_dvec3){it.l[0], it.l[1], it.l[2]});
    it.q = turned_by(it.q, tr3_times(h / moment[middle], l));
    turn_about(&it, first, 0.5 * h * excess[0] * it.l[first]);
    it.q = tr3_normalised(it.q);
    state->w = tr3_turned(it.q, (tr_dvec3){it.l[0] / moment[0], it.l[1] / moment[1], it.l[2] / moment[2]});
    set_principal(bodies, row, state, it.q);
}

void tr3_exact_drift(const tr3_bodies *bodies, uint32_t row, tr3_body_state *state, double h, bool free)
{
    state->center = tr3_plus(state->center, tr3_times(h, state->velocity));
    if (free && tr3_body_inverse_inertia(bodies, row).x > 0.0f)
        spin(bodies, row, state, h);
    else
        state->rotation = turned_by(state->rotation, tr3_times(h, state->w));
}

void tr3_exact_shift(tr3_body_state *state, const double shift[TR3_DEGREES])
{
    state->center = tr3_plus(state->center, tr3_equation_linear(shift));
    state->rotation = turned_by(state->rotation, tr3_equation_angular(shift));
}

bool tr3_exact_is_sane(const tr3_body_state *state, double h, double unit)
{
    const double most = (double)TR_SANE_SPEED * unit, turn = (double)TR_SANE_TURN,
                 square = tr3_quat_square(state->rotation);
    return fabs(state->velocity.x) <= most && fabs(state->velocity.y) <= most && fabs(state->velocity.z) <= most &&
           fabs(state->w.x) * h <= turn && fabs(state->w.y) * h <= turn && fabs(state->w.z) * h <= turn &&
           isfinite(state->center.x) && isfinite(state->center.y) && isfinite(state->center.z) && square > 0.5 &&
           square < 2.0;
}
