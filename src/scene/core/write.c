/*
 * Writer of Trammel's own JSON format (docs/scene-format.md). Each body or joint takes one line, and only members that
 * differ from the default definition of the type are written.
 */
#include "scene/core/storage.h"

#ifdef TR_WITH_SCENES

#include <float.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/core/joint_paths.h"
#include "scene/core/own.h"

/*
 * Bodies and their shapes
 */
static size_t size_of(trn_scene_kind kind)
{
    static const size_t sizes[] = {
        [TR_SCENE_FLOAT] = sizeof(float),    [TR_SCENE_DOUBLE] = sizeof(double),  [TR_SCENE_BOOL] = sizeof(bool),
        [TR_SCENE_VECTOR] = sizeof(trn_vec), [TR_SCENE_POINT] = sizeof(trn_dvec), [TR_SCENE_ROTATION] = sizeof(tr_quat),
        [TR_SCENE_TENSOR] = sizeof(tr_sym3)};
    return sizes[kind];
}

static void put_property(tr_line *out, const trn_scene_property *property, const void *value)
{
    switch (property->kind) {
    case TR_SCENE_FLOAT:
        tr_put_float(out, property->key, *(const float *)value);
        break;
    case TR_SCENE_DOUBLE:
        tr_put_double(out, property->key, *(const double *)value);
        break;
    case TR_SCENE_BOOL:
        tr_put_bool(out, property->key, *(const bool *)value);
        break;
    case TR_SCENE_VECTOR:
        tr_put_floats(out, property->key, value, TRN_SCENE_AXES);
        break;
    case TR_SCENE_POINT:
        tr_put_doubles(out, property->key, value, TRN_SCENE_AXES);
        break;
    case TR_SCENE_ROTATION:
        tr_put_floats(out, property->key, value, 4);
        break;
    case TR_SCENE_TENSOR: {
        static const float none[3] = {0.0f, 0.0f, 0.0f};
        bool diagonal = tr_scene_same_bits(&((const tr_sym3 *)value)->xy, none, sizeof none);
        tr_put_floats(out, property->key, value, diagonal ? 3 : 6);
        break;
    }
    }
}

static void write_body(tr_text *text, const trn_scene *scene, const trn_scene_body *body, const uint32_t *shapes,
                       uint32_t shape_count)
{
    static const char *const types[] = {"static", "kinematic", "dynamic"};
    const trn_body_def *def = &body->def, defaults = trn_body_def_default();
    /* a body without mass but with heavy shapes: a reader would compute its mass from the shapes */
    bool heavy = false;
    for (uint32_t i = 0; i < shape_count; i++)
        heavy = heavy || scene->shapes[shapes[i]].density > 0.0f;

    tr_line out = {text, false};
    tr_put_string(&out, "name", body->name);
    if (def->type != defaults.type)
        tr_put_word(&out, "type", types[def->type]);
    for (uint32_t i = 0; i < trn_scene_body_property_count; i++) {
        const trn_scene_property *property = &trn_scene_body_properties[i];
        const void *value = (const char *)def + property->offset;
        /* a reader would compute a missing mass from the shapes */
        bool always = heavy && def->type == TR_DYNAMIC && property->offset == offsetof(trn_body_def, mass);
        if (always || !tr_scene_same_bits(value, (const char *)&defaults + property->offset, size_of(property->kind)))
            put_property(&out, property, value);
    }
    tr_put_user_data(&out, def->user_data);
    for (uint32_t i = 0; i < shape_count; i++) {
        if (i == 0)
            tr_put_key(&out, "shapes");
        tr_text_append(text, i == 0 ? "[" : ", ");
        trn_write_own_shape(text, scene, &scene->shapes[shapes[i]]);
    }
    if (shape_count > 0)
        tr_text_append(text, "]");
    tr_put_end(&out);
}

/*
 * Whole scenes
 */

