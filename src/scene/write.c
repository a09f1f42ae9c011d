/*
 * Writer of Trammel's own JSON format (docs/scene-format.md). Each body or joint takes one line, and only members that
 * differ from the default definition of the type are written.
 */
#include "scene/storage.h"

#ifdef TR_WITH_SCENES

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/joint_paths.h"
#include "scene/text.h"

const char *const tr2_softness_words[TR2_SOFTNESS_WORD_COUNT] = {
    [TR_RIGID] = "rigid", [TR_FREQUENCY] = "frequency", [TR_PHYSICAL] = "physical", [TR_RAW] = "raw"};
const char *const tr2_softness_keys[TR2_SOFTNESS_WORD_COUNT][2] = {[TR_RIGID] = {NULL, NULL},
                                                                   [TR_FREQUENCY] = {"frequency", "damping_ratio"},
                                                                   [TR_PHYSICAL] = {"stiffness", "damping"},
                                                                   [TR_RAW] = {"softness", "bias_factor"}};

/* an object on one line; writes `{` and `, ` as needed; put_end() closes it */
typedef struct line {
    tr_text *text;
    bool started;
} line;

static void put_key(line *out, const char *key)
{
    tr_text_append(out->text, out->started ? ", \"" : "{\"");
    tr_text_append(out->text, key);
    tr_text_append(out->text, "\": ");
    out->started = true;
}

static void put_end(line *out)
{
    tr_text_append(out->text, out->started ? "}" : "{}");
}

static bool same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static void put_string(line *out, const char *key, const char *value)
{
    if (value == NULL || *value == '\0')
        return;
    put_key(out, key);
    tr_text_string(out->text, value);
}

static void put_word(line *out, const char *key, const char *word)
{
    put_key(out, key);
    tr_text_append(out->text, "\"");
    tr_text_append(out->text, word);
    tr_text_append(out->text, "\"");
}

static void put_bool(line *out, const char *key, bool value)
{
    put_key(out, key);
    tr_text_append(out->text, value ? "true" : "false");
}

static void put_float(line *out, const char *key, float value)
{
    put_key(out, key);
    tr_text_float(out->text, value);
}

static void put_double(line *out, const char *key, double value)
{
    put_key(out, key);
    tr_text_double(out->text, value);
}

static void append_vec2(tr_text *text, tr_vec2 value)
{
    tr_text_append(text, "[");
    tr_text_float(text, value.x);
    tr_text_append(text, ", ");
    tr_text_float(text, value.y);
    tr_text_append(text, "]");
}

static void put_vec2(line *out, const char *key, tr_vec2 value)
{
    put_key(out, key);
    append_vec2(out->text, value);
}

static void put_dvec2(line *out, const char *key, tr_dvec2 value)
{
    put_key(out, key);
    tr_text_append(out->text, "[");
    tr_text_double(out->text, value.x);
    tr_text_append(out->text, ", ");
    tr_text_double(out->text, value.y);
    tr_text_append(out->text, "]");
}

/* written as a string if a reader that stores numbers as doubles would lose bits */
static void put_bits(line *out, const char *key, uint64_t value)
{
    bool quoted = value > ((uint64_t)1 << 53);
    put_key(out, key);
    tr_text_append(out->text, quoted ? "\"" : "");
    tr_text_u64(out->text, value);
    tr_text_append(out->text, quoted ? "\"" : "");
}

static void put_user_data(line *out, uint64_t value)
{
    if (value != 0)
        put_bits(out, "user_data", value);
}

/* writes the members that differ from the default filter */
static void put_filter(line *out, const tr2_filter *filter)
{
    tr2_filter standard = tr2_shape_def_default(TR2_CIRCLE).filter;
    if (filter->category != standard.category)
        put_bits(out, "category", filter->category);
    if (filter->mask != standard.mask)
        put_bits(out, "mask", filter->mask);
    if (filter->group != standard.group)
        put_double(out, "group", filter->group);
}

/*
 * Bodies and their shapes
 */
