/*
 * What contacts of both dimensions do with their rows: included by the file of the type (joints2, joints3), which has
 * said before what a point and the relative motion of two bodies are:
 *
 *   contact_columns(), contact_impulse_of(), contact_point_of(), CONTACT_..., POINT_...: where the columns are
 *   meeting, meeting_of(), meeting_end(), meeting_rate(), meeting_push(): the relative motion, and a point in it
 *   contact_coupling(): the change of the rate at one point by an impulse of 1 N s at another
 *   contact_counted(), contact_mean(): a mean over the points that there are
 *   contact_along(): a vector along the normal;  motion_select()
 *   contact_in_turn(): which point is next in several sweeps
 *   contact_warm_start(), contact_refresh(), contact_rub(): what is not along the normal
 */

/* an effective mass, if one end gives way by so much more, 1/kg */
static float contact_lighter(float mass, float give)
{
    return mass > 0.0f ? 1.0f / (1.0f / mass + give) : 0.0f;
}

/* What changes with the velocities comes last in each expression, because the points wait for each other. A sub-step's
   final impulse counts towards the total: with relaxing, the relaxing pass adds it; otherwise each change is added. */
TR_INLINE void contact_push(const trn_kernel_context *k, trn_pass pass, const float *c, int point, meeting *r,
                            float *impulses)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    int at = contact_impulse_of(point), first = contact_point_of(point);
    wf impulse = get(impulses, at), separation = get(impulses, at + TRN_CONTACT_SEPARATION_0);
    /* an open gap may close within the sub-step; an overlap is pushed out softly and with limited speed, or left
       when relaxing */
    wf gap = separation * wf_set(k->inv_h), mass = get(c, first + POINT_MASS), change;
    if (pass.biased) {
        wm open = wf_lt(zero, separation);
        wm ground = wm_or(wf_le(r->m.im_a, zero), wf_le(r->m.im_b, zero));
        wf rate = wf_select(ground, wf_set(k->ground.bias_rate), wf_set(k->contact.bias_rate));
        wf share = wf_select(ground, wf_set(k->ground.mass_scale), wf_set(k->contact.mass_scale));
        wf bias = wf_max(rate * separation, wf_set(-k->push_speed));
        wf mass_scale = wf_select(open, one, share);
        wf impulse_scale = wf_select(open, zero, one - share);
        bias = wf_select(open, gap, bias);
        wf scaled = mass_scale * mass, still = -(scaled * bias) - impulse_scale * impulse;
        wf excess = wf_select(ground, one, wf_set(k->relaxes ? TR_EXCESS : 1.0f));
        wf more = excess * still - mass * wf_set(k->excess_from);
        wf rate_now = meeting_rate(r, c, point);
        change = wf_max(still - scaled * rate_now, more - (excess * scaled) * rate_now);
    } else {
        change = -(mass * wf_max(gap, zero)) - mass * meeting_rate(r, c, point);
    }
    change = sane(wf_max(change, -impulse));
    put(impulses, at, impulse + change);
    meeting_push(r, c, point, change);
    wf total = get(impulses, at + TRN_CONTACT_TOTAL_0);
    if (!k->relaxes)
        put(impulses, at + TRN_CONTACT_TOTAL_0, total + change);
    else if (!pass.biased)
        put(impulses, at + TRN_CONTACT_TOTAL_0, total + (impulse + change));
}

/*
 * The acceleration towards the surface by other forces, m/s^2: the speed that the impulses at all points of the contact
 * took in the step, less the change of the rate, in the mean of the points. That is exact for free flight, and limited to gravity along the normal.
 */
TR_INLINE wf contact_fall(const trn_kernel_context *k, const float *c, int points, const meeting *r,
                          const wf total[TRN_CONTACT_POINTS])
{
    const wf zero = wf_zero();
    wf added = zero;
    for (int i = 0; i < points; i++) {
        wf taken = zero;
        for (int j = 0; j < points; j++)
            taken = taken + contact_coupling(c, r, i, j) * total[j];
        wf gained = taken - (meeting_rate(r, c, i) - get(c, contact_point_of(i) + POINT_APPROACH));
        added = added + contact_counted(c, i, gained);
    }
    added = contact_mean(c, points, added);
    wf along = contact_along(c, k->gravity);
    wf one_end = along * wf_set(k->least_gravity), other_end = along * wf_set(k->most_gravity);
    wf lower = wf_min(one_end, other_end), upper = wf_max(one_end, other_end);
    wm a_falls = wf_lt(zero, r->m.im_a), b_falls = wf_lt(zero, r->m.im_b);
    wf least = wf_keep(a_falls, lower) - wf_keep(b_falls, upper);
    wf most = wf_keep(a_falls, upper) - wf_keep(b_falls, lower);
    if (k->scale == NULL) {
        /* two bodies that fall alike do not fall towards each other */
        wm both = wm_and(a_falls, b_falls);
        least = wf_select(both, zero, least);
        most = wf_select(both, zero, most);
    }
    return wf_clamp(added * wf_set(k->inv_step), least, most);
}

