/* Sorts of numbers in place. (The C library's may allocate, and not by the hooks of the application.) */
#ifndef TR_BASE_SORT_H
#define TR_BASE_SORT_H

#include <stdint.h>

/* name(keys, count): from the least to the greatest, by a heap with the greatest at its top */
#define TR_DEFINE_SORT(name, type)                                                                                     \
    static inline void name##_sink(type *keys, uint32_t i, uint32_t count)                                             \
    {                                                                                                                  \
        const type key = keys[i];                                                                                      \
        for (uint32_t child; i < count / 2; i = child) {                                                               \
            child = 2 * i + 1;                                                                                         \
            if (child + 1 < count && keys[child + 1] > keys[child])                                                    \
                child++;                                                                                               \
            if (keys[child] <= key)                                                                                    \
                break;                                                                                                 \
            keys[i] = keys[child];                                                                                     \
        }                                                                                                              \
        keys[i] = key;                                                                                                 \
    }                                                                                                                  \
    static inline void name(type *keys, uint32_t count)                                                                \
    {                                                                                                                  \
        for (uint32_t i = count / 2; i-- > 0;)                                                                         \
            name##_sink(keys, i, count);                                                                               \
        for (uint32_t left = count; left-- > 1;) {                                                                     \
            const type last = keys[left];                                                                              \
            keys[left] = keys[0];                                                                                      \
            keys[0] = last;                                                                                            \
            name##_sink(keys, 0, left);                                                                                \
        }                                                                                                              \
    }

TR_DEFINE_SORT(tr_sort_u32, uint32_t)
TR_DEFINE_SORT(tr_sort_u64, uint64_t)

#endif
