/* Rows of islands side by side at the present state (solver/exact/lanes/lanes.inl). */

/* the second anchor as seen from the first body (solver/core/equations.inl) */
typedef struct lane_view {
    lv ra, rb, arm, d, rate, bend;
} lane_view;

TR_INLINE lane_view view_of_ends(const lane_body *a, const lane_body *b, const lane_joint *joint)
{
    const ls wa = spin_of(a), wb = spin_of(b);
    const lv ra = lane_turned(&a->pose, joint->anchor[0]), rb = lane_turned(&b->pose, joint->anchor[1]);
    const lv d = lv_plus(lv_minus(b->center, a->center), lv_minus(rb, ra));
    const lv whirl_a = lane_whirl(wa, ra), whirl_b = lane_whirl(wb, rb);
    const lv d_rate = lv_minus(lv_plus(velocity_of(b), whirl_b), lv_plus(velocity_of(a), whirl_a));
    const lv arm = lv_plus(ra, d), turning = lane_whirl(wa, d);
    const lv rate = lv_minus(d_rate, turning);
    const lv seen = lv_plus(lv_plus(whirl_a, d_rate), rate);
    const lv bend = lv_minus(lane_whirl(wb, whirl_b), lane_whirl(wa, seen));
    return (lane_view){ra, rb, arm, d, rate, bend};
}

/* Rows that are not of points, when those are at the present state: what their features do, and compliances. */
static void begin_rows(lane_pack *p, const lane_kick *kick, lane_joint *joint, uint32_t first)
{
    const wd none = wd_set(0.0), greatest = wd_set(DBL_MAX);
    wd sum[2] = {none, none};
    double count[2] = {0.0, 0.0};
    for (uint32_t r = first; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
        p->bad |= ~wd_le(wd_abs(row->u + row->close + row->bend + row->k), greatest);
        row->b = none;
        if (row->kind == TR_EXACT_LAW) {
            begin_law(p, kick, row);
        } else if (row->kind == TR_EXACT_KEPT) {
            p->bad |= ~wd_lt(none, row->k);
            sum[row->linear] = sum[row->linear] + row->k;
            count[row->linear]++;
        }
    }
    for (uint32_t r = first; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
        const double unit = row->linear ? p->step->unit : 1.0;
        if (row->kind == TR_EXACT_RUBBED && row->rub->first == row)
            begin_rub(kick, row);
        if (row->kind != TR_EXACT_KEPT)
            continue;
        row->e = sum[row->linear] * (wd_set(1.0 / count[row->linear]) * p->compliance);
        row->close = lane_clamped(row->close, wd_set(TR_EXACT_CORRECTS_AT * unit * kick->h));
    }
}

/* of a row whose impulses are those of one of length 1 */
static void scale_forces(lane_row *row)
{
    lane_law *law = row->law;
    row->force = row->force / law->length;
    EACH_FEATURE(law, f)
    law->feature[f].force = law->feature[f].force / law->length;
}

/* h/2 times the second derivative of what a row keeps that is not of a point */
TR_INLINE wd curve_of(const lane_pack *p, const lane_kick *kick, const lane_joint *joint, const lane_row *row)
{
    wd bend = row->bend;
    for (int end = 0; end < 2; end++) {
        if (joint->end[end] >= p->body_count || SPINS == 1)
            continue;
        UNROLLED
        for (int i = 0; i < SPINS; i++)
            bend = bend + row->j[end][AXES + i] * p->bodies[joint->end[end]].rest->gyration[i];
    }
    return wd_set(0.5 * kick->h) * bend;
}

/* the same of all rows of a point; `both`: both ends move */
TR_INLINE lv curves_of_point(const lane_pack *p, const lane_kick *kick, const lane_joint *joint, lv bend, bool both)
{
    UNROLLED
    for (int end = 0; end < 2 && SPINS > 1; end++) {
        lv more;
        if (!both && joint->end[end] >= p->body_count)
            continue;
        lane_lever_rates(joint->arm[end], p->bodies[joint->end[end]].rest->gyration, more.x);
        bend = lv_plus(bend, more);
    }
    return lv_times(wd_set(0.5 * kick->h), bend);
}

