/* The hash map from keys to numbers, against a plain list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "allocator.h"
#include "base/map.h"
#include "random.h"

#define KEYS 600

typedef struct fixture {
    test_allocator allocator;
    tr_memory memory;
    tr_map map;
    uint32_t value[KEYS]; /* TR_MAP_NONE: the key is not there */
    uint64_t random;
} fixture;

static int setup(void **state)
{
    fixture *it = calloc(1, sizeof *it);
    if (it == NULL)
        return -1;
    tr_memory_init(&it->memory, test_hooks(&it->allocator));
    tr_map_init(&it->map, &it->memory);
    for (uint32_t i = 0; i < KEYS; i++)
        it->value[i] = TR_MAP_NONE;
    *state = it;
    return 0;
}

static int teardown(void **state)
{
    fixture *it = *state;
    tr_map_free(&it->map);
    bool clean = it->allocator.held == 0 && it->allocator.mismatches == 0;
    free(it);
    return clean ? 0 : -1;
}

static uint32_t draw(fixture *it, uint32_t limit)
{
    random_step(&it->random);
    return (uint32_t)(it->random >> 33) % limit;
}

/* keys as hosts make them: small numbers, numbers that differ in high bits only, pairs; no two the same */
static tr_map_key key_of(uint32_t i)
{
    tr_map_key keys[3] = {{i, 0}, {(uint64_t)i << 40, 7}, {1, (uint64_t)i << 32 | (KEYS - i)}};
    return keys[i % 3];
}

static void check_all(const fixture *it)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < KEYS; i++) {
        assert_int_equal(tr_map_find(&it->map, key_of(i)), it->value[i]);
        count += it->value[i] != TR_MAP_NONE;
    }
    assert_int_equal(it->map.count, count);
}

static void what_is_put_is_found_until_it_is_removed(void **state)
{
    fixture *it = *state;
    assert_int_equal(tr_map_find(&it->map, key_of(1)), TR_MAP_NONE);
    for (uint32_t n = 0; n < 30000; n++) {
        /* the fill goes up and down */
        uint32_t i = draw(it, KEYS);
        bool fill = draw(it, 100) < (n / 3000 % 2 == 0 ? 70u : 30u);
        if (fill && it->value[i] == TR_MAP_NONE) {
            assert_true(tr_map_reserve(&it->map, it->map.count + 1));
            it->value[i] = n;
            tr_map_put(&it->map, key_of(i), n);
        } else if (!fill && it->value[i] != TR_MAP_NONE) {
            it->value[i] = TR_MAP_NONE;
            tr_map_remove(&it->map, key_of(i));
        }
        if (n % 100 == 0)
            check_all(it);
    }
    check_all(it);
}

/* the map filled as far as it goes without growing: gaps close around the end of the places, too */
static void a_full_map_loses_nothing(void **state)
{
    fixture *it = *state;
    assert_true(tr_map_reserve(&it->map, 16));
    uint32_t capacity = it->map.capacity;
    for (uint32_t round = 0; round < 2000; round++) {
        uint32_t first = draw(it, KEYS - 16);
        for (uint32_t i = first; i < first + capacity / 2; i++)
            tr_map_put(&it->map, key_of(i), it->value[i] = i + round);
        for (uint32_t i = first; i < first + capacity / 2; i++)
            assert_int_equal(tr_map_find(&it->map, key_of(i)), i + round);
        for (uint32_t n = 0; n < capacity / 2; n++) {
            uint32_t i = first + (n * 7 + round) % (capacity / 2);
            tr_map_remove(&it->map, key_of(i));
            it->value[i] = TR_MAP_NONE;
        }
        assert_int_equal(it->map.capacity, capacity);
        assert_int_equal(it->map.count, 0);
    }
    check_all(it);
}

static void a_failed_reservation_changes_nothing(void **state)
{
    fixture *it = *state;
    test_fail_in(&it->allocator, 1);
    assert_false(tr_map_reserve(&it->map, 1));
    assert_int_equal(it->map.capacity, 0);
    test_fail_in(&it->allocator, 0);
    assert_true(tr_map_reserve(&it->map, 16));
    for (uint32_t i = 0; i < 16; i++)
        tr_map_put(&it->map, key_of(i), it->value[i] = i);
    test_fail_in(&it->allocator, 1);
    assert_false(tr_map_reserve(&it->map, 17));
    check_all(it);
    test_fail_in(&it->allocator, 0);
    assert_true(tr_map_reserve(&it->map, 17));
    check_all(it);
    assert_false(tr_map_reserve(&it->map, UINT32_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_put_is_found_until_it_is_removed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_full_map_loses_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(a_failed_reservation_changes_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
