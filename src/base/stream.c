#include "base/stream.h"

#include <errno.h>
#include <stdlib.h>

tr_status tr_read_stream(FILE *stream, char **out, size_t *size)
{
    char *bytes = NULL;
    size_t length = 0, capacity = 0;
    for (size_t got = 1; got > 0;) {
        if (length == capacity) {
            size_t wanted = capacity == 0 ? 65536 : capacity * 2;
            char *block = wanted > capacity ? realloc(bytes, wanted) : NULL;
            if (block == NULL) {
                free(bytes);
                return TR_ERROR_MEMORY;
            }
            bytes = block;
            capacity = wanted;
        }
        got = fread(bytes + length, 1, capacity - length, stream);
        length += got;
    }
    if (ferror(stream)) {
        /* free() may change errno */
        int reason = errno;
        free(bytes);
        errno = reason;
        return TR_ERROR_FILE;
    }
    *out = bytes;
    *size = length;
    return TR_OK;
}
