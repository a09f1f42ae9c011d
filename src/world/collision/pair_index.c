#include "world/collision/pair_index.h"

#include <string.h>

void tr2_pair_index_init(tr2_pair_index *index, tr_memory *memory)
{
    memset(index, 0, sizeof *index);
    index->memory = memory;
}

void tr2_pair_index_free(tr2_pair_index *index)
{
    if (index->memory == NULL)
        return;
    tr_release(index->memory, index->places, index->capacity * sizeof *index->places);
    memset(index, 0, sizeof *index);
}

/* mixes every bit of the slots into every bit of the hash, because slots of crowds are regular */
static uint32_t home_of(const tr2_pair_index *index, uint32_t a, uint32_t b)
{
    uint64_t hash = ((uint64_t)a << 32 | b) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 32) * 0xD1B54A32D192ED03u;
    return (uint32_t)(hash >> 32) & (index->capacity - 1);
}

static void enter(tr2_pair_index *index, const tr2_pair *pair, uint32_t number)
{
    uint32_t place = home_of(index, pair->a, pair->b);
    while (index->places[place] != 0)
        place = (place + 1) & (index->capacity - 1);
    index->places[place] = number + 1;
    index->count++;
}

tr_status tr2_pair_index_reserve(tr2_pair_index *index, const tr2_pair *pairs, uint32_t count)
{
    if (count <= index->capacity / 2)
        return TR_OK;
    if (count > TR2_PAIRS_MOST)
        return TR_ERROR_LIMIT;
    tr2_pair_index grown = {index->memory, NULL, index->capacity == 0 ? 32 : index->capacity, 0};
    while (grown.capacity / 2 < count)
        grown.capacity *= 2;
    grown.places = tr_allocate_array(index->memory, grown.capacity, sizeof *grown.places);
    if (grown.places == NULL)
        return TR_ERROR_MEMORY;
    for (uint32_t i = 0; i < index->capacity; i++) {
        uint32_t number = index->places[i] - 1;
        if (index->places[i] != 0)
            enter(&grown, &pairs[number], number);
    }
    tr_release(index->memory, index->places, index->capacity * sizeof *index->places);
    *index = grown;
    return TR_OK;
}

void tr2_pair_index_clear(tr2_pair_index *index)
{
    if (index->count > 0)
        memset(index->places, 0, index->capacity * sizeof *index->places);
    index->count = 0;
}

uint32_t tr2_pair_index_find(const tr2_pair_index *index, const tr2_pair *pairs, uint32_t a, uint32_t b)
{
    if (index->count == 0)
        return TR2_PAIR_UNKNOWN;
    for (uint32_t place = home_of(index, a, b); index->places[place] != 0;
         place = (place + 1) & (index->capacity - 1)) {
        uint32_t number = index->places[place] - 1;
        if (pairs[number].a == a && pairs[number].b == b)
            return number;
    }
    return TR2_PAIR_UNKNOWN;
}

void tr2_pair_index_put(tr2_pair_index *index, const tr2_pair *pairs, uint32_t number)
{
    enter(index, &pairs[number], number);
}

static uint32_t place_of(const tr2_pair_index *index, const tr2_pair *pairs, uint32_t number)
{
    uint32_t place = home_of(index, pairs[number].a, pairs[number].b);
    while (index->places[place] != number + 1)
        place = (place + 1) & (index->capacity - 1);
    return place;
}

void tr2_pair_index_remove(tr2_pair_index *index, const tr2_pair *pairs, uint32_t number)
{
    uint32_t mask = index->capacity - 1, hole = place_of(index, pairs, number);
    /* shift later entries of the cluster into the hole, unless that would put one before its home index */
    for (uint32_t next = (hole + 1) & mask; index->places[next] != 0; next = (next + 1) & mask) {
        const tr2_pair *pair = &pairs[index->places[next] - 1];
        uint32_t home = home_of(index, pair->a, pair->b);
        if (((next - home) & mask) < ((next - hole) & mask))
            continue;
        index->places[hole] = index->places[next];
        hole = next;
    }
    index->places[hole] = 0;
    index->count--;
}

void tr2_pair_index_renumber(tr2_pair_index *index, const tr2_pair *pairs, uint32_t from, uint32_t to)
{
    index->places[place_of(index, pairs, from)] = to + 1;
}

void tr2_pair_index_exchange(tr2_pair_index *index, const tr2_pair *pairs, uint32_t a, uint32_t b)
{
    uint32_t place_a = place_of(index, pairs, a), place_b = place_of(index, pairs, b);
    index->places[place_a] = b + 1;
    index->places[place_b] = a + 1;
}

void tr2_pair_index_renumber_all(tr2_pair_index *index, uint32_t first, const uint32_t *numbers)
{
    for (uint32_t i = 0; i < index->capacity; i++) {
        if (index->places[i] > first)
            index->places[i] = first + numbers[index->places[i] - 1 - first] + 1;
    }
}
