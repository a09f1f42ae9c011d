/*
 * The kernels of a ball with features (solver/joints3/ball.inl). All of these but the point act on the rotation of B
 * relative to A alone: its rate is kept while they are solved, and both bodies get the sum of their torques at once.
 *
 * What follows from the poses is stored outside the block. Features that no lane of a vector has are left out: those of
 * other lanes would add nothing to the sum but zeros, and it is never -0.
 */

/* columns stored outside the block, after arms and error */
enum {
    BALL_II_A = BALL_D + 3,
    BALL_II_B = BALL_II_A + 6,
    BALL_POINT = BALL_II_B + 6, /* -(K + gamma)^-1 of the point */
    BALL_TURN = BALL_POINT + 6, /* -K^-1 of the rotations */
    /* of the limits: the axis of the twist and the distances to both, those of the cone likewise */
    BALL_TWIST = BALL_TURN + 6,
    BALL_BELOW = BALL_TWIST + 3,
    BALL_ABOVE,
    BALL_CONE,
    BALL_GAP = BALL_CONE + 3,
    BALL_TURNED,                      /* error of the spring of the rotations; */
    BALL_TURN_SOFT = BALL_TURNED + 3, /* -(K + gamma)^-1 of it, if some lane has gamma */
    BALL_ALONG = BALL_TURN_SOFT + 6,  /* p of the coordinates, */
    BALL_VALUE = BALL_ALONG + 9,      /* and where they are */
    BALL_MOTOR_AXES = BALL_VALUE + 3, /* the first two */
    BALL_FEATURED_PLACES = BALL_MOTOR_AXES + 6,
    /* Between even bodies nothing of II_A and II_B, an inverse of the point, which is not negative, and the first columns
       of TURN and TURN_SOFT. */
    BALL_EVEN_POINT = BALL_POINT
};

/* what some joint of the block has: BALL_HAS_... */
TR_INLINE int ball_has_of(const float *c)
{
    return (int)c[TR_LANES * BALL_HAS];
}

/* -K^-1; where something is not positive, between bodies that cannot turn, 0 */
static __attribute__((noinline)) void ball_invert_some(const sym3 *k, sym3 *out)
{
    *out = sym3_minus_inverse(k, NULL);
}

TR_INLINE sym3 ball_invert(const sym3 *k)
{
    wm good = wf_lt(wf_zero(), wf_set(1.0f));
    sym3 r = sym3_minus_inverse(k, &good);
    if (__builtin_expect(!wm_all(good), 0)) {
        const sym3 again = *k;
        ball_invert_some(&again, &r);
    }
    return r;
}

TR_INLINE sym3 softened(const sym3 *k, wf gamma)
{
    return (sym3){k->xx + gamma, k->yy + gamma, k->zz + gamma, k->xy, k->xz, k->yz};
}

/* How the axis b of B leans from that of A, a: the rows of the limits are about the common normal of the axes, and about
   their sum. All vectors are in A's principal axes. */
typedef struct swing {
    w3 cone, twist;    /* of length 1, or 0 where they are not defined */
    w3 a, b;           /* the axis of each body */
    wf sine, cosine;   /* between them */
    wf half_sine;      /* of half that angle, */
    wf half_cosine;    /* and its cosine */
    wf about, upright; /* sine and cosine, which is not negative, of half the twist, both times that cosine */
} swing;

/*
 * From the rotation q of B relative to A and to the reference. With v its vector, w its scalar, t = v . a, and n = v - t a
 * the part of v across a:
 *
 *   half the angle between the axes   sine |n|, cosine c = sqrt(t^2 + w^2)
 *   b                                 (c^2 - |n|^2) a + 2 u,  u = t n + w n x a
 *   a x b                             2 a x u = 2 (w n - t n x a), of length 2 c |n|
 *   a + b                             2 c (c a + u/c), of length 2 c
 */
