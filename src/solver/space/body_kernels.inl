/* Bodies in space on TR_WIDTH lanes: their integration. */
#include <math.h>
#include <string.h>

#include "solver/space/anchors.inl"

/* of four groups of four rows: each by the offset of its records, or all together a tile, by its first */
TR_INLINE w4 part_load(const float *records, const int32_t *at, int lane, bool tiled)
{
    return tiled ? w4_load_tile(records + at[0], lane) : w4_load_groups(records, at, lane);
}

TR_INLINE void part_store(float *records, const int32_t *at, int lane, w4 a, bool tiled)
{
    if (tiled)
        w4_store_tile(records + at[0], lane, a);
    else
        w4_store_groups(records, at, lane, a);
}

/* the row of a lane of four groups */
TR_INLINE uint32_t row_of_lane(const int32_t *at, int lane, bool tiled)
{
    if (tiled)
        return tr3_row_at(at[0]) + TR_RUN_PLACE((uint32_t)lane);
    return tr3_row_at(at[lane % TR_RUN_GROUP]) + (uint32_t)(lane / TR_RUN_GROUP);
}

/* a member of a part of a row's record, in rows or in a tile */
static float *member_of(void *records, uint32_t row, int part, int member, bool tiled)
{
    float *first = (float *)records + TR3_PART * part;
    if (!tiled)
        return first + tr3_row_offset(row) + member;
    return first + tr3_row_offset(row - row % TR_LANES) + TR_LANES * member + (int)TR_RUN_PLACE(row % TR_LANES);
}

static bool is_sane_row(const tr3_kernel_context *k, uint32_t row)
{
    bool good = true;
    for (int i = 0; i < 3; i++) {
        good = good && fabsf(*member_of(k->velocities, row, 0, i, k->tiled)) <= TR_SANE_SPEED;
        good = good && fabsf(k->h * *member_of(k->velocities, row, 1, i, k->tiled)) <= TR_SANE_TURN;
    }
    return good;
}

/* marks a row as bad and resets it, at rest at its pose at the start of the step, if its velocity is not sane; without
   poses, no body has moved yet */
static void put_back(const tr3_kernel_context *k, uint32_t row)
{
    if (is_sane_row(k, row))
        return;
    k->marks[row] |= TR_MARK_BAD;
    uint32_t body = k->body_of_row[row];
    const float *const rotation[4] = {k->rotation_x, k->rotation_y, k->rotation_z, k->rotation_w};
    for (int i = 0; i < 3; i++) {
        *member_of(k->velocities, row, 0, i, k->tiled) = 0.0f;
        *member_of(k->velocities, row, 1, i, k->tiled) = 0.0f;
    }
    if (k->poses == NULL)
        return;
    for (int i = 0; i < 3; i++)
        *member_of(k->poses, row, 0, i, k->tiled) = 0.0f;
    for (int i = 0; i < 4; i++)
        *member_of(k->poses, row, 1, i, k->tiled) = body != TR_NONE ? rotation[i][body] : i == 3 ? 1.0f : 0.0f;
}

/* The frames are the poses as the step begins, but rows that several units may read have them apart. */
static void begin_rows(const tr3_kernel_context *k, uint32_t first, uint32_t count)
{
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        int32_t to = tr3_row_offset(row), from = tr3_frame_row(k, to);
        if (from != to)
            memcpy((float *)k->poses + to, (const float *)k->frames + from, TR3_TILE * sizeof(float));
    }
}

static void turn_tiles(const tr3_kernel_context *k, uint32_t first, uint32_t count)
{
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        for (int part = 0; part < 2; part++) {
            w4_turn_tile((float *)k->velocities + tr3_row_offset(row) + TR3_PART * part);
            w4_turn_tile((float *)k->poses + tr3_row_offset(row) + TR3_PART * part);
        }
    }
}

/* bodies are prepared and finished one by one: stage_rows.c */
static bool prepare_bodies(const tr3_kernel_context *k, const tr3_bodies *bodies, uint32_t body, uint32_t row)
{
    (void)k;
    (void)bodies;
    (void)body;
    (void)row;
    return false;
}

