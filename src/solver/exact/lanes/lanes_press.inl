/* Contacts of islands side by side with what does not move, in a kick: their rows, and what they give to the system
   (solver/exact/lanes/lanes_touch.inl). */

/* Bounds of what rubs, in some lanes, by loads of the points. */
static void bound_touch(const lane_kick *kick, lane_touch *touch, const wd load[TOUCH_POINTS], wdm lanes)
{
    const wd none = wd_set(0.0);
    wd all = load[0];
    for (uint32_t i = 1; i < TOUCH_POINTS; i++)
        all = all + load[i];
    for (uint32_t r = TOUCH_POINTS; r < TOUCH_ROWS; r++) {
        lane_touch_row *row = &touch->rows[r];
        const bool own = SPINS > 1 && is_linear(r);
        if (!row->used)
            continue;
        const wd most = row->coefficient * (own ? load[(r - TOUCH_POINTS) / 2] : all) * wd_set(kick->time);
        row->high = wd_select(lanes, most, row->high);
        row->low = -row->high;
        row->on = (lanes & row->there & wd_lt(none, most)) | (~lanes & row->on);
    }
}

/* what rubs begins in some lanes as held */
static void hold_touch(lane_touch *touch, wdm lanes)
{
    for (uint32_t r = TOUCH_POINTS; r < TOUCH_ROWS; r++)
        touch->rows[r].held |= lanes;
    EACH_PAIR(i)
    {
        lane_rub *pair = &touch->pairs[i];
        pair->slides &= ~lanes;
        pair->freed &= ~lanes;
        pair->turns &= ~lanes;
        pair->braked &= ~lanes;
    }
}

/* which share of its bound, by the loads of now, what rubs had at least if it was at its bound */
#define NEARLY 0.99

/* What rubs by itself begins at its bound if it was. */
static void begin_rubbing(const lane_kick *kick, lane_touch *touch)
{
    for (uint32_t r = TOUCH_POINTS; r < TOUCH_ROWS; r++) {
        lane_touch_row *row = &touch->rows[r];
        const wd most = wd_set(NEARLY) * row->high, was = row->force * wd_set(kick->time);
        if (!row->used || pair_of(r) != TOUCH_PAIRS)
            continue;
        row->top = row->on & wd_lt(most, was);
        row->held &= ~(row->top | (row->on & wd_lt(was, -most)));
    }
}

/* as begin_rub() */
static void begin_pair(const lane_kick *kick, lane_touch *touch, uint32_t i)
{
    lane_rub *pair = &touch->pairs[i];
    const lane_touch_row *rows = &touch->rows[first_of_pair(i)];
    const wd none = wd_set(0.0);
    pair->freed = pair->turns = pair->braked = (wdm)none;
    pair->count = 2;
    pair->k = wd_set(0.5) * (rows[0].k + rows[1].k);
    pair->e = rows[0].e;
    pair->high = rows[0].high;
    pair->on = rows[0].on;
    if (kick->first) {
        const wd u = rows[0].u + rows[0].b, v = rows[1].u + rows[1].b, rate = wd_sqrt(u * u + v * v);
        const wd force = rows[0].force * rows[0].force + rows[1].force * rows[1].force;
        const wd most = rows[0].high / wd_set(kick->time);
        pair->slides = pair->on & wd_lt(wd_set(1.0 - SLID) * most * most, force) & wd_lt(pair->e * pair->high, rate);
        pair->along[0] = wd_select(pair->slides, u / rate, none);
        pair->along[1] = wd_select(pair->slides, v / rate, none);
        pair->rate = rate;
    }
    pair->slides &= pair->on;
    pair->rate = wd_max(pair->rate, pair->e * pair->high);
}

static void begin_normal(const lane_pack *p, const lane_kick *kick, const lane_footing *footing, lane_touch *touch,
                         uint32_t i)
{
    const lane_body *body = &p->bodies[footing->body];
    const trn_settings *settings = &p->step->system->settings;
    lane_touch_row *row = &touch->rows[i];
    const wd none = wd_set(0.0), gap = touch->gap[i];
    const wdm violated = row->there & wd_lt(gap, none);
    row->on = row->there;
    row->low = none;
    row->high = wd_set(INFINITY);
    row->b = row->curve = none;
    row->held |= violated;
    row->close = wd_select(
        violated, wd_max(wd_set(TR_EXACT_CLOSES_SHARE) * gap, wd_set(-(double)settings->contacts.push_speed * kick->h)),
        none);
    if (kick->last) {
        row->on &= wd_le(gap, reach_of(row->force, p->step->unit));
        return;
    }
    wd bend = none;
    for (int k = 0; k < SPINS && !body->straight; k++)
        bend = bend + row->j[AXES + k] * body->rest->gyration[k];
    row->curve = wd_set(0.5 * kick->h) * body->rest->curve * bend;
    const wdm open = wd_lt(wd_set(TR_EXACT_TOUCHES * p->step->unit), gap);
    row->b = wd_select(open, gap, none) / wd_set(kick->h) + row->curve;
}

