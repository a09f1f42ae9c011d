/* The kernels of joints with a frame: solver/space/frame.h. */
#include "solver/space/frame.h"

static const freedom whole_freedom = {.spring = true, .motor = true, .limit = true, .friction = true};

#include "solver/space/kernels/relative.inl"

enum {
    FRAME_BASE,
    FRAME_XA = FRAME_BASE + BASE_COLUMNS, /* in A's principal axes */
    FRAME_YA = FRAME_XA + 3,
    FRAME_XB = FRAME_YA + 3, /* in B's */
    FRAME_YB = FRAME_XB + 3,
    FRAME_PLAIN_END = FRAME_YB + 3,
    FRAME_LINEAR = FRAME_PLAIN_END,
    FRAME_ANGULAR = FRAME_LINEAR + SOFT_COLUMNS,
    FRAME_FREE = FRAME_ANGULAR + SOFT_COLUMNS, /* FREE_COLUMNS for each coordinate */
};

/* of a thread: the travel of a radian, m */
TR_INLINE int frame_thread_at(bool featured, frame_rows has)
{
    return featured ? FRAME_FREE + FREE_COLUMNS * FRAME_COORDINATES(has.linear, has.angular) : FRAME_PLAIN_END;
}

/* the frame's axes in the principal axes of A; `turns`: of B, too, which a type without a reference does not have */
TR_INLINE void frame_put(const setup *s, tr3_fields f, int lane, bool turns, float *c)
{
    w3 x = axis_of(s, f, lane), y = from_frame(s, s->fa, field3(f, TR3_FIELD_AXIS_2_X, lane));
    put3(c, FRAME_XA, x);
    put3(c, FRAME_YA, y);
    if (!turns)
        return;
    w4 back = turn_back(relation_of(s, f, lane));
    put3(c, FRAME_XB, rotated(back, x));
    put3(c, FRAME_YB, rotated(back, y));
}

TR_INLINE void frame_prepare(const tr3_kernel_context *k, bool featured, frame_rows has, tr3_fields f, int lane,
                             const setup *s, float *c)
{
    base_put(c, FRAME_BASE, s);
    frame_put(s, f, lane, has.angular > 0, c);
    if (has.thread > 0)
        put(c, frame_thread_at(featured, has), wf_set((float)(1.0 / TR_TURN)) * field(f, TR3_FIELD_PITCH, lane));
    if (!featured)
        return;
    /* a type has the softnesses of what it holds */
    const int linear = has.linear > 0 ? TR3_FIELD_LINEAR_KIND : TR3_FIELD_ANGULAR_KIND;
    const int angular = has.angular > 0 ? TR3_FIELD_ANGULAR_KIND : TR3_FIELD_LINEAR_KIND;
    softness_put(c, FRAME_LINEAR, softness_field(k, s->m, f, linear, lane));
    softness_put(c, FRAME_ANGULAR, softness_field(k, s->m, f, angular, lane));
    for (int i = 0; i < FRAME_COORDINATES(has.linear, has.angular); i++)
        freedom_prepare(k, f + TR3_FEATURES_OF(i), lane, whole_freedom, c, FRAME_FREE + i * FREE_COLUMNS);
}

/* the frame's axes in the world, and how B is turned in it */
typedef struct frame {
    w3 x, y, z, xb, yb;
} frame;

TR_INLINE frame frame_of(const anchors *n, const float *c, bool turns)
{
    frame r;
    r.x = to_world(&n->a, get3(c, FRAME_XA));
    r.y = to_world(&n->a, get3(c, FRAME_YA));
    r.z = cross(r.x, r.y);
    r.xb = turns ? to_world(&n->b, get3(c, FRAME_XB)) : r.x;
    r.yb = turns ? to_world(&n->b, get3(c, FRAME_YB)) : r.y;
    return r;
}

