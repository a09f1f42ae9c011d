/*
 * Distance: keeps the distance between two points.
 *
 *   C = |d| - L,  d = (pB + rB) - (pA + rA),  n = d / |d|
 *   J = (-n, -(a x n), n, rB x n)
 *   K = mA + mB + (a x n) . IA (a x n) + (rB x n) . IB (rB x n)
 *
 * Rigid (a rod) or soft (a spring; off at frequency 0). The free coordinate is the length, with motor and limits; with
 * an upper limit alone, the joint is a rope. If d vanishes, n is undefined and is A's x axis.
 */
#ifdef TR_JOINT_HOST

static bool distance_is_featured(const tr3_joint_def *def)
{
    return features_enabled(def) || !softness_is_rigid(def->linear) || def->spring_force.lower < 0.0f ||
           def->spring_force.upper > 0.0f;
}

static void distance_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
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

static void distance_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                              tr3_reaction *out)
{
    double length = measure_length(pose->d), scale = length > 0.0 ? 1.0 / length : 0.0;
    out->motor = impulse[1] * inv_h;
    out->lower = impulse[2] * inv_h;
    out->upper = -(impulse[3] * inv_h);
    out->friction = impulse[4] * inv_h;
    float held = impulse[0] * inv_h;
    out->spring = softness_is_rigid(def->linear) ? 0.0f : held;
    double force = (double)held + (double)out->motor + (double)out->lower + (double)out->upper + (double)out->friction;
    out->force = (tr_vec3){(float)(pose->d.x * scale * force), (float)(pose->d.y * scale * force),
                           (float)(pose->d.z * scale * force)};
}

static void distance_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    equations_distance(out, def, pose, measure_rotate(&pose->to_world, (tr_dvec3){1.0, 0.0, 0.0}));
}

static const tr3_joint_type_info distance_info = {
    .name = "distance",
    .spring_is = "`linear`",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_LENGTH | TR3_GROUP_LINEAR | TR3_GROUP_MOTOR | TR3_GROUP_LIMIT |
              TR3_GROUP_FRICTION | TR3_GROUP_FORCES,
    .impulse_count = 5,
    .impulse_names = {"length", "motor", "lower", "upper", "friction"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_MOTOR, TR_ROLE_LIMIT, TR_ROLE_LIMIT, TR_ROLE_FRICTION},
    .is_featured = distance_is_featured,
    .measure = distance_measure,
    .equations = distance_equations,
    .reaction = distance_reaction,
    .has_unit_rows = true,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { distance_plain_impulses = 1, distance_featured_impulses = 5, distance_is_common = true, distance_few_need = 0 };

enum {
    DISTANCE_BASE,
    DISTANCE_REST = DISTANCE_BASE + BASE_COLUMNS, /* L */
    DISTANCE_SOFT,
    DISTANCE_LEAST = DISTANCE_SOFT + SOFT_COLUMNS, /* N s, bounds of the length row's impulse */
    DISTANCE_MOST,
    DISTANCE_FREE,
    distance_plain_columns = distance_plain_impulses + DISTANCE_SOFT,
    distance_featured_columns = distance_featured_impulses + DISTANCE_FREE + FREE_COLUMNS
};

static const freedom distance_freedom = {.motor = true, .limit = true, .friction = true};

TR_INLINE void distance_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                                float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? distance_featured_impulses : distance_plain_impulses);
    base_put(c, DISTANCE_BASE, s);
    put(c, DISTANCE_REST, field(f, TR3_FIELD_LENGTH, lane));
    if (!featured)
        return;
    softness_put(c, DISTANCE_SOFT, softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane));
    spring_caps_put(k, f, lane, c, DISTANCE_LEAST);
    freedom_prepare(k, f, lane, distance_freedom, c, DISTANCE_FREE);
}

/* The direction between the anchors; some direction if there is none. `length`: between them. */
TR_INLINE w3 distance_along(const anchors *n, const pose_pair *at, wf length)
{
    const wf one = wf_set(1.0f);
    wm known = wf_lt(wf_set(1e-9f), length);
    if (__builtin_expect(wm_all(known), 1))
        return times(one / length, n->d);
    return w3_select(known, times(one / wf_select(known, length, one), n->d), axes_of(at->a.q).x);
}

TR_INLINE void distance_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                              motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * (featured ? distance_featured_impulses : distance_plain_impulses);
    const anchors n = anchors_now(c, DISTANCE_BASE, at);
    wf impulse = get(impulses, 0), length = wf_sqrt(dot(n.d, n.d));
    course r = course_of(&n.m, row_along(distance_along(&n, at, length), n.arm, n.rb));
    motions_late(pass, a, b);
    if (pass.warm_start) {
        if (featured)
            freedom_warm_start(a, b, n.m, distance_freedom, r, impulses, 1);
        free_apply(a, b, n.m, distance_freedom, r, impulse);
        return;
    }
    softness s = featured ? softness_get(c, DISTANCE_SOFT) : softness_held(k, n.m);
    if (!pass.biased)
        s = softness_relaxed(s);
    wf now = begun(k, pass, length, row_rate(a, b, &r.row));
    if (featured)
        freedom_solve(k, pass, a, b, n.m, distance_freedom, r, now, c, DISTANCE_FREE, impulses, 1);
    wf change = soft_change(s, row_rate(a, b, &r.row), now - get(c, DISTANCE_REST), r.k, impulse);
    if (featured)
        change = wf_clamp(impulse + change, get(c, DISTANCE_LEAST), get(c, DISTANCE_MOST)) - impulse;
    put(impulses, 0, impulse + change);
    free_apply(a, b, n.m, distance_freedom, r, change);
}

#endif

#ifdef TR_JOINT_LOOK

enum { distance_color = 0xc2410c }; /* 0xRRGGBB */

/* a line from anchor to anchor; a rope that is slack is dotted */
static void draw_distance(const joint_pen *pen)
{
    const tr_dvec3 a = anchor_a(pen), b = anchor_b(pen);
    const bool rope = pen->def->linear.kind == TR_FREQUENCY && pen->def->linear.a == 0.0f && pen->def->limit.enable;
    const tr_dvec3 apart = tr3_minus(b, a);
    arms(pen);
    line(pen, a, b, rope && sqrt(tr3_dot(apart, apart)) < (double)pen->def->limit.upper);
    if (!pen->simple) {
        dot(pen, a, 0.45 * pen->glyph);
        dot(pen, b, 0.45 * pen->glyph);
    }
}

#endif
