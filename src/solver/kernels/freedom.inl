/* A free coordinate and its features, and their input in prepare. */
#include <float.h>

#include TRN_COURSE_FILE

/*
 * The free coordinate and its features: friction, spring, motor, limits, solved in this order, so that later ones hold
 * better. The coordinate is an angle, an angle relative to a multiple of A's, or travel along a direction. The features
 * of a type are constants after inlining.
 *
 * Disabled features have neutral parameters: a spring of mass scale 0, a motor without force, limits far away.
 */
enum {
    FREE_SPRING_TARGET,
    FREE_SPRING_LEAST, /* N s or N m s */
    FREE_SPRING_MOST,
    FREE_SPRING_SOFT, /* SOFT_COLUMNS columns */
    FREE_MOTOR_SPEED = FREE_SPRING_SOFT + SOFT_COLUMNS,
    FREE_MOTOR_IMPULSE, /* greatest, N s or N m s */
    FREE_DRIVE_COLUMNS, /* what springs and motors alone need */
    FREE_LOWER = FREE_DRIVE_COLUMNS,
    FREE_UPPER,
    FREE_FRICTION_IMPULSE, /* greatest, N s or N m s */
    FREE_COLUMNS
};

#define TR_FAR 1e18f /* a limit or bound that is off: products with it remain finite floats */

/* the fields of the lanes, with booleans and kinds as numbers: fields[field][lane]; then the table's own columns */
typedef const float *const *trn_fields;

TR_INLINE wf field(trn_fields f, int index, int lane)
{
    return wf_load(f[index] + lane);
}

/* A softness from its three consecutive fields. The kind of a rigid one may be TR_RIGID_BESIDE + n: because of joints
   beside it, which hold n rows more than the three freedoms, it gives up 1 + n/2 times as much of its impulse. */
TR_INLINE softness softness_field(const trn_kernel_context *k, masses m, trn_fields f, int kind, int lane)
{
    const wf one = wf_set(1.0f), half = wf_set(0.5f);
    wf own = field(f, kind, lane), more = own - wf_set((float)TR_RIGID_BESIDE);
    wm beside = wf_lt(wf_zero(), more);
    own = wf_select(beside, wf_zero(), own);
    softness s = softness_of(k, own, field(f, kind + 1, lane), field(f, kind + 2, lane));
    wf alone = s.impulse_scale * unlike(m);
    /* more than half at a time would overshoot */
    wf together = wf_max(alone, wf_min(alone * (one + half * more), half));
    wf held = wf_select(beside, together, alone);
    s.impulse_scale = wf_select(wf_eq(s.keep, wf_zero()), held, s.impulse_scale);
    return s;
}

/* stores the bounds of a spring's impulse as two columns; 0 and 0 mean no bounds */
TR_INLINE void spring_caps_put(const trn_kernel_context *k, trn_fields f, int lane, float *c, int first)
{
    wf least = field(f, TRN_FIELD_SPRING_FORCE_LOWER, lane), most = field(f, TRN_FIELD_SPRING_FORCE_UPPER, lane);
    wm none = wm_and(wf_eq(least, wf_zero()), wf_eq(most, wf_zero()));
    put(c, first, wf_select(none, wf_set(-TR_FAR), wf_set(k->h) * least));
    put(c, first + 1, wf_select(none, wf_set(TR_FAR), wf_set(k->h) * most));
}

