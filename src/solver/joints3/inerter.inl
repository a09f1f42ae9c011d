/*
 * Inerter: a flywheel that turns with how B moves relative to A, about an axis fixed in A or along it, as the rotor of a
 * geared motor does.
 *
 *   rotation  J = (0, -x, 0, x)
 *   travel    J = (-x, -(a x x), x, rB x x),  a = rA + d
 *   an angle  J = (0, -p, 0, p)
 *
 * The last is that of the first or second of three angles, about x, then across both axes, then about zB, which is
 * `axis_b` in B: with u = zB x x, p = u x zB / u^2 or u / |u|, as of a general joint.
 *
 * The wheel's speed s is a state of its own, and b its inertance. The row holds J v = s, and what it gives to the bodies
 * it takes from the wheel:
 *
 *   (K + 1/b) dp = s - J v,  ds = -dp / b
 *
 * so that b s + p stays, however well J v = s is held. Of a joint that does not act, s is J v.
 */
#ifdef TR_JOINT_HOST

static bool inerter_is_featured(const tr3_joint_def *def)
{
    return !def->slides_b && !tr3_is_same(def->axis_b, (tr_vec3){0.0f, 0.0f, 0.0f});
}

static void inerter_defaults(tr3_joint_def *def)
{
    def->axis_b = (tr_vec3){0.0f, 0.0f, 0.0f};
}

/* where the axes are parallel it moves nothing */
static tr_dvec3 inerter_about(const tr3_joint_def *def, const tr3_joint_pose *pose, tr_dvec3 *change)
{
    const tr_dvec3 zb = measure_rotate(&pose->to_world, measure_rotate(&pose->relative, tr3_widen(def->axis_b)));
    const tr_dvec3 u = measure_cross(zb, pose->axis), none = {0.0, 0.0, 0.0};
    const double length = measure_length(u);
    tr_dvec3 p = none;
    *change = none;
    if (length > 0.0 &&
        !frame_free_axis(pose, pose->axis, zb, tr3_over(u, length), length, def->across ? 1 : 0, &p, change))
        *change = p = none;
    return p;
}

static tr3_equation inerter_row(const tr3_joint_def *def, const tr3_joint_pose *pose)
{
    const view v = view_of_pose(pose);
    tr3_equation row;
    if (inerter_is_featured(def)) {
        tr_dvec3 change;
        row = equation_about(pose, inerter_about(def, pose, &change));
        row.bend = measure_dot(change, tr3_minus(pose->w_b, pose->w_a));
    } else {
        row = def->slides_b ? equation_along(&v, pose->axis) : equation_about(pose, pose->axis);
    }
    row.value = 0.0;
    return row;
}

/* there is no error */
static void inerter_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    out->kinetic_energy = 0.5 * (double)def->inertance * pose->last[0] * pose->last[0];
}

/* The wheel turns as the bodies do; where nothing couples it to them, as it did. */
static void inerter_wind(const tr3_joint_def *def, tr3_joint_pose *pose)
{
    const tr3_equation row = inerter_row(def, pose);
    bool moves = false;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < TR3_DEGREES; i++)
            moves = moves || row.j[end][i] != 0.0;
    if (moves)
        pose->last[0] = row.rate;
}

static void inerter_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                             tr3_reaction *out)
{
    tr_dvec3 change;
    const tr_dvec3 axis = inerter_is_featured(def) ? inerter_about(def, pose, &change) : pose->axis;
    const tr_vec3 along = tr3_narrow(tr3_times((double)(impulse[0] * inv_h), axis));
    *(def->slides_b ? &out->force : &out->torque) = along;
}

static void inerter_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    tr3_equation row = inerter_row(def, pose);
    /* without inertance it holds nothing, but the speed is kept */
    row.kind = def->inertance > 0.0f ? TR_EQUATION_INERTIA : TR_EQUATION_IDLE;
    row.inertance = (double)def->inertance;
    row.speed = pose->last[0];
    equations_hold(out, row, tr_rigid(), 0);
}

static const tr3_joint_type_info inerter_info = {
    .name = "inerter",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_AXIS | TR3_GROUP_AXIS_B | TR_BIT(TR3_FIELD_SLIDES_B),
    .plain_fields = TR_BIT(TR3_FIELD_SLIDES_B),
    TR3_BEYOND_INERTANCE,
    .impulse_count = 2,
    .impulse_names = {"inertia", "speed"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_PLACE},
    .is_featured = inerter_is_featured,
    .set_defaults = inerter_defaults,
    .wind = inerter_wind,
    .keeps_speed = true,
    .measure = inerter_measure,
    .equations = inerter_equations,
    .reaction = inerter_reaction,
    .has_unit_rows = false, /* p may be long */
};

#endif

#ifdef TR_JOINT_KERNEL