TR_INLINE swing swing_of(w4 q, w3 a)
{
    const wf zero = wf_zero(), one = wf_set(1.0f), two = wf_set(2.0f), least = wf_set(1e-7f);
    const w3 v = {q.x, q.y, q.z};
    const wf t = dot(v, a);
    const w3 n = minus(v, times(t, a)), e = cross(n, a), u = add(times(t, n), times(q.w, e));
    const wf cosine2 = t * t + q.w * q.w, sine2 = dot(n, n);
    swing r = {.a = a, .half_sine = wf_sqrt(sine2), .half_cosine = wf_sqrt(cosine2)};
    r.sine = two * r.half_sine * r.half_cosine;
    r.cosine = cosine2 - sine2;
    r.b = add(times(r.cosine, a), times(two, u));
    r.about = wf_select(wf_lt(q.w, zero), -t, t);
    r.upright = wf_abs(q.w);
    const wm some = wf_lt(wf_set(1e-6f), r.sine), together = wf_lt(wf_set(5e-4f), r.half_cosine);
    const wf sine = wf_max(r.half_sine, least), over = one / (sine * wf_max(r.half_cosine, least));
    r.cone = w3_select(some, times(over, minus(times(q.w, n), times(t, e))), w3_zero());
    r.twist = w3_select(together, add(times(r.half_cosine, a), times(over * sine, u)), w3_zero());
    return r;
}

/* the coordinates, and the axes p of their rates */
typedef struct ball_turns {
    w3 p[3];
    wf value[3];
} ball_turns;

/* `y`: the second axis of A; in the same axes as the swing */
TR_INLINE ball_turns ball_turns_of(const swing *w, w3 y)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    const w3 e[2] = {y, cross(w->a, y)};
    /* where the axes are parallel, along y: both p are then y and z */
    w3 normal = w3_select(wf_lt(wf_set(1e-6f), w->sine), w->cone, y), u = cross(normal, w->a);
    wm ahead = wf_lt(zero, w->cosine), near = wm_and(ahead, wf_lt(w->sine, wf_set(1e-3f)));
    wf sine = wf_max(w->sine, wf_select(ahead, wf_set(1e-3f), wf_set(BALL_LEAST)));
    const wf angle = wf_atan2(w->sine, w->cosine);
    wf shrink = wf_select(near, one, angle * w->cosine / sine);
    w3 tilted = minus(times(shrink, u), times(angle, w->a));
    ball_turns r;
    r.value[0] = wf_set(2.0f) * wf_atan2(w->about, w->upright);
    r.p[0] = times(one / wf_max(one + w->cosine, wf_set(0.5f * BALL_LEAST * BALL_LEAST)), add(w->a, w->b));
    for (int i = 0; i < 2; i++) {
        wf along = dot(e[i], normal);
        r.value[1 + i] = angle * along;
        r.p[1 + i] = add(times(along, normal), times(dot(e[i], u), tilted));
    }
    return r;
}

/* The row of an elliptic cone, of length 1, and the distance to it, in lanes that have one. */
TR_INLINE void ball_ellipse(const float *c, const ball_turns *turns, w3 *cone, wf *gap)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    const wf first = get(c, BALL_CONE_FIRST), second = get(c, BALL_CONE_SECOND);
    wm elliptic = wf_lt(zero, second);
    wf y = first * turns->value[1], z = second * turns->value[2], size = wf_sqrt(y * y + z * z);
    w3 p = add(times(first * y, turns->p[1]), times(second * z, turns->p[2]));
    wf length = wf_sqrt(dot(p, p));
    wm some = wm_and(wf_lt(wf_set(1e-4f), size), wf_lt(zero, length));
    wf inverse = one / wf_select(some, length, one);
    p = w3_select(some, times(inverse, p), w3_zero());
    *cone = w3_select(elliptic, p, *cone);
    /* the gradient of the size is p over it */
    *gap = wf_select(elliptic, wf_select(some, (one - size) * size * inverse, one), *gap);
}

/* What the limits and the coordinates of some lanes need. The distance to a round cone and to the limits of the twist is
   twice the sine of half the angle, of the twist times the cosine of half the angle between the axes: it takes no arc. */
