/*
 * The state of a world: what it is, whether what was read is one, and how it comes into the place of the world's.
 *
 * A state is read into spare tables, checked there, and put in the place of the world's, whose tables become the spare
 * ones. So a failure leaves the world as it was, and a world that goes back again and again allocates nothing.
 */
#include "world/recording/state.h"

#include <string.h>

#include "world/core/body.h"
#include "world/core/check.h"

#define BODY_TYPES 3u

_Static_assert(TR_TABLE_COUNT + 6 <= TR_ARCHIVE_PARTS, "a part of the plan, each pool and each table");

/*
 * What a state is
 */
static void visit_settings(trn_world *world, tr_archive *archive)
{
    trn_settings *settings = &world->settings;
    tr_archive_value(archive, settings->gravity);
    tr_archive_value(archive, settings->joint_frequency);
    tr_archive_value(archive, settings->joint_damping_ratio);
    tr_archive_flag(archive, &settings->warm_starting);
    tr_archive_value(archive, settings->method);
    tr_archive_value(archive, settings->sweeps);
    tr_archive_value(archive, settings->direct_load);
    tr_archive_value(archive, settings->length_unit);
    tr_archive_flag(archive, &settings->sleep.enable);
    tr_archive_value(archive, settings->sleep.speed);
    tr_archive_value(archive, settings->sleep.angular_speed);
    tr_archive_value(archive, settings->sleep.time);
}

/* all but the plan */
static void visit(trn_world *world, trn_solver_state *solver, tr_archive *archive)
{
    visit_settings(world, archive);
    tr_archive_value(archive, world->tag);
    tr_archive_value(archive, world->loads);
    tr_archive_flag(archive, &world->unsettled);
    tr_archive_flag(archive, &world->has_shared);
    tr_archive_value(archive, world->dt);
    tr_archive_value(archive, world->step_dt);
    tr_archive_value(archive, world->step_substeps);
    tr_archive_value(archive, world->replan_step);
    tr_archive_flag(archive, &world->pairs_unsorted);
    trn_solver_state_archive(solver, archive);
    tr_pool_archive(&world->body_pool, archive);
    trn_bodies_archive(&world->bodies, archive);
    tr_pool_archive(&world->joint_pool, archive);
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
        trn_joints_archive(&world->joints[type], archive, (trn_joint_type)type);
    trn_watches_archive(&world->watches, archive, &world->joint_pool);
    trn_sleep_archive(world, archive);
    trn_parts_archive(world, archive);
}

void trn_state_visit(trn_world *world, tr_archive *archive)
{
    trn_solver_state solver = trn_solver_state_of(world->solver);
    tr_plan_archive(world->plan, archive);
    visit(world, &solver, archive);
}

/*
 * Whether what was read is a world: the parts are read and checked on their own
 */
static bool are_settings_sound(const trn_world *world)
{
    trn_world_def def = trn_world_def_default();
    const trn_settings *settings = &world->settings;
    def.gravity = settings->gravity;
    def.joint_frequency = settings->joint_frequency;
    def.joint_damping_ratio = settings->joint_damping_ratio;
    def.method = settings->method;
    def.sweeps = settings->sweeps;
    def.direct_load = settings->direct_load;
    def.length_unit = settings->length_unit;
    def.breaking = world->watches.breaking;
    def.sleep = settings->sleep;
    return world->tag != 0 && trn_check_positive(&TR_CHECK_SILENT, "", world->dt) == TR_OK &&
           trn_check_not_negative(&TR_CHECK_SILENT, "", world->step_dt) == TR_OK &&
           trn_check_world_def(&TR_CHECK_SILENT, &def) == TR_OK;
}

/*
 * Bodies and joints. Where a state has the plan of the world that reads it, and all slots, rows and types are the same,
 * what connects them is as sound as the world, `like`; null: there is none. The hashes of groups do not say so: a state that
 * somebody made up can have any. Versions do: they are of the library's own memory.
 */
static bool is_same_version(const tr_archive_group *a, const tr_archive_group *b)
{
    return a->version != 0 && a->version == b->version;
}

static bool is_same_pool(const tr_pool *a, const tr_pool *b)
{
    if (is_same_version(&a->group, &b->group))
        return true;
    return a->count == b->count && a->free_count == b->free_count &&
           (a->free_count == 0 || a->first_free == b->first_free) &&
           (a->count == 0 || memcmp(a->row, b->row, a->count * sizeof *a->row) == 0);
}

