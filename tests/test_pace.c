/* When the team rests: a simulated machine, no threads and no clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parallel/pace.h"

/* runs `count` steps on a machine where a step takes `alone` or `together` seconds; returns how many the team ran */
static uint32_t run(tr_pace *pace, uint32_t count, double alone, double together)
{
    uint32_t team = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t workers = tr_pace_workers(pace, 4);
        assert_true(workers == 1 || workers == 4);
        team += workers == 4;
        tr_pace_took(pace, workers, 1000.0, workers == 4 ? together : alone);
    }
    return team;
}

static void the_first_run_is_alone_and_a_team_that_pays_runs_all_others(void **state)
{
    (void)state;
    tr_pace pace = {0};
    assert_int_equal(tr_pace_workers(&pace, 4), 1);
    assert_int_equal(run(&pace, 1000, 1.0, 0.3), 999);
}

static void a_team_that_is_slower_rests_and_tries_less_and_less_often(void **state)
{
    (void)state;
    tr_pace pace = {0};
    uint32_t early = run(&pace, 1000, 1.0, 1.4), late = run(&pace, 10000, 1.0, 1.4);
    assert_in_range(early, 3, 30);
    /* never given up, never more than a few in a thousand */
    assert_in_range(late, 3, 60);
}

static void a_single_late_run_is_forgiven(void **state)
{
    (void)state;
    tr_pace pace = {0};
    (void)run(&pace, 10, 1.0, 0.3);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(tr_pace_workers(&pace, 4), 4);
        tr_pace_took(&pace, 4, 1000.0, i % 3 == 0 ? 5.0 : 0.3);
    }
}

static void the_team_comes_back_when_the_cores_are_free_again(void **state)
{
    (void)state;
    tr_pace pace = {0};
    (void)run(&pace, 20000, 1.0, 1.4);
    /* within the longest rest, and from then on for good */
    (void)run(&pace, 1100, 1.0, 0.5);
    assert_int_equal(run(&pace, 1000, 1.0, 0.5), 1000);
}

static void the_cost_is_per_unit_of_work(void **state)
{
    (void)state;
    /* a world that grows tenfold takes ten times as long, and that is no reason to rest */
    tr_pace pace = {0};
    (void)run(&pace, 10, 1.0, 0.6);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(tr_pace_workers(&pace, 4), 4);
        tr_pace_took(&pace, 4, 10000.0, 6.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_run_is_alone_and_a_team_that_pays_runs_all_others),
        cmocka_unit_test(a_team_that_is_slower_rests_and_tries_less_and_less_often),
        cmocka_unit_test(a_single_late_run_is_forgiven),
        cmocka_unit_test(the_team_comes_back_when_the_cores_are_free_again),
        cmocka_unit_test(the_cost_is_per_unit_of_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
