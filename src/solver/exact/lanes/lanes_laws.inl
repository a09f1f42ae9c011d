/*
 * Coordinates with features, and blocks that rub, of islands side by side (solver/exact/lanes/lanes.inl): what they do in a kick,
 * and what of it changes between held and at a bound.
 */

/* by which share of its bound's square an impulse in floats may be below it and yet be at it; how stiff the impulse of what
   slides is against the rate, instead of not changing at all; how often a block is braked before it is held again */
#define SLID   1e-5
#define BRAKES 6

#define EACH_FEATURE(law, f)                                                                                           \
    for (uint32_t f = 0; f < TR_EXACT_FEATURES; f++)                                                                   \
        if (((law)->used >> f & 1) != 0)

TR_INLINE wd lane_clamped(wd a, wd most)
{
    return wd_max(wd_min(a, most), -most);
}

/* m or rad: how far a stop is */
TR_INLINE wd lane_gap(const lane_law *law, uint32_t f)
{
    const wd offset = law->feature[f].offset;
    return f == TR_EXACT_LOWER ? law->value + offset : offset - law->value;
}

/* as soften() of exact_rows.c */
static void begin_spring(const lane_kick *kick, const lane_row *row, lane_law *law)
{
    lane_feature *own = &law->feature[TR_EXACT_SPRING];
    const wd one = wd_set(1.0), none = wd_set(0.0), square = wd_set(kick->h * kick->h), time = wd_set(kick->time);
    const wd unit = wd_select(law->physical, row->k, one), relative = wd_select(law->physical, one, row->k);
    const wd way = (square * law->stiffness * unit - wd_set(0.25)) / wd_set(3.75);
    const wd share = wd_set(TR_EXACT_SHARE_LEAST) +
                     wd_max(wd_min(way, one), none) * wd_set(TR_EXACT_SHARE_MOST - TR_EXACT_SHARE_LEAST);
    const wd gone = time * law->damping * unit, two = wd_set(2.0);
    const wd weight = wd_select(wd_lt(two, gone), one - one / gone, wd_set(0.5));
    const wd whole = share * square * law->stiffness + time * law->damping * weight;
    own->on &= wd_lt(none, whole);
    own->b = time * (law->stiffness * (law->value + own->offset) + law->damping * row->u) / whole - row->u;
    own->inverse = whole / relative;
}

/* how near a stop that pushed with this force in the kick before has been reached */
TR_INLINE wd reach_of(wd force, double unit)
{
    return wd_select(wd_lt(wd_set(0.0), force), wd_set(TR_EXACT_LEFT * unit), wd_set(TR_EXACT_REACHED * unit));
}

static void begin_stop(const lane_pack *p, const lane_kick *kick, const lane_row *row, lane_law *law, uint32_t f)
{
    lane_feature *own = &law->feature[f];
    const double unit = row->linear ? p->step->unit : 1.0;
    const double closes = row->linear ? TR_EXACT_CLOSES_AT * unit : TR_EXACT_TURNS_BACK;
    const wd gap = lane_gap(law, f), none = wd_set(0.0), sign = wd_set(f == TR_EXACT_LOWER ? 1.0 : -1.0);
    own->b = none;
    if (kick->last)
        own->on &= wd_le(gap, reach_of(sign * own->force, unit));
    else
        own->b = sign * (wd_max(gap, none) / wd_set(kick->h));
    /* what is violated at rest is held, so that it closes */
    const wdm violated = wd_lt(gap, none);
    own->held |= violated & own->on;
    own->close =
        wd_select(violated, sign * lane_clamped(wd_set(TR_EXACT_CLOSES_SHARE) * gap, wd_set(closes * kick->h)), none);
}

