#include "base/log.h"

#include <string.h>

#include "base/archive.h"
#include "trammel/recording.h"

#define MAGIC  "TRAMLOG\x1a"
#define ORDER  UINT32_C(0x01020304)
#define FORMAT 6u /* of the bytes; between releases nothing else tells them apart */

tr_log_header tr_log_header_of(uint32_t dimension, uint64_t shape)
{
    tr_log_header header = {
        .order = ORDER, .format = FORMAT, .version = TR_VERSION, .dimension = dimension, .shape = shape};
    memcpy(header.magic, MAGIC, sizeof header.magic);
    tr_log_header_move(&header, sizeof header);
    return header;
}

void tr_log_header_move(tr_log_header *header, uint64_t start)
{
    header->start = start;
    header->hash = 0;
    header->hash = tr_archive_hash(header, sizeof *header);
}

size_t tr_log_start(const void *log)
{
    tr_log_header header;
    memcpy(&header, log, sizeof header);
    return header.start < SIZE_MAX ? (size_t)header.start : SIZE_MAX;
}

static uint32_t check_of(const tr_log_chunk *chunk)
{
    tr_log_chunk plain = *chunk;
    plain.check = 0;
    return (uint32_t)(tr_archive_hash(&plain, sizeof plain) >> 32);
}

tr_log_chunk tr_log_chunk_of(uint32_t index, const void *content, size_t size)
{
    tr_log_chunk chunk = {.index = index, .size = size, .hash = tr_archive_hash(content, size)};
    chunk.check = check_of(&chunk);
    return chunk;
}

const char *tr_log_check(const void *log, size_t size, uint32_t dimension, uint64_t shape, tr_status *status)
{
    tr_log_header header, plain;
    *status = TR_ERROR_PARSE;
    if (size < sizeof header)
        return "is no log of calls: it is too short";
    memcpy(&header, log, sizeof header);
    if (memcmp(header.magic, MAGIC, sizeof header.magic) != 0)
        return "is no log of calls";
    plain = header;
    plain.hash = 0;
    *status = TR_ERROR_UNSUPPORTED;
    if (header.order == UINT32_C(0x04030201))
        return "is of a machine with another order of bytes";
    *status = TR_ERROR_PARSE;
    if (tr_archive_hash(&plain, sizeof plain) != header.hash)
        return "is damaged: the checksum of its header is another";
    *status = TR_ERROR_UNSUPPORTED;
    if (header.version != TR_VERSION || header.format != FORMAT)
        return "is of another version of Trammel";
    if (header.dimension != dimension)
        return dimension == 2 ? "is of a world in space" : "is of a world in the plane";
    if (header.shape != shape)
        return "is of another build of Trammel, with other calls";
    *status = TR_ERROR_PARSE;
    if (header.start < sizeof header)
        return "is damaged: its chunks begin in its header";
    *status = TR_OK;
    return NULL;
}

static tr_log_next enter_here(const void *log, size_t size, uint32_t index, size_t *at, size_t *end)
{
    tr_log_chunk chunk;
    if (size < *at || size - *at < sizeof chunk)
        return TR_LOG_CUT_OFF;
    const unsigned char *begin = (const unsigned char *)log + *at;
    memcpy(&chunk, begin, sizeof chunk);
    if (check_of(&chunk) != chunk.check || chunk.index != index)
        return TR_LOG_DAMAGED;
    if (chunk.size > size - *at - sizeof chunk)
        return TR_LOG_CUT_OFF;
    if (tr_archive_hash(begin + sizeof chunk, (size_t)chunk.size) != chunk.hash)
        return TR_LOG_DAMAGED;
    *at += sizeof chunk;
    *end = *at + (size_t)chunk.size;
    return TR_LOG_CHUNK;
}

/* The journal's chunks follow each other, the first of any index; behind the last there may be rests of older ones. */
static tr_log_next enter_journal(const void *log, size_t size, uint32_t index, size_t *at, size_t *end)
{
    tr_log_chunk chunk;
    size_t here = sizeof(tr_log_header);
    if (size < here || size - here < sizeof chunk)
        return TR_LOG_CUT_OFF;
    memcpy(&chunk, (const unsigned char *)log + here, sizeof chunk);
    if (chunk.index > index)
        return TR_LOG_CUT_OFF;
    for (uint32_t i = chunk.index;; i++) {
        size_t next = here, behind = 0;
        if (enter_here(log, size, i, &next, &behind) != TR_LOG_CHUNK)
            return TR_LOG_CUT_OFF;
        if (i == index) {
            *at = next;
            *end = behind;
            return TR_LOG_CHUNK;
        }
        here = behind;
    }
}

tr_log_next tr_log_enter(const void *log, size_t size, uint32_t index, size_t *at, size_t *end)
{
    size_t start = tr_log_start(log);
    tr_log_next next = *at >= start ? enter_here(log, size, index, at, end) : TR_LOG_CUT_OFF;
    return next == TR_LOG_CUT_OFF ? enter_journal(log, size < start ? size : start, index, at, end) : next;
}

uint32_t tr_replay_dimension(const void *log, size_t size)
{
    tr_log_header header;
    if (log == NULL || size < sizeof header)
        return 0;
    memcpy(&header, log, sizeof header);
    bool known = memcmp(header.magic, MAGIC, sizeof header.magic) == 0 && header.order == ORDER;
    return known && (header.dimension == 2 || header.dimension == 3) ? header.dimension : 0;
}
