/* Bodies on TR_WIDTH lanes: their integration. */
#include <math.h>
#include <string.h>

#include "solver/kernels/body_columns.inl"
#include "solver/plane/anchors.inl"

/* marks a row as bad and resets it if its velocity is not sane; without poses, no body has moved yet */
static void put_back(const tr2_kernel_context *k, uint32_t row)
{
    float *v[4];
    for (int i = 0; i < 4; i++)
        v[i] = tr2_member(k->velocities, row, i, k->tiled);
    const float most = tr2_sane_speed(k);
    bool sane_row = fabsf(*v[0]) <= most && fabsf(*v[1]) <= most && fabsf(*v[3] + k->h * *v[2]) <= TR_SANE_TURN;
    if (sane_row)
        return;
    k->marks[row] |= TR_MARK_BAD;
    for (int i = 0; i < 4; i++) {
        *v[i] = 0.0f;
        if (k->low != NULL)
            *tr2_member(k->low, row, i, k->tiled) = 0.0f;
        if (k->poses != NULL)
            *tr2_member(k->poses, row, i, k->tiled) = i == 2 ? 1.0f : 0.0f;
    }
}

/* whether a float of 16 rows is in one of some groups, a mask */
TR_INLINE bool is_in_groups(uint32_t groups, int i)
{
    return (groups >> i / (TR2_ROW * TR_RUN_GROUP) & 1u) != 0;
}

/* Updates the velocities of some groups of 16 rows; `scale` null: 1; `low`: what was left of the last sum, or null, and then
   of this one; then `scale` is less 1. Returns whether all of them are sane, that is, at most `most`. */
TR_INLINE bool push_rows(float *v, const float *scale, const float *gain, float *low, const float *most,
                         uint32_t groups)
{
    bool all = true;
    for (int i = 0; i < 4 * TR_LANES; i += TR_WIDTH) {
        if (!is_in_groups(groups, i))
            continue;
        wf now = wf_load(v + i), more = wf_load(gain + i);
        if (low != NULL) {
            more = more + wf_load(low + i);
            if (scale != NULL)
                more = more + now * wf_load(scale + i);
            wf_store(low + i, more - ((now + more) - now));
        } else if (scale != NULL) {
            now = now * wf_load(scale + i);
        }
        now = now + more;
        wf_store(v + i, now);
        all = all && wm_all(wf_le(wf_abs(now), wf_load(most + i)));
    }
    return all;
}

/* for each float of 16 rows: the change by gravity in a sub-step, and the greatest sane value */
typedef struct tile_pull {
    float falling[4 * TR_LANES], most[4 * TR_LANES];
} tile_pull;

/* repeats the four members of a row for each of 16 rows */
static void spread_members(const tr2_kernel_context *k, const float member[4], float *out)
{
    for (int i = 0; k->tiled && i < 4 * TR_LANES; i += TR_WIDTH)
        wf_store(out + i, wf_set(member[i / TR_LANES]));
    for (int i = 0; !k->tiled && i < TR_LANES; i++)
        memcpy(out + (size_t)4 * (size_t)i, member, 4 * sizeof *member);
}

static void begin_rows(const tr2_kernel_context *k, uint32_t first, uint32_t count)
{
    const float still[4] = {0.0f, 0.0f, 1.0f, 0.0f};
    float poses[4 * TR_LANES];
    spread_members(k, still, poses);
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        for (int i = 0; i < 4 * TR_LANES; i += TR_WIDTH)
            wf_store((float *)(k->poses + row) + i, wf_load(poses + i));
    }
}

static void turn_tiles(const tr2_kernel_context *k, uint32_t first, uint32_t count)
{
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        w4_turn_tile((float *)(k->velocities + row));
        w4_turn_tile((float *)(k->poses + row));
    }
}

static void pull_begin(const tr2_kernel_context *k, tile_pull *out)
{
    const float fall[4] = {k->h * k->gravity.x, k->h * k->gravity.y, 0.0f, 0.0f};
    const float bound[4] = {tr2_sane_speed(k), tr2_sane_speed(k), TR_SANE_TURN * k->inv_h, TR_SANE_TURN};
    spread_members(k, fall, out->falling);
    spread_members(k, bound, out->most);
}

/* whether gravity acts on all of 16 rows, and nothing else does */
TR_INLINE bool only_fall(const tr2_kernel_context *k, uint32_t row)
{
    return k->scale == NULL && k->low == NULL && all_fall(k->marks + row);
}

/* applies gravity and the other accelerations to some groups of 16 rows; resets rows that are not sane before joints
   spread their velocity */
