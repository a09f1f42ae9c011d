/* Bodies on TR_WIDTH lanes: from their table to the state of a step, and back. */
#include <float.h>
#include <string.h>

#include "solver/plane/bodies.inl"
#include "solver/plane/rotation.h"

/* inertias of 16 movable bodies; 0 if they cannot rotate, then in `out` */
static const float *turnable_inertias(const tr2_bodies *bodies, uint32_t body, uint32_t any, float out[TR_LANES])
{
    const float *inertia = bodies->inertia + body;
    if ((any & TR_BODY_FIXED_ROTATION) == 0)
        return inertia;
    for (uint32_t i = 0; i < TR_LANES; i++)
        out[i] = (bodies->flags[body + i] & TR_BODY_FIXED_ROTATION) != 0 ? 0.0f : inertia[i];
    return out;
}

/* accelerations of 16 rows other than gravity, as in prepare_pull() in stage_rows.c */
static void prepare_pulls(const tr2_kernel_context *k, const tr2_bodies *bodies, const float *inertia, uint32_t body,
                          uint32_t row)
{
    const wf zero = wf_zero(), one = wf_set(1.0f), h = wf_set(k->h);
    const wf gravity_x = wf_set(k->gravity.x), gravity_y = wf_set(k->gravity.y);
    for (uint32_t lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        uint32_t b = body + lane;
        size_t at = row + lane;
        wf im = wf_inverse_or_zero(wf_load(bodies->mass + b)), ii = wf_inverse_or_zero(wf_load(inertia + lane));
        wf g = numbers(bodies->gravity_scale, b, 1.0f);
        wf fades = h * numbers(bodies->linear_damping, b, 0.0f), linear = one / (one + fades);
        wf stills = h * numbers(bodies->angular_damping, b, 0.0f), angular = one / (one + stills);
        w4 scale = {linear, linear, angular, one};
        if (k->low != NULL)
            scale = (w4){-(fades * linear), -(fades * linear), -(stills * angular), zero};
        w4 gain = {h * (gravity_x * g + im * numbers(bodies->force_x, b, 0.0f)) * linear,
                   h * (gravity_y * g + im * numbers(bodies->force_y, b, 0.0f)) * linear,
                   h * (ii * numbers(bodies->torque, b, 0.0f)) * angular, zero};
        w4_store_rows(k->scale + 4 * at, in_a_row, 4, scale);
        w4_store_rows(k->gain + 4 * at, in_a_row, 4, gain);
    }
}

/* restrict allows vectorisation */
static void put_places(double *restrict places, const double *restrict x, const double *restrict y)
{
    for (uint32_t i = 0; i < TR_LANES; i++) {
        places[2 * i] = x[i];
        places[2 * i + 1] = y[i];
    }
}

/* prefetches the input of the tile after the next: it has more columns than the hardware prefetcher follows */
static void prefetch_tile(const tr2_bodies *bodies, uint32_t body)
{
    const float *narrow[] = {bodies->mass,       bodies->inertia,         bodies->c, bodies->s, bodies->velocity_x,
                             bodies->velocity_y, bodies->angular_velocity};
    const double *wide[] = {bodies->center_x, bodies->center_y, bodies->angle};
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
TR_INLINE void prepare_records(const tr2_kernel_context *k, const tr2_bodies *bodies, const float *inertia,
                               uint32_t body, uint32_t row, bool tiled)
{
    const w16 frame[4] = {column_load(bodies->c + body, tiled), column_load(bodies->s + body, tiled),
                          inverses_or_zero(column_load(bodies->mass + body, tiled)),
                          inverses_or_zero(column_load(inertia, tiled))};
    const w16 velocity[4] = {column_load(bodies->velocity_x + body, tiled),
                             column_load(bodies->velocity_y + body, tiled),
                             column_load(bodies->angular_velocity + body, tiled), w16_set(0.0f)};
    /* frames of tiles are not apart */
    size_t at = tiled ? row : (size_t)(tr2_frame_row(k, TR2_ROW * (int32_t)row) / TR2_ROW);
    members_store((float *)(k->frames + at), tiled, frame);
    members_store((float *)(k->velocities + row), tiled, velocity);
}

/* does the same as prepare_body() in stage_rows.c, with operations in the same order */
static bool prepare_bodies(const tr2_kernel_context *k, const tr2_bodies *bodies, uint32_t body, uint32_t row)
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
    if (!k->tiled)
        put_places(&k->places[row].x, bodies->center_x + body, bodies->center_y + body);
    memset(k->marks + row, TR_MARK_FALLS, TR_LANES);
    k->marks[row] = TR_MARK_FALLS | TR_MARK_TILE | (k->tiled ? TR_MARK_TILED : 0);
    return true;
}