/* That of a held row with this curve and rate, with what has it do less work, as curve_rate() of exact_curves.c has it. */
TR_INLINE wd held_curve(wd curve, wd u, wd mirrored)
{
    const wd most = wd_set(TR_EXACT_MIRROR_MOST) * wd_abs(curve);
    return curve + mirrored * wd_max(wd_min(u - curve, most), -most);
}

/* J for rotation of the rows of a point as numbers */
static __attribute__((noinline)) void put_levers(lane_joint *joint)
{
    ls levers[AXES];
    for (int end = 0; end < 2; end++) {
        lane_levers(joint->arm[end], levers);
        for (int r = 0; r < AXES; r++)
            memcpy(joint->rows[r].j[end] + AXES, levers[r].x, sizeof levers[r].x);
    }
}

/* The arms of a point, and the sum of J M^-1 J^T of its rows, which turns with the bodies: of packs of points alone that of
   the first kick of a step is kept. `both`: both bodies move. */
KNOWN_SIZES wd weigh_arms(lane_pack *p, const lane_kick *kick, lane_joint *joint, const lane_view *v, bool both)
{
    wd sum = wd_set(0.0);
    joint->arm[0] = lv_minus((lv){{wd_set(0.0)}}, v->arm);
    joint->arm[1] = v->rb;
    if (p->points && !kick->first)
        return joint->weight;
    UNROLLED
    for (int end = 0; end < 2; end++) {
        const lane_body *body = &p->bodies[joint->end[end]];
        if (both || joint->end[end] < p->body_count)
            sum = sum + (wd_set((double)AXES) * body->inverse_mass +
                         lane_levers_weight((const wd(*)[SPINS])body->inverse, joint->arm[end]));
    }
    joint->weight = sum;
    return sum;
}

/* what the force of a point does to the stiffness of its bodies */
KNOWN_SIZES void stiffen_ends(lane_pack *p, const lane_joint *joint, const lane_view *v, bool both)
{
    if (both || joint->end[0] < p->body_count)
        lane_stiffen(&p->bodies[joint->end[0]], v->ra, lv_times(wd_set(-1.0), joint->force));
    if (both || joint->end[1] < p->body_count)
        lane_stiffen(&p->bodies[joint->end[1]], v->rb, joint->force);
}

/* The rows of a point, but for what their curves are. */
KNOWN_SIZES lane_view begin_point(lane_pack *p, const lane_kick *kick, lane_joint *joint, bool both)
{
    const lane_view v = view_of_ends(&p->bodies[joint->end[0]], &p->bodies[joint->end[1]], joint);
    const wd sum = weigh_arms(p, kick, joint, &v, both), most = wd_set(kick->corrects_most);
    UNROLLED
    for (int r = 0; r < AXES; r++) {
        lane_row *row = &joint->rows[r];
        row->u = v.rate.x[r];
        row->bend = v.bend.x[r];
        row->close = wd_max(wd_min(v.d.x[r], most), -most);
        row->e = sum * (wd_set(1.0 / AXES) * p->compliance);
        row->k = sum * wd_set(1.0 / AXES);
    }
    if (p->levers)
        put_levers(joint);
    return v;
}

/* The rows of a plain point, with all of the curves of its bodies, which move finely: form_rows() takes less if it must.
   `mirrored`: as of held_curve(). */
KNOWN_SIZES lane_view evaluate_point(lane_pack *p, const lane_kick *kick, lane_joint *joint, wd mirrored, bool both)
{
    const lane_view v = begin_point(p, kick, joint, both);
    lv curves = {{wd_set(0.0)}};
    if (!kick->last)
        curves = curves_of_point(p, kick, joint, v.bend, both);
    UNROLLED
    for (int r = 0; r < AXES; r++)
        joint->rows[r].b = kick->last ? wd_set(0.0) : held_curve(curves.x[r], v.rate.x[r], mirrored);
    return v;
}

