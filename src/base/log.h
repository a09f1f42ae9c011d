/*
 * The frame of a log of calls: a header, then chunks of whole records, each with its number and checksums of its own
 * header and of its content. So what is cut off differs from what is damaged.
 *
 * Between header and chunks a log may have a journal (base/log_file.h): chunks again, the last ones, of which those that
 * are not behind it yet complete the log. What is wrong in it ends it.
 */
#ifndef TR_BASE_LOG_H
#define TR_BASE_LOG_H

#include "trammel/base.h"

/* The layout of the header is the same in all formats. */
typedef struct tr_log_header {
    char magic[8];
    uint32_t order; /* of bytes */
    uint32_t format, version, dimension;
    uint64_t shape; /* of the table of calls: other arguments give another one */
    uint64_t start; /* bytes to the first chunk; more than a header if there is a journal */
    uint64_t hash;  /* of all, with 0 here */
} tr_log_header;

typedef struct tr_log_chunk {
    uint32_t index;
    uint32_t check; /* of this header */
    uint64_t size;  /* of the content that follows, bytes */
    uint64_t hash;  /* of the content */
} tr_log_chunk;

_Static_assert(sizeof(tr_log_header) == 48 && sizeof(tr_log_chunk) == 24, "no padding");

tr_log_header tr_log_header_of(uint32_t dimension, uint64_t shape);
/* Makes room for a journal. */
void tr_log_header_move(tr_log_header *header, uint64_t start);
tr_log_chunk tr_log_chunk_of(uint32_t index, const void *content, size_t size);

/* What is wrong with the beginning of a log; null: nothing. *status: TR_ERROR_PARSE, _UNSUPPORTED. */
const char *tr_log_check(const void *log, size_t size, uint32_t dimension, uint64_t shape, tr_status *status);

typedef enum tr_log_next { TR_LOG_CHUNK, TR_LOG_CUT_OFF, TR_LOG_DAMAGED } tr_log_next;

/* Where the first chunk is, of a log that has been checked. */
size_t tr_log_start(const void *log);
/* Enters the chunk of this index, which is at *at or in the journal: then *at is where its content begins, *end where it
   ends. */
tr_log_next tr_log_enter(const void *log, size_t size, uint32_t index, size_t *at, size_t *end);

#endif
