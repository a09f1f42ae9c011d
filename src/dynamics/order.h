/* Minimum degree orders of graphs whose nodes have sizes, some of which wait for others (sparse.h). */
#ifndef TR_DYNAMICS_ORDER_H
#define TR_DYNAMICS_ORDER_H

#include "dynamics/sparse.h"

/* Arrays that grow, and are kept. */
typedef struct tr_order {
    tr_memory *memory;
    uint32_t node_count;
    uint32_t *nodes; /* [node_count]: in the order of elimination */
    /* of each node: the nodes that are left when it is eliminated and that it is connected to, or has become so */
    uint32_t *first, *length; /* into `pattern` */
    uint32_t *pattern;
    uint32_t pattern_count, pattern_capacity;
    void *block; /* all other arrays */
    size_t block_size;
} tr_order;

void tr_order_init(tr_order *order, tr_memory *memory);
void tr_order_free(tr_order *order);

/* TR_ERROR_MEMORY, TR_ERROR_LIMIT; as tr_sparse_plan(). */
tr_status tr_order_make(tr_order *order, uint32_t node_count, const uint8_t *size, uint32_t waits,
                        const tr_sparse_edge *edges, uint32_t edge_count);

#endif
