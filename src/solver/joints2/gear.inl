/*
 * Gear: a coordinate of A and a coordinate of B in a fixed ratio. Each is relative to the world or to a carrier, a
 * third or fourth body. It is the body's angle relative to its carrier, or the travel of its anchor along an axis fixed
 * in the carrier. Two angles are meshing wheels; an angle and a travel are rack and pinion.
 *
 *   C = coordB + ratio coordA - offset
 *   coord = angle - angle of the carrier             J = (0, 1), of the carrier (0, -1)
 *   coord = n . (p + r - o), o the carrier's origin  J = (n, r x n), of the carrier (-n, -(p + r - pc) x n)
 *   K = sum over bodies of m N^2 + i W^2, (N, W) the body's part of J; if a body is at two ends, the sum of both parts
 *
 * So with ratio 1, equal wheels turn in opposite directions. Between body and carrier the impulse acts at one point,
 * and linear and angular momentum are conserved. Against the world it acts along J on each body alone; the world,
 * through the bearings, takes the rest. The bodies' angles are not wrapped, so C is exact after any number of turns.
 */
#ifdef TR_JOINT_HOST

/* the plain kernel handles gears against the world */
static bool gear_is_featured(const tr2_joint_def *def)
{
    return !softness_is_rigid(def->angular) || def->carrier_a.index != 0 || def->carrier_b.index != 0;
}

/* a body's coordinate relative to its carrier, in double, and its rate */
static double gear_side(bool slides, tr_vec2 axis, tr_dvec2 r, const tr2_joint_place *body,
                        const tr2_joint_place *carrier, double *rate)
{
    *rate = body->w - carrier->w;
    if (!slides)
        return body->angle - carrier->angle;
    double x = (double)axis.x, y = (double)axis.y;
    tr_dvec2 n = {carrier->c * x - carrier->s * y, carrier->s * x + carrier->c * y};
    tr_dvec2 from = {(body->center.x - carrier->center.x) + r.x, (body->center.y - carrier->center.y) + r.y};
    tr_dvec2 velocity = {body->velocity.x - carrier->velocity.x, body->velocity.y - carrier->velocity.y};
    *rate = measure_dot(n, velocity) - carrier->w * measure_cross(from, n);
    tr_dvec2 out = {body->center.x - carrier->origin.x, body->center.y - carrier->origin.y};
    return measure_dot(n, out) + measure_dot(n, r);
}

/* coordinate of B plus ratio times coordinate of A, and its rate */
static double gear_coordinate(const tr2_joint_def *def, const tr2_joint_pose *pose, double *rate)
{
    double rate_a, rate_b, ratio = (double)def->ratio;
    double a = gear_side(def->slides_a, def->axis, pose->r_a, &pose->body[0], &pose->body[2], &rate_a);
    double b = gear_side(def->slides_b, def->axis_b, pose->r_b, &pose->body[1], &pose->body[3], &rate_b);
    *rate = rate_b + ratio * rate_a;
    return b + ratio * a;
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
    float tooth = impulse[0] * inv_h;
    const tr2_joint_place *carrier = &pose->body[3];
    double x = (double)def->axis_b.x, y = (double)def->axis_b.y;
    out->force.x = def->slides_b ? (float)(carrier->c * x - carrier->s * y) * tooth : 0.0f;
    out->force.y = def->slides_b ? (float)(carrier->s * x + carrier->c * y) * tooth : 0.0f;
    out->torque = def->slides_b ? 0.0f : tooth;
}

