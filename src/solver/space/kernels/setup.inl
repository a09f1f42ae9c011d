/* The input of joints in space: masses and places of their bodies as the step begins, and anchors. */

/* what of a block's bodies is in their table, lane by lane: principal axes in the body's frame, centres of mass */
typedef struct table_ends {
    float f[4][TR_LANES], center[3][TR_LANES];
} table_ends;

/* State of the bodies of a block's lanes at the start of the step: inverse masses and principal moments of A and B, in
   tiles of their own or here, and B's centre minus A's. */
typedef struct ends {
    const float *a, *b;
    float of_a[4 * TR_LANES], of_b[4 * TR_LANES];
    float d[3][TR_LANES];
    bool tilted, off_center; /* then what follows is set, by gather_tables() */
    table_ends in_a, in_b;
} ends;

static void gather_columns(const tr3_kernel_context *k, const int32_t *bodies, table_ends *out)
{
    const float *const frame[4] = {k->frame_x, k->frame_y, k->frame_z, k->frame_w};
    const float *const center[3] = {k->local_center_x, k->local_center_y, k->local_center_z};
    for (int lane = 0; lane < TR_LANES; lane++) {
        uint32_t row = k->body_of_row[tr3_row_at(bodies[lane])];
        for (int i = 0; i < 4; i++)
            out->f[i][lane] = row != TR_NONE && frame[i] != NULL ? frame[i][row] : i == 3 ? 1.0f : 0.0f;
        for (int i = 0; i < 3; i++)
            out->center[i][lane] = row != TR_NONE && center[i] != NULL ? center[i][row] : 0.0f;
    }
}

/* the first part of the frames of TR_WIDTH lanes */
TR_INLINE w4 inverses_load(const tr3_kernel_context *k, const int32_t *bodies, int lane, tr3_block_flags flags)
{
    const float *frames = (const float *)k->frames;
    if ((flags & TR_BLOCK_APART) != 0) {
        int32_t at[TR_WIDTH];
        for (int i = 0; i < TR_WIDTH; i++)
            at[i] = tr3_frame_row(k, bodies[lane + i]);
        return w4_load_rows(frames, at, 1);
    }
    return (flags & TR_BLOCK_RUN) != 0 ? w4_load_groups(frames, bodies, lane) : w4_load_rows(frames, bodies + lane, 1);
}

/* those of one end as a tile, which is `out` unless they are one already */
TR_INLINE const float *gather_inverses(const tr3_kernel_context *k, const int32_t *bodies, tr3_block_flags flags,
                                       bool tile, float *out)
{
    if (k->tiled && tile)
        return (const float *)k->frames + bodies[0];
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH)
        w4_store_tile(out, lane, inverses_load(k, bodies, lane, flags));
    return out;
}

/* differences of positions are computed in double and stored as floats; one function for all joints */
static void gather_ends(const tr3_kernel_context *k, const tr3_block_bodies *bodies, tr3_block_flags flags,
                        bool reads_angle, ends *out)
{
    (void)reads_angle;
    out->a = gather_inverses(k, bodies->a, flags, (flags & TR_BLOCK_TILE_A) != 0, out->of_a);
    out->b = gather_inverses(k, bodies->b, flags, (flags & TR_BLOCK_TILE_B) != 0, out->of_b);
    const double *places = (const double *)(const void *)k->places;
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        wf x, y, z, none;
        if ((flags & TR_BLOCK_RUN) != 0) {
            wf_difference_groups(places, bodies->a, bodies->b, lane, &x, &y);
            wf_difference_groups(places + TR3_PART / 2, bodies->a, bodies->b, lane, &z, &none);
        } else {
            wf_difference_rows(places, bodies->a + lane, bodies->b + lane, &x, &y);
            wf_difference_rows(places + TR3_PART / 2, bodies->a + lane, bodies->b + lane, &z, &none);
        }
        wf_store(&out->d[0][lane], x);
        wf_store(&out->d[1][lane], y);
        wf_store(&out->d[2][lane], z);
    }
    out->tilted = k->frame_x != NULL;
    out->off_center = !k->centered;
}

/* the rest, which blocks that are kept do not need */
static void gather_tables(const tr3_kernel_context *k, const tr3_block_bodies *bodies, ends *out)
{
    if (!out->tilted && !out->off_center)
        return;
    gather_columns(k, bodies->a, &out->in_a);
    gather_columns(k, bodies->b, &out->in_b);
}

TR_INLINE w3 lanes3(const float c[3][TR_LANES], int lane)
{
    return (w3){wf_load(&c[0][lane]), wf_load(&c[1][lane]), wf_load(&c[2][lane])};
}

