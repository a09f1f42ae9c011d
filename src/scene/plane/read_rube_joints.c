/*
 * Joints of R.U.B.E. / b2dJson JSON: maps each joint type of Box2D 2.3 to one of ours. The table below has a row per
 * type. A type without a reader is not supported; it is left out with a notice.
 */
#include "scene/core/storage.h"

#ifdef TR_WITH_SCENES

#include <math.h>
#include <string.h>

#include "scene/plane/rube.h"

static tr_status read_rube_anchors(const tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def)
{
    tr_status status = tr2_json_get_vec(reader, at, "anchorA", &def->anchor_a);
    return status == TR_OK ? tr2_json_get_vec(reader, at, "anchorB", &def->anchor_b) : status;
}

/* in Box2D, frequency 0 means rigid */
static tr_status read_rube_softness(const tr2_reader *reader, const tr2_cursor *at, tr_softness *out)
{
    float frequency = 0.0f, ratio = 0.0f;
    tr_status status = tr2_json_get_float(reader, at, "frequency", &frequency);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "dampingRatio", &ratio);
    if (status == TR_OK && (frequency > 0.0f || frequency < 0.0f))
        *out = tr_frequency(frequency, ratio);
    return status;
}

static tr_status read_rube_motor(const tr2_reader *reader, const tr2_cursor *at, const char *maximum, tr_motor *out)
{
    /* of this format: a number that is not there is 0 */
    out->maximum = 0.0f;
    tr_status status = tr2_json_get_bool(reader, at, "enableMotor", &out->enable);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "motorSpeed", &out->speed);
    return status == TR_OK ? tr2_json_get_float(reader, at, maximum, &out->maximum) : status;
}

static tr_status read_rube_limit(tr2_reader *reader, const tr2_cursor *at, tr_limit *out)
{
    float lower = 0.0f, upper = 0.0f;
    tr_status status = tr2_json_get_bool(reader, at, "enableLimit", &out->enable);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "lowerLimit", &lower);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "upperLimit", &upper);
    if (status == TR_OK && lower > upper) {
        status =
            tr2_builder_notice(reader->builder, reader->error, "joints whose lowerLimit is above upperLimit: swapped");
        float swap = lower;
        lower = upper;
        upper = swap;
    }
    out->lower = lower;
    out->upper = upper;
    return status;
}

/* files from before 2013 call the axis "localAxis1" */
static tr_status read_rube_axis(const tr2_reader *reader, const tr2_cursor *at, tr_vec2 *out)
{
    const char *key = json_object_get(at->value, "localAxisA") != NULL ? "localAxisA" : "localAxis1";
    return tr2_json_get_vec(reader, at, key, out);
}

static tr_status read_caps(const tr2_reader *reader, const tr2_cursor *at, tr2_drive *out)
{
    out->max_force = 0.0f;
    out->max_torque = 0.0f;
    tr_status status = tr2_json_get_float(reader, at, "maxForce", &out->max_force);
    return status == TR_OK ? tr2_json_get_float(reader, at, "maxTorque", &out->max_torque) : status;
}

static tr_status read_revolute(tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def)
{
    tr_status status = read_rube_anchors(reader, at, def);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "refAngle", &def->reference_angle);
    if (status == TR_OK)
        status = read_rube_motor(reader, at, "maxMotorTorque", &def->motor);
    return status == TR_OK ? read_rube_limit(reader, at, &def->limit) : status;
}

static tr_status read_prismatic(tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def)
{
    tr_status status = read_rube_anchors(reader, at, def);
    if (status == TR_OK)
        status = read_rube_axis(reader, at, &def->axis);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "refAngle", &def->reference_angle);
    if (status == TR_OK)
        status = read_rube_motor(reader, at, "maxMotorForce", &def->motor);
    return status == TR_OK ? read_rube_limit(reader, at, &def->limit) : status;
}

static tr_status read_distance(tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def)
{
    def->length = 0.0f;
    tr_status status = read_rube_anchors(reader, at, def);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "length", &def->length);
    return status == TR_OK ? read_rube_softness(reader, at, &def->linear) : status;
}

/* a rope only limits the distance from above */
static tr_status read_rope(tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def)
{
    float length = 0.0f;
    tr_status status = read_rube_anchors(reader, at, def);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "maxLength", &length);
    def->length = length;
    def->linear = tr_frequency(0.0f, 0.0f);
    def->limit = (tr_limit){true, 0.0f, length};
    return status;
}

