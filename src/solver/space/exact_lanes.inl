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
    wd order[4];  /* the rotation from these axes to the principal ones in their own order; */
    bool ordered; /* of some lane there is one */
    int first;    /* which of its own axes is the first, if it is the same in all lanes and none has other axes than the
                       principal ones; otherwise -1 */
    wd excess[2]; /* what the inverses of the last two moments are more than that of the first, */
    wd rise[2];   /* and they themselves */
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

/* the matrix of its rotation */
TR_INLINE void lane_matrix(lane_pose *pose)
{
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

/* The same levers without what is 0 in them: of all axes r x n . w, that of one, and the sum over axes of (r x n) x. */
TR_INLINE void lane_lever_rates(lv r, const wd w[3], wd out[3])
{
    out[0] = r.x[2] * w[1] - r.x[1] * w[2];
    out[1] = r.x[0] * w[2] - r.x[2] * w[0];
    out[2] = r.x[1] * w[0] - r.x[0] * w[1];
}

TR_INLINE wd lane_lever_rate(lv r, uint32_t n, const wd w[3])
{
    const uint32_t next = (n + 1) % 3, last = (n + 2) % 3;
    return r.x[last] * w[next] - r.x[next] * w[last];
}

TR_INLINE void lane_lever_pull(lv r, const wd x[3], wd out[3])
{
    out[0] = r.x[1] * x[2] - r.x[2] * x[1];
    out[1] = r.x[2] * x[0] - r.x[0] * x[2];
    out[2] = r.x[0] * x[1] - r.x[1] * x[0];
}

/* a symmetric matrix times each lever, and the sum over axes of the lever times that */
TR_INLINE void lane_levers_by(const wd a[3][3], lv r, wd out[3][3])
{
    UNROLLED
    for (int i = 0; i < 3; i++) {
        out[0][i] = a[i][1] * r.x[2] - a[i][2] * r.x[1];
        out[1][i] = a[i][2] * r.x[0] - a[i][0] * r.x[2];
        out[2][i] = a[i][0] * r.x[1] - a[i][1] * r.x[0];
    }
}

TR_INLINE wd lane_levers_weight(const wd a[3][3], lv r)
{
    const wd x = r.x[0] * r.x[0], y = r.x[1] * r.x[1], z = r.x[2] * r.x[2];
    const wd both = a[0][1] * (r.x[0] * r.x[1]) + a[0][2] * (r.x[0] * r.x[2]) + a[1][2] * (r.x[1] * r.x[2]);
    return (a[0][0] * (y + z) + a[1][1] * (x + z) + a[2][2] * (x + y)) - (both + both);
}

static void lane_pose_write(const lane_pose *from, int lane, const tr3_bodies *bodies, uint32_t row,
                            tr3_body_state *state)
{
    const tr3_dquat q = {from->q[0][lane], from->q[1][lane], from->q[2][lane], from->q[3][lane]};
    tr3_exact_principal_write(bodies, row, state, q);
}

/* anchors from the centre of mass, in the axes of the pose, null: of what does not move; as they come they are from the
   origins of these rows */
static void lane_anchor(const tr3_bodies *bodies, const uint32_t rows[TR_DOUBLES], lv *anchor, const lane_pose *pose)
{
    const float *const center[3] = {bodies->local_center_x, bodies->local_center_y, bodies->local_center_z};
    UNROLLED
    for (int i = 0; i < 3; i++)
        anchor->x[i] = anchor->x[i] - lane_floats(center[i], rows, 0.0f);
    if (pose == NULL)
        return;
    const lv own = *anchor;
    if (pose->first >= 0) {
        UNROLLED
        for (int i = 0; i < 3; i++)
            anchor->x[i] = own.x[(pose->first + i) % 3];
        return;
    }
    for (int lane = 0; lane < TR_DOUBLES; lane++) {
        double out[3];
        tr3_exact_principal_of(bodies, rows[lane], (tr_dvec3){own.x[0][lane], own.x[1][lane], own.x[2][lane]}, out);
        UNROLLED
        for (int i = 0; i < 3; i++)
            anchor->x[i][lane] = out[i];
    }
}

#else

TR_INLINE void lane_motion_write(const lane_body *from, int lane, tr3_body_state *state)
{
    state->center = (tr_dvec3){from->center.x[0][lane], from->center.x[1][lane], from->center.x[2][lane]};
    state->velocity = (tr_dvec3){from->v[0][lane], from->v[1][lane], from->v[2][lane]};
    state->w = (tr_dvec3){from->v[3][lane], from->v[4][lane], from->v[5][lane]};
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

/* of what does not move by impulses, its state */
static void lane_still_read(lane_body *to, int lane, const tr3_body_state *state)
{
    const tr_dvec3 v = state->velocity, w = state->w;
    const tr3_dquat q = state->rotation;
    const double center[3] = {state->center.x, state->center.y, state->center.z};
    const double motion[DEGREES] = {v.x, v.y, v.z, w.x, w.y, w.z}, turn[4] = {q.x, q.y, q.z, q.w};
    for (int i = 0; i < 3; i++)
        to->center.x[i][lane] = center[i];
    for (int i = 0; i < DEGREES; i++)
        to->v[i][lane] = motion[i];
    for (int i = 0; i < 4; i++)
        to->pose.q[i][lane] = turn[i];
}

/* of columns whose numbers are sums of two floats */
TR_INLINE void lane_sums(const float *const high[], const float *const low[], const uint32_t rows[TR_DOUBLES],
                         uint32_t count, wd *out)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = lane_floats(high[i], rows, 0.0f) + lane_floats(low[i], rows, 0.0f);
}

#define HIGHS(bodies)                                                                                                  \
    {                                                                                                                  \
        bodies->velocity_x, bodies->velocity_y, bodies->velocity_z, bodies->angular_velocity_x,                        \
            bodies->angular_velocity_y, bodies->angular_velocity_z, bodies->rotation_x, bodies->rotation_y,            \
            bodies->rotation_z, bodies->rotation_w                                                                     \
    }
#define LOWS(bodies)                                                                                                   \
    {                                                                                                                  \
        bodies->velocity_x_low, bodies->velocity_y_low, bodies->velocity_z_low, bodies->angular_velocity_x_low,        \
            bodies->angular_velocity_y_low, bodies->angular_velocity_z_low, bodies->rotation_x_low,                    \
            bodies->rotation_y_low, bodies->rotation_z_low, bodies->rotation_w_low                                     \
    }

/* lane_pose's `first`: of bodies with the same moments */
static int first_of_all(const tr3_bodies *bodies, const uint32_t rows[TR_DOUBLES])
{
    double moment[3];
    int first;
    for (int lane = 0; lane < TR_DOUBLES; lane++)
        if (tr3_body_is_tilted(bodies, rows[lane]) || bodies->inertia_x[rows[lane]] != bodies->inertia_x[rows[0]] ||
            bodies->inertia_y[rows[lane]] != bodies->inertia_y[rows[0]] ||
            bodies->inertia_z[rows[lane]] != bodies->inertia_z[rows[0]])
            return -1;
    (void)tr3_exact_principal_order(bodies, rows[0], moment, &first);
    return first;
}

/* Where a body is and how it moves, as tr3_exact_state_read(): of what moves from the table. */
static void lane_state_read(const lane_pack *p, lane_body *to, const uint32_t rows[TR_DOUBLES], bool moves)
{
    const tr3_bodies *bodies = p->step->system->bodies;
    lane_pose *pose = &to->pose;
    const float *const high[10] = HIGHS(bodies), *const low[10] = LOWS(bodies);
    pose->ordered = false;
    if (moves) {
        to->center.x[0] = lane_doubles(bodies->center_x, rows);
        to->center.x[1] = lane_doubles(bodies->center_y, rows);
        to->center.x[2] = lane_doubles(bodies->center_z, rows);
        lane_sums(high, low, rows, DEGREES, to->v);
        lane_sums(high + DEGREES, low + DEGREES, rows, 4, pose->q);
        const wd *q = pose->q, length = wd_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int i = 0; i < 4; i++)
            pose->q[i] = pose->q[i] / length;
    }
    pose->first = moves ? first_of_all(bodies, rows) : -1;
    double moment[3] = {1.0, 1.0, 1.0};
    tr3_dquat turn = {0.0, 0.0, 0.0, 1.0};
    for (int lane = 0; lane < TR_DOUBLES; lane++) {
        int first;
        if (!moves)
            lane_still_read(to, lane, &p->step->exact->state[rows[lane]]);
        else if (lane == 0 || pose->first < 0)
            turn = tr3_exact_principal_order(bodies, rows[lane], moment, &first);
        UNROLLED
        for (int i = 0; i < 3; i++)
            pose->moment[i][lane] = moment[i];
        pose->order[0][lane] = turn.x;
        pose->order[1][lane] = turn.y;
        pose->order[2][lane] = turn.z;
        pose->order[3][lane] = turn.w;
        pose->ordered = pose->ordered || turn.w != 1.0;
    }
    if (pose->ordered)
        lane_compose(pose->q, pose->order, pose->q);
    lane_matrix(pose);
}

