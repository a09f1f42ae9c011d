/* Definition of a gear from two joints in space. */
#include "world/core/body.h"

/* A side of a gear, which moves with a joint's coordinate. */
typedef struct gear_side {
    tr3_body body, carrier; /* carrier null: the world */
    tr_vec3 anchor, carrier_anchor;
    tr_vec3 axis;         /* in the carrier's frame */
    tr_vec3 axis_of_body; /* in the body's frame */
    bool slides;
} gear_side;

static tr3_dquat rotation_of(const tr3_world *world, tr3_body body)
{
    return tr3_body_rotation(&world->bodies, tr3_body_row(world, body));
}

static bool is_static(const tr3_world *world, tr3_body body)
{
    return tr3_body_type_of(&world->bodies, tr3_body_row(world, body)) == TR_STATIC;
}

/*
 * Exchanges a side's body and carrier. A joint's coordinate is that of B relative to A. That of A relative to B is the
 * same along or about the opposite axis: the joint keeps an axis that is fixed in one body fixed in the other.
 */
static void turn_round(gear_side *side)
{
    const gear_side was = *side;
    side->body = was.carrier;
    side->carrier = was.body;
    side->anchor = was.carrier_anchor;
    side->carrier_anchor = was.anchor;
    side->axis = (tr_vec3){-was.axis_of_body.x, -was.axis_of_body.y, -was.axis_of_body.z};
    side->axis_of_body = (tr_vec3){-was.axis.x, -was.axis.y, -was.axis.z};
}

/* replaces a static carrier by the world, with the axis in its frame */
static void stand_on_world(const tr3_world *world, gear_side *side)
{
    side->axis = tr3_narrow(tr3_turned(rotation_of(world, side->carrier), tr3_widen(side->axis)));
    side->carrier = (tr3_body){0, 0, 0};
}

static tr_status read_side(const tr3_check *check, const char *name, const tr3_world *world, tr3_joint joint,
                           bool travels, gear_side *out)
{
    tr_status status = tr3_check_joint(check, name, world, joint);
    if (status != TR_OK)
        return status;
    tr3_joint_type type = tr3_joint_type_of(world, joint.index - 1);
    uint32_t row = world->joint_pool.row[joint.index - 1];
    tr3_joint_def def;
    tr3_joint_read(world, type, row, &def);
    if (type != TR3_JOINT_HINGE && type != TR3_JOINT_SLIDER && type != TR3_JOINT_CYLINDRICAL)
        return tr3_check_fail(check, TR_ERROR_RANGE, name, "is a %s joint, must be hinge, slider or cylindrical",
                              tr3_joint_type_name(type));
    bool static_a = is_static(world, def.body_a), static_b = is_static(world, def.body_b);
    if (static_a && static_b)
        return tr3_check_fail(check, TR_ERROR_RANGE, name, "joins two static bodies, one must move");

    /* as the joint is satisfied, B's axis is that of A seen from B at the reference */
    const tr3_dquat reference = tr3_normalised(tr3_widen_quat(def.reference));
    out->body = def.body_b;
    out->carrier = def.body_a;
    out->anchor = def.anchor_b;
    out->carrier_anchor = def.anchor_a;
    out->slides = type == TR3_JOINT_SLIDER || (type == TR3_JOINT_CYLINDRICAL && travels);
    out->axis = def.axis;
    out->axis_of_body = tr3_narrow(tr3_turned(tr3_conjugate(reference), tr3_widen(def.axis)));
    if (static_b)
        turn_round(out);
    if (static_a || static_b)
        stand_on_world(world, out);
    return TR_OK;
}

/* A and B must be different bodies: if both joints move the same one, exchange body and carrier of one side */
static tr_status part_sides(const tr3_check *check, gear_side *a, gear_side *b)
{
    if (a->body.index != b->body.index)
        return TR_OK;
    if (a->carrier.index == 0 && b->carrier.index == 0)
        return tr3_check_fail(check, TR_ERROR_SELF_JOINT, "joint_b", "moves the body that joint_a moves (slot %u)",
                              a->body.index - 1);
    turn_round(b->carrier.index != 0 ? b : a);
    return TR_OK;
}

tr_status tr3_gear_between(const tr3_world *world, tr3_joint joint_a, bool travels_a, tr3_joint joint_b, bool travels_b,
                           float ratio, tr3_joint_def *out)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    tr3_check check = tr3_check_of(world, "gear_between", "");
    gear_side a = {0}, b = {0};
    tr_status status = tr3_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = tr3_check_finite(&check, "ratio", (double)ratio);
    if (status == TR_OK && ratio == 0.0f)
        status = tr3_check_fail(&check, TR_ERROR_ZERO, "ratio", "is zero");
    if (status == TR_OK)
        status = read_side(&check, "joint_a", world, joint_a, travels_a, &a);
    if (status == TR_OK)
        status = read_side(&check, "joint_b", world, joint_b, travels_b, &b);
    if (status == TR_OK)
        status = part_sides(&check, &a, &b);
    if (status != TR_OK)
        return status;

    tr3_joint_def def = tr3_joint_def_default(TR3_JOINT_GEAR);
    def.body_a = a.body;
    def.body_b = b.body;
    def.carrier_a = a.carrier;
    def.carrier_b = b.carrier;
    def.anchor_a = a.anchor;
    def.anchor_b = b.anchor;
    def.slides_a = a.slides;
    def.slides_b = b.slides;
    def.axis = a.axis;
    def.axis_b = b.axis;
    def.ratio = ratio;
    *out = def;
    return TR_OK;
}
