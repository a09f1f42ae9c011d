/*
 * Reader of URDF. A link's frame is that of the joint whose child it is. Links that fixed joints join are one body, whose
 * frame is that of the link nearest to the root; with the option weld_fixed they are bodies on welds.
 */
#include "scene/space/urdf.h"

#ifdef TR_WITH_XML

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_names[URDF_TYPE_COUNT] = {
    [URDF_REVOLUTE] = "revolute", [URDF_CONTINUOUS] = "continuous", [URDF_PRISMATIC] = "prismatic",
    [URDF_FIXED] = "fixed",       [URDF_FLOATING] = "floating",     [URDF_PLANAR] = "planar"};

/*
 * Links and joints
 */
static const char *const nothing[] = {NULL};

static tr_status read_origin(tr3_model *model, uint32_t node, tr3_frame *out)
{
    static const char *const known[] = {"xyz", "rpy", NULL};
    const tr_xml *xml = model->xml;
    const uint32_t origin = tr_xml_first(xml, node, "origin");
    tr_dvec3 rpy = {0.0, 0.0, 0.0};
    *out = tr3_frame_same;
    if (origin == URDF_NONE)
        return TR_OK;
    tr3_model_known(model, origin, known, nothing);
    tr_status status = tr3_model_vec(model, origin, "xyz", &out->at);
    if (status == TR_OK)
        status = tr3_model_vec(model, origin, "rpy", &rpy);
    /* about fixed axes: first x, then y, then z */
    const tr3_dquat x = tr3_turn_about((tr_dvec3){1.0, 0.0, 0.0}, rpy.x);
    const tr3_dquat y = tr3_turn_about((tr_dvec3){0.0, 1.0, 0.0}, rpy.y);
    const tr3_dquat z = tr3_turn_about((tr_dvec3){0.0, 0.0, 1.0}, rpy.z);
    out->turn = tr3_compose(z, tr3_compose(y, x));
    return status;
}

/* an attribute that must be there; `missing` says which */
static tr_status require(const tr3_model *model, uint32_t node, const char *attribute)
{
    return tr_xml_get(model->xml, node, attribute) != NULL ? TR_OK
                                                           : tr3_model_fail(model, node, attribute, "is missing");
}

static tr_status read_inertia(tr3_model *model, uint32_t node, tr_dsym3 *out)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    static const char *const known[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz", NULL};
    double *const parts[6] = {&out->xx, &out->yy, &out->zz, &out->xy, &out->xz, &out->yz};
    tr_status status = TR_OK;
    tr3_model_known(model, node, known, nothing);
    for (int i = 0; i < 6 && status == TR_OK; i++) {
        status = i < 3 ? require(model, node, names[i]) : TR_OK;
        if (status == TR_OK)
            status = tr3_model_number(model, node, names[i], parts[i]);
    }
    return status;
}

static tr_status read_inertial(tr3_model *model, uint32_t link, tr3_mass *out)
{
    static const char *const children[] = {"origin", "mass", "inertia", NULL}, *const of_mass[] = {"value", NULL};
    const tr_xml *xml = model->xml;
    const uint32_t node = tr_xml_first(xml, link, "inertial");
    if (node == URDF_NONE)
        return TR_OK;
    tr3_model_known(model, node, nothing, children);
    const uint32_t mass = tr_xml_first(xml, node, "mass"), inertia = tr_xml_first(xml, node, "inertia");
    if (mass == URDF_NONE)
        return tr3_model_fail(model, node, NULL, "has no <mass>");
    tr3_model_known(model, mass, of_mass, nothing);
    tr3_frame origin;
    tr3_mass own = {0};
    tr_status status = read_origin(model, node, &origin);
    if (status == TR_OK)
        status = require(model, mass, "value");
    if (status == TR_OK)
        status = tr3_model_number(model, mass, "value", &own.mass);
    if (status == TR_OK && own.mass < 0.0)
        return tr3_model_fail(model, mass, "value", "expected a number from 0, found %g", own.mass);
    if (status == TR_OK && inertia != URDF_NONE)
        status = read_inertia(model, inertia, &own.inertia);
    if (status == TR_OK)
        status = tr3_model_mend(model, inertia != URDF_NONE ? inertia : node, &own);
    *out = tr3_mass_in(&origin, &own);
    return status;
}

