/*
 * Gear: a coordinate of A and a coordinate of B in a fixed ratio. Each is relative to the world or to a carrier, a
 * third or fourth body. It is the body's angle about an axis that is fixed in the carrier, or the travel of its anchor
 * along the axis. Two angles are wheels, an angle and a travel are rack and pinion.
 *
 *   C = coordB + ratio coordA - offset
 *   angle about n                                    J = (0, n), of the carrier (0, -n)
 *   travel n . (p + r - o), o the carrier's origin   J = (n, r x n), of the carrier (-n, -(p + r - pc) x n)
 *   K = sum over bodies of m N . N + W . I W, (N, W) the body's part of J; if a body is at two ends, the sum of both
 *
 * The angle is the twist of the rotation relative to the carrier and a reference, as of a hinge. Joints hold the axes
 * together; without them the row is that of the carrier's axis. Angles are continued over whole turns from where they
 * were; as a step begins C is computed anew in double, with the turns, so that it is exact after any number of them.
 */
#ifdef TR_JOINT_HOST

/* the plain kernel handles gears against the world */
static bool gear_is_featured(const tr3_joint_def *def)
{
    return !softness_is_rigid(def->angular) || def->carrier_a.index != 0 || def->carrier_b.index != 0;
}

static tr_vec3 gear_axis(const tr3_joint_def *def, uint32_t side)
{
    return side == 0 ? def->axis : def->axis_b;
}

static bool gear_slides(const tr3_joint_def *def, uint32_t side)
{
    return side == 0 ? def->slides_a : def->slides_b;
}

static double gear_factor(const tr3_joint_def *def, uint32_t side)
{
    return side == 0 ? (double)def->ratio : 1.0;
}

/* a side's coordinate, of angles that in -pi to pi */
static double gear_side(const tr3_joint_def *def, const tr3_joint_pose *pose, uint32_t side)
{
    const tr3_joint_place *body = &pose->body[side], *on = &pose->body[2 + side];
    if (gear_slides(def, side))
        return tr3_carried_travel(on, body->center, carried_arm(pose, side), gear_axis(def, side));
    return tr3_carried_angle(on->rotation, body->rotation, side == 0 ? def->reference : def->reference_b,
                             gear_axis(def, side));
}

/* what whole turns add to coordinate of B plus ratio times coordinate of A */
static double gear_turned(const tr3_joint_def *def, const tr3_joint_pose *pose)
{
    double sum = 0.0;
    for (uint32_t side = 0; side < 2; side++) {
        const double angle = gear_side(def, pose, side);
        if (!gear_slides(def, side))
            sum += gear_factor(def, side) * (tr3_angle_near(angle, pose->last[side]) - angle);
    }
    return sum;
}

static void gear_wind(const tr3_joint_def *def, tr3_joint_pose *pose)
{
    for (uint32_t side = 0; side < 2; side++)
        pose->last[side] = gear_slides(def, side) ? 0.0 : tr3_angle_near(gear_side(def, pose, side), pose->last[side]);
}

static double gear_coordinate(const tr3_joint_def *def, const tr3_joint_pose *pose)
{
    return (gear_side(def, pose, 1) + (double)def->ratio * gear_side(def, pose, 0)) + gear_turned(def, pose);
}

static void gear_complete(tr3_joint_def *def, const tr3_joint_pose *pose)
{
    for (uint32_t side = 0; side < 2 && !def->meshed; side++) {
        const tr3_dquat on = pose->body[2 + side].rotation, body = pose->body[side].rotation;
        const tr_quat reference = tr3_narrow_quat(tr3_normalised(tr3_compose(tr3_conjugate(on), body)));
        if (!gear_slides(def, side))
            *(side == 0 ? &def->reference : &def->reference_b) = reference;
    }
    if (!def->meshed)
        def->offset = gear_coordinate(def, pose);
    def->meshed = true;
}

static tr3_equation gear_row(const tr3_joint_def *def, const tr3_joint_pose *pose)
{
    tr3_equation mesh = equation_empty();
    for (uint32_t side = 0; side < 2; side++) {
        const tr_dvec3 n = tr3_turned(pose->body[2 + side].rotation, tr3_widen(gear_axis(def, side)));
        const view v = carried_view(pose, side, (tr_dvec3){0.0, 0.0, 0.0});
        const tr3_equation row =
            gear_slides(def, side) ? equation_between(&v, 2 + side, side, n) : carried_about(pose, side, n);
        mesh = equation_sum(mesh, equation_scaled(row, gear_factor(def, side)));
    }
    mesh.value = gear_coordinate(def, pose) - def->offset;
    mesh.linear = def->slides_b;
    return mesh;
}