/* As trn_exact_contact_end(). */
static void bounce(const lane_pack *p, const lane_kick *kick, const lane_footing *footing, lane_touch *touch,
                   uint32_t i)
{
    const lane_body *body = &p->bodies[footing->body];
    const wd least = wd_set(-(double)p->step->system->settings.contacts.bounce_speed), none = wd_set(0.0);
    lane_touch_row *row = &touch->rows[i];
    const wd came = touch->approach[i];
    const wdm bounces =
        row->there & wd_lt(none, touch->restitution) & wd_lt(came, least) & wd_lt(none, row->total[0] + row->total[1]);
    if (!wd_any(bounces))
        return;
    const wd gain = -along_row(row, body->fall) / wd_set(kick->time);
    const wd square = came * came + wd_set(2.0) * gain * wd_max(touch->begun[i], none);
    row->b = wd_select(bounces, -touch->restitution * wd_sqrt(wd_max(square, none)), row->b);
    row->on |= bounces;
    row->held |= bounces;
    row->e = wd_select(bounces, wd_set(TR_EXACT_COMPLIANCE_BOUNDED) * row->k, row->e);
    row->weight = wd_set(1.0) / row->e;
}

/* J M^-1 J^T as the step begins, of which compliances are shares: those of all rows of a kind are the same. */
static void weigh_touch(lane_pack *p, const lane_footing *footing, lane_touch *touch)
{
    const lane_body *body = &p->bodies[footing->body];
    const wd none = wd_set(0.0), one = wd_set(1.0);
    wd sum[2] = {none, none}, count[2] = {none, none};
    EACH_TOUCH_ROW(touch, r)
    {
        lane_touch_row *row = &touch->rows[r];
        wd moved[SPINS], square = row->j[0] * row->j[0];
        UNROLLED
        for (int i = 1; i < AXES; i++)
            square = square + row->j[i] * row->j[i];
        turn_by((const wd(*)[SPINS])body->inverse, row->j + AXES, moved);
        row->k = body->inverse_mass * square;
        UNROLLED
        for (int i = 0; i < SPINS; i++)
            row->k = row->k + row->j[AXES + i] * moved[i];
        p->bad |= row->there & ~wd_lt(none, row->k);
        sum[is_linear(r)] = sum[is_linear(r)] + wd_select(row->there, row->k, none);
        count[is_linear(r)] = count[is_linear(r)] + wd_select(row->there, one, none);
    }
    EACH_TOUCH_ROW(touch, r)
    {
        lane_touch_row *row = &touch->rows[r];
        const wd mean = sum[is_linear(r)] / count[is_linear(r)];
        row->e = wd_set(r < TOUCH_POINTS ? TR_EXACT_COMPLIANCE_BOUNDED : TR_EXACT_COMPLIANCE_STAND) *
                 wd_select(row->there, mean, one);
        row->weight = one / row->e;
    }
}

static void begin_touch(lane_pack *p, const lane_kick *kick, lane_footing *footing, lane_touch *touch)
{
    const lane_body *body = &p->bodies[footing->body];
    const wd none = wd_set(0.0), most = wd_set(DBL_MAX);
    wd load[TOUCH_POINTS], rate[DIRECTIONS];
    find_gaps(footing, touch, kick->elapsed);
    if (kick->first)
        weigh_touch(p, footing, touch);
    along_directions(touch, body->v, rate);
    EACH_TOUCH_ROW(touch, r)
    {
        lane_touch_row *row = &touch->rows[r];
        row->u = along_both(row, rate[direction_of(r)], body->v) + row->drive;
        row->b = -row->speed;
        row->close = none;
        p->bad |= row->there & ~wd_le(wd_abs(row->u), most);
    }
    for (uint32_t i = 0; i < TOUCH_POINTS; i++) {
        load[i] = touch->rows[i].force;
        if (!touch->rows[i].used)
            continue;
        p->bad |= touch->rows[i].there & ~wd_le(wd_abs(touch->gap[i]), most);
        begin_normal(p, kick, footing, touch, i);
        if (kick->last)
            bounce(p, kick, footing, touch, i);
    }
    touch->freed = (wdm)none;
    bound_touch(kick, touch, load, touch->there);
    if (kick->first)
        begin_rubbing(kick, touch);
    EACH_PAIR(i)
    if (touch->rows[first_of_pair(i)].used)
        begin_pair(kick, touch, i);
}

