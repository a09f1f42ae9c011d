/* Lists the contacts that are solved with trees: those with an end in a tree that one worker solves, sorted by tree. */
#include <string.h>

#include "solver/joint_types.h"
#include "solver/solver_internal.h"

/* the node of a state row; TR_NONE if it is in no tree that one worker solves */
static uint32_t node_of(const tr2_trees *trees, int32_t row)
{
    return trees->node_of_state[row / TR2_ROW];
}

/* Visits all contacts with an end in such a tree. If out is null, it counts those of each tree in first_touch[tree +
   1]. */
static void list_touches(tr2_solver *solver, tr2_touch *out)
{
    tr2_trees *trees = &solver->trees;
    const tr2_chunk *chunks = solver->chunks.data;
    for (uint32_t c = 0; c < solver->chunk_count; c++) {
        const tr2_blocks *blocks = &solver->blocks[chunks[c].kernel];
        if (tr2_kernel_type(chunks[c].kernel) != TR2_CONTACT)
            continue;
        for (uint32_t i = chunks[c].first * TR_LANES; i < (chunks[c].first + chunks[c].count) * TR_LANES; i++) {
            uint32_t block = i / TR_LANES, lane = i % TR_LANES;
            const tr2_block_bodies *bodies = (const tr2_block_bodies *)(void *)(blocks->data + block * blocks->stride);
            if (blocks->rows[i] == TR_NONE)
                continue;
            tr2_touch touch = {
                chunks[c].kernel, block, lane, {node_of(trees, bodies->a[lane]), node_of(trees, bodies->b[lane])}};
            uint32_t a = touch.node[0] != TR_NONE ? trees->nodes[touch.node[0]].tree : TR_NONE;
            uint32_t b = touch.node[1] != TR_NONE ? trees->nodes[touch.node[1]].tree : TR_NONE;
            uint32_t tree[2] = {a, b == a ? TR_NONE : b};
            for (uint32_t e = 0; e < 2; e++) {
                if (tree[e] == TR_NONE)
                    continue;
                uint32_t *next = &trees->first_touch[tree[e] + 1];
                if (out != NULL)
                    out[*next] = touch;
                ++*next;
            }
        }
    }
}

/* finds the node of each state row, and the tree of each node */
static bool map_nodes(tr2_solver *solver, uint32_t tree_count)
{
    tr2_trees *trees = &solver->trees;
    if (!tr_grow(trees->forest.memory, (void **)&trees->node_of_state, &trees->node_of_state_capacity,
                 solver->state_count, sizeof *trees->node_of_state))
        return false;
    for (uint32_t row = 0; row < solver->state_count; row++)
        trees->node_of_state[row] = TR_NONE;
    for (uint32_t t = 0; t < tree_count; t++) {
        for (uint32_t n = trees->near[t].first; n < trees->near[t].first + trees->near[t].count; n++) {
            trees->nodes[n].tree = t;
            trees->node_of_state[trees->nodes[n].state] = n;
        }
    }
    return true;
}

bool tr2_trees_touch(tr2_solver *solver, bool planted)
{
    tr2_trees *trees = &solver->trees;
    tr_memory *m = trees->forest.memory;
    uint32_t count = trees->lone_first + trees->lone_count;
    trees->touch_count = 0;
    if (!tr_grow(m, (void **)&trees->first_touch, &trees->first_touch_capacity, count + 2,
                 sizeof *trees->first_touch) ||
        (planted && !map_nodes(solver, count)))
        return false;
    /* counts go one place up, so that their sums can serve as running indices */
    memset(trees->first_touch, 0, (count + 2) * sizeof *trees->first_touch);
    list_touches(solver, NULL);
    uint32_t sum = 0;
    for (uint32_t t = 0; t <= count; t++) {
        uint32_t own = trees->first_touch[t + 1];
        trees->first_touch[t + 1] = sum;
        sum += own;
    }
    if (!tr_grow(m, (void **)&trees->touches, &trees->touch_capacity, sum, sizeof *trees->touches))
        return false;
    list_touches(solver, trees->touches);
    trees->touch_count = sum;
    return true;
}
