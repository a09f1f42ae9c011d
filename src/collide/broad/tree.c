#include "collide/broad/tree.h"

#include <math.h>
#include <string.h>

#include "collide/kernels/kernels.h"

/* how much larger nodes may be than after the last sort, by their outlines, before a new sort */
#define WORN 1.25

void tr2_tree_init(tr2_tree *tree, tr_memory *memory)
{
    memset(tree, 0, sizeof *tree);
    tree->memory = memory;
}

void tr2_tree_free(tr2_tree *tree)
{
    if (tree->memory == NULL)
        return;
    for (uint32_t i = 0; i < TR2_TREE_LEVELS; i++)
        tr_release(tree->memory, tree->levels[i].nodes, tree->levels[i].capacity * sizeof(tr2_tree_node));
    tr_release(tree->memory, tree->proxies, tree->leaf_capacity * sizeof *tree->proxies);
    memset(tree, 0, sizeof *tree);
}

static uint32_t nodes_for(uint32_t children)
{
    return children / TR2_TREE_WIDTH + (children % TR2_TREE_WIDTH != 0);
}

bool tr2_tree_reserve(tr2_tree *tree, uint32_t more)
{
    uint64_t leaves = (uint64_t)tree->leaf_count + more;
    if (leaves > INT32_MAX)
        return false;
    bool ok =
        tr_grow(tree->memory, (void **)&tree->proxies, &tree->leaf_capacity, (uint32_t)leaves, sizeof *tree->proxies);
    uint32_t children = (uint32_t)leaves;
    for (uint32_t i = 0; ok && i < TR2_TREE_LEVELS; i++) {
        children = nodes_for(children);
        ok = tr_grow(tree->memory, (void **)&tree->levels[i].nodes, &tree->levels[i].capacity, children,
                     sizeof(tr2_tree_node));
        if (children <= 1)
            break;
    }
    return ok;
}

bool tr2_tree_copy(tr2_tree *to, const tr2_tree *from)
{
    tr2_tree own = *to;
    if (!tr_grow(own.memory, (void **)&own.proxies, &own.leaf_capacity, from->leaf_count, sizeof *own.proxies)) {
        *to = own;
        return false;
    }
    bool ok = true;
    for (uint32_t i = 0; i < TR2_TREE_LEVELS && ok; i++) {
        tr2_tree_level *level = &own.levels[i];
        /* the leaves' boxes are there before the nodes around them count */
        uint32_t count = i == 0 ? nodes_for(from->leaf_count) : from->levels[i].count;
        ok = tr_grow(own.memory, (void **)&level->nodes, &level->capacity, count, sizeof *level->nodes);
        if (ok && count > 0)
            memcpy(level->nodes, from->levels[i].nodes, count * sizeof *level->nodes);
        level->count = from->levels[i].count;
    }
    if (from->leaf_count > 0)
        memcpy(own.proxies, from->proxies, from->leaf_count * sizeof *own.proxies);
    own.origin_x = from->origin_x;
    own.origin_y = from->origin_y;
    own.level_count = from->level_count;
    own.leaf_count = from->leaf_count;
    own.proxy_count = from->proxy_count;
    own.changes = from->changes;
    own.stale = from->stale;
    own.outline = from->outline;
    own.sorted_outline = from->sorted_outline;
    *to = own;
    return ok;
}

/*
 * Boxes of nodes
 */

/* Converts a box to floats relative to the tree's origin, lower corner first, rounded outward by more than the
   rounding error and clamped to the range of floats. All four values in parallel. */
static void write_outward(const tr2_tree *tree, const tr2_box *box, float out[4])
{
    const float most = 3e38f, outward[4] = {-1.3e-7f, -1.3e-7f, 1.3e-7f, 1.3e-7f};
    const double from[4] = {box->lower_x - tree->origin_x, box->lower_y - tree->origin_y, box->upper_x - tree->origin_x,
                            box->upper_y - tree->origin_y};
    for (uint32_t i = 0; i < 4; i++) {
        float value = (float)from[i];
        value = value < -most ? -most : value;
        value = value > most ? most : value;
        out[i] = value + fabsf(value) * outward[i];
    }
}

static void clear_child(tr2_tree_node *node, uint32_t child)
{
    node->lower_x[child] = node->lower_y[child] = INFINITY;
    node->upper_x[child] = node->upper_y[child] = -INFINITY;
}

static void set_leaf(tr2_tree *tree, uint32_t place, const tr2_box *box)
{
    tr2_tree_node *node = &tree->levels[0].nodes[place / TR2_TREE_WIDTH];
    uint32_t child = place % TR2_TREE_WIDTH;
    float corners[4];
    write_outward(tree, box, corners);
    node->lower_x[child] = corners[0];
    node->lower_y[child] = corners[1];
    node->upper_x[child] = corners[2];
    node->upper_y[child] = corners[3];
}

