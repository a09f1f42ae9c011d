/*
 * What space supplies to islands side by side (solver/exact/lanes.inl), in two parts: before bodies are known their
 * poses, then what is done with bodies. A pose is that of the principal axes, in an order in which the middle moment
 * comes first.
 */
#ifndef LANE_BODY_PARTS

#include "solver/space/exact_bodies.h"

typedef struct lane_pose {
    wd q[4], r[3][3]; /* x, y, z, w; as a matrix */
    wd moment[3], inverse_moment[3];
    wd excess[2];   /* what the inverses of the last two moments are more than that of the first */
    bool uneven[2]; /* of some lane it is not 0 */
} lane_pose;

TR_INLINE lv lane_turned(const lane_pose *pose, lv r)
{
    lv out;
    UNROLLED
    for (int i = 0; i < 3; i++)
        out.x[i] = pose->r[i][0] * r.x[0] + pose->r[i][1] * r.x[1] + pose->r[i][2] * r.x[2];
    return out;
}

/* w x r */
TR_INLINE lv lane_whirl(ls w, lv r)
{
    return (lv){
        {w.x[1] * r.x[2] - w.x[2] * r.x[1], w.x[2] * r.x[0] - w.x[0] * r.x[2], w.x[0] * r.x[1] - w.x[1] * r.x[0]}};
}

/* r x n of the axes n */
TR_INLINE void lane_levers(lv r, ls out[3])
{
    const wd none = wd_set(0.0);
    out[0] = (ls){{none, r.x[2], -r.x[1]}};
    out[1] = (ls){{-r.x[2], none, r.x[0]}};
    out[2] = (ls){{r.x[1], -r.x[0], none}};
}

static void lane_pose_read(lane_pose *to, int lane, const tr3_bodies *bodies, uint32_t row, const tr3_body_state *state,
                           bool moves)
{
    tr3_dquat q = state->rotation;
    double moment[3] = {1.0, 1.0, 1.0};
    if (moves)
        tr3_exact_principal_read(bodies, row, state, &q, moment);
    const double parts[4] = {q.x, q.y, q.z, q.w};
    UNROLLED
    for (int i = 0; i < 4; i++)
        to->q[i][lane] = parts[i];
    UNROLLED
    for (int i = 0; i < 3; i++)
        to->moment[i][lane] = moment[i];
}

static void lane_pose_write(const lane_pose *from, int lane, const tr3_bodies *bodies, uint32_t row,
                            tr3_body_state *state)
{
    const tr3_dquat q = {from->q[0][lane], from->q[1][lane], from->q[2][lane], from->q[3][lane]};
    tr3_exact_principal_write(bodies, row, state, q);
}

/* an anchor from the centre of mass, in the axes of the pose */
static void lane_anchor(const tr3_bodies *bodies, uint32_t row, const tr3_body_state *state, const float anchor[3],
                        double out[3], bool moves)
{
    const tr_dvec3 local = {(double)anchor[0] - (double)state->local_center.x,
                            (double)anchor[1] - (double)state->local_center.y,
                            (double)anchor[2] - (double)state->local_center.z};
    if (moves) {
        tr3_exact_principal_of(bodies, row, local, out);
        return;
    }
    out[0] = local.x;
    out[1] = local.y;
    out[2] = local.z;
}

#else

TR_INLINE void lane_motion_read(lane_body *to, int lane, const tr3_body_state *state)
{
    to->center.x[0][lane] = state->center.x;
    to->center.x[1][lane] = state->center.y;
    to->center.x[2][lane] = state->center.z;
    to->v[0][lane] = state->velocity.x;
    to->v[1][lane] = state->velocity.y;
    to->v[2][lane] = state->velocity.z;
    to->v[3][lane] = state->w.x;
    to->v[4][lane] = state->w.y;
    to->v[5][lane] = state->w.z;
}

TR_INLINE void lane_motion_write(const lane_body *from, int lane, tr3_body_state *state)
{
    state->center = (tr_dvec3){from->center.x[0][lane], from->center.x[1][lane], from->center.x[2][lane]};
    state->velocity = (tr_dvec3){from->v[0][lane], from->v[1][lane], from->v[2][lane]};
    state->w = (tr_dvec3){from->v[3][lane], from->v[4][lane], from->v[5][lane]};
}

/* no joint in space is solved by it */
TR_INLINE wd lane_angle(const lane_body *body)
{
    (void)body;
    return wd_set(0.0);
}

