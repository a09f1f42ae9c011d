/*
 * What worlds of both dimensions share: methods, types of bodies, features of joints, thresholds, statistics. world2.h
 * and world3.h include it.
 */
#ifndef TRAMMEL_COMMON_H
#define TRAMMEL_COMMON_H

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Solution methods; docs/methods.md compares them. Each gives bit-identical results on every machine. Use the soft step
   for contacts, for suspensions and other springs that rest on contacts, for gears, and if dt changes. */
typedef enum tr_method {
    TR_SOFT_STEP = 0,       /* sub-steps with warm starting, soft constraints and a relaxing pass; the default */
    TR_SMALL_STEP,          /* one sweep per sub-step, without warm starting; each corrects more than the whole error */
    TR_POSITION_BASED,      /* bodies move, then their positions are projected; velocities follow from the positions */
    TR_SEQUENTIAL_IMPULSES, /* sweeps with warm starting, Baumgarte bias and slight softness; for one sub-step */
    TR_DIRECT,              /* all joints of an island solved together, in double, of second order: docs/exact.md */
    TR_METHOD_COUNT
} tr_method;

TR_API const char *tr_method_name(tr_method method); /* "soft_step", ...; "unknown" outside the enumeration */

typedef enum tr_body_type {
    TR_STATIC = 0,    /* never moves */
    TR_KINEMATIC = 1, /* moves with its velocity; nothing else moves it */
    TR_DYNAMIC = 2
} tr_body_type;

/* Flag: in one step the body became non-finite, was faster than 1e8 m/s, turned by more than 4,096 rad, or would
   have passed an angle of +-1e12 rad. It was reset to its pose at the beginning of that step. It does not move until
   its pose or velocity is set. */
#define TR_BODY_QUARANTINED 1u

/* Flag: the body is disabled. */
#define TR_BODY_DISABLED 128u

/* Flag: the body sleeps (docs/sleep.md). */
#define TR_BODY_ASLEEP 1024u

/* When bodies fall asleep (docs/sleep.md). */
typedef struct tr_sleep_settings {
    bool enable; /* default true; false: nothing sleeps */
    /* >= 0; a body is at rest while it is slower than both, times the sleep_scale of its definition */
    float speed;         /* default 0.05; length units per second (m/s where the world's length_unit is 1) */
    float angular_speed; /* rad/s; default 0.1 */
    float time;          /* s, >= 0; default 0.5: for so long all bodies of an island must be at rest */
} tr_sleep_settings;

/*
 * Joints
 */

/* A spring on the free coordinate toward `target`. */
typedef struct tr_spring {
    bool enable;
    float target;         /* m or rad */
    tr_softness softness; /* TR_RIGID: the stiffness of rigid rows */
} tr_spring;

/* Bounds of a spring's force along the coordinate: N or N m, lower <= 0 <= upper; both 0, the default: unbounded. With
   upper 0 and lower negative the spring only pulls; with lower 0 and upper positive it only pushes. */
typedef struct tr_force_range {
    float lower, upper;
} tr_force_range;

/* A velocity motor. */
typedef struct tr_motor {
    bool enable;
    float speed;   /* m/s or rad/s */
    float maximum; /* N or N m, >= 0; default FLT_MAX: unbounded; 0: the motor does nothing */
} tr_motor;

/* Limits of the free coordinate; lower <= upper. For a DISTANCE, whose coordinate is its length, upper must be >= 0
   while the limit is enabled. */
typedef struct tr_limit {
    bool enable;
    float lower, upper; /* m or rad */
} tr_limit;

/* Thresholds of the reaction above which a joint reports events (docs/events.md); 0: none. */
typedef struct tr_event_at {
    float force;  /* N, >= 0; for the magnitude of tr2_reaction.force */
    float torque; /* N m, >= 0; for the magnitude of tr2_reaction.torque */
} tr_event_at;

/* Thresholds of the reaction above which a joint breaks, at the end of the step; 0: never. The world's `breaking`
   decides which of several break. */
typedef struct tr_break_at {
    float force;    /* N, >= 0 */
    float torque;   /* N m, >= 0 */
    float impulse;  /* N s, >= 0: of the whole step */
    uint32_t steps; /* break only after this many consecutive steps over any of these; 0 and 1: at once */
} tr_break_at;

/* Which joints break in a step in which several are over their break_at (docs/events.md, one at a time). */
typedef enum tr_breaking {
    TR_BREAKING_ALL = 0,       /* all of them; the default */
    TR_BREAKING_ONE_PER_GROUP, /* the most overloaded of each group of those that share moving bodies */
    /* the most overloaded of each island: of those that any joints connect through moving bodies */
    TR_BREAKING_ONE_PER_ISLAND,
    /* the most overloaded of each group after each sub-step, before the next */
    TR_BREAKING_ONE_PER_SUBSTEP,
    TR_BREAKING_COUNT
} tr_breaking;

TR_API const char *tr_breaking_name(tr_breaking breaking); /* "all", ...; "unknown" outside the enumeration */

