/* What a solution says of contacts of islands side by side with what does not move: impulses, what of them changes between
   held and at a bound, friction that is found again, and positions (after solver/exact/lanes/lanes_press.inl). */

/* a row's part of the greatest numbers: of rotation, and linear ones */
TR_INLINE void watch_row(const lane_touch_row *row, uint32_t r, wd greatest[2])
{
    wd *most = &greatest[is_linear(r) ? 0 : 1];
    const wd rate = wd_max(wd_abs(r < TOUCH_POINTS ? row->u : row->u + row->b), wd_abs(row->lambda * row->k));
    *most = wd_max(wd_select(row->on, rate, *most), *most);
}

static void take_single(lane_touch_row *row, uint32_t r, wd greatest[2])
{
    const wd bound = wd_select(row->top, row->high, row->low);
    row->lambda = wd_select(row->on, wd_select(row->held, -(row->weight * row->rate), bound), wd_set(0.0));
    watch_row(row, r, greatest);
}

static void take_pair(const lane_rub *pair, lane_touch_row *rows, uint32_t r, wd greatest[2])
{
    const wdm ahead = pair->on & pair->slides & ~pair->turns;
    for (uint32_t k = 0; k < 2; k++)
        rows[k].lambda = wd_select(pair->on, -(pair->weight * rows[k].rate), wd_set(0.0));
    if (wd_any(ahead)) {
        const wd forward = pair->along[0] * rows[0].rate + pair->along[1] * rows[1].rate;
        const wd less = wd_set(TR_EXACT_AHEAD) * (pair->weight * forward - pair->high);
        for (uint32_t k = 0; k < 2; k++)
            rows[k].lambda = wd_select(ahead, rows[k].lambda + pair->along[k] * less, rows[k].lambda);
    }
    for (uint32_t k = 0; k < 2; k++)
        watch_row(&rows[k], r + k, greatest);
}

/* Impulses of a solution, and the greatest numbers (greatest_touch()). */
static void take_touches(lane_pack *p)
{
    wd greatest[2] = {wd_set(0.0), wd_set(0.0)};
    EACH_TOUCH(p, footing, touch)
    {
        wd x[DEGREES], along[DIRECTIONS];
        for (int i = 0; i < DEGREES; i++)
            x[i] = p->x[(size_t)footing->body * DEGREES + (uint32_t)i][0];
        along_directions(touch, x, along);
        EACH_TOUCH_ROW(touch, r)
        {
            lane_touch_row *row = &touch->rows[r];
            row->rate = row->u + row->b + along_both(row, along[direction_of(r)], x);
            if (pair_of(r) == TOUCH_PAIRS)
                take_single(row, r, greatest);
        }
        EACH_PAIR(i)
        if (touch->rows[first_of_pair(i)].used)
            take_pair(&touch->pairs[i], &touch->rows[first_of_pair(i)], first_of_pair(i), greatest);
    }
    p->touch_greatest[0] = greatest[0];
    p->touch_greatest[1] = greatest[1];
}

