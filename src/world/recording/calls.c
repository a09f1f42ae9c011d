/*
 * The public functions that change a world, made from the table of calls (calls.h); and what reads a recorded call and
 * makes it again.
 */
#include "world/recording/calls.h"

#include <string.h>

#include "world/core/world_internal.h"
#include "world/recording/tape.h"
#include "world/recording/visits.inl"

typedef void visit_fn(tr_archive *archive, void *data, size_t size);

/* an archive that does not read does not write to what it visits */
static void *unconst(const void *data)
{
    return (void *)(uintptr_t)data;
}

/*
 * Writing
 */
static void write_elements(tr_archive *archive, const void *elements, uint32_t count, size_t size, visit_fn *visit)
{
    unsigned char *at = unconst(elements);
    if (visit == visit_plain) {
        tr_archive_bytes(archive, at, count * size);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        visit(archive, at + i * size, size);
}

/* with the count UINT32_MAX no list is read */
static void write_list(tr_archive *archive, const void *elements, uint32_t count, size_t size, visit_fn *visit)
{
    tr_archive_value(archive, count);
    write_elements(archive, elements, count != UINT32_MAX ? count : 0, size, visit);
}

static void write_block(tr_archive *archive, const void *memory, size_t size)
{
    uint64_t wide = size;
    tr_archive_value(archive, wide);
    tr_archive_bytes(archive, unconst(memory), size);
}

static uint64_t mix(uint64_t hash, uint64_t other)
{
    return (hash ^ other) * UINT64_C(0x9E3779B97F4A7C15);
}

/*
 * Reading
 */
static void *read_list(trn_reader *reader, uint32_t *count, size_t size, visit_fn *visit)
{
    tr_archive *archive = &reader->archive;
    *count = 0;
    tr_archive_value(archive, *count);
    uint32_t there = *count != UINT32_MAX ? *count : 0;
    /* each element takes one byte at least */
    if (!tr_archive_has(archive, there, visit == visit_plain ? size : 1))
        return NULL;
    unsigned char *list = trn_reader_room(reader, there, size);
    if (list != NULL)
        write_elements(archive, list, there, size, visit);
    return list;
}

static const void *read_block(tr_archive *archive, size_t *size)
{
    uint64_t wide = 0;
    tr_archive_value(archive, wide);
    if (archive->status == TR_OK && wide > archive->size - archive->at)
        tr_archive_refuse(archive);
    if (archive->status != TR_OK)
        return NULL;
    const void *block = archive->bytes + archive->at;
    archive->at += (size_t)wide;
    *size = (size_t)wide;
    return block;
}

/*
 * What only the plane's calls have: chains, outputs that are no ids
 */
#if TR_DIMENSION == 2
/* of what a definition or result is when it is written, which has no padding; `bytes` has room for it */
static uint64_t hash_of(visit_fn *visit, const void *data, size_t size, unsigned char *bytes)
{
    tr_archive archive = {.mode = TR_ARCHIVE_WRITE, .bytes = bytes, .size = size};
    visit(&archive, unconst(data), size);
    return tr_archive_hash(bytes, archive.at);
}

static uint32_t links_of(const tr2_chain_def *def)
{
    return def->loop || def->count == 0 ? def->count : def->count - 1;
}

static void write_chain(tr_archive *archive, const tr2_chain_def *def)
{
    visit_chain_def(archive, unconst(def), sizeof *def);
    write_elements(archive, def->points, def->count, sizeof *def->points, visit_plain);
}

static void read_chain(trn_reader *reader, tr2_chain_def *def)
{
    visit_chain_def(&reader->archive, def, sizeof *def);
    if (!tr_archive_has(&reader->archive, def->count, sizeof *def->points))
        return;
    tr_vec2 *points = trn_reader_room(reader, def->count, sizeof *points);
    if (points != NULL)
        tr_archive_bytes(&reader->archive, points, def->count * sizeof *points);
    def->points = points;
}
#endif

/*
 * Arguments, by their kinds
 */
/* as an argument, behind the world */
#define NAME(kind, how, type, name) NAME_##kind(name)
#define NAME_VALUE(name)            , name
#define NAME_ONE(name)              , name
#define NAME_LIST(name)             , name, count
#define NAME_SOME(name)             , name, count
#define NAME_IDS(name)              , name
#define NAME_STATE(name)            , name
#define NAME_RESULT(name)           , name
#define NAME_CHAIN(name)            , name
#define NAME_HOOK(name)             , name, context
#define NAME_BYTES(name)            , name, size
#define NAME_NOTHING(name)

/* before the call: a copy of what it changes */
#define BEFORE(kind, how, type, name) BEFORE_##kind(type, name)
#define BEFORE_VALUE(type, name)
#define BEFORE_ONE(type, name)
#define BEFORE_LIST(type, name)
#define BEFORE_SOME(type, name)
#define BEFORE_IDS(type, name)
#define BEFORE_STATE(type, name)                                                                                       \
    type name##_before;                                                                                                \
    memset(&name##_before, 0, sizeof name##_before);                                                                   \
    if (name != NULL)                                                                                                  \
        name##_before = *name;
#define BEFORE_RESULT(type, name)
#define BEFORE_CHAIN(type, name)
#define BEFORE_HOOK(type, name)
#define BEFORE_BYTES(type, name)
#define BEFORE_NOTHING(type, name)

/* into a record, of a call that succeeded: its pointers are valid */
#define WRITE(kind, how, type, name) WRITE_##kind(how, type, name)
#define WRITE_VALUE(how, type, name) visit_##how(&archive, &name, sizeof name);
#define WRITE_ONE(how, type, name)   visit_##how(&archive, unconst(name), sizeof *name);
#define WRITE_LIST(how, type, name)  write_list(&archive, name, count, sizeof *name, visit_##how);
#define WRITE_SOME(how, type, name)  write_list(&archive, name, count, sizeof *name, visit_##how);
#define WRITE_IDS(how, type, name)
#define WRITE_STATE(how, type, name) visit_##how(&archive, &name##_before, sizeof name##_before);
#define WRITE_RESULT(how, type, name)
#define WRITE_CHAIN(how, type, name) write_chain(&archive, name);
#define WRITE_HOOK(how, type, name)                                                                                    \
    bool is_set = name != NULL;                                                                                        \
    tr_archive_flag(&archive, &is_set);
#define WRITE_BYTES(how, type, name) write_block(&archive, name, size);
#define WRITE_NOTHING(how, type, name)

/* from a record, as a variable */
#define READ(kind, how, type, name) READ_##kind(how, type, name)
#define READ_VALUE(how, type, name)                                                                                    \
    type name;                                                                                                         \
    memset(&name, 0, sizeof name);                                                                                     \
    visit_##how(&reader->archive, &name, sizeof name);
#define READ_ONE(how, type, name)                                                                                      \
    type name##_read;                                                                                                  \
    memset(&name##_read, 0, sizeof name##_read);                                                                       \
    visit_##how(&reader->archive, &name##_read, sizeof name##_read);                                                   \
    const type *name = &name##_read;
#define READ_LIST(how, type, name)                                                                                     \
    uint32_t count;                                                                                                    \
    const type *name = read_list(reader, &count, sizeof(type), visit_##how);
#define READ_SOME(how, type, name) READ_LIST(how, type, name)
#define READ_IDS(how, type, name)  type *name = trn_reader_room(reader, how, sizeof(type));
#define READ_STATE(how, type, name)                                                                                    \
    type name##_read;                                                                                                  \
    memset(&name##_read, 0, sizeof name##_read);                                                                       \
    visit_##how(&reader->archive, &name##_read, sizeof name##_read);                                                   \
    type *name = &name##_read;
#define READ_RESULT(how, type, name)                                                                                   \
    type name##_read;                                                                                                  \
    memset(&name##_read, 0, sizeof name##_read);                                                                       \
    type *name = &name##_read;
#define READ_CHAIN(how, type, name)                                                                                    \
    type name##_read;                                                                                                  \
    memset(&name##_read, 0, sizeof name##_read);                                                                       \
    read_chain(reader, &name##_read);                                                                                  \
    const type *name = &name##_read;
#define READ_HOOK(how, type, name)                                                                                     \
    bool is_set = false;                                                                                               \
    tr_archive_flag(&reader->archive, &is_set);                                                                        \
    type name = is_set ? tr2_stand_in_##how : NULL;                                                                    \
    void *context = NULL;
#define READ_BYTES(how, type, name)                                                                                    \
    size_t size = 0;                                                                                                   \
    const void *name = read_block(&reader->archive, &size);
#define READ_NOTHING(how, type, name)

/* what a call gave, into `gave` */
#define GAVE(kind, how, type, name) GAVE_##kind(how, type, name)
#define GAVE_VALUE(how, type, name)
#define GAVE_ONE(how, type, name)
#define GAVE_LIST(how, type, name)
#define GAVE_SOME(how, type, name)
#define GAVE_IDS(how, type, name)                                                                                      \
    if (name != NULL)                                                                                                  \
        gave = mix(gave, tr_archive_hash(name, (size_t)(how) * sizeof *name));
#define GAVE_STATE(how, type, name)                                                                                    \
    unsigned char name##_bytes[sizeof *name];                                                                          \
    gave = mix(gave, hash_of(visit_##how, name, sizeof *name, name##_bytes));
#define GAVE_RESULT(how, type, name) GAVE_STATE(how, type, name)
#define GAVE_CHAIN(how, type, name)
#define GAVE_HOOK(how, type, name)
#define GAVE_BYTES(how, type, name)
#define GAVE_NOTHING(how, type, name)

/* The bytes of arguments that are all numbers, as most edits have: the compiler knows how many. VARIES: of others. */
#define VARIES                        ((size_t)1 << 20)
#define PACKED(kind, how, type, name) +PACKED_##kind(how, type)
#define PACKED_VALUE(how, type)       PACKED_##how(type)
#define PACKED_plain(type)            sizeof(type)
#define PACKED_flag(type)             (size_t)1
#define PACKED_filter(type)           VARIES
#define PACKED_ONE(how, type)         VARIES
#define PACKED_LIST(how, type)        VARIES
#define PACKED_SOME(how, type)        VARIES
#define PACKED_IDS(how, type)         VARIES
#define PACKED_STATE(how, type)       VARIES
#define PACKED_RESULT(how, type)      VARIES
#define PACKED_CHAIN(how, type)       VARIES
#define PACKED_HOOK(how, type)        VARIES
#define PACKED_BYTES(how, type)       VARIES
#define PACKED_NOTHING(how, type)     (size_t)0

/* such an argument, as visit_plain() and visit_flag() write it */
#define PACK(kind, how, type, name) PACK_##kind(how, name)
#define PACK_VALUE(how, name)       PACK_##how(name)
#define PACK_plain(name)                                                                                               \
    memcpy(at, &name, sizeof name);                                                                                    \
    at += sizeof name;
#define PACK_flag(name) *at++ = (name) ? 1 : 0;
#define PACK_filter(name)
#define PACK_ONE(how, name)
#define PACK_LIST(how, name)
#define PACK_SOME(how, name)
#define PACK_IDS(how, name)
#define PACK_STATE(how, name)
#define PACK_RESULT(how, name)
#define PACK_CHAIN(how, name)
#define PACK_HOOK(how, name)
#define PACK_BYTES(how, name)
#define PACK_NOTHING(how, name)

/*
 * The public functions. Arguments of a known size go into the record at once; others are written twice, first to count
 * their bytes.
 */
#define PUBLIC(name, ...)                                                                                              \
    tr_status TR_CALL_PUBLIC(name)(trn_world * world TR_EACH(TR_PARAMETER, __VA_ARGS__))                               \
    {                                                                                                                  \
        const bool is_step = TR_CALL_##name == TR_CALL_world_step;                                                     \
        const size_t packed = 0 TR_EACH(PACKED, __VA_ARGS__);                                                          \
        uint64_t gave = 0;                                                                                             \
        if (world != NULL)                                                                                             \
            trn_frames_leave(&world->frames);                                                                          \
        if (world == NULL || !trn_tape_takes(world->tape))                                                             \
            return TR_CALL_DO(name)(world TR_EACH(NAME, __VA_ARGS__));                                                 \
        TR_EACH(BEFORE, __VA_ARGS__)                                                                                   \
        trn_tape_begin(world);                                                                                         \
        tr_status status = is_step ? TR_OK : TR_CALL_DO(name)(world TR_EACH(NAME, __VA_ARGS__));                       \
        unsigned char *at = NULL;                                                                                      \
        if (packed < VARIES && !is_step && status == TR_OK)                                                            \
            at = trn_tape_pack(world, TR_CALL_##name, packed);                                                         \
        if (at != NULL) {                                                                                              \
            TR_EACH(PACK, __VA_ARGS__)                                                                                 \
            return TR_OK;                                                                                              \
        }                                                                                                              \
        if (status == TR_OK) {                                                                                         \
            tr_archive archive = {.mode = TR_ARCHIVE_COUNT};                                                           \
            for (int pass = 0; pass < 2; pass++) {                                                                     \
                if (pass == 1)                                                                                         \
                    archive = trn_tape_open(world, TR_CALL_##name, archive.at);                                        \
                TR_EACH(WRITE, __VA_ARGS__)                                                                            \
            }                                                                                                          \
        }                                                                                                              \
        if (is_step) {                                                                                                 \
            trn_tape_flush(world);                                                                                     \
            status = TR_CALL_DO(name)(world TR_EACH(NAME, __VA_ARGS__));                                               \
        }                                                                                                              \
        if (status == TR_OK) {                                                                                         \
            TR_EACH(GAVE, __VA_ARGS__)                                                                                 \
        }                                                                                                              \
        trn_tape_end(world, TR_CALL_##name, status, gave);                                                             \
        return status;                                                                                                 \
    }
TR_CALLS(PUBLIC)

/*
 * What reads a call and makes it
 */
#define READER(name, ...)                                                                                              \
    static tr_status read_##name(trn_reader *reader, uint64_t *out)                                                    \
    {                                                                                                                  \
        uint64_t gave = 0;                                                                                             \
        TR_EACH(READ, __VA_ARGS__)                                                                                     \
        if (!trn_reader_ready(reader, TR_CALL_##name))                                                                 \
            return reader->archive.status;                                                                             \
        tr_status status = TR_CALL_DO(name)(reader->world TR_EACH(NAME, __VA_ARGS__));                                 \
        if (status == TR_OK) {                                                                                         \
            TR_EACH(GAVE, __VA_ARGS__)                                                                                 \
        }                                                                                                              \
        *out = gave;                                                                                                   \
        return status;                                                                                                 \
    }
TR_CALLS(READER)

static const struct {
    const char *name;
    tr_status (*read)(trn_reader *reader, uint64_t *out);
} calls[TR_CALL_COUNT] = {
#define ENTRY(name, ...) {#name, read_##name},
    TR_CALLS(ENTRY)};

const char *trn_call_name(tr_call call)
{
    return calls[call].name;
}

tr_status trn_call_read(trn_reader *reader, tr_call call, uint64_t *result)
{
    return calls[call].read(reader, result);
}

uint64_t trn_calls_shape(void)
{
    /* `how` and names are not in it: between releases the format's number tells those apart */
#define SIZE(kind, how, type, name) SIZE_##kind(type)
#define SIZE_VALUE(type)            shape = mix(shape, sizeof(type));
#define SIZE_ONE(type)              shape = mix(shape, 1000 + sizeof(type));
#define SIZE_LIST(type)             shape = mix(shape, 2000 + sizeof(type));
#define SIZE_SOME(type)             shape = mix(shape, 3000 + sizeof(type));
#define SIZE_IDS(type)              shape = mix(shape, 4000 + sizeof(type));
#define SIZE_STATE(type)            shape = mix(shape, 5000 + sizeof(type));
#define SIZE_RESULT(type)           shape = mix(shape, 6000 + sizeof(type));
#define SIZE_CHAIN(type)            shape = mix(shape, 7000 + sizeof(type));
#define SIZE_HOOK(type)             shape = mix(shape, 8000);
#define SIZE_BYTES(type)            shape = mix(shape, 9000);
#define SIZE_NOTHING(type)
#define SHAPE(name, ...)                                                                                               \
    shape = mix(shape, TR_CALL_##name + 1);                                                                            \
    TR_EACH(SIZE, __VA_ARGS__)
    uint64_t shape = TR_CALL_COUNT;
    TR_CALLS(SHAPE)
    return shape;
}
