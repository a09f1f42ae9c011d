/* MJCF: joints and poses. */
#include "scene/space/mjcf.h"

#ifdef TR_WITH_XML

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solver/space/definitions.h"

/*
 * Reading
 */
static tr_status keep_joint(mjcf *it, const mjcf_joint *joint)
{
    void *array = it->joints;
    tr_status status =
        tr_scene_grow(&array, &it->joint_capacity, it->joint_count + 1, sizeof *it->joints, it->model->error);
    it->joints = array;
    if (status == TR_OK)
        it->joints[it->joint_count++] = *joint;
    return status;
}

static tr_status read_type(const mjcf *it, const mjcf_at *at, mjcf_joint_type *out)
{
    static const char *const names[MJCF_JOINT_TYPE_COUNT] = {
        [MJCF_FREE] = "free", [MJCF_BALL] = "ball", [MJCF_SLIDE] = "slide", [MJCF_HINGE] = "hinge"};
    const uint32_t node = tr3_mjcf_holder(it, at, "type");
    *out = MJCF_HINGE;
    if (node == MJCF_NONE)
        return TR_OK;
    const char *name = tr_xml_get(it->model->xml, node, "type");
    for (uint32_t i = 0; i < MJCF_JOINT_TYPE_COUNT; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (mjcf_joint_type)i;
            return TR_OK;
        }
    }
    return tr3_model_fail(it->model, node, "type", "expected free, ball, slide or hinge, found \"%.30s\"", name);
}

/* numbers that must not be negative */
static tr_status read_not_negative(const mjcf *it, const mjcf_at *at, const char *attribute, double *out)
{
    tr_status status = tr3_mjcf_number(it, at, attribute, out);
    if (status == TR_OK && *out < 0.0)
        return tr3_model_fail(it->model, tr3_mjcf_holder(it, at, attribute), attribute,
                              "expected a number from 0, found %g", *out);
    return status;
}

static tr_status read_range(const mjcf *it, mjcf_joint *joint)
{
    const mjcf_at *at = &joint->at;
    uint32_t count = 0;
    tr_status status = tr3_mjcf_range(it, at, "range", "limited", joint->range, &count, &joint->limited);
    if (status == TR_OK && joint->limited && count == 0)
        return tr3_model_fail(it->model, at->node, "range", "is missing: the joint is limited");
    return status;
}

static tr_status read_numbers(const mjcf *it, mjcf_joint *joint)
{
    const mjcf_at *at = &joint->at;
    double pos[3] = {0.0, 0.0, 0.0}, axis[3] = {0.0, 0.0, 1.0};
    tr_status status = tr3_mjcf_numbers(it, at, "pos", 3, 3, pos, NULL);
    if (status == TR_OK)
        status = tr3_mjcf_numbers(it, at, "axis", 3, 3, axis, NULL);
    if (status == TR_OK)
        status = read_range(it, joint);
    if (status == TR_OK)
        status = tr3_mjcf_number(it, at, "ref", &joint->reference);
    if (status == TR_OK)
        status = tr3_mjcf_number(it, at, "springref", &joint->rest);
    if (status == TR_OK)
        status = read_not_negative(it, at, "stiffness", &joint->stiffness);
    if (status == TR_OK)
        status = read_not_negative(it, at, "damping", &joint->damping);
    if (status == TR_OK)
        status = read_not_negative(it, at, "frictionloss", &joint->friction);
    if (status == TR_OK)
        status = read_not_negative(it, at, "armature", &joint->armature);
    if (status == TR_OK)
        status = tr3_mjcf_numbers(it, at, "springdamper", 2, 2, joint->tuned, NULL);
    if (status != TR_OK)
        return status;
    const tr_dvec3 direction = {axis[0], axis[1], axis[2]};
    const double length = sqrt(tr3_dot(direction, direction));
    if (!(length > 1e-15) && joint->type != MJCF_BALL)
        return tr3_model_fail(it->model, tr3_mjcf_holder(it, at, "axis"), "axis", "is zero: it has no direction");
    joint->pos = (tr_dvec3){pos[0], pos[1], pos[2]};
    joint->axis = joint->type != MJCF_BALL ? tr3_over(direction, length) : (tr_dvec3){0.0, 0.0, 1.0};
    return TR_OK;
}

