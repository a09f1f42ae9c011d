/* The plan of graphs made by hand: copies, order, versions, limits, and the same layout for the same calls. */
#include "allocator.h"
#include "plan_model.h"
#include "plan_runs.h"

/*
 * Shapes
 */

/* `size` leaves, numbers from `first_leaf` on, joined to `hub` by edges from `first_edge` on. */
static void add_star(model *m, uint32_t hub, uint32_t first_leaf, uint32_t first_edge, uint32_t size)
{
    assert_int_equal(add_vertex(m, hub, true), TR_OK);
    for (uint32_t i = 0; i < size; i++) {
        assert_int_equal(add_vertex(m, first_leaf + i, true), TR_OK);
        assert_int_equal(add_edge(m, first_edge + i, i % 2 ? hub : first_leaf + i, i % 2 ? first_leaf + i : hub, 0),
                         TR_OK);
    }
}

static void a_star_of_5000_is_split_and_its_edges_dealt_evenly(void **state)
{
    (void)state;
    model *m = model_create(32);
    add_star(m, 0, 1, 0, 5000);
    const tr_plan_layout *layout = check(m);
    assert_int_equal(layout->hub_count, 1);
    assert_int_equal(layout->color_count, 32);
    assert_int_equal(layout->max_degree, 5000);

    assert_int_equal(tr_plan_optimize(m->plan, NULL), TR_OK);
    layout = check(m);
    assert_int_equal(layout->hubs[0].copy_count, 157); /* ceil(5000 / 32) */
    for (uint32_t i = 0; i < layout->copy_count; i++)
        assert_in_range(layout->copies[i].degree, 31, 32);
    model_destroy(m);
}

/* of a star with 157 copies, ten blocks of each colour, with an edge from each leaf to the next: see plan/strands.c */
static void a_star_is_solved_in_two_strands(void **state)
{
    (void)state;
    model *m = model_create(32);
    uint32_t edges[2] = {0};
    add_star(m, 0, 1, 0, 5000);
    for (uint32_t i = 0; i < 4999; i++)
        assert_int_equal(add_edge(m, 5000 + i, 1 + i, 2 + i, 1), TR_OK);
    assert_int_equal(tr_plan_optimize(m->plan, NULL), TR_OK);
    const tr_plan_layout *layout = check(m);
    for (uint32_t s = 0; s < layout->span_count; s++) {
        const tr_plan_span *span = &layout->spans[s];
        assert_true((span->strand == TR_NONE) == (span->kind == 1));
        if (span->strand == TR_NONE)
            continue;
        assert_in_range(span->strand, 0, 1);
        edges[span->strand] += span->edge_count;
        /* so many lanes are used because edges are dealt to sixteen copies at a time */
        assert_true(span->edge_count > 4 * TR_LANES || span->color == 31);
    }
    assert_in_range(edges[0], 2500 - 32 * TR_LANES, 2500 + 32 * TR_LANES);
    assert_int_equal(edges[0] + edges[1], 5000);
    /* an edge that comes later is in no strand, and one that changes its kind stays in its own */
    assert_int_equal(add_vertex(m, 5500, true), TR_OK);
    assert_int_equal(add_edge(m, 11000, 0, 5500, 2), TR_OK);
    assert_int_equal(set_kind(m, 17, 2), TR_OK);
    layout = check(m);
    for (uint32_t s = 0; s < layout->span_count; s++) {
        const tr_plan_span *span = &layout->spans[s];
        if (span->kind == 2)
            assert_true(span->edge_count == 1 && (span->strand == TR_NONE) == (span->edges[0] == 11000));
    }
    model_destroy(m);
}

static void strands_without_memory_leave_the_old_plan(void **state)
{
    (void)state;
    model *m = model_create(2);
    add_star(m, 0, 1, 0, 300);
    (void)check(m);
    uint64_t before = fingerprint(m), failed = 0;
    tr_status status = TR_ERROR_MEMORY;
    while (status != TR_OK) {
        m->heap.failing = m->heap.calls + failed + 1;
        status = tr_plan_optimize(m->plan, NULL);
        assert_true(status == TR_OK || (status == TR_ERROR_MEMORY && fingerprint(m) == before));
        failed += status != TR_OK;
    }
    m->heap.failing = 0;
    assert_true(failed > 10 && check(m)->spans[0].strand == 0);
    model_destroy(m);
}

