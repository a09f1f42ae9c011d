/* The tests of recordings that both dimensions have. The file that includes this defines edit(), walks_are_made_again(),
   every_call_is_made_again() and records_have_every_member() before. */
#ifndef TR_TESTS_RECORDED_TESTS_H
#define TR_TESTS_RECORDED_TESTS_H

#include "recorded_damage.h"

#if TR_DIMENSION == 2
#define LOG_PILE     "pyramid"
#define LOG_CHAINS   "chains"
#define LOG_RAGDOLLS "ragdolls"
#define LOG_FILE     "recording_plane.tmp"
#else
#define LOG_PILE     "chains3d" /* nothing collides */
#define LOG_CHAINS   "chains3d"
#define LOG_RAGDOLLS "ragdolls3d"
#define LOG_FILE     "recording_space.tmp"
#endif

static void the_table_has_every_call(void **state)
{
    (void)state;
    log_table_is_whole();
}

static void damaged_logs_are_noticed(void **state)
{
    (void)state;
    memory_log log = {0};
    log_small(&log, LOG_PILE, NULL, 3);
    log_damage_is_noticed(&log, 3);
    log_free(&log);
}

static void made_up_logs_do_not_crash(void **state)
{
    (void)state;
    memory_log log = {0};
    log_small(&log, LOG_PILE, edit, 6);
    log_fuzz(&log, TRIALS(1500), 3);
    log_free(&log);
}

static void places_that_differ_are_named(void **state)
{
    (void)state;
    log_places_are_named(40, 20, 32, 17);
    log_places_are_named(40, 35, 40, 33);
    log_places_are_named(16, 15, 16, 1);
}

static void the_first_difference_is_named(void **state)
{
    (void)state;
    memory_log log = {0};
    log_small(&log, LOG_CHAINS, NULL, 30);
    log_difference_is_named(&log, 1, 30);
    log_difference_is_named(&log, 17, 30);
    log_free(&log);
}

static void a_sink_that_is_full_ends_only_the_recording(void **state)
{
    (void)state;
    memory_log log = {0};
    log_small(&log, LOG_CHAINS, NULL, 10);
    log_full_sinks(LOG_CHAINS, log.size, 10);
    log_free(&log);
}

static void without_memory_a_replay_can_be_tried_again(void **state)
{
    (void)state;
    memory_log log = {0};
    log_small(&log, LOG_PILE, edit, 6);
    log_memory(&log);
    log_free(&log);
}

static void a_crash_leaves_what_led_to_it(void **state)
{
    (void)state;
    log_crashes(LOG_CHAINS);
}

static void misuse_is_said(void **state)
{
    (void)state;
    log_misuse(LOG_CHAINS, LOG_FILE);
}

static void what_is_taken_back_is_not_recorded(void **state)
{
    (void)state;
    log_scene_fails(LOG_CHAINS);
    log_scene_fails(LOG_RAGDOLLS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_every_call),
        cmocka_unit_test(records_have_every_member),
        cmocka_unit_test(walks_are_made_again),
        cmocka_unit_test(every_call_is_made_again),
#if TR_DIMENSION == 2
        cmocka_unit_test(what_sleeps_is_made_again),
#endif
        cmocka_unit_test(the_first_difference_is_named),
        cmocka_unit_test(places_that_differ_are_named),
        cmocka_unit_test(a_crash_leaves_what_led_to_it),
        cmocka_unit_test(what_is_taken_back_is_not_recorded),
        cmocka_unit_test(a_sink_that_is_full_ends_only_the_recording),
        cmocka_unit_test(misuse_is_said),
        cmocka_unit_test(without_memory_a_replay_can_be_tried_again),
        cmocka_unit_test(damaged_logs_are_noticed),
        cmocka_unit_test(made_up_logs_do_not_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
