/* What bodies weigh, if their shapes come and go one by one: the same bits, in time that grows with their number. */
#include <time.h>

#include "shape_fixture.h"
#include "weightless.h"

enum { MANY = 30000 };

static void assert_same_mass(const tr2_world *world, tr2_body a, tr2_body b)
{
    tr2_body_def one = body_now(world, a), other = body_now(world, b);
    assert_true(one.mass == other.mass && one.inertia == other.inertia);
    assert_true(one.center.x == other.center.x && one.center.y == other.center.y);
}

/* shape i of a row of unequal shapes; some weigh nothing */
static tr2_shape_def one_of_many(tr2_body body, uint32_t i)
{
    float x = 0.37f * (float)i;
    tr2_shape_def def = i % 3 == 0   ? weightless(tr2_circle_on(body, (tr_vec2){x, 1.0f}, 0.1f))
                        : i % 3 == 1 ? weightless(tr2_offset_box_on(body, 0.2f, 0.1f, (tr_vec2){x, 0.0f}, 0.8f, 0.6f))
                                     : tr2_segment_on(body, (tr_vec2){x, 0.0f}, (tr_vec2){x, 1.0f});
    def.density = i % 7 == 0 ? 0.0f : 1.0f + 0.1f * (float)(i % 5);
    return def;
}

static void one_by_one_weighs_what_a_batch_does(void **state)
{
    tr2_world *world = world_of(state);
    const tr_body_type types[] = {TR_STATIC, TR_KINEMATIC, TR_DYNAMIC};
    for (uint32_t t = 0; t < 3; t++) {
        tr2_body single = make(world, types[t], 1.0, 2.0), batch = make(world, types[t], 1.0, 2.0);
        tr2_body other = make(world, types[t], 0.0, 0.0);
        tr2_shape_def defs[50];
        tr2_shape ids[50];
        for (uint32_t i = 0; i < 50; i++) {
            defs[i] = one_of_many(batch, i);
            ids[i] = add(world, one_of_many(single, i));
            /* another body between them, a failure, and a shape that does not stay */
            if (i % 10 == 5)
                add(world, one_of_many(other, i));
            if (i % 10 == 6) {
                tr2_shape_def wrong[2] = {one_of_many(single, 1), one_of_many(single, 1)};
                wrong[1].density = NAN;
                assert_int_equal(tr2_world_create_shapes(world, wrong, 2, NULL), TR_ERROR_NAN);
            }
            if (i % 10 == 7)
                assert_ok(world, tr2_world_destroy_shape(world, add(world, one_of_many(single, 4))));
        }
        assert_ok(world, tr2_world_create_shapes(world, defs, 50, NULL));
        assert_same_mass(world, single, batch);

        /* without its oldest half, as if that had never been */
        tr2_body half = make(world, types[t], 1.0, 2.0);
        assert_ok(world, tr2_world_destroy_shapes(world, ids, 25));
        for (uint32_t i = 0; i < 25; i++)
            defs[i] = one_of_many(half, 25 + i);
        assert_ok(world, tr2_world_create_shapes(world, defs, 25, NULL));
        assert_same_mass(world, single, half);
    }
}

static void static_bodies_are_weighed_when_they_need_it(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body level = make(world, TR_STATIC, 3.0, 4.0);
    tr2_shape_def box = tr2_offset_box_on(level, 0.5f, 0.5f, (tr_vec2){2.0f, 0.0f}, 1.0f, 0.0f);
    box.density = 5.0f;
    tr2_shape id = add(world, box);
    float mass, inertia;
    tr_vec2 center;
    assert_ok(world, tr2_body_get_mass(world, level, &mass, &inertia, &center));
    assert_true(mass == 5.0f && fabsf(inertia - 5.0f / 6.0f) < 1e-6f && center.x == 2.0f && center.y == 0.0f);
    assert_true(body_now(world, level).mass == 5.0f && body_now(world, level).position.x == 3.0);

    /* a step computes it for the view */
    assert_ok(world, tr2_world_step(world, 0.01, 1));
    assert_true(tr2_world_bodies(world).mass[0] == 5.0f && tr2_world_bodies(world).local_center_x[0] == 2.0f);

    /* what is set holds until shapes change */
    assert_ok(world, tr2_body_set_mass(world, level, 7.0f, 1.0f, (tr_vec2){0.0f, 0.0f}));
    assert_ok(world, tr2_body_set_type(world, level, TR_DYNAMIC));
    assert_true(body_now(world, level).mass == 7.0f);
    assert_ok(world, tr2_body_set_type(world, level, TR_STATIC));
    box.density = 3.0f;
    assert_ok(world, tr2_shape_set(world, id, &box));
    assert_ok(world, tr2_body_set_type(world, level, TR_KINEMATIC));
    assert_true(body_now(world, level).mass == 3.0f);

    /* a mass that no dynamic body can have */
    assert_ok(world, tr2_body_set_type(world, level, TR_STATIC));
    box.density = 3e38f;
    box.point[2].y = box.point[3].y = 100.0f;
    assert_ok(world, tr2_shape_set(world, id, &box));
    assert_true(body_now(world, level).mass == 3.0f);
    assert_ok(world, tr2_world_step(world, 0.01, 1));
    assert_int_equal(tr2_body_set_type(world, level, TR_DYNAMIC), TR_ERROR_INFINITE);
    assert_string_equal(tr2_world_last_error(world)->message, "body_set_type: mass is infinite");
}

