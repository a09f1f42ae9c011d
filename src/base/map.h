/*
 * A hash map from keys of 128 bits to numbers. Open addressing, linear probing, a power of two of places at most half
 * full; what is taken out closes its gap, so that there are no tombstones. There is no walk over it: nothing can depend
 * on where keys lie.
 */
#ifndef TR_BASE_MAP_H
#define TR_BASE_MAP_H

#include "base/memory.h"

typedef struct tr_map_key {
    uint64_t a, b;
} tr_map_key;

typedef struct tr_map_place {
    tr_map_key key;
    uint32_t value;
    uint32_t used;
} tr_map_place;

typedef struct tr_map {
    tr_memory *memory;
    tr_map_place *places;
    uint32_t capacity; /* of places: 0 or a power of two */
    uint32_t count;
} tr_map;

#define TR_MAP_NONE UINT32_MAX

void tr_map_init(tr_map *map, tr_memory *memory);
void tr_map_free(tr_map *map);
/* Room for `count` keys in all; false when there is no memory (or `count` passes 2^30), and then nothing has changed. */
bool tr_map_reserve(tr_map *map, uint32_t count);
/* The number of a key, or TR_MAP_NONE. */
uint32_t tr_map_find(const tr_map *map, tr_map_key key);
/* Enters a key that is not there; there must be room. */
void tr_map_put(tr_map *map, tr_map_key key, uint32_t value);
/* Takes out a key that is there. */
void tr_map_remove(tr_map *map, tr_map_key key);

#endif
