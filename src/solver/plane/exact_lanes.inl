/*
 * What the plane supplies to islands side by side (solver/exact/lanes/lanes.inl), in two parts: before bodies are known their
 * poses, then what is done with bodies.
 */
#ifndef LANE_BODY_PARTS

#include "solver/plane/rotation.h"

typedef struct lane_pose {
    wd angle, s, c;
} lane_pose;

/* of a joint with an angle: what that is beside those of the bodies */
typedef struct lane_turn {
    wd beside[1];
} lane_turn;

TR_INLINE lv lane_turned(const lane_pose *pose, lv r)
{
    return (lv){{pose->c * r.x[0] - pose->s * r.x[1], pose->s * r.x[0] + pose->c * r.x[1]}};
}

/* w x r */
TR_INLINE lv lane_whirl(ls w, lv r)
{
    return (lv){{-w.x[0] * r.x[1], w.x[0] * r.x[0]}};
}

/* r x n of the axes n */
TR_INLINE void lane_levers(lv r, ls out[2])
{
    out[0].x[0] = -r.x[1];
    out[1].x[0] = r.x[0];
}

/* The same levers without what is 0 in them: of all axes r x n . w, that of one, and the sum over axes of (r x n) x. */
TR_INLINE void lane_lever_rates(lv r, const wd w[1], wd out[2])
{
    out[0] = -r.x[1] * w[0];
    out[1] = r.x[0] * w[0];
}

TR_INLINE wd lane_lever_rate(lv r, uint32_t n, const wd w[1])
{
    return n == 0 ? -r.x[1] * w[0] : r.x[0] * w[0];
}

TR_INLINE void lane_lever_pull(lv r, const wd x[2], wd out[1])
{
    out[0] = r.x[0] * x[1] - r.x[1] * x[0];
}

/* a symmetric matrix times each lever, and the sum over axes of the lever times that */
TR_INLINE void lane_levers_by(const wd a[1][1], lv r, wd out[2][1])
{
    out[0][0] = -(a[0][0] * r.x[1]);
    out[1][0] = a[0][0] * r.x[0];
}

/* What a body with that inverse couples two points on it by: minus the sum of each lever of the second times the inverse times
   those of the first, and `linear` on the diagonal. */
TR_INLINE void lane_lever_cross(const wd a[1][1], lv first, lv second, wd linear, wd out[4])
{
    const wd x = a[0][0] * first.x[0], y = a[0][0] * first.x[1];
    out[0] = linear - second.x[1] * y;
    out[1] = second.x[1] * x;
    out[2] = second.x[0] * y;
    out[3] = linear - second.x[0] * x;
}

TR_INLINE wd lane_levers_weight(const wd a[1][1], lv r)
{
    return a[0][0] * lv_dot(r, r);
}

static void lane_pose_write(const lane_pose *from, int lane, const tr2_bodies *bodies, uint32_t row,
                            tr2_body_state *state)
{
    (void)bodies;
    (void)row;
    state->angle = from->angle[lane];
    state->s = from->s[lane];
    state->c = from->c[lane];
}

/* anchors from the centre of mass, in the axes of a body's pose; as they come they are in its own axes */
TR_INLINE void lane_anchor(const tr2_bodies *bodies, const tr2_exact_pin *const pins[TR_DOUBLES], uint32_t end,
                           lv *anchor, const lane_pose *pose)
{
    (void)bodies;
    (void)pins;
    (void)end;
    (void)anchor;
    (void)pose;
}

#else

/* The columns of the table that lanes read or write. */
#define LANE_NARROW 18
#define LANE_WIDE   3

TR_INLINE void lane_columns(const tr2_bodies *bodies, const float *narrow[LANE_NARROW], const double *wide[LANE_WIDE])
{
    const float *const all[LANE_NARROW] = {bodies->mass,
                                           bodies->inertia,
                                           bodies->gravity_scale,
                                           bodies->force_x,
                                           bodies->force_y,
                                           bodies->torque,
                                           bodies->linear_damping,
                                           bodies->angular_damping,
                                           bodies->local_center_x,
                                           bodies->local_center_y,
                                           bodies->velocity_x,
                                           bodies->velocity_y,
                                           bodies->angular_velocity,
                                           bodies->velocity_x_low,
                                           bodies->velocity_y_low,
                                           bodies->angular_velocity_low,
                                           bodies->c,
                                           bodies->s};
    memcpy(narrow, all, sizeof all);
    wide[0] = bodies->center_x;
    wide[1] = bodies->center_y;
    wide[2] = bodies->angle;
}

