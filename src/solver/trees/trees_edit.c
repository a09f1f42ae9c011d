/* Decides whether an edit leaves all trees as they are, because it is not connected with any of them. */
#include "solver/trees/trees_search.h"

/* Examining a vertex near the edit costs about a thirtieth of adding a node of a tree. */
#define LOOKS_PER_NODE 32u

bool tr2_trees_stay(tr2_trees *trees, const tr2_search *s)
{
    const tr_plan *plan = s->system->plan;
    const uint32_t *news;
    uint32_t count, nodes = trees->forest.node_count;
    uint32_t most = nodes < UINT32_MAX / LOOKS_PER_NODE ? nodes * LOOKS_PER_NODE : 0;
    bool stay = tr_plan_news(plan, &news, &count);
    for (uint32_t i = 0; i < count && stay; i++) {
        /* skip fixed bodies, which do not connect; the other ends of their joints are in the news, too */
        if (s->system->bodies->type[tr2_row_of_vertex(s->system, news[i])] != TR_DYNAMIC)
            continue;
        stay =
            news[i] < trees->seen_capacity && tr_forest_is_apart(&trees->forest, plan, s->kinds, trees->seen,
                                                                 trees->stamp, trees->stamp + TR2_HUB, news[i], most);
    }
    return stay;
}

void tr2_trees_follow_rows(tr2_trees *trees, const tr2_system *system)
{
    const uint32_t *row = system->joint_pool->row;
    for (uint32_t n = 0; n < trees->node_count; n++) {
        tr2_trees_node *node = &trees->nodes[n];
        if (node->parent != TR_NONE)
            node->tie.row = row[node->tie.edge];
    }
    for (uint32_t p = 0; p < trees->pin_count; p++)
        trees->pins[p].row = row[trees->pins[p].edge];
    for (uint32_t i = 0; i < TR2_LEAF_LANES * trees->leaf_block_count; i++) {
        if (trees->leaves[i].edge != TR_NONE)
            trees->leaves[i].row = row[trees->leaves[i].edge];
    }
}
