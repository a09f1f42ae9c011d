/* Trajectories: the state of every body in each frame, as CSV or as a NumPy array. */
#ifndef TR_CLI_TRAJECTORY_H
#define TR_CLI_TRAJECTORY_H

#include "cli/core/dimension.h"
#include "cli/output.h"

/* Writes the header of a file with `frames` frames. Write errors stay in the stream; output_commit() reports them. */
void trn_trajectory_begin(output *o, const trn_scene *scene, uint32_t frames);
/* Writes one frame: the states of all bodies, in the scene's order. */
void trn_trajectory_frame(output *o, const trn_scene *scene, uint32_t step, double time, const trn_state *states);

#endif
