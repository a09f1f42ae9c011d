/* Writer of JSON objects on one line. Members are written in the order of the calls. */
#ifndef TR_SCENE_LINE_H
#define TR_SCENE_LINE_H

#include "scene/text.h"
#include "trammel/trammel.h"

/* begins as {text, false}; ends with tr2_put_end() */
typedef struct tr2_line {
    tr_text *text;
    bool started;
} tr2_line;

/* Writes a key; the value comes next. */
void tr2_put_key(tr2_line *out, const char *key);
void tr2_put_end(tr2_line *out);
/* Nothing if it is null or empty. */
void tr2_put_string(tr2_line *out, const char *key, const char *value);
/* A string that needs no escapes. */
void tr2_put_word(tr2_line *out, const char *key, const char *word);
void tr2_put_bool(tr2_line *out, const char *key, bool value);
void tr2_put_float(tr2_line *out, const char *key, float value);
void tr2_put_double(tr2_line *out, const char *key, double value);
void tr2_put_vec2(tr2_line *out, const char *key, tr_vec2 value);
void tr2_put_dvec2(tr2_line *out, const char *key, tr_dvec2 value);
/* As an element of an array. */
void tr2_append_vec2(tr_text *text, tr_vec2 value);
/* Written as a string if a reader that stores numbers as doubles would lose bits. */
void tr2_put_bits(tr2_line *out, const char *key, uint64_t value);
/* Nothing if it is 0. */
void tr2_put_user_data(tr2_line *out, uint64_t value);

#endif
