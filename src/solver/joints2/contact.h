/*
 * Contacts as the solver keeps them: one more table of joints, behind the public types, with columns of its own. They are
 * edges of the same plan and lie in the spans of the same colours; the plain kernel has one point, the featured one two.
 */
#ifndef TR_SOLVER_CONTACT_H
#define TR_SOLVER_CONTACT_H

/* Columns that only contacts have, four bytes each; the last three are whole numbers and not the kernels' concern. */
enum {
    TR2_CONTACT_SEPARATION_0, /* m: what n . d lacks of the separation, so that the host's number holds exactly */
    TR2_CONTACT_FRICTION,
    TR2_CONTACT_RESTITUTION,
    TR2_CONTACT_TANGENT_SPEED,
    TR2_CONTACT_ROLLING,
    TR2_CONTACT_PLAIN_COUNT, /* what one point needs */
    TR2_CONTACT_SEPARATION_1 = TR2_CONTACT_PLAIN_COUNT,
    TR2_CONTACT_SECOND_A_X, /* m, from the first point to the second, in the frame of each body */
    TR2_CONTACT_SECOND_A_Y,
    TR2_CONTACT_SECOND_B_X,
    TR2_CONTACT_SECOND_B_Y,
    TR2_CONTACT_KERNEL_COUNT, /* what the kernels read */
    TR2_CONTACT_POINT_ID_0 = TR2_CONTACT_KERNEL_COUNT,
    TR2_CONTACT_POINT_ID_1,
    TR2_CONTACT_ORDER, /* index in the host's array */
    TR2_CONTACT_OWN_COUNT
};

/* Impulses. The total is that of the normal over the whole step, and begins each step with 0. */
enum {
    TR2_CONTACT_NORMAL_0,
    TR2_CONTACT_TANGENT_0,
    TR2_CONTACT_TOTAL_0,
    TR2_CONTACT_TURN,
    TR2_CONTACT_NORMAL_1,
    TR2_CONTACT_TANGENT_1,
    TR2_CONTACT_TOTAL_1,
    TR2_CONTACT_IMPULSES
};

#endif
