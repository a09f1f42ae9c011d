/*
 * Pulley: a rope of limited length from A over two points to B; with a ratio it is a block and tackle. Each point is
 * fixed in the world or in a carrier, a third or fourth body.
 *
 *   C = L - (ratio lA + lB) >= 0,  uI = (pI + rI) - groundI,  lI = |uI|,  nI = uI / lI
 *   J = -(ratio nA, ratio rA x nA, nB, rB x nB), of the carriers the opposite forces at the same points
 *   K = sum over bodies of m N . N + W . I W, (N, W) the body's part of J; if a body is at two ends, the sum of both
 *
 * lambda >= 0: a rope can only pull. A slack rope may become taut within the sub-step. If lI vanishes, nI is undefined
 * and keeps its last value, initially straight down. A soft rope is a spring while taut; it acts from the first
 * sub-step that starts with the rope taut.
 */
#ifdef TR_JOINT_HOST

/* the plain kernel handles ropes over points of the world */
static bool pulley_is_featured(const tr3_joint_def *def)
{
    return !softness_is_rigid(def->linear) || def->carrier_a.index != 0 || def->carrier_b.index != 0;
}

/* the length of a side, whose anchor is seen from its ground point */
static tr3_equation pulley_side(const tr3_joint_def *def, const tr3_joint_pose *pose, uint32_t side, tr_dvec3 *n)
{
    const tr_dvec3 ground = side == 0 ? def->ground_a : def->ground_b, down = {0.0, -1.0, 0.0};
    const view v = carried_view(pose, side, tr3_turned(pose->body[2 + side].rotation, ground));
    double length;
    tr3_equation row = equation_length(&v, 2 + side, side, down, &length);
    *n = tr3_equation_linear(row.j[side]);
    return equation_scaled(row, side == 0 ? (double)def->ratio : 1.0);
}

static tr3_equation pulley_rope(const tr3_joint_def *def, const tr3_joint_pose *pose)
{
    tr_dvec3 n;
    const tr3_equation a = pulley_side(def, pose, 0, &n);
    return equation_sum(a, pulley_side(def, pose, 1, &n));
}

static void pulley_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    const tr3_equation rope = pulley_rope(def, pose);
    const double beyond = fmax(rope.value - (double)def->length, 0.0);
    out->linear_rigid = softness_is_rigid(def->linear);
    out->linear_error = out->linear_rigid ? (float)beyond : 0.0f;
    out->coordinate = (float)rope.value;
    out->rate = (float)rope.rate;
    out->energy = softness_energy(def->linear, beyond);
}

static void pulley_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                            tr3_reaction *out)
{
    tr_dvec3 n;
    (void)pulley_side(def, pose, 1, &n);
    out->upper = -(impulse[0] * inv_h);
    out->force = tr3_narrow(tr3_times((double)out->upper, n));
}

static void pulley_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    tr3_equation rope = pulley_rope(def, pose);
    if (softness_is_rigid(def->linear)) {
        equations_upper(out, rope, (double)def->length, 0);
        return;
    }
    /* a spring that only pulls: what is left of its length */
    rope = equation_scaled(rope, -1.0);
    rope.value += (double)def->length;
    rope.least = 0.0;
    rope.part = TR_PART_UPPER;
    equations_hold(out, rope, def->linear, 0);
}

