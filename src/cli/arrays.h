/* Arrays that grow, and the order of numbers for qsort(). */
#ifndef TR_CLI_ARRAYS_H
#define TR_CLI_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes room for `more` entries behind `count`; false if out of memory. */
bool array_reserve(void **block, uint32_t *capacity, uint32_t count, uint32_t more, size_t size);

/* Of doubles, ascending. */
int compare_doubles(const void *a, const void *b);

#endif
