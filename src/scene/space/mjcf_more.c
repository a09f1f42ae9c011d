/* MJCF: keyframes, equalities and actuators. */
#include "scene/space/mjcf.h"

#ifdef TR_WITH_XML

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/space/definitions.h"

/*
 * Keyframes
 */

/* quaternions of free joints and balls */
static tr_status check_turns(const mjcf *it, uint32_t node)
{
    for (uint32_t i = 0; i < it->joint_count; i++) {
        const mjcf_joint *joint = &it->joints[i];
        const double *q = it->qpos + joint->qpos + (joint->type == MJCF_FREE ? 3 : 0);
        if (joint->type != MJCF_FREE && joint->type != MJCF_BALL)
            continue;
        if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 1e-30))
            return tr3_model_fail(it->model, node, "qpos", "the rotation from number %u on is zero",
                                  joint->qpos + (joint->type == MJCF_FREE ? 4 : 1));
    }
    return TR_OK;
}

static tr_status read_key(mjcf *it, uint32_t node)
{
    static const char *const known[] = {"name", "qpos", "time", NULL}, *const none[] = {NULL};
    tr3_model *model = it->model;
    tr3_model_known(model, node, known, none);
    if (tr_xml_get(model->xml, node, "qpos") == NULL)
        return TR_OK;
    it->qpos = calloc((size_t)it->qpos_count + 1, sizeof *it->qpos);
    if (it->qpos == NULL)
        return tr_scene_fail(model->error, TR_ERROR_MEMORY, "not enough memory for the scene");
    tr_status status = tr3_model_numbers(model, node, "qpos", it->qpos_count, it->qpos_count, it->qpos, NULL);
    return status == TR_OK ? check_turns(it, node) : status;
}

tr_status tr3_mjcf_read_keyframe(mjcf *it)
{
    const tr_xml *xml = it->model->xml;
    const char *wanted = it->model->options->keyframe;
    if (wanted == NULL)
        return TR_OK;
    for (uint32_t list = tr_xml_first(xml, 0, "keyframe"); list != MJCF_NONE;
         list = tr_xml_next(xml, list, "keyframe")) {
        for (uint32_t node = tr_xml_first(xml, list, "key"); node != MJCF_NONE; node = tr_xml_next(xml, node, "key")) {
            const char *name = tr_xml_get(xml, node, "name");
            if (name != NULL && strcmp(name, wanted) == 0)
                return read_key(it, node);
        }
    }
    return tr_scene_fail(it->model->error, TR_ERROR_RANGE, "there is no keyframe \"%.60s\"", wanted);
}

/*
 * Equalities
 */

/* a body by the name that an attribute has; absent: the world, or an error. MJCF_NONE: one that is left out */
static tr_status find_body(const mjcf *it, const mjcf_at *at, const char *attribute, bool required, uint32_t *out)
{
    const char *name = tr3_mjcf_get(it, at, attribute);
    *out = 0;
    if (name == NULL)
        return required ? tr3_model_fail(it->model, at->node, attribute, "is missing") : TR_OK;
    *out = tr3_model_find(it->body_names, it->body_count, name);
    return *out != MJCF_NONE || it->lacks_bodies
               ? TR_OK
               : tr3_model_fail(it->model, at->node, attribute, "there is no body \"%.60s\"", name);
}

/* where B holds: as the file has the bodies, or as relpose says */
static tr_status read_relative(const mjcf *it, const mjcf_at *at, uint32_t a, uint32_t b, tr3_frame *out)
{
    double pose[7] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    const tr3_frame back = tr3_frame_inverse(&it->rest[a]);
    *out = tr3_frame_in(&back, &it->rest[b]);
    tr_status status = tr3_mjcf_numbers(it, at, "relpose", 7, 7, pose, NULL);
    const tr3_dquat turn = {pose[4], pose[5], pose[6], pose[3]};
    if (status == TR_OK && tr3_quat_square(turn) > 1e-30)
        *out = (tr3_frame){{pose[0], pose[1], pose[2]}, tr3_normalised(turn)};
    return status;
}

