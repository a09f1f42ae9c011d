/*
 * Minimum degree by a quotient graph: an eliminated node is an element, which stands for the clique of the nodes that
 * it was connected to. A node knows the other nodes and the elements that it is connected to. Its degree is bounded
 * from above by what these elements have outside of the newest one (Amestoy, Davis, Duff 1996).
 *
 * A body with many joints is dense: it is eliminated when nothing else can be, and until then counts in no degree and
 * knows nothing, so that each elimination next to it takes no time in proportion to its joints.
 */
#include "dynamics/order.h"

#include <string.h>

#define NONE UINT32_MAX

/* The graph while nodes are eliminated; arrays by node. */
typedef struct graph {
    const tr_sparse_shape *shape;
    const uint8_t *size;
    /* the edges of each node as they were; in `other` the opens bit is the top one */
    uint32_t *start, *other;
    /* list[start[i]]: first `elements` elements, then `variables` nodes */
    uint32_t *list, *elements, *variables;
    uint32_t *degree;          /* numbers of the nodes that it is connected to: an upper bound */
    uint32_t *head, *tail;     /* by degree: the first and the last of the nodes that may be eliminated */
    uint32_t *next, *previous; /* of the same degree */
    uint32_t *weight;          /* of elements: numbers of their nodes, but dense ones; */
    uint32_t *dense_count;     /* how many of these */
    uint32_t *outside, *stamp; /* of elements: numbers outside of the newest; for which one */
    uint32_t *group, *anchor;  /* of eliminated bodies: parent in their group; of groups: NONE or a body */
    uint32_t *member;          /* of eliminated joints: a body of their group */
    uint32_t *waiting;         /* of bodies: the first of the joints that wait for it without being on it */
    uint32_t *after, *awaits;  /* of these: the next one; for which body, or NONE */
    uint8_t *state;
    uint8_t *held;  /* of groups: whether they cannot move as one in all directions */
    uint8_t *dense; /* of bodies that still are */
    bool thawed;    /* none is any more */
    uint32_t lowest, most;
} graph;

/* edges of a dense body, at least */
#define DENSE_FROM 64u

/* done: absorbed by another element, or not */
enum { WAITS, LISTED, DONE, ABSORBED };

static bool is_done(const graph *g, uint32_t node)
{
    return g->state[node] >= DONE;
}

#define OPENS UINT32_C(0x80000000)

void tr_order_init(tr_order *order, tr_memory *memory)
{
    memset(order, 0, sizeof *order);
    order->memory = memory;
}

void tr_order_free(tr_order *order)
{
    tr_release(order->memory, order->pattern, (size_t)order->pattern_capacity * sizeof *order->pattern);
    tr_release(order->memory, order->block, order->block_size);
    memset(order, 0, sizeof *order);
}

static void enlist(graph *g, uint32_t node)
{
    uint32_t d = g->degree[node] < g->most ? g->degree[node] : g->most;
    const bool last = g->shape->by_turns && g->head[d] != NONE;
    g->next[node] = last ? NONE : g->head[d];
    g->previous[node] = last ? g->tail[d] : NONE;
    if (last)
        g->next[g->tail[d]] = node;
    else if (g->head[d] != NONE)
        g->previous[g->head[d]] = node;
    if (last || g->head[d] == NONE)
        g->tail[d] = node;
    if (!last)
        g->head[d] = node;
    if (d < g->lowest)
        g->lowest = d;
}

static void delist(graph *g, uint32_t node)
{
    uint32_t d = g->degree[node] < g->most ? g->degree[node] : g->most;
    if (g->previous[node] != NONE)
        g->next[g->previous[node]] = g->next[node];
    else
        g->head[d] = g->next[node];
    if (g->next[node] != NONE)
        g->previous[g->next[node]] = g->previous[node];
    else
        g->tail[d] = g->previous[node];
}

