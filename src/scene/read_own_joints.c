/*
 * Joints of Trammel's own JSON format (docs/scene-format.md): references to bodies, and the fields of the table of
 * joint types.
 */
#include "scene/storage.h"

#ifdef TR_WITH_SCENES

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/joint_paths.h"
#include "scene/own.h"

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

static tr_status collect_names(const tr2_reader *reader, body_names *out)
{
    const tr2_scene *scene = reader->builder->scene;
    out->entries = malloc((scene->body_count + (size_t)1) * sizeof *out->entries);
    out->count = 0;
    if (out->entries == NULL)
        return tr2_scene_fail(reader->error, TR_ERROR_MEMORY, "not enough memory for the scene");
    for (uint32_t i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].name != NULL)
            out->entries[out->count++] = (named_body){scene->bodies[i].name, i};
    qsort(out->entries, out->count, sizeof *out->entries, compare_names);
    return TR_OK;
}

/* reads a reference to a body: an index, or a name that only one body has */
static tr_status read_body_reference(const tr2_reader *reader, const tr2_cursor *joint, const char *key,
                                     const body_names *names, uint32_t *out)
{
    tr2_cursor at = tr2_json_member(joint, key);
    uint32_t count = reader->builder->scene->body_count;
    if (json_is_integer(at.value)) {
        json_int_t index = json_integer_value(at.value);
        if (index < 0 || index >= (json_int_t)count)
            return tr2_json_fail(reader, &at, "there is no body %lld; the scene has %u", (long long)index, count);
        *out = (uint32_t)index;
        return TR_OK;
    }
    if (!json_is_string(at.value))
        return tr2_json_fail(reader, &at, "expected a body's index or name, found %s", tr2_json_kind(at.value));

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
        return tr2_json_fail(reader, &at, "there is no body \"%.60s\"", name);
    if (low + 1 < names->count && strcmp(names->entries[low + 1].name, name) == 0)
        return tr2_json_fail(reader, &at, "\"%.40s\" is the name of bodies %u and %u; use an index", name,
                             names->entries[low].index, names->entries[low + 1].index);
    *out = names->entries[low].index;
    return TR_OK;
}

/*
 * Fields
 */
static tr_status read_softness(tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def, tr2_field first)
{
    uint32_t kind = 0;
    tr2_cursor kind_at = json_is_object(at->value) ? tr2_json_member(at, "kind") : *at;
    tr_status status = tr2_json_word(reader, &kind_at, tr2_softness_words, TR2_SOFTNESS_WORD_COUNT,
                                     "\"rigid\", \"frequency\" or \"physical\"", &kind);
    if (status != TR_OK)
        return status;
    const char *const *keys = tr2_softness_keys[kind];
    float a = 0.0f, b = 0.0f;
    if (keys[0] != NULL && !json_is_object(at->value))
        return tr2_json_fail(reader, at, "\"%s\" wants an object with %s and %s", tr2_softness_words[kind], keys[0],
                             keys[1]);
    if (keys[0] != NULL) {
        status = tr2_json_get_float(reader, at, keys[0], &a);
        if (status == TR_OK)
            status = tr2_json_get_float(reader, at, keys[1], &b);
    }
    const char *const known[] = {"kind", keys[0], keys[1], NULL};
    if (status == TR_OK && json_is_object(at->value))
        status = tr2_json_want_keys(reader, at, known);
    if (status != TR_OK)
        return status;
    tr2_field_write(def, first, kind);
    tr2_field_write_float(def, first + 1, a);
    tr2_field_write_float(def, first + 2, b);
    return TR_OK;
}

static tr_status read_scalar(const tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def, tr2_field field)
{
    if (tr2_field_infos[field].kind == TR_KIND_BOOL) {
        bool flag = false;
        tr_status status = tr2_json_bool(reader, at, &flag);
        if (status == TR_OK)
            tr2_field_write(def, field, flag ? 1 : 0);
        return status;
    }
    if (tr2_field_infos[field].kind == TR_KIND_DOUBLE) {
        double wide = 0.0;
        tr_status status = tr2_json_double(reader, at, &wide);
        if (status == TR_OK)
            tr2_field_write_double(def, field, wide);
        return status;
    }
    float value = 0.0f;
    tr_status status = tr2_json_float(reader, at, &value);
    if (status == TR_OK)
        tr2_field_write_float(def, field, value);
    return status;
}

