/* Bodies in space on TR_WIDTH lanes: from their table to the state of a step, and back. */
#include <float.h>

#include "solver/space/kernels/bodies.inl"

/* three or four columns of 16 bodies from the table's row `body` on */
TR_INLINE void columns_load(const float *const *columns, int count, uint32_t body, bool tiled, w16 *out)
{
    for (int i = 0; i < count; i++)
        out[i] = column_load(columns[i] + body, tiled);
}

/* The first of the principal moments of 16 movable bodies, which tells whether they can rotate: 0 if they cannot, then
   in `out`. */
static const float *turnable_inertias(const tr3_bodies *bodies, uint32_t body, uint32_t any, float out[TR_LANES])
{
    const float *inertia = bodies->inertia_x + body;
    if ((any & TR_BODY_FIXED_ROTATION) == 0)
        return inertia;
    for (uint32_t i = 0; i < TR_LANES; i++)
        out[i] = (bodies->flags[body + i] & TR_BODY_FIXED_ROTATION) != 0 ? 0.0f : inertia[i];
    return out;
}

/* inverse principal moments; `first`: that of turnable_inertias() */
TR_INLINE w3 inverse_moments(wf first, wf y, wf z)
{
    const wf one = wf_set(1.0f);
    wm turnable = wf_lt(wf_zero(), first);
    return (w3){wf_keep(turnable, one / wf_select(turnable, first, one)),
                wf_keep(turnable, one / wf_select(turnable, y, one)),
                wf_keep(turnable, one / wf_select(turnable, z, one))};
}

/* I^-1 t, as turn_by_torque() in stage_rows.c */
TR_INLINE w3 turned_by_torque(w4 q, w3 inverse, w3 t)
{
    const wf one = wf_set(1.0f), two = wf_set(2.0f);
    wf x = q.x, y = q.y, z = q.z, w = q.w;
    /* the rows of the rotation's matrix */
    w3 r0 = {one - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y)};
    w3 r1 = {two * (x * y + w * z), one - two * (x * x + z * z), two * (y * z - w * x)};
    w3 r2 = {two * (x * z - w * y), two * (y * z + w * x), one - two * (x * x + y * y)};
    w3 own = {inverse.x * ((r0.x * t.x + r1.x * t.y) + r2.x * t.z),
              inverse.y * ((r0.y * t.x + r1.y * t.y) + r2.y * t.z),
              inverse.z * ((r0.z * t.x + r1.z * t.y) + r2.z * t.z)};
    return (w3){dot(r0, own), dot(r1, own), dot(r2, own)};
}

TR_INLINE w3 numbers3(const float *x, const float *y, const float *z, uint32_t body)
{
    return (w3){numbers(x, body, 0.0f), numbers(y, body, 0.0f), numbers(z, body, 0.0f)};
}

/* accelerations of 16 rows, as prepare_pull() in stage_rows.c */
static void prepare_pulls(const tr3_kernel_context *k, const tr3_bodies *bodies, const float *inertia, uint32_t body,
                          uint32_t row)
{
    const wf zero = wf_zero(), one = wf_set(1.0f), h = wf_set(k->h);
    const w3 gravity = {wf_set(k->gravity.x), wf_set(k->gravity.y), wf_set(k->gravity.z)};
    for (uint32_t lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        const uint32_t b = body + lane;
        const int32_t at = tr3_row_offset(row) + 4 * (int32_t)lane;
        wf im = wf_inverse_or_zero(wf_load(bodies->mass + b)), g = numbers(bodies->gravity_scale, b, 1.0f);
        wf fades = h * numbers(bodies->linear_damping, b, 0.0f), linear = one / (one + fades);
        wf stills = h * numbers(bodies->angular_damping, b, 0.0f), angular = one / (one + stills);
        w3 force = numbers3(bodies->force_x, bodies->force_y, bodies->force_z, b);
        w3 torque = numbers3(bodies->torque_x, bodies->torque_y, bodies->torque_z, b);
        w4 q = {wf_load(bodies->rotation_x + b), wf_load(bodies->rotation_y + b), wf_load(bodies->rotation_z + b),
                wf_load(bodies->rotation_w + b)};
        w3 ii =
            inverse_moments(wf_load(inertia + lane), wf_load(bodies->inertia_y + b), wf_load(bodies->inertia_z + b));
        w3 turn = turned_by_torque(q, ii, torque);
        w3 push = {h * (gravity.x * g + im * force.x) * linear, h * (gravity.y * g + im * force.y) * linear,
                   h * (gravity.z * g + im * force.z) * linear};
        w4 slow = {linear, linear, linear, one}, turn_slow = {angular, angular, angular, one};
        if (k->low != NULL) {
            const wf less = -(fades * linear), turn_less = -(stills * angular);
            slow = (w4){less, less, less, zero};
            turn_slow = (w4){turn_less, turn_less, turn_less, zero};
        }
        w4_store_rows(k->scale + at, in_a_row, 4, slow);
        w4_store_rows(k->gain + at, in_a_row, 4, (w4){push.x, push.y, push.z, zero});
        w4_store_rows(k->scale + at + TR3_PART, in_a_row, 4, turn_slow);
        w4_store_rows(k->gain + at + TR3_PART, in_a_row, 4,
                      (w4){h * turn.x * angular, h * turn.y * angular, h * turn.z * angular, zero});
    }
}

