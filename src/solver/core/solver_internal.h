/* Internals of the solver: the packed data of a step and their layout. */
#ifndef TR_SOLVER_INTERNAL_H
#define TR_SOLVER_INTERNAL_H

#include "parallel/pace.h"
#include "solver/core/kernels.h"
#include "solver/core/method.h"
#include "solver/core/system.h"
#include "solver/core/watched.h"
#include "solver/exact/exact_choose.h"

#define TR_BODY_CHUNK  256 /* state rows per unit of work */
#define TR_BLOCK_CHUNK 16  /* blocks per unit of work, at most */

/* An array that only grows. */
typedef struct trn_array {
    void *data;
    uint32_t capacity;
} trn_array;

/* Consecutive blocks of one kernel: a unit of work. */
typedef struct trn_chunk {
    uint32_t kernel, first, count;
    uint32_t place; /* geometry columns of its unit, or of all seams, before those of its blocks */
    uint8_t color;
    bool idle;  /* all its joints are solved by the direct method */
    bool fixed; /* joints to fixed bodies, which come last in a unit */
} trn_chunk;

/* The watched lanes of a block, and where its columns of sums are: they are the at-th of their kernel. */
typedef struct trn_watched_block {
    uint32_t lanes; /* bit i for lane i */
    uint32_t at;
} trn_watched_block;

/* The blocks of a span: `room` of them from `first` on, further ones from `more` on. */
typedef struct trn_span_place {
    uint32_t first, room;
    uint32_t more, more_room;
    uint32_t laid; /* blocks that are laid out and unchanged */
} trn_span_place;

static inline uint32_t trn_span_block(const trn_span_place *place, uint32_t block)
{
    return block < place->room ? place->first + block : place->more + (block - place->room);
}

/* A split body: its own state row and its copies. */
typedef struct trn_hub {
    uint32_t row, first_copy; /* state rows */
    uint32_t copies;          /* without the row itself */
    float heavier;            /* factor of its mass and inertia in sweeps, the sum of the shares: shares.c */
    bool idle;                /* the direct method solves all that holds it */
} trn_hub;

/*
 * A range of state rows and the joints among them only: the work of one worker at a time. First come the plan's units,
 * then bodies in none of them, which have rows only: joints between those are seams.
 */
typedef struct trn_unit {
    uint32_t first_row, row_count; /* from a multiple of 16, a multiple of 16 */
    uint32_t first_chunk, chunk_count, chunk_room;
    uint32_t first_place, place_count; /* geometry columns of its blocks; first_place is for all_places */
    bool whole;                        /* nothing outside affects it: it runs the whole step by itself */
    bool moves;                        /* has moving bodies */
    bool driven;                       /* has joints to kinematic bodies */
    bool idle;                         /* the direct method solves all that it has */
} trn_unit;

/* An operation on rows or joints; a sub-step is a sequence of these. */
typedef enum trn_action_kind { TR_MOVE_VELOCITIES, TR_MOVE_POSITIONS, TR_PASS } trn_action_kind;

typedef struct trn_action {
    trn_action_kind kind;
    trn_pass_kind pass;
    uint32_t substep;
    bool afresh;    /* impulses start at 0 */
    bool still;     /* no body has moved in this step */
    bool known;     /* the geometry has been computed since bodies last moved */
    bool passing;   /* its geometry will not be read before it is computed again */
    bool ends;      /* it is the last pass of its sub-step */
    bool early;     /* the sub-step is in the first half of the step */
    bool rim_first; /* a stage performs it on the rim before units that are visited do, because seams come first */
    bool repeats;   /* of a visit: it is a repeat for borders, which is left to the units near them */
    tr_stage label;
} trn_action;

