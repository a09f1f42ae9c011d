/*
 * Accelerations of bodies and reactions of joints at the present state of a world, exactly: all bodies and joints in one
 * system of equations. Nothing is stepped and nothing changes. It is for statics (what does each joint carry at
 * rest?), for dynamics (how does the machine start to move, what must its motors supply?), and for checking what a
 * solver did. docs/accelerations.md has the equations, how redundant rows share, and examples.
 *
 *     M a = f + J^T lambda,   J a = -(dJ/dt) v         for all rows that joints hold
 *
 * in double precision, by sparse elimination, island by island. f is gravity, the forces and torques applied for the
 * next step, damping (as -damping v per mass), springs, and in space the gyroscopic torque -w x (I w). dJ/dt v has what
 * velocities do: centripetal and Coriolis terms. The result is that of the model in continuous time; a step of a world
 * comes near it as its sub-steps become short.
 *
 * What joints do at an instant:
 *
 *   rigid rows                held, in both directions; their errors stay as they are and are not corrected
 *   soft rows, springs        TR_PHYSICAL: the force -stiffness C - damping dC/dt, within spring_force, max_force;
 *                             TR_FREQUENCY: the same with stiffness (2 pi f)^2 / K and damping 2 ratio (2 pi f) / K,
 *                             K = J M^-1 J^T of the rows as the step has it: of points and rotations a matrix, but of a
 *                             weld in the plane a mean (docs/solver.md)
 *                             TR_RIGID: held as a rigid row; of a TARGET: a spring of the world's joint frequency
 *   motors                    hold the present rate of their coordinate, if `motors` is set and their maximum is not 0
 *   limits, ropes, pulleys    those at their stop hold it, and only push away from it (lambda >= 0): the complementarity
 *                             problem is solved
 *
 * Bounds of held rows and motors (maximum, spring_force, max_force) are not applied: compare the reaction with them.
 * Left out, and counted in `left_out`: friction, rows with a softness TR_RAW above 0 (their force depends on the length
 * of a sub-step), and an ANGLE with equal_torque and a ratio other than 1 (its torques are not along its Jacobian).
 * Contacts are left out and not counted.
 *
 * Static, kinematic, disabled and quarantined bodies do not accelerate; velocities of kinematic ones count.
 *
 * These calls change nothing, and several threads may make them at the same time. But they allocate: an allocator of the
 * world's own is then called on those threads. Results do not depend on the number of threads and the instruction set.
 */
#ifndef TRAMMEL_ACCELERATIONS_H
#define TRAMMEL_ACCELERATIONS_H

#include "trammel/joints2.h"
#include "trammel/joints3.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tr_accelerations_options {
    bool motors; /* default true; false: motors do nothing */
    /* m (rad of angles), >= 0; default 0.005: a limit or rope this near to its stop, or beyond it, is at it, unless it
       leaves it faster than that per second. Lengths are in multiples of the world's length_unit */
    double stop_gap;
} tr_accelerations_options;

TR_API tr_accelerations_options tr_accelerations_options_default(void);

/* Of all islands that were solved. */
typedef struct tr_accelerations_report {
    uint32_t islands;
    uint32_t rows; /* that are held: of rigid rows and motors all, of stops those that push */
    /* of these, rows that the others hold already. Then many reactions are possible, with the same accelerations; the
       result is the one with the least sum of K lambda^2, K the row's own J M^-1 J^T (of a joint's linear rows, and of
       its angular ones, the mean), so that equal joints share equally */
    uint32_t redundant;
    uint32_t left_out;  /* joints of which something acts in a step and is not in the result: see above */
    uint32_t unsettled; /* islands in which no set of stops was found that all push and all hold */
    /* the greatest |J a + dJ/dt v| of the held rows, in m/s^2 or rad/s^2: rounding, unless redundant rows contradict each
       other, as they do a little where joints have errors; then the squares of what is left are the least, over K */
    double error;
} tr_accelerations_report;

/*
 * The plane
 */
typedef struct tr2_acceleration {
    tr_dvec2 linear; /* m/s^2, of the centre of mass */
    double angular;  /* rad/s^2 */
} tr2_acceleration;

