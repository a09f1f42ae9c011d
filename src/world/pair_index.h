/*
 * Where the pair of two shapes is: a hash index over an array of pairs, which keeps their keys. Open addressing, linear
 * probing, a power of two of places at most half full; what is taken out closes its gap. Nothing can depend on where
 * pairs lie in it.
 */
#ifndef TR_WORLD_PAIR_INDEX_H
#define TR_WORLD_PAIR_INDEX_H

#include "base/memory.h"

/* Two shapes that are near each other. */
typedef struct tr2_pair {
    uint32_t a, b; /* shape slots, a < b */
    uint16_t generation_a, generation_b;
    uint32_t contact; /* joint slot; TR_NONE: they do not touch */
    uint32_t flags;   /* TR2_PAIR_... */
    float speed;      /* m/s, at which the shapes came together when the step began; of pairs with hits */
} tr2_pair;

typedef struct tr2_pair_index {
    tr_memory *memory;
    uint32_t *places; /* number of a pair + 1; 0: free */
    uint32_t capacity, count;
} tr2_pair_index;

#define TR2_PAIR_UNKNOWN UINT32_MAX

void tr2_pair_index_init(tr2_pair_index *index, tr_memory *memory);
void tr2_pair_index_free(tr2_pair_index *index);
/* Room for `count` pairs in all, or TR_ERROR_MEMORY; of more than 2^30 TR_ERROR_LIMIT. Nothing has changed then. */
tr_status tr2_pair_index_reserve(tr2_pair_index *index, const tr2_pair *pairs, uint32_t count);
/* The number of the pair of two slots, a < b, or TR2_PAIR_UNKNOWN. */
uint32_t tr2_pair_index_find(const tr2_pair_index *index, const tr2_pair *pairs, uint32_t a, uint32_t b);
/* Enters a pair whose slots are not there; there must be room. */
void tr2_pair_index_put(tr2_pair_index *index, const tr2_pair *pairs, uint32_t number);
/* Takes one out that is there. */
void tr2_pair_index_remove(tr2_pair_index *index, const tr2_pair *pairs, uint32_t number);
/* A pair that is there is to be found at `to`; before it is written there. */
void tr2_pair_index_renumber(tr2_pair_index *index, const tr2_pair *pairs, uint32_t from, uint32_t to);

#endif
