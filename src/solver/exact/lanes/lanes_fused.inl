/*
 * Free kicks (lanes_points.inl) of islands side by side of which each body is eliminated first, but copies of those at which
 * they are cut: pass by pass over few bodies at a time, so that what one has is in the caches when it is needed again. Bodies
 * get their velocities as soon as their impulses are known, and move when the next kick begins; copies of cut ones when all
 * pieces have said what changes them.
 */

/* Bodies that are begun before their points, so that there are several things to do at once; in space there are enough, and
   what one leaves in the nearest cache counts (AVX2: 1 % less than by twos; AVX-512: 1 % more). */
#define AT_A_TIME (SPINS == 1 ? 4u : TR_DOUBLES > 4 ? 2u : 1u)

/* numbers of a kick, in all lanes */
typedef struct lane_numbers {
    wd h, half, most, least; /* half: h/2; most, least: of what a row corrects */
    wd minus_per_time, minus_scale;
} lane_numbers;

/* Whether all bodies of a piece are eliminated first, but those at which the island is cut; each joint is at one of
   them; and no two of them couple the same joints. */
static bool has_early_alone(const lane_pack *p)
{
    bool all = p->points && p->cut != NULL && couples_once(p);
    for (uint32_t b = 0; b < p->body_count && all; b++)
        all = p->bodies[b].early != p->bodies[b].cut;
    for (uint32_t j = 0; j < p->joint_count && all; j++) {
        const uint32_t *end = p->joints[j].end;
        all =
            (end[0] < p->body_count && p->bodies[end[0]].early) || (end[1] < p->body_count && p->bodies[end[1]].early);
    }
    return all;
}

/* From which number on the factor of a piece is to be 0 before joints and bodies set theirs: they set all of the columns
   before. */
static uint32_t unset_of(const lane_pack *p)
{
    const uint32_t late = p->program->soon_count;
    const uint32_t end = late < p->program->column_count ? p->program->columns[late].start : p->program->value_count;
    const wd *limit = p->value + end;
    uint32_t set = 0;
    for (uint32_t j = 0; j < p->joint_count; j++) {
        const lane_joint *joint = &p->joints[j];
        set += joint->own < limit ? AXES * AXES : 0;
        for (uint32_t k = 0; k < 2; k++)
            set += joint->to[k] != NULL && joint->to[k] < limit ? AXES * DEGREES : 0;
    }
    for (uint32_t i = 0; i < p->program->early_count; i++)
        set += p->early[i].count > 1 && p->early[i].to[1] < limit ? AXES * AXES : 0;
    return set == end ? end : 0;
}

/* Whether joints push copies in the order of joints when they are begun with bodies: kicks that are not free add up in that. */
static bool is_orderly(const lane_pack *p)
{
    const lane_joint *last = NULL;
    bool all = true;
    for (uint32_t i = 0; i < p->program->early_count; i++)
        for (uint32_t j = 0; j < p->visits[i].joint_count; j++) {
            const lane_joint *joint = p->visits[i].joints[j];
            if (!joint->pushes)
                continue;
            all = all && (last == NULL || joint > last);
            last = joint;
        }
    return all;
}

/* where a body's points are */
static void begin_visit(lane_pack *p, const lane_early *early, lane_visit *to)
{
    const lane_link *link = early->link;
    to->body = early->body;
    to->count = (uint8_t)early->count;
    to->cross = early->to[1];
    to->through = early->count == 2 && link[0].end != link[1].end;
    to->swapped = to->through && link[0].end == 0;
    for (uint32_t k = 0; k < early->count; k++) {
        const uint32_t at = to->swapped ? 1 - k : k;
        to->link[at] = &p->joints[link[k].joint];
        to->end[at] = (uint8_t)link[k].end;
    }
    to->body_count = to->joint_count = 0;
}

/* Which early body each body and joint is begun with, and where its numbers are. */
static void share_out(lane_pack *p)
{
    p->fused = p->cut == NULL ? p->filled : has_early_alone(p);
    p->waits = false;
    for (uint32_t b = 0; b < p->all_bodies && p->fused; b++)
        p->bodies[b].taken = b >= p->body_count || p->bodies[b].cut;
    for (uint32_t j = 0; j < p->joint_count && p->fused; j++) {
        lane_joint *joint = &p->joints[j];
        joint->taken = false;
        joint->x = p->x + joint->number;
        for (uint32_t end = 0; end < 2; end++)
            joint->body[end] = &p->bodies[joint->end[end]];
    }
    for (uint32_t i = 0; i < p->program->early_count && p->fused; i++) {
        const lane_early *early = &p->early[i];
        lane_visit *visit = &p->visits[i];
        begin_visit(p, early, visit);
        for (uint32_t k = 0; k < early->count; k++) {
            lane_joint *joint = &p->joints[early->link[k].joint];
            if (!joint->taken) {
                visit->joints[visit->joint_count++] = joint;
                joint->backward = early->link[k].end == 1;
            }
            joint->taken = true;
            for (uint32_t end = 0; end < 2; end++) {
                lane_body *body = &p->bodies[joint->end[end]];
                if (!body->taken)
                    visit->bodies[visit->body_count++] = body;
                body->taken = true;
            }
        }
    }
    p->fused = p->fused && is_orderly(p);
    p->unset = p->fused && p->cut != NULL ? unset_of(p) : 0;
}

