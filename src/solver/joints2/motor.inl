/*
 * Motor: drives a point of B relative to A, and B's angle, with limited force and torque; with velocity 0 it is a
 * brake.
 *
 *   velocity: rate of d = R_A velocity,           rate of angle = angular_velocity
 *   position: C = d - R_A offset,                 C = angle - angular_offset,   held with a softness
 *   |impulse of d| <= h max_force, |impulse of the angle| <= h max_torque
 *
 * The rate of d is that in A's rotating frame: J = (-1, -X(rA + d), 1, X(rB)) and (0, -1, 0, 1). So a body that rotates
 * with A is at rest, and both ends of the force act at B's anchor, which conserves angular momentum at any distance.
 */
#ifdef TR_JOINT_HOST

static bool motor_is_featured(const tr2_joint_def *def)
{
    return def->drive.position;
}

static void motor_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    /* rows with limited force have no error; the spring's energy is exact as long as the limits do not act */
    if (!def->drive.position)
        return;
    const tr_vec2 o = def->drive.offset;
    tr_dvec2 c = {pose->d.x - (pose->c_a * (double)o.x - pose->s_a * (double)o.y),
                  pose->d.y - (pose->s_a * (double)o.x + pose->c_a * (double)o.y)};
    out->energy = softness_energy(def->drive.softness, measure_length(c)) +
                  softness_energy(def->drive.softness, pose->angle - (double)def->drive.angular_offset);
}

static void motor_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    const tr2_drive *drive = &def->drive;
    const bool springs = drive->position && !softness_is_rigid(drive->softness);
    /* the velocity is that of B relative to A, in A's axes */
    const double c = pose->c_a, s = pose->s_a, x = (double)drive->velocity.x, y = (double)drive->velocity.y;
    const double speed[3] = {drive->position ? 0.0 : c * x - s * y, drive->position ? 0.0 : s * x + c * y,
                             drive->position ? 0.0 : (double)drive->angular_velocity};
    view v = view_of_pose(pose);
    if (drive->position) {
        const tr_vec2 o = drive->offset;
        v.d.x -= pose->c_a * (double)o.x - pose->s_a * (double)o.y;
        v.d.y -= pose->s_a * (double)o.x + pose->c_a * (double)o.y;
    }
    uint32_t first = out->count;
    if (drive->max_force > 0.0f)
        equations_point(out, &v, drive->softness, TR_BLOCK_K, 0);
    if (drive->max_torque > 0.0f)
        equations_hold(out, equation_angle(pose->angle - (double)drive->angular_offset, pose->angle_rate, 1.0),
                       drive->softness, 2);
    for (uint32_t i = first; i < out->count; i++) {
        tr2_equation *row = &out->row[i];
        *row = equation_driven(*row, speed[row->column], (double)(row->linear ? drive->max_force : drive->max_torque));
        if (springs)
            row->kind = TR_EQUATION_SPRING;
        row->placed = drive->position;
    }
}

static const tr2_joint_type_info motor_info = {
    .name = "motor",
    .spring_is = "`drive`",
    .fields = TR2_GROUP_ANCHORS | TR2_GROUP_DRIVE,
    .impulse_count = 3,
    .impulse_names = {"point.x", "point.y", "angle"},
    .has_angle = true,
    .is_featured = motor_is_featured,
    .measure = motor_measure,
    .equations = motor_equations,
    .reaction = block_reaction,
    .reacts_by_impulses = true,
    .has_unit_rows = true,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { motor_plain_impulses = 3, motor_featured_impulses = 3, motor_is_common = false, motor_few_need = 0 };

enum {
    MOTOR_PIN,
    MOTOR_TARGET_X = MOTOR_PIN + PIN_COLUMNS, /* velocity or offset, in world axes at the start of the step */
    MOTOR_TARGET_Y,
    MOTOR_TARGET_ANGLE,
    MOTOR_GOAL_X, /* now: desired rate of d, or the position error */
    MOTOR_GOAL_Y,
    MOTOR_MAX_IMPULSE,
    MOTOR_MAX_TWIST,
    MOTOR_BASE,
    motor_plain_columns = motor_plain_impulses + MOTOR_BASE + BASE_COLUMNS,
    /* position mode: the angle at the start of the step, and the softness */
    MOTOR_ANGLE = MOTOR_BASE + BASE_COLUMNS,
    MOTOR_SOFT,
    motor_featured_columns = motor_featured_impulses + MOTOR_SOFT + SOFT_COLUMNS
};

/* `c_a`, `s_a`: rotation of A since the start of the step */
TR_INLINE void motor_refresh(float *c, bool position, const anchors *n, w2 error, masses m, softness s, wf c_a, wf s_a)
{
    pin_put(c, MOTOR_PIN, pin_of(n, m, s.gamma));
    /* the target rotates with A */
    w2 target = {get(c, MOTOR_TARGET_X), get(c, MOTOR_TARGET_Y)};
    target = rotate(c_a, s_a, target);
    if (position) {
        target.x = error.x - target.x;
        target.y = error.y - target.y;
    }
    put(c, MOTOR_GOAL_X, target.x);
    put(c, MOTOR_GOAL_Y, target.y);
}

TR_INLINE void motor_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                             float *impulses)
{
    float *c = impulses + TR_LANES * motor_plain_impulses;
    const wf h = wf_set(k->h);
    softness soft = softness_held(k, s->m);
    base_put(c, MOTOR_BASE, s);
    put(c, MOTOR_MAX_IMPULSE, h * field(f, TR2_FIELD_DRIVE_MAX_FORCE, lane));
    put(c, MOTOR_MAX_TWIST, h * field(f, TR2_FIELD_DRIVE_MAX_TORQUE, lane));
    int x = featured ? TR2_FIELD_DRIVE_OFFSET_X : TR2_FIELD_DRIVE_VELOCITY_X;
    w2 target = {field(f, x, lane), field(f, x + 1, lane)};
    target = rotate(s->c_a, s->s_a, target);
    put(c, MOTOR_TARGET_X, target.x);
    put(c, MOTOR_TARGET_Y, target.y);
    put(c, MOTOR_TARGET_ANGLE,
        field(f, featured ? TR2_FIELD_DRIVE_ANGULAR_OFFSET : TR2_FIELD_DRIVE_ANGULAR_VELOCITY, lane));
    if (featured) {
        soft = softness_field(k, s->m, f, TR2_FIELD_DRIVE_KIND, lane);
        softness_put(c, MOTOR_SOFT, soft);
        put(c, MOTOR_ANGLE, s->angle);
    } else {
        soft.gamma = wf_zero();
    }
    anchors n = anchors_first(s);
    motor_refresh(c, featured, &n, n.d, s->m, soft, wf_set(1.0f), wf_zero());
}

