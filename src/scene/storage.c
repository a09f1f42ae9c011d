#include "scene/storage.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_MAX ((uint32_t)INT32_MAX)

/* makes names from files safe for terminals: removes control characters and a UTF-8 sequence that was cut at the end */
static void tidy(char *text)
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

tr_status tr2_scene_fail(tr_error *error, tr_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    if (vsnprintf(error->message, sizeof error->message, format, arguments) < 0)
        error->message[0] = '\0';
    tidy(error->message);
    va_end(arguments);
    return status;
}

static tr_status out_of_memory(tr_error *error)
{
    (void)tr2_scene_fail(error, TR_ERROR_MEMORY, "not enough memory for the scene");
    return TR_ERROR_MEMORY;
}

/* makes room for `needed` entries of `size` bytes; entries are kept, new room is not initialised */
static tr_status grow(void **array, uint32_t *capacity, uint32_t needed, size_t size, tr_error *error)
{
    if (needed <= *capacity)
        return TR_OK;
    if (needed > COUNT_MAX)
        return tr2_scene_fail(error, TR_ERROR_LIMIT, "a scene holds at most %u of each kind of thing", COUNT_MAX);
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

bool tr2_scene_to_float(double value, float *out)
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

tr_status tr2_scene_copy_text(const char *text, char **out, tr_error *error)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy == NULL)
        return out_of_memory(error);
    memcpy(copy, text, size);
    *out = copy;
    return TR_OK;
}

void tr2_scene_destroy(tr2_scene *scene)
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
    free(scene->vertices);
    free(scene->notices);
    free(scene->name);
    free(scene->format);
    free(scene);
}

tr_status tr2_builder_start(tr2_builder *builder, const char *format, tr_error *error)
{
    memset(builder, 0, sizeof *builder);
    tr2_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL)
        return out_of_memory(error);
    tr_status status = tr2_scene_copy_text(format, &scene->format, error);
    if (status != TR_OK) {
        free(scene);
        return status;
    }
    tr2_world_def defaults = tr2_world_def_default();
    scene->gravity = defaults.gravity;
    scene->joint_frequency = defaults.joint_frequency;
    scene->joint_damping_ratio = defaults.joint_damping_ratio;
    scene->direct_load = defaults.direct_load;
    scene->length_unit = defaults.length_unit;
    scene->contacts = tr2_contact_settings_default(scene->length_unit);
    scene->hertz = 60.0;
    scene->substeps = 4;
    builder->scene = scene;
    return TR_OK;
}

/* releases the room beyond the last entry; if realloc fails, the larger block stays valid */
static void *trim(void *array, uint32_t count, size_t size)
{
    if (count == 0) {
        free(array);
        return NULL;
    }
    void *block = realloc(array, count * size);
    return block != NULL ? block : array;
}

tr2_scene *tr2_builder_take(tr2_builder *builder)
{
    tr2_scene *scene = builder->scene;
    scene->bodies = trim(scene->bodies, scene->body_count, sizeof *scene->bodies);
    scene->joints = trim(scene->joints, scene->joint_count, sizeof *scene->joints);
    scene->shapes = trim(scene->shapes, scene->shape_count, sizeof *scene->shapes);
    scene->vertices = trim(scene->vertices, scene->vertex_count, sizeof *scene->vertices);
    scene->notices = trim(scene->notices, scene->notice_count, sizeof *scene->notices);
    memset(builder, 0, sizeof *builder);
    return scene;
}

void tr2_builder_drop(tr2_builder *builder)
{
    tr2_scene_destroy(builder->scene);
    memset(builder, 0, sizeof *builder);
}

/* one function per type of entry, so that realloc's void pointer never aliases a typed pointer */
static tr_status grow_bodies(tr2_builder *builder, uint32_t needed, tr_error *error)
{
    void *array = builder->scene->bodies;
    tr_status status = grow(&array, &builder->body_capacity, needed, sizeof(tr2_scene_body), error);
    builder->scene->bodies = array;
    return status;
}

static tr_status grow_joints(tr2_builder *builder, uint32_t needed, tr_error *error)
{
    void *array = builder->scene->joints;
    tr_status status = grow(&array, &builder->joint_capacity, needed, sizeof(tr2_scene_joint), error);
    builder->scene->joints = array;
    return status;
}

static tr_status grow_shapes(tr2_builder *builder, uint32_t needed, tr_error *error)
{
    void *array = builder->scene->shapes;
    tr_status status = grow(&array, &builder->shape_capacity, needed, sizeof(tr2_scene_shape), error);
    builder->scene->shapes = array;
    return status;
}

static tr_status grow_vertices(tr2_builder *builder, uint32_t needed, tr_error *error)
{
    void *array = builder->scene->vertices;
    tr_status status = grow(&array, &builder->vertex_capacity, needed, sizeof(tr_vec2), error);
    builder->scene->vertices = array;
    return status;
}

tr_status tr2_builder_reserve(tr2_builder *builder, uint32_t bodies, uint32_t joints, uint32_t shapes,
                              uint32_t vertices, tr_error *error)
{
    tr_status status = grow_bodies(builder, bodies, error);
    if (status == TR_OK)
        status = grow_joints(builder, joints, error);
    if (status == TR_OK)
        status = grow_shapes(builder, shapes, error);
    if (status == TR_OK)
        status = grow_vertices(builder, vertices, error);
    return status;
}

tr_status tr2_builder_body(tr2_builder *builder, tr2_scene_body **out, tr_error *error)
{
    tr2_scene *scene = builder->scene;
    tr_status status = grow_bodies(builder, scene->body_count + 1, error);
    if (status != TR_OK)
        return status;
    tr2_scene_body *body = &scene->bodies[scene->body_count++];
    body->def = tr2_body_def_default();
    body->name = NULL;
    *out = body;
    return TR_OK;
}

