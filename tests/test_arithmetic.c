/* A host's own rules of arithmetic change no step, and are there again after it. */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "all_threads.h"
#include "trammel/trammel.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* a pendulum on a static body whose mass and center, and with it the anchor, the first step computes from its shapes */
static void hang_pendulum(tr2_world *world)
{
    tr2_body_def def = tr2_body_def_default();
    def.position.x = 1.0 / 3.0;
    tr2_body bob, holder;
    assert_int_equal(tr2_world_create_body(world, &def, &bob), TR_OK);
    def.type = TR_STATIC;
    def.angle = 0.3;
    assert_int_equal(tr2_world_create_body(world, &def, &holder), TR_OK);
    for (int i = 0; i < 7; i++) {
        tr_vec2 center = {2.1f + 0.37f * (float)i, 0.13f * (float)i};
        tr2_shape_def box = tr2_offset_box_on(holder, 0.31f, 0.17f, center, 0.8f, 0.6f);
        box.density = 1.3f;
        box.filter.mask = 0;
        assert_int_equal(tr2_world_create_shape(world, &box, NULL), TR_OK);
    }
    tr2_joint_def pin = tr2_joint_def_default(TR2_JOINT_REVOLUTE);
    pin.body_a = holder;
    pin.body_b = bob;
    pin.anchor_a = (tr_vec2){0.1f, 0.2f};
    pin.anchor_b = (tr_vec2){0.5f, 3.1f};
    assert_int_equal(tr2_world_create_joint(world, &pin, NULL), TR_OK);
}

/* a grid that is large enough for several threads */
static tr2_world *make_world(uint32_t threads)
{
    tr2_scene *scene = NULL;
    tr2_world *world = NULL;
    tr_error error;
    assert_int_equal(tr2_scene_generate("grid", 50, &scene, &error), TR_OK);
    tr2_world_def def = tr2_scene_world_def(scene);
    def.threads = threads;
    assert_int_equal(tr2_world_create(&def, &world, &error), TR_OK);
    step_on_all_threads(world);
    assert_int_equal(tr2_scene_build(scene, world, NULL, NULL, &error), TR_OK);
    tr2_scene_destroy(scene);
    hang_pendulum(world);
    return world;
}

static uint64_t run(tr2_world *world)
{
    for (int i = 0; i < 20; i++)
        assert_int_equal(tr2_world_step(world, 1.0 / 60.0, 4), TR_OK);
    uint64_t hash = tr2_world_state_hash(world);
    tr2_world_destroy(world);
    return hash;
}

static void rounding_upward_changes_no_step_and_stays_the_hosts(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        uint64_t plain = run(make_world(threads));
        tr2_world *world = make_world(threads);
        assert_int_equal(fesetround(FE_UPWARD), 0);
        uint64_t upward = run(world);
        assert_int_equal(fegetround(), FE_UPWARD);
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        assert_true(plain == upward);
    }
}

static void flushing_denormals_changes_no_step_and_stays_the_hosts(void **state)
{
    (void)state;
#if defined(__x86_64__)
    enum { FLUSH_AND_ZERO = 0x8040 };
    for (uint32_t threads = 1; threads <= 2; threads++) {
        /* a gravity so small that every velocity is a denormal number at first */
        tr2_world *world[2] = {make_world(threads), make_world(threads)};
        for (int i = 0; i < 2; i++)
            assert_int_equal(tr2_world_set_gravity(world[i], (tr_vec2){0.0f, -1e-38f}), TR_OK);
        uint64_t plain = run(world[0]);
        unsigned before = _mm_getcsr();
        _mm_setcsr(before | FLUSH_AND_ZERO);
        uint64_t flushed = run(world[1]);
        assert_int_equal(_mm_getcsr() & FLUSH_AND_ZERO, FLUSH_AND_ZERO);
        _mm_setcsr(before);
        assert_true(plain == flushed);
    }
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_upward_changes_no_step_and_stays_the_hosts),
        cmocka_unit_test(flushing_denormals_changes_no_step_and_stays_the_hosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
