/* Reads a whole stream: a file, a pipe or a terminal. */
#ifndef TR_BASE_STREAM_H
#define TR_BASE_STREAM_H

#include <stdio.h>

#include "trammel/base.h"

/*
 * Reads all bytes from the current position to the end; release *out with free(). On failure *out and *size are
 * unchanged.
 * Errors: TR_ERROR_MEMORY; TR_ERROR_FILE with errno set.
 */
tr_status tr_read_stream(FILE *stream, char **out, size_t *size);

#endif
