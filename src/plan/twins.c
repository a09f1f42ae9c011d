/* Finds islands of the same structure, and lays them side by side. */
#include "plan/twins.h"

#include <string.h>

#include "base/map.h"

typedef struct tr_finder {
    tr_islands *islands;
    const tr_graph *graph;
    uint32_t *place;     /* of each vertex in its island */
    uint32_t *canonical; /* from an island's begin on: its canonical order */
    uint32_t *mapped;    /* vertices of an island in another order */
    tr_map first;        /* the first island with a key */
    tr_shape *shape;     /* allocated when first needed */
} tr_finder;

/* What keys are made from. Most islands that have no twins are known by the first, which costs least. */
typedef enum tr_key_level { BY_DEGREES, BY_EDGES, CANONICAL } tr_key_level;

/* Sets the first island with the same key and as many vertices; that is the island itself if there is none yet. */
static bool find_first(tr_finder *finder, uint32_t island, tr_key_level level, uint64_t key)
{
    tr_island *it = &finder->islands->all[island];
    tr_map_key full = {key, (uint64_t)level << 32 | it->count};
    it->first = tr_map_find(&finder->first, full);
    if (it->first != TR_MAP_NONE)
        return true;
    it->first = island;
    if (!tr_map_reserve(&finder->first, finder->first.count + 1))
        return false;
    tr_map_put(&finder->first, full, island);
    return true;
}

/* Whether two islands are twins as they were made. */
static bool same_as_made(const tr_finder *finder, const tr_island *a, const tr_island *b)
{
    const uint32_t *vertices = finder->islands->vertices;
    return a->count == b->count &&
           tr_same_shape(finder->graph, finder->place, vertices + a->begin, vertices + b->begin, a->count);
}

/* Finds the islands that may have twins: not those that are large, nor those where a vertex has too many edges.
   Compares each with the first one of those before it, because many are made alike one after the other, and need no
   keys then. */
static void find_candidates(tr_finder *finder, uint32_t most_vertices, uint32_t most_edges)
{
    uint32_t last = TR_NONE;
    for (uint32_t i = 0; i < finder->islands->count; i++) {
        tr_island *island = &finder->islands->all[i];
        const uint32_t *vertices = finder->islands->vertices + island->begin;
        island->first = i;
        island->candidate = island->count <= most_vertices;
        for (uint32_t v = 0; v < island->count && island->candidate; v++) {
            finder->place[vertices[v]] = v;
            island->candidate = finder->graph->vertices[vertices[v]].degree <= most_edges;
        }
        if (!island->candidate)
            continue;
        bool same = last != TR_NONE && same_as_made(finder, &finder->islands->all[last], island);
        last = island->like = same ? last : i;
    }
}

/* Groups the candidates by a key. Those of small groups are none any more. */
static bool sort_by_key(tr_finder *finder, tr_key_level level)
{
    tr_island *all = finder->islands->all;
    for (uint32_t i = 0; i < finder->islands->count; i++)
        all[i].members = 0;
    for (uint32_t i = 0; i < finder->islands->count; i++) {
        const uint32_t *vertices = finder->islands->vertices + all[i].begin;
        if (!all[i].candidate)
            continue;
        if (all[i].like != i)
            all[i].first = all[all[i].like].first;
        else if (!find_first(finder, i, level,
                             level == BY_DEGREES ? tr_shape_degrees(finder->graph, vertices, all[i].count)
                                                 : tr_shape_edges(finder->graph, vertices, all[i].count)))
            return false;
        all[all[i].first].members++;
    }
    for (uint32_t i = 0; i < finder->islands->count; i++)
        all[i].candidate = all[i].candidate && all[all[i].first].members >= TR_RUN_GROUP;
    return true;
}

/* Finds the canonical order of an island, and the first island that has the same key now. The first one remains
   the island itself if it is too large. */
static bool find_canonical(tr_finder *finder, uint32_t island)
{
    tr_island *it = &finder->islands->all[island];
    const uint32_t *vertices = finder->islands->vertices + it->begin;
    uint64_t key;
    it->first = island;
    if (!tr_shape_order(finder->shape, finder->graph, finder->place, vertices, it->count, finder->canonical + it->begin,
                        &key))
        return true;
    it->ordered = true;
    return find_first(finder, island, CANONICAL, key);
}

/* Puts an island's vertices in the order of the corresponding ones of another. False: it has another structure. */
static bool follow(const tr_finder *finder, const tr_island *island, const tr_island *first)
{
    uint32_t *vertices = finder->islands->vertices + island->begin, *mapped = finder->mapped;
    for (uint32_t i = 0; i < island->count; i++) {
        uint32_t index = finder->canonical[first->begin + i];
        mapped[index] = vertices[finder->canonical[island->begin + i]];
        finder->place[mapped[index]] = index;
    }
    const uint32_t *others = finder->islands->vertices + first->begin;
    if (!tr_same_shape(finder->graph, finder->place, others, mapped, island->count))
        return false;
    memcpy(vertices, mapped, island->count * sizeof *vertices);
    return true;
}

