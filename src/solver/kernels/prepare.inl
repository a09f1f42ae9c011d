/* Preparation: fills the blocks from the tables of joints. */

/* the table row of a body, from its number in a block */
TR_INLINE uint32_t body_at(const trn_kernel_context *k, int32_t body)
{
    return k->body_of_row[(uint32_t)body / TRN_ROW];
}

/* the centre of mass, m; places are not set for tiles, whose differences come from the table */
TR_INLINE trn_body_place place_at(const trn_kernel_context *k, int32_t body)
{
    if (!k->tiled)
        return k->places[body / TRN_ROW];
    uint32_t row = body_at(k, body);
    return row != TR_NONE ? (trn_body_place){k->center_x[row], k->center_y[row]} : (trn_body_place){0.0, 0.0};
}

/* a member of a body's frame */
TR_INLINE float frame_at(const trn_kernel_context *k, int32_t body, int member)
{
    bool tile = k->tiled && body < TRN_ROW * k->moving_end;
    return *trn_member(k->frames, (uint32_t)(trn_frame_row(k, body) / TRN_ROW), member, tile);
}

TR_INLINE double angle_at(const trn_kernel_context *k, int32_t body)
{
    uint32_t row = body_at(k, body);
    return row != TR_NONE ? k->angle[row] : 0.0;
}

/* the centre of mass in its body's frame */
TR_INLINE tr_vec2 center_at(const trn_kernel_context *k, int32_t body)
{
    uint32_t row = body_at(k, body);
    tr_vec2 r = {0.0f, 0.0f};
    if (row != TR_NONE && k->local_center_x != NULL && k->local_center_y != NULL)
        r = (tr_vec2){k->local_center_x[row], k->local_center_y[row]};
    return r;
}

TR_INLINE w2 center_lanes(const trn_kernel_context *k, const int32_t *bodies)
{
    float x[TR_WIDTH], y[TR_WIDTH];
    for (int i = 0; i < TR_WIDTH; i++) {
        tr_vec2 center = center_at(k, bodies[i]);
        x[i] = center.x;
        y[i] = center.y;
    }
    return (w2){wf_load(x), wf_load(y)};
}

/* converts a block's body numbers to those of their frames */
TR_INLINE void frame_rows(const trn_kernel_context *k, const int32_t *bodies, int count, int32_t *out)
{
    for (int i = 0; i < count; i++)
        out[i] = trn_frame_row(k, bodies[i]);
}

/* 16 numbers of a column, in `out` unless they are consecutive; 0 for lanes without a joint */
TR_INLINE const float *gather_column(const float *column, const uint32_t *rows, bool contiguous, float *out)
{
    if (contiguous)
        return column + rows[0];
    for (int lane = 0; lane < TR_LANES; lane++)
        out[lane] = rows[lane] == TR_NONE ? 0.0f : column[rows[lane]];
    return out;
}

/* what a kernel reads of its joints' table: of each field 16 numbers, where they are in the table, or here */
typedef struct inputs {
    const float *field[TRN_FIELD_COUNT + TR_MAX_OWN];
    float lanes[TRN_FIELD_COUNT + TR_MAX_OWN][TR_LANES];
} inputs;

/* a field that a kernel reads and that differs between joints */
typedef struct listed_field {
    const float *column;
    uint32_t field;
    bool whole; /* stored as integers, to be converted to floats */
} listed_field;

/* these fields, listed once for all blocks */
typedef struct field_list {
    uint32_t count;
    listed_field of[TRN_FIELD_COUNT];
} field_list;

/* fills all lanes with one number, given as the bits of a column's cell */
static void fill_lanes(float *lanes, uint32_t bits, bool whole)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    for (int lane = 0; lane < TR_LANES; lane++)
        lanes[lane] = whole ? (float)bits : value;
}

static void list_fields(field_list *list, const trn_joint_columns *columns, uint64_t mask, inputs *in)
{
    list->count = 0;
    for (uint64_t left = mask; left != 0; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        trn_field_kind kind = trn_field_infos[i].kind;
        /* a double is read by hang_lanes(), because only differences of doubles fit in a float */
        if (kind == TR_KIND_DOUBLE)
            continue;
        bool whole = kind == TR_KIND_BOOL || kind == TR_KIND_KIND;
        if (columns->field[i] == NULL) {
            fill_lanes(in->lanes[i], columns->preset[i], whole);
            in->field[i] = in->lanes[i];
            continue;
        }
        list->of[list->count++] = (listed_field){columns->field[i], i, whole};
    }
}

