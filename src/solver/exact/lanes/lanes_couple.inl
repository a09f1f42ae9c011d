/*
 * Bodies that are eliminated first (dynamics/sparse.h), of islands side by side (solver/exact/lanes/lanes.inl): in the system
 * their joints are coupled by J M^-1 J^T, with the inverse of the inertia that they have in this kick.
 */

/* a, or with the signs of a mask -a */
TR_INLINE wd signed_by(wdm sign, wd a)
{
    return (wd)((wdm)a ^ sign);
}

/* what is coupled where, for all kicks of a step */
static void begin_early(lane_pack *p, const tr_program_column *column, lane_early *out)
{
    const uint32_t *target = p->program->targets + column->target;
    const tr_program_block *blocks = p->program->blocks + column->first;
    const wdm none = (wdm)wd_set(0.0), last = none ^ INT64_MIN;
    out->body = &p->bodies[column->node];
    out->x = p->x + column->number;
    out->count = column->count;
    out->points = out->turns = true;
    for (uint32_t i = 0; i < column->count; i++) {
        const lane_joint *joint = &p->joints[blocks[i].node - p->body_count];
        const uint32_t end = joint->end[0] == column->node ? 0 : 1;
        lane_link *link = &out->link[i];
        link->sign = end == 0 ? last : none;
        link->arm = &joint->arm[end];
        link->rows = joint->rows;
        link->x = p->x + joint->number;
        link->end = end;
        link->joint = blocks[i].node - p->body_count;
        link->n = joint->row_count;
        link->points = joint->points;
        out->points = out->points && joint->source == TR_EXACT_BY_POINT;
        out->turns = out->turns && joint->source == TR_EXACT_BY_TURN && joint->points > 0;
    }
    out->plain = out->points && out->count == 2 && out->body->footing == NULL;
    p->levers = p->levers || out->body->footing != NULL || !(out->points || (SPINS == 1 && out->turns));
    for (uint32_t i = 0; i < column->count * (column->count + 1) / 2; i++)
        out->to[i] = p->value + target[i];
}

/*
 * Points
 */

/* to -= J M^-1 J'^T of two points; `w`: J' M^-1 of the rotation; n: how many numbers a row has */
TR_INLINE void couple_points(const lane_body *body, const lane_link *link, const lane_link *other, wd w[][DEGREES],
                             wd *to, uint32_t n, bool own)
{
    const wd linear = signed_by(link->sign ^ other->sign, body->inverse_mass);
    const lv arm = *link->arm;
    UNROLLED
    for (uint32_t r = 0; r < AXES; r++) {
        UNROLLED
        for (uint32_t c = 0; c < AXES; c++) {
            if (own && c > r)
                continue;
            wd sum = lane_lever_rate(arm, r, w[c] + AXES);
            if (r == c)
                sum = sum + linear;
            to[r * n + c] = to[r * n + c] - sum;
        }
    }
}

/* w := J M^-1 of the rotation; the rates of the body without impulses, `change`, go into the right-hand side */
TR_INLINE void weigh_rates(const lane_early *early, const lane_link *link, const wd change[DEGREES], wd w[][DEGREES])
{
    const lv arm = *link->arm;
    wd moved[AXES][SPINS], turning[SPINS], rates[AXES];
    lane_levers_by((const wd(*)[SPINS])early->body->slow_inverse, arm, moved);
    UNROLLED
    for (uint32_t i = 0; i < SPINS; i++)
        turning[i] = change[AXES + i];
    lane_lever_rates(arm, turning, rates);
    UNROLLED
    for (uint32_t r = 0; r < AXES; r++) {
        UNROLLED
        for (uint32_t i = 0; i < SPINS; i++)
            w[r][AXES + i] = moved[r][i];
        link->x[r][0] = link->x[r][0] - (signed_by(link->sign, change[r]) + rates[r]);
    }
}

TR_INLINE void changes_of(const lane_early *early, wd change[DEGREES])
{
    UNROLLED
    for (uint32_t i = 0; i < DEGREES; i++)
        change[i] = early->x[i][0];
}

TR_INLINE void weigh_point(const lane_early *early, const lane_link *link, wd w[][DEGREES])
{
    wd change[DEGREES];
    changes_of(early, change);
    weigh_rates(early, link, change, w);
}

/*
 * Points with an angle, of which the row is 1 or -1 of each rotation
 */

