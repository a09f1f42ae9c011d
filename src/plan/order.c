/*
 * The order of a fresh plan. Vertices: island by island, each breadth first from a vertex of lowest degree, neighbours
 * of lower degree first (Cuthill and McKee, Reducing the bandwidth of sparse symmetric matrices, 1969). A large island
 * is cut into pieces, each in the island's order. Units are consecutive parts of that order. Edges: by the ranks of
 * their ends. Counting sorts and graph walks only: linear in the size of the graph.
 */
#include "plan/twins.h"

#include <string.h>

/* Neighbours of each moving vertex along edges between moving ones, sorted by (degree, number). */
typedef struct tr_adjacency {
    uint32_t *first;         /* of each vertex, into neighbors; vertex_slots + 1 entries */
    uint32_t *neighbors;     /* neighbor_capacity entries */
    uint32_t *state;         /* of each vertex; scratch of the algorithms */
    uint32_t *bucket;        /* the greatest number of neighbours + 1 entries, or vertex_slots + 1 if that is more */
    size_t buckets, degrees; /* entries; those that there may be degrees for */
    size_t neighbor_capacity;
} tr_adjacency;

/* An order in the making. */
struct tr_ordering {
    tr_adjacency adjacency;
    tr_islands islands;
    uint32_t target;     /* vertices of a unit */
    uint32_t most_edges; /* of a vertex in a unit */
};

/* An array of at least one number, so that null always means out of memory. */
static uint32_t *numbers(tr_memory *memory, size_t count)
{
    return tr_allocate_array(memory, count + 1, sizeof(uint32_t));
}

/* The same, with any content: very many vertices may sleep, and to clear what belongs to them takes time. */
static uint32_t *unset_numbers(tr_memory *memory, size_t count)
{
    return tr_allocate_unset(memory, count + 1, sizeof(uint32_t));
}

static void numbers_release(tr_memory *memory, uint32_t *array, size_t count)
{
    tr_release(memory, array, (count + 1) * sizeof *array);
}

/* Exclusive prefix sum, which turns counts into start positions: out[i] = sum of in[0 .. i - 1]. */
static void accumulate(uint32_t *counts, size_t count)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t here = counts[i];
        counts[i] = sum;
        sum += here;
    }
}

/*
 * Neighbours
 */

static uint32_t degree_of(const tr_adjacency *adjacency, uint32_t vertex)
{
    return adjacency->first[vertex + 1] - adjacency->first[vertex];
}

/* Sorts the moving vertices, which come by number, by (degree, number) into `sorted`. */
static void sort_by_degree(const tr_graph *graph, tr_adjacency *adjacency, const uint32_t *moving, uint32_t *sorted)
{
    memset(adjacency->bucket, 0, adjacency->degrees * sizeof *adjacency->bucket);
    for (uint32_t i = 0; i < graph->moving_count; i++)
        adjacency->bucket[degree_of(adjacency, moving[i])]++;
    accumulate(adjacency->bucket, adjacency->degrees);
    for (uint32_t i = 0; i < graph->moving_count; i++)
        sorted[adjacency->bucket[degree_of(adjacency, moving[i])]++] = moving[i];
}

/* Lists the edges that are coloured: very many others may sleep. */
static void list_edges(const tr_graph *graph, tr_order *order)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < graph->edge_slots; e++) {
        if (graph->edges[e].alive && tr_graph_moving_ends(graph, e) > 0)
            order->edges[count++] = e;
    }
    order->edge_count = count;
}

/* by number, as the edges */
static void list_moving(const tr_graph *graph, uint32_t *moving)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < graph->vertex_slots && count < graph->moving_count; v++) {
        if (graph->vertices[v].moving)
            moving[count++] = v;
    }
}

/* Visits the vertices in sorted order and appends each to the lists of its neighbours: so all lists are sorted. */
static void find_neighbors(const tr_graph *graph, const tr_order *order, tr_adjacency *adjacency,
                           const uint32_t *moving_vertices, uint32_t *sorted)
{
    for (uint32_t i = 0; i < order->edge_count; i++) {
        uint32_t vertex[TR_ENDS], e = order->edges[i];
        uint32_t moving = tr_graph_moving_ends(graph, e), count = tr_graph_ends(graph, e, vertex);
        for (uint32_t end = 0; end < count && moving > 1; end++) {
            if (graph->vertices[vertex[end]].moving)
                adjacency->first[vertex[end]] += moving - 1;
        }
    }
    accumulate(adjacency->first, (size_t)graph->vertex_slots + 1);
    sort_by_degree(graph, adjacency, moving_vertices, sorted);

    for (uint32_t i = 0; i < graph->moving_count; i++)
        adjacency->state[sorted[i]] = adjacency->first[sorted[i]];
    for (uint32_t i = 0; i < graph->moving_count; i++) {
        uint32_t v = sorted[i];
        for (uint32_t half = graph->vertices[v].first; half != TR_NONE;) {
            uint32_t vertex[TR_ENDS], edge = tr_half_edge(half), count = tr_graph_ends(graph, edge, vertex);
            for (uint32_t end = 0; end < count; end++) {
                if (end != tr_half_end(half) && graph->vertices[vertex[end]].moving)
                    adjacency->neighbors[adjacency->state[vertex[end]]++] = v;
            }
            half = *tr_graph_next(graph, half);
        }
    }
}