static void gear_equations(const tr2_joint_def *def, const tr2_joint_pose *pose, tr2_equations *out)
{
    tr2_equation mesh = equation_empty();
    for (uint32_t side = 0; side < 2; side++) {
        const tr2_joint_place *body = &pose->body[side], *carrier = &pose->body[2 + side];
        tr2_equation row = equation_empty();
        if (side == 0 ? def->slides_a : def->slides_b) {
            tr_vec2 axis = side == 0 ? def->axis : def->axis_b;
            tr_dvec2 r = side == 0 ? pose->r_a : pose->r_b;
            tr_dvec2 n = {carrier->c * (double)axis.x - carrier->s * (double)axis.y,
                          carrier->s * (double)axis.x + carrier->c * (double)axis.y};
            tr_dvec2 origin = tr2_minus(carrier->origin, carrier->center);
            tr_dvec2 out_of = {(body->center.x - carrier->origin.x) + r.x, (body->center.y - carrier->origin.y) + r.y};
            tr_dvec2 speed = tr2_minus(tr2_minus(body->velocity, carrier->velocity), tr2_whirl(carrier->w, origin));
            view v = view_of(carrier->w, body->w, origin, r, out_of, speed);
            row = equation_between(&v, 2 + side, side, n);
        } else {
            row.j[2 + side][2] = -1.0;
            row.j[side][2] = 1.0;
            row.value = body->angle - carrier->angle;
            row.rate = body->w - carrier->w;
        }
        mesh = equation_sum(mesh, equation_scaled(row, side == 0 ? (double)def->ratio : 1.0));
    }
    mesh.value -= def->offset;
    mesh.linear = def->slides_b;
    equations_hold(out, mesh, def->angular, 0);
}

static const tr2_joint_type_info gear_info = {
    .name = "gear",
    .spring_is = "`angular`",
    .fields =
        TR2_GROUP_ANCHORS | TR2_GROUP_RATIO | TR2_GROUP_AXIS | TR2_GROUP_AXIS_B | TR2_GROUP_MESH | TR2_GROUP_ANGULAR,
    .impulse_count = 1,
    .impulse_names = {"mesh"},
    .has_carriers = true,
    .is_featured = gear_is_featured,
    .complete = gear_complete,
    .measure = gear_measure,
    .equations = gear_equations,
    .reaction = gear_reaction,
};

#endif

#ifdef TR_JOINT_KERNEL

#include "solver/plane/carried.inl"

enum { gear_plain_impulses = 1, gear_featured_impulses = 1, gear_is_common = false, gear_few_need = 0 };

/* relative to the world */
enum {
    GEAR_PAIR,                              /* A's side multiplied by the ratio */
    GEAR_TURN_A = GEAR_PAIR + PAIR_COLUMNS, /* factor of the angle: ratio, or 0 for travel */
    GEAR_TURN_B,
    GEAR_MESH, /* C at the start of the step, without the anchors' part */
    GEAR_NOW,  /* C */
    GEAR_MASS, /* inverse of K */
    GEAR_BASE,
    gear_plain_columns = gear_plain_impulses + GEAR_BASE + BASE_COLUMNS
};

/* relative to carriers, or soft */
enum {
    GEAR_FOUR,                                /* A's side multiplied by the ratio */
    GEAR_FIRST = GEAR_FOUR + CARRIED_COLUMNS, /* C at the start of the step */
    GEAR_FOUR_NOW,                            /* C */
    GEAR_FOUR_MASS,                           /* inverse of K, with the softness */
    GEAR_FOUR_BASE,
    GEAR_SOFT = GEAR_FOUR_BASE + BASE_COLUMNS,
    GEAR_ROWS = GEAR_SOFT + SOFT_COLUMNS,
    gear_featured_columns = gear_featured_impulses + GEAR_ROWS + 2
};

/* ratio and axes for both kernels: A's side multiplied by the ratio; the axis is 0 for an angle */
typedef struct gear_axes {
    wf turn_a, turn_b;
    w2 n_a, n_b;
} gear_axes;

TR_INLINE gear_axes gear_axes_of(tr2_fields f, int lane)
{
    const wf zero = wf_zero();
    wm slides_a = wf_lt(zero, field(f, TR2_FIELD_SLIDES_A, lane)),
       slides_b = wf_lt(zero, field(f, TR2_FIELD_SLIDES_B, lane));
    wf ratio = field(f, TR2_FIELD_RATIO, lane);
    gear_axes r;
    r.turn_a = wf_select(slides_a, zero, ratio);
    r.turn_b = wf_select(slides_b, zero, wf_set(1.0f));
    r.n_a.x = wf_keep(slides_a, ratio * field(f, TR2_FIELD_AXIS_X, lane));
    r.n_a.y = wf_keep(slides_a, ratio * field(f, TR2_FIELD_AXIS_Y, lane));
    r.n_b.x = wf_keep(slides_b, field(f, TR2_FIELD_AXIS_B_X, lane));
    r.n_b.y = wf_keep(slides_b, field(f, TR2_FIELD_AXIS_B_Y, lane));
    return r;
}