tr_status tr2_builder_joint(tr2_builder *builder, tr2_joint_type type, tr2_scene_joint **out, tr_error *error)
{
    tr2_scene *scene = builder->scene;
    tr_status status = grow_joints(builder, scene->joint_count + 1, error);
    if (status != TR_OK)
        return status;
    tr2_scene_joint *joint = &scene->joints[scene->joint_count++];
    joint->def = tr2_joint_def_default(type);
    joint->body_a = 0;
    joint->body_b = 0;
    joint->carrier_a = joint->carrier_b = 0;
    joint->name = NULL;
    *out = joint;
    return TR_OK;
}

tr_status tr2_builder_shape(tr2_builder *builder, tr2_scene_shape_type type, uint32_t body, tr2_scene_shape **out,
                            tr_error *error)
{
    tr2_scene *scene = builder->scene;
    tr_status status = grow_shapes(builder, scene->shape_count + 1, error);
    if (status != TR_OK)
        return status;
    tr2_scene_shape *shape = &scene->shapes[scene->shape_count++];
    memset(shape, 0, sizeof *shape);
    shape->type = type;
    shape->body = body;
    shape->filter = tr2_shape_def_default(TR2_CIRCLE).filter;
    shape->contact_events = true;
    shape->first_vertex = scene->vertex_count;
    *out = shape;
    return TR_OK;
}

tr_status tr2_builder_vertex(tr2_builder *builder, tr_vec2 vertex, tr_error *error)
{
    tr2_scene *scene = builder->scene;
    tr_status status = grow_vertices(builder, scene->vertex_count + 1, error);
    if (status != TR_OK)
        return status;
    scene->vertices[scene->vertex_count++] = vertex;
    scene->shapes[scene->shape_count - 1].vertex_count++;
    return TR_OK;
}

tr_status tr2_builder_notice(tr2_builder *builder, tr_error *error, const char *format, ...)
{
    tr2_scene *scene = builder->scene;
    char text[TR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0)
        text[0] = '\0';
    tidy(text);
    for (uint32_t i = 0; i < scene->notice_count; i++)
        if (strcmp(scene->notices[i], text) == 0)
            return TR_OK;

    void *array = scene->notices;
    tr_status status = grow(&array, &builder->notice_capacity, scene->notice_count + 1, sizeof *scene->notices, error);
    scene->notices = array;
    if (status != TR_OK)
        return status;
    char *copy = NULL;
    status = tr2_scene_copy_text(text, &copy, error);
    if (status == TR_OK)
        scene->notices[scene->notice_count++] = copy;
    return status;
}

/*
 * Shape types
 */
const tr2_scene_shape_info tr2_scene_shape_infos[TR2_SCENE_SHAPE_TYPE_COUNT] = {
    [TR2_SCENE_CIRCLE] = {"circle", 1, 1, TR2_CIRCLE},
    [TR2_SCENE_POLYGON] = {"polygon", 3, UINT32_MAX, TR2_POLYGON},
    [TR2_SCENE_CHAIN] = {"chain", 2, UINT32_MAX, TR2_CHAIN_SEGMENT},
    [TR2_SCENE_CAPSULE] = {"capsule", 2, 2, TR2_CAPSULE},
    [TR2_SCENE_SEGMENT] = {"segment", 2, 2, TR2_SEGMENT},
};

bool tr2_scene_shape_is_whole(const tr2_scene *scene, const tr2_scene_shape *shape)
{
    if ((uint32_t)shape->type >= TR2_SCENE_SHAPE_TYPE_COUNT || shape->body >= scene->body_count ||
        shape->first_vertex > scene->vertex_count || shape->vertex_count > scene->vertex_count - shape->first_vertex)
        return false;
    const tr2_scene_shape_info *info = &tr2_scene_shape_infos[shape->type];
    return shape->vertex_count >= info->least && shape->vertex_count <= info->most;
}

/* whether all corners of the counter-clockwise outline turn left; does not detect stars that go round twice */
bool tr2_scene_is_convex(const tr2_scene *scene, const tr2_scene_shape *polygon)
{
    const tr_vec2 *corners = scene->vertices + polygon->first_vertex;
    uint32_t count = polygon->vertex_count;
    if (count > TR2_SHAPE_POINTS)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        tr_vec2 a = corners[i], b = corners[(i + 1) % count], c = corners[(i + 2) % count];
        double turn = ((double)b.x - (double)a.x) * ((double)c.y - (double)b.y) -
                      ((double)b.y - (double)a.y) * ((double)c.x - (double)b.x);
        if (turn < 0.0)
            return false;
    }
    return true;
}

/*
 * Search by name
 */
static bool is_named(const char *name, const char *wanted)
{
    return name != NULL && wanted != NULL && strcmp(name, wanted) == 0;
}

uint32_t tr2_scene_find_body(const tr2_scene *scene, const char *name)
{
    for (uint32_t i = 0; scene != NULL && i < scene->body_count; i++)
        if (is_named(scene->bodies[i].name, name))
            return i;
    return UINT32_MAX;
}

uint32_t tr2_scene_find_joint(const tr2_scene *scene, const char *name)
{
    for (uint32_t i = 0; scene != NULL && i < scene->joint_count; i++)
        if (is_named(scene->joints[i].name, name))
            return i;
    return UINT32_MAX;
}

uint32_t tr2_scene_find_shape(const tr2_scene *scene, const char *name)
{
    for (uint32_t i = 0; scene != NULL && i < scene->shape_count; i++)
        if (is_named(scene->shapes[i].name, name))
            return i;
    return UINT32_MAX;
}
