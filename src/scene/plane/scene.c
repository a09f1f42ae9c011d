/* Scenes of the plane: what their storage has of its own. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "scene/core/storage.h"

const tr2_scene_property tr2_scene_body_properties[] = {
    {"position", TR_SCENE_POINT, offsetof(tr2_body_def, position)},
    {"angle", TR_SCENE_DOUBLE, offsetof(tr2_body_def, angle)},
    {"velocity", TR_SCENE_VECTOR, offsetof(tr2_body_def, velocity)},
    {"center", TR_SCENE_VECTOR, offsetof(tr2_body_def, center)},
    {"angular_velocity", TR_SCENE_FLOAT, offsetof(tr2_body_def, angular_velocity)},
    {"mass", TR_SCENE_FLOAT, offsetof(tr2_body_def, mass)},
    {"inertia", TR_SCENE_FLOAT, offsetof(tr2_body_def, inertia)},
    {"gravity_scale", TR_SCENE_FLOAT, offsetof(tr2_body_def, gravity_scale)},
    {"linear_damping", TR_SCENE_FLOAT, offsetof(tr2_body_def, linear_damping)},
    {"angular_damping", TR_SCENE_FLOAT, offsetof(tr2_body_def, angular_damping)},
    {"fixed_rotation", TR_SCENE_BOOL, offsetof(tr2_body_def, fixed_rotation)},
    {"bullet", TR_SCENE_BOOL, offsetof(tr2_body_def, bullet)},
    {"enabled", TR_SCENE_BOOL, offsetof(tr2_body_def, enabled)},
    {"direct", TR_SCENE_BOOL, offsetof(tr2_body_def, direct)},
    {"allow_sleep", TR_SCENE_BOOL, offsetof(tr2_body_def, allow_sleep)},
    {"awake", TR_SCENE_BOOL, offsetof(tr2_body_def, awake)},
    {"sleep_scale", TR_SCENE_FLOAT, offsetof(tr2_body_def, sleep_scale)},
};
const uint32_t tr2_scene_body_property_count =
    (uint32_t)(sizeof tr2_scene_body_properties / sizeof tr2_scene_body_properties[0]);
_Static_assert(sizeof tr2_scene_body_properties / sizeof tr2_scene_body_properties[0] <= TR_SCENE_PROPERTIES,
               "room for all keys");

void tr2_scene_preset(tr2_scene *scene)
{
    scene->contacts = tr2_contact_settings_default(scene->length_unit);
}

void tr2_scene_preset_shape(const tr2_scene *scene, tr2_scene_shape *shape)
{
    shape->filter = tr2_shape_def_default(TR2_CIRCLE).filter;
    shape->contact_events = true;
    shape->first_vertex = scene->vertex_count;
}

void tr2_scene_free_own(tr2_scene *scene)
{
    free(scene->vertices);
}

void tr2_scene_trim_own(tr2_scene *scene)
{
    scene->vertices = tr_scene_trim(scene->vertices, scene->vertex_count, sizeof *scene->vertices);
}

tr_status tr2_scene_check_own(const tr2_scene *scene, tr_error *error)
{
    const tr2_contact_settings *contacts = &scene->contacts;
    if ((uint32_t)contacts->friction_mixing >= TR2_MIXING_COUNT ||
        (uint32_t)contacts->restitution_mixing >= TR2_MIXING_COUNT)
        return tr_scene_fail(error, TR_ERROR_RANGE,
                             "world: contacts.friction_mixing or contacts.restitution_mixing is out of range");
    return TR_OK;
}

tr_status tr2_scene_set_own(const tr2_scene *scene, tr2_world *world)
{
    return tr2_world_set_contact_settings(world, &scene->contacts);
}

/*
 * Vertices
 */
tr_status tr2_builder_reserve_vertices(tr2_builder *builder, uint32_t count, tr_error *error)
{
    void *array = builder->scene->vertices;
    tr_status status = tr_scene_grow(&array, &builder->vertex_capacity, count, sizeof(tr_vec2), error);
    builder->scene->vertices = array;
    return status;
}

tr_status tr2_builder_vertex(tr2_builder *builder, tr_vec2 vertex, tr_error *error)
{
    tr2_scene *scene = builder->scene;
    tr_status status = tr2_builder_reserve_vertices(builder, scene->vertex_count + 1, error);
    if (status != TR_OK)
        return status;
    scene->vertices[scene->vertex_count++] = vertex;
    scene->shapes[scene->shape_count - 1].vertex_count++;
    return TR_OK;
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

const char *tr2_scene_shape_type_name(uint32_t type)
{
    return tr2_scene_shape_infos[type].name;
}

/*
 * Capture
 */
static tr_status add_shape(const tr2_world *world, tr2_builder *builder, const uint32_t *place, tr2_shape id,
                           tr_error *error)
{
    tr2_shape_def def;
    tr2_scene_shape *shape;
    uint32_t type = 0;
    tr_status status = tr2_shape_get(world, id, &def);
    while (status == TR_OK && tr2_scene_shape_infos[type].kind != def.kind)
        type++;
    if (status == TR_OK)
        status = tr2_builder_shape(builder, (tr2_scene_shape_type)type, place[def.body.index], &shape, error);
    if (status != TR_OK)
        return status;
    shape->radius = def.radius;
    /* a single chain segment becomes a chain of one segment */
    shape->one_sided = def.kind == TR2_CHAIN_SEGMENT;
    shape->has_before = def.has_before;
    shape->has_after = def.has_after;
    shape->before = def.before;
    shape->after = def.after;
    shape->sensor = def.sensor;
    shape->density = def.density;
    shape->friction = def.surface.friction;
    shape->restitution = def.surface.restitution;
    shape->rolling_resistance = def.surface.rolling_resistance;
    shape->tangent_speed = def.surface.tangent_speed;
    shape->filter = def.filter;
    shape->contact_events = def.contact_events;
    shape->hit_events = def.hit_events;
    shape->custom_filter = def.custom_filter;
    shape->user_data = def.user_data;
    for (uint32_t i = 0; i < def.point_count && status == TR_OK; i++)
        status = tr2_builder_vertex(builder, def.point[i], error);
    return status;
}

tr_status tr2_scene_capture_own(const tr2_world *world, tr2_builder *builder, const uint32_t *place, tr_error *error)
{
    tr2_shape_view shapes = tr2_world_shapes(world);
    builder->scene->contacts = tr2_world_contact_settings(world);
    builder->scene->collide = shapes.count > 0;
    /* one entry more than needed, so that null always means out of memory */
    tr2_shape *ids = calloc((size_t)shapes.count + 1, sizeof *ids);
    if (ids == NULL)
        return tr_scene_fail(error, TR_ERROR_MEMORY, "not enough memory to capture the world");
    if (shapes.count > 0)
        memcpy(ids, shapes.id, shapes.count * sizeof *ids);
    qsort(ids, shapes.count, sizeof *ids, tr_scene_by_slot);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < shapes.count && status == TR_OK; i++)
        status = add_shape(world, builder, place, ids[i], error);
    free(ids);
    return status;
}
