/* What the stages of units and those of seams share: work on a unit's rows, and on a chunk of joints. */
#ifndef TR_SOLVER_STAGES_H
#define TR_SOLVER_STAGES_H

#include "solver/core/solver_internal.h"

/* Writes bodies from the table to the state of a step, and back. */
void trn_prepare_rows(trn_step *step, const trn_kernel_context *context, const trn_unit *unit);
void trn_finish_rows(const trn_step *step, const trn_kernel_context *context, const trn_unit *unit);

/* The same for what floats leave of velocities, in fine steps (trn_kernel_context.low): after the rows. */
void trn_begin_low(const trn_step *step, const trn_kernel_context *k, const trn_unit *unit);
void trn_end_low(const trn_step *step, const trn_kernel_context *k, const trn_unit *unit);

/* The table row of the first of 16 state rows that are consecutive dynamic bodies, none of them split; else TR_NONE. */
static inline uint32_t trn_tile_body(const trn_solver *solver, uint32_t row)
{
    uint8_t any = 0;
    if (solver->hub_count > 0) {
        const uint8_t *split = (const uint8_t *)solver->split.data + row;
        TR_TILE_LOOP
        for (uint32_t i = 0; i < TR_LANES; i++)
            any |= split[i];
    }
    return any != 0 ? TR_NONE : ((const uint32_t *)solver->tile_bodies.data)[row / TR_LANES];
}

/* Where kernels with separate geometry columns store them: the columns of a unit, or of the seams. */
typedef struct trn_keep {
    float *columns; /* null: no room */
    bool here;      /* the results of earlier passes are still there */
} trn_keep;

/* The chunks from *next on that follow each other in memory, as one, and *next after them: for those that one worker
   takes one after the other, whatever their colours. Contacts stay apart, because their colours change places. */
trn_chunk trn_next_chunks(const trn_chunk *chunks, uint32_t count, uint32_t *next);
void trn_prepare_chunk(trn_step *step, const trn_kernel_context *context, const trn_chunk *c);
/* `last`: no later pass reads the geometry. */
void trn_pass_chunk(trn_step *step, const trn_kernel_context *context, const trn_chunk *c, const trn_action *action,
                    trn_keep keep, bool last);
/* Writes impulses back to the table, where they move with their row. */
void trn_finish_chunk(const trn_step *step, const trn_chunk *c);

#endif
