/* Rays against brute force: every shape of a world looked at one by one, where its body is, by the geometry alone. */
#include "query_world.h"

static tr2_cast_result cast_at(const placed *shape, const rays *it, uint32_t i)
{
    return tr2_geometry_ray_cast(shape->geometry, local_of(shape, it->x[i], it->y[i]),
                                 turned_back(shape, (double)it->translation_x[i], (double)it->translation_y[i]));
}

/* whether a ray all but grazes a shape: then rounding decides */
static bool grazes(const placed *shape, const rays *it, uint32_t i)
{
    float length = hypotf(it->translation_x[i], it->translation_y[i]);
    for (uint32_t k = 0; k < 4; k++) {
        rays moved = {.x = {0}};
        double aside = (k % 2 == 0 ? 1e-4 : -1e-4) / (double)(length > 0.0f ? length : 1.0f);
        double longer = k < 2 ? 1.0 : k == 2 ? 1.0001 : 0.9999;
        moved.x[0] = it->x[i] - (k < 2 ? aside * (double)it->translation_y[i] : 0.0);
        moved.y[0] = it->y[i] + (k < 2 ? aside * (double)it->translation_x[i] : 0.0);
        moved.translation_x[0] = it->translation_x[i] * (float)longer;
        moved.translation_y[0] = it->translation_y[i] * (float)longer;
        if (cast_at(shape, &moved, 0).hit != cast_at(shape, it, i).hit)
            return true;
    }
    return false;
}

static uint32_t check_ray(const placed *shapes, uint32_t count, const rays *it, uint32_t i, tr2_shape id,
                          float fraction, bool any)
{
    tr2_cast_result best = {.fraction = 2.0f};
    uint32_t which = UINT32_MAX;
    double length = hypot((double)it->translation_x[i], (double)it->translation_y[i]);
    for (uint32_t k = 0; k < count; k++) {
        if (!shapes[k].wanted)
            continue;
        tr2_cast_result one = cast_at(&shapes[k], it, i);
        if (shapes[k].id.index == id.index && one.hit && fabs((double)(fraction - one.fraction)) * length > NEAR)
            fail_msg("ray %u hits its shape at %g, not %g", i, (double)one.fraction, (double)fraction);
        if (one.hit && one.fraction < best.fraction && !(id.index == 0 && grazes(&shapes[k], it, i))) {
            best = one;
            which = k;
        }
    }
    assert_int_equal(any, id.index != 0);
    if (which == UINT32_MAX)
        return id.index != 0;
    if (id.index == 0)
        fail_msg("ray %u misses shape %u at %g", i, shapes[which].id.index, (double)best.fraction);
    if ((double)(fraction - best.fraction) * length > NEAR && !grazes(&shapes[which], it, i))
        fail_msg("ray %u hits at %g, shape %u is at %g", i, (double)fraction, shapes[which].id.index,
                 (double)best.fraction);
    return 1;
}

static uint32_t check_rays(const tr2_world *world, uint64_t *seed, double far)
{
    static rays it;
    static placed shapes[MOST];
    static tr2_shape id[RAYS];
    static float fraction[RAYS], normal_x[RAYS], normal_y[RAYS];
    static double x[RAYS], y[RAYS];
    static bool any[RAYS];
    tr2_hits hits = {id, fraction, x, y, normal_x, normal_y};
    tr2_query query = draw_query(seed);
    uint32_t count = list_shapes(world, &query, shapes), hit = 0;
    draw_rays(&it, seed, far);
    tr_error error;
    assert_int_equal(tr2_world_cast_rays(world, &it.batch, &query, &hits, &error), TR_OK);
    assert_int_equal(tr2_world_test_rays(world, &it.batch, &query, any, &error), TR_OK);
    for (uint32_t i = 0; i < RAYS; i++) {
        hit += check_ray(shapes, count, &it, i, id[i], fraction[i], any[i]);
        /* the point is where the fraction says, the normal looks back */
        assert_true(fabs(x[i] - it.x[i] - (double)(fraction[i] * it.translation_x[i])) < NEAR);
        assert_true(fabs(y[i] - it.y[i] - (double)(fraction[i] * it.translation_y[i])) < NEAR);
        float square = normal_x[i] * normal_x[i] + normal_y[i] * normal_y[i];
        if (id[i].index != 0 && fraction[i] > 0.0f) {
            assert_true(fabsf(square - 1.0f) < 1e-4f);
            assert_true(normal_x[i] * it.translation_x[i] + normal_y[i] * it.translation_y[i] <= 1e-3f);
        }
    }
    return hit;
}