/* featured: of an angle */
enum { inerter_plain_impulses = 2, inerter_featured_impulses = 2, inerter_is_common = false, inerter_few_need = 0 };

enum {
    INERTER_BASE,
    INERTER_AXIS = INERTER_BASE + BASE_COLUMNS, /* in A's principal axes */
    INERTER_SLIDES = INERTER_AXIS + 3,          /* 1: along the axis */
    INERTER_INERTANCE,
    inerter_plain_columns = inerter_plain_impulses + INERTER_INERTANCE + 1,
    INERTER_AXIS_B = INERTER_INERTANCE + 1, /* in B's principal axes */
    INERTER_ACROSS = INERTER_AXIS_B + 3,    /* 1: about what is across both */
    inerter_featured_columns = inerter_featured_impulses + INERTER_ACROSS + 1
};

/* least |u| with which p is computed: 5.7 degrees from where the axes are parallel */
#define INERTER_LEAST 0.1f

TR_INLINE jacobian inerter_angle(w3 axis, w3 axis_b, wm across)
{
    const wf one = wf_set(1.0f), least = wf_set(INERTER_LEAST);
    const w3 u = cross(axis_b, axis);
    const wf square = wf_max(dot(u, u), least * least);
    const w3 p = w3_select(across, times(one / wf_sqrt(square), u), times(one / square, cross(u, axis_b)));
    return (jacobian){w3_zero(), p, p};
}

TR_INLINE void inerter_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                               float *impulses)
{
    (void)k;
    float *c = impulses + TR_LANES * inerter_plain_impulses;
    base_put(c, INERTER_BASE, s);
    put3(c, INERTER_AXIS, axis_of(s, f, lane));
    put(c, INERTER_SLIDES, field(f, TR3_FIELD_SLIDES_B, lane));
    put(c, INERTER_INERTANCE, field(f, TR3_FIELD_INERTANCE, lane));
    if (!featured)
        return;
    put3(c, INERTER_AXIS_B, from_frame(s, s->fb, field3(f, TR3_FIELD_AXIS_B_X, lane)));
    put(c, INERTER_ACROSS, field(f, TR3_FIELD_ACROSS, lane));
}

TR_INLINE void inerter_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                             motion *b, const pose_pair *at)
{
    (void)k;
    const wf zero = wf_zero(), one = wf_set(1.0f);
    float *c = impulses + TR_LANES * inerter_plain_impulses;
    const anchors n = anchors_now(c, INERTER_BASE, at);
    const w3 axis = to_world(&n.a, get3(c, INERTER_AXIS));
    const wm slides = wf_lt(zero, get(c, INERTER_SLIDES));
    jacobian r = {w3_select(slides, axis, w3_zero()), w3_select(slides, cross(n.arm, axis), axis),
                  w3_select(slides, cross(n.rb, axis), axis)};
    if (featured)
        r = inerter_angle(axis, to_world(&n.b, get3(c, INERTER_AXIS_B)), wf_lt(zero, get(c, INERTER_ACROSS)));
    const levers l = levers_of(&n.m, &r);
    const wf inertance = get(c, INERTER_INERTANCE), impulse = get(impulses, 0), speed = get(impulses, 1);
    motions_late(pass, a, b);
    if (pass.warm_start) {
        put(impulses, 1, sane(speed - impulse * wf_inverse_or_zero(inertance)));
        row_apply_by(a, b, &n.m, &r, &l, impulse);
        return;
    }
    const wf mass = rows_k(&n.m, &r, &r, &l);
    const wf share = one / (one + inertance * mass), apart = row_rate(a, b, &r) - speed;
    const wf change = sane(wf_keep(wf_lt(zero, mass), -(inertance * share * apart)));
    put(impulses, 0, impulse + change);
    put(impulses, 1, sane(speed + share * apart));
    row_apply_by(a, b, &n.m, &r, &l, change);
}

#endif

#ifdef TR_JOINT_LOOK

enum { inerter_color = 0x6d4c41 }; /* 0xRRGGBB */

/* a wheel about the axis, or a line along it */
static void draw_inerter(const joint_pen *pen)
{
    enum { POINTS = 24 };
    const tr_dvec3 axis = axis_of(pen), at = anchor_a(pen), y = axis_2_of(pen), z = tr3_cross(axis, y);
    if (pen->def->slides_b) {
        line(pen, at, anchor_b(pen), true);
        stroke(pen, anchor_b(pen), axis);
        return;
    }
    tr_dvec3 last = at;
    for (int i = 0; i <= POINTS; i++) {
        const double turn = TR_TURN * i / POINTS;
        const tr_dvec3 next = tr3_plus(
            at, tr3_plus(tr3_times(1.2 * pen->glyph * cos(turn), y), tr3_times(1.2 * pen->glyph * sin(turn), z)));
        if (i > 0)
            line(pen, last, next, false);
        last = next;
    }
}

#endif
