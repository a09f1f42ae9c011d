/* Worlds: definition, creation, destruction, settings, and the step. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "parallel/topology.h"
#include "world/core/check.h"
#include "world/core/joint_share.h"
#include "world/recording/tape.h"

/* Greatest number of edges on a copy of a body; above it the body is split. Half the colours, so that the greedy
   colouring always finds one for a joint between two full bodies. */
#define COPY_CAPACITY (TR_COLORS_MOVING / 2)

/* s; outside of this range, 1/h or products with it overflow the solver's floats */
#define SUBSTEP_MIN 1e-12
#define SUBSTEP_MAX 1e6

/* m; outside of this range, powers of lengths may leave that of floats */
#define LENGTH_UNIT_MIN 1e-6f
#define LENGTH_UNIT_MAX 1e6f

static void write_log(const trn_world *world, tr_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void write_log(const trn_world *world, tr_log_level level, const char *format, ...)
{
    if (world->log.write == NULL)
        return;
    char message[TR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    world->log.write(level, message, world->log.context);
}

/*
 * Creation
 */
trn_world_def trn_world_def_default(void)
{
    trn_world_def def;
    memset(&def, 0, sizeof def);
    def.gravity.y = -9.81f;
    def.joint_frequency = 60.0f;
    def.joint_damping_ratio = 2.0f;
    def.direct_load = 10.0f;
    def.length_unit = 1.0f;
    def.sleep = (tr_sleep_settings){.enable = true, .speed = 0.05f, .angular_speed = 0.1f, .time = 0.5f};
    return def;
}

static tr_status check_softness(const trn_check *check, float frequency, float damping_ratio)
{
    tr_status status = trn_check_positive(check, "joint_frequency", (double)frequency);
    return status != TR_OK ? status : trn_check_not_negative(check, "joint_damping_ratio", (double)damping_ratio);
}

static tr_status check_method(const trn_check *check, tr_method method, uint32_t sweeps)
{
    if ((uint32_t)method >= TR_METHOD_COUNT)
        return trn_check_fail(check, TR_ERROR_RANGE, "method", "is %d, no method", (int)method);
    if (sweeps > TR_SWEEPS_MAX)
        return trn_check_fail(check, TR_ERROR_RANGE, "sweeps", "is %u, more than %u", sweeps, TR_SWEEPS_MAX);
    return TR_OK;
}

static tr_status check_breaking(const trn_check *check, tr_breaking breaking)
{
    if ((uint32_t)breaking >= TR_BREAKING_COUNT)
        return trn_check_fail(check, TR_ERROR_RANGE, "breaking", "is %d, no way of breaking", (int)breaking);
    return TR_OK;
}

static tr_status check_direct_load(const trn_check *check, float load)
{
    /* infinity is allowed */
    return isinf(load) && load > 0.0f ? TR_OK : trn_check_not_negative(check, "direct_load", (double)load);
}

static tr_status check_length_unit(const trn_check *check, float unit)
{
    tr_status status = trn_check_positive(check, "length_unit", (double)unit);
    if (status == TR_OK && !(unit >= LENGTH_UNIT_MIN && unit <= LENGTH_UNIT_MAX))
        status = trn_check_fail(check, TR_ERROR_RANGE, "length_unit", "is %g m, must be %g to %g m", (double)unit,
                                (double)LENGTH_UNIT_MIN, (double)LENGTH_UNIT_MAX);
    return status;
}

static tr_status check_threads(const trn_check *check, uint32_t threads)
{
    if (threads > TR_THREADS_MAX)
        return trn_check_fail(check, TR_ERROR_RANGE, "threads", "is %u, more than %u", threads, TR_THREADS_MAX);
    return TR_OK;
}

tr_status trn_check_world_def(const trn_check *check, const trn_world_def *def)
{
    tr_status status = trn_check_vec(check, "gravity", def->gravity);
    if (status == TR_OK)
        status = check_softness(check, def->joint_frequency, def->joint_damping_ratio);
    if (status == TR_OK)
        status = check_method(check, def->method, def->sweeps);
    if (status == TR_OK)
        status = check_direct_load(check, def->direct_load);
    if (status == TR_OK)
        status = check_length_unit(check, def->length_unit);
    if (status == TR_OK)
        status = check_breaking(check, def->breaking);
    if (status == TR_OK)
        status = trn_check_sleep(check, &def->sleep);
    if (status == TR_OK)
        status = check_threads(check, def->threads);
    if (status == TR_OK && (def->allocator.allocate == NULL) != (def->allocator.release == NULL))
        status = trn_check_fail(check, TR_ERROR_NULL,
                                def->allocator.allocate == NULL ? "allocator.allocate" : "allocator.release",
                                "is null, but the other is not");
    return status;
}

/* 16 bits from the address and the time, never 0: distinguishes the worlds of a program, even those at the same
   address */
static uint16_t tag_of(const void *address)
{
    double seconds = tr_clock_seconds();
    uint64_t time;
    memcpy(&time, &seconds, sizeof time);
    uint64_t bits = ((uint64_t)(uintptr_t)address ^ time * 0xD1B54A32D192ED03u) * 0x9E3779B97F4A7C15u;
    uint16_t tag = (uint16_t)(bits >> 48);
    return tag != 0 ? tag : 1;
}

tr_status trn_world_make_tables(trn_world *world, tr_memory *memory)
{
    tr_pool_init(&world->body_pool, memory);
    tr_pool_init(&world->joint_pool, memory);
    trn_sleep_init(&world->sleep);
    if (!trn_parts_init(world, memory))
        return TR_ERROR_MEMORY;
    if (!trn_bodies_init(&world->bodies, memory))
        return TR_ERROR_MEMORY;
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++) {
        trn_joint_def preset = trn_joint_def_default((trn_joint_type)type);
        if (!trn_joints_init(&world->joints[type], memory, (trn_joint_type)type, &preset))
            return TR_ERROR_MEMORY;
    }
    return tr_plan_create(memory, TR_KERNEL_COUNT, COPY_CAPACITY, &world->plan);
}

void trn_world_free_tables(trn_world *world, tr_memory *memory)
{
    if (world->plan != NULL)
        tr_plan_destroy(world->plan);
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
        tr_table_free(&world->joints[type].table);
    trn_parts_free(world, memory);
    tr_table_free(&world->bodies.table);
    trn_watches_free(&world->watches, memory);
    trn_sleep_free(&world->sleep, memory);
    tr_pool_free(&world->joint_pool);
    tr_pool_free(&world->body_pool);
}

/* creates everything that a world owns; after TR_ERROR_MEMORY, trn_world_destroy() releases the parts */
static tr_status create_parts(trn_world *world)
{
    tr_status status = trn_world_make_tables(world, &world->memory);
    if (status == TR_OK)
        status = tr_team_create(&world->memory, world->threads, world->host, &world->team);
    if (status == TR_OK)
        status = trn_solver_create(&world->memory, &world->solver);
    return status;
}

tr_status trn_world_create(const trn_world_def *def, trn_world **out, tr_error *error)
{
    trn_check check = {error, "world_create", "", TR_NONE, NULL};
    tr_status status = trn_check_pointer(&check, "def", def);
    if (status == TR_OK)
        status = trn_check_pointer(&check, "out", out);
    check.subject = "def";
    if (status == TR_OK)
        status = trn_check_world_def(&check, def);
    if (status != TR_OK)
        return status;

    /* the memory counter starts here and moves into the world once that exists */
    tr_memory memory;
    tr_memory_init(&memory, def->allocator);
    trn_world *world = tr_allocate(&memory, sizeof *world);
    check.subject = "";
    if (world == NULL)
        return trn_check_fail(&check, TR_ERROR_MEMORY, "", "no memory for the world");
    world->memory = memory;
    atomic_flag_clear(&world->last_error_busy);
    world->log = def->log;
    world->host = def->host;
    world->tag = def->tag != 0 ? def->tag : tag_of(world);
    world->threads = def->threads;
    world->dt = TR_STEP_USUAL;
    world->settings.gravity = def->gravity;
    world->settings.joint_frequency = def->joint_frequency;
    world->settings.joint_damping_ratio = def->joint_damping_ratio;
    world->settings.warm_starting = !def->no_warm_starting;
    world->settings.method = def->method;
    world->settings.sweeps = def->sweeps;
    world->settings.direct_load = def->direct_load;
    world->settings.length_unit = def->length_unit;
    world->settings.sleep = def->sleep;
    world->watches.breaking = def->breaking;

    status = create_parts(world);
    if (status != TR_OK) {
        trn_world_destroy(world);
        return trn_check_fail(&check, status, "", "no memory for the world's parts");
    }
    if (error != NULL)
        memset(error, 0, sizeof *error);
    *out = world;
    return TR_OK;
}

void trn_world_destroy(trn_world *world)
{
    if (world == NULL)
        return;
    if (world->tape != NULL)
        (void)trn_tape_finish(world);
    if (world->solver != NULL)
        trn_solver_destroy(world->solver);
    tr_team_destroy(world->team);
    trn_world_free_tables(world, &world->memory);
    trn_world_free_spare(world);

    /* release the world with a copy of its allocator, which is part of it */
    tr_memory memory = world->memory;
    tr_release(&memory, world, sizeof *world);
}

const tr_error *trn_world_last_error(const trn_world *world)
{
    static const tr_error no_world = {TR_ERROR_NULL, "the world is null"};
    return world != NULL ? &world->last_error : &no_world;
}

/*
 * Settings
 */
tr_status trn_world_get(const trn_world *world, trn_world_def *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_get", "");
    tr_status status = trn_check_pointer(&check, "out", out);
    if (status != TR_OK)
        return status;
    const trn_settings *settings = &world->settings;
    *out = (trn_world_def){.gravity = settings->gravity,
                           .joint_frequency = settings->joint_frequency,
                           .joint_damping_ratio = settings->joint_damping_ratio,
                           .method = settings->method,
                           .sweeps = settings->sweeps,
                           .direct_load = settings->direct_load,
                           .length_unit = settings->length_unit,
                           .breaking = world->watches.breaking,
                           .sleep = settings->sleep,
                           .threads = world->threads,
                           .tag = world->tag,
                           .no_warm_starting = !settings->warm_starting,
                           .allocator = world->memory.allocator,
                           .log = world->log,
                           .host = world->host};
    return TR_OK;
}

tr_status trn_do_world_set_gravity(trn_world *world, trn_vec gravity)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_set_gravity", "");
    tr_status status = trn_check_vec(&check, "gravity", gravity);
    if (status == TR_OK) {
        bool same = trn_is_same(world->settings.gravity, gravity);
        world->settings.gravity = gravity;
        if (!same)
            trn_sleep_wake_all(world);
    }
    return status;
}

