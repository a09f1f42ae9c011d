/*
 * A world of the plane that goes on from a snapshot does what it did without: the same bits in every step, with edits,
 * on every instruction set and number of threads.
 */
#include "hash/hash.h"
#include "snapshot_choice.h"

enum { BEFORE = 40, AFTER = 80, LONG = 1000 };

static void go(const char *kind, uint32_t size, uint32_t edits, walk_edit_fn *more)
{
    tr2_world *world = walk_world(kind, size);
    walk_there_and_back(world, BEFORE, TRIALS(AFTER), edits, more);
    walk_frames(world, BEFORE + TRIALS(AFTER), TRIALS(40), edits, more);
    tr2_world_destroy(world);
}

static void for_a_thousand_steps(void **state)
{
    (void)state;
    tr2_world *joints = walk_world("grid", 8), *shapes = walk_world("debris", 30);
    walk_there_and_back(joints, BEFORE, TRIALS(LONG), 1, NULL);
    walk_there_and_back(shapes, BEFORE, TRIALS(LONG), 1, NULL);
    tr2_world_destroy(joints);
    tr2_world_destroy(shapes);
}

static void joints_go_on(void **state)
{
    (void)state;
    go("grid", 12, 0, NULL);
    go("grid", 12, 3, NULL);
    go("ragdolls", 20, 0, NULL);
    go("ragdolls", 20, 2, NULL);
    go("chains", 20, 2, NULL);
    go("bridge", 60, 2, NULL);
}

/* split bodies; and islands that are solved directly, with bodies that come to carry too much and do no longer */
static void hubs_and_strained_islands_go_on(void **state)
{
    (void)state;
    go("hub", 300, 0, NULL);
    go("hub", 300, 3, NULL);
    for (uint32_t edits = 0; edits < 4; edits += 3) {
        tr2_world *world = NULL;
        tr2_world_def def = tr2_world_def_default();
        def.threads = 1;
        assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
        assert_int_equal(make_mixed(world, 2), TR_OK);
        walk_there_and_back(world, BEFORE, TRIALS(AFTER), edits, NULL);
        assert_true(edits > 0 || tr2_world_statistics(world).exact_joints > 0);
        tr2_world_destroy(world);
    }
}

/* shapes come, change and go */
static void edit_shapes(tr2_world *world, uint64_t *random)
{
    if (random_index(random, 2) == 0 || !walk_any(&world->body_pool))
        return;
    tr2_body body = walk_body(world, random);
    tr_vec2 center = {0.2f * walk_number(random), 0.2f * walk_number(random)};
    tr2_shape_def def = random_index(random, 2) == 0 ? tr2_circle_on(body, center, 0.3f) : tr2_box_on(body, 0.3f, 0.2f);
    def.contact_events = random_index(random, 2) == 0;
    def.hit_events = random_index(random, 2) == 0;
    def.sensor = random_index(random, 6) == 0;
    if (random_index(random, 2) == 0)
        (void)tr2_world_create_shape(world, &def, NULL);
    if (random_index(random, 3) != 0 || !walk_any(&world->shapes.pool))
        return;
    uint32_t slot = walk_slot(&world->shapes.pool, random);
    tr2_shape id = {slot + 1, world->tag, world->shapes.pool.generation[slot]};
    walk_ok(world, tr2_world_destroy_shape(world, id));
}

static void shapes_go_on(void **state)
{
    (void)state;
    go("pyramid", 8, 0, NULL);
    go("discs", 8, 0, NULL);
    go("discs", 8, 1, edit_shapes);
    go("crowd", 60, 0, NULL);
    go("crowd", 60, 1, edit_shapes);
    go("debris", 120, 0, NULL);
    go("debris", 120, 1, edit_shapes);
    go("rain", 8, 1, edit_shapes);
    for (uint32_t edits = 0; edits < 2; edits++) {
        tr2_world *world = NULL;
        tr2_world_def def = tr2_world_def_default();
        def.threads = 1;
        assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
        assert_int_equal(make_shapes(world, 4), TR_OK);
        walk_there_and_back(world, BEFORE, TRIALS(AFTER), edits, edits > 0 ? edit_shapes : NULL);
        tr2_world_destroy(world);
    }
}

/* chains of which all bodies fall asleep and wake: they are solved directly, and are not */
static void strained_chains_that_sleep_go_on(void **state)
{
    (void)state;
    tr2_world *world = choice_world();
    assert_int_equal(make_shapes(world, 4), TR_OK);
    for (uint32_t i = 0; i < 120; i++)
        walk_step(world, i, 0, NULL);
    walk_frames(world, 120, 60, 0, NULL);
    assert_true(world->sleep.asleep > 0 && tr2_world_statistics(world).exact_joints > 0);
    tr2_world_destroy(world);
}

