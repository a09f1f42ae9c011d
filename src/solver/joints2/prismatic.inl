/*
 * Prismatic: B slides along an axis of A and cannot rotate relative to A.
 *
 *   C = (t . d, angleB - angleA - reference),  d = (pB + rB) - (pA + rA),  t across the axis n
 *   J = (-t, -((rA + d) x t), t, rB x t)
 *       ( 0,               -1, 0,      1)
 *   K = [ mA + mB + iA sA^2 + iB sB^2   iA sA + iB sB ]     sA = (rA + d) x t, sB = rB x t
 *       [ iA sA + iB sB                 iA + iB       ]
 *
 * The free coordinate is n . d: spring, motor, limit, with J = (-n, -((rA + d) x n), n, rB x n).
 */
#ifdef TR_JOINT_HOST

static bool prismatic_is_featured(const tr2_joint_def *def)
{
    return features_enabled(def) || !softness_is_rigid(def->linear) || !softness_is_rigid(def->angular);
}

static void prismatic_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    slide_measure(def, pose, out);
    out->angular_rigid = softness_is_rigid(def->angular);
    out->angular_error = out->angular_rigid ? (float)fabs(pose->angle) : 0.0f;
    out->energy += softness_energy(def->angular, pose->angle);
}

static void prismatic_reaction(const tr2_joint_def *def, const tr2_joint_pose *pose, const float *impulse, float inv_h,
                               tr2_reaction *out)
{
    (void)def;
    slide_force(pose, (double)features_reaction(impulse, 2, inv_h, out), (double)(impulse[0] * inv_h), out);
    out->torque = impulse[1] * inv_h;
}

static void prismatic_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    view v = view_of_pose(pose);
    equations_hold(out, equation_across(&v, pose), def->linear, 0);
    equations_hold(out, equation_turn(pose), def->angular, 1);
    equations_free(out, equation_along(&v, pose->axis), def, 2);
}

static const tr2_joint_type_info prismatic_info = {
    .name = "prismatic",
    .fields = TR2_GROUP_ANCHORS | TR2_GROUP_AXIS | TR2_GROUP_REFERENCE | TR2_GROUP_LINEAR | TR2_GROUP_ANGULAR |
              TR2_GROUP_SPRING | TR2_GROUP_MOTOR | TR2_GROUP_LIMIT | TR2_GROUP_FRICTION,
    .impulse_count = 7,
    .impulse_names = {"across", "angle", "spring", "motor", "lower", "upper", "friction"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES},
    .has_angle = true,
    .is_featured = prismatic_is_featured,
    .measure = prismatic_measure,
    .equations = prismatic_equations,
    .reaction = prismatic_reaction,
    .has_unit_rows = true,
    .tie = TR_TIE_SLIDE,
};

#endif

#ifdef TR_JOINT_KERNEL

enum {
    prismatic_plain_impulses = 2,
    prismatic_featured_impulses = 7,
    prismatic_is_common = false,
    prismatic_few_need = 0
};

enum {
    PRISMATIC_T,                                      /* across the axis */
    PRISMATIC_M_XX = PRISMATIC_T + DIRECTION_COLUMNS, /* inverse of K, with the softness */
    PRISMATIC_M_XY,
    PRISMATIC_M_YY,
    PRISMATIC_LEAK_LINE,
    PRISMATIC_LEAK_ANGLE,
    PRISMATIC_ACROSS, /* t . d */
    PRISMATIC_AXIS_X, /* at the start of the step */
    PRISMATIC_AXIS_Y,
    PRISMATIC_ANGLE,
    PRISMATIC_BASE,
    PRISMATIC_LINEAR = PRISMATIC_BASE + BASE_COLUMNS,
    PRISMATIC_ANGULAR = PRISMATIC_LINEAR + SOFT_COLUMNS,
    PRISMATIC_N = PRISMATIC_ANGULAR + SOFT_COLUMNS,    /* along the axis */
    PRISMATIC_ALONG = PRISMATIC_N + DIRECTION_COLUMNS, /* n . d */
    PRISMATIC_FREE,
    prismatic_plain_columns = prismatic_plain_impulses + PRISMATIC_LINEAR,
    prismatic_featured_columns = prismatic_featured_impulses + PRISMATIC_FREE + FREE_COLUMNS
};

