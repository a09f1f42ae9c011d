/* What the distribution of a split body's mass asks of joints and bodies in the plane: solver/core/shares.c. */
#ifndef TR_PLANE_SHARES_H
#define TR_PLANE_SHARES_H

#include <string.h>

#include "solver/core/solver_internal.h"
#include "solver/joints2/contact.h"

/* The copies of a split body are solved separately and then averaged. They diverge together: from 3.5 times the mass
   on if the body cannot rotate, from 3 times the inertia if it cannot move, and from two fifths of both. With many
   copies, from three quarters of both (docs/solver.md). */
#define TR2_SPLIT_MASS    3.5
#define TR2_SPLIT_INERTIA 3.0
#define TR2_SPLIT_MANY    1000u /* joints */

/* How much a split body may hold by a number of joints: m / TR2_SPLIT_MASS + i / TR2_SPLIT_INERTIA, with the mass m and
   the inertia i of what it holds relative to its own. */
static inline double tr2_split_share(uint32_t ties)
{
    return ties < TR2_SPLIT_MANY ? 0.8 : 1.2;
}

static inline float tr2_share_inertia(const tr2_bodies *bodies, uint32_t row)
{
    return bodies->inertia[row];
}

/* squared distance from the centre of mass of the body at an end to the point where the joint acts */
static inline float tr2_lever_of(const tr2_solver *solver, const tr2_system *system, const tr2_joints *joints,
                                 uint32_t row, const uint32_t *end, uint32_t k)
{
    const tr2_bodies *bodies = system->bodies;
    const uint32_t *body_of_state = solver->body_of_state.data;
    uint32_t at = body_of_state[end[k % 2]];
    float x, y;
    if (joints == &system->joints[TR_CONTACT]) {
        x = joints->own[k == 0 ? TR2_CONTACT_ARM_A_X : TR2_CONTACT_ARM_B_X][row];
        y = joints->own[k == 0 ? TR2_CONTACT_ARM_A_Y : TR2_CONTACT_ARM_B_Y][row];
    } else if (k < 2) {
        tr2_field anchor = k == 0 ? TR2_FIELD_ANCHOR_A_X : TR2_FIELD_ANCHOR_B_X;
        tr_vec2 center = tr2_body_center(bodies, at);
        x = joints->field[anchor][row] - center.x;
        y = joints->field[anchor + 1][row] - center.y;
    } else {
        /* a carrier's impulse acts at the anchor of the body that it carries */
        x = (float)(bodies->center_x[at] - bodies->center_x[body_of_state[end[k]]]);
        y = (float)(bodies->center_y[at] - bodies->center_y[body_of_state[end[k]]]);
    }
    return x * x + y * y;
}

/* whether a joint exerts only a torque on the body at an end */
static inline bool tr2_only_turns(const tr2_system *system, const tr2_joints *joints, uint32_t row, uint32_t k)
{
    const float *slides = joints->field[k % 2 == 0 ? TR2_FIELD_SLIDES_A : TR2_FIELD_SLIDES_B];
    if (slides == NULL)
        return joints->field[TR2_FIELD_ANCHOR_A_X] == NULL && joints != &system->joints[TR_CONTACT];
    uint32_t on;
    memcpy(&on, slides + row, sizeof on);
    return on == 0;
}

/* Whether the joint holds its bodies rigidly. It may also be solved directly, in this step: then it does not matter. */
static inline bool tr2_is_burden(const tr2_joints *joints, uint32_t kind, uint32_t row)
{
    const bool acts = joints->flags == NULL || (joints->flags[row] & TR_JOINT_OFF) == 0;
    return acts && tr2_joint_types[tr2_kernel_type(kind)]->tie != TR_TIE_NONE &&
           tr2_is_rigid_cell(tr2_joint_cell(joints, TR2_FIELD_LINEAR_KIND, row));
}

/* Also in quarantine, where nothing depends on it. So shares do not change with that. */
static inline float tr2_share_inverse_inertia(const tr2_bodies *bodies, uint32_t row)
{
    bool turns = bodies->inertia[row] > 0.0f && (bodies->flags[row] & TR_BODY_FIXED_ROTATION) == 0;
    return turns ? 1.0f / bodies->inertia[row] : 0.0f;
}

/* mass and inertia of the body at the joint's other end, as shares of what this one may hold */
static inline float tr2_burden_of(const tr2_solver *solver, const tr2_system *system, const tr2_joints *joints,
                                  uint32_t row, const uint32_t *end, uint32_t k)
{
    const tr2_bodies *bodies = system->bodies;
    const uint32_t *body_of_state = solver->body_of_state.data;
    uint32_t own = body_of_state[end[k]], far = end[1 - k % 2];
    if (k > 1 || far >= solver->moving_end)
        return 0.0f;
    float mass = bodies->mass[body_of_state[far]], lever = mass * tr2_lever_of(solver, system, joints, row, end, k);
    return mass / ((float)TR2_SPLIT_MASS * bodies->mass[own]) +
           lever / (float)TR2_SPLIT_INERTIA * tr2_share_inverse_inertia(bodies, own);
}

#endif
