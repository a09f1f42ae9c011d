/*
 * Target: pulls a point of B to a point of A with a spring of limited force.
 *
 *   C = d = (pB + rB) - (pA + rA)                  2 rows
 *   J = (-1, -X(a), 1, X(rB)),  X(r) = (-ry, rx),  a = rA + d
 *   K = (mA + mB) 1 + iA X(a) X(a)^T + iB X(rB) X(rB)^T      (m, i: inverse masses)
 *   |lambda| <= h max_force
 *
 * A rigid target is a spring with the world's joint frequency that is not relaxed: a spring with limited force must be
 * able to accelerate a body, and relaxing would remove the speed gained in every sub-step.
 *
 * d may be long. Both ends of the force act at B's anchor, so two moving bodies keep their angular momentum at any
 * distance. A target has no position error.
 */
#ifdef TR_JOINT_HOST

static bool target_is_featured(const tr2_joint_def *def)
{
    return !softness_is_rigid(def->linear);
}

static void target_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    /* exact as long as the force limit does not act */
    out->energy = softness_energy(def->linear, measure_length(pose->d));
}

static void target_reaction(const tr2_joint_def *def, const tr2_joint_pose *pose, const float *impulse, float inv_h,
                            tr2_reaction *out)
{
    (void)def;
    (void)pose;
    out->force.x = impulse[0] * inv_h;
    out->force.y = impulse[1] * inv_h;
}

static void target_set_defaults(tr2_joint_def *def)
{
    def->linear = tr_frequency(5.0f, 0.7f);
}

static void target_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    view v = view_of_pose(pose);
    uint32_t first = out->count;
    equations_point(out, &v, def->linear, TR_BLOCK_K, 0);
    for (uint32_t i = first; i < out->count; i++) {
        out->row[i].kind = TR_EQUATION_SPRING;
        out->row[i].most = (double)def->max_force;
        out->row[i].least = -out->row[i].most;
    }
}

static const tr2_joint_type_info target_info = {
    .name = "target",
    .spring_is = "`linear`",
    .fields = TR2_GROUP_ANCHORS | TR2_GROUP_LINEAR | TR_BIT(TR2_FIELD_MAX_FORCE),
    .plain_fields = TR_BIT(TR2_FIELD_MAX_FORCE),
    .impulse_count = 2,
    .impulse_names = {"point.x", "point.y"},
    .set_defaults = target_set_defaults,
    .is_featured = target_is_featured,
    .measure = target_measure,
    .equations = target_equations,
    .reaction = target_reaction,
    .reacts_by_impulses = true,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { target_plain_impulses = 2, target_featured_impulses = 2, target_is_common = false, target_few_need = 0 };

enum {
    TARGET_PIN,
    TARGET_D_X = TARGET_PIN + PIN_COLUMNS,
    TARGET_D_Y,
    TARGET_MOST, /* N s, greatest impulse */
    TARGET_BASE,
    TARGET_LINEAR = TARGET_BASE + BASE_COLUMNS,
    target_plain_columns = target_plain_impulses + TARGET_LINEAR,
    target_featured_columns = target_featured_impulses + TARGET_LINEAR + SOFT_COLUMNS
};

/* nothing takes back what it corrects too much, as with limits */
TR_INLINE softness target_unrelaxed(const tr2_kernel_context *k, softness s)
{
    wm rigid = wf_eq(s.keep, wf_zero());
    s = softness_with(s, k->limit);
    s.impulse_scale = wf_select(rigid, wf_set(1.0f) - s.mass_scale, s.impulse_scale);
    s.keep = wf_set(1.0f);
    return s;
}

TR_INLINE void target_refresh(float *c, const anchors *n, w2 error, masses m, softness s)
{
    pin_put(c, TARGET_PIN, pin_of(n, m, s.gamma));
    put(c, TARGET_D_X, error.x);
    put(c, TARGET_D_Y, error.y);
}

TR_INLINE void target_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                              float *impulses)
{
    float *c = impulses + TR_LANES * target_plain_impulses;
    softness linear = target_unrelaxed(k, softness_rigid(k));
    base_put(c, TARGET_BASE, s);
    put(c, TARGET_MOST, wf_set(k->h) * field(f, TR2_FIELD_MAX_FORCE, lane));
    if (featured) {
        linear = target_unrelaxed(k, softness_field(k, s->m, f, TR2_FIELD_LINEAR_KIND, lane));
        softness_put(c, TARGET_LINEAR, linear);
    }
    anchors n = anchors_first(s);
    target_refresh(c, &n, n.d, s->m, linear);
}

TR_INLINE void target_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                            motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * target_plain_impulses;
    masses m = masses_get(c, TARGET_BASE);
    w2 p = {get(impulses, 0), get(impulses, 1)};
    softness s = featured ? softness_get(c, TARGET_LINEAR) : target_unrelaxed(k, softness_rigid(k));

    if (pass.refresh) {
        anchors n = anchors_now(c, TARGET_BASE, at);
        target_refresh(c, &n, point_error(k, pass, a, b, &n), m, s);
    }
    pin held = pin_get(c, TARGET_PIN);
    w2 ra = held.ra, rb = held.rb;
    if (pass.warm_start) {
        point_apply(a, b, m, ra, rb, p);
        return;
    }

    w2 rate = point_rate(a, b, ra, rb), d = {get(c, TARGET_D_X), get(c, TARGET_D_Y)};
    w2 change = point_soft_change(held.inverse, s, rate, d, p);
    change = point_capped_change(change, p, get(c, TARGET_MOST));
    put(impulses, 0, p.x + change.x);
    put(impulses, 1, p.y + change.y);
    point_apply(a, b, m, ra, rb, change);
}

#endif

#ifdef TR_JOINT_LOOK

enum { target_color = 0xd81b60 }; /* 0xRRGGBB */

/* a cross at the target, and a line to the anchor of B */
static void draw_target(joint_pen *pen)
{
    between(pen, MARK_LINE, DASH_DASHED, 0.0f);
    if (!pen->simple) {
        tr_vec2 at = pen->def->anchor_a;
        float h = 0.7f * pen->glyph;
        line_on(pen, pen->body_a, (tr_vec2){at.x - h, at.y}, (tr_vec2){at.x + h, at.y});
        line_on(pen, pen->body_a, (tr_vec2){at.x, at.y - h}, (tr_vec2){at.x, at.y + h});
        ring(pen, pen->body_b, pen->def->anchor_b, 0.45f * pen->glyph, 1.0f);
    }
}

#endif
