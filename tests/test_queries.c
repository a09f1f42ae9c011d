/* Queries with shapes and points against brute force: every shape of a world looked at one by one, where its body is,
   by the geometry alone. Rays: test_queries_rays.c. */
#include <pthread.h>

#include "hash.h"
#include "query_world.h"
#include "weightless.h"

/*
 * Shapes
 */
static tr2_shape_def query_shape(uint64_t *seed)
{
    tr2_shape_def def = weightless(tr2_shape_def_default((tr2_shape_kind)(draw(seed) * TR2_SHAPE_KIND_COUNT)));
    for (uint32_t i = 0; i < def.point_count; i++)
        def.point[i] = (tr_vec2){def.point[i].x + (float)draw(seed) - 0.5f, def.point[i].y};
    return def;
}

static tr2_geometry geometry_of(tr2_world *world, const tr2_shape_def *def)
{
    /* by way of a shape of a body, which is taken out again */
    tr2_body_def body = tr2_body_def_default();
    body.position.x = 1e6;
    tr2_shape_def made = *def;
    tr2_shape id;
    assert_ok(world, tr2_world_create_body(world, &body, &made.body));
    assert_ok(world, tr2_world_create_shape(world, &made, &id));
    tr2_geometry out;
    const tr2_geometry *geometry = world->shapes.geometry[world->shapes.pool.row[id.index - 1]];
    memcpy(&out, geometry, tr2_geometry_size(geometry));
    assert_ok(world, tr2_world_destroy_body(world, made.body));
    return out;
}

static tr2_transform pose(double x, double y, float angle)
{
    tr2_transform out = {{x, y}, (double)angle, cosf(angle), sinf(angle)};
    return out;
}

static void shapes_that_are_moved_stop_where_brute_force_says(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 5;
    tr2_body bodies[BODIES];
    static rays it;
    static placed shapes[MOST];
    static tr2_shape id[RAYS];
    static float fraction[RAYS], angle[RAYS];
    fill(world, &seed, bodies, 0.0);
    uint32_t hit = 0, missed = 0;
    for (uint32_t round = 0; round < 6; round++) {
        edit(world, &seed, bodies, 0.0);
        if (round % 2 == 0)
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        tr2_shape_def def = query_shape(&seed);
        tr2_geometry moved = geometry_of(world, &def);
        tr2_query query = draw_query(&seed);
        uint32_t count = list_shapes(world, &query, shapes);
        draw_rays(&it, &seed, 0.0);
        for (uint32_t i = 0; i < RAYS; i++)
            angle[i] = 6.0f * (float)draw(&seed);
        tr2_poses from = {RAYS, it.x, it.y, round == 3 ? NULL : angle};
        tr2_hits hits = {id, fraction, NULL, NULL, NULL, NULL};
        assert_int_equal(
            tr2_world_cast_shapes(world, &def, &from, it.translation_x, it.translation_y, &query, &hits, NULL), TR_OK);
        for (uint32_t i = 0; i < RAYS; i++) {
            float best = 2.0f;
            uint32_t which = 0;
            double length = hypot((double)it.translation_x[i], (double)it.translation_y[i]);
            for (uint32_t k = 0; k < count; k++) {
                if (!shapes[k].wanted)
                    continue;
                tr2_transform at = pose(it.x[i], it.y[i], round == 3 ? 0.0f : angle[i]);
                tr2_cast_result one = tr2_geometry_shape_cast_corners(
                    shapes[k].geometry, tr2_pose_between(&shapes[k].frame, &at), &moved,
                    turned_back(&shapes[k], (double)it.translation_x[i], (double)it.translation_y[i]));
                if (one.hit && one.fraction < best) {
                    best = one.fraction;
                    which = k;
                }
            }
            if ((best <= 1.0f) != (id[i].index != 0) ||
                (best <= 1.0f && fabs((double)(best - fraction[i])) * length > NEAR))
                fail_msg("round %u, shape %u stops at %g, should at %g of %g m, on shape %u", round, i,
                         (double)fraction[i], (double)best, length, shapes[which].id.index);
            hit += best <= 1.0f;
            missed += best > 1.0f;
        }
    }
    assert_true(hit > 3000 && missed > 1000);
}

