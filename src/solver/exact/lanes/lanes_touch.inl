/*
 * Contacts of islands side by side with what does not move (solver/exact/lanes/lanes.inl), as exact_contact.c has them. They
 * are eliminated: what is held adds J^T E^-1 J to the block of its body, so that the structure of an island stays while
 * contacts come and go. Each body has room for as many as it has in some lane; in the others these have no weight.
 */

/* the pair that a row is of, or TOUCH_PAIRS; and the first row of a pair */
TR_INLINE uint32_t pair_of(uint32_t r)
{
    if (SPINS == 1 || r < TOUCH_POINTS || r == TOUCH_TURNS)
        return TOUCH_PAIRS;
    return r < TOUCH_TURNS ? (r - TOUCH_POINTS) / 2 : TOUCH_POINTS;
}

TR_INLINE uint32_t first_of_pair(uint32_t pair)
{
    return pair < TOUCH_POINTS ? TOUCH_POINTS + 2 * pair : TOUCH_TURNS + 1;
}

TR_INLINE bool is_linear(uint32_t r)
{
    return r < TOUCH_TURNS;
}

#define EACH_TOUCH(p, footing, touch)                                                                                  \
    for (lane_footing *footing = (p)->footings; footing < (p)->footings + (p)->footing_count; footing++)               \
        for (lane_touch *touch = footing->touches; touch < footing->touches + footing->count; touch++)                 \
            if (touch->used)

#define EACH_TOUCH_ROW(touch, r)                                                                                       \
    for (uint32_t r = 0; r < TOUCH_ROWS; r++)                                                                          \
        if ((touch)->rows[r].used)

#define EACH_PAIR(i) for (uint32_t i = 0; i != TOUCH_PAIRS; i++)

/*
 * The tables
 */

/* J times numbers of its body */
TR_INLINE wd along_row(const lane_touch_row *row, const wd v[DEGREES])
{
    wd sum = row->j[0] * v[0];
    UNROLLED
    for (int i = 1; i < DEGREES; i++)
        sum = sum + row->j[i] * v[i];
    return sum;
}

/* The directions of a contact's rows: its normal, those of friction, and that of rows of rotation, which is none. */
#define DIRECTIONS (AXES + 1)

TR_INLINE uint32_t direction_of(uint32_t r)
{
    if (r < TOUCH_POINTS)
        return 0;
    return is_linear(r) ? 1 + (r - TOUCH_POINTS) % (AXES - 1) : AXES;
}

/* what all rows along a direction have of numbers of their body; then what one of them has in all, as along_row() */
TR_INLINE void along_directions(const lane_touch *touch, const wd v[DEGREES], wd out[DIRECTIONS])
{
    UNROLLED
    for (uint32_t d = 0; d < AXES; d++) {
        const wd *j = touch->rows[d == 0 ? 0 : TOUCH_POINTS + d - 1].j;
        out[d] = j[0] * v[0];
        UNROLLED
        for (int i = 1; i < AXES; i++)
            out[d] = out[d] + j[i] * v[i];
    }
    out[AXES] = wd_set(0.0);
}

TR_INLINE wd along_both(const lane_touch_row *row, wd direction, const wd v[DEGREES])
{
    UNROLLED
    for (int i = AXES; i < DEGREES; i++)
        direction = direction + row->j[i] * v[i];
    return direction;
}

