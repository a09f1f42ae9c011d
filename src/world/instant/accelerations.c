/* Exact accelerations and reactions: checks, and what is written (trammel/accelerations.h). */
#include "base/arithmetic.h"
#include "base/finite.h"
#include "world/core/check.h"
#include "world/instant/instant.h"

#if TR_DIMENSION == 2
tr_accelerations_options tr_accelerations_options_default(void)
{
    return (tr_accelerations_options){.motors = true, .stop_gap = 0.005};
}
#endif

static tr_status check(const trn_world *world, const trn_accelerations *what, const tr_accelerations_options *options)
{
    trn_check check = trn_check_of(world, "accelerations", "");
    tr_status status = trn_check_pointer(&check, "what", what);
    if (status != TR_OK)
        return status;
    const void *const lists[] = {what->bodies, what->accelerations, what->joints, what->reactions};
    const char *const names[] = {"what.bodies", "what.accelerations", "what.joints", "what.reactions"};
    for (int i = 0; i < 4 && status == TR_OK; i++)
        if ((i < 2 ? what->body_count : what->joint_count) > 0)
            status = trn_check_pointer(&check, names[i], lists[i]);
    check.subject = "what.bodies";
    for (uint32_t i = 0; i < what->body_count && status == TR_OK; i++) {
        check.index = i;
        status = trn_check_body(&check, "", world, what->bodies[i]);
    }
    check.subject = "what.joints";
    for (uint32_t i = 0; i < what->joint_count && status == TR_OK; i++) {
        check.index = i;
        status = trn_check_joint(&check, "", world, what->joints[i]);
    }
    check.subject = "";
    check.index = TR_NONE;
    return status != TR_OK ? status : trn_check_not_negative(&check, "options.stop_gap", options->stop_gap);
}

/* the islands of what is asked for; all, if nothing is */
static void want_islands(trn_instant *it, const trn_accelerations *what)
{
    for (uint32_t i = 0; i < it->island_count; i++)
        it->wanted[i] = what->body_count == 0 && what->joint_count == 0;
    for (uint32_t i = 0; i < what->body_count; i++) {
        uint32_t body = it->moving[trn_body_row(it->world, what->bodies[i])];
        if (body != TR_NONE)
            it->wanted[it->island_of[body]] = true;
    }
    for (uint32_t i = 0; i < what->joint_count; i++) {
        uint32_t joint = it->joint_of_slot[what->joints[i].index - 1];
        if (joint != TR_NONE)
            it->wanted[it->island_of[it->joints[joint].body[0]]] = true;
    }
}

static trn_acceleration acceleration_of(const trn_instant *it, trn_body id)
{
    double all[TRN_DEGREES] = {0.0};
    uint32_t body = it->moving[trn_body_row(it->world, id)];
    for (uint32_t k = 0; k < TRN_DEGREES && body != TR_NONE; k++)
        all[k] = tr_finite_double(it->bodies[body].acceleration[k]);
    return (trn_acceleration){trn_equation_linear(all), trn_equation_angular(all)};
}

static trn_exact_reaction reaction_of(const trn_instant *it, trn_joint id)
{
    double all[TRN_DEGREES] = {0.0}, parts[TR_PART_UPPER + 1] = {0.0};
    const uint32_t number = it->joint_of_slot[id.index - 1];
    if (number != TR_NONE) {
        const trn_instant_joint *joint = &it->joints[number];
        trn_joint_type type = trn_joint_type_of(it->world, joint->slot);
        uint32_t row = it->world->joint_pool.row[joint->slot];
        trn_joint_def def;
        trn_joint_pose pose;
        trn_equations equations;
        trn_joint_read(it->world, type, row, &def);
        trn_equations_read(it->world, type, row, &def, &pose, &equations);
        for (uint32_t i = 0; i < equations.count; i++) {
            const trn_equation *equation = &equations.row[i];
            double force = it->forces[joint->first_equation + i], none[TRN_DEGREES], own[TRN_DEGREES];
            /* the torque without the moment of the force */
            trn_dvec along = trn_equation_linear(equation->j[1]);
            trn_equation_put(none, trn_times(0.0, along), trn_moment(pose.r_b, along));
            for (uint32_t k = 0; k < TRN_DEGREES; k++) {
                own[k] = equation->j[1][k] - none[k];
                all[k] = tr_finite_double(all[k] + tr_finite_double(force * own[k]));
            }
            parts[equation->part] += tr_finite_double(equation->part == TR_PART_UPPER ? -force : force);
        }
    }
    return (trn_exact_reaction){.force = trn_equation_linear(all),
                                .torque = trn_equation_angular(all),
                                .spring = tr_finite_double(parts[TR_PART_SPRING]),
                                .motor = tr_finite_double(parts[TR_PART_MOTOR]),
                                .lower = tr_finite_double(parts[TR_PART_LOWER]),
                                .upper = tr_finite_double(parts[TR_PART_UPPER])};
}

static tr_status compute(trn_instant *it, const trn_world *world, const trn_accelerations *what,
                         const tr_accelerations_options *options, tr_accelerations_report *report)
{
    tr_status status = trn_instant_make(it, world, options);
    if (status != TR_OK)
        return status;
    want_islands(it, what);
    status = trn_instant_solve(it);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < what->body_count; i++)
        what->accelerations[i] = acceleration_of(it, what->bodies[i]);
    for (uint32_t i = 0; i < what->joint_count; i++)
        what->reactions[i] = reaction_of(it, what->joints[i]);
    if (report != NULL) {
        *report = it->report;
        report->error = tr_finite_double(report->error);
    }
    return TR_OK;
}

tr_status trn_world_accelerations(const trn_world *world, const trn_accelerations *what,
                                  const tr_accelerations_options *options, tr_accelerations_report *report)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    const tr_accelerations_options preset = tr_accelerations_options_default();
    if (options == NULL)
        options = &preset;
    tr_status status = check(world, what, options);
    if (status != TR_OK)
        return status;
    trn_instant it;
    tr_arithmetic before = tr_arithmetic_plain();
    status = compute(&it, world, what, options, report);
    trn_instant_free(&it);
    tr_arithmetic_restore(&before);
    if (status != TR_OK) {
        trn_check failed = trn_check_of(world, "accelerations", "");
        trn_check_fail(&failed, status, "",
                       status == TR_ERROR_MEMORY ? "no memory for the equations of motion" : "an island is too large");
    }
    return status;
}
