/* Documents on disk: reads a file, parses JSON, replaces a file. */
#ifndef TR_SCENE_FILES_H
#define TR_SCENE_FILES_H

#include "trammel/base.h"

#ifdef TR_WITH_SCENES

#include <jansson.h>

/* Reads a whole file; release *out with free(). TR_ERROR_FILE, _MEMORY. */
tr_status tr_read_file(const char *path, char **out, size_t *size, tr_error *error);
/* Parses JSON; messages name the text by `label`. Release *out with json_decref(). TR_ERROR_PARSE, _MEMORY. */
tr_status tr_parse_document(const char *text, size_t size, const char *label, json_t **out, tr_error *error);
/* Writes a file: an old one is replaced at once or stays as it was; a device or a pipe is written into. TR_ERROR_FILE,
   _MEMORY. */
tr_status tr_write_file(const char *path, const char *bytes, size_t size, tr_error *error);

#endif

#endif
