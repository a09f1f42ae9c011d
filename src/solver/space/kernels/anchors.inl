/* Geometry of a joint's bodies and anchors in space: at the start of the step, at present, and stored in columns. */
#include "solver/kernels/freedom.inl"

/* Input that prepare computes for all kernels, for TR_WIDTH lanes. */
typedef struct setup {
    w3 la, lb;     /* anchors, from the centres of mass, in the bodies' principal axes */
    w3 d;          /* B's centre minus A's, m, in the world */
    w4 fa, fb;     /* principal axes in the bodies' frames */
    bool tilted;   /* some body's principal axes are others than those of its frame */
    w3 ii_a, ii_b; /* inverse principal moments; 0 of a joint that does not act */
    masses m;      /* inverse masses; the tensors are not set */
    /* for types that read doubles or have carriers: the columns, the lanes' rows in them, those of A and B, and which
       lanes act (null: all) */
    const tr3_joint_columns *columns;
    const uint32_t *rows;
    const int32_t *row_a, *row_b;
    const float *on;
} setup;

/* Columns common to all kernels. */
enum {
    BASE_IM_A,
    BASE_IM_B,
    BASE_II_A,
    BASE_II_B = BASE_II_A + 3,
    BASE_LA = BASE_II_B + 3,
    BASE_LB = BASE_LA + 3,
    BASE_D = BASE_LB + 3,
    BASE_COLUMNS = BASE_D + 3,
    /* Where bodies are axial, the first column of II_A and of II_B has the inverse of the equal moments, and this one of
       A by how much that of the other is more, over the square of the anchor's distance. */
    AXIAL_BESIDE = BASE_II_A + 1
};

TR_INLINE void put3(float *c, int first, w3 v)
{
    put(c, first, v.x);
    put(c, first + 1, v.y);
    put(c, first + 2, v.z);
}

TR_INLINE void put_sym3(float *c, int first, const sym3 *m)
{
    put3(c, first, (w3){m->xx, m->yy, m->zz});
    put3(c, first + 3, (w3){m->xy, m->xz, m->yz});
}

TR_INLINE w3 get3(const float *c, int first)
{
    return (w3){get(c, first), get(c, first + 1), get(c, first + 2)};
}

TR_INLINE sym3 get_sym3(const float *c, int first)
{
    return (sym3){get(c, first),     get(c, first + 1), get(c, first + 2),
                  get(c, first + 3), get(c, first + 4), get(c, first + 5)};
}

TR_INLINE void base_put(float *c, int first, const setup *s)
{
    put(c, first + BASE_IM_A, s->m.im_a);
    put(c, first + BASE_IM_B, s->m.im_b);
    put3(c, first + BASE_II_A, s->ii_a);
    put3(c, first + BASE_II_B, s->ii_b);
    put3(c, first + BASE_LA, s->la);
    put3(c, first + BASE_LB, s->lb);
    put3(c, first + BASE_D, s->d);
}

/* What some joint of a block has, as bits in a column that is the same in all lanes: visits leave out what none has. */
TR_INLINE int block_has(const float *c, int column)
{
    return (int)c[TR_LANES * column];
}

/* Adds what these lanes have; `c`: of the lanes from `lane` on, which are prepared in order. */
TR_INLINE void block_has_put(float *c, int column, int lane, int has)
{
    float *all = c - lane;
    if (lane > 0)
        has |= block_has(all, column);
    for (int i = 0; i < TR_LANES; i += TR_WIDTH)
        put(all + i, column, wf_set((float)has));
}

/* what a visit computes first: masses in the world's axes, arms, and the vector between the anchors */
typedef struct anchors {
    axes a, b;
    masses m;
    w3 rb, d, arm; /* arm: from A's centre to B's anchor */
} anchors;

/* from the anchor of A as it is now, n->rb, and the bodies' distance */
TR_INLINE void anchors_span(anchors *n, const float *c, int first, const pose_pair *at, w3 ra)
{
    w3 apart = add(get3(c, first + BASE_D), at->apart);
    n->d = add(apart, minus(n->rb, ra));
    n->arm = add(apart, n->rb);
}

