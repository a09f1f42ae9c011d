/* Kicks of islands side by side: rows at the present state, velocities and positions (solver/exact/lanes.inl). */

TR_INLINE lv velocity_of(const lane_body *body)
{
    lv out;
    for (int i = 0; i < AXES; i++)
        out.x[i] = body->v[i];
    return out;
}

TR_INLINE ls spin_of(const lane_body *body)
{
    ls out;
    for (int i = 0; i < SPINS; i++)
        out.x[i] = body->v[AXES + i];
    return out;
}

/* out := matrix in */
TR_INLINE void turn_by(const wd matrix[SPINS][SPINS], const wd *in, wd *out)
{
    for (int i = 0; i < SPINS; i++) {
        wd sum = matrix[i][0] * in[0];
        for (int k = 1; k < SPINS; k++)
            sum = sum + matrix[i][k] * in[k];
        out[i] = sum;
    }
}

/* whether velocities, of all lanes, are those of bodies that go on (trn_exact_is_sane()) */
TR_INLINE wdm is_slow_enough(const lane_pack *p, const wd v[DEGREES])
{
    const wd speed = wd_set((double)TR_SANE_SPEED * p->step->unit), turn = wd_set((double)TR_SANE_TURN / p->step->h);
    wdm sane = wd_le(wd_abs(v[0]), speed);
    for (int i = 1; i < DEGREES; i++)
        sane &= wd_le(wd_abs(v[i]), i < AXES ? speed : turn);
    return sane;
}

static void begin_lane_body(lane_pack *p, const lane_kick *kick, lane_body *body)
{
    const wd time = wd_set(kick->time);
    wd rate[DEGREES], next[DEGREES];
    lane_inertia(body);
    for (int i = 0; i < AXES; i++)
        rate[i] = body->pull[i];
    turn_by((const wd(*)[SPINS])body->inverse, body->pull + AXES, rate + AXES);
    const wd *damping = body->damping[kick->time == kick->h];
    for (int i = 0; i < DEGREES; i++) {
        body->fall[i] = time * rate[i] - damping[i >= AXES] * body->v[i];
        next[i] = body->v[i] + body->fall[i];
    }
    p->bad |= ~is_slow_enough(p, next);
    memset(body->stiffness, 0, sizeof body->stiffness);
}

/* the rows of a point, and of the angle between the bodies */
static void evaluate_point(lane_pack *p, const lane_kick *kick, lane_joint *joint)
{
    lane_body *a = &p->bodies[joint->end[0]], *b = &p->bodies[joint->end[1]];
    const ls wa = spin_of(a), wb = spin_of(b);
    const lv ra = lane_turned(&a->pose, joint->anchor[0]), rb = lane_turned(&b->pose, joint->anchor[1]);
    const lv d = lv_plus(lv_minus(b->center, a->center), lv_minus(rb, ra));
    const lv d_rate =
        lv_minus(lv_plus(velocity_of(b), lane_whirl(wb, rb)), lv_plus(velocity_of(a), lane_whirl(wa, ra)));
    const lv arm = lv_plus(ra, d), turning = lane_whirl(wa, d);
    const lv rate = lv_minus(d_rate, turning);
    const lv centripetal = lv_minus(lane_whirl(wb, lane_whirl(wb, rb)), lane_whirl(wa, lane_whirl(wa, ra)));
    const lv bend =
        lv_plus(centripetal, lv_minus(lane_whirl(wa, turning), lv_times(wd_set(2.0), lane_whirl(wa, d_rate))));
    ls levers[2][AXES];
    lane_levers(arm, levers[0]);
    lane_levers(rb, levers[1]);
    const wd most = wd_set(TR_EXACT_CORRECTS_AT * p->step->unit * kick->h);
    wd sum = wd_set(0.0);
    lv force;
    for (int r = 0; r < AXES; r++) {
        lane_row *row = &joint->rows[r];
        row->u = rate.x[r];
        row->b = wd_set(0.0);
        row->bend = bend.x[r];
        row->close = lane_max(lane_min(d.x[r], most), -most);
        force.x[r] = row->force;
        for (int end = 0; end < 2; end++) {
            const lane_body *body = end == 0 ? a : b;
            for (int i = 0; i < SPINS; i++)
                row->j[end][AXES + i] = end == 0 ? -levers[0][r].x[i] : levers[1][r].x[i];
            if (joint->end[end] >= p->body_count)
                continue;
            wd moved[SPINS];
            turn_by((const wd(*)[SPINS])body->inverse, row->j[end] + AXES, moved);
            sum = sum + body->inverse_mass;
            for (int i = 0; i < SPINS; i++)
                sum = sum + row->j[end][AXES + i] * moved[i];
        }
    }
    for (int r = 0; r < AXES; r++) {
        joint->rows[r].e = sum * wd_set(TR_EXACT_COMPLIANCE / AXES);
        joint->rows[r].k = sum * wd_set(1.0 / AXES);
    }
    if (joint->end[0] < p->body_count)
        lane_stiffen(a, ra, lv_times(wd_set(-1.0), force));
    if (joint->end[1] < p->body_count)
        lane_stiffen(b, rb, force);
    if (joint->source != TR_EXACT_BY_TURN)
        return;
    lane_row *row = &joint->rows[AXES];
    row->u = wb.x[0] - wa.x[0];
    row->law->value = lane_angle(b) - lane_angle(a) + row->law->beside;
    row->bend = row->k = wd_set(0.0);
    if (joint->end[0] < p->body_count)
        row->k = row->k + a->inverse[0][0];
    if (joint->end[1] < p->body_count)
        row->k = row->k + b->inverse[0][0];
    begin_law(p, kick, row);
}

