/* Bodies in space on TR_WIDTH lanes: their integration. */
#include <math.h>
#include <string.h>

#include "solver/kernels/body_columns.inl"
#include "solver/space/kernels/anchors.inl"

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
        if (k->low == NULL)
            continue;
        *member_of(k->low, row, 0, i, k->tiled) = 0.0f;
        *member_of(k->low, row, 1, i, k->tiled) = 0.0f;
    }
    if (k->poses == NULL)
        return;
    for (int i = 0; i < 3; i++)
        *member_of(k->poses, row, 0, i, k->tiled) = 0.0f;
    for (int i = 0; i < 4; i++)
        *member_of(k->poses, row, 1, i, k->tiled) = body != TR_NONE ? rotation[i][body] : i == 3 ? 1.0f : 0.0f;
}

/* The frames are the poses as the step begins, where no body has moved, but for the inverses in the place of what they
   have moved by; rows that several units may read have them apart. */
static void begin_rows(const tr3_kernel_context *k, uint32_t first, uint32_t count)
{
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        int32_t to = tr3_row_offset(row), from = tr3_frame_row(k, to);
        float *poses = (float *)k->poses + to;
        if (from != to)
            memcpy(poses, (const float *)k->frames + from, TR3_TILE * sizeof(float));
        for (int i = 0; i < TR_LANES && !k->tiled; i++)
            memset(poses + 4 * i, 0, 3 * sizeof *poses);
        if (k->tiled)
            memset(poses, 0, (size_t)3 * TR_LANES * sizeof *poses);
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

/* Lanes that are surely sane: the sum of the absolute values is within the limit of each. Of the others put_back() finds
   out. */
TR_INLINE wm sane_motion(const tr3_kernel_context *k, w3 v, w3 w)
{
    wf linear = (wf_abs(v.x) + wf_abs(v.y)) + wf_abs(v.z), angular = (wf_abs(w.x) + wf_abs(w.y)) + wf_abs(w.z);
    return wf_le(linear + wf_set(TR_SANE_SPEED / TR_SANE_TURN * k->h) * angular, wf_set(0.999f * TR_SANE_SPEED));
}

/* Of TR_WIDTH lanes, puts back those that are not sane. */
static __attribute__((noinline)) void put_back_lanes(const tr3_kernel_context *k, const int32_t *at, int lane,
                                                     bool tiled)
{
    for (int i = lane; i < lane + TR_WIDTH; i++)
        put_back(k, row_of_lane(at, i, tiled));
}

/* stores three members of records, of which the last has not changed */
TR_INLINE void groups_store_xyz(float *records, const int32_t *at, int lane, w4 a, bool tiled)
{
    if (tiled)
        w4_store_tile_xyz(records + at[0], lane, a);
    else
        groups_store(records, at, lane, a, tiled);
}

/* the change of velocity by gravity in a sub-step */
TR_INLINE w3 fall_of(const tr3_kernel_context *k, wf h)
{
    return (w3){h * wf_set(k->gravity.x), h * wf_set(k->gravity.y), h * wf_set(k->gravity.z)};
}

/* of TR_WIDTH lanes, of which not all may fall */
TR_INLINE w3 fall_of_lanes(const tr3_kernel_context *k, const int32_t *at, int lane, bool tiled)
{
    float fall[TR_WIDTH];
    for (int i = 0; i < TR_WIDTH; i++)
        fall[i] = (k->marks[row_of_lane(at, lane + i, tiled)] & TR_MARK_FALLS) != 0 ? k->h : 0.0f;
    return fall_of(k, wf_load(fall));
}

/* Adds to velocities what they gain, and what the last sum left; `low`: that, and then what this one leaves. */
TR_INLINE w4 pushed_on(w4 v, w3 gain, float *low, const int32_t *at, int lane, bool tiled)
{
    const w4 left = groups_load(low, at, lane, tiled);
    const w3 more = {gain.x + left.x, gain.y + left.y, gain.z + left.z};
    const w4 now = {v.x + more.x, v.y + more.y, v.z + more.z, v.w};
    const w4 rest = {more.x - (now.x - v.x), more.y - (now.y - v.y), more.z - (now.z - v.z), left.w};
    groups_store(low, at, lane, rest, tiled);
    return now;
}

/* pull_groups() in a fine step, of the groups of a lane: also of the angular velocities */
TR_INLINE void pull_finely(const tr3_kernel_context *k, const int32_t *at, int lane, bool tiled, w4 *v, w4 *w)
{
    w3 fall = fall_of_lanes(k, at, lane, tiled), turn = w3_zero();
    if (k->scale != NULL) {
        const w4 s = groups_load(k->scale, at, lane, tiled), g = groups_load(k->gain, at, lane, tiled);
        const w4 t = groups_load(k->scale + TR3_PART, at, lane, tiled);
        const w4 r = groups_load(k->gain + TR3_PART, at, lane, tiled);
        fall = (w3){g.x + v->x * s.x, g.y + v->y * s.y, g.z + v->z * s.z};
        turn = (w3){r.x + w->x * t.x, r.y + w->y * t.y, r.z + w->z * t.z};
    }
    *v = pushed_on(*v, fall, k->low, at, lane, tiled);
    *w = pushed_on(*w, turn, k->low + TR3_PART, at, lane, tiled);
}

/* Adds gravity, forces and damping to the velocities of four groups; only the first `count` are not repetitions.
   `falling`: gravity acts on all of them, and nothing else does. */
TR_INLINE void pull_groups(const tr3_kernel_context *k, const int32_t *at, uint32_t count, bool tiled, bool falling)
{
    float *linear = (float *)k->velocities, *angular = linear + TR3_PART;
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        if ((uint32_t)lane % TR_RUN_GROUP >= count)
            continue;
        w4 v = groups_load(linear, at, lane, tiled), w = groups_load(angular, at, lane, tiled);
        if (!falling && k->low != NULL) {
            pull_finely(k, at, lane, tiled, &v, &w);
            groups_store_xyz(angular, at, lane, w, tiled);
        } else if (!falling && k->scale != NULL) {
            w4 s = groups_load(k->scale, at, lane, tiled), g = groups_load(k->gain, at, lane, tiled);
            w4 t = groups_load(k->scale + TR3_PART, at, lane, tiled);
            w4 r = groups_load(k->gain + TR3_PART, at, lane, tiled);
            v = (w4){v.x * s.x + g.x, v.y * s.y + g.y, v.z * s.z + g.z, v.w};
            w = (w4){w.x * t.x + r.x, w.y * t.y + r.y, w.z * t.z + r.z, w.w};
            groups_store_xyz(angular, at, lane, w, tiled);
        } else {
            w3 fall = falling ? fall_of(k, wf_set(k->h)) : fall_of_lanes(k, at, lane, tiled);
            v = (w4){v.x + fall.x, v.y + fall.y, v.z + fall.z, v.w};
        }
        groups_store_xyz(linear, at, lane, v, tiled);
        if (__builtin_expect(!wm_all(sane_motion(k, (w3){v.x, v.y, v.z}, (w3){w.x, w.y, w.z})), 0))
            put_back_lanes(k, at, lane, tiled);
    }
}

