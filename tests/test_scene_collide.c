/* Scenes whose shapes collide: what is written is read back, what is built stands, what is wrong is named. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene_file.h"
#include "trammel/trammel.h"

static void what_shapes_collide_by_is_written_and_read(void **state)
{
    (void)state;
    tr2_scene *scene =
        parse("{\"trammel\": 1, \"world\": {\"collide\": true}, \"bodies\": [{\"shapes\": ["
              "{\"type\": \"circle\", \"radius\": 1, \"rolling_resistance\": 0.25, \"tangent_speed\": -2,"
              " \"category\": 4, \"mask\": \"18446744073709551614\", \"group\": -3},"
              "{\"type\": \"circle\", \"radius\": 2}]}]}");
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(tr2_scene_write(scene, &text, &size, NULL), TR_OK);
    tr2_scene *back = parse(text);
    assert_true(scene->collide && back->collide);
    assert_int_equal(back->notice_count, 0);
    for (uint32_t i = 0; i < 2; i++) {
        const tr2_scene_shape *one = &scene->shapes[i], *other = &back->shapes[i];
        assert_true(one->rolling_resistance == other->rolling_resistance);
        assert_true(one->tangent_speed == other->tangent_speed);
        assert_true(one->filter.category == other->filter.category && one->filter.mask == other->filter.mask);
        assert_int_equal(one->filter.group, other->filter.group);
    }
    assert_true(scene->shapes[0].rolling_resistance == 0.25f && scene->shapes[0].tangent_speed == -2.0f);
    assert_true(scene->shapes[0].filter.category == 4 && scene->shapes[0].filter.mask == UINT64_MAX - 1);
    assert_int_equal(scene->shapes[0].filter.group, -3);
    assert_true(scene->shapes[1].filter.category == 1 && scene->shapes[1].filter.mask == UINT64_MAX);
    free(text);
    tr2_scene_destroy(scene);
    tr2_scene_destroy(back);
}

static tr2_world *build(const tr2_scene *scene, tr2_body *bodies)
{
    tr2_world_def def = tr2_scene_world_def(scene);
    tr2_world *world = NULL;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    if (tr2_scene_build(scene, world, bodies, NULL, &error) != TR_OK)
        fail_msg("%s", error.message);
    return world;
}

static void a_shape_that_cannot_be_made_is_named(void **state)
{
    (void)state;
    tr2_scene *scene =
        parse("{\"trammel\": 1, \"world\": {\"collide\": true, \"gravity\": [1, 2]}, \"bodies\": [{}, {\"shapes\": ["
              "{\"type\": \"chain\", \"vertices\": [[0, 0], [1, 0], [2, 1]]},"
              "{\"type\": \"circle\", \"radius\": 1, \"restitution\": 20}]}]}");
    tr2_world_def def = tr2_world_def_default();
    tr2_world *world = NULL;
    tr_error error = {TR_OK, ""};
    assert_int_equal(tr2_world_create(&def, &world, NULL), TR_OK);
    assert_int_equal(tr2_scene_build(scene, world, NULL, NULL, &error), TR_ERROR_RANGE);
    assert_string_equal(error.message, "bodies[1].shapes[1]: surface.restitution is 20, must be 0 to 10");
    /* nothing half: neither bodies nor shapes nor gravity */
    assert_int_equal(tr2_world_bodies(world).count, 0);
    assert_int_equal(tr2_world_shapes(world).count, 0);
    assert_true(tr2_world_gravity(world).y == def.gravity.y);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
}

/* a ball on top of each form that a scene's shape may take: a box, a line run through either way, an outline that is
   not convex */
static void balls_rest_on_every_form(void **state)
{
    (void)state;
    static const char *const grounds[] = {
        "{\"type\": \"polygon\", \"vertices\": [[-5, -1], [5, -1], [5, 0], [-5, 0]]}",
        "{\"type\": \"chain\", \"vertices\": [[-5, 0], [0.1, 0], [5, 0]]}",
        "{\"type\": \"chain\", \"vertices\": [[5, 0], [0.1, 0], [-5, 0]]}",
        "{\"type\": \"polygon\", \"vertices\": [[-5, -3], [0, -1], [5, -3], [5, 0], [-5, 0]]}",
    };
    for (size_t i = 0; i < sizeof grounds / sizeof grounds[0]; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "{\"trammel\": 1, \"world\": {\"collide\": true}, \"bodies\": [{\"type\": \"static\", \"shapes\": [%s]},"
            "{\"position\": [0, 1], \"shapes\": [{\"type\": \"circle\", \"radius\": 0.5, \"density\": 1}]}]}",
            grounds[i]);
        tr2_scene *scene = parse(text);
        tr2_body bodies[2];
        tr2_world *world = build(scene, bodies);
        for (int step = 0; step < 180; step++)
            assert_int_equal(tr2_world_step(world, 1.0 / 60.0, 4), TR_OK);
        tr2_body_def now;
        assert_int_equal(tr2_body_get(world, bodies[1], &now), TR_OK);
        /* to what an overlap is left at */
        if (fabs(now.position.y - 0.5) > 0.01)
            fail_msg("ground %zu: at %g", i, now.position.y);
        tr2_world_destroy(world);
        tr2_scene_destroy(scene);
    }
}

/* 120 discs and boxes fall 9 m into a bin: none leaves it or sinks into its floor, and all come to rest */
static void the_scene_of_discs_comes_to_rest(void **state)
{
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s/discs.json", TR_SCENES_DIR);
    tr2_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (tr2_scene_load(path, &scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    tr2_body bodies[200];
    assert_true(scene->body_count < 200);
    tr2_world *world = build(scene, bodies);
    for (int step = 0; step < 900; step++)
        assert_int_equal(tr2_world_step(world, 1.0 / 60.0, 4), TR_OK);
    for (uint32_t i = 1; i < scene->body_count; i++) {
        tr2_body_def now;
        assert_int_equal(tr2_body_get(world, bodies[i], &now), TR_OK);
        if (!(now.position.y > 0.14 && fabs(now.position.x) < 6.0))
            fail_msg("body %u is at %g %g", i, now.position.x, now.position.y);
    }
    assert_true(tr2_world_measure(world).kinetic_energy < 1.0);
    tr2_world_destroy(world);
    tr2_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_shapes_collide_by_is_written_and_read),
        cmocka_unit_test(a_shape_that_cannot_be_made_is_named),
        cmocka_unit_test(balls_rest_on_every_form),
        cmocka_unit_test(the_scene_of_discs_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
