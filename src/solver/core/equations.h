/*
 * A joint at the level of accelerations: for each of its rows J, dJ/dt v, and what it does. Each type of joint writes
 * its equations (trn_joint_type_info.equations) from its definition and pose; world/instant/instant.h solves them.
 */
#ifndef TR_SOLVER_EQUATIONS_H
#define TR_SOLVER_EQUATIONS_H

#include "solver/dimension.h"

/* What a row does. */
typedef enum trn_equation_kind {
    TR_EQUATION_ROW,      /* a rigid row is held, a soft one is a spring */
    TR_EQUATION_SPRING,   /* a rigid one is a spring of the world's joint frequency */
    TR_EQUATION_MOTOR,    /* holds its rate, if motors count: in a step at `speed` */
    TR_EQUATION_STOP,     /* holds J v >= 0 while its value, the gap, is not above 0; lambda >= 0 */
    TR_EQUATION_FRICTION, /* holds J v = 0 with a force of `most` at most; not at the level of accelerations */
    TR_EQUATION_IDLE,     /* holds nothing */
    TR_EQUATION_INERTIA,  /* the force is -inertance times the row's acceleration; in a step J v was `speed` */
    TR_EQUATION_ACROSS /* across the rows before it, which are along d of the length `value`: it holds nothing, but their
                             force turns with d, so that it is as stiff across as the force over the length */
} trn_equation_kind;

/* What of the reaction a row's force is counted in, beside force and torque. */
typedef enum trn_equation_part {
    TR_PART_NONE,
    TR_PART_SPRING,
    TR_PART_MOTOR,
    TR_PART_LOWER,
    TR_PART_UPPER, /* minus its lambda */
} trn_equation_part;

/* What the stiffness of a frequency is relative to. */
typedef enum trn_relative {
    TR_OWN_K,  /* K of the row */
    TR_MEAN_K, /* the mean of those of the block */
    TR_BLOCK_K /* the matrix of the block */
} trn_relative;

typedef struct trn_equation {
    double j[TR_ENDS][TRN_DEGREES]; /* of A, B and their carriers: along the axes, then of rotation */
    double value, rate;             /* C, J v */
    double bend;                    /* dJ/dt v: what J a must be the opposite of */
    double speed;                   /* of a motor: what J v is to be in a step; of an inertia: what it was */
    double inertance;               /* kg or kg m^2 */
    double length;                  /* of J, if the joint's impulse is that of a row of length 1; 0: as it is */
    double least, most; /* of the force, but for motors at the level of accelerations; of a block only `most`, of its
                           length */
    tr_softness softness;
    trn_equation_kind kind;
    trn_equation_part part;
    trn_relative relative;
    uint32_t block; /* number of rows of its block, itself first; 0: it is in the block of a row before it */
    bool placed;    /* of a motor: it is to be where `value` is 0 */
    bool linear;    /* moves along a direction: its units are those of a length */
    bool bent;      /* in a step its force is not along J: the level of accelerations leaves it out */
    bool joined;    /* it is of the same coordinate as the row before it: its J is that row's, or the opposite */
    bool turned;    /* its J is the opposite of the coordinate's */
    int32_t column; /* of the joint's impulses, that has its lambda; below 0: none */
} trn_equation;

/* of parts of rows of J and of what they are of */
static inline double trn_equation_product(const double *a, const double *b, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* rows of a joint, at most: of a general joint a spring, a motor, two stops and friction of each of six coordinates */
#define TR_EQUATIONS_MAX 30

typedef struct trn_equations {
    uint32_t count;
    bool incomplete; /* something acts in a step and has no equation */
    trn_equation row[TR_EQUATIONS_MAX];
} trn_equations;

#endif
