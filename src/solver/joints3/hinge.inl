/*
 * Hinge: holds a point of B at a point of A, and the axes of both together; B rotates about the axis.
 *
 *   C = (d, b1 . t, b2 . t),  t = xA x xB: the axes' cross product, and b1, b2 across A's axis
 *   J = (-1, X(a), 1, -X(rB)),  X(r) w = r x w,  a = rA + d
 *       ( 0,  -b1, 0,     b1)
 *       ( 0,  -b2, 0,     b2)
 *
 * t vanishes at the mirrored pose, too: where xA . xB < 0, it gets the length 1, and turns B back. The free coordinate
 * is the rotation of B about the axis from the reference: the twist of the relative rotation q = (v, s) in A's frame,
 * 2 atan2(v . xA, s), continued over whole turns from where it was in the last visit; its row is about A's axis.
 */
#ifdef TR_JOINT_HOST

static bool hinge_is_featured(const tr3_joint_def *def)
{
    return features_enabled(def) || !softness_is_rigid(def->linear) || !softness_is_rigid(def->angular);
}

static void hinge_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    double separation = measure_length(pose->d);
    double tilt = measure_angle(pose->axis, pose->axis_b), beyond = limit_violation(&def->limit, pose->angle);
    out->linear_rigid = softness_is_rigid(def->linear);
    out->angular_rigid = softness_is_rigid(def->angular);
    out->linear_error = out->linear_rigid ? (float)separation : 0.0f;
    out->angular_error = (float)(out->angular_rigid && tilt > beyond ? tilt : beyond);
    out->coordinate = (float)pose->angle;
    out->rate = (float)(measure_dot(pose->axis, pose->w_b) - measure_dot(pose->axis, pose->w_a));
    out->energy = softness_energy(def->linear, separation) + softness_energy(def->angular, tilt) +
                  spring_energy(&def->spring, pose->angle);
}

/* impulses: point 3, two across the axis, features, angle; the two directions across are those of measure_across() */
static void hinge_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                           tr3_reaction *out)
{
    tr_dvec3 b1, b2;
    measure_across(def, pose, &b1, &b2);
    double along = (double)features_reaction(impulse, 5, inv_h, out);
    double p1 = (double)(impulse[3] * inv_h), p2 = (double)(impulse[4] * inv_h);
    out->force = measure_force(impulse, 0, inv_h);
    out->torque = (tr_vec3){(float)(b1.x * p1 + b2.x * p2 + pose->axis.x * along),
                            (float)(b1.y * p1 + b2.y * p2 + pose->axis.y * along),
                            (float)(b1.z * p1 + b2.z * p2 + pose->axis.z * along)};
}

static void hinge_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    view v = view_of_pose(pose);
    tr_dvec3 b[2], tilt = measure_cross(pose->axis, pose->axis_b);
    measure_across(def, pose, &b[0], &b[1]);
    double sine = measure_length(tilt);
    if (measure_dot(pose->axis, pose->axis_b) < 0.0)
        tilt = sine > 0.0 ? tr3_over(tilt, sine) : b[0];
    equations_point(out, &v, def->linear, TR_BLOCK_K, 0);
    for (int i = 0; i < 2; i++) {
        tr3_equation row = equation_about(pose, b[i]);
        row.value = measure_dot(b[i], tilt);
        equations_hold(out, row, def->angular, 3 + i);
    }
    equations_block(out, 2, TR_BLOCK_K);
    tr3_equation free = equation_about(pose, pose->axis);
    free.value = pose->angle;
    equations_free(out, free, def, 5);
}

static const tr3_joint_type_info hinge_info = {
    .name = "hinge",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_AXIS | TR3_GROUP_REFERENCE | TR3_GROUP_LINEAR | TR3_GROUP_ANGULAR |
              TR3_GROUP_SPRING | TR3_GROUP_MOTOR | TR3_GROUP_LIMIT | TR3_GROUP_FRICTION,
    .impulse_count = 11,
    .impulse_names = {"point.x", "point.y", "point.z", "across.1", "across.2", "spring", "motor", "lower", "upper",
                      "friction", "angle"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES, TR_ROLE_PLACE},
    .is_featured = hinge_is_featured,
    .measure = hinge_measure,
    .equations = hinge_equations,
    .reaction = hinge_reaction,
    .has_unit_rows = false, /* the angle is among the impulses */
};

