/*
 * Moves records of bodies between memory and SIMD lanes. A record is a row of floats in memory, each of its members
 * becomes a vector. Rows are loaded whole and transposed in registers, which is three times faster than gather
 * instructions. TR_WIDTH as for simd/wide.h.
 */
#ifndef TR_SIMD_ROWS_H
#define TR_SIMD_ROWS_H

#include "simd/wide.h"

/*
 * Rows of four floats, one vector per member. The row of a lane is base[stride * index[lane] + 0 .. 3]. Indices are not
 * negative; with a stride of 1 each costs one instruction.
 */
typedef struct w4 {
    wf x, y, z, w;
} w4;

/* a in lanes where m is set, b in the others */
TR_INLINE w4 w4_select(wm m, w4 a, w4 b)
{
    return (w4){wf_select(m, a.x, b.x), wf_select(m, a.y, b.y), wf_select(m, a.z, b.z), wf_select(m, a.w, b.w)};
}

TR_INLINE w4 w4_minus(w4 a, w4 b)
{
    return (w4){a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}

/* unsigned, so that a loaded index needs no sign extension in an address */
TR_INLINE size_t w4_offset(int32_t index, int32_t stride)
{
    return (size_t)(uint32_t)index * (uint32_t)stride;
}

/* A pair of doubles of an array of pairs. `index` is that of the body's record of four floats, counted in floats, so
   the pair begins at index / 2. */
TR_INLINE const double *w4_pair(const double *base, int32_t index)
{
    return base + (size_t)((uint32_t)index / 2);
}

#if TR_WIDTH == 1

/* rows as they are in memory, and their transpose: with single lanes there is nothing to transpose */
TR_INLINE w4 w4_raw_rows(const float *base, const int32_t *index, int32_t stride)
{
    const float *r = base + w4_offset(index[0], stride);
    w4 a = {r[0], r[1], r[2], r[3]};
    return a;
}

TR_INLINE w4 w4_transposed(w4 a)
{
    return a;
}

TR_INLINE w4 w4_load_rows(const float *base, const int32_t *index, int32_t stride)
{
    return w4_raw_rows(base, index, stride);
}

TR_INLINE void w4_store_rows(float *base, const int32_t *index, int32_t stride, w4 a)
{
    float *r = base + w4_offset(index[0], stride);
    r[0] = a.x;
    r[1] = a.y;
    r[2] = a.z;
    r[3] = a.w;
}

/* the same from arbitrary addresses: rows[lane] + offset */
TR_INLINE w4 w4_load_from(const float *const *rows, size_t offset)
{
    const float *r = rows[0] + offset;
    w4 a = {r[0], r[1], r[2], r[3]};
    return a;
}

/* four groups of rows; the order is that of w4_load_groups() below */
TR_INLINE w4 w4_raw_groups(const float *base, const int32_t *index, int lane)
{
    const float *r = base + index[lane % 4] + 4 * (lane / 4);
    w4 a = {r[0], r[1], r[2], r[3]};
    return a;
}

TR_INLINE w4 w4_load_groups(const float *base, const int32_t *index, int lane)
{
    return w4_raw_groups(base, index, lane);
}

TR_INLINE void w4_store_groups(float *base, const int32_t *index, int lane, w4 a)
{
    float *r = base + index[lane % 4] + 4 * (lane / 4);
    r[0] = a.x;
    r[1] = a.y;
    r[2] = a.z;
    r[3] = a.w;
}

/* b - a of pairs of doubles, rounded to float */
TR_INLINE void wf_difference_from(const double *const *a, const double *const *b, wf *x, wf *y)
{
    *x = (float)(b[0][0] - a[0][0]);
    *y = (float)(b[0][1] - a[0][1]);
}

/* the same, with the addresses of w4_pair() */
TR_INLINE void wf_difference_rows(const double *base, const int32_t *a, const int32_t *b, wf *x, wf *y)
{
    const double *p = w4_pair(base, a[0]), *q = w4_pair(base, b[0]);
    *x = (float)(q[0] - p[0]);
    *y = (float)(q[1] - p[1]);
}

/* the same for four groups of rows each, in the order of w4_load_groups() */
TR_INLINE void wf_difference_groups(const double *base, const int32_t *a, const int32_t *b, int lane, wf *x, wf *y)
{
    int32_t at_a = a[lane % 4] + 4 * (lane / 4), at_b = b[lane % 4] + 4 * (lane / 4);
    wf_difference_rows(base, &at_a, &at_b, x, y);
}

/* as w4_store_rows(), but only rows with an index below `end` */
TR_INLINE void w4_store_rows_below(float *base, const int32_t *index, int32_t stride, w4 a, int32_t end)
{
    if (index[0] < end)
        w4_store_rows(base, index, stride, a);
}

#else

#if TR_WIDTH == 4

#define TR_UNPACKLO(a, b)   simde_mm_unpacklo_ps(a, b)
#define TR_UNPACKHI(a, b)   simde_mm_unpackhi_ps(a, b)
#define TR_SHUFFLE(a, b, i) simde_mm_shuffle_ps(a, b, i)

TR_INLINE wf w4_quads(const float *base, const int32_t *index, int32_t stride, int lane)
{
    return simde_mm_loadu_ps(base + w4_offset(index[lane], stride));
}

TR_INLINE wf w4_quads_from(const float *const *rows, size_t offset, int lane)
{
    return simde_mm_loadu_ps(rows[lane] + offset);
}

TR_INLINE simde__m128 w4_quad(wf a, int part)
{
    (void)part;
    return a;
}

#elif TR_WIDTH == 8

#define TR_UNPACKLO(a, b)   simde_mm256_unpacklo_ps(a, b)
#define TR_UNPACKHI(a, b)   simde_mm256_unpackhi_ps(a, b)
#define TR_SHUFFLE(a, b, i) simde_mm256_shuffle_ps(a, b, i)

TR_INLINE wf w4_quads(const float *base, const int32_t *index, int32_t stride, int lane)
{
    simde__m256 low = simde_mm256_castps128_ps256(simde_mm_loadu_ps(base + w4_offset(index[lane], stride)));
    return simde_mm256_insertf128_ps(low, simde_mm_loadu_ps(base + w4_offset(index[lane + 4], stride)), 1);
}

TR_INLINE wf w4_quads_from(const float *const *rows, size_t offset, int lane)
{
    simde__m256 low = simde_mm256_castps128_ps256(simde_mm_loadu_ps(rows[lane] + offset));
    return simde_mm256_insertf128_ps(low, simde_mm_loadu_ps(rows[lane + 4] + offset), 1);
}

TR_INLINE simde__m128 w4_quad(wf a, int part)
{
    return part == 0 ? simde_mm256_castps256_ps128(a) : simde_mm256_extractf128_ps(a, 1);
}

#else

#define TR_UNPACKLO(a, b)   simde_mm512_unpacklo_ps(a, b)
#define TR_UNPACKHI(a, b)   simde_mm512_unpackhi_ps(a, b)
#define TR_SHUFFLE(a, b, i) simde_mm512_shuffle_ps(a, b, i)

/* two vectors of 256 bits, which take fewer instructions than four of 128 */
TR_INLINE wf wf_halves(simde__m256 low, simde__m256 high)
{
    return simde_mm512_castpd_ps(simde_mm512_insertf64x4(simde_mm512_castpd256_pd512(simde_mm256_castps_pd(low)),
                                                         simde_mm256_castps_pd(high), 1));
}

TR_INLINE simde__m256 w4_two(const float *first, const float *second)
{
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(simde_mm_loadu_ps(first)), simde_mm_loadu_ps(second),
                                     1);
}

