/* A step's collision: creates and removes contacts in the plan and the table, all or nothing. */
#include "world/collision/collision.h"

#include <string.h>

#include "base/arithmetic.h"
#include "parallel/topology.h"
#include "world/collision/collision_internal.h"
#include "world/contacts/contact_row.h"

void tr2_collision_init(tr2_collision *collision, tr_memory *memory)
{
    tr2_broad_init(&collision->broad, memory);
    tr2_pair_index_init(&collision->index, memory);
    tr2_broad_kept_init(&collision->before.broad, memory);
}

void tr2_collision_free(tr2_collision *it, tr_memory *memory)
{
    tr2_broad_free(&it->broad);
    tr2_pair_index_free(&it->index);
    tr2_before_free(&it->before, memory);
    tr_release(memory, it->places, it->place_capacity * sizeof *it->places);
    tr_release(memory, it->counts, it->counts_capacity * sizeof *it->counts);
    tr_release(memory, it->dying, it->dying_capacity * sizeof *it->dying);
    tr_release(memory, it->pairs, it->capacity * sizeof *it->pairs);
    tr_release(memory, it->rest_links, it->rest_link_capacity * sizeof *it->rest_links);
    tr_release(memory, it->rest_first, it->rest_first_capacity * sizeof *it->rest_first);
    tr_release(memory, it->manifolds, it->manifold_capacity * sizeof *it->manifolds);
    tr_release(memory, it->last_still, it->last_still_capacity * sizeof *it->last_still);
    tr_release(memory, it->groups, it->group_capacity * sizeof *it->groups);
    tr_release(memory, it->links, it->link_capacity * sizeof *it->links);
    tr_release(memory, it->removed, it->removed_capacity * sizeof *it->removed);
    tr_release(memory, it->added, it->added_capacity * sizeof *it->added);
    tr_release(memory, it->added_pairs, it->added_pair_capacity * sizeof *it->added_pairs);
    tr_release(memory, it->bullets, it->bullet_capacity * sizeof *it->bullets);
    tr2_gone_release(it, memory);
    tr_release(memory, it->gone, it->gone_capacity * sizeof *it->gone);
    tr_release(memory, it->ended, it->ended_capacity * sizeof *it->ended);
    tr_release(memory, it->events, it->event_capacity * sizeof *it->events);
    tr_release(memory, it->changed, it->changed_capacity * sizeof *it->changed);
    tr_release(memory, it->units, it->unit_capacity * sizeof *it->units);
    tr_release(memory, it->holes, it->hole_capacity * sizeof *it->holes);
    tr_release(memory, it->fills, it->fill_capacity * sizeof *it->fills);
}

/*
 * Changes for the plan
 */

/* converts the chunks' counts to the start of their entries in each list, with the end of the last; returns the sums */
static tr2_pair_counts sum_counts(tr2_pair_counts *counts, uint32_t chunks)
{
    tr2_pair_counts sum = {0};
    for (uint32_t i = 0; i < chunks; i++) {
        tr2_pair_counts own = counts[i];
        counts[i] = sum;
        memcpy(counts[i].marked, own.marked, sizeof own.marked);
        sum.added += own.added;
        sum.removed += own.removed;
        sum.changed += own.changed;
        sum.dying += own.dying;
        sum.sensors += own.sensors;
    }
    counts[chunks] = sum;
    return sum;
}

