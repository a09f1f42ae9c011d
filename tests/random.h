/* Pseudo-random numbers that are the same on every machine: from a state that goes on by Knuth's generator (MMIX). The
   high bits are the good ones; what a test makes of them is its own. */
#ifndef TR_TESTS_RANDOM_H
#define TR_TESTS_RANDOM_H

#include <stdint.h>

static inline void random_step(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
}

/* 0 .. below - 1 */
static inline uint32_t random_index(uint64_t *state, uint32_t below)
{
    random_step(state);
    return (uint32_t)((*state >> 33) * below >> 31);
}

#endif