/* Takes J M^-1 J^T of an end of a point from its block, and the rates of its body without impulses from its right-hand
   side. */
KNOWN_SIZES void take_end(const lane_joint *joint, int end, wd own[AXES][AXES], wd rate[AXES])
{
    const lane_body *body = joint->body[end];
    const lv arm = joint->arm[end];
    wd moved[AXES][SPINS], turning[SPINS], rates[AXES];
    lane_levers_by((const wd(*)[SPINS])body->inverse, arm, moved);
    if (body->twisted) {
        UNROLLED
        for (uint32_t i = 0; i < SPINS; i++)
            turning[i] = body->fall[AXES + i];
        lane_lever_rates(arm, turning, rates);
        UNROLLED
        for (uint32_t r = 0; r < AXES; r++)
            rate[r] = rate[r] - (end == 0 ? rates[r] - body->fall[r] : body->fall[r] + rates[r]);
    } else {
        UNROLLED
        for (uint32_t r = 0; r < AXES; r++)
            rate[r] = end == 0 ? rate[r] + body->fall[r] : rate[r] - body->fall[r];
    }
    UNROLLED
    for (uint32_t r = 0; r < AXES; r++) {
        UNROLLED
        for (uint32_t c = 0; c <= r; c++) {
            wd sum = lane_lever_rate(arm, r, moved[c]);
            if (r == c)
                sum = sum + body->inverse_mass;
            own[r][c] = own[r][c] - sum;
        }
    }
}

/* The sum of J M^-1 J^T of the rows of a point, which is that of the first kick of a step, as weigh_arms(). */
KNOWN_SIZES wd weight_of(const lane_pack *p, const lane_kick *kick, lane_joint *joint, bool both)
{
    wd sum = wd_set(0.0);
    if (!kick->first)
        return joint->weight;
    UNROLLED
    for (int end = 0; end < 2; end++) {
        const lane_body *body = joint->body[end];
        if (both || joint->end[end] < p->body_count)
            sum = sum + (wd_set((double)AXES) * body->inverse_mass +
                         lane_levers_weight((const wd(*)[SPINS])body->inverse, joint->arm[end]));
    }
    joint->weight = sum;
    return sum;
}

/* A point's part of the system, with all of the curves of its bodies. `both`: both ends move; `all_early`:
   and are eliminated first. */
KNOWN_SIZES void put_fused(const lane_pack *p, const lane_kick *kick, const lane_numbers *numbers, lane_joint *joint,
                           bool both, bool all_early)
{
    lane_body *const *body = joint->body;
    const lane_view v = view_of_ends(body[0], body[1], joint);
    const wd mirrored = p->cut != NULL ? wd_set(0.0) : wd_min(body[0]->rest->mirrored, body[1]->rest->mirrored);
    const bool moves[2] = {both || joint->end[0] < p->body_count, both || joint->end[1] < p->body_count};
    wd(*x)[2] = joint->x, own[AXES][AXES], rate[AXES];
    lv curves = v.bend, more;
    joint->arm[0] = lv_minus((lv){{wd_set(0.0)}}, v.arm);
    joint->arm[1] = v.rb;
    if (moves[0])
        lane_stiffen(body[0], v.ra, lv_times(wd_set(-1.0), joint->force));
    if (moves[1])
        lane_stiffen(body[1], v.rb, joint->force);
    UNROLLED
    for (int end = 0; end < 2 && SPINS > 1; end++)
        if (!kick->last && moves[end]) {
            lane_lever_rates(joint->arm[end], body[end]->rest->gyration, more.x);
            curves = lv_plus(curves, more);
        }
    const wd e = weight_of(p, kick, joint, both) * (wd_set(1.0 / AXES) * p->compliance);
    UNROLLED
    for (int r = 0; r < AXES; r++) {
        const wd curve = kick->last ? wd_set(0.0) : held_curve(numbers->half * curves.x[r], v.rate.x[r], mirrored);
        UNROLLED
        for (int c = 0; c < r; c++)
            own[r][c] = wd_set(0.0);
        own[r][r] = -e;
        rate[r] = -(v.rate.x[r] + curve);
        x[r][1] = -wd_max(wd_min(v.d.x[r], numbers->most), numbers->least);
    }
    if (all_early && joint->backward) {
        take_end(joint, 1, own, rate);
        take_end(joint, 0, own, rate);
    } else {
        UNROLLED
        for (int end = 0; end < 2; end++)
            if (moves[end] && (all_early || body[end]->early))
                take_end(joint, end, own, rate);
    }
    UNROLLED
    for (int r = 0; r < AXES; r++) {
        UNROLLED
        for (int c = 0; c <= r; c++)
            joint->own[r * AXES + c] = own[r][c];
        x[r][0] = rate[r];
    }
}

