/*
 * Joints of Trammel's own JSON format (docs/scene-format.md): references to bodies, and the fields of the table of
 * joint types.
 */
#include "scene/core/storage.h"

#ifdef TR_WITH_SCENES

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/core/joint_paths.h"
#include "scene/core/own.h"

/*
 * References to bodies
 */

/* bodies sorted by name, to look up joints' references */
typedef struct named_body {
    const char *name;
    uint32_t index;
} named_body;

typedef struct names {
    named_body *entries;
    uint32_t count;
} body_names;

static int compare_names(const void *left, const void *right)
{
    const named_body *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    if (order != 0)
        return order;
    return a->index < b->index ? -1 : a->index > b->index;
}

static tr_status collect_names(const trn_reader *reader, body_names *out)
{
    const trn_scene *scene = reader->builder->scene;
    out->entries = malloc((scene->body_count + (size_t)1) * sizeof *out->entries);
    out->count = 0;
    if (out->entries == NULL)
        return tr_scene_fail(reader->error, TR_ERROR_MEMORY, "not enough memory for the scene");
    for (uint32_t i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].name != NULL)
            out->entries[out->count++] = (named_body){scene->bodies[i].name, i};
    qsort(out->entries, out->count, sizeof *out->entries, compare_names);
    return TR_OK;
}

/* reads a reference to a body: an index, or a name that only one body has */
static tr_status read_body_reference(const trn_reader *reader, const trn_cursor *joint, const char *key,
                                     const body_names *names, uint32_t *out)
{
    trn_cursor at = trn_json_member(joint, key);
    uint32_t count = reader->builder->scene->body_count;
    if (json_is_integer(at.value)) {
        json_int_t index = json_integer_value(at.value);
        if (index < 0 || index >= (json_int_t)count)
            return trn_json_fail(reader, &at, "there is no body %lld; the scene has %u", (long long)index, count);
        *out = (uint32_t)index;
        return TR_OK;
    }
    if (!json_is_string(at.value))
        return trn_json_fail(reader, &at, "expected a body's index or name, found %s", trn_json_kind(at.value));

    /* binary search for the first entry not before the name */
    const char *name = json_string_value(at.value);
    uint32_t low = 0, high = names->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(names->entries[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == names->count || strcmp(names->entries[low].name, name) != 0)
        return trn_json_fail(reader, &at, "there is no body \"%.60s\"", name);
    if (low + 1 < names->count && strcmp(names->entries[low + 1].name, name) == 0)
        return trn_json_fail(reader, &at, "\"%.40s\" is the name of bodies %u and %u; use an index", name,
                             names->entries[low].index, names->entries[low + 1].index);
    *out = names->entries[low].index;
    return TR_OK;
}

/*
 * Fields
 */
static tr_status read_softness(trn_reader *reader, const trn_cursor *at, trn_joint_def *def, trn_field first)
{
    uint32_t kind = 0;
    trn_cursor kind_at = json_is_object(at->value) ? trn_json_member(at, "kind") : *at;
    tr_status status = trn_json_word(reader, &kind_at, tr_softness_words, TR_SOFTNESS_WORD_COUNT,
                                     "\"rigid\", \"frequency\", \"physical\" or \"raw\"", &kind);
    if (status != TR_OK)
        return status;
    const char *const *keys = tr_softness_keys[kind];
    float a = 0.0f, b = 0.0f;
    if (keys[0] != NULL && !json_is_object(at->value))
        return trn_json_fail(reader, at, "\"%s\" wants an object with %s and %s", tr_softness_words[kind], keys[0],
                             keys[1]);
    if (keys[0] != NULL) {
        status = trn_json_get_float(reader, at, keys[0], &a);
        if (status == TR_OK)
            status = trn_json_get_float(reader, at, keys[1], &b);
    }
    const char *const known[] = {"kind", keys[0], keys[1], NULL};
    if (status == TR_OK && json_is_object(at->value))
        status = trn_json_want_keys(reader, at, known);
    if (status != TR_OK)
        return status;
    trn_field_write(def, first, kind);
    trn_field_write_float(def, first + 1, a);
    trn_field_write_float(def, first + 2, b);
    return TR_OK;
}

static tr_status read_scalar(const trn_reader *reader, const trn_cursor *at, trn_joint_def *def, trn_field field)
{
    if (trn_field_infos[field].kind == TR_KIND_BOOL) {
        bool flag = false;
        tr_status status = trn_json_bool(reader, at, &flag);
        if (status == TR_OK)
            trn_field_write(def, field, flag ? 1 : 0);
        return status;
    }
    if (trn_field_infos[field].kind == TR_KIND_DOUBLE) {
        double wide = 0.0;
        tr_status status = trn_json_double(reader, at, &wide);
        if (status == TR_OK)
            trn_field_write_double(def, field, wide);
        return status;
    }
    float value = 0.0f;
    tr_status status = trn_json_float(reader, at, &value);
    if (status == TR_OK)
        trn_field_write_float(def, field, value);
    return status;
}

static tr_status read_vector(const trn_reader *reader, const trn_cursor *at, trn_joint_def *def, trn_field field)
{
    uint32_t count = trn_path_count(field);
    bool is_wide = trn_field_infos[field].kind == TR_KIND_DOUBLE;
    double wide[TR_PATH_AXES] = {0.0};
    float narrow[TR_PATH_AXES] = {0.0f};
    tr_status status = TR_OK;
    if (is_wide)
        status = trn_json_doubles(reader, at, count, wide);
    else
        status = trn_json_floats(reader, at, count, narrow);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        if (is_wide)
            trn_field_write_double(def, field + i, wide[i]);
        else
            trn_field_write_float(def, field + i, narrow[i]);
    }
    return status;
}