/* the principal moments' own rotation: which lanes have different ones, none of them infinite */
TR_INLINE wm is_uneven(w3 ii)
{
    wf least = wf_min(wf_min(ii.x, ii.y), ii.z), most = wf_max(wf_max(ii.x, ii.y), ii.z);
    return wm_and(wf_lt(wf_zero(), least), wf_lt(least, most));
}

/* Bodies turn in two vectors at a time, operation by operation: a vector alone would wait for its own results. */
enum { TURN_PARTS = TR_WIDTH > 1 && TR_WIDTH < TR_LANES ? 2 : 1 };

/* a statement for each of these vectors, whose number i is a constant */
#define EACH_PART(i, ...)                                                                                              \
    do {                                                                                                               \
        {                                                                                                              \
            enum { i = 0 };                                                                                            \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
        if (TURN_PARTS > 1) {                                                                                          \
            enum { i = TURN_PARTS - 1 };                                                                               \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
    } while (false)

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
    w3 l, change; /* N m s, in principal axes: angular momentum, and what it has changed by */
} spinning;

/* Sine, and one less the cosine, of an angle from those of its half. */
TR_INLINE void sine_of_half(wf half_s, wf half_c, wf *s, wf *versine)
{
    wf twice = half_s + half_s;
    *s = twice * half_c;
    *versine = twice * half_s;
}

/* The turn about a principal axis by twice `half`: parts of the quaternion along it and along the next two in a cycle,
   and of the momentum along these. */
TR_INLINE void turn_about(wf half, wf *qa, wf *qb, wf *qc, wf *qw, wf *lb, wf *lc, wf *change_b, wf *change_c)
{
    wf s, versine, half_s, half_c;
    wf_sincos(half, &half_s, &half_c);
    sine_of_half(half_s, half_c, &s, &versine);
    const wf b = *lc * s - *lb * versine, c = -(*lb * s) - *lc * versine;
    const wf a = *qa, w = *qw, before = *qb;
    *lb = *lb + b;
    *lc = *lc + c;
    *change_b = *change_b + b;
    *change_c = *change_c + c;
    *qa = w * half_s + a * half_c;
    *qw = w * half_c - a * half_s;
    *qb = before * half_c + *qc * half_s;
    *qc = *qc * half_c - before * half_s;
}

/* the turns about the second and the third principal axis, where the first is that of the middle moment */
TR_INLINE void turn_second(wf half, spinning *it)
{
    turn_about(half, &it->q.y, &it->q.z, &it->q.x, &it->q.w, &it->l.z, &it->l.x, &it->change.z, &it->change.x);
}

TR_INLINE void turn_third(wf half, spinning *it)
{
    turn_about(half, &it->q.z, &it->q.x, &it->q.y, &it->q.w, &it->l.x, &it->l.y, &it->change.x, &it->change.y);
}

/* rotation and angular velocity, rad/s, of a body that turns; what that has changed by */
typedef struct turning {
    w4 q;
    w3 w, change;
} turning;

/* Which principal axis of a body is the one in question: of all lanes the same, or x but where a mask has y or z. */
typedef struct principal_axis {
    enum { AXIS_X, AXIS_Y, AXIS_Z, AXIS_OF_LANES } all; /* a constant after inlining */
    wm y[TURN_PARTS], z[TURN_PARTS];
} principal_axis;

/* the components of a vector from that of the axis on, in a cycle; and back; of the lanes of a part */
TR_INLINE w3 axis_first(const principal_axis *m, int part, w3 v)
{
    const w3 y = {v.y, v.z, v.x}, z = {v.z, v.x, v.y};
    if (m->all == AXIS_OF_LANES)
        return w3_select(m->z[part], z, w3_select(m->y[part], y, v));
    return m->all == AXIS_X ? v : m->all == AXIS_Y ? y : z;
}

TR_INLINE w3 axis_back(const principal_axis *m, int part, w3 v)
{
    const w3 y = {v.z, v.x, v.y}, z = {v.y, v.z, v.x};
    if (m->all == AXIS_OF_LANES)
        return w3_select(m->z[part], z, w3_select(m->y[part], y, v));
    return m->all == AXIS_X ? v : m->all == AXIS_Y ? y : z;
}

TR_INLINE w4 axis_first4(const principal_axis *m, int part, w4 q)
{
    const w3 v = axis_first(m, part, (w3){q.x, q.y, q.z});
    return (w4){v.x, v.y, v.z, q.w};
}

TR_INLINE w4 axis_back4(const principal_axis *m, int part, w4 q)
{
    const w3 v = axis_back(m, part, (w3){q.x, q.y, q.z});
    return (w4){v.x, v.y, v.z, q.w};
}

/* an axial turn under way: half the angle about its axis, and that axis, by q, in the order of axis_first() */
typedef struct axial_turn {
    w4 q;
    w3 e;
    wf s;
} axial_turn;

TR_INLINE axial_turn axial_begin(wf h, const turning *t, w3 ii, const principal_axis *m, int part)
{
    axial_turn r;
    const w3 moments = axis_first(m, part, ii);
    const w4 q = axis_first4(m, part, t->q);
    r.e = axis_back(m, part, axes_of(q).x);
    r.s = dot(r.e, t->w) * ((moments.x - moments.y) / moments.x);
    wf sine, cosine;
    wf_sincos((wf_set(0.5f) * h) * r.s, &sine, &cosine);
    r.q = (w4){q.w * sine + q.x * cosine, q.y * cosine + q.z * sine, q.z * cosine - q.y * sine,
               q.w * cosine - q.x * sine};
    return r;
}

/*
 * Free rotation with two equal moments, for a time h. The angular velocity is w = I L + s e, where L is the angular
 * momentum, e the axis of the other moment, I the inverse of the equal ones and Ie of the other, and s = (1 - I/Ie) w . e,
 * which stays. The body turns by s about its axis, and with it by I L: exactly, at any speed. What w changes by is the
 * difference of e, which is not quite of unit length, by a rounding that is the same at each sub-step.
 */
TR_INLINE void turn_axial(wf h, turning *t, const w3 *ii, const principal_axis *m)
{
    axial_turn of[TURN_PARTS];
    EACH_PART(i, of[i] = axial_begin(h, &t[i], ii[i], m, i));
    EACH_PART(i, t[i].q = turned_by(axis_back4(m, i, of[i].q), times(h, minus(t[i].w, times(of[i].s, of[i].e)))));
    EACH_PART(i, const w3 e = axis_back(m, i, axes_of(axis_first4(m, i, t[i].q)).x);
              t[i].change = times(of[i].s, minus(e, of[i].e)); t[i].w = add(t[i].w, t[i].change));
}

/* The same with three moments; `m` is the axis of the middle one. By differences, too: what rounding makes of a length
   would add up to an error of 1e-3 in a minute. */
TR_INLINE void turn_triaxial(wf h, turning *t, const w3 *ii, const principal_axis *m)
{
    w3 own[TURN_PARTS], before[TURN_PARTS], moments[TURN_PARTS];
    spinning it[TURN_PARTS];
    wf second[TURN_PARTS], third[TURN_PARTS];
    const wf quarter = wf_set(0.25f) * h;
    EACH_PART(i, const axes r = axes_of(t[i].q); own[i] = to_body(&r, t[i].w); before[i] = to_world(&r, own[i]);
              moments[i] = axis_first(m, i, ii[i]);
              const w3 momentum = {own[i].x / ii[i].x, own[i].y / ii[i].y, own[i].z / ii[i].z};
              it[i] = (spinning){axis_first4(m, i, t[i].q), axis_first(m, i, momentum), w3_zero()};
              second[i] = quarter * (moments[i].y - moments[i].x);
              third[i] = (quarter + quarter) * (moments[i].z - moments[i].x));
    EACH_PART(i, turn_second(second[i] * it[i].l.y, &it[i]));
    EACH_PART(i, turn_third(third[i] * it[i].l.z, &it[i]));
    EACH_PART(i, turn_second(second[i] * it[i].l.y, &it[i]));
    /* the turn about L, as the body sees it */
    EACH_PART(i, t[i].q = axis_back4(m, i, turned_within(it[i].q, times(h * moments[i].x, it[i].l))));
    EACH_PART(
        i, const axes now = axes_of(t[i].q); const w3 change = axis_back(m, i, it[i].change);
        const w3 turned = {own[i].x + ii[i].x * change.x, own[i].y + ii[i].y * change.y, own[i].z + ii[i].z * change.z};
        t[i].change = minus(to_world(&now, turned), before[i]); t[i].w = add(t[i].w, t[i].change));
}

TR_INLINE turning turn_even(wf h, turning t)
{
    t.q = turned_by(t.q, times(h, t.w));
    return t;
}

TR_INLINE turning turning_select(wm m, turning a, turning b)
{
    return (turning){w4_select(m, a.q, b.q), w3_select(m, a.w, b.w), w3_select(m, a.change, b.change)};
}

/* whether a mask has all lanes of all parts */
TR_INLINE bool all_parts(const wm *m)
{
    return wm_all(TURN_PARTS > 1 ? wm_and(m[0], m[TURN_PARTS - 1]) : m[0]);
}

/* whether in all lanes a is b */
TR_INLINE bool is_equal(const wf *a, const wf *b)
{
    wm m[TURN_PARTS];
    EACH_PART(i, m[i] = wf_eq(a[i], b[i]));
    return all_parts(m);
}

/* whether b is between a and c; where the product underflows, that is not known */
TR_INLINE bool is_between(const wf *a, const wf *b, const wf *c)
{
    wm m[TURN_PARTS];
    EACH_PART(i, m[i] = wf_lt(wf_zero(), (b[i] - a[i]) * (c[i] - b[i])));
    return all_parts(m);
}

/* Where all lanes are of the same kind, as bodies side by side are alike: with code for each. */
TR_INLINE bool turn_alike(wf h, turning *t, const w3 *ii)
{
    const principal_axis at_x = {.all = AXIS_X}, at_y = {.all = AXIS_Y}, at_z = {.all = AXIS_Z};
    wf x[TURN_PARTS], y[TURN_PARTS], z[TURN_PARTS];
    EACH_PART(i, x[i] = ii[i].x; y[i] = ii[i].y; z[i] = ii[i].z);
    if (is_equal(z, x))
        turn_axial(h, t, ii, &at_y);
    else if (is_equal(x, y))
        turn_axial(h, t, ii, &at_z);
    else if (is_between(x, y, z))
        turn_triaxial(h, t, ii, &at_y);
    else if (is_between(x, z, y))
        turn_triaxial(h, t, ii, &at_z);
    else if (is_between(y, x, z))
        turn_triaxial(h, t, ii, &at_x);
    else
        return false;
    return true;
}

/* Where some lanes are uneven, and not all have the axis x. Each kind has the bits that it would have alone. */
static __attribute__((noinline)) void turn_unlike(wf h, turning *t, const w3 *ii, const wm *uneven)
{
    if (all_parts(uneven) && turn_alike(h, t, ii))
        return;
    /* of lanes with two equal moments the axis of the other one, of others that of the middle one */
    principal_axis axial = {.all = AXIS_OF_LANES}, middle = axial;
    wm two[TURN_PARTS];
    turning r[TURN_PARTS], of[TURN_PARTS];
    EACH_PART(i, const w3 v = ii[i]; const wf mean = wf_max(wf_min(v.x, v.y), wf_min(wf_max(v.x, v.y), v.z));
              axial.y[i] = wf_eq(v.z, v.x); axial.z[i] = wf_eq(v.x, v.y); middle.y[i] = wf_eq(v.y, mean);
              middle.z[i] = wf_eq(v.z, mean);
              two[i] = wm_and(uneven[i], wm_or(wm_or(axial.y[i], axial.z[i]), wf_eq(v.y, v.z))); r[i] = of[i] = t[i]);
    turn_triaxial(h, r, ii, &middle);
    turn_axial(h, of, ii, &axial);
    EACH_PART(i, r[i] = turning_select(two[i], of[i], r[i]);
              t[i] = turning_select(uneven[i], r[i], turn_even(h, t[i])));
}

/* The free rotation of bodies in a sub-step; returns whether their velocities change. */
TR_INLINE bool turn_freely(wf h, turning *t, const w3 *ii)
{
    wm uneven[TURN_PARTS];
    bool none = true, x = true;
    EACH_PART(i, uneven[i] = is_uneven(ii[i]); none = none && wm_bits(uneven[i]) == 0;
              x = x && wm_all(wm_and(uneven[i], wf_eq(ii[i].y, ii[i].z))));
    if (none) {
        EACH_PART(i, t[i] = turn_even(h, t[i]));
        return false;
    }
    if (x)
        turn_axial(h, t, ii, &(principal_axis){.all = AXIS_X});
    else
        turn_unlike(h, t, ii, uneven);
    return true;
}

/* moves four groups of rows of a lane on, but for what they turn by; `w` and `v`: velocities, with two of the moments */
TR_INLINE w3 move_begin(const tr3_kernel_context *k, const int32_t *at, int lane, bool tiled, w4 *v, w4 *w)
{
    const float *linear = (const float *)k->velocities, *angular = linear + TR3_PART;
    float *places = (float *)k->poses;
    const wf h = wf_set(k->h);
    *v = groups_load(linear, at, lane, tiled);
    *w = groups_load(angular, at, lane, tiled);
    if (__builtin_expect(!wm_all(sane_motion(k, (w3){v->x, v->y, v->z}, (w3){w->x, w->y, w->z})), 0)) {
        put_back_lanes(k, at, lane, tiled);
        *v = groups_load(linear, at, lane, tiled);
        *w = groups_load(angular, at, lane, tiled);
    }
    w4 p = groups_load(places, at, lane, tiled);
    p.x = p.x + h * v->x;
    p.y = p.y + h * v->y;
    p.z = p.z + h * v->z;
    groups_store_xyz(places, at, lane, p, tiled);
    return (w3){v->w, w->w, p.w};
}

/* stores how they are turned; `falling`: also applies gravity, as pull_groups() does */
TR_INLINE void move_end(const tr3_kernel_context *k, const int32_t *at, int lane, bool tiled, bool falling, w4 v,
                        const turning *t)
{
    groups_store((float *)k->poses + TR3_PART, at, lane, t->q, tiled);
    if (!falling)
        return;
    const w3 fall = fall_of(k, wf_set(k->h));
    v = (w4){v.x + fall.x, v.y + fall.y, v.z + fall.z, v.w};
    groups_store_xyz((float *)k->velocities, at, lane, v, tiled);
    if (__builtin_expect(!wm_all(sane_motion(k, (w3){v.x, v.y, v.z}, t->w)), 0))
        put_back_lanes(k, at, lane, tiled);
}

/* Moves four groups of rows. `falling`: then also applies gravity. */
TR_INLINE void move_groups(const tr3_kernel_context *k, const int32_t *at, uint32_t count, bool tiled, bool falling)
{
    float *angular = (float *)k->velocities + TR3_PART, *rotations = (float *)k->poses + TR3_PART;
    for (int first = 0; first < TR_LANES; first += TR_WIDTH * TURN_PARTS) {
        if ((uint32_t)first % TR_RUN_GROUP >= count)
            continue;
        w4 v[TURN_PARTS], w[TURN_PARTS];
        w3 ii[TURN_PARTS];
        turning t[TURN_PARTS];
        EACH_PART(i, const int lane = first + i * TR_WIDTH; ii[i] = move_begin(k, at, lane, tiled, &v[i], &w[i]);
                  t[i] = (turning){groups_load(rotations, at, lane, tiled), {w[i].x, w[i].y, w[i].z}, w3_zero()});
        const bool changes = turn_freely(wf_set(k->h), t, ii);
        if (changes && k->low != NULL)
            EACH_PART(i, float *low = k->low + TR3_PART; const int lane = first + i * TR_WIDTH;
                      w[i] = pushed_on(w[i], t[i].change, low, at, lane, tiled);
                      groups_store_xyz(angular, at, lane, w[i], tiled));
        else if (changes)
            EACH_PART(i, const w4 turned = {t[i].w.x, t[i].w.y, t[i].w.z, w[i].w};
                      groups_store_xyz(angular, at, first + i * TR_WIDTH, turned, tiled));
        EACH_PART(i, move_end(k, at, first + i * TR_WIDTH, tiled, falling, v[i], &t[i]));
    }
}

/* rows whose groups are listed at a time */
#define LISTED_ROWS (64 * TR_LANES)

/* Lists the groups of a part, and repeats the last one so that there are whole fours; returns how many there are. */
static uint32_t list_groups(const tr3_kernel_context *k, uint32_t first, uint32_t count, tr3_part part, int32_t *at)
{
    uint32_t listed = 0;
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        const uint32_t groups = tr3_groups_of(k, row, part);
        const int32_t first_at = tr3_row_offset(row);
        for (uint32_t i = 0; i < TR_RUN_GROUP; i++) {
            at[listed] = first_at + (int32_t)(TR_RUN_GROUP * TR_RUN_GROUP * i);
            listed += groups >> i & 1u;
        }
    }
    for (uint32_t i = listed; listed > 0 && i < listed + TR_RUN_GROUP - 1; i++)
        at[i] = at[listed - 1];
    return listed;
}

