#include "world/core/sleep.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "world/core/body.h"
#include "world/core/calls.h"

/* A search for islands at rest looks from the bodies that have come to rest since the last one; every so many searches
   from all, because what had kept their island awake may have left it. */
#define STEPS_PER_SEARCH 8u
#define SEARCHES_PER_ALL 8u

#define ROWS_PER_CHUNK 1024u
#define ROWS_PER_RUN   16u

/* What shakes in place is slower than so many times the threshold, and goes no farther than that part of the way on which
   what is slow may be. */
#define SHAKE    5.0
#define IN_PLACE 0.1

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
    *sleep = (trn_sleep){0};
    trn_sleep_init(sleep);
}

static uint32_t row_of(const trn_world *world, uint32_t slot)
{
    return world->body_pool.row[slot];
}

static bool has_flag(const trn_world *world, uint32_t slot, uint32_t flag)
{
    return (world->bodies.flags[row_of(world, slot)] & flag) != 0;
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
    uint32_t *flags = &world->bodies.flags[row_of(world, slot)];
    if ((*flags & TR_BODY_CHANGED) != 0)
        return;
    *flags |= TR_BODY_CHANGED;
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
    uint32_t row = row_of(world, slot), first = bodies->rest_first;
    if (row < first || row >= bodies->rest_end)
        return;
    tr_table_swap(&bodies->table, row, first);
    world->body_pool.row[bodies->slot[row]] = row;
    world->body_pool.row[slot] = first;
    bodies->rest_first++;
}

static void wake_body(trn_world *world, uint32_t slot)
{
    trn_bodies *bodies = &world->bodies;
    leave_rest(world, slot);
    uint32_t row = row_of(world, slot);
    bodies->flags[row] = (bodies->flags[row] & ~(TR_BODY_ASLEEP | TR_BODY_SEARCHED)) | TR_BODY_WAKING;
    bodies->type[row] = TR_DYNAMIC;
    bodies->still[row] = 0.0f;
    world->sleep.asleep--;
    note_change(world, slot);
    trn_rouse_body(world, slot);
}

bool trn_sleep_wake(trn_world *world, uint32_t body_slot)
{
    trn_sleep *sleep = &world->sleep;
    if (sleep->asleep == 0 || !has_flag(world, body_slot, TR_BODY_ASLEEP))
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
    uint32_t row = row_of(world, body_slot);
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
    if (world->sleep.asleep == 0 || trn_body_is_dynamic(&world->bodies, row_of(world, body_slot)))
        return;
    for (uint32_t half = tr_plan_first(world->plan, body_slot); half != TR_NONE; half = tr_plan_next(world->plan, half))
        trn_sleep_rouse_joint(world, tr_half_edge(half));
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
    uint32_t *flags = &world->bodies.flags[row_of(world, body_slot)];
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
    if (!trn_wake_reserve(world, sleep->list, count) || tr_plan_wake(world->plan, sleep->list, count) != TR_OK)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = row_of(world, sleep->list[i]);
        trn_wake_body(world, sleep->list[i]);
        trn_watches_wake(world, sleep->list[i]);
        world->bodies.flags[row] &= ~TR_BODY_WAKING;
        trn_solver_wake_row(world->solver, world->plan, row);
    }
    sleep->waking = TR_NONE;
    return true;
}

/*
 * Falling asleep
 */
static bool reserve(trn_world *world, uint32_t events)
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
    uint32_t chunks = world->bodies.table.count / ROWS_PER_CHUNK + 1;
    return reserve(world, events) && tr_team_reserve(world->team, 1, chunks) == TR_OK && trn_sleep_settle(world);
}

/* of bodies that no edge connects to one that moves and stays awake */
static void put_to_sleep(trn_world *world, uint32_t count)
{
    trn_sleep *sleep = &world->sleep;
    trn_bodies *bodies = &world->bodies;
    uint32_t ring = TR_NONE;
    tr_plan_sleep(world->plan, sleep->list, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = sleep->list[i], row = row_of(world, slot);
        trn_body_write_velocity(bodies, row, (trn_vec){0}, (trn_spin){0});
        trn_body_clear_force(bodies, row);
        bodies->type[row] = TR_STATIC;
        bodies->flags[row] = (bodies->flags[row] & ~TR_BODY_SEARCHED) | TR_BODY_ASLEEP;
        ring_add(sleep->islands, &ring, slot);
        note_change(world, slot);
        trn_watches_rest(world, slot);
        trn_rest_body(world, slot);
    }
    sleep->asleep += count;
}

