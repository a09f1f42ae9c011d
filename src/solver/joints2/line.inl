/*
 * Line: keeps a point of B on an axis of A; B can rotate freely.
 *
 *   C = t . d,  d = (pB + rB) - (pA + rA),  t across the axis n
 *   J = (-t, -((rA + d) x t), t, rB x t)
 *   K = mA + mB + iA ((rA + d) x t)^2 + iB (rB x t)^2      (m, i: inverse masses)
 *
 * The free coordinate is n . d: spring, motor, limit, friction, with J = (-n, -((rA + d) x n), n, rB x n).
 */
#ifdef TR_JOINT_HOST

static bool line_is_featured(const tr2_joint_def *def)
{
    return features_enabled(def) || !softness_is_rigid(def->linear);
}

static void line_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    slide_measure(def, pose, out);
}

static void line_reaction(const tr2_joint_def *def, const tr2_joint_pose *pose, const float *impulse, float inv_h,
                          tr2_reaction *out)
{
    (void)def;
    slide_force(pose, (double)features_reaction(impulse, 1, inv_h, out), (double)(impulse[0] * inv_h), out);
}

static void line_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    view v = view_of_pose(pose);
    equations_hold(out, equation_across(&v, pose), def->linear, 0);
    equations_free(out, equation_along(&v, pose->axis), def, 1);
}

static const tr2_joint_type_info line_info = {
    .name = "line",
    .fields = TR2_GROUP_ANCHORS | TR2_GROUP_AXIS | TR2_GROUP_LINEAR | TR2_GROUP_SPRING | TR2_GROUP_MOTOR |
              TR2_GROUP_LIMIT | TR2_GROUP_FRICTION,
    .impulse_count = 6,
    .impulse_names = {"across", "spring", "motor", "lower", "upper", "friction"},
    .impulse_roles = {TR_ROLE_ROW, FEATURE_ROLES},
    .is_featured = line_is_featured,
    .measure = line_measure,
    .equations = line_equations,
    .reaction = line_reaction,
    .tie = TR_TIE_LINE,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { line_plain_impulses = 1, line_featured_impulses = 6, line_is_common = false, line_few_need = 0 };

enum {
    LINE_T,                                 /* across the axis */
    LINE_MASS = LINE_T + DIRECTION_COLUMNS, /* inverse of K, with the softness */
    LINE_ACROSS,                            /* t . d */
    LINE_AXIS_X,                            /* at the start of the step */
    LINE_AXIS_Y,
    LINE_BASE,
    LINE_LINEAR = LINE_BASE + BASE_COLUMNS,
    LINE_N = LINE_LINEAR + SOFT_COLUMNS,     /* along the axis */
    LINE_ALONG = LINE_N + DIRECTION_COLUMNS, /* n . d */
    LINE_FREE,
    line_plain_columns = line_plain_impulses + LINE_LINEAR,
    line_featured_columns = line_featured_impulses + LINE_FREE + FREE_COLUMNS
};

static const freedom line_freedom = {.spring = true, .motor = true, .limit = true, .friction = true};

TR_INLINE void line_refresh(float *c, bool featured, const anchors *n, w2 axis, masses m, softness s)
{
    w2 arm = n->arm, across = {-axis.y, axis.x};
    direction t = direction_of(across, arm, n->rb);
    direction_put(c, LINE_T, t);
    put(c, LINE_MASS, wf_inverse_or_zero(direction_k(m, t) + s.gamma));
    put(c, LINE_ACROSS, dot(across, n->d));
    if (featured) {
        direction_put(c, LINE_N, direction_of(axis, arm, n->rb));
        put(c, LINE_ALONG, dot(axis, n->d));
    }
}

TR_INLINE void line_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                            float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? line_featured_impulses : line_plain_impulses);
    softness linear = softness_held(k, s->m);
    base_put(c, LINE_BASE, s);
    if (featured) {
        linear = softness_field(k, s->m, f, TR2_FIELD_LINEAR_KIND, lane);
        softness_put(c, LINE_LINEAR, linear);
        freedom_prepare(k, f, lane, line_freedom, c, LINE_FREE);
    }
    w2 axis = axis_first(s, f, lane);
    put(c, LINE_AXIS_X, axis.x);
    put(c, LINE_AXIS_Y, axis.y);
    anchors n = anchors_first(s);
    line_refresh(c, featured, &n, axis, s->m, linear);
}

TR_INLINE void line_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                          motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * (featured ? line_featured_impulses : line_plain_impulses);
    masses m = masses_get(c, LINE_BASE);
    wf impulse = get(impulses, 0);
    softness s = featured ? softness_get(c, LINE_LINEAR) : softness_held(k, m);

    if (pass.refresh) {
        anchors now = anchors_now(c, LINE_BASE, at);
        w2 axis0 = {get(c, LINE_AXIS_X), get(c, LINE_AXIS_Y)};
        line_refresh(c, featured, &now, rotate(at->a.c, at->a.s, axis0), m, s);
    }
    if (!pass.biased)
        s = softness_relaxed(s);
    direction t = direction_get(c, LINE_T);
    course along = featured ? course_along(direction_get(c, LINE_N)) : course_angle();

    if (pass.warm_start) {
        if (featured)
            freedom_warm_start(a, b, m, line_freedom, along, impulses, 1);
        direction_apply(a, b, m, t, impulse);
        return;
    }

    /* compute the errors before any row changes the velocities */
    wf across = begun(k, pass, get(c, LINE_ACROSS), direction_rate(a, b, t));
    if (featured) {
        wf travel = begun(k, pass, get(c, LINE_ALONG), free_rate(a, b, line_freedom, along));
        freedom_solve(k, pass, a, b, m, line_freedom, along, travel, c, LINE_FREE, impulses, 1);
    }

    wf change = soft_change_by(s, direction_rate(a, b, t), across, get(c, LINE_MASS), impulse);
    put(impulses, 0, impulse + change);
    direction_apply(a, b, m, t, change);
}

#endif

#ifdef TR_JOINT_LOOK

enum { line_color = 0x5d8a00 }; /* 0xRRGGBB */

/* the axis on A and a ring on B */
static void draw_line(joint_pen *pen)
{
    arms(pen);
    rail(pen);
    if (!pen->simple) {
        ring(pen, pen->body_b, pen->def->anchor_b, 0.8f * pen->glyph, 0.25f);
    }
}

#endif
