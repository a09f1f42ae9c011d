/*
 * Bodies that are eliminated first (dynamics/sparse.h), of islands side by side (solver/exact/lanes.inl): in the system
 * their joints are coupled by J M^-1 J^T, with the inverse of the inertia that they have in this kick.
 */

/* A joint on such a body, of which the first `points` of `n` rows are of a point; the row of the impulses is n . d. */
typedef struct lane_link {
    const lane_joint *joint;
    uint32_t end, n, points;
} lane_link;

/* how many joints there are on a body */
static uint32_t links_of(const lane_pack *p, const tr_program_column *column, lane_link out[2])
{
    for (uint32_t i = 0; i < column->count; i++) {
        const lane_joint *joint = &p->joints[p->program->blocks[column->first + i].node - p->body_count];
        const uint32_t points = joint->source == TR_EXACT_BY_EQUATIONS ? 0 : AXES;
        out[i] = (lane_link){joint, joint->end[0] == column->node ? 0 : 1, joint->row_count, points};
    }
    return column->count;
}

/* w := J M^-1, of a point without its linear part; the rates that the body has without impulses go into the right-hand
   side */
TR_INLINE void weigh_link(const lane_pack *p, const lane_body *body, const wd (*change)[2], const lane_link *link,
                          wd w[][DEGREES], uint32_t n, uint32_t points)
{
    wd(*x)[2] = p->x + link->joint->number;
    for (uint32_t r = 0; r < n; r++) {
        const lane_row *row = &link->joint->rows[r];
        const wd none = wd_set(0.0), *j = row->j[link->end];
        wd rate = none;
        if (r < points) {
            rate = link->end == 0 ? -change[r][0] : change[r][0];
        } else {
            for (int i = 0; i < AXES; i++) {
                rate = rate + j[i] * change[i][0];
                w[r][i] = wd_select(row->on, body->inverse_mass * j[i], none);
            }
        }
        turn_by((const wd(*)[SPINS])body->slow_inverse, j + AXES, w[r] + AXES);
        for (int i = AXES; i < DEGREES; i++) {
            rate = rate + j[i] * change[i][0];
            if (r >= points)
                w[r][i] = wd_select(row->on, w[r][i], none);
        }
        x[r][0] = x[r][0] - (r < points ? rate : wd_select(row->on, rate, none));
    }
}

/* to -= J M^-1 J'^T; `own`: of one joint, the lower triangle */
TR_INLINE void couple_links(const lane_body *body, const lane_link *link, uint32_t rows, uint32_t points,
                            const lane_link *other, wd w[][DEGREES], uint32_t columns, uint32_t other_points, wd *to,
                            bool own)
{
    const wd none = wd_set(0.0);
    for (uint32_t r = 0; r < rows; r++) {
        const lane_row *row = &link->joint->rows[r];
        const wd *j = row->j[link->end];
        for (uint32_t c = 0; c < (own ? r + 1 : columns); c++) {
            wd sum = j[AXES] * w[c][AXES];
            for (int i = AXES + 1; i < DEGREES; i++)
                sum = sum + j[i] * w[c][i];
            if (r < points && c < other_points) {
                if (r == c)
                    sum = link->end == other->end ? sum + body->inverse_mass : sum - body->inverse_mass;
            } else if (r < points) {
                sum = link->end == 0 ? sum - w[c][r] : sum + w[c][r];
            } else if (c < other_points) {
                const wd linear = body->inverse_mass * j[c];
                sum = other->end == 0 ? sum - linear : sum + linear;
            } else {
                for (int i = 0; i < AXES; i++)
                    sum = sum + j[i] * w[c][i];
            }
            wd *at = &to[r * columns + c];
            *at = *at - (r < points ? sum : wd_select(row->on, sum, none));
        }
    }
}

/* of joints with as many rows, and as many of points: known where it is inlined */
TR_INLINE void couple_alike(lane_pack *p, const tr_program_column *column, const lane_link *links, uint32_t count,
                            uint32_t n, uint32_t points)
{
    const lane_body *body = &p->bodies[column->node];
    const uint32_t *target = p->program->targets + column->target;
    const wd(*change)[2] = (const wd(*)[2])p->x + column->number;
    wd w[2][WIDTH_MOST][DEGREES];
    for (uint32_t i = 0; i < count; i++) {
        weigh_link(p, body, change, &links[i], w[i], n, points);
        for (uint32_t k = 0; k <= i; k++, target++)
            couple_links(body, &links[i], n, points, &links[k], w[k], n, points, p->value + *target, i == k);
    }
}

