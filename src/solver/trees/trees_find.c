/* Finds the trees of joints to be solved exactly: those with strained bodies. */
#include "solver/trees/trees.h"

#include "solver/trees/trees_search.h"

/* greatest number of bodies of a tree in no unit that one worker solves alone: if free angles have features, and
   otherwise */
#define LONE_MOST       2048u
#define LONE_MOST_PLAIN 256u

/* which joints a search may use; later ones leave out those that are more likely to close loops */
typedef enum tie_choice { ALL_TIES, NO_LINES, PINS_ALONE } tie_choice;

static bool is_chosen_tie(uint32_t kind, tie_choice choice)
{
    tr2_tie_kind tie = tr2_tie_kind_of(kind);
    if (choice == PINS_ALONE)
        return tie == TR_TIE_POINT && !tr2_has_turn(kind);
    return tie != TR_TIE_NONE && (choice == ALL_TIES || tie != TR_TIE_LINE);
}

static uint64_t tie_kinds(tie_choice choice)
{
    uint64_t kinds = 0;
    for (uint32_t kind = 0; kind < TR_KERNEL_COUNT; kind++)
        kinds |= (uint64_t)is_chosen_tie(kind, choice) << kind;
    return kinds;
}

uint64_t tr2_tree_kinds(void)
{
    return tie_kinds(ALL_TIES);
}

/* whether some joint of the tree has features on its free angle */
static bool has_turns(const tr2_search *s, const tr_forest *forest, const tr_forest_tree *tree)
{
    const tr_plan *plan = s->system->plan;
    for (uint32_t n = tree->first_node; n < tree->first_node + tree->node_count; n++) {
        uint32_t half = tr_plan_first(plan, forest->nodes[n].vertex);
        for (; half != TR_NONE; half = tr_plan_next(plan, half)) {
            uint32_t edge = tr_half_edge(half);
            /* check all kinds: joints to fixed bodies need not be among those searched */
            if (tr2_has_turn(tr_plan_kind(plan, edge)) && !tr2_is_idle_pin(s, edge, 1 - tr_half_end(half)))
                return true;
        }
    }
    return false;
}

uint32_t tr2_unit_of_tree(const tr2_search *s, const tr_forest *forest, const tr_forest_tree *tree)
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
        uint32_t far = (tr_half_end(half) + 1) % 2, other = tr_plan_end(plan, tr_half_edge(half), far);
        if (tr2_counts(s, tr_half_edge(half), far) &&
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
    if (tr2_unit_of_tree(s, forest, tree) != TR_NONE)
        tr_forest_root(forest, plan, s->kinds, root_of(s, forest, tree));
    for (uint32_t n = node_count; n < forest->node_count; n++)
        trees->seen[forest->nodes[n].vertex] = trees->stamp + TR2_TAKEN;
    return true;
}

/* the number of a body's joints of the kinds searched, counted once in a search: joints side by side ask for it each */
static uint64_t count_chosen(tr2_trees *trees, const tr2_search *s, uint32_t vertex)
{
    const tr_plan *plan = s->system->plan;
    tr2_tie_count *known = &trees->tie_counts[vertex];
    if (known->stamp == trees->stamp)
        return known->count;
    *known = (tr2_tie_count){.stamp = trees->stamp};
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE; half = tr_plan_next(plan, half))
        known->count += tr2_counts(s, tr_half_edge(half), 1 - tr_half_end(half));
    return known->count;
}

/* Whether a body has many joints and the bodies around it have less than half as many on average. If all have many,
   as in a lattice, they support each other. Joints of other kinds change without news, so the result must not depend on
   them. */
static bool is_hub(tr2_trees *trees, const tr2_search *s, uint32_t vertex)
{
    const tr_plan *plan = s->system->plan;
    uint64_t ties = 0, around = 0, degree = tr_plan_degree(plan, vertex), most = degree * degree;
    for (uint32_t half = tr_plan_first(plan, vertex); half != TR_NONE; half = tr_plan_next(plan, half)) {
        uint32_t other = tr_plan_end(plan, tr_half_edge(half), (tr_half_end(half) + 1) % 2);
        bool counts = tr2_is_chosen(s, tr_half_edge(half)) &&
                      s->system->bodies->type[tr2_row_of_vertex(s->system, other)] == TR_DYNAMIC;
        ties += counts;
        around += counts && around < most ? count_chosen(trees, s, other) : 0;
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
        uint32_t vertex = trees->strained[i];
        if (seen[vertex] == taken || tr2_is_direct(s, vertex) ||
            tr_plan_degree(s->system->plan, vertex) < TR2_MANY_TIES)
            continue;
        if (!tr_grow(trees->forest.memory, (void **)&trees->tie_counts, &trees->tie_count_capacity,
                     s->system->body_pool->count, sizeof *trees->tie_counts))
            return false;
        if (is_hub(trees, s, vertex))
            seen[vertex] = hub;
    }
    return span_from(trees, s, true) && span_from(trees, s, false);
}

bool tr2_find_trees(tr2_trees *trees, const tr2_search *s)
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
        for (uint32_t v = 0; v < trees->tie_count_capacity; v++)
            trees->tie_counts[v].stamp = 0;
        trees->stamp = TR2_STAMPS;
    }
    for (uint32_t i = 0; i < trees->strained_count; i++) {
        uint32_t vertex = trees->strained[i];
        bool found = trees->seen[vertex] == trees->stamp + TR2_TAKEN || tr2_is_direct(s, vertex);
        if (!found && !seek(trees, s, vertex, TR2_WALKED, &found))
            return false;
        if (!found && tr2_is_strained(&others, vertex) && !seek(trees, &others, vertex, TR2_WALKED_OTHERS, &found))
            return false;
        if (!found && tr2_is_strained(&pins, vertex) && !seek(trees, &pins, vertex, TR2_WALKED_PINS, &found))
            return false;
    }
    return span_hubs(trees, s);
}
