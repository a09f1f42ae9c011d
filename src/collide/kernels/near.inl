/*
 * First tests of pairs of shapes, one pair per lane: by their bounding boxes, and by boxes that turn with the shapes.
 * TR_WIDTH as in simd/wide.h.
 */
#include "collide/kernels/kernels.h"
#include "simd/rows.h"

_Static_assert(offsetof(tr2_mover, half_y) == offsetof(tr2_mover, velocity_x) + 7 * sizeof(float),
               "what pairs need of a motion is eight floats without gaps");
_Static_assert(offsetof(tr2_geometry, half) == offsetof(tr2_geometry, extent) + 2 * sizeof(float),
               "the half sides are read with the extent, as four floats");
_Static_assert(offsetof(tr2_shape_place, s) == offsetof(tr2_shape_place, c) + sizeof(float) &&
                   sizeof(tr2_shape_place) >= offsetof(tr2_shape_place, c) + 4 * sizeof(float),
               "a rotation is read with what follows it, as four floats");

/* Upper bound of the relative speed of two shapes near each other: that at the centre of the smaller one, at (x, y)
   from the larger one's, plus the effect of relative rotation within its extent. */
TR_INLINE wf closing_speed(const w4 *small, const w4 *large, wf x, wf y)
{
    wf speed_x = small->x - (large->x - large->z * y), speed_y = small->y - (large->y + large->z * x);
    return wf_sqrt(speed_x * speed_x + speed_y * speed_y) + wf_abs(large->z - small->z) * small->w;
}

static tr2_near_bits near_pairs(const tr2_mover_pairs *pairs, float turn_least, float *margins)
{
    tr2_near_bits bits = {0, 0, 0};
    for (uint32_t first = 0; first < pairs->count; first += TR_WIDTH) {
        /* missing pairs repeat the last */
        const double *place_a[TR_WIDTH], *place_b[TR_WIDTH];
        const float *going_a[TR_WIDTH], *going_b[TR_WIDTH];
        for (uint32_t i = 0; i < TR_WIDTH; i++) {
            uint32_t pair = first + i < pairs->count ? first + i : pairs->count - 1;
            place_a[i] = &pairs->a[pair]->x;
            place_b[i] = &pairs->b[pair]->x;
            going_a[i] = &pairs->a[pair]->velocity_x;
            going_b[i] = &pairs->b[pair]->velocity_x;
        }
        wf x, y;
        wf_difference_from(place_a, place_b, &x, &y);
        w4 a = w4_load_from(going_a, 0), b = w4_load_from(going_b, 0);
        w4 size_a = w4_load_from(going_a, 4), size_b = w4_load_from(going_b, 4);

        wm a_small = wf_le(a.w, b.w);
        w4 small = w4_select(a_small, a, b), large = w4_select(a_small, b, a);
        wf way =
            closing_speed(&small, &large, wf_select(a_small, -x, x), wf_select(a_small, -y, y)) * wf_set(pairs->dt);
        wf least = wf_min(a.w, b.w), margin = wf_set(pairs->speculative) + wf_min(way, least);
        wf gap = wf_max(wf_abs(x) - (size_a.z + size_b.z), wf_abs(y) - (size_a.w + size_b.w));
        wf turn = wf_max(wf_abs(a.z), wf_abs(b.z)) * wf_set(pairs->dt);
        wf_store(margins + first, margin);

        uint32_t left = pairs->count - first, there = (UINT32_C(1) << (left < TR_WIDTH ? left : TR_WIDTH)) - 1;
        bits.near |= (there & ~wm_bits(wf_lt(margin, gap))) << first;
        bits.passing |= (there & wm_bits(wf_lt(least, way))) << first;
        bits.turning |= (there & wm_bits(wf_lt(wf_set(turn_least), turn))) << first;
    }
    return bits;
}

/* How far rectangles are apart along the axes of one of them: (c, s) is its rotation, (x, y) the other's centre from
   its, `turned` the absolute values of its rotation relative to the other. */
TR_INLINE wf gap_along(const w4 *turn, wf x, wf y, const w4 *size, const w4 *other, wf turned_c, wf turned_s)
{
    wf along = wf_abs(turn->x * x + turn->y * y), across = wf_abs(turn->x * y - turn->y * x);
    return wf_max(along - (size->z + (turned_c * other->z + turned_s * other->w)),
                  across - (size->w + (turned_s * other->z + turned_c * other->w)));
}

static uint32_t apart_pairs(const tr2_shape_place *const *places_a, const tr2_shape_place *const *places_b,
                            const float *margins, uint32_t count)
{
    /* more than the rounding errors here; those of sizes are in the rectangles */
    const wf more = wf_set(1.00001f);
    uint32_t bits = 0;
    for (uint32_t first = 0; first < count; first += TR_WIDTH) {
        /* missing pairs repeat the last */
        const double *at_a[TR_WIDTH], *at_b[TR_WIDTH];
        const float *turns_a[TR_WIDTH], *turns_b[TR_WIDTH], *sizes_a[TR_WIDTH], *sizes_b[TR_WIDTH];
        float margin[TR_WIDTH];
        for (uint32_t i = 0; i < TR_WIDTH; i++) {
            uint32_t pair = first + i < count ? first + i : count - 1;
            const tr2_shape_place *a = places_a[pair], *b = places_b[pair];
            at_a[i] = &a->at.x;
            at_b[i] = &b->at.x;
            /* with what follows them */
            turns_a[i] = &a->c;
            turns_b[i] = &b->c;
            /* with the half sides */
            sizes_a[i] = &a->geometry->extent;
            sizes_b[i] = &b->geometry->extent;
            margin[i] = margins[pair];
        }
        wf x, y;
        wf_difference_from(at_a, at_b, &x, &y);
        w4 a = w4_load_from(turns_a, 0), b = w4_load_from(turns_b, 0);
        w4 size_a = w4_load_from(sizes_a, 0), size_b = w4_load_from(sizes_b, 0);
        wf c = wf_abs(a.x * b.x + a.y * b.y), s = wf_abs(a.x * b.y - a.y * b.x);
        wf gap = wf_max(gap_along(&a, x, y, &size_a, &size_b, c, s), gap_along(&b, x, y, &size_b, &size_a, c, s));

        uint32_t left = count - first, there = (UINT32_C(1) << (left < TR_WIDTH ? left : TR_WIDTH)) - 1;
        bits |= (there & wm_bits(wf_lt(wf_load(margin) * more, gap))) << first;
    }
    return bits;
}
