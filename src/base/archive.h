/*
 * An archive: the state of a module as bytes, and back. Each module has one function that names its members once, with
 * the functions below; it counts, writes, reads or compares, whichever the archive is for. So what is written and what is
 * read cannot differ.
 *
 * Reading overwrites a module of the same kind, whose arrays are used again if they are long enough. After a failure its
 * contents are worthless, but it can be read again or freed. What is read is bytes: a module checks afterwards that its
 * numbers are in range.
 */
#ifndef TR_BASE_ARCHIVE_H
#define TR_BASE_ARCHIVE_H

#include "base/memory.h"

typedef enum tr_archive_mode {
    TR_ARCHIVE_COUNT,  /* bytes that writing would take */
    TR_ARCHIVE_WRITE,  /* into `bytes` */
    TR_ARCHIVE_READ,   /* from `bytes` */
    TR_ARCHIVE_COMPARE /* with `bytes`: `differs`; goes on only while there is no difference */
} tr_archive_mode;

typedef struct tr_archive {
    tr_archive_mode mode;
    tr_memory *memory; /* for arrays that are read */
    unsigned char *bytes;
    size_t size, at; /* of `bytes`; of those how many are done */
    uint64_t shape;  /* hash of the sizes of all that was visited: other types, or another order, give another one */
    bool differs;
    tr_status status; /* once it is not TR_OK, the functions do nothing: TR_ERROR_MEMORY, TR_ERROR_PARSE */
} tr_archive;

static inline bool tr_archive_reads(const tr_archive *archive)
{
    return archive->mode == TR_ARCHIVE_READ;
}

/* Whether the visit goes on: nothing has failed, and nothing differs. */
static inline bool tr_archive_goes_on(const tr_archive *archive)
{
    return archive->status == TR_OK && !archive->differs;
}

/* What was read is not valid. */
void tr_archive_refuse(tr_archive *archive);

/* Visits `size` bytes; and a member, whose size becomes part of the shape. */
void tr_archive_bytes(tr_archive *archive, void *data, size_t size);
void tr_archive_member(tr_archive *archive, void *data, size_t size);
#define tr_archive_value(archive, value) tr_archive_member(archive, &(value), sizeof(value))
/* A bool, or one that does not differ from its neighbour: read as true or false whatever the byte is. */
void tr_archive_flag(tr_archive *archive, bool *value);

/*
 * Visits the first `count` elements of an array that grows (tr_grow()). Reading gives it room for `room` elements, or
 * for as many as there are, and zeroes what is behind them; with neither it is released.
 */
void tr_archive_array(tr_archive *archive, void **data, uint32_t *capacity, uint32_t count, uint32_t room, size_t size);

/* Whether `count` elements of `size` bytes may follow; else the archive is refused. Ask before memory is allocated for
   a number that was read. */
bool tr_archive_has(tr_archive *archive, uint32_t count, size_t size);

/* A hash of bytes, which differs if any eight aligned ones of them differ and the others are the same. */
uint64_t tr_archive_hash(const void *bytes, size_t size);

#endif