static void lane_state_write(const lane_pack *p, const lane_body *body, int lane, uint32_t row)
{
    tr3_body_state *state = &p->step->exact->state[row];
    lane_motion_write(body, lane, state);
    lane_pose_write(&body->pose, lane, p->step->system->bodies, row, state);
}

/* Rows of the table, of these lanes, as tr3_exact_state_write(). */
KNOWN_SIZES void lane_rows_write(const lane_pack *p, const lane_body *body, const uint32_t rows[TR_DOUBLES],
                                 uint32_t lanes)
{
    tr3_bodies *bodies = p->step->system->bodies;
    float *const high[10] = HIGHS(bodies), *const low[10] = LOWS(bodies);
    wd now[10], back[4];
    for (int i = 0; i < DEGREES; i++)
        now[i] = body->v[i];
    for (int i = 0; i < 4; i++) {
        now[DEGREES + i] = body->pose.q[i];
        back[i] = i < 3 ? -body->pose.order[i] : body->pose.order[i];
    }
    if (body->pose.ordered)
        lane_compose(body->pose.q, back, now + DEGREES);
    lane_doubles_write(bodies->center_x, rows, lanes, body->center.x[0]);
    lane_doubles_write(bodies->center_y, rows, lanes, body->center.x[1]);
    lane_doubles_write(bodies->center_z, rows, lanes, body->center.x[2]);
    for (int i = 0; i < 10; i++) {
        const wdf large = wd_narrow(now[i]);
        lane_floats_write(high[i], rows, lanes, large);
        lane_floats_write(low[i], rows, lanes, wd_narrow(now[i] - wd_widen(large)));
    }
}

