/* Worlds full of extreme numbers, each stepped by every method: the same numbers on every instruction set and on several
   threads. TR_EXTREME_SEED, TR_EXTREME_WORLDS and TR_EXTREME_THREADS_EVERY choose others. */
#ifndef TR_TESTS_EXTREME_WALK_H
#define TR_TESTS_EXTREME_WALK_H

#include "extreme.h"
#include "instrumented.h"
#include "trammel/common.h"

enum { DEFAULT_WORLDS = 40, THREADS_EVERY = 20, DIRECT_EVERY = 4, STEPS = 6 };

/* after each step: the state hash, and a hash of all that can be read */
typedef struct trace {
    uint64_t state[STEPS], shown[STEPS];
} trace;

typedef trace run_fn(uint64_t seed, tr_method method, tr_isa isa, uint32_t threads);

static inline void compare_run(run_fn *run, uint64_t seed, tr_method method, const trace *want, tr_isa isa,
                               uint32_t threads)
{
    trace is = run(seed, method, isa, threads);
    for (uint32_t i = 0; i < STEPS; i++) {
        if (is.state[i] != want->state[i] || is.shown[i] != want->shown[i])
            fail_msg("%s, %u threads, seed %llu, %s: another %s after step %u", tr_isa_name(isa), (unsigned)threads,
                     (unsigned long long)seed, tr_method_name(method),
                     is.shown[i] != want->shown[i] ? "number to read" : "state", (unsigned)i);
    }
}

/* one world by each method */
static inline void check_world(run_fn *run, uint64_t seed, tr_isa chosen, bool threads)
{
    for (uint32_t method = 0; method < TR_METHOD_COUNT; method++) {
        /* which takes as long as all others, and whose numbers have no lanes */
        if (method == TR_DIRECT && !threads && seed % DIRECT_EVERY != 0)
            continue;
        trace want = run(seed, (tr_method)method, TR_ISA_SCALAR, 1);
        for (uint32_t isa = TR_ISA_SCALAR + 1; isa < TR_ISA_COUNT; isa++) {
            if (tr_isa_available((tr_isa)isa))
                compare_run(run, seed, (tr_method)method, &want, (tr_isa)isa, 1);
        }
        if (threads)
            compare_run(run, seed, (tr_method)method, &want, chosen, 2 + (uint32_t)(seed % 3));
    }
}

/* `rare`: seeds of cases that longer walks have found */
static inline void check_worlds(run_fn *run, const uint64_t *rare, size_t rare_count)
{
    tr_isa chosen = tr_get_isa();
    uint64_t first = from_environment("TR_EXTREME_SEED", 1),
             worlds = from_environment("TR_EXTREME_WORLDS", TRIALS(DEFAULT_WORLDS)),
             threads_every = from_environment("TR_EXTREME_THREADS_EVERY", THREADS_EVERY);
    for (uint64_t seed = first; seed < first + worlds; seed++)
        check_world(run, seed, chosen, seed % threads_every == 0);
    for (size_t i = 0; i < rare_count; i++)
        check_world(run, rare[i], chosen, true);
    assert_int_equal(tr_set_isa(chosen), TR_OK);
}

#endif