/* the rows of a point, and those of rotation that are computed beside them */
static void evaluate_turn(lane_pack *p, const lane_kick *kick, lane_joint *joint)
{
    const lane_view v = begin_point(p, kick, joint, false);
    stiffen_ends(p, joint, &v, false);
    for (uint32_t r = 0; r < AXES; r++)
        joint->rows[r].b = wd_set(0.0);
    lane_turns(p, joint);
    for (uint32_t r = AXES; r < joint->row_count && kick->first; r++)
        if (joint->rows[r].kind == TR_EXACT_LAW)
            scale_forces(&joint->rows[r]);
    begin_rows(p, kick, joint, AXES);
}

/* The equations of one lane's joint at its state. */
static void evaluate_lane(lane_pack *p, uint32_t j, int lane)
{
    const trn_exact_step *step = p->step;
    trn_exact_joint *joint = &step->exact->joints[p->own[lane]->first_joint + j];
    trn_joint_pose pose;
    trn_equations equations;
    trn_exact_equations(step->exact, step->system, joint, 0.0, &pose, &equations);
    trn_exact_follow(joint, &pose);
    take_equations(&p->joints[j], lane, &pose, &equations);
}

static void copy_lane(lane_joint *joint, int lane)
{
    UNROLLED
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < AXES; i++)
            joint->anchor[end].x[i][lane] = joint->anchor[end].x[i][0];
    for (uint32_t r = 0; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
        UNROLLED
        for (int end = 0; end < 2; end++)
            for (int i = 0; i < DEGREES; i++)
                row->j[end][i][lane] = row->j[end][i][0];
        row->u[lane] = row->u[0];
        row->bend[lane] = row->bend[0];
        row->close[lane] = row->close[0];
        if (row->kind != TR_EXACT_LAW)
            continue;
        row->law->value[lane] = row->law->value[0];
        row->law->length[lane] = row->law->length[0];
    }
}

/* J M^-1 J^T */
static void weigh_row(const lane_pack *p, const lane_joint *joint, lane_row *row)
{
    wd sum = wd_set(0.0);
    UNROLLED
    for (int end = 0; end < 2; end++) {
        const lane_body *body = &p->bodies[joint->end[end]];
        const wd *own = row->j[end];
        wd moved[SPINS], square = own[0] * own[0];
        if (joint->end[end] >= p->body_count)
            continue;
        UNROLLED
        for (int i = 1; i < AXES; i++)
            square = square + own[i] * own[i];
        turn_by((const wd(*)[SPINS])body->inverse, own + AXES, moved);
        sum = sum + body->inverse_mass * square;
        UNROLLED
        for (int i = 0; i < SPINS; i++)
            sum = sum + own[AXES + i] * moved[i];
    }
    row->k = sum;
}

/* Whether the force along a length may slow down what moves across it, or it turns far, for which lanes have no row:
   exact_rows.c. `across`: the square of the rate across. */
static wdm is_slow_across(const lane_pack *p, const lane_kick *kick, const lane_joint *joint, const ls levers[2][AXES],
                          wd length, wd across)
{
    const lane_row *row = &joint->rows[0];
    wd sum = -row->k;
    for (int end = 0; end < 2; end++) {
        const lane_body *body = &p->bodies[joint->end[end]];
        if (joint->end[end] >= p->body_count)
            continue;
        UNROLLED
        for (int r = 0; r < AXES; r++) {
            wd moved[SPINS];
            turn_by((const wd(*)[SPINS])body->inverse, levers[end][r].x, moved);
            sum = sum + body->inverse_mass;
            UNROLLED
            for (int i = 0; i < SPINS; i++)
                sum = sum + levers[end][r].x[i] * moved[i];
        }
    }
    const wd most = wd_set(kick->h * kick->h / (TR_EXACT_STIFF_FROM * (AXES - 1)));
    const wd far = wd_set(TR_EXACT_TURN_MOST / kick->h) * length;
    return wd_lt(length, -(row->force * most * sum)) | wd_lt(far * far, across);
}

