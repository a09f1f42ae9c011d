/* Slots behind ids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "allocator.h"
#include "base/pool.h"
#include "world/core/take_back.h"

typedef struct fixture {
    test_allocator allocator;
    tr_memory memory;
    tr_pool pool;
} fixture;

static int setup(void **state)
{
    fixture *it = calloc(1, sizeof *it);
    if (it == NULL)
        return -1;
    tr_memory_init(&it->memory, test_hooks(&it->allocator));
    tr_pool_init(&it->pool, &it->memory);
    *state = it;
    return 0;
}

static int teardown(void **state)
{
    fixture *it = *state;
    tr_pool_free(&it->pool);
    bool clean = it->allocator.held == 0 && it->allocator.mismatches == 0;
    free(it);
    return clean ? 0 : -1;
}

/* new and used slots, taken and given back, in the reverse order */
static void slots_that_are_taken_back_leave_no_trace(void **state)
{
    tr_pool *pool = &((fixture *)*state)->pool;
    uint32_t slots[9], rows[5];
    uint16_t generations[5];
    assert_true(tr_pool_reserve(pool, 9));
    for (uint32_t i = 0; i < 5; i++)
        (void)tr_pool_take(pool, i);
    tr_pool_give(pool, 3);
    tr_pool_give(pool, 1);
    tr_pool before = *pool;
    memcpy(rows, pool->row, sizeof rows);
    memcpy(generations, pool->generation, sizeof generations);
    for (uint32_t round = 0; round < 2; round++) {
        static const uint32_t wanted[] = {1, 3, 5, 6, 7, 8};
        for (uint32_t i = 0; i < 6; i++) {
            slots[i] = tr_pool_take(pool, 10 + i);
            assert_int_equal(slots[i], wanted[i]);
        }
        for (uint32_t i = 6; i-- > 0;)
            tr_take_slot_back(pool, slots[i], before.count);
        assert_int_equal(pool->count, before.count);
        assert_int_equal(pool->free_count, before.free_count);
        assert_int_equal(pool->first_free, before.first_free);
        assert_memory_equal(pool->row, rows, sizeof rows);
        assert_memory_equal(pool->generation, generations, sizeof generations);
    }
}

static void slots_are_numbered_from_zero_and_carry_rows(void **state)
{
    tr_pool *pool = &((fixture *)*state)->pool;
    assert_true(tr_pool_reserve(pool, 100));
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(tr_pool_take(pool, 500 + i), i);
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(pool->row[i], 500 + i);
        assert_int_equal(pool->generation[i], 0);
    }
}

static void what_is_coming_is_what_take_will_return(void **state)
{
    tr_pool *pool = &((fixture *)*state)->pool;
    assert_true(tr_pool_reserve(pool, 10));
    for (uint32_t i = 0; i < 10; i++)
        tr_pool_take(pool, i);
    tr_pool_give(pool, 7);
    tr_pool_give(pool, 2);
    tr_pool_give(pool, 5);

    /* three used slots, then new ones */
    assert_true(tr_pool_reserve(pool, 6));
    uint32_t expected[6];
    expected[0] = tr_pool_coming(pool);
    for (uint32_t i = 1; i < 6; i++)
        expected[i] = tr_pool_coming_after(pool, expected[i - 1]);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(tr_pool_take(pool, i), expected[i]);
    assert_int_equal(expected[3], 10);
    assert_int_equal(expected[5], 12);
}

static void a_slot_that_was_given_back_has_another_generation(void **state)
{
    tr_pool *pool = &((fixture *)*state)->pool;
    assert_true(tr_pool_reserve(pool, 1));
    uint32_t slot = tr_pool_take(pool, 0);
    tr_pool_give(pool, slot);
    assert_true(tr_pool_is_free(pool, slot));
    assert_int_equal(tr_pool_take(pool, 3), slot);
    assert_int_equal(pool->generation[slot], 1);
    assert_int_equal(pool->row[slot], 3);
}

