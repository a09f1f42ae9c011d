/*
 * Angle: couples the angle of B to a multiple of A's.
 *
 *   C = angleB - ratio angleA - reference, unwrapped
 *   J = (0, -ratio, 0, 1)
 *   K = iB + ratio back iA      (i: inverse inertias)
 *
 * An impulse lambda acts as lambda on B and as -back lambda on A. With back = ratio it acts along J^T, so no power is
 * lost, as in a gear whose bearings take the difference of the two torques. With equal_torque, back = 1: the pair keeps
 * its angular momentum, and if the ratio is not 1 the joint does work.
 *
 * Rigid or soft (off at frequency 0). The same angle is the free coordinate: spring, motor, limit, friction.
 */
#ifdef TR_JOINT_HOST

static bool angle_is_featured(const tr2_joint_def *def)
{
    return features_enabled(def) || !softness_is_rigid(def->angular);
}

static void angle_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    out->angular_rigid = softness_is_rigid(def->angular) || def->limit.enable;
    out->angular_error = (float)limit_violation(&def->limit, pose->angle);
    if (softness_is_rigid(def->angular) && (float)fabs(pose->angle) > out->angular_error)
        out->angular_error = (float)fabs(pose->angle);
    out->coordinate = (float)pose->angle;
    out->rate = (float)pose->angle_rate;
    out->energy = softness_energy(def->angular, pose->angle) + spring_energy(&def->spring, pose->angle);
}

static void angle_reaction(const tr2_joint_def *def, const tr2_joint_pose *pose, const float *impulse, float inv_h,
                           tr2_reaction *out)
{
    (void)def;
    (void)pose;
    out->torque = impulse[0] * inv_h + features_reaction(impulse, 1, inv_h, out);
}

static void angle_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    tr2_equation row = equation_angle(pose->angle, pose->angle_rate, (double)def->ratio);
    row.bent = def->equal_torque && def->ratio != 1.0f;
    out->incomplete = out->incomplete || row.bent;
    equations_hold(out, row, def->angular, 0);
    equations_free(out, row, def, 1);
}

static const tr2_joint_type_info angle_info = {
    .name = "angle",
    .fields = TR2_GROUP_REFERENCE | TR2_GROUP_ANGULAR | TR2_GROUP_SPRING | TR2_GROUP_MOTOR | TR2_GROUP_LIMIT |
              TR2_GROUP_FRICTION | TR2_GROUP_RATIO | TR_BIT(TR2_FIELD_EQUAL_TORQUE),
    .plain_fields = TR_BIT(TR2_FIELD_EQUAL_TORQUE),
    .impulse_count = 6,
    .impulse_names = {"angle", "spring", "motor", "lower", "upper", "friction"},
    .impulse_roles = {TR_ROLE_ROW, FEATURE_ROLES},
    .has_angle = true,
    .is_featured = angle_is_featured,
    .measure = angle_measure,
    .equations = angle_equations,
    .reaction = angle_reaction,
    .reacts_by_impulses = true,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { angle_plain_impulses = 1, angle_featured_impulses = 6, angle_is_common = false, angle_few_need = 0 };

enum {
    ANGLE_II_A,
    ANGLE_II_B,
    ANGLE_RATIO,
    ANGLE_BACK,
    ANGLE_MASS,  /* inverse of K, with the softness: constant during the step */
    ANGLE_FIRST, /* C at the start of the step */
    ANGLE_NOW,
    ANGLE_ANGULAR,
    ANGLE_FREE = ANGLE_ANGULAR + SOFT_COLUMNS,
    angle_plain_columns = angle_plain_impulses + ANGLE_ANGULAR,
    angle_featured_columns = angle_featured_impulses + ANGLE_FREE + FREE_COLUMNS
};

static const freedom angle_freedom = {.geared = true, .spring = true, .motor = true, .limit = true, .friction = true};

/* inverse inertias take the place of inverse masses */
TR_INLINE masses angle_masses(masses m)
{
    masses r = {m.ii_a, m.ii_a, m.ii_b, m.ii_b};
    return r;
}

TR_INLINE void angle_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                             float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? angle_featured_impulses : angle_plain_impulses);
    softness angular = softness_held(k, angle_masses(s->m));
    if (featured) {
        angular = softness_field(k, angle_masses(s->m), f, TR2_FIELD_ANGULAR_KIND, lane);
        softness_put(c, ANGLE_ANGULAR, angular);
        freedom_prepare(k, f, lane, angle_freedom, c, ANGLE_FREE);
    }
    wf ratio = field(f, TR2_FIELD_RATIO, lane);
    wm equal = wf_lt(wf_zero(), field(f, TR2_FIELD_EQUAL_TORQUE, lane));
    gearing g = {ratio, wf_select(equal, wf_set(1.0f), ratio)};
    put(c, ANGLE_II_A, s->m.ii_a);
    put(c, ANGLE_II_B, s->m.ii_b);
    put(c, ANGLE_RATIO, g.ratio);
    put(c, ANGLE_BACK, g.back);
    put(c, ANGLE_MASS, wf_inverse_or_zero(gearing_k(s->m, g) + angular.gamma));
    put(c, ANGLE_FIRST, s->angle);
    put(c, ANGLE_NOW, s->angle);
}