/* As tr2_reaction, at this instant and in double. */
typedef struct tr2_exact_reaction {
    tr_dvec2 force; /* N, on B at anchor_b; the opposite acts on A, as of tr2_reaction */
    double torque;  /* N m, on B, without the moment of `force` */
    double spring, motor, lower,
        upper; /* N or N m along the free coordinate: each feature's part, as of tr2_reaction */
} tr2_exact_reaction;

/* What is asked for, and where it is written: accelerations[i] is of bodies[i], reactions[i] of joints[i]. Arrays may be
   null if their count is 0. Only the islands of these bodies and joints are solved; if there are neither, all are.
   The whole world is read in any case. */
typedef struct tr2_accelerations {
    const tr2_body *bodies;
    uint32_t body_count;
    tr2_acceleration *accelerations; /* [body_count] */
    const tr2_joint *joints;
    uint32_t joint_count;
    tr2_exact_reaction *reactions; /* [joint_count] */
} tr2_accelerations;

/* `options` may be null: the default. `report` may be null. Errors: TR_ERROR_NULL (world, what, an array), _NULL_ID,
   _STALE_ID, _FOREIGN_ID, _NAN, _INFINITE, _NEGATIVE (stop_gap), _MEMORY, _LIMIT (an island of more than 2^31 - 1
   unknowns). On failure nothing is written. */
TR_API tr_status tr2_world_accelerations(const tr2_world *world, const tr2_accelerations *what,
                                         const tr_accelerations_options *options, tr_accelerations_report *report);

/* The acceleration of one body, and the reaction of one joint, with the default options. */
static inline tr_status tr2_body_acceleration(const tr2_world *world, tr2_body id, tr2_acceleration *out)
{
    tr2_accelerations one = {&id, 1, out, TR_NULL, 0, TR_NULL};
    return tr2_world_accelerations(world, &one, TR_NULL, TR_NULL);
}
static inline tr_status tr2_joint_exact_reaction(const tr2_world *world, tr2_joint id, tr2_exact_reaction *out)
{
    tr2_accelerations one = {TR_NULL, 0, TR_NULL, &id, 1, out};
    return tr2_world_accelerations(world, &one, TR_NULL, TR_NULL);
}

/*
 * Space
 */
typedef struct tr3_acceleration {
    tr_dvec3 linear;  /* m/s^2, of the centre of mass */
    tr_dvec3 angular; /* rad/s^2, in world axes */
} tr3_acceleration;

/* As tr3_reaction, at this instant and in double. */
typedef struct tr3_exact_reaction {
    tr_dvec3 force;  /* N, on B at anchor_b; the opposite acts on A at the same point */
    tr_dvec3 torque; /* N m, on B, without the moment of `force` */
    double spring, motor, lower,
        upper; /* N or N m along the free coordinate: each feature's part, as of tr3_reaction */
} tr3_exact_reaction;

/* As tr2_accelerations. */
typedef struct tr3_accelerations {
    const tr3_body *bodies;
    uint32_t body_count;
    tr3_acceleration *accelerations; /* [body_count] */
    const tr3_joint *joints;
    uint32_t joint_count;
    tr3_exact_reaction *reactions; /* [joint_count] */
} tr3_accelerations;

/* As tr2_world_accelerations(). */
TR_API tr_status tr3_world_accelerations(const tr3_world *world, const tr3_accelerations *what,
                                         const tr_accelerations_options *options, tr_accelerations_report *report);

static inline tr_status tr3_body_acceleration(const tr3_world *world, tr3_body id, tr3_acceleration *out)
{
    tr3_accelerations one = {&id, 1, out, TR_NULL, 0, TR_NULL};
    return tr3_world_accelerations(world, &one, TR_NULL, TR_NULL);
}
static inline tr_status tr3_joint_exact_reaction(const tr3_world *world, tr3_joint id, tr3_exact_reaction *out)
{
    tr3_accelerations one = {TR_NULL, 0, TR_NULL, &id, 1, out};
    return tr3_world_accelerations(world, &one, TR_NULL, TR_NULL);
}

#ifdef __cplusplus
}
#endif

#endif
