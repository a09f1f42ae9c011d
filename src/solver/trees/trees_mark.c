/* Marks the joints of trees, which the sweeps leave out, and chunks that have no others. */
#include "solver/trees/trees_search.h"

/* what is done with a joint of a tree; false: out of memory */
typedef bool joint_fn(tr2_trees *trees, const tr2_system *system, uint32_t edge, uint32_t type, uint32_t row);

static bool for_joints(tr2_trees *trees, const tr2_system *system, joint_fn *act)
{
    bool done = true;
    for (uint32_t n = 0; n < trees->node_count && done; n++) {
        const tr2_trees_tie *tie = &trees->nodes[n].tie;
        done = trees->nodes[n].parent == TR_NONE || act(trees, system, tie->edge, tie->type, tie->row);
    }
    for (uint32_t p = 0; p < trees->pin_count && done; p++)
        done = act(trees, system, trees->pins[p].edge, trees->pins[p].type, trees->pins[p].row);
    for (uint32_t i = 0; i < TR2_LEAF_LANES * trees->leaf_block_count && done; i++) {
        const tr2_leaf *leaf = &trees->leaves[i];
        done = leaf->edge == TR_NONE || act(trees, system, leaf->edge, leaf->type, leaf->row);
    }
    return done;
}

static bool hold_flags(tr2_trees *trees, const tr2_system *system, uint32_t edge, uint32_t type, uint32_t row)
{
    (void)trees;
    (void)edge;
    (void)row;
    return system->joints[type].flags != NULL || tr2_joints_hold_flags(&system->joints[type], type);
}

static bool mark(tr2_trees *trees, const tr2_system *system, uint32_t edge, uint32_t type, uint32_t row)
{
    (void)trees;
    (void)edge;
    system->joints[type].flags[row] |= TR_JOINT_DIRECT;
    return true;
}

bool tr2_mark_trees(tr2_trees *trees, const tr2_system *system)
{
    return for_joints(trees, system, hold_flags) && for_joints(trees, system, mark);
}

/* the flags of a joint that was in a tree, at its current row; null: it has gone. A new joint with the same edge has no
   mark. */
static uint32_t *flags_of(const tr2_system *system, uint32_t edge, uint32_t type)
{
    uint32_t kind = tr_plan_kind(system->plan, edge), *flags = system->joints[type].flags;
    bool there = kind != TR_NONE && tr2_kernel_type(kind) == type && flags != NULL;
    return there ? flags + system->joint_pool->row[edge] : NULL;
}

static bool unmark(tr2_trees *trees, const tr2_system *system, uint32_t edge, uint32_t type, uint32_t row)
{
    (void)row;
    uint32_t *flags = flags_of(system, edge, type);
    if (flags == NULL || (*flags & TR_JOINT_DIRECT) == 0)
        return true;
    trees->unmarked[trees->unmarked_count++] = (tr2_unmarked){edge, type};
    *flags &= ~TR_JOINT_DIRECT;
    return true;
}

bool tr2_reserve_unmarked(tr2_trees *trees)
{
    return tr_grow(trees->forest.memory, (void **)&trees->unmarked, &trees->unmarked_capacity,
                   trees->unmarked_count + trees->joint_count, sizeof *trees->unmarked);
}

void tr2_unmark_trees(tr2_trees *trees, const tr2_system *system)
{
    (void)for_joints(trees, system, unmark);
}

void tr2_release_unmarked(tr2_trees *trees, const tr2_system *system)
{
    for (uint32_t i = 0; i < trees->unmarked_count; i++) {
        uint32_t type = trees->unmarked[i].type, edge = trees->unmarked[i].edge;
        const uint32_t *flags = flags_of(system, edge, type);
        /* what sleeps keeps its reactions */
        bool sweeps = flags != NULL && (*flags & TR_JOINT_DIRECT) == 0 && tr_plan_color(system->plan, edge) != TR_NONE;
        for (uint32_t k = 0; k < tr2_joint_types[type]->impulse_count && sweeps; k++)
            tr2_joint_drop_impulse(&system->joints[type], k, system->joint_pool->row[edge]);
    }
    trees->unmarked_count = 0;
}

/*
 * The state of a world comes and goes
 */
uint32_t tr2_trees_left(const tr2_trees *trees, const tr2_unmarked **out)
{
    *out = trees->unmarked;
    return trees->unmarked_count;
}

bool tr2_trees_put_reserve(tr2_trees *trees, uint32_t left)
{
    return tr_grow(trees->forest.memory, (void **)&trees->unmarked, &trees->unmarked_capacity, left,
                   sizeof *trees->unmarked);
}

void tr2_trees_put(tr2_trees *trees, const tr2_unmarked *left, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        trees->unmarked[i] = left[i];
    trees->unmarked_count = count;
    tr_forest_clear(&trees->forest);
    trees->node_count = trees->pin_count = trees->turn_count = trees->level_count = trees->unit_count = 0;
    trees->bunch_count = trees->leaf_block_count = 0;
    trees->far_first = trees->joint_count = trees->lone_first = trees->lone_count = 0;
    trees->touch_count = trees->touch_chunk_count = 0;
    trees->known = false;
    trees->foreign = true;
}

bool tr2_unmark_foreign(tr2_trees *trees, const tr2_system *system)
{
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        const tr2_joints *joints = &system->joints[type];
        for (uint32_t row = 0; joints->flags != NULL && row < joints->table.count; row++) {
            if ((joints->flags[row] & TR_JOINT_DIRECT) == 0)
                continue;
            if (!tr_grow(trees->forest.memory, (void **)&trees->unmarked, &trees->unmarked_capacity,
                         trees->unmarked_count + 1, sizeof *trees->unmarked))
                return false;
            trees->unmarked[trees->unmarked_count++] = (tr2_unmarked){joints->slot[row], type};
            joints->flags[row] &= ~TR_JOINT_DIRECT;
        }
    }
    trees->foreign = false;
    return true;
}

void tr2_mark_idle_chunks(const tr2_solver *solver, const tr2_system *system)
{
    tr2_chunk *chunks = solver->chunks.data;
    for (uint32_t c = 0; c < solver->chunk_count; c++) {
        const uint32_t *flags = system->joints[tr2_kernel_type(chunks[c].kernel)].flags;
        /* null for a spare chunk, whose kernel may have no blocks */
        const uint32_t *rows = solver->blocks[chunks[c].kernel].rows;
        const size_t first = (size_t)chunks[c].first * TR_LANES;
        bool idle = solver->trees.joint_count > 0 && flags != NULL && tr2_tie_kind_of(chunks[c].kernel) != TR_TIE_NONE;
        for (uint32_t i = 0; idle && i < chunks[c].count * TR_LANES; i++)
            idle = rows[first + i] == TR_NONE || (flags[rows[first + i]] & TR_JOINT_DIRECT) != 0;
        chunks[c].idle = idle;
    }
}