static bool is_same_column(const uint32_t *a, const uint32_t *b, uint32_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static bool are_same_bodies(const trn_world *world, const trn_world *like)
{
    if (like == NULL || !is_same_pool(&world->body_pool, &like->body_pool))
        return false;
    const trn_bodies *own = &world->bodies, *other = &like->bodies;
    const uint32_t count = own->table.count;
    if (own->rest_first != other->rest_first || own->rest_end != other->rest_end)
        return false;
    if (!is_same_version(&own->table.group, &other->table.group) &&
        (count != other->table.count || !is_same_column(own->slot, other->slot, count) ||
         !is_same_column(own->type, other->type, count)))
        return false;
    /* the plan has yet to know of what has woken */
    uint32_t differ = 0;
    for (uint32_t row = 0; row < count; row++)
        differ |= (own->flags[row] ^ other->flags[row]) & TR_BODY_WAKING;
    return differ == 0;
}

static bool are_same_joints(const trn_world *world, const trn_world *like)
{
    bool same = like != NULL && is_same_pool(&world->joint_pool, &like->joint_pool);
    for (uint32_t type = 0; type < TR_TABLE_COUNT && same; type++) {
        const trn_joints *own = &world->joints[type], *other = &like->joints[type];
        same = is_same_version(&own->table.group, &other->table.group) ||
               (own->table.count == other->table.count && is_same_column(own->slot, other->slot, own->table.count));
    }
    return same;
}

static bool is_body_linked(const trn_world *world, uint32_t row)
{
    const tr_pool *pool = &world->body_pool;
    uint32_t slot = world->bodies.slot[row], type = world->bodies.type[row];
    return slot < pool->count && pool->row[slot] == row && type < BODY_TYPES && tr_plan_has_vertex(world->plan, slot) &&
           (tr_plan_is_moving(world->plan, slot) == (type == TR_DYNAMIC) ||
            (world->bodies.flags[row] & TR_BODY_WAKING) != 0);
}

static bool are_bodies_sound(const trn_world *world, bool linked)
{
    const trn_bodies *bodies = &world->bodies;
    uint32_t bullets = 0, disabled = 0, direct = 0, wrong = 0;
    if (!linked && !(tr_pool_is_sound(&world->body_pool, bodies->table.count) &&
                     tr_plan_vertex_count(world->plan) == bodies->table.count))
        return false;
    for (uint32_t row = 0; row < bodies->table.count && !linked; row++) {
        if (!is_body_linked(world, row))
            return false;
    }
    for (uint32_t row = 0; row < bodies->table.count; row++) {
        uint32_t flags = bodies->flags[row];
        wrong += (flags & (TR_BODY_MARKED | TR_BODY_DIRECT | TR_BODY_BORDERED)) != 0 ||
                 (uint32_t)trn_body_type_of(bodies, row) >= BODY_TYPES;
        bullets += (flags & TR_BODY_BULLET) != 0;
        disabled += (flags & TR_BODY_DISABLED) != 0;
        direct += (flags & TR_BODY_WANTS_DIRECT) != 0;
    }
    return wrong == 0 && bullets == bodies->bullets && disabled == bodies->disabled && direct == bodies->direct;
}

static bool is_live_body(const trn_world *world, trn_body id)
{
    const tr_pool *pool = &world->body_pool;
    uint32_t slot = id.index - 1;
    return slot < pool->count && !tr_pool_is_free(pool, slot) && id.generation == pool->generation[slot] &&
           id.world == world->tag;
}

/* whether the ends of a joint's edge are two bodies, and then its carriers, those that are neither of the ends before */
static bool are_ends_sound(const trn_world *world, const trn_joints *joints, uint32_t row)
{
    uint32_t slot = joints->slot[row], ends[TR_ENDS], count = 2;
    ends[0] = tr_plan_end(world->plan, slot, 0);
    ends[1] = tr_plan_end(world->plan, slot, 1);
    const trn_body carriers[2] = {trn_joint_carrier(joints->carrier_a, row), trn_joint_carrier(joints->carrier_b, row)};
    for (uint32_t i = 0; i < 2; i++) {
        if (carriers[i].index == 0)
            continue;
        if (!is_live_body(world, carriers[i]))
            return false;
        bool known = false;
        for (uint32_t end = 0; end < count; end++)
            known = known || ends[end] == carriers[i].index - 1;
        if (!known)
            ends[count++] = carriers[i].index - 1;
    }
    bool same = tr_plan_end_count(world->plan, slot) == count;
    for (uint32_t end = 2; end < count && same; end++)
        same = tr_plan_end(world->plan, slot, end) == ends[end];
    return same;
}

static bool is_contact_sound(const trn_world *world, const trn_joints *joints, uint32_t row)
{
    uint32_t slot = joints->slot[row], kind = tr_plan_kind(world->plan, slot);
    return is_live_body(world, joints->body_a[row]) && is_live_body(world, joints->body_b[row]) &&
           joints->body_a[row].index - 1 == tr_plan_end(world->plan, slot, 0) &&
           joints->body_b[row].index - 1 == tr_plan_end(world->plan, slot, 1) && joints->flags != NULL &&
           (joints->flags[row] & TR_JOINT_MARKED) == 0 &&
           ((joints->flags[row] & TR_JOINT_FEATURED) != 0) == trn_kernel_is_featured(kind);
}

static bool is_joint_sound(const trn_world *world, uint32_t type, uint32_t row)
{
    const trn_joints *joints = &world->joints[type];
    const tr_pool *pool = &world->joint_pool;
    uint32_t slot = joints->slot[row], kind = slot < pool->count ? tr_plan_kind(world->plan, slot) : TR_NONE;
    return kind != TR_NONE && (joints->flags == NULL || (joints->flags[row] & TR_JOINT_EXACT) == 0) &&
           pool->row[slot] == row && (uint32_t)trn_kernel_type(kind) == type && trn_joints_serve(joints, kind) &&
           are_ends_sound(world, joints, row) && (type != TR_CONTACT || is_contact_sound(world, joints, row));
}

/* whether the rows of a table that are linked as those of `like` are sound without a look at each */
static bool is_table_sound(const trn_joints *joints, const trn_joints *like, uint32_t type)
{
    bool sound = type != TR_CONTACT && joints->carrier_a == NULL && joints->carrier_b == NULL &&
                 like->carrier_a == NULL && like->carrier_b == NULL;
    uint32_t any = 0;
    for (uint32_t i = 0; i < TRN_MAX_IMPULSES && sound; i++)
        sound = joints->impulse[i] != NULL || like->impulse[i] == NULL;
    for (uint32_t row = 0; row < joints->table.count && joints->flags != NULL; row++)
        any |= joints->flags[row];
    return sound && (any & TR_JOINT_EXACT) == 0;
}

static bool are_joints_sound(const trn_world *world, const trn_world *like)
{
    uint64_t count = 0;
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
        count += world->joints[type].table.count;
    if (like == NULL && (count > TR_EDGES_MAX || !tr_pool_is_sound(&world->joint_pool, (uint32_t)count) ||
                         tr_plan_edge_count(world->plan) != count))
        return false;
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++) {
        const trn_joints *joints = &world->joints[type];
        bool sound = like != NULL && is_table_sound(joints, &like->joints[type], type);
        for (uint32_t row = 0; row < joints->table.count && !sound; row++) {
            if (!is_joint_sound(world, type, row))
                return false;
        }
    }
    /* contacts have no thresholds */
    bool sound = true;
    for (uint32_t i = 0; i < world->watches.count && sound; i++)
        sound = trn_joint_type_of(world, world->watches.records[i].slot) != TR_CONTACT;
    return sound;
}

