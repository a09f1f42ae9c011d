/*
 * Paths of a joint's fields in a scene file: members nest as in trn_joint_def, and a vector or a softness is one value.
 * Derived from the list of fields, so that a new joint type needs no change here.
 */
#ifndef TR_SCENE_JOINT_PATHS_H
#define TR_SCENE_JOINT_PATHS_H

#include <string.h>

#include "scene/line.h"
#include "solver/core/joint_fields.h"

#define TR_PATH_SIZE 64

typedef enum trn_path_kind {
    TRN_PATH_UNKNOWN,
    TRN_PATH_SCALAR,   /* one field */
    TRN_PATH_VECTOR,   /* x, y and so on: trn_path_count(); floats or doubles */
    TRN_PATH_SOFTNESS, /* three: kind, a, b */
    TRN_PATH_GROUP     /* an object of the kinds above */
} trn_path_kind;

/* The kind of a path such as "motor", "motor.speed" or "anchor_a", and its first field. */
static inline trn_path_kind trn_joint_path(const char *path, trn_field *first)
{
    size_t length = strlen(path);
    for (uint32_t i = 0; i < TRN_FIELD_COUNT; i++) {
        const char *name = trn_field_infos[i].name;
        if (strncmp(name, path, length) != 0 || (name[length] != '\0' && name[length] != '.'))
            continue;
        *first = (trn_field)i;
        if (name[length] == '\0')
            return TRN_PATH_SCALAR;
        if (strcmp(name + length, ".x") == 0)
            return TRN_PATH_VECTOR;
        if (strcmp(name + length, ".kind") == 0)
            return TRN_PATH_SOFTNESS;
        return TRN_PATH_GROUP;
    }
    return TRN_PATH_UNKNOWN;
}

/* The number of fields of the value that begins with this one. */
static inline uint32_t trn_path_count(uint32_t first)
{
    const char *name = trn_field_infos[first].name, *dot = strrchr(name, '.');
    if (dot != NULL && strcmp(dot, ".kind") == 0)
        return 3;
    if (dot == NULL || strcmp(dot, ".x") != 0)
        return 1;
    uint32_t count = 1;
    size_t length = (size_t)(dot - name) + 1;
    while (first + count < TRN_FIELD_COUNT && strncmp(trn_field_infos[first + count].name, name, length) == 0)
        count++;
    return count;
}

/* The most fields of one vector. */
#define TR_PATH_AXES 4u

static inline void trn_field_write_float(trn_joint_def *def, uint32_t field, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    trn_field_write(def, (trn_field)field, bits);
}

static inline float trn_field_read_float(const trn_joint_def *def, uint32_t field)
{
    uint32_t bits = trn_field_read(def, (trn_field)field);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
