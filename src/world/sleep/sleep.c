#include "world/sleep/sleep_internal.h"

#include <assert.h>

#include "world/core/body.h"
#include "world/core/joint_def.h"

/* A search for islands at rest looks from the bodies that have come to rest since the last one; every so many searches
   from all, because what had kept their island awake may have left it. */
#define STEPS_PER_SEARCH 8u
#define SEARCHES_PER_ALL 8u

void trn_sleep_init(trn_sleep *sleep)
{
    sleep->waking = sleep->changed = TR_NONE;
}

void trn_sleep_free(trn_sleep *sleep, tr_memory *memory)
{
    tr_release(memory, sleep->islands, sleep->island_capacity * sizeof *sleep->islands);
    tr_release(memory, sleep->changes, sleep->change_capacity * sizeof *sleep->changes);
    tr_release(memory, sleep->searches, sleep->search_capacity * sizeof *sleep->searches);
    tr_release(memory, sleep->anchors, sleep->anchor_capacity * sizeof *sleep->anchors);
    tr_release(memory, sleep->list, sleep->list_capacity * sizeof *sleep->list);
    tr_release(memory, sleep->events, sleep->event_capacity * sizeof *sleep->events);
    tr_release(memory, sleep->woken, sleep->woken_capacity * sizeof *sleep->woken);
    *sleep = (trn_sleep){0};
    trn_sleep_init(sleep);
}

/*
 * Rings
 */

/* appends a slot to a ring, by its first */
static void ring_add(trn_ring_link *links, uint32_t *first, uint32_t slot)
{
    if (*first == TR_NONE) {
        *first = links[slot].next = links[slot].before = slot;
        return;
    }
    uint32_t last = links[*first].before;
    links[slot] = (trn_ring_link){*first, last};
    links[last].next = links[*first].before = slot;
}

static void ring_remove(trn_ring_link *links, uint32_t *first, uint32_t slot)
{
    trn_ring_link link = links[slot];
    links[link.before].next = link.next;
    links[link.next].before = link.before;
    if (*first == slot)
        *first = link.next != slot ? link.next : TR_NONE;
}

/* appends a ring to another */
static void ring_join(trn_ring_link *links, uint32_t *first, uint32_t other)
{
    if (*first == TR_NONE) {
        *first = other;
        return;
    }
    uint32_t last = links[*first].before, other_last = links[other].before;
    links[last].next = other;
    links[other].before = last;
    links[other_last].next = *first;
    links[*first].before = other_last;
}

/* notes that a body may have something to tell */
static void note_change(trn_world *world, uint32_t slot)
{
    trn_sleep *sleep = &world->sleep;
    uint32_t *flags = &world->bodies.flags[trn_sleep_row(world, slot)];
    if ((*flags & TR_BODY_CHANGED) != 0)
        return;
    *flags |= TR_BODY_CHANGED;
    trn_sleep_use(sleep, slot);
    ring_add(sleep->changes, &sleep->changed, slot);
    sleep->changed_count++;
}

/*
 * Waking
 */

/* takes a row from those that all sleep */
static void leave_rest(trn_world *world, uint32_t slot)
{
    trn_bodies *bodies = &world->bodies;
    uint32_t row = trn_sleep_row(world, slot), first = bodies->rest_first;
    if (row < first || row >= bodies->rest_end)
        return;
    tr_table_swap(&bodies->table, row, first);
    tr_pool_set_row(&world->body_pool, bodies->slot[row], row);
    tr_pool_set_row(&world->body_pool, slot, first);
    bodies->rest_first++;
}

