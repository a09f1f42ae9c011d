#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void *default_allocate(size_t size, size_t alignment, void *context)
{
    (void)context;
    /* aligned_alloc requires a multiple of the alignment */
    if (size > SIZE_MAX - (alignment - 1))
        return NULL;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void default_release(void *memory, size_t size, void *context)
{
    (void)size;
    (void)context;
    free(memory);
}

void tr_memory_init(tr_memory *memory, tr_allocator allocator)
{
    memory->allocator = allocator;
    memory->bytes = 0;
    if (allocator.allocate == NULL || allocator.release == NULL) {
        memory->allocator.allocate = default_allocate;
        memory->allocator.release = default_release;
        memory->allocator.context = NULL;
    }
}

static void *allocate(tr_memory *memory, size_t size)
{
    void *block = size > 0 ? memory->allocator.allocate(size, TR_ALIGNMENT, memory->allocator.context) : NULL;
    memory->bytes += block != NULL ? size : 0;
    return block;
}

void *tr_allocate(tr_memory *memory, size_t size)
{
    void *block = allocate(memory, size);
    if (block != NULL)
        memset(block, 0, size);
    return block;
}

void *tr_allocate_unset(tr_memory *memory, size_t count, size_t size)
{
    return size != 0 && count > SIZE_MAX / size ? NULL : allocate(memory, count * size);
}

void *tr_allocate_array(tr_memory *memory, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return tr_allocate(memory, count * size);
}

void tr_release(tr_memory *memory, void *block, size_t size)
{
    if (block == NULL)
        return;
    memory->bytes -= size;
    memory->allocator.release(block, size, memory->allocator.context);
}

/* arrays with more elements grow by a quarter instead of a half */
#define LARGE_ARRAY 4096u

uint32_t tr_grown_capacity(uint32_t capacity, uint32_t needed)
{
    uint64_t wanted = (uint64_t)capacity + (capacity < LARGE_ARRAY ? capacity / 2 + 16 : capacity / 4);
    if (wanted < needed || capacity == 0)
        wanted = needed;
    return wanted > UINT32_MAX ? UINT32_MAX : (uint32_t)wanted;
}

bool tr_grow(tr_memory *memory, void **block, uint32_t *capacity, uint32_t needed, size_t size)
{
    if (needed <= *capacity)
        return true;
    uint32_t wanted = tr_grown_capacity(*capacity, needed);
    void *grown = tr_allocate_array(memory, wanted, size);
    if (grown == NULL)
        return false;
    if (*capacity > 0) {
        memcpy(grown, *block, (size_t)*capacity * size);
        tr_release(memory, *block, (size_t)*capacity * size);
    }
    *block = grown;
    *capacity = wanted;
    return true;
}
