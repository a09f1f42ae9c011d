/* Reading a whole stream, whatever it is: a file, a pipe, a terminal. */
#ifndef TR_BASE_STREAM_H
#define TR_BASE_STREAM_H

#include <stdio.h>

#include "trammel/base.h"

/*
 * All bytes from where the stream stands to its end; release *out with free(). On failure *out and *size are untouched.
 * Errors: TR_ERROR_MEMORY; TR_ERROR_FILE, and errno says why.
 */
tr_status tr_read_stream(FILE *stream, char **out, size_t *size);

#endif
