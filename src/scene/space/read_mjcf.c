/*
 * Reader of MJCF. A body's frame is that of the file. Bodies without joints are parts of their parents, or are welded to
 * them; a body on several joints has a carrier between each two of them. Body 0 of the scene is the world.
 */
#include "scene/space/mjcf.h"

#ifdef TR_WITH_XML

#include <stdlib.h>
#include <string.h>

/* Flags of the file. Those that switch off what is simulated here get a notice, others are of another solver and of its
   sensors and contacts; none: there is no gravity. */
static tr_status read_flags(mjcf *it, uint32_t node, bool *none)
{
    enum { SIMULATED = 9 };
    static const char *const known[] = {
        "constraint", "equality",    "frictionloss", "limit",     "passive",      "clampctrl", "actuation",
        "spring",     "damper",      "gravity",      "contact",   "refsafe",      "sensor",    "midphase",
        "nativeccd",  "eulerdamp",   "autoreset",    "warmstart", "filterparent", "override",  "energy",
        "fwdinv",     "invdiscrete", "sensornoise",  "multiccd",  "island",       NULL};
    static const char *const words[] = {"enable", "disable", NULL};
    static const char *const nothing[] = {NULL};
    tr_status status = TR_OK;
    if (node == MJCF_NONE)
        return TR_OK;
    tr3_model_known(it->model, node, known, nothing);
    for (int i = 0; known[i] != NULL && status == TR_OK; i++) {
        const bool gravity = strcmp(known[i], "gravity") == 0;
        uint32_t word = gravity && *none ? 1 : 0;
        status = tr3_mjcf_word(it, node, known[i], words, "enable or disable", &word);
        if (i < SIMULATED && word == 1)
            tr3_model_notice(it->model, node, known[i], "is not read: it cannot be switched off");
        if (gravity)
            *none = word == 1;
    }
    return status;
}

static tr_status read_option(mjcf *it, tr3_scene *scene)
{
    /* but for the first two, what is of another solver and of its contacts */
    static const char *const known[] = {"timestep",
                                        "gravity",
                                        "apirate",
                                        "impratio",
                                        "tolerance",
                                        "ls_tolerance",
                                        "noslip_tolerance",
                                        "ccd_tolerance",
                                        "mpr_tolerance",
                                        "sleep_tolerance",
                                        "o_margin",
                                        "o_solref",
                                        "o_solimp",
                                        "o_friction",
                                        "integrator",
                                        "cone",
                                        "jacobian",
                                        "solver",
                                        "iterations",
                                        "ls_iterations",
                                        "noslip_iterations",
                                        "ccd_iterations",
                                        "mpr_iterations",
                                        "sdf_iterations",
                                        "sdf_initpoints",
                                        "collision",
                                        NULL};
    static const char *const children[] = {"flag", NULL};
    tr3_model *model = it->model;
    const tr_xml *xml = model->xml;
    tr_status status = TR_OK;
    tr_dvec3 gravity = {0.0, 0.0, -9.81};
    bool none = false;
    for (uint32_t node = tr_xml_first(xml, 0, "option"); node != MJCF_NONE && status == TR_OK;
         node = tr_xml_next(xml, node, "option")) {
        double step = 1.0 / scene->hertz;
        tr3_model_known(model, node, known, children);
        status = read_flags(it, tr_xml_first(xml, node, "flag"), &none);
        if (status == TR_OK)
            status = tr3_model_vec(model, node, "gravity", &gravity);
        if (status == TR_OK)
            status = tr3_model_number(model, node, "timestep", &step);
        if (status == TR_OK && !(step >= 1e-9))
            return tr3_model_fail(model, node, "timestep", "expected a number from 1e-9, found %g", step);
        if (tr_xml_get(xml, node, "timestep") != NULL)
            scene->hertz = 1.0 / step;
    }
    scene->gravity = none ? (tr_vec3){0.0f, 0.0f, 0.0f} : tr3_narrow(gravity);
    return status;
}