static void gear_measure(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_joint_measure *out)
{
    const tr3_equation row = gear_row(def, pose);
    bool rigid = softness_is_rigid(def->angular);
    out->linear_rigid = rigid && def->slides_b;
    out->angular_rigid = rigid && !def->slides_b;
    out->linear_error = out->linear_rigid ? (float)fabs(row.value) : 0.0f;
    out->angular_error = out->angular_rigid ? (float)fabs(row.value) : 0.0f;
    out->coordinate = (float)row.value;
    out->rate = (float)row.rate;
    out->energy = softness_energy(def->angular, row.value);
}

static void gear_reaction(const tr3_joint_def *def, const tr3_joint_pose *pose, const float *impulse, float inv_h,
                          tr3_reaction *out)
{
    const tr_dvec3 n = tr3_turned(pose->body[3].rotation, tr3_widen(def->axis_b));
    const tr_vec3 tooth = tr3_narrow(tr3_times((double)(impulse[0] * inv_h), n));
    *(def->slides_b ? &out->force : &out->torque) = tooth;
}

static void gear_equations(const tr3_joint_def *def, const tr3_joint_pose *pose, tr3_equations *out)
{
    equations_hold(out, gear_row(def, pose), def->angular, 0);
}

static const tr3_joint_type_info gear_info = {
    .name = "gear",
    .spring_is = "`angular`",
    .fields = TR3_GROUP_ANCHORS | TR3_GROUP_AXIS | TR3_GROUP_REFERENCE | TR3_GROUP_ANGULAR | TR3_GROUP_RATIO |
              TR3_GROUP_MESH | TR3_GROUP_AXIS_B,
    .plain_fields = TR3_GROUP_RATIO | TR3_GROUP_SLIDES | TR3_GROUP_AXIS_B,
    TR3_BEYOND_MESH,
    .impulse_count = 3,
    .impulse_names = {"mesh", "angle_a", "angle_b"},
    .impulse_roles = {TR_ROLE_ROW, TR_ROLE_PLACE, TR_ROLE_PLACE},
    .has_carriers = true,
    .is_featured = gear_is_featured,
    .complete = gear_complete,
    .turned = gear_turned,
    .wind = gear_wind,
    .measure = gear_measure,
    .equations = gear_equations,
    .reaction = gear_reaction,
};

#endif

#ifdef TR_JOINT_KERNEL

enum { gear_plain_impulses = 3, gear_featured_impulses = 3, gear_is_common = false, gear_few_need = 0 };

/* of a side */
enum {
    SIDE_FACTOR,             /* ratio, or 1 */
    SIDE_SLIDES,             /* 1: travel */
    SIDE_AXIS,               /* in the carrier's principal axes */
    SIDE_D = SIDE_AXIS + 3,  /* from the carrier's centre to the body's as the step begins; 0 for the world, so that no
                               large number becomes a float */
    SIDE_START = SIDE_D + 3, /* n . (d + r) then; */
    SIDE_ANGLE,              /* the angle, -pi to pi, */
    SIDE_PLACE,              /* and with whole turns */
    SIDE_RELATION,           /* the body's principal axes in the carrier's at the reference */
    SIDE_COLUMNS = SIDE_RELATION + 4
};

enum {
    GEAR_BASE,
    GEAR_FIRST = GEAR_BASE + BASE_COLUMNS, /* C as the step begins */
    GEAR_SIDES,
    GEAR_SOFT = GEAR_SIDES + 2 * SIDE_COLUMNS,
    gear_plain_columns = gear_plain_impulses + GEAR_SOFT,
    GEAR_CARRIED = GEAR_SOFT + SOFT_COLUMNS,
    GEAR_ROWS = GEAR_CARRIED + CARRIED_COLUMNS,
    gear_featured_columns = gear_featured_impulses + GEAR_ROWS + 2
};