/* converts 16 small integers of a column to floats in `out`; those with a sign take one instruction everywhere */
static const float *whole_lanes(const float *from, float *out)
{
    for (int lane = 0; lane < TR_LANES; lane++) {
        int32_t whole;
        memcpy(&whole, &from[lane], sizeof whole);
        out[lane] = (float)whole;
    }
    return out;
}

static void gather_fields(const field_list *list, const uint32_t *rows, bool contiguous, inputs *in)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const listed_field *it = &list->of[i];
        in->field[it->field] = gather_column(it->column, rows, contiguous, in->lanes[it->field]);
        if (it->whole)
            in->field[it->field] = whole_lanes(in->field[it->field], in->lanes[it->field]);
    }
}

/* loads impulses into the block's first columns; -0 becomes +0, because some widths skip rows that are off */
static void gather_impulses(const trn_kernel_context *k, const trn_joint_columns *columns, uint32_t impulse_count,
                            const trn_role *roles, const uint32_t *rows, bool contiguous, float *impulses)
{
    for (uint32_t i = 0; i < impulse_count; i++) {
        float *out = impulses + i * TR_LANES;
        const float *from = gather_column(columns->impulse[i], rows, contiguous, out);
        wf factor = wf_set(roles[i] == TR_ROLE_ROW ? k->row_factor : k->impulse_factor);
        for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
            wf p = wf_load(from + lane);
            if (roles[i] != TR_ROLE_PLACE)
                p = p * factor + wf_zero();
            wf_store(out + lane, p);
        }
    }
}

/* finds the lanes with a joint that acts; returns true if all have one */
static bool gather_enabled(const trn_joint_columns *columns, const uint32_t *rows, bool contiguous, float *on)
{
    if (contiguous && trn_joints_act(columns->flags, rows[0]))
        return true;
    for (int lane = 0; lane < TR_LANES; lane++)
        on[lane] = rows[lane] != TR_NONE && trn_joint_acts(columns->flags, rows[lane]) ? 1.0f : 0.0f;
    return false;
}

static double wide_field(const trn_joint_columns *columns, trn_field field, uint32_t row)
{
    return ((const double *)(const void *)columns->field[field])[row];
}

/* for joints with points in the world: differences with the joint's doubles */
static void hang_lanes(const trn_kernel_context *k, const trn_joint_columns *columns, const uint32_t *rows,
                       const int32_t *a, const int32_t *b, setup *s)
{
    float out[4][TR_WIDTH];
    memset(out, 0, sizeof out);
    for (int i = 0; i < TR_WIDTH; i++) {
        if (rows[i] == TR_NONE)
            continue;
        trn_body_place p = place_at(k, a[i]), q = place_at(k, b[i]);
        out[0][i] = (float)(p.x - wide_field(columns, TRN_FIELD_GROUND_A_X, rows[i]));
        out[1][i] = (float)(p.y - wide_field(columns, TRN_FIELD_GROUND_A_Y, rows[i]));
        out[2][i] = (float)(q.x - wide_field(columns, TRN_FIELD_GROUND_B_X, rows[i]));
        out[3][i] = (float)(q.y - wide_field(columns, TRN_FIELD_GROUND_B_Y, rows[i]));
    }
    s->out_a = (w2){wf_load(out[0]), wf_load(out[1])};
    s->out_b = (w2){wf_load(out[2]), wf_load(out[3])};
}

/* whether relative angles are differences and nothing else */
TR_INLINE bool angles_are_differences(const trn_joint_columns *columns)
{
    return columns->field[TRN_FIELD_REFERENCE_ANGLE] == NULL && columns->field[TRN_FIELD_RATIO] == NULL &&
           columns->turn == NULL;
}

/* the relative angle of TR_WIDTH lanes, not wrapped */
static wf angle_lanes(const trn_kernel_context *k, const trn_joint_columns *columns, const uint32_t *rows,
                      const int32_t *a, const int32_t *b, trn_fields f, int lane)
{
    float angle[TR_WIDTH];
    bool has_reference = columns->field[TRN_FIELD_REFERENCE_ANGLE] != NULL,
         has_ratio = columns->field[TRN_FIELD_RATIO] != NULL;
    if (angles_are_differences(columns)) {
        for (int i = 0; i < TR_WIDTH; i++)
            angle[i] = (float)(angle_at(k, b[i]) - angle_at(k, a[i]));
        return wf_load(angle);
    }
    for (int i = 0; i < TR_WIDTH; i++) {
        double reference = has_reference ? (double)f[TRN_FIELD_REFERENCE_ANGLE][lane + i] : 0.0;
        double ratio = has_ratio ? (double)f[TRN_FIELD_RATIO][lane + i] : 1.0;
        double turn = rows[i] == TR_NONE || columns->turn == NULL ? 0.0 : (double)columns->turn[rows[i]];
        double on_a = angle_at(k, a[i]), on_b = angle_at(k, b[i]);
        angle[i] = (float)(((on_b - ratio * on_a) - turn * TR_TURN) - reference);
    }
    return wf_load(angle);
}