static const freedom prismatic_freedom = {.spring = true, .motor = true, .limit = true, .friction = true};

/*
 * (K + gamma)^-1 of the two rows, by eliminating the angle. With s = iA + iB + gamma_angle, the Schur complement is
 *   mA + mB + gamma_line + (iA iB (sA - sB)^2 + gamma_angle (iA sA^2 + iB sB^2)) / s.
 * It is written as a sum of positive terms, because a difference would lose all digits for light bodies with long arms.
 * Zero if no body can move.
 */
TR_INLINE sym2 prismatic_inverse(masses m, direction t, wf gamma_line, wf gamma_angle)
{
    wf inverse_s = wf_inverse_or_zero((m.ii_a + m.ii_b) + gamma_angle);
    wf share_a = m.ii_a * inverse_s, share_b = m.ii_b * inverse_s;
    wf apart = t.arm_a - t.arm_b;
    wf line =
        ((m.im_a + m.im_b) + gamma_line) + (share_a * m.ii_b * (apart * apart) +
                                            gamma_angle * (share_a * t.arm_a * t.arm_a + share_b * t.arm_b * t.arm_b));
    /* the angle's column of K, divided by s */
    wf b = share_a * t.arm_a + share_b * t.arm_b;
    sym2 r;
    r.xx = wf_inverse_or_zero(line);
    r.xy = -(b * r.xx);
    r.yy = inverse_s - b * r.xy;
    return r;
}

TR_INLINE void prismatic_refresh(float *c, bool featured, const anchors *n, w2 axis, masses m, softness line,
                                 softness angular)
{
    w2 arm = n->arm;
    w2 across = {-axis.y, axis.x};
    direction t = direction_of(across, arm, n->rb);
    wf gamma_line = softness_gamma(line, direction_k(m, t)), gamma_angle = softness_gamma(angular, m.ii_a + m.ii_b);
    sym2 inverse = prismatic_inverse(m, t, gamma_line, gamma_angle);
    direction_put(c, PRISMATIC_T, t);
    put(c, PRISMATIC_M_XX, inverse.xx);
    put(c, PRISMATIC_M_XY, inverse.xy);
    put(c, PRISMATIC_M_YY, inverse.yy);
    put(c, PRISMATIC_LEAK_LINE, softness_leak(line, direction_k(m, t)));
    put(c, PRISMATIC_LEAK_ANGLE, softness_leak(angular, m.ii_a + m.ii_b));
    put(c, PRISMATIC_ACROSS, dot(t.n, n->d));
    if (featured) {
        direction_put(c, PRISMATIC_N, direction_of(axis, arm, n->rb));
        put(c, PRISMATIC_ALONG, dot(axis, n->d));
    }
}

TR_INLINE void prismatic_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                                 float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? prismatic_featured_impulses : prismatic_plain_impulses);
    softness line = softness_held(k, s->m), angular = softness_held(k, s->m);
    base_put(c, PRISMATIC_BASE, s);
    if (featured) {
        line = softness_field(k, s->m, f, TR2_FIELD_LINEAR_KIND, lane);
        angular = softness_field(k, s->m, f, TR2_FIELD_ANGULAR_KIND, lane);
        softness_put(c, PRISMATIC_LINEAR, line);
        softness_put(c, PRISMATIC_ANGULAR, angular);
        freedom_prepare(k, f, lane, prismatic_freedom, c, PRISMATIC_FREE);
    }
    w2 axis = axis_first(s, f, lane);
    put(c, PRISMATIC_AXIS_X, axis.x);
    put(c, PRISMATIC_AXIS_Y, axis.y);
    put(c, PRISMATIC_ANGLE, s->angle);
    anchors n = anchors_first(s);
    prismatic_refresh(c, featured, &n, axis, s->m, line, angular);
}

