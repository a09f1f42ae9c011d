/*
 * What both dimensions say of sleep alike (solver/dimension.h): that worlds sleep unless they say otherwise, and how the
 * threshold of a body scales.
 */
#ifndef TR_TESTS_SLEEP_SCALE_H
#define TR_TESTS_SLEEP_SCALE_H

#include <math.h>
#include <stdlib.h>

#include "snapshot_walk.h"

#if TR_DIMENSION == 2
#define SCALE_HINGE TR2_JOINT_REVOLUTE
#else
#define SCALE_HINGE TR3_JOINT_BALL
#endif

#define SCALE_DT (1.0 / 60.0)

static inline trn_world *scale_world(float gravity)
{
    trn_world_def def = trn_world_def_default();
    trn_world *world = NULL;
    def.gravity.y = -gravity;
    def.threads = 1;
    walk_ok(NULL, trn_world_create(&def, &world, NULL));
    return world;
}

static inline bool scale_is_awake(const trn_world *world, trn_body body)
{
    bool awake = false;
    walk_ok(world, trn_body_is_awake(world, body, &awake));
    return awake;
}

static inline void scale_steps(trn_world *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        walk_ok(world, trn_world_step(world, SCALE_DT, 4));
}

/* a body on its own that slides or spins, and is braked */
static inline trn_body scale_braked(trn_world *world, uint32_t place, bool spins, float scale)
{
    trn_body_def def = trn_body_def_default();
    trn_body id;
    def.position.x = 10.0 * place;
    def.sleep_scale = scale;
    def.linear_damping = def.angular_damping = 1.0f;
    if (!spins)
        def.velocity.x = 2.0f;
#if TR_DIMENSION == 2
    else
        def.angular_velocity = 2.0f;
#else
    else
        def.angular_velocity.z = 2.0f;
#endif
    walk_ok(world, trn_world_create_body(world, &def, &id));
    return id;
}

static void worlds_sleep_unless_they_say_otherwise(void **state)
{
    (void)state;
    for (uint32_t off = 0; off < 2; off++) {
        trn_world_def def = trn_world_def_default();
        trn_world *world = NULL;
        assert_true(def.sleep.enable);
        def.gravity.y = 0.0f;
        def.threads = 1;
        if (off == 1)
            def.sleep.enable = false;
        walk_ok(NULL, trn_world_create(&def, &world, NULL));
        trn_body_def body = trn_body_def_default();
        trn_body id;
        walk_ok(world, trn_world_create_body(world, &body, &id));
        scale_steps(world, 60);
        assert_int_equal(scale_is_awake(world, id), off == 1);
        trn_world_destroy(world);
    }
}

/* A speed that decays as exp(-t) is less than a threshold that is twice as large log(2) s sooner. */
static void the_larger_its_scale_the_sooner_a_body_sleeps(void **state)
{
    (void)state;
    static const float scales[] = {0.5f, 1.0f, 2.0f, 4.0f, 16.0f};
    enum { BODIES = sizeof scales / sizeof scales[0] };
    for (uint32_t spins = 0; spins < 2; spins++) {
        trn_world *world = scale_world(0.0f);
        uint32_t slept[BODIES] = {0};
        trn_body ids[BODIES], never = scale_braked(world, BODIES, spins == 1, 0.0f);
        for (uint32_t i = 0; i < BODIES; i++)
            ids[i] = scale_braked(world, i, spins == 1, scales[i]);
        for (uint32_t step = 1; step <= 1200; step++) {
            scale_steps(world, 1);
            for (uint32_t i = 0; i < BODIES; i++)
                slept[i] = slept[i] == 0 && !scale_is_awake(world, ids[i]) ? step : slept[i];
        }
        const double threshold = spins == 1 ? 0.1 : 0.05;
        for (uint32_t i = 0; i < BODIES; i++) {
            /* damping is implicit; and islands are searched every eight steps */
            double at = log(2.0 / (threshold * (double)scales[i])) + 0.5, is = slept[i] * SCALE_DT;
            if (!(is > at - 0.02 && is < at + 0.2))
                fail_msg("scale %g: sleeps after %g s, not %g", (double)scales[i], is, at);
        }
        /* it is all but still, and yet */
        assert_true(scale_is_awake(world, never));
        walk_ok(world, trn_body_set_sleep_scale(world, never, 1.0f));
        scale_steps(world, 60);
        assert_false(scale_is_awake(world, never));
        trn_world_destroy(world);
    }
}

/* joins two bodies in the middle between them */
static inline void scale_join(trn_world *world, trn_body a, trn_body b, double apart)
{
    trn_joint_def def = trn_joint_def_default(SCALE_HINGE);
    def.body_a = a;
    def.body_b = b;
    def.anchor_a.x = (float)(0.5 * apart);
    def.anchor_b.x = (float)(-0.5 * apart);
    walk_ok(world, trn_world_create_joint(world, &def, NULL));
}

