/* Changes of a plan that are undone: vertices that have woken, and fresh plans. */
#include "allocator.h"
#include "hash.h"
#include "plan_model.h"

/* two rings with an edge to a fixed vertex each, of which one sleeps and wakes again */
enum { RING = 9 };

static uint32_t colored(const tr_plan *plan, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t e = first; e < first + RING + 1; e++)
        count += tr_plan_color(plan, e) != TR_NONE;
    return count;
}

static void assert_ring_colors_differ(const tr_plan *plan, uint32_t first)
{
    for (uint32_t i = 0; i < RING; i++)
        assert_true(tr_plan_color(plan, first + i) != tr_plan_color(plan, first + (i + 1) % RING));
}

static void what_sleeps_has_no_colors_and_gets_them_back(void **state)
{
    (void)state;
    const uint32_t sleepers[RING] = {4, 2, 1, 3, 5, 8, 7, 6, 9};
    test_allocator allocator = {0};
    tr_memory memory;
    tr_memory_init(&memory, test_hooks(&allocator));
    uint64_t failed = 0;
    for (bool done = false; !done; failed++) {
        tr_plan *plan;
        const tr_plan_layout *layout;
        test_fail_in(&allocator, 0);
        assert_int_equal(tr_plan_create(&memory, 2, 32, &plan), TR_OK);
        assert_int_equal(tr_plan_add_vertex(plan, 0, false), TR_OK);
        for (uint32_t v = 1; v <= 2 * RING; v++)
            assert_int_equal(tr_plan_add_vertex(plan, v, true), TR_OK);
        for (uint32_t ring = 0; ring < 2; ring++) {
            uint32_t edge = ring * (RING + 1), vertex = 1 + ring * RING;
            for (uint32_t i = 0; i < RING; i++)
                assert_int_equal(tr_plan_add_edge(plan, edge + i, vertex + i, vertex + (i + 1) % RING, i % 2), TR_OK);
            assert_int_equal(tr_plan_add_edge(plan, edge + RING, 0, vertex, 0), TR_OK);
        }
        uint64_t epoch = tr_plan_epoch(plan), version = tr_plan_version(plan);
        tr_plan_sleep(plan, sleepers, RING);
        assert_true(tr_plan_epoch(plan) == epoch && tr_plan_version(plan) != version);
        assert_int_equal(colored(plan, 0), 0);
        assert_int_equal(colored(plan, RING + 1), RING + 1);
        assert_int_equal(tr_plan_solved_count(plan), RING + 1);
        assert_false(tr_plan_is_moving(plan, 5));
        assert_int_equal(tr_plan_degree(plan, 1), 3);
        /* a fresh plan leaves them alone */
        assert_int_equal(tr_plan_optimize(plan, NULL), TR_OK);
        assert_int_equal(tr_plan_solved_count(plan), RING + 1);
        assert_int_equal(tr_plan_layout_get(plan, &layout), TR_OK);
        assert_int_equal(layout->solved_edges, RING + 1);
        version = tr_plan_version(plan);
        uint32_t churn = tr_plan_churn(plan);
        tr_plan_woken *woken = NULL;
        test_fail_in(&allocator, failed + 1);
        tr_status status = tr_plan_wake(plan, sleepers, RING, &woken);
        done = allocator.failures == 0;
        assert_int_equal(status, done ? TR_OK : TR_ERROR_MEMORY);
        assert_true((woken != NULL) == done);
        test_fail_in(&allocator, 0);
        if (done)
            tr_plan_wake_undo(plan, &woken);
        /* refused or undone, all sleep */
        assert_true(tr_plan_version(plan) == version && tr_plan_churn(plan) == churn && woken == NULL);
        assert_int_equal(colored(plan, 0), 0);
        assert_int_equal(tr_plan_solved_count(plan), RING + 1);
        assert_false(tr_plan_is_moving(plan, 5));
        assert_int_equal(tr_plan_wake(plan, sleepers, RING, &woken), TR_OK);
        tr_plan_wake_settle(plan, &woken);
        assert_int_equal(colored(plan, 0), RING + 1);
        assert_int_equal(tr_plan_solved_count(plan), 2 * (RING + 1));
        assert_true(tr_plan_color(plan, RING) >= TR_COLORS_MOVING && tr_plan_color(plan, 0) < TR_COLORS_MOVING);
        assert_ring_colors_differ(plan, 0);
        assert_int_equal(tr_plan_layout_get(plan, &layout), TR_OK);
        assert_int_equal(layout->solved_edges, 2 * (RING + 1));
        tr_plan_destroy(plan);
    }
    assert_true(failed > 1);
    assert_int_equal(allocator.held, 0);
}

static uint64_t layout_hash(tr_plan *plan)
{
    const tr_plan_layout *layout;
    assert_int_equal(tr_plan_layout_get(plan, &layout), TR_OK);
    uint64_t hash = layout->span_count;
    for (uint32_t i = 0; i < layout->span_count; i++) {
        const tr_plan_span *span = &layout->spans[i];
        const uint32_t numbers[] = {span->unit, span->strand, span->color, span->kind, span->edge_count};
        hash = mix_bytes(hash, numbers, sizeof numbers);
        hash = mix_bytes(hash, span->edges, span->edge_count * sizeof *span->edges);
        for (uint32_t lane = 0; lane < span->edge_count; lane++) {
            const uint32_t copies[] = {tr_span_copy(span, lane, 0), tr_span_copy(span, lane, 1)};
            hash = mix_bytes(hash, copies, sizeof copies);
        }
    }
    for (uint32_t i = 0; i < layout->hub_count; i++)
        hash = mix_bytes(hash, &layout->hubs[i], sizeof layout->hubs[i]);
    return hash;
}

