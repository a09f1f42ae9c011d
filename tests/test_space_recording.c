/* What is recorded in space is made again, call by call, with the same bits. */
#include "recorded_damage.h"
#include "world/core/visits.inl"

static void edit(tr3_world *world, uint64_t *random)
{
    for (uint32_t i = 0; i < 6; i++)
        log_edit(world, random);
}

static void walks_are_made_again(void **state)
{
    (void)state;
    log_walk(walk_world("sheet3d", 10), 20, TRIALS(100), 3, NULL);
    log_walk(walk_world("ragdolls3d", 10), 20, TRIALS(100), 2, NULL);
    log_walk(walk_world("hub3d", 100), 20, TRIALS(100), 2, NULL);
}

static void every_call_is_made_again(void **state)
{
    (void)state;
    log_walk(walk_world("chains3d", 4), 10, TRIALS(200), 2, edit);
    log_walk(walk_world("sheet3d", 8), 10, TRIALS(200), 2, edit);
    log_all_were_made();
}

static void the_table_has_every_call(void **state)
{
    (void)state;
    log_table_is_whole();
}

static void records_have_every_member(void **state)
{
    (void)state;
    /* the last number is that of bytes of padding */
    log_covers("tr3_body_def", visit_body_def, sizeof(tr3_body_def), 4);
    log_covers("tr3_joint_def", visit_joint_def, sizeof(tr3_joint_def), 4 * 3 + 2 + 5 * 12 + 7);
}

static void damaged_logs_are_noticed(void **state)
{
    (void)state;
    memory_log log = {0};
    log_small(&log, "chains3d", NULL, 3);
    log_damage_is_noticed(&log, 3);
    log_free(&log);
}

static void made_up_logs_do_not_crash(void **state)
{
    (void)state;
    memory_log log = {0};
    log_small(&log, "chains3d", edit, 6);
    log_fuzz(&log, TRIALS(1500), 3);
    log_free(&log);
}

static void the_first_difference_is_named(void **state)
{
    (void)state;
    memory_log log = {0};
    log_small(&log, "chains3d", NULL, 30);
    log_difference_is_named(&log, 1, 30);
    log_difference_is_named(&log, 17, 30);
    log_free(&log);
}

static void a_sink_that_is_full_ends_only_the_recording(void **state)
{
    (void)state;
    memory_log log = {0};
    log_small(&log, "chains3d", NULL, 10);
    log_full_sinks("chains3d", log.size, 10);
    log_free(&log);
}

static void without_memory_a_replay_can_be_tried_again(void **state)
{
    (void)state;
    memory_log log = {0};
    log_small(&log, "chains3d", edit, 6);
    log_memory(&log);
    log_free(&log);
}

static void a_crash_leaves_what_led_to_it(void **state)
{
    (void)state;
    log_crashes("chains3d");
}

static void misuse_is_said(void **state)
{
    (void)state;
    log_misuse("chains3d", "recording_space.tmp");
}

static void what_is_taken_back_is_not_recorded(void **state)
{
    (void)state;
    log_scene_fails("chains3d");
    log_scene_fails("ragdolls3d");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_every_call),
        cmocka_unit_test(records_have_every_member),
        cmocka_unit_test(walks_are_made_again),
        cmocka_unit_test(every_call_is_made_again),
        cmocka_unit_test(the_first_difference_is_named),
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
