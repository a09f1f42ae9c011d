#include "base/number.h"
#include "scene/core/storage.h"

#ifdef TR_WITH_SCENES

#include "scene/core/json_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a file with more unknown keys than this is of another format, and a longer list would not help */
#define UNKNOWN_MAX 64u

trn_cursor trn_json_root(json_t *value)
{
    trn_cursor cursor = {NULL, NULL, 0, value};
    return cursor;
}

trn_cursor trn_json_member(const trn_cursor *object, const char *key)
{
    trn_cursor cursor = {object, key, 0, json_object_get(object->value, key)};
    return cursor;
}

trn_cursor trn_json_element(const trn_cursor *array, size_t index)
{
    trn_cursor cursor = {array, NULL, index, json_array_get(array->value, index)};
    return cursor;
}

/* text of bounded length; excess is cut */
typedef struct path_text {
    char bytes[224];
    size_t length;
} path_text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
append_words(path_text *out, const char *format, ...)
{
    size_t room = sizeof out->bytes - out->length;
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(out->bytes + out->length, room, format, arguments);
    va_end(arguments);
    if (written > 0)
        out->length += (size_t)written < room ? (size_t)written : room - 1;
}

/* appends e.g. "joints[3].motor.speed"; without indices "joints[].motor.speed" */
static void append_path(path_text *out, const trn_cursor *at, bool indices)
{
    if (at->parent == NULL)
        return;
    append_path(out, at->parent, indices);
    if (at->key != NULL)
        append_words(out, "%s%s", out->length > 0 ? "." : "", at->key);
    else if (indices)
        append_words(out, "[%zu]", at->index);
    else
        append_words(out, "[]");
}

const char *trn_json_kind(const json_t *value)
{
    if (value == NULL)
        return "nothing";
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "a boolean";
    case JSON_NULL:
        return "null";
    }
    return "something else";
}

tr_status trn_json_fail(const trn_reader *reader, const trn_cursor *at, const char *format, ...)
{
    path_text path = {"", 0}, sentence = {"", 0};
    append_path(&path, at, true);
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(sentence.bytes, sizeof sentence.bytes, format, arguments) < 0)
        sentence.bytes[0] = '\0';
    va_end(arguments);
    return tr_scene_fail(reader->error, TR_ERROR_PARSE, "%.60s: %.90s%s%s", reader->label, path.bytes,
                         path.length > 0 ? ": " : "", sentence.bytes);
}

/* older exporters write null for members that they leave out */
static bool absent(const trn_reader *reader, const trn_cursor *at)
{
    return at->value == NULL || (reader->loose && json_is_null(at->value));
}

static tr_status expected(const trn_reader *reader, const trn_cursor *at, const char *what)
{
    return trn_json_fail(reader, at, "expected %s, found %s", what, trn_json_kind(at->value));
}

tr_status trn_json_want_object(const trn_reader *reader, const trn_cursor *at)
{
    return json_is_object(at->value) ? TR_OK : expected(reader, at, "an object");
}

tr_status trn_json_want_array(const trn_reader *reader, const trn_cursor *at)
{
    return json_is_array(at->value) ? TR_OK : expected(reader, at, "an array");
}

/* reads the bits of a float in hexadecimal, most significant digit first: "3F800000" is 1.0f */
static bool hexadecimal_float(const char *digits, double *out)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < 8; i++) {
        char c = digits[i];
        uint32_t digit;
        if (c >= '0' && c <= '9')
            digit = (uint32_t)(c - '0');
        else if (c >= 'A' && c <= 'F')
            digit = (uint32_t)(c - 'A') + 10;
        else if (c >= 'a' && c <= 'f')
            digit = (uint32_t)(c - 'a') + 10;
        else
            return false;
        bits = bits << 4 | digit;
    }
    float value;
    memcpy(&value, &bits, sizeof value);
    *out = (double)value;
    return digits[8] == '\0';
}

tr_status trn_json_double(const trn_reader *reader, const trn_cursor *at, double *out)
{
    if (absent(reader, at))
        return TR_OK;
    double value = 0.0;
    if (json_is_number(at->value))
        value = json_number_value(at->value);
    else if (reader->hexadecimal && json_is_string(at->value)) {
        if (!hexadecimal_float(json_string_value(at->value), &value))
            return trn_json_fail(reader, at, "expected a number, or eight hexadecimal digits in a string");
    } else
        return expected(reader, at, "a number");
    if (!isfinite(value))
        return trn_json_fail(reader, at, "expected a finite number");
    *out = value;
    return TR_OK;
}

tr_status trn_json_float(const trn_reader *reader, const trn_cursor *at, float *out)
{
    double wide = (double)*out;
    tr_status status = trn_json_double(reader, at, &wide);
    if (status != TR_OK || absent(reader, at))
        return status;
    if (!tr_scene_to_float(wide, out))
        return trn_json_fail(reader, at, "%s does not fit a 32-bit number", tr_number(wide).text);
    return TR_OK;
}

