/*
 * Which of the overloaded joints break in a step, if not all: of each group the one with the greatest ratio of its
 * reaction to its threshold; of equal ones that in the lowest slot. The others carry the load anew in the next step.
 *
 * A group is what a search reaches from an overloaded joint through moving bodies. It goes along overloaded joints
 * only, or along all joints that act (TR_BREAKING_ONE_PER_ISLAND). A body is marked when it is reached, so the
 * searches of a step visit each body and each end of a joint once. The choice is a maximum in a total order, so it does
 * not depend on the order of the search.
 */
#include "world/core/body.h"

bool trn_breaking_reserve(trn_world *world)
{
    trn_watches *watches = &world->watches;
    return watches->breaking == TR_BREAKING_ALL || watches->count == 0 ||
           tr_grow(&world->memory, (void **)&watches->queue, &watches->queue_capacity, world->body_pool.capacity,
                   sizeof *watches->queue);
}

uint32_t trn_breaking_parts(const trn_world *world, uint32_t substeps)
{
    const trn_watches *watches = &world->watches;
    return watches->breaking == TR_BREAKING_ONE_PER_SUBSTEP && watches->count > 0 ? substeps : 1;
}

/* whether the group goes on along this joint */
static bool connects(const trn_world *world, uint32_t slot)
{
    trn_joint_type type = trn_joint_type_of(world, slot);
    if (type == TR_CONTACT)
        return false;
    if (world->watches.breaking == TR_BREAKING_ONE_PER_ISLAND)
        return trn_joint_is_enabled(&world->joints[type], world->joint_pool.row[slot]);
    const trn_watch *watch = trn_watches_find(&world->watches, slot);
    return watch != NULL && watch->waits;
}

/* puts the moving bodies of a joint that are new into the queue */
static void reach(trn_world *world, uint32_t slot, uint32_t *count)
{
    trn_bodies *bodies = &world->bodies;
    uint32_t ends = tr_plan_end_count(world->plan, slot);
    for (uint32_t end = 0; end < ends; end++) {
        uint32_t body = tr_plan_end(world->plan, slot, end), row = world->body_pool.row[body];
        if (bodies->type[row] != TR_DYNAMIC || (bodies->flags[row] & TR_BODY_MARKED) != 0)
            continue;
        bodies->flags[row] |= TR_BODY_MARKED;
        world->watches.queue[(*count)++] = body;
    }
}

/* the joint to break of the group of an overloaded joint; `first`, `count`: what the queue has of bodies */
static trn_watch *worst_of(trn_world *world, uint32_t slot, uint32_t first, uint32_t *count)
{
    trn_watch *worst = trn_watches_find(&world->watches, slot);
    reach(world, slot, count);
    for (uint32_t i = first; i < *count; i++) {
        for (uint32_t half = tr_plan_first(world->plan, world->watches.queue[i]); half != TR_NONE;
             half = tr_plan_next(world->plan, half)) {
            uint32_t edge = tr_half_edge(half);
            if (!connects(world, edge))
                continue;
            reach(world, edge, count);
            trn_watch *watch = trn_watches_find(&world->watches, edge);
            if (watch == NULL || !watch->waits)
                continue;
            if (watch->overload > worst->overload || (watch->overload == worst->overload && watch->slot < worst->slot))
                worst = watch;
        }
    }
    return worst;
}

/* the overloaded joints of the bodies that the queue has from `first` on are decided */
static void settle(trn_world *world, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < count; i++) {
        for (uint32_t half = tr_plan_first(world->plan, world->watches.queue[i]); half != TR_NONE;
             half = tr_plan_next(world->plan, half)) {
            trn_watch *watch = trn_watches_find(&world->watches, tr_half_edge(half));
            if (watch != NULL)
                watch->waits = false;
        }
    }
}

/* takes the events of joints that do not break from the list, which keeps its order */
static void drop_events(trn_watches *watches, uint32_t from)
{
    uint32_t kept = from;
    for (uint32_t i = from; i < watches->event_count; i++) {
        const trn_event *event = &watches->events[i];
        if (event->kind == TR_EVENT_BROKEN && !trn_watches_find(watches, event->joint.index - 1)->breaks)
            continue;
        watches->events[kept++] = *event;
    }
    watches->event_count = kept;
}

void trn_breaking_choose(trn_world *world, uint32_t from)
{
    trn_watches *watches = &world->watches;
    uint32_t count = 0;
    for (uint32_t i = from; i < watches->event_count; i++) {
        const trn_event *event = &watches->events[i];
        if (event->kind != TR_EVENT_BROKEN)
            continue;
        uint32_t slot = event->joint.index - 1, first = count;
        trn_watch *watch = trn_watches_find(watches, slot);
        if (!watch->waits)
            continue;
        worst_of(world, slot, first, &count)->breaks = true;
        settle(world, first, count);
        watch->waits = false;
    }
    for (uint32_t i = 0; i < count; i++)
        world->bodies.flags[world->body_pool.row[watches->queue[i]]] &= ~TR_BODY_MARKED;
    drop_events(watches, from);
}
