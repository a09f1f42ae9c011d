/* What is recorded is made again, call by call, with the same bits. */
#include "hash/hash.h"
#include "recorded.h"

static void walks_are_made_again(void **state)
{
    (void)state;
    log_walk(walk_world("grid", 10), 20, TRIALS(100), 3, NULL);
    log_walk(walk_world("hub", 100), 20, TRIALS(100), 2, NULL);
    log_walk(walk_world("ragdolls", 10), 20, TRIALS(100), 2, NULL);
    log_walk(walk_world("debris", 60), 20, TRIALS(100), 2, NULL);
    log_walk(walk_world("crowd", 60), 20, TRIALS(100), 2, NULL);
    log_walk(walk_world("pyramid", 8), 20, TRIALS(100), 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_are_made_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