static bool finish_bodies(const tr3_kernel_context *k, const tr3_bodies *bodies, uint32_t body, uint32_t row)
{
    return prepare_bodies(k, bodies, body, row);
}

TR_INLINE wm sane_motion(const tr3_kernel_context *k, w3 v, w3 w)
{
    const wf fast = wf_set(TR_SANE_SPEED), most = wf_set(TR_SANE_TURN * k->inv_h);
    wm linear = wm_and(wm_and(wf_le(wf_abs(v.x), fast), wf_le(wf_abs(v.y), fast)), wf_le(wf_abs(v.z), fast));
    wm angular = wm_and(wm_and(wf_le(wf_abs(w.x), most), wf_le(wf_abs(w.y), most)), wf_le(wf_abs(w.z), most));
    return wm_and(linear, angular);
}

/* Adds gravity, forces and damping to the velocities of four groups; only the first `count` are not repetitions. */
TR_INLINE void pull_groups(const tr3_kernel_context *k, const int32_t *at, uint32_t count, bool tiled)
{
    float *linear = (float *)k->velocities, *angular = linear + TR3_PART;
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        if ((uint32_t)lane % TR_RUN_GROUP >= count)
            continue;
        w4 v = part_load(linear, at, lane, tiled), w = part_load(angular, at, lane, tiled);
        if (k->scale != NULL) {
            w4 s = part_load(k->scale, at, lane, tiled), g = part_load(k->gain, at, lane, tiled);
            w4 t = part_load(k->scale + TR3_PART, at, lane, tiled), r = part_load(k->gain + TR3_PART, at, lane, tiled);
            v = (w4){v.x * s.x + g.x, v.y * s.y + g.y, v.z * s.z + g.z, v.w};
            w = (w4){w.x * t.x + r.x, w.y * t.y + r.y, w.z * t.z + r.z, w.w};
        } else {
            float fall[TR_WIDTH];
            for (int i = 0; i < TR_WIDTH; i++)
                fall[i] = (k->marks[row_of_lane(at, lane + i, tiled)] & TR_MARK_FALLS) != 0 ? k->h : 0.0f;
            wf h = wf_load(fall);
            v.x = v.x + h * wf_set(k->gravity.x);
            v.y = v.y + h * wf_set(k->gravity.y);
            v.z = v.z + h * wf_set(k->gravity.z);
        }
        part_store(linear, at, lane, v, tiled);
        if (k->scale != NULL)
            part_store(angular, at, lane, w, tiled);
        bool all = wm_all(sane_motion(k, (w3){v.x, v.y, v.z}, (w3){w.x, w.y, w.z}));
        for (int i = lane; i < lane + TR_WIDTH && !all; i++)
            put_back(k, row_of_lane(at, i, tiled));
    }
}

/* the principal moments' own rotation: which lanes have different ones, none of them infinite */
TR_INLINE wm is_uneven(w3 ii)
{
    wf least = wf_min(wf_min(ii.x, ii.y), ii.z), most = wf_max(wf_max(ii.x, ii.y), ii.z);
    return wm_and(wf_lt(wf_zero(), least), wf_lt(least, most));
}

/*
 * Torque-free rotation of a body with unlike moments (source 004: dw/dt = -I^-1 (w x I w)), for a time h. With the
 * angular momentum L in principal axes, the energy is |L|^2/(2 I2) + (1/I1 - 1/I2) L1^2/2 + (1/I3 - 1/I2) L3^2/2, where
 * I2 is the middle moment. Each part alone turns the body exactly: the first about L, which stays in the world, the
 * others about a principal axis. In a symmetric order they make a step of second order, in which the angular momentum
 * is that of before and the energy does not drift (McLachlan 1993, Reich 1994). For a wheel only one of the others is
 * left, and the step is exact at any speed.
 */
typedef struct spinning {
    w4 q;
    w3 l; /* N m s, in principal axes */
} spinning;

