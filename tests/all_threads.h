/* For tests of many threads: without it small worlds take one, and so do large ones while others hold the cores. A file
   with TR_DIMENSION 3 has it for worlds in space. */
#ifndef TR_TESTS_ALL_THREADS_H
#define TR_TESTS_ALL_THREADS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/core/solver_internal.h"
#include "world/core/world_internal.h"

/* every step of the world from now on takes as many threads as it has, however little there is to do */
static inline void step_on_all_threads(trn_world *world)
{
    world->solver->on_all_threads = true;
}

/* a world of `threads` that takes them all; host: null for the library's own threads */
static inline trn_world *world_on_all_threads(uint32_t threads, const tr_host *host)
{
    trn_world_def def = trn_world_def_default();
    def.threads = threads;
    if (host != NULL)
        def.host = *host;
    trn_world *world = NULL;
    assert_int_equal(trn_world_create(&def, &world, NULL), TR_OK);
    step_on_all_threads(world);
    return world;
}

#endif
