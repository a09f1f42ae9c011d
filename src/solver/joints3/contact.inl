/*
 * Contact: points of two bodies that must not approach each other along a normal, with friction, torsional friction,
 * rolling resistance and restitution. The application provides them.
 *
 *   C = separation, along the normal n from A to B;  lambda_n >= 0, lambda_n C = 0
 *   J = (-n, -(rA x n), n, rB x n),  rA, rB from the centres of mass to the point: both impulses act on one line
 *   friction of each point along t and n x t: J v = surface velocity,  |lambda_t| <= friction times lambda_n, a disc
 *   torsion: n . (wB - wA) = 0,  |lambda| <= torsional friction times the sum of lambda_n
 *   rolling, about t and n x t: wB - wA = 0,  |lambda| <= rolling resistance times the sum of lambda_n, a disc
 *
 * n, rA and rB are constant during the step, and C changes by J times the motion since its start. For round bodies that
 * is exact; arms that rotate with the bodies would open a gap of r (1 - cos(angle)) under a rolling ball. Inertia is
 * that of the present rotation, so angular momentum is conserved; effective masses are those of the last refresh. If
 * bodies have moved little, the vectors are also reused in later steps (world/space/contact_row.c). Restitution is that
 * of the plane (solver/kernels/contact.inl).
 */
#include "solver/joints3/contact.h"

#ifdef TR_JOINT_HOST

#define POINT_NAMES(point) "normal" point, "total" point, "separation" point, "tangent.x" point, "tangent.y" point
#define POINT_ROLES        TR_ROLE_ROW, TR_ROLE_SUM, TR_ROLE_PLACE, TR_ROLE_ROW, TR_ROLE_ROW

static const tr3_joint_type_info contact_info = {
    .name = "contact",
    .own_count = TR3_CONTACT_OWN_COUNT,
    .own_read = {TR3_CONTACT_PLAIN_COUNT, TR3_CONTACT_KERNEL_COUNT},
    .impulse_count = TR3_CONTACT_IMPULSES,
    .impulse_names = {POINT_NAMES(""), "torsion", "rolling.x", "rolling.y", POINT_NAMES(".1"), POINT_NAMES(".2"),
                      POINT_NAMES(".3")},
    .impulse_roles = {POINT_ROLES, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, POINT_ROLES, POINT_ROLES, POINT_ROLES},
};

#endif

#ifdef TR_JOINT_KERNEL

enum {
    contact_plain_impulses = TR3_CONTACT_NORMAL_1,
    contact_featured_impulses = TR3_CONTACT_IMPULSES,
    contact_is_common = false,
    contact_few_need = 0
};

enum {
    CONTACT_IM_A,
    CONTACT_IM_B,
    CONTACT_II_A,
    CONTACT_II_B = CONTACT_II_A + 3,
    CONTACT_FROM_A = CONTACT_II_B + 3, /* rotations of the principal axes as the step begins */
    CONTACT_FROM_B = CONTACT_FROM_A + 4,
    CONTACT_N = CONTACT_FROM_B + 4,
    CONTACT_T = CONTACT_N + 3,          /* a direction across */
    CONTACT_SPAN = CONTACT_T + 3,       /* m, from A's centre of mass to B's */
    CONTACT_SURFACE = CONTACT_SPAN + 3, /* m/s, along both directions across */
    CONTACT_FRICTION = CONTACT_SURFACE + 2,
    CONTACT_RESTITUTION,
    CONTACT_TORSION,
    CONTACT_ROLLING,
    CONTACT_GIVES, /* 1/kg, by how much more than these masses one end gives way, and across the normal: contact_give() */
    CONTACT_GIVES_ACROSS,
    CONTACT_POINT_0
};

/* columns of one point */
enum {
    POINT_ARM_B,                  /* m, from B's centre of mass */
    POINT_MASS = POINT_ARM_B + 3, /* of the normal row; 0: there is no such point */
    POINT_FIRST,                  /* separation at the start of the step */
    POINT_APPROACH,               /* J v at the start of the step */
    POINT_COLUMNS
};

enum {
    contact_plain_columns = contact_plain_impulses + CONTACT_POINT_0 + POINT_COLUMNS,
    contact_featured_columns = contact_featured_impulses + CONTACT_POINT_0 + TR3_CONTACT_POINTS * POINT_COLUMNS
};