static tr_status make_equality(const mjcf *it, const mjcf_at *at, bool weld, uint32_t a, uint32_t b)
{
    const tr3_model_part *one = &it->parts[a], *other = &it->parts[b];
    tr3_frame held = tr3_frame_same, in_b = other->frame;
    double anchor[3] = {0.0, 0.0, 0.0};
    bool active = true;
    tr_status status = tr3_mjcf_flag(it, at, "active", true, &active);
    if (status == TR_OK && weld)
        status = read_relative(it, at, a, b, &held);
    else if (status == TR_OK) {
        if (tr3_mjcf_holder(it, at, "anchor") == MJCF_NONE)
            return tr3_model_fail(it->model, at->node, "anchor", "is missing");
        status = tr3_mjcf_numbers(it, at, "anchor", 3, 3, anchor, NULL);
        held.at = (tr_dvec3){anchor[0], anchor[1], anchor[2]};
        /* the same point of B */
        const tr3_frame in_world = tr3_frame_in(&it->rest[a], &held), back = tr3_frame_inverse(&it->rest[b]);
        const tr3_frame in_other = tr3_frame_in(&back, &in_world);
        in_b = tr3_frame_in(&other->frame, &in_other);
    }
    if (status != TR_OK)
        return status;
    const tr3_frame in_a = tr3_frame_in(&one->frame, &held);
    tr3_scene_joint *made = NULL;
    status = tr3_model_joint(it->model, weld ? TR3_JOINT_WELD : TR3_JOINT_BALL, tr3_mjcf_get(it, at, "name"), one->body,
                             other->body, &in_a, &in_b, (tr_dvec3){1.0, 0.0, 0.0}, &made);
    if (status == TR_OK)
        made->def.enabled = active;
    return status;
}

/* the joint that an attribute names; null: it is none that a gear can take, and a notice says so */
static tr_status read_coupled(mjcf *it, const mjcf_at *at, const char *which, const mjcf_joint **out)
{
    tr3_model *model = it->model;
    const char *name = tr3_mjcf_get(it, at, which);
    *out = NULL;
    if (name == NULL) {
        tr3_model_notice(model, at->node, which, "is missing: it is not simulated");
        return TR_OK;
    }
    const uint32_t found = tr3_model_find(it->joint_names, it->joint_count, name);
    if (found == MJCF_NONE && !it->lacks_bodies)
        return tr3_model_fail(model, at->node, which, "there is no joint \"%.60s\"", name);
    const uint32_t made = found != MJCF_NONE ? it->joints[found].made : MJCF_NONE;
    const tr3_joint_type type = made != MJCF_NONE ? model->builder->scene->joints[made].def.type : TR3_JOINT_BALL;
    if (type == TR3_JOINT_HINGE || type == TR3_JOINT_SLIDER)
        *out = &it->joints[found];
    else
        tr3_model_notice(model, at->node, which, "is no hinge or slider of its own: it is not simulated");
    return TR_OK;
}

/*
 * What couples two joints or two tendons: q1 = a0 + a1 q2
 */
tr_status tr3_mjcf_begin_coupling(mjcf *it, uint32_t node, const char *first, const char *second, mjcf_coupling *out)
{
    const char *const known[] = {"name", "class", "active", "solref", "solimp", "polycoef", first, second, NULL};
    static const char *const none[] = {NULL};
    *out = (mjcf_coupling){.a = {0.0, 1.0, 0.0, 0.0, 0.0}, .active = true};
    tr3_model_known(it->model, node, known, none);
    tr_status status = tr3_mjcf_at_of(it, MJCF_EQUALITY, node, it->main_class, &out->at);
    if (status == TR_OK)
        status = tr3_mjcf_flag(it, &out->at, "active", true, &out->active);
    if (status == TR_OK)
        status = tr3_mjcf_numbers(it, &out->at, "polycoef", 1, 5, out->a, NULL);
    return status;
}

