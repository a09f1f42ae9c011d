/* Bodies that are slowed down, of islands side by side, as in exact_slow.c (solver/exact/lanes/lanes.inl). */

/* a joint hangs so many times a body's own mass on it where the other side does not move */
#define FIXED 1e6

TR_INLINE wd trace_of_lanes(const wd a[SPINS][SPINS])
{
    wd sum = a[0][0];
    UNROLLED
    for (int i = 1; i < SPINS; i++)
        sum = sum + a[i][i];
    return sum;
}

/* The lesser of the stiffnesses of this kick and the one before. */
TR_INLINE void lesser_stiffness(const lane_kick *kick, const lane_body *body, wd out[SPINS][SPINS])
{
    const wdm less =
        wd_lt(trace_of_lanes((const wd(*)[SPINS])body->before), trace_of_lanes((const wd(*)[SPINS])body->stiffness));
    UNROLLED
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k <= i; k++)
            out[i][k] =
                kick->first ? body->stiffness[i][k] : wd_select(less, body->before[i][k], body->stiffness[i][k]);
}

static void take_lesser(const lane_kick *kick, lane_body *body)
{
    wd least[SPINS][SPINS];
    lesser_stiffness(kick, body, least);
    UNROLLED
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k <= i; k++) {
            body->before[i][k] = body->stiffness[i][k];
            body->stiffness[i][k] = least[i][k];
        }
}

/* J of a row for an end */
TR_INLINE void row_of_end(const lane_joint *joint, uint32_t r, int end, wd out[DEGREES])
{
    ls levers[AXES];
    if (r >= joint->points) {
        memcpy(out, joint->rows[r].j[end], DEGREES * sizeof *out);
        return;
    }
    lane_levers(joint->arm[end], levers);
    UNROLLED
    for (uint32_t i = 0; i < AXES; i++)
        out[i] = wd_set(i != r ? 0.0 : end == 0 ? -1.0 : 1.0);
    memcpy(out + AXES, levers[r].x, sizeof levers[r].x);
}

/* the sum of J M^-1 J^T of rows that hang something on bodies, of one end */
static wd lightness_of(const lane_pack *p, const lane_joint *joint, int end)
{
    const lane_body *body = &p->bodies[joint->end[end]];
    wd sum = wd_set(0.0);
    for (uint32_t r = 0; r < joint->row_count && joint->end[end] < p->body_count; r++) {
        wd j[DEGREES], moved[SPINS], square = wd_set(0.0);
        if (!hangs(joint, r))
            continue;
        row_of_end(joint, r, end, j);
        turn_by((const wd(*)[SPINS])body->inverse, j + AXES, moved);
        UNROLLED
        for (int i = 0; i < AXES; i++)
            square = square + j[i] * j[i];
        square = square * body->inverse_mass;
        UNROLLED
        for (int i = 0; i < SPINS; i++)
            square = square + j[AXES + i] * moved[i];
        sum = sum + square;
    }
    return sum;
}

static void hang_on(lane_pack *p, const lane_joint *joint, int end, wd weight)
{
    lane_hung *hung = &p->hung[joint->end[end]];
    for (uint32_t r = 0; r < joint->row_count; r++) {
        wd j[DEGREES];
        if (!hangs(joint, r))
            continue;
        row_of_end(joint, r, end, j);
        UNROLLED
        for (int i = 0; i < DEGREES; i++)
            for (int k = 0; k <= i; k++)
                hung->mass[i][k] = hung->mass[i][k] + weight * j[i] * j[k];
    }
}

/* Bodies at which the island is cut have other joints in other pieces: they have their own inertia only. */
static bool is_hung(const lane_pack *p, uint32_t b)
{
    return b < p->body_count && wd_any(p->bodies[b].rest->stiff) && !p->bodies[b].cut;
}

static void hang_lanes(lane_pack *p, const lane_joint *joint)
{
    const wd none = wd_set(0.0), one = wd_set(1.0);
    wd lightness[2];
    if (!holds_point(joint) || (!is_hung(p, joint->end[0]) && !is_hung(p, joint->end[1])))
        return;
    for (int end = 0; end < 2; end++)
        lightness[end] = lightness_of(p, joint, end);
    for (int end = 0; end < 2; end++) {
        if (!is_hung(p, joint->end[end]))
            continue;
        const wd others =
            lightness[end] * wd_set(1.0 / FIXED) + lightness[1 - end] * p->bodies[joint->end[1 - end]].rest->ties;
        const wdm some = wd_lt(none, others);
        hang_on(p, joint, end, wd_select(some, one / wd_select(some, others, one), none));
    }
}

