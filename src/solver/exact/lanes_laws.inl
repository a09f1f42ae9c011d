/*
 * Coordinates with features, and blocks that rub, of islands side by side (solver/exact/lanes.inl): what they do in a kick,
 * and what of it changes between held and at a bound.
 */

#define EACH_FEATURE(law, f)                                                                                           \
    for (uint32_t f = 0; f < TR_EXACT_FEATURES; f++)                                                                   \
        if (((law)->used >> f & 1) != 0)

TR_INLINE wd lane_clamped(wd a, wd most)
{
    return lane_max(lane_min(a, most), -most);
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
                     lane_max(lane_min(way, one), none) * wd_set(TR_EXACT_SHARE_MOST - TR_EXACT_SHARE_LEAST);
    const wd gone = time * law->damping * unit, two = wd_set(2.0);
    const wd weight = wd_select(wd_lt(two, gone), one - one / gone, wd_set(0.5));
    const wd whole = share * square * law->stiffness + time * law->damping * weight;
    own->on &= wd_lt(none, whole);
    own->b = time * (law->stiffness * (law->value + own->offset) + law->damping * row->u) / whole - row->u;
    own->inverse = whole / relative;
}

static void begin_stop(const lane_pack *p, const lane_kick *kick, const lane_row *row, lane_law *law, uint32_t f)
{
    lane_feature *own = &law->feature[f];
    const double unit = row->linear ? p->step->unit : 1.0;
    const double closes = row->linear ? TR_EXACT_CLOSES_AT * unit : TR_EXACT_TURNS_BACK;
    const wd gap = lane_gap(law, f), none = wd_set(0.0), sign = wd_set(f == TR_EXACT_LOWER ? 1.0 : -1.0);
    own->b = none;
    if (kick->last)
        own->on &= wd_le(gap, wd_set(TR_EXACT_REACHED * unit));
    else
        own->b = sign * (lane_max(gap, none) / wd_set(kick->h));
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
            own->inverse = wd_set(1.0) / (wd_set(TR_EXACT_COMPLIANCE) * row->k);
            own->close = lane_clamped(law->value + own->offset, wd_set(TR_EXACT_CORRECTS_AT * unit * kick->h));
            break;
        default:
            begin_stop(p, kick, row, law, f);
        }
    }
}

static void begin_rub(const lane_kick *kick, lane_row *rows)
{
    lane_rub *rub = rows->rub;
    const wd none = wd_set(0.0);
    rub->k = none;
    rub->high = rub->most * wd_set(kick->time);
    rub->on = wd_lt(none, rub->high);
    for (uint32_t i = 0; i < rub->count; i++) {
        rub->k = rub->k + rows[i].k;
        rows[i].b = none;
        rub->on &= wd_lt(none, rows[i].k);
    }
    rub->k = rub->k / wd_set((double)rub->count);
    rub->e = wd_set(TR_EXACT_COMPLIANCE_BOUNDED) * rub->k;
    rub->soften = wd_set(1.0);
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
    for (uint32_t r = 0; r < AXES && joint->source == TR_EXACT_BY_POINT; r++)
        joint->rows[r].lambda = -p->x[joint->number + r][0];
    if (joint->source == TR_EXACT_BY_POINT)
        return;
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

/* the greatest numbers: impulses as changes of rates, and rates */
static wd lane_greatest(const lane_pack *p)
{
    wd all[2] = {wd_set(0.0), wd_set(0.0)};
    for (uint32_t r = 0; r < p->row_count; r++) {
        const lane_row *row = &p->rows[r];
        wd *most = &all[row->linear ? 0 : 1];
        if (row->kind != TR_EXACT_LAW) {
            const wd rate = lane_max(wd_abs(row->u + row->b), wd_abs(row->lambda * row->k));
            const wdm on = row->kind == TR_EXACT_RUBBED ? row->rub->on : wd_le(rate, wd_set(DBL_MAX));
            *most = lane_max(wd_select(on, rate, *most), *most);
            continue;
        }
        EACH_FEATURE(row->law, f)
        {
            const lane_feature *own = &row->law->feature[f];
            const wd rate = lane_max(wd_abs(row->u + own->b), wd_abs(own->lambda * row->k));
            *most = lane_max(wd_select(own->on, rate, *most), *most);
        }
    }
    return lane_max(all[0] / wd_set(p->step->unit), all[1]);
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

/* as yield_block() of exact_solve.c */
static void change_rub(const lane_pack *p, const lane_joint *joint, lane_row *rows, wdm *wrong)
{
    lane_rub *rub = rows->rub;
    const wd none = wd_set(0.0), one = wd_set(1.0), most = rub->high;
    wd length = none, rate = none;
    for (uint32_t i = 0; i < rub->count; i++) {
        const wd w = rows[i].u + rows[i].b + lane_rate(p, joint, &rows[i], 0);
        length = length + rows[i].lambda * rows[i].lambda;
        rate = rate + w * w;
    }
    length = wd_sqrt(length);
    rate = wd_sqrt(rate);
    const wd before = rub->soften;
    const wdm softer = wd_lt(one, before);
    const wdm off = wd_lt(most * wd_set(1.0 + TR_EXACT_BLOCK_SLACK), length) |
                    (softer & wd_lt(length, most * wd_set(1.0 - TR_EXACT_BLOCK_SLACK)));
    const wd least = wd_select(softer, none, rub->k * (length - most));
    const wd guess = before * lane_max(rate, least) / lane_max(rate, wd_set(1e-300)) * (length / most);
    wd next = wd_select(wd_lt(none, length), guess, wd_set(1e30));
    next = lane_min(lane_max(next, one), wd_set(1e30));
    rub->soften = wd_select(off & rub->on, next, before);
    *wrong += 1 & off & rub->on & ~(wdm)(next == before);
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
