/*
 * Circle: holds a point of B on a circle of A; B rotates freely. It is a link without mass between a hinge of A and a
 * ball of B, the composite joint "revolute-spherical" (Haug, Nikravesh).
 *
 *   C = (x . d, r - L),  r = |d - x (x . d)|,  n = (d - x (x . d)) / r,  t = x x n
 *   J = (-m, -(a x m), m, rB x m)  for m = x, n,  a = rA + d
 *
 * x is the circle's axis, fixed in A, and L its radius. As seen from A, r' = n . d' and t . d' = r q' with the link's
 * angle q about x from y (`axis_2`), which is the free coordinate; its row is 1/r times that along t. If r vanishes, n is
 * y, and the angle has no row.
 */
#ifdef TR_JOINT_HOST

static bool circle_is_featured(const tr3_joint_def *def)
{
    return features_enabled(def) || !softness_is_rigid(def->linear);
}

/* the link's direction n, and that in which it turns; its length, and one over it, or 0 */
typedef struct circle_link {
    tr_dvec3 n, t;
    double radius, inverse, angle;
} circle_link;

static circle_link circle_link_of(const tr3_joint_def *def, const tr3_joint_pose *pose)
{
    const tr_dvec3 y = measure_rotate(&pose->to_world, tr3_widen(def->axis_2));
    const tr_dvec3 across = tr3_part_across(pose->axis, pose->d);
    circle_link it = {.radius = measure_length(across)};
    it.inverse = it.radius > 0.0 ? 1.0 / it.radius : 0.0;
    it.n = it.radius > 0.0 ? tr3_times(it.inverse, across) : y;
    it.t = measure_cross(pose->axis, it.n);
    it.angle = frame_angle(y, it.n, pose->axis, pose->last[0]);
    return it;
}

/* both rows; with the link seen from A, n' = q' t and t' = -q' n */
static void circle_rows(const tr3_joint_pose *pose, const circle_link *link, tr3_equation out[2], tr3_equation *angle)
{
    const view v = view_of_pose(pose);
    out[0] = equation_along(&v, pose->axis);
    out[1] = equation_along(&v, link->n);
    *angle = equation_scaled(equation_along(&v, link->t), link->inverse);
    angle->bend -= 2.0 * angle->rate * out[1].rate * link->inverse;
    angle->value = link->angle;
    angle->linear = false;
    out[1].bend += link->radius * angle->rate * angle->rate;
}

static void circle_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    const circle_link link = circle_link_of(def, pose);
    tr3_equation rows[2], angle;
    circle_rows(pose, &link, rows, &angle);
    const double off = hypot(rows[0].value, link.radius - (double)def->length);
    out->linear_rigid = softness_is_rigid(def->linear);
    out->linear_error = out->linear_rigid ? (float)off : 0.0f;
    out->angular_error = (float)limit_violation(&def->limit, link.angle);
    out->coordinate = (float)link.angle;
    out->rate = (float)angle.rate;
    out->span = (float)link.radius;
    out->energy = softness_energy(def->linear, off) + spring_energy(&def->spring, link.angle);
}

static void circle_wind(const tr3_joint_def *def, tr3_joint_pose *pose)
{
    pose->last[0] = circle_link_of(def, pose).angle;
}

/* impulses: along the axis, along the link, features, angle */
static void circle_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                            tr3_reaction *out)
{
    const circle_link link = circle_link_of(def, pose);
    const double turning = (double)features_reaction(impulse, 2, inv_h, out) * link.inverse;
    const tr_dvec3 held =
        tr3_plus(tr3_times((double)(impulse[0] * inv_h), pose->axis), tr3_times((double)(impulse[1] * inv_h), link.n));
    out->force = tr3_narrow(tr3_plus(held, tr3_times(turning, link.t)));
}

static void circle_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    const circle_link link = circle_link_of(def, pose);
    tr3_equation rows[2], angle;
    circle_rows(pose, &link, rows, &angle);
    rows[1].value = link.radius - (double)def->length;
    for (int i = 0; i < 2; i++)
        equations_hold(out, rows[i], def->linear, i);
    equations_block(out, 2, TR_BLOCK_K);
    equations_free(out, angle, def, 2);
}

static const tr3_joint_type_info circle_info = {
    .name = "circle",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_AXIS | TR3_GROUP_AXIS_2 | TR3_GROUP_LENGTH | TR3_GROUP_LINEAR |
              TR3_GROUP_FEATURES,
    .impulse_count = 8,
    .features_at = 2,
    .impulse_names = {"along", "radius", FEATURE_NAMES(""), "angle"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES, TR_ROLE_PLACE},
    .is_featured = circle_is_featured,
    .wind = circle_wind,
    .measure = circle_measure,
    .equations = circle_equations,
    .reaction = circle_reaction,
    .has_unit_rows = false, /* those of the angle are as long as the link is short */
};

