/*
 * A row between two coordinates relative to carriers: up to four bodies, A and B and their carriers. As
 * solver/plane/carried.inl: the blocks of such a kernel end with two columns of carriers in the format of
 * tr3_block_bodies; the null row is the world. The row loads and stores them itself. A body may be at two ends: then
 * each of the two gets the impulse of both, so that their copies of its motion agree afterwards. A kernel without
 * carriers is the same one with a world that does not move.
 */
#include "solver/space/carried.h"

/* a body as the step begins, in double; the world */
TR_INLINE tr3_joint_place lane_place(const tr3_kernel_context *k, int32_t body, tr_vec3 *local_center)
{
    const uint32_t row = k->body_of_row[tr3_row_at(body)];
    const double *const places = (const double *)(const void *)k->places;
    const double *xy = w4_pair(places, body), *z = w4_pair(places + TR3_PART / 2, body);
    tr3_joint_place r;
    memset(&r, 0, sizeof r);
    r.rotation.w = 1.0;
    *local_center = (tr_vec3){0.0f, 0.0f, 0.0f};
    if (row == TR_NONE)
        return r;
    tr3_dquat q = {(double)k->rotation_x[row], (double)k->rotation_y[row], (double)k->rotation_z[row],
                   (double)k->rotation_w[row]};
    if (k->frame_x != NULL)
        q = tr3_compose(q, (tr3_dquat){-(double)k->frame_x[row], -(double)k->frame_y[row], -(double)k->frame_z[row],
                                       (double)k->frame_w[row]});
    r.rotation = tr3_normalised(q);
    r.center = (tr_dvec3){xy[0], xy[1], z[0]};
    if (k->local_center_x != NULL)
        *local_center = (tr_vec3){k->local_center_x[row], k->local_center_y[row], k->local_center_z[row]};
    r.origin = tr3_minus(r.center, tr3_turned(r.rotation, tr3_widen(*local_center)));
    return r;
}

/* the rotation from a body's principal axes to its frame */
TR_INLINE tr3_dquat lane_frame(const tr3_kernel_context *k, int32_t body)
{
    const uint32_t row = k->body_of_row[tr3_row_at(body)];
    if (row == TR_NONE || k->frame_x == NULL)
        return (tr3_dquat){0.0, 0.0, 0.0, 1.0};
    return (tr3_dquat){(double)k->frame_x[row], (double)k->frame_y[row], (double)k->frame_z[row],
                       (double)k->frame_w[row]};
}

TR_INLINE double wide_field(const tr3_joint_columns *columns, int field, uint32_t row)
{
    return ((const double *)(const void *)columns->field[field])[row];
}

TR_INLINE tr_vec3 lane_vector(tr3_fields f, int first, int at)
{
    return (tr_vec3){f[first][at], f[first + 1][at], f[first + 2][at]};
}

TR_INLINE tr_quat lane_quat(tr3_fields f, int first, int at)
{
    return (tr_quat){f[first][at], f[first + 1][at], f[first + 2][at], f[first + 3][at]};
}

/* the rows of a block's carriers, which are its last two columns, for TR_WIDTH lanes */
TR_INLINE const int32_t *carrier_rows(const float *c, int first, int which)
{
    return (const int32_t *)(const void *)(c + TR_LANES * (first + which));
}

/* the masses of a carrier, as columns */
enum { CARRIER_IM, CARRIER_II, CARRIER_COLUMNS = CARRIER_II + 3 };

/* columns of both, and which ends are the same body: 1 if they are */
enum {
    CARRIED_A_MASS,
    CARRIED_B_MASS = CARRIED_A_MASS + CARRIER_COLUMNS,
    CARRIED_A_IS_CB = CARRIED_B_MASS + CARRIER_COLUMNS,
    CARRIED_B_IS_CA,
    CARRIED_CA_IS_CB,
    CARRIED_COLUMNS
};

TR_INLINE void carrier_put(const tr3_kernel_context *k, float *c, int first, const int32_t *rows, wf on)
{
    int32_t at[TR_WIDTH];
    for (int i = 0; i < TR_WIDTH; i++)
        at[i] = tr3_frame_row(k, rows[i]);
    w4 inverses = w4_load_rows((const float *)k->frames, at, 1);
    put(c, first + CARRIER_IM, on * inverses.x);
    put3(c, first + CARRIER_II, times(on, (w3){inverses.y, inverses.z, inverses.w}));
}

