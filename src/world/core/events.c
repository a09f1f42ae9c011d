/* Joints with thresholds: their table, their reactions in a step, and which of them broke. */
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "parallel/topology.h"
#include "world/core/check.h"

/*
 * Table of watched joints
 */
void trn_watches_free(trn_watches *watches, tr_memory *memory)
{
    tr_release(memory, watches->records, watches->capacity * sizeof *watches->records);
    tr_release(memory, watches->sums, watches->sum_capacity * sizeof *watches->sums);
    tr_release(memory, watches->record_of, watches->slot_capacity * sizeof *watches->record_of);
    tr_release(memory, watches->bits, watches->word_capacity * sizeof *watches->bits);
    tr_release(memory, watches->awake, watches->awake_capacity * sizeof *watches->awake);
    tr_release(memory, watches->events, watches->event_capacity * sizeof *watches->events);
    tr_release(memory, watches->queue, watches->queue_capacity * sizeof *watches->queue);
    memset(watches, 0, sizeof *watches);
}

/* where there was no room for the second, the first has no bits */
static bool grow_bits(trn_watches *watches, tr_memory *memory, uint32_t words)
{
    return tr_grow(memory, (void **)&watches->bits, &watches->word_capacity, words, sizeof *watches->bits) &&
           tr_grow(memory, (void **)&watches->awake, &watches->awake_capacity, watches->word_capacity,
                   sizeof *watches->awake);
}

bool trn_watches_reserve(trn_watches *watches, tr_memory *memory, uint32_t more, uint32_t slots)
{
    if (more == 0)
        return true;
    uint32_t words = slots / 64 + 1;
    return tr_grow(memory, (void **)&watches->records, &watches->capacity, watches->count + more,
                   sizeof *watches->records) &&
           tr_grow(memory, (void **)&watches->sums, &watches->sum_capacity, watches->count + more,
                   sizeof *watches->sums) &&
           tr_grow(memory, (void **)&watches->record_of, &watches->slot_capacity, slots, sizeof *watches->record_of) &&
           grow_bits(watches, memory, words);
}

static bool has_record(const trn_watches *watches, uint32_t slot)
{
    return slot / 64 < watches->word_capacity && (watches->bits[slot / 64] >> slot % 64 & 1u) != 0;
}

/* writes of each slot which record it has; false: two records have one, or one has none */
static bool find_records(trn_watches *watches, const tr_pool *joints)
{
    if (watches->word_capacity > 0)
        memset(watches->bits, 0, watches->word_capacity * sizeof *watches->bits);
    if (watches->awake_capacity > 0)
        memset(watches->awake, 0, watches->awake_capacity * sizeof *watches->awake);
    watches->awake_count = 0;
    for (uint32_t i = 0; i < watches->count; i++) {
        uint32_t slot = watches->records[i].slot;
        if (slot >= joints->count || tr_pool_is_free(joints, slot) || has_record(watches, slot))
            return false;
        watches->bits[slot / 64] |= (uint64_t)1 << slot % 64;
        watches->record_of[slot] = i;
        watches->records[i].waits = watches->records[i].breaks = false;
    }
    return true;
}

/* bytes that are read may be no bools */
static void visit_flags(trn_watch *watch, tr_archive *archive)
{
    tr_archive_flag(archive, &watch->was_over);
    tr_archive_flag(archive, &watch->was_strained);
}

void trn_watches_archive(trn_watches *watches, tr_archive *archive, const tr_pool *joints)
{
    tr_archive_value(archive, watches->breaking);
    tr_archive_value(archive, watches->broken);
    tr_archive_value(archive, watches->count);
    tr_archive_array(archive, (void **)&watches->records, &watches->capacity, watches->count, 0,
                     sizeof *watches->records);
    for (uint32_t i = 0; i < watches->count && archive->status == TR_OK; i++)
        visit_flags(&watches->records[i], archive);
    tr_archive_array(archive, (void **)&watches->sums, &watches->sum_capacity, watches->count, 0,
                     sizeof *watches->sums);
    tr_archive_value(archive, watches->event_count);
    tr_archive_array(archive, (void **)&watches->events, &watches->event_capacity, watches->event_count, 0,
                     sizeof *watches->events);
    if (!tr_archive_reads(archive) || archive->status != TR_OK)
        return;
    tr_memory *memory = archive->memory;
    uint32_t slots = watches->count > 0 ? joints->capacity : 0, words = slots > 0 ? slots / 64 + 1 : 0;
    if (!tr_grow(memory, (void **)&watches->record_of, &watches->slot_capacity, slots, sizeof *watches->record_of) ||
        !grow_bits(watches, memory, words))
        archive->status = TR_ERROR_MEMORY;
    else if (!find_records(watches, joints))
        tr_archive_refuse(archive);
}