/* makes room for all that results from the pairs */
static bool reserve_lists(tr2_collide_step *step, const tr2_pair_counts *sum)
{
    tr2_world *world = step->world;
    tr2_collision *it = &world->collision;
    tr_memory *m = &world->memory;
    tr_pool *pool = &world->joint_pool;
    tr2_joints *contacts = &world->joints[TR_CONTACT];
    uint32_t added = sum->added;
    bool ok = tr_grow(m, (void **)&it->added, &it->added_capacity, added, sizeof *it->added) &&
              tr_grow(m, (void **)&it->added_pairs, &it->added_pair_capacity, added, sizeof *it->added_pairs) &&
              tr_grow(m, (void **)&it->removed, &it->removed_capacity, sum->removed, sizeof *it->removed) &&
              tr_grow(m, (void **)&it->changed, &it->changed_capacity, sum->changed, sizeof *it->changed) &&
              tr_grow(m, (void **)&it->dying, &it->dying_capacity, sum->dying, sizeof *it->dying) &&
              tr_grow(m, (void **)&it->ended, &it->ended_capacity, it->ended_count + sum->dying, sizeof *it->ended) &&
              tr2_gone_reserve(it, m) && tr_pool_reserve(pool, added) &&
              tr_table_reserve(&contacts->table, contacts->table.count + added) &&
              tr2_collide_reserve_write(step, contacts->table.count + added);
    tr2_joints_refresh(contacts, TR_CONTACT);
    it->added_count = sum->added;
    it->removed_count = sum->removed;
    it->changed_count = sum->changed;
    it->dying_count = sum->dying;
    return ok && tr2_collide_reserve_settle(world);
}

static void list_pair(const tr2_world *world, uint32_t i, tr2_pair_counts *next)
{
    const tr2_collision *it = &world->collision;
    const tr2_shapes *shapes = &world->shapes;
    const tr2_pair *pair = &it->pairs[i];
    uint32_t points = tr2_pair_points(pair), kernel = tr2_contact_kernel_of(points);
    if ((pair->flags & TR2_PAIR_DEAD) != 0)
        it->dying[next->dying++] = i;
    if (pair->contact == TR_NONE && points > 0) {
        uint32_t a = tr2_shape_body_slot(shapes, pair->a), b = tr2_shape_body_slot(shapes, pair->b);
        it->added_pairs[next->added] = i;
        /* list_changes() sets the slot */
        it->added[next->added] = (tr_plan_edge){TR_NONE, a, b, kernel};
        next->added++;
    } else if (pair->contact != TR_NONE && points == 0) {
        it->removed[next->removed++] = pair->contact;
    } else if (pair->contact != TR_NONE && points != tr2_pair_held(pair)) {
        it->changed[next->changed++] = (tr_plan_edge){pair->contact, 0, 0, kernel};
    }
}

static void list_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)stage_data;
    (void)worker;
    const tr2_collide_step *step = context;
    const tr2_collision *it = &step->world->collision;
    tr2_pair_counts next = it->counts[chunk];
    uint32_t pair;
    while (tr2_pair_take_mark(it, &next, chunk, &pair))
        list_pair(step->world, pair, &next);
}

/* lists the changes in the order of pairs; false if out of memory */
static bool list_changes(tr2_collide_step *step)
{
    tr2_collision *it = &step->world->collision;
    uint32_t chunks = tr2_pair_chunks(tr2_pair_count(it));
    tr2_pair_counts sum = sum_counts(it->counts, chunks);
    it->sensing = sum.sensors;
    if (!reserve_lists(step, &sum))
        return false;
    if (sum.added + sum.removed + sum.changed + sum.dying == 0)
        return true;
    /* the team has room for as many chunks as were collided */
    tr_team_run_stage(step->world->team, list_chunk, chunks, step->workers, step);
    const tr_pool *pool = &step->world->joint_pool;
    uint32_t slot = tr_pool_coming(pool);
    for (uint32_t i = 0; i < sum.added; i++, slot = tr_pool_coming_after(pool, slot))
        it->added[i].edge = slot;
    return true;
}

/* updates the plan, all or nothing */
static tr_status exchange(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    tr_plan_swap *swap = &it->before.swap;
    *swap = (tr_plan_swap){.changed = it->changed,
                           .removed = it->removed,
                           .added = it->added,
                           .changed_count = it->changed_count,
                           .removed_count = it->removed_count,
                           .added_count = it->added_count};
    if (it->changed_count + it->added_count + it->removed_count == 0)
        return TR_OK;
    tr_status status = tr_plan_swap_make(world->plan, swap);
    it->before.exchanged = status == TR_OK;
    return status;
}