/* only the angle of Box2D's weld is soft */
static tr_status read_weld(tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def)
{
    tr_status status = read_rube_anchors(reader, at, def);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "refAngle", &def->reference_angle);
    return status == TR_OK ? read_rube_softness(reader, at, &def->angular) : status;
}

/* springFrequency 0 means no spring along the axis */
static tr_status read_wheel(tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def)
{
    float frequency = 0.0f, ratio = 0.0f;
    tr_status status = read_rube_anchors(reader, at, def);
    if (status == TR_OK)
        status = read_rube_axis(reader, at, &def->axis);
    if (status == TR_OK)
        status = read_rube_motor(reader, at, "maxMotorTorque", &def->motor);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "springFrequency", &frequency);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "springDampingRatio", &ratio);
    def->spring.enable = frequency > 0.0f || frequency < 0.0f;
    def->spring.softness = tr_frequency(frequency, ratio);
    return status;
}

static tr_status read_friction(tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def)
{
    tr_status status = read_rube_anchors(reader, at, def);
    return status == TR_OK ? read_caps(reader, at, &def->drive) : status;
}

/* the offset is between the bodies' origins; before R.U.B.E. 1.7 its key was "anchorA" */
static tr_status read_offset_motor(tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def)
{
    const char *key = json_object_get(at->value, "linearOffset") != NULL ? "linearOffset" : "anchorA";
    def->drive.position = true;
    tr_status status = tr2_json_get_vec(reader, at, key, &def->drive.offset);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "refAngle", &def->drive.angular_offset);
    if (status == TR_OK)
        status = read_caps(reader, at, &def->drive);
    if (status == TR_OK && json_object_get(at->value, "correctionFactor") != NULL)
        status = tr2_builder_notice(reader->builder, reader->error,
                                    "correctionFactor of motor joints: not used, the offset is held with the softness "
                                    "of rigid joints");
    return status;
}

/* the target is a point of the world; it is converted to the frame of body A, which has been read already */
static tr_status read_mouse(tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def)
{
    const tr2_scene *scene = reader->builder->scene;
    float frequency = 0.0f, ratio = 0.0f;
    uint32_t a = 0;
    tr_vec2 target = {0.0f, 0.0f};
    tr2_cursor body_at = tr2_json_member(at, "bodyA");
    tr_status status = tr2_json_integer(reader, &body_at, 0, scene->body_count - 1, &a);
    if (status == TR_OK)
        status = tr2_json_get_vec(reader, at, "target", &target);
    if (status == TR_OK)
        status = tr2_json_get_vec(reader, at, "anchorB", &def->anchor_b);
    def->max_force = 0.0f;
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "maxForce", &def->max_force);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "frequency", &frequency);
    if (status == TR_OK)
        status = tr2_json_get_float(reader, at, "dampingRatio", &ratio);
    def->linear = tr_frequency(frequency, ratio);
    const tr2_body_def *body = &scene->bodies[a].def;
    double x = (double)target.x - body->position.x, y = (double)target.y - body->position.y;
    double c = cos(body->angle), s = sin(body->angle);
    def->anchor_a = (tr_vec2){(float)(c * x + s * y), (float)(c * y - s * x)};
    if (status == TR_OK && body->type == TR_DYNAMIC)
        status = tr2_builder_notice(reader->builder, reader->error,
                                    "mouse joints whose bodyA moves: it is pulled too, and the target goes with it");
    return status;
}

typedef struct rube_joint {
    const char *name;
    tr2_joint_type type;
    tr_status (*read)(tr2_reader *reader, const tr2_cursor *at, tr2_joint_def *def); /* null: not supported */
} rube_joint;

static const rube_joint rube_joints[] = {
    {"revolute", TR2_JOINT_REVOLUTE, read_revolute},
    {"prismatic", TR2_JOINT_PRISMATIC, read_prismatic},
    {"distance", TR2_JOINT_DISTANCE, read_distance},
    {"rope", TR2_JOINT_DISTANCE, read_rope},
    {"weld", TR2_JOINT_WELD, read_weld},
    {"wheel", TR2_JOINT_WHEEL, read_wheel},
    {"friction", TR2_JOINT_FRICTION, read_friction},
    {"motor", TR2_JOINT_MOTOR, read_offset_motor},
    {"pulley", TR2_JOINT_MOTOR, NULL},
    {"gear", TR2_JOINT_MOTOR, NULL},
    {"mouse", TR2_JOINT_TARGET, read_mouse},
};

