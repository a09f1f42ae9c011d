/* The bodies of a visit, on TR_WIDTH lanes: their records, from memory and back. */

/* how the records of a block's bodies are accessed */
typedef struct reach {
    bool run, fixed;
    bool tile_a, tile_b; /* the bodies at that end are in a tile */
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
        w4_store_rows_below((float *)records, index + lane, 1, r, TRN_ROW * k->moving_end);
    else
        w4_store_rows((float *)records, index + lane, 1, r);
}

TR_INLINE void motions_load(const visited *v, motion *a, motion *b)
{
    *a = motion_of(records_load(v->k->velocities, v->bodies->a, v->lane, v->how, v->how.tile_a));
    *b = motion_of(records_load(v->k->velocities, v->bodies->b, v->lane, v->how, v->how.tile_b));
}

/* `turned`: the turned angles have changed, so they are stored, too */
TR_INLINE void motions_store(const visited *v, const int32_t *index, motion m, bool tile, bool turned)
{
    if (tile && !turned)
        w4_store_tile_xyz((float *)v->k->velocities + index[0], v->lane, motion_record(m));
    else
        records_store(v->k, v->k->velocities, index, v->lane, motion_record(m), v->how, tile);
}

/* poses as the step begins */
TR_INLINE pose_pair poses_still(void)
{
    const pose still = {wf_zero(), wf_zero(), wf_set(1.0f), wf_zero()};
    return (pose_pair){still, still, {wf_zero(), wf_zero()}};
}

TR_INLINE pose_pair poses_load(const visited *v)
{
    const void *from = v->k->poses;
    const int32_t *a = v->bodies->a, *b = v->bodies->b;
    if (v->how.tile_a || v->how.tile_b) {
        pose pa = pose_of(records_load(from, a, v->lane, v->how, v->how.tile_a));
        pose pb = pose_of(records_load(from, b, v->lane, v->how, v->how.tile_b));
        return (pose_pair){pa, pb, {pb.x - pa.x, pb.y - pa.y}};
    }
    /* most kernels read how far bodies have moved apart, which then is all that is transposed of it */
    w4 ra = records_raw(from, a, v->lane, v->how), rb = records_raw(from, b, v->lane, v->how);
    w4 apart = w4_transposed(w4_minus(rb, ra));
    return (pose_pair){pose_of(w4_transposed(ra)), pose_of(w4_transposed(rb)), {apart.x, apart.y}};
}

/* In a visit that computes its geometry before it reads velocities: loads them then, as both together need more
   registers than there are. */
TR_INLINE void motions_late(trn_pass pass, motion *a, motion *b)
{
    if (pass.unread != NULL)
        motions_load(pass.unread, a, b);
}