static void pull_rows(const tr2_kernel_context *k, uint32_t row, const tile_pull *p, uint32_t groups)
{
    float *v = (float *)(k->velocities + row), mixed[4 * TR_LANES];
    const size_t at = 4 * (size_t)row;
    float *low = k->low != NULL ? k->low + at : NULL;
    for (uint32_t i = 0; k->scale == NULL && i < 4 * TR_LANES; i++) {
        uint32_t of = k->tiled ? TR_RUN_PLACE(i % TR_LANES) : i / 4;
        mixed[i] = (k->marks[row + of] & TR_MARK_FALLS) != 0 ? p->falling[i] : 0.0f;
    }
    bool all = k->scale != NULL ? push_rows(v, k->scale + at, k->gain + at, low, p->most, groups)
                                : push_rows(v, NULL, mixed, low, p->most, groups);
    for (uint32_t i = 0; !all && i < TR_LANES; i++)
        put_back(k, row + i);
}

/* the same if gravity acts on all 16 rows and nothing else does */
TR_INLINE void fall_rows(const tr2_kernel_context *k, uint32_t row, const tile_pull *p, uint32_t groups)
{
    float *v = (float *)(k->velocities + row);
    wm good = wf_le(wf_zero(), wf_zero());
    for (int i = 0; i < 4 * TR_LANES; i += TR_WIDTH) {
        if (!is_in_groups(groups, i))
            continue;
        /* the numbers repeat with every row, so the first vector serves for all */
        int at = i % (TR_WIDTH < 4 ? 4 : TR_WIDTH);
        wf now = wf_load(v + i) + wf_load(p->falling + at);
        wf_store(v + i, now);
        good = wm_and(good, wf_le(wf_abs(now), wf_load(p->most + at)));
    }
    bool all = wm_all(good);
    for (uint32_t i = 0; !all && i < TR_LANES; i++)
        put_back(k, row + i);
}

/* gravity of bodies in tiles, in registers: the change in a sub-step, and the greatest sane values */
typedef struct fall {
    wf x, y, fast, most;
} fall;

TR_INLINE fall fall_of(const tr2_kernel_context *k)
{
    fall f = {wf_set(k->h * k->gravity.x), wf_set(k->h * k->gravity.y), wf_set(tr2_sane_speed(k)),
              wf_set(TR_SANE_TURN * k->inv_h)};
    return f;
}

/* the velocities after gravity; *good: whether they are sane, but for angles that have turned far: these are seen when
   positions move */
TR_INLINE w4 fallen(w4 v, const fall *f, wm *good)
{
    w4 now = {v.x + f->x, v.y + f->y, v.z + wf_zero(), v.w + wf_zero()};
    *good = wm_and(wf_le(wf_abs(now.x) + wf_abs(now.y), f->fast), wf_le(wf_abs(now.z), f->most));
    return now;
}

/* fall_rows() of a tile */
TR_INLINE void fall_tile(const tr2_kernel_context *k, uint32_t row, const fall *f)
{
    float *v = (float *)(k->velocities + row);
    bool all = true;
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        wm good;
        /* the angles do not change */
        w4_store_tile_xyz(v, lane, fallen(w4_load_tile(v, lane), f, &good));
        all = all && wm_all(good);
    }
    for (uint32_t i = 0; !all && i < TR_LANES; i++)
        put_back(k, row + i);
}

TR_INLINE void pull_all(const tr2_kernel_context *k, uint32_t first, uint32_t count, tr2_part part, bool tiled)
{
    tile_pull p;
    pull_begin(k, &p);
    const fall f = fall_of(k);
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        uint32_t groups = tr2_groups_of(k, row, part);
        if (!only_fall(k, row))
            pull_rows(k, row, &p, groups);
        else if (tiled)
            fall_tile(k, row, &f);
        else
            fall_rows(k, row, &p, groups);
    }
}

static void integrate_velocities(const tr2_kernel_context *k, uint32_t first, uint32_t count, tr2_part part)
{
    if (k->tiled)
        pull_all(k, first, count, TR_ALL_ROWS, true);
    else
        pull_all(k, first, count, part, false);
}

/* the row of a lane of four groups, as for groups_load() */
TR_INLINE uint32_t row_of_lane(const int32_t *at, int lane, bool tiled)
{
    if (tiled)
        return (uint32_t)(at[0] / TR2_ROW) + TR_RUN_PLACE((uint32_t)lane);
    return (uint32_t)(at[lane % TR_RUN_GROUP] / TR2_ROW + lane / TR_RUN_GROUP);
}

/* the four groups of 16 consecutive rows */
TR_INLINE void groups_of_tile(uint32_t row, int32_t *at)
{
    for (uint32_t i = 0; i < TR_RUN_GROUP; i++)
        at[i] = TR2_ROW * (int32_t)(row + TR_RUN_GROUP * i);
}

/* Lists the groups of a part; a mask is as good as random, so without a branch. There must be room for one more. */
static uint32_t list_groups(const tr2_kernel_context *k, uint32_t first, uint32_t count, tr2_part part, int32_t *at)
{
    uint32_t listed = 0;
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        uint32_t groups = tr2_groups_of(k, row, part);
        for (uint32_t i = 0; i < TR_RUN_GROUP; i++) {
            at[listed] = TR2_ROW * (int32_t)(row + TR_RUN_GROUP * i);
            listed += groups >> i & 1u;
        }
    }
    return listed;
}