static uint32_t count_children(const tr_xml *xml, const char *name)
{
    uint32_t count = 0;
    for (uint32_t node = tr_xml_first(xml, 0, name); node != URDF_NONE; node = tr_xml_next(xml, node, name))
        count++;
    return count;
}

static tr_status read_links(urdf *it)
{
    static const char *const attributes[] = {"name", "type", NULL};
    static const char *const children[] = {"inertial", "visual", "collision", NULL};
    tr3_model *model = it->model;
    const tr_xml *xml = model->xml;
    uint32_t i = 0;
    tr_status status = TR_OK;
    for (uint32_t node = tr_xml_first(xml, 0, "link"); node != URDF_NONE && status == TR_OK; i++) {
        it->parts[i] = (tr3_model_part){tr_xml_get(xml, node, "name"), node, URDF_NONE, tr3_frame_same};
        it->names[i] = (tr3_model_name){it->parts[i].name, i};
        it->links[i] = (urdf_link){
            .joint = URDF_NONE, .first = URDF_NONE, .leader = i, .donor = URDF_NONE, .pose = tr3_frame_same};
        tr3_model_known(model, node, attributes, children);
        status = require(model, node, "name");
        if (status == TR_OK)
            status = read_inertial(model, node, &it->links[i].mass);
        node = tr_xml_next(xml, node, "link");
    }
    tr3_model_sort(it->names, it->link_count);
    for (i = 1; i < it->link_count && status == TR_OK; i++) {
        if (strcmp(it->names[i - 1].name, it->names[i].name) == 0)
            status = tr3_model_fail(model, it->parts[it->names[i].index].node, "name",
                                    "there is a link \"%.40s\" already, in line %u", it->names[i].name,
                                    xml->nodes[it->parts[it->names[i - 1].index].node].line);
    }
    return status;
}

static tr_status read_type(const tr3_model *model, uint32_t node, urdf_type *out)
{
    tr_status status = require(model, node, "type");
    if (status != TR_OK)
        return status;
    const char *name = tr_xml_get(model->xml, node, "type");
    for (uint32_t i = 0; i < URDF_TYPE_COUNT; i++) {
        if (strcmp(name, type_names[i]) == 0) {
            *out = (urdf_type)i;
            return TR_OK;
        }
    }
    return tr3_model_fail(model, node, "type",
                          "expected revolute, continuous, prismatic, fixed, floating or planar, found \"%.30s\"", name);
}

/* Exporters write zeros for what nobody has set. Such a joint could neither move nor push, so they say nothing. */
static bool says_nothing(const double limit[2], double effort, double velocity)
{
    return limit[0] == 0.0 && limit[1] == 0.0 && effort == 0.0 && velocity == 0.0;
}