trn_vec trn_world_gravity(const trn_world *world)
{
    trn_vec none = {0};
    return world != NULL ? world->settings.gravity : none;
}

tr_status trn_do_world_set_joint_softness(trn_world *world, float frequency, float damping_ratio)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_set_joint_softness", "");
    tr_status status = check_softness(&check, frequency, damping_ratio);
    if (status == TR_OK) {
        world->settings.joint_frequency = frequency;
        world->settings.joint_damping_ratio = damping_ratio;
        trn_sleep_wake_all(world);
    }
    return status;
}

tr_status trn_do_world_set_direct_load(trn_world *world, float load)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_set_direct_load", "");
    tr_status status = check_direct_load(&check, load);
    if (status == TR_OK && world->settings.direct_load != load) {
        world->settings.direct_load = load;
        tr_plan_touch(world->plan);
        trn_sleep_wake_all(world);
    }
    return status;
}

tr_status trn_do_world_set_breaking(trn_world *world, tr_breaking breaking)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_set_breaking", "");
    tr_status status = check_breaking(&check, breaking);
    if (status == TR_OK)
        world->watches.breaking = breaking;
    return status;
}

tr_status trn_do_world_set_method(trn_world *world, tr_method method, uint32_t sweeps)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_set_method", "");
    tr_status status = check_method(&check, method, sweeps);
    if (status == TR_OK) {
        world->settings.method = method;
        world->settings.sweeps = sweeps;
        trn_sleep_wake_all(world);
    }
    return status;
}

