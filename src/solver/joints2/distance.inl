/*
 * Distance: keeps the distance between two points.
 *
 *   C = |d| - L,  d = (pB + rB) - (pA + rA),  n = d / |d|
 *   J = (-n, -(rA x n), n, rB x n)
 *   K = mA + mB + iA (rA x n)^2 + iB (rB x n)^2
 *
 * Rigid (a rod) or soft (a spring; off at frequency 0). The free coordinate is the length, with motor and limits; with
 * an upper limit alone, the joint is a rope. If d vanishes, n is undefined and keeps its last value, initially A's x
 * axis.
 */
#ifdef TR_JOINT_HOST

static bool distance_is_featured(const tr2_joint_def *def)
{
    return features_enabled(def) || !softness_is_rigid(def->linear) || def->spring_force.lower < 0.0f ||
           def->spring_force.upper > 0.0f;
}

static void distance_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    double length = measure_length(pose->d);
    double error = length - (double)def->length;
    out->linear_rigid = softness_is_rigid(def->linear) || def->limit.enable;
    out->linear_error = (float)limit_violation(&def->limit, length);
    if (softness_is_rigid(def->linear) && (float)fabs(error) > out->linear_error)
        out->linear_error = (float)fabs(error);
    out->coordinate = (float)length;
    out->rate = length > 0.0 ? (float)(measure_dot(pose->d, pose->d_rate) / length) : 0.0f;
    out->energy = softness_energy(def->linear, error);
}

static void distance_reaction(const tr2_joint_def *def, const tr2_joint_pose *pose, const float *impulse, float inv_h,
                              tr2_reaction *out)
{
    double length = measure_length(pose->d);
    tr_dvec2 n = {length > 0.0 ? pose->d.x / length : pose->c_a, length > 0.0 ? pose->d.y / length : pose->s_a};
    out->motor = impulse[1] * inv_h;
    out->lower = impulse[2] * inv_h;
    out->upper = -(impulse[3] * inv_h);
    out->friction = impulse[4] * inv_h;
    float held = impulse[0] * inv_h;
    out->spring = softness_is_rigid(def->linear) ? 0.0f : held;
    double force = (double)held + (double)out->motor + (double)out->lower + (double)out->upper + (double)out->friction;
    out->force.x = (float)(n.x * force);
    out->force.y = (float)(n.y * force);
}

static void distance_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    equations_distance(out, def, pose, (tr_dvec2){pose->c_a, pose->s_a});
}

static const tr2_joint_type_info distance_info = {
    .name = "distance",
    .spring_is = "`linear`",
    .fields = TR2_GROUP_ANCHORS | TR2_GROUP_LENGTH | TR2_GROUP_LINEAR | TR2_GROUP_MOTOR | TR2_GROUP_LIMIT |
              TR2_GROUP_FRICTION | TR2_GROUP_FORCES,
    .impulse_count = 5,
    .impulse_names = {"length", "motor", "lower", "upper", "friction"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_MOTOR, TR_ROLE_LIMIT, TR_ROLE_LIMIT, TR_ROLE_FRICTION},
    .is_featured = distance_is_featured,
    .measure = distance_measure,
    .equations = distance_equations,
    .reaction = distance_reaction,
    .has_unit_rows = true,
    .tie = TR_TIE_LENGTH,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { distance_plain_impulses = 1, distance_featured_impulses = 5, distance_is_common = true, distance_few_need = 0 };

enum {
    DISTANCE_N_X,
    DISTANCE_N_Y,
    DISTANCE_ARM_A,
    DISTANCE_ARM_B,
    DISTANCE_NOW,  /* |d| */
    DISTANCE_REST, /* L */
    DISTANCE_MASS, /* inverse of K, with the softness */
    DISTANCE_BASE,
    DISTANCE_SOFT = DISTANCE_BASE + BASE_COLUMNS,
    DISTANCE_LEAST = DISTANCE_SOFT + SOFT_COLUMNS, /* N s, bounds of the length row's impulse */
    DISTANCE_MOST,
    DISTANCE_FREE,
    distance_plain_columns = distance_plain_impulses + DISTANCE_SOFT,
    distance_featured_columns = distance_featured_impulses + DISTANCE_FREE + FREE_COLUMNS
};

static const freedom distance_freedom = {.motor = true, .limit = true, .friction = true};

TR_INLINE void distance_refresh(const tr2_kernel_context *k, float *c, const anchors *n, masses m, softness s)
{
    wf length = wf_sqrt(dot(n->d, n->d));
    wm known = wf_lt(wf_set(TR_KNOWN_LENGTH * k->unit), length);
    wf inverse = wf_inverse_or_zero(length);
    direction r;
    r.n.x = wf_select(known, n->d.x * inverse, get(c, DISTANCE_N_X));
    r.n.y = wf_select(known, n->d.y * inverse, get(c, DISTANCE_N_Y));
    r.arm_a = cross(n->ra, r.n);
    r.arm_b = cross(n->rb, r.n);
    put(c, DISTANCE_N_X, r.n.x);
    put(c, DISTANCE_N_Y, r.n.y);
    put(c, DISTANCE_ARM_A, r.arm_a);
    put(c, DISTANCE_ARM_B, r.arm_b);
    put(c, DISTANCE_NOW, length);
    put(c, DISTANCE_MASS, wf_inverse_or_zero(direction_k(m, r) + s.gamma));
}

TR_INLINE void distance_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                                float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? distance_featured_impulses : distance_plain_impulses);
    softness soft = softness_held(k, s->m);
    base_put(c, DISTANCE_BASE, s);
    put(c, DISTANCE_REST, field(f, TR2_FIELD_LENGTH, lane));
    if (featured) {
        soft = softness_field(k, s->m, f, TR2_FIELD_LINEAR_KIND, lane);
        softness_put(c, DISTANCE_SOFT, soft);
        spring_caps_put(k, f, lane, c, DISTANCE_LEAST);
        freedom_prepare(k, f, lane, distance_freedom, c, DISTANCE_FREE);
    }
    put(c, DISTANCE_N_X, s->c_a);
    put(c, DISTANCE_N_Y, s->s_a);
    anchors n = anchors_first(s);
    distance_refresh(k, c, &n, s->m, soft);
}

