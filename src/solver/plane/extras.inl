/* Passes that few joint types of the plane have, and what else the plane has in its table of kernels. */

/* passes that few types have */
DEFINE_PASS(revolute, plain, false, TR_PASS_WARM_ANEW)
DEFINE_PASS(revolute, featured, true, TR_PASS_WARM_ANEW)
DEFINE_PASS(revolute, plain, false, TR_PASS_WARM_FIRST)
DEFINE_PASS(revolute, featured, true, TR_PASS_WARM_FIRST)
DEFINE_PASS(revolute, plain, false, TR_PASS_STEP_AFRESH)

#define EXTRA_FUNCTIONS .stiffness = stiffness,
#define EXTRA_PLACED                                                                                                   \
    [2 * TR2_JOINT_REVOLUTE] = {REVOLUTE_PLACES, revolute_plain_TR_PASS_WARM_ANEW, revolute_plain_TR_PASS_WARM_FIRST,  \
                                revolute_plain_TR_PASS_STEP_AFRESH},                                                   \
         [2 * TR2_JOINT_REVOLUTE + 1] = {REVOLUTE_PLACES, revolute_featured_TR_PASS_WARM_ANEW,                         \
                                         revolute_featured_TR_PASS_WARM_FIRST, NULL}