/* restrict allows vectorisation */
static void put_places(double *restrict places, const double *restrict x, const double *restrict y,
                       const double *restrict z)
{
    for (uint32_t i = 0; i < TR_LANES; i++) {
        places[2 * i] = x[i];
        places[2 * i + 1] = y[i];
        places[TR3_PART / 2 + 2 * i] = z[i];
        places[TR3_PART / 2 + 2 * i + 1] = 0.0;
    }
}

/* prefetches the input of the tile after the next: it has more columns than the hardware prefetcher follows */
static void prefetch_tile(const tr3_bodies *bodies, uint32_t body)
{
    const float *narrow[] = {bodies->mass,
                             bodies->inertia_x,
                             bodies->inertia_y,
                             bodies->inertia_z,
                             bodies->rotation_x,
                             bodies->rotation_y,
                             bodies->rotation_z,
                             bodies->rotation_w,
                             bodies->velocity_x,
                             bodies->velocity_y,
                             bodies->velocity_z,
                             bodies->angular_velocity_x,
                             bodies->angular_velocity_y,
                             bodies->angular_velocity_z};
    const double *wide[] = {bodies->center_x, bodies->center_y, bodies->center_z};
    if (bodies->table.count - body < 3 * TR_LANES)
        return;
    body += 2 * TR_LANES;
    for (size_t i = 0; i < sizeof narrow / sizeof narrow[0]; i++)
        __builtin_prefetch(narrow[i] + body);
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        __builtin_prefetch(wide[i] + body);
        __builtin_prefetch(wide[i] + body + TR_LANES / 2);
    }
    __builtin_prefetch(bodies->flags + body);
}

/* frames and velocities of 16 rows */
TR_INLINE void prepare_records(const tr3_kernel_context *k, const tr3_bodies *bodies, const float *inertia,
                               uint32_t body, uint32_t row, bool tiled)
{
    const int32_t at = tr3_row_offset(row);
    /* frames of tiles are not apart */
    float *frames = (float *)k->frames + (tiled ? at : tr3_frame_row(k, at)), *velocities = (float *)k->velocities + at;
    const float *const rotations[4] = {bodies->rotation_x, bodies->rotation_y, bodies->rotation_z, bodies->rotation_w};
    const float *const linear[3] = {bodies->velocity_x, bodies->velocity_y, bodies->velocity_z};
    const float *const angular[3] = {bodies->angular_velocity_x, bodies->angular_velocity_y,
                                     bodies->angular_velocity_z};
    w16 inverses[4], q[4], v[4], w[4];
    inverses[0] = inverses_or_zero(column_load(bodies->mass + body, tiled));
    const w16 x = column_load(inertia, tiled), y = column_load(bodies->inertia_y + body, tiled);
    const w16 z = column_load(bodies->inertia_z + body, tiled);
    for (int i = 0; i < TR_LANES / TR_WIDTH; i++) {
        w3 ii = inverse_moments(x.part[i], y.part[i], z.part[i]);
        inverses[1].part[i] = ii.x;
        inverses[2].part[i] = ii.y;
        inverses[3].part[i] = ii.z;
    }
    members_store(frames, tiled, inverses);
    columns_load(rotations, 4, body, tiled, q);
    members_store(frames + TR3_PART, tiled, q);
    columns_load(linear, 3, body, tiled, v);
    v[3] = inverses[1];
    members_store(velocities, tiled, v);
    columns_load(angular, 3, body, tiled, w);
    w[3] = inverses[2];
    members_store(velocities + TR3_PART, tiled, w);
}

