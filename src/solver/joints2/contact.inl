/*
 * Contact: points of two bodies that must not approach each other along a normal, with friction, rolling resistance and
 * restitution. The world finds contacts between its shapes, or the application provides them.
 *
 *   C = separation, along the normal n from A to B;  lambda_n >= 0, lambda_n C = 0
 *   J = (-n, -(rA x n), n, rB x n),  rA, rB from the centres of mass to B's side of the point: both impulses act on one
 *   line
 *   friction along t = n rotated by 90 degrees: J v = tangent speed,  |lambda_t| <= friction times the sum of lambda_n
 *   rolling: wB - wA = 0,  |lambda_r| <= rolling resistance times the sum of lambda_n
 *
 * n, rA and rB are constant during the step, and C changes by J times the motion since its start. For round bodies that
 * is exact; arms that rotate with the bodies would open a gap of r (1 - cos(angle)) under a rolling disc. If bodies
 * have moved little, the vectors are also reused in later steps (world/contact_row.c).
 *
 * Restitution, after the last sub-step: lambda = -(J v - w) / K for points that approached faster than a threshold at
 * the start of the step (J v < 0) and have touched. w is e times the speed of the impact, and what gravity needs of it:
 * contact_rebound(). Together with the impulses of the sub-steps this adds up to -(1 + e) J v / K without gravity, the
 * impulse of a single collision, J v being that at the start. If several points of a body bounce at once, their
 * impulses depend on each other: see docs/contacts.md.
 */
#include "solver/joints2/contact.h"

#ifdef TR_JOINT_HOST

static const tr2_joint_type_info contact_info = {
    .name = "contact",
    .own_count = TR2_CONTACT_OWN_COUNT,
    .own_read = {TR2_CONTACT_PLAIN_COUNT, TR2_CONTACT_KERNEL_COUNT},
    .impulse_count = TR2_CONTACT_IMPULSES,
    .impulse_names = {"normal", "total", "separation", "tangent", "rolling", "normal.1", "total.1", "separation.1"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_SUM, TR_ROLE_PLACE, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_SUM,
                      TR_ROLE_PLACE},
};

#endif

#ifdef TR_JOINT_KERNEL

enum {
    contact_plain_impulses = TR2_CONTACT_NORMAL_1,
    contact_featured_impulses = TR2_CONTACT_IMPULSES,
    contact_is_common = true,
    contact_few_need = 0
};

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
    CONTACT_TANGENT_ARM_A,
    CONTACT_TANGENT_ARM_B,
    CONTACT_TANGENT_MASS,
    CONTACT_POINT_0
};

/* columns of one point */
enum {
    POINT_ARM_A, /* of the impulse about A's centre: rA x n */
    POINT_ARM_B,
    POINT_MASS,
    POINT_FIRST,    /* separation at the start of the step */
    POINT_APPROACH, /* J v at the start of the step */
    POINT_COLUMNS
};

enum {
    contact_plain_columns = contact_plain_impulses + CONTACT_POINT_0 + POINT_COLUMNS,
    contact_featured_columns = contact_featured_impulses + CONTACT_POINT_0 + 2 * POINT_COLUMNS
};

/* index of a point's first impulse */
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

/* stores a point's columns; `arm_a`, `arm_b`: from the centres of mass to where the impulse acts */
TR_INLINE void contact_put_point(float *c, int point, masses m, w2 n, w2 arm_a, w2 arm_b, const motion *a,
                                 const motion *b, float *impulses)
{
    int first = contact_point_of(point), at = contact_impulse_of(point);
    direction normal = direction_of(n, arm_a, arm_b);
    put(c, first + POINT_ARM_A, normal.arm_a);
    put(c, first + POINT_ARM_B, normal.arm_b);
    put(c, first + POINT_MASS, wf_inverse_or_zero(direction_k(m, normal)));
    put(c, first + POINT_FIRST, get(impulses, at + TR2_CONTACT_SEPARATION_0));
    put(c, first + POINT_APPROACH, direction_rate(a, b, normal));
    put(impulses, at + TR2_CONTACT_TOTAL_0, wf_zero());
}

