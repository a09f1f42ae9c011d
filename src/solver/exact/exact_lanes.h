/*
 * Islands side by side in SIMD lanes. Of islands that hang together by points only (rigid revolutes, balls) no row ever
 * changes between held and at a bound, so each kick is one system, and equal ones do the same. A lane does the same
 * operations in the same order whatever is in the others: an island has the same bits alone and among twins. What is
 * out of the ordinary (not finite, too fast, a pivot without its sign) is left to the general path, which begins the
 * island's step anew.
 */
#ifndef TR_SOLVER_EXACT_LANES_H
#define TR_SOLVER_EXACT_LANES_H

#include "solver/exact/exact.h"

/* Bodies and joints of an island that is solved in lanes, at most: of greater ones the numbers of all lanes would not stay
   in the caches. */
#define TR_EXACT_LANES_NODES 4096u
/* and targets of its program, per node */
#define TR_EXACT_LANES_TARGETS 16u

typedef struct trn_exact_lanes {
    uint32_t count; /* islands that are solved at once */
    /* what a worker needs for islands of a shape */
    size_t (*bytes)(const trn_exact_shape *shape);
    /* A step of `count` islands of one shape: writes bodies and joints to the tables, and states. Returns as bits which
       have failed; of these nothing has changed. */
    uint32_t (*run)(const trn_exact_step *step, void *memory, const uint32_t *islands, uint32_t count);
} trn_exact_lanes;

/* Null if it is not built in. */
const trn_exact_lanes *trn_exact_lanes_of(tr_isa isa);

#endif
