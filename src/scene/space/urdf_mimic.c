/* URDF: joints that mimic others. The coordinate of one is that of the other times a factor, plus an offset: a gear. */
#include <math.h>
#include <stdlib.h>

#include "scene/space/urdf.h"

#ifdef TR_WITH_XML

static bool has_coordinate(const urdf_joint *joint)
{
    return joint->type == URDF_REVOLUTE || joint->type == URDF_CONTINUOUS || joint->type == URDF_PRISMATIC;
}

static tr_status read_one(urdf *it, uint32_t index, uint32_t node, const tr3_model_name *names)
{
    static const char *const attributes[] = {"joint", "multiplier", "offset", NULL}, *const none[] = {NULL};
    const tr3_model *model = it->model;
    urdf_joint *joint = &it->joints[index];
    double factor = 1.0, offset = 0.0;
    tr3_model_known(it->model, node, attributes, none);
    const char *name = tr_xml_get(model->xml, node, "joint");
    if (name == NULL)
        return tr3_model_fail(model, node, "joint", "is missing");
    const uint32_t other = tr3_model_find(names, it->joint_count, name);
    if (other == URDF_NONE)
        return tr3_model_fail(model, node, "joint", "there is no joint \"%.60s\"", name);
    tr_status status = tr3_model_number(model, node, "multiplier", &factor);
    if (status == TR_OK)
        status = tr3_model_number(model, node, "offset", &offset);
    if (status != TR_OK)
        return status;
    if (other == index)
        return tr3_model_fail(model, node, "joint", "is the joint itself");
    if (tr_xml_first(model->xml, it->joints[other].node, "mimic") != URDF_NONE)
        return tr3_model_fail(model, node, "joint", "\"%.60s\" mimics a joint itself: name the one that both follow",
                              name);
    if (!has_coordinate(joint) || !has_coordinate(&it->joints[other]) || (float)factor == 0.0f) {
        tr3_model_notice(it->model, node, NULL,
                         "is not simulated: it needs two joints that turn or slide, and a multiplier that is not 0");
        return TR_OK;
    }
    joint->mimics = other;
    joint->factor = factor;
    joint->start = factor * it->joints[other].start + offset;
    if (!(fabs(joint->start) < 1e6) || !(fabs(factor) < 1e6))
        return tr3_model_fail(model, node, NULL, "is out of range: the joint would start at %g", joint->start);
    return TR_OK;
}

tr_status tr3_urdf_read_mimics(urdf *it)
{
    const tr_xml *xml = it->model->xml;
    tr3_model_name *names = NULL;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < it->joint_count && status == TR_OK; i++) {
        const uint32_t node = tr_xml_first(xml, it->joints[i].node, "mimic");
        it->joints[i].mimics = URDF_NONE;
        if (node == URDF_NONE)
            continue;
        if (names == NULL) {
            names = calloc(it->joint_count, sizeof *names);
            if (names == NULL)
                return tr_scene_fail(it->model->error, TR_ERROR_MEMORY, "not enough memory for the scene");
            for (uint32_t k = 0; k < it->joint_count; k++) {
                const char *name = tr_xml_get(xml, it->joints[k].node, "name");
                names[k] = (tr3_model_name){name != NULL ? name : "", k};
            }
            tr3_model_sort(names, it->joint_count);
        }
        status = read_one(it, i, node, names);
    }
    free(names);
    return status;
}

tr_status tr3_urdf_make_mimics(urdf *it)
{
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < it->joint_count && status == TR_OK; i++) {
        const urdf_joint *joint = &it->joints[i];
        tr3_scene_joint *gear = NULL;
        if (joint->mimics != URDF_NONE)
            status = tr3_model_gear(it->model, it->joints[joint->mimics].made, joint->made, -joint->factor, &gear);
    }
    return status;
}

#endif