static void write_shape(tr_text *text, const tr2_scene *scene, const tr2_scene_shape *shape)
{
    const tr2_shape_def standard = tr2_shape_def_default(TR2_CIRCLE);
    const tr_vec2 *vertices = scene->vertices + shape->first_vertex;
    line out = {text, false};
    put_word(&out, "type", tr2_scene_shape_infos[shape->type].name);
    put_string(&out, "name", shape->name);
    if (shape->type == TR2_SCENE_CIRCLE) {
        const tr_vec2 origin = {0.0f, 0.0f};
        if (!same_bits(&vertices[0], &origin, sizeof origin))
            put_vec2(&out, "center", vertices[0]);
    } else {
        put_key(&out, "vertices");
        for (uint32_t i = 0; i < shape->vertex_count; i++) {
            tr_text_append(text, i == 0 ? "[" : ", ");
            append_vec2(text, vertices[i]);
        }
        tr_text_append(text, "]");
    }
    const struct {
        const char *key;
        float value, standard;
    } floats[] = {{"radius", shape->radius, 0.0f},
                  {"density", shape->density, standard.density},
                  {"friction", shape->friction, standard.surface.friction},
                  {"restitution", shape->restitution, standard.surface.restitution},
                  {"rolling_resistance", shape->rolling_resistance, standard.surface.rolling_resistance},
                  {"tangent_speed", shape->tangent_speed, standard.surface.tangent_speed}};
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
        if (!same_bits(&floats[i].value, &floats[i].standard, sizeof(float)))
            put_float(&out, floats[i].key, floats[i].value);
    if (shape->has_before)
        put_vec2(&out, "before", shape->before);
    if (shape->has_after)
        put_vec2(&out, "after", shape->after);
    const struct {
        const char *key;
        bool value, standard;
    } flags[] = {{"closed", shape->closed, false},
                 {"one_sided", shape->one_sided, false},
                 {"sensor", shape->sensor, standard.sensor},
                 {"contact_events", shape->contact_events, standard.contact_events},
                 {"hit_events", shape->hit_events, standard.hit_events},
                 {"ask_filter", shape->ask_filter, standard.ask_filter}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (flags[i].value != flags[i].standard)
            put_bool(&out, flags[i].key, flags[i].value);
    put_user_data(&out, shape->user_data);
    put_filter(&out, &shape->filter);
    put_end(&out);
}

static void write_body(tr_text *text, const tr2_scene *scene, const tr2_scene_body *body, const uint32_t *shapes,
                       uint32_t shape_count)
{
    static const char *const types[] = {"static", "kinematic", "dynamic"};
    const tr2_body_def *def = &body->def, defaults = tr2_body_def_default();
    /* a body without mass but with heavy shapes: a reader would compute its mass from the shapes */
    bool heavy = false;
    for (uint32_t i = 0; i < shape_count; i++)
        heavy = heavy || scene->shapes[shapes[i]].density > 0.0f;

    line out = {text, false};
    put_string(&out, "name", body->name);
    if (def->type != defaults.type)
        put_word(&out, "type", types[def->type]);
    if (!same_bits(&def->position, &defaults.position, sizeof def->position))
        put_dvec2(&out, "position", def->position);
    if (!same_bits(&def->angle, &defaults.angle, sizeof def->angle))
        put_double(&out, "angle", def->angle);
    if (!same_bits(&def->velocity, &defaults.velocity, sizeof def->velocity))
        put_vec2(&out, "velocity", def->velocity);
    if (!same_bits(&def->center, &defaults.center, sizeof def->center))
        put_vec2(&out, "center", def->center);
    const struct {
        const char *key;
        float value, standard;
        bool always;
    } floats[] = {
        {"angular_velocity", def->angular_velocity, defaults.angular_velocity, false},
        {"mass", def->mass, defaults.mass, heavy && def->type == TR_DYNAMIC},
        {"inertia", def->inertia, defaults.inertia, false},
        {"gravity_scale", def->gravity_scale, defaults.gravity_scale, false},
        {"linear_damping", def->linear_damping, defaults.linear_damping, false},
        {"angular_damping", def->angular_damping, defaults.angular_damping, false},
    };
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
        if (floats[i].always || !same_bits(&floats[i].value, &floats[i].standard, sizeof(float)))
            put_float(&out, floats[i].key, floats[i].value);
    if (def->fixed_rotation)
        put_bool(&out, "fixed_rotation", true);
    if (def->bullet)
        put_bool(&out, "bullet", true);
    if (!def->enabled)
        put_bool(&out, "enabled", false);
    put_user_data(&out, def->user_data);
    for (uint32_t i = 0; i < shape_count; i++) {
        if (i == 0)
            put_key(&out, "shapes");
        tr_text_append(text, i == 0 ? "[" : ", ");
        write_shape(text, scene, &scene->shapes[shapes[i]]);
    }
    if (shape_count > 0)
        tr_text_append(text, "]");
    put_end(&out);
}

/*
 * Joints
 */

/* whether fields `field` .. `field + count - 1` have their defaults; a and b of a rigid softness are ignored */
static bool is_default(const tr2_joint_def *def, const tr2_joint_def *defaults, uint32_t field, uint32_t count)
{
    if (count == 3 && tr2_field_read(def, (tr2_field)field) == TR_RIGID &&
        tr2_field_read(defaults, (tr2_field)field) == TR_RIGID)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        size_t offset = tr2_field_infos[field + i].offset;
        if (tr2_field_infos[field + i].kind == TR2_KIND_DOUBLE
                ? !same_bits((const char *)def + offset, (const char *)defaults + offset, sizeof(double))
                : tr2_field_read(def, (tr2_field)(field + i)) != tr2_field_read(defaults, (tr2_field)(field + i)))
            return false;
    }
    return true;
}

