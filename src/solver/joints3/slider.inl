/*
 * Slider: B slides along an axis fixed in A, and does not rotate relative to A.
 *
 *   C = (b1 . d, b2 . d, t),  b1, b2 across A's axis; t = 2 vec(q) as of a weld
 *   J = (-b, -(a x b), b, rB x b)  for b1 and b2,  a = rA + d
 *       ( 0,       -1, 0,      1)
 *
 * The free coordinate is the travel along the axis, axis . d, with the row along it.
 */
#ifdef TR_JOINT_HOST

static bool slider_is_featured(const tr3_joint_def *def)
{
    return features_enabled(def) || !softness_is_rigid(def->linear) || !softness_is_rigid(def->angular);
}

static void slider_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    double along = measure_dot(pose->axis, pose->d), turned = measure_turn(pose);
    double across = measure_length(measure_cross(pose->axis, pose->d)), beyond = limit_violation(&def->limit, along);
    out->linear_rigid = softness_is_rigid(def->linear);
    out->angular_rigid = softness_is_rigid(def->angular);
    out->linear_error = (float)(out->linear_rigid && across > beyond ? across : beyond);
    out->angular_error = out->angular_rigid ? (float)turned : 0.0f;
    out->coordinate = (float)along;
    /* the axis rotates with A */
    out->rate =
        (float)(measure_dot(pose->axis, pose->d_rate) + measure_dot(measure_cross(pose->w_a, pose->axis), pose->d));
    out->energy = softness_energy(def->linear, across) + softness_energy(def->angular, turned) +
                  spring_energy(&def->spring, along);
}

/* impulses: two across the axis, rotation 3, features */
static void slider_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                            tr3_reaction *out)
{
    tr_dvec3 b1, b2;
    measure_across(def, pose, &b1, &b2);
    double along = (double)features_reaction(impulse, 5, inv_h, out);
    double p1 = (double)(impulse[0] * inv_h), p2 = (double)(impulse[1] * inv_h);
    out->torque = measure_force(impulse, 2, inv_h);
    out->force = (tr_vec3){(float)(b1.x * p1 + b2.x * p2 + pose->axis.x * along),
                           (float)(b1.y * p1 + b2.y * p2 + pose->axis.y * along),
                           (float)(b1.z * p1 + b2.z * p2 + pose->axis.z * along)};
}

static void slider_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    view v = view_of_pose(pose);
    tr_dvec3 b[2];
    measure_across(def, pose, &b[0], &b[1]);
    for (int i = 0; i < 2; i++)
        equations_hold(out, equation_along(&v, b[i]), def->linear, i);
    equations_block(out, 2, TR_BLOCK_K);
    equations_rotation(out, pose, def->angular, TR_BLOCK_K, 2);
    equations_free(out, equation_along(&v, pose->axis), def, 5);
}

static const tr3_joint_type_info slider_info = {
    .name = "slider",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_AXIS | TR3_GROUP_REFERENCE | TR3_GROUP_LINEAR | TR3_GROUP_ANGULAR |
              TR3_GROUP_SPRING | TR3_GROUP_MOTOR | TR3_GROUP_LIMIT | TR3_GROUP_FRICTION,
    .impulse_count = 10,
    .impulse_names = {"across.1", "across.2", "rotation.x", "rotation.y", "rotation.z", "spring", "motor", "lower",
                      "upper", "friction"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES},
    .is_featured = slider_is_featured,
    .measure = slider_measure,
    .equations = slider_equations,
    .reaction = slider_reaction,
    .has_unit_rows = true,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { slider_plain_impulses = 5, slider_featured_impulses = 10, slider_is_common = false, slider_few_need = 0 };

enum {
    SLIDER_BASE,
    SLIDER_AXIS = SLIDER_BASE + BASE_COLUMNS, /* in A's principal axes; a direction across it */
    SLIDER_ACROSS = SLIDER_AXIS + 3,
    SLIDER_RELATION = SLIDER_ACROSS + 3,
    SLIDER_LINEAR = SLIDER_RELATION + 4,
    SLIDER_ANGULAR = SLIDER_LINEAR + SOFT_COLUMNS,
    SLIDER_FREE = SLIDER_ANGULAR + SOFT_COLUMNS,
    slider_plain_columns = slider_plain_impulses + SLIDER_LINEAR,
    slider_featured_columns = slider_featured_impulses + SLIDER_FREE + FREE_COLUMNS
};

static const freedom slider_freedom = {.spring = true, .motor = true, .limit = true, .friction = true};

TR_INLINE void slider_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                              float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? slider_featured_impulses : slider_plain_impulses);
    base_put(c, SLIDER_BASE, s);
    put3(c, SLIDER_AXIS, axis_of(s, f, lane));
    put3(c, SLIDER_ACROSS, across_of(s, f, lane));
    put4(c, SLIDER_RELATION, relation_of(s, f, lane));
    if (!featured)
        return;
    softness_put(c, SLIDER_LINEAR, softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane));
    softness_put(c, SLIDER_ANGULAR, softness_field(k, s->m, f, TR3_FIELD_ANGULAR_KIND, lane));
    freedom_prepare(k, f, lane, slider_freedom, c, SLIDER_FREE);
}

TR_INLINE void slider_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                            motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * (featured ? slider_featured_impulses : slider_plain_impulses);
    const anchors n = anchors_now(c, SLIDER_BASE, at);
    w3 axis = to_world(&n.a, get3(c, SLIDER_AXIS)), first = to_world(&n.a, get3(c, SLIDER_ACROSS));
    row_block h;
    row_block_begin(&h, 2, 3, n.arm, n.rb);
    h.along[0] = first;
    h.along[1] = cross(axis, first);
    if (!featured && pass.warm_start) {
        motions_late(pass, a, b);
        held_warm_start(&h, a, b, &n.m, impulses);
        return;
    }
    w3 t = turned(at, get4(c, SLIDER_RELATION));
    const wf error[HELD_MOST] = {dot(h.along[0], n.d), dot(h.along[1], n.d), t.x, t.y, t.z};
    if (!featured) {
        held_k(&h, &n.m);
        held_invert(&h);
        motions_late(pass, a, b);
        held_rigid_visit(k, pass, &h, a, b, &n.m, error, impulses);
        return;
    }
    motions_late(pass, a, b);
    course r = course_of(&n.m, row_along(axis, n.arm, n.rb));
    if (pass.warm_start) {
        freedom_warm_start(a, b, n.m, slider_freedom, r, impulses, 5);
        held_warm_start(&h, a, b, &n.m, impulses);
        return;
    }
    wf along = begun(k, pass, dot(axis, n.d), row_rate(a, b, &r.row));
    freedom_solve(k, pass, a, b, n.m, slider_freedom, r, along, c, SLIDER_FREE, impulses, 5);
    held_visit(k, pass, &h, a, b, &n.m, softness_get(c, SLIDER_LINEAR), softness_get(c, SLIDER_ANGULAR), error,
               impulses);
}

#endif

#ifdef TR_JOINT_LOOK

enum { slider_color = 0x2f7d32 }; /* 0xRRGGBB */

/* a rail along the axis, as long as the limits say, and a dot on it */
static void draw_slider(const joint_pen *pen)
{
    arms(pen);
    rail(pen, axis_of(pen), pen->def->limit);
    if (!pen->simple) {
        dot(pen, anchor_b(pen), 0.6 * pen->glyph);
    }
}

#endif