TR_INLINE wf w4_quads(const float *base, const int32_t *index, int32_t stride, int lane)
{
    return wf_halves(w4_two(base + w4_offset(index[lane], stride), base + w4_offset(index[lane + 4], stride)),
                     w4_two(base + w4_offset(index[lane + 8], stride), base + w4_offset(index[lane + 12], stride)));
}

TR_INLINE wf w4_quads_from(const float *const *rows, size_t offset, int lane)
{
    return wf_halves(w4_two(rows[lane] + offset, rows[lane + 4] + offset),
                     w4_two(rows[lane + 8] + offset, rows[lane + 12] + offset));
}

TR_INLINE simde__m128 w4_quad(wf a, int part)
{
    simde__m256 half = simde_mm512_castps512_ps256(a);
    if (part >= 2)
        half = simde_mm256_castpd_ps(simde_mm512_extractf64x4_pd(simde_mm512_castps_pd(a), 1));
    return part % 2 == 0 ? simde_mm256_castps256_ps128(half) : simde_mm256_extractf128_ps(half, 1);
}

#endif

/* transposes the 4 x 4 matrix in each group of four lanes; it is its own inverse */
TR_INLINE void w4_transpose(wf *a, wf *b, wf *c, wf *d)
{
    wf t0 = TR_UNPACKLO(*a, *b), t1 = TR_UNPACKHI(*a, *b), t2 = TR_UNPACKLO(*c, *d), t3 = TR_UNPACKHI(*c, *d);
    *a = TR_SHUFFLE(t0, t2, 0x44);
    *b = TR_SHUFFLE(t0, t2, 0xEE);
    *c = TR_SHUFFLE(t1, t3, 0x44);
    *d = TR_SHUFFLE(t1, t3, 0xEE);
}

