/* MJCF: what has to do with the inertia that joints move. */
#include "scene/space/mjcf.h"

#ifdef TR_WITH_XML

#include <math.h>
#include <stdio.h>

/*
 * Springs by their time constant and damping ratio: of the inertia that the joint moves, as the file has the bodies
 */

/* that of a body about an axis through a point of the world */
static double inertia_about(const tr3_frame *pose, const tr3_mass *mass, tr_dvec3 at, tr_dvec3 axis)
{
    const tr3_mass m = tr3_mass_in(pose, mass);
    const tr_dvec3 n = axis, arm = tr3_cross(n, tr3_minus(m.center, at));
    const tr_dsym3 *i = &m.inertia;
    const double own = i->xx * n.x * n.x + i->yy * n.y * n.y + i->zz * n.z * n.z +
                       2.0 * (i->xy * n.x * n.y + i->xz * n.x * n.z + i->yz * n.y * n.z);
    return own + m.mass * tr3_dot(arm, arm);
}

static bool hangs_on(const mjcf *it, uint32_t body, uint32_t on)
{
    while (body > on)
        body = it->bodies[body].parent;
    return body == on;
}

/* of a ball, the mean about three axes */
static double moved_inertia(const mjcf *it, uint32_t body, const mjcf_joint *joint)
{
    static const tr_dvec3 all[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const tr3_frame *frame = &it->rest[body];
    const tr_dvec3 at = tr3_plus(frame->at, tr3_turned(frame->turn, joint->pos));
    const tr_dvec3 axis = tr3_turned(frame->turn, joint->axis);
    double sum = 0.0;
    for (uint32_t b = body; b < it->body_count; b++) {
        const tr3_mass *mass = &it->bodies[b].mass;
        if (!hangs_on(it, b, body))
            continue;
        for (int i = 0; i < 3 && joint->type == MJCF_BALL; i++)
            sum += inertia_about(&it->rest[b], mass, at, all[i]) / 3.0;
        if (joint->type == MJCF_HINGE)
            sum += inertia_about(&it->rest[b], mass, at, axis);
        if (joint->type == MJCF_SLIDE)
            sum += mass->mass;
    }
    return sum + joint->armature;
}

void tr3_mjcf_tune_springs(mjcf *it)
{
    for (uint32_t body = 1; body < it->body_count; body++)
        for (uint32_t i = 0; i < it->bodies[body].count; i++) {
            mjcf_joint *joint = &it->joints[it->bodies[body].first_joint + i];
            const double time = joint->tuned[0], ratio = joint->tuned[1];
            if (!(time > 0.0 && ratio > 0.0))
                continue;
            const double inertia = moved_inertia(it, body, joint);
            joint->stiffness = inertia / fmax(time * time * ratio * ratio, 1e-15);
            joint->damping = 2.0 * inertia / fmax(time, 1e-15);
        }
}

/*
 * Armature
 */

/* The axis of a coordinate whose rate is that about or along an axis of A, or about one of B; false: it is none. */
typedef struct rotor {
    tr_vec3 axis;
    bool slides, of_b;
} rotor;

static bool find_rotor(const tr3_joint_def *def, uint32_t coordinate, rotor *out)
{
    const tr_dvec3 x = tr3_widen(def->axis), y = tr3_widen(def->axis_2), z = tr3_cross(x, y);
    const tr_dvec3 frame[3] = {x, y, z};
    const tr3_dquat back = tr3_conjugate(tr3_normalised(tr3_widen_quat(def->reference)));
    uint32_t slides = 0, k = coordinate; /* the coordinate of a general joint that it is like */
    switch (def->type) {
    case TR3_JOINT_HINGE:
        k = 3;
        break;
    case TR3_JOINT_SLIDER:
        break;
    case TR3_JOINT_UNIVERSAL:
        k = 3 + coordinate;
        break;
    case TR3_JOINT_CYLINDRICAL:
        k = coordinate == 0 ? 0 : 3;
        break;
    case TR3_JOINT_PLANAR:
        k = 1 + coordinate;
        break;
    case TR3_JOINT_GENERAL:
        /* three angles turn each other */
        if (k > 2 && !def->fourth.locked && !def->fifth.locked && !def->sixth.locked)
            return false;
        break;
    default:
        return false;
    }
    slides = k < 3;
    if (k > 4)
        return false;
    *out = (rotor){tr3_narrow(slides || k == 3 ? frame[k % 3] : tr3_turned(back, y)), slides != 0, k == 4};
    return true;
}

tr_status tr3_mjcf_make_armature(mjcf *it, const mjcf_joint *joint)
{
    tr3_model *model = it->model;
    tr3_scene_joint *made = NULL;
    rotor r;
    if (!(joint->armature > 0.0))
        return TR_OK;
    const bool found = find_rotor(&model->builder->scene->joints[joint->made].def, joint->coordinate, &r);
    if (!found || joint->type == MJCF_BALL) {
        tr3_model_notice(model, tr3_mjcf_holder(it, &joint->at, "armature"), "armature",
                         "is simulated only of hinges and slides, and not of three hinges that are one joint");
        return TR_OK;
    }
    float inertance = 0.0f;
    tr_status status = tr3_model_size(model, joint->at.node, "armature", joint->armature, &inertance);
    if (status == TR_OK)
        status = tr3_builder_joint(model->builder, TR3_JOINT_INERTER, &made, model->error);
    if (status != TR_OK)
        return status;
    const tr3_scene_joint *of = &model->builder->scene->joints[joint->made];
    made->body_a = r.of_b ? of->body_b : of->body_a;
    made->body_b = r.of_b ? of->body_a : of->body_b;
    made->def.anchor_a = r.of_b ? of->def.anchor_b : of->def.anchor_a;
    made->def.anchor_b = r.of_b ? of->def.anchor_a : of->def.anchor_b;
    made->def.axis = r.axis;
    made->def.slides_b = r.slides;
    made->def.inertance = inertance;
    if (joint->name == NULL || joint->name[0] == '\0')
        return TR_OK;
    char name[96];
    snprintf(name, sizeof name, "armature of %.60s", joint->name);
    tr_scene_tidy(name);
    return tr_scene_copy_text(name, &made->name, model->error);
}

#endif
