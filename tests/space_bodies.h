/* A world in space with one body, and random tensors, for tests. */
#ifndef TR_TEST_SPACE_BODIES_H
#define TR_TEST_SPACE_BODIES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "allocator.h"
#include "random.h"
#include "solver/core/system.h"
#include "trammel/statistics3.h"

typedef struct fixture {
    test_allocator allocator;
    tr3_world *world;
    tr3_body a; /* in the origin, with the defaults */
} fixture;

static inline void assert_ok(const tr3_world *world, tr_status status)
{
    if (status != TR_OK)
        fail_msg("%s", tr3_world_last_error(world)->message);
}

static inline int set_up(void **state)
{
    static fixture it;
    it = (fixture){0};
    tr3_world_def def = tr3_world_def_default();
    def.allocator = test_hooks(&it.allocator);
    def.tag = 7;
    assert_int_equal(tr3_world_create(&def, &it.world, NULL), TR_OK);
    tr3_body_def body = tr3_body_def_default();
    assert_ok(it.world, tr3_world_create_body(it.world, &body, &it.a));
    *state = &it;
    return 0;
}

static inline int tear_down(void **state)
{
    fixture *it = *state;
    tr3_world_destroy(it->world);
    assert_int_equal(it->allocator.held, 0);
    assert_int_equal(it->allocator.mismatches, 0);
    return 0;
}

/* a call fails with this sentence, and leaves the state as it was */
#define REJECT(world, call, expected, sentence)                                                                        \
    do {                                                                                                               \
        uint64_t before = tr3_world_state_hash(world);                                                                 \
        assert_int_equal(call, expected);                                                                              \
        assert_int_equal(tr3_world_last_error(world)->status, expected);                                               \
        assert_string_equal(tr3_world_last_error(world)->message, sentence);                                           \
        assert_true(tr3_world_state_hash(world) == before);                                                            \
    } while (0)

#define NEAR(a, b, slack) assert_true(fabs((double)(a) - (double)(b)) <= (slack))

/* -1 to 1 */
static inline double random_number(uint64_t *state)
{
    return (double)random_index(state, 2000001) / 1e6 - 1.0;
}

static inline tr3_dquat random_rotation(uint64_t *state)
{
    tr3_dquat q;
    do
        q = (tr3_dquat){random_number(state), random_number(state), random_number(state), random_number(state)};
    while (tr3_quat_square(q) < 0.01);
    return tr3_normalised(q);
}

/* the tensor with these moments about the axes that a rotation makes of x, y and z */
static inline tr_sym3 tensor_of(tr3_dquat q, double x, double y, double z)
{
    const double moment[3] = {x, y, z};
    const tr_dvec3 axis[3] = {tr3_turned(q, (tr_dvec3){1.0, 0.0, 0.0}), tr3_turned(q, (tr_dvec3){0.0, 1.0, 0.0}),
                              tr3_turned(q, (tr_dvec3){0.0, 0.0, 1.0})};
    double sum[6] = {0};
    for (int i = 0; i < 3; i++) {
        const tr_dvec3 n = axis[i];
        const double part[6] = {n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z};
        for (int k = 0; k < 6; k++)
            sum[k] += moment[i] * part[k];
    }
    return (tr_sym3){(float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3], (float)sum[4], (float)sum[5]};
}

static inline void assert_near_tensor(tr_sym3 a, tr_sym3 b, double slack)
{
    NEAR(a.xx, b.xx, slack);
    NEAR(a.yy, b.yy, slack);
    NEAR(a.zz, b.zz, slack);
    NEAR(a.xy, b.xy, slack);
    NEAR(a.xz, b.xz, slack);
    NEAR(a.yz, b.yz, slack);
}

static inline bool is_same_tensor(tr_sym3 a, tr_sym3 b)
{
    return tr3_is_same_inertia(a, b);
}

static inline bool is_same_quat(tr_quat a, tr_quat b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

/* three odd moments that some body has: the third between the difference and the sum of the others */
static inline void random_moments(uint64_t *state, double *x, double *y, double *z)
{
    *x = 1.5 + random_number(state);
    *y = 1.5 + random_number(state);
    *z = fabs(*x - *y) + (0.5 + 0.49 * random_number(state)) * (*x + *y - fabs(*x - *y));
}

#endif