/* does the same as prepare_body() in stage_rows.c, with operations in the same order */
static bool prepare_bodies(const tr3_kernel_context *k, const tr3_bodies *bodies, uint32_t body, uint32_t row)
{
    const uint32_t any = any_flags(bodies->flags + body);
    float turnable[TR_LANES];
    if ((any & (TR_BODY_QUARANTINED | TR_BODY_ASLEEP | TR_BODY_DIRECT)) != 0)
        return false;
    prefetch_tile(bodies, body);
    const float *inertia = turnable_inertias(bodies, body, any, turnable);
    if (k->tiled)
        prepare_records(k, bodies, inertia, body, row, true);
    else
        prepare_records(k, bodies, inertia, body, row, false);
    if (k->scale != NULL)
        prepare_pulls(k, bodies, inertia, body, row);
    put_places((double *)(void *)k->places + tr3_row_offset(row) / 2, bodies->center_x + body, bodies->center_y + body,
               bodies->center_z + body);
    memset(k->marks + row, TR_MARK_FALLS, TR_LANES);
    k->marks[row] = TR_MARK_FALLS | TR_MARK_TILE | (k->tiled ? TR_MARK_TILED : 0);
    return true;
}

/* whether 16 rows can be finished: the last pass may have changed a velocity after its position was computed, and a
   pass that projects a pose by a velocity that a later one has made sane again */
static bool all_sane(const tr3_kernel_context *k, uint32_t row)
{
    const float *linear = (const float *)k->velocities + tr3_row_offset(row), *angular = linear + TR3_PART;
    const float *moved = (const float *)k->poses + tr3_row_offset(row), *turned = moved + TR3_PART;
    const wf fast = wf_set(TR_SANE_SPEED), most = wf_set(TR_SANE_TURN), h = wf_set(k->h);
    const wf far = wf_set(FLT_MAX), short_turn = wf_set(0.5f), long_turn = wf_set(2.0f);
    bool all = true;
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        w4 v = run_load(linear, lane, k->tiled), w = run_load(angular, lane, k->tiled);
        wm slow = wm_and(wm_and(wf_le(wf_abs(v.x), fast), wf_le(wf_abs(v.y), fast)), wf_le(wf_abs(v.z), fast));
        wm turns =
            wm_and(wm_and(wf_le(wf_abs(w.x) * h, most), wf_le(wf_abs(w.y) * h, most)), wf_le(wf_abs(w.z) * h, most));
        w4 p = run_load(moved, lane, k->tiled), q = run_load(turned, lane, k->tiled);
        wm near = wm_and(wm_and(wf_le(wf_abs(p.x), far), wf_le(wf_abs(p.y), far)), wf_le(wf_abs(p.z), far));
        wf square = (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w);
        wm unit = wm_and(wf_lt(short_turn, square), wf_lt(square, long_turn));
        all = all && wm_all(wm_and(wm_and(slow, turns), wm_and(near, unit)));
    }
    return all && none_bad(k->marks + row);
}

/* writes 16 rows to their columns, but for positions: how far they have moved in this step is in `motions` */
TR_INLINE void finish_records(const tr3_kernel_context *k, const tr3_bodies *bodies, uint32_t body, uint32_t row,
                              bool tiled, float motions[3][TR_LANES])
{
    const int32_t at = tr3_row_offset(row);
    const float *velocities = (const float *)k->velocities + at, *poses = (const float *)k->poses + at;
    w16 v[4], w[4], p[4], q[4];
    members_load(velocities, tiled, v);
    column_store(bodies->velocity_x + body, v[0], tiled);
    column_store(bodies->velocity_y + body, v[1], tiled);
    column_store(bodies->velocity_z + body, v[2], tiled);
    members_load(velocities + TR3_PART, tiled, w);
    column_store(bodies->angular_velocity_x + body, w[0], tiled);
    column_store(bodies->angular_velocity_y + body, w[1], tiled);
    column_store(bodies->angular_velocity_z + body, w[2], tiled);
    members_load(poses, tiled, p);
    for (int i = 0; i < 3; i++)
        column_store(motions[i], p[i], tiled);
    members_load(poses + TR3_PART, tiled, q);
    column_store(bodies->rotation_x + body, q[0], tiled);
    column_store(bodies->rotation_y + body, q[1], tiled);
    column_store(bodies->rotation_z + body, q[2], tiled);
    column_store(bodies->rotation_w + body, q[3], tiled);
}

/* does the same as finish_body() in stage_rows.c */
static bool finish_bodies(const tr3_kernel_context *k, const tr3_bodies *bodies, uint32_t body, uint32_t row)
{
    if (!all_sane(k, row))
        return false;
    float motions[3][TR_LANES];
    if (k->tiled)
        finish_records(k, bodies, body, row, true, motions);
    else
        finish_records(k, bodies, body, row, false, motions);
    add_motions(bodies->center_x + body, motions[0]);
    add_motions(bodies->center_y + body, motions[1]);
    add_motions(bodies->center_z + body, motions[2]);
    return true;
}