/* a body at the start of the step */
typedef struct gear_body {
    double x, y, angle;
    float c, s;
    tr_vec2 local_center;
} gear_body;

TR_INLINE gear_body gear_body_at(const tr2_kernel_context *k, int32_t body)
{
    tr2_body_place place = place_at(k, body);
    gear_body r = {.x = place.x,
                   .y = place.y,
                   .angle = angle_at(k, body),
                   .c = frame_at(k, body, 0),
                   .s = frame_at(k, body, 1),
                   .local_center = center_at(k, body)};
    return r;
}

/* one side's coordinate in double, as in gear_side(); without the anchor's part if there is no anchor */
TR_INLINE double gear_lane(bool slides, float axis_x, float axis_y, const float *anchor_x, const float *anchor_y,
                           const gear_body *body, const gear_body *carrier)
{
    if (!slides)
        return body->angle - carrier->angle;
    double x = (double)axis_x, y = (double)axis_y, c = (double)carrier->c, s = (double)carrier->s;
    double nx = c * x - s * y, ny = s * x + c * y;
    double cx = (double)carrier->local_center.x, cy = (double)carrier->local_center.y;
    double out = nx * (body->x - (carrier->x - (c * cx - s * cy))) + ny * (body->y - (carrier->y - (s * cx + c * cy)));
    if (anchor_x == NULL)
        return out;
    double rx = (double)*anchor_x - (double)body->local_center.x, ry = (double)*anchor_y - (double)body->local_center.y;
    double bc = (double)body->c, bs = (double)body->s;
    return out + (nx * (bc * rx - bs * ry) + ny * (bs * rx + bc * ry));
}

/* C at the start of the step; relative to the world (rows null) without the anchors' part */
TR_INLINE wf gear_first(const tr2_kernel_context *k, tr2_fields f, int lane, const setup *s, const int32_t *rows_a,
                        const int32_t *rows_b)
{
    float first[TR_WIDTH];
    const int32_t world = TR2_ROW * k->moving_end;
    for (int i = 0; i < TR_WIDTH; i++) {
        int at = lane + i;
        const gear_body body_a = gear_body_at(k, s->row_a[i]), body_b = gear_body_at(k, s->row_b[i]);
        const gear_body ca = gear_body_at(k, rows_a != NULL ? rows_a[i] : world);
        const gear_body cb = gear_body_at(k, rows_b != NULL ? rows_b[i] : world);
        const bool anchored = rows_a != NULL;
        double a =
            gear_lane(f[TR2_FIELD_SLIDES_A][at] > 0.0f, f[TR2_FIELD_AXIS_X][at], f[TR2_FIELD_AXIS_Y][at],
                      anchored ? &f[TR2_FIELD_ANCHOR_A_X][at] : NULL, &f[TR2_FIELD_ANCHOR_A_Y][at], &body_a, &ca);
        double b =
            gear_lane(f[TR2_FIELD_SLIDES_B][at] > 0.0f, f[TR2_FIELD_AXIS_B_X][at], f[TR2_FIELD_AXIS_B_Y][at],
                      anchored ? &f[TR2_FIELD_ANCHOR_B_X][at] : NULL, &f[TR2_FIELD_ANCHOR_B_Y][at], &body_b, &cb);
        first[i] = 0.0f;
        if (s->rows[i] != TR_NONE)
            first[i] = (float)((b + (double)f[TR2_FIELD_RATIO][at] * a) -
                               wide_field(s->columns, TR2_FIELD_OFFSET, s->rows[i]));
    }
    return wf_load(first);
}

/*
 * Relative to the world
 */

/* `moved`: change of C by the travel of the centres and by the rotations */
TR_INLINE void gear_refresh(float *c, w2 ra, w2 rb, wf moved, masses m)
{
    pair r = pair_get(c, GEAR_PAIR);
    r.arm_a = get(c, GEAR_TURN_A) + cross(ra, r.n_a);
    r.arm_b = get(c, GEAR_TURN_B) + cross(rb, r.n_b);
    put(c, GEAR_PAIR + PAIR_ARM_A, r.arm_a);
    put(c, GEAR_PAIR + PAIR_ARM_B, r.arm_b);
    put(c, GEAR_NOW, (get(c, GEAR_MESH) + moved) + (dot(r.n_a, ra) + dot(r.n_b, rb)));
    put(c, GEAR_MASS, wf_inverse_or_zero(pair_k(m, r)));
}

