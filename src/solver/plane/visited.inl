/* The motions and poses of a visit's bodies in the plane. */
#include "solver/kernels/visited.inl"

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
TR_INLINE void motions_late(tr2_pass pass, motion *a, motion *b)
{
    if (pass.unread != NULL)
        motions_load(pass.unread, a, b);
}

/* moves a body by the change of its velocity */
TR_INLINE void pose_move(const visited *v, const int32_t *index, pose p, motion *now, const motion *before, bool tile)
{
    records_store(v->k, v->k->poses, index, v->lane, moved_on(v->k, p, now, *before), v->how, tile);
}

#define VISITS_READ_POSES false

/* whether a visit loads velocities by motions_late() */
TR_INLINE bool is_late(uint32_t type, tr2_pass pass)
{
    return TR2_IS_PLACED(type) && pass.refresh && !pass.warm_start && !pass.project;
}
