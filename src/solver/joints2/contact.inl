/*
 * Contact: points of two bodies that must not come together along a normal, with friction, rolling resistance and
 * restitution. Given by the host.
 *
 *   C = separation, along the normal n from A to B;  lambda_n >= 0, lambda_n C = 0
 *   J = (-n, -(rA x n), n, rB x n),  rA, rB from the centres to B's side of the point: both ends of a push act on one line
 *   friction along t = n turned by a quarter: J v = tangent speed,  |lambda_t| <= friction lambda_n
 *   rolling: wB - wA = 0,  |lambda_r| <= rolling resistance times the sum of lambda_n
 *
 * n, rA and rB stay as they are at the beginning of the step, and C changes by J times the motion since: for round bodies
 * that is exact, whereas anchors that turn along would open a gap under a rolling disc of r (1 - cos(turn)). Where bodies
 * have not moved far they stay from step to step, too (world/contact_row.c).
 *
 * Restitution, after the last sub-step: lambda = -(J v + e u) / K where the points came together at the step's
 * beginning faster than a threshold, u = J v < 0, and have touched; with what the sub-steps did before this is the
 * -(1 + e) u / K of seed 000.
 *
 * Source: seeds 000 and 001 (inequality, impulse of a collision); speculative margin and soft push as in the peers.
 */
#include "solver/joints2/contact.h"

#ifdef TR2_JOINT_HOST

static const tr2_joint_type_info contact_info = {
    .name = "contact",
    .own_count = TR2_CONTACT_OWN_COUNT,
    .own_read = {TR2_CONTACT_PLAIN_COUNT, TR2_CONTACT_KERNEL_COUNT},
    .impulse_count = TR2_CONTACT_IMPULSES,
    .impulse_names = {"normal", "tangent", "total", "separation", "rolling", "normal.1", "tangent.1", "total.1",
                      "separation.1"},
    .impulse_roles = {TR2_ROLE_ROW, TR2_ROLE_ROW, TR2_ROLE_SUM, TR2_ROLE_PLACE, TR2_ROLE_ROW, TR2_ROLE_ROW,
                      TR2_ROLE_ROW, TR2_ROLE_SUM, TR2_ROLE_PLACE},
};

#endif

#ifdef TR2_JOINT_KERNEL

enum { contact_plain_impulses = TR2_CONTACT_NORMAL_1, contact_featured_impulses = TR2_CONTACT_IMPULSES };

enum {
    CONTACT_IM_A,
    CONTACT_II_A,
    CONTACT_IM_B,
    CONTACT_II_B,
    CONTACT_N_X,
    CONTACT_N_Y,
    CONTACT_FRICTION,
    CONTACT_RESTITUTION,
    CONTACT_TANGENT_SPEED,
    CONTACT_ROLLING,
    CONTACT_ROLLING_MASS,
    CONTACT_POINT_0
};

/* columns of one point */
enum {
    POINT_ARM_A, /* along the normal */
    POINT_ARM_B,
    POINT_MASS,
    POINT_TANGENT_ARM_A,
    POINT_TANGENT_ARM_B,
    POINT_TANGENT_MASS,
    POINT_FIRST,    /* separation as the step began */
    POINT_APPROACH, /* J v as the step began */
    POINT_COLUMNS
};

enum {
    contact_plain_columns = contact_plain_impulses + CONTACT_POINT_0 + POINT_COLUMNS,
    contact_featured_columns = contact_featured_impulses + CONTACT_POINT_0 + 2 * POINT_COLUMNS
};

/* where the impulses of a point lie, and its columns */
TR_INLINE int contact_impulse_of(int point)
{
    return point == 0 ? TR2_CONTACT_NORMAL_0 : TR2_CONTACT_NORMAL_1;
}

TR_INLINE int contact_point_of(int point)
{
    return CONTACT_POINT_0 + point * POINT_COLUMNS;
}

