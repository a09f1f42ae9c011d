/* A world in space that goes on from a snapshot does what it did without; what is no snapshot is refused. */
#include "instrumented.h"
#include "snapshot_choice.h"
#include "snapshot_damage.h"

enum { BEFORE = 40, AFTER = 80, LONG = 400 };

static void go(const char *kind, uint32_t size, uint32_t edits)
{
    tr3_world *world = walk_world(kind, size);
    walk_there_and_back(world, BEFORE, TRIALS(AFTER), edits, NULL);
    walk_frames(world, BEFORE + TRIALS(AFTER), TRIALS(40), edits, NULL);
    tr3_world_destroy(world);
}

static void for_many_steps(void **state)
{
    (void)state;
    tr3_world *world = walk_world("sheet3d", 7);
    walk_there_and_back(world, BEFORE, TRIALS(LONG), 1, NULL);
    tr3_world_destroy(world);
}

static void joints_go_on(void **state)
{
    (void)state;
    go("sheet3d", 10, 0);
    go("sheet3d", 10, 3);
    go("lattice3d", 5, 2);
    go("ragdolls3d", 20, 0);
    go("ragdolls3d", 20, 2);
    go("chains3d", 20, 2);
    go("bridge3d", 40, 2);
    go("hub3d", 200, 2);
}

static tr3_world *walked(tr3_world *world, uint32_t steps, uint32_t edits)
{
    for (uint32_t i = 0; i < steps; i++)
        walk_step(world, i, edits, NULL);
    return world;
}

/* chains that a host has let touch each other */
static tr3_world *touching(uint32_t size)
{
    enum { CONTACTS = 8 };
    tr3_world *world = walked(walk_world("chains3d", size), 3, 0);
    tr3_contact_def defs[CONTACTS];
    uint64_t random = 3;
    for (uint32_t i = 0; i < CONTACTS; i++) {
        defs[i] = tr3_contact_def_default();
        defs[i].id = i;
        do {
            defs[i].body_a = walk_body(world, &random);
            defs[i].body_b = walk_body(world, &random);
        } while (defs[i].body_a.index == defs[i].body_b.index);
        tr3_body_def body;
        walk_ok(world, tr3_body_get(world, defs[i].body_b, &body));
        defs[i].point_count = 1 + i % 4;
        for (uint32_t k = 0; k < defs[i].point_count; k++)
            defs[i].point[k] = (tr_dvec3){body.position.x + 0.1 * k, body.position.y, body.position.z};
        defs[i].friction = 0.5f;
        defs[i].restitution = 0.25f * (float)(i % 2);
    }
    walk_ok(world, tr3_world_set_contacts(world, defs, CONTACTS));
    return walked(world, 3, 0);
}

static void contacts_are_of_a_state(void **state)
{
    (void)state;
    tr3_world *world = touching(1);
    damage_is_refused(world);
    damage_memory(world);
    damage_fuzz(world, TRIALS(2000), 31);
    tr3_world_destroy(world);
    world = touching(4);
    walk_there_and_back(world, 10, TRIALS(AFTER), 2, NULL);
    tr3_world_destroy(world);
}

static void damage_to_any_byte_is_refused(void **state)
{
    (void)state;
    tr3_world *world = walked(walk_world("chains3d", 1), 5, 2);
    damage_is_refused(world);
    damage_written_over(world);
    tr3_world_destroy(world);
}

static void without_memory_a_world_stays_as_it_was(void **state)
{
    (void)state;
    tr3_world *worlds[] = {walked(walk_world("sheet3d", 8), 5, 3), walked(walk_world("hub3d", 100), 5, 2)};
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        damage_memory(worlds[i]);
        damage_frames(worlds[i]);
        damage_release(worlds[i]);
        damage_refused_steps(worlds[i]);
        tr3_world_destroy(worlds[i]);
    }
}

static void made_up_states_do_not_crash(void **state)
{
    (void)state;
    tr3_world *worlds[] = {walked(walk_world("sheet3d", 6), 5, 3), walked(walk_world("hub3d", 80), 5, 2),
                           walked(walk_world("ragdolls3d", 4), 5, 2)};
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        damage_same_hashes(worlds[i]);
        damage_fuzz(worlds[i], TRIALS(2000), 21 + i);
        tr3_world_destroy(worlds[i]);
    }
}

static void files_hold_snapshots(void **state)
{
    (void)state;
    tr3_world *world = walked(walk_world("chains3d", 2), 5, 2);
    damage_files(world, "snapshot_space.tmp");
    tr3_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(for_many_steps),
        cmocka_unit_test(joints_go_on),
        cmocka_unit_test(damage_to_any_byte_is_refused),
        cmocka_unit_test(without_memory_a_world_stays_as_it_was),
        cmocka_unit_test(files_hold_snapshots),
        cmocka_unit_test(made_up_states_do_not_crash),
        cmocka_unit_test(contacts_are_of_a_state),
        cmocka_unit_test(choices_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
