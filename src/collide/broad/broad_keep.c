#include "collide/broad/broad_keep.h"

#include <assert.h>
#include <string.h>

void tr2_broad_kept_init(tr2_broad_kept *kept, tr_memory *memory)
{
    tr2_tree_init(&kept->trees[0], memory);
    tr2_tree_init(&kept->trees[1], memory);
}

static void release_all(tr2_broad_kept *kept, tr_memory *memory)
{
    tr_release(memory, kept->boxes, kept->box_capacity * sizeof *kept->boxes);
    tr_release(memory, kept->former, kept->former_capacity * sizeof *kept->former);
    tr_release(memory, kept->families, kept->family_capacity * sizeof *kept->families);
    tr_release(memory, kept->states, kept->state_capacity * sizeof *kept->states);
    kept->boxes = kept->former = NULL;
    kept->families = NULL;
    kept->states = NULL;
    kept->count = kept->box_capacity = kept->former_capacity = kept->family_capacity = kept->state_capacity = 0;
}

void tr2_broad_kept_free(tr2_broad_kept *kept, tr_memory *memory)
{
    tr2_tree_free(&kept->trees[0]);
    tr2_tree_free(&kept->trees[1]);
    tr_release(memory, kept->moved, kept->moved_capacity * sizeof *kept->moved);
    release_all(kept, memory);
}

static bool is_moved(const tr2_broad *broad, uint32_t proxy)
{
    return (broad->states[proxy] & TR2_PROXY_MOVED) != 0;
}

/* the next proxy from one on that was set, in spans that are marked; the number of all: there is none */
static uint32_t next_moved(const tr2_broad *broad, uint32_t proxy)
{
    const uint32_t count = broad->state_capacity;
    while (proxy < count) {
        uint32_t span = tr2_broad_next_marked(broad, proxy / TR2_BROAD_SPAN);
        if (span >= broad->mark_capacity)
            break;
        if (span > proxy / TR2_BROAD_SPAN)
            proxy = span * TR2_BROAD_SPAN;
        for (uint32_t end = tr2_broad_span_end(broad, span); proxy < end; proxy++) {
            if (is_moved(broad, proxy))
                return proxy;
        }
    }
    return count;
}

/* the proxies that were set before the search; *fixed: some of them change the tree of fixed ones */
static bool keep_moved(const tr2_broad *broad, tr2_broad_kept *kept, bool *fixed)
{
    for (uint32_t proxy = next_moved(broad, 0); proxy < broad->state_capacity; proxy = next_moved(broad, proxy + 1)) {
        uint32_t state = broad->states[proxy];
        if (!tr_grow(broad->memory, (void **)&kept->moved, &kept->moved_capacity, kept->moved_count + 1,
                     sizeof *kept->moved))
            return false;
        kept->moved[kept->moved_count++] =
            (tr2_kept_proxy){proxy, (uint8_t)state, broad->boxes[proxy], broad->former[proxy]};
        *fixed = *fixed || TR2_PROXY_IN(state) == TR2_PROXY_FIXED || TR2_PROXY_KIND(state) == TR2_PROXY_FIXED;
    }
    return true;
}

static bool keep_all(const tr2_broad *broad, tr2_broad_kept *kept)
{
    tr_memory *m = broad->memory;
    const uint32_t count = broad->state_capacity;
    if (!tr_grow(m, (void **)&kept->boxes, &kept->box_capacity, count, sizeof *kept->boxes) ||
        !tr_grow(m, (void **)&kept->former, &kept->former_capacity, count, sizeof *kept->former) ||
        !tr_grow(m, (void **)&kept->families, &kept->family_capacity, count, sizeof *kept->families) ||
        !tr_grow(m, (void **)&kept->states, &kept->state_capacity, count, sizeof *kept->states))
        return false;
    kept->count = count;
    if (count == 0)
        return true;
    memcpy(kept->boxes, broad->boxes, count * sizeof *kept->boxes);
    memcpy(kept->former, broad->former, count * sizeof *kept->former);
    memcpy(kept->families, broad->families, count * sizeof *kept->families);
    memcpy(kept->states, broad->states, count * sizeof *kept->states);
    return true;
}