static void begin_touches(lane_pack *p, const lane_kick *kick)
{
    for (uint32_t f = 0; f < p->footing_count; f++) {
        find_moved(p, &p->footings[f]);
        follow_footing(p, &p->footings[f]);
    }
    EACH_TOUCH(p, footing, touch)
    begin_touch(p, kick, footing, touch);
}

/* Normals take this part of the curves of bodies, of which they have taken another. */
static void bend_touches(lane_pack *p, wd before, wd part)
{
    EACH_TOUCH(p, footing, touch)
    for (uint32_t i = 0; i < TOUCH_POINTS; i++)
        if (touch->rows[i].used)
            touch->rows[i].b = touch->rows[i].b + (part - before) * touch->rows[i].curve;
}

/*
 * The system. A row's impulse is -weight (w + ahead), with the weight of what is held; a bounded one is a number. That of a
 * pair which slides is -high n - weight (w - n (n . w)), with a weight along n that is small (put_rub()).
 */

/* adds J^T weight J, and to the right-hand sides J^T pull */
TR_INLINE void add_row(lane_footing *footing, const wd j[DEGREES], wd weight, wd pull, wd close)
{
    UNROLLED
    for (int i = 0; i < DEGREES; i++) {
        const wd own = weight * j[i];
        UNROLLED
        for (int k = 0; k < DEGREES; k++)
            if (k <= i)
                footing->block[i][k] = footing->block[i][k] + own * j[k];
        footing->pull[i][0] = footing->pull[i][0] + j[i] * pull;
        footing->pull[i][1] = footing->pull[i][1] + j[i] * close;
    }
}

/* The same of rows along one direction: sums of weights, of weights times their moments, ... */
typedef struct lane_sum {
    wd weight, moment[SPINS], square[SPINS][SPINS], pull[2], turn[SPINS][2];
} lane_sum;

/* `closes`: some are corrected */
TR_INLINE void sum_row(lane_sum *sum, const lane_touch_row *row, wd weight, wd pull, wd close, bool closes)
{
    const wd *moment = row->j + AXES;
    sum->weight = sum->weight + weight;
    sum->pull[0] = sum->pull[0] + pull;
    if (closes)
        sum->pull[1] = sum->pull[1] + close;
    UNROLLED
    for (int i = 0; i < SPINS; i++) {
        const wd own = weight * moment[i];
        sum->moment[i] = sum->moment[i] + own;
        UNROLLED
        for (int k = 0; k < SPINS; k++)
            if (k <= i)
                sum->square[i][k] = sum->square[i][k] + own * moment[k];
        sum->turn[i][0] = sum->turn[i][0] + moment[i] * pull;
        if (closes)
            sum->turn[i][1] = sum->turn[i][1] + moment[i] * close;
    }
}

TR_INLINE void add_sum(lane_footing *footing, const wd direction[AXES], const lane_sum *sum, bool closes)
{
    UNROLLED
    for (int i = 0; i < AXES; i++) {
        const wd own = sum->weight * direction[i];
        UNROLLED
        for (int k = 0; k < AXES; k++)
            if (k <= i)
                footing->block[i][k] = footing->block[i][k] + own * direction[k];
        UNROLLED
        for (int side = 0; side < 2; side++)
            if (side == 0 || closes)
                footing->pull[i][side] = footing->pull[i][side] + direction[i] * sum->pull[side];
    }
    UNROLLED
    for (int i = 0; i < SPINS; i++) {
        UNROLLED
        for (int k = 0; k < AXES; k++)
            footing->block[AXES + i][k] = footing->block[AXES + i][k] + sum->moment[i] * direction[k];
        UNROLLED
        for (int k = 0; k < SPINS; k++)
            if (k <= i)
                footing->block[AXES + i][AXES + k] = footing->block[AXES + i][AXES + k] + sum->square[i][k];
        UNROLLED
        for (int side = 0; side < 2; side++)
            if (side == 0 || closes)
                footing->pull[AXES + i][side] = footing->pull[AXES + i][side] + sum->turn[i][side];
    }
}

