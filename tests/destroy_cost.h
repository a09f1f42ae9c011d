/*
 * Destroying takes time in proportion to what is destroyed, in any order, one by one or in a batch: joints of a hub,
 * joints side by side, and the bodies that they hold. So does the first step, which looks for what is strained and lays all out.
 * Times of a size and of four times that are compared: linear work takes four times as long, quadratic work sixteen
 * times. Each is the shortest of some tries, in time of the processor.
 *
 * The including file has TR_DIMENSION, and JOINT_TYPE: one of which many may hold a body.
 */
#ifndef TR_TESTS_DESTROY_COST_H
#define TR_TESTS_DESTROY_COST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "instrumented.h"
#include "random.h"
#include "world/core/world_internal.h"

enum { SMALL = 2000, LARGE = 4 * SMALL, TRIES = 5, ROUNDS = 4 };
#define MOST_TIMES 9.0

typedef enum destroy_order { FIRST_ONE, LAST_ONE, ANY_ONE, AT_ONCE, ORDER_COUNT } destroy_order;

static const char *const order_names[] = {"from the first", "from the last", "at random", "at once"};

/* the order in which `count` things go */
static inline uint32_t *order_of(destroy_order order, uint32_t count)
{
    uint32_t *out = calloc(count, sizeof *out);
    uint64_t random = 7;
    assert_non_null(out);
    for (uint32_t i = 0; i < count; i++)
        out[i] = order == LAST_ONE ? count - 1 - i : i;
    for (uint32_t i = count; order == ANY_ONE && i > 1; i--) {
        uint32_t k = random_index(&random, i), kept = out[k];
        out[k] = out[i - 1];
        out[i - 1] = kept;
    }
    return out;
}

/* seconds for one size */
typedef double time_fn(const void *of, destroy_order order, uint32_t count);

static inline double least_time(time_fn *run, const void *of, destroy_order order, uint32_t count)
{
    double least = run(of, order, count);
    for (uint32_t i = 1; i < TRIES; i++) {
        double seconds = run(of, order, count);
        least = seconds < least ? seconds : least;
    }
    return least;
}

static inline void check_order(const char *what, time_fn *run, const void *of, destroy_order order)
{
    double small = 0.0, large = 1.0;
    /* below a millisecond the clock says nothing; a process beside this one may spoil all tries of a round */
    for (int round = 0; round < ROUNDS && large > 1e-3 && large > MOST_TIMES * small; round++) {
        small = least_time(run, of, order, SMALL);
        large = least_time(run, of, order, LARGE);
    }
    if (large > 1e-3 && large > MOST_TIMES * small)
        fail_msg("%s, %s: %.6f s, and %.6f s for four times as many", what, order_names[order], small, large);
}

static inline void check_linear(const char *what, time_fn *run, const void *of)
{
    for (destroy_order order = 0; order < ORDER_COUNT; order++)
        check_order(what, run, of, order);
}

typedef struct joints_case {
    const char *name;
    bool beside;  /* all between the same two bodies */
    bool bodies;  /* the bodies go, and take the joints along */
    bool stepped; /* before */
    bool soft;
    tr_body_type hub;
} joints_case;

static inline double time_joints(const void *of, destroy_order order, uint32_t count)
{
    const joints_case *it = of;
    trn_world_def def = trn_world_def_default();
    def.threads = 1;
    trn_world *world = NULL;
    assert_int_equal(trn_world_create(&def, &world, NULL), TR_OK);
    trn_body_def body = trn_body_def_default();
    trn_joint_def joint = trn_joint_def_default(JOINT_TYPE);
    trn_body *bodies = calloc(count, sizeof *bodies);
    trn_joint *joints = calloc(count, sizeof *joints);
    uint32_t *next = order_of(order, count);
    assert_true(bodies != NULL && joints != NULL);
    if (it->soft)
        joint.linear = tr_frequency(5.0f, 1.0f);
    body.type = it->hub;
    assert_int_equal(trn_world_create_body(world, &body, &joint.body_a), TR_OK);
    body.type = TR_DYNAMIC;
    for (uint32_t i = 0; i < count; i++) {
        body.position.x = 0.01 * (double)i;
        bodies[i] = bodies[0];
        if (i == 0 || !it->beside)
            assert_int_equal(trn_world_create_body(world, &body, &bodies[i]), TR_OK);
        joint.body_b = bodies[i];
        assert_int_equal(trn_world_create_joint(world, &joint, &joints[i]), TR_OK);
    }
    if (it->stepped)
        assert_int_equal(trn_world_step(world, 1.0 / 60.0, 1), TR_OK);
    clock_t begin = clock();
    if (order == AT_ONCE)
        assert_int_equal(it->bodies ? trn_world_destroy_bodies(world, bodies, count)
                                    : trn_world_destroy_joints(world, joints, count),
                         TR_OK);
    for (uint32_t i = 0; i < count && order != AT_ONCE; i++)
        assert_int_equal(it->bodies ? trn_world_destroy_body(world, bodies[next[i]])
                                    : trn_world_destroy_joint(world, joints[next[i]]),
                         TR_OK);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    trn_world_destroy(world);
    free(bodies);
    free(joints);
    free(next);
    return seconds;
}

