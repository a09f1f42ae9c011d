/*
 * Strained islands among other things: which joints of a graph are solved directly, and that each is solved once, keeps
 * its impulse and holds every row that it has.
 */
#include "strained.h"

static tr2_joint tie(tr2_world *world, tr2_joint_type type, tr2_body a, tr2_body b)
{
    tr2_body_def at = body_now(world, b);
    return join(world, joint_between(type, a, b, local_point_of(world, a, at.position.x, at.position.y),
                                     (tr_vec2){0.0f, 0.0f}));
}

/*
 * Several bodies of one island are strained, which is solved once. first - heavy - second are pinned, each end with a
 * leaf, so that both strain; first is in a triangle of welds, second is welded to what a load strains by its welds alone.
 */
static void weigh(double weight)
{
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    tr2_body first = body_at(world, 0, 0, 0, 1, 0.1), welded = body_at(world, 5, 0, 0, 1, 0.1),
             second = body_at(world, 4, 0, 0, 1, 0.1), heavy = body_at(world, 2, 0, 0, 1000, 100),
             leaf = body_at(world, 0, 1, 0, 1, 0.1), other_leaf = body_at(world, 4, 1, 0, 1, 0.1),
             left = body_at(world, -1, 1, 0, 1, 0.1), low = body_at(world, -1, -1, 0, 1, 0.1),
             load = body_at(world, 6, 0, 0, weight, 100);
    tie(world, TR2_JOINT_REVOLUTE, first, heavy);
    tie(world, TR2_JOINT_REVOLUTE, heavy, second);
    tie(world, TR2_JOINT_REVOLUTE, first, leaf);
    tie(world, TR2_JOINT_REVOLUTE, second, other_leaf);
    tie(world, TR2_JOINT_WELD, first, left);
    tie(world, TR2_JOINT_WELD, left, low);
    tie(world, TR2_JOINT_WELD, low, first);
    tie(world, TR2_JOINT_WELD, second, welded);
    tie(world, TR2_JOINT_WELD, welded, load);
    steps(world, 1.0 / 60.0, 4, 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 9);
    assert_int_equal(tr2_world_statistics(world).direct_islands, 1);
    tr2_world_destroy(world);
}

static void an_island_is_solved_once(void **state)
{
    (void)state;
    weigh(5.0);
    weigh(1000.0);
}

/* A ball hung on a chain later on is in no unit, and the chain's links are, with other joints in their blocks: each
   link bears what hangs below. */
static void links_in_a_unit_bear_a_ball_that_is_in_none(void **state)
{
    (void)state;
    enum { LINKS = 12, PAIRS = 100 };
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    tr2_body above = static_at(world, 0.0, 0.0);
    tr2_joint links[LINKS];
    for (int i = 0; i < LINKS; i++) {
        tr2_body link = body_at(world, 0.0, -1.0 - i, 0.0, 1.0, 0.1);
        links[i] = join(world, joint_between(TR2_JOINT_REVOLUTE, above, link, (tr_vec2){0.0f, i == 0 ? 0.0f : -0.5f},
                                             (tr_vec2){0.0f, i == 0 ? 1.0f : 0.5f}));
        above = link;
    }
    for (int i = 0; i < PAIRS; i++) {
        tr2_body a = body_at(world, 10.0 + 3.0 * i, 0.0, 0.0, 1.0, 0.1),
                 b = body_at(world, 11.0 + 3.0 * i, 0.0, 0.0, 1.0, 0.1);
        tie(world, TR2_JOINT_REVOLUTE, a, b);
    }
    MUST(tr2_world_optimize(world));
    steps(world, 1.0 / 60.0, 4, 1);
    assert_true(tr2_world_statistics(world).clusters > 0);
    tr2_body ball = body_at(world, 0.0, -LINKS - 0.5, 0.0, 100.0, 1.0);
    join(world, joint_between(TR2_JOINT_REVOLUTE, above, ball, (tr_vec2){0.0f, -0.5f}, (tr_vec2){0.0f, 0.0f}));
    steps(world, 1.0 / 60.0, 4, 60);
    assert_int_equal(tr2_world_statistics(world).exact_joints, LINKS + 1);
    for (int i = 0; i < LINKS; i++) {
        double weight = 10.0 * (100.0 + LINKS - i);
        NEAR("weight below", (double)reaction_of(world, links[i]).force.y, weight, 1e-3 * weight);
    }
    tr2_world_destroy(world);
}