/* The parameters of a stage. */
typedef struct trn_stage_data {
    uint32_t first;                 /* first chunk of blocks, unit, or visit */
    uint32_t first_action, actions; /* what visits of units perform, among trn_solver.actions */
    uint32_t passes;                /* number of passes among them */
    uint32_t substep;
    trn_action action; /* of seams or hubs */
    bool warms;        /* then seams perform the warm start of `substep`, ahead of time: as changes of velocities, which
                          bodies take up when their velocities have moved */
    bool prepares;     /* seams are prepared first */
    bool begins;       /* visits prepare their units first */
    bool finishes;     /* all that belongs to it is finished after it */
} trn_stage_data;

/* What a method does in a step. */
typedef struct trn_program {
    const trn_scheme *scheme;
    uint32_t substeps, sweeps;
    bool bounces; /* some contact may bounce */
    bool watches; /* some joint is watched */
    bool late;    /* some body of a unit has been split since: trn_splits_late() */
    bool leads;   /* the seams relax before the units: trn_seams_lead() */
    bool borders; /* islands that the direct method solves respond to each pass: exact_border.c */
    bool divided; /* some are in no whole unit, so stages between those of the sweeps do that */
    /* The seams warm start before the units are visited: in the first sub-step where velocities on the rim have moved
       before, in later ones ahead of time. If each sub-step relaxes, the seams do so as soon as they have relaxed. */
    bool warms_first;
} trn_program;

/* number of passes that make the bounces of each body consistent: docs/contacts.md */
#define TR_REBOUNDS 2u

/* the passes after the last sub-step, if something may bounce */
static inline trn_action trn_bounce_at(uint32_t index)
{
    trn_pass_kind pass = index == 0 ? TR_PASS_BOUNCE : TR_PASS_REBOUND;
    return (trn_action){.kind = TR_PASS, .pass = pass, .label = TR_STAGE_RELAX};
}

/* Time per label of some visits of units, per worker: a sample from which the time of all visits is distributed. */
typedef struct trn_samples {
    _Alignas(64) double seconds[TR_STAGE_COUNT];
    uint32_t fetched; /* the visit whose unit this worker has prefetched, plus 1; 0: none */
} trn_samples;

/* what the columns of blocks were last prepared with, beside tables */
typedef struct trn_prepared {
    float h, inv_h; /* 0: nothing was */
    trn_soft rigid, driven, limit, gear;
} trn_prepared;

struct trn_solver {
    tr_memory *memory;

    /* the layout; valid for one version of the plan and one order of the tables' rows */
    bool laid_out;
    uint64_t plan_version, plan_epoch, copies_version;
    uint32_t moving_end, state_count;       /* state_count is padded to 16 */
    uint32_t first_copy, copy_room;         /* rows for copies of split bodies; the null row follows */
    uint32_t null_row;                      /* equals moving_end */
    uint32_t loose_row;                     /* first row in no unit of the plan; a multiple of 16 */
    uint32_t late_row, late_next, late_end; /* rows for bodies that wake after the layout, and the next that is free */
    uint32_t late_unit;                     /* the unit of the first of these; units have TR_BODY_CHUNK of them */
    trn_array state_of_body;                /* uint32_t: state row by row of the table of bodies */
    trn_array body_of_state; /* uint32_t: the inverse; a copy has its body's row; TR_NONE: null row and padding */
    trn_array tile_bodies;   /* uint32_t per 16 state rows that are consecutive dynamic bodies: the table row of the
                                first; else TR_NONE. Some may be split. */
    /* these four only if there are hubs */
    trn_array share;         /* float, per state row: share of its body's mass; 1 for most */
    trn_array inertia_share; /* float, per state row: share of its body's inertia */
    trn_array burden;        /* float, per row of a split body: trn_hub.heavier */
    trn_array split;         /* uint8_t, per state row: whether its body is split */
    trn_array hubs;          /* trn_hub */
    uint32_t hub_count;
    uint64_t loads;   /* trn_system.loads that the shares are of */
    bool shares_vary; /* from step to step without edits */
    bool shares_due;  /* they are to be computed anew */
    trn_blocks blocks[TR_KERNEL_COUNT];
    trn_prepared prepared;
    uint32_t block_capacity[TR_KERNEL_COUNT];
    uint32_t block_end[TR_KERNEL_COUNT]; /* blocks assigned; blocks[k].count of them are in use */
    trn_array span_places;               /* trn_span_place, by span number: the blocks of each span */
    trn_array chunks;                    /* trn_chunk: units by colour, then strands by colour, then seams by colour */
    uint32_t chunk_count;
    trn_array units; /* trn_unit */
    uint32_t unit_count, plan_units;
    trn_array visits;     /* uint32_t: moving units that are not whole, in order */
    uint32_t visit_count; /* number of visits */
    uint32_t visit_loose; /* first visit of a unit that is not the plan's */
    trn_array strands;    /* uint32_t: the first chunk of each strand (plan.h), and the first of the other seams */
    uint32_t strand_count;
    uint32_t color_count; /* number of colours of the other seams */
    uint32_t color_first_chunk[TR_COLORS + 1];
    uint32_t solved_joints;
    uint64_t list_version; /* version of the plan's list of spans for which the chunks were made */

