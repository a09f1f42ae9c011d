/* Definitions of joints: from the application's form to that in the tables. */
#ifndef TR_WORLD_JOINT_DEF_H
#define TR_WORLD_JOINT_DEF_H

#include "world/core/check.h"

/* Checks numbers, bodies, and the consequences of both. */
tr_status tr2_joint_check_def(const tr2_check *check, const tr2_world *world, const tr2_joint_def *def);
/* Anchors are used relative to the centres of mass, where they must still fit in floats. */
tr_status tr2_joint_check_anchors(const tr2_check *check, const tr2_world *world, const tr2_joint_def *def);
/* Only for creation and a new ratio; otherwise the turns stay. */
tr_status tr2_joint_check_turns(const tr2_check *check, const tr2_world *world, const tr2_joint_def *def);

/* Whole turns of B that bring the relative angle into -pi .. pi; 0 for types without an angle. */
int32_t tr2_joint_turn_of(const tr2_world *world, const tr2_joint_def *def);
/* The stored form of a checked definition; `turn` is that of the joint. */
tr2_joint_def tr2_joint_cleaned(const tr2_world *world, const tr2_joint_def *def, int32_t turn);
/* The plan's kind of a joint, i.e. its kernel. */
uint32_t tr2_joint_kernel_of(const tr2_joint_def *def);

/* Writes everything but fields; columns that are left out need not be written. The solver's marks stay, because the
   solver itself clears them. */
void tr2_joint_write_rest(tr2_joints *joints, uint32_t row, const tr2_joint_def *def);
void tr2_joint_write_turn(tr2_joints *joints, uint32_t row, int32_t turn);

#endif