static void lane_inertia(lane_body *body)
{
    lane_pose *pose = &body->pose;
    const wd x = pose->q[0], y = pose->q[1], z = pose->q[2], w = pose->q[3], one = wd_set(1.0), two = wd_set(2.0);
    pose->r[0][0] = one - two * (y * y + z * z);
    pose->r[1][1] = one - two * (x * x + z * z);
    pose->r[2][2] = one - two * (x * x + y * y);
    pose->r[0][1] = two * (x * y - z * w);
    pose->r[1][0] = two * (x * y + z * w);
    pose->r[0][2] = two * (x * z + y * w);
    pose->r[2][0] = two * (x * z - y * w);
    pose->r[1][2] = two * (y * z - x * w);
    pose->r[2][1] = two * (y * z + x * w);
    UNROLLED
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            wd sum = wd_set(0.0), inverse = wd_set(0.0);
            UNROLLED
            for (int axis = 0; axis < 3; axis++) {
                const wd both = pose->r[i][axis] * pose->r[k][axis];
                sum = sum + pose->moment[axis] * both;
                inverse = inverse + pose->inverse_moment[axis] * both;
            }
            body->inertia[i][k] = body->inertia[k][i] = sum;
            body->inverse[i][k] = body->inverse[k][i] = inverse;
        }
    body->straight = false;
    wd momentum[3];
    UNROLLED
    for (int i = 0; i < 3; i++)
        momentum[i] =
            body->inertia[i][0] * body->v[3] + body->inertia[i][1] * body->v[4] + body->inertia[i][2] * body->v[5];
    const lv turning =
        lane_whirl((ls){{body->v[3], body->v[4], body->v[5]}}, (lv){{momentum[0], momentum[1], momentum[2]}});
    UNROLLED
    for (int i = 0; i < 3; i++)
        body->gyration[i] = -(body->inverse[i][0] * turning.x[0] + body->inverse[i][1] * turning.x[1] +
                              body->inverse[i][2] * turning.x[2]);
}

TR_INLINE wd lane_column(const float *column, const uint32_t rows[TR_DOUBLES], float preset);

/* forces, N, and torques, N m */
TR_INLINE void lane_pull_read(lane_body *to, const tr3_bodies *bodies, const uint32_t rows[TR_DOUBLES])
{
    const float *const columns[6] = {bodies->force_x,  bodies->force_y,  bodies->force_z,
                                     bodies->torque_x, bodies->torque_y, bodies->torque_z};
    for (int i = 0; i < 6; i++)
        to->pull[i] = lane_column(columns[i], rows, 0.0f);
}

/* that is done with the pose */
TR_INLINE void lane_inertia_read(lane_body *to, const tr3_bodies *bodies, const uint32_t rows[TR_DOUBLES], bool moves)
{
    (void)to;
    (void)bodies;
    (void)rows;
    (void)moves;
}

TR_INLINE void lane_inertia_finish(lane_body *body)
{
    lane_pose *pose = &body->pose;
    UNROLLED
    for (int i = 0; i < 3; i++)
        pose->inverse_moment[i] = wd_set(1.0) / pose->moment[i];
    UNROLLED
    for (int i = 0; i < 2; i++) {
        pose->excess[i] = pose->inverse_moment[i + 1] - pose->inverse_moment[0];
        pose->uneven[i] = wd_any(~(wdm)(pose->moment[i + 1] == pose->moment[0]));
    }
}

TR_INLINE void lane_stiffen(lane_body *body, lv arm, lv force)
{
    const wd along = lv_dot(arm, force), half = wd_set(0.5);
    UNROLLED
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const wd both = half * (arm.x[i] * force.x[k] + arm.x[k] * force.x[i]);
            body->stiffness[i][k] = body->stiffness[i][k] + (i == k ? along - both : -both);
        }
}

/* bodies that are slowed down are few: one by one */
static void lane_slow_one(lane_body *body, int lane, double most)
{
    tr3_exact_body own;
    memset(&own, 0, sizeof own);
    own.turns = true;
    UNROLLED
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            own.inertia[i][k] = body->inertia[i][k][lane];
            own.inverse[i][k] = body->inverse[i][k][lane];
            own.stiffness[i][k] = body->stiffness[i][k][lane];
        }
    tr3_exact_slow(&own, most);
    UNROLLED
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            body->slow[i][k][lane] = own.slow[i][k];
            body->slow_inverse[i][k][lane] = own.slow_inverse[i][k];
        }
    body->slowness[lane] = own.slowness;
}

static void lane_slow(lane_body *body, double most)
{
    wd left[3][3];
    const wd none = wd_set(0.0);
    UNROLLED
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            left[i][k] = body->inertia[i][k] - wd_set(most) * body->stiffness[i][k];
            body->slow[i][k] = body->inertia[i][k];
            body->slow_inverse[i][k] = body->inverse[i][k];
        }
    body->slowness = wd_set(1.0);
    /* in no direction stiffer than its inertia: what is left is positive, which its minors say */
    const wd c0 = left[1][1] * left[2][2] - left[1][2] * left[1][2],
             c1 = left[1][2] * left[0][2] - left[0][1] * left[2][2],
             c2 = left[0][1] * left[1][2] - left[1][1] * left[0][2];
    const wd determinant = left[0][0] * c0 + left[0][1] * c1 + left[0][2] * c2;
    const wdm slow = ~(wd_lt(none, left[2][2]) & wd_lt(none, c0) & wd_lt(none, determinant));
    if (!wd_any(slow))
        return;
    for (int lane = 0; lane < TR_DOUBLES; lane++)
        if (slow[lane] != 0)
            lane_slow_one(body, lane, most);
}