/* Compares an island with the first one of its key as they were made, and then by their canonical orders; not if one
   made like it is known to be the first of its structure. */
static bool compare(tr_finder *finder, uint32_t island)
{
    tr_island *all = finder->islands->all, *it = &all[island];
    if (it->like != island && all[it->like].first == it->like) {
        it->first = it->like;
        return true;
    }
    uint32_t first = it->first;
    if (first == island || same_as_made(finder, &all[first], it))
        return true;
    if (finder->shape == NULL && (finder->shape = tr_shape_create(finder->islands->memory)) == NULL)
        return false;
    if (!all[first].ordered && !find_canonical(finder, first))
        return false;
    all[first].first = first;
    if (!find_canonical(finder, island))
        return false;
    if (it->first != island && !follow(finder, it, &all[it->first]))
        it->first = island;
    return true;
}

/* Lists the islands of each structure. */
static void link_twins(tr_islands *islands)
{
    for (uint32_t i = 0; i < islands->count; i++) {
        islands->all[i].next = TR_NONE;
        islands->all[i].members = 1;
    }
    for (uint32_t i = islands->count; i-- > 0;) {
        tr_island *island = &islands->all[i], *first = &islands->all[island->first];
        if (first == island)
            continue;
        island->next = first->next;
        first->next = i;
        first->members++;
    }
}

bool tr_find_twins(tr_islands *islands, const tr_graph *graph, uint32_t most_vertices, uint32_t most_edges,
                   uint32_t *const scratch[3])
{
    tr_finder finder = {
        .islands = islands, .graph = graph, .place = scratch[0], .canonical = scratch[1], .mapped = scratch[2]};
    tr_map_init(&finder.first, islands->memory);
    find_candidates(&finder, most_vertices, most_edges);
    bool done = tr_map_reserve(&finder.first, islands->count) && sort_by_key(&finder, BY_DEGREES) &&
                sort_by_key(&finder, BY_EDGES);
    for (uint32_t i = 0; done && i < islands->count; i++) {
        if (islands->all[i].candidate)
            done = compare(&finder, i);
        else
            islands->all[i].first = i;
    }
    link_twins(islands);
    tr_map_free(&finder.first);
    tr_shape_destroy(finder.shape, islands->memory);
    return done;
}

void tr_lay_side_by_side(uint32_t *vertices, uint32_t count, uint32_t islands, uint32_t *scratch)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t island = 0; island < islands; island++)
            scratch[i * islands + island] = vertices[island * count + i];
    memcpy(vertices, scratch, (size_t)count * islands * sizeof *vertices);
}

/*
 * Edges of twins
 */

/* The highest rank of an edge's ends; TR_NONE if one is fixed. */
static uint32_t highest(const tr_graph *graph, const uint32_t *rank, uint32_t edge)
{
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex), high = 0;
    for (uint32_t end = 0; end < count; end++) {
        uint32_t here = graph->vertices[vertex[end]].moving ? rank[vertex[end]] : TR_NONE;
        high = here > high ? here : high;
    }
    return high;
}

/* By the highest rank, then by kind, then by the ends. */
typedef struct tr_edge_key {
    uint32_t edge;
    uint32_t numbers[2 + TR_ENDS];
} tr_edge_key;

static tr_edge_key edge_key(const tr_graph *graph, const uint32_t *rank, uint32_t edge)
{
    tr_edge_key key = {.edge = edge, .numbers = {highest(graph, rank, edge), graph->edges[edge].kind}};
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex);
    for (uint32_t end = 0; end < count; end++)
        key.numbers[2 + end] = graph->vertices[vertex[end]].moving ? rank[vertex[end]] : TR_NONE;
    return key;
}

static bool comes_after(const tr_edge_key *a, const tr_edge_key *b)
{
    uint32_t i = 0;
    while (i < 1 + TR_ENDS && a->numbers[i] == b->numbers[i])
        i++;
    return a->numbers[i] > b->numbers[i];
}

void tr_sort_alike(const tr_graph *graph, const uint32_t *rank, uint32_t *edges, uint32_t count)
{
    tr_edge_key sorted[TR_COLORS_MOVING];
    uint32_t high = highest(graph, rank, edges[0]);
    bool tie = false;
    for (uint32_t i = 1; i < count && !tie; i++) {
        uint32_t next = highest(graph, rank, edges[i]);
        tie = next == high;
        high = next;
    }
    for (uint32_t i = 0; i < count && tie; i++) {
        tr_edge_key key = edge_key(graph, rank, edges[i]);
        uint32_t at = i;
        for (; at > 0 && comes_after(&sorted[at - 1], &key); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = key;
    }
    for (uint32_t i = 0; i < count && tie; i++)
        edges[i] = sorted[i].edge;
}