static void couple_any(lane_pack *p, const tr_program_column *column, const lane_link *links, uint32_t count)
{
    const lane_body *body = &p->bodies[column->node];
    const uint32_t *target = p->program->targets + column->target;
    const wd(*change)[2] = (const wd(*)[2])p->x + column->number;
    wd w[2][WIDTH_MOST][DEGREES];
    for (uint32_t i = 0; i < count; i++) {
        weigh_link(p, body, change, &links[i], w[i], links[i].n, links[i].points);
        for (uint32_t k = 0; k <= i; k++, target++)
            couple_links(body, &links[i], links[i].n, links[i].points, &links[k], w[k], links[k].n, links[k].points,
                         p->value + *target, i == k);
    }
}

/* What a body couples. Its unknowns are then the changes of its velocity without impulses that are held. */
static void couple_body(lane_pack *p, const tr_program_column *column)
{
    const lane_body *body = &p->bodies[column->node];
    wd(*x)[2] = p->x + column->number;
    lane_link links[2];
    const uint32_t count = links_of(p, column, links);
    if (p->law_count > 0) {
        wd pull[SPINS], spin[SPINS];
        for (int i = 0; i < SPINS; i++)
            pull[i] = x[AXES + i][0];
        turn_by((const wd(*)[SPINS])body->slow_inverse, pull, spin);
        for (int i = 0; i < DEGREES; i++)
            x[i][0] = body->fall[i] + (i < AXES ? body->inverse_mass * x[i][0] : spin[i - AXES]);
    } else {
        for (int i = 0; i < DEGREES; i++)
            x[i][0] = body->fall[i];
    }
    const lane_link *a = &links[0], *b = &links[count - 1];
    if (a->points == AXES && a->n == AXES && b->points == AXES && b->n == AXES)
        couple_alike(p, column, links, count, AXES, AXES);
    else if (a->points == AXES && a->n == AXES + 1 && b->points == AXES && b->n == AXES + 1)
        couple_alike(p, column, links, count, AXES + 1, AXES);
    else
        couple_any(p, column, links, count);
}

/* adds J^T of the unknowns of a joint */
TR_INLINE void pull_link(const lane_pack *p, const lane_link *link, uint32_t n, uint32_t points, wd pull[DEGREES][2])
{
    const wd(*x)[2] = (const wd(*)[2])p->x + link->joint->number;
    for (uint32_t r = 0; r < n; r++) {
        const wd *j = link->joint->rows[r].j[link->end];
        for (int side = 0; side < 2; side++) {
            if (r < points)
                pull[r][side] = link->end == 0 ? pull[r][side] - x[r][side] : pull[r][side] + x[r][side];
            for (uint32_t i = r < points ? AXES : 0; i < DEGREES; i++)
                pull[i][side] = pull[i][side] + j[i] * x[r][side];
        }
    }
}

/* A body's unknowns, when those of its joints are known. */
static void release_body(lane_pack *p, const tr_program_column *column)
{
    const lane_body *body = &p->bodies[column->node];
    wd(*x)[2] = p->x + column->number, pull[DEGREES][2];
    lane_link links[2];
    const uint32_t count = links_of(p, column, links);
    for (int i = 0; i < DEGREES; i++)
        pull[i][0] = pull[i][1] = wd_set(0.0);
    for (uint32_t i = 0; i < count; i++) {
        if (links[i].points == AXES && links[i].n == AXES)
            pull_link(p, &links[i], AXES, AXES, pull);
        else
            pull_link(p, &links[i], links[i].n, links[i].points, pull);
    }
    for (int side = 0; side < 2; side++) {
        wd own[SPINS], spin[SPINS];
        for (int i = 0; i < SPINS; i++)
            own[i] = pull[AXES + i][side];
        turn_by((const wd(*)[SPINS])body->slow_inverse, own, spin);
        for (int i = 0; i < DEGREES; i++)
            x[i][side] = x[i][side] - (i < AXES ? body->inverse_mass * pull[i][side] : spin[i - AXES]);
    }
}
