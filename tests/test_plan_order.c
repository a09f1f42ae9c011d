/* The order of plans: islands breadth first, fixed vertices last, blocks filled, plans made in parts, and runs. */
#include "plan_model.h"
#include "plan_runs.h"

/*
 * Order
 */

static void optimize_orders_islands_breadth_first_and_fixed_vertices_last(void **state)
{
    (void)state;
    model *m = model_create(32);
    /* a path 4-1-6-3, a pair 2-5, a fixed 0 that joins them, a lone 7 */
    for (uint32_t v = 0; v < 8; v++)
        assert_int_equal(add_vertex(m, v, v != 0), TR_OK);
    const uint32_t pairs[][2] = {{1, 6}, {4, 1}, {3, 6}, {5, 2}, {0, 4}, {0, 5}};
    for (uint32_t e = 0; e < 6; e++)
        assert_int_equal(add_edge(m, e, pairs[e][0], pairs[e][1], 0), TR_OK);
    uint32_t order[8];
    assert_int_equal(tr_plan_optimize(m->plan, order), TR_OK);
    const uint32_t expected[] = {3, 6, 1, 4, 2, 5, 7, 0};
    assert_memory_equal(order, expected, sizeof expected);
    assert_int_equal(tr_plan_churn(m->plan), 0);
    /* coloured along the path, the lanes in its order */
    const tr_plan_layout *layout = check(m);
    const uint32_t first_color[] = {2, 1, 3};
    assert_int_equal(layout->spans[0].edge_count, 3);
    assert_memory_equal(layout->spans[0].edges, first_color, sizeof first_color);
    model_destroy(m);
}

static void optimize_gives_each_vertex_once_and_is_idempotent(void **state)
{
    (void)state;
    static uint32_t order[MAX_VERTICES];
    static bool seen[MAX_VERTICES];
    model *m = model_create(8);
    for (uint32_t i = 0; i < 8000; i++)
        assert_int_equal(random_edit(m, &(mixture){500, 3000, 5, false, true, 10}), TR_OK);
    assert_int_equal(tr_plan_optimize(m->plan, order), TR_OK);
    check(m);
    bool fixed = false;
    uint32_t count = m->plan->graph.vertex_count;
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(m->vertices[order[i]].alive && !seen[order[i]]);
        seen[order[i]] = true;
        assert_false(fixed && m->vertices[order[i]].moving);
        fixed = !m->vertices[order[i]].moving;
    }
    const tr_plan_layout *layout;
    assert_int_equal(tr_plan_layout_get(m->plan, &layout), TR_OK);
    uint64_t before = layout_fingerprint(layout);
    assert_int_equal(tr_plan_optimize(m->plan, NULL), TR_OK);
    assert_int_equal(tr_plan_layout_get(m->plan, &layout), TR_OK);
    assert_true(layout_fingerprint(layout) == before);
    model_destroy(m);
}

static void optimize_moves_edges_to_blocks_that_are_open(void **state)
{
    (void)state;
    model *m = model_create(32);
    for (uint32_t v = 0; v < 5; v++)
        assert_int_equal(add_vertex(m, v, true), TR_OK);
    assert_int_equal(add_edge(m, 0, 0, 1, 0), TR_OK);
    assert_int_equal(add_edge(m, 1, 1, 2, 1), TR_OK);
    assert_int_equal(add_edge(m, 2, 3, 4, 1), TR_OK);
    /* lowest colours first put edge 2 beside edge 0, in a block of its own; it fits into that of edge 1 */
    assert_int_equal(check(m)->span_count, 3);
    assert_int_equal(tr_plan_optimize(m->plan, NULL), TR_OK);
    const tr_plan_layout *layout = check(m);
    assert_int_equal(layout->span_count, 2);
    assert_int_equal(tr_plan_color(m->plan, 2), tr_plan_color(m->plan, 1));
    model_destroy(m);
}

