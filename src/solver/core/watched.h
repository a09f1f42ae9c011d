/*
 * Joints whose impulses are summed over the sub-steps of a step, so that an impact counts in whichever sub-step it
 * falls. The world owns the list and the sums.
 */
#ifndef TR_SOLVER_WATCHED_H
#define TR_SOLVER_WATCHED_H

#include "solver/core/system.h"

/*
 * Impulses of a joint, N s or N m s, over three spans of time. An impact that is shared by the last sub-step of a step
 * and the first of the next is whole in `across`, which is as long as a step.
 */
typedef struct tr2_watched_sums {
    float step[TR2_MAX_IMPULSES];   /* the last step */
    float late[TR2_MAX_IMPULSES];   /* its second half; the next step begins `across` with it */
    float across[TR2_MAX_IMPULSES]; /* the second half of the step before, and the first half of the last */
} tr2_watched_sums;

typedef struct tr2_watched {
    const uint64_t *bits; /* a bit for each slot of a joint: whether it is watched */
    uint32_t word_count;
    const uint32_t *record_of; /* by slot: the record of a watched joint */
    tr2_watched_sums *sums;    /* per record */
    uint32_t count;            /* records */
} tr2_watched;

/* Sets which joints the steps from now on watch; the arrays must live as long. */
void tr2_solver_watch(tr2_solver *solver, const tr2_watched *watched);

#endif