TR_INLINE void couple_turns(const lane_body *body, const lane_link *link, const lane_link *other, wd w[][DEGREES],
                            wd *to, bool own)
{
    const lane_row *row = &link->rows[AXES];
    const uint32_t n = AXES + 1;
    couple_points(body, link, other, w, to, n, own);
    UNROLLED
    for (uint32_t c = 0; c < AXES + 1; c++)
        to[AXES * n + c] = to[AXES * n + c] - wd_select(row->on, signed_by(link->sign, w[c][AXES]), wd_set(0.0));
    UNROLLED
    for (uint32_t r = 0; r < AXES; r++)
        if (!own)
            to[r * n + AXES] = to[r * n + AXES] - lane_lever_rate(*link->arm, r, w[AXES] + AXES);
}

TR_INLINE void weigh_turn(const lane_early *early, const lane_link *link, wd w[][DEGREES])
{
    const wdm on = link->rows[AXES].on;
    const wd none = wd_set(0.0);
    weigh_point(early, link, w);
    w[AXES][AXES] = wd_select(on, signed_by(link->sign, early->body->slow_inverse[0][0]), none);
    link->x[AXES][0] = link->x[AXES][0] - wd_select(on, signed_by(link->sign, early->x[AXES][0]), none);
}

/*
 * Joints with any rows
 */

/* as weigh_point(), w with the linear part of rows that are not of a point */
static void weigh_link(const lane_early *early, const lane_link *link, wd w[][DEGREES])
{
    const lane_body *body = early->body;
    const wd(*change)[2] = (const wd(*)[2])early->x;
    if (link->points > 0)
        weigh_point(early, link, w);
    for (uint32_t r = link->points; r < link->n; r++) {
        const lane_row *row = &link->rows[r];
        const wd none = wd_set(0.0), *j = row->j[link->end];
        wd rate = none;
        turn_by((const wd(*)[SPINS])body->slow_inverse, j + AXES, w[r] + AXES);
        UNROLLED
        for (uint32_t i = 0; i < DEGREES; i++) {
            rate = rate + j[i] * change[i][0];
            w[r][i] = wd_select(row->on, i < AXES ? body->inverse_mass * j[i] : w[r][i], none);
        }
        link->x[r][0] = link->x[r][0] - wd_select(row->on, rate, none);
    }
}

/* of a row with one of another joint; w: J' M^-1 of that */
TR_INLINE wd coupling(const lane_body *body, const lane_link *link, uint32_t r, const lane_link *other, uint32_t c,
                      const wd w[DEGREES])
{
    const lane_row *row = &link->rows[r];
    const wd *j = row->j[link->end];
    wd sum = j[AXES] * w[AXES];
    UNROLLED
    for (uint32_t i = 1; i < SPINS; i++)
        sum = sum + j[AXES + i] * w[AXES + i];
    if (r < link->points && c < other->points)
        return r == c ? sum + signed_by(link->sign ^ other->sign, body->inverse_mass) : sum;
    if (r < link->points)
        return sum + signed_by(link->sign, w[r]);
    if (c < other->points) {
        sum = sum + signed_by(other->sign, body->inverse_mass * j[c]);
    } else {
        UNROLLED
        for (uint32_t i = 0; i < AXES; i++)
            sum = sum + j[i] * w[i];
    }
    return wd_select(row->on, sum, wd_set(0.0));
}

/* `own`: of one joint, the lower triangle */
static void couple_links(const lane_body *body, const lane_link *link, const lane_link *other, wd w[][DEGREES], wd *to,
                         bool own)
{
    for (uint32_t r = 0; r < link->n; r++)
        for (uint32_t c = 0; c < (own ? r + 1 : other->n); c++) {
            wd *at = &to[r * other->n + c];
            *at = *at - coupling(body, link, r, other, c, w[c]);
        }
}

/* adds J^T of the unknowns of a row, and of a point */
TR_INLINE void pull_row(const lane_link *link, uint32_t r, wd pull[DEGREES][2])
{
    const wd *j = link->rows[r].j[link->end], *x = link->x[r];
    UNROLLED
    for (int side = 0; side < 2; side++) {
        UNROLLED
        for (uint32_t i = 0; i < DEGREES; i++)
            pull[i][side] = pull[i][side] + j[i] * x[side];
    }
}

