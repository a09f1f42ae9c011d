/* Trees in a graph: every one is found as it is, as shallow as it can be, level by level; what has a cycle is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan/forest.h"
#include "random.h"

#define MOST  400
#define TAKEN 1u /* edges of kind 0 */

static uint32_t next_below(uint64_t *seed, uint32_t below)
{
    random_step(seed);
    return (uint32_t)(*seed >> 33) % below;
}

/* vertices 0 .. count - 1 that move, each but the first tied to one before it; `window`: how far before */
static tr_plan *random_tree(tr_memory *memory, uint64_t *seed, uint32_t count, uint32_t window, uint32_t *above)
{
    tr_plan *plan = NULL;
    assert_int_equal(tr_plan_create(memory, 2, 32, &plan), TR_OK);
    for (uint32_t v = 0; v < count; v++) {
        assert_int_equal(tr_plan_add_vertex(plan, v, true), TR_OK);
        uint32_t reach = v < window ? v : window;
        above[v] = v == 0 ? TR_NONE : v - 1 - next_below(seed, reach);
        if (v > 0)
            assert_int_equal(tr_plan_add_edge(plan, v, v % 2 != 0 ? above[v] : v, v % 2 != 0 ? v : above[v], 0), TR_OK);
    }
    return plan;
}

/* edges of the longest path, by distances between all pairs */
static uint32_t longest_path(const uint32_t *above, uint32_t count)
{
    static uint32_t apart[MOST][MOST];
    uint32_t most = 0;
    for (uint32_t v = 0; v < count; v++) {
        apart[v][v] = 0;
        for (uint32_t u = 0; u < v; u++) {
            apart[v][u] = apart[u][v] = apart[above[v]][u] + 1;
            most = apart[v][u] > most ? apart[v][u] : most;
        }
    }
    return most;
}

static void check_tree(const tr_forest *forest, const tr_plan *plan, uint32_t count, uint32_t longest)
{
    bool met[MOST] = {false};
    assert_int_equal(forest->tree_count, 1);
    assert_int_equal(forest->trees[0].node_count, count);
    /* no root is nearer to all than the middle of the longest path */
    assert_int_equal(forest->trees[0].depth, (longest + 1) / 2);
    for (uint32_t n = 0; n < count; n++) {
        const tr_forest_node *node = &forest->nodes[n];
        assert_false(met[node->vertex]);
        met[node->vertex] = true;
        for (uint32_t c = node->first_child; c < node->first_child + node->child_count; c++)
            assert_int_equal(forest->nodes[c].parent, n);
        if (n == 0) {
            assert_int_equal(node->parent, TR_NONE);
            continue;
        }
        assert_true(node->parent < n);
        assert_int_equal(node->depth, forest->nodes[node->parent].depth + 1);
        assert_true(node->depth >= forest->nodes[n - 1].depth);
        uint32_t a = tr_plan_end(plan, node->edge, 0), b = tr_plan_end(plan, node->edge, 1);
        uint32_t parent = forest->nodes[node->parent].vertex;
        assert_true((a == node->vertex && b == parent) || (b == node->vertex && a == parent));
    }
}

static void random_trees_are_found_from_their_middle(void **state)
{
    (void)state;
    tr_memory memory;
    tr_memory_init(&memory, (tr_allocator){0});
    uint64_t seed = 7;
    for (uint32_t trial = 0; trial < 200; trial++) {
        uint32_t above[MOST], count = 2 + next_below(&seed, MOST - 2), window = 1 + next_below(&seed, 40);
        tr_plan *plan = random_tree(&memory, &seed, count, window, above);
        uint32_t seen[MOST] = {0};
        tr_forest forest;
        tr_forest_init(&forest, &memory);
        assert_true(tr_forest_find(&forest, plan, TAKEN, seen, 1, next_below(&seed, count)));
        check_tree(&forest, plan, count, longest_path(above, count));
        for (uint32_t v = 0; v < count; v++)
            assert_int_equal(seen[v], 1);
        tr_forest_destroy(&forest);
        tr_plan_destroy(plan);
    }
    assert_int_equal(memory.bytes, 0);
}

/* one edge more than a tree has closes a ring; chosen off, it is a tree again */
static void a_ring_is_no_tree_until_it_is_cut(void **state)
{
    (void)state;
    tr_memory memory;
    tr_memory_init(&memory, (tr_allocator){0});
    uint64_t seed = 11;
    for (uint32_t trial = 0; trial < 100; trial++) {
        uint32_t above[MOST], count = 4 + next_below(&seed, 60), other;
        tr_plan *plan = random_tree(&memory, &seed, count, 5, above);
        uint32_t v = 2 + next_below(&seed, count - 2);
        do {
            other = next_below(&seed, count);
        } while (other == v);
        assert_int_equal(tr_plan_add_edge(plan, count, v, other, 0), TR_OK);
        uint32_t seen[MOST] = {0};
        tr_forest forest;
        tr_forest_init(&forest, &memory);
        assert_true(tr_forest_find(&forest, plan, TAKEN, seen, 1, 0));
        assert_int_equal(forest.tree_count, 0);
        assert_int_equal(forest.node_count, 0);
        /* what has the stamp already is known to be no tree */
        for (uint32_t k = 0; k < count; k++) {
            assert_true(tr_forest_find(&forest, plan, TAKEN, seen, 1, k));
            assert_int_equal(forest.tree_count, 0);
        }
        assert_int_equal(tr_plan_set_kind(plan, count, 1), TR_OK);
        assert_true(tr_forest_find(&forest, plan, TAKEN, seen, 2, v));
        check_tree(&forest, plan, count, longest_path(above, count));
        tr_forest_destroy(&forest);
        tr_plan_destroy(plan);
    }
}

