/* Leaves of exact trees that are solved in blocks (solver/leaves.h): their list, and the work on them outside of the
   kernels. */
#include "solver/trees/trees_search.h"
#include "solver/trees/trees_tie.h"

/* A body with fewer leaves keeps them as nodes, because blocks would be half empty. */
#define LEAVES_LEAST 16u

/*
 * The list
 */

tr2_tie_kind tr2_leaf_kind(const tr2_search *s, const tr_forest_node *node)
{
    uint32_t kind = tr_plan_kind(s->system->plan, node->edge);
    uint32_t state = ((const uint32_t *)s->solver->state_of_body.data)[tr2_row_of_vertex(s->system, node->vertex)];
    bool split = s->solver->hub_count > 0 && ((const uint8_t *)s->solver->split.data)[state] != 0;
    tr2_tie_kind tie = tr2_tie_kind_of(kind);
    bool has_kernel = (tie == TR_TIE_POINT && !tr2_has_turn(kind)) || tie == TR_TIE_LENGTH;
    return has_kernel && node->child_count == 0 && !split && !tr2_is_pinned(s, node->vertex) ? tie : TR_TIE_NONE;
}

/* the bunch for the next leaf of a node, with room for it; null if out of memory */
static tr2_bunch *bunch_for(tr2_trees *trees, uint32_t parent, tr2_tie_kind kind)
{
    tr_memory *m = trees->forest.memory;
    tr2_trees_node *node = &trees->nodes[parent];
    tr2_bunch *last = trees->bunch_count > 0 ? &trees->bunches[trees->bunch_count - 1] : NULL;
    bool next = last == NULL || last->parent != parent || last->kind != kind || last->count == TR2_BUNCH;
    bool full = next || last->count % TR2_LEAF_LANES == 0;
    uint32_t blocks = trees->leaf_block_count + full;
    if (!tr_grow(m, (void **)&trees->bunches, &trees->bunch_capacity, trees->bunch_count + next, sizeof *last) ||
        !tr_grow(m, (void **)&trees->leaf_blocks, &trees->leaf_block_capacity, blocks, sizeof *trees->leaf_blocks) ||
        !tr_grow(m, (void **)&trees->leaves, &trees->leaf_capacity, TR2_LEAF_LANES * blocks, sizeof *trees->leaves) ||
        (kind == TR_TIE_LENGTH && !tr_grow(m, (void **)&trees->leaf_lengths, &trees->leaf_lengths_capacity, blocks,
                                           sizeof *trees->leaf_lengths)))
        return NULL;
    if (next) {
        node->first_bunch = node->bunch_count == 0 ? trees->bunch_count : node->first_bunch;
        node->bunch_count++;
        trees->bunches[trees->bunch_count++] =
            (tr2_bunch){.parent = parent, .first_block = trees->leaf_block_count, .kind = kind};
    }
    if (full) {
        tr2_leaf_block *block = &trees->leaf_blocks[blocks - 1];
        memset(block, 0, sizeof *block);
        /* kernels read the states of all lanes, and nobody writes that of the parent meanwhile */
        for (uint32_t i = 0; i < TR2_LEAF_LANES; i++)
            block->state[i] = node->state;
        for (uint32_t i = TR2_LEAF_LANES * (blocks - 1); i < TR2_LEAF_LANES * blocks; i++)
            trees->leaves[i] = (tr2_leaf){.edge = TR_NONE};
        if (kind == TR_TIE_LENGTH)
            memset(&trees->leaf_lengths[blocks - 1], 0, sizeof *trees->leaf_lengths);
    }
    trees->leaf_block_count = blocks;
    return &trees->bunches[trees->bunch_count - 1];
}

static bool add_leaf(tr2_trees *trees, const tr2_search *s, const tr_forest_node *from, uint32_t parent,
                     tr2_tie_kind kind)
{
    const tr_plan *plan = s->system->plan;
    tr2_bunch *bunch = bunch_for(trees, parent, kind);
    if (bunch == NULL)
        return false;
    uint32_t lane = bunch->count++ % TR2_LEAF_LANES, body = tr2_row_of_vertex(s->system, from->vertex);
    trees->leaves[TR2_LEAF_LANES * (trees->leaf_block_count - 1) + lane] =
        (tr2_leaf){.edge = from->edge,
                   .type = tr2_kernel_type(tr_plan_kind(plan, from->edge)),
                   .row = s->system->joint_pool->row[from->edge],
                   .body = body,
                   .is_b = tr_plan_end(plan, from->edge, 1) == from->vertex};
    trees->leaf_blocks[trees->leaf_block_count - 1].state[lane] =
        ((const uint32_t *)s->solver->state_of_body.data)[body];
    trees->joint_count++;
    return true;
}

bool tr2_add_leaves(tr2_trees *trees, const tr2_search *s, const tr_forest_node *from, uint32_t parent, uint32_t *kinds)
{
    const tr_forest_node *children = trees->forest.nodes + from->first_child;
    uint32_t leaves[TR_TIE_KINDS] = {0};
    bool done = true;
    *kinds = 0;
    for (uint32_t c = 0; c < from->child_count && from->child_count >= LEAVES_LEAST; c++)
        leaves[tr2_leaf_kind(s, &children[c])]++;
    for (tr2_tie_kind kind = TR_TIE_NONE + 1; kind < TR_TIE_KINDS; kind++) {
        if (leaves[kind] < LEAVES_LEAST)
            continue;
        *kinds |= 1u << kind;
        for (uint32_t c = 0; c < from->child_count && done; c++)
            done = tr2_leaf_kind(s, &children[c]) != kind || add_leaf(trees, s, &children[c], parent, kind);
    }
    return done;
}

/*
 * Work on bunches
 */