typedef enum tr_event_kind {
    TR_EVENT_THRESHOLD, /* the reaction exceeds event_at: one event per such step; `steps` is 1 in the first */
    TR_EVENT_BROKEN     /* the reaction exceeded break_at, and the joint was destroyed */
} tr_event_kind;

/* The joint's current position error. Rigid rows and violated limits count, springs do not. */
typedef struct tr_joint_error_value {
    float linear;  /* m, >= 0 */
    float angular; /* rad, >= 0 */
} tr_joint_error_value;

/* The free coordinate (angle, translation or length) and its rate; 0 if the type has none. */
typedef struct tr_joint_coordinate_value {
    float value, rate; /* m, m/s or rad, rad/s */
} tr_joint_coordinate_value;

/*
 * Statistics
 */

/* room for the counts of joints by type */
#define TR_JOINT_TYPES_MAX 32

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

/*
 * Counts of the plan, and costs of the last step.
 *
 * A block has 16 lanes, each with one joint or contact. A cluster is a group of bodies that fits in a cache: several
 * islands, or a part of a large one. A batch is the list of blocks of one cluster, colour and type. The plan decides
 * them (docs/plan.md); they change the speed of a step, and need not concern an application.
 */
typedef struct tr_statistics {
    uint32_t bodies, moving_bodies, joints;
    uint32_t sleeping_bodies; /* of the moving ones; they and their joints are in no island, block or cluster */
    uint32_t joints_of_type[TR_JOINT_TYPES_MAX]; /* by tr2_joint_type, or tr3_joint_type */
    uint32_t contacts;                           /* of trammel/contacts2.h, contacts3.h and shapes2.h */
    uint32_t solved_joints;                      /* joints and contacts with at least one body that can move */
    uint32_t colors;                             /* with at least one solved joint */
    uint32_t batches, blocks;                    /* as above */
    double lane_fill;                            /* solved_joints / (16 blocks); 1 if there are none */
    uint32_t islands, largest_island;            /* connected groups of moving bodies; bodies in the largest */
    uint32_t islands_by_size[TR_ISLAND_SIZES];   /* [k]: islands of 2^k to 2^(k + 1) - 1 bodies */
    uint32_t clusters;                           /* of the last full plan */
    uint32_t independent_clusters; /* without joints to others: one thread took each through the last step */
    uint32_t interleaved_clusters; /* of identical islands, sixteen side by side, one per lane */
    uint32_t exact_joints;         /* solved directly in the last step: those of some islands (direct_load), or all */
    uint32_t boundary_joints;      /* solved joints and contacts that are in no cluster, most of them between two */
    uint32_t identical_islands;    /* islands of the same structure that the last full plan put side by side */
    uint32_t contiguous_blocks;    /* blocks of the last step whose bodies lie side by side in memory */
    uint32_t split_bodies;     /* bodies with more joints than there are colours; the solver splits them into copies */
    uint32_t body_copies;      /* copies of split bodies */
    uint32_t max_degree;       /* maximum of joints and contacts on one moving body */
    uint32_t clamped_joints;   /* rigid joints with a reduced frequency: clamped at a quarter of the sub-step rate */
    uint32_t clamped_contacts; /* contacts with a reduced frequency: clamped at a fifth of the sub-step rate */
    uint32_t threads;          /* used by the last step */
    uint32_t barriers;         /* in the last step */
    uint32_t chunks;           /* pieces of work in the last step; one worker does a piece */
    uint64_t plan_rebuilds;    /* full plans since creation */
    uint64_t full_layouts, partial_layouts; /* since creation: layouts of the packed data, whole and in part */
    uint64_t steps;
    double step_dt;            /* length of the last step, s; 0 before the first. Both are in snapshots */
    uint32_t step_substeps;    /* of the last step */
    uint32_t nonfinite_bodies; /* quarantined now */
    uint32_t
        direct_islands; /* with joints or contacts, that the direct method solved in the last step (docs/exact.md) */
    /* of these: systems that were made and solved, over all islands and sub-steps; at most in one
       sub-step of an island; and islands of which some sub-step ended before its limits, motors and friction had all
       settled */
    uint64_t direct_solves;
    uint32_t direct_solves_max, direct_unsettled;
    uint32_t watched_joints;              /* with event_at or break_at */
    uint64_t broken_joints;               /* since creation */
    double seconds;                       /* of the last step */
    double stage_seconds[TR_STAGE_COUNT]; /* within clusters an estimate, from some of them and some steps */
    uint32_t critical_path; /* chunks of the last step that must run one after another, for any number of threads */
    size_t stage_bytes[TR_STAGE_COUNT]; /* read and written in the last step, from memory or a cache; 0 of PLAN */
    size_t bytes;                       /* allocated by this world now */
    size_t bytes_per_substep; /* the part of stage_bytes that passes over joints and contacts move in one sub-step */
} tr_statistics;

#ifdef __cplusplus
}
#endif

#endif