/* adds the time since the last call to one part */
static void lap(tr2_collision *it, double *clock, uint32_t part)
{
    double now = tr_clock_seconds();
    if (!it->untimed)
        it->seconds[part] += now - *clock;
    *clock = now;
}

/* separate functions, so that the compiler moves no arithmetic to where the application's rounding mode is active */
static __attribute__((noinline)) void write_plainly(tr2_world *world)
{
    tr2_collide_step step = {world, world->collision.dt, world->collision.workers};
    tr2_collide_write(&step);
    world->collision.before.written = true;
}

static __attribute__((noinline)) tr_status begin_plainly(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    /* use as many workers as the last step */
    uint32_t workers = tr2_solver_last(world->solver)->threads;
    it->workers = workers > 0 ? workers : 1;
    tr2_collide_step step = {world, it->dt, it->workers};
    const bool direct = world->settings.method == TR_DIRECT;
    double clock = tr_clock_seconds();
    tr_status status = tr2_collide_find(&step);
    lap(it, &clock, TR2_COLLIDE_BROAD);
    if (status != TR_OK)
        return status;
    bool listed = tr2_collide_touch(&step) && tr2_collide_wake(&step) && list_changes(&step);
    lap(it, &clock, TR2_COLLIDE_NARROW);
    listed = listed && tr2_before_contacts(world, direct);
    status = listed ? exchange(world) : TR_ERROR_MEMORY;
    lap(it, &clock, TR2_COLLIDE_PLAN);
    if (status != TR_OK)
        return status;
    /* nothing here can fail */
    it->before.settled = true;
    tr2_collide_settle_contacts(world);
    tr2_collide_settle_pairs(world);
    /* the direct method reads contacts before it has all memory */
    if (direct)
        write_plainly(world);
    lap(it, &clock, TR2_COLLIDE_NARROW);
    return TR_OK;
}

bool tr2_collide_keep(tr2_world *world)
{
    return tr2_before_begin(world);
}

tr_status tr2_collide_begin(tr2_world *world, double dt)
{
    tr2_collision *it = &world->collision;
    memset(it->seconds, 0, sizeof it->seconds);
    it->runs = (tr_team_log){0};
    /* those of a step that failed */
    tr_team_forget_log(world->team);
    it->dt = dt;
    if (!it->before.kept)
        return TR_OK;
    it->sensing = TR_NONE;
    tr_arithmetic before = tr_arithmetic_plain();
    tr_status status = begin_plainly(world);
    tr_arithmetic_restore(&before);
    return status;
}

static __attribute__((noinline)) void write_early_plainly(tr2_world *world)
{
    tr2_collide_step step = {world, world->collision.dt, 1};
    tr2_collide_write_kept(&step);
}

bool tr2_collide_write_early(tr2_world *world, const uint64_t *joints, uint32_t count)
{
    if (!world->collision.before.settled || world->collision.before.written)
        return true;
    if (!tr2_before_write(world, joints, count))
        return false;
    tr_arithmetic before = tr_arithmetic_plain();
    write_early_plainly(world);
    tr_arithmetic_restore(&before);
    return true;
}

static __attribute__((noinline)) void finish_plainly(tr2_world *world)
{
    tr2_collision *it = &world->collision;
    double clock = tr_clock_seconds();
    tr2_broad_settle(&it->broad);
    tr2_gone_release(it, &world->memory);
    tr2_before_end(world);
    /* rows, and the surfaces of new contacts, as they are now */
    if (!it->before.written)
        write_plainly(world);
    lap(it, &clock, TR2_COLLIDE_NARROW);
}

void tr2_collide_finish(tr2_world *world)
{
    if (!world->collision.before.settled)
        return;
    tr_arithmetic before = tr_arithmetic_plain();
    finish_plainly(world);
    tr_arithmetic_restore(&before);
}

void tr2_collide_undo(tr2_world *world)
{
    tr2_before_return(world);
}
