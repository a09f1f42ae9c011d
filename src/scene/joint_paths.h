/*
 * Paths of a joint's fields in a scene file: members nest as in tr2_joint_def, and a vector or a softness is one value.
 * Derived from the list of fields, so that a new joint type needs no change here.
 */
#ifndef TR_SCENE_JOINT_PATHS_H
#define TR_SCENE_JOINT_PATHS_H

#include <string.h>

#include "solver/core/joint_fields.h"

#define TR2_PATH_SIZE 64

typedef enum tr2_path_kind {
    TR2_PATH_UNKNOWN,
    TR2_PATH_SCALAR,   /* one field */
    TR2_PATH_VECTOR,   /* two: x, y; floats or doubles */
    TR2_PATH_SOFTNESS, /* three: kind, a, b */
    TR2_PATH_GROUP     /* an object of the kinds above */
} tr2_path_kind;

/* The kind of a path such as "motor", "motor.speed" or "anchor_a", and its first field. */
static inline tr2_path_kind tr2_joint_path(const char *path, tr2_field *first)
{
    size_t length = strlen(path);
    for (uint32_t i = 0; i < TR2_FIELD_COUNT; i++) {
        const char *name = tr2_field_infos[i].name;
        if (strncmp(name, path, length) != 0 || (name[length] != '\0' && name[length] != '.'))
            continue;
        *first = (tr2_field)i;
        if (name[length] == '\0')
            return TR2_PATH_SCALAR;
        if (strcmp(name + length, ".x") == 0)
            return TR2_PATH_VECTOR;
        if (strcmp(name + length, ".kind") == 0)
            return TR2_PATH_SOFTNESS;
        return TR2_PATH_GROUP;
    }
    return TR2_PATH_UNKNOWN;
}

/* Names of the softness kinds, in the order of tr_softness_kind, and of the two numbers of each. */
#define TR2_SOFTNESS_WORD_COUNT 4
extern const char *const tr2_softness_words[TR2_SOFTNESS_WORD_COUNT];
extern const char *const tr2_softness_keys[TR2_SOFTNESS_WORD_COUNT][2];

static inline void tr2_field_write_float(tr2_joint_def *def, uint32_t field, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    tr2_field_write(def, (tr2_field)field, bits);
}

static inline float tr2_field_read_float(const tr2_joint_def *def, uint32_t field)
{
    uint32_t bits = tr2_field_read(def, (tr2_field)field);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
