/*
 * Kicks of islands side by side that have nothing but plain points (solver/exact/lanes/lanes.inl). While no body of any
 * lane is slowed down or turns far such a kick is *free*: it has one solution, for which rows need not be kept. Bits are
 * those of the general way, which a kick that is not free takes.
 */

/* whether a pack has nothing but points */
static bool has_points_alone(const lane_pack *p)
{
    bool all = p->law_count + p->rub_count + p->footing_count == 0;
    for (uint32_t j = 0; j < p->joint_count; j++)
        all = all && p->joints[j].source == TR_EXACT_BY_POINT;
    return all;
}

/* Whether what couples two joints is of one body; the factor is used to find that. */
static bool couples_once(const lane_pack *p)
{
    memset(p->value, 0, p->program->value_count * sizeof *p->value);
    for (uint32_t i = 0; i < p->program->early_count; i++) {
        wd *to = p->early[i].to[1];
        if (p->early[i].count < 2)
            continue;
        if (to[0][0] != 0.0)
            return false;
        to[0] = wd_set(1.0);
    }
    return true;
}

/* whether the system has only joints, and what couples two of them is of one body */
static bool is_filled(const lane_pack *p)
{
    size_t numbers = (size_t)p->joint_count * AXES * AXES;
    if (!p->points || !couples_once(p))
        return false;
    for (uint32_t i = 0; i < p->program->early_count; i++)
        numbers += p->early[i].count > 1 ? AXES * AXES : 0;
    return numbers == p->program->value_count;
}

/* A point's part of the system, with all of the curves of its bodies. */
KNOWN_SIZES void put_free_point(lane_pack *p, const lane_kick *kick, lane_joint *joint, bool both)
{
    const lane_body *a = &p->bodies[joint->end[0]], *b = &p->bodies[joint->end[1]];
    const lane_view v = view_of_ends(a, b, joint);
    const wd e = weigh_arms(p, kick, joint, &v, both) * (wd_set(1.0 / AXES) * p->compliance);
    const wd most = wd_set(kick->corrects_most), mirrored = wd_min(a->rest->mirrored, b->rest->mirrored);
    wd *own = joint->own, (*x)[2] = p->x + joint->number;
    lv curves = {{wd_set(0.0)}};
    if (!kick->last)
        curves = curves_of_point(p, kick, joint, v.bend, both);
    UNROLLED
    for (int r = 0; r < AXES; r++) {
        const wd curve = kick->last ? wd_set(0.0) : held_curve(curves.x[r], v.rate.x[r], mirrored);
        UNROLLED
        for (int c = 0; c < r; c++)
            own[r * AXES + c] = wd_set(0.0);
        own[r * AXES + r] = -e;
        x[r][0] = -(v.rate.x[r] + curve);
        x[r][1] = -wd_max(wd_min(v.d.x[r], most), -most);
    }
    stiffen_ends(p, joint, &v, both);
}

/* begins a body; how it mirrors; lanes in which it goes too fast, or turns far */
TR_INLINE void begin_free_body(lane_pack *p, const lane_kick *kick, lane_body *body, wdm *bad, wdm *far)
{
    const wd none = wd_set(0.0), most = wd_set(TR_EXACT_MIRRORED);
    const wdm mirrors = kick->first ? (wdm)none : p->mirrors;
    /* otherwise the general way has kept it */
    UNROLLED
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k <= i && p->free; k++)
            body->before[i][k] = body->stiffness[i][k];
    *bad |= begin_lane_body(p, kick, body);
    const wd square = square_of_turn(kick, body);
    *far |= wd_lt(wd_set(FAR), square);
    if (p->cut == NULL)
        body->rest->mirrored = wd_select(mirrors & wd_le(square, wd_set(FINE)), most, none);
}

/* the system's part of a point, of which one end may not move */
TR_INLINE void put_any_point(lane_pack *p, const lane_kick *kick, lane_joint *joint)
{
    if (joint->grounded)
        put_free_point(p, kick, joint, false);
    else
        put_free_point(p, kick, joint, true);
}

/* where a body is slowed down */
TR_INLINE wdm is_hindered(const lane_kick *kick, const lane_body *body)
{
    wd least[SPINS][SPINS];
    lesser_stiffness(kick, body, least);
    return lane_is_slow((const wd(*)[SPINS])least, kick->h * kick->h / TR_EXACT_STIFF_FROM,
                        (const wd(*)[SPINS])body->inertia);
}

/* bodies have their own inertia again */
static void end_slowness(lane_pack *p)
{
    for (uint32_t b = 0; b < p->body_count && p->slowed; b++) {
        lane_body *body = &p->bodies[b];
        body->slow = body->inertia;
        body->slow_inverse = body->inverse;
    }
    p->slowed = false;
}

/* what the system has of points, and how stiff bodies are by their forces */
static void evaluate_points(lane_pack *p, const lane_kick *kick)
{
    wdm bad = p->bad, far = (wdm)wd_set(0.0);
    memset(p->value, 0, p->program->value_count * sizeof *p->value);
    for (uint32_t b = 0; b < p->body_count; b++)
        begin_free_body(p, kick, &p->bodies[b], &bad, &far);
    p->bad = bad;
    p->hindered = far;
    for (uint32_t j = 0; j < p->joint_count; j++)
        put_any_point(p, kick, &p->joints[j]);
}

/* Whether no body of any lane is slowed down, or turns far. `copies`: nor are bodies at which the island is cut, whose stiffness
   pieces share. */