/* there is room for a body that is about to wake */
static void note_body(trn_world *world, uint32_t slot)
{
    trn_sleep *sleep = &world->sleep;
    const trn_bodies *bodies = &world->bodies;
    const uint32_t row = trn_sleep_row(world, slot);
    assert(sleep->woken_count < sleep->woken_capacity);
    sleep->woken[sleep->woken_count++] = (trn_woken){.slot = slot,
                                                     .row = row,
                                                     .flags = bodies->flags[row],
                                                     .still = bodies->still[row],
                                                     .moved = row >= bodies->rest_first && row < bodies->rest_end,
                                                     .island = sleep->islands[slot],
                                                     .change = sleep->changes[slot]};
}

static void wake_body(trn_world *world, uint32_t slot)
{
    trn_bodies *bodies = &world->bodies;
    if (world->sleep.notes)
        note_body(world, slot);
    leave_rest(world, slot);
    uint32_t row = trn_sleep_row(world, slot);
    bodies->flags[row] = (bodies->flags[row] & ~(TR_BODY_ASLEEP | TR_BODY_SEARCHED)) | TR_BODY_WAKING;
    TR_TABLE_PUT(uint32_t, bodies, type, row, TR_DYNAMIC);
    bodies->still[row] = 0.0f;
    world->sleep.asleep--;
    note_change(world, slot);
    trn_rouse_body(world, slot);
}

bool trn_sleep_wake(trn_world *world, uint32_t body_slot)
{
    trn_sleep *sleep = &world->sleep;
    if (sleep->asleep == 0 || !trn_sleep_has(world, body_slot, TR_BODY_ASLEEP))
        return false;
    uint32_t slot = body_slot;
    do {
        wake_body(world, slot);
        slot = sleep->islands[slot].next;
    } while (slot != body_slot);
    ring_join(sleep->islands, &sleep->waking, body_slot);
    return true;
}

void trn_sleep_rouse(trn_world *world, uint32_t body_slot)
{
    if (trn_sleep_wake(world, body_slot))
        return;
    uint32_t row = trn_sleep_row(world, body_slot);
    world->bodies.still[row] = 0.0f;
    world->bodies.flags[row] &= ~TR_BODY_SEARCHED;
}

void trn_sleep_rouse_joint(trn_world *world, uint32_t slot)
{
    for (uint32_t end = 0; end < tr_plan_end_count(world->plan, slot); end++)
        trn_sleep_rouse(world, tr_plan_end(world->plan, slot, end));
}

void trn_sleep_disturb(trn_world *world, uint32_t body_slot)
{
    trn_sleep_rouse(world, body_slot);
    if (trn_body_is_dynamic(&world->bodies, trn_sleep_row(world, body_slot)))
        return;
    for (uint32_t half = world->sleep.asleep > 0 ? tr_plan_first(world->plan, body_slot) : TR_NONE; half != TR_NONE;
         half = tr_plan_next(world->plan, half))
        trn_sleep_rouse_joint(world, tr_half_edge(half));
    /* pairs of two bodies that stand still may rest while nothing sleeps */
    trn_disturb_body(world, body_slot);
}

void trn_sleep_wake_all(trn_world *world)
{
    for (uint32_t slot = 0; slot < world->body_pool.count && world->sleep.asleep > 0; slot++) {
        if (!tr_pool_is_free(&world->body_pool, slot))
            (void)trn_sleep_wake(world, slot);
    }
}

void trn_sleep_forget_rest(trn_world *world)
{
    trn_sleep_wake_all(world);
    for (uint32_t row = 0; row < world->bodies.table.count; row++) {
        world->bodies.still[row] = 0.0f;
        world->bodies.flags[row] &= ~TR_BODY_SEARCHED;
    }
}

void trn_sleep_drop(trn_world *world, uint32_t body_slot)
{
    trn_sleep *sleep = &world->sleep;
    uint32_t *flags = &world->bodies.flags[trn_sleep_row(world, body_slot)];
    if ((*flags & TR_BODY_WAKING) != 0) {
        ring_remove(sleep->islands, &sleep->waking, body_slot);
        tr_plan_touch(world->plan);
    }
    if ((*flags & TR_BODY_CHANGED) != 0) {
        ring_remove(sleep->changes, &sleep->changed, body_slot);
        sleep->changed_count--;
    }
    *flags &= ~(TR_BODY_WAKING | TR_BODY_CHANGED | TR_BODY_TOLD | TR_BODY_SEARCHED);
}