/* the limits, and what the motor may do at most; a coordinate of 0 that is beyond them cannot be where it starts */
static tr_status read_limit(const urdf *it, urdf_joint *joint)
{
    static const char *const known[] = {"lower", "upper", "effort", "velocity", NULL};
    tr3_model *model = it->model;
    const uint32_t node = tr_xml_first(model->xml, joint->node, "limit");
    double limit[2] = {0.0, 0.0}, effort = 0.0, velocity = 0.0;
    if (node == URDF_NONE)
        return TR_OK;
    tr3_model_known(model, node, known, nothing);
    tr_status status = tr3_model_number(model, node, "lower", &limit[0]);
    if (status == TR_OK)
        status = tr3_model_number(model, node, "upper", &limit[1]);
    if (status == TR_OK)
        status = tr3_model_number(model, node, "effort", &effort);
    if (status == TR_OK)
        status = tr3_model_number(model, node, "velocity", &velocity);
    if (status != TR_OK)
        return status;
    if (says_nothing(limit, effort, velocity)) {
        if (joint->type != URDF_CONTINUOUS)
            tr3_model_notice(model, node, NULL, "is all zero, as exporters write what is not set: no limit");
        return TR_OK;
    }
    /* the motor has what a drive may do at most, and does nothing before the application sets its speed and enables it */
    joint->has_effort = tr_xml_get(model->xml, node, "effort") != NULL;
    if (joint->has_effort)
        status = tr3_model_size(model, node, "effort", effort, &joint->effort);
    /* the greatest number is none */
    if (status == TR_OK && velocity < TR3_MODEL_GREATEST)
        status = tr3_model_size(model, node, "velocity", velocity, &joint->speed);
    if (status == TR_OK && joint->speed > 0.0f)
        tr3_model_notice(model, node, "velocity",
                         "is the speed of the joint's motor, which is off: nothing else bounds it");
    if (status != TR_OK || joint->type == URDF_CONTINUOUS)
        return status;
    if (limit[0] > limit[1]) {
        tr3_model_notice(model, node, "lower", "is above upper: no limit");
        return TR_OK;
    }
    joint->limit = (tr_limit){true, (float)limit[0], (float)limit[1]};
    joint->start = fmin(fmax(0.0, limit[0]), limit[1]);
    if (joint->start != 0.0)
        tr3_model_notice(model, node, NULL, "leaves out 0: the joint starts at its limit");
    return TR_OK;
}

/* the link that <parent> or <child> names */
static tr_status read_end(const urdf *it, uint32_t joint, const char *which, uint32_t *out)
{
    static const char *const known[] = {"link", NULL};
    tr3_model *model = it->model;
    const uint32_t node = tr_xml_first(model->xml, joint, which);
    if (node == URDF_NONE)
        return tr3_model_fail(model, joint, NULL, "has no <%s>", which);
    tr3_model_known(model, node, known, nothing);
    tr_status status = require(model, node, "link");
    if (status != TR_OK)
        return status;
    const char *name = tr_xml_get(model->xml, node, "link");
    *out = tr3_model_find(it->names, it->link_count, name);
    return *out != URDF_NONE ? TR_OK : tr3_model_fail(model, node, "link", "there is no link \"%.60s\"", name);
}

static tr_status read_axis(tr3_model *model, uint32_t joint, tr_dvec3 *out)
{
    static const char *const known[] = {"xyz", NULL};
    const uint32_t node = tr_xml_first(model->xml, joint, "axis");
    if (node == URDF_NONE)
        return TR_OK;
    tr3_model_known(model, node, known, nothing);
    return tr3_model_direction(model, node, "xyz", out);
}

static tr_status read_joint(urdf *it, uint32_t node, uint32_t index)
{
    static const char *const attributes[] = {"name", "type", NULL};
    /* of a joint without a coordinate the axis says nothing */
    static const char *const children[] = {"origin", "parent", "child", "axis", "limit", "mimic", "dynamics", NULL};
    static const char *const limits[] = {"limit", "dynamics"};
    tr3_model *model = it->model;
    urdf_joint *joint = &it->joints[index];
    *joint = (urdf_joint){.node = node, .next = URDF_NONE, .axis = {1.0, 0.0, 0.0}};
    tr_status status = read_type(model, node, &joint->type);
    const bool moves = joint->type != URDF_FIXED && joint->type != URDF_FLOATING;
    tr3_model_known(model, node, attributes, children);
    for (int i = 0; i < 2 && !moves; i++) {
        const uint32_t child = tr_xml_first(model->xml, node, limits[i]);
        if (status == TR_OK && child != URDF_NONE)
            tr3_model_notice(model, child, NULL, "is not read of a %s joint", type_names[joint->type]);
    }
    if (status == TR_OK)
        status = read_end(it, node, "parent", &joint->parent);
    if (status == TR_OK)
        status = read_end(it, node, "child", &joint->child);
    if (status == TR_OK)
        status = read_origin(model, node, &joint->origin);
    if (status == TR_OK && moves)
        status = read_axis(model, node, &joint->axis);
    if (status == TR_OK &&
        (joint->type == URDF_REVOLUTE || joint->type == URDF_CONTINUOUS || joint->type == URDF_PRISMATIC))
        status = read_limit(it, joint);
    if (status != TR_OK)
        return status;
    urdf_link *child = &it->links[joint->child];
    if (joint->parent == joint->child)
        return tr3_model_fail(model, node, NULL, "joins the link \"%.60s\" to itself", it->parts[joint->child].name);
    if (child->joint != URDF_NONE)
        return tr3_model_fail(model, node, NULL,
                              "the link \"%.40s\" is the child of the joint in line %u already: loops need an option",
                              it->parts[joint->child].name, model->xml->nodes[it->joints[child->joint].node].line);
    child->joint = index;
    return TR_OK;
}