/* the turn about one principal axis, for a time h: the axis, and the next two in a cycle; `excess`: 1/I - 1/I2 */
TR_INLINE void turn_x(spinning *it, wf h, wf excess)
{
    wf s, c, half_s, half_c, angle = h * (excess * it->l.x);
    wf_sincos(angle, &s, &c);
    wf_sincos(wf_set(0.5f) * angle, &half_s, &half_c);
    it->l = (w3){it->l.x, it->l.y * c + it->l.z * s, it->l.z * c - it->l.y * s};
    w4 q = it->q;
    it->q = (w4){q.w * half_s + q.x * half_c, q.y * half_c + q.z * half_s, q.z * half_c - q.y * half_s,
                 q.w * half_c - q.x * half_s};
}

TR_INLINE void turn_y(spinning *it, wf h, wf excess)
{
    wf s, c, half_s, half_c, angle = h * (excess * it->l.y);
    wf_sincos(angle, &s, &c);
    wf_sincos(wf_set(0.5f) * angle, &half_s, &half_c);
    it->l = (w3){it->l.x * c - it->l.z * s, it->l.y, it->l.z * c + it->l.x * s};
    w4 q = it->q;
    it->q = (w4){q.x * half_c - q.z * half_s, q.w * half_s + q.y * half_c, q.z * half_c + q.x * half_s,
                 q.w * half_c - q.y * half_s};
}

TR_INLINE void turn_z(spinning *it, wf h, wf excess)
{
    wf s, c, half_s, half_c, angle = h * (excess * it->l.z);
    wf_sincos(angle, &s, &c);
    wf_sincos(wf_set(0.5f) * angle, &half_s, &half_c);
    it->l = (w3){it->l.x * c + it->l.y * s, it->l.y * c - it->l.x * s, it->l.z};
    w4 q = it->q;
    it->q = (w4){q.x * half_c + q.y * half_s, q.y * half_c - q.x * half_s, q.w * half_s + q.z * half_c,
                 q.w * half_c - q.z * half_s};
}

/* the turns about the principal axes; that of the middle moment has no excess, so nothing turns about it */
TR_INLINE w4 turn_by_shape(wf h, w4 q, w3 ii, wf middle, w3 momentum)
{
    const wf half = wf_set(0.5f) * h;
    w3 excess = {ii.x - middle, ii.y - middle, ii.z - middle};
    spinning it = {q, momentum};
    turn_x(&it, half, excess.x);
    turn_y(&it, half, excess.y);
    turn_z(&it, h, excess.z);
    turn_y(&it, half, excess.y);
    turn_x(&it, half, excess.x);
    return it.q;
}

/* Moves four groups of rows. */
TR_INLINE void move_groups(const tr3_kernel_context *k, const int32_t *at, uint32_t count, bool tiled)
{
    const wf h = wf_set(k->h);
    float *linear = (float *)k->velocities, *angular = linear + TR3_PART;
    float *places = (float *)k->poses, *rotations = places + TR3_PART;
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        if ((uint32_t)lane % TR_RUN_GROUP >= count)
            continue;
        w4 v = part_load(linear, at, lane, tiled), w = part_load(angular, at, lane, tiled);
        if (!wm_all(sane_motion(k, (w3){v.x, v.y, v.z}, (w3){w.x, w.y, w.z}))) {
            for (int i = lane; i < lane + TR_WIDTH; i++)
                put_back(k, row_of_lane(at, i, tiled));
            v = part_load(linear, at, lane, tiled);
            w = part_load(angular, at, lane, tiled);
        }
        w4 p = part_load(places, at, lane, tiled), q = part_load(rotations, at, lane, tiled);
        p.x = p.x + h * v.x;
        p.y = p.y + h * v.y;
        p.z = p.z + h * v.z;
        w3 spin = {w.x, w.y, w.z}, ii = {v.w, w.w, p.w}, momentum = w3_zero(), own = w3_zero();
        axes r = axes_of(q);
        wm uneven = is_uneven(ii);
        bool any = wm_bits(uneven) != 0;
        if (any) {
            own = to_body(&r, spin);
            w3 m = {own.x * wf_inverse_or_zero(ii.x), own.y * wf_inverse_or_zero(ii.y),
                    own.z * wf_inverse_or_zero(ii.z)};
            wf middle = wf_max(wf_min(ii.x, ii.y), wf_min(wf_max(ii.x, ii.y), ii.z));
            w4 turned_by_shape = turn_by_shape(h, q, ii, middle, m);
            momentum = to_world(&r, m);
            q = w4_select(uneven, turned_by_shape, q);
            spin = w3_select(uneven, times(middle, momentum), spin);
        }
        q = turn_unit(turn_after(turn_by(times(h, spin)), q));
        part_store(places, at, lane, p, tiled);
        part_store(rotations, at, lane, q, tiled);
        if (any) {
            /* By differences: matrices are not quite of unit length, by a rounding that is the same at each sub-step;
               it would add up to an error of 1e-3 in a minute. */
            axes t = axes_of(q);
            w3 change = minus(to_body(&t, momentum), to_body(&r, momentum));
            w3 turned = {own.x + ii.x * change.x, own.y + ii.y * change.y, own.z + ii.z * change.z};
            w3 now = add((w3){w.x, w.y, w.z}, minus(to_world(&t, turned), to_world(&r, own)));
            w.x = wf_select(uneven, now.x, w.x);
            w.y = wf_select(uneven, now.y, w.y);
            w.z = wf_select(uneven, now.z, w.z);
            part_store(angular, at, lane, w, tiled);
        }
    }
}