TR_INLINE void ball_lean_put(const float *c, int has, w4 q, w4 qb, const axes *in_a, float *to)
{
    const swing w = swing_of(q, get3(c, BALL_AXIS));
    w3 cone = to_world(in_a, w.cone);
    wf gap = get(c, BALL_CONE_SINE) * (wf_set(2.0f) * w.half_cosine) - get(c, BALL_CONE_COSINE) * w.half_sine;
    if ((has & (BALL_HAS_ELLIPSE | BALL_HAS_DRIVES)) != 0) {
        ball_turns turns = ball_turns_of(&w, get3(c, BALL_SECOND_A));
        for (int i = 0; i < 3; i++)
            turns.p[i] = to_world(in_a, turns.p[i]);
        for (int i = 0; i < 3 && (has & BALL_HAS_DRIVES) != 0; i++) {
            put3(to, BALL_ALONG + 3 * i, turns.p[i]);
            put(to, BALL_VALUE + i, turns.value[i]);
        }
        if ((has & BALL_HAS_ELLIPSE) != 0)
            ball_ellipse(c, &turns, &cone, &gap);
    }
    if ((has & BALL_HAS_DRIVES) != 0) {
        put3(to, BALL_MOTOR_AXES, to_world(in_a, w.b));
        put3(to, BALL_MOTOR_AXES + 3, turned_vector(qb, get3(c, BALL_SECOND_B)));
    }
    /* a limit that is off is far at any twist */
    const wf upright = wf_max(w.upright, wf_set(1e-6f));
    put3(to, BALL_TWIST, to_world(in_a, w.twist));
    put(to, BALL_BELOW, w.about * get(c, BALL_LOWER_COSINE) - upright * get(c, BALL_LOWER_SINE));
    put(to, BALL_ABOVE, upright * get(c, BALL_UPPER_SINE) - w.about * get(c, BALL_UPPER_COSINE));
    put3(to, BALL_CONE, cone);
    put(to, BALL_GAP, gap);
}

/* inverses of the point and of the rotations, between bodies whose inertia is a number */
TR_INLINE void ball_even_inverses_put(const float *c, int has, w3 arm, w3 rb, float *to)
{
    const masses m = ball_even_masses(c);
    masses soft = m;
    if ((has & BALL_HAS_SOFT) != 0)
        soft.im_a = m.im_a + get(c, BALL_SOFT + SOFT_GAMMA);
    const even_inverse point = even_inverse_of(&soft, arm, rb);
    put3(to, BALL_EVEN_POINT, (w3){point.k, point.pair, point.both});
    put(to, BALL_EVEN_POINT + 3, point.on_a);
    put(to, BALL_EVEN_POINT + 4, point.on_b);
    const wf spin = m.ii_a.xx + m.ii_b.xx;
    if ((has & (BALL_HAS_SPRING | BALL_HAS_FRICTION)) != 0)
        put(to, BALL_TURN, minus_inverse(spin, NULL));
    if ((has & BALL_HAS_GAMMA) != 0)
        put(to, BALL_TURN_SOFT, minus_inverse(spin + get(c, BALL_SPRING + SOFT_GAMMA), NULL));
}

TR_INLINE even_inverse ball_even_point(const float *place)
{
    const w3 k = get3(place, BALL_EVEN_POINT);
    return (even_inverse){k.x, k.y, get(place, BALL_EVEN_POINT + 3), get(place, BALL_EVEN_POINT + 4), k.z};
}

/* the same between any */
TR_INLINE void ball_inverses_put(const float *c, int has, const sym3 *k, const sym3 *spin, float *to)
{
    sym3 soft = *k;
    if ((has & BALL_HAS_SOFT) != 0)
        soft = softened(k, get(c, BALL_SOFT + SOFT_GAMMA));
    const sym3 point = ball_invert(&soft);
    put_sym3(to, BALL_POINT, &point);
    if ((has & (BALL_HAS_SPRING | BALL_HAS_FRICTION)) != 0) {
        const sym3 turn = ball_invert(spin);
        put_sym3(to, BALL_TURN, &turn);
    }
    if ((has & BALL_HAS_GAMMA) != 0) {
        const sym3 with = softened(spin, get(c, BALL_SPRING + SOFT_GAMMA)), turn = ball_invert(&with);
        put_sym3(to, BALL_TURN_SOFT, &turn);
    }
}

