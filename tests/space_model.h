/* Robots in URDF and MJCF for tests. */
#ifndef TR_TESTS_SPACE_MODEL_H
#define TR_TESTS_SPACE_MODEL_H

#include "shared_file.h"
#include "space_scene.h"

/* of a text that is right */
static inline tr3_scene *model_with(const char *text, tr3_import_options options)
{
    tr3_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    if (tr3_scene_import_text(text, strlen(text), "test", &options, &scene, &error) != TR_OK)
        fail_msg("%s", error.message);
    return scene;
}

static inline tr3_scene *model(const char *text)
{
    return model_with(text, tr3_import_options_default());
}

static inline bool model_has_notice(const tr3_scene *scene, const char *fragment)
{
    for (uint32_t i = 0; i < scene->notice_count; i++)
        if (strstr(scene->notices[i], fragment) != NULL)
            return true;
    return false;
}

static inline void model_want_notice(const tr3_scene *scene, const char *fragment)
{
    if (model_has_notice(scene, fragment))
        return;
    for (uint32_t i = 0; i < scene->notice_count; i++)
        print_message("    %s\n", scene->notices[i]);
    fail_msg("no notice \"%s\"", fragment);
}

/* what is built from it has no errors of joints */
static inline void model_want_closed(const tr3_scene *scene)
{
    tr3_world *world = space_build(scene);
    assert_true(tr3_world_measure(world).joint_error_max < 1e-6 &&
                tr3_world_measure(world).joint_angle_error_max < 1e-6);
    tr3_world_destroy(world);
}

/* a text that is wrong: the message has this in it, and nothing is made */
static inline void model_refused(const char *text, const tr3_import_options *options, tr_status want,
                                 const char *fragment)
{
    tr3_scene *scene = NULL;
    tr_error error = {TR_OK, ""};
    tr_status status = tr3_scene_import_text(text, strlen(text), "test", options, &scene, &error);
    if (status != want || strstr(error.message, fragment) == NULL)
        fail_msg("%s: %s\n    not %s: \"%s\" of\n%s", tr_status_name(status), error.message, tr_status_name(want),
                 fragment, text);
    assert_int_equal(error.status, status);
    assert_null(scene);
}

static inline const tr3_scene_body *model_body(const tr3_scene *scene, const char *name)
{
    uint32_t index = tr3_scene_find_body(scene, name);
    if (index == UINT32_MAX)
        fail_msg("there is no body %s", name);
    return &scene->bodies[index];
}

static inline const tr3_scene_joint *model_joint(const tr3_scene *scene, const char *name)
{
    uint32_t index = tr3_scene_find_joint(scene, name);
    if (index == UINT32_MAX)
        fail_msg("there is no joint %s", name);
    return &scene->joints[index];
}

/* to seven digits of the size */
static inline void model_near(const char *what, double have, double want, double size)
{
    if (!(fabs(have - want) <= 5e-7 * size))
        fail_msg("%s is %.9g, not %.9g", what, have, want);
}

static inline void model_near_vec(const char *what, tr_vec3 have, tr_dvec3 want, double size)
{
    model_near(what, (double)have.x, want.x, size);
    model_near(what, (double)have.y, want.y, size);
    model_near(what, (double)have.z, want.z, size);
}

/* mass, centre, inertia (xx, yy, zz, xy, xz, yz) and the origin's place */
typedef struct model_numbers {
    const char *name;
    double mass;
    tr_dvec3 center;
    double inertia[6];
    tr_dvec3 position;
} model_numbers;

static inline void model_check_body(const tr3_body_def *have, const model_numbers *want)
{
    const tr_sym3 i = have->inertia;
    const double parts[6] = {(double)i.xx, (double)i.yy, (double)i.zz, (double)i.xy, (double)i.xz, (double)i.yz};
    const double trace = want->inertia[0] + want->inertia[1] + want->inertia[2];
    model_near(want->name, have->position.x, want->position.x, 1.0);
    model_near(want->name, have->position.y, want->position.y, 1.0);
    model_near(want->name, have->position.z, want->position.z, 1.0);
    if (have->type != TR_DYNAMIC)
        return;
    model_near(want->name, (double)have->mass, want->mass, want->mass);
    model_near_vec(want->name, have->center, want->center, 0.2);
    for (int k = 0; k < 6; k++)
        model_near(want->name, parts[k], want->inertia[k], trace);
}

#endif
