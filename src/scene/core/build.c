/* Builds a scene into a world: creates its bodies and joints, all or nothing. */
#include "scene/core/storage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/core/measure.h"
#include "world/core/take_back.h"

typedef struct batches {
    trn_body_def *body_defs;
    trn_joint_def *joint_defs;
    trn_body *bodies;
    trn_joint *joints;
} batches;

static void free_batches(batches *b)
{
    free(b->body_defs);
    free(b->joint_defs);
    free(b->bodies);
    free(b->joints);
}

/* each array has room for at least one entry, so that null always means out of memory */
static bool make_batches(const trn_scene *scene, batches *b)
{
    size_t bodies = (size_t)scene->body_count + 1, joints = (size_t)scene->joint_count + 1;
    b->body_defs = calloc(bodies, sizeof *b->body_defs);
    b->joint_defs = calloc(joints, sizeof *b->joint_defs);
    b->bodies = calloc(bodies, sizeof *b->bodies);
    b->joints = calloc(joints, sizeof *b->joints);
    return b->body_defs != NULL && b->joint_defs != NULL && b->bodies != NULL && b->joints != NULL;
}

/* the definition of a scene's joint between these bodies */
static void fill_joint_def(const trn_scene *scene, uint32_t joint, const trn_body *bodies, trn_joint_def *out)
{
    trn_scene_joint *from = &scene->joints[joint];
    *out = from->def;
    out->body_a = bodies[from->body_a];
    out->body_b = bodies[from->body_b];
    for (uint32_t end = 0; end < 2; end++) {
        const uint32_t *carrier = trn_scene_carrier(from, end);
        if (carrier != NULL)
            *trn_scene_carrier_id(out, end) = *carrier > 0 ? bodies[*carrier - 1] : (trn_body){0, 0, 0};
    }
}

static void fill_joint_defs(const trn_scene *scene, batches *b)
{
    for (uint32_t i = 0; i < scene->joint_count; i++)
        fill_joint_def(scene, i, b->bodies, &b->joint_defs[i]);
}

/* strips the call and the argument from the world's message: they name the library's API, not the scene */
static const char *bare(const char *message)
{
    const char *colon = strstr(message, ": ");
    const char *sentence = colon != NULL ? colon + 2 : message;
    return strncmp(sentence, "def.", 4) == 0 ? sentence + 4 : sentence;
}

/* our own format has one list entry for each body and joint of the scene; other formats may differ */
static bool is_own(const trn_scene *scene)
{
    return scene->format != NULL && strcmp(scene->format, "trammel") == 0;
}

/* reports e.g. `joints[3] "left knee": motor.maximum is -1`, with the path and the name of the file */
static tr_status name_culprit(const trn_scene *scene, bool is_body, uint32_t index, const tr_error *cause,
                              tr_error *error)
{
    const char *name = is_body ? scene->bodies[index].name : scene->joints[index].name;
    char place[32];
    if (is_own(scene))
        snprintf(place, sizeof place, "%s[%u]", is_body ? "bodies" : "joints", index);
    else
        snprintf(place, sizeof place, "%s %u", is_body ? "body" : "joint", index);
    if (name != NULL)
        return tr_scene_fail(error, cause->status, "%s \"%.40s\": %s", place, name, bare(cause->message));
    return tr_scene_fail(error, cause->status, "%s: %s", place, bare(cause->message));
}

/*
 * Finds the first bad definition after a batch was refused: creates the definitions one by one in a scratch world. If
 * the cause was memory, or all of them succeed (it was a limit), the batch's own error stands. A joint is destroyed
 * before the next is created, because a joint between bodies that have many others takes time in proportion to those.
 */
static tr_status diagnose(const trn_scene *scene, batches *b, const tr_error *cause, tr_error *error)
{
    tr_status status = tr_scene_fail(error, cause->status, "%s", cause->message);
    trn_world_def def = trn_world_def_default();
    def.threads = 1;
    trn_world *world = NULL;
    if (error == NULL || cause->status == TR_ERROR_MEMORY || trn_world_create(&def, &world, NULL) != TR_OK)
        return status;
    bool found = false;
    for (uint32_t i = 0; i < scene->body_count && !found; i++) {
        found = trn_world_create_body(world, &b->body_defs[i], &b->bodies[i]) != TR_OK;
        if (found)
            status = name_culprit(scene, true, i, trn_world_last_error(world), error);
    }
    if (!found)
        fill_joint_defs(scene, b);
    for (uint32_t i = 0; i < scene->joint_count && !found; i++) {
        trn_joint joint;
        found = trn_world_create_joint(world, &b->joint_defs[i], &joint) != TR_OK;
        if (found)
            status = name_culprit(scene, false, i, trn_world_last_error(world), error);
        else
            (void)trn_world_destroy_joint(world, joint);
    }
    trn_world_destroy(world);
    return status;
}

