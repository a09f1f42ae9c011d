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
    return (levers){sym3_times(&m->ii_a, r->arm_a), sym3_times(&m->ii_b, r->arm_b)};
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
    a->w = minus(a->w, sym3_times(&m->ii_a, cross(arm, p)));
    b->v = add(b->v, times(m->im_b, p));
    b->w = add(b->w, sym3_times(&m->ii_b, cross(rb, p)));
}

/* adds -X(r) I X(r), one body's part of K of a point */
TR_INLINE void point_k_add(sym3 *k, const sym3 *i, w3 r)
{
    /* I (r x e) for the three axes e */
    w3 x = {i->xy * r.z - i->xz * r.y, i->yy * r.z - i->yz * r.y, i->yz * r.z - i->zz * r.y};
    w3 y = {i->xz * r.x - i->xx * r.z, i->yz * r.x - i->xy * r.z, i->zz * r.x - i->xz * r.z};
    w3 z = {i->xx * r.y - i->xy * r.x, i->xy * r.y - i->yy * r.x, i->xz * r.y - i->yz * r.x};
    k->xx = k->xx + (r.z * x.y - r.y * x.z);
    k->yy = k->yy + (r.x * y.z - r.z * y.x);
    k->zz = k->zz + (r.y * z.x - r.x * z.y);
    k->xy = k->xy + (r.x * x.z - r.z * x.x);
    k->xz = k->xz + (r.y * x.x - r.x * x.y);
    k->yz = k->yz + (r.y * y.x - r.x * y.y);
}

TR_INLINE sym3 point_k(const masses *m, w3 arm, w3 rb)
{
    wf im = m->im_a + m->im_b;
    sym3 k = {im, im, im, wf_zero(), wf_zero(), wf_zero()};
    point_k_add(&k, &m->ii_a, arm);
    point_k_add(&k, &m->ii_b, rb);
    return k;
}

/*
 * K^-1 b by K = L D L^T. No row is exchanged, because K is positive; where nothing can move, the result is 0.
 */
TR_INLINE w3 sym3_solve(const sym3 *k, w3 b)
{
    wf dx = wf_inverse_of_positive(k->xx);
    wf lyx = k->xy * dx, lzx = k->xz * dx;
    wf dy = wf_inverse_of_positive(k->yy - lyx * k->xy);
    wf t = k->yz - lzx * k->xy, lzy = t * dy;
    wf dz = wf_inverse_of_positive((k->zz - lzx * k->xz) - lzy * t);
    wf y = b.y - lyx * b.x, z = (b.z - lzx * b.x) - lzy * y;
    w3 r;
    r.z = dz * z;
    r.y = dy * y - lzy * r.z;
    r.x = dx * b.x - (lyx * r.y + lzx * r.z);
    return r;
}

/*
 * The same between bodies whose inertia is a number (inverse: ii_a, ii_b):
 *
 *   K = u 1 - ii_a a a^T - ii_b r r^T,  u = m + ii_a |a|^2 + ii_b |r|^2,  m = im_a + im_b
 *
 * and by the formula of Woodbury, with sums of positive numbers only:
 *
 *   K^-1 b = 1/u (b + (ii_a ((m + ii_a |a|^2) (a.b) + ii_b (a.r) (r.b)) a
 *                    + ii_b ((m + ii_b |r|^2) (r.b) + ii_a (a.r) (a.b)) r) / (m u + ii_a ii_b |a x r|^2))
 */
typedef struct even_point {
    wf im_a, im_b, ii_a, ii_b;
    w3 arm, rb, d;
} even_point;

typedef struct even_inverse {
    wf k, pair;    /* 1/u, and what the sum of a and r is divided by */
    wf on_a, on_b; /* ii_a (m + ii_a |a|^2), and of B */
    wf both;       /* ii_a ii_b (a.r) */
} even_inverse;

TR_INLINE even_inverse even_inverse_of(const even_point *n)
{
    w3 across = cross(n->arm, n->rb);
    wf im = n->im_a + n->im_b, ii = n->ii_a * n->ii_b;
    wf a = n->ii_a * dot(n->arm, n->arm), b = n->ii_b * dot(n->rb, n->rb), u = (im + a) + b;
    return (even_inverse){wf_inverse_of_positive(u), wf_inverse_of_positive(im * u + ii * dot(across, across)),
                          n->ii_a * (im + a), n->ii_b * (im + b), ii * dot(n->arm, n->rb)};
}