TR_INLINE void gear_prepare_pair(const tr2_kernel_context *k, tr2_fields f, int lane, const setup *s, float *c)
{
    const wf zero = wf_zero();
    gear_axes axes = gear_axes_of(f, lane);
    base_put(c, GEAR_BASE, s);
    pair_put(c, GEAR_PAIR, (pair){axes.n_a, axes.n_b, zero, zero});
    put(c, GEAR_TURN_A, axes.turn_a);
    put(c, GEAR_TURN_B, axes.turn_b);
    put(c, GEAR_MESH, gear_first(k, f, lane, s, NULL, NULL));
    gear_refresh(c, s->ra, s->rb, zero, s->m);
}

TR_INLINE void gear_visit_pair(const tr2_kernel_context *k, tr2_pass pass, float *c, float *impulses, motion *a,
                               motion *b, const pose_pair *at)
{
    masses m = masses_get(c, GEAR_BASE);
    wf impulse = get(impulses, 0);
    if (pass.refresh) {
        anchors n = anchors_now(c, GEAR_BASE, at);
        pair r = pair_get(c, GEAR_PAIR);
        wf spun = get(c, GEAR_TURN_A) * a->angle + get(c, GEAR_TURN_B) * b->angle;
        wf slid = (r.n_a.x * at->a.x + r.n_a.y * at->a.y) + (r.n_b.x * at->b.x + r.n_b.y * at->b.y);
        gear_refresh(c, n.ra, n.rb, spun + slid, m);
    }
    softness s = softness_with(softness_held(k, m), k->gear);
    if (!pass.biased)
        s = softness_relaxed(s);
    pair r = pair_get(c, GEAR_PAIR);
    if (pass.warm_start) {
        pair_apply(a, b, m, r, impulse);
        return;
    }

    wf rate = pair_rate(a, b, r), now = begun(k, pass, get(c, GEAR_NOW), rate);
    wf change = soft_change_by(s, rate, now, get(c, GEAR_MASS), impulse);
    put(impulses, 0, impulse + change);
    pair_apply(a, b, m, r, change);
}

/*
 * Relative to carriers
 */
TR_INLINE void gear_refresh_four(float *c, wf first, masses m, softness s)
{
    carried r = carried_get(c, GEAR_FOUR);
    put(c, GEAR_FOUR_NOW, first);
    put(c, GEAR_FOUR_MASS, wf_inverse_or_zero(carried_k(c, GEAR_FOUR, &r, m) + s.gamma));
}

TR_INLINE void gear_prepare_four(const tr2_kernel_context *k, tr2_fields f, int lane, const setup *s, float *c)
{
    const int32_t *rows_a = carrier_rows(c, GEAR_ROWS, 0), *rows_b = carrier_rows(c, GEAR_ROWS, 1);
    gear_axes axes = gear_axes_of(f, lane);
    softness soft = softness_with(softness_field(k, s->m, f, TR2_FIELD_ANGULAR_KIND, lane), k->gear);
    base_put(c, GEAR_FOUR_BASE, s);
    softness_put(c, GEAR_SOFT, soft);
    const float *frames = (const float *)k->frames;
    int32_t at_a[TR_WIDTH], at_b[TR_WIDTH];
    frame_rows(k, rows_a, TR_WIDTH, at_a);
    frame_rows(k, rows_b, TR_WIDTH, at_b);
    w4 fa = w4_load_rows(frames, at_a, 1), fb = w4_load_rows(frames, at_b, 1);
    carried_prepare(c, GEAR_FOUR, s, rows_a, rows_b, fa, fb);
    side_prepare(c, GEAR_FOUR + CARRIED_SIDE_A, axes.turn_a, rotate(fa.x, fa.y, axes.n_a),
                 carrier_distance(k, rows_a, s->row_a), s->ra);
    side_prepare(c, GEAR_FOUR + CARRIED_SIDE_B, axes.turn_b, rotate(fb.x, fb.y, axes.n_b),
                 carrier_distance(k, rows_b, s->row_b), s->rb);
    put(c, GEAR_FIRST, gear_first(k, f, lane, s, rows_a, rows_b));
    gear_refresh_four(c, get(c, GEAR_FIRST), s->m, soft);
}

