/* Takes back new bodies and the joints between them, so that a call of several parts can fail as a whole. */
#ifndef TR_WORLD_TAKE_BACK_H
#define TR_WORLD_TAKE_BACK_H

#include "trammel/joints2.h"

/* What new bodies and joints change in a world besides adding to it. */
typedef struct tr2_mark {
    uint32_t churn;
    bool uneven, off_center;
} tr2_mark;

tr2_mark tr2_mark_of(const tr2_world *world);

/*
 * Undoes tr2_world_create_bodies() and then tr2_world_create_joints(), the last changes of the world since the mark:
 * their slots come again in the same order, with the same generations, so the ids must not be known to anyone. All
 * joints must be between these bodies, and no shape on them. Needs no memory.
 */
void tr2_world_take_back(tr2_world *world, tr2_mark mark, const tr2_body *bodies, uint32_t body_count,
                         const tr2_joint *joints, uint32_t joint_count);

#endif
