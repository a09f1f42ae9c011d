/* Writer of MJCF: equalities, tendons and actuators. */
#include "scene/export/export.h"

#ifdef TR_WITH_SCENES

#include <float.h>

/* a section begins with its first element */
typedef struct section {
    const char *name;
    bool begun;
} section;

static void begin(exporter *it, section *of, const char *element)
{
    if (!of->begun) {
        tr3_export_line(it, 1, "<");
        tr_text_append(&it->text, of->name);
        tr_text_append(&it->text, ">");
    }
    of->begun = true;
    tr3_export_line(it, 2, "<");
    tr_text_append(&it->text, element);
}

static void end(exporter *it, const section *of)
{
    if (!of->begun)
        return;
    tr3_export_line(it, 1, "</");
    tr_text_append(&it->text, of->name);
    tr_text_append(&it->text, ">");
}

/*
 * Equalities
 */

static void begin_pair(exporter *it, section *of, const char *element, uint32_t j, uint32_t part)
{
    const tr3_scene_joint *joint = &it->scene->joints[j];
    begin(it, of, element);
    tr3_export_word(it, "name", tr3_export_part_name(it, j, part));
    tr3_export_word(it, "body1", tr3_export_body_name(it, joint->body_a));
    tr3_export_word(it, "body2", tr3_export_body_name(it, joint->body_b));
    if (!joint->def.enabled)
        tr3_export_word(it, "active", "false");
}

static void put_connect(exporter *it, section *of, uint32_t j, uint32_t part, tr_dvec3 anchor)
{
    begin_pair(it, of, "connect", j, part);
    tr3_export_vec(it, "anchor", anchor);
    tr_text_append(&it->text, "/>");
}

static void put_weld(exporter *it, section *of, uint32_t j)
{
    const tr3_joint_def *def = &it->scene->joints[j].def;
    const tr3_dquat turn = tr3_normalised(tr3_widen_quat(def->reference));
    const tr_dvec3 at = tr3_minus(tr3_widen(def->anchor_a), tr3_turned(turn, tr3_widen(def->anchor_b)));
    const double pose[7] = {at.x, at.y, at.z, turn.w, turn.x, turn.y, turn.z};
    begin_pair(it, of, "weld", j, 0);
    tr3_export_numbers(it, "relpose", pose, 7);
    tr_text_append(&it->text, "/>");
}

/* a hinge that closes a loop: two points of its axis, as far from the anchor as the centre of B is, or else 0.1 m */
static void put_hinge(exporter *it, section *of, uint32_t j)
{
    const tr3_scene_joint *joint = &it->scene->joints[j];
    const tr_dvec3 anchor = tr3_widen(joint->def.anchor_a), axis = tr3_widen(joint->def.axis);
    const tr_dvec3 off =
        tr3_minus(tr3_widen(it->scene->bodies[joint->body_b].def.center), tr3_widen(joint->def.anchor_b));
    const double away = sqrt(tr3_dot(off, off)), length = sqrt(tr3_dot(axis, axis));
    const tr_dvec3 arm = tr3_times((away > 1e-3 ? away : 0.1) / (length > 0.0 ? length : 1.0), axis);
    tr3_lose_joint(it, j, "a hinge that closes a loop is written as two balls on its axis, without what acts on it");
    put_connect(it, of, j, 0, tr3_plus(anchor, arm));
    put_connect(it, of, j, 1, tr3_minus(anchor, arm));
}

/* the two sides of a gear, as parts of joints; false if there are none, with a notice */
typedef struct sides {
    const char *a, *b;
    double of_b, ratio; /* of_b b + ratio a is held, of the coordinates of the file; */
    double start, gap;  /* what it is at the start, and how much more it is to be */
} sides;

