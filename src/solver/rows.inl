/*
 * The building blocks of joints, on TR_WIDTH lanes: a point held to a point, a direction, an angle; held rigidly or
 * softly; limits, motors and springs on one free coordinate. Written once, inlined into every joint's kernel.
 *
 * Signs: C = (B side) - (A side); an impulse lambda acts as +J_B^T lambda on B and J_A^T lambda on A.
 */
#include "base/angle.h"
#include "simd/wide.h"
#include "solver/kernels.h"

/* what a pass does; constants once inlined */
typedef struct tr2_pass {
    bool warm_start;
    bool refresh; /* computes the geometry as the bodies stand */
    bool biased;  /* takes errors back, and holds rigid rows as softly as the method says */
    bool project; /* positions have moved by this sub-step's velocities, and move on with what they change by */
    bool bounce;
} tr2_pass;

/* a body's velocity, and the angle it has turned since the step began */
typedef struct motion {
    wf vx, vy, w, angle;
} motion;

typedef struct pose {
    wf x, y, c, s;
} pose;

typedef struct masses {
    wf im_a, ii_a, im_b, ii_b;
} masses;

typedef struct w2 {
    wf x, y;
} w2;

/* column `index` of the lanes at c */
TR_INLINE wf get(const float *c, int index)
{
    return wf_load(c + TR_LANES * index);
}

TR_INLINE void put(float *c, int index, wf value)
{
    wf_store(c + TR_LANES * index, value);
}

TR_INLINE motion motion_load(const tr2_kernel_context *k, const int32_t *index)
{
    w4 r = w4_load_rows((const float *)k->velocities, index, 4);
    motion m = {r.x, r.y, r.z, r.w};
    return m;
}

/* an impulse that is not finite, or absurd, is dropped: so a body that overflows does not take its neighbours along */
TR_INLINE wf sane(wf impulse)
{
    return wf_keep(wf_le(wf_abs(impulse), wf_set(1e30f)), impulse);
}

TR_INLINE w2 rotate(wf c, wf s, w2 v)
{
    w2 r = {c * v.x - s * v.y, s * v.x + c * v.y};
    return r;
}

TR_INLINE wf cross(w2 a, w2 b)
{
    return a.x * b.y - a.y * b.x;
}

TR_INLINE wf dot(w2 a, w2 b)
{
    return a.x * b.x + a.y * b.y;
}

/*
 * Softness: (K + gamma) dlambda = -(J v + bias_rate C + gamma lambda), physics of an implicit spring. `mass_scale` and
 * `impulse_scale` are the same for a stiffness given relative to K. What is rigid is relaxed: solved again without bias
 * and without softness, so that the correction leaves no energy.
 */
typedef struct softness {
    wf bias_rate, mass_scale, impulse_scale, gamma;
    wf keep; /* 1: a spring, held softly in the relaxing pass too; 0: rigid */
} softness;

TR_INLINE softness softness_rigid(const tr2_kernel_context *k)
{
    softness r = {wf_set(k->rigid.bias_rate), wf_set(k->rigid.mass_scale), wf_set(k->rigid.impulse_scale), wf_zero(),
                  wf_zero()};
    return r;
}

/*
 * What rigid rows give up of their impulse, over the world's: 1 between like masses or to what is fixed, up to 2 between
 * unlike ones, which are the harder to keep calm (docs/solver.md).
 */
TR_INLINE wf unlike(masses m)
{
    const wf one = wf_set(1.0f);
    wf high = wf_max(m.im_a, m.im_b), low = wf_min(m.im_a, m.im_b);
    wf like = wf_select(wf_lt(wf_zero(), low), low * wf_inverse_or_zero(high), one);
    return one + (one - like);
}

TR_INLINE softness softness_held(const tr2_kernel_context *k, masses m)
{
    softness r = softness_rigid(k);
    r.impulse_scale = r.impulse_scale * unlike(m);
    return r;
}

