/* An allocator for tests: counts, fails at a chosen call, and sees whether each block comes back with its size. */
#ifndef TR_TEST_ALLOCATOR_H
#define TR_TEST_ALLOCATOR_H

#include <stdlib.h>
#include <string.h>

#include "trammel/base.h"

typedef struct test_allocator {
    uint64_t calls;
    uint64_t fail_at;    /* the call that fails, counted from 1; 0: none */
    bool fail_after;     /* also all calls after it */
    uint64_t failures;   /* so far */
    size_t held;         /* bytes */
    uint32_t mismatches; /* blocks that came back with another size */
} test_allocator;

#define TEST_HEADER 64 /* before each block: its size, and its alignment kept */

static inline void *test_allocate(size_t size, size_t alignment, void *context)
{
    test_allocator *it = context;
    it->calls++;
    if (it->fail_at != 0 && (it->calls == it->fail_at || (it->fail_after && it->calls > it->fail_at))) {
        it->failures++;
        return NULL;
    }
    if (alignment != TEST_HEADER || size > SIZE_MAX / 2)
        return NULL;
    size_t padded = (size + 2 * TEST_HEADER - 1) / TEST_HEADER * TEST_HEADER;
    unsigned char *block = aligned_alloc(TEST_HEADER, padded);
    if (block == NULL)
        return NULL;
    /* what a caller forgets to clear must not look like zeros */
    memset(block, 0xA5, padded);
    memcpy(block, &size, sizeof size);
    it->held += size;
    return block + TEST_HEADER;
}

static inline void test_release(void *memory, size_t size, void *context)
{
    test_allocator *it = context;
    unsigned char *block = (unsigned char *)memory - TEST_HEADER;
    size_t allocated;
    memcpy(&allocated, block, sizeof allocated);
    if (allocated != size)
        it->mismatches++;
    it->held -= allocated;
    free(block);
}

static inline tr_allocator test_hooks(test_allocator *it)
{
    tr_allocator hooks = {test_allocate, test_release, it};
    return hooks;
}

/* makes the n-th call from now fail; 0: none */
static inline void test_fail_in(test_allocator *it, uint64_t n)
{
    it->calls = 0;
    it->failures = 0;
    it->fail_at = n;
}

#endif
