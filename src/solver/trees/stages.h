/* Restoring torques and exact trees in a step. Included by solver/core/solver_internal.h. */
#ifndef TR_SOLVER_TREE_STAGES_H
#define TR_SOLVER_TREE_STAGES_H

/*
 * Restoring torques (stiffness.c). tr2_reserve_stiffness() makes room before anything changes: TR_ERROR_MEMORY. Then
 * come calls before and after all stages; for the chunks of a unit, before its rows are prepared; for the rows of a
 * tile, after that; for a block, before its impulses are written to the table.
 */
tr_status tr2_reserve_stiffness(tr2_solver *solver, const tr2_system *system);
void tr2_begin_stiffness(tr2_step *step);
void tr2_end_stiffness(tr2_solver *solver);
void tr2_sum_stiffness(const tr2_step *step, const tr2_chunk *chunks, uint32_t count);
void tr2_stiffen_rows(const tr2_step *step, const tr2_kernel_context *k, uint32_t first);
/* For sub-steps that start from impulse 0, for which preparing a chunk sees no impulses: examines the blocks at the
   end of the step. */
void tr2_see_stiffness(const tr2_step *step, const tr2_chunk *chunk);
void tr2_look_for_stiffness(const tr2_step *step, uint32_t kernel, uint32_t block);

/* The trees within a unit of the plan, as part of its work. */
void tr2_prepare_trees(tr2_step *step, uint32_t unit);
void tr2_solve_trees(tr2_step *step, uint32_t unit, const tr2_action *action);
void tr2_finish_trees(tr2_step *step, uint32_t unit);
/* The other trees: chunks are single trees (UP is all of solving), or groups of nodes, data.count of them from
   data.first on, or bunches of leaves. */
tr_chunk_fn tr2_run_lone_trees, tr2_run_trees, tr2_run_leaves;
/* Adds up what the watched joints of trees in units that are visited did in a sub-step: chunks are visits. */
tr_chunk_fn tr2_run_note_visit;
/* Solves a tree again until the states of its free angles' features stay the same, and returns whether any changed;
   also decides which errors of its joints are corrected by position only. */
bool tr2_settle_tree(tr2_step *step, tr2_trees_range *range);
/* Ends the solution of a tree: corrects the errors that are corrected by position only. */
void tr2_close_tree(tr2_step *step, tr2_trees_range *range);
/* Makes the limits that a closed tree corrects give way in its response to impulses until the next sub-step. */
void tr2_loosen_tree(tr2_step *step, tr2_trees_range range);
/* Whether a tree has contacts that are solved with it; if so, these close it. */
bool tr2_touches(const tr2_step *step, uint32_t tree);
/* Takes the normal impulses of the contacts of trees in a chunk, before it is warm started: they are those that the
   joints stood up to, and would throw a body that sweeps take for free. The trees find them again. */
void tr2_begin_touches(const tr2_step *step, const tr2_chunk *chunk);
/* Solves the contacts of solved trees that share no body through contacts with others, and closes those that have any.
   `order`: the trees are order[first] to order[end - 1]; null: they are these numbers themselves. */
void tr2_touch_trees(tr2_step *step, const uint32_t *order, uint32_t first, uint32_t end);
/* Computes the motion of a solved tree's nodes that corrects the position errors of its joints, as their `slip`. */
void tr2_slip_tree(tr2_step *step, tr2_trees_range range);
/* The same, and takes it out of the nodes' velocities and of their joints' impulses. */
void tr2_leave_slip(tr2_step *step, tr2_trees_range range);
/* The contacts of all trees outside of whole units, after all trees, because they can affect several trees and units:
   chunks are groups of trees that share no body through contacts. */
tr_chunk_fn tr2_run_touching;
/* Adds up what a joint of a tree did in a sub-step, if it is watched. */
void tr2_note_tie(const tr2_step *step, const tr2_trees_tie *tie, bool early);

#endif