/* The equations of one lane's joint at its state. */
static void evaluate_lane(lane_pack *p, uint32_t j, int lane)
{
    const trn_exact_step *step = p->step;
    lane_joint *to = &p->joints[j];
    trn_exact_joint *joint = &step->exact->joints[p->own[lane]->first_joint + j];
    trn_joint_pose pose;
    trn_equations equations;
    trn_exact_equations(step->exact, step->system, joint, 0.0, &pose, &equations);
    trn_exact_follow(joint, &pose);
    const trn_dvec arm[2] = {pose.r_a, pose.r_b};
    double parts[DEGREES];
    for (int end = 0; end < 2; end++) {
        trn_equation_put(parts, arm[end], trn_equation_angular(equations.row[0].j[0]));
        for (int i = 0; i < AXES; i++)
            to->anchor[end].x[i][lane] = parts[i];
    }
    for (uint32_t r = 0; r < to->row_count; r++) {
        lane_row *row = &to->rows[r];
        const trn_equation *from = &equations.row[row->first[lane]];
        const double sign = from->turned ? -1.0 : 1.0;
        for (int end = 0; end < 2; end++)
            for (int i = 0; i < DEGREES; i++)
                row->j[end][i][lane] = sign * from->j[end][i];
        row->u[lane] = sign * from->rate;
        row->bend[lane] = sign * from->bend;
        row->close[lane] = sign * from->value;
        if (row->kind != TR_EXACT_LAW)
            continue;
        row->law->value[lane] = sign * from->value;
        row->law->length[lane] = from->length > 0.0 ? from->length : 1.0;
    }
}

static void copy_lane(lane_joint *joint, int lane)
{
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < AXES; i++)
            joint->anchor[end].x[i][lane] = joint->anchor[end].x[i][0];
    for (uint32_t r = 0; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
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
    for (int end = 0; end < 2; end++) {
        const lane_body *body = &p->bodies[joint->end[end]];
        const wd *own = row->j[end];
        wd moved[SPINS], square = own[0] * own[0];
        if (joint->end[end] >= p->body_count)
            continue;
        for (int i = 1; i < AXES; i++)
            square = square + own[i] * own[i];
        turn_by((const wd(*)[SPINS])body->inverse, own + AXES, moved);
        sum = sum + body->inverse_mass * square;
        for (int i = 0; i < SPINS; i++)
            sum = sum + own[AXES + i] * moved[i];
    }
    row->k = sum;
}