tr_status trn_json_size(const trn_reader *reader, const trn_cursor *at, float *out)
{
    tr_status status = trn_json_float(reader, at, out);
    if (status == TR_OK && *out < 0.0f)
        return trn_json_fail(reader, at, "expected a number from 0, found %g", (double)*out);
    return status;
}

tr_status trn_json_integer(const trn_reader *reader, const trn_cursor *at, uint32_t minimum, uint32_t maximum,
                           uint32_t *out)
{
    if (absent(reader, at))
        return TR_OK;
    double value = json_number_value(at->value);
    if (!json_is_number(at->value))
        return expected(reader, at, "an integer");
    if (!(value >= (double)minimum && value <= (double)maximum) || value != floor(value))
        return trn_json_fail(reader, at, "expected an integer from %u to %u, found %s", minimum, maximum,
                             tr_number(value).text);
    *out = (uint32_t)value;
    return TR_OK;
}

tr_status trn_json_u64(const trn_reader *reader, const trn_cursor *at, uint64_t *out)
{
    if (absent(reader, at))
        return TR_OK;
    if (json_is_integer(at->value) && json_integer_value(at->value) >= 0) {
        *out = (uint64_t)json_integer_value(at->value);
        return TR_OK;
    }
    const char *digits = json_string_value(at->value);
    uint64_t value = 0;
    bool good = digits != NULL && *digits != '\0';
    for (const char *c = digits; good && *c != '\0'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        good = *c >= '0' && *c <= '9' && value <= (UINT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
    if (!good)
        return trn_json_fail(reader, at, "expected an integer from 0 to 18446744073709551615, found %s",
                             trn_json_kind(at->value));
    *out = value;
    return TR_OK;
}

tr_status trn_json_word(const trn_reader *reader, const trn_cursor *at, const char *const *words, uint32_t count,
                        const char *what, uint32_t *out)
{
    const char *word = json_string_value(at->value);
    for (uint32_t i = 0; word != NULL && i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = i;
            return TR_OK;
        }
    }
    if (word != NULL)
        return trn_json_fail(reader, at, "expected %s, found \"%.30s\"", what, word);
    return trn_json_fail(reader, at, "expected %s, found %s", what, trn_json_kind(at->value));
}

tr_status trn_json_bool(const trn_reader *reader, const trn_cursor *at, bool *out)
{
    if (absent(reader, at))
        return TR_OK;
    if (json_is_boolean(at->value))
        *out = json_is_true(at->value);
    else if (reader->loose && json_is_integer(at->value))
        *out = json_integer_value(at->value) != 0;
    else
        return expected(reader, at, "true or false");
    return TR_OK;
}

/* how numbers are written, for messages */
static const char *form_of(uint32_t count)
{
    return count == 2   ? "a vector: [x, y] or {\"x\": x, \"y\": y}"
           : count == 3 ? "a vector: [x, y, z] or {\"x\": x, \"y\": y, \"z\": z}"
                        : "a rotation: [x, y, z, w] or {\"x\": x, \"y\": y, \"z\": z, \"w\": w}";
}

tr_status trn_json_doubles(const trn_reader *reader, const trn_cursor *at, uint32_t count, double *out)
{
    static const char *const keys[] = {"x", "y", "z", "w"};
    double values[4] = {0.0, 0.0, 0.0, 0.0};
    tr_status status = TR_OK;
    if (absent(reader, at))
        return TR_OK;
    bool is_object = json_is_object(at->value);
    if (reader->loose && json_is_number(at->value) && !(fabs(json_number_value(at->value)) > 0.0)) {
        memset(out, 0, count * sizeof *out);
        return TR_OK;
    }
    if (!is_object && !(json_is_array(at->value) && json_array_size(at->value) == count))
        return expected(reader, at, form_of(count));
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        trn_cursor value = is_object ? trn_json_member(at, keys[i]) : trn_json_element(at, i);
        status = trn_json_double(reader, &value, &values[i]);
    }
    if (status == TR_OK)
        memcpy(out, values, count * sizeof *out);
    return status;
}

tr_status trn_json_floats(const trn_reader *reader, const trn_cursor *at, uint32_t count, float *out)
{
    double wide[4] = {0.0, 0.0, 0.0, 0.0};
    float values[4];
    if (absent(reader, at))
        return TR_OK;
    tr_status status = trn_json_doubles(reader, at, count, wide);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        if (!tr_scene_to_float(wide[i], &values[i]))
            return trn_json_fail(reader, at, "%s does not fit a 32-bit number", tr_number(wide[i]).text);
    }
    memcpy(out, values, count * sizeof *out);
    return TR_OK;
}