TR_INLINE w4 w4_transposed(w4 a)
{
    w4_transpose(&a.x, &a.y, &a.z, &a.w);
    return a;
}

/* Rows as they are in memory, to be transposed. What is to be added or subtracted member by member may be so before:
   then the members that nobody needs cost nothing. */
TR_INLINE w4 w4_raw_rows(const float *base, const int32_t *index, int32_t stride)
{
    w4 a = {w4_quads(base, index, stride, 0), w4_quads(base, index, stride, 1), w4_quads(base, index, stride, 2),
            w4_quads(base, index, stride, 3)};
    return a;
}

TR_INLINE w4 w4_load_rows(const float *base, const int32_t *index, int32_t stride)
{
    return w4_transposed(w4_raw_rows(base, index, stride));
}

/* the same from arbitrary addresses: rows[lane] + offset */
TR_INLINE w4 w4_load_from(const float *const *rows, size_t offset)
{
    w4 a = {w4_quads_from(rows, offset, 0), w4_quads_from(rows, offset, 1), w4_quads_from(rows, offset, 2),
            w4_quads_from(rows, offset, 3)};
    w4_transpose(&a.x, &a.y, &a.z, &a.w);
    return a;
}

/*
 * 16 rows of four floats, in four groups of consecutive rows. Lane i of 16 has row i / 4 of group i % 4, which begins
 * at base + index[i % 4]. In this order whole vectors can be loaded and transposed, without assembling them from single
 * rows. `lane` is the first of the TR_WIDTH lanes.
 */
TR_INLINE w4 w4_raw_groups(const float *base, const int32_t *index, int lane)
{
    const float *r = base + lane; /* skips lane / 4 rows of 4 floats */
    w4 a = {wf_load(r + index[0]), wf_load(r + index[1]), wf_load(r + index[2]), wf_load(r + index[3])};
    return a;
}

TR_INLINE w4 w4_load_groups(const float *base, const int32_t *index, int lane)
{
    return w4_transposed(w4_raw_groups(base, index, lane));
}

TR_INLINE void w4_store_groups(float *base, const int32_t *index, int lane, w4 a)
{
    float *r = base + lane;
    w4_transpose(&a.x, &a.y, &a.z, &a.w);
    wf_store(r + index[0], a.x);
    wf_store(r + index[1], a.y);
    wf_store(r + index[2], a.z);
    wf_store(r + index[3], a.w);
}

TR_INLINE void w4_store_rows(float *base, const int32_t *index, int32_t stride, w4 a)
{
    w4_transpose(&a.x, &a.y, &a.z, &a.w);
    for (int part = 0; part < TR_WIDTH / 4; part++) {
        const int32_t *i = index + 4 * part;
        simde_mm_storeu_ps(base + w4_offset(i[0], stride), w4_quad(a.x, part));
        simde_mm_storeu_ps(base + w4_offset(i[1], stride), w4_quad(a.y, part));
        simde_mm_storeu_ps(base + w4_offset(i[2], stride), w4_quad(a.z, part));
        simde_mm_storeu_ps(base + w4_offset(i[3], stride), w4_quad(a.w, part));
    }
}