static void rays_hit_what_brute_force_says(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 1;
    uint32_t hit = 0, rounds = 0;
    for (uint32_t run = 0; run < 2; run++) {
        double far = run == 0 ? 0.0 : 1e5;
        tr2_body bodies[BODIES];
        fill(world, &seed, bodies, far);
        for (uint32_t round = 0; round < 26; round++, rounds++) {
            /* before any step, after edits, after steps, after both */
            if (round % 3 == 1)
                assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
            if (round % 3 != 0 || round == 24)
                edit(world, &seed, bodies, far);
            if (round % 6 == 4)
                assert_ok(world, tr2_world_step(world, 1.0 / 10.0, 4));
            hit += check_rays(world, &seed, far);
        }
        for (uint32_t i = 0; i < BODIES; i++)
            assert_ok(world, tr2_world_destroy_body(world, bodies[i]));
    }
    /* 104,000 rays, of which many hit and many miss */
    assert_in_range(hit, rounds * RAYS / 4, rounds * RAYS * 9 / 10);
}

static void rays_through_a_world_list_all_that_they_hit(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 3;
    tr2_body bodies[BODIES];
    static rays it;
    static placed shapes[MOST];
    static tr2_hit all[64 * RAYS], some[1000];
    static uint32_t first[RAYS + 1], short_first[RAYS + 1];
    fill(world, &seed, bodies, 0.0);
    draw_rays(&it, &seed, 0.0);
    tr2_query query = draw_query(&seed);
    uint32_t count = list_shapes(world, &query, shapes);
    assert_int_equal(tr2_world_cast_rays_through(world, &it.batch, &query, all, 64 * RAYS, first, NULL), TR_OK);
    assert_in_range(first[RAYS], RAYS, 64 * RAYS);
    for (uint32_t i = 0; i < RAYS; i++) {
        uint32_t found = 0, doubtful = 0;
        for (uint32_t k = 0; k < count; k++) {
            bool hits = shapes[k].wanted && cast_at(&shapes[k], &it, i).hit;
            bool listed = false;
            for (uint32_t h = first[i]; h < first[i + 1]; h++)
                listed = listed || all[h].shape.index == shapes[k].id.index;
            if (hits != listed)
                assert_true(shapes[k].wanted && grazes(&shapes[k], &it, i));
            doubtful += hits != listed;
            found += hits;
        }
        assert_in_range(first[i + 1] - first[i] + doubtful, found, found + 2 * doubtful);
        for (uint32_t h = first[i]; h < first[i + 1]; h++) {
            assert_int_equal(all[h].index, i);
            if (h > first[i])
                assert_true(all[h - 1].fraction < all[h].fraction ||
                            (all[h - 1].fraction == all[h].fraction && all[h - 1].shape.index < all[h].shape.index));
        }
    }
    /* without room for all: the counts are those, and what is there are the nearest of each */
    assert_int_equal(tr2_world_cast_rays_through(world, &it.batch, &query, some, 1000, short_first, NULL), TR_OK);
    assert_memory_equal(first, short_first, sizeof first);
    for (uint32_t h = 0; h < 1000; h++)
        assert_int_equal(some[h].shape.index, all[h].shape.index);
    assert_int_equal(tr2_world_cast_rays_through(world, &it.batch, &query, NULL, 0, short_first, NULL), TR_OK);
    assert_memory_equal(first, short_first, sizeof first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rays_hit_what_brute_force_says, setup, teardown),
        cmocka_unit_test_setup_teardown(rays_through_a_world_list_all_that_they_hit, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