static tr_status read_joints(urdf *it)
{
    const tr_xml *xml = it->model->xml;
    tr_status status = TR_OK;
    uint32_t i = 0;
    for (uint32_t node = tr_xml_first(xml, 0, "joint"); node != URDF_NONE && status == TR_OK; i++) {
        status = read_joint(it, node, i);
        node = tr_xml_next(xml, node, "joint");
    }
    for (i = it->joint_count; status == TR_OK && i > 0; i--) {
        urdf_joint *joint = &it->joints[i - 1];
        joint->next = it->links[joint->parent].first;
        it->links[joint->parent].first = i - 1;
    }
    return status;
}

/*
 * Solids
 */

/* What can be drawn, and the attributes that it must have: a size, or a radius and a length. */
static const struct urdf_solid {
    const char *element;
    tr3_scene_shape_type type;
    const char *known[3], *all;
} solids[] = {{"box", TR3_SCENE_BOX, {"size", NULL}, "size"},
              {"sphere", TR3_SCENE_SPHERE, {"radius", NULL}, "radius"},
              {"cylinder", TR3_SCENE_CYLINDER, {"radius", "length", NULL}, "radius or length"},
              {"capsule", TR3_SCENE_CAPSULE, {"radius", "length", NULL}, "radius or length"}};
#define URDF_SOLIDS (sizeof solids / sizeof solids[0])

/* full sizes are halved, as a solid of a scene has them */
static tr_status read_sizes(tr3_model *model, uint32_t node, const struct urdf_solid *kind, double size[3])
{
    const bool box = kind->type == TR3_SCENE_BOX;
    tr_status status = TR_OK;
    tr3_model_known(model, node, kind->known, nothing);
    for (int i = 0; kind->known[i] != NULL && status == TR_OK; i++) {
        const uint32_t count = box ? 3 : 1;
        status = require(model, node, kind->known[i]);
        if (status == TR_OK)
            status = tr3_model_numbers(model, node, kind->known[i], count, count, size + i, NULL);
    }
    for (int i = box ? 0 : 1; i < 3; i++)
        size[i] *= 0.5;
    return status;
}

/* one that is not wanted is only checked; drawn: what it is can be drawn */
static tr_status read_solid(urdf *it, uint32_t link, uint32_t node, bool wanted, bool *drawn)
{
    static const char *const attributes[] = {"name", NULL};
    static const char *const children[] = {"origin", "geometry", "material", NULL};
    tr3_model *model = it->model;
    const tr_xml *xml = model->xml;
    const uint32_t geometry = tr_xml_first(xml, node, "geometry");
    if (geometry == URDF_NONE)
        return tr3_model_fail(model, node, NULL, "has no <geometry>");
    tr3_frame origin;
    tr3_model_known(model, node, attributes, children);
    tr_status status = read_origin(model, node, &origin);
    const uint32_t solid = tr_xml_first(xml, geometry, NULL);
    if (status != TR_OK || solid == URDF_NONE)
        return status != TR_OK ? status : tr3_model_fail(model, geometry, NULL, "is empty");
    const char *const only[] = {tr_xml_name(xml, solid), NULL};
    tr3_model_known(model, geometry, nothing, only);
    const uint32_t second = tr_xml_next(xml, solid, NULL);
    if (second != URDF_NONE && tr_xml_is(xml, second, only[0]))
        tr3_model_notice(model, second, NULL, "is a second one in its <geometry>, and not read");
    size_t kind = 0;
    while (kind < URDF_SOLIDS && strcmp(only[0], solids[kind].element) != 0)
        kind++;
    *drawn = kind < URDF_SOLIDS;
    if (!*drawn) {
        tr3_model_notice(model, solid, NULL, "is not drawn: only box, cylinder, sphere and capsule are");
        return TR_OK;
    }
    double size[3] = {0.0, 0.0, 0.0};
    status = read_sizes(model, solid, &solids[kind], size);
    if (status != TR_OK || !wanted)
        return status;
    const tr3_frame frame = tr3_frame_in(&it->parts[link].frame, &origin);
    return tr3_model_solid(model, solid, solids[kind].all, solids[kind].type, size, &frame, it->parts[link].body, 0.0,
                           tr_xml_get(xml, node, "name"));
}