/* what says how soft limits and friction are is of no use here */
const char *const tr3_mjcf_joint_known[] = {"name",
                                            "class",
                                            "type",
                                            "group",
                                            "pos",
                                            "axis",
                                            "solreflimit",
                                            "solimplimit",
                                            "solreffriction",
                                            "solimpfriction",
                                            "stiffness",
                                            "range",
                                            "limited",
                                            "actuatorfrcrange",
                                            "actuatorfrclimited",
                                            "margin",
                                            "ref",
                                            "springref",
                                            "armature",
                                            "damping",
                                            "frictionloss",
                                            "springdamper",
                                            "user",
                                            NULL};

tr_status tr3_mjcf_read_joint(mjcf *it, uint32_t node, uint32_t body, uint32_t class, const tr3_frame *around)
{
    static const char *const none[] = {NULL};
    static const char *const free_known[] = {"name", "group", "align", NULL};
    tr3_model *model = it->model;
    const bool free = tr_xml_is(model->xml, node, "freejoint");
    mjcf_joint joint = {.name = tr_xml_get(model->xml, node, "name"), .type = MJCF_FREE, .made = MJCF_NONE};
    tr3_model_known(model, node, free ? free_known : tr3_mjcf_joint_known, none);
    tr_status status = tr3_mjcf_at_of(it, free ? MJCF_OTHER : MJCF_JOINT, node, class, &joint.at);
    if (status == TR_OK && !free)
        status = read_type(it, &joint.at, &joint.type);
    if (status != TR_OK)
        return status;
    mjcf_body *of = &it->bodies[body];
    if (body == 0)
        return tr3_model_fail(model, node, NULL, "the world has a joint: it cannot move");
    if (of->moves_by_itself)
        return tr3_model_fail(model, node, NULL, "the body is mocap: it has no joints");
    if (joint.type == MJCF_FREE && (of->parent != 0 || of->count > 0))
        return tr3_model_fail(model, node, NULL, "is free: only a body of the world without other joints can be");
    if (of->free_joint != MJCF_NONE)
        return tr3_model_fail(model, node, NULL, "the body has a free joint, and no other");
    of->freedoms += joint.type == MJCF_FREE ? 6 : joint.type == MJCF_BALL ? 3 : 1;
    if (of->freedoms > 6)
        return tr3_model_fail(model, node, NULL, "the body has more than six degrees of freedom");
    joint.qpos = it->qpos_count;
    it->qpos_count += joint.type == MJCF_FREE ? 7 : joint.type == MJCF_BALL ? 4 : 1;
    if (joint.type == MJCF_FREE) {
        of->free_joint = it->joint_count;
        status = read_not_negative(it, &joint.at, "armature", &joint.armature);
        if (joint.armature > 0.0)
            tr3_model_notice(model, tr3_mjcf_holder(it, &joint.at, "armature"), "armature",
                             "is not simulated of a free joint");
    } else {
        of->count++;
        status = read_numbers(it, &joint);
    }
    /* a <frame> around it */
    joint.pos = tr3_plus(around->at, tr3_turned(around->turn, joint.pos));
    joint.axis = tr3_turned(around->turn, joint.axis);
    if (joint.type == MJCF_HINGE || joint.type == MJCF_BALL)
        for (int i = 0; i < 2; i++)
            joint.range[i] *= it->angle;
    if (joint.type == MJCF_HINGE) {
        joint.reference *= it->angle;
        joint.rest *= it->angle;
    }
    return status == TR_OK ? keep_joint(it, &joint) : status;
}

/*
 * Poses
 */

