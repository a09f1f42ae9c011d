/* Fresh plans of worlds that go on: at loading, and in parts while steps are made with the old one. */
#include "all_threads.h"
#include "allocator.h"
#include "world_fixture.h"

#define DT (1.0 / 60.0)

static tr2_world *start(tr_allocator memory, const char *kind, uint32_t size, uint32_t threads)
{
    tr2_scene *scene;
    tr2_world *world = NULL;
    assert_int_equal(tr2_scene_generate(kind, size, &scene, NULL), TR_OK);
    tr2_world_def def = tr2_scene_world_def(scene);
    def.threads = threads;
    def.allocator = memory;
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    step_on_all_threads(world);
    assert_int_equal(tr2_scene_build(scene, world, NULL, NULL, NULL), TR_OK);
    tr2_scene_destroy(scene);
    return world;
}

static tr2_world *start_plainly(const char *kind, uint32_t size, uint32_t threads)
{
    return start((tr_allocator){NULL, NULL, NULL}, kind, size, threads);
}

static void step(tr2_world *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_ok(world, tr2_world_step(world, DT, 4));
}

/* Loading does what the first step would have done: it has nothing left to plan or to lay out, and gives the same
   bits. */
static void a_loaded_world_has_nothing_to_plan(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        uint32_t size;
    } scenes[] = {{"debris", 300}, {"pyramid", 20}, {"crowd", 300}, {"ragdolls", 40}};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        tr2_world *loaded = start_plainly(scenes[i].kind, scenes[i].size, 1);
        tr2_world *plain = start_plainly(scenes[i].kind, scenes[i].size, 1);
        uint64_t hash = tr2_world_state_hash(loaded);
        assert_ok(loaded, tr2_world_optimize(loaded));
        tr_statistics before = tr2_world_statistics(loaded);
        assert_true(before.plan_rebuilds == 1 && before.full_layouts == 1 && before.steps == 0);
        if (before.contacts == 0)
            assert_true(tr2_world_state_hash(loaded) == hash);
        assert_int_equal(tr2_world_touches(loaded).count, 0);
        step(loaded, 1);
        step(plain, 1);
        tr_statistics after = tr2_world_statistics(loaded);
        assert_true(after.plan_rebuilds == 1 && after.full_layouts == 1 && after.partial_layouts == 0);
        assert_int_equal(after.contacts, before.contacts);
        for (uint32_t k = 0; k < 30; k++) {
            assert_true(tr2_world_state_hash(loaded) == tr2_world_state_hash(plain));
            assert_int_equal(tr2_world_touches(loaded).count, tr2_world_touches(plain).count);
            step(loaded, 1);
            step(plain, 1);
        }
        tr2_world_destroy(loaded);
        tr2_world_destroy(plain);
    }
}

/* in the middle of a simulation, too, twice is as good as once, and events that wait are told */
static void loading_again_changes_nothing(void **state)
{
    (void)state;
    tr2_world *once = start_plainly("debris", 300, 1), *twice = start_plainly("debris", 300, 1);
    for (uint32_t k = 0; k < 40; k++) {
        if (k % 10 == 5) {
            assert_ok(once, tr2_world_optimize(once));
            assert_ok(twice, tr2_world_optimize(twice));
            assert_ok(twice, tr2_world_optimize(twice));
        }
        step(once, 1);
        step(twice, 1);
        assert_true(tr2_world_state_hash(once) == tr2_world_state_hash(twice));
        assert_int_equal(tr2_world_touches(once).count, tr2_world_touches(twice).count);
    }
    assert_true(tr2_world_statistics(once).contacts > 300);
    tr2_world_destroy(once);
    tr2_world_destroy(twice);
}

/* the number of bodies makes it larger than worlds that are planned at once */
#define PEOPLE 2000u
#define STEPS  120u

/* A plan in parts takes one step for each part and one to be taken, with the same bits on any number of threads. */
static void a_large_world_is_planned_in_parts(void **state)
{
    (void)state;
    static uint64_t hashes[STEPS];
    for (uint32_t threads = 1; threads <= 3; threads++) {
        tr2_world *world = start_plainly("crowd", PEOPLE, threads);
        uint32_t begun = 0, taken = 0;
        for (uint32_t k = 0; k < STEPS; k++) {
            uint64_t plans = tr2_world_statistics(world).plan_rebuilds;
            step(world, 1);
            uint64_t hash = tr2_world_state_hash(world);
            hashes[k] = threads == 1 ? hash : hashes[k];
            assert_true(hash == hashes[k]);
            bool fresh = tr2_world_statistics(world).plan_rebuilds > plans;
            /* the first plan is made at once */
            if (fresh)
                assert_int_equal(begun, k == 0 ? 0 : TR_PLAN_PARTS);
            taken += fresh;
            begun = tr_plan_is_begun(world->plan) ? begun + 1 : 0;
            assert_true(begun <= TR_PLAN_PARTS && world->pairs_unsorted == (fresh && k > 0));
        }
        assert_true(taken > 2);
        tr2_world_destroy(world);
    }
}