/* what is to be seen of a link; if nothing of that can be drawn, what collides stands for it. A link with nothing to be
   seen is not seen: what collides may be much larger than it. */
static tr_status read_solids(urdf *it, uint32_t link)
{
    static const char *const kinds[] = {"visual", "collision"};
    const tr_xml *xml = it->model->xml;
    const bool seen = tr_xml_first(xml, it->parts[link].node, kinds[0]) != URDF_NONE;
    tr_status status = TR_OK;
    bool any = false;
    for (int kind = 0; kind < 2 && status == TR_OK; kind++) {
        const bool wanted = seen && !any;
        uint32_t node = tr_xml_first(xml, it->parts[link].node, kinds[kind]);
        for (; node != URDF_NONE && status == TR_OK; node = tr_xml_next(xml, node, kinds[kind])) {
            bool drawn = false;
            status = read_solid(it, link, node, wanted, &drawn);
            any = any || drawn;
            if (drawn && !seen)
                tr3_model_notice(it->model, node, NULL, "is not drawn: its <link> has no <visual>");
        }
    }
    return status;
}

/*
 * Joints of the scene
 */

static tr_status read_dynamics(const urdf *it, const urdf_joint *joint, tr3_joint_def *def)
{
    static const char *const known[] = {"damping", "friction", NULL};
    tr3_model *model = it->model;
    const uint32_t node = tr_xml_first(model->xml, joint->node, "dynamics");
    double damping = 0.0, friction = 0.0;
    float coefficient = 0.0f;
    if (node == URDF_NONE)
        return TR_OK;
    tr3_model_known(model, node, known, nothing);
    tr_status status = tr3_model_number(model, node, "damping", &damping);
    if (status == TR_OK)
        status = tr3_model_number(model, node, "friction", &friction);
    if (status == TR_OK)
        status = tr3_model_size(model, node, "damping", damping, &coefficient);
    if (status == TR_OK)
        status = tr3_model_size(model, node, "friction", friction, &def->friction);
    /* a spring without stiffness */
    if (status == TR_OK && coefficient > 0.0f)
        def->spring = (tr_spring){true, 0.0f, tr_physical(0.0f, coefficient)};
    return status;
}

/* what acts along each of the three coordinates; limits and effort would be those of one */
static tr_status read_planar(const urdf *it, const urdf_joint *joint, tr3_joint_def *def)
{
    tr3_model *model = it->model;
    const uint32_t limit = tr_xml_first(model->xml, joint->node, "limit");
    if (limit != URDF_NONE)
        tr3_model_notice(model, limit, NULL, "is not read of a planar joint: it has three coordinates");
    tr_status status = read_dynamics(it, joint, def);
    def->second.friction = def->third.friction = def->friction;
    def->second.spring = def->third.spring = def->spring;
    return status;
}

