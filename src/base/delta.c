/*
 * Deltas: a header; then again and again a number of blocks that are those of the base, a number of blocks that are not,
 * and these.
 */
#include "trammel/delta.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/archive.h"

#define BLOCK 64u
#define MAGIC UINT64_C(0x31544c4544415254) /* "TRADELT1", in the machine's order of bytes */

typedef struct header {
    uint64_t magic;
    uint64_t base; /* hash of the base's first block: of a snapshot that has its checksum */
    uint64_t base_size, size;
} header;

typedef struct run {
    uint32_t same, other; /* blocks; the last one may be shorter */
} run;

static tr_status fail(tr_error *error, tr_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

static tr_status fail(tr_error *error, tr_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

static tr_status check_pointers(const char *call, const void *const *pointers, const char *const *names,
                                tr_error *error)
{
    for (uint32_t i = 0; i < 4; i++) {
        if (pointers[i] == NULL)
            return fail(error, TR_ERROR_NULL, "%s: %s is null", call, names[i]);
    }
    return TR_OK;
}

size_t tr_delta_bound(size_t size)
{
    /* between two runs of other blocks is one that is the same */
    return sizeof(header) + size + (size / (2 * BLOCK) + 2) * sizeof(run);
}

static size_t block_at(size_t size, size_t at)
{
    return size - at < BLOCK ? size - at : BLOCK;
}

/* the end of the blocks from `at` on that are the same, or are not */
static size_t end_of(const unsigned char *base, size_t base_size, const unsigned char *bytes, size_t size, size_t at,
                     bool same)
{
    while (at < size) {
        size_t length = block_at(size, at);
        bool equal = length <= base_size && at <= base_size - length && memcmp(base + at, bytes + at, length) == 0;
        if (equal != same)
            break;
        at += length;
    }
    return at;
}

static uint32_t blocks_of(size_t size)
{
    return (uint32_t)((size + BLOCK - 1) / BLOCK);
}

tr_status tr_delta_make(const void *base, size_t base_size, const void *snapshot, size_t size, void *memory,
                        size_t capacity, size_t *delta_size, tr_error *error)
{
    const void *const pointers[] = {base, snapshot, memory, delta_size};
    static const char *const names[] = {"base", "snapshot", "memory", "delta_size"};
    tr_status status = check_pointers("delta_make", pointers, names, error);
    if (status != TR_OK)
        return status;
    if (base_size < BLOCK || size / BLOCK >= UINT32_MAX)
        return fail(error, TR_ERROR_RANGE, "delta_make: %s has %zu bytes", base_size < BLOCK ? "base" : "snapshot",
                    base_size < BLOCK ? base_size : size);
    const unsigned char *from = base, *bytes = snapshot;
    unsigned char *out = memory;
    header head = {MAGIC, tr_archive_hash(base, BLOCK), base_size, size};
    size_t used = sizeof head;
    bool fits = used <= capacity;
    if (fits)
        memcpy(out, &head, sizeof head);
    for (size_t at = 0; at < size && fits;) {
        size_t other = end_of(from, base_size, bytes, size, at, true);
        size_t end = end_of(from, base_size, bytes, size, other, false);
        run it = {blocks_of(other - at), blocks_of(end - other)};
        fits = capacity - used >= sizeof it && capacity - used - sizeof it >= end - other;
        if (fits) {
            memcpy(out + used, &it, sizeof it);
            memcpy(out + used + sizeof it, bytes + other, end - other);
            used += sizeof it + (end - other);
        }
        at = end;
    }
    if (!fits)
        return fail(error, TR_ERROR_RANGE, "delta_make: capacity is %zu bytes, which is too few; %zu are always enough",
                    capacity, tr_delta_bound(size));
    *delta_size = used;
    return TR_OK;
}

static bool read_header(const void *delta, size_t delta_size, header *out)
{
    if (delta == NULL || delta_size < sizeof *out)
        return false;
    memcpy(out, delta, sizeof *out);
    return out->magic == MAGIC && out->size <= SIZE_MAX;
}

size_t tr_delta_target_size(const void *delta, size_t delta_size)
{
    header head;
    return read_header(delta, delta_size, &head) ? (size_t)head.size : 0;
}

/* Bytes of a run's blocks at `at`; *length. False if they lead beyond the end. */
static bool length_of(uint32_t blocks, size_t at, size_t size, size_t *length)
{
    size_t whole = (size - at + BLOCK - 1) / BLOCK;
    *length = blocks == whole ? size - at : (size_t)blocks * BLOCK;
    return blocks <= whole;
}

tr_status tr_delta_apply(const void *base, size_t base_size, const void *delta, size_t delta_size, void *memory,
                         size_t capacity, size_t *size, tr_error *error)
{
    const void *const pointers[] = {base, delta, memory, size};
    static const char *const names[] = {"base", "delta", "memory", "size"};
    header head;
    tr_status status = check_pointers("delta_apply", pointers, names, error);
    if (status != TR_OK)
        return status;
    if (!read_header(delta, delta_size, &head))
        return fail(error, TR_ERROR_PARSE, "delta_apply: delta is no delta");
    if (head.base_size != base_size || base_size < BLOCK || tr_archive_hash(base, BLOCK) != head.base)
        return fail(error, TR_ERROR_PARSE, "delta_apply: delta is of another base");
    if (capacity < head.size)
        return fail(error, TR_ERROR_RANGE, "delta_apply: capacity is %zu bytes, must be %zu at least", capacity,
                    (size_t)head.size);
    const unsigned char *from = base, *in = delta;
    unsigned char *out = memory;
    size_t read = sizeof head, at = 0, end = (size_t)head.size;
    while (at < end) {
        run it;
        size_t same = 0, other = 0;
        bool sound = delta_size - read >= sizeof it;
        if (sound) {
            memcpy(&it, in + read, sizeof it);
            read += sizeof it;
            sound = (it.same | it.other) != 0 && length_of(it.same, at, end, &same) && same <= base_size &&
                    at <= base_size - same && length_of(it.other, at + same, end, &other) && other <= delta_size - read;
        }
        if (!sound)
            return fail(error, TR_ERROR_PARSE, "delta_apply: delta is damaged behind its byte %zu", read);
        memcpy(out + at, from + at, same);
        memcpy(out + at + same, in + read, other);
        read += other;
        at += same + other;
    }
    if (read != delta_size)
        return fail(error, TR_ERROR_PARSE, "delta_apply: delta is longer than it was");
    *size = end;
    return TR_OK;
}
