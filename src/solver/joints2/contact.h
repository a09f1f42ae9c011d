/*
 * Contacts as the solver keeps them: one more table of joints, behind the public types, with columns of its own. They are
 * edges of the same plan and lie in the spans of the same colours; the plain kernel has one point, the featured one two.
 */
#ifndef TR_SOLVER_CONTACT_H
#define TR_SOLVER_CONTACT_H

/* Columns that only contacts have, four bytes each; the last three are whole numbers and not the kernels' concern. All
   vectors are in the world's axes, as they are when a step begins. */
enum {
    TR2_CONTACT_NORMAL_X,
    TR2_CONTACT_NORMAL_Y,
    TR2_CONTACT_ARM_A_X, /* m, from A's centre of mass to where the first point's impulses act */
    TR2_CONTACT_ARM_A_Y,
    TR2_CONTACT_ARM_B_X, /* and from B's */
    TR2_CONTACT_ARM_B_Y,
    TR2_CONTACT_FRICTION,
    TR2_CONTACT_RESTITUTION,
    TR2_CONTACT_TANGENT_SPEED,
    TR2_CONTACT_ROLLING,
    TR2_CONTACT_PLAIN_COUNT,                        /* what one point needs */
    TR2_CONTACT_SECOND_X = TR2_CONTACT_PLAIN_COUNT, /* m, from the first point to the second */
    TR2_CONTACT_SECOND_Y,
    TR2_CONTACT_KERNEL_COUNT, /* what the kernels read */
    TR2_CONTACT_POINT_ID_0 = TR2_CONTACT_KERNEL_COUNT,
    TR2_CONTACT_POINT_ID_1,
    TR2_CONTACT_ORDER, /* index in the host's array */
    TR2_CONTACT_OWN_COUNT
};

/* Impulses. The total is that of the normal over the whole step, and begins each step with 0. The separation is where the
   point stands, m: it goes through a step as impulses do, and the next step begins with it. */
enum {
    TR2_CONTACT_NORMAL_0,
    TR2_CONTACT_TOTAL_0,
    TR2_CONTACT_SEPARATION_0,
    TR2_CONTACT_TANGENT, /* of both points: they lie along the tangent, so that their rows of friction are the same */
    TR2_CONTACT_TURN,
    TR2_CONTACT_NORMAL_1,
    TR2_CONTACT_TOTAL_1,
    TR2_CONTACT_SEPARATION_1,
    TR2_CONTACT_IMPULSES
};

#endif