TR_INLINE void contact_put_tangent(float *c, masses m, w2 n, w2 arm_a, w2 arm_b)
{
    w2 t = {-n.y, n.x};
    direction tangent = direction_of(t, arm_a, arm_b);
    put(c, CONTACT_TANGENT_ARM_A, tangent.arm_a);
    put(c, CONTACT_TANGENT_ARM_B, tangent.arm_b);
    put(c, CONTACT_TANGENT_MASS, wf_inverse_or_zero(direction_k(m, tangent)));
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
    wf rolling = own(f, TR2_CONTACT_ROLLING, lane);
    put(c, CONTACT_ROLLING, rolling);
    put(impulses, TR2_CONTACT_TURN, wf_keep(wf_lt(wf_zero(), rolling), get(impulses, TR2_CONTACT_TURN)));

    /* velocities at the start of the step */
    const float *velocities = (const float *)k->velocities;
    motion a = motion_of(w4_load_rows(velocities, s->row_a, 1)), b = motion_of(w4_load_rows(velocities, s->row_b, 1));
    w2 arm_a = {own(f, TR2_CONTACT_ARM_A_X, lane), own(f, TR2_CONTACT_ARM_A_Y, lane)};
    w2 arm_b = {own(f, TR2_CONTACT_ARM_B_X, lane), own(f, TR2_CONTACT_ARM_B_Y, lane)};
    contact_put_point(c, 0, s->m, n, arm_a, arm_b, &a, &b, impulses);
    if (!featured) {
        contact_put_tangent(c, s->m, n, arm_a, arm_b);
        return;
    }
    const wf half = wf_set(0.5f);
    w2 second = {own(f, TR2_CONTACT_SECOND_X, lane), own(f, TR2_CONTACT_SECOND_Y, lane)};
    w2 middle = {half * second.x, half * second.y};
    contact_put_tangent(c, s->m, n, (w2){arm_a.x + middle.x, arm_a.y + middle.y},
                        (w2){arm_b.x + middle.x, arm_b.y + middle.y});
    arm_a = (w2){arm_a.x + second.x, arm_a.y + second.y};
    arm_b = (w2){arm_b.x + second.x, arm_b.y + second.y};
    contact_put_point(c, 1, s->m, n, arm_a, arm_b, &a, &b, impulses);
}

/*
 * The relative motion of two bodies in the axes of their contact: everything that the contact's rows read and change.
 * The sum of the impulses is applied to the bodies once, by meeting_end().
 */
typedef struct meeting {
    masses m;
    wf im;            /* sum of the inverse masses */
    wf along, across; /* m/s, velocity of B's centre minus A's: along n, and along n rotated by 90 degrees */
    wf w_a, w_b;
    wf pushed, rubbed; /* impulses of this visit along n and across */
} meeting;

TR_INLINE meeting meeting_of(const float *c, const motion *a, const motion *b, const pose_pair *at)
{
    (void)at;
    w2 n = {get(c, CONTACT_N_X), get(c, CONTACT_N_Y)}, v = {b->vx - a->vx, b->vy - a->vy};
    masses m = {get(c, CONTACT_IM_A), get(c, CONTACT_II_A), get(c, CONTACT_IM_B), get(c, CONTACT_II_B)};
    meeting r = {m, m.im_a + m.im_b, dot(n, v), cross(n, v), a->w, b->w, wf_zero(), wf_zero()};
    return r;
}

