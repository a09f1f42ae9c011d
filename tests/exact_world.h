/* A world of the direct method for tests. */
#ifndef TR_TESTS_EXACT_WORLD_H
#define TR_TESTS_EXACT_WORLD_H

#include "physics.h"

/* in the plane, under gravity, in which nothing sleeps */
static inline tr2_world *direct_world(uint32_t threads, tr_allocator allocator)
{
    tr2_world_def def = tr2_world_def_default();
    def.sleep.enable = false;
    def.gravity = (tr_vec2){0.0f, -(float)G};
    def.method = TR_DIRECT;
    def.threads = threads;
    def.tag = 1;
    def.allocator = allocator;
    tr2_world *world = NULL;
    MUST(tr2_world_create(&def, &world, NULL));
    return world;
}

#endif
