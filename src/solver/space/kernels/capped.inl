/*
 * Rows of limited force: a point of B toward a point of A, and B's rotation toward the reference, three rows each, of
 * which the length of the impulse is bounded.
 */

/* Nothing takes back what a rigid one corrects too much, as with limits: a spring with limited force must be able to
   accelerate a body, and relaxing would remove the speed gained in every sub-step. */
TR_INLINE softness capped_softness(const tr3_kernel_context *k, softness s)
{
    wm rigid = wf_eq(s.keep, wf_zero());
    s = softness_with(s, k->limit);
    s.impulse_scale = wf_select(rigid, wf_set(1.0f) - s.mass_scale, s.impulse_scale);
    s.keep = wf_set(1.0f);
    return s;
}

/* a brake: it corrects no error */
TR_INLINE softness softness_brake(void)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    return (softness){zero, one, zero, zero, one};
}

/* impulses `at` to `at + 2` */
TR_INLINE void capped_point(const tr3_kernel_context *k, tr3_pass pass, motion *a, motion *b, const anchors *n,
                            softness s, wf most, float *impulses, int at)
{
    const sym3 kk = point_k(&n->m, n->arm, n->rb);
    const w3 p = get3(impulses, at), rate = point_rate(a, b, n->arm, n->rb);
    w3 change = point_soft_change(&kk, s, rate, begun3(k, pass, n->d, rate), p);
    change = capped_change3(change, p, most);
    put3(impulses, at, add(p, change));
    point_apply(a, b, &n->m, n->arm, n->rb, change);
}

/* `error`: the rotation wanting, at the bodies' poses */
TR_INLINE void capped_turn(const tr3_kernel_context *k, tr3_pass pass, motion *a, motion *b, const masses *m, w3 error,
                           softness s, wf most, float *impulses, int at)
{
    const sym3 kk = sym3_sum(&m->ii_a, &m->ii_b);
    const w3 p = get3(impulses, at), rate = minus(b->w, a->w);
    w3 change = point_soft_change(&kk, s, rate, begun3(k, pass, error, rate), p);
    change = capped_change3(change, p, most);
    put3(impulses, at, add(p, change));
    spin_apply(a, b, m, change);
}