/* turns a frame about a point of it */
static tr3_frame turned_about(const tr3_frame *frame, tr_dvec3 pos, tr3_dquat turn)
{
    const tr3_dquat now = tr3_normalised(tr3_compose(frame->turn, turn));
    const tr_dvec3 place = tr3_plus(frame->at, tr3_turned(frame->turn, pos));
    return (tr3_frame){tr3_minus(place, tr3_turned(now, pos)), now};
}

tr3_frame tr3_mjcf_pose(const mjcf *it, uint32_t body, const tr3_frame *parent, const double *qpos, uint32_t joints)
{
    const mjcf_body *of = &it->bodies[body];
    tr3_frame pose = tr3_frame_in(parent, &of->local);
    if (qpos == NULL)
        return pose;
    if (of->free_joint != MJCF_NONE) {
        const double *q = qpos + it->joints[of->free_joint].qpos;
        return (tr3_frame){{q[0], q[1], q[2]}, tr3_normalised((tr3_dquat){q[4], q[5], q[6], q[3]})};
    }
    for (uint32_t i = 0; i < joints && i < of->count; i++) {
        const mjcf_joint *joint = &it->joints[of->first_joint + i];
        const double *q = qpos + joint->qpos, moved = q[0] - joint->reference;
        if (joint->type == MJCF_SLIDE)
            pose.at = tr3_plus(pose.at, tr3_turned(pose.turn, tr3_times(moved, joint->axis)));
        else
            pose = turned_about(&pose, joint->pos,
                                joint->type == MJCF_HINGE ? tr3_turn_about(joint->axis, moved)
                                                          : tr3_normalised((tr3_dquat){q[1], q[2], q[3], q[0]}));
    }
    return pose;
}

/*
 * Making
 */

static tr_status set_spring(const mjcf *it, const mjcf_joint *joint, tr_softness *out)
{
    float stiffness = 0.0f, damping = 0.0f;
    tr_status status = tr3_model_size(it->model, joint->at.node, "stiffness", joint->stiffness, &stiffness);
    if (status == TR_OK)
        status = tr3_model_size(it->model, joint->at.node, "damping", joint->damping, &damping);
    *out = tr_physical(stiffness, damping);
    return status;
}

static tr_status set_ball(const mjcf *it, const mjcf_joint *joint, tr3_joint_def *def)
{
    const bool sprung = joint->stiffness > 0.0 || joint->damping > 0.0;
    tr_status status = sprung ? set_spring(it, joint, &def->angular) : TR_OK;
    if (status == TR_OK)
        status = tr3_model_size(it->model, joint->at.node, "frictionloss", joint->friction, &def->friction);
    if (status != TR_OK || !joint->limited)
        return status;
    const float most = (float)fmin(joint->range[1], 3.14159);
    tr3_model_notice(it->model, tr3_mjcf_holder(it, &joint->at, "range"), "range",
                     "limits the lean and the twist of a ball, each by itself");
    if (most < 0.0f)
        return tr3_model_fail(it->model, tr3_mjcf_holder(it, &joint->at, "range"), "range",
                              "expected a number from 0, found %g", joint->range[1]);
    def->cone_angle = most;
    def->twist = (tr_limit){true, -most, most};
    return TR_OK;
}

static tr_status set_features(const mjcf *it, const mjcf_joint *joint, tr3_joint_def *def)
{
    if (joint->type == MJCF_BALL)
        return set_ball(it, joint, def);
    tr3_features f = tr3_def_features(def, joint->coordinate);
    const double lower = joint->range[0] - joint->reference, upper = joint->range[1] - joint->reference;
    tr_status status = TR_OK;
    f.locked = false;
    if (joint->limited)
        f.limit =
            (tr_limit){true, (float)(joint->backward ? -upper : lower), (float)(joint->backward ? -lower : upper)};
    if (joint->stiffness > 0.0 || joint->damping > 0.0) {
        const double rest = joint->stiffness > 0.0 ? joint->rest - joint->reference : 0.0;
        f.spring.enable = true;
        f.spring.target = (float)(joint->backward ? -rest : rest);
        status = set_spring(it, joint, &f.spring.softness);
    }
    if (status == TR_OK)
        status = tr3_model_size(it->model, joint->at.node, "frictionloss", joint->friction, &f.friction);
    tr3_def_set_features(def, joint->coordinate, f);
    return status;
}