static bool find_sides(exporter *it, uint32_t j, sides *out)
{
    const tr3_scene_joint *gear = &it->scene->joints[j];
    bool backward[2] = {false, false};
    uint32_t body[2];
    const export_axis *axis[2] = {NULL, NULL};
    const char *names[2];
    for (uint32_t side = 0; side < 2; side++) {
        axis[side] = tr3_export_side(it, gear, side, &body[side], &backward[side]);
        if (axis[side] == NULL) {
            tr3_lose_joint(it, j, "a gear whose two sides are not hinges or sliders is not written");
            return false;
        }
        const export_limb *limb = &it->limbs[body[side]];
        names[side] = tr3_export_part_name(it, limb->joint, (uint32_t)(axis[side] - limb->axes));
    }
    out->a = names[0];
    out->b = names[1];
    out->of_b = backward[1] ? -1.0 : 1.0;
    out->ratio = (backward[0] ? -1.0 : 1.0) * (double)gear->def.ratio;
    out->start = out->ratio * axis[0]->start + out->of_b * axis[1]->start;
    out->gap = tr3_export_gear_gap(it, gear);
    return true;
}

static void put_gear(exporter *it, section *of, uint32_t j)
{
    sides s;
    if (it->scene->joints[j].def.angular.kind != TR_RIGID || !find_sides(it, j, &s))
        return;
    if (fabs(s.gap) > EXPORT_GAP)
        tr3_lose_joint(it, j, "the offset of a gear is not written: it keeps the one that it starts with");
    const double polynomial[5] = {0.0, -s.ratio * s.of_b, 0.0, 0.0, 0.0};
    begin(it, of, "joint");
    tr3_export_word(it, "name", tr3_export_part_name(it, j, 0));
    tr3_export_word(it, "joint1", s.b);
    tr3_export_word(it, "joint2", s.a);
    tr3_export_numbers(it, "polycoef", polynomial, 5);
    if (!it->scene->joints[j].def.enabled)
        tr3_export_word(it, "active", "false");
    tr_text_append(&it->text, "/>");
}

/* what acts on a joint that is an equality */
static void lose_of_pair(exporter *it, uint32_t j)
{
    const tr3_joint_def *def = &it->scene->joints[j].def;
    bool acts = def->friction > 0.0f || def->twist.enable || def->cone_angle < 3.14159f || def->cone_angle_2 > 0.0f;
    acts = acts || !(def->angular.kind == TR_FREQUENCY && def->angular.a == 0.0f);
    for (uint32_t k = 0; k < 3; k++)
        acts = acts || tr3_def_features(def, k).spring.enable || tr3_def_features(def, k).motor.enable;
    if (def->type == TR3_JOINT_BALL && acts)
        tr3_lose_joint(it, j, "what acts on a ball that closes a loop is not written");
}

static void put_equality(exporter *it, section *of, uint32_t j)
{
    const tr3_scene_joint *joint = &it->scene->joints[j];
    const tr3_joint_type type = joint->def.type;
    if (type == TR3_JOINT_GEAR)
        put_gear(it, of, j);
    else if (it->limb_of[j] != EXPORT_NONE || tr3_export_rotor(it, j) != NULL)
        return;
    else if (!tr3_export_moves(it, joint->body_a) && !tr3_export_moves(it, joint->body_b))
        tr3_lose_joint(it, j, "is between bodies that do not move, and not written");
    else if (type == TR3_JOINT_WELD)
        put_weld(it, of, j);
    else if (type == TR3_JOINT_BALL) {
        put_connect(it, of, j, 0, tr3_widen(joint->def.anchor_a));
        lose_of_pair(it, j);
    } else if (!joint->def.enabled)
        tr3_lose_joint(it, j, "is off, and not written");
    else if (type == TR3_JOINT_HINGE)
        put_hinge(it, of, j);
    else
        tr3_lose_joint(it, j, "%s %s %s is not written: MJCF has none", type == TR3_JOINT_INERTER ? "an" : "a",
                       tr3_joint_type_name(type),
                       type == TR3_JOINT_SLIDER || type == TR3_JOINT_CYLINDRICAL || type == TR3_JOINT_UNIVERSAL ||
                               type == TR3_JOINT_PLANAR || type == TR3_JOINT_GENERAL || type == TR3_JOINT_SCREW
                           ? "that closes a loop or faces away from the root"
                           : "joint");
}

/*
 * Tendons: gears with a spring
 */