static void evaluate_equations(lane_pack *p, const lane_kick *kick, uint32_t j)
{
    lane_joint *joint = &p->joints[j];
    const wd none = wd_set(0.0), greatest = wd_set(DBL_MAX);
    wd sum[2] = {none, none};
    double count[2] = {0.0, 0.0};
    lv force[2];
    for (int lane = 0; lane < TR_DOUBLES; lane++) {
        if (lane >= (int)p->count)
            copy_lane(joint, lane);
        else if (p->bad[lane] == 0)
            evaluate_lane(p, j, lane);
    }
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < AXES; i++)
            force[end].x[i] = none;
    for (uint32_t r = 0; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
        weigh_row(p, joint, row);
        p->bad |= ~wd_le(wd_abs(row->u + row->close + row->bend + row->k), greatest);
        for (int end = 0; end < 2; end++)
            for (int i = 0; i < AXES; i++)
                force[end].x[i] = force[end].x[i] + row->force * row->j[end][i];
        row->b = none;
        if (row->kind == TR_EXACT_LAW) {
            begin_law(p, kick, row);
        } else if (row->kind == TR_EXACT_KEPT) {
            p->bad |= ~wd_lt(none, row->k);
            sum[row->linear] = sum[row->linear] + row->k;
            count[row->linear]++;
        }
    }
    for (uint32_t r = 0; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
        const double unit = row->linear ? p->step->unit : 1.0;
        if (row->kind == TR_EXACT_RUBBED && row->rub->first == row)
            begin_rub(kick, row);
        if (row->kind != TR_EXACT_KEPT)
            continue;
        row->e = sum[row->linear] * wd_set(TR_EXACT_COMPLIANCE / count[row->linear]);
        row->close = lane_clamped(row->close, wd_set(TR_EXACT_CORRECTS_AT * unit * kick->h));
    }
    for (int end = 0; end < 2; end++)
        if (joint->end[end] < p->body_count)
            lane_stiffen(&p->bodies[joint->end[end]], joint->anchor[end], force[end]);
}

TR_INLINE wd trace_of_lanes(wd a[SPINS][SPINS])
{
    wd sum = a[0][0];
    for (int i = 1; i < SPINS; i++)
        sum = sum + a[i][i];
    return sum;
}

static void slow_lane_body(const lane_kick *kick, lane_body *body)
{
    const wdm less = wd_lt(trace_of_lanes(body->before), trace_of_lanes(body->stiffness));
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k < SPINS; k++) {
            const wd now = body->stiffness[i][k];
            if (!kick->first)
                body->stiffness[i][k] = wd_select(less, body->before[i][k], now);
            body->before[i][k] = now;
        }
    lane_slow(body, kick->h * kick->h / TR_EXACT_STIFF_FROM);
}

/* of `n` rows, of which the first `points` are of a point */
TR_INLINE void bend_rows(lane_pack *p, const lane_kick *kick, lane_joint *joint, uint32_t n, uint32_t points)
{
    const wd one = wd_set(1.0), h = wd_set(kick->h);
    const wd turn_most = wd_set(TR_EXACT_TURN_MOST * TR_EXACT_TURN_MOST), slow_from = wd_set(TR_EXACT_SLOW_FROM);
    wd share = one;
    for (int end = 0; end < 2; end++) {
        const lane_body *body = &p->bodies[joint->end[end]];
        if (joint->end[end] >= p->body_count)
            continue;
        wd square = wd_set(0.0);
        for (int i = AXES; i < DEGREES; i++)
            square = square + h * h * body->v[i] * body->v[i];
        const wdm slow = wd_le(body->slowness, slow_from), fast = wd_lt(turn_most, square);
        if (lane_any(slow | fast)) {
            wd own = wd_select(slow, body->slowness / slow_from, one);
            own = wd_select(fast, own * (turn_most / square), own);
            share = lane_min(own, share);
        }
        for (uint32_t r = 0; r < n; r++)
            for (int i = 0; i < SPINS; i++)
                joint->rows[r].bend = joint->rows[r].bend + joint->rows[r].j[end][AXES + i] * body->gyration[i];
    }
    for (uint32_t r = 0; r < n; r++) {
        lane_row *row = &joint->rows[r];
        const wd bend = wd_set(0.5) * h * share * row->bend;
        if (r < points || row->kind == TR_EXACT_KEPT)
            row->b = bend;
        if (r < points || row->kind != TR_EXACT_LAW)
            continue;
        for (uint32_t f = TR_EXACT_LOWER; f <= TR_EXACT_RIGID; f++)
            if ((row->law->used >> f & 1) != 0)
                row->law->feature[f].b = row->law->feature[f].b + bend;
    }
}