/* State of the bodies of a block's lanes at the start of the step: frames of A and B, in tiles of their own or here,
   B's centre minus A's, and B's angle minus A's if both are tiles. */
typedef struct ends {
    const float *a, *b;
    float of_a[4 * TR_LANES], of_b[4 * TR_LANES], d[2][TR_LANES], angle[TR_LANES];
    bool tiles;
} ends;

TR_INLINE w4 frames_load(const trn_kernel_context *k, const int32_t *bodies, int lane, uint8_t flags)
{
    const float *frames = (const float *)k->frames;
    if ((flags & TR_BLOCK_APART) != 0) {
        int32_t at[TR_WIDTH];
        frame_rows(k, bodies + lane, TR_WIDTH, at);
        return w4_load_rows(frames, at, 1);
    }
    return (flags & TR_BLOCK_RUN) != 0 ? w4_load_groups(frames, bodies, lane) : w4_load_rows(frames, bodies + lane, 1);
}

/* the frames of one end as a tile, which is `out` unless they are one already */
TR_INLINE const float *gather_frames(const trn_kernel_context *k, const int32_t *bodies, uint8_t flags, bool tile,
                                     float *out)
{
    if (k->tiled && tile)
        return (const float *)k->frames + bodies[0];
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH)
        w4_store_tile(out, lane, frames_load(k, bodies, lane, flags));
    return out;
}

/* b - a of a column of the table, for 16 lanes in the order of a run; restrict allows vectorisation */
static void column_difference(const double *restrict a, const double *restrict b, float *restrict out)
{
    float d[TR_LANES];
    TR_TILE_LOOP
    for (int i = 0; i < TR_LANES; i++)
        d[i] = (float)(b[i] - a[i]);
    w16_store(out, w16_turn(w16_load(d)));
}

/* The ends of a run in a tiled unit, if prepare_bodies() has prepared both tiles: then they are consecutive in the
   table, too. Else false. */
static bool gather_tiles(const trn_kernel_context *k, const trn_block_bodies *bodies, uint8_t flags, bool reads_angle,
                         ends *out)
{
    uint32_t a = (uint32_t)bodies->a[0] / TRN_ROW, b = (uint32_t)bodies->b[0] / TRN_ROW;
    if (!k->tiled || (flags & TR_BLOCK_RUN) == 0 || (k->marks[a] & k->marks[b] & TR_MARK_TILE) == 0)
        return false;
    out->a = (const float *)(k->frames + a);
    out->b = (const float *)(k->frames + b);
    a = k->body_of_row[a];
    b = k->body_of_row[b];
    column_difference(k->center_x + a, k->center_x + b, out->d[0]);
    column_difference(k->center_y + a, k->center_y + b, out->d[1]);
    if (reads_angle)
        column_difference(k->angle + a, k->angle + b, out->angle);
    return true;
}

/* differences of positions are computed in double and stored as floats; one function for all joints */
static void gather_ends(const trn_kernel_context *k, const trn_block_bodies *bodies, uint8_t flags, bool reads_angle,
                        ends *out)
{
    const double *places = &k->places->x;
    out->tiles = gather_tiles(k, bodies, flags, reads_angle, out);
    if (out->tiles)
        return;
    out->a = gather_frames(k, bodies->a, flags, (flags & TR_BLOCK_TILE_A) != 0, out->of_a);
    out->b = gather_frames(k, bodies->b, flags, (flags & TR_BLOCK_TILE_B) != 0, out->of_b);
    for (int lane = 0; lane < TR_LANES && k->tiled; lane++) {
        trn_body_place from = place_at(k, bodies->a[lane]), to = place_at(k, bodies->b[lane]);
        out->d[0][lane] = (float)(to.x - from.x);
        out->d[1][lane] = (float)(to.y - from.y);
    }
    for (int lane = 0; lane < TR_LANES && !k->tiled; lane += TR_WIDTH) {
        wf x, y;
        if ((flags & TR_BLOCK_RUN) != 0)
            wf_difference_groups(places, bodies->a, bodies->b, lane, &x, &y);
        else
            wf_difference_rows(places, bodies->a + lane, bodies->b + lane, &x, &y);
        wf_store(&out->d[0][lane], x);
        wf_store(&out->d[1][lane], y);
    }
}