static tr_status read_vector(const tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def, tr2_field field)
{
    tr_vec2 value = {0.0f, 0.0f};
    tr_dvec2 wide = {0.0, 0.0};
    bool is_wide = tr2_field_infos[field].kind == TR_KIND_DOUBLE;
    tr_status status = is_wide ? tr2_json_dvec2(reader, at, &wide) : tr2_json_vec2(reader, at, &value);
    if (status == TR_OK && is_wide) {
        tr2_field_write_double(def, field, wide.x);
        tr2_field_write_double(def, field + 1, wide.y);
    } else if (status == TR_OK) {
        tr2_field_write_float(def, field, value.x);
        tr2_field_write_float(def, field + 1, value.y);
    }
    return status;
}

static tr_status read_group(tr2_reader *reader, const tr2_cursor *object, const char *prefix, tr2_joint_def *def);

/* whether a type of joint has any of the fields whose paths begin with a group's */
static bool has_group(tr2_joint_type type, const char *path)
{
    size_t length = strlen(path);
    for (uint32_t i = 0; i < TR2_FIELD_COUNT; i++) {
        const char *name = tr2_field_infos[i].name;
        if (strncmp(name, path, length) == 0 && name[length] == '.' && tr2_joint_type_has(type, (tr2_field)i))
            return true;
    }
    return false;
}

/* reads one member of a joint, or of a group within it; `path` is its path in tr2_joint_def */
static tr_status read_field(tr2_reader *reader, const tr2_cursor *object, const tr2_cursor *at, const char *path,
                            tr2_joint_def *def)
{
    tr2_field field = TR2_FIELD_COUNT;
    tr2_path_kind kind = tr2_joint_path(path, &field);
    if (kind == TR2_PATH_UNKNOWN)
        return tr2_json_unknown_key(reader, object, at->key);
    if (kind == TR2_PATH_GROUP) {
        tr_status status = tr2_json_want_object(reader, at);
        if (status == TR_OK && !has_group(def->type, path))
            return tr2_json_fail(reader, at, "a %s joint has no %s", tr2_joint_type_name(def->type), path);
        return status == TR_OK ? read_group(reader, at, path, def) : status;
    }
    if (!tr2_joint_type_has(def->type, field))
        return tr2_json_fail(reader, at, "a %s joint has no %s", tr2_joint_type_name(def->type), path);
    if (kind == TR2_PATH_SOFTNESS)
        return read_softness(reader, at, def, field);
    if (kind == TR2_PATH_SCALAR)
        return read_scalar(reader, at, def, field);
    return read_vector(reader, at, def, field);
}

/* `prefix` is "" for the joint itself; the fields' paths bound the depth of recursion */
static tr_status read_group(tr2_reader *reader, const tr2_cursor *object, const char *prefix, tr2_joint_def *def)
{
    static const char *const own[] = {"type",      "name",  "body_a", "body_b",  "carrier_a",
                                      "carrier_b", "event", "break",  "enabled", "collide_connected",
                                      "user_data", NULL};
    tr_status status = TR_OK;
    for (void *iter = json_object_iter(object->value); iter != NULL && status == TR_OK;
         iter = json_object_iter_next(object->value, iter)) {
        const char *key = json_object_iter_key(iter);
        const char *const *entry = own;
        while (*prefix == '\0' && *entry != NULL && strcmp(*entry, key) != 0)
            entry++;
        if (*prefix == '\0' && *entry != NULL)
            continue;
        char path[TR2_PATH_SIZE];
        int length = snprintf(path, sizeof path, "%s%s%s", prefix, *prefix != '\0' ? "." : "", key);
        tr2_cursor at = {object, key, 0, json_object_iter_value(iter)};
        /* no field has a name this long, or a dot in its key */
        if (length < 0 || (size_t)length >= sizeof path || strchr(key, '.') != NULL)
            status = tr2_json_unknown_key(reader, object, key);
        else
            status = read_field(reader, object, &at, path, def);
    }
    return status;
}