tr_status trn_scene_check(const trn_scene *scene, tr_error *error)
{
    if ((uint32_t)scene->method >= TR_METHOD_COUNT || (uint32_t)scene->breaking >= TR_BREAKING_COUNT)
        return tr_scene_fail(error, TR_ERROR_RANGE, "world: method or breaking is out of range");
    tr_status status = trn_scene_check_own(scene, error);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < scene->body_count; i++)
        if ((uint32_t)scene->bodies[i].def.type > TR_DYNAMIC)
            return tr_scene_fail(error, TR_ERROR_RANGE, "bodies[%u]: there is no body type %d", i,
                                 (int)scene->bodies[i].def.type);
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        if (!trn_scene_shape_is_whole(scene, &scene->shapes[i]))
            return tr_scene_fail(error, TR_ERROR_RANGE, "shapes[%u]: type, body or vertices out of range", i);
    }
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        trn_scene_joint *joint = &scene->joints[i];
        bool exist = (uint32_t)joint->def.type < TRN_JOINT_TYPE_COUNT && joint->body_a < scene->body_count &&
                     joint->body_b < scene->body_count;
        for (uint32_t end = 0; end < 2; end++) {
            const uint32_t *carrier = trn_scene_carrier(joint, end);
            exist = exist && (carrier == NULL || *carrier <= scene->body_count);
        }
        if (!exist)
            return tr_scene_fail(error, TR_ERROR_RANGE, "joints[%u]: type or body out of range", i);
        if (joint->body_a == joint->body_b)
            return tr_scene_fail(error, TR_ERROR_SELF_JOINT, "joints[%u]: joins body %u to itself", i, joint->body_a);
        for (uint32_t field = 0; field < TRN_FIELD_COUNT; field++)
            if (trn_field_infos[field].kind == TR_KIND_KIND &&
                trn_field_read(&joint->def, (trn_field)field) >= TR_SOFTNESS_WORD_COUNT)
                return tr_scene_fail(error, TR_ERROR_RANGE, "joints[%u].%s: there is no such softness", i,
                                     trn_field_infos[field].name);
    }
    return TR_OK;
}

static void put_sleep(tr_line *world, const tr_sleep_settings *sleep)
{
    const tr_sleep_settings standard = trn_world_def_default().sleep;
    if (sleep->enable == standard.enable && sleep->speed == standard.speed &&
        sleep->angular_speed == standard.angular_speed && sleep->time == standard.time)
        return;
    tr_put_key(world, "sleep");
    tr_line inner = {world->text, false};
    tr_put_bool(&inner, "enable", sleep->enable);
    tr_put_float(&inner, "speed", sleep->speed);
    tr_put_float(&inner, "angular_speed", sleep->angular_speed);
    tr_put_float(&inner, "time", sleep->time);
    tr_put_end(&inner);
}

static void write_head(tr_text *text, const trn_scene *scene)
{
    tr_text_append(text, "{\n  \"trammel\": 1,\n");
    if (TR_DIMENSION != 2) {
        tr_text_append(text, "  \"dimension\": ");
        tr_text_u64(text, TR_DIMENSION);
        tr_text_append(text, ",\n");
    }
    if (scene->name != NULL && *scene->name != '\0') {
        tr_text_append(text, "  \"name\": ");
        tr_text_string(text, scene->name);
        tr_text_append(text, ",\n");
    }
    tr_text_append(text, "  \"world\": ");
    tr_line world = {text, false};
    tr_put_floats(&world, "gravity", &scene->gravity.x, TRN_SCENE_AXES);
    tr_put_double(&world, "hertz", scene->hertz);
    tr_put_key(&world, "substeps");
    tr_text_u64(text, scene->substeps);
    tr_put_float(&world, "joint_frequency", scene->joint_frequency);
    tr_put_float(&world, "joint_damping_ratio", scene->joint_damping_ratio);
    /* JSON has no infinity; the largest float has the same effect */
    if (scene->direct_load != trn_world_def_default().direct_load)
        tr_put_float(&world, "direct_load", scene->direct_load < FLT_MAX ? scene->direct_load : FLT_MAX);
    if (scene->length_unit != trn_world_def_default().length_unit)
        tr_put_float(&world, "length_unit", scene->length_unit);
    if (scene->breaking != TR_BREAKING_ALL)
        tr_put_word(&world, "breaking", tr_breaking_name(scene->breaking));
    put_sleep(&world, &scene->sleep);
    trn_write_own_world(&world, scene);
    tr_put_word(&world, "method", tr_method_name(scene->method));
    tr_put_key(&world, "sweeps");
    tr_text_u64(text, scene->sweeps);
    tr_put_end(&world);
}

/* sorts shapes by body: order[first[b]] .. order[first[b + 1] - 1] belong to body b */
static tr_status sort_shapes(const trn_scene *scene, uint32_t **first, uint32_t **order, tr_error *error)
{
    *first = calloc((size_t)scene->body_count + 2, sizeof **first);
    *order = malloc(((size_t)scene->shape_count + 1) * sizeof **order);
    if (*first == NULL || *order == NULL)
        return tr_scene_fail(error, TR_ERROR_MEMORY, "not enough memory to write the scene");
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
        return tr_scene_fail(error, text->status, "%s", why);
    return tr_scene_fail(error, text->status, "%s[%u]: %s", what, index, why);
}

tr_status trn_scene_write(const trn_scene *scene, char **out, size_t *size, tr_error *error)
{
    if (scene == NULL || out == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "%s: `scene` and `out` must not be null", __func__);
    uint32_t *first = NULL, *order = NULL;
    tr_text text = {NULL, 0, 0, TR_OK};
    tr_status status = trn_scene_check(scene, error);
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
        trn_write_own_joint(&text, &scene->joints[i]);
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