/* what the features of a coordinate do in this kick, but for the curves of bodies */
static void begin_law(lane_pack *p, const lane_kick *kick, const lane_row *row)
{
    lane_law *law = row->law;
    const wd time = wd_set(kick->time), none = wd_set(0.0);
    const wd inverse = wd_set(1.0) / (wd_set(TR_EXACT_COMPLIANCE_BOUNDED) * row->k);
    const double unit = row->linear ? p->step->unit : 1.0;
    EACH_FEATURE(law, f)
    {
        lane_feature *own = &law->feature[f];
        own->low = own->least * time;
        own->high = own->most * time;
        own->on = own->there & wd_lt(none, row->k);
        own->inverse = inverse;
        own->b = own->close = none;
        switch (f) {
        case TR_EXACT_SPRING:
            begin_spring(kick, row, law);
            break;
        case TR_EXACT_FRICTION:
            own->on &= wd_lt(none, own->high);
            break;
        case TR_EXACT_MOTOR:
            own->b = -own->offset;
            break;
        case TR_EXACT_RIGID:
            own->inverse = wd_set(1.0) / (p->compliance * row->k);
            own->close = lane_clamped(law->value + own->offset, wd_set(TR_EXACT_CORRECTS_AT * unit * kick->h));
            break;
        default:
            begin_stop(p, kick, row, law, f);
        }
    }
}

/* A block begins as the kick before has ended; that of a new step slides if the impulse was the greatest. */
static void begin_rub(const lane_kick *kick, lane_row *rows)
{
    lane_rub *rub = rows->rub;
    const wd none = wd_set(0.0);
    wd force = none, rate = none;
    rub->k = none;
    rub->high = rub->most * wd_set(kick->time);
    rub->on = wd_lt(none, rub->high);
    for (uint32_t i = 0; i < rub->count; i++) {
        rub->k = rub->k + rows[i].k;
        rows[i].b = none;
        rub->on &= wd_lt(none, rows[i].k);
        force = force + rows[i].force * rows[i].force;
        rate = rate + rows[i].u * rows[i].u;
    }
    rub->k = rub->k / wd_set((double)rub->count);
    rub->e = wd_set(TR_EXACT_COMPLIANCE_BOUNDED) * rub->k;
    if (kick->first) {
        rate = wd_sqrt(rate);
        rub->slides = wd_lt(wd_set(1.0 - SLID) * rub->most * rub->most, force) & wd_lt(rub->e * rub->high, rate);
        for (uint32_t i = 0; i < rub->count; i++)
            rub->along[i] = rows[i].u / rate;
        rub->rate = rate;
    }
    rub->rate = wd_max(rub->rate, rub->e * rub->high);
    rub->freed = rub->turns = rub->braked = (wdm)none;
}

/* The block of the factor that has n numbers in a row, and its right-hand sides. */
static void put_rub(lane_row *rows, wd *own, uint32_t n, wd (*x)[2])
{
    const lane_rub *rub = rows->rub;
    const wd none = wd_set(0.0), one = wd_set(1.0), stiff = wd_set(TR_EXACT_ALONG - 1.0);
    const wdm ahead = rub->slides & ~rub->turns;
    const wd share = wd_select(rub->slides, rub->rate / rub->high, rub->e);
    for (uint32_t i = 0; i < rub->count; i++) {
        const wd along = wd_select(ahead, rub->along[i], none);
        for (uint32_t k = 0; k <= i; k++) {
            const wd beside = share * (stiff * (along * wd_select(ahead, rub->along[k], none)));
            own[i * n + k] = wd_select(rub->on, k < i ? -beside : -(share + beside), k < i ? none : -one);
        }
        x[i][0] = wd_select(rub->on, -(rows[i].u + rub->rate * (stiff * along)), none);
        x[i][1] = none;
        rows[i].on = rub->on;
    }
}

/* The sum of what is held, as one row, and of the impulses at bounds. `close`: what is corrected. */
static void sum_law(const lane_row *row, wd *close)
{
    lane_law *law = row->law;
    const wd none = wd_set(0.0);
    wd stiff = none, ref = none;
    *close = none;
    law->lean = law->bounded = none;
    EACH_FEATURE(law, f)
    {
        const lane_feature *own = &law->feature[f];
        const wdm held = own->held & own->on;
        ref = wd_select(held, own->b, ref);
        *close = wd_select(held, own->close, *close);
    }
    EACH_FEATURE(law, f)
    {
        const lane_feature *own = &law->feature[f];
        const wdm held = own->held & own->on;
        stiff = stiff + wd_select(held, own->inverse, none);
        law->lean = law->lean + wd_select(held, own->inverse * (own->b - ref), none);
        law->bounded = law->bounded + wd_select(own->on & ~held, wd_select(own->top, own->high, own->low), none);
    }
    law->ref = ref;
    law->any = wd_lt(none, stiff);
    law->e = wd_select(law->any, wd_set(1.0) / stiff, wd_set(1.0));
}

