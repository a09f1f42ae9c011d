/* Search of a tree for boxes that overlap a given one, a child per lane. TR_WIDTH as in simd/wide.h. */
#include "collide/kernels/kernels.h"
#include "simd/wide.h"

_Static_assert(sizeof(tr2_tree_node) == 4 * TR2_TREE_WIDTH * sizeof(float), "a node is floats without gaps");

/* a bit for each child that overlaps: x and y are compared in parallel */
TR_INLINE uint32_t overlaps(const tr2_tree_node *node, const tr2_tree_key *key)
{
    const float *lower = (const float *)node, *upper = lower + 2 * TR2_TREE_WIDTH;
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 2 * TR2_TREE_WIDTH; k += TR_WIDTH) {
        wm from = wf_le(wf_load(lower + k), wf_load(key->most + k));
        wm to = wf_le(wf_load(key->least + k), wf_load(upper + k));
        bits |= wm_bits(wm_and(from, to)) << k;
    }
    return bits & bits >> TR2_TREE_WIDTH;
}

static void tree_query(const tr2_tree *tree, const tr2_tree_key *key, tr2_tree_found_fn *found, void *context)
{
    /* depth first: per level a node, and its remaining children */
    uint32_t node[TR2_TREE_LEVELS], bits[TR2_TREE_LEVELS];
    uint32_t level = tree->level_count - 1;
    node[level] = 0;
    bits[level] = overlaps(tree->levels[level].nodes, key);
    for (;;) {
        if (bits[level] == 0) {
            if (++level == tree->level_count)
                return;
            continue;
        }
        uint32_t child = node[level] * TR2_TREE_WIDTH + (uint32_t)__builtin_ctz(bits[level]);
        bits[level] &= bits[level] - 1;
        if (level > 0) {
            node[--level] = child;
            bits[level] = overlaps(&tree->levels[level].nodes[child], key);
        } else if (!found(context, tree->proxies[child])) {
            return;
        }
    }
}

/* the key of a box around all boxes */
TR_INLINE tr2_tree_key key_around(const tr2_tree_key *keys, uint32_t count)
{
    tr2_tree_key out;
    for (uint32_t k = 0; k < 2 * TR2_TREE_WIDTH; k += TR_WIDTH) {
        wf most = wf_load(keys[0].most + k), least = wf_load(keys[0].least + k);
        for (uint32_t i = 1; i < count; i++) {
            most = wf_max(most, wf_load(keys[i].most + k));
            least = wf_min(least, wf_load(keys[i].least + k));
        }
        wf_store(out.most + k, most);
        wf_store(out.least + k, least);
    }
    return out;
}

/* compares all boxes with the leaves of a node */
TR_INLINE void visit_leaves(const tr2_tree *tree, uint32_t node, const tr2_tree_key *keys, uint32_t count,
                            tr2_tree_shared_fn *found, void *context)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++)
        bits |= (uint64_t)overlaps(&tree->levels[0].nodes[node], &keys[i]) << TR2_TREE_WIDTH * i;
    if (bits != 0)
        found(context, tree->proxies + (size_t)node * TR2_TREE_WIDTH, bits);
}

static void tree_query_shared(const tr2_tree *tree, const tr2_tree_key *keys, uint32_t count, tr2_tree_shared_fn *found,
                              void *context)
{
    uint32_t level = tree->level_count - 1;
    if (level == 0) {
        visit_leaves(tree, 0, keys, count, found, context);
        return;
    }
    /* as above, down to the nodes of leaves */
    uint32_t node[TR2_TREE_LEVELS], bits[TR2_TREE_LEVELS];
    tr2_tree_key around = key_around(keys, count);
    node[level] = 0;
    bits[level] = overlaps(tree->levels[level].nodes, &around);
    while (level < tree->level_count) {
        if (bits[level] == 0) {
            level++;
            continue;
        }
        uint32_t child = node[level] * TR2_TREE_WIDTH + (uint32_t)__builtin_ctz(bits[level]);
        bits[level] &= bits[level] - 1;
        if (level == 1) {
            visit_leaves(tree, child, keys, count, found, context);
            continue;
        }
        node[--level] = child;
        bits[level] = overlaps(&tree->levels[level].nodes[child], &around);
    }
}