/* half the outline of a child */
static float outline(const tr2_tree_node *node, uint32_t child)
{
    float size = (node->upper_x[child] - node->lower_x[child]) + (node->upper_y[child] - node->lower_y[child]);
    return size > 0.0f ? size : 0.0f;
}

/* sets child `i` of the level above to contain all of node `i` */
static void fit_parent(tr2_tree_node *parents, const tr2_tree_node *nodes, uint32_t i)
{
    const tr2_tree_node *node = &nodes[i];
    float lower_x = INFINITY, lower_y = INFINITY, upper_x = -INFINITY, upper_y = -INFINITY;
    for (uint32_t k = 0; k < TR2_TREE_WIDTH; k++) {
        lower_x = node->lower_x[k] < lower_x ? node->lower_x[k] : lower_x;
        lower_y = node->lower_y[k] < lower_y ? node->lower_y[k] : lower_y;
        upper_x = node->upper_x[k] > upper_x ? node->upper_x[k] : upper_x;
        upper_y = node->upper_y[k] > upper_y ? node->upper_y[k] : upper_y;
    }
    tr2_tree_node *parent = &parents[i / TR2_TREE_WIDTH];
    parent->lower_x[i % TR2_TREE_WIDTH] = lower_x;
    parent->lower_y[i % TR2_TREE_WIDTH] = lower_y;
    parent->upper_x[i % TR2_TREE_WIDTH] = upper_x;
    parent->upper_y[i % TR2_TREE_WIDTH] = upper_y;
}

/* recomputes all levels above the leaves */
static void refit(tr2_tree *tree)
{
    uint32_t level = 0, count = nodes_for(tree->leaf_count);
    tree->levels[0].count = count;
    tree->outline = 0.0;
    while (count > 1) {
        tr2_tree_level *upper = &tree->levels[level + 1];
        upper->count = nodes_for(count);
        for (uint32_t child = count; child < upper->count * TR2_TREE_WIDTH; child++)
            clear_child(&upper->nodes[child / TR2_TREE_WIDTH], child % TR2_TREE_WIDTH);
        for (uint32_t i = 0; i < count; i++)
            fit_parent(upper->nodes, tree->levels[level].nodes, i);
        for (uint32_t i = 0; i < count && level == 0; i++)
            tree->outline += (double)outline(&upper->nodes[i / TR2_TREE_WIDTH], i % TR2_TREE_WIDTH);
        count = upper->count;
        level++;
    }
    tree->level_count = tree->leaf_count > 0 ? level + 1 : 0;
    for (uint32_t above = tree->level_count; above < TR2_TREE_LEVELS; above++)
        tree->levels[above].count = 0;
    tree->stale = false;
}

/* widens a child to contain child k of a node below, or leaf k */
static void widen_child(tr2_tree_node *node, uint32_t child, const tr2_tree_node *from, uint32_t k)
{
    node->lower_x[child] = from->lower_x[k] < node->lower_x[child] ? from->lower_x[k] : node->lower_x[child];
    node->lower_y[child] = from->lower_y[k] < node->lower_y[child] ? from->lower_y[k] : node->lower_y[child];
    node->upper_x[child] = from->upper_x[k] > node->upper_x[child] ? from->upper_x[k] : node->upper_x[child];
    node->upper_y[child] = from->upper_y[k] > node->upper_y[child] ? from->upper_y[k] : node->upper_y[child];
}

void tr2_tree_show(tr2_tree *tree, uint32_t place)
{
    const tr2_tree_node *leaves = &tree->levels[0].nodes[place / TR2_TREE_WIDTH];
    uint32_t leaf = place % TR2_TREE_WIDTH, node = place / TR2_TREE_WIDTH, level = 0;
    if (node >= tree->levels[0].count)
        tree->levels[0].count = node + 1;
    while (tree->levels[level].count > 1) {
        tr2_tree_level *upper = &tree->levels[level + 1];
        uint32_t parent = node / TR2_TREE_WIDTH;
        if (parent >= upper->count) {
            for (uint32_t k = 0; k < TR2_TREE_WIDTH; k++)
                clear_child(&upper->nodes[parent], k);
            upper->count = parent + 1;
            /* the first node of a new level must contain the former top level */
            if (parent == 0)
                fit_parent(upper->nodes, tree->levels[level].nodes, 0);
        }
        widen_child(&upper->nodes[parent], node % TR2_TREE_WIDTH, leaves, leaf);
        node = parent;
        level++;
    }
    tree->level_count = level + 1;
}

/*
 * Changes
 */