static void two_stars_joined_share_an_edge(void **state)
{
    (void)state;
    model *m = model_create(16);
    add_star(m, 5999, 0, 0, 2000);
    add_star(m, 2500, 3000, 2000, 2000);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(add_edge(m, 5000 + i, 5999, 2500, i % KINDS), TR_OK);
    const tr_plan_layout *layout = check(m);
    assert_int_equal(layout->hub_count, 2);
    assert_int_equal(layout->hubs[0].vertex, 2500);
    assert_int_equal(tr_plan_optimize(m->plan, NULL), TR_OK);
    layout = check(m);
    assert_int_equal(layout->hubs[0].copy_count, 132); /* ceil(2100 / 16) */
    assert_int_equal(layout->hubs[1].copy_count, 132);
    model_destroy(m);
}

static void two_ends_without_a_common_colour_split_the_busier_one(void **state)
{
    (void)state;
    for (uint32_t turn = 0; turn < 2; turn++) {
        model *m = model_create(64);
        uint32_t edge = 0, leaf = 3;
        for (uint32_t v = 0; v < 200; v++)
            assert_int_equal(add_vertex(m, v, true), TR_OK);
        /* 0 and 1 take colours 0 .. 19, 0 also 20 .. 49; 2 takes 0 .. 49, which leaves 50 .. 63 for 1 and 2 */
        for (uint32_t i = 0; i < 20; i++)
            assert_int_equal(add_edge(m, edge++, 0, 1, 0), TR_OK);
        for (uint32_t i = 0; i < 30; i++)
            assert_int_equal(add_edge(m, edge++, 0, leaf++, 0), TR_OK);
        for (uint32_t i = 0; i < 50; i++)
            assert_int_equal(add_edge(m, edge++, 2, leaf++, 0), TR_OK);
        for (uint32_t i = 0; i < 14; i++)
            assert_int_equal(add_edge(m, edge++, 1, 2, 0), TR_OK);
        assert_int_equal(check(m)->hub_count, 0);
        assert_int_equal(add_edge(m, edge, turn, 1 - turn, 0), TR_OK);
        const tr_plan_layout *layout = check(m);
        assert_int_equal(layout->hub_count, 1);
        assert_int_equal(layout->hubs[0].vertex, 0);
        assert_int_equal(layout->copies[0].degree, 1);
        model_destroy(m);
    }
}

static void copies_go_as_their_edges_go(void **state)
{
    (void)state;
    model *m = model_create(4);
    add_star(m, 0, 1, 0, 12);
    assert_int_equal(check(m)->copy_count, 2);
    /* copy 0 loses all it has: it still stands for the vertex, and the others stay */
    for (uint32_t e = 0; e < 4; e++)
        remove_edge(m, e);
    const tr_plan_layout *layout = check(m);
    assert_int_equal(layout->hubs[0].copy_count, 3);
    assert_int_equal(layout->hubs[0].degree, 8);
    assert_int_equal(layout->copies[0].degree + layout->copies[1].degree, 8);
    /* the middle copy goes from the layout, not from the count of the plan, until the last goes too */
    for (uint32_t e = 4; e < 8; e++)
        remove_edge(m, e);
    layout = check(m);
    assert_int_equal(layout->hubs[0].copy_count, 2);
    assert_int_equal(layout->copies[0].degree, 4);
    for (uint32_t e = 8; e < 12; e++)
        remove_edge(m, e);
    assert_int_equal(check(m)->hub_count, 0);
    model_destroy(m);
}

/* an edge of four ends shares its colour with no edge on any of them, and ties all of them into one island */
static void an_edge_of_four_ends_counts_at_each(void **state)
{
    (void)state;
    model *m = model_create(32);
    for (uint32_t v = 0; v < 8; v++)
        assert_int_equal(add_vertex(m, v, true), TR_OK);
    assert_int_equal(add_hyperedge(m, 0, (const uint32_t[]){0, 1, 2, 3}, 4, 0), TR_OK);
    for (uint32_t end = 0; end < 4; end++) {
        assert_int_equal(add_edge(m, 1 + end, end, 4 + end, 0), TR_OK);
        assert_int_equal(tr_plan_color(m->plan, 1 + end), 1);
        assert_int_equal(tr_plan_degree(m->plan, end), 2);
    }
    check(m);
    tr_plan_islands islands;
    assert_int_equal(tr_plan_islands_get(m->plan, &islands), TR_OK);
    assert_int_equal(islands.count, 1);
    assert_int_equal(islands.largest, 8);

    /* with one end left that moves it comes last, and without it ties nothing */
    for (uint32_t v = 1; v < 4; v++)
        assert_int_equal(set_moving(m, v, false), TR_OK);
    assert_true(tr_plan_color(m->plan, 0) >= TR_COLORS_MOVING);
    remove_edge(m, 0);
    check(m);
    assert_int_equal(tr_plan_islands_get(m->plan, &islands), TR_OK);
    assert_int_equal(islands.count, 4);
    model_destroy(m);
}

