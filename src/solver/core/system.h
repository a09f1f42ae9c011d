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
#include "solver/dimension.h"

/* internal bits of the flags column, in addition to TR_BODY_QUARANTINED */
#define TR_BODY_FIXED_ROTATION 2u
#define TR_BODY_BULLET         16u
#define TR_BODY_NEVER_SLEEPS   2048u
#define TR_BODY_WANTS_DIRECT   65536u
/* in a step: it is of an island that the direct method solves; and sweeps move that before, because some contacts with it
   are solved by these */
#define TR_BODY_DIRECT   131072u
#define TR_BODY_BORDERED 262144u
/* its velocity is that of half a sub-step before its position: the direct method moved it beside sweeps, as these move
   (exact_border.c) */
#define TR_BODY_LATE 524288u

/* whether sweeps do not move a body that they would */
static inline bool trn_is_unswept(uint32_t flags)
{
    return (flags & (TR_BODY_DIRECT | TR_BODY_BORDERED)) == TR_BODY_DIRECT;
}

/* The table of bodies, with a pointer per column. The columns of TRN_BODY_OPTIONAL are left out (null) while all
   bodies have the default (1 or 0) and nobody reads them. Columns that are const here stay as they are in a step, and are
   written through tr_table_edit(). Call trn_bodies_refresh() after the table grew, to update the pointers. */
typedef struct trn_bodies {
    tr_table table;
    const uint32_t *slot; /* the first column: each row's slot in the pool, which is its vertex in the plan */
    bool uneven;          /* some body has had its own gravity scale, damping or force */
    uint32_t bullets;     /* number of bodies with TR_BODY_BULLET */
    uint32_t disabled;    /* number of bodies with TR_BODY_DISABLED */
    uint32_t direct;      /* number of bodies with TR_BODY_WANTS_DIRECT */
    bool off_center;      /* some body's centre of mass was not at its origin: trn_body_write_center() */
    /* the rows [rest_first, rest_end) sleep: passes over the rows of all bodies leave them out; other rows may sleep */
    uint32_t rest_first, rest_end;
#define COLUMN(type, name) type *name;
#define STAYS(type, name)  const type *name;
    TRN_BODY_COLUMNS_OF(COLUMN, STAYS)
#undef STAYS
#undef COLUMN
#define COLUMN(name) float *name;
    TRN_BODY_LOW(COLUMN)
#undef COLUMN
} trn_bodies;

/* In a pass over all rows: the row itself, or the first one after those that sleep. */
static inline uint32_t trn_bodies_awake(const trn_bodies *bodies, uint32_t row)
{
    return row >= bodies->rest_first && row < bodies->rest_end ? bodies->rest_end : row;
}

bool trn_bodies_init(trn_bodies *bodies, tr_memory *memory);
void trn_bodies_refresh(trn_bodies *bodies);
/* Adds the columns that this definition needs, those of forces, or all. False if out of memory: nothing changed. */
bool trn_bodies_hold(trn_bodies *bodies, const trn_body_def *def);
bool trn_bodies_hold_forces(trn_bodies *bodies);
bool trn_bodies_hold_all(trn_bodies *bodies);
/* Adds those of TRN_BODY_LOW. False if out of memory. */
bool trn_bodies_hold_low(trn_bodies *bodies);
/* Makes them 0, where they are: of all rows but those with one of these flags; of one row. */
void trn_bodies_round(trn_bodies *bodies, uint32_t flags);
void trn_bodies_round_row(trn_bodies *bodies, uint32_t row);

/* Visits the table (base/archive.h). */
void trn_bodies_archive(trn_bodies *bodies, tr_archive *archive);

/* Removes the forces and torques for the next step, of all bodies or of one. */
void trn_bodies_clear_forces(trn_bodies *bodies);
void trn_body_clear_force(trn_bodies *bodies, uint32_t row);

/* A number from a column that may have been left out. */
static inline float trn_body_number(const float *column, uint32_t row, float preset)
{
    return column != NULL ? column[row] : preset;
}

/* The columns of all joint types; they are followed by carriers, the type's fields in the order of trn_field,
   columns of its own, and its impulses. Columns are left out (null) while all joints have the default and nobody
   reads them, except for slots, some fields (TRN_ALWAYS_HELD), and the impulses of the plain kernel.
   trn_joints_hold_ids() adds ids and bodies. */
#define TR_JOINT_COLUMNS_OF(X, S)                                                                                      \
    S(uint32_t, slot) /* in the pool; its edge in the plan */                                                          \
    S(trn_joint, id)                                                                                                   \
    S(trn_body, body_a)                                                                                                \
    S(trn_body, body_b)                                                                                                \
    S(uint64_t, user_data)                                                                                             \
    X(double, turn)    /* whole turns subtracted from the relative angle */                                            \
    X(uint32_t, flags) /* TR_JOINT_... */