TR_INLINE int contact_impulse_of(int point)
{
    return tr3_contact_impulse_of((uint32_t)point);
}

TR_INLINE int contact_point_of(int point)
{
    return CONTACT_POINT_0 + point * POINT_COLUMNS;
}

TR_INLINE float *contact_columns(bool featured, float *impulses)
{
    return impulses + TR_LANES * (featured ? contact_featured_impulses : contact_plain_impulses);
}

/*
 * The relative motion of two bodies: everything that the contact's rows read and change. The sum of the impulses is
 * applied to the bodies' centres once, by meeting_end().
 */
typedef struct meeting {
    masses m;
    wf im;       /* sum of the inverse masses */
    w3 n, t, s;  /* the normal, and both directions across */
    w3 v;        /* m/s, velocity of B's centre minus A's */
    w3 w_a, w_b; /* rad/s */
    w3 pushed;   /* impulses of this visit */
} meeting;

TR_INLINE meeting meeting_between(const float *c, const motion *a, const motion *b, w4 qa, w4 qb)
{
    const axes of_a = axes_of(qa), of_b = axes_of(qb);
    meeting r;
    r.m.im_a = get(c, CONTACT_IM_A);
    r.m.im_b = get(c, CONTACT_IM_B);
    r.m.even = false;
    r.m.ii_a = inverse_inertia(&of_a, get3(c, CONTACT_II_A));
    r.m.ii_b = inverse_inertia(&of_b, get3(c, CONTACT_II_B));
    r.im = r.m.im_a + r.m.im_b;
    r.n = get3(c, CONTACT_N);
    r.t = get3(c, CONTACT_T);
    r.s = cross(r.n, r.t);
    r.v = minus(b->v, a->v);
    r.w_a = a->w;
    r.w_b = b->w;
    r.pushed = w3_zero();
    return r;
}

TR_INLINE meeting meeting_of(const float *c, const motion *a, const motion *b, const pose_pair *at)
{
    return meeting_between(c, a, b, at->a.q, at->b.q);
}

TR_INLINE void meeting_end(const float *c, const meeting *r, motion *a, motion *b)
{
    (void)c;
    a->v = minus(a->v, times(r->m.im_a, r->pushed));
    a->w = r->w_a;
    b->v = add(b->v, times(r->m.im_b, r->pushed));
    b->w = r->w_b;
}

/* the arms of a point, from both centres of mass */
typedef struct contact_arms {
    w3 a, b;
} contact_arms;

TR_INLINE contact_arms contact_arms_of(const float *c, int point)
{
    const w3 b = get3(c, contact_point_of(point) + POINT_ARM_B);
    return (contact_arms){add(b, get3(c, CONTACT_SPAN)), b};
}

/* the velocity of B's point relative to A's */
TR_INLINE w3 contact_slip(const meeting *r, const contact_arms *at)
{
    return add(r->v, minus(cross(r->w_b, at->b), cross(r->w_a, at->a)));
}

TR_INLINE void contact_shove(meeting *r, const contact_arms *at, w3 impulse)
{
    r->v = add(r->v, times(r->im, impulse));
    r->w_a = minus(r->w_a, sym3_times(&r->m.ii_a, cross(at->a, impulse)));
    r->w_b = add(r->w_b, sym3_times(&r->m.ii_b, cross(at->b, impulse)));
    r->pushed = add(r->pushed, impulse);
}

TR_INLINE void contact_twist(meeting *r, w3 impulse)
{
    r->w_a = minus(r->w_a, sym3_times(&r->m.ii_a, impulse));
    r->w_b = add(r->w_b, sym3_times(&r->m.ii_b, impulse));
}

/* J v of a point: the rate of its separation */
TR_INLINE wf meeting_rate(const meeting *r, const float *c, int point)
{
    const contact_arms at = contact_arms_of(c, point);
    return dot(r->n, contact_slip(r, &at));
}

TR_INLINE void meeting_push(meeting *r, const float *c, int point, wf impulse)
{
    const contact_arms at = contact_arms_of(c, point);
    contact_shove(r, &at, times(impulse, r->n));
}

