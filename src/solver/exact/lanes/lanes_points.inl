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

/* A point's part of the system, with all of the curves of its bodies. */
KNOWN_SIZES void put_free_point(lane_pack *p, const lane_kick *kick, lane_joint *joint, bool both)
{
    const lane_body *a = &p->bodies[joint->end[0]], *b = &p->bodies[joint->end[1]];
    const lane_view v = view_of_ends(a, b, joint);
    const wd e = weigh_arms(p, joint, &v, both) * wd_set(TR_EXACT_COMPLIANCE / AXES);
    const wd most = wd_set(kick->corrects_most), mirrored = wd_min(a->mirrored, b->mirrored);
    wd *own = joint->own, (*x)[2] = p->x + joint->number;
    lv curves = {{wd_set(0.0)}};
    if (!kick->last)
        curves = curves_of_point(p, kick, joint, v.bend, both);
    UNROLLED
    for (int r = 0; r < AXES; r++) {
        const wd curve = kick->last ? wd_set(0.0) : held_curve(curves.x[r], v.rate.x[r], mirrored);
        own[r * AXES + r] = -e;
        x[r][0] = -(v.rate.x[r] + curve);
        x[r][1] = -wd_max(wd_min(v.d.x[r], most), -most);
    }
    stiffen_ends(p, joint, &v, both);
}

/* what the system has of points, and how stiff bodies are by their forces */
static void evaluate_points(lane_pack *p, const lane_kick *kick)
{
    const wd none = wd_set(0.0), most = wd_set(TR_EXACT_MIRRORED);
    const wdm mirrors = kick->first ? (wdm)none : p->mirrors;
    wdm bad = p->bad;
    memset(p->value, 0, p->program->value_count * sizeof *p->value);
    for (uint32_t b = 0; b < p->body_count; b++) {
        lane_body *body = &p->bodies[b];
        bad |= begin_lane_body(kick, body);
        note_turning(kick, body);
        body->mirrored = wd_select(mirrors & body->fine, most, none);
    }
    p->bad = bad;
    for (uint32_t j = 0; j < p->joint_count; j++) {
        lane_joint *joint = &p->joints[j];
        if (joint->grounded)
            put_free_point(p, kick, joint, false);
        else
            put_free_point(p, kick, joint, true);
    }
}

/* whether no body of any lane is slowed down, or turns far */
static bool move_freely(lane_pack *p, const lane_kick *kick)
{
    const double most = kick->h * kick->h / TR_EXACT_STIFF_FROM;
    wdm hindered = (wdm)wd_set(0.0);
    for (uint32_t b = 0; b < p->body_count; b++) {
        const lane_body *body = &p->bodies[b];
        wd least[SPINS][SPINS];
        lesser_stiffness(kick, body, least);
        hindered |= lane_is_slow((const wd(*)[SPINS])least, most, (const wd(*)[SPINS])body->inertia) | body->far;
    }
    if (wd_any(hindered))
        return false;
    for (uint32_t b = 0; b < p->body_count; b++) {
        lane_body *body = &p->bodies[b];
        memcpy(body->before, body->stiffness, sizeof body->before);
        body->slow = body->inertia;
        body->slow_inverse = body->inverse;
    }
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
    p->mirrored = kick->first ? (wdm)wd_set(0.0) : p->mirrors;
    form_points(p, kick);
    for (uint32_t b = 0; b < p->body_count; b++)
        p->bodies[b].slowness = p->bodies[b].curve = one;
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

/* The unknowns of a body that is eliminated first, when those of its points are known. */
TR_INLINE void release_free(const lane_early *early)
{
    wd pull[DEGREES][2];
    UNROLLED
    for (int i = 0; i < DEGREES; i++) {
        pull[i][0] = pull[i][1] = wd_set(0.0);
        early->x[i][0] = early->body->fall[i];
        early->x[i][1] = wd_set(0.0);
    }
    pull_point(&early->link[0], pull);
    if (early->count > 1)
        pull_point(&early->link[1], pull);
    give_way(early, pull);
}