/* columns of a side, and its coordinates in double */
TR_INLINE void gear_side_prepare(const tr3_kernel_context *k, tr3_fields f, int lane, const setup *s, int which,
                                 const int32_t *carriers, float *c, float *impulses, double coordinate[TR_WIDTH])
{
    const int first = GEAR_SIDES + which * SIDE_COLUMNS, place = TR_LANES * (1 + which);
    const int32_t *bodies = which == 0 ? s->row_a : s->row_b;
    float out[SIDE_COLUMNS][TR_WIDTH];
    memset(out, 0, sizeof out);
    for (int i = 0; i < TR_WIDTH; i++) {
        coordinate[i] = 0.0;
        out[SIDE_RELATION + 3][i] = 1.0f;
        if (s->rows[i] == TR_NONE)
            continue;
        const int at = lane + i;
        tr_vec3 center, none;
        const tr3_joint_place body = lane_place(k, bodies[i], &center), on = lane_place(k, carriers[i], &none);
        const tr_vec3 axis = lane_vector(f, which == 0 ? TR3_FIELD_AXIS_X : TR3_FIELD_AXIS_B_X, at);
        const tr_vec3 anchor = lane_vector(f, which == 0 ? TR3_FIELD_ANCHOR_A_X : TR3_FIELD_ANCHOR_B_X, at);
        const tr_quat reference = lane_quat(f, which == 0 ? TR3_FIELD_REFERENCE_X : TR3_FIELD_REFERENCE_B_X, at);
        const tr3_dquat back = tr3_conjugate(lane_frame(k, carriers[i])), inner = lane_frame(k, bodies[i]);
        const bool slides = f[TR3_FIELD_SLIDES_A + which][at] > 0.0f;
        const tr_dvec3 n = tr3_turned(back, tr3_widen(axis));
        const tr_dvec3 r = tr3_turned(body.rotation, tr3_minus(tr3_widen(anchor), tr3_widen(center)));
        tr_dvec3 d = {0.0, 0.0, 0.0};
        if (carriers[i] != tr3_row_offset((uint32_t)k->moving_end))
            d = tr3_minus(body.center, on.center);
        out[SIDE_FACTOR][i] = which == 0 ? f[TR3_FIELD_RATIO][at] : 1.0f;
        out[SIDE_SLIDES][i] = slides ? 1.0f : 0.0f;
        out[SIDE_AXIS][i] = (float)n.x;
        out[SIDE_AXIS + 1][i] = (float)n.y;
        out[SIDE_AXIS + 2][i] = (float)n.z;
        out[SIDE_D][i] = (float)d.x;
        out[SIDE_D + 1][i] = (float)d.y;
        out[SIDE_D + 2][i] = (float)d.z;
        const tr_dvec3 along = tr3_turned(on.rotation, tr3_widen(axis));
        out[SIDE_START][i] = (float)tr3_dot(along, tr3_plus(d, r));
        const tr3_dquat relation = tr3_compose(tr3_compose(back, tr3_normalised(tr3_widen_quat(reference))), inner);
        out[SIDE_RELATION][i] = (float)relation.x;
        out[SIDE_RELATION + 1][i] = (float)relation.y;
        out[SIDE_RELATION + 2][i] = (float)relation.z;
        out[SIDE_RELATION + 3][i] = (float)relation.w;
        const double angle = tr3_carried_angle(on.rotation, body.rotation, reference, axis);
        coordinate[i] =
            slides ? tr3_carried_travel(&on, body.center, r, axis) : tr3_angle_near(angle, (double)impulses[place + i]);
        out[SIDE_ANGLE][i] = (float)angle;
        out[SIDE_PLACE][i] = slides ? 0.0f : (float)coordinate[i];
        impulses[place + i] = out[SIDE_PLACE][i];
    }
    for (int i = 0; i < SIDE_COLUMNS; i++)
        put(c, first + i, wf_load(out[i]));
}

TR_INLINE void gear_prepare(const tr3_kernel_context *k, bool featured, tr3_fields f, int lane, const setup *s,
                            float *impulses)
{
    float *c = impulses + TR_LANES * gear_plain_impulses;
    int32_t world[TR_WIDTH];
    for (int i = 0; i < TR_WIDTH; i++)
        world[i] = tr3_row_offset((uint32_t)k->moving_end);
    const int32_t *carriers[2] = {world, world};
    base_put(c, GEAR_BASE, s);
    if (featured) {
        carriers[0] = carrier_rows(c, GEAR_ROWS, 0);
        carriers[1] = carrier_rows(c, GEAR_ROWS, 1);
        softness_put(c, GEAR_SOFT, softness_with(softness_field(k, s->m, f, TR3_FIELD_ANGULAR_KIND, lane), k->gear));
        carried_put(k, c, GEAR_CARRIED, s, carriers[0], carriers[1]);
    }
    double a[TR_WIDTH], b[TR_WIDTH];
    gear_side_prepare(k, f, lane, s, 0, carriers[0], c, impulses, a);
    gear_side_prepare(k, f, lane, s, 1, carriers[1], c, impulses, b);
    float first[TR_WIDTH];
    for (int i = 0; i < TR_WIDTH; i++) {
        first[i] = 0.0f;
        if (s->rows[i] != TR_NONE)
            first[i] = (float)((b[i] + (double)f[TR3_FIELD_RATIO][lane + i] * a[i]) -
                               wide_field(s->columns, TR3_FIELD_OFFSET, s->rows[i]));
    }
    put(c, GEAR_FIRST, wf_load(first));
}

