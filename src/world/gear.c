/* A gear's definition from two joints. */
#include "world/check.h"

/* The side of a gear that moves as a joint's coordinate does. */
typedef struct gear_side {
    tr2_body body; /* that moves */
    tr_vec2 anchor;
    tr_vec2 axis; /* in the world */
    bool slides;
    float sign; /* of its angle in the joint's coordinate */
} gear_side;

static bool is_static(const tr2_world *world, tr2_body body)
{
    return world->bodies.type[tr2_body_row(world, body)] == TR_STATIC;
}

static tr_status read_side(const tr2_check *check, const char *name, const tr2_world *world, tr2_joint joint,
                           gear_side *out)
{
    tr_status status = tr2_check_joint(check, name, world, joint);
    if (status != TR_OK)
        return status;
    tr2_joint_type type = (tr2_joint_type)world->joint_type[joint.index - 1];
    tr2_joint_def def;
    tr2_joint_read(world, type, world->joint_pool.row[joint.index - 1], &def);
    if (type != TR2_REVOLUTE && type != TR2_PRISMATIC)
        return tr2_check_fail(check, TR_ERROR_RANGE, name, "is a %s joint, must be revolute or prismatic",
                              tr2_joint_type_name(type));
    bool static_a = is_static(world, def.body_a), static_b = is_static(world, def.body_b);
    if (!static_a && !static_b)
        return tr2_check_fail(check, TR_ERROR_RANGE, name, "joins two bodies that move, one must be static");
    if (static_a && static_b)
        return tr2_check_fail(check, TR_ERROR_RANGE, name, "joins two static bodies, one must move");

    /* the coordinate is that of B against A: where A is what moves, it is the other way round */
    tr2_joint_pose pose;
    tr2_joint_pose_read(world, type, world->joint_pool.row[joint.index - 1], &def, &pose);
    out->body = static_a ? def.body_b : def.body_a;
    out->anchor = static_a ? def.anchor_b : def.anchor_a;
    out->slides = type == TR2_PRISMATIC;
    float forward = static_a ? 1.0f : -1.0f;
    out->axis = (tr_vec2){forward * (float)pose.axis.x, forward * (float)pose.axis.y};
    out->sign = out->slides ? 1.0f : forward;
    return TR_OK;
}

tr_status tr2_gear_between(const tr2_world *world, tr2_joint joint_a, tr2_joint joint_b, float ratio,
                           tr2_joint_def *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr2_check check = tr2_check_of(world, "gear_between", "");
    gear_side a = {0}, b = {0};
    tr_status status = tr2_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = tr2_check_finite(&check, "ratio", (double)ratio);
    if (status == TR_OK && ratio == 0.0f)
        status = tr2_check_fail(&check, TR_ERROR_ZERO, "ratio", "is zero");
    if (status == TR_OK)
        status = read_side(&check, "joint_a", world, joint_a, &a);
    if (status == TR_OK)
        status = read_side(&check, "joint_b", world, joint_b, &b);
    if (status == TR_OK && a.body.index == b.body.index)
        status = tr2_check_fail(&check, TR_ERROR_SELF_JOINT, "joint_b", "moves the body that joint_a moves (slot %u)",
                                a.body.index - 1);
    if (status != TR_OK)
        return status;

    tr2_joint_def def = tr2_joint_def_default(TR2_GEAR);
    def.body_a = a.body;
    def.body_b = b.body;
    def.anchor_a = a.anchor;
    def.anchor_b = b.anchor;
    def.slides_a = a.slides;
    def.slides_b = b.slides;
    if (a.slides)
        def.axis = a.axis;
    if (b.slides)
        def.axis_b = b.axis;
    def.ratio = ratio * a.sign * b.sign;
    *out = def;
    return TR_OK;
}