/*
 * Spare tables
 */
void trn_world_free_spare(trn_world *world)
{
    if (world->spare == NULL)
        return;
    trn_world_free_tables(world->spare, &world->memory);
    tr_release(&world->memory, world->spare, sizeof *world->spare);
    world->spare = NULL;
}

static bool have_spare(trn_world *world)
{
    if (world->spare != NULL)
        return true;
    world->spare = tr_allocate(&world->memory, sizeof *world->spare);
    if (world->spare == NULL)
        return false;
    if (trn_world_make_tables(world->spare, &world->memory) == TR_OK)
        return true;
    trn_world_free_spare(world);
    return false;
}

#define SWAP(type, member)                                                                                             \
    do {                                                                                                               \
        type kept_ = world->member;                                                                                    \
        world->member = other->member;                                                                                 \
        other->member = kept_;                                                                                         \
    } while (0)

/* puts the state of another world's tables in the place of this one's, and this one's there */
static void swap_states(trn_world *world, trn_world *other, bool same_plan)
{
    world->settings = other->settings;
    world->tag = other->tag;
    world->loads = other->loads;
    world->unsettled = other->unsettled;
    world->has_shared = other->has_shared;
    world->dt = other->dt;
    world->step_dt = other->step_dt;
    world->step_substeps = other->step_substeps;
    world->replan_step = other->replan_step;
    world->pairs_unsorted = other->pairs_unsorted;
    SWAP(tr_pool, body_pool);
    SWAP(tr_pool, joint_pool);
    SWAP(trn_bodies, bodies);
    for (uint32_t type = 0; type < TR_TABLE_COUNT; type++)
        SWAP(trn_joints, joints[type]);
    other->watches.seconds = world->watches.seconds;
    SWAP(trn_watches, watches);
    SWAP(trn_sleep, sleep);
    if (!same_plan)
        SWAP(tr_plan *, plan);
    trn_parts_swap(world, other);
}

/* Reads a state into the spare tables. `same_plan`: those have the world's plan, which is that of the state. *same:
   whether rows and types are the same, too. */