/* J of a side at the current poses, r from the body's centre to its anchor, and the change of its coordinate; *place,
   the angle with its turns, is continued */
TR_INLINE side gear_side_of(const tr3_kernel_context *k, const float *c, int first, const pose *body, const carrier *on,
                            w3 r, wf *place)
{
    const wf zero = wf_zero();
    const wm slides = wf_lt(zero, get(c, first + SIDE_SLIDES));
    const w3 inner = get3(c, first + SIDE_AXIS), axis = turned_vector(on->at.q, inner);
    const w3 from = add(add(get3(c, first + SIDE_D), carried_moved(k, body, on)), r);
    const pose_pair at = {on->at, *body, w3_zero()};
    wf angle = get(c, first + SIDE_ANGLE), factor = get(c, first + SIDE_FACTOR), begun_at = get(c, first + SIDE_PLACE);
    wf turn = angle_about(&at, get4(c, first + SIDE_RELATION), inner, angle + (*place - begun_at)) - angle;
    *place = wf_select(slides, zero, begun_at + turn);
    side out;
    out.n = times(factor, w3_select(slides, axis, w3_zero()));
    out.arm = times(factor, w3_select(slides, cross(r, axis), axis));
    out.back = times(factor, w3_select(slides, cross(from, axis), axis));
    out.value = factor * wf_select(slides, dot(axis, from) - get(c, first + SIDE_START), turn);
    return out;
}

TR_INLINE void gear_visit(const tr3_kernel_context *k, tr3_pass pass, bool featured, float *impulses, motion *a,
                          motion *b, const pose_pair *at)
{
    float *c = impulses + TR_LANES * gear_plain_impulses;
    const int32_t *rows_a = carrier_rows(c, GEAR_ROWS, 0), *rows_b = carrier_rows(c, GEAR_ROWS, 1);
    const anchors n = anchors_now(c, GEAR_BASE, at);
    const w3 ra = to_world(&n.a, get3(c, GEAR_BASE + BASE_LA));
    motions_late(pass, a, b);
    carrier ca = featured ? carrier_load(k, c, GEAR_CARRIED + CARRIED_A_MASS, rows_a) : carrier_still();
    carrier cb = featured ? carrier_load(k, c, GEAR_CARRIED + CARRIED_B_MASS, rows_b) : carrier_still();
    wf impulse = get(impulses, 0), place_a = get(impulses, 1), place_b = get(impulses, 2);
    const side of_a = gear_side_of(k, c, GEAR_SIDES, &at->a, &ca, ra, &place_a);
    const side of_b = gear_side_of(k, c, GEAR_SIDES + SIDE_COLUMNS, &at->b, &cb, n.rb, &place_b);
    const carried r = carried_of(featured, c, GEAR_CARRIED, &of_a, &of_b, &n.m, &ca, &cb);
    softness s = featured ? softness_get(c, GEAR_SOFT) : softness_with(softness_held(k, n.m), k->gear);
    if (!pass.biased)
        s = softness_relaxed(s);
    wf change = impulse;
    if (!pass.warm_start) {
        wf rate = carried_rate(featured, &r, a, b, &ca, &cb);
        wf now = begun(k, pass, get(c, GEAR_FIRST) + (of_a.value + of_b.value), rate);
        change = soft_change(s, rate, now, r.k, impulse);
        put(impulses, 0, impulse + change);
        put(impulses, 1, place_a);
        put(impulses, 2, place_b);
    }
    carried_push(featured, &r, a, b, &ca, &cb, change);
    if (featured) {
        carrier_store(k, pass, &ca, rows_a);
        carrier_store(k, pass, &cb, rows_b);
    }
}

#endif

#ifdef TR_JOINT_LOOK

enum { gear_color = 0xb71c1c }; /* 0xRRGGBB */

/* of each side a line along its axis, and one from side to side */
static void draw_gear(const joint_pen *pen)
{
    const tr3_joint_def *def = pen->def;
    const tr_dvec3 a = anchor_a(pen), b = anchor_b(pen);
    line(pen, a, b, true);
    stroke(pen, a, carried_axis(&pen->carrier[0], def->axis));
    stroke(pen, b, carried_axis(&pen->carrier[1], def->axis_b));
}

#endif