/*
 * Speed with which a point leaves its surface. It first fell through its gap s, and has s' left to fall if it touches
 * only in the next sub-step: sqrt(e^2 (u^2 + 2 a s) - 2 a s'), a: contact_fall(). Sub-steps add gravity before they
 * move bodies: these are on the parabola of a body with half a sub-step more of it, a h/2, at each end of a sub-step.
 * What rests, and only trembles, must not jump by that: it counts as far as the point approached. Under a ceiling it is
 * below 0.
 */
TR_INLINE wf contact_rebound(const trn_kernel_context *k, const float *c, int point, wf a, const float *impulses)
{
    const wf zero = wf_zero(), two = wf_set(2.0f);
    int first = contact_point_of(point), at = contact_impulse_of(point);
    wf e = get(c, CONTACT_RESTITUTION), speed = wf_max(-get(c, first + POINT_APPROACH), zero);
    wf half = wf_clamp(a * wf_set(0.5f * k->h), -speed, speed), u = half + speed;
    wf gap = wf_max(get(c, first + POINT_FIRST), zero);
    wf left = wf_max(get(impulses, at + TRN_CONTACT_SEPARATION_0), zero);
    /* the last motion closed the gap of a point that then had an impulse */
    if (k->gaps_before)
        left = wf_keep(wf_le(get(impulses, at), zero), left);
    wf leaves = half + wf_sqrt(wf_max(e * e * wf_max(u * u + two * a * gap, zero) - two * a * left, zero));
    return wf_max(leaves, zero);
}

/* whether any lane of a block has restitution */
TR_INLINE bool contact_bounces(bool featured, float *impulses)
{
    const float *e = contact_columns(featured, impulses) + TR_LANES * CONTACT_RESTITUTION;
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        if (!wm_all(wf_le(wf_load(e + lane), wf_zero())))
            return true;
    }
    return false;
}

/* From the last sub-step to the end of the step, these columns of a point hold its rebound speed (below 0: it does
   not bounce) and the impulse given so far; nothing else reads them then. */
enum { POINT_REBOUND = POINT_APPROACH, POINT_BOUNCED = POINT_FIRST };

/* and the greatest impulse that each point of the contact may get */
enum { CONTACT_MOST = CONTACT_FRICTION };

#define BOUNCE_SWEEPS 4

/*
 * Gives each point a share of the impulse that stopped it, equal to its rebound speed over its approach speed. Impulses
 * that stopped all points of a body together then also make them leave together; restitution 1 restores the energy.
 * Points that still approach, because they touch only in the next sub-step, are stopped first. The points of a
 * contact are solved in turn, so that a flat box does not start to rotate.
 */
TR_INLINE void contact_give_back(const trn_kernel_context *k, float *c, int points, meeting *r, const float *impulses)
{
    const wf zero = wf_zero();
    const int sweeps = points > 1 ? BOUNCE_SWEEPS : 1;
    wm bounces = wf_lt(zero, get(c, CONTACT_RESTITUTION)), active[TRN_CONTACT_POINTS];
    wf total[TRN_CONTACT_POINTS], share[TRN_CONTACT_POINTS], most = zero, stopped[TRN_CONTACT_POINTS];
    for (int point = 0; point < points; point++)
        stopped[point] = zero;
    for (int point = 0; point < points; point++)
        total[point] = get(impulses, contact_impulse_of(point) + TRN_CONTACT_TOTAL_0);
    wf a = contact_fall(k, c, points, r, total);
    for (int point = 0; point < points; point++) {
        int first = contact_point_of(point);
        wf approach = get(c, first + POINT_APPROACH);
        wf rebound = contact_rebound(k, c, point, a, impulses);
        active[point] = wm_and(wm_and(wf_lt(approach, wf_set(-k->bounce_speed)), wf_lt(zero, total[point])), bounces);
        share[point] = rebound * wf_inverse_or_zero(-approach);
        put(c, first + POINT_REBOUND, wf_select(active[point], rebound, wf_set(-1.0f)));
    }
    for (int i = 0; i < sweeps * points; i++) {
        int point = i % points;
        wf change = -(get(c, contact_point_of(point) + POINT_MASS) * meeting_rate(r, c, point));
        wf sum = wf_keep(active[point], wf_max(stopped[point] + sane(change), zero));
        meeting_push(r, c, point, sum - stopped[point]);
        stopped[point] = sum;
    }
    for (int point = 0; point < points; point++) {
        wf given = wf_keep(active[point], sane(share[point] * (total[point] + stopped[point])));
        put(c, contact_point_of(point) + POINT_BOUNCED, stopped[point] + given);
        most = most + (stopped[point] + given);
        meeting_push(r, c, point, given);
    }
    put(c, CONTACT_MOST, most);
}

/* Solves the points in turn, those of one contact more often than those of a body. A point that leaves faster than
   its rebound speed returns impulse, or passes it to the next point. A point never gets more than the sum first
   given to its contact, so that no energy is created. */