/*
 * Moves 16 rows, or the first `count` groups of them, of which the others are repetitions. It takes the lanes in the
 * order of a run, as they are independent. `pulled`: then also applies gravity, as pull_rows() does if gravity acts on
 * all rows and nothing else does, and returns whether all velocities are sane after that.
 */
TR_INLINE bool move_groups(const tr2_kernel_context *k, const int32_t *at, uint32_t count, bool tiled, bool pulled)
{
    const wf h = wf_set(k->h), fast = wf_set(tr2_sane_speed(k)), near = wf_set(TR_SINCOS_NEAR);
    const fall f = fall_of(k);
    float *velocities = (float *)k->velocities, *poses = (float *)k->poses;
    bool all = true;
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        /* only a single lane would move a repetition again */
        if ((uint32_t)lane % TR_RUN_GROUP >= count)
            continue;
        w4 v = groups_load(velocities, at, lane, tiled);
        wf turned_now = v.w + h * v.z;
        /* one test of all that is usual: sane, and by less than an eighth of a turn */
        bool calm = wm_all(wm_and(wf_le(wf_abs(v.x) + wf_abs(v.y), fast), wf_le(wf_abs(turned_now), near)));
        if (!calm && !wm_all(wm_and(wm_and(wf_le(wf_abs(v.x), fast), wf_le(wf_abs(v.y), fast)),
                                    wf_le(wf_abs(turned_now), wf_set(TR_SANE_TURN))))) {
            for (int i = lane; i < lane + TR_WIDTH; i++)
                put_back(k, row_of_lane(at, i, tiled));
            v = groups_load(velocities, at, lane, tiled);
            turned_now = v.w + h * v.z;
        }
        w4 p = groups_load(poses, at, lane, tiled);
        p.x = p.x + h * v.x;
        p.y = p.y + h * v.y;
        if (calm)
            wf_sincos_near(turned_now, &p.w, &p.z);
        else
            wf_sincos(turned_now, &p.w, &p.z);
        v.w = turned_now;
        if (pulled) {
            wm good;
            v = fallen(v, &f, &good);
            all = all && wm_all(good);
        }
        if (tiled && !pulled)
            wf_store(velocities + at[0] + 3 * TR_LANES + lane, v.w);
        else
            groups_store(velocities, at, lane, v, tiled);
        groups_store(poses, at, lane, p, tiled);
    }
    return all;
}

/* rows whose groups are listed at a time */
#define LISTED_ROWS (64 * TR_LANES)

static void move_part(const tr2_kernel_context *k, uint32_t first, uint32_t count, tr2_part part)
{
    int32_t at[LISTED_ROWS / TR_RUN_GROUP + TR_RUN_GROUP];
    for (uint32_t row = first; row < first + count; row += LISTED_ROWS) {
        uint32_t left = first + count - row;
        uint32_t listed = list_groups(k, row, left < LISTED_ROWS ? left : LISTED_ROWS, part, at);
        for (uint32_t i = listed; listed > 0 && i < listed + TR_RUN_GROUP - 1; i++)
            at[i] = at[listed - 1];
        for (uint32_t i = 0; i < listed; i += TR_RUN_GROUP)
            move_groups(k, at + i, listed - i, false, false);
    }
}

static void move_tiles(const tr2_kernel_context *k, uint32_t first, uint32_t count)
{
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        const int32_t at = TR2_ROW * (int32_t)row;
        move_groups(k, &at, TR_RUN_GROUP, true, false);
    }
}

static void integrate_positions(const tr2_kernel_context *k, uint32_t first, uint32_t count, tr2_part part)
{
    if (k->tiled)
        move_tiles(k, first, count);
    else
        move_part(k, first, count, part);
}

TR_INLINE void move_and_pull_all(const tr2_kernel_context *k, uint32_t first, uint32_t count, bool tiled)
{
    tile_pull p;
    pull_begin(k, &p);
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        int32_t at[TR_RUN_GROUP];
        groups_of_tile(row, at);
        if (!only_fall(k, row)) {
            move_groups(k, at, TR_RUN_GROUP, tiled, false);
            pull_rows(k, row, &p, tr2_groups_of(k, row, TR_ALL_ROWS));
            continue;
        }
        bool all = move_groups(k, at, TR_RUN_GROUP, tiled, true);
        for (uint32_t i = 0; !all && i < TR_LANES; i++)
            put_back(k, row + i);
    }
}

static void integrate_both(const tr2_kernel_context *k, uint32_t first, uint32_t count)
{
    if (k->tiled)
        move_and_pull_all(k, first, count, true);
    else
        move_and_pull_all(k, first, count, false);
}
