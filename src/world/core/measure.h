/* What measures of a world need of one dimension, and the mixing of hashes. */
#ifndef TR_WORLD_MEASURE_H
#define TR_WORLD_MEASURE_H

#include <string.h>

#include "base/finite.h"
#include "world/core/world_internal.h"

/* Sums end at the greatest doubles. */
static inline void tr_add_to(double *sum, double more)
{
    *sum = tr_finite_double(*sum + tr_finite_double(more));
}

/* Measures of a world as they are taken: bodies first, then joints type by type, in the order of rows. */
typedef struct trn_error_sum {
    double squares, max;
    uint32_t count;
} trn_error_sum;

typedef struct trn_measuring {
    trn_measures out;
    trn_error_sum linear, angular;
} trn_measuring;

trn_measuring trn_measure_bodies(const trn_world *world);
void trn_measure_joints(const trn_world *world, trn_joint_type type, trn_measuring *it);
trn_measures trn_measure_end(const trn_measuring *it);

/* The state hash of bodies alone; then, in the order of slots, of each joint. */
uint64_t trn_hash_bodies(const trn_world *world);
/* The same of a joint that is new, which has no impulses. */
uint64_t trn_hash_new_joint(trn_joint_type type, uint64_t hash);

/* Adds a row's energy and momenta. */
void trn_measure_body(const trn_world *world, uint32_t row, trn_measures *out);
/* Mixes a row's position, rotation and velocities into a hash. */
uint64_t trn_hash_body(const trn_bodies *bodies, uint32_t row, uint64_t hash);

/* Hashes are computed from values, so that byte order does not matter. */
static inline uint64_t tr_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

static inline uint64_t tr_mix_double(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return tr_mix(hash, bits);
}

static inline uint64_t tr_mix_float(uint64_t hash, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return tr_mix(hash, bits);
}

#endif