TR_INLINE anchors anchors_now(const float *c, int first, const pose_pair *at)
{
    anchors n;
    n.a = axes_of(at->a.q);
    n.b = axes_of(at->b.q);
    n.m.im_a = get(c, first + BASE_IM_A);
    n.m.im_b = get(c, first + BASE_IM_B);
    n.m.even = false;
    n.m.ii_a = inverse_inertia(&n.a, get3(c, first + BASE_II_A));
    n.m.ii_b = inverse_inertia(&n.b, get3(c, first + BASE_II_B));
    w3 ra = to_world(&n.a, get3(c, first + BASE_LA));
    n.rb = to_world(&n.b, get3(c, first + BASE_LB));
    anchors_span(&n, c, first, at, ra);
    return n;
}

/* a vector fixed in B's principal axes at rest, from one in A's: `relation` is B's principal axes seen from A's at the
   joint's reference, conj(frame A) reference (frame B) */
TR_INLINE w3 rotated(w4 q, w3 v)
{
    axes r = axes_of(q);
    return to_world(&r, v);
}

/* the value of an error or coordinate at the start of the sub-step, which the bias corrects; `rate`: its rate */
TR_INLINE wf begun(const tr3_kernel_context *k, tr3_pass pass, wf c, wf rate)
{
    if (pass.project)
        c = c - wf_set(k->h) * rate;
    return c;
}

TR_INLINE w3 begun3(const tr3_kernel_context *k, tr3_pass pass, w3 c, w3 rate)
{
    if (pass.project)
        c = minus(c, times(wf_set(k->h), rate));
    return c;
}

/*
 * The rotation of B relative to A and to the reference, as a vector in the world's axes: 2 vec(q) with q's scalar part
 * made positive, q = qB conj(qA relation). Its rate is wB - wA where it is 0.
 */
TR_INLINE w3 turned(const pose_pair *at, w4 relation)
{
    w4 q = turn_after(at->b.q, turn_back(turn_after(at->a.q, relation)));
    wm back = wf_lt(q.w, wf_zero());
    wf two = wf_select(back, wf_set(-2.0f), wf_set(2.0f));
    return (w3){two * q.x, two * q.y, two * q.z};
}

/* A direction across a unit vector: of one that is fixed in a body it is fixed there, too. */
TR_INLINE w3 axis_across(w3 n)
{
    /* Duff et al. 2017 */
    const wf zero = wf_zero(), one = wf_set(1.0f);
    wf sign = wf_select(wf_lt(n.z, zero), -one, one);
    wf a = -one / (sign + n.z), b = n.x * n.y * a;
    return (w3){one + sign * n.x * n.x * a, sign * b, -sign * n.x};
}

/* the rotation wanting between two unit vectors: a x b, of length 1 if they are more than a right angle apart */
TR_INLINE w3 tilt_of(w3 a, w3 b)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    w3 t = cross(a, b);
    wm mirrored = wf_lt(dot(a, b), zero);
    if (__builtin_expect(wm_bits(mirrored) == 0, 1))
        return t;
    wf length = wf_sqrt(dot(t, t));
    wm some = wf_lt(zero, length);
    w3 unit = w3_select(some, times(one / wf_select(some, length, one), t), axis_across(a));
    return w3_select(mirrored, unit, t);
}

/* The angle of B about an axis of A (in A's principal axes) from the reference, nearest to `last` of all that differ by
   whole turns. */
TR_INLINE wf angle_of(wf about, wf scalar, wf last)
{
    const wf full = wf_set((float)TR_TURN);
    wm back = wf_lt(scalar, wf_zero());
    wf angle = wf_set(2.0f) * wf_atan2(wf_select(back, -about, about), wf_abs(scalar));
    return angle + full * wf_round((last - angle) * wf_set((float)(1.0 / TR_TURN)));
}

TR_INLINE wf angle_about(const pose_pair *at, w4 relation, w3 axis, wf last)
{
    w4 q = turn_after(turn_after(turn_back(at->a.q), at->b.q), turn_back(relation));
    return angle_of(dot((w3){q.x, q.y, q.z}, axis), q.w, last);
}

