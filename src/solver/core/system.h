/*
 * The data that the solver works on: tables of bodies and joints, plan, settings; and the solver, which keeps packed
 * copies of the data that a step uses most. The world owns and edits the tables; a step reads them and writes their
 * state columns. This module is below world, and above plan, parallel and simd.
 */
#ifndef TR_SOLVER_SYSTEM_H
#define TR_SOLVER_SYSTEM_H

#include <string.h>

#include "base/pool.h"
#include "base/table.h"
#include "parallel/team.h"
#include "plan/plan.h"
#include "solver/core/joint_types.h"
#include "trammel/contacts2.h"
#include "trammel/statistics2.h"

/* X(type, name): one column per line, with the names of the public view. */
#define TR2_BODY_COLUMNS(X)                                                                                            \
    X(tr2_body, id)                                                                                                    \
    X(double, center_x)                                                                                                \
    X(double, center_y)                                                                                                \
    X(double, angle)                                                                                                   \
    X(float, c)                                                                                                        \
    X(float, s)                                                                                                        \
    X(float, velocity_x)                                                                                               \
    X(float, velocity_y)                                                                                               \
    X(float, angular_velocity)                                                                                         \
    X(float, local_center_x)                                                                                           \
    X(float, local_center_y)                                                                                           \
    X(float, mass)                                                                                                     \
    X(float, inertia)                                                                                                  \
    X(float, inverse_mass)                                                                                             \
    X(float, inverse_inertia)                                                                                          \
    X(float, gravity_scale)                                                                                            \
    X(float, linear_damping)                                                                                           \
    X(float, angular_damping)                                                                                          \
    X(float, force_x)                                                                                                  \
    X(float, force_y)                                                                                                  \
    X(float, torque)                                                                                                   \
    X(uint32_t, type)                                                                                                  \
    X(uint32_t, flags)                                                                                                 \
    X(uint64_t, user_data)

/* internal bits of the flags column, in addition to TR2_BODY_QUARANTINED */
#define TR2_BODY_FIXED_ROTATION 2u
#define TR2_BODY_BULLET         16u
#define TR2_BODY_PUT_BACK       32u /* moved back after the last step, so its joints may have errors */

/* The table of bodies, with a pointer per column. The columns of ids, inverse masses, local centres, gravity_scale,
   dampings, forces and user_data are left out (null) while all bodies have the default (1 or 0) and nobody reads
   them. Call tr2_bodies_refresh() after the table grew, to update the pointers. */
typedef struct tr2_bodies {
    tr_table table;
    uint32_t *slot;    /* the first column: each row's slot in the pool, which is its vertex in the plan */
    bool uneven;       /* some body has had its own gravity scale, damping or force */
    uint32_t bullets;  /* number of bodies with TR2_BODY_BULLET */
    uint32_t disabled; /* number of bodies with TR2_BODY_DISABLED */
    bool off_center;   /* some body's centre of mass was not at its origin: tr2_body_write_center() */
#define COLUMN(type, name) type *name;
    TR2_BODY_COLUMNS(COLUMN)
#undef COLUMN
} tr2_bodies;

bool tr2_bodies_init(tr2_bodies *bodies, tr_memory *memory);
void tr2_bodies_refresh(tr2_bodies *bodies);
/* Adds the columns that this definition needs, those of forces, those of centres, or all. False if out of memory;
   then there may be more columns than before, filled with defaults. */
bool tr2_bodies_hold(tr2_bodies *bodies, const tr2_body_def *def);
bool tr2_bodies_hold_forces(tr2_bodies *bodies);
bool tr2_bodies_hold_centers(tr2_bodies *bodies);
bool tr2_bodies_hold_all(tr2_bodies *bodies);

/* A number from a column that may have been left out. */
static inline float tr2_body_number(const float *column, uint32_t row, float preset)
{
    return column != NULL ? column[row] : preset;
}

/* The columns of all joint types; they are followed by carriers, the type's fields in the order of tr2_field,
   columns of its own, and its impulses. Columns are left out (null) while all joints have the default and nobody
   reads them, except for slots, some fields (ALWAYS_HELD in system.c), and the impulses of the plain kernel.
   tr2_joints_hold_ids() adds ids and bodies. */
#define TR2_JOINT_COLUMNS(X)                                                                                           \
    X(uint32_t, slot) /* in the pool; its edge in the plan */                                                          \
    X(tr2_joint, id)                                                                                                   \
    X(tr2_body, body_a)                                                                                                \
    X(tr2_body, body_b)                                                                                                \
    X(uint64_t, user_data)                                                                                             \
    X(int32_t, turn)   /* whole turns subtracted from the relative angle */                                            \
    X(uint32_t, flags) /* TR2_JOINT_... */

