/* For tests of many threads: without it small worlds take one, and so do large ones while others hold the cores. */
#ifndef TR_TESTS_ALL_THREADS_H
#define TR_TESTS_ALL_THREADS_H

#include "solver/solver_internal.h"
#include "world/world_internal.h"

/* every step of the world from now on takes as many threads as it has, however little there is to do */
static inline void step_on_all_threads(tr2_world *world)
{
    world->solver->on_all_threads = true;
}

#endif