/* the same edits before, and the same after; how the plan is made afresh between them differs */
static uint64_t made_afresh(bool in_parts, uint32_t edits_between, uint32_t *order)
{
    model *m = model_create(8);
    const mixture range = {500, 3000, 5, false, true, 10};
    for (uint32_t i = 0; i < 8000; i++)
        assert_int_equal(random_edit(m, &range), TR_OK);
    if (in_parts)
        assert_int_equal(tr_plan_begin(m->plan), TR_OK);
    for (uint32_t part = 1; part <= TR_PLAN_PARTS; part++) {
        for (uint32_t i = 0; i < edits_between; i++)
            assert_int_equal(random_edit(m, &range), TR_OK);
        if (in_parts)
            assert_int_equal(tr_plan_continue(m->plan, part), TR_OK);
    }
    uint32_t churn = tr_plan_churn(m->plan);
    assert_int_equal(in_parts ? tr_plan_finish(m->plan, order) : tr_plan_optimize(m->plan, order), TR_OK);
    assert_false(tr_plan_is_begun(m->plan));
    assert_true(tr_plan_churn(m->plan) < churn && (tr_plan_churn(m->plan) > 0) == (in_parts && edits_between > 0));
    static bool seen[MAX_VERTICES];
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < m->plan->graph.vertex_count; i++) {
        assert_true(m->vertices[order[i]].alive && !seen[order[i]]);
        assert_true(m->vertices[order[i]].moving == (i < m->plan->graph.moving_count));
        seen[order[i]] = true;
    }
    uint64_t print = layout_fingerprint(check(m));
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(random_edit(m, &range), TR_OK);
    print = mix(print, layout_fingerprint(check(m)));
    model_destroy(m);
    return print;
}

static void a_plan_in_parts_is_that_made_at_once(void **state)
{
    (void)state;
    static uint32_t at_once[MAX_VERTICES], in_parts[MAX_VERTICES];
    uint64_t print = made_afresh(false, 0, at_once);
    assert_true(made_afresh(true, 0, in_parts) == print);
    assert_memory_equal(in_parts, at_once, sizeof at_once);
}

/* edits between the parts: the plan that is taken has all of them, and none of what they removed */
static void a_plan_in_parts_has_what_changed_meanwhile(void **state)
{
    (void)state;
    static uint32_t order[MAX_VERTICES];
    uint64_t print = made_afresh(true, 200, order);
    assert_true(made_afresh(true, 200, order) == print);
    assert_true(made_afresh(true, 20, order) != print);
}

static void a_plan_in_the_making_can_be_dropped(void **state)
{
    (void)state;
    model *m = model_create(8);
    for (uint32_t i = 0; i < 3000; i++)
        assert_int_equal(random_edit(m, &(mixture){500, 3000, 5, false, true, 10}), TR_OK);
    uint64_t before = fingerprint(m);
    size_t live = m->heap.live;
    for (uint32_t parts = 0; parts <= TR_PLAN_PARTS; parts++) {
        assert_int_equal(tr_plan_begin(m->plan), TR_OK);
        assert_int_equal(tr_plan_continue(m->plan, parts), TR_OK);
        tr_plan_drop(m->plan);
        assert_false(tr_plan_is_begun(m->plan));
        assert_true(fingerprint(m) == before && m->heap.live == live);
    }
    /* a world may end while a plan is in the making */
    assert_int_equal(tr_plan_begin(m->plan), TR_OK);
    assert_int_equal(tr_plan_continue(m->plan, 4), TR_OK);
    model_destroy(m);
}

static void an_empty_plan_can_be_optimized(void **state)
{
    (void)state;
    model *m = model_create(32);
    assert_int_equal(tr_plan_optimize(m->plan, NULL), TR_OK);
    assert_int_equal(check(m)->span_count, 0);
    assert_int_equal(tr_plan_begin(m->plan), TR_OK);
    assert_int_equal(tr_plan_finish(m->plan, NULL), TR_OK);
    assert_int_equal(check(m)->span_count, 0);
    model_destroy(m);
}
static model *make_chains(uint32_t islands, uint32_t size)
{
    model *m = model_create(32);
    for (uint32_t v = 0; v < islands * size; v++)
        assert_int_equal(add_vertex(m, v, true), TR_OK);
    for (uint32_t island = 0; island < islands; island++)
        for (uint32_t i = 0; i + 1 < size; i++)
            assert_int_equal(add_edge(m, island * (size - 1) + i, island * size + i, island * size + i + 1, 0), TR_OK);
    return m;
}