static void bend_lane_joint(lane_pack *p, const lane_kick *kick, lane_joint *joint)
{
    if (joint->source == TR_EXACT_BY_POINT)
        bend_rows(p, kick, joint, AXES, AXES);
    else
        bend_rows(p, kick, joint, joint->row_count, joint->source == TR_EXACT_BY_TURN ? AXES : 0);
}

/* the numbers of a body, and of a joint, in the system and its right-hand sides */
static void put_body(lane_pack *p, uint32_t b)
{
    const lane_body *body = &p->bodies[b];
    wd *own = p->value + p->shape->place[b], (*x)[2] = p->x + (size_t)b * DEGREES;
    wd spin[SPINS];
    for (int i = 0; i < AXES; i++) {
        own[i * DEGREES + i] = body->mass;
        x[i][0] = body->mass * body->fall[i];
    }
    turn_by(body->slow, body->fall + AXES, spin);
    for (int i = 0; i < SPINS; i++) {
        x[AXES + i][0] = spin[i];
        for (int k = 0; k <= i; k++)
            own[(AXES + i) * DEGREES + AXES + k] = body->slow[i][k];
    }
    for (int i = 0; i < DEGREES; i++)
        x[i][1] = wd_set(0.0);
}

/* whether a row is in the system, of all lanes, and its compliance, value and what is corrected */
TR_INLINE wdm system_of_row(const lane_row *row, wd *e, wd *want, wd *close)
{
    const wd none = wd_set(0.0);
    wdm on = wd_le(none, none);
    *e = row->e;
    *want = row->u + row->b;
    *close = row->close;
    if (row->kind == TR_EXACT_LAW) {
        sum_law(row, close);
        on = row->law->any;
        *e = row->law->e;
        *want = row->u + (row->law->ref + row->law->lean * row->law->e);
    } else if (row->kind == TR_EXACT_RUBBED) {
        on = row->rub->on;
        *e = wd_select(on, row->rub->e * row->rub->soften, wd_set(1.0));
        *close = none;
    }
    return on;
}

/* impulses at bounds, of a coordinate */
static void put_bounded(lane_pack *p, const lane_joint *joint, const lane_row *row)
{
    for (int end = 0; end < 2; end++) {
        if (joint->end[end] >= p->body_count)
            continue;
        wd(*x)[2] = p->x + (size_t)joint->end[end] * DEGREES;
        for (int i = 0; i < DEGREES; i++)
            x[i][0] = x[i][0] + row->law->bounded * row->j[end][i];
    }
}

/* `n`: how many rows, of which the first `points` are of a point */
TR_INLINE uint32_t put_rows(lane_pack *p, uint32_t j, uint32_t edge, uint32_t n, uint32_t points)
{
    const lane_joint *joint = &p->joints[j];
    const trn_exact_shape *shape = p->shape;
    wd *own = p->value + shape->place[p->body_count + j], *to[2] = {NULL, NULL};
    bool turned[2] = {false, false};
    for (int end = 0; end < 2; end++)
        if (joint->end[end] < p->body_count) {
            to[end] = p->value + shape->place[edge];
            turned[end] = shape->turned[edge++];
        }
    wd(*x)[2] = p->x + joint->number;
    for (uint32_t r = 0; r < n; r++) {
        const lane_row *row = &joint->rows[r];
        const wd none = wd_set(0.0);
        if (r < points) {
            own[r * n + r] = -row->e;
            x[r][0] = -(row->u + row->b);
            x[r][1] = -row->close;
            for (uint32_t end = 0; end < 2; end++)
                for (uint32_t i = 0; i < SPINS + 1 && to[end] != NULL; i++) {
                    const uint32_t at = i < SPINS ? AXES + i : r;
                    to[end][turned[end] ? r * DEGREES + at : at * n + r] =
                        i < SPINS ? row->j[end][at] : wd_set(end == 0 ? -1.0 : 1.0);
                }
            if (p->law_count > 0)
                p->closes |= ~(wdm)(row->close == none);
            continue;
        }
        wd e, want, close;
        const wdm on = system_of_row(row, &e, &want, &close);
        own[r * n + r] = -e;
        x[r][0] = wd_select(on, -want, none);
        x[r][1] = -close;
        p->closes |= ~(wdm)(close == none);
        for (int end = 0; end < 2; end++)
            for (uint32_t i = 0; i < DEGREES && to[end] != NULL; i++)
                to[end][turned[end] ? r * DEGREES + i : i * n + r] = wd_select(on, row->j[end][i], none);
        if (row->kind == TR_EXACT_LAW)
            put_bounded(p, joint, row);
    }
    return edge;
}

