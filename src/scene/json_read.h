/*
 * JSON access with error reports: a getter that fails says where in the file, and what was expected. The path is a
 * chain of cursors on the stack; it is put into words only for a message.
 */
#ifndef TR_SCENE_JSON_READ_H
#define TR_SCENE_JSON_READ_H

#include <jansson.h>

#include "scene/storage.h"

/* State that the readers of both formats share. */
typedef struct tr2_reader {
    tr2_builder *builder;
    tr_error *error;
    const char *label;      /* names the file in messages */
    bool hexadecimal;       /* a string of eight hexadecimal digits is the bits of a float */
    bool loose;             /* 0 and 1 are accepted as booleans, 0 as a zero vector, null as absent */
    uint32_t unknown_count; /* notices about unknown keys so far */
} tr2_reader;

/* A place in the document. `key` null: element `index` of the parent's array. `value` null: the member is absent. */
typedef struct tr2_cursor {
    const struct tr2_cursor *parent;
    const char *key;
    size_t index;
    json_t *value;
} tr2_cursor;

tr2_cursor tr2_json_root(json_t *value);
tr2_cursor tr2_json_member(const tr2_cursor *object, const char *key);
tr2_cursor tr2_json_element(const tr2_cursor *array, size_t index);

/* Describes the type of a value for messages: "a number", "a string", ... */
const char *tr2_json_kind(const json_t *value);

/* Returns TR_ERROR_PARSE and writes a message with the file, the path and the sentence. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tr_status
tr2_json_fail(const tr2_reader *reader, const tr2_cursor *at, const char *format, ...);

/* TR_ERROR_PARSE unless the value is present and of the kind. */
tr_status tr2_json_want_object(const tr2_reader *reader, const tr2_cursor *at);
tr_status tr2_json_want_array(const tr2_reader *reader, const tr2_cursor *at);

/* Each reads the value at a cursor. If it is absent, *out is unchanged. Numbers must be finite and fit the type. */
tr_status tr2_json_double(const tr2_reader *reader, const tr2_cursor *at, double *out);
tr_status tr2_json_float(const tr2_reader *reader, const tr2_cursor *at, float *out);
/* a float that is not negative */
tr_status tr2_json_size(const tr2_reader *reader, const tr2_cursor *at, float *out);
tr_status tr2_json_integer(const tr2_reader *reader, const tr2_cursor *at, uint32_t minimum, uint32_t maximum,
                           uint32_t *out);
tr_status tr2_json_u64(const tr2_reader *reader, const tr2_cursor *at, uint64_t *out); /* number, or digits as string */
tr_status tr2_json_bool(const tr2_reader *reader, const tr2_cursor *at, bool *out);
/* one of `count` words; *out is its index; `what`: them, for the message. An absent value is refused, too. */
tr_status tr2_json_word(const tr2_reader *reader, const tr2_cursor *at, const char *const *words, uint32_t count,
                        const char *what, uint32_t *out);
/* [x, y] or {"x": x, "y": y}; an absent x or y is 0 */
tr_status tr2_json_vec2(const tr2_reader *reader, const tr2_cursor *at, tr_vec2 *out);
tr_status tr2_json_dvec2(const tr2_reader *reader, const tr2_cursor *at, tr_dvec2 *out);
/* sets mass, inertia and centre of the body at the cursor */
tr_status tr2_json_mass(const tr2_reader *reader, const tr2_cursor *at, const tr2_mass *mass, tr2_body_def *def);
/* makes the last shape's polygon counter-clockwise; fails if it has no area; `at`: its vertices, for the message */
tr_status tr2_json_polygon(const tr2_reader *reader, const tr2_cursor *at);
/* a copy that the scene owns; *out must be null before; the empty string counts as absent */
tr_status tr2_json_name(const tr2_reader *reader, const tr2_cursor *at, char **out);

/* The same for a member of an object. */
tr_status tr2_json_get_double(const tr2_reader *reader, const tr2_cursor *object, const char *key, double *out);
tr_status tr2_json_get_float(const tr2_reader *reader, const tr2_cursor *object, const char *key, float *out);
tr_status tr2_json_get_bool(const tr2_reader *reader, const tr2_cursor *object, const char *key, bool *out);
tr_status tr2_json_get_vec2(const tr2_reader *reader, const tr2_cursor *object, const char *key, tr_vec2 *out);
tr_status tr2_json_get_dvec2(const tr2_reader *reader, const tr2_cursor *object, const char *key, tr_dvec2 *out);
/* a signed 32-bit integer */
tr_status tr2_json_get_group(const tr2_reader *reader, const tr2_cursor *object, const char *key, int32_t *out);
tr_status tr2_json_get_name(const tr2_reader *reader, const tr2_cursor *object, char **out);

/* TR_ERROR_PARSE unless the value is an object. Adds a notice for each of its keys that is not in the null-terminated
   list; paths that differ only in indices share one. */
tr_status tr2_json_want_keys(tr2_reader *reader, const tr2_cursor *at, const char *const *known);
/* Adds the notice for one such key. */
tr_status tr2_json_unknown_key(tr2_reader *reader, const tr2_cursor *object, const char *key);

/* The readers of the two formats. Both fill the reader's builder. */
tr_status tr2_read_own(tr2_reader *reader, const tr2_cursor *root);
tr_status tr2_read_rube(tr2_reader *reader, const tr2_cursor *root);

#endif
