/*
 * Pulley: a rope of limited length from A over two wheels fixed in the world to B; with a ratio it is a block and
 * tackle.
 *
 *   C = L - (ratio lA + lB) >= 0,  uI = (pI + rI) - groundI,  lI = |uI|,  nI = uI / lI
 *   J = -(ratio nA, ratio rA x nA, nB, rB x nB)
 *   K = ratio^2 (mA + iA (rA x nA)^2) + mB + iB (rB x nB)^2
 *
 * lambda >= 0: a rope can only pull. A slack rope may become taut within the sub-step. If lI vanishes, nI is undefined
 * and keeps its last value, initially straight down. A soft rope is a spring while taut; it acts from the first
 * sub-step that starts with the rope taut.
 */
#ifdef TR_JOINT_HOST

static bool pulley_is_featured(const tr2_joint_def *def)
{
    return !softness_is_rigid(def->linear);
}

/* one side: the length of the rope to its wheel, and its rate */
static double pulley_side(const tr2_joint_pose *pose, int side, tr_dvec2 ground, tr_dvec2 *n, double *rate)
{
    const tr_dvec2 r = side == 0 ? pose->r_a : pose->r_b, center = pose->body[side].center;
    tr_dvec2 u = {(center.x - ground.x) + r.x, (center.y - ground.y) + r.y};
    double length = measure_length(u);
    *n = length > 0.0 ? (tr_dvec2){u.x / length, u.y / length} : (tr_dvec2){0.0, -1.0};
    *rate = measure_dot(*n, pose->body[side].velocity);
    return length;
}

static void pulley_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    tr_dvec2 n;
    double rate_a, rate_b, ratio = (double)def->ratio;
    double length_a = pulley_side(pose, 0, def->ground_a, &n, &rate_a);
    double length_b = pulley_side(pose, 1, def->ground_b, &n, &rate_b);
    double length = ratio * length_a + length_b, beyond = fmax(length - (double)def->length, 0.0);
    out->linear_rigid = softness_is_rigid(def->linear);
    out->linear_error = out->linear_rigid ? (float)beyond : 0.0f;
    out->coordinate = (float)length;
    out->rate = (float)(ratio * rate_a + rate_b);
    out->energy = softness_energy(def->linear, beyond);
}

static void pulley_reaction(const tr2_joint_def *def, const tr2_joint_pose *pose, const float *impulse, float inv_h,
                            tr2_reaction *out)
{
    tr_dvec2 n;
    double rate, tension = (double)(impulse[0] * inv_h);
    (void)pulley_side(pose, 1, def->ground_b, &n, &rate);
    out->upper = -(impulse[0] * inv_h);
    out->force.x = (float)(-n.x * tension);
    out->force.y = (float)(-n.y * tension);
}

static void pulley_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    const tr_dvec2 ground[2] = {def->ground_a, def->ground_b}, down = {0.0, -1.0}, still = {0.0, 0.0};
    tr2_equation rope = equation_empty();
    for (uint32_t side = 0; side < 2; side++) {
        const tr2_joint_place *body = &pose->body[side];
        tr_dvec2 r = side == 0 ? pose->r_a : pose->r_b;
        tr_dvec2 u = {(body->center.x - ground[side].x) + r.x, (body->center.y - ground[side].y) + r.y};
        /* from the wheel, in the world's frame */
        view v = view_of(0.0, body->w, still, r, u, body->velocity);
        double length;
        tr2_equation part = equation_length(&v, 2, side, down, &length);
        rope = equation_sum(rope, equation_scaled(part, side == 0 ? (double)def->ratio : 1.0));
    }
    if (softness_is_rigid(def->linear)) {
        equations_upper(out, rope, (double)def->length, 0);
    } else {
        /* a spring that only pulls: what is left of its length */
        rope = equation_scaled(rope, -1.0);
        rope.value += (double)def->length;
        rope.least = 0.0;
        rope.part = TR_PART_UPPER;
        equations_hold(out, rope, def->linear, 0);
    }
}