/* the input of TR_WIDTH lanes from `lane` on */
TR_INLINE setup setup_lanes(const trn_kernel_context *k, const trn_joint_columns *columns, bool has_anchors,
                            bool reads_angle, const float *on, const uint32_t *rows, const int32_t *a, const int32_t *b,
                            const ends *from, trn_fields f, int lane)
{
    w4 fa = w4_load_tile(from->a, lane), fb = w4_load_tile(from->b, lane);
    w2 la = {wf_zero(), wf_zero()}, lb = la;
    if (has_anchors) {
        la = (w2){field(f, TRN_FIELD_ANCHOR_A_X, lane), field(f, TRN_FIELD_ANCHOR_A_Y, lane)};
        lb = (w2){field(f, TRN_FIELD_ANCHOR_B_X, lane), field(f, TRN_FIELD_ANCHOR_B_Y, lane)};
        if (!k->centered) {
            w2 ca = center_lanes(k, a), cb = center_lanes(k, b);
            la = (w2){la.x - ca.x, la.y - ca.y};
            lb = (w2){lb.x - cb.x, lb.y - cb.y};
        }
    }
    setup s;
    s.ra = rotate(fa.x, fa.y, la);
    s.rb = rotate(fb.x, fb.y, lb);
    s.d = (w2){wf_load(&from->d[0][lane]), wf_load(&from->d[1][lane])};
    s.c_a = fa.x;
    s.s_a = fa.y;
    s.c_b = fb.x;
    s.s_b = fb.y;
    s.angle = wf_zero();
    if (reads_angle && from->tiles && angles_are_differences(columns))
        s.angle = wf_load(&from->angle[lane]);
    else if (reads_angle)
        s.angle = angle_lanes(k, columns, rows, a, b, f, lane);
    s.m = (masses){fa.z, fa.w, fb.z, fb.w};
    if (on != NULL) {
        /* a disabled joint gets no mass, so it moves nothing */
        wf enabled = wf_load(on + lane);
        s.m = (masses){enabled * fa.z, enabled * fa.w, enabled * fb.z, enabled * fb.w};
    }
    s.row_a = a;
    s.row_b = b;
    s.out_a = s.out_b = (w2){wf_zero(), wf_zero()};
    s.columns = columns;
    s.rows = rows;
    s.on = on != NULL ? on + lane : NULL;
    if (columns->field[TRN_FIELD_GROUND_A_X] != NULL)
        hang_lanes(k, columns, rows, a, b, &s);
    return s;
}

/* the fields that plain kernels read: those without which the joint is undefined */
#define PLAIN_FIELDS                                                                                                   \
    (TRN_GROUP_ANCHORS | TRN_GROUP_AXIS | TRN_GROUP_REFERENCE | TRN_GROUP_LENGTH | TRN_GROUP_DRIVE | TRN_GROUP_RATIO | \
     TRN_GROUP_GROUND | TRN_GROUP_AXIS_B | TRN_GROUP_MESH)

/* whether a kernel reads the relative angle: not if it is a free coordinate without features */
static bool reads_angle(const trn_joint_type_info *info, bool featured)
{
    return info->has_angle && (featured || !info->angle_is_free);
}

/* Prefetches the input of the block after the next, and that block. These are more columns than the hardware
   prefetcher follows. */
#define PREPARED_AHEAD 2u

/* `column_count`: of the block */
TR_INLINE void prefetch_columns(const trn_joint_columns *columns, const field_list *list, uint32_t impulse_count,
                                uint32_t column_count, const trn_blocks *blocks, uint32_t index)
{
    const uint32_t row = blocks->rows[(size_t)index * TR_LANES];
    const unsigned char *block = (const unsigned char *)trn_block_ends(blocks, index);
    if (row == TR_NONE)
        return;
    for (uint32_t i = 0; i < list->count; i++)
        __builtin_prefetch(list->of[i].column + row);
    for (uint32_t i = 0; i < impulse_count; i++)
        __builtin_prefetch(columns->impulse[i] + row);
    for (size_t line = 0; line < sizeof(trn_block_bodies) + column_count * TR_LANES * sizeof(float);
         line += TR_ALIGNMENT)
        __builtin_prefetch(block + line, 1);
}

/* |r . p| over the inertia: compares a point's restoring torque with the inertia (stiffness.c) */
TR_INLINE wf stiff_share(w2 r, w2 p, wf ii)
{
    return wf_abs(r.x * p.x + r.y * p.y) * ii;
}