void tr3_mjcf_lose_coefficients(mjcf *it, const mjcf_coupling *coupling, bool bent)
{
    const double *a = coupling->a;
    if (a[0] != 0.0 || (bent && (a[2] != 0.0 || a[3] != 0.0 || a[4] != 0.0)))
        tr3_model_notice(it->model, coupling->at.node, "polycoef",
                         "only the second is read: the joints keep the offset they start with");
}

/* of two joints: a gear */
static tr_status read_coupling(mjcf *it, uint32_t node)
{
    tr3_model *model = it->model;
    const mjcf_joint *one = NULL, *other = NULL;
    mjcf_coupling coupling;
    tr_status status = tr3_mjcf_begin_coupling(it, node, "joint1", "joint2", &coupling);
    if (status == TR_OK)
        status = read_coupled(it, &coupling.at, "joint1", &one);
    if (status == TR_OK && one != NULL)
        status = read_coupled(it, &coupling.at, "joint2", &other);
    if (status != TR_OK || one == NULL || other == NULL)
        return status;
    const double ratio = one->backward == other->backward ? -coupling.a[1] : coupling.a[1];
    if (one == other || (float)ratio == 0.0f || !(fabs(ratio) < 1e6)) {
        tr3_model_notice(model, node, NULL, "is not simulated: it needs two joints, and a second coefficient");
        return TR_OK;
    }
    tr3_mjcf_lose_coefficients(it, &coupling, true);
    tr3_scene_joint *gear = NULL;
    status = tr3_model_gear(model, other->made, one->made, ratio, &gear);
    const char *name = tr3_mjcf_get(it, &coupling.at, "name");
    if (status == TR_OK && name != NULL && name[0] != '\0')
        status = tr_scene_copy_text(name, &gear->name, model->error);
    if (status == TR_OK)
        gear->def.enabled = coupling.active;
    return status;
}

const char *const tr3_mjcf_equality_known[] = {"name",  "class",  "active",  "solref",      "solimp", "body1",
                                               "body2", "anchor", "relpose", "torquescale", NULL};

static tr_status read_equality(mjcf *it, uint32_t node)
{
    static const char *const none[] = {NULL};
    tr3_model *model = it->model;
    const bool weld = tr_xml_is(model->xml, node, "weld");
    mjcf_at at;
    uint32_t a = 0, b = 0;
    if (tr_xml_is(model->xml, node, "joint"))
        return read_coupling(it, node);
    if (tr_xml_is(model->xml, node, "tendon"))
        return tr3_mjcf_read_held_tendon(it, node);
    if (!weld && !tr_xml_is(model->xml, node, "connect")) {
        tr3_model_notice(model, node, NULL, "is not simulated in <equality>");
        return TR_OK;
    }
    tr_status status = tr3_mjcf_at_of(it, MJCF_EQUALITY, node, it->main_class, &at);
    if (status == TR_OK && (tr_xml_get(model->xml, node, "site1") != NULL)) {
        tr3_model_notice(model, node, "site1", "is not simulated: only bodies are joined");
        return TR_OK;
    }
    tr3_model_known(model, node, tr3_mjcf_equality_known, none);
    if (status == TR_OK)
        status = find_body(it, &at, "body1", true, &a);
    if (status == TR_OK)
        status = find_body(it, &at, "body2", false, &b);
    if (status != TR_OK)
        return status;
    if (a == MJCF_NONE || b == MJCF_NONE) {
        tr3_model_notice(model, node, NULL, "its bodies are among those that are left out");
        return TR_OK;
    }
    if (it->parts[a].body == it->parts[b].body) {
        tr3_model_notice(model, node, NULL, "its bodies are one body");
        return TR_OK;
    }
    return make_equality(it, &at, weld, a, b);
}

tr_status tr3_mjcf_read_sections(mjcf *it, const char *section, tr_status (*read)(mjcf *it, uint32_t node))
{
    static const char *const none[] = {NULL};
    const tr_xml *xml = it->model->xml;
    tr_status status = TR_OK;
    for (uint32_t list = tr_xml_first(xml, 0, section); list != MJCF_NONE && status == TR_OK;
         list = tr_xml_next(xml, list, section)) {
        tr3_model_known(it->model, list, none, NULL);
        for (uint32_t node = tr_xml_first(xml, list, NULL); node != MJCF_NONE && status == TR_OK;
             node = tr_xml_next(xml, node, NULL))
            status = read(it, node);
    }
    return status;
}

