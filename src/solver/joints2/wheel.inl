/*
 * Wheel: keeps a point of B on an axis of A, with a suspension spring along it; B rotates, driven by a motor.
 *
 *   C = t . d,  d = (pB + rB) - (pA + rA),  t across the axis n
 *   J = (-t, -((rA + d) x t), t, rB x t)
 *
 * The free coordinate is n . d: suspension spring and limit. The motor drives the spin: J = (0, -1, 0, 1).
 */
#ifdef TR_JOINT_HOST

static bool wheel_is_featured(const tr2_joint_def *def)
{
    return features_enabled(def) || !softness_is_rigid(def->linear);
}

static void wheel_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    slide_measure(def, pose, out);
}

static void wheel_reaction(const tr2_joint_def *def, const tr2_joint_pose *pose, const float *impulse, float inv_h,
                           tr2_reaction *out)
{
    (void)def;
    out->spring = impulse[1] * inv_h;
    out->lower = impulse[2] * inv_h;
    out->upper = -(impulse[3] * inv_h);
    out->friction = impulse[4] * inv_h;
    out->motor = impulse[5] * inv_h;
    double along = (double)out->spring + (double)out->lower + (double)out->upper + (double)out->friction;
    slide_force(pose, along, (double)(impulse[0] * inv_h), out);
    out->torque = out->motor;
}

static void wheel_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    view v = view_of_pose(pose);
    tr2_equation along = equation_along(&v, pose->axis);
    equations_hold(out, equation_across(&v, pose), def->linear, 0);
    equations_spring(out, along, def, 1);
    equations_limit(out, along, &def->limit, 2);
    equations_motor(out, equation_turn(pose), &def->motor, 5);
    equations_friction(out, along, def->friction, 4);
}

static const tr2_joint_type_info wheel_info = {
    .name = "wheel",
    .fields = TR2_GROUP_ANCHORS | TR2_GROUP_AXIS | TR2_GROUP_LINEAR | TR2_GROUP_SPRING | TR2_GROUP_MOTOR |
              TR2_GROUP_LIMIT | TR2_GROUP_FRICTION,
    .impulse_count = 6,
    .impulse_names = {"across", "spring", "lower", "upper", "friction", "motor"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_SPRING, TR_ROLE_LIMIT, TR_ROLE_LIMIT, TR_ROLE_FRICTION, TR_ROLE_MOTOR},
    .is_featured = wheel_is_featured,
    .measure = wheel_measure,
    .equations = wheel_equations,
    .reaction = wheel_reaction,
    .has_unit_rows = true,
    .tie = TR_TIE_LINE,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { wheel_plain_impulses = 1, wheel_featured_impulses = 6, wheel_is_common = false, wheel_few_need = 0 };

enum {
    WHEEL_T,                                    /* across the axis */
    WHEEL_ACROSS = WHEEL_T + DIRECTION_COLUMNS, /* t . d */
    WHEEL_AXIS_X,                               /* at the start of the step */
    WHEEL_AXIS_Y,
    WHEEL_BASE,
    WHEEL_LINEAR = WHEEL_BASE + BASE_COLUMNS,
    WHEEL_N = WHEEL_LINEAR + SOFT_COLUMNS,     /* along the axis */
    WHEEL_ALONG = WHEEL_N + DIRECTION_COLUMNS, /* n . d */
    WHEEL_FREE,
    wheel_plain_columns = wheel_plain_impulses + WHEEL_LINEAR,
    wheel_featured_columns = wheel_featured_impulses + WHEEL_FREE + FREE_COLUMNS
};

static const freedom wheel_suspension = {.spring = true, .limit = true, .friction = true};
static const freedom wheel_spin = {.angular = true, .motor = true};

TR_INLINE void wheel_refresh(float *c, bool featured, const anchors *n, w2 axis)
{
    w2 arm = n->arm;
    w2 t = {-axis.y, axis.x};
    direction_put(c, WHEEL_T, direction_of(t, arm, n->rb));
    put(c, WHEEL_ACROSS, dot(t, n->d));
    if (featured) {
        direction_put(c, WHEEL_N, direction_of(axis, arm, n->rb));
        put(c, WHEEL_ALONG, dot(axis, n->d));
    }
}

TR_INLINE void wheel_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                             float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? wheel_featured_impulses : wheel_plain_impulses);
    base_put(c, WHEEL_BASE, s);
    if (featured) {
        softness_put(c, WHEEL_LINEAR, softness_field(k, s->m, f, TR2_FIELD_LINEAR_KIND, lane));
        freedom_prepare(k, f, lane, wheel_suspension, c, WHEEL_FREE);
        freedom_prepare(k, f, lane, wheel_spin, c, WHEEL_FREE);
    }
    w2 axis = axis_first(s, f, lane);
    put(c, WHEEL_AXIS_X, axis.x);
    put(c, WHEEL_AXIS_Y, axis.y);
    anchors n = anchors_first(s);
    wheel_refresh(c, featured, &n, axis);
}

TR_INLINE void wheel_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                           motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * (featured ? wheel_featured_impulses : wheel_plain_impulses);
    masses m = masses_get(c, WHEEL_BASE);
    wf impulse = get(impulses, 0);
    softness s = featured ? softness_get(c, WHEEL_LINEAR) : softness_held(k, m);

    if (pass.refresh) {
        anchors now = anchors_now(c, WHEEL_BASE, at);
        w2 axis0 = {get(c, WHEEL_AXIS_X), get(c, WHEEL_AXIS_Y)};
        wheel_refresh(c, featured, &now, rotate(at->a.c, at->a.s, axis0));
    }
    if (!pass.biased)
        s = softness_relaxed(s);
    direction t = direction_get(c, WHEEL_T);
    course along = featured ? course_along(direction_get(c, WHEEL_N)) : course_angle();

    if (pass.warm_start) {
        if (featured) {
            freedom_warm_start(a, b, m, wheel_suspension, along, impulses, 1);
            freedom_warm_start(a, b, m, wheel_spin, course_angle(), impulses, 5);
        }
        direction_apply(a, b, m, t, impulse);
        return;
    }

    /* compute the errors before any row changes the velocities */
    wf across = begun(k, pass, get(c, WHEEL_ACROSS), direction_rate(a, b, t));
    if (featured) {
        wf travel = begun(k, pass, get(c, WHEEL_ALONG), free_rate(a, b, wheel_suspension, along));
        freedom_solve(k, pass, a, b, m, wheel_spin, course_angle(), wf_zero(), c, WHEEL_FREE, impulses, 5);
        freedom_solve(k, pass, a, b, m, wheel_suspension, along, travel, c, WHEEL_FREE, impulses, 1);
    }

    wf change = soft_change(s, direction_rate(a, b, t), across, direction_k(m, t), impulse);
    put(impulses, 0, impulse + change);
    direction_apply(a, b, m, t, change);
}

#endif

#ifdef TR_JOINT_LOOK

enum { wheel_color = 0x8e24aa }; /* 0xRRGGBB */

/* the suspension's rail on A and a hub on B */
static void draw_wheel(joint_pen *pen)
{
    arms(pen);
    rail(pen);
    if (!pen->simple) {
        ring(pen, pen->body_b, pen->def->anchor_b, pen->glyph, 0.0f);
        ring(pen, pen->body_b, pen->def->anchor_b, 0.4f * pen->glyph, 1.0f);
    }
}

#endif