/* whether the restoring torque in some lane is too stiff for a sub-step */
TR_INLINE bool is_stiff(const trn_kernel_context *k, const setup *s, const float *impulses)
{
    w2 p = {get(impulses, 0), get(impulses, 1)};
    wf most = wf_set(TR_STIFF_SHARE * k->inv_h);
    return !wm_all(
        wm_and(wf_le(stiff_share(s->ra, p, s->m.ii_a), most), wf_le(stiff_share(s->rb, p, s->m.ii_b), most)));
}

/* computes the same numbers at the end of the step, with the impulses at its start */
static void stiffness(const trn_kernel_context *k, const trn_joint_columns *columns, const trn_blocks *blocks,
                      uint32_t block, uint32_t impulse_count, float share[2][TR_LANES])
{
    const float *column = trn_block_columns(blocks, block);
    const uint32_t *rows = blocks->rows + (size_t)block * TR_LANES;
    const trn_role roles[2] = {TR_ROLE_ROW, TR_ROLE_ROW};
    float impulses[2 * TR_LANES];
    gather_impulses(k, columns, 2, roles, rows, (blocks->flags[block] & TR_BLOCK_CONTIGUOUS) != 0, impulses);
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        const float *c = column + TR_LANES * impulse_count + lane;
        masses m = masses_get(c, 0);
        w2 p = {get(impulses + lane, 0), get(impulses + lane, 1)};
        w2 ra = {get(c, BASE_RA_X), get(c, BASE_RA_Y)}, rb = {get(c, BASE_RB_X), get(c, BASE_RB_Y)};
        wf_store(&share[0][lane], stiff_share(ra, p, m.ii_a));
        wf_store(&share[1][lane], stiff_share(rb, p, m.ii_b));
    }
}

#define DEFINE_PREPARE(name, variant, featured, impulse_count_)                                                        \
    static void name##_##variant##_prepare(const trn_kernel_context *k, const trn_joint_columns *columns,              \
                                           const trn_blocks *blocks, uint32_t first, uint32_t count)                   \
    {                                                                                                                  \
        inputs in;                                                                                                     \
        float on[TR_LANES];                                                                                            \
        const trn_joint_type_info *info = trn_joint_types[name##_type];                                                \
        field_list list;                                                                                               \
        list_fields(&list, columns, info->fields &((featured) ? ~(uint64_t)0 : PLAIN_FIELDS | info->plain_fields),     \
                    &in);                                                                                              \
        const bool has_anchors = columns->field[TRN_FIELD_ANCHOR_A_X] != NULL, angles = reads_angle(info, featured);   \
        const bool point = info->tie == TR_TIE_POINT;                                                                 \
        for (uint32_t i = first; i < first + count; i++) {                                                             \
            const trn_block_bodies *bodies = trn_block_ends(blocks, i);                                                \
            float *columns_of_block = trn_block_columns(blocks, i);                                                    \
            const uint32_t *rows = blocks->rows + (size_t)i * TR_LANES;                                                \
            bool contiguous = (blocks->flags[i] & TR_BLOCK_CONTIGUOUS) != 0;                                          \
            if (i + PREPARED_AHEAD < first + count)                                                                    \
                prefetch_columns(columns, &list, impulse_count_, name##_##variant##_columns, blocks,                   \
                                 i + PREPARED_AHEAD);                                                                  \
            gather_fields(&list, rows, contiguous, &in);                                                               \
            for (uint32_t own = 0; own < info->own_read[(featured) ? 1 : 0]; own++)                                    \
                in.field[TRN_FIELD_COUNT + own] =                                                                      \
                    gather_column(columns->own[own], rows, contiguous, in.lanes[TRN_FIELD_COUNT + own]);               \
            gather_impulses(k, columns, impulse_count_, info->impulse_roles, rows, contiguous, columns_of_block);      \
            const float *enabled = gather_enabled(columns, rows, contiguous, on) ? NULL : on;                          \
            ends from;                                                                                                 \
            gather_ends(k, bodies, blocks->flags[i], angles, &from);                                                   \
            bool stiff = false;                                                                                        \
            for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {                                                    \
                setup s = setup_lanes(k, columns, has_anchors, angles, enabled, rows + lane, bodies->a + lane,         \
                                      bodies->b + lane, &from, in.field, lane);                                        \
                name##_prepare(k, featured, in.field, lane, &s, columns_of_block + lane);                              \
                stiff = stiff || (point && is_stiff(k, &s, columns_of_block + lane));                                  \
            }                                                                                                          \
            if (stiff)                                                                                                 \
                blocks->flags[i] |= TR_BLOCK_STIFF;                                                                   \
        }                                                                                                              \
    }