/*
 * Contacts: nothing collides in space, so what is excluded does not
 */
static tr_status read_contact(mjcf *it, uint32_t node)
{
    static const char *const known[] = {"name", "class", "body1", "body2", NULL}, *const none[] = {NULL};
    const mjcf_at at = {MJCF_OTHER, node, MJCF_NONE};
    uint32_t body = 0;
    if (!tr_xml_is(it->model->xml, node, "exclude")) {
        tr3_model_notice(it->model, node, NULL, "is not simulated in <contact>: nothing collides in space yet");
        return TR_OK;
    }
    tr3_model_known(it->model, node, known, none);
    tr_status status = find_body(it, &at, "body1", true, &body);
    return status == TR_OK ? find_body(it, &at, "body2", true, &body) : status;
}

tr_status tr3_mjcf_read_contacts(mjcf *it)
{
    return tr3_mjcf_read_sections(it, "contact", read_contact);
}

tr_status tr3_mjcf_read_equalities(mjcf *it)
{
    return tr3_mjcf_read_sections(it, "equality", read_equality);
}

/*
 * Actuators
 */

/* the greater size of a range that holds; infinite if none does */
static tr_status read_bound(const mjcf *it, const mjcf_at *at, const char *range, const char *limited, double *lower,
                            double *upper)
{
    double ends[2] = {0.0, 0.0};
    uint32_t count = 0;
    bool holds = false;
    *lower = -INFINITY;
    *upper = INFINITY;
    tr_status status = tr3_mjcf_range(it, at, range, limited, ends, &count, &holds);
    if (status != TR_OK || !holds || count == 0)
        return status;
    *lower = ends[0];
    *upper = ends[1];
    return TR_OK;
}

typedef struct mjcf_drive {
    mjcf_at at;
    mjcf_joint *joint;
    double coefficient; /* of the joint in a tendon */
    double gain;        /* of the control */
    double gear;
    double control;      /* the greatest size of the control */
    double lower, upper; /* of the actuator's force */
    double joint_most;   /* of the joint's force by all actuators */
} mjcf_drive;

static double larger(double lower, double upper)
{
    return fmax(fabs(lower), fabs(upper));
}

static tr_status read_drive(const mjcf *it, mjcf_drive *drive)
{
    double gear[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}, lower = 0.0, upper = 0.0;
    tr_status status = tr3_mjcf_numbers(it, &drive->at, "gear", 1, 6, gear, NULL);
    drive->gear = gear[0] * drive->coefficient;
    if (status == TR_OK)
        status = read_bound(it, &drive->at, "ctrlrange", "ctrllimited", &lower, &upper);
    drive->control = larger(lower, upper);
    if (status == TR_OK)
        status = read_bound(it, &drive->at, "forcerange", "forcelimited", &drive->lower, &drive->upper);
    if (status == TR_OK)
        status = read_bound(it, &drive->joint->at, "actuatorfrcrange", "actuatorfrclimited", &lower, &upper);
    drive->joint_most = larger(lower, upper);
    return status;
}

/* a motor of the joint: its speed is 0, and the application sets it */
static tr_status set_motor(mjcf *it, const mjcf_drive *drive, bool enable, double most)
{
    tr3_joint_def *def = &it->model->builder->scene->joints[drive->joint->made].def;
    const tr3_joint_def standard = tr3_joint_def_default(def->type);
    const uint32_t coordinate = drive->joint->coordinate;
    tr3_features f = tr3_def_features(def, coordinate);
    const double bound = fmin(fmin(most, fabs(drive->gear) * larger(drive->lower, drive->upper)), drive->joint_most);
    if (f.motor.maximum < tr3_def_features(&standard, coordinate).motor.maximum || f.motor.enable) {
        tr3_model_notice(it->model, drive->at.node, NULL, "is a second motor of its joint, and is not read");
        return TR_OK;
    }
    f.motor.enable = enable;
    tr_status status =
        bound < (double)FLT_MAX ? tr3_model_size(it->model, drive->at.node, NULL, bound, &f.motor.maximum) : TR_OK;
    tr3_def_set_features(def, coordinate, f);
    return status;
}