TR_INLINE w4 lanes4(const float c[4][TR_LANES], int lane)
{
    return (w4){wf_load(&c[0][lane]), wf_load(&c[1][lane]), wf_load(&c[2][lane]), wf_load(&c[3][lane])};
}

TR_INLINE w3 field3(tr3_fields f, int first, int lane)
{
    return (w3){field(f, first, lane), field(f, first + 1, lane), field(f, first + 2, lane)};
}

TR_INLINE w4 field4(tr3_fields f, int first, int lane)
{
    return (w4){field(f, first, lane), field(f, first + 1, lane), field(f, first + 2, lane), field(f, first + 3, lane)};
}

/* From a body's frame to its principal axes. Without any rotation the bits are the same as with one of none. */
TR_INLINE w3 from_frame(const setup *s, w4 frame, w3 v)
{
    if (s->tilted)
        v = rotated(turn_back(frame), v);
    return add(v, w3_zero());
}

/* the input of TR_WIDTH lanes from `lane` on */
TR_INLINE setup setup_lanes(const tr3_kernel_context *k, const tr3_joint_columns *columns, bool has_anchors,
                            bool reads_angle, const float *on, const uint32_t *rows, const int32_t *a, const int32_t *b,
                            const ends *from, tr3_fields f, int lane)
{
    (void)k;
    (void)reads_angle;
    const w4 none = {wf_zero(), wf_zero(), wf_zero(), wf_set(1.0f)};
    w4 of_a = w4_load_tile(from->a, lane), of_b = w4_load_tile(from->b, lane);
    setup s;
    s.columns = columns;
    s.rows = rows;
    s.row_a = a;
    s.row_b = b;
    s.on = on != NULL ? on + lane : NULL;
    s.tilted = from->tilted;
    s.fa = from->tilted ? lanes4(from->in_a.f, lane) : none;
    s.fb = from->tilted ? lanes4(from->in_b.f, lane) : none;
    s.d = lanes3(from->d, lane);
    s.la = s.lb = w3_zero();
    if (has_anchors) {
        w3 la = field3(f, TR3_FIELD_ANCHOR_A_X, lane), lb = field3(f, TR3_FIELD_ANCHOR_B_X, lane);
        if (from->off_center) {
            la = minus(la, lanes3(from->in_a.center, lane));
            lb = minus(lb, lanes3(from->in_b.center, lane));
        }
        s.la = from_frame(&s, s.fa, la);
        s.lb = from_frame(&s, s.fb, lb);
    }
    /* a joint that does not act gets no mass, so it moves nothing */
    wf acts = on != NULL ? wf_load(on + lane) : wf_set(1.0f);
    memset(&s.m, 0, sizeof s.m);
    s.m.im_a = acts * of_a.x;
    s.m.im_b = acts * of_b.x;
    s.ii_a = times(acts, (w3){of_a.y, of_a.z, of_a.w});
    s.ii_b = times(acts, (w3){of_b.y, of_b.z, of_b.w});
    return s;
}

/* B's principal axes seen from A's at the joint's reference */
TR_INLINE w4 relation_of(const setup *s, tr3_fields f, int lane)
{
    return turn_after(turn_after(turn_back(s->fa), field4(f, TR3_FIELD_REFERENCE_X, lane)), s->fb);
}

/* A's axis in A's principal axes */
TR_INLINE w3 axis_of(const setup *s, tr3_fields f, int lane)
{
    return from_frame(s, s->fa, field3(f, TR3_FIELD_AXIS_X, lane));
}

/* a direction across it, likewise */
TR_INLINE w3 across_of(const setup *s, tr3_fields f, int lane)
{
    return from_frame(s, s->fa, axis_across(field3(f, TR3_FIELD_AXIS_X, lane)));
}

TR_INLINE void put4(float *c, int first, w4 v)
{
    put(c, first, v.x);
    put(c, first + 1, v.y);
    put(c, first + 2, v.z);
    put(c, first + 3, v.w);
}

TR_INLINE w4 get4(const float *c, int first)
{
    return (w4){get(c, first), get(c, first + 1), get(c, first + 2), get(c, first + 3)};
}

/* the fields that plain kernels read: those without which the joint is undefined */
#define PLAIN_FIELDS (TR3_GROUP_ANCHORS | TR3_GROUP_AXIS | TR3_GROUP_AXIS_2 | TR3_GROUP_REFERENCE | TR3_GROUP_LENGTH)

static bool reads_angle(const tr3_joint_type_info *info, bool featured)
{
    (void)info;
    (void)featured;
    return false;
}

/* restoring torques are not counted in space */
TR_INLINE bool is_stiff(const tr3_kernel_context *k, const setup *s, const float *impulses)
{
    (void)k;
    (void)s;
    (void)impulses;
    return false;
}