/* Computes and stores the columns, one body after the other. */
TR_INLINE void ball_featured_place(tr3_pass pass, int has, const float *c, const pose_pair *at, float *to)
{
    const wf im = get(c, BALL_BASE + BASE_IM_A) + get(c, BALL_BASE + BASE_IM_B);
    sym3 kk = {im, im, im, wf_zero(), wf_zero(), wf_zero()}, ii_a = kk, ii_b = kk;
    const w4 qb = rotation_late(pass, at, true), qa = rotation_late(pass, at, false);
    axes r = axes_of(qb);
    const w3 rb = to_world(&r, get3(c, BALL_BASE + BASE_LB));
    put3(to, BALL_RB, rb);
    if (!pass.even) {
        ii_b = inverse_inertia(&r, get3(c, BALL_BASE + BASE_II_B));
        put_sym3(to, BALL_II_B, &ii_b);
        const point_levers l = point_levers_of(&ii_b, rb);
        point_k_add(&kk, &l, rb);
    }

    r = axes_of(qa);
    const w3 apart = add(get3(c, BALL_BASE + BASE_D), apart_late(pass, at)), arm = add(apart, rb);
    put3(to, BALL_ARM, arm);
    put3(to, BALL_D, add(apart, minus(rb, to_world(&r, get3(c, BALL_BASE + BASE_LA)))));
    if (!pass.even) {
        ii_a = inverse_inertia(&r, get3(c, BALL_BASE + BASE_II_A));
        put_sym3(to, BALL_II_A, &ii_a);
        const point_levers l = point_levers_of(&ii_a, arm);
        point_k_add(&kk, &l, arm);
    }

    if (pass.even) {
        ball_even_inverses_put(c, has, arm, rb, to);
    } else {
        const sym3 spin = sym3_sum(&ii_a, &ii_b);
        ball_inverses_put(c, has, &kk, &spin, to);
    }
    if ((has & (BALL_HAS_SPRING | BALL_HAS_LIMITS | BALL_HAS_DRIVES)) == 0)
        return;
    /* the rotation of B relative to A and to the reference */
    const w4 q = turn_after(turn_between(qa, qb), turn_back(get4(c, BALL_RELATION)));
    if ((has & BALL_HAS_SPRING) != 0) {
        const wf two = wf_select(wf_lt(q.w, wf_zero()), wf_set(-2.0f), wf_set(2.0f));
        put3(to, BALL_TURNED, times(two, to_world(&r, (w3){q.x, q.y, q.z})));
    }
    if ((has & (BALL_HAS_LIMITS | BALL_HAS_DRIVES)) != 0)
        ball_lean_put(c, has, q, qb, &r, to);
}

/* The rate of B's rotation relative to A while features are solved, the sum of their torques, and K of the rotations:
   of even bodies k.xx. */
typedef struct ball_spin {
    w3 rate, torque;
    bool even; /* a constant after inlining */
    sym3 k;
} ball_spin;

TR_INLINE w3 spin_lever(const ball_spin *s, w3 p)
{
    return s->even ? times(s->k.xx, p) : sym3_times(&s->k, p);
}

TR_INLINE void spin_by(ball_spin *s, w3 p)
{
    s->torque = add(s->torque, p);
    s->rate = add(s->rate, spin_lever(s, p));
}

/* -K^-1 r, stored at a place */
TR_INLINE w3 spin_solved(const ball_spin *s, const float *place, int at, w3 r)
{
    if (s->even)
        return times(get(place, at), r);
    const sym3 inverse = get_sym3(place, at);
    return sym3_times(&inverse, r);
}

/* the axis of a motor */
TR_INLINE w3 ball_motor_axis(const float *place, int coordinate)
{
    const w3 b = get3(place, BALL_MOTOR_AXES), y = get3(place, BALL_MOTOR_AXES + 3);
    return coordinate == 0 ? b : coordinate == 1 ? y : cross(b, y);
}

/* springs along the coordinates, and motors about B's axes */
TR_INLINE void ball_drives(const tr3_kernel_context *k, tr3_pass pass, ball_spin *s, const float *place,
                           float *impulses, const float *c)
{
    for (int i = 0; i < 3; i++) {
        const int first = BALL_FIRST_DRIVE + i * FREE_DRIVE_COLUMNS, at = BALL_DRIVE_IMPULSES + 2 * i;
        const w3 along = get3(place, BALL_ALONG + 3 * i);
        wf value = get(place, BALL_VALUE + i);
        /* the target of a twist is as near as may be */
        if (i == 0)
            value = angle_within(value, get(c, first + FREE_SPRING_TARGET));
        value = begun(k, pass, value, dot(along, s->rate));
        if (!rests(get(c, first + FREE_MOTOR_IMPULSE), get(impulses, at + 1))) {
            const w3 axis = ball_motor_axis(place, i), lever = spin_lever(s, axis);
            const wf sum = freedom_change(k, pass, ball_motor, dot(axis, s->rate), dot(axis, lever), wf_zero(), c,
                                          first, impulses, at + 1);
            s->torque = add(s->torque, times(sum, axis));
            s->rate = add(s->rate, times(sum, lever));
        }
        const w3 lever = spin_lever(s, along);
        const wf sum =
            freedom_change(k, pass, ball_spring, dot(along, s->rate), dot(along, lever), value, c, first, impulses, at);
        s->torque = add(s->torque, times(sum, along));
        s->rate = add(s->rate, times(sum, lever));
    }
}