/* rows whose groups are listed at a time */
#define LISTED_ROWS (64 * TR_LANES)

/* Lists the groups of a part, and repeats the last one so that there are whole fours; returns how many there are. */
static uint32_t list_groups(const tr3_kernel_context *k, uint32_t first, uint32_t count, tr3_part part, int32_t *at)
{
    uint32_t listed = 0;
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        uint32_t groups = tr3_groups_of(k, row, part);
        for (uint32_t i = 0; i < TR_RUN_GROUP; i++) {
            at[listed] = tr3_row_offset(row + TR_RUN_GROUP * i);
            listed += groups >> i & 1u;
        }
    }
    for (uint32_t i = listed; listed > 0 && i < listed + TR_RUN_GROUP - 1; i++)
        at[i] = at[listed - 1];
    return listed;
}

typedef void groups_fn(const tr3_kernel_context *k, const int32_t *at, uint32_t count);

static void pull_listed(const tr3_kernel_context *k, const int32_t *at, uint32_t count)
{
    pull_groups(k, at, count, false);
}

static void move_listed(const tr3_kernel_context *k, const int32_t *at, uint32_t count)
{
    move_groups(k, at, count, false);
}

static void pull_tile(const tr3_kernel_context *k, const int32_t *at, uint32_t count)
{
    pull_groups(k, at, count, true);
}

static void move_tile(const tr3_kernel_context *k, const int32_t *at, uint32_t count)
{
    move_groups(k, at, count, true);
}

/* applies a function to the groups of a part, or to tiles */
static void over_rows(const tr3_kernel_context *k, uint32_t first, uint32_t count, tr3_part part, groups_fn *listed,
                      groups_fn *tile)
{
    int32_t at[LISTED_ROWS / TR_RUN_GROUP + TR_RUN_GROUP];
    for (uint32_t row = first; row < first + count && k->tiled; row += TR_LANES) {
        at[0] = tr3_row_offset(row);
        tile(k, at, TR_RUN_GROUP);
    }
    for (uint32_t row = first; row < first + count && !k->tiled; row += LISTED_ROWS) {
        uint32_t left = first + count - row;
        uint32_t groups = list_groups(k, row, left < LISTED_ROWS ? left : LISTED_ROWS, part, at);
        for (uint32_t i = 0; i < groups; i += TR_RUN_GROUP)
            listed(k, at + i, groups - i);
    }
}

static void integrate_velocities(const tr3_kernel_context *k, uint32_t first, uint32_t count, tr3_part part)
{
    over_rows(k, first, count, part, pull_listed, pull_tile);
}

static void integrate_positions(const tr3_kernel_context *k, uint32_t first, uint32_t count, tr3_part part)
{
    over_rows(k, first, count, part, move_listed, move_tile);
}

static void integrate_both(const tr3_kernel_context *k, uint32_t first, uint32_t count)
{
    integrate_positions(k, first, count, TR_ALL_ROWS);
    integrate_velocities(k, first, count, TR_ALL_ROWS);
}
