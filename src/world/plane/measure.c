/* Measurements of a whole world: sums over bodies and joints, the state hash, statistics. */
#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "world/core/world_internal.h"

/*
 * Measures: plain sums in the order of rows, which end at the greatest doubles
 */
static void add_to(double *sum, double more)
{
    *sum = tr_finite_double(*sum + tr_finite_double(more));
}

static void add_body(const tr2_world *world, uint32_t row, tr2_measures *out)
{
    const tr2_bodies *bodies = &world->bodies;
    if (bodies->type[row] != TR_DYNAMIC)
        return;
    double mass = (double)bodies->mass[row];
    double inertia = (double)bodies->inertia[row];
    double x = bodies->center_x[row];
    double y = bodies->center_y[row];
    double vx = (double)bodies->velocity_x[row];
    double vy = (double)bodies->velocity_y[row];
    double w = (double)bodies->angular_velocity[row];
    double scale = (double)tr2_body_number(bodies->gravity_scale, row, 1.0f);
    double g_x = (double)world->settings.gravity.x * scale;
    double g_y = (double)world->settings.gravity.y * scale;

    add_to(&out->kinetic_energy, 0.5 * mass * (vx * vx + vy * vy) + 0.5 * inertia * w * w);
    add_to(&out->potential_energy, -(mass * (g_x * x + g_y * y)));
    add_to(&out->momentum.x, mass * vx);
    add_to(&out->momentum.y, mass * vy);
    add_to(&out->angular_momentum, mass * (x * vy - y * vx) + inertia * w);
}

/* sums for a mean square */
typedef struct spread {
    double squares, max;
    uint32_t count;
} spread;

static void add_error(spread *sum, float of_joint)
{
    double error = (double)tr_finite_float((double)of_joint);
    sum->squares += error * error;
    if (error > sum->max)
        sum->max = error;
    sum->count++;
}

static double root_mean_square(const spread *sum)
{
    return sum->count > 0 ? sqrt(sum->squares / (double)sum->count) : 0.0;
}

static void add_joints(const tr2_world *world, tr2_joint_type type, spread *linear, spread *angular, tr2_measures *out)
{
    const tr2_joint_type_info *info = tr2_joint_types[type];
    const uint64_t held = tr2_joint_fields_held(&world->joints[type], type);
    tr2_joint_def def = tr2_joint_def_default(type);
    for (uint32_t row = 0; row < world->joints[type].table.count; row++) {
        tr2_joint_pose pose;
        tr2_joint_measure measure = {0};
        tr2_joint_read_row(world, type, held, row, &def);
        if (!tr2_joint_is_enabled(&world->joints[type], row))
            continue;
        tr2_joint_pose_read(world, type, row, &def, &pose);
        info->measure(&def, &pose, &measure);
        add_to(&out->potential_energy, measure.energy);
        if (measure.linear_rigid)
            add_error(linear, measure.linear_error);
        if (measure.angular_rigid)
            add_error(angular, measure.angular_error);
        if (measure.linear_rigid || measure.angular_rigid)
            out->rigid_joints++;
    }
}

tr2_measures tr2_world_measure(const tr2_world *world)
{
    tr2_measures out;
    memset(&out, 0, sizeof out);
    if (world == NULL)
        return out;
    for (uint32_t row = 0; row < world->bodies.table.count; row++)
        add_body(world, row, &out);
    spread linear = {0.0, 0.0, 0};
    spread angular = {0.0, 0.0, 0};
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++)
        add_joints(world, (tr2_joint_type)type, &linear, &angular, &out);
    out.joint_error_rms = root_mean_square(&linear);
    out.joint_error_max = linear.max;
    out.joint_angle_error_rms = root_mean_square(&angular);
    out.joint_angle_error_max = angular.max;
    return out;
}

/*
 * State hash, computed from values, so that byte order does not matter
 */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

static uint64_t mix_double(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mix(hash, bits);
}