/* names, and poses of all bodies: parents come before their children */
static tr_status prepare(mjcf *it)
{
    const tr3_model *model = it->model;
    it->body_names = calloc((size_t)it->body_count + 1, sizeof *it->body_names);
    it->joint_names = calloc((size_t)it->joint_count + 1, sizeof *it->joint_names);
    it->start = calloc((size_t)it->body_count + 1, sizeof *it->start);
    it->rest = calloc((size_t)it->body_count + 1, sizeof *it->rest);
    if (it->body_names == NULL || it->joint_names == NULL || it->start == NULL || it->rest == NULL)
        return tr_scene_fail(model->error, TR_ERROR_MEMORY, "not enough memory for the scene");
    for (uint32_t i = 0; i < it->body_count; i++)
        it->body_names[i] = (tr3_model_name){it->parts[i].name, i};
    for (uint32_t i = 0; i < it->joint_count; i++)
        it->joint_names[i] = (tr3_model_name){it->joints[i].name, i};
    tr3_model_sort(it->body_names, it->body_count);
    tr3_model_sort(it->joint_names, it->joint_count);
    it->start[0] = it->rest[0] = tr3_frame_same;
    for (uint32_t i = 1; i < it->body_count; i++) {
        const uint32_t parent = it->bodies[i].parent;
        it->rest[i] = tr3_mjcf_pose(it, i, &it->rest[parent], NULL, 0);
        it->start[i] = tr3_mjcf_pose(it, i, &it->start[parent], it->qpos, it->bodies[i].count);
    }
    return TR_OK;
}

/* loops of the options; a body's frame is that of its leader */
static tr_status make_loops(const mjcf *it)
{
    const tr3_scene *scene = it->model->builder->scene;
    tr3_frame *pose = calloc((size_t)scene->body_count + 1, sizeof *pose);
    if (pose == NULL)
        return tr_scene_fail(it->model->error, TR_ERROR_MEMORY, "not enough memory for the scene");
    for (uint32_t i = 0; i < it->body_count; i++)
        pose[it->parts[i].body] = it->start[it->bodies[i].leader];
    tr_status status = tr3_model_close_loops(it->model, it->parts, it->body_names, it->body_count, pose);
    free(pose);
    return status;
}

static tr_status read_model(mjcf *it)
{
    static const char *const attributes[] = {"model", NULL};
    /* what is only seen, and tables of sizes, need no notice */
    static const char *const children[] = {"compiler", "option", "size",      "visual",   "statistic",
                                           "default",  "asset",  "worldbody", "equality", "actuator",
                                           "keyframe", "custom", "tendon",    "contact",  NULL};
    tr3_model *model = it->model;
    tr3_scene *scene = model->builder->scene;
    tr3_model_known(model, 0, attributes, children);
    const char *name = tr_xml_get(model->xml, 0, "model");
    tr_status status = name != NULL && name[0] != '\0' ? tr_scene_copy_text(name, &scene->name, model->error) : TR_OK;
    tr3_model_preset(scene);
    if (status == TR_OK)
        status = read_option(it, scene);
    if (status == TR_OK)
        status = tr3_mjcf_read_compiler(it);
    if (status == TR_OK)
        status = tr3_mjcf_read_classes(it);
    if (status == TR_OK)
        status = tr3_mjcf_read_bodies(it);
    if (status == TR_OK)
        status = tr3_mjcf_read_keyframe(it);
    if (status == TR_OK)
        status = prepare(it);
    if (status == TR_OK) {
        tr3_mjcf_tune_springs(it);
        status = tr3_mjcf_make_bodies(it);
    }
    if (status == TR_OK)
        status = tr3_mjcf_read_tendons(it);
    if (status == TR_OK)
        status = tr3_mjcf_read_equalities(it);
    if (status == TR_OK)
        status = tr3_mjcf_read_actuators(it);
    if (status == TR_OK)
        status = tr3_mjcf_read_contacts(it);
    return status == TR_OK ? make_loops(it) : status;
}

tr_status tr3_read_mjcf(tr3_model *model)
{
    mjcf it = {.model = model};
    tr_status status = read_model(&it);
    free(it.classes);
    free(it.class_names);
    free(it.joints);
    free(it.joint_names);
    free(it.bodies);
    free(it.parts);
    free(it.body_names);
    free(it.start);
    free(it.rest);
    free(it.geoms);
    free(it.tendons);
    free(it.tendon_names);
    free(it.qpos);
    return status;
}

#endif
