/*
 * All kernels of one instruction set. The includer defines TR_WIDTH, and TR2_KERNELS as the name of the table.
 */
#include <string.h>

#include "solver/anchors.inl"

#define TR2_JOINT_KERNEL
#include "solver/joints2/table.h"

/* marks the rows that are not sane, and puts them back */
static void put_back(const tr2_kernel_context *k, uint32_t first, uint32_t count)
{
    for (uint32_t row = first; row < first + count; row++) {
        tr2_body_velocity *v = &k->velocities[row];
        bool sane_row = fabsf(v->x) <= TR2_SANE_SPEED && fabsf(v->y) <= TR2_SANE_SPEED &&
                        fabsf(v->angle + k->h * v->w) <= TR2_SANE_TURN;
        if (sane_row)
            continue;
        k->bad[row] = 1;
        *v = (tr2_body_velocity){0.0f, 0.0f, 0.0f, 0.0f};
        k->poses[row] = (tr2_body_pose){0.0f, 0.0f, 1.0f, 0.0f};
    }
}

/* a velocity that is not sane is stopped here already, before the joints pass it on */
static void integrate_velocities(const tr2_kernel_context *k, uint32_t first, uint32_t count)
{
    float *v = (float *)(k->velocities + first);
    const float *scale = k->scale + 4 * (size_t)first, *gain = k->gain + 4 * (size_t)first;
    float most[TR_LANES];
    for (int i = 0; i < TR_LANES; i++)
        most[i] = i % 4 < 2 ? TR2_SANE_SPEED : i % 4 == 2 ? TR2_SANE_TURN * k->inv_h : TR2_SANE_TURN;
    bool all = true;
    for (size_t i = 0; i < 4 * (size_t)count; i += TR_WIDTH) {
        wf now = wf_load(v + i) * wf_load(scale + i) + wf_load(gain + i);
        wf_store(v + i, now);
        all = all && wm_all(wf_le(wf_abs(now), wf_load(most + i % 4)));
    }
    if (!all)
        put_back(k, first, count);
}

static void integrate_positions(const tr2_kernel_context *k, uint32_t first, uint32_t count)
{
    const wf h = wf_set(k->h), fast = wf_set(TR2_SANE_SPEED), far = wf_set(TR2_SANE_TURN);
    for (uint32_t row = first; row < first + count; row += TR_WIDTH) {
        int32_t index[TR_WIDTH];
        for (int i = 0; i < TR_WIDTH; i++)
            index[i] = (int32_t)row + i;
        w4 v = w4_load_rows((float *)k->velocities, index, 4);
        wf turned = v.w + h * v.z;
        wm good = wm_and(wm_and(wf_le(wf_abs(v.x), fast), wf_le(wf_abs(v.y), fast)), wf_le(wf_abs(turned), far));
        if (!wm_all(good)) {
            put_back(k, row, TR_WIDTH);
            v = w4_load_rows((float *)k->velocities, index, 4);
            turned = v.w + h * v.z;
        }
        w4 p = w4_load_rows((float *)k->poses, index, 4);
        p.x = p.x + h * v.x;
        p.y = p.y + h * v.y;
        wf_sincos(turned, &p.w, &p.z);
        v.w = turned;
        w4_store_rows((float *)k->velocities, index, 4, v);
        w4_store_rows((float *)k->poses, index, 4, p);
    }
}

/*
 * Prepare
 */