static uint64_t mix_float(uint64_t hash, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mix(hash, bits);
}

static uint64_t hash_body(const tr2_bodies *bodies, uint32_t row, uint64_t hash)
{
    hash = mix_double(hash, bodies->center_x[row]);
    hash = mix_double(hash, bodies->center_y[row]);
    hash = mix_double(hash, bodies->angle[row]);
    hash = mix_float(hash, bodies->c[row]);
    hash = mix_float(hash, bodies->s[row]);
    hash = mix_float(hash, bodies->velocity_x[row]);
    hash = mix_float(hash, bodies->velocity_y[row]);
    return mix_float(hash, bodies->angular_velocity[row]);
}

uint64_t tr2_world_state_hash(const tr2_world *world)
{
    uint64_t hash = 0x7472616d6d656c32u; /* not zero, so that leading zeros count */
    if (world == NULL)
        return 0;
    for (uint32_t slot = 0; slot < world->body_pool.count; slot++) {
        if (!tr_pool_is_free(&world->body_pool, slot))
            hash = hash_body(&world->bodies, world->body_pool.row[slot], hash);
    }
    for (uint32_t slot = 0; slot < world->joint_pool.count; slot++) {
        if (tr_pool_is_free(&world->joint_pool, slot))
            continue;
        uint32_t row = world->joint_pool.row[slot];
        tr2_joint_type type = tr2_joint_type_of(world, slot);
        for (uint32_t i = 0; i < tr2_joint_types[type]->impulse_count; i++)
            hash = mix_float(hash, tr2_joint_impulse(&world->joints[type], i, row));
        /* counts decide when a joint breaks; without any, the hash equals that of the same world without thresholds */
        const tr2_watch *watch = tr2_watches_find(&world->watches, slot);
        if (watch != NULL && (watch->event_steps > 0 || watch->break_steps > 0))
            hash = mix(hash, (uint64_t)watch->event_steps << 32 | watch->break_steps);
    }
    return hash;
}

/*
 * Statistics
 */
static void count_tables(const tr2_world *world, tr_statistics *out)
{
    const tr2_bodies *bodies = &world->bodies;
    out->bodies = bodies->table.count;
    for (uint32_t row = 0; row < bodies->table.count; row++) {
        out->moving_bodies += bodies->type[row] == TR_DYNAMIC ? 1u : 0u;
        out->nonfinite_bodies += (bodies->flags[row] & TR_BODY_QUARANTINED) != 0 ? 1u : 0u;
    }
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        out->joints_of_type[type] = world->joints[type].table.count;
        out->joints += world->joints[type].table.count;
    }
    out->contacts = world->joints[TR_CONTACT].table.count;
}

/* computed on request; the numbers stay zero if out of memory */
static void describe_plan(const tr2_world *world, tr_statistics *out)
{
    tr_plan *plan = tr2_mutable(world)->plan;
    const tr_plan_layout *layout = NULL;
    out->lane_fill = 1.0;
    if (tr_plan_layout_get(plan, &layout) == TR_OK) {
        out->solved_joints = layout->solved_edges;
        out->colors = layout->color_count;
        out->spans = layout->span_count;
        for (uint32_t i = 0; i < layout->span_count; i++) {
            const tr_plan_span *span = &layout->spans[i];
            out->blocks += (span->edge_count + TR_LANES - 1) / TR_LANES;
            out->seams += span->unit == TR_NONE ? span->edge_count : 0;
        }
        if (out->blocks > 0)
            out->lane_fill = (double)out->solved_joints / ((double)TR_LANES * out->blocks);
        out->split_bodies = layout->hub_count;
        out->body_copies = layout->copy_count;
        out->max_degree = layout->max_degree;
    }
    out->units = tr_plan_unit_count(plan);
    out->twin_islands = tr_plan_twins(plan);
    tr_plan_islands islands;
    if (tr_plan_islands_get(plan, &islands) == TR_OK) {
        out->islands = islands.count;
        out->largest_island = islands.largest;
        memcpy(out->islands_by_size, islands.by_size, sizeof out->islands_by_size);
    }
}

