/* Captures the current state of a world as a scene, in the order of its slots. */
#include <stdlib.h>
#include <string.h>

#include "scene/core/storage.h"

/* The world's ids in order of slots, and the scene index of the body in each slot. */
typedef struct captured {
    const trn_world *world;
    trn_body *bodies;
    trn_joint *joints;
    uint32_t body_count, joint_count;
    uint32_t *place; /* of body slots + 1; [0] is not used */
} captured;

static void free_captured(captured *it)
{
    free(it->bodies);
    free(it->joints);
    free(it->place);
}

/* false: a view has fewer rows than there are joints, because it found no memory for them */
static bool list_joints(captured *it, const tr_statistics *statistics)
{
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++) {
        trn_joint_view view = trn_world_joints(it->world, (trn_joint_type)type);
        if (view.count != statistics->joints_of_type[type])
            return false;
        if (view.count > 0)
            memcpy(it->joints + it->joint_count, view.id, view.count * sizeof *view.id);
        it->joint_count += view.count;
    }
    qsort(it->joints, it->joint_count, sizeof *it->joints, tr_scene_by_slot);
    return true;
}

static bool list_all(captured *it)
{
    tr_statistics statistics = trn_world_statistics(it->world);
    trn_body_view bodies = trn_world_bodies(it->world);
    /* one entry more than needed, so that null always means out of memory */
    it->bodies = calloc((size_t)statistics.bodies + 1, sizeof *it->bodies);
    it->joints = calloc((size_t)statistics.joints + 1, sizeof *it->joints);
    if (bodies.count != statistics.bodies || it->bodies == NULL || it->joints == NULL)
        return false;
    it->body_count = bodies.count;
    if (bodies.count > 0)
        memcpy(it->bodies, bodies.id, bodies.count * sizeof *bodies.id);
    qsort(it->bodies, it->body_count, sizeof *it->bodies, tr_scene_by_slot);
    uint32_t slots = it->body_count > 0 ? it->bodies[it->body_count - 1].index : 0;
    it->place = calloc((size_t)slots + 1, sizeof *it->place);
    for (uint32_t i = 0; i < it->body_count && it->place != NULL; i++)
        it->place[it->bodies[i].index] = i;
    return it->place != NULL && list_joints(it, &statistics);
}

static tr_status add_body(const captured *it, trn_builder *builder, trn_body id, tr_error *error)
{
    trn_scene_body *body;
    tr_status status = trn_builder_body(builder, &body, error);
    return status == TR_OK ? trn_body_get(it->world, id, &body->def) : status;
}

static tr_status add_joint(const captured *it, trn_builder *builder, trn_joint id, tr_error *error)
{
    const trn_body none = {0, 0, 0};
    trn_joint_def def;
    trn_scene_joint *joint;
    tr_status status = trn_joint_get(it->world, id, &def);
    if (status == TR_OK)
        status = trn_builder_joint(builder, def.type, &joint, error);
    if (status != TR_OK)
        return status;
    joint->body_a = it->place[def.body_a.index];
    joint->body_b = it->place[def.body_b.index];
    for (uint32_t end = 0; end < 2; end++) {
        trn_body *carrier = trn_scene_carrier_id(&def, end);
        if (carrier == NULL)
            continue;
        *trn_scene_carrier(joint, end) = carrier->index != 0 ? it->place[carrier->index] + 1 : 0;
        *carrier = none;
    }
    def.body_a = def.body_b = none;
    joint->def = def;
    return TR_OK;
}

static tr_status add_all(const captured *it, trn_builder *builder, tr_error *error)
{
    trn_world_def settings;
    trn_scene *scene = builder->scene;
    tr_status status = trn_world_get(it->world, &settings);
    scene->gravity = settings.gravity;
    scene->method = settings.method;
    scene->sweeps = settings.sweeps;
    scene->joint_frequency = settings.joint_frequency;
    scene->joint_damping_ratio = settings.joint_damping_ratio;
    scene->direct_load = settings.direct_load;
    scene->length_unit = settings.length_unit;
    scene->breaking = settings.breaking;
    scene->sleep = settings.sleep;
    for (uint32_t i = 0; i < it->body_count && status == TR_OK; i++)
        status = add_body(it, builder, it->bodies[i], error);
    for (uint32_t i = 0; i < it->joint_count && status == TR_OK; i++)
        status = add_joint(it, builder, it->joints[i], error);
    return status == TR_OK ? trn_scene_capture_own(it->world, builder, it->place, error) : status;
}

tr_status trn_scene_capture(const trn_world *world, trn_scene **out, tr_error *error)
{
    if (world == NULL || out == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "%s: `world` and `out` must not be null", __func__);
    captured it = {.world = world};
    trn_builder builder;
    tr_status status = trn_builder_start(&builder, "trammel", error);
    if (status != TR_OK)
        return status;
    if (list_all(&it))
        status = add_all(&it, &builder, error);
    else
        status = tr_scene_fail(error, TR_ERROR_MEMORY, "not enough memory to capture the world");
    free_captured(&it);
    if (status != TR_OK) {
        trn_builder_drop(&builder);
        return status;
    }
    *out = trn_builder_take(&builder);
    return TR_OK;
}
