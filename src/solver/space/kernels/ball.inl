/* The kernels of a ball: solver/joints3/ball.inl; those of one with features are in a file of their own. */
enum { ball_plain_impulses = 3, ball_featured_impulses = 18, ball_is_common = true };

/* the least sine with which p is computed where the axes are more than a right angle apart: 5.7 degrees from opposite */
#define BALL_LEAST 0.1f

enum {
    BALL_BASE,
    BALL_SPRING = BALL_BASE + BASE_COLUMNS,
    BALL_HAS = BALL_SPRING + SOFT_COLUMNS, /* the same in all lanes: what some joint of the block has, BALL_HAS_... */
    BALL_DECAY,                            /* the share of its impulse that the point gives up */
    BALL_FRICTION,                         /* N m s, greatest impulse */
    BALL_RELATION,                         /* B's principal axes in A's at the reference, a quaternion */
    BALL_AXIS = BALL_RELATION + 4,         /* in A's principal axes */
    /* sine of half a limit's angle and cosine, twice one of them for the cone, twice both for the twist; where there is no
       limit, far and 0 */
    BALL_CONE_SINE = BALL_AXIS + 3,
    BALL_CONE_COSINE,
    BALL_LOWER_SINE,
    BALL_LOWER_COSINE,
    BALL_UPPER_SINE,
    BALL_UPPER_COSINE,
    BALL_SOFT,                                  /* of the point; in visits, if some joint's is not rigid */
    BALL_CONE_FIRST = BALL_SOFT + SOFT_COLUMNS, /* of an elliptic cone one over each angle; 0 of a round one */
    BALL_CONE_SECOND,
    BALL_SECOND_A, /* the second axis in each body's principal axes */
    BALL_SECOND_B = BALL_SECOND_A + 3,
    BALL_FIRST_DRIVE = BALL_SECOND_B + 3, /* of the coordinates */
    BALL_FEATURED_END = BALL_FIRST_DRIVE + 3 * FREE_DRIVE_COLUMNS,
    BALL_FEW_NEED = BALL_FEATURED_END - BALL_SOFT,
    ball_plain_columns = ball_plain_impulses + BASE_COLUMNS,
    ball_featured_columns = ball_featured_impulses + BALL_FEATURED_END
};

/* impulses with features, after those of the point; of the limits: cone, lower and upper twist; then spring and motor of
   each coordinate */
enum { BALL_SPRING_IMPULSES = 3, BALL_FRICTION_IMPULSES = 6, BALL_LIMIT_IMPULSES = 9, BALL_DRIVE_IMPULSES = 12 };

/* What a visit leaves out unless some joint of the block has it: it would do nothing to the others. */
enum {
    BALL_HAS_SPRING = 1, /* of the rotations, toward the reference; */
    BALL_HAS_GAMMA = 2,  /* one of N m/rad */
    BALL_HAS_FRICTION = 4,
    BALL_HAS_DRIVES = 8, /* springs or motors of coordinates */
    BALL_HAS_LIMITS = 16,
    BALL_HAS_ELLIPSE = 32,
    BALL_HAS_SOFT = 64 /* a point that is not rigid */
};

static const freedom ball_spring = {.spring = true}, ball_motor = {.motor = true};

/* the second axis in A's frame, of length 1; where it is not given, that of tr3_second_axis() */
TR_INLINE w3 ball_second_axis(tr3_fields f, int lane)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    w3 given = field3(f, TR3_FIELD_AXIS_2_X, lane), x = field3(f, TR3_FIELD_AXIS_X, lane);
    wm first = wf_lt(wf_abs(x.x), wf_set(0.6f));
    w3 some = {wf_keep(first, one), wf_select(first, zero, one), zero};
    some = minus(some, times(dot(some, x), x));
    some = times(one / wf_sqrt(dot(some, some)), some);
    return w3_select(wf_eq(dot(given, given), zero), some, given);
}

/* an impulse that is kept in some lanes; a feature that is off leaves none */
TR_INLINE void ball_keep(wm on, float *impulses, int at)
{
    put(impulses, at, wf_keep(on, get(impulses, at)));
}

/* the bit, if some lane is not 0 */
TR_INLINE int ball_has(int bit, wf some)
{
    return wm_all(wf_eq(some, wf_zero())) ? 0 : bit;
}