static __attribute__((noinline)) void put_fused_end(const lane_pack *p, const lane_kick *kick,
                                                    const lane_numbers *numbers, lane_joint *joint)
{
    put_fused(p, kick, numbers, joint, false, false);
    if (joint->pushes)
        put_ends(joint, AXES);
}

static void put_fused_any(const lane_pack *p, const lane_kick *kick, const lane_numbers *numbers, lane_joint *joint)
{
    if (joint->grounded) {
        put_fused_end(p, kick, numbers, joint);
    } else if (joint->pushes) {
        put_fused(p, kick, numbers, joint, true, false);
        put_ends(joint, AXES);
    } else {
        put_fused(p, kick, numbers, joint, true, true);
    }
}

/* what a body couples the points of its ends by */
TR_INLINE void cross_ends(const lane_visit *visit)
{
    const uint32_t first = visit->swapped ? 1 : 0, other = 1 - first;
    const lane_joint *const *link = (const lane_joint *const *)visit->link;
    if (visit->count < 2)
        return;
    const wd mass = visit->body->inverse_mass;
    lane_lever_cross((const wd(*)[SPINS])visit->body->inverse, link[first]->arm[visit->end[first]],
                     link[other]->arm[visit->end[other]], visit->through ? mass : -mass, visit->cross);
}

/* Moves a body after a kick, of which `last` is the last. Lanes in which it is nowhere: what is not finite remains so, and is
   seen then. */
KNOWN_SIZES wdm move_fused(const lane_kick *kick, const lane_numbers *numbers, lane_body *body, bool last)
{
    const wd none = wd_set(0.0);
    wdm sane = wd_le(none, none);
    ls by;
    UNROLLED
    for (int i = 0; i < SPINS; i++)
        by.x[i] = numbers->minus_scale * body->fall[AXES + i];
    UNROLLED
    for (int i = 0; i < AXES; i++) {
        const wd shifted = body->center.x[i] + numbers->minus_scale * body->fall[i];
        body->center.x[i] = last ? shifted + none : shifted + numbers->h * body->v[i];
        if (last)
            sane &= wd_le(wd_abs(body->center.x[i]), wd_set(DBL_MAX));
    }
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        if (last)
            body->v[i] = body->v[i] + none;
    return ~(sane & lane_rotate(body, by, last ? 0.0 : kick->h));
}

static lane_numbers numbers_of(const lane_pack *p, const lane_kick *kick)
{
    return (lane_numbers){.h = wd_set(kick->h),
                          .half = wd_set(0.5 * kick->h),
                          .most = wd_set(kick->corrects_most),
                          .least = wd_set(-kick->corrects_most),
                          .minus_per_time = wd_set(-kick->per_time),
                          .minus_scale = -p->scale};
}

/* the numbers of a piece that no joint by itself has, and its copies of bodies at which the island is cut */
static void begin_copies(lane_pack *p, const lane_kick *kick, wdm *bad, wdm *hindered)
{
    memset(p->value + p->unset, 0, (p->program->value_count - p->unset) * sizeof *p->value);
    for (uint32_t b = first_copy(p); b < p->body_count; b++) {
        begin_free_body(p, kick, &p->bodies[b], bad, hindered);
        put_body(p, b);
    }
}

/* The system, as if all bodies were free, a few bodies at a time. */
static void evaluate_fused(lane_pack *p, const lane_kick *now)
{
    const uint32_t count = p->program->early_count;
    const lane_kick own = *now, *kick = &own;
    const lane_numbers numbers = numbers_of(p, kick);
    const bool waits = p->waits;
    wdm bad = p->bad, hindered = (wdm)wd_set(0.0);
    end_slowness(p);
    if (p->cut != NULL)
        begin_copies(p, kick, &bad, &hindered);
    for (uint32_t first = 0; first < count; first += AT_A_TIME) {
        const lane_visit *from = &p->visits[first],
                         *to = from + (count - first < AT_A_TIME ? count - first : AT_A_TIME);
        for (const lane_visit *visit = from; visit < to; visit++)
            for (uint32_t b = 0; b < visit->body_count; b++) {
                lane_body *body = visit->bodies[b];
                if (waits)
                    bad |= move_fused(kick, &numbers, body, false);
                begin_free_body(p, kick, body, &bad, &hindered);
            }
        for (const lane_visit *visit = from; visit < to; visit++)
            for (uint32_t j = 0; j < visit->joint_count; j++)
                put_fused_any(p, kick, &numbers, visit->joints[j]);
        for (const lane_visit *visit = from; visit < to; visit++) {
            hindered |= is_hindered(kick, visit->body);
            cross_ends(visit);
        }
    }
    p->waits = false;
    p->bad = bad;
    p->hindered = hindered;
}

