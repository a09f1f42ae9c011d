/* The solver's insides: the packed data of a step and how it is laid out. */
#ifndef TR_SOLVER_INTERNAL_H
#define TR_SOLVER_INTERNAL_H

#include "parallel/pace.h"
#include "solver/kernels.h"
#include "solver/system.h"

#define TR2_BODY_CHUNK  256 /* state rows per unit of work */
#define TR2_BLOCK_CHUNK 16  /* blocks per unit of work */

/* An array that only grows. */
typedef struct tr2_array {
    void *data;
    uint32_t capacity;
} tr2_array;

/* Blocks of one kernel, next to each other: a unit of work. */
typedef struct tr2_chunk {
    uint32_t kernel, first, count;
} tr2_chunk;

/* A body that is split: its own state row and its copies. */
typedef struct tr2_hub {
    uint32_t row, first_copy; /* state rows */
    uint32_t copies;          /* without the row itself */
} tr2_hub;

/* What tells one stage over joints from another. */
typedef struct tr2_stage_data {
    uint32_t first_chunk;
    tr2_pass_kind pass;
    bool afresh; /* impulses begin at 0 */
} tr2_stage_data;

struct tr2_solver {
    tr_memory *memory;

    /* the layout, valid for one version of the plan and one order of the tables' rows */
    bool laid_out;
    uint64_t plan_version;
    uint32_t moving_end, state_count; /* state_count is padded to 16 */
    uint32_t null_row;
    tr2_array state_of_body; /* uint32_t: state row of each row of the table of bodies */
    tr2_array body_of_state; /* uint32_t: and back; a copy has its body's; TR_NONE for the null row and padding */
    /* these three only where there are hubs */
    tr2_array share;         /* float, per state row: of its body's mass that the row has; 1 for most */
    tr2_array inertia_share; /* float, per state row: of its body's inertia */
    tr2_array split;         /* uint8_t, per state row: whether its body is split */
    tr2_array hubs;          /* tr2_hub */
    uint32_t hub_count;
    tr2_blocks blocks[TR2_KERNEL_COUNT];
    uint32_t block_capacity[TR2_KERNEL_COUNT];
    tr2_array chunks; /* tr2_chunk, by colour */
    uint32_t chunk_count;
    uint32_t color_count;
    uint32_t color_first_chunk[TR_COLORS + 1];
    uint32_t span_count, solved_joints;

    /* the state, per state row */
    tr2_array frames, velocities, poses, scale, gain, bad;

    /* the pipeline of a step */
    tr2_array stages;     /* tr_pipeline_stage */
    tr2_array stage_data; /* tr2_stage_data, one per stage */
    uint32_t stage_count;
    uint32_t max_chunks;     /* of the largest stage */
    uint32_t stage_substeps; /* that the stages are for; 0: to be made again */
    uint32_t stage_sweeps;   /* likewise */
    tr2_method stage_method;

    tr_pace pace; /* whether the team pays, where the number of threads is ours to choose */
    float last_h; /* sub-step that the impulses in the tables belong to; 0: none */
    tr2_solver_report report;
};

/* What the stages share. */
typedef struct tr2_step {
    tr2_solver *solver;
    tr2_system *system;
    const tr2_kernels *kernels;
    tr2_kernel_context context;
    tr2_joint_columns columns[TR2_TABLE_COUNT];
    double dt;
} tr2_step;

/* Makes *array hold `count` elements of `size` bytes, zeroed when it grows. False when there is no memory. */
bool tr2_array_reserve(tr_memory *memory, tr2_array *array, uint32_t count, size_t size);

/* Brings the layout up to date with the plan. On TR_ERROR_MEMORY there is no layout. */
tr_status tr2_solver_layout(tr2_solver *solver, const tr2_system *system);

/* Makes the list of stages of a step of so many sub-steps, unless it is there. */
tr_status tr2_solver_stages(tr2_solver *solver, const tr2_system *system, uint32_t substeps);

#endif
