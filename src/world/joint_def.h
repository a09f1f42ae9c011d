/* Definitions of joints, between what hosts give and what the tables keep. */
#ifndef TR_WORLD_JOINT_DEF_H
#define TR_WORLD_JOINT_DEF_H

#include "world/check.h"

/* Numbers, bodies, and what follows from both. */
tr_status tr2_joint_check_def(const tr2_check *check, const tr2_world *world, const tr2_joint_def *def);
/* Anchors are used from the centres of mass, where they may leave the floats. */
tr_status tr2_joint_check_anchors(const tr2_check *check, const tr2_world *world, const tr2_joint_def *def);
/* Only at creation and with a new ratio: otherwise the turns are kept. */
tr_status tr2_joint_check_turns(const tr2_check *check, const tr2_world *world, const tr2_joint_def *def);

/* Whole turns of B that bring the relative angle into -pi .. pi; 0 for types without an angle. */
int32_t tr2_joint_turn_of(const tr2_world *world, const tr2_joint_def *def);
/* A checked definition as it is kept; `turn` is that of the joint. */
tr2_joint_def tr2_joint_cleaned(const tr2_world *world, const tr2_joint_def *def, int32_t turn);
/* The plan's kind of a joint: which kernel solves it. */
uint32_t tr2_joint_kernel_of(const tr2_joint_def *def);

/* What is no field; columns that are left out have it already. What the solver has marked stays: its own to take away. */
void tr2_joint_write_rest(tr2_joints *joints, uint32_t row, const tr2_joint_def *def);
void tr2_joint_write_turn(tr2_joints *joints, uint32_t row, int32_t turn);

#endif