TR_INLINE float *contact_columns(bool featured, float *impulses)
{
    return impulses + TR_LANES * (featured ? contact_featured_impulses : contact_plain_impulses);
}

TR_INLINE direction contact_normal(const float *c, int point)
{
    int first = contact_point_of(point);
    direction r = {
        {get(c, CONTACT_N_X), get(c, CONTACT_N_Y)}, get(c, first + POINT_ARM_A), get(c, first + POINT_ARM_B)};
    return r;
}

TR_INLINE direction contact_tangent(const float *c, int point)
{
    int first = contact_point_of(point);
    direction r = {{-get(c, CONTACT_N_Y), get(c, CONTACT_N_X)},
                   get(c, first + POINT_TANGENT_ARM_A),
                   get(c, first + POINT_TANGENT_ARM_B)};
    return r;
}

/* arms from the centres to where the impulses act */
TR_INLINE void contact_put_point(float *c, int point, masses m, w2 n, w2 arm_a, w2 arm_b, const motion *a,
                                 const motion *b, float *impulses)
{
    int first = contact_point_of(point), at = contact_impulse_of(point);
    w2 t = {-n.y, n.x};
    direction normal = {n, cross(arm_a, n), cross(arm_b, n)}, tangent = {t, cross(arm_a, t), cross(arm_b, t)};
    put(c, first + POINT_ARM_A, normal.arm_a);
    put(c, first + POINT_ARM_B, normal.arm_b);
    put(c, first + POINT_MASS, wf_inverse_or_zero(direction_k(m, normal)));
    put(c, first + POINT_TANGENT_ARM_A, tangent.arm_a);
    put(c, first + POINT_TANGENT_ARM_B, tangent.arm_b);
    put(c, first + POINT_TANGENT_MASS, wf_inverse_or_zero(direction_k(m, tangent)));
    put(c, first + POINT_FIRST, get(impulses, at + TR2_CONTACT_SEPARATION_0));
    put(c, first + POINT_APPROACH, direction_rate(a, b, normal));
    put(impulses, at + TR2_CONTACT_TOTAL_0, wf_zero());
}

TR_INLINE wf own(tr2_fields f, int index, int lane)
{
    return field(f, TR2_FIELD_COUNT + index, lane);
}

TR_INLINE void contact_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                               float *impulses)
{
    float *c = contact_columns(featured, impulses);
    put(c, CONTACT_IM_A, s->m.im_a);
    put(c, CONTACT_II_A, s->m.ii_a);
    put(c, CONTACT_IM_B, s->m.im_b);
    put(c, CONTACT_II_B, s->m.ii_b);
    w2 n = {own(f, TR2_CONTACT_NORMAL_X, lane), own(f, TR2_CONTACT_NORMAL_Y, lane)};
    put(c, CONTACT_N_X, n.x);
    put(c, CONTACT_N_Y, n.y);
    put(c, CONTACT_FRICTION, own(f, TR2_CONTACT_FRICTION, lane));
    put(c, CONTACT_RESTITUTION, own(f, TR2_CONTACT_RESTITUTION, lane));
    put(c, CONTACT_TANGENT_SPEED, own(f, TR2_CONTACT_TANGENT_SPEED, lane));
    put(c, CONTACT_ROLLING, own(f, TR2_CONTACT_ROLLING, lane));
    put(c, CONTACT_ROLLING_MASS, wf_inverse_or_zero(s->m.ii_a + s->m.ii_b));

    /* how the bodies move as the step begins */
    const float *velocities = (const float *)k->velocities;
    motion a = motion_of(w4_load_rows(velocities, s->row_a, 1)), b = motion_of(w4_load_rows(velocities, s->row_b, 1));
    w2 arm_a = {own(f, TR2_CONTACT_ARM_A_X, lane), own(f, TR2_CONTACT_ARM_A_Y, lane)};
    w2 arm_b = {own(f, TR2_CONTACT_ARM_B_X, lane), own(f, TR2_CONTACT_ARM_B_Y, lane)};
    contact_put_point(c, 0, s->m, n, arm_a, arm_b, &a, &b, impulses);
    if (!featured)
        return;
    w2 second = {own(f, TR2_CONTACT_SECOND_X, lane), own(f, TR2_CONTACT_SECOND_Y, lane)};
    arm_a = (w2){arm_a.x + second.x, arm_a.y + second.y};
    arm_b = (w2){arm_b.x + second.x, arm_b.y + second.y};
    contact_put_point(c, 1, s->m, n, arm_a, arm_b, &a, &b, impulses);
}

