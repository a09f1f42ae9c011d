/* The index of pairs against a plain list, and where it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "allocator.h"
#include "random.h"
#include "world/collision/pair_index.h"

#define SLOTS 40u
#define PAIRS (SLOTS * SLOTS)

typedef struct fixture {
    test_allocator allocator;
    tr_memory memory;
    tr2_pair_index index;
    tr2_pair pairs[PAIRS];
    uint32_t count;
} fixture;

static int setup(void **state)
{
    fixture *it = calloc(1, sizeof *it);
    if (it == NULL)
        return -1;
    tr_memory_init(&it->memory, test_hooks(&it->allocator));
    tr2_pair_index_init(&it->index, &it->memory);
    *state = it;
    return 0;
}

static int teardown(void **state)
{
    fixture *it = *state;
    tr2_pair_index_free(&it->index);
    bool clean = it->allocator.held == 0 && it->allocator.mismatches == 0;
    free(it);
    return clean ? 0 : -1;
}

static uint32_t listed(const fixture *it, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < it->count; i++) {
        if (it->pairs[i].a == a && it->pairs[i].b == b)
            return i;
    }
    return TR2_PAIR_UNKNOWN;
}

/* entered, taken out, and renumbered as the last one takes the place of one that is gone */
static void it_finds_what_a_list_finds(void **state)
{
    fixture *it = *state;
    uint64_t random = 3;
    for (uint32_t round = 0; round < 20000; round++) {
        random_step(&random);
        uint32_t a = (uint32_t)(random >> 33) % SLOTS, b = (uint32_t)(random >> 48) % SLOTS;
        uint32_t known = listed(it, a, b);
        assert_int_equal(tr2_pair_index_find(&it->index, it->pairs, a, b), known);
        if (known == TR2_PAIR_UNKNOWN) {
            assert_int_equal(tr2_pair_index_reserve(&it->index, it->pairs, it->count + 1), TR_OK);
            it->pairs[it->count] = (tr2_pair){.a = a, .b = b};
            tr2_pair_index_put(&it->index, it->pairs, it->count++);
        } else if (random >> 63 != 0) {
            tr2_pair_index_remove(&it->index, it->pairs, known);
            if (known != --it->count) {
                tr2_pair_index_renumber(&it->index, it->pairs, it->count, known);
                it->pairs[known] = it->pairs[it->count];
            }
        }
    }
    assert_in_range(it->count, PAIRS / 4, PAIRS);
}

/* all in another order */
static void renumbered_pairs_are_found_by_their_new_numbers(void **state)
{
    fixture *it = *state;
    enum { COUNT = 600, STRIDE = 7 }; /* no common divisor */
    uint32_t numbers[COUNT];
    assert_int_equal(tr2_pair_index_reserve(&it->index, it->pairs, COUNT), TR_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        it->pairs[i] = (tr2_pair){.a = i % SLOTS, .b = SLOTS + i / SLOTS};
        numbers[i] = i * STRIDE % COUNT;
        tr2_pair_index_put(&it->index, it->pairs, i);
    }
    tr2_pair sorted[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        sorted[numbers[i]] = it->pairs[i];
    tr2_pair_index_renumber_all(&it->index, 0, numbers);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(tr2_pair_index_find(&it->index, sorted, it->pairs[i].a, it->pairs[i].b), numbers[i]);
}

/* places are 32 bits wide, and half of them stay free */
static void more_than_it_can_number_is_a_limit(void **state)
{
    fixture *it = *state;
    assert_int_equal(tr2_pair_index_reserve(&it->index, it->pairs, 5), TR_OK);
    uint32_t capacity = it->index.capacity;
    assert_int_equal(tr2_pair_index_reserve(&it->index, it->pairs, (UINT32_C(1) << 30) + 1), TR_ERROR_LIMIT);
    assert_int_equal(tr2_pair_index_reserve(&it->index, it->pairs, UINT32_MAX), TR_ERROR_LIMIT);
    assert_int_equal(it->index.capacity, capacity);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_finds_what_a_list_finds, setup, teardown),
        cmocka_unit_test_setup_teardown(renumbered_pairs_are_found_by_their_new_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(more_than_it_can_number_is_a_limit, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