/* m; nearer than this to touching, rounding decides */
#define TOUCHING 3e-4f

static void overlaps_are_those_of_brute_force(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 7;
    tr2_body bodies[BODIES];
    static rays it;
    static placed shapes[MOST];
    static tr2_shape found[64 * RAYS];
    static uint32_t first[RAYS + 1];
    static float angle[RAYS];
    static double upper_x[RAYS], upper_y[RAYS];
    fill(world, &seed, bodies, 0.0);
    for (uint32_t round = 0; round < 9; round++) {
        edit(world, &seed, bodies, 0.0);
        if (round % 2 == 0)
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        tr2_shape_def def = query_shape(&seed);
        tr2_geometry laid = geometry_of(world, &def);
        tr2_query query = draw_query(&seed);
        uint32_t count = list_shapes(world, &query, shapes);
        draw_rays(&it, &seed, 0.0);
        for (uint32_t i = 0; i < RAYS; i++) {
            angle[i] = 6.0f * (float)draw(&seed);
            /* some boxes are lines, some points */
            upper_x[i] = it.x[i] + (draw(&seed) < 0.1 ? 0.0 : 4.0 * draw(&seed));
            upper_y[i] = it.y[i] + (draw(&seed) < 0.1 ? 0.0 : 4.0 * draw(&seed));
        }
        tr2_poses poses = {RAYS, it.x, it.y, angle};
        tr2_boxes boxes = {RAYS, it.x, it.y, upper_x, upper_y};
        tr2_points points = {RAYS, it.x, it.y};
        tr_status status =
            round % 3 == 0   ? tr2_world_overlap_shapes(world, &def, &poses, &query, found, 64 * RAYS, first, NULL)
            : round % 3 == 1 ? tr2_world_overlap_boxes(world, &boxes, &query, found, 64 * RAYS, first, NULL)
                             : tr2_world_overlap_points(world, &points, &query, found, 64 * RAYS, first, NULL);
        assert_int_equal(status, TR_OK);
        assert_in_range(first[RAYS], 50, 64 * RAYS);
        for (uint32_t i = 0; i < RAYS; i++) {
            for (uint32_t h = first[i] + 1; h < first[i + 1]; h++)
                assert_true(found[h - 1].index < found[h].index);
            for (uint32_t k = 0; k < count; k++) {
                bool listed = false;
                for (uint32_t h = first[i]; h < first[i + 1]; h++)
                    listed = listed || found[h].index == shapes[k].id.index;
                float distance;
                if (round % 3 == 2) {
                    tr_vec2 at = local_of(&shapes[k], it.x[i], it.y[i]);
                    bool hollow = shapes[k].geometry->kind == TR2_GEOMETRY_SEGMENT ||
                                  shapes[k].geometry->kind == TR2_GEOMETRY_CHAIN;
                    distance = hollow ? 1.0f : tr2_geometry_nearest(shapes[k].geometry, at).distance;
                } else if (round % 3 == 1) {
                    tr2_geometry box;
                    float x = (float)fmax(0.5 * (upper_x[i] - it.x[i]), 1e-4),
                          y = (float)fmax(0.5 * (upper_y[i] - it.y[i]), 1e-4);
                    assert_int_equal(tr2_geometry_box(1.0f, x, y, (tr_vec2){0.0f, 0.0f}, 1.0f, 0.0f, 0.0f, &box),
                                     TR_OK);
                    tr2_transform at = pose(0.5 * (it.x[i] + upper_x[i]), 0.5 * (it.y[i] + upper_y[i]), 0.0f);
                    distance = tr2_distance(shapes[k].geometry, tr2_pose_between(&shapes[k].frame, &at), &box).distance;
                } else {
                    tr2_transform at = pose(it.x[i], it.y[i], angle[i]);
                    distance =
                        tr2_distance(shapes[k].geometry, tr2_pose_between(&shapes[k].frame, &at), &laid).distance;
                }
                /* a listed one may only be apart by rounding, one that is not listed overlap by no more */
                if (listed && (!shapes[k].wanted || distance > TOUCHING))
                    fail_msg("round %u, entry %u: shape %u is listed, wanted %d, %g m away", round, i,
                             shapes[k].id.index, shapes[k].wanted, (double)distance);
                if (!listed && shapes[k].wanted && distance <= (round % 3 == 2 ? -TOUCHING : 0.0f)) {
                    tr2_transform aside = pose(it.x[i] + 1e-4, it.y[i] + 1e-4, angle[i]);
                    bool doubtful =
                        round % 3 == 0 &&
                        tr2_distance(shapes[k].geometry, tr2_pose_between(&shapes[k].frame, &aside), &laid).distance >
                            0.0f;
                    if (!doubtful)
                        fail_msg("round %u, entry %u: shape %u is not listed", round, i, shapes[k].id.index);
                }
            }
        }
    }
}