/* the fields of a block's joints, and their impulses as the block's first columns */
static void gather_fields(const tr2_kernel_context *k, const tr2_joint_columns *columns, uint64_t mask,
                          uint32_t impulse_count, const uint32_t *rows, bool contiguous, float (*f)[TR_LANES],
                          float *impulses)
{
    for (uint32_t i = 0; i < TR2_FIELD_COUNT; i++) {
        if ((mask & TR2_BIT(i)) == 0)
            continue;
        const float *column = columns->field[i];
        tr2_field_kind kind = tr2_field_infos[i].kind;
        bool whole = kind == TR2_KIND_BOOL || kind == TR2_KIND_KIND;
        /* only differences of these are small enough for a float: hang_lanes() */
        if (kind == TR2_KIND_DOUBLE)
            continue;
        if (contiguous && !whole) {
            memcpy(f[i], column + rows[0], sizeof f[i]);
            continue;
        }
        for (int lane = 0; lane < TR_LANES; lane++) {
            float value = rows[lane] == TR_NONE ? 0.0f : column[rows[lane]];
            if (whole) {
                uint32_t bits;
                memcpy(&bits, &value, sizeof bits);
                value = (float)bits;
            }
            f[i][lane] = value;
        }
    }
    for (uint32_t i = 0; i < impulse_count; i++) {
        const float *column = columns->impulse[i];
        for (int lane = 0; lane < TR_LANES; lane++)
            impulses[i * TR_LANES + (uint32_t)lane] =
                rows[lane] == TR_NONE ? 0.0f : column[rows[lane]] * k->impulse_factor;
    }
}

/* the same of a table's own columns, which are all floats to a kernel */
static void gather_own(const tr2_joint_columns *columns, uint32_t count, const uint32_t *rows, bool contiguous,
                       float (*f)[TR_LANES])
{
    for (uint32_t i = 0; i < count; i++) {
        if (contiguous) {
            memcpy(f[i], columns->own[i] + rows[0], sizeof f[i]);
            continue;
        }
        for (int lane = 0; lane < TR_LANES; lane++)
            f[i][lane] = rows[lane] == TR_NONE ? 0.0f : columns->own[i][rows[lane]];
    }
}

static double wide_field(const tr2_joint_columns *columns, tr2_field field, uint32_t row)
{
    return ((const double *)(const void *)columns->field[field])[row];
}

/* where joints hang on the world itself: the differences that the joint's numbers in double are in */
static void hang_lanes(const tr2_kernel_context *k, const tr2_joint_columns *columns, const uint32_t *rows,
                       const int32_t *a, const int32_t *b, tr2_fields f, int lane, setup *s)
{
    float out[4][TR_WIDTH], mesh[TR_WIDTH];
    memset(out, 0, sizeof out);
    memset(mesh, 0, sizeof mesh);
    for (int i = 0; i < TR_WIDTH; i++) {
        if (rows[i] == TR_NONE)
            continue;
        const tr2_body_frame *p = &k->frames[a[i]], *q = &k->frames[b[i]];
        int at = lane + i;
        if (columns->field[TR2_GROUND_A_X] != NULL) {
            out[0][i] = (float)(p->x - wide_field(columns, TR2_GROUND_A_X, rows[i]));
            out[1][i] = (float)(p->y - wide_field(columns, TR2_GROUND_A_Y, rows[i]));
            out[2][i] = (float)(q->x - wide_field(columns, TR2_GROUND_B_X, rows[i]));
            out[3][i] = (float)(q->y - wide_field(columns, TR2_GROUND_B_Y, rows[i]));
        }
        if (columns->field[TR2_OFFSET] != NULL) {
            double on_a = p->angle, on_b = q->angle;
            if (f[TR2_SLIDES_A][at] > 0.0f)
                on_a = (double)f[TR2_AXIS_X][at] * p->x + (double)f[TR2_AXIS_Y][at] * p->y;
            if (f[TR2_SLIDES_B][at] > 0.0f)
                on_b = (double)f[TR2_AXIS_B_X][at] * q->x + (double)f[TR2_AXIS_B_Y][at] * q->y;
            mesh[i] = (float)((on_b + (double)f[TR2_RATIO][at] * on_a) - wide_field(columns, TR2_OFFSET, rows[i]));
        }
    }
    s->out_a = (w2){wf_load(out[0]), wf_load(out[1])};
    s->out_b = (w2){wf_load(out[2]), wf_load(out[3])};
    s->mesh = wf_load(mesh);
}