/* the shortest rest after which an island may sleep */
static bool is_ready(const trn_world *world, uint32_t row)
{
    float still = world->bodies.still[row];
    return still > 0.0f && still >= world->settings.sleep.time;
}

/* What a search may go through. */
typedef enum allowance {
    ONLY_READY,  /* bodies that have been at rest for long enough */
    ALL_WILLING, /* all that may sleep at all */
} allowance;

static bool may_sleep(const trn_world *world, uint32_t row, allowance allowed)
{
    bool never = (world->bodies.flags[row] & TR_BODY_NEVER_SLEEPS) != 0;
    return !never && (allowed == ALL_WILLING || is_ready(world, row));
}

/* A search from one body. */
typedef struct search {
    trn_world *world;
    allowance allowed;
    uint32_t number, before; /* its own, and the last one of an earlier pass */
    uint32_t count;          /* bodies in the list */
    uint32_t culprit;        /* slot of the body that keeps the island awake; TR_NONE: it was in another search */
} search;

/* Adds the end of an edge to the island. False: it stays awake. */
static bool reach(search *it, uint32_t slot)
{
    trn_world *world = it->world;
    trn_sleep *sleep = &world->sleep;
    uint32_t row = row_of(world, slot), seen = sleep->searches[slot];
    it->culprit = slot;
    if (world->bodies.type[row] != TR_DYNAMIC)
        return !trn_body_is_driven(&world->bodies, row);
    if (seen == it->number)
        return true;
    if (seen > it->before || !may_sleep(world, row, it->allowed))
        return false;
    sleep->searches[slot] = it->number;
    sleep->list[it->count++] = slot;
    if (it->allowed == ONLY_READY)
        world->bodies.flags[row] |= TR_BODY_SEARCHED;
    return true;
}

/* Lists the island of a body. False if it stays awake. */
static bool list_island(search *it, uint32_t slot)
{
    const tr_plan *plan = it->world->plan;
    const trn_sleep *sleep = &it->world->sleep;
    it->count = 0;
    bool good = reach(it, slot);
    for (uint32_t i = 0; i < it->count && good; i++) {
        for (uint32_t half = tr_plan_first(plan, sleep->list[i]); half != TR_NONE && good;
             half = tr_plan_next(plan, half)) {
            uint32_t edge = tr_half_edge(half);
            for (uint32_t end = 0; end < tr_plan_end_count(plan, edge) && good; end++)
                good = reach(it, tr_plan_end(plan, edge, end));
        }
    }
    return good;
}

/* numbers of searches only grow; when they are used up, all begin anew */
static void begin_pass(trn_sleep *sleep)
{
    if (sleep->search > UINT32_MAX / 2) {
        memset(sleep->searches, 0, sleep->search_capacity * sizeof *sleep->searches);
        sleep->search = 0;
    }
}

/* puts all islands to sleep that may; from all bodies at rest, or from those that have come to rest */
static void search_all(trn_world *world, bool all)
{
    trn_sleep *sleep = &world->sleep;
    const trn_bodies *bodies = &world->bodies;
    begin_pass(sleep);
    search it = {.world = world, .allowed = ONLY_READY, .before = sleep->search};
    bool any = false;
    for (uint32_t row = 0; (row = trn_bodies_awake(bodies, row)) < bodies->table.count; row++) {
        uint32_t slot = bodies->slot[row];
        if (bodies->type[row] != TR_DYNAMIC || sleep->searches[slot] > it.before ||
            !may_sleep(world, row, ONLY_READY) || (!all && (bodies->flags[row] & TR_BODY_SEARCHED) != 0))
            continue;
        it.number = ++sleep->search;
        if (!list_island(&it, slot))
            continue;
        put_to_sleep(world, it.count);
        any = true;
    }
    if (any || trn_rest_again(world))
        trn_rest_pairs(world);
}

/* what a body is slower than while it is at rest, squared, where its scale is 1 */
typedef struct thresholds {
    double speed, spin;
} thresholds;

static thresholds scaled(thresholds most, double by)
{
    return (thresholds){by * by * most.speed, by * by * most.spin};
}

static bool is_slow(const trn_bodies *bodies, uint32_t row, thresholds most)
{
    return trn_square(trn_body_linear_velocity(bodies, row)) < most.speed &&
           trn_spin_square(trn_body_angular_velocity(bodies, row)) < most.spin;
}

/* Whether nothing is to be written to a run of rows, because all move and none was at rest before. A body that has been
   searched has been at rest. */