static void put_softness(line *out, const char *key, const tr2_joint_def *def, uint32_t field)
{
    uint32_t kind = tr2_field_read(def, (tr2_field)field);
    if (kind == TR_RIGID) {
        put_word(out, key, tr2_softness_words[kind]);
        return;
    }
    put_key(out, key);
    line inner = {out->text, false};
    put_word(&inner, "kind", tr2_softness_words[kind]);
    put_float(&inner, tr2_softness_keys[kind][0], tr2_field_read_float(def, field + 1));
    put_float(&inner, tr2_softness_keys[kind][1], tr2_field_read_float(def, field + 2));
    put_end(&inner);
}

static void put_field(line *out, const char *key, const tr2_joint_def *def, uint32_t field, uint32_t count)
{
    bool wide = tr2_field_infos[field].kind == TR2_KIND_DOUBLE;
    if (count == 3)
        put_softness(out, key, def, field);
    else if (wide && count == 2)
        put_dvec2(out, key,
                  (tr_dvec2){tr2_field_read_double(def, (tr2_field)field),
                             tr2_field_read_double(def, (tr2_field)(field + 1))});
    else if (wide)
        put_double(out, key, tr2_field_read_double(def, (tr2_field)field));
    else if (count == 2)
        put_vec2(out, key, (tr_vec2){tr2_field_read_float(def, field), tr2_field_read_float(def, field + 1)});
    else if (tr2_field_infos[field].kind == TR2_KIND_BOOL)
        put_bool(out, key, tr2_field_read(def, (tr2_field)field) != 0);
    else
        put_float(out, key, tr2_field_read_float(def, field));
}

/* writes the fields that the type has and that differ from the default; paths are at most one group deep */
static void put_fields(line *out, const tr2_joint_def *def, const tr2_joint_def *defaults)
{
    char open[TR2_PATH_SIZE] = "";
    line group = {out->text, false};
    uint32_t count = 0;
    for (uint32_t field = 0; field < TR2_FIELD_COUNT; field += count) {
        char path[TR2_PATH_SIZE];
        snprintf(path, sizeof path, "%s", tr2_field_infos[field].name);
        char *dot = strrchr(path, '.');
        const char *tail = dot != NULL ? dot + 1 : "";
        count = strcmp(tail, "x") == 0 ? 2 : strcmp(tail, "kind") == 0 ? 3 : 1;
        if (!tr2_joint_type_has(def->type, (tr2_field)field) || is_default(def, defaults, field, count))
            continue;
        /* "motor.speed": group "motor", key "speed"; "drive.offset.x": group "drive", key "offset" */
        if (count > 1) {
            *dot = '\0';
            dot = strrchr(path, '.');
        }
        const char *key = dot != NULL ? dot + 1 : path;
        if (dot != NULL)
            *dot = '\0';
        const char *wanted = dot != NULL ? path : "";
        if (strcmp(open, wanted) != 0) {
            if (*open != '\0')
                put_end(&group);
            group.started = false;
            snprintf(open, sizeof open, "%s", wanted);
            if (*open != '\0')
                put_key(out, open);
        }
        put_field(*open != '\0' ? &group : out, key, def, field, count);
    }
    if (*open != '\0')
        put_end(&group);
}

/* a threshold of 0 means none */
static void put_threshold(line *out, const char *key, float value)
{
    if (value != 0.0f)
        put_float(out, key, value);
}

