/* Which islands may sleep: breadth first through joints, contacts and sensors, until a body is reached that stays awake. */
#include <string.h>

#include "world/core/body.h"
#include "world/sleep/sleep_internal.h"

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
    bool sensors;            /* they are listed */
    uint32_t culprit;        /* slot of the body that keeps the island awake; TR_NONE: it was in another search */
} search;

/* Adds the end of an edge to the island. False: it stays awake. */
static bool reach(search *it, uint32_t slot)
{
    trn_world *world = it->world;
    trn_sleep *sleep = &world->sleep;
    uint32_t row = trn_sleep_row(world, slot), seen = sleep->searches[slot];
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

static bool reach_across(void *context, uint32_t slot)
{
    return reach(context, slot);
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
        good = good && (!it->sensors || trn_sensors_across(it->world, sleep->list[i], reach_across, it));
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

void trn_sleep_search(trn_world *world, bool all)
{
    trn_sleep *sleep = &world->sleep;
    const trn_bodies *bodies = &world->bodies;
    begin_pass(sleep);
    search it = {.world = world, .allowed = ONLY_READY, .before = sleep->search, .sensors = trn_sensors_list(world)};
    bool any = false;
    for (uint32_t row = 0; (row = trn_bodies_awake(bodies, row)) < bodies->table.count; row++) {
        uint32_t slot = bodies->slot[row];
        if (bodies->type[row] != TR_DYNAMIC || sleep->searches[slot] > it.before ||
            !may_sleep(world, row, ONLY_READY) || (!all && (bodies->flags[row] & TR_BODY_SEARCHED) != 0))
            continue;
        it.number = ++sleep->search;
        if (!list_island(&it, slot))
            continue;
        trn_sleep_put(world, it.count);
        any = true;
    }
    if (it.sensors)
        trn_sensors_unlist(world);
    if (any || trn_rest_again(world))
        trn_rest_pairs(world);
}

bool trn_sleep_search_one(trn_world *world, uint32_t slot, uint32_t *culprit)
{
    trn_sleep *sleep = &world->sleep;
    begin_pass(sleep);
    search it = {.world = world,
                 .allowed = ALL_WILLING,
                 .before = sleep->search,
                 .number = sleep->search + 1,
                 .sensors = trn_sensors_list(world)};
    sleep->search++;
    const bool good = list_island(&it, slot);
    if (it.sensors)
        trn_sensors_unlist(world);
    if (!good) {
        *culprit = it.culprit;
        return false;
    }
    trn_sleep_put(world, it.count);
    trn_rest_pairs(world);
    return true;
}
