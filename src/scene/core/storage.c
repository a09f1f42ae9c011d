#include "scene/core/storage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void trn_scene_destroy(trn_scene *scene)
{
    if (scene == NULL)
        return;
    for (uint32_t i = 0; i < scene->body_count; i++)
        free(scene->bodies[i].name);
    for (uint32_t i = 0; i < scene->joint_count; i++)
        free(scene->joints[i].name);
    for (uint32_t i = 0; i < scene->shape_count; i++)
        free(scene->shapes[i].name);
    for (uint32_t i = 0; i < scene->notice_count; i++)
        free(scene->notices[i]);
    free(scene->bodies);
    free(scene->joints);
    free(scene->shapes);
    trn_scene_free_own(scene);
    free(scene->notices);
    free(scene->name);
    free(scene->format);
    free(scene);
}

tr_status trn_builder_start(trn_builder *builder, const char *format, tr_error *error)
{
    memset(builder, 0, sizeof *builder);
    trn_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL)
        return tr_scene_fail(error, TR_ERROR_MEMORY, "not enough memory for the scene");
    tr_status status = tr_scene_copy_text(format, &scene->format, error);
    if (status != TR_OK) {
        free(scene);
        return status;
    }
    trn_world_def defaults = trn_world_def_default();
    scene->gravity = defaults.gravity;
    scene->joint_frequency = defaults.joint_frequency;
    scene->joint_damping_ratio = defaults.joint_damping_ratio;
    scene->direct_load = defaults.direct_load;
    scene->length_unit = defaults.length_unit;
    scene->sleep = defaults.sleep;
    scene->hertz = 60.0;
    scene->substeps = 4;
    trn_scene_preset(scene);
    builder->scene = scene;
    return TR_OK;
}

trn_scene *trn_builder_take(trn_builder *builder)
{
    trn_scene *scene = builder->scene;
    scene->bodies = tr_scene_trim(scene->bodies, scene->body_count, sizeof *scene->bodies);
    scene->joints = tr_scene_trim(scene->joints, scene->joint_count, sizeof *scene->joints);
    scene->shapes = tr_scene_trim(scene->shapes, scene->shape_count, sizeof *scene->shapes);
    trn_scene_trim_own(scene);
    scene->notices = tr_scene_trim(scene->notices, scene->notice_count, sizeof *scene->notices);
    memset(builder, 0, sizeof *builder);
    return scene;
}

void trn_builder_drop(trn_builder *builder)
{
    trn_scene_destroy(builder->scene);
    memset(builder, 0, sizeof *builder);
}

/* one function per type of entry, so that realloc's void pointer never aliases a typed pointer */
static tr_status grow_bodies(trn_builder *builder, uint32_t needed, tr_error *error)
{
    void *array = builder->scene->bodies;
    tr_status status = tr_scene_grow(&array, &builder->body_capacity, needed, sizeof(trn_scene_body), error);
    builder->scene->bodies = array;
    return status;
}

static tr_status grow_joints(trn_builder *builder, uint32_t needed, tr_error *error)
{
    void *array = builder->scene->joints;
    tr_status status = tr_scene_grow(&array, &builder->joint_capacity, needed, sizeof(trn_scene_joint), error);
    builder->scene->joints = array;
    return status;
}

static tr_status grow_shapes(trn_builder *builder, uint32_t needed, tr_error *error)
{
    void *array = builder->scene->shapes;
    tr_status status = tr_scene_grow(&array, &builder->shape_capacity, needed, sizeof(trn_scene_shape), error);
    builder->scene->shapes = array;
    return status;
}

tr_status trn_builder_reserve(trn_builder *builder, uint32_t bodies, uint32_t joints, uint32_t shapes, tr_error *error)
{
    tr_status status = grow_bodies(builder, bodies, error);
    if (status == TR_OK)
        status = grow_joints(builder, joints, error);
    return status == TR_OK ? grow_shapes(builder, shapes, error) : status;
}

tr_status trn_builder_body(trn_builder *builder, trn_scene_body **out, tr_error *error)
{
    trn_scene *scene = builder->scene;
    tr_status status = grow_bodies(builder, scene->body_count + 1, error);
    if (status != TR_OK)
        return status;
    trn_scene_body *body = &scene->bodies[scene->body_count++];
    body->def = trn_body_def_default();
    body->name = NULL;
    *out = body;
    return TR_OK;
}

tr_status trn_builder_joint(trn_builder *builder, trn_joint_type type, trn_scene_joint **out, tr_error *error)
{
    trn_scene *scene = builder->scene;
    tr_status status = grow_joints(builder, scene->joint_count + 1, error);
    if (status != TR_OK)
        return status;
    trn_scene_joint *joint = &scene->joints[scene->joint_count++];
    memset(joint, 0, sizeof *joint);
    joint->def = trn_joint_def_default(type);
    *out = joint;
    return TR_OK;
}

tr_status trn_builder_shape(trn_builder *builder, trn_scene_shape_type type, uint32_t body, trn_scene_shape **out,
                            tr_error *error)
{
    trn_scene *scene = builder->scene;
    tr_status status = grow_shapes(builder, scene->shape_count + 1, error);
    if (status != TR_OK)
        return status;
    trn_scene_shape *shape = &scene->shapes[scene->shape_count++];
    memset(shape, 0, sizeof *shape);
    shape->type = type;
    shape->body = body;
    trn_scene_preset_shape(scene, shape);
    *out = shape;
    return TR_OK;
}

tr_status trn_builder_notice(trn_builder *builder, tr_error *error, const char *format, ...)
{
    trn_scene *scene = builder->scene;
    char text[TR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0)
        text[0] = '\0';
    tr_scene_tidy(text);
    for (uint32_t i = 0; i < scene->notice_count; i++)
        if (strcmp(scene->notices[i], text) == 0)
            return TR_OK;

    void *array = scene->notices;
    tr_status status =
        tr_scene_grow(&array, &builder->notice_capacity, scene->notice_count + 1, sizeof *scene->notices, error);
    scene->notices = array;
    if (status != TR_OK)
        return status;
    char *copy = NULL;
    status = tr_scene_copy_text(text, &copy, error);
    if (status == TR_OK)
        scene->notices[scene->notice_count++] = copy;
    return status;
}

/*
 * Search by name
 */
static bool is_named(const char *name, const char *wanted)
{
    return name != NULL && wanted != NULL && strcmp(name, wanted) == 0;
}

uint32_t trn_scene_find_body(const trn_scene *scene, const char *name)
{
    for (uint32_t i = 0; scene != NULL && i < scene->body_count; i++)
        if (is_named(scene->bodies[i].name, name))
            return i;
    return UINT32_MAX;
}

uint32_t trn_scene_find_joint(const trn_scene *scene, const char *name)
{
    for (uint32_t i = 0; scene != NULL && i < scene->joint_count; i++)
        if (is_named(scene->joints[i].name, name))
            return i;
    return UINT32_MAX;
}

uint32_t trn_scene_find_shape(const trn_scene *scene, const char *name)
{
    for (uint32_t i = 0; scene != NULL && i < scene->shape_count; i++)
        if (is_named(scene->shapes[i].name, name))
            return i;
    return UINT32_MAX;
}