static const tr2_joint_type_info pulley_info = {
    .name = "pulley",
    .spring_is = "`linear`",
    .fields = TR2_GROUP_ANCHORS | TR2_GROUP_GROUND | TR2_GROUP_LENGTH | TR2_GROUP_RATIO | TR2_GROUP_LINEAR,
    .impulse_count = 1,
    .impulse_names = {"rope"},
    .is_featured = pulley_is_featured,
    .measure = pulley_measure,
    .equations = pulley_equations,
    .reaction = pulley_reaction,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { pulley_plain_impulses = 1, pulley_featured_impulses = 1, pulley_is_common = false, pulley_few_need = 0 };

enum {
    PULLEY_PAIR, /* A's side multiplied by the ratio */
    PULLEY_RATIO = PULLEY_PAIR + PAIR_COLUMNS,
    PULLEY_LENGTH,
    PULLEY_GAP,   /* slack of the rope */
    PULLEY_K,     /* inverse of K */
    PULLEY_OUT_A, /* x, y: from ground point to centre of mass, at the start of the step */
    PULLEY_OUT_B = PULLEY_OUT_A + 2,
    PULLEY_BASE = PULLEY_OUT_B + 2,
    PULLEY_SOFT = PULLEY_BASE + BASE_COLUMNS,
    PULLEY_K_SOFT = PULLEY_SOFT + SOFT_COLUMNS, /* inverse of K + gamma */
    pulley_plain_columns = pulley_plain_impulses + PULLEY_SOFT,
    pulley_featured_columns = pulley_featured_impulses + PULLEY_K_SOFT + 1
};

/* length of u; *n becomes its direction times `by`, or stays if u is shorter than `least` */
TR_INLINE wf pulley_length(w2 u, wf least, wf by, w2 *n)
{
    wf length = wf_sqrt(dot(u, u));
    wm known = wf_lt(least, length);
    wf inverse = by * wf_inverse_or_zero(length);
    n->x = wf_select(known, u.x * inverse, n->x);
    n->y = wf_select(known, u.y * inverse, n->y);
    return length;
}

/* `u_a`, `u_b`: from the ground points to the anchors */
TR_INLINE void pulley_refresh(const tr2_kernel_context *context, float *c, bool featured, w2 ra, w2 rb, w2 u_a, w2 u_b,
                              masses m, softness s)
{
    pair r = pair_get(c, PULLEY_PAIR);
    wf ratio = get(c, PULLEY_RATIO);
    wf least = wf_set(TR_KNOWN_LENGTH * context->unit), one = wf_set(1.0f);
    wf length_a = pulley_length(u_a, least, ratio, &r.n_a), length_b = pulley_length(u_b, least, one, &r.n_b);
    r.arm_a = cross(ra, r.n_a);
    r.arm_b = cross(rb, r.n_b);
    pair_put(c, PULLEY_PAIR, r);
    put(c, PULLEY_GAP, get(c, PULLEY_LENGTH) - (ratio * length_a + length_b));
    wf k = pair_k(m, r);
    put(c, PULLEY_K, wf_inverse_or_zero(k));
    if (featured)
        put(c, PULLEY_K_SOFT, wf_inverse_or_zero(k + s.gamma));
}

TR_INLINE void pulley_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                              float *impulses)
{
    float *c = impulses + TR_LANES * pulley_plain_impulses;
    softness soft = softness_held(k, s->m);
    base_put(c, PULLEY_BASE, s);
    put(c, PULLEY_OUT_A, s->out_a.x);
    put(c, PULLEY_OUT_A + 1, s->out_a.y);
    put(c, PULLEY_OUT_B, s->out_b.x);
    put(c, PULLEY_OUT_B + 1, s->out_b.y);
    put(c, PULLEY_LENGTH, field(f, TR2_FIELD_LENGTH, lane));
    put(c, PULLEY_RATIO, field(f, TR2_FIELD_RATIO, lane));
    if (featured) {
        soft = softness_field(k, s->m, f, TR2_FIELD_LINEAR_KIND, lane);
        softness_put(c, PULLEY_SOFT, soft);
    }
    pair down = {{wf_zero(), -field(f, TR2_FIELD_RATIO, lane)}, {wf_zero(), wf_set(-1.0f)}, wf_zero(), wf_zero()};
    pair_put(c, PULLEY_PAIR, down);
    w2 u_a = {s->out_a.x + s->ra.x, s->out_a.y + s->ra.y}, u_b = {s->out_b.x + s->rb.x, s->out_b.y + s->rb.y};
    pulley_refresh(k, c, featured, s->ra, s->rb, u_a, u_b, s->m, soft);
}

