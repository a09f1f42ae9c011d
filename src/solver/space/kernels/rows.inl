/*
 * Constraint rows in space on TR_WIDTH lanes: a row along a direction or about an axis, and the block of some of them
 * with a point. Each converts velocities to a rate and applies an impulse to velocities. Inlined into every joint's
 * kernel.
 *
 * Signs: C = (B side) - (A side); an impulse lambda acts as +J_B^T lambda on B and J_A^T lambda on A. The arm of A goes
 * from its centre to B's anchor, where both ends of a force act, so that angular momentum is conserved.
 */
#include "solver/kernels/softness.inl"

/*
 * One row: J = (-n, -arm_a, n, arm_b). Along a direction n: arm_a = a x n, arm_b = rB x n. About an axis: n = 0 and
 * both arms are the axis.
 */
typedef struct jacobian {
    w3 n, arm_a, arm_b;
} jacobian;

TR_INLINE jacobian row_along(w3 n, w3 arm_a, w3 arm_b)
{
    return (jacobian){n, cross(arm_a, n), cross(arm_b, n)};
}

TR_INLINE jacobian row_about(w3 axis)
{
    return (jacobian){w3_zero(), axis, axis};
}

/* a row's arms times the inverse inertias */
typedef struct levers {
    w3 a, b;
} levers;

TR_INLINE levers levers_of(const masses *m, const jacobian *r)
{
    return (levers){spun_a(m, r->arm_a), spun_b(m, r->arm_b)};
}

TR_INLINE wf row_rate(const motion *a, const motion *b, const jacobian *r)
{
    return dot(r->n, minus(b->v, a->v)) + (dot(r->arm_b, b->w) - dot(r->arm_a, a->w));
}

TR_INLINE void row_apply_by(motion *a, motion *b, const masses *m, const jacobian *r, const levers *l, wf impulse)
{
    w3 p = times(impulse, r->n);
    a->v = minus(a->v, times(m->im_a, p));
    b->v = add(b->v, times(m->im_b, p));
    a->w = minus(a->w, times(impulse, l->a));
    b->w = add(b->w, times(impulse, l->b));
}

TR_INLINE void row_apply(motion *a, motion *b, const masses *m, const jacobian *r, wf impulse)
{
    levers l = levers_of(m, r);
    row_apply_by(a, b, m, r, &l, impulse);
}

/* J M^-1 J'^T of two rows, of which the second has levers */
TR_INLINE wf rows_k(const masses *m, const jacobian *r, const jacobian *other, const levers *l)
{
    return (m->im_a + m->im_b) * dot(r->n, other->n) + (dot(r->arm_a, l->a) + dot(r->arm_b, l->b));
}

TR_INLINE wf row_k(const masses *m, const jacobian *r)
{
    levers l = levers_of(m, r);
    return rows_k(m, r, r, &l);
}

/*
 * Point to point: 3 rows. C = d, J = (-1, X(a), 1, -X(rB)), X(r) w = r x w.
 */
TR_INLINE w3 point_rate(const motion *a, const motion *b, w3 arm, w3 rb)
{
    return minus(add(b->v, cross(b->w, rb)), add(a->v, cross(a->w, arm)));
}

TR_INLINE void point_apply(motion *a, motion *b, const masses *m, w3 arm, w3 rb, w3 p)
{
    a->v = minus(a->v, times(m->im_a, p));
    a->w = minus(a->w, spun_a(m, cross(arm, p)));
    b->v = add(b->v, times(m->im_b, p));
    b->w = add(b->w, spun_b(m, cross(rb, p)));
}

/* three rows of rotation, about the world's axes */
TR_INLINE void spin_apply(motion *a, motion *b, const masses *m, w3 p)
{
    a->w = minus(a->w, spun_a(m, p));
    b->w = add(b->w, spun_b(m, p));
}