/* the change of the rate along u at one point by an impulse of 1 N s along v at another */
TR_INLINE wf contact_k(const meeting *r, const contact_arms *at, w3 u, const contact_arms *other, w3 v)
{
    return r->im * dot(u, v) + (dot(cross(at->a, u), sym3_times(&r->m.ii_a, cross(other->a, v))) +
                                dot(cross(at->b, u), sym3_times(&r->m.ii_b, cross(other->b, v))));
}

TR_INLINE wf contact_coupling(const float *c, const meeting *r, int point, int other)
{
    const contact_arms at = contact_arms_of(c, point), from = contact_arms_of(c, other);
    return contact_k(r, &at, r->n, &from, r->n);
}

/*
 * Prepare
 */
TR_INLINE wf contact_own(tr3_fields f, int index, int lane)
{
    return field(f, TR3_FIELD_COUNT + index, lane);
}

TR_INLINE w3 contact_own3(tr3_fields f, int index, int lane)
{
    return (w3){contact_own(f, index, lane), contact_own(f, index + 1, lane), contact_own(f, index + 2, lane)};
}

/* effective masses of the points that are there */
TR_INLINE void contact_put_masses(float *c, int points, const meeting *r)
{
    for (int i = 0; i < points; i++) {
        const contact_arms at = contact_arms_of(c, i);
        const wf there = get(c, contact_point_of(i) + POINT_MASS);
        const wf mass = wf_inverse_or_zero(contact_k(r, &at, r->n, &at, r->n) + get(c, CONTACT_GIVES));
        put(c, contact_point_of(i) + POINT_MASS, wf_keep(wf_lt(wf_zero(), there), mass));
    }
}

/* rotations as the step begins */
TR_INLINE w4 contact_rotation(const tr3_kernel_context *k, const int32_t *rows)
{
    int32_t at[TR_WIDTH];
    for (int i = 0; i < TR_WIDTH; i++)
        at[i] = tr3_frame_row(k, rows[i]);
    return w4_load_rows(second_part(k->frames), at, 1);
}

/* velocities as the step begins */
TR_INLINE motion contact_motion(const tr3_kernel_context *k, const int32_t *rows)
{
    const float *velocities = (const float *)k->velocities;
    return motion_of(w4_load_rows(velocities, rows, 1), w4_load_rows(second_part(velocities), rows, 1));
}

TR_INLINE void contact_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                               float *impulses)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    const int points = featured ? TR3_CONTACT_POINTS : 1;
    float *c = contact_columns(featured, impulses);
    put(c, CONTACT_IM_A, s->m.im_a);
    put(c, CONTACT_IM_B, s->m.im_b);
    put3(c, CONTACT_II_A, s->ii_a);
    put3(c, CONTACT_II_B, s->ii_b);
    const w4 qa = contact_rotation(k, s->row_a), qb = contact_rotation(k, s->row_b);
    put4(c, CONTACT_FROM_A, qa);
    put4(c, CONTACT_FROM_B, qb);
    const w3 n = contact_own3(f, TR3_CONTACT_NORMAL, lane), t = axis_across(n);
    put3(c, CONTACT_N, n);
    put3(c, CONTACT_T, t);
    const w3 arm_b = contact_own3(f, TR3_CONTACT_ARM_B, lane), surface = contact_own3(f, TR3_CONTACT_SURFACE, lane);
    put3(c, CONTACT_SPAN, minus(contact_own3(f, TR3_CONTACT_ARM_A, lane), arm_b));
    put(c, CONTACT_SURFACE, dot(t, surface));
    put(c, CONTACT_SURFACE + 1, dot(cross(n, t), surface));
    put(c, CONTACT_FRICTION, contact_own(f, TR3_CONTACT_FRICTION, lane));
    put(c, CONTACT_RESTITUTION, contact_own(f, TR3_CONTACT_RESTITUTION, lane));
    const wf torsion = contact_own(f, TR3_CONTACT_TORSION, lane), rolling = contact_own(f, TR3_CONTACT_ROLLING, lane);
    put(c, CONTACT_TORSION, torsion);
    put(c, CONTACT_ROLLING, rolling);
    put(c, CONTACT_GIVES, zero);
    put(c, CONTACT_GIVES_ACROSS, zero);
    const wm turns = wf_lt(zero, rolling);
    put(impulses, TR3_CONTACT_TWIST, wf_keep(wf_lt(zero, torsion), get(impulses, TR3_CONTACT_TWIST)));
    put(impulses, TR3_CONTACT_TURN, wf_keep(turns, get(impulses, TR3_CONTACT_TURN)));
    put(impulses, TR3_CONTACT_TURN + 1, wf_keep(turns, get(impulses, TR3_CONTACT_TURN + 1)));

    const motion a = contact_motion(k, s->row_a), b = contact_motion(k, s->row_b);
    const meeting r = meeting_between(c, &a, &b, qa, qb);
    const wf count = featured ? contact_own(f, TR3_CONTACT_COUNT, lane) : one;
    for (int i = 0; i < points; i++) {
        const int first = contact_point_of(i), at = contact_impulse_of(i);
        w3 arm = arm_b;
        if (i > 0)
            arm = add(arm, contact_own3(f, TR3_CONTACT_FURTHER + 3 * (i - 1), lane));
        put3(c, first + POINT_ARM_B, arm);
        put(c, first + POINT_MASS, wf_keep(wf_lt(wf_set((float)i), count), one));
        put(c, first + POINT_FIRST, get(impulses, at + TR3_CONTACT_SEPARATION_0));
        put(c, first + POINT_APPROACH, meeting_rate(&r, c, i));
        put(impulses, at + TR3_CONTACT_TOTAL_0, zero);
    }
    contact_put_masses(c, points, &r);
}