uint32_t tr2_tree_add(tr2_tree *tree, uint32_t proxy, const tr2_box *box)
{
    uint32_t place = tree->leaf_count++;
    if (place % TR2_TREE_WIDTH == 0) {
        for (uint32_t k = 0; k < TR2_TREE_WIDTH; k++)
            clear_child(&tree->levels[0].nodes[place / TR2_TREE_WIDTH], k);
    }
    tree->proxies[place] = proxy;
    set_leaf(tree, place, box);
    tree->proxy_count++;
    tree->changes++;
    tree->stale = true;
    return place;
}

void tr2_tree_move(tr2_tree *tree, uint32_t place, const tr2_box *box)
{
    set_leaf(tree, place, box);
    tree->changes++;
    tree->stale = true;
}

bool tr2_tree_has(const tr2_tree *tree, uint32_t place, const tr2_box *box)
{
    const tr2_tree_node *node = &tree->levels[0].nodes[place / TR2_TREE_WIDTH];
    uint32_t child = place % TR2_TREE_WIDTH;
    float corners[4];
    write_outward(tree, box, corners);
    return node->lower_x[child] == corners[0] && node->lower_y[child] == corners[1] &&
           node->upper_x[child] == corners[2] && node->upper_y[child] == corners[3];
}

void tr2_tree_remove(tr2_tree *tree, uint32_t place)
{
    clear_child(&tree->levels[0].nodes[place / TR2_TREE_WIDTH], place % TR2_TREE_WIDTH);
    tree->proxies[place] = TR2_TREE_HOLE;
    tree->proxy_count--;
    tree->changes++;
    tree->stale = true;
}

/*
 * Sorting by a Hilbert curve with 32 bits per coordinate, so that a far outlier does not reduce the resolution of the
 * others. Successive cells of the curve are neighbours, so nodes are smaller than along a Z-curve, which jumps.
 */

/* puts a zero after each bit */
static uint64_t spread(uint32_t value)
{
    uint64_t x = value;
    x = (x | x << 16) & 0x0000FFFF0000FFFFu;
    x = (x | x << 8) & 0x00FF00FF00FF00FFu;
    x = (x | x << 4) & 0x0F0F0F0F0F0F0F0Fu;
    x = (x | x << 2) & 0x3333333333333333u;
    return (x | x << 1) & 0x5555555555555555u;
}

/* The place of a cell on the curve. At each bit of its coordinates the four quarters of a square are visited in an
   order that is turned or mirrored by the bits above; these turns are combined for all bits at once, as a prefix
   sum. */
static uint64_t place_on_curve(uint32_t x, uint32_t y)
{
    /* of each bit: whether its turn changes, and exchanges, the coordinates; and the coordinates that it turns */
    uint32_t differ = x ^ y, same = ~differ, none = ~(x | y), right = x & ~y;
    uint32_t a = differ | same >> 1, b = differ >> 1 ^ differ;
    uint32_t c = none >> 1 ^ (same & right >> 1) ^ none, d = (differ & none >> 1) ^ right >> 1 ^ right;
    for (uint32_t by = 2; by < 32; by *= 2) {
        uint32_t a0 = a, b0 = b, c0 = c, d0 = d;
        a = (a0 & a0 >> by) ^ (b0 & b0 >> by);
        b = (a0 & b0 >> by) ^ (b0 & (a0 ^ b0) >> by);
        c ^= (a0 & c0 >> by) ^ (b0 & d0 >> by);
        d ^= (b0 & c0 >> by) ^ ((a0 ^ b0) & d0 >> by);
    }
    uint32_t turned = c ^ c >> 1, high = d ^ d >> 1;
    return spread(high | ~(differ | turned)) << 1 | spread(differ);
}

static double middle(double lower, double upper)
{
    return 0.5 * lower + 0.5 * upper;
}

/* bounds of the centres of all boxes */
static tr2_box bounds_of(const tr2_tree *tree, const tr2_box *boxes)
{
    tr2_box all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < tree->leaf_count; i++) {
        if (tree->proxies[i] == TR2_TREE_HOLE)
            continue;
        const tr2_box *box = &boxes[tree->proxies[i]];
        double x = middle(box->lower_x, box->upper_x), y = middle(box->lower_y, box->upper_y);
        all.lower_x = x < all.lower_x ? x : all.lower_x;
        all.lower_y = y < all.lower_y ? y : all.lower_y;
        all.upper_x = x > all.upper_x ? x : all.upper_x;
        all.upper_y = y > all.upper_y ? y : all.upper_y;
    }
    return all;
}

/* a value in [lower, upper] as a 32-bit number; 0 if the range is empty */
static uint32_t cell_of(double value, double lower, double upper)
{
    double size = upper - lower;
    double part = size > 0.0 ? (value - lower) / size : 0.0;
    return (uint32_t)((part > 0.0 ? part < 1.0 ? part : 1.0 : 0.0) * 4294967295.0);
}