TR_INLINE w3 even_solve(const even_point *n, const even_inverse *i, w3 b)
{
    wf along_a = dot(n->arm, b), along_b = dot(n->rb, b);
    wf on_a = i->pair * (i->on_a * along_a + i->both * along_b);
    wf on_b = i->pair * (i->on_b * along_b + i->both * along_a);
    return times(i->k, add(b, add(times(on_a, n->arm), times(on_b, n->rb))));
}

TR_INLINE void even_apply(motion *a, motion *b, const even_point *n, w3 p)
{
    a->v = minus(a->v, times(n->im_a, p));
    a->w = minus(a->w, times(n->ii_a, cross(n->arm, p)));
    b->v = add(b->v, times(n->im_b, p));
    b->w = add(b->w, times(n->ii_b, cross(n->rb, p)));
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
 * Some rows held together: `points` rows of the point, which are along the world's axes, or other rows; then rows of
 * rotation. K is lower triangular here, and is factored in place.
 */
#define HELD_MOST 6

typedef struct row_block {
    int count, linear; /* constants after inlining: rows, and how many of them come first and are linear */
    bool point;        /* the linear rows are those of a point */
    jacobian rows[HELD_MOST];
    levers levers[HELD_MOST];
    wf k[HELD_MOST][HELD_MOST], inverse[HELD_MOST];
} row_block;

/* the mean of the diagonal from `first` to `end` */
TR_INLINE wf held_mean(const row_block *h, int first, int end)
{
    wf sum = wf_zero();
    for (int i = first; i < end; i++)
        sum = sum + h->k[i][i];
    if (end > first)
        sum = sum * wf_set(1.0f / (float)(end - first));
    return sum;
}

/* rows, then K, with the softness of each kind of rows as gamma on the diagonal; returns the decay of their impulses */
typedef struct leaks {
    wf linear, angular;
} leaks;

/* A decay without gamma may be more than K of the softest direction, and diverge: then there is none. */
TR_INLINE wf held_leak(softness s, wf k)
{
    return wf_select(wf_lt(s.mass_scale, wf_set(1.0f)), softness_leak(s, k), s.gamma);
}

TR_INLINE leaks held_factor(row_block *h, const masses *m, softness linear, softness angular)
{
    for (int i = 0; i < h->count; i++) {
        h->levers[i] = levers_of(m, &h->rows[i]);
        for (int j = 0; j <= i; j++)
            h->k[i][j] = rows_k(m, &h->rows[i], &h->rows[j], &h->levers[j]);
    }
    wf on_linear = held_mean(h, 0, h->linear), on_angular = held_mean(h, h->linear, h->count);
    leaks l = {held_leak(linear, on_linear), held_leak(angular, on_angular)};
    wf gamma_linear = softness_gamma(linear, on_linear), gamma_angular = softness_gamma(angular, on_angular);
    for (int i = 0; i < h->count; i++) {
        if (i < h->linear)
            h->k[i][i] = h->k[i][i] + gamma_linear;
        else
            h->k[i][i] = h->k[i][i] + gamma_angular;
    }
    /* K = L D L^T */
    for (int j = 0; j < h->count; j++) {
        wf scaled[HELD_MOST];
        for (int k = 0; k < j; k++) {
            scaled[k] = h->k[j][k];
            h->k[j][k] = scaled[k] * h->inverse[k];
        }
        wf d = h->k[j][j];
        for (int k = 0; k < j; k++)
            d = d - h->k[j][k] * scaled[k];
        h->inverse[j] = wf_inverse_of_positive(d);
        for (int i = j + 1; i < h->count; i++) {
            wf e = h->k[i][j];
            for (int k = 0; k < j; k++)
                e = e - h->k[i][k] * h->k[j][k];
            h->k[i][j] = e;
        }
    }
    return l;
}

/* x := K^-1 x */
TR_INLINE void held_solve(const row_block *h, wf x[HELD_MOST])
{
    for (int i = 0; i < h->count; i++)
        for (int j = 0; j < i; j++)
            x[i] = x[i] - h->k[i][j] * x[j];
    for (int i = 0; i < h->count; i++)
        x[i] = x[i] * h->inverse[i];
    for (int i = h->count - 1; i >= 0; i--)
        for (int j = i + 1; j < h->count; j++)
            x[i] = x[i] - h->k[j][i] * x[j];
}
