/* Finds trees in the plan's graph, breadth first. */
#include "plan/forest.h"

#include "plan/plan_internal.h"

void tr_forest_init(tr_forest *forest, tr_memory *memory)
{
    *forest = (tr_forest){.memory = memory};
}

void tr_forest_destroy(tr_forest *forest)
{
    tr_release(forest->memory, forest->nodes, forest->node_capacity * sizeof *forest->nodes);
    tr_release(forest->memory, forest->trees, forest->tree_capacity * sizeof *forest->trees);
    *forest = (tr_forest){.memory = forest->memory};
}

void tr_forest_clear(tr_forest *forest)
{
    forest->node_count = forest->tree_count = 0;
}

/* the vertex at the other end of an edge; TR_NONE if the edge cannot belong to a tree */
static uint32_t across(const tr_plan *plan, uint64_t kinds, uint32_t half)
{
    const tr_graph *graph = &plan->graph;
    uint32_t edge = tr_half_edge(half);
    if (!tr_kind_is_among(kinds, graph->edges[edge].kind) || graph->edges[edge].end_count != 2)
        return TR_NONE;
    uint32_t vertex = tr_graph_end(graph, edge, (tr_half_end(half) + 1) % 2);
    return graph->vertices[vertex].moving ? vertex : TR_NONE;
}

static bool add_node(tr_forest *forest, tr_forest_node node)
{
    if (!tr_grow(forest->memory, (void **)&forest->nodes, &forest->node_capacity, forest->node_count + 1,
                 sizeof *forest->nodes))
        return false;
    forest->nodes[forest->node_count++] = node;
    return true;
}

/* Adds all nodes reachable from `vertex` and stamps their vertices. Stops at a vertex with this stamp or a later
   one: there is a cycle, or the part was found before to be no tree. Without `seen` there must be no cycle. */
static bool walk(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t vertex, uint32_t *seen,
                 uint32_t stamp, bool *cycle)
{
    uint32_t first = forest->node_count;
    if (!add_node(forest, (tr_forest_node){.vertex = vertex, .parent = TR_NONE, .edge = TR_NONE}))
        return false;
    if (seen != NULL)
        seen[vertex] = stamp;
    for (uint32_t n = first; n < forest->node_count; n++) {
        forest->nodes[n].first_child = forest->node_count;
        for (uint32_t half = tr_plan_first(plan, forest->nodes[n].vertex); half != TR_NONE;
             half = tr_plan_next(plan, half)) {
            uint32_t next = across(plan, kinds, half), edge = tr_half_edge(half);
            if (next == TR_NONE || edge == forest->nodes[n].edge)
                continue;
            *cycle = seen != NULL && seen[next] >= stamp;
            if (*cycle)
                return true;
            if (!add_node(forest, (tr_forest_node){
                                      .vertex = next, .parent = n, .edge = edge, .depth = forest->nodes[n].depth + 1}))
                return false;
            if (seen != NULL)
                seen[next] = stamp;
        }
        forest->nodes[n].child_count = forest->node_count - forest->nodes[n].first_child;
    }
    return true;
}

/* the middle of a longest path, if the last tree is rooted at one end of such a path */
static uint32_t middle(const tr_forest *forest)
{
    uint32_t node = forest->node_count - 1;
    for (uint32_t up = forest->nodes[node].depth / 2; up > 0; up--)
        node = forest->nodes[node].parent;
    return forest->nodes[node].vertex;
}

void tr_forest_root(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t vertex)
{
    tr_forest_tree *tree = &forest->trees[forest->tree_count - 1];
    bool cycle = false;
    /* there is room for the nodes already, so this cannot fail */
    forest->node_count = tree->first_node;
    (void)walk(forest, plan, kinds, vertex, NULL, 0, &cycle);
    tree->depth = forest->nodes[forest->node_count - 1].depth;
}

/* Makes the nodes from `first` on a tree if they are one of at least so many nodes, else drops them. False: out of
   memory. */