static void joints_go_in_linear_time(void **state)
{
    (void)state;
    static const joints_case cases[] = {
        {.name = "joints of a hub", .stepped = true, .hub = TR_DYNAMIC},
        {.name = "joints of a fixed hub", .stepped = true, .hub = TR_STATIC},
        {.name = "joints of a hub that has not been stepped", .hub = TR_DYNAMIC},
        {.name = "joints side by side", .beside = true, .hub = TR_DYNAMIC},
        {.name = "joints side by side that hold a body to the world", .beside = true, .hub = TR_STATIC},
        {.name = "springs side by side", .beside = true, .soft = true, .hub = TR_DYNAMIC},
        {.name = "bodies around a hub", .bodies = true, .stepped = true, .hub = TR_DYNAMIC},
        {.name = "bodies around a fixed hub", .bodies = true, .stepped = true, .hub = TR_STATIC},
    };
    if (TR_ADDRESS_SANITIZER || TR_THREAD_SANITIZER)
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_linear(cases[i].name, time_joints, &cases[i]);
}

/*
 * The first step
 */
typedef struct step_case {
    const char *name;
    uint32_t bodies; /* in a chain; the first is of this type */
    tr_body_type first;
    float last; /* mass of the last one, kg */
} step_case;

/* of a chain of bodies, each of which hangs on the one before it by as many joints side by side; in any order */
static inline double time_first_step(const void *of, destroy_order order, uint32_t count)
{
    const step_case *it = of;
    trn_world_def def = trn_world_def_default();
    def.threads = 1;
    trn_world *world = NULL;
    assert_int_equal(trn_world_create(&def, &world, NULL), TR_OK);
    trn_body *bodies = calloc(it->bodies, sizeof *bodies);
    trn_joint_def *joints = calloc(count, sizeof *joints);
    uint32_t *next = order_of(order, count);
    assert_true(bodies != NULL && joints != NULL);
    for (uint32_t i = 0; i < it->bodies; i++) {
        trn_body_def body = trn_body_def_default();
        body.type = i == 0 ? it->first : TR_DYNAMIC;
        body.position.y = -(double)i;
        body.mass = i + 1 == it->bodies ? it->last : 1.0f;
        assert_int_equal(trn_world_create_body(world, &body, &bodies[i]), TR_OK);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t upper = next[i] % (it->bodies - 1);
        joints[i] = trn_joint_def_default(JOINT_TYPE);
        joints[i].body_a = bodies[upper];
        joints[i].body_b = bodies[upper + 1];
        joints[i].anchor_b.y = 1.0f;
    }
    assert_int_equal(trn_world_create_joints(world, joints, count, NULL), TR_OK);
    clock_t begin = clock();
    assert_int_equal(trn_world_step(world, 1.0 / 60.0, 1), TR_OK);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    trn_world_destroy(world);
    free(bodies);
    free(joints);
    free(next);
    return seconds;
}

static void the_first_step_takes_linear_time(void **state)
{
    (void)state;
    static const step_case cases[] = {
        {"a first step with joints side by side", 2, TR_DYNAMIC, 1.0f},
        {"a first step with joints side by side on a fixed body", 2, TR_STATIC, 1.0f},
        {"a first step with a chain of joints side by side", 10, TR_STATIC, 100.0f},
        {"a first step with three bodies that take turns", 3, TR_DYNAMIC, 1.0f},
    };
    if (TR_ADDRESS_SANITIZER || TR_THREAD_SANITIZER)
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_order(cases[i].name, time_first_step, &cases[i], FIRST_ONE);
        check_order(cases[i].name, time_first_step, &cases[i], ANY_ONE);
    }
}

#endif
