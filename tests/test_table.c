/* Tables of columns, and the memory under them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "allocator.h"
#include "base/table.h"

static const uint32_t sizes[] = {4, 8, 1, 2};
#define COLUMNS 4u

static void fill(tr_table *table, uint32_t row, uint32_t value)
{
    ((uint32_t *)table->columns[0])[row] = value;
    ((uint64_t *)table->columns[1])[row] = (uint64_t)value << 32 | value;
    ((uint8_t *)table->columns[2])[row] = (uint8_t)value;
    ((uint16_t *)table->columns[3])[row] = (uint16_t)(value * 3);
}

static void assert_row(const tr_table *table, uint32_t row, uint32_t value)
{
    assert_int_equal(((uint32_t *)table->columns[0])[row], value);
    assert_true(((uint64_t *)table->columns[1])[row] == ((uint64_t)value << 32 | value));
    assert_int_equal(((uint8_t *)table->columns[2])[row], (uint8_t)value);
    assert_int_equal(((uint16_t *)table->columns[3])[row], (uint16_t)(value * 3));
}

static void make(tr_table *table, tr_memory *memory, test_allocator *allocator, uint32_t count)
{
    memset(allocator, 0, sizeof *allocator);
    tr_memory_init(memory, test_hooks(allocator));
    assert_true(tr_table_init(table, memory, sizes, COLUMNS));
    assert_true(tr_table_reserve(table, count));
    for (uint32_t i = 0; i < count; i++)
        fill(table, tr_table_append(table), 1000 + i);
}

static void done(tr_table *table, const tr_memory *memory, const test_allocator *allocator)
{
    tr_table_free(table);
    assert_int_equal(allocator->held, 0);
    assert_int_equal(memory->bytes, 0);
    assert_int_equal(allocator->mismatches, 0);
}

static void permute(tr_table *table, const uint32_t *order)
{
    uint64_t scratch[100];
    assert_true(tr_table_scratch(table, table->count) <= sizeof scratch);
    tr_table_permute(table, order, table->count, scratch);
}

static void appended_rows_are_zero(void **state)
{
    (void)state;
    test_allocator allocator;
    tr_memory memory;
    tr_table table;
    make(&table, &memory, &allocator, 20);
    tr_table_remove(&table, 19);
    /* the removed row's bytes are still there, and must not show */
    uint32_t row = tr_table_append(&table);
    assert_int_equal(row, 19);
    assert_row(&table, row, 0);
    done(&table, &memory, &allocator);
}

static void columns_are_aligned_to_cache_lines(void **state)
{
    (void)state;
    test_allocator allocator;
    tr_memory memory;
    tr_table table;
    make(&table, &memory, &allocator, 33);
    for (uint32_t i = 0; i < COLUMNS; i++)
        assert_int_equal((uintptr_t)table.columns[i] % TR_ALIGNMENT, 0);
    done(&table, &memory, &allocator);
}

static void growth_keeps_every_row(void **state)
{
    (void)state;
    test_allocator allocator;
    tr_memory memory;
    tr_table table;
    make(&table, &memory, &allocator, 5);
    for (uint32_t i = 5; i < 500; i++) {
        assert_true(tr_table_reserve(&table, i + 1));
        fill(&table, tr_table_append(&table), 1000 + i);
    }
    assert_int_equal(table.count, 500);
    for (uint32_t i = 0; i < 500; i++)
        assert_row(&table, i, 1000 + i);
    /* by half each time: far fewer growths than rows */
    assert_true(allocator.calls < 20 * (COLUMNS + 1));
    done(&table, &memory, &allocator);
}

static void a_removed_row_is_replaced_by_the_last(void **state)
{
    (void)state;
    test_allocator allocator;
    tr_memory memory;
    tr_table table;
    make(&table, &memory, &allocator, 4);
    tr_table_remove(&table, 1);
    assert_int_equal(table.count, 3);
    assert_row(&table, 0, 1000);
    assert_row(&table, 1, 1003);
    assert_row(&table, 2, 1002);
    tr_table_remove(&table, 2);
    assert_int_equal(table.count, 2);
    assert_row(&table, 1, 1003);
    done(&table, &memory, &allocator);
}

