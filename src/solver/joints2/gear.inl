/*
 * Gear: a coordinate of A and one of B in a fixed ratio, each the angle of its body or its anchor's travel along an axis
 * fixed in the world. Two angles are wheels in mesh, an angle and a travel rack and pinion.
 *
 *   C = coordB + ratio coordA - offset,  coord = angle, or axis . (p + r)
 *   J = (ratio nA, ratio armA, nB, armB),  n = 0, arm = 1 where it turns; n = axis, arm = r x axis where it slides
 *   K = ratio^2 (mA nA^2 + iA armA^2) + mB nB^2 + iB armB^2
 *
 * So ratio 1 turns equal wheels opposite ways. The impulse acts along J on each body by itself: what holds their bearings in
 * the world takes the rest, and neither momentum is kept. The bodies' angles are not wrapped, so C is exact after any number
 * of turns.
 * Source: seed 001's J and K; ratio and coordinates as the peers have them.
 */
#ifdef TR2_JOINT_HOST

static bool gear_is_featured(const tr2_joint_def *def)
{
    return !softness_is_rigid(def->angular);
}

/* coordinate of B plus ratio times that of A, in doubles; and its rate */
static double gear_coordinate(const tr2_joint_def *def, const tr2_joint_pose *pose, double *rate)
{
    const bool slides[2] = {def->slides_a, def->slides_b};
    const tr_vec2 axis[2] = {def->axis, def->axis_b};
    const tr_dvec2 r[2] = {pose->r_a, pose->r_b};
    double coordinate[2], rates[2];
    for (int i = 0; i < 2; i++) {
        tr_dvec2 n = {(double)axis[i].x, (double)axis[i].y};
        coordinate[i] = slides[i] ? measure_dot(n, pose->body[i].center) + measure_dot(n, r[i]) : pose->body[i].angle;
        rates[i] = slides[i] ? measure_dot(n, pose->body[i].velocity) : pose->body[i].w;
    }
    *rate = rates[1] + (double)def->ratio * rates[0];
    return coordinate[1] + (double)def->ratio * coordinate[0];
}

static void gear_complete(tr2_joint_def *def, const tr2_joint_pose *pose)
{
    double rate;
    if (!def->meshed)
        def->offset = gear_coordinate(def, pose, &rate);
    def->meshed = true;
}

static void gear_measure(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_joint_measure *out)
{
    double rate, c = gear_coordinate(def, pose, &rate) - def->offset;
    bool rigid = softness_is_rigid(def->angular);
    out->linear_rigid = rigid && def->slides_b;
    out->angular_rigid = rigid && !def->slides_b;
    out->linear_error = out->linear_rigid ? (float)fabs(c) : 0.0f;
    out->angular_error = out->angular_rigid ? (float)fabs(c) : 0.0f;
    out->coordinate = (float)c;
    out->rate = (float)rate;
    out->energy = softness_energy(def->angular, c);
}

static void gear_reaction(const tr2_joint_def *def, const tr2_joint_pose *pose, const float *impulse, float inv_h,
                          tr2_reaction *out)
{
    (void)pose;
    float tooth = impulse[0] * inv_h;
    out->force.x = def->slides_b ? def->axis_b.x * tooth : 0.0f;
    out->force.y = def->slides_b ? def->axis_b.y * tooth : 0.0f;
    out->torque = def->slides_b ? 0.0f : tooth;
}

static const tr2_joint_type_info gear_info = {
    .name = "gear",
    .fields =
        TR2_GROUP_ANCHORS | TR2_GROUP_RATIO | TR2_GROUP_AXIS | TR2_GROUP_AXIS_B | TR2_GROUP_MESH | TR2_GROUP_ANGULAR,
    .impulse_count = 1,
    .impulse_names = {"mesh"},
    .is_featured = gear_is_featured,
    .complete = gear_complete,
    .measure = gear_measure,
    .reaction = gear_reaction,
};

#endif

#ifdef TR2_JOINT_KERNEL

enum { gear_plain_impulses = 1, gear_featured_impulses = 1 };

enum {
    GEAR_PAIR,                              /* A's side times the ratio */
    GEAR_TURN_A = GEAR_PAIR + PAIR_COLUMNS, /* what a turn alone counts: ratio, or 0 where it slides */
    GEAR_TURN_B,
    GEAR_MESH, /* C as the step began, but for the anchors' part */
    GEAR_NOW,  /* C */
    GEAR_MASS, /* soft inverse of K */
    GEAR_BASE,
    GEAR_SOFT = GEAR_BASE + BASE_COLUMNS,
    gear_plain_columns = gear_plain_impulses + GEAR_SOFT,
    gear_featured_columns = gear_featured_impulses + GEAR_SOFT + SOFT_COLUMNS
};

/* `moved`: what the centres' travel and the turns add to C */
TR_INLINE void gear_refresh(float *c, w2 ra, w2 rb, wf moved, masses m, softness s)
{
    pair r = pair_get(c, GEAR_PAIR);
    r.arm_a = get(c, GEAR_TURN_A) + cross(ra, r.n_a);
    r.arm_b = get(c, GEAR_TURN_B) + cross(rb, r.n_b);
    put(c, GEAR_PAIR + PAIR_ARM_A, r.arm_a);
    put(c, GEAR_PAIR + PAIR_ARM_B, r.arm_b);
    put(c, GEAR_NOW, (get(c, GEAR_MESH) + moved) + (dot(r.n_a, ra) + dot(r.n_b, rb)));
    put(c, GEAR_MASS, wf_inverse_or_zero(pair_k(m, r) + s.gamma));
}

