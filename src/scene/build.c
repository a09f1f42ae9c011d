/* Builds a scene into a world: creates its bodies, joints and shapes, all or nothing. */
#include "scene/storage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/plane/take_back.h"

typedef struct batches {
    tr2_body_def *body_defs;
    tr2_joint_def *joint_defs;
    tr2_body *bodies;
    tr2_joint *joints;
    tr2_shape *shapes;
} batches;

static void free_batches(batches *b)
{
    free(b->body_defs);
    free(b->joint_defs);
    free(b->bodies);
    free(b->joints);
    free(b->shapes);
}

/* each array has room for at least one entry, so that null always means out of memory */
static bool make_batches(const tr2_scene *scene, batches *b)
{
    size_t bodies = (size_t)scene->body_count + 1, joints = (size_t)scene->joint_count + 1;
    b->body_defs = calloc(bodies, sizeof *b->body_defs);
    b->joint_defs = calloc(joints, sizeof *b->joint_defs);
    b->bodies = calloc(bodies, sizeof *b->bodies);
    b->joints = calloc(joints, sizeof *b->joints);
    b->shapes = calloc((size_t)tr2_scene_shape_id_count(scene) + 1, sizeof *b->shapes);
    return b->body_defs != NULL && b->joint_defs != NULL && b->bodies != NULL && b->joints != NULL && b->shapes != NULL;
}

static void fill_joint_defs(const tr2_scene *scene, batches *b)
{
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        b->joint_defs[i] = scene->joints[i].def;
        b->joint_defs[i].body_a = b->bodies[scene->joints[i].body_a];
        b->joint_defs[i].body_b = b->bodies[scene->joints[i].body_b];
        const tr2_body world = {0, 0, 0};
        uint32_t carrier_a = scene->joints[i].carrier_a, carrier_b = scene->joints[i].carrier_b;
        b->joint_defs[i].carrier_a = carrier_a > 0 ? b->bodies[carrier_a - 1] : world;
        b->joint_defs[i].carrier_b = carrier_b > 0 ? b->bodies[carrier_b - 1] : world;
    }
}

/* strips the call and the argument from the world's message: they name the library's API, not the scene */
static const char *bare(const char *message)
{
    const char *colon = strstr(message, ": ");
    const char *sentence = colon != NULL ? colon + 2 : message;
    return strncmp(sentence, "def.", 4) == 0 ? sentence + 4 : sentence;
}

/* our own format has one list entry for each body and joint of the scene; other formats may differ */
static bool is_own(const tr2_scene *scene)
{
    return scene->format != NULL && strcmp(scene->format, "trammel") == 0;
}

/* reports e.g. `joints[3] "left knee": motor.maximum is -1`, with the path and the name of the file */
static tr_status name_culprit(const tr2_scene *scene, bool is_body, uint32_t index, const tr_error *cause,
                              tr_error *error)
{
    const char *name = is_body ? scene->bodies[index].name : scene->joints[index].name;
    char place[32];
    if (is_own(scene))
        snprintf(place, sizeof place, "%s[%u]", is_body ? "bodies" : "joints", index);
    else
        snprintf(place, sizeof place, "%s %u", is_body ? "body" : "joint", index);
    if (name != NULL)
        return tr2_scene_fail(error, cause->status, "%s \"%.40s\": %s", place, name, bare(cause->message));
    return tr2_scene_fail(error, cause->status, "%s: %s", place, bare(cause->message));
}

/*
 * Finds the first bad definition after a batch was refused: creates the definitions one by one in a scratch world. If
 * the cause was memory, or all of them succeed (it was a limit), the batch's own error stands. A joint is destroyed
 * before the next is created, because a joint between bodies that have many others takes time in proportion to those.
 */
static tr_status diagnose(const tr2_scene *scene, batches *b, const tr_error *cause, tr_error *error)
{
    tr_status status = tr2_scene_fail(error, cause->status, "%s", cause->message);
    tr2_world_def def = tr2_world_def_default();
    def.threads = 1;
    tr2_world *world = NULL;
    if (error == NULL || cause->status == TR_ERROR_MEMORY || tr2_world_create(&def, &world, NULL) != TR_OK)
        return status;
    bool found = false;
    for (uint32_t i = 0; i < scene->body_count && !found; i++) {
        found = tr2_world_create_body(world, &b->body_defs[i], &b->bodies[i]) != TR_OK;
        if (found)
            status = name_culprit(scene, true, i, tr2_world_last_error(world), error);
    }
    if (!found)
        fill_joint_defs(scene, b);
    for (uint32_t i = 0; i < scene->joint_count && !found; i++) {
        tr2_joint joint;
        found = tr2_world_create_joint(world, &b->joint_defs[i], &joint) != TR_OK;
        if (found)
            status = name_culprit(scene, false, i, tr2_world_last_error(world), error);
        else
            (void)tr2_world_destroy_joint(world, joint);
    }
    tr2_world_destroy(world);
    return status;
}

/* reports e.g. `world.contacts.frequency is zero`: a world's `settings` are a scene's `contacts` */
static tr_status name_setting(const tr2_scene *scene, const tr_error *cause, tr_error *error)
{
    static const char argument[] = "settings.";
    const char *message = bare(cause->message), *separator = is_own(scene) ? "." : ": ";
    size_t length = sizeof argument - 1;
    if (strncmp(message, argument, length) == 0)
        return tr2_scene_fail(error, cause->status, "world%scontacts.%s", separator, message + length);
    return tr2_scene_fail(error, cause->status, "world%s%s", separator, message);
}

