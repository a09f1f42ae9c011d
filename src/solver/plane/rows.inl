/*
 * Constraint rows on TR_WIDTH lanes: point to point, direction, pair, angle. Each converts velocities to a rate and
 * applies an impulse to velocities. Inlined into every joint's kernel.
 *
 * Signs: C = (B side) - (A side); an impulse lambda acts as +J_B^T lambda on B and J_A^T lambda on A.
 */
#include "solver/kernels/softness.inl"

/*
 * A softness as gamma on the diagonal of a block of several rows, where k is the row's own K, so that each row can have
 * its own softness. A row that is off gets a gamma far above K.
 */
TR_INLINE wf softness_gamma(softness s, wf k)
{
    const wf least = wf_set(1e-6f);
    wf scale = wf_max(s.mass_scale, least);
    return s.gamma + k * ((wf_set(1.0f) - scale) / scale);
}

/*
 * The decay of the impulse of such a row: gamma itself for a spring, less for a rigid row. Only where there is gamma: K
 * of the softest direction of a block may be far below `k`, and a decay of more than that would diverge. A rigid row
 * without gamma gives up a share of its impulse instead: softness_decay().
 */
TR_INLINE wf softness_leak(softness s, wf k)
{
    wf leak = s.gamma + k * (s.impulse_scale / wf_max(s.mass_scale, wf_set(1e-6f)));
    return wf_select(wf_lt(s.mass_scale, wf_set(1.0f)), leak, s.gamma);
}

/*
 * Point to point: 2 rows. C = d, J = (-1, -X(a), 1, X(rB)), X(r) = (-ry, rx), with the arm a = rA + d: the rate of d is
 * that in A's rotating frame.
 */
TR_INLINE w2 point_rate(const motion *a, const motion *b, w2 ra, w2 rb)
{
    w2 r = {(b->vx - b->w * rb.y) - (a->vx - a->w * ra.y), (b->vy + b->w * rb.x) - (a->vy + a->w * ra.x)};
    return r;
}

TR_INLINE void point_apply(motion *a, motion *b, masses m, w2 ra, w2 rb, w2 p)
{
    a->vx = a->vx - m.im_a * p.x;
    a->vy = a->vy - m.im_a * p.y;
    a->w = a->w - m.ii_a * cross(ra, p);
    b->vx = b->vx + m.im_b * p.x;
    b->vy = b->vy + m.im_b * p.y;
    b->w = b->w + m.ii_b * cross(rb, p);
}

/* the inverse inertias times the arms */
typedef struct levers {
    w2 a, b;
} levers;

TR_INLINE levers levers_of(masses m, w2 ra, w2 rb)
{
    levers l = {{m.ii_a * ra.x, m.ii_a * ra.y}, {m.ii_b * rb.x, m.ii_b * rb.y}};
    return l;
}

/* point_apply() where the levers are known; rounds differently */
TR_INLINE void point_apply_by(motion *a, motion *b, masses m, levers l, w2 p)
{
    a->vx = a->vx - m.im_a * p.x;
    a->vy = a->vy - m.im_a * p.y;
    a->w = a->w - cross(l.a, p);
    b->vx = b->vx + m.im_b * p.x;
    b->vy = b->vy + m.im_b * p.y;
    b->w = b->w + cross(l.b, p);
}

/* a symmetric 2 x 2 matrix */
typedef struct sym2 {
    wf xx, xy, yy;
} sym2;

/* an inverse as it is before the division */
typedef struct inversion {
    sym2 adjugate;
    wf determinant;
} inversion;

/*
 * (K + gamma)^-1 of a point. The determinant is written as a sum of positive terms,
 *   m^2 + m (iA rA^2 + iB rB^2) + iA iB (rA x rB)^2,  m = mA + mB + gamma: `im`,
 * because the difference xx yy - xy^2 would lose all digits for light bodies with long arms. It is 0 if no body can
 * move.
 */
