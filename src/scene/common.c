#include "scene/common.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_MAX ((uint32_t)INT32_MAX)

const char tr_scene_no_collision[] =
    "shapes give mass and are drawn, but do not collide: the scene does not ask for it (world.collide)";

void tr_scene_tidy(char *text)
{
    size_t length = strlen(text), tail = length;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            text[i] = '?';
    while (tail > 0 && length - tail < 4 && ((unsigned char)text[tail - 1] & 0xC0) == 0x80)
        tail--;
    if (tail == 0 || ((unsigned char)text[tail - 1] & 0x80) == 0)
        return;
    unsigned char lead = (unsigned char)text[tail - 1];
    size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (length - (tail - 1) < wanted)
        text[tail - 1] = '\0';
}

tr_status tr_scene_fail(tr_error *error, tr_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    if (vsnprintf(error->message, sizeof error->message, format, arguments) < 0)
        error->message[0] = '\0';
    tr_scene_tidy(error->message);
    va_end(arguments);
    return status;
}

static tr_status out_of_memory(tr_error *error)
{
    (void)tr_scene_fail(error, TR_ERROR_MEMORY, "not enough memory for the scene");
    return TR_ERROR_MEMORY;
}

tr_status tr_scene_grow(void **array, uint32_t *capacity, uint32_t needed, size_t size, tr_error *error)
{
    if (needed <= *capacity)
        return TR_OK;
    if (needed > COUNT_MAX)
        return tr_scene_fail(error, TR_ERROR_LIMIT, "a scene holds at most %u of each kind of thing", COUNT_MAX);
    /* grow by half, so that appending one by one takes linear time */
    uint64_t wanted = (uint64_t)*capacity + *capacity / 2 + 8;
    if (wanted < needed)
        wanted = needed;
    if (wanted > COUNT_MAX)
        wanted = COUNT_MAX;
    if (wanted > SIZE_MAX / size)
        return out_of_memory(error);
    void *block = realloc(*array, (size_t)wanted * size);
    if (block == NULL)
        return out_of_memory(error);
    *array = block;
    *capacity = (uint32_t)wanted;
    return TR_OK;
}

bool tr_scene_to_float(double value, float *out)
{
    /* halfway between FLT_MAX (2^128 - 2^104) and 2^128 */
    const double beyond = 0x1.ffffffp127;
    if (!(fabs(value) < beyond))
        return false;
    /* values just above FLT_MAX round to it, but the conversion is undefined in C */
    if (fabs(value) > (double)FLT_MAX)
        *out = value > 0.0 ? FLT_MAX : -FLT_MAX;
    else
        *out = (float)value;
    return true;
}

tr_status tr_scene_copy_text(const char *text, char **out, tr_error *error)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy == NULL)
        return out_of_memory(error);
    memcpy(copy, text, size);
    *out = copy;
    return TR_OK;
}

void *tr_scene_trim(void *array, uint32_t count, size_t size)
{
    if (count == 0) {
        free(array);
        return NULL;
    }
    void *block = realloc(array, count * size);
    return block != NULL ? block : array;
}

bool tr_scene_same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* an id begins with its slot */
int tr_scene_by_slot(const void *a, const void *b)
{
    uint32_t one, other;
    memcpy(&one, a, sizeof one);
    memcpy(&other, b, sizeof other);
    return (one > other) - (one < other);
}
