/* The motions and poses of a visit's bodies in space: two records each. */
#include "solver/kernels/visited.inl"

/* columns at the end of a block that few joints need, and that are not prefetched */
#define FEW_NEED(type, featured)                                                                                       \
    (!(featured)                                       ? 0                                                             \
     : (uint32_t)(type) == (uint32_t)TR3_JOINT_BALL    ? BALL_FEW_NEED                                                 \
     : (uint32_t)(type) == (uint32_t)TR3_JOINT_GENERAL ? GENERAL_FEW_NEED                                              \
                                                       : 0)

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
    if (tile) {
        float *to = (float *)v->k->velocities + index[0];
        w4_store_tile_xyz(to, v->lane, linear_record(&m));
        w4_store_tile_xyz(to + TR3_PART, v->lane, angular_record(&m));
        return;
    }
    parts_store(v, v->k->velocities, index, tile, linear_record(&m), angular_record(&m));
}

/* moves a body by the change of its velocity */
TR_INLINE void pose_move(const visited *v, const int32_t *index, pose p, const motion *now, const motion *before,
                         bool tile)
{
    p = moved_on(v->k, p, now, before);
    parts_store(v, v->k->poses, index, tile, place_record(&p), p.q);
}

TR_INLINE w4 rotation_load(const visited *v, const int32_t *index, bool tile)
{
    return records_load(second_part(v->k->poses), index, v->lane, v->how, tile);
}

/* how far bodies have moved apart; outside of tiles that is all that is transposed of where they are */
TR_INLINE w3 apart_load(const visited *v)
{
    const void *from = v->k->poses;
    const int32_t *a = v->bodies->a, *b = v->bodies->b;
    w4 apart;
    if (v->how.tile_a || v->how.tile_b)
        apart = w4_minus(records_load(from, b, v->lane, v->how, v->how.tile_b),
                         records_load(from, a, v->lane, v->how, v->how.tile_a));
    else
        apart = w4_transposed(w4_minus(records_raw(from, b, v->lane, v->how), records_raw(from, a, v->lane, v->how)));
    return __builtin_expect(v->k->unmoved, 0) ? w3_zero() : (w3){apart.x, apart.y, apart.z};
}

/* most visits read poses, from which they compute their geometry: it is more than they would read of it stored */
TR_INLINE pose_pair poses_load(const visited *v)
{
    const void *from = v->k->poses;
    const int32_t *a = v->bodies->a, *b = v->bodies->b;
    w4 qa = rotation_load(v, a, v->how.tile_a), qb = rotation_load(v, b, v->how.tile_b);
    w4 pa = records_load(from, a, v->lane, v->how, v->how.tile_a);
    w4 pb = records_load(from, b, v->lane, v->how, v->how.tile_b);
    return (pose_pair){pose_of(pa, qa), pose_of(pb, qb), apart_load(v)};
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

/* Loads velocities again where nothing has been stored since and they are in tiles: there that takes no more than to keep
   them elsewhere while registers hold something else. */
TR_INLINE void motions_again(tr3_pass pass, motion *a, motion *b)
{
    if (pass.unread != NULL && pass.unread->how.tile_a && pass.unread->how.tile_b)
        motions_load(pass.unread, a, b);
}

/* parts of the poses likewise: the rotation of one body, and how far they have moved apart */
TR_INLINE w4 rotation_late(tr3_pass pass, const pose_pair *at, bool of_b)
{
    const visited *v = pass.unread;
    if (v == NULL)
        return of_b ? at->b.q : at->a.q;
    return of_b ? rotation_load(v, v->bodies->b, v->how.tile_b) : rotation_load(v, v->bodies->a, v->how.tile_a);
}

TR_INLINE w3 apart_late(tr3_pass pass, const pose_pair *at)
{
    return pass.unread != NULL ? apart_load(pass.unread) : at->apart;
}

/* whether a visit loads velocities by motions_late(): not if it moves bodies by their change */
TR_INLINE bool is_late(uint32_t type, tr3_pass pass)
{
    (void)type;
    return !pass.project;
}