/* whether the principal moments of each body are equal */
TR_INLINE bool is_even(const setup *s)
{
    wm a = wm_and(wf_eq(s->ii_a.x, s->ii_a.y), wf_eq(s->ii_a.x, s->ii_a.z));
    wm b = wm_and(wf_eq(s->ii_b.x, s->ii_b.y), wf_eq(s->ii_b.x, s->ii_b.z));
    return wm_all(wm_and(a, b));
}

/* Whether the inverse masses and moments in a block are those of its bodies now; then stores where these are. */
TR_INLINE bool is_prepared(const ends *from, const float *on, float *base)
{
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        const wf acts = on != NULL ? wf_load(on + lane) : wf_set(1.0f);
        const w4 a = w4_load_tile(from->a, lane), b = w4_load_tile(from->b, lane);
        const float *c = base + lane;
        const w3 ii_a = get3(c, BASE_II_A), ii_b = get3(c, BASE_II_B);
        const wm linear = wm_and(wf_eq(acts * a.x, get(c, BASE_IM_A)), wf_eq(acts * b.x, get(c, BASE_IM_B)));
        const wm of_a = wm_and(wm_and(wf_eq(acts * a.y, ii_a.x), wf_eq(acts * a.z, ii_a.y)), wf_eq(acts * a.w, ii_a.z));
        const wm of_b = wm_and(wm_and(wf_eq(acts * b.y, ii_b.x), wf_eq(acts * b.z, ii_b.y)), wf_eq(acts * b.w, ii_b.z));
        if (!wm_all(wm_and(linear, wm_and(of_a, of_b))))
            return false;
    }
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH)
        put3(base + lane, BASE_D, lanes3(from->d, lane));
    return true;
}

/*
 * A body is axial if two principal moments are equal and the anchor r is on the axis of the third. Its inverse inertia
 * is i 1 + beside r r^T, so a force at the anchor turns it as if it were the number i. Bodies with three equal moments
 * are so with any anchor, and beside = 0.
 */
typedef struct axial_moments {
    wf equal;  /* i */
    wf beside; /* 1/(kg m^4) */
} axial_moments;

/* of which two, or three, are equal */
TR_INLINE axial_moments axial_moments_of(w3 ii, w3 anchor)
{
    const wf least = wf_min(wf_min(ii.x, ii.y), ii.z), most = wf_max(wf_max(ii.x, ii.y), ii.z);
    const wf equal = wf_max(wf_min(ii.x, ii.y), wf_min(wf_max(ii.x, ii.y), ii.z));
    /* one of the two differences is 0 */
    return (axial_moments){equal, ((most - equal) + (least - equal)) * wf_inverse_or_zero(dot(anchor, anchor))};
}

/* An axis that differs by less than this from the direction to the anchor is the same. */
#define AXIS_SLACK 1e-6f
/* Anchors nearer to the centre than this, in m, or further away, are not taken for a direction. */
#define AXIS_LEAST 1e-4f
#define AXIS_MOST  1e10f

TR_INLINE wm is_axial_body(w3 ii, w3 anchor)
{
    const wm xy = wf_eq(ii.x, ii.y), yz = wf_eq(ii.y, ii.z), zx = wf_eq(ii.z, ii.x);
    const wf x = anchor.x * anchor.x, y = anchor.y * anchor.y, z = anchor.z * anchor.z, all = (x + y) + z;
    const wf off = wf_select(yz, y + z, wf_select(zx, z + x, x + y));
    const wm near = wf_le(all, wf_set(AXIS_MOST * AXIS_MOST)), far = wf_le(wf_set(AXIS_LEAST * AXIS_LEAST), all);
    const wm along = wm_and(wf_le(off, wf_set(AXIS_SLACK * AXIS_SLACK) * all), wm_and(near, far));
    return wm_or(wm_and(xy, yz), wm_and(wm_or(wm_or(xy, yz), zx), along));
}

/* Whether all bodies of a block are axial; then its base columns become those that axial bodies have. */
static bool make_axial(float *base)
{
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        const wm a = is_axial_body(get3(base + lane, BASE_II_A), get3(base + lane, BASE_LA));
        const wm b = is_axial_body(get3(base + lane, BASE_II_B), get3(base + lane, BASE_LB));
        if (!wm_all(wm_and(a, b)))
            return false;
    }
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        float *c = base + lane;
        const axial_moments a = axial_moments_of(get3(c, BASE_II_A), get3(c, BASE_LA));
        const axial_moments b = axial_moments_of(get3(c, BASE_II_B), get3(c, BASE_LB));
        put(c, BASE_II_A, a.equal);
        put(c, AXIAL_BESIDE, a.beside);
        put(c, BASE_II_B, b.equal);
    }
    return true;
}