/* J times numbers of bodies */
static wd lane_rate(const lane_pack *p, const lane_joint *joint, const lane_row *row, int side)
{
    wd sum = wd_set(0.0);
    for (int end = 0; end < 2; end++) {
        if (joint->end[end] >= p->body_count)
            continue;
        const wd(*x)[2] = (const wd(*)[2])p->x + (size_t)joint->end[end] * DEGREES;
        for (int i = 0; i < DEGREES; i++)
            sum = sum + row->j[end][i] * x[i][side];
    }
    return sum;
}

/* the impulses of features, from that of the sum of those that are held */
static void take_law(const lane_pack *p, const lane_joint *joint, lane_row *row, wd held)
{
    lane_law *law = row->law;
    const wd none = wd_set(0.0), lean = (held + law->lean) * law->e;
    law->rate = wd_select(law->any, -(lean + law->ref), row->u + lane_rate(p, joint, row, 0));
    row->lambda = law->bounded + wd_select(law->any, held, none);
    EACH_FEATURE(law, f)
    {
        lane_feature *own = &law->feature[f];
        const wd free = (lean + (law->ref - own->b)) * own->inverse;
        const wd bound = wd_select(own->top, own->high, own->low);
        own->lambda = wd_select(own->on, wd_select(own->held, free, bound), none);
    }
}

/* the impulses of a solution */
static void take_joint(lane_pack *p, lane_joint *joint)
{
    for (uint32_t r = 0; r < joint->row_count; r++) {
        lane_row *row = &joint->rows[r];
        const wd held = -p->x[joint->number + r][0];
        if (row->kind == TR_EXACT_LAW)
            take_law(p, joint, row, held);
        else if (row->kind == TR_EXACT_RUBBED)
            row->lambda = wd_select(row->rub->on, held, wd_set(0.0));
        else
            row->lambda = held;
    }
}

/* those of plain points only if something is found from them before they are pushed */
static void take_joints(lane_pack *p)
{
    const bool points = p->law_count + p->rub_count + p->footing_count > 0;
    for (uint32_t j = 0; j < p->joint_count; j++) {
        lane_joint *joint = &p->joints[j];
        if (joint->source != TR_EXACT_BY_POINT)
            take_joint(p, joint);
        else if (points)
            for (uint32_t r = 0; r < AXES; r++)
                joint->rows[r].lambda = -p->x[joint->number + r][0];
    }
}

static void greatest_touch(const lane_pack *p, wd all[2]);
static void change_touches(lane_pack *p, wd slack, wdm *wrong, wdm *blocks);

/* the greatest numbers, as trn_exact_greatest_of() */
static wd lane_greatest(const lane_pack *p)
{
    wd all[2] = {wd_set(0.0), wd_set(0.0)};
    for (uint32_t r = 0; r < p->row_count; r++) {
        const lane_row *row = &p->rows[r];
        wd *most = &all[row->linear ? 0 : 1];
        if (row->kind != TR_EXACT_LAW) {
            const wd rate = wd_max(wd_abs(row->u + row->b), wd_abs(row->lambda * row->k));
            const wdm on = row->kind == TR_EXACT_RUBBED ? row->rub->on : wd_le(rate, wd_set(DBL_MAX));
            *most = wd_max(wd_select(on, rate, *most), *most);
            continue;
        }
        EACH_FEATURE(row->law, f)
        {
            const lane_feature *own = &row->law->feature[f];
            const bool stop = f == TR_EXACT_LOWER || f == TR_EXACT_UPPER;
            const wd rate = wd_max(wd_abs(stop ? row->u : row->u + own->b), wd_abs(own->lambda * row->k));
            *most = wd_max(wd_select(own->on, rate, *most), *most);
        }
    }
    greatest_touch(p, all);
    return wd_max(all[0] / wd_set(p->step->unit), all[1]);
}