/* A force at B's anchor and a torque. Constants after inlining: whether there is one, and the other. */
TR_INLINE void wrench_apply(motion *a, motion *b, const masses *m, w3 arm, w3 rb, bool forces, bool torques, w3 force,
                            w3 torque)
{
    w3 about_a = torque, about_b = torque;
    if (forces) {
        a->v = minus(a->v, times(m->im_a, force));
        b->v = add(b->v, times(m->im_b, force));
        about_a = torques ? add(cross(arm, force), torque) : cross(arm, force);
        about_b = torques ? add(cross(rb, force), torque) : cross(rb, force);
    }
    a->w = minus(a->w, spun_a(m, about_a));
    b->w = add(b->w, spun_b(m, about_b));
}

/* how a force at r along each of the world's axes e turns a body: I (r x e) */
typedef struct point_levers {
    w3 x, y, z;
} point_levers;

TR_INLINE point_levers point_levers_of(const sym3 *i, w3 r)
{
    return (point_levers){{i->xy * r.z - i->xz * r.y, i->yy * r.z - i->yz * r.y, i->yz * r.z - i->zz * r.y},
                          {i->xz * r.x - i->xx * r.z, i->yz * r.x - i->xy * r.z, i->zz * r.x - i->xz * r.z},
                          {i->xx * r.y - i->xy * r.x, i->xy * r.y - i->yy * r.x, i->xz * r.y - i->yz * r.x}};
}

/* the change of angular velocity by a force at a point: I (r x p) */
TR_INLINE w3 point_spun(const point_levers *l, w3 p)
{
    return (w3){(l->x.x * p.x + l->y.x * p.y) + l->z.x * p.z, (l->x.y * p.x + l->y.y * p.y) + l->z.y * p.z,
                (l->x.z * p.x + l->y.z * p.y) + l->z.z * p.z};
}

/* the change of the velocity of a point by a torque, of which these are the levers of forces there */
TR_INLINE w3 point_pushed(const point_levers *l, w3 p)
{
    return (w3){dot(l->x, p), dot(l->y, p), dot(l->z, p)};
}

TR_INLINE point_levers point_levers_sum(const point_levers *a, const point_levers *b)
{
    return (point_levers){add(a->x, b->x), add(a->y, b->y), add(a->z, b->z)};
}

/* as point_apply(), with levers */
TR_INLINE void point_apply_by(motion *a, motion *b, wf im_a, wf im_b, const point_levers *la, const point_levers *lb,
                              w3 p)
{
    a->v = minus(a->v, times(im_a, p));
    a->w = minus(a->w, point_spun(la, p));
    b->v = add(b->v, times(im_b, p));
    b->w = add(b->w, point_spun(lb, p));
}

/* adds -X(r) I X(r), one body's part of K of a point */
TR_INLINE void point_k_add(sym3 *k, const point_levers *l, w3 r)
{
    k->xx = k->xx + (r.z * l->x.y - r.y * l->x.z);
    k->yy = k->yy + (r.x * l->y.z - r.z * l->y.x);
    k->zz = k->zz + (r.y * l->z.x - r.x * l->z.y);
    k->xy = k->xy + (r.x * l->x.z - r.z * l->x.x);
    k->xz = k->xz + (r.y * l->x.x - r.x * l->x.y);
    k->yz = k->yz + (r.y * l->y.x - r.x * l->y.y);
}

TR_INLINE sym3 point_k_by(const masses *m, const point_levers *la, const point_levers *lb, w3 arm, w3 rb)
{
    wf im = m->im_a + m->im_b;
    sym3 k = {im, im, im, wf_zero(), wf_zero(), wf_zero()};
    point_k_add(&k, la, arm);
    point_k_add(&k, lb, rb);
    return k;
}

TR_INLINE sym3 point_k(const masses *m, w3 arm, w3 rb)
{
    point_levers la = point_levers_of(&m->ii_a, arm), lb = point_levers_of(&m->ii_b, rb);
    return point_k_by(m, &la, &lb, arm, rb);
}

/*
 * K = L D L^T. No row is exchanged, because K is positive; where nothing can move, what is solved is 0.
 */
typedef struct sym3_factors {
    wf dx, dy, dz; /* D^-1 */
    wf lyx, lzx, lzy;
} sym3_factors;