/* Edges from what moves to what sleeps have colours as those to what is fixed. When it wakes they get others; undone or
   refused, they have their colours and lanes again. */
static void edges_to_sleepers_get_their_colors_back(void **state)
{
    (void)state;
    enum { EDGES = 2 * RING, TO_SLEEPERS = 5 };
    const uint32_t sleepers[RING] = {4, 2, 1, 3, 5, 8, 7, 6, 9};
    test_allocator allocator = {0};
    tr_memory memory;
    tr_memory_init(&memory, test_hooks(&allocator));
    uint64_t failed = 0;
    for (bool done = false; !done; failed++) {
        tr_plan *plan;
        tr_plan_woken *woken = NULL;
        test_fail_in(&allocator, 0);
        assert_int_equal(tr_plan_create(&memory, 2, 32, &plan), TR_OK);
        for (uint32_t v = 1; v <= 2 * RING; v++)
            assert_int_equal(tr_plan_add_vertex(plan, v, true), TR_OK);
        for (uint32_t e = 0; e < EDGES; e++) {
            const uint32_t first = 1 + e / RING * RING, i = e % RING;
            assert_int_equal(tr_plan_add_edge(plan, e, first + i, first + (i + 1) % RING, i % 2), TR_OK);
        }
        tr_plan_sleep(plan, sleepers, RING);
        for (uint32_t i = 0; i < TO_SLEEPERS; i++)
            assert_int_equal(tr_plan_add_edge(plan, EDGES + i, 1 + i, RING + 1 + 2 * i % RING, i % 2), TR_OK);
        for (uint32_t i = 0; i < TO_SLEEPERS; i++)
            assert_true(tr_plan_color(plan, EDGES + i) >= TR_COLORS_MOVING);
        const uint64_t before = layout_hash(plan);
        test_fail_in(&allocator, failed + 1);
        const tr_status status = tr_plan_wake(plan, sleepers, RING, &woken);
        done = allocator.failures == 0;
        test_fail_in(&allocator, 0);
        assert_int_equal(status, done ? TR_OK : TR_ERROR_MEMORY);
        if (done) {
            for (uint32_t i = 0; i < TO_SLEEPERS; i++)
                assert_true(tr_plan_color(plan, EDGES + i) < TR_COLORS_MOVING);
            tr_plan_wake_undo(plan, &woken);
        }
        for (uint32_t i = 0; i < TO_SLEEPERS; i++)
            assert_true(tr_plan_color(plan, EDGES + i) >= TR_COLORS_MOVING);
        assert_int_equal(tr_plan_solved_count(plan), RING + TO_SLEEPERS);
        assert_true(layout_hash(plan) == before);
        tr_plan_destroy(plan);
    }
    assert_true(failed > 1);
    assert_int_equal(allocator.held, 0);
}

/* a fresh plan that is taken back leaves colours, lanes and counts as they were, and the one in the making begun */
static void a_fresh_plan_can_be_taken_back(void **state)
{
    (void)state;
    enum { SIDE = 12, VERTICES = SIDE * SIDE };
    for (uint32_t begun = 0; begun < 2; begun++) {
        model *m = model_create(32);
        for (uint32_t v = 0; v < VERTICES; v++)
            assert_int_equal(tr_plan_add_vertex(m->plan, v, v % 7 != 0), TR_OK);
        uint32_t edges = 0;
        for (uint32_t v = 0; v + SIDE + 1 < VERTICES; v++) {
            assert_int_equal(tr_plan_add_edge(m->plan, edges++, v, v + SIDE, 0), TR_OK);
            assert_int_equal(tr_plan_add_edge(m->plan, edges++, v, v + 1, 0), TR_OK);
            if (v > 0)
                assert_int_equal(tr_plan_add_edge(m->plan, edges++, 0, v + SIDE + 1, 0), TR_OK);
        }
        if (begun)
            assert_int_equal(tr_plan_begin(m->plan), TR_OK);
        for (uint32_t e = 0; e < edges; e += 5)
            tr_plan_remove_edge(m->plan, e);
        const uint64_t before = layout_hash(m->plan), version = tr_plan_version(m->plan),
                       epoch = tr_plan_epoch(m->plan);
        const uint32_t churn = tr_plan_churn(m->plan);
        tr_fresh *fresh;
        uint32_t order[VERTICES];
        assert_int_equal(begun ? tr_plan_complete(m->plan, &fresh) : tr_plan_make(m->plan, &fresh), TR_OK);
        tr_plan_take(m->plan, fresh, order);
        const uint64_t taken = layout_hash(m->plan);
        assert_true(taken != before && tr_plan_epoch(m->plan) != epoch);
        tr_plan_take_back(m->plan, fresh);
        assert_true(layout_hash(m->plan) == before && tr_plan_version(m->plan) == version &&
                    tr_plan_epoch(m->plan) == epoch && tr_plan_churn(m->plan) == churn);
        assert_int_equal(tr_plan_is_begun(m->plan), begun);
        /* it is made again, and is the same */
        assert_int_equal(begun ? tr_plan_finish(m->plan, NULL) : tr_plan_optimize(m->plan, NULL), TR_OK);
        assert_true(layout_hash(m->plan) == taken && !tr_plan_is_begun(m->plan));
        model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_sleeps_has_no_colors_and_gets_them_back),
        cmocka_unit_test(edges_to_sleepers_get_their_colors_back),
        cmocka_unit_test(a_fresh_plan_can_be_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