/* Springs and motors of the coordinates; returns what some lane has. If none has any, no visit reads their columns. */
TR_INLINE int ball_prepare_drives(const tr3_kernel_context *k, tr3_fields f, int lane, float *c, float *impulses)
{
    wf driven = wf_zero();
    for (int i = 0; i < 3; i++) {
        const tr3_fields of = f + TR3_FEATURES_OF(i);
        const wf spring = field(of, TR3_FIELD_SPRING_ENABLE, lane), motor = field(of, TR3_FIELD_MOTOR_ENABLE, lane);
        ball_keep(wf_lt(wf_zero(), spring), impulses, BALL_DRIVE_IMPULSES + 2 * i);
        ball_keep(wf_lt(wf_zero(), motor), impulses, BALL_DRIVE_IMPULSES + 2 * i + 1);
        driven = wf_max(driven, wf_max(spring, motor));
    }
    /* in other vectors of the block there may be some */
    for (int i = 0; i < 3; i++) {
        const int first = BALL_FIRST_DRIVE + i * FREE_DRIVE_COLUMNS;
        freedom_prepare(k, f + TR3_FEATURES_OF(i), lane, ball_spring, c, first);
        freedom_prepare(k, f + TR3_FEATURES_OF(i), lane, ball_motor, c, first);
    }
    return ball_has(BALL_HAS_DRIVES, driven);
}

/* The limits of the twist by `scale` sine and cosine of half the angle. One of half a turn or more is none. */
TR_INLINE void ball_put_twist(wm twists, wf angle, wf far, float *c, int at)
{
    const wf two = wf_set(2.0f);
    const wm acts = wm_and(twists, wf_lt(wf_abs(angle), wf_set((float)TR_PI)));
    wf sine, cosine;
    wf_sincos(wf_set(0.5f) * wf_select(acts, angle, wf_zero()), &sine, &cosine);
    put(c, at, wf_select(acts, two * sine, far));
    put(c, at + 1, wf_keep(acts, two * cosine));
}

/* cone and twist; returns what some lane has */
TR_INLINE int ball_prepare_limits(tr3_fields f, int lane, float *c, float *impulses)
{
    const wf zero = wf_zero(), one = wf_set(1.0f), far = wf_set(TR_FAR);
    const wf cone = field(f, TR3_FIELD_CONE_ANGLE, lane), second = field(f, TR3_FIELD_CONE_ANGLE_2, lane);
    const wf twist = field(f, TR3_FIELD_TWIST_ENABLE, lane);
    const wm round = wm_or(wf_eq(second, zero), wf_eq(second, cone));
    const wm narrow = wm_and(round, wf_lt(cone, wf_set((float)TR_PI))), twists = wf_lt(zero, twist);
    const wf elliptic = wf_select(round, zero, one);
    put(c, BALL_CONE_FIRST, wf_select(round, zero, wf_inverse_or_zero(cone)));
    put(c, BALL_CONE_SECOND, wf_select(round, zero, wf_inverse_or_zero(second)));
    wf sine, cosine;
    wf_sincos(wf_set(0.5f) * wf_keep(narrow, cone), &sine, &cosine);
    put(c, BALL_CONE_SINE, wf_select(narrow, sine, far));
    put(c, BALL_CONE_COSINE, wf_keep(narrow, wf_set(2.0f) * cosine));
    ball_put_twist(twists, field(f, TR3_FIELD_TWIST_LOWER, lane), -far, c, BALL_LOWER_SINE);
    ball_put_twist(twists, field(f, TR3_FIELD_TWIST_UPPER, lane), far, c, BALL_UPPER_SINE);
    const wf cones = wf_max(wf_keep(narrow, one), elliptic);
    ball_keep(wf_lt(zero, cones), impulses, BALL_LIMIT_IMPULSES);
    ball_keep(twists, impulses, BALL_LIMIT_IMPULSES + 1);
    ball_keep(twists, impulses, BALL_LIMIT_IMPULSES + 2);
    return ball_has(BALL_HAS_LIMITS, wf_max(twist, cones)) | ball_has(BALL_HAS_ELLIPSE, elliptic);
}

/* Stores what some lane of the block has, when all have been prepared; `c`: of the lanes from `lane` on. */
TR_INLINE void ball_put_has(float *c, int lane, int has)
{
    float *all = c - lane + TR_LANES * BALL_HAS;
    if (lane > 0)
        has |= (int)all[0];
    for (int i = 0; i < TR_LANES; i += TR_WIDTH)
        wf_store(all + i, wf_set((float)has));
}

