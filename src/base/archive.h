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

/*
 * What is known of a group: members whose bytes mostly stay as they are. Whoever changes one of them says so, by
 * tr_archive_touch(); until then the hash of the bytes stands for them, or the version that they were given.
 */
typedef struct tr_archive_group {
    bool known;           /* the hash is theirs */
    uint64_t hash, shape; /* shape and size are theirs if the hash or the version is */
    size_t size;
    uint64_t version; /* 0: they have none; see tr_archive.version */
    bool seen;        /* whoever notes it has seen them as they are */
} tr_archive_group;

static inline void tr_archive_touch(tr_archive_group *group)
{
    group->known = false;
    group->version = 0;
    group->seen = false;
}

/* Where a group is in the bytes, and their hash, or their version in an archive that has these. */
typedef struct tr_archive_part {
    uint64_t at, size, hash;
} tr_archive_part;

/* The parts of an archive that has them: one per group, in the order of the visit; and the hash of all bytes in none. */
#define TR_ARCHIVE_PARTS 48
typedef struct tr_archive_parts {
    tr_archive_part part[TR_ARCHIVE_PARTS]; /* those behind the last one are 0 */
    uint64_t loose;
} tr_archive_parts;

typedef struct tr_archive {
    tr_archive_mode mode;
    tr_memory *memory; /* for arrays that are read */
    unsigned char *bytes;
    size_t size, at; /* of `bytes`; of those how many are done */
    uint64_t shape;  /* hash of the sizes of all that was visited: other types, or another order, give another one */
    bool differs;
    tr_status status; /* once it is not TR_OK, the functions do nothing: TR_ERROR_MEMORY, TR_ERROR_PARSE */

    /* Parts that are written, or those of what is read or compared; null: groups are like other members. */
    tr_archive_parts *parts;
    const tr_archive_parts *before; /* of what is in `bytes` already, if that is written over; null: nothing */
    bool notes;                     /* what becomes known of groups is kept for the next visit */
    uint32_t part;                  /* index of the next one */
    bool in_group;
    /*
     * The last version that a group was given; null: there are none. With versions the bytes are nobody else's: they need
     * no hashes, and groups are told apart by versions instead. Long runs of bytes in no group are laid out in pieces, of
     * which those that are all zero are not written.
     */
    uint64_t *version;
    /* of the run of bytes, in a group or between two, that is being visited: where it begins, or how far it is in the
       hash, and that; and the hash and shape of what is around a group */
    size_t begin, hashed;
    uint64_t hash, outer_shape;
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

/*
 * Begins and ends the visit of a group. Where the first function returns false its members are not visited, and the
 * second one is not called: they are known to be the same as in the bytes, or their size is all that is asked for; or
 * the archive does not go on. Groups are not nested.
 */
bool tr_archive_begin(tr_archive *archive, tr_archive_group *group);
void tr_archive_end(tr_archive *archive, tr_archive_group *group);
/* Ends writing with parts. */
void tr_archive_finish(tr_archive *archive);
/* Computes the hashes of parts of `size` bytes, of which those before `first` do not count. False: they do not lie in them
   behind each other. */
bool tr_archive_sum(tr_archive_parts *parts, const unsigned char *bytes, size_t first, size_t size);

/* Whether `count` elements of `size` bytes may follow; else the archive is refused. Ask before memory is allocated for
   a number that was read. */
bool tr_archive_has(tr_archive *archive, uint32_t count, size_t size);

/* A hash of bytes, which differs if any eight aligned ones of them differ and the others are the same. */
uint64_t tr_archive_hash(const void *bytes, size_t size);

#endif