static uint32_t put_joint(lane_pack *p, uint32_t j, uint32_t edge)
{
    const lane_joint *joint = &p->joints[j];
    if (joint->source == TR_EXACT_BY_POINT)
        return put_rows(p, j, edge, AXES, AXES);
    return put_rows(p, j, edge, joint->row_count, joint->source == TR_EXACT_BY_TURN ? AXES : 0);
}

/* The system of all lanes with what is held in each, and its solution. */
static void solve_lanes(lane_pack *p)
{
    uint32_t edge = p->body_count + p->joint_count;
    memset(p->value, 0, p->program->value_count * sizeof *p->value);
    p->closes = (wdm)wd_set(0.0);
    for (uint32_t b = 0; b < p->body_count; b++)
        put_body(p, b);
    for (uint32_t j = 0; j < p->joint_count; j++)
        edge = put_joint(p, j, edge);
    factor_pack(p);
    solve_pack(p);
}

/* Solves until nothing is wrong in any lane. In one that has settled nothing changes any more: its system remains the
   same. What does not settle is for the general path. */
static void settle_lanes(lane_pack *p)
{
    wdm solves = (wdm)wd_set(0.0), fewest = ~solves ^ INT64_MIN, open = ~p->bad;
    wdm patience = solves + (int64_t)TR_EXACT_PATIENCE;
    for (uint32_t tries = 1;; tries++) {
        solve_lanes(p);
        for (uint32_t j = 0; j < p->joint_count; j++)
            take_joint(p, &p->joints[j]);
        solves -= open;
        if (p->law_count + p->rub_count == 0)
            break;
        wdm blocks;
        const wdm wrong = change_rows(p, &blocks);
        const wdm fewer = (wdm)(wrong < fewest), some = (wdm)(wrong > 0);
        patience = (fewer & (int64_t)TR_EXACT_PATIENCE) | (~fewer & (patience + some));
        fewest = (fewer & wrong) | (~fewer & fewest);
        open &= (wdm)(wrong + blocks > 0) & ~p->bad;
        p->bad |= tries >= TR_EXACT_TRIES ? open : open & (wdm)(patience <= 0);
        open &= ~p->bad;
        if (!lane_any(open))
            break;
    }
    p->solves += solves;
    const wdm more = (wdm)(solves > p->most);
    p->most = (more & solves) | (~more & p->most);
}

/* as put_rows() */
TR_INLINE void push_rows(lane_pack *p, const lane_kick *kick, const lane_joint *joint, uint32_t n, uint32_t points)
{
    const wd per_time = wd_set(1.0 / kick->time);
    const int half = kick->early ? 0 : 1;
    for (uint32_t r = 0; r < n; r++) {
        lane_row *row = &joint->rows[r];
        const wd lambda = row->lambda;
        row->force = lambda * per_time;
        row->total[half] = row->total[half] + lambda;
        for (int end = 0; end < 2; end++) {
            if (joint->end[end] >= p->body_count)
                continue;
            wd *to = p->bodies[joint->end[end]].change;
            if (r < points)
                to[r] = end == 0 ? to[r] - lambda : to[r] + lambda;
            for (uint32_t i = r < points ? AXES : 0; i < DEGREES; i++)
                to[i] = to[i] + row->j[end][i] * lambda;
        }
        if (r < points || row->kind != TR_EXACT_LAW)
            continue;
        EACH_FEATURE(row->law, f)
        {
            lane_feature *own = &row->law->feature[f];
            own->force = own->lambda * per_time;
            own->total[half] = own->total[half] + own->lambda;
        }
    }
}