/*
 * Vertices
 */

/* Appends everything reachable from `start` to queue[begin ..], breadth first, and sets its state. Returns the end. */
static uint32_t walk(tr_adjacency *adjacency, uint32_t start, uint32_t state, uint32_t *queue, uint32_t begin)
{
    uint32_t end = begin;
    queue[end++] = start;
    adjacency->state[start] = state;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t v = queue[i];
        for (uint32_t j = adjacency->first[v]; j < adjacency->first[v + 1]; j++) {
            uint32_t other = adjacency->neighbors[j];
            if (adjacency->state[other] != state) {
                adjacency->state[other] = state;
                queue[end++] = other;
            }
        }
    }
    return end;
}

/* The vertex with the lowest (degree, number). */
static uint32_t loneliest(const tr_adjacency *adjacency, const uint32_t *vertices, uint32_t count)
{
    uint32_t best = vertices[0];
    for (uint32_t i = 1; i < count; i++) {
        uint32_t degree = degree_of(adjacency, vertices[i]), least = degree_of(adjacency, best);
        if (degree < least || (degree == least && vertices[i] < best))
            best = vertices[i];
    }
    return best;
}

/* TWIN: laid side by side with others */
enum { UNSEEN, GATHERED, ORDERED, CUT, TWIN };

/* The bodies and joints of a unit should fit in a level 2 cache of 1 MB with room to spare; small worlds should
   still have enough units for several workers. */
#define UNIT_MOST  2048u
#define UNIT_LEAST 512u
#define UNIT_SHARE 16u
/* Sixteen twins with this many vertices in all get a unit of their own. They fit in a level 1 cache, and are enough
   to pay for the fixed cost of each span. */
#define UNIT_TWINS 256u
/* Sixteens of smaller ones share a unit up to about this many vertices: with features in space half of a level 2 cache,
   whose other half takes the next unit meanwhile. */
#define UNIT_SIXTEENS 512u

static uint32_t unit_target(const tr_graph *graph, uint32_t unit_size)
{
    if (unit_size != TR_UNIT_AUTOMATIC)
        return unit_size;
    uint32_t target = graph->moving_count / UNIT_SHARE;
    return target < UNIT_LEAST ? UNIT_LEAST : target > UNIT_MOST ? UNIT_MOST : target;
}

/*
 * Cuts an island into pieces of about `target` vertices. Each piece grows breadth first from the first vertex, in the
 * island's order, that is in no piece yet. A piece that cannot grow before it is half full continues from the next such
 * vertex. On return, `queue` has the island's vertices piece by piece, each piece in the island's order: so the
 * breadth-first levels continue through the pieces, and edges between two pieces are consecutive.
 */
static void cut_island(tr_adjacency *adjacency, tr_order *order, uint32_t *queue, uint32_t count, uint32_t target,
                       uint32_t *scratch)
{
    memcpy(scratch, queue, count * sizeof *scratch);
    uint32_t end = 0, piece = 0, first_unit = order->unit_count, *place = adjacency->bucket;
    for (uint32_t seed = 0; seed < count; seed++) {
        if (adjacency->state[scratch[seed]] == CUT)
            continue;
        if (end - piece >= target / 2) {
            place[order->unit_count++ - first_unit] = piece;
            piece = end;
        }
        uint32_t next = end, fresh = end;
        queue[end++] = scratch[seed];
        adjacency->state[scratch[seed]] = CUT;
        for (; next < end && end - piece < target; next++) {
            uint32_t v = queue[next];
            for (uint32_t j = adjacency->first[v]; j < adjacency->first[v + 1] && end - piece < target; j++) {
                uint32_t other = adjacency->neighbors[j];
                if (adjacency->state[other] == CUT)
                    continue;
                adjacency->state[other] = CUT;
                queue[end++] = other;
            }
        }
        for (uint32_t i = fresh; i < end; i++)
            order->unit[queue[i]] = order->unit_count;
    }
    place[order->unit_count++ - first_unit] = piece;
    for (uint32_t i = 0; i < count; i++)
        queue[place[order->unit[scratch[i]] - first_unit]++] = scratch[i];
}

