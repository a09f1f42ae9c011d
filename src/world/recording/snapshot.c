/* Snapshots: the state of a world as bytes, with a header and checksums. */
#include <string.h>

#include "world/core/check.h"
#include "world/recording/state.h"

#define MAGIC  "TRAMMEL\x1a"
#define ORDER  UINT32_C(0x01020304)
#define FORMAT 9u /* of the bytes; between releases nothing else tells them apart */

/* The layout of the header is the same in all formats. */
typedef struct snapshot_header {
    char magic[8];
    uint32_t order; /* of bytes: ORDER */
    uint32_t format, version, dimension;
    uint64_t size;  /* of all, bytes */
    uint64_t shape; /* tr_archive.shape */
    uint64_t hash;  /* of the header, with 0 here, and of the parts, which have those of the rest */
} snapshot_header;

_Static_assert(sizeof(snapshot_header) == 48, "no padding");

/* A snapshot is a header, the parts of the state (base/archive.h), and the state. */
#define STATE_AT (sizeof(snapshot_header) + sizeof(tr_archive_parts))

/*
 * Saving
 */
static void write_all(trn_world *world, tr_archive *archive)
{
    archive->at = archive->hashed = STATE_AT;
    trn_state_visit(world, archive);
}

/* of a snapshot with this header, whose hash is 0, and these parts */
static uint64_t hash_of(const snapshot_header *header, const tr_archive_parts *parts)
{
    snapshot_header with = *header;
    with.hash = tr_archive_hash(parts, sizeof *parts);
    return tr_archive_hash(&with, sizeof with);
}

size_t trn_world_save_size(const trn_world *world)
{
    tr_archive archive = {.mode = TR_ARCHIVE_COUNT};
    if (world == NULL)
        return 0;
    /* an archive that counts does not write to the world */
    write_all(trn_mutable(world), &archive);
    return archive.at;
}

/* `before`: the parts of the snapshot that `memory` holds, or null. `notes`: the world may note what its groups are. */
static tr_status save(const trn_check *check, trn_world *world, void *memory, size_t capacity, size_t *size,
                      const tr_archive_parts *before, bool notes)
{
    tr_archive_parts parts;
    tr_archive archive = {
        .mode = TR_ARCHIVE_WRITE, .bytes = memory, .size = capacity, .parts = &parts, .before = before, .notes = notes};
    if (capacity >= STATE_AT)
        write_all(world, &archive);
    if (capacity < STATE_AT || archive.status != TR_OK)
        return trn_check_fail(check, TR_ERROR_RANGE, "capacity", "is %zu bytes, must be %zu at least", capacity,
                              trn_world_save_size(world));
    tr_archive_finish(&archive);
    snapshot_header header = {.order = ORDER,
                              .format = FORMAT,
                              .version = TR_VERSION,
                              .dimension = TR_DIMENSION,
                              .size = archive.at,
                              .shape = archive.shape};
    memcpy(header.magic, MAGIC, sizeof header.magic);
    header.hash = hash_of(&header, &parts);
    memcpy(memory, &header, sizeof header);
    memcpy((unsigned char *)memory + sizeof header, &parts, sizeof parts);
    *size = archive.at;
    return TR_OK;
}

static tr_status check_output(const trn_check *check, const void *memory, const size_t *size)
{
    tr_status status = trn_check_pointer(check, "memory", memory);
    return status == TR_OK ? trn_check_pointer(check, "size", size) : status;
}

tr_status trn_world_save(const trn_world *world, void *memory, size_t capacity, size_t *size)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_save", "");
    tr_status status = check_output(&check, memory, size);
    /* without notes an archive that writes does not write to the world */
    return status == TR_OK ? save(&check, trn_mutable(world), memory, capacity, size, NULL, false) : status;
}

/* reads the head of what may be a snapshot; false: it is none of this version */
static bool read_head(const void *memory, size_t size, tr_archive_parts *parts)
{
    snapshot_header header;
    if (size < STATE_AT)
        return false;
    memcpy(&header, memory, sizeof header);
    memcpy(parts, (const unsigned char *)memory + sizeof header, sizeof *parts);
    const uint64_t hash = header.hash;
    header.hash = 0;
    return memcmp(header.magic, MAGIC, sizeof header.magic) == 0 && header.order == ORDER && header.format == FORMAT &&
           header.version == TR_VERSION && header.dimension == TR_DIMENSION && header.size == size &&
           hash_of(&header, parts) == hash;
}

