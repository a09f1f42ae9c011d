/* A simulation: a scene in a world, its steps timed and its numbers kept. */
#ifndef TR_CLI_SIMULATION_H
#define TR_CLI_SIMULATION_H

#include "trammel/trammel.h"

/* Joint errors over many steps: one step's rms says little of a structure that swings. */
typedef struct run_error {
    double square_sum;     /* m^2: of each step's rms */
    double worst_rms, max; /* m: of any step; of any joint in any step */
    uint32_t steps;
} run_error;

/* m: over all joints and steps; NaN where there was no step */
double run_error_rms(const run_error *error);

typedef struct simulation {
    const tr2_scene *scene;
    tr2_world *world;
    tr2_body *bodies; /* in the scene's order */
    tr2_joint *joints;
    double hertz;
    uint32_t substeps;
    uint32_t steps, done;
    double *seconds; /* TR_STAGE_COUNT + 1 rows of `steps`: the stages, then the whole step */
    tr2_measures start, end;
    run_error error, settled; /* of all steps; of those after the first second */
    uint64_t events;          /* in all steps */
} simulation;

/* Builds the world; `source` is where the scene is from, for messages. False with a message on stderr where that fails; then nothing is held. */
bool simulation_begin(simulation *sim, const tr2_scene *scene, const char *source, uint32_t threads, uint32_t steps);
/* One step, timed. False with a message. */
bool simulation_step(simulation *sim);
/* Measures the end. */
void simulation_end(simulation *sim);
void simulation_free(simulation *sim);

/* The time that has been simulated, s. */
double simulation_time(const simulation *sim);

typedef struct spread {
    double min, median, p99; /* NaN where nothing was measured */
} spread;

/* Of a stage over all steps, in seconds; TR_STAGE_COUNT: of whole steps. Sorts what is kept. */
spread simulation_spread(simulation *sim, uint32_t stage);

#endif