TR_INLINE sym3_factors sym3_factor(const sym3 *k)
{
    sym3_factors f;
    f.dx = wf_inverse_of_positive(k->xx);
    f.lyx = k->xy * f.dx;
    f.lzx = k->xz * f.dx;
    f.dy = wf_inverse_of_positive(k->yy - f.lyx * k->xy);
    wf t = k->yz - f.lzx * k->xy;
    f.lzy = t * f.dy;
    f.dz = wf_inverse_of_positive((k->zz - f.lzx * k->xz) - f.lzy * t);
    return f;
}

/* K^-1 b */
TR_INLINE w3 sym3_solved(const sym3_factors *f, w3 b)
{
    wf y = b.y - f->lyx * b.x, z = (b.z - f->lzx * b.x) - f->lzy * y;
    w3 r;
    r.z = f->dz * z;
    r.y = f->dy * y - f->lzy * r.z;
    r.x = f->dx * b.x - (f->lyx * r.y + f->lzx * r.z);
    return r;
}

/* -1/a; `good`: which lanes had positive numbers only; null: 0 where a is not */
TR_INLINE wf minus_inverse(wf a, wm *good)
{
    const wf minus_one = wf_set(-1.0f);
    if (good == NULL)
        return wf_over_or_zero(minus_one, a);
    *good = wm_and(*good, wf_lt(wf_zero(), a));
    return minus_one / a;
}

/* -K^-1: the sum of a square times a negative number for each factor, so it is negative, too, however it is rounded */
TR_INLINE sym3 sym3_minus_inverse(const sym3 *k, wm *good)
{
    const wf x = minus_inverse(k->xx, good), lyx = k->xy * x, lzx = k->xz * x;
    const wf y = minus_inverse(k->yy + lyx * k->xy, good), t = k->yz + lzx * k->xy, lzy = t * y;
    const wf z = minus_inverse((k->zz + lzx * k->xz) + lzy * t, good), l = lyx * lzy + lzx;
    sym3 r;
    r.zz = z;
    r.yz = lzy * z;
    r.xz = l * z;
    r.yy = y + lzy * r.yz;
    r.xy = l * r.yz + lyx * y;
    r.xx = (x + lyx * (lyx * y)) + l * r.xz;
    return r;
}

TR_INLINE w3 sym3_solve(const sym3 *k, w3 b)
{
    sym3_factors f = sym3_factor(k);
    return sym3_solved(&f, b);
}

/*
 * The same between bodies whose inertia is a number (inverse: i and j of A and B):
 *
 *   K = u 1 - i a a^T - j r r^T,  u = m + i |a|^2 + j |r|^2,  m = im_a + im_b
 *
 * and by the formula of Woodbury, with sums of positive numbers only:
 *
 *   K^-1 b = 1/u (b + (i ((m + i |a|^2) (a.b) + j (a.r) (r.b)) a
 *                    + j ((m + j |r|^2) (r.b) + i (a.r) (a.b)) r) / (m u + i j |a x r|^2))
 */
typedef struct even_inverse {
    wf k, pair;    /* 1/u, and one over what the sum of a and r is divided by */
    wf on_a, on_b; /* i (m + i |a|^2); j (m + j |r|^2) */
    wf both;       /* i j (a.r) */
} even_inverse;

TR_INLINE even_inverse even_inverse_of(const masses *m, w3 arm, w3 rb)
{
    w3 across = cross(arm, rb);
    wf i = m->ii_a.xx, j = m->ii_b.xx, im = m->im_a + m->im_b, ij = i * j;
    wf a = i * dot(arm, arm), b = j * dot(rb, rb), u = (im + a) + b;
    return (even_inverse){wf_inverse_of_positive(u), wf_inverse_of_positive(im * u + ij * dot(across, across)),
                          i * (im + a), j * (im + b), ij * dot(arm, rb)};
}