TR_INLINE void distance_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                              motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * (featured ? distance_featured_impulses : distance_plain_impulses);
    masses m = masses_get(c, DISTANCE_BASE);
    wf impulse = get(impulses, 0);
    softness s = featured ? softness_get(c, DISTANCE_SOFT) : softness_held(k, m);

    if (pass.refresh) {
        anchors n = anchors_now(c, DISTANCE_BASE, at);
        distance_refresh(k, c, &n, m, s);
    }
    if (!pass.biased)
        s = softness_relaxed(s);
    direction r = {{get(c, DISTANCE_N_X), get(c, DISTANCE_N_Y)}, get(c, DISTANCE_ARM_A), get(c, DISTANCE_ARM_B)};

    if (pass.warm_start) {
        if (featured)
            freedom_warm_start(a, b, m, distance_freedom, course_along(r), impulses, 1);
        direction_apply(a, b, m, r, impulse);
        return;
    }

    wf now = begun(k, pass, get(c, DISTANCE_NOW), direction_rate(a, b, r));
    if (featured)
        freedom_solve(k, pass, a, b, m, distance_freedom, course_along(r), now, c, DISTANCE_FREE, impulses, 1);

    wf error = now - get(c, DISTANCE_REST);
    wf change = soft_change_by(s, direction_rate(a, b, r), error, get(c, DISTANCE_MASS), impulse);
    if (featured)
        change = wf_clamp(impulse + change, get(c, DISTANCE_LEAST), get(c, DISTANCE_MOST)) - impulse;
    put(impulses, 0, impulse + change);
    direction_apply(a, b, m, r, change);
}

#endif

#ifdef TR_JOINT_LOOK

enum { distance_color = 0xc2410c }; /* 0xRRGGBB */

static bool is_spring(tr_softness softness)
{
    return softness.kind != TR_RIGID && softness.a > 0.0f;
}

static bool is_slack(tr_softness softness)
{
    return (softness.kind == TR_FREQUENCY && softness.a <= 0.0f) ||
           (softness.kind == TR_PHYSICAL && softness.a <= 0.0f && softness.b <= 0.0f);
}

/* a rod, a spring, or a rope that is dotted while slack */
static void draw_distance(joint_pen *pen)
{
    arms(pen);
    if (is_spring(pen->def->linear) && !pen->simple) {
        between(pen, MARK_SPRING, DASH_NONE, 0.0f);
    } else if (is_slack(pen->def->linear)) {
        float taut = pen->def->limit.enable ? 0.99f * pen->def->limit.upper : INFINITY;
        between(pen, MARK_ROPE, DASH_NONE, taut);
    } else {
        between(pen, MARK_LINE, DASH_NONE, 0.0f);
    }
    if (!pen->simple) {
        ring(pen, pen->body_a, pen->def->anchor_a, 0.45f * pen->glyph, 1.0f);
        ring(pen, pen->body_b, pen->def->anchor_b, 0.45f * pen->glyph, 1.0f);
    }
}

#endif