/* the four groups of 16 consecutive rows */
TR_INLINE void groups_of_tile(uint32_t row, int32_t *at)
{
    for (uint32_t i = 0; i < TR_RUN_GROUP; i++)
        at[i] = tr3_row_offset(row + TR_RUN_GROUP * i);
}

/* whether gravity, and nothing else, acts on all 16 rows */
TR_INLINE bool only_fall(const tr3_kernel_context *k, uint32_t row)
{
    return k->scale == NULL && k->low == NULL && all_fall(k->marks + row);
}

TR_INLINE void pull_tile(const tr3_kernel_context *k, uint32_t row, bool tiled)
{
    int32_t at[TR_RUN_GROUP];
    groups_of_tile(row, at);
    if (only_fall(k, row))
        pull_groups(k, at, TR_RUN_GROUP, tiled, true);
    else
        pull_groups(k, at, TR_RUN_GROUP, tiled, false);
}

static void integrate_velocities(const tr3_kernel_context *k, uint32_t first, uint32_t count, tr3_part part)
{
    int32_t at[LISTED_ROWS / TR_RUN_GROUP + TR_RUN_GROUP];
    if (k->tiled || part == TR_ALL_ROWS) {
        for (uint32_t row = first; row < first + count; row += TR_LANES) {
            if (k->tiled)
                pull_tile(k, row, true);
            else
                pull_tile(k, row, false);
        }
        return;
    }
    for (uint32_t row = first; row < first + count; row += LISTED_ROWS) {
        uint32_t left = first + count - row;
        uint32_t groups = list_groups(k, row, left < LISTED_ROWS ? left : LISTED_ROWS, part, at);
        for (uint32_t i = 0; i < groups; i += TR_RUN_GROUP)
            pull_groups(k, at + i, groups - i, false, false);
    }
}

