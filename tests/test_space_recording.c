/* What is recorded in space is made again, call by call, with the same bits. */
#include "recorded.h"

static void walks_are_made_again(void **state)
{
    (void)state;
    log_walk(walk_world("sheet3d", 10), 20, TRIALS(100), 3, NULL);
    log_walk(walk_world("ragdolls3d", 10), 20, TRIALS(100), 2, NULL);
    log_walk(walk_world("hub3d", 100), 20, TRIALS(100), 2, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_are_made_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