TR_INLINE void ball_rub(ball_spin *s, const float *place, float *impulses, const float *c)
{
    const w3 p = get3(impulses, BALL_FRICTION_IMPULSES);
    const w3 change = capped_change3(spin_solved(s, place, BALL_TURN, s->rate), p, get(c, BALL_FRICTION));
    put3(impulses, BALL_FRICTION_IMPULSES, add(p, change));
    spin_by(s, change);
}

/* the softness of three rows in a pass, the rate that it wants corrected, and the change of the impulses p for what
   -(K + gamma)^-1 makes of that; may not be finite */
TR_INLINE softness softness_now(tr3_pass pass, softness s)
{
    return pass.biased ? s : softness_relaxed(s);
}

TR_INLINE w3 soft_rate3(softness s, w3 rate, w3 error, w3 p)
{
    return add(rate, add(times(s.bias_rate, error), times(s.gamma, p)));
}

TR_INLINE w3 soft_change3(softness s, w3 solved, w3 p)
{
    return minus(times(s.mass_scale, solved), times(s.impulse_scale, p));
}

/* the spring toward the reference */
TR_INLINE void ball_unturn(const tr3_kernel_context *k, tr3_pass pass, int has, ball_spin *s, const float *place,
                           float *impulses, const float *c)
{
    const int inverse = (has & BALL_HAS_GAMMA) != 0 ? BALL_TURN_SOFT : BALL_TURN;
    const softness soft = softness_now(pass, softness_get(c, BALL_SPRING));
    const w3 p = get3(impulses, BALL_SPRING_IMPULSES), error = begun3(k, pass, get3(place, BALL_TURNED), s->rate);
    const w3 solved = spin_solved(s, place, inverse, soft_rate3(soft, s->rate, error, p));
    const w3 change = sane3(soft_change3(soft, solved, p));
    put3(impulses, BALL_SPRING_IMPULSES, add(p, change));
    spin_by(s, change);
}

/* the twist's, then that of the cone */
TR_INLINE void ball_limits(const tr3_kernel_context *k, tr3_pass pass, ball_spin *s, const float *place,
                           float *impulses)
{
    w3 axis = get3(place, BALL_TWIST);
    wf rate = dot(axis, s->rate);
    const wf below = begun(k, pass, get(place, BALL_BELOW), rate);
    const wf above = begun(k, pass, get(place, BALL_ABOVE), -rate);
    const wf lower = get(impulses, BALL_LIMIT_IMPULSES + 1), upper = get(impulses, BALL_LIMIT_IMPULSES + 2);
    if (!limits_rest(k, below, above, rate, lower, upper)) {
        const w3 lever = spin_lever(s, axis);
        const wf inverse_mass = dot(axis, lever), mass = wf_inverse_or_zero(inverse_mass);
        const wf up = limit_change(k, pass, below, rate, mass, lower);
        put(impulses, BALL_LIMIT_IMPULSES + 1, lower + up);
        const wf down = limit_change(k, pass, above, -(rate + inverse_mass * up), mass, upper);
        put(impulses, BALL_LIMIT_IMPULSES + 2, upper + down);
        s->torque = add(s->torque, times(up - down, axis));
        s->rate = add(s->rate, times(up - down, lever));
    }
    axis = get3(place, BALL_CONE);
    rate = -dot(axis, s->rate);
    const wf gap = begun(k, pass, get(place, BALL_GAP), rate), impulse = get(impulses, BALL_LIMIT_IMPULSES);
    if (!limit_rests(k, gap, rate, impulse)) {
        const w3 lever = spin_lever(s, axis);
        const wf change = limit_change(k, pass, gap, rate, wf_inverse_or_zero(dot(axis, lever)), impulse);
        put(impulses, BALL_LIMIT_IMPULSES, impulse + change);
        s->torque = minus(s->torque, times(change, axis));
    }
}

/* the sum of the torques' impulses */
TR_INLINE w3 ball_torque(int has, const float *place, const float *impulses)
{
    w3 sum = w3_zero();
    if ((has & BALL_HAS_SPRING) != 0)
        sum = add(sum, get3(impulses, BALL_SPRING_IMPULSES));
    if ((has & BALL_HAS_FRICTION) != 0)
        sum = add(sum, get3(impulses, BALL_FRICTION_IMPULSES));
    if ((has & BALL_HAS_LIMITS) != 0) {
        const wf twist = get(impulses, BALL_LIMIT_IMPULSES + 1) - get(impulses, BALL_LIMIT_IMPULSES + 2);
        sum = add(sum, times(twist, get3(place, BALL_TWIST)));
        sum = minus(sum, times(get(impulses, BALL_LIMIT_IMPULSES), get3(place, BALL_CONE)));
    }
    for (int i = 0; i < 3 && (has & BALL_HAS_DRIVES) != 0; i++) {
        const int at = BALL_DRIVE_IMPULSES + 2 * i;
        sum = add(sum, times(get(impulses, at), get3(place, BALL_ALONG + 3 * i)));
        sum = add(sum, times(get(impulses, at + 1), ball_motor_axis(place, i)));
    }
    return sum;
}