tr_status trn_world_set_threads(trn_world *world, uint32_t threads)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_set_threads", "");
    tr_status status = check_threads(&check, threads);
    if (status != TR_OK)
        return status;
    tr_team *team = NULL;
    status = tr_team_create(&world->memory, threads, world->host, &team);
    if (status != TR_OK)
        return trn_check_fail(&check, status, "", "no memory for %u threads", threads);
    tr_team_destroy(world->team);
    world->team = team;
    world->threads = threads;
    return TR_OK;
}

uint32_t trn_world_threads(const trn_world *world)
{
    return world != NULL ? tr_team_threads(world->team) : 0;
}

/*
 * Step
 */
/* the solver's input, with pointers into the world */
static trn_system system_of(trn_world *world)
{
    trn_system system = {
        .bodies = &world->bodies,
        .body_pool = &world->body_pool,
        .joints = world->joints,
        .joint_pool = &world->joint_pool,
        .plan = world->plan,
        .team = world->team,
        .automatic_threads = world->threads == 0,
        .bounces = trn_parts_bounce(world),
        .loads = world->loads,
        .settings = world->settings,
    };
    return system;
}

static uint32_t count_joints(const trn_world *world)
{
    uint32_t count = 0;
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++)
        count += world->joints[type].table.count;
    return count;
}