/* a unit vector along a x b; where both are parallel, one across */
TR_INLINE w3 normal_of(w3 a, w3 b)
{
    w3 n = cross(a, b);
    wf length = wf_sqrt(dot(n, n));
    wm some = wf_lt(wf_set(1e-6f), length);
    return w3_select(some, times(wf_set(1.0f) / wf_select(some, length, wf_set(1.0f)), n), axis_across(a));
}

/* the angle of all that differ by whole turns which is nearest to `last` */
TR_INLINE wf angle_within(wf angle, wf last)
{
    return angle + wf_set((float)TR_TURN) * wf_round((last - angle) * wf_set((float)(1.0 / TR_TURN)));
}

/* the angle of a vector about a unit vector from another across it */
TR_INLINE wf angle_from(w3 from, w3 v, w3 about, wf last)
{
    return angle_within(wf_atan2(dot(cross(from, v), about), dot(from, v)), last);
}

/* the direction or axis of a free coordinate */
TR_INLINE w3 frame_axis(frame_rows has, int i, const frame *at)
{
    const int turn = i - FRAME_SLIDES(has.linear);
    if (turn < 0)
        return has.linear == 2 ? at->x : i == 0 ? at->y : at->z;
    return turn == 0 ? at->x : at->yb;
}

/* its row */
TR_INLINE jacobian frame_course(frame_rows has, int i, const anchors *n, const frame *at)
{
    const w3 axis = frame_axis(has, i, at);
    return i < FRAME_SLIDES(has.linear) ? row_along(axis, n->arm, n->rb) : row_about(axis);
}

/* and where it is; angles are kept among the impulses */
TR_INLINE wf frame_value(frame_rows has, int i, const anchors *n, const frame *at, const float *impulses)
{
    const int turn = i - FRAME_SLIDES(has.linear);
    if (turn < 0)
        return dot(frame_axis(has, i, at), n->d);
    const int place = FRAME_ANGLE_AT(has.linear, has.angular, has.thread) + turn;
    return turn == 0 ? angle_from(at->y, at->yb, at->x, get(impulses, place))
                     : angle_from(at->x, at->xb, at->yb, get(impulses, place));
}

/* the row that ties the travel to the angle, before the block of rows */
TR_INLINE void frame_thread(const tr3_kernel_context *k, tr3_pass pass, bool featured, frame_rows has, const anchors *n,
                            const frame *of, float *impulses, const float *c, motion *a, motion *b)
{
    const int at = has.linear + has.angular, slides = FRAME_SLIDES(has.linear);
    const wf by = get(c, frame_thread_at(featured, has)), impulse = get(impulses, at);
    jacobian r = frame_course(has, 0, n, of);
    r.arm_a = minus(r.arm_a, times(by, of->x));
    r.arm_b = minus(r.arm_b, times(by, of->x));
    if (pass.warm_start) {
        row_apply(a, b, &n->m, &r, impulse);
        return;
    }
    const wf travel = frame_value(has, 0, n, of, impulses), angle = frame_value(has, slides, n, of, impulses);
    put(impulses, FRAME_ANGLE_AT(has.linear, has.angular, has.thread), angle);
    softness s = featured ? softness_get(c, FRAME_LINEAR) : softness_held(k, n->m);
    if (!pass.biased)
        s = softness_relaxed(s);
    wf rate = row_rate(a, b, &r), now = begun(k, pass, travel - by * angle, rate);
    wf change = soft_change(s, rate, now, row_k(&n->m, &r), impulse);
    put(impulses, at, impulse + change);
    row_apply(a, b, &n->m, &r, change);
}

/*
 * The features of a coordinate that a thread ties. Their row is what is left of the coordinate's, J, across the thread's, T:
 *
 *   J' = J - (J K T / T K T) T
 *
 * with K of both bodies, so that the thread undoes nothing of what they do, and K' = J' K J' is that of all that moves. Of
 * their impulse the thread's gets the share of T.
 */