#endif

#ifdef TR_JOINT_KERNEL

enum { hinge_plain_impulses = 5, hinge_featured_impulses = 11, hinge_is_common = false };

enum {
    HINGE_BASE,
    HINGE_AXIS_A = HINGE_BASE + BASE_COLUMNS, /* in each body's principal axes */
    HINGE_AXIS_B = HINGE_AXIS_A + 3,
    HINGE_ACROSS = HINGE_AXIS_B + 3, /* one direction across it, in A's */
    HINGE_RELATION = HINGE_ACROSS + 3,
    HINGE_LINEAR = HINGE_RELATION + 4,
    HINGE_ANGULAR = HINGE_LINEAR + SOFT_COLUMNS,
    HINGE_FREE = HINGE_ANGULAR + SOFT_COLUMNS,
    hinge_plain_columns = hinge_plain_impulses + HINGE_LINEAR,
    hinge_featured_columns = hinge_featured_impulses + HINGE_FREE + FREE_COLUMNS
};

static const freedom hinge_freedom = {.spring = true, .motor = true, .limit = true, .friction = true};

TR_INLINE void hinge_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                             float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? hinge_featured_impulses : hinge_plain_impulses);
    w4 relation = relation_of(s, f, lane);
    w3 axis = axis_of(s, f, lane);
    base_put(c, HINGE_BASE, s);
    put3(c, HINGE_AXIS_A, axis);
    put3(c, HINGE_AXIS_B, rotated(turn_back(relation), axis));
    put3(c, HINGE_ACROSS, across_of(s, f, lane));
    put4(c, HINGE_RELATION, relation);
    if (!featured)
        return;
    softness_put(c, HINGE_LINEAR, softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane));
    softness_put(c, HINGE_ANGULAR, softness_field(k, s->m, f, TR3_FIELD_ANGULAR_KIND, lane));
    freedom_prepare(k, f, lane, hinge_freedom, c, HINGE_FREE);
}

TR_INLINE void hinge_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                           motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * (featured ? hinge_featured_impulses : hinge_plain_impulses);
    const anchors n = anchors_now(c, HINGE_BASE, at);
    w3 axis = to_world(&n.a, get3(c, HINGE_AXIS_A)), first = to_world(&n.a, get3(c, HINGE_ACROSS));
    row_block h = {.linear = 3, .angular = 2, .arm = n.arm, .rb = n.rb, .about = {first, cross(axis, first)}};
    if (!featured && pass.warm_start) {
        motions_late(pass, a, b);
        held_warm_start(&h, a, b, &n.m, impulses);
        return;
    }
    w3 t = tilt_of(axis, to_world(&n.b, get3(c, HINGE_AXIS_B)));
    const wf error[HELD_MOST] = {n.d.x, n.d.y, n.d.z, dot(h.about[0], t), dot(h.about[1], t)};
    if (!featured) {
        held_k(&h, &n.m);
        held_invert(&h);
        motions_late(pass, a, b);
        held_rigid_visit(k, pass, &h, a, b, &n.m, error, impulses);
        return;
    }
    motions_late(pass, a, b);
    course r = course_of(&n.m, row_about(axis));
    if (pass.warm_start) {
        freedom_warm_start(a, b, n.m, hinge_freedom, r, impulses, 5);
        held_warm_start(&h, a, b, &n.m, impulses);
        return;
    }
    wf angle = angle_about(at, get4(c, HINGE_RELATION), get3(c, HINGE_AXIS_A), get(impulses, 10));
    put(impulses, 10, angle);
    angle = begun(k, pass, angle, row_rate(a, b, &r.row));
    freedom_solve(k, pass, a, b, n.m, hinge_freedom, r, angle, c, HINGE_FREE, impulses, 5);
    held_visit(k, pass, &h, a, b, &n.m, softness_get(c, HINGE_LINEAR), softness_get(c, HINGE_ANGULAR), error, impulses);
}

#endif

#ifdef TR_JOINT_LOOK

enum { hinge_color = 0x8e24aa }; /* 0xRRGGBB */

/* a pin along the axis */
static void draw_hinge(const joint_pen *pen)
{
    arms(pen);
    stroke(pen, anchor_a(pen), axis_of(pen));
}

#endif