#endif

#ifdef TR_JOINT_KERNEL

enum { circle_plain_impulses = 2, circle_featured_impulses = 8, circle_is_common = false, circle_few_need = 0 };

enum {
    CIRCLE_BASE,
    CIRCLE_X = CIRCLE_BASE + BASE_COLUMNS, /* in A's principal axes */
    CIRCLE_Y = CIRCLE_X + 3,
    CIRCLE_RADIUS = CIRCLE_Y + 3, /* L */
    CIRCLE_LINEAR,
    CIRCLE_FREE = CIRCLE_LINEAR + SOFT_COLUMNS,
    circle_plain_columns = circle_plain_impulses + CIRCLE_LINEAR,
    circle_featured_columns = circle_featured_impulses + CIRCLE_FREE + FREE_COLUMNS
};

TR_INLINE void circle_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                              float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? circle_featured_impulses : circle_plain_impulses);
    base_put(c, CIRCLE_BASE, s);
    put3(c, CIRCLE_X, axis_of(s, f, lane));
    put3(c, CIRCLE_Y, from_frame(s, s->fa, field3(f, TR3_FIELD_AXIS_2_X, lane)));
    put(c, CIRCLE_RADIUS, field(f, TR3_FIELD_LENGTH, lane));
    if (!featured)
        return;
    softness_put(c, CIRCLE_LINEAR, softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane));
    freedom_prepare(k, f, lane, whole_freedom, c, CIRCLE_FREE);
}

TR_INLINE void circle_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                            motion *b, const pose_pair *at)
{
    const wf one = wf_set(1.0f);
    float *c = impulses + TR_LANES * (featured ? circle_featured_impulses : circle_plain_impulses);
    const anchors n = anchors_now(c, CIRCLE_BASE, at);
    const w3 x = to_world(&n.a, get3(c, CIRCLE_X)), y = to_world(&n.a, get3(c, CIRCLE_Y));
    const wf along = dot(x, n.d);
    const w3 across = minus(n.d, times(along, x));
    const wf radius = wf_sqrt(dot(across, across));
    const wm known = wf_lt(wf_set(1e-9f), radius);
    const wf inverse = wf_keep(known, one / wf_select(known, radius, one));
    const w3 link = w3_select(known, times(inverse, across), y);
    row_block h;
    row_block_begin(&h, 2, 0, n.arm, n.rb);
    h.along[0] = x;
    h.along[1] = link;
    const wf error[HELD_MOST] = {along, radius - get(c, CIRCLE_RADIUS)};
    if (!featured && !pass.warm_start) {
        held_k(&h, &n.m);
        held_invert(&h);
    }
    motions_late(pass, a, b);
    if (!featured) {
        if (pass.warm_start)
            held_warm_start(&h, a, b, &n.m, impulses);
        else
            held_rigid_visit(k, pass, &h, a, b, &n.m, error, impulses);
        return;
    }
    const course r = course_of(&n.m, row_along(times(inverse, cross(x, link)), n.arm, n.rb));
    if (pass.warm_start) {
        freedom_warm_start(a, b, n.m, whole_freedom, r, impulses, 2);
        held_warm_start(&h, a, b, &n.m, impulses);
        return;
    }
    wf angle = angle_from(y, link, x, get(impulses, 7));
    put(impulses, 7, angle);
    angle = begun(k, pass, angle, row_rate(a, b, &r.row));
    freedom_solve(k, pass, a, b, n.m, whole_freedom, r, angle, c, CIRCLE_FREE, impulses, 2);
    /* there are no rows of rotation: their softness is that of the others */
    const softness s = softness_get(c, CIRCLE_LINEAR);
    held_visit(k, pass, &h, a, b, &n.m, s, s, error, impulses);
}

#endif

#ifdef TR_JOINT_LOOK

enum { circle_color = 0xc0803a }; /* 0xRRGGBB */

/* the link, with a pin along the axis where it turns and a dot where B is on it */
static void draw_circle(const joint_pen *pen)
{
    const tr_dvec3 a = anchor_a(pen), b = anchor_b(pen);
    line(pen, a, b, false);
    stroke(pen, a, axis_of(pen));
    if (pen->arm_b)
        line(pen, b, tr3_place(pen->b, pen->center_b), false);
    dot(pen, b, (pen->simple ? 0.5 : 0.7) * pen->glyph);
}

#endif