static void permutation_puts_rows_in_the_order_given(void **state)
{
    (void)state;
    test_allocator allocator;
    tr_memory memory;
    tr_table table;
    make(&table, &memory, &allocator, 5);
    const uint32_t order[] = {3, 0, 4, 1, 2};
    permute(&table, order);
    for (uint32_t i = 0; i < 5; i++)
        assert_row(&table, i, 1000 + order[i]);
    done(&table, &memory, &allocator);
}

static void exchanged_rows_take_each_other_s_place(void **state)
{
    (void)state;
    test_allocator allocator;
    tr_memory memory;
    tr_table table;
    make(&table, &memory, &allocator, 4);
    tr_table_swap(&table, 1, 3);
    tr_table_swap(&table, 2, 2);
    assert_row(&table, 0, 1000);
    assert_row(&table, 1, 1003);
    assert_row(&table, 2, 1002);
    assert_row(&table, 3, 1001);
    done(&table, &memory, &allocator);
}

static void an_empty_table_needs_no_columns(void **state)
{
    (void)state;
    test_allocator allocator;
    tr_memory memory;
    tr_table table;
    make(&table, &memory, &allocator, 0);
    uint64_t calls = allocator.calls;
    assert_int_equal(tr_table_scratch(&table, 0), 0);
    tr_table_permute(&table, NULL, 0, NULL);
    assert_true(tr_table_reserve(&table, 0));
    assert_int_equal(allocator.calls, calls);
    done(&table, &memory, &allocator);
}

static void a_failed_allocation_changes_nothing(void **state)
{
    (void)state;
    test_allocator allocator;
    tr_memory memory;
    tr_table table;
    make(&table, &memory, &allocator, 7);
    size_t bytes = memory.bytes;
    uint32_t capacity = table.capacity;

    /* every allocation of a growth, one list of columns and each column */
    for (uint64_t n = 1; n <= COLUMNS + 1; n++) {
        test_fail_in(&allocator, n);
        assert_false(tr_table_reserve(&table, capacity + 1));
        assert_int_equal(allocator.failures, 1);
        assert_int_equal(memory.bytes, bytes);
        assert_int_equal(table.count, 7);
        assert_int_equal(table.capacity, capacity);
        for (uint32_t i = 0; i < 7; i++)
            assert_row(&table, i, 1000 + i);
    }
    test_fail_in(&allocator, 0);
    done(&table, &memory, &allocator);
}

static void a_table_that_cannot_be_made_holds_nothing(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 3; n++) {
        test_allocator allocator = {0};
        tr_memory memory;
        tr_table table;
        tr_memory_init(&memory, test_hooks(&allocator));
        test_fail_in(&allocator, n);
        assert_false(tr_table_init(&table, &memory, sizes, COLUMNS));
        assert_int_equal(allocator.held, 0);
        tr_table_free(&table); /* harmless */
    }
}