TR_INLINE void frame_tied(const tr3_kernel_context *k, tr3_pass pass, relative *r, frame_rows has, bool along, w3 axis,
                          wf value, wf by, const float *c, int first, float *impulses, int at)
{
    const int thread = has.linear + has.angular;
    /* what a force and a torque along the axis do to both rates, and the thread's impulse: a force, and a torque -by */
    const w3 pushed = sym3_times(&r->point, axis), spun = point_spun(&r->together, axis);
    const w3 shoved = point_pushed(&r->together, axis), turned = sym3_times(&r->turn, axis);
    const w3 slip = minus(pushed, times(by, shoved)), spin = minus(spun, times(by, turned));
    const wf inverse_mass = dot(axis, slip) - by * dot(axis, spin);
    const wf tied = dot(axis, along ? slip : spin), share = tied * wf_inverse_or_zero(inverse_mass);
    const w3 slip_by = minus(along ? pushed : shoved, times(share, slip));
    const w3 spin_by = minus(along ? spun : turned, times(share, spin));
    /* where nearly all that moves is tied, rounding leaves nothing certain: then the impulse is too small, not too great */
    const wf alone = dot(axis, along ? pushed : turned), least = wf_set(1e-4f) * alone;
    const wf left = wf_max(dot(axis, along ? slip_by : spin_by), least);
    const wf travel = dot(axis, r->slip), angle = dot(axis, r->spin), rate = along ? travel : angle;
    value = begun(k, pass, value, rate);
    const wf sum = freedom_change(k, pass, whole_freedom, rate - share * (travel - by * angle), left, value, c, first,
                                  impulses, at);
    const wf force = (along ? sum : wf_zero()) - share * sum, torque = (along ? wf_zero() : sum) + share * by * sum;
    put(impulses, thread, get(impulses, thread) - share * sum);
    r->force = add(r->force, times(force, axis));
    r->torque = add(r->torque, times(torque, axis));
    r->slip = add(r->slip, times(sum, slip_by));
    r->spin = add(r->spin, times(sum, spin_by));
}

/* applies the impulses of the rows held and of the features */
TR_INLINE void frame_warm_start(frame_rows has, const anchors *n, const frame *of, const row_block *h,
                                const float *impulses, motion *a, motion *b)
{
    relative r;
    relative_begin(&r, has.linear > 0, has.angular > 0);
    relative_holds(&r, h, impulses);
    for (int i = 0; i < FRAME_COORDINATES(has.linear, has.angular); i++)
        relative_drives(&r, i < FRAME_SLIDES(has.linear), frame_axis(has, i, of), impulses,
                        FRAME_ROWS(has.linear, has.angular, has.thread) + i * TR_FEATURE_IMPULSES);
    relative_apply(a, b, &n->m, n->arm, n->rb, &r);
}

/* the features, the thread, and then the rows held */
TR_INLINE void frame_solve(const tr3_kernel_context *k, tr3_pass pass, frame_rows has, const anchors *n,
                           const frame *of, row_block *h, const wf *error, float *impulses, const float *c, motion *a,
                           motion *b)
{
    const int slides = FRAME_SLIDES(has.linear), rows = FRAME_ROWS(has.linear, has.angular, has.thread);
    relative r;
    relative_begin(&r, has.linear > 0, has.angular > 0);
    relative_k(&r, &n->m, n->arm, n->rb);
    relative_rates(&r, a, b, n->arm, n->rb);
    for (int i = 0; i < FRAME_COORDINATES(has.linear, has.angular); i++) {
        const wf value = frame_value(has, i, n, of, impulses);
        if (i == slides && has.thread == 0)
            relative_turn(&r);
        if (i >= slides)
            put(impulses, FRAME_ANGLE_AT(has.linear, has.angular, has.thread) + i - slides, value);
        if (has.thread > 0)
            frame_tied(k, pass, &r, has, i < slides, of->x, value, get(c, frame_thread_at(true, has)), c,
                       FRAME_FREE + i * FREE_COLUMNS, impulses, rows + i * TR_FEATURE_IMPULSES);
        else
            relative_features(k, pass, &r, i < slides, frame_axis(has, i, of), value, c, FRAME_FREE + i * FREE_COLUMNS,
                              impulses, rows + i * TR_FEATURE_IMPULSES);
    }
    if (has.thread == 0) {
        relative_push(&r);
    } else {
        relative_apply(a, b, &n->m, n->arm, n->rb, &r);
        frame_thread(k, pass, true, has, n, of, impulses, c, a, b);
        relative_rates(&r, a, b, n->arm, n->rb);
    }
    relative_hold(k, pass, &r, h, softness_get(c, FRAME_LINEAR), softness_get(c, FRAME_ANGULAR), error, impulses);
    relative_apply(a, b, &n->m, n->arm, n->rb, &r);
}