/* 48 chains of five: three times sixteen side by side, each of their edges a block */
static void islands_of_one_shape_make_runs(void **state)
{
    (void)state;
    enum { ISLANDS = 48, SIZE = 5 };
    model *m = make_chains(ISLANDS, SIZE);
    uint32_t rank[ISLANDS * SIZE];
    ranks_of(m, rank, ISLANDS * SIZE);
    const tr_plan_layout *layout = check(m);
    assert_int_equal(layout->color_count, 2);
    assert_int_equal(count_runs(m, layout, rank), ISLANDS / TR_LANES * (SIZE - 1));

    /* one that is other breaks the row of sixteen it is in, and no other */
    assert_int_equal(add_edge(m, ISLANDS * SIZE, 20 * SIZE, 20 * SIZE + 2, 0), TR_OK);
    ranks_of(m, rank, ISLANDS * SIZE);
    layout = check(m);
    assert_true(count_runs(m, layout, rank) >= 2 * (SIZE - 1));
    model_destroy(m);
}

/* fourteen alike are three groups at each edge, and two that are left over: of the four times 14 edges 48 are in
   groups */
static void a_few_of_one_shape_make_runs(void **state)
{
    (void)state;
    enum { ISLANDS = 14, SIZE = 9 };
    model *m = make_chains(ISLANDS, SIZE);
    uint32_t rank[ISLANDS * SIZE];
    ranks_of(m, rank, ISLANDS * SIZE);
    const tr_plan_layout *layout = check(m);
    assert_int_equal(layout->color_count, 2);
    assert_int_equal(count_runs(m, layout, rank), 2 * 3);
    model_destroy(m);
}

/* a lattice of 60 x 60, whole and in seven units: most of its blocks lie between two levels, in groups of four at
   least */
static void lattices_make_runs(void **state)
{
    (void)state;
    enum { SIDE = 60 };
    model *m = model_create(32);
    uint32_t edge = 0;
    for (uint32_t v = 0; v < SIDE * SIDE; v++)
        assert_int_equal(add_vertex(m, v, true), TR_OK);
    for (uint32_t v = 0; v < SIDE * SIDE; v++) {
        if (v % SIDE + 1 < SIDE)
            assert_int_equal(add_edge(m, edge++, v, v + 1, 0), TR_OK);
        if (v + SIDE < SIDE * SIDE)
            assert_int_equal(add_edge(m, edge++, v, v + SIDE, 0), TR_OK);
    }
    static uint32_t rank[SIDE * SIDE];
    static const uint32_t unit_sizes[] = {0, 512};
    for (uint32_t i = 0; i < 2; i++) {
        tr_plan_set_unit_size(m->plan, unit_sizes[i]);
        ranks_of(m, rank, SIDE * SIDE);
        uint32_t runs = count_runs(m, check(m), rank);
        if (10 * runs * TR_LANES < 6 * edge)
            fail_msg("units of %u: %u of %u blocks are runs", unit_sizes[i], runs, edge / TR_LANES);
    }
    model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimize_orders_islands_breadth_first_and_fixed_vertices_last),
        cmocka_unit_test(optimize_gives_each_vertex_once_and_is_idempotent),
        cmocka_unit_test(optimize_moves_edges_to_blocks_that_are_open),
        cmocka_unit_test(a_plan_in_parts_is_that_made_at_once),
        cmocka_unit_test(a_plan_in_parts_has_what_changed_meanwhile),
        cmocka_unit_test(a_plan_in_the_making_can_be_dropped),
        cmocka_unit_test(an_empty_plan_can_be_optimized),
        cmocka_unit_test(islands_of_one_shape_make_runs),
        cmocka_unit_test(a_few_of_one_shape_make_runs),
        cmocka_unit_test(lattices_make_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