TR_INLINE void w4_store_rows_below(float *base, const int32_t *index, int32_t stride, w4 a, int32_t end)
{
    w4_transpose(&a.x, &a.y, &a.z, &a.w);
    for (int part = 0; part < TR_WIDTH / 4; part++) {
        const int32_t *i = index + 4 * part;
        if (i[0] < end)
            simde_mm_storeu_ps(base + w4_offset(i[0], stride), w4_quad(a.x, part));
        if (i[1] < end)
            simde_mm_storeu_ps(base + w4_offset(i[1], stride), w4_quad(a.y, part));
        if (i[2] < end)
            simde_mm_storeu_ps(base + w4_offset(i[2], stride), w4_quad(a.z, part));
        if (i[3] < end)
            simde_mm_storeu_ps(base + w4_offset(i[3], stride), w4_quad(a.w, part));
    }
}

/* the difference of one lane: x, y */
TR_INLINE simde__m128 wf_pair_difference(const double *a, const double *b)
{
    return simde_mm_cvtpd_ps(simde_mm_sub_pd(simde_mm_loadu_pd(b), simde_mm_loadu_pd(a)));
}

TR_INLINE void wf_difference_from(const double *const *a, const double *const *b, wf *x, wf *y)
{
#define TR_TWO(lane)                                                                                                   \
    simde_mm_movelh_ps(wf_pair_difference(a[lane], b[lane]), wf_pair_difference(a[lane + 1], b[lane + 1]))
#if TR_WIDTH == 4
    wf low = TR_TWO(0), high = TR_TWO(2);
#elif TR_WIDTH == 8
    wf low = simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(TR_TWO(0)), TR_TWO(4), 1);
    wf high = simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(TR_TWO(2)), TR_TWO(6), 1);
#else
    wf low = simde_mm512_insertf32x4(simde_mm512_castps128_ps512(TR_TWO(0)), TR_TWO(4), 1);
    low = simde_mm512_insertf32x4(simde_mm512_insertf32x4(low, TR_TWO(8), 2), TR_TWO(12), 3);
    wf high = simde_mm512_insertf32x4(simde_mm512_castps128_ps512(TR_TWO(2)), TR_TWO(6), 1);
    high = simde_mm512_insertf32x4(simde_mm512_insertf32x4(high, TR_TWO(10), 2), TR_TWO(14), 3);
#endif
#undef TR_TWO
    *x = TR_SHUFFLE(low, high, 0x88);
    *y = TR_SHUFFLE(low, high, 0xDD);
}

TR_INLINE void wf_difference_rows(const double *base, const int32_t *a, const int32_t *b, wf *x, wf *y)
{
    const double *from[TR_WIDTH], *to[TR_WIDTH];
    for (int lane = 0; lane < TR_WIDTH; lane++) {
        from[lane] = w4_pair(base, a[lane]);
        to[lane] = w4_pair(base, b[lane]);
    }
    wf_difference_from(from, to, x, y);
}

#if TR_WIDTH == 4

TR_INLINE void wf_difference_groups(const double *base, const int32_t *a, const int32_t *b, int lane, wf *x, wf *y)
{
    const int32_t at_a[4] = {a[0] + lane, a[1] + lane, a[2] + lane, a[3] + lane};
    const int32_t at_b[4] = {b[0] + lane, b[1] + lane, b[2] + lane, b[3] + lane};
    wf_difference_rows(base, at_a, at_b, x, y);
}

#else

/* the differences of two rows of one group: x, y, x, y */
TR_INLINE simde__m128 wf_group_differences(const double *base, int32_t a, int32_t b)
{
    return simde_mm256_cvtpd_ps(
        simde_mm256_sub_pd(simde_mm256_loadu_pd(w4_pair(base, b)), simde_mm256_loadu_pd(w4_pair(base, a))));
}

/* the differences of two rows of each group: eight lanes */
TR_INLINE void wf_eight_differences(const double *base, const int32_t *a, const int32_t *b, int lane, simde__m256 *x,
                                    simde__m256 *y)
{
    simde__m128 p = wf_group_differences(base, a[0] + lane, b[0] + lane);
    simde__m128 q = wf_group_differences(base, a[1] + lane, b[1] + lane);
    simde__m128 r = wf_group_differences(base, a[2] + lane, b[2] + lane);
    simde__m128 t = wf_group_differences(base, a[3] + lane, b[3] + lane);
    simde__m256 low = simde_mm256_set_m128(simde_mm_movehl_ps(q, p), simde_mm_movelh_ps(p, q));
    simde__m256 high = simde_mm256_set_m128(simde_mm_movehl_ps(t, r), simde_mm_movelh_ps(r, t));
    *x = simde_mm256_shuffle_ps(low, high, 0x88);
    *y = simde_mm256_shuffle_ps(low, high, 0xDD);
}