/* reports e.g. `world.contacts.frequency is zero`: a world's `settings` are a scene's `contacts` */
static tr_status name_setting(const trn_scene *scene, const tr_error *cause, tr_error *error)
{
    static const char argument[] = "settings.";
    const char *message = bare(cause->message), *separator = is_own(scene) ? "." : ": ";
    size_t length = sizeof argument - 1;
    if (strncmp(message, argument, length) == 0)
        return tr_scene_fail(error, cause->status, "world%scontacts.%s", separator, message + length);
    return tr_scene_fail(error, cause->status, "world%s%s", separator, message);
}

static tr_status set_numbers(const trn_scene *scene, trn_world *world)
{
    tr_status status = trn_world_set_gravity(world, scene->gravity);
    if (status == TR_OK)
        status = trn_world_set_method(world, scene->method, scene->sweeps);
    if (status == TR_OK)
        status = trn_world_set_joint_softness(world, scene->joint_frequency, scene->joint_damping_ratio);
    if (status == TR_OK)
        status = trn_world_set_direct_load(world, scene->direct_load);
    if (status == TR_OK)
        status = trn_world_set_breaking(world, scene->breaking);
    if (status == TR_OK)
        status = trn_world_set_sleep(world, &scene->sleep);
    return status == TR_OK ? trn_scene_set_own(scene, world) : status;
}

/* tries the scene's numbers on an empty world: a bad one is found before anything is created */
static tr_status try_numbers(const trn_scene *scene, tr_error *error)
{
    trn_world_def def = trn_world_def_default();
    trn_world *trial;
    tr_error cause;
    def.threads = 1;
    def.length_unit = scene->length_unit;
    tr_status status = trn_world_create(&def, &trial, &cause);
    if (status != TR_OK)
        return tr_scene_fail(error, status, "%s", cause.message);
    status = set_numbers(scene, trial);
    if (status != TR_OK)
        (void)name_setting(scene, trn_world_last_error(trial), error);
    trn_world_destroy(trial);
    return status;
}

static tr_status check_references(const trn_scene *scene, tr_error *error)
{
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        trn_scene_joint *joint = &scene->joints[i];
        uint32_t bodies[4] = {joint->body_a, joint->body_b, 0, 0};
        for (uint32_t end = 0; end < 2; end++) {
            const uint32_t *carrier = trn_scene_carrier(joint, end);
            bodies[2 + end] = carrier != NULL && *carrier > 0 ? *carrier - 1 : 0;
        }
        for (size_t k = 0; k < sizeof bodies / sizeof bodies[0]; k++) {
            if (bodies[k] >= scene->body_count)
                return tr_scene_fail(error, TR_ERROR_RANGE, "joint %u: there is no body %u; the scene has %u", i,
                                     bodies[k], scene->body_count);
        }
    }
    return TR_OK;
}

/* Makes everything, or leaves the world as it was. The numbers, which cannot fail any more, come last. */
static tr_status build_batches(const trn_scene *scene, trn_world *world, batches *b, trn_scene_more *more,
                               void *context, tr_error *error)
{
    trn_mark mark = trn_mark_of(world);
    tr_error cause;
    for (uint32_t i = 0; i < scene->body_count; i++)
        b->body_defs[i] = scene->bodies[i].def;
    tr_status status = trn_world_create_bodies(world, b->body_defs, scene->body_count, b->bodies);
    if (status != TR_OK) {
        cause = *trn_world_last_error(world);
        return diagnose(scene, b, &cause, error);
    }
    fill_joint_defs(scene, b);
    status = trn_world_create_joints(world, b->joint_defs, scene->joint_count, b->joints);
    if (status != TR_OK) {
        cause = *trn_world_last_error(world);
        trn_world_take_back(world, mark, b->bodies, scene->body_count, NULL, 0);
        return diagnose(scene, b, &cause, error);
    }
    if (more != NULL)
        status = more(scene, world, b->bodies, context, error);
    if (status != TR_OK) {
        trn_world_take_back(world, mark, b->bodies, scene->body_count, b->joints, scene->joint_count);
        return status;
    }
    return set_numbers(scene, world);
}

