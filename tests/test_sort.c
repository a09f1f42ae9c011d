/* Sorts of numbers in place: the order is that of the C library's, for any number of keys, equal ones among them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sort.h"
#include "random.h"

enum { MOST = 70 };

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* what the keys are made of: any numbers, few of them, in order, the other way round */
static uint64_t key_of(uint64_t *seed, uint32_t way, uint32_t i)
{
    random_step(seed);
    return way == 0 ? *seed : way == 1 ? (*seed >> 33) % 5 : way == 2 ? i : UINT64_MAX - i;
}

static void keys_are_sorted(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (uint32_t way = 0; way < 4; way++) {
        for (uint32_t count = 0; count <= MOST; count++) {
            uint64_t keys[MOST + 1], want[MOST + 1];
            uint32_t narrow[MOST + 1];
            for (uint32_t i = 0; i <= MOST; i++) {
                keys[i] = key_of(&seed, way, i);
                narrow[i] = (uint32_t)keys[i];
            }
            /* what is behind them stays */
            memcpy(want, keys, sizeof want);
            if (count > 0)
                qsort(want, count, sizeof *want, compare);
            tr_sort_u64(keys, count);
            assert_memory_equal(keys, want, sizeof want);
            for (uint32_t i = 0; i <= MOST; i++)
                want[i] = narrow[i];
            if (count > 0)
                qsort(want, count, sizeof *want, compare);
            tr_sort_u32(narrow, count);
            for (uint32_t i = 0; i <= MOST; i++)
                assert_true(narrow[i] == want[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_are_sorted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
