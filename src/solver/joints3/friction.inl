/*
 * Friction: brakes a point of B against A, and B's rotation relative to A, with limited force and torque.
 *
 *   rate of d = 0 in A's rotating frame             3 rows: J = (-1, X(a), 1, -X(rB)),  X(r) w = r x w,  a = rA + d
 *   relative rotation rate = 0                      3 rows: J = (0, -1, 0, 1)
 *   |impulse of d| <= h max_force,  |impulse of the rotation| <= h max_torque
 *
 * The arm a ends at B's anchor, where both ends of the force act, so a body that rotates with A is at rest. The bounds
 * are on the lengths of force and torque, so friction is the same in all directions. There is no position error.
 */
#ifdef TR_JOINT_HOST

static bool friction_is_featured(const tr3_joint_def *def)
{
    (void)def;
    return false;
}

static void friction_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    /* no position error, and no energy is stored */
    (void)def;
    (void)pose;
    (void)out;
}

static void friction_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    view v = view_of_pose(pose);
    if (def->max_force > 0.0f) {
        uint32_t first = out->count;
        equations_point(out, &v, tr_rigid(), TR_BLOCK_K, 0);
        equations_rub(out, first, def->max_force);
    }
    if (def->max_torque > 0.0f) {
        uint32_t first = out->count;
        equations_rotation(out, pose, tr_rigid(), TR_BLOCK_K, 3);
        equations_rub(out, first, def->max_torque);
    }
}

static const tr3_joint_type_info friction_info = {
    .name = "friction",
    .fields = TR3_GROUP_ANCHORS | TR_BIT(TR3_FIELD_MAX_FORCE) | TR_BIT(TR3_FIELD_MAX_TORQUE),
    .plain_fields = TR_BIT(TR3_FIELD_MAX_FORCE) | TR_BIT(TR3_FIELD_MAX_TORQUE),
    .impulse_count = 6,
    .impulse_names = {"point.x", "point.y", "point.z", "rotation.x", "rotation.y", "rotation.z"},
    .is_featured = friction_is_featured,
    .measure = friction_measure,
    .equations = friction_equations,
    .reaction = measure_block,
    .reacts_by_impulses = true,
    .has_unit_rows = true,
};

#endif

#ifdef TR_JOINT_KERNEL

/* there are no optional features: both variants are the same */
enum { friction_plain_impulses = 6, friction_featured_impulses = 6, friction_is_common = false, friction_few_need = 0 };

enum {
    FRICTION_BASE,
    FRICTION_MOST = FRICTION_BASE + BASE_COLUMNS, /* N s, N m s: greatest impulses */
    FRICTION_MOST_TURN,
    friction_plain_columns = friction_plain_impulses + FRICTION_MOST_TURN + 1,
    friction_featured_columns = friction_plain_columns
};

TR_INLINE void friction_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                                float *impulses)
{
    (void)featured;
    float *c = impulses + TR_LANES * friction_plain_impulses;
    base_put(c, FRICTION_BASE, s);
    put(c, FRICTION_MOST, wf_set(k->h) * field(f, TR3_FIELD_MAX_FORCE, lane));
    put(c, FRICTION_MOST_TURN, wf_set(k->h) * field(f, TR3_FIELD_MAX_TORQUE, lane));
}

TR_INLINE void friction_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                              motion *b, const pose_pair *at)
{
    (void)featured;
    float *c = impulses + TR_LANES * friction_plain_impulses;
    const anchors n = anchors_now(c, FRICTION_BASE, at);
    motions_late(pass, a, b);
    if (pass.warm_start) {
        spin_apply(a, b, &n.m, get3(impulses, 3));
        point_apply(a, b, &n.m, n.arm, n.rb, get3(impulses, 0));
        return;
    }
    const softness s = softness_brake();
    /* the rotation first, because the point's rows matter more and should hold better */
    capped_turn(k, pass, a, b, &n.m, w3_zero(), s, get(c, FRICTION_MOST_TURN), impulses, 3);
    capped_point(k, pass, a, b, &n, s, get(c, FRICTION_MOST), impulses, 0);
}

#endif

#ifdef TR_JOINT_LOOK

enum { friction_color = 0x8d6e63 }; /* 0xRRGGBB */

/* a ring where B rubs on A */
static void draw_friction(const joint_pen *pen)
{
    line(pen, anchor_a(pen), anchor_b(pen), true);
    dot(pen, anchor_b(pen), 0.6 * pen->glyph);
}

#endif
