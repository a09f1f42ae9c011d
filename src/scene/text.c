#include "scene/text.h"

#ifdef TR_WITH_SCENES

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/core/storage.h"

static void fail_text(tr_text *text, tr_status status)
{
    if (text->status == TR_OK)
        text->status = status;
}

static void append_bytes(tr_text *text, const char *bytes, size_t size)
{
    if (text->status != TR_OK)
        return;
    if (size >= text->capacity - text->size) {
        size_t wanted = text->size + size + 1;
        if (wanted < text->capacity + text->capacity / 2)
            wanted = text->capacity + text->capacity / 2;
        if (wanted < 4096)
            wanted = 4096;
        char *block = wanted > text->size ? realloc(text->bytes, wanted) : NULL;
        if (block == NULL) {
            fail_text(text, TR_ERROR_MEMORY);
            return;
        }
        text->bytes = block;
        text->capacity = wanted;
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

void tr_text_append(tr_text *text, const char *words)
{
    append_bytes(text, words, strlen(words));
}

/* appends a number that printf wrote: with '.' as the decimal point, and "-0.0" for "-0", which has no sign as an
   integer */
static void append_number(tr_text *text, const char *digits)
{
    char clean[40];
    size_t length = 0;
    bool inside = false;
    for (const char *c = digits; *c != '\0' && length + 3 < sizeof clean; c++) {
        bool plain = (*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e';
        /* anything else is the locale's decimal point, which may have several bytes */
        if (plain)
            clean[length++] = *c;
        else if (!inside)
            clean[length++] = '.';
        inside = !plain;
    }
    clean[length] = '\0';
    tr_text_append(text, strcmp(clean, "-0") == 0 ? "-0.0" : clean);
}

static bool finite_or_fail(tr_text *text, double value)
{
    if (isfinite(value))
        return true;
    fail_text(text, isnan(value) ? TR_ERROR_NAN : TR_ERROR_INFINITE);
    return false;
}

/* scene files are read as doubles and then rounded to float, so the test does the same */
static bool same_float(const char *digits, float value)
{
    float back = 0.0f;
    uint32_t want, have;
    bool fits = tr_scene_to_float(strtod(digits, NULL), &back);
    memcpy(&want, &value, sizeof want);
    memcpy(&have, &back, sizeof have);
    return fits && have == want;
}

static bool same_double(const char *digits, double value)
{
    double back = strtod(digits, NULL);
    uint64_t want, have;
    memcpy(&want, &value, sizeof want);
    memcpy(&have, &back, sizeof have);
    return have == want;
}

void tr_text_double(tr_text *text, double value)
{
    if (!finite_or_fail(text, value))
        return;
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (same_double(digits, value))
            break;
    }
    append_number(text, digits);
}

void tr_text_float(tr_text *text, float value)
{
    if (!finite_or_fail(text, (double)value))
        return;
    char digits[40];
    for (int precision = 6; precision <= 9; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, (double)value);
        if (same_float(digits, value))
            break;
    }
    append_number(text, digits);
}

void tr_text_u64(tr_text *text, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    tr_text_append(text, digits);
}

void tr_text_string(tr_text *text, const char *string)
{
    json_t *value = json_string(string);
    if (value == NULL) {
        /* json_string returns null both for invalid UTF-8 and out of memory; a second call tells them apart */
        json_t *probe = json_string("");
        fail_text(text, probe != NULL ? TR_ERROR_PARSE : TR_ERROR_MEMORY);
        json_decref(probe);
        return;
    }
    char *quoted = json_dumps(value, JSON_ENCODE_ANY);
    json_decref(value);
    if (quoted == NULL) {
        fail_text(text, TR_ERROR_MEMORY);
        return;
    }
    tr_text_append(text, quoted);
    free(quoted);
}

#endif