/* from the three fields of a tr_softness; `kind` as 0, 1, 2 or 3 */
TR_INLINE softness softness_of(const tr2_kernel_context *k, wf kind, wf a, wf b)
{
    const wf zero = wf_zero(), one = wf_set(1.0f), h = wf_set(k->h);
    wm rigid = wf_eq(kind, zero), physical = wf_lt(wf_set(1.5f), kind), raw = wf_lt(wf_set(2.5f), kind);
    /* frequency a, damping ratio b */
    wf omega = wf_set((float)TR_TURN) * a;
    wf a1 = wf_set(2.0f) * b + h * omega;
    wf a2 = h * omega * a1;
    wf a3 = one / (one + a2);
    wf frequency_bias = omega * wf_inverse_or_zero(a1);
    /* stiffness a, damping b */
    wf c_hk = b + h * a;
    wm slack = wf_eq(c_hk, zero);
    wf inverse = wf_inverse_or_zero(c_hk);
    softness r;
    r.bias_rate = wf_select(physical, a * inverse, frequency_bias);
    r.mass_scale = wf_select(physical, wf_select(slack, zero, one), a2 * a3);
    r.impulse_scale = wf_select(physical, wf_select(slack, one, zero), a3);
    r.gamma = wf_keep(physical, wf_set(k->inv_h) * inverse);
    r.bias_rate = wf_select(raw, b * wf_set(k->inv_h), r.bias_rate);
    r.mass_scale = wf_select(raw, one, r.mass_scale);
    r.impulse_scale = wf_select(raw, zero, r.impulse_scale);
    r.gamma = wf_select(raw, a, r.gamma);
    softness s = softness_rigid(k);
    r.bias_rate = wf_select(rigid, s.bias_rate, r.bias_rate);
    r.mass_scale = wf_select(rigid, s.mass_scale, r.mass_scale);
    r.impulse_scale = wf_select(rigid, s.impulse_scale, r.impulse_scale);
    r.keep = wf_select(rigid, zero, one);
    return r;
}

/* as columns, for kernels whose joints have each their own */
enum { SOFT_BIAS_RATE, SOFT_MASS_SCALE, SOFT_IMPULSE_SCALE, SOFT_GAMMA, SOFT_KEEP, SOFT_COLUMNS };

TR_INLINE void softness_put(float *c, int first, softness s)
{
    put(c, first + SOFT_BIAS_RATE, s.bias_rate);
    put(c, first + SOFT_MASS_SCALE, s.mass_scale);
    put(c, first + SOFT_IMPULSE_SCALE, s.impulse_scale);
    put(c, first + SOFT_GAMMA, s.gamma);
    put(c, first + SOFT_KEEP, s.keep);
}

TR_INLINE softness softness_get(const float *c, int first)
{
    softness s = {get(c, first + SOFT_BIAS_RATE), get(c, first + SOFT_MASS_SCALE), get(c, first + SOFT_IMPULSE_SCALE),
                  get(c, first + SOFT_GAMMA), get(c, first + SOFT_KEEP)};
    return s;
}

/* the softness that the relaxing pass uses: none where rigid */
TR_INLINE softness softness_relaxed(softness s)
{
    const wf one = wf_set(1.0f);
    s.mass_scale = s.keep * s.mass_scale + (one - s.keep);
    s.bias_rate = s.keep * s.bias_rate;
    s.impulse_scale = s.keep * s.impulse_scale;
    s.gamma = s.keep * s.gamma;
    return s;
}

/*
 * A softness as a gamma on the diagonal of a block of several rows, where k is the row's own K: so each row of a block
 * may be held differently. A row that is off gets a gamma beside which K vanishes.
 */
TR_INLINE wf softness_gamma(softness s, wf k)
{
    const wf least = wf_set(1e-6f);
    wf scale = wf_max(s.mass_scale, least);
    return s.gamma + k * ((wf_set(1.0f) - scale) / scale);
}

/* and what such a row gives up of its impulse: gamma itself for a spring, less for what is rigid */
TR_INLINE wf softness_leak(softness s, wf k)
{
    return s.gamma + k * (s.impulse_scale / wf_max(s.mass_scale, wf_set(1e-6f)));
}

