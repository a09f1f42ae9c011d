/*
 * Weld: holds a point of B at a point of A, and B's angle to A's: one block of 3 rows; point and angle have their own
 * softness.
 *
 *   C = (d, angleB - angleA - reference)
 *   J = (-1, -X(a), 1, X(rB)),  X(r) = (-ry, rx),  a = rA + d, as in revolute
 *       ( 0,    -1, 0,     1)
 *   K = [ point K                                  -(iA ay + iB rBy) ]
 *       [                                            iA ax + iB rBx  ]
 *       [ symmetric                                  iA + iB         ]
 */
#ifdef TR_JOINT_HOST

static bool weld_is_featured(const tr2_joint_def *def)
{
    return !softness_is_rigid(def->linear) || !softness_is_rigid(def->angular);
}

static void weld_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    double separation = measure_length(pose->d);
    out->linear_rigid = softness_is_rigid(def->linear);
    out->angular_rigid = softness_is_rigid(def->angular);
    out->linear_error = out->linear_rigid ? (float)separation : 0.0f;
    out->angular_error = out->angular_rigid ? (float)fabs(pose->angle) : 0.0f;
    out->energy = softness_energy(def->linear, separation) + softness_energy(def->angular, pose->angle);
}

static void weld_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    view v = view_of_pose(pose);
    equations_point(out, &v, def->linear, TR_MEAN_K, 0);
    equations_hold(out, equation_turn(pose), def->angular, 2);
}

