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
        uint32_t workers = tr_pace_workers(pace, 4, false);
        assert_true(workers == 1 || workers == 4);
        team += workers == 4;
        tr_pace_took(pace, workers, 1000.0, workers == 4 ? together : alone, 0.0);
    }
    return team;
}

static void the_first_run_is_alone_and_a_team_that_pays_runs_all_others(void **state)
{
    (void)state;
    tr_pace pace = {0};
    assert_int_equal(tr_pace_workers(&pace, 4, false), 1);
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
        assert_int_equal(tr_pace_workers(&pace, 4, false), 4);
        tr_pace_took(&pace, 4, 1000.0, i % 16 == 0 ? 5.0 : 0.3, 0.0);
    }
}

/* what counts is the time of all runs: fifteen at a half and one at twenty times are 1.7 on average */
static void a_team_that_is_late_once_in_a_while_rests_where_it_costs_more_than_it_saves(void **state)
{
    (void)state;
    tr_pace pace = {0};
    double seconds = 0.0;
    for (int i = 0, team = 0; i < 2000; i++) {
        uint32_t workers = tr_pace_workers(&pace, 4, false);
        double took = workers == 1 ? 1.0 : team++ % 16 == 15 ? 20.0 : 0.5;
        tr_pace_took(&pace, workers, 1000.0, took, 0.0);
        seconds += took;
    }
    /* what is lost until it rests, and a sixteenth from then on */
    assert_true(seconds < 2000.0 * (1.0 + 1.0 / 16.0) + 20.0);
}

static void an_eager_team_runs_until_it_is_held_up_and_then_only_where_it_pays(void **state)
{
    (void)state;
    tr_pace pace = {0};
    for (int i = 0; i < 100; i++) {
        assert_int_equal(tr_pace_workers(&pace, 4, true), 4);
        tr_pace_took(&pace, 4, 1000.0, 2.0, 0.2);
    }
    uint32_t team = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t workers = tr_pace_workers(&pace, 4, true);
        team += workers == 4;
        tr_pace_took(&pace, workers, 1000.0, workers == 4 ? 2.0 : 1.0, workers == 4 ? 1.5 : 0.0);
    }
    assert_in_range(team, 3, 30);
    /* held up, but faster than alone all the same: sixteen threads of which one is not running */
    pace = (tr_pace){0};
    team = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t workers = tr_pace_workers(&pace, 4, true);
        team += workers == 4;
        tr_pace_took(&pace, workers, 1000.0, workers == 4 ? 0.5 : 1.0, workers == 4 ? 0.4 : 0.0);
    }
    assert_int_equal(team, 997);
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
        assert_int_equal(tr_pace_workers(&pace, 4, false), 4);
        tr_pace_took(&pace, 4, 10000.0, 6.0, 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_run_is_alone_and_a_team_that_pays_runs_all_others),
        cmocka_unit_test(a_team_that_is_slower_rests_and_tries_less_and_less_often),
        cmocka_unit_test(a_single_late_run_is_forgiven),
        cmocka_unit_test(a_team_that_is_late_once_in_a_while_rests_where_it_costs_more_than_it_saves),
        cmocka_unit_test(an_eager_team_runs_until_it_is_held_up_and_then_only_where_it_pays),
        cmocka_unit_test(the_team_comes_back_when_the_cores_are_free_again),
        cmocka_unit_test(the_cost_is_per_unit_of_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
