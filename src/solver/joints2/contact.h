/*
 * Contacts in the solver: another joint table, not among the public types, with columns of its own. Contacts are edges
 * of the same plan and share spans of its colours. The plain kernel handles one point, the featured kernel two.
 */
#ifndef TR_SOLVER_CONTACT_H
#define TR_SOLVER_CONTACT_H

/* The greatest number of points of a contact. */
#define TR2_CONTACT_POINTS 2

/* Columns that only contacts have, four bytes each. The last three are integers that the kernels do not read.
   Vectors are in world axes, as at the start of the step. */
enum {
    TR2_CONTACT_NORMAL_X,
    TR2_CONTACT_NORMAL_Y,
    TR2_CONTACT_ARM_A_X, /* m, from A's centre of mass to where the first point's impulse acts */
    TR2_CONTACT_ARM_A_Y,
    TR2_CONTACT_ARM_B_X, /* the same from B's centre of mass */
    TR2_CONTACT_ARM_B_Y,
    TR2_CONTACT_FRICTION,
    TR2_CONTACT_RESTITUTION,
    TR2_CONTACT_TANGENT_SPEED,
    TR2_CONTACT_ROLLING,
    TR2_CONTACT_PLAIN_COUNT,                        /* columns of the plain kernel */
    TR2_CONTACT_SECOND_X = TR2_CONTACT_PLAIN_COUNT, /* m, from the first point to the second */
    TR2_CONTACT_SECOND_Y,
    TR2_CONTACT_KERNEL_COUNT, /* columns of the featured kernel */
    TR2_CONTACT_POINT_ID_0 = TR2_CONTACT_KERNEL_COUNT,
    TR2_CONTACT_POINT_ID_1,
    TR2_CONTACT_ORDER, /* index in the application's array */
    TR2_CONTACT_OWN_COUNT
};

/* Impulses. The total is the sum of the normal impulse over the step; it starts at 0. The separation (m) is a state
   of the point: it is updated like an impulse during the step and kept for the next one. */
enum {
    TR2_CONTACT_NORMAL_0,
    TR2_CONTACT_TOTAL_0,
    TR2_CONTACT_SEPARATION_0,
    TR2_CONTACT_TANGENT, /* of both points: they differ only along the tangent, so their friction rows are the same */
    TR2_CONTACT_TURN,
    TR2_CONTACT_NORMAL_1,
    TR2_CONTACT_TOTAL_1,
    TR2_CONTACT_SEPARATION_1,
    TR2_CONTACT_IMPULSES
};

#endif
