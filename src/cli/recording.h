/* Output of a run: trajectories while it runs, pictures at its end. */
#ifndef TR_CLI_RECORDING_H
#define TR_CLI_RECORDING_H

#include "cli/picture.h"
#include "cli/simulation.h"
#include "cli/trajectory.h"

typedef struct recording {
    output *outputs; /* the caller owns them */
    uint32_t output_count;
    uint32_t every; /* steps between frames of trajectories, at least 1 */
    const tr2_scene *scene;
    film strip, animation; /* empty if there is no picture of that kind */
    groups groups;
    body_state *states; /* null if there is no trajectory */
} recording;

typedef struct recording_options {
    uint32_t every;
    uint32_t strip_frames;
    uint32_t key_frames; /* 0: automatic, at most 60, to keep the file small */
    color_mode color;
} recording_options;

/* Opens all files. If one cannot be opened: false, with a message, and removes the others. */
bool recording_begin(recording *r, output *outputs, uint32_t count, const tr2_scene *scene, uint32_t steps,
                     const recording_options *options);
/* Call before the first step and after each step. False with a message on failure. */
bool recording_visit(recording *r, const simulation *sim);
/* Draws the pictures, then renames all files to their targets. If interrupted before that, it renames none and
   prints no message; the caller reports it. `p` has title, rates, view and size. */
bool recording_finish(recording *r, picture p);
/* Frees everything; removes files that were not renamed to their targets. */
void recording_free(recording *r);

#endif