/* the mass that a body has by itself */
static void begin_hanging(const lane_body *body, lane_hung *out)
{
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        for (int k = 0; k <= i; k++)
            out->mass[i][k] = k >= AXES ? body->inertia[i - AXES][k - AXES] : i == k ? body->rest->mass : wd_set(0.0);
}

/* what of that is against turning if the centre may move */
static void find_turning(lane_hung *hung, wd out[SPINS][SPINS])
{
    wd(*a)[DEGREES] = hung->mass;
    UNROLLED
    for (int c = 0; c < AXES; c++)
        for (int i = DEGREES - 1; i > c; i--) {
            const wd share = a[i][c] / a[c][c];
            UNROLLED
            for (int k = c + 1; k <= i; k++)
                a[i][k] = a[i][k] - share * a[k][c];
        }
    UNROLLED
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k <= i; k++)
            out[i][k] = out[k][i] = a[AXES + i][AXES + k];
}

/* the square of the angle by which it turns in a sub-step */
TR_INLINE wd square_of_turn(const lane_kick *kick, const lane_body *body)
{
    const wd h = wd_set(kick->h);
    wd square = wd_set(0.0);
    UNROLLED
    for (int i = AXES; i < DEGREES; i++)
        square = square + h * h * body->v[i] * body->v[i];
    return square;
}

#define FINE (TR_EXACT_MIRROR_TURN * TR_EXACT_MIRROR_TURN)
#define FAR  (TR_EXACT_TURN_MOST * TR_EXACT_TURN_MOST)

/* what follows from how much a body is slowed down */
static void note_slowness(lane_pack *p, const lane_kick *kick, lane_body *body)
{
    const wd one = wd_set(1.0), square = square_of_turn(kick, body);
    const wd turn_most = wd_set(FAR), slow_from = wd_set(TR_EXACT_SLOW_FROM);
    body->rest->fine = wd_le(square, wd_set(FINE));
    body->rest->curve = one;
    if (!wd_any(body->rest->stiff | ~body->rest->fine))
        return;
    const wdm slowed = wd_lt(body->rest->slowness, wd_set(TR_EXACT_SLOWED));
    const wdm turns = wd_lt(wd_set(TR_EXACT_WHIPS * TR_EXACT_WHIPS), square);
    p->slows |= slowed & turns;
    p->mirrored &= ~slowed;
    p->bends = p->bends || wd_any(p->mirrors & ~body->rest->fine);
    const wdm slow = wd_le(body->rest->slowness, slow_from), fast = wd_lt(turn_most, square);
    if (!wd_any(slow | fast))
        return;
    p->bends = true;
    body->rest->curve = wd_select(slow, body->rest->slowness / slow_from, one);
    body->rest->curve = wd_select(fast, body->rest->curve * (turn_most / square), body->rest->curve);
}

/* torques act on all of a slowed body's inertia: slow_torques() of exact_slow.c */
static void slow_lane_torques(const lane_kick *kick, lane_body *body)
{
    wd own[SPINS], slowed[SPINS];
    turn_by((const wd(*)[SPINS])body->inverse, body->rest->pull + AXES, own);
    turn_by((const wd(*)[SPINS])body->slow_inverse, body->rest->pull + AXES, slowed);
    UNROLLED
    for (int i = 0; i < SPINS; i++)
        body->fall[AXES + i] = body->fall[AXES + i] + wd_set(kick->time) * (slowed[i] - own[i]);
}

static void slow_lanes(lane_pack *p, const lane_kick *kick)
{
    const double most = kick->h * kick->h / TR_EXACT_STIFF_FROM;
    bool any = false;
    for (uint32_t b = 0; b < p->body_count; b++) {
        lane_body *body = &p->bodies[b];
        take_lesser(kick, body);
        body->rest->stiff = lane_slow(body, most, (const wd(*)[SPINS])body->inertia);
        any = any || is_hung(p, b);
        if (is_hung(p, b))
            begin_hanging(body, &p->hung[b]);
    }
    for (uint32_t j = 0; j < p->joint_count && any; j++)
        hang_lanes(p, &p->joints[j]);
    for (uint32_t b = 0; b < p->body_count; b++) {
        lane_body *body = &p->bodies[b];
        if (is_hung(p, b)) {
            wd turning[SPINS][SPINS];
            find_turning(&p->hung[b], turning);
            /* no lane is slowed down for its neighbours */
            UNROLLED
            for (int i = 0; i < SPINS; i++)
                for (int k = 0; k < SPINS; k++)
                    turning[i][k] = wd_select(body->rest->stiff, turning[i][k], body->inertia[i][k]);
            (void)lane_slow(body, most, (const wd(*)[SPINS])turning);
        }
        if (body->twisted && body->slow_inverse != body->inverse)
            slow_lane_torques(kick, body);
        note_slowness(p, kick, body);
    }
}