TR_INLINE void ball_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                            float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? ball_featured_impulses : ball_plain_impulses);
    base_put(c, BALL_BASE, s);
    if (!featured)
        return;
    const wf one = wf_set(1.0f);
    const softness spring = softness_field(k, s->m, f, TR3_FIELD_ANGULAR_KIND, lane);
    const softness point = softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane);
    const wf friction = wf_set(k->h) * field(f, TR3_FIELD_FRICTION, lane);
    w4 relation = relation_of(s, f, lane);
    softness_put(c, BALL_SOFT, point);
    put(c, BALL_DECAY, point.impulse_scale);
    softness_put(c, BALL_SPRING, spring);
    put4(c, BALL_RELATION, relation);
    put3(c, BALL_AXIS, axis_of(s, f, lane));
    put(c, BALL_FRICTION, friction);
    const wm rubs = wf_lt(wf_zero(), friction);
    const wm sprung = wm_or(wf_lt(wf_zero(), spring.mass_scale), wf_lt(spring.keep, one));
    for (int i = 0; i < 3; i++) {
        ball_keep(sprung, impulses, BALL_SPRING_IMPULSES + i);
        ball_keep(rubs, impulses, BALL_FRICTION_IMPULSES + i);
    }
    const w3 y = from_frame(s, s->fa, ball_second_axis(f, lane));
    put3(c, BALL_SECOND_A, y);
    put3(c, BALL_SECOND_B, rotated(turn_back(relation), y));
    ball_put_has(c, lane,
                 ball_has(BALL_HAS_SPRING, wf_keep(sprung, one)) | ball_has(BALL_HAS_GAMMA, spring.gamma) |
                     ball_has(BALL_HAS_FRICTION, friction) | ball_has(BALL_HAS_SOFT, point.keep) |
                     ball_prepare_drives(k, f, lane, c, impulses) | ball_prepare_limits(f, lane, c, impulses));
}

/* columns stored outside the block: arms and error, then levers and factors of K or, between even or axial bodies, the
   inverse of K */
enum {
    BALL_ARM,
    BALL_RB = BALL_ARM + 3,
    BALL_D = BALL_RB + 3,
    BALL_LEVERS_A = BALL_D + 3,
    BALL_LEVERS_B = BALL_LEVERS_A + 9,
    BALL_FACTORS = BALL_LEVERS_B + 9,
    BALL_PLACES = BALL_FACTORS + 6,
    BALL_INVERSE = BALL_D + 3,
    BALL_ACROSS = BALL_INVERSE + 5
};

/* arms, error, levers and K at the current poses */
typedef struct ball_place {
    w3 arm, rb, d;
    point_levers a, b;
    sym3_factors k;
} ball_place;

TR_INLINE void levers_put(float *c, int first, const point_levers *l)
{
    put3(c, first, l->x);
    put3(c, first + 3, l->y);
    put3(c, first + 6, l->z);
}

TR_INLINE point_levers levers_get(const float *c, int first)
{
    return (point_levers){get3(c, first), get3(c, first + 3), get3(c, first + 6)};
}

/* but for the levers */
TR_INLINE void ball_place_put(float *c, const ball_place *p)
{
    put3(c, BALL_ARM, p->arm);
    put3(c, BALL_RB, p->rb);
    put3(c, BALL_D, p->d);
    put3(c, BALL_FACTORS, (w3){p->k.dx, p->k.dy, p->k.dz});
    put3(c, BALL_FACTORS + 3, (w3){p->k.lyx, p->k.lzx, p->k.lzy});
}

TR_INLINE ball_place ball_place_get(const float *c)
{
    w3 d = get3(c, BALL_FACTORS), l = get3(c, BALL_FACTORS + 3);
    return (ball_place){get3(c, BALL_ARM),
                        get3(c, BALL_RB),
                        get3(c, BALL_D),
                        levers_get(c, BALL_LEVERS_A),
                        levers_get(c, BALL_LEVERS_B),
                        {d.x, d.y, d.z, l.x, l.y, l.z}};
}

/* Computes it, and stores it unless `to` is null. One body after the other, with poses loaded as they are needed: all at
   once need more registers than there are. */