TR_INLINE inversion point_inversion(masses m, levers l, w2 ra, w2 rb, wf im)
{
    wf turn = cross(ra, rb);
    /* B's part is known before A's arm is */
    wf xx = (im + l.b.x * rb.x) + l.a.x * ra.x, yy = l.b.y * rb.y + l.a.y * ra.y;
    inversion r = {{xx, l.a.x * ra.y + l.b.x * rb.y, im + yy}, im * (xx + yy) + m.ii_a * m.ii_b * (turn * turn)};
    return r;
}

TR_INLINE sym2 sym2_scaled(sym2 k, wf scale)
{
    sym2 r = {k.xx * scale, k.xy * scale, k.yy * scale};
    return r;
}

/* 0 if no body can move */
TR_INLINE sym2 point_inverse(masses m, w2 ra, w2 rb, wf gamma)
{
    inversion i = point_inversion(m, levers_of(m, ra, rb), ra, rb, (m.im_a + m.im_b) + gamma);
    return sym2_scaled(i.adjugate, wf_inverse_of_positive(i.determinant));
}

TR_INLINE w2 sym2_times(sym2 k, w2 v)
{
    w2 r = {k.xx * v.x + k.xy * v.y, k.xy * v.x + k.yy * v.y};
    return r;
}

/* the change of a point's impulse p for the rate J v and the error d, with softness; may not be finite */
TR_INLINE w2 point_soft_change(sym2 inverse, softness s, w2 rate, w2 d, w2 p)
{
    rate.x = rate.x + s.bias_rate * d.x + s.gamma * p.x;
    rate.y = rate.y + s.bias_rate * d.y + s.gamma * p.y;
    w2 change = sym2_times(inverse, rate);
    change.x = -(s.mass_scale * change.x + s.impulse_scale * p.x);
    change.y = -(s.mass_scale * change.y + s.impulse_scale * p.y);
    return change;
}

/* limits a change so that |p| is at most `most`; values that are not finite are dropped before */
TR_INLINE w2 point_capped_change(w2 change, w2 p, wf most)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    w2 total = {p.x + sane(change.x), p.y + sane(change.y)};
    wf length = wf_sqrt(dot(total, total));
    wf scale = wf_select(wf_lt(most, length), most / wf_select(wf_lt(zero, length), length, one), one);
    w2 r = {sane(total.x * scale - p.x), sane(total.y * scale - p.y)};
    return r;
}

/*
 * One row along a direction that rotates with A or with the line between the anchors: J = (-n, -arm_a, n, arm_b); rate
 * = n . (vB - vA) + arm_b wB - arm_a wA.
 */
typedef struct direction {
    w2 n;
    wf arm_a, arm_b;
} direction;

TR_INLINE wf direction_rate(const motion *a, const motion *b, direction r)
{
    return (r.n.x * (b->vx - a->vx) + r.n.y * (b->vy - a->vy)) + (r.arm_b * b->w - r.arm_a * a->w);
}

TR_INLINE void direction_apply(motion *a, motion *b, masses m, direction r, wf impulse)
{
    wf px = r.n.x * impulse, py = r.n.y * impulse;
    a->vx = a->vx - m.im_a * px;
    a->vy = a->vy - m.im_a * py;
    a->w = a->w - m.ii_a * (r.arm_a * impulse);
    b->vx = b->vx + m.im_b * px;
    b->vy = b->vy + m.im_b * py;
    b->w = b->w + m.ii_b * (r.arm_b * impulse);
}

TR_INLINE wf direction_k(masses m, direction r)
{
    return (m.im_a + m.im_b) + (m.ii_a * r.arm_a * r.arm_a + m.ii_b * r.arm_b * r.arm_b);
}

/* a row along n; `arm` and `rb` go from the centres of A and B to the point where both ends of the impulse act */
TR_INLINE direction direction_of(w2 n, w2 arm, w2 rb)
{
    direction r = {n, cross(arm, n), cross(rb, n)};
    return r;
}

/* as columns */
enum { DIRECTION_X, DIRECTION_Y, DIRECTION_ARM_A, DIRECTION_ARM_B, DIRECTION_COLUMNS };

