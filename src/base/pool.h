/*
 * Slots behind ids: a slot is taken, carries a row number while its object lives, and is given back with its
 * generation raised, so that an old id never names a new object. A slot whose generations are used up is retired.
 */
#ifndef TR_BASE_POOL_H
#define TR_BASE_POOL_H

#include "base/memory.h"

typedef struct tr_pool {
    tr_memory *memory;
    uint32_t *row; /* of the object in its table; TR_POOL_FREE where there is none */
    uint16_t *generation;
    uint32_t *free_slots; /* a stack */
    uint32_t free_count;
    uint32_t count; /* slots ever used */
    uint32_t capacity;
} tr_pool;

#define TR_POOL_FREE UINT32_MAX

void tr_pool_init(tr_pool *pool, tr_memory *memory);
void tr_pool_free(tr_pool *pool);
/* Room for `more` slots beyond those in use; false when there is no memory, and then nothing has changed. */
bool tr_pool_reserve(tr_pool *pool, uint32_t more);
/* The slot that the next tr_pool_take() will return, then the one after that, ... */
uint32_t tr_pool_peek(const tr_pool *pool, uint32_t ahead);
uint32_t tr_pool_take(tr_pool *pool, uint32_t row);
void tr_pool_give(tr_pool *pool, uint32_t slot);
/* The same for a slot whose id nobody was ever told: the generation stays, so such slots never wear out. */
void tr_pool_give_unnamed(tr_pool *pool, uint32_t slot);

#endif