TR_INLINE ball_place ball_place_of(tr3_pass pass, const float *c, const pose_pair *at, float *to)
{
    const wf im = get(c, BALL_BASE + BASE_IM_A) + get(c, BALL_BASE + BASE_IM_B);
    sym3 kk = {im, im, im, wf_zero(), wf_zero(), wf_zero()};
    ball_place p;
    axes r = axes_of(rotation_late(pass, at, true));
    sym3 ii = inverse_inertia(&r, get3(c, BALL_BASE + BASE_II_B));
    p.rb = to_world(&r, get3(c, BALL_BASE + BASE_LB));
    p.b = point_levers_of(&ii, p.rb);
    point_k_add(&kk, &p.b, p.rb);
    if (to != NULL)
        levers_put(to, BALL_LEVERS_B, &p.b);
    r = axes_of(rotation_late(pass, at, false));
    w3 apart = add(get3(c, BALL_BASE + BASE_D), apart_late(pass, at));
    p.d = add(apart, minus(p.rb, to_world(&r, get3(c, BALL_BASE + BASE_LA))));
    p.arm = add(apart, p.rb);
    ii = inverse_inertia(&r, get3(c, BALL_BASE + BASE_II_A));
    p.a = point_levers_of(&ii, p.arm);
    point_k_add(&kk, &p.a, p.arm);
    p.k = sym3_factor(&kk);
    if (to != NULL) {
        levers_put(to, BALL_LEVERS_A, &p.a);
        ball_place_put(to, &p);
    }
    return p;
}

/* the change of the point's impulse p, all rigid, for the error and what K^-1 makes of a rate; may not be finite */
TR_INLINE w3 ball_change(const tr3_kernel_context *k, tr3_pass pass, masses m, w3 solved, w3 p)
{
    if (!pass.biased)
        return minus(w3_zero(), solved);
    softness s = softness_held(k, m);
    return minus(times(-s.mass_scale, solved), times(s.impulse_scale, p));
}

/* the rate, and as much of the error d as is corrected in this pass */
TR_INLINE w3 ball_rate(const tr3_kernel_context *k, tr3_pass pass, const motion *a, const motion *b, w3 arm, w3 rb,
                       w3 d)
{
    w3 rate = point_rate(a, b, arm, rb);
    if (pass.biased)
        rate = add(rate, times(wf_set(k->rigid.bias_rate), begun3(k, pass, d, rate)));
    return rate;
}

/* The same between bodies whose inertia is a number, or axial ones: of these `across` is rA x d. */
typedef struct even_place {
    w3 arm, rb, d, across;
    even_inverse k;
} even_place;

TR_INLINE void even_place_put(float *c, const even_place *p, bool axial)
{
    put3(c, BALL_ARM, p->arm);
    put3(c, BALL_RB, p->rb);
    put3(c, BALL_D, p->d);
    put3(c, BALL_INVERSE, (w3){p->k.k, p->k.pair, p->k.both});
    put(c, BALL_INVERSE + 3, p->k.on_a);
    put(c, BALL_INVERSE + 4, p->k.on_b);
    if (axial)
        put3(c, BALL_ACROSS, p->across);
}

TR_INLINE even_place even_place_get(const float *c, bool axial)
{
    even_place p = {.arm = get3(c, BALL_ARM), .rb = get3(c, BALL_RB), .d = get3(c, BALL_D)};
    const w3 k = get3(c, BALL_INVERSE);
    p.k = (even_inverse){k.x, k.y, get(c, BALL_INVERSE + 3), get(c, BALL_INVERSE + 4), k.z};
    p.across = axial ? get3(c, BALL_ACROSS) : w3_zero();
    return p;
}

TR_INLINE even_place even_place_of(const masses *m, const float *c, const pose_pair *at, bool axial, float *to)
{
    even_place p;
    const w3 ra = turned_vector(at->a.q, get3(c, BALL_BASE + BASE_LA));
    const w3 apart = add(get3(c, BALL_BASE + BASE_D), at->apart);
    p.rb = turned_vector(at->b.q, get3(c, BALL_BASE + BASE_LB));
    p.d = add(apart, minus(p.rb, ra));
    p.arm = add(apart, p.rb);
    p.k = even_inverse_of(m, p.arm, p.rb);
    p.across = axial ? cross(ra, p.d) : w3_zero();
    if (to != NULL)
        even_place_put(to, &p, axial);
    return p;
}

/* of bodies whose inertia is a number, or of axial ones */
TR_INLINE masses ball_even_masses(const float *c)
{
    masses m = {.im_a = get(c, BALL_BASE + BASE_IM_A), .im_b = get(c, BALL_BASE + BASE_IM_B), .even = true};
    m.ii_a.xx = get(c, BALL_BASE + BASE_II_A);
    m.ii_b.xx = get(c, BALL_BASE + BASE_II_B);
    return m;
}

