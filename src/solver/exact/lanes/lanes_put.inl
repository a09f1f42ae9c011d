/* The system of islands side by side: numbers of bodies and joints, and right-hand sides (solver/exact/lanes/lanes.inl). */

/* Whether a kick has one solution, because nothing acts at bounds: the changes of velocities remain in the unknowns. */
TR_INLINE bool solves_once(const lane_pack *p)
{
    return p->law_count + p->footing_count == 0;
}

/* the numbers of a body by itself in the system and its right-hand sides */
TR_INLINE void put_inertia(const lane_body *body, wd *own, wd (*x)[2])
{
    wd spin[SPINS];
    UNROLLED
    for (int i = 0; i < AXES; i++) {
        own[i * DEGREES + i] = body->rest->mass;
        x[i][0] = body->rest->mass * body->fall[i];
    }
    turn_by((const wd(*)[SPINS])body->slow, body->fall + AXES, spin);
    UNROLLED
    for (int i = 0; i < SPINS; i++) {
        x[AXES + i][0] = spin[i];
        for (int k = 0; k <= i; k++)
            own[(AXES + i) * DEGREES + AXES + k] = body->slow[i][k];
    }
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        x[i][1] = wd_set(0.0);
}

/* Those of a body, but those that the system does not have, or the trunk. */
static void put_body(lane_pack *p, uint32_t b)
{
    const lane_body *body = &p->bodies[b];
    wd(*x)[2] = p->x + (size_t)b * DEGREES;
    if (!body->early && !body->cut) {
        put_inertia(body, p->value + (p->shape->place[b] - p->program->skipped), x);
        return;
    }
    /* impulses at bounds are added */
    const bool known = body->early && body->footing == NULL && p->law_count == 0;
    UNROLLED
    for (int i = 0; i < DEGREES; i++) {
        x[i][0] = known ? body->fall[i] : wd_set(0.0);
        x[i][1] = wd_set(0.0);
    }
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
    }
    return on;
}

/* impulses at bounds, of a coordinate */
static void put_bounded(lane_pack *p, const lane_joint *joint, const lane_row *row)
{
    UNROLLED
    for (int end = 0; end < 2; end++) {
        if (joint->end[end] >= p->body_count)
            continue;
        wd(*x)[2] = p->x + (size_t)joint->end[end] * DEGREES;
        UNROLLED
        for (int i = 0; i < DEGREES; i++)
            x[i][0] = x[i][0] + row->law->bounded * row->j[end][i];
    }
}

/* `n`: numbers of the joint */
TR_INLINE void put_point(lane_pack *p, const lane_joint *joint, uint32_t n)
{
    const lane_row *rows = joint->rows;
    wd *own = joint->own, (*x)[2] = p->x + joint->number;
    UNROLLED
    for (uint32_t r = 0; r < AXES; r++) {
        own[r * n + r] = -rows[r].e;
        x[r][0] = -(rows[r].u + rows[r].b);
        x[r][1] = -rows[r].close;
    }
    if (solves_once(p))
        return;
    UNROLLED
    for (uint32_t r = 0; r < AXES; r++)
        p->closes |= ~(wdm)(rows[r].close == wd_set(0.0));
}

/* its blocks with bodies that the system has; `n`: numbers of the joint */
TR_INLINE void put_ends(const lane_joint *joint, uint32_t n)
{
    UNROLLED
    for (uint32_t end = 0; end < 2; end++) {
        wd *to = joint->to[end];
        ls levers[AXES];
        if (to == NULL)
            continue;
        lane_levers(joint->arm[end], levers);
        /* numbers of the block from one row to the next, and from one number of the body to the next */
        const uint32_t down = joint->turned[end] ? DEGREES : 1, on = joint->turned[end] ? 1 : n;
        UNROLLED
        for (uint32_t r = 0; r < AXES; r++) {
            UNROLLED
            for (uint32_t i = 0; i < AXES; i++)
                to[r * down + i * on] = wd_set(i != r ? 0.0 : end == 0 ? -1.0 : 1.0);
            UNROLLED
            for (uint32_t i = 0; i < SPINS; i++)
                to[r * down + (AXES + i) * on] = levers[r].x[i];
        }
    }
}

static void put_joint(lane_pack *p, const lane_joint *joint)
{
    const uint32_t n = joint->row_count, points = joint->points;
    wd *own = joint->own, *const *to = joint->to, (*x)[2] = p->x + joint->number;
    const bool *turned = joint->turned;
    const wd none = wd_set(0.0);
    if (points > 0) {
        put_point(p, joint, n);
        put_ends(joint, n);
    }
    for (uint32_t r = points; r < n; r++) {
        lane_row *row = &joint->rows[r];
        if (row->kind != TR_EXACT_RUBBED) {
            wd e, want, close;
            row->on = system_of_row(row, &e, &want, &close);
            own[r * n + r] = -e;
            x[r][0] = wd_select(row->on, -want, none);
            x[r][1] = -close;
            p->closes |= ~(wdm)(close == none);
        } else if (row->rub->first == row) {
            put_rub(row, own + r * n + r, n, x + r);
        }
        for (int end = 0; end < 2; end++)
            for (uint32_t i = 0; i < DEGREES && to[end] != NULL; i++)
                to[end][turned[end] ? r * DEGREES + i : i * n + r] = wd_select(row->on, row->j[end][i], none);
        if (row->kind == TR_EXACT_LAW)
            put_bounded(p, joint, row);
    }
}
