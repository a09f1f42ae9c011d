/* A gear from two joints: bodies, carriers, anchors and axes of both sides. */
#include "world/core/gear.h"

static bool is_static(const trn_world *world, trn_body body)
{
    return trn_body_type_of(&world->bodies, trn_body_row(world, body)) == TR_STATIC;
}

static trn_vec opposite(trn_vec v)
{
    return trn_narrow(trn_times(-1.0, trn_widen(v)));
}

/*
 * Exchanges a side's body and carrier. A joint's coordinate is that of B relative to A. That of A relative to B is the
 * same along or about the opposite axis: the joint keeps an axis that is fixed in one body fixed in the other.
 */
static void turn_round(trn_gear_side *side)
{
    const trn_gear_side was = *side;
    side->body = was.carrier;
    side->carrier = was.body;
    side->anchor = was.carrier_anchor;
    side->carrier_anchor = was.anchor;
    side->axis = opposite(was.axis_of_body);
    side->axis_of_body = opposite(was.axis);
    side->turned = !was.turned;
}

static tr_status read_side(const trn_check *check, const char *name, const trn_world *world, trn_joint joint,
                           bool travels, trn_gear_side *out)
{
    tr_status status = trn_check_joint(check, name, world, joint);
    if (status != TR_OK)
        return status;
    const trn_joint_type type = trn_joint_type_of(world, joint.index - 1);
    const uint32_t row = world->joint_pool.row[joint.index - 1];
    trn_joint_def def;
    trn_joint_read(world, type, row, &def);
    status = trn_gear_takes(check, name, type, travels, &out->slides);
    if (status != TR_OK)
        return status;
    const bool static_a = is_static(world, def.body_a), static_b = is_static(world, def.body_b);
    if (static_a && static_b)
        return trn_check_fail(check, TR_ERROR_RANGE, name, "joins two static bodies, one must move");

    out->body = def.body_b;
    out->carrier = def.body_a;
    out->anchor = def.anchor_b;
    out->carrier_anchor = def.anchor_a;
    out->axis = def.axis;
    out->axis_of_body = trn_gear_axis_of_body(world, row, &def);
    if (static_b)
        turn_round(out);
    /* the world in the place of a static carrier, with the axis in its frame */
    if (static_a || static_b) {
        out->axis = trn_gear_axis_in_world(world, out->carrier, out->axis);
        out->carrier = (trn_body){0, 0, 0};
    }
    return TR_OK;
}

/* A and B must be different bodies: if both joints move the same one, exchange body and carrier of one side */
static tr_status part_sides(const trn_check *check, trn_gear_side *a, trn_gear_side *b)
{
    if (a->body.index != b->body.index)
        return TR_OK;
    if (a->carrier.index == 0 && b->carrier.index == 0)
        return trn_check_fail(check, TR_ERROR_SELF_JOINT, "joint_b", "moves the body that joint_a moves (slot %u)",
                              a->body.index - 1);
    turn_round(b->carrier.index != 0 ? b : a);
    return TR_OK;
}

tr_status trn_gear_read(const trn_world *world, trn_joint joint_a, bool travels_a, trn_joint joint_b, bool travels_b,
                        float ratio, const void *out, trn_gear_side side[2], trn_joint_def *def)
{
    if (world == NULL)
        return TR_ERROR_NULL;
    trn_check check = trn_check_of(world, "gear_between", "");
    trn_gear_side *a = &side[0], *b = &side[1];
    *a = *b = (trn_gear_side){0};
    tr_status status = trn_check_pointer(&check, "out", out);
    if (status == TR_OK)
        status = trn_check_finite(&check, "ratio", (double)ratio);
    if (status == TR_OK && ratio == 0.0f)
        status = trn_check_fail(&check, TR_ERROR_ZERO, "ratio", "is zero");
    if (status == TR_OK)
        status = read_side(&check, "joint_a", world, joint_a, travels_a, a);
    if (status == TR_OK)
        status = read_side(&check, "joint_b", world, joint_b, travels_b, b);
    if (status == TR_OK)
        status = part_sides(&check, a, b);
    if (status != TR_OK)
        return status;

    *def = trn_joint_def_default(TRN_JOINT_GEAR);
    def->body_a = a->body;
    def->body_b = b->body;
    def->carrier_a = a->carrier;
    def->carrier_b = b->carrier;
    def->anchor_a = a->anchor;
    def->anchor_b = b->anchor;
    def->slides_a = a->slides;
    def->slides_b = b->slides;
    return TR_OK;
}