/*
 * A point of B held to a point of A: 2 rows. C = d, J = (-1, -X(a), 1, X(rB)), X(r) = (-ry, rx), with the arm a = rA + d:
 * d as it is seen by A, which turns.
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

/* a symmetric 2 x 2 matrix */
typedef struct sym2 {
    wf xx, xy, yy;
} sym2;

/*
 * (K + gamma)^-1 of a point. The determinant is written as the sum of positive terms that it is,
 *   m^2 + m (iA rA^2 + iB rB^2) + iA iB (rA x rB)^2,  m = mA + mB + gamma,
 * because the difference xx yy - xy^2 loses all its digits for light bodies with long arms. Zero where nothing moves.
 */
TR_INLINE sym2 point_inverse(masses m, w2 ra, w2 rb, wf gamma)
{
    wf im = (m.im_a + m.im_b) + gamma;
    wf axx = m.ii_a * ra.x * ra.x, ayy = m.ii_a * ra.y * ra.y;
    wf bxx = m.ii_b * rb.x * rb.x, byy = m.ii_b * rb.y * rb.y;
    wf turn = cross(ra, rb);
    wf determinant = im * (im + ((axx + ayy) + (bxx + byy))) + m.ii_a * m.ii_b * (turn * turn);
    wf d = wf_inverse_or_zero(determinant);
    sym2 r = {(im + (axx + bxx)) * d, (m.ii_a * ra.x * ra.y + m.ii_b * rb.x * rb.y) * d, (im + (ayy + byy)) * d};
    return r;
}

TR_INLINE w2 sym2_times(sym2 k, w2 v)
{
    w2 r = {k.xx * v.x + k.xy * v.y, k.xy * v.x + k.yy * v.y};
    return r;
}

/* the change of a point's impulse p for the rate J v and d, with softness; without the check for what is not finite */
TR_INLINE w2 point_soft_change(sym2 inverse, softness s, w2 rate, w2 d, w2 p)
{
    rate.x = rate.x + s.bias_rate * d.x + s.gamma * p.x;
    rate.y = rate.y + s.bias_rate * d.y + s.gamma * p.y;
    w2 change = sym2_times(inverse, rate);
    change.x = -(s.mass_scale * change.x + s.impulse_scale * p.x);
    change.y = -(s.mass_scale * change.y + s.impulse_scale * p.y);
    return change;
}

/* a change of p that leaves it no longer than `most`; what is not finite is dropped before the cap */
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
 * One row along a direction that moves with A or with the line between the anchors:
 * J = (-n, -arm_a, n, arm_b); rate = n . (vB - vA) + arm_b wB - arm_a wA.
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

/* along n, from A's centre and B's to where both ends of the impulse act */
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

/*
 * One row that acts on each of two bodies by itself, against the world between them: J = (n_a, arm_a, n_b, arm_b).
 */
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

/* One row of relative angle: J = (0, -1, 0, 1). */
TR_INLINE void angle_apply(motion *a, motion *b, masses m, wf impulse)
{
    a->w = a->w - m.ii_a * impulse;
    b->w = b->w + m.ii_b * impulse;
}

/*
 * One row of angles with a ratio: J = (0, -ratio, 0, 1). What an impulse does on A is `back`: along J^T it is the ratio,
 * equal and opposite torques have 1.
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

/*
 * A scalar row with softness: the change of the impulse for rate J v and coordinate C; `mass` is 1 / (K + gamma).
 */
TR_INLINE wf soft_change_by(softness s, wf rate, wf c, wf mass, wf impulse)
{
    return sane(-(s.mass_scale * mass * (rate + s.bias_rate * c + s.gamma * impulse)) - s.impulse_scale * impulse);
}

TR_INLINE wf soft_change(softness s, wf rate, wf c, wf k, wf impulse)
{
    return soft_change_by(s, rate, c, wf_inverse_or_zero(k + s.gamma), impulse);
}

/*
 * The free coordinate and what acts on it: friction, spring, motor, limits, in this order (the later, the harder). The coordinate
 * is an angle, an angle against a multiple of A's, or runs along a direction; which of the features a type has is constant
 * once inlined.
 *
 * Features that are off are neutral numbers: a spring of mass scale 0, a motor of no strength, limits far away.
 */