TR_INLINE void freedom_prepare(const trn_kernel_context *k, trn_fields f, int lane, freedom has, float *c, int first)
{
    if (has.spring) {
        wm on = wf_lt(wf_zero(), field(f, TRN_FIELD_SPRING_ENABLE, lane));
        softness s = softness_of(k, field(f, TRN_FIELD_SPRING_KIND, lane), field(f, TRN_FIELD_SPRING_A, lane),
                                 field(f, TRN_FIELD_SPRING_B, lane));
        s.mass_scale = wf_keep(on, s.mass_scale);
        s.impulse_scale = wf_select(on, s.impulse_scale, wf_set(1.0f));
        s.keep = wf_select(on, s.keep, wf_set(1.0f));
        softness_put(c, first + FREE_SPRING_SOFT, s);
        put(c, first + FREE_SPRING_TARGET, field(f, TRN_FIELD_SPRING_TARGET, lane));
        spring_caps_put(k, f, lane, c, first + FREE_SPRING_LEAST);
    }
    if (has.motor) {
        wm on = wf_lt(wf_zero(), field(f, TRN_FIELD_MOTOR_ENABLE, lane));
        put(c, first + FREE_MOTOR_SPEED, field(f, TRN_FIELD_MOTOR_SPEED, lane));
        put(c, first + FREE_MOTOR_IMPULSE, wf_keep(on, wf_set(k->h) * field(f, TRN_FIELD_MOTOR_MAXIMUM, lane)));
    }
    if (has.limit) {
        wm on = wf_lt(wf_zero(), field(f, TRN_FIELD_LIMIT_ENABLE, lane));
        put(c, first + FREE_LOWER, wf_select(on, field(f, TRN_FIELD_LIMIT_LOWER, lane), wf_set(-TR_FAR)));
        put(c, first + FREE_UPPER, wf_select(on, field(f, TRN_FIELD_LIMIT_UPPER, lane), wf_set(TR_FAR)));
    }
    if (has.friction)
        put(c, first + FREE_FRICTION_IMPULSE, wf_set(k->h) * field(f, TRN_FIELD_FRICTION, lane));
}

/* the sum of the impulses of the type's features, in columns from `first` on: spring, motor, lower, upper, friction */
TR_INLINE wf freedom_sum(freedom has, const float *c, int first)
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
    return sum;
}

/* applies them */
TR_INLINE void freedom_warm_start(motion *a, motion *b, masses m, freedom has, course r, const float *c, int first)
{
    free_apply(a, b, m, has, r, freedom_sum(has, c, first));
}

/* one limit: `gap` is the distance to it, `rate` that of the gap; a positive impulse opens the gap */
TR_INLINE wf limit_change(const trn_kernel_context *k, trn_pass pass, wf gap, wf rate, wf inverse_k, wf impulse)
{
    const wf zero = wf_zero();
    const wf limit_scale = wf_set(k->limit.mass_scale);
    wm open = wf_lt(zero, gap);
    /* an open gap may close within the sub-step; a violated limit is corrected softly, or left when relaxing */
    if (!pass.biased) {
        wf hard = inverse_k * (rate + wf_keep(open, gap * wf_set(k->inv_h)));
        return sane(wf_max(impulse - hard, zero) - impulse);
    }
    wf bias = wf_select(open, gap * wf_set(k->inv_h), wf_set(k->limit.bias_rate) * gap);
    wf mass_scale = wf_select(open, wf_set(1.0f), limit_scale);
    /* decay the impulse as much as a spring does: that of an impact should be gone in the next sub-step */
    wf impulse_scale = wf_select(open, zero, wf_set(1.0f) - limit_scale);
    wf change = -(mass_scale * inverse_k * (rate + bias)) - impulse_scale * impulse;
    wf total = wf_max(impulse + change, zero);
    return sane(total - impulse);
}

/* a change that keeps the impulse within +-most; values that are not finite are dropped before clamping, which would
   turn them into the bound */
TR_INLINE wf capped_change(wf change, wf impulse, wf most)
{
    return wf_clamp(impulse + sane(change), -most, most) - impulse;
}

/* Whether a feature has no impulse and cannot get one in any lane. `most` is its bound, or the mass scale of a
   spring. */
TR_INLINE bool rests(wf most, wf impulse)
{
    return wm_all(wm_and(wf_eq(most, wf_zero()), wf_eq(impulse, wf_zero())));
}

/* Whether neither limit of any lane has an impulse or gets one: both are open, and farther than the coordinate moves. */
TR_INLINE bool limits_rest(const trn_kernel_context *k, wf below, wf above, wf rate, wf lower, wf upper)
{
    const wf zero = wf_zero(), inv_h = wf_set(k->inv_h);
    wf closing = wf_min(below * inv_h + rate, above * inv_h - rate);
    wm open = wm_and(wf_lt(zero, wf_min(below, above)), wf_le(zero, closing));
    return wm_all(wm_and(open, wm_and(wf_eq(lower, zero), wf_eq(upper, zero))));
}

/* The same of one limit, of which `rate` is that of the gap. */
TR_INLINE bool limit_rests(const trn_kernel_context *k, wf gap, wf rate, wf impulse)
{
    const wf zero = wf_zero();
    wm open = wm_and(wf_lt(zero, gap), wf_le(zero, gap * wf_set(k->inv_h) + rate));
    return wm_all(wm_and(open, wf_eq(impulse, zero)));
}

