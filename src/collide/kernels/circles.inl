/*
 * Contacts of pairs of circles, one pair per lane. The operations are those of collide_circles() in manifold.c, in the
 * same order, so that the bits are the same. TR_WIDTH as in simd/wide.h.
 */
#include <float.h>

#include "collide/kernels/kernels.h"
#include "simd/rows.h"

/* gathered circles; x and y from the centre of A to that of B */
typedef struct circle_lanes {
    wf x, y, radius_a, radius_b, margin;
    wf way_x, way_y; /* of A in the step, as seen from B */
    wf aside_least;  /* TR2_ASIDE_LEAST, in m */
    wm passing;
    const float *going_a[TR_WIDTH], *going_b[TR_WIDTH]; /* pointers to their velocities */
} circle_lanes;

/* the pairs of one vector; missing ones repeat the last */
TR_INLINE void load_circles(const tr2_mover_pairs *pairs, uint32_t first, circle_lanes *out)
{
    const double *place_a[TR_WIDTH], *place_b[TR_WIDTH];
    for (uint32_t i = 0; i < TR_WIDTH; i++) {
        uint32_t pair = first + i < pairs->count ? first + i : pairs->count - 1;
        place_a[i] = &pairs->a[pair]->x;
        place_b[i] = &pairs->b[pair]->x;
        out->going_a[i] = &pairs->a[pair]->velocity_x;
        out->going_b[i] = &pairs->b[pair]->velocity_x;
    }
    wf_difference_from(place_a, place_b, &out->x, &out->y);
    w4 a = w4_load_from(out->going_a, 0), b = w4_load_from(out->going_b, 0);
    wf speed_x = a.x - b.x, speed_y = a.y - b.y, least = wf_min(a.w, b.w);
    wf way = wf_sqrt(speed_x * speed_x + speed_y * speed_y) * wf_set(pairs->dt);
    out->way_x = speed_x * wf_set(pairs->dt);
    out->way_y = speed_y * wf_set(pairs->dt);
    out->aside_least = wf_set(TR2_ASIDE_LEAST * pairs->unit);
    out->radius_a = a.w;
    out->radius_b = b.w;
    out->margin = wf_set(pairs->speculative) + wf_min(way, least);
    out->passing = wf_lt(least, way);
}

/* content of a manifold, by lane */
enum {
    CIRCLE_NORMAL_X,
    CIRCLE_NORMAL_Y,
    CIRCLE_GAP,
    CIRCLE_FROM_A,
    CIRCLE_FROM_B = CIRCLE_FROM_A + 2,
    CIRCLE_ROWS = CIRCLE_FROM_B + 2
};

/* Writes the contact of where the circles of some lanes will meet, or be nearest if they pass each other, expressed at
   the start of the step. A motion that passes does not touch it, but others may push the circles together within the
   step. Returns the lanes that pass at more than the speculative distance. */
TR_INLINE uint32_t meet_circles(const circle_lanes *it, wm which, wf speculative, wf contact[CIRCLE_ROWS])
{
    wf one = wf_set(1.0f), speed = wf_sqrt(it->way_x * it->way_x + it->way_y * it->way_y);
    wf inverse = one / wf_select(which, speed, one), x = inverse * it->way_x, y = inverse * it->way_y;
    wf along = it->x * x + it->y * y, aside = wf_abs(it->x * y - it->y * x), sum = it->radius_a + it->radius_b;
    wf most = wf_set(TR2_STEPS_RELAXED) * speed;
    wm meets = wf_lt(aside, sum);
    wf gone = along - wf_sqrt(wf_keep(meets, (sum - aside) * (sum + aside)));
    meets = wm_and(meets, wf_le(gone, most));
    gone = wf_select(meets, gone, wf_min(along, most));
    wf apart_x = it->x - gone * x, apart_y = it->y - gone * y;
    wf apart = wf_select(meets, sum, wf_sqrt(apart_x * apart_x + apart_y * apart_y));
    wf normal_x = apart_x / apart, normal_y = apart_y / apart;
    wf then[CIRCLE_ROWS] = {normal_x, normal_y, gone * (x * normal_x + y * normal_y) + (apart - sum)};
    w4 a = w4_load_from(it->going_a, 4), b = w4_load_from(it->going_b, 4);
    then[CIRCLE_FROM_A] = it->radius_a * normal_x + a.x;
    then[CIRCLE_FROM_A + 1] = it->radius_a * normal_y + a.y;
    then[CIRCLE_FROM_B] = b.x - it->radius_b * normal_x;
    then[CIRCLE_FROM_B + 1] = b.y - it->radius_b * normal_y;
    wm near = wf_le(apart - sum, speculative), touched = wm_and(which, near);
    for (int i = 0; i < CIRCLE_ROWS; i++)
        contact[i] = wf_select(touched, then[i], contact[i]);
    return wm_bits(which) & ~wm_bits(near);
}

