/*
 * Target: pulls a point of B to a point of A with a spring of limited force: a body that is dragged.
 *
 *   C = d = (pB + rB) - (pA + rA)                  3 rows
 *   J = (-1, X(a), 1, -X(rB)),  X(r) w = r x w,  a = rA + d
 *   |lambda| <= h max_force
 *
 * d may be long. Both ends of the force act at B's anchor, so two moving bodies keep their angular momentum at any
 * distance. A rigid target is a spring with the world's joint frequency (space/kernels/capped.inl). There is no
 * position error.
 */
#ifdef TR_JOINT_HOST

static bool target_is_featured(const tr3_joint_def *def)
{
    (void)def;
    return false;
}

static void target_defaults(tr3_joint_def *def)
{
    def->linear = tr_frequency(5.0f, 0.7f);
}

static void target_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    /* exact as long as the limit of force does not act */
    out->energy = softness_energy(def->linear, measure_length(pose->d));
}

static void target_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                            tr3_reaction *out)
{
    (void)def;
    (void)pose;
    out->force = measure_force(impulse, 0, inv_h);
}

static void target_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    view v = view_of_pose(pose);
    const uint32_t first = out->count;
    if (def->max_force > 0.0f)
        equations_point(out, &v, def->linear, TR_BLOCK_K, 0);
    for (uint32_t i = first; i < out->count; i++) {
        out->row[i].kind = TR_EQUATION_SPRING;
        out->row[i].most = (double)def->max_force;
        out->row[i].least = -out->row[i].most;
    }
}

static const tr3_joint_type_info target_info = {
    .name = "target",
    .spring_is = "`linear`",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_LINEAR | TR_BIT(TR3_FIELD_MAX_FORCE),
    .plain_fields = TR3_GROUP_LINEAR | TR_BIT(TR3_FIELD_MAX_FORCE),
    .impulse_count = 3,
    .impulse_names = {"point.x", "point.y", "point.z"},
    .set_defaults = target_defaults,
    .is_featured = target_is_featured,
    .measure = target_measure,
    .equations = target_equations,
    .reaction = target_reaction,
    .reacts_by_impulses = true,
    .has_unit_rows = true,
};

#endif

#ifdef TR_JOINT_KERNEL

/* there are no optional features: both variants are the same */
enum { target_plain_impulses = 3, target_featured_impulses = 3, target_is_common = false, target_few_need = 0 };

enum {
    TARGET_BASE,
    TARGET_MOST = TARGET_BASE + BASE_COLUMNS, /* N s, greatest impulse */
    TARGET_LINEAR,
    target_plain_columns = target_plain_impulses + TARGET_LINEAR + SOFT_COLUMNS,
    target_featured_columns = target_plain_columns
};

TR_INLINE void target_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                              float *impulses)
{
    (void)featured;
    float *c = impulses + TR_LANES * target_plain_impulses;
    base_put(c, TARGET_BASE, s);
    put(c, TARGET_MOST, wf_set(k->h) * field(f, TR3_FIELD_MAX_FORCE, lane));
    softness_put(c, TARGET_LINEAR, capped_softness(k, softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane)));
}

TR_INLINE void target_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                            motion *b, const pose_pair *at)
{
    (void)featured;
    float *c = impulses + TR_LANES * target_plain_impulses;
    const anchors n = anchors_now(c, TARGET_BASE, at);
    motions_late(pass, a, b);
    if (pass.warm_start)
        point_apply(a, b, &n.m, n.arm, n.rb, get3(impulses, 0));
    else
        capped_point(k, pass, a, b, &n, softness_get(c, TARGET_LINEAR), get(c, TARGET_MOST), impulses, 0);
}

#endif

#ifdef TR_JOINT_LOOK

enum { target_color = 0xd81b60 }; /* 0xRRGGBB */

/* a dotted line from the point to where it is pulled, and dots on both */
static void draw_target(const joint_pen *pen)
{
    line(pen, anchor_a(pen), anchor_b(pen), true);
    dot(pen, anchor_a(pen), 0.4 * pen->glyph);
    dot(pen, anchor_b(pen), 0.5 * pen->glyph);
}

#endif