static bool all_move(const trn_bodies *bodies, uint32_t row, thresholds most)
{
    uint32_t rest = 0;
    for (uint32_t i = row; i < row + ROWS_PER_RUN; i++) {
        rest |= (uint32_t)(trn_square(trn_body_linear_velocity(bodies, i)) < most.speed) &
                (uint32_t)(trn_spin_square(trn_body_angular_velocity(bodies, i)) < most.spin);
        rest |= (uint32_t)(bodies->still[i] > 0.0f);
    }
    return rest == 0;
}

/*
 * Whether a body is at rest: slow, and near where it was. What corrects joints and contacts moves bodies without a velocity
 * that remains: in each sleep.time a body may go as far as one of the threshold's speed would. And rows of contacts and
 * joints may push a body that is wedged in a heap to and fro for ever, by a millimetre and faster than the threshold: it
 * rests, too, once it has been slow, while it stays in place.
 */
static bool rests_now(trn_world *world, uint32_t row, thresholds most, double dt)
{
    const trn_bodies *bodies = &world->bodies;
    const double time = (double)world->settings.sleep.time;
    trn_anchor *anchor = &world->sleep.anchors[bodies->slot[row]];
    const trn_anchor now = {trn_body_mass_center(bodies, row), trn_body_orientation(bodies, row), 0.0};
    const bool slow = is_slow(bodies, row, most);
    if (!(bodies->still[row] > 0.0f) || bodies->still[row] >= FLT_MAX) {
        *anchor = now;
        return slow;
    }
    if (!slow && !is_slow(bodies, row, scaled(most, SHAKE)))
        return false;
    anchor->since += dt;
    const double moved = trn_square(trn_narrow(trn_minus(now.center, anchor->center)));
    const double turned = trn_turn_square(now.orientation, anchor->orientation);
    const thresholds near = scaled(most, anchor->since > time ? anchor->since : time),
                     place = scaled(most, IN_PLACE * time);
    if (anchor->since >= time)
        *anchor = now;
    return moved < near.speed && turned < near.spin && (slow || (moved < place.speed && turned < place.spin));
}

/* for how long a body has been at rest */
static void time_row(trn_world *world, uint32_t row, thresholds most, double dt)
{
    trn_bodies *bodies = &world->bodies;
    if ((bodies->flags[row] & TR_BODY_ASLEEP) != 0)
        return;
    most = scaled(most, (double)trn_body_number(bodies->sleep_scale, row, 1.0f));
    bool rests = bodies->type[row] == TR_DYNAMIC && (bodies->flags[row] & TR_BODY_NEVER_SLEEPS) == 0 &&
                 rests_now(world, row, most, dt);
    float longer = (float)((double)bodies->still[row] + dt);
    bodies->still[row] = rests ? (longer < FLT_MAX ? longer : FLT_MAX) : 0.0f;
    bodies->flags[row] &= rests ? ~0u : ~TR_BODY_SEARCHED;
}

static void time_chunk(void *context, const void *stage_data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    trn_world *world = context;
    const double dt = *(const double *)stage_data;
    trn_bodies *bodies = &world->bodies;
    const tr_sleep_settings *settings = &world->settings.sleep;
    const double speed = (double)settings->speed * (double)world->settings.length_unit;
    const double spin = (double)settings->angular_speed;
    const thresholds most = {speed * speed, spin * spin};
    uint32_t first = chunk * ROWS_PER_CHUNK, left = bodies->table.count - first;
    uint32_t end = left < ROWS_PER_CHUNK ? bodies->table.count : first + ROWS_PER_CHUNK;
    for (uint32_t row = first; (row = trn_bodies_awake(bodies, row)) < end;) {
        uint32_t stop = row < bodies->rest_first && bodies->rest_first < end ? bodies->rest_first : end;
        for (; stop - row >= ROWS_PER_RUN && bodies->sleep_scale == NULL && all_move(bodies, row, most);)
            row += ROWS_PER_RUN;
        for (uint32_t i = 0; i < ROWS_PER_RUN && row < stop; i++, row++)
            time_row(world, row, most, dt);
    }
}

static void time_all(trn_world *world, double dt)
{
    uint32_t count = world->bodies.table.count, chunks = count / ROWS_PER_CHUNK + (count % ROWS_PER_CHUNK != 0);
    tr_pipeline_stage stage = {time_chunk, &dt, chunks, 0};
    uint32_t workers = trn_solver_last(world->solver)->threads;
    tr_arithmetic before = tr_arithmetic_plain();
    tr_team_run(world->team, &stage, 1, workers > 0 ? workers : 1, world, NULL);
    tr_arithmetic_restore(&before);
}

