#include "cli/arrays.h"

#include <stdlib.h>

bool array_reserve(void **block, uint32_t *capacity, uint32_t count, uint32_t more, size_t size)
{
    if (*capacity - count >= more) {
        return true;
    }
    uint64_t wanted = (uint64_t)count + more;
    wanted += wanted / 2 + 64;
    void *grown = wanted <= UINT32_MAX ? realloc(*block, (size_t)wanted * size) : NULL;
    if (grown == NULL) {
        return false;
    }
    *block = grown;
    *capacity = (uint32_t)wanted;
    return true;
}

int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
