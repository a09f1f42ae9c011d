/*
 * A hash map from 128-bit keys to numbers: open addressing with linear probing, capacity a power of two, at most half
 * full. Removal closes the gap, so there are no tombstones. The map cannot be iterated, so no result can depend on the
 * order of its entries.
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
    uint32_t capacity; /* number of entries: 0 or a power of two */
    uint32_t count;
} tr_map;

#define TR_MAP_NONE UINT32_MAX

void tr_map_init(tr_map *map, tr_memory *memory);
void tr_map_free(tr_map *map);
/* Makes room for `count` keys in total. False if out of memory or `count` exceeds 2^30; then nothing changed. */
bool tr_map_reserve(tr_map *map, uint32_t count);
/* The number of a key, or TR_MAP_NONE. */
uint32_t tr_map_find(const tr_map *map, tr_map_key key);
/* Inserts a key that the map does not have; there must be room. */
void tr_map_put(tr_map *map, tr_map_key key, uint32_t value);
/* Removes all keys; the room stays. */
void tr_map_clear(tr_map *map);
/* Removes a key that the map has. */
void tr_map_remove(tr_map *map, tr_map_key key);

#endif
