/* Scenes in space for tests: made, read, written, and built. */
#ifndef TR_TESTS_SPACE_SCENE_H
#define TR_TESTS_SPACE_SCENE_H

#include <stdlib.h>

#include "space_state.h"

static inline tr3_scene *space_generate(const char *kind, uint32_t size)
{
    tr3_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (tr3_scene_generate(kind, size, &scene, &error) != TR_OK)
        fail_msg("%s %u: %s", kind, size, error.message);
    return scene;
}

/* of a text that is right */
static inline tr3_scene *space_parse(const char *text)
{
    tr3_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (tr3_scene_parse(text, strlen(text), "test", &scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    return scene;
}

static inline char *space_write(const tr3_scene *scene)
{
    char *text = NULL;
    tr_error error = {TR_OK, ""};
    if (tr3_scene_write(scene, &text, NULL, &error) != TR_OK)
        fail_msg("%s", error.message);
    return text;
}

static inline tr3_world *space_world_of(const tr3_scene *scene)
{
    tr3_world_def def = tr3_scene_world_def(scene);
    tr3_world *world = NULL;
    def.threads = 1;
    def.tag = 5;
    SPACE_OK(tr3_world_create(&def, &world, NULL));
    return world;
}

static inline tr3_world *space_build(const tr3_scene *scene)
{
    tr3_world *world = space_world_of(scene);
    tr_error error = {TR_OK, ""};
    if (tr3_scene_build(scene, world, NULL, NULL, &error) != TR_OK)
        fail_msg("%s", error.message);
    return world;
}

/* of the state after so many steps at the scene's rate */
static inline uint64_t space_run(const tr3_scene *scene, uint32_t steps)
{
    tr3_world *world = space_build(scene);
    for (uint32_t i = 0; i < steps; i++)
        SPACE_OK(tr3_world_step(world, 1.0 / scene->hertz, scene->substeps));
    uint64_t hash = tr3_world_state_hash(world);
    tr3_world_destroy(world);
    return hash;
}

#endif
