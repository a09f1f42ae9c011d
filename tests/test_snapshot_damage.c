/* Snapshots of the plane that are damaged, cut off or made up are refused, and the world is as it was. */
#include "hash/hash.h"
#include "snapshot_damage.h"

static tr2_world *mixed(uint32_t rows)
{
    tr2_world *world = NULL;
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    assert_int_equal(make_mixed(world, rows), TR_OK);
    return world;
}

static tr2_world *walked(tr2_world *world, uint32_t steps, uint32_t edits)
{
    for (uint32_t i = 0; i < steps; i++)
        walk_step(world, i, edits, NULL);
    return world;
}

static void damage_to_any_byte_is_refused(void **state)
{
    (void)state;
    tr2_world *joints = walked(walk_world("chains", 2), 5, 2), *shapes = walked(walk_world("pyramid", 3), 5, 0);
    damage_is_refused(joints);
    damage_is_refused(shapes);
    damage_written_over(joints);
    damage_written_over(shapes);
    tr2_world_destroy(joints);
    tr2_world_destroy(shapes);
}

static void without_memory_a_world_stays_as_it_was(void **state)
{
    (void)state;
    tr2_world *worlds[] = {walked(walk_world("grid", 8), 5, 3), walked(walk_world("hub", 100), 5, 2),
                           walked(walk_world("debris", 60), 20, 1), walked(mixed(1), 3, 1)};
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        damage_memory(worlds[i]);
        damage_frames(worlds[i]);
        damage_release(worlds[i]);
        damage_refused_steps(worlds[i]);
        tr2_world_destroy(worlds[i]);
    }
}

static void made_up_states_do_not_crash(void **state)
{
    (void)state;
    tr2_world *worlds[] = {walked(walk_world("grid", 6), 5, 3),     walked(walk_world("hub", 80), 5, 2),
                           walked(walk_world("debris", 40), 30, 1), walked(mixed(1), 3, 1),
                           walked(walk_world("pyramid", 4), 20, 0), walked(walk_world("crowd", 30), 20, 0)};
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        damage_same_hashes(worlds[i]);
        damage_fuzz(worlds[i], TRIALS(1000), 11 + i);
        tr2_world_destroy(worlds[i]);
    }
}

static void files_hold_snapshots(void **state)
{
    (void)state;
    tr2_world *world = walked(walk_world("chains", 2), 5, 2);
    damage_files(world, "snapshot_plane.tmp");
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_to_any_byte_is_refused),
        cmocka_unit_test(without_memory_a_world_stays_as_it_was),
        cmocka_unit_test(files_hold_snapshots),
        cmocka_unit_test(made_up_states_do_not_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
