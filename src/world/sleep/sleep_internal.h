/* What the files of sleep share: sleep.c keeps who sleeps, sleep_rest.c judges which bodies are at rest, sleep_search.c
   finds islands of them, sleep_edit.c has the calls, sleep_archive.c snapshots. */
#ifndef TR_WORLD_SLEEP_INTERNAL_H
#define TR_WORLD_SLEEP_INTERNAL_H

#include "world/core/world_internal.h"
#include "world/sleep/sleep.h"

static inline uint32_t trn_sleep_row(const trn_world *world, uint32_t slot)
{
    return world->body_pool.row[slot];
}

static inline bool trn_sleep_has(const trn_world *world, uint32_t slot, uint32_t flag)
{
    return (world->bodies.flags[trn_sleep_row(world, slot)] & flag) != 0;
}

/* Something is about to be written for a slot, on any thread. */
static inline void trn_sleep_use(trn_sleep *sleep, uint32_t slot)
{
    uint32_t used = __atomic_load_n(&sleep->used, __ATOMIC_RELAXED);
    while (slot >= used &&
           !__atomic_compare_exchange_n(&sleep->used, &used, slot + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Room for all bodies to fall asleep, and for so many events. False if out of memory. */
bool trn_sleep_reserve(trn_world *world, uint32_t events);

/* Puts the first bodies of the list to sleep, as one island: no edge connects them to one that moves and stays awake.
   trn_rest_pairs() has to follow. */
void trn_sleep_put(trn_world *world, uint32_t count);

/* Counts for how long each body has been at rest, after a step of dt seconds. The other makes room for it: false if out
   of memory. */
bool trn_sleep_judge_reserve(trn_world *world);
void trn_sleep_judge(trn_world *world, double dt);

/* Puts all islands to sleep whose bodies have been at rest for long enough; searched from all bodies at rest, or from
   those that have come to rest since the last search. */
void trn_sleep_search(trn_world *world, bool all);
/* Puts the island of a dynamic body to sleep, however fast it is. False if it may not sleep or is driven; *culprit is
   the slot of a body for which it may not. */
bool trn_sleep_search_one(trn_world *world, uint32_t slot, uint32_t *culprit);

#endif
