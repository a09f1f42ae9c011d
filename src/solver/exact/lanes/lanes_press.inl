/* Kicks of contacts of islands side by side with what does not move (solver/exact/lanes/lanes_touch.inl). */

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
        row->on &= wd_le(gap, wd_set(TR_EXACT_REACHED * p->step->unit));
        return;
    }
    wd bend = none;
    for (int k = 0; k < SPINS && !body->straight; k++)
        bend = bend + row->j[AXES + k] * body->gyration[k];
    row->curve = wd_set(0.5 * kick->h) * body->curve * bend;
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
}

static void begin_touch(lane_pack *p, const lane_kick *kick, lane_footing *footing, lane_touch *touch)
{
    const lane_body *body = &p->bodies[footing->body];
    const wd none = wd_set(0.0), one = wd_set(1.0);
    wd sum[2] = {none, none}, count[2] = {none, none}, load[TOUCH_POINTS];
    find_gaps(footing, touch, kick->elapsed);
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
        row->u = along_row(row, body->v) + row->drive;
        row->b = -row->speed;
        row->close = none;
        p->bad |= row->there & ~(wd_le(wd_abs(row->u), wd_set(DBL_MAX)) & wd_lt(none, row->k));
        sum[is_linear(r)] = sum[is_linear(r)] + wd_select(row->there, row->k, none);
        count[is_linear(r)] = count[is_linear(r)] + wd_select(row->there, one, none);
    }
    EACH_TOUCH_ROW(touch, r)
    {
        lane_touch_row *row = &touch->rows[r];
        const wd mean = sum[is_linear(r)] / count[is_linear(r)];
        row->e = wd_set(r < TOUCH_POINTS ? TR_EXACT_COMPLIANCE_BOUNDED : TR_EXACT_COMPLIANCE_STAND) *
                 wd_select(row->there, mean, one);
    }
    for (uint32_t i = 0; i < TOUCH_POINTS; i++) {
        load[i] = touch->rows[i].force;
        if (!touch->rows[i].used)
            continue;
        p->bad |= touch->rows[i].there & ~wd_le(wd_abs(touch->gap[i]), wd_set(DBL_MAX));
        begin_normal(p, kick, footing, touch, i);
        if (kick->last)
            bounce(p, kick, footing, touch, i);
    }
    touch->freed = (wdm)none;
    bound_touch(kick, touch, load, touch->there);
    if (kick->first)
        begin_rubbing(kick, touch);
    EACH_TOUCH_ROW(touch, r)
    touch->rows[r].weight = one / touch->rows[r].e;
    EACH_PAIR(i)
    if (touch->rows[first_of_pair(i)].used)
        begin_pair(kick, touch, i);
}