/* Both are the first moment in all directions, and what the other two have beside it along their axes. */
static void lane_inertia(lane_body *body)
{
    const lane_pose *pose = &body->pose;
    const wd none = wd_set(0.0);
    wd inertia[3][3], inverse[3][3];
    UNROLLED
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            inertia[i][k] = i == k ? pose->moment[0] : none;
            inverse[i][k] = i == k ? pose->inverse_moment[0] : none;
        }
    UNROLLED
    for (int axis = 0; axis < 2; axis++) {
        if (!pose->uneven[axis])
            continue;
        UNROLLED
        for (int i = 0; i < 3; i++) {
            const wd more = pose->rise[axis] * pose->r[i][axis + 1], less = pose->excess[axis] * pose->r[i][axis + 1];
            UNROLLED
            for (int k = 0; k < 3; k++)
                if (k <= i) {
                    inertia[i][k] = inertia[i][k] + more * pose->r[k][axis + 1];
                    inverse[i][k] = inverse[i][k] + less * pose->r[k][axis + 1];
                }
        }
    }
    UNROLLED
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            body->inertia[i][k] = body->inertia[k][i] = inertia[i][k];
            body->inverse[i][k] = body->inverse[k][i] = inverse[i][k];
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

/* forces, N, and torques, N m */
TR_INLINE void lane_pull_read(lane_body *to, const tr3_bodies *bodies, const uint32_t rows[TR_DOUBLES])
{
    const float *const columns[6] = {bodies->force_x,  bodies->force_y,  bodies->force_z,
                                     bodies->torque_x, bodies->torque_y, bodies->torque_z};
    for (int i = 0; i < 6; i++)
        to->pull[i] = lane_floats(columns[i], rows, 0.0f);
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
        pose->rise[i] = pose->moment[i + 1] - pose->moment[0];
        pose->uneven[i] = wd_any(~(wdm)(pose->moment[i + 1] == pose->moment[0]));
    }
}

TR_INLINE void lane_stiffen(lane_body *body, lv arm, lv force)
{
    const wd along = lv_dot(arm, force), half = wd_set(0.5);
    UNROLLED
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            const wd one = arm.x[i] * force.x[k];
            body->stiffness[i][k] = i == k ? body->stiffness[i][k] + (along - one)
                                           : body->stiffness[i][k] - half * (one + arm.x[k] * force.x[i]);
        }
}

