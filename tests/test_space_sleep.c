/* Islands that sleep, in space: bodies and joints. */
#include <stdlib.h>

#include "sleep_scale.h"
#include "space.h"

#define DT (1.0 / 60.0)

/* chains that hang still, and a swinging one */
enum { CHAINS = 5, LINKS = 6 };
typedef struct chains {
    tr3_world *world;
    tr3_body hooks[CHAINS], links[CHAINS][LINKS];
    tr3_joint joints[CHAINS][LINKS];
} chains;

static chains make_chains(uint32_t threads)
{
    chains it;
    tr3_world_def def = tr3_world_def_default();
    def.sleep.enable = true;
    def.threads = threads;
    assert_int_equal(tr3_world_create(&def, &it.world, NULL), TR_OK);
    if (threads > 1)
        step_on_all_threads(it.world);
    for (int c = 0; c < CHAINS; c++) {
        tr3_body_def body = tr3_body_def_default();
        body.type = TR_STATIC;
        body.position = (tr_dvec3){10.0 * c, 0.0, 0.0};
        assert_int_equal(tr3_world_create_body(it.world, &body, &it.hooks[c]), TR_OK);
        tr3_body above = it.hooks[c];
        for (int i = 0; i < LINKS; i++) {
            body.type = TR_DYNAMIC;
            body.position.y = -0.5 - i;
            assert_int_equal(tr3_world_create_body(it.world, &body, &it.links[c][i]), TR_OK);
            tr3_joint_def joint = tr3_joint_def_default(TR3_JOINT_BALL);
            joint.body_a = above;
            joint.body_b = it.links[c][i];
            joint.anchor_a.y = i == 0 ? 0.0f : -0.5f;
            joint.anchor_b.y = 0.5f;
            assert_int_equal(tr3_world_create_joint(it.world, &joint, &it.joints[c][i]), TR_OK);
            above = it.links[c][i];
        }
    }
    return it;
}

static uint32_t sleepers(const chains *it)
{
    return tr3_world_statistics(it->world).sleeping_bodies;
}

static void step(const chains *it, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(tr3_world_step(it->world, DT, 4), TR_OK);
}

static void chains_fall_asleep_and_wake_one_by_one(void **state)
{
    (void)state;
    chains it = make_chains(1);
    step(&it, 60);
    assert_int_equal(sleepers(&it), CHAINS * LINKS);
    uint64_t hash = tr3_world_state_hash(it.world);
    step(&it, 60);
    assert_true(tr3_world_state_hash(it.world) == hash);
    /* the reaction of what sleeps is what it was: the weight of the chain */
    tr3_reaction reaction;
    assert_int_equal(tr3_joint_reaction(it.world, it.joints[2][0], &reaction), TR_OK);
    assert_true(fabs(fabs((double)reaction.force.y) - LINKS * 9.81) < 0.01 * LINKS * 9.81);

    assert_int_equal(tr3_body_apply_impulse_to_center(it.world, it.links[2][LINKS - 1], (tr_vec3){0.5f, 0.0f, 0.0f}),
                     TR_OK);
    bool awake = false;
    assert_int_equal(tr3_body_is_awake(it.world, it.links[2][0], &awake), TR_OK);
    assert_true(awake);
    step(&it, 1);
    assert_int_equal(sleepers(&it), (CHAINS - 1) * LINKS);
    tr3_sleep_event_view events = tr3_world_sleep_events(it.world);
    assert_int_equal(events.count, LINKS);

    assert_int_equal(tr3_world_destroy_joint(it.world, it.joints[1][3]), TR_OK);
    assert_int_equal(tr3_world_destroy_body(it.world, it.hooks[4]), TR_OK);
    assert_int_equal(tr3_body_set_velocity(it.world, it.links[3][0], (tr_vec3){0}, (tr_vec3){0.0f, 1.0f, 0.0f}), TR_OK);
    step(&it, 1);
    assert_int_equal(sleepers(&it), LINKS);
    assert_int_equal(tr3_world_set_gravity(it.world, (tr_vec3){0.0f, -5.0f, 0.0f}), TR_OK);
    assert_int_equal(sleepers(&it), 0);
    tr3_world_destroy(it.world);
}

/* a hinge whose motor starts, a body that may not sleep, a kinematic hook that moves */
static void motors_and_hooks_keep_awake(void **state)
{
    (void)state;
    chains it = make_chains(1);
    assert_int_equal(tr3_body_set_type(it.world, it.hooks[0], TR_KINEMATIC), TR_OK);
    assert_int_equal(tr3_body_set_allow_sleep(it.world, it.links[1][2], false), TR_OK);
    step(&it, 60);
    assert_int_equal(sleepers(&it), (CHAINS - 1) * LINKS);
    assert_int_equal(tr3_body_set_velocity(it.world, it.hooks[0], (tr_vec3){0.01f, 0.0f, 0.0f}, (tr_vec3){0}), TR_OK);
    step(&it, 200);
    assert_int_equal(sleepers(&it), (CHAINS - 2) * LINKS);
    assert_int_equal(tr3_body_set_awake(it.world, it.links[0][0], false), TR_ERROR_RANGE);
    assert_int_equal(tr3_body_set_velocity(it.world, it.hooks[0], (tr_vec3){0}, (tr_vec3){0}), TR_OK);
    step(&it, 600);
    assert_int_equal(sleepers(&it), (CHAINS - 1) * LINKS);
    tr3_world_destroy(it.world);
}

