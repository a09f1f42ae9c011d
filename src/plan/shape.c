/*
 * The structure of an island: what its edges are and which vertices they join, apart from all numbers. Two islands are
 * compared vertex by vertex, in an order in which corresponding vertices have the same places. Such an order is found
 * by hashes of what is around each vertex: refinement of colours (Weisfeiler and Leman, 1968) until some vertex is
 * known by its hash alone, then breadth first from there. Hashes decide only what is compared, never the result.
 */
#include "plan/twins.h"

#include <string.h>

/* What the edge of a half-edge is to its vertex: kind and end. */
static uint32_t role_of(const tr_graph *graph, uint32_t half)
{
    const tr_graph_edge *edge = &graph->edges[tr_half_edge(half)];
    return edge->kind | tr_half_end(half) << 16 | (uint32_t)edge->end_count << 18;
}

/*
 * Comparison
 */

/* An edge at a vertex, with the places of the vertices at its ends in the island. */
typedef struct tr_incidence {
    uint32_t role;
    uint32_t place[TR_ENDS]; /* TR_NONE: fixed, or no such end */
} tr_incidence;

static tr_incidence incidence_of(const tr_graph *graph, const uint32_t *place, uint32_t half)
{
    tr_incidence out = {role_of(graph, half), {TR_NONE, TR_NONE, TR_NONE, TR_NONE}};
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, tr_half_edge(half), vertex);
    for (uint32_t end = 0; end < count; end++) {
        if (graph->vertices[vertex[end]].moving)
            out.place[end] = place[vertex[end]];
    }
    return out;
}

/* The edges of a vertex from `half` on, sorted; returns their number. */
static uint32_t sorted_incidences(const tr_graph *graph, const uint32_t *place, uint32_t half, tr_incidence *out)
{
    uint32_t count = 0;
    for (; half != TR_NONE; half = *tr_graph_next(graph, half)) {
        tr_incidence it = incidence_of(graph, place, half);
        uint32_t at = count++;
        for (; at > 0 && memcmp(&out[at - 1], &it, sizeof it) > 0; at--)
            out[at] = out[at - 1];
        out[at] = it;
    }
    return count;
}

/* Whether two half-edges have the same role, and the ends of their edges the same places in their islands. */
static bool same_edge(const tr_graph *graph, const uint32_t *place, uint32_t half_a, uint32_t half_b)
{
    uint32_t a[TR_ENDS], b[TR_ENDS], count = tr_graph_ends(graph, tr_half_edge(half_a), a);
    if (role_of(graph, half_a) != role_of(graph, half_b))
        return false;
    (void)tr_graph_ends(graph, tr_half_edge(half_b), b);
    for (uint32_t end = 0; end < count; end++) {
        bool moving = graph->vertices[a[end]].moving;
        if (moving != graph->vertices[b[end]].moving || (moving && place[a[end]] != place[b[end]]))
            return false;
    }
    return true;
}

/* Whether two vertices have the same edges; quick if these were made in the same order. */
static bool same_edges(const tr_graph *graph, const uint32_t *place, uint32_t half_a, uint32_t half_b)
{
    while (half_a != TR_NONE && half_b != TR_NONE && same_edge(graph, place, half_a, half_b)) {
        half_a = *tr_graph_next(graph, half_a);
        half_b = *tr_graph_next(graph, half_b);
    }
    if (half_a == TR_NONE || half_b == TR_NONE)
        return half_a == half_b;
    tr_incidence a[TR_COLORS_MOVING], b[TR_COLORS_MOVING];
    uint32_t count = sorted_incidences(graph, place, half_a, a);
    return sorted_incidences(graph, place, half_b, b) == count && memcmp(a, b, count * sizeof *a) == 0;
}

bool tr_same_shape(const tr_graph *graph, const uint32_t *place, const uint32_t *a, const uint32_t *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const tr_graph_vertex *at_a = &graph->vertices[a[i]], *at_b = &graph->vertices[b[i]];
        if (at_a->degree != at_b->degree || !same_edges(graph, place, at_a->first, at_b->first))
            return false;
    }
    return true;
}

/*
 * Hashes
 */

/* The finalizer of MurmurHash3: every bit of the result depends on every bit of the number. */
static uint64_t scramble(uint64_t number)
{
    number = (number ^ number >> 33) * UINT64_C(0xff51afd7ed558ccd);
    number = (number ^ number >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return number ^ number >> 33;
}

/* The role of a half-edge, and which of the edge's ends move. */
static uint64_t surroundings(const tr_graph *graph, uint32_t half)
{
    uint32_t vertex[TR_ENDS], count = tr_graph_ends(graph, tr_half_edge(half), vertex);
    uint64_t out = role_of(graph, half);
    for (uint32_t end = 0; end < count; end++)
        out |= (uint64_t)graph->vertices[vertex[end]].moving << (21 + end);
    return out;
}

/* Sums do not depend on the order of their terms. */
uint64_t tr_shape_degrees(const tr_graph *graph, const uint32_t *vertices, uint32_t count)
{
    uint64_t key = 0;
    for (uint32_t i = 0; i < count; i++)
        key += scramble(graph->vertices[vertices[i]].degree);
    return key;
}

uint64_t tr_shape_edges(const tr_graph *graph, const uint32_t *vertices, uint32_t count)
{
    uint64_t key = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t sum = 1;
        for (uint32_t half = graph->vertices[vertices[i]].first; half != TR_NONE; half = *tr_graph_next(graph, half))
            sum += scramble(surroundings(graph, half));
        key += scramble(sum);
    }
    return key;
}

