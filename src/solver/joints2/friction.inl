/*
 * Friction: holds a point of B against A, seen from above, with limited force and torque.
 *
 *   rate of d = 0 in A's rotating frame             2 rows: J = (-1, -X(a), 1, X(rB)),  X(r) = (-ry, rx),  a = rA + d
 *   rate of the angle = 0                           1 row:  J = (0, -1, 0, 1)
 *   |impulse of d| <= h max_force, |impulse of the angle| <= h max_torque
 *
 * The arm a ends at B's anchor, where both ends of the force act: B rubs on that point of A, however far it is from A's
 * anchor, and a body that rotates with A is at rest. The limit is on the length of the force vector, so friction is the
 * same in all directions. There is no position error.
 *
 * This is Coulomb's law for a puck on a table, with bounds on the accumulated impulses.
 */
#ifdef TR_JOINT_HOST

static bool friction_is_featured(const tr2_joint_def *def)
{
    (void)def;
    return false;
}

static void friction_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    /* a friction joint has no position error and stores no energy */
    (void)def;
    (void)pose;
    (void)out;
}

static void friction_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    view v = view_of_pose(pose);
    if (def->drive.max_force > 0.0f) {
        uint32_t first = out->count;
        equations_point(out, &v, tr_rigid(), TR_BLOCK_K, 0);
        equations_rub(out, first, def->drive.max_force);
    }
    equations_friction(out, equation_turn(pose), def->drive.max_torque, 2);
}

static const tr2_joint_type_info friction_info = {
    .name = "friction",
    .fields = TR2_GROUP_ANCHORS | TR_BIT(TR2_FIELD_DRIVE_MAX_FORCE) | TR_BIT(TR2_FIELD_DRIVE_MAX_TORQUE),
    .impulse_count = 3,
    .impulse_names = {"point.x", "point.y", "angle"},
    .is_featured = friction_is_featured,
    .measure = friction_measure,
    .equations = friction_equations,
    .reaction = block_reaction,
    .reacts_by_impulses = true,
    .has_unit_rows = true,
};

#endif

#ifdef TR_JOINT_KERNEL

/* there are no optional features: both variants are the same */
enum { friction_plain_impulses = 3, friction_featured_impulses = 3, friction_is_common = false, friction_few_need = 0 };

enum {
    FRICTION_PIN,
    FRICTION_MOST = FRICTION_PIN + PIN_COLUMNS, /* N s, greatest impulse */
    FRICTION_MOST_TWIST,                        /* N m s */
    FRICTION_BASE,
    friction_plain_columns = friction_plain_impulses + FRICTION_BASE + BASE_COLUMNS,
    friction_featured_columns = friction_plain_columns
};

TR_INLINE void friction_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                                float *impulses)
{
    (void)featured;
    float *c = impulses + TR_LANES * friction_plain_impulses;
    const wf h = wf_set(k->h);
    base_put(c, FRICTION_BASE, s);
    put(c, FRICTION_MOST, h * field(f, TR2_FIELD_DRIVE_MAX_FORCE, lane));
    put(c, FRICTION_MOST_TWIST, h * field(f, TR2_FIELD_DRIVE_MAX_TORQUE, lane));
    anchors n = anchors_first(s);
    pin_put(c, FRICTION_PIN, pin_of(&n, s->m, wf_zero()));
}

TR_INLINE void friction_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                              motion *b, const pose_pair *at)
{
    (void)k;
    (void)featured;
    float *c = impulses + TR_LANES * friction_plain_impulses;
    masses m = masses_get(c, FRICTION_BASE);
    w2 p = {get(impulses, 0), get(impulses, 1)};
    wf torque = get(impulses, 2);

    if (pass.refresh) {
        anchors n = anchors_now(c, FRICTION_BASE, at);
        pin_put(c, FRICTION_PIN, pin_of(&n, m, wf_zero()));
    }
    pin held = pin_get(c, FRICTION_PIN);
    w2 ra = held.ra, rb = held.rb;
    if (pass.warm_start) {
        angle_apply(a, b, m, torque);
        point_apply(a, b, m, ra, rb, p);
        return;
    }

    /* solve the angle first, because the point's rows matter more and should hold better */
    wf twist = wf_inverse_or_zero(m.ii_a + m.ii_b) * (a->w - b->w);
    twist = capped_change(twist, torque, get(c, FRICTION_MOST_TWIST));
    put(impulses, 2, torque + twist);
    angle_apply(a, b, m, twist);

    /* then the point, with the updated velocities; both rows together, so that the limit is on their length */
    w2 rate = point_rate(a, b, ra, rb), against = {-rate.x, -rate.y};
    w2 change = sym2_times(held.inverse, against);
    change = point_capped_change(change, p, get(c, FRICTION_MOST));
    put(impulses, 0, p.x + change.x);
    put(impulses, 1, p.y + change.y);
    point_apply(a, b, m, ra, rb, change);
}

#endif

#ifdef TR_JOINT_LOOK

enum { friction_color = 0x8d6e63 }; /* 0xRRGGBB */

/* where B rubs on A: a pad with three strokes under it, on the body that moves if the other is the ground */
static void draw_friction(joint_pen *pen)
{
    if (pen->simple && (pen->ground_a || pen->ground_b)) {
        push(pen, (tr_vec2){0.0f, 0.0f});
        return;
    }
    if (pen->simple) {
        between(pen, MARK_LINE, DASH_DASHED, 0.0f);
        return;
    }
    uint32_t body = pen->ground_b ? pen->body_a : pen->body_b;
    tr_vec2 at = pen->ground_b ? pen->def->anchor_a : pen->def->anchor_b;
    float r = 0.55f * pen->glyph;
    ring(pen, body, at, r, 0.35f);
    for (int i = -1; i <= 1; i++) {
        float y = at.y + 0.45f * r * (float)i, half = i == 0 ? 0.8f * r : 0.6f * r;
        line_on(pen, body, (tr_vec2){at.x - half, y}, (tr_vec2){at.x + half, y});
    }
}

#endif