static void put_tendon(exporter *it, section *of, uint32_t j)
{
    const tr3_joint_def *def = &it->scene->joints[j].def;
    sides s;
    if (def->type != TR3_JOINT_GEAR || def->angular.kind == TR_RIGID)
        return;
    if (def->angular.kind != TR_PHYSICAL || !def->enabled) {
        tr3_lose_joint(it, j, "a soft gear that is off, or not given by stiffness and damping, is not written");
        return;
    }
    if (!find_sides(it, j, &s))
        return;
    /* a length below 0 says nothing, so both may count backward */
    const double length = s.start + s.gap, sign = length < 0.0 ? -1.0 : 1.0;
    begin(it, of, "fixed");
    tr3_export_word(it, "name", tr3_export_part_name(it, j, 0));
    tr3_export_number(it, "stiffness", (double)def->angular.a);
    tr3_export_number(it, "damping", (double)def->angular.b);
    if (fabs(s.gap) > 1e-9)
        tr3_export_number(it, "springlength", sign * length);
    tr_text_append(&it->text, ">");
    tr3_export_line(it, 3, "<joint");
    tr3_export_word(it, "joint", s.a);
    tr3_export_number(it, "coef", sign * s.ratio);
    tr_text_append(&it->text, "/>");
    tr3_export_line(it, 3, "<joint");
    tr3_export_word(it, "joint", s.b);
    tr3_export_number(it, "coef", sign * s.of_b);
    tr_text_append(&it->text, "/>");
    tr3_export_line(it, 2, "</fixed>");
}

/*
 * Actuators
 */

bool tr3_mjcf_is_servo(const tr3_features *f)
{
    return f->spring.enable && f->spring.softness.kind == TR_PHYSICAL && f->spring.target == 0.0f &&
           (f->spring_force.lower != 0.0f || f->spring_force.upper != 0.0f);
}

/* MuJoCo takes bounds of 0 for none, so that a motor without force cannot be said */
static void put_motor(exporter *it, section *of, uint32_t joint, const char *name, const tr_motor *motor)
{
    const double most = tr3_export_bound(it, joint, (double)motor->maximum);
    const bool bounded = motor->maximum < FLT_MAX;
    if (bounded && !(motor->maximum > 0.0f))
        tr3_lose_joint(it, joint, "a motor without force is not written");
    else if (motor->enable || bounded) {
        begin(it, of, motor->enable ? "velocity" : "motor");
        tr3_export_word(it, "joint", name);
        if (bounded)
            tr3_export_numbers(it, motor->enable ? "forcerange" : "ctrlrange", (const double[2]){-most, most}, 2);
        tr_text_append(&it->text, "/>");
    }
}

static void put_actuators(exporter *it, section *of, uint32_t body)
{
    const export_limb *limb = &it->limbs[body];
    for (uint32_t k = 0; k < limb->count; k++) {
        const tr3_features f = tr3_def_features(&it->scene->joints[limb->joint].def, limb->axes[k].coordinate);
        const char *name = tr3_export_part_name(it, limb->joint, k);
        put_motor(it, of, limb->joint, name, &f.motor);
        if (!tr3_mjcf_is_servo(&f))
            continue;
        const double force[2] = {tr3_export_bound(it, limb->joint, (double)f.spring_force.lower),
                                 tr3_export_bound(it, limb->joint, (double)f.spring_force.upper)};
        begin(it, of, "position");
        tr3_export_word(it, "joint", name);
        tr3_export_number(it, "kp", (double)f.spring.softness.a);
        tr3_export_number(it, "kv", (double)f.spring.softness.b);
        tr3_export_numbers(it, "forcerange", force, 2);
        tr_text_append(&it->text, "/>");
    }
}

tr_status tr3_write_mjcf_more(exporter *it)
{
    section equality = {"equality", false}, tendon = {"tendon", false}, actuator = {"actuator", false};
    tr_status status = TR_OK;
    for (uint32_t j = 0; j < it->scene->joint_count && status == TR_OK; j++) {
        put_equality(it, &equality, j);
        status = tr3_export_explain(it, "joints", j);
    }
    end(it, &equality);
    for (uint32_t j = 0; j < it->scene->joint_count && status == TR_OK; j++) {
        put_tendon(it, &tendon, j);
        status = tr3_export_explain(it, "joints", j);
    }
    end(it, &tendon);
    for (uint32_t j = 0; j < it->scene->joint_count && status == TR_OK; j++) {
        if (it->limb_of[j] != EXPORT_NONE)
            put_actuators(it, &actuator, it->limb_of[j]);
        status = tr3_export_explain(it, "joints", j);
    }
    end(it, &actuator);
    return status;
}

#endif
