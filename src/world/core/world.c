/* Worlds: definition, creation, destruction and settings. */
#include <math.h>
#include <string.h>

#include "parallel/topology.h"
#include "world/core/check.h"
#include "world/recording/tape.h"

/* Greatest number of edges on a copy of a body; above it the body is split. Half the colours, so that the greedy
   colouring always finds one for a joint between two full bodies. */
#define COPY_CAPACITY (TR_COLORS_MOVING / 2)

/* m; outside of this range, powers of lengths may leave that of floats */
#define LENGTH_UNIT_MIN 1e-6f
#define LENGTH_UNIT_MAX 1e6f

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
    trn_frames_free(&world->frames, &world->memory);

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
