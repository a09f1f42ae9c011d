/* A world in space has the same states by each method, on every instruction set and for 1 to 4 threads, and joints the
   same whatever is beside them in the lanes of a vector. */
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

/* makes the i-th pair of bodies and their joint; returns one of them */
typedef tr3_body space_pair_fn(tr3_world *world, uint32_t i);

enum { SPACE_MOST_PAIRS = 64 };

/* `count` pairs in one world and each in a world of its own */
static inline void space_as_alone(space_pair_fn *pair, tr_vec3 gravity, uint32_t count)
{
    for (int method = 0; method < TR_METHOD_COUNT; method++) {
        if (method == TR_DIRECT)
            continue;
        tr3_world *all = space_world((tr_method)method, gravity, 1), *alone[SPACE_MOST_PAIRS];
        tr3_body together[SPACE_MOST_PAIRS], single[SPACE_MOST_PAIRS];
        assert_true(count <= SPACE_MOST_PAIRS);
        for (uint32_t i = 0; i < count; i++) {
            alone[i] = space_world((tr_method)method, gravity, 1);
            together[i] = pair(all, i);
            single[i] = pair(alone[i], i);
        }
        for (int step = 0; step < 30; step++) {
            SPACE_OK(tr3_world_step(all, 1.0 / 60.0, 4));
            for (uint32_t i = 0; i < count; i++) {
                SPACE_OK(tr3_world_step(alone[i], 1.0 / 60.0, 4));
                tr3_transform a, b;
                SPACE_OK(tr3_world_get_transforms(all, &together[i], 1, &a));
                SPACE_OK(tr3_world_get_transforms(alone[i], &single[i], 1, &b));
                if (memcmp(&a.rotation, &b.rotation, sizeof a.rotation) != 0 ||
                    memcmp(&a.position, &b.position, sizeof a.position) != 0)
                    fail_msg("%s: pair %u differs in step %d", tr_method_name((tr_method)method), i, step);
            }
        }
        for (uint32_t i = 0; i < count; i++)
            tr3_world_destroy(alone[i]);
        tr3_world_destroy(all);
    }
}

#endif
