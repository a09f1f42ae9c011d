/*
 * What space supplies to islands side by side (solver/exact/lanes/lanes.inl), in two parts: before bodies are known their
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

/* of a hinge or a ball: axes and one direction across them in the axes of both poses, which are the same directions at the
   reference; what coordinates are beside what these say; the angle about the
   axis; and of a hinge that with its whole turns, which go on from where they were */
typedef struct lane_turn {
    lv axis[2], across[2];
    wd beside[2], angle, wound;
} lane_turn;

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

/* anchors from the centre of mass, in the axes of the pose; as they come they are from the origins of these rows */
static void lane_anchor(const tr3_bodies *bodies, const uint32_t rows[TR_DOUBLES], lv *anchor, bool moves)
{
    for (int lane = 0; lane < TR_DOUBLES; lane++) {
        const tr_vec3 center = tr3_body_center(bodies, rows[lane]);
        const tr_dvec3 local = {anchor->x[0][lane] - (double)center.x, anchor->x[1][lane] - (double)center.y,
                                anchor->x[2][lane] - (double)center.z};
        double out[3] = {local.x, local.y, local.z};
        if (moves)
            tr3_exact_principal_of(bodies, rows[lane], local, out);
        UNROLLED
        for (int i = 0; i < 3; i++)
            anchor->x[i][lane] = out[i];
    }
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

/* where a body is and how it moves: of what moves as the table has it */
static void lane_state_read(const lane_pack *p, lane_body *to, const uint32_t rows[TR_DOUBLES], bool moves)
{
    const tr3_bodies *bodies = p->step->system->bodies;
    for (int lane = 0; lane < TR_DOUBLES; lane++) {
        tr3_body_state now;
        if (moves)
            tr3_exact_state_read(bodies, rows[lane], false, &now);
        const tr3_body_state *state = moves ? &now : &p->step->exact->state[rows[lane]];
        lane_motion_read(to, lane, state);
        lane_pose_read(&to->pose, lane, bodies, rows[lane], state, moves);
    }
}

static void lane_state_write(const lane_pack *p, const lane_body *body, int lane, uint32_t row)
{
    tr3_body_state *state = &p->step->exact->state[row];
    lane_motion_write(body, lane, state);
    lane_pose_write(&body->pose, lane, p->step->system->bodies, row, state);
}

/* rows of the table, of these lanes */
static void lane_body_write(const lane_pack *p, const lane_body *body, const uint32_t rows[TR_DOUBLES], uint32_t lanes)
{
    tr3_bodies *bodies = p->step->system->bodies;
    for (int lane = 0; lane < TR_DOUBLES; lane++) {
        tr3_body_state now;
        if ((lanes >> lane & 1) == 0)
            continue;
        lane_motion_write(body, lane, &now);
        lane_pose_write(&body->pose, lane, bodies, rows[lane], &now);
        tr3_exact_state_write(bodies, rows[lane], &now, p->step->exact->motions);
    }
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
        for (int k = 0; k <= i; k++) {
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
            own.stiffness[i][k] = body->stiffness[k < i ? i : k][k < i ? k : i][lane];
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
        for (int k = 0; k <= i; k++)
            left[i][k] = left[k][i] = body->inertia[i][k] - wd_set(most) * body->stiffness[i][k];
    body->slow = body->inertia;
    body->slow_inverse = body->inverse;
    body->slowness = wd_set(1.0);
    /* in no direction stiffer than its inertia: what is left is positive, which its minors say */
    const wd c0 = left[1][1] * left[2][2] - left[1][2] * left[1][2],
             c1 = left[1][2] * left[0][2] - left[0][1] * left[2][2],
             c2 = left[0][1] * left[1][2] - left[1][1] * left[0][2];
    const wd determinant = left[0][0] * c0 + left[0][1] * c1 + left[0][2] * c2;
    const wdm slow = ~(wd_lt(none, left[2][2]) & wd_lt(none, c0) & wd_lt(none, determinant));
    if (!wd_any(slow))
        return;
    body->slow = body->slowed[0];
    body->slow_inverse = body->slowed[1];
    memcpy(body->slow, body->inertia, sizeof body->inertia);
    memcpy(body->slow_inverse, body->inverse, sizeof body->inverse);
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

TR_INLINE void lane_put(lv *to, int lane, tr_dvec3 v)
{
    to->x[0][lane] = v.x;
    to->x[1][lane] = v.y;
    to->x[2][lane] = v.z;
}

/* The directions and arms of one lane's contact, of which one end moves; the column of a row that rubs. */
static void lane_touch_read(lane_touch *to, int lane, const tr3_exact_contact *c, uint32_t own)
{
    tr_dvec3 across[2];
    tr3_contact_across(tr3_narrow(c->normal), across);
    lane_put(&to->normal, lane, c->normal);
    lane_put(&to->arm[0], lane, own == 0 ? c->arm_a : c->arm_b);
    lane_put(&to->arm[1], lane, own == 0 ? c->arm_b : c->arm_a);
    for (int i = 0; i < 2; i++) {
        lane_put(&to->across[i], lane, across[i]);
        to->surface[i][lane] = c->surface[i];
    }
    for (uint32_t i = 1; i < c->points; i++)
        lane_put(&to->further[i], lane, c->further[i]);
}

TR_INLINE uint32_t lane_touch_column(uint32_t r)
{
    if (r >= TOUCH_TURNS)
        return TR3_CONTACT_TWIST + (r - TOUCH_TURNS);
    return (uint32_t)tr3_contact_impulse_of((r - TOUCH_POINTS) / 2) + TR3_CONTACT_RUB_0 + (r - TOUCH_POINTS) % 2;
}

/* r x n; and what an axis of rotation is as a spin */
TR_INLINE void lane_moment(lv r, lv n, wd out[3])
{
    out[0] = r.x[1] * n.x[2] - r.x[2] * n.x[1];
    out[1] = r.x[2] * n.x[0] - r.x[0] * n.x[2];
    out[2] = r.x[0] * n.x[1] - r.x[1] * n.x[0];
}

TR_INLINE wd lane_axis(lv n, int i)
{
    return n.x[i];
}

/* the rotation from one pose to another as a vector, as of contacts */
TR_INLINE void lane_turned_since(const lane_pose *from, const lane_pose *to, wd out[3])
{
    const wd back[4] = {-from->q[0], -from->q[1], -from->q[2], from->q[3]};
    wd q[4];
    lane_compose(to->q, back, q);
    const wd scale = wd_select(wd_lt(q[3], wd_set(0.0)), wd_set(-2.0), wd_set(2.0));
    UNROLLED
    for (int i = 0; i < 3; i++)
        out[i] = scale * q[i];
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

/* q turned by a correction: what it does not turn, the next one will. The length is that of (t/2, 1), which is next to 1. */
TR_INLINE void lane_correct(wd q[4], const wd by[3])
{
    const wd half = wd_set(0.5), one = wd_set(1.0);
    wd turn[4] = {half * by[0], half * by[1], half * by[2], one};
    const wd more = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
    const wdm far = wd_lt(wd_set(1e-2), more);
    wd scale = one - more * (half - more * (wd_set(0.375) - wd_set(0.3125) * more));
    if (wd_any(far))
        scale = wd_select(far, one / wd_sqrt(one + more), scale);
    UNROLLED
    for (int i = 0; i < 4; i++)
        turn[i] = scale * turn[i];
    lane_compose(turn, q, q);
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

/*
 * Rows of rotation, as solver/space/equations.inl has them
 */

/* As tr_arctan2(). */
TR_INLINE wd lane_arctan2(wd y, wd x)
{
    const wd a = wd_abs(y), b = wd_abs(x), none = wd_set(0.0), one = wd_set(1.0);
    const wdm steep = wd_lt(b, a);
    const wd low = wd_select(steep, b, a), high = wd_select(steep, a, b);
    /* above the tangent of an eighth of pi it is taken from a quarter */
    const wdm over = wd_lt(wd_set(0.41421356237309503) * high, low);
    const wd under = wd_select(over, low + high, high);
    const wd t = wd_select(over, low - high, low) / wd_select(wd_lt(none, under), under, one);
    const wd z = t * t, w = z * z;
    const wd odd =
        z * (wd_set(3.33333333333329318027e-01) +
             w * (wd_set(1.42857142725034663711e-01) +
                  w * (wd_set(9.09088713343650656196e-02) +
                       w * (wd_set(6.66107313738753120669e-02) +
                            w * (wd_set(4.97687799461593236017e-02) + w * wd_set(1.62858201153657823623e-02))))));
    const wd even =
        w * (wd_set(-1.99999999998764832476e-01) +
             w * (wd_set(-1.11111104054623557880e-01) +
                  w * (wd_set(-7.69187620504482999495e-02) +
                       w * (wd_set(-5.83357013379057348645e-02) + w * wd_set(-3.65315727442169155270e-02)))));
    const wd turned = t * (odd + even);
    wd angle = wd_select(over, wd_set(7.85398163397448278999e-01) - ((turned - wd_set(3.06161699786838301793e-17)) - t),
                         t - turned);
    angle = wd_select(steep, wd_set(1.57079632679489661923) - angle, angle);
    angle = wd_select(wd_lt(x, none), wd_set(3.14159265358979323846) - angle, angle);
    return wd_select(wd_lt(y, none), -angle, angle);
}

/* the axes of one lane's joint */
static void lane_turn_read(const lane_pack *p, lane_joint *to, int lane, const tr3_exact_joint *from)
{
    const tr_dvec3 axis = tr3_widen(from->def.axis), across = tr3_across(axis);
    const tr3_dquat back = tr3_conjugate(tr3_normalised(tr3_widen_quat(from->def.reference)));
    to->turn.wound[lane] = from->angle;
    const tr_dvec3 all[2][2] = {{axis, across}, {tr3_turned(back, axis), tr3_turned(back, across)}};
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 2; i++) {
            double own[3] = {all[end][i].x, all[end][i].y, all[end][i].z};
            if (from->at[end] != TR_ENDS)
                tr3_exact_principal_of(p->step->system->bodies, from->end[end], all[end][i], own);
            lv *out = i == 0 ? &to->turn.axis[end] : &to->turn.across[end];
            UNROLLED
            for (int k = 0; k < 3; k++)
                out->x[k][lane] = own[k];
        }
}

static void lane_turn_write(const lane_joint *from, int lane, tr3_exact_joint *to)
{
    if (from->row_count > 3 && from->rows[3].kind == TR_EXACT_KEPT)
        to->angle = from->turn.wound[lane];
}

TR_INLINE lv lane_cross(lv a, lv b)
{
    return lane_whirl((ls){{a.x[0], a.x[1], a.x[2]}}, b);
}

/* how the bodies of a joint turn, and J M^-1 J^T of rotations */
typedef struct lane_turning {
    lv w, across; /* of B against A; the product of A's and B's */
    wd k[3][3];
} lane_turning;

/* a row about e */
TR_INLINE void lane_about(lane_row *row, const lane_turning *t, lv e)
{
    row->u = lv_dot(e, t->w);
    row->bend = -lv_dot(e, t->across);
    row->close = row->k = wd_set(0.0);
    UNROLLED
    for (int i = 0; i < 3; i++) {
        row->j[0][3 + i] = -e.x[i];
        row->j[1][3 + i] = e.x[i];
        row->k = row->k + e.x[i] * (t->k[i][0] * e.x[0] + t->k[i][1] * e.x[1] + t->k[i][2] * e.x[2]);
    }
}

/* the rows of a hinge: where its axes are more than a right angle apart, what is between them gets the length 1 */
static void lane_hinge_turns(lane_joint *joint, const lane_turning *t, lv axis, lv first, lv second, lv normal, wd sine,
                             wd cosine)
{
    const wd none = wd_set(0.0), one = wd_set(1.0);
    const wdm back = wd_lt(cosine, none), has = wd_lt(none, sine);
    const wd scale = one / wd_select(back & has, sine, one);
    lv tilt;
    UNROLLED
    for (int i = 0; i < 3; i++)
        tilt.x[i] = scale * wd_select(back & ~has, first.x[i], normal.x[i]);
    /* adding it leaves the nearest integer in the low bits */
    const wd magic = wd_set(6755399441055744.0), whole = wd_set(TR_TURN);
    joint->turn.wound = joint->turn.angle + whole * (((joint->turn.wound - joint->turn.angle) / whole + magic) - magic);
    lane_about(&joint->rows[3], t, first);
    lane_about(&joint->rows[4], t, second);
    joint->rows[3].close = lv_dot(first, tilt);
    joint->rows[4].close = lv_dot(second, tilt);
    if (joint->row_count <= 5)
        return;
    lane_about(&joint->rows[5], t, axis);
    joint->rows[5].law->value = joint->turn.wound + joint->turn.beside[0];
}

/* those of a ball; where axes are parallel the cone has none, where they are opposite the twist */
static void lane_ball_turns(lane_joint *joint, const lane_turning *t, lv axis, lv axis_b, lv normal, wd sine, wd cosine)
{
    lane_row *cone = &joint->rows[3], *twist = &joint->rows[4];
    const wd none = wd_set(0.0), one = wd_set(1.0), whole = one + cosine;
    const wdm leans = wd_lt(none, sine), moves = wd_lt(wd_set(1e-9), whole);
    const wd per_sine = wd_select(leans, one / wd_select(leans, sine, one), none);
    const wd per_whole = wd_select(moves, one / wd_select(moves, whole, one), none);
    lane_about(cone, t, lv_times(per_sine, normal));
    const wd across = lv_dot(t->w, t->w) - cone->u * cone->u;
    cone->bend = cone->bend + per_sine * (cosine * across - lv_dot(axis, t->w) * lv_dot(axis_b, t->w));
    cone->law->value = lane_arctan2(sine, cosine) + joint->turn.beside[0];
    const lv along = lv_times(per_whole, lv_plus(axis, axis_b));
    lane_about(twist, t, along);
    twist->bend = twist->bend - per_whole * (twist->u * lv_dot(axis, lane_cross(t->w, axis_b)));
    twist->law->value = joint->turn.angle + joint->turn.beside[1];
    twist->law->length = wd_select(moves, wd_sqrt(lv_dot(along, along)), one);
    for (uint32_t r = 5; r < joint->row_count; r++) {
        lv e = {{none, none, none}};
        e.x[r - 5] = one;
        lane_about(&joint->rows[r], t, e);
    }
}

/* The rows at the present state, but for their features. The angle about the axis is that of the direction across B's, when
   B's axis is turned back to A's the shortest way. */
static void lane_turns(lane_pack *p, lane_joint *joint)
{
    const lane_body *a = &p->bodies[joint->end[0]], *b = &p->bodies[joint->end[1]];
    const lv wa = {{a->v[3], a->v[4], a->v[5]}}, wb = {{b->v[3], b->v[4], b->v[5]}};
    const lv axis = lane_turned(&a->pose, joint->turn.axis[0]), first = lane_turned(&a->pose, joint->turn.across[0]);
    const lv axis_b = lane_turned(&b->pose, joint->turn.axis[1]), across = lane_turned(&b->pose, joint->turn.across[1]);
    const lv second = lane_cross(axis, first), normal = lane_cross(axis, axis_b);
    const wd sine = wd_sqrt(lv_dot(normal, normal)), cosine = lv_dot(axis, axis_b), whole = wd_set(1.0) + cosine;
    const wd beyond = lv_dot(across, axis);
    lane_turning turning = {.w = lv_minus(wb, wa), .across = lane_cross(wa, wb)};
    UNROLLED
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            turning.k[i][k] = wd_set(0.0);
            if (joint->end[0] < p->body_count)
                turning.k[i][k] = turning.k[i][k] + a->inverse[i][k];
            if (joint->end[1] < p->body_count)
                turning.k[i][k] = turning.k[i][k] + b->inverse[i][k];
        }
    joint->turn.angle = lane_arctan2(whole * lv_dot(second, across) - beyond * lv_dot(second, axis_b),
                                     whole * lv_dot(first, across) - beyond * lv_dot(first, axis_b));
    if (joint->rows[3].kind == TR_EXACT_KEPT)
        lane_hinge_turns(joint, &turning, axis, first, second, normal, sine, cosine);
    else
        lane_ball_turns(joint, &turning, axis, axis_b, normal, sine, cosine);
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
    /* Newton's step for the inverse of a length that rounding has left next to 1 */
    const wd scale = wd_set(1.5) - wd_set(0.5) * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
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