/*
 * Passes
 */

/* whether any lane has torsional friction or rolling resistance: few contacts have */
TR_INLINE bool contact_has_turns(const float *c)
{
    return !wm_all(wf_le(wf_max(get(c, CONTACT_TORSION), get(c, CONTACT_ROLLING)), wf_zero()));
}

/* Lanes without keep identical bits, whatever the other lanes have. */
TR_INLINE void contact_twist_some(const float *c, meeting *r, w3 impulse)
{
    const wm some = wf_lt(wf_zero(), wf_max(get(c, CONTACT_TORSION), get(c, CONTACT_ROLLING)));
    const w3 w_a = r->w_a, w_b = r->w_b;
    contact_twist(r, impulse);
    r->w_a = w3_select(some, r->w_a, w_a);
    r->w_b = w3_select(some, r->w_b, w_b);
}

TR_INLINE void contact_warm_start(const tr3_kernel_context *k, const float *c, int points, meeting *r, float *impulses)
{
    for (int i = 0; i < points; i++) {
        const int at = contact_impulse_of(i);
        const contact_arms arms = contact_arms_of(c, i);
        const w3 across = add(times(get(impulses, at + TR3_CONTACT_RUB_0), r->t),
                              times(get(impulses, at + TR3_CONTACT_RUB_0 + 1), r->s));
        contact_shove(r, &arms, add(times(get(impulses, at), r->n), across));
        if (!k->relaxes)
            put(impulses, at + TR3_CONTACT_TOTAL_0, get(impulses, at + TR3_CONTACT_TOTAL_0) + get(impulses, at));
    }
    if (!contact_has_turns(c))
        return;
    const w3 rolling =
        add(times(get(impulses, TR3_CONTACT_TURN), r->t), times(get(impulses, TR3_CONTACT_TURN + 1), r->s));
    contact_twist_some(c, r, add(times(get(impulses, TR3_CONTACT_TWIST), r->n), rolling));
}

/* the rotation since the step began, which is taken for a vector */
TR_INLINE w3 contact_turned(w4 now, w4 from)
{
    const w4 q = turn_after(now, turn_back(from));
    const wf two = wf_select(wf_lt(q.w, wf_zero()), wf_set(-2.0f), wf_set(2.0f));
    return (w3){two * q.x, two * q.y, two * q.z};
}