typedef struct freedom {
    bool angular, geared, spring, motor, limit, friction;
} freedom;

/* what the coordinate's row is, of the two that are no plain angle */
typedef struct course {
    direction along;
    gearing turn;
} course;

TR_INLINE course course_angle(void)
{
    const wf none = wf_zero();
    course r = {{{none, none}, none, none}, {none, none}};
    return r;
}

TR_INLINE course course_along(direction along)
{
    course r = course_angle();
    r.along = along;
    return r;
}

TR_INLINE course course_geared(gearing turn)
{
    course r = course_angle();
    r.turn = turn;
    return r;
}

enum {
    FREE_SPRING_TARGET,
    FREE_MOTOR_SPEED,
    FREE_MOTOR_IMPULSE, /* the most, N s or N m s */
    FREE_LOWER,
    FREE_UPPER,
    FREE_FRICTION_IMPULSE, /* the most, N s or N m s */
    FREE_SPRING_LEAST,     /* N s or N m s */
    FREE_SPRING_MOST,
    FREE_SPRING_SOFT, /* SOFT_COLUMNS of them */
    FREE_COLUMNS = FREE_SPRING_SOFT + SOFT_COLUMNS
};

#define TR2_FAR 1e18f /* a limit or a cap that is off: what is made of it stays finite in float */

/* fields of the lanes, booleans and kinds as 0, 1, 2: fields[field][lane]; then the table's own columns */
typedef const float (*tr2_fields)[TR_LANES];

TR_INLINE wf field(tr2_fields f, int index, int lane)
{
    return wf_load(&f[index][lane]);
}

/* a softness from its fields, which follow each other */
TR_INLINE softness softness_field(const tr2_kernel_context *k, masses m, tr2_fields f, int kind, int lane)
{
    softness s = softness_of(k, field(f, kind, lane), field(f, kind + 1, lane), field(f, kind + 2, lane));
    s.impulse_scale = s.impulse_scale * wf_select(wf_eq(s.keep, wf_zero()), unlike(m), wf_set(1.0f));
    return s;
}

/* the least and the most impulse of a spring, as two columns; 0 and 0 are no caps */
TR_INLINE void spring_caps_put(const tr2_kernel_context *k, tr2_fields f, int lane, float *c, int first)
{
    wf least = field(f, TR2_SPRING_FORCE_LOWER, lane), most = field(f, TR2_SPRING_FORCE_UPPER, lane);
    wm none = wm_and(wf_eq(least, wf_zero()), wf_eq(most, wf_zero()));
    put(c, first, wf_select(none, wf_set(-TR2_FAR), wf_set(k->h) * least));
    put(c, first + 1, wf_select(none, wf_set(TR2_FAR), wf_set(k->h) * most));
}

TR_INLINE void freedom_prepare(const tr2_kernel_context *k, tr2_fields f, int lane, freedom has, float *c, int first)
{
    if (has.spring) {
        wm on = wf_lt(wf_zero(), field(f, TR2_SPRING_ENABLE, lane));
        softness s =
            softness_of(k, field(f, TR2_SPRING_KIND, lane), field(f, TR2_SPRING_A, lane), field(f, TR2_SPRING_B, lane));
        s.mass_scale = wf_keep(on, s.mass_scale);
        s.impulse_scale = wf_select(on, s.impulse_scale, wf_set(1.0f));
        s.keep = wf_select(on, s.keep, wf_set(1.0f));
        softness_put(c, first + FREE_SPRING_SOFT, s);
        put(c, first + FREE_SPRING_TARGET, field(f, TR2_SPRING_TARGET, lane));
        spring_caps_put(k, f, lane, c, first + FREE_SPRING_LEAST);
    }
    if (has.motor) {
        wm on = wf_lt(wf_zero(), field(f, TR2_MOTOR_ENABLE, lane));
        put(c, first + FREE_MOTOR_SPEED, field(f, TR2_MOTOR_SPEED, lane));
        put(c, first + FREE_MOTOR_IMPULSE, wf_keep(on, wf_set(k->h) * field(f, TR2_MOTOR_MAXIMUM, lane)));
    }
    if (has.limit) {
        wm on = wf_lt(wf_zero(), field(f, TR2_LIMIT_ENABLE, lane));
        put(c, first + FREE_LOWER, wf_select(on, field(f, TR2_LIMIT_LOWER, lane), wf_set(-TR2_FAR)));
        put(c, first + FREE_UPPER, wf_select(on, field(f, TR2_LIMIT_UPPER, lane), wf_set(TR2_FAR)));
    }
    if (has.friction)
        put(c, first + FREE_FRICTION_IMPULSE, wf_set(k->h) * field(f, TR2_FRICTION, lane));
}

