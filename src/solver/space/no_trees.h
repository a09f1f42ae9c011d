/*
 * Space has no exact trees, and counts no restoring torques: what the core asks of them (solver/trees) is that there
 * are none. All counts are 0, and the functions do nothing.
 */
#ifndef TR_SPACE_NO_TREES_H
#define TR_SPACE_NO_TREES_H

#include "solver/core/system.h"

typedef struct tr3_trees_range {
    uint32_t first, count;
    bool whole;
} tr3_trees_range;

typedef struct tr3_trees {
    uint32_t node_count, far_first, lone_first, lone_count, unit_count, level_count, bunch_count, joint_count,
        touch_chunk_count;
    const uint32_t *unit_near;
    const tr3_trees_range *levels;
} tr3_trees;

static inline void tr3_trees_init(tr3_trees *trees, tr_memory *memory)
{
    (void)trees;
    (void)memory;
}

static inline void tr3_trees_destroy(tr3_trees *trees)
{
    (void)trees;
}

/* solver/exact/exact_choose.c */
tr_status tr3_choose_all(tr3_solver *solver, const tr3_system *system, bool news);

static inline tr_status tr3_trees_plant(tr3_solver *solver, const tr3_system *system, const tr_plan_layout *plan,
                                        bool rows_move, bool news)
{
    (void)plan;
    (void)rows_move;
    return tr3_choose_all(solver, system, news);
}

static inline void tr3_release_unmarked(tr3_trees *trees, const tr3_system *system)
{
    (void)trees;
    (void)system;
}

static inline uint32_t tr3_trees_left(const tr3_trees *trees, const tr3_unmarked **out)
{
    (void)trees;
    *out = NULL;
    return 0;
}

static inline bool tr3_trees_put_reserve(tr3_trees *trees, uint32_t left)
{
    (void)trees;
    (void)left;
    return true;
}

static inline void tr3_trees_put(tr3_trees *trees, const tr3_unmarked *left, uint32_t count)
{
    (void)trees;
    (void)left;
    (void)count;
}

#else
/* the second inclusion, at the end of solver_internal.h: the stages */

static inline void tr3_prepare_trees(tr3_step *step, uint32_t unit)
{
    (void)step;
    (void)unit;
}

static inline void tr3_finish_trees(tr3_step *step, uint32_t unit)
{
    (void)step;
    (void)unit;
}

static inline void tr3_solve_trees(tr3_step *step, uint32_t unit, const tr3_action *action)
{
    (void)step;
    (void)unit;
    (void)action;
}

static inline void tr3_begin_touches(const tr3_step *step, const tr3_chunk *chunk)
{
    (void)step;
    (void)chunk;
}

static inline tr_status tr3_reserve_stiffness(tr3_solver *solver, const tr3_system *system)
{
    (void)solver;
    (void)system;
    return TR_OK;
}

static inline void tr3_begin_stiffness(tr3_step *step)
{
    (void)step;
}

static inline void tr3_end_stiffness(tr3_solver *solver)
{
    (void)solver;
}

static inline void tr3_sum_stiffness(const tr3_step *step, const tr3_chunk *chunks, uint32_t count)
{
    (void)step;
    (void)chunks;
    (void)count;
}

static inline void tr3_see_stiffness(const tr3_step *step, const tr3_chunk *chunk)
{
    (void)step;
    (void)chunk;
}

static inline void tr3_look_for_stiffness(const tr3_step *step, uint32_t kernel, uint32_t block)
{
    (void)step;
    (void)kernel;
    (void)block;
}

/* stages of trees have no chunks, so they are in no list */
static tr_chunk_fn *const tr3_run_lone_trees = NULL, *const tr3_run_trees = NULL, *const tr3_run_leaves = NULL,
                          *const tr3_run_touching = NULL, *const tr3_run_note_visit = NULL;

#endif
