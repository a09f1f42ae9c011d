/*
 * Revolute: holds a point of B at a point of A; B can rotate freely.
 *
 *   C = d = (pB + rB) - (pA + rA)                  2 rows
 *   J = (-1, -X(a), 1, X(rB)),  X(r) = (-ry, rx),  a = rA + d
 *   K = (mA + mB) 1 + iA X(a) X(a)^T + iB X(rB) X(rB)^T      (m, i: inverse masses)
 *
 * The arm is a, not rA, because d is measured in the frame that rotates with A: both ends of the force act at B's
 * anchor, and angular momentum is conserved even if d is not zero. If d is zero, the two agree.
 *
 * The free coordinate is angleB - angleA - reference, not wrapped, with J = (0, -1, 0, 1): spring, motor, limit,
 * friction.
 */
#ifdef TR_JOINT_HOST

static bool revolute_is_featured(const tr2_joint_def *def)
{
    return features_enabled(def) || !softness_is_rigid(def->linear);
}

static void revolute_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    double separation = measure_length(pose->d);
    out->linear_rigid = softness_is_rigid(def->linear);
    out->linear_error = out->linear_rigid ? (float)separation : 0.0f;
    out->angular_error = (float)limit_violation(&def->limit, pose->angle);
    out->coordinate = (float)pose->angle;
    out->rate = (float)pose->angle_rate;
    out->energy = softness_energy(def->linear, separation) + spring_energy(&def->spring, pose->angle);
}

static void revolute_reaction(const tr2_joint_def *def, const tr2_joint_pose *pose, const float *impulse, float inv_h,
                              tr2_reaction *out)
{
    (void)def;
    (void)pose;
    out->force.x = impulse[0] * inv_h;
    out->force.y = impulse[1] * inv_h;
    out->torque = features_reaction(impulse, 2, inv_h, out);
}

static void revolute_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    view v = view_of_pose(pose);
    equations_point(out, &v, def->linear, TR_BLOCK_K, 0);
    equations_free(out, equation_turn(pose), def, 2);
}

static const tr2_joint_type_info revolute_info = {
    .name = "revolute",
    .fields = TR2_GROUP_ANCHORS | TR2_GROUP_REFERENCE | TR2_GROUP_LINEAR | TR2_GROUP_SPRING | TR2_GROUP_MOTOR |
              TR2_GROUP_LIMIT | TR2_GROUP_FRICTION,
    .impulse_count = 7,
    .impulse_names = {"point.x", "point.y", "spring", "motor", "lower", "upper", "friction"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_ROW, FEATURE_ROLES},
    .has_angle = true,
    .angle_is_free = true,
    .is_featured = revolute_is_featured,
    .measure = revolute_measure,
    .equations = revolute_equations,
    .reaction = revolute_reaction,
    .reacts_by_impulses = true,
    .has_unit_rows = true,
    .tie = TR_TIE_POINT,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { revolute_plain_impulses = 2, revolute_featured_impulses = 7, revolute_is_common = true, revolute_few_need = 0 };

enum {
    REVOLUTE_BASE,
    REVOLUTE_SOFT = REVOLUTE_BASE + BASE_COLUMNS,
    REVOLUTE_ANGLE = REVOLUTE_SOFT + SOFT_COLUMNS,
    REVOLUTE_FREE,
    revolute_plain_columns = revolute_plain_impulses + REVOLUTE_SOFT,
    revolute_featured_columns = revolute_featured_impulses + REVOLUTE_FREE + FREE_COLUMNS
};

/* columns stored outside the block */
enum { REVOLUTE_PIN, REVOLUTE_BIAS_X = REVOLUTE_PIN + PIN_COLUMNS, REVOLUTE_BIAS_Y, REVOLUTE_PLACES };

static const freedom revolute_freedom = {
    .angular = true, .spring = true, .motor = true, .limit = true, .friction = true};

/* arms, soft inverse mass and bias at the current poses */
typedef struct revolute_place {
    pin pin;
    w2 bias;
} revolute_place;

TR_INLINE revolute_place revolute_place_of(const anchors *n, sym2 inverse, w2 error, softness s)
{
    revolute_place r = {{n->arm, n->rb, inverse}, {error.x * s.bias_rate, error.y * s.bias_rate}};
    return r;
}

TR_INLINE void revolute_place_put(float *c, revolute_place r)
{
    pin_put(c, REVOLUTE_PIN, r.pin);
    put(c, REVOLUTE_BIAS_X, r.bias.x);
    put(c, REVOLUTE_BIAS_Y, r.bias.y);
}

TR_INLINE revolute_place revolute_place_get(const float *c)
{
    revolute_place r = {pin_get(c, REVOLUTE_PIN), {get(c, REVOLUTE_BIAS_X), get(c, REVOLUTE_BIAS_Y)}};
    return r;
}

TR_INLINE void revolute_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                                float *impulses)
{
    float *c = impulses + TR_LANES * (featured ? revolute_featured_impulses : revolute_plain_impulses);
    base_put(c, REVOLUTE_BASE, s);
    if (featured) {
        softness_put(c, REVOLUTE_SOFT, softness_field(k, s->m, f, TR2_FIELD_LINEAR_KIND, lane));
        put(c, REVOLUTE_ANGLE, s->angle);
        freedom_prepare(k, f, lane, revolute_freedom, c, REVOLUTE_FREE);
    }
}

