/*
 * What the next islands have in the tables, which do not fit into the caches, is fetched while these are solved
 * (solver/exact/lanes/lanes.inl). Those after them in the sequence are mostly next, and have rows one after another; if not
 * nothing is wrong.
 */

/* as caches have it */
#define LINE 64u

/* columns of bodies and of a joint's point; the states that are written beside the table; pins */
#define SPANS_MOST (LANE_NARROW + LANE_WIDE + 2 * AXES + AXES + 2)

typedef struct lane_ahead {
    uint32_t count;
    const unsigned char *at[SPANS_MOST];
    size_t size[SPANS_MOST];
} lane_ahead;

/* rows of a column, which may be left out */
TR_INLINE void add_span(lane_ahead *ahead, const void *column, size_t size, uint32_t first, uint32_t count)
{
    if (column == NULL)
        return;
    ahead->at[ahead->count] = (const unsigned char *)column + first * size;
    ahead->size[ahead->count++] = count * size;
}

/* what islands from one to another have, which are twins */
static void look_ahead(lane_ahead *out, const trn_exact_step *step, const trn_exact_island *from,
                       const trn_exact_island *to)
{
    const trn_exact *it = step->exact;
    const float *narrow[LANE_NARROW];
    const double *wide[LANE_WIDE];
    const uint32_t joint = from->first_joint, joint_end = to->first_joint + to->node_count;
    const uint32_t row = it->body_row[from->first_body];
    const uint32_t row_end = it->body_row[to->first_body + to->body_count - 1] + 1;
    const uint32_t most = 2 * TR_DOUBLES;
    lane_columns(step->system->bodies, narrow, wide);
    if (row < row_end && row_end - row <= most * from->body_count) {
        for (uint32_t i = 0; i < LANE_NARROW; i++)
            add_span(out, narrow[i], sizeof *narrow[i], row, row_end - row);
        for (uint32_t i = 0; i < LANE_WIDE; i++)
            add_span(out, wide[i], sizeof *wide[i], row, row_end - row);
        add_span(out, trn_exact_motions(it), sizeof *it->motions, row, row_end - row);
    }
    if (joint >= joint_end || joint_end - joint > most * from->node_count)
        return;
    const trn_exact_pin *pin = &it->pins[joint], *last = &it->pins[joint_end - 1];
    const trn_joints *joints = &step->system->joints[pin->type];
    add_span(out, it->pins, sizeof *it->pins, joint, joint_end - joint);
    if (last->type != pin->type || last->row < pin->row || last->row - pin->row >= most * from->node_count)
        return;
    for (uint32_t i = 0; i < 2 * AXES; i++)
        add_span(out, joints->field[TRN_FIELD_ANCHOR_A_X + i], sizeof(float), pin->row, last->row + 1 - pin->row);
    for (uint32_t i = 0; i < AXES; i++)
        add_span(out, joints->impulse[i], sizeof(float), pin->row, last->row + 1 - pin->row);
}

/* what comes after these islands of the sequence */
static void begin_ahead(lane_ahead *out, const trn_exact_step *step, const uint32_t *islands, uint32_t count)
{
    const trn_exact *it = step->exact;
    const uint32_t *from = islands + count, *end = it->sequence + it->island_count, *to = from + (count - 1);
    out->count = 0;
    if (end - from < (ptrdiff_t)count)
        return;
    const trn_exact_island *own = &it->islands[*islands], *first = &it->islands[*from], *last = &it->islands[*to];
    if (first->plain && last->plain && first->lane_shape == own->lane_shape && last->lane_shape == own->lane_shape)
        look_ahead(out, step, first, last);
}

/* one of so many parts of it, into the second cache: the first is too small for what these islands need */
static void fetch_ahead(const lane_ahead *ahead, uint32_t part, uint32_t parts)
{
    for (uint32_t i = ahead->count * part / parts; i < ahead->count * (part + 1) / parts; i++) {
        for (size_t at = 0; at < ahead->size[i]; at += LINE)
            __builtin_prefetch(ahead->at[i] + at, 0, 2);
        __builtin_prefetch(ahead->at[i] + ahead->size[i] - 1, 0, 2);
    }
}
