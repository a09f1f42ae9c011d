/* Finds the trees of joints to be solved exactly, when the layout is made, and lists their nodes in the order of
   solving. */
#include "solver/trees.h"

#include <string.h>

#include "solver/trees_search.h"

/* consecutive levels of at most this many nodes are combined into one stage, because each is the work of one worker
   anyway */
#define NARROW TR2_TREE_CHUNK

/* greatest number of bodies of a tree in no unit that one worker solves alone: if free angles have features, and
   otherwise */
#define LONE_MOST       2048u
#define LONE_MOST_PLAIN 256u

void tr2_trees_init(tr2_trees *trees, tr_memory *memory)
{
    tr_forest_init(&trees->forest, memory);
}

void tr2_trees_destroy(tr2_trees *trees)
{
    tr_memory *m = trees->forest.memory;
    tr_release(m, trees->nodes, trees->node_capacity * sizeof *trees->nodes);
    tr_release(m, trees->pins, trees->pin_capacity * sizeof *trees->pins);
    tr_release(m, trees->turns, trees->turn_capacity * sizeof *trees->turns);
    tr_release(m, trees->near, trees->near_capacity * sizeof *trees->near);
    tr_release(m, trees->unit_near, trees->unit_capacity * sizeof *trees->unit_near);
    tr_release(m, trees->bunches, trees->bunch_capacity * sizeof *trees->bunches);
    tr_release(m, trees->leaf_blocks, trees->leaf_block_capacity * sizeof *trees->leaf_blocks);
    tr_release(m, trees->leaves, trees->leaf_capacity * sizeof *trees->leaves);
    tr_release(m, trees->levels, trees->level_capacity * sizeof *trees->levels);
    tr_release(m, trees->strained, trees->strained_capacity * sizeof *trees->strained);
    tr_release(m, trees->seen, trees->seen_capacity * sizeof *trees->seen);
    tr_release(m, trees->touches, trees->touch_capacity * sizeof *trees->touches);
    tr_release(m, trees->first_touch, trees->first_touch_capacity * sizeof *trees->first_touch);
    tr_release(m, trees->touch_order, trees->touch_order_capacity * sizeof *trees->touch_order);
    tr_release(m, trees->touch_chunk, trees->touch_chunk_capacity * sizeof *trees->touch_chunk);
    tr_release(m, trees->grouping, trees->grouping_capacity * sizeof *trees->grouping);
    tr_release(m, trees->node_of_state, trees->node_of_state_capacity * sizeof *trees->node_of_state);
    tr_forest_destroy(&trees->forest);
    memset(trees, 0, sizeof *trees);
}

/*
 * Search for trees
 */
/* which joints a search may use; later ones leave out those that are more likely to close loops */
typedef enum tie_choice { ALL_TIES, NO_LINES, PINS_ALONE } tie_choice;

static bool is_chosen_tie(uint32_t kind, tie_choice choice)
{
    tr2_tie_kind tie = tr2_tie_kind_of(kind);
    if (choice == PINS_ALONE)
        return tie == TR2_TIE_POINT && !tr2_has_turn(kind);
    return tie != TR2_TIE_NONE && (choice == ALL_TIES || tie != TR2_TIE_LINE);
}

static uint64_t tie_kinds(tie_choice choice)
{
    uint64_t kinds = 0;
    for (uint32_t kind = 0; kind < TR2_KERNEL_COUNT; kind++)
        kinds |= (uint64_t)is_chosen_tie(kind, choice) << kind;
    return kinds;
}

/* whether some joint of the tree has features on its free angle */
static bool has_turns(const tr2_search *s, const tr_forest *forest, const tr_forest_tree *tree)
{
    const tr_plan *plan = s->system->plan;
    for (uint32_t n = tree->first_node; n < tree->first_node + tree->node_count; n++) {
        uint32_t half = tr_plan_first(plan, forest->nodes[n].vertex);
        for (; half != TR_NONE; half = tr_plan_next(plan, half)) {
            /* check all kinds: joints to fixed bodies need not be among those searched */
            if (tr2_has_turn(tr_plan_kind(plan, tr_half_edge(half))))
                return true;
        }
    }
    return false;
}