TR_INLINE void gear_visit_four(const tr2_kernel_context *k, tr2_pass pass, float *c, float *impulses, motion *a,
                               motion *b, const pose_pair *at)
{
    const int32_t *rows_a = carrier_rows(c, GEAR_ROWS, 0), *rows_b = carrier_rows(c, GEAR_ROWS, 1);
    const pose still = {wf_zero(), wf_zero(), wf_set(1.0f), wf_zero()};
    masses m = masses_get(c, GEAR_FOUR_BASE);
    softness s = softness_get(c, GEAR_SOFT);
    wf impulse = get(impulses, 0);
    motion ca = carrier_motion(k, rows_a), cb = carrier_motion(k, rows_b);
    motion ca0 = ca, cb0 = cb;
    pose pca = pass.refresh ? carrier_pose(k, rows_a) : still, pcb = pass.refresh ? carrier_pose(k, rows_b) : still;

    if (pass.refresh) {
        anchors n = anchors_now(c, GEAR_FOUR_BASE, at);
        wf slid_a = side_refresh(c, GEAR_FOUR + CARRIED_SIDE_A, n.ra, &at->a, &pca);
        wf slid_b = side_refresh(c, GEAR_FOUR + CARRIED_SIDE_B, n.rb, &at->b, &pcb);
        wf spun = get(c, GEAR_FOUR + CARRIED_SIDE_A + SIDE_TURN) * (a->angle - ca.angle) +
                  get(c, GEAR_FOUR + CARRIED_SIDE_B + SIDE_TURN) * (b->angle - cb.angle);
        gear_refresh_four(c, get(c, GEAR_FIRST) + (spun + (slid_a + slid_b)), m, s);
    }
    if (!pass.biased)
        s = softness_relaxed(s);
    carried r = carried_get(c, GEAR_FOUR);
    wf change = impulse;
    if (!pass.warm_start) {
        wf rate = carried_rate(&r, a, b, &ca, &cb), now = begun(k, pass, get(c, GEAR_FOUR_NOW), rate);
        change = soft_change_by(s, rate, now, get(c, GEAR_FOUR_MASS), impulse);
        put(impulses, 0, impulse + change);
    }
    carried_push(c, GEAR_FOUR, &r, m, a, b, &ca, &cb, change);
    if (pass.project) {
        carrier_store(k, k->poses, rows_a, moved_on(k, pca, &ca, ca0));
        carrier_store(k, k->poses, rows_b, moved_on(k, pcb, &cb, cb0));
    }
    carrier_store(k, k->velocities, rows_a, motion_record(ca));
    carrier_store(k, k->velocities, rows_b, motion_record(cb));
}

TR_INLINE void gear_prepare(const tr2_kernel_context *k, bool featured, tr2_fields f, int lane, const setup *s,
                            float *impulses)
{
    float *c = impulses + TR_LANES * gear_plain_impulses;
    if (featured)
        gear_prepare_four(k, f, lane, s, c);
    else
        gear_prepare_pair(k, f, lane, s, c);
}

TR_INLINE void gear_visit(const tr2_kernel_context *k, tr2_pass pass, bool featured, float *impulses, motion *a,
                          motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * gear_plain_impulses;
    if (featured)
        gear_visit_four(k, pass, c, impulses, a, b, at);
    else
        gear_visit_pair(k, pass, c, impulses, a, b, at);
}

#endif

#ifdef TR_JOINT_LOOK

enum { gear_color = 0xad1457 }; /* 0xRRGGBB */

static tr_dvec2 anchor_place(const tr2_body_def *at, tr_vec2 anchor)
{
    double c = cos(at->angle), s = sin(at->angle), x = (double)anchor.x, y = (double)anchor.y;
    return (tr_dvec2){at->position.x + c * x - s * y, at->position.y + s * x + c * y};
}

/* radius of the pitch circle of a rotating side, on which the two sides roll without slipping */
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

/* draws a rotating side's pitch circle, or a sliding side's pitch line */
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
    /* the axis belongs to the carrier; relative to it, the body does not rotate */
    tr_vec2 axis = is_b ? def->axis_b : def->axis;
    double angle = is_b ? pen->at_b->angle - pen->carried_b : pen->at_a->angle - pen->carried_a;
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