/*
 * Canonical order
 */
enum {
    MOST_VERTICES = 1024,
    MOST_LINKS = 4 * MOST_VERTICES,
    SLOTS = 2 * MOST_VERTICES,
    /* tells the ends of 64 alike vertices in a row from its middle; a longer one has ends, or is alike all over */
    MOST_ROUNDS = 32
};

/* Half of an edge to another moving vertex. */
typedef struct tr_link {
    uint32_t to;   /* place of the other vertex */
    uint64_t what; /* surroundings, and the end at which the other one is */
} tr_link;

/* An island whose vertices are numbered by their places in it. */
struct tr_shape {
    uint32_t count;
    uint32_t first[MOST_VERTICES + 1]; /* links of each vertex */
    tr_link links[MOST_LINKS];
    uint64_t code[MOST_VERTICES];  /* hash of what is around each vertex */
    uint64_t other[MOST_VERTICES]; /* the same, of another round */
    uint32_t queue[MOST_VERTICES]; /* vertices, breadth first */
    uint32_t level[MOST_VERTICES]; /* distance from the root; TR_NONE: not known yet */
    uint64_t slot_code[SLOTS];     /* hash table that counts equal codes */
    uint32_t slot_count[SLOTS];
};

tr_shape *tr_shape_create(tr_memory *memory)
{
    return tr_allocate(memory, sizeof(tr_shape));
}

void tr_shape_destroy(tr_shape *shape, tr_memory *memory)
{
    tr_release(memory, shape, sizeof *shape);
}

/* Copies the island, and gives each vertex a code of its own edges. */
static bool load(tr_shape *shape, const tr_graph *graph, const uint32_t *place, const uint32_t *vertices,
                 uint32_t count)
{
    uint32_t links = 0;
    if (count > MOST_VERTICES)
        return false;
    shape->count = count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t sum = 1;
        shape->first[i] = links;
        for (uint32_t half = graph->vertices[vertices[i]].first; half != TR_NONE; half = *tr_graph_next(graph, half)) {
            uint32_t vertex[TR_ENDS], ends = tr_graph_ends(graph, tr_half_edge(half), vertex);
            uint64_t what = surroundings(graph, half);
            sum += scramble(what);
            if (links + ends > MOST_LINKS)
                return false;
            for (uint32_t end = 0; end < ends; end++) {
                if (end != tr_half_end(half) && graph->vertices[vertex[end]].moving)
                    shape->links[links++] = (tr_link){place[vertex[end]], what | (uint64_t)(end + 1) << 32};
            }
        }
        shape->code[i] = scramble(sum);
    }
    shape->first[count] = links;
    return true;
}

/* The contribution of a neighbour to a vertex's code. */
static uint64_t heard(const tr_link *link, const uint64_t *code)
{
    return scramble(code[link->to] ^ link->what * UINT64_C(0x9e3779b97f4a7c15));
}

/* Each vertex learns the codes of its neighbours. */
static void refine(tr_shape *shape)
{
    for (uint32_t i = 0; i < shape->count; i++) {
        uint64_t sum = shape->code[i];
        for (uint32_t l = shape->first[i]; l < shape->first[i + 1]; l++)
            sum += heard(&shape->links[l], shape->code);
        shape->other[i] = scramble(sum);
    }
    memcpy(shape->code, shape->other, shape->count * sizeof *shape->code);
}

static uint32_t slot_of(const tr_shape *shape, uint32_t slots, uint64_t code)
{
    uint32_t slot = (uint32_t)code & (slots - 1);
    while (shape->slot_count[slot] > 0 && shape->slot_code[slot] != code)
        slot = (slot + 1) & (slots - 1);
    return slot;
}

/* The vertex whose code is rarest, and lowest of equally rare ones; the first one that has it. `alike`: how many do;
   `codes`: number of different codes. */
static uint32_t rarest(tr_shape *shape, uint32_t *alike, uint32_t *codes)
{
    uint32_t slots = 1, best = 0;
    while (slots < 2 * shape->count)
        slots *= 2;
    memset(shape->slot_count, 0, slots * sizeof *shape->slot_count);
    *codes = 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        uint32_t slot = slot_of(shape, slots, shape->code[i]);
        shape->slot_code[slot] = shape->code[i];
        *codes += shape->slot_count[slot]++ == 0;
    }
    *alike = UINT32_MAX;
    for (uint32_t i = 0; i < shape->count; i++) {
        uint32_t here = shape->slot_count[slot_of(shape, slots, shape->code[i])];
        if (here < *alike || (here == *alike && shape->code[i] < shape->code[best])) {
            *alike = here;
            best = i;
        }
    }
    return best;
}

