/* A gear from two joints: what both dimensions read of these. */
#ifndef TR_WORLD_GEAR_H
#define TR_WORLD_GEAR_H

#include "world/core/body.h"

/* A side of a gear, which moves with a joint's coordinate. */
typedef struct trn_gear_side {
    trn_body body, carrier; /* carrier null: the world */
    trn_vec anchor, carrier_anchor;
    trn_vec axis;         /* in the carrier's frame */
    trn_vec axis_of_body; /* in the body's frame */
    bool slides;
    bool
        turned; /* body and carrier are exchanged: an angle about an axis that cannot be turned round is minus the joint's */
} trn_gear_side;

/* Checks the arguments of trn_gear_between(), reads both sides, and makes a definition of all but axes and ratio. */
tr_status trn_gear_read(const trn_world *world, trn_joint joint_a, bool travels_a, trn_joint joint_b, bool travels_b,
                        float ratio, const void *out, trn_gear_side side[2], trn_joint_def *def);

/*
 * What a dimension knows (world/plane, world/space)
 */
/* Whether a gear takes a coordinate of a joint of this type, and which. TR_ERROR_RANGE, with a message. */
tr_status trn_gear_takes(const trn_check *check, const char *name, trn_joint_type type, bool travels, bool *slides);
/* The axis of a joint in B's frame. */
trn_vec trn_gear_axis_of_body(const trn_world *world, uint32_t row, const trn_joint_def *def);
/* A direction in a body's frame, in the world. */
trn_vec trn_gear_axis_in_world(const trn_world *world, trn_body body, trn_vec axis);

#endif