static void nearest_shapes_are_those_of_brute_force(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 11;
    tr2_body bodies[BODIES];
    static rays it;
    static placed shapes[MOST];
    static tr2_shape id[RAYS];
    static float distance[RAYS], normal_x[RAYS], normal_y[RAYS];
    static double x[RAYS], y[RAYS];
    const float max_distances[4] = {0.0f, 0.3f, 5.0f, INFINITY};
    uint32_t told_apart = 0;
    fill(world, &seed, bodies, 0.0);
    for (uint32_t round = 0; round < 8; round++) {
        edit(world, &seed, bodies, 0.0);
        if (round % 2 == 0)
            assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
        tr2_query query = draw_query(&seed);
        uint32_t count = list_shapes(world, &query, shapes);
        draw_rays(&it, &seed, 0.0);
        tr2_points points = {RAYS, it.x, it.y};
        tr2_nearest out = {id, distance, x, y, normal_x, normal_y};
        float max_distance = max_distances[round % 4];
        assert_int_equal(tr2_world_nearest_shapes(world, &points, max_distance, &query, &out, NULL), TR_OK);
        for (uint32_t i = 0; i < RAYS; i++) {
            float best = INFINITY, second = INFINITY;
            uint32_t which = 0;
            for (uint32_t k = 0; k < count; k++) {
                if (!shapes[k].wanted)
                    continue;
                float now = tr2_geometry_nearest(shapes[k].geometry, local_of(&shapes[k], it.x[i], it.y[i])).distance;
                second = fminf(second, fmaxf(best, now));
                which = now < best ? k : which;
                best = fminf(best, now);
            }
            if (fabsf(best - max_distance) < TOUCHING)
                continue;
            assert_int_equal(best < max_distance, id[i].index != 0);
            if (id[i].index == 0)
                continue;
            assert_true(fabsf(best - distance[i]) < TOUCHING);
            /* it is that shape, unless another is as near but for rounding */
            if (second - best > TOUCHING) {
                assert_int_equal(id[i].index, shapes[which].id.index);
                told_apart++;
            }
            /* from the point of the surface out along the normal is the point that was asked about */
            assert_true(fabs(x[i] + (double)(distance[i] * normal_x[i]) - it.x[i]) < 1e-3);
            assert_true(fabs(y[i] + (double)(distance[i] * normal_y[i]) - it.y[i]) < 1e-3);
        }
    }
    assert_true(told_apart > 5000);
}

/*
 * Threads
 */
typedef struct asker {
    const tr2_world *world;
    const tr2_rays *rays;
    const tr2_shape_def *shape;
    uint64_t hash;
    pthread_t thread;
} asker;