TR_INLINE void contact_agree(float *c, int points, meeting *r)
{
    const wf zero = wf_zero();
    const int sweeps = points > 1 ? BOUNCE_SWEEPS : 1;
    for (int i = 0; i < sweeps * points; i++) {
        int point = i % points, first = contact_point_of(point);
        wf rebound = get(c, first + POINT_REBOUND), bounced = get(c, first + POINT_BOUNCED);
        wf change = sane(-(get(c, first + POINT_MASS) * (meeting_rate(r, c, point) - rebound)));
        wf sum = wf_keep(wf_le(zero, rebound), wf_clamp(bounced + change, zero, get(c, CONTACT_MOST)));
        put(c, first + POINT_BOUNCED, sum);
        meeting_push(r, c, point, sum - bounced);
    }
}

/* Bounce impulses are not part of the warm start of the next step. Lanes without restitution keep identical bits. */
TR_INLINE void contact_bounce(const trn_kernel_context *k, trn_pass pass, float *c, int points, motion *a, motion *b,
                              const pose_pair *at, float *impulses)
{
    const wf zero = wf_zero();
    wm bounces = wf_lt(zero, get(c, CONTACT_RESTITUTION));
    meeting r = meeting_of(c, a, b, at);
    wf before[TRN_CONTACT_POINTS];
    for (int point = 0; point < points; point++)
        before[point] = zero;
    if (pass.rebound) {
        for (int point = 0; point < points; point++)
            before[point] = get(c, contact_point_of(point) + POINT_BOUNCED);
        contact_agree(c, points, &r);
    } else {
        contact_give_back(k, c, points, &r, impulses);
    }
    motion to_a = *a, to_b = *b;
    meeting_end(c, &r, &to_a, &to_b);
    *a = motion_select(bounces, &to_a, a);
    *b = motion_select(bounces, &to_b, b);
    for (int point = 0; point < points; point++) {
        int sum = contact_impulse_of(point) + TRN_CONTACT_TOTAL_0;
        wf total = get(impulses, sum), given = get(c, contact_point_of(point) + POINT_BOUNCED) - before[point];
        put(impulses, sum, wf_select(bounces, total + given, total));
    }
}

TR_INLINE void contact_visit(const trn_kernel_context *k, trn_pass pass, bool featured, float *impulses, motion *a,
                             motion *b, const pose_pair *at)
{
    float *c = contact_columns(featured, impulses);
    const int points = featured ? TRN_CONTACT_POINTS : 1;
    motions_late(pass, a, b);
    if (pass.bounce) {
        contact_bounce(k, pass, c, points, a, b, at, impulses);
        return;
    }
    meeting r = meeting_of(c, a, b, at);
    if (pass.warm_start) {
        contact_warm_start(k, c, points, &r, impulses);
        meeting_end(c, &r, a, b);
        return;
    }
    if (pass.refresh)
        contact_refresh(k, pass, c, points, &r, a, b, at, impulses);
    if (k->relaxes) {
        /* once per sub-step is enough for friction; the normal rows come last: non-penetration must hold best */
        if (!pass.biased)
            contact_rub(k, c, points, &r, impulses);
        for (int i = 0; i < points; i++)
            contact_push(k, pass, c, i, &r, impulses);
    } else {
        /* impulses may start at 0 in this pass, and friction needs the final normal impulses as its bound, which takes
           two sweeps of several points */
        for (int i = 0; i < (points > 1 ? 2 : 1) * points; i++)
            contact_push(k, pass, c, contact_in_turn(points, i), &r, impulses);
        contact_rub(k, c, points, &r, impulses);
    }
    meeting_end(c, &r, a, b);
}

/* In passes that bounce, columns of what has no restitution are what they were: a block in which nothing has any is left out. */
static void contact_read(float *impulses, bool featured, uint32_t lane, uint32_t point, trn_contact_point *out)
{
    float *c = contact_columns(featured, impulses) + lane, *own = c + contact_point_of((int)point) * TR_LANES;
    float *sums = impulses + contact_impulse_of((int)point) * TR_LANES + lane;
    out->inverse_mass[0] = c[CONTACT_IM_A * TR_LANES];
    out->inverse_mass[1] = c[CONTACT_IM_B * TR_LANES];
    for (int i = 0; i < TRN_SPINS; i++) {
        out->inverse_inertia[0][i] = c[(CONTACT_II_A + i) * TR_LANES];
        out->inverse_inertia[1][i] = c[(CONTACT_II_B + i) * TR_LANES];
    }
    out->mass = own[POINT_MASS * TR_LANES];
    out->separation = sums[TRN_CONTACT_SEPARATION_0 * TR_LANES];
    out->impulse = sums;
    out->total = sums + TRN_CONTACT_TOTAL_0 * TR_LANES;
    out->rebound = own[POINT_REBOUND * TR_LANES];
    out->bounced =
        c[CONTACT_RESTITUTION * TR_LANES] > 0.0f && out->rebound >= 0.0f ? own + POINT_BOUNCED * TR_LANES : NULL;
    out->most = c[CONTACT_MOST * TR_LANES];
}