TR_INLINE void direction_put(float *c, int first, direction r)
{
    put(c, first + DIRECTION_X, r.n.x);
    put(c, first + DIRECTION_Y, r.n.y);
    put(c, first + DIRECTION_ARM_A, r.arm_a);
    put(c, first + DIRECTION_ARM_B, r.arm_b);
}

TR_INLINE direction direction_get(const float *c, int first)
{
    direction r = {{get(c, first + DIRECTION_X), get(c, first + DIRECTION_Y)},
                   get(c, first + DIRECTION_ARM_A),
                   get(c, first + DIRECTION_ARM_B)};
    return r;
}

/* One row that acts on each of two bodies separately, against the world: J = (n_a, arm_a, n_b, arm_b). */
typedef struct pair {
    w2 n_a, n_b;
    wf arm_a, arm_b;
} pair;

TR_INLINE wf pair_rate(const motion *a, const motion *b, pair r)
{
    return ((r.n_a.x * a->vx + r.n_a.y * a->vy) + r.arm_a * a->w) +
           ((r.n_b.x * b->vx + r.n_b.y * b->vy) + r.arm_b * b->w);
}

TR_INLINE void pair_apply(motion *a, motion *b, masses m, pair r, wf impulse)
{
    a->vx = a->vx + m.im_a * (r.n_a.x * impulse);
    a->vy = a->vy + m.im_a * (r.n_a.y * impulse);
    a->w = a->w + m.ii_a * (r.arm_a * impulse);
    b->vx = b->vx + m.im_b * (r.n_b.x * impulse);
    b->vy = b->vy + m.im_b * (r.n_b.y * impulse);
    b->w = b->w + m.ii_b * (r.arm_b * impulse);
}

TR_INLINE wf pair_k(masses m, pair r)
{
    return (m.im_a * dot(r.n_a, r.n_a) + m.im_b * dot(r.n_b, r.n_b)) +
           (m.ii_a * r.arm_a * r.arm_a + m.ii_b * r.arm_b * r.arm_b);
}

/* as columns */
enum { PAIR_NA_X, PAIR_NA_Y, PAIR_ARM_A, PAIR_NB_X, PAIR_NB_Y, PAIR_ARM_B, PAIR_COLUMNS };

TR_INLINE void pair_put(float *c, int first, pair r)
{
    put(c, first + PAIR_NA_X, r.n_a.x);
    put(c, first + PAIR_NA_Y, r.n_a.y);
    put(c, first + PAIR_ARM_A, r.arm_a);
    put(c, first + PAIR_NB_X, r.n_b.x);
    put(c, first + PAIR_NB_Y, r.n_b.y);
    put(c, first + PAIR_ARM_B, r.arm_b);
}

TR_INLINE pair pair_get(const float *c, int first)
{
    pair r = {{get(c, first + PAIR_NA_X), get(c, first + PAIR_NA_Y)},
              {get(c, first + PAIR_NB_X), get(c, first + PAIR_NB_Y)},
              get(c, first + PAIR_ARM_A),
              get(c, first + PAIR_ARM_B)};
    return r;
}

/* One row of the relative angle: J = (0, -1, 0, 1). */
TR_INLINE void angle_apply(motion *a, motion *b, masses m, wf impulse)
{
    a->w = a->w - m.ii_a * impulse;
    b->w = b->w + m.ii_b * impulse;
}

/*
 * One row of angles with a ratio: J = (0, -ratio, 0, 1). An impulse acts on A with the factor -back: with back = ratio
 * it acts along J^T; back = 1 gives equal and opposite torques.
 */
typedef struct gearing {
    wf ratio, back;
} gearing;

TR_INLINE wf gearing_rate(const motion *a, const motion *b, gearing g)
{
    return b->w - g.ratio * a->w;
}

TR_INLINE void gearing_apply(motion *a, motion *b, masses m, gearing g, wf impulse)
{
    a->w = a->w - m.ii_a * (g.back * impulse);
    b->w = b->w + m.ii_b * impulse;
}

TR_INLINE wf gearing_k(masses m, gearing g)
{
    return m.ii_a * (g.ratio * g.back) + m.ii_b;
}