#define RUBE_JOINT_COUNT (sizeof rube_joints / sizeof rube_joints[0])

static tr_status read_ends(tr2_reader *reader, const tr2_cursor *at, uint32_t *a, uint32_t *b)
{
    uint32_t count = reader->builder->scene->body_count;
    *a = 0;
    *b = 0;
    if (count == 0)
        return tr2_json_fail(reader, at, "there are no bodies to join");
    tr2_cursor end_a = tr2_json_member(at, "bodyA"), end_b = tr2_json_member(at, "bodyB");
    tr_status status = tr2_json_integer(reader, &end_a, 0, count - 1, a);
    if (status == TR_OK)
        status = tr2_json_integer(reader, &end_b, 0, count - 1, b);
    if (status == TR_OK && *a == *b)
        status = tr2_json_fail(reader, at, "joins body %u to itself", *a);
    return status;
}

/* `left_out` counts the skipped joints of each type */
static tr_status read_rube_joint(tr2_reader *reader, const tr2_cursor *at, uint32_t *left_out)
{
    static const char *const known[] = {"name",
                                        "path",
                                        "type",
                                        "bodyA",
                                        "bodyB",
                                        "collideConnected",
                                        "customProperties",
                                        "anchorA",
                                        "anchorB",
                                        "localAxisA",
                                        "localAxis1",
                                        "refAngle",
                                        "lowerLimit",
                                        "upperLimit",
                                        "enableLimit",
                                        "enableMotor",
                                        "motorSpeed",
                                        "jointSpeed",
                                        "maxMotorTorque",
                                        "maxMotorForce",
                                        "length",
                                        "maxLength",
                                        "frequency",
                                        "dampingRatio",
                                        "springFrequency",
                                        "springDampingRatio",
                                        "linearOffset",
                                        "maxForce",
                                        "maxTorque",
                                        "correctionFactor",
                                        "target",
                                        "groundAnchorA",
                                        "groundAnchorB",
                                        "lengthA",
                                        "lengthB",
                                        "ratio",
                                        "joint1",
                                        "joint2",
                                        NULL};
    tr_status status = tr2_json_want_keys(reader, at, known);
    if (status != TR_OK)
        return status;
    tr2_cursor type_at = tr2_json_member(at, "type");
    const char *word = json_string_value(type_at.value);
    if (word == NULL)
        return tr2_json_fail(reader, &type_at, "expected a type of joint, found %s", tr2_json_kind(type_at.value));
    size_t kind = 0;
    while (kind < RUBE_JOINT_COUNT && strcmp(rube_joints[kind].name, word) != 0)
        kind++;
    if (kind == RUBE_JOINT_COUNT)
        return tr2_json_fail(reader, &type_at, "expected a type of joint of Box2D's, found \"%.30s\"", word);
    if (rube_joints[kind].read == NULL) {
        left_out[kind]++;
        return TR_OK;
    }

    uint32_t a, b;
    status = read_ends(reader, at, &a, &b);
    tr2_scene_joint *joint = NULL;
    if (status == TR_OK)
        status = tr2_builder_joint(reader->builder, rube_joints[kind].type, &joint, reader->error);
    if (status != TR_OK)
        return status;
    joint->body_a = a;
    joint->body_b = b;
    status = tr2_json_get_name(reader, at, &joint->name);
    if (status == TR_OK)
        status = tr2_json_get_bool(reader, at, "collideConnected", &joint->def.collide_connected);
    return status == TR_OK ? rube_joints[kind].read(reader, at, &joint->def) : status;
}

tr_status tr2_read_rube_joints(tr2_reader *reader, const tr2_cursor *root)
{
    tr2_cursor joints = tr2_json_member(root, "joint");
    if (joints.value == NULL || json_is_null(joints.value))
        return TR_OK;
    uint32_t left_out[RUBE_JOINT_COUNT] = {0};
    tr_status status = tr2_json_want_array(reader, &joints);
    for (size_t i = 0; status == TR_OK && i < json_array_size(joints.value); i++) {
        tr2_cursor at = tr2_json_element(&joints, i);
        status = read_rube_joint(reader, &at, left_out);
    }
    for (size_t i = 0; status == TR_OK && i < RUBE_JOINT_COUNT; i++)
        if (left_out[i] > 0)
            status = tr2_builder_notice(reader->builder, reader->error, "%u %s joint%s not simulated yet: left out",
                                        left_out[i], rube_joints[i].name, left_out[i] == 1 ? " is" : "s are");
    return status;
}

#endif