tr_status trn_json_vec(const trn_reader *reader, const trn_cursor *at, trn_vec *out)
{
    return trn_json_floats(reader, at, TRN_SCENE_AXES, &out->x);
}

tr_status trn_json_dvec(const trn_reader *reader, const trn_cursor *at, trn_dvec *out)
{
    return trn_json_doubles(reader, at, TRN_SCENE_AXES, &out->x);
}

tr_status trn_json_quat(const trn_reader *reader, const trn_cursor *at, tr_quat *out)
{
    return trn_json_floats(reader, at, 4, &out->x);
}

tr_status trn_json_sym3(const trn_reader *reader, const trn_cursor *at, tr_sym3 *out)
{
    float values[6] = {0.0f};
    tr_status status = TR_OK;
    if (absent(reader, at))
        return TR_OK;
    size_t count = json_array_size(at->value);
    if (json_is_number(at->value)) {
        status = trn_json_float(reader, at, &values[0]);
        values[1] = values[2] = values[0];
    } else if (!json_is_array(at->value) || (count != 3 && count != 6))
        return expected(reader, at, "a tensor: [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or one number");
    for (size_t i = 0; i < count && status == TR_OK; i++) {
        trn_cursor value = trn_json_element(at, i);
        status = trn_json_float(reader, &value, &values[i]);
    }
    if (status == TR_OK)
        *out = (tr_sym3){values[0], values[1], values[2], values[3], values[4], values[5]};
    return status;
}

tr_status trn_json_name(const trn_reader *reader, const trn_cursor *at, char **out)
{
    if (absent(reader, at))
        return TR_OK;
    if (!json_is_string(at->value))
        return expected(reader, at, "a string");
    const char *name = json_string_value(at->value);
    return *name == '\0' ? TR_OK : tr_scene_copy_text(name, out, reader->error);
}

tr_status trn_json_get_double(const trn_reader *reader, const trn_cursor *object, const char *key, double *out)
{
    trn_cursor at = trn_json_member(object, key);
    return trn_json_double(reader, &at, out);
}

tr_status trn_json_get_float(const trn_reader *reader, const trn_cursor *object, const char *key, float *out)
{
    trn_cursor at = trn_json_member(object, key);
    return trn_json_float(reader, &at, out);
}

tr_status trn_json_get_bool(const trn_reader *reader, const trn_cursor *object, const char *key, bool *out)
{
    trn_cursor at = trn_json_member(object, key);
    return trn_json_bool(reader, &at, out);
}

tr_status trn_json_get_vec(const trn_reader *reader, const trn_cursor *object, const char *key, trn_vec *out)
{
    trn_cursor at = trn_json_member(object, key);
    return trn_json_vec(reader, &at, out);
}

tr_status trn_json_get_group(const trn_reader *reader, const trn_cursor *object, const char *key, int32_t *out)
{
    trn_cursor at = trn_json_member(object, key);
    double value = *out;
    tr_status status = trn_json_double(reader, &at, &value);
    if (status == TR_OK && !(value >= INT32_MIN && value <= INT32_MAX && value == (double)(int32_t)value))
        status = trn_json_fail(reader, &at, "expected a whole number of 32 bits, found %s", tr_number(value).text);
    if (status == TR_OK)
        *out = (int32_t)value;
    return status;
}

tr_status trn_json_get_name(const trn_reader *reader, const trn_cursor *object, char **out)
{
    trn_cursor at = trn_json_member(object, "name");
    return trn_json_name(reader, &at, out);
}

tr_status trn_json_unknown_key(trn_reader *reader, const trn_cursor *object, const char *key)
{
    if (reader->unknown_count > UNKNOWN_MAX)
        return TR_OK;
    path_text path = {"", 0};
    trn_cursor at = {object, key, 0, NULL};
    append_path(&path, &at, false);
    uint32_t before = reader->builder->scene->notice_count;
    tr_status status = reader->unknown_count < UNKNOWN_MAX
                           ? trn_builder_notice(reader->builder, reader->error, "unknown key %s: ignored", path.bytes)
                           : trn_builder_notice(reader->builder, reader->error, "more unknown keys: ignored");
    if (status == TR_OK)
        reader->unknown_count += reader->builder->scene->notice_count - before;
    return status;
}

tr_status trn_json_want_keys(trn_reader *reader, const trn_cursor *at, const char *const *known)
{
    tr_status status = trn_json_want_object(reader, at);
    json_t *object = status == TR_OK ? at->value : NULL;
    for (void *it = json_object_iter(object); it != NULL && status == TR_OK; it = json_object_iter_next(object, it)) {
        const char *key = json_object_iter_key(it);
        const char *const *entry = known;
        while (*entry != NULL && strcmp(*entry, key) != 0)
            entry++;
        if (*entry == NULL)
            status = trn_json_unknown_key(reader, at, key);
    }
    return status;
}

#endif
