/*
 * A row between two coordinates relative to carriers: up to four bodies, A and B and their carriers.
 *
 * The block of such a kernel ends with two columns of carriers in the format of tr2_block_bodies; the null row is the
 * world. The row loads and stores them itself; the passes handle only A and B. A body may be at two ends: the carrier
 * of both, or B as A's carrier. Each of the two ends then gets the impulse of both, so that their copies of its motion
 * agree afterwards.
 */

/* J of one side: (n, arm) for the body, (-n, -back) for its carrier; n = 0 for an angle */
typedef struct side {
    w2 n;
    wf arm, back;
} side;

/* as columns; n0, d0 and start are those at the start of the step */
enum {
    SIDE_TURN, /* factor of the angle; 0 for travel */
    SIDE_N0_X,
    SIDE_N0_Y,
    SIDE_D0_X, /* from the carrier's centre to the body's; 0 for the world, which does not rotate */
    SIDE_D0_Y,
    SIDE_START, /* n0 . (d0 + r0) */
    SIDE_N_X,
    SIDE_N_Y,
    SIDE_ARM,
    SIDE_BACK,
    SIDE_COLUMNS
};

/* one body's part of J, or the impulse per unit on it */
typedef struct part {
    w2 n;
    wf arm;
} part;

enum { END_A, END_B, END_CARRIER_A, END_CARRIER_B, END_COUNT };

/* a row of four bodies */
typedef struct carried {
    part j[END_COUNT], push[END_COUNT];
} carried;

/* columns of the carriers */
enum {
    CARRIED_IM_A, /* inverse mass and inertia of the carriers */
    CARRIED_II_A,
    CARRIED_IM_B,
    CARRIED_II_B,
    CARRIED_A_IS_CB, /* 1 if these two ends are the same body */
    CARRIED_B_IS_CA,
    CARRIED_CA_IS_CB,
    CARRIED_SIDE_A,
    CARRIED_SIDE_B = CARRIED_SIDE_A + SIDE_COLUMNS,
    CARRIED_COLUMNS = CARRIED_SIDE_B + SIDE_COLUMNS
};

/* a block's carriers: column `which` of its last two */
TR_INLINE const int32_t *carrier_rows(const float *c, int first, int which)
{
    return (const int32_t *)(const void *)(c + TR_LANES * (first + which));
}

TR_INLINE motion carrier_motion(const tr2_kernel_context *k, const int32_t *rows)
{
    return motion_of(w4_load_rows((const float *)k->velocities, rows, 1));
}

TR_INLINE pose carrier_pose(const tr2_kernel_context *k, const int32_t *rows)
{
    return pose_of(w4_load_rows((const float *)k->poses, rows, 1));
}

/* does not write rows that must not be written */
TR_INLINE void carrier_store(const tr2_kernel_context *k, void *records, const int32_t *rows, w4 r)
{
    w4_store_rows_below((float *)records, rows, 1, r, TR2_ROW * k->moving_end);
}

TR_INLINE side side_get(const float *c, int first)
{
    side r = {
        {get(c, first + SIDE_N_X), get(c, first + SIDE_N_Y)}, get(c, first + SIDE_ARM), get(c, first + SIDE_BACK)};
    return r;
}

/* computes J of a side at the current poses, r the arm of the anchor; returns the travel of the coordinate along the
   axis */
TR_INLINE wf side_refresh(float *c, int first, w2 r, const pose *body, const pose *carrier)
{
    w2 n = rotate(carrier->c, carrier->s, (w2){get(c, first + SIDE_N0_X), get(c, first + SIDE_N0_Y)});
    w2 from = {(get(c, first + SIDE_D0_X) + (body->x - carrier->x)) + r.x,
               (get(c, first + SIDE_D0_Y) + (body->y - carrier->y)) + r.y};
    wf turn = get(c, first + SIDE_TURN);
    put(c, first + SIDE_N_X, n.x);
    put(c, first + SIDE_N_Y, n.y);
    put(c, first + SIDE_ARM, turn + cross(r, n));
    put(c, first + SIDE_BACK, turn + cross(from, n));
    return dot(n, from) - get(c, first + SIDE_START);
}

/* at the start of the step; n0 and the factor of the angle include the side's ratio */
TR_INLINE void side_prepare(float *c, int first, wf turn, w2 n0, w2 d0, w2 r)
{
    const pose still = {wf_zero(), wf_zero(), wf_set(1.0f), wf_zero()};
    put(c, first + SIDE_TURN, turn);
    put(c, first + SIDE_N0_X, n0.x);
    put(c, first + SIDE_N0_Y, n0.y);
    put(c, first + SIDE_D0_X, d0.x);
    put(c, first + SIDE_D0_Y, d0.y);
    put(c, first + SIDE_START, wf_zero());
    put(c, first + SIDE_START, side_refresh(c, first, r, &still, &still));
}

/* p, plus q if `same` is 1 */
TR_INLINE part part_sum(part p, wf same, part q)
{
    part r = {{p.n.x + same * q.n.x, p.n.y + same * q.n.y}, p.arm + same * q.arm};
    return r;
}