/* a world's length unit is fixed, unlike its other settings */
static tr_status check_length_unit(const trn_scene *scene, const trn_world *world, tr_error *error)
{
    trn_world_def def;
    tr_status status = trn_world_get(world, &def);
    if (status == TR_OK && def.length_unit != scene->length_unit)
        status = tr_scene_fail(error, TR_ERROR_RANGE, "world%slength_unit is %g, but the world has %g",
                               is_own(scene) ? "." : ": ", (double)scene->length_unit, (double)def.length_unit);
    return status;
}

tr_status trn_scene_build_with(const trn_scene *scene, trn_world *world, trn_body *bodies, trn_joint *joints,
                               trn_scene_more *more, void *context, tr_error *error)
{
    if (scene == NULL || world == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "tr%d_scene_build: `scene` and `world` must not be null",
                             TR_DIMENSION);
    tr_status status = check_length_unit(scene, world, error);
    if (status == TR_OK)
        status = check_references(scene, error);
    if (status == TR_OK)
        status = try_numbers(scene, error);
    if (status != TR_OK)
        return status;
    batches b = {NULL, NULL, NULL, NULL};
    if (!make_batches(scene, &b)) {
        free_batches(&b);
        return tr_scene_fail(error, TR_ERROR_MEMORY, "not enough memory to build the scene");
    }

    status = build_batches(scene, world, &b, more, context, error);
    for (uint32_t i = 0; status == TR_OK && i < scene->body_count && bodies != NULL; i++)
        bodies[i] = b.bodies[i];
    for (uint32_t i = 0; status == TR_OK && i < scene->joint_count && joints != NULL; i++)
        joints[i] = b.joints[i];
    free_batches(&b);
    return status;
}

/*
 * Surveys
 */

/* so many joints exist at once */
#define SURVEYED 4096u

/* joints of one type that are made, measured and destroyed together */
typedef struct handful {
    trn_joint_def defs[SURVEYED];
    trn_joint joints[SURVEYED];
    uint32_t count;
} handful;

static tr_status measure_handful(trn_world *world, handful *some, trn_joint_type type, trn_measuring *measuring)
{
    tr_status status = trn_world_create_joints(world, some->defs, some->count, some->joints);
    if (status != TR_OK)
        return status;
    trn_measure_joints(world, type, measuring);
    status = trn_world_destroy_joints(world, some->joints, some->count);
    some->count = 0;
    return status;
}

/* type by type, as a world is measured, so that the sums have the same bits */
static tr_status survey_joints(const trn_scene *scene, trn_world *world, const trn_body *bodies, handful *some,
                               trn_survey *out)
{
    trn_measuring measuring = trn_measure_bodies(world);
    out->state_hash = trn_hash_bodies(world);
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        trn_joint_type type = scene->joints[i].def.type;
        if ((uint32_t)type >= TRN_JOINT_TYPE_COUNT)
            return TR_ERROR_RANGE;
        out->joints_of_type[type]++;
        out->state_hash = trn_hash_new_joint(type, out->state_hash);
    }
    tr_status status = TR_OK;
    for (uint32_t type = 0; type < TRN_JOINT_TYPE_COUNT; type++) {
        uint32_t left = out->joints_of_type[type];
        for (uint32_t i = 0; left > 0 && status == TR_OK; i++) {
            if ((uint32_t)scene->joints[i].def.type != type)
                continue;
            fill_joint_def(scene, i, bodies, &some->defs[some->count++]);
            left--;
            if (some->count == SURVEYED || left == 0)
                status = measure_handful(world, some, (trn_joint_type)type, &measuring);
        }
    }
    out->measures = trn_measure_end(&measuring);
    return status;
}

tr_status trn_scene_survey(const trn_scene *scene, trn_world *world, trn_survey *out, tr_error *error)
{
    trn_scene unjointed = *scene;
    unjointed.joint_count = 0;
    memset(out, 0, sizeof *out);
    trn_body *bodies = calloc((size_t)scene->body_count + 1, sizeof *bodies);
    handful *some = calloc(1, sizeof *some);
    tr_status status = check_references(scene, error);
    const bool fits = bodies != NULL && some != NULL;
    if (status == TR_OK && !fits)
        status = tr_scene_fail(error, TR_ERROR_MEMORY, "not enough memory to survey the scene");
    if (status == TR_OK)
        status = trn_scene_build(&unjointed, world, bodies, NULL, error);
    if (status == TR_OK && fits) {
        status = survey_joints(scene, world, bodies, some, out);
        if (status != TR_OK)
            (void)tr_scene_fail(error, status, "a joint is refused: %s", trn_world_last_error(world)->message);
    }
    free(bodies);
    free(some);
    return status;
}
