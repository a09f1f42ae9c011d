#include "base/map.h"

#include <string.h>

void tr_map_init(tr_map *map, tr_memory *memory)
{
    memset(map, 0, sizeof *map);
    map->memory = memory;
}

void tr_map_free(tr_map *map)
{
    if (map->memory == NULL)
        return;
    tr_release(map->memory, map->places, map->capacity * sizeof *map->places);
    memset(map, 0, sizeof *map);
}

/* mixes every bit of the key into every bit of the hash, because keys are often rows, pairs or addresses */
static uint32_t home_of(const tr_map *map, tr_map_key key)
{
    uint64_t hash = (key.a ^ (key.b << 32 | key.b >> 32) * 0xD1B54A32D192ED03u) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 32) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(hash >> 32) & (map->capacity - 1);
}

static bool same(tr_map_key x, tr_map_key y)
{
    return x.a == y.a && x.b == y.b;
}

bool tr_map_reserve(tr_map *map, uint32_t count)
{
    if (count <= map->capacity / 2)
        return true;
    if (count > UINT32_C(1) << 30)
        return false;
    uint32_t capacity = map->capacity == 0 ? 32 : map->capacity;
    while (capacity / 2 < count)
        capacity *= 2;
    tr_map grown = *map;
    grown.capacity = capacity;
    grown.count = 0;
    grown.places = tr_allocate_array(map->memory, capacity, sizeof *grown.places);
    if (grown.places == NULL)
        return false;
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->places[i].used)
            tr_map_put(&grown, map->places[i].key, map->places[i].value);
    }
    tr_release(map->memory, map->places, map->capacity * sizeof *map->places);
    *map = grown;
    return true;
}

/* the index of a key's entry, or of the free entry where it belongs */
static uint32_t place_of(const tr_map *map, tr_map_key key)
{
    uint32_t place = home_of(map, key);
    while (map->places[place].used && !same(map->places[place].key, key))
        place = (place + 1) & (map->capacity - 1);
    return place;
}

uint32_t tr_map_find(const tr_map *map, tr_map_key key)
{
    if (map->count == 0)
        return TR_MAP_NONE;
    const tr_map_place *place = &map->places[place_of(map, key)];
    return place->used ? place->value : TR_MAP_NONE;
}

void tr_map_put(tr_map *map, tr_map_key key, uint32_t value)
{
    map->places[place_of(map, key)] = (tr_map_place){key, value, 1};
    map->count++;
}

void tr_map_remove(tr_map *map, tr_map_key key)
{
    uint32_t mask = map->capacity - 1, hole = place_of(map, key);
    /* shift later entries of the cluster into the hole, unless that would put one before its home index */
    for (uint32_t next = (hole + 1) & mask; map->places[next].used; next = (next + 1) & mask) {
        uint32_t home = home_of(map, map->places[next].key);
        if (((next - home) & mask) < ((next - hole) & mask))
            continue;
        map->places[hole] = map->places[next];
        hole = next;
    }
    map->places[hole].used = 0;
    map->count--;
}

void tr_map_clear(tr_map *map)
{
    if (map->count > 0)
        memset(map->places, 0, map->capacity * sizeof *map->places);
    map->count = 0;
}
