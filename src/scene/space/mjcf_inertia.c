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

/* An inerter of one coordinate of a joint, or of a rotation of a ball. */
typedef struct rotor {
    tr_vec3 axis, axis_b;
    bool slides, across;
    bool of_b; /* its A is the joint's B */
} rotor;

/* which coordinate of a general joint it is like */
static uint32_t find_coordinate(const tr3_joint_def *def, uint32_t coordinate)
{
    switch (def->type) {
    case TR3_JOINT_HINGE:
        return 3;
    case TR3_JOINT_UNIVERSAL:
        return 3 + coordinate;
    case TR3_JOINT_CYLINDRICAL:
        return coordinate == 0 ? 0 : 3;
    case TR3_JOINT_PLANAR:
        return 1 + coordinate;
    default:
        /* a slider or a general joint (tr3_mjcf_joined) */
        return coordinate;
    }
}

/* Of two angles one is about an axis of A, the other about one of B; of three each has the axes of both others. */
static void find_rotor(const tr3_joint_def *def, uint32_t coordinate, rotor *out)
{
    const tr_dvec3 x = tr3_widen(def->axis), y = tr3_widen(def->axis_2), z = tr3_cross(x, y);
    const tr_dvec3 frame[3] = {x, y, z};
    const tr3_dquat back = tr3_conjugate(tr3_normalised(tr3_widen_quat(def->reference)));
    const uint32_t k = find_coordinate(def, coordinate);
    *out = (rotor){.slides = k < 3};
    if (def->type == TR3_JOINT_GENERAL && k > 2 && !def->fourth.locked && !def->fifth.locked && !def->sixth.locked) {
        const tr_vec3 first = def->axis, third = tr3_narrow(tr3_turned(back, z));
        out->of_b = k == 5;
        out->across = k == 4;
        out->axis = k == 5 ? third : first;
        out->axis_b = k == 5 ? first : third;
    } else if (k < 4) {
        out->axis = tr3_narrow(frame[k % 3]);
    } else {
        out->of_b = true;
        out->axis = tr3_narrow(tr3_turned(back, frame[k - 3]));
    }
}

static tr_status make_rotor(mjcf *it, const mjcf_joint *joint, const rotor *r, const char *about)
{
    tr3_model *model = it->model;
    tr3_scene_joint *made = NULL;
    float inertance = 0.0f;
    tr_status status = tr3_model_size(model, joint->at.node, "armature", joint->armature, &inertance);
    if (status == TR_OK)
        status = tr3_builder_joint(model->builder, TR3_JOINT_INERTER, &made, model->error);
    if (status != TR_OK)
        return status;
    const tr3_scene_joint *of = &model->builder->scene->joints[joint->made];
    made->body_a = r->of_b ? of->body_b : of->body_a;
    made->body_b = r->of_b ? of->body_a : of->body_b;
    made->def.anchor_a = r->of_b ? of->def.anchor_b : of->def.anchor_a;
    made->def.anchor_b = r->of_b ? of->def.anchor_a : of->def.anchor_b;
    made->def.axis = r->axis;
    made->def.axis_b = r->axis_b;
    made->def.slides_b = r->slides;
    made->def.across = r->across;
    made->def.inertance = inertance;
    if (joint->name == NULL || joint->name[0] == '\0')
        return TR_OK;
    char name[96];
    snprintf(name, sizeof name, "armature of %.60s%s", joint->name, about);
    tr_scene_tidy(name);
    return tr_scene_copy_text(name, &made->name, model->error);
}

/* MuJoCo adds it to the inertia about each of three axes of the ball's body. */
static tr_status make_ball_rotors(mjcf *it, const mjcf_joint *joint)
{
    static const char *const about[3] = {" about x", " about y", " about z"};
    static const tr_vec3 axis[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    tr_status status = TR_OK;
    for (int i = 0; i < 3 && status == TR_OK; i++) {
        const rotor r = {.axis = axis[i], .of_b = true};
        status = make_rotor(it, joint, &r, about[i]);
    }
    return status;
}

tr_status tr3_mjcf_make_armature(mjcf *it, const mjcf_joint *joint)
{
    rotor r;
    if (!(joint->armature > 0.0))
        return TR_OK;
    if (joint->type == MJCF_BALL)
        return make_ball_rotors(it, joint);
    /* hinges with armature are no ball (mjcf_joined.c), and others have their coordinates */
    find_rotor(&it->model->builder->scene->joints[joint->made].def, joint->coordinate, &r);
    return make_rotor(it, joint, &r, "");
}

#endif