TR_INLINE void frame_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, frame_rows has, float *impulses,
                           float *c, motion *a, motion *b, const pose_pair *at)
{
    const anchors n = anchors_now(c, FRAME_BASE, at);
    const frame of = frame_of(&n, c, has.angular > 0);
    row_block h;
    row_block_begin(&h, has.linear, has.angular, n.arm, n.rb);
    wf error[HELD_MOST];
    h.along[0] = has.linear == 1 ? of.x : of.y;
    h.along[1] = of.z;
    h.about[0] = has.angular == 1 ? normal_of(of.x, of.yb) : of.y;
    h.about[1] = of.z;
    held_parts(has.linear, has.linear == 3, h.along, n.d, error);
    if (has.angular == 2)
        held_parts(2, false, h.about, tilt_of(of.x, of.xb), error + has.linear);
    if (has.angular == 1)
        error[has.linear] = -dot(of.x, of.yb);
    if (!featured && !pass.warm_start) {
        held_k(&h, &n.m);
        held_invert(&h);
    }
    motions_late(pass, a, b);
    if (featured && !pass.warm_start) {
        frame_solve(k, pass, has, &n, &of, &h, error, impulses, c, a, b);
        return;
    }
    if (has.thread > 0)
        frame_thread(k, pass, featured, has, &n, &of, impulses, c, a, b);
    if (featured)
        frame_warm_start(has, &n, &of, &h, impulses, a, b);
    else if (pass.warm_start)
        held_warm_start(&h, a, b, &n.m, impulses);
    else
        held_rigid_visit(k, pass, &h, a, b, &n.m, error, impulses);
}

/* the kernels of a type: its numbers of impulses and columns, and its functions */
#define FRAME_KERNELS(name, linear_, angular_, thread_)                                                                \
    enum {                                                                                                             \
        name##_plain_impulses =                                                                                        \
            (thread_) > 0 ? FRAME_IMPULSES(linear_, angular_, thread_) : FRAME_ROWS(linear_, angular_, 0),             \
        name##_featured_impulses = FRAME_IMPULSES(linear_, angular_, thread_),                                         \
        name##_is_common = false,                                                                                      \
        name##_few_need = 0,                                                                                           \
        name##_plain_columns = name##_plain_impulses + FRAME_PLAIN_END + (thread_),                                    \
        name##_featured_columns =                                                                                      \
            name##_featured_impulses + FRAME_FREE + FREE_COLUMNS * FRAME_COORDINATES(linear_, angular_) + (thread_)    \
    };                                                                                                                 \
    TR_INLINE void name##_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,  \
                                  float *impulses)                                                                     \
    {                                                                                                                  \
        const int count = featured ? name##_featured_impulses : name##_plain_impulses;                                 \
        frame_prepare(k, featured, (frame_rows){linear_, angular_, thread_}, f, lane, s, impulses + TR_LANES * count); \
    }                                                                                                                  \
    TR_INLINE void name##_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a, \
                                motion *b, const pose_pair *at)                                                        \
    {                                                                                                                  \
        const int count = featured ? name##_featured_impulses : name##_plain_impulses;                                 \
        frame_visit(k, pass, featured, (frame_rows){linear_, angular_, thread_}, impulses,                             \
                    impulses + TR_LANES * count, a, b, at);                                                            \
    }