/* bodies that are slowed down are few: one by one */
static void lane_slow_one(lane_body *body, int lane, double most, const wd turning[3][3])
{
    tr3_exact_body own;
    memset(&own, 0, sizeof own);
    own.turns = true;
    UNROLLED
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            own.inertia[i][k] = body->inertia[i][k][lane];
            own.inverse[i][k] = body->inverse[i][k][lane];
            own.turning[i][k] = turning[i][k][lane];
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

/* Where h^2 times the stiffness of a body may be more than its inertia against turning; `most`: that h^2. */
TR_INLINE wdm lane_is_slow(const wd stiffness[3][3], double most, const wd turning[3][3])
{
    wd left[3][3];
    const wd none = wd_set(0.0);
    UNROLLED
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++)
            left[i][k] = left[k][i] = turning[i][k] - wd_set(most) * stiffness[i][k];
    /* in no direction stiffer than that: what is left is positive, which its minors say */
    const wd c0 = left[1][1] * left[2][2] - left[1][2] * left[1][2],
             c1 = left[1][2] * left[0][2] - left[0][1] * left[2][2],
             c2 = left[0][1] * left[1][2] - left[1][1] * left[0][2];
    const wd determinant = left[0][0] * c0 + left[0][1] * c1 + left[0][2] * c2;
    return ~(wd_lt(none, left[2][2]) & wd_lt(none, c0) & wd_lt(none, determinant));
}

/* Slows a body down there. */
static wdm lane_slow(lane_body *body, double most, const wd turning[3][3])
{
    const wdm slow = lane_is_slow((const wd(*)[3])body->stiffness, most, turning);
    body->slow = body->inertia;
    body->slow_inverse = body->inverse;
    body->slowness = wd_set(1.0);
    if (!wd_any(slow))
        return slow;
    body->slow = body->slowed[0];
    body->slow_inverse = body->slowed[1];
    memcpy(body->slow, body->inertia, sizeof body->inertia);
    memcpy(body->slow_inverse, body->inverse, sizeof body->inverse);
    for (int lane = 0; lane < TR_DOUBLES; lane++)
        if (slow[lane] != 0)
            lane_slow_one(body, lane, most, turning);
    return slow;
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
    const wd square = by[0] * by[0] + by[1] * by[1] + by[2] * by[2], half = wd_set(0.5), one = wd_set(1.0);
    const wdm small = wd_le(square, wd_set(4.0 * LANE_SMALL * LANE_SMALL));
    wdm sane = small;
    wd turn[4], s;
    lane_sincos_core(one, wd_set(0.25) * square, &s, &turn[3]);
    s = half * s;
    if (wd_any(~small)) {
        const wd angle = wd_sqrt(square);
        wd far_s, far_c;
        lane_sincos(half * angle, &far_s, &far_c);
        s = wd_select(small, s, far_s / angle);
        turn[3] = wd_select(small, turn[3], far_c);
        sane = wd_le(angle, wd_set(1e9));
    }
    UNROLLED
    for (int i = 0; i < 3; i++)
        turn[i] = s * by[i];
    lane_compose(turn, q, q);
    return sane;
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
    lane_small_sincos(wd_set(0.5) * angle, &half_s, &half_c);
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

#include "solver/space/exact_turns.inl"

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
        if (pose->uneven[0])
            sane &= lane_turn_about(q, l, 1, half * pose->excess[0] * l[1]);
        if (pose->uneven[1])
            sane &= lane_turn_about(q, l, 2, wd_set(h) * pose->excess[1] * l[2]);
        lane_quat_turned(q, 1.0, l, world);
        UNROLLED
        for (int i = 0; i < 3; i++)
            world[i] = wd_set(h) * pose->inverse_moment[0] * world[i];
        sane &= lane_turn_by(q, world);
        if (pose->uneven[0])
            sane &= lane_turn_about(q, l, 1, half * pose->excess[0] * l[1]);
    }
    /* Newton's step for the inverse of a length that rounding has left next to 1 */
    const wd scale = wd_set(1.5) - wd_set(0.5) * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    /* a turn by nothing may change -0 to 0, and is left out only if no lane needs it */
    UNROLLED
    for (int i = 0; i < 4; i++)
        q[i] = scale * q[i] + wd_set(0.0);
    lane_matrix(pose);
    if (h > 0.0) {
        lv w;
        UNROLLED
        for (int i = 0; i < 3; i++)
            w.x[i] = pose->inverse_moment[i] * l[i];
        w = lane_turned(pose, w);
        UNROLLED
        for (int i = 0; i < 3; i++)
            body->v[3 + i] = w.x[i] + wd_set(0.0);
    }
    return sane & wd_le(wd_abs(q[3]), wd_set(2.0));
}

#endif
