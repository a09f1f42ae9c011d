/* Definitions of joints: from the application's form to that in the tables. */
#ifndef TR_WORLD_JOINT_DEF_H
#define TR_WORLD_JOINT_DEF_H

#include "world/core/check.h"

/* Checks numbers, bodies, and the consequences of both. */
tr_status trn_joint_check_def(const trn_check *check, const trn_world *world, const trn_joint_def *def);
/* The bodies that carry those of the joint. */
tr_status trn_joint_check_carriers(const trn_check *check, const trn_world *world, const trn_joint_def *def);
/* Anchors are used relative to the centres of mass, where they must still fit in floats. */
tr_status trn_joint_check_anchors(const trn_check *check, const trn_world *world, const trn_joint_def *def);

/* Whole turns of B that bring the relative angle into -pi .. pi, as far as doubles count them; 0 for types without
   has_angle. Only for creation and a new ratio; otherwise the turns stay. */
double trn_joint_turn_of(const trn_world *world, const trn_joint_def *def);
bool trn_joint_has_new_ratio(const trn_joints *joints, uint32_t row, const trn_joint_def *def);

/* Writes the defaults of one dimension into a definition that is all zero; gives the fields of TRN_NORMALISED that the
   type has their length of 1; fills in what follows from the current poses of the bodies and is no anchor and no axis:
   reference, length, target. */
void trn_joint_def_preset(trn_joint_def *def);
void trn_joint_def_normalise(trn_joint_def *def);
void trn_joint_def_fit(const trn_world *world, trn_joint_def *def);
/* The stored form of a checked definition; `turn` is that of the joint. */
trn_joint_def trn_joint_cleaned(const trn_world *world, const trn_joint_def *def, double turn);
/* Of a type that keeps a speed: makes it that of the bodies as they move now. And of all joints of a body. */
void trn_joint_begin_speed(trn_world *world, uint32_t slot);
void trn_body_begin_speeds(trn_world *world, uint32_t body_slot);
/* The plan's kind of a joint, i.e. its kernel. */
uint32_t trn_joint_kernel_of(const trn_joint_def *def);

/* Writes everything but fields; columns that are left out need not be written. The solver's marks stay, because the
   solver itself clears them. */
void trn_joint_write_rest(trn_joints *joints, uint32_t row, const trn_joint_def *def);
void trn_joint_write_turn(trn_joints *joints, uint32_t row, double turn);

#endif