bool trn_sleep_settle(trn_world *world)
{
    trn_sleep *sleep = &world->sleep;
    uint32_t count = 0, first = sleep->waking;
    if (first == TR_NONE)
        return true;
    /* the list has room for all bodies that were there when they fell asleep */
    for (uint32_t slot = first; count == 0 || slot != first; slot = sleep->islands[slot].next)
        sleep->list[count++] = slot;
    if (!trn_wake_reserve(world, sleep->list, count) ||
        tr_plan_wake(world->plan, sleep->list, count, &sleep->settled) != TR_OK)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = trn_sleep_row(world, sleep->list[i]);
        trn_wake_body(world, sleep->list[i]);
        trn_watches_wake(world, sleep->list[i]);
        world->bodies.flags[row] &= ~TR_BODY_WAKING;
        trn_solver_wake_row(world->solver, world->plan, &world->bodies, row);
    }
    sleep->waking = TR_NONE;
    return true;
}

/*
 * Undoing it
 */
bool trn_sleep_note_reserve(trn_world *world, uint32_t bodies)
{
    trn_sleep *sleep = &world->sleep;
    return bodies <= UINT32_MAX - sleep->woken_count &&
           tr_grow(&world->memory, (void **)&sleep->woken, &sleep->woken_capacity, sleep->woken_count + bodies,
                   sizeof *sleep->woken);
}

void trn_sleep_keep(trn_world *world)
{
    world->sleep.waking_before = world->sleep.waking;
    world->sleep.woken_count = 0;
}

static void put_back(trn_world *world, const trn_woken *was)
{
    trn_sleep *sleep = &world->sleep;
    trn_bodies *bodies = &world->bodies;
    const uint32_t slot = was->slot, now = trn_sleep_row(world, slot);
    bodies->flags[now] = was->flags;
    bodies->still[now] = was->still;
    TR_TABLE_PUT(uint32_t, bodies, type, now, TR_STATIC);
    if (was->moved) {
        assert(now + 1 == bodies->rest_first);
        bodies->rest_first = now;
        tr_table_swap(&bodies->table, was->row, now);
        tr_pool_set_row(&world->body_pool, bodies->slot[now], now);
        tr_pool_set_row(&world->body_pool, slot, was->row);
    }
    if ((was->flags & TR_BODY_CHANGED) == 0) {
        ring_remove(sleep->changes, &sleep->changed, slot);
        sleep->changed_count--;
    }
    sleep->islands[slot] = was->island;
    sleep->changes[slot] = was->change;
    sleep->asleep++;
}

void trn_sleep_undo(trn_world *world)
{
    trn_sleep *sleep = &world->sleep;
    const bool woke = sleep->settled != NULL || sleep->woken_count > 0;
    if (!woke)
        return;
    tr_plan_wake_undo(world->plan, &sleep->settled);
    while (sleep->woken_count > 0)
        put_back(world, &sleep->woken[--sleep->woken_count]);
    /* those that an edit had woken */
    sleep->waking = sleep->waking_before;
    for (uint32_t slot = sleep->waking; slot != TR_NONE;) {
        world->bodies.flags[trn_sleep_row(world, slot)] |= TR_BODY_WAKING;
        slot = sleep->islands[slot].next;
        if (slot == sleep->waking)
            break;
    }
    trn_watches_find_awake(world);
}

void trn_sleep_leave(trn_world *world)
{
    tr_plan_wake_settle(world->plan, &world->sleep.settled);
    world->sleep.woken_count = 0;
}

/*
 * Falling asleep
 */