static tr_status make_joint(urdf *it, urdf_joint *joint)
{
    tr3_model *model = it->model;
    const tr_xml *xml = model->xml;
    if (joint->merges || joint->type == URDF_FLOATING)
        return TR_OK;
    const tr3_joint_type type = joint->type == URDF_FIXED       ? TR3_JOINT_WELD
                                : joint->type == URDF_PRISMATIC ? TR3_JOINT_SLIDER
                                : joint->type == URDF_PLANAR    ? TR3_JOINT_PLANAR
                                                                : TR3_JOINT_HINGE;
    const tr3_frame in_parent = tr3_frame_in(&it->parts[joint->parent].frame, &joint->origin);
    tr3_scene_joint *made = NULL;
    joint->made = model->builder->scene->joint_count;
    tr_status status =
        tr3_model_joint(model, type, tr_xml_get(xml, joint->node, "name"), it->parts[joint->parent].body,
                        it->parts[joint->child].body, &in_parent, &it->parts[joint->child].frame, joint->axis, &made);
    if (status != TR_OK || type == TR3_JOINT_WELD)
        return status;
    if (type == TR3_JOINT_PLANAR)
        return read_planar(it, joint, &made->def);
    made->def.limit = joint->limit;
    if (joint->has_effort)
        made->def.motor.maximum = joint->effort;
    made->def.motor.speed = joint->speed;
    return read_dynamics(it, joint, &made->def);
}

static tr_status read_robot(urdf *it)
{
    static const char *const attributes[] = {"name", "version", NULL};
    static const char *const children[] = {"link", "joint", "material", NULL};
    tr3_model *model = it->model;
    tr3_scene *scene = model->builder->scene;
    tr3_model_known(model, 0, attributes, children);
    tr3_model_preset(scene);
    tr_status status = require(model, 0, "name");
    const char *name = tr_xml_get(model->xml, 0, "name");
    if (status == TR_OK && name[0] != '\0')
        status = tr_scene_copy_text(name, &scene->name, model->error);
    if (status == TR_OK && it->link_count == 0)
        status = tr3_model_fail(model, 0, NULL, "has no <link>");
    if (status == TR_OK)
        status = read_links(it);
    if (status == TR_OK)
        status = read_joints(it);
    if (status == TR_OK)
        status = tr3_urdf_read_mimics(it);
    if (status == TR_OK)
        status = tr3_urdf_spread(it);
    if (status == TR_OK)
        status = tr3_urdf_make_bodies(it);
    for (uint32_t i = 0; i < it->link_count && status == TR_OK; i++)
        status = read_solids(it, i);
    for (uint32_t i = 0; i < it->joint_count && status == TR_OK; i++)
        status = make_joint(it, &it->joints[i]);
    if (status == TR_OK)
        status = tr3_urdf_make_mimics(it);
    if (status == TR_OK)
        status = tr3_model_close_loops(model, it->parts, it->names, it->link_count, it->poses);
    if (model->options->keyframe != NULL && status == TR_OK)
        status = tr_scene_fail(model->error, TR_ERROR_RANGE, "there is no keyframe \"%.60s\": URDF has none",
                               model->options->keyframe);
    return status;
}

tr_status tr3_read_urdf(tr3_model *model)
{
    urdf it = {.model = model,
               .link_count = count_children(model->xml, "link"),
               .joint_count = count_children(model->xml, "joint")};
    const size_t links = (size_t)it.link_count + 1;
    it.links = calloc(links, sizeof *it.links);
    it.parts = calloc(links, sizeof *it.parts);
    it.names = calloc(links, sizeof *it.names);
    it.order = calloc(links, sizeof *it.order);
    it.poses = calloc(links, sizeof *it.poses);
    it.joints = calloc((size_t)it.joint_count + 1, sizeof *it.joints);
    tr_status status = TR_OK;
    if (it.links == NULL || it.parts == NULL || it.names == NULL || it.order == NULL || it.poses == NULL ||
        it.joints == NULL)
        status = tr_scene_fail(model->error, TR_ERROR_MEMORY, "not enough memory for the scene");
    else
        status = read_robot(&it);
    free(it.links);
    free(it.parts);
    free(it.names);
    free(it.order);
    free(it.poses);
    free(it.joints);
    return status;
}

#endif