/* separations as the bodies stand now, for this pass and the next sub-step */
TR_INLINE void contact_refresh(const tr2_kernel_context *k, tr2_pass pass, const float *c, int points, const motion *a,
                               const motion *b, const pose *pa, const pose *pb, float *impulses)
{
    w2 n = {get(c, CONTACT_N_X), get(c, CONTACT_N_Y)};
    wf closer = n.x * (pb->x - pa->x) + n.y * (pb->y - pa->y);
    for (int i = 0; i < points; i++) {
        int first = contact_point_of(i);
        wf turned = get(c, first + POINT_ARM_B) * b->angle - get(c, first + POINT_ARM_A) * a->angle;
        wf now = get(c, first + POINT_FIRST) + (closer + turned);
        now = begun(k, pass, now, direction_rate(a, b, contact_normal(c, i)));
        put(impulses, contact_impulse_of(i) + TR2_CONTACT_SEPARATION_0, now);
    }
}

TR_INLINE void contact_friction(float *c, int point, masses m, motion *a, motion *b, float *impulses)
{
    int at = contact_impulse_of(point);
    direction t = contact_tangent(c, point);
    wf impulse = get(impulses, at + TR2_CONTACT_TANGENT_0), most = get(c, CONTACT_FRICTION) * get(impulses, at);
    wf slip = direction_rate(a, b, t) - get(c, CONTACT_TANGENT_SPEED);
    wf change = sane(-(get(c, contact_point_of(point) + POINT_TANGENT_MASS) * slip));
    change = wf_clamp(impulse + change, -most, most) - impulse;
    put(impulses, at + TR2_CONTACT_TANGENT_0, impulse + change);
    direction_apply(a, b, m, t, change);
}

TR_INLINE void contact_rolling(const float *c, int points, masses m, motion *a, motion *b, float *impulses)
{
    wf normal = get(impulses, TR2_CONTACT_NORMAL_0);
    if (points == 2)
        normal = normal + get(impulses, TR2_CONTACT_NORMAL_1);
    wf impulse = get(impulses, TR2_CONTACT_TURN), most = get(c, CONTACT_ROLLING) * normal;
    wf change = sane(-(get(c, CONTACT_ROLLING_MASS) * (b->w - a->w)));
    change = wf_clamp(impulse + change, -most, most) - impulse;
    put(impulses, TR2_CONTACT_TURN, impulse + change);
    angle_apply(a, b, m, change);
}

TR_INLINE void contact_push(const tr2_kernel_context *k, tr2_pass pass, float *c, int point, masses m, motion *a,
                            motion *b, float *impulses)
{
    const wf zero = wf_zero(), one = wf_set(1.0f);
    int at = contact_impulse_of(point), first = contact_point_of(point);
    direction n = contact_normal(c, point);
    wf impulse = get(impulses, at), separation = get(impulses, at + TR2_CONTACT_SEPARATION_0);
    /* an open gap may close within the sub-step; an overlap is pushed out softly, not too fast, or left when relaxing */
    wm open = wf_lt(zero, separation);
    wf bias = zero, mass_scale = one, impulse_scale = zero;
    if (pass.biased) {
        bias = wf_max(wf_set(k->contact.bias_rate) * separation, wf_set(-k->push_speed));
        mass_scale = wf_select(open, one, wf_set(k->contact.mass_scale));
        impulse_scale = wf_select(open, zero, wf_set(1.0f - k->contact.mass_scale));
    }
    bias = wf_select(open, separation * wf_set(k->inv_h), bias);
    wf change = -(mass_scale * get(c, first + POINT_MASS) * (direction_rate(a, b, n) + bias)) - impulse_scale * impulse;
    change = sane(wf_max(impulse + change, zero) - impulse);
    put(impulses, at, impulse + change);
    direction_apply(a, b, m, n, change);
    put(impulses, at + TR2_CONTACT_TOTAL_0, get(impulses, at + TR2_CONTACT_TOTAL_0) + change);
}

