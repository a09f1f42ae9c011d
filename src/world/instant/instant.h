/*
 * The equations of motion of a world at its present state (trammel/accelerations.h): its moving bodies, what its joints
 * do to them at this instant, and the solution.
 */
#ifndef TR_WORLD_INSTANT_H
#define TR_WORLD_INSTANT_H

#include "dynamics/sparse.h"
#include "trammel/accelerations.h"
#include "world/core/world_internal.h"

/* A moving body. */
typedef struct trn_inertial {
    double mass, inverse_mass;                                                   /* kg, 1/kg */
    double inertia[TRN_SPINS][TRN_SPINS], inverse_inertia[TRN_SPINS][TRN_SPINS]; /* in the world's axes */
    bool turns;                       /* torques rotate it; if not, its inverse inertia is 0 */
    double acceleration[TRN_DEGREES]; /* by what is no held row; then by all */
} trn_inertial;

/* Mass and acceleration of a row's body, which is dynamic and not in quarantine, without joints. */
void trn_inertial_of(const trn_world *world, uint32_t row, trn_inertial *out);
/* out := M^-1 in */
void trn_inertial_respond(const trn_inertial *body, const double in[TRN_DEGREES], double out[TRN_DEGREES]);

/* The pose and the equations of a row's joint, whose definition this is. */
void trn_equations_read(const trn_world *world, trn_joint_type type, uint32_t row, const trn_joint_def *def,
                        trn_joint_pose *pose, trn_equations *out);

/* A row that is held, or a stop that may be. */
typedef struct trn_held_row {
    uint32_t equation; /* into `forces` */
    double bend;       /* dJ/dt v */
    double k;          /* J M^-1 J^T, the mean of those of its joint's linear or angular rows */
    bool stop;
} trn_held_row;

/* A joint that acts on a moving body. */
typedef struct trn_instant_joint {
    uint32_t slot;
    uint32_t first_equation, first_row, row_count;
    uint32_t body[TR_ENDS], body_count; /* the moving bodies, each once: into `bodies` */
    bool opens[TR_ENDS];                /* that body alone gives all rows a K that is not small */
    bool grounded;                      /* some row changes if all bodies move as one */
    bool incomplete;                    /* something acts in a step and is not in the equations */
    uint32_t block;                     /* into `jacobian`: J of its rows for the first body, then the second, ... */
} trn_instant_joint;

typedef struct trn_instant {
    const trn_world *world;
    tr_accelerations_options options;
    tr_memory memory; /* its own, because several threads may look at a world */
    uint32_t *moving; /* of each row of the table of bodies: into `bodies`, or TR_NONE */
    trn_inertial *bodies;
    uint32_t body_count;
    uint32_t *joint_of_slot; /* into `joints`, or TR_NONE */
    trn_instant_joint *joints;
    trn_held_row *rows;
    double (*jacobian)[TRN_DEGREES];
    double *forces; /* of each equation: N or N m; of rows held, when they are solved */
    uint32_t joint_count, joint_capacity, row_count, row_capacity, block_count, block_capacity, force_count,
        force_capacity;
    /* islands: their bodies and joints, one island after another */
    uint32_t island_count;
    uint32_t *island_of; /* each body's */
    uint32_t *first_body, *body_list, *first_joint, *joint_list;
    bool *wanted; /* islands to solve */
    tr_accelerations_report report;
} trn_instant;

/* Reads the world, and finds the islands, none of which is wanted. TR_ERROR_MEMORY, TR_ERROR_LIMIT; to be freed in any
   case. */
tr_status trn_instant_make(trn_instant *instant, const trn_world *world, const tr_accelerations_options *options);
void trn_instant_free(trn_instant *instant);
/* Solves the wanted islands: accelerations of bodies, forces of rows, the report. */
tr_status trn_instant_solve(trn_instant *instant);

#endif
