/* What the distribution of a split body's mass asks of joints and bodies in space: solver/core/shares.c. */
#ifndef TR_SPACE_SHARES_H
#define TR_SPACE_SHARES_H

#include "solver/core/solver_internal.h"

/* kg m^2: the mean of the principal moments */
static inline float tr3_share_inertia(const tr3_bodies *bodies, uint32_t row)
{
    return (bodies->inertia_x[row] + bodies->inertia_y[row] + bodies->inertia_z[row]) * (1.0f / 3.0f);
}

/* squared distance from the centre of mass of the body at an end to the point where the joint acts */
static inline float tr3_lever_of(const tr3_solver *solver, const tr3_system *system, const tr3_joints *joints,
                                 uint32_t row, const uint32_t *end, uint32_t k)
{
    const uint32_t at = ((const uint32_t *)solver->body_of_state.data)[end[k]];
    tr3_field anchor = k == 0 ? TR3_FIELD_ANCHOR_A_X : TR3_FIELD_ANCHOR_B_X;
    tr_vec3 center = tr3_body_center(system->bodies, at);
    float x = joints->field[anchor][row] - center.x, y = joints->field[anchor + 1][row] - center.y;
    float z = joints->field[anchor + 2][row] - center.z;
    return (x * x + y * y) + z * z;
}

/* whether a joint exerts only a torque on the body at an end */
static inline bool tr3_only_turns(const tr3_system *system, const tr3_joints *joints, uint32_t row, uint32_t k)
{
    (void)system;
    (void)row;
    (void)k;
    return joints->field[TR3_FIELD_ANCHOR_A_X] == NULL;
}

/* without exact trees nothing is known to carry too much: no split body is treated as heavier */
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