static const tr2_joint_type_info weld_info = {
    .name = "weld",
    .spring_is = "`linear` and `angular`",
    .fields = TR2_GROUP_ANCHORS | TR2_GROUP_REFERENCE | TR2_GROUP_LINEAR | TR2_GROUP_ANGULAR,
    .impulse_count = 3,
    .impulse_names = {"point.x", "point.y", "angle"},
    .has_angle = true,
    .is_featured = weld_is_featured,
    .measure = weld_measure,
    .equations = weld_equations,
    .reaction = block_reaction,
    .reacts_by_impulses = true,
    .has_unit_rows = true,
    .tie = TR_TIE_WELD,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { weld_plain_impulses = 3, weld_featured_impulses = 3, weld_is_common = true, weld_few_need = 0 };

enum {
    WELD_RA_X, /* rA + d */
    WELD_RA_Y,
    WELD_RB_X,
    WELD_RB_Y,
    WELD_M, /* inverse of K, with the softness: six columns */
    WELD_LEAK_POINT = WELD_M + 6,
    WELD_LEAK_ANGLE,
    WELD_BIAS_X,
    WELD_BIAS_Y,
    WELD_BIAS_ANGLE,
    WELD_ANGLE,
    WELD_BASE,
    WELD_LINEAR = WELD_BASE + BASE_COLUMNS,
    WELD_ANGULAR = WELD_LINEAR + SOFT_COLUMNS,
    weld_plain_columns = weld_plain_impulses + WELD_LINEAR,
    weld_featured_columns = weld_featured_impulses + WELD_ANGULAR + SOFT_COLUMNS
};

/* a symmetric 3 x 3 matrix */
typedef struct sym3 {
    wf xx, xy, yy, xz, yz, zz;
} sym3;

/*
 * (K + gamma)^-1, by eliminating the angle. With s = iA + iB + gamma_angle, XA = X(a) and XB = X(rB), the Schur
 * complement is
 *   S = (mA + mB + gamma_point) 1 + (iA iB/s) E E^T + (gamma_angle iA/s) XA XA^T + (gamma_angle iB/s) XB XB^T, E = XA -
 *   XB.
 * S and its determinant are written as sums of positive terms, because differences would lose all digits for light
 * bodies with long arms. Zero if no body can move.
 */
TR_INLINE sym3 weld_inverse(masses m, w2 ra, w2 rb, wf gamma_point, wf gamma_angle)
{
    wf im = (m.im_a + m.im_b) + gamma_point;
    wf inverse_s = wf_inverse_or_zero((m.ii_a + m.ii_b) + gamma_angle);
    wf share_a = m.ii_a * inverse_s, share_b = m.ii_b * inverse_s;
    wf we = share_a * m.ii_b, wa = gamma_angle * share_a, wb = gamma_angle * share_b;
    w2 e = {ra.x - rb.x, ra.y - rb.y};
    /* X(r) X(r)^T has r.y^2, -r.x r.y, r.x^2 */
    wf sxx = we * e.y * e.y + (wa * ra.y * ra.y + wb * rb.y * rb.y);
    wf sxy = -(we * e.x * e.y + (wa * ra.x * ra.y + wb * rb.x * rb.y));
    wf syy = we * e.x * e.x + (wa * ra.x * ra.x + wb * rb.x * rb.x);
    wf turn = cross(ra, rb);
    wf determinant = im * (im + (sxx + syy)) + (we * (wa + wb) + wa * wb) * (turn * turn);
    wf d = wf_inverse_or_zero(determinant);
    /* the angle's column of K, divided by s */
    w2 b = {-(share_a * ra.y + share_b * rb.y), share_a * ra.x + share_b * rb.x};
    sym3 r;
    r.xx = (im + syy) * d;
    r.xy = -(sxy * d);
    r.yy = (im + sxx) * d;
    r.xz = -(r.xx * b.x + r.xy * b.y);
    r.yz = -(r.xy * b.x + r.yy * b.y);
    r.zz = inverse_s - (r.xz * b.x + r.yz * b.y);
    return r;
}

/* the softness of point and angle as gamma, relative to the K of each */
typedef struct weld_soft {
    wf gamma_point, gamma_angle, leak_point, leak_angle;
} weld_soft;

TR_INLINE weld_soft weld_softness(masses m, w2 ra, w2 rb, softness linear, softness angular)
{
    wf point_k = (m.im_a + m.im_b) + wf_set(0.5f) * (m.ii_a * dot(ra, ra) + m.ii_b * dot(rb, rb));
    wf angle_k = m.ii_a + m.ii_b;
    weld_soft s = {softness_gamma(linear, point_k), softness_gamma(angular, angle_k), softness_leak(linear, point_k),
                   softness_leak(angular, angle_k)};
    return s;
}

TR_INLINE void weld_refresh(float *c, const anchors *n, w2 error, wf angle, masses m, softness linear, softness angular)
{
    const w2 arm = n->arm;
    weld_soft soft = weld_softness(m, arm, n->rb, linear, angular);
    sym3 inverse = weld_inverse(m, arm, n->rb, soft.gamma_point, soft.gamma_angle);
    put(c, WELD_RA_X, arm.x);
    put(c, WELD_RA_Y, arm.y);
    put(c, WELD_RB_X, n->rb.x);
    put(c, WELD_RB_Y, n->rb.y);
    put(c, WELD_M + 0, inverse.xx);
    put(c, WELD_M + 1, inverse.xy);
    put(c, WELD_M + 2, inverse.yy);
    put(c, WELD_M + 3, inverse.xz);
    put(c, WELD_M + 4, inverse.yz);
    put(c, WELD_M + 5, inverse.zz);
    put(c, WELD_LEAK_POINT, soft.leak_point);
    put(c, WELD_LEAK_ANGLE, soft.leak_angle);
    put(c, WELD_BIAS_X, linear.bias_rate * error.x);
    put(c, WELD_BIAS_Y, linear.bias_rate * error.y);
    put(c, WELD_BIAS_ANGLE, angular.bias_rate * angle);
}

TR_INLINE void weld_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                            float *impulses)
{
    float *c = impulses + TR_LANES * weld_plain_impulses;
    softness linear = softness_held(k, s->m), angular = softness_held(k, s->m);
    base_put(c, WELD_BASE, s);
    if (featured) {
        linear = softness_field(k, s->m, f, TR2_FIELD_LINEAR_KIND, lane);
        angular = softness_field(k, s->m, f, TR2_FIELD_ANGULAR_KIND, lane);
        softness_put(c, WELD_LINEAR, linear);
        softness_put(c, WELD_ANGULAR, angular);
    }
    put(c, WELD_ANGLE, s->angle);
    anchors n = anchors_first(s);
    weld_refresh(c, &n, n.d, s->angle, s->m, linear, angular);
}

