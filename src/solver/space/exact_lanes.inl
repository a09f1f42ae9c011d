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
    int first; /* which of its own axes is the first, if all lanes have equal moments and none has other axes than the
                       principal ones; otherwise -1 */
    wd excess[2];   /* what the inverses of the last two moments are more than that of the first, */
    wd rise[2];     /* and they themselves */
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

/* What a body with that inverse couples two points on it by: minus the sum of each lever of the second times the inverse times
   those of the first, and `linear` on the diagonal. */
TR_INLINE void lane_lever_cross(const wd a[3][3], lv first, lv second, wd linear, wd out[9])
{
    wd w[3][3];
    lane_levers_by(a, first, w);
    UNROLLED
    for (uint32_t r = 0; r < 3; r++) {
        const uint32_t next = (r + 1) % 3, last = (r + 2) % 3;
        UNROLLED
        for (uint32_t c = 0; c < 3; c++) {
            const wd less = second.x[next] * w[c][last], more = second.x[last] * w[c][next];
            out[r * 3 + c] = r == c ? linear - (more - less) : less - more;
        }
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

/* anchors from the centre of mass, in the axes of a body's pose; as they come they are in its own axes */
TR_INLINE void lane_anchor(const tr3_bodies *bodies, const tr3_exact_pin *const pins[TR_DOUBLES], uint32_t end,
                           lv *anchor, const lane_pose *pose)
{
    const lv own = *anchor;
    if (pose->first == 0)
        return;
    if (pose->first > 0) {
        *anchor = pose->first == 1 ? (lv){{own.x[1], own.x[2], own.x[0]}} : (lv){{own.x[2], own.x[0], own.x[1]}};
        return;
    }
    for (int lane = 0; lane < TR_DOUBLES; lane++) {
        double out[3];
        tr3_exact_principal_of(bodies, pins[lane]->end[end], (tr_dvec3){own.x[0][lane], own.x[1][lane], own.x[2][lane]},
                               out);
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
TR_INLINE void lane_sums(const float *const high[], const float *const low[], const lane_places *at, uint32_t count,
                         wd *out)
{
    UNROLLED
    for (uint32_t i = 0; i < count; i++)
        out[i] = lane_floats(high[i], at, 0.0f) + lane_floats(low[i], at, 0.0f);
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

/* The columns of the table that lanes read or write. */
#define LANE_NARROW 39
#define LANE_WIDE   3

TR_INLINE void lane_columns(const tr3_bodies *bodies, const float *narrow[LANE_NARROW], const double *wide[LANE_WIDE])
{
    const float *const high[10] = HIGHS(bodies), *const low[10] = LOWS(bodies);
    const float *const others[LANE_NARROW - 20] = {
        bodies->mass,           bodies->inertia_x,      bodies->inertia_y,      bodies->inertia_z,
        bodies->frame_x,        bodies->frame_y,        bodies->frame_z,        bodies->gravity_scale,
        bodies->force_x,        bodies->force_y,        bodies->force_z,        bodies->torque_x,
        bodies->torque_y,       bodies->torque_z,       bodies->linear_damping, bodies->angular_damping,
        bodies->local_center_x, bodies->local_center_y, bodies->local_center_z};
    memcpy(narrow, high, sizeof high);
    memcpy(narrow + 10, low, sizeof low);
    memcpy(narrow + 20, others, sizeof others);
    wide[0] = bodies->center_x;
    wide[1] = bodies->center_y;
    wide[2] = bodies->center_z;
}

/* Moments of bodies which have the same ones about their own axes, and the first of these; -1: they do not. */
static int equal_moments(lane_pose *to, const tr3_bodies *bodies, const lane_places *at)
{
    const float *const columns[3] = {bodies->inertia_x, bodies->inertia_y, bodies->inertia_z};
    const float *const frame[3] = {bodies->frame_x, bodies->frame_y, bodies->frame_z};
    const wd none = wd_set(0.0);
    wdm other = (wdm)none;
    double moment[3];
    int first;
    UNROLLED
    for (int i = 0; i < 3; i++) {
        const wd own = lane_floats(columns[i], at, 0.0f);
        other |= ~(wdm)(own == wd_set(own[0])) | ~(wdm)(lane_floats(frame[i], at, 0.0f) == none);
    }
    if (wd_any(other))
        return -1;
    const tr3_dquat turn = tr3_exact_principal_order(bodies, at->row[0], moment, &first);
    UNROLLED
    for (int i = 0; i < 3; i++)
        to->moment[i] = wd_set(moment[i]);
    to->order[0] = wd_set(turn.x);
    to->order[1] = wd_set(turn.y);
    to->order[2] = wd_set(turn.z);
    to->order[3] = wd_set(turn.w);
    to->ordered = turn.w != 1.0;
    return first;
}

/* Where a body is and how it moves, as tr3_exact_state_read(): of what moves from the table. */
static void lane_state_read(const lane_pack *p, lane_body *to, const lane_places *at, bool moves)
{
    const tr3_bodies *bodies = p->step->system->bodies;
    lane_pose *pose = &to->pose;
    const float *const high[10] = HIGHS(bodies), *const low[10] = LOWS(bodies);
    pose->ordered = false;
    if (moves) {
        to->center.x[0] = lane_doubles(bodies->center_x, at);
        to->center.x[1] = lane_doubles(bodies->center_y, at);
        to->center.x[2] = lane_doubles(bodies->center_z, at);
        lane_sums(high, low, at, DEGREES, to->v);
        lane_sums(high + DEGREES, low + DEGREES, at, 4, pose->q);
        const wd *q = pose->q, length = wd_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int i = 0; i < 4; i++)
            pose->q[i] = pose->q[i] / length;
    }
    pose->first = moves ? equal_moments(pose, bodies, at) : -1;
    double moment[3] = {1.0, 1.0, 1.0};
    tr3_dquat turn = {0.0, 0.0, 0.0, 1.0};
    for (int lane = 0; lane < TR_DOUBLES && pose->first < 0; lane++) {
        int first;
        if (!moves)
            lane_still_read(to, lane, &p->step->exact->state[at->row[lane]]);
        else
            turn = tr3_exact_principal_order(bodies, at->row[lane], moment, &first);
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
KNOWN_SIZES void lane_rows_write(const lane_pack *p, const lane_body *body, const lane_places *at, uint32_t lanes)
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
    lane_doubles_write(bodies->center_x, at, lanes, body->center.x[0]);
    lane_doubles_write(bodies->center_y, at, lanes, body->center.x[1]);
    lane_doubles_write(bodies->center_z, at, lanes, body->center.x[2]);
    for (int i = 0; i < 10; i++) {
        const wdf large = wd_narrow(now[i]);
        lane_floats_write(high[i], at, lanes, large);
        lane_floats_write(low[i], at, lanes, wd_narrow(now[i] - wd_widen(large)));
    }
}

/* Both are the first moment in all directions, and what the other two have beside it along their axes. */
TR_INLINE void lane_inertia(lane_body *body)
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
        body->rest->gyration[i] = -(body->inverse[i][0] * turning.x[0] + body->inverse[i][1] * turning.x[1] +
                                    body->inverse[i][2] * turning.x[2]);
}

TR_INLINE void lane_local_read(lane_body *to, const tr3_bodies *bodies, const lane_places *at)
{
    to->rest->local.x[0] = lane_floats(bodies->local_center_x, at, 0.0f);
    to->rest->local.x[1] = lane_floats(bodies->local_center_y, at, 0.0f);
    to->rest->local.x[2] = lane_floats(bodies->local_center_z, at, 0.0f);
}

/* forces, N, and torques, N m */
TR_INLINE void lane_pull_read(lane_body *to, const tr3_bodies *bodies, const lane_places *at)
{
    const float *const columns[6] = {bodies->force_x,  bodies->force_y,  bodies->force_z,
                                     bodies->torque_x, bodies->torque_y, bodies->torque_z};
    UNROLLED
    for (int i = 0; i < 6; i++)
        to->rest->pull[i] = lane_floats(columns[i], at, 0.0f);
}

/* that is done with the pose */
TR_INLINE void lane_inertia_read(lane_body *to, const tr3_bodies *bodies, const lane_places *at, bool moves)
{
    (void)to;
    (void)bodies;
    (void)at;
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
    body->rest->slowness[lane] = own.slowness;
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
    body->rest->slowness = wd_set(1.0);
    if (!wd_any(slow))
        return slow;
    body->slow = body->rest->slowed[0];
    body->slow_inverse = body->rest->slowed[1];
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

#include "solver/space/exact_turns.inl"

#include "solver/space/exact_rotation.inl"

#endif