static void build(graph *g)
{
    const uint32_t node_count = g->shape->node_count, edge_count = g->shape->edge_count;
    const tr_sparse_edge *edges = g->shape->edges;
    for (uint32_t e = 0; e < edge_count; e++) {
        g->start[edges[e].a + 1]++;
        g->start[edges[e].b + 1]++;
    }
    for (uint32_t i = 0; i < node_count; i++)
        g->start[i + 1] += g->start[i];
    for (uint32_t e = 0; e < edge_count; e++) {
        uint32_t a = edges[e].a, b = edges[e].b, opens = edges[e].opens ? OPENS : 0;
        g->other[g->start[a] + g->variables[a]++] = b | opens;
        g->other[g->start[b] + g->variables[b]++] = a | opens;
    }
    for (uint32_t i = 0; i < 2 * edge_count; i++)
        g->list[i] = g->other[i] & ~OPENS;
    for (uint32_t i = 0; i < node_count; i++)
        g->dense[i] = i < g->shape->body_count && g->variables[i] >= DENSE_FROM &&
                      (g->shape->early == NULL || !g->shape->early[i]);
    for (uint32_t e = 0; e < edge_count; e++) {
        g->degree[edges[e].a] += g->size[edges[e].b];
        g->degree[edges[e].b] += g->dense[edges[e].a] ? 0u : g->size[edges[e].a];
    }
    g->lowest = g->most;
    for (uint32_t d = 0; d <= g->most; d++)
        g->head[d] = NONE;
    /* so that the first node of a degree is the first of its list */
    for (uint32_t n = 0; n < node_count; n++) {
        const uint32_t i = g->shape->by_turns ? n : node_count - 1 - n;
        g->stamp[i] = g->anchor[i] = g->member[i] = g->waiting[i] = g->awaits[i] = NONE;
        g->group[i] = i;
        g->held[i] = g->shape->grounded[i];
        bool free = (i < g->shape->body_count && !g->dense[i]) || g->variables[i] == 0;
        g->state[i] = free ? LISTED : WAITS;
        if (free)
            enlist(g, i);
    }
}

/* NONE: all wait */
static uint32_t take(graph *g)
{
    while (g->lowest <= g->most && g->head[g->lowest] == NONE)
        g->lowest++;
    if (g->lowest > g->most)
        return NONE;
    uint32_t node = g->head[g->lowest];
    delist(g, node);
    return node;
}

/*
 * Groups
 */
static uint32_t group_of(graph *g, uint32_t body)
{
    while (g->group[body] != body) {
        g->group[body] = g->group[g->group[body]];
        body = g->group[body];
    }
    return body;
}

/* A group that has been joined to others moves as one only if all its bodies can. */
static void unite(graph *g, uint32_t a, uint32_t b)
{
    a = group_of(g, a);
    b = group_of(g, b);
    const uint32_t root = a < b ? a : b, other = a < b ? b : a;
    g->group[other] = root;
    g->held[root] |= g->held[other];
}

/* NONE if a joint may be eliminated; else a body that it waits for */
static uint32_t awaited(graph *g, uint32_t joint)
{
    bool held = g->shape->grounded[joint], opened = false;
    uint32_t left = 0, last = NONE, anchor = NONE;
    for (uint32_t k = g->start[joint]; k < g->start[joint + 1]; k++) {
        uint32_t body = g->other[k] & ~OPENS;
        if (!is_done(g, body)) {
            left++;
            last = body;
            continue;
        }
        const uint32_t group = group_of(g, body), its = g->anchor[group];
        if (its != NONE && anchor != NONE && its != anchor)
            return its;
        anchor = its != NONE ? its : anchor;
        held = held || g->held[group];
        opened = opened || (g->other[k] & OPENS) != 0;
    }
    if (anchor != NONE && (held || (left > 0 && last != anchor)))
        return anchor;
    return left == 0 || (left == 1 && opened && !held) ? NONE : last;
}

/* whether a body that a joint waits for is one of its own */
static bool is_on(const graph *g, uint32_t joint, uint32_t body)
{
    for (uint32_t k = g->start[joint]; k < g->start[joint + 1]; k++)
        if ((g->other[k] & ~OPENS) == body)
            return true;
    return false;
}

/* one that waits for another body already will be looked at again, and may then wait for this one */
static void set_aside(graph *g, uint32_t joint, uint32_t body)
{
    g->state[joint] = WAITS;
    if (g->awaits[joint] != NONE || is_on(g, joint, body))
        return;
    g->awaits[joint] = body;
    g->after[joint] = g->waiting[body];
    g->waiting[body] = joint;
}

