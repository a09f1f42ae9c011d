/* What the stages of units and those of seams share: work on a unit's rows, and on a chunk of joints. */
#ifndef TR_SOLVER_STAGES_H
#define TR_SOLVER_STAGES_H

#include "solver/core/solver_internal.h"

/* Writes bodies from the table to the state of a step, and back. */
void tr2_prepare_rows(tr2_step *step, const tr2_kernel_context *context, const tr2_unit *unit);
void tr2_finish_rows(const tr2_step *step, const tr2_kernel_context *context, const tr2_unit *unit);

/* Where kernels with separate geometry columns store them: the columns of a unit, or of the seams. */
typedef struct tr2_keep {
    float *columns; /* null: no room */
    bool here;      /* the results of earlier passes are still there */
} tr2_keep;

/* The chunks from *next on that follow each other in memory, as one, and *next after them: for those that one worker
   takes one after the other, whatever their colours. Contacts stay apart, because their colours change places. */
tr2_chunk tr2_next_chunks(const tr2_chunk *chunks, uint32_t count, uint32_t *next);
void tr2_prepare_chunk(tr2_step *step, const tr2_kernel_context *context, const tr2_chunk *c);
/* `last`: no later pass reads the geometry. */
void tr2_pass_chunk(tr2_step *step, const tr2_kernel_context *context, const tr2_chunk *c, const tr2_action *action,
                    tr2_keep keep, bool last);
/* Writes impulses back to the table, where they move with their row. */
void tr2_finish_chunk(const tr2_step *step, const tr2_chunk *c);

#endif
