/* What the direct method solves falls asleep and wakes without a layout of all, with the bits of a layout made anew. */
#include "solver/core/solver_internal.h"
#include "world/core/world_internal.h"
#include "world_fixture.h"

static const double dt = 1.0 / 60.0;

/*
 * A chain with a weight at its end, which strains it; and machines that ask for the direct method, fall asleep and
 * wake: one of a body alone, one of two, one of three. And so many
 * other bodies that these are no reason for a fresh plan.
 */
enum { CHAIN = 12, MACHINES = 3, LOOSE = 400 };

static tr2_world *machines_beside_a_chain(tr2_body first[MACHINES])
{
    tr2_world_def world_def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr2_body above = {0, 0, 0};
    assert_int_equal(tr2_world_create(&world_def, &world, NULL), TR_OK);
    for (uint32_t i = 0; i < CHAIN + MACHINES * (MACHINES + 1) / 2; i++) {
        const uint32_t of = i < CHAIN ? 0 : i == CHAIN ? 1 : i < CHAIN + 3 ? 2 : 3;
        const bool starts = i == 0 || i == CHAIN || i == CHAIN + 1 || i == CHAIN + 3;
        tr2_body_def def = tr2_body_def_default();
        tr2_joint_def pin = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
        def.type = i == 0 ? TR_STATIC : TR_DYNAMIC;
        def.position = (tr_dvec2){i, 10.0 * of};
        def.mass = i + 1 == CHAIN ? 100.0f : 1.0f;
        def.allow_sleep = def.direct = of > 0;
        def.gravity_scale = of > 0 ? 0.0f : 1.0f;
        assert_ok(world, tr2_world_create_body(world, &def, &pin.body_b));
        pin.body_a = above;
        pin.anchor_a.x = 0.5f;
        pin.anchor_b.x = -0.5f;
        if (!starts)
            assert_ok(world, tr2_world_create_joint(world, &pin, NULL));
        else if (of > 0)
            first[of - 1] = pin.body_b;
        above = pin.body_b;
    }
    for (uint32_t i = 0; i < LOOSE; i++)
        (void)make_body(world, 2.0 * i, 100.0);
    return world;
}

/* a body in another world that was made by the same calls */
static tr2_body with_tag(tr2_body body, const tr2_world *world)
{
    body.world = (uint16_t)world->tag;
    return body;
}

static void what_is_solved_directly_sleeps_and_wakes_by_patches(void **state)
{
    (void)state;
    tr2_body first[MACHINES];
    tr2_world *world = machines_beside_a_chain(first), *afresh = machines_beside_a_chain(first);
    tr2_world *const both[] = {world, afresh};
    uint64_t layouts = 0;
    for (uint32_t step = 0; step < 240; step++) {
        for (uint32_t i = 0; i < 2; i++) {
            const tr2_body body = with_tag(first[step / 8 % MACHINES], both[i]);
            if (step % 8 == 4)
                assert_ok(both[i], tr2_body_apply_impulse_to_center(both[i], body, (tr_vec2){0.5f, 0.25f}));
            if (step % 8 == 0 && step > 0)
                assert_ok(both[i], tr2_body_set_awake(both[i], body, step / 8 % 2 == 1));
            if (i == 1)
                tr2_solver_forget_layout(afresh->solver);
            assert_ok(both[i], tr2_world_step(both[i], dt, 4));
        }
        assert_true(tr2_world_state_hash(world) == tr2_world_state_hash(afresh));
        layouts = step == 0 ? tr2_solver_last(world->solver)->layouts : layouts;
    }
    assert_true(tr2_solver_last(world->solver)->layouts == layouts);
    assert_true(tr2_solver_last(afresh->solver)->layouts > 200);
    tr2_world_destroy(world);
    tr2_world_destroy(afresh);
}

/* The machines fall asleep, and sleep through a layout: of a fresh plan, which puts them aside, or of a body more. Then they
   wake one after another, which takes none, move, and fall asleep again. */
static void wake_after_a_layout(bool fresh)
{
    tr2_body first[MACHINES];
    tr2_world *world = machines_beside_a_chain(first), *afresh = machines_beside_a_chain(first);
    tr2_world *const both[] = {world, afresh};
    uint64_t layouts = 0;
    for (uint32_t step = 0; step < 96; step++) {
        for (uint32_t i = 0; i < 2; i++) {
            for (uint32_t k = 0; k < MACHINES && step == 2; k++)
                assert_ok(both[i], tr2_body_set_awake(both[i], with_tag(first[k], both[i]), false));
            if (step == 4 && fresh)
                assert_ok(both[i], tr2_world_optimize(both[i]));
            else if (step == 4)
                (void)make_body(both[i], 0.0, 200.0);
            if (step >= 8 && step % 4 == 0)
                assert_ok(both[i], tr2_body_apply_impulse_to_center(
                                       both[i], with_tag(first[step / 4 % MACHINES], both[i]), (tr_vec2){0.5f, 0.25f}));
            if (step > 48 && step % 4 == 2)
                assert_ok(both[i], tr2_body_set_awake(both[i], with_tag(first[step / 4 % MACHINES], both[i]), false));
            if (i == 1)
                tr2_solver_forget_layout(afresh->solver);
            assert_ok(both[i], tr2_world_step(both[i], dt, 4));
        }
        assert_true(tr2_world_state_hash(world) == tr2_world_state_hash(afresh));
        if (step == 7) {
            assert_int_equal(world->sleep.asleep, MACHINES * (MACHINES + 1) / 2);
            assert_int_equal(world->bodies.rest_end - world->bodies.rest_first, fresh ? world->sleep.asleep : 0);
            layouts = tr2_solver_last(world->solver)->layouts;
        }
    }
    assert_true(tr2_solver_last(world->solver)->layouts == layouts);
    tr2_world_destroy(world);
    tr2_world_destroy(afresh);
}

static void what_slept_through_a_layout_joins_it(void **state)
{
    (void)state;
    wake_after_a_layout(true);
    wake_after_a_layout(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_solved_directly_sleeps_and_wakes_by_patches),
        cmocka_unit_test(what_slept_through_a_layout_joins_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