static void join_joint(graph *g, uint32_t joint)
{
    uint32_t anchor = NONE, first = NONE;
    bool held = g->shape->grounded[joint];
    for (uint32_t k = g->start[joint]; k < g->start[joint + 1]; k++) {
        uint32_t body = g->other[k] & ~OPENS;
        if (!is_done(g, body)) {
            anchor = body;
            continue;
        }
        const uint32_t its = g->anchor[group_of(g, body)];
        anchor = its != NONE ? its : anchor;
        if (first == NONE)
            first = body;
        else if (group_of(g, first) != group_of(g, body))
            unite(g, first, body);
    }
    g->member[joint] = first;
    if (first == NONE)
        return;
    const uint32_t group = group_of(g, first);
    g->anchor[group] = anchor;
    g->held[group] |= held;
}

/* the groups that a body was the anchor of become one with it; joints that waited for it are looked at again */
static void join_body(graph *g, uint32_t body)
{
    for (uint32_t k = g->start[body]; k < g->start[body + 1]; k++) {
        uint32_t joint = g->other[k] & ~OPENS;
        if (joint < g->shape->body_count)
            continue;
        if (is_done(g, joint) && g->member[joint] != NONE) {
            uint32_t group = group_of(g, g->member[joint]);
            if (group == group_of(g, body))
                continue;
            g->anchor[group] = NONE;
            unite(g, group, body);
        } else if (g->state[joint] == WAITS) {
            g->state[joint] = LISTED;
            enlist(g, joint);
        }
    }
    for (uint32_t joint = g->waiting[body]; joint != NONE; joint = g->after[joint]) {
        g->awaits[joint] = NONE;
        if (g->state[joint] == WAITS) {
            g->state[joint] = LISTED;
            enlist(g, joint);
        }
    }
}

/* the clique of a node; its elements are absorbed */
static bool collect(tr_order *order, graph *g, uint32_t node)
{
    const uint32_t *list = g->list + g->start[node];
    uint64_t most = g->variables[node];
    for (uint32_t k = 0; k < g->elements[node]; k++)
        most += order->length[list[k]];
    if (most > UINT32_MAX - order->pattern_count ||
        !tr_grow(order->memory, (void **)&order->pattern, &order->pattern_capacity,
                 order->pattern_count + (uint32_t)most, sizeof *order->pattern))
        return false;
    uint32_t *out = order->pattern + order->pattern_count, count = 0, weight = 0, dense = 0;
    g->state[node] = DONE;
    for (uint32_t k = 0; k < g->elements[node] + g->variables[node]; k++) {
        bool element = k < g->elements[node];
        const uint32_t *from = element ? order->pattern + order->first[list[k]] : &list[k];
        uint32_t more = element ? order->length[list[k]] : 1;
        for (uint32_t i = 0; i < more; i++) {
            uint32_t v = from[i];
            if (is_done(g, v) || g->stamp[v] == node)
                continue;
            g->stamp[v] = node;
            out[count++] = v;
            weight += g->dense[v] ? 0u : g->size[v];
            dense += g->dense[v];
        }
        if (element)
            g->state[list[k]] = ABSORBED;
    }
    order->first[node] = order->pattern_count;
    order->length[node] = count;
    order->pattern_count += count;
    g->weight[node] = weight;
    g->dense_count[node] = dense;
    return true;
}

/* takes out of a node's lists what the element stands for, and puts that one in */
static void connect(graph *g, uint32_t v, uint32_t element)
{
    uint32_t *list = g->list + g->start[v];
    uint32_t elements = 0, end = g->elements[v] + g->variables[v];
    for (uint32_t k = 0; k < g->elements[v]; k++)
        if (g->state[list[k]] != ABSORBED)
            list[elements++] = list[k];
    uint32_t to = elements;
    /* one entry is free: the node that was eliminated, or an element that was absorbed */
    uint32_t variables = 0, moved = NONE;
    for (uint32_t k = g->elements[v]; k < end; k++) {
        uint32_t other = list[k];
        if (other == element || g->stamp[other] == element)
            continue;
        /* the first goes last, to make room for the element */
        if (moved == NONE)
            moved = other;
        else
            list[to + variables] = other;
        variables++;
    }
    if (moved != NONE)
        list[to + variables] = moved;
    list[to] = element;
    g->elements[v] = elements + 1;
    g->variables[v] = variables;
}

/* whether all dense nodes of an element are in the newest, which has stamped them */
static bool has_dense_of(const tr_order *order, const graph *g, uint32_t newest, uint32_t element)
{
    const uint32_t *nodes = order->pattern + order->first[element];
    uint32_t left = g->dense_count[element];
    for (uint32_t i = 0; left > 0; i++)
        if (g->dense[nodes[i]]) {
            if (g->stamp[nodes[i]] != newest)
                return false;
            left--;
        }
    return true;
}