/* What a single row gives; `rate`: that at which it counts from. */
TR_INLINE wd single_of(const lane_touch_row *row, wd rate, wd *pull)
{
    const wd none = wd_set(0.0);
    const wdm held = row->on & row->held;
    const wd weight = wd_select(held, row->weight, none);
    *pull = wd_select(row->on & ~row->held, wd_select(row->top, row->high, row->low), none) - weight * rate;
    return weight;
}

/* of the normals; `fall`: the change of velocity from which x of the body counts, or null; and what it is of directions */
static void add_normals(lane_pack *p, lane_footing *footing, const lane_touch *touch, const wd *fall, const wd *falls)
{
    const wd none = wd_set(0.0);
    lane_sum sum;
    memset(&sum, 0, sizeof sum);
    for (uint32_t i = 0; i < TOUCH_POINTS; i++) {
        const lane_touch_row *row = &touch->rows[i];
        if (!row->used)
            continue;
        const wd rate = row->u + row->b, from = fall != NULL ? rate + along_both(row, falls[0], fall) : rate;
        wd pull;
        const wd weight = single_of(row, from, &pull), close = wd_select(row->on & row->held, row->close, none);
        footing->pressed |= row->on & row->held;
        p->closes |= ~(wdm)(close == none);
        sum_row(&sum, row, weight, pull, -(weight * close), true);
    }
    add_sum(footing, touch->rows[0].j, &sum, true);
}

/* of a row that rubs by itself */
static void add_single(lane_footing *footing, const lane_touch_row *row, const wd *fall)
{
    const wd rate = row->u + row->b;
    wd pull;
    const wd weight = single_of(row, fall != NULL ? rate + along_row(row, fall) : rate, &pull);
    footing->pressed |= row->on & row->held;
    add_row(footing, row->j, weight, pull, wd_set(0.0));
}

/* what a pair weighs across its vector */
TR_INLINE wd weight_of_pair(const lane_rub *pair, const lane_touch_row *rows)
{
    wd weight = rows->weight;
    if (wd_any(pair->slides))
        weight = wd_select(pair->slides, pair->high / pair->rate, weight);
    return wd_select(pair->on, weight, wd_set(0.0));
}

/* what pairs that slide have less along their vector */
static void add_ahead(lane_footing *footing, const lane_rub *pair, const lane_touch_row *rows, wd weight,
                      const wd rate[2])
{
    const wdm ahead = pair->on & pair->slides & ~pair->turns;
    const wd none = wd_set(0.0);
    if (!wd_any(ahead))
        return;
    const wd n[2] = {wd_select(ahead, pair->along[0], none), wd_select(ahead, pair->along[1], none)};
    wd along[DEGREES];
    for (int k = 0; k < DEGREES; k++)
        along[k] = n[0] * rows[0].j[k] + n[1] * rows[1].j[k];
    const wd less = wd_set(-TR_EXACT_AHEAD) * weight,
             bound = wd_select(ahead, wd_set(TR_EXACT_AHEAD) * pair->high, none);
    add_row(footing, along, wd_select(ahead, less, none),
            wd_select(ahead, -(less * (n[0] * rate[0] + n[1] * rate[1])) - bound, none), none);
}

static void add_pairs(lane_footing *footing, lane_touch *touch, const wd *fall, const wd *falls)
{
    const wd none = wd_set(0.0);
    lane_sum sum[2];
    memset(sum, 0, sizeof sum);
    EACH_PAIR(i)
    {
        lane_rub *pair = &touch->pairs[i];
        const lane_touch_row *rows = &touch->rows[first_of_pair(i)];
        if (!rows->used)
            continue;
        const wd weight = weight_of_pair(pair, rows);
        wd rate[2];
        pair->weight = weight;
        footing->pressed |= pair->on;
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t direction = direction_of(first_of_pair(i) + k);
            rate[k] = rows[k].u + rows[k].b;
            if (fall != NULL)
                rate[k] = rate[k] + along_both(&rows[k], falls[direction], fall);
            if (direction < AXES)
                sum_row(&sum[k], &rows[k], weight, -(weight * rate[k]), none, false);
            else
                add_row(footing, rows[k].j, weight, -(weight * rate[k]), none);
        }
        add_ahead(footing, pair, rows, weight, rate);
    }
    for (int k = 0; k < 2; k++)
        add_sum(footing, touch->rows[TOUCH_POINTS + k].j, &sum[k], false);
}