/* computes the current separations, for this pass and the next sub-step, and the masses */
TR_INLINE void contact_refresh(const tr3_kernel_context *k, tr3_pass pass, float *c, int points, const meeting *r,
                               const motion *a, const motion *b, const pose_pair *at, float *impulses)
{
    (void)a;
    (void)b;
    const wf closer = dot(r->n, at->apart);
    const w3 turned_a = contact_turned(at->a.q, get4(c, CONTACT_FROM_A));
    const w3 turned_b = contact_turned(at->b.q, get4(c, CONTACT_FROM_B));
    for (int i = 0; i < points; i++) {
        const contact_arms arms = contact_arms_of(c, i);
        const wf turned = dot(cross(arms.b, r->n), turned_b) - dot(cross(arms.a, r->n), turned_a);
        const wf now = get(c, contact_point_of(i) + POINT_FIRST) + (closer + turned);
        put(impulses, contact_impulse_of(i) + TR3_CONTACT_SEPARATION_0, begun(k, pass, now, meeting_rate(r, c, i)));
    }
    contact_put_masses(c, points, r);
}

/* sum of the normal impulses, which bounds torsional friction and rolling resistance */
TR_INLINE wf contact_load(int points, const float *impulses)
{
    wf load = get(impulses, contact_impulse_of(0));
    for (int i = 1; i < points; i++)
        load = load + get(impulses, contact_impulse_of(i));
    return load;
}

/* a vector across the normal, by its parts along t and s */
typedef struct w2across {
    wf t, s;
} w2across;

/*
 * Two rows that are held together, with an impulse whose length is at most `most`: the change of the impulse p for the
 * rate J v and the matrix K = (tt, ts; ts, ss). What stays inside the disc stops the rate. Otherwise K is taken for a
 * number that is not below it: at the edge the impulse then ends up opposite to the rate, as friction is, and not to K
 * times the impulse.
 */
TR_INLINE w2across disc_change(wf tt, wf ts, wf ss, w2across rate, w2across p, wf most)
{
    const wf zero = wf_zero(), one = wf_set(1.0f), half = wf_set(0.5f);
    const wf mean = half * (tt + ss), apart = half * (tt - ss);
    const wf mass = wf_inverse_or_zero(mean + wf_sqrt(apart * apart + ts * ts));
    const w2across still = {mass * rate.t, mass * rate.s};
    tt = mass * tt;
    ts = mass * ts;
    ss = mass * ss;
    const wf determinant = wf_max(tt * ss - ts * ts, wf_set(1e-6f));
    w2across next = {p.t - (ss * still.t - ts * still.s) / determinant,
                     p.s - (tt * still.s - ts * still.t) / determinant};
    const wm inside = wf_le(next.t * next.t + next.s * next.s, most * most);
    const w2across beyond = {p.t - still.t, p.s - still.s};
    const wf length = wf_sqrt(beyond.t * beyond.t + beyond.s * beyond.s);
    const wf scale = wf_select(wf_lt(most, length), most / wf_select(wf_lt(zero, length), length, one), one);
    next.t = wf_select(inside, next.t, scale * beyond.t);
    next.s = wf_select(inside, next.s, scale * beyond.s);
    return (w2across){sane(next.t - p.t), sane(next.s - p.s)};
}

TR_INLINE void contact_friction(const float *c, int point, meeting *r, float *impulses)
{
    const int at = contact_impulse_of(point);
    const contact_arms arms = contact_arms_of(c, point);
    const w3 slip = contact_slip(r, &arms);
    const w2across rate = {dot(r->t, slip) - get(c, CONTACT_SURFACE), dot(r->s, slip) - get(c, CONTACT_SURFACE + 1)};
    const w2across p = {get(impulses, at + TR3_CONTACT_RUB_0), get(impulses, at + TR3_CONTACT_RUB_0 + 1)};
    const wf gives = get(c, CONTACT_GIVES_ACROSS);
    const w2across change = disc_change(
        contact_k(r, &arms, r->t, &arms, r->t) + gives, contact_k(r, &arms, r->t, &arms, r->s),
        contact_k(r, &arms, r->s, &arms, r->s) + gives, rate, p, get(c, CONTACT_FRICTION) * get(impulses, at));
    put(impulses, at + TR3_CONTACT_RUB_0, p.t + change.t);
    put(impulses, at + TR3_CONTACT_RUB_0 + 1, p.s + change.s);
    contact_shove(r, &arms, add(times(change.t, r->t), times(change.s, r->s)));
}