static tr_status read_state(trn_world *world, trn_solver_state *solver, tr_archive *archive, uint64_t shape,
                            bool same_plan, bool *same)
{
    trn_world *spare = world->spare;
    visit(spare, solver, archive);
    if (archive->status == TR_OK && (archive->at != archive->size || archive->shape != shape))
        tr_archive_refuse(archive);
    if (archive->status != TR_OK)
        return archive->status;
    const trn_world *like = same_plan ? world : NULL;
    bool same_bodies = are_same_bodies(spare, like), same_joints = are_same_joints(spare, like);
    *same = same_bodies && same_joints && spare->bodies.uneven == world->bodies.uneven;
    /* what has versions is the library's own */
    const bool sound =
        archive->version != NULL || (are_settings_sound(spare) && are_bodies_sound(spare, same_bodies) &&
                                     are_joints_sound(spare, *same ? world : NULL) && trn_sleep_is_sound(spare));
    if (!sound || !trn_parts_enter(spare, archive))
        tr_archive_refuse(archive);
    if (archive->status == TR_OK)
        trn_watches_find_awake(spare);
    return archive->status;
}

tr_status trn_state_read(trn_world *world, const tr_archive *from, uint64_t shape)
{
    if (!have_spare(world))
        return TR_ERROR_MEMORY;
    trn_world *spare = world->spare;
    trn_solver_state solver = {0};
    tr_archive archive = *from;
    archive.memory = &world->memory;
    archive.notes = true;
    /* most states of a world differ in numbers only: then its plan stays, and so does what is laid out by it */
    const tr_archive begin = archive;
    archive.mode = TR_ARCHIVE_COMPARE;
    tr_plan_archive(world->plan, &archive);
    bool same_plan = archive.status == TR_OK && !archive.differs, same = false;
    tr_plan *other = spare->plan;
    if (same_plan) {
        spare->plan = world->plan;
    } else {
        archive = begin;
        archive.mode = TR_ARCHIVE_READ;
        tr_plan_archive(spare->plan, &archive);
    }
    archive.mode = TR_ARCHIVE_READ;
    tr_status status = archive.status;
    if (status == TR_OK)
        status = read_state(world, &solver, &archive, shape, same_plan, &same);
    if (same_plan)
        spare->plan = other;
    if (status == TR_OK) {
        swap_states(world, spare, same_plan);
        trn_solver_put(world->solver, world->joints, &solver, same);
    }
    /* what was refused does not stand for the groups of another state that have the same hashes */
    if (status == TR_ERROR_PARSE)
        trn_world_free_spare(world);
    return status;
}

/*
 * The state before a step that is made in parts
 */
static tr_status keep_state(trn_world *world, trn_solver_state *solver)
{
    tr_archive count = {.mode = TR_ARCHIVE_COUNT};
    trn_state_visit(world, &count);
    const size_t size = count.at;
    unsigned char *bytes = have_spare(world) ? tr_allocate(&world->memory, size) : NULL;
    if (bytes == NULL)
        return TR_ERROR_MEMORY;
    tr_archive archive = {.mode = TR_ARCHIVE_WRITE, .memory = &world->memory, .bytes = bytes, .size = size};
    trn_state_visit(world, &archive);
    const uint64_t shape = archive.shape;
    archive = (tr_archive){.mode = TR_ARCHIVE_READ, .memory = &world->memory, .bytes = bytes, .size = size};
    bool same;
    tr_plan_archive(world->spare->plan, &archive);
    tr_status status =
        archive.status == TR_OK ? read_state(world, solver, &archive, shape, false, &same) : archive.status;
    tr_release(&world->memory, bytes, size);
    return status;
}

tr_status trn_state_keep(trn_world *world, trn_kept_state *out)
{
    *out = (trn_kept_state){.had_spare = world->spare != NULL};
    tr_status status = keep_state(world, &out->solver);
    if (status != TR_OK)
        trn_state_leave(world, out, false);
    return status;
}

void trn_state_leave(trn_world *world, trn_kept_state *kept, bool failed)
{
    if (failed) {
        swap_states(world, world->spare, false);
        trn_solver_put(world->solver, world->joints, &kept->solver, false);
    }
    if (!kept->had_spare)
        trn_world_free_spare(world);
}

/*
 * Memory that the state does not need: tables that are read anew are as long as what is in them.
 */
tr_status trn_world_release_memory(trn_world *world)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_release_memory", "");
    trn_kept_state kept;
    trn_solver *solver = NULL, *former = world->solver;
    trn_world_free_spare(world);
    tr_status status = trn_state_keep(world, &kept);
    if (status == TR_OK) {
        status = trn_solver_renew(former, &solver);
        if (status == TR_OK)
            world->solver = solver;
        trn_state_leave(world, &kept, status == TR_OK);
    }
    if (status != TR_OK)
        return trn_check_fail(&check, status, "", "no memory for a copy of the state");
    trn_solver_destroy(former);
    return TR_OK;
}