/* of a kernel with carriers */
TR_INLINE void carried_put(const tr3_kernel_context *k, float *c, int first, const setup *s, const int32_t *rows_a,
                           const int32_t *rows_b)
{
    wf on = s->on != NULL ? wf_load(s->on) : wf_set(1.0f);
    carrier_put(k, c, first + CARRIED_A_MASS, rows_a, on);
    carrier_put(k, c, first + CARRIED_B_MASS, rows_b, on);
    float a_is_cb[TR_WIDTH], b_is_ca[TR_WIDTH], ca_is_cb[TR_WIDTH];
    for (int i = 0; i < TR_WIDTH; i++) {
        a_is_cb[i] = s->row_a[i] == rows_b[i] ? 1.0f : 0.0f;
        b_is_ca[i] = s->row_b[i] == rows_a[i] ? 1.0f : 0.0f;
        ca_is_cb[i] = rows_a[i] == rows_b[i] ? 1.0f : 0.0f;
    }
    put(c, first + CARRIED_A_IS_CB, wf_load(a_is_cb));
    put(c, first + CARRIED_B_IS_CA, wf_load(b_is_ca));
    put(c, first + CARRIED_CA_IS_CB, wf_load(ca_is_cb));
}

/* one body's part of J, or the impulse per unit on it */
typedef struct part {
    w3 n, arm;
} part;

/* J of one side: (n, arm) for the body, (-n, -back) for its carrier */
typedef struct side {
    w3 n, arm, back;
    wf value; /* of the coordinate, times its factor */
} side;

/* a carrier during a visit */
typedef struct carrier {
    motion m, before;
    pose at;
    wf im;
    sym3 ii;
} carrier;

TR_INLINE carrier carrier_still(void)
{
    const pose still = {w3_zero(), wf_zero(), {wf_zero(), wf_zero(), wf_zero(), wf_set(1.0f)}};
    carrier r = {motion_still(),
                 motion_still(),
                 still,
                 wf_zero(),
                 {wf_zero(), wf_zero(), wf_zero(), wf_zero(), wf_zero(), wf_zero()}};
    return r;
}

TR_INLINE carrier carrier_load(const tr3_kernel_context *k, const float *c, int first, const int32_t *rows)
{
    const float *velocities = (const float *)k->velocities, *poses = (const float *)k->poses;
    carrier r;
    r.m = r.before = motion_of(w4_load_rows(velocities, rows, 1), w4_load_rows(velocities + TR3_PART, rows, 1));
    r.at = pose_of(w4_load_rows(poses, rows, 1), w4_load_rows(poses + TR3_PART, rows, 1));
    r.im = get(c, first + CARRIER_IM);
    const axes turned = axes_of(r.at.q);
    r.ii = inverse_inertia(&turned, get3(c, first + CARRIER_II));
    return r;
}

/* writes no rows that must not be written */
TR_INLINE void carrier_store(const tr3_kernel_context *k, tr3_pass pass, const carrier *r, const int32_t *rows)
{
    const int32_t end = tr3_row_offset((uint32_t)k->moving_end);
    float *velocities = (float *)k->velocities, *poses = (float *)k->poses;
    if (pass.project) {
        const pose to = moved_on(k, r->at, &r->m, &r->before);
        w4_store_rows_below(poses, rows, 1, place_record(&to), end);
        w4_store_rows_below(poses + TR3_PART, rows, 1, to.q, end);
    }
    w4_store_rows_below(velocities, rows, 1, linear_record(&r->m), end);
    w4_store_rows_below(velocities + TR3_PART, rows, 1, angular_record(&r->m), end);
}

/* how far the body has moved relative to its carrier, since the step began */
TR_INLINE w3 carried_moved(const tr3_kernel_context *k, const pose *body, const carrier *on)
{
    /* before any has moved, poses may be frames */
    return k->unmoved ? w3_zero() : minus(body->p, on->at.p);
}

enum { END_A, END_B, END_CARRIER_A, END_CARRIER_B, END_COUNT };

