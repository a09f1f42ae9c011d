/* Marks the joints of trees, which the sweeps leave out, and chunks that have no others. */
#include "solver/trees_search.h"

static void mark(const tr2_system *system, uint32_t type, uint32_t row)
{
    system->joints[type].flags[row] |= TR2_JOINT_DIRECT;
}

bool tr2_mark_trees(const tr2_trees *trees, const tr2_system *system)
{
    bool used[TR2_TABLE_COUNT] = {false}, done = true;
    for (uint32_t n = 0; n < trees->node_count; n++)
        used[trees->nodes[n].tie.type] = used[trees->nodes[n].tie.type] || trees->nodes[n].parent != TR_NONE;
    for (uint32_t p = 0; p < trees->pin_count; p++)
        used[trees->pins[p].type] = true;
    for (uint32_t i = 0; i < TR2_LEAF_LANES * trees->leaf_block_count; i++)
        used[trees->leaves[i].type] = used[trees->leaves[i].type] || trees->leaves[i].edge != TR_NONE;
    for (uint32_t type = 0; type < TR2_TABLE_COUNT && done; type++)
        done = !used[type] || tr2_joints_hold_flags(&system->joints[type], type);
    if (!done)
        return false;
    for (uint32_t n = 0; n < trees->node_count; n++) {
        if (trees->nodes[n].parent != TR_NONE)
            mark(system, trees->nodes[n].tie.type, trees->nodes[n].tie.row);
    }
    for (uint32_t p = 0; p < trees->pin_count; p++)
        mark(system, trees->pins[p].type, trees->pins[p].row);
    for (uint32_t i = 0; i < TR2_LEAF_LANES * trees->leaf_block_count; i++) {
        if (trees->leaves[i].edge != TR_NONE)
            mark(system, trees->leaves[i].type, trees->leaves[i].row);
    }
    return true;
}

/* clears the mark if the joint still exists, at its current row; a new joint with the same edge has no mark to clear */
static void unmark(const tr2_system *system, uint32_t edge, uint32_t type)
{
    uint32_t kind = tr_plan_kind(system->plan, edge);
    uint32_t *flags = system->joints[type].flags;
    if (kind != TR_NONE && tr2_kernel_type(kind) == type && flags != NULL)
        flags[system->joint_pool->row[edge]] &= ~TR2_JOINT_DIRECT;
}

void tr2_unmark_trees(const tr2_trees *trees, const tr2_system *system)
{
    for (uint32_t n = 0; n < trees->node_count; n++) {
        if (trees->nodes[n].parent != TR_NONE)
            unmark(system, trees->nodes[n].tie.edge, trees->nodes[n].tie.type);
    }
    for (uint32_t p = 0; p < trees->pin_count; p++)
        unmark(system, trees->pins[p].edge, trees->pins[p].type);
    for (uint32_t i = 0; i < TR2_LEAF_LANES * trees->leaf_block_count; i++) {
        if (trees->leaves[i].edge != TR_NONE)
            unmark(system, trees->leaves[i].edge, trees->leaves[i].type);
    }
}

void tr2_mark_idle_chunks(const tr2_solver *solver, const tr2_system *system)
{
    tr2_chunk *chunks = solver->chunks.data;
    for (uint32_t c = 0; c < solver->chunk_count; c++) {
        const uint32_t *flags = system->joints[tr2_kernel_type(chunks[c].kernel)].flags;
        const uint32_t *rows = solver->blocks[chunks[c].kernel].rows + (size_t)chunks[c].first * TR_LANES;
        bool idle = solver->trees.joint_count > 0 && flags != NULL && tr2_tie_kind_of(chunks[c].kernel) != TR2_TIE_NONE;
        for (uint32_t i = 0; idle && i < chunks[c].count * TR_LANES; i++)
            idle = rows[i] == TR_NONE || (flags[rows[i]] & TR2_JOINT_DIRECT) != 0;
        chunks[c].idle = idle;
    }
}
