/* Bounding boxes of quadrilaterals, one per lane. TR_WIDTH as in simd/wide.h. */
#include <float.h>

#include "collide/kernels/kernels.h"
#include "simd/rows.h"

/* relative to how far a shape needs its box: more than the rounding errors here, and those of doubles within
   TR2_QUAD_FAR */
#define BOUNDS_SLACK 4e-6f

/* how far shapes reach to each side of their bodies' origins; as bounds_of() in shape_geometry.c */
typedef struct quad_sides {
    wf left, right, down, up;
} quad_sides;

TR_INLINE quad_sides sides_of(const float *const *corners, wf c, wf s, wf out)
{
    w4 corner = w4_load_from(corners, 0);
    wf low_x = c * corner.x - s * corner.y, low_y = s * corner.x + c * corner.y, high_x = low_x, high_y = low_y;
    for (size_t i = 1; i < 4; i++) {
        corner = w4_load_from(corners, 4 * i);
        wf x = c * corner.x - s * corner.y, y = s * corner.x + c * corner.y;
        low_x = wf_min(low_x, x);
        low_y = wf_min(low_y, y);
        high_x = wf_max(high_x, x);
        high_y = wf_max(high_y, y);
    }
    quad_sides sides = {out - low_x, high_x + out, out - low_y, high_y + out};
    return sides;
}

static uint32_t bound_quads(const tr2_quad_batch *quads)
{
    const wf zero = wf_zero(), dt = wf_set(quads->dt), room = wf_set(quads->room), more = wf_set(1.0f + BOUNDS_SLACK);
    uint32_t bits = 0;
    for (uint32_t first = 0; first < quads->count; first += TR_WIDTH) {
        /* missing shapes repeat the last */
        const float *corners[TR_WIDTH], *geometry[TR_WIDTH], *going[TR_WIDTH];
        const double *at[TR_WIDTH], *lower[TR_WIDTH], *upper[TR_WIDTH];
        float c[TR_WIDTH], s[TR_WIDTH], half_x[TR_WIDTH], half_y[TR_WIDTH];
        for (uint32_t i = 0; i < TR_WIDTH; i++) {
            uint32_t n = first + i < quads->count ? first + i : quads->count - 1;
            corners[i] = &quads->geometry[n]->corners[0].point.x;
            geometry[i] = &quads->geometry[n]->radius;
            going[i] = &quads->mover[n]->velocity_x;
            at[i] = &quads->mover[n]->x;
            lower[i] = &quads->box[n]->lower_x;
            upper[i] = &quads->box[n]->upper_x;
            c[i] = quads->c[n];
            s[i] = quads->s[n];
        }
        /* the radius, and the extent */
        w4 size = w4_load_from(geometry, 0), going_on = w4_load_from(going, 0);
        wf extent = going_on.w, out = size.x + wf_set(4.0f * FLT_EPSILON) * (wf_set(1.5f) * extent);
        quad_sides sides = sides_of(corners, wf_load(c), wf_load(s), out);
        wf_store(half_x, wf_max(sides.left, sides.right));
        wf_store(half_y, wf_max(sides.down, sides.up));

        wf x = going_on.x * dt, y = going_on.y * dt, left, right, down, up;
        wf swing = room + wf_min(wf_abs(going_on.z) * dt, wf_set(2.0f)) * extent;
        wf_difference_from(lower, at, &left, &down);
        wf_difference_from(at, upper, &right, &up);
        wm stays_x = wm_and(wf_le(more * (sides.left + swing + wf_max(-x, zero)), left),
                            wf_le(more * (sides.right + swing + wf_max(x, zero)), right));
        wm stays_y = wm_and(wf_le(more * (sides.down + swing + wf_max(-y, zero)), down),
                            wf_le(more * (sides.up + swing + wf_max(y, zero)), up));

        uint32_t left_over = quads->count - first, there = left_over < TR_WIDTH ? left_over : TR_WIDTH;
        for (uint32_t i = 0; i < there; i++) {
            quads->mover[first + i]->half_x = half_x[i];
            quads->mover[first + i]->half_y = half_y[i];
        }
        bits |= (((UINT32_C(1) << there) - 1) & wm_bits(wm_and(stays_x, stays_y))) << first;
    }
    return bits;
}