/* event and break thresholds are common to all joint types and not in the table of fields */
static tr_status read_thresholds(tr2_reader *reader, const tr2_cursor *joint, tr2_joint_def *def)
{
    static const char *const known_event[] = {"force", "torque", NULL};
    static const char *const known_break[] = {"force", "torque", "impulse", "steps", NULL};
    tr_status status = TR_OK;
    tr2_cursor event = tr2_json_member(joint, "event");
    if (event.value != NULL) {
        status = tr2_json_want_keys(reader, &event, known_event);
        if (status == TR_OK)
            status = tr2_json_get_float(reader, &event, "force", &def->event_at.force);
        if (status == TR_OK)
            status = tr2_json_get_float(reader, &event, "torque", &def->event_at.torque);
    }
    tr2_cursor breaks = tr2_json_member(joint, "break");
    if (breaks.value == NULL || status != TR_OK)
        return status;
    status = tr2_json_want_keys(reader, &breaks, known_break);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, &breaks, "force", &def->break_at.force);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, &breaks, "torque", &def->break_at.torque);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, &breaks, "impulse", &def->break_at.impulse);
    tr2_cursor steps = tr2_json_member(&breaks, "steps");
    return status == TR_OK ? tr2_json_integer(reader, &steps, 0, UINT32_MAX, &def->break_at.steps) : status;
}

/* reads the body relative to which a gear measures a coordinate; absent: the world */
static tr_status read_carrier(const tr2_reader *reader, const tr2_cursor *at, const char *key, const body_names *names,
                              const tr2_scene_joint *joint, uint32_t body, uint32_t *out)
{
    tr2_cursor carrier_at = tr2_json_member(at, key);
    if (carrier_at.value == NULL)
        return TR_OK;
    if (joint->def.type != TR2_JOINT_GEAR)
        return tr2_json_fail(reader, &carrier_at, "a %s joint has no %s", tr2_joint_type_name(joint->def.type), key);
    uint32_t carrier = 0;
    tr_status status = read_body_reference(reader, at, key, names, &carrier);
    if (status == TR_OK && carrier == body)
        status = tr2_json_fail(reader, &carrier_at, "is body %u, which it is to carry", body);
    if (status == TR_OK)
        *out = carrier + 1;
    return status;
}

static tr_status read_joint(tr2_reader *reader, const tr2_cursor *at, const body_names *names)
{
    const char *words[TR2_JOINT_TYPE_COUNT];
    for (uint32_t i = 0; i < TR2_JOINT_TYPE_COUNT; i++)
        words[i] = tr2_joint_type_name((tr2_joint_type)i);

    tr_status status = tr2_json_want_object(reader, at);
    uint32_t type = 0;
    tr2_cursor type_at = tr2_json_member(at, "type");
    if (status == TR_OK)
        status = tr2_json_word(reader, &type_at, words, TR2_JOINT_TYPE_COUNT, "a type of joint", &type);
    tr2_scene_joint *joint = NULL;
    if (status == TR_OK)
        status = tr2_builder_joint(reader->builder, (tr2_joint_type)type, &joint, reader->error);
    if (status == TR_OK)
        status = tr2_json_get_name(reader, at, &joint->name);
    if (status == TR_OK)
        status = read_body_reference(reader, at, "body_a", names, &joint->body_a);
    if (status == TR_OK)
        status = read_body_reference(reader, at, "body_b", names, &joint->body_b);
    if (status == TR_OK && joint->body_a == joint->body_b)
        status = tr2_json_fail(reader, at, "joins body %u to itself", joint->body_a);
    if (status == TR_OK)
        status = read_carrier(reader, at, "carrier_a", names, joint, joint->body_a, &joint->carrier_a);
    if (status == TR_OK)
        status = read_carrier(reader, at, "carrier_b", names, joint, joint->body_b, &joint->carrier_b);
    if (status == TR_OK)
        status = read_thresholds(reader, at, &joint->def);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "collide_connected", &joint->def.collide_connected);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "enabled", &joint->def.enabled);
    tr2_cursor user_data = tr2_json_member(at, "user_data");
    if (status == TR_OK)
        status = tr2_json_u64(reader, &user_data, &joint->def.user_data);
    return status == TR_OK ? read_group(reader, at, "", &joint->def) : status;
}

tr_status tr2_read_own_joints(tr2_reader *reader, const tr2_cursor *root)
{
    tr2_cursor joints = tr2_json_member(root, "joints");
    if (joints.value == NULL)
        return TR_OK;
    body_names names = {NULL, 0};
    tr_status status = tr2_json_want_array(reader, &joints);
    if (status == TR_OK)
        status = collect_names(reader, &names);
    for (size_t i = 0; status == TR_OK && i < json_array_size(joints.value); i++) {
        tr2_cursor at = tr2_json_element(&joints, i);
        status = read_joint(reader, &at, &names);
    }
    free(names.entries);
    return status;
}

#endif