static void the_least_willing_body_decides_for_its_island(void **state)
{
    (void)state;
    trn_world *world = scale_world(0.0f);
    trn_body pair[2] = {scale_braked(world, 0, false, 16.0f), scale_braked(world, 1, false, 1.0f)};
    trn_body alone = scale_braked(world, 3, false, 16.0f);
    scale_join(world, pair[0], pair[1], 10.0);
    /* 0.8 m/s after 0.9 s, 0.05 m/s after 3.7 s */
    scale_steps(world, 120);
    assert_true(!scale_is_awake(world, alone) && scale_is_awake(world, pair[0]) && scale_is_awake(world, pair[1]));
    scale_steps(world, 180);
    assert_true(!scale_is_awake(world, pair[0]) && !scale_is_awake(world, pair[1]));
    trn_world_destroy(world);
}

/*
 * A chain that creaks: it hangs, its lowest link was touched, and without damping it swings a little for minutes. At the
 * default it stays awake; where its links are said to rest at more than that, it sleeps.
 */
enum { CREAKING = 12, CREAKS = 1200 };

static inline trn_world *scale_creaking(float scale)
{
    trn_world *world = scale_world(9.81f);
    trn_body above = {0, 0, 0};
    for (uint32_t i = 0; i <= CREAKING; i++) {
        trn_body_def def = trn_body_def_default();
        trn_joint_def joint = trn_joint_def_default(SCALE_HINGE);
        trn_body id;
        def.type = i == 0 ? TR_STATIC : TR_DYNAMIC;
        def.position.y = -0.5 * i;
        def.velocity.x = i == CREAKING ? 0.6f : 0.0f;
        def.sleep_scale = scale;
        walk_ok(world, trn_world_create_body(world, &def, &id));
        joint.body_a = above;
        joint.body_b = id;
        joint.anchor_a.y = -0.25f;
        joint.anchor_b.y = 0.25f;
        if (i > 0)
            walk_ok(world, trn_world_create_joint(world, &joint, NULL));
        above = id;
    }
    return world;
}

/* m/s, the greatest speed of a body */
static inline double scale_fastest(const trn_world *world)
{
    trn_body_view view = trn_world_bodies(world);
    double most = 0.0;
    for (uint32_t row = 0; row < view.count; row++)
        most = fmax(most, hypot((double)view.velocity_x[row], (double)view.velocity_y[row]));
    return most;
}

/* the step after which the chain sleeps, 0: it does not; and the least of its greatest speed in the last second */
static inline uint32_t scale_creak(float scale, double *least)
{
    trn_world *world = scale_creaking(scale);
    uint32_t slept = 0;
    *least = INFINITY;
    for (uint32_t step = 1; step <= CREAKS && slept == 0; step++) {
        scale_steps(world, 1);
        *least = step > CREAKS - 60 ? fmin(*least, scale_fastest(world)) : *least;
        slept = trn_world_statistics(world).sleeping_bodies > 0 ? step : 0;
    }
    assert_int_equal(trn_world_statistics(world).sleeping_bodies, slept > 0 ? CREAKING : 0);
    trn_world_destroy(world);
    return slept;
}

static void a_chain_that_creaks_sleeps_if_its_scale_says_so(void **state)
{
    (void)state;
    double least, none;
    assert_int_equal(scale_creak(1.0f, &least), 0);
    /* it does creak */
    assert_true(least > 0.05);
    assert_in_range(scale_creak(4.0f, &none), 30, 600);
}

/* The correction of joints moves bodies, and no velocity of it remains: here by the error times 0.54/s. What it still
   moves faster than the threshold is not at rest. */
static void what_is_still_being_moved_into_place_is_not_at_rest(void **state)
{
    (void)state;
    trn_world *world = scale_world(0.0f);
    walk_ok(world, trn_world_set_joint_softness(world, 2.0f, 2.0f));
    trn_body_def def = trn_body_def_default();
    trn_joint_def joint = trn_joint_def_default(SCALE_HINGE);
    def.type = TR_STATIC;
    walk_ok(world, trn_world_create_body(world, &def, &joint.body_a));
    def.type = TR_DYNAMIC;
    walk_ok(world, trn_world_create_body(world, &def, &joint.body_b));
    joint.anchor_a.x = 2.0f;
    walk_ok(world, trn_world_create_joint(world, &joint, NULL));
    trn_transform pose = {0};
    uint32_t slept = 0;
    double fastest = 0.0;
    for (uint32_t step = 1; step <= 1200 && slept == 0; step++) {
        scale_steps(world, 1);
        fastest = fmax(fastest, scale_fastest(world));
        slept = scale_is_awake(world, joint.body_b) ? 0 : step;
    }
    walk_ok(world, trn_body_get_transform(world, joint.body_b, &pose));
    /* 1 m/s in the beginning, 0.05 m/s at 1.91 m */
    assert_true(fastest < 1e-3);
    assert_in_range(slept, 200, 600);
    assert_true(pose.position.x > 1.9);
    trn_world_destroy(world);
}

