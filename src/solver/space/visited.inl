/* The motions and poses of a visit's bodies in space: two records each. */
#include "solver/kernels/visited.inl"

TR_INLINE const float *second_part(const void *records)
{
    return (const float *)records + TR3_PART;
}

TR_INLINE motion one_motion(const visited *v, const int32_t *index, bool tile)
{
    const void *from = v->k->velocities;
    return motion_of(records_load(from, index, v->lane, v->how, tile),
                     records_load(second_part(from), index, v->lane, v->how, tile));
}

TR_INLINE void motions_load(const visited *v, motion *a, motion *b)
{
    *a = one_motion(v, v->bodies->a, v->how.tile_a);
    *b = one_motion(v, v->bodies->b, v->how.tile_b);
}

TR_INLINE void parts_store(const visited *v, void *records, const int32_t *index, bool tile, w4 first, w4 second)
{
    records_store(v->k, records, index, v->lane, first, v->how, tile);
    records_store(v->k, (float *)records + TR3_PART, index, v->lane, second, v->how, tile);
}

/* a pass that projects moves rotations by themselves, so nothing else of the records changes */
TR_INLINE void motions_store(const visited *v, const int32_t *index, motion m, bool tile, bool turned)
{
    (void)turned;
    parts_store(v, v->k->velocities, index, tile, linear_record(&m), angular_record(&m));
}

/* moves a body by the change of its velocity */
TR_INLINE void pose_move(const visited *v, const int32_t *index, pose p, const motion *now, const motion *before,
                         bool tile)
{
    p = moved_on(v->k, p, now, before);
    parts_store(v, v->k->poses, index, tile, place_record(&p), p.q);
}

/* most visits read poses, from which they compute their geometry: it is more than they would read of it stored */
TR_INLINE pose_pair poses_load(const visited *v)
{
    const void *from = v->k->poses;
    const int32_t *a = v->bodies->a, *b = v->bodies->b;
    w4 qa = records_load(second_part(from), a, v->lane, v->how, v->how.tile_a);
    w4 qb = records_load(second_part(from), b, v->lane, v->how, v->how.tile_b);
    w4 pa, pb, apart;
    if (v->how.tile_a || v->how.tile_b) {
        pa = records_load(from, a, v->lane, v->how, v->how.tile_a);
        pb = records_load(from, b, v->lane, v->how, v->how.tile_b);
        apart = w4_minus(pb, pa);
    } else {
        /* most passes read how far bodies have moved apart, which then is all that is transposed of it */
        w4 ra = records_raw(from, a, v->lane, v->how), rb = records_raw(from, b, v->lane, v->how);
        apart = w4_transposed(w4_minus(rb, ra));
        pa = w4_transposed(ra);
        pb = w4_transposed(rb);
    }
    pose_pair r = {pose_of(pa, qa), pose_of(pb, qb), {apart.x, apart.y, apart.z}};
    if (__builtin_expect(v->k->unmoved, 0))
        r.apart = w3_zero();
    return r;
}

#define VISITS_READ_POSES true

TR_INLINE pose_pair poses_still(void)
{
    const pose still = {w3_zero(), wf_zero(), {wf_zero(), wf_zero(), wf_zero(), wf_set(1.0f)}};
    return (pose_pair){still, still, w3_zero()};
}

/* In a visit that computes its geometry before it reads velocities: loads them then, as both together need more
   registers than there are. */
TR_INLINE void motions_late(tr3_pass pass, motion *a, motion *b)
{
    if (pass.unread != NULL)
        motions_load(pass.unread, a, b);
}

/* whether a visit loads velocities by motions_late(): not if it moves bodies by their change */
TR_INLINE bool is_late(uint32_t type, tr3_pass pass)
{
    (void)type;
    return !pass.project;
}

/* whether a visit has code of its own for places that no later pass reads (tr3_placed) */
TR_INLINE bool has_bare_code(uint32_t type, bool featured, tr3_pass pass)
{
    return type == TR3_JOINT_BALL && !featured && pass.refresh && !pass.warm_start && !pass.project;
}

/* there are no contacts that bounce */
TR_INLINE bool contact_bounces(bool featured, const float *columns)
{
    (void)featured;
    (void)columns;
    return false;
}
