/* Trajectories: the state of every body in each frame, as CSV or as a NumPy array. */
#ifndef TR_CLI_TRAJECTORY_H
#define TR_CLI_TRAJECTORY_H

#include "cli/output.h"
#include "trammel/scene2.h"

/* One body in one frame. */
typedef struct body_state {
    double x, y, angle; /* m, m, rad; of the body's origin; the angle is not wrapped */
    double vx, vy, w;   /* m/s of the centre of mass, rad/s */
} body_state;

/* Writes the header of a file with `frames` frames. Write errors stay in the stream; output_commit() reports them. */
void trajectory_begin(output *o, const tr2_scene *scene, uint32_t frames);
/* Writes one frame: the states of all bodies, in the scene's order. */
void trajectory_frame(output *o, const tr2_scene *scene, uint32_t step, double time, const body_state *states);

#endif
