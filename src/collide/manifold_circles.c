/* Contact points of many pairs of circles: four at a time, with the operations of manifold.c in their order. */
#include "collide/manifold_internal.h"

#include <float.h>
#include <string.h>

#define TR_WIDTH 4
#include "simd/wide.h"

#define COLUMNS 5u

static void collide_four(const float *const in[COLUMNS], uint32_t count, tr2_manifold *out)
{
    wf x = wf_load(in[0]), y = wf_load(in[1]), radius_a = wf_load(in[2]), radius_b = wf_load(in[3]);
    wf margin = wf_load(in[4]);
    wf square = x * x + y * y, far = (radius_a + radius_b) + margin, length = wf_sqrt(square);
    wm apart = wf_lt(wf_set(FLT_MIN), length);
    wf inverse = wf_set(1.0f) / wf_select(apart, length, wf_set(1.0f));
    wf normal_x = wf_keep(apart, inverse * x), normal_y = wf_select(apart, inverse * y, wf_set(1.0f));
    wf separation = (length - radius_a) - radius_b, half = wf_set(0.5f);
    /* halfway between the surfaces of A and of B */
    wf point_x = half * (radius_a * normal_x + (x + -radius_b * normal_x));
    wf point_y = half * (radius_a * normal_y + (y + -radius_b * normal_y));

    /* what is too far apart has zeros only */
    wm near = wm_and(wf_le(square, far * far), wf_le(separation, margin));
    float is_near[4], gap[4], normal[2][4], point[2][4];
    wf_store(is_near, wf_keep(near, wf_set(1.0f)));
    wf_store(gap, wf_keep(near, separation));
    wf_store(normal[0], wf_keep(near, normal_x));
    wf_store(normal[1], wf_keep(near, normal_y));
    wf_store(point[0], wf_keep(near, point_x));
    wf_store(point[1], wf_keep(near, point_y));
    for (uint32_t i = 0; i < count; i++)
        out[i] =
            (tr2_manifold){{normal[0][i], normal[1][i]}, is_near[i] > 0.0f, {{{point[0][i], point[1][i]}, gap[i], 0}}};
}

void tr2_collide_circles(const tr2_circle_pairs *pairs, uint32_t count, tr2_manifold *out)
{
    const float *in[COLUMNS] = {pairs->x, pairs->y, pairs->radius_a, pairs->radius_b, pairs->margin};
    uint32_t rest = count % 4;
    for (uint32_t first = 0; first < count - rest; first += 4) {
        collide_four(in, 4, out + first);
        for (uint32_t k = 0; k < COLUMNS; k++)
            in[k] += 4;
    }
    if (rest == 0)
        return;
    /* the last few among zeros */
    float last[COLUMNS][4] = {{0.0f}};
    const float *padded[COLUMNS];
    for (uint32_t k = 0; k < COLUMNS; k++) {
        memcpy(last[k], in[k], rest * sizeof(float));
        padded[k] = last[k];
    }
    collide_four(padded, rest, out + count - rest);
}