static void a_step_weighs_all_static_bodies_that_are_due(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body bodies[6];
    tr2_shape shapes[6];
    for (uint32_t i = 0; i < 6; i++) {
        bodies[i] = make(world, TR_STATIC, 3.0 * i, 0.0);
        tr2_shape_def box = tr2_box_on(bodies[i], 0.5f, 0.5f);
        /* the first never gets a mass, and is still due when others are */
        box.density = i == 0 ? 3e38f : 2.0f;
        if (i == 0)
            box.point[2].y = box.point[3].y = 100.0f;
        shapes[i] = add(world, box);
    }
    assert_ok(world, tr2_body_set_mass(world, bodies[1], 7.0f, 1.0f, (tr_vec2){0.0f, 0.0f}));
    assert_ok(world, tr2_world_destroy_body(world, bodies[2]));
    assert_ok(world, tr2_world_step(world, 0.01, 1));
    for (uint32_t i = 3; i < 6; i++)
        assert_true(tr2_world_bodies(world).mass[i == 5 ? 2 : i] == 2.0f);
    assert_true(tr2_world_bodies(world).mass[1] == 7.0f);

    tr2_shape_def heavy = tr2_box_on(bodies[4], 0.5f, 0.5f);
    heavy.density = 5.0f;
    assert_ok(world, tr2_shape_set(world, shapes[4], &heavy));
    assert_ok(world, tr2_world_step(world, 0.01, 1));
    assert_true(tr2_world_bodies(world).mass[4] == 5.0f);
}

/* A sum over all shapes for each would be 100 s and more. */
static void assert_linear(clock_t start)
{
    assert_true((double)(clock() - start) / (double)CLOCKS_PER_SEC < 5.0);
}

static void many_shapes_on_one_body_are_weighed_in_linear_time(void **state)
{
    tr2_world *world = world_of(state);
    tr2_shape *ids = calloc(MANY, sizeof *ids);
    assert_non_null(ids);
    for (uint32_t type = TR_STATIC; type <= TR_DYNAMIC; type++) {
        tr2_body body = make(world, (tr_body_type)type, 0.0, 0.0);
        clock_t start = clock();
        for (uint32_t i = 0; i < MANY; i++)
            ids[i] = add(world, one_of_many(body, i));
        assert_linear(start);
        /* each list has another half of the shapes, in which the newest weigh nothing */
        assert_ok(world, tr2_world_destroy_shapes(world, ids, MANY / 2));
        assert_linear(start);
        for (uint32_t i = MANY / 2; type == TR_STATIC && i < MANY; i++)
            assert_ok(world, tr2_world_destroy_shape(world, ids[i]));
        assert_linear(start);
    }
    free(ids);
}

static void many_shapes_on_two_bodies_in_turn_are_weighed_in_linear_time(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body bodies[2] = {make(world, TR_DYNAMIC, 0.0, 0.0), make(world, TR_KINEMATIC, 0.0, 0.0)};
    tr2_body alone = make(world, TR_DYNAMIC, 0.0, 0.0);
    clock_t start = clock();
    for (uint32_t i = 0; i < 2 * MANY; i++)
        add(world, one_of_many(bodies[i % 2], i / 2));
    assert_linear(start);
    for (uint32_t i = 0; i < MANY; i++)
        add(world, one_of_many(alone, i));
    assert_same_mass(world, bodies[0], alone);
    assert_same_mass(world, bodies[1], alone);
}

static void a_refused_change_leaves_the_sum_as_it_was(void **state)
{
    tr2_world *world = world_of(state);
    tr2_body bodies[2] = {make(world, TR_DYNAMIC, 0.0, 0.0), make(world, TR_DYNAMIC, 0.0, 0.0)};
    tr2_shape ids[2][3];
    for (uint32_t b = 0; b < 2; b++) {
        for (uint32_t i = 0; i < 3; i++)
            ids[b][i] = add(world, one_of_many(bodies[b], 3 * i + 1));
    }
    tr2_shape_def wrong = one_of_many(bodies[0], 1);
    wrong.density = 3e38f;
    wrong.point[2].y = wrong.point[3].y = 100.0f;
    assert_int_equal(tr2_shape_set(world, ids[0][1], &wrong), TR_ERROR_INFINITE);
    assert_int_equal(tr2_world_create_shape(world, &wrong, NULL), TR_ERROR_INFINITE);
    const tr2_shape twice[] = {ids[0][0], ids[0][0]};
    assert_int_equal(tr2_world_destroy_shapes(world, twice, 2), TR_ERROR_STALE_ID);
    for (uint32_t b = 0; b < 2; b++)
        add(world, one_of_many(bodies[b], 13));
    assert_same_mass(world, bodies[0], bodies[1]);
}

static void many_chains_on_one_body_are_weighed_in_linear_time(void **state)
{
    tr2_world *world = world_of(state);
    tr2_chain_def chain = tr2_chain_def_default();
    chain.shape.density = 1.0f;
    clock_t start = clock();
    for (uint32_t type = TR_STATIC; type <= TR_DYNAMIC; type++) {
        chain.shape.body = make(world, (tr_body_type)type, 0.0, 0.0);
        for (uint32_t i = 0; i < MANY / 3; i++) {
            tr_vec2 points[4] = {{(float)i, 0.0f}, {(float)i + 0.5f, 0.0f}, {(float)i + 0.5f, 0.5f}, {(float)i, 0.5f}};
            chain.points = points;
            chain.count = 4;
            assert_ok(world, tr2_world_create_chain(world, &chain, NULL));
        }
    }
    assert_linear(start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_by_one_weighs_what_a_batch_does),
        TEST(static_bodies_are_weighed_when_they_need_it),
        TEST(a_step_weighs_all_static_bodies_that_are_due),
        TEST(many_shapes_on_one_body_are_weighed_in_linear_time),
        TEST(many_shapes_on_two_bodies_in_turn_are_weighed_in_linear_time),
        TEST(a_refused_change_leaves_the_sum_as_it_was),
        TEST(many_chains_on_one_body_are_weighed_in_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