/* finite, so that a feature that rests adds nothing to the rate: other lanes may act, or narrower widths skip it */
TR_INLINE wf finite_inverse_mass(wf inverse_mass)
{
    return wf_min(inverse_mass, wf_set(FLT_MAX));
}

/* 1/(K + gamma) of a spring along a row of that inverse mass; the same in the relaxing pass */
TR_INLINE wf spring_mass(const float *c, int first, wf inverse_mass)
{
    return wf_inverse_or_zero(finite_inverse_mass(inverse_mass) + get(c, first + FREE_SPRING_SOFT + SOFT_GAMMA));
}

/* Updates the impulses of the type's features, all along one row of rate `rate`; returns the sum of the changes.
   `spring`: spring_mass(), if it is known. */
TR_INLINE wf freedom_change_by(const trn_kernel_context *k, trn_pass pass, freedom has, wf rate, wf inverse_mass,
                               const wf *spring, wf coordinate, const float *c, int first, float *impulses,
                               int first_impulse)
{
    const wf mass = wf_inverse_or_zero(inverse_mass);
    inverse_mass = finite_inverse_mass(inverse_mass);
    wf sum = wf_zero(), change;
    int i = first_impulse;
    if (has.friction) {
        int at = first_impulse + (has.spring ? 1 : 0) + (has.motor ? 1 : 0) + (has.limit ? 2 : 0);
        wf impulse = get(impulses, at), most = get(c, first + FREE_FRICTION_IMPULSE);
        if (!rests(most, impulse)) {
            change = capped_change(mass * -rate, impulse, most);
            put(impulses, at, impulse + change);
            rate = rate + inverse_mass * change;
            sum = sum + change;
        }
    }
    if (has.spring) {
        wf impulse = get(impulses, i);
        softness s = softness_get(c, first + FREE_SPRING_SOFT);
        if (!pass.biased)
            s = softness_relaxed(s);
        /* as it is in this pass: a rigid spring may rest in one and act in the other */
        if (!rests(s.mass_scale, impulse)) {
            const wf away = coordinate - get(c, first + FREE_SPRING_TARGET);
            change = spring != NULL ? soft_change_by(s, rate, away, *spring, impulse)
                                    : soft_change(s, rate, away, inverse_mass, impulse);
            change = wf_clamp(impulse + change, get(c, first + FREE_SPRING_LEAST), get(c, first + FREE_SPRING_MOST)) -
                     impulse;
            put(impulses, i, impulse + change);
            rate = rate + inverse_mass * change;
            sum = sum + change;
        }
        i++;
    }
    if (has.motor) {
        wf impulse = get(impulses, i), most = get(c, first + FREE_MOTOR_IMPULSE);
        if (!rests(most, impulse)) {
            change = capped_change(mass * (get(c, first + FREE_MOTOR_SPEED) - rate), impulse, most);
            put(impulses, i, impulse + change);
            rate = rate + inverse_mass * change;
            sum = sum + change;
        }
        i++;
    }
    if (has.limit) {
        wf lower = get(impulses, i), upper = get(impulses, i + 1);
        wf below = coordinate - get(c, first + FREE_LOWER), above = get(c, first + FREE_UPPER) - coordinate;
        if (limits_rest(k, below, above, rate, lower, upper))
            return sum;
        change = limit_change(k, pass, below, rate, mass, lower);
        put(impulses, i, lower + change);
        rate = rate + inverse_mass * change;
        sum = sum + change;
        change = limit_change(k, pass, above, -rate, mass, upper);
        put(impulses, i + 1, upper + change);
        sum = sum - change;
    }
    return sum;
}

TR_INLINE wf freedom_change(const trn_kernel_context *k, trn_pass pass, freedom has, wf rate, wf inverse_mass,
                            wf coordinate, const float *c, int first, float *impulses, int first_impulse)
{
    return freedom_change_by(k, pass, has, rate, inverse_mass, NULL, coordinate, c, first, impulses, first_impulse);
}

TR_INLINE void freedom_solve(const trn_kernel_context *k, trn_pass pass, motion *a, motion *b, masses m, freedom has,
                             course r, wf coordinate, const float *c, int first, float *impulses, int first_impulse)
{
    wf sum = freedom_change(k, pass, has, free_rate(a, b, has, r), free_k(m, has, r), coordinate, c, first, impulses,
                            first_impulse);
    free_apply(a, b, m, has, r, sum);
}