/* lists what has changed since the last step */
static void tell(trn_world *world)
{
    trn_sleep *sleep = &world->sleep;
    trn_bodies *bodies = &world->bodies;
    sleep->event_count = 0;
    for (uint32_t i = 0, slot = sleep->changed; i < sleep->changed_count; i++, slot = sleep->changes[slot].next) {
        uint32_t row = row_of(world, slot), *flags = &bodies->flags[row];
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
        time_all(world, dt);
        if (steps % STEPS_PER_SEARCH == 1)
            search_all(world, steps / STEPS_PER_SEARCH % SEARCHES_PER_ALL == 0);
    }
    if (last)
        tell(world);
}

/*
 * The interface
 */
tr_status trn_check_sleep(const trn_check *check, const tr_sleep_settings *settings)
{
    tr_status status = trn_check_not_negative(check, "sleep.speed", (double)settings->speed);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "sleep.angular_speed", (double)settings->angular_speed);
    if (status == TR_OK)
        status = trn_check_not_negative(check, "sleep.time", (double)settings->time);
    return status;
}

tr_status trn_do_world_set_sleep(trn_world *world, const tr_sleep_settings *settings)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_set_sleep", "");
    tr_status status = trn_check_pointer(&check, "settings", settings);
    if (status == TR_OK)
        status = trn_check_sleep(&check, settings);
    if (status != TR_OK)
        return status;
    world->settings.sleep = *settings;
    trn_sleep_forget_rest(world);
    return TR_OK;
}

tr_status trn_world_get_sleep(const trn_world *world, tr_sleep_settings *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_get_sleep", "");
    tr_status status = trn_check_pointer(&check, "out", out);
    if (status == TR_OK)
        *out = world->settings.sleep;
    return status;
}

/* puts the island of a dynamic body to sleep at once */
static tr_status sleep_now(trn_world *world, const trn_check *check, uint32_t slot)
{
    trn_sleep *sleep = &world->sleep;
    if (!world->settings.sleep.enable)
        return trn_check_fail(check, TR_ERROR_RANGE, "awake", "cannot be false: nothing sleeps in this world");
    if (!reserve(world, sleep->event_capacity) || !trn_sleep_settle(world) || !trn_rest_reserve(world))
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for an island that sleeps");
    begin_pass(sleep);
    search it = {.world = world, .allowed = ALL_WILLING, .before = sleep->search, .number = sleep->search + 1};
    sleep->search++;
    if (!list_island(&it, slot))
        return trn_check_fail(check, TR_ERROR_RANGE, "awake",
                              "cannot be false: the body in slot %u is in the island, and may not sleep or is driven",
                              it.culprit);
    put_to_sleep(world, it.count);
    trn_rest_pairs(world);
    return TR_OK;
}

tr_status trn_do_body_set_awake(trn_world *world, trn_body id, bool awake)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "body_set_awake", "");
    tr_status status = trn_check_body(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    if (awake)
        trn_sleep_rouse(world, id.index - 1);
    else if (world->bodies.type[trn_body_row(world, id)] == TR_DYNAMIC)
        status = sleep_now(world, &check, id.index - 1);
    return status;
}

tr_status trn_body_is_awake(const trn_world *world, trn_body id, bool *awake)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "body_is_awake", "");
    tr_status status = trn_check_pointer(&check, "awake", awake);
    if (status == TR_OK)
        status = trn_check_body(&check, "id", world, id);
    if (status == TR_OK)
        *awake = !has_flag(world, id.index - 1, TR_BODY_ASLEEP);
    return status;
}

tr_status trn_do_body_set_allow_sleep(trn_world *world, trn_body id, bool allow)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "body_set_allow_sleep", "");
    tr_status status = trn_check_body(&check, "id", world, id);
    if (status != TR_OK)
        return status;
    if (!allow)
        trn_sleep_rouse(world, id.index - 1);
    uint32_t *flags = &world->bodies.flags[trn_body_row(world, id)];
    *flags = (*flags & ~TR_BODY_NEVER_SLEEPS) | (allow ? 0 : TR_BODY_NEVER_SLEEPS);
    return TR_OK;
}

tr_status trn_body_get_sleep_scale(const trn_world *world, trn_body id, float *scale)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "body_get_sleep_scale", "");
    tr_status status = trn_check_pointer(&check, "scale", scale);
    if (status == TR_OK)
        status = trn_check_body(&check, "id", world, id);
    if (status == TR_OK)
        *scale = trn_body_number(world->bodies.sleep_scale, trn_body_row(world, id), 1.0f);
    return status;
}

trn_sleep_event_view trn_world_sleep_events(const trn_world *world)
{
    trn_sleep_event_view view = {0, NULL};
    if (world != NULL) {
        view.count = world->sleep.event_count;
        view.event = world->sleep.events;
    }
    return view;
}