/* 5,000 edges of three ends, two of them at the same two vertices: both are split, and a copy of one meets many of the
   other's */
static void two_hubs_of_edges_with_three_ends_are_split(void **state)
{
    (void)state;
    model *m = model_create(32);
    for (uint32_t v = 0; v < 5002; v++)
        assert_int_equal(add_vertex(m, v, true), TR_OK);
    for (uint32_t e = 0; e < 5000; e++)
        assert_int_equal(add_hyperedge(m, e, (const uint32_t[]){e + 2, 0, 1}, 3, 0), TR_OK);
    check(m);
    assert_int_equal(tr_plan_optimize(m->plan, NULL), TR_OK);
    const tr_plan_layout *layout = check(m);
    assert_int_equal(layout->hub_count, 2);
    assert_int_equal(layout->hubs[0].copy_count, 157);
    assert_int_equal(layout->hubs[1].copy_count, 157);
    assert_true(layout->color_count <= 64);
    for (uint32_t e = 0; e < 5000; e++)
        remove_edge(m, e);
    assert_int_equal(check(m)->hub_count, 0);
    model_destroy(m);
}

static void edges_to_fixed_vertices_come_after_all_others(void **state)
{
    (void)state;
    model *m = model_create(32);
    for (uint32_t v = 0; v < 5; v++)
        assert_int_equal(add_vertex(m, v, v < 3), TR_OK);
    assert_int_equal(add_edge(m, 0, 0, 3, 0), TR_OK);
    assert_int_equal(add_edge(m, 1, 4, 0, 0), TR_OK);
    assert_int_equal(add_edge(m, 2, 0, 1, 0), TR_OK);
    assert_int_equal(add_edge(m, 3, 1, 2, 0), TR_OK);
    assert_int_equal(add_edge(m, 4, 3, 4, 0), TR_OK);
    assert_int_equal(add_edge(m, 5, 2, 3, 1), TR_OK);
    const uint32_t colors[] = {64, 65, 0, 1, TR_NONE, 64};
    for (uint32_t e = 0; e < 6; e++)
        assert_int_equal(tr_plan_color(m->plan, e), colors[e]);
    assert_int_equal(check(m)->solved_edges, 5);

    /* vertex 3 begins to move: its edges find colours among the moving ones, and the edge 3-4 gets one */
    assert_int_equal(set_moving(m, 3, true), TR_OK);
    check(m);
    assert_in_range(tr_plan_color(m->plan, 0), 0, 63);
    assert_in_range(tr_plan_color(m->plan, 5), 0, 63);
    assert_in_range(tr_plan_color(m->plan, 4), 64, 127);
    model_destroy(m);
}

static void a_fixed_vertex_with_many_edges_is_not_split(void **state)
{
    (void)state;
    model *m = model_create(8);
    assert_int_equal(add_vertex(m, 0, false), TR_OK);
    for (uint32_t i = 0; i < 500; i++) {
        assert_int_equal(add_vertex(m, i + 1, true), TR_OK);
        assert_int_equal(add_edge(m, i, 0, i + 1, 0), TR_OK);
    }
    const tr_plan_layout *layout = check(m);
    assert_int_equal(layout->hub_count, 0);
    assert_int_equal(layout->color_count, 1);
    assert_int_equal(layout->max_degree, 1);
    /* once it moves it is, and once it stands again it is not */
    assert_int_equal(set_moving(m, 0, true), TR_OK);
    assert_int_equal(check(m)->hubs[0].copy_count, 63);
    assert_int_equal(set_moving(m, 0, false), TR_OK);
    assert_int_equal(check(m)->hub_count, 0);
    model_destroy(m);
}

/*
 * Versions, limits, determinism
 */