TR_INLINE w3 even_solve(const even_inverse *i, w3 arm, w3 rb, w3 b)
{
    wf along_a = dot(arm, b), along_b = dot(rb, b);
    wf on_a = i->pair * (i->on_a * along_a + i->both * along_b);
    wf on_b = i->pair * (i->on_b * along_b + i->both * along_a);
    return times(i->k, add(b, add(times(on_a, arm), times(on_b, rb))));
}

/* the change of a point's impulse p for the rate J v and the error d, with softness; may not be finite. `k`: K */
TR_INLINE w3 point_soft_change(const sym3 *k, softness s, w3 rate, w3 d, w3 p)
{
    sym3 soft = {k->xx + s.gamma, k->yy + s.gamma, k->zz + s.gamma, k->xy, k->xz, k->yz};
    rate = add(rate, add(times(s.bias_rate, d), times(s.gamma, p)));
    w3 change = sym3_solve(&soft, rate);
    return (w3){-(s.mass_scale * change.x + s.impulse_scale * p.x), -(s.mass_scale * change.y + s.impulse_scale * p.y),
                -(s.mass_scale * change.z + s.impulse_scale * p.z)};
}

/* limits a change so that |p| is at most `most`; values that are not finite are dropped before */
TR_INLINE w3 capped_change3(w3 change, w3 p, wf most)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    w3 total = add(p, sane3(change));
    wf length = wf_sqrt(dot(total, total));
    wf scale = wf_select(wf_lt(most, length), most / wf_select(wf_lt(zero, length), length, one), one);
    return sane3(minus(times(scale, total), p));
}

/*
 * Some rows held together: first linear ones, then rows of rotation. Of each kind there are up to three, along or about
 * vectors, or three along or about the world's axes. The linear ones are those of the point at the arms. K is lower
 * triangular here, and is factored in place.
 */
#define HELD_MOST 6

typedef struct row_block {
    /* constants after inlining: 0 to 3; of three, whether they are those of vectors; whether some lanes lack some */
    int linear, angular;
    bool along_vectors, about_vectors, masked;
    w3 arm, rb;
    w3 along[3], about[3];
    wm held[HELD_MOST]; /* if it is masked: which rows there are; the others have no error and no impulse */
    wf k[HELD_MOST][HELD_MOST], inverse[HELD_MOST];
} row_block;

/* What rows there are. K is left as it is: to clear it would take a tenth of a visit. */
TR_INLINE void row_block_begin(row_block *h, int linear, int angular, w3 arm, w3 rb)
{
    h->linear = linear;
    h->angular = angular;
    h->along_vectors = h->about_vectors = h->masked = false;
    h->arm = arm;
    h->rb = rb;
    for (int i = 0; i < HELD_MOST; i++)
        h->inverse[i] = wf_zero();
}

/* a vector's components along the directions of rows, and the vector of as many components; `world`: of the world's
   axes */
TR_INLINE void held_parts(int count, bool world, const w3 n[3], w3 v, wf *out)
{
    if (count > 0)
        out[0] = world ? v.x : dot(n[0], v);
    if (count > 1)
        out[1] = world ? v.y : dot(n[1], v);
    if (count > 2)
        out[2] = world ? v.z : dot(n[2], v);
}

TR_INLINE w3 held_sum(int count, bool world, const w3 n[3], const wf *p)
{
    if (world)
        return (w3){p[0], p[1], p[2]};
    if (count == 0)
        return w3_zero();
    if (count == 1)
        return times(p[0], n[0]);
    w3 sum = add(times(p[0], n[0]), times(p[1], n[1]));
    return count == 2 ? sum : add(sum, times(p[2], n[2]));
}

TR_INLINE bool held_along_world(const row_block *h)
{
    return h->linear == 3 && !h->along_vectors;
}

TR_INLINE bool held_about_world(const row_block *h)
{
    return h->angular == 3 && !h->about_vectors;
}

/* from the rate of the point, and that of rotation */
TR_INLINE void held_rates_from(const row_block *h, w3 slip, w3 spin, wf *out)
{
    held_parts(h->linear, held_along_world(h), h->along, slip, out);
    held_parts(h->angular, held_about_world(h), h->about, spin, out + h->linear);
    for (int i = 0; i < h->linear + h->angular && h->masked; i++)
        out[i] = wf_keep(h->held[i], out[i]);
}