TR_INLINE void angle_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                           motion *b, const pose_pair *at)
{
    (void)at;
    float *c = impulses + TR_LANES * (featured ? angle_featured_impulses : angle_plain_impulses);
    masses m = {wf_zero(), get(c, ANGLE_II_A), wf_zero(), get(c, ANGLE_II_B)};
    gearing g = {get(c, ANGLE_RATIO), get(c, ANGLE_BACK)};
    wf impulse = get(impulses, 0);
    softness s = featured ? softness_get(c, ANGLE_ANGULAR) : softness_held(k, angle_masses(m));

    if (pass.refresh)
        put(c, ANGLE_NOW, get(c, ANGLE_FIRST) + (b->angle - g.ratio * a->angle));
    if (!pass.biased)
        s = softness_relaxed(s);
    if (pass.warm_start) {
        if (featured)
            freedom_warm_start(a, b, m, angle_freedom, course_geared(g), impulses, 1);
        gearing_apply(a, b, m, g, impulse);
        return;
    }

    wf now = begun(k, pass, get(c, ANGLE_NOW), gearing_rate(a, b, g));
    if (featured)
        freedom_solve(k, pass, a, b, m, angle_freedom, course_geared(g), now, c, ANGLE_FREE, impulses, 1);

    wf change = soft_change_by(s, gearing_rate(a, b, g), now, get(c, ANGLE_MASS), impulse);
    put(impulses, 0, impulse + change);
    gearing_apply(a, b, m, g, change);
}

#endif

#ifdef TR_JOINT_LOOK

enum { angle_color = 0xb71c1c }; /* 0xRRGGBB */

/* a belt between the centres, and on each body a spoke that shows its rotation; none on a static body, which has no
   centre */
static void draw_angle(joint_pen *pen)
{
    const tr_vec2 centers[2] = {pen->center_a, pen->center_b};
    const uint32_t body[2] = {pen->body_a, pen->body_b};
    const bool turns[2] = {pen->at_a->type != TR_STATIC, pen->at_b->type != TR_STATIC};
    const bool belted = turns[0] == turns[1];
    if (belted) {
        mark belt = joint_mark(pen, MARK_LINE, pen->body_a, pen->body_b);
        belt.dash = DASH_DASHED;
        drawing_add(pen->drawing, belt, centers, 2);
    }
    for (int k = 0; k < 2; ++k) {
        if (turns[k] && !pen->simple) {
            ring(pen, body[k], centers[k], pen->glyph, 0.0f);
        }
        if (turns[k] && !(pen->simple && belted)) {
            line_on(pen, body[k], centers[k], (tr_vec2){centers[k].x + pen->glyph, centers[k].y});
        }
    }
}

#endif
