/* Statistics of a world: cost of a step, state of the plan, energies, momenta and joint errors. */
#ifndef TRAMMEL_STATISTICS2_H
#define TRAMMEL_STATISTICS2_H

#include "trammel/joints2.h"

#ifdef __cplusplus
extern "C" {
#endif

TR_API tr_statistics tr2_world_statistics(const tr2_world *world);

/*
 * Estimated seconds of the last step on `threads` cores like those of this machine. Each stage takes ceil(chunks /
 * threads) rounds at its mean time per chunk. Planning, and the part of collision that runs on one thread, take the
 * time that was measured. Barriers and shared memory bandwidth are not counted, so this is a lower bound. It is most
 * exact after a step on one thread. 0 before the first step and for 0 threads.
 */
TR_API double tr2_world_projected_seconds(const tr2_world *world, uint32_t threads);

/* Sums over the current state of the world, in a fixed order. */
typedef struct tr2_measures {
    double kinetic_energy; /* J */
    /* J, of gravity (zero at the world's origin), and of springs and soft rows of kind TR_PHYSICAL. Those of kind
       TR_FREQUENCY are not counted: their stiffness depends on the masses */
    double potential_energy;
    tr_dvec2 momentum;       /* kg m/s */
    double angular_momentum; /* kg m^2/s about the world's origin */
    double joint_error_rms;  /* m, linear, over the joints with rows held rigidly */
    double joint_error_max;
    double joint_angle_error_rms; /* rad, over the joints with angle rows held rigidly */
    double joint_angle_error_max;
    uint32_t rigid_joints; /* number of joints that these errors include */
} tr2_measures;

TR_API tr2_measures tr2_world_measure(const tr2_world *world);

/* The colour of a joint: joints of one colour share no moving body (or copy of a split one). UINT32_MAX for a joint
   between two bodies that cannot move. */
TR_API tr_status tr2_joint_color(const tr2_world *world, tr2_joint id, uint32_t *out);

#ifdef __cplusplus
}
#endif

#endif