static void describe_last_step(const tr2_solver_report *report, tr_statistics *out)
{
    out->clamped_joints = report->clamped_joints;
    out->clamped_contacts = report->clamped_contacts;
    out->threads = report->threads;
    out->barriers = report->barriers;
    out->chunks = report->chunks;
    out->plan_rebuilds = report->plan_rebuilds;
    out->layouts = report->layouts;
    out->patches = report->patches;
    out->steps = report->steps;
    out->seconds = report->seconds;
    memcpy(out->stage_seconds, report->stage_seconds, sizeof out->stage_seconds);
}

static void describe_work(const tr2_solver *solver, tr_statistics *out)
{
    tr2_solver_work work;
    tr2_solver_describe(solver, &work);
    out->span = work.span;
    out->whole_units = work.whole_units;
    out->tiled_units = work.tiled_units;
    out->run_blocks = work.run_blocks;
    out->exact_joints = work.exact_joints;
    memcpy(out->stage_bytes, work.bytes, sizeof out->stage_bytes);
    out->bytes_per_substep = work.bytes_per_substep;
}

/* what passes over shapes and pairs read and write, and for each contact its shapes, its manifold and its columns */
static void describe_collision(const tr2_world *world, tr_statistics *out)
{
    const tr2_collision *it = &world->collision;
    const size_t shapes = world->shapes.table.count, geometry = world->shapes.bytes;
    /* all but the application's */
    const size_t contacts = world->joints[TR_CONTACT].table.count - world->contacts.slots.count;
    out->stage_bytes[TR_STAGE_BROAD] =
        geometry + 2 * shapes * (sizeof(tr2_shape_place) + sizeof(tr2_box)) + 2 * it->count * sizeof(tr2_pair);
    out->stage_bytes[TR_STAGE_NARROW] = 2 * it->count * (sizeof(tr2_pair) + sizeof(tr2_shape_place));
    if (shapes > 0)
        out->stage_bytes[TR_STAGE_NARROW] += contacts * (2 * geometry / shapes + 3 * sizeof(tr2_manifold));
}

/* time of a step outside of the solver */
static double beside_solver(const tr2_world *world)
{
    double seconds = world->watches.seconds;
    for (uint32_t i = 0; i < TR2_COLLIDE_STAGES; i++)
        seconds += world->collision.seconds[i];
    return seconds;
}

tr_statistics tr2_world_statistics(const tr2_world *world)
{
    tr_statistics out;
    memset(&out, 0, sizeof out);
    if (world == NULL)
        return out;
    count_tables(world, &out);
    describe_plan(world, &out);
    describe_last_step(tr2_solver_last(world->solver), &out);
    describe_work(world->solver, &out);
    if (out.steps > 0)
        describe_collision(world, &out);
    out.watched_joints = world->watches.count;
    out.broken_joints = world->watches.broken;
    out.stage_seconds[TR_STAGE_FINISH] += world->watches.seconds;
    const double *collision = world->collision.seconds;
    out.stage_seconds[TR_STAGE_BROAD] = collision[TR2_COLLIDE_BROAD];
    out.stage_seconds[TR_STAGE_NARROW] = collision[TR2_COLLIDE_NARROW];
    out.stage_seconds[TR_STAGE_PLAN] += collision[TR2_COLLIDE_PLAN];
    out.seconds += beside_solver(world);
    out.bytes = world->memory.bytes;
    return out;
}

double tr2_world_projected_seconds(const tr2_world *world, uint32_t threads)
{
    if (world == NULL || threads == 0)
        return 0.0;
    double beside = beside_solver(world) - tr_team_log_saves(&world->collision.runs, threads);
    return tr2_solver_project(world->solver, threads) + beside;
}
