/* Preparation: fills the blocks from the tables of joints. */

/* the table row of a body, from its number in a block */
TR_INLINE uint32_t body_at(const tr2_kernel_context *k, int32_t body)
{
    return k->body_of_row[(uint32_t)body / TR2_ROW];
}

/* the centre of mass, m; places are not set for tiles, whose differences come from the table */
TR_INLINE tr2_body_place place_at(const tr2_kernel_context *k, int32_t body)
{
    if (!k->tiled)
        return k->places[body / TR2_ROW];
    uint32_t row = body_at(k, body);
    return row != TR_NONE ? (tr2_body_place){k->center_x[row], k->center_y[row]} : (tr2_body_place){0.0, 0.0};
}

/* a member of a body's frame */
TR_INLINE float frame_at(const tr2_kernel_context *k, int32_t body, int member)
{
    bool tile = k->tiled && body < TR2_ROW * k->moving_end;
    return *tr2_member(k->frames, (uint32_t)(tr2_frame_row(k, body) / TR2_ROW), member, tile);
}

TR_INLINE double angle_at(const tr2_kernel_context *k, int32_t body)
{
    uint32_t row = body_at(k, body);
    return row != TR_NONE ? k->angle[row] : 0.0;
}

/* the centre of mass in its body's frame */
TR_INLINE tr_vec2 center_at(const tr2_kernel_context *k, int32_t body)
{
    uint32_t row = body_at(k, body);
    tr_vec2 r = {0.0f, 0.0f};
    if (row != TR_NONE && k->local_center_x != NULL && k->local_center_y != NULL)
        r = (tr_vec2){k->local_center_x[row], k->local_center_y[row]};
    return r;
}

TR_INLINE w2 center_lanes(const tr2_kernel_context *k, const int32_t *bodies)
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
TR_INLINE void frame_rows(const tr2_kernel_context *k, const int32_t *bodies, int count, int32_t *out)
{
    for (int i = 0; i < count; i++)
        out[i] = tr2_frame_row(k, bodies[i]);
}

static double wide_field(const tr2_joint_columns *columns, tr2_field field, uint32_t row)
{
    return ((const double *)(const void *)columns->field[field])[row];
}

/* for joints with points in the world: differences with the joint's doubles */
static void hang_lanes(const tr2_kernel_context *k, const tr2_joint_columns *columns, const uint32_t *rows,
                       const int32_t *a, const int32_t *b, setup *s)
{
    float out[4][TR_WIDTH];
    memset(out, 0, sizeof out);
    for (int i = 0; i < TR_WIDTH; i++) {
        if (rows[i] == TR_NONE)
            continue;
        tr2_body_place p = place_at(k, a[i]), q = place_at(k, b[i]);
        out[0][i] = (float)(p.x - wide_field(columns, TR2_FIELD_GROUND_A_X, rows[i]));
        out[1][i] = (float)(p.y - wide_field(columns, TR2_FIELD_GROUND_A_Y, rows[i]));
        out[2][i] = (float)(q.x - wide_field(columns, TR2_FIELD_GROUND_B_X, rows[i]));
        out[3][i] = (float)(q.y - wide_field(columns, TR2_FIELD_GROUND_B_Y, rows[i]));
    }
    s->out_a = (w2){wf_load(out[0]), wf_load(out[1])};
    s->out_b = (w2){wf_load(out[2]), wf_load(out[3])};
}

/* whether relative angles are differences and nothing else */
TR_INLINE bool angles_are_differences(const tr2_joint_columns *columns)
{
    return columns->field[TR2_FIELD_REFERENCE_ANGLE] == NULL && columns->field[TR2_FIELD_RATIO] == NULL &&
           columns->turn == NULL;
}