/* the row of the distance between two points; where they are one it is along an axis of the first body */
static void evaluate_length(lane_pack *p, const lane_kick *kick, lane_joint *joint)
{
    lane_body *a = &p->bodies[joint->end[0]], *b = &p->bodies[joint->end[1]];
    const lane_view v = view_of_ends(a, b, joint);
    const wd none = wd_set(0.0), one = wd_set(1.0), length = wd_sqrt(lv_dot(v.d, v.d));
    const wdm apart = wd_lt(none, length);
    const wd inverse = one / wd_select(apart, length, one);
    lane_row *row = &joint->rows[0];
    ls levers[2][AXES];
    lv n = {{one}};
    lane_levers(v.arm, levers[0]);
    lane_levers(v.rb, levers[1]);
    UNROLLED
    for (int i = 1; i < AXES; i++)
        n.x[i] = none;
    n = lane_turned(&a->pose, n);
    UNROLLED
    for (int i = 0; i < AXES; i++)
        n.x[i] = wd_select(apart, inverse * v.d.x[i], n.x[i]);
    UNROLLED
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < AXES; i++)
            row->j[end][i] = end == 0 ? -n.x[i] : n.x[i];
        for (int i = 0; i < SPINS; i++) {
            wd sum = n.x[0] * levers[end][0].x[i];
            UNROLLED
            for (int k = 1; k < AXES; k++)
                sum = sum + n.x[k] * levers[end][k].x[i];
            row->j[end][AXES + i] = end == 0 ? -sum : sum;
        }
    }
    const wd value = length + joint->turn->beside[0];
    row->u = lv_dot(n, v.rate);
    const wd across = lv_dot(v.rate, v.rate) - row->u * row->u;
    row->bend = lv_dot(n, v.bend) + wd_select(apart, inverse * across, none);
    row->close = row->kind == TR_EXACT_KEPT ? value : none;
    if (row->kind == TR_EXACT_LAW)
        row->law->value = value;
    weigh_row(p, joint, row);
    begin_rows(p, kick, joint, 0);
    p->bad |= is_slow_across(p, kick, joint, (const ls(*)[AXES])levers, length, across);
    if (joint->end[0] < p->body_count)
        lane_stiffen(a, v.ra, lv_times(-row->force, n));
    if (joint->end[1] < p->body_count)
        lane_stiffen(b, v.rb, lv_times(row->force, n));
}

/* As the state says; in the first kick it was read so. */
static void evaluate_equations(lane_pack *p, const lane_kick *kick, uint32_t j)
{
    lane_joint *joint = &p->joints[j];
    lv force[2];
    for (int lane = 0; lane < TR_DOUBLES && !kick->first; lane++) {
        if (lane >= (int)p->count)
            copy_lane(joint, lane);
        else if (p->bad[lane] == 0)
            evaluate_lane(p, j, lane);
    }
    UNROLLED
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < AXES; i++)
            force[end].x[i] = wd_set(0.0);
    for (uint32_t r = 0; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
        weigh_row(p, joint, row);
        UNROLLED
        for (int end = 0; end < 2; end++)
            for (int i = 0; i < AXES; i++)
                force[end].x[i] = force[end].x[i] + row->force * row->j[end][i];
    }
    begin_rows(p, kick, joint, 0);
    UNROLLED
    for (int end = 0; end < 2; end++)
        if (joint->end[end] < p->body_count)
            lane_stiffen(&p->bodies[joint->end[end]], joint->anchor[end], force[end]);
}