TR_INLINE wf free_rate(const motion *a, const motion *b, freedom has, course r)
{
    if (has.angular)
        return b->w - a->w;
    return has.geared ? gearing_rate(a, b, r.turn) : direction_rate(a, b, r.along);
}

TR_INLINE void free_apply(motion *a, motion *b, masses m, freedom has, course r, wf impulse)
{
    if (has.angular)
        angle_apply(a, b, m, impulse);
    else if (has.geared)
        gearing_apply(a, b, m, r.turn, impulse);
    else
        direction_apply(a, b, m, r.along, impulse);
}

TR_INLINE wf free_k(masses m, freedom has, course r)
{
    if (has.angular)
        return m.ii_a + m.ii_b;
    return has.geared ? gearing_k(m, r.turn) : direction_k(m, r.along);
}

/* impulses of the features, as columns from `first`: spring, motor, lower, upper, friction, those that the type has */
TR_INLINE void freedom_warm_start(motion *a, motion *b, masses m, freedom has, course r, const float *c, int first)
{
    wf sum = wf_zero();
    int i = first;
    if (has.spring)
        sum = sum + get(c, i++);
    if (has.motor)
        sum = sum + get(c, i++);
    if (has.limit) {
        sum = sum + get(c, i++);
        sum = sum - get(c, i++);
    }
    if (has.friction)
        sum = sum + get(c, i++);
    free_apply(a, b, m, has, r, sum);
}

/* one limit: `gap` is how far away it is, `rate` of the gap, positive impulse opens it */
TR_INLINE wf limit_change(const tr2_kernel_context *k, tr2_pass pass, wf gap, wf rate, wf inverse_k, wf impulse)
{
    const wf zero = wf_zero();
    softness s = softness_rigid(k);
    wm open = wf_lt(zero, gap);
    /* an open gap may close within the sub-step; a violated one is pushed back softly, or left when relaxing */
    if (!pass.biased)
        s = softness_relaxed(s);
    wf bias = wf_select(open, gap * wf_set(k->inv_h), s.bias_rate * gap);
    wf mass_scale = wf_select(open, wf_set(1.0f), s.mass_scale);
    /* all of what a spring gives up: the impulse of an impact is to be gone in the next sub-step */
    wf impulse_scale = wf_select(open, zero, wf_set(1.0f) - s.mass_scale);
    wf change = -(mass_scale * inverse_k * (rate + bias)) - impulse_scale * impulse;
    wf total = wf_max(impulse + change, zero);
    return sane(total - impulse);
}

/* a change of an impulse that stays within +-most; what is not finite is dropped before the cap, which would make it the cap */
TR_INLINE wf capped_change(wf change, wf impulse, wf most)
{
    return wf_clamp(impulse + sane(change), -most, most) - impulse;
}