/* first b, then a */
TR_INLINE void lane_compose(const wd a[4], const wd b[4], wd out[4])
{
    const wd x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
             y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
             z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
             w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = w;
}

/* q turned by a rotation vector in the world */
TR_INLINE wdm lane_turn_by(wd q[4], const wd by[3])
{
    const wd angle = wd_sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]), half = wd_set(0.5);
    wd turn[4], s;
    lane_sincos(half * angle, &s, &turn[3]);
    s = wd_select(wd_lt(wd_set(0.0), angle), s / angle, half);
    UNROLLED
    for (int i = 0; i < 3; i++)
        turn[i] = s * by[i];
    lane_compose(turn, q, q);
    return wd_le(angle, wd_set(1e9));
}

/* q turned by a correction: what it does not turn, the next one will */
TR_INLINE void lane_correct(wd q[4], const wd by[3])
{
    const wd half = wd_set(0.5), turn[4] = {half * by[0], half * by[1], half * by[2], wd_set(1.0)};
    lane_compose(turn, q, q);
    const wd length = wd_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), scale = wd_set(1.0) / length;
    UNROLLED
    for (int i = 0; i < 4; i++)
        q[i] = scale * q[i];
}

/* a turn about the principal axis 1 or 2 for a time, which keeps the angular momentum in the world */
TR_INLINE wdm lane_turn_about(wd q[4], wd l[3], int axis, wd angle)
{
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    wd half_s, half_c;
    lane_sincos(wd_set(0.5) * angle, &half_s, &half_c);
    const wd two = wd_set(2.0), s = two * half_s * half_c, c = wd_set(1.0) - two * half_s * half_s;
    const wd along = q[3] * half_s + q[axis] * half_c, w = q[3] * half_c - q[axis] * half_s;
    const wd q_next = q[next] * half_c + q[last] * half_s, q_last = q[last] * half_c - q[next] * half_s;
    q[axis] = along;
    q[3] = w;
    q[next] = q_next;
    q[last] = q_last;
    const wd a = l[next], b = l[last];
    l[next] = c * a + s * b;
    l[last] = c * b - s * a;
    return wd_le(wd_abs(angle), wd_set(1e9));
}

/* by a unit quaternion, or its inverse with `sign` -1 */
TR_INLINE void lane_quat_turned(const wd q[4], double sign, const wd v[3], wd out[3])
{
    const wd w = wd_set(sign) * q[3], two = wd_set(2.0);
    const ls u = {{q[0], q[1], q[2]}};
    const lv c = lane_whirl(u, (lv){{v[0], v[1], v[2]}}), cc = lane_whirl(u, c);
    UNROLLED
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + two * (w * c.x[i] + cc.x[i]);
}

/* Turns by a correction, and freely for a time (solver/space/exact_bodies.c). Whether the pose is still one. */
static wdm lane_rotate(lane_body *body, ls by, double h)
{
    lane_pose *pose = &body->pose;
    wd *q = pose->q, l[3], world[3];
    wdm sane = wd_le(wd_abs(by.x[0]), wd_set(DBL_MAX));
    lane_correct(q, by.x);
    if (h > 0.0) {
        const wd half = wd_set(0.5 * h);
        lane_quat_turned(q, -1.0, body->v + 3, l);
        UNROLLED
        for (int i = 0; i < 3; i++)
            l[i] = pose->moment[i] * l[i];
        UNROLLED
        for (int i = 0; i < 2; i++)
            if (pose->uneven[i])
                sane &= lane_turn_about(q, l, 1 + i, half * pose->excess[i] * l[1 + i]);
        lane_quat_turned(q, 1.0, l, world);
        UNROLLED
        for (int i = 0; i < 3; i++)
            world[i] = wd_set(h) * pose->inverse_moment[0] * world[i];
        sane &= lane_turn_by(q, world);
        for (int i = 1; i >= 0; i--)
            if (pose->uneven[i])
                sane &= lane_turn_about(q, l, 1 + i, half * pose->excess[i] * l[1 + i]);
    }
    const wd scale = wd_set(1.0) / wd_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    /* a turn by nothing may change -0 to 0, and is left out only if no lane needs it */
    UNROLLED
    for (int i = 0; i < 4; i++)
        q[i] = scale * q[i] + wd_set(0.0);
    if (h > 0.0) {
        UNROLLED
        for (int i = 0; i < 3; i++)
            l[i] = pose->inverse_moment[i] * l[i];
        lane_quat_turned(q, 1.0, l, body->v + 3);
        for (int i = 3; i < 6; i++)
            body->v[i] = body->v[i] + wd_set(0.0);
    }
    return sane & wd_le(wd_abs(q[3]), wd_set(2.0));
}

#endif