/* Assigns an island, already in order, to units: together with others up to the target, or in pieces if it is large.
   `waits`: it may continue a series of up to sixteen interleaved islands, and should then share their unit. `full`: the
   sixteen before it fill their unit. */
static void enter_island(tr_adjacency *adjacency, tr_order *order, uint32_t *queue, uint32_t count, uint32_t target,
                         bool waits, bool full, uint32_t *filled)
{
    /* an island not much larger than a unit stays whole */
    bool large = count > 2 * (uint64_t)target;
    bool enough = full || (*filled >= target && !waits);
    if (*filled > 0 && (large || enough || (uint64_t)*filled + count > 2 * (uint64_t)target)) {
        order->unit_count++;
        *filled = 0;
    }
    if (large) {
        cut_island(adjacency, order, queue, count, target, order->rank);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        order->unit[queue[i]] = order->unit_count;
    *filled += count;
}

/* Finds the islands of the moving vertices, which come by number, by their lowest ones, each in its own order. Single
   vertices are counted, but not listed. */
static bool find_islands(const tr_graph *graph, tr_adjacency *adjacency, const uint32_t *moving, tr_order *order,
                         tr_islands *islands)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < graph->moving_count; i++)
        adjacency->state[moving[i]] = UNSEEN;
    for (uint32_t i = 0; i < graph->moving_count; i++) {
        uint32_t v = moving[i];
        if (adjacency->state[v] != UNSEEN)
            continue;
        uint32_t begin = end, count = walk(adjacency, v, GATHERED, islands->vertices, begin) - begin;
        uint32_t start = loneliest(adjacency, islands->vertices + begin, count);
        end = walk(adjacency, start, ORDERED, islands->vertices, begin);
        tr_plan_islands_add(&order->islands, count);
        if (count == 1)
            continue;
        if (!tr_grow(islands->memory, (void **)&islands->all, &islands->capacity, islands->count + 1,
                     sizeof *islands->all))
            return false;
        islands->all[islands->count++] = (tr_island){.begin = begin, .count = count};
    }
    islands->vertex_count = end;
    return true;
}

/* Islands on their way into the order. */
typedef struct tr_placing {
    const tr_islands *islands;
    tr_adjacency *adjacency;
    tr_order *order;
    uint32_t target; /* vertices of a unit */
    uint32_t end;    /* vertices placed so far */
    uint32_t filled; /* those in the current unit */
    bool full;       /* nothing else should be in that */
} tr_placing;

/* Appends an island to the order, and to a unit. `waits`: as for enter_island(). */
static void place_island(tr_placing *at, uint32_t begin, uint32_t count, bool waits)
{
    uint32_t *vertices = at->order->vertices + at->end;
    memcpy(vertices, at->islands->vertices + begin, count * sizeof *vertices);
    if (at->target > 0)
        enter_island(at->adjacency, at->order, vertices, count, at->target, waits, at->full, &at->filled);
    at->full = false;
    at->end += count;
}

/* Interleaves the islands before `end` unless there are too few for a run's groups. */
static void lay_twins(const tr_placing *at, uint32_t end, uint32_t count, uint32_t islands)
{
    uint32_t *vertices = at->order->vertices + end - count * islands;
    if (islands < TR_RUN_GROUP)
        return;
    tr_lay_side_by_side(vertices, count, islands, at->adjacency->bucket);
    at->order->twins += islands;
    for (uint32_t i = 0; i < count * islands; i++)
        at->adjacency->state[vertices[i]] = TWIN;
}

/* Appends an island and the next of its twins, up to 16 in all, and interleaves those in the same unit. */
static void place_twins(tr_placing *at, uint32_t island, uint32_t twins)
{
    tr_island *all = at->islands->all;
    const uint32_t *unit = at->order->unit, *vertices = at->order->vertices;
    uint32_t count = all[island].count, series = 0;
    all[all[island].first].members -= twins;
    for (uint32_t i = 0; i < twins; i++) {
        uint32_t before = at->end;
        place_island(at, all[island].begin, count, i > 0);
        if (i > 0 && unit[vertices[before - 1]] != unit[vertices[before]]) {
            lay_twins(at, before, count, series);
            series = 0;
        }
        series++;
        all[island].placed = true;
        island = all[island].next;
    }
    lay_twins(at, at->end, count, series);
    at->full = series == TR_LANES && (count >= UNIT_TWINS / TR_LANES || at->filled >= UNIT_SIXTEENS);
}