static void integrate_positions(const tr3_kernel_context *k, uint32_t first, uint32_t count, tr3_part part)
{
    int32_t at[LISTED_ROWS / TR_RUN_GROUP + TR_RUN_GROUP];
    for (uint32_t row = first; row < first + count && k->tiled; row += TR_LANES) {
        at[0] = tr3_row_offset(row);
        move_groups(k, at, TR_RUN_GROUP, true, false);
    }
    for (uint32_t row = first; row < first + count && !k->tiled; row += LISTED_ROWS) {
        uint32_t left = first + count - row;
        uint32_t groups = list_groups(k, row, left < LISTED_ROWS ? left : LISTED_ROWS, part, at);
        for (uint32_t i = 0; i < groups; i += TR_RUN_GROUP)
            move_groups(k, at + i, groups - i, false, false);
    }
}

TR_INLINE void move_and_pull_tile(const tr3_kernel_context *k, uint32_t row, bool tiled)
{
    int32_t at[TR_RUN_GROUP];
    groups_of_tile(row, at);
    if (only_fall(k, row)) {
        move_groups(k, at, TR_RUN_GROUP, tiled, true);
        return;
    }
    move_groups(k, at, TR_RUN_GROUP, tiled, false);
    pull_groups(k, at, TR_RUN_GROUP, tiled, false);
}

static void integrate_both(const tr3_kernel_context *k, uint32_t first, uint32_t count)
{
    for (uint32_t row = first; row < first + count; row += TR_LANES) {
        if (k->tiled)
            move_and_pull_tile(k, row, true);
        else
            move_and_pull_tile(k, row, false);
    }
}
