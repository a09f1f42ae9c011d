/* The trees of joints to be solved exactly, as the layout is made: searched anew only if news concern them. */
#include "solver/trees/trees.h"

#include <string.h>

#include "solver/trees/trees_search.h"

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
    tr_release(m, trees->leaf_lengths, trees->leaf_lengths_capacity * sizeof *trees->leaf_lengths);
    tr_release(m, trees->leaves, trees->leaf_capacity * sizeof *trees->leaves);
    tr_release(m, trees->levels, trees->level_capacity * sizeof *trees->levels);
    tr_release(m, trees->strained, trees->strained_capacity * sizeof *trees->strained);
    tr_release(m, trees->unmarked, trees->unmarked_capacity * sizeof *trees->unmarked);
    tr_release(m, trees->seen, trees->seen_capacity * sizeof *trees->seen);
    tr_release(m, trees->tie_counts, trees->tie_count_capacity * sizeof *trees->tie_counts);
    tr_release(m, trees->touches, trees->touch_capacity * sizeof *trees->touches);
    tr_release(m, trees->first_touch, trees->first_touch_capacity * sizeof *trees->first_touch);
    tr_release(m, trees->touch_order, trees->touch_order_capacity * sizeof *trees->touch_order);
    tr_release(m, trees->touch_chunk, trees->touch_chunk_capacity * sizeof *trees->touch_chunk);
    tr_release(m, trees->grouping, trees->grouping_capacity * sizeof *trees->grouping);
    tr_release(m, trees->node_of_state, trees->node_of_state_capacity * sizeof *trees->node_of_state);
    tr_forest_destroy(&trees->forest);
    memset(trees, 0, sizeof *trees);
}

/* there must be room for unmarked joints */
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
        changed = tr2_tie_kind_of(plan->spans[plan->changed[i]].kind) != TR_TIE_NONE;
    return changed;
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
        if (!tr_plan_news_repeats(s->system->plan, i))
            done = tr2_renew_strained(trees, s, news[i], others);
    }
    return done;
}

/* Trees, and islands for the direct method: those that bodies ask for, and those that trees cannot hold. */
static bool find_all(tr2_solver *solver, const tr2_search *s)
{
    tr2_trees *trees = &solver->trees;
    bool again = false;
    if (tr2_chosen_is_idle(&solver->chosen, s->system->bodies))
        return tr2_find_trees(trees, s);
    if (!tr2_choose_wanted(solver, s->system) || !tr2_find_trees(trees, s) ||
        !tr2_choose_strained(solver, s->system, trees->strained_count > 0 ? trees->seen : NULL,
                             trees->stamp + TR2_TAKEN, &again))
        return false;
    if (!again)
        return true;
    tr_forest_clear(&trees->forest);
    return tr2_find_trees(trees, s);
}

tr_status tr2_trees_plant(tr2_solver *solver, const tr2_system *system, const tr_plan_layout *plan, bool rows_move,
                          bool news)
{
    tr2_trees *trees = &solver->trees;
    const tr2_search s = {solver, system, tr2_tree_kinds()};
    if (trees->foreign && !tr2_unmark_foreign(trees, system))
        return TR_ERROR_MEMORY;
    bool changed = false, others = true, done = renew(trees, &s, rows_move, &changed, &others);
    /* nothing to do if there were no trees, and no body is strained */
    const bool chooses = !tr2_chosen_is_idle(&solver->chosen, system->bodies);
    uint32_t had = trees->joint_count;
    bool any = trees->strained_count > 0 || had > 0;
    bool look = !done || (any && (changed || have_joints_changed(plan))) || (chooses && news);
    if (look && done && !others && (!chooses || tr2_chosen_stays(&solver->chosen, system)) &&
        tr2_trees_stay(trees, &s)) {
        tr2_trees_follow_rows(trees, system);
        look = false;
    }
    if (look) {
        bool room = tr2_reserve_unmarked(trees);
        if (room)
            forget(trees, system);
        done = done && room && find_all(solver, &s);
        if (done && trees->forest.tree_count > 0)
            done = tr2_add_tree_nodes(trees, &s) && tr2_mark_trees(trees, system);
        if (!done && room)
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