/* vector from the ground point to the anchor, at the body's current pose */
TR_INLINE w2 pulley_out(const float *c, int first, const pose *p, w2 r)
{
    w2 u = {(get(c, first) + p->x) + r.x, (get(c, first + 1) + p->y) + r.y};
    return u;
}

TR_INLINE void pulley_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                            motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * pulley_plain_impulses;
    masses m = masses_get(c, PULLEY_BASE);
    wf impulse = get(impulses, 0);
    softness s = featured ? softness_get(c, PULLEY_SOFT) : softness_held(k, m);

    if (pass.refresh) {
        anchors n = anchors_now(c, PULLEY_BASE, at);
        pulley_refresh(k, c, featured, n.ra, n.rb, pulley_out(c, PULLEY_OUT_A, &at->a, n.ra),
                       pulley_out(c, PULLEY_OUT_B, &at->b, n.rb), m, s);
    }
    pair r = pair_get(c, PULLEY_PAIR);

    if (pass.warm_start) {
        pair_apply(a, b, m, r, -impulse);
        return;
    }

    wf rate = -pair_rate(a, b, r), gap = begun(k, pass, get(c, PULLEY_GAP), rate);
    wf change = limit_change(k, pass, gap, rate, get(c, PULLEY_K), impulse);
    if (featured) {
        /* a spring while taut, nothing while slack */
        wf pull = sane(-(s.mass_scale * get(c, PULLEY_K_SOFT) * (rate + s.bias_rate * gap + s.gamma * impulse)) -
                       s.impulse_scale * impulse);
        pull = wf_max(impulse + pull, wf_zero()) - impulse;
        wm slack = wf_lt(wf_zero(), gap), soft = wf_lt(wf_zero(), s.keep);
        change = wf_select(soft, wf_select(slack, -impulse, pull), change);
    }
    put(impulses, 0, impulse + change);
    pair_apply(a, b, m, r, -change);
}

#endif

#ifdef TR_JOINT_LOOK

enum { pulley_color = 0x8d5a00 }; /* 0xRRGGBB */

static tr_vec2 from_origin(const joint_pen *pen, tr_dvec2 point)
{
    return (tr_vec2){(float)(point.x - pen->origin.x), (float)(point.y - pen->origin.y)};
}

static void line_between(const joint_pen *pen, uint32_t body_a, tr_vec2 a, uint32_t body_b, tr_vec2 b)
{
    const tr_vec2 points[2] = {a, b};
    drawing_add(pen->drawing, joint_mark(pen, MARK_LINE, body_a, body_b), points, 2);
}

/* the rope and its two wheels */
static void draw_pulley(joint_pen *pen)
{
    const tr2_joint_def *def = pen->def;
    tr_vec2 ground_a = from_origin(pen, def->ground_a), ground_b = from_origin(pen, def->ground_b);
    arms(pen);
    line_between(pen, pen->body_a, def->anchor_a, pen->world, ground_a);
    line_on(pen, pen->world, ground_a, ground_b);
    line_between(pen, pen->body_b, def->anchor_b, pen->world, ground_b);
    if (!pen->simple) {
        ring(pen, pen->world, ground_a, pen->glyph, 0.25f);
        ring(pen, pen->world, ground_b, pen->glyph, 0.25f);
        ring(pen, pen->body_a, def->anchor_a, 0.45f * pen->glyph, 1.0f);
        ring(pen, pen->body_b, def->anchor_b, 0.45f * pen->glyph, 1.0f);
    }
}

#endif
