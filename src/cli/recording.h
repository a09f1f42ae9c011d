/* What a run writes: trajectories while it runs, pictures when it is done. */
#ifndef TR_CLI_RECORDING_H
#define TR_CLI_RECORDING_H

#include "cli/picture.h"
#include "cli/simulation.h"
#include "cli/trajectory.h"

typedef struct recording {
    output *outputs; /* the caller's */
    uint32_t output_count;
    uint32_t every; /* steps between the frames of trajectories, from 1 */
    const tr2_scene *scene;
    film strip, animation; /* of no frames where there is no such picture */
    groups groups;
    body_state *states; /* null where there is no trajectory */
} recording;

typedef struct recording_options {
    uint32_t every;
    uint32_t strip_frames;
    uint32_t key_frames; /* 0: as many as keep the file small, 60 at most */
    color_mode color;
} recording_options;

/* Opens all files; false with a message, and nothing left behind, where one cannot be written. */
bool recording_begin(recording *r, output *outputs, uint32_t count, const tr2_scene *scene, uint32_t steps,
                     const recording_options *options);
/* After each step, and once before the first. False with a message. */
bool recording_visit(recording *r, const simulation *sim);
/* Draws the pictures, then puts all files in their places; none of them where it was interrupted before that, which the
   caller says. `p` brings title, rates, view and size. */
bool recording_finish(recording *r, picture p);
/* Frees everything; removes the files that are not in their places. */
void recording_free(recording *r);

#endif