TR_INLINE void freedom_solve(const tr2_kernel_context *k, tr2_pass pass, motion *a, motion *b, masses m, freedom has,
                             course r, wf coordinate, const float *c, int first, float *impulses, int first_impulse)
{
    wf inverse_mass = free_k(m, has, r);
    wf mass = wf_inverse_or_zero(inverse_mass);
    /* all push along one row: its rate follows the impulses, and the bodies take them together */
    wf rate = free_rate(a, b, has, r), sum = wf_zero(), change;
    int i = first_impulse;
    if (has.friction) {
        int at = first_impulse + (has.spring ? 1 : 0) + (has.motor ? 1 : 0) + (has.limit ? 2 : 0);
        wf impulse = get(impulses, at);
        change = capped_change(mass * -rate, impulse, get(c, first + FREE_FRICTION_IMPULSE));
        put(impulses, at, impulse + change);
        rate = rate + inverse_mass * change;
        sum = sum + change;
    }
    if (has.spring) {
        softness s = softness_get(c, first + FREE_SPRING_SOFT);
        if (!pass.biased)
            s = softness_relaxed(s);
        wf impulse = get(impulses, i);
        change = soft_change(s, rate, coordinate - get(c, first + FREE_SPRING_TARGET), inverse_mass, impulse);
        change =
            wf_clamp(impulse + change, get(c, first + FREE_SPRING_LEAST), get(c, first + FREE_SPRING_MOST)) - impulse;
        put(impulses, i++, impulse + change);
        rate = rate + inverse_mass * change;
        sum = sum + change;
    }
    if (has.motor) {
        wf impulse = get(impulses, i);
        change = capped_change(mass * (get(c, first + FREE_MOTOR_SPEED) - rate), impulse,
                               get(c, first + FREE_MOTOR_IMPULSE));
        put(impulses, i++, impulse + change);
        rate = rate + inverse_mass * change;
        sum = sum + change;
    }
    if (has.limit) {
        wf lower = get(impulses, i);
        change = limit_change(k, pass, coordinate - get(c, first + FREE_LOWER), rate, mass, lower);
        put(impulses, i++, lower + change);
        rate = rate + inverse_mass * change;
        sum = sum + change;
        wf upper = get(impulses, i);
        change = limit_change(k, pass, get(c, first + FREE_UPPER) - coordinate, -rate, mass, upper);
        put(impulses, i++, upper + change);
        sum = sum - change;
    }
    free_apply(a, b, m, has, r, sum);
}

/*
 * What prepare gives every kernel, for the lanes at hand.
 */
typedef struct setup {
    w2 ra, rb;   /* anchors from the centres of mass */
    w2 d;        /* centre of B less centre of A */
    wf c_a, s_a; /* rotation of A */
    wf c_b, s_b;
    wf angle;        /* of B less ratio times A's less reference_angle, unwrapped; for types with an angle */
    w2 out_a, out_b; /* centres from the ground points; for types with ground points */
    wf mesh;         /* coordinate of B, and ratio times that of A, of the centres where they slide, less offset */
    masses m;
    const int32_t *row_a, *row_b; /* state rows of the lanes */
} setup;

/* The columns that every kernel keeps: masses, anchors and centres as the step began. */
enum {
    BASE_IM_A,
    BASE_II_A,
    BASE_IM_B,
    BASE_II_B,
    BASE_RA_X,
    BASE_RA_Y,
    BASE_RB_X,
    BASE_RB_Y,
    BASE_D_X,
    BASE_D_Y,
    BASE_COLUMNS
};

TR_INLINE void base_put(float *c, int first, const setup *s)
{
    put(c, first + BASE_IM_A, s->m.im_a);
    put(c, first + BASE_II_A, s->m.ii_a);
    put(c, first + BASE_IM_B, s->m.im_b);
    put(c, first + BASE_II_B, s->m.ii_b);
    put(c, first + BASE_RA_X, s->ra.x);
    put(c, first + BASE_RA_Y, s->ra.y);
    put(c, first + BASE_RB_X, s->rb.x);
    put(c, first + BASE_RB_Y, s->rb.y);
    put(c, first + BASE_D_X, s->d.x);
    put(c, first + BASE_D_Y, s->d.y);
}

TR_INLINE masses masses_get(const float *c, int first)
{
    masses m = {get(c, first + BASE_IM_A), get(c, first + BASE_II_A), get(c, first + BASE_IM_B),
                get(c, first + BASE_II_B)};
    return m;
}

/* anchors as the bodies stand now, and the vector between them */
typedef struct anchors {
    w2 ra, rb, d;
} anchors;