/* the same of a point with this arm */
TR_INLINE void pull_by(lv arm, wdm sign, const wd (*unknown)[2], wd pull[DEGREES][2])
{
    UNROLLED
    for (int side = 0; side < 2; side++) {
        wd x[AXES], spin[SPINS];
        UNROLLED
        for (int i = 0; i < AXES; i++) {
            x[i] = unknown[i][side];
            pull[i][side] = pull[i][side] + signed_by(sign, x[i]);
        }
        lane_lever_pull(arm, x, spin);
        UNROLLED
        for (int i = 0; i < SPINS; i++)
            pull[AXES + i][side] = pull[AXES + i][side] + spin[i];
    }
}

TR_INLINE void pull_point(const lane_link *link, wd pull[DEGREES][2])
{
    pull_by(*link->arm, link->sign, (const wd(*)[2])link->x, pull);
}

/*
 * Bodies
 */

/* What a row is in the factor of a body that touches what does not move, on both sides of the product; in lanes without
   touches as everywhere, and what comes of it is summed in the same order. */
static void weigh_footed(const lane_early *early, const lane_link *link, wd left[][DEGREES], wd right[][DEGREES])
{
    const lane_body *body = early->body;
    const lane_footing *footing = body->footing;
    const wd none = wd_set(0.0), one = wd_set(1.0);
    const bool free = wd_any(~footing->pressed);
    for (uint32_t r = 0; r < link->n; r++) {
        const lane_row *row = &link->rows[r];
        const bool point = r < link->points;
        wd j[DEGREES], z[DEGREES], spin[SPINS], rate[2] = {none, none};
        for (uint32_t i = 0; i < DEGREES; i++) {
            j[i] = row->j[link->end][i];
            if (point && i < AXES)
                j[i] = i == r ? signed_by(link->sign, one) : none;
            if (!point)
                j[i] = wd_select(row->on, j[i], none);
            for (int side = 0; side < 2; side++)
                rate[side] = rate[side] + j[i] * early->x[i][side];
        }
        go_forward(footing, j, z);
        if (free)
            turn_by((const wd(*)[SPINS])body->slow_inverse, j + AXES, spin);
        for (uint32_t i = 0; i < DEGREES; i++) {
            left[r][i] = z[i];
            right[r][i] = z[i] * footing->inverse[i];
            if (!free)
                continue;
            left[r][i] = wd_select(footing->pressed, left[r][i], j[i]);
            right[r][i] =
                wd_select(footing->pressed, right[r][i], i < AXES ? body->inverse_mass * j[i] : spin[i - AXES]);
        }
        for (int side = 0; side < 2; side++)
            link->x[r][side] = link->x[r][side] - rate[side];
    }
}

static void couple_footed(const lane_early *early)
{
    wd left[2][WIDTH_MOST][DEGREES], right[2][WIDTH_MOST][DEGREES];
    wd *const *to = early->to;
    for (uint32_t i = 0; i < early->count; i++) {
        weigh_footed(early, &early->link[i], left[i], right[i]);
        for (uint32_t k = 0; k <= i; k++, to++)
            for (uint32_t r = 0; r < early->link[i].n; r++)
                for (uint32_t c = 0; c < (i == k ? r + 1 : early->link[k].n); c++) {
                    const wd *a = left[i][r], *b = right[k][c];
                    wd *at = &(*to)[r * early->link[k].n + c], sum = a[AXES] * b[AXES];
                    UNROLLED
                    for (uint32_t n = 1; n < SPINS; n++)
                        sum = sum + a[AXES + n] * b[AXES + n];
                    UNROLLED
                    for (uint32_t n = 0; n < AXES; n++)
                        sum = sum + a[n] * b[n];
                    *at = *at - sum;
                }
    }
}

/* the unknowns of a body that touches what does not move */
static void begin_footed(const lane_early *early)
{
    const lane_body *body = early->body;
    wd in[DEGREES], out[DEGREES];
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < DEGREES; i++)
            in[i] = side == 0 ? early->x[i][0] + body->footing->pull[i][0] : body->footing->pull[i][1];
        respond(body, body->footing, in, out);
        for (int i = 0; i < DEGREES; i++)
            early->x[i][side] = side == 0 ? body->fall[i] + out[i] : out[i];
    }
}

static void couple_any(const lane_early *early)
{
    wd w[2][WIDTH_MOST][DEGREES];
    wd *const *to = early->to;
    for (uint32_t i = 0; i < early->count; i++) {
        weigh_link(early, &early->link[i], w[i]);
        for (uint32_t k = 0; k <= i; k++, to++)
            couple_links(early->body, &early->link[i], &early->link[k], w[k], *to, i == k);
    }
}

