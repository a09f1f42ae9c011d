/* Sleep in snapshots. */
#include <string.h>

#include "world/sleep/sleep_internal.h"

static void visit_links(trn_ring_link **links, uint32_t *capacity, tr_archive *archive, uint32_t count)
{
    tr_archive_array(archive, (void **)links, capacity, count, 0, sizeof **links);
}

void trn_sleep_archive(trn_world *world, tr_archive *archive)
{
    trn_sleep *sleep = &world->sleep;
    const uint32_t slots = world->body_pool.count,
                   room[] = {sleep->island_capacity, sleep->change_capacity, sleep->anchor_capacity};
    /* arrays grow when a step needs them, or find no memory: bodies behind any of them are in no ring */
    uint32_t count = slots;
    for (size_t i = 0; i < sizeof room / sizeof room[0]; i++)
        count = room[i] < count ? room[i] : count;
    count = sleep->used < count ? sleep->used : count;
    tr_archive_value(archive, sleep->asleep);
    tr_archive_value(archive, sleep->waking);
    tr_archive_value(archive, sleep->changed);
    tr_archive_value(archive, sleep->changed_count);
    tr_archive_value(archive, count);
    if (count > slots)
        tr_archive_refuse(archive);
    if (tr_archive_reads(archive))
        sleep->used = archive->status == TR_OK ? count : 0;
    visit_links(&sleep->islands, &sleep->island_capacity, archive, count);
    visit_links(&sleep->changes, &sleep->change_capacity, archive, count);
    tr_archive_array(archive, (void **)&sleep->anchors, &sleep->anchor_capacity, count, 0, sizeof *sleep->anchors);
    tr_archive_array(archive, (void **)&sleep->list, &sleep->list_capacity, 0, count, sizeof *sleep->list);
    tr_archive_value(archive, sleep->event_count);
    tr_archive_array(archive, (void **)&sleep->events, &sleep->event_capacity, sleep->event_count, 0,
                     sizeof *sleep->events);
    if (!tr_archive_reads(archive))
        return;
    if (sleep->search_capacity > 0)
        memset(sleep->searches, 0, sleep->search_capacity * sizeof *sleep->searches);
    sleep->search = 0;
}

/* whether a link and its neighbours know of each other, and are in rings of the same kind */
static bool is_link_sound(const trn_world *world, const trn_ring_link *links, uint32_t capacity, uint32_t slot,
                          uint32_t flag)
{
    if (slot >= capacity)
        return false;
    uint32_t next = links[slot].next, before = links[slot].before;
    return next < capacity && before < capacity && next < world->body_pool.count && before < world->body_pool.count &&
           links[next].before == slot && links[before].next == slot && !tr_pool_is_free(&world->body_pool, next) &&
           trn_sleep_has(world, next, flag);
}

/* whether a ring that has all bodies with a flag begins there */
static bool is_ring_sound(const trn_world *world, const trn_ring_link *links, uint32_t first, uint32_t flag,
                          uint32_t count)
{
    if (count == 0 || first == TR_NONE)
        return count == 0 && first == TR_NONE;
    if (first >= world->body_pool.count || tr_pool_is_free(&world->body_pool, first) ||
        !trn_sleep_has(world, first, flag))
        return false;
    /* links are sound, so this ends */
    uint32_t found = 0;
    for (uint32_t slot = first; found == 0 || slot != first; slot = links[slot].next)
        found++;
    return found == count;
}

bool trn_sleep_is_sound(const trn_world *world)
{
    const trn_sleep *sleep = &world->sleep;
    const trn_bodies *bodies = &world->bodies;
    const uint32_t both = TR_BODY_ASLEEP | TR_BODY_WAKING;
    uint32_t asleep = 0, waking = 0, changed = 0;
    if (bodies->rest_first > bodies->rest_end || bodies->rest_end > bodies->table.count)
        return false;
    for (uint32_t row = 0; row < bodies->table.count; row++) {
        uint32_t flags = bodies->flags[row], slot = bodies->slot[row];
        bool rests = row >= bodies->rest_first && row < bodies->rest_end;
        asleep += (flags & TR_BODY_ASLEEP) != 0;
        waking += (flags & TR_BODY_WAKING) != 0;
        changed += (flags & TR_BODY_CHANGED) != 0;
        if ((flags & both) == both || (rests && (flags & TR_BODY_ASLEEP) == 0) ||
            ((flags & TR_BODY_ASLEEP) != 0 && bodies->type[row] != TR_STATIC) ||
            ((flags & TR_BODY_WAKING) != 0 && bodies->type[row] != TR_DYNAMIC) ||
            ((flags & both) != 0 && (flags & TR_BODY_DISABLED) != 0))
            return false;
        if ((flags & both) != 0 && !is_link_sound(world, sleep->islands, sleep->island_capacity, slot, flags & both))
            return false;
        if ((flags & TR_BODY_CHANGED) != 0 &&
            !is_link_sound(world, sleep->changes, sleep->change_capacity, slot, TR_BODY_CHANGED))
            return false;
    }
    return asleep == sleep->asleep && changed == sleep->changed_count &&
           is_ring_sound(world, sleep->islands, sleep->waking, TR_BODY_WAKING, waking) &&
           is_ring_sound(world, sleep->changes, sleep->changed, TR_BODY_CHANGED, changed);
}