/* the greatest numbers beside those of joints: of rotation, and linear ones */
static void greatest_touch(const lane_pack *p, wd all[2])
{
    for (int i = 0; i < 2 && p->footing_count > 0; i++)
        all[i] = wd_max(p->touch_greatest[i], all[i]);
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
            /* all times k, as it has impulses and rates */
            const wd own = is_linear(r) ? slack * wd_set(p->step->unit) : slack, k = row->k;
            const wd lambda = row->lambda * k, now = row->rate * k, low = row->low * k, high = row->high * k;
            const wdm to_low = row->held & wd_lt(lambda, low - own);
            const wdm to_top = row->held & wd_lt(high + own, lambda);
            /* as trn_exact_next_state() */
            const wd rate = wd_min(wd_set(TR_EXACT_PRESS_SLACK / TR_EXACT_SLACK) * row->e, k) * own;
            const wdm from_low = ~row->held & ~row->top & wd_lt(now, -(row->e * low) - rate);
            const wdm from_top = ~row->held & row->top & wd_lt(rate - row->e * high, now);
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
        touch->freed = lanes & touch->there & ~p->bad & wd_lt(wd_set(TR_EXACT_LOADED) * before, now);
        if (!wd_any(touch->freed))
            continue;
        touch->freed &= wd_lt(none, touch->rows[TOUCH_POINTS].coefficient) & slips(touch);
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

/* By what friction of so many rows is bound again, as a share of what had pressed `before`; and where it holds with no more than
   what now presses allows. As trn_exact_contact_bind() has it. */
static wd share_of_load(const lane_kick *kick, const lane_touch_row *rows, uint32_t count, wd load, wd before,
                        wdm *holds)
{
    const wd scale = rows->coefficient * wd_set(kick->time), most = scale * load, one = wd_set(1.0);
    wd square = wd_set(0.0);
    for (uint32_t i = 0; i < count; i++)
        square = square + rows[i].lambda * rows[i].lambda;
    const wd found = wd_sqrt(square);
    *holds = wd_le(square, most * most);
    return wd_select(*holds, one, found / wd_select(*holds, one, found + scale * before - most));
}

static void bind_touches(lane_pack *p, const lane_kick *kick)
{
    EACH_TOUCH(p, footing, touch)
    {
        wd load[TOUCH_POINTS], now, most[TOUCH_POINTS];
        if (!wd_any(touch->freed))
            continue;
        load_of_touch(kick, touch, load, &now);
        wd before = touch->load[0];
        for (uint32_t i = 1; i < TOUCH_POINTS; i++)
            before = before + touch->load[i];
        /* each point's friction in space has a load of its own; in the plane one row has all */
        for (uint32_t i = 0; i < TOUCH_POINTS; i++) {
            const lane_touch_row *rows = &touch->rows[SPINS == 1 ? TOUCH_POINTS : first_of_pair(i)];
            wdm holds;
            const wd share = share_of_load(kick, rows, SPINS == 1 ? 1 : 2, SPINS == 1 ? now : load[i],
                                           SPINS == 1 ? before : touch->load[i], &holds);
            most[i] = wd_select(holds, load[i], share * touch->load[i]);
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
            body->rest->change[i] = wd_select(footing->pressed, i < AXES ? body->rest->mass * by[i] : spin[i - AXES],
                                              body->rest->change[i]);
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
                body->rest->change[i] = body->rest->change[i] + row->j[i] * row->lambda;
        }
    }
}

/* Islands that touch something in which a stop or a normal has more than it may (TR_EXACT_YIELDS_AT) leave the lanes. */
static void check_yielding(lane_pack *p)
{
    for (uint32_t f = 0; f < p->footing_count; f++)
        for (uint32_t t = 0; t < p->footings[f].count; t++)
            for (uint32_t r = 0; r < TOUCH_POINTS; r++) {
                const lane_touch_row *row = &p->footings[f].touches[t].rows[r];
                if (row->used)
                    p->bad |= row->on & wd_lt(wd_set(TR_EXACT_YIELDS_AT * p->step->unit), row->lambda * row->k);
            }
    for (uint32_t j = 0; j < p->joint_count && p->footing_count > 0; j++)
        for (uint32_t r = 0; r < p->joints[j].row_count; r++) {
            const lane_row *row = &p->joints[j].rows[r];
            const wd most = wd_set(TR_EXACT_YIELDS_AT * (row->linear ? p->step->unit : 1.0));
            for (uint32_t f = TR_EXACT_LOWER; f <= TR_EXACT_UPPER && row->kind == TR_EXACT_LAW; f++)
                if ((row->law->used >> f & 1) != 0)
                    p->bad |= p->touched & row->law->feature[f].on &
                              wd_lt(most, wd_abs(row->law->feature[f].lambda * row->k));
        }
}
