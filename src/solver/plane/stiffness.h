/* Restoring torques in a step (stiffness.c). Included by solver/core/solver_internal.h. */
#ifndef TR_PLANE_STIFFNESS_H
#define TR_PLANE_STIFFNESS_H

/*
 * tr2_reserve_stiffness() makes room before anything changes: TR_ERROR_MEMORY. Then come calls before and after all
 * stages; for the chunks of a unit, before its rows are prepared; for the rows of a tile, after that; for a block, before
 * its impulses are written to the table.
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

#endif
