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
typedef struct trn_watched_sums {
    float step[TRN_MAX_IMPULSES];   /* the last step */
    float late[TRN_MAX_IMPULSES];   /* its second half; the next step begins `across` with it */
    float across[TRN_MAX_IMPULSES]; /* the second half of the step before, and the first half of the last */
} trn_watched_sums;

typedef struct trn_watched {
    const uint64_t *bits; /* a bit for each slot of a joint: whether it is watched, and awake */
    uint32_t word_count;
    const uint32_t *record_of; /* by slot: the record of a watched joint */
    trn_watched_sums *sums;    /* per record */
    uint32_t count;            /* bits that are set */
} trn_watched;

/* Sets which joints the steps from now on watch; the arrays must live as long. */
void trn_solver_watch(trn_solver *solver, const trn_watched *watched);

/* Adds an impulse to the sums of the joint in a slot, which is watched. */
static inline void trn_watched_add(const trn_watched *watched, uint32_t slot, uint32_t index, float impulse, bool early)
{
    trn_watched_sums *sums = &watched->sums[watched->record_of[slot]];
    sums->step[index] += impulse;
    *(early ? &sums->across[index] : &sums->late[index]) += impulse;
}

#endif
