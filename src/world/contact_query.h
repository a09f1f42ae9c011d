/* Where pairs of shapes touch, as those outside of collision see it. */
#ifndef TR_WORLD_CONTACT_QUERY_H
#define TR_WORLD_CONTACT_QUERY_H

#include "world/collision_internal.h"

/* The places of a pair's contact, moved along with the body of A since they were found. */
typedef struct tr2_pair_place {
    tr_dvec2 point[2]; /* m, in the world */
    tr_vec2 normal;    /* in the world, from A to B */
    uint32_t count;
} tr2_pair_place;

tr2_pair_place tr2_pair_place_of(const tr2_world *world, uint32_t index);

/* Asks the host's filter about a pair that wants to be asked about; true where it took the contact away. */
bool tr2_pair_filter(tr2_world *world, uint32_t index);

#endif
