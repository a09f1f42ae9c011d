/* Definition of a gear from two joints. */
#include "world/core/body.h"

/* A side of a gear, which moves with a joint's coordinate. */
typedef struct gear_side {
    tr2_body body, carrier; /* carrier null: the world */
    tr_vec2 anchor, carrier_anchor;
    tr_vec2 axis;         /* in the carrier's frame */
    tr_vec2 axis_of_body; /* in the body's frame */
    bool slides;
    float sign; /* of its angle in the joint's coordinate */
} gear_side;

static bool is_static(const tr2_world *world, tr2_body body)
{
    return tr2_body_type_of(&world->bodies, tr2_body_row(world, body)) == TR_STATIC;
}

/* converts a direction in the world to a body's frame */
static tr_vec2 in_frame(const tr2_world *world, tr2_body body, tr_dvec2 n)
{
    uint32_t row = tr2_body_row(world, body);
    tr_dvec2 local = tr2_unrotate(world->bodies.c[row], world->bodies.s[row], n);
    return (tr_vec2){(float)local.x, (float)local.y};
}

/*
 * Exchanges a side's body and carrier. A joint's coordinate is that of B relative to A. With A relative to B, an angle
 * changes its sign, and travel stays the same along the opposite axis (a prismatic joint prevents relative rotation, so
 * an axis fixed in one body is fixed in the other).
 */
static void turn_round(gear_side *side)
{
    gear_side was = *side;
    side->body = was.carrier;
    side->carrier = was.body;
    side->anchor = was.carrier_anchor;
    side->carrier_anchor = was.anchor;
    side->axis = (tr_vec2){-was.axis_of_body.x, -was.axis_of_body.y};
    side->axis_of_body = (tr_vec2){-was.axis.x, -was.axis.y};
    side->sign = was.slides ? was.sign : -was.sign;
}

/* replaces a static carrier by the world, with the axis in its frame */
static void stand_on_world(const tr2_world *world, gear_side *side)
{
    uint32_t row = tr2_body_row(world, side->carrier);
    float c = world->bodies.c[row], s = world->bodies.s[row];
    side->axis = (tr_vec2){c * side->axis.x - s * side->axis.y, s * side->axis.x + c * side->axis.y};
    side->carrier = (tr2_body){0, 0, 0};
}

static tr_status read_side(const tr2_check *check, const char *name, const tr2_world *world, tr2_joint joint,
                           gear_side *out)
{
    tr_status status = tr2_check_joint(check, name, world, joint);
    if (status != TR_OK)
        return status;
    tr2_joint_type type = tr2_joint_type_of(world, joint.index - 1);
    uint32_t row = world->joint_pool.row[joint.index - 1];
    tr2_joint_def def;
    tr2_joint_read(world, type, row, &def);
    if (type != TR2_JOINT_REVOLUTE && type != TR2_JOINT_PRISMATIC)
        return tr2_check_fail(check, TR_ERROR_RANGE, name, "is a %s joint, must be revolute or prismatic",
                              tr2_joint_type_name(type));
    bool static_a = is_static(world, def.body_a), static_b = is_static(world, def.body_b);
    if (static_a && static_b)
        return tr2_check_fail(check, TR_ERROR_RANGE, name, "joins two static bodies, one must move");

    tr2_joint_pose pose;
    tr2_joint_pose_read(world, type, row, &def, &pose);
    out->body = def.body_b;
    out->carrier = def.body_a;
    out->anchor = def.anchor_b;
    out->carrier_anchor = def.anchor_a;
    out->slides = type == TR2_JOINT_PRISMATIC;
    out->axis = def.axis;
    out->axis_of_body = in_frame(world, def.body_b, pose.axis);
    out->sign = 1.0f;
    if (static_b)
        turn_round(out);
    if (static_a || static_b)
        stand_on_world(world, out);
    return TR_OK;
}

/* A and B must be different bodies: if both joints move the same one, exchange body and carrier of one side */
static tr_status part_sides(const tr2_check *check, gear_side *a, gear_side *b)
{
    if (a->body.index != b->body.index)
        return TR_OK;
    if (a->carrier.index == 0 && b->carrier.index == 0)
        return tr2_check_fail(check, TR_ERROR_SELF_JOINT, "joint_b", "moves the body that joint_a moves (slot %u)",
                              a->body.index - 1);
    turn_round(b->carrier.index != 0 ? b : a);
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
    if (status == TR_OK)
        status = part_sides(&check, &a, &b);
    if (status != TR_OK)
        return status;

    tr2_joint_def def = tr2_joint_def_default(TR2_JOINT_GEAR);
    def.body_a = a.body;
    def.body_b = b.body;
    def.carrier_a = a.carrier;
    def.carrier_b = b.carrier;
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
