/* A world in space has the same states by each method, on every instruction set and for 1 to 4 threads. */
#ifndef TR_TESTS_SPACE_BITS_H
#define TR_TESTS_SPACE_BITS_H

#include "space.h"

typedef tr3_world *space_make_fn(tr_method method, uint32_t threads);

/* After so many steps of 1/60 s with four sub-steps; by the direct method, of which little depends on the set and which
   takes fifty times as long, after `direct_steps`. */
static inline void space_same_bits(space_make_fn *make, int steps, int direct_steps)
{
    const tr_isa before = tr_get_isa();
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        uint64_t expected = 0;
        for (int isa = 0; isa < TR_ISA_COUNT; isa++) {
            for (uint32_t threads = 1; threads <= 4; threads += isa == TR_ISA_AVX2 ? 1 : 3) {
                if (!tr_isa_available((tr_isa)isa))
                    continue;
                SPACE_OK(tr_set_isa((tr_isa)isa));
                tr3_world *world = make((tr_method)method, threads);
                for (int step = 0; step < (method == TR_DIRECT ? direct_steps : steps); step++)
                    SPACE_OK(tr3_world_step(world, 1.0 / 60.0, 4));
                assert_true(isfinite(tr3_world_measure(world).kinetic_energy));
                assert_int_equal(tr3_world_statistics(world).nonfinite_bodies, 0);
                const uint64_t hash = tr3_world_state_hash(world);
                expected = expected == 0 ? hash : expected;
                if (hash != expected)
                    fail_msg("%s, %s, %u threads: another state", tr_method_name((tr_method)method),
                             tr_isa_name((tr_isa)isa), threads);
                tr3_world_destroy(world);
            }
        }
    }
    SPACE_OK(tr_set_isa(before));
}

#endif