static const tr3_joint_type_info pulley_info = {
    .name = "pulley",
    .spring_is = "`linear`",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_LENGTH | TR3_GROUP_RATIO | TR3_GROUP_LINEAR,
    .plain_fields = TR3_GROUP_RATIO,
    TR3_BEYOND_GROUND,
    .impulse_count = 1,
    .impulse_names = {"rope"},
    .has_carriers = true,
    .is_featured = pulley_is_featured,
    .measure = pulley_measure,
    .equations = pulley_equations,
    .reaction = pulley_reaction,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { pulley_plain_impulses = 1, pulley_featured_impulses = 1, pulley_is_common = false, pulley_few_need = 0 };

/* of a side */
enum {
    ROPE_FACTOR, /* ratio, or 1 */
    ROPE_D,      /* from the carrier's centre, or the point in the world, to the body's centre as the step begins */
    ROPE_HANG = ROPE_D + 3, /* the point, from the carrier's centre in its principal axes; 0 in the world */
    ROPE_N = ROPE_HANG + 3, /* the last direction */
    ROPE_COLUMNS = ROPE_N + 3
};

enum {
    PULLEY_BASE,
    PULLEY_LENGTH = PULLEY_BASE + BASE_COLUMNS,
    PULLEY_SIDES,
    PULLEY_SOFT = PULLEY_SIDES + 2 * ROPE_COLUMNS,
    pulley_plain_columns = pulley_plain_impulses + PULLEY_SOFT,
    PULLEY_CARRIED = PULLEY_SOFT + SOFT_COLUMNS,
    PULLEY_ROWS = PULLEY_CARRIED + CARRIED_COLUMNS,
    pulley_featured_columns = pulley_featured_impulses + PULLEY_ROWS + 2
};

TR_INLINE void pulley_side_prepare(const tr3_kernel_context *k, tr3_fields f, int lane, const setup *s, int which,
                                   const int32_t *carriers, float *c)
{
    const int32_t *bodies = which == 0 ? s->row_a : s->row_b;
    const int ground = which == 0 ? TR3_FIELD_GROUND_A_X : TR3_FIELD_GROUND_B_X;
    float out[ROPE_COLUMNS][TR_WIDTH];
    memset(out, 0, sizeof out);
    for (int i = 0; i < TR_WIDTH; i++) {
        out[ROPE_N + 1][i] = -1.0f;
        if (s->rows[i] == TR_NONE)
            continue;
        tr_vec3 none, center;
        const tr3_joint_place body = lane_place(k, bodies[i], &none), on = lane_place(k, carriers[i], &center);
        tr_dvec3 hang = {wide_field(s->columns, ground, s->rows[i]), wide_field(s->columns, ground + 1, s->rows[i]),
                         wide_field(s->columns, ground + 2, s->rows[i])};
        tr_dvec3 d = tr3_minus(body.center, hang);
        if (carriers[i] == tr3_row_offset((uint32_t)k->moving_end)) {
            hang = (tr_dvec3){0.0, 0.0, 0.0};
        } else {
            d = tr3_minus(body.center, on.center);
            hang = tr3_turned(tr3_conjugate(lane_frame(k, carriers[i])), tr3_minus(hang, tr3_widen(center)));
        }
        out[ROPE_FACTOR][i] = which == 0 ? f[TR3_FIELD_RATIO][lane + i] : 1.0f;
        out[ROPE_D][i] = (float)d.x;
        out[ROPE_D + 1][i] = (float)d.y;
        out[ROPE_D + 2][i] = (float)d.z;
        out[ROPE_HANG][i] = (float)hang.x;
        out[ROPE_HANG + 1][i] = (float)hang.y;
        out[ROPE_HANG + 2][i] = (float)hang.z;
    }
    for (int i = 0; i < ROPE_COLUMNS; i++)
        put(c, PULLEY_SIDES + which * ROPE_COLUMNS + i, wf_load(out[i]));
}

TR_INLINE void pulley_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                              float *impulses)
{
    float *c = impulses + TR_LANES * pulley_plain_impulses;
    int32_t world[TR_WIDTH];
    for (int i = 0; i < TR_WIDTH; i++)
        world[i] = tr3_row_offset((uint32_t)k->moving_end);
    const int32_t *carriers[2] = {world, world};
    base_put(c, PULLEY_BASE, s);
    put(c, PULLEY_LENGTH, field(f, TR3_FIELD_LENGTH, lane));
    if (featured) {
        carriers[0] = carrier_rows(c, PULLEY_ROWS, 0);
        carriers[1] = carrier_rows(c, PULLEY_ROWS, 1);
        softness_put(c, PULLEY_SOFT, softness_field(k, s->m, f, TR3_FIELD_LINEAR_KIND, lane));
        carried_put(k, c, PULLEY_CARRIED, s, carriers[0], carriers[1]);
    }
    pulley_side_prepare(k, f, lane, s, 0, carriers[0], c);
    pulley_side_prepare(k, f, lane, s, 1, carriers[1], c);
}

