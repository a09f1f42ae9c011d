/*
 * The motion of B relative to A at a joint with several free coordinates. Their rows are solved one after the other in
 * these six numbers, and what they sum up to acts on both bodies at once, with the rows that are held.
 */
typedef struct relative {
    bool forces, torques;  /* constants after inlining: whether some rows are along a direction; about an axis */
    w3 slip, spin;         /* rates of B's anchor from A, and of rotation */
    w3 force, torque;      /* impulses that have yet to act */
    sym3 point, turn;      /* K of both */
    point_levers together; /* how a force along each axis of the world changes the spin */
} relative;

/* Which kinds of rows there are. The rest is left as it is. */
TR_INLINE void relative_begin(relative *r, bool forces, bool torques)
{
    r->forces = forces;
    r->torques = torques;
}

/* no lane's rate is -0, so that it stays the same bits where nothing is added */
TR_INLINE w3 never_minus_zero(w3 v)
{
    return add(v, w3_zero());
}

TR_INLINE void relative_rates(relative *r, const motion *a, const motion *b, w3 arm, w3 rb)
{
    r->slip = r->forces ? never_minus_zero(point_rate(a, b, arm, rb)) : w3_zero();
    r->spin = r->torques ? never_minus_zero(minus(b->w, a->w)) : w3_zero();
    r->force = r->torque = w3_zero();
}

TR_INLINE void relative_k(relative *r, const masses *m, w3 arm, w3 rb)
{
    if (r->torques)
        r->turn = sym3_sum(&m->ii_a, &m->ii_b);
    if (r->forces) {
        const point_levers la = point_levers_of(&m->ii_a, arm), lb = point_levers_of(&m->ii_b, rb);
        r->point = point_k_by(m, &la, &lb, arm, rb);
        r->together = point_levers_sum(&la, &lb);
    }
}

/* the features of a coordinate along a direction, or about an axis */
TR_INLINE void relative_features(const tr3_kernel_context *k, tr3_pass pass, relative *r, bool along, w3 axis, wf value,
                                 const float *c, int first, float *impulses, int at)
{
    const w3 lever = sym3_times(along ? &r->point : &r->turn, axis);
    const wf rate = dot(axis, along ? r->slip : r->spin);
    value = begun(k, pass, value, rate);
    const wf sum = freedom_change(k, pass, whole_freedom, rate, dot(axis, lever), value, c, first, impulses, at);
    if (along) {
        r->force = add(r->force, times(sum, axis));
        r->slip = add(r->slip, times(sum, lever));
    } else {
        r->torque = add(r->torque, times(sum, axis));
        r->spin = add(r->spin, times(sum, lever));
    }
}

/* after the features of all directions: what the force does to the spin; after those of all axes, likewise */
TR_INLINE void relative_turn(relative *r)
{
    if (r->forces && r->torques)
        r->spin = add(r->spin, point_spun(&r->together, r->force));
}

TR_INLINE void relative_push(relative *r)
{
    if (r->forces && r->torques)
        r->slip = add(r->slip, point_pushed(&r->together, r->torque));
}

/* the rows that are held; lanes that hold none keep their bits */
TR_INLINE void relative_hold(const tr3_kernel_context *k, tr3_pass pass, relative *r, row_block *h, softness linear,
                             softness angular, const wf *error, float *impulses)
{
    const int count = h->linear + h->angular;
    wf x[HELD_MOST];
    held_rates_from(h, r->slip, r->spin, x);
    held_k_from(h, &r->point, &r->turn, &r->together);
    held_changes(k, pass, h, linear, angular, error, impulses, x);
    held_sane(count, x);
    for (int i = 0; i < count; i++)
        put(impulses, i, get(impulses, i) + x[i]);
    w3 force = add(r->force, held_force(h, x)), torque = add(r->torque, held_torque(h, x));
    if (h->masked) {
        wm some = h->held[0];
        for (int i = 1; i < count; i++)
            some = wm_or(some, h->held[i]);
        force = w3_select(some, force, r->force);
        torque = w3_select(some, torque, r->torque);
    }
    r->force = force;
    r->torque = torque;
}

TR_INLINE void relative_apply(motion *a, motion *b, const masses *m, w3 arm, w3 rb, const relative *r)
{
    wrench_apply(a, b, m, arm, rb, r->forces, r->torques, r->force, r->torque);
}

/* what the impulses of the rows held and of a coordinate's features sum up to */
TR_INLINE void relative_holds(relative *r, const row_block *h, const float *impulses)
{
    wf p[HELD_MOST];
    for (int i = 0; i < h->linear + h->angular; i++)
        p[i] = get(impulses, i);
    r->force = held_force(h, p);
    r->torque = held_torque(h, p);
}

TR_INLINE void relative_drives(relative *r, bool along, w3 axis, const float *impulses, int first)
{
    const w3 p = times(freedom_sum(whole_freedom, impulses, first), axis);
    if (along)
        r->force = add(r->force, p);
    else
        r->torque = add(r->torque, p);
}