TR_INLINE void held_rates(const row_block *h, const motion *a, const motion *b, wf *out)
{
    held_rates_from(h, point_rate(a, b, h->arm, h->rb), minus(b->w, a->w), out);
}

TR_INLINE w3 held_force(const row_block *h, const wf *p)
{
    return held_sum(h->linear, held_along_world(h), h->along, p);
}

TR_INLINE w3 held_torque(const row_block *h, const wf *p)
{
    return held_sum(h->angular, held_about_world(h), h->about, p + h->linear);
}

TR_INLINE void held_apply(const row_block *h, motion *a, motion *b, const masses *m, const wf *p)
{
    w3 force = held_force(h, p);
    w3 torque = held_torque(h, p);
    a->v = minus(a->v, times(m->im_a, force));
    a->w = minus(a->w, spun_a(m, add(cross(h->arm, force), torque)));
    b->v = add(b->v, times(m->im_b, force));
    b->w = add(b->w, spun_b(m, add(cross(h->rb, force), torque)));
}

/* the part of K of the rows of a kind, from that of the world's axes */
TR_INLINE void held_k_of(row_block *h, int first, int count, bool world, const w3 n[3], const sym3 *of)
{
    if (world) {
        h->k[first][first] = of->xx;
        h->k[first + 1][first] = of->xy;
        h->k[first + 1][first + 1] = of->yy;
        h->k[first + 2][first] = of->xz;
        h->k[first + 2][first + 1] = of->yz;
        h->k[first + 2][first + 2] = of->zz;
        return;
    }
    if (count == 0)
        return;
    w3 one = sym3_times(of, n[0]), other = count > 1 ? sym3_times(of, n[1]) : one;
    h->k[first][first] = dot(n[0], one);
    if (count == 1)
        return;
    h->k[first + 1][first] = dot(n[1], one);
    h->k[first + 1][first + 1] = dot(n[1], other);
    if (count == 2)
        return;
    h->k[first + 2][first] = dot(n[2], one);
    h->k[first + 2][first + 1] = dot(n[2], other);
    h->k[first + 2][first + 2] = dot(n[2], sym3_times(of, n[2]));
}

/* Takes rows that are not held out of K: nothing couples to them, and their diagonal does not change the mean. */
TR_INLINE void held_mask(row_block *h, int first, int end)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    wf sum = zero, count = zero;
    for (int i = first; i < end; i++) {
        sum = sum + wf_keep(h->held[i], h->k[i][i]);
        count = count + wf_keep(h->held[i], one);
    }
    wf mean = wf_select(wf_lt(zero, count), sum / wf_max(count, one), one);
    for (int i = first; i < end; i++) {
        h->k[i][i] = wf_select(h->held[i], h->k[i][i], mean);
        for (int j = 0; j < i; j++)
            h->k[i][j] = wf_keep(wm_and(h->held[i], h->held[j]), h->k[i][j]);
    }
}

/* What K is without softness, from that of the point, of rotation, and of both: the change of wB - wA by a force along
   each axis of the world. */
TR_INLINE void held_k_from(row_block *h, const sym3 *point, const sym3 *spin, const point_levers *turn)
{
    held_k_of(h, 0, h->linear, held_along_world(h), h->along, point);
    held_k_of(h, h->linear, h->angular, held_about_world(h), h->about, spin);
    const w3 of_axis[3] = {turn->x, turn->y, turn->z};
    for (int j = 0; j < h->linear; j++) {
        w3 by = of_axis[j];
        if (!held_along_world(h))
            by = add(times(h->along[j].x, turn->x), add(times(h->along[j].y, turn->y), times(h->along[j].z, turn->z)));
        wf parts[3];
        held_parts(h->angular, held_about_world(h), h->about, by, parts);
        for (int i = 0; i < h->angular; i++)
            h->k[h->linear + i][j] = parts[i];
    }
    if (h->masked) {
        held_mask(h, 0, h->linear);
        held_mask(h, h->linear, h->linear + h->angular);
    }
}

