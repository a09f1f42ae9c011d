/* What both dimensions say of copies of a scene alike (solver/dimension.h). */
#ifndef TR_TESTS_SCENE_REPEATED_H
#define TR_TESTS_SCENE_REPEATED_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/core/storage.h"

#define REPEAT_COPIES 5u

static inline trn_scene *repeat_load(const char *path)
{
    trn_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (trn_scene_load(path, &scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    return scene;
}

static inline trn_world *repeat_build(const trn_scene *scene, trn_body *bodies)
{
    trn_world_def def = trn_scene_world_def(scene);
    trn_world *world = NULL;
    tr_error error = {TR_OK, ""};
    def.threads = 1;
    assert_int_equal(trn_world_create(&def, &world, NULL), TR_OK);
    if (trn_scene_build(scene, world, bodies, NULL, &error) != TR_OK)
        fail_msg("%s", error.message);
    return world;
}

/*
 * Each copy moves as the scene alone does, where it stands: to 1 mm after a second, because positions are rounded otherwise
 * and copies are solved in another order, which both grow. And each has its joints and shapes, of its own bodies; pulleys
 * hang from the world and gears run on carriers, both of their copy.
 */
static inline void repeat_moves_alike(const char *path, double least)
{
    trn_scene *one = repeat_load(path), *many = repeat_load(path);
    assert_int_equal(trn_scene_repeat(many, REPEAT_COPIES, 0.0, NULL), TR_OK);
    assert_int_equal(many->body_count, REPEAT_COPIES * one->body_count);
    assert_int_equal(many->joint_count, REPEAT_COPIES * one->joint_count);
    assert_int_equal(many->shape_count, REPEAT_COPIES * one->shape_count);
    for (uint32_t i = 0; i < many->shape_count; i++)
        assert_int_equal(many->shapes[i].body / one->body_count, i / one->shape_count);
    trn_body *ids = calloc((size_t)many->body_count + 1, sizeof *ids), *own = calloc(many->body_count, sizeof *own);
    assert_non_null(ids);
    assert_non_null(own);
    trn_world *alone = repeat_build(one, own), *world = repeat_build(many, ids);
    double moved = 0.0;
    for (int step = 0; step < 60; step++) {
        assert_int_equal(trn_world_step(alone, 1.0 / one->hertz, one->substeps), TR_OK);
        assert_int_equal(trn_world_step(world, 1.0 / one->hertz, one->substeps), TR_OK);
    }
    for (uint32_t i = 0; i < many->body_count; i++) {
        const uint32_t of = i % one->body_count;
        trn_body_def now, then;
        assert_int_equal(trn_body_get(world, ids[i], &now), TR_OK);
        assert_int_equal(trn_body_get(alone, own[of], &then), TR_OK);
        const double *is = &now.position.x, *was = &then.position.x;
        const double *from = &many->bodies[i].def.position.x, *origin = &one->bodies[of].def.position.x;
        double apart = 0.0;
        for (int k = 0; k < TRN_SCENE_AXES; k++) {
            if (!(fabs((is[k] - from[k]) - (was[k] - origin[k])) < 1e-3))
                fail_msg("%s: body %u of copy %u differs by %g m", path, of, i / one->body_count,
                         (is[k] - from[k]) - (was[k] - origin[k]));
            moved = fmax(moved, fabs(was[k] - origin[k]));
            apart = fmax(apart, fabs(from[k] - origin[k]));
        }
        assert_true(i < one->body_count ? apart == 0.0 : apart >= 2.0);
    }
    /* they do something */
    assert_true(moved > least);
    trn_world_destroy(alone);
    trn_world_destroy(world);
    trn_scene_destroy(one);
    trn_scene_destroy(many);
    free(ids);
    free(own);
}

static inline void repeat_refuses(const char *path)
{
    trn_scene *scene = repeat_load(path);
    const trn_scene before = *scene;
    tr_error error = {TR_OK, ""};
    assert_int_equal(trn_scene_repeat(NULL, 2, 0.0, &error), TR_ERROR_NULL);
    assert_int_equal(trn_scene_repeat(scene, 0, 0.0, &error), TR_ERROR_RANGE);
    assert_non_null(strstr(error.message, "copies"));
    assert_int_equal(trn_scene_repeat(scene, 2, -1.0, &error), TR_ERROR_RANGE);
    assert_non_null(strstr(error.message, "spacing"));
    assert_int_equal(trn_scene_repeat(scene, 2, (double)NAN, NULL), TR_ERROR_RANGE);
    assert_int_equal(trn_scene_repeat(scene, 2, (double)INFINITY, NULL), TR_ERROR_RANGE);
    assert_int_equal(trn_scene_repeat(scene, UINT32_MAX, 1.0, &error), TR_ERROR_LIMIT);
    assert_memory_equal(scene, &before, sizeof before);
    assert_int_equal(trn_scene_repeat(scene, 1, 1.0, &error), TR_OK);
    assert_int_equal(scene->body_count, before.body_count);
    trn_scene_destroy(scene);
}

#endif