/* the unit with all bodies of a tree; the number of units if there is none, but one worker solves the tree; TR_NONE
   if several do, as for trees with split bodies, which have many joints */
static uint32_t unit_of_tree(const tr2_search *s, const tr_forest *forest, const tr_forest_tree *tree)
{
    uint32_t unit = tr_plan_unit(s->system->plan, forest->nodes[tree->first_node].vertex);
    const uint32_t *state_of_body = s->solver->state_of_body.data;
    const uint8_t *split = s->solver->hub_count > 0 ? s->solver->split.data : NULL;
    for (uint32_t n = tree->first_node; n < tree->first_node + tree->node_count; n++) {
        uint32_t vertex = forest->nodes[n].vertex;
        if (split != NULL && split[state_of_body[tr2_row_of_vertex(s->system, vertex)]] != 0)
            return TR_NONE;
        if (tr_plan_unit(s->system->plan, vertex) != unit)
            unit = TR_NONE;
    }
    bool lone = unit == TR_NONE &&
                (tree->node_count <= LONE_MOST_PLAIN || (tree->node_count <= LONE_MOST && has_turns(s, forest, tree)));
    return lone ? s->solver->plan_units : unit;
}

bool tr2_is_pinned(const tr2_search *s, uint32_t vertex)
{
    const tr_plan *plan = s->system->plan;
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
        uint32_t other = tr_plan_end(plan, tr_half_edge(half), (tr_half_end(half) + 1) % 2);
        if (tr2_is_chosen(s, tr_half_edge(half)) &&
            s->system->bodies->type[tr2_row_of_vertex(s->system, other)] != TR_DYNAMIC)
            return true;
    }
    return false;
}

/* a pinned body as the root, because then the pin sees the mass of the entire tree; else the middle */
static uint32_t root_of(const tr2_search *s, const tr_forest *forest, const tr_forest_tree *tree)
{
    for (uint32_t n = tree->first_node; n < tree->first_node + tree->node_count; n++) {
        if (tr2_is_pinned(s, forest->nodes[n].vertex))
            return forest->nodes[n].vertex;
    }
    return forest->nodes[tree->first_node].vertex;
}

/* finds the tree over these kinds of joints that contains a vertex */
static bool seek(tr2_trees *trees, const tr2_search *s, uint32_t vertex, uint32_t walked, bool *found)
{
    tr_forest *forest = &trees->forest;
    const tr_plan *plan = s->system->plan;
    uint32_t node_count = forest->node_count, tree_count = forest->tree_count;
    if (!tr_forest_find(forest, plan, s->kinds, trees->seen, trees->stamp + walked, vertex))
        return false;
    *found = forest->tree_count > tree_count;
    if (!*found)
        return true;
    const tr_forest_tree *tree = &forest->trees[tree_count];
    if (unit_of_tree(s, forest, tree) != TR_NONE)
        tr_forest_root(forest, plan, s->kinds, root_of(s, forest, tree));
    for (uint32_t n = node_count; n < forest->node_count; n++)
        trees->seen[forest->nodes[n].vertex] = trees->stamp + TR2_TAKEN;
    return true;
}

/* counts joints of the kinds searched, up to `most`; other joints change without news, so the result must not depend
   on them */
static uint64_t count_chosen(const tr2_search *s, uint32_t vertex, uint64_t most)
{
    const tr_plan *plan = s->system->plan;
    uint64_t count = 0;
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE && count < most; half = tr_plan_next(plan, half))
        count += tr2_is_chosen(s, tr_half_edge(half));
    return count;
}

/* Whether a body has many joints and the bodies around it have less than half as many on average. If all have many,
   as in a lattice, they support each other. */
static bool is_hub(const tr2_search *s, uint32_t vertex)
{
    const tr_plan *plan = s->system->plan;
    uint64_t ties = 0, around = 0, degree = tr_plan_degree(plan, vertex);
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
        uint32_t other = tr_plan_end(plan, tr_half_edge(half), (tr_half_end(half) + 1) % 2);
        bool counts = tr2_is_chosen(s, tr_half_edge(half)) &&
                      s->system->bodies->type[tr2_row_of_vertex(s->system, other)] == TR_DYNAMIC;
        ties += counts;
        around += counts ? count_chosen(s, other, degree * degree) : 0;
    }
    return ties >= TR2_MANY_TIES && 2 * around < ties * ties;
}