/* the bodies of TR_WIDTH lanes; differences of positions and angles are taken in double and kept in float */
TR_INLINE setup setup_lanes(const tr2_kernel_context *k, const tr2_joint_columns *columns, bool has_angle,
                            const uint32_t *rows, const int32_t *a, const int32_t *b, tr2_fields f, int lane)
{
    const float *frames = (const float *)k->frames;
    w4 fa = w4_load_rows(frames, a, 16), fb = w4_load_rows(frames, b, 16);
    w4 ca = w4_load_rows(frames + 4, a, 16), cb = w4_load_rows(frames + 4, b, 16);
    float dx[TR_WIDTH], dy[TR_WIDTH], angle[TR_WIDTH], on[TR_WIDTH];
    for (int i = 0; i < TR_WIDTH; i++) {
        const tr2_body_frame *p = &k->frames[a[i]], *q = &k->frames[b[i]];
        dx[i] = (float)(q->x - p->x);
        dy[i] = (float)(q->y - p->y);
        angle[i] = 0.0f;
        on[i] = rows[i] == TR_NONE || (columns->flags[rows[i]] & TR2_JOINT_DISABLED) != 0 ? 0.0f : 1.0f;
        if (has_angle && rows[i] != TR_NONE) {
            double reference =
                columns->field[TR2_REFERENCE_ANGLE] != NULL ? (double)f[TR2_REFERENCE_ANGLE][lane + i] : 0.0;
            double ratio = columns->field[TR2_RATIO] != NULL ? (double)f[TR2_RATIO][lane + i] : 1.0;
            angle[i] = (float)(((q->angle - ratio * p->angle) - (double)columns->turn[rows[i]] * TR_TURN) - reference);
        }
    }
    w2 la = {wf_zero(), wf_zero()}, lb = la;
    if (columns->field[TR2_ANCHOR_A_X] != NULL) {
        la.x = field(f, TR2_ANCHOR_A_X, lane) - ca.x;
        la.y = field(f, TR2_ANCHOR_A_Y, lane) - ca.y;
        lb.x = field(f, TR2_ANCHOR_B_X, lane) - cb.x;
        lb.y = field(f, TR2_ANCHOR_B_Y, lane) - cb.y;
    }
    setup s;
    s.ra = rotate(fa.x, fa.y, la);
    s.rb = rotate(fb.x, fb.y, lb);
    s.d.x = wf_load(dx);
    s.d.y = wf_load(dy);
    s.c_a = fa.x;
    s.s_a = fa.y;
    s.c_b = fb.x;
    s.s_b = fb.y;
    s.angle = wf_load(angle);
    /* a joint that is off moves nothing */
    wf enabled = wf_load(on);
    s.m.im_a = enabled * fa.z;
    s.m.ii_a = enabled * fa.w;
    s.m.im_b = enabled * fb.z;
    s.m.ii_b = enabled * fb.w;
    s.row_a = a;
    s.row_b = b;
    s.out_a = s.out_b = (w2){wf_zero(), wf_zero()};
    s.mesh = wf_zero();
    if (columns->field[TR2_GROUND_A_X] != NULL || columns->field[TR2_OFFSET] != NULL)
        hang_lanes(k, columns, rows, a, b, f, lane, &s);
    return s;
}

/* fields that a plain kernel reads: those without which there is no joint */
#define PLAIN_FIELDS                                                                                                   \
    (TR2_GROUP_ANCHORS | TR2_GROUP_AXIS | TR2_GROUP_REFERENCE | TR2_GROUP_LENGTH | TR2_GROUP_DRIVE | TR2_GROUP_RATIO | \
     TR2_GROUP_GROUND | TR2_GROUP_AXIS_B | TR2_GROUP_MESH)

TR_INLINE unsigned char *block_at(const tr2_blocks *blocks, uint32_t index)
{
    return blocks->data + (size_t)index * blocks->stride;
}