static void *ask(void *context)
{
    asker *it = context;
    tr2_shape *id = calloc(4 * RAYS, sizeof *id);
    uint32_t *first = calloc(RAYS + 1, sizeof *first);
    float *fraction = calloc(RAYS, sizeof *fraction);
    tr2_query_contact *contacts = calloc(RAYS, sizeof *contacts);
    const double nan = NAN;
    it->hash = 1;
    for (uint32_t round = 0; round < 3; round++) {
        tr2_hits hits = {id, fraction, NULL, NULL, NULL, NULL};
        tr2_poses poses = {RAYS, it->rays->x, it->rays->y, NULL};
        tr2_points points = {RAYS, it->rays->x, it->rays->y}, wrong = {1, &nan, &nan};
        tr2_nearest nearest = {id, fraction, NULL, NULL, NULL, NULL};
        tr_error error;
        bool ok = tr2_world_cast_rays(it->world, it->rays, NULL, &hits, &error) == TR_OK;
        it->hash = mix_bytes(mix_bytes(it->hash, id, RAYS * sizeof *id), fraction, RAYS * sizeof *fraction);
        ok = ok && tr2_world_cast_shapes(it->world, it->shape, &poses, it->rays->translation_x, it->rays->translation_y,
                                         NULL, &hits, &error) == TR_OK;
        it->hash = mix_bytes(mix_bytes(it->hash, id, RAYS * sizeof *id), fraction, RAYS * sizeof *fraction);
        ok = ok && tr2_world_nearest_shapes(it->world, &points, INFINITY, NULL, &nearest, &error) == TR_OK;
        it->hash = mix_bytes(mix_bytes(it->hash, id, RAYS * sizeof *id), fraction, RAYS * sizeof *fraction);
        ok = ok && tr2_world_overlap_shapes(it->world, it->shape, &poses, NULL, id, 4 * RAYS, first, &error) == TR_OK;
        it->hash = mix_bytes(mix_bytes(it->hash, id, 4 * RAYS * sizeof *id), first, (RAYS + 1) * sizeof *first);
        ok = ok &&
             tr2_world_collide_shapes(it->world, it->shape, &poses, 0.5f, NULL, contacts, RAYS, first, &error) == TR_OK;
        for (uint32_t i = 0; i < first[RAYS] && i < RAYS; i++)
            it->hash = mix_bytes(it->hash, contacts[i].separation, sizeof contacts[i].separation);
        /* an error is the asker's own */
        ok = ok && tr2_world_nearest_shapes(it->world, &wrong, 1.0f, NULL, &nearest, &error) == TR_ERROR_NAN &&
             error.status == TR_ERROR_NAN;
        if (!ok)
            it->hash = 0;
    }
    free(id);
    free(first);
    free(fraction);
    free(contacts);
    return NULL;
}

static void any_threads_may_ask_at_once(void **state)
{
    tr2_world *world = world_of(state);
    uint64_t seed = 13;
    tr2_body bodies[BODIES];
    static rays it;
    fill(world, &seed, bodies, 0.0);
    assert_ok(world, tr2_world_step(world, 1.0 / 60.0, 4));
    edit(world, &seed, bodies, 0.0);
    draw_rays(&it, &seed, 0.0);
    tr2_shape_def box = weightless(tr2_shape_def_default(TR2_POLYGON));
    asker askers[4];
    uint64_t before = tr2_world_state_hash(world);
    size_t bytes = tr2_world_statistics(world).bytes;
    for (uint32_t i = 0; i < 4; i++) {
        askers[i] = (asker){.world = world, .rays = &it.batch, .shape = &box};
        assert_int_equal(pthread_create(&askers[i].thread, NULL, ask, &askers[i]), 0);
    }
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(pthread_join(askers[i].thread, NULL), 0);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_not_equal(askers[i].hash, 0);
        assert_int_equal(askers[i].hash, askers[0].hash);
    }
    /* nothing has been written: no error, no byte, no state */
    assert_int_equal(tr2_world_last_error(world)->status, TR_OK);
    assert_int_equal(tr2_world_statistics(world).bytes, bytes);
    assert_int_equal(tr2_world_state_hash(world), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(shapes_that_are_moved_stop_where_brute_force_says, setup, teardown),
        cmocka_unit_test_setup_teardown(overlaps_are_those_of_brute_force, setup, teardown),
        cmocka_unit_test_setup_teardown(nearest_shapes_are_those_of_brute_force, setup, teardown),
        cmocka_unit_test_setup_teardown(any_threads_may_ask_at_once, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
