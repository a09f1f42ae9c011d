/* Measurements of a whole world: sums over bodies and joints, the state hash, statistics. */
#include <math.h>
#include <string.h>

#include "world/core/measure.h"

/*
 * Measures: plain sums in the order of rows
 */
static void add_error(trn_error_sum *sum, float of_joint)
{
    double error = (double)tr_finite_float((double)of_joint);
    sum->squares += error * error;
    if (error > sum->max)
        sum->max = error;
    sum->count++;
}

static double root_mean_square(const trn_error_sum *sum)
{
    return sum->count > 0 ? sqrt(sum->squares / (double)sum->count) : 0.0;
}

trn_measuring trn_measure_bodies(const trn_world *world)
{
    trn_measuring it;
    memset(&it, 0, sizeof it);
    for (uint32_t row = 0; row < world->bodies.table.count; row++)
        trn_measure_body(world, row, &it.out);
    return it;
}

void trn_measure_joints(const trn_world *world, trn_joint_type type, trn_measuring *it)
{
    const trn_joint_type_info *info = trn_joint_types[type];
    const trn_mask held = trn_joint_fields_held(&world->joints[type], type);
    trn_joint_def def = trn_joint_def_default(type);
    for (uint32_t row = 0; row < world->joints[type].table.count; row++) {
        trn_joint_pose pose;
        trn_joint_measure measure = {0};
        trn_joint_read_row(world, type, held, row, &def);
        if (!trn_joint_is_enabled(&world->joints[type], row))
            continue;
        trn_joint_pose_read(world, type, row, &def, &pose);
        info->measure(&def, &pose, &measure);
        tr_add_to(&it->out.potential_energy, measure.energy);
        tr_add_to(&it->out.kinetic_energy, measure.kinetic_energy);
        if (measure.linear_rigid)
            add_error(&it->linear, measure.linear_error);
        if (measure.angular_rigid)
            add_error(&it->angular, measure.angular_error);
        if (measure.linear_rigid || measure.angular_rigid)
            it->out.rigid_joints++;
    }
}

trn_measures trn_measure_end(const trn_measuring *it)
{
    trn_measures out = it->out;
    out.joint_error_rms = root_mean_square(&it->linear);
    out.joint_error_max = it->linear.max;
    out.joint_angle_error_rms = root_mean_square(&it->angular);
    out.joint_angle_error_max = it->angular.max;
    return out;
}

trn_measures trn_world_measure(const trn_world *world)
{
    trn_measures none;
    memset(&none, 0, sizeof none);
    if (world == NULL)
        return none;
    trn_measuring it = trn_measure_bodies(world);
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++)
        trn_measure_joints(world, (trn_joint_type)type, &it);
    return trn_measure_end(&it);
}

/*
 * State hash, computed from values, so that byte order does not matter
 */
static uint64_t mix_low(const trn_bodies *bodies, uint32_t row, uint64_t hash)
{
#define MIX(name)                                                                                                      \
    if (bodies->name != NULL && bodies->name[row] != 0.0f)                                                             \
        hash = tr_mix_float(hash, bodies->name[row]);
    TRN_BODY_LOW(MIX)
#undef MIX
    return hash;
}

static uint64_t hash_body(const trn_bodies *bodies, uint32_t row, uint64_t hash)
{
    hash = mix_low(bodies, row, trn_hash_body(bodies, row, hash));
    /* these decide when a body falls asleep; where none does, the hash is that of the bodies alone */
    if (bodies->still[row] > 0.0f)
        hash = tr_mix_float(hash, bodies->still[row]);
    return (bodies->flags[row] & TR_BODY_ASLEEP) != 0 ? tr_mix(hash, TR_BODY_ASLEEP) : hash;
}

uint64_t trn_hash_bodies(const trn_world *world)
{
    uint64_t hash = 0x7472616d6d656c32u; /* not zero, so that leading zeros count */
    for (uint32_t slot = 0; slot < world->body_pool.count; slot++) {
        if (!tr_pool_is_free(&world->body_pool, slot))
            hash = hash_body(&world->bodies, world->body_pool.row[slot], hash);
    }
    return hash;
}

uint64_t trn_hash_new_joint(trn_joint_type type, uint64_t hash)
{
    for (uint32_t i = 0; i < trn_joint_types[type]->impulse_count; i++)
        hash = tr_mix_float(hash, 0.0f);
    return hash;
}

uint64_t trn_world_state_hash(const trn_world *world)
{
    if (world == NULL)
        return 0;
    uint64_t hash = trn_hash_bodies(world);
    for (uint32_t slot = 0; slot < world->joint_pool.count; slot++) {
        if (tr_pool_is_free(&world->joint_pool, slot))
            continue;
        uint32_t row = world->joint_pool.row[slot];
        trn_joint_type type = trn_joint_type_of(world, slot);
        for (uint32_t i = 0; i < trn_joint_types[type]->impulse_count; i++)
            hash = tr_mix_float(hash, trn_joint_impulse(&world->joints[type], i, row));
        /* counts decide when a joint breaks; without any, the hash equals that of the same world without thresholds */
        const trn_watch *watch = trn_watches_find(&world->watches, slot);
        if (watch != NULL && (watch->event_steps > 0 || watch->break_steps > 0))
            hash = tr_mix(hash, (uint64_t)watch->event_steps << 32 | watch->break_steps);
    }
    return hash;
}

