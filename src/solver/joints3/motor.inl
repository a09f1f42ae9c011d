/*
 * Motor: drives B toward a pose relative to A with limited force and torque: a point of B toward a point of A, and B's
 * rotation toward the reference.
 *
 *   C = d,                                    J = (-1, X(a), 1, -X(rB)),  X(r) w = r x w,  a = rA + d
 *   C = t, the rotation wanting (of a weld)   J = (0, -1, 0, 1)
 *   |impulse of d| <= h max_force,  |impulse of t| <= h max_torque
 *
 * Each is a block of three rows with its own softness, solved one after the other; a rigid one is a spring with the
 * world's joint frequency (space/kernels/capped.inl). d and t may be large; there is no position error.
 */
#ifdef TR_JOINT_HOST

static bool motor_is_featured(const tr3_joint_def *def)
{
    (void)def;
    return false;
}

static void motor_defaults(tr3_joint_def *def)
{
    def->linear = def->angular = tr_frequency(5.0f, 0.7f);
}

static void motor_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    /* exact as long as the limits of force do not act */
    out->energy =
        softness_energy(def->linear, measure_length(pose->d)) + softness_energy(def->angular, measure_turn(pose));
}

static void motor_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    view v = view_of_pose(pose);
    const uint32_t first = out->count;
    if (def->max_force > 0.0f)
        equations_point(out, &v, def->linear, TR_BLOCK_K, 0);
    if (def->max_torque > 0.0f)
        equations_rotation(out, pose, def->angular, TR_BLOCK_K, 3);
    for (uint32_t i = first; i < out->count; i++) {
        out->row[i].kind = TR_EQUATION_SPRING;
        out->row[i].most = (double)(out->row[i].linear ? def->max_force : def->max_torque);
        out->row[i].least = -out->row[i].most;
    }
}

static const tr3_joint_type_info motor_info = {
    .name = "motor",
    .spring_is = "`linear` and `angular`",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_REFERENCE | TR3_GROUP_LINEAR | TR3_GROUP_ANGULAR |
              TR_BIT(TR3_FIELD_MAX_FORCE) | TR_BIT(TR3_FIELD_MAX_TORQUE),
    .plain_fields = TR3_GROUP_LINEAR | TR3_GROUP_ANGULAR | TR_BIT(TR3_FIELD_MAX_FORCE) | TR_BIT(TR3_FIELD_MAX_TORQUE),
    .impulse_count = 6,
    .impulse_names = {"point.x", "point.y", "point.z", "rotation.x", "rotation.y", "rotation.z"},
    .set_defaults = motor_defaults,
    .is_featured = motor_is_featured,
    .measure = motor_measure,
    .equations = motor_equations,
    .reaction = measure_block,
    .reacts_by_impulses = true,
    .has_unit_rows = true,
};

#endif

#ifdef TR_JOINT_KERNEL

/* there are no optional features: both variants are the same */
enum { motor_plain_impulses = 6, motor_featured_impulses = 6, motor_is_common = false, motor_few_need = 0 };

enum {
    MOTOR_BASE,
    MOTOR_RELATION = MOTOR_BASE + BASE_COLUMNS,
    MOTOR_MOST = MOTOR_RELATION + 4, /* N s, N m s: greatest impulses */
    MOTOR_MOST_TURN,
    MOTOR_LINEAR,
    MOTOR_ANGULAR = MOTOR_LINEAR + SOFT_COLUMNS,
    motor_plain_columns = motor_plain_impulses + MOTOR_ANGULAR + SOFT_COLUMNS,
    motor_featured_columns = motor_plain_columns
};

TR_INLINE void motor_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                             float *impulses)
{
    (void)featured;
    float *c = impulses + TR_LANES * motor_plain_impulses;
    base_put(c, MOTOR_BASE, s);
    put4(c, MOTOR_RELATION, relation_of(s, f, lane));
    put(c, MOTOR_MOST, wf_set(k->h) * field(f, TR3_FIELD_MAX_FORCE, lane));
    put(c, MOTOR_MOST_TURN, wf_set(k->h) * field(f, TR3_FIELD_MAX_TORQUE, lane));
    softness_put(c, MOTOR_LINEAR, capped_softness(k, softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane)));
    softness_put(c, MOTOR_ANGULAR, capped_softness(k, softness_field(k, s->m, f, TR3_FIELD_ANGULAR_KIND, lane)));
}

TR_INLINE void motor_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                           motion *b, const pose_pair *at)
{
    (void)featured;
    float *c = impulses + TR_LANES * motor_plain_impulses;
    const anchors n = anchors_now(c, MOTOR_BASE, at);
    const w3 error = turned(at, get4(c, MOTOR_RELATION));
    motions_late(pass, a, b);
    if (pass.warm_start) {
        spin_apply(a, b, &n.m, get3(impulses, 3));
        point_apply(a, b, &n.m, n.arm, n.rb, get3(impulses, 0));
        return;
    }
    /* the rotation first, because the point's rows matter more and should hold better */
    capped_turn(k, pass, a, b, &n.m, error, softness_get(c, MOTOR_ANGULAR), get(c, MOTOR_MOST_TURN), impulses, 3);
    capped_point(k, pass, a, b, &n, softness_get(c, MOTOR_LINEAR), get(c, MOTOR_MOST), impulses, 0);
}

#endif

#ifdef TR_JOINT_LOOK

enum { motor_color = 0x00838f }; /* 0xRRGGBB */

/* a dotted line between the anchors, and a dot on B */
static void draw_motor(const joint_pen *pen)
{
    line(pen, anchor_a(pen), anchor_b(pen), true);
    dot(pen, anchor_b(pen), (pen->simple ? 0.4 : 0.5) * pen->glyph);
}

#endif
