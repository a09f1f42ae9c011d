/* Copies of a scene beside itself. */
#include "scene/core/storage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* how far the bodies reach along x, m */
static double width_of(const trn_scene *scene)
{
    double least = scene->body_count > 0 ? scene->bodies[0].def.position.x : 0.0, most = least;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        least = fmin(least, scene->bodies[i].def.position.x);
        most = fmax(most, scene->bodies[i].def.position.x);
    }
    return most - least;
}

typedef struct repetition {
    const trn_scene *scene;
    uint32_t copies;
    double spacing; /* m */
} repetition;

/* Adds where a copy stands: in the plane side by side, in space in a square, at right angles to x and to gravity. */
static void shift(const repetition *it, uint32_t copy, trn_dvec *at)
{
#if TR_DIMENSION == 2
    at->x += copy * it->spacing;
#else
    const uint32_t columns = (uint32_t)ceil(sqrt((double)it->copies));
    double *across = fabsf(it->scene->gravity.y) > fabsf(it->scene->gravity.z) ? &at->z : &at->y;
    at->x += copy % columns * it->spacing;
    *across += (double)(copy / columns) * it->spacing;
#endif
}

static trn_scene_joint moved(const repetition *it, uint32_t copy, uint32_t joint)
{
    const uint32_t first_body = copy * it->scene->body_count;
    trn_scene_joint out = it->scene->joints[joint];
    trn_dvec *const ground[] = {&out.def.ground_a, &out.def.ground_b};
    out.name = NULL;
    out.body_a += first_body;
    out.body_b += first_body;
    for (uint32_t end = 0; end < 2; end++) {
        uint32_t *carrier = trn_scene_carrier(&out, end);
        if (*carrier > 0)
            *carrier += first_body;
        else if (out.def.type == TRN_JOINT_PULLEY)
            shift(it, copy, ground[end]);
    }
    return out;
}

/* the same entries, as the first of more; null: out of memory */
static void *more_of(const void *entries, uint32_t count, uint32_t copies, size_t size)
{
    void *all = malloc((size_t)count * copies * size + 1);
    if (all != NULL && count > 0)
        memcpy(all, entries, count * size);
    return all;
}

tr_status trn_scene_repeat(trn_scene *scene, uint32_t copies, double spacing, tr_error *error)
{
    if (scene == NULL)
        return tr_scene_fail(error, TR_ERROR_NULL, "scene_repeat: scene is null");
    if (copies == 0 || !(spacing >= 0.0 && spacing <= 1e9))
        return tr_scene_fail(error, TR_ERROR_RANGE, "scene_repeat: %s",
                             copies == 0 ? "copies must be at least 1" : "spacing must be 0 to 1e9 m");
    const uint32_t bodies = scene->body_count, joints = scene->joint_count, shapes = scene->shape_count;
    uint32_t most = bodies > joints ? bodies : joints;
    most = most > shapes ? most : shapes;
    if ((uint64_t)most * copies > INT32_MAX)
        return tr_scene_fail(error, TR_ERROR_LIMIT,
                             "scene_repeat: %u copies are too many: of %u entries there would be more than 2^31 - 1",
                             copies, most);
    trn_scene_body *all_bodies = more_of(scene->bodies, bodies, copies, sizeof *all_bodies);
    trn_scene_joint *all_joints = more_of(scene->joints, joints, copies, sizeof *all_joints);
    trn_scene_shape *all_shapes = more_of(scene->shapes, shapes, copies, sizeof *all_shapes);
    if (all_bodies == NULL || all_joints == NULL || all_shapes == NULL) {
        free(all_bodies);
        free(all_joints);
        free(all_shapes);
        return tr_scene_fail(error, TR_ERROR_MEMORY, "not enough memory for %u copies of the scene", copies);
    }
    const repetition it = {scene, copies, spacing > 0.0 ? spacing : width_of(scene) + 2.0 * (double)scene->length_unit};
    for (uint32_t copy = 1; copy < copies; copy++) {
        for (uint32_t i = 0; i < bodies; i++) {
            trn_scene_body *body = &all_bodies[copy * bodies + i];
            *body = scene->bodies[i];
            body->name = NULL;
            shift(&it, copy, &body->def.position);
        }
        for (uint32_t i = 0; i < joints; i++)
            all_joints[copy * joints + i] = moved(&it, copy, i);
        for (uint32_t i = 0; i < shapes; i++) {
            trn_scene_shape *shape = &all_shapes[copy * shapes + i];
            *shape = scene->shapes[i];
            shape->name = NULL;
            shape->body += copy * bodies;
        }
    }
    free(scene->bodies);
    free(scene->joints);
    free(scene->shapes);
    scene->bodies = all_bodies;
    scene->joints = all_joints;
    scene->shapes = all_shapes;
    scene->body_count = copies * bodies;
    scene->joint_count = copies * joints;
    scene->shape_count = copies * shapes;
    return TR_OK;
}