TR_INLINE void weld_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                          motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * weld_plain_impulses;
    masses m = masses_get(c, WELD_BASE);
    w2 p = {get(impulses, 0), get(impulses, 1)};
    wf torque = get(impulses, 2);
    softness linear = featured ? softness_get(c, WELD_LINEAR) : softness_held(k, m);
    softness angular = featured ? softness_get(c, WELD_ANGULAR) : softness_held(k, m);

    if (pass.refresh) {
        anchors n = anchors_now(c, WELD_BASE, at);
        wf angle = get(c, WELD_ANGLE) + turned(k, pass, a, b);
        weld_refresh(c, &n, point_error(k, pass, a, b, &n), angle, m, linear, angular);
    }
    if (!pass.biased) {
        linear = softness_relaxed(linear);
        angular = softness_relaxed(angular);
    }
    w2 ra = {get(c, WELD_RA_X), get(c, WELD_RA_Y)};
    w2 rb = {get(c, WELD_RB_X), get(c, WELD_RB_Y)};

    if (pass.warm_start) {
        angle_apply(a, b, m, torque);
        point_apply(a, b, m, ra, rb, p);
        return;
    }

    w2 rate = point_rate(a, b, ra, rb);
    wf turn = b->w - a->w;
    sym3 inverse = {get(c, WELD_M + 0), get(c, WELD_M + 1), get(c, WELD_M + 2),
                    get(c, WELD_M + 3), get(c, WELD_M + 4), get(c, WELD_M + 5)};
    wf leak_point = get(c, WELD_LEAK_POINT), leak_angle = get(c, WELD_LEAK_ANGLE);
    if (!pass.biased) {
        weld_soft soft = weld_softness(m, ra, rb, linear, angular);
        inverse = weld_inverse(m, ra, rb, soft.gamma_point, soft.gamma_angle);
        leak_point = soft.leak_point;
        leak_angle = soft.leak_angle;
        if (featured) {
            rate.x = rate.x + linear.keep * get(c, WELD_BIAS_X);
            rate.y = rate.y + linear.keep * get(c, WELD_BIAS_Y);
            turn = turn + angular.keep * get(c, WELD_BIAS_ANGLE);
        }
    } else {
        rate.x = rate.x + get(c, WELD_BIAS_X);
        rate.y = rate.y + get(c, WELD_BIAS_Y);
        turn = turn + get(c, WELD_BIAS_ANGLE);
    }
    rate.x = rate.x + leak_point * p.x;
    rate.y = rate.y + leak_point * p.y;
    turn = turn + leak_angle * torque;
    w2 change = {-(inverse.xx * rate.x + inverse.xy * rate.y + inverse.xz * turn),
                 -(inverse.xy * rate.x + inverse.yy * rate.y + inverse.yz * turn)};
    wf twist = -(inverse.xz * rate.x + inverse.yz * rate.y + inverse.zz * turn);
    /* relaxed rows have none */
    if (pass.biased) {
        wf decay = softness_decay(linear);
        change = (w2){change.x - decay * p.x, change.y - decay * p.y};
        twist = twist - softness_decay(angular) * torque;
    }
    change = (w2){sane(change.x), sane(change.y)};
    twist = sane(twist);
    put(impulses, 0, p.x + change.x);
    put(impulses, 1, p.y + change.y);
    put(impulses, 2, torque + twist);
    angle_apply(a, b, m, twist);
    point_apply(a, b, m, ra, rb, change);
}

#endif

#ifdef TR_JOINT_LOOK

enum { weld_color = 0x444444 }; /* 0xRRGGBB */

/* a cross in a square */
static void draw_weld(joint_pen *pen)
{
    arms(pen);
    if (!pen->simple) {
        tr_vec2 at = pen->def->anchor_a;
        float h = 0.8f * pen->glyph;
        square(pen, pen->body_a, at, (tr_vec2){1.0f, 0.0f}, h, 0.15f);
        line_on(pen, pen->body_a, (tr_vec2){at.x - h, at.y - h}, (tr_vec2){at.x + h, at.y + h});
        line_on(pen, pen->body_a, (tr_vec2){at.x - h, at.y + h}, (tr_vec2){at.x + h, at.y - h});
    }
}

#endif
