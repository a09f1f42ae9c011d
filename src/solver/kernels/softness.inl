/* Softness of rows on TR_WIDTH lanes. */
#include TRN_MOTION_FILE

/*
 * Softness: (K + gamma) dlambda = -(J v + bias_rate C + gamma lambda), an implicit spring. `mass_scale` and
 * `impulse_scale` are the equivalent of gamma for a stiffness relative to K. Rigid rows are relaxed: solved again
 * without bias and softness, so that the correction adds no energy.
 */
typedef struct softness {
    wf bias_rate, mass_scale, impulse_scale, gamma;
    wf keep; /* 1: a spring, soft in the relaxing pass, too; 0: rigid */
} softness;

TR_INLINE softness softness_hard(trn_soft s)
{
    return (softness){wf_set(s.bias_rate), wf_set(s.mass_scale), wf_set(s.impulse_scale), wf_zero(), wf_zero()};
}

TR_INLINE softness softness_rigid(const trn_kernel_context *k)
{
    return softness_hard(k->rigid);
}

/*
 * Factor of the impulse decay of rigid rows: 1 between equal masses or with a fixed body, up to 2 between unequal
 * masses, which are harder to keep stable (docs/solver.md).
 */
TR_INLINE wf unlike(masses m)
{
    const wf one = wf_set(1.0f);
    /* two shortcuts: the selection below gives the same */
    if (wm_all(wf_eq(m.im_a, m.im_b)))
        return one;
    wf high = wf_max(m.im_a, m.im_b), low = wf_min(m.im_a, m.im_b);
    wm alike = wm_or(wf_eq(high, low), wf_eq(low, wf_zero()));
    if (wm_all(alike))
        return one;
    return one + (one - wf_select(alike, one, low * wf_inverse_of_positive(high)));
}

TR_INLINE softness softness_held(const trn_kernel_context *k, masses m)
{
    softness r = softness_rigid(k);
    /* a shortcut for methods without impulse decay */
    if (k->rigid.impulse_scale != 0.0f)
        r.impulse_scale = r.impulse_scale * unlike(m);
    return r;
}

/* with other numbers for rigid rows */
TR_INLINE softness softness_with(softness s, trn_soft rigid)
{
    wm is_rigid = wf_eq(s.keep, wf_zero());
    s.bias_rate = wf_select(is_rigid, wf_set(rigid.bias_rate), s.bias_rate);
    s.mass_scale = wf_select(is_rigid, wf_set(rigid.mass_scale), s.mass_scale);
    return s;
}

/* from the three fields of a tr_softness, which joints with features have; `kind` as 0, 1, 2 or 3 */
TR_INLINE softness softness_of(const trn_kernel_context *k, wf kind, wf a, wf b)
{
    const wf zero = wf_zero(), one = wf_set(1.0f), h = wf_set(k->h);
    wm rigid = wf_eq(kind, zero), physical = wf_lt(wf_set(1.5f), kind), raw = wf_lt(wf_set(2.5f), kind);
    /* a shortcut: the selections below give the same */
    if (wm_all(rigid))
        return softness_hard(k->driven);
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
    softness s = softness_hard(k->driven);
    r.bias_rate = wf_select(rigid, s.bias_rate, r.bias_rate);
    r.mass_scale = wf_select(rigid, s.mass_scale, r.mass_scale);
    r.impulse_scale = wf_select(rigid, s.impulse_scale, r.impulse_scale);
    r.keep = wf_select(rigid, zero, one);
    return r;
}

/* as columns, for kernels with a softness per joint */
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

/* the softness in the relaxing pass: none for rigid rows */
TR_INLINE softness softness_relaxed(softness s)
{
    const wf one = wf_set(1.0f);
    s.mass_scale = s.keep * s.mass_scale + (one - s.keep);
    s.bias_rate = s.keep * s.bias_rate;
    s.impulse_scale = s.keep * s.impulse_scale;
    s.gamma = s.keep * s.gamma;
    return s;
}

/* the share of the impulse that rigid rows of a block without gamma give up */
TR_INLINE wf softness_decay(softness s)
{
    return wf_select(wf_lt(s.mass_scale, wf_set(1.0f)), wf_zero(), s.impulse_scale);
}

/* A scalar row with softness: change of the impulse for rate J v and coordinate C; `mass` is 1 / (K + gamma). */
TR_INLINE wf soft_change_by(softness s, wf rate, wf c, wf mass, wf impulse)
{
    return sane(-(s.mass_scale * mass * (rate + s.bias_rate * c + s.gamma * impulse)) - s.impulse_scale * impulse);
}

TR_INLINE wf soft_change(softness s, wf rate, wf c, wf k, wf impulse)
{
    return soft_change_by(s, rate, c, wf_inverse_or_zero(k + s.gamma), impulse);
}