TR_INLINE anchors anchors_now(const float *c, int first, const pose *pa, const pose *pb)
{
    w2 ra0 = {get(c, first + BASE_RA_X), get(c, first + BASE_RA_Y)};
    w2 rb0 = {get(c, first + BASE_RB_X), get(c, first + BASE_RB_Y)};
    anchors n;
    n.ra = rotate(pa->c, pa->s, ra0);
    n.rb = rotate(pb->c, pb->s, rb0);
    n.d.x = (get(c, first + BASE_D_X) + (pb->x - pa->x)) + (n.rb.x - n.ra.x);
    n.d.y = (get(c, first + BASE_D_Y) + (pb->y - pa->y)) + (n.rb.y - n.ra.y);
    return n;
}

/* an error or a coordinate as it was when the sub-step began, along its row: what the bias is for */
TR_INLINE wf begun(const tr2_kernel_context *k, tr2_pass pass, wf c, wf rate)
{
    if (pass.project)
        c = c - wf_set(k->h) * rate;
    return c;
}

TR_INLINE anchors anchors_first(const setup *s)
{
    anchors n = {s->ra, s->rb, {s->d.x + (s->rb.x - s->ra.x), s->d.y + (s->rb.y - s->ra.y)}};
    return n;
}

/* from A's centre to B's anchor, where both ends of a joint's force act: it then turns nothing that is not turned back */
TR_INLINE w2 arm_of(const anchors *n)
{
    w2 arm = {n->ra.x + n->d.x, n->ra.y + n->d.y};
    return arm;
}

/* A's axis as the step begins */
TR_INLINE w2 axis_first(const setup *s, tr2_fields f, int lane)
{
    w2 local = {field(f, TR2_AXIS_X, lane), field(f, TR2_AXIS_Y, lane)};
    return rotate(s->c_a, s->s_a, local);
}

/* What a point's rows need of where the bodies stand, as columns: the arms and (K + gamma)^-1. */
enum { PIN_RA_X, PIN_RA_Y, PIN_RB_X, PIN_RB_Y, PIN_M_XX, PIN_M_XY, PIN_M_YY, PIN_COLUMNS };

TR_INLINE void pin_put(float *c, int first, const anchors *n, masses m, wf gamma)
{
    w2 arm = arm_of(n);
    sym2 inverse = point_inverse(m, arm, n->rb, gamma);
    put(c, first + PIN_RA_X, arm.x);
    put(c, first + PIN_RA_Y, arm.y);
    put(c, first + PIN_RB_X, n->rb.x);
    put(c, first + PIN_RB_Y, n->rb.y);
    put(c, first + PIN_M_XX, inverse.xx);
    put(c, first + PIN_M_XY, inverse.xy);
    put(c, first + PIN_M_YY, inverse.yy);
}

TR_INLINE w2 pin_arm_a(const float *c, int first)
{
    w2 r = {get(c, first + PIN_RA_X), get(c, first + PIN_RA_Y)};
    return r;
}

TR_INLINE w2 pin_arm_b(const float *c, int first)
{
    w2 r = {get(c, first + PIN_RB_X), get(c, first + PIN_RB_Y)};
    return r;
}

TR_INLINE sym2 pin_inverse(const float *c, int first)
{
    sym2 r = {get(c, first + PIN_M_XX), get(c, first + PIN_M_XY), get(c, first + PIN_M_YY)};
    return r;
}

/* the error of a point, and of its sub-step's beginning */
TR_INLINE w2 point_error(const tr2_kernel_context *k, tr2_pass pass, const motion *a, const motion *b, const anchors *n)
{
    w2 e = n->d;
    if (pass.project) {
        w2 rate = point_rate(a, b, arm_of(n), n->rb);
        e.x = begun(k, pass, e.x, rate.x);
        e.y = begun(k, pass, e.y, rate.y);
    }
    return e;
}

/* the angle that bodies have turned against each other since the step began, likewise */
TR_INLINE wf turned(const tr2_kernel_context *k, tr2_pass pass, const motion *a, const motion *b)
{
    return begun(k, pass, b->angle - a->angle, b->w - a->w);
}