/* a body that is put to sleep before the first step is where it is, though no step has looked for what it touches */
static void what_sleeps_from_the_beginning_has_its_place(void **state)
{
    (void)state;
    tr2_world *worlds[3];
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t random = 5;
        worlds[i] = walk_world("pyramid", 8);
        for (uint32_t k = 0; k < 4; k++)
            (void)tr2_body_set_awake(worlds[i], walk_body(worlds[i], &random), false);
    }
    walk_state saved = walk_save(worlds[1]);
    walk_ok(worlds[1], tr2_world_restore(worlds[1], saved.bytes, saved.size));
    walk_ok(worlds[2], tr2_world_release_memory(worlds[2]));
    for (uint32_t step = 0; step < 20; step++) {
        const uint64_t hash = walk_go(worlds[0], step);
        assert_true(walk_go(worlds[1], step) == hash);
        assert_true(walk_go(worlds[2], step) == hash);
    }
    free(saved.bytes);
    for (uint32_t i = 0; i < 3; i++)
        tr2_world_destroy(worlds[i]);
}

/* contacts of the application: between any two bodies, some of which stay */
static void set_contacts(tr2_world *world, uint64_t *random)
{
    tr2_contact_def defs[24];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 24; i++) {
        tr2_contact_def def = tr2_contact_def_default();
        uint64_t steady = 5 + i;
        def.body_a = walk_body(world, i < 12 ? &steady : random);
        def.body_b = walk_body(world, i < 12 ? &steady : random);
        def.id = i;
        def.point_count = 1 + random_index(random, 2);
        def.friction = 0.5f;
        tr2_transform at;
        walk_ok(world, tr2_body_get_transform(world, def.body_a, &at));
        def.point[0] = def.point[1] = at.position;
        def.point[1].x += 0.5;
        def.separation[0] = 0.01f;
        if (def.body_a.index != def.body_b.index)
            defs[count++] = def;
    }
    walk_ok(world, tr2_world_set_contacts(world, defs, count));
}

static void contacts_of_the_application_go_on(void **state)
{
    (void)state;
    go("grid", 10, 1, set_contacts);
}

/* what walks ask to be solved directly is not: all of a large grid would be */
static void nothing_direct(tr2_world *world, uint64_t *random)
{
    (void)random;
    for (uint32_t slot = 0; slot < world->body_pool.count; slot++) {
        tr2_body id = {slot + 1, world->tag, world->body_pool.generation[slot]};
        if (!tr_pool_is_free(&world->body_pool, slot))
            walk_ok(world, tr2_body_set_direct(world, id, false));
    }
}

/* a plan in the making: half of the joints are made anew, and the world is saved in each step of the plan's parts */
static void a_fresh_plan_in_parts_goes_on(void **state)
{
    (void)state;
    tr2_world *world = walk_world("grid", 40);
    uint32_t begun = 0, number = 0;
    for (; number < 3; number++)
        walk_step(world, number, 0, NULL);
    for (; begun < 9; number++) {
        uint64_t random = number;
        for (uint32_t i = 0; i < 500 && !tr_plan_is_begun(world->plan); i++) {
            tr2_joint id = walk_joint(world, &random);
            tr2_joint_def def;
            walk_ok(world, tr2_joint_get(world, id, &def));
            walk_ok(world, tr2_world_destroy_joint(world, id));
            walk_ok(world, tr2_world_create_joint(world, &def, NULL));
        }
        walk_step(world, number, 2, nothing_direct);
        begun += begun > 0 || tr_plan_is_begun(world->plan);
        if (begun == 0)
            continue;
        walk_state saved = walk_save(world);
        uint64_t hashes[12];
        for (uint32_t i = 0; i < 12; i++)
            hashes[i] = walk_step(world, number + 1 + i, 2, nothing_direct);
        walk_ok(world, tr2_world_restore(world, saved.bytes, saved.size));
        for (uint32_t i = 0; i < 12; i++)
            assert_true(walk_step(world, number + 1 + i, 2, nothing_direct) == hashes[i]);
        walk_ok(world, tr2_world_restore(world, saved.bytes, saved.size));
        assert_int_equal(tr_plan_is_begun(world->plan), begun < 8);
        free(saved.bytes);
    }
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(for_a_thousand_steps),
        cmocka_unit_test(joints_go_on),
        cmocka_unit_test(hubs_and_strained_islands_go_on),
        cmocka_unit_test(shapes_go_on),
        cmocka_unit_test(strained_chains_that_sleep_go_on),
        cmocka_unit_test(what_sleeps_from_the_beginning_has_its_place),
        cmocka_unit_test(choices_go_on),
        cmocka_unit_test(contacts_of_the_application_go_on),
        cmocka_unit_test(a_fresh_plan_in_parts_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