static void a_column_left_out_takes_no_memory_until_it_is_held(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    tr_memory memory;
    tr_table table;
    tr_memory_init(&memory, test_hooks(&allocator));
    assert_true(tr_table_init(&table, &memory, sizes, COLUMNS));
    size_t empty = memory.bytes;
    tr_table_leave_out(&table, 1);
    tr_table_leave_out(&table, 2);
    assert_true(tr_table_reserve(&table, 5));
    assert_int_equal(memory.bytes, empty + 5 * (sizes[0] + sizes[3]));
    for (uint32_t i = 0; i < 3; i++)
        ((uint32_t *)table.columns[0])[tr_table_append(&table)] = i;
    const uint32_t order[] = {2, 0, 1};
    permute(&table, order);
    assert_null(table.columns[1]);

    /* rows that are there begin with the preset, later ones with zero */
    const uint64_t preset = UINT64_C(0x123456789ABCDEF0);
    const tr_held_column held = {1, &preset}, plain = {1, NULL};
    test_fail_in(&allocator, 1);
    assert_false(tr_table_hold(&table, &held, 1));
    assert_null(table.columns[1]);
    test_fail_in(&allocator, 0);
    assert_true(tr_table_hold(&table, &held, 1) && tr_table_hold(&table, &plain, 1));
    assert_int_equal(tr_table_append(&table), 3);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(((uint64_t *)table.columns[1])[i] == (i < 3 ? preset : 0));

    /* from then on it is a column as any other */
    ((uint64_t *)table.columns[1])[3] = 77;
    tr_table_remove(&table, 0);
    assert_true(((uint64_t *)table.columns[1])[0] == 77);
    assert_true(tr_table_reserve(&table, 100));
    assert_true(((uint64_t *)table.columns[1])[0] == 77 && ((uint64_t *)table.columns[1])[1] == preset);
    assert_null(table.columns[2]);
    done(&table, &memory, &allocator);
}

static void columns_are_held_all_or_none(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    tr_memory memory;
    tr_table table;
    const uint64_t preset = 5;
    tr_memory_init(&memory, test_hooks(&allocator));
    assert_true(tr_table_init(&table, &memory, sizes, COLUMNS));
    for (uint32_t i = 0; i < 3; i++)
        tr_table_leave_out(&table, i);
    assert_true(tr_table_reserve(&table, 5));
    (void)tr_table_append(&table);
    /* one that is there, one twice */
    const tr_held_column first = {0, NULL}, all[] = {{1, &preset}, {0, NULL}, {2, NULL}, {1, NULL}};
    assert_true(tr_table_hold(&table, &first, 1));
    size_t bytes = memory.bytes;
    for (uint64_t n = 1; n <= 2; n++) {
        test_fail_in(&allocator, n);
        assert_false(tr_table_hold(&table, all, 4));
        assert_int_equal(memory.bytes, bytes);
        assert_non_null(table.columns[0]);
        assert_null(table.columns[1]);
        assert_null(table.columns[2]);
        assert_true(table.left_out[1] && table.left_out[2]);
    }
    test_fail_in(&allocator, 3);
    assert_true(tr_table_hold(&table, all, 4));
    test_fail_in(&allocator, 0);
    assert_true(*(uint64_t *)table.columns[1] == preset);
    assert_int_equal(*(uint8_t *)table.columns[2], 0);
    done(&table, &memory, &allocator);
}

static void a_column_may_be_held_before_there_is_room(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    tr_memory memory;
    tr_table table;
    tr_memory_init(&memory, test_hooks(&allocator));
    assert_true(tr_table_init(&table, &memory, sizes, COLUMNS));
    tr_table_leave_out(&table, 0);
    const tr_held_column first = {0, NULL};
    assert_true(tr_table_hold(&table, &first, 1));
    assert_true(tr_table_reserve(&table, 1));
    fill(&table, tr_table_append(&table), 9);
    assert_row(&table, 0, 9);
    done(&table, &memory, &allocator);
}

/*
 * Memory
 */
static void memory_comes_zeroed_aligned_and_counted(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    tr_memory memory;
    tr_memory_init(&memory, test_hooks(&allocator));
    unsigned char *block = tr_allocate(&memory, 100);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % TR_ALIGNMENT, 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(block[i], 0);
    assert_int_equal(memory.bytes, 100);
    tr_release(&memory, block, 100);
    tr_release(&memory, NULL, 0);
    assert_int_equal(memory.bytes, 0);
    assert_int_equal(allocator.held, 0);
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    tr_memory memory;
    tr_allocator none = {0};
    tr_memory_init(&memory, none);
    assert_null(tr_allocate(&memory, 0));
    assert_null(tr_allocate(&memory, SIZE_MAX));
    assert_null(tr_allocate(&memory, SIZE_MAX - 10)); /* no room to round up */
    assert_null(tr_allocate_array(&memory, SIZE_MAX / 8 + 1, 8));
    assert_null(tr_allocate_array(&memory, 0, 8));
    assert_int_equal(memory.bytes, 0);
}