static tr_status read_group(trn_reader *reader, const trn_cursor *object, const char *prefix, trn_joint_def *def);

/* whether a type of joint has any of the fields whose paths begin with a group's */
static bool has_group(trn_joint_type type, const char *path)
{
    size_t length = strlen(path);
    for (uint32_t i = 0; i < TRN_FIELD_COUNT; i++) {
        const char *name = trn_field_infos[i].name;
        if (strncmp(name, path, length) == 0 && name[length] == '.' && trn_joint_type_has(type, (trn_field)i))
            return true;
    }
    return false;
}

/* reads one member of a joint, or of a group within it; `path` is its path in trn_joint_def */
static tr_status read_field(trn_reader *reader, const trn_cursor *object, const trn_cursor *at, const char *path,
                            trn_joint_def *def)
{
    trn_field field = TRN_FIELD_COUNT;
    trn_path_kind kind = trn_joint_path(path, &field);
    if (kind == TRN_PATH_UNKNOWN)
        return trn_json_unknown_key(reader, object, at->key);
    if (kind == TRN_PATH_GROUP) {
        tr_status status = trn_json_want_object(reader, at);
        if (status == TR_OK && !has_group(def->type, path))
            return trn_json_fail(reader, at, "a %s joint has no %s", trn_joint_type_name(def->type), path);
        return status == TR_OK ? read_group(reader, at, path, def) : status;
    }
    if (!trn_joint_type_has(def->type, field))
        return trn_json_fail(reader, at, "a %s joint has no %s", trn_joint_type_name(def->type), path);
    if (kind == TRN_PATH_SOFTNESS)
        return read_softness(reader, at, def, field);
    if (kind == TRN_PATH_SCALAR)
        return read_scalar(reader, at, def, field);
    return read_vector(reader, at, def, field);
}

/* `prefix` is "" for the joint itself; the fields' paths bound the depth of recursion */
static tr_status read_group(trn_reader *reader, const trn_cursor *object, const char *prefix, trn_joint_def *def)
{
    static const char *const own[] = {"type",      "name",
                                      "body_a",    "body_b",
                                      "event",     "break",
                                      "enabled",   "collide_connected",
                                      "user_data", TRN_SCENE_JOINT_KEYS NULL};
    tr_status status = TR_OK;
    for (void *iter = json_object_iter(object->value); iter != NULL && status == TR_OK;
         iter = json_object_iter_next(object->value, iter)) {
        const char *key = json_object_iter_key(iter);
        const char *const *entry = own;
        while (*prefix == '\0' && *entry != NULL && strcmp(*entry, key) != 0)
            entry++;
        if (*prefix == '\0' && *entry != NULL)
            continue;
        char path[TR_PATH_SIZE];
        int length = snprintf(path, sizeof path, "%s%s%s", prefix, *prefix != '\0' ? "." : "", key);
        trn_cursor at = {object, key, 0, json_object_iter_value(iter)};
        /* no field has a name this long, or a dot in its key */
        if (length < 0 || (size_t)length >= sizeof path || strchr(key, '.') != NULL)
            status = trn_json_unknown_key(reader, object, key);
        else
            status = read_field(reader, object, &at, path, def);
    }
    return status;
}

