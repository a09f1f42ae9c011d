/* The methods: the passes of a sub-step, and the softness of rigid rows in them. */
#ifndef TR_SOLVER_METHOD_H
#define TR_SOLVER_METHOD_H

#include "solver/core/kernels.h"
#include "solver/core/system.h"

typedef struct trn_scheme {
    bool warm_start;      /* impulses persist between sub-steps; else each starts from 0 */
    bool positions_first; /* positions move before the joints are solved, and the passes move them, too */
    bool relax_each;      /* a relaxing pass after every sub-step */
    bool relax_last;      /* a relaxing pass after the last sub-step */
    trn_pass_kind first;  /* first sweep of a sub-step */
    trn_pass_kind next;   /* further sweeps */
    uint32_t sweeps;      /* if the world does not set them */
} trn_scheme;

/* The scheme of a method. */
const trn_scheme *trn_scheme_of(tr_method method);

/* The number of sweeps per sub-step for these settings. */
uint32_t trn_sweeps_of(const trn_settings *settings);

/* The softness for a frequency in Hz and a damping ratio: an implicit spring (docs/solver.md). */
trn_soft trn_soft_of(float frequency, float damping_ratio, float h);

/* The frequency at which rows are held, at most `most`. *clamped: by more than the rounding of a sub-step's length. */
float trn_held_at(float frequency, float most, bool *clamped);

/* The time in which rigid rows correct their errors, in seconds, in sub-steps of h seconds: h, unless the sub-steps of
   previous steps were longer. `last`: that of the previous step, 0: none. */
float trn_correction_h(float h, float last);

/* The softness of rigid rows for sub-steps of h seconds. *clamped: it is softer than the settings ask for. */
trn_soft trn_rigid_of(const trn_settings *settings, float h, float correction_h, bool *clamped);

/* The softness of rigid rows of joints with features, where that of other rigid rows is `rigid`. */
trn_soft trn_driven_of(const trn_settings *settings, trn_soft rigid, float correction_h);

/* The softness of violated limits and rigid targets, and of rigid gears, where that of other rigid rows is `rigid`. */
trn_soft trn_limit_of(const trn_settings *settings, trn_soft rigid, float correction_h);
trn_soft trn_gear_of(const trn_settings *settings, trn_soft rigid, float correction_h);

#endif
