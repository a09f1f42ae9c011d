/*
 * Writer of Trammel's own JSON format (docs/scene-format.md). Each body or joint takes one line, and only members that
 * differ from the default definition of the type are written.
 */
#include "scene/storage.h"

#ifdef TR_WITH_SCENES

#include <float.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/joint_paths.h"
#include "scene/line.h"
#include "scene/own.h"

static bool same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* writes the members that differ from the default filter */
static void put_filter(tr2_line *out, const tr2_filter *filter)
{
    tr2_filter standard = tr2_shape_def_default(TR2_CIRCLE).filter;
    if (filter->category != standard.category)
        tr2_put_bits(out, "category", filter->category);
    if (filter->mask != standard.mask)
        tr2_put_bits(out, "mask", filter->mask);
    if (filter->group != standard.group)
        tr2_put_double(out, "group", filter->group);
}

/*
 * Bodies and their shapes
 */
static void write_shape(tr_text *text, const tr2_scene *scene, const tr2_scene_shape *shape)
{
    const tr2_shape_def standard = tr2_shape_def_default(tr2_scene_shape_infos[shape->type].kind);
    const tr_vec2 *vertices = scene->vertices + shape->first_vertex;
    tr2_line out = {text, false};
    tr2_put_word(&out, "type", tr2_scene_shape_infos[shape->type].name);
    tr2_put_string(&out, "name", shape->name);
    if (shape->type == TR2_SCENE_CIRCLE) {
        const tr_vec2 origin = {0.0f, 0.0f};
        if (!same_bits(&vertices[0], &origin, sizeof origin))
            tr2_put_vec2(&out, "center", vertices[0]);
    } else {
        tr2_put_key(&out, "vertices");
        for (uint32_t i = 0; i < shape->vertex_count; i++) {
            tr_text_append(text, i == 0 ? "[" : ", ");
            tr2_append_vec2(text, vertices[i]);
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
            tr2_put_float(&out, floats[i].key, floats[i].value);
    if (shape->has_before)
        tr2_put_vec2(&out, "before", shape->before);
    if (shape->has_after)
        tr2_put_vec2(&out, "after", shape->after);
    const struct {
        const char *key;
        bool value, standard;
    } flags[] = {{"closed", shape->closed, false},
                 {"one_sided", shape->one_sided, false},
                 {"sensor", shape->sensor, standard.sensor},
                 {"contact_events", shape->contact_events, standard.contact_events},
                 {"hit_events", shape->hit_events, standard.hit_events},
                 {"custom_filter", shape->custom_filter, standard.custom_filter}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (flags[i].value != flags[i].standard)
            tr2_put_bool(&out, flags[i].key, flags[i].value);
    tr2_put_user_data(&out, shape->user_data);
    put_filter(&out, &shape->filter);
    tr2_put_end(&out);
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

    tr2_line out = {text, false};
    tr2_put_string(&out, "name", body->name);
    if (def->type != defaults.type)
        tr2_put_word(&out, "type", types[def->type]);
    if (!same_bits(&def->position, &defaults.position, sizeof def->position))
        tr2_put_dvec2(&out, "position", def->position);
    if (!same_bits(&def->angle, &defaults.angle, sizeof def->angle))
        tr2_put_double(&out, "angle", def->angle);
    if (!same_bits(&def->velocity, &defaults.velocity, sizeof def->velocity))
        tr2_put_vec2(&out, "velocity", def->velocity);
    if (!same_bits(&def->center, &defaults.center, sizeof def->center))
        tr2_put_vec2(&out, "center", def->center);
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
            tr2_put_float(&out, floats[i].key, floats[i].value);
    if (def->fixed_rotation)
        tr2_put_bool(&out, "fixed_rotation", true);
    if (def->bullet)
        tr2_put_bool(&out, "bullet", true);
    if (!def->enabled)
        tr2_put_bool(&out, "enabled", false);
    tr2_put_user_data(&out, def->user_data);
    for (uint32_t i = 0; i < shape_count; i++) {
        if (i == 0)
            tr2_put_key(&out, "shapes");
        tr_text_append(text, i == 0 ? "[" : ", ");
        write_shape(text, scene, &scene->shapes[shapes[i]]);
    }
    if (shape_count > 0)
        tr_text_append(text, "]");
    tr2_put_end(&out);
}

/*
 * Whole scenes
 */

/* rejects indices that would be out of bounds, here or in a reader of the file */
static tr_status check(const tr2_scene *scene, tr_error *error)
{
    const tr2_contact_settings *contacts = &scene->contacts;
    if ((uint32_t)scene->method >= TR_METHOD_COUNT || (uint32_t)scene->breaking >= TR_BREAKING_COUNT ||
        (uint32_t)contacts->friction_mixing >= TR2_MIXING_COUNT ||
        (uint32_t)contacts->restitution_mixing >= TR2_MIXING_COUNT)
        return tr2_scene_fail(error, TR_ERROR_RANGE,
                              "world: method, breaking, contacts.friction_mixing or contacts.restitution_mixing is out "
                              "of range");
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
            if (tr2_field_infos[field].kind == TR_KIND_KIND &&
                tr2_field_read(&joint->def, (tr2_field)field) >= TR2_SOFTNESS_WORD_COUNT)
                return tr2_scene_fail(error, TR_ERROR_RANGE, "joints[%u].%s: there is no such softness", i,
                                      tr2_field_infos[field].name);
    }
    return TR_OK;
}

const tr2_contact_number tr2_contact_numbers[TR2_CONTACT_NUMBER_COUNT] = {
    {"frequency", offsetof(tr2_contact_settings, frequency)},
    {"damping_ratio", offsetof(tr2_contact_settings, damping_ratio)},
    {"push_speed", offsetof(tr2_contact_settings, push_speed)},
    {"bounce_speed", offsetof(tr2_contact_settings, bounce_speed)},
    {"hit_speed", offsetof(tr2_contact_settings, hit_speed)},
};

static void put_contacts(tr2_line *out, const tr2_scene *scene)
{
    const tr2_contact_settings *contacts = &scene->contacts;
    const tr2_contact_settings standard = tr2_contact_settings_default(scene->length_unit);
    if (same_bits(contacts, &standard, sizeof standard))
        return;
    tr2_put_key(out, "contacts");
    tr2_line inner = {out->text, false};
    for (uint32_t i = 0; i < TR2_CONTACT_NUMBER_COUNT; i++) {
        const size_t offset = tr2_contact_numbers[i].offset;
        float value;
        memcpy(&value, (const char *)contacts + offset, sizeof value);
        if (!same_bits(&value, (const char *)&standard + offset, sizeof value))
            tr2_put_float(&inner, tr2_contact_numbers[i].key, value);
    }
    if (contacts->friction_mixing != standard.friction_mixing)
        tr2_put_word(&inner, TR2_FRICTION_MIXING_KEY, tr2_mixing_name(contacts->friction_mixing));
    if (contacts->restitution_mixing != standard.restitution_mixing)
        tr2_put_word(&inner, TR2_RESTITUTION_MIXING_KEY, tr2_mixing_name(contacts->restitution_mixing));
    tr2_put_end(&inner);
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
    tr2_line world = {text, false};
    tr2_put_vec2(&world, "gravity", scene->gravity);
    tr2_put_double(&world, "hertz", scene->hertz);
    tr2_put_key(&world, "substeps");
    tr_text_u64(text, scene->substeps);
    tr2_put_float(&world, "joint_frequency", scene->joint_frequency);
    tr2_put_float(&world, "joint_damping_ratio", scene->joint_damping_ratio);
    /* JSON has no infinity; the largest float has the same effect */
    if (scene->direct_load != tr2_world_def_default().direct_load)
        tr2_put_float(&world, "direct_load", scene->direct_load < FLT_MAX ? scene->direct_load : FLT_MAX);
    if (scene->length_unit != tr2_world_def_default().length_unit)
        tr2_put_float(&world, "length_unit", scene->length_unit);
    if (scene->collide)
        tr2_put_bool(&world, "collide", true);
    if (scene->breaking != TR_BREAKING_ALL)
        tr2_put_word(&world, "breaking", tr_breaking_name(scene->breaking));
    put_contacts(&world, scene);
    tr2_put_word(&world, "method", tr_method_name(scene->method));
    tr2_put_key(&world, "sweeps");
    tr_text_u64(text, scene->sweeps);
    tr2_put_end(&world);
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
        tr2_write_own_joint(&text, &scene->joints[i]);
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