TR_INLINE carried carried_get(const float *c, int first)
{
    side a = side_get(c, first + CARRIED_SIDE_A), b = side_get(c, first + CARRIED_SIDE_B);
    wf a_is_cb = get(c, first + CARRIED_A_IS_CB), b_is_ca = get(c, first + CARRIED_B_IS_CA);
    wf ca_is_cb = get(c, first + CARRIED_CA_IS_CB);
    carried r;
    r.j[END_A] = (part){a.n, a.arm};
    r.j[END_B] = (part){b.n, b.arm};
    r.j[END_CARRIER_A] = (part){{-a.n.x, -a.n.y}, -a.back};
    r.j[END_CARRIER_B] = (part){{-b.n.x, -b.n.y}, -b.back};
    r.push[END_A] = part_sum(r.j[END_A], a_is_cb, r.j[END_CARRIER_B]);
    r.push[END_B] = part_sum(r.j[END_B], b_is_ca, r.j[END_CARRIER_A]);
    r.push[END_CARRIER_A] = part_sum(part_sum(r.j[END_CARRIER_A], b_is_ca, r.j[END_B]), ca_is_cb, r.j[END_CARRIER_B]);
    r.push[END_CARRIER_B] = part_sum(part_sum(r.j[END_CARRIER_B], a_is_cb, r.j[END_A]), ca_is_cb, r.j[END_CARRIER_A]);
    return r;
}

TR_INLINE wf part_rate(part p, const motion *m)
{
    return (p.n.x * m->vx + p.n.y * m->vy) + p.arm * m->w;
}

TR_INLINE wf carried_rate(const carried *r, const motion *a, const motion *b, const motion *ca, const motion *cb)
{
    return (part_rate(r->j[END_A], a) + part_rate(r->j[END_B], b)) +
           (part_rate(r->j[END_CARRIER_A], ca) + part_rate(r->j[END_CARRIER_B], cb));
}

TR_INLINE void part_push(motion *m, part p, wf im, wf ii, wf impulse)
{
    m->vx = m->vx + im * (p.n.x * impulse);
    m->vy = m->vy + im * (p.n.y * impulse);
    m->w = m->w + ii * (p.arm * impulse);
}

TR_INLINE wf part_k(part p, wf im, wf ii)
{
    return im * dot(p.n, p.n) + ii * p.arm * p.arm;
}

/* sum of squares over the bodies, each counted once */
TR_INLINE wf carried_k(const float *c, int first, const carried *r, masses m)
{
    const wf one = wf_set(1.0f);
    wf alone_a = one - get(c, first + CARRIED_B_IS_CA);
    wf alone_b = (one - get(c, first + CARRIED_A_IS_CB)) * (one - get(c, first + CARRIED_CA_IS_CB));
    wf k_a = part_k(r->push[END_CARRIER_A], get(c, first + CARRIED_IM_A), get(c, first + CARRIED_II_A));
    wf k_b = part_k(r->push[END_CARRIER_B], get(c, first + CARRIED_IM_B), get(c, first + CARRIED_II_B));
    return (part_k(r->push[END_A], m.im_a, m.ii_a) + part_k(r->push[END_B], m.im_b, m.ii_b)) +
           (alone_a * k_a + alone_b * k_b);
}

TR_INLINE void carried_push(const float *c, int first, const carried *r, masses m, motion *a, motion *b, motion *ca,
                            motion *cb, wf impulse)
{
    part_push(a, r->push[END_A], m.im_a, m.ii_a, impulse);
    part_push(b, r->push[END_B], m.im_b, m.ii_b, impulse);
    part_push(ca, r->push[END_CARRIER_A], get(c, first + CARRIED_IM_A), get(c, first + CARRIED_II_A), impulse);
    part_push(cb, r->push[END_CARRIER_B], get(c, first + CARRIED_IM_B), get(c, first + CARRIED_II_B), impulse);
}

/* stores the masses of the carriers, whose frames are fa and fb, and which ends are the same body */
TR_INLINE void carried_prepare(float *c, int first, const setup *s, const int32_t *rows_a, const int32_t *rows_b, w4 fa,
                               w4 fb)
{
    wf on = s->on != NULL ? wf_load(s->on) : wf_set(1.0f);
    put(c, first + CARRIED_IM_A, on * fa.z);
    put(c, first + CARRIED_II_A, on * fa.w);
    put(c, first + CARRIED_IM_B, on * fb.z);
    put(c, first + CARRIED_II_B, on * fb.w);
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

/* from a carrier's centre to a body's; 0 for the world, so that no large number becomes a float */
TR_INLINE w2 carrier_distance(const tr2_kernel_context *k, const int32_t *carrier, const int32_t *body)
{
    w2 d;
    wf_difference_rows(&k->places->x, carrier, body, &d.x, &d.y);
    float is_body[TR_WIDTH];
    for (int i = 0; i < TR_WIDTH; i++)
        is_body[i] = carrier[i] == TR2_ROW * k->moving_end ? 0.0f : 1.0f;
    wm real = wf_lt(wf_zero(), wf_load(is_body));
    d.x = wf_keep(real, d.x);
    d.y = wf_keep(real, d.y);
    return d;
}