/*
 * Two points by turns until both have it (a flat box must not begin to turn). What bounces off is no part of the impulse
 * that the next step begins with.
 */
TR_INLINE void contact_bounce(const tr2_kernel_context *k, const float *c, int points, masses m, motion *a, motion *b,
                              float *impulses)
{
    const wf zero = wf_zero();
    const int sweeps = points == 2 ? 6 : 1;
    wf e = get(c, CONTACT_RESTITUTION), bounced[2] = {zero, zero};
    for (int i = 0; i < sweeps * points; i++) {
        int point = i % points, first = contact_point_of(point);
        direction n = contact_normal(c, point);
        wf approach = get(c, first + POINT_APPROACH);
        wf total = get(impulses, contact_impulse_of(point) + TR2_CONTACT_TOTAL_0);
        wm active = wm_and(wm_and(wf_lt(approach, wf_set(-k->bounce_speed)), wf_lt(zero, total)), wf_lt(zero, e));
        wf change = sane(-(get(c, first + POINT_MASS) * (direction_rate(a, b, n) + e * approach)));
        wf sum = wf_keep(active, wf_max(bounced[point] + change, zero));
        direction_apply(a, b, m, n, sum - bounced[point]);
        bounced[point] = sum;
    }
    for (int point = 0; point < points; point++) {
        int total = contact_impulse_of(point) + TR2_CONTACT_TOTAL_0;
        put(impulses, total, get(impulses, total) + bounced[point]);
    }
}

TR_INLINE void contact_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                             motion *b, const pose *pa, const pose *pb)
{
    float *c = contact_columns(featured, impulses);
    const int points = featured ? 2 : 1;
    masses m = {get(c, CONTACT_IM_A), get(c, CONTACT_II_A), get(c, CONTACT_IM_B), get(c, CONTACT_II_B)};
    if (pass.warm_start) {
        for (int i = 0; i < points; i++) {
            int at = contact_impulse_of(i);
            direction_apply(a, b, m, contact_tangent(c, i), get(impulses, at + TR2_CONTACT_TANGENT_0));
            direction_apply(a, b, m, contact_normal(c, i), get(impulses, at));
            put(impulses, at + TR2_CONTACT_TOTAL_0, get(impulses, at + TR2_CONTACT_TOTAL_0) + get(impulses, at));
        }
        angle_apply(a, b, m, get(impulses, TR2_CONTACT_TURN));
        return;
    }
    if (pass.bounce) {
        contact_bounce(k, c, points, m, a, b, impulses);
        return;
    }

    if (pass.refresh)
        contact_refresh(k, pass, c, points, a, b, pa, pb, impulses);
    /* where impulses may have begun afresh, friction needs a normal one to hold on to */
    for (int i = 0; i < points && pass.refresh && pass.biased; i++)
        contact_push(k, pass, c, i, m, a, b, impulses);
    /* once in a sub-step is enough; what must not be passed comes last, and is the hardest */
    if (!pass.biased || !k->relaxes) {
        for (int i = 0; i < points; i++)
            contact_friction(c, i, m, a, b, impulses);
        contact_rolling(c, points, m, a, b, impulses);
    }
    for (int i = 0; i < points; i++)
        contact_push(k, pass, c, i, m, a, b, impulses);
}

#endif
