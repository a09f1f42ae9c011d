/* Passes that few joint types of space have. */

DEFINE_PASS(ball, plain, false, TR_PASS_WARM_ANEW)

#define EXTRA_FUNCTIONS
/* a visit reads no places of bodies that have not moved: the first warm start is as the others */
#define EXTRA_PLACED                                                                                                   \
    [2 * TR3_JOINT_BALL] = {BALL_PLACES, ball_plain_TR_PASS_WARM_ANEW, ball_plain_TR_PASS_WARM_ANEW, NULL}