#define DEFINE_PREPARE(name, variant, featured, impulse_count_)                                                        \
    static void name##_##variant##_prepare(const tr2_kernel_context *k, const tr2_joint_columns *columns,              \
                                           const tr2_blocks *blocks, uint32_t first, uint32_t count)                   \
    {                                                                                                                  \
        float f[TR2_FIELD_COUNT + TR2_MAX_OWN][TR_LANES];                                                              \
        uint64_t mask = tr2_joint_types[name##_type]->fields &                                                         \
                        ((featured) ? ~(uint64_t)0 : PLAIN_FIELDS | tr2_joint_types[name##_type]->plain_fields);       \
        bool has_angle = tr2_joint_types[name##_type]->has_angle;                                                      \
        for (uint32_t i = first; i < first + count; i++) {                                                             \
            const tr2_block_bodies *bodies = (const tr2_block_bodies *)(void *)block_at(blocks, i);                    \
            float *columns_of_block = (float *)(void *)(block_at(blocks, i) + sizeof *bodies);                         \
            const uint32_t *rows = blocks->rows + (size_t)i * TR_LANES;                                                \
            bool contiguous = (blocks->flags[i] & TR2_BLOCK_CONTIGUOUS) != 0;                                          \
            gather_fields(k, columns, mask, impulse_count_, rows, contiguous, f, columns_of_block);                    \
            gather_own(columns, tr2_joint_types[name##_type]->own_read[(featured) ? 1 : 0], rows, contiguous,          \
                       f + TR2_FIELD_COUNT);                                                                           \
            for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {                                                    \
                setup s = setup_lanes(k, columns, has_angle, rows + lane, bodies->a + lane, bodies->b + lane,          \
                                      (tr2_fields)f, lane);                                                            \
                name##_prepare(k, featured, (tr2_fields)f, lane, &s, columns_of_block + lane);                         \
            }                                                                                                          \
        }                                                                                                              \
    }

/*
 * Passes
 */

TR_INLINE void motion_store(const tr2_kernel_context *k, const int32_t *index, motion m, bool fixed)
{
    w4 r = {m.vx, m.vy, m.w, m.angle};
    if (fixed)
        w4_store_rows_below((float *)k->velocities, index, 4, r, k->moving_end);
    else
        w4_store_rows((float *)k->velocities, index, 4, r);
}

TR_INLINE pose pose_load(const tr2_kernel_context *k, const int32_t *index)
{
    w4 r = w4_load_rows((const float *)k->poses, index, 4);
    pose p = {r.x, r.y, r.z, r.w};
    return p;
}

/*
 * Asks for a block ahead of time. Worth a third of the time where blocks come from beyond the level 2 cache, and costs
 * a twentieth where they are in it. The bodies' records are too many and too scattered to gain by it.
 */
#define BLOCKS_AHEAD 4u

TR_INLINE void prefetch_block(const tr2_kernel_context *k, const tr2_blocks *blocks, uint32_t index)
{
    if (!k->prefetch || index >= blocks->count)
        return;
    const unsigned char *block = block_at(blocks, index);
    for (size_t line = 0; line < blocks->stride; line += TR_ALIGNMENT)
        __builtin_prefetch(block + line);
}

/* bodies move on by what their velocities have changed by */
TR_INLINE void move_on(const tr2_kernel_context *k, const int32_t *index, pose *p, motion *now, motion before,
                       bool fixed)
{
    const wf h = wf_set(k->h);
    w4 r;
    r.x = p->x + h * (now->vx - before.vx);
    r.y = p->y + h * (now->vy - before.vy);
    now->angle = now->angle + h * (now->w - before.w);
    wf_sincos(now->angle, &r.w, &r.z);
    if (fixed)
        w4_store_rows_below((float *)k->poses, index, 4, r, k->moving_end);
    else
        w4_store_rows((float *)k->poses, index, 4, r);
}

static const tr2_pass passes[TR2_PASS_COUNT] = {
    [TR2_PASS_WARM_START] = {.warm_start = true, .biased = true},
    [TR2_PASS_SOLVE] = {.biased = true},
    [TR2_PASS_RELAX] = {.refresh = true},
    [TR2_PASS_STEP] = {.refresh = true, .biased = true},
    [TR2_PASS_PROJECT] = {.refresh = true, .biased = true, .project = true},
    [TR2_PASS_BOUNCE] = {.bounce = true},
};

#define DEFINE_PASS(name, variant, featured, which)                                                                    \
    static void name##_##variant##_##which(const tr2_kernel_context *k, const tr2_blocks *blocks, uint32_t first,      \
                                           uint32_t count)                                                             \
    {                                                                                                                  \
        const tr2_pass pass = passes[which];                                                                           \
        const pose still = {wf_zero(), wf_zero(), wf_set(1.0f), wf_zero()};                                            \
        for (uint32_t i = first; i < first + count; i++) {                                                             \
            prefetch_block(k, blocks, i + BLOCKS_AHEAD);                                                               \
            const tr2_block_bodies *bodies = (const tr2_block_bodies *)(void *)block_at(blocks, i);                    \
            float *columns = (float *)(void *)(block_at(blocks, i) + sizeof *bodies);                                  \
            bool fixed = (blocks->flags[i] & TR2_BLOCK_FIXED) != 0;                                                    \
            for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {                                                    \
                const int32_t *ia = bodies->a + lane, *ib = bodies->b + lane;                                          \
                motion a = motion_load(k, ia), b = motion_load(k, ib);                                                 \
                pose pa = pass.refresh ? pose_load(k, ia) : still, pb = pass.refresh ? pose_load(k, ib) : still;       \
                motion a0 = a, b0 = b;                                                                                 \
                name##_visit(k, pass, featured, columns + lane, &a, &b, &pa, &pb);                                     \
                if (pass.project) {                                                                                    \
                    move_on(k, ia, &pa, &a, a0, fixed);                                                                \
                    move_on(k, ib, &pb, &b, b0, fixed);                                                                \
                }                                                                                                      \
                motion_store(k, ia, a, fixed);                                                                         \
                motion_store(k, ib, b, fixed);                                                                         \
            }                                                                                                          \
        }                                                                                                              \
    }

#define DEFINE_VARIANT(name, variant, featured)                                                                        \
    DEFINE_PREPARE(name, variant, featured, name##_##variant##_impulses)                                               \
    DEFINE_PASS(name, variant, featured, TR2_PASS_WARM_START)                                                          \
    DEFINE_PASS(name, variant, featured, TR2_PASS_SOLVE)                                                               \
    DEFINE_PASS(name, variant, featured, TR2_PASS_RELAX)                                                               \
    DEFINE_PASS(name, variant, featured, TR2_PASS_STEP)                                                                \
    DEFINE_PASS(name, variant, featured, TR2_PASS_PROJECT)

#define DEFINE_KERNELS(enumerator, name)                                                                               \
    enum { name##_type = enumerator };                                                                                 \
    DEFINE_VARIANT(name, plain, false)                                                                                 \
    DEFINE_VARIANT(name, featured, true)

TR2_TABLES(DEFINE_KERNELS)

/* passes that few types have */
DEFINE_PASS(contact, plain, false, TR2_PASS_BOUNCE)
DEFINE_PASS(contact, featured, true, TR2_PASS_BOUNCE)

#define PASS(name, variant, which) [which] = name##_##variant##_##which
#define VARIANT(enumerator, name, variant, index, bounce)                                                              \
    [2 * (enumerator) + (index)] = {                                                                                   \
        name##_##variant##_columns,                                                                                    \
        name##_##variant##_impulses,                                                                                   \
        name##_##variant##_prepare,                                                                                    \
        {PASS(name, variant, TR2_PASS_WARM_START), PASS(name, variant, TR2_PASS_SOLVE),                                \
         PASS(name, variant, TR2_PASS_RELAX), PASS(name, variant, TR2_PASS_STEP),                                      \
         PASS(name, variant, TR2_PASS_PROJECT), [TR2_PASS_BOUNCE] = (bounce)},                                         \
    },
#define ENTRY(enumerator, name) VARIANT(enumerator, name, plain, 0, NULL) VARIANT(enumerator, name, featured, 1, NULL)

const tr2_kernels TR2_KERNELS = {
    .integrate_velocities = integrate_velocities,
    .integrate_positions = integrate_positions,
    .joints = {TR2_JOINT_TYPES(ENTRY) VARIANT(TR2_CONTACT, contact, plain, 0, contact_plain_TR2_PASS_BOUNCE)
                   VARIANT(TR2_CONTACT, contact, featured, 1, contact_featured_TR2_PASS_BOUNCE)},
};