TR_INLINE void contact_turns(const float *c, int points, meeting *r, float *impulses)
{
    if (!contact_has_turns(c))
        return;
    const sym3 k = sym3_sum(&r->m.ii_a, &r->m.ii_b);
    const wf load = contact_load(points, impulses), twist = get(impulses, TR3_CONTACT_TWIST);
    const w3 kn = sym3_times(&k, r->n), kt = sym3_times(&k, r->t), ks = sym3_times(&k, r->s);
    wf most = get(c, CONTACT_TORSION) * load;
    wf change = sane(-(wf_inverse_or_zero(dot(r->n, kn)) * dot(r->n, minus(r->w_b, r->w_a))));
    change = wf_clamp(twist + change, -most, most) - twist;
    put(impulses, TR3_CONTACT_TWIST, twist + change);
    contact_twist_some(c, r, times(change, r->n));

    const w3 spin = minus(r->w_b, r->w_a);
    const w2across rate = {dot(r->t, spin), dot(r->s, spin)};
    const w2across p = {get(impulses, TR3_CONTACT_TURN), get(impulses, TR3_CONTACT_TURN + 1)};
    most = get(c, CONTACT_ROLLING) * load;
    const w2across turn = disc_change(dot(r->t, kt), dot(r->t, ks), dot(r->s, ks), rate, p, most);
    put(impulses, TR3_CONTACT_TURN, p.t + turn.t);
    put(impulses, TR3_CONTACT_TURN + 1, p.s + turn.s);
    contact_twist_some(c, r, add(times(turn.t, r->t), times(turn.s, r->s)));
}

/* the point whose turn it is: forwards, then backwards, so that none is always the last */
TR_INLINE int contact_in_turn(int points, int i)
{
    return i < points ? i : 2 * points - 1 - i;
}

/* Impulses that start at 0 in a pass take two sweeps over several points, as those along the normal. */
TR_INLINE void contact_rub(const tr3_kernel_context *k, const float *c, int points, meeting *r, float *impulses)
{
    const int sweeps = points > 1 && !k->relaxes ? 2 : 1;
    contact_turns(c, points, r, impulses);
    for (int i = 0; i < sweeps * points; i++)
        contact_friction(c, contact_in_turn(points, i), r, impulses);
}

/* the part of a sum over points that one gives, and the mean of the sum over the points that are there */
TR_INLINE wf contact_counted(const float *c, int point, wf value)
{
    return wf_keep(wf_lt(wf_zero(), get(c, contact_point_of(point) + POINT_MASS)), value);
}

TR_INLINE wf contact_mean(const float *c, int points, wf sum)
{
    wf count = wf_zero();
    if (points == 1)
        return sum;
    for (int i = 0; i < points; i++)
        count = count + contact_counted(c, i, wf_set(1.0f));
    return sum * wf_inverse_or_zero(count);
}

TR_INLINE wf contact_along(const float *c, tr_vec3 v)
{
    return dot(get3(c, CONTACT_N), (w3){wf_set(v.x), wf_set(v.y), wf_set(v.z)});
}

TR_INLINE motion motion_select(wm mask, const motion *a, const motion *b)
{
    return (motion){w3_select(mask, a->v, b->v), w3_select(mask, a->w, b->w), b->ii_x, b->ii_y};
}

#include "solver/kernels/contact.inl"

/* one end of a lane gives way by so much more at each point, and then across the normal */
static void contact_give(float *impulses, bool featured, uint32_t lane, const float *give)
{
    float *c = contact_columns(featured, impulses) + lane;
    float along = give[0], across = give[TR3_CONTACT_POINTS];
    for (int point = 1; point < (featured ? TR3_CONTACT_POINTS : 1); point++)
        along = give[point] > along ? give[point] : along;
    across = give[TR3_CONTACT_POINTS + 1] > across ? give[TR3_CONTACT_POINTS + 1] : across;
    c[CONTACT_GIVES * TR_LANES] += along;
    c[CONTACT_GIVES_ACROSS * TR_LANES] += across;
    for (int point = 0; point < (featured ? TR3_CONTACT_POINTS : 1); point++) {
        float *mass = c + (contact_point_of(point) + POINT_MASS) * TR_LANES;
        *mass = contact_lighter(*mass, along);
    }
}

#endif
