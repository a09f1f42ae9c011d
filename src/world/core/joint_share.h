/*
 * Joints side by side: several between the same two bodies, which may hold the bodies' relative freedoms more than
 * once. Each rigid row gives up a share of its impulse in every sweep, which keeps sweeps calm (docs/solver.md). What
 * one of two such joints gives up, the other takes over in the same sweep. Together they would give up too little, and
 * the bodies would gain energy. So each gives up more, in proportion to how often the freedoms are held. Plain
 * welds and revolutes beyond three times the freedoms do nothing while the others hold (TR_JOINT_SPARE).
 *
 * The featured kernels serve joints side by side. How many rows more than freedoms there are is kept in the kind of a
 * joint's rigid softness (TR_RIGID_BESIDE); trn_joint_read() hides it.
 */
#ifndef TR_WORLD_JOINT_SHARE_H
#define TR_WORLD_JOINT_SHARE_H

#include "world/core/world_internal.h"

/* Whether a joint, whose edge is in the plan, has others of the counted types beside it. */
bool trn_joint_is_beside(const trn_world *world, uint32_t slot);
/* Whether it has, and is the newest of them: one of each group of new joints. */
bool trn_joint_is_newest_beside(const trn_world *world, uint32_t slot);
/* Makes room in columns and gives the featured kernel to all joints between the bodies of this one. On failure room
   has grown, and some have that kernel: trn_joint_share_settle(). */
bool trn_joint_share_reserve(trn_world *world, uint32_t slot);
/* Writes the factors of all joints between the bodies of this one, which is new or has just been set; `others_new`: so
   may others be. It needs the room above. */
void trn_joint_share_write(trn_world *world, uint32_t slot, bool others_new);
/* The same for all joints of a body, whose type decides how they share. */
void trn_joint_share_renew(trn_world *world, uint32_t body_slot);
/* Writes those of the joints that stay when this one is removed. */
void trn_joint_share_leave(trn_world *world, uint32_t slot);
/* Gives a joint that is alone between two bodies, by their slots, its own kernel again: after new ones beside it
   failed. */
void trn_joint_share_settle(trn_world *world, uint32_t body_a, uint32_t body_b);
/* The same, before a step or a fresh plan, for all joints for which there was no memory when they became alone. False
   if there is still none. */
bool trn_joint_shares_settle(trn_world *world);

#endif