/* the same of the bodies' rotations, where `twist` is the product of the axis and `relation` */
TR_INLINE wf angle_between(w4 qa, w4 qb, w4 relation, w4 twist, wf last)
{
    w4 q = turn_between(qa, qb);
    return angle_of(w4_dot(q, twist), w4_dot(q, relation), last);
}

/*
 * A pass over a block of held rows (rows.inl). If all are rigid, dlambda = -(mass_scale K^-1 (J v + bias_rate C) +
 * impulse_scale lambda). Else (K + gamma) dlambda = -(J v + bias_rate C + leak lambda), with a gamma and a leak for each
 * kind of rows. Both ways hold all directions of a kind at the same frequency.
 *
 * held_changes() takes J v in x, and returns dlambda there, which may not be finite; the block has K, which it inverts.
 */
TR_INLINE void held_changes(const tr3_kernel_context *k, tr3_pass pass, row_block *h, softness linear, softness angular,
                            const wf *error, const float *impulses, wf *x)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    const int count = h->linear + h->angular;
    const wf springs = wf_max(linear.keep, angular.keep);
    const wm rigid = wf_eq(springs, zero), soft = wf_lt(zero, wf_max(springs, wf_max(linear.gamma, angular.gamma)));
    if (!pass.biased) {
        linear = softness_relaxed(linear);
        angular = softness_relaxed(angular);
    }
    wf scale = wf_select(rigid, linear.mass_scale, one);
    wf decay_linear = wf_select(rigid, linear.impulse_scale, softness_decay(linear));
    wf decay_angular = wf_select(rigid, linear.impulse_scale, softness_decay(angular));
    linear.mass_scale = wf_select(rigid, one, linear.mass_scale);
    angular.mass_scale = wf_select(rigid, one, angular.mass_scale);
    for (int i = 0; i < count; i++) {
        wf c = begun(k, pass, error[i], x[i]);
        x[i] = x[i] + (i < h->linear ? linear : angular).bias_rate * c;
    }
    if (wm_bits(soft) != 0) {
        held_soften(h, 0, h->linear, soft, linear, impulses, x);
        held_soften(h, h->linear, h->angular, soft, angular, impulses, x);
    }
    held_invert(h);
    held_solve(h, x);
    for (int i = 0; i < count; i++)
        x[i] = -(scale * x[i] + (i < h->linear ? decay_linear : decay_angular) * get(impulses, i));
}

TR_INLINE void held_visit(const tr3_kernel_context *k, tr3_pass pass, row_block *h, motion *a, motion *b,
                          const masses *m, softness linear, softness angular, const wf *error, float *impulses)
{
    const int count = h->linear + h->angular;
    wf x[HELD_MOST];
    held_rates(h, a, b, x);
    held_k(h, m);
    held_changes(k, pass, h, linear, angular, error, impulses, x);
    held_sane(count, x);
    for (int i = 0; i < count; i++)
        put(impulses, i, get(impulses, i) + x[i]);
    held_apply(h, a, b, m, x);
}

/* the same if all rows are rigid, after held_k() and held_invert() */
TR_INLINE void held_rigid_visit(const tr3_kernel_context *k, tr3_pass pass, row_block *h, motion *a, motion *b,
                                const masses *m, const wf *error, float *impulses)
{
    const int count = h->linear + h->angular;
    const softness s = softness_held(k, *m);
    wf x[HELD_MOST];
    held_rates(h, a, b, x);
    for (int i = 0; i < count && pass.biased; i++)
        x[i] = x[i] + s.bias_rate * begun(k, pass, error[i], x[i]);
    held_solve(h, x);
    for (int i = 0; i < count; i++) {
        wf p = get(impulses, i);
        x[i] = -x[i];
        if (pass.biased)
            x[i] = s.mass_scale * x[i] - s.impulse_scale * p;
    }
    held_sane(count, x);
    for (int i = 0; i < count; i++)
        put(impulses, i, get(impulses, i) + x[i]);
    held_apply(h, a, b, m, x);
}

/* applies the impulses of the last sub-step */
TR_INLINE void held_warm_start(const row_block *h, motion *a, motion *b, const masses *m, const float *impulses)
{
    wf p[HELD_MOST];
    for (int i = 0; i < h->linear + h->angular; i++)
        p[i] = get(impulses, i);
    held_apply(h, a, b, m, p);
}
