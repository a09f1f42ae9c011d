/* Lists the nodes of trees, with their pins and ties, in the order of solving. */
#include "solver/trees/trees.h"

#include <string.h>

#include "solver/trees/trees_search.h"

/* consecutive levels of at most this many nodes are combined into one stage, because each is the work of one worker
   anyway */
#define NARROW TR_TREE_CHUNK

/* makes the tie of an edge; `near`: the near body's end of it; false: out of memory */
static bool make_tie(tr2_trees *trees, const tr2_search *s, uint32_t edge, uint32_t near, tr2_trees_tie *out)
{
    const uint32_t *state_of_body = s->solver->state_of_body.data;
    uint32_t vertex = tr_plan_end(s->system->plan, edge, 1 - near), kind = tr_plan_kind(s->system->plan, edge);
    *out = (tr2_trees_tie){.edge = edge,
                           .type = tr2_kernel_type(kind),
                           .row = s->system->joint_pool->row[edge],
                           .kind = tr2_tie_kind_of(kind),
                           .turn = TR_NONE,
                           .far = state_of_body[tr2_row_of_vertex(s->system, vertex)],
                           .near_is_b = near == 1};
    out->flat = !tr2_tie_holds_angle(out->kind) && !tr2_has_turn(kind);
    if (!tr2_has_turn(kind))
        return true;
    if (!tr_grow(trees->forest.memory, (void **)&trees->turns, &trees->turn_capacity, trees->turn_count + 1,
                 sizeof *trees->turns))
        return false;
    out->turn = trees->turn_count++;
    memset(&trees->turns[out->turn], 0, sizeof *trees->turns);
    return true;
}

static bool add_pin(tr2_trees *trees, const tr2_search *s, uint32_t edge, uint32_t near)
{
    tr2_trees_tie tie;
    if (!make_tie(trees, s, edge, near, &tie) ||
        !tr_grow(trees->forest.memory, (void **)&trees->pins, &trees->pin_capacity, trees->pin_count + 1,
                 sizeof *trees->pins))
        return false;
    trees->pins[trees->pin_count++] = tie;
    return true;
}

/* records the node's copies if its body is split */
static void note_copies(const tr2_solver *solver, tr2_trees_node *node)
{
    const tr2_hub *hubs = solver->hubs.data;
    if (solver->hub_count == 0 || ((const uint8_t *)solver->split.data)[node->state] == 0)
        return;
    for (uint32_t i = 0; i < solver->hub_count; i++) {
        if (hubs[i].row == node->state) {
            node->first_copy = hubs[i].first_copy;
            node->copies = hubs[i].copies;
        }
    }
}

/* The number of a body's degrees of freedom that joints to static bodies remove. */
static uint32_t rows_held(const tr2_search *s, uint32_t vertex)
{
    const tr_plan *plan = s->system->plan;
    uint32_t rows = 0;
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
        uint32_t edge = tr_half_edge(half), far = 1 - tr_half_end(half);
        if (!tr2_counts(s, edge, far))
            continue;
        uint32_t other = tr2_row_of_vertex(s->system, tr_plan_end(plan, edge, far));
        if (s->system->bodies->type[other] == TR_STATIC)
            rows += tr2_tie_rows(tr2_tie_kind_of(tr_plan_kind(plan, edge)));
    }
    return rows;
}

/* Adds the node's body, its pins, and its tie to the parent. If a body has no freedom left, its pins
   to kinematic bodies are left to the sweeps, which can give way; in the tree they would contradict the others. */