/* spans trees from the hubs that are in none yet; `pinned`: only from those with a joint to a fixed body */
static bool span_from(tr2_trees *trees, const tr2_search *s, bool pinned)
{
    const uint32_t hub = trees->stamp + TR2_HUB, taken = trees->stamp + TR2_TAKEN;
    for (uint32_t i = 0; i < trees->strained_count; i++) {
        uint32_t vertex = trees->strained[i];
        if (trees->seen[vertex] == hub && (!pinned || tr2_is_pinned(s, vertex)) &&
            !tr_forest_span(&trees->forest, s->system->plan, s->kinds, trees->seen, hub, taken, vertex))
            return false;
    }
    return true;
}

/* Hubs with loops: builds a tree that spans as many of their joints as possible, and leaves the others to the
   sweeps. Hubs with a joint to a fixed body come first, as roots. */
static bool span_hubs(tr2_trees *trees, const tr2_search *s)
{
    const uint32_t hub = trees->stamp + TR2_HUB, taken = trees->stamp + TR2_TAKEN;
    uint32_t *seen = trees->seen;
    for (uint32_t i = 0; i < trees->strained_count; i++) {
        if (seen[trees->strained[i]] != taken && is_hub(s, trees->strained[i]))
            seen[trees->strained[i]] = hub;
    }
    return span_from(trees, s, true) && span_from(trees, s, false);
}

/* trees with strained bodies: over all kinds of joints; if that has a loop, without lines and then over plain pins
   only; then spanning trees of hubs */
static bool find(tr2_trees *trees, const tr2_search *s)
{
    const tr2_search others = {s->solver, s->system, tie_kinds(NO_LINES)};
    const tr2_search pins = {s->solver, s->system, tie_kinds(PINS_ALONE)};
    uint32_t vertices = trees->strained_count > 0 ? s->system->body_pool->count : 0;
    if (!tr_grow(trees->forest.memory, (void **)&trees->seen, &trees->seen_capacity, vertices, sizeof *trees->seen))
        return false;
    trees->stamp += TR2_STAMPS;
    if (trees->stamp > UINT32_MAX - 2 * TR2_STAMPS) {
        for (uint32_t v = 0; v < trees->seen_capacity; v++)
            trees->seen[v] = 0;
        trees->stamp = TR2_STAMPS;
    }
    for (uint32_t i = 0; i < trees->strained_count; i++) {
        uint32_t vertex = trees->strained[i];
        bool found = trees->seen[vertex] == trees->stamp + TR2_TAKEN;
        if (!found && !seek(trees, s, vertex, TR2_WALKED, &found))
            return false;
        if (!found && tr2_is_strained(&others, vertex) && !seek(trees, &others, vertex, TR2_WALKED_OTHERS, &found))
            return false;
        if (!found && tr2_is_strained(&pins, vertex) && !seek(trees, &pins, vertex, TR2_WALKED_PINS, &found))
            return false;
    }
    return span_hubs(trees, s);
}

