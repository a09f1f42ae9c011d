/* Contact points of pairs of shapes, for code outside of collision. */
#ifndef TR_WORLD_CONTACT_QUERY_H
#define TR_WORLD_CONTACT_QUERY_H

#include "world/collision/collision_internal.h"

/* The contact points of a pair, moved with A's body since they were computed. */
typedef struct tr2_pair_place {
    tr_dvec2 point[2]; /* m, in the world */
    tr_vec2 normal;    /* in the world, from A to B */
    uint32_t count;
} tr2_pair_place;

tr2_pair_place tr2_pair_place_of(const tr2_world *world, uint32_t index);

/* Asks the application's filter about a pair that requests it; true if it rejected the contact. */
bool tr2_pair_filter(tr2_world *world, uint32_t index);

#endif