/* What leaves are sorted by: keys, and the order of the leaves so far and in the next pass. It is where the leaves'
   boxes are, which a sort writes anew: so a sort needs no memory, and cannot fail. */
typedef struct sorting {
    uint64_t *keys;
    uint32_t *order, *spare;
} sorting;

_Static_assert(sizeof(tr2_tree_node) >= TR2_TREE_WIDTH * (sizeof(uint64_t) + 2 * sizeof(uint32_t)),
               "the boxes of leaves have room for what sorts them");

static sorting sorting_of(tr2_tree *tree, uint32_t count)
{
    void *room = tree->levels[0].nodes;
    uint64_t *keys = room;
    room = keys + count;
    uint32_t *order = room;
    return (sorting){keys, order, order + count};
}

/* sorts by one byte at a time, skipping bytes common to all; leaves with equal keys keep their order */
static void radix_sort(sorting *it, uint32_t count)
{
    uint64_t same_zero = UINT64_MAX, same_one = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        same_zero &= ~it->keys[i];
        same_one &= it->keys[i];
        it->order[i] = i;
    }
    uint64_t differ = ~(same_zero | same_one);
    for (uint32_t shift = 0; shift < 64; shift += 8) {
        if ((differ >> shift & 0xFF) == 0)
            continue;
        uint32_t first[257] = {0};
        for (uint32_t i = 0; i < count; i++)
            first[(it->keys[i] >> shift & 0xFF) + 1]++;
        for (uint32_t i = 0; i < 256; i++)
            first[i + 1] += first[i];
        for (uint32_t i = 0; i < count; i++)
            it->spare[first[it->keys[it->order[i]] >> shift & 0xFF]++] = it->order[i];
        uint32_t *swap = it->order;
        it->order = it->spare;
        it->spare = swap;
    }
}

static void sort(tr2_tree *tree, const tr2_box *boxes, uint32_t *places)
{
    tr2_box all = bounds_of(tree, boxes);
    sorting it = sorting_of(tree, tree->proxy_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < tree->leaf_count; i++) {
        uint32_t proxy = tree->proxies[i];
        if (proxy == TR2_TREE_HOLE)
            continue;
        const tr2_box *box = &boxes[proxy];
        uint32_t x = cell_of(middle(box->lower_x, box->upper_x), all.lower_x, all.upper_x);
        uint32_t y = cell_of(middle(box->lower_y, box->upper_y), all.lower_y, all.upper_y);
        it.keys[count] = place_on_curve(x, y);
        tree->proxies[count++] = proxy;
    }
    radix_sort(&it, count);
    for (uint32_t i = 0; i < count; i++)
        it.spare[i] = tree->proxies[it.order[i]];
    if (count > 0)
        memcpy(tree->proxies, it.spare, count * sizeof *tree->proxies);
    tree->leaf_count = tree->proxy_count = 0;
    tree->origin_x = count > 0 ? middle(all.lower_x, all.upper_x) : 0.0;
    tree->origin_y = count > 0 ? middle(all.lower_y, all.upper_y) : 0.0;
    for (uint32_t i = 0; i < count; i++)
        places[tree->proxies[i]] = tr2_tree_add(tree, tree->proxies[i], &boxes[tree->proxies[i]]);
    tree->changes = 0;
}

bool tr2_tree_has_holes(const tr2_tree *tree)
{
    return tree->leaf_count / 2 > (uint64_t)tree->proxy_count + 64;
}

/* Leaves are added in the caller's order, and moving ones enlarge their nodes. A sort pays when many leaves have
   changed and the nodes are larger. */
static bool is_worn(const tr2_tree *tree)
{
    double each = tree->outline / (tree->proxy_count + 1.0);
    return tr2_tree_has_holes(tree) ||
           (2 * tree->changes > (uint64_t)tree->proxy_count + 64 && !(each <= WORN * tree->sorted_outline));
}

void tr2_tree_update(tr2_tree *tree, const tr2_box *boxes, uint32_t *places)
{
    if (!tree->stale)
        return;
    refit(tree);
    if (!is_worn(tree))
        return;
    sort(tree, boxes, places);
    refit(tree);
    tree->sorted_outline = tree->outline / (tree->proxy_count + 1.0);
}

/*
 * Queries
 */

/* Prepares the box that nodes are compared with; the search is a kernel (tree_query.inl). */
void tr2_tree_key_make(const tr2_tree *tree, const tr2_box *box, tr2_tree_key *out)
{
    float corners[4];
    write_outward(tree, box, corners);
    for (uint32_t k = 0; k < TR2_TREE_WIDTH; k++) {
        out->most[k] = corners[2];
        out->most[TR2_TREE_WIDTH + k] = corners[3];
        out->least[k] = corners[0];
        out->least[TR2_TREE_WIDTH + k] = corners[1];
    }
}
