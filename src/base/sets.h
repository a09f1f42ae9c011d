/* Disjoint sets (union-find) over indices: parent[i] is i itself, or a lower index of the same set. */
#ifndef TR_BASE_SETS_H
#define TR_BASE_SETS_H

#include <stdint.h>

/* The lowest index of the set of i. Shortens the way there for the next time. */
static inline uint32_t tr_set_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Makes one set of those of a and b. */
static inline void tr_set_unite(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = tr_set_root(parent, a);
    b = tr_set_root(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

#endif