    /* columns for geometry (trn_placed): of one unit per worker; then, if there are few, of all units and seams */
    trn_array places_apart; /* float[TR_LANES] */
    uint32_t unit_places;   /* columns of the unit with most */
    uint32_t all_places;    /* columns of all units and seams; 0: too many */
    uint32_t seam_places;   /* first column of the seams among all */
    uint32_t seam_place_count;

    trn_exact *exact; /* the direct method; null until it is used */
    bool direct;      /* the last step was its */
    bool mixed;       /* some islands of the last step were */
    trn_chosen chosen;

    /* the state, per state row */
    trn_array places, velocities, marks;
    trn_array rims;        /* uint8_t per 16 rows: trn_kernel_context.rims; once on the rim, a row stays there */
    trn_array poses;       /* preceded by frames and followed by separate frames: trn_kernel_context */
    trn_array stiffness;   /* float, while stiff: restoring torque of each row, sum of r . impulse, N m s */
    bool stiff;            /* the last step had a joint with too stiff a restoring torque */
    trn_array scale, gain; /* used once accelerations or dampings differ: trn_bodies.uneven */
    trn_array low;         /* used in fine steps: trn_kernel_context.low */

    /* the pipeline of a step */
    trn_array stages;     /* tr_pipeline_stage */
    trn_array stage_data; /* trn_stage_data, one per stage */
    uint32_t stage_count;
    trn_array actions; /* trn_action, of all sub-steps */
    uint32_t action_count;
    uint32_t max_chunks;     /* in the largest stage */
    uint32_t stage_substeps; /* for which the stages were listed; 0: list them anew */
    uint32_t stage_sweeps;   /* likewise */
    tr_method stage_method;
    bool stage_bounces, stage_watches, stage_late, stage_leads, stage_borders, stage_divided;
    trn_watched watched; /* joints whose impulses the next step sums */
    float late_span;     /* s, of the second half of the last step */
    /* only where joints are watched: trn_watched_block per block; and for each block with a watched lane its impulses
       of the first half of the step, and of the second, summed */
    trn_array watched_blocks[TR_KERNEL_COUNT], watched_columns[TR_KERNEL_COUNT];
    trn_array samples;                   /* trn_samples, one per thread */
    double label_shares[TR_STAGE_COUNT]; /* of the time of visits, as in the last step that was timed */
    bool shares_known;                   /* there was one */

    tr_pace pace; /* decides whether several workers pay */
    /* of the last step, for the pace: visits of joints, and the time of its pipeline */
    double work, work_seconds, work_held;
    bool on_all_threads; /* for tests: use all threads in every step, whatever they cost */
    float last_h;        /* length of the sub-step in which the tables' impulses acted; 0: none */
    float correction_h;  /* that in which rigid rows corrected their errors: trn_correction_h(); 0: none */
    trn_solver_report report;
};

/* The first chunk in no unit: of the first strand, if there is one. */
static inline uint32_t trn_first_seam(const trn_solver *solver)
{
    return ((const uint32_t *)solver->strands.data)[0];
}