static void the_version_changes_with_what_a_solver_must_follow_and_only_then(void **state)
{
    (void)state;
    model *m = model_create(32);
    uint64_t version = tr_plan_version(m->plan);
    assert_int_equal(add_vertex(m, 0, true), TR_OK);
    assert_int_equal(add_vertex(m, 1, true), TR_OK);
    assert_true(tr_plan_version(m->plan) != version);
    version = tr_plan_version(m->plan);
    /* a vertex that ceases to move, or begins to, also where it has no edges */
    assert_int_equal(tr_plan_set_moving(m->plan, 0, true), TR_OK);
    assert_true(tr_plan_version(m->plan) == version);
    assert_int_equal(tr_plan_set_moving(m->plan, 0, false), TR_OK);
    assert_true(tr_plan_version(m->plan) != version);
    version = tr_plan_version(m->plan);
    assert_int_equal(tr_plan_set_moving(m->plan, 0, true), TR_OK);
    assert_true(tr_plan_version(m->plan) != version);
    version = tr_plan_version(m->plan);
    assert_int_equal(add_edge(m, 0, 0, 1, 0), TR_OK);
    assert_true(tr_plan_version(m->plan) != version);
    version = tr_plan_version(m->plan);
    assert_int_equal(set_kind(m, 0, 0), TR_OK);
    assert_true(tr_plan_version(m->plan) == version);
    assert_int_equal(set_kind(m, 0, 1), TR_OK);
    assert_true(tr_plan_version(m->plan) != version);
    version = tr_plan_version(m->plan);
    remove_edge(m, 0);
    assert_true(tr_plan_version(m->plan) != version);
    assert_int_equal(tr_plan_churn(m->plan), 4);
    model_destroy(m);
}

/* also if the span that an edge comes back to is older than the first hub, and so never had room for copies */
static void an_edge_returns_to_its_kind_without_memory(void **state)
{
    (void)state;
    model *m = model_create(4);
    assert_int_equal(add_vertex(m, 0, true), TR_OK);
    assert_int_equal(add_vertex(m, 1, true), TR_OK);
    assert_int_equal(add_edge(m, 0, 0, 1, 0), TR_OK);
    /* more edges than a copy holds */
    for (uint32_t i = 2; i < 12; i++) {
        assert_int_equal(add_vertex(m, i, true), TR_OK);
        assert_int_equal(add_edge(m, i, 1, i, 2), TR_OK);
    }
    assert_int_equal(set_kind(m, 0, 1), TR_OK);
    m->heap.calls = 0;
    m->heap.failing = 1;
    m->heap.used_up = true;
    assert_int_equal(set_kind(m, 0, 0), TR_OK);
    m->heap.failing = 0;
    m->heap.used_up = false;
    assert_int_equal(tr_plan_kind(m->plan, 0), 0);
    model_destroy(m);
}