trn_watched trn_watches_list(const trn_watches *watches)
{
    return (trn_watched){watches->awake, watches->awake_capacity, watches->record_of, watches->sums,
                         watches->awake_count};
}

trn_watch *trn_watches_find(const trn_watches *watches, uint32_t slot)
{
    return has_record(watches, slot) ? &watches->records[watches->record_of[slot]] : NULL;
}

/*
 * Which of them sleep
 */
static bool is_awake(const trn_watches *watches, uint32_t slot)
{
    return slot / 64 < watches->awake_capacity && (watches->awake[slot / 64] >> slot % 64 & 1u) != 0;
}

static void set_awake(trn_watches *watches, uint32_t slot, bool awake)
{
    if (is_awake(watches, slot) == awake)
        return;
    watches->awake[slot / 64] ^= (uint64_t)1 << slot % 64;
    watches->awake_count += awake ? 1u : UINT32_MAX;
}

void trn_watches_rest(trn_world *world, uint32_t body_slot)
{
    trn_watches *watches = &world->watches;
    if (watches->count == 0)
        return;
    for (uint32_t half = tr_plan_first(world->plan, body_slot); half != TR_NONE;
         half = tr_plan_next(world->plan, half)) {
        const uint32_t slot = tr_half_edge(half);
        trn_watch *watch = trn_watches_find(watches, slot);
        if (watch == NULL || !is_awake(watches, slot))
            continue;
        set_awake(watches, slot, false);
        memset(&watches->sums[watch - watches->records], 0, sizeof *watches->sums);
        watch->event_steps = watch->break_steps = 0;
        watch->was_over = watch->was_strained = false;
    }
}

void trn_watches_wake(trn_world *world, uint32_t body_slot)
{
    trn_watches *watches = &world->watches;
    for (uint32_t half = watches->count > 0 ? tr_plan_first(world->plan, body_slot) : TR_NONE; half != TR_NONE;
         half = tr_plan_next(world->plan, half)) {
        if (has_record(watches, tr_half_edge(half)))
            set_awake(watches, tr_half_edge(half), true);
    }
}

void trn_watches_find_awake(trn_world *world)
{
    trn_watches *watches = &world->watches;
    for (uint32_t i = 0; i < watches->count; i++) {
        const uint32_t slot = watches->records[i].slot, ends = tr_plan_end_count(world->plan, slot);
        bool asleep = false;
        for (uint32_t end = 0; end < ends; end++) {
            const uint32_t row = world->body_pool.row[tr_plan_end(world->plan, slot, end)];
            asleep = asleep || (world->bodies.flags[row] & TR_BODY_ASLEEP) != 0;
        }
        set_awake(watches, slot, !asleep);
    }
}

void trn_watches_set(trn_watches *watches, uint32_t slot, const tr_event_at *event_at, const tr_break_at *break_at)
{
    if (!trn_is_watched(event_at, break_at)) {
        trn_watches_remove(watches, slot);
        return;
    }
    trn_watch *watch = trn_watches_find(watches, slot);
    if (watch == NULL) {
        watch = &watches->records[watches->count];
        memset(watch, 0, sizeof *watch);
        memset(&watches->sums[watches->count], 0, sizeof *watches->sums);
        watch->slot = slot;
        watches->bits[slot / 64] |= (uint64_t)1 << slot % 64;
        watches->record_of[slot] = watches->count++;
        set_awake(watches, slot, true);
    }
    if (!(event_at->force > 0.0f || event_at->torque > 0.0f))
        watch->event_steps = 0;
    if (!(break_at->force > 0.0f || break_at->torque > 0.0f || break_at->impulse > 0.0f))
        watch->break_steps = 0;
    watch->event_at = *event_at;
    watch->break_at = *break_at;
}

void trn_watches_remove(trn_watches *watches, uint32_t slot)
{
    if (!has_record(watches, slot))
        return;
    /* the last record moves into this one */
    uint32_t hole = watches->record_of[slot], last = --watches->count;
    watches->records[hole] = watches->records[last];
    watches->sums[hole] = watches->sums[last];
    watches->record_of[watches->records[hole].slot] = hole;
    watches->bits[slot / 64] &= ~((uint64_t)1 << slot % 64);
    set_awake(watches, slot, false);
}

bool trn_watch_reserve(trn_world *world, uint32_t slot, const tr_event_at *event_at, const tr_break_at *break_at)
{
    bool is_new = trn_is_watched(event_at, break_at) && trn_watches_find(&world->watches, slot) == NULL;
    return trn_watches_reserve(&world->watches, &world->memory, is_new ? 1 : 0, world->joint_pool.capacity);
}