/* Data shared by the stages of a step. */
typedef struct trn_step {
    trn_solver *solver;
    trn_system *system;
    const trn_kernels *kernels;
    trn_kernel_context context;
    trn_kernel_context near;  /* the same for blocks that are in the cache already */
    trn_kernel_context tiled; /* the same, with bodies in tiles */
    trn_kernel_context still; /* like `context`, for the seams' warm start before any body has moved */
    /* Like `context`, with changes of velocities by the seams' warm start, ahead of time. They are where the places
       were, which nothing reads once joints are prepared. Null velocities: there is no warm start, or no visit. */
    trn_kernel_context ahead;
    /* like `context`, with the impulses of the last step even if sub-steps start from 0 */
    trn_kernel_context carried;
    trn_joint_columns columns[TR_TABLE_COUNT];
    trn_program program;
    trn_samples *samples;
    bool timed;                      /* some units are timed: trn_is_timed() */
    float *stiffness;                /* solver.stiffness; null: no restoring torque is too stiff */
    float *unit_places, *all_places; /* solver.places_apart; all_places null: there is not enough room */
    double dt;
    /* The order in which units visit their contacts, for piles (docs/contacts.md): 0: by colours, 1: backwards, 2: from
       the middle one to the last, and then from the first, 3: the mirror image of that. */
    uint32_t turn;
} trn_step;

/* Makes *array hold `count` elements of `size` bytes, zeroed when it grows. False if out of memory. */
bool trn_array_reserve(tr_memory *memory, trn_array *array, uint32_t count, size_t size);

/* Updates the layout to the plan. After TR_ERROR_MEMORY there is no layout. */
tr_status trn_solver_layout(trn_solver *solver, const trn_system *system);

/* Lays out blocks and chunks; the rows must be laid out. If not `afresh`, only those that changed. After
   TR_ERROR_MEMORY or TR_ERROR_LIMIT there are none. */
tr_status trn_lay_out_joints(trn_solver *solver, const trn_system *system, const tr_plan_layout *plan, bool afresh);
/* The same in time proportional to the changes, if rows have not moved; *done: whether the changes were small enough
   for it. After TR_ERROR_MEMORY there are none. */
tr_status trn_lay_out_lanes(trn_solver *solver, const trn_system *system, const tr_plan_layout *plan, bool *done);
/* Whether a unit is solved in tiles: it is whole, and its blocks use all the bodies that they write in groups of
   sixteen consecutive ones, as with twins. Not if it has contacts, or if any single body in the world has a
   force or damping. */
bool trn_unit_is_tiled(const trn_solver *solver, const trn_unit *unit);

/* The bit of a row's group of four in its byte of trn_kernel_context.rims. */
static inline uint8_t trn_rim_bit(uint32_t row)
{
    return (uint8_t)(1u << row % TR_LANES / TR_RUN_GROUP);
}

/* Puts a row's group of four on the rim. */
static inline void trn_add_to_rim(trn_solver *solver, uint32_t row)
{
    ((uint8_t *)solver->rims.data)[row / TR_LANES] |= trn_rim_bit(row);
}

/* State rows of the bodies of a lane: A, B and their carriers; returns the number that the joint's kernel uses. */
uint32_t trn_lane_rows(const trn_solver *solver, const trn_system *system, const tr_plan_span *span, uint32_t lane,
                       uint32_t end[TR_ENDS]);
/* Computes the shares of mass and inertia of split bodies' rows from the current masses and anchors, if they are due. Call
   after the layout, and when contacts are written, which are levers. */
void trn_share_masses(trn_solver *solver, const trn_system *system);

/* The warm start of a sub-step. */
trn_action trn_warm_start_at(const trn_program *program, uint32_t substep);