/* First all series of sixteen twins, so that nothing else is in their units unless the last is small; then the other
   islands, each of which brings with it what is left of its structure, if that makes a group of a run. Returns the
   number of vertices. */
static uint32_t place_islands(tr_adjacency *adjacency, tr_order *order, const tr_islands *islands, uint32_t target)
{
    tr_placing at = {.islands = islands, .adjacency = adjacency, .order = order, .target = target};
    for (uint32_t i = 0; i < islands->count; i++) {
        if (!islands->all[i].placed && islands->all[islands->all[i].first].members >= TR_LANES)
            place_twins(&at, i, TR_LANES);
    }
    at.full = at.filled >= UNIT_TWINS;
    uint32_t next = 0; /* single vertices are between the islands */
    for (uint32_t i = 0; i <= islands->count; i++) {
        for (uint32_t end = i < islands->count ? islands->all[i].begin : islands->vertex_count; next < end; next++)
            place_island(&at, next, 1, false);
        if (i == islands->count)
            break;
        next += islands->all[i].count;
        uint32_t left = islands->all[islands->all[i].first].members;
        if (!islands->all[i].placed)
            place_twins(&at, i, left < TR_RUN_GROUP ? 1 : left);
    }
    order->unit_count += at.filled > 0;
    return at.end;
}

static void order_vertices(const tr_graph *graph, tr_adjacency *adjacency, tr_order *order, const tr_islands *islands,
                           uint32_t target, uint32_t most_edges)
{
    uint32_t end = place_islands(adjacency, order, islands, target);
    for (uint32_t v = 0; v < graph->vertex_slots; v++) {
        if (graph->vertices[v].alive && !graph->vertices[v].moving)
            order->vertices[end++] = v;
    }
    for (uint32_t i = 0; i < end; i++) {
        const tr_graph_vertex *vertex = &graph->vertices[order->vertices[i]];
        if (!vertex->moving || vertex->degree > most_edges || target == 0)
            order->unit[order->vertices[i]] = TR_NONE;
    }
    for (uint32_t i = 0; i < end; i++)
        order->rank[order->vertices[i]] = i;
}

/*
 * Edges
 */

/* The lowest and highest rank of an edge's ends (fixed vertices have the higher ones). */
static void end_ranks(const tr_graph *graph, const tr_order *order, uint32_t edge, uint32_t ranks[2])
{
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, edge, vertex);
    uint32_t a = order->rank[vertex[0]], b = order->rank[vertex[1]];
    ranks[0] = a < b ? a : b;
    ranks[1] = a < b ? b : a;
    for (uint32_t end = 2; end < count; end++) {
        uint32_t rank = order->rank[vertex[end]];
        ranks[0] = rank < ranks[0] ? rank : ranks[0];
        ranks[1] = rank > ranks[1] ? rank : ranks[1];
    }
}

/* Two stable counting sorts of the listed edges, by the higher rank, then by the lower. `pairs`: 2 * edge_slots numbers. */
static void order_edges(const tr_graph *graph, tr_order *order, uint32_t *pairs, uint32_t *low, uint32_t *high)
{
    size_t size = (size_t)graph->vertex_count + 1;
    const uint32_t count = order->edge_count;
    uint32_t ranks[2];
    memset(low, 0, size * sizeof *low);
    memset(high, 0, size * sizeof *high);
    for (uint32_t i = 0; i < count; i++) {
        end_ranks(graph, order, order->edges[i], ranks);
        low[ranks[0]]++;
        high[ranks[1]]++;
    }
    accumulate(low, size);
    accumulate(high, size);
    for (uint32_t i = 0; i < count; i++) {
        end_ranks(graph, order, order->edges[i], ranks);
        /* store the lower rank with the edge, so that the second sort reads sequentially */
        uint32_t *pair = pairs + 2 * (size_t)high[ranks[1]]++;
        pair[0] = ranks[0];
        pair[1] = order->edges[i];
    }
    for (size_t i = 0; i < count; i++)
        order->edges[low[pairs[2 * i]]++] = pairs[2 * i + 1];
}

/* Gives the corresponding edges of twins the same order, where ranks leave it open. `end`: where the edges of each
   lower rank end. */