static bool add_node(tr2_trees *trees, const tr2_search *s, const tr_forest_node *from, uint32_t parent)
{
    const tr_plan *plan = s->system->plan;
    tr2_trees_node node;
    memset(&node, 0, sizeof node);
    node.tie.turn = TR_NONE;
    node.body = tr2_row_of_vertex(s->system, from->vertex);
    node.state = ((const uint32_t *)s->solver->state_of_body.data)[node.body];
    node.parent = parent;
    node.child_count = from->child_count;
    node.first_pin = trees->pin_count;
    uint32_t held = rows_held(s, from->vertex);
    for (uint32_t half = tr_plan_first(plan, from->vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
        uint32_t edge = tr_half_edge(half), end = tr_half_end(half);
        if (!tr2_counts(s, edge, 1 - end))
            continue;
        uint32_t other = tr2_row_of_vertex(s->system, tr_plan_end(plan, edge, 1 - end));
        uint32_t type = s->system->bodies->type[other];
        uint32_t rows = type == TR_KINEMATIC ? tr2_tie_rows(tr2_tie_kind_of(tr_plan_kind(plan, edge))) : 0;
        bool pin = edge != from->edge && type != TR_DYNAMIC && (type == TR_STATIC || held + rows <= 3);
        held += pin ? rows : 0;
        if (edge == from->edge ? !make_tie(trees, s, edge, end, &node.tie) : pin && !add_pin(trees, s, edge, end))
            return false;
    }
    node.pin_count = trees->pin_count - node.first_pin;
    note_copies(s->solver, &node);
    if (!tr_grow(trees->forest.memory, (void **)&trees->nodes, &trees->node_capacity, trees->node_count + 1,
                 sizeof *trees->nodes))
        return false;
    trees->joint_count += node.pin_count + (parent != TR_NONE);
    trees->nodes[trees->node_count++] = node;
    return true;
}

/* adds a tree that one worker solves */
static bool add_near(tr2_trees *trees, const tr2_search *s, const tr_forest_tree *tree)
{
    uint32_t first = trees->node_count;
    for (uint32_t n = tree->first_node; n < tree->first_node + tree->node_count; n++) {
        const tr_forest_node *from = &trees->forest.nodes[n];
        uint32_t parent = from->parent == TR_NONE ? TR_NONE : from->parent - tree->first_node + first;
        if (!add_node(trees, s, from, parent))
            return false;
        trees->nodes[trees->node_count - 1].first_child = from->first_child - tree->first_node + first;
    }
    return true;
}

/* sorts these trees by unit, those of no unit last */
static bool add_near_trees(tr2_trees *trees, const tr2_search *s, const uint32_t *unit)
{
    const tr_forest *forest = &trees->forest;
    uint32_t units = s->solver->plan_units + 1;
    trees->unit_count = s->solver->plan_units;
    if (!tr_grow(forest->memory, (void **)&trees->unit_near, &trees->unit_capacity, units + 2,
                 sizeof *trees->unit_near) ||
        !tr_grow(forest->memory, (void **)&trees->near, &trees->near_capacity, forest->tree_count, sizeof *trees->near))
        return false;
    /* counts go two places up, so that their sums one place up can serve as running indices */
    uint32_t *next = trees->unit_near + 1;
    memset(trees->unit_near, 0, (units + 2) * sizeof *trees->unit_near);
    for (uint32_t t = 0; t < forest->tree_count; t++) {
        if (unit[t] != TR_NONE)
            next[unit[t] + 1]++;
    }
    for (uint32_t u = 0; u < units; u++)
        next[u + 1] += next[u];
    for (uint32_t t = 0; t < forest->tree_count; t++) {
        uint32_t first = trees->node_count, turns = trees->turn_count;
        if (unit[t] == TR_NONE)
            continue;
        if (!add_near(trees, s, &forest->trees[t]))
            return false;
        trees->near[next[unit[t]]++] =
            (tr2_trees_range){.first = first, .count = forest->trees[t].node_count, .turns = trees->turn_count > turns};
    }
    trees->lone_first = trees->unit_near[units - 1];
    trees->lone_count = trees->unit_near[units] - trees->lone_first;
    return true;
}

/* adds the nodes from `first` on as a level, or to the previous one */
static bool add_level(tr2_trees *trees, uint32_t first)
{
    tr2_trees_range *last = trees->level_count > 0 ? &trees->levels[trees->level_count - 1] : NULL;
    uint32_t count = trees->node_count - first;
    if (last != NULL && count <= NARROW && (last->count <= NARROW || last->whole)) {
        last->count += count;
        last->whole = true;
        return true;
    }
    if (!tr_grow(trees->forest.memory, (void **)&trees->levels, &trees->level_capacity, trees->level_count + 1,
                 sizeof *trees->levels))
        return false;
    trees->levels[trees->level_count++] = (tr2_trees_range){.first = first, .count = count};
    return true;
}

/* adds the children of a node in a level: leaves to its bunches, others as nodes */
static bool add_children(tr2_trees *trees, const tr2_search *s, uint32_t n, uint32_t *from)
{
    const tr_forest_node *node = &trees->forest.nodes[from[n]];
    uint32_t leaves = 0;
    bool done = tr2_add_leaves(trees, s, node, n, &leaves);
    trees->nodes[n].first_child = trees->node_count;
    for (uint32_t c = node->first_child; c < node->first_child + node->child_count && done; c++) {
        const tr_forest_node *child = &trees->forest.nodes[c];
        if (leaves == 0 || (leaves >> tr2_leaf_kind(s, child) & 1) == 0) {
            from[trees->node_count] = c;
            done = add_node(trees, s, child, n);
        }
    }
    trees->nodes[n].child_count = trees->node_count - trees->nodes[n].first_child;
    return done;
}

/* adds all other trees together, level by level; `from`: the forest's node of each node */
static bool add_far_trees(tr2_trees *trees, const tr2_search *s, const uint32_t *unit, uint32_t *from)
{
    const tr_forest *forest = &trees->forest;
    trees->far_first = trees->node_count;
    for (uint32_t t = 0; t < forest->tree_count; t++) {
        if (unit[t] != TR_NONE)
            continue;
        from[trees->node_count] = forest->trees[t].first_node;
        if (!add_node(trees, s, &forest->nodes[forest->trees[t].first_node], TR_NONE))
            return false;
    }
    for (uint32_t begin = trees->far_first; begin < trees->node_count;) {
        uint32_t end = trees->node_count;
        if (!add_level(trees, begin))
            return false;
        for (uint32_t n = begin; n < end; n++) {
            if (!add_children(trees, s, n, from))
                return false;
        }
        begin = end;
    }
    return true;
}

bool tr2_add_tree_nodes(tr2_trees *trees, const tr2_search *s)
{
    tr_forest *forest = &trees->forest;
    tr_memory *m = forest->memory;
    uint32_t *unit = tr_allocate_array(m, forest->tree_count, sizeof *unit);
    uint32_t *from = tr_allocate_array(m, forest->node_count, sizeof *from);
    bool done = unit != NULL && from != NULL;
    for (uint32_t t = 0; done && t < forest->tree_count; t++)
        unit[t] = tr2_unit_of_tree(s, forest, &forest->trees[t]);
    done = done && add_near_trees(trees, s, unit) && add_far_trees(trees, s, unit, from);
    tr_release(m, unit, forest->tree_count * sizeof *unit);
    tr_release(m, from, forest->node_count * sizeof *from);
    return done;
}