/* fixed vertices do not tie trees together, and what hangs on one alone is a tree of one vertex */
static void fixed_vertices_part_trees(void **state)
{
    (void)state;
    tr_memory memory;
    tr_memory_init(&memory, (tr_allocator){0});
    tr_plan *plan = NULL;
    assert_int_equal(tr_plan_create(&memory, 1, 32, &plan), TR_OK);
    for (uint32_t v = 0; v < 6; v++)
        assert_int_equal(tr_plan_add_vertex(plan, v, v != 2), TR_OK);
    /* 0 - 1 - [2] - 3 - 4, and 5 on [2] */
    const uint32_t ends[5][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 2}};
    for (uint32_t e = 0; e < 5; e++)
        assert_int_equal(tr_plan_add_edge(plan, e, ends[e][0], ends[e][1], 0), TR_OK);
    uint32_t seen[6] = {0};
    tr_forest forest;
    tr_forest_init(&forest, &memory);
    assert_true(tr_forest_find(&forest, plan, TAKEN, seen, 1, 1));
    assert_true(tr_forest_find(&forest, plan, TAKEN, seen, 1, 4));
    assert_true(tr_forest_find(&forest, plan, TAKEN, seen, 1, 5));
    assert_int_equal(forest.tree_count, 3);
    assert_int_equal(forest.trees[0].node_count, 2);
    assert_int_equal(forest.trees[1].node_count, 2);
    assert_int_equal(forest.trees[2].node_count, 1);
    assert_int_equal(forest.nodes[forest.trees[2].first_node].vertex, 5);
    assert_int_equal(seen[2], 0);
    tr_forest_destroy(&forest);
    tr_plan_destroy(plan);
}

/* A wheel: a marked hub, its rim of vertices that are not, and beyond these one each. Its tree is the spokes; nothing
   goes on from the rim, and what has the stamp already is left out. */
static void marked_vertices_are_spanned_by_their_own_edges(void **state)
{
    (void)state;
    enum { RIM = 9, VERTICES = 1 + 2 * RIM, MARKED = 5, STAMP = 7 };
    tr_memory memory;
    tr_memory_init(&memory, (tr_allocator){0});
    tr_plan *plan = NULL;
    assert_int_equal(tr_plan_create(&memory, 2, 32, &plan), TR_OK);
    for (uint32_t v = 0; v < VERTICES; v++)
        assert_int_equal(tr_plan_add_vertex(plan, v, true), TR_OK);
    uint32_t edge = 0, seen[VERTICES] = {0};
    for (uint32_t i = 1; i <= RIM; i++) {
        assert_int_equal(tr_plan_add_edge(plan, edge++, 0, i, 0), TR_OK);
        assert_int_equal(tr_plan_add_edge(plan, edge++, i, i % RIM + 1, 0), TR_OK);
        assert_int_equal(tr_plan_add_edge(plan, edge++, i, RIM + i, 0), TR_OK);
    }
    seen[0] = MARKED;
    seen[3] = STAMP;
    tr_forest forest;
    tr_forest_init(&forest, &memory);
    assert_true(tr_forest_span(&forest, plan, TAKEN, seen, MARKED, STAMP, 0));
    assert_int_equal(forest.tree_count, 1);
    assert_int_equal(forest.trees[0].node_count, RIM);
    assert_int_equal(forest.trees[0].depth, 1);
    for (uint32_t n = 1; n < RIM; n++) {
        assert_int_equal(forest.nodes[n].parent, 0);
        assert_true(forest.nodes[n].vertex <= RIM && forest.nodes[n].vertex != 3);
        assert_int_equal(seen[forest.nodes[n].vertex], STAMP);
    }
    /* a marked vertex all of whose neighbours are taken is no tree */
    seen[RIM + 1] = MARKED;
    assert_true(tr_forest_span(&forest, plan, TAKEN, seen, MARKED, STAMP, RIM + 1));
    assert_int_equal(forest.tree_count, 1);
    assert_int_equal(forest.node_count, RIM);
    tr_forest_destroy(&forest);
    tr_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees_are_found_from_their_middle),
        cmocka_unit_test(a_ring_is_no_tree_until_it_is_cut),
        cmocka_unit_test(fixed_vertices_part_trees),
        cmocka_unit_test(marked_vertices_are_spanned_by_their_own_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
