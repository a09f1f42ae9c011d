/*
 * JSON access with error reports: a getter that fails says where in the file, and what was expected. The path is a
 * chain of cursors on the stack; it is put into words only for a message.
 */
#ifndef TR_SCENE_JSON_READ_H
#define TR_SCENE_JSON_READ_H

#include <jansson.h>

#include "scene/core/storage.h"

/* State that the readers of both formats share. */
typedef struct trn_reader {
    trn_builder *builder;
    tr_error *error;
    const char *label;      /* names the file in messages */
    bool hexadecimal;       /* a string of eight hexadecimal digits is the bits of a float */
    bool loose;             /* 0 and 1 are accepted as booleans, 0 as a zero vector, null as absent */
    uint32_t unknown_count; /* notices about unknown keys so far */
} trn_reader;

/* A place in the document. `key` null: element `index` of the parent's array. `value` null: the member is absent. */
typedef struct trn_cursor {
    const struct trn_cursor *parent;
    const char *key;
    size_t index;
    json_t *value;
} trn_cursor;

trn_cursor trn_json_root(json_t *value);
trn_cursor trn_json_member(const trn_cursor *object, const char *key);
trn_cursor trn_json_element(const trn_cursor *array, size_t index);

/* Describes the type of a value for messages: "a number", "a string", ... */
const char *trn_json_kind(const json_t *value);

/* Returns TR_ERROR_PARSE and writes a message with the file, the path and the sentence. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tr_status
trn_json_fail(const trn_reader *reader, const trn_cursor *at, const char *format, ...);

/* TR_ERROR_PARSE unless the value is present and of the kind. */
tr_status trn_json_want_object(const trn_reader *reader, const trn_cursor *at);
tr_status trn_json_want_array(const trn_reader *reader, const trn_cursor *at);

/* Each reads the value at a cursor. If it is absent, *out is unchanged. Numbers must be finite and fit the type. */
tr_status trn_json_double(const trn_reader *reader, const trn_cursor *at, double *out);
tr_status trn_json_float(const trn_reader *reader, const trn_cursor *at, float *out);
/* a float that is not negative */
tr_status trn_json_size(const trn_reader *reader, const trn_cursor *at, float *out);
tr_status trn_json_integer(const trn_reader *reader, const trn_cursor *at, uint32_t minimum, uint32_t maximum,
                           uint32_t *out);
tr_status trn_json_u64(const trn_reader *reader, const trn_cursor *at, uint64_t *out); /* number, or digits as string */
tr_status trn_json_bool(const trn_reader *reader, const trn_cursor *at, bool *out);
/* one of `count` words; *out is its index; `what`: them, for the message. An absent value is refused, too. */
tr_status trn_json_word(const trn_reader *reader, const trn_cursor *at, const char *const *words, uint32_t count,
                        const char *what, uint32_t *out);
/* `count` (2 to 4) numbers: [x, y, ...] or {"x": x, "y": y, ...} with z and w; an absent one of the latter is 0 */
tr_status trn_json_doubles(const trn_reader *reader, const trn_cursor *at, uint32_t count, double *out);
tr_status trn_json_floats(const trn_reader *reader, const trn_cursor *at, uint32_t count, float *out);
tr_status trn_json_vec(const trn_reader *reader, const trn_cursor *at, trn_vec *out);
tr_status trn_json_dvec(const trn_reader *reader, const trn_cursor *at, trn_dvec *out);
tr_status trn_json_quat(const trn_reader *reader, const trn_cursor *at, tr_quat *out);
/* [xx, yy, zz], [xx, yy, zz, xy, xz, yz], or one number for xx = yy = zz */
tr_status trn_json_sym3(const trn_reader *reader, const trn_cursor *at, tr_sym3 *out);
/* a copy that the scene owns; *out must be null before; the empty string counts as absent */
tr_status trn_json_name(const trn_reader *reader, const trn_cursor *at, char **out);

/* The same for a member of an object. */
tr_status trn_json_get_double(const trn_reader *reader, const trn_cursor *object, const char *key, double *out);
tr_status trn_json_get_float(const trn_reader *reader, const trn_cursor *object, const char *key, float *out);
tr_status trn_json_get_bool(const trn_reader *reader, const trn_cursor *object, const char *key, bool *out);
tr_status trn_json_get_vec(const trn_reader *reader, const trn_cursor *object, const char *key, trn_vec *out);
/* a signed 32-bit integer */
tr_status trn_json_get_group(const trn_reader *reader, const trn_cursor *object, const char *key, int32_t *out);
tr_status trn_json_get_name(const trn_reader *reader, const trn_cursor *object, char **out);

/* TR_ERROR_PARSE unless the value is an object. Adds a notice for each of its keys that is not in the null-terminated
   list; paths that differ only in indices share one. */
tr_status trn_json_want_keys(trn_reader *reader, const trn_cursor *at, const char *const *known);
/* Adds the notice for one such key. */
tr_status trn_json_unknown_key(trn_reader *reader, const trn_cursor *object, const char *key);

/* The reader of our own format. It fills the reader's builder. */
tr_status trn_read_own(trn_reader *reader, const trn_cursor *root);

#endif