/* a light beam on a pin, with a platform welded to its end: where one of the two cannot turn, neither does the other */
static void a_weld_holds_the_turning_of_what_cannot_turn(void **state)
{
    (void)state;
    for (int end = 0; end < 2; end++) {
        tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
        tr2_body ground = static_at(world, 0.0, 0.0), beam = body_at(world, 0.5, 0.0, 0.0, 1.0, 0.1),
                 platform = body_at(world, 1.0, 0.0, 0.0, 100.0, 10.0);
        MUST(tr2_body_set_fixed_rotation(world, end == 0 ? beam : platform, true));
        join(world, joint_between(TR2_JOINT_REVOLUTE, ground, beam, (tr_vec2){0, 0}, (tr_vec2){-0.5f, 0.0f}));
        tr2_joint weld = tie(world, TR2_JOINT_WELD, beam, platform);
        steps(world, 1.0 / 60.0, 4, 120);
        assert_int_equal(tr2_world_statistics(world).exact_joints, 2);
        NEAR("beam", body_now(world, beam).angle, 0.0, 1e-3);
        NEAR("platform", body_now(world, platform).angle, 0.0, 1e-3);
        NEAR("weld", (double)error_of(world, weld).angular, 0.0, 1e-3);
        tr2_world_destroy(world);
    }
}

/*
 * A chain far longer than a unit, with a ton at its end. It
 * hangs at rest, each link bears what is below it.
 */
static void a_chain_of_many_units_bears_its_end(void **state)
{
    (void)state;
    enum { LINKS = 2500 };
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    tr2_body above = static_at(world, 0.0, 0.0);
    tr2_joint top = {0, 0, 0};
    for (int i = 0; i < LINKS; i++) {
        tr2_body link = body_at(world, 0.0, -0.5 - i, 0.0, i + 1 < LINKS ? 1.0 : 1000.0, 0.1);
        tr2_joint joint = join(world, joint_between(TR2_JOINT_REVOLUTE, above, link,
                                                    (tr_vec2){0.0f, i == 0 ? 0.0f : -0.5f}, (tr_vec2){0.0f, 0.5f}));
        top = i == 0 ? joint : top;
        above = link;
    }
    MUST(tr2_world_optimize(world));
    double worst = 0.0;
    for (int i = 0; i < 10; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        worst = fmax(worst, tr2_world_measure(world).joint_error_rms);
    }
    assert_true(tr2_world_statistics(world).clusters > 1);
    assert_int_equal(tr2_world_statistics(world).exact_joints, LINKS);
    double weight = 10.0 * (1000.0 + LINKS - 1);
    NEAR("weight", (double)reaction_of(world, top).force.y, weight, 1e-3 * weight);
    NEAR("joints", worst, 0.0, 1e-4);
    tr2_world_destroy(world);
}

/* A body is pinned to the ground and to a body that the host moves away at 0.5 m/s, with a ton on an arm: neither pin
   can be kept. They are a loop through the ground, and nothing flies: 1 m/s is what the
   arm may swing with. */
static void a_pin_that_pulls_where_nothing_can_go_throws_nothing(void **state)
{
    (void)state;
    tr2_world *world = strained_world(10.0, TR_SOFT_STEP, 10.0f);
    tr2_body ground = static_at(world, 0.0, 0.0), beam = body_at(world, 0.0, 0.0, 0.0, 1.0, 0.1),
             load = body_at(world, 0.0, -1.0, 0.0, 1000.0, 100.0), puller = body_at(world, 1.0, 0.0, 0.0, 1.0, 1.0);
    (void)revolute(world, ground, beam, (tr_vec2){0.0f, 0.0f}, (tr_vec2){0.0f, 0.0f});
    (void)revolute(world, beam, puller, (tr_vec2){1.0f, 0.0f}, (tr_vec2){0.0f, 0.0f});
    (void)revolute(world, beam, load, (tr_vec2){0.0f, -1.0f}, (tr_vec2){0.0f, 0.0f});
    MUST(tr2_body_set_type(world, puller, TR_KINEMATIC));
    MUST(tr2_body_set_velocity(world, puller, (tr_vec2){0.5f, 0.0f}, 0.0f));
    for (int i = 0; i < 120; i++) {
        steps(world, 1.0 / 60.0, 4, 1);
        tr2_body_def now = body_now(world, load);
        NEAR("speed", hypot((double)now.velocity.x, (double)now.velocity.y), 0.0, 1.0);
    }
    assert_int_equal(tr2_world_statistics(world).nonfinite_bodies, 0);
    assert_int_equal(tr2_world_statistics(world).exact_joints, 3);
    tr2_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_island_is_solved_once),
        cmocka_unit_test(links_in_a_unit_bear_a_ball_that_is_in_none),
        cmocka_unit_test(a_weld_holds_the_turning_of_what_cannot_turn),
        cmocka_unit_test(a_chain_of_many_units_bears_its_end),
        cmocka_unit_test(a_pin_that_pulls_where_nothing_can_go_throws_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
