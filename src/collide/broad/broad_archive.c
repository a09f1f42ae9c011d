/* The broad phase in an archive: its trees as they are, because the order of their leaves is that of the pairs found. */
#include <math.h>
#include <string.h>

#include "collide/broad/broad.h"

/* Whether no search finds children of a level behind the last node, or leaf, below it. */
static bool are_ends_empty(const tr2_tree_level *level, uint32_t below)
{
    for (uint64_t child = below; child < (uint64_t)level->count * TR2_TREE_WIDTH; child++) {
        const tr2_tree_node *node = &level->nodes[child / TR2_TREE_WIDTH];
        uint32_t k = (uint32_t)(child % TR2_TREE_WIDTH);
        if (!(node->lower_x[k] == INFINITY && node->lower_y[k] == INFINITY && node->upper_x[k] == -INFINITY &&
              node->upper_y[k] == -INFINITY))
            return false;
    }
    return true;
}

static uint32_t nodes_of(uint32_t children)
{
    return children / TR2_TREE_WIDTH + (children % TR2_TREE_WIDTH != 0);
}

/* whether the levels are those of so many leaves, from the last one with nodes down */
static bool are_levels_sound(const tr2_tree *tree)
{
    const tr2_tree_level *levels = tree->levels;
    bool sound = tree->level_count <= TR2_TREE_LEVELS && levels[0].count <= nodes_of(tree->leaf_count) &&
                 (tree->level_count == 0) == (levels[0].count == 0);
    for (uint32_t i = 0; i < TR2_TREE_LEVELS && sound; i++) {
        if (i >= tree->level_count)
            sound = levels[i].count == 0;
        else if (i == 0)
            sound = are_ends_empty(&levels[0], tree->leaf_count);
        else
            sound = levels[i].count == nodes_of(levels[i - 1].count) && levels[i - 1].count > 1 &&
                    are_ends_empty(&levels[i], levels[i - 1].count);
    }
    return sound && (tree->level_count == 0 || levels[tree->level_count - 1].count == 1);
}

static void visit_tree(tr2_tree *tree, tr_archive *archive, uint32_t proxies)
{
    tr_archive_value(archive, tree->origin_x);
    tr_archive_value(archive, tree->origin_y);
    tr_archive_value(archive, tree->level_count);
    tr_archive_value(archive, tree->leaf_count);
    tr_archive_value(archive, tree->proxy_count);
    tr_archive_value(archive, tree->changes);
    tr_archive_flag(archive, &tree->stale);
    tr_archive_value(archive, tree->outline);
    tr_archive_value(archive, tree->sorted_outline);
    if (tree->leaf_count > INT32_MAX || tree->proxy_count > tree->leaf_count)
        tr_archive_refuse(archive);
    tr_archive_array(archive, (void **)&tree->proxies, &tree->leaf_capacity, tree->leaf_count, 0,
                     sizeof *tree->proxies);
    uint32_t most = nodes_of(tree->leaf_count);
    for (uint32_t i = 0; i < TR2_TREE_LEVELS; i++, most = nodes_of(most)) {
        tr2_tree_level *level = &tree->levels[i];
        /* the leaves' boxes are there before the nodes around them count */
        tr_archive_value(archive, level->count);
        uint32_t count = i == 0 ? most : level->count;
        if (level->count > most)
            tr_archive_refuse(archive);
        tr_archive_array(archive, (void **)&level->nodes, &level->capacity, count, most, sizeof *level->nodes);
    }
    if (!tr_archive_reads(archive) || archive->status != TR_OK)
        return;
    uint32_t count = 0;
    for (uint32_t i = 0; i < tree->leaf_count; i++) {
        count += tree->proxies[i] != TR2_TREE_HOLE;
        if (tree->proxies[i] != TR2_TREE_HOLE && tree->proxies[i] >= proxies)
            tr_archive_refuse(archive);
    }
    if (count != tree->proxy_count || !are_levels_sound(tree))
        tr_archive_refuse(archive);
}

/* whether the trees and the proxies know of each other */
static bool are_proxies_sound(const tr2_broad *broad, uint32_t proxies)
{
    uint32_t count = 0;
    for (uint32_t proxy = 0; proxy < proxies; proxy++) {
        uint32_t state = broad->states[proxy], in = TR2_PROXY_IN(state), kind = TR2_PROXY_KIND(state);
        if (in > TR2_PROXY_MOVING || kind > TR2_PROXY_MOVING || state > 63 ||
            (kind == TR2_PROXY_NONE && (in != TR2_PROXY_NONE || state != 0)))
            return false;
        if (in == TR2_PROXY_NONE)
            continue;
        const tr2_tree *tree = &broad->trees[in - 1];
        if (broad->places[proxy] >= tree->leaf_count || tree->proxies[broad->places[proxy]] != proxy)
            return false;
        count++;
    }
    return count == broad->trees[0].proxy_count + broad->trees[1].proxy_count;
}

/* boxes that are visited at once: as many bytes as an archive lays out in one piece, if it lays out pieces */
#define FORMER_RUN 512u

/* those of proxies that have one; of the others nothing is left of what was there */
static void visit_former(tr2_broad *broad, tr_archive *archive, uint32_t count)
{
    tr2_box run[FORMER_RUN];
    const bool reads = tr_archive_reads(archive), counts = archive->mode == TR_ARCHIVE_COUNT;
    tr_archive_array(archive, (void **)&broad->former, &broad->former_capacity, 0, reads ? count : 0,
                     sizeof *broad->former);
    for (uint32_t first = 0; first < count && tr_archive_goes_on(archive); first += FORMER_RUN) {
        const uint32_t size = count - first < FORMER_RUN ? count - first : FORMER_RUN;
        for (uint32_t i = 0; i < size && !reads && !counts; i++)
            run[i] = (broad->states[first + i] & TR2_PROXY_ASKED) != 0 ? broad->former[first + i] : (tr2_box){0};
        tr_archive_bytes(archive, run, size * sizeof *run);
        if (reads && archive->status == TR_OK)
            memcpy(broad->former + first, run, size * sizeof *run);
    }
}

void tr2_broad_archive(tr2_broad *broad, tr_archive *archive, uint32_t proxies)
{
    uint32_t count = broad->state_capacity < proxies ? broad->state_capacity : proxies;
    tr_archive_value(archive, count);
    if (count > proxies)
        tr_archive_refuse(archive);
    visit_tree(&broad->trees[0], archive, count);
    visit_tree(&broad->trees[1], archive, count);
    tr_archive_array(archive, (void **)&broad->boxes, &broad->box_capacity, count, 0, sizeof *broad->boxes);
    visit_former(broad, archive, count);
    tr_archive_array(archive, (void **)&broad->places, &broad->place_capacity, count, 0, sizeof *broad->places);
    tr_archive_array(archive, (void **)&broad->families, &broad->family_capacity, count, 0, sizeof *broad->families);
    tr_archive_array(archive, (void **)&broad->states, &broad->state_capacity, count, 0, sizeof *broad->states);
    tr_archive_value(archive, broad->resting);
    tr_archive_flag(archive, &broad->unsettled);
    if (!tr_archive_reads(archive))
        return;
    broad->moved_count = broad->pair_count = 0;
    if (archive->status == TR_OK && !tr2_broad_mark_all(broad))
        archive->status = TR_ERROR_MEMORY;
    if (archive->status == TR_OK && !are_proxies_sound(broad, count))
        tr_archive_refuse(archive);
}
