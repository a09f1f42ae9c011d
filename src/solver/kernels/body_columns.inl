/*
 * Sixteen bodies between the columns of their table and the records of a step, which are rows of four floats or a tile
 * of them (simd/rows.h).
 */
#include <string.h>

#include "simd/rows.h"
#include "solver/core/kernels.h"

/* indices of consecutive rows, for w4_load_rows() and w4_store_rows() */
static const int32_t in_a_row[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* the same mark in each of eight rows */
#define MARK_EIGHT(mark) ((mark)*UINT64_C(0x0101010101010101))

/* whether gravity acts on all 16 rows */
static bool all_fall(const uint8_t *marks)
{
    uint64_t two[2];
    memcpy(two, marks, sizeof two);
    return (two[0] & two[1] & MARK_EIGHT(TR_MARK_FALLS)) == MARK_EIGHT(TR_MARK_FALLS);
}

/* whether none of 16 rows is marked as bad */
static bool none_bad(const uint8_t *marks)
{
    uint64_t two[2];
    memcpy(two, marks, sizeof two);
    return ((two[0] | two[1]) & MARK_EIGHT(TR_MARK_BAD)) == 0;
}

TR_INLINE w4 run_load(const float *rows, int lane, bool tiled)
{
    return tiled ? w4_load_tile(rows, lane) : w4_load_run(rows, lane);
}

/* four groups of four rows, by the offsets of their records: each by itself, or all together a tile, by its first */
TR_INLINE w4 groups_load(const float *records, const int32_t *at, int lane, bool tiled)
{
    return tiled ? w4_load_tile(records + at[0], lane) : w4_load_groups(records, at, lane);
}

TR_INLINE void groups_store(float *records, const int32_t *at, int lane, w4 a, bool tiled)
{
    if (tiled)
        w4_store_tile(records + at[0], lane, a);
    else
        w4_store_groups(records, at, lane, a);
}

/* Whether 16 records are converted in the order of a run's lanes: tiles have it, and it saves the widest vectors from
   being assembled from single records. */
TR_INLINE bool goes_by_run(bool tiled)
{
    return tiled || TR_WIDTH == TR_LANES;
}

/* 16 numbers of a column of the table, in the order in which records are converted; and back */
TR_INLINE w16 column_load(const float *column, bool tiled)
{
    w16 a = w16_load(column);
    return goes_by_run(tiled) ? w16_turn(a) : a;
}

TR_INLINE void column_store(float *column, w16 a, bool tiled)
{
    w16_store(column, goes_by_run(tiled) ? w16_turn(a) : a);
}

/* the members of 16 consecutive records of four floats */
TR_INLINE void members_load(const float *records, bool tiled, w16 members[4])
{
    for (int i = 0; i < TR_LANES / TR_WIDTH; i++) {
        const float *rows = records + 4 * TR_WIDTH * i;
        w4 r = goes_by_run(tiled) ? run_load(records, TR_WIDTH * i, tiled) : w4_load_rows(rows, in_a_row, 4);
        members[0].part[i] = r.x;
        members[1].part[i] = r.y;
        members[2].part[i] = r.z;
        members[3].part[i] = r.w;
    }
}

TR_INLINE void members_store(float *records, bool tiled, const w16 members[4])
{
    for (int i = 0; i < TR_LANES / TR_WIDTH; i++) {
        w4 r = {members[0].part[i], members[1].part[i], members[2].part[i], members[3].part[i]};
        if (goes_by_run(tiled))
            groups_store(records, w4_in_a_row, TR_WIDTH * i, r, tiled);
        else
            w4_store_rows(records + 4 * TR_WIDTH * i, in_a_row, 4, r);
    }
}

/* numbers of a column that may have been left out */
TR_INLINE wf numbers(const float *column, uint32_t body, float preset)
{
    return column != NULL ? wf_load(column + body) : wf_set(preset);
}

/* flags that some of 16 bodies has */
static uint32_t any_flags(const uint32_t *flags)
{
    uint32_t any = 0;
    TR_TILE_LOOP
    for (uint32_t i = 0; i < TR_LANES; i++)
        any |= flags[i];
    return any;
}

TR_INLINE w16 inverses_or_zero(w16 a)
{
    for (int i = 0; i < TR_LANES / TR_WIDTH; i++)
        a.part[i] = wf_inverse_or_zero(a.part[i]);
    return a;
}

/* restrict allows vectorisation */
static void add_motions(double *restrict to, const float *restrict motions)
{
    TR_TILE_LOOP
    for (uint32_t i = 0; i < TR_LANES; i++)
        to[i] += (double)motions[i];
}
