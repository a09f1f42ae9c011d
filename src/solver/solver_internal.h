/* The solver's insides: the packed data of a step and how it is laid out. */
#ifndef TR_SOLVER_INTERNAL_H
#define TR_SOLVER_INTERNAL_H

#include "parallel/pace.h"
#include "solver/kernels.h"
#include "solver/method.h"
#include "solver/system.h"
#include "solver/trees.h"

#define TR2_BODY_CHUNK  256 /* state rows per unit of work */
#define TR2_BLOCK_CHUNK 16  /* blocks per unit of work, at most */
#define TR2_TREE_CHUNK  32  /* nodes of trees per unit of work */

/* An array that only grows. */
typedef struct tr2_array {
    void *data;
    uint32_t capacity;
} tr2_array;

/* Blocks of one kernel, next to each other: a unit of work. */
typedef struct tr2_chunk {
    uint32_t kernel, first, count;
    uint32_t place; /* columns of its unit, or of all seams, before the places of its blocks */
    bool idle;      /* trees solve all its joints */
    bool fixed;     /* joints to what stands, which come last in a unit */
} tr2_chunk;

/* Where a span's blocks are: `room` of them from `first` on, those beyond from `more` on. */
typedef struct tr2_span_place {
    uint32_t first, room;
    uint32_t more, more_room;
    uint32_t laid; /* blocks that are as they were laid out */
} tr2_span_place;

static inline uint32_t tr2_span_block(const tr2_span_place *place, uint32_t block)
{
    return block < place->room ? place->first + block : place->more + (block - place->room);
}

/* A body that is split: its own state row and its copies. */
typedef struct tr2_hub {
    uint32_t row, first_copy; /* state rows */
    uint32_t copies;          /* without the row itself */
} tr2_hub;

/*
 * State rows and the joints that only they have: what one worker does in one go. First the plan's units, then what is
 * in none of them: rows only, since all joints between those are seams.
 */
typedef struct tr2_unit {
    uint32_t first_row, row_count; /* multiples of 16 */
    uint32_t first_chunk, chunk_count, chunk_room;
    uint32_t first_place, place_count; /* columns for places of its blocks; the first where there is room for all */
    bool whole;                        /* nothing outside moves it: it goes through a whole step by itself */
    bool moves;                        /* has bodies that move */
    bool driven;                       /* has joints to bodies that the host moves */
} tr2_unit;

/* What is done to rows or joints, one after the other: a sub-step is a list of these. */
typedef enum tr2_action_kind { TR2_MOVE_VELOCITIES, TR2_MOVE_POSITIONS, TR2_PASS, TR2_SOLVE_TREES } tr2_action_kind;

typedef struct tr2_action {
    tr2_action_kind kind;
    tr2_pass_kind pass;
    bool afresh;   /* impulses begin at 0 */
    bool known;    /* where bodies stand has been computed since they last moved */
    bool passing;  /* nothing reads what it computes of that before it is computed anew */
    bool backward; /* piles of contacts are gone through from behind: docs/contacts.md */
    tr_stage label;
} tr2_action;

/* What is done to the nodes of trees: before and after all sub-steps, and in each from the leaves up and back down. */
typedef enum tr2_trees_work {
    TR2_TREES_PREPARE,
    TR2_TREES_UP,
    TR2_TREES_DOWN,
    TR2_TREES_FINISH,
    TR2_TREES_WORKS
} tr2_trees_work;

/* What tells one stage from another. */
typedef struct tr2_stage_data {
    uint32_t first; /* chunk of blocks, unit, visit, or node of a tree */
    uint32_t count; /* of nodes */
    bool whole;     /* which are one chunk */
    tr2_trees_work work;
    tr2_action action;
    uint32_t substep, action_begin, action_end; /* of that sub-step's list: what a visit of units does */
    uint32_t next_end;                          /* and the first so many of the next sub-step's */
} tr2_stage_data;

/* What a method does in a step. */
typedef struct tr2_program {
    const tr2_scheme *scheme;
    uint32_t substeps, sweeps;
    bool bounces; /* something may bounce */
} tr2_program;

/* how often what bounces of one body is made to agree: docs/contacts.md */
#define TR2_REBOUNDS 2u

/* the passes after the last sub-step, where something bounces */
static inline tr2_action tr2_bounce_at(uint32_t index)
{
    tr2_pass_kind pass = index == 0 ? TR2_PASS_BOUNCE : TR2_PASS_REBOUND;
    return (tr2_action){.kind = TR2_PASS, .pass = pass, .label = TR_STAGE_RELAX};
}

/* Seconds of labels in some visits of units, per worker: they share the time of all visits. */
typedef struct tr2_samples {
    _Alignas(64) double seconds[TR_STAGE_COUNT];
} tr2_samples;

