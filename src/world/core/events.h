/*
 * The joints whose reactions are watched after each step, and the events of the last step. Joints without thresholds
 * are not in this table and cost nothing.
 */
#ifndef TR_WORLD_EVENTS_H
#define TR_WORLD_EVENTS_H

#include "base/pool.h"
#include "solver/core/watched.h"

/* One watched joint. */
typedef struct trn_watch {
    uint32_t slot;
    uint32_t event_steps, break_steps; /* consecutive steps over each */
    bool was_over, was_strained;       /* in the last step by itself: over event_at, over break_at */
    bool waits, breaks; /* while a step's broken joints are chosen: not decided yet; is chosen (breaking.c) */
    double overload;    /* then: how many times its threshold, of the one that it exceeds the most */
    tr_event_at event_at;
    tr_break_at break_at;
} trn_watch;

typedef struct trn_watches {
    trn_watch *records; /* unordered */
    uint32_t count, capacity;
    trn_watched_sums *sums; /* per record */
    uint32_t sum_capacity;
    uint64_t broken; /* number of broken joints since creation */
    double seconds;  /* duration of the last check */

    /* by joint slot, up to the highest watched one: its record, and a bit, which gives the order of slots */
    uint32_t *record_of;
    uint64_t *bits;
    /* likewise: those of joints that do not sleep; a step looks at no others */
    uint64_t *awake;
    uint32_t slot_capacity, word_capacity, awake_capacity, awake_count;

    trn_event *events;
    uint32_t event_count, event_capacity;

    tr_breaking breaking;
    uint32_t *queue; /* slots of bodies, while breaking.c goes through a group */
    uint32_t queue_capacity;
} trn_watches;

void trn_watches_free(trn_watches *watches, tr_memory *memory);

/* Whether a joint needs a record. */
static inline bool trn_is_watched(const tr_event_at *event_at, const tr_break_at *break_at)
{
    return event_at->force > 0.0f || event_at->torque > 0.0f || break_at->force > 0.0f || break_at->torque > 0.0f ||
           break_at->impulse > 0.0f || break_at->steps > 0;
}

/* Makes room for `more` records, of joints in slots below `slots`. False if out of memory; then only capacities have
   changed. */
bool trn_watches_reserve(trn_watches *watches, tr_memory *memory, uint32_t more, uint32_t slots);
/* The same for one existing joint with these new thresholds. */
bool trn_watch_reserve(trn_world *world, uint32_t slot, const tr_event_at *event_at, const tr_break_at *break_at);
/* The record of a joint, or null. */
trn_watch *trn_watches_find(const trn_watches *watches, uint32_t slot);
/* Writes a joint's thresholds. The count of an unchanged threshold continues. There must be room. */
void trn_watches_set(trn_watches *watches, uint32_t slot, const tr_event_at *event_at, const tr_break_at *break_at);
void trn_watches_remove(trn_watches *watches, uint32_t slot);
/* The joints of a body fall asleep with it: they count no steps. And they wake. */
void trn_watches_rest(trn_world *world, uint32_t body_slot);
void trn_watches_wake(trn_world *world, uint32_t body_slot);
/* After a state was read: which of them sleep. */
void trn_watches_find_awake(trn_world *world);

/* Visits the watched joints, with this room for slots (base/archive.h). What is read is checked. */
void trn_watches_archive(trn_watches *watches, tr_archive *archive, const tr_pool *joints);

/* What the solver has to know of them. Valid until room is made for more. */
trn_watched trn_watches_list(const trn_watches *watches);

/* Makes room for choosing which of the overloaded joints break. False if out of memory. */
bool trn_breaking_reserve(trn_world *world);
/* Chooses which of the joints with TR_EVENT_BROKEN in the list, from `from` on, break, and takes the events of the others
   from it. */
void trn_breaking_choose(trn_world *world, uint32_t from);
/* The number of parts that a step has, after each of which joints break. */
uint32_t trn_breaking_parts(const trn_world *world, uint32_t substeps);

/* Makes room for all events that a step of so many parts can have. False if out of memory. The events of the last step
   stay. */
bool trn_events_reserve(trn_world *world, uint32_t parts);
/* After a step of `dt` seconds, or a part of one: checks the watched joints, lists the events, destroys broken joints. */
void trn_events_collect(trn_world *world, double dt, bool first);

#endif