/* what points pull at a body by, in both right-hand sides */
TR_INLINE void pull_any(const lane_visit *visit, wd pull[DEGREES][2])
{
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        pull[i][0] = pull[i][1] = wd_set(0.0);
    for (uint32_t k = 0; k < visit->count; k++) {
        const lane_joint *joint = visit->link[k];
        const uint32_t end = visit->end[k];
        pull_by(joint->arm[end], (wdm)wd_set(end == 0 ? -0.0 : 0.0), (const wd(*)[2])joint->x, pull);
    }
}

/* the same of a body that is the second of one point and the first of the other */
TR_INLINE void pull_through(const lane_visit *visit, wd pull[DEGREES][2])
{
    const lane_joint *const into = visit->link[0], *const from = visit->link[1];
    UNROLLED
    for (int side = 0; side < 2; side++) {
        wd x[2][AXES], spin[2][SPINS];
        UNROLLED
        for (int i = 0; i < AXES; i++) {
            x[0][i] = into->x[i][side];
            x[1][i] = from->x[i][side];
            pull[i][side] = x[0][i] - x[1][i];
        }
        lane_lever_pull(into->arm[1], x[0], spin[0]);
        lane_lever_pull(from->arm[0], x[1], spin[1]);
        UNROLLED
        for (int i = 0; i < SPINS; i++)
            pull[AXES + i][side] = spin[0][i] + spin[1][i];
    }
}

/* The velocities of bodies when the unknowns of their points are known; and what is to be taken from where they are, and the
   greatest of that. */
static void release_fused(lane_pack *p, const lane_kick *kick)
{
    const lane_numbers numbers = numbers_of(p, kick);
    wd most[2] = {wd_set(0.0), wd_set(0.0)};
    wdm bad = p->bad;
    for (uint32_t b = first_copy(p); b < p->body_count; b++)
        for (int k = 0; k < DEGREES; k++)
            p->bodies[b].rest->change[k] = wd_set(0.0);
    for (uint32_t i = 0; i < p->program->early_count; i++) {
        const lane_visit *visit = &p->visits[i];
        lane_body *body = visit->body;
        wd pull[DEGREES][2], spin[SPINS], own[SPINS];
        if (visit->through)
            pull_through(visit, pull);
        else
            pull_any(visit, pull);
        UNROLLED
        for (int side = 0; side < 2; side++) {
            UNROLLED
            for (int k = 0; k < SPINS; k++)
                own[k] = pull[AXES + k][side];
            turn_by((const wd(*)[SPINS])body->inverse, own, spin);
            UNROLLED
            for (int k = 0; k < DEGREES; k++) {
                const wd by = k < AXES ? body->inverse_mass * pull[k][side] : spin[k - AXES];
                if (side == 0) {
                    body->v[k] = body->v[k] + (body->fall[k] - by);
                } else {
                    body->fall[k] = by;
                    most[k >= AXES] = wd_max(wd_abs(by), most[k >= AXES]);
                }
            }
        }
        bad |= ~is_slow_enough(kick, body->v);
        for (uint32_t j = 0; j < visit->joint_count; j++) {
            lane_joint *joint = visit->joints[j];
            UNROLLED
            for (int r = 0; r < AXES; r++)
                joint->force.x[r] = joint->x[r][0] * numbers.minus_per_time;
            if (joint->pushes && !p->watches)
                push_point(p, joint);
        }
    }
    p->bad = bad;
    p->shift[0] = most[0];
    p->shift[1] = most[1];
}

/* Bodies with their velocities move: at once after the last kick, otherwise as the next one begins. Copies of those at which
   the island is cut move at once. */
static void leave_fused(lane_pack *p, const lane_kick *kick, wd scale)
{
    p->scale = scale;
    p->waits = !kick->last;
    const lane_numbers numbers = numbers_of(p, kick);
    wdm bad = p->bad;
    for (uint32_t b = first_copy(p); b < p->body_count; b++)
        bad |= move_lane_body(p, kick, b, scale, false);
    for (uint32_t b = 0; b < first_copy(p) && kick->last; b++)
        bad |= move_fused(kick, &numbers, &p->bodies[b], true);
    p->bad = bad;
}