struct tr2_solver {
    tr_memory *memory;

    /* the layout, valid for one version of the plan and one order of the tables' rows */
    bool laid_out;
    uint64_t plan_version, plan_epoch, copies_version;
    uint32_t moving_end, state_count; /* state_count is padded to 16 */
    uint32_t first_copy, copy_room;   /* of the rows for copies of split bodies; the null row follows */
    uint32_t null_row;                /* is moving_end */
    uint32_t loose_row;               /* the first row that is in no unit of the plan; a multiple of 16 */
    tr2_array state_of_body;          /* uint32_t: state row of each row of the table of bodies */
    tr2_array body_of_state; /* uint32_t: and back; a copy has its body's; TR_NONE for the null row and padding */
    /* these three only where there are hubs */
    tr2_array share;         /* float, per state row: of its body's mass that the row has; 1 for most */
    tr2_array inertia_share; /* float, per state row: of its body's inertia */
    tr2_array split;         /* uint8_t, per state row: whether its body is split */
    tr2_array hubs;          /* tr2_hub */
    uint32_t hub_count;
    tr2_blocks blocks[TR2_KERNEL_COUNT];
    uint32_t block_capacity[TR2_KERNEL_COUNT];
    uint32_t block_end[TR2_KERNEL_COUNT]; /* blocks of the array that are given out; blocks[k].count are in use */
    tr2_array span_places;                /* tr2_span_place, by number of span: where its blocks are */
    tr2_array chunks;                     /* tr2_chunk: by unit and colour; then the seams, by colour */
    uint32_t chunk_count;
    tr2_array units; /* tr2_unit */
    uint32_t unit_count, plan_units;
    tr2_array visits;     /* uint32_t: units that are not whole and move, in their order */
    uint32_t visit_count; /* of them */
    uint32_t visit_loose; /* the first that is in no unit of the plan */
    uint32_t color_count; /* of the seams */
    uint32_t color_first_chunk[TR_COLORS + 1];
    uint32_t solved_joints;
    uint64_t list_version; /* of the plan's list of spans that the chunks are for */

    /* columns for places (tr2_placed): of one unit for each worker, then, where they are few, of all units and seams */
    tr2_array places_apart; /* float[TR_LANES] */
    uint32_t unit_places;   /* columns of the unit that has the most */
    uint32_t all_places;    /* of all; 0: too many */
    uint32_t seam_places;   /* the seams' first, of all */
    uint32_t seam_place_count;

    tr2_trees trees;

    /* the state, per state row */
    tr2_array places, velocities, marks;
    tr2_array poses;       /* and before them frames, and then the frames that are apart: tr2_kernel_context */
    tr2_array stiffness;   /* float, while stiff: what turns bodies back, sum of r times impulse, N m s */
    bool stiff;            /* the last step has seen some joint that turns a body back too fast */
    tr2_array scale, gain; /* once some body has been pulled otherwise than others: tr2_bodies.uneven */

    /* the pipeline of a step */
    tr2_array stages;     /* tr_pipeline_stage */
    tr2_array stage_data; /* tr2_stage_data, one per stage */
    uint32_t stage_count;
    uint32_t max_chunks;     /* of the largest stage */
    uint32_t stage_substeps; /* that the stages are for; 0: to be made again */
    uint32_t stage_sweeps;   /* likewise */
    tr2_method stage_method;
    bool stage_bounces;
    tr2_array samples; /* tr2_samples, one per thread */

    tr_pace pace;        /* whether the team pays */
    bool on_all_threads; /* in tests: every step is, however little it does and whatever they cost */
    float last_h;        /* sub-step that the impulses in the tables belong to; 0: none */
    tr2_solver_report report;
};

/* What the stages share. */
typedef struct tr2_step {
    tr2_solver *solver;
    tr2_system *system;
    const tr2_kernels *kernels;
    tr2_kernel_context context;
    tr2_kernel_context near;  /* the same, where blocks are in the caches already */
    tr2_kernel_context tiled; /* and bodies in tiles, too */
    /* the first, with what rows carried at the end of the last step, also where impulses begin at 0 */
    tr2_kernel_context carried;
    tr2_joint_columns columns[TR2_TABLE_COUNT];
    tr2_program program;
    tr2_samples *samples;
    float *stiffness;                /* solver.stiffness; null: nothing is turned back too fast */
    float *unit_places, *all_places; /* solver.places_apart; all_places null: there is no room for all */
    double dt;
} tr2_step;

/* Makes *array hold `count` elements of `size` bytes, zeroed when it grows. False when there is no memory. */
bool tr2_array_reserve(tr_memory *memory, tr2_array *array, uint32_t count, size_t size);