static bool moves_freely(lane_pack *p, const lane_kick *kick, bool copies)
{
    const uint32_t end = copies ? p->body_count : first_copy(p);
    /* of packs that are fused it is known already of all others */
    for (uint32_t b = p->fused ? first_copy(p) : 0; b < end; b++)
        p->hindered |= is_hindered(kick, &p->bodies[b]);
    if (wd_any(p->hindered)) {
        p->slowed = true;
        return false;
    }
    end_slowness(p);
    return true;
}

/* The rows of points as the general way has them. */
static void form_points(lane_pack *p, const lane_kick *kick)
{
    const wd none = wd_set(0.0), mirrored = kick->first ? none : wd_select(p->mirrors, wd_set(TR_EXACT_MIRRORED), none);
    for (uint32_t j = 0; j < p->joint_count; j++)
        (void)evaluate_point(p, kick, &p->joints[j], mirrored, false);
}

/* The same after a free kick was put, whose bodies are not slowed down. */
static void leave_free(lane_pack *p, const lane_kick *kick)
{
    const wd one = wd_set(1.0);
    if (!p->free)
        return;
    p->free = false;
    p->slowed = true;
    p->mirrored = kick->first ? (wdm)wd_set(0.0) : p->mirrors;
    form_points(p, kick);
    for (uint32_t b = 0; b < p->body_count; b++) {
        lane_body *body = &p->bodies[b];
        memcpy(body->before, body->stiffness, sizeof body->before);
        body->rest->slowness = body->rest->curve = one;
        body->rest->fine = wd_le(square_of_turn(kick, body), wd_set(FINE));
    }
    for (uint32_t j = 0; j < p->joint_count && !kick->last; j++) {
        p->joints[j].share = wd_set(0.0);
        bend_lane_joint(p, kick, &p->joints[j], one);
    }
}

/* couples what evaluate_points() has put */
static void couple_points_alone(lane_pack *p)
{
    for (uint32_t b = 0; b < p->body_count; b++)
        if (!p->bodies[b].early)
            put_body(p, b);
    for (uint32_t j = 0; j < p->joint_count; j++)
        if (p->joints[j].pushes)
            put_ends(&p->joints[j], AXES);
    for (uint32_t i = 0; i < p->program->early_count; i++)
        couple_ends(&p->early[i], p->early[i].body->fall);
}

/* The unknowns of a body that is eliminated first, when those of its points are known, and the greatest corrections. */
TR_INLINE void release_free(const lane_early *early, wd most[2])
{
    const lane_body *body = early->body;
    wd pull[DEGREES][2], spin[SPINS], own[SPINS];
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        pull[i][0] = pull[i][1] = wd_set(0.0);
    pull_point(&early->link[0], pull);
    if (early->count > 1)
        pull_point(&early->link[1], pull);
    UNROLLED
    for (int side = 0; side < 2; side++) {
        UNROLLED
        for (int i = 0; i < SPINS; i++)
            own[i] = pull[AXES + i][side];
        turn_by((const wd(*)[SPINS])body->inverse, own, spin);
        UNROLLED
        for (int i = 0; i < DEGREES; i++) {
            const wd before = side == 0 ? body->fall[i] : wd_set(0.0);
            const wd change = before - (i < AXES ? body->inverse_mass * pull[i][side] : spin[i - AXES]);
            early->x[i][side] = change;
            if (side == 1)
                most[i >= AXES] = wd_max(wd_abs(change), most[i >= AXES]);
        }
    }
}

static void release_points(lane_pack *p)
{
    wd most[2] = {wd_set(0.0), wd_set(0.0)};
    for (uint32_t i = 0; i < p->program->early_count; i++)
        release_free(&p->early[i], most);
    p->shift[0] = most[0];
    p->shift[1] = most[1];
}

/* Adds to what impulses change in the bodies that have no part in the system's unknowns: of a point. */
TR_INLINE void push_point(lane_pack *p, const lane_joint *joint)
{
    wd lambda[AXES], spin[SPINS];
    UNROLLED
    for (int r = 0; r < AXES; r++)
        lambda[r] = -p->x[joint->number + (uint32_t)r][0];
    UNROLLED
    for (int end = 0; end < 2; end++) {
        if (joint->end[end] >= p->body_count || p->bodies[joint->end[end]].early)
            continue;
        wd *to = p->bodies[joint->end[end]].rest->change;
        lane_lever_pull(joint->arm[end], lambda, spin);
        UNROLLED
        for (int i = 0; i < AXES; i++)
            to[i] = end == 0 ? to[i] - lambda[i] : to[i] + lambda[i];
        UNROLLED
        for (int i = 0; i < SPINS; i++)
            to[AXES + i] = to[AXES + i] + spin[i];
    }
}

/* the force of a point */
TR_INLINE void take_force(const lane_pack *p, lane_joint *joint, wd per_time)
{
    const wd(*x)[2] = (const wd(*)[2])p->x + joint->number;
    UNROLLED
    for (int r = 0; r < AXES; r++)
        joint->force.x[r] = -x[r][0] * per_time;
}

/* what the impulses of points are, and what they change in bodies that were not eliminated first */
static void push_points(lane_pack *p, const lane_kick *kick)
{
    const wd per_time = wd_set(kick->per_time);
    for (uint32_t b = 0; b < p->body_count && !p->filled; b++) {
        UNROLLED
        for (int i = 0; i < DEGREES; i++)
            p->bodies[b].rest->change[i] = wd_set(0.0);
    }
    for (uint32_t j = 0; j < p->joint_count; j++) {
        lane_joint *joint = &p->joints[j];
        take_force(p, joint, per_time);
        if (joint->pushes)
            push_point(p, joint);
    }
}