/* event and break thresholds are common to all joint types and not in the table of fields */
static tr_status read_thresholds(trn_reader *reader, const trn_cursor *joint, trn_joint_def *def)
{
    static const char *const known_event[] = {"force", "torque", NULL};
    static const char *const known_break[] = {"force", "torque", "impulse", "steps", NULL};
    tr_status status = TR_OK;
    trn_cursor event = trn_json_member(joint, "event");
    if (event.value != NULL) {
        status = trn_json_want_keys(reader, &event, known_event);
        if (status == TR_OK)
            status = trn_json_get_float(reader, &event, "force", &def->event_at.force);
        if (status == TR_OK)
            status = trn_json_get_float(reader, &event, "torque", &def->event_at.torque);
    }
    trn_cursor breaks = trn_json_member(joint, "break");
    if (breaks.value == NULL || status != TR_OK)
        return status;
    status = trn_json_want_keys(reader, &breaks, known_break);
    if (status == TR_OK)
        status = trn_json_get_float(reader, &breaks, "force", &def->break_at.force);
    if (status == TR_OK)
        status = trn_json_get_float(reader, &breaks, "torque", &def->break_at.torque);
    if (status == TR_OK)
        status = trn_json_get_float(reader, &breaks, "impulse", &def->break_at.impulse);
    trn_cursor steps = trn_json_member(&breaks, "steps");
    return status == TR_OK ? trn_json_integer(reader, &steps, 0, UINT32_MAX, &def->break_at.steps) : status;
}

/* reads the body relative to which a gear measures a coordinate; absent: the world */
static tr_status read_carrier(const trn_reader *reader, const trn_cursor *at, uint32_t end, const body_names *names,
                              trn_scene_joint *joint)
{
    static const char *const keys[] = {"carrier_a", "carrier_b"};
    uint32_t carrier = 0, *out = trn_scene_carrier(joint, end), body = end == 0 ? joint->body_a : joint->body_b;
    trn_cursor carrier_at = trn_json_member(at, keys[end]);
    if (carrier_at.value == NULL || out == NULL)
        return TR_OK;
    if (!trn_scene_has_carriers(joint->def.type))
        return trn_json_fail(reader, &carrier_at, "a %s joint has no %s", trn_joint_type_name(joint->def.type),
                             keys[end]);
    tr_status status = read_body_reference(reader, at, keys[end], names, &carrier);
    if (status == TR_OK && carrier == body)
        status = trn_json_fail(reader, &carrier_at, "is body %u, which it is to carry", body);
    if (status == TR_OK)
        *out = carrier + 1;
    return status;
}

static tr_status read_joint(trn_reader *reader, const trn_cursor *at, const body_names *names)
{
    const char *words[TRN_JOINT_TYPE_COUNT];
    for (uint32_t i = 0; i < TRN_JOINT_TYPE_COUNT; i++)
        words[i] = trn_joint_type_name((trn_joint_type)i);

    char list[192] = "";
    for (uint32_t i = 0, used = 0; i < TRN_JOINT_TYPE_COUNT && used < sizeof list; i++) {
        int length = snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "a type of joint: ", words[i]);
        used += length > 0 ? (uint32_t)length : 0;
    }
    tr_status status = trn_json_want_object(reader, at);
    uint32_t type = 0;
    trn_cursor type_at = trn_json_member(at, "type");
    if (status == TR_OK)
        status = trn_json_word(reader, &type_at, words, TRN_JOINT_TYPE_COUNT, list, &type);
    trn_scene_joint *joint = NULL;
    if (status == TR_OK)
        status = trn_builder_joint(reader->builder, (trn_joint_type)type, &joint, reader->error);
    if (status == TR_OK)
        status = trn_json_get_name(reader, at, &joint->name);
    if (status == TR_OK)
        status = read_body_reference(reader, at, "body_a", names, &joint->body_a);
    if (status == TR_OK)
        status = read_body_reference(reader, at, "body_b", names, &joint->body_b);
    if (status == TR_OK && joint->body_a == joint->body_b)
        status = trn_json_fail(reader, at, "joins body %u to itself", joint->body_a);
    if (status == TR_OK)
        status = read_carrier(reader, at, 0, names, joint);
    if (status == TR_OK)
        status = read_carrier(reader, at, 1, names, joint);
    if (status == TR_OK)
        status = read_thresholds(reader, at, &joint->def);
    if (status == TR_OK)
        status = trn_json_get_bool(reader, at, "collide_connected", &joint->def.collide_connected);
    if (status == TR_OK)
        status = trn_json_get_bool(reader, at, "enabled", &joint->def.enabled);
    trn_cursor user_data = trn_json_member(at, "user_data");
    if (status == TR_OK)
        status = trn_json_u64(reader, &user_data, &joint->def.user_data);
    return status == TR_OK ? read_group(reader, at, "", &joint->def) : status;
}

tr_status trn_read_own_joints(trn_reader *reader, const trn_cursor *root)
{
    trn_cursor joints = trn_json_member(root, "joints");
    if (joints.value == NULL)
        return TR_OK;
    body_names names = {NULL, 0};
    tr_status status = trn_json_want_array(reader, &joints);
    if (status == TR_OK)
        status = collect_names(reader, &names);
    for (size_t i = 0; status == TR_OK && i < json_array_size(joints.value); i++) {
        trn_cursor at = trn_json_element(&joints, i);
        status = read_joint(reader, &at, &names);
    }
    free(names.entries);
    return status;
}

#endif
