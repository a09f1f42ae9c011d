/* Writer of JSON objects on one line. Members are written in the order of the calls. */
#ifndef TR_SCENE_LINE_H
#define TR_SCENE_LINE_H

#include "scene/text.h"

/* begins as {text, false}; ends with tr_put_end() */
typedef struct tr_line {
    tr_text *text;
    bool started;
} tr_line;

/* Writes a key; the value comes next. */
void tr_put_key(tr_line *out, const char *key);
void tr_put_end(tr_line *out);
/* Nothing if it is null or empty. */
void tr_put_string(tr_line *out, const char *key, const char *value);
/* A string that needs no escapes. */
void tr_put_word(tr_line *out, const char *key, const char *word);
void tr_put_bool(tr_line *out, const char *key, bool value);
void tr_put_float(tr_line *out, const char *key, float value);
void tr_put_double(tr_line *out, const char *key, double value);
/* `count` numbers as an array. */
void tr_put_floats(tr_line *out, const char *key, const float *values, uint32_t count);
void tr_put_doubles(tr_line *out, const char *key, const double *values, uint32_t count);
/* As an element of an array. */
void tr_append_floats(tr_text *text, const float *values, uint32_t count);
/* Written as a string if a reader that stores numbers as doubles would lose bits. */
void tr_put_bits(tr_line *out, const char *key, uint64_t value);
/* Nothing if it is 0. */
void tr_put_user_data(tr_line *out, uint64_t value);

/* Names of the softness kinds, in the order of tr_softness_kind, and of the two numbers of each. */
#define TR_SOFTNESS_WORD_COUNT 4
extern const char *const tr_softness_words[TR_SOFTNESS_WORD_COUNT];
extern const char *const tr_softness_keys[TR_SOFTNESS_WORD_COUNT][2];

#endif