static tr_status set_thresholds(trn_world *world, const trn_check *check, trn_joint id, const tr_event_at *event_at,
                                const tr_break_at *break_at)
{
    if (!trn_watch_reserve(world, id.index - 1, event_at, break_at))
        return trn_check_fail(check, TR_ERROR_MEMORY, "", "no memory for thresholds");
    trn_watches_set(&world->watches, id.index - 1, event_at, break_at);
    return TR_OK;
}

tr_status trn_do_joint_set_event_at(trn_world *world, trn_joint id, tr_event_at event_at)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "joint_set_event_at", "");
    tr_status status = trn_check_joint(&check, "id", world, id);
    if (status == TR_OK)
        status = trn_check_event_at(&check, &event_at);
    if (status != TR_OK)
        return status;
    const trn_watch *watch = trn_watches_find(&world->watches, id.index - 1);
    tr_break_at break_at = watch != NULL ? watch->break_at : (tr_break_at){0};
    return set_thresholds(world, &check, id, &event_at, &break_at);
}

tr_status trn_do_joint_set_break_at(trn_world *world, trn_joint id, tr_break_at break_at)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "joint_set_break_at", "");
    tr_status status = trn_check_joint(&check, "id", world, id);
    if (status == TR_OK)
        status = trn_check_break_at(&check, &break_at);
    if (status != TR_OK)
        return status;
    const trn_watch *watch = trn_watches_find(&world->watches, id.index - 1);
    tr_event_at event_at = watch != NULL ? watch->event_at : (tr_event_at){0};
    return set_thresholds(world, &check, id, &event_at, &break_at);
}

/*
 * End of a step
 */
bool trn_events_reserve(trn_world *world, uint32_t parts)
{
    trn_watches *watches = &world->watches;
    uint64_t most = 2 * (uint64_t)watches->count * parts;
    return most <= UINT32_MAX &&
           tr_grow(&world->memory, (void **)&watches->events, &watches->event_capacity, (uint32_t)most,
                   sizeof *watches->events) &&
           trn_breaking_reserve(world);
}

/* a threshold of 0 is none; NaN exceeds nothing */
static bool over(double value, float threshold)
{
    return threshold > 0.0f && value > (double)threshold;
}

static void add_event(trn_world *world, tr_event_kind kind, uint32_t slot, const trn_reaction *reaction, uint32_t steps)
{
    trn_joint_type type = trn_joint_type_of(world, slot);
    const trn_joints *joints = &world->joints[type];
    uint32_t row = world->joint_pool.row[slot];
    trn_event *event = &world->watches.events[world->watches.event_count++];
    event->kind = kind;
    event->type = type;
    event->joint = trn_joint_id_of(world, slot);
    event->body_a = trn_joint_body_of(world, slot, 0);
    event->body_b = trn_joint_body_of(world, slot, 1);
    event->user_data = joints->user_data != NULL ? joints->user_data[row] : 0;
    event->reaction = *reaction;
    event->steps = steps;
}

/* number of consecutive steps over the threshold; does not wrap around */
static uint32_t count_on(uint32_t steps, bool is_over)
{
    return !is_over ? 0 : steps < UINT32_MAX ? steps + 1 : steps;
}

/* the smallest threshold as a force or torque; infinite if there is none */
static double least_threshold(const trn_watch *watch, double dt)
{
    const double all[] = {(double)watch->event_at.force, (double)watch->event_at.torque, (double)watch->break_at.force,
                          (double)watch->break_at.torque, (double)watch->break_at.impulse / dt};
    double least = INFINITY;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i] > 0.0 && all[i] < least)
            least = all[i];
    }
    return least;
}

static const trn_watched_sums *sums_of(const trn_world *world, const trn_watch *watch)
{
    return &world->watches.sums[watch - world->watches.records];
}

/*
 * Whether the impulses alone show that no threshold is exceeded. That is so for most joints, and takes a fifth of the
 * time that it takes with the reactions of a revolute or weld, and a twenty-fifth of that with those of other types,
 * which need the complete definition and the bodies' poses (docs/events.md).
 */
static bool is_calm(const trn_world *world, const trn_watch *watch, double dt)
{
    trn_joint_type type = trn_joint_type_of(world, watch->slot);
    const trn_joint_type_info *info = trn_joint_types[type];
    if (!info->has_unit_rows)
        return false;
    const trn_watched_sums *sums = sums_of(world, watch);
    double step = 0.0, across = 0.0;
    for (uint32_t i = 0; i < info->impulse_count; i++) {
        if (info->impulse_roles[i] == TR_ROLE_PLACE)
            continue;
        const bool is_long = info->feature_length > 0.0f && i >= info->features_at;
        const double length = is_long ? (double)info->feature_length : 1.0;
        step += length * fabs((double)sums->step[i]);
        across += length * fabs((double)sums->across[i]);
    }
    /* a little more than the rounding of a reaction's floats; a sum that is no number is not calm */
    double most = 1.00001 / dt, least = least_threshold(watch, dt);
    return step * most <= least && across * most <= least;
}