TR_INLINE void held_k(row_block *h, const masses *m)
{
    const point_levers la = point_levers_of(&m->ii_a, h->arm), lb = point_levers_of(&m->ii_b, h->rb);
    const sym3 point = point_k_by(m, &la, &lb, h->arm, h->rb);
    const sym3 spin = sym3_sum(&m->ii_a, &m->ii_b);
    const point_levers turn = point_levers_sum(&la, &lb);
    held_k_from(h, &point, &spin, &turn);
}

/* as sane(), of the changes of all rows, with one test */
TR_INLINE void held_sane(int count, wf *x)
{
    wf sum = wf_abs(x[0]);
    for (int i = 1; i < count; i++)
        sum = sum + wf_abs(x[i]);
    if (__builtin_expect(wm_all(wf_le(sum, wf_set(TR_SANE_IMPULSE))), 1))
        return;
    for (int i = 0; i < count; i++)
        x[i] = sane(x[i]);
}

/* K = L D L^T */
TR_INLINE void held_invert(row_block *h)
{
    const int count = h->linear + h->angular;
    for (int j = 0; j < count; j++) {
        wf scaled[HELD_MOST];
        for (int k = 0; k < j; k++) {
            scaled[k] = h->k[j][k];
            h->k[j][k] = scaled[k] * h->inverse[k];
        }
        wf d = h->k[j][j];
        for (int k = 0; k < j; k++)
            d = d - h->k[j][k] * scaled[k];
        h->inverse[j] = wf_inverse_of_positive(d);
        for (int i = j + 1; i < count; i++) {
            wf e = h->k[i][j];
            for (int k = 0; k < j; k++)
                e = e - h->k[i][k] * h->k[j][k];
            h->k[i][j] = e;
        }
    }
}

/*
 * The softness of a kind of rows, before held_invert(): K of these rows among themselves is scaled, so that it is K plus
 * gamma, and the decay of their impulses is added to their rates. A stiffness relative to K is gamma = K (1/mass_scale
 * - 1), the same share of K in all directions, so that all have the frequency; that of a spring in N/m is on the
 * diagonal. Rows that are off get a gamma far above K.
 *
 * The decay is gamma itself of a spring, less of rigid rows. Only where there is gamma: K of the softest direction of the
 * whole block may be far below that of the kind, and a decay of more than that would diverge. Rigid rows without gamma
 * give up a share of their impulse instead: softness_decay(). Lanes that are not soft keep their bits; their mass_scale
 * is 1.
 */
TR_INLINE void held_soften(row_block *h, int first, int count, wm soft, softness s, const float *impulses, wf *rates)
{
    const wf one = wf_set(1.0f);
    wf scale = one / wf_max(s.mass_scale, wf_set(1e-6f));
    wf share = wf_keep(wf_lt(s.mass_scale, one), s.impulse_scale);
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++)
            h->k[first + i][first + j] = scale * h->k[first + i][first + j];
    for (int i = 0; i < count; i++) {
        wf by = h->k[first + i][first] * get(impulses, first);
        for (int j = 1; j < count; j++)
            by = by + h->k[first + (j < i ? i : j)][first + (j < i ? j : i)] * get(impulses, first + j);
        const wf decay = share * by + s.gamma * get(impulses, first + i);
        rates[first + i] = wf_select(soft, rates[first + i] + decay, rates[first + i]);
    }
    for (int i = 0; i < count; i++)
        h->k[first + i][first + i] = h->k[first + i][first + i] + s.gamma;
}

/* x := K^-1 x */
TR_INLINE void held_solve(const row_block *h, wf x[HELD_MOST])
{
    const int count = h->linear + h->angular;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            x[i] = x[i] - h->k[i][j] * x[j];
    for (int i = 0; i < count; i++)
        x[i] = x[i] * h->inverse[i];
    for (int i = count - 1; i >= 0; i--)
        for (int j = i + 1; j < count; j++)
            x[i] = x[i] - h->k[j][i] * x[j];
}