/* The table of one joint type. */
typedef struct tr2_joints {
    tr_table table;
#define COLUMN(type, name) type *name;
    TR2_JOINT_COLUMNS(COLUMN)
#undef COLUMN
    tr2_body *carrier_a, *carrier_b; /* null also if the type has none; the null id is the world */
    float *field[TR2_FIELD_COUNT];   /* null also if the type has no such field */
    float *own[TR2_MAX_OWN];
    float *impulse[TR2_MAX_IMPULSES];
    uint64_t left_out;                /* mask over tr2_field: columns that are left out */
    uint32_t preset[TR2_FIELD_COUNT]; /* bits of the default of each field */
} tr2_joints;

/* `preset`: the default definition of the type. */
bool tr2_joints_init(tr2_joints *joints, tr_memory *memory, tr2_joint_type type, const tr2_joint_def *preset);
void tr2_joints_refresh(tr2_joints *joints, tr2_joint_type type);
/* Adds the columns that this checked definition needs. False if out of memory; then there may be more columns than
   before, filled with defaults. */
bool tr2_joints_hold(tr2_joints *joints, const tr2_joint_def *def, int32_t turn);

/* Adds the column of flags. */
bool tr2_joints_hold_flags(tr2_joints *joints, uint32_t type);

/* Adds the columns of ids and bodies, which a joint table has only if someone reads them, because the plan and the
   pools know both. For contacts, only bodies. False if out of memory; new columns are zero. */
bool tr2_joints_hold_ids(tr2_joints *joints, tr2_joint_type type);

static inline bool tr2_joint_has(uint32_t type, tr2_field field)
{
    return (tr2_joint_types[type]->fields >> field & 1u) != 0;
}

/* The bits of a joint's four-byte field. */
static inline uint32_t tr2_joint_cell(const tr2_joints *joints, tr2_field field, uint32_t row)
{
    uint32_t bits = joints->preset[field];
    if (joints->field[field] != NULL)
        memcpy(&bits, joints->field[field] + row, sizeof bits);
    return bits;
}

/* The carrier in a row; the null id if the column is null: the world. */
static inline tr2_body tr2_joint_carrier(const tr2_body *column, uint32_t row)
{
    return column != NULL ? column[row] : (tr2_body){0, 0, 0};
}

static inline float tr2_joint_impulse(const tr2_joints *joints, uint32_t i, uint32_t row)
{
    return joints->impulse[i] != NULL ? joints->impulse[i][row] : 0.0f;
}

static inline void tr2_joint_drop_impulse(tr2_joints *joints, uint32_t i, uint32_t row)
{
    if (joints->impulse[i] != NULL)
        joints->impulse[i][row] = 0.0f;
}

/* The fields of a type that have a column, as a mask over tr2_field. */
uint64_t tr2_joint_fields_held(const tr2_joints *joints, tr2_joint_type type);
/* Reads these fields of a row into a definition that already has its defaults, or writes a row back to the columns that
   exist. Not bodies and user data. */
void tr2_joint_row_get(const tr2_joints *joints, uint64_t held, uint32_t row, tr2_joint_def *out);
void tr2_joint_row_set(tr2_joints *joints, tr2_joint_type type, uint32_t row, const tr2_joint_def *def);

/* The current pose of a joint. `rows`: table rows of A, B and their carriers; TR_NONE for a carrier: the world. */
void tr2_joint_pose_get(const tr2_bodies *bodies, const uint32_t rows[TR_ENDS], const tr2_joint_def *def, int32_t turn,
                        tr2_joint_pose *out);

/* local_center of a row. Write it only with tr2_body_write_center(), and values other than 0 only after
   tr2_bodies_hold_centers(). */
static inline tr_vec2 tr2_body_center(const tr2_bodies *bodies, uint32_t row)
{
    tr_vec2 center = {tr2_body_number(bodies->local_center_x, row, 0.0f),
                      tr2_body_number(bodies->local_center_y, row, 0.0f)};
    return center;
}

void tr2_body_write_center(tr2_bodies *bodies, uint32_t row, tr_vec2 center);

/* Inverse mass and inertia of a row from its type, mass, inertia and flags; 0 in quarantine. */
static inline float tr2_body_inverse_mass(const tr2_bodies *bodies, uint32_t row)
{
    bool movable = bodies->type[row] == TR_DYNAMIC && (bodies->flags[row] & TR2_BODY_QUARANTINED) == 0;
    return movable ? 1.0f / bodies->mass[row] : 0.0f;
}

static inline float tr2_body_inverse_inertia(const tr2_bodies *bodies, uint32_t row)
{
    bool turnable = bodies->type[row] == TR_DYNAMIC && bodies->inertia[row] > 0.0f &&
                    (bodies->flags[row] & (TR2_BODY_QUARANTINED | TR2_BODY_FIXED_ROTATION)) == 0;
    return turnable ? 1.0f / bodies->inertia[row] : 0.0f;
}