static tr_status no_memory_for_plan(const trn_check *check)
{
    return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for a new plan");
}

static void log_plan(const trn_world *world)
{
    write_log(world, TR_LOG_INFO, "planned afresh: %u bodies, %u joints", world->bodies.table.count,
              count_joints(world));
}

/* A fresh plan, and what follows it. */
typedef struct fresh_plan {
    trn_world *world;
    trn_reordering rows;
    trn_pair_order pairs;
} fresh_plan;

/* Makes all that taking it needs. A tr_plan_rest: contacts may be coming. */
static bool make_fresh(void *context, uint32_t coming)
{
    fresh_plan *it = context;
    trn_world *world = it->world;
    trn_system system = system_of(world);
    if (!trn_pair_order_reserve(world, &it->pairs))
        return false;
    if (trn_solver_make_plan(world->solver, &system, coming, &it->rows) == TR_OK)
        return true;
    trn_pair_order_release(world, &it->pairs);
    return false;
}

static void take_fresh(fresh_plan *it)
{
    trn_world *world = it->world;
    trn_system system = system_of(world);
    trn_solver_take_plan(world->solver, &system, &world->body_pool, &world->joint_pool, &it->rows);
    trn_pairs_sort(world, &it->pairs);
    trn_pair_order_release(world, &it->pairs);
    world->pairs_unsorted = false;
    trn_rest_rows(world);
    log_plan(world);
}

/* makes a fresh plan at once */
static tr_status optimize(trn_world *world, const trn_check *check)
{
    fresh_plan fresh = {.world = world};
    if (!trn_joint_shares_settle(world) || !make_fresh(&fresh, 0))
        return no_memory_for_plan(check);
    take_fresh(&fresh);
    return TR_OK;
}

tr_status trn_do_world_optimize(trn_world *world)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_optimize", "");
    if (!trn_joint_shares_settle(world) || !trn_sleep_begin(world))
        return no_memory_for_plan(&check);
    /* contacts change only if there is memory for the plan */
    fresh_plan fresh = {.world = world};
    const tr_plan_rest rest = {make_fresh, &fresh};
    tr_status status = trn_parts_find(world, &check, &rest);
    if (status == TR_OK)
        take_fresh(&fresh);
    trn_parts_leave(world, status != TR_OK);
    return status;
}

/* Repeated patches make a plan worse than a fresh one, but fresh plans are expensive if contacts come and go: with a
   quarter of the graph as threshold, they take a fifth of the step time of falling ragdolls. A fresh plan of a small
   world takes 5 us and 0.1 us per joint, which this many changes pay for. */
#define CHURN_LEAST 64u

/* What a fresh plan has to look at. It passes by what sleeps in a small part of the time that the rest takes, but where
   very much sleeps it still pays to make one less often. */