/* a spring of the joint toward a control of 0, beside the one that it has */
static tr_status set_position(mjcf *it, const mjcf_drive *drive, double kp, double kv)
{
    tr3_joint_def *def = &it->model->builder->scene->joints[drive->joint->made].def;
    tr3_features f = tr3_def_features(def, drive->joint->coordinate);
    const double side = drive->joint->backward ? -1.0 : 1.0;
    const double k = kp * drive->gear * drive->gear, own = f.spring.enable ? (double)f.spring.softness.a : 0.0;
    const double c = kv * drive->gear * drive->gear + (f.spring.enable ? (double)f.spring.softness.b : 0.0);
    const bool alone = !f.spring.enable;
    const double target =
        k + own > 0.0 ? (own * (double)f.spring.target - side * k * drive->joint->reference) / (k + own) : 0.0;
    float stiffness = 0.0f, damping = 0.0f;
    tr_status status = tr3_model_size(it->model, drive->at.node, "kp", k + own, &stiffness);
    if (status == TR_OK)
        status = tr3_model_size(it->model, drive->at.node, "kv", c, &damping);
    if (status != TR_OK)
        return status;
    f.spring = (tr_spring){true, (float)target, tr_physical(stiffness, damping)};
    const double gear = side * drive->gear, ends[2] = {gear * drive->lower, gear * drive->upper};
    const double lower = fmax(fmin(ends[0], ends[1]), -drive->joint_most);
    const double upper = fmin(fmax(ends[0], ends[1]), drive->joint_most);
    tr3_def_set_features(def, drive->joint->coordinate, f);
    if (!isfinite(lower) && !isfinite(upper))
        return TR_OK;
    if (!alone || !(lower <= 0.0 && upper >= 0.0) || !(upper - lower > 0.0)) {
        tr3_model_notice(it->model, drive->at.node, NULL, "the bounds of its force are not read");
        return TR_OK;
    }
    const bool fit = tr_scene_to_float(fmax(lower, -(double)FLT_MAX), &f.spring_force.lower) &&
                     tr_scene_to_float(fmin(upper, (double)FLT_MAX), &f.spring_force.upper);
    tr3_def_set_features(def, drive->joint->coordinate, f);
    return fit ? TR_OK : tr3_model_fail(it->model, drive->at.node, "forcerange", "does not fit a 32-bit number");
}

const char *const tr3_mjcf_drive_known[] = {"name",       "class",        "group",       "joint",  "jointinparent",
                                            "gear",       "ctrlrange",    "ctrllimited", "kp",     "kv",
                                            "forcerange", "forcelimited", "user",        "tendon", NULL};

const char *const tr3_mjcf_general_known[] = {"name",   "class",     "group",       "joint",      "jointinparent",
                                              "gear",   "ctrlrange", "ctrllimited", "forcerange", "forcelimited",
                                              "user",   "tendon",    "dyntype",     "gaintype",   "biastype",
                                              "dynprm", "gainprm",   "biasprm",     NULL};

/* A servo on a tendon of two joints is a spring on the tendon, toward a length of 0. */
static tr_status read_servo(mjcf *it, const mjcf_at *at, const mjcf_terms *terms, double kp, double kv)
{
    mjcf_pull pull = {.node = at->node, .stiffness_is = "kp", .damping_is = "kv"};
    double gear[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}, lower = 0.0, upper = 0.0;
    tr_status status = tr3_mjcf_numbers(it, at, "gear", 1, 6, gear, NULL);
    if (status == TR_OK)
        status = read_bound(it, at, "forcerange", "forcelimited", &lower, &upper);
    if (status != TR_OK)
        return status;
    if (isfinite(lower) || isfinite(upper))
        tr3_model_notice(it->model, at->node, NULL, "the bounds of its force are not read");
    pull.stiffness = kp * gear[0] * gear[0];
    pull.damping = kv * gear[0] * gear[0];
    return tr3_mjcf_make_spring(it, terms, &pull, tr3_mjcf_get(it, at, "name"));
}