/* Where a body is and how it moves, as tr2_exact_state_read(): of what moves from the table. */
static void lane_state_read(const lane_pack *p, lane_body *to, const lane_places *at, bool moves)
{
    const tr2_bodies *bodies = p->step->system->bodies;
    if (moves) {
        to->center.x[0] = lane_doubles(bodies->center_x, at);
        to->center.x[1] = lane_doubles(bodies->center_y, at);
        to->v[0] = lane_floats(bodies->velocity_x, at, 0.0f) + lane_floats(bodies->velocity_x_low, at, 0.0f);
        to->v[1] = lane_floats(bodies->velocity_y, at, 0.0f) + lane_floats(bodies->velocity_y_low, at, 0.0f);
        to->v[2] =
            lane_floats(bodies->angular_velocity, at, 0.0f) + lane_floats(bodies->angular_velocity_low, at, 0.0f);
        to->pose.angle = lane_doubles(bodies->angle, at);
        lane_sincos(to->pose.angle, &to->pose.s, &to->pose.c);
        return;
    }
    for (int lane = 0; lane < TR_DOUBLES; lane++) {
        const tr2_body_state *state = &p->step->exact->state[at->row[lane]];
        to->center.x[0][lane] = state->center.x;
        to->center.x[1][lane] = state->center.y;
        to->v[0][lane] = state->velocity.x;
        to->v[1][lane] = state->velocity.y;
        to->v[2][lane] = state->w;
        to->pose.angle[lane] = state->angle;
        to->pose.s[lane] = state->s;
        to->pose.c[lane] = state->c;
    }
}

TR_INLINE void lane_motion_write(const lane_body *from, int lane, tr2_body_state *state)
{
    state->center = (tr_dvec2){from->center.x[0][lane], from->center.x[1][lane]};
    state->velocity = (tr_dvec2){from->v[0][lane], from->v[1][lane]};
    state->w = from->v[2][lane];
}

static void lane_state_write(const lane_pack *p, const lane_body *body, int lane, uint32_t row)
{
    tr2_body_state *state = &p->step->exact->state[row];
    lane_motion_write(body, lane, state);
    lane_pose_write(&body->pose, lane, p->step->system->bodies, row, state);
}

/* tr2_rotation_of() of all lanes */
TR_INLINE void lane_rotation_of(wd angle, wdf *c, wdf *s)
{
    const wd magic = wd_set(6755399441055744.0), shifted = angle * wd_set(0.63661977236758134308) + magic;
    const wd q = shifted - magic;
    const wd r = (angle - q * wd_set(1.57079632580280303955)) - q * wd_set(9.92093579680540425193e-10), r2 = r * r;
    const wd sine =
        r + r * (r2 * (wd_set(-1.66666666407970426311e-1) +
                       r2 * (wd_set(8.33332930484251797887e-3) +
                             r2 * (wd_set(-1.98393122694850884387e-4) + r2 * wd_set(2.71812162798315925705e-6)))));
    const wd cosine =
        wd_set(1.0) + r2 * (wd_set(-4.99999997251082739513e-1) +
                            r2 * (wd_set(4.16666233243472086678e-2) +
                                  r2 * (wd_set(-1.38867637944091394837e-3) + r2 * wd_set(2.43904507038888273402e-5))));
    const wdu quadrant = wd_low_bits(shifted), odd = -(quadrant & 1),
              sign = (quadrant - quadrant) + (UINT32_C(1) << 31);
    const wdu y = (wdu)wd_narrow(sine), x = (wdu)wd_narrow(cosine), swap = (y ^ x) & odd;
    *s = (wdf)(y ^ swap ^ (quadrant << 30 & sign));
    *c = (wdf)(x ^ swap ^ ((quadrant + 1) << 30 & sign));
}

