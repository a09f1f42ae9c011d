/* What the distribution of a split body's mass asks of joints and bodies in space: solver/core/shares.c. */
#ifndef TR_SPACE_SHARES_H
#define TR_SPACE_SHARES_H

#include <string.h>

#include "solver/core/solver_internal.h"
#include "solver/joints3/contact.h"

/* kg m^2: the mean of the principal moments */
static inline float tr3_share_inertia(const tr3_bodies *bodies, uint32_t row)
{
    return (bodies->inertia_x[row] + bodies->inertia_y[row] + bodies->inertia_z[row]) * (1.0f / 3.0f);
}

/* squared distance from the centre of mass of the body at an end to the point where the joint acts */
static inline float tr3_lever_of(const tr3_solver *solver, const tr3_system *system, const tr3_joints *joints,
                                 uint32_t row, const uint32_t *end, uint32_t k)
{
    const uint32_t *body_of_state = solver->body_of_state.data;
    const uint32_t at = body_of_state[end[k % 2]];
    if (k >= 2) {
        /* a carrier's impulse acts at the anchor of the body that it carries */
        const tr3_bodies *bodies = system->bodies;
        const uint32_t on = body_of_state[end[k]];
        float dx = (float)(bodies->center_x[at] - bodies->center_x[on]);
        float dy = (float)(bodies->center_y[at] - bodies->center_y[on]);
        float dz = (float)(bodies->center_z[at] - bodies->center_z[on]);
        return (dx * dx + dy * dy) + dz * dz;
    }
    if (joints == &system->joints[TR_CONTACT]) {
        float *const *arm = joints->own + (k == 0 ? TR3_CONTACT_ARM_A : TR3_CONTACT_ARM_B);
        return (arm[0][row] * arm[0][row] + arm[1][row] * arm[1][row]) + arm[2][row] * arm[2][row];
    }
    tr3_field anchor = k == 0 ? TR3_FIELD_ANCHOR_A_X : TR3_FIELD_ANCHOR_B_X;
    tr_vec3 center = tr3_body_center(system->bodies, at);
    float x = joints->field[anchor][row] - center.x, y = joints->field[anchor + 1][row] - center.y;
    float z = joints->field[anchor + 2][row] - center.z;
    return (x * x + y * y) + z * z;
}

/* whether a joint exerts only a torque on the body at an end */
static inline bool tr3_only_turns(const tr3_system *system, const tr3_joints *joints, uint32_t row, uint32_t k)
{
    const float *slides = joints->field[k % 2 == 0 ? TR3_FIELD_SLIDES_A : TR3_FIELD_SLIDES_B];
    if (slides == NULL)
        return joints->field[TR3_FIELD_ANCHOR_A_X] == NULL && joints != &system->joints[TR_CONTACT];
    uint32_t on;
    memcpy(&on, slides + row, sizeof on);
    return on == 0;
}

/* nothing is known to carry too much: no split body is treated as heavier */
#define TR3_SPLIT_MANY 1000u

static inline bool tr3_is_burden(const tr3_joints *joints, uint32_t kind, uint32_t row)
{
    (void)joints;
    (void)kind;
    (void)row;
    return false;
}

static inline float tr3_burden_of(const tr3_solver *solver, const tr3_system *system, const tr3_joints *joints,
                                  uint32_t row, const uint32_t *end, uint32_t k)
{
    (void)solver;
    (void)system;
    (void)joints;
    (void)row;
    (void)end;
    (void)k;
    return 0.0f;
}

static inline double tr3_split_share(uint32_t ties)
{
    (void)ties;
    return 1.0;
}

#endif
