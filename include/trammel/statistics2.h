/* Statistics of a world: cost of a step, state of the plan, energies, momenta and joint errors. */
#ifndef TRAMMEL_STATISTICS2_H
#define TRAMMEL_STATISTICS2_H

#include "trammel/joints2.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tr_stage {
    TR_STAGE_BROAD,  /* pairs of shapes that are near each other, and continuous collision after the step */
    TR_STAGE_NARROW, /* contact points of these pairs, and touch events */
    TR_STAGE_PLAN,
    TR_STAGE_PREPARE,
    TR_STAGE_INTEGRATE,
    TR_STAGE_WARM_START,
    TR_STAGE_SOLVE,
    TR_STAGE_RELAX,
    TR_STAGE_FINISH,
    TR_STAGE_COUNT
} tr_stage;

TR_API const char *tr_stage_name(tr_stage stage); /* "plan", ... */

/* Counts of the plan, and costs of the last step. A block has 16 lanes, each with one joint or contact; a span is the
   list of blocks of one unit, colour and kind. docs/plan.md explains the terms. */
typedef struct tr_statistics {
    uint32_t bodies, moving_bodies, joints;
    uint32_t joints_of_type[TR2_JOINT_TYPE_COUNT];
    uint32_t contacts;                         /* of trammel/contacts2.h and of shapes (trammel/shapes2.h) */
    uint32_t solved_joints;                    /* joints and contacts with at least one body that can move */
    uint32_t colors;                           /* with at least one solved joint */
    uint32_t spans, blocks;                    /* as above */
    double lane_fill;                          /* solved_joints / (16 blocks); 1 if there are none */
    uint32_t islands, largest_island;          /* connected groups of moving bodies; bodies in the largest */
    uint32_t islands_by_size[TR_ISLAND_SIZES]; /* [k]: islands of 2^k to 2^(k + 1) - 1 bodies */
    uint32_t units;                            /* groups of bodies that fit a cache, of the last full plan */
    uint32_t whole_units;  /* units that one worker took through the whole last step: nothing outside moved them */
    uint32_t tiled_units;  /* whole units of twin islands in groups of sixteen: all vectors were loaded contiguously */
    uint32_t exact_joints; /* solved exactly as parts of trees in the last step: tr2_world_def.direct_load */
    uint32_t seams;        /* solved joints and contacts that are in no unit */
    uint32_t twin_islands; /* islands that the last full plan put side by side with others of the same structure */
    uint32_t run_blocks;   /* blocks of the last step whose bodies are loaded and stored as whole vectors */
    uint32_t split_bodies; /* bodies with more joints than there are colours; the solver splits them into copies */
    uint32_t body_copies;  /* copies of split bodies */
    uint32_t max_degree;   /* maximum of joints and contacts on one moving body */
    uint32_t clamped_joints;   /* rigid joints with a reduced frequency: clamped at a quarter of the sub-step rate */
    uint32_t clamped_contacts; /* contacts with a reduced frequency: clamped at a fifth of the sub-step rate */
    uint32_t threads;          /* used by the last step */
    uint32_t barriers;         /* in the last step */
    uint32_t chunks;           /* pieces of work in the last step; one worker does a piece */
    uint64_t plan_rebuilds;    /* full plans since creation */
    uint64_t layouts, patches; /* since creation: full and partial layouts of the step's packed data */
    uint64_t steps;
    uint32_t nonfinite_bodies;            /* quarantined now */
    uint32_t watched_joints;              /* with event_at or break_at */
    uint64_t broken_joints;               /* since creation */
    double seconds;                       /* of the last step */
    double stage_seconds[TR_STAGE_COUNT]; /* within units estimated: from some of them, and in some steps only */
    uint32_t span; /* chunks of the last step that must run one after another, for any number of threads */
    size_t stage_bytes[TR_STAGE_COUNT]; /* read and written in the last step, from memory or a cache; 0 of PLAN */
    size_t bytes;                       /* allocated by this world now */
    size_t bytes_per_substep; /* the part of stage_bytes that passes over joints and contacts move in one sub-step */
} tr_statistics;

TR_API tr_statistics tr2_world_statistics(const tr2_world *world);

/*
 * Estimated seconds of the last step on `threads` cores like those of this machine. Each stage takes ceil(chunks /
 * threads) rounds at its mean time per chunk. Planning, and the part of collision that runs on one thread, take the
 * time that was measured. Barriers and shared memory bandwidth are not counted, so this is a lower bound. It is most
 * exact after a step on one thread. 0 before the first step and for 0 threads.
 */
TR_API double tr2_world_projected_seconds(const tr2_world *world, uint32_t threads);

/* Sums over the current state of the world, in a fixed order. */
typedef struct tr2_measures {
    double kinetic_energy; /* J */
    /* J, of gravity (zero at the world's origin), and of springs and soft rows of kind TR_PHYSICAL. Those of kind
       TR_FREQUENCY are not counted: their stiffness depends on the masses */
    double potential_energy;
    tr_dvec2 momentum;       /* kg m/s */
    double angular_momentum; /* kg m^2/s about the world's origin */
    double joint_error_rms;  /* m, linear, over the joints with rows held rigidly */
    double joint_error_max;
    double joint_angle_error_rms; /* rad, over the joints with angle rows held rigidly */
    double joint_angle_error_max;
    uint32_t rigid_joints; /* number of joints that these errors include */
} tr2_measures;

TR_API tr2_measures tr2_world_measure(const tr2_world *world);

/* The colour of a joint: joints of one colour share no moving body (or copy of a split one). UINT32_MAX for a joint
   between two bodies that cannot move. */
TR_API tr_status tr2_joint_color(const tr2_world *world, tr2_joint id, uint32_t *out);

#ifdef __cplusplus
}
#endif

#endif