/* Rows of the table, of these lanes, as tr2_exact_state_write(). */
KNOWN_SIZES void lane_rows_write(const lane_pack *p, const lane_body *body, const lane_places *at, uint32_t lanes)
{
    tr2_bodies *bodies = p->step->system->bodies;
    tr2_motion *motions = tr2_exact_motions(p->step->exact);
    const wd angle = body->pose.angle;
    wdf c, s, v[3];
    if (motions != NULL) {
        const wdf x = wd_narrow(body->center.x[0] - lane_doubles(bodies->center_x, at)),
                  y = wd_narrow(body->center.x[1] - lane_doubles(bodies->center_y, at)),
                  turn = wd_narrow(angle - lane_doubles(bodies->angle, at));
        UNROLLED_LANES
        for (int lane = 0; lane < TR_DOUBLES; lane++)
            if ((lanes >> lane & 1) != 0)
                motions[at->row[lane]] = (tr2_motion){x[lane], y[lane], turn[lane]};
    }
    lane_doubles_write(bodies->center_x, at, lanes, body->center.x[0]);
    lane_doubles_write(bodies->center_y, at, lanes, body->center.x[1]);
    lane_doubles_write(bodies->angle, at, lanes, angle);
    float *const high[3] = {bodies->velocity_x, bodies->velocity_y, bodies->angular_velocity};
    float *const low[3] = {bodies->velocity_x_low, bodies->velocity_y_low, bodies->angular_velocity_low};
    UNROLLED
    for (int i = 0; i < 3; i++) {
        v[i] = wd_narrow(body->v[i]);
        lane_floats_write(high[i], at, lanes, v[i]);
        lane_floats_write(low[i], at, lanes, wd_narrow(body->v[i] - wd_widen(v[i])));
    }
    lane_rotation_of(angle, &c, &s);
    lane_floats_write(bodies->c, at, lanes, c);
    lane_floats_write(bodies->s, at, lanes, s);
    if (!wd_any(wd_lt(wd_set(TR2_ROTATION_MOST), wd_abs(angle))))
        return;
    for (int lane = 0; lane < TR_DOUBLES; lane++)
        if ((lanes >> lane & 1) != 0)
            tr2_rotation(angle[lane], &bodies->c[at->row[lane]], &bodies->s[at->row[lane]]);
}

/* The directions and arms of one lane's contact, of which one end moves; the column of a row that rubs. */
static void lane_touch_read(lane_touch *to, int lane, const tr2_exact_contact *c, uint32_t own)
{
    const tr_dvec2 *const arm[2] = {own == 0 ? &c->arm_a : &c->arm_b, own == 0 ? &c->arm_b : &c->arm_a};
    to->normal.x[0][lane] = c->normal.x;
    to->normal.x[1][lane] = c->normal.y;
    to->across[0].x[0][lane] = -c->normal.y;
    to->across[0].x[1][lane] = c->normal.x;
    to->surface[0][lane] = c->surface[0];
    for (int end = 0; end < 2; end++) {
        to->arm[end].x[0][lane] = arm[end]->x;
        to->arm[end].x[1][lane] = arm[end]->y;
    }
    for (uint32_t i = 1; i < c->points; i++) {
        to->further[i].x[0][lane] = c->further[i].x;
        to->further[i].x[1][lane] = c->further[i].y;
    }
}

TR_INLINE uint32_t lane_touch_column(uint32_t r)
{
    return r < TOUCH_TURNS ? TR2_CONTACT_TANGENT : TR2_CONTACT_TURN;
}

/* r x n; and what an axis of rotation is as a spin */
TR_INLINE void lane_moment(lv r, lv n, wd out[1])
{
    out[0] = r.x[0] * n.x[1] - r.x[1] * n.x[0];
}

TR_INLINE wd lane_axis(lv n, int i)
{
    (void)n;
    (void)i;
    return wd_set(1.0);
}

/* the rotation from one pose to another as a vector, as of contacts */
TR_INLINE void lane_turned_since(const lane_pose *from, const lane_pose *to, wd out[1])
{
    out[0] = to->angle - from->angle;
}

/* it stays */
TR_INLINE void lane_inertia(lane_body *body)
{
    (void)body;
}

TR_INLINE void lane_local_read(lane_body *to, const tr2_bodies *bodies, const lane_places *at)
{
    to->rest->local.x[0] = lane_floats(bodies->local_center_x, at, 0.0f);
    to->rest->local.x[1] = lane_floats(bodies->local_center_y, at, 0.0f);
}