static uint64_t size_of(const trn_world *world)
{
    uint64_t size = (uint64_t)world->bodies.table.count + count_joints(world) + trn_parts_contacts(world);
    uint64_t asleep = world->sleep.asleep;
    if (asleep > 0)
        asleep += tr_plan_edge_count(world->plan) - tr_plan_solved_count(world->plan);
    return size - asleep + asleep / 16;
}

static bool wants_optimize(const trn_world *world)
{
    uint64_t size = size_of(world), threshold = size / 2 > CHURN_LEAST ? size / 2 : CHURN_LEAST;
    return size > 0 && tr_plan_churn(world->plan) > threshold;
}

/* Below this number of bodies, joints and contacts a fresh plan takes less than a millisecond. */
#define AT_ONCE_MOST 4096u

/* Whether a fresh plan is made in one step. The first one is, as there is none to go on with; and one without which the
   world is not in order; and one for more than an eighth of the world made since the last step, which the old plan
   would solve slowly and lay out in more memory. */
static bool wants_at_once(const trn_world *world)
{
    uint64_t size = size_of(world);
    return size <= AT_ONCE_MOST || trn_solver_last(world->solver)->plan_rebuilds == 0 ||
           (!tr_plan_is_begun(world->plan) && tr_plan_churn(world->plan) > size / 2 + size / 8);
}

/* brings the pairs into the order of bodies, in the step after the one that has changed it */
static tr_status sort_pairs(trn_world *world)
{
    trn_pair_order pairs;
    if (!trn_pair_order_reserve(world, &pairs))
        return TR_ERROR_MEMORY;
    trn_pairs_sort(world, &pairs);
    trn_pair_order_release(world, &pairs);
    world->pairs_unsorted = false;
    return TR_OK;
}

static tr_status finish_plan(trn_world *world)
{
    trn_system system = system_of(world);
    tr_status status = trn_solver_finish_plan(world->solver, &system, &world->body_pool, &world->joint_pool);
    if (status != TR_OK)
        return status;
    world->replan_step = trn_solver_last(world->solver)->steps;
    world->pairs_unsorted = true;
    trn_rest_rows(world);
    log_plan(world);
    return TR_OK;
}

/*
 * Makes a fresh plan if it is time. In a large world it is made in parts, one in each step, and the last step also
 * takes it. What a step does depends on counts only: which one it is after the one that began the plan. A step that
 * fails does not count, so that it does the same if it is called again.
 */
static tr_status replan(trn_world *world, const trn_check *check)
{
    tr_plan *plan = world->plan;
    uint64_t steps = trn_solver_last(world->solver)->steps;
    bool wants = wants_optimize(world);
    if (wants && wants_at_once(world))
        return optimize(world, check);
    tr_status status = TR_OK;
    if (world->pairs_unsorted && steps > world->replan_step)
        status = sort_pairs(world);
    if (status == TR_OK && wants && !tr_plan_is_begun(plan)) {
        status = tr_plan_begin(plan);
        world->replan_step = steps;
    }
    if (status == TR_OK && tr_plan_is_begun(plan)) {
        uint64_t parts = steps - world->replan_step + 1;
        status = parts <= TR_PLAN_PARTS ? tr_plan_continue(plan, (uint32_t)parts) : finish_plan(world);
    }
    return status == TR_OK ? TR_OK : no_memory_for_plan(check);
}

static tr_status check_step(const trn_check *check, double dt, uint32_t substeps)
{
    tr_status status = trn_check_not_negative(check, "dt", dt);
    if (status != TR_OK)
        return status;
    if (substeps == 0 || substeps > TR_SUBSTEPS_MAX)
        return trn_check_fail(check, TR_ERROR_RANGE, "substeps", "is %u, must be 1 to %u", substeps, TR_SUBSTEPS_MAX);
    double h = dt / substeps;
    if (dt > 0.0 && (h < SUBSTEP_MIN || h > SUBSTEP_MAX))
        return trn_check_fail(check, TR_ERROR_RANGE, "dt", "makes a sub-step of %s s, must be %g to %g",
                              tr_number(h).text, SUBSTEP_MIN, SUBSTEP_MAX);
    return TR_OK;
}