TR_INLINE void meeting_end(const float *c, const meeting *r, motion *a, motion *b)
{
    w2 n = {get(c, CONTACT_N_X), get(c, CONTACT_N_Y)};
    w2 p = {n.x * r->pushed - n.y * r->rubbed, n.y * r->pushed + n.x * r->rubbed};
    a->vx = a->vx - r->m.im_a * p.x;
    a->vy = a->vy - r->m.im_a * p.y;
    a->w = r->w_a;
    b->vx = b->vx + r->m.im_b * p.x;
    b->vy = b->vy + r->m.im_b * p.y;
    b->w = r->w_b;
}

/* J v of a point: the rate of its separation */
TR_INLINE wf meeting_rate(const meeting *r, const float *c, int point)
{
    int first = contact_point_of(point);
    return r->along + (get(c, first + POINT_ARM_B) * r->w_b - get(c, first + POINT_ARM_A) * r->w_a);
}

TR_INLINE void meeting_push(meeting *r, const float *c, int point, wf impulse)
{
    int first = contact_point_of(point);
    r->along = r->along + r->im * impulse;
    r->w_a = r->w_a - (r->m.ii_a * get(c, first + POINT_ARM_A)) * impulse;
    r->w_b = r->w_b + (r->m.ii_b * get(c, first + POINT_ARM_B)) * impulse;
    r->pushed = r->pushed + impulse;
}

TR_INLINE void meeting_rub(meeting *r, const float *c, wf impulse)
{
    r->across = r->across + r->im * impulse;
    r->w_a = r->w_a - (r->m.ii_a * get(c, CONTACT_TANGENT_ARM_A)) * impulse;
    r->w_b = r->w_b + (r->m.ii_b * get(c, CONTACT_TANGENT_ARM_B)) * impulse;
    r->rubbed = r->rubbed + impulse;
}

TR_INLINE void contact_warm_start(const tr2_kernel_context *k, const float *c, int points, meeting *r, float *impulses)
{
    meeting_rub(r, c, get(impulses, TR2_CONTACT_TANGENT));
    for (int i = 0; i < points; i++) {
        int at = contact_impulse_of(i);
        wf impulse = get(impulses, at);
        meeting_push(r, c, i, impulse);
        if (!k->relaxes)
            put(impulses, at + TR2_CONTACT_TOTAL_0, get(impulses, at + TR2_CONTACT_TOTAL_0) + impulse);
    }
    wf turn = get(impulses, TR2_CONTACT_TURN);
    r->w_a = r->w_a - r->m.ii_a * turn;
    r->w_b = r->w_b + r->m.ii_b * turn;
}

/* computes the current separations, for this pass and the next sub-step */
TR_INLINE void contact_refresh(const tr2_kernel_context *k, tr2_pass pass, const float *c, int points, const meeting *r,
                               const motion *a, const motion *b, const pose_pair *at, float *impulses)
{
    w2 n = {get(c, CONTACT_N_X), get(c, CONTACT_N_Y)};
    wf closer = n.x * at->apart.x + n.y * at->apart.y;
    for (int i = 0; i < points; i++) {
        int first = contact_point_of(i);
        wf turned = get(c, first + POINT_ARM_B) * b->angle - get(c, first + POINT_ARM_A) * a->angle;
        wf now = get(c, first + POINT_FIRST) + (closer + turned);
        put(impulses, contact_impulse_of(i) + TR2_CONTACT_SEPARATION_0, begun(k, pass, now, meeting_rate(r, c, i)));
    }
}

/* sum of the normal impulses, which bounds friction and rolling resistance */
TR_INLINE wf contact_load(int points, const float *impulses)
{
    wf load = get(impulses, TR2_CONTACT_NORMAL_0);
    if (points == 2)
        load = load + get(impulses, TR2_CONTACT_NORMAL_1);
    return load;
}

