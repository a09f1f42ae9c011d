/*
 * Copies of vertices. Copy 0 is the vertex's own; a vertex that needs more is a hub. Each hub has a binary heap of its
 * copies by (edges, number), so that a new edge finds the copy with the fewest edges in O(1).
 */
#include "plan/plan_internal.h"

void tr_hubs_destroy(tr_coloring *coloring)
{
    tr_memory *memory = coloring->memory;
    for (uint32_t i = 0; i < coloring->hub_slots; i++) {
        tr_hub *hub = &coloring->hubs[i];
        tr_release(memory, hub->copies, hub->copies_capacity * sizeof *hub->copies);
        tr_release(memory, hub->heap, hub->heap_capacity * sizeof *hub->heap);
    }
    tr_release(memory, coloring->hubs, coloring->hub_capacity * sizeof *coloring->hubs);
    tr_release(memory, coloring->hub_order, coloring->hub_order_capacity * sizeof *coloring->hub_order);
}

/*
 * The heap
 */

/* Keys are unique, so the top of the heap does not depend on the order of operations. */
static uint64_t heap_key(uint32_t copy, uint32_t degree)
{
    return (uint64_t)degree << 32 | copy;
}

static void heap_set(tr_hub *hub, uint32_t place, uint64_t key)
{
    hub->heap[place] = key;
    hub->copies[(uint32_t)key].place = place;
}