/* features that are wrong change; adds how many are */
static void change_law(lane_row *row, wd slack, wdm *wrong)
{
    lane_law *law = row->law;
    const wd own_slack = slack / row->k;
    EACH_FEATURE(law, f)
    {
        lane_feature *own = &law->feature[f];
        const wd w = law->rate + own->b, e = wd_set(1.0) / own->inverse;
        const wdm to_low = own->held & wd_lt(own->lambda, own->low - own_slack);
        const wdm to_top = own->held & wd_lt(own->high + own_slack, own->lambda);
        const wdm from_low = ~own->held & ~own->top & wd_lt(w, -(e * own->low) - slack);
        const wdm from_top = ~own->held & own->top & wd_lt(slack - e * own->high, w);
        const wdm changes = own->on & (to_low | to_top | from_low | from_top);
        own->top = (own->top & ~(changes & to_low)) | (changes & to_top);
        own->held ^= changes;
        *wrong += changes & 1;
    }
}

/* What is held slides if its impulse is too long; otherwise what slides does so as the solution, until that has the impulse.
   If it would slide back it is held, or if that was too much already it is braked from all sides for once, until that was
   less than the bound some times. `w`: J v + b. */
static void change_block(lane_rub *rub, const wd *w, const wd *lambda, wdm *wrong)
{
    const wd none = wd_set(0.0), most = rub->high, slack = wd_set(TR_EXACT_BLOCK_SLACK) * most;
    wd length = none, rate = none, forward = none, miss = none;
    for (uint32_t i = 0; i < rub->count; i++)
        length = length + lambda[i] * lambda[i];
    const wdm too_long = wd_lt((most + slack) * (most + slack), length);
    /* mostly all is held, and remains so */
    if (!wd_any(rub->on & (rub->slides | too_long)))
        return;
    for (uint32_t i = 0; i < rub->count; i++) {
        rate = rate + w[i] * w[i];
        forward = forward + w[i] * rub->along[i];
    }
    length = wd_sqrt(length);
    rate = wd_max(wd_sqrt(rate), wd_set(DBL_MIN));
    for (uint32_t i = 0; i < rub->count; i++) {
        const wd by = lambda[i] + most * (w[i] / rate);
        miss = miss + by * by;
    }
    const wdm back = rub->slides & ~wd_lt(none, forward);
    const wdm off = rub->on & ((rub->slides & ~wd_le(miss, slack * slack)) | (~rub->slides & too_long));
    /* that of a free body, the first time: what is held has next to none */
    const wd guess = wd_select(rub->slides, rate, wd_max(rate, rub->k * (length - most)));
    for (uint32_t i = 0; i < rub->count; i++) {
        const wd along = wd_select(rub->slides, w[i] / rate, -lambda[i] / length);
        rub->along[i] = wd_select(off & ~(back & ~rub->freed), along, rub->along[i]);
    }
    rub->rate = wd_select(off, wd_max(guess, rub->e * most), rub->rate);
    const wdm held = off & back & (~rub->freed | (wdm)(rub->braked >= BRAKES));
    rub->braked = (rub->braked + (1 & off & rub->turns & wd_lt(length, most))) & ~held;
    rub->turns = (off & back & ~held) | (rub->turns & ~off);
    rub->freed |= off & ~rub->slides;
    rub->slides = (rub->slides | off) & ~held;
    *wrong += 1 & off;
}

static void change_rub(const lane_pack *p, const lane_joint *joint, lane_row *rows, wdm *wrong)
{
    wd w[TR_EXACT_RUBBED_MOST], lambda[TR_EXACT_RUBBED_MOST];
    for (uint32_t i = 0; i < rows->rub->count; i++) {
        w[i] = rows[i].u + lane_rate(p, joint, &rows[i], 0);
        lambda[i] = rows[i].lambda;
    }
    change_block(rows->rub, w, lambda, wrong);
}