static tr2_trees_tie tie_of(const tr2_leaf *leaf, tr2_tie_kind kind, uint32_t far)
{
    return (tr2_trees_tie){.edge = leaf->edge,
                           .type = leaf->type,
                           .row = leaf->row,
                           .kind = kind,
                           .turn = TR_NONE,
                           .far = far,
                           .near_is_b = leaf->is_b,
                           .flat = true};
}

/* of a block of distances; null: of revolutes */
static tr2_leaf_lengths *lengths_of(const tr2_trees *trees, const tr2_bunch *bunch, uint32_t block)
{
    return bunch->kind == TR_TIE_LENGTH ? &trees->leaf_lengths[bunch->first_block + block] : NULL;
}

static void prepare_leaf(const tr2_step *step, const tr2_leaf *leaf, const tr2_bunch *bunch, tr2_leaf_block *b,
                         tr2_leaf_lengths *lengths, uint32_t lane)
{
    const tr2_bodies *bodies = step->system->bodies;
    const tr2_trees_node *node = &step->solver->trees.nodes[bunch->parent];
    double scale = step->solver->last_h > 0.0f ? (double)step->context.h / (double)step->solver->last_h : 0.0;
    tr2_trees_tie tie = tie_of(leaf, bunch->kind, node->state);
    tr2_tie_prepare(step, &tie, leaf->body, scale);
    b->on[lane] = tie.on ? 1.0 : 0.0;
    b->is_b[lane] = tie.near_is_b ? 1.0 : 0.0;
    b->apart_x[lane] = tie.apart[0];
    b->apart_y[lane] = tie.apart[1];
    b->near_x[lane] = tie.near_arm[0];
    b->near_y[lane] = tie.near_arm[1];
    b->far_x[lane] = tie.far_arm[0];
    b->far_y[lane] = tie.far_arm[1];
    b->inverse_mass[lane] = (double)tr2_body_inverse_mass(bodies, leaf->body);
    b->inverse_inertia[lane] = (double)tr2_body_inverse_inertia(bodies, leaf->body);
    bool moves = b->inverse_mass[lane] > 0.0;
    b->yields[lane] =
        moves ? b->inverse_mass[lane] : TR2_PIN_COMPLIANCE * (double)tr2_body_inverse_mass(bodies, node->body);
    b->impulse_x[lane] = tie.impulse[0];
    b->impulse_y[lane] = tie.impulse[1];
    if (lengths != NULL) {
        lengths->length[lane] = tie.length;
        lengths->lighter[lane] = tie.lighter;
    }
}

/* finishes a leaf's joint, or notes its impulse */
static void close_leaf(const tr2_step *step, const tr2_leaf *leaf, const tr2_bunch *bunch, const tr2_leaf_block *b,
                       const tr2_leaf_lengths *lengths, uint32_t lane, tr2_trees_work work)
{
    tr2_trees_tie tie = tie_of(leaf, bunch->kind, TR_NONE);
    tie.on = b->on[lane] > 0.0;
    tie.impulse[0] = b->impulse_x[lane];
    tie.impulse[1] = b->impulse_y[lane];
    if (lengths != NULL) {
        tie.along[0] = lengths->along_x[lane];
        tie.along[1] = lengths->along_y[lane];
    }
    if (work == TR_TREES_FINISH)
        tr2_tie_finish(step, &tie);
    else
        tr2_note_tie(step, &tie, work == TR_TREES_NOTE_EARLY);
}

/* Restores leaves after their parent; if it was not sane, nothing held them. */
static void solve_down(tr2_step *step, const tr2_bunch *bunch, tr2_leaf_block *blocks)
{
    const tr2_trees_node *parent = &step->solver->trees.nodes[bunch->parent];
    if (parent->holds && is_sane_rate(step, parent->motion)) {
        step->kernels->leaves_down(&step->context, blocks, lengths_of(&step->solver->trees, bunch, 0), bunch->count,
                                   parent->state, parent->motion);
        return;
    }
    for (uint32_t b = 0; TR2_LEAF_LANES * b < bunch->count; b++) {
        memset(blocks[b].impulse_x, 0, sizeof blocks[b].impulse_x);
        memset(blocks[b].impulse_y, 0, sizeof blocks[b].impulse_y);
    }
}

void tr2_run_leaves(void *context, const void *data, uint32_t chunk, uint32_t worker)
{
    (void)worker;
    tr2_step *step = context;
    tr2_trees *trees = &step->solver->trees;
    tr2_trees_work work = ((const tr2_stage_data *)data)->work;
    tr2_bunch *bunch = &trees->bunches[chunk];
    tr2_leaf_block *blocks = &trees->leaf_blocks[bunch->first_block];
    const tr2_leaf *leaves = &trees->leaves[TR2_LEAF_LANES * bunch->first_block];
    if (work == TR_TREES_UP)
        step->kernels->leaves_up(&step->context, blocks, lengths_of(trees, bunch, 0), bunch->count,
                                 trees->nodes[bunch->parent].state, &bunch->load);
    else if (work == TR_TREES_DOWN)
        solve_down(step, bunch, blocks);
    for (uint32_t i = 0; i < bunch->count && work != TR_TREES_UP && work != TR_TREES_DOWN; i++) {
        tr2_leaf_block *block = &blocks[i / TR2_LEAF_LANES];
        tr2_leaf_lengths *lengths = lengths_of(trees, bunch, i / TR2_LEAF_LANES);
        if (work == TR_TREES_PREPARE)
            prepare_leaf(step, &leaves[i], bunch, block, lengths, i % TR2_LEAF_LANES);
        else
            close_leaf(step, &leaves[i], bunch, block, lengths, i % TR2_LEAF_LANES, work);
    }
}