/* What impulses change in velocities: momentum is conserved whatever they are. */
static void push_lanes(lane_pack *p, const lane_kick *kick)
{
    for (uint32_t b = 0; b < p->body_count; b++)
        for (int i = 0; i < DEGREES; i++)
            p->bodies[b].change[i] = wd_set(0.0);
    for (uint32_t j = 0; j < p->joint_count; j++) {
        const lane_joint *joint = &p->joints[j];
        if (joint->source == TR_EXACT_BY_POINT)
            push_rows(p, kick, joint, AXES, AXES);
        else
            push_rows(p, kick, joint, joint->row_count, joint->source == TR_EXACT_BY_TURN ? AXES : 0);
    }
}

/* The correction of errors, again while there are stops that it would pass. */
static void correct_lanes(lane_pack *p)
{
    for (uint32_t round = 0; round < TR_EXACT_MEETINGS && p->law_count > 0; round++) {
        const wdm meets = meet_stops(p) & ~p->bad;
        if (!lane_any(meets))
            return;
        yield_stops(p, meets);
        solve_lanes(p);
        p->solves -= meets;
    }
}

/* the share of the correction by which no body moves too far */
static wd scale_of_shift(const lane_pack *p, const lane_kick *kick)
{
    const wd one = wd_set(1.0), time = wd_set(TR_EXACT_SHIFTS_AT * kick->h), linear = time * wd_set(p->step->unit);
    wd most[2] = {wd_set(0.0), wd_set(0.0)};
    for (uint32_t b = 0; b < p->body_count; b++)
        for (int i = 0; i < DEGREES; i++)
            most[i >= AXES] = lane_max(wd_abs(p->x[(size_t)b * DEGREES + (uint32_t)i][1]), most[i >= AXES]);
    if (!lane_any(wd_lt(linear, most[0]) | wd_lt(time, most[1])))
        return one;
    return lane_min(wd_select(wd_lt(linear, most[0]), linear / most[0], one),
                    wd_select(wd_lt(time, most[1]), time / most[1], one));
}

static void move_lane_body(lane_pack *p, const lane_kick *kick, uint32_t b, wd scale)
{
    lane_body *body = &p->bodies[b];
    const wd(*x)[2] = (const wd(*)[2])p->x + (size_t)b * DEGREES;
    const wd h = wd_set(kick->h), most = wd_set(DBL_MAX);
    wd spin[SPINS];
    ls by;
    turn_by((const wd(*)[SPINS])body->slow_inverse, body->change + AXES, spin);
    for (int i = 0; i < AXES; i++)
        body->v[i] = body->v[i] + (body->inverse_mass * body->change[i] + body->fall[i]);
    for (int i = 0; i < SPINS; i++) {
        body->v[AXES + i] = body->v[AXES + i] + (spin[i] + body->fall[AXES + i]);
        by.x[i] = scale * x[AXES + i][1];
    }
    p->bad |= ~is_slow_enough(p, body->v);
    for (int i = 0; i < AXES; i++) {
        body->center.x[i] = body->center.x[i] + scale * x[i][1];
        if (!kick->last)
            body->center.x[i] = body->center.x[i] + h * body->v[i];
        p->bad |= ~wd_le(wd_abs(body->center.x[i]), most);
    }
    p->bad |= ~lane_rotate(body, by, kick->last ? 0.0 : kick->h);
}

static void run_lane_kick(lane_pack *p, const lane_kick *kick)
{
    for (uint32_t b = 0; b < p->body_count; b++) {
        begin_lane_body(p, kick, &p->bodies[b]);
        if (p->bodies[b].followed && !kick->first)
            follow_body(p, b);
    }
    for (uint32_t j = 0; j < p->joint_count; j++) {
        if (p->joints[j].source == TR_EXACT_BY_EQUATIONS)
            evaluate_equations(p, kick, j);
        else
            evaluate_point(p, kick, &p->joints[j]);
    }
    for (uint32_t b = 0; b < p->body_count; b++)
        slow_lane_body(kick, &p->bodies[b]);
    for (uint32_t j = 0; j < p->joint_count && !kick->last; j++)
        bend_lane_joint(p, kick, &p->joints[j]);
    settle_lanes(p);
    push_lanes(p, kick);
    correct_lanes(p);
    const wd scale = scale_of_shift(p, kick);
    for (uint32_t b = 0; b < p->body_count; b++)
        move_lane_body(p, kick, b, scale);
}