/*
 * Statistics
 */
static void count_tables(const trn_world *world, tr_statistics *out)
{
    const trn_bodies *bodies = &world->bodies;
    out->bodies = bodies->table.count;
    for (uint32_t row = 0; row < bodies->table.count; row++) {
        out->moving_bodies += trn_body_is_dynamic(bodies, row) ? 1u : 0u;
        out->nonfinite_bodies += (bodies->flags[row] & TR_BODY_QUARANTINED) != 0 ? 1u : 0u;
    }
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++) {
        out->joints_of_type[type] = world->joints[type].table.count;
        out->joints += world->joints[type].table.count;
    }
    out->contacts = trn_parts_contacts(world);
    out->sleeping_bodies = world->sleep.asleep;
}

/* computed on request; the numbers stay zero if out of memory */
static void describe_plan(const trn_world *world, tr_statistics *out)
{
    tr_plan *plan = trn_mutable(world)->plan;
    const tr_plan_layout *layout = NULL;
    out->lane_fill = 1.0;
    if (tr_plan_layout_get(plan, &layout) == TR_OK) {
        out->solved_joints = layout->solved_edges;
        out->colors = layout->color_count;
        out->batches = layout->span_count;
        for (uint32_t i = 0; i < layout->span_count; i++) {
            const tr_plan_span *span = &layout->spans[i];
            out->blocks += (span->edge_count + TR_LANES - 1) / TR_LANES;
            out->boundary_joints += span->unit == TR_NONE ? span->edge_count : 0;
        }
        if (out->blocks > 0)
            out->lane_fill = (double)out->solved_joints / ((double)TR_LANES * out->blocks);
        out->split_bodies = layout->hub_count;
        out->body_copies = layout->copy_count;
        out->max_degree = layout->max_degree;
    }
    out->clusters = tr_plan_unit_count(plan);
    out->identical_islands = tr_plan_twins(plan);
    tr_plan_islands islands;
    if (tr_plan_islands_get(plan, &islands) == TR_OK) {
        out->islands = islands.count;
        out->largest_island = islands.largest;
        memcpy(out->islands_by_size, islands.by_size, sizeof out->islands_by_size);
    }
}

static void describe_last_step(const trn_solver_report *report, tr_statistics *out)
{
    out->direct_islands = report->direct_islands;
    out->direct_solves = report->direct_solves;
    out->direct_solves_max = report->direct_most;
    out->direct_unsettled = report->direct_unsettled;
    out->clamped_joints = report->clamped_joints;
    out->clamped_contacts = report->clamped_contacts;
    out->threads = report->threads;
    out->barriers = report->barriers;
    out->chunks = report->chunks;
    out->plan_rebuilds = report->plan_rebuilds;
    out->full_layouts = report->layouts;
    out->partial_layouts = report->patches;
    out->steps = report->steps;
    out->seconds = report->seconds;
    memcpy(out->stage_seconds, report->stage_seconds, sizeof out->stage_seconds);
}

static void describe_work(const trn_solver *solver, tr_statistics *out)
{
    trn_solver_work work;
    trn_solver_describe(solver, &work);
    out->critical_path = work.span;
    out->independent_clusters = work.whole_units;
    out->interleaved_clusters = work.tiled_units;
    out->contiguous_blocks = work.run_blocks;
    out->exact_joints = work.exact_joints;
    memcpy(out->stage_bytes, work.bytes, sizeof out->stage_bytes);
    out->bytes_per_substep = work.bytes_per_substep;
}

/* time of a step outside of the solver */
static double beside_solver(const trn_world *world)
{
    return world->watches.seconds + world->plan_seconds + trn_parts_seconds(world);
}

tr_statistics trn_world_statistics(const trn_world *world)
{
    tr_statistics out;
    memset(&out, 0, sizeof out);
    if (world == NULL)
        return out;
    count_tables(world, &out);
    describe_plan(world, &out);
    describe_last_step(trn_solver_last(world->solver), &out);
    describe_work(world->solver, &out);
    out.step_dt = world->step_dt;
    out.step_substeps = world->step_substeps;
    out.watched_joints = world->watches.count;
    out.broken_joints = world->watches.broken;
    out.stage_seconds[TR_STAGE_FINISH] += world->watches.seconds;
    out.stage_seconds[TR_STAGE_PLAN] += world->plan_seconds;
    trn_parts_describe(world, &out);
    out.seconds += beside_solver(world);
    out.bytes = world->memory.bytes;
    return out;
}

double trn_world_projected_seconds(const trn_world *world, uint32_t threads)
{
    if (world == NULL || threads == 0)
        return 0.0;
    double beside = beside_solver(world) - trn_parts_saves(world, threads);
    return trn_solver_project(world->solver, threads) + beside;
}
