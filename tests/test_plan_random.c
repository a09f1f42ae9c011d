/* The plan through random edits, checked against a plain model, also where memory runs out. */
#include "instrumented.h"
#include "plan_model.h"

static void random_run(uint32_t copy_capacity, mixture range, uint32_t edits, uint32_t check_every)
{
    model *m = model_create(copy_capacity);
    tr_plan_set_unit_size(m->plan, range.unit_size);
    for (uint32_t i = 0; i < edits; i++) {
        assert_int_equal(random_edit(m, &range), TR_OK);
        if (i % check_every == 0)
            check(m);
    }
    check(m);
    model_destroy(m);
}

static void a_hundred_thousand_random_edits_keep_the_plan_valid(void **state)
{
    (void)state;
    random_run(32, (mixture){400, 2500, 3, true, false, 60}, TRIALS(100000), 997);
    random_run(32, (mixture){400, 2500, 3, true, true, 60}, TRIALS(100000), 997);
}

static void small_worlds_stay_valid_after_every_edit(void **state)
{
    (void)state;
    for (int hyper = 0; hyper < 2; hyper++) {
        random_run(2, (mixture){12, 60, 2, true, hyper > 0, 3}, TRIALS(3000), 1);
        random_run(4, (mixture){30, 300, 2, true, hyper > 0, 8}, TRIALS(3000), 1);
        random_run(4, (mixture){30, 30, 2, true, hyper > 0, 8}, TRIALS(3000), 1);
        random_run(4, (mixture){30, 60, 2, true, hyper > 0, 0}, TRIALS(3000), 1);
    }
}

static void every_copy_capacity_is_valid(void **state)
{
    (void)state;
    const uint32_t capacities[] = {2, 3, 8, 31, 33, 63, 64};
    for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++)
        random_run(capacities[i], (mixture){60, 3000, 4, i % 2 == 0, i % 3 == 0, 20}, TRIALS(12000), 499);
}

static uint32_t count_strand_edges(const model *m)
{
    const tr_plan_layout *layout;
    uint32_t count = 0;
    assert_int_equal(tr_plan_layout_get(m->plan, &layout), TR_OK);
    for (uint32_t s = 0; s < layout->span_count; s++)
        count += layout->spans[s].strand != TR_NONE ? layout->spans[s].edge_count : 0;
    return count;
}

static void strands_stay_valid_as_their_hubs_change(void **state)
{
    (void)state;
    for (uint32_t hyper = 0; hyper < 2; hyper++) {
        for (uint32_t hubs = 1; hubs <= 3; hubs += 2) {
            model *m = model_create(hubs == 1 ? 3 : 2);
            mixture range = {800, 4000, hubs, true, hyper > 0, 60};
            m->lasting = hubs;
            uint32_t checks = 0, with_strands = 0;
            tr_plan_set_unit_size(m->plan, range.unit_size);
            for (uint32_t i = 0; i < TRIALS(30000); i++) {
                assert_int_equal(random_edit(m, &range), TR_OK);
                if (i % 499 != 0)
                    continue;
                check(m);
                checks++;
                with_strands += count_strand_edges(m) > 100;
            }
            assert_true(with_strands > checks / 4);
            model_destroy(m);
        }
    }
}

/*
 * Memory that runs out
 */

/* Edits that use everything; a call that fails must have changed nothing, and succeeds when made again. `used_up`:
   there is no memory until then, so none to undo what the call had changed either. */
static uint64_t run_out(uint64_t failing, bool used_up, bool *failed)
{
    model *m = model_create(3);
    mixture range = {40, 200, 2, true, true, 10};
    tr_plan_set_unit_size(m->plan, range.unit_size);
    *failed = false;
    m->heap.failing = failing == 0 ? 0 : m->heap.calls + failing;
    m->heap.used_up = used_up;
    for (uint32_t i = 0; i < 700; i++) {
        uint64_t random = m->random, before = failing == 0 || *failed ? 0 : fingerprint(m);
        tr_status status = random_edit(m, &range);
        if (status != TR_OK) {
            assert_int_equal(status, TR_ERROR_MEMORY);
            assert_false(*failed);
            m->heap.failing = 0;
            assert_true(fingerprint(m) == before);
            check(m);
            *failed = true;
            m->random = random;
            assert_int_equal(random_edit(m, &range), TR_OK);
        }
        const tr_plan_layout *layout;
        tr_plan_islands islands;
        if (i % 5 == 0 && tr_plan_layout_get(m->plan, &layout) != TR_OK)
            *failed = true;
        if (i % 5 == 0 && tr_plan_islands_get(m->plan, &islands) != TR_OK)
            *failed = true;
        if (*failed)
            m->heap.failing = 0;
    }
    m->heap.failing = 0;
    uint64_t print = mix(fingerprint(m), layout_fingerprint(check(m)));
    model_destroy(m);
    return print;
}

static void fail_anywhere(bool used_up)
{
    bool failed;
    uint64_t undisturbed = run_out(0, used_up, &failed);
    uint64_t failing = 1;
    for (;; failing++) {
        uint64_t print = run_out(failing, used_up, &failed);
        assert_true(print == undisturbed);
        if (!failed)
            break;
    }
    assert_true(failing > 100);
}

static void a_failed_allocation_anywhere_changes_nothing(void **state)
{
    (void)state;
    fail_anywhere(false);
}