static void put_thresholds(line *out, const tr2_event_at *event_at, const tr2_break_at *break_at)
{
    line inner = {out->text, false};
    if (event_at->force != 0.0f || event_at->torque != 0.0f) {
        put_key(out, "event");
        put_threshold(&inner, "force", event_at->force);
        put_threshold(&inner, "torque", event_at->torque);
        put_end(&inner);
    }
    if (break_at->force == 0.0f && break_at->torque == 0.0f && break_at->impulse == 0.0f && break_at->steps == 0)
        return;
    inner.started = false;
    put_key(out, "break");
    put_threshold(&inner, "force", break_at->force);
    put_threshold(&inner, "torque", break_at->torque);
    put_threshold(&inner, "impulse", break_at->impulse);
    if (break_at->steps > 0) {
        put_key(&inner, "steps");
        tr_text_u64(inner.text, break_at->steps);
    }
    put_end(&inner);
}

static void put_carrier(line *out, const char *key, uint32_t carrier)
{
    if (carrier == 0)
        return;
    put_key(out, key);
    tr_text_u64(out->text, carrier - 1);
}

static void write_joint(tr_text *text, const tr2_scene_joint *joint)
{
    tr2_joint_def defaults = tr2_joint_def_default(joint->def.type);
    line out = {text, false};
    put_word(&out, "type", tr2_joint_type_name(joint->def.type));
    put_string(&out, "name", joint->name);
    put_key(&out, "body_a");
    tr_text_u64(text, joint->body_a);
    put_key(&out, "body_b");
    tr_text_u64(text, joint->body_b);
    put_carrier(&out, "carrier_a", joint->carrier_a);
    put_carrier(&out, "carrier_b", joint->carrier_b);
    put_fields(&out, &joint->def, &defaults);
    put_thresholds(&out, &joint->def.event_at, &joint->def.break_at);
    if (joint->def.enabled != defaults.enabled)
        put_bool(&out, "enabled", joint->def.enabled);
    if (joint->def.collide_connected != defaults.collide_connected)
        put_bool(&out, "collide_connected", joint->def.collide_connected);
    put_user_data(&out, joint->def.user_data);
    put_end(&out);
}

/*
 * Whole scenes
 */

/* rejects indices that would be out of bounds, here or in a reader of the file */
static tr_status check(const tr2_scene *scene, tr_error *error)
{
    for (uint32_t i = 0; i < scene->body_count; i++)
        if ((uint32_t)scene->bodies[i].def.type > TR_DYNAMIC)
            return tr2_scene_fail(error, TR_ERROR_RANGE, "bodies[%u]: there is no body type %d", i,
                                  (int)scene->bodies[i].def.type);
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        if (!tr2_scene_shape_is_whole(scene, &scene->shapes[i]))
            return tr2_scene_fail(error, TR_ERROR_RANGE, "shapes[%u]: type, body or vertices out of range", i);
    }
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const tr2_scene_joint *joint = &scene->joints[i];
        if ((uint32_t)joint->def.type >= TR2_JOINT_TYPE_COUNT || joint->body_a >= scene->body_count ||
            joint->body_b >= scene->body_count || joint->carrier_a > scene->body_count ||
            joint->carrier_b > scene->body_count)
            return tr2_scene_fail(error, TR_ERROR_RANGE, "joints[%u]: type or body out of range", i);
        if (joint->body_a == joint->body_b)
            return tr2_scene_fail(error, TR_ERROR_SELF_JOINT, "joints[%u]: joins body %u to itself", i, joint->body_a);
        for (uint32_t field = 0; field < TR2_FIELD_COUNT; field++)
            if (tr2_field_infos[field].kind == TR2_KIND_KIND &&
                tr2_field_read(&joint->def, (tr2_field)field) >= TR2_SOFTNESS_WORD_COUNT)
                return tr2_scene_fail(error, TR_ERROR_RANGE, "joints[%u].%s: there is no such softness", i,
                                      tr2_field_infos[field].name);
    }
    return TR_OK;
}