/* Functions of stages. Chunks are units, from data.first on, */
tr_chunk_fn trn_run_rows, trn_run_units;
/* or visits, from data.first on, */
tr_chunk_fn trn_run_visit, trn_run_bounce_visit, trn_run_move_rim, trn_run_begin_ahead;
/* or chunks of blocks, from data.first on, or strands, or hubs. */
tr_chunk_fn trn_run_seams, trn_run_strand, trn_run_hub;
/*
 * exact_border.c: islands with borders respond to an action, those in a whole unit, or in chunks all others. The former
 * returns whether a pass has done so much to some island that it should be done again. So many are done at most
 * (docs/notes/solver-experiments.md).
 */
#define TR_BORDER_PASSES   12u
#define TR_RESPONSE_CHUNKS 16u
bool trn_respond_in(const trn_step *step, uint32_t unit, const trn_action *action);
tr_chunk_fn trn_run_responses;
/* Within a pass bodies of these borders answer after each colour, likewise. */
void trn_answer_in(const trn_step *step, uint32_t unit, const trn_action *pass);
tr_chunk_fn trn_run_answers;
/* Whether a pass is repeated if some island asks for it. */
static inline bool trn_repeats(const trn_program *program, const trn_action *action)
{
    return action->label == TR_STAGE_SOLVE && program->scheme->relax_each;
}
/* Whether some island beside the whole units has asked for that after the last pass; `step`: a trn_step. Whether a unit takes
   part in it, because some border is there. */
bool trn_asks_for_repeat(const void *step);
bool trn_is_near_border(const trn_step *step, uint32_t unit);
/* In space rotation changes angular velocities, which is not what a pass does. */
static inline bool trn_is_responded_to(const trn_action *action)
{
    return TR_DIMENSION == 3 || action->kind != TR_MOVE_POSITIONS;
}
/* the dimension's stage_rows.c: the velocity of a state row; and that which it gets. `moves`: it moves by what that
   changes, as in the pass before. */
void trn_swept_velocity(const trn_step *step, uint32_t row, float out[TRN_DEGREES]);
void trn_set_swept_velocity(const trn_step *step, uint32_t row, const float v[TRN_DEGREES], bool moves);
/* What an impulse changes of the velocity of a state row that is an end of a contact. */
void trn_swept_response(const trn_step *step, uint32_t row, const trn_contact_point *at, uint32_t end,
                        const double impulse[TRN_DEGREES], double out[TRN_DEGREES]);
/* Whether some visits of the next step are timed. */
bool trn_is_timed(const trn_solver *solver);
/* Distributes the time of visits from the label TR_STAGE_COUNT to the labels of their actions. */
void trn_share_seconds(trn_solver *solver, uint32_t workers, tr_pipeline_report *report);

/*
 * Joints that are watched (watched.c). Room, before anything changes: false, when there is no memory. Before all
 * stages; after a sub-step, of the joints of a chunk; after all sub-steps, of a chunk.
 */
bool trn_reserve_watched(trn_solver *solver);
size_t trn_watched_size(uint32_t kernel); /* bytes of an element of watched_columns */
void trn_begin_watched(const trn_step *step);
/* Of that what does not depend on the layout: sums of a step of `substeps` begin. */
void trn_begin_sums(trn_solver *solver, uint32_t substeps, float h);
void trn_note_chunk(const trn_step *step, const trn_chunk *chunk, bool early);
void trn_end_watched(const trn_step *step, const trn_chunk *chunk);

/* trn_program.warms_first */
static inline bool trn_warms_first(const trn_solver *solver, const trn_scheme *scheme)
{
    return scheme->warm_start && solver->visit_loose > 0;
}

/* Whether some body of a unit has been split after the unit was planned. Its copies are in no unit; it has to move when
   they do, before they are merged. */
bool trn_splits_late(const trn_solver *solver);
/* Whether the seams relax before the units, which saves half of the visits. Not if some of them are contacts: tall
   piles would lean. */
bool trn_seams_lead(const trn_solver *solver);
/* Makes the list of a step's stages, unless it exists already. */
tr_status trn_solver_stages(trn_solver *solver, const trn_program *program, tr_method method);

/* restoring torques: those of the plane, or none */
#include TRN_STIFFNESS_FILE

#endif