/* The joint that an actuator on a tendon acts on, or MJCF_NONE: what is to be read is read, and said. */
static tr_status read_pulled(mjcf *it, mjcf_drive *drive, const mjcf_tendon *tendon, bool holds, double kp, double kv,
                             uint32_t *out)
{
    const mjcf_terms *terms = &tendon->terms;
    *out = MJCF_NONE;
    if (tendon->fixed && terms->whole && terms->count == 1) {
        *out = terms->joint[0];
        drive->coefficient = terms->factor[0];
        return TR_OK;
    }
    if (holds && tr3_mjcf_is_gear(it, terms))
        return read_servo(it, &drive->at, terms, kp, kv);
    tr3_model_notice(
        it->model, drive->at.node, "tendon",
        "is not simulated: of tendons only those of one joint, and position servos of two hinges or sliders");
    return TR_OK;
}

/* What an actuator is; of a `general` one that is one of the others, its numbers. */
typedef enum servo { NO_SERVO, MOTOR, POSITION, VELOCITY } servo;

/* the word of an attribute, or what it is without */
static bool says(const mjcf *it, const mjcf_at *at, const char *attribute, const char *word, bool standard)
{
    const char *value = tr3_mjcf_get(it, at, attribute);
    return value != NULL ? strcmp(value, word) == 0 : standard;
}

/*
 * The force of a general actuator is gain * control + b0 + b1 * length + b2 * rate, times the gear. As others have it, b0 is 0,
 * and the gain is that of a motor, the stiffness -b1, or without that the damping -b2.
 */
static tr_status read_general(const mjcf *it, mjcf_drive *drive, servo *kind, double *kp, double *kv)
{
    const mjcf_at *at = &drive->at;
    double gain[10] = {1.0}, bias[10] = {0.0};
    *kind = NO_SERVO;
    tr_status status = tr3_mjcf_numbers(it, at, "gainprm", 1, 10, gain, NULL);
    if (status == TR_OK)
        status = tr3_mjcf_numbers(it, at, "biasprm", 1, 10, bias, NULL);
    const bool bent = says(it, at, "biastype", "affine", false);
    if (status != TR_OK || !says(it, at, "dyntype", "none", true) || !says(it, at, "gaintype", "fixed", true) ||
        !(bent || says(it, at, "biastype", "none", true)))
        return status;
    *kp = bent ? -bias[1] : 0.0;
    *kv = bent ? -bias[2] : 0.0;
    drive->gain = gain[0];
    if ((bent && bias[0] != 0.0) || *kp < 0.0 || *kv < 0.0)
        return TR_OK;
    if (*kp > 0.0)
        *kind = POSITION;
    else if (!(*kv > 0.0))
        *kind = MOTOR;
    else if (gain[0] == *kv)
        *kind = VELOCITY;
    return TR_OK;
}

/* kind, stiffness and damping of the actuator; NO_SERVO: a notice says that it is left out */
static tr_status read_kind(mjcf *it, mjcf_drive *drive, servo *kind, double *kp, double *kv)
{
    tr3_model *model = it->model;
    const uint32_t node = drive->at.node;
    tr_status status = TR_OK;
    *kp = 1.0;
    *kv = *kind == VELOCITY ? 1.0 : 0.0;
    drive->gain = 1.0;
    if (drive->at.kind == MJCF_GENERAL) {
        status = read_general(it, drive, kind, kp, kv);
        if (status == TR_OK && *kind == NO_SERVO)
            tr3_model_notice(model, node, NULL, "is simulated only as a motor, position or velocity that it is like");
        return status;
    }
    if (*kind != MOTOR)
        status = tr3_mjcf_number(it, &drive->at, "kv", kv);
    if (status == TR_OK && *kind == POSITION)
        status = tr3_mjcf_number(it, &drive->at, "kp", kp);
    if (status == TR_OK && (*kp < 0.0 || *kv < 0.0))
        return tr3_model_fail(model, node, *kp < 0.0 ? "kp" : "kv", "expected a number from 0, found %g",
                              *kp < 0.0 ? *kp : *kv);
    return status;
}

