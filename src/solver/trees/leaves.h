/*
 * Leaves of exact trees: bodies that hang on a joint of a large hub and on nothing else. A hub has thousands, all
 * alike, so they need no nodes: their data are in columns of eight lanes, and kernels eliminate and restore whole
 * blocks (leaves.inl). Only plain revolutes and plain distances tie them.
 */
#ifndef TR_SOLVER_LEAVES_H
#define TR_SOLVER_LEAVES_H

#include <stdint.h>

#define TR2_LEAF_LANES 8u

/* The effect of a subtree on a body's equations: a symmetric mass matrix (xx, xy, yy, xw, yw, ww) and an impulse;
   also the restoring torque's inertia in a sub-step and the inertia of the bodies welded to it, kg m^2. */
typedef struct tr2_trees_load {
    double mass[6], impulse[3], stiffness, inertia;
} tr2_trees_load;

/* Eight leaves of one parent. Lanes without a leaf have the parent's state row, which they never write, and zeros. */
typedef struct tr2_leaf_block {
    uint32_t state[TR2_LEAF_LANES]; /* state rows */
    double on[TR2_LEAF_LANES];      /* 1; 0: the joint is disabled, or there is no leaf */
    double is_b[TR2_LEAF_LANES];    /* 1: the leaf is the joint's body B; 0: it is A */
    /* m, at the start of the step: the leaf's centre minus the parent's, and the anchors from both centres */
    double apart_x[TR2_LEAF_LANES], apart_y[TR2_LEAF_LANES];
    double near_x[TR2_LEAF_LANES], near_y[TR2_LEAF_LANES];
    double far_x[TR2_LEAF_LANES], far_y[TR2_LEAF_LANES];
    double inverse_mass[TR2_LEAF_LANES], inverse_inertia[TR2_LEAF_LANES]; /* 0: it cannot move, or rotate */
    double yields[TR2_LEAF_LANES]; /* 1/kg: the inverse mass, or a little if it cannot move */
    double impulse_x[TR2_LEAF_LANES], impulse_y[TR2_LEAF_LANES]; /* N s, on the leaf, of the last sub-step */
} tr2_leaf_block;

/* What distances need besides: m, the length; kg, the lesser mass of both bodies; unit vector to the leaf in the last
   sub-step. Apart, because blocks of revolutes pass through the caches in every sub-step. */
typedef struct tr2_leaf_lengths {
    double length[TR2_LEAF_LANES], lighter[TR2_LEAF_LANES];
    double along_x[TR2_LEAF_LANES], along_y[TR2_LEAF_LANES];
} tr2_leaf_lengths;

#endif