/* J of a side at the current poses, r from the body's centre to its anchor, and its length; the direction is kept */
TR_INLINE side pulley_side_of(const tr3_kernel_context *k, float *c, int first, const pose *body, const carrier *on,
                              w3 r)
{
    const wf one = wf_set(1.0f), least = wf_set(TR_KNOWN_LENGTH * k->unit);
    const w3 from = add(add(get3(c, first + ROPE_D), carried_moved(k, body, on)), r);
    const w3 u = minus(from, turned_vector(on->at.q, get3(c, first + ROPE_HANG)));
    wf length = wf_sqrt(dot(u, u)), factor = get(c, first + ROPE_FACTOR);
    wm known = wf_lt(least, length);
    const w3 n = w3_select(known, times(one / wf_select(known, length, one), u), get3(c, first + ROPE_N));
    put3(c, first + ROPE_N, n);
    return (side){times(factor, n), times(factor, cross(r, n)), times(factor, cross(from, n)), factor * length};
}

TR_INLINE void pulley_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                            motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * pulley_plain_impulses;
    const int32_t *rows_a = carrier_rows(c, PULLEY_ROWS, 0), *rows_b = carrier_rows(c, PULLEY_ROWS, 1);
    const anchors n = anchors_now(c, PULLEY_BASE, at);
    const w3 ra = to_world(&n.a, get3(c, PULLEY_BASE + BASE_LA));
    motions_late(pass, a, b);
    carrier ca = featured ? carrier_load(k, c, PULLEY_CARRIED + CARRIED_A_MASS, rows_a) : carrier_still();
    carrier cb = featured ? carrier_load(k, c, PULLEY_CARRIED + CARRIED_B_MASS, rows_b) : carrier_still();
    const side of_a = pulley_side_of(k, c, PULLEY_SIDES, &at->a, &ca, ra);
    const side of_b = pulley_side_of(k, c, PULLEY_SIDES + ROPE_COLUMNS, &at->b, &cb, n.rb);
    const carried r = carried_of(featured, c, PULLEY_CARRIED, &of_a, &of_b, &n.m, &ca, &cb);
    wf impulse = get(impulses, 0), change = impulse;
    if (!pass.warm_start) {
        softness s = featured ? softness_get(c, PULLEY_SOFT) : softness_held(k, n.m);
        wf rate = -carried_rate(featured, &r, a, b, &ca, &cb);
        wf gap = begun(k, pass, get(c, PULLEY_LENGTH) - (of_a.value + of_b.value), rate);
        change = limit_change(k, pass, gap, rate, wf_inverse_or_zero(r.k), impulse);
        if (featured) {
            /* a spring while taut, nothing while slack */
            wf pull = wf_max(impulse + soft_change(s, rate, gap, r.k, impulse), wf_zero()) - impulse;
            wm slack = wf_lt(wf_zero(), gap), soft = wf_lt(wf_zero(), s.keep);
            change = wf_select(soft, wf_select(slack, -impulse, pull), change);
        }
        put(impulses, 0, impulse + change);
    }
    carried_push(featured, &r, a, b, &ca, &cb, -change);
    if (featured) {
        carrier_store(k, pass, &ca, rows_a);
        carrier_store(k, pass, &cb, rows_b);
    }
}

#endif

#ifdef TR_JOINT_LOOK

enum { pulley_color = 0x8d5a00 }; /* 0xRRGGBB */

/* the rope, and dots where it is held and turned */
static void draw_pulley(const joint_pen *pen)
{
    const tr3_joint_def *def = pen->def;
    const tr_dvec3 ground_a = carried_point(&pen->carrier[0], def->ground_a);
    const tr_dvec3 ground_b = carried_point(&pen->carrier[1], def->ground_b);
    const tr_dvec3 a = anchor_a(pen), b = anchor_b(pen);
    line(pen, a, ground_a, false);
    line(pen, ground_a, ground_b, false);
    line(pen, ground_b, b, false);
    if (!pen->simple) {
        dot(pen, ground_a, 0.7 * pen->glyph);
        dot(pen, ground_b, 0.7 * pen->glyph);
        dot(pen, a, 0.45 * pen->glyph);
        dot(pen, b, 0.45 * pen->glyph);
    }
}

#endif
