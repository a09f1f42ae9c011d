/* Passes that few joint types of space have. */

DEFINE_PASS(ball, plain, false, TR_PASS_WARM_ANEW)
DEFINE_PASS(ball, featured, true, TR_PASS_WARM_ANEW)
DEFINE_PASS(hinge, plain, false, TR_PASS_WARM_ANEW)
DEFINE_PASS(hinge, featured, true, TR_PASS_WARM_ANEW)
DEFINE_PASS(general, featured, true, TR_PASS_WARM_ANEW)

#define EXTRA_FUNCTIONS
/* a visit reads no places of bodies that have not moved: the first warm start is as the others */
#define EXTRA_PLACED                                                                                                   \
    [2 * TR3_JOINT_BALL] = {BALL_PLACES, ball_plain_TR_PASS_WARM_ANEW, ball_plain_TR_PASS_WARM_ANEW, NULL},            \
         [2 * TR3_JOINT_BALL + 1] = {BALL_FEATURED_PLACES, ball_featured_TR_PASS_WARM_ANEW,                            \
                                     ball_featured_TR_PASS_WARM_ANEW, NULL},                                           \
         [2 * TR3_JOINT_HINGE] = {HINGE_PLAIN_PLACES, hinge_plain_TR_PASS_WARM_ANEW, hinge_plain_TR_PASS_WARM_ANEW,    \
                                  NULL},                                                                               \
         [2 * TR3_JOINT_HINGE + 1] = {HINGE_FEATURED_PLACES, hinge_featured_TR_PASS_WARM_ANEW,                         \
                                      hinge_featured_TR_PASS_WARM_ANEW, NULL},                                         \
         [2 * TR3_JOINT_GENERAL + 1] = {GENERAL_PLACES, general_featured_TR_PASS_WARM_ANEW,                            \
                                        general_featured_TR_PASS_WARM_ANEW, NULL}
