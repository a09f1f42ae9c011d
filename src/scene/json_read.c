#include "base/number.h"
#include "scene/storage.h"

#ifdef TR_WITH_SCENES

#include "scene/json_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a file with more unknown keys than this is of another format, and a longer list would not help */
#define UNKNOWN_MAX 64u

tr2_cursor tr2_json_root(json_t *value)
{
    tr2_cursor cursor = {NULL, NULL, 0, value};
    return cursor;
}

tr2_cursor tr2_json_member(const tr2_cursor *object, const char *key)
{
    tr2_cursor cursor = {object, key, 0, json_object_get(object->value, key)};
    return cursor;
}

tr2_cursor tr2_json_element(const tr2_cursor *array, size_t index)
{
    tr2_cursor cursor = {array, NULL, index, json_array_get(array->value, index)};
    return cursor;
}

/* text of bounded length; excess is cut */
typedef struct path_text {
    char bytes[160];
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
static void append_path(path_text *out, const tr2_cursor *at, bool indices)
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

const char *tr2_json_kind(const json_t *value)
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

tr_status tr2_json_fail(const tr2_reader *reader, const tr2_cursor *at, const char *format, ...)
{
    path_text path = {"", 0}, sentence = {"", 0};
    append_path(&path, at, true);
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(sentence.bytes, sizeof sentence.bytes, format, arguments) < 0)
        sentence.bytes[0] = '\0';
    va_end(arguments);
    return tr2_scene_fail(reader->error, TR_ERROR_PARSE, "%.60s: %.90s%s%s", reader->label, path.bytes,
                          path.length > 0 ? ": " : "", sentence.bytes);
}

/* older exporters write null for members that they leave out */
static bool absent(const tr2_reader *reader, const tr2_cursor *at)
{
    return at->value == NULL || (reader->loose && json_is_null(at->value));
}

static tr_status expected(const tr2_reader *reader, const tr2_cursor *at, const char *what)
{
    return tr2_json_fail(reader, at, "expected %s, found %s", what, tr2_json_kind(at->value));
}

tr_status tr2_json_want_object(const tr2_reader *reader, const tr2_cursor *at)
{
    return json_is_object(at->value) ? TR_OK : expected(reader, at, "an object");
}

tr_status tr2_json_want_array(const tr2_reader *reader, const tr2_cursor *at)
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

tr_status tr2_json_double(const tr2_reader *reader, const tr2_cursor *at, double *out)
{
    if (absent(reader, at))
        return TR_OK;
    double value = 0.0;
    if (json_is_number(at->value))
        value = json_number_value(at->value);
    else if (reader->hexadecimal && json_is_string(at->value)) {
        if (!hexadecimal_float(json_string_value(at->value), &value))
            return tr2_json_fail(reader, at, "expected a number, or eight hexadecimal digits in a string");
    } else
        return expected(reader, at, "a number");
    if (!isfinite(value))
        return tr2_json_fail(reader, at, "expected a finite number");
    *out = value;
    return TR_OK;
}

tr_status tr2_json_float(const tr2_reader *reader, const tr2_cursor *at, float *out)
{
    double wide = (double)*out;
    tr_status status = tr2_json_double(reader, at, &wide);
    if (status != TR_OK || absent(reader, at))
        return status;
    if (!tr2_scene_to_float(wide, out))
        return tr2_json_fail(reader, at, "%s does not fit a 32-bit number", tr_number(wide).text);
    return TR_OK;
}

tr_status tr2_json_size(const tr2_reader *reader, const tr2_cursor *at, float *out)
{
    tr_status status = tr2_json_float(reader, at, out);
    if (status == TR_OK && *out < 0.0f)
        return tr2_json_fail(reader, at, "expected a number from 0, found %g", (double)*out);
    return status;
}