static void disturb(const chains *it, uint32_t i)
{
    if (i % 80 == 79)
        assert_int_equal(tr3_body_apply_impulse_to_center(it->world, it->links[i / 80 % CHAINS][LINKS - 1],
                                                          (tr_vec3){0.02f, 0.0f, 0.01f}),
                         TR_OK);
}

enum { STEPS = 800 };

static void run(uint32_t threads, uint64_t *hashes)
{
    chains it = make_chains(threads);
    uint32_t most = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < STEPS; i++) {
        disturb(&it, i);
        step(&it, 1);
        hashes[i] = tr3_world_state_hash(it.world);
        most = sleepers(&it) > most ? sleepers(&it) : most;
        least = i > 100 && sleepers(&it) < least ? sleepers(&it) : least;
    }
    assert_true(most == CHAINS * LINKS && least < most);
    tr3_world_destroy(it.world);
}

static void the_same_bits_for_all_threads_and_sets(void **state)
{
    (void)state;
    static uint64_t want[STEPS], is[STEPS];
    tr_isa chosen = tr_get_isa();
    run(1, want);
    for (uint32_t threads = 2; threads <= 8; threads *= 2) {
        run(threads, is);
        assert_memory_equal(is, want, sizeof want);
    }
    for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
        if (!tr_isa_available((tr_isa)isa) || (tr_isa)isa == chosen)
            continue;
        assert_int_equal(tr_set_isa((tr_isa)isa), TR_OK);
        run(1, is);
        assert_int_equal(tr_set_isa(chosen), TR_OK);
        assert_memory_equal(is, want, sizeof want);
    }
}

static void a_restored_world_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    static uint64_t want[STEPS];
    chains it = make_chains(1);
    void *bytes = NULL;
    size_t size = 0;
    for (uint32_t from = 75; from < STEPS - 200; from += 100) {
        chains other = make_chains(1);
        for (uint32_t i = 0; i < STEPS; i++) {
            disturb(&other, i);
            if (i == from) {
                /* with an island that has woken, and of which the plan does not know */
                size = tr3_world_save_size(other.world);
                bytes = realloc(bytes, size);
                assert_non_null(bytes);
                assert_int_equal(tr3_world_save(other.world, bytes, size, &size), TR_OK);
            }
            step(&other, 1);
            want[i] = tr3_world_state_hash(other.world);
        }
        assert_int_equal(tr3_world_restore(it.world, bytes, size), TR_OK);
        tr3_world_destroy(other.world);
        other.world = it.world;
        for (uint32_t i = from; i < STEPS; i++) {
            if (i > from)
                disturb(&other, i);
            step(&other, 1);
            if (tr3_world_state_hash(it.world) != want[i])
                fail_msg("restored before step %u: another state after step %u", from, i);
        }
    }
    free(bytes);
    tr3_world_destroy(it.world);
}

/* a body on a spring along x that was pulled by `amplitude` (m); whether it sleeps after so many steps */
static bool sleeps_on_spring(float hertz, double amplitude, uint32_t count)
{
    tr3_world *world = NULL;
    tr3_world_def def = tr3_world_def_default();
    def.gravity = (tr_vec3){0.0f, 0.0f, 0.0f};
    def.sleep.enable = true;
    assert_int_equal(tr3_world_create(&def, &world, NULL), TR_OK);
    tr3_body_def body = tr3_body_def_default();
    tr3_body wall, weight;
    body.type = TR_STATIC;
    assert_int_equal(tr3_world_create_body(world, &body, &wall), TR_OK);
    body.type = TR_DYNAMIC;
    body.position.x = amplitude;
    assert_int_equal(tr3_world_create_body(world, &body, &weight), TR_OK);
    tr3_joint_def spring = tr3_joint_def_default(TR3_JOINT_SLIDER);
    spring.body_a = wall;
    spring.body_b = weight;
    spring.spring.enable = true;
    spring.spring.softness = tr_frequency(hertz, 0.0f);
    assert_int_equal(tr3_world_create_joint(world, &spring, NULL), TR_OK);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(tr3_world_step(world, DT, 64), TR_OK);
    bool sleeps = tr3_world_statistics(world).sleeping_bodies == 1;
    tr3_world_destroy(world);
    return sleeps;
}

static void what_shakes_in_place_rests_and_what_swings_does_not(void **state)
{
    (void)state;
    /* 0.13 m/s at most, twice the threshold, by 2 mm; five times as far; and 0.19 m/s, but slowly to and fro */
    assert_true(sleeps_on_spring(10.0f, 0.0012, 60));
    assert_false(sleeps_on_spring(10.0f, 0.01, 60));
    assert_false(sleeps_on_spring(0.5f, 0.06, 300));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_fall_asleep_and_wake_one_by_one),
        cmocka_unit_test(motors_and_hooks_keep_awake),
        cmocka_unit_test(what_shakes_in_place_rests_and_what_swings_does_not),
        cmocka_unit_test(the_same_bits_for_all_threads_and_sets),
        cmocka_unit_test(a_restored_world_goes_on_with_the_same_bits),
        SLEEP_SCALE_TESTS,
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