/* logs bodies that the step has put into quarantine, once */
static void report_quarantine(trn_world *world)
{
    if (world->log.write == NULL)
        return;
    trn_bodies *bodies = &world->bodies;
    uint32_t count = 0;
    uint32_t first = 0;
    for (uint32_t row = 0; (row = trn_bodies_awake(bodies, row)) < bodies->table.count; row++) {
        if ((bodies->flags[row] & (TR_BODY_QUARANTINED | TR_BODY_REPORTED)) != TR_BODY_QUARANTINED)
            continue;
        bodies->flags[row] |= TR_BODY_REPORTED;
        /* the lowest slot, so that the message does not depend on the order of rows */
        if (count == 0 || bodies->slot[row] < bodies->slot[first])
            first = row;
        count++;
    }
    if (count > 0)
        write_log(world, TR_LOG_WARNING,
                  "%u %s turned non-finite and %s held still until set again; the first has slot %u, user data %llu",
                  count, count == 1 ? "body" : "bodies", count == 1 ? "is" : "are", bodies->slot[first],
                  (unsigned long long)(bodies->user_data != NULL ? bodies->user_data[first] : 0));
}

/* all of a step that can fail */
static tr_status collide_and_solve(trn_world *world, const trn_check *check, double dt, uint32_t substeps)
{
    tr_status status = trn_parts_begin(world, check, dt);
    if (status != TR_OK)
        return status;
    double begin = tr_clock_seconds();
    status = replan(world, check);
    if (status != TR_OK)
        return status;
    world->plan_seconds = tr_clock_seconds() - begin;
    status = trn_parts_ready(world, check);
    if (status != TR_OK)
        return status;
    trn_system system = system_of(world);
    trn_watched watched = trn_watches_list(&world->watches);
    trn_solver_watch(world->solver, &watched);
    status = trn_solver_step(world->solver, &system, dt, substeps);
    if (status != TR_OK)
        return trn_check_fail(check, status, "", "%s",
                              status == TR_ERROR_LIMIT ? "more joints and contacts than the solver can count"
                                                       : "no memory for the solver");
    return TR_OK;
}

/* a step, or the part of one after which joints break; `first`, `last`: of these */
static tr_status step_part(trn_world *world, const trn_check *check, double dt, uint32_t substeps, bool first,
                           bool last)
{
    if (!trn_joint_shares_settle(world) || !trn_sleep_begin(world))
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory to plan joints anew");
    tr_status status = collide_and_solve(world, check, dt, substeps);
    trn_parts_leave(world, status != TR_OK);
    if (status != TR_OK)
        return status;
    world->dt = dt;
    /* forces last for one step, and persist if it fails */
    if (last)
        trn_bodies_clear_forces(&world->bodies);
    trn_parts_end(world, last);
    trn_events_collect(world, dt, first);
    report_quarantine(world);
    trn_sleep_end(world, dt, last);
    return TR_OK;
}

/* A step in parts of one sub-step. If one of them finds no memory, the world is as it was before the first. */
static tr_status step_in_parts(trn_world *world, const trn_check *check, double h, uint32_t parts)
{
    trn_solver_state kept = {0};
    tr_status status = trn_state_keep(world, &kept);
    const bool is_kept = status == TR_OK;
    if (!is_kept)
        trn_check_fail(check, status, "", "no memory to keep the state before the step");
    for (uint32_t part = 0; part < parts && status == TR_OK; part++)
        status = step_part(world, check, h, 1, part == 0, part + 1 == parts);
    if (is_kept && status != TR_OK)
        trn_state_return(world, &kept);
    trn_solver_state_free(&kept, &world->memory);
    return status;
}

tr_status trn_do_world_step(trn_world *world, double dt, uint32_t substeps)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_step", "");
    tr_status status = check_step(&check, dt, substeps);
    if (status != TR_OK)
        return status;
    if (dt == 0.0) {
        world->watches.event_count = world->sleep.event_count = 0;
        trn_parts_idle(world);
        return TR_OK;
    }
    const uint32_t parts = trn_breaking_parts(world, substeps);
    if (!trn_events_reserve(world, parts))
        return trn_check_fail(&check, TR_ERROR_MEMORY, "", "no memory for events");
    return parts == 1 ? step_part(world, &check, dt, substeps, true, true)
                      : step_in_parts(world, &check, dt / parts, parts);
}
