/* Captures the current state of a world as a scene, in the order of its slots. */
#include <stdlib.h>
#include <string.h>

#include "scene/storage.h"
#include "trammel/statistics2.h"

/* The world's ids in order of slots, and the scene index of the body in each slot. */
typedef struct captured {
    const tr2_world *world;
    tr2_body *bodies;
    tr2_joint *joints;
    tr2_shape *shapes;
    uint32_t body_count, joint_count, shape_count;
    uint32_t *place; /* of body slots + 1; [0] is not used */
} captured;

static void free_captured(captured *it)
{
    free(it->bodies);
    free(it->joints);
    free(it->shapes);
    free(it->place);
}

/* an id begins with its slot */
static int by_slot(const void *a, const void *b)
{
    uint32_t one, other;
    memcpy(&one, a, sizeof one);
    memcpy(&other, b, sizeof other);
    return (one > other) - (one < other);
}

/* false: a view has fewer rows than there are joints, because it found no memory for them */
static bool list_joints(captured *it, const tr_statistics *statistics)
{
    for (uint32_t type = 0; type < TR2_JOINT_TYPE_COUNT; type++) {
        tr2_joint_view view = tr2_world_joints(it->world, (tr2_joint_type)type);
        if (view.count != statistics->joints_of_type[type])
            return false;
        if (view.count > 0)
            memcpy(it->joints + it->joint_count, view.id, view.count * sizeof *view.id);
        it->joint_count += view.count;
    }
    qsort(it->joints, it->joint_count, sizeof *it->joints, by_slot);
    return true;
}

static bool list_all(captured *it)
{
    tr_statistics statistics = tr2_world_statistics(it->world);
    tr2_body_view bodies = tr2_world_bodies(it->world);
    tr2_shape_view shapes = tr2_world_shapes(it->world);
    /* one entry more than needed, so that null always means out of memory */
    it->bodies = calloc((size_t)statistics.bodies + 1, sizeof *it->bodies);
    it->joints = calloc((size_t)statistics.joints + 1, sizeof *it->joints);
    it->shapes = calloc((size_t)shapes.count + 1, sizeof *it->shapes);
    if (bodies.count != statistics.bodies || it->bodies == NULL || it->joints == NULL || it->shapes == NULL)
        return false;
    it->body_count = bodies.count;
    it->shape_count = shapes.count;
    if (bodies.count > 0)
        memcpy(it->bodies, bodies.id, bodies.count * sizeof *bodies.id);
    if (shapes.count > 0)
        memcpy(it->shapes, shapes.id, shapes.count * sizeof *shapes.id);
    qsort(it->bodies, it->body_count, sizeof *it->bodies, by_slot);
    qsort(it->shapes, it->shape_count, sizeof *it->shapes, by_slot);
    uint32_t slots = it->body_count > 0 ? it->bodies[it->body_count - 1].index : 0;
    it->place = calloc((size_t)slots + 1, sizeof *it->place);
    for (uint32_t i = 0; i < it->body_count && it->place != NULL; i++)
        it->place[it->bodies[i].index] = i;
    return it->place != NULL && list_joints(it, &statistics);
}

static tr_status add_body(const captured *it, tr2_builder *builder, tr2_body id, tr_error *error)
{
    tr2_scene_body *body;
    tr_status status = tr2_builder_body(builder, &body, error);
    return status == TR_OK ? tr2_body_get(it->world, id, &body->def) : status;
}

static tr_status add_joint(const captured *it, tr2_builder *builder, tr2_joint id, tr_error *error)
{
    const tr2_body none = {0, 0, 0};
    tr2_joint_def def;
    tr2_scene_joint *joint;
    tr_status status = tr2_joint_get(it->world, id, &def);
    if (status == TR_OK)
        status = tr2_builder_joint(builder, def.type, &joint, error);
    if (status != TR_OK)
        return status;
    joint->body_a = it->place[def.body_a.index];
    joint->body_b = it->place[def.body_b.index];
    joint->carrier_a = def.carrier_a.index != 0 ? it->place[def.carrier_a.index] + 1 : 0;
    joint->carrier_b = def.carrier_b.index != 0 ? it->place[def.carrier_b.index] + 1 : 0;
    def.body_a = def.body_b = def.carrier_a = def.carrier_b = none;
    joint->def = def;
    return TR_OK;
}

static tr_status add_shape(const captured *it, tr2_builder *builder, tr2_shape id, tr_error *error)
{
    tr2_shape_def def;
    tr2_scene_shape *shape;
    uint32_t type = 0;
    tr_status status = tr2_shape_get(it->world, id, &def);
    while (status == TR_OK && tr2_scene_shape_infos[type].kind != def.kind)
        type++;
    if (status == TR_OK)
        status = tr2_builder_shape(builder, (tr2_scene_shape_type)type, it->place[def.body.index], &shape, error);
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

static tr_status add_all(const captured *it, tr2_builder *builder, tr_error *error)
{
    tr2_world_def settings;
    tr2_scene *scene = builder->scene;
    tr_status status = tr2_world_get(it->world, &settings);
    scene->gravity = settings.gravity;
    scene->method = settings.method;
    scene->sweeps = settings.sweeps;
    scene->joint_frequency = settings.joint_frequency;
    scene->joint_damping_ratio = settings.joint_damping_ratio;
    scene->direct_load = settings.direct_load;
    scene->length_unit = settings.length_unit;
    scene->breaking = settings.breaking;
    scene->contacts = tr2_world_contact_settings(it->world);
    scene->collide = it->shape_count > 0;
    for (uint32_t i = 0; i < it->body_count && status == TR_OK; i++)
        status = add_body(it, builder, it->bodies[i], error);
    for (uint32_t i = 0; i < it->joint_count && status == TR_OK; i++)
        status = add_joint(it, builder, it->joints[i], error);
    for (uint32_t i = 0; i < it->shape_count && status == TR_OK; i++)
        status = add_shape(it, builder, it->shapes[i], error);
    return status;
}

tr_status tr2_scene_capture(const tr2_world *world, tr2_scene **out, tr_error *error)
{
    if (world == NULL || out == NULL)
        return tr2_scene_fail(error, TR_ERROR_NULL, "tr2_scene_capture: `world` and `out` must not be null");
    captured it = {.world = world};
    tr2_builder builder;
    tr_status status = tr2_builder_start(&builder, "trammel", error);
    if (status != TR_OK)
        return status;
    if (list_all(&it))
        status = add_all(&it, &builder, error);
    else
        status = tr2_scene_fail(error, TR_ERROR_MEMORY, "not enough memory to capture the world");
    free_captured(&it);
    if (status != TR_OK) {
        tr2_builder_drop(&builder);
        return status;
    }
    *out = tr2_builder_take(&builder);
    return TR_OK;
}