tr_status tr2_json_integer(const tr2_reader *reader, const tr2_cursor *at, uint32_t minimum, uint32_t maximum,
                           uint32_t *out)
{
    if (absent(reader, at))
        return TR_OK;
    double value = json_number_value(at->value);
    if (!json_is_number(at->value))
        return expected(reader, at, "an integer");
    if (!(value >= (double)minimum && value <= (double)maximum) || value != floor(value))
        return tr2_json_fail(reader, at, "expected an integer from %u to %u, found %s", minimum, maximum,
                             tr_number(value).text);
    *out = (uint32_t)value;
    return TR_OK;
}

tr_status tr2_json_u64(const tr2_reader *reader, const tr2_cursor *at, uint64_t *out)
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
        return tr2_json_fail(reader, at, "expected an integer from 0 to 18446744073709551615, found %s",
                             tr2_json_kind(at->value));
    *out = value;
    return TR_OK;
}

tr_status tr2_json_word(const tr2_reader *reader, const tr2_cursor *at, const char *const *words, uint32_t count,
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
        return tr2_json_fail(reader, at, "expected %s, found \"%.30s\"", what, word);
    return tr2_json_fail(reader, at, "expected %s, found %s", what, tr2_json_kind(at->value));
}

tr_status tr2_json_bool(const tr2_reader *reader, const tr2_cursor *at, bool *out)
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

tr_status tr2_json_dvec2(const tr2_reader *reader, const tr2_cursor *at, tr_dvec2 *out)
{
    if (absent(reader, at))
        return TR_OK;
    tr2_cursor x, y;
    if (json_is_object(at->value)) {
        x = tr2_json_member(at, "x");
        y = tr2_json_member(at, "y");
    } else if (json_is_array(at->value) && json_array_size(at->value) == 2) {
        x = tr2_json_element(at, 0);
        y = tr2_json_element(at, 1);
    } else if (reader->loose && json_is_number(at->value) && !(fabs(json_number_value(at->value)) > 0.0)) {
        *out = (tr_dvec2){0.0, 0.0};
        return TR_OK;
    } else
        return expected(reader, at, "a vector: [x, y] or {\"x\": x, \"y\": y}");
    tr_dvec2 value = {0.0, 0.0};
    tr_status status = tr2_json_double(reader, &x, &value.x);
    if (status == TR_OK)
        status = tr2_json_double(reader, &y, &value.y);
    if (status == TR_OK)
        *out = value;
    return status;
}

tr_status tr2_json_vec2(const tr2_reader *reader, const tr2_cursor *at, tr_vec2 *out)
{
    if (absent(reader, at))
        return TR_OK;
    tr_dvec2 wide = {0.0, 0.0};
    tr_status status = tr2_json_dvec2(reader, at, &wide);
    if (status != TR_OK)
        return status;
    tr_vec2 value;
    if (!tr2_scene_to_float(wide.x, &value.x) || !tr2_scene_to_float(wide.y, &value.y))
        return tr2_json_fail(reader, at, "(%s, %s) does not fit 32-bit numbers", tr_number(wide.x).text,
                             tr_number(wide.y).text);
    *out = value;
    return TR_OK;
}

tr_status tr2_json_mass(const tr2_reader *reader, const tr2_cursor *at, const tr2_mass *mass, tr2_body_def *def)
{
    if (!tr2_scene_to_float(mass->mass, &def->mass) || !tr2_scene_to_float(mass->inertia, &def->inertia) ||
        !tr2_scene_to_float(mass->x, &def->center.x) || !tr2_scene_to_float(mass->y, &def->center.y))
        return tr2_json_fail(reader, at, "its mass, inertia or centre does not fit a 32-bit number");
    return TR_OK;
}

tr_status tr2_json_polygon(const tr2_reader *reader, const tr2_cursor *at)
{
    const tr2_scene *scene = reader->builder->scene;
    const tr2_scene_shape *shape = &scene->shapes[scene->shape_count - 1];
    if (!tr2_scene_orient(scene->vertices + shape->first_vertex, shape->vertex_count))
        return tr2_json_fail(reader, at, "the polygon has no area: its vertices lie on one line, or its parts cancel");
    return TR_OK;
}