/* what other elements have outside of this one; those that have nothing are absorbed */
static void weigh(const tr_order *order, graph *g, uint32_t element, uint32_t *seen)
{
    const uint32_t *nodes = order->pattern + order->first[element];
    for (uint32_t i = 0; i < order->length[element]; i++) {
        const uint32_t *list = g->list + g->start[nodes[i]];
        for (uint32_t k = 0; k < g->elements[nodes[i]] && !g->dense[nodes[i]]; k++) {
            uint32_t e = list[k];
            if (g->state[e] == ABSORBED)
                continue;
            if (seen[e] != element) {
                seen[e] = element;
                g->outside[e] = g->weight[e];
            }
            g->outside[e] -= g->size[nodes[i]];
            if (g->outside[e] == 0 && has_dense_of(order, g, element, e))
                g->state[e] = ABSORBED;
        }
    }
}

static void renew_degree(graph *g, uint32_t v, uint32_t element)
{
    const uint32_t *list = g->list + g->start[v];
    uint64_t degree = g->weight[element] - g->size[v];
    for (uint32_t k = 0; k < g->elements[v]; k++)
        if (list[k] != element && g->state[list[k]] != ABSORBED)
            degree += g->outside[list[k]];
    for (uint32_t k = g->elements[v]; k < g->elements[v] + g->variables[v]; k++)
        degree += g->dense[list[k]] ? 0u : g->size[list[k]];
    g->degree[v] = degree > UINT32_MAX ? UINT32_MAX : (uint32_t)degree;
}

static bool eliminate(tr_order *order, graph *g, uint32_t node, uint32_t *seen)
{
    if (!collect(order, g, node))
        return false;
    weigh(order, g, node, seen);
    const uint32_t *nodes = order->pattern + order->first[node];
    for (uint32_t i = 0; i < order->length[node]; i++) {
        bool listed = g->state[nodes[i]] == LISTED;
        if (g->dense[nodes[i]])
            continue;
        if (listed)
            delist(g, nodes[i]);
        connect(g, nodes[i], node);
        renew_degree(g, nodes[i], node);
        if (listed)
            enlist(g, nodes[i]);
    }
    if (node < g->shape->body_count)
        join_body(g, node);
    else
        join_joint(g, node);
    return true;
}

/* Lists all that waits, from now on also late nodes, as build(). */
static void admit_late(graph *g)
{
    const uint32_t count = g->shape->node_count;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = g->shape->by_turns ? n : count - 1 - n;
        if (g->state[i] == WAITS) {
            g->state[i] = LISTED;
            enlist(g, i);
        }
    }
}

/* When nothing is listed: dense bodies become as others, and are listed, but for late ones. */
static void thaw(const tr_order *order, graph *g, const uint32_t *done, uint32_t done_count)
{
    const tr_sparse_shape *shape = g->shape;
    g->thawed = true;
    for (uint32_t v = 0; v < shape->body_count; v++)
        if (g->dense[v]) {
            uint32_t *list = g->list + g->start[v], count = 0;
            for (uint32_t k = g->start[v]; k < g->start[v + 1]; k++)
                if (!is_done(g, g->other[k] & ~OPENS))
                    list[count++] = g->other[k] & ~OPENS;
            g->elements[v] = 0;
            g->variables[v] = count;
        }
    for (uint32_t i = 0; i < done_count; i++) {
        const uint32_t e = done[i], *nodes = order->pattern + order->first[e];
        for (uint32_t k = 0; k < order->length[e] && g->state[e] != ABSORBED && g->dense_count[e] > 0; k++) {
            const uint32_t v = nodes[k];
            if (!g->dense[v])
                continue;
            /* the first of the other nodes goes last, to make room: it has had one for each that is done */
            uint32_t *list = g->list + g->start[v];
            list[g->elements[v] + g->variables[v]] = list[g->elements[v]];
            list[g->elements[v]++] = e;
            g->weight[e] += g->size[v];
        }
        g->dense_count[e] = 0;
    }
    for (uint32_t v = 0; v < shape->node_count; v++) {
        if (is_done(g, v))
            continue;
        const uint32_t *list = g->list + g->start[v];
        uint64_t degree = 0;
        for (uint32_t k = 0; k < g->elements[v] + g->variables[v]; k++)
            degree += k < g->elements[v] ? g->weight[list[k]] : g->size[list[k]];
        g->degree[v] = degree > UINT32_MAX ? UINT32_MAX : (uint32_t)degree;
    }
    for (uint32_t n = 0; n < shape->body_count; n++) {
        const uint32_t v = shape->by_turns ? n : shape->body_count - 1 - n;
        if (g->dense[v] && (shape->late == NULL || !shape->late[v])) {
            g->state[v] = LISTED;
            enlist(g, v);
        }
        g->dense[v] = false;
    }
}

