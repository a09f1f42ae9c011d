/* Growing text buffer of the writer. After the first failure it appends nothing; `status` keeps the error. */
#ifndef TR_SCENE_TEXT_H
#define TR_SCENE_TEXT_H

#include "trammel/base.h"

typedef struct tr_text {
    char *bytes; /* zero-terminated once anything was appended; release with free() */
    size_t size, capacity;
    /* the first failure: TR_ERROR_MEMORY, _NAN, _INFINITE, or _PARSE for a string that is not UTF-8 */
    tr_status status;
} tr_text;

void tr_text_append(tr_text *text, const char *words);
/* Appends the shortest decimal that reads back to the same bits, in any locale. */
void tr_text_double(tr_text *text, double value);
void tr_text_float(tr_text *text, float value);
void tr_text_u64(tr_text *text, uint64_t value);
/* Appends a quoted string with JSON's escapes. */
void tr_text_string(tr_text *text, const char *string);

#endif