static void memory_that_is_used_up_anywhere_changes_nothing(void **state)
{
    (void)state;
    fail_anywhere(true);
}

/* Edges of a long list go and come while it is first linked back, and memory runs out at each place on the way: the
   list is as it was, and holds. */
static void lists_that_become_long_are_put_back_as_they_were(void **state)
{
    (void)state;
    enum { LEAVES = 70, BEFORE = TR_LIST_WALKED };
    bool failed = true;
    for (uint64_t failing = 1; failed; failing++) {
        model *m = model_create(32);
        assert_int_equal(add_vertex(m, LEAVES, false), TR_OK);
        for (uint32_t i = 0; i < LEAVES; i++)
            assert_int_equal(add_vertex(m, i, true), TR_OK);
        for (uint32_t i = 0; i < BEFORE; i++)
            assert_int_equal(add_edge(m, i, i, LEAVES, 0), TR_OK);
        assert_null(m->plan->graph.back);
        /* the oldest, which is the last of the list, one in the middle, and the newest */
        const uint32_t removed[] = {0, BEFORE / 2, BEFORE - 1};
        tr_plan_edge added[LEAVES - BEFORE];
        for (uint32_t i = 0; i < LEAVES - BEFORE; i++)
            added[i] = (tr_plan_edge){BEFORE + i, BEFORE + i, LEAVES, i % KINDS};
        uint64_t before = fingerprint(m);
        m->heap.failing = m->heap.calls + failing;
        failed = tr_plan_exchange(m->plan, removed, 3, added, LEAVES - BEFORE) != TR_OK;
        m->heap.failing = 0;
        if (failed) {
            assert_true(fingerprint(m) == before);
            (void)check(m);
            assert_int_equal(tr_plan_exchange(m->plan, removed, 3, added, LEAVES - BEFORE), TR_OK);
        }
        assert_non_null(m->plan->graph.back);
        assert_int_equal(tr_plan_degree(m->plan, LEAVES), LEAVES - 3);
        uint32_t half = tr_plan_first(m->plan, LEAVES);
        for (uint32_t i = LEAVES; i-- > 0;) {
            if (i == 0 || i == BEFORE / 2 || i == BEFORE - 1)
                continue;
            assert_int_equal(tr_half_edge(half), i);
            half = tr_plan_next(m->plan, half);
        }
        assert_int_equal(half, TR_NONE);
        assert_true(failed || failing > 3);
        model_destroy(m);
    }
}

/* Removing the edge between two hubs closes both, one with room for three copies and one with room for two. When memory
   is used up after that, each gets its own room back, and there still is some for the copies of edges. */
static void hubs_that_closed_open_again_without_memory(void **state)
{
    (void)state;
    enum { BIG = 0, SMALL = 1, LEAVES = 2, EDGES = 8, FAR = 100 };
    /* of two edges for each copy; the third of both hubs is between them */
    const uint32_t ends[EDGES][2] = {{BIG, 2},     {BIG, 3}, {SMALL, 4}, {SMALL, 5},
                                     {BIG, SMALL}, {BIG, 6}, {BIG, 7},   {6, 7}};
    const uint32_t removed[] = {6, 5, 4};
    const tr_plan_edge added[] = {{FAR, 2, 3, 0}};
    bool failed = true;
    for (uint64_t failing = 1; failed; failing++) {
        model *m = model_create(2);
        for (uint32_t i = 0; i < LEAVES + EDGES; i++)
            assert_int_equal(add_vertex(m, i, true), TR_OK);
        for (uint32_t i = 0; i < EDGES; i++)
            assert_int_equal(add_edge(m, i, ends[i][0], ends[i][1], 0), TR_OK);
        uint64_t before = fingerprint(m);
        m->heap.failing = m->heap.calls + failing;
        m->heap.used_up = true;
        failed = tr_plan_exchange(m->plan, removed, 3, added, 1) != TR_OK;
        m->heap.failing = 0;
        if (failed) {
            assert_true(fingerprint(m) == before);
            (void)check(m);
        }
        assert_true(failed || failing > 3);
        model_destroy(m);
    }
}

static void creation_without_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    counted heap = {0};
    tr_memory memory;
    tr_memory_init(&memory, (tr_allocator){heap_allocate, heap_release, &heap});
    tr_plan *plan = NULL;
    for (heap.failing = 1; tr_plan_create(&memory, KINDS, 32, &plan) != TR_OK; heap.failing++) {
        assert_null(plan);
        assert_int_equal(heap.live, 0);
        heap.calls = 0;
    }
    assert_true(heap.failing > 1);
    tr_plan_destroy(plan);
    tr_plan_destroy(NULL);
    assert_int_equal(heap.live, 0);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_thousand_random_edits_keep_the_plan_valid),
        cmocka_unit_test(small_worlds_stay_valid_after_every_edit),
        cmocka_unit_test(every_copy_capacity_is_valid),
        cmocka_unit_test(strands_stay_valid_as_their_hubs_change),
        cmocka_unit_test(a_failed_allocation_anywhere_changes_nothing),
        cmocka_unit_test(memory_that_is_used_up_anywhere_changes_nothing),
        cmocka_unit_test(lists_that_become_long_are_put_back_as_they_were),
        cmocka_unit_test(hubs_that_closed_open_again_without_memory),
        cmocka_unit_test(creation_without_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