static uint32_t *part(uint32_t **from, size_t count)
{
    uint32_t *out = *from;
    *from += count;
    return out;
}

tr_status tr_order_make(tr_order *order, const tr_sparse_shape *shape)
{
    uint64_t numbers = 0;
    for (uint32_t i = 0; i < shape->node_count; i++)
        numbers += shape->size[i];
    if (numbers >= OPENS || shape->node_count >= OPENS / 2 || shape->edge_count >= OPENS / 2)
        return TR_ERROR_LIMIT;
    const size_t n = shape->node_count, e = 2 * (size_t)shape->edge_count, most = (size_t)numbers + 1;
    const size_t count = 20 * n + 1 + 2 * e + 2 * most, bytes = count * sizeof(uint32_t) + 3 * n;
    if (bytes > order->block_size) {
        /* some more, for systems that come after */
        void *block = tr_allocate_unset(order->memory, 1, bytes + bytes / 4);
        if (block == NULL)
            return TR_ERROR_MEMORY;
        tr_release(order->memory, order->block, order->block_size);
        order->block = block;
        order->block_size = bytes + bytes / 4;
    }
    /* as many as edges, at least: where there is no fill */
    if (!tr_grow(order->memory, (void **)&order->pattern, &order->pattern_capacity, shape->edge_count + 1,
                 sizeof *order->pattern))
        return TR_ERROR_MEMORY;
    memset(order->block, 0, bytes);
    uint32_t *at = order->block;
    graph g = {.shape = shape, .size = shape->size, .most = (uint32_t)numbers};
    order->nodes = part(&at, n);
    order->first = part(&at, n);
    order->length = part(&at, n);
    uint32_t *seen = part(&at, n);
    g.start = part(&at, n + 1);
    uint32_t **const by_node[] = {&g.elements, &g.variables, &g.degree, &g.next,   &g.previous,
                                  &g.weight,   &g.outside,   &g.stamp,  &g.group,  &g.anchor,
                                  &g.member,   &g.waiting,   &g.after,  &g.awaits, &g.dense_count};
    for (size_t i = 0; i < sizeof by_node / sizeof by_node[0]; i++)
        *by_node[i] = part(&at, n);
    g.other = part(&at, e);
    g.list = part(&at, e);
    g.head = part(&at, most);
    g.tail = part(&at, most);
    g.state = (uint8_t *)at;
    g.held = g.state + n;
    g.dense = g.held + n;
    order->node_count = shape->node_count;
    order->pattern_count = 0;
    build(&g);
    for (uint32_t i = 0; i < n; i++)
        seen[i] = NONE;
    uint32_t done = 0;
    for (uint32_t body = 0; body < shape->body_count && shape->early != NULL; body++) {
        if (!shape->early[body])
            continue;
        delist(&g, body);
        order->nodes[done++] = body;
        if (!eliminate(order, &g, body, seen))
            return TR_ERROR_MEMORY;
    }
    order->soon_count = shape->late != NULL ? 0 : (uint32_t)n;
    for (bool admits = shape->late == NULL; done < n;) {
        uint32_t node = take(&g);
        if (node == NONE && !g.thawed) {
            thaw(order, &g, order->nodes, done);
            continue;
        }
        if (node == NONE) {
            order->soon_count = done;
            admits = true;
            admit_late(&g);
            continue;
        }
        if (!admits && shape->late[node]) {
            g.state[node] = WAITS;
            continue;
        }
        uint32_t body = node < shape->body_count ? NONE : awaited(&g, node);
        if (body != NONE) {
            set_aside(&g, node, body);
            continue;
        }
        order->nodes[done++] = node;
        if (!eliminate(order, &g, node, seen))
            return TR_ERROR_MEMORY;
    }
    return TR_OK;
}