/* Brings the layout up to date with the plan. On TR_ERROR_MEMORY there is no layout. */
tr_status tr2_solver_layout(tr2_solver *solver, const tr2_system *system);

/* The blocks and chunks, for rows that are laid out; not `afresh`: only those that have changed since. TR_ERROR_MEMORY,
   TR_ERROR_LIMIT: there are none. */
tr_status tr2_lay_out_joints(tr2_solver *solver, const tr2_system *system, const tr_plan_layout *plan, bool afresh);
/* The same, where rows have not moved, in time that goes with what has changed; *done: whether that was so little that it could
   be. TR_ERROR_MEMORY: there are none. */
tr_status tr2_lay_out_lanes(tr2_solver *solver, const tr2_system *system, const tr_plan_layout *plan, bool *done);
/* Whether a unit's passes go by tiles: it is whole, and all bodies that they write lie sixteen by sixteen as its blocks have
   them, as twins do; trees and contacts of its own keep it in rows, and so do forces and dampings of single bodies anywhere. */
bool tr2_unit_is_tiled(const tr2_solver *solver, const tr2_unit *unit);
/* State rows of the bodies of a lane: A, B and their carriers; returns how many the joint's kernel ties. */
uint32_t tr2_lane_rows(const tr2_solver *solver, const tr2_system *system, const tr_plan_span *span, uint32_t lane,
                       uint32_t end[TR_ENDS]);
/* The shares of split bodies' masses and inertias, from the masses and anchors as they are now. */
void tr2_share_masses(tr2_solver *solver, const tr2_system *system, const tr_plan_layout *plan);

/* Action `index` of a sub-step, the first of which is 0. False: there are no more. */
bool tr2_action_at(const tr2_program *program, uint32_t substep, uint32_t index, tr2_action *out);

/*
 * What turns bodies back (stiffness.c). Room for it, before anything changes: TR_ERROR_MEMORY. Before all stages and after them; of
 * the chunks of a unit before its rows are prepared; of the rows of a tile after that; of a block before its impulses go
 * back into the table.
 */
tr_status tr2_reserve_stiffness(tr2_solver *solver, const tr2_system *system);
void tr2_begin_stiffness(tr2_step *step);
void tr2_end_stiffness(tr2_solver *solver);
void tr2_sum_stiffness(const tr2_step *step, const tr2_chunk *chunks, uint32_t count);
void tr2_stiffen_rows(const tr2_step *step, uint32_t first);
/* What preparing a chunk does not see where impulses begin at 0: blocks to look at when the step has gone by. */
void tr2_see_stiffness(const tr2_step *step, const tr2_chunk *chunk);
void tr2_look_for_stiffness(const tr2_step *step, uint32_t kernel, uint32_t block);

/* Stages. Chunks are units, from data.first on, */
tr_chunk_fn tr2_run_rows, tr2_run_units;
/* or visits, from data.first on, */
tr_chunk_fn tr2_run_begin_visit, tr2_run_visit, tr2_run_bounce_visit, tr2_run_finish_visit;
/* or chunks of blocks, from data.first on, or hubs. */
tr_chunk_fn tr2_run_prepare_joints, tr2_run_pass, tr2_run_finish_joints, tr2_run_hub;
/* The trees in a unit of the plan, and with it. */
void tr2_prepare_trees(tr2_step *step, uint32_t unit);
void tr2_solve_trees(tr2_step *step, uint32_t unit);
void tr2_finish_trees(tr2_step *step, uint32_t unit);
/* Those of none: chunks are trees, where UP is all of solving; and the others: nodes, data.count of them from data.first on. */
tr_chunk_fn tr2_run_lone_trees, tr2_run_trees;
/* Solves a tree again until what acts on its angles changes hands no more; and one that is solved, with its contacts. */
void tr2_settle_tree(tr2_step *step, tr2_trees_range range);
void tr2_touch_tree(tr2_step *step, uint32_t tree);
/* What the nodes of a tree that is solved move by to take back the errors of its joints: into their slips. */
void tr2_slip_tree(tr2_step *step, tr2_trees_range range);
/* The contacts of all trees that are not in a unit that goes through a step in one go: one chunk, since what they push may be
   of several trees and units. */
tr_chunk_fn tr2_run_touching;
/* Passes on the time of visits from the label TR_STAGE_COUNT to the labels of what was done in them. */
void tr2_share_seconds(const tr2_solver *solver, uint32_t workers, tr_pipeline_report *report);

/* Makes the list of stages of a step, unless it is there. */
tr_status tr2_solver_stages(tr2_solver *solver, const tr2_program *program, tr2_method method);

#endif
