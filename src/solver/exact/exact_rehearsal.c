/*
 * What sweeps take of an island with a border (exact_border.c) before they solve it.
 *
 * Bodies that joints hold still, so that no impulse on the island can move them, are what they are to the sweeps: bodies
 * without inverse mass, which keep their velocities, and not light ones on joints that give way. So what lies on a truss or
 * on a stand lies there as on static ground, whatever it weighs, and what it does to that moves nothing: neither gains
 * energy.
 *
 * Only rows that hold whatever their impulses are count: neither springs, nor what has a bound, such as motors, friction,
 * stops and contacts. A body is still if it does not respond to impulses on all bodies at once, and not to others either:
 * a mechanism may happen to balance some.
 *
 * Sweeps begin with the impulses that the direct method has found, but not at bodies that these could turn by much within a
 * sub-step, as those of a chain that is all but straight: sweeps do not foresee that, and would throw them.
 */
#include <math.h>

#include "solver/exact/exact.h"

static const double steps_of_trial[] = {0.61803398874989485, 0.41421356237309505};
#define TRIALS (sizeof steps_of_trial / sizeof *steps_of_trial)

/* m/s, rad/s: what the impulses on a body would give it if it were free; irregular numbers from 0.5 to 1.5 */
static void push_freely(uint32_t trial, uint32_t body, double out[TRN_DEGREES])
{
    for (uint32_t i = 0; i < TRN_DEGREES; i++) {
        const double at = steps_of_trial[trial] * (double)((uint64_t)TRN_DEGREES * (body + 1) + i);
        out[i] = 0.5 + (at - floor(at));
    }
}

double trn_exact_weigh(const trn_exact_body *body, const double v[TRN_DEGREES], double out[TRN_DEGREES])
{
    for (uint32_t i = 0; i < TRN_DEGREES; i++)
        out[i] = i < TRN_AXES ? body->mass * v[i]
                              : trn_equation_product(body->inertia[i - TRN_AXES], v + TRN_AXES, TRN_SPINS);
    return trn_equation_product(v, out, TRN_DEGREES);
}

static void find_still(const trn_exact_kick *kick)
{
    const trn_exact_island *island = kick->island;
    trn_exact_body *bodies = &kick->step->exact->bodies[island->first_body];
    double *x = kick->worker->x, pushed[TRN_DEGREES], weighed[TRN_DEGREES];
    trn_exact_evaluate_held(kick);
    trn_exact_factor(kick);
    for (uint32_t b = 0; b < island->body_count; b++)
        bodies[b].still = true;
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        for (uint32_t i = island->body_count * TRN_DEGREES; i < kick->shape->numbers; i++)
            x[i] = 0.0;
        for (uint32_t b = 0; b < island->body_count; b++) {
            push_freely(trial, b, pushed);
            (void)trn_exact_weigh(&bodies[b], pushed, &x[(size_t)b * TRN_DEGREES]);
        }
        tr_factor_solve(kick->worker->factor, x);
        for (uint32_t b = 0; b < island->body_count; b++) {
            push_freely(trial, b, pushed);
            const double own = trn_exact_weigh(&bodies[b], &x[(size_t)b * TRN_DEGREES], weighed);
            bodies[b].still = bodies[b].still && own <= TR_EXACT_STILL * trn_exact_weigh(&bodies[b], pushed, weighed);
        }
    }
}

static double length_of(trn_dvec v)
{
    double number[TRN_DEGREES];
    trn_equation_put(number, v, trn_widen_spin((trn_spin){0}));
    return sqrt(trn_equation_product(number, number, TRN_AXES));
}

/* Whether the forces on bodies at the arms of their joints, as the last kick has found them, turn them faster than sweeps can
   follow, if they turn away from them. */
static void find_stiff(const trn_exact_kick *kick)
{
    const trn_exact *it = kick->step->exact;
    const trn_exact_island *island = kick->island;
    double *torque = kick->worker->x; /* N m, per rad */
    for (uint32_t b = 0; b < island->body_count; b++)
        torque[b] = 0.0;
    for (uint32_t j = 0; j < island->node_count; j++) {
        const trn_exact_joint *joint = &it->joints[island->first_joint + j];
        trn_joint_pose pose;
        trn_equations equations;
        trn_exact_equations(it, kick->step->system, joint, 0.0, &pose, &equations);
        for (uint32_t end = 0; end < 2 && joint->type != TR_CONTACT; end++) {
            if (joint->at[end] == TR_ENDS)
                continue;
            trn_dvec force = trn_times(0.0, pose.r_a);
            for (uint32_t r = 0; r < joint->row_count; r++)
                force = trn_plus(force, trn_times(it->rows[joint->first_row + r].force,
                                                  trn_equation_linear(equations.row[r].j[end])));
            torque[joint->body[joint->at[end]] - island->first_body] +=
                length_of(end == 0 ? pose.r_a : pose.r_b) * length_of(force);
        }
    }
    for (uint32_t b = 0; b < island->body_count; b++) {
        trn_exact_body *body = &it->bodies[island->first_body + b];
        double ease = 0.0;
        for (uint32_t i = 0; i < TRN_SPINS; i++)
            ease += body->inverse[i][i];
        body->stiff = kick->h * kick->h * torque[b] * ease > TR_EXACT_STIFF_FROM;
    }
}

/* Takes a joint out of the sweeps if all its bodies are still, and its impulses if one of them is too stiff. */
static void leave_joint(const trn_exact *it, trn_system *system, const trn_exact_joint *joint)
{
    trn_joints *joints = &system->joints[joint->type];
    const trn_joint_type_info *info = trn_joint_types[joint->type];
    bool still = true, stiff = false;
    for (uint32_t b = 0; b < joint->body_count; b++) {
        still = still && it->bodies[joint->body[b]].still;
        stiff = stiff || it->bodies[joint->body[b]].stiff;
    }
    if (still)
        joints->flags[joint->row] = (joints->flags[joint->row] & ~TR_JOINT_CHOSEN) | TR_JOINT_EXACT;
    for (uint32_t i = 0; i < info->impulse_count && stiff; i++)
        if (info->impulse_roles[i] < TR_ROLE_SUM)
            trn_joint_drop_impulse(joints, i, joint->row);
}

void trn_exact_begin_rehearsal(trn_exact *it, trn_system *system, double h)
{
    const trn_exact_step step = {
        .exact = it, .system = system, .h = h, .unit = (double)system->settings.length_unit, .substeps = 1};
    for (uint32_t i = 0; i < it->island_count; i++) {
        trn_exact_island *island = &it->islands[i];
        if (!trn_exact_has_border(it, island) || island->node_count == 0)
            continue;
        const trn_exact_kick kick = {.step = &step,
                                     .worker = &it->workers[0],
                                     .island = island,
                                     .shape = &it->shapes[island->shape],
                                     .h = h,
                                     .time = 0.5 * h};
        find_still(&kick);
        find_stiff(&kick);
        for (uint32_t b = 0; b < island->body_count; b++)
            if (it->bodies[island->first_body + b].still)
                system->bodies->flags[it->bodies[island->first_body + b].row] &= ~TR_BODY_REHEARSED;
        for (uint32_t j = 0; j < island->joint_count; j++)
            leave_joint(it, system, &it->joints[island->first_joint + j]);
    }
}