/* what A's own axis adds to its change of spin by -p */
TR_INLINE void axial_apply(motion *a, const float *c, const even_place *n, w3 p)
{
    const wf beside = get(c, BALL_BASE + AXIAL_BESIDE) * dot(n->across, p);
    a->w = minus(a->w, times(beside, minus(n->arm, n->d)));
}

/* K^-1 with what A's own axis adds, from that without, which is enough where it adds less than a sixteenth of the least
   that K is in any direction; elsewhere by the formula of Sherman and Morrison. */
TR_INLINE w3 axial_solved(const float *c, const masses *m, const even_place *n, w3 solved)
{
    const wf beside = get(c, BALL_BASE + AXIAL_BESIDE), more = beside * dot(n->across, n->across);
    const wm near = wf_le(wf_abs(more), wf_set(0.0625f) * (m->im_a + m->im_b));
    if (__builtin_expect(wm_all(near), 1))
        return solved;
    const w3 column = even_solve(&n->k, n->arm, n->rb, n->across);
    const wf by = beside * wf_inverse_of_positive(wf_set(1.0f) + beside * dot(n->across, column));
    return w3_select(near, solved, minus(solved, times(by * dot(n->across, solved), column)));
}

/* a plain ball between bodies whose inertia is a number, or axial ones */
TR_INLINE void ball_even_visit(const tr3_kernel_context *k, tr3_pass pass, float *impulses, motion *a, motion *b,
                               const pose_pair *at)
{
    const float *c = impulses + TR_LANES * ball_plain_impulses;
    const masses m = ball_even_masses(c);
    float *to = pass.refresh && !pass.project ? pass.place : NULL;
    const even_place n =
        pass.refresh ? even_place_of(&m, c, at, pass.axial, to) : even_place_get(pass.place, pass.axial);
    w3 p = get3(impulses, 0);
    motions_late(pass, a, b);
    if (pass.warm_start) {
        point_apply(a, b, &m, n.arm, n.rb, p);
        if (pass.axial)
            axial_apply(a, c, &n, p);
        return;
    }
    w3 solved = even_solve(&n.k, n.arm, n.rb, ball_rate(k, pass, a, b, n.arm, n.rb, n.d));
    if (pass.axial)
        solved = axial_solved(c, &m, &n, solved);
    w3 change = sane3(ball_change(k, pass, m, solved, p));
    put3(impulses, 0, add(p, change));
    point_apply(a, b, &m, n.arm, n.rb, change);
    if (pass.axial)
        axial_apply(a, c, &n, change);
}

/* between any */
TR_INLINE void ball_plain_visit(const tr3_kernel_context *k, tr3_pass pass, float *impulses, motion *a, motion *b,
                                const pose_pair *at)
{
    const float *c = impulses + TR_LANES * ball_plain_impulses;
    const masses m = {.im_a = get(c, BALL_BASE + BASE_IM_A), .im_b = get(c, BALL_BASE + BASE_IM_B)};
    float *to = pass.refresh && !pass.project ? pass.place : NULL;
    ball_place n = pass.refresh ? ball_place_of(pass, c, at, to) : ball_place_get(pass.place);
    motions_late(pass, a, b);
    w3 p = get3(impulses, 0);
    if (pass.warm_start) {
        point_apply_by(a, b, m.im_a, m.im_b, &n.a, &n.b, p);
        return;
    }
    w3 solved = sym3_solved(&n.k, ball_rate(k, pass, a, b, n.arm, n.rb, n.d));
    w3 change = sane3(ball_change(k, pass, m, solved, p));
    if (to != NULL) {
        /* the levers have been stored: read again, they take no registers meanwhile */
        put3(impulses, 0, add(p, change));
        n.a = levers_get(to, BALL_LEVERS_A);
        n.b = levers_get(to, BALL_LEVERS_B);
        point_apply_by(a, b, m.im_a, m.im_b, &n.a, &n.b, change);
        return;
    }
    point_apply_by(a, b, m.im_a, m.im_b, &n.a, &n.b, change);
    put3(impulses, 0, add(p, change));
}

#include "solver/space/kernels/ball_features.inl"

TR_INLINE void ball_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                          motion *b, const pose_pair *at)
{
    if (!featured && (pass.even || pass.axial)) {
        ball_even_visit(k, pass, impulses, a, b, at);
        return;
    }
    if (!featured) {
        ball_plain_visit(k, pass, impulses, a, b, at);
        return;
    }
    ball_featured_visit(k, pass, impulses, a, b, at);
}