/* a row of four bodies; `spun`: the change of angular velocity that a unit of impulse makes */
typedef struct carried {
    part j[END_COUNT];
    w3 push[END_COUNT], spun[END_COUNT];
    wf k;
} carried;

/* p, plus q if `same` is 1 */
TR_INLINE part part_sum(part p, wf same, part q)
{
    return (part){add(p.n, times(same, q.n)), add(p.arm, times(same, q.arm))};
}

/* J of both sides, what their impulse does, and K, to which each body counts once */
TR_INLINE carried carried_of(bool has_carriers, const float *c, int first, const side *a, const side *b,
                             const masses *m, const carrier *ca, const carrier *cb)
{
    const wf one = wf_set(1.0f), zero = wf_zero();
    carried r;
    part push[END_COUNT];
    r.j[END_A] = push[END_A] = (part){a->n, a->arm};
    r.j[END_B] = push[END_B] = (part){b->n, b->arm};
    r.j[END_CARRIER_A] = (part){minus(w3_zero(), a->n), minus(w3_zero(), a->back)};
    r.j[END_CARRIER_B] = (part){minus(w3_zero(), b->n), minus(w3_zero(), b->back)};
    wf alone_a = zero, alone_b = zero;
    push[END_CARRIER_A] = push[END_CARRIER_B] = (part){w3_zero(), w3_zero()};
    if (has_carriers) {
        wf a_is_cb = get(c, first + CARRIED_A_IS_CB), b_is_ca = get(c, first + CARRIED_B_IS_CA);
        wf ca_is_cb = get(c, first + CARRIED_CA_IS_CB);
        push[END_A] = part_sum(r.j[END_A], a_is_cb, r.j[END_CARRIER_B]);
        push[END_B] = part_sum(r.j[END_B], b_is_ca, r.j[END_CARRIER_A]);
        push[END_CARRIER_A] = part_sum(part_sum(r.j[END_CARRIER_A], b_is_ca, r.j[END_B]), ca_is_cb, r.j[END_CARRIER_B]);
        push[END_CARRIER_B] = part_sum(part_sum(r.j[END_CARRIER_B], a_is_cb, r.j[END_A]), ca_is_cb, r.j[END_CARRIER_A]);
        alone_a = one - b_is_ca;
        alone_b = (one - a_is_cb) * (one - ca_is_cb);
    }
    const sym3 *const ii[END_COUNT] = {&m->ii_a, &m->ii_b, &ca->ii, &cb->ii};
    const wf im[END_COUNT] = {m->im_a, m->im_b, ca->im, cb->im}, count[END_COUNT] = {one, one, alone_a, alone_b};
    r.k = zero;
    for (int end = 0; end < (has_carriers ? END_COUNT : END_CARRIER_A); end++) {
        r.spun[end] = sym3_times(ii[end], push[end].arm);
        r.push[end] = times(im[end], push[end].n);
        r.k = r.k + count[end] * (dot(push[end].n, r.push[end]) + dot(push[end].arm, r.spun[end]));
    }
    return r;
}

TR_INLINE wf part_rate(part p, const motion *m)
{
    return dot(p.n, m->v) + dot(p.arm, m->w);
}

TR_INLINE wf carried_rate(bool has_carriers, const carried *r, const motion *a, const motion *b, const carrier *ca,
                          const carrier *cb)
{
    wf rate = part_rate(r->j[END_A], a) + part_rate(r->j[END_B], b);
    if (has_carriers)
        rate = rate + (part_rate(r->j[END_CARRIER_A], &ca->m) + part_rate(r->j[END_CARRIER_B], &cb->m));
    return rate;
}

TR_INLINE void part_push(motion *m, const carried *r, int end, wf impulse)
{
    m->v = add(m->v, times(impulse, r->push[end]));
    m->w = add(m->w, times(impulse, r->spun[end]));
}

TR_INLINE void carried_push(bool has_carriers, const carried *r, motion *a, motion *b, carrier *ca, carrier *cb,
                            wf impulse)
{
    part_push(a, r, END_A, impulse);
    part_push(b, r, END_B, impulse);
    if (has_carriers) {
        part_push(&ca->m, r, END_CARRIER_A, impulse);
        part_push(&cb->m, r, END_CARRIER_B, impulse);
    }
}