/* a mean reaction, and whether it is over a threshold */
typedef struct strain {
    trn_reaction reaction;
    bool event, breaks;
    double overload; /* the greatest ratio to a threshold of break_at */
} strain;

static double most_of(double most, double value, float threshold)
{
    double ratio = threshold > 0.0f ? value / (double)threshold : 0.0;
    return ratio > most ? ratio : most;
}

static strain strain_of(const trn_world *world, const trn_watch *watch, const float *impulse, double dt)
{
    strain s;
    trn_joint_reaction_of(world, watch->slot, impulse, (float)(1.0 / dt), &s.reaction);
    double force = trn_size(s.reaction.force), torque = trn_spin_size(s.reaction.torque);
    const tr_event_at *event_at = &watch->event_at;
    const tr_break_at *break_at = &watch->break_at;
    s.event = over(force, event_at->force) || over(torque, event_at->torque);
    s.breaks = over(force, break_at->force) || over(torque, break_at->torque) || over(force * dt, break_at->impulse);
    s.overload =
        most_of(most_of(most_of(0.0, force, break_at->force), torque, break_at->torque), force * dt, break_at->impulse);
    return s;
}

/* adds the events of a joint */
static void look_at(trn_world *world, uint32_t slot, double dt)
{
    trn_watch *watch = trn_watches_find(&world->watches, slot);
    if (is_calm(world, watch, dt)) {
        watch->event_steps = watch->break_steps = 0;
        watch->was_over = watch->was_strained = false;
        return;
    }
    const trn_watched_sums *sums = sums_of(world, watch);
    strain whole = strain_of(world, watch, sums->step, dt), across = strain_of(world, watch, sums->across, dt);
    /* what counted in the step before does not count again */
    strain event = across.event && !whole.event && !watch->was_over ? across : whole;
    strain breaks = across.breaks && !whole.breaks && !watch->was_strained ? across : whole;
    watch->was_over = whole.event;
    watch->was_strained = whole.breaks;

    watch->event_steps = count_on(watch->event_steps, event.event);
    if (watch->event_steps > 0)
        add_event(world, TR_EVENT_THRESHOLD, slot, &event.reaction, watch->event_steps);
    watch->break_steps = count_on(watch->break_steps, breaks.breaks);
    if (watch->break_steps > 0 && watch->break_steps >= watch->break_at.steps) {
        add_event(world, TR_EVENT_BROKEN, slot, &breaks.reaction, watch->break_steps);
        watch->waits = true;
        watch->overload = breaks.overload;
    }
}

/* in order of slots, as the events are */
static void remove_broken(trn_world *world, uint32_t from)
{
    trn_watches *watches = &world->watches;
    for (uint32_t i = from; i < watches->event_count; i++) {
        if (watches->events[i].kind != TR_EVENT_BROKEN)
            continue;
        watches->broken++;
        trn_joint_remove(world, watches->events[i].joint.index - 1);
    }
}

/* a separate function, so that the compiler moves no arithmetic to where the application's rounding mode is active */
static __attribute__((noinline)) void look_plainly(trn_world *world, double dt)
{
    trn_watches *watches = &world->watches;
    const uint32_t from = watches->event_count;
    for (uint32_t word = 0; word < watches->awake_capacity; word++) {
        for (uint64_t bits = watches->awake[word]; bits != 0; bits &= bits - 1)
            look_at(world, 64 * word + (uint32_t)__builtin_ctzll(bits), dt);
    }
    if (watches->breaking != TR_BREAKING_ALL)
        trn_breaking_choose(world, from);
    remove_broken(world, from);
}

void trn_events_collect(trn_world *world, double dt, bool first)
{
    trn_watches *watches = &world->watches;
    if (first) {
        watches->event_count = 0;
        watches->seconds = 0.0;
    }
    if (watches->awake_count == 0)
        return;
    double begin = tr_clock_seconds();
    tr_arithmetic before = tr_arithmetic_plain();
    look_plainly(world, dt);
    tr_arithmetic_restore(&before);
    watches->seconds += tr_clock_seconds() - begin;
}

trn_event_view trn_world_events(const trn_world *world)
{
    trn_event_view view = {0, NULL};
    if (world != NULL) {
        view.count = world->watches.event_count;
        view.event = world->watches.events;
    }
    return view;
}
