/* Lists the contacts that are solved with trees: those with an end in a tree that one worker solves, sorted by tree.
   Also finds which trees of units and islands that several workers solve are independent of each other. */
#include <string.h>

#include "solver/core/joint_types.h"
#include "solver/core/solver_internal.h"
#include "solver/joints2/contact.h"

/* the node of a state row; TR_NONE if it is in no tree that one worker solves */
static uint32_t node_of(const tr2_trees *trees, int32_t row)
{
    return trees->node_of_state[row / TR2_ROW];
}

/* the contact in a lane, counted through all blocks of its kernel */
static tr2_touch touch_at(const tr2_solver *solver, uint32_t kernel, uint32_t i)
{
    const tr2_blocks *blocks = &solver->blocks[kernel];
    const uint32_t block = i / TR_LANES, lane = i % TR_LANES;
    const tr2_block_bodies *bodies = tr2_block_ends(blocks, block);
    return (tr2_touch){
        kernel, block, lane, {node_of(&solver->trees, bodies->a[lane]), node_of(&solver->trees, bodies->b[lane])}};
}

/* Visits all contacts with an end in such a tree, and marks their chunks. If out is null, it counts those of each tree
   in first_touch[tree + 1]. */
static void list_touches(tr2_solver *solver, tr2_touch *out)
{
    tr2_trees *trees = &solver->trees;
    tr2_chunk *chunks = solver->chunks.data;
    for (uint32_t c = 0; c < solver->chunk_count; c++) {
        const tr2_blocks *blocks = &solver->blocks[chunks[c].kernel];
        chunks[c].touches_tree = false;
        if (tr2_kernel_type(chunks[c].kernel) != TR_CONTACT)
            continue;
        for (uint32_t i = chunks[c].first * TR_LANES; i < (chunks[c].first + chunks[c].count) * TR_LANES; i++) {
            if (blocks->rows[i] == TR_NONE)
                continue;
            const tr2_touch touch = touch_at(solver, chunks[c].kernel, i);
            uint32_t a = touch.node[0] != TR_NONE ? trees->nodes[touch.node[0]].tree : TR_NONE;
            uint32_t b = touch.node[1] != TR_NONE ? trees->nodes[touch.node[1]].tree : TR_NONE;
            uint32_t tree[2] = {a, b == a ? TR_NONE : b};
            for (uint32_t e = 0; e < 2; e++) {
                if (tree[e] == TR_NONE)
                    continue;
                uint32_t *next = &trees->first_touch[tree[e] + 1];
                chunks[c].touches_tree = true;
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

/*
 * Groups of trees that meet the same bodies through contacts. They are solved one after another in a fixed order, and
 * different groups in parallel.
 */
#define TOUCHES_PER_CHUNK 16u

/* the first tree of a tree's group; halves the paths on the way */
static uint32_t leader_of(uint32_t *lead, uint32_t tree)
{
    while (lead[tree] != tree)
        tree = lead[tree] = lead[lead[tree]];
    return tree;
}

static void unite(uint32_t *lead, uint32_t a, uint32_t b)
{
    a = leader_of(lead, a);
    b = leader_of(lead, b);
    lead[a < b ? b : a] = a < b ? a : b;
}

/* the tree at an end of a contact; for a body that is in none and can move, the first tree that touches it */
static uint32_t tree_at(const tr2_solver *solver, const tr2_touch *touch, uint32_t end, uint32_t *met, uint32_t tree)
{
    const tr2_blocks *blocks = &solver->blocks[touch->kernel];
    const tr2_block_bodies *bodies = tr2_block_ends(blocks, touch->block);
    uint32_t state = (uint32_t)((end == 0 ? bodies->a : bodies->b)[touch->lane] / TR2_ROW);
    if (touch->node[end] != TR_NONE)
        return solver->trees.nodes[touch->node[end]].tree;
    if (state >= solver->moving_end)
        return tree;
    met[state] = met[state] != TR_NONE ? met[state] : tree;
    return met[state];
}

static bool has_touches(const tr2_trees *trees, uint32_t tree)
{
    return trees->first_touch[tree] < trees->first_touch[tree + 1];
}

/* whether a unit's worker solves the contacts of its trees itself */
static bool is_whole(const tr2_solver *solver, uint32_t unit)
{
    return ((const tr2_unit *)solver->units.data)[unit].whole;
}

/* sorts trees by group, in `touch_order`: counts are in size[leader] */
static void order_groups(tr2_solver *solver, uint32_t *lead, uint32_t *size, uint32_t count)
{
    tr2_trees *trees = &solver->trees;
    uint32_t sum = 0, touches = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t t = 0, u = 0; t < count; t++) {
            while (u < trees->unit_count && t >= trees->unit_near[u + 1])
                u++;
            if (!has_touches(trees, t) || (u < trees->unit_count && is_whole(solver, u)))
                continue;
            uint32_t *next = &size[leader_of(lead, t)];
            if (pass == 1)
                trees->touch_order[*next] = t;
            ++*next;
        }
        for (uint32_t t = 0; t < count && pass == 0; t++) {
            uint32_t own = size[t];
            size[t] = sum;
            sum += own;
        }
    }
    /* chunks of whole groups */
    trees->touch_chunk_count = 0;
    for (uint32_t i = 0; i < sum; i++) {
        uint32_t t = trees->touch_order[i];
        bool next = i > 0 && leader_of(lead, t) != leader_of(lead, trees->touch_order[i - 1]);
        if (i == 0 || (next && touches >= TOUCHES_PER_CHUNK)) {
            trees->touch_chunk[trees->touch_chunk_count++] = i;
            touches = 0;
        }
        touches += trees->first_touch[t + 1] - trees->first_touch[t];
    }
    trees->touch_chunk[trees->touch_chunk_count] = sum;
}

static bool group_trees(tr2_solver *solver, uint32_t count)
{
    tr2_trees *trees = &solver->trees;
    tr_memory *m = trees->forest.memory;
    uint32_t states = solver->moving_end, room = 2 * count + states;
    if (!tr_grow(m, (void **)&trees->touch_order, &trees->touch_order_capacity, count, sizeof *trees->touch_order) ||
        !tr_grow(m, (void **)&trees->touch_chunk, &trees->touch_chunk_capacity, count + 1,
                 sizeof *trees->touch_chunk) ||
        !tr_grow(m, (void **)&trees->grouping, &trees->grouping_capacity, room, sizeof *trees->grouping))
        return false;
    uint32_t *lead = trees->grouping, *size = lead + count, *met = size + count;
    for (uint32_t t = 0; t < count; t++) {
        lead[t] = t;
        size[t] = 0;
    }
    memset(met, 0xff, states * sizeof *met);
    for (uint32_t t = 0; t < count; t++) {
        for (uint32_t i = trees->first_touch[t]; i < trees->first_touch[t + 1]; i++) {
            unite(lead, t, tree_at(solver, &trees->touches[i], 0, met, t));
            unite(lead, t, tree_at(solver, &trees->touches[i], 1, met, t));
        }
    }
    order_groups(solver, lead, size, count);
    return true;
}

bool tr2_trees_touch(tr2_solver *solver, bool planted)
{
    tr2_trees *trees = &solver->trees;
    tr_memory *m = trees->forest.memory;
    uint32_t count = trees->lone_first + trees->lone_count;
    trees->touch_count = trees->touch_chunk_count = 0;
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
    return sum == 0 || group_trees(solver, count);
}

void tr2_begin_touches(const tr2_step *step, const tr2_chunk *chunk)
{
    const tr2_solver *solver = step->solver;
    const tr2_blocks *blocks = &solver->blocks[chunk->kernel];
    if (solver->trees.touch_count == 0 || !chunk->touches_tree)
        return;
    for (uint32_t i = chunk->first * TR_LANES; i < (chunk->first + chunk->count) * TR_LANES; i++) {
        if (blocks->rows[i] == TR_NONE)
            continue;
        const tr2_touch touch = touch_at(solver, chunk->kernel, i);
        if (touch.node[0] == TR_NONE && touch.node[1] == TR_NONE)
            continue;
        float *impulses = tr2_block_columns(blocks, touch.block) + touch.lane;
        impulses[TR2_CONTACT_NORMAL_0 * TR_LANES] = 0.0f;
        if (!step->context.relaxes)
            impulses[TR2_CONTACT_TANGENT * TR_LANES] = impulses[TR2_CONTACT_TURN * TR_LANES] = 0.0f;
        if (tr2_kernel_is_featured(chunk->kernel))
            impulses[TR2_CONTACT_NORMAL_1 * TR_LANES] = 0.0f;
    }
}