static bool keep_tree(const tr2_broad *broad, tr2_broad_kept *kept, uint32_t i)
{
    kept->has_tree[i] = kept->has_tree[i] || tr2_tree_copy(&kept->trees[i], &broad->trees[i]);
    return kept->has_tree[i];
}

bool tr2_broad_keep(const tr2_broad *broad, tr2_broad_kept *kept, bool whole)
{
    kept->moved_count = 0;
    kept->whole = whole;
    kept->resting = broad->resting;
    kept->unsettled = broad->unsettled;
    /* a tree that is not stale stays as it is while none of its proxies is set */
    bool fixed = whole || broad->trees[0].stale;
    kept->has_tree[0] = kept->has_tree[1] = false;
    if (!(whole ? keep_all(broad, kept) : keep_moved(broad, kept, &fixed)))
        return false;
    return !fixed || keep_tree(broad, kept, 0);
}

bool tr2_broad_keep_moving(const tr2_broad *broad, tr2_broad_kept *kept)
{
    return keep_tree(broad, kept, 1);
}

bool tr2_broad_keep_trees(const tr2_broad *broad, tr2_broad_kept *kept)
{
    return keep_tree(broad, kept, 0) && keep_tree(broad, kept, 1);
}

void tr2_broad_kept_settle(tr2_broad_kept *kept)
{
    if (kept->whole)
        release_all(kept, kept->trees[0].memory);
}

static void return_all(tr2_broad *broad, const tr2_broad_kept *kept)
{
    if (kept->count == 0)
        return;
    memcpy(broad->boxes, kept->boxes, kept->count * sizeof *kept->boxes);
    memcpy(broad->former, kept->former, kept->count * sizeof *kept->former);
    memcpy(broad->families, kept->families, kept->count * sizeof *kept->families);
    memcpy(broad->states, kept->states, kept->count * sizeof *kept->states);
    /* there is room for the marks since the states were kept */
    (void)tr2_broad_mark_all(broad);
}

static void return_moved(tr2_broad *broad, const tr2_broad_kept *kept)
{
    for (uint32_t proxy = next_moved(broad, 0); proxy < broad->state_capacity; proxy = next_moved(broad, proxy + 1)) {
        broad->boxes[proxy] = broad->former[proxy];
        broad->states[proxy] &= (uint8_t) ~(TR2_PROXY_MOVED | TR2_PROXY_ASKED);
    }
    for (uint32_t i = 0; i < kept->moved_count; i++) {
        const tr2_kept_proxy *it = &kept->moved[i];
        broad->boxes[it->proxy] = it->box;
        broad->former[it->proxy] = it->former;
        broad->states[it->proxy] = it->state;
        tr2_broad_mark(broad, it->proxy);
    }
}

/* where the proxies of a tree are; those that have changed their tree since were not set */
static void return_places(tr2_broad *broad, uint32_t in)
{
    const tr2_tree *tree = &broad->trees[in - 1];
    for (uint32_t place = 0; place < tree->leaf_count; place++) {
        uint32_t proxy = tree->proxies[place];
        if (proxy == TR2_TREE_HOLE)
            continue;
        broad->places[proxy] = place;
        if (TR2_PROXY_IN(broad->states[proxy]) != in)
            broad->states[proxy] = (uint8_t)(in | in << 2);
    }
}

void tr2_broad_return(tr2_broad *broad, const tr2_broad_kept *kept)
{
    for (uint32_t i = 0; i < 2; i++) {
        if (!kept->has_tree[i])
            continue;
        bool copied = tr2_tree_copy(&broad->trees[i], &kept->trees[i]);
        assert(copied);
        (void)copied;
        return_places(broad, i + 1);
    }
    if (kept->whole)
        return_all(broad, kept);
    else
        return_moved(broad, kept);
    broad->resting = kept->resting;
    broad->unsettled = kept->unsettled;
    broad->moved_count = broad->pair_count = 0;
}
