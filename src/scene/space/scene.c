/* Scenes in space: what their storage has of its own. */
#include <stddef.h>

#include "scene/core/storage.h"

const tr3_scene_property tr3_scene_body_properties[] = {
    {"position", TR_SCENE_POINT, offsetof(tr3_body_def, position)},
    {"rotation", TR_SCENE_ROTATION, offsetof(tr3_body_def, rotation)},
    {"velocity", TR_SCENE_VECTOR, offsetof(tr3_body_def, velocity)},
    {"angular_velocity", TR_SCENE_VECTOR, offsetof(tr3_body_def, angular_velocity)},
    {"center", TR_SCENE_VECTOR, offsetof(tr3_body_def, center)},
    {"mass", TR_SCENE_FLOAT, offsetof(tr3_body_def, mass)},
    {"inertia", TR_SCENE_TENSOR, offsetof(tr3_body_def, inertia)},
    {"gravity_scale", TR_SCENE_FLOAT, offsetof(tr3_body_def, gravity_scale)},
    {"linear_damping", TR_SCENE_FLOAT, offsetof(tr3_body_def, linear_damping)},
    {"angular_damping", TR_SCENE_FLOAT, offsetof(tr3_body_def, angular_damping)},
    {"fixed_rotation", TR_SCENE_BOOL, offsetof(tr3_body_def, fixed_rotation)},
    {"enabled", TR_SCENE_BOOL, offsetof(tr3_body_def, enabled)},
    {"direct", TR_SCENE_BOOL, offsetof(tr3_body_def, direct)},
    {"allow_sleep", TR_SCENE_BOOL, offsetof(tr3_body_def, allow_sleep)},
    {"awake", TR_SCENE_BOOL, offsetof(tr3_body_def, awake)},
    {"sleep_scale", TR_SCENE_FLOAT, offsetof(tr3_body_def, sleep_scale)},
};
const uint32_t tr3_scene_body_property_count =
    (uint32_t)(sizeof tr3_scene_body_properties / sizeof tr3_scene_body_properties[0]);
_Static_assert(sizeof tr3_scene_body_properties / sizeof tr3_scene_body_properties[0] <= TR_SCENE_PROPERTIES,
               "room for all keys");

static const char *const shape_names[TR3_SCENE_SHAPE_TYPE_COUNT] = {
    [TR3_SCENE_SPHERE] = "sphere",
    [TR3_SCENE_CAPSULE] = "capsule",
    [TR3_SCENE_CYLINDER] = "cylinder",
    [TR3_SCENE_BOX] = "box",
};

const char *tr3_scene_shape_type_name(uint32_t type)
{
    return shape_names[type];
}

bool tr3_scene_shape_is_whole(const tr3_scene *scene, const tr3_scene_shape *shape)
{
    return (uint32_t)shape->type < TR3_SCENE_SHAPE_TYPE_COUNT && shape->body < scene->body_count;
}

/* the solver has no settings of its own in space, and a scene no array */
void tr3_scene_preset(tr3_scene *scene)
{
    (void)scene;
}

void tr3_scene_preset_shape(const tr3_scene *scene, tr3_scene_shape *shape)
{
    (void)scene;
    shape->rotation.w = 1.0f;
    shape->density = 1000.0f;
}

void tr3_scene_free_own(tr3_scene *scene)
{
    (void)scene;
}

void tr3_scene_trim_own(tr3_scene *scene)
{
    (void)scene;
}

tr_status tr3_scene_check_own(const tr3_scene *scene, tr_error *error)
{
    (void)scene;
    (void)error;
    return TR_OK;
}

tr_status tr3_scene_set_own(const tr3_scene *scene, tr3_world *world)
{
    (void)scene;
    (void)world;
    return TR_OK;
}

tr_status tr3_scene_capture_own(const tr3_world *world, tr3_builder *builder, const uint32_t *place, tr_error *error)
{
    (void)world;
    (void)builder;
    (void)place;
    (void)error;
    return TR_OK;
}

tr_status tr3_scene_build(const tr3_scene *scene, tr3_world *world, tr3_body *bodies, tr3_joint *joints,
                          tr_error *error)
{
    return tr3_scene_build_with(scene, world, bodies, joints, NULL, NULL, error);
}