tr_status trn_world_save_over(trn_world *world, void *memory, size_t capacity, size_t *size)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_save_over", "");
    tr_status status = check_output(&check, memory, size);
    if (status != TR_OK)
        return status;
    if (*size > capacity)
        return trn_check_fail(&check, TR_ERROR_RANGE, "size", "is %zu bytes of the snapshot there, the capacity is %zu",
                              *size, capacity);
    tr_archive_parts before;
    const bool is_there = read_head(memory, *size, &before);
    /* what is there stays if there is too little room */
    const size_t needed = trn_world_save_size(world);
    if (needed > capacity)
        return trn_check_fail(&check, TR_ERROR_RANGE, "capacity", "is %zu bytes, must be %zu at least", capacity,
                              needed);
    return save(&check, world, memory, capacity, size, is_there ? &before : NULL, true);
}

/*
 * Restoring
 */
static bool is_whole(const snapshot_header *header, const tr_archive_parts *parts, const void *memory)
{
    tr_archive_parts is = *parts;
    snapshot_header plain = *header;
    plain.hash = 0;
    return hash_of(&plain, parts) == header->hash && tr_archive_sum(&is, memory, STATE_AT, (size_t)header->size) &&
           memcmp(&is, parts, sizeof is) == 0;
}

static tr_status check_header(const trn_check *check, const void *memory, size_t size, snapshot_header *out,
                              tr_archive_parts *parts)
{
    if (size < sizeof *out)
        return trn_check_fail(check, TR_ERROR_PARSE, "memory", "is no snapshot: has %zu bytes", size);
    memcpy(out, memory, sizeof *out);
    if (memcmp(out->magic, MAGIC, sizeof out->magic) != 0)
        return trn_check_fail(check, TR_ERROR_PARSE, "memory", "is no snapshot");
    if (out->order == UINT32_C(0x04030201))
        return trn_check_fail(check, TR_ERROR_UNSUPPORTED, "memory", "is of a machine with another order of bytes");
    if (out->order == ORDER && out->size != size)
        return trn_check_fail(check, TR_ERROR_PARSE, "memory", "has %zu bytes, the snapshot has %llu", size,
                              (unsigned long long)out->size);
    /* checksums of another format may be elsewhere, and of other bytes */
    if (out->order == ORDER && (out->version != TR_VERSION || out->format != FORMAT))
        return trn_check_fail(check, TR_ERROR_UNSUPPORTED, "memory",
                              "is of version %u.%u.%u, format %u; this is %s, %u", out->version >> 16,
                              out->version >> 8 & 255, out->version & 255, out->format, TR_VERSION_STRING, FORMAT);
    if (size >= STATE_AT)
        memcpy(parts, (const unsigned char *)memory + sizeof *out, sizeof *parts);
    if (out->order != ORDER || size < STATE_AT || !is_whole(out, parts, memory))
        return trn_check_fail(check, TR_ERROR_PARSE, "memory", "is damaged: its checksum is another");
    if (out->dimension != TR_DIMENSION)
        return trn_check_fail(check, TR_ERROR_UNSUPPORTED, "memory", "is of a world of %u dimensions", out->dimension);
    return TR_OK;
}

tr_status trn_do_world_restore(trn_world *world, const void *memory, size_t size)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "world_restore", "");
    snapshot_header header = {0};
    tr_archive_parts parts;
    tr_status status = trn_check_pointer(&check, "memory", memory);
    if (status == TR_OK)
        status = check_header(&check, memory, size, &header, &parts);
    if (status != TR_OK)
        return status;
    /* reading does not write to the bytes */
    const tr_archive from = {
        .bytes = (unsigned char *)(uintptr_t)memory, .size = size, .at = STATE_AT, .parts = &parts};
    status = trn_state_read(world, &from, header.shape);
    if (status == TR_ERROR_MEMORY)
        return trn_check_fail(&check, status, "", "no memory for the state");
    if (status != TR_OK)
        return trn_check_fail(&check, status, "memory", "is no state of a world, though its checksum is right");
    return TR_OK;
}