/* what a contact's columns say, of one lane */
static void read_touch(lane_pack *p, lane_touch *to, int lane, const trn_exact_touch *from)
{
    const trn_exact *it = p->step->exact;
    const trn_joints *contacts = &p->step->system->joints[TR_CONTACT];
    const uint32_t own = from->own, other = from->end[1 - own];
    const double inv_h = (double)p->step->solver->report.inv_h;
    trn_exact_contact c;
    trn_exact_contact_columns(contacts, from->row, &c);
    to->used = true;
    to->there[lane] = -1;
    if (trn_exact_follows(p->step->system, from->end[own]))
        p->bodies[from->body].footing->follows[lane] = -1;
    to->row[lane] = from->row;
    to->slot[lane] = from->slot;
    to->sign[lane] = own == 0 ? -1.0 : 1.0;
    to->restitution[lane] = c.restitution;
    to->friction[lane] = c.friction;
    to->torsion[lane] = c.torsion;
    to->rolling[lane] = c.rolling;
    lane_touch_read(to, lane, &c, own);
    if (p->step->system->bodies->type[other] == TR_KINEMATIC) {
        double v[DEGREES];
        trn_exact_velocity(&it->begun[other], v);
        for (int i = 0; i < DEGREES; i++)
            to->other[i][lane] = v[i];
        double square = 0.0;
        for (int i = AXES; i < DEGREES; i++)
            square += v[i] * v[i];
        const double time = p->step->h * p->step->substeps;
        if (trn_exact_follows(p->step->system, from->end[own]) &&
            square * time * time > TR_EXACT_FOLLOWS * TR_EXACT_FOLLOWS)
            p->bad[lane] = -1;
    }
    for (uint32_t i = 0; i < TOUCH_POINTS; i++) {
        const uint32_t column = (uint32_t)trn_exact_contact_impulse(i);
        if (i >= c.points)
            continue;
        to->rows[i].there[lane] = -1;
        to->rows[i].force[lane] = (double)trn_joint_impulse(contacts, column, from->row) * inv_h;
        to->begun[i][lane] = (double)trn_joint_impulse(contacts, column + TRN_CONTACT_SEPARATION_0, from->row);
    }
    for (uint32_t r = TOUCH_POINTS; r < TOUCH_ROWS; r++) {
        const bool there =
            !is_linear(r) ? c.torsion > 0.0 || c.rolling > 0.0 : SPINS == 1 || (r - TOUCH_POINTS) / 2 < c.points;
        if (!there)
            continue;
        to->rows[r].there[lane] = -1;
        to->rows[r].force[lane] = (double)trn_joint_impulse(contacts, lane_touch_column(r), from->row) * inv_h;
    }
}

/* J of a row along n at a point, or about n */
static void point_row(lane_touch *touch, uint32_t r, lv n, const lv arm[2], bool linear)
{
    lane_touch_row *row = &touch->rows[r];
    wd moment[2][SPINS];
    lane_moment(arm[0], n, moment[0]);
    lane_moment(arm[1], n, moment[1]);
    row->drive = wd_set(0.0);
    UNROLLED
    for (int i = 0; i < AXES; i++) {
        row->j[i] = linear ? touch->sign * n.x[i] : wd_set(0.0);
        row->drive = row->drive - row->j[i] * touch->other[i];
    }
    UNROLLED
    for (int i = 0; i < SPINS; i++) {
        row->j[AXES + i] = touch->sign * (linear ? moment[0][i] : lane_axis(n, i));
        row->drive = row->drive - touch->sign * (linear ? moment[1][i] : lane_axis(n, i)) * touch->other[AXES + i];
    }
    /* of bodies that do not move there is none, without a sign */
    row->drive = wd_select((wdm)(row->drive == wd_set(0.0)), wd_set(0.0), row->drive);
}

/* the rows of all lanes */
static void finish_touch(const lane_pack *p, const lane_footing *footing, lane_touch *touch)
{
    const wd none = wd_set(0.0);
    for (uint32_t r = 0; r < TOUCH_ROWS; r++) {
        lane_touch_row *row = &touch->rows[r];
        row->used = wd_any(row->there);
        if (!row->used)
            continue;
        const uint32_t point = r < TOUCH_POINTS ? r : SPINS > 1 && is_linear(r) ? (r - TOUCH_POINTS) / 2 : 0;
        const lv arm[2] = {lv_plus(touch->arm[0], touch->further[point]),
                           lv_plus(touch->arm[1], touch->further[point])};
        const uint32_t across = is_linear(r) ? (r - TOUCH_POINTS) % 2 : r - TOUCH_TURNS - 1;
        const bool along = r < TOUCH_POINTS || r == TOUCH_TURNS;
        point_row(touch, r, along ? touch->normal : touch->across[across], arm, is_linear(r));
        row->speed = none;
        if (r >= TOUCH_POINTS && is_linear(r))
            row->speed = touch->surface[across];
        row->coefficient = is_linear(r)                    ? touch->friction
                           : SPINS > 1 && r == TOUCH_TURNS ? touch->torsion
                                                           : touch->rolling;
        row->held = r < TOUCH_POINTS ? wd_lt(none, row->force) : row->there;
        if (r < TOUCH_POINTS)
            touch->approach[r] = along_row(row, p->bodies[footing->body].v) + row->drive;
    }
}