static void begin_touches(lane_pack *p, const lane_kick *kick)
{
    for (uint32_t f = 0; f < p->footing_count; f++)
        find_moved(p, &p->footings[f]);
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

/* What a single row gives. `fall`: the change of velocity from which x of the body counts, or null. */
static void add_single(lane_pack *p, lane_footing *footing, const lane_touch_row *row, const wd *fall)
{
    const wd none = wd_set(0.0), rate = row->u + row->b;
    const wdm held = row->on & row->held;
    const wd weight = wd_select(held, row->weight, none);
    const wd bound = wd_select(row->on & ~row->held, wd_select(row->top, row->high, row->low), none);
    const wd from = fall != NULL ? rate + along_row(row, fall) : rate;
    const wd close = wd_select(held, row->close, none);
    footing->pressed |= held;
    p->closes |= ~(wdm)(close == none);
    add_row(footing, row->j, weight, bound - weight * from, -(weight * close));
}

/* its stiffness along n beside that across it; how much an impulse is ahead */

static wd weight_of_pair(const lane_rub *pair)
{
    const wd weight = wd_select(pair->slides, pair->high / pair->rate, wd_set(1.0) / pair->e);
    return wd_select(pair->on, weight, wd_set(0.0));
}

static void add_pair(lane_footing *footing, const lane_touch *touch, uint32_t i, const wd *fall)
{
    const lane_rub *pair = &touch->pairs[i];
    const lane_touch_row *rows = &touch->rows[first_of_pair(i)];
    const wd none = wd_set(0.0), weight = weight_of_pair(pair);
    const wdm ahead = pair->on & pair->slides & ~pair->turns;
    const wd n[2] = {wd_select(ahead, pair->along[0], none), wd_select(ahead, pair->along[1], none)};
    wd along[DEGREES], rate[2];
    footing->pressed |= pair->on;
    for (int k = 0; k < 2; k++) {
        rate[k] = rows[k].u + rows[k].b;
        if (fall != NULL)
            rate[k] = rate[k] + along_row(&rows[k], fall);
        add_row(footing, rows[k].j, weight, -(weight * rate[k]), none);
    }
    if (!wd_any(ahead))
        return;
    for (int k = 0; k < DEGREES; k++)
        along[k] = n[0] * rows[0].j[k] + n[1] * rows[1].j[k];
    const wd less = wd_set(-TR_EXACT_AHEAD) * weight,
             bound = wd_select(ahead, wd_set(TR_EXACT_AHEAD) * pair->high, none);
    add_row(footing, along, wd_select(ahead, less, none),
            wd_select(ahead, -(less * (n[0] * rate[0] + n[1] * rate[1])) - bound, none), none);
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
                a[i][k] = a[i][k] + body->mass;
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
            const lane_touch *touch = &footing->touches[t];
            if (!touch->used)
                continue;
            EACH_TOUCH_ROW(touch, r)
            if (pair_of(r) == TOUCH_PAIRS)
                add_single(p, footing, &touch->rows[r], fall);
            EACH_PAIR(i)
            if (touch->rows[first_of_pair(i)].used)
                add_pair(footing, touch, i, fall);
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
    turn_by((const wd(*)[SPINS])body->slow_inverse, in + AXES, spin);
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        out[i] = wd_select(footing->pressed, z[i], i < AXES ? body->inverse_mass * in[i] : spin[i - AXES]);
}

/* impulses of a solution */
static void take_touches(lane_pack *p)
{
    const wd none = wd_set(0.0);
    EACH_TOUCH(p, footing, touch)
    {
        wd x[DEGREES];
        for (int i = 0; i < DEGREES; i++)
            x[i] = p->x[(size_t)footing->body * DEGREES + (uint32_t)i][0];
        EACH_TOUCH_ROW(touch, r)
        {
            lane_touch_row *row = &touch->rows[r];
            row->rate = row->u + row->b + along_row(row, x);
            const wd bound = wd_select(row->top, row->high, row->low);
            row->lambda = wd_select(row->on, wd_select(row->held, -(row->weight * row->rate), bound), none);
        }
        EACH_PAIR(i)
        {
            const lane_rub *pair = &touch->pairs[i];
            lane_touch_row *rows = &touch->rows[first_of_pair(i)];
            if (!rows->used)
                continue;
            const wd weight = weight_of_pair(pair);
            const wdm ahead = pair->slides & ~pair->turns;
            const wd forward = pair->along[0] * rows[0].rate + pair->along[1] * rows[1].rate;
            for (int k = 0; k < 2; k++) {
                const wd less = wd_set(TR_EXACT_AHEAD) * (pair->along[k] * (weight * forward - pair->high));
                rows[k].lambda = wd_select(pair->on, -(weight * rows[k].rate) + wd_select(ahead, less, none), none);
            }
        }
    }
}

/* the greatest numbers beside those of joints: of rotation, and linear ones */
static void greatest_touch(const lane_pack *p, wd all[2])
{
    EACH_TOUCH(p, footing, touch)
    EACH_TOUCH_ROW(touch, r)
    {
        const lane_touch_row *row = &touch->rows[r];
        wd *most = &all[is_linear(r) ? 0 : 1];
        const wd rate = wd_max(wd_abs(r < TOUCH_POINTS ? row->u : row->u + row->b), wd_abs(row->lambda * row->k));
        *most = wd_max(wd_select(row->on, rate, *most), *most);
    }
}

/* changes what is wrong, as change_rows() */
static void change_touches(lane_pack *p, wd slack, wdm *wrong, wdm *blocks)
{
    EACH_TOUCH(p, footing, touch)
    {
        EACH_TOUCH_ROW(touch, r)
        {
            lane_touch_row *row = &touch->rows[r];
            if (pair_of(r) != TOUCH_PAIRS)
                continue;
            const wd own = is_linear(r) ? slack * wd_set(p->step->unit) : slack, impulse = own / row->k;
            const wdm to_low = row->held & wd_lt(row->lambda, row->low - impulse);
            const wdm to_top = row->held & wd_lt(row->high + impulse, row->lambda);
            /* as trn_exact_next_state() */
            const wd press = wd_set(TR_EXACT_PRESS_SLACK / TR_EXACT_SLACK) * (row->e / row->k);
            const wd rate = wd_min(press, wd_set(1.0)) * own;
            const wdm from_low = ~row->held & ~row->top & wd_lt(row->rate, -(row->e * row->low) - rate);
            const wdm from_top = ~row->held & row->top & wd_lt(rate - row->e * row->high, row->rate);
            const wdm changes = row->on & (to_low | to_top | from_low | from_top);
            row->top = (row->top & ~(changes & to_low)) | (changes & to_top);
            row->held ^= changes;
            *wrong += changes & 1;
        }
        EACH_PAIR(i)
        {
            const lane_touch_row *rows = &touch->rows[first_of_pair(i)];
            const wd w[2] = {rows[0].rate, rows[1].rate}, lambda[2] = {rows[0].lambda, rows[1].lambda};
            if (rows->used)
                change_block(&touch->pairs[i], w, lambda, blocks);
        }
    }
}

/*
 * Friction that is set free and found again (exact_contact.c)
 */

static void load_of_touch(const lane_kick *kick, const lane_touch *touch, wd load[TOUCH_POINTS], wd *all)
{
    const wd none = wd_set(0.0);
    *all = none;
    for (uint32_t i = 0; i < TOUCH_POINTS; i++) {
        load[i] = wd_max(touch->rows[i].lambda / wd_set(kick->time), none);
        *all = *all + load[i];
    }
}

/* the lanes in which friction has a bound that it could not do with */
static wdm slips(const lane_touch *touch)
{
    wdm any = (wdm)wd_set(0.0);
    for (uint32_t r = TOUCH_POINTS; r < TOUCH_TURNS; r++) {
        const lane_touch_row *row = &touch->rows[r];
        const uint32_t pair = pair_of(r);
        any |= row->there & (~row->on | (pair == TOUCH_PAIRS ? ~row->held : touch->pairs[pair].slides));
    }
    return any;
}

/* the pairs as their rows are */
static void follow_rows(lane_touch *touch)
{
    EACH_PAIR(i)
    {
        touch->pairs[i].high = touch->rows[first_of_pair(i)].high;
        touch->pairs[i].on = touch->rows[first_of_pair(i)].on;
    }
}

/* The lanes in which there is some that is set free. */
static wdm free_touches(lane_pack *p, const lane_kick *kick, wdm lanes)
{
    const wd none = wd_set(0.0), free = wd_set(INFINITY);
    wdm any = (wdm)none;
    EACH_TOUCH(p, footing, touch)
    {
        wd load[TOUCH_POINTS], now, before = none;
        load_of_touch(kick, touch, load, &now);
        for (uint32_t i = 0; i < TOUCH_POINTS; i++)
            before = before + touch->rows[i].force;
        touch->freed = lanes & touch->there & ~p->bad & wd_lt(none, touch->rows[TOUCH_POINTS].coefficient) &
                       slips(touch) & wd_lt(wd_set(TR_EXACT_LOADED) * before, now);
        if (!wd_any(touch->freed))
            continue;
        any |= touch->freed;
        memcpy(touch->load, load, sizeof load);
        bound_touch(kick, touch, load, touch->freed);
        for (uint32_t r = TOUCH_POINTS; r < TOUCH_TURNS; r++) {
            lane_touch_row *row = &touch->rows[r];
            row->high = wd_select(touch->freed & row->on, free, row->high);
            row->low = -row->high;
        }
        hold_touch(touch, touch->freed);
        follow_rows(touch);
    }
    return any;
}

/* the lanes in which so many rows hold with no more than what now presses allows */
static wdm holds(const lane_kick *kick, const lane_touch_row *rows, uint32_t count, wd load)
{
    const wd most = rows->coefficient * load * wd_set(kick->time);
    wd square = wd_set(0.0);
    for (uint32_t i = 0; i < count; i++)
        square = square + rows[i].lambda * rows[i].lambda;
    return wd_le(square, most * most);
}

static void bind_touches(lane_pack *p, const lane_kick *kick)
{
    EACH_TOUCH(p, footing, touch)
    {
        wd load[TOUCH_POINTS], now, most[TOUCH_POINTS];
        if (!wd_any(touch->freed))
            continue;
        load_of_touch(kick, touch, load, &now);
        /* each point's friction in space has a load of its own; in the plane one row has all */
        for (uint32_t i = 0; i < TOUCH_POINTS; i++) {
            const lane_touch_row *rows = &touch->rows[SPINS == 1 ? TOUCH_POINTS : first_of_pair(i)];
            most[i] =
                wd_select(holds(kick, rows, SPINS == 1 ? 1 : 2, SPINS == 1 ? now : load[i]), load[i], touch->load[i]);
        }
        lane_touch_row turns[TOUCH_ROWS - TOUCH_TURNS];
        bound_touch(kick, touch, touch->load, touch->freed);
        memcpy(turns, &touch->rows[TOUCH_TURNS], sizeof turns);
        bound_touch(kick, touch, most, touch->freed);
        /* rotation keeps the bounds of what had pressed before */
        memcpy(&touch->rows[TOUCH_TURNS], turns, sizeof turns);
        hold_touch(touch, touch->freed);
        follow_rows(touch);
    }
}

/*
 * Positions
 */

/* The lanes in which some contact is held. */
static wdm held_touches(const lane_pack *p)
{
    wdm held = (wdm)wd_set(0.0);
    EACH_TOUCH(p, footing, touch)
    for (uint32_t i = 0; i < TOUCH_POINTS; i++)
        held |= touch->rows[i].on & touch->rows[i].held;
    return held;
}

/* as meet_stops() */
static wdm meet_touches(lane_pack *p)
{
    wdm meets = (wdm)wd_set(0.0);
    EACH_TOUCH(p, footing, touch)
    {
        wd x[DEGREES];
        for (int i = 0; i < DEGREES; i++)
            x[i] = p->x[(size_t)footing->body * DEGREES + (uint32_t)i][1];
        for (uint32_t i = 0; i < TOUCH_POINTS; i++) {
            lane_touch_row *row = &touch->rows[i];
            if (!row->used)
                continue;
            const wd left = touch->gap[i] + along_row(row, x);
            const wdm meet = row->on & ~row->held & p->closes & wd_lt(left, wd_set(-TR_EXACT_REACHED * p->step->unit));
            row->held |= meet;
            row->close = wd_select(meet, touch->gap[i], row->close);
            meets |= meet;
        }
    }
    return meets;
}

/* What the solution changes, as an impulse: of pressed bodies that are not eliminated first, as push() of exact_solve.c. */
static void keep_solution(lane_pack *p)
{
    for (uint32_t f = 0; f < p->footing_count; f++) {
        const lane_footing *footing = &p->footings[f];
        lane_body *body = &p->bodies[footing->body];
        wd by[DEGREES], spin[SPINS];
        if (body->early)
            continue;
        for (int i = 0; i < DEGREES; i++)
            by[i] = p->x[(size_t)footing->body * DEGREES + (uint32_t)i][0] - body->fall[i];
        turn_by((const wd(*)[SPINS])body->slow, by + AXES, spin);
        for (int i = 0; i < DEGREES; i++)
            body->change[i] =
                wd_select(footing->pressed, i < AXES ? body->mass * by[i] : spin[i - AXES], body->change[i]);
    }
}

/* adds to what impulses change in the bodies that have no part in the system's unknowns */
static void push_touches(lane_pack *p, const lane_kick *kick)
{
    const wd per_time = wd_set(1.0 / kick->time);
    const int half = kick->early ? 0 : 1;
    EACH_TOUCH(p, footing, touch)
    {
        lane_body *body = &p->bodies[footing->body];
        EACH_TOUCH_ROW(touch, r)
        {
            lane_touch_row *row = &touch->rows[r];
            row->force = row->lambda * per_time;
            row->total[half] = row->total[half] + row->lambda;
            for (int i = 0; i < DEGREES && !body->early; i++)
                body->change[i] = body->change[i] + row->j[i] * row->lambda;
        }
    }
}