/* A vertex that is known by its code; or one of those alike, if more rounds of refinement would not tell them apart. */
static uint32_t find_root(tr_shape *shape)
{
    uint32_t alike, codes, before = 0, root = rarest(shape, &alike, &codes);
    for (uint32_t round = 0; alike > 1 && codes > before && round < MOST_ROUNDS; round++) {
        before = codes;
        refine(shape);
        root = rarest(shape, &alike, &codes);
    }
    return root;
}

/* Numbers the levels from the root. */
static void find_levels(tr_shape *shape, uint32_t root)
{
    uint32_t end = 1;
    memset(shape->level, 0xff, shape->count * sizeof *shape->level);
    shape->queue[0] = root;
    shape->level[root] = 0;
    for (uint32_t i = 0; i < end; i++) {
        uint32_t v = shape->queue[i];
        for (uint32_t l = shape->first[v]; l < shape->first[v + 1]; l++) {
            uint32_t to = shape->links[l].to;
            if (shape->level[to] != TR_NONE)
                continue;
            shape->level[to] = shape->level[v] + 1;
            shape->queue[end++] = to;
        }
    }
}

/* Gives each vertex a code of all that is below it, seen from the root, and then of what is above it. */
static void look_from_root(tr_shape *shape)
{
    const uint32_t *level = shape->level;
    for (uint32_t i = shape->count; i-- > 0;) {
        uint32_t v = shape->queue[i];
        uint64_t sum = shape->code[v];
        for (uint32_t l = shape->first[v]; l < shape->first[v + 1]; l++) {
            if (level[shape->links[l].to] > level[v])
                sum += heard(&shape->links[l], shape->other);
        }
        shape->other[v] = scramble(sum);
    }
    for (uint32_t i = 0; i < shape->count; i++) {
        uint32_t v = shape->queue[i];
        uint64_t sum = shape->other[v];
        for (uint32_t l = shape->first[v]; l < shape->first[v + 1]; l++) {
            uint32_t to = shape->links[l].to;
            if (level[to] <= level[v])
                sum += heard(&shape->links[l], level[to] < level[v] ? shape->code : shape->other);
        }
        shape->code[v] = scramble(sum);
    }
}

/* What a vertex is to those that have a place: how many links lead there, and its code with their places, which tells
   apart what was alike before these had places. */
typedef struct tr_claim {
    uint32_t vertex, links;
    uint64_t code;
} tr_claim;

static tr_claim claim_of(const tr_shape *shape, const uint64_t *place, uint32_t v)
{
    tr_claim claim = {.vertex = v, .code = shape->code[v]};
    for (uint32_t l = shape->first[v]; l < shape->first[v + 1]; l++) {
        if (place[shape->links[l].to] == 0)
            continue;
        claim.code += heard(&shape->links[l], place);
        claim.links++;
    }
    return claim;
}

/* Equal codes are those of equal vertices, as a rule: then the place decides, not the order of creation. */
static bool comes_before(const tr_claim *a, const tr_claim *b)
{
    return a->code < b->code || (a->code == b->code && a->vertex < b->vertex);
}

/* The next vertex after a neighbour that has a place: the one with most links to those that have, so that what is left
   open seldom matters; TR_NONE if all neighbours have a place. */
static uint32_t next_beside(const tr_shape *shape, const uint64_t *place, uint32_t v)
{
    tr_claim best = {.vertex = TR_NONE};
    for (uint32_t l = shape->first[v]; l < shape->first[v + 1]; l++) {
        uint32_t to = shape->links[l].to;
        if (place[to] != 0 || to == best.vertex)
            continue;
        tr_claim claim = claim_of(shape, place, to);
        if (claim.links > best.links || (claim.links == best.links && comes_before(&claim, &best)))
            best = claim;
    }
    return best.vertex;
}

/* Breadth first from the root. */
static void walk_by_code(tr_shape *shape, uint32_t root, uint32_t *order)
{
    uint64_t *place = shape->other; /* from 1 on; 0: not in the order yet */
    uint32_t end = 1;
    memset(place, 0, shape->count * sizeof *place);
    order[0] = root;
    place[root] = 1;
    for (uint32_t i = 0; i < end; i++) {
        for (uint32_t v; (v = next_beside(shape, place, order[i])) != TR_NONE;) {
            order[end++] = v;
            place[v] = end;
        }
    }
}

bool tr_shape_order(tr_shape *shape, const tr_graph *graph, const uint32_t *place, const uint32_t *vertices,
                    uint32_t count, uint32_t *order, uint64_t *key)
{
    if (!load(shape, graph, place, vertices, count))
        return false;
    uint32_t root = find_root(shape);
    find_levels(shape, root);
    look_from_root(shape);
    *key = 0;
    for (uint32_t i = 0; i < count; i++)
        *key += shape->code[i];
    walk_by_code(shape, root, order);
    return true;
}
