/*
 * Finds the pair of two shapes: a hash index over an array of pairs, which has the keys. Open addressing with linear
 * probing, capacity a power of two, at most half full; removal closes the gap. No result depends on the order of its
 * entries.
 */
#ifndef TR_WORLD_PAIR_INDEX_H
#define TR_WORLD_PAIR_INDEX_H

#include "base/memory.h"

/* Two shapes near each other. */
typedef struct tr2_pair {
    uint32_t a, b; /* shape slots, a < b */
    uint16_t generation_a, generation_b;
    uint32_t contact; /* joint slot; TR_NONE: no contact */
    uint32_t flags;   /* TR2_PAIR_... */
    union {
        float part;  /* of the step, where its contact is; with TR2_PAIR_TURNS, until its row is written */
        float speed; /* m/s, approach speed at the start of the step; for pairs with hit events, then */
    };
} tr2_pair;

typedef struct tr2_pair_index {
    tr_memory *memory;
    uint32_t *places; /* number of a pair + 1; 0: free */
    uint32_t capacity, count;
} tr2_pair_index;

#define TR2_PAIR_UNKNOWN UINT32_MAX
#define TR2_PAIRS_MOST   (UINT32_C(1) << 30)

void tr2_pair_index_init(tr2_pair_index *index, tr_memory *memory);
void tr2_pair_index_free(tr2_pair_index *index);
/* Makes room for `count` pairs in total. TR_ERROR_MEMORY; TR_ERROR_LIMIT for more than TR2_PAIRS_MOST. On an error
   nothing changed. */
tr_status tr2_pair_index_reserve(tr2_pair_index *index, const tr2_pair *pairs, uint32_t count);
/* Removes all pairs. */
void tr2_pair_index_clear(tr2_pair_index *index);
/* The number of the pair of two slots, a < b, or TR2_PAIR_UNKNOWN. */
uint32_t tr2_pair_index_find(const tr2_pair_index *index, const tr2_pair *pairs, uint32_t a, uint32_t b);
/* Inserts a pair whose slots are not in the index; there must be room. */
void tr2_pair_index_put(tr2_pair_index *index, const tr2_pair *pairs, uint32_t number);
/* Removes a pair that is in the index. */
void tr2_pair_index_remove(tr2_pair_index *index, const tr2_pair *pairs, uint32_t number);
/* Changes the number of a pair from `from` to `to`; call before the pair moves. */
void tr2_pair_index_renumber(tr2_pair_index *index, const tr2_pair *pairs, uint32_t from, uint32_t to);
/* Exchanges the numbers of two pairs; call before they move. */
void tr2_pair_index_exchange(tr2_pair_index *index, const tr2_pair *pairs, uint32_t a, uint32_t b);
/* Changes the number first + i of each pair from `first` on to first + numbers[i]. */
void tr2_pair_index_renumber_all(tr2_pair_index *index, uint32_t first, const uint32_t *numbers);

#endif