static void a_slot_is_retired_before_its_generations_repeat(void **state)
{
    tr_pool *pool = &((fixture *)*state)->pool;
    assert_true(tr_pool_reserve(pool, 2));
    for (uint32_t i = 0; i <= UINT16_MAX; i++) {
        assert_int_equal(tr_pool_take(pool, 0), 0);
        assert_int_equal(pool->generation[0], i);
        tr_pool_give(pool, 0);
    }
    assert_int_equal(pool->free_count, 0);
    assert_true(tr_pool_reserve(pool, 1));
    assert_int_equal(tr_pool_take(pool, 0), 1);
    assert_int_equal(pool->generation[1], 0);
    assert_true(tr_pool_is_free(pool, 0));
}

static void growth_keeps_slots_generations_and_free_ones(void **state)
{
    tr_pool *pool = &((fixture *)*state)->pool;
    assert_true(tr_pool_reserve(pool, 8));
    for (uint32_t i = 0; i < 8; i++)
        tr_pool_take(pool, i);
    tr_pool_give(pool, 3);
    tr_pool_give(pool, 6);
    assert_true(tr_pool_reserve(pool, 5000));
    assert_int_equal(pool->count, 8);
    assert_int_equal(pool->generation[3], 1);
    assert_int_equal(pool->generation[4], 0);
    assert_int_equal(tr_pool_take(pool, 60), 6);
    assert_int_equal(tr_pool_take(pool, 30), 3);
    assert_int_equal(tr_pool_take(pool, 80), 8);
    assert_int_equal(pool->row[7], 7);
}

static void a_failed_reservation_changes_nothing(void **state)
{
    fixture *it = *state;
    tr_pool *pool = &it->pool;
    assert_true(tr_pool_reserve(pool, 4));
    for (uint32_t i = 0; i < 4; i++)
        tr_pool_take(pool, 10 + i);
    tr_pool_give(pool, 1);
    size_t bytes = it->memory.bytes;
    tr_pool before = *pool;
    for (uint64_t n = 1; n <= 2; n++) {
        test_fail_in(&it->allocator, n);
        assert_false(tr_pool_reserve(pool, before.capacity + 1));
        assert_int_equal(it->allocator.failures, 1);
        assert_memory_equal(pool, &before, sizeof before);
        assert_int_equal(it->memory.bytes, bytes);
    }
    test_fail_in(&it->allocator, 3);
    assert_true(tr_pool_reserve(pool, before.capacity + 1));
    test_fail_in(&it->allocator, 0);
    assert_int_equal(tr_pool_take(pool, 0), 1);
    assert_int_equal(pool->row[3], 13);
}

static void more_slots_than_31_bits_are_refused(void **state)
{
    fixture *it = *state;
    assert_true(tr_pool_reserve(&it->pool, 1));
    tr_pool_take(&it->pool, 0);
    uint64_t calls = it->allocator.calls;
    assert_false(tr_pool_reserve(&it->pool, INT32_MAX));
    assert_false(tr_pool_reserve(&it->pool, UINT32_MAX));
    assert_int_equal(it->allocator.calls, calls);
}

/* contacts come and go a million times, and nobody is told their ids */
static void slots_given_back_unnamed_never_wear_out(void **state)
{
    tr_pool *pool = &((fixture *)*state)->pool;
    assert_true(tr_pool_reserve(pool, 1));
    for (uint32_t i = 0; i < 70000; i++) {
        assert_int_equal(tr_pool_take(pool, i), 0);
        assert_int_equal(pool->row[0], i);
        tr_pool_give_unnamed(pool, 0);
        assert_true(tr_pool_is_free(pool, 0));
    }
    assert_int_equal(pool->generation[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(slots_that_are_taken_back_leave_no_trace, setup, teardown),
        cmocka_unit_test_setup_teardown(slots_are_numbered_from_zero_and_carry_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_coming_is_what_take_will_return, setup, teardown),
        cmocka_unit_test_setup_teardown(a_slot_that_was_given_back_has_another_generation, setup, teardown),
        cmocka_unit_test_setup_teardown(a_slot_is_retired_before_its_generations_repeat, setup, teardown),
        cmocka_unit_test_setup_teardown(slots_given_back_unnamed_never_wear_out, setup, teardown),
        cmocka_unit_test_setup_teardown(growth_keeps_slots_generations_and_free_ones, setup, teardown),
        cmocka_unit_test_setup_teardown(a_failed_reservation_changes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(more_slots_than_31_bits_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