/*
 * Nodes
 */
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
        uint32_t edge = tr_half_edge(half);
        if (!tr2_is_chosen(s, edge))
            continue;
        uint32_t other = tr2_row_of_vertex(s->system, tr_plan_end(plan, edge, 1 - tr_half_end(half)));
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
        if (!tr2_is_chosen(s, edge))
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
    bool has_leaves = tr2_has_leaves(trees, s, node), done = true;
    trees->nodes[n].first_child = trees->node_count;
    for (uint32_t c = node->first_child; c < node->first_child + node->child_count && done; c++) {
        const tr_forest_node *child = &trees->forest.nodes[c];
        if (has_leaves && tr2_is_leaf(s, child)) {
            done = tr2_add_leaf(trees, s, child, n);
        } else {
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

static bool add_trees(tr2_trees *trees, const tr2_search *s)
{
    tr_forest *forest = &trees->forest;
    tr_memory *m = forest->memory;
    uint32_t *unit = tr_allocate_array(m, forest->tree_count, sizeof *unit);
    uint32_t *from = tr_allocate_array(m, forest->node_count, sizeof *from);
    bool done = unit != NULL && from != NULL;
    for (uint32_t t = 0; done && t < forest->tree_count; t++)
        unit[t] = unit_of_tree(s, forest, &forest->trees[t]);
    done = done && add_near_trees(trees, s, unit) && add_far_trees(trees, s, unit, from);
    tr_release(m, unit, forest->tree_count * sizeof *unit);
    tr_release(m, from, forest->node_count * sizeof *from);
    return done;
}

static void forget(tr2_trees *trees, const tr2_system *system)
{
    tr2_unmark_trees(trees, system);
    tr_forest_clear(&trees->forest);
    trees->node_count = trees->pin_count = trees->turn_count = trees->level_count = trees->unit_count = 0;
    trees->bunch_count = trees->leaf_block_count = 0;
    trees->far_first = trees->joint_count = trees->lone_first = trees->lone_count = 0;
}

/* whether the lane or row of a joint that could be in a tree has changed */
static bool have_joints_changed(const tr_plan_layout *plan)
{
    bool changed = false;
    for (uint32_t i = 0; i < plan->changed_count && !changed; i++)
        changed = tr2_tie_kind_of(plan->spans[plan->changed[i]].kind) != TR2_TIE_NONE;
    return changed;
}

/* for vertices with this many joints, search the news for an earlier entry before examining them; for fewer,
   examining is cheaper */
#define SCANNED_TIES 32u

/* whether a vertex of many joints was in the news earlier: if all its joints are edited, it is there once per joint */
static bool has_been_seen_to(const tr_plan *plan, const uint32_t *news, uint32_t at)
{
    uint32_t before = tr_plan_degree(plan, news[at]) < SCANNED_TIES ? at : 0;
    while (before < at && news[before] != news[at])
        before++;
    return before < at;
}

/* updates the strained bodies, using only the news if possible; *changed: whether there was news; *others: whether
   other bodies are, or may be, strained */
static bool renew(tr2_trees *trees, const tr2_search *s, bool rows_move, bool *changed, bool *others)
{
    const uint32_t *news;
    uint32_t count;
    if (rows_move || !trees->known || !tr_plan_news(s->system->plan, &news, &count)) {
        *changed = *others = true;
        return tr2_list_strained(trees, s);
    }
    bool done = true;
    *changed = count > 0;
    *others = false;
    for (uint32_t i = 0; i < count && done; i++) {
        if (!has_been_seen_to(s->system->plan, news, i))
            done = tr2_renew_strained(trees, s, news[i], others);
    }
    return done;
}

tr_status tr2_trees_plant(tr2_solver *solver, const tr2_system *system, const tr_plan_layout *plan, bool rows_move)
{
    tr2_trees *trees = &solver->trees;
    const tr2_search s = {solver, system, tie_kinds(ALL_TIES)};
    bool changed = false, others = true, done = renew(trees, &s, rows_move, &changed, &others);
    tr_plan_watch(system->plan, s.kinds);
    /* nothing to do if there were no trees, and no body is strained */
    uint32_t had = trees->joint_count;
    bool any = trees->strained_count > 0 || had > 0;
    bool look = !done || (any && (changed || have_joints_changed(plan)));
    if (look && done && !others && tr2_trees_stay(trees, &s)) {
        tr2_trees_follow_rows(trees, system);
        look = false;
    }
    if (look) {
        forget(trees, system);
        done = done && find(trees, &s);
        if (done && trees->forest.tree_count > 0)
            done = add_trees(trees, &s) && tr2_mark_trees(trees, system);
        if (!done)
            forget(trees, system);
    }
    trees->touch_count = trees->touch_chunk_count = 0;
    if (done && trees->lone_first + trees->lone_count > 0 && trees->joint_count > 0)
        done = tr2_trees_touch(solver, look);
    trees->known = done;
    if (had > 0 || trees->joint_count > 0)
        tr2_mark_idle_chunks(solver, system);
    return done ? TR_OK : TR_ERROR_MEMORY;
}