#define TR_JOINT_COLUMNS(X) TR_JOINT_COLUMNS_OF(X, X)

/* The table of one joint type; const columns as in trn_bodies. */
typedef struct trn_joints {
    tr_table table;
#define COLUMN(type, name) type *name;
#define STAYS(type, name)  const type *name;
    TR_JOINT_COLUMNS_OF(COLUMN, STAYS)
#undef STAYS
#undef COLUMN
    const trn_body *carrier_a, *carrier_b; /* null also if the type has none; the null id is the world */
    const float *field[TRN_FIELD_COUNT];   /* null also if the type has no such field */
    float *own[TRN_MAX_OWN];
    float *impulse[TRN_MAX_IMPULSES];
    trn_mask left_out;                /* columns that are left out */
    uint32_t preset[TRN_FIELD_COUNT]; /* bits of the default of each field */
} trn_joints;

/* `preset`: the default definition of the type. */
bool trn_joints_init(trn_joints *joints, tr_memory *memory, trn_joint_type type, const trn_joint_def *preset);
void trn_joints_refresh(trn_joints *joints, trn_joint_type type);
/* Adds the columns that this checked definition needs. False if out of memory; then nothing changed. */
bool trn_joints_hold(trn_joints *joints, const trn_joint_def *def, double turn);

/* Visits the table of a type (base/archive.h). */
void trn_joints_archive(trn_joints *joints, tr_archive *archive, trn_joint_type type);
/* Whether the joints of a kernel have all columns that it needs in any case. */
bool trn_joints_serve(const trn_joints *joints, uint32_t kernel);

/* Adds the column of flags. */
bool trn_joints_hold_flags(trn_joints *joints, uint32_t type);

/* Adds the columns of ids and bodies, which a joint table has only if someone reads them, because the plan and the
   pools know both. False if out of memory, then nothing changed; new columns are zero. */
bool trn_joints_hold_ids(trn_joints *joints, trn_joint_type type);

static inline bool trn_joint_has(uint32_t type, trn_field field)
{
    return trn_info_has(trn_joint_types[type], field);
}

/* The bits of a joint's four-byte field. */
static inline uint32_t trn_joint_cell(const trn_joints *joints, trn_field field, uint32_t row)
{
    uint32_t bits = joints->preset[field];
    if (joints->field[field] != NULL)
        memcpy(&bits, joints->field[field] + row, sizeof bits);
    return bits;
}

/* The carrier in a row; the null id if the column is null: the world. */
static inline trn_body trn_joint_carrier(const trn_body *column, uint32_t row)
{
    return column != NULL ? column[row] : (trn_body){0, 0, 0};
}

static inline float trn_joint_impulse(const trn_joints *joints, uint32_t i, uint32_t row)
{
    return joints->impulse[i] != NULL ? joints->impulse[i][row] : 0.0f;
}

static inline void trn_joint_drop_impulse(trn_joints *joints, uint32_t i, uint32_t row)
{
    if (joints->impulse[i] != NULL)
        joints->impulse[i][row] = 0.0f;
}

/* The fields of a type that have a column, as a mask over trn_field. */
trn_mask trn_joint_fields_held(const trn_joints *joints, trn_joint_type type);
/* Reads these fields of a row into a definition that already has its defaults, or writes a row back to the columns that
   exist. Not bodies and user data. */
void trn_joint_row_get(const trn_joints *joints, trn_mask held, uint32_t row, trn_joint_def *out);
void trn_joint_row_set(trn_joints *joints, trn_joint_type type, uint32_t row, const trn_joint_def *def);

/* The current pose of a joint. `rows`: table rows of A, B and their carriers; TR_NONE for a carrier: the world. `turn`:
   whole turns that are no part of the angle in the plane, and that are added to it in space. */
void trn_joint_pose_get(const trn_bodies *bodies, const uint32_t rows[TR_ENDS], const trn_joint_def *def, double turn,
                        trn_joint_pose *out);
/* The same from states of bodies; null for a carrier: the world. */
void trn_joint_pose_of(const trn_body_state *const body[TR_ENDS], const trn_joint_def *def, double turn,
                       trn_joint_pose *out);
trn_body_state trn_body_state_of(const trn_bodies *bodies, uint32_t row);

/* Whether a row's body can be moved: also while it sleeps. The column of types then says TR_STATIC, which is how it
   behaves. */
static inline bool trn_body_is_dynamic(const trn_bodies *bodies, uint32_t row)
{
    return bodies->type[row] == TR_DYNAMIC || (bodies->flags[row] & TR_BODY_ASLEEP) != 0;
}