/* the names of joints that are one, with a + between them; "": none has a name */
static void join_names(const mjcf_joint *joint, uint32_t count, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < count && used < size; i++) {
        if (joint[i].name != NULL && joint[i].name[0] != '\0')
            used += (size_t)snprintf(out + used, size - used, "%s%.60s", used > 0 ? "+" : "", joint[i].name);
    }
    tr_scene_tidy(out);
}

/* one joint of the scene, between bodies a and b, for some of the file */
static tr_status make_joined(mjcf *it, mjcf_joint *joint, const mjcf_joined *as, uint32_t a, uint32_t b,
                             const tr3_frame *in_a)
{
    const tr3_frame pivot = {as->pos, {0.0, 0.0, 0.0, 1.0}};
    char names[200];
    join_names(joint, as->count, names, sizeof names);
    const uint32_t made_at = it->model->builder->scene->joint_count;
    tr3_scene_joint *made = NULL;
    tr_status status =
        tr3_model_joint(it->model, as->type, as->count > 1 ? names : joint->name, a, b, in_a, &pivot, as->x, &made);
    if (status != TR_OK)
        return status;
    const bool ball = as->count > 1 && as->type == TR3_JOINT_BALL;
    if (ball)
        tr3_model_notice(it->model, joint->at.node, NULL, "three free hinges through a point are one ball");
    else if (as->count > 1)
        made->def.axis_2 = tr3_narrow(tr3_turned(in_a->turn, as->y));
    for (uint32_t i = 0; i < as->count && status == TR_OK; i++) {
        joint[i].made = made_at;
        joint[i].coordinate = as->coordinate[i];
        joint[i].backward = as->backward[i];
        if (!ball)
            status = set_features(it, &joint[i], &made->def);
    }
    for (uint32_t i = 0; i < as->count && status == TR_OK; i++)
        status = tr3_mjcf_make_armature(it, &joint[i]);
    return status;
}

tr_status tr3_mjcf_make_joints(mjcf *it, uint32_t body)
{
    const mjcf_body *of = &it->bodies[body];
    const tr3_model_part *parent = &it->parts[of->parent];
    tr_status status = TR_OK;
    uint32_t number = 0;
    for (uint32_t i = 0; i < of->count && status == TR_OK; number++) {
        const mjcf_joined as = tr3_mjcf_joined(it, of, i);
        const uint32_t next = i + as.count;
        const tr3_frame pivot = {as.pos, {0.0, 0.0, 0.0, 1.0}};
        /* bodies and carriers of one body have the same frame, as the file has them */
        const tr3_frame base = tr3_frame_in(&parent->frame, &of->local);
        const tr3_frame in_a = i == 0 ? tr3_frame_in(&base, &pivot) : pivot;
        const uint32_t a = i == 0 ? parent->body : of->first_carrier + number - 1;
        const uint32_t b = next == of->count ? it->parts[body].body : of->first_carrier + number;
        status = make_joined(it, &it->joints[of->first_joint + i], &as, a, b, &in_a);
        i = next;
    }
    /* bodies that do not move by joints: a weld to the parent */
    if (of->count == 0 && of->free_joint == MJCF_NONE && !of->moves_by_itself) {
        const tr3_frame in_a = tr3_frame_in(&parent->frame, &of->local);
        tr3_scene_joint *made = NULL;
        status = tr3_model_joint(it->model, TR3_JOINT_WELD, NULL, parent->body, it->parts[body].body, &in_a,
                                 &tr3_frame_same, (tr_dvec3){1.0, 0.0, 0.0}, &made);
    }
    return status;
}

#endif