/* the relative angle of TR_WIDTH lanes, not wrapped */
static wf angle_lanes(const tr2_kernel_context *k, const tr2_joint_columns *columns, const uint32_t *rows,
                      const int32_t *a, const int32_t *b, tr2_fields f, int lane)
{
    float angle[TR_WIDTH];
    bool has_reference = columns->field[TR2_FIELD_REFERENCE_ANGLE] != NULL,
         has_ratio = columns->field[TR2_FIELD_RATIO] != NULL;
    if (angles_are_differences(columns)) {
        for (int i = 0; i < TR_WIDTH; i++)
            angle[i] = (float)(angle_at(k, b[i]) - angle_at(k, a[i]));
        return wf_load(angle);
    }
    for (int i = 0; i < TR_WIDTH; i++) {
        double reference = has_reference ? (double)f[TR2_FIELD_REFERENCE_ANGLE][lane + i] : 0.0;
        double ratio = has_ratio ? (double)f[TR2_FIELD_RATIO][lane + i] : 1.0;
        double turn = rows[i] == TR_NONE || columns->turn == NULL ? 0.0 : columns->turn[rows[i]];
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

TR_INLINE w4 frames_load(const tr2_kernel_context *k, const int32_t *bodies, int lane, uint8_t flags)
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
TR_INLINE const float *gather_frames(const tr2_kernel_context *k, const int32_t *bodies, uint8_t flags, bool tile,
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
static bool gather_tiles(const tr2_kernel_context *k, const tr2_block_bodies *bodies, uint8_t flags, bool reads_angle,
                         ends *out)
{
    uint32_t a = (uint32_t)bodies->a[0] / TR2_ROW, b = (uint32_t)bodies->b[0] / TR2_ROW;
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
static void gather_ends(const tr2_kernel_context *k, const tr2_block_bodies *bodies, uint8_t flags, bool reads_angle,
                        ends *out)
{
    const double *places = &k->places->x;
    out->tiles = gather_tiles(k, bodies, flags, reads_angle, out);
    if (out->tiles)
        return;
    out->a = gather_frames(k, bodies->a, flags, (flags & TR_BLOCK_TILE_A) != 0, out->of_a);
    out->b = gather_frames(k, bodies->b, flags, (flags & TR_BLOCK_TILE_B) != 0, out->of_b);
    for (int lane = 0; lane < TR_LANES && k->tiled; lane++) {
        tr2_body_place from = place_at(k, bodies->a[lane]), to = place_at(k, bodies->b[lane]);
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

/* there is nothing else to gather */
TR_INLINE void gather_tables(const tr2_kernel_context *k, const tr2_block_bodies *bodies, ends *out)
{
    (void)k;
    (void)bodies;
    (void)out;
}

/* the input of TR_WIDTH lanes from `lane` on */
TR_INLINE setup setup_lanes(const tr2_kernel_context *k, const tr2_joint_columns *columns, bool has_anchors,
                            bool reads_angle, const float *on, const uint32_t *rows, const int32_t *a, const int32_t *b,
                            const ends *from, tr2_fields f, int lane)
{
    w4 fa = w4_load_tile(from->a, lane), fb = w4_load_tile(from->b, lane);
    w2 la = {wf_zero(), wf_zero()}, lb = la;
    if (has_anchors) {
        la = (w2){field(f, TR2_FIELD_ANCHOR_A_X, lane), field(f, TR2_FIELD_ANCHOR_A_Y, lane)};
        lb = (w2){field(f, TR2_FIELD_ANCHOR_B_X, lane), field(f, TR2_FIELD_ANCHOR_B_Y, lane)};
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
    if (columns->field[TR2_FIELD_GROUND_A_X] != NULL)
        hang_lanes(k, columns, rows, a, b, &s);
    return s;
}

/* the fields that plain kernels read: those without which the joint is undefined */
#define PLAIN_FIELDS                                                                                                   \
    (TR2_GROUP_ANCHORS | TR2_GROUP_AXIS | TR2_GROUP_REFERENCE | TR2_GROUP_LENGTH | TR2_GROUP_DRIVE | TR2_GROUP_RATIO | \
     TR2_GROUP_GROUND | TR2_GROUP_AXIS_B | TR2_GROUP_MESH)

/* whether a kernel reads the relative angle: not if it is a free coordinate without features */
static bool reads_angle(const tr2_joint_type_info *info, bool featured)
{
    return info->has_angle && (featured || !info->angle_is_free);
}

/* |r . p| over the inertia: compares a point's restoring torque with the inertia (stiffness.c) */
TR_INLINE wf stiff_share(w2 r, w2 p, wf ii)
{
    return wf_abs(r.x * p.x + r.y * p.y) * ii;
}

/* whether the restoring torque in some lane is too stiff for a sub-step */
TR_INLINE bool is_stiff(const tr2_kernel_context *k, const setup *s, const float *impulses)
{
    w2 p = {get(impulses, 0), get(impulses, 1)};
    wf most = wf_set(TR_STIFF_SHARE * k->inv_h);
    return !wm_all(
        wm_and(wf_le(stiff_share(s->ra, p, s->m.ii_a), most), wf_le(stiff_share(s->rb, p, s->m.ii_b), most)));
}

/* in the plane there is one moment of inertia: TR2_MARKS_MOMENTS */
TR_INLINE bool is_even(const setup *s)
{
    (void)s;
    return false;
}

TR_INLINE bool make_axial(const float *base)
{
    (void)base;
    return false;
}

/* nor are blocks kept: TR2_KEEPS_COLUMNS */
TR_INLINE bool is_prepared(const ends *from, const float *on, const float *base)
{
    (void)from;
    (void)on;
    (void)base;
    return false;
}

/* computes the same numbers at the end of the step, with the impulses at its start */
static void stiffness(const tr2_kernel_context *k, const tr2_joint_columns *columns, const tr2_blocks *blocks,
                      uint32_t block, uint32_t impulse_count, float share[2][TR_LANES])
{
    const float *column = tr2_block_columns(blocks, block);
    const uint32_t *rows = blocks->rows + (size_t)block * TR_LANES;
    const tr2_role roles[2] = {TR_ROLE_ROW, TR_ROLE_ROW};
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