/* Inverse mass and inertia of a row from its type, mass, inertia and flags; 0 in quarantine. */
static inline float trn_body_inverse_mass(const trn_bodies *bodies, uint32_t row)
{
    bool movable = trn_body_is_dynamic(bodies, row) && (bodies->flags[row] & TR_BODY_QUARANTINED) == 0;
    return movable ? 1.0f / bodies->mass[row] : 0.0f;
}

#include TRN_BODIES_FILE

/* Writes both into their columns, if these exist. */
void trn_body_update_inverse(trn_bodies *bodies, uint32_t row);
/* Holds a body still where it is, until it is set again. */
void trn_body_quarantine(trn_bodies *bodies, uint32_t row);

typedef struct trn_settings {
    trn_vec gravity;
    float joint_frequency, joint_damping_ratio;
    bool warm_starting;
    trn_contact_settings contacts;
    tr_method method;
    uint32_t sweeps;   /* per sub-step; 0: the method's default */
    float direct_load; /* how many times its own mass a body may carry before its island is solved exactly */
    float length_unit; /* m; lengths and speeds that no object states are multiples of it */
    tr_sleep_settings sleep;
} trn_settings;

/* A contact of shapes where its bodies are in a sub-step. */
#define TR_FOUND_POINTS 4
typedef struct trn_found_contact {
    trn_dvec normal;                    /* unit vector in world axes, from A to B */
    trn_dvec arm[TR_FOUND_POINTS];      /* m, from A's centre of mass to each point */
    double separation[TR_FOUND_POINTS]; /* m */
    uint32_t count;                     /* of points; 0: it is farther than */
    double reach;                       /* m */
} trn_found_contact;

/* The data that a step works on. Body slots are the plan's vertices, joint slots its edges. */
typedef struct trn_system {
    trn_bodies *bodies;
    const tr_pool *body_pool;
    trn_joints *joints; /* TR_TABLE_COUNT of them */
    const tr_pool *joint_pool;
    tr_plan *plan;
    tr_team *team;
    bool automatic_threads; /* not set: the first step runs on one thread, to know whether more pay */
    bool bounces;           /* some contact may have restitution */
    bool follows;           /* somebody asks how bodies have moved in the step: trn_solver_motion() */
    /* Changes with what decides how much a body carries by which joint, as far as the plan does not know of it: masses,
       centres, anchors, and which joints act, are rigid, or only turn. */
    uint64_t loads;
    trn_settings settings;
    /* Called by trn_solver_step() before it reads contacts that are solved directly, while it can still fail, with these
       joints and contacts, type << 32 | row; false: out of memory. Null: nothing is to be done. */
    bool (*write_contacts)(void *context, const uint64_t *joints, uint32_t count);
    /* Called by it when nothing can fail any more, before anything changes. Null: nothing is to be done. */
    void (*settle)(void *context);
    void *settle_context;
    /* Finds the contact in a row where its bodies are now, for the direct method, in several threads at once; its context
       is settle_context. False: it is not one of shapes. Null: there are none. */
    bool (*find_contact)(const void *context, uint32_t row, const trn_body_state *const body[2],
                         trn_found_contact *out);
} trn_system;

typedef struct trn_solver trn_solver;
typedef struct trn_exact trn_exact;

tr_status trn_solver_create(tr_memory *memory, trn_solver **out);
void trn_solver_destroy(trn_solver *solver);

/* Runs one step. dt > 0 and substeps >= 1 must hold. On an error nothing changed but
   for the layout, which trn_solver_forget_layout() lets the next step make anew, if the plan is not what it was laid out for. */
tr_status trn_solver_step(trn_solver *solver, trn_system *system, double dt, uint32_t substeps);
void trn_solver_forget_layout(trn_solver *solver);

/* A fresh plan, and what the reordering of rows needs. */
typedef struct trn_reordering {
    tr_fresh *fresh;
    uint32_t most;      /* rows of any table; 0: there are none */
    uint32_t *order;    /* the plan's, of bodies */
    uint32_t row_count; /* of all tables */
    uint32_t *rows;     /* where each was before, one table after the other */
    void *scratch;      /* for tr_table_permute() */
    size_t scratch_size;
    uint32_t rest_first, rest_end; /* of bodies, before */
} trn_reordering;

/*
 * Takes a fresh plan, reorders the rows of bodies and joints accordingly, and updates the pools' row numbers. A step
 * does it if the plan's churn is large. The first makes the plan, or completes the one that is begun; on
 * TR_ERROR_MEMORY nothing changed. The second takes it. The third takes it back, when all later changes of plan and rows
 * have been undone; or the fourth lets go of what was before, also of a plan that is not taken. Only the first can fail.
 */
