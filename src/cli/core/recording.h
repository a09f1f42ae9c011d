/* Output of a run: trajectories while it runs, pictures at its end. */
#ifndef TR_CLI_RECORDING_H
#define TR_CLI_RECORDING_H

#include "cli/core/picture.h"
#include "cli/core/simulation.h"
#include "cli/core/trajectory.h"

typedef struct recording {
    output *outputs; /* the caller owns them */
    uint32_t output_count;
    uint32_t every;          /* steps between frames of trajectories, at least 1 */
    uint32_t save_at, steps; /* after which steps a snapshot and a scene are taken */
    const trn_scene *scene;
    film strip, animation; /* empty if there is no picture of that kind */
    groups groups;
    trn_state *states; /* null if there is no trajectory */
} recording;

/* Opens all files. If one cannot be opened: false, with a message, and removes the others. */
bool trn_recording_begin(recording *r, output *outputs, uint32_t count, const trn_scene *scene, uint32_t steps,
                         const recording_options *options);
/* Call before the first step and after each step. False with a message on failure. */
bool trn_recording_visit(recording *r, const simulation *sim);
/* Draws the pictures, then renames all files to their targets. If interrupted before that, it renames none and
   prints no message; the caller reports it. `p` has title, rates, view and size. */
bool trn_recording_finish(recording *r, picture p);
/* Frees everything; removes files that were not renamed to their targets. */
void trn_recording_free(recording *r);

#endif