/* -(K + gamma)^-1 of the point times a rate */
TR_INLINE w3 ball_solved(tr3_pass pass, const float *place, w3 arm, w3 rb, w3 rate)
{
    if (pass.even) {
        const even_inverse inverse = ball_even_point(place);
        return times(wf_set(-1.0f), even_solve(&inverse, arm, rb, rate));
    }
    const sym3 inverse = get_sym3(place, BALL_POINT);
    return sym3_times(&inverse, rate);
}

TR_INLINE masses ball_masses(tr3_pass pass, const float *c, const float *place)
{
    if (pass.even)
        return ball_even_masses(c);
    return (masses){.im_a = get(c, BALL_BASE + BASE_IM_A),
                    .im_b = get(c, BALL_BASE + BASE_IM_B),
                    .ii_a = get_sym3(place, BALL_II_A),
                    .ii_b = get_sym3(place, BALL_II_B)};
}

/* The change of the point's impulse p; may not be finite. All lanes are solved as if they were rigid, those that are not
   once more. */
TR_INLINE w3 ball_point_change(const tr3_kernel_context *k, tr3_pass pass, int has, const float *c, const float *place,
                               w3 arm, w3 rb, w3 rate, w3 p)
{
    const w3 error = begun3(k, pass, get3(place, BALL_D), rate);
    w3 change;
    if (pass.biased) {
        change = ball_solved(pass, place, arm, rb, add(rate, times(wf_set(k->driven.bias_rate), error)));
        change = minus(times(wf_set(k->driven.mass_scale), change), times(get(c, BALL_DECAY), p));
    } else {
        change = ball_solved(pass, place, arm, rb, rate);
    }
    if (__builtin_expect((has & BALL_HAS_SOFT) != 0, 0)) {
        const wm is_soft = wf_lt(wf_zero(), get(c, BALL_SOFT + SOFT_KEEP));
        const softness soft = softness_now(pass, softness_get(c, BALL_SOFT));
        const w3 solved = ball_solved(pass, place, arm, rb, soft_rate3(soft, rate, error, p));
        change = w3_select(is_soft, soft_change3(soft, solved, p), change);
    }
    return change;
}

TR_INLINE void ball_featured_visit(const tr3_kernel_context *k, tr3_pass pass, float *impulses, motion *a, motion *b,
                                   const pose_pair *at)
{
    const float *c = impulses + TR_LANES * ball_featured_impulses;
    const int has = ball_has_of(c);
    float own[BALL_FEATURED_PLACES * TR_LANES], *place = pass.place;
    if (pass.refresh) {
        if (place == NULL)
            place = own;
        ball_featured_place(pass, has, c, at, place);
    }
    motions_late(pass, a, b);
    const masses m = ball_masses(pass, c, place);
    const w3 arm = get3(place, BALL_ARM), rb = get3(place, BALL_RB), p = get3(impulses, 0);
    if (pass.warm_start) {
        wrench_apply(a, b, &m, arm, rb, true, true, p, ball_torque(has, place, impulses));
        return;
    }
    ball_spin spin = {minus(b->w, a->w), w3_zero(), pass.even, sym3_sum(&m.ii_a, &m.ii_b)};
    if ((has & BALL_HAS_DRIVES) != 0)
        ball_drives(k, pass, &spin, place, impulses, c);
    if ((has & BALL_HAS_FRICTION) != 0)
        ball_rub(&spin, place, impulses, c);
    if ((has & BALL_HAS_SPRING) != 0)
        ball_unturn(k, pass, has, &spin, place, impulses, c);
    if ((has & (BALL_HAS_LIMITS | BALL_HAS_DRIVES)) != 0)
        ball_limits(k, pass, &spin, place, impulses);
    spin_apply(a, b, &m, spin.torque);
    const w3 rate = point_rate(a, b, arm, rb);
    const w3 change = sane3(ball_point_change(k, pass, has, c, place, arm, rb, rate, p));
    put3(impulses, 0, add(p, change));
    point_apply(a, b, &m, arm, rb, change);
}