TR_INLINE void wf_difference_groups(const double *base, const int32_t *a, const int32_t *b, int lane, wf *x, wf *y)
{
#if TR_WIDTH == 8
    wf_eight_differences(base, a, b, lane, x, y);
#else
    simde__m256 low_x, low_y, high_x, high_y;
    wf_eight_differences(base, a, b, lane, &low_x, &low_y);
    wf_eight_differences(base, a, b, lane + 8, &high_x, &high_y);
    *x = wf_halves(low_x, high_x);
    *y = wf_halves(low_y, high_y);
#endif
}

#endif

#undef TR_UNPACKLO
#undef TR_UNPACKHI
#undef TR_SHUFFLE

#endif

/* 16 consecutive rows: a run whose four groups follow each other */
static const int32_t w4_in_a_row[] = {0, 16, 32, 48};

TR_INLINE w4 w4_load_run(const float *base, int lane)
{
    return w4_load_groups(base, w4_in_a_row, lane);
}

/*
 * A tile: 16 such rows that stay transposed in memory, so that passes need not transpose them again. It has 16 floats
 * of each member, in the order of a run's lanes. w4_turn_tile() converts 16 consecutive rows to a tile, or back.
 */
TR_INLINE w4 w4_load_tile(const float *tile, int lane)
{
    w4 a = {wf_load(tile + lane), wf_load(tile + lane + 16), wf_load(tile + lane + 32), wf_load(tile + lane + 48)};
    return a;
}

/* stores x, y and z; the last member stays unchanged */
TR_INLINE void w4_store_tile_xyz(float *tile, int lane, w4 a)
{
    wf_store(tile + lane, a.x);
    wf_store(tile + lane + 16, a.y);
    wf_store(tile + lane + 32, a.z);
}

TR_INLINE void w4_store_tile(float *tile, int lane, w4 a)
{
    w4_store_tile_xyz(tile, lane, a);
    wf_store(tile + lane + 48, a.w);
}

/* Sixteen numbers, in as many vectors as it takes. */
typedef struct w16 {
    wf part[16 / TR_WIDTH];
} w16;

TR_INLINE w16 w16_set(float x)
{
    w16 a;
    for (int i = 0; i < 16 / TR_WIDTH; i++)
        a.part[i] = wf_set(x);
    return a;
}

TR_INLINE w16 w16_load(const float *from)
{
    w16 a;
    for (int i = 0; i < 16 / TR_WIDTH; i++)
        a.part[i] = wf_load(from + i * TR_WIDTH);
    return a;
}

TR_INLINE void w16_store(float *to, w16 a)
{
    for (int i = 0; i < 16 / TR_WIDTH; i++)
        wf_store(to + i * TR_WIDTH, a.part[i]);
}

/* from the order of sixteen consecutive rows to that of a run's lanes, or back: a matrix of 4 x 4, transposed */
TR_INLINE w16 w16_turn(w16 a)
{
#if TR_WIDTH == 1
    w16 r;
    for (int i = 0; i < 16; i++)
        r.part[i] = a.part[4 * (i % 4) + i / 4];
    return r;
#elif TR_WIDTH == 4
    w4_transpose(&a.part[0], &a.part[1], &a.part[2], &a.part[3]);
    return a;
#elif TR_WIDTH == 8
    static const int32_t places[8] = {0, 4, 1, 5, 2, 6, 3, 7};
    const simde__m256i order = simde_mm256_loadu_si256((const simde__m256i *)(const void *)places);
    return (w16){{simde_mm256_permutevar8x32_ps(simde_mm256_unpacklo_ps(a.part[0], a.part[1]), order),
                  simde_mm256_permutevar8x32_ps(simde_mm256_unpackhi_ps(a.part[0], a.part[1]), order)}};
#else
    static const int32_t places[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    return (w16){{simde_mm512_permutexvar_ps(simde_mm512_loadu_si512(places), a.part[0])}};
#endif
}

TR_INLINE void w4_turn_tile(float *tile)
{
    float turned[64];
    for (int lane = 0; lane < 16; lane += TR_WIDTH)
        w4_store_tile(turned, lane, w4_load_run(tile, lane));
    for (int i = 0; i < 64; i += TR_WIDTH)
        wf_store(tile + i, wf_load(turned + i));
}

#endif