/* Inserts a key among `size` entries, starting at the vacant index `place`. */
static void heap_sift(tr_hub *hub, uint32_t place, uint32_t size, uint64_t key)
{
    const uint64_t *heap = hub->heap;
    while (place > 0 && key < heap[(place - 1) / 2]) {
        heap_set(hub, place, heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    for (uint64_t child; (child = 2 * (uint64_t)place + 1) < size; place = (uint32_t)child) {
        if (child + 1 < size && heap[child + 1] < heap[child])
            child++;
        if (key < heap[child])
            break;
        heap_set(hub, place, heap[child]);
    }
    heap_set(hub, place, key);
}

/*
 * Hubs
 */

/* Makes room for `count` copies in a slot. */
static bool slot_reserve(tr_coloring *coloring, uint32_t slot, uint32_t count)
{
    tr_memory *memory = coloring->memory;
    tr_hub *hub = &coloring->hubs[slot];
    return tr_grow(memory, (void **)&hub->copies, &hub->copies_capacity, count, sizeof *hub->copies) &&
           tr_grow(memory, (void **)&hub->heap, &hub->heap_capacity, count, sizeof *hub->heap);
}

/* The copies of each edge are stored from the first hub on. */
static bool edge_copies_reserve(tr_coloring *coloring)
{
    return tr_grow(coloring->memory, (void **)&coloring->edge_copies, &coloring->edge_copies_capacity,
                   coloring->edge_capacity, sizeof *coloring->edge_copies);
}

/* A free slot with room for `count` copies, still in the free list; TR_NONE: out of memory. */
static uint32_t slot_find(tr_coloring *coloring, uint32_t count)
{
    tr_memory *memory = coloring->memory;
    if (!tr_grow(memory, (void **)&coloring->hub_order, &coloring->hub_order_capacity, coloring->hub_count + 1,
                 sizeof *coloring->hub_order))
        return TR_NONE;
    uint32_t slot = coloring->free_hub;
    if (slot == TR_NONE) {
        /* a new slot enters the free list first, so that a failure keeps the memory allocated for it */
        slot = coloring->hub_slots;
        if (!tr_grow(memory, (void **)&coloring->hubs, &coloring->hub_capacity, slot + 1, sizeof *coloring->hubs))
            return TR_NONE;
        coloring->hub_slots++;
        coloring->hubs[slot].next_free = TR_NONE;
        coloring->free_hub = slot;
    }
    return slot_reserve(coloring, slot, count) ? slot : TR_NONE;
}

/* Turns an unsplit vertex into a hub of one copy, in the first free slot. */
static void hub_open(tr_coloring *coloring, uint32_t vertex)
{
    uint32_t slot = coloring->free_hub;
    tr_hub *hub = &coloring->hubs[slot];
    coloring->free_hub = hub->next_free;
    hub->vertex = vertex;
    hub->count = 1;
    hub->copies[0] = (tr_hub_copy){.copy = coloring->vertices[vertex], .number = TR_NONE};
    heap_set(hub, 0, heap_key(0, tr_copy_degree(&hub->copies[0].copy)));
    hub->order = coloring->hub_count;
    coloring->hub_order[coloring->hub_count++] = slot;
    coloring->hubs_sorted = false;
    coloring->vertices[vertex] = (tr_copy){{(uint64_t)slot + 1, UINT64_MAX}};
}

static void hub_close(tr_coloring *coloring, tr_hub *hub)
{
    uint32_t slot = coloring->hub_order[hub->order];
    uint32_t last = coloring->hub_order[--coloring->hub_count];
    coloring->hub_order[hub->order] = last;
    coloring->hubs[last].order = hub->order;
    coloring->hubs_sorted = false;
    hub->count = 0;
    hub->next_free = coloring->free_hub;
    coloring->free_hub = slot;
    coloring->vertices[hub->vertex] = hub->copies[0].copy;
}

bool tr_copy_open(tr_coloring *coloring, uint32_t vertex, uint32_t count)
{
    if (count <= tr_copy_count(coloring, vertex))
        return true;
    uint32_t slot = tr_hub_of(coloring, vertex);
    if (slot == TR_NONE) {
        slot = edge_copies_reserve(coloring) ? slot_find(coloring, count) : TR_NONE;
        if (slot == TR_NONE)
            return false;
        hub_open(coloring, vertex);
    } else if (!slot_reserve(coloring, slot, count)) {
        return false;
    }
    tr_hub *hub = &coloring->hubs[slot];
    while (hub->count < count) {
        uint32_t copy = hub->count++;
        hub->copies[copy] = (tr_hub_copy){.number = TR_NONE};
        heap_sift(hub, copy, hub->count, heap_key(copy, 0));
    }
    coloring->hubs_changed = true;
    return true;
}

void tr_copy_trim(tr_coloring *coloring, uint32_t vertex)
{
    uint32_t slot = tr_hub_of(coloring, vertex);
    if (slot == TR_NONE)
        return;
    tr_hub *hub = &coloring->hubs[slot];
    while (hub->count > 1 && tr_copy_degree(&hub->copies[hub->count - 1].copy) == 0) {
        /* move the heap's last entry to the place of the closed copy */
        uint32_t last = --hub->count;
        uint32_t place = hub->copies[last].place;
        if (place != last)
            heap_sift(hub, place, last, hub->heap[last]);
        coloring->hubs_changed = true;
    }
    if (hub->count == 1)
        hub_close(coloring, hub);
}

/* Heap sort's sift-down in hub_order, among the first `size` entries; the greatest vertex goes to the top. */
static void order_sink(tr_coloring *coloring, uint32_t place, uint32_t size)
{
    uint32_t *order = coloring->hub_order;
    uint32_t slot = order[place], vertex = coloring->hubs[slot].vertex;
    for (uint64_t child; (child = 2 * (uint64_t)place + 1) < size; place = (uint32_t)child) {
        if (child + 1 < size && coloring->hubs[order[child + 1]].vertex > coloring->hubs[order[child]].vertex)
            child++;
        if (vertex > coloring->hubs[order[child]].vertex)
            break;
        order[place] = order[child];
    }
    order[place] = slot;
}

void tr_hubs_sort(tr_coloring *coloring)
{
    uint32_t *order = coloring->hub_order;
    uint32_t count = coloring->hub_count;
    if (coloring->hubs_sorted)
        return;
    for (uint32_t i = count / 2; i-- > 0;)
        order_sink(coloring, i, count);
    for (uint32_t size = count; size-- > 1;) {
        uint32_t last = order[size];
        order[size] = order[0];
        order[0] = last;
        order_sink(coloring, 0, size);
    }
    for (uint32_t i = 0; i < count; i++)
        coloring->hubs[order[i]].order = i;
    coloring->hubs_sorted = true;
}

/*
 * Colours on copies
 */

static void change_degree(tr_coloring *coloring, uint32_t vertex, uint32_t copy, uint32_t change)
{
    uint32_t slot = tr_hub_of(coloring, vertex);
    if (slot == TR_NONE)
        return;
    tr_hub *hub = &coloring->hubs[slot];
    uint32_t degree = tr_hub_copy_degree(hub, copy) + change;
    heap_sift(hub, hub->copies[copy].place, hub->count, heap_key(copy, degree));
    coloring->hubs_changed = true;
}

void tr_copy_take(tr_coloring *coloring, uint32_t vertex, uint32_t copy, uint32_t color)
{
    tr_copy *at = tr_copy_at(coloring, vertex, copy);
    at->taken[color / TR_COLORS_MOVING] |= UINT64_C(1) << color % TR_COLORS_MOVING;
    change_degree(coloring, vertex, copy, 1);
}

void tr_copy_give(tr_coloring *coloring, uint32_t vertex, uint32_t copy, uint32_t color)
{
    tr_copy *at = tr_copy_at(coloring, vertex, copy);
    at->taken[color / TR_COLORS_MOVING] &= ~(UINT64_C(1) << color % TR_COLORS_MOVING);
    change_degree(coloring, vertex, copy, UINT32_MAX);
}
