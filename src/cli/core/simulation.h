/* A simulation: a scene in a world, with timings and measurements of its steps. */
#ifndef TR_CLI_SIMULATION_H
#define TR_CLI_SIMULATION_H

#include "cli/core/dimension.h"

/* Joint errors over many steps: the rms of a single step says little about a structure that swings. */
typedef struct run_error {
    double square_sum;     /* m^2: sum of the squares of each step's rms */
    double worst_rms, max; /* m: greatest rms of a step; greatest error of any joint in any step */
    uint32_t steps;
} run_error;

/* Root mean square over all joints and steps, m; NaN if there was no step. */
double trn_run_error_rms(const run_error *error);

typedef struct simulation {
    const trn_scene *scene;
    trn_world *world; /* if surveyed: without joints */
    trn_body *bodies; /* in the scene's order */
    trn_joint *joints;
    bool surveyed; /* there are no steps, and nothing but a report: trn_simulation_survey() */
    trn_survey survey;
    double hertz;
    uint32_t substeps;
    uint32_t steps, done;
    double *seconds; /* TR_STAGE_COUNT + 1 rows of `steps`: the stages, then the whole step */
    trn_measures start, end;
    run_error error, settled; /* of all steps; of those after the first second */
    uint64_t events;          /* in all steps */
    bool touched;             /* any step had contacts */
    uint32_t asleep;          /* steps after which all bodies that move sleep, and have since; 0: they do not */
} simulation;

/* Builds the world, or, with `state`, restores this snapshot of `size` bytes, from which the scene was made
   (trn_state_open()), and sets the settings that a scene and a run have. `source` names the scene in messages. With
   `show`, a terminal sees what is under way. On failure: false, with a message on stderr, and frees everything. */
bool trn_simulation_begin(simulation *sim, const trn_scene *scene, const void *state, size_t size, const char *source,
                          uint32_t threads, uint32_t steps, bool show);
/* The same for a report without steps: all but the joints and their plan, which take most of the memory and time. */
bool trn_simulation_survey(simulation *sim, const trn_scene *scene, const char *source, uint32_t threads, bool show);
/* Puts a world in the state of a snapshot; bodies and joints receive all ids in the order of slots, as a scene that is
   captured has them. TR_ERROR_MEMORY; those of trn_world_restore(). */
tr_status trn_state_restore(trn_world *world, const void *state, size_t size, trn_body *bodies, trn_joint *joints,
                            tr_error *error);
/* Runs and times one step. False with a message on failure. */
bool trn_simulation_step(simulation *sim);
/* Measures the final state. */
void trn_simulation_end(simulation *sim);
void trn_simulation_free(simulation *sim);

/* Statistics and state hash of the world. Of a plan that was not made there are none. */
tr_statistics trn_simulation_statistics(const simulation *sim);
uint64_t trn_simulation_hash(const simulation *sim);

/* Simulated time, s. */
double trn_simulation_time(const simulation *sim);

typedef struct spread {
    double min, median, p99; /* NaN where nothing was measured */
} spread;

/* Spread of a stage over all steps, s; TR_STAGE_COUNT: of whole steps. Sorts the stored times. */
spread trn_simulation_spread(simulation *sim, uint32_t stage);

#endif
