/* Takes back new bodies and the joints between them, so that a call of several parts can fail as a whole. */
#ifndef TR_WORLD_TAKE_BACK_H
#define TR_WORLD_TAKE_BACK_H

#include "world/core/world_internal.h"

/* What new bodies and joints change in a world besides adding to it; and how many slots there are before. */
typedef struct trn_mark {
    uint32_t churn;
    bool uneven, off_center;
    uint32_t body_slots, joint_slots;
    size_t recorded; /* trn_tape_mark() */
} trn_mark;

/* Gives back the slot that was taken last since the pool had `count` slots, whose id nobody knows: the pool is as it
   was before. */
static inline void tr_take_slot_back(tr_pool *pool, uint32_t slot, uint32_t count)
{
    tr_archive_touch(&pool->group);
    if (slot < count)
        tr_pool_give_unnamed(pool, slot);
    else
        pool->count = slot;
}

trn_mark trn_mark_of(const trn_world *world);

/*
 * Undoes trn_world_create_bodies() and then trn_world_create_joints(), the last changes of the world since the mark:
 * their slots come again in the same order, with the same generations, so the ids must not be known to anyone. All
 * joints must be between these bodies, and no shape on them. Needs no memory.
 */
void trn_world_take_back(trn_world *world, trn_mark mark, const trn_body *bodies, uint32_t body_count,
                         const trn_joint *joints, uint32_t joint_count);

#endif