/* Changes what is wrong. How many features of each lane were; blocks, which come nearer to their bounds by and by, count by
   themselves. */
static wdm change_rows(lane_pack *p, wdm *blocks)
{
    const wd slack = wd_set(TR_EXACT_SLACK) * lane_greatest(p);
    wdm wrong = (wdm)wd_set(0.0);
    *blocks = wrong;
    for (uint32_t j = 0; j < p->joint_count; j++) {
        lane_joint *joint = &p->joints[j];
        for (uint32_t r = 0; r < joint->row_count; r++) {
            lane_row *row = &joint->rows[r];
            if (row->kind == TR_EXACT_LAW)
                change_law(row, row->linear ? slack * wd_set(p->step->unit) : slack, &wrong);
            else if (row->kind == TR_EXACT_RUBBED && row->rub->first == row)
                change_rub(p, joint, row, blocks);
        }
    }
    change_touches(p, slack, &wrong, blocks);
    return wrong;
}

/* Holds stops that the correction would pass, which have room left, in lanes that correct something. In which there are
   any. */
static wdm meet_stops(lane_pack *p)
{
    wdm meets = (wdm)wd_set(0.0);
    for (uint32_t j = 0; j < p->joint_count; j++) {
        const lane_joint *joint = &p->joints[j];
        for (uint32_t r = 0; r < joint->row_count; r++) {
            const lane_row *row = &joint->rows[r];
            lane_law *law = row->law;
            if (row->kind != TR_EXACT_LAW || (law->used & (1u << TR_EXACT_LOWER | 1u << TR_EXACT_UPPER)) == 0)
                continue;
            const wd shift = lane_rate(p, joint, row, 1);
            const wd least = wd_set(-TR_EXACT_REACHED * (row->linear ? p->step->unit : 1.0));
            for (uint32_t f = TR_EXACT_LOWER; f <= TR_EXACT_UPPER; f++) {
                lane_feature *own = &law->feature[f];
                const wd gap = lane_gap(law, f), left = f == TR_EXACT_LOWER ? gap + shift : gap - shift;
                if ((law->used >> f & 1) == 0)
                    continue;
                const wdm meet = own->on & ~own->held & p->closes & wd_lt(left, least);
                own->held |= meet;
                own->close = wd_select(meet, f == TR_EXACT_LOWER ? gap : -gap, own->close);
                meets |= meet;
            }
        }
    }
    return meets;
}

/* The lanes in which violated stops close. */
static wdm close_stops(const lane_pack *p)
{
    wdm closes = (wdm)wd_set(0.0);
    for (uint32_t r = 0; r < p->row_count && p->law_count > 0 && wd_any(p->closes); r++) {
        const lane_law *law = p->rows[r].law;
        const wd least = wd_set(-TR_EXACT_BLOCKED * (p->rows[r].linear ? p->step->unit : 1.0));
        for (uint32_t f = TR_EXACT_LOWER; f <= TR_EXACT_UPPER && p->rows[r].kind == TR_EXACT_LAW; f++)
            if ((law->used >> f & 1) != 0)
                closes |= law->feature[f].on & law->feature[f].held & wd_lt(lane_gap(law, f), least);
    }
    return closes;
}

/* In these lanes violated stops give way: they close as far as there is room. */
static void yield_stops(lane_pack *p, wdm lanes)
{
    for (uint32_t r = 0; r < p->row_count; r++) {
        lane_law *law = p->rows[r].law;
        for (uint32_t f = TR_EXACT_LOWER; f <= TR_EXACT_UPPER && p->rows[r].kind == TR_EXACT_LAW; f++) {
            if ((law->used >> f & 1) == 0)
                continue;
            const wdm gives = lanes & wd_lt(lane_gap(law, f), wd_set(0.0));
            const wd soft = wd_set(1.0) / (wd_set(TR_EXACT_YIELDS) * p->rows[r].k);
            law->feature[f].inverse = wd_select(gives, soft, law->feature[f].inverse);
        }
    }
}