/* Writes both into their columns, if these exist. */
void tr2_body_update_inverse(tr2_bodies *bodies, uint32_t row);

/* Cosine and sine as the solver computes them, bit-identical on every machine. */
void tr2_rotation(double angle, float *c, float *s);

typedef struct tr2_settings {
    tr_vec2 gravity;
    float joint_frequency, joint_damping_ratio;
    bool warm_starting;
    tr2_contact_settings contacts;
    tr2_method method;
    uint32_t sweeps;   /* per sub-step; 0: the method's default */
    float direct_load; /* how many times its own mass a body may carry before its tree is solved exactly */
} tr2_settings;

/* The data that a step works on. Body slots are the plan's vertices, joint slots its edges. */
typedef struct tr2_system {
    tr2_bodies *bodies;
    const tr_pool *body_pool;
    tr2_joints *joints; /* TR2_TABLE_COUNT of them */
    const tr_pool *joint_pool;
    tr_plan *plan;
    tr_team *team;
    bool automatic_threads; /* not set: the first step runs on one thread, to know whether more pay */
    bool bounces;           /* some contact may have restitution */
    /* Changes with what decides how much a body carries by which joint, as far as the plan does not know of it: masses,
       centres, anchors, and which joints act, are rigid, or only turn. */
    uint64_t loads;
    tr2_settings settings;
} tr2_system;

typedef struct tr2_solver tr2_solver;

tr_status tr2_solver_create(tr_memory *memory, tr2_solver **out);
void tr2_solver_destroy(tr2_solver *solver);

/* Runs one step. dt > 0 and substeps >= 1 must hold. On TR_ERROR_MEMORY nothing changed. */
tr_status tr2_solver_step(tr2_solver *solver, tr2_system *system, double dt, uint32_t substeps);

/*
 * Makes a fresh plan, reorders the rows of bodies and joints accordingly, and updates the pools' row numbers. A step
 * calls it if the plan's churn is large. After TR_ERROR_MEMORY the world is still consistent; if the plan was already
 * made, its churn is the most, and the next step makes it again.
 */
tr_status tr2_solver_optimize(tr2_solver *solver, tr2_system *system, tr_pool *body_pool, tr_pool *joint_pool);

/* Results of the last step; the world completes them. inv_h, of the last sub-step, converts impulses to forces. */
typedef struct tr2_solver_report {
    double seconds;
    double stage_seconds[TR_STAGE_COUNT];
    double kind_seconds[TR_STAGE_COUNT + 1]; /* by label of the pipeline; undivided time of units is last */
    float inv_h;                             /* 0 before the first step */
    uint32_t threads, barriers, chunks;
    uint32_t clamped_joints, clamped_contacts;
    uint64_t plan_rebuilds, steps;
    uint64_t layouts, patches; /* number of full layouts, and of patches for changed joints */
    uint64_t shares;           /* number of times that masses of split bodies were distributed */
} tr2_solver_report;

/*
 * Records what the last step took, so that the next ones choose their number of threads by it. The work and seconds
 * `beside` the solver are those of the team's other runs: the work in visits of joints that would take as long. `held`:
 * the seconds for which workers waited there for others that did not run.
 */
void tr2_solver_took(tr2_solver *solver, double work_beside, double seconds_beside, double held);
const tr2_solver_report *tr2_solver_last(const tr2_solver *solver);

typedef struct tr2_motion {
    float x, y; /* m, of the centre of mass */
    float turn; /* rad */
} tr2_motion;

/* The motion of a row's body in the last step; only if it is not in quarantine and rows are as they were then. */
tr2_motion tr2_solver_motion(const tr2_solver *solver, uint32_t body_row);
/* Corrects the motion of a body that was moved back. */
void tr2_solver_set_motion(tr2_solver *solver, uint32_t body_row, tr2_motion motion);

/* Description of the last step's pipeline; all zero before the first step. */
typedef struct tr2_solver_work {
    uint32_t span;                /* number of stages; each starts when the previous one is done */
    uint32_t whole_units;         /* units that ran the whole step by themselves */
    uint32_t tiled_units;         /* those of them that were solved in tiles */
    uint32_t run_blocks;          /* blocks that are runs */
    uint32_t exact_joints;        /* joints solved in trees */
    size_t bytes[TR_STAGE_COUNT]; /* read and written */
    size_t bytes_per_substep;     /* part of them due to passes over joints */
} tr2_solver_work;

void tr2_solver_describe(const tr2_solver *solver, tr2_solver_work *out);

/* Estimated time of the last step's pipeline on this many threads, s: see tr2_world_projected_seconds. */
double tr2_solver_project(const tr2_solver *solver, uint32_t threads);

#endif
