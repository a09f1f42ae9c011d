/* The allocator of src/scene in tests in which its memory runs out: the test defines these, and src/scene is compiled once
   more, with them in place of the C library's (tests/CMakeLists.txt). */
#ifndef TR_TEST_SCARCE_H
#define TR_TEST_SCARCE_H

#include <stddef.h>

void *scarce_malloc(size_t size);
void *scarce_calloc(size_t count, size_t size);
void *scarce_realloc(void *old, size_t size);
void scarce_free(void *block);
/* its result is released with scarce_free() */
char *scarce_realpath(const char *path, char *resolved);

#endif
