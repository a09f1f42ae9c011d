/* The bodies of a visit on TR_WIDTH lanes: one of their records of four floats, from memory and back. */

/* how the records of a block's bodies are accessed */
typedef struct reach {
    bool run, fixed;
    bool tile_a, tile_b; /* the bodies at that end are in a tile */
    bool even, axial;    /* in space: TR_BLOCK_EVEN, TR_BLOCK_AXIAL */
} reach;

/* the bodies of TR_WIDTH lanes of a block, from `lane` on */
typedef struct visited {
    const trn_kernel_context *k;
    const trn_block_bodies *bodies;
    int lane;
    reach how;
} visited;

/* records of one end, in rows */
TR_INLINE w4 records_raw(const void *records, const int32_t *index, int lane, reach how)
{
    return how.run ? w4_raw_groups((const float *)records, index, lane)
                   : w4_raw_rows((const float *)records, index + lane, 1);
}

TR_INLINE w4 records_load(const void *records, const int32_t *index, int lane, reach how, bool tile)
{
    return tile ? w4_load_tile((const float *)records + index[0], lane)
                : w4_transposed(records_raw(records, index, lane, how));
}

TR_INLINE void records_store(const trn_kernel_context *k, void *records, const int32_t *index, int lane, w4 r,
                             reach how, bool tile)
{
    if (tile)
        w4_store_tile((float *)records + index[0], lane, r);
    else if (how.run)
        w4_store_groups((float *)records, index, lane, r);
    else if (how.fixed)
        w4_store_rows_below((float *)records, index + lane, 1, r, trn_row_offset((uint32_t)k->moving_end));
    else
        w4_store_rows((float *)records, index + lane, 1, r);
}