static bool make_tree(tr_forest *forest, uint32_t first, uint32_t least, bool is_tree, bool *made)
{
    uint32_t count = forest->node_count - first;
    *made = false;
    if (!is_tree || count < least) {
        forest->node_count = first;
        return true;
    }
    if (!tr_grow(forest->memory, (void **)&forest->trees, &forest->tree_capacity, forest->tree_count + 1,
                 sizeof *forest->trees)) {
        forest->node_count = first;
        return false;
    }
    forest->trees[forest->tree_count++] = (tr_forest_tree){first, count, forest->nodes[forest->node_count - 1].depth};
    *made = true;
    return true;
}

bool tr_forest_find(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t *seen, uint32_t stamp,
                    uint32_t vertex)
{
    uint32_t first = forest->node_count;
    bool cycle = seen[vertex] >= stamp, done = cycle || walk(forest, plan, kinds, vertex, seen, stamp, &cycle);
    bool made;
    if (!make_tree(forest, first, 1, done && !cycle, &made))
        return false;
    if (made) {
        /* the node farthest from any node is the end of a longest path; the node farthest from that is its other end */
        tr_forest_root(forest, plan, kinds, forest->nodes[forest->node_count - 1].vertex);
        tr_forest_root(forest, plan, kinds, middle(forest));
    }
    return done;
}

bool tr_forest_is_apart(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t *seen, uint32_t met,
                        uint32_t last, uint32_t vertex, uint32_t most)
{
    /* the array's room behind the forest's nodes serves as the queue */
    uint32_t first = forest->node_count;
    bool apart = seen[vertex] < met || seen[vertex] > last;
    if (apart && seen[vertex] != last + 1)
        apart = most > 0 && add_node(forest, (tr_forest_node){.vertex = vertex});
    if (apart)
        seen[vertex] = last + 1;
    for (uint32_t n = first; n < forest->node_count && apart; n++) {
        uint32_t half = tr_plan_first(plan, forest->nodes[n].vertex);
        for (; half != TR_NONE && apart; half = tr_plan_next(plan, half)) {
            uint32_t next = across(plan, kinds, half);
            if (next == TR_NONE || seen[next] == last + 1)
                continue;
            apart = (seen[next] < met || seen[next] > last) && forest->node_count - first < most &&
                    add_node(forest, (tr_forest_node){.vertex = next});
            seen[next] = apart ? last + 1 : seen[next];
        }
    }
    forest->node_count = first;
    return apart;
}

/* adds the neighbours of one node, over edges with a marked end */
static bool span_node(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t *seen, uint32_t marked,
                      uint32_t stamp, uint32_t n)
{
    const tr_forest_node from = forest->nodes[n];
    for (uint32_t half = tr_plan_first(plan, from.vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
        uint32_t next = across(plan, kinds, half);
        bool is_marked = next != TR_NONE && seen[next] == marked;
        if (next == TR_NONE || seen[next] == stamp || !(from.marked || is_marked))
            continue;
        if (!add_node(forest, (tr_forest_node){.vertex = next,
                                               .parent = n,
                                               .edge = tr_half_edge(half),
                                               .depth = from.depth + 1,
                                               .marked = is_marked}))
            return false;
        seen[next] = stamp;
    }
    return true;
}

bool tr_forest_span(tr_forest *forest, const tr_plan *plan, uint64_t kinds, uint32_t *seen, uint32_t marked,
                    uint32_t stamp, uint32_t vertex)
{
    uint32_t first = forest->node_count;
    bool done =
        add_node(forest, (tr_forest_node){.vertex = vertex, .parent = TR_NONE, .edge = TR_NONE, .marked = true});
    seen[vertex] = stamp;
    for (uint32_t n = first; n < forest->node_count && done; n++) {
        forest->nodes[n].first_child = forest->node_count;
        done = span_node(forest, plan, kinds, seen, marked, stamp, n);
        forest->nodes[n].child_count = forest->node_count - forest->nodes[n].first_child;
    }
    bool made;
    return make_tree(forest, first, 2, done, &made) && done;
}
