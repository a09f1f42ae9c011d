/* Statistics of a world in space: cost of a step, state of the plan, energies, momenta and joint errors. */
#ifndef TRAMMEL_STATISTICS3_H
#define TRAMMEL_STATISTICS3_H

#include "trammel/joints3.h"

#ifdef __cplusplus
extern "C" {
#endif

TR_API tr_statistics tr3_world_statistics(const tr3_world *world);

/* Estimated seconds of the last step on `threads` cores, as in trammel/statistics2.h. */
TR_API double tr3_world_projected_seconds(const tr3_world *world, uint32_t threads);

/* Sums over the current state of the world, in a fixed order. */
typedef struct tr3_measures {
    double kinetic_energy; /* J */
    /* J, of gravity (zero at the world's origin) and of springs and soft rows of kind TR_PHYSICAL; those of kind
       TR_FREQUENCY, whose stiffness depends on the masses, are not counted */
    double potential_energy;
    tr_dvec3 momentum;         /* kg m/s */
    tr_dvec3 angular_momentum; /* kg m^2/s about the world's origin */
    double joint_error_rms;    /* m, linear, over the joints with rows held rigidly */
    double joint_error_max;
    double joint_angle_error_rms; /* rad, over the joints with rows of rotation held rigidly */
    double joint_angle_error_max;
    uint32_t rigid_joints; /* number of joints that these errors include */
} tr3_measures;

TR_API tr3_measures tr3_world_measure(const tr3_world *world);

/* The colour of a joint: joints of one colour share no moving body (or copy of a split one). UINT32_MAX for a joint
   between two bodies that cannot move. */
TR_API tr_status tr3_joint_color(const tr3_world *world, tr3_joint id, uint32_t *out);

#ifdef __cplusplus
}
#endif

#endif