static void scales_are_read_as_they_were_set(void **state)
{
    (void)state;
    trn_world *world = scale_world(0.0f);
    float is = 7.0f;
    trn_body first = scale_braked(world, 0, false, 1.0f);
    walk_ok(world, trn_body_get_sleep_scale(world, first, &is));
    assert_true(is == 1.0f);
    trn_body second = scale_braked(world, 1, false, 3.5f);
    walk_ok(world, trn_body_set_sleep_scale(world, first, 0.25f));
    walk_ok(world, trn_body_get_sleep_scale(world, first, &is));
    assert_true(is == 0.25f);
    trn_body_def def;
    walk_ok(world, trn_body_get(world, second, &def));
    assert_true(def.sleep_scale == 3.5f);
    trn_body_view view = trn_world_bodies(world);
    for (uint32_t row = 0; row < view.count; row++)
        assert_true(view.sleep_scale[row] == (view.id[row].index == first.index ? 0.25f : 3.5f));
    /* what is refused changes nothing */
    assert_int_equal(trn_body_set_sleep_scale(world, second, -1.0f), TR_ERROR_NEGATIVE);
    assert_int_equal(trn_body_set_sleep_scale(world, second, NAN), TR_ERROR_NAN);
    assert_int_equal(trn_body_set_sleep_scale(world, second, INFINITY), TR_ERROR_INFINITE);
    assert_int_equal(trn_body_get_sleep_scale(world, second, NULL), TR_ERROR_NULL);
    assert_int_equal(trn_body_set_sleep_scale(NULL, second, 1.0f), TR_ERROR_NULL);
    def.sleep_scale = -1.0f;
    assert_int_equal(trn_body_set(world, second, &def), TR_ERROR_NEGATIVE);
    walk_ok(world, trn_body_get_sleep_scale(world, second, &is));
    assert_true(is == 3.5f);
    /* setting it wakes nothing */
    walk_ok(world, trn_body_set_awake(world, second, false));
    walk_ok(world, trn_body_set_sleep_scale(world, second, 0.0f));
    scale_steps(world, 60);
    assert_false(scale_is_awake(world, second));
    walk_ok(world, trn_body_set_awake(world, second, true));
    scale_steps(world, 300);
    assert_true(scale_is_awake(world, second));
    trn_world_destroy(world);
}

/* by snapshots, and by scenes of the world */
static void scales_are_kept(void **state)
{
    (void)state;
    trn_world *world = scale_world(0.0f), *other = scale_world(0.0f);
    trn_body id = scale_braked(world, 0, false, 3.5f);
    (void)scale_braked(world, 1, false, 1.0f);
    scale_steps(world, 10);
    walk_state saved = walk_save(world);
    walk_ok(other, trn_world_restore(other, saved.bytes, saved.size));
    float is = 0.0f;
    walk_ok(other, trn_body_get_sleep_scale(other, id, &is));
    assert_true(is == 3.5f);
    for (uint32_t i = 0; i < 300; i++) {
        scale_steps(world, 1);
        scale_steps(other, 1);
        assert_true(trn_world_state_hash(world) == trn_world_state_hash(other));
        assert_int_equal(scale_is_awake(world, id), scale_is_awake(other, id));
    }
    assert_false(scale_is_awake(world, id));
    free(saved.bytes);
    tr_error error;
    trn_scene *scene = NULL;
    walk_ok(world, trn_scene_capture(world, &scene, &error));
    assert_true(scene->sleep.enable && scene->bodies[0].def.sleep_scale == 3.5f);
    assert_true(scene->bodies[1].def.sleep_scale == 1.0f);
    trn_scene_destroy(scene);
    trn_world_destroy(world);
    trn_world_destroy(other);
}

#define SLEEP_SCALE_TESTS                                                                                              \
    cmocka_unit_test(worlds_sleep_unless_they_say_otherwise),                                                          \
        cmocka_unit_test(the_larger_its_scale_the_sooner_a_body_sleeps),                                               \
        cmocka_unit_test(the_least_willing_body_decides_for_its_island),                                               \
        cmocka_unit_test(a_chain_that_creaks_sleeps_if_its_scale_says_so),                                             \
        cmocka_unit_test(what_is_still_being_moved_into_place_is_not_at_rest),                                         \
        cmocka_unit_test(scales_are_read_as_they_were_set), cmocka_unit_test(scales_are_kept)

#endif