TR_INLINE void contact_friction(const float *c, int points, meeting *r, float *impulses)
{
    wf impulse = get(impulses, TR2_CONTACT_TANGENT), most = get(c, CONTACT_FRICTION) * contact_load(points, impulses);
    wf slip = r->across + (get(c, CONTACT_TANGENT_ARM_B) * r->w_b - get(c, CONTACT_TANGENT_ARM_A) * r->w_a);
    wf mass = get(c, CONTACT_TANGENT_MASS);
    wf change = sane(mass * get(c, CONTACT_TANGENT_SPEED) - mass * slip);
    change = wf_clamp(change, -most - impulse, most - impulse);
    put(impulses, TR2_CONTACT_TANGENT, impulse + change);
    meeting_rub(r, c, change);
}

/* few contacts have rolling resistance; lanes without it keep identical bits, whatever the other lanes have */
TR_INLINE void contact_rolling(const float *c, int points, meeting *r, float *impulses)
{
    wf rolling = get(c, CONTACT_ROLLING);
    wm resists = wf_lt(wf_zero(), rolling);
    if (wm_all(wf_le(rolling, wf_zero())))
        return;
    wf impulse = get(impulses, TR2_CONTACT_TURN), most = rolling * contact_load(points, impulses);
    wf change = sane(-(wf_inverse_or_zero(r->m.ii_a + r->m.ii_b) * (r->w_b - r->w_a)));
    change = wf_clamp(impulse + change, -most, most) - impulse;
    put(impulses, TR2_CONTACT_TURN, wf_select(resists, impulse + change, impulse));
    r->w_a = wf_select(resists, r->w_a - r->m.ii_a * change, r->w_a);
    r->w_b = wf_select(resists, r->w_b + r->m.ii_b * change, r->w_b);
}

TR_INLINE void contact_rub(const tr2_kernel_context *k, const float *c, int points, meeting *r, float *impulses)
{
    (void)k;
    contact_friction(c, points, r, impulses);
    contact_rolling(c, points, r, impulses);
}

/* the change of the rate at one point by an impulse of 1 N s at a point of the same contact */
TR_INLINE wf contact_coupling(const float *c, const meeting *r, int point, int other)
{
    int to = contact_point_of(point), from = contact_point_of(other);
    return r->im + (r->m.ii_a * (get(c, to + POINT_ARM_A) * get(c, from + POINT_ARM_A)) +
                    r->m.ii_b * (get(c, to + POINT_ARM_B) * get(c, from + POINT_ARM_B)));
}

/* the part of a sum over points that one gives, and the mean of the sum: of two points it leaves out most of what
   friction does by rotation */
TR_INLINE wf contact_counted(const float *c, int point, wf value)
{
    (void)c;
    (void)point;
    return value;
}

TR_INLINE wf contact_mean(const float *c, int points, wf sum)
{
    (void)c;
    if (points == 2)
        sum = sum * wf_set(0.5f);
    return sum;
}

TR_INLINE wf contact_along(const float *c, tr_vec2 v)
{
    return get(c, CONTACT_N_X) * wf_set(v.x) + get(c, CONTACT_N_Y) * wf_set(v.y);
}

TR_INLINE motion motion_select(wm mask, const motion *a, const motion *b)
{
    return (motion){wf_select(mask, a->vx, b->vx), wf_select(mask, a->vy, b->vy), wf_select(mask, a->w, b->w),
                    b->angle};
}

/* the point whose turn it is in several sweeps */
TR_INLINE int contact_in_turn(int points, int i)
{
    return i % points;
}

#include "solver/kernels/contact.inl"

/* one end of a lane gives way by so much more at each point, and then across the normal */
static void contact_give(float *impulses, bool featured, uint32_t lane, const float *give)
{
    float *c = contact_columns(featured, impulses) + lane;
    for (int point = 0; point < (featured ? TR2_CONTACT_POINTS : 1); point++) {
        float *mass = c + (contact_point_of(point) + POINT_MASS) * TR_LANES;
        *mass = contact_lighter(*mass, give[point]);
    }
    c[CONTACT_TANGENT_MASS * TR_LANES] = contact_lighter(c[CONTACT_TANGENT_MASS * TR_LANES], give[TR2_CONTACT_POINTS]);
}

#endif