static void order_edges_of_twins(const tr_graph *graph, const tr_adjacency *adjacency, tr_order *order,
                                 const uint32_t *end)
{
    uint32_t begin = 0;
    for (uint32_t rank = 0; rank < graph->moving_count && order->twins > 0; rank++) {
        if (end[rank] - begin > 1 && adjacency->state[order->vertices[rank]] == TWIN)
            tr_sort_alike(graph, order->rank, order->edges + begin, end[rank] - begin);
        begin = end[rank];
    }
}

/*
 * Vertices and edges
 */

/* Frees what only the making of an order needs. */
static void ordering_destroy(tr_order *order, tr_memory *memory, const tr_graph *graph)
{
    tr_ordering *it = order->making;
    if (it == NULL)
        return;
    numbers_release(memory, it->islands.vertices, graph->vertex_slots);
    tr_release(memory, it->islands.all, it->islands.capacity * sizeof *it->islands.all);
    numbers_release(memory, it->adjacency.first, graph->vertex_slots);
    numbers_release(memory, it->adjacency.neighbors, it->adjacency.neighbor_capacity);
    numbers_release(memory, it->adjacency.state, graph->vertex_slots);
    numbers_release(memory, it->adjacency.bucket, it->adjacency.buckets);
    tr_release(memory, it, sizeof *it);
    order->making = NULL;
}

void tr_order_destroy(tr_order *order, tr_memory *memory, const tr_graph *graph)
{
    ordering_destroy(order, memory, graph);
    numbers_release(memory, order->vertices, graph->vertex_slots);
    numbers_release(memory, order->rank, graph->vertex_slots);
    numbers_release(memory, order->unit, graph->vertex_slots);
    numbers_release(memory, order->edges, graph->edge_slots);
    *order = (tr_order){0};
}

bool tr_order_begin(tr_order *order, tr_memory *memory, const tr_graph *graph, uint32_t max_degree, uint32_t unit_size,
                    uint32_t most_edges)
{
    size_t vertices = graph->vertex_slots, edges = graph->edge_slots;
    /* an edge makes each of its ends a neighbour of all the others */
    size_t most = (size_t)max_degree * (graph->extra_count > 0 ? TR_ENDS - 1 : 1);
    tr_ordering *it = tr_allocate(memory, sizeof *it);
    *order = (tr_order){.making = it};
    if (it == NULL)
        return false;
    tr_adjacency *adjacency = &it->adjacency;
    adjacency->degrees = most + 2;
    adjacency->buckets = (vertices > most ? vertices : most) + 2;
    adjacency->neighbor_capacity = 2 * edges + TR_ENDS * (TR_ENDS - 1) * (size_t)graph->extra_count;
    it->islands.memory = memory;
    it->target = unit_target(graph, unit_size);
    it->most_edges = most_edges;
    bool done = (order->vertices = unset_numbers(memory, vertices)) != NULL &&
                (order->rank = numbers(memory, vertices)) != NULL &&
                (order->unit = numbers(memory, vertices)) != NULL &&
                (order->edges = unset_numbers(memory, edges)) != NULL &&
                (adjacency->first = numbers(memory, vertices)) != NULL &&
                (adjacency->neighbors = unset_numbers(memory, adjacency->neighbor_capacity)) != NULL &&
                (adjacency->state = unset_numbers(memory, vertices)) != NULL &&
                (adjacency->bucket = unset_numbers(memory, adjacency->buckets)) != NULL &&
                (it->islands.vertices = unset_numbers(memory, vertices)) != NULL;
    if (done) {
        list_edges(graph, order);
        list_moving(graph, it->islands.vertices);
        find_neighbors(graph, order, adjacency, it->islands.vertices, order->vertices);
        memcpy(order->vertices, it->islands.vertices, graph->moving_count * sizeof *order->vertices);
    }
    return done;
}

bool tr_order_islands(tr_order *order, const tr_graph *graph)
{
    tr_ordering *it = order->making;
    uint32_t *const scratch[3] = {order->rank, order->vertices, it->adjacency.bucket};
    /* order->vertices has the moving ones by number */
    return find_islands(graph, &it->adjacency, order->vertices, order, &it->islands) &&
           tr_find_twins(&it->islands, graph, it->target > 0 ? it->target : graph->moving_count, it->most_edges,
                         scratch);
}

void tr_order_end(tr_order *order, tr_memory *memory, const tr_graph *graph)
{
    tr_ordering *it = order->making;
    tr_adjacency *adjacency = &it->adjacency;
    order_vertices(graph, adjacency, order, &it->islands, it->target, it->most_edges);
    order_edges(graph, order, adjacency->neighbors, adjacency->first, adjacency->bucket);
    order_edges_of_twins(graph, adjacency, order, adjacency->first);
    ordering_destroy(order, memory, graph);
}