static void read_footing(lane_pack *p, lane_footing *footing, uint32_t b)
{
    lane_body *body = &p->bodies[b];
    body->footing = footing;
    footing->body = b;
    footing->count = p->shape->touches[b];
    footing->center = body->center;
    footing->pose = body->pose;
    footing->follows = (wdm)wd_set(0.0);
    memset(footing->touches, 0, footing->count * sizeof *footing->touches);
}

static void read_touches(lane_pack *p)
{
    const trn_exact *it = p->step->exact;
    lane_touch *next = p->touches;
    for (uint32_t b = 0; b < p->body_count; b++) {
        p->bodies[b].footing = NULL;
        if (p->shape->touch_count == 0 || p->shape->touches[b] == 0)
            continue;
        lane_footing *footing = &p->footings[p->footing_count++];
        footing->touches = next;
        read_footing(p, footing, b);
        next += footing->count;
    }
    for (int lane = 0; lane < TR_DOUBLES; lane++)
        for (uint32_t t = 0; t < p->own[lane]->touch_count; t++) {
            const trn_exact_touch *from = &it->touches[p->own[lane]->first_touch + t];
            read_touch(p, &p->bodies[from->body].footing->touches[from->nth], lane, from);
        }
    EACH_TOUCH(p, footing, touch)
    finish_touch(p, footing, touch);
}

/* how a body has moved since the step began */
static void find_moved(const lane_pack *p, lane_footing *footing)
{
    const lane_body *body = &p->bodies[footing->body];
    for (int i = 0; i < AXES; i++)
        footing->moved[i] = body->center.x[i] - footing->center.x[i];
    lane_turned_since(&footing->pose, &body->pose, footing->moved + AXES);
}

/* Islands with contacts that are found anew in each kick are solved by themselves. */
static void follow_footing(lane_pack *p, const lane_footing *footing)
{
    wd square = wd_set(0.0);
    for (int i = AXES; i < DEGREES; i++)
        square = square + footing->moved[i] * footing->moved[i];
    p->bad |= footing->follows & wd_lt(wd_set(TR_EXACT_FOLLOWS * TR_EXACT_FOLLOWS), square);
}

static void find_gaps(const lane_footing *footing, lane_touch *touch, double elapsed)
{
    wd moved[DIRECTIONS];
    along_directions(touch, footing->moved, moved);
    for (uint32_t i = 0; i < TOUCH_POINTS; i++) {
        const lane_touch_row *row = &touch->rows[i];
        if (row->used)
            touch->gap[i] = touch->begun[i] + along_both(row, moved[0], footing->moved) + wd_set(elapsed) * row->drive;
    }
}

static void write_touch(const lane_pack *p, const lane_touch *touch, int lane)
{
    const trn_joints *contacts = &p->step->system->joints[TR_CONTACT];
    const trn_exact_pin to = {.type = TR_CONTACT, .row = touch->row[lane], .slot = touch->slot[lane]};
    for (uint32_t r = 0; r < TOUCH_ROWS; r++) {
        const lane_touch_row *row = &touch->rows[r];
        const uint32_t column = r < TOUCH_POINTS ? (uint32_t)trn_exact_contact_impulse(r) : lane_touch_column(r);
        if (row->there[lane] != 0 || !is_linear(r))
            write_impulse(p, &to, (int32_t)column, lane, 1.0, row->force, row->total);
        if (r >= TOUCH_POINTS || row->there[lane] == 0)
            continue;
        contacts->impulse[column + TRN_CONTACT_TOTAL_0][to.row] =
            trn_exact_impulse(row->total[0][lane] + row->total[1][lane]);
        contacts->impulse[column + TRN_CONTACT_SEPARATION_0][to.row] = tr_finite_float(touch->gap[r][lane]);
    }
}

static void write_touches(const lane_pack *p)
{
    const trn_exact_step *step = p->step;
    EACH_TOUCH(p, footing, touch)
    {
        find_moved(p, footing);
        find_gaps(footing, touch, step->h * step->substeps);
        for (int lane = 0; lane < (int)p->count; lane++)
            if (touch->there[lane] != 0 && p->bad[lane] == 0)
                write_touch(p, touch, lane);
    }
}