static void write_head(tr_text *text, const tr2_scene *scene)
{
    tr_text_append(text, "{\n  \"trammel\": 1,\n");
    if (scene->name != NULL && *scene->name != '\0') {
        tr_text_append(text, "  \"name\": ");
        tr_text_string(text, scene->name);
        tr_text_append(text, ",\n");
    }
    tr_text_append(text, "  \"world\": ");
    line world = {text, false};
    put_vec2(&world, "gravity", scene->gravity);
    put_double(&world, "hertz", scene->hertz);
    put_key(&world, "substeps");
    tr_text_u64(text, scene->substeps);
    put_float(&world, "joint_frequency", scene->joint_frequency);
    put_float(&world, "joint_damping_ratio", scene->joint_damping_ratio);
    /* JSON has no infinity; the largest float has the same effect */
    if (scene->direct_load != tr2_world_def_default().direct_load)
        put_float(&world, "direct_load", scene->direct_load < FLT_MAX ? scene->direct_load : FLT_MAX);
    if (scene->collide)
        put_bool(&world, "collide", true);
    put_word(&world, "method", tr2_method_name(scene->method));
    put_key(&world, "sweeps");
    tr_text_u64(text, scene->sweeps);
    put_end(&world);
}

/* sorts shapes by body: order[first[b]] .. order[first[b + 1] - 1] belong to body b */
static tr_status sort_shapes(const tr2_scene *scene, uint32_t **first, uint32_t **order, tr_error *error)
{
    *first = calloc((size_t)scene->body_count + 2, sizeof **first);
    *order = malloc(((size_t)scene->shape_count + 1) * sizeof **order);
    if (*first == NULL || *order == NULL)
        return tr2_scene_fail(error, TR_ERROR_MEMORY, "not enough memory to write the scene");
    uint32_t *next = *first + 1;
    for (uint32_t i = 0; i < scene->shape_count; i++)
        next[scene->shapes[i].body + 1]++;
    for (uint32_t b = 0; b < scene->body_count; b++)
        next[b + 1] += next[b];
    for (uint32_t i = 0; i < scene->shape_count; i++)
        (*order)[next[scene->shapes[i].body]++] = i;
    return TR_OK;
}

/* reports whose number or name could not be written, if anything failed */
static tr_status explain(const tr_text *text, const char *what, uint32_t index, tr_error *error)
{
    if (text->status == TR_OK)
        return TR_OK;
    const char *why = text->status == TR_ERROR_MEMORY  ? "not enough memory to write the scene"
                      : text->status == TR_ERROR_PARSE ? "a name is not UTF-8"
                                                       : "a number is not finite";
    if (what == NULL)
        return tr2_scene_fail(error, text->status, "%s", why);
    return tr2_scene_fail(error, text->status, "%s[%u]: %s", what, index, why);
}

tr_status tr2_scene_write(const tr2_scene *scene, char **out, size_t *size, tr_error *error)
{
    if (scene == NULL || out == NULL)
        return tr2_scene_fail(error, TR_ERROR_NULL, "tr2_scene_write: `scene` and `out` must not be null");
    uint32_t *first = NULL, *order = NULL;
    tr_text text = {NULL, 0, 0, TR_OK};
    tr_status status = check(scene, error);
    if (status == TR_OK)
        status = sort_shapes(scene, &first, &order, error);
    if (status == TR_OK) {
        write_head(&text, scene);
        tr_text_append(&text, ",\n  \"bodies\": [");
        status = explain(&text, NULL, 0, error);
    }
    for (uint32_t i = 0; i < scene->body_count && status == TR_OK; i++) {
        tr_text_append(&text, i == 0 ? "\n    " : ",\n    ");
        write_body(&text, scene, &scene->bodies[i], order + first[i], first[i + 1] - first[i]);
        status = explain(&text, "bodies", i, error);
    }
    tr_text_append(&text, scene->body_count > 0 ? "\n  ],\n  \"joints\": [" : "],\n  \"joints\": [");
    for (uint32_t i = 0; i < scene->joint_count && status == TR_OK; i++) {
        tr_text_append(&text, i == 0 ? "\n    " : ",\n    ");
        write_joint(&text, &scene->joints[i]);
        status = explain(&text, "joints", i, error);
    }
    tr_text_append(&text, scene->joint_count > 0 ? "\n  ]\n}\n" : "]\n}\n");
    if (status == TR_OK)
        status = explain(&text, NULL, 0, error);
    free(first);
    free(order);
    if (status != TR_OK) {
        free(text.bytes);
        return status;
    }
    *out = text.bytes;
    if (size != NULL)
        *size = text.size;
    return TR_OK;
}

#endif