/* whether 16 angles are so far from the greatest that no step passes it */
static bool angles_have_room(const double *angle)
{
    const uint64_t most = tr2_bits_of(TR2_ANGLE_MAX - (double)TR_SANE_TURN);
    uint64_t far = 0;
    TR_TILE_LOOP
    for (uint32_t i = 0; i < TR_LANES; i++)
        far |= most - (tr2_bits_of(angle[i]) & INT64_MAX);
    return far >> 63 == 0;
}

/* whether 16 rows can be finished: the last pass may have changed a velocity after its position was computed, or the
   position itself */
static bool all_sane(const tr2_kernel_context *k, const tr2_bodies *bodies, uint32_t body, uint32_t row)
{
    const wf fast = wf_set(tr2_sane_speed(k)), far = wf_set(TR_SANE_TURN), h = wf_set(k->h), most = wf_set(FLT_MAX);
    bool all = true;
    const float *velocities = (const float *)(k->velocities + row), *poses = (const float *)(k->poses + row);
    for (int lane = 0; lane < TR_LANES; lane += TR_WIDTH) {
        w4 v = run_load(velocities, lane, k->tiled), p = run_load(poses, lane, k->tiled);
        wm slow = wm_and(wf_le(wf_abs(v.x), fast), wf_le(wf_abs(v.y), fast));
        wm turns = wm_and(wf_le(wf_abs(v.z) * h, far), wf_le(wf_abs(v.w), far));
        wm moves = wm_and(wf_le(wf_abs(p.x), most), wf_le(wf_abs(p.y), most));
        all = all && wm_all(wm_and(wm_and(slow, turns), moves));
    }
    return all && none_bad(k->marks + row) && angles_have_room(bodies->angle + body);
}

/* velocities of 16 rows to their columns, and their motions in this step: x, y, angle */
TR_INLINE void finish_records(const tr2_kernel_context *k, const tr2_bodies *bodies, uint32_t body, uint32_t row,
                              bool tiled, float motions[3][TR_LANES])
{
    w16 v[4], p[4];
    members_load((const float *)(k->velocities + row), tiled, v);
    members_load((const float *)(k->poses + row), tiled, p);
    column_store(bodies->velocity_x + body, v[0], tiled);
    column_store(bodies->velocity_y + body, v[1], tiled);
    column_store(bodies->angular_velocity + body, v[2], tiled);
    column_store(motions[0], p[0], tiled);
    column_store(motions[1], p[1], tiled);
    column_store(motions[2], v[3], tiled);
}

/* Adds the motions to 16 angles, and computes their rotations; false if some angle is too large for that. Inlined, it
   would test whether the columns overlap. */
static __attribute__((noinline)) bool add_turns(double *restrict angle, const float *restrict motions,
                                                float *restrict c, float *restrict s)
{
    const uint64_t most = tr2_bits_of(TR2_ROTATION_MOST);
    uint64_t far = 0;
    TR_TILE_LOOP
    for (uint32_t i = 0; i < TR_LANES; i++) {
        double now = angle[i] + (double)motions[i];
        angle[i] = now;
        far |= most - (tr2_bits_of(now) & INT64_MAX);
        tr2_rotation_of(now, &c[i], &s[i]);
    }
    return far >> 63 == 0;
}

/* does the same as finish_body() in stage_rows.c */
static bool finish_bodies(const tr2_kernel_context *k, const tr2_bodies *bodies, uint32_t body, uint32_t row)
{
    if (!all_sane(k, bodies, body, row))
        return false;
    float motions[3][TR_LANES];
    if (k->tiled)
        finish_records(k, bodies, body, row, true, motions);
    else
        finish_records(k, bodies, body, row, false, motions);
    add_motions(bodies->center_x + body, motions[0]);
    add_motions(bodies->center_y + body, motions[1]);
    if (!add_turns(bodies->angle + body, motions[2], bodies->c + body, bodies->s + body)) {
        for (uint32_t i = body; i < body + TR_LANES; i++)
            tr2_rotation(bodies->angle[i], &bodies->c[i], &bodies->s[i]);
    }
    return true;
}