TR_INLINE void prismatic_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                               motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * (featured ? prismatic_featured_impulses : prismatic_plain_impulses);
    masses m = masses_get(c, PRISMATIC_BASE);
    w2 p = {get(impulses, 0), get(impulses, 1)};

    softness line = featured ? softness_get(c, PRISMATIC_LINEAR) : softness_held(k, m);
    softness angular = featured ? softness_get(c, PRISMATIC_ANGULAR) : softness_held(k, m);
    if (pass.refresh) {
        anchors n = anchors_now(c, PRISMATIC_BASE, at);
        w2 axis0 = {get(c, PRISMATIC_AXIS_X), get(c, PRISMATIC_AXIS_Y)};
        prismatic_refresh(c, featured, &n, rotate(at->a.c, at->a.s, axis0), m, line, angular);
    }
    if (!pass.biased) {
        line = softness_relaxed(line);
        angular = softness_relaxed(angular);
    }
    direction t = direction_get(c, PRISMATIC_T);
    course along = featured ? course_along(direction_get(c, PRISMATIC_N)) : course_angle();

    if (pass.warm_start) {
        if (featured)
            freedom_warm_start(a, b, m, prismatic_freedom, along, impulses, 2);
        direction_apply(a, b, m, t, p.x);
        angle_apply(a, b, m, p.y);
        return;
    }

    /* compute the errors before any row changes the velocities */
    w2 error = {begun(k, pass, get(c, PRISMATIC_ACROSS), direction_rate(a, b, t)),
                get(c, PRISMATIC_ANGLE) + turned(k, pass, a, b)};
    if (featured)
        freedom_solve(k, pass, a, b, m, prismatic_freedom, along,
                      begun(k, pass, get(c, PRISMATIC_ALONG), free_rate(a, b, prismatic_freedom, along)), c,
                      PRISMATIC_FREE, impulses, 2);

    sym2 inverse = {get(c, PRISMATIC_M_XX), get(c, PRISMATIC_M_XY), get(c, PRISMATIC_M_YY)};
    w2 leak = {get(c, PRISMATIC_LEAK_LINE), get(c, PRISMATIC_LEAK_ANGLE)};
    w2 rate = {direction_rate(a, b, t), b->w - a->w};
    if (!pass.biased) {
        wf line_k = direction_k(m, t), angle_k = m.ii_a + m.ii_b;
        inverse = prismatic_inverse(m, t, softness_gamma(line, line_k), softness_gamma(angular, angle_k));
        leak.x = softness_leak(line, line_k);
        leak.y = softness_leak(angular, angle_k);
    }
    if (pass.biased || featured) {
        rate.x = rate.x + line.bias_rate * error.x;
        rate.y = rate.y + angular.bias_rate * error.y;
    }
    rate.x = rate.x + leak.x * p.x;
    rate.y = rate.y + leak.y * p.y;
    w2 change = sym2_times(inverse, rate);
    change.x = sane(-change.x - softness_decay(line) * p.x);
    change.y = sane(-change.y - softness_decay(angular) * p.y);
    put(impulses, 0, p.x + change.x);
    put(impulses, 1, p.y + change.y);
    direction_apply(a, b, m, t, change.x);
    angle_apply(a, b, m, change.y);
}

#endif

#ifdef TR_JOINT_LOOK

enum { prismatic_color = 0x2f7d32 }; /* 0xRRGGBB */

/* a rail on A and a slider on B */
static void draw_prismatic(joint_pen *pen)
{
    arms(pen);
    rail(pen);
    if (!pen->simple) {
        tr_vec2 axis = unit_axis(pen);
        float c = cosf(pen->def->reference_angle), s = sinf(pen->def->reference_angle);
        tr_vec2 axis_on_b = {c * axis.x + s * axis.y, c * axis.y - s * axis.x};
        square(pen, pen->body_b, pen->def->anchor_b, axis_on_b, 0.8f * pen->glyph, 0.25f);
    }
}

#endif
