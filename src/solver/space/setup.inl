/* The input of joints in space: poses of their bodies as the step begins, and anchors. */

/* the table row of a body, from its number in a block */
TR_INLINE uint32_t body_at(const tr3_kernel_context *k, int32_t body)
{
    return k->body_of_row[tr3_row_at(body)];
}

/* poses as the step begins: their frames (space.h). Tiles have the same numbers in another order. */
TR_INLINE float frame_at(const tr3_kernel_context *k, int32_t body, int part, int member)
{
    const float *frames = (const float *)k->frames + TR3_PART * part;
    if (k->tiled && body < tr3_row_offset((uint32_t)k->moving_end)) {
        uint32_t row = tr3_row_at(body);
        return frames[tr3_row_offset(row - row % TR_LANES) + TR_LANES * member + (int)TR_RUN_PLACE(row % TR_LANES)];
    }
    return frames[tr3_frame_row(k, body) + member];
}

/* one body's numbers, lane by lane */
typedef struct ends_of_body {
    float q[4][TR_LANES], f[4][TR_LANES], ii[3][TR_LANES], center[3][TR_LANES], im[TR_LANES];
} ends_of_body;

/* State of the bodies of a block's lanes at the start of the step, and B's centre minus A's. */
typedef struct ends {
    ends_of_body a, b;
    float d[3][TR_LANES];
} ends;

static void gather_body(const tr3_kernel_context *k, const int32_t *bodies, ends_of_body *out)
{
    for (int lane = 0; lane < TR_LANES; lane++) {
        uint32_t row = body_at(k, bodies[lane]);
        for (int i = 0; i < 4; i++)
            out->q[i][lane] = frame_at(k, bodies[lane], 1, i);
        const tr3_inverse *inverse = tr3_inverse_at(k->places, bodies[lane]);
        out->im[lane] = inverse->mass;
        for (int i = 0; i < 3; i++)
            out->ii[i][lane] = inverse->inertia[i];
        const float *const frame[4] = {k->frame_x, k->frame_y, k->frame_z, k->frame_w};
        for (int i = 0; i < 4; i++)
            out->f[i][lane] = row != TR_NONE && frame[i] != NULL ? frame[i][row] : i == 3 ? 1.0f : 0.0f;
        const float *const center[3] = {k->local_center_x, k->local_center_y, k->local_center_z};
        for (int i = 0; i < 3; i++)
            out->center[i][lane] = row != TR_NONE && center[i] != NULL ? center[i][row] : 0.0f;
    }
}

/* differences of positions are computed in double and stored as floats; one function for all joints */
static void gather_ends(const tr3_kernel_context *k, const tr3_block_bodies *bodies, uint8_t flags, bool reads_angle,
                        ends *out)
{
    (void)flags;
    (void)reads_angle;
    gather_body(k, bodies->a, &out->a);
    gather_body(k, bodies->b, &out->b);
    const double *const center[3] = {k->center_x, k->center_y, k->center_z};
    for (int lane = 0; lane < TR_LANES; lane++) {
        uint32_t a = body_at(k, bodies->a[lane]), b = body_at(k, bodies->b[lane]);
        for (int i = 0; i < 3; i++)
            out->d[i][lane] = a != TR_NONE && b != TR_NONE ? (float)(center[i][b] - center[i][a]) : 0.0f;
    }
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

/* the input of TR_WIDTH lanes from `lane` on */
TR_INLINE setup setup_lanes(const tr3_kernel_context *k, const tr3_joint_columns *columns, bool has_anchors,
                            bool reads_angle, const float *on, const uint32_t *rows, const int32_t *a, const int32_t *b,
                            const ends *from, tr3_fields f, int lane)
{
    (void)k;
    (void)columns;
    (void)reads_angle;
    (void)rows;
    (void)a;
    (void)b;
    setup s;
    s.qa = lanes4(from->a.q, lane);
    s.qb = lanes4(from->b.q, lane);
    s.fa = lanes4(from->a.f, lane);
    s.fb = lanes4(from->b.f, lane);
    s.d = lanes3(from->d, lane);
    s.la = s.lb = w3_zero();
    if (has_anchors) {
        s.la = rotated(turn_back(s.fa), minus(field3(f, TR3_FIELD_ANCHOR_A_X, lane), lanes3(from->a.center, lane)));
        s.lb = rotated(turn_back(s.fb), minus(field3(f, TR3_FIELD_ANCHOR_B_X, lane), lanes3(from->b.center, lane)));
    }
    /* a joint that does not act gets no mass, so it moves nothing */
    wf acts = on != NULL ? wf_load(on + lane) : wf_set(1.0f);
    memset(&s.m, 0, sizeof s.m);
    s.m.im_a = acts * wf_load(&from->a.im[lane]);
    s.m.im_b = acts * wf_load(&from->b.im[lane]);
    s.ii_a = times(acts, lanes3(from->a.ii, lane));
    s.ii_b = times(acts, lanes3(from->b.ii, lane));
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
    return rotated(turn_back(s->fa), field3(f, TR3_FIELD_AXIS_X, lane));
}

/* a direction across it, likewise */
TR_INLINE w3 across_of(const setup *s, tr3_fields f, int lane)
{
    return rotated(turn_back(s->fa), axis_across(field3(f, TR3_FIELD_AXIS_X, lane)));
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
#define PLAIN_FIELDS (TR3_GROUP_ANCHORS | TR3_GROUP_AXIS | TR3_GROUP_REFERENCE | TR3_GROUP_LENGTH)

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
