/* Documents on disk: reads a file, parses JSON, replaces a file. */
#define _XOPEN_SOURCE 700

#include "scene/files.h"

#ifdef TR_WITH_SCENES

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/stream.h"
#include "scene/common.h"

tr_status tr_parse_document(const char *text, size_t size, const char *label, json_t **out, tr_error *error)
{
    /* editors on Windows put a byte order mark first */
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        size -= 3;
    }
    json_error_t where;
    *out = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (*out != NULL)
        return TR_OK;
    /* jansson's message is empty when it has no memory; a lexer error always has a message */
    if (json_error_code(&where) == json_error_out_of_memory || where.text[0] == '\0')
        return tr_scene_fail(error, TR_ERROR_MEMORY, "%.100s: not enough memory", label);
    return tr_scene_fail(error, TR_ERROR_PARSE, "%.60s:%d:%d: %s", label, where.line, where.column, where.text);
}

tr_status tr_read_file(const char *path, char **out, size_t *size, tr_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return tr_scene_fail(error, TR_ERROR_FILE, "%.120s: cannot be opened: %s", path, strerror(errno));
    tr_status status = tr_read_stream(file, out, size);
    if (status == TR_ERROR_MEMORY)
        (void)tr_scene_fail(error, status, "%.120s: not enough memory to read it", path);
    else if (status != TR_OK)
        (void)tr_scene_fail(error, status, "%.120s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    return status;
}

static tr_status write_bytes(FILE *file, const char *path, const char *bytes, size_t size, tr_error *error)
{
    bool good = fwrite(bytes, 1, size, file) == size;
    /* a full disk may be reported only when the file is closed */
    good = fclose(file) == 0 && good;
    return good ? TR_OK : tr_scene_fail(error, TR_ERROR_FILE, "%.120s: cannot be written: %s", path, strerror(errno));
}

/* creates a new file next to `path` with an unused name; null on failure, with errno set */
static FILE *open_beside(const char *path, char *name, size_t size)
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        int length = snprintf(name, size, "%s.%02u.tmp", path, attempt);
        if (length < 0 || (size_t)length >= size)
            return NULL;
        FILE *file = fopen(name, "wbx");
        if (file != NULL || errno != EEXIST)
            return file;
    }
    return NULL;
}

/* writes a temporary file and renames it over `path`, so that a failure leaves the old file intact */
static tr_status replace_file(const char *path, const char *bytes, size_t size, tr_error *error)
{
    size_t room = strlen(path) + 16;
    char *name = malloc(room);
    if (name == NULL)
        return tr_scene_fail(error, TR_ERROR_MEMORY, "%.120s: not enough memory to write it", path);
    FILE *file = open_beside(path, name, room);
    tr_status status = TR_OK;
    if (file == NULL)
        status = tr_scene_fail(error, TR_ERROR_FILE, "%.120s: cannot be written: %s", path, strerror(errno));
    else {
        status = write_bytes(file, path, bytes, size, error);
        if (status == TR_OK && rename(name, path) != 0)
            status = tr_scene_fail(error, TR_ERROR_FILE, "%.120s: cannot be replaced: %s", path, strerror(errno));
        if (status != TR_OK)
            remove(name);
    }
    free(name);
    return status;
}

tr_status tr_write_file(const char *path, const char *bytes, size_t size, tr_error *error)
{
    tr_status status = TR_OK;
    /* write into a device or a pipe instead of replacing it; behind a symbolic link, replace the file that it names */
    struct stat information;
    bool exists = stat(path, &information) == 0;
    if (exists && !S_ISREG(information.st_mode)) {
        FILE *file = fopen(path, "wb");
        status = file != NULL
                     ? write_bytes(file, path, bytes, size, error)
                     : tr_scene_fail(error, TR_ERROR_FILE, "%.120s: cannot be opened: %s", path, strerror(errno));
    } else {
        char *target = exists ? realpath(path, NULL) : NULL;
        if (exists && target == NULL)
            status = tr_scene_fail(error, errno == ENOMEM ? TR_ERROR_MEMORY : TR_ERROR_FILE,
                                   "%.120s: cannot be replaced: %s", path, strerror(errno));
        else
            status = replace_file(target != NULL ? target : path, bytes, size, error);
        free(target);
    }
    return status;
}

#endif