tr_status trn_solver_make_plan(trn_solver *solver, const trn_system *system, bool begun, trn_reordering *out);
void trn_solver_take_plan(trn_solver *solver, trn_system *system, tr_pool *body_pool, tr_pool *joint_pool,
                          trn_reordering *it);
void trn_solver_take_plan_back(trn_solver *solver, trn_system *system, tr_pool *body_pool, tr_pool *joint_pool,
                               trn_reordering *it);
void trn_solver_leave_plan(trn_solver *solver, trn_system *system, trn_reordering *it);

/* Results of the last step; the world completes them. inv_h, of the last sub-step, converts impulses to forces. */
typedef struct trn_solver_report {
    double seconds;
    double stage_seconds[TR_STAGE_COUNT];
    double kind_seconds[TR_STAGE_COUNT + 1]; /* by label of the pipeline; undivided time of units is last */
    float inv_h;                             /* 0 before the first step */
    uint32_t threads, barriers, chunks;
    uint32_t clamped_joints, clamped_contacts;
    /* of the direct method in the last step: systems that were solved, at most in one kick of an island, and islands of
       which some kick did not settle */
    uint64_t direct_solves;
    uint32_t direct_most, direct_unsettled;
    uint32_t direct_islands; /* with joints or contacts, that it solved */
    uint64_t plan_rebuilds, steps;
    uint64_t layouts, patches; /* number of full layouts, and of patches for changed joints */
    uint64_t shares;           /* number of times that masses of split bodies were distributed */
} trn_solver_report;

/*
 * Records what the last step took, so that the next ones choose their number of threads by it. The work and seconds
 * `beside` the solver are those of the team's other runs: the work in visits of joints that would take as long. `held`:
 * the seconds for which workers waited there for others that did not run.
 */
void trn_solver_took(trn_solver *solver, double work_beside, double seconds_beside, double held);
const trn_solver_report *trn_solver_last(const trn_solver *solver);

/* The motion of a row's body in the last step, which must have been told to follow bodies; only if it is not in quarantine and
   rows are as they were then. That of one that sleeps is zero. */
trn_motion trn_solver_motion(const trn_solver *solver, uint32_t body_row);
/* A row's body has woken. If it has slept through a layout, it gets a place there; if there is no room, the next step lays
   out all afresh. That changes no bit, and the plan need not know, which is the same in worlds that were laid out at other
   times. */
void trn_solver_wake_row(trn_solver *solver, const tr_plan *plan, const trn_bodies *bodies, uint32_t body_row);
/* Corrects the motion of a body that was moved back. */
void trn_solver_set_motion(trn_solver *solver, uint32_t body_row, trn_motion motion);

/* Description of the last step's pipeline; all zero before the first step. */
typedef struct trn_solver_work {
    uint32_t span;                /* number of stages; each starts when the previous one is done */
    uint32_t whole_units;         /* units that ran the whole step by themselves */
    uint32_t tiled_units;         /* those of them that were solved in tiles */
    uint32_t run_blocks;          /* blocks that are runs */
    uint32_t exact_joints;        /* joints solved by the direct method */
    size_t bytes[TR_STAGE_COUNT]; /* read and written */
    size_t bytes_per_substep;     /* part of them due to passes over joints */
} trn_solver_work;

void trn_solver_describe(const trn_solver *solver, trn_solver_work *out);

/* Estimated time of the last step's pipeline on this many threads, s: see trn_world_projected_seconds. */
double trn_solver_project(const trn_solver *solver, uint32_t threads);

/*
 * What later steps take from earlier ones beside the tables and the plan. The rest of the solver follows from these:
 * it is laid out afresh after they were restored, with the same result.
 */
typedef struct trn_solver_state {
    float last_h, correction_h, late_span, inv_h; /* s; 1/s */
    bool stiff;
    uint64_t steps, plan_rebuilds;
} trn_solver_state;

/* Another solver with the report of this one, but nothing laid out. The state is still to be put into it.
   TR_ERROR_MEMORY. */
tr_status trn_solver_renew(const trn_solver *solver, trn_solver **out);

trn_solver_state trn_solver_state_of(const trn_solver *solver);
void trn_solver_state_archive(trn_solver_state *state, tr_archive *archive);
/*
 * Puts it in. `same_layout`: plan, rows and types of bodies are those for which the solver has laid
 * out its data, or would with the next step; it still forgets the layout unless it surely is as it would be made anew.
 */
void trn_solver_put(trn_solver *solver, const trn_joints *joints, const trn_solver_state *state, bool same_layout);

#endif