TR_INLINE void motor_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                           motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * motor_plain_impulses;
    masses m = masses_get(c, MOTOR_BASE);
    w2 p = {get(impulses, 0), get(impulses, 1)};
    wf torque = get(impulses, 2);
    softness s = featured ? softness_get(c, MOTOR_SOFT) : softness_held(k, m);

    if (pass.refresh) {
        anchors n = anchors_now(c, MOTOR_BASE, at);
        motor_refresh(c, featured, &n, point_error(k, pass, a, b, &n), m, s, at->a.c, at->a.s);
    }
    if (!pass.biased)
        s = softness_relaxed(s);
    pin held = pin_get(c, MOTOR_PIN);
    w2 ra = held.ra, rb = held.rb;

    if (pass.warm_start) {
        angle_apply(a, b, m, torque);
        point_apply(a, b, m, ra, rb, p);
        return;
    }

    /* solve the angle first, because the point's rows matter more and should hold better */
    wf most_twist = get(c, MOTOR_MAX_TWIST), inverse_inertia = m.ii_a + m.ii_b;
    wf turn = b->w - a->w, twist;
    if (featured) {
        wf angle = get(c, MOTOR_ANGLE) + turned(k, pass, a, b) - get(c, MOTOR_TARGET_ANGLE);
        twist = soft_change(s, turn, angle, inverse_inertia, torque);
    } else {
        twist = wf_inverse_or_zero(inverse_inertia) * (get(c, MOTOR_TARGET_ANGLE) - turn);
    }
    /* drop values that are not finite before clamping, which would turn them into the limit */
    twist = wf_clamp(torque + sane(twist), -most_twist, most_twist) - torque;
    put(impulses, 2, torque + twist);
    angle_apply(a, b, m, twist);

    w2 rate = point_rate(a, b, ra, rb), goal = {get(c, MOTOR_GOAL_X), get(c, MOTOR_GOAL_Y)};
    w2 change;
    if (featured) {
        change = point_soft_change(held.inverse, s, rate, goal, p);
    } else {
        rate.x = goal.x - rate.x;
        rate.y = goal.y - rate.y;
        change = sym2_times(held.inverse, rate);
    }
    change = point_capped_change(change, p, get(c, MOTOR_MAX_IMPULSE));
    put(impulses, 0, p.x + change.x);
    put(impulses, 1, p.y + change.y);
    point_apply(a, b, m, ra, rb, change);
}

#endif

#ifdef TR_JOINT_LOOK

enum { motor_color = 0x00838f }; /* 0xRRGGBB */

/* a line between the anchors; from the ground, an arrow on the body that is pushed */
static void draw_motor(joint_pen *pen)
{
    if (pen->ground_a || pen->ground_b) {
        push(pen, pen->def->drive.velocity);
        return;
    }
    between(pen, MARK_LINE, DASH_DASHED, 0.0f);
    if (!pen->simple) {
        ring(pen, pen->body_b, pen->def->anchor_b, 0.45f * pen->glyph, 1.0f);
    }
}

#endif