/* The points of a body, one or two, which changes by `change` without impulses. */
KNOWN_SIZES void couple_ends(const lane_early *early, const wd change[DEGREES])
{
    const lane_body *body = early->body;
    const lane_link *link = early->link;
    wd w[2][AXES][DEGREES];
    weigh_rates(early, &link[0], change, w[0]);
    couple_points(body, &link[0], &link[0], w[0], early->to[0], AXES, true);
    if (early->count < 2)
        return;
    weigh_rates(early, &link[1], change, w[1]);
    couple_points(body, &link[1], &link[0], w[0], early->to[1], AXES, false);
    couple_points(body, &link[1], &link[1], w[1], early->to[2], AXES, true);
}

/* the same of points with an angle */
TR_INLINE void couple_angles(const lane_early *early)
{
    const lane_body *body = early->body;
    const lane_link *link = early->link;
    wd w[2][AXES + 1][DEGREES];
    weigh_turn(early, &link[0], w[0]);
    couple_turns(body, &link[0], &link[0], w[0], early->to[0], true);
    if (early->count < 2)
        return;
    weigh_turn(early, &link[1], w[1]);
    couple_turns(body, &link[1], &link[0], w[0], early->to[1], false);
    couple_turns(body, &link[1], &link[1], w[1], early->to[2], true);
}

/* What a body couples. Its unknowns are then the changes of its velocity without impulses that are held. */
static void couple_body(const lane_pack *p, const lane_early *early)
{
    const lane_body *body = early->body;
    wd(*x)[2] = early->x;
    if (body->footing != NULL) {
        begin_footed(early);
        couple_footed(early);
        return;
    }
    if (p->law_count > 0) {
        wd pull[SPINS], spin[SPINS];
        for (int i = 0; i < SPINS; i++)
            pull[i] = x[AXES + i][0];
        turn_by((const wd(*)[SPINS])body->slow_inverse, pull, spin);
        for (int i = 0; i < DEGREES; i++)
            x[i][0] = body->fall[i] + (i < AXES ? body->inverse_mass * x[i][0] : spin[i - AXES]);
    }
    if (early->points) {
        wd change[DEGREES];
        changes_of(early, change);
        couple_ends(early, change);
    } else if (SPINS == 1 && early->turns) {
        couple_angles(early);
    } else {
        couple_any(early);
    }
}

/* changes of a body's unknowns by what pulls at it */
TR_INLINE void give_way(const lane_early *early, wd pull[DEGREES][2])
{
    const lane_body *body = early->body;
    wd(*x)[2] = early->x;
    UNROLLED
    for (int side = 0; side < 2; side++) {
        wd own[SPINS], spin[SPINS];
        UNROLLED
        for (int i = 0; i < SPINS; i++)
            own[i] = pull[AXES + i][side];
        turn_by((const wd(*)[SPINS])body->slow_inverse, own, spin);
        UNROLLED
        for (int i = 0; i < DEGREES; i++)
            x[i][side] = x[i][side] - (i < AXES ? body->inverse_mass * pull[i][side] : spin[i - AXES]);
    }
}

/* a body on two points */
TR_INLINE void release_plain(const lane_early *early)
{
    wd pull[DEGREES][2];
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        pull[i][0] = pull[i][1] = wd_set(0.0);
    pull_point(&early->link[0], pull);
    pull_point(&early->link[1], pull);
    give_way(early, pull);
}

/* A body's unknowns, when those of its joints are known. */
static void release_body(const lane_early *early)
{
    const lane_body *body = early->body;
    const lane_link *link = early->link;
    wd(*x)[2] = early->x, pull[DEGREES][2];
    UNROLLED
    for (int i = 0; i < DEGREES; i++)
        pull[i][0] = pull[i][1] = wd_set(0.0);
    if (early->points) {
        pull_point(&link[0], pull);
        if (early->count > 1)
            pull_point(&link[1], pull);
    } else {
        for (uint32_t i = 0; i < early->count; i++) {
            if (link[i].points > 0)
                pull_point(&link[i], pull);
            for (uint32_t r = link[i].points; r < link[i].n; r++)
                pull_row(&link[i], r, pull);
        }
    }
    for (int side = 0; side < 2 && body->footing != NULL; side++) {
        wd in[DEGREES], out[DEGREES];
        for (int i = 0; i < DEGREES; i++)
            in[i] = pull[i][side];
        respond(body, body->footing, in, out);
        for (int i = 0; i < DEGREES; i++)
            x[i][side] = x[i][side] - out[i];
    }
    if (body->footing == NULL)
        give_way(early, pull);
}
