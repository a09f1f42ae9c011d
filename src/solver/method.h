/* The methods: which passes a sub-step is made of, and how rigid rows are held in them. */
#ifndef TR_SOLVER_METHOD_H
#define TR_SOLVER_METHOD_H

#include "solver/kernels.h"
#include "solver/system.h"

typedef struct tr2_scheme {
    bool warm_start;      /* impulses carry over from sub-step to sub-step; else each begins afresh */
    bool positions_first; /* positions move before the joints are solved, by the passes too */
    bool relax_each;      /* after every sub-step */
    bool relax_last;      /* after the last one */
    tr2_pass_kind first;  /* sweep of a sub-step */
    tr2_pass_kind next;   /* and those after it */
    uint32_t sweeps;      /* where the world does not say */
} tr2_scheme;

/* The scheme of a method. */
const tr2_scheme *tr2_scheme_of(tr2_method method);

/* Sweeps per sub-step that these settings mean. */
uint32_t tr2_sweeps_of(const tr2_settings *settings);

/* How stiff a row can be held, from a frequency in Hz and a damping ratio: an implicit spring (docs/solver.md). */
tr2_soft tr2_soft_of(float frequency, float damping_ratio, float h);

/* How rigid rows are held in sub-steps of h seconds. *clamped: softer than the settings ask for. */
tr2_soft tr2_rigid_of(const tr2_settings *settings, float h, bool *clamped);

#endif