static void the_c_library_serves_where_hooks_are_null(void **state)
{
    (void)state;
    tr_memory memory;
    tr_allocator none = {0};
    tr_memory_init(&memory, none);
    void *block = tr_allocate_array(&memory, 3, 7);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % TR_ALIGNMENT, 0);
    assert_int_equal(memory.bytes, 21);
    tr_release(&memory, block, 21);
}

static void a_grown_array_keeps_its_elements_and_adds_zeros(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    tr_memory memory;
    tr_memory_init(&memory, test_hooks(&allocator));
    uint32_t *block = NULL;
    uint32_t capacity = 0;
    assert_true(tr_grow(&memory, (void **)&block, &capacity, 3, sizeof *block));
    assert_true(capacity >= 3);
    for (uint32_t i = 0; i < capacity; i++)
        block[i] = i + 7;
    uint32_t before = capacity;
    assert_true(tr_grow(&memory, (void **)&block, &capacity, before + 1, sizeof *block));
    for (uint32_t i = 0; i < capacity; i++)
        assert_int_equal(block[i], i < before ? i + 7 : 0);

    /* no memory: as before */
    uint32_t *same = block;
    before = capacity;
    test_fail_in(&allocator, 1);
    assert_false(tr_grow(&memory, (void **)&block, &capacity, capacity + 1, sizeof *block));
    assert_ptr_equal(block, same);
    assert_int_equal(capacity, before);
    test_fail_in(&allocator, 0);
    tr_release(&memory, block, capacity * sizeof *block);
    assert_int_equal(allocator.held, 0);
    assert_int_equal(allocator.mismatches, 0);
}

/* chunks of a pass over all rows but some come to each of the others once, and to no more chunks than these need */
static void chunks_pass_by_rows_that_rest(void **state)
{
    (void)state;
    enum { MOST = 24 };
    for (uint32_t count = 1; count <= MOST; count++) {
        for (uint32_t first = 0; first <= count; first++) {
            for (uint32_t end = first; end <= count; end++) {
                for (uint32_t each = 1; each <= 8; each++) {
                    uint32_t visited = 0, left = count - (end - first), chunks = left / each + (left % each != 0);
                    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
                        tr_row_range rows = tr_rows_of_chunk(count, first, end, chunk, each);
                        uint32_t own = 0;
                        for (uint32_t row = rows.first; row < rows.end; row++) {
                            if (row >= first && row < end)
                                continue;
                            assert_int_equal(row, visited < first ? visited : visited + (end - first));
                            visited++;
                            own++;
                        }
                        assert_int_equal(own, chunk + 1 < chunks ? each : left - chunk * each);
                    }
                    assert_int_equal(visited, left);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appended_rows_are_zero),
        cmocka_unit_test(columns_are_aligned_to_cache_lines),
        cmocka_unit_test(growth_keeps_every_row),
        cmocka_unit_test(a_removed_row_is_replaced_by_the_last),
        cmocka_unit_test(permutation_puts_rows_in_the_order_given),
        cmocka_unit_test(exchanged_rows_take_each_other_s_place),
        cmocka_unit_test(an_empty_table_needs_no_columns),
        cmocka_unit_test(a_failed_allocation_changes_nothing),
        cmocka_unit_test(a_table_that_cannot_be_made_holds_nothing),
        cmocka_unit_test(a_column_left_out_takes_no_memory_until_it_is_held),
        cmocka_unit_test(columns_are_held_all_or_none),
        cmocka_unit_test(a_column_may_be_held_before_there_is_room),
        cmocka_unit_test(memory_comes_zeroed_aligned_and_counted),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(the_c_library_serves_where_hooks_are_null),
        cmocka_unit_test(a_grown_array_keeps_its_elements_and_adds_zeros),
        cmocka_unit_test(chunks_pass_by_rows_that_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