/* the joint of an actuator; null: none, and a notice says so */
static tr_status find_driven(mjcf *it, mjcf_drive *drive, servo kind, double kp, double kv)
{
    static const char *const none[] = {NULL};
    tr3_model *model = it->model;
    const uint32_t node = drive->at.node;
    const mjcf_tendon *tendon = NULL;
    uint32_t found = MJCF_NONE;
    const char *name = tr3_mjcf_get(it, &drive->at, "joint");
    name = name != NULL ? name : tr3_mjcf_get(it, &drive->at, "jointinparent");
    tr_status status = name == NULL ? tr3_mjcf_find_tendon(it, &drive->at, "tendon", &tendon) : TR_OK;
    if (status != TR_OK)
        return status;
    if (name == NULL && tendon == NULL) {
        tr3_model_notice(model, node, NULL, "acts on no joint, and is not simulated");
        return TR_OK;
    }
    tr3_model_known(model, node, drive->at.kind == MJCF_GENERAL ? tr3_mjcf_general_known : tr3_mjcf_drive_known, none);
    if (tendon != NULL) {
        status = read_pulled(it, drive, tendon, kind == POSITION, kp, kv, &found);
        if (status != TR_OK || found == MJCF_NONE)
            return status;
    } else
        found = tr3_model_find(it->joint_names, it->joint_count, name);
    if (found == MJCF_NONE && it->lacks_bodies) {
        tr3_model_notice(model, node, NULL, "its joint is among those that are left out");
        return TR_OK;
    }
    if (found == MJCF_NONE)
        return tr3_model_fail(model, node, "joint", "there is no joint \"%.60s\"", name);
    mjcf_joint *joint = &it->joints[found];
    if (joint->made == MJCF_NONE || model->builder->scene->joints[joint->made].def.type == TR3_JOINT_BALL)
        tr3_model_notice(model, node, NULL, "acts on a free joint or a ball, and is not simulated");
    else
        drive->joint = joint;
    return TR_OK;
}

static tr_status read_actuator(mjcf *it, uint32_t node)
{
    static const struct {
        const char *name;
        mjcf_kind of;
        servo kind;
    } all[] = {{"motor", MJCF_MOTOR, MOTOR},
               {"position", MJCF_POSITION, POSITION},
               {"velocity", MJCF_VELOCITY, VELOCITY},
               {"general", MJCF_GENERAL, NO_SERVO}};
    const size_t count = sizeof all / sizeof all[0];
    tr3_model *model = it->model;
    size_t which = 0;
    while (which < count && !tr_xml_is(model->xml, node, all[which].name))
        which++;
    if (which == count) {
        tr3_model_notice(model, node, NULL, "is not simulated in <actuator>");
        return TR_OK;
    }
    mjcf_drive drive = {.coefficient = 1.0};
    servo kind = all[which].kind;
    double kp = 0.0, kv = 0.0;
    tr_status status = tr3_mjcf_at_of(it, all[which].of, node, it->main_class, &drive.at);
    if (status == TR_OK)
        status = read_kind(it, &drive, &kind, &kp, &kv);
    if (status == TR_OK && kind != NO_SERVO)
        status = find_driven(it, &drive, kind, kp, kv);
    if (status != TR_OK || drive.joint == NULL)
        return status;
    status = read_drive(it, &drive);
    if (status != TR_OK || kind == POSITION)
        return status == TR_OK ? set_position(it, &drive, kp, kv) : status;
    const double gear = fabs(drive.gear);
    return kind == MOTOR ? set_motor(it, &drive, false, gear * fabs(drive.gain) * drive.control)
                         : set_motor(it, &drive, true, kv * gear * gear * drive.control);
}

tr_status tr3_mjcf_read_actuators(mjcf *it)
{
    return tr3_mjcf_read_sections(it, "actuator", read_actuator);
}

#endif