/* forces, N, and the torque, N m */
TR_INLINE void lane_pull_read(lane_body *to, const tr2_bodies *bodies, const lane_places *at)
{
    to->rest->pull[0] = lane_floats(bodies->force_x, at, 0.0f);
    to->rest->pull[1] = lane_floats(bodies->force_y, at, 0.0f);
    to->rest->pull[2] = lane_floats(bodies->torque, at, 0.0f);
}

TR_INLINE void lane_inertia_read(lane_body *to, const tr2_bodies *bodies, const lane_places *at, bool moves)
{
    to->inertia[0][0] = moves ? lane_floats(bodies->inertia, at, 0.0f) : wd_set(1.0);
}

TR_INLINE void lane_inertia_finish(lane_body *body)
{
    body->inverse[0][0] = wd_set(1.0) / body->inertia[0][0];
    body->rest->gyration[0] = wd_set(0.0);
    body->straight = true;
}

TR_INLINE void lane_stiffen(lane_body *body, lv arm, lv force)
{
    body->stiffness[0][0] = body->stiffness[0][0] + lv_dot(arm, force);
}

/* Where h^2 times the stiffness of a body is more than its inertia against turning; `most`: that h^2. */
TR_INLINE wdm lane_is_slow(const wd stiffness[1][1], double most, const wd turning[1][1])
{
    const wd stiff = wd_set(most) * stiffness[0][0];
    return wd_lt(turning[0][0], stiff) & wd_le(stiff, wd_set(DBL_MAX));
}

/* Slows a body down there. */
TR_INLINE wdm lane_slow(lane_body *body, double most, const wd turning[1][1])
{
    const wd stiff = wd_set(most) * body->stiffness[0][0], inertia = body->inertia[0][0];
    const wdm slow = lane_is_slow((const wd(*)[1])body->stiffness, most, turning);
    body->slow = body->inertia;
    body->slow_inverse = body->inverse;
    body->rest->slowness = wd_set(1.0);
    if (!wd_any(slow))
        return slow;
    body->slow = body->rest->slowed[0];
    body->slow_inverse = body->rest->slowed[1];
    body->slow[0][0] = wd_select(slow, inertia + (stiff - turning[0][0]), inertia);
    body->slow_inverse[0][0] = wd_select(slow, wd_set(1.0) / body->slow[0][0], body->inverse[0][0]);
    body->rest->slowness = wd_select(slow, turning[0][0] / stiff, wd_set(1.0));
    return slow;
}

/* what there is of one lane's joint beside coordinates; in the plane nothing */
static void lane_turn_read(const lane_pack *p, lane_joint *to, int lane, const tr2_exact_joint *from)
{
    (void)p;
    (void)to;
    (void)lane;
    (void)from;
}

static void lane_turn_write(const lane_joint *from, int lane, tr2_exact_joint *to)
{
    (void)from;
    (void)lane;
    (void)to;
}

/* the row of the angle at the present state, but for its features */
TR_INLINE void lane_turns(lane_pack *p, lane_joint *joint)
{
    const lane_body *a = &p->bodies[joint->end[0]], *b = &p->bodies[joint->end[1]];
    lane_row *row = &joint->rows[2];
    row->u = b->v[2] - a->v[2];
    row->law->value = b->pose.angle - a->pose.angle + joint->turn->beside[0];
    row->bend = row->close = row->k = wd_set(0.0);
    if (joint->end[0] < p->body_count)
        row->k = row->k + a->inverse[0][0];
    if (joint->end[1] < p->body_count)
        row->k = row->k + b->inverse[0][0];
}

/* Turns by a correction, and freely for a time. Whether the pose is still one. */
TR_INLINE wdm lane_rotate(lane_body *body, ls by, double h)
{
    wd angle = body->pose.angle + by.x[0];
    if (h > 0.0)
        angle = angle + wd_set(h) * body->v[2];
    body->pose.angle = angle;
    /* what moves no more is not seen from anywhere */
    if (h > 0.0)
        lane_sincos(angle, &body->pose.s, &body->pose.c);
    /* more turns than that are for the general path, whose sines know greater angles */
    return wd_le(wd_abs(angle), wd_set(1e9));
}

#endif