tr_status tr2_json_name(const tr2_reader *reader, const tr2_cursor *at, char **out)
{
    if (absent(reader, at))
        return TR_OK;
    if (!json_is_string(at->value))
        return expected(reader, at, "a string");
    const char *name = json_string_value(at->value);
    return *name == '\0' ? TR_OK : tr2_scene_copy_text(name, out, reader->error);
}

tr_status tr2_json_get_double(const tr2_reader *reader, const tr2_cursor *object, const char *key, double *out)
{
    tr2_cursor at = tr2_json_member(object, key);
    return tr2_json_double(reader, &at, out);
}

tr_status tr2_json_get_float(const tr2_reader *reader, const tr2_cursor *object, const char *key, float *out)
{
    tr2_cursor at = tr2_json_member(object, key);
    return tr2_json_float(reader, &at, out);
}

tr_status tr2_json_get_bool(const tr2_reader *reader, const tr2_cursor *object, const char *key, bool *out)
{
    tr2_cursor at = tr2_json_member(object, key);
    return tr2_json_bool(reader, &at, out);
}

tr_status tr2_json_get_vec2(const tr2_reader *reader, const tr2_cursor *object, const char *key, tr_vec2 *out)
{
    tr2_cursor at = tr2_json_member(object, key);
    return tr2_json_vec2(reader, &at, out);
}

tr_status tr2_json_get_dvec2(const tr2_reader *reader, const tr2_cursor *object, const char *key, tr_dvec2 *out)
{
    tr2_cursor at = tr2_json_member(object, key);
    return tr2_json_dvec2(reader, &at, out);
}

tr_status tr2_json_get_group(const tr2_reader *reader, const tr2_cursor *object, const char *key, int32_t *out)
{
    tr2_cursor at = tr2_json_member(object, key);
    double value = *out;
    tr_status status = tr2_json_double(reader, &at, &value);
    if (status == TR_OK && !(value >= INT32_MIN && value <= INT32_MAX && value == (double)(int32_t)value))
        status = tr2_json_fail(reader, &at, "expected a whole number of 32 bits, found %s", tr_number(value).text);
    if (status == TR_OK)
        *out = (int32_t)value;
    return status;
}

tr_status tr2_json_get_name(const tr2_reader *reader, const tr2_cursor *object, char **out)
{
    tr2_cursor at = tr2_json_member(object, "name");
    return tr2_json_name(reader, &at, out);
}

tr_status tr2_json_unknown_key(tr2_reader *reader, const tr2_cursor *object, const char *key)
{
    if (reader->unknown_count > UNKNOWN_MAX)
        return TR_OK;
    path_text path = {"", 0};
    tr2_cursor at = {object, key, 0, NULL};
    append_path(&path, &at, false);
    uint32_t before = reader->builder->scene->notice_count;
    tr_status status = reader->unknown_count < UNKNOWN_MAX
                           ? tr2_builder_notice(reader->builder, reader->error, "unknown key %s: ignored", path.bytes)
                           : tr2_builder_notice(reader->builder, reader->error, "more unknown keys: ignored");
    if (status == TR_OK)
        reader->unknown_count += reader->builder->scene->notice_count - before;
    return status;
}

tr_status tr2_json_want_keys(tr2_reader *reader, const tr2_cursor *at, const char *const *known)
{
    tr_status status = tr2_json_want_object(reader, at);
    json_t *object = status == TR_OK ? at->value : NULL;
    for (void *it = json_object_iter(object); it != NULL && status == TR_OK; it = json_object_iter_next(object, it)) {
        const char *key = json_object_iter_key(it);
        const char *const *entry = known;
        while (*entry != NULL && strcmp(*entry, key) != 0)
            entry++;
        if (*entry == NULL)
            status = tr2_json_unknown_key(reader, at, key);
    }
    return status;
}

#endif