/* what an application asks for is made at once, and the plan in the making dropped */
static void a_plan_in_the_making_gives_way_to_one_at_once(void **state)
{
    (void)state;
    tr2_world *world = start_plainly("crowd", PEOPLE, 1);
    uint32_t k = 0;
    for (; k < STEPS && !tr_plan_is_begun(world->plan); k++)
        step(world, 1);
    step(world, 3);
    assert_true(tr_plan_is_begun(world->plan));
    uint64_t plans = tr2_world_statistics(world).plan_rebuilds;
    assert_ok(world, tr2_world_optimize(world));
    assert_false(tr_plan_is_begun(world->plan) || world->pairs_unsorted);
    assert_int_equal(tr2_world_statistics(world).plan_rebuilds, plans + 1);
    step(world, 3);
    assert_int_equal(tr2_world_statistics(world).plan_rebuilds, plans + 1);
    tr2_world_destroy(world);
}

/* Bodies go and come, joints break off and all stop while the plan is in the making. */
static void a_plan_in_the_making_follows_edits(void **state)
{
    (void)state;
    tr2_world *world = start_plainly("crowd", PEOPLE, 1);
    uint32_t random = 1, made = 0;
    for (uint32_t k = 0; k < STEPS; k++) {
        step(world, 1);
        if (!tr_plan_is_begun(world->plan))
            continue;
        for (uint32_t i = 0; i < 20; i++) {
            random = random * 1664525u + 1013904223u;
            tr2_body_view view = tr2_world_bodies(world);
            tr2_body body = view.id[random % view.count];
            tr2_body_def def;
            assert_ok(world, tr2_body_get(world, body, &def));
            if (def.type != TR_DYNAMIC)
                continue;
            if (i % 4 == 3)
                assert_ok(world, tr2_body_set_type(world, body, TR_KINEMATIC));
            else if (i % 4 == 2)
                assert_ok(world, tr2_body_set_enabled(world, body, false));
            else
                assert_ok(world, tr2_world_destroy_body(world, body));
            if (i % 4 == 0)
                assert_ok(world, tr2_world_create_body(world, &def, NULL));
            made++;
        }
    }
    tr_statistics statistics = tr2_world_statistics(world);
    assert_true(statistics.plan_rebuilds > 2 && made > 100);
    assert_int_equal(statistics.nonfinite_bodies, 0);
    tr2_world_destroy(world);
}

/* a world that becomes empty meanwhile has no plan to take */
static void an_emptied_world_drops_its_plan(void **state)
{
    (void)state;
    tr2_world *world = start_plainly("crowd", PEOPLE, 1);
    for (uint32_t k = 0; k < STEPS && !tr_plan_is_begun(world->plan); k++)
        step(world, 1);
    assert_true(tr_plan_is_begun(world->plan));
    tr2_body_view view = tr2_world_bodies(world);
    tr2_body *ids = malloc(view.count * sizeof *ids);
    assert_non_null(ids);
    memcpy(ids, view.id, view.count * sizeof *ids);
    assert_ok(world, tr2_world_destroy_bodies(world, ids, view.count));
    free(ids);
    step(world, 2 * TR_PLAN_PARTS);
    assert_false(tr_plan_is_begun(world->plan));
    tr2_world_destroy(world);
}

/* A step that fails for want of memory, at any allocation of any part, and is made again, gives the bits that it would
   have given. */
static void parts_without_memory_are_done_again(void **state)
{
    (void)state;
    tr2_world *plain = start_plainly("crowd", PEOPLE, 1);
    test_allocator allocator = {0};
    tr2_world *world = start(test_hooks(&allocator), "crowd", PEOPLE, 1);
    uint32_t failed = 0, watched = 0;
    for (uint32_t k = 0; k < STEPS && watched < TR_PLAN_PARTS + 2; k++) {
        /* from the step before the plan is begun to the one after it is taken; before it only what it begins with */
        bool begun = tr_plan_is_begun(plain->plan);
        uint64_t plans = tr2_world_statistics(plain).plan_rebuilds;
        step(plain, 1);
        bool watch = k > 0 && (begun || tr_plan_is_begun(plain->plan) || plain->pairs_unsorted || watched > 0);
        watched += watch;
        for (uint64_t n = 1; watch; n += 1 + n / 4) {
            test_fail_in(&allocator, n);
            tr_status status = tr2_world_step(world, DT, 4);
            test_fail_in(&allocator, 0);
            if (status == TR_OK)
                break;
            assert_int_equal(status, TR_ERROR_MEMORY);
            failed++;
        }
        if (!watch)
            step(world, 1);
        assert_true(tr2_world_statistics(world).plan_rebuilds >= plans);
        assert_true(tr2_world_state_hash(world) == tr2_world_state_hash(plain));
    }
    assert_true(watched == TR_PLAN_PARTS + 2 && failed > 20);
    tr2_world_destroy(plain);
    tr2_world_destroy(world);
    assert_true(allocator.held == 0 && allocator.mismatches == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_world_has_nothing_to_plan),
        cmocka_unit_test(loading_again_changes_nothing),
        cmocka_unit_test(a_large_world_is_planned_in_parts),
        cmocka_unit_test(a_plan_in_the_making_gives_way_to_one_at_once),
        cmocka_unit_test(a_plan_in_the_making_follows_edits),
        cmocka_unit_test(an_emptied_world_drops_its_plan),
        cmocka_unit_test(parts_without_memory_are_done_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