TR_INLINE void gear_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                            float *impulses)
{
    float *c = impulses + TR_LANES * gear_plain_impulses;
    const wf zero = wf_zero(), one = wf_set(1.0f);
    softness soft = softness_held(k, s->m);
    base_put(c, GEAR_BASE, s);
    if (featured) {
        soft = softness_field(k, s->m, f, TR2_ANGULAR_KIND, lane);
        softness_put(c, GEAR_SOFT, soft);
    }
    wm slides_a = wf_lt(zero, field(f, TR2_SLIDES_A, lane)), slides_b = wf_lt(zero, field(f, TR2_SLIDES_B, lane));
    wf ratio = field(f, TR2_RATIO, lane);
    pair r = {
        {wf_keep(slides_a, ratio * field(f, TR2_AXIS_X, lane)), wf_keep(slides_a, ratio * field(f, TR2_AXIS_Y, lane))},
        {wf_keep(slides_b, field(f, TR2_AXIS_B_X, lane)), wf_keep(slides_b, field(f, TR2_AXIS_B_Y, lane))},
        zero,
        zero};
    pair_put(c, GEAR_PAIR, r);
    put(c, GEAR_TURN_A, wf_select(slides_a, zero, ratio));
    put(c, GEAR_TURN_B, wf_select(slides_b, zero, one));
    put(c, GEAR_MESH, s->mesh);
    gear_refresh(c, s->ra, s->rb, zero, s->m, soft);
}

TR_INLINE void gear_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                          motion *b, const pose *pa, const pose *pb)
{
    float *c = impulses + TR_LANES * gear_plain_impulses;
    masses m = masses_get(c, GEAR_BASE);
    wf impulse = get(impulses, 0);
    softness s = featured ? softness_get(c, GEAR_SOFT) : softness_held(k, m);

    if (pass.refresh) {
        anchors n = anchors_now(c, GEAR_BASE, pa, pb);
        pair r = pair_get(c, GEAR_PAIR);
        wf spun = get(c, GEAR_TURN_A) * a->angle + get(c, GEAR_TURN_B) * b->angle;
        wf slid = (r.n_a.x * pa->x + r.n_a.y * pa->y) + (r.n_b.x * pb->x + r.n_b.y * pb->y);
        gear_refresh(c, n.ra, n.rb, spun + slid, m, s);
    }
    if (!pass.biased)
        s = softness_relaxed(s);
    pair r = pair_get(c, GEAR_PAIR);

    if (pass.warm_start) {
        pair_apply(a, b, m, r, impulse);
        return;
    }

    wf rate = pair_rate(a, b, r), now = begun(k, pass, get(c, GEAR_NOW), rate);
    rate = rate + s.bias_rate * now + s.gamma * impulse;
    wf change = sane(-(s.mass_scale * get(c, GEAR_MASS) * rate) - s.impulse_scale * impulse);
    put(impulses, 0, impulse + change);
    pair_apply(a, b, m, r, change);
}

#endif

#ifdef TR2_JOINT_LOOK

enum { gear_color = 0xad1457 }; /* 0xRRGGBB */

static tr_dvec2 anchor_place(const tr2_body_def *at, tr_vec2 anchor)
{
    double c = cos(at->angle), s = sin(at->angle), x = (double)anchor.x, y = (double)anchor.y;
    return (tr_dvec2){at->position.x + c * x - s * y, at->position.y + s * x + c * y};
}

/* the radius of the pitch circle of a side that turns: where the two roll on each other without slipping */
static float pitch_radius(const joint_pen *pen, bool is_b)
{
    const tr2_joint_def *def = pen->def;
    float ratio = fabsf(def->ratio), radius;
    if (is_b ? def->slides_a : def->slides_b) {
        radius = is_b ? 1.0f / ratio : ratio;
    } else {
        tr_dvec2 a = anchor_place(pen->at_a, def->anchor_a), b = anchor_place(pen->at_b, def->anchor_b);
        radius = (float)hypot(b.x - a.x, b.y - a.y) / fabsf(1.0f + def->ratio) * (is_b ? 1.0f : ratio);
    }
    return radius > pen->glyph && radius < FULL_RAIL * pen->reach ? radius : pen->glyph;
}

/* a side that turns has its pitch circle, one that slides its pitch line */
static void pitch(const joint_pen *pen, bool is_b)
{
    const tr2_joint_def *def = pen->def;
    uint32_t body = is_b ? pen->body_b : pen->body_a;
    tr_vec2 at = is_b ? def->anchor_b : def->anchor_a;
    if (is_b ? !def->slides_b : !def->slides_a) {
        mark m = joint_mark(pen, MARK_CIRCLE, body, body);
        m.size = pitch_radius(pen, is_b);
        m.dash = DASH_DASHED;
        drawing_add(pen->drawing, m, &at, 1);
        return;
    }
    /* the axis is the world's, and the body does not turn */
    tr_vec2 axis = is_b ? def->axis_b : def->axis;
    double angle = is_b ? pen->at_b->angle : pen->at_a->angle;
    float c = (float)cos(angle), s = (float)sin(angle), length = hypotf(axis.x, axis.y);
    float x = (c * axis.x + s * axis.y) / length * pen->reach, y = (c * axis.y - s * axis.x) / length * pen->reach;
    const tr_vec2 points[2] = {{at.x - x, at.y - y}, {at.x + x, at.y + y}};
    mark m = joint_mark(pen, MARK_LINE, body, body);
    m.dash = DASH_DASHED;
    drawing_add(pen->drawing, m, points, 2);
}

static void draw_gear(joint_pen *pen)
{
    pitch(pen, false);
    pitch(pen, true);
    if (!pen->simple) {
        ring(pen, pen->body_a, pen->def->anchor_a, 0.45f * pen->glyph, 1.0f);
        ring(pen, pen->body_b, pen->def->anchor_b, 0.45f * pen->glyph, 1.0f);
    }
}

#endif