static void add_touch(lane_pack *p, lane_footing *footing, lane_touch *touch, const wd *fall)
{
    wd falls[DIRECTIONS];
    memset(falls, 0, sizeof falls);
    if (fall != NULL)
        along_directions(touch, fall, falls);
    add_normals(p, footing, touch, fall, falls);
    for (uint32_t r = TOUCH_POINTS; r < TOUCH_ROWS; r++)
        if (touch->rows[r].used && pair_of(r) == TOUCH_PAIRS)
            add_single(footing, &touch->rows[r], fall);
    if (SPINS > 1)
        add_pairs(footing, touch, fall, falls);
}

/* L D L^T of the body's block with what is added */
static void factor_footing(lane_pack *p, lane_footing *footing)
{
    const lane_body *body = &p->bodies[footing->body];
    const wd none = wd_set(0.0), one = wd_set(1.0);
    wd a[DEGREES][DEGREES];
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        for (int k = 0; k <= i; k++) {
            a[i][k] = footing->block[i][k];
            if (i == k && i < AXES)
                a[i][k] = a[i][k] + body->rest->mass;
            if (k >= AXES)
                a[i][k] = a[i][k] + body->slow[i - AXES][k - AXES];
        }
    UNROLLED
    for (int c = 0; c < DEGREES; c++) {
        p->bad |= footing->pressed & ~wd_lt(none, a[c][c]);
        footing->inverse[c] = one / a[c][c];
        UNROLLED
        for (int r = c + 1; r < DEGREES; r++) {
            footing->l[r][c] = a[r][c] * footing->inverse[c];
            UNROLLED
            for (int k = c + 1; k <= r; k++)
                a[r][k] = a[r][k] - footing->l[r][c] * a[k][c];
        }
    }
}

/* what touches add to the blocks and right-hand sides of bodies */
static void put_touches(lane_pack *p)
{
    for (uint32_t f = 0; f < p->footing_count; f++) {
        lane_footing *footing = &p->footings[f];
        const lane_body *body = &p->bodies[footing->body];
        const wd *fall = body->early ? body->fall : NULL;
        memset(footing->block, 0, sizeof footing->block);
        memset(footing->pull, 0, sizeof footing->pull);
        footing->pressed = (wdm)wd_set(0.0);
        for (uint32_t t = 0; t < footing->count; t++) {
            if (footing->touches[t].used)
                add_touch(p, footing, &footing->touches[t], fall);
        }
        if (body->early) {
            factor_footing(p, footing);
            continue;
        }
        wd *own = p->value + (p->shape->place[footing->body] - p->program->skipped);
        wd(*x)[2] = p->x + (size_t)footing->body * DEGREES;
        for (int i = 0; i < DEGREES; i++) {
            for (int k = 0; k <= i; k++)
                own[i * DEGREES + k] = own[i * DEGREES + k] + footing->block[i][k];
            for (int side = 0; side < 2; side++)
                x[i][side] = x[i][side] + footing->pull[i][side];
        }
    }
}

/* z := L^-1 j */
TR_INLINE void go_forward(const lane_footing *footing, const wd j[DEGREES], wd z[DEGREES])
{
    UNROLLED
    for (int i = 0; i < DEGREES; i++) {
        z[i] = j[i];
        UNROLLED
        for (int k = 0; k < i; k++)
            z[i] = z[i] - footing->l[i][k] * z[k];
    }
}

/* the inverse of the body's block times numbers; of lanes without touches as that of a body without */
static void respond(const lane_body *body, const lane_footing *footing, const wd in[DEGREES], wd out[DEGREES])
{
    wd z[DEGREES], spin[SPINS];
    go_forward(footing, in, z);
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        z[i] = z[i] * footing->inverse[i];
    UNROLLED
    for (int i = DEGREES - 1; i >= 0; i--) {
        UNROLLED
        for (int k = i + 1; k < DEGREES; k++)
            z[i] = z[i] - footing->l[k][i] * z[k];
    }
    if (!wd_any(~footing->pressed)) {
        memcpy(out, z, sizeof z);
        return;
    }
    turn_by((const wd(*)[SPINS])body->slow_inverse, in + AXES, spin);
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        out[i] = wd_select(footing->pressed, z[i], i < AXES ? body->inverse_mass * in[i] : spin[i - AXES]);
}