static tr_status set_numbers(const tr2_scene *scene, tr2_world *world)
{
    tr_status status = tr2_world_set_gravity(world, scene->gravity);
    if (status == TR_OK)
        status = tr2_world_set_method(world, scene->method, scene->sweeps);
    if (status == TR_OK)
        status = tr2_world_set_joint_softness(world, scene->joint_frequency, scene->joint_damping_ratio);
    if (status == TR_OK)
        status = tr2_world_set_direct_load(world, scene->direct_load);
    if (status == TR_OK)
        status = tr2_world_set_breaking(world, scene->breaking);
    if (status == TR_OK)
        status = tr2_world_set_contact_settings(world, &scene->contacts);
    return status;
}

/* tries the scene's numbers on an empty world: a bad one is found before anything is created */
static tr_status try_numbers(const tr2_scene *scene, tr_error *error)
{
    tr2_world_def def = tr2_world_def_default();
    tr2_world *trial;
    tr_error cause;
    def.threads = 1;
    def.length_unit = scene->length_unit;
    tr_status status = tr2_world_create(&def, &trial, &cause);
    if (status != TR_OK)
        return tr2_scene_fail(error, status, "%s", cause.message);
    status = set_numbers(scene, trial);
    if (status != TR_OK)
        (void)name_setting(scene, tr2_world_last_error(trial), error);
    tr2_world_destroy(trial);
    return status;
}

static tr_status check_references(const tr2_scene *scene, tr_error *error)
{
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const tr2_scene_joint *joint = &scene->joints[i];
        const uint32_t bodies[] = {joint->body_a, joint->body_b, joint->carrier_a > 0 ? joint->carrier_a - 1 : 0,
                                   joint->carrier_b > 0 ? joint->carrier_b - 1 : 0};
        for (size_t k = 0; k < sizeof bodies / sizeof bodies[0]; k++) {
            if (bodies[k] >= scene->body_count)
                return tr2_scene_fail(error, TR_ERROR_RANGE, "joint %u: there is no body %u; the scene has %u", i,
                                      bodies[k], scene->body_count);
        }
    }
    return TR_OK;
}

/* Makes everything, or leaves the world as it was. The numbers, which cannot fail any more, come last. */
static tr_status build_batches(const tr2_scene *scene, tr2_world *world, batches *b, tr_error *error)
{
    tr2_mark mark = tr2_mark_of(world);
    tr_error cause;
    for (uint32_t i = 0; i < scene->body_count; i++)
        b->body_defs[i] = scene->bodies[i].def;
    tr_status status = tr2_world_create_bodies(world, b->body_defs, scene->body_count, b->bodies);
    if (status != TR_OK) {
        cause = *tr2_world_last_error(world);
        return diagnose(scene, b, &cause, error);
    }
    fill_joint_defs(scene, b);
    status = tr2_world_create_joints(world, b->joint_defs, scene->joint_count, b->joints);
    if (status != TR_OK) {
        cause = *tr2_world_last_error(world);
        tr2_world_take_back(world, mark, b->bodies, scene->body_count, NULL, 0);
        return diagnose(scene, b, &cause, error);
    }
    if (scene->collide)
        status = tr2_scene_add_shapes(scene, world, b->bodies, b->shapes, error);
    if (status != TR_OK) {
        tr2_world_take_back(world, mark, b->bodies, scene->body_count, b->joints, scene->joint_count);
        return status;
    }
    return set_numbers(scene, world);
}

/* a world's length unit is fixed, unlike its other settings */
static tr_status check_length_unit(const tr2_scene *scene, const tr2_world *world, tr_error *error)
{
    tr2_world_def def;
    tr_status status = tr2_world_get(world, &def);
    if (status == TR_OK && def.length_unit != scene->length_unit)
        status = tr2_scene_fail(error, TR_ERROR_RANGE, "world%slength_unit is %g, but the world has %g",
                                is_own(scene) ? "." : ": ", (double)scene->length_unit, (double)def.length_unit);
    return status;
}

tr_status tr2_scene_build(const tr2_scene *scene, tr2_world *world, tr2_body *bodies, tr2_joint *joints,
                          tr_error *error)
{
    return tr2_scene_build_shapes(scene, world, bodies, joints, NULL, error);
}

tr_status tr2_scene_build_shapes(const tr2_scene *scene, tr2_world *world, tr2_body *bodies, tr2_joint *joints,
                                 tr2_shape *shapes, tr_error *error)
{
    if (scene == NULL || world == NULL)
        return tr2_scene_fail(error, TR_ERROR_NULL, "tr2_scene_build: `scene` and `world` must not be null");
    tr_status status = check_length_unit(scene, world, error);
    if (status == TR_OK)
        status = check_references(scene, error);
    if (status == TR_OK)
        status = try_numbers(scene, error);
    if (status != TR_OK)
        return status;
    batches b = {NULL, NULL, NULL, NULL, NULL};
    if (!make_batches(scene, &b)) {
        free_batches(&b);
        return tr2_scene_fail(error, TR_ERROR_MEMORY, "not enough memory to build the scene");
    }

    status = build_batches(scene, world, &b, error);
    for (uint32_t i = 0; status == TR_OK && i < scene->body_count && bodies != NULL; i++)
        bodies[i] = b.bodies[i];
    for (uint32_t i = 0; status == TR_OK && i < scene->joint_count && joints != NULL; i++)
        joints[i] = b.joints[i];
    if (status == TR_OK && shapes != NULL)
        memcpy(shapes, b.shapes, (size_t)tr2_scene_shape_id_count(scene) * sizeof *shapes);
    free_batches(&b);
    return status;
}