static void assert_news(model *m, const uint32_t *want, uint32_t want_count)
{
    const uint32_t *news;
    uint32_t count;
    assert_true(tr_plan_news(m->plan, &news, &count));
    assert_int_equal(count, want_count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(news[i], want[i]);
    (void)check(m);
    tr_plan_settle(m->plan);
}

static void news_names_the_ends_of_watched_edges(void **state)
{
    (void)state;
    model *m = model_create(32);
    for (uint32_t v = 0; v < 5; v++)
        assert_int_equal(add_vertex(m, v, v < 4), TR_OK);
    assert_int_equal(add_edge(m, 0, 0, 1, 1), TR_OK);
    assert_news(m, NULL, 0);
    tr_plan_watch(m->plan, 1u << 1);
    assert_int_equal(add_edge(m, 1, 1, 2, 1), TR_OK);
    assert_int_equal(add_edge(m, 2, 2, 3, 0), TR_OK);
    assert_int_equal(add_edge(m, 3, 3, 4, 1), TR_OK);
    assert_news(m, (const uint32_t[]){1, 2, 3, 4}, 4);
    assert_news(m, NULL, 0);
    assert_int_equal(set_kind(m, 2, 1), TR_OK);
    assert_int_equal(set_kind(m, 0, 2), TR_OK);
    remove_edge(m, 1);
    assert_news(m, (const uint32_t[]){2, 3, 0, 1, 2}, 5);
    /* a vertex, once, and those that watched edges tie it to, newest first */
    uint64_t version = tr_plan_version(m->plan);
    tr_plan_touch_vertex(m->plan, 0);
    assert_true(tr_plan_version(m->plan) == version);
    tr_plan_touch_vertex(m->plan, 3);
    assert_true(tr_plan_version(m->plan) != version);
    assert_news(m, (const uint32_t[]){3, 4, 2}, 3);
    model_destroy(m);
}

static void too_much_news_is_none(void **state)
{
    (void)state;
    model *m = model_create(32);
    const uint32_t *news;
    uint32_t count;
    tr_plan_watch(m->plan, 1);
    assert_int_equal(add_vertex(m, 0, true), TR_OK);
    assert_int_equal(add_vertex(m, 1, true), TR_OK);
    for (uint32_t i = 0; i < 3000; i++) {
        assert_int_equal(add_edge(m, 0, 0, 1, 0), TR_OK);
        remove_edge(m, 0);
    }
    assert_false(tr_plan_news(m->plan, &news, &count));
    (void)check(m);
    tr_plan_settle(m->plan);
    assert_true(tr_plan_news(m->plan, &news, &count) && count == 0);
    model_destroy(m);
}

static void numbers_past_the_limit_are_refused(void **state)
{
    (void)state;
    model *m = model_create(32);
    assert_int_equal(add_vertex(m, 0, true), TR_OK);
    assert_int_equal(add_vertex(m, 1, true), TR_OK);
    uint64_t before = fingerprint(m);
    assert_int_equal(tr_plan_add_vertex(m->plan, INT32_MAX, true), TR_ERROR_LIMIT);
    assert_int_equal(tr_plan_add_edge(m->plan, TR_EDGES_MAX, 0, 1, 0), TR_ERROR_LIMIT);
    assert_true(fingerprint(m) == before);
    model_destroy(m);
}

static void the_same_calls_give_the_same_layout(void **state)
{
    (void)state;
    uint64_t prints[2];
    for (int run = 0; run < 2; run++) {
        model *m = model_create(8);
        /* blocks of other sizes in between, so that addresses differ */
        void *block = run == 0 ? NULL : malloc(1000003);
        for (uint32_t i = 0; i < 20000; i++)
            assert_int_equal(random_edit(m, &(mixture){200, 1500, 3, true, true, 10}), TR_OK);
        prints[run] = mix(fingerprint(m), layout_fingerprint(check(m)));
        free(block);
        model_destroy(m);
    }
    assert_true(prints[0] == prints[1]);
}

/* When the layout is asked for must not show in it. */
static void asking_for_the_layout_changes_nothing(void **state)
{
    (void)state;
    uint64_t prints[2];
    for (int run = 0; run < 2; run++) {
        model *m = model_create(4);
        const tr_plan_layout *layout;
        for (uint32_t i = 0; i < 5000; i++) {
            assert_int_equal(random_edit(m, &(mixture){50, 400, 3, true, true, 10}), TR_OK);
            if (run == 0)
                assert_int_equal(tr_plan_layout_get(m->plan, &layout), TR_OK);
        }
        prints[run] = layout_fingerprint(check(m));
        model_destroy(m);
    }
    assert_true(prints[0] == prints[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_returns_to_its_kind_without_memory),
        cmocka_unit_test(a_star_of_5000_is_split_and_its_edges_dealt_evenly),
        cmocka_unit_test(a_star_is_solved_in_two_strands),
        cmocka_unit_test(strands_without_memory_leave_the_old_plan),
        cmocka_unit_test(two_stars_joined_share_an_edge),
        cmocka_unit_test(two_ends_without_a_common_colour_split_the_busier_one),
        cmocka_unit_test(copies_go_as_their_edges_go),
        cmocka_unit_test(an_edge_of_four_ends_counts_at_each),
        cmocka_unit_test(two_hubs_of_edges_with_three_ends_are_split),
        cmocka_unit_test(edges_to_fixed_vertices_come_after_all_others),
        cmocka_unit_test(a_fixed_vertex_with_many_edges_is_not_split),
        cmocka_unit_test(the_version_changes_with_what_a_solver_must_follow_and_only_then),
        cmocka_unit_test(news_names_the_ends_of_watched_edges),
        cmocka_unit_test(too_much_news_is_none),
        cmocka_unit_test(numbers_past_the_limit_are_refused),
        cmocka_unit_test(the_same_calls_give_the_same_layout),
        cmocka_unit_test(asking_for_the_layout_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