TR_INLINE void revolute_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                              motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * (featured ? revolute_featured_impulses : revolute_plain_impulses);
    masses m = masses_get(c, REVOLUTE_BASE);
    w2 p = {wf_zero(), wf_zero()};
    if (!pass.afresh)
        p = (w2){get(impulses, 0), get(impulses, 1)};
    softness s = featured ? softness_get(c, REVOLUTE_SOFT) : softness_held(k, m);

    /* the geometry is this pass's own */
    const bool anew = pass.refresh && (pass.afresh || !pass.biased);
    revolute_place place;
    levers l;
    inversion mass;
    wf scale;
    if (pass.refresh) {
        anchors n = anchors_now(c, REVOLUTE_BASE, at);
        l = levers_of(m, n.arm, n.rb);
        wf im = m.im_a + m.im_b;
        if (featured)
            im = im + s.gamma;
        mass = point_inversion(m, l, n.arm, n.rb, im);
        scale = wf_over_positive(pass.afresh ? s.mass_scale : wf_set(1.0f), mass.determinant);
        sym2 inverse = sym2_scaled(mass.adjugate, scale);
        if (pass.afresh && pass.place != NULL)
            inverse = sym2_scaled(mass.adjugate, wf_inverse_of_positive(mass.determinant));
        place = revolute_place_of(&n, inverse, point_error(k, pass, a, b, &n), s);
        if (pass.place != NULL)
            revolute_place_put(pass.place, place);
    } else {
        place = revolute_place_get(pass.place);
    }
    w2 ra = place.pin.ra, rb = place.pin.rb;
    motions_late(pass, a, b);

    if (pass.warm_start) {
        if (featured)
            freedom_warm_start(a, b, m, revolute_freedom, course_angle(), impulses, 2);
        point_apply(a, b, m, ra, rb, p);
        return;
    }

    if (featured) {
        wf angle = get(c, REVOLUTE_ANGLE) + turned(k, pass, a, b);
        freedom_solve(k, pass, a, b, m, revolute_freedom, course_angle(), angle, c, REVOLUTE_FREE, impulses, 2);
    }

    /* -J v, so that the impulse needs no other sign */
    w2 rate = point_rate(b, a, rb, ra);
    /* if all lanes are rigid, relax as in the plain kernel */
    bool soft = featured && (pass.biased || !wm_all(wf_eq(s.keep, wf_zero())));
    if (!pass.biased)
        s = softness_relaxed(s);
    if (pass.biased) {
        rate.x = rate.x - place.bias.x;
        rate.y = rate.y - place.bias.y;
    } else if (soft) {
        /* not a product: that of 0 and a bias that is not finite would not leave a rigid lane as it is */
        wm keeps = wf_lt(wf_zero(), s.keep);
        rate.x = rate.x - wf_keep(keeps, place.bias.x);
        rate.y = rate.y - wf_keep(keeps, place.bias.y);
    }
    if (soft) {
        rate.x = rate.x - s.gamma * p.x;
        rate.y = rate.y - s.gamma * p.y;
    }
    w2 change;
    if (anew) {
        /* times the adjugate while the division lasts */
        change = sym2_times(mass.adjugate, rate);
        change.x = scale * change.x;
        change.y = scale * change.y;
    } else {
        change = sym2_times(place.pin.inverse, rate);
    }
    if (!pass.afresh && (soft || pass.biased)) {
        change.x = s.mass_scale * change.x - s.impulse_scale * p.x;
        change.y = s.mass_scale * change.y - s.impulse_scale * p.y;
    }
    change = sane2(change.x, change.y);
    if (anew)
        point_apply_by(a, b, m, l, change);
    else
        point_apply(a, b, m, ra, rb, change);
    put(impulses, 0, p.x + change.x);
    put(impulses, 1, p.y + change.y);
}

#endif

#ifdef TR_JOINT_LOOK

enum { revolute_color = 0x1f6fb4 }; /* 0xRRGGBB */

/* a ring at the pivot */
static void draw_revolute(joint_pen *pen)
{
    arms(pen);
    if (!pen->simple) {
        ring(pen, pen->body_b, pen->def->anchor_b, pen->glyph, 0.25f);
    }
}

#endif