/* The lanes whose circles are apart, and move so far along their contact before they meet that it may be another
   one then. */
TR_INLINE wm may_miss(const circle_lanes *it, wf gap, wf normal_x, wf normal_y)
{
    wf closing = it->way_x * normal_x + it->way_y * normal_y;
    wf aside = wf_abs(it->way_x * normal_y - it->way_y * normal_x);
    return wm_and(wf_lt(wf_zero(), gap), wm_and(wf_lt(gap, wf_set(TR2_STEPS_RELAXED) * closing),
                                                wf_lt(it->aside_least * closing, aside * gap)));
}

/* Returns the lanes that have a contact, and fills `rows` if there is one; `decided`: those that meet or pass. */
TR_INLINE uint32_t touch_circles(const circle_lanes *it, wf speculative, float rows[CIRCLE_ROWS][TR_WIDTH],
                                 uint32_t *decided)
{
    *decided = 0;
    wf square = it->x * it->x + it->y * it->y, far = (it->radius_a + it->radius_b) + it->margin;
    wm within = wf_le(square, far * far);
    if (wm_bits(within) == 0)
        return 0;
    wf length = wf_sqrt(square), half = wf_set(0.5f);
    wm apart = wf_lt(wf_set(FLT_MIN), length);
    wf inverse = wf_set(1.0f) / wf_select(apart, length, wf_set(1.0f));
    wf normal_x = wf_keep(apart, inverse * it->x), normal_y = wf_select(apart, inverse * it->y, wf_set(1.0f));
    wf gap = (length - it->radius_a) - it->radius_b;
    /* halfway between the surfaces of A and B */
    wf x = half * (it->radius_a * normal_x + (it->x + -it->radius_b * normal_x));
    wf y = half * (it->radius_a * normal_y + (it->y + -it->radius_b * normal_y));
    w4 a = w4_load_from(it->going_a, 4), b = w4_load_from(it->going_b, 4);
    wf contact[CIRCLE_ROWS] = {normal_x, normal_y, gap, x + a.x, y + a.y, (x - it->x) + b.x, (y - it->y) + b.y};
    wm within_margin = wm_and(within, wf_le(gap, it->margin));
    wm asked = wm_and(within_margin, may_miss(it, gap, normal_x, normal_y));
    uint32_t near = wm_bits(within_margin);
    *decided = wm_bits(asked);
    if (*decided != 0)
        near &= ~meet_circles(it, asked, speculative, contact);
    for (int i = 0; i < CIRCLE_ROWS; i++)
        wf_store(rows[i], contact[i]);
    return near;
}

static tr2_circle_bits collide_circles(const tr2_mover_pairs *pairs, const uint32_t *place, tr2_manifold *out)
{
    tr2_circle_bits bits = {0, 0};
    for (uint32_t first = 0; first < pairs->count; first += TR_WIDTH) {
        float rows[CIRCLE_ROWS][TR_WIDTH];
        circle_lanes lanes;
        load_circles(pairs, first, &lanes);
        uint32_t left = pairs->count - first;
        uint32_t there = left < TR_WIDTH ? (UINT32_C(1) << left) - 1 : UINT32_MAX;
        uint32_t decided, near = touch_circles(&lanes, wf_set(pairs->speculative), rows, &decided) & there;
        bits.near |= near << first;
        bits.passing |= (wm_bits(lanes.passing) & there & ~decided) << first;
        for (; near != 0; near &= near - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(near);
            out[place[first + i]] = (tr2_manifold){
                {rows[CIRCLE_NORMAL_X][i], rows[CIRCLE_NORMAL_Y][i]},
                1,
                {{{rows[CIRCLE_FROM_A][i], rows[CIRCLE_FROM_A + 1][i]}, rows[CIRCLE_GAP][i], 0},
                 {{rows[CIRCLE_FROM_B][i], rows[CIRCLE_FROM_B + 1][i]}, 0.0f, 0}},
            };
        }
    }
    return bits;
}