bool trn_sleep_reserve(trn_world *world, uint32_t events)
{
    trn_sleep *sleep = &world->sleep;
    tr_memory *m = &world->memory;
    uint32_t slots = world->body_pool.count;
    return tr_grow(m, (void **)&sleep->islands, &sleep->island_capacity, slots, sizeof *sleep->islands) &&
           tr_grow(m, (void **)&sleep->changes, &sleep->change_capacity, slots, sizeof *sleep->changes) &&
           tr_grow(m, (void **)&sleep->searches, &sleep->search_capacity, slots, sizeof *sleep->searches) &&
           tr_grow(m, (void **)&sleep->anchors, &sleep->anchor_capacity, slots, sizeof *sleep->anchors) &&
           tr_grow(m, (void **)&sleep->list, &sleep->list_capacity, slots, sizeof *sleep->list) &&
           tr_grow(m, (void **)&sleep->events, &sleep->event_capacity, events, sizeof *sleep->events);
}

bool trn_sleep_begin(trn_world *world)
{
    const trn_sleep *sleep = &world->sleep;
    bool enabled = world->settings.sleep.enable;
    if (!enabled && sleep->changed == TR_NONE && sleep->waking == TR_NONE)
        return true;
    uint32_t events = enabled ? world->bodies.table.count : sleep->changed_count;
    return trn_sleep_reserve(world, events) && trn_sleep_judge_reserve(world) && trn_sleep_settle(world);
}

void trn_sleep_put(trn_world *world, uint32_t count)
{
    trn_sleep *sleep = &world->sleep;
    trn_bodies *bodies = &world->bodies;
    uint32_t ring = TR_NONE;
    tr_plan_sleep(world->plan, sleep->list, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = sleep->list[i], row = trn_sleep_row(world, slot);
        trn_body_write_velocity(bodies, row, (trn_vec){0}, (trn_spin){0});
        trn_body_clear_force(bodies, row);
        TR_TABLE_PUT(uint32_t, bodies, type, row, TR_STATIC);
        bodies->flags[row] = (bodies->flags[row] & ~(TR_BODY_SEARCHED | TR_BODY_LATE)) | TR_BODY_ASLEEP;
        ring_add(sleep->islands, &ring, slot);
        note_change(world, slot);
        trn_watches_rest(world, slot);
        trn_rest_body(world, slot);
    }
    for (uint32_t i = 0; i < count; i++)
        trn_body_begin_speeds(world, sleep->list[i]);
    sleep->asleep += count;
}

/* lists what has changed since the last step */
static void tell(trn_world *world)
{
    trn_sleep *sleep = &world->sleep;
    trn_bodies *bodies = &world->bodies;
    sleep->event_count = 0;
    for (uint32_t i = 0, slot = sleep->changed; i < sleep->changed_count; i++, slot = sleep->changes[slot].next) {
        uint32_t row = trn_sleep_row(world, slot), *flags = &bodies->flags[row];
        bool asleep = (*flags & TR_BODY_ASLEEP) != 0;
        *flags &= ~TR_BODY_CHANGED;
        if (asleep == ((*flags & TR_BODY_TOLD) != 0))
            continue;
        *flags ^= TR_BODY_TOLD;
        sleep->events[sleep->event_count++] = (trn_sleep_event){
            .body = {slot + 1, world->tag, world->body_pool.generation[slot]},
            .user_data = bodies->user_data != NULL ? bodies->user_data[row] : 0,
            .asleep = asleep,
        };
    }
    sleep->changed = TR_NONE;
    sleep->changed_count = 0;
}

void trn_sleep_end(trn_world *world, double dt, bool last)
{
    uint64_t steps = trn_solver_last(world->solver)->steps;
    if (world->settings.sleep.enable && world->bodies.table.count > 0) {
        trn_sleep_judge(world, dt);
        if (steps % STEPS_PER_SEARCH == 1)
            trn_sleep_search(world, steps / STEPS_PER_SEARCH % SEARCHES_PER_ALL == 0);
    }
    if (last)
        tell(world);
}
